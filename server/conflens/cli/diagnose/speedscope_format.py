"""The violation as a speedscope file: the snapshots' own call trees, with options on the frames they take hold of."""

from __future__ import annotations

from collections.abc import Sequence

from conflens.diagnosis.frames import FrameIndex
from conflens.diagnosis.labels import label_text, node_labels
from conflens.diagnosis.report import legible
from conflens.diagnosis.results import Diagnosis
from conflens.profiling.model import Series, Snapshot
from conflens.profiling.speedscope_export import export_speedscope
from conflens.program.program import Program


def encode_profile(diagnosis: Diagnosis, program: Program, violation: Sequence[Snapshot]) -> bytes:
    """Return the file; of several snapshots the profiles follow each other."""
    index = FrameIndex(program)
    series = [one for snapshot in violation for one in snapshot.series]
    labels: dict[int, list[str]] = {}
    for one in series:
        tree = one.tree
        held = node_labels(tree.parent, tree.frame, tree.frames, diagnosis.holds, index)
        labels[id(one)] = [legible(label_text(held.at(node))) for node in range(len(tree))]

    def label(one: Series, node: int) -> str:
        return labels[id(one)][node]

    return export_speedscope(series, ", ".join(diagnosis.violation), label)
