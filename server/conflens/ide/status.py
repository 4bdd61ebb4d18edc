"""The state of the server as a page: what was analysed, what was left out and why, what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from conflens.ide.words import Wording, code, count, plain
from conflens.session.analysis import Analysis

_MAX_ROWS = 10


def status(name: str, analysis: Analysis | None, wording: Wording, message: str) -> str:
    """Return Markdown on one workspace folder; ``message`` is the last failure, or empty."""
    lines = [f"## {plain(name, 200)}", ""]
    if message:
        lines += [f"The last update failed: {plain(message, 400)}", ""]
    if analysis is None:
        return "\n".join([*lines, "The project is being read.", ""])
    stats, table = analysis.stats, analysis.options
    reads = sum(len(option.reads) for option in table.options)
    state = "" if analysis.complete else " The project is still being read."
    lines += [
        f"{count(len(table.options), 'option')} with {count(reads, 'read')} in "
        f"{count(stats.files, 'file')} ({count(stats.lines, 'line')}).{state}",
        "",
        f"Last update: {_seconds(stats.seconds)}, {count(stats.cached_files, 'file')} from the cache, "
        f"{stats.peak_mb:.0f} MB at most.",
        "",
    ]
    domains = Counter(option.domain for option in table.options)
    if domains:
        lines += ["| kind | options |", "| --- | ---: |"]
        lines += [
            f"| {plain(wording.domain(domain), 80)} | {number:,} |"
            for domain, number in domains.most_common(_MAX_ROWS)
        ]
        lines.append("")
    lines += _section(
        "Reads whose name is not known",
        (
            f"{wording.place(item.place.path, analysis.line(item.place))}: {plain(item.reason, 200)}"
            for item in table.unresolved
        ),
        len(table.unresolved),
    )
    lines += _section(
        "Files left out",
        (f"{code(item.path)}: {plain(item.reason, 200)}" for item in analysis.left_out),
        len(analysis.left_out),
    )
    lines += _section(
        "Problems",
        (
            f"{wording.place(item.path, item.line)}: {plain(item.message, 200)}"
            for item in analysis.problems
        ),
        len(analysis.problems),
    )
    return "\n".join(lines)


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.01 else "under 0.01 s"


def _section(title: str, items: Iterator[str], total: int) -> list[str]:
    if not total:
        return []
    more = [f"- and {total - _MAX_ROWS:,} more"] if total > _MAX_ROWS else []
    return [f"### {title}", "", *(f"- {item}" for item in islice(items, _MAX_ROWS)), *more, ""]
