"""The tables of a program's types and packages: which name each type of each file has.

Terms
    twin     a type whose qualified name an earlier file of another module declares, too (a plugin for each version of a
             server, quickstarts that share a package).  Its name here is ``<module>:<qualified name>``, so that both are types
             of their own; a name means the one that can be loaded where it is written.

Of types that one module declares twice the first path's wins.
Absent: what a name means where it is used (``program``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from conflens.facts.model import FileFacts, Modifier
from conflens.program.modules.modules import Modules
from conflens.program.refs import TypeInfo

_MARK = ":"


def java_name(name: str) -> str:
    """Return the qualified name of a type without the mark of a twin."""
    return name.rpartition(_MARK)[2]


class Joined(NamedTuple):
    """Types by name, the names of each file's types, the names in each package, and which have twins (with their modules)."""

    types: dict[str, TypeInfo]
    type_names: dict[str, tuple[str, ...]]
    packages: dict[str, dict[str, str]]
    twins: dict[str, dict[str, str]]


def declared(files: Mapping[str, FileFacts], modules: Modules) -> Joined:
    """Join the types of ``files``."""
    found = Joined({}, {}, {}, {})
    for path, facts in files.items():
        _declare(path, facts, found, modules)
    return found


def seen_from(
    path: str, name: str, twins: Mapping[str, Mapping[str, str]], modules: Modules
) -> str:
    """Return which of the types that share a qualified name a file means: of its module, of one it depends on, else the first."""
    others = twins.get(name)
    if not others:
        return name
    home = modules.at(path)
    if home in others:
        return others[home]
    return next((one for module, one in others.items() if modules.depends(home, module)), name)


def _declare(path: str, facts: FileFacts, joined: Joined, modules: Modules) -> None:
    """Enter the types of one file; a name that is taken stays what it is."""
    types, type_names, packages, twins = joined
    names: list[str] = []
    prefix = f"{facts.package}." if facts.package else ""
    home = modules.at(path)
    for index, decl in enumerate(facts.types):
        outer = names[decl.outer] if 0 <= decl.outer < len(names) else ""
        if decl.member >= 0:
            base = outer or prefix
            name = f"{base}${decl.member}#{decl.ordinal}{decl.name}"
        elif outer:
            name = f"{outer}.{decl.name}"
        else:
            name = f"{prefix}{decl.name}"
            packages.setdefault(facts.package, {}).setdefault(decl.name, name)
            first = types.get(name)
            if (
                first is not None
                and not (first.decl.modifiers | decl.modifiers) & Modifier.IMPLIED
            ):
                there = modules.at(first.path)
                if there != home:
                    twins.setdefault(name, {})[there] = name
                    name = f"{home}{_MARK}{name}"
        if _MARK in name:
            twins.setdefault(java_name(name), {}).setdefault(home, name)
        names.append(name)
        known = types.get(name)
        # A generated class whose source is there is what its source says.
        if known is None or known.decl.modifiers & ~decl.modifiers & Modifier.IMPLIED:
            types[name] = TypeInfo(path, index, name, outer, decl)
    type_names[path] = tuple(names)
    packages.setdefault(facts.package, {})
