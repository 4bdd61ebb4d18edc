"""Building call trees from chains within bounded memory.

A tree holds at most ``NODES`` nodes: beyond, the lightest chains are shortened, so that their weight and, as far as
it goes, the method at work stay and only frames between are lost; ``folded`` says how much weight that concerns.  A chain is at most ``DEPTH``
frames deep: what lies between the first and the last frames is left out and stands as one opaque frame.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import Enum

from conflens.profiling.model import CallTree, Frame, Nature

NODES = 400_000
"""Nodes of a tree; at about 150 bytes each while it is built."""

DEPTH = 1_024
_ENOUGH = 0.8
"""The share of nodes that may be left for a way of shortening to have been worth it."""
LEFT_OUT = Frame("", "frames left out", nature=Nature.OPAQUE)

FRAMES = 200_000
"""Frames of a table at most, and ``TEXT`` the characters of all their names."""

TEXT = 48 * 1024 * 1024
FURTHER = Frame("", "further methods", nature=Nature.OPAQUE)
"""Stands for every frame beyond."""


class _Keep(Enum):
    """What stays of a light chain besides its weight."""

    WAY = 0
    """Its first frames and the method at work."""
    LEAF = 1
    """The method at work."""
    NOTHING = 2
    """Its first frames."""


class FrameTable:
    """Frames by number; shared by the trees of one snapshot."""

    def __init__(self) -> None:
        """Begin without frames."""
        self.frames: list[Frame] = []
        self.full = False
        """Whether frames had to be taken for ``FURTHER``."""
        self._numbers: dict[Frame, int] = {}
        self._text = 0

    def number(self, frame: Frame) -> int:
        """Return the number of a frame, a new one if it was not seen before."""
        found = self._numbers.get(frame)
        if found is None:
            self._text += len(frame.owner) + len(frame.method) + len(frame.descriptor)
            if len(self.frames) >= FRAMES or self._text > TEXT:
                self.full = True
                frame = FURTHER
            found = self._numbers.setdefault(frame, len(self.frames))
            if found == len(self.frames):
                self.frames.append(frame)
        return found


class TreeBuilder:
    """Collects chains of frame numbers."""

    def __init__(self, table: FrameTable, nodes: int = NODES) -> None:
        """``nodes``: the bound."""
        self.table = table
        self.folded = 0
        """Weight of chains that were shortened."""
        self._nodes = nodes
        self._left_out = -1
        self._begin()

    def _begin(self) -> None:
        self._parent = array("i", [-1])
        self._frame = array("i", [-1])
        self._own = array("q", [0])
        self._count = array("q", [0])
        self._children: dict[int, int] = {}

    @property
    def size(self) -> int:
        """The nodes so far."""
        return len(self._parent)

    def add(self, chain: Sequence[int], weight: int, count: int) -> int:
        """Add a chain of frame numbers, root first, and return its node, which stays right until
        the next chain is added."""
        if len(chain) > DEPTH:
            half = DEPTH // 2
            chain = [*chain[:half], self._gap(), *chain[-half:]]
        if len(self._parent) + len(chain) > self._nodes:
            self._fold()
        node = 0
        children, parent = self._children, self._parent
        for frame in chain:
            key = node << 32 | frame
            child = children.get(key)
            if child is None:
                child = children[key] = len(parent)
                parent.append(node)
                self._frame.append(frame)
                self._own.append(0)
                self._count.append(0)
            node = child
        self._own[node] += weight
        self._count[node] += count
        return node

    def scale(self, factor: int) -> None:
        """Multiply all weights, as from samples to nanoseconds."""
        self._own = array("q", [weight * factor for weight in self._own])
        self.folded *= factor

    def tree(self) -> CallTree:
        """Return what was collected."""
        return CallTree(self.table.frames, self._parent, self._frame, self._own, self._count)

    def _fold(self) -> None:
        """Shorten the lightest chains until half of the nodes are left.

        The method at work stays: what lies between it and the last frame that is kept is left out.  Where that saves
        too little, all between the root and the method is; at last the method goes, too.
        """
        for keep in (_Keep.WAY, _Keep.LEAF, _Keep.NOTHING):
            before = len(self._parent)
            self._shorten(keep)
            if len(self._parent) <= before * _ENOUGH:
                return

    def _shorten(self, keep: _Keep) -> None:
        parent, frame, own, count = self._parent, self._frame, self._own, self._count
        totals = self.tree().totals()
        size = len(parent)
        order = sorted(totals)
        least = order[size // 2] + 1
        left_out = self._gap()
        self._begin()
        moved = array("i", bytes(4 * size))
        for node in range(1, size):
            above = moved[parent[node]]
            if totals[node] >= least or frame[node] == left_out:
                moved[node] = here = self._child(above, frame[node])
            else:
                moved[node] = here = above
                if own[node] or count[node]:
                    if keep is not _Keep.NOTHING:
                        start = above if keep is _Keep.WAY else 0
                        if self._frame[start] != left_out:
                            start = self._child(start, left_out)
                        here = self._child(start, frame[node])
                    if frame[parent[node]] != left_out:
                        self.folded += own[node]
            self._own[here] += own[node]
            self._count[here] += count[node]

    def _gap(self) -> int:
        if self._left_out < 0:
            self._left_out = self.table.number(LEFT_OUT)
        return self._left_out

    def _child(self, node: int, frame: int) -> int:
        key = node << 32 | frame
        child = self._children.get(key)
        if child is None:
            child = self._children[key] = len(self._parent)
            self._parent.append(node)
            self._frame.append(frame)
            self._own.append(0)
            self._count.append(0)
        return child
