"""The terminal's form of a report: what was found in one line, tables by domain, what else is to
say.

Long cells are folded, never cut in the middle of an option's name.  Without colour support
(``NO_COLOR``, a pipe) the text is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import attrs
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from conflens.base.control import neutral
from conflens.base.words import count, shorten
from conflens.checking.results import Code
from conflens.cli.output import emit_styled, writing
from conflens.cli.report.reached import compact
from conflens.cli.report.report import (
    LEFT_OUT,
    SYNTAX,
    UNRESOLVED,
    Report,
    ReportedOption,
    verdict_name,
)
from conflens.sensitivity.results import Label

_PIPE_WIDTH = 140
_DEFAULT_WIDTH = 24
_SENSITIVE = {Label.SENSITIVE: "yes", Label.INSENSITIVE: "no", Label.UNKNOWN: ""}


def show(report: Report, limit: int | None) -> None:
    """Print ``report`` to standard output; with ``limit``, at most that many options a domain."""
    show_parts(_parts(report, limit))


def show_parts(parts: Iterable[RenderableType], file: str | None = None) -> None:
    """Print what rich can render to standard output, in the width of the terminal or of a page.

    With ``file`` it goes there, without colour.
    """
    console = Console(highlight=False, emoji=False, markup=False, soft_wrap=False)
    if file is not None or not console.is_terminal:
        width = _PIPE_WIDTH if file is not None else max(_PIPE_WIDTH, console.width)
        console = Console(
            highlight=False,
            emoji=False,
            markup=False,
            width=width,
            color_system=None,
            force_terminal=False,
        )
    with writing():  # rich itself writes an empty text where streams have no buffer
        with console.capture() as capture:
            for part in parts:
                console.print(_Neutral(part))
        emit_styled(capture.get().splitlines(), file)


@attrs.frozen
class _Neutral:
    """Renders ``part`` with the colours that it has, and no control sequence of a text in it."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.part, options):
            yield segment if segment.control else segment._replace(text=neutral(segment.text))


def headline(report: Report) -> str:
    """Return what was found: ``412 options with 1,033 reads in 756 files (220,000 lines)``."""
    stats = report.stats
    return (
        f"{count(len(report.options), 'option')} with {count(report.reads, 'read')}"
        f" in {count(stats.files, 'file')} ({count(stats.lines, 'line')})"
    )


def missing(report: Report) -> Iterator[str]:
    """Yield one line if options are probably missing."""
    if report.gaps:
        first, more = report.gaps[0], len(report.gaps) - 1
        others = f" ({count(more, 'more place')}: conflens stats)" if more else ""
        yield f"Options are probably missing. {first.path}:{first.line}: {first.message}{others}"


def remarks(report: Report) -> Iterator[str]:
    """Yield what else there is to say, one line each: verdicts, unresolved, left out, time."""
    for code, words in (
        (Code.CONFLICTING_DEFAULT, "with defaults that differ between reads"),
        (Code.UNDOCUMENTED_OPTION, "in no document, though others of their kind are"),
        (Code.SENSITIVE_UNDOCUMENTED, "of these performance-sensitive"),
        (Code.UNUSED_READ, "with a read whose value is never used"),
    ):
        found = sum(verdict_name(code) in option.verdicts for option in report.options)
        if found:
            yield f"{count(found, 'option')} {words}"
    if report.judged:
        sensitive, unknown = report.labelled(Label.SENSITIVE), report.labelled(Label.UNKNOWN)
        yield (
            f"{count(sensitive, 'option')} performance-sensitive, {unknown:,} unknown"
            " (conflens sensitivity PATH tells why)"
        )
    unresolved = report.count(UNRESOLVED)
    if unresolved:
        yield f"{count(unresolved, 'read')} whose option name is only known at run time"
    reasons = [item.message for item in report.problems if item.code == LEFT_OUT]
    for reason in sorted(set(reasons)):
        yield f"{count(reasons.count(reason), 'path')} left out: {reason}"
    broken = len({item.path for item in report.problems if item.code == SYNTAX})
    if broken:
        yield f"{count(broken, 'file')} with syntax that was not understood in places"
    for problem in report.problems:
        if problem.code not in (UNRESOLVED, LEFT_OUT, SYNTAX):
            yield f"{problem.path}:{problem.line}: {problem.message} [{problem.code}]"
    stats = report.stats
    cached = f", {count(stats.cached_files, 'file')} from the cache" if stats.cached_files else ""
    yield f"{stats.seconds:.2f} s, {stats.peak_mb:.0f} MB at most{cached}"


def cells(option: ReportedOption) -> tuple[str, str, str, str, str, str, str]:
    """Return option, type, default, reads, reaches, documented, where, each as short text.

    ``reaches`` counts the operations that are reached with high or medium confidence.
    """
    kind = "" if option.type == "unknown" else option.type
    if option.unit:
        kind = f"{kind} {option.unit}".strip() if option.unit != "count" else kind
    defaults = ", ".join(shorten(text, _DEFAULT_WIDTH) or '""' for text in option.defaults)
    documented = ""
    if option.documented:
        path, line = option.documented[0]
        documented = f"{path.rsplit('/', 1)[-1]}:{line}"
    where = option.where
    place = f"{where.path.rsplit('/', 1)[-1]}:{where.line}" if where is not None else ""
    reads = str(len(option.reads))
    return option.name, kind, defaults, reads, compact(option.reach.sure()), documented, place


def marked(report: Report, option: ReportedOption) -> tuple[str, ...]:
    """Return the cells of ``option`` with what is known of its sensitivity before ``documented``.

    Without a model that has looked there is no such cell.
    """
    found = cells(option)
    if not report.judged:
        return found
    mark = _SENSITIVE[option.sensitivity.label] if option.sensitivity is not None else ""
    return *found[:5], mark, *found[5:]


def by_domain(
    options: Iterable[ReportedOption], limit: int | None
) -> Iterator[tuple[str, int, list[ReportedOption]]]:
    """Yield (domain in words, how many, those to show), the largest domain first."""
    ordered = sorted(options, key=lambda option: option.domain)
    groups = [(domain, list(found)) for domain, found in groupby(ordered, lambda o: o.domain)]
    for domain, found in sorted(groups, key=lambda group: (-len(group[1]), group[0])):
        yield domain.replace("-", " "), len(found), found[:limit]


def plain_table(title: str) -> Table:
    """Return an empty table in the style of the command line."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title_justify="left")
    table.title = Text(title, style="bold")
    return table


def _parts(report: Report, limit: int | None) -> Iterator[RenderableType]:
    yield Text(headline(report), style="bold")
    for line in missing(report):
        yield Text(line, style="yellow")
    for domain, total, options in by_domain(report.options, limit):
        yield ""
        table = plain_table(f"{domain} ({total:,})")
        table.add_column("option", overflow="fold", min_width=20)
        table.add_column("type", overflow="fold")
        table.add_column("default", overflow="fold")
        table.add_column("reads", justify="right", no_wrap=True)
        table.add_column("reaches", overflow="fold")
        if report.judged:
            table.add_column("sensitive", no_wrap=True)
        table.add_column("documented", overflow="fold")
        table.add_column("where", overflow="fold")
        for option in options:
            table.add_row(*(Text(cell) for cell in marked(report, option)))
        yield table
        if total > len(options):
            yield Text(f"and {total - len(options):,} more", style="dim")
    yield ""
    for line in remarks(report):
        yield Text(line)
