"""Ignore patterns as git reads them: which pattern decides about one file or folder.

``pathspec`` turns the patterns into regular expressions; which of several decides is judged here,
because its own answer is about files only, with everything above them mixed in.  A walk asks
folder by folder, so a pattern counts only when it names the path itself and not a folder above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern


class Ignores:
    """The patterns of one ignore file; those that are wrong are passed over."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._patterns: list[tuple[bool, re.Pattern[str], bool]] = []
        for line in lines:
            try:
                pattern = GitIgnoreSpecPattern(line)
            except ValueError:
                continue
            if pattern.include is not None and pattern.regex is not None:
                regex = pattern.regex
                # ``x/**`` means everything in ``x``, but not ``x``.
                inside = not regex.groupindex and regex.pattern.endswith("/")
                self._patterns.append((pattern.include, regex, inside))
        self._patterns.reverse()

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def verdict(self, path: str) -> bool | None:
        """Return whether ``path`` is ignored, ``None`` when no pattern names it.

        ``path`` is relative to the ignore file; a folder's ends in a slash.
        """
        size = len(path)
        for include, regex, inside in self._patterns:
            for match in regex.finditer(path):
                if match.lastgroup is None:
                    named = not inside or match.end() < size
                else:
                    named = match.end(match.lastgroup) == size
                if named:
                    return include
        return None
