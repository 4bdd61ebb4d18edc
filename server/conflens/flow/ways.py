"""Every way of one number from where it is read to what is done with it, and the term that it is by then.

Terms
    node    a place where the number stands: an instruction of a body, in the calls that it came by; or a field.
    link    one instruction, the *taker*, that hands the number on from a node to another.
    family  the nodes of one body that hold one number: its variable's loads, the loads of one field, the calls of one getter.

The work list is that of ``uses``; texts that are built around the number are followed to where they go, up to a bound.
Absent: what a condition on the number means (``options.inference.adjusted``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from typing_extensions import override

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.domain import START, Frame, Relation, Role, Trace, Use
from conflens.flow.terms import VALUE, Choice, Name, Number, Term, clamped, operation, reciprocal
from conflens.flow.transfer import COMPARISONS, ToCallers, ToField, ToParameter, ToValue
from conflens.flow.uses import CALLERS, Run, Uses
from conflens.flow.widths import WHOLE, cast, computed, fits, narrows
from conflens.models.schema import RECEIVER
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.types import STRING, unboxed

HOPS = 14
"""Borders that one number is followed over: what is told of it must hold for all its uses."""
STEPS = 400
"""Nodes that are looked at for one number; beyond, nothing is known of what all its uses have in common."""
FIELD = -2
"""The index of a node that is a field."""
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "<<", ">>"})
_TEXTS = frozenset({Relation.HEAD, Relation.PIECE, Relation.ELEMENT})
_MOST_TEXTS = 100
"""Places of texts made of one number that are looked at; where there are more, they go somewhere."""
_SHOWN = 40
_NESTED = 4


class Node(NamedTuple):
    """See the module text."""

    ref: MemberRef
    value: int
    stack: tuple[Frame, ...] = ()


class Link(NamedTuple):
    """See the module text."""

    taker: int
    target: Node


class Ways:
    """The ways of one number."""

    def __init__(self) -> None:
        """Start empty."""
        self.starts: list[Node] = []
        self.links: dict[Node, list[Link]] = {}
        self.uses: dict[Node, list[Use]] = {}
        self.terms: dict[Node, Term | None] = {}
        self.families: dict[Node, object] = {}
        self.texts: set[Node] = set()
        """The nodes that are texts made of the number."""
        self.complete = True
        self.files: frozenset[str] = frozenset()
        self.names: frozenset[str] = frozenset()
        self.types: set[str] = set()
        """The types of whole numbers that hold the number as it is set; none where it may have a fraction."""
        self._together: dict[tuple[object, MemberRef, object], frozenset[int]] | None = None

    def may_be(self, number: float) -> bool:
        """Tell whether the number that is followed can be this one."""
        return all(fits(number, type_) for type_ in self.types)

    def together(self, node: Node) -> frozenset[int]:
        """Return where the body of a node has the number that stands at it; not to be asked before all ways are known."""
        if self._together is None:
            found: dict[tuple[object, MemberRef, object], set[int]] = {}
            for other, family in self.families.items():
                found.setdefault((family, other.ref, other.stack), set()).add(other.value)
            self._together = {key: frozenset(values) for key, values in found.items()}
        return self._together[self.families[node], node.ref, node.stack]


def ways_of(
    uses: Uses,
    places: Sequence[tuple[MemberRef, int]] = (),
    fields: Iterable[MemberRef] = (),
    parameters: Iterable[tuple[MemberRef, int]] = (),
    results: Iterable[MemberRef] = (),
) -> Ways:
    """Follow a number that stands at places of bodies, in fields, in parameters, or is what methods return."""
    run = _Tracing(uses)
    for ref, value in places:
        run.visit(ToValue(uses.code(ref), value, START))
    for field in fields:
        run.visit(ToField(field, START))
    for ref, slot in parameters:
        run.enter(ref, slot, START)
    for ref in results:
        run.visit(ToCallers(uses.code(ref), START))
    return run.all()


class _Tracing(Run):
    """One number being followed, with its ways."""

    def __init__(self, uses: Uses) -> None:
        super().__init__(uses)
        self.ways = Ways()
        self._at: tuple[Node, int] | None = None
        self._trace = START

    def all(self) -> Ways:
        """Work the list off."""
        ways, takes = self.ways, self.uses.transfer.takes
        steps = texts = 0
        while self.queue:
            self.program.meter.spend(10)
            item = self.queue.popleft()
            node = Node(item.code.ref, item.index, item.trace.stack)
            self._trace = item.trace
            if node in ways.texts:
                texts += 1
                if texts > _MOST_TEXTS:
                    self._at = node, NONE
                    self._lost()
                    continue
            else:
                steps += 1
            if steps > STEPS:
                ways.complete = False
                break
            for taker, happening in takes(item.code, item.index, item.trace):
                self._at = node, taker
                if isinstance(happening, Use):
                    ways.uses.setdefault(node, []).append(happening)
                else:
                    self.visit(happening)
        self._forget_changed()
        ways.files, ways.names = frozenset(self.files), frozenset(self.names)
        return ways

    def _forget_changed(self) -> None:
        """Let go of the terms of what is made of a variable or field that holds several: a counter is no option's value."""
        ways = self.ways
        queue = [node for node, term in ways.terms.items() if term is None]
        while queue:
            for _, target in ways.links.get(queue.pop(), ()):
                if ways.terms.get(target) is not None:
                    ways.terms[target] = None
                    queue.append(target)

    # -- links -----------------------------------------------------------------------------------------

    def _link(self, target: Node, term: Term | None) -> None:
        ways = self.ways
        if self._at is None:
            if target not in ways.terms:
                ways.starts.append(target)
        else:
            source, taker = self._at
            ways.links.setdefault(source, []).append(Link(taker, target))
        if term == VALUE and (type_ := self._type(target)) in WHOLE:
            ways.types.add(type_)
        if target not in ways.terms:
            if self._at is not None and target.value != FIELD and self._is_text(target):
                ways.texts.add(target)
            ways.terms[target] = term
            ways.families[target] = self._family(target, term)
        elif ways.terms[target] != term:
            ways.terms[target] = None

    def _type(self, node: Node) -> str:
        """Return the primitive type of a node, empty if it has none."""
        if node.value == FIELD:
            ref, member = node.ref, self.program.member(node.ref)
            return unboxed(self.program.resolve(member.type, ref.path, ref.owner))
        return unboxed(self.uses.code(node.ref).context.type_of(node.value))

    def _is_text(self, target: Node) -> bool:
        """Tell whether a node is a text that was made of a number."""
        assert self._at is not None
        source = self._at[0]
        type_ = self.uses.code(target.ref).context.type_of(target.value)
        if type_ != STRING:
            return False
        if source in self.ways.texts or source.value == FIELD:
            return source in self.ways.texts
        return bool(unboxed(self.uses.code(source.ref).context.type_of(source.value)))

    def _lost(self) -> None:
        """Note that the taker at hand hands the number on to where it is not followed."""
        if self._at is not None:
            node, taker = self._at
            use = Use(node.ref, taker, Role.STORED, self._trace, node.value)
            self.ways.uses.setdefault(node, []).append(use)

    @override
    def _value(self, move: ToValue) -> None:
        target = Node(move.code.ref, move.index, move.trace.stack)
        if move.trace.relation in _TEXTS:
            held = self._at is not None and move.trace.relation is not Relation.ELEMENT
            if held and self._is_text(target):
                self._link(target, None)
                super()._value(move)
            return
        if self._at is not None and target in self.ways.starts:
            return  # a default for where nothing is set
        self._link(target, self._term(move, target))
        super()._value(move)

    def _term(self, move: ToValue, target: Node) -> Term | None:
        if self._at is None:
            return VALUE
        source, taker = self._at
        before = self.ways.terms.get(source)
        if before is None or narrows(self._type(source), self._type(target)):
            return None
        if target.value != taker or target.ref != source.ref or target.stack != source.stack:
            return before
        return self._made(move.code, taker, source.value, before, move.trace)

    def _made(self, code: Code, taker: int, value: int, before: Term, trace: Trace) -> Term | None:
        """Return the term of what an instruction makes of a number."""
        instr = code.code[taker]
        match instr:
            case ir.Binary():
                return self._computed(code, taker, instr, value, before)
            case ir.Unary():
                return self._changed(code, taker, instr, before)
            case ir.Choice():
                return self._chosen(code, instr, value, before)
            case ir.Call() | ir.New():
                return self._converted(code, taker, instr, value, before, trace)
            case _:
                return before

    @staticmethod
    def _changed(code: Code, taker: int, instr: ir.Unary, before: Term) -> Term | None:
        match instr.op:
            case "+":
                return before
            case "-":
                return operation("-", Number(0.0), before)
            case "++" | "--":
                # Behind a variable it gives what that was before, to all but the variable itself.
                behind = code.code[instr.operand].at == instr.at
                if behind and len(code.takers.get(taker, ())) > 1:
                    return None
                return operation(instr.op[0], before, Number(1.0))
            case _:
                return None

    def _computed(
        self, code: Code, taker: int, instr: ir.Binary, value: int, before: Term
    ) -> Term | None:
        if instr.op not in _OPERATORS:
            return None
        op = instr.op
        type_ = unboxed(code.context.type_of(taker))
        if op == "/" and type_ in WHOLE:
            op = "div"
        if not type_:
            return None
        if instr.left == value:
            other = self.other(code, instr.right)
            return None if other is None else operation(op, before, other)
        other = self.other(code, instr.left)
        return None if other is None else operation(op, other, before)

    def _chosen(self, code: Code, instr: ir.Choice, value: int, before: Term) -> Term | None:
        """Return ``v < 2 ? 2 : v`` as a term, the number itself where its presence is tested."""
        test = code.code[instr.test] if instr.test != NONE else None
        if not isinstance(test, ir.Binary) or test.op not in COMPARISONS:
            return before
        nodes = {
            node.value: term for node, term in self.ways.terms.items() if node.ref == code.ref
        }
        left = nodes.get(test.left) or self.other(code, test.left)
        right = nodes.get(test.right) or self.other(code, test.right)
        arms = [
            before if arm == value else nodes.get(arm) or self.other(code, arm)
            for arm in (instr.then, instr.other)
        ]
        if left is None or right is None or arms[0] is None or arms[1] is None:
            return before
        return Choice(test.op, left, right, arms[0], arms[1])

    def _converted(
        self,
        code: Code,
        taker: int,
        call: ir.Call | ir.New,
        value: int,
        before: Term,
        trace: Trace,
    ) -> Term | None:
        place = next((at for at, arg in enumerate(call.args) if arg == value), RECEIVER)
        row = next(iter(self.uses.rows.conversions(code, taker, place)), None)
        if row is None:
            return None
        if row.computes is None:
            ratio = trace.factor / self._trace.factor
            if ratio < 1.0 and unboxed(code.context.type_of(taker)) in WHOLE:
                by = reciprocal(ratio)
                return None if by is None else operation("div", before, Number(by))
            return before if ratio == 1.0 else operation("*", before, Number(ratio))
        others = [self.other(code, arg) for at, arg in enumerate(call.args) if at != place]
        match row.computes, others:
            case "max", [other]:
                return clamped(before, other, None) if other is not None else None
            case "min", [other]:
                return clamped(before, None, other) if other is not None else None
            case "clamp", [low, high] if place == 0:
                return clamped(before, low, high)
            case "+" | "*", [other] if other is not None:
                return operation(row.computes, before, other)
            case "-", [other] if other is not None and place == 0:
                return operation("-", before, other)
            case _:
                return None

    def other(self, code: Code, value: int) -> Term | None:
        """Return an operand beside the number as a term."""
        if value == NONE:
            return None
        number = number_of(self.uses, code, value)
        if number is not None:
            return Number(number)
        text = expression(code, value)
        return Name(text) if text else None

    def _family(self, target: Node, term: Term | None) -> object:
        if self._at is None:
            return target
        source, _ = self._at
        if source.value == FIELD:
            return target.ref, source.ref
        near = source.ref == target.ref and source.stack == target.stack
        if near:
            same = term is not None and term == self.ways.terms.get(source)
            return self.ways.families[source] if same else target
        instr = self.uses.code(target.ref).code[target.value] if target.value != FIELD else None
        if isinstance(instr, ir.Load):
            return target.ref, target.stack, instr.slot
        if isinstance(instr, ir.Call):
            return target.ref, target.stack, source.ref
        return target

    # -- borders ---------------------------------------------------------------------------------------

    @override
    def _field(self, ref: MemberRef, trace: Trace) -> None:
        node = Node(ref, FIELD)
        term: Term | None = VALUE
        if self._at is not None:
            source = self._at[0]
            narrow = narrows(self._type(source), self._type(node))
            term = None if narrow else self.ways.terms.get(source)
        self._link(node, term)
        self._at = node, NONE
        super()._field(ref, trace)

    @override
    def _crossed(self, trace: Trace, stack: tuple[Frame, ...]) -> Trace | None:
        if trace.hops >= HOPS:
            self._lost()
            return None
        return trace._replace(hops=trace.hops + 1, stack=stack)

    @override
    def _parameter(self, move: ToParameter) -> None:
        member = self.program.member(move.ref)
        if member.modifiers & Modifier.ABSTRACT and not self.program.overriders(move.ref):
            self._lost()
        super()._parameter(move)

    @override
    def _callers(self, move: ToCallers) -> None:
        if not move.trace.stack and self._at is not None:
            users = self.uses.callers(move.code.ref)
            if len(users.found) > CALLERS and self._at[0] not in self.ways.texts:
                self._lost()
        super()._callers(move)


