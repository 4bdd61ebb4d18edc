"""Who uses a name: the members of a program that call a method or mention a field, by its simple name.

An index from names to files is made once and patched after an edit; members are looked up on demand.
Absent: what a name means where it stands (``expressions``).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping

from conflens.facts.model import FileFacts
from conflens.program.refs import MemberRef

Table = Callable[[FileFacts], Mapping[str, tuple[int, ...]]]
MakeRef = Callable[[str, int], MemberRef]


class Users:
    """The users of names in one table of the facts (``calls`` or ``names``)."""

    __slots__ = ("_files", "_found", "_index", "_ref", "_table")

    def __init__(self, files: Mapping[str, FileFacts], table: Table, ref: MakeRef) -> None:
        """Look names up in ``files``."""
        self._files = files
        self._table = table
        self._ref = ref
        self._index: dict[str, list[str]] | None = None
        self._found: dict[str, tuple[MemberRef, ...]] = {}

    def of(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that use ``name``, in the order of files and members."""
        found = self._found.get(name)
        if found is None:
            found = tuple(
                self._ref(path, number)
                for path in self._paths().get(name, ())
                for number in self._table(self._files[path])[name]
            )
            self._found[name] = found
        return found

    def _paths(self) -> dict[str, list[str]]:
        if self._index is None:
            index: dict[str, list[str]] = {}
            for path in sorted(self._files):
                for name in self._table(self._files[path]):
                    index.setdefault(name, []).append(path)
            self._index = index
        return self._index

    def after(self, files: Mapping[str, FileFacts], changed: Iterable[str], ref: MakeRef) -> Users:
        """Return the users in ``files``, which differ in ``changed`` alone."""
        following = Users(files, self._table, ref)
        touched: set[str] = set()
        index = self._index
        copied = False
        for path in changed:
            old, new = self._files.get(path), files.get(path)
            before = self._table(old).keys() if old is not None else set[str]()
            now = self._table(new).keys() if new is not None else set[str]()
            touched.update(before, now)
            if index is not None and before != now:
                if not copied:
                    index, copied = dict(index), True
                for name in before - now:
                    index[name] = [item for item in index[name] if item != path]
                for name in now - before:
                    paths = list(index.get(name, ()))
                    insort(paths, path)
                    index[name] = paths
        following._index = index
        following._found = {
            # A copy, because others look names up meanwhile.
            name: found
            for name, found in self._found.copy().items()
            if name not in touched
        }
        return following


def references(files: Mapping[str, FileFacts], names: Mapping[str, tuple[str, ...]]) -> MakeRef:
    """Return what makes the reference of a member by its file and number, given the names of types by file.

    It does not hold the program, which would then hold itself.
    """

    def ref(path: str, index: int) -> MemberRef:
        of_file, owner = names.get(path, ()), files[path].members[index].owner
        return MemberRef(path, index, of_file[owner] if 0 <= owner < len(of_file) else "")

    return ref
