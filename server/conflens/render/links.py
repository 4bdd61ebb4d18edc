"""Links to places in the project."""

from __future__ import annotations

from conflens.base.span import Place
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis


def link_to(analysis: Analysis, place: Place, wording: Wording) -> str:
    """Return a Markdown link to a place, named after its file and line."""
    return wording.place(place.path, analysis.line(place))
