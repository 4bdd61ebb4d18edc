"""The list of all options by sensitivity: as a page for a person, and as rows for a program.

The order is that of ``render.ranking``.  The page is Markdown with an address of its own,
``conflens:/sensitivity/options.md`` (or ``sensitive-options.md``), which is about every folder of the workspace.
It holds at most ``MAX_ROWS`` options of a folder; what is left out is counted.
Invariant: as long as no model has looked at a folder the page says so and there are no rows.
"""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

import attrs

from conflens.base.span import Place
from conflens.base.words import count, shorten
from conflens.ide.pages.flows import SCHEME
from conflens.options.model import OptionType
from conflens.render.option_view import OptionView
from conflens.render.phrases import Wording, code, plain
from conflens.render.ranking import ranked
from conflens.render.verdict_phrases import main_reason
from conflens.sensitivity.phrases import percent
from conflens.sensitivity.results import Label, Source, Verdict
from conflens.session.analysis import Analysis

MAX_ROWS = 500
_MAX_NAME = 120
_MAX_VALUE = 40
_PAGES = {"/sensitivity/options.md": False, "/sensitivity/sensitive-options.md": True}
_HEAD = "| option | verdict | main reason | type | default | operations |"
_RULE = "| --- | --- | --- | --- | --- | ---: |"


@attrs.frozen
class Row:
    """One option for a program; ``probability`` is 0 to 1, ``reasons`` complete "the option …"."""

    domain: str
    name: str
    label: Label
    probability: float | None
    source: Source
    note: str
    reasons: tuple[str, ...]
    type: str
    defaults: tuple[str, ...]
    operations: int
    place: Place | None


def list_uri(only_sensitive: bool) -> str:
    """Return the URI of the page."""
    path = next(path for path, only in _PAGES.items() if only is only_sensitive)
    return f"{SCHEME}:{path}"


def list_of(uri: str) -> bool | None:
    """Read the URI of the page: whether only sensitive options are on it; ``None`` for any other."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    return _PAGES.get(parts.path) if parts.scheme == SCHEME else None


def rows(analysis: Analysis, only_sensitive: bool) -> tuple[Row, ...]:
    """Return the rows of a folder, in order."""
    if not analysis.sensitivity.ready:
        return ()
    return tuple(
        Row(
            view.domain,
            view.name,
            view.verdict.label,
            view.verdict.probability,
            view.verdict.source,
            view.verdict.note,
            tuple(reason.text for reason in view.verdict.reasons),
            view.option.type.value,
            view.default_texts,
            view.operations,
            view.place,
        )
        for view in _chosen(ranked(analysis), only_sensitive)
    )


def list_page(name: str, analysis: Analysis | None, only_sensitive: bool, wording: Wording) -> str:
    """Return the part of the page about the folder ``name``."""
    lines = [f"## {plain(name, _MAX_NAME)}", ""]
    if analysis is None or not analysis.sensitivity.ready:
        return "\n".join([*lines, "The options have not been judged yet.", ""])
    everything = ranked(analysis)
    labels = Counter(view.verdict.label for view in everything)
    lines += [
        f"{count(len(everything), 'option')}: {labels[Label.SENSITIVE]:,} performance-sensitive, "
        f"{labels[Label.UNKNOWN]:,} unknown, {labels[Label.INSENSITIVE]:,} probably not.",
        "",
    ]
    chosen = _chosen(everything, only_sensitive)
    if chosen:
        lines += [_HEAD, _RULE]
        lines += [_line(analysis, view, wording) for view in chosen[:MAX_ROWS]]
        lines.append("")
    if len(chosen) > MAX_ROWS:
        lines += [f"And {count(len(chosen) - MAX_ROWS, 'more option')}.", ""]
    return "\n".join(lines)


def _chosen(views: tuple[OptionView, ...], only_sensitive: bool) -> tuple[OptionView, ...]:
    if not only_sensitive:
        return views
    return tuple(view for view in views if view.verdict.label is Label.SENSITIVE)


def _line(analysis: Analysis, view: OptionView, wording: Wording) -> str:
    option, place = view.option, view.place
    name = _cell(option.name, _MAX_NAME)
    if place is not None:
        name = f"[{name}]({wording.link(place.path, analysis.line(place))})"
    kind = option.type.value if option.type is not OptionType.UNKNOWN else ""
    if option.unit:
        kind = f"{kind} ({option.unit})".strip()
    defaults = " or ".join(_cell(text, _MAX_VALUE) for text in view.default_texts[:2])
    cells = [
        name,
        _verdict(view.verdict),
        main_reason(analysis, view.verdict, wording),
        plain(kind, _MAX_VALUE),
        defaults,
        f"{view.operations:,}" if view.operations else "",
    ]
    return f"| {' | '.join(cells)} |"


def _verdict(verdict: Verdict) -> str:
    words = {Label.SENSITIVE: "sensitive", Label.INSENSITIVE: "not sensitive"}
    label = words.get(verdict.label, "unknown")
    if verdict.source is Source.PERSON:
        return f"{label}, by you"
    if verdict.probability is None or verdict.label is Label.UNKNOWN:
        return label
    return f"{label}, {percent(verdict.probability)}"


def _cell(text: str, limit: int) -> str:
    """A code span for a table, where a bar would end the cell even so."""
    return code(shorten(text, limit)).replace("|", "\\|")
