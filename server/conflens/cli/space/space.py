"""``conflens space``: the search space of a project's options, for a tuner.

Absent: ranges and formats (``tuning``).
"""

from __future__ import annotations

import argparse
import importlib

from conflens.base.words import count
from conflens.cli.engine import analyse, uncollected
from conflens.cli.errors import OK, BadInputError
from conflens.cli.output import check_writable, emit, warn
from conflens.cli.report.chosen_options import choose
from conflens.cli.report.report import NOT_JUDGED
from conflens.render.option_view import OptionView
from conflens.render.ranking import ranked
from conflens.sensitivity.results import Label
from conflens.session.analysis import Analysis
from conflens.tuning.building import space_of

_WRITERS = {"json": "plain"}
"""The module of a format where it is not called so."""


def run(arguments: argparse.Namespace) -> int:
    """Scan, and write the space."""
    if arguments.output is not None:
        check_writable(arguments.output)
    analysis = analyse(arguments)
    if not analysis.sensitivity.ready:
        warn(NOT_JUDGED)
    with uncollected():
        views = _views(analysis, arguments)
        space = space_of(analysis, views, arguments.heap, arguments.top)
        form: str = arguments.form
        writer = importlib.import_module(f"conflens.tuning.{_WRITERS.get(form, form)}")
        text: str = writer.write(space)
    if not space.parameters:
        raise BadInputError(_nothing(arguments, len(space.left_out)))
    emit(text.encode("utf-8", "replace"), arguments.output)
    if space.left_out and form != "json":
        left = count(len(space.left_out), "option")
        warn(f"{left} left out of the space; --for json lists them with the reasons")
    return OK


def _views(analysis: Analysis, arguments: argparse.Namespace) -> list[OptionView]:
    """Return the views of the options meant, best verdict first."""
    chosen = {
        option.key for option in choose(analysis.options.options, arguments.name, arguments.domain)
    }
    views = [view for view in ranked(analysis) if view.key in chosen]
    if arguments.all or arguments.name or not analysis.sensitivity.ready:
        return views
    return [view for view in views if view.verdict.label is Label.SENSITIVE]


def _nothing(arguments: argparse.Namespace, left_out: int) -> str:
    if left_out:
        return f"{count(left_out, 'option')} found, but no range is known for any; --all also takes options without a verdict"
    if arguments.all or arguments.name:
        return "no option to vary was found"
    return "no performance-sensitive option was found; --all takes all options"
