"""Follows a class token or an object back to the project classes it can be, over any number of methods.

Terms
    token    a ``Class``, or what carries one (a type token, a constructor, a library's type description)
    object   a value whose own class is asked for
    prefix   the text in front of the members' names, in terms of the member that the walk is in; it is
             filled in at each call on the way up, so each class keeps the prefix of its own call
    carried  a value that goes up with the walk for as long as it is a parameter, such as the object that holds
             the values: so each class keeps that of its own call, too

Inside a body a value is followed through locals, casts, choices and what project methods return
(``Local``), then up through parameters to callers, and from fields to what is stored there.
Where a walk starts below calls that are already known (``at``), it goes up through these and no others.
Bounded by ``HOPS`` calls on the way up; each value spends a step of the program's budget (``base.budget``).
Absent: what calls bind (``binding``), what is done with the members of the class (``reflection``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.constant_arguments import Reach
from conflens.options.origins.tokens import (
    CONSTRUCTOR,
    elements,
    handed,
    holds_tokens,
    is_apart,
    is_factory,
    is_token,
    put_into,
)
from conflens.program.body_uses import MADE, called, loads
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    UNKNOWN,
    Captured,
    Param,
    Part,
    SelfField,
    Templates,
    concat,
    known_text,
    substitute,
)
from conflens.program.trail import used
from conflens.program.values import Values

HOPS = 10
_USERS = 300
"""Members that call a method by name and can see its class, up to which they are looked at."""
_MANY = f"more than {_USERS} members may call this method, of which only these are looked at for options and their names"
_ALL_USERS = 40
_DEPTH = 12
_OVERRIDERS = 8
_TOKENS = 200
"""Overriding methods that are looked at: those that return no more than a class literal, up to the second number."""

Mode = Literal["token", "object"]
Call = tuple[Context, int, tuple[int, ...]]
Value = tuple[Context, int]
Keyed = Callable[[Context, int], tuple[Value, Value] | None]


class _Hole(NamedTuple):
    """What a value depends on outside its body: a parameter of ``context``, or a field."""

    context: Context
    slot: int
    field: MemberRef | None
    mode: Mode


class _Origin(NamedTuple):
    """``types`` are certain; ``declared`` are the types that stand there if nothing better is found."""

    types: frozenset[str]
    declared: frozenset[str]
    holes: tuple[_Hole, ...]


class _State(NamedTuple):
    context: Context
    value: int
    mode: Mode
    prefix: Templates
    hops: int
    carried: Value | None = None


class Bound(NamedTuple):
    """A class that a value stands for, where that is seen: the prefix, the value and what it carries are of ``context``
    (what is carried of another body, if it came from no parameter there)."""

    type: str
    prefix: Templates
    context: Context
    value: int
    carried: Value | None


_ALL: Mapping[MemberRef, Call | None] = MappingProxyType({})
_NOTHING = _Origin(frozenset(), frozenset(), ())
NO_PREFIX: Templates = (("",),)


class Tracer:
    """Follows values in one program."""

    def __init__(self, values: Values, chosen: Mapping[MemberRef, Call | None] = _ALL) -> None:
        """Follow in the program of ``values``; of the members in ``chosen`` only that one call counts, or none."""
        self.values = values
        self.program: Program = values.program
        self.chosen = chosen
        self.own_trees = values.models.own_trees if values.models is not None else frozenset()
        self._reach = Reach(self.program)
        self._busy: set[object] = set()

    def at(self, chosen: Mapping[MemberRef, Call | None]) -> Tracer:
        """Return a tracer for which the members in ``chosen`` are called there only."""
        found = Tracer(self.values, chosen)
        found._reach = self._reach
        return found

    def classes(
        self, context: Context, value: int, mode: Mode, prefix: Templates = NO_PREFIX
    ) -> list[tuple[str, Templates]]:
        """Return the project classes that a value stands for, each with the prefix of its call."""
        found = self.traced(context, value, mode, prefix)
        return list(dict.fromkeys((one.type, one.prefix) for one in found))

    def traced(
        self,
        context: Context,
        value: int,
        mode: Mode,
        prefix: Templates = NO_PREFIX,
        carried: Value | None = None,
        keyed: Keyed | None = None,
    ) -> list[Bound]:
        """Return the project classes that a value stands for, and where each is seen.

        ``keyed`` tells the key and the carrier of the lookup that gives a value: wherever one gives what is carried, its
        key goes in front of the prefix, and its carrier is carried from there on.
        """
        certain: dict[Bound, None] = {}
        declared: dict[Bound, None] = {}
        queue = [_State(context, value, mode, prefix, 0, carried)]
        seen: set[object] = set()
        while queue:
            state = queue.pop()
            held = (state.carried[0].ref, state.carried[1]) if state.carried is not None else None
            key = (state.context.ref, state.value, state.mode, state.prefix, held)
            if key in seen:
                continue
            seen.add(key)
            if keyed is not None:
                state = self._keyed(state, keyed)
            origin = self._origin(state.context, state.value, state.mode, 0)
            place = (state.prefix, state.context, state.value, state.carried)
            for type_ in sorted(origin.types):
                certain[Bound(type_, *place)] = None
            for type_ in sorted(origin.declared):
                declared[Bound(type_, *place)] = None
            if state.hops < HOPS:
                for hole in origin.holes:
                    queue.extend(self._outside(state, hole))
        return list(certain or declared)

    def _keyed(self, state: _State, keyed: Keyed) -> _State:
        """Return a state in which what is carried is looked up nowhere."""
        for _ in range(_DEPTH):
            found = keyed(*state.carried) if state.carried is not None else None
            if found is None:
                break
            (place, key), carrier = found
            text = self.values.of(place, key)
            if place.ref != state.context.ref and known_text(text) is None:
                text = UNKNOWN
            if state.prefix != NO_PREFIX:
                text = concat(concat(text, ((".",),)), state.prefix)
            state = state._replace(prefix=text, carried=carrier)
        return state

    # -- inside a body ---------------------------------------------------------------------------

    def _origin(self, context: Context, value: int, mode: Mode, depth: int) -> _Origin:
        key = ("origin", context.ref, value, mode)
        if value == NONE or depth > _DEPTH or key in self._busy:
            return _NOTHING
        self.program.meter.spend()
        self._busy.add(key)
        try:
            return self._find(context, value, mode, depth + 1)
        finally:
            self._busy.discard(key)

    def _find(self, context: Context, value: int, mode: Mode, depth: int) -> _Origin:
        instr = context.code[value]
        match instr:
            case ir.ClassLiteral():
                return self._types(self._named(context, instr.type) if mode == "token" else ())
            case ir.New():
                if mode == "object":
                    return self._types(self._named(context, instr.type)[:1])
                inner = instr.type.partition("<")[2].removesuffix(">")
                named = self._named(context, inner) if inner else []
                return self._types(named) if named else self._given(context, value, instr, depth)
            case ir.Cast():
                cast = _Origin(frozenset(), self._declared(context, value, mode), ())
                return _joined((self._origin(context, instr.value, mode, depth), cast))
            case ir.NewArray():
                made = instr.values if mode == "token" else ()
                return _joined(self._origin(context, one, mode, depth) for one in made)
            case ir.Choice():
                return _joined(
                    self._origin(context, arm, mode, depth) for arm in (instr.then, instr.other)
                )
            case ir.This():
                return self._types(self._own(context.ref.owner) if mode == "object" else ())
            case ir.Load():
                return self._local(context, instr, mode, depth)
            case ir.Name() | ir.Field():
                field = context.field_of(value)
                holes = (_Hole(context, NONE, field, mode),) if field is not None else ()
                return _Origin(frozenset(), self._declared(context, value, mode), holes)
            case ir.Call():
                return self._call(context, value, instr, mode, depth)
            case _:
                return _NOTHING

    def _local(self, context: Context, load: ir.Load, mode: Mode, depth: int) -> _Origin:
        place = context
        if load.up:
            outer = context.outer(load.up)
            if outer is None:
                return _NOTHING
            place = outer
        if not 0 <= load.slot < len(place.body.locals):
            return _NOTHING
        key = ("origin of a local", place.ref, load.slot, mode)
        if key in self._busy:
            return _NOTHING
        self._busy.add(key)
        try:
            found = [
                self._origin(place, instr.value, mode, depth)
                for instr in place.stores(load.slot)
                if not instr.up
            ]
        finally:
            self._busy.discard(key)
        declared: frozenset[str] = frozenset()
        if not self._is_variable(place, place.body.locals[load.slot].type):
            type_ = place.local_type(load.slot)
            declared = self._of_type(type_.name if type_ is not None else "", mode)
        holes: tuple[_Hole, ...] = ()
        if place.is_parameter(load.slot):
            holes = (_Hole(place, load.slot, None, mode),)
        if mode == "token":
            put = [*handed(place, load.slot), *elements(place, loads(place, load.slot))]
            found += [self._origin(place, value, mode, depth) for value in put]
        return _joined([_Origin(frozenset(), declared, holes), *found])

    def _call(
        self, context: Context, value: int, call: ir.Call, mode: Mode, depth: int
    ) -> _Origin:
        targets = context.targets(value)
        if targets:
            made = [
                self._returned(context, call, target, mode, depth)
                for target in (targets[0], *self._overriders(targets[0], mode))
            ]
            return _joined([*made, _Origin(frozenset(), self._declared(context, value, mode), ())])
        if mode == "object":
            if call.name == "newInstance":
                return self._origin(context, call.object, "token", depth)
            if call.name in ("cast", "requireNonNull") and call.args:
                return self._origin(context, call.args[0], mode, depth)
            return _Origin(frozenset(), self._declared(context, value, mode), ())
        if call.name == "getClass" and not call.args:
            if call.object == NONE:
                return self._types(self._own(context.ref.owner))
            return self._origin(context, call.object, "object", depth)
        return self._given(context, value, call, depth)

    def _overriders(self, ref: MemberRef, mode: Mode) -> Iterator[MemberRef]:
        """Yield the overriding methods whose results count."""
        for number, other in enumerate(self.values.asking.overriders(ref)[:_TOKENS]):
            if number < _OVERRIDERS or (mode == "token" and self.literal(other)):
                yield other

    def literal(self, ref: MemberRef) -> str:
        """Return the project class whose literal is all that a method returns; else nothing."""
        context = self.values.open(ref)
        made = [instr for instr in context.code if isinstance(instr, ir.Return)]
        if len(made) != 1 or made[0].value == NONE or len(context.code) > _DEPTH:
            return ""
        literal = context.code[made[0].value]
        if not isinstance(literal, ir.ClassLiteral):
            return ""
        return next(iter(self._named(context, literal.type)), "")

    def _given(self, context: Context, value: int, call: ir.Call | ir.New, depth: int) -> _Origin:
        """Return what a library makes a token, or a collection of tokens, from: those among its arguments, or its receiver."""
        found = []
        many = is_factory(context, call)
        for arg in call.args:
            if isinstance(context.code[arg], ir.ClassLiteral) and not many:
                return self._origin(context, arg, "token", depth)
            if holds_tokens(context.type_of(arg)):
                found.append(self._origin(context, arg, "token", depth))
        if isinstance(call, ir.Call) and call.object != NONE:
            type_ = context.receiver_type(call)
            made = context.type_of(value)
            if made is not None and type_ is not None and is_token(type_) and is_apart(made):
                return _NOTHING
            if holds_tokens(type_) or (type_ is not None and type_.name == CONSTRUCTOR):
                found.append(self._origin(context, call.object, "token", depth))
        return _joined(found)

    def _returned(
        self, context: Context, call: ir.Call, target: MemberRef, mode: Mode, depth: int
    ) -> _Origin:
        """Return what a project method returns, its parameters replaced by the arguments of a call."""
        inner = self.values.open(target)
        found = []
        for instr in inner.code:
            if not isinstance(instr, ir.Return) or instr.kind != "return":
                continue
            origin = self._origin(inner, instr.value, mode, depth)
            found.append(_Origin(origin.types, frozenset(), ()))
            for hole in origin.holes:
                if hole.field is not None:
                    found.append(_Origin(frozenset(), frozenset(), (hole,)))
                elif hole.context.ref == target and hole.slot < len(call.args):
                    arg = call.args[hole.slot]
                    found.append(self._origin(context, arg, hole.mode, depth))
        return _joined(found)

    # -- outside ---------------------------------------------------------------------------------

    def _outside(self, state: _State, hole: _Hole) -> Iterator[_State]:
        if hole.field is not None:
            for place, store in self.values.stores(hole.field):
                prefix = self._at_store(place, state.prefix)
                yield _State(place, store.value, hole.mode, prefix, state.hops + 1, state.carried)
            if hole.mode == "token":
                for place, value in put_into(self.values, hole.field):
                    yield _State(place, value, hole.mode, state.prefix, state.hops + 1, None)
            return
        inside = state.context.ref == hole.context.ref
        chosen = hole.context.ref in self.chosen
        for caller, value, args in self.callers(hole.context.ref):
            if hole.slot < len(args):
                prefix = state.prefix if inside else _lifted(state.prefix)
                # On a way that was chosen the prefix is that of its end.
                prefix = state.prefix if chosen else self._at_call(caller, value, args, prefix)
                carried = _lift(state.carried, hole.context.ref, caller, args)
                yield _State(caller, args[hole.slot], hole.mode, prefix, state.hops + 1, carried)

    def _at_call(
        self, caller: Context, value: int, args: tuple[int, ...], prefix: Templates
    ) -> Templates:
        instr = caller.code[value]
        receiver = instr.object if isinstance(instr, ir.Call) else NONE
        return substitute(prefix, lambda part: self.values.filled(caller, receiver, args, part))

    def _at_store(self, place: Context, prefix: Templates) -> Templates:
        """Return a prefix in terms of a member that assigns the object's fields."""

        def fill(part: Part) -> Templates:
            if isinstance(part, SelfField):
                for instr in place.code:
                    if isinstance(instr, ir.StoreField) and instr.name == part.name:
                        return self.values.of(place, instr.value)
                return self.values.expand(part, 0)
            return UNKNOWN

        return substitute(prefix, fill)

    def callers(self, ref: MemberRef, *, judged: bool = False) -> list[Call]:
        """Return the calls of a method or constructor, also where many others share its name.

        ``judged``: the caller judges an object by a sample of its calls, so no bound is reported if there are more.
        """
        if ref in self.chosen:
            call = self.chosen[ref]
            return [call] if call is not None else []
        key = ("calls", ref)
        found, whole = self.values.trail.remembered(key, lambda: self._callers(ref))
        if not whole and not judged:
            self.values.cut(ref, _MANY)
        return found

    def _callers(self, ref: MemberRef) -> tuple[list[Call], bool]:
        """Return the calls, and whether these are all."""
        program, member = self.program, self.program.member(ref)
        made = member.kind == "constructor"
        if made:
            name = ref.owner.rpartition(".")[2]
            users: Iterable[MemberRef] = self.values.asking.mentions(name)
            wanted = {ref}
        else:
            name = member.name
            users = self.values.asking.users(name)
            wanted = {ref, *self.values.asking.overridden(ref)}
        owners = {one.owner for one in wanted}
        owners |= {sub for owner in owners for sub in program.all_subtypes(owner)}
        if made:
            users = (
                *users,
                *(init for sub in owners for init in program.own_methods(sub).get("<init>", ())),
                *(
                    field
                    for field in program.own_fields(ref.owner).values()
                    if program.member(field).kind == "enum_constant"
                ),
            )
        users = tuple(dict.fromkeys(users))
        if len(users) > _ALL_USERS:
            self.values.trail.names.add(used(name))
            types = tuple(sorted(owners))
            users = tuple(
                user
                for user in users
                if user.path == ref.path or self._reach.can(user.path, types)
            )
        found: list[Call] = []
        for user in users[:_USERS]:
            context = self.values.open(user)
            for number, instr in (
                called(context, "<init>", MADE) if made else called(context, name)
            ):
                if not wanted.isdisjoint(context.targets(number)):
                    found.append((context, number, instr.args))
        return found, len(users) <= _USERS

    # -- types -----------------------------------------------------------------------------------

    def _named(self, context: Context, text: str) -> list[str]:
        """Return the project types in a type text, the outermost first."""
        if self._is_variable(context, text):
            return []
        queue = [self.program.resolve(text, context.ref.path, context.ref.owner)]
        found = []
        while queue:
            current = queue.pop(0)
            found += sorted(self._of_type(current.name, "object"))
            queue.extend(current.args)
        return found

    def _of_type(self, name: str, mode: Mode) -> frozenset[str]:
        info = self.program.type(name) if mode == "object" else None
        if info is None or info.decl.kind not in ("class", "record", "interface"):
            return frozenset()
        return frozenset((name,))

    def _declared(self, context: Context, value: int, mode: Mode) -> frozenset[str]:
        type_ = context.type_of(value) if mode == "object" else None
        return self._of_type(type_.name if type_ is not None else "", mode)

    def _own(self, owner: str) -> list[str]:
        """Return the classes that ``this`` can be of."""
        info = self.program.type(owner)
        if info is None or not info.decl.name:
            return []
        own = [] if info.decl.modifiers & Modifier.ABSTRACT else [owner]
        return [*own, *self.program.all_subtypes(owner)]

    def _is_variable(self, context: Context, text: str) -> bool:
        """Tell whether a type text is a type variable in scope."""
        names = {param.name for param in context.member.type_params}
        owner = context.ref.owner
        while owner and (info := self.program.type(owner)) is not None:
            names |= {param.name for param in info.decl.type_params}
            owner = info.outer
        if text.startswith(("Class<", "java.lang.Class<")):
            text = text.partition("<")[2].removesuffix(">").removeprefix("? extends ")
        return text in names

    @staticmethod
    def _types(types: list[str] | tuple[str, ...]) -> _Origin:
        return _Origin(frozenset(types), frozenset(), ())


