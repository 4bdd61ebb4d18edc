"""All options of a project, those most likely performance-sensitive first.

The order is that of ``Verdict.order`` (sensitive, unknown, insensitive; within each the most
probable), then the name.  Without a model that has looked every verdict is ``unknown``, and the
order is that of the names.  Absent: words (``verdict_phrases``), and lists and pages.
"""

from __future__ import annotations

from conflens.render.option_view import OptionView, option_view
from conflens.session.analysis import Analysis


def by_verdict(view: OptionView) -> tuple[tuple[int, int, float], str, str]:
    """Sort key of options; see the module text."""
    return view.verdict.order, view.name, view.domain


def ranked(analysis: Analysis) -> tuple[OptionView, ...]:
    """Return the views of all options in order; see the module text."""
    views = (option_view(analysis, option) for option in analysis.options.options)
    return tuple(sorted(views, key=by_verdict))
