"""Ignore patterns as git reads them: which pattern decides about one file or folder.

A walk asks folder by folder, so a pattern counts only when it names the path itself and not a folder above it.

Invariant: a verdict costs at most the length of all patterns with a special character (``* ? [ \\``) x the length of
the path (``base.globs``); plain patterns, and those whose only special character is a ``*`` that comes first in a name,
are looked up.  The caller limits how many of the others count (``Ignores.unread``, ``globs.MOST_TRIED``).
One departure from git: it reads ``foo**/bar`` as if ``foo`` were followed by any folders, against its own manual; here it
is ``foo*/bar``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import attrs

from conflens.base.globs import PathGlob, is_tried

_Key = tuple[str, str]
"""``name``, ``path`` or ``suffix``, and its text."""


@attrs.frozen
class _Pattern:
    """One line: what it says, and of which paths."""

    include: bool
    only_folders: bool
    anywhere: bool
    """It has no slash, so it is about names."""
    text: str | None
    """All of a name or path, where nothing in the pattern is special."""
    suffix: str | None
    """The end of a name, for ``*.class``."""
    glob: PathGlob = attrs.field(repr=False)

    @staticmethod
    def of(line: str) -> _Pattern | None:
        """Return what a line says, ``None`` for a blank one and a comment."""
        line = _trimmed(line)
        if not line or line.startswith("#"):
            return None
        body = line.removeprefix("!")
        only_folders = body.endswith("/")
        if only_folders:
            body = body[:-1]
        anywhere = "/" not in body
        starred = anywhere and body[:1] == "*"
        looked_up = not is_tried(body)
        text = body.removeprefix("/") if looked_up and not starred else None
        suffix = body[1:] if looked_up and starred else None
        return _Pattern(
            include=not line.startswith("!"),
            only_folders=only_folders,
            anywhere=anywhere,
            text=text,
            suffix=suffix,
            glob=PathGlob(body),
        )

    @property
    def key(self) -> _Key | None:
        """What a name or path is looked up by, where the pattern is plain but for a ``*`` at its beginning."""
        if self.text is not None:
            return ("name" if self.anywhere else "path", self.text)
        return None if self.suffix is None else ("suffix", self.suffix)

    def matches(self, path: str, name: str) -> bool:
        """Return whether a path without a slash at its end, which ends in ``name``, is meant."""
        return self.glob.matches((name,) if self.anywhere else path.split("/"))


class _Decisions:
    """Which line decides about a name, the last one first: plain ones are looked up, globs tried one by one."""

    def __init__(self, patterns: Iterable[_Pattern]) -> None:
        self._plain: dict[_Key, tuple[int, bool]] = {}
        globs: list[tuple[int, _Pattern]] = []
        for number, pattern in enumerate(patterns):
            if pattern.key is None:
                globs.append((number, pattern))
            else:
                self._plain[pattern.key] = number, pattern.include
        self._globs = globs[::-1]
        self._lengths = {len(text) for kind, text in self._plain if kind == "suffix"}

    def verdict(self, path: str, name: str) -> bool | None:
        """Return what the last line that means ``path`` says of it, ``None`` without one."""
        last, include = max(
            (self._plain[key] for key in self._keys(path, name) if key in self._plain),
            default=(-1, None),
        )
        for number, pattern in self._globs:
            if number < last:
                break
            if pattern.matches(path, name):
                return pattern.include
        return include

    def _keys(self, path: str, name: str) -> Iterator[_Key]:
        yield "name", name
        yield "path", path
        for length in self._lengths:
            if length <= len(name):
                yield "suffix", name[len(name) - length :]


class Ignores:
    """The patterns of one ignore file; malformed ones match nothing.

    Of those that have to be tried the first ``most`` count, ``tried`` of them; ``unread`` is the 0-based line of the first
    one that does not.
    """

    def __init__(self, lines: Iterable[str], most: float = math.inf) -> None:
        patterns: list[_Pattern] = []
        self.tried, self.unread = 0, -1
        for number, line in enumerate(lines):
            pattern = _Pattern.of(line)
            if pattern is None:
                continue
            if pattern.key is None:
                if self.tried >= most:
                    self.unread = number if self.unread < 0 else self.unread
                    continue
                self.tried += 1
            patterns.append(pattern)
        self._folders = _Decisions(patterns)
        self._files = _Decisions(pattern for pattern in patterns if not pattern.only_folders)
        self._any = bool(patterns)

    def __bool__(self) -> bool:
        return self._any

    def verdict(self, path: str) -> bool | None:
        """Return whether ``path`` is ignored, ``None`` when no pattern names it.

        ``path`` is relative to the ignore file; a folder's ends in a slash.
        """
        whole = path.removesuffix("/")
        name = whole.rpartition("/")[2]
        return (self._folders if path != whole else self._files).verdict(whole, name)


def lines_of(content: bytes) -> list[str]:
    """Return the lines of an ignore file; names that are not UTF-8 look as those of files do."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r") for line in text.split("\n")]


def _trimmed(line: str) -> str:
    """Without spaces at the end, but for one behind a backslash."""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 and bare != line else bare
