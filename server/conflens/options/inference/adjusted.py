"""What becomes of numbers outside of a bound: they are rejected, raised, lowered, replaced, or turn something off.

Terms
    covered    a link or use that values outside of the bound do not come to as they are, because of a fact (``bound_facts``).
    effective  a use by which a value shows: neither a text or log statement nor the comparison of a fact.

A statement needs facts that together cover all effective uses: what holds on one way only is not said, nor anything of a number that
the program's own look-up compares and perhaps replaces.  An exception is also known where each value that is read comes to it.  One
that comes to all uses, but that perhaps nobody notices, makes them fail.
Absent: following (``flow.ways``), what declarations state (``limits``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import attrs

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Role, Use
from conflens.flow.rows import Rows
from conflens.flow.terms import VALUE
from conflens.flow.uses import Uses
from conflens.flow.ways import FIELD, Link, Node, Ways, number_beside, ways_of
from conflens.models.load import Models
from conflens.options.inference.bound_fact import (
    Bound,
    Fact,
    Statement,
    bound_of,
    field_name,
    holds_in,
    includes,
    overlap,
)
from conflens.options.inference.bound_facts import Facts
from conflens.options.inference.conditions import (
    FLIPPED,
    ORDERINGS,
    Span,
    is_reported,
    only_logs,
    only_reports,
)
from conflens.options.inference.overwritten import Overwritten
from conflens.options.inference.rejected_values import is_caught, is_sure
from conflens.options.inference.thrown import Thrown
from conflens.options.model import NUMERIC, Adjustment, Effect
from conflens.options.sites import Inference, Site
from conflens.program.refs import MemberRef

_MOST = 100
"""Statements of one number that are judged: where there are more, nothing is said."""
_THROWABLE = "java.lang.Throwable"
_Test = tuple[MemberRef, int]
"""A comparison."""
_REPLACED = (Effect.RAISED, Effect.LOWERED, Effect.RESET)
_SPANS = (Role.ARITHMETIC, Role.CAST)
"""Roles of uses that only make another number, which is followed."""


class Adjusted:
    """Finds adjustments of numbers in one program."""

    def __init__(self, uses: Uses, models: Models) -> None:
        """Look into bodies by ``uses``."""
        self.uses = uses
        self.facts = Facts(uses, models)
        self.thrown = Thrown(uses, models)
        self.overwritten = Overwritten(uses, models)
        self.models = models
        self.program = uses.program

    def read(self, site: Site, starts: Sequence[int], found: Inference) -> Inference:
        """Add to what is known of a read what becomes of its values."""
        if found.type not in NUMERIC or is_test_path(site.ref.path):
            return found
        if site.through is not None:
            found = attrs.evolve(found, files=found.files | {site.through.path})
            if self._replaces(site.through):
                return found
        places = [(site.ref, start) for start in starts]
        key = ("adjusted", *places)
        return self._added(found, key, lambda: ways_of(self.uses, places), site.ref)

    def member(self, ref: MemberRef, slot: int, found: Inference) -> Inference:
        """Add to what is known of a member that is given an option's value, or of a parameter of it, what becomes of the values."""
        if found.type not in NUMERIC:
            return found
        kind = self.program.member(ref).kind
        if kind not in ("method", "constructor"):
            return self._added(found, ("adjusted", ref), lambda: ways_of(self.uses, fields=[ref]))
        if slot != NONE:
            key: tuple[object, ...] = ("adjusted", ref, slot)
            return self._added(
                found, key, lambda: ways_of(self.uses, parameters=[(ref, slot)]), ref
            )
        return self._added(found, ("adjusted", ref), lambda: ways_of(self.uses, results=[ref]))

    def _replaces(self, ref: MemberRef) -> bool:
        """Tell whether a method of the program that looks a number up compares it, and may give another one then."""

        def look() -> bool:
            code = self.uses.code(ref).code
            given = [one for one in code if isinstance(one, ir.Return) and one.kind == "return"]
            compared = any(isinstance(one, ir.Binary) and one.op in ORDERINGS for one in code)
            return len(given) > 1 and compared

        return self.uses.values.trail.remembered(("replaces", ref), look)

    def _added(
        self,
        found: Inference,
        key: tuple[object, ...],
        follow: Callable[[], Ways],
        reading: MemberRef | None = None,
    ) -> Inference:
        def make() -> tuple[tuple[Adjustment, ...], frozenset[str], Ways]:
            ways = follow()
            held = frozenset(
                field_name(self.program, node.ref)
                for node, term in ways.terms.items()
                if node.value == FIELD and term == VALUE
            )
            return self.of(ways, reading), held, ways

        adjusted, held, ways = self.uses.values.trail.remembered(key, make)
        return attrs.evolve(
            found,
            adjusted=adjusted,
            held=held,
            files=found.files | ways.files,
            names=found.names | ways.names,
        )

    def of(self, ways: Ways, reading: MemberRef | None = None) -> tuple[Adjustment, ...]:
        """Return what becomes of values of a number whose ways are known; ``reading``: the body that reads it."""
        facts = [fact for node in list(ways.terms) for fact in self.facts.of_node(ways, node)]
        if not facts:
            return ()
        groups: dict[Statement, list[Fact]] = {}
        for fact in facts:
            groups.setdefault(fact.statement, []).append(fact)
        if len(groups) > _MOST:
            return ()
        sure, tests = _Sure(self.uses, ways, self.overwritten), _tests(facts)
        kept: dict[Statement, list[Fact]] = {}
        failing = set[Statement]()
        reached: dict[Statement, set[tuple[Node, int]]] = {}
        asked: dict[Statement, set[_Test]] = {}
        for statement, group in groups.items():
            seen, unused, spared, others = self._uncovered(ways, statement, group, tests)
            reached[statement], asked[statement] = seen, others
            noticed = group
            if statement.effect is Effect.THROWS:
                noticed = [
                    fact
                    for fact in group
                    if self.thrown.surfaces(ways, fact.node, fact.at, reading)
                ]
            if unused and not spared and ways.complete and len(noticed) == len(group):
                kept[statement] = group
            elif statement.effect is Effect.THROWS:
                bound = statement.bound
                certain = [fact for fact in noticed if sure.comes_to(fact.node, fact.at, bound)]
                if certain:
                    kept[statement] = certain
                elif unused and ways.complete and not any(map(self.thrown.is_handled, group)):
                    kept[statement] = group
                    failing.add(statement)
        for statement in [one for one in kept if one.effect in _REPLACED]:
            if any(self._is_denied(ways, fact) for fact in kept[statement]):
                del kept[statement]
        for statement in failing:
            # Another body may use only what it has compared: the object may keep an exception from arising.
            if _is_compared(statement, groups, reached[statement]):
                del kept[statement]
        for statement in [one for one in kept if one.effect is Effect.OFF]:
            if statement._replace(effect=Effect.UNLIMITED) in kept:
                del kept[statement]  # what is off is the limit
        before = -1
        while before != len(kept):
            # What a value is tested for must be known, too: it counts as another one otherwise, but for the test.
            before = len(kept)
            told = _tests(
                fact
                for one, group in kept.items()
                if not _is_exempt(one, group, reached, kept)
                or _is_exempt(one, group, reached, reached)
                for fact in group
            )
            kept = {one: group for one, group in kept.items() if asked[one] <= told}
        return tuple(
            Adjustment(
                one.bound.side,
                one.bound.value,
                one.bound.strict,
                one.bound.name,
                Effect.FAILS if one in failing else one.effect,
                one.to,
                min(fact.place for fact in group),
                one.bound.holder,
            )
            for one, group in sorted(kept.items(), key=lambda item: item[0])
            if not _is_exempt(one, group, reached, kept)
        )

    def _is_denied(self, ways: Ways, fact: Fact) -> bool:
        """Tell whether another caller of the method that replaces a number rejects it: one name may be asked for in several ways."""
        node = fact.node
        load = self.uses.code(node.ref).code[node.value]
        if not node.stack or not isinstance(load, ir.Load):
            return False
        users = self.uses.callers(node.ref)
        ways.files |= users.files
        ways.names |= {self.program.member(node.ref).name}
        for code, index in users.found:
            self.uses.values.trail.bodies.add(code.ref)
            call = code.code[index]
            if (code.ref, index) == tuple(node.stack[-1]) or not isinstance(
                call, (ir.Call, ir.New)
            ):
                continue
            given = code.code[call.args[load.slot]] if load.slot < len(call.args) else None
            for other in code.loads.get(given.slot, ()) if isinstance(given, ir.Load) else ():
                bounds = self.facts.rejecting(ways, code, other)
                if any(overlap(bound, fact.statement.bound) for bound in bounds):
                    return True
        return False

    # -- what all uses have in common --------------------------------------------------------------------

    def _uncovered(
        self,
        ways: Ways,
        statement: Statement,
        group: Sequence[Fact],
        tests: set[_Test],
    ) -> tuple[set[tuple[Node, int]], bool, bool, set[_Test]]:
        """Return where values outside of the bound come to as they are, whether they show nowhere there but in some comparisons,
        whether others may ask for those that an exception is for, and these comparisons: of other facts."""
        fields = frozenset[MemberRef]().union(*(fact.fields for fact in group))
        loads: dict[tuple[MemberRef, object], set[int]] = {}
        spans: dict[tuple[MemberRef, object], list[tuple[int, int]]] = {}
        for fact in group:
            key = (fact.node.ref, fact.family)
            loads.setdefault(key, set()).update(fact.loads)
            spans.setdefault(key, []).extend(fact.spans)
        joined = {key: _joined(found) for key, found in spans.items()}

        def covered(node: Node, taker: int) -> bool:
            if node.value == FIELD:
                return node.ref in fields
            key = (node.ref, ways.families.get(node))
            if key not in joined:
                return False
            at = bisect_right(joined[key], (taker, len(self.uses.code(node.ref).code)))
            return node.value in loads[key] or (at > 0 and taker < joined[key][at - 1][1])

        own, asked = _tests(group), set[_Test]()
        built = {fact.node.ref.owner for fact in group if self._is_in_making(fact)}
        seen: set[tuple[Node, int]] = set()
        unused, spared = True, False
        visited = set(ways.starts)
        queue = list(ways.starts)
        while queue:
            node = queue.pop()
            for use in ways.uses.get(node, ()):
                if covered(node, use.index):
                    continue
                seen.add((node, use.index))
                test = (node.ref, use.index)
                if not unused or test in own or (test in tests and not statement.to):
                    continue
                if self._is_effective(ways, statement, node, use):
                    unused = test in tests
                    asked |= {test} & tests
            links = ways.links.get(node, ())
            made = node.ref.owner in built and not self.program.is_static(node.ref)
            if statement.effect is Effect.THROWS and any(
                not (made or covered(node, taker)) for taker in self._given_away(node, links)
            ):
                spared = True  # who asks for it from outside may use it
            for taker, target in links:
                if not covered(node, taker):
                    seen.add((node, taker))
                    if statement.effect is Effect.THROWS and self._chooses(node, taker):
                        unused = False  # what is chosen instead of the number is not rejected
                    elif statement.to and not self.overwritten.chosen(
                        ways, node, taker, statement.bound
                    ):
                        unused = False  # nor does it count as the other one
                    elif unused and not covered(target, NONE):
                        stores = self.overwritten.between(ways, node, taker, target)
                        unused = self.overwritten.spares(ways, target, stores, statement.bound)
                    if target not in visited:
                        visited.add(target)
                        queue.append(target)
        return seen, unused, spared, asked

    def _is_in_making(self, fact: Fact) -> bool:
        """Tell whether a fact holds whenever an object is made."""
        ref = fact.node.ref
        if self.program.member(ref).kind != "constructor":
            return False
        return is_sure(self.uses.code(ref), 0, fact.at, rejects=False)

    def _given_away(self, node: Node, links: Sequence[Link]) -> Iterator[int]:
        """Yield where a body gives a number to callers that are not known."""
        code = self.uses.code(node.ref)
        known = {link.taker for link in links}
        for taker in code.takers.get(node.value, ()) if node.value != FIELD else ():
            instr = code.code[taker]
            if isinstance(instr, ir.Return) and instr.kind == "return" and taker not in known:
                yield taker

    def _chooses(self, node: Node, taker: int) -> bool:
        code = self.uses.code(node.ref).code
        return node.value != FIELD and taker < len(code) and isinstance(code[taker], ir.Choice)

    def _is_effective(self, ways: Ways, statement: Statement, node: Node, use: Use) -> bool:
        if use.role in _SPANS or use.index == NONE:
            return False
        code = self.uses.code(node.ref)
        rows = self.uses.rows
        if use.role is Role.COMPARED:
            other = code.code[use.other] if use.other != NONE else None
            if isinstance(other, ir.Const) and other.kind == "n":
                return False
            if statement.to and not self._tells_apart(ways, statement, node, use):
                return False
            return not self._only_reports(
                code, use.index, only_logs if statement.to else only_reports
            )
        if use.role is Role.LOOP and statement.to:
            return self._tells_apart(ways, statement, node, use)
        if use.role is Role.LOOP:
            # A loop up to nothing does not run.
            off = statement.effect in (Effect.OFF, Effect.IGNORED)
            few = statement.bound.side == "lower" and statement.bound.value <= 1
            loop = code.code[use.index]
            return not (off and few and isinstance(loop, ir.Binary) and loop.op in FLIPPED)
        if node in ways.texts and self._is_message(code, use):
            return False
        if use.role is Role.ARGUMENT:
            if any(taker == use.index for taker, _ in ways.links.get(node, ())):
                return False  # a conversion
            return not any(row.kind == "log" for row in rows.operations(code, use.index))
        return True

    def _tells_apart(self, ways: Ways, statement: Statement, node: Node, use: Use) -> bool:
        """Tell whether a comparison has another outcome for some value outside of a bound than for what that counts as."""
        code, term, outside = self.uses.code(node.ref), ways.terms.get(node), statement.bound
        test = code.code[use.index]
        number = number_beside(self.uses, node, use.other) if use.other != NONE else None
        if not isinstance(test, ir.Binary) or term is None or number is None or outside.name:
            return True
        op = test.op if test.left == node.value else FLIPPED.get(test.op, "")
        if op not in FLIPPED or not _is_number(statement.to):
            return True
        held = bound_of(ways, code, node, term, "==" if op == "!=" else op, number)
        if held is None:
            return True
        counted = holds_in(held, float(statement.to))
        return not includes(held, outside) if counted else overlap(held, outside)

    def _is_message(self, code: Code, use: Use) -> bool:
        """Tell whether a text is that of an exception, or goes where nobody in the program takes it."""
        if use.role is Role.RETURNED:
            return True
        instr = code.code[use.index]
        made = code.context.type_of(use.index) if isinstance(instr, ir.New) else None
        names = [code.ref.owner, *([made.name] if made is not None else [])]
        checks = self.models.checks_by_method.get(getattr(instr, "name", ""), ())
        owners = self.uses.rows.owners(code, use.index) if checks else ()
        return any(_THROWABLE in self.uses.rows.chain(name) for name in names) or any(
            row.type in owners for row in checks
        )

    def _only_reports(
        self, code: Code, test: int, reports: Callable[[Code, Rows, Span], bool]
    ) -> bool:
        """Tell whether a comparison decides only what is logged."""
        takers = code.takers.get(test, ())
        for taker in takers:
            instr = code.code[taker]
            if isinstance(instr, ir.If):
                spans = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
                if all(reports(code, self.uses.rows, span) for span in spans):
                    continue
            elif isinstance(instr, ir.Choice) and is_reported(code, self.uses.rows, taker):
                continue
            return False
        return bool(takers)