def number_beside(uses: Uses, node: Node, value: int) -> float | None:
    """Return the number that an expression is beside that of a node: perhaps another argument of the call that it came by."""
    code = uses.code(node.ref)
    number = number_of(uses, code, value)
    load = code.code[value]
    if number is not None or not node.stack or not isinstance(load, ir.Load) or load.up:
        return number
    frame = node.stack[-1]
    outer = uses.code(frame.ref)
    call = outer.code[frame.call]
    if code.stores.get(load.slot) or not isinstance(call, (ir.Call, ir.New)):
        return None
    given = call.args[load.slot] if load.slot < len(call.args) else NONE
    return number_of(uses, outer, given)


def number_of(uses: Uses, code: Code, value: int, nested: int = 0) -> float | None:
    """Return the number that an expression always is: a literal, a final field, a local that is given one value, arithmetic on such."""
    if value == NONE or nested > _NESTED:
        return None
    instr = code.code[value]
    match instr:
        case ir.Const(kind="c"):
            return float(ord(instr.value)) if len(instr.value) == 1 else None
        case ir.Const():
            return _number(instr.value) if instr.kind in ("i", "l", "d") else None
        case ir.Unary(op="-"):
            found = number_of(uses, code, instr.operand, nested + 1)
            return None if found is None else -found
        case ir.Cast():
            found = number_of(uses, code, instr.value, nested + 1)
            return None if found is None else cast(found, unboxed(code.context.type_of(value)))
        case ir.Load(up=0):
            seen = reaching(code.context, instr.slot, value)
            if seen.entry or len(seen.stores) != 1:
                return None
            store = code.code[seen.stores[0]]
            assert isinstance(store, ir.Store)
            return number_of(uses, code, store.value, nested + 1)
        case ir.Name() | ir.Field():
            return _of_field(uses, code, value, nested)
        case ir.Binary():
            sides = [number_of(uses, code, side, nested + 1) for side in (instr.left, instr.right)]
            if sides[0] is None or sides[1] is None or instr.op not in _OPERATORS:
                return None
            type_ = unboxed(code.context.type_of(value))
            return computed(instr.op, sides[0], sides[1], type_)
        case _:
            return None


