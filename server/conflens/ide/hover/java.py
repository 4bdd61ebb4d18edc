"""Hover: what an option does and is, in a few lines of Markdown; at an operation, which options reach it.

The order is that of use: the share of an imported profile, the impact on performance with its reasons (``verdict_phrases``),
type and default, meaning, the operations it reaches, documentation, other reads.  The hover stands next to that of a Java
server, so it repeats no signature and says nothing that is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.base.words import count, joined
from conflens.checking.documentation import Documentation, reported_at
from conflens.ide.diagnostics.diagnostics import reports_undocumented
from conflens.ide.hover import flows as flow_hover
from conflens.ide.profile import hover as profile_hover
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.cursor import Target, target_at
from conflens.options.described import shown_description
from conflens.options.model import Default, Option
from conflens.render.links import link_to
from conflens.render.option_view import OptionView, option_view
from conflens.render.phrases import Wording, code, plain, prose
from conflens.render.verdict_phrases import sentence
from conflens.sensitivity.phrases import headline
from conflens.sensitivity.results import Label
from conflens.session.analysis import Analysis

MAX_LINES = 19 + flow_hover.MAX_LINES + profile_hover.MAX_LINES
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
        operation = flow_hover.operation_paragraphs(analysis, path, offset, wording)
        if operation is not None:
            return Hover(operation[0], "\n\n".join(operation[1]))
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
    view = option_view(analysis, option)
    parts = [_title(view, wording)]
    if view.verdict.label is not Label.UNKNOWN:
        parts.append(headline(view.verdict))
    parts += _values(analysis, attrs.evolve(view, documented_default=None), wording)
    return " · ".join(parts)


def _paragraphs(
    analysis: Analysis,
    target: Target,
    settings: Settings,
    wording: Wording,
    profile: Profile | None,
) -> Iterator[str]:
    option, *others = target.options
    view = option_view(analysis, option, target.place)
    yield _title(view, wording)
    measured = profile_hover.option_paragraph(profile, option.key) if profile is not None else ""
    if measured:
        yield measured
    if view.is_judged:
        yield sentence(analysis, view.verdict, wording)
    values = list(_values(analysis, view, wording))
    if option.deprecated:
        values.insert(0, _deprecated(option))
    if values:
        yield " ".join(f"{_sentence(part)}." for part in values)
    if view.description:
        yield prose(view.description, _MAX_DESCRIPTION)
    if view.adjusted:
        yield " ".join(view.adjusted)
    changing = (view.changing, *view.related[:1], view.felt)
    if any(changing):
        yield " ".join(filter(None, changing))
    yield from flow_hover.flow_paragraphs(analysis, view, target.read, wording)
    documented = _documented(analysis, view, target, settings, wording)
    if documented:
        yield documented
    reads = _other_reads(analysis, view, target, wording)
    if reads:
        yield reads
    others = [other for other in others if other.name != option.name]
    if others:
        names = [code(_cut(other.name)) for other in others[:_MAX_LINKS]]
        more = len(others) - len(names)
        yield f"Also read here: {joined(names + ([f'{more} more'] if more else []))}."


def _title(view: OptionView, wording: Wording) -> str:
    title = f"**{code(_cut(view.name))}** · {plain(wording.domain(view.domain), _MAX_NAME)}"
    others = (
        f"{code(_cut(name))} ({plain(wording.domain(domain), _MAX_NAME)})"
        for domain, name in view.option.aliases[:_MAX_LINKS]
    )
    return ", also ".join((title, *others))


def _values(analysis: Analysis, view: OptionView, wording: Wording) -> Iterator[str]:
    """Yield type, limits and defaults."""
    if view.type:
        yield view.type + view.evidence
    if view.limits:
        yield view.limits
    if view.defaults_differ:
        stated = list({one.text: one for one in reversed(view.option.defaults)}.values())[::-1]
        texts = [
            f"{code(_cut(default.text))} in {link_to(analysis, default.place, wording)}"
            for default in stated[:_MAX_LINKS]
        ]
        more = len(stated) - len(texts)
        yield f"⚠ defaults differ: {joined(texts + ([f'{more} more'] if more else []))}"
    elif view.defaults:
        shown = (_default(analysis, default, wording) for default in view.defaults[:_MAX_LINKS])
        yield f"default {' or '.join(shown)}"
    elif view.documented_default is not None:
        yield f"default {code(_cut(view.documented_default))} according to its documentation"


def _default(analysis: Analysis, default: Default, wording: Wording) -> str:
    """Return a default, with its place if it is a value that the program is shipped with."""
    text = code(_cut(default.text))
    shipped = default.place.path in analysis.config_files
    return f"{text} in {link_to(analysis, default.place, wording)}" if shipped else text


def _deprecated(option: Option) -> str:
    more = option.deprecated != "deprecated"
    said = shown_description(option, option.deprecated)
    return f"deprecated: {plain(said, _MAX_NAME)}" if more else "deprecated"


def _documented(
    analysis: Analysis, view: OptionView, target: Target, settings: Settings, wording: Wording
) -> str:
    if view.documents:
        links = list(dict.fromkeys(wording.place(ref.path, ref.line) for ref in view.documents))
        return f"Documented in {joined(links[:_MAX_LINKS])}."
    reported = reports_undocumented(analysis, view.option, settings)
    if reported and reported_at(view.option) == target.place:
        return ""  # The diagnostic here says it, and editors show both in one box.
    lack = Documentation(analysis).lack(view.option)
    return "Not documented in this project." if lack is not None else ""


def _other_reads(analysis: Analysis, view: OptionView, target: Target, wording: Wording) -> str:
    here = target.read.place if target.read is not None else None
    reads = view.option.reads
    places = list(dict.fromkeys(read.place for read in reads if read.place != here))
    near = sorted(places, key=lambda place: (place.path != target.place.path, place))
    links = list(dict.fromkeys(link_to(analysis, place, wording) for place in near))
    if view.defaults_differ and len(links) <= _MAX_LINKS:
        given = {link_to(analysis, default.place, wording) for default in view.option.defaults}
        links = [link for link in links if link not in given]
    if not links:
        return ""
    listed = joined(links[:_MAX_LINKS])
    also = "also " if here is not None else ""
    if len(links) <= _MAX_LINKS:
        return _sentence(f"{also}read in {listed}.")
    where = count(len(places), "other place" if here is not None else "place")
    return f"Read in {where}, such as {listed}."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_NAME else f"{text[: _MAX_NAME - 1]}…"
