"""Following a value forward through a program, up to its uses.

A work list of (body, value, trace); every bound that cuts it short makes the answer *open*.  A
field is one cell for all objects of its class.  A value that entered a method by a call leaves it
only to that call; one that came out of a field, or started inside, leaves to every caller.

``Uses`` remembers indexed bodies, loads of fields and callers: make one for each program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence, Set

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier
from conflens.flow.code import ENTRY, Code
from conflens.flow.domain import START, Followed, Frame, Passed, Relation, Role, Trace, Use
from conflens.flow.hidden import Hidden, may_be_native
from conflens.flow.places import (
    Meant,
    Namesakes,
    Places,
    Users,
    files_of,
    loaded,
    named_calls,
    named_references,
)
from conflens.flow.rows import Rows
from conflens.flow.transfer import (
    Move,
    ToCallers,
    ToField,
    ToLocal,
    ToParameter,
    ToValue,
    Transfer,
)
from conflens.models.load import Models
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY
from conflens.program.values import Values

STEPS = 80
"""Values visited for one followed value."""
_FOLLOWED = 10
"""Steps of the budget that visiting a value costs."""

HOPS = 6
"""Borders of methods and fields crossed."""

STACK = 6
CALLERS = 16
USERS = 60
"""Bodies looked through for loads of one field or calls of one method."""

Enough = Callable[[Use], bool]
"""Whether a use tells all that is wanted, so that following may stop there."""

Passes = Callable[[Code, int], bool]
"""Whether a value of a body is one to follow."""


_NOTE = "flow.code"


class Uses:
    """Follows values of one program."""

    def __init__(
        self,
        program: Program,
        models: Models,
        values: Values | None = None,
        rows: Rows | None = None,
        users: int = USERS,
    ) -> None:
        """Follow in ``program`` by the rows of ``models``; ``users`` bounds the bodies looked through."""
        self.program = program
        self._most = users
        self.rows = rows or Rows(program, models)
        self.values = values or Values(program, models)
        self.transfer = Transfer(self.rows, self.values)
        self.hidden = Hidden(program)
        self._codes: dict[MemberRef, Code] = {}
        self._loads: dict[MemberRef, Places] = {}
        self._callers: dict[MemberRef, Places] = {}
        self._references: dict[MemberRef, list[tuple[Code, int]]] = {}
        self._referred: dict[MemberRef, bool] = {}
        self._by_target: dict[tuple[str, str], Meant] = {}
        self._far: dict[tuple[str, str], Namesakes] = {}
        self._near: dict[tuple[str, str, bool], tuple[MemberRef, ...]] = {}
        self._loading: dict[tuple[str, str], dict[MemberRef, list[MemberRef]]] = {}
        self._private: dict[tuple[str, str], Meant] = {}

    def take(self, before: Uses, names: Set[str], touched: Set[MemberRef]) -> None:
        """Take over who uses what is not called by ``names``, as far as no ``touched`` body does."""
        # Copied whole and then thinned: that makes no hash of what stays.
        member = before.program.member
        for mine, theirs in ((self._loads, before._loads), (self._callers, before._callers)):
            mine |= theirs
            for ref, found in theirs.items():
                if not found.inside.isdisjoint(touched) or member(ref).name in names:
                    del mine[ref]
        self._by_target |= before._by_target
        for key, meant in before._by_target.items():
            if key[0] in names or not meant.inside.isdisjoint(touched):
                del self._by_target[key]

    def code(self, ref: MemberRef) -> Code:
        """Return the indexed body of a member, and note that it was looked at."""
        self.values.trail.bodies.add(ref)
        return self._codes.get(ref) or self._opened(ref)

    def _opened(self, ref: MemberRef) -> Code:
        found = self._codes.get(ref)
        if found is None:
            notes = Context.of(self.program, ref).notes
            kept = notes.get(_NOTE)
            found = kept if isinstance(kept, Code) else Code(self.program, ref)
            notes[_NOTE] = self._codes[ref] = found
        return found

    def values_of(
        self, places: Sequence[tuple[MemberRef, int]], enough: Enough | None = None
    ) -> Followed:
        """Follow one value that stands at several places, up to the first use that is ``enough``."""
        run = Run(self)
        for ref, value in places:
            run.visit(ToValue(self.code(ref), value, START))
        return run.finish(enough)

    def only(
        self,
        places: Iterable[tuple[MemberRef, int]],
        fields: Iterable[MemberRef],
        passes: Passes,
    ) -> Followed:
        """Follow one value that stands at several places and in fields, as far as it stays one that ``passes``."""
        run = Run(self, passes)
        for ref, value in places:
            run.visit(ToValue(self.code(ref), value, START))
        for field in fields:
            run.visit(ToField(field, START))
        return run.finish(None)

    def field(self, ref: MemberRef, enough: Enough | None = None) -> Followed:
        """Follow the value of a field or record component."""
        run = Run(self)
        run.visit(ToField(ref, START))
        return run.finish(enough)

    def parameter(self, ref: MemberRef, slot: int, enough: Enough | None = None) -> Followed:
        """Follow the value of a method's parameter."""
        run = Run(self)
        run.enter(ref, slot, START)
        return run.finish(enough)

    def result(self, ref: MemberRef, enough: Enough | None = None) -> Followed:
        """Follow what a method returns."""
        run = Run(self)
        run.visit(ToCallers(self.code(ref), START))
        return run.finish(enough)

    # -- who reads a field, who calls a method -----------------------------------------------------

    def loads(self, ref: MemberRef) -> Places:
        """Return the loads of a field."""
        found = self._loads.get(ref)
        if found is None:
            found = self._find_loads(ref)
            self._loads[ref] = found
        return found

    def _users(self, ref: MemberRef, member: Member) -> Users:
        """Return the members that may read a field or call a method."""
        program = self.program
        name = member.name
        near: Sequence[MemberRef] = self._users_in(ref.path, name, called=member.kind == "method")
        if member.modifiers & Modifier.PRIVATE and member.kind != "constructor":
            return Users(near, near, True, files_of(near[:1]), frozenset())
        if member.kind == "constructor":
            simple = ref.owner.rpartition(".")[2]
            chained = [
                other
                for owner in (ref.owner, *program.subtypes(ref.owner))
                for other in program.own_methods(owner).get(name, ())
            ]
            far = (*program.mentions(simple), *chained, *self._constants(ref.owner))
            users, complete = self._first(near, far)
            return Users(users, users, complete, files_of(users), frozenset())
        others = self._namesakes(name, member.kind)
        users, complete = self._first(near[: self._most + 1], others.users)
        return Users(users, near[: self._most], complete, files_of(near[:1]), others.files)

    def _users_in(self, path: str, name: str, *, called: bool) -> tuple[MemberRef, ...]:
        """Return the members of a file that call a method, or mention a field, of a name."""
        key = (path, name, called)
        found = self._near.get(key)
        if found is None:
            facts = self.program.files[path]
            numbers = (facts.calls if called else facts.names).get(name, ())
            found = self._near[key] = tuple(self.program.ref(path, number) for number in numbers)
        return found

    def _first(
        self, near: Iterable[MemberRef], far: Sequence[MemberRef]
    ) -> tuple[list[MemberRef], bool]:
        """Return the first members, and whether there are no more; does not look at all of a common name."""
        users = list(dict.fromkeys((*near, *far[: self._most + 1])))
        return users[: self._most], len(users) <= self._most

    def _namesakes(self, name: str, kind: str) -> Namesakes:
        """Return who uses anything of a name, looked through once for all fields or methods of the name."""
        found = self._far.get((name, kind))
        if found is None:
            program = self.program
            far = program.users(name) if kind == "method" else program.mentions(name)
            first = far[: self._most]
            loading = self._loading_among(first, name) if kind != "method" else {}
            found = self._far[name, kind] = Namesakes(far, files_of(first), loading)
        return found

    def _loading_among(
        self, users: Iterable[MemberRef], name: str
    ) -> dict[MemberRef, list[MemberRef]]:
        """Return which of some members load which fields of a name."""
        found: dict[MemberRef, list[MemberRef]] = {}
        for user in dict.fromkeys(users):
            for field in loaded(Context.of(self.program, user), name):
                found.setdefault(field, []).append(user)
        return found

    def _constants(self, owner: str) -> list[MemberRef]:
        """Return the constants of an enum: each makes an object."""
        info = self.program.type(owner)
        if info is None or info.decl.kind != "enum":
            return []
        return [
            ref
            for ref in self.program.own_fields(owner).values()
            if self.program.member(ref).kind == "enum_constant"
        ]

    def references(self, ref: MemberRef) -> list[tuple[Code, int]]:
        """Return the method references that mean a method without parameters."""
        kept = self._references.get(ref)
        if kept is not None:
            return kept
        member = self.program.member(ref)
        if member.params or member.kind != "method":
            return []
        found: list[tuple[Code, int]] = []
        for user in self._users(ref, member).members:
            context = Context.of(self.program, user)
            for index in named_references(context).get(member.name, ()):
                code = self._opened(user)
                for owner in self.rows.owners(code, index):
                    if ref in self.program.methods(owner, member.name, 0):
                        found.append((code, index))
        self._references[ref] = found
        return found

    def is_referred(self, ref: MemberRef) -> bool:
        """Tell whether a method reference may mean a method or constructor, by its name and class."""
        found = self._referred.get(ref)
        if found is None:
            member = self.program.member(ref)
            found = self._referred[ref] = any(
                self.program.is_subtype(ref.owner, owner)
                or self.program.is_subtype(owner, ref.owner)
                for user in self._users(ref, member).members
                for index in named_references(Context.of(self.program, user)).get(member.name, ())
                for owner in self.rows.owners(self._opened(user), index) or (ref.owner,)
            )
        return found

    def _find_loads(self, ref: MemberRef) -> Places:
        member = self.program.member(ref)
        users = self._users(ref, member)
        found: list[tuple[Code, int]] = []
        name = member.name
        loading: Iterable[MemberRef] = users.members
        if users.far:
            # Who loads this field is known of all but those that are near.
            far = self._namesakes(name, member.kind).loading.get(ref, ())
            known = set(users.members)
            loading = dict.fromkeys((*users.close, *(user for user in far if user in known)))
        elif member.modifiers & Modifier.PRIVATE:
            inside = self._loading.get((ref.path, name))
            if inside is None:
                inside = self._loading[ref.path, name] = self._loading_among(users.members, name)
            loading = inside.get(ref, ())
        for user in loading:
            self.program.meter.spend()
            context = Context.of(self.program, user)
            indices = loaded(context, name).get(ref, [])
            found.extend((self._opened(user), index) for index in indices)
        return users.places(found)

    def callers(self, ref: MemberRef) -> Places:
        """Return the calls of a method."""
        found = self._callers.get(ref)
        if found is None:
            found = self._find_callers(ref)
            self._callers[ref] = found
        return found

    def _find_callers(self, ref: MemberRef) -> Places:
        program = self.program
        member = program.member(ref)
        users = self._users(ref, member)
        targets = [ref]
        if member.kind == "method" and not program.is_static(ref):
            targets += [
                other
                for other in program.overridden(ref)
                if program.member(other).key == member.key
            ]
        found: list[tuple[Code, int]] = []
        key = (member.name, ref.owner if member.kind == "constructor" else "")
        if member.modifiers & Modifier.PRIVATE and member.kind == "method":
            inside = self._private.get((ref.path, member.name))
            if inside is None:
                inside = self._meant(users.members, member.name)
                self._private[ref.path, member.name] = inside
            meant = inside
        else:
            if member.kind == "method":
                # One order for all methods of a name, whoever asks first.
                first = program.users(member.name)[: self._most]
                users = users._replace(members=list(first), near=frozenset())
            known = self._by_target.get(key)
            meant = known if known is not None else self._meant(users.members, member.name)
            self._by_target[key] = meant
        for target in targets:
            for user, index in meant.calls.get(target, ()):
                code = self._opened(user)
                if target == ref or not _runs_it_alone(code.code, index):
                    found.append((code, index))
        return users.places(found)

    def _meant(self, users: Iterable[MemberRef], name: str) -> Meant:
        """Return what the calls of methods of one name in some members mean."""
        found: dict[MemberRef, list[tuple[MemberRef, int]]] = {}
        for user in users:
            context = Context.of(self.program, user)
            self.program.meter.spend()
            for index in named_calls(context).get(name, ()):
                self.program.meter.spend()
                for target in context.targets(index)[:1]:
                    found.setdefault(target, []).append((user, index))
        return Meant(found, frozenset(user for uses in found.values() for user, _ in uses))


