"""A new entry for an option in the document that describes its siblings, in that document's own form.

Terms
    kin       options in the same namespace, or declared (where nothing is declared: read) in the same class.
    page      the document in which most of the kin have entries, those with words in common and with descriptions counting more;
              one in another script than the option's description comes after the others.  Without kin it is that of the option
              whose name shares most leading words.
    sibling   of the options on the page the one that is nearest: by leading words, words in common, place in the class.
    shape     how the sibling's entry is written: row of a table, list item, section, term of a definition list, property of
              Hadoop XML, key of a properties or YAML file (the new one is commented out, with a comment above).

Invariants: the entry goes directly behind the sibling's; nothing that stands there is changed; what is not known of the option is
left empty, never guessed.  A shape that is not recognised gives no entry.
Absent: creating documents, reStructuredText, HTML, Spring's metadata; the shapes themselves (``document_shapes``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import nlargest, nsmallest
from itertools import takewhile

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.base.words import on_one_line
from conflens.checking.harmless import applied, is_comment, stays_readable
from conflens.checking.results import Edit
from conflens.documents import DocumentRef, MentionKind
from conflens.documents.policy import Format, format_of, is_bundle
from conflens.ide.code_actions import document_shapes as shapes
from conflens.ide.code_actions.document_shapes import About, Found
from conflens.ide.code_actions.surroundings import is_plain
from conflens.ide.navigation.navigation import place_of
from conflens.options.described import shown_description
from conflens.options.model import Option, OptionType
from conflens.options.names.spelling import humps
from conflens.options.secret_values import is_hidden, is_secret_option
from conflens.render.option_view import defaults_of
from conflens.session.analysis import Analysis

_MAX_PAGES = 5
_MAX_SIBLINGS = 20
_MAX_REFUSED = 3
"""Entries that are no comments where they would stand; each costs as much as reading its document."""
_WORDS = re.compile(r"[^.\-_\[\]/]+")
_LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_LETTER = re.compile(r"[^\W\d_]")
_LOOKED_AT = 20_000
PLACEHOLDER = "To be described."


@attrs.frozen
class Entry:
    """The entry to add to the document at ``path``, behind that of ``sibling``; ``sure``: around it stands nothing that may belong
    to the sibling's."""

    path: str
    sibling: str
    edit: Edit
    sure: bool


def entry(analysis: Analysis, option: Option) -> Entry | None:
    """Return the entry that would document an option, ``None`` if no document describes any sibling."""
    if option.pattern or not analysis.complete or not option.name.isprintable():
        return None
    about = _about(analysis, option)
    pages = _pages(analysis, option)
    refused = 0
    for path in nlargest(_MAX_PAGES, pages, key=lambda path: _rank(analysis, path, pages[path])):
        siblings = nsmallest(_MAX_SIBLINGS, pages[path], key=lambda sibling: sibling.distance)
        for sibling in siblings:
            found = _entry(analysis, about, sibling.option, sibling.ref)
            if found is None:
                continue
            if _fits(analysis, found):
                return found
            refused += 1
            if refused >= _MAX_REFUSED:
                return None
    return None


def page_name(analysis: Analysis, path: str) -> str:
    """Return how a document is called: its file name, or its path where another document has that name too."""
    name = path.rpartition("/")[2]
    same = sum(other.rpartition("/")[2] == name for other in analysis.documents.harvests)
    return name if same == 1 else path


def _about(analysis: Analysis, option: Option) -> About:
    defaults = defaults_of(analysis, option)
    default = defaults[0].text if defaults else ""
    if is_secret_option(option) or (defaults and is_hidden(option, defaults[0])):
        default = ""
    # What a class or a list is called in code is not always what a file calls it.
    plain = option.type not in (
        OptionType.CLASS,
        OptionType.LIST,
        OptionType.MAP,
        OptionType.UNKNOWN,
    )
    alike = {one.text for one in defaults} == {default}
    given = all(read.default is not None for read in option.reads)
    description = " ".join(shown_description(option).split()) or PLACEHOLDER
    type_ = "" if option.type is OptionType.UNKNOWN else option.type.value
    return About(
        option.name,
        on_one_line(description),
        default,
        type_,
        option.unit,
        on_one_line(", ".join(option.values)),
        settled=bool(default) and plain and alike and given,
    )


