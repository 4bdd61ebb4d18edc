"""One value on its way: the names of secrets that it is put into, or stands beside; see ``secret_targets``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from conflens.base.secrets import SURELY, is_secret_name
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import ENTRY, Code
from conflens.flow.domain import Followed
from conflens.flow.kinds import held, kind_of
from conflens.flow.uses import Uses
from conflens.options.constant_arguments import words
from conflens.options.names.spelling import words_of
from conflens.options.secret_arguments import SETTERS, Takers, by_rows
from conflens.options.secret_texts import OTHER, around, is_secret_between
from conflens.options.secret_values import KINDS
from conflens.program.program import Program
from conflens.program.types import STRING, JavaType

_TEXTS = ("", "string")
KEY = re.compile(r"[\w.-]{1,100}")
_PLAIN_WORDS = frozenset({"token", "tokens", "pass", "pin", "pat", "cookie"})
"""Parameters with these names often are pieces of text that a method takes to pieces, or steps."""
_HOLDS = re.compile(
    r"|var|(?:final )?(?:java\.lang\.)?(?:String|CharSequence|Object)(?:\[\]|\.\.\.)?|(?:char|byte)\[\]"
    r"|(?:java\.util\.(?:function\.|stream\.)?)?[A-Z]\w{1,40}<(?:\? extends )?String>"
)
"""Types of variables that what is built of a text is put into."""
_STEPS = 120
"""Values that are looked at for one that is followed, behind those that ``flow.uses`` found."""
_PARTS = 20
"""Parts of a sum of texts that are looked at on each side of a value."""
_LINKS = 12
"""Assignments and calls back from a value to what it is asked from."""
_ENDS = 4
"""Values that a method returns at different places, beyond which it returns different things."""


class Walk:
    """One value on its way."""

    def __init__(self, uses: Uses, takers: Takers, followed: Followed) -> None:
        self.uses = uses
        self.takers = takers
        self.files: set[str] = set()
        self.names: set[str] = set()
        same = sorted(item for item in followed.same if item[1] != NONE)
        self.same = frozenset(same)
        self.queue = [(*item, 0) for item in reversed(same)]
        self.seen = set(same)

    def first(self) -> str:
        """Return the first name that is one of a secret."""
        steps = 0
        while self.queue and steps < len(self.same) + _STEPS:
            steps += 1
            ref, value, hops = self.queue.pop()
            code = self.uses.code(ref)
            for taker in dict.fromkeys(code.takers.get(value, ())):
                for name in self._taken(code, taker, value, hops):
                    if is_secret_name(name):
                        return name
        return ""

    def _goes_on(self, code: Code, value: int, hops: int) -> None:
        key = code.ref, value
        if value != NONE and key not in self.seen:
            self.seen.add(key)
            self.queue.append((*key, hops))

    # -- forward -----------------------------------------------------------------------------------

    def _taken(self, code: Code, taker: int, value: int, hops: int) -> Iterator[str]:
        """Yield the names that say what a value is where one instruction takes it, and go on from there."""
        instr = code.code[taker]
        match instr:
            case ir.Store(up=0):
                local = code.context.body.locals[instr.slot]
                if _HOLDS.fullmatch(local.type) and local.name.lower() not in _PLAIN_WORDS:
                    yield local.name
                yield from self._beside(code, taker, instr.slot)
                for load in code.reached(instr.slot, taker):
                    self._goes_on(code, load, hops)
            case ir.StoreField() if instr.value == value:
                yield from self._kept(code, instr, hops, (code.ref, value) in self.same)
            case ir.Choice() if value in (instr.then, instr.other):
                other = instr.other if value == instr.then else instr.then
                yield self._asked(code, other)
                yield self._shares(code, other)
                self._goes_on(code, taker, hops)
            case ir.Binary(op="+"):
                part = code.code[value]
                is_sum = isinstance(part, ir.Binary) and part.op == "+"
                if not is_sum and _parted(code, taker, value, self._text):
                    yield SURELY
                self._goes_on(code, taker, hops)
            case ir.Cast():
                self._goes_on(code, taker, hops)
            case ir.NewArray() if value in instr.values:
                place = instr.values.index(value)
                yield self._text(code, instr.values[place - 1]).lstrip("-") if place else ""
                yield self._ordered(code, instr.values, place)
                self._goes_on(code, taker, hops)
            case ir.StoreIndex() if instr.value == value:
                yield self._holder(code, instr.array)
                parts = self._elements(code, instr, taker)
                yield self._ordered(code, parts, len(parts) - 1)
            case ir.Index(array=array) if array == value:
                self._goes_on(code, taker, hops)
            case ir.ForEach(iterable=iterable) if iterable == value:
                local = code.context.body.locals[instr.slot]
                if local.name.lower() not in _PLAIN_WORDS:
                    yield local.name
                for load in code.loads.get(instr.slot, ()):
                    if instr.start <= load < instr.stop:
                        self._goes_on(code, load, hops)
            case ir.Return():
                yield from self._returned(code, taker, instr, hops)
            case ir.Call() | ir.New():
                yield from self._called(code, taker, instr, value, hops)
            case _:
                pass

    def _beside(self, code: Code, store: int, slot: int) -> Iterator[str]:
        """Yield the secrets that a variable holds if it does not hold what one assignment gives it."""
        stores = code.stores.get(slot, ())
        if len(stores) < 2:
            return
        seen = set(code.reached(slot, store))
        for other in stores:
            if other != store and not seen.isdisjoint(code.reached(slot, other)):
                assigned = code.code[other]
                assert isinstance(assigned, ir.Store)
                yield self._asked(code, assigned.value)

    def _kept(self, code: Code, store: ir.StoreField, hops: int, same: bool) -> Iterator[str]:
        field = code.context.target_field(store)
        type_ = self.uses.program.field_type(field) if field is not None else None
        if holds_text(self.uses.program, type_):
            yield store.name
        for index in code.field_stores:
            other = code.code[index]
            if isinstance(other, ir.StoreField) and other.name == store.name and other != store:
                yield self._asked(code, other.value)
        if field is None or same or hops:
            return
        places = self.uses.loads(field)
        self.files |= places.files
        self.names.add(store.name)
        for user, load in places.found:
            self._goes_on(user, load, hops + 1)

    def _returned(self, code: Code, index: int, instr: ir.Return, hops: int) -> Iterator[str]:
        if instr.kind == "yield":
            self._goes_on(code, code.switch_of(index), hops)
            return
        inside = code.lambda_of(index)
        if inside != NONE:
            for taker in code.takers.get(inside, ()):
                call = code.code[taker]
                if not isinstance(call, ir.Call):
                    continue
                if call.name in self.takers.falling_back:
                    yield from self._instead(code, taker, call, inside)
                    self._goes_on(code, taker, hops)
                elif inside in call.args[1:]:
                    yield from self._under(code, call, call.args.index(inside))
            return
        member = self.uses.program.member(code.ref)
        if member.kind == "method" and holds_text(
            self.uses.program, self.uses.program.return_type(code.ref)
        ):
            yield member.name
        ends = [
            one.value
            for number in code.leaving
            if isinstance(one := code.code[number], ir.Return)
            and one.value != NONE
            and code.lambda_of(number) == NONE
        ]
        if 1 < len(ends) <= _ENDS:
            yield from (self._asked(code, end) for end in ends if end != instr.value)
        if hops or (code.ref, instr.value) in self.same:
            return
        places = self.uses.callers(code.ref)
        self.files |= places.files
        self.names.add(member.name)
        for user, call_ in places.found:
            self._goes_on(user, call_, hops + 1)

    def _called(
        self, code: Code, taker: int, call: ir.Call | ir.New, value: int, hops: int
    ) -> Iterator[str]:
        name = call.name if isinstance(call, ir.Call) else _simple(call.type)
        if value in call.args:
            yield from self._handed(code, taker, call, value)
        else:
            for one in (code.code[arg] for arg in call.args):
                if isinstance(one, ir.MethodRef):
                    yield one.name if self.takers.sets(one.name) else ""
                    yield self._holder(code, one.object) if one.name in self.takers.adding else ""
                elif isinstance(one, ir.Lambda) and len(one.params) == 1:
                    for load in code.loads.get(one.params[0], ()):
                        self._goes_on(code, load, hops)
        if name in self.takers.matching and isinstance(call, ir.Call):
            yield from self._instead(code, taker, call, value)
        if name in self.takers.falling_back and isinstance(call, ir.Call):
            yield from self._instead(code, taker, call, value)
            self._goes_on(code, taker, hops)
        elif value not in call.args:
            if name in self.takers.keeping:
                self._goes_on(code, taker, hops)
        elif name in self.takers.keeping or call.args.index(value):
            first = (words(name) or ("",))[0]
            asks = first in self.takers.asking and name not in self.takers.giving_back
            made = held(code.context.type_of(taker))
            own = made is not None and self.uses.program.type(made.name) is not None
            if name in self.takers.keeping and not asks and not own:
                self._goes_on(code, taker, hops)
                if isinstance(call, ir.Call):
                    self._into(code, call, taker, hops)
        if value in call.args and self._gives_one(code, taker, call):
            yield from (self._asked(code, one) for one in call.args if one != value)
        if hops or (code.ref, value) in self.same or value not in call.args:
            return
        slot = call.args.index(value)
        for target in code.context.targets(taker)[:1]:
            if slot < len(self.uses.program.member(target).params):
                inner = self.uses.code(target)
                self.files.add(target.path)
                for load in inner.reached(slot, ENTRY):
                    self._goes_on(inner, load, hops + 1)

    def _gives_one(self, code: Code, taker: int, call: ir.Call | ir.New) -> bool:
        """Tell whether a call may run a method of the program that gives one of its arguments, as far as is seen."""
        if not isinstance(call, ir.Call):
            return False
        targets = code.context.targets(taker)[:1]
        several = any(self.uses.program.member(target).varargs for target in targets)
        text = code.context.type_of(taker) == STRING
        return (code.ref, taker) in self.same or (several and text)

    def _into(self, code: Code, call: ir.Call, taker: int, hops: int) -> None:
        """Go on with the variable of what a text is added to."""
        holder = call.object
        while holder != NONE and isinstance(inner := code.code[holder], ir.Call):
            holder = inner.object
        load = code.code[holder] if holder != NONE else None
        if isinstance(load, ir.Load) and not load.up:
            for other in code.loads.get(load.slot, ()):
                if other > taker:
                    self._goes_on(code, other, hops)

    def _instead(self, code: Code, taker: int, call: ir.Call, value: int) -> Iterator[str]:
        """Yield the secrets that a call may give instead of a value."""
        for one in (call.object, *call.args):
            if one not in (value, NONE):
                yield self._asked(code, one)

    def _handed(self, code: Code, taker: int, call: ir.Call | ir.New, value: int) -> Iterator[str]:
        """Yield what a call says that an argument of it is."""
        slot = call.args.index(value)
        program = self.uses.program
        if isinstance(call, ir.Call):
            if slot == len(call.args) - 1 < 2 and self._sets(code, taker, call):
                yield call.name
            if call.name in self.takers.adding:
                yield self._holder(code, call.object)
                yield self._holder(code, call.args[0] if slot else NONE)
        yield from self._under(code, call, slot)
        yield self._ordered(code, call.args, slot)
        if len(call.args) == 1 and isinstance(call, ir.Call):
            yield from self._flag(code, call, taker)
        targets = code.context.targets(taker)[:1]
        on = code.code[call.object] if isinstance(call, ir.Call) and call.object != NONE else None
        library = not targets and not isinstance(on, ir.This)
        if library and slot in by_rows(program, code.ref, code.context.body, self.takers, call):
            yield SURELY
        for target in targets:
            self.files.add(target.path)
            params = program.member(target).params
            if slot < len(params) and params[slot].name.lower() not in _PLAIN_WORDS:
                type_ = held(program.resolve(params[slot].type, target.path, target.owner))
                own = type_ is not None and program.type(type_.name) is not None
                if not own and holds_text(program, type_):
                    yield params[slot].name
        if not targets and (slot or len(call.args) == 1):
            yield self._made(code, call)
        if self._is_written(code, call, taker, slot):
            yield SURELY

    def _sets(self, code: Code, taker: int, call: ir.Call) -> bool:
        """Tell whether a call sets a secret: a method of the program that gives something else is no setter."""
        if not self.takers.sets(call.name):
            return False
        plain = call.name.startswith(SETTERS) or not any(map(str.isupper, call.name))
        if plain:
            return True
        program = self.uses.program
        for target in code.context.targets(taker)[:1]:
            given = program.return_type(target)
            made = program.type(given.name) if given is not None else None
            return given is None or made is not None or given.name == "void"
        return True

    def _holder(self, code: Code, holder: int) -> str:
        """Return the name of the list or array that a value is put into, empty if it is no secret."""
        if holder == NONE:
            return ""
        name = giver(code, holder)
        if not name or name.lower() in _PLAIN_WORDS:
            return ""
        return name if holds_text(self.uses.program, code.context.type_of(holder)) else ""

    def _under(self, code: Code, call: ir.Call | ir.New, slot: int) -> Iterator[str]:
        """Yield the keys beside an argument, and the constants of a library that stand for one: ``HttpHeaders.AUTHORIZATION``."""
        for place in {0, slot - 1} if slot else ():
            key = self._text(code, call.args[place])
            if KEY.fullmatch(key):
                yield key
            named = code.code[call.args[place]]
            if not key and isinstance(named, (ir.Name, ir.Field)) and named.name.isupper():
                yield named.name

    def _ordered(self, code: Code, parts: Sequence[int], place: int) -> str:
        """Return that a value is a secret, if it is by the words of a command before it: ``List.of("curl", "-u", "me:" + v)``."""
        told = [self._text(code, one) or OTHER for one in parts[max(0, place - _PARTS) : place]]
        sum_ = code.code[parts[place]]
        own = self._text(code, sum_.left) if isinstance(sum_, ir.Binary) else ""
        if not any(one.startswith("-") for one in (own, *told[-1:])):
            return ""
        return SURELY if is_secret_between(" ".join((*told, own)), "") else ""

    def _elements(self, code: Code, store: ir.StoreIndex, taker: int) -> list[int]:
        """Return what an array is given before a value, in its order, and the value: ``line[1] = "--password"; line[2] = v``."""
        array = code.code[store.array]
        earlier = code.code[max(0, taker - _STEPS) : taker]
        found = [
            other.value
            for other in earlier
            if isinstance(other, ir.StoreIndex) and _is_same(code.code[other.array], array)
        ]
        return [*found, store.value]

    def _added_to(self, code: Code, call: ir.Call, taker: int) -> list[int]:
        """Return what a list of arguments gets before a value, in its order, and the value: ``line.add("--password"); line.add(v)``."""
        holder = code.code[call.object] if call.object != NONE else None
        found, at = [call.args[0]], call.object
        for index in range(taker - 1, max(taker - _STEPS, -1), -1):
            before = code.code[index]
            if (
                isinstance(before, ir.Call)
                and before.name == call.name
                and len(before.args) == 1
                and before.object != NONE
                and (at == index or _is_same(code.code[before.object], holder))
            ):
                found.append(before.args[0])
                if at == index:
                    at, holder = before.object, code.code[before.object]
        return [*self._begun(code, at), *found[::-1]]

    def _begun(self, code: Code, value: int) -> Sequence[int]:
        """Return what a list of arguments begins with: ``new ProcessBuilder("mysql")``, ``new ArrayList<>(List.of("mysql"))``."""
        for _ in range(_LINKS):
            instr = code.code[value] if value != NONE else None
            if isinstance(instr, ir.Load) and not instr.up:
                given = [one.value for one in stores(code, instr.slot) if one.value < value]
                value = given[-1] if given else NONE
            elif isinstance(instr, ir.Call) and not instr.args:
                value = instr.object
            elif not isinstance(instr, (ir.Call, ir.New)):
                break
            elif len(instr.args) == 1 and isinstance(code.code[instr.args[0]], ir.Call):
                value = instr.args[0]
            else:
                return instr.args
        return ()

    def _flag(self, code: Code, call: ir.Call, taker: int) -> Iterator[str]:
        """Yield the flag that a list of arguments gets right before a value, and that it is a secret by all before it."""
        parts = self._added_to(code, call, taker)
        text = self._text(code, parts[-2]) if len(parts) > 1 else ""
        if text.startswith("-") and KEY.fullmatch(text):
            yield text
        yield self._ordered(code, parts, len(parts) - 1)

    def _made(self, code: Code, call: ir.Call | ir.New) -> str:
        """Return the type that a library makes of its arguments: ``new ApiKey(v)``, ``Credentials.basic(user, v)``."""
        name = ""
        if isinstance(call, ir.New):
            name = _simple(call.type)
        elif call.object != NONE and isinstance(on := code.code[call.object], ir.Name):
            name = on.name if on.name[:1].isupper() and not on.name.isupper() else ""
        return name if name.lower() not in _PLAIN_WORDS else ""

    def _is_written(self, code: Code, call: ir.Call | ir.New, taker: int, slot: int) -> bool:
        """Tell whether a call puts an argument into a text whose constants make it a secret there."""
        on = call.object if isinstance(call, ir.Call) else NONE
        texts = [(self._text(code, on) if on != NONE else "", -1)]
        texts += [(self._text(code, one), place) for place, one in enumerate(call.args[:slot])]
        for text, place in texts:
            if "%" in text or "{" in text:
                found = around(text, slot - place - 1)
                if found is not None and is_secret_between(*found):
                    return True
        hole = texts[1][0] if slot == 1 else ""
        if hole and hole in texts[0][0] and is_secret_between(*texts[0][0].split(hole, 1)):
            return True
        if not isinstance(call, ir.Call) or call.name not in self.takers.keeping:
            return False
        before = self._added(code, call, taker)
        behind = ""
        for after in code.takers.get(taker, ()):
            more = code.code[after]
            if isinstance(more, ir.Call) and more.object == taker and more.args:
                behind = self._text(code, more.args[0])
        return bool(before) and is_secret_between(before, behind)

    def _added(self, code: Code, call: ir.Call, taker: int) -> str:
        """Return what was added to a text right before a call that adds a value to it."""
        before, at = "", call.object
        if at != NONE and isinstance(code.code[at], ir.Load):
            load = code.code[at]
            assert isinstance(load, ir.Load)
            earlier = (
                [one for one in code.loads.get(load.slot, ()) if one < at] if not load.up else []
            )
            for one in earlier[-1:]:
                at = next((use for use in code.takers.get(one, ()) if use < taker), NONE)
        for _ in range(_LINKS):
            on = code.code[at] if at != NONE else None
            if isinstance(on, (ir.Call, ir.New)) and on.args:
                before = (self._text(code, on.args[0]) or OTHER) + before
            elif text := self._text(code, at) if at != NONE else "":
                return text + before
            if not isinstance(on, ir.Call):
                break
            at = on.object
        return before

    def _shares(self, code: Code, value: int) -> str:
        """Return the secret that falls back on the same variable as another value does."""
        instr = code.code[value] if value != NONE else None
        if not isinstance(instr, ir.Load) or instr.up:
            return ""
        for load in code.loads.get(instr.slot, ())[:_LINKS]:
            for taker in code.takers.get(load, ()) if load != value else ():
                choice = code.code[taker]
                if isinstance(choice, ir.Choice) and load in (choice.then, choice.other):
                    name = self._asked(code, choice.other if load == choice.then else choice.then)
                    if name:
                        return name
        return ""

    def _text(self, code: Code, value: int) -> str:
        """Return the constant text that a value is, empty if it is none; of a variable, the one that it was given last."""
        instr = code.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up:
            given = [one.value for one in stores(code, instr.slot) if one.value < value]
            instr = code.code[given[-1]] if given else None
        if isinstance(instr, ir.Const):
            return instr.value if instr.kind in "sc" else ""
        if isinstance(instr, (ir.Name, ir.Field, ir.Binary)):
            return self.uses.transfer.constant(code, value) or ""
        return ""

    # -- back --------------------------------------------------------------------------------------

    def _asked(self, code: Code, value: int) -> str:
        """Return the name of a secret that a value is asked from, or that gives it, empty if there is none."""
        pending, seen = [value], set[int]()
        while pending and len(seen) < _LINKS:
            value = pending.pop()
            if value == NONE or value in seen or (code.ref, value) in self.same:
                continue
            seen.add(value)
            instr = code.code[value]
            name = giver(code, value)
            if name:
                return name
            match instr:
                case ir.Call():
                    keys = (self._text(code, one) for one in instr.args[:2])
                    told = (key for key in keys if KEY.fullmatch(key) and is_secret_name(key))
                    name = next(told, "")
                    if name:
                        return name
                    kept = self.takers.keeping | self.takers.falling_back
                    if instr.name in kept:
                        pending += [instr.object, *instr.args]
                case ir.Load(up=0):
                    pending += [one.value for one in stores(code, instr.slot)]
                case ir.Choice():
                    pending += [instr.then, instr.other]
                case ir.Cast():
                    pending.append(instr.value)
                case ir.Lambda():
                    pending += [
                        one.value
                        for one in code.code[instr.start : instr.stop]
                        if isinstance(one, ir.Return)
                    ]
                case _:
                    pass
        return ""


def _parted(code: Code, top: int, value: int, text: Callable[[Code, int], str]) -> bool:
    """Tell whether the constants beside a part of a sum of texts make it a secret."""
    before: list[str] = []
    behind: list[str] = []
    at = value
    for _ in range(2 * _PARTS):
        sum_ = code.code[top] if top != NONE else None
        if not isinstance(sum_, ir.Binary) or sum_.op != "+":
            break
        if sum_.right == at:
            before += _parts(code, sum_.left, _PARTS - len(before), text, last=True)
        else:
            behind += _parts(code, sum_.right, _PARTS - len(behind), text, last=False)
        at, above = top, code.takers.get(top, ())
        top = next((one for one in above if isinstance(code.code[one], ir.Binary)), NONE)
    return bool(before or behind) and is_secret_between("".join(reversed(before)), "".join(behind))


def _parts(
    code: Code, value: int, most: int, text: Callable[[Code, int], str], *, last: bool
) -> list[str]:
    """Return the first parts of a sum of texts in their order, or the ``last`` ones, the last of them first."""
    found: list[str] = []
    pending = [value]
    while pending and len(found) < most:
        part = pending.pop()
        instr = code.code[part]
        if isinstance(instr, ir.Binary) and instr.op == "+":
            pending += (instr.left, instr.right) if last else (instr.right, instr.left)
        else:
            found.append(text(code, part) or OTHER)
    return found


def giver(code: Code, value: int) -> str:
    """Return the name of a secret that what gives a value has, empty if it is not one."""
    instr = code.code[value]
    name = ""
    if isinstance(instr, (ir.Name, ir.Field)) or (isinstance(instr, ir.Call) and not instr.args):
        name = instr.name
    elif isinstance(instr, ir.Load) and not instr.up:
        name = code.context.body.locals[instr.slot].name
    if not name or not is_secret_name(name):
        return ""
    kind = not KINDS.isdisjoint(map(str.lower, words_of(name)))
    return "" if kind else name


def stores(code: Code, slot: int) -> Iterator[ir.Store]:
    """Yield the assignments to a local variable."""
    for index in code.stores.get(slot, ()):
        store = code.code[index]
        if isinstance(store, ir.Store):
            yield store


def _is_same(one: ir.Instr, other: ir.Instr | None) -> bool:
    """Tell whether two instructions give one variable or field, as far as names tell."""
    if isinstance(one, ir.Load) and isinstance(other, ir.Load):
        return (one.slot, one.up) == (other.slot, other.up)
    if isinstance(one, ir.Call) and isinstance(other, ir.Call):
        return one.name == other.name and not (one.args or other.args)
    named = (ir.Name, ir.Field)
    return isinstance(one, named) and isinstance(other, named) and one.name == other.name


def holds_text(program: Program, type_: JavaType | None) -> bool:
    """Tell whether a type is one of texts, or of lists of them."""
    kind = kind_of(program, type_)
    if kind == "list" and type_ is not None:
        inner = held(type_)
        elements = inner.args if inner is not None else ()
        return all(kind_of(program, element) in _TEXTS for element in elements)
    return kind in _TEXTS


def _simple(type_: str) -> str:
    return type_.partition("<")[0].rpartition(".")[2]
