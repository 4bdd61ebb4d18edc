"""Cause-effect chains: a hotspot's variation, shared among the options that take hold of its call chains.

Algorithm 1 (DiagConfig §3.3) walks a chain from callee to caller and links it with every option that it meets.
Here every link is weighed by its *contrast* (``contrast``), so that an option whose hold governs nothing that
grew more than its surroundings gets nothing, and each chain's variation is given out once:

    part of an option = variation * weight / max(1, sum of weights)

where an option's weight is that of its best link on the chain.  What is left over is explained by no option.
Where a chain begins in a thread's first method, it goes on above the place that handed the work over.

Absent: which methods are hotspots, verdicts on options.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from conflens.diagnosis.contrast import Contrasts, Inside, effect, share_of
from conflens.diagnosis.linking import Link, Linker
from conflens.diagnosis.merging import Merged
from conflens.diagnosis.results import Located
from conflens.diagnosis.sites import runs
from conflens.flow.results import Dependency, OptionKey
from conflens.profiling.model import BLOCKED, EventKind
from conflens.program.refs import MemberRef

_LONGER = math.log(1.5)
"""The growth of a single sleep that shows by itself that its length was set otherwise."""
_FAINT = 0.05
"""Weights below are none."""
_FARTHER = 0.9
"""What a link counts, without a baseline, for each call between it and the hotspot."""
_OPERATIONS = {
    EventKind.ALLOCATION: frozenset({"memory"}),
    EventKind.IO: frozenset({"io"}),
    EventKind.LOCK: frozenset({"lock", "thread"}),
    EventKind.WAIT: frozenset({"lock", "thread"}),
    EventKind.SLEEP: frozenset({"lock", "thread"}),
}
"""The kinds of operations that cost what is measured; computing may follow from any."""
_OTHER_KIND = 0.8
"""What an option counts that is not seen to reach an operation of the kind that was measured."""
_MADE = 0.8
"""What an option counts under which the object is made that runs."""
_BEGINNINGS = ("run", "call")
"""The methods of Java's own ``Runnable``, ``Thread`` and ``Callable``."""
_BESIDE = 0.1
"""What an option of unknown value counts beside one that is known to differ, and one of a library beside the program's own."""
_SPAWNED = 0.8
"""How sure it is that what begins a thread was handed over where its object is made."""


class Governing(NamedTuple):
    """A link at a node, and the nodes called from there that its hold governs."""

    link: Link
    nodes: dict[int, None]


class Weighed(NamedTuple):
    """A link on a chain: ``position`` is the frame in whose body the hold is; ``weight`` 0 to 1."""

    link: Link
    position: int
    weight: float
    effect: str
    made: bool = False


@attrs.frozen
class Way:
    """A chain of nodes, with what was put above it where its thread was handed its work.

    ``frames``: root first; the first ``above`` are completed ones.
    """

    frames: tuple[Located, ...]
    nodes: tuple[int, ...]
    above: int


@attrs.frozen
class Given:
    """What a chain gives an option: ``part`` of its variation (in the weight's unit, with its sign).

    ``withheld`` is what it does not get because its value is known to be the same in both runs.
    """

    option: OptionKey
    weighed: Weighed
    part: float
    withheld: float = 0.0


