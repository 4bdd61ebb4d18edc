"""``conflens flows``: how options reach performance operations, step by step."""

from __future__ import annotations

import argparse

import attrs

from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import emit, emit_lines, emit_pieces, warn
from conflens.cli.report.chosen_options import choose
from conflens.cli.report.contract import Shown
from conflens.cli.report.reached import STANDARD_KINDS, Selection
from conflens.cli.report.report import NOT_JUDGED, Report, report
from conflens.flow.results import Confidence, Dependency
from conflens.models.structure import nearest

_WITH_SENSITIVITY = ("json", "sarif")


def run(arguments: argparse.Namespace) -> int:
    """Scan, choose options and flows, print in the chosen format.

    Without ``--option`` the formats for people are a summary of all options; the others are whole.
    """
    found = report(analyse(arguments))
    selection = Selection(
        Confidence(arguments.min_confidence),
        arguments.kind,
        frozenset(map(Dependency, arguments.dependency)),
    )
    _check_kinds(found, selection.kinds)
    shown = Shown(selection, arguments.paths)
    found = attrs.evolve(found, options=choose(found.options, arguments.option, arguments.domain))
    if not found.judged and arguments.format in _WITH_SENSITIVITY:
        warn(NOT_JUDGED)
    with uncollected():
        show(found, shown, arguments.format, whole=bool(arguments.option))
    return OK


def show(found: Report, shown: Shown, form: str, *, whole: bool) -> None:
    """Print the flows of the options of a report; ``whole``: not only their numbers."""
    if form == "json":
        from conflens.cli.report.contract import chunks  # noqa: PLC0415 - one format is loaded, not all

        emit_pieces(chunks(found, shown, warn))
    elif form == "sarif":
        from conflens.cli.sarif.log import encode_log  # noqa: PLC0415 - one format is loaded, not all

        emit(encode_log(found, shown, warn))
    elif form == "markdown":
        from conflens.cli.flows import paths_markdown as chains_markdown  # noqa: PLC0415 - one format is loaded, not all

        page = chains_markdown.chains if whole else chains_markdown.overview
        emit_lines(page(found, shown))
    elif whole:
        from conflens.cli.flows.paths import chains  # noqa: PLC0415 - one format is loaded, not all

        emit_lines(chains(found, shown))
    else:
        from conflens.cli.flows.paths import show_overview  # noqa: PLC0415 - one format is loaded

        show_overview(found, shown)


def _check_kinds(found: Report, kinds: frozenset[str]) -> None:
    """Complain about a kind that looks like a typo; one of a workspace file may reach nothing."""
    known = {flow.operation.kind for option in found.options for flow in option.reach.flows}
    known.update(STANDARD_KINDS)
    for kind in sorted(kinds - known):
        meant = nearest(kind, known)
        if meant is not None:
            raise BadInputError(f"no operation is of the kind '{kind}'; did you mean '{meant}'?")
