"""Ignore patterns as git reads them: which pattern decides about one file or folder.

A walk asks folder by folder, so a pattern counts only when it names the path itself and not a folder above it.

Invariant: a verdict costs at most the length of all patterns x the length of the path (``base.globs``).
One departure from git: it reads ``foo**/bar`` as if ``foo`` were followed by any folders, against its own manual; here it
is ``foo*/bar``.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from conflens.base.globs import PathGlob

_SPECIAL = frozenset("*?[\\")


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
        text = None if not _SPECIAL.isdisjoint(body) else body.removeprefix("/")
        ending = body[1:]
        suffix = ending if anywhere and body[:1] == "*" and _SPECIAL.isdisjoint(ending) else None
        return _Pattern(
            include=not line.startswith("!"),
            only_folders=only_folders,
            anywhere=anywhere,
            text=text,
            suffix=suffix,
            glob=PathGlob(body),
        )

    def names(self, path: str, name: str) -> bool:
        """Return whether a path without a slash at its end, which ends in ``name``, is meant."""
        if self.text is not None:
            return self.text == (name if self.anywhere else path)
        if self.suffix is not None:
            return name.endswith(self.suffix)
        return self.glob.matches((name,) if self.anywhere else path.split("/"))


class Ignores:
    """The patterns of one ignore file; malformed ones match nothing."""

    def __init__(self, lines: Iterable[str]) -> None:
        patterns = [_Pattern.of(line) for line in lines]
        self._patterns = [pattern for pattern in reversed(patterns) if pattern is not None]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def verdict(self, path: str) -> bool | None:
        """Return whether ``path`` is ignored, ``None`` when no pattern names it.

        ``path`` is relative to the ignore file; a folder's ends in a slash.
        """
        folder = path.endswith("/")
        whole = path[:-1] if folder else path
        name = whole.rpartition("/")[2]
        for pattern in self._patterns:
            if (folder or not pattern.only_folders) and pattern.names(whole, name):
                return pattern.include
        return None


def lines_of(content: bytes) -> list[str]:
    """Return the lines of an ignore file; names that are not UTF-8 look as those of files do."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r") for line in text.split("\n")]


def _trimmed(line: str) -> str:
    """Without spaces at the end, but for one behind a backslash."""
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 and bare != line else bare