class Sharing:
    """Shares out the chains of one merged tree."""

    def __init__(
        self,
        merged: Merged,
        linker: Linker,
        same: frozenset[OptionKey],
        differing: frozenset[OptionKey],
        run: float = 0.0,
        foreign: frozenset[OptionKey] = frozenset(),
    ) -> None:
        """``same`` and ``differing``: options whose values are known to be so in both runs; ``run``: the
        growth of the run's length; ``foreign``: options of libraries (``belonging``)."""
        self.merged = merged
        self.linker = linker
        self.contrasts = Contrasts(merged, run if merged.kind in BLOCKED else 0.0)
        self.near = merged.near()
        self._by_method: dict[int, list[int]] = {}
        self._insides: dict[object, Inside] = {}
        self._at_lines: dict[tuple[int, int], Located] = {}
        self.same = same
        self.differing = differing
        self._foreign = foreign
        self._governed: dict[int, tuple[Governing, ...]] = {}
        self._above: dict[int, tuple[tuple[Located, ...], tuple[tuple[int, Link], ...]]] = {}
        self._nodes: dict[MemberRef, list[int]] | None = None
        self._runs: dict[tuple[MemberRef, int], int] = {}
        self._growths: dict[object, tuple[float, float, str]] = {}

    def beyond(self, key: tuple[int, int]) -> float:
        """Return the variation of a leaf, without what the run's length explains by itself.

        Of sleeps that became longer or shorter it is the time that this makes.
        """
        before, after = self.merged.leaves[key]
        each = self.each(key)
        if abs(each) >= _LONGER:
            return after - after / math.exp(each) if each > 0 else before * math.exp(each) - before
        plain = after - before
        further = after - before * math.exp(self.contrasts.run)
        if plain * further <= 0:
            return 0.0
        return min(plain, further, key=abs)

    def each(self, key: tuple[int, int]) -> float:
        """Return the growth of a single sleep, 0 for other kinds."""
        return self.contrasts.each(key) if self.merged.kind is EventKind.SLEEP else 0.0

    def worker(self, node: int) -> str:
        """Return the class of the project that is at work at a node, itself or by a library."""
        near = self.near[node]
        ref = self.merged.methods.located[near].ref if near >= 0 else None
        return ref.owner if ref is not None else ""

    def way(self, node: int, leaf: int) -> Way:
        """Return the frames of a chain, ``leaf`` being the method at work."""
        merged = self.merged
        located = merged.methods.located
        nodes = merged.chain(node)
        frames = [
            self._called(merged.method[one], merged.site[below])
            for one, below in itertools.pairwise(nodes)
        ]
        if nodes:
            last = located[merged.method[node]]
            lines = merged.lines.get(node, {})
            best = max(lines, key=lambda line: sum(lines[line])) if lines else 0
            frames.append(last._replace(line=best if last.ref is not None else 0))
            if leaf != merged.method[node]:
                frames.append(located[leaf])
        above, _ = self._handed_over(nodes)
        return Way((*above, *frames), tuple(nodes), len(above))

    def _called(self, method: int, line: int) -> Located:
        """Return a method at one of its lines; chains share these."""
        found = self._at_lines.get((method, line))
        if found is None:
            at = self.merged.methods.located[method]
            found = self._at_lines[method, line] = at._replace(line=line)
        return found

    def links(self, way: Way, leaf: int, before: float, after: float) -> list[Weighed]:
        """Return the links of a chain with weights, the best of each option, heaviest first.

        ``before`` and ``after`` are the leaf's own weights on this chain.
        """
        nodes, merged = way.nodes, self.merged
        wanted = self.contrasts.growth(before, after)
        each = self.each((nodes[-1], leaf)) if nodes else 0.0
        exact = self.contrasts.counted(leaf)
        if exact is not None and abs(exact) > abs(wanted):
            wanted = exact
        best: dict[OptionKey, Weighed] = {}

        kinds = _OPERATIONS.get(merged.kind)

        def offer(link: Link, position: int, share: float, told: str, made: bool = False) -> None:
            weight = link.strength * share
            if kinds is not None and kinds.isdisjoint(self.linker.kinds(link.option)):
                weight *= _OTHER_KIND
            if weight < _FAINT:
                return
            known = best.get(link.option)
            if known is None or weight > known.weight:
                best[link.option] = Weighed(link, position, weight, told, made)

        least = self._least(nodes, wanted)
        worker = self.worker(nodes[-1]) if nodes else ""
        for at, (node, below) in enumerate(itertools.pairwise(nodes)):
            for link, governed in self.governed(node):
                if below not in governed or (link.within and link.within != worker):
                    continue
                if link.hold.target is not None and not self.contrasts.comes_or_goes(
                    merged.method[below]
                ):
                    continue
                growth, around, told = self._contrast(node, link, governed)
                share = share_of(growth, around, wanted)
                if (beside := least[at + 1]) is not None:
                    share = min(share, share_of(beside, around, wanted))
                is_sleep = link.hold.dependency is Dependency.DIRECT and below == nodes[-1]
                if is_sleep and each and abs(each) < _LONGER:
                    # The value is how long each sleep is, and that has not changed.
                    continue
                if abs(each) >= _LONGER:
                    # What became of the sleeps is decided where they are told how long to be.
                    share = 1.0 if is_sleep else 0.0
                if each and is_sleep:
                    told = f"each {math.exp(each):.3g} times as long"
                offer(link, way.above + at, share, told)
            goes = self.contrasts.comes_or_goes(merged.method[below])
            for link in self.making(node, below) if goes else ():
                growth, around = self.contrasts.of_call(node, (below,))
                told = effect(growth, around, *self._weights((below,)))
                share = share_of(growth, around, wanted)
                if (beside := least[at + 1]) is not None:
                    share = min(share, share_of(beside, around, wanted))
                share *= _MADE
                offer(link, way.above + at + 1, share, told, True)
        if nodes and leaf == merged.method[nodes[-1]]:
            node = nodes[-1]
            lines = merged.lines.get(node, {})
            growth, around = self.contrasts.of_own(node, before, after)
            for link in self.linker.of_own(merged.methods.located[leaf], lines):
                told = effect(growth, around, before, after)
                offer(link, way.above + len(nodes) - 1, share_of(growth, around, wanted), told)
        if nodes and self.contrasts.comes_or_goes(merged.method[nodes[0]]):
            # Nobody is seen to call it; that its object is made is decided somewhere.
            pair = self.contrasts.before[nodes[0]], self.contrasts.after[nodes[0]]
            growth = self.contrasts.growth(*pair)
            told = effect(growth, 0.0, *pair)
            share = share_of(growth, 0.0, wanted) * _MADE
            for link in self.linker.of_making(merged.methods.located[merged.method[nodes[0]]]):
                offer(link, way.above, share, told, True)
        _, handed = self._handed_over(nodes)
        if handed:
            at = self._first(nodes)
            pair = self.contrasts.before[nodes[at]], self.contrasts.after[nodes[at]]
            growth = self.contrasts.growth(*pair)
            told = effect(growth, 0.0, *pair)
            share = share_of(growth, 0.0, wanted)
            if (beside := least[at]) is not None:
                share = min(share, share_of(beside, 0.0, wanted))
            for position, link in handed:
                offer(link, position, share * _SPAWNED, told)
        return sorted(best.values(), key=lambda one: -one.weight)

    def _least(self, nodes: Sequence[int], wanted: float) -> list[float | None]:
        """Return for each position the growth seen beside the chain from there on that is least like ``wanted``,
        ``None`` where nothing tells."""
        found: list[float | None] = [None] * (len(nodes) + 1)
        least = min if wanted > 0 else max
        for at in range(len(nodes) - 2, -1, -1):
            seen, known = self.contrasts.below(nodes[at], nodes[at + 1]), found[at + 1]
            found[at] = least((one for one in (seen, known) if one is not None), default=None)
        return found

    def plain_links(self, way: Way, leaf: int) -> list[Weighed]:
        """Return the links of a chain without a baseline: by strength, those near the hotspot before others."""
        nodes, merged = way.nodes, self.merged
        best: dict[OptionKey, Weighed] = {}

        worker = self.worker(nodes[-1]) if nodes else ""

        def offer(link: Link, position: int) -> None:
            weight = link.strength * _FARTHER ** (len(way.frames) - 1 - position)
            known = best.get(link.option)
            if weight >= _FAINT and (known is None or weight > known.weight):
                best[link.option] = Weighed(link, position, weight, "")

        for at, (node, below) in enumerate(itertools.pairwise(nodes)):
            for link, governed in self.governed(node):
                if below in governed and link.within in ("", worker):
                    offer(link, way.above + at)
        if nodes and leaf == merged.method[nodes[-1]]:
            lines = merged.lines.get(nodes[-1], {})
            for link in self.linker.of_own(merged.methods.located[leaf], lines):
                offer(link, way.above + len(nodes) - 1)
        for position, link in self._handed_over(nodes)[1]:
            offer(link, position)
        return sorted(best.values(), key=lambda one: -one.weight)

    def share(self, weighed: Sequence[Weighed], variation: float) -> list[Given]:
        """Share the variation of one chain among its links."""
        known = any(one.link.option in self.differing for one in weighed)
        others = self._foreign - self.differing
        own = max(
            (
                one.weight
                for one in weighed
                if one.link.option not in others and one.link.option not in self.same
            ),
            default=0.0,
        )
        weights = []
        for one in weighed:
            weight = one.weight
            if one.link.option in self.same:
                weight = 0.0
            elif (known and one.link.option not in self.differing) or (
                one.link.option in others and weight <= own
            ):
                weight *= _BESIDE
            weights.append(weight)
        whole = max(1.0, sum(weights))
        every = max(1.0, sum(one.weight for one in weighed))
        return [
            Given(
                one.link.option,
                one,
                variation * weight / whole,
                variation * one.weight / every if one.link.option in self.same else 0.0,
            )
            for one, weight in zip(weighed, weights, strict=True)
        ]

    def governed(self, node: int) -> tuple[Governing, ...]:
        """Return the links at a node with the nodes called under each."""
        found = self._governed.get(node)
        if found is None:
            found = self._governed[node] = tuple(self._govern(node))
        return found

    def making(self, node: int, below: int) -> tuple[Link, ...]:
        """Return the options under which the object is made whose method ``below`` is called at ``node``."""
        located = self.merged.methods.located
        caller, callee = located[self.merged.method[node]], located[self.merged.method[below]]
        if callee.ref is None or caller.ref is None or caller.ref.owner == callee.ref.owner:
            return ()
        return self.linker.of_making(callee)

    def _govern(self, node: int) -> Iterable[Governing]:
        merged = self.merged
        located = merged.methods.located
        if node <= 0:
            return ()
        caller = located[merged.method[node]]
        if caller.ref is None:
            return ()
        found: dict[object, Governing] = {}
        for child in self.contrasts.children(node):
            callee = located[merged.method[child]]
            for link in self.linker.of_call(caller, callee, merged.site[child]):
                key = (link.option, link.hold.key, link.arm)
                known = found.get(key)
                if known is None:
                    found[key] = Governing(link, {child: None})
                    continue
                known.nodes[child] = None
                if link.strength > known.link.strength:
                    found[key] = Governing(link, known.nodes)
        return found.values()

    def _contrast(
        self, node: int, link: Link, governed: Mapping[int, None]
    ) -> tuple[float, float, str]:
        """Return the growth of what a link governs at a node, that of its surroundings, and both in words."""
        key = node, link.option, link.hold.key, link.arm
        found = self._growths.get(key)
        if found is None:
            inside = self._inside_of(node, link)
            growth, around = self.contrasts.of_call(node, governed, inside)
            told = effect(growth, around, *self._weights(governed))
            found = self._growths[key] = growth, around, told
        return found

    def _inside_of(self, node: int, link: Link) -> Inside:
        """Return what a hold governs anywhere: the method in which it is may run on several ways."""
        method = self.merged.method[node]
        key = method, link.option, link.hold.key, link.arm
        found = self._insides.get(key)
        if found is None:
            governed = dict.fromkeys(
                child
                for other in self._of_method(method)
                for one in self.governed(other)
                if (one.link.option, one.link.hold.key, one.link.arm) == key[1:]
                for child in one.nodes
            )
            found = self._insides[key] = self.contrasts.inside_of(governed)
        return found

    def _of_method(self, method: int) -> Sequence[int]:
        if not self._by_method:
            for node in range(1, len(self.merged.parent)):
                self._by_method.setdefault(self.merged.method[node], []).append(node)
        return self._by_method.get(method, ())

    def _weights(self, nodes: Iterable[int]) -> tuple[float, float]:
        before = after = 0.0
        for node in nodes:
            before += self.contrasts.before[node]
            after += self.contrasts.after[node]
        return before, after

    def _first(self, nodes: Sequence[int]) -> int:
        """Return the position of the first node of the project; -1 if there is none."""
        located = self.merged.methods.located
        return next(
            (at for at, node in enumerate(nodes) if located[self.merged.method[node]].ref), -1
        )

    def _handed_over(
        self, nodes: Sequence[int]
    ) -> tuple[tuple[Located, ...], tuple[tuple[int, Link], ...]]:
        """Return the frames above a thread's first method of the project, and the links in them by position."""
        at = self._first(nodes)
        if at < 0:
            return (), ()
        first = nodes[at]
        if at == 0 and not self.begins_thread(first):
            return (), ()
        found = self._above.get(first)
        if found is None:
            found = self._above[first] = self._complete(first)
        return found

    def begins_thread(self, node: int) -> bool:
        """Tell whether a method without a caller is one that threads begin with; other chains are only cut off."""
        method = self.merged.methods.located[self.merged.method[node]].frame.method
        return method in _BEGINNINGS or method.startswith("lambda$")

    def _complete(self, first: int) -> tuple[tuple[Located, ...], tuple[tuple[int, Link], ...]]:
        merged, located = self.merged, self.merged.methods.located
        places = self.linker.spawns(located[merged.method[first]].frame)
        if not places:
            return (), ()
        after = self.contrasts.after
        running = {place: self._running(*place) for place in places}
        seen = {place: node for place, node in running.items() if node > 0}
        ref, index = max(seen, key=lambda place: after[seen[place]]) if seen else places[0]
        frames: list[Located] = []
        links: list[tuple[int, Link]] = []
        if seen:
            nodes = merged.chain(seen[ref, index])
            if first in nodes:
                return (), ()
            for at, (node, below) in enumerate(itertools.pairwise(nodes)):
                frames.append(self._called(merged.method[node], merged.site[below]))
                links += [
                    (at, link)
                    for link, under in self.governed(node)
                    if below in under and not link.within
                ]
            frames.append(
                located[merged.method[nodes[-1]]]._replace(line=self.linker.line(ref, index))
            )
        else:
            frames.append(self.linker.frame(ref, index))
        links += [(len(frames) - 1, link) for link in self.linker.of_instruction(ref, index)]
        return tuple(frames), tuple(links)

    def _running(self, ref: MemberRef, index: int) -> int:
        """Return the heaviest node that runs instruction ``index`` of a member, 0 if there is none."""
        place = ref, index
        found = self._runs.get(place)
        if found is None:
            merged, located = self.merged, self.merged.methods.located
            if self._nodes is None:
                self._nodes = {}
                for node in range(1, len(merged.parent)):
                    known = located[merged.method[node]].ref
                    if known is not None:
                        self._nodes.setdefault(known, []).append(node)
            # The frame of a lambda is located in the member around it, but only runs what is its own.
            nodes = [
                node
                for node in self._nodes.get(ref, ())
                if runs(self.linker.index, ref, index, located[merged.method[node]].frame)
            ]
            found = max(nodes, key=lambda node: self.contrasts.after[node], default=0)
            self._runs[place] = found
        return found
