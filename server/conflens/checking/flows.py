"""Findings that show a path: at a read, the nearest operation it surely reaches, step by step.

Off unless asked for: what an option does is no problem.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.base.span import Place
from conflens.base.words import by_length
from conflens.checking.results import Code, Finding
from conflens.checking.subject import Subject
from conflens.flow.instructions import operation_text, spot_of, text_of
from conflens.flow.results import Flow
from conflens.operations.flows import is_sure, most_telling, verb_of
from conflens.options.model import Option

_MAX_TEXT = 60
_MAX_STEPS = 20


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield one finding for each read in a file that reaches something."""
    best: dict[Place, tuple[Option, Flow, int]] = {}
    for read, option in subject.options.reads_in.get(path, ()):
        reach = subject.flows.of_read(option.key, read.place)
        nearest = most_telling(filter(is_sure, reach.nearest()))
        if not nearest:
            continue
        known = best.get(read.name_place)
        if known is None or by_length(option.name) < by_length(known[0].name):
            best[read.name_place] = option, nearest[0], len(nearest) - 1
    for place, (option, flow, others) in best.items():
        operation = flow.operation
        text = operation_text(subject, operation, _MAX_TEXT)
        what = f"{option.name} {verb_of(flow.dependency, operation.kind)} {text}"
        more = f", and reaches {others:,} more" if others else ""
        yield Finding(
            Code.REACHES_OPERATION,
            place,
            f"{what} ({flow.dependency}, {operation.kind}){more}.",
            option.name,
            (option.key,),
            _ends(_steps(subject, flow)),
        )


def _steps(subject: Subject, flow: Flow) -> tuple[tuple[Place, str], ...]:
    steps = []
    for step in flow.paths[0].steps:
        spot = spot_of(subject, step.ref, step.instr)
        if spot is not None:
            text = text_of(subject, step.ref, step.instr, _MAX_TEXT)
            steps.append((spot, f"{step.role}: {text}" if text else str(step.role)))
    return tuple(steps)


def _ends(steps: tuple[tuple[Place, str], ...]) -> tuple[tuple[Place, str], ...]:
    """The steps, without the middle of a long path: an end that is missing would explain nothing."""
    if len(steps) <= _MAX_STEPS:
        return steps
    half = _MAX_STEPS // 2
    return steps[:half] + steps[-half:]
