"""Inlay hints: what an option does, and its name or default where the source does not show it.

Rules, so that hints stay few: by default only options of high impact have one (``Annotations``); one per line, and none on the
line of a declaration that has a lens; 40 per request, at most 42 characters each (VS Code cuts what is longer), so the name
gives way to the effect; the name goes before the default; a further read of the same option in the same method has no hint.
Where one place reads several options, the shortest name stands for all, followed by how many more.  What a hint explains
and opens is found when it is asked for.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import by_length, shorten, shorten_name
from conflens.flow.results import OptionKey
from conflens.ide.code_lens.java import lenses
from conflens.ide.hover.java import describe
from conflens.ide.inlay_hints.parts import effect
from conflens.ide.settings.settings import Annotations, Settings
from conflens.options.model import Default, Option, Read
from conflens.options.secret_values import is_hidden, is_secret_option
from conflens.render.option_view import defaults_of
from conflens.render.phrases import Wording
from conflens.render.verdict_phrases import effect_of
from conflens.session.analysis import Analysis

MAX_HINTS = 40
MAX_WIDTH = 42
MAX_LABEL = 40
BETWEEN = " · "


@attrs.frozen
class Hint:
    """Goes after byte ``offset``: ``label`` (perhaps empty), then ``effect`` (perhaps empty).

    ``option`` and ``read`` find again what the hint is about.
    """

    offset: int
    label: str
    effect: str
    option: OptionKey
    read: Place


def hints(
    analysis: Analysis, path: str, start: int, end: int, settings: Settings
) -> tuple[Hint, ...]:
    """Return the hints for the bytes ``start`` to ``end`` of ``path``, in order."""
    facts = analysis.program.files.get(path)
    if not settings.inlay_hints or facts is None:
        return ()
    only_relevant = settings.annotations is not Annotations.ALL
    reads = [
        (read, option)
        for read, option in analysis.options.reads_in.get(path, ())
        if not only_relevant or effect_of(analysis, option)
    ]
    names_at: dict[tuple[Place, Place], set[str]] = {}
    for read, option in reads:
        names_at.setdefault((read.place, read.name_place), set()).add(option.name)
    shown_methods = {read.method for read, _ in reads if start <= read.anchor <= end}
    lines = {analysis.line(lens.place) for lens in lenses(analysis, path, settings)}
    seen: set[tuple[str, OptionKey, str]] = set()
    result: list[Hint] = []
    for read, option in reads:
        if read.method not in shown_methods:
            continue
        names = names_at[read.place, read.name_place]
        if option.name != min(names, key=by_length):
            continue
        effect_words = (
            effect(analysis, option, read, settings.annotations) if settings.flow_hints else ""
        )
        label = _label(analysis, read, option, len(names) - 1, MAX_LABEL)
        words = [
            text for text in (label, effect_words) if (read.method, option.key, text) not in seen
        ]
        seen.update((read.method, option.key, text) for text in words)
        words = [text for text in words if text]
        if not words or not start <= read.anchor <= end or read.anchor > facts.length:
            continue
        line = analysis.line(Place(path, read.anchor, read.anchor))
        if line in lines:
            continue
        lines.add(line)
        shown_effect = shorten(effect_words, MAX_WIDTH) if effect_words in words else ""
        fits = len(label) + len(BETWEEN) + len(shown_effect) <= MAX_WIDTH
        shown_label = label if label in words and (not shown_effect or fits) else ""
        result.append(Hint(read.anchor, shown_label, shown_effect, option.key, read.place))
        if len(result) == MAX_HINTS:
            break
    return tuple(sorted(result, key=lambda hint: hint.offset))


def tooltip(
    analysis: Analysis, path: str, option: OptionKey, read: Place, wording: Wording
) -> str | None:
    """Return the Markdown that explains a hint; ``None`` when its read is gone."""
    for known, owner in analysis.options.reads_in.get(path, ()):
        if known.place == read and owner.key == option:
            return describe(analysis, owner, wording)
    return None


def _label(analysis: Analysis, read: Read, option: Option, others: int, room: int) -> str:
    if not read.shows_name:
        more = f" +{others}" if others else ""
        return f"{shorten_name(option.name, room - len(more))}{more}"
    if read.shows_default or is_secret_option(option):
        return ""
    default = hidden_default(read, option, defaults_of(analysis, option))
    if default is None or is_hidden(option, default):
        return ""
    return f"default {default.text or '(empty)'}"


def hidden_default(read: Read, option: Option, defaults: tuple[Default, ...]) -> Default | None:
    """Return the default that holds at a read and is not written there.

    It is the read's own, or else the one stated where the option is declared; a default of another
    read does not hold here.
    """
    if read.default is not None:
        return read.default
    stated = {
        default.text: default
        for default in defaults
        for declaration in option.declarations
        if declaration.scope.path == default.place.path
        and declaration.scope.start <= default.place.start
        and default.place.end <= declaration.scope.end
    }
    return next(iter(stated.values())) if len(stated) == 1 else None
