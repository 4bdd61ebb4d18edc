"""The snapshots of both sides as one tree for each kind of event, in terms of the project.

Terms
    method   a frame without its line; numbered, so that all kinds share their numbers.
    node     a way to a method: the node above, the line of the call there, the method.  Frames outside of
             the project that follow each other are one node, that of the first: how a library goes about
             its work is nobody's option.  Glue is left out.
    leaf     the method at work at a node; another than the node's own only outside of the project.

Every weight is a pair, *before* and *after*: averages over the repetitions of each side, brought to one
scale.  A side that knows no call chains (``flat``) is spread over the other's chains of the same
method, in their proportions.  Absent: judging anything.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

import attrs

from conflens.base.cancel import CancelToken
from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.lines import LineBook
from conflens.diagnosis.results import Located
from conflens.profiling.model import EventKind, Frame, Nature, Series, Unit

_CHECKED = 1_000
"""Nodes between two looks at the token."""

Pair = list[float]
"""Before and after."""

Run = dict[tuple[int, int], float]
"""Own weights of one run by method and the nearest method of the project above it (-1: none)."""


class Methods:
    """Numbers of methods, and what each is in the project."""

    def __init__(self, index: FrameIndex) -> None:
        """``index`` locates frames."""
        self.index = index
        self.located: list[Located] = []
        self._numbers: dict[Frame, int] = {}
        self._methods: dict[object, int] = {}
        self._lists: dict[int, tuple[Sequence[Frame], list[int], list[bool]]] = {}

    def numbers(self, frames: Sequence[Frame]) -> tuple[list[int], list[bool]]:
        """Return the numbers of the frames of a tree, and which are threads or glue; trees of one snapshot share
        them."""
        known = self._lists.get(id(frames))
        if known is None or len(known[1]) != len(frames):
            is_glue = self.index.is_glue
            known = self._lists[id(frames)] = (
                frames,
                [self.number(frame) for frame in frames],
                [frame.nature is Nature.THREAD or is_glue(frame) for frame in frames],
            )
        return known[1], known[2]

    def number(self, frame: Frame) -> int:
        """Return the number of a frame's method; profilers may leave its result type out."""
        plain = frame
        if frame.line:
            owner, method, descriptor, _, nature, simple = frame
            plain = Frame(owner, method, descriptor, 0, nature, simple)
        found = self._numbers.get(plain)
        if found is None:
            ref = self.index.locate(plain) if plain.nature is Nature.JAVA else None
            params = plain.descriptor.partition(")")[0]
            key = (ref, plain.method) if ref is not None else plain._replace(descriptor=params)
            found = self._methods.setdefault(key, len(self.located))
            if found == len(self.located):
                self.located.append(Located(plain, ref))
            self._numbers[plain] = found
        return found


@attrs.define(eq=False)
class Merged:
    """One kind of event: see the module text.

    ``site`` is the line of the call in the method above (0: not known); ``lines`` are those of a node's
    own work, of today's source.  ``leaves``: (node, method) to weights; ``counts``: likewise invocations, samples or events.
    ``totals``: weights by side; ``runs``: for each repetition of each side, own weights by method, on the same
    scale but not divided by the number of repetitions.
    ``invocations``: exact ones by method, if both sides counted them.
    """

    kind: EventKind
    unit: Unit
    methods: Methods
    parent: array[int]
    method: array[int]
    site: array[int]
    leaves: dict[tuple[int, int], Pair]
    counts: dict[tuple[int, int], Pair]
    lines: dict[int, dict[int, Pair]]
    totals: Pair
    runs: tuple[list[Run], list[Run]]
    invocations: dict[int, Pair] | None
    flat: bool
    children: dict[tuple[int, int, int], int] = attrs.field(factory=dict, repr=False)

    def node(self, above: int, site: int, method: int) -> int:
        """Return the node of a method called from another, a new one if need be."""
        key = (above, site, method)
        found = self.children.get(key)
        if found is None:
            found = self.children[key] = len(self.parent)
            self.parent.append(above)
            self.method.append(method)
            self.site.append(site)
        return found

    def chain(self, node: int) -> list[int]:
        """Return the nodes from the root's child to ``node``."""
        found: list[int] = []
        while node > 0:
            found.append(node)
            node = self.parent[node]
        found.reverse()
        return found

    def nearest(self, node: int, near: Sequence[int]) -> int:
        """Return the method of a node if it is of the project, else what ``near`` says of the node above."""
        method = self.method[node]
        return method if self.methods.located[method].ref is not None else near[self.parent[node]]

    def near(self) -> list[int]:
        """Return for each node the nearest method of the project on its way, -1 if there is none."""
        found = [-1]
        for node in range(1, len(self.parent)):
            found.append(self.nearest(node, found))
        return found

    def whole(self) -> tuple[array[float], array[float]]:
        """Return for each node its weight with all below: before and after."""
        before = array("d", bytes(8 * len(self.parent)))
        after = array("d", bytes(8 * len(self.parent)))
        for (node, _), pair in self.leaves.items():
            before[node] += pair[0]
            after[node] += pair[1]
        parent = self.parent
        for node in range(len(parent) - 1, 0, -1):
            before[parent[node]] += before[node]
            after[parent[node]] += after[node]
        return before, after