def _of_field(uses: Uses, code: Code, value: int, nested: int) -> float | None:
    field = code.context.field_of(value)
    if field is None:
        return uses.transfer.number(code, value)
    if not uses.program.member(field).modifiers & Modifier.FINAL:
        return None
    initial = uses.code(field)
    last = initial.code[-1] if initial.code else None
    if isinstance(last, ir.StoreField):
        return number_of(uses, initial, last.value, nested + 1)
    return None


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def expression(code: Code, value: int, nested: int = 0) -> str:
    """Return a short expression as code has it; empty for one that is long or calls with arguments of its own."""
    if value == NONE or nested > _NESTED:
        return ""
    instr = code.code[value]
    text = ""
    match instr:
        case ir.Const() if instr.kind in ("i", "l", "d"):
            text = instr.value
        case ir.Load() if not instr.up:
            text = code.context.body.locals[instr.slot].name
        case ir.Name():
            text = instr.name
        case ir.Field():
            object_ = code.code[instr.object] if instr.object != NONE else None
            before = (
                "" if isinstance(object_, ir.This) else expression(code, instr.object, nested + 1)
            )
            text = f"{before}.{instr.name}" if before else instr.name
        case ir.Call() if not instr.args:
            before = expression(code, instr.object, nested + 1)
            text = f"{before}.{instr.name}()" if before else f"{instr.name}()"
        case ir.Cast():
            text = expression(code, instr.value, nested + 1)
        case ir.Binary() if instr.op in _OPERATORS:
            sides = [expression(code, side, nested + 1) for side in (instr.left, instr.right)]
            text = f"{sides[0]} {instr.op} {sides[1]}" if all(sides) else ""
        case _:
            pass
    return text if len(text) <= _SHOWN else ""
