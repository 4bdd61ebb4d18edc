"""The literals to change when an option gets another name, or what stands in the way.

Each read and definition is led back to literals (``name_literals``); of a spelling exactly one literal changes, one that no
option of another name shares.  Options of the same name that share a literal (read as a system property and from a
file) are renamed together.  A read whose name comes from a place that cannot be followed refuses the whole: half a rename is worse
than none.
Absent: config files and documents (``rename``), what is sure (``sure``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.ide.rename.refusal import RefusedError, refused_at, where
from conflens.ide.targets.mentions import occurrences
from conflens.ide.targets.name_literals import (
    Derived,
    Found,
    Holding,
    Piece,
    Spelling,
    Spellings,
    Stuck,
)
from conflens.options.model import Option
from conflens.options.names.placeholders import places
from conflens.session.analysis import Analysis

_ESCAPED = {'"': '\\"', "\\": "\\\\", "\t": "\\t"}
_MAX_SHOWN = 60
_HAS_ESCAPES = re.compile(rb'\\|"""')


@attrs.frozen
class Change:
    """The new ``text`` of a ``literal``, or of a place in it.  ``whole``: the literal is the name and nothing else.  ``asked`` are the
    reads and definitions that lead to it.  ``asks`` is, in a literal that holds more, the domain of the object that is asked at the place, as
    in ``placeholders.places``."""

    text: str
    literal: Place
    whole: bool = False
    asks: str | None = None
    asked: list[Place] = attrs.field(factory=list)


@attrs.frozen
class CodeChange:
    """``edits`` are by the places of literals, or of parts of them; ``options`` are all that get the new name.
    ``bound`` are the declarations of the members that the name is derived from."""

    edits: Mapping[Place, Change]
    options: tuple[Option, ...]
    bound: tuple[Place, ...] = ()


def code_change(spellings: Spellings, options: Iterable[Option], new: str) -> CodeChange:
    """Return the change of Java code that renames ``options``, all of one name; raises ``RefusedError``."""
    analysis = spellings.analysis
    group = {option.key: option for option in options}
    (old,) = {option.name for option in group.values()}
    waiting = list(group.values())
    every: list[tuple[Place, Found]] = []
    users = _Users(spellings)
    while waiting:
        found = spellings.of(waiting.pop())
        every += found
        for _, how in found:
            pieces = how.pieces if isinstance(how, Spelling) else ()
            for piece in pieces:
                for other in users.of(piece):
                    if other.name == old and other.key not in group:
                        group[other.key] = other
                        waiting.append(other)
    edits: dict[Place, Change] = {}
    bound: dict[Place, None] = {}
    for place, how in every:
        match how:
            case Stuck():
                raise stuck(analysis, old, how)
            case Derived():
                bound[how.place] = None
            case Holding():
                edits.update(_inside(analysis, how.place, old, new))
            case Spelling():
                at, text = _chosen(analysis, users, how, place, old, new)
                change = edits.setdefault(at, Change(text, at, whole=True))
                change.asked.append(place)
                if len(how.pieces) > 1 or how.text != old:
                    edits[at] = attrs.evolve(change, whole=False)
                if change.text != text:
                    raise RefusedError(
                        f"The literal in {where(analysis, at)} is part of two spellings of {old}."
                    )
    options = sorted(group.values(), key=lambda option: option.key)
    return CodeChange(edits, tuple(options), tuple(bound))


class _Users:
    """Which options a literal spells, by the literal's place; a text is looked for in the names of options once."""

    def __init__(self, spellings: Spellings) -> None:
        self._spellings = spellings
        self._texts: set[str] = set()
        self._seen: set[tuple[str, str]] = set()
        self._users: dict[Place, dict[tuple[str, str], Option]] = {}

    def of(self, piece: Piece) -> list[Option]:
        """Return the options whose spelling holds a literal."""
        if piece.text and piece.text not in self._texts:
            self._texts.add(piece.text)
            for option in self._spellings.analysis.options.options:
                if piece.text in option.name and option.key not in self._seen:
                    self._seen.add(option.key)
                    for _, how in self._spellings.of(option):
                        pieces = how.pieces if isinstance(how, Spelling) else ()
                        for each in pieces:
                            self._users.setdefault(each.place, {})[option.key] = option
        return list(self._users.get(piece.place, {}).values())


