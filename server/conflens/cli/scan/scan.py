"""``conflens scan``: list the options that a project reads."""

from __future__ import annotations

import argparse

from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import FINDINGS, OK
from conflens.cli.output import emit_lines, emit_pieces, warn
from conflens.cli.report.report import NOT_JUDGED, Report, report


def run(arguments: argparse.Namespace) -> int:
    """Scan, print in the chosen format, and return the exit code that ``--fail-on`` asks for."""
    found = report(analyse(arguments), with_gaps=arguments.format != "json")
    if not found.judged:
        warn(NOT_JUDGED)
    if arguments.format == "json":
        from conflens.cli.report.contract import Shown, chunks  # noqa: PLC0415 - one format is loaded

        with uncollected():
            shown = Shown(paths=None if arguments.all_paths else 1)
            emit_pieces(chunks(found, shown, warn))
    elif arguments.format == "markdown":
        from conflens.cli.report.markdown import lines  # noqa: PLC0415 - one format is loaded, not three

        emit_lines(lines(found, arguments.limit))
    else:
        from conflens.cli.report.tables import show  # noqa: PLC0415 - one format is loaded, not three

        show(found, arguments.limit)
    return FINDINGS if _fails(found, arguments.fail_on) else OK


def _fails(found: Report, fail_on: frozenset[str]) -> bool:
    if "problem" in fail_on and found.problems:
        return True
    return any(not fail_on.isdisjoint(option.verdicts) for option in found.options)
