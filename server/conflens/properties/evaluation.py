"""The term that an option's value is by then, along one path of a flow (LearnConf §4.2).

Terms
    path     the steps from a read to an operation (``flow.results``); the value is followed over calls, fields and results as it says.
    given, tainted  see ``taint``.

Inside one body the term is exact: an expression is evaluated with all its operands, a local by the assignments that reach the use.  Across
bodies it is that of this path.  Everything that the value is not in is a number or a name.
Absent: which argument counts (``amounts``), loops (``rounds``), conditions (``trends``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import START, Relation, Role, Use
from conflens.flow.kinds import NUMBERS, kind_of
from conflens.flow.results import Step, StepRole
from conflens.flow.rows import BYTES, NANOS
from conflens.flow.terms import VALUE, Name, Number, Term, depends, operation
from conflens.flow.transfer import COMPARISONS
from conflens.flow.uses import Uses
from conflens.flow.ways import expression, number_of
from conflens.models.schema import RECEIVER, RETURN, ConversionRow
from conflens.program.assignments import Assigning, assignments
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.types import STRING, unboxed
from conflens.properties.arithmetic import chosen, computed, joined, scaled
from conflens.properties.conditions import arms_around, excluded
from conflens.properties.taint import DEPTH, Taint

_WHOLE = frozenset({"int", "long", "short", "byte", "char"})
_BROKEN = frozenset({"float", "double"})
_OPERATORS = frozenset({"+", "-", "*", "/", "%", "<<", ">>"})
_WRITERS = 12
"""Assignments of a field that are looked at; one with more is not known."""


class Evaluation(Taint):
    """The terms along one path."""

    def __init__(self, uses: Uses, cells: Collection[MemberRef]) -> None:
        """Look into bodies by ``uses``; ``cells`` are the fields that hold anything made of the value."""
        super().__init__(uses, cells)
        self._names: dict[str, tuple[str, MemberRef | None]] = {}

    # -- along the path ------------------------------------------------------------------------------------

    def follow(self, steps: Sequence[Step], stop: int) -> bool:
        """Follow the value over the steps before ``stop``; tell whether its term may be known there."""
        for at in range(stop):
            self._members.add(steps[at].ref)
            if not self._follow(steps[at], steps[at + 1]):
                return False
        return True

    def _follow(self, step: Step, following: Step) -> bool:
        if step.role is StepRole.READ:
            return self._begin(step)
        if step.instr < 0:
            return step.role is StepRole.OPERATION
        code = self.uses.code(step.ref)
        instr = code.code[step.instr]
        match step.role:
            case StepRole.ASSIGN:
                self._chosen.add((step.ref, step.instr))
            case StepRole.STORE:
                return self._store(code, step.instr, instr)
            case StepRole.LOAD:
                self._load(code, step.instr, instr)
            case StepRole.ARGUMENT:
                if following.ref != step.ref:
                    return self._enter(code, instr, step.instr, following.ref)
            case StepRole.RETURN:
                return self._leave(code, step.instr, instr)
            case _:
                pass
        return True

    def _begin(self, step: Step) -> bool:
        if step.instr < 0:
            self._given[step.ref] = VALUE
            return True
        code = self.uses.code(step.ref)
        instr = code.code[step.instr]
        if isinstance(instr, (ir.StoreField, ir.Store, ir.Lambda, ir.MethodRef)):
            return False
        type_ = code.context.type_of(step.instr)
        if (
            type_ is not None
            and type_ != STRING
            and (unboxed(type_) or "") not in (*_WHOLE, *_BROKEN, "boolean")
        ):
            return False
        self._given[step.ref, step.instr] = VALUE
        return True

    def _store(self, code: Code, index: int, instr: ir.Instr) -> bool:
        if not isinstance(instr, ir.StoreField):
            return False
        field = code.context.target_field(instr)
        if field is None:
            return False
        term = self.of(code, instr.value)
        places = assignments(self.program).of(field)
        if term is not None:
            term = self._kept(code, index, term, places)
        if sum(len(indices) for _, indices in places) > _WRITERS:
            term = None
        for ref, indices in places:
            other = self.uses.code(ref)
            for number in indices:
                store = other.code[number]
                if term is None or not isinstance(store, ir.StoreField):
                    term = None
                elif ref == code.ref and excluded(code, index, number):
                    if number_of(self.uses, code, store.value) is None:
                        other_term = self.of(code, store.value)
                        term = term if term == other_term else None
                elif ref == code.ref and number > index:
                    self._given[field] = term
                    term = self._stored_again(code, index, number, store, term)
                elif (ref, number) != (code.ref, index) and not self._is_setting(
                    other, store.value, field
                ):
                    term = None
        self._given[field] = term
        return term is not None

    def _stored_again(
        self, code: Code, index: int, number: int, store: ir.StoreField, term: Term
    ) -> Term | None:
        """Return what a field holds after a later assignment, which may replace the value outside of a bound."""
        arm = self._arm(code, number, index)
        if arm is None:
            return None
        branch = code.code[arm]
        assert isinstance(branch, ir.If)
        if not self.is_tainted(code, branch.test):
            return None
        now = self.of(code, store.value)
        first, other = (now, term) if number < branch.else_start else (term, now)
        return self._chosen_by(code, branch.test, first, other, 0)

    def _kept(self, code: Code, index: int, term: Term, places: Assigning) -> Term | None:
        """Return what a field holds that keeps the value only where a comparison holds, and else what it begins with."""
        around = [one for one in arms_around(code, index) if self.is_about(code, one.test)]
        if not around:
            return term
        kept_by = code.code[index]
        field = code.context.target_field(kept_by) if isinstance(kept_by, ir.StoreField) else None
        others = [(ref, one) for ref, ones in places for one in ones]
        if len(around) != 1 or others != [(code.ref, index)] or field is None:
            return None
        begin = self.uses.code(field)
        stores = begin.context.of_kind(ir.StoreField)
        store = begin.code[stores[0]] if len(stores) == 1 else None
        first = number_of(self.uses, begin, store.value) if isinstance(store, ir.StoreField) else 0
        if first is None:
            return None
        kept: tuple[Term, Term] = (term, Number(first))
        then, other = kept if around[0].outcome else kept[::-1]
        return self._chosen_by(code, around[0].test, then, other, 0)

    def _is_setting(self, code: Code, value: int, field: MemberRef) -> bool:
        """Tell whether a stored value is made without the field itself."""
        for inner in code.inside(value):
            self._spend()
            if code.context.field_of(inner) == field:
                return False
        return True

    def _load(self, code: Code, index: int, instr: ir.Instr) -> None:
        if isinstance(instr, ir.Load):
            return
        field = code.context.field_of(index)
        self._given[code.ref, index] = self._given.get(field) if field is not None else None

    def _enter(self, code: Code, instr: ir.Instr, index: int, callee: MemberRef) -> bool:
        if not isinstance(instr, (ir.Call, ir.New)):
            return False
        member = self.program.member(callee)
        runs = code.context.targets(index)
        if callee not in runs and not any(callee in self.program.overriders(ref) for ref in runs):
            return False
        if len(member.params) != len(instr.args):
            return False
        entered = False
        for slot, arg in enumerate(instr.args):
            self._given.pop((callee, "parameter", slot), None)
            if self.is_tainted(code, arg):
                self._given[callee, "parameter", slot] = self.of(code, arg)
                entered = True
            else:
                number = number_of(self.uses, code, arg)
                if number is not None:
                    self._given[callee, "parameter", slot] = Number(number)
        return entered

    def _leave(self, code: Code, index: int, instr: ir.Instr) -> bool:
        if not isinstance(instr, ir.Return) or instr.kind != "return":
            return False
        if code.lambda_of(index) != NONE:
            return False
        term = self.of(code, instr.value)
        others = [
            (number, other)
            for number in code.context.of_kind(ir.Return)
            if number != index
            and isinstance(other := code.code[number], ir.Return)
            and code.lambda_of(number) == NONE
        ]
        decided = [
            number for number, other in (*others, (index, instr)) if self._decides(code, number)
        ]
        if decided and len(others) == 1:
            first, last = sorted((*others, (index, instr)), key=lambda one: one[0])
            term = self._either(code, first, last)
        elif decided or any(self.is_tainted(code, other.value) for _, other in others):
            term = None
        self._given["result", code.ref] = term
        return term is not None

    def _either(
        self, code: Code, first: tuple[int, ir.Return], last: tuple[int, ir.Return]
    ) -> Term | None:
        """Return what a method gives back that returns early where a comparison says so."""
        arm = self._arm(code, first[0], last[0])
        if arm is None:
            return None
        branch = code.code[arm]
        assert isinstance(branch, ir.If)
        if first[0] >= branch.else_start:
            return None
        one, other = self.of(code, first[1].value), self.of(code, last[1].value)
        return self._chosen_by(code, branch.test, one, other, 0)

    # -- expressions ---------------------------------------------------------------------------------------

    def of(self, code: Code, value: int, depth: int = 0) -> Term | None:
        """Return the term of an expression; ``None`` where it is not known."""
        if value == NONE or depth > DEPTH or not self._spend():
            return None
        key = (code.ref, value)
        if key in self._given:
            return self._given[key]
        if key in self._open:
            return None
        self._open.add(key)
        try:
            return self._of(code, value, depth + 1)
        finally:
            self._open.discard(key)

    def _of(self, code: Code, value: int, depth: int) -> Term | None:
        instr = code.code[value]
        match instr:
            case ir.Const():
                number = number_of(self.uses, code, value)
                return None if number is None else Number(number)
            case ir.Cast():
                return self._cast(code, instr, depth)
            case ir.Unary():
                inner = self.of(code, instr.operand, depth)
                if inner is None or instr.op not in ("+", "-"):
                    return None
                return inner if instr.op == "+" else operation("-", Number(0.0), inner)
            case ir.Binary():
                return self._binary(code, value, instr, depth)
            case ir.Choice():
                return self._choice(code, instr, depth)
            case ir.Load():
                return self._local(code, value, instr, depth)
            case ir.Name() | ir.Field():
                return self._field(code, value)
            case ir.Call() | ir.New():
                return self._call(code, value, instr, depth)
            case ir.Index() if not self.is_tainted(code, value):
                array, index = expression(code, instr.array), expression(code, instr.index)
                return self.name(f"{array}[{index}]", code.ref) if array and index else None
            case _:
                return None

    def _cast(self, code: Code, instr: ir.Cast, depth: int) -> Term | None:
        inner = self.of(code, instr.value, depth)
        if inner is None or not depends(inner):
            return inner
        if instr.type in _WHOLE and self._is_broken(code, instr.value):
            return operation("trunc", inner)
        return inner

    def _is_broken(self, code: Code, value: int) -> bool:
        type_ = code.context.type_of(value)
        return type_ is None or (unboxed(type_) or "") not in _WHOLE

    def _binary(self, code: Code, value: int, instr: ir.Binary, depth: int) -> Term | None:
        op = "<<" if instr.op == "<<" else ">>" if instr.op == ">>>" else instr.op
        if op not in _OPERATORS:
            return None
        type_ = code.context.type_of(value)
        if type_ == STRING:
            return None
        left, right = self.of(code, instr.left, depth), self.of(code, instr.right, depth)
        if left is None or right is None:
            return None
        if op == "/":
            sides = [self._is_broken(code, side) for side in (instr.left, instr.right)]
            known = type_ is not None and (unboxed(type_) or "") in (*_WHOLE, *_BROKEN)
            if not known and any(sides):
                return None
            op = "div" if known and (unboxed(type_) or "") in _WHOLE else "/"
        return joined(op, left, right)

    def _choice(self, code: Code, instr: ir.Choice, depth: int) -> Term | None:
        then, other = instr.then, instr.other
        if self.is_tainted(code, instr.test):
            if self.asks_presence(code, instr.test):
                arms = [arm for arm in (then, other) if self.is_tainted(code, arm)]
                return self.of(code, arms[0], depth) if len(arms) == 1 else None
            return self._chosen_by(
                code, instr.test, self.of(code, then, depth), self.of(code, other, depth), depth
            )
        arms = [arm for arm in (then, other) if self.is_tainted(code, arm)]
        others = [arm for arm in (then, other) if not self.is_tainted(code, arm)]
        if len(arms) == 1 and number_of(self.uses, code, others[0]) is not None:
            return self.of(code, arms[0], depth)
        return None

    def _chosen_by(
        self, code: Code, test: int, then: Term | None, other: Term | None, depth: int
    ) -> Term | None:
        compared = code.code[test]
        if not isinstance(compared, ir.Binary) or compared.op not in COMPARISONS:
            return None
        left, right = self.of(code, compared.left, depth), self.of(code, compared.right, depth)
        if left is None or right is None or then is None or other is None:
            return None
        return chosen(compared.op, left, right, then, other)

    # -- locals --------------------------------------------------------------------------------------------

    def _local(self, code: Code, value: int, load: ir.Load, depth: int) -> Term | None:
        if load.up:
            return self._outer(code, value, load, depth)
        seen = reaching(code.context, load.slot, value)
        if not seen.stores:
            return self._entry(code, load.slot)
        return self._reached(code, value, load.slot, seen.stores, seen.entry, depth)

    def _outer(self, code: Code, value: int, load: ir.Load, depth: int) -> Term | None:
        context = code.context.outer(load.up)
        if context is None:
            return None
        where = self.uses.code(context.ref)
        stores = where.stores.get(load.slot, ())
        if not stores:
            return self._entry(where, load.slot)
        store = where.code[stores[0]]
        if len(stores) != 1 or not isinstance(store, ir.Store):
            return None
        return self.of(where, store.value, depth)

    def _entry(self, code: Code, slot: int) -> Term | None:
        key = (code.ref, "parameter", slot)
        if key in self._given:
            return self._given[key]
        if not code.context.is_parameter(slot) or slot >= len(
            self.program.member(code.ref).params
        ):
            return None
        return self.name(code.context.body.locals[slot].name, code.ref)

    def _reached(
        self, code: Code, value: int, slot: int, stores: tuple[int, ...], entry: bool, depth: int
    ) -> Term | None:
        """Return what a local is of which several assignments reach a use, latest first."""
        last, rest = stores[0], stores[1:]
        store = code.code[last]
        if not isinstance(store, ir.Store) or any(one > value for one in stores):
            return self._unless_tainted(code, value, slot, stores, entry)
        if not rest and not entry:
            term = self.of(code, store.value, depth)
            if term is not None or self.is_tainted(code, store.value):
                return term
            return self.name(code.context.body.locals[slot].name, code.ref)
        tainted = [one for one in stores if self._is_tainted_store(code, one)]
        arm = self._arm(code, last, value)
        if arm is not None and self.is_tainted(code, code.code[arm].test):  # type: ignore[union-attr]
            branch = code.code[arm]
            assert isinstance(branch, ir.If)
            if not self.asks_presence(code, branch.test):
                if any(branch.then_start <= one < branch.stop for one in rest):
                    return self._both_arms(code, branch, stores, entry, depth)
                if entry and not rest:
                    before = self._entry(code, slot)
                elif rest:
                    before = self._reached(code, arm, slot, rest, entry, depth)
                else:
                    return None
                now = self.of(code, store.value, depth)
                first, other = (now, before) if last < branch.else_start else (before, now)
                return self._chosen_by(code, branch.test, first, other, depth)
        entered = entry and (code.ref, "parameter", slot) in self._given
        if not tainted:
            return self._unless_tainted(code, value, slot, stores, entry)
        plain = [one for one in stores if one not in tainted]
        if len(tainted) != 1 or entered or (entry and code.context.is_parameter(slot)):
            return None
        if any(self._decides(code, one) for one in (*plain, tainted[0])):
            return None
        if not all(self._is_plain(code, one) for one in plain):
            return None
        chosen_ = code.code[tainted[0]]
        assert isinstance(chosen_, ir.Store)
        return self.of(code, chosen_.value, depth)

    def _both_arms(
        self, code: Code, branch: ir.If, stores: tuple[int, ...], entry: bool, depth: int
    ) -> Term | None:
        """Return what a local is that each arm assigns once."""
        then = [one for one in stores if branch.then_start <= one < branch.else_start]
        other = [one for one in stores if branch.else_start <= one < branch.stop]
        if entry or len(then) != 1 or len(other) != 1 or len(stores) != 2:
            return None
        found: list[Term | None] = []
        for one in (then[0], other[0]):
            store = code.code[one]
            found.append(
                self.of(code, store.value, depth) if isinstance(store, ir.Store) else None
            )
        return self._chosen_by(code, branch.test, found[0], found[1], depth)

    def _arm(self, code: Code, store: int, use: int) -> int | None:
        """Return the innermost condition that decides over an assignment, if it is the only one that does not decide over the use."""
        around = [
            number
            for number in code.branches
            if isinstance(branch := code.code[number], ir.If)
            and branch.then_start <= store < branch.stop
            and not branch.then_start <= use < branch.stop
        ]
        return around[0] if len(around) == 1 else None

    def _is_plain(self, code: Code, index: int) -> bool:
        """Tell whether an assignment gives a constant: what a setting is where it is not set."""
        store = code.code[index]
        if not isinstance(store, ir.Store) or store.value == NONE:
            return False
        given = code.code[store.value]
        return isinstance(given, ir.Const) or number_of(self.uses, code, store.value) is not None

    def _is_tainted_store(self, code: Code, index: int) -> bool:
        store = code.code[index]
        return not isinstance(store, ir.Store) or self.is_tainted(code, store.value)

    def _unless_tainted(
        self, code: Code, value: int, slot: int, stores: tuple[int, ...], entry: bool
    ) -> Term | None:
        """Return the name of a local that the value is not in."""
        if any(self._is_tainted_store(code, one) or self._decides(code, one) for one in stores):
            return None
        if entry and (code.ref, "parameter", slot) in self._given:
            return None
        return self.name(code.context.body.locals[slot].name, code.ref)

    # -- fields and calls ----------------------------------------------------------------------------------

    def _field(self, code: Code, value: int) -> Term | None:
        field = code.context.field_of(value)
        if field is not None:
            if field in self._given:
                return self._given[field]
            if field in self._cells:
                return None
        number = number_of(self.uses, code, value)
        if number is not None:
            return Number(number)
        return None if self.is_tainted(code, value) else self.named(code, value)

    def _call(self, code: Code, value: int, call: ir.Call | ir.New, depth: int) -> Term | None:
        result = self._result(code, value)
        if result is not None:
            return result[0]
        for row in self.uses.rows.all_conversions(code, value):
            known, term = self._converted(code, value, call, row, depth)
            if known:
                return term
        for place, arg in enumerate(call.args):
            if self.uses.rows.gives_default(code, value, place) and self.is_tainted(code, arg):
                return self.of(code, arg, depth)
        if self.is_tainted(code, value):
            return None
        number = number_of(self.uses, code, value)
        return Number(number) if number is not None else self.named(code, value)

    def _result(self, code: Code, value: int) -> tuple[Term | None] | None:
        """Return what a call gives of which the path says it."""
        for target in code.context.targets(value):
            for ref in (target, *self.program.overriders(target)[:_WRITERS]):
                key = ("result", ref)
                if key in self._given:
                    return (self._given[key],)
        return None

    def _converted(
        self, code: Code, value: int, call: ir.Call | ir.New, row: ConversionRow, depth: int
    ) -> tuple[bool, Term | None]:
        """Tell whether a row says what a call makes of its arguments, and what that is."""
        operands = [self._operand(call, place) for place in row.sources]
        if row.computes is not None:
            terms = [self.of(code, one, depth) for one in operands]
            known = [term for term in terms if term is not None]
            return True, computed(row.computes, known) if len(known) == len(terms) else None
        tainted = [
            (place, one)
            for place, one in zip(row.sources, operands, strict=True)
            if one != NONE and self.is_tainted(code, one)
        ]
        if row.target != RETURN or row.asks is not None or len(tainted) != 1:
            return False, None
        place, operand = tainted[0]
        use = Use(code.ref, value, Role.ARGUMENT, START, operand, place)
        says = self.uses.rows.value(code, value, place) is not None
        trace = self.uses.transfer.converted(code, value, row, place, says, use)
        if trace is None or trace.relation is not Relation.SAME:
            return True, None
        inner = self.of(code, operand, depth)
        factor = self._factor(code, value, row)
        if inner is None or factor is None:
            return True, None
        kind = kind_of(self.program, code.context.type_of(value))
        whole = kind in NUMBERS and (unboxed(code.context.type_of(value)) or "") in _WHOLE
        made = scaled(inner, factor * row.factor, whole=whole)
        if whole and self._makes_whole(code, operand):
            made = None if made is None else operation("trunc", made)
        return True, made

    def is_number(self, code: Code, *values: int) -> bool:
        """Tell whether expressions are numbers."""
        types = [code.context.type_of(value) for value in values]
        return all(
            type_ is not None and (unboxed(type_) or "") in (*_WHOLE, *_BROKEN) for type_ in types
        )

    def _makes_whole(self, code: Code, operand: int) -> bool:
        type_ = code.context.type_of(operand)
        return type_ is not None and (unboxed(type_) or "") in _BROKEN

    def _factor(self, code: Code, index: int, row: ConversionRow) -> float | None:
        """Return what a conversion multiplies by; an object with a unit of its own is a number of nanoseconds, or of bytes."""
        rows = self.uses.rows
        before = row.from_unit or rows.unit_at(code, index, row.from_unit_argument)
        after = row.to_unit or rows.unit_at(code, index, row.to_unit_argument)
        if not before and row.from_unit_argument is not None:
            return None
        if not after and row.to_unit_argument is not None:
            return None
        for table in (NANOS, BYTES):
            if before in table or after in table:
                return table.get(before, 1.0) / table.get(after, 1.0)
        return None if before or after else 1.0

    @staticmethod
    def _operand(call: ir.Call | ir.New, place: int) -> int:
        if place == RECEIVER:
            return call.object if isinstance(call, ir.Call) else NONE
        return call.args[place] if 0 <= place < len(call.args) else NONE

    # -- names --------------------------------------------------------------------------------

    def named(self, code: Code, value: int) -> Term | None:
        """Return an expression that the value is not in as a name; ``None`` for a long one."""
        text = expression(code, value)
        if not text:
            return None
        local = any(isinstance(code.code[inner], ir.Load) for inner in code.inside(value))
        field = code.context.field_of(value)
        owner = field.owner if field is not None else code.ref.owner
        return self.name(text, code.ref if local else None, owner)

    def name(self, text: str, within: MemberRef | None, owner: str = "") -> Term | None:
        """Return a name; ``None`` where another class or body calls something else so."""
        mark = (within.owner if within is not None else owner, within)
        known = self._names.setdefault(text, mark)
        if known[0] != mark[0] or (known[1] != within and None not in (known[1], within)):
            return None
        return Name(text)
