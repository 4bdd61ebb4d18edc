"""Diagnostics that tell a path: at a read, the nearest operation it surely reaches, step by step.

Off unless asked for: what an option does is no problem, and squiggles are for problems.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.base.span import Place
from conflens.base.words import by_length
from conflens.flow.instructions import operation_text, spot_of, text_of
from conflens.flow.results import Flow
from conflens.operations.flows import is_sure, most_telling, shown_kind, verb_of
from conflens.options.model import Option
from conflens.session.analysis import Analysis

_MAX_TEXT = 60


def paths(
    analysis: Analysis, path: str
) -> Iterator[tuple[Place, Option, str, tuple[tuple[Place, str], ...]]]:
    """Yield for each read in a file that reaches something its place and option, a sentence, and the steps."""
    told: dict[Place, tuple[Option, Flow, int]] = {}
    for read, option in analysis.options.reads_in.get(path, ()):
        reach = analysis.flows.of_read(option.key, read.place)
        nearest = most_telling(filter(is_sure, reach.nearest()))
        if not nearest:
            continue
        others = len(nearest) - 1
        known = told.get(read.name_place)
        if known is None or by_length(option.name) < by_length(known[0].name):
            told[read.name_place] = option, nearest[0], others
    for place, (option, flow, others) in told.items():
        operation = flow.operation
        text = operation_text(analysis, operation, _MAX_TEXT)
        what = f"{option.name} {verb_of(flow.dependency, operation.kind)} {text}"
        more = f", and reaches {others:,} more" if others else ""
        yield (
            place,
            option,
            f"{what} ({flow.dependency}, {shown_kind(operation)}){more}.",
            _steps(analysis, flow),
        )


def _steps(analysis: Analysis, flow: Flow) -> tuple[tuple[Place, str], ...]:
    found = []
    for step in flow.paths[0].steps:
        spot = spot_of(analysis, step.ref, step.instr)
        if spot is not None:
            text = text_of(analysis, step.ref, step.instr, _MAX_TEXT)
            found.append((spot, f"{step.role}: {text}" if text else str(step.role)))
    return tuple(found)