def merge(
    kind: EventKind,
    before: Sequence[tuple[Series, float]],
    after: Sequence[tuple[Series, float]],
    methods: Methods,
    book: LineBook,
    token: CancelToken | None = None,
) -> Merged:
    """Merge the series of one kind; each comes with the factor that brings it to scale.

    Raises ``ValueError`` if their units differ.
    """
    units = {series.unit for series, _ in (*before, *after)}
    if len(units) > 1:
        told = " and ".join(sorted(unit.value for unit in units))
        raise ValueError(f"the weights of {kind.value} are {told}: they cannot be compared")
    counted = bool(before or after) and all(series.counted for series, _ in (*before, *after))
    merged = Merged(
        kind,
        units.pop(),
        methods,
        array("i", [-1]),
        array("i", [-1]),
        array("i", [0]),
        {},
        {},
        {},
        [0.0, 0.0],
        ([], []),
        {} if counted else None,
        any(series.flat for series, _ in (*before, *after)),
    )
    # Counts are brought to scale, too, but none is made more than it was: chance is judged by them.
    most = max((factor for series, factor in (*before, *after) if series.total), default=1.0)
    flat = []
    for side, rows in ((1, after), (0, before)):
        known = any(not series.flat for series, _ in (before, after)[1 - side])
        for series, factor in rows:
            scale = _Scale(factor, min(1.0, factor / most), len(rows), side)
            if series.flat and known:
                flat.append((series, scale))
            else:
                _take(merged, series, scale, book, token)
    for series, scale in flat:
        _spread(merged, series, scale)
    return merged


class _Scale(NamedTuple):
    """What the weights and counts of a series are multiplied by, and the ``runs`` of its ``side``."""

    of_weight: float
    of_count: float
    runs: int
    side: int


