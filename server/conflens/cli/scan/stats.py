"""``conflens stats``: count what a project holds and what it cost to find out."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

from conflens.cli.engine import analyse
from conflens.cli.errors import OK
from conflens.cli.output import emit, emit_lines
from conflens.cli.report.contract import encode_any
from conflens.cli.report.contract import stats as contract_stats
from conflens.cli.report.report import LEFT_OUT, UNRESOLVED, Report, report


def run(arguments: argparse.Namespace) -> int:
    """Scan and print the counts."""
    found = report(analyse(arguments), with_gaps=True)
    if arguments.format == "json":
        emit(encode_any(_object(found)))
    else:
        emit_lines(_lines(found))
    return OK


def _object(found: Report) -> dict[str, object]:
    return {
        **contract_stats(found),
        "options": len(found.options),
        "reads": found.reads,
        "by_domain": _counts(option.domain for option in found.options),
        "by_type": _counts(option.type for option in found.options),
        "by_verdict": _counts(verdict for option in found.options for verdict in option.verdicts),
        "by_problem": _counts(problem.code for problem in found.problems),
        "unresolved": found.count(UNRESOLVED),
        "gaps": [
            {"path": gap.path, "line": gap.line, "message": gap.message} for gap in found.gaps
        ],
        "learned": list(found.learned),
        "left_out": _counts(item.message for item in found.problems if item.code == LEFT_OUT),
    }


def _counts(items: Iterator[str]) -> dict[str, int]:
    """Count; the most frequent first, equal counts by name."""
    return dict(sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0])))


def _lines(found: Report) -> Iterator[str]:
    for title, value in _object(found).items():
        words = title.replace("_", " ")
        if title == "gaps":
            yield from _gaps(found)
        elif title == "learned":
            yield from _learned(found)
        elif isinstance(value, dict):
            yield ""
            yield f"{words}:"
            width = max((len(name) for name in value), default=0)
            for name, number in value.items():
                yield f"  {name:<{width}} {number:>9,}"
            if not value:
                yield "  none"
        else:
            shown = f"{value:>12,}" if isinstance(value, int) else f"{value:>12}"
            yield f"{words:<14}{shown}"


def _gaps(found: Report) -> Iterator[str]:
    if found.gaps:
        yield ""
        yield "options are probably missing:"
    for gap in found.gaps:
        yield f"  {gap.path}:{gap.line}: {gap.message}"


def _learned(found: Report) -> Iterator[str]:
    if found.learned:
        yield ""
        yield "learned from names:"
    for sentence in found.learned:
        yield f"  {sentence}"
