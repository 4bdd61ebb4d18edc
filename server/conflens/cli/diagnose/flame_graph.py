"""The flame graph of a diagnosis as plain columns: both sides merged into one tree for each kind of event.

Terms
    width    what a node and all below it cost in the violation; *before* is the same in the baseline.
    label    an option takes hold at a node (``diagnosis.labels``).

Frames that differ in their line only are one.  Weights are in millionths of the violation's total, so that a page of
many kinds stays small; those of each side are brought to the totals of the diagnosis, which made them comparable.
At most ``NODES`` nodes are kept over all kinds: those with the least weight on either side are left out, and where
children are, their weight shows as a gap below their caller.  Siblings come heaviest first, parents
before children.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Mapping, Sequence

import attrs

from conflens.base.words import shorten
from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.labels import Held, Labels, node_labels
from conflens.diagnosis.report import frame_name, legible
from conflens.diagnosis.results import Diagnosis, Joint, Total
from conflens.flow.results import OptionKey
from conflens.profiling.model import EventKind, Frame, Series, Snapshot, Unit
from conflens.program.program import Program

NODES = 20_000
WHOLE = 1_000_000
"""The violation's total, or the baseline's if that is greater."""
_MAX_NAME = 160


Mark = tuple[int, tuple[int, ...]]
"""A node and numbers of options."""


@attrs.frozen
class Graph:
    """One kind; the columns have an entry for each node, the first is the root (``parent`` -1, ``name`` -1).

    ``names`` are (short, full); ``before`` is ``None`` without call chains of a baseline.  ``labels`` are where
    something under options begins, ``own_labels`` where only the node's own work is under them.  ``scale`` is what ``WHOLE`` stands for, in ``unit``; ``left_out`` counts nodes.
    """

    kind: EventKind
    unit: Unit
    scale: float
    names: Sequence[tuple[str, str]] = attrs.field(repr=False)
    parent: Sequence[int] = attrs.field(repr=False)
    name: Sequence[int] = attrs.field(repr=False)
    width: Sequence[int] = attrs.field(repr=False)
    own: Sequence[int] = attrs.field(repr=False)
    before: Sequence[int] | None = attrs.field(repr=False)
    labels: Sequence[Mark] = attrs.field(repr=False)
    own_labels: Sequence[Mark] = attrs.field(repr=False)
    left_out: int


def graphs(
    diagnosis: Diagnosis,
    program: Program,
    baseline: Sequence[Snapshot],
    violation: Sequence[Snapshot],
    options: Sequence[OptionKey],
    nodes: int = NODES,
) -> list[Graph]:
    """Return a graph for each kind that the diagnosis has a total of; labels are numbers in ``options``."""
    index = FrameIndex(program)
    numbers = {key: number for number, key in enumerate(options)}
    holds = _of(diagnosis.holds, numbers)
    made: list[Graph] = []
    totals = [total for total in diagnosis.totals if total.after or total.before]
    budget = nodes // max(len(totals), 1)
    for total in totals:
        after = [series for one in violation for series in one.series if series.kind is total.kind]
        before = [series for one in baseline for series in one.series if series.kind is total.kind]
        if not before:
            before = [item for one in violation for item in one.before if item.kind is total.kind]
        tree = _Tree()
        tree.take(after, total.after, 1)
        compared = bool(before) and total.before is not None
        if any(series.flat for series in before) and not all(series.flat for series in after):
            compared = False
        if compared:
            tree.take(before, total.before or 0.0, 0)
        labels = node_labels(tree.parent, tree.frame, tree.frames, holds, index)
        made.append(_graph(total, tree, compared, labels, numbers, budget))
    return made


def _of(holds: Mapping[Joint, Held], options: Container[OptionKey]) -> dict[Joint, Held]:
    """Return the holds of some options only."""
    found = {
        joint: tuple(item for item in held if item[0] in options) for joint, held in holds.items()
    }
    return {joint: held for joint, held in found.items() if held}


class _Tree:
    """Call trees merged by method, with the weights of both sides."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.parent = array("i", [-1])
        self.frame = array("i", [-1])
        self.own = (array("d", [0.0]), array("d", [0.0]))
        """Before, after."""
        self._numbers: dict[Frame, int] = {}
        self._children: dict[int, int] = {}

    def take(self, found: Sequence[Series], total: float, side: int) -> None:
        """Add the series of a side so that they come to ``total`` together."""
        whole = sum(series.total for series in found)
        factor = total / whole if whole else 0.0
        for series in found:
            tree = series.tree
            numbers = [self._number(frame) for frame in tree.frames]
            where = array("i", bytes(4 * len(tree)))
            own = self.own[side]
            parent, frame, weights = tree.parent, tree.frame, tree.own
            for node in range(1, len(tree)):
                here = where[node] = self._node(where[parent[node]], numbers[frame[node]])
                if weights[node]:
                    own[here] += weights[node] * factor

    def whole(self, side: int) -> array[float]:
        """Return the weights of a side with all that is below."""
        found = array("d", self.own[side])
        for node in range(len(found) - 1, 0, -1):
            found[self.parent[node]] += found[node]
        return found

    def _number(self, frame: Frame) -> int:
        plain = frame._replace(line=0) if frame.line else frame
        found = self._numbers.get(plain)
        if found is None:
            found = self._numbers[plain] = len(self.frames)
            self.frames.append(plain)
        return found

    def _node(self, above: int, number: int) -> int:
        key = above << 32 | number
        found = self._children.get(key)
        if found is None:
            found = self._children[key] = len(self.parent)
            self.parent.append(above)
            self.frame.append(number)
            for own in self.own:
                own.append(0.0)
        return found


