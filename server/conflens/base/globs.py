"""Path patterns in the syntax of ``.gitignore``, matched without backtracking.

Terms
    glob     a pattern for one name: ``*`` any run, ``?`` any character, ``[…]`` a set, ``\\`` makes the next character plain.
    segment  what stands between two slashes; ``**`` as a whole segment means any number of folders, none included.
    states   the segments of a pattern that may come next, after the folders that were entered.

Invariants: a match costs at most pattern length x text length, whatever the pattern (``*`` takes the first place where
what follows it fits, and never reconsiders; folders advance a set of states); nothing recurses.  A malformed set or a
backslash at the end makes a pattern that matches nothing, as in git.
Absent: comments, negation and the other rules of lines (``session.inputs.ignores``); ``fnmatch`` patterns, whose regular
expressions do not backtrack either.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence

import attrs

MOST_TRIED = 1_000
"""Patterns that are tried one by one on each path: more of them, on all files of a project, would take minutes."""

_SPECIAL = frozenset("*?[\\")
_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": string.whitespace,
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}


@attrs.frozen
class _Set:
    """One character of a set; without characters and negated it is any character (``?``)."""

    negated: bool
    characters: frozenset[str]
    ranges: tuple[tuple[str, str], ...]

    def __contains__(self, character: str) -> bool:
        inside = character in self.characters or any(
            low <= character <= high for low, high in self.ranges
        )
        return inside != self.negated


_ANY = _Set(negated=True, characters=frozenset(), ranges=())
_Chunk = str | tuple[str | _Set, ...]
"""What stands between two ``*``: a text, or characters and sets."""


class Glob:
    """A pattern for one name."""

    __slots__ = ("_chunks",)

    def __init__(self, chunks: Sequence[_Chunk]) -> None:
        """Take what stands before, between and behind the ``*``."""
        self._chunks = tuple(chunks)

    @property
    def dotted(self) -> bool:
        """Whether the pattern begins with a dot."""
        return self._chunks[0][:1] in (".", (".",))

    def matches(self, name: str) -> bool:
        """Return whether the whole of ``name`` fits."""
        chunks = self._chunks
        first, last = chunks[0], chunks[-1]
        if len(chunks) == 1:
            return len(name) == len(first) and _fits(first, name, 0)
        end = len(name) - len(last)
        if end < len(first) or not (_fits(first, name, 0) and _fits(last, name, end)):
            return False
        position = len(first)
        for chunk in chunks[1:-1]:
            position = _find(chunk, name, position, end)
            if position < 0:
                return False
            position += len(chunk)
        return True


def _fits(chunk: _Chunk, name: str, start: int) -> bool:
    if isinstance(chunk, str):
        return name.startswith(chunk, start)
    return all(
        name[start + offset] == item if isinstance(item, str) else name[start + offset] in item
        for offset, item in enumerate(chunk)
    )


def _find(chunk: _Chunk, name: str, start: int, end: int) -> int:
    if isinstance(chunk, str):
        return name.find(chunk, start, end)
    for position in range(start, end - len(chunk) + 1):
        if _fits(chunk, name, position):
            return position
    return -1


class PathGlob:
    """A pattern for a path; ``states`` of a path's folders can be kept and extended name by name."""

    __slots__ = ("_hidden", "_segments")

    def __init__(self, pattern: str, hidden: bool = True) -> None:
        """Read ``pattern``, relative to some folder; a slash at the beginning changes nothing.

        Unless ``hidden``, a dot at the beginning of a name fits only a dot, as in a shell.
        """
        self._hidden = hidden
        self._segments: tuple[Glob | None, ...] | None
        try:
            self._segments = tuple(_segments(pattern.removeprefix("/")))
        except _MalformedError:
            self._segments = None

    def matches(self, names: Iterable[str]) -> bool:
        """Return whether the path that consists of ``names`` fits; its last name is looked at first."""
        path = tuple(names)
        last = self._segments[-1] if self._segments else None
        if last is not None and not (path and last.matches(path[-1])):
            return False
        states = self.start()
        for name in path:
            if not states:
                return False
            states = self.advance(states, name)
        return self.accepts(states)

    def start(self) -> frozenset[int]:
        """Return the states before any name."""
        return frozenset() if self._segments is None else self._skipping({0})

    def advance(self, states: frozenset[int], name: str, named: bool = False) -> frozenset[int]:
        """Return the states one name further; without states nothing below can fit.

        ``**`` is not taken for a name that has to be ``named``.
        """
        segments = self._segments or ()
        dotted = not self._hidden and name.startswith(".")
        following: set[int] = set()
        for state in states:
            if state < len(segments):
                glob = segments[state]
                if dotted and (glob is None or not glob.dotted):
                    continue
                if glob is None:
                    if not named:
                        following.add(state)
                elif glob.matches(name):
                    following.add(state + 1)
        return self._skipping(following)

    def accepts(self, states: frozenset[int]) -> bool:
        """Return whether a path that led to ``states`` fits as a whole."""
        return self._segments is not None and len(self._segments) in states

    def _skipping(self, states: set[int]) -> frozenset[int]:
        """``**`` may also be no folder at all."""
        segments = self._segments or ()
        for state in sorted(states):
            while state < len(segments) and segments[state] is None:
                state += 1
                states.add(state)
        return frozenset(states)


