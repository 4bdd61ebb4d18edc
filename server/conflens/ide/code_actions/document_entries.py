"""A new entry for an option in the document that describes its siblings, in that document's own form.

Terms
    sibling   the documented option whose name shares most leading words with the new one's.
    shape     how the sibling's entry is written: row of a table, list item, section, term of a definition list, property of
              Hadoop XML, key of a properties or YAML file (the new one is commented out, with a comment above).

Invariants: the entry goes directly behind the sibling's; nothing that stands there is changed; what is not known of the option is
left empty, never guessed.  A shape that is not recognised gives no entry.
Absent: creating documents, reStructuredText, HTML, Spring's metadata; the shapes themselves (``document_shapes``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nlargest

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.checking.results import Edit
from conflens.documents import DocumentRef, MentionKind
from conflens.documents.policy import Format, format_of
from conflens.ide.code_actions import document_shapes as shapes
from conflens.ide.code_actions.document_shapes import About, Found
from conflens.ide.navigation.navigation import place_of
from conflens.options.model import Option, OptionType
from conflens.session.analysis import Analysis

_MAX_SIBLINGS = 20
_WORDS = re.compile(r"[^.\-_\[\]/]+")
_SECRET = frozenset({OptionType.PASSWORD})
_LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
PLACEHOLDER = "To be described."


@attrs.frozen
class Entry:
    """The entry to add to the document at ``path``, behind that of ``sibling``."""

    path: str
    sibling: str
    edit: Edit


def entry(analysis: Analysis, option: Option) -> Entry | None:
    """Return the entry that would document an option, ``None`` if no document describes any sibling."""
    if option.pattern or not analysis.complete:
        return None
    about = _about(option)
    for sibling, ref in _siblings(analysis, option):
        found = _entry(analysis, about, sibling, ref)
        if found is not None:
            return found
    return None


def _about(option: Option) -> About:
    default = option.defaults[0].text if option.defaults and option.type not in _SECRET else ""
    description = " ".join(option.description.split()) or PLACEHOLDER
    type_ = "" if option.type is OptionType.UNKNOWN else option.type.value
    return About(option.name, description, default, type_, option.unit, ", ".join(option.values))


def _siblings(analysis: Analysis, option: Option) -> Iterator[tuple[Option, DocumentRef]]:
    """Options that share a word of the start, or at least the domain, with their entries; the nearest first."""
    words = _WORDS.findall(option.name.lower())

    def nearness(other: Option) -> tuple[int, bool]:
        shared = 0
        for one, two in zip(words, _WORDS.findall(other.name.lower()), strict=False):
            if one != two:
                break
            shared += 1
        return shared, other.domain == option.domain

    others = (
        other
        for other in analysis.options.options
        if other.name != option.name and not other.pattern and any(nearness(other))
    )
    documented = ((other, refs) for other in others if (refs := _entries(analysis, other)))
    for other, refs in nlargest(_MAX_SIBLINGS, documented, key=lambda pair: nearness(pair[0])):
        for ref in refs:
            yield other, ref


def _entries(analysis: Analysis, option: Option) -> list[DocumentRef]:
    return [ref for ref in analysis.documented(option) if ref.kind is MentionKind.ENTRY]


def _entry(analysis: Analysis, about: About, sibling: Option, ref: DocumentRef) -> Entry | None:
    place = place_of(analysis, ref, sibling.name)
    lines = analysis.lines(ref.path)
    if place is None or lines is None:
        return None
    text = lines.text.decode("utf-8", "replace")
    written = lines.text[place.start : place.end].decode("utf-8", "replace")
    number, column = lines.position(place.start, Encoding.UTF32)
    at = Found(_LINES.findall(text), number, column, written)
    if number >= len(at.lines):
        return None
    match format_of(ref.path):
        case Format.MARKDOWN:
            made = shapes.markdown(at, about)
        case Format.ASCIIDOC:
            made = shapes.asciidoc(at, about)
        case Format.XML:
            made = shapes.hadoop(at, about)
        case Format.PROPERTIES:
            made = shapes.properties(at, about)
        case Format.YAML:
            made = shapes.yaml(at, about, sibling.name)
        case _:
            made = None
    if made is None:
        return None
    behind, new = made
    newline = "\r\n" if "\r\n" in text else "\n"
    before = "".join(at.lines[:behind])
    gap = "" if not before or before.endswith(("\n", "\r")) else newline
    joined = gap + newline.join(new) + ("" if gap and behind >= len(at.lines) else newline)
    offset = len(before.encode())
    return Entry(ref.path, sibling.name, Edit(Place(ref.path, offset, offset), joined))
