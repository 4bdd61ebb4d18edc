"""The state of the server as a page: what was analysed, what was left out and why, what it cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import attrs

from conflens.base.span import Place
from conflens.base.words import count
from conflens.checking.gaps import gaps
from conflens.render.phrases import Wording, code, plain
from conflens.session.analysis import Analysis, Stats
from conflens.session.verdicts.judging import OFF, JudgingState, JudgingStatus

_MAX_ROWS = 10


@attrs.frozen
class Cost:
    """What a folder cost: seconds of its first reading (0 while it goes on), bytes of its cache on disk (0 without one)."""

    scan: float = 0.0
    cache: int = 0


def status(
    name: str,
    analysis: Analysis | None,
    wording: Wording,
    message: str,
    cost: Cost = Cost(),
    judging: JudgingStatus = OFF,
) -> str:
    """Return Markdown on one workspace folder; ``message`` is the last failure, or empty."""
    lines = [f"## {plain(name, 200)}", ""]
    if message:
        lines += [f"The last update failed: {plain(message, 400)}", ""]
    if judging.state is JudgingState.WAITING and analysis is not None:
        lines += ["Performance verdicts are being computed.", ""]
    if missing := missing_verdicts(judging):
        lines += [plain(missing, 400), ""]
    if analysis is None:
        return "\n".join([*lines, "The project is being read.", ""])
    stats, table = analysis.stats, analysis.options
    reads = sum(len(option.reads) for option in table.options)
    state = "" if analysis.complete else " The project is still being read."
    lines += [
        f"{count(len(table.options), 'option')} with {count(reads, 'read')} in "
        f"{count(stats.files, 'file')} ({count(stats.lines, 'line')}).{state}",
        "",
        *_costs(stats, cost),
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
    found = gaps(analysis)
    lines += _section(
        "Options are probably missing",
        (
            f"{wording.place(gap.path, analysis.line(Place(gap.path, gap.at, gap.at)))}: {plain(gap.message, 400)}"
            for gap in found
        ),
        len(found),
    )
    learned = analysis.learned
    lines += _section(
        "Learned from names",
        (plain(item.sentence(), 400) for item in learned),
        len(learned),
    )
    lines += _section(
        "Reads with unknown names",
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


def missing_verdicts(judging: JudgingStatus) -> str:
    """Return why options have no verdicts, as one sentence or two; empty unless the classifier failed."""
    if judging.state is not JudgingState.FAILED:
        return ""
    return f"Performance verdicts are missing: {judging.failure}. ConfLens will try again."


def server_cost(memory: int) -> str:
    """Return what the whole server costs now, ``memory`` in bytes; empty where that is not known."""
    return f"The server uses {_size(memory)} of memory." if memory else ""


def _costs(stats: Stats, cost: Cost) -> Iterator[str]:
    cached = f"{count(stats.cached_files, 'file')} from the cache"
    peak = f"{stats.peak_mb:.0f} MB at most"
    if cost.scan:
        yield f"First scan: {_seconds(cost.scan)}. Last update: {_seconds(stats.seconds)}, {cached}, {peak}."
    else:
        yield f"Last update: {_seconds(stats.seconds)}, {cached}, {peak}."
    if cost.cache:
        yield f"Cache on disk: {_size(cost.cache)}."


def _size(size: int) -> str:
    return f"{max(size / 1e6, 0.1):,.1f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.01 else "under 0.01 s"


def _section(title: str, items: Iterator[str], total: int) -> list[str]:
    if not total:
        return []
    more = [f"- and {total - _MAX_ROWS:,} more"] if total > _MAX_ROWS else []
    return [f"### {title}", "", *(f"- {item}" for item in islice(items, _MAX_ROWS)), *more, ""]
