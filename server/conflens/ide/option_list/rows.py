"""All options of a project as rows of a list: what each is, how sensitive, where documented, what it does, where it is read.

Rows are plain text without markup, short enough for one line or a tooltip, and stand in the order of domain and name.
The default of a secret is not shown, as in a hover.

Invariants: as long as no model has looked every label is ``unknown`` and there is no sentence; ``undocumented`` is what
the diagnostic says (``diagnostics.undocumented``), so nothing is missing before all files have been seen.
Absent: sorting, filtering and grouping, which are the list's own.
"""

from __future__ import annotations

import attrs

from conflens.base.prose import first_sentence
from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.ide.diagnostics.diagnostics import undocumented
from conflens.ide.settings.settings import Settings
from conflens.options.model import Option
from conflens.render.option_view import OptionView, option_view
from conflens.render.phrases import Wording, pieces
from conflens.sensitivity.phrases import headline
from conflens.sensitivity.results import Label, Source, Verdict
from conflens.session.analysis import Analysis

MAX_DESCRIPTION = 120
MAX_EFFECT = 80
_MAX_SENTENCE = 160
_MAX_DEFAULT = 60
_MAX_TYPE = 60
_DEFAULTS = 2


@attrs.frozen
class OptionRow:
    """One option; ``place`` is its first read outside of tests, or else its declaration."""

    domain: str
    domain_words: str
    name: str
    namespace: str
    label: Label
    probability: float | None
    sentence: str
    type: str
    default: str
    documented: bool
    undocumented: bool
    description: str
    effect: str
    reads: int
    place: Place | None


def option_rows(analysis: Analysis, settings: Settings, wording: Wording) -> tuple[OptionRow, ...]:
    """Return the rows of a folder; see the module text."""
    missing = undocumented(analysis, settings)
    return tuple(
        _row(analysis, option, option.key in missing, wording)
        for option in analysis.options.options
    )


def rests_on(settings: Settings) -> tuple[object, ...]:
    """Return those of the settings that rows depend on."""
    return settings.diagnostics, settings.undocumented, settings.sensitive_undocumented


def _row(analysis: Analysis, option: Option, is_missing: bool, wording: Wording) -> OptionRow:
    view = option_view(analysis, option)
    return OptionRow(
        domain=view.domain,
        domain_words=wording.domain(view.domain),
        name=view.name,
        namespace=view.namespace,
        label=view.verdict.label,
        probability=view.verdict.probability,
        sentence=_sentence(view.verdict) if view.is_judged else "",
        type=shorten(view.type.replace("`", ""), _MAX_TYPE),
        default=_default(view),
        documented=view.is_documented and not is_missing,
        undocumented=is_missing,
        description=_description(view),
        effect=shorten(view.effects, MAX_EFFECT),
        reads=len({read.name_place for read in option.reads}),
        place=view.place,
    )


def _sentence(verdict: Verdict) -> str:
    """What a hover says first, with one reason: ``Performance-sensitive (72 %): it sizes a thread pool.``"""
    text = headline(verdict)
    toward = verdict.label is Label.SENSITIVE
    first = next(
        (
            reason
            for reason in verdict.reasons
            if verdict.label is Label.UNKNOWN or reason.toward is toward
        ),
        None,
    )
    if first is not None and verdict.source is Source.MODEL:
        text += f": it {first.text}"
    return f"{shorten(text[0].upper() + text[1:], _MAX_SENTENCE - 1)}."


def _default(view: OptionView) -> str:
    texts = view.default_texts
    more = " …" if len(texts) > _DEFAULTS else ""
    return " or ".join(shorten(text, _MAX_DEFAULT) or '""' for text in texts[:_DEFAULTS]) + more


def _description(view: OptionView) -> str:
    if not view.description:
        return ""
    text = "".join(part for _, part in pieces(view.description, 2 * MAX_DESCRIPTION))
    return first_sentence(text, MAX_DESCRIPTION)
