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
from conflens.flow.terms import VALUE
from conflens.flow.uses import Uses
from conflens.flow.ways import FIELD, Link, Node, Ways, ways_of
from conflens.models.load import Models
from conflens.options.inference.bound_fact import Bound, Fact, Statement, field_name
from conflens.options.inference.bound_facts import Facts
from conflens.options.inference.conditions import FLIPPED, ORDERINGS, is_reported, only_reports
from conflens.options.inference.rejected_values import is_caught, is_sure
from conflens.options.inference.thrown import Thrown
from conflens.options.model import NUMERIC, Adjustment, Effect
from conflens.options.sites import Inference, Site
from conflens.program.refs import MemberRef

_SPANS = (Role.ARITHMETIC, Role.CAST)
"""Roles of uses that only make another number, which is followed."""


class Adjusted:
    """Finds adjustments of numbers in one program."""

    def __init__(self, uses: Uses, models: Models) -> None:
        """Look into bodies by ``uses``."""
        self.uses = uses
        self.facts = Facts(uses, models)
        self.thrown = Thrown(uses, models)
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
        tests = {(fact.node.ref, test) for fact in facts for test in fact.tests}
        sure = _Sure(self.uses, ways)
        kept: dict[Statement, list[Fact]] = {}
        failing = set[Statement]()
        reached: dict[Statement, set[tuple[Node, int]]] = {}
        for statement, group in groups.items():
            seen, unused, spared = self._uncovered(ways, statement, group, tests)
            reached[statement] = seen
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
                certain = [fact for fact in noticed if sure.comes_to(fact.node, fact.at)]
                if certain:
                    kept[statement] = certain
                elif unused and ways.complete and not any(map(self.thrown.is_handled, group)):
                    kept[statement] = group
                    failing.add(statement)
        for statement in [one for one in kept if one.effect is Effect.OFF]:
            if statement._replace(effect=Effect.UNLIMITED) in kept:
                del kept[statement]  # what is off is the limit
        replaced = (Effect.RAISED, Effect.LOWERED, Effect.RESET)
        for statement in [one for one in kept if one.effect in replaced]:
            if any(self._is_denied(ways, fact) for fact in kept[statement]):
                del kept[statement]
        for statement in failing:
            # Another body may use only what it has compared: the object may keep an exception from arising.
            if _is_compared(statement, groups, reached[statement]):
                del kept[statement]
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
                bounds = self.facts.rejecting(code, other)
                if any(_overlap(bound, fact.statement.bound) for bound in bounds):
                    return True
        return False

    # -- what all uses have in common --------------------------------------------------------------------

    def _uncovered(
        self,
        ways: Ways,
        statement: Statement,
        group: Sequence[Fact],
        tests: set[tuple[MemberRef, int]],
    ) -> tuple[set[tuple[Node, int]], bool, bool]:
        """Return where values outside of the bound come to as they are, whether they show nowhere there, and whether others may
        ask for those that an exception is for."""
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
                unused = unused and (
                    (node.ref, use.index) in tests
                    or not self._is_effective(ways, statement, node, use)
                )
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
                    if target not in visited:
                        visited.add(target)
                        queue.append(target)
        return seen, unused, spared

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
            return not self._only_reports(code, use.index)
        if use.role is Role.LOOP:
            # A loop up to nothing does not run.
            off = statement.effect in (Effect.OFF, Effect.IGNORED)
            few = statement.bound.side == "lower" and statement.bound.value <= 1
            loop = code.code[use.index]
            return not (off and few and isinstance(loop, ir.Binary) and loop.op in FLIPPED)
        if node in ways.texts:
            return False
        if use.role is Role.ARGUMENT:
            if any(taker == use.index for taker, _ in ways.links.get(node, ())):
                return False  # a conversion
            return not any(row.kind == "log" for row in rows.operations(code, use.index))
        return True

    def _only_reports(self, code: Code, test: int) -> bool:
        """Tell whether a comparison decides only what is logged."""
        takers = code.takers.get(test, ())
        for taker in takers:
            instr = code.code[taker]
            if isinstance(instr, ir.If):
                spans = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
                if all(only_reports(code, self.uses.rows, span) for span in spans):
                    continue
            elif isinstance(instr, ir.Choice) and is_reported(code, self.uses.rows, taker):
                continue
            return False
        return bool(takers)


class _Sure:
    """Which instructions each value that is read comes to."""

    def __init__(self, uses: Uses, ways: Ways) -> None:
        self._uses = uses
        self._entries: dict[Node, int] = {node: node.value for node in ways.starts}
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
                if self.comes_to(node, taker):
                    self._entries[target] = self._entry(node, target)
                    queue.append(target)

    def _entry(self, source: Node, target: Node) -> int:
        """Return from where on a body has the number."""
        if (source.ref, source.stack) == (target.ref, target.stack):
            return self._entries[source]
        loaded = isinstance(self._uses.code(target.ref).code[target.value], ir.Load)
        return 0 if loaded else target.value

    def comes_to(self, node: Node, at: int) -> bool:
        """Tell whether each value that is read comes to an instruction that takes it from a node."""
        entry = self._entries.get(node)
        if entry is None or node.value == FIELD:
            return False
        code = self._uses.code(node.ref)
        return is_sure(code, entry, at, rejects=False) and not is_caught(code, at)


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
        if other is one or not _overlap(other.bound, one.bound):
            continue
        behind = all((fact.node, fact.at) not in seen for fact in group)
        if behind and (_includes(other.bound, one.bound) or other not in kept):
            return True
    return False


def _is_compared(
    one: Statement, groups: dict[Statement, list[Fact]], seen: set[tuple[Node, int]]
) -> bool:
    """Tell whether values outside of a bound come to a test that makes something else of some of them."""
    return any(
        other.effect is not Effect.THROWS
        and _overlap(other.bound, one.bound)
        and any((fact.node, fact.at) in seen for fact in group)
        for other, group in groups.items()
    )


def _overlap(one: Bound, other: Bound) -> bool:
    """Tell whether some value is outside of both bounds."""
    if one.name or other.name:
        return one.name == other.name and one.side == other.side
    sides = {one.side, other.side}
    if len(sides) == 1:
        return one.side != "not" or one.value == other.value
    if "not" in sides:
        single, wide = (one, other) if one.side == "not" else (other, one)
        return _includes(wide, single)
    low, high = (one, other) if one.side == "lower" else (other, one)
    return low.value > high.value


def _includes(wide: Bound, narrow: Bound) -> bool:
    """Tell whether what is outside of one bound is outside of another."""
    if wide.name or narrow.name:
        return wide.name == narrow.name and wide.side == narrow.side
    if wide.side == "lower" and narrow.side in ("lower", "not"):
        return narrow.value < wide.value or (
            narrow.value == wide.value and (wide.strict or narrow.side == "lower")
        )
    if wide.side == "upper" and narrow.side in ("upper", "not"):
        return narrow.value > wide.value or (
            narrow.value == wide.value and (wide.strict or narrow.side == "upper")
        )
    return wide == narrow
