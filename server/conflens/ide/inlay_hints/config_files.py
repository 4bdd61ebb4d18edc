"""Inlay hints in config files: behind a value with placeholders what it resolves to.

``url=${host}:${port}`` gets `` = db1:5432``.  Rules, so that they stay few: one on a line, 40 a request, at most 42 characters;
none for a secret, none that repeats a default which the value shows (``${TOPIC:zipkin}``), and none where anything is not known,
since a diagnostic says what is missing.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.checking.placeholders import Resolution, resolved
from conflens.ide.hover.placeholders import (
    alone_with,
    shown,
    sources_text,
    values_of,
)
from conflens.ide.inlay_hints.java import MAX_HINTS, MAX_LABEL
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.config_keys import counting
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis


@attrs.frozen
class ValueHint:
    """Goes after byte ``offset``; ``tooltip`` is Markdown."""

    offset: int
    label: str
    tooltip: str


def value_hints(
    analysis: Analysis,
    path: str,
    start: int,
    end: int,
    settings: Settings,
    wording: Wording,
) -> tuple[ValueHint, ...]:
    """Return the hints for the bytes ``start`` to ``end`` of a config file, in order; none if it does not count."""
    wanted = settings.inlay_hints and settings.placeholder_hints
    found = counting(analysis, path) if wanted else None
    if found is None:
        return ()
    hints: list[ValueHint] = []
    lines: set[int] = set()
    for assignment, value in values_of(found[0], start, end):
        line = analysis.line(Place(path, value.end, value.end))
        if not start <= value.end <= end or line in lines:
            continue
        resolution = resolved(analysis.recognised, path, alone_with(assignment, value))
        text = shown(analysis, path, assignment, resolution)
        if text is None or resolution.text == value.text or _is_shown(value.text, resolution):
            continue
        lines.add(line)
        sources = sources_text(analysis, resolution, wording)
        tooltip = " ".join(part for part in (f"Resolves to {code(text)}.", sources) if part)
        at = _behind(found[0].text, value.end, value.style)
        hints.append(ValueHint(at, shorten(f"= {text or '(empty)'}", MAX_LABEL), tooltip))
        if len(hints) == MAX_HINTS:
            break
    return tuple(hints)


def _is_shown(written: str, resolution: Resolution) -> bool:
    """Whether a value shows what it resolves to: nothing but defaults written in it, or the same as its only default."""
    return not resolution.sources or written.endswith(
        (f":{resolution.text}}}", f":-{resolution.text}}}")
    )


def _behind(text: bytes, end: int, style: str) -> int:
    """The offset behind a value's closing quote."""
    quote = style.encode()
    return (
        end + len(quote)
        if quote in (b'"', b"'", b'"""', b"'''") and text.startswith(quote, end)
        else end
    )
