"""Chains for a terminal: of each option its counts, each flow step by step, and where trails go cold.

Every step is one line that begins with ``path:line``, as terminals and editors make links of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from conflens.base.words import count
from conflens.cli.report.bounds import READ, Bounds, Written
from conflens.cli.report.contract import Shown
from conflens.cli.report.reached import compact, matrix, total
from conflens.cli.report.report import Report, ReportedOption, settings_problems
from conflens.cli.report.steps import Steps, role, visible
from conflens.cli.report.tables import plain_table, show_parts
from conflens.flow.results import Cold, Confidence, Flow, Path, StepRole, counts

_INDENT = "      "


def chains(report: Report, shown: Shown) -> Iterator[str]:
    """Yield the lines for the options of ``report``, as far as there is room."""
    bounds = Bounds(map(len, (shown.selection.of(one.reach) for one in report.options)), READ)
    for number, option in enumerate(report.options):
        if number:
            yield ""
        flows = shown.selection.of(option.reach)
        yield f"{visible(option.name)}  ({about(option)})"
        yield f"  {summary(option, flows)}"
        if flows:
            yield ""
            yield from _matrix(flows)
        index = 0
        for index, (flow, paths) in enumerate(bounds.of(flows, shown.paths), 1):
            yield ""
            yield from _flow(report.steps, index, flow, paths)
        if index < len(flows):
            yield ""
            yield f"     {left_out(flows, index)}"
        if option.reach.cold:
            yield ""
            yield "  goes cold:"
            yield from _cold(report.steps, option.reach.cold)
    yield from filter(None, [bounds.told()])
    yield from settings_problems(report)


def left_out(flows: tuple[Flow, ...], written: int) -> str:
    """Return how many flows of an option there is no room for."""
    return (
        f"and {count(len(flows) - written, 'more flow')}, left out because the result is too large"
    )


def about(option: ReportedOption) -> str:
    """Return domain, type and defaults: ``system property, integer, default 4``."""
    parts = [option.domain.replace("-", " ")]
    if option.type != "unknown":
        parts.append(option.type)
    if option.defaults:
        parts.append(f"default {' or '.join(map(visible, option.defaults))}")
    return ", ".join(parts)


def summary(option: ReportedOption, flows: tuple[Flow, ...]) -> str:
    """Return how many operations are reached, and how many flows the selection leaves out."""
    left_out = len(option.reach.flows) - len(flows)
    others = f"; {count(left_out, 'flow')} not shown" if left_out else ""
    if not flows:
        return f"reaches no operation{others}" if not left_out else others[2:]
    sure = [
        f"{number:,} {confidence}"
        for confidence in Confidence
        if (number := sum(flow.confidence is confidence for flow in flows))
    ]
    found = f"{count(len(flows), 'flow')} to {count(total(flows), 'operation')}"
    return f"{found}; confidence: {', '.join(sure)}{others}"


def heading(steps: Steps, flow: Flow) -> str:
    """Return one flow in words: ``loop · io  FileChannel.write in Store.flush``."""
    operation = flow.operation
    kind = f"{flow.dependency} · {operation.kind}"
    return f"{kind}  {visible(operation.api)} in {steps.method(operation.ref)}"


def qualities(flow: Flow, path: Path) -> str:
    """Return pattern, distance and confidence: ``loop-bound, 2 calls away, high confidence``."""
    away = f"{count(path.distance, 'call')} away, " if path.distance else ""
    return f"{flow.pattern}, {away}{path.confidence} confidence"


def more(flow: Flow, shown: int) -> str:
    """Return how many further paths there are, empty for none."""
    rest = flow.total - shown
    if rest <= 0:
        return ""
    kept = "--paths all shows more" if len(flow.paths) > shown else "the others are not kept"
    return f"and {count(rest, 'more path')} ({kept})"


def show_overview(report: Report, shown: Shown) -> None:
    """Print the options that reach anything, most operations first, in one table."""
    show_parts(_overview(report, shown))


def overview_rows(report: Report, shown: Shown) -> list[tuple[str, ...]]:
    """Return option, domain, what it reaches, flows by confidence and cold trails, as texts."""
    rows = []
    for option in report.options:
        flows = shown.selection.of(option.reach)
        if flows or option.reach.cold:
            sure = [sum(flow.confidence is level for flow in flows) for level in Confidence]
            row = (
                visible(option.name),
                option.domain.replace("-", " "),
                compact(counts(flows)),
                " / ".join(f"{number:,}" for number in sure),
                f"{len(option.reach.cold):,}" if option.reach.cold else "",
            )
            rows.append((-total(flows), row))
    return [row for _, row in sorted(rows)]


def overview_line(report: Report, shown: Shown) -> str:
    """Return what all options reach, in one line."""
    flows = [flow for option in report.options for flow in shown.selection.of(option.reach)]
    reaching = sum(bool(shown.selection.of(option.reach)) for option in report.options)
    return (
        f"{reaching:,} of {count(len(report.options), 'option')} reach"
        f" {count(total(flows), 'operation')} in {count(len(flows), 'flow')}"
    )


def _overview(report: Report, shown: Shown) -> Iterator[RenderableType]:
    yield Text(overview_line(report, shown), style="bold")
    rows = overview_rows(report, shown)
    if rows:
        yield ""
        table = plain_table("flows by option")
        table.add_column("option", overflow="fold", min_width=20)
        table.add_column("domain", overflow="fold")
        table.add_column("reaches", overflow="fold")
        table.add_column("high / medium / low", justify="right", no_wrap=True)
        table.add_column("cold", justify="right", no_wrap=True)
        for row in rows:
            table.add_row(*map(Text, row))
        yield table
        yield ""
        yield Text("conflens flows PATH --option NAME shows them step by step")
    for line in settings_problems(report):
        yield Text(line)


def _matrix(flows: tuple[Flow, ...]) -> Iterator[str]:
    rows = matrix(counts(flows))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield f"    {'  '.join(cells)}"


def _flow(steps: Steps, number: int, flow: Flow, paths: list[Written]) -> Iterator[str]:
    yield f"{number:>3}. {heading(steps, flow)}"
    for position, written in enumerate(paths, 1):
        which = f"path {position}: " if len(paths) > 1 else ""
        yield f"     {which}{qualities(flow, written.path)}"
        for reason in written.path.reasons:
            yield f"       because: {visible(reason)}"
        yield from _steps(steps, written)
    rest = more(flow, len(paths))
    if rest:
        yield f"     {rest}"


def _steps(steps: Steps, written: Written) -> Iterator[str]:
    made = written.steps
    spots = [steps.spot(step.ref, step.instr) for step in made]
    places = [visible(f"{spot.path}:{spot.line}") for spot in spots]
    width = max(map(len, places))
    roles = [role(step) for step in made]
    wide = max(len(word) for word in StepRole)
    beyond = 0
    for number, (place, word, spot) in enumerate(zip(places, roles, spots, strict=True), 1):
        if written.left_out and number - 1 == written.cut:
            yield f"{_INDENT}    … {count(written.left_out, 'step')} …"
            beyond = written.left_out
        yield f"{_INDENT}{number + beyond:>2}. {place:<{width}}  {word:<{wide}}  {spot.text}"


def _cold(steps: Steps, trails: tuple[Cold, ...]) -> Iterator[str]:
    spots = [steps.spot(trail.ref, trail.instr) for trail in trails]
    places = [visible(f"{spot.path}:{spot.line}") for spot in spots]
    width = max(map(len, places))
    for trail, place, spot in zip(trails, places, spots, strict=True):
        yield f"    {place:<{width}}  {visible(trail.reason)}: {spot.text}"
