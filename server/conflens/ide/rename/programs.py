"""Which files are known to be in one program with the text under the cursor.

Terms
    home      what is compiled and packed together: one set of sources with its own resources, within one module.  A set is what lies
              below ``src/main`` (``src/NAME`` with the folder of a language or of resources in it), or else below the folder that packages
              start from.  A file that is no Java belongs to the nearest set above it; without one it has no home.

The files of the cursor's home are in one program with it, whatever builds them.  Where a home has several ``main`` methods, Java files are
in one program if one of these reaches both (``program.sharing``): a file that no ``main`` method is known to reach may belong to
another program.  A file without a home, or in one without code, is in one program with the code that changes with it if all of that is
of one home, and the file lies beside its set, or there in a folder that is called like one of configuration (what is elsewhere may be of
a program in another language).

Modules that depend on each other are not looked at: the name of an artifact is often that of another program's, too, and what
collects others, for a report or an image, makes no program of them.  In doubt files do not meet.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Set
from functools import cached_property

import attrs

from conflens.session.analysis import Analysis

_SET = re.compile(r"(?:.*/)?src/[^/]+(?=/(?:java|kotlin|groovy|scala|resources)/)")
_LOOKED_FOR = re.compile(
    r"(?P<above>(?:.*/)?)src/main/resources/(?:(?:config/)?[^/]+|META-INF/microprofile-config[^/]*)"
)
"""The files of a resource root that frameworks look for."""

_OF_CONFIGURATION = frozenset(
    {"cfg", "conf", "config", "configs", "configuration", "deploy", "env", "etc", "settings"}
)
"""Names of folders that hold the config files of the program beside them."""


@attrs.frozen
class Home:
    """``folder`` is that of the set, ``None`` for a file that has none."""

    module: str
    folder: str | None


class Homes:
    """Answers for one analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._found: dict[str, Home] = {}
        self._programs: dict[Home, Mapping[str, frozenset[str]] | None] = {}

    def at(self, path: str) -> Home:
        """Return the home of a file."""
        found = self._found.get(path)
        if found is None:
            java = path in self._analysis.program.files
            folder = self._of_java(path) if java else self._above(path)
            found = self._found[path] = Home(self._analysis.program.modules.at(path), folder)
        return found

    def feeds(self, path: str, read: str) -> bool:
        """Tell whether a config file is one of those that a framework looks for beside the code of ``read``."""
        found = _LOOKED_FOR.fullmatch(path)
        if found is None or self.at(path) != self.at(read):
            return False
        home, above = self.at(path), found["above"]
        if home.module and not above.startswith(f"{home.module}/"):
            return False
        return home.folder in (f"{above}src/main", above.rstrip("/"))

    def met(self, start: str, code: Set[str], paths: Set[str]) -> frozenset[str]:
        """Return those of some ``paths`` that meet with the file ``start``; ``code`` are the Java files that change."""
        home = self.at(start)
        homes = {home} if home.folder is not None else set[Home]()
        if home not in self._coded:
            found = {self.at(path) for path in code}
            homes |= found if len(found) == 1 and _is_beside(start, home, *found) else set()
        return frozenset(
            path
            for path in paths
            if path == start or (self.at(path) in homes and self._meet(start, path))
        )

    def _meet(self, one: str, other: str) -> bool:
        """Whether two files of one home, if both are Java, are parts of one program."""
        files = self._analysis.program.files
        home = self.at(one)
        if one not in files or other not in files or home != self.at(other):
            return True
        if home not in self._programs:
            sharing = self._analysis.recognised.sharing
            own = frozenset(path for path in files if self.at(path) == home)
            self._programs[home] = {} if sharing is None else sharing.programs(own)
        programs = self._programs[home]
        return programs is not None and (
            not programs
            or any(one in reached and other in reached for reached in programs.values())
        )

    def _of_java(self, path: str) -> str:
        return _set_of(path) or _top(path, self._analysis.program.files[path].package)

    def _above(self, path: str) -> str | None:
        """The nearest folder above a file that is a set with code."""
        own = _set_of(path)
        if own in self._sets:
            return own
        folder = posixpath.dirname(path)
        while folder not in self._sets:
            if not folder:
                return None
            folder = posixpath.dirname(folder)
        return folder

    @cached_property
    def _coded(self) -> frozenset[Home]:
        """The homes that have code."""
        analysis, at = self._analysis, self._analysis.program.modules.at
        java = {Home(at(path), self._of_java(path)) for path in analysis.program.files}
        others = {Home(at(path), _set_of(path)) for path in analysis.unread.sources}
        return frozenset(java | {home for home in others if home.folder})

    @cached_property
    def _sets(self) -> frozenset[str]:
        return frozenset(home.folder for home in self._coded if home.folder is not None)


def _is_beside(path: str, home: Home, code: Home) -> bool:
    """Whether a file that lies in no set lies beside the set of some code of its module, or there in a folder of configuration."""
    if home.module != code.module or code.folder is None:
        return False
    inside = path.startswith(f"{code.module}/") if code.module else True
    base = re.sub(r"(?:^|/)src(?:/[^/]+)?$", "", code.folder)
    folder = posixpath.dirname(path)
    if inside and folder != base and posixpath.basename(folder) in _OF_CONFIGURATION:
        folder = posixpath.dirname(folder)
    return inside and folder == base


def _set_of(path: str) -> str:
    """The folder ``src/NAME`` that a file lies in by its path, with what is above; the innermost, or nothing."""
    found = _SET.match(path)
    return "" if found is None else found[0]


def _top(path: str, package: str) -> str:
    """The folder in which a file's package begins; the file's own where the folders are not called like it."""
    folder = posixpath.dirname(path)
    inner = package.replace(".", "/")
    if folder == inner:
        return ""
    return folder.removesuffix(f"/{inner}") if inner else folder
