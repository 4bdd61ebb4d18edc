"""Inlay hints: the name or default of an option where the source does not show it, whether it is
performance-sensitive and what the read reaches, both as chips (``chips``).

Rules, so that hints stay few: one per line, 40 per request, at most 42 characters each (VS Code cuts
what is longer); the name goes before the default; a further read of the same option in the same method says nothing
that was said before.  Where one place reads several options, the shortest name stands for all,
followed by how many more.  ``only_sensitive`` leaves out all other options.  What a hint explains and opens is found when it is asked for.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import by_length, shorten, shorten_name
from conflens.flow.results import OptionKey
from conflens.ide.hover.java import describe
from conflens.ide.inlay_hints.parts import BETWEEN, Chip, chips, fitted, mark
from conflens.ide.settings.settings import Settings
from conflens.options.model import Option, OptionType, Read
from conflens.render.phrases import Wording
from conflens.render.verdict_phrases import is_sensitive
from conflens.session.analysis import Analysis

MAX_HINTS = 40
MAX_WIDTH = 42
MAX_LABEL = 40
_MAX_LABEL_BEFORE_CHIPS = 30


@attrs.frozen
class Hint:
    """Goes after byte ``offset``: ``label`` (perhaps empty), then ``chips``.

    ``option`` and ``read`` find again what the hint is about.
    """

    offset: int
    label: str
    chips: tuple[Chip, ...]
    option: OptionKey
    read: Place


def hints(
    analysis: Analysis, path: str, start: int, end: int, settings: Settings
) -> tuple[Hint, ...]:
    """Return the hints for the bytes ``start`` to ``end`` of ``path``, in order."""
    if not settings.inlay_hints:
        return ()
    facts = analysis.program.files.get(path)
    if facts is None:
        return ()
    found: list[Hint] = []
    said: set[tuple[str, OptionKey, object]] = set()
    lines: set[int] = set()
    reads = [
        (read, option)
        for read, option in analysis.options.reads_in.get(path, ())
        if not settings.only_sensitive or is_sensitive(analysis, option)
    ]
    names_at: dict[tuple[Place, Place], set[str]] = {}
    for read, option in reads:
        names_at.setdefault((read.place, read.name_place), set()).add(option.name)
    shown_methods = {read.method for read, _ in reads if start <= read.anchor <= end}
    for read, option in reads:
        if read.method not in shown_methods:
            continue
        names = names_at[read.place, read.name_place]
        if option.name != min(names, key=by_length):
            continue
        marks = mark(analysis, option)
        shown = chips(analysis, option, read) if settings.flow_hints else ()
        room = _MAX_LABEL_BEFORE_CHIPS if marks or shown else MAX_LABEL
        label = _label(read, option, len(names) - 1, room)
        news = [
            item
            for item in (label, marks, shown)
            if item and (read.method, option.key, item) not in said
        ]
        said.update((read.method, option.key, item) for item in news)
        if not news or not start <= read.anchor <= end or read.anchor > facts.length:
            continue
        line = analysis.line(Place(path, read.anchor, read.anchor))
        if line in lines:
            continue
        lines.add(line)
        label = shorten(label, room) if label in news else ""
        taken = len(label) + len(BETWEEN) if label else 0
        wanted = (marks if marks in news else ()) + (shown if shown in news else ())
        parts = fitted(wanted, MAX_WIDTH - taken) if wanted else ()
        found.append(Hint(read.anchor, label, parts, option.key, read.place))
        if len(found) == MAX_HINTS:
            break
    return tuple(sorted(found, key=lambda hint: hint.offset))


def tooltip(
    analysis: Analysis, path: str, option: OptionKey, read: Place, wording: Wording
) -> str | None:
    """Return the Markdown that explains a hint; ``None`` when its read is gone."""
    for known, owner in analysis.options.reads_in.get(path, ()):
        if known.place == read and owner.key == option:
            return describe(analysis, owner, wording)
    return None


def _label(read: Read, option: Option, others: int, room: int) -> str:
    if not read.shows_name:
        more = f" +{others}" if others else ""
        return f"{shorten_name(option.name, room - len(more))}{more}"
    if read.shows_default or option.type is OptionType.PASSWORD:
        return ""
    default = hidden_default(read, option)
    return "" if default is None else f"default {default or '(empty)'}"


def hidden_default(read: Read, option: Option) -> str | None:
    """Return the default that holds at a read and is not written there.

    It is the read's own, or else the one stated where the option is declared; a default of another
    read does not hold here.
    """
    if read.default is not None:
        return read.default.text
    stated = {
        default.text
        for default in option.defaults
        for declaration in option.declarations
        if declaration.scope.path == default.place.path
        and declaration.scope.start <= default.place.start
        and default.place.end <= declaration.scope.end
    }
    return stated.pop() if len(stated) == 1 else None