def _take(
    merged: Merged,
    series: Series,
    scale: _Scale,
    book: LineBook,
    token: CancelToken | None,
) -> None:
    tree, methods, side = series.tree, merged.methods, scale.side
    of_weight, of_count = scale.of_weight / scale.runs, scale.of_count / scale.runs
    located = methods.located
    numbers, unseen = methods.numbers(tree.frames)
    frames = tree.frames
    where = array("i", bytes(4 * len(tree)))
    """By node of the tree: the node here."""
    caller = array("i", [-1]) * len(tree)
    """The frame of the project that the next call is made from, -1 if it is made from a library."""
    inner = [False] * len(tree)
    """The node stands for work inside a library."""
    mine: Run = {}
    near = [-1]
    parent, frame_of = tree.parent, tree.frame
    own, count = tree.own, tree.count
    for node in range(1, len(tree)):
        if token is not None and node % _CHECKED == 0:
            token.check()
        above = parent[node]
        frame = frames[frame_of[node]]
        number = numbers[frame_of[node]]
        here = where[above]
        if unseen[frame_of[node]]:
            where[node], caller[node], inner[node] = here, caller[above], inner[above]
            leaf = merged.method[here]
        elif caller[above] >= 0 and _is_bridge(
            located, number, frames[caller[above]], frame, merged.method[here]
        ):
            where[node], caller[node] = here, frame_of[node]
            leaf = merged.method[here]
        elif located[number].ref is None and inner[above]:
            where[node], inner[node] = here, True
            leaf = number
        else:
            at = book.line_of(frames[caller[above]], frame) if caller[above] >= 0 else 0
            where[node] = here = merged.node(here, at, number)
            if located[number].ref is None:
                inner[node] = True
            else:
                caller[node] = frame_of[node]
            leaf = number
        if leaf < 0 and (own[node] or count[node]):
            # All that is known is a thread, or glue: it stands for itself.
            leaf, here = number, merged.node(0, 0, number)
        while len(near) < len(merged.parent):
            near.append(merged.nearest(len(near), near))
        if not own[node] and not count[node]:
            continue
        weight, times = own[node] * of_weight, count[node] * of_count
        key = (here, leaf)
        pair = merged.leaves.get(key)
        if pair is None:
            pair = merged.leaves[key] = [0.0, 0.0]
            merged.counts[key] = [0.0, 0.0]
        pair[side] += weight
        merged.counts[key][side] += times
        merged.totals[side] += weight
        mine[leaf, near[here]] = mine.get((leaf, near[here]), 0.0) + own[node] * scale.of_weight
        if frame.line and not inner[node]:
            at = book.line_of(frame, None)
            if at:
                lines = merged.lines.setdefault(here, {})
                lines.setdefault(at, [0.0, 0.0])[side] += weight
        if merged.invocations is not None:
            merged.invocations.setdefault(leaf, [0.0, 0.0])[side] += times
    merged.runs[side].append(mine)


def _is_bridge(
    located: Sequence[Located], number: int, above: Frame, frame: Frame, method: int
) -> bool:
    """Tell whether a method only hands on to another of its name, which the source has as one."""
    ref = located[number].ref
    return (
        ref is not None
        and ref == located[method].ref
        and above.method == frame.method
        and above.descriptor != frame.descriptor
    )


def _spread(merged: Merged, series: Series, scale: _Scale) -> None:
    """Give flat weights to the chains that the other side shows of the same methods."""
    side, other = scale.side, 1 - scale.side
    of_weight, of_count = scale.of_weight / scale.runs, scale.of_count / scale.runs
    ways: dict[int, list[tuple[int, int]]] = {}
    for key in merged.leaves:
        ways.setdefault(key[1], []).append(key)
    mine: Run = {}
    rows = [
        (merged.methods.number(frames[-1]), weight * of_weight, times * of_count)
        for frames, weight, times in series.tree.chains()
    ]
    counts = merged.invocations
    if counts is not None:
        for method, _, times in rows:
            counts.setdefault(method, [0.0, 0.0])[side] += times
    near = merged.near()
    for method, weight, times in rows:
        if method not in ways:
            node = merged.node(0, 0, method)
            if node == len(near):
                near.append(merged.nearest(node, near))
            ways[method] = [(node, method)]
        keys = ways[method]
        parts = [
            merged.leaves.get(key, [0.0, 0.0])[other] * _ran(merged, key[0], side) for key in keys
        ]
        whole = sum(parts)
        for key, part in zip(keys, parts, strict=True):
            share = part / whole if whole else 1 / len(keys)
            merged.leaves.setdefault(key, [0.0, 0.0])[side] += weight * share
            merged.counts.setdefault(key, [0.0, 0.0])[side] += times * share
            group = method, near[key[0]]
            mine[group] = mine.get(group, 0.0) + weight * share * scale.runs
        merged.totals[side] += weight
    merged.runs[side].append(mine)


def _ran(merged: Merged, node: int, side: int) -> float:
    """Return how much the caller of a node ran on one side for each time on the other, by exact counts."""
    above = merged.parent[node]
    if merged.invocations is None or above <= 0:
        return 1.0
    pair = merged.invocations.get(merged.method[above])
    if pair is None or not pair[1 - side]:
        return 1.0
    return pair[side] / pair[1 - side]
