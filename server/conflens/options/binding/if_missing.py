"""What the members of a new object hold where the parameters of its constructor are missing.

The constructor is gone through once with all parameters missing: ``null``, or ``0`` and ``false`` for primitives.  Tests
that this decides choose their arm; what an arm, a choice or a call with a default (by its row) puts in place of a
parameter is its default if nothing but that parameter decided it.  What stands in loops, in ``switch`` and behind tests
that are not decided makes the locals and fields it assigns unknown.  ``this(…)`` and ``super(…)`` are followed.
Absent: the texts of defaults (``value_texts``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import RECEIVER, RETURN
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.types import PRIMITIVES
from conflens.program.values import Values

DEPTH = 20
"""Arms within arms and expressions within expressions that are looked into."""
CONSTRUCTORS = 3
"""Constructors that call one another."""
PARTS = 8
"""Parameters that one local is made of; nothing is known of more."""


class Missing(NamedTuple):
    """A parameter for which nothing has been put in yet."""

    slot: int


class Given(NamedTuple):
    """A value of a body, and the parameters whose absence brought it there."""

    context: Context
    value: int
    by: frozenset[int]


Held: TypeAlias = "Missing | Given | None"
"""What a local or a field holds; ``None``: that is not known."""
_NOBODY: frozenset[int] = frozenset()


def if_missing(models: Models, values: Values, ref: MemberRef, depth: int = 0) -> list[Held]:
    """Return, for each parameter of a constructor, what stands for it in the object if it is missing.

    ``Missing``: nothing does, so that it is ``null``, ``0`` or ``false``.
    """
    body = _Body(models, values, ref, depth)
    body.run(0, len(body.code), _NOBODY, 0)
    return [body.of(slot) for slot in range(len(body.context.member.params))]


class _Body:
    def __init__(self, models: Models, values: Values, ref: MemberRef, depth: int) -> None:
        self.models = models
        self.values = values
        self.depth = depth
        self.context = values.open(ref)
        self.code = self.context.code
        count = len(self.context.member.params)
        self.locals: dict[int, Held] = {slot: Missing(slot) for slot in range(count)}
        self.fields: dict[str, Held] = {}
        self.holders: dict[int, list[str]] = {}
        self.made_of: dict[int, set[int]] = {}
        self.delegated = False
        lambdas, arms = [], []
        for number, instr in enumerate(self.code):
            if isinstance(instr, ir.Lambda):
                lambdas.append((instr.start, instr.stop))
            elif isinstance(instr, ir.Choice):
                arms.append((instr.then_start, number))
            elif isinstance(instr, ir.ShortCircuit):
                arms.append((instr.right_start, number))
        self.inner = _covered(len(self.code), lambdas)
        self.arms = _covered(len(self.code), arms)

    def of(self, slot: int) -> Held:
        """Return what stands for a parameter in the end: in the field that takes it, else in the parameter itself."""
        name = self.context.member.params[slot].name
        names = self.holders.get(slot, [])
        if name in names:
            names = [name]
        held = {self.fields.get(name) for name in names} if names else {self.locals.get(slot)}
        found = held.pop()
        if held or (isinstance(found, Given) and not found.by <= {slot}):
            return None
        return found

    # -- statements ------------------------------------------------------------------------------

    def run(self, start: int, stop: int, by: frozenset[int], depth: int) -> bool:
        """Go through statements, which the absence of ``by`` brought about; tell whether they end the body."""
        number = start
        while number < stop:
            self.values.program.meter.spend()
            instr = self.code[number]
            following = number + 1
            match instr:
                case _ if self.inner[number]:
                    pass
                case _ if self.arms[number]:
                    self._forget(number, following)
                case ir.If():
                    if self._branch(instr, by, depth):
                        return True
                    following = instr.stop
                case ir.Loop() | ir.ForEach() | ir.Switch():
                    self._forget(number + 1, instr.stop)
                    following = instr.stop
                case ir.Try() if depth >= DEPTH:
                    self._forget(number + 1, instr.stop)
                    following = instr.stop
                case ir.Try():
                    if self.run(instr.start, instr.body_stop, by, depth + 1):
                        return True
                    self._forget(instr.body_stop, instr.stop)
                    following = instr.stop
                case ir.Store(up=0):
                    self._note(number)
                    self.locals[instr.slot] = self._put(instr.value, by)
                case ir.StoreField():
                    self._hold(instr, by)
                case ir.Call(name="<init>"):
                    self._delegate(number, instr)
                case ir.Return() | ir.Throw():
                    return True
                case _:
                    pass
            number = max(following, number + 1)
        return False

    def _branch(self, instr: ir.If, by: frozenset[int], depth: int) -> bool:
        decided, asked = self._decide(instr.test, 0)
        if decided is None or depth >= DEPTH:
            self._forget(instr.then_start, instr.stop)
            return False
        arms = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
        taken, other = arms if decided else arms[::-1]
        for number in range(*other):
            self._note(number)
        if self.run(*taken, by | asked, depth + 1):
            # Without these parameters there is no object.
            for slot in by | asked:
                self.locals[slot] = None
                for name in self.holders.get(slot, ()):
                    self.fields[name] = None
        return False

    def _forget(self, start: int, stop: int) -> None:
        for number in range(start, stop):
            instr = self.code[number]
            if isinstance(instr, ir.Store) and not instr.up:
                self.locals[instr.slot] = None
            elif isinstance(instr, ir.StoreField):
                self.fields[instr.name] = None
            self._note(number)

    def _put(self, value: int, by: frozenset[int]) -> Held:
        found = self._eval(value, 0)
        return found._replace(by=found.by | by) if isinstance(found, Given) else found

    def _hold(self, store: ir.StoreField, by: frozenset[int]) -> None:
        own = store.object == NONE or isinstance(self.code[store.object], ir.This)
        if own:
            self._remember(store)
            self.fields[store.name] = self._put(store.value, by)

    def _note(self, number: int) -> None:
        """Take note of a field or local that takes a parameter where it is there."""
        instr = self.code[number]
        if isinstance(instr, ir.StoreField) and not self.inner[number]:
            self._remember(instr)
        elif isinstance(instr, ir.Store) and not instr.up and not self.inner[number]:
            self._make(instr)

    def _make(self, store: ir.Store) -> None:
        """Take note of what parameters a local is made of."""
        if self.context.is_parameter(store.slot):
            return
        parts = self.made_of.setdefault(store.slot, set())
        for slot in self._taken(store.value, 0):
            if slot in parts or len(parts) < PARTS:
                parts.add(slot)
            else:
                self.locals[slot] = None

    def _remember(self, store: ir.StoreField) -> None:
        for slot in set(self._taken(store.value, 0)):
            held = self.holders.setdefault(slot, [])
            if store.name not in held:
                held.append(store.name)

    def _taken(self, value: int, depth: int) -> Iterator[int]:
        """Yield the parameters that a value is, perhaps converted."""
        if value == NONE or depth > 4:
            return
        instr = self.code[value]
        match instr:
            case ir.Load(up=0) if self.context.is_parameter(instr.slot):
                yield instr.slot
            case ir.Load(up=0):
                yield from sorted(self.made_of.get(instr.slot, ()))
            case ir.Cast():
                yield from self._taken(instr.value, depth + 1)
            case ir.Choice():
                yield from self._taken(instr.then, depth + 1)
                yield from self._taken(instr.other, depth + 1)
            case ir.Call():
                for operand in (instr.object, *instr.args):
                    yield from self._taken(operand, depth + 1)
            case _:
                pass

    def _delegate(self, number: int, call: ir.Call) -> None:
        """Follow ``this(…)`` or ``super(…)``: what the other constructor puts in for its parameters."""
        targets = self.context.targets(number)
        again, self.delegated = self.delegated, True
        if not targets or again or self.depth >= CONSTRUCTORS:
            for arg in call.args:
                for slot in self._taken(arg, 0):
                    self.locals[slot] = None
            return
        inner = if_missing(self.models, self.values, targets[0], self.depth + 1)
        for arg, there in zip(call.args, inner, strict=False):
            found = self._eval(arg, 0)
            for slot in set(self._taken(arg, 0)):
                if isinstance(found, Missing) and isinstance(there, Given):
                    found = there._replace(by=frozenset((slot,)))
                elif isinstance(found, Missing) and there is None:
                    found = None
                self.locals[slot] = found

    # -- expressions -----------------------------------------------------------------------------

    def _eval(self, value: int, depth: int) -> Held:
        if value == NONE or depth > DEPTH:
            return None
        instr = self.code[value]
        match instr:
            case ir.Load(up=0):
                return self.locals.get(instr.slot)
            case ir.Cast():
                return self._eval(instr.value, depth + 1)
            case ir.Choice():
                decided, asked = self._decide(instr.test, depth + 1)
                if decided is None:
                    return None
                found = self._eval(instr.then if decided else instr.other, depth + 1)
                return found._replace(by=found.by | asked) if isinstance(found, Given) else found
            case ir.Call():
                return self._called(value, instr, depth)
            case _:
                return Given(self.context, value, _NOBODY)

    def _called(self, value: int, call: ir.Call, depth: int) -> Held:
        """Return what a call gives: its default, by its row, where its operand is missing."""
        for row in self.models.conversions_by_method.get(call.name, ()):
            count = len(call.args)
            if count < row.min_args or count > (
                row.max_args if row.max_args is not None else count
            ):
                continue
            if len(row.sources) != 1 or row.target != RETURN or row.type not in self._owners(call):
                continue
            source = row.sources[0]
            operand = call.object if source == RECEIVER else NONE
            if 0 <= source < count:
                operand = call.args[source]
            found = self._eval(operand, depth + 1)
            if isinstance(found, Given):
                # A value that is there stays; what a call makes of it is told by its text.
                return found if row.default is not None else Given(self.context, value, found.by)
            if found is None:
                return None
            if row.default is None:
                return found
            if not 0 <= row.default < count:
                return None
            other = self._eval(self._supplied(call.args[row.default]), depth + 1)
            if isinstance(other, Given):
                return other._replace(by=other.by | {found.slot})
            return other
        taken = next(self._taken(value, 0), NONE) != NONE
        return None if taken else Given(self.context, value, _NOBODY)

    def _supplied(self, value: int) -> int:
        function = self.code[value]
        if isinstance(function, ir.Lambda):
            body = self.code.within(function.start, function.stop)
            returns = [instr for instr in body if isinstance(instr, ir.Return)]
            return returns[0].value if len(returns) == 1 else NONE
        return value

    def _owners(self, call: ir.Call) -> list[str]:
        if call.object == NONE:
            return self.context.static_imports(call.name)
        owner = self.context.owner_of(call.object)
        return [owner, *self.values.program.supertypes(owner)] if owner is not None else []

    # -- tests -----------------------------------------------------------------------------------

    def _decide(self, test: int, depth: int) -> tuple[bool | None, frozenset[int]]:
        """Return what a test is if the parameters are missing, and which of them it asks."""
        unknown: tuple[bool | None, frozenset[int]] = (None, _NOBODY)
        if test == NONE or depth > DEPTH:
            return unknown
        instr = self.code[test]
        match instr:
            case ir.ShortCircuit():
                left, asked = self._decide(instr.left, depth + 1)
                if left is None or left == (instr.op == "||"):
                    return left, asked
                right, more = self._decide(instr.right, depth + 1)
                return right, asked | more
            case ir.Unary(op="!"):
                found, asked = self._decide(instr.operand, depth + 1)
                return (None if found is None else not found), asked
            case ir.Binary():
                return self._compare(instr, depth)
            case ir.Load(up=0):
                held = self._eval(test, depth + 1)
                if isinstance(held, Missing) and self._type(held.slot) == "boolean":
                    return False, frozenset((held.slot,))
                return unknown
            case _:
                return unknown

    def _type(self, slot: int) -> str:
        return self.context.member.params[slot].type

    def _compare(self, instr: ir.Binary, depth: int) -> tuple[bool | None, frozenset[int]]:
        for one, two, op in (
            (instr.left, instr.right, instr.op),
            (instr.right, instr.left, _TURNED.get(instr.op, instr.op)),
        ):
            held = self._eval(one, depth + 1)
            if not isinstance(held, Missing) or two == NONE:
                continue
            asked = frozenset((held.slot,))
            other = self.code[two]
            if self._type(held.slot) not in PRIMITIVES:
                if isinstance(other, ir.Const) and other.kind == "n" and op in ("==", "!="):
                    return op == "==", asked
                return None, asked
            return _zero(op, known_text(self.values.of(self.context, two))), asked
        return None, _NOBODY


def _covered(count: int, ranges: list[tuple[int, int]]) -> list[bool]:
    """Return, for each instruction, whether it lies in one of the ranges."""
    steps = [0] * (count + 1)
    for start, stop in ranges:
        steps[start] += 1
        steps[stop] -= 1
    return [inside > 0 for inside in accumulate(steps)]


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _zero(op: str, text: str | None) -> bool | None:
    """Return how zero, or false, compares with a number or truth value."""
    if text in ("true", "false"):
        equal = text == "false"
        return {"==": equal, "!=": not equal}.get(op)
    try:
        number = float(text or "")
    except ValueError:
        return None
    return {
        "==": number == 0,
        "!=": number != 0,
        "<": number > 0,
        "<=": number >= 0,
        ">": number < 0,
        ">=": number <= 0,
    }.get(op)