def _runs_it_alone(code: Sequence[ir.Instr], index: int) -> bool:
    """Tell whether a call is ``super.m()``, which runs no method that overrides the one it means."""
    call = code[index]
    if not isinstance(call, ir.Call) or call.object == NONE:
        return False
    receiver = code[call.object]
    return isinstance(receiver, ir.This) and receiver.qualifier == "super"


class Run:
    """One value being followed."""

    def __init__(self, uses: Uses, passes: Passes | None = None) -> None:
        self.uses = uses
        self.passes = passes
        self.program = uses.program
        self.queue: deque[ToValue] = deque()
        self.seen: set[tuple[MemberRef, int, tuple[Frame, ...]]] = set()
        self.same: set[tuple[MemberRef, int]] = set()
        self.fields: set[MemberRef] = set()
        self.methods: set[MemberRef] = set()
        self.found: dict[Use, None] = {}
        self.passed: dict[tuple[str, str, Relation], Passed] = {}
        self.open = False
        self.offered = False
        """Whether members that hold the value are open to code outside of the program."""
        self.files: set[str] = set()
        self.names: set[str] = set()

    def finish(self, enough: Enough | None) -> Followed:
        """Work the list off."""
        steps = 0
        step = self.uses.transfer.step
        done = cut = False
        while self.queue and not done:
            steps += 1
            self.program.meter.spend(_FOLLOWED)
            if steps > STEPS:
                cut = True
                break
            item = self.queue.popleft()
            for happening in step(item.code, item.index, item.trace):
                if isinstance(happening, Use):
                    self.found[happening] = None
                    done = done or (enough is not None and enough(happening))
                else:
                    self.visit(happening)
        within = not (self.open or done or cut or self._unseen())
        self.open = self.offered or not within
        return Followed(
            tuple(self.found),
            tuple(self.passed.values()),
            frozenset((ref, index) for ref, index, _ in self.seen),
            self.open,
            cut,
            frozenset(self.files),
            frozenset(self.names),
            frozenset(self.same),
            done,
            within,
        )

    def _unseen(self) -> bool:
        """Tell whether a value without uses may have some that are not written, or not yet."""
        if self.open or self.offered or any(use.role is not Role.CAST for use in self.found):
            return False
        if any(self.program.files[path].problems for path in self.files):
            return True
        return any(self.uses.hidden.may_be_used(ref) for ref in (*self.fields, *self.methods))

    def visit(self, move: Move) -> None:
        match move:
            case ToValue():
                self._value(move)
            case ToLocal():
                self._local(move)
            case ToField():
                self._field(move.ref, move.trace)
            case ToParameter():
                self._parameter(move)
            case ToCallers():
                self._callers(move)

    def _value(self, move: ToValue) -> None:
        key = (move.code.ref, move.index, move.trace.stack)
        if key not in self.seen:
            self.seen.add(key)
            if self.passes is not None and not self.passes(move.code, move.index):
                return
            if move.trace.relation is Relation.SAME:
                self.same.add(key[:2])
            self.files.add(move.code.ref.path)
            self.queue.append(move)

    def _pass(self, ref: MemberRef, name: str, type_: str, trace: Trace) -> None:
        key = (name, type_, trace.relation)
        if key not in self.passed:
            resolved = self.program.resolve(type_, ref.path, ref.owner) if type_ else None
            self.passed[key] = Passed(name, resolved, trace)

    def _local(self, move: ToLocal) -> None:
        code, at = move.code, move.at
        if move.up:
            outer = code.context.outer(move.up)
            if outer is None:
                self.open = True
                return
            code, at = self.uses.code(outer.ref), ENTRY
        self._spread(code, move.slot, at, move.trace, everywhere=bool(move.up))

    def _spread(self, code: Code, slot: int, at: int, trace: Trace, everywhere: bool) -> None:
        body_locals = code.context.body.locals
        if not 0 <= slot < len(body_locals):
            return
        self._pass(code.ref, body_locals[slot].name, body_locals[slot].type, trace)
        loads = code.loads.get(slot, ()) if everywhere else code.reached(slot, at)
        self.program.meter.spend(len(loads))
        for load in loads:
            self._value(ToValue(code, load, trace))
        self._captured(code, slot, 1, code, trace)

    def _captured(self, owner: Code, slot: int, up: int, around: Code, trace: Trace) -> None:
        if up > 3:
            self.open = True
            return
        for ref in around.inner():
            inner = self.uses.code(ref)
            for load in inner.captures.get((slot, up), ()):
                self._value(ToValue(inner, load, trace))
            self._captured(owner, slot, up + 1, inner, trace)

    def _crossed(self, trace: Trace, stack: tuple[Frame, ...]) -> Trace | None:
        if trace.hops >= HOPS:
            self.open = True
            return None
        return trace._replace(hops=trace.hops + 1, stack=stack)

    def _field(self, ref: MemberRef, trace: Trace) -> None:
        if ref in self.fields:
            return
        crossed = self._crossed(trace, ())
        if crossed is None:
            return
        self.fields.add(ref)
        member = self.program.member(ref)
        self._pass(ref, member.name, member.type, trace)
        loads = self.uses.loads(ref)
        self.names.add(member.name)
        self.open = self.open or not loads.complete
        self.offered = self.offered or not member.modifiers & Modifier.PRIVATE
        self.files |= loads.files
        self.program.meter.spend(len(loads.found))
        for code, index in loads.found:
            self._value(ToValue(code, index, crossed))

    def enter(self, ref: MemberRef, slot: int, trace: Trace) -> None:
        """Follow a parameter inside a method."""
        member = self.program.member(ref)
        self.files.add(ref.path)
        slot = min(slot, len(member.params) - 1)
        if slot < 0 or member.modifiers & Modifier.ABSTRACT:
            self.open = True
            return
        code = self.uses.code(ref)
        if not code.code and member.kind == "method":
            private = member.modifiers & Modifier.PRIVATE
            known = (
                not may_be_native(self.program, ref) if private else self.program.overriders(ref)
            )
            self.open = self.open or not known
            return
        self._spread(code, slot, ENTRY, trace, everywhere=False)

    def _parameter(self, move: ToParameter) -> None:
        stack = move.trace.stack
        if len(stack) >= STACK:
            self.open = True
            return
        crossed = self._crossed(move.trace, (*stack, Frame(move.code.ref, move.index)))
        if crossed is None:
            return
        member = self.program.member(move.ref)
        closed = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL
        if member.kind != "constructor" and not member.modifiers & closed:
            self.open = True
        last = len(member.params) - 1
        if member.varargs and move.slot >= last and not self._spreads(move, last):
            crossed = crossed.away(Relation.PIECE)
        self.enter(move.ref, move.slot, crossed)

    @staticmethod
    def _spreads(move: ToParameter, last: int) -> bool:
        """Tell whether an argument is itself the array of a variable number of them."""
        call = move.code.code[move.index]
        args = call.args if isinstance(call, (ir.Call, ir.New)) else ()
        if len(args) != last + 1:
            return False
        type_ = move.code.context.type_of(args[last])
        return type_ is not None and type_.name == ARRAY

    def _callers(self, move: ToCallers) -> None:
        trace, ref = move.trace, move.code.ref
        if trace.stack:
            frame = trace.stack[-1]
            back = trace._replace(stack=trace.stack[:-1])
            self._value(ToValue(self.uses.code(frame.ref), frame.call, back))
            return
        crossed = self._crossed(trace, ())
        if crossed is None:
            return
        member = self.program.member(ref)
        self._pass(ref, member.name, member.type, trace)
        users = self.uses.callers(ref)
        callers, complete = users.found, users.complete
        self.names.add(member.name)
        self.methods.add(ref)
        private = member.modifiers & Modifier.PRIVATE
        # Nobody calls a private method by itself: a library may, by its name.
        self.offered = self.offered or not private
        if not complete or not callers or len(callers) > CALLERS:
            self.open = self.open or not complete or len(callers) > CALLERS or bool(private)
            self.offered = True
            if not callers:
                self.found[Use(ref, -1, Role.RETURNED, trace, -1)] = None
        self.files |= users.files
        for code, index in callers[:CALLERS]:
            self._value(ToValue(code, index, crossed))
