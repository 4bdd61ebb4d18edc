"""What of an option lies under a cursor.

A read is *touched* where a person would point at it: on its name argument, on the name of the
called method, in an annotation up to the name.  Its other arguments and its receiver belong to
other things.  Of nested reads the innermost counts; one place may read several options: of those in a text with placeholders
the one whose name is touched goes first.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.base.text import is_word
from conflens.base.words import by_length
from conflens.options.model import Declaration, Option, Read, ReadKind
from conflens.options.names.placeholders import places
from conflens.session.analysis import Analysis


@attrs.frozen
class Target:
    """The ``options`` at a cursor (at least one), and the read or declaration it touches.

    ``place`` is the touched text: what an editor underlines.
    """

    place: Place
    options: tuple[Option, ...]
    read: Read | None
    declaration: Declaration | None


def target_at(analysis: Analysis, path: str, offset: int) -> Target | None:
    """Return what lies under byte ``offset`` of ``path``, or ``None``."""
    for declaration, options in analysis.options.declarations_in.get(path, ()):
        if declaration.place.holds(offset):
            ordered = _pointed_first(analysis, declaration.place, offset, options)
            return Target(declaration.place, ordered, None, declaration)
    best: tuple[int, Place, Read] | None = None
    for read, _ in analysis.options.reads_in.get(path, ()):
        if read.place.start > offset and read.name_place.start > offset:
            continue
        for place in _handles(analysis, read):
            size = read.place.end - read.place.start
            if place.holds(offset) and (best is None or size < best[0]):
                best = size, place, read
    if best is None:
        return None
    _, place, touched = best
    options = tuple(
        option
        for read, option in analysis.options.reads_in[path]
        if read.place == touched.place and read.name_place == touched.name_place
    )
    return Target(place, _pointed_first(analysis, place, offset, options), touched, None)


def _pointed_first(
    analysis: Analysis, place: Place, offset: int, options: tuple[Option, ...]
) -> tuple[Option, ...]:
    """Order options by their names, before all the one whose name a cursor in a text with placeholders touches."""
    ordered = _plainest_first(options)
    if len(ordered) < 2:
        return ordered
    text = (analysis.text(place.path) or b"")[place.start : place.end]
    at = offset - place.start

    def is_pointed(option: Option) -> bool:
        written = places(text, option.name.encode("utf-8", "replace"))
        return any(start <= at <= end for start, end, _ in written)

    return tuple(sorted(ordered, key=lambda option: not is_pointed(option)))


def _plainest_first(options: tuple[Option, ...]) -> tuple[Option, ...]:
    return tuple(sorted(options, key=lambda option: by_length(option.name)))


def _handles(analysis: Analysis, read: Read) -> Iterator[Place]:
    yield read.name_place
    if read.kind is ReadKind.ANNOTATION and read.place.start <= read.name_place.start:
        # The place of an annotation read may hold what is annotated, a method's body even.
        yield Place(read.place.path, read.place.start, read.name_place.end)
    if read.kind in (ReadKind.CALL, ReadKind.DISPATCH):
        method = _method_name(analysis, read)
        if method is not None:
            yield method


def _method_name(analysis: Analysis, read: Read) -> Place | None:
    """The identifier before the parenthesis that holds the name argument."""
    facts = analysis.program.files.get(read.place.path)
    text = analysis.texts.text(read.place.path)
    if text is None or facts is None or len(text) != facts.length:
        return None
    start = read.place.start
    inside = read.place.start <= read.name_place.start < read.place.end
    head = text[start : read.name_place.start if inside else read.place.end]
    end = head.rfind(b"(") if inside else head.find(b"(")
    while end > 0 and head[end - 1 : end].isspace():
        end -= 1
    if end <= 0:
        return None
    name = head[:end].decode("utf-8", "replace")
    begin = len(name)
    while begin and is_word(name[begin - 1]):
        begin -= 1
    if begin == len(name):
        return None
    return Place(read.place.path, start + len(name[:begin].encode()), start + end)
