"""Places at which numbers on one side of a bound become others, are rejected, or are not used.

Terms
    fact       one such place: a comparison and an arm of it, ``Math.max``, a call that rejects a range, a loop that does not run.
    bound      that of the value as it is set: the term on the way is solved for it.

Absent: whether all uses of the value come to such a place (``adjusted``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.domain import Role
from conflens.flow.terms import VALUE, Term, written
from conflens.flow.uses import Uses
from conflens.flow.ways import FIELD, Node, Ways, expression, number_beside, number_of
from conflens.flow.widths import WHOLE
from conflens.models.load import Models
from conflens.models.schema import RangeRow
from conflens.options.inference.bound_fact import (
    Bound,
    Fact,
    Statement,
    bound_of,
    field_name,
    is_outside,
    place_of,
    set_to,
    without,
)
from conflens.options.inference.conditions import (
    FLIPPED,
    ORDERINGS,
    Condition,
    Limit,
    Span,
    after,
    after_failure,
    arms,
    as_limit,
    assigned,
    compared_only,
    conditions,
    ends_early,
    leaves,
    only_reports,
    stored,
    switches,
    tests_first,
)
from conflens.options.inference.rejected_values import ends_in_exception, is_caught, is_sure
from conflens.options.model import Effect
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.types import unboxed

_NUMBERS = WHOLE | {"float", "double"}
_MOST = 100
"""Places at which a body uses a number: where there are more, nothing is said of its conditions."""
_OFF = (0.0, -1.0)
"""Values at and below which something is taken to be off; also a single one of them."""
_ENDLESS = (float(2**31 - 1), float(2**63 - 1))


class Facts:
    """Finds facts in the bodies of one program."""

    def __init__(self, uses: Uses, models: Models) -> None:
        """Look into bodies by ``uses``."""
        self.uses, self.models, self.program = uses, models, uses.program

    def of_node(self, ways: Ways, node: Node) -> Iterator[Fact]:
        term = ways.terms[node]
        if term is None or node.value == FIELD:
            return
        code = self.uses.code(node.ref)
        takers = code.takers.get(node.value)
        if not takers:
            return
        found = conditions(code, self.uses.rows, self.models)
        for condition in found.get(node.value, ()):
            yield from self._of_condition(ways, code, node, term, condition)
        yield from self._of_loops(ways, code, node, term)
        for taker in dict.fromkeys(takers):
            instr = code.code[taker]
            if isinstance(instr, (ir.Call, ir.New)):
                yield from self._of_call(ways, code, node, term, taker, instr)
            elif isinstance(instr, ir.NewArray) and node.value in instr.dims:
                lower = bound_of(ways, code, node, term, "<", 0.0)
                yield from self._rejected(ways, code, node, taker, lower)
            elif isinstance(instr, ir.Binary) and instr.op in ("/", "%"):
                whole = unboxed(code.context.type_of(taker)) in WHOLE
                if whole and instr.right == node.value != instr.left:
                    zero = bound_of(ways, code, node, term, "==", 0.0)
                    yield from self._rejected(ways, code, node, taker, zero)

    def _of_loops(self, ways: Ways, code: Code, node: Node, term: Term) -> Iterator[Fact]:
        """Yield loops that do not run for few: ``for (int i = 0; i < v; i++)``."""
        for use in ways.uses.get(node, ()):
            test = code.code[use.index] if use.role is Role.LOOP else None
            loop = next((one for one in code.loops if tests_first(code, one, use.index)), NONE)
            if not isinstance(test, ir.Binary) or loop == NONE or test.op not in FLIPPED:
                continue
            first = self._first(code, use.other, loop)
            # ``i < v`` fails at once for ``v <= first``.
            op = test.op if test.left == node.value else FLIPPED[test.op]
            bound = None
            if first is not None and op in (">", ">="):
                bound = bound_of(ways, code, node, term, "<=" if op == ">" else "<", first)
            found = self._off(bound, ((use.index, use.index + 1),)) if bound is not None else None
            if bound is not None and found is not None:
                instr = code.code[loop]
                assert isinstance(instr, ir.Loop)
                # Where one success ends a loop, it is not off without it: it tries nothing.
                effect = Effect.IGNORED if ends_early(code, instr) else Effect.OFF
                yield Fact(
                    Statement(bound, effect, ""),
                    node,
                    ways.families[node],
                    use.index,
                    place_of(code, use.index),
                    ((use.index, use.index + 1), (instr.body_start, instr.stop)),
                    tests=frozenset({use.index}),
                )

    def _first(self, code: Code, value: int, loop: int) -> float | None:
        """Return with which number the variable of a loop begins."""
        load = code.code[value] if value != NONE else None
        if not isinstance(load, ir.Load) or load.up:
            return None
        before = [index for index in code.stores.get(load.slot, ()) if index < loop]
        store = code.code[before[-1]] if before else None
        if not isinstance(store, ir.Store) or not store.declares:
            return None
        return number_of(self.uses, code, store.value)

    def _rejected(
        self, ways: Ways, code: Code, node: Node, at: int, bound: Bound | None
    ) -> Iterator[Fact]:
        if bound is not None and not is_caught(code, at):
            statement = Statement(bound, Effect.THROWS, "")
            spans = ((at, at + 1), after_failure(code, at))
            fields = self._kept_out(ways, code, node, at)
            family = ways.families[node]
            yield Fact(statement, node, family, at, place_of(code, at), spans, frozenset(), fields)

    def _kept_out(self, ways: Ways, code: Code, node: Node, at: int) -> frozenset[MemberRef]:
        """Return the fields that never hold what an exception at ``at`` rejects: there is no object if a constructor fails."""
        if self.program.member(code.ref).kind != "constructor" or not is_sure(
            code, 0, at, rejects=False
        ):
            return frozenset()
        family, found = ways.families[node], set[MemberRef]()
        own = code.context.field_of(node.value)
        if own is not None:
            found.add(own)
        for source, links in ways.links.items():
            if source.ref == code.ref and ways.families.get(source) == family:
                found.update(link.target.ref for link in links if link.target.value == FIELD)
        return frozenset(field for field in found if self._is_filled_here(ways, field, code.ref))

    def _of_call(
        self, ways: Ways, code: Code, node: Node, term: Term, at: int, call: ir.Call | ir.New
    ) -> Iterator[Fact]:
        place = next((number for number, arg in enumerate(call.args) if arg == node.value), NONE)
        if place == NONE:
            return
        for row in self.uses.rows.ranges(code, at):
            if row.argument == place:
                for op, number in (("<", self._least(code, call, row)), (">", row.maximum)):
                    if number is not None:
                        bound = bound_of(ways, code, node, term, op, number)
                        yield from self._rejected(ways, code, node, at, bound)
        conversion = next(iter(self.uses.rows.conversions(code, at, place)), None)
        computes = conversion.computes if conversion is not None else None
        others = [arg for number, arg in enumerate(call.args) if number != place]
        if computes == "max" and len(others) == 1:
            yield from self._clamped(ways, code, node, term, at, "<", others[0])
        elif computes == "min" and len(others) == 1:
            yield from self._clamped(ways, code, node, term, at, ">", others[0])
        elif computes == "clamp" and place == 0 and len(others) == 2:
            yield from self._clamped(ways, code, node, term, at, "<", others[0])
            yield from self._clamped(ways, code, node, term, at, ">", others[1])

    def _least(self, code: Code, call: ir.Call | ir.New, row: RangeRow) -> float | None:
        """Return the smallest legal number of a range: perhaps another argument, if that is a constant."""
        if row.least is None or row.least >= len(call.args):
            return row.minimum
        other = number_of(self.uses, code, call.args[row.least])
        known = [one for one in (other, row.minimum) if one is not None]
        return max(known, default=None)

    def _clamped(
        self, ways: Ways, code: Code, node: Node, term: Term, at: int, op: str, other: int
    ) -> Iterator[Fact]:
        if Node(node.ref, other, node.stack) in ways.terms:
            return
        number = number_beside(self.uses, node, other)
        if number is not None:
            bound = bound_of(ways, code, node, term, op, number)
            to = set_to(ways, term, number)
        else:
            bound, to = self._named(code, term, op, other)
        if bound is not None:
            effect = Effect.RAISED if bound.side == "lower" else Effect.LOWERED
            effect = effect if to else Effect.RESET
            yield Fact(
                Statement(bound, effect, to),
                node,
                ways.families[node],
                at,
                place_of(code, at),
                ((at, at + 1),),
            )

    def _named(self, code: Code, term: Term, op: str, other: int) -> tuple[Bound | None, str]:
        """Return the bound that a field is, which is no constant."""
        field = code.context.field_of(other)
        text = expression(code, other) if term == VALUE and field is not None else ""
        if not text or field is None:
            return None, ""
        side = "lower" if op in ("<", "<=") else "upper"
        final = self.program.member(field).modifiers & Modifier.FINAL
        constant = final and self.program.is_static(field)
        if constant and not self._is_public(field):
            return None, ""
        holder = "" if constant else field_name(self.program, field)
        return Bound(side, 0.0, op in ("<=", ">="), text, holder), text

    def rejecting(self, ways: Ways, code: Code, value: int) -> Iterator[Bound]:
        """Yield for which numbers at an instruction a branch ends in an exception."""
        for one in conditions(code, self.uses.rows, self.models).get(value, ()):
            branch = isinstance(code.code[one.at], ir.If)
            number = number_of(self.uses, code, one.other) if branch else None
            if number is not None and ends_in_exception(code, *arms(code, one)[0]):
                bound = bound_of(ways, code, Node(code.ref, value), VALUE, one.op, number)
                if bound is not None and one.unless is None:
                    yield bound

    # -- conditions ---------------------------------------------------------------------------------------

    def _of_condition(
        self, ways: Ways, code: Code, node: Node, term: Term, condition: Condition
    ) -> Iterator[Fact]:
        if Node(node.ref, condition.other, node.stack) in ways.terms:
            return
        checked = isinstance(code.code[condition.at], ir.Call)
        if not checked and len(ways.together(node)) > _MOST:
            return
        number = number_beside(self.uses, node, condition.other)
        if number is not None:
            bound = bound_of(ways, code, node, term, condition.op, number)
        elif condition.op in ORDERINGS:
            bound, _ = self._named(code, term, condition.op, condition.other)
        else:
            bound = None
        if bound is None:
            return
        found = self._effect(ways, code, node, term, condition, bound)
        if found is None:
            return
        tests, bounds = frozenset({condition.test}), None
        if condition.unless is not None:
            unless = condition.unless
            number = number_of(self.uses, code, unless.other)
            if found[0] is not Effect.THROWS or number is None:
                return
            single = bound_of(ways, code, node, term, "==", number)
            if single is None or unless.value not in ways.together(node):
                return
            tests, bounds = tests | {unless.test}, without(bound, single.value)
        effect, to, spans, loads, field = found
        plain = bound.side == "lower" and not (bound.name or bound.strict)
        if effect is Effect.RESET and plain and to == written(bound.value - 1):
            # ``v <= 2 ? 2 : v`` makes another value of what is below 2 only.
            effect, bound = Effect.RAISED, bound._replace(value=bound.value - 1)
        fields = frozenset[MemberRef]() if field is None else frozenset((field,))
        if effect is Effect.THROWS:
            fields = self._kept_out(ways, code, node, condition.at)
        for one in (bound,) if bounds is None else bounds:
            yield Fact(
                Statement(one, effect, to),
                node,
                ways.families[node],
                condition.test,
                place_of(code, condition.test),
                spans,
                loads,
                fields,
                tests,
            )

    def _effect(
        self,
        ways: Ways,
        code: Code,
        node: Node,
        term: Term,
        condition: Condition,
        bound: Bound,
    ) -> tuple[Effect, str, tuple[Span, ...], frozenset[int], MemberRef | None] | None:
        at = condition.at
        instr = code.code[at]
        arm, spared = arms(code, condition)
        none: frozenset[int] = frozenset()
        match instr:
            case ir.Call():
                return Effect.THROWS, "", (after(code, at),), none, None
            case ir.ShortCircuit():
                others = compared_only(code, spared, ways.together(node))
                if others and all(number_of(self.uses, code, one) is not None for one in others):
                    return None  # one value is told from others
                limit = as_limit(code, self.uses.rows, spared, ways.together(node))
                if limit is None or (instr.op == "&&" and limit is Limit.WITHIN):
                    return self._off(bound, (spared,))
                if (instr.op == "||") != (limit is Limit.WITHIN):
                    return None
                return self._off(bound, (spared,), Effect.UNLIMITED)
            case ir.Choice():
                return self._chosen(ways, code, node, condition, bound, instr)
            case ir.If():
                if ends_in_exception(code, *arm):
                    return Effect.THROWS, "", (arm, spared, after(code, at)), none, None
                replaced = self._replaced(ways, code, node, term, condition, bound)
                if replaced is not None:
                    effect, to, loads, field = replaced
                    return effect, to, (spared,), loads, field
                exit_ = leaves(code, arm)
                if exit_ is not None:
                    spans = (spared, after(code, at))
                    return self._left(ways, code, node, term, exit_, bound, spans)
                instead = self._otherwise(ways, code, node, arm, spared, bound)
                if instead is not None:
                    return *instead, (spared,), none, None
                quiet = only_reports(code, self.uses.rows, arm)
                kept = self._only_kept(ways, code, node, spared)
                if quiet and not bound.name and kept is not None:
                    effect, to = self._held_before(ways, code, term, kept)
                    return effect, to, (spared,), none, None
                if quiet and only_reports(code, self.uses.rows, spared):
                    return None
                same = ways.together(node)
                if quiet and as_limit(code, self.uses.rows, spared, same) is Limit.BEYOND:
                    return self._off(bound, (spared,), Effect.UNLIMITED)
                off = quiet and switches(code, self.uses.rows, spared, same)
                return self._off(bound, (spared,), Effect.OFF if off else Effect.IGNORED)
            case _:
                return None

    @staticmethod
    def _off(
        bound: Bound, spans: tuple[Span, ...], effect: Effect = Effect.OFF
    ) -> tuple[Effect, str, tuple[Span, ...], frozenset[int], None] | None:
        """Return that values switch something off, where they are such that people mean that by them."""
        edge = bound.value - 1 if bound.side == "lower" and not bound.strict else bound.value
        usual = edge in _OFF or (bound.side == "not" and bound.value in _ENDLESS)
        if bound.name or bound.side == "upper" or not usual:
            return None
        return effect, "", spans, frozenset(), None

    def _chosen(
        self,
        ways: Ways,
        code: Code,
        node: Node,
        condition: Condition,
        bound: Bound,
        choice: ir.Choice,
    ) -> tuple[Effect, str, tuple[Span, ...], frozenset[int], None] | None:
        at = condition.at
        given, other = choice.then, choice.other
        if not condition.truth:
            given, other = other, given
        _, spared = arms(code, condition)
        spans: tuple[Span, ...] = (spared, (at, at + 1))
        if Node(node.ref, given, node.stack) in ways.terms:
            return None
        term = ways.terms.get(Node(node.ref, other, node.stack))
        instead = code.code[given]
        nothing = isinstance(instead, ir.Const) and instead.kind == "n"
        if Node(node.ref, other, node.stack) not in ways.terms:
            return self._off(bound, (spared,), Effect.OFF if nothing else Effect.IGNORED)
        if nothing:
            return self._off(bound, spans)
        found = self._instead(ways, code, term, given, bound)
        return None if found is None else (*found, spans, frozenset(), None)

    def _instead(
        self, ways: Ways, code: Code, term: Term | None, value: int, bound: Bound
    ) -> tuple[Effect, str] | None:
        """Return what values outside of a bound count as, if ``value`` stands for ``term`` of them."""
        if term is None:
            return None
        number = number_of(self.uses, code, value)
        if number is not None:
            to = set_to(ways, term, number)
            if not to:
                return Effect.RESET, ""
            as_set = float(to)
            if not bound.name and bound.side != "not" and as_set == bound.value:
                effect = Effect.RAISED if bound.side == "lower" else Effect.LOWERED
                return effect, to
            # What is itself outside of the bound marks something, of which nothing can be said.
            marks = is_outside(bound, as_set) and as_set != bound.value - 1
            return Effect.RESET, "" if marks else to
        text = expression(code, value) if term == VALUE else ""
        if not text:
            # Something else is used, of which nothing can be said.
            return Effect.RESET, ""
        if text == bound.name:
            return (Effect.RAISED if bound.side == "lower" else Effect.LOWERED), text
        field = code.context.field_of(value)
        return Effect.RESET, text if field is not None and self._is_public(field) else ""

    def _is_public(self, field: MemberRef) -> bool:
        """Tell whether users of a program may know a constant by its name."""
        wanted = Modifier.PUBLIC | Modifier.STATIC | Modifier.FINAL
        return (self.program.member(field).modifiers & wanted) == wanted

    def _replaced(
        self,
        ways: Ways,
        code: Code,
        node: Node,
        term: Term,
        condition: Condition,
        bound: Bound,
    ) -> tuple[Effect, str, frozenset[int], MemberRef | None] | None:
        """Return what an arm puts into the variable or field that was compared."""
        held = code.code[node.value]
        arm, stop = arms(code, condition)[0], code.region(condition.at)[1]
        if self._always_compared(code, node, condition.at):
            stop = len(code.code)
        for index in stored(code, arm):
            store = code.code[index]
            assert isinstance(store, (ir.Store, ir.StoreField))
            if Node(node.ref, store.value, node.stack) in ways.terms:
                continue
            if isinstance(store, ir.Store) and isinstance(held, ir.Load):
                if store.up or held.up or store.slot != held.slot:
                    continue
                found = self._instead(ways, code, term, store.value, bound)
                if found is None:
                    return None
                loads = frozenset(
                    load
                    for load in code.loads.get(store.slot, ())
                    if load < stop and index in reaching(code.context, store.slot, load).stores
                )
                return *found, loads, None
            if isinstance(store, ir.StoreField):
                target = code.context.target_field(store)
                if target is None or target != code.context.field_of(node.value):
                    continue
                found = self._instead(ways, code, term, store.value, bound)
                if found is None:
                    return None
                loads = frozenset(
                    number
                    for number in code.context.named(store.name).loads
                    if index < number < stop
                )
                alone = stop == len(code.code) and self._is_filled_here(ways, target, node.ref)
                return *found, loads, target if alone else None
        return None

    @staticmethod
    def _always_compared(code: Code, node: Node, at: int) -> bool:
        """Tell whether a variable or field that is given the number is compared in any case then."""
        held = code.code[node.value]
        if isinstance(held, ir.Load):
            seen = reaching(code.context, held.slot, node.value)
            starts = [*seen.stores, *((0,) if seen.entry else ())]
        else:
            field = code.context.field_of(node.value)
            if field is None or not isinstance(held, (ir.Name, ir.Field)):
                return False
            stores = code.context.named(held.name).stores
            starts = [index for index in stores if index < at][-1:]
        return bool(starts) and all(is_sure(code, start, at, rejects=False) for start in starts)

    def _otherwise(
        self, ways: Ways, code: Code, node: Node, arm: Span, spared: Span, bound: Bound
    ) -> tuple[Effect, str] | None:
        """Return what an arm puts where the other one puts the number."""
        given: dict[object, int] = {}
        for index in stored(code, arm):
            target = assigned(code, index)
            if target is not None:
                given[target] = index
        for index in range(*spared) if given else ():
            first = given.get(assigned(code, index))
            if first is None:
                continue
            store, other = code.code[index], code.code[first]
            assert isinstance(store, (ir.Store, ir.StoreField))
            assert isinstance(other, (ir.Store, ir.StoreField))
            held = Node(node.ref, store.value, node.stack)
            if held in ways.terms and Node(node.ref, other.value, node.stack) not in ways.terms:
                return self._instead(ways, code, ways.terms[held], other.value, bound)
        return None

    @staticmethod
    def _only_kept(ways: Ways, code: Code, node: Node, arm: Span) -> int | None:
        """Return the assignment to a field, which holds something else otherwise, if an arm does nothing else with a number."""
        kept = [code.code[index] for index in stored(code, arm)]
        stores = [instr for instr in kept if isinstance(instr, ir.StoreField)]
        family = ways.families[node]
        if len(kept) != 1 or len(stores) != 1:
            return None
        held = ways.families.get(Node(node.ref, stores[0].value, node.stack))
        return stored(code, arm)[0] if family == held else None

    def _held_before(self, ways: Ways, code: Code, term: Term, store: int) -> tuple[Effect, str]:
        """Return what values count as that are not put into a field: what it holds from the beginning, if nothing else is."""
        instr = code.code[store]
        field = code.context.target_field(instr) if isinstance(instr, ir.StoreField) else None
        if field is None:
            return Effect.IGNORED, ""
        first: list[float | None] = []
        for context, one in self.uses.values.stores(field):
            if context.ref == field:
                first.append(number_of(self.uses, self.uses.code(field), one.value))
            elif one is not instr:
                return Effect.IGNORED, ""
        if not first and self.program.member(field).type in _NUMBERS:
            first = [0.0]
        known = len(first) == 1 and first[0] is not None
        to = set_to(ways, term, first[0] or 0.0) if known else ""
        return (Effect.RESET, to) if to else (Effect.IGNORED, "")

    @staticmethod
    def _is_filled_here(ways: Ways, field: MemberRef, ref: MemberRef) -> bool:
        """Tell whether a field has the number from one body only."""
        return all(
            source.ref == ref
            for source, links in ways.links.items()
            for link in links
            if link.target == Node(field, FIELD)
        )

    def _left(
        self,
        ways: Ways,
        code: Code,
        node: Node,
        term: Term,
        exit_: ir.Return | ir.Jump,
        bound: Bound,
        spans: tuple[Span, ...],
    ) -> tuple[Effect, str, tuple[Span, ...], frozenset[int], None] | None:
        """Return what it means that a body is left for values outside of a bound."""
        same = ways.together(node)
        kinds = {
            code.code[taker].__class__
            for value in same
            for taker in code.takers.get(value, ())
            if any(start <= taker < stop for start, stop in spans)
        }
        if isinstance(exit_, ir.Return) and exit_.value != NONE and ir.Return in kinds:
            found = self._instead(ways, code, term, exit_.value, bound)
            return None if found is None else (*found, spans, frozenset(), None)
        limits = [
            as_limit(code, self.uses.rows, span, same) for span in spans if span[0] < span[1]
        ]
        if limits and all(one is Limit.BEYOND for one in limits):
            return self._off(bound, spans, Effect.UNLIMITED)
        return self._off(bound, spans, Effect.IGNORED if ir.StoreField in kinds else Effect.OFF)
