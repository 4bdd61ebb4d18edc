"""Which expression made a member of a constant object: through constructors, factories and builder chains.

An ``Origin`` is an expression together with the call that the code around it serves, so that the parameters in it
stand for arguments elsewhere.  ``Origins.field`` goes from an object to the expression that one of its fields was
given: the argument of a ``new``, of a factory, of a call in a chain that returns its own receiver; ``settled``
follows an expression to where it is written.  ``Objects`` evaluates to texts and keeps holes; here a constant is
given, and what is wanted is the expression, for its type, its place and what it holds.

Absent: objects that are no constants; fields that different paths through a constructor assign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.asking import Asking
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    CONSTANT,
    UNKNOWN,
    Param,
    Part,
    SelfField,
    Templates,
    substitute,
)

STEPS = 400
"""Expressions visited for one member of one object; a chain of builder calls takes one for each."""

_OVERRIDERS = 20
"""Methods that override a step of a chain and are looked at."""
ASSIGNMENTS = 8
"""Assignments of one method to one field among which that of a parameter is looked for."""

DEPTH = 12
"""Objects within objects, and calls within calls."""


class Evaluator(Protocol):
    """What evaluates expressions and notes what was looked at: ``objects.Objects``."""

    @property
    def asking(self) -> Asking:
        """Who uses a name, and what overrides a method."""
        ...

    def open(self, ref: MemberRef) -> Context:
        """Return the context of a member."""
        ...

    def of(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the value of an expression can be."""
        ...

    def lasting(self, ref: MemberRef) -> bool:
        """Tell whether a static field keeps the value that it is declared with."""
        ...


class Frame(NamedTuple):
    """A call: where it is written, its receiver or the new object, its arguments, the call around it.

    ``own``: the call names no receiver, and is made on the object that the code around it runs on.
    """

    context: Context
    receiver: int
    args: tuple[int, ...]
    outer: Frame | None
    own: bool = False

    @property
    def on(self) -> Origin | None:
        """The object that the called code runs on."""
        frame: Frame | None = self
        while frame is not None and frame.own:
            frame = frame.outer
        if frame is None or frame.receiver == NONE:
            return None
        return Origin(frame.context, frame.receiver, frame.outer)


class Origin(NamedTuple):
    """An expression; ``frame`` is the call that its body serves, ``None`` for an initialiser."""

    context: Context
    value: int
    frame: Frame | None = None

    @property
    def instr(self) -> ir.Instr:
        """The instruction."""
        return self.context.code[self.value]


