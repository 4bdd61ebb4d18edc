"""Defaults that a program puts into a map for the keys that are not there.

The map that a read asks is followed back to where it is made and filled.  Its defaults are what ``new Properties(d)``
and ``new HashMap(d)`` are given, what is put in before a file or another map is, with ``putIfAbsent``, or under
``if (!map.containsKey(key))``.  What a map of defaults holds are constants under constant keys: arguments of ``Map.of``,
or what is put into it where it is made; a class's static map is filled by its initialisers, or by methods, without a condition.
The entries of such a map may be copied one by one, in a loop, where there is no value.

Terms
    alias    a value that is the map, or whose content is copied into it.

Bounded by ``MOST`` aliases and ``HOPS`` calls and fields between them.
Absent: where a method looks them up by itself (``by_key``); maps of maps; values that are not constants.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer
from conflens.program.body_uses import calls_with, loads, returned
from conflens.program.expressions import Context
from conflens.program.nesting import Nesting
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

MOST = 40
HOPS = 4
_CALLERS = 6
_PUTS = frozenset({"put", "setProperty"})
_BRANCHES = "options.branches"
_IF_ABSENT = "putIfAbsent"
_ASKS = frozenset({"containsKey", "get", "getProperty"})
_TAKES = frozenset({"get", "getOrDefault", "getProperty"})
_FILLS = frozenset({"load", "loadFromXML", "putAll"})
_MAPS = ("java.util.Map", "java.util.Dictionary")
_MAKERS = frozenset({"initializer", "field", "constructor"})
"""Kinds of members that run before anything is read."""
_LISTING = frozenset({"of", "copyOf", "unmodifiableMap", "ofEntries", "entry"})

Text = Callable[[Context, int], str | None]
"""What gives the text of a constant."""

Key = str | MemberRef
"""What is put in under: a text, or a constant of an enum."""

Defaults = Mapping[Key, str | None]
"""Defaults by key; ``None`` for one that is not known, or not one."""


class _Alias(NamedTuple):
    context: Context
    value: int
    hops: int
    whole: bool
    """All that it holds is a default; else only what is put in for want of a value."""


class DefaultMaps:
    """Finds the defaults of maps of one program."""

    def __init__(self, tracer: Tracer, text: Text) -> None:
        """Follow maps with ``tracer``."""
        self.tracer = tracer
        self.text = text

    def of(self, context: Context, value: int, key: str) -> str | None:
        """Return the default that the map ``value`` has for a key."""
        if value == NONE or not self.is_map(context, value):
            return None
        return self._default(context, value, key, whole=False)

    def behind(self, wrapper: MemberRef, key: str) -> tuple[str | None, frozenset[str]]:
        """Return the default for a key that the map has which a wrapper asks for its caller, and the files looked at."""
        lookups, files = self._asked(wrapper, 0)
        texts = {text for one in lookups if (text := self.of(*one, key)) is not None}
        return (texts.pop() if len(texts) == 1 else None), files

    def _asked(
        self, wrapper: MemberRef, depth: int
    ) -> tuple[tuple[tuple[Context, int], ...], frozenset[str]]:
        """Return the maps that a wrapper, or one that it calls, asks for a key that it is given, and the files looked at."""

        def find() -> tuple[tuple[tuple[Context, int], ...], frozenset[str]]:
            context = self.tracer.values.open(wrapper)
            found: list[tuple[Context, int]] = []
            files = {wrapper.path}
            for number, call in context.calls():
                if not isinstance(call, ir.Call) or not call.args:
                    continue
                if not _is_given(context, call.args[0]):
                    continue
                self.tracer.program.meter.spend()
                targets = context.targets(number)
                if not targets and call.name in _TAKES and self.is_map(context, call.object):
                    found.append((context, call.object))
                elif targets and depth < HOPS and targets[0] != wrapper:
                    inner, more = self._asked(targets[0], depth + 1)
                    found += inner
                    files |= more
            return tuple(found[:MOST]), frozenset(files)

        return self.tracer.values.trail.remembered(("maps asked", wrapper, depth), find)

    def held(self, context: Context, value: int, key: Key) -> str | None:
        """Return what a map of defaults holds for a key, all of which is put in where the map is made."""
        return self._default(context, value, key, whole=True)

    def key(self, context: Context, value: int) -> Key:
        """Return what a key is; empty where that is not known."""
        text = known_text(self.tracer.values.of(context, value))
        field = context.field_of(value) if value != NONE else None
        if field is not None and self.tracer.program.member(field).kind == "enum_constant":
            return field
        return text or ""

    def _default(self, context: Context, value: int, key: Key, *, whole: bool) -> str | None:
        place = ("default map", context.ref, _holder(context, value), whole)
        remembered = self.tracer.values.trail.remembered
        known = remembered(place, lambda: self._of(context, value, whole=whole))
        texts = {entries[key] for entries in known if key in entries}
        return texts.pop() if len(texts) == 1 else None

    def _of(self, context: Context, value: int, *, whole: bool) -> list[Defaults]:
        """Return the defaults that the aliases of a map hold, of each its own."""
        found: list[Defaults] = []
        seen: set[object] = set()
        queue = deque([_Alias(context, value, 0, whole)])
        remembered = self.tracer.values.trail.remembered
        while queue and len(seen) < MOST:
            alias = queue.popleft()
            holder = (_holder(alias.context, alias.value), alias.whole)
            if alias.value == NONE or holder in seen:
                continue
            seen.add(holder)
            self.tracer.program.meter.spend()
            place = (*holder, alias.hops)
            entries = remembered(("default entries", *holder), partial(self._held_by, alias))
            if entries:
                found.append(entries)
            queue.extend(remembered(("default aliases", *place), partial(self._from, alias)))
        return found

    def _held_by(self, alias: _Alias) -> Defaults:
        found: dict[Key, str | None] = {}
        for key, text in self._entries(alias):
            found[key] = text if found.get(key, text) == text else None
        return found

    def _from(self, alias: _Alias) -> tuple[_Alias, ...]:
        return tuple(self._next(alias))

    def is_map(self, context: Context, value: int) -> bool:
        """Tell whether a value is a map."""
        type_ = context.type_of(value) if value != NONE else None
        if type_ is None:
            return False
        above = self.tracer.program.supertypes(type_.name)
        return any(name == type_.name or name in above for name in _MAPS)

    # -- where a map comes from ----------------------------------------------------------------------

    def _next(self, alias: _Alias) -> Iterator[_Alias]:
        context, value, hops, whole = alias
        instr = context.code[value]
        match instr:
            case ir.New():
                for arg in instr.args:
                    if self.is_map(context, arg):
                        yield _Alias(context, arg, hops, True)
            case ir.Cast():
                yield _Alias(context, instr.value, hops, whole)
            case ir.Choice():
                yield _Alias(context, instr.then, hops, whole)
                yield _Alias(context, instr.other, hops, whole)
            case ir.Load() if not instr.up:
                for store in context.stores(instr.slot):
                    yield _Alias(context, store.value, hops, whole)
                yield from self._poured(context, loads(context, instr.slot), hops)
                if context.is_parameter(instr.slot) and hops < HOPS:
                    for caller, _, args in self.tracer.callers(context.ref, judged=True)[
                        :_CALLERS
                    ]:
                        if instr.slot < len(args):
                            yield _Alias(caller, args[instr.slot], hops + 1, whole)
            case ir.Name() | ir.Field():
                field = context.field_of(value)
                if field is not None and hops < HOPS:
                    for place, stored in self.tracer.values.stores(field):
                        yield _Alias(place, stored.value, hops + 1, whole)
                    for place, held in self._loaded(field):
                        yield from self._poured(place, held, hops + 1)
            case ir.Call():
                for target in context.targets(value)[:1] if hops < HOPS else ():
                    inner = self.tracer.values.open(target)
                    for other in returned(inner):
                        yield _Alias(inner, other, hops + 1, whole)
                if not context.targets(value) and instr.name in _LISTING:
                    for arg in instr.args:
                        if self.is_map(context, arg):
                            yield _Alias(context, arg, hops, whole)
            case _:
                pass

    def _poured(self, context: Context, places: Iterable[int], hops: int) -> Iterator[_Alias]:
        """Yield the maps whose content is copied into some loads of a map before that of another."""
        held = frozenset(places)
        fills = [
            call
            for _, call in calls_with(context, held)
            if call.object in held and call.name in _FILLS and len(call.args) == 1
        ]
        for call in fills[:-1]:
            if call.name == "putAll":
                yield _Alias(context, call.args[0], hops, True)
        calls = {number: call for number, call in calls_with(context, held) if call.object in held}
        for number, call in calls.items():
            source = self._copied(context, number, call, calls)
            if source != NONE:
                yield _Alias(context, source, hops, True)

    def _copied(
        self, context: Context, number: int, call: ir.Call, calls: Mapping[int, ir.Call]
    ) -> int:
        """Return the map whose entries a call copies, one with each turn of a loop, where there is none for their keys; else ``NONE``."""
        if len(call.args) != 2 or not (call.name in _PUTS or call.name == _IF_ABSENT):
            return NONE
        parts = [_part(context, arg) for arg in call.args]
        slot = parts[0][1]
        if parts != [("getKey", slot), ("getValue", slot)] or slot == NONE:
            return NONE
        loop = (context.binder(slot) or (NONE, None))[1]
        listed = context.code[loop.iterable] if isinstance(loop, ir.ForEach) else None
        if not isinstance(listed, ir.Call) or listed.name != "entrySet" or listed.object == NONE:
            return NONE
        absent = call.name == _IF_ABSENT or self._is_missing(
            context, number, calls, lambda key: _part(context, key) == ("getKey", slot)
        )
        return listed.object if absent else NONE

    def _loaded(self, field: MemberRef) -> Iterator[tuple[Context, list[int]]]:
        """Yield the loads of a field in its own file, by body."""
        name = self.tracer.program.member(field).name
        for user in dict.fromkeys((field, *self.tracer.values.asking.within(field.path, name))):
            context = self.tracer.values.open(user)
            held = [one for one in context.named(name).loads if context.field_of(one) == field]
            if held:
                yield context, held

    # -- what is put in ------------------------------------------------------------------------------

    def _entries(self, alias: _Alias) -> Iterator[tuple[Key, str | None]]:
        context, value, _, whole = alias
        instr = context.code[value]
        if isinstance(instr, ir.Load) and not instr.up:
            yield from self._put(context, list(loads(context, instr.slot)), whole=whole)
        elif isinstance(instr, (ir.Name, ir.Field)):
            field = context.field_of(value)
            for place, held in self._loaded(field) if field is not None else ():
                own = place.member.kind in _MAKERS
                yield from self._put(place, held, whole=whole, always=not own)
        elif isinstance(instr, ir.Call) and whole and not context.targets(value):
            yield from self._listed(context, instr)

    def _listed(self, context: Context, call: ir.Call) -> Iterator[tuple[Key, str | None]]:
        """Yield what ``Map.of(k, v, …)`` lists."""
        if call.name == "of" and call.object != NONE and len(call.args) % 2 == 0:
            yield from zip(
                (self.key(context, arg) for arg in call.args[::2]),
                (self.text(context, arg) for arg in call.args[1::2]),
                strict=True,
            )
        elif call.name == "ofEntries":
            for arg in call.args:
                entry = context.code[arg]
                if isinstance(entry, ir.Call) and entry.name == "entry" and len(entry.args) == 2:
                    yield self.key(context, entry.args[0]), self.text(context, entry.args[1])

    def _put(
        self, context: Context, places: list[int], *, whole: bool, always: bool = False
    ) -> Iterator[tuple[Key, str | None]]:
        """Yield what is put into loads of a map as defaults; ``always``: of a whole map of them, only what no condition guards."""
        held = frozenset(places)
        calls = {number: call for number, call in calls_with(context, held) if call.object in held}
        filled = max((at for at, call in calls.items() if call.name in _FILLS), default=NONE)
        for number, call in calls.items():
            if len(call.args) != 2 or not (call.name in _PUTS or call.name == _IF_ABSENT):
                continue
            key = self.key(context, call.args[0])
            if key and (
                (whole and not (always and _branched(context, number)))
                or call.name == _IF_ABSENT
                or (number < filled and not _branched(context, number))
                or self._if_missing(context, number, key, calls)
            ):
                yield key, self.text(context, call.args[1])

    def _if_missing(
        self, context: Context, number: int, key: Key, calls: Mapping[int, ir.Call]
    ) -> bool:
        """Tell whether an instruction runs only where the map was asked for a key and has none."""
        return self._is_missing(
            context, number, calls, lambda asked: self.key(context, asked) == key
        )

    def _is_missing(
        self,
        context: Context,
        number: int,
        calls: Mapping[int, ir.Call],
        is_key: Callable[[int], bool],
    ) -> bool:
        """Tell whether an instruction runs only where one of the calls has asked for a key and found nothing."""
        for around in _branches(context).around(number):
            branch = around.item
            context.program.meter.spend()
            then = branch.then_start <= number < branch.else_start
            if not then and not branch.else_start <= number < branch.stop:
                continue
            test, there = _asked(context, branch.test)
            asked = calls.get(test)
            if asked is None or asked.name not in _ASKS or len(asked.args) != 1:
                continue
            if then is not there and is_key(asked.args[0]):
                return True
        return False


def _is_given(context: Context, value: int) -> bool:
    """Tell whether a value is a parameter."""
    load = context.code[value]
    return isinstance(load, ir.Load) and not load.up and context.is_parameter(load.slot)


def _part(context: Context, value: int) -> tuple[str, int]:
    """Return what is asked of a local, and its slot: ``("getKey", 2)``."""
    call = context.code[value] if value != NONE else None
    load = context.code[call.object] if isinstance(call, ir.Call) and call.object != NONE else None
    if isinstance(call, ir.Call) and not call.args and isinstance(load, ir.Load) and not load.up:
        return call.name, load.slot
    return "", NONE


def _branched(context: Context, number: int) -> bool:
    """Tell whether an instruction runs only under a condition."""
    return any(_branches(context).around(number))


def _branches(context: Context) -> Nesting[ir.If]:
    """Return the branches of a body by what lies in them."""
    found = context.notes.get(_BRANCHES)
    if not isinstance(found, Nesting):
        branches = (instr for instr in context.code if isinstance(instr, ir.If))
        found = Nesting((one.then_start, one.stop, one) for one in branches)
        context.notes[_BRANCHES] = found
    return found


def _asked(context: Context, test: int) -> tuple[int, bool]:
    """Return what a test asks, and whether it holds where there is a value."""
    there = True
    for _ in range(HOPS):
        instr = context.code[test] if test != NONE else None
        if isinstance(instr, ir.Unary) and instr.op == "!":
            test, there = instr.operand, not there
        elif isinstance(instr, ir.Binary) and instr.op in ("==", "!="):
            other = context.code[instr.right]
            if not isinstance(other, ir.Const) or other.kind != "n":
                break
            test, there = instr.left, there is (instr.op == "!=")
        else:
            break
    return test, there


def _holder(context: Context, value: int) -> object:
    """Return what holds a map, whichever instruction loads it."""
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Load) and not instr.up:
        return context.ref, "local", instr.slot
    return context.field_of(value) or (context.ref, value) if value != NONE else NONE
