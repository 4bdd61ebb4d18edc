"""Placeholders in config files: which one a cursor touches, and what it comes to.

Of nested placeholders the innermost is touched.  What it comes to is decided by ``checking.placeholders``; here it is put
into words.  Secrets, by name or by form, are never shown.
Absent: problems of placeholders, which are diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.base.words import joined, shorten
from conflens.checking.placeholders import (
    Resolution,
    holds_secret,
    is_secret_part,
    resolved,
    shown_as_written,
)
from conflens.documents.configfiles.model import Assignment, ConfigFile, Kind, Value
from conflens.ide.hover.java import describe
from conflens.ide.targets.config_keys import counting
from conflens.options.model import Option
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis

MAX_NESTED = 32
MAX_VALUE = 20_000
"""Longer values are not looked at, in bytes."""
_OPEN, _CLOSE = b"${", b"}"
_MAX_SHOWN = 200
_MAX_SOURCES = 3


@attrs.frozen
class Placeholder:
    """``written`` at ``place``, in the value of ``assignment``, and what it comes to."""

    place: Place
    written: str
    assignment: Assignment
    resolution: Resolution


def placeholder_at(analysis: Analysis, path: str, offset: int) -> Placeholder | None:
    """Return the placeholder under a byte offset of a config file that counts, ``None`` where none is."""
    found = counting(analysis, path)
    if found is None:
        return None
    for assignment, value in values_of(found[0], offset, offset):
        span = _innermost(found[0].text, value, offset)
        if span is None:
            continue
        written = found[0].text[span[0] : span[1]].decode("utf-8", "replace")
        alone = alone_with(assignment, attrs.evolve(value, text=written))
        resolution = resolved(analysis.recognised, path, alone)
        if resolution.complete and resolution.text == written:
            return None
        return Placeholder(Place(path, *span), written, assignment, resolution)
    return None


def values_of(file: ConfigFile, start: int, end: int) -> Iterator[tuple[Assignment, Value]]:
    """Yield the values with placeholders that touch a range of bytes, in the order of the file."""
    if _OPEN not in file.text:
        return
    for assignment in file.assignments:
        if assignment.merged:
            continue
        values = assignment.items if assignment.value is None else (assignment.value,)
        for value in values:
            near = value.start <= end and start <= value.end
            if near and "${" in value.text and value.end - value.start <= MAX_VALUE:
                yield assignment, value


def alone_with(assignment: Assignment, value: Value) -> Assignment:
    """Return the assignment with one value: of a list, one of its elements."""
    return attrs.evolve(assignment, kind=Kind.SCALAR, value=value, items=())


def shown(analysis: Analysis, path: str, assignment: Assignment, found: Resolution) -> str | None:
    """Return what a value comes to on one line; ``None`` if that is not known, or a secret."""
    if not found.complete:
        return None
    if _is_secret(analysis, path, assignment, found):
        return None
    return shorten(found.text, _MAX_SHOWN)


def _is_secret(analysis: Analysis, path: str, assignment: Assignment, found: Resolution) -> bool:
    """Whether a value may be a secret: of the key that it is given to, or of one that it comes from."""
    itself = attrs.evolve(found, sources=((path, assignment), *found.sources))
    recognised = analysis.recognised
    return holds_secret(recognised, path, itself) or is_secret_part(
        recognised, path, assignment, found.text
    )


def explained(analysis: Analysis, found: Placeholder, wording: Wording) -> str:
    """Return what a placeholder comes to, and from where, as Markdown."""
    resolution, path = found.resolution, found.place.path
    hidden = _is_secret(analysis, path, found.assignment, resolution)
    written = shown_as_written(analysis.recognised, path, found.written, hidden)
    written = code(shorten(written, _MAX_SHOWN))
    if resolution.cycle:
        way = " → ".join(code(name) for name in resolution.cycle)
        return f"{written} refers to itself: {way}."
    value = shown(analysis, path, found.assignment, resolution)
    sources = _sources(analysis, resolution, wording)
    if value is not None:
        by_default = " by its default" if resolution.defaults and not sources else ""
        said = f"{written} is {code(value)}{by_default}"
        text = f"{said}, set in {sources}." if sources else f"{said}."
    elif resolution.complete:
        text = f"{written} is set in {sources}." if sources else f"{written} is a secret."
    elif resolution.missing:
        names = joined(code(name) for name in resolution.missing[:_MAX_SOURCES])
        text = f"No config file of this project sets {names}."
    else:
        text = f"The value of {written} is unknown."
    options = [
        option
        for name in _names(found)
        for option in _options(analysis, path, name) or _known(analysis, path, name)
    ]
    return "\n\n".join([text, *(describe(analysis, option, wording) for option in options[:1])])


def sources_text(analysis: Analysis, found: Resolution, wording: Wording) -> str:
    """Return where the parts of a value come from, as a sentence of Markdown; may be empty."""
    sources = _sources(analysis, found, wording)
    return f"From {sources}." if sources else ""


def _sources(analysis: Analysis, found: Resolution, wording: Wording) -> str:
    places = [Place(path, one.key.start, one.key.end) for path, one in found.sources]
    links = [wording.place(place.path, analysis.line(place)) for place in places]
    return joined(list(dict.fromkeys(links))[:_MAX_SOURCES]) if links else ""


def _names(found: Placeholder) -> Iterator[str]:
    """The names that a placeholder may be about: of what sets it first, or its own."""
    yield from (one.name for _, one in found.resolution.sources[:1])
    yield found.written[2:-1].partition(":")[0].strip().removeprefix("?")


def _options(analysis: Analysis, path: str, name: str) -> tuple[Option, ...]:
    match = analysis.recognised.match(path)
    return match.options.get(name, ()) if match is not None else ()


def _known(analysis: Analysis, path: str, name: str) -> tuple[Option, ...]:
    match = analysis.recognised.match(path)
    return analysis.recognised.referred_to(name, match.domains) if match is not None else ()


def _innermost(text: bytes, value: Value, offset: int) -> tuple[int, int] | None:
    """The placeholder around an offset in a value, from ``$`` to behind its brace."""
    opened: list[int] = []
    at = value.start
    while at < value.end:
        if text.startswith(_OPEN, at) and len(opened) < MAX_NESTED:
            opened.append(at)
            at += len(_OPEN)
            continue
        if text.startswith(_CLOSE, at) and opened:
            start = opened.pop()
            if start <= offset <= at + 1:
                return start, at + 1
        at += 1
    return None
