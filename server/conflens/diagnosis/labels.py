"""Which options take hold of which nodes of a call tree, for pictures of a tree.

A node *begins* what is under an option if the option takes hold of the call of its method from the project's nearest
frame above (``Diagnosis.holds``); all that is below it is under the option too.  An option may also take hold of
a method's *own* work only: that says nothing of what is below.

Lines are not compared: of two calls of one method in one body, one under the hold and one not, both count.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

import attrs

from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.results import Joint
from conflens.flow.results import Dependency, OptionKey
from conflens.profiling.model import Frame, Nature

Held = tuple[tuple[OptionKey, Dependency], ...]
"""The options that take hold of a node, and how."""

_Method = tuple[str, str, str]


@attrs.frozen
class Labels:
    """Options by node of a tree; see the module text."""

    begins: Sequence[Held] = attrs.field(repr=False)
    own: Sequence[Held] = attrs.field(repr=False)

    def at(self, node: int) -> Held:
        """Return all that take hold right at a node."""
        return tuple(dict.fromkeys((*self.begins[node], *self.own[node])))


def node_labels(
    parent: array[int],
    frame: array[int],
    frames: Sequence[Frame],
    holds: Mapping[Joint, Held],
    index: FrameIndex,
) -> Labels:
    """Return what takes hold of the nodes of a tree (columns as in ``CallTree``)."""
    methods = [(item.owner, item.method, item.descriptor) for item in frames]
    java = [item.nature is Nature.JAVA for item in frames]
    glue = [java[at] and index.is_glue(item) for at, item in enumerate(frames)]
    project = [java[at] and bool(index.places(item)) for at, item in enumerate(frames)]
    begins: list[Held] = [()] * len(parent)
    own: list[Held] = [()] * len(parent)
    nearest: list[_Method | None] = [None] * len(parent)
    """By node: the method of the project that is nearest, the node's own included."""
    for node in range(1, len(parent)):
        number = frame[node]
        above = nearest[parent[node]]
        if glue[number]:
            nearest[node] = above
            continue
        method = methods[number]
        nearest[node] = method if project[number] else above
        own[node] = holds.get(Joint(method, None), ())
        if above is not None:
            begins[node] = holds.get(Joint(above, method), ())
    return Labels(begins, own)


def label_text(held: Held) -> str:
    """Return a label as text, ``jobs · loop, sync · branch``; empty for none."""
    ways: dict[str, list[str]] = {}
    for (_, name), dependency in held:
        ways.setdefault(name, []).append(dependency.value)
    return ", ".join(f"{name} · {'/'.join(dict.fromkeys(how))}" for name, how in ways.items())
