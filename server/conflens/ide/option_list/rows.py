"""All options of a project as rows of a list: what each is, how sensitive, where documented, what it does, where it is read.

Rows are plain text without markup, short enough for one line or a tooltip, and stand in the order of domain and name.
The default of a password is not told, as in a hover.

Terms
    namespace   the first part of a dotted name (of ``org.example.a.b`` the first three), by which options of a domain are
                grouped; empty for a name without dots.

Invariants: as long as no model has looked every label is ``unknown`` and there is no sentence; ``undocumented`` is what
the diagnostic says (``diagnostics.undocumented``), so nothing is missing before all files have been seen.
Absent: sorting, filtering and grouping, which are the list's own.
"""

from __future__ import annotations

import re

import attrs

from conflens.base.prose import first_sentence
from conflens.base.span import Place
from conflens.documents import DocumentRef
from conflens.ide.diagnostics.diagnostics import undocumented
from conflens.ide.option_list.ranking import first_place
from conflens.ide.settings.settings import Settings
from conflens.options.model import Option, OptionType
from conflens.render.flow_phrases import effects
from conflens.render.flows import sure_counts
from conflens.render.phrases import Wording, pieces, shorten, type_words, unlabelled
from conflens.render.verdict_phrases import headline
from conflens.sensitivity.results import Label, Source, Verdict
from conflens.session.analysis import Analysis

MAX_DESCRIPTION = 120
MAX_EFFECT = 80
_MAX_SENTENCE = 160
_MAX_DEFAULT = 60
_MAX_TYPE = 60
_DEFAULTS = 2
_WHY = re.compile(r" \([^()`]*\)\Z")
"""What a type was inferred from, which is too much for a list."""
_REVERSED = frozenset({"com", "org", "net", "io", "dev", "edu", "gov"})


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


def namespace_of(name: str) -> str:
    """Return the first part of a dotted name, or the first three of a reversed address."""
    parts = name.split(".")
    wanted = 3 if parts[0] in _REVERSED else 1
    return ".".join(parts[: min(wanted, len(parts) - 1)])


def _row(analysis: Analysis, option: Option, missing: bool, wording: Wording) -> OptionRow:
    table = analysis.sensitivity
    verdict = table.of_option(option.key)
    documents = analysis.documented(option)
    reach = analysis.flows.of_option(option.key)
    return OptionRow(
        domain=option.domain,
        domain_words=wording.domain(option.domain),
        name=option.name,
        namespace=namespace_of(option.name),
        label=verdict.label if table.ready else Label.UNKNOWN,
        probability=verdict.probability if table.ready else None,
        sentence=_sentence(verdict) if table.ready else "",
        type=shorten(_WHY.sub("", type_words(option)).replace("`", ""), _MAX_TYPE),
        default=_default(option),
        documented=bool(documents or option.description),
        undocumented=missing,
        description=_description(option, documents),
        effect=shorten(effects(sure_counts([reach])), MAX_EFFECT),
        reads=len({read.name_place for read in option.reads}),
        place=first_place(option),
    )


def _sentence(verdict: Verdict) -> str:
    """What a hover says first, with one reason: ``Performance-sensitive (72 %): it sizes a thread pool.``"""
    said = headline(verdict)
    wanted = verdict.label is Label.SENSITIVE
    first = next(
        (
            item
            for item in verdict.reasons
            if verdict.label is Label.UNKNOWN or item.toward is wanted
        ),
        None,
    )
    if first is not None and verdict.source is Source.MODEL:
        said += f": it {first.text}"
    return f"{shorten(said[0].upper() + said[1:], _MAX_SENTENCE - 1)}."


def _default(option: Option) -> str:
    if option.type is OptionType.PASSWORD:
        return ""
    texts = list(dict.fromkeys(default.text for default in option.defaults))
    more = " …" if len(texts) > _DEFAULTS else ""
    return " or ".join(shorten(text, _MAX_DEFAULT) or '""' for text in texts[:_DEFAULTS]) + more


def _description(option: Option, documents: tuple[DocumentRef, ...]) -> str:
    text = option.description or next(
        (ref.description for ref in documents if ref.description), ""
    )
    if not text:
        return ""
    text = unlabelled(text, option, documents[0].default if documents else None)
    shown = "".join(part for _, part in pieces(text, 2 * MAX_DESCRIPTION))
    return first_sentence(shown, MAX_DESCRIPTION)
