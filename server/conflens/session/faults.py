"""Pieces of the analysis that were given up, as problems that a person sees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from conflens.base.budget import Fault
from conflens.program.program import Program
from conflens.session.analysis import Problem

CODE = "incomplete"
"""The code of these problems."""

_MOST = 50
"""Problems of one kind that are listed for one file."""


def problems_of(program: Program, faults: Iterable[Fault]) -> tuple[Problem, ...]:
    """Return a problem for each fault, sorted by place."""
    found: dict[str, list[Problem]] = {}
    for fault in sorted(faults, key=lambda item: (item.path, item.at, item.message)):
        facts = program.files.get(fault.path)
        starts = facts.starts if facts is not None else (0,)
        line = max(0, bisect_right(starts, fault.at) - 1)
        column = fault.at - starts[line] + 1
        problem = Problem(fault.path or ".", line + 1, column, CODE, f"{fault.message}.")
        of_file = found.setdefault(problem.path, [])
        if problem not in of_file:
            of_file.append(problem)
    listed: list[Problem] = []
    for path, problems in found.items():
        listed += problems[:_MOST]
        if len(problems) > _MOST:
            last = problems[_MOST]
            rest = f"{len(problems) - _MOST} more places in this file are not analysed completely."
            listed.append(Problem(path, last.line, last.column, CODE, rest))
    return tuple(listed)
