"""Hover: what is known of the option under the cursor, in at most 25 lines of Markdown; and at an
operation that options reach, which ones and how (``flow_hover``).  With a profile it tells what of the run is under
the option, and at the name of a method that costs much what it costs (``profile_hover``).

It stands next to another Java server's hover, so it repeats no signature and says nothing that is
not known. The verdict on its sensitivity comes first (``sensitivity_words``). "Documented nowhere" is said by the rule of ``documented``.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.checking.results import Severity
from conflens.documents import DocumentRef
from conflens.ide.diagnostics.documented import is_undocumented, reported_at, severity_of
from conflens.ide.hover import flows as flow_hover
from conflens.ide.profile import hover as profile_hover
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.cursor import Target, target_at
from conflens.options.model import Default, Option, OptionType
from conflens.render.phrases import (
    Wording,
    code,
    count,
    joined,
    limit_words,
    plain,
    prose,
    type_words,
    unlabelled,
)
from conflens.render.verdict_phrases import headline, sentence, verdict_of
from conflens.sensitivity.results import Label
from conflens.session.analysis import Analysis

MAX_LINES = 17 + flow_hover.MAX_LINES + profile_hover.MAX_LINES
_MAX_LINKS = 3
_MAX_DESCRIPTION = 320
_MAX_NAME = 120


@attrs.frozen
class Hover:
    """Markdown for the text at ``place``."""

    place: Place
    markdown: str


def hover(
    analysis: Analysis,
    path: str,
    offset: int,
    settings: Settings,
    wording: Wording,
    profile: Profile | None = None,
) -> Hover | None:
    """Return what to show at byte ``offset`` of ``path``; ``None`` where neither an option, nor an
    operation that one reaches, nor the name of a costly method is touched."""
    if not settings.hover:
        return None
    target = target_at(analysis, path, offset)
    if target is None:
        found = flow_hover.operation_paragraphs(analysis, path, offset, wording)
        if found is not None:
            return Hover(found[0], "\n\n".join(found[1]))
        if profile is None:
            return None
        method = profile_hover.method_paragraphs(analysis, profile, path, offset, wording)
        return None if method is None else Hover(*method)
    return Hover(target.place, explained(analysis, target, settings, wording, profile))


def explained(
    analysis: Analysis,
    target: Target,
    settings: Settings,
    wording: Wording,
    profile: Profile | None,
) -> str:
    """Return all that is known of the first option of a target, as Markdown of at most ``MAX_LINES`` lines."""
    return "\n\n".join(_paragraphs(analysis, target, settings, wording, profile))


def describe(analysis: Analysis, option: Option, wording: Wording) -> str:
    """Return one line on an option: name, domain, verdict if there is one, type, default."""
    kind = plain(wording.domain(option.domain), _MAX_NAME)
    parts = [f"**{code(_cut(option.name))}** · {kind}"]
    verdict = verdict_of(analysis, option)
    if verdict is not None and verdict.label is not Label.UNKNOWN:
        parts.append(headline(verdict))
    parts += _value(analysis, option, (), wording)
    return " · ".join(parts)


def _paragraphs(
    analysis: Analysis,
    target: Target,
    settings: Settings,
    wording: Wording,
    profile: Profile | None,
) -> Iterator[str]:
    option, *others = target.options
    documents = _elsewhere(analysis, option, target.place)
    kind = plain(wording.domain(option.domain), _MAX_NAME)
    yield f"**{code(_cut(option.name))}** · {kind}"
    verdict = sentence(analysis, option, wording)
    if verdict:
        yield verdict
    value = list(_value(analysis, option, documents, wording))
    if option.deprecated:
        value.insert(0, _deprecated(option))
    if value:
        yield " ".join(f"{_sentence(part)}." for part in value)
    description = option.description or next(
        (ref.description for ref in documents if ref.description), ""
    )
    if description:
        default = None if option.defaults else _stated(documents)
        yield prose(unlabelled(description, option, default), _MAX_DESCRIPTION)
    yield from flow_hover.flow_paragraphs(analysis, option, target.read, wording)
    measured = profile_hover.option_paragraph(profile, option.key) if profile is not None else ""
    if measured:
        yield measured
    documented = _documented(analysis, option, documents, target, settings, wording)
    if documented:
        yield documented
    reads = _other_reads(analysis, option, target, wording)
    if reads:
        yield reads
    others = [other for other in others if other.name != option.name]
    if others:
        names = [code(_cut(other.name)) for other in others[:_MAX_LINKS]]
        more = len(others) - len(names)
        yield f"Here also: {joined(names + ([f'{more} more'] if more else []))}."


def _value(
    analysis: Analysis, option: Option, documents: tuple[DocumentRef, ...], wording: Wording
) -> Iterator[str]:
    words = type_words(option)
    if words:
        yield words
    limits = limit_words(option)
    if limits:
        yield limits
    if option.type is OptionType.PASSWORD:
        return
    distinct: dict[str, Default] = {}
    for default in option.defaults:
        distinct.setdefault(default.text, default)
    if _differ(option):
        shown = [
            f"{code(_cut(text))} in {_link(analysis, default.place, wording)}"
            for text, default in list(distinct.items())[:_MAX_LINKS]
        ]
        more = len(distinct) - len(shown)
        yield f"⚠ defaults differ: {joined(shown + ([f'{more} more'] if more else []))}"
    elif distinct:
        yield f"default {' or '.join(code(_cut(text)) for text in list(distinct)[:_MAX_LINKS])}"
    else:
        stated = _stated(documents)
        if stated is not None:
            yield f"default {code(_cut(stated))} according to its documentation"


def _deprecated(option: Option) -> str:
    more = option.deprecated != "deprecated"
    return f"deprecated: {plain(option.deprecated, _MAX_NAME)}" if more else "deprecated"


def _stated(documents: tuple[DocumentRef, ...]) -> str | None:
    return next((ref.default for ref in documents if ref.default is not None), None)


def _elsewhere(analysis: Analysis, option: Option, here: Place) -> tuple[DocumentRef, ...]:
    """Where an option is documented, what stands at the hover itself left out."""
    found = analysis.documented(option)
    if not any(ref.path == here.path for ref in found):
        return found
    line = analysis.line(here)
    return tuple(ref for ref in found if (ref.path, ref.line) != (here.path, line))


def _documented(
    analysis: Analysis,
    option: Option,
    documents: tuple[DocumentRef, ...],
    target: Target,
    settings: Settings,
    wording: Wording,
) -> str:
    if documents:
        links = list(dict.fromkeys(wording.place(ref.path, ref.line) for ref in documents))
        return f"Documented in {joined(links[:_MAX_LINKS])}."
    reported = severity_of(analysis, option, settings) is not Severity.OFF
    if reported and reported_at(option) == target.place:
        return ""  # The diagnostic here says it, and editors show both in one box.
    return "Documented nowhere in this project." if is_undocumented(analysis, option, {}) else ""


def _other_reads(analysis: Analysis, option: Option, target: Target, wording: Wording) -> str:
    here = target.read.place if target.read is not None else None
    places = list(dict.fromkeys(read.place for read in option.reads if read.place != here))
    near = sorted(places, key=lambda place: (place.path != target.place.path, place))
    links = list(dict.fromkeys(_link(analysis, place, wording) for place in near))
    if _differ(option) and len(links) <= _MAX_LINKS:
        given = {_link(analysis, default.place, wording) for default in option.defaults}
        links = [link for link in links if link not in given]
    if not links:
        return ""
    shown = joined(links[:_MAX_LINKS])
    also = "also " if here is not None else ""
    if len(links) <= _MAX_LINKS:
        return _sentence(f"{also}read in {shown}.")
    where = count(len(places), "other place" if here is not None else "place")
    return f"Read in {where}, such as {shown}."


def _differ(option: Option) -> bool:
    """Whether the hover names the places of differing defaults."""
    differ = option.conflict and len({default.text for default in option.defaults}) > 1
    return differ and option.type is not OptionType.PASSWORD


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _link(analysis: Analysis, place: Place, wording: Wording) -> str:
    return wording.place(place.path, analysis.line(place))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_NAME else f"{text[: _MAX_NAME - 1]}…"
