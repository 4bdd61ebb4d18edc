"""Chains as a Markdown page: the same content as in a terminal (``chains``), with places as links."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from conflens.base.words import count
from conflens.cli.flows.paths import (
    about,
    heading,
    left_out,
    more,
    overview_line,
    overview_rows,
    qualities,
    summary,
)
from conflens.cli.report.bounds import READ, Bounds, Written
from conflens.cli.report.contract import Shown
from conflens.cli.report.markdown import cell
from conflens.cli.report.reached import matrix
from conflens.cli.report.report import Report, settings_problems
from conflens.cli.report.steps import Spot, Steps, role
from conflens.flow.results import Flow, counts
from conflens.render.phrases import code, plain

_LIMIT = 400


def chains(report: Report, shown: Shown) -> Iterator[str]:
    """Yield the lines of the page for the options of ``report``, as far as there is room."""
    bounds = Bounds(map(len, (shown.selection.of(one.reach) for one in report.options)), READ)
    yield "# Flows to performance operations"
    for option in report.options:
        flows = shown.selection.of(option.reach)
        yield ""
        yield f"## {code(option.name)}"
        yield ""
        yield f"{plain(about(option), _LIMIT)}. {plain(summary(option, flows), _LIMIT)}."
        if flows:
            yield ""
            yield from _matrix(flows)
        number = 0
        for number, (flow, paths) in enumerate(bounds.of(flows, shown.paths), 1):
            yield ""
            yield from _flow(report.steps, number, flow, paths)
        if number < len(flows):
            yield ""
            yield f"{left_out(flows, number)}."
        if option.reach.cold:
            yield ""
            yield "### Goes cold"
            yield ""
        for trail in option.reach.cold:
            spot = report.steps.spot(trail.ref, trail.instr)
            yield f"- {_link(spot)}: {plain(trail.reason, _LIMIT)}{_source(spot)}"
    for told in filter(None, [bounds.told()]):
        yield ""
        yield f"{plain(told, _LIMIT)}."
    yield from _remarks(report)


def overview(report: Report, shown: Shown) -> Iterator[str]:
    """Yield the lines of a page about all options."""
    yield "# Flows to performance operations"
    yield ""
    yield f"{overview_line(report, shown)}."
    rows = overview_rows(report, shown)
    if rows:
        yield ""
        yield "| option | domain | reaches | high / medium / low | cold |"
        yield "| --- | --- | --- | ---: | ---: |"
        for name, domain, reaches, sure, cold in rows:
            yield f"| {cell(name)} | {plain(domain, 100)} | {reaches} | {sure} | {cold} |"
    yield from _remarks(report)


def _matrix(flows: tuple[Flow, ...]) -> Iterator[str]:
    first, *rows = matrix(counts(flows))
    yield f"| {' | '.join(first)} |"
    yield f"| --- {'| ---: ' * (len(first) - 1)}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _flow(steps: Steps, number: int, flow: Flow, paths: list[Written]) -> Iterator[str]:
    yield f"### {number}. {plain(heading(steps, flow), _LIMIT)}"
    for written in paths:
        path = written.path
        because = f" ({'; '.join(path.reasons)})" if path.reasons else ""
        yield ""
        yield f"{plain(qualities(flow, path) + because, _LIMIT)}:"
        yield ""
        yield from _steps(steps, written)
    rest = more(flow, len(paths))
    if rest:
        yield ""
        yield rest


def _steps(steps: Steps, written: Written) -> Iterator[str]:
    beyond = 0
    for number, step in enumerate(written.steps, 1):
        if written.left_out and number - 1 == written.cut:
            yield f"\n… {count(written.left_out, 'step')} …\n"
            beyond = written.left_out
        spot = steps.spot(step.ref, step.instr)
        yield f"{number + beyond}. {_link(spot)} {role(step)}{_source(spot)}"


def _link(spot: Spot) -> str:
    target = quote(spot.path.encode("utf-8", "surrogateescape"))
    name = spot.path.rsplit("/", 1)[-1]
    return f"[{plain(f'{name}:{spot.line}', _LIMIT)}]({target}#L{spot.line})"


def _source(spot: Spot) -> str:
    return f" {code(spot.text)}" if spot.text else ""


def _remarks(report: Report) -> Iterator[str]:
    for line in settings_problems(report):
        yield f"- {plain(line, 1000)}" if line else ""