class Origins:
    """Finds expressions in one program."""

    def __init__(self, program: Program, values: Evaluator) -> None:
        """Look in ``program``; ``values`` evaluate, and note what was looked at."""
        self.program = program
        self.values = values

    def constant(self, ref: MemberRef) -> Origin | None:
        """Return the initial value of an enum constant, or of a static field that keeps it."""
        context = self.values.open(ref)
        name = self.program.member(ref).name
        for instr in reversed(context.code):
            if isinstance(instr, ir.StoreField) and instr.name == name and instr.value != NONE:
                return Origin(context, instr.value)
        return None

    def field(self, origin: Origin, name: str, depth: int = 0) -> Origin | None:
        """Return what was assigned to a field of the object that an expression gives."""
        current: Origin | None = origin
        for _ in range(STEPS):
            self.program.meter.spend()
            if current is None or depth > DEPTH:
                return None
            for step in self.way(current, depth):
                current = step
                changed = self._changed(step, name)
                if changed is not None:
                    return changed
            context, value, frame = current
            instr = current.instr
            if isinstance(instr, ir.New):
                return self._constructed(current, instr, name, depth)
            if isinstance(instr, (ir.Name, ir.Field)):
                ref = context.field_of(value)
                current = (
                    self.constant(ref) if ref is not None and self.values.lasting(ref) else None
                )
                continue
            if not isinstance(instr, ir.Call):
                return None
            target = self._target(context, value)
            if target is None:
                return None
            stored = self._stored(target, name)
            if stored is not None:
                return stored._replace(frame=self._frame(current, instr, target))
            if instr.object != NONE:
                current = Origin(context, instr.object, frame)
            else:
                current = self._frame(current, instr, target).on
        return None

    def settled(self, origin: Origin, depth: int = 0) -> Origin:
        """Return the expression that an expression comes to in the end, see ``way``."""
        last = origin
        for step in self.way(origin, depth):
            last = step
        return last

    def way(self, origin: Origin, depth: int = 0) -> Iterator[Origin]:
        """Yield an expression and those that it only passes on, to where the value is written.

        The way goes over parameters, variables, constants, fields of objects, and methods that only give one thing.
        Enum constants stay, and so do calls that return their own receiver.
        """
        current: Origin | None = origin
        for _ in range(STEPS if depth <= DEPTH else 1):
            if current is None:
                return
            self.program.meter.spend()
            yield current
            context, frame = current.context, current.frame
            instr = current.instr
            match instr:
                case ir.Cast():
                    current = Origin(context, instr.value, frame)
                case ir.This() if frame is not None:
                    current = frame.on
                case ir.Load(up=0):
                    current = self._loaded(current, instr)
                case ir.Name() | ir.Field():
                    current = self._read(current, instr, depth)
                case ir.Call():
                    current = self._given(current, instr)
                case _:
                    return

    def templates(self, origin: Origin, depth: int = 0) -> Templates:
        """Return what an expression can be, its parameters filled in."""
        context, value, frame = origin
        if depth > DEPTH:
            return UNKNOWN

        def fill(part: Part) -> Templates:
            place: Origin | None = None
            if frame is None:
                return UNKNOWN
            if isinstance(part, SelfField) and part.name == CONSTANT:
                return _constant_name(frame, part.owner)
            if isinstance(part, Param) and part.slot < len(frame.args):
                place = Origin(frame.context, frame.args[part.slot], frame.outer)
                if part.name:
                    place = self.field(place, part.name, depth + 1)
            elif isinstance(part, SelfField) and frame.on is not None:
                place = self.field(frame.on, part.name, depth + 1)
            return self.templates(place, depth + 1) if place is not None else UNKNOWN

        return substitute(self.values.of(context, value, depth), fill)

    # -- steps -----------------------------------------------------------------------------------

    @staticmethod
    def _frame(origin: Origin, call: ir.Call, target: MemberRef) -> Frame:
        own = call.object == NONE and not origin.context.program.is_static(target)
        return Frame(origin.context, call.object, call.args, origin.frame, own)

    def _loaded(self, origin: Origin, load: ir.Load) -> Origin | None:
        context, value, frame = origin
        reached = reaching(context, load.slot, value)
        if context.is_parameter(load.slot):
            if frame is None or reached.stores or load.slot >= len(frame.args):
                return None
            if context.member.varargs and load.slot == len(context.member.params) - 1:
                return None
            return Origin(frame.context, frame.args[load.slot], frame.outer)
        if len(reached.stores) != 1:
            return None
        store = context.code[reached.stores[0]]
        return Origin(context, store.value, frame) if isinstance(store, ir.Store) else None

    def _read(self, origin: Origin, instr: ir.Name | ir.Field, depth: int) -> Origin | None:
        """Follow a constant to its value, and a field of an object to what it was given."""
        context, value, frame = origin
        ref = context.field_of(value)
        if ref is None or self.program.member(ref).kind == "enum_constant":
            return None
        if self.program.is_static(ref):
            return self.constant(ref) if self.values.lasting(ref) else None
        if isinstance(instr, ir.Field) and not isinstance(context.code[instr.object], ir.This):
            return self.field(Origin(context, instr.object, frame), instr.name, depth + 1)
        receiver = frame.on if frame is not None else None
        return self.field(receiver, instr.name, depth + 1) if receiver is not None else None

    def _given(self, origin: Origin, call: ir.Call) -> Origin | None:
        """Follow a call of a project method that only gives one thing, unless that is its receiver."""
        target = self._target(origin.context, origin.value)
        if target is None or self.program.member(target).kind != "method":
            return None
        returned = self._returned(target)
        if returned is None or self._gives_receiver(target):
            return None
        return Origin(self.values.open(target), returned, self._frame(origin, call, target))

    def _target(self, context: Context, value: int) -> MemberRef | None:
        targets = context.targets(value)
        if not targets or self.program.is_static(targets[0]):
            return targets[0] if targets else None
        others = self.values.asking.overriders(targets[0])
        # A step of a chain that subclasses override, to give the chain their own type, is the same step.
        alike = len(others) <= _OVERRIDERS and all(
            map(self._gives_receiver, (targets[0], *others))
        )
        return targets[0] if not others or alike else None

    def _returned(self, ref: MemberRef) -> int | None:
        context = self.values.open(ref)
        values = {
            instr.value
            for instr in context.code
            if isinstance(instr, ir.Return) and instr.kind == "return" and instr.value != NONE
        }
        return values.pop() if len(values) == 1 else None

    def _gives_receiver(self, ref: MemberRef, depth: int = 0) -> bool:
        """Tell whether a method returns the object it was called on."""
        returned = self._returned(ref)
        if returned is None or depth > 3:
            return False
        context = self.values.open(ref)
        instr = context.code[returned]
        while isinstance(instr, ir.Cast):
            instr = context.code[instr.value]
        if isinstance(instr, ir.This):
            return True
        if isinstance(instr, ir.Call) and not instr.args:
            own = instr.object == NONE or isinstance(context.code[instr.object], ir.This)
            targets = context.targets(returned) if own else []
            return any(
                self._gives_receiver(inner, depth + 1)
                for target in targets[:1]
                for inner in (target, *self.values.asking.overriders(target)[:1])
                if inner != ref
            )
        return False

    def _changed(self, origin: Origin, name: str) -> Origin | None:
        """Return what is assigned to a field of the object in a local variable, after it was made."""
        context, _, frame = origin
        load = origin.instr
        if not isinstance(load, ir.Load) or load.up or context.is_parameter(load.slot):
            return None
        for number, instr in enumerate(context.code.within(0, origin.value)):
            if not isinstance(instr, (ir.Call, ir.StoreField)) or instr.object == NONE:
                continue
            subject = context.code[instr.object]
            if not isinstance(subject, ir.Load) or (subject.slot, subject.up) != (load.slot, 0):
                continue
            if isinstance(instr, ir.StoreField):
                if instr.name == name and instr.value != NONE:
                    return Origin(context, instr.value, frame)
                continue
            target = self._target(context, number)
            stored = self._stored(target, name) if target is not None else None
            if stored is not None:
                return stored._replace(frame=Frame(context, instr.object, instr.args, frame))
        return None

    def _stored(self, ref: MemberRef, name: str) -> Origin | None:
        """Return what a method assigns to a field of its own object.

        Of several assignments it is the one of the parameter itself, if the others are of what is made from it.
        """
        context = self.values.open(ref)
        stored = [
            arm
            for instr in context.code
            if isinstance(instr, ir.StoreField) and instr.name == name and instr.value != NONE
            if instr.object == NONE or isinstance(context.code[instr.object], ir.This)
            for arm in _arms(context, instr.value)
        ]
        if not stored:
            return None
        for value in stored if len(stored) <= ASSIGNMENTS else ():
            given = _given_as(context, value)
            others = [other for other in stored if other != value]
            if given is not None and all(_made_from(context, other, given) for other in others):
                return Origin(context, value)
        return Origin(context, stored[0])

    def _constructed(self, made: Origin, new: ir.New, name: str, depth: int) -> Origin | None:
        """Return what a constructor, or one that it delegates to, assigns to a field."""
        context, value, frame = made
        targets = context.targets(value)
        current = Frame(context, value, new.args, frame)
        owner = self.program.resolve(new.type, context.ref.path, context.ref.owner).name
        for _ in range(DEPTH):
            if not targets:
                break
            inner = self.values.open(targets[0])
            stored = self._stored(targets[0], name)
            if stored is not None:
                return stored._replace(frame=current)
            delegated = next(
                (
                    (number, instr)
                    for number, instr in inner.calls()
                    if isinstance(instr, ir.Call)
                    and instr.name == "<init>"
                    and instr.object != NONE
                ),
                None,
            )
            if delegated is None:
                break
            number, call = delegated
            targets = inner.targets(number)[:1]
            current = Frame(inner, call.object, call.args, current)
        fields = self.program.own_fields(owner)
        for number, ref in enumerate(fields.values()):
            member = self.program.member(ref)
            if member.name == name and member.kind == "component" and number < len(new.args):
                return Origin(context, new.args[number], frame)
        ref_ = self.program.field(owner, name)
        initial = self.constant(ref_) if ref_ is not None else None
        return initial._replace(frame=Frame(context, value, (), frame)) if initial else None


