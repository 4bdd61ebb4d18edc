"""Definition, references and highlights: the ways between an option's constant, reads, config files and documents.

A read leads to what declares its option.  A declaration leads to the option's other declarations
(from a constant to the call that defines it), or to itself, which editors answer with references.  A key or placeholder in
a config file leads to the declaration, or, where nothing declares the option, to its reads.  References hold the reads, the
keys and placeholders of config files, and the entries of documents that describe the option, at most
``documents.MAX_REFERENCES`` of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.documents import DocumentRef, MentionKind
from conflens.ide.targets.config_names import named_at, places_of
from conflens.ide.targets.cursor import target_at
from conflens.options.model import Declaration, Option
from conflens.session.analysis import Analysis

_BOM = b"\xef\xbb\xbf"


@attrs.frozen
class Definition:
    """From the text at ``origin`` to ``targets``; each is a name and the whole it belongs to."""

    origin: Place
    targets: tuple[tuple[Place, Place], ...]


class HighlightKind(StrEnum):
    """What a highlighted place does with the option."""

    READ = "read"
    DECLARATION = "declaration"
    SETTING = "setting"
    """A config file sets it, or names it in a placeholder."""


@attrs.frozen
class _Touched:
    place: Place
    options: tuple[Option, ...]
    declaration: Declaration | None = None
    in_config: bool = False


def definition(analysis: Analysis, path: str, offset: int) -> Definition | None:
    """Return where the option at byte ``offset`` is declared; ``None`` if nowhere in the program."""
    touched = _touched(analysis, path, offset)
    if touched is None:
        return None
    declarations = {
        (declaration.place, declaration.scope): declaration
        for option in touched.options
        for declaration in option.declarations
    }
    others = [key for key, value in declarations.items() if value != touched.declaration]
    found = others or list(declarations)
    if not found and touched.in_config:
        found = [(read.name_place, read.place) for o in touched.options for read in o.reads]
    return Definition(touched.place, tuple(sorted(set(found)))) if found else None


def references(
    analysis: Analysis, path: str, offset: int, with_declarations: bool
) -> tuple[Place, ...]:
    """Return where the options at byte ``offset`` are read, set and described, and their declarations if asked for."""
    touched = _touched(analysis, path, offset)
    if touched is None:
        return ()
    found = set(_in_code(touched.options, with_declarations))
    settings = set(_settings(analysis, touched.options))
    described = {
        place
        for option in touched.options
        for place in entry_places(analysis, option)
        if not any(_meet(place, other) for other in settings)
    }
    return tuple(sorted(found | settings | described))


def highlights(
    analysis: Analysis, path: str, offset: int
) -> tuple[tuple[Place, HighlightKind], ...]:
    """Return the places of the options at byte ``offset`` in this file, in order."""
    touched = _touched(analysis, path, offset)
    if touched is None:
        return ()
    if touched.in_config:
        places = places_of(analysis, path, touched.options)
        return tuple((place, HighlightKind.SETTING) for place in places)
    found = _in_code(touched.options, True)
    return tuple(sorted(item for item in found.items() if item[0].path == path))


def entry_places(analysis: Analysis, option: Option) -> Iterator[Place]:
    """Yield where documents describe an option in entries of their own: the name as it stands there."""
    for ref in analysis.documented(option):
        if ref.kind is MentionKind.ENTRY:
            place = place_of(analysis, ref, option.name)
            if place is not None:
                yield place


def place_of(analysis: Analysis, ref: DocumentRef, name: str) -> Place | None:
    """Return a mention's place; ``None`` if the document cannot be read any more.

    It is as long as ``name`` if that stands there, as its last part (nested YAML), or else up to the next blank."""
    lines = analysis.lines(ref.path)
    if lines is None:
        return None
    start = lines.offset(ref.line - 1, ref.column - 1, Encoding.UTF32)
    if ref.line == 1 and lines.text.startswith(_BOM):
        start = lines.offset(0, ref.column, Encoding.UTF32)
    rest = lines.text[start : start + 1000]
    for written in (name, name.rpartition(".")[2]):
        if written and rest.startswith(written.encode()):
            return Place(ref.path, start, start + len(written.encode()))
    end = start
    while end < start + len(rest) and not lines.text[end : end + 1].isspace():
        end += 1
    return Place(ref.path, start, end)


def _touched(analysis: Analysis, path: str, offset: int) -> _Touched | None:
    if path in analysis.config_files:
        named = named_at(analysis, path, offset)
        return None if named is None else _Touched(named.place, named.options, in_config=True)
    target = target_at(analysis, path, offset)
    return None if target is None else _Touched(target.place, target.options, target.declaration)


def _in_code(options: tuple[Option, ...], with_declarations: bool) -> dict[Place, HighlightKind]:
    found = {read.name_place: HighlightKind.READ for option in options for read in option.reads}
    if with_declarations:
        for option in options:
            for declaration in option.declarations:
                found[declaration.place] = HighlightKind.DECLARATION
    return found


def _settings(analysis: Analysis, options: tuple[Option, ...]) -> Iterator[Place]:
    """Keys by what recognition says, and placeholders in the files that set the option or count at all."""
    for path in analysis.recognised.config_files():
        yield from places_of(analysis, path, options)


def _meet(one: Place, other: Place) -> bool:
    return one.path == other.path and one.start <= other.end and other.start <= one.end