class _Sure:
    """Which instructions each value that is read comes to."""

    def __init__(self, uses: Uses, ways: Ways, overwritten: Overwritten) -> None:
        self._uses = uses
        self._ways = ways
        self._overwritten = overwritten
        self._entries: dict[Node, int] = {node: node.value for node in ways.starts}
        self._stores: dict[Node, dict[Node, tuple[int, ...]]] = {}
        """What may overwrite the variables that a value comes through to a node."""
        queue = [node for node in ways.starts if node.value != FIELD]
        while queue:
            node = queue.pop()
            links = ways.links.get(node, [])
            for taker, target in links:
                many = {link.target.ref for link in links if link.taker == taker}
                if target in self._entries or target.value == FIELD or len(many) > 1:
                    continue
                if isinstance(uses.code(node.ref).code[taker], ir.Choice):
                    continue
                if self._comes_to(node, taker):
                    self._entries[target] = self._entry(node, target)
                    stores = overwritten.between(ways, node, taker, target)
                    before = self._stores.get(node, {})
                    self._stores[target] = {**before, target: stores} if stores else before
                    queue.append(target)

    def _entry(self, source: Node, target: Node) -> int:
        """Return from where on a body has the number."""
        if (source.ref, source.stack) == (target.ref, target.stack):
            return self._entries[source]
        loaded = isinstance(self._uses.code(target.ref).code[target.value], ir.Load)
        return 0 if loaded else target.value

    def comes_to(self, node: Node, at: int, bound: Bound) -> bool:
        """Tell whether each value outside of a bound that is read comes to an instruction that takes it from a node."""
        return self._comes_to(node, at) and all(
            self._overwritten.spares(self._ways, target, stores, bound)
            for target, stores in self._stores.get(node, {}).items()
        )

    def _comes_to(self, node: Node, at: int) -> bool:
        entry = self._entries.get(node)
        if entry is None or node.value == FIELD:
            return False
        code = self._uses.code(node.ref)
        return is_sure(code, entry, at, rejects=False) and not is_caught(code, at)


def _tests(facts: Iterable[Fact]) -> set[_Test]:
    return {(fact.node.ref, test) for fact in facts for test in fact.tests}


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return what spans cover together, in order, without overlaps."""
    found: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        elif start < stop:
            found.append((start, stop))
    return found


def _is_exempt(
    one: Statement,
    group: Sequence[Fact],
    reached: dict[Statement, set[tuple[Node, int]]],
    kept: Container[Statement],
) -> bool:
    """Tell whether values outside of a bound never come to the facts of a statement as they are, or only some of them do and it
    is not said which."""
    for other, seen in reached.items():
        if other is one or not overlap(other.bound, one.bound):
            continue
        behind = all((fact.node, fact.at) not in seen for fact in group)
        if behind and (includes(other.bound, one.bound) or other not in kept):
            return True
    return False


def _is_compared(
    one: Statement, groups: dict[Statement, list[Fact]], seen: set[tuple[Node, int]]
) -> bool:
    """Tell whether values outside of a bound come to a test that makes something else of some of them."""
    return any(
        other.effect is not Effect.THROWS
        and overlap(other.bound, one.bound)
        and any((fact.node, fact.at) in seen for fact in group)
        for other, group in groups.items()
    )
