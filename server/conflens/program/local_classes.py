"""Classes that a body declares, by the simple names that they have in it.

There they hide classes of the same name outside.  Absent: anonymous classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflens.facts.model import FileFacts

_NONE: Mapping[str, str] = {}


class LocalClasses:
    """The local classes of one program."""

    def __init__(self, files: Mapping[str, FileFacts], names: Mapping[str, Sequence[str]]) -> None:
        """``names`` are the qualified names of the types of each file, in order."""
        self._files = files
        self._names = names
        self._found: dict[str, dict[int, dict[str, str]]] = {}

    def of(self, path: str, member: int) -> Mapping[str, str]:
        """Return the qualified names of the classes that a member of a file declares in its body, by their simple ones."""
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = {}
            for decl, name in zip(self._files[path].types, self._names[path], strict=True):
                if decl.member >= 0 and decl.name:
                    found.setdefault(decl.member, {})[decl.name] = name
        return found.get(member, _NONE)
