"""The modules of a project and what they depend on.

Terms
    module    a folder with a build file, by its path (``""``: the root); a file belongs to the nearest one above it.
    closure   a module with all that it depends on, at once or over others.
    related   two modules of which one depends on the other, or that something depends on together: they can be loaded into
              one process.

Where no build file stands above a file its module is the root, which is related to all.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from conflens.program.modules.build_files import (
    Bazel,
    BuildFile,
    Gradle,
    GradleSettings,
    Maven,
    read,
)

_SEPARATORS = re.compile(r"[-_.]+(\w)")


class Modules:
    """See the module text.  Never changes."""

    def __init__(self, files: Mapping[str, BuildFile] | None = None) -> None:
        """Use ``files`` by path; see :meth:`of`."""
        self._files = dict(sorted((files or {}).items()))
        self._homes: dict[str, str] = {}
        self._folders = frozenset(
            posixpath.dirname(path)
            for path, said in self._files.items()
            if not isinstance(said, GradleSettings)
        )
        self._on = _dependencies(self._files, self._folders)
        self._by: dict[str, set[str]] = {}
        for module, others in self._on.items():
            for other in others:
                self._by.setdefault(other, set()).add(module)
        self._dependents: dict[str, frozenset[str]] = {}
        self._together: dict[frozenset[str], frozenset[str]] = {}
        filtered = [
            path for path, said in self._files.items() if isinstance(said, Maven) and said.filters
        ]
        edges = sorted((one, sorted(on)) for one, on in self._on.items())
        self.digest = repr((edges, filtered)) if edges else ""
        """What is equal for equal modules; empty if there are none."""

    @staticmethod
    def of(texts: Mapping[str, bytes]) -> Modules:
        """Return what build files (path to content) say; other files are passed over."""
        found = {path: read(posixpath.basename(path), text) for path, text in texts.items()}
        return Modules({path: said for path, said in found.items() if said is not None})

    def at(self, path: str) -> str:
        """Return the module of a file."""
        folder = posixpath.dirname(path)
        home = self._homes.get(folder)
        if home is None:
            home = folder
            while home.strip("/") and home not in self._folders:
                home = posixpath.dirname(home)
            home = home if home in self._folders else ""
            self._homes[folder] = home
        return home

    def filters(self, path: str) -> bool:
        """Tell whether the build may replace ``${name}`` in a file: a Maven module above it has its resources filtered."""
        folder = path
        while folder.strip("/"):
            folder = posixpath.dirname(folder)
            said = self._files.get(posixpath.join(folder, "pom.xml"))
            if isinstance(said, Maven) and said.filters:
                return True
        return False

    def depends(self, one: str, other: str) -> bool:
        """Tell whether a module is another or depends on it, at once or over others."""
        return one in self._dependents_of(other)

    def related(self, one: str, other: str) -> bool:
        """Tell whether two modules can be parts of one program."""
        if one == other or not self._on:
            return True
        if any(not module and "" not in self._folders for module in (one, other)):
            return True
        return not self._dependents_of(one).isdisjoint(self._dependents_of(other))

    def related_to_any(self, one: str, others: frozenset[str]) -> bool:
        """Tell whether a module is related to one of some others."""
        if not others or one in others or not self._on:
            return bool(others)
        if "" not in self._folders and (not one or "" in others):
            return True
        reached = self._together.get(others)
        if reached is None:
            reached = frozenset[str]().union(*map(self._dependents_of, others))
            self._together[others] = reached
        return not self._dependents_of(one).isdisjoint(reached)

    def _dependents_of(self, module: str) -> frozenset[str]:
        """Return a module and all that depend on it."""
        found = self._dependents.get(module)
        if found is None:
            seen = {module}
            waiting = [module]
            while waiting:
                for one in self._by.get(waiting.pop(), ()):
                    if one not in seen:
                        seen.add(one)
                        waiting.append(one)
            found = self._dependents[module] = frozenset(seen)
        return found


def _dependencies(
    files: Mapping[str, BuildFile], folders: frozenset[str]
) -> dict[str, frozenset[str]]:
    """Return the modules that each module depends on at once."""
    found: dict[str, set[str]] = {folder: set() for folder in folders}
    for folder, others in (*_maven(files), *_gradle(files), *_bazel(files)):
        if folder in found:
            found[folder].update(other for other in others if other in folders and other != folder)
    return {folder: frozenset(others) for folder, others in found.items()}


_Edges = Iterator[tuple[str, Iterable[str]]]


def _maven(files: Mapping[str, BuildFile]) -> _Edges:
    poms = {posixpath.dirname(path): pom for path, pom in files.items() if isinstance(pom, Maven)}
    homes: dict[str, list[str]] = {}
    for folder, pom in poms.items():
        homes.setdefault(pom.artifact, []).append(folder)
    for folder, pom in poms.items():
        wanted = set(pom.dependencies)
        seen = {folder}
        current, above = folder, pom
        while above.parent:
            place = _joined(current, above.above.removesuffix("pom.xml"))
            if place not in poms or poms[place].artifact != above.parent:
                place = next(iter(homes.get(above.parent, ())), "\0")
            if place in seen or place not in poms:
                break
            seen.add(place)
            current, above = place, poms[place]
            wanted |= above.dependencies
        yield folder, [home for artifact in wanted for home in homes.get(artifact, ())]


def _gradle(files: Mapping[str, BuildFile]) -> _Edges:
    builds = {
        posixpath.dirname(path): build
        for path, build in files.items()
        if isinstance(build, Gradle)
    }
    settings = {
        posixpath.dirname(path): said
        for path, said in files.items()
        if isinstance(said, GradleSettings)
    }
    roots = {folder: _root(folder, settings) for folder in builds}
    placed: dict[tuple[str, str], str] = {}
    for root, said in settings.items():
        for name in said.included:
            placed[root, name] = _joined(root, name.strip(":").replace(":", "/"))
        for name, place in said.folders:
            placed[root, name] = _joined(root, place)
    accessors = {(root, _accessor(name)): place for (root, name), place in placed.items()}

    def home(root: str, name: str) -> str:
        if name.startswith("projects."):
            return accessors.get((root, name), "\0")
        return placed.get((root, name)) or _joined(root, name.strip(":").replace(":", "/"))

    for folder, build in builds.items():
        root = roots[folder]
        yield folder, [home(root, name) for name in build.own]
        for owner, name in build.of_others:
            yield home(root, owner), [home(root, name)]
        if build.below:
            others = [home(root, name) for name in build.below]
            prefix = f"{folder}/" if folder else ""
            for one in builds:
                if one.startswith(prefix):
                    yield one, others


def _bazel(files: Mapping[str, BuildFile]) -> _Edges:
    for path, build in files.items():
        if isinstance(build, Bazel):
            yield posixpath.dirname(path), build.packages


def _root(folder: str, settings: Mapping[str, GradleSettings]) -> str:
    """Return the folder of the settings that a Gradle project belongs to."""
    while folder and folder not in settings:
        folder = posixpath.dirname(folder)
    return folder


def _accessor(name: str) -> str:
    """Return the accessor of a project's path: ``projects.fooBar.baz`` of ``:foo-bar:baz``."""
    parts = (
        _SEPARATORS.sub(lambda match: match[1].upper(), part)
        for part in name.strip(":").split(":")
    )
    return "projects." + ".".join(parts)


def _joined(folder: str, relative: str) -> str:
    """Return a folder below the project's; what leads out of it is nobody's."""
    path = posixpath.normpath(posixpath.join(folder or ".", relative or "."))
    return "" if path == "." else "\0" if path.startswith(("..", "/")) else path


NO_MODULES = Modules()