def is_tried(pattern: str) -> bool:
    """Whether a pattern can only be tried: a plain one, and one that is plain but for a ``*`` before the end of a name, is
    looked up."""
    rest = pattern[1:] if pattern[:1] == "*" and "/" not in pattern else pattern
    return not _SPECIAL.isdisjoint(rest)


class _MalformedError(Exception):
    """The pattern matches nothing."""


@attrs.frozen
class _Slash:
    """A slash; one that is ``escaped`` does not let ``**`` before it stand for no folder."""

    escaped: bool


_STAR = "*"
_Token = str | _Set | _Slash | None
"""``None`` is a ``*``."""


def _segments(pattern: str) -> Iterator[Glob | None]:
    """Yield the segments of a pattern, ``None`` for ``**``."""
    anything = Glob(("", ""))
    tokens = list(_tokens(pattern))
    start, folders = 0, False
    for position in range(len(tokens) + 1):
        token = tokens[position] if position < len(tokens) else _Slash(escaped=True)
        if isinstance(token, _Slash):
            segment = tokens[start:position]
            if len(segment) > 1 and all(item is None for item in segment):
                if not folders:  # one is as good as many in a row
                    yield None
                folders = True
                if token.escaped:  # at least one name follows; so it does at the end
                    yield anything
            else:
                yield Glob(tuple(_chunks(segment)))
                folders = False
            start = position + 1


def _chunks(segment: Iterable[_Token]) -> Iterator[_Chunk]:
    chunk: list[str | _Set] = []
    for token in segment:
        if token is None:
            yield _joined(chunk)
            chunk = []
        elif not isinstance(token, _Slash):
            chunk.append(token)
    yield _joined(chunk)


def _joined(chunk: list[str | _Set]) -> _Chunk:
    texts = [item for item in chunk if isinstance(item, str)]
    return "".join(texts) if len(texts) == len(chunk) else tuple(chunk)


def _tokens(pattern: str) -> Iterator[_Token]:
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "[":
            token, position = _set(pattern, position)
            yield token
        elif character == "\\":
            escaped = _character(pattern, position)
            position += 1
            yield _Slash(escaped=True) if escaped == "/" else escaped
        elif character == "/":
            yield _Slash(escaped=False)
        elif character == _STAR:
            yield None
        else:
            yield _ANY if character == "?" else character


def _set(pattern: str, position: int) -> tuple[_Set, int]:
    """Read a set from behind its ``[``; a ``]`` that comes first is one of its characters."""
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    characters: set[str] = set()
    ranges: list[tuple[str, str]] = []
    before, first, end = "", position, -1
    while (character := _character(pattern, position)) != "]" or position == first:
        position += 1
        if character == "-" and before and pattern[position : position + 1] not in ("", "]"):
            high = _character(pattern, position)
            position += 1
            if high == "\\":
                high = _character(pattern, position)
                position += 1
            ranges.append((before, high))
            before = ""
            continue
        if character == "[" and pattern.startswith(":", position):
            if end <= position:  # else it is still the next one
                end = pattern.find("]", position + 1)
            if end > position + 1 and pattern[end - 1] == ":":
                name = pattern[position + 1 : end - 1]
                if name not in _CLASSES:
                    raise _MalformedError
                characters.update(_CLASSES[name])
                before, position = "", end + 1
                continue
        if character == "\\":
            character = _character(pattern, position)
            position += 1
        characters.add(character)
        before = character
    return _Set(negated, frozenset(characters), tuple(ranges)), position + 1


def _character(pattern: str, position: int) -> str:
    if position >= len(pattern):
        raise _MalformedError
    return pattern[position]