@attrs.frozen
class _Sibling:
    """An option with an entry on a page.  ``kin`` as in the module text; ``words`` counts the leading words in common;
    ``distance`` is what to sort the siblings of a page by, the nearest first; ``weight`` is its part in the choice of the page."""

    option: Option
    ref: DocumentRef
    kin: bool
    words: int
    distance: tuple[int, ...]
    weight: int


def _pages(analysis: Analysis, option: Option) -> dict[str, list[_Sibling]]:
    """The documents with entries of options that are kin, share the first word, or at least the domain."""
    found: dict[str, list[_Sibling]] = {}
    words, parts, homes = _words(option), frozenset(humps(option.name)), _homes(option)
    namespace = option.name.rpartition(".")[0]
    for other in analysis.options.options:
        if other.name == option.name or other.pattern:
            continue
        same_domain = other.domain == option.domain
        shared = _shared(words, _words(other))
        near = [abs(at - home) for key, at in _homes(other).items() if (home := homes.get(key))]
        kin = bool(near) or (bool(namespace) and other.name.rpartition(".")[0] == namespace)
        if not (kin or shared or same_domain):
            continue
        common = len(parts.intersection(humps(other.name)))
        distance = (
            -kin,
            -shared,
            -common,
            min(near, default=0),
            -same_domain,
        )
        for ref in analysis.documented(other):
            if ref.kind is MentionKind.ENTRY:
                # A config file that sets an option describes it less than a row of a table.
                weight = (1 + common) ** 2 * (2 if ref.description else 1)
                sibling = _Sibling(other, ref, kin, shared, distance, weight)
                found.setdefault(ref.path, []).append(sibling)
    return found


def _rank(analysis: Analysis, path: str, siblings: Sequence[_Sibling]) -> tuple[int, ...]:
    """What to choose a page by: the greatest."""
    kin = {one.option.key: one.weight for one in siblings if one.kin}
    readable = not _is_foreign(analysis, path)
    words = max(one.words for one in siblings)
    return bool(kin), readable, sum(kin.values()), words, len(siblings)


def _is_foreign(analysis: Analysis, path: str) -> bool:
    """Whether a page is written in another script than code is commented in: most letters of a part are not ASCII."""
    text = (analysis.document_text(path) or b"")[:_LOOKED_AT].decode("utf-8", "ignore")
    letters = _LETTER.findall(text)
    return sum(not letter.isascii() for letter in letters) * 5 > len(letters)


def _words(option: Option) -> list[str]:
    return _WORDS.findall(option.name.lower())


def _shared(words: Sequence[str], others: Sequence[str]) -> int:
    """How many leading words two names have in common."""
    pairs = zip(words, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _homes(option: Option) -> dict[tuple[str, str], int]:
    """The classes that an option is declared in, with the place; without declarations those that read it."""
    if option.declarations:
        return {
            (one.place.path, one.symbol.rpartition(".")[0]): one.place.start + 1
            for one in option.declarations
        }
    return {
        (one.place.path, one.method.rpartition(".")[0]): one.place.start + 1
        for one in option.reads
    }


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
    format_ = format_of(ref.path)
    match format_:
        case Format.MARKDOWN:
            made = shapes.markdown(at, about)
        case Format.ASCIIDOC:
            made = shapes.asciidoc(at, about)
        case Format.XML:
            made = shapes.hadoop(at, about)
        case Format.PROPERTIES if not is_bundle(ref.path):
            made = shapes.properties(at, about)
        case Format.YAML:
            made = shapes.yaml(at, about, sibling.name)
        case _:
            made = None
    if made is None or format_ is None:
        return None
    behind, new = made
    newline = "\r\n" if "\r\n" in text else "\n"
    before = "".join(at.lines[:behind])
    gap = "" if not before or before.endswith(("\n", "\r")) else newline
    joined = gap + newline.join(new) + ("" if gap and behind >= len(at.lines) else newline)
    offset = len(before.encode())
    names = {one.name for one in analysis.options.options}
    sure = is_plain(at, behind, format_, names)
    return Entry(ref.path, sibling.name, Edit(Place(ref.path, offset, offset), joined), sure)


def _fits(analysis: Analysis, entry: Entry) -> bool:
    """Whether the entry is what it is meant to be: a comment in a config file, an element in XML."""
    path, edit, lines = entry.path, entry.edit, analysis.lines(entry.path)
    if lines is None:
        return False
    text = lines.text
    if format_of(path) in (Format.PROPERTIES, Format.YAML):
        return is_comment(path, text, edit, analysis.config_files.get(path))
    return stays_readable(path, text, applied(text, (edit,)))
