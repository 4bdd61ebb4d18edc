"""The options of an analysis as subjects of the sensitivity model."""

from __future__ import annotations

from conflens.options.model import Option
from conflens.sensitivity import features
from conflens.sensitivity.features import Subject
from conflens.session.analysis import Analysis


def subjects_of(analysis: Analysis) -> list[Subject]:
    """Return every option with its flows and with what documents say of it, in the order of the options."""

    def texts(option: Option) -> tuple[str, ...]:
        found = analysis.documented(option)
        return tuple(document.description for document in found if document.description)

    return features.subjects(analysis.options.options, analysis.flows, texts)