def _joined(origins: Iterable[_Origin]) -> _Origin:
    types: set[str] = set()
    declared: set[str] = set()
    holes: dict[_Hole, None] = {}
    for origin in origins:
        types |= origin.types
        declared |= origin.declared
        holes.update(dict.fromkeys(origin.holes))
    return _Origin(frozenset(types), frozenset(declared), tuple(holes))


def _lifted(prefix: Templates) -> Templates:
    """Return a prefix of a class inside a member in terms of that member."""

    def fill(part: Part) -> Templates:
        return ((Param(part.slot),),) if isinstance(part, Captured) else UNKNOWN

    return substitute(prefix, fill)


def root(context: Context, value: int) -> int:
    """Return what a value is behind casts and locals that are assigned once."""
    for _ in range(_DEPTH):
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Cast):
            value = instr.value
        elif isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
            stores = context.stores(instr.slot, 2)
            if len(stores) != 1 or stores[0].up:
                break
            value = stores[0].value
        else:
            break
    return value


def _lift(
    carried: Value | None, ref: MemberRef, caller: Context, args: tuple[int, ...]
) -> Value | None:
    """Return what a value of the called member is in terms of the caller."""
    if carried is None or carried[0].ref != ref:
        return carried
    context, value = carried
    instr = context.code[root(context, value)]
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return (caller, args[instr.slot]) if instr.slot < len(args) else None
    return carried
