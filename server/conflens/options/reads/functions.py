"""References to methods that read options: ``System::getenv``, ``config::getInt``, and where they are called.

A reference is called where code calls the function that it is kept in (``applied``): a variable or a field, also one that a
constructor is given.  A method of the project that is passed a reference calls it with what it makes of its own parameters
(``told``); then the call that passes it is the read, and what that method goes on with where there is no value is the default.
Absent: functions that are stored in collections or passed on through a second method; lambdas (``elements``, where their parameters are told).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.reads.fallbacks import Fallbacks
from conflens.options.sites import Api
from conflens.program.body_uses import calls_with, loads, takers
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import UNKNOWN, Param, Part, Templates, substitute
from conflens.program.values import Values

APPLIED = frozenset({"apply", "applyAsInt", "applyAsLong", "applyAsDouble", "test"})
"""The methods of the JDK's functions that take arguments and give something back."""
_TEXTS = frozenset({"java.lang.String", "java.lang.Object", "void"})
_FUNCTIONS = "java.util.function."
_STORES = 4
_CALLERS = 16
_MANY = (
    "more functions may be called here than are looked at: what the others read is not analysed"
)
_HOPS = 4
_STEPS = 8
"""What it costs to fill one call of a function with what a caller passes."""


class Reference(NamedTuple):
    """A reference to a method, and the body that it stands in."""

    context: Context
    value: int
    instr: ir.MethodRef


class Told(NamedTuple):
    """A call that is passed a reference, and what the called method calls that with."""

    call: int
    arguments: tuple[Templates, ...]
    given: tuple[int, ...]
    """For each, the argument of ``call`` that it is, if it is one as it stands."""
    target: MemberRef
    value: int
    """The call in ``target``."""