def _graph(
    total: Total,
    tree: _Tree,
    compared: bool,
    labels: Labels,
    numbers: Mapping[OptionKey, int],
    budget: int,
) -> Graph:
    before, after = tree.whole(0), tree.whole(1)
    scale = max(total.after, (total.before or 0.0) if compared else 0.0)
    kept, left_out = _kept(tree, before, after, budget)
    place = {node: at for at, node in enumerate(kept)}
    names: dict[int, int] = {}
    shown: list[tuple[str, str]] = []
    for node in kept[1:]:
        number = tree.frame[node]
        if number not in names:
            names[number] = len(shown)
            shown.append(_names(tree.frames[number]))
    part = WHOLE / scale if scale else 0.0

    def marks(held: Sequence[Held]) -> list[Mark]:
        found = [(place[node], {numbers[key] for key, _ in held[node]}) for node in kept]
        return [(node, tuple(sorted(options))) for node, options in found if options]

    return Graph(
        total.kind,
        total.unit,
        scale,
        shown,
        [place.get(tree.parent[node], -1) for node in kept],
        [-1 if node == 0 else names[tree.frame[node]] for node in kept],
        [round(after[node] * part) for node in kept],
        [round(tree.own[1][node] * part) for node in kept],
        [round(before[node] * part) for node in kept] if compared else None,
        marks(labels.begins),
        marks(labels.own),
        left_out,
    )


def _kept(
    tree: _Tree, before: array[float], after: array[float], budget: int
) -> tuple[list[int], int]:
    """Return the heaviest nodes, parents first and siblings heaviest first, and how many are left out.

    A node is never heavier than the one above, so that what is above a kept node is kept as well.
    """
    size = len(tree.parent)
    weight = array("d", (max(pair) for pair in zip(before, after, strict=True)))
    order = sorted(range(1, size), key=lambda node: (-weight[node], node))
    least = WHOLE * 2.0
    order = [node for node in order if weight[node] * least >= weight[0]]
    chosen = {0}
    for node in order:
        if len(chosen) >= budget:
            break
        if tree.parent[node] in chosen:
            chosen.add(node)
    children: dict[int, list[int]] = {}
    for node in sorted(chosen - {0}, key=lambda node: (-after[node], -before[node], node)):
        children.setdefault(tree.parent[node], []).append(node)
    kept = [0]
    for node in kept:
        kept.extend(children.get(node, ()))
    return kept, size - len(kept)


def _names(frame: Frame) -> tuple[str, str]:
    """Return the short and the full name of a frame."""
    short = shorten(legible(frame_name(frame)), _MAX_NAME)
    full = f"{frame.owner}.{frame.method}{frame.descriptor}" if frame.owner else short
    return short, shorten(legible(full), 2 * _MAX_NAME)
