"""The tables of a program's types and packages: which name each type of each file has.

Absent: what a name means where it is used (``program``).
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.facts.model import FileFacts, Modifier
from conflens.program.refs import TypeInfo


def declared(
    files: Mapping[str, FileFacts],
) -> tuple[dict[str, TypeInfo], dict[str, tuple[str, ...]], dict[str, dict[str, str]]]:
    """Return types by name, the names of each file's types, and the names in each package."""
    types: dict[str, TypeInfo] = {}
    type_names: dict[str, tuple[str, ...]] = {}
    packages: dict[str, dict[str, str]] = {}
    for path, facts in files.items():
        _declare(path, facts, types, type_names, packages)
    return types, type_names, packages


def _declare(
    path: str,
    facts: FileFacts,
    types: dict[str, TypeInfo],
    type_names: dict[str, tuple[str, ...]],
    packages: dict[str, dict[str, str]],
) -> None:
    """Enter the types of one file; a name that is taken stays what it is."""
    names: list[str] = []
    prefix = f"{facts.package}." if facts.package else ""
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
        names.append(name)
        known = types.get(name)
        # A generated class whose source is there is what its source says.
        if known is None or known.decl.modifiers & ~decl.modifiers & Modifier.IMPLIED:
            types[name] = TypeInfo(path, index, name, outer, decl)
    type_names[path] = tuple(names)
    packages.setdefault(facts.package, {})