class Functions:
    """Follows functions of one program."""

    def __init__(self, values: Values, fallbacks: Fallbacks) -> None:
        """Follow in the program of ``values``."""
        self._values = values
        self._program = values.program
        self._fallbacks = fallbacks

    def applied(self, context: Context, call: ir.Call) -> Iterator[Reference]:
        """Yield the references that a call of a function's method can run."""
        if call.object == NONE or not call.args:
            return
        type_ = context.receiver_type(call)
        if type_ is not None and type_.name.startswith(_FUNCTIONS):
            yield from self._kept(context, call.object, 0)

    def _kept(self, context: Context, value: int, hops: int) -> Iterator[Reference]:
        """Yield the references that a value can be."""
        self._program.meter.spend()
        instr = context.code[value] if value != NONE and hops < _HOPS else None
        match instr:
            case ir.MethodRef():
                yield Reference(context, value, instr)
            case ir.Cast():
                yield from self._kept(context, instr.value, hops + 1)
            case ir.Choice():
                yield from self._kept(context, instr.then, hops + 1)
                yield from self._kept(context, instr.other, hops + 1)
            case ir.Load(up=0):
                for store in context.stores(instr.slot, _STORES):
                    yield from self._kept(context, store.value, hops + 1)
                if hops and context.is_parameter(instr.slot):
                    yield from self._passed(context, instr.slot, hops)
            case ir.Name() | ir.Field():
                field = context.field_of(value)
                for inner, kept in self._stores(field) if field else ():
                    yield from self._kept(inner, kept.value, hops + 1)
            case _:
                return

    def _stores(self, field: MemberRef) -> Sequence[tuple[Context, ir.StoreField]]:
        return self._values.first(self._values.stores(field), _STORES, field, _MANY)

    def _passed(self, context: Context, slot: int, hops: int) -> Iterator[Reference]:
        """Yield the references that a constructor is given."""
        if context.member.kind != "constructor":
            return
        calls = self._values.callers(context.ref)
        for caller, _, args in self._values.first(calls, _CALLERS, context.ref, _MANY):
            if slot < len(args):
                yield from self._kept(caller, args[slot], hops + 1)

    def owner(self, reference: Reference) -> str | None:
        """Return the type whose method is meant."""
        context, _, instr = reference
        found = context.owner_of(instr.object) if instr.object != NONE else None
        if found is None and instr.type:
            text = instr.type.partition("<")[0]
            type_ = self._program.resolve_name(text, context.ref.path, context.ref.owner)
            found = type_.name if type_ is not None else None
        return found

    def targets(self, reference: Reference, count: int) -> list[MemberRef]:
        """Return the project methods that a reference can mean where it is called with ``count`` arguments."""
        owner = self.owner(reference)
        if owner is None or self._program.type(owner) is None:
            return []
        return self._program.methods(owner, reference.instr.name, count)[:1]

    def gives(self, target: MemberRef) -> bool:
        """Tell whether a method of the project gives something back."""
        return self._program.member(target).type != "void"

    def result(self, target: MemberRef) -> str:
        """Return the type that a method of the project returns, if it is more than a text."""
        type_ = self._program.return_type(target)
        return "" if type_ is None or type_.name in _TEXTS else type_.text()

    def told(self, reference: Reference) -> Iterator[Told]:
        """Yield the calls that pass a reference, itself or from a variable, to a method of the project that calls it."""
        context, number, _ = reference
        stored = (context.code[taker] for taker in takers(context, number))
        kept = {store.slot for store in stored if isinstance(store, ir.Store) and not store.up}
        values = {number, *(load for slot in sorted(kept) for load in loads(context, slot))}
        for index, call in calls_with(context, values):
            for slot, arg in enumerate(call.args):
                if arg in values:
                    yield from self._told(context, index, call, slot)

    def _told(self, context: Context, index: int, call: ir.Call, slot: int) -> Iterator[Told]:
        targets = context.targets(index)
        if len(targets) != 1 or self._values.asking.overriders(targets[0]):
            return
        asked = self._values.trail.remembered(
            ("asked of a function", targets[0], slot), partial(self._asked, targets[0], slot)
        )
        for value, made in asked:
            self._program.meter.spend(_STEPS)
            given = tuple(_given(call.args, templates) for templates in made)
            filled = tuple(self._filled(context, call, templates) for templates in made)
            yield Told(index, filled, given, targets[0], value)

    def _asked(
        self, target: MemberRef, slot: int
    ) -> tuple[tuple[int, tuple[Templates, ...]], ...]:
        """Return the calls of the function that a parameter is, and what they pass, in terms of their method."""
        inner = self._values.open(target)
        if slot >= len(inner.member.params) or inner.stores(slot) or inner.member.varargs:
            return ()
        return tuple(
            (value, tuple(self._values.open_of(inner, arg) for arg in one.args))
            for value, one in calls_with(inner, loads(inner, slot))
            if one.args
            and isinstance(
                asked := inner.code[one.object] if one.object != NONE else None, ir.Load
            )
            and not asked.up
            and asked.slot == slot
        )

    def _filled(self, context: Context, call: ir.Call, templates: Templates) -> Templates:
        def fill(part: Part) -> Templates:
            return self._values.open_filled(context, call.object, call.args, part)

        return substitute(templates, fill)

    def default(self, context: Context, told: Told) -> Templates | None:
        """Return what the method that calls a reference goes on with where that gives nothing."""
        inner = self._values.open(told.target)
        one = inner.code[told.value]
        call = context.code[told.call]
        assert isinstance(one, ir.Call)
        assert isinstance(call, ir.Call)
        names = self._values.open_of(inner, one.args[0])
        taken = frozenset(part for template in names for part in template)
        found = self._fallbacks.of_value(inner, told.value, names, taken)
        return self._filled(context, call, found) if found is not None else None


def _given(args: tuple[int, ...], templates: Templates) -> int:
    """Return the argument that templates are as it stands."""
    only = templates[0] if len(templates) == 1 else ()
    if len(only) == 1 and isinstance(only[0], Param) and not only[0].name:
        slot = only[0].slot
        return args[slot] if slot < len(args) else NONE
    return NONE


def plain(api: Api) -> bool:
    """Tell whether a wrapper takes its name from its arguments alone."""
    return all(isinstance(part, (str, Param)) for parts in api.names for part in parts)


def put(templates: Templates, arguments: tuple[Templates, ...]) -> Templates:
    """Return a wrapper's templates with what a reference to it is called with."""

    def fill(part: Part) -> Templates:
        if isinstance(part, Param):
            return arguments[part.slot] if part.slot < len(arguments) else UNKNOWN
        return ((part,),)

    return substitute(templates, fill)
