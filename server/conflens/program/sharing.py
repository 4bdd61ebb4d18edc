"""Which files belong to one program.

Two files do if their modules are related (``modules``) and, within a module of several programs, if some program reaches both.
A program of a module is a class with a ``main`` method; it reaches the files of the module that it refers to, at once or over
others.  A file that none reaches belongs to all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import cast

from conflens.base.paths import is_test_path
from conflens.facts.model import FileFacts, Modifier
from conflens.program.program import Program

MOST = 4_000
"""Files of a module that are looked at for what its programs reach; in a larger one all share."""

_WORD = re.compile(r"[A-Za-z_$][\w$]*+")
START = "main"
"""The name of the methods that programs start with: when one is declared otherwise, any answer may be another."""
_STARTED: tuple[list[str], ...] = ([], ["String[]"], ["java.lang.String[]"])
_KEY = "program.sharing"
_Reached = dict[str, tuple[FileFacts, frozenset[str]]]


class Sharing:
    """Answers for one program."""

    def __init__(self, program: Program, look_at: Callable[[Iterable[str]], object]) -> None:
        """``look_at`` hears of the files whose content an answer rests on."""
        self._program = program
        self._look_at = look_at
        self._starts: dict[str, dict[str, frozenset[str]]] = {}
        self._of_module: dict[str, list[str]] | None = None

    def shared(self, one: str, other: str) -> bool:
        """Tell whether two files can be parts of one program."""
        if one == other:
            return True
        modules = self._program.modules
        home = modules.at(one)
        if home != modules.at(other):
            return modules.related(home, modules.at(other))
        reached = self._reached(home)
        mine = {start for start, files in reached.items() if one in files}
        its = {start for start, files in reached.items() if other in files}
        if not mine or not its:
            # Any of the programs may come to reach what none does.
            self._look_at({path for files in reached.values() for path in files})
            return True
        self._look_at(path for start in mine | its for path in reached[start])
        return not mine.isdisjoint(its)

    def programs(self, paths: Collection[str]) -> Mapping[str, frozenset[str]] | None:
        """Return which of some files each program among them reaches; nothing if there are no two, ``None`` if there is too
        much to look at."""
        starts = [path for path in sorted(paths) if _is_started(self._program.files[path])]
        if len(starts) < 2:
            return {}
        if len(paths) > MOST:
            return None
        return {start: self._from(start, paths.__contains__) for start in starts}

    def _reached(self, module: str) -> dict[str, frozenset[str]]:
        """Return the files that each program of a module reaches; nothing if it has no two."""
        found = self._starts.get(module)
        if found is None:
            files = self._files(module)
            starts = [path for path in files if _is_started(self._program.files[path])]
            if len(starts) < 2 or len(files) > MOST:
                starts = []
            at = self._program.modules.at
            inside = lambda path: at(path) == module  # noqa: E731
            found = self._starts[module] = {start: self._from(start, inside) for start in starts}
        return found

    def _files(self, module: str) -> list[str]:
        if self._of_module is None:
            self._of_module = {}
            for path in self._program.files:
                if not is_test_path(path):
                    home = self._program.modules.at(path)
                    self._of_module.setdefault(home, []).append(path)
        return self._of_module.get(module, [])

    def _from(self, start: str, inside: Callable[[str], bool]) -> frozenset[str]:
        seen = {start}
        waiting = [start]
        while waiting:
            for path in self._referred(waiting.pop()):
                if path not in seen and inside(path):
                    seen.add(path)
                    waiting.append(path)
        return frozenset(seen)

    def _referred(self, path: str) -> frozenset[str]:
        """Return the files whose types a file names."""
        facts = self._program.files[path]
        kept = cast("_Reached", self._program.memo.values.setdefault(_KEY, {}))
        known = kept.get(path)
        if known is None or known[0] is not facts:
            known = kept[path] = facts, frozenset(self._refer(path, facts))
        return known[1]

    def _refer(self, path: str, facts: FileFacts) -> Iterable[str]:
        named = {*facts.names, *facts.calls}
        for member in facts.members:
            for text in (member.type, *(param.type for param in member.params)):
                named.update(_WORD.findall(text))
        for decl in facts.types:
            for text in decl.supers:
                named.update(_WORD.findall(text))
        named = {name.partition(".")[0] for name in named}
        packages = [facts.package]
        for item in facts.imports:
            if item.on_demand and not item.static:
                packages.append(item.name)
            name = (
                item.name.rpartition(".")[0] if item.static and not item.on_demand else item.name
            )
            yield from self._home(name, path)
        for package in packages:
            for simple in named:
                yield from self._home(f"{package}.{simple}" if package else simple, path)

    def _home(self, name: str, path: str) -> Iterable[str]:
        info = self._program.type(self._program.seen(name, path))
        if info is not None and info.path != path:
            yield info.path


def _is_started(facts: FileFacts) -> bool:
    """Tell whether a file has a ``main`` method, of an object and without parameters, too (JEP 512)."""
    return any(
        member.name == START
        and member.kind == "method"
        and member.type == "void"
        and not member.modifiers & Modifier.PRIVATE
        and [param.type for param in member.params] in _STARTED
        for member in facts.members
    )