def _arms(context: Context, value: int) -> list[int]:
    """Return the two arms of a choice, each a value by itself, if one is made from the other; else the value."""
    choice = context.code[value]
    if not isinstance(choice, ir.Choice):
        return [value]
    for one, other in ((choice.then, choice.other), (choice.other, choice.then)):
        given = _given_as(context, one)
        if given is not None and _made_from(context, other, given):
            return [one, other]
    return [value]


def _constant_name(frame: Frame, owner: str) -> Templates:
    """Return the name of the enum constant that the code of a constructor makes."""
    call: Frame | None = frame
    while call is not None:
        if call.context.member.kind == "enum_constant" and call.context.ref.owner == owner:
            return ((call.context.member.name,),)
        call = call.outer
    return UNKNOWN


def _given_as(context: Context, value: int) -> int | None:
    """Return the parameter that a value is, cast or not."""
    instr = context.code[value]
    while isinstance(instr, ir.Cast):
        instr = context.code[instr.value]
    plain = isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot)
    return instr.slot if plain and isinstance(instr, ir.Load) else None


def _made_from(context: Context, value: int, slot: int) -> bool:
    """Tell whether a parameter is among what a value is made from, over the names that a pattern gives it."""
    bound = {
        other
        for instr in context.code
        if isinstance(instr, ir.InstanceOf) and _given_as(context, instr.value) == slot
        for other in instr.slots
    }
    seen: set[int] = set()
    queue = [value]
    while queue:
        number = queue.pop()
        if number == NONE or number in seen:
            continue
        seen.add(number)
        instr = context.code[number]
        if isinstance(instr, ir.Load) and not instr.up and instr.slot in (slot, *bound):
            return True
        queue += ir.operands(instr)
    return False