def _chosen(
    analysis: Analysis, users: _Users, how: Spelling, place: Place, old: str, new: str
) -> tuple[Place, str]:
    """The literal of a spelling that can carry the whole change, the last one first, with its new source."""
    if (
        not new.startswith(how.before)
        or not new.endswith(how.behind)
        or len(new) <= len(how.before) + len(how.behind)
    ):
        added = how.before or how.behind
        raise RefusedError(
            f"{where(analysis, place)} adds {added!r} to the name in another place, so the new name must keep it."
        )
    wanted = new[len(how.before) : len(new) - len(how.behind)]
    text = how.text
    end = len(text)
    shared: Option | None = None
    fitting = False
    for piece in reversed(how.pieces):
        start = end - len(piece.text)
        head, tail = text[:start], text[end:]
        end = start
        if not wanted.startswith(head) or not wanted.endswith(tail):
            continue
        if len(wanted) < len(head) + len(tail):
            continue
        fitting = True
        others = [option for option in users.of(piece) if option.name != old]
        if others:
            shared = others[0]
            continue
        replacement = wanted[len(head) : len(wanted) - len(tail)]
        return piece.place, _source(analysis, piece.place, replacement)
    if shared is not None:
        raise RefusedError(
            f"The part of the name that {where(analysis, place)} would change also belongs to {shared.name}."
        )
    assert not fitting
    raise RefusedError(
        f"{where(analysis, place)} joins the name from several texts, and the change touches more than one of them."
    )


def _source(analysis: Analysis, place: Place, text: str) -> str:
    written = _text(analysis, place)
    if written.startswith('"""') or not written.startswith('"'):
        raise RefusedError(f"The name in {where(analysis, place)} is not a plain string literal.")
    return '"' + "".join(_ESCAPED.get(char, char) for char in text) + '"'


def _inside(analysis: Analysis, place: Place, old: str, new: str) -> dict[Place, Change]:
    """The name inside a literal that holds more.  Between escapes it is found as it is written, but what is asked there is not known:
    ``\\\\${a.b}`` may or may not be a placeholder."""
    written = _text(analysis, place).encode()
    found = places(written, old.encode())
    known = bool(found)
    if not known:
        found = [(*span, None) for span in occurrences(written, old, inside=True)]
    if _HAS_ESCAPES.search(written):
        found = [(start, end, None) for start, end, _ in found]
    if (
        not (found if known else len(found) == 1)
        or b"\\u" in written
        or any(_is_escaped(written, start) for start, _, _ in found)
        or any(char in new for char in '"\\:${}')
    ):
        raise RefusedError(f"The text in {where(analysis, place)} cannot carry the new name.")
    return {
        Place(place.path, place.start + start, place.start + end): Change(new, place, asks=asks)
        for start, end, asks in found
    }


def _is_escaped(text: bytes, at: int) -> bool:
    """Whether a character belongs to an escape that begins before it."""
    return bool((at - len(text[:at].rstrip(b"\\"))) % 2)


def stuck(analysis: Analysis, old: str, how: Stuck) -> RefusedError:
    """Return the refusal for a read whose name cannot be followed to a text."""
    what = f" by `{shorten(how.what, _MAX_SHOWN)}`" if how.what else ""
    return refused_at(analysis, how.place, f"the name {old} is computed{what}")


def _text(analysis: Analysis, place: Place) -> str:
    text = analysis.text(place.path)
    if text is None:
        raise RefusedError(f"{place.path} has changed on disk; try again in a moment.")
    return text[place.start : place.end].decode("utf-8", "replace")
