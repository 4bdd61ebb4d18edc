"""Classes that a library offers for the configuration of applications that use it.

A type whose type variable stands for the application's configuration class asks, by an abstract method
with such a parameter, for a part of it: ``interface Setup<T extends Configuration> { Pool pool(T all); }``,
or ``interface Setup<T> …`` with a subtype ``Bundle<T extends Configuration> extends Setup<T>``.
In the framework itself, the classes that are its parts count too.
Absent: the configuration classes of this program (``binding``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conflens.facts.model import Modifier
from conflens.program.program import Program
from conflens.program.refs import TypeInfo


def offered(program: Program, roots: set[str], is_part: Callable[[str], bool] | None) -> list[str]:
    """Return the project classes that can be parts of one of the ``roots``."""
    found: dict[str, None] = {}
    for name, variables in _variables(program, roots).items():
        info = program.type(name)
        if info is not None:
            found.update(dict.fromkeys(_asked(program, info, variables)))
    if is_part is not None:
        found.update(
            dict.fromkeys(
                info.name
                for info in program.types()
                if info.decl.kind == "class" and info.name not in roots and is_part(info.name)
            )
        )
    return list(found)


def _variables(program: Program, roots: set[str]) -> dict[str, set[str]]:
    """Return, by type, its variables that stand for a root: by their bound, or by what a subtype passes."""
    found: dict[str, set[str]] = {}
    for info in program.types():
        for param in info.decl.type_params:
            bound = param.bound and program.resolve(param.bound, info.path, info.outer).name
            if bound in roots:
                found.setdefault(info.name, set()).add(param.name)
    for info in program.types():
        own = found.get(info.name, set())
        if not any("<" in text for text in info.decl.supers):
            continue
        for type_ in program.direct_supers(info.name):
            above = program.type(type_.name)
            if above is not None and len(above.decl.type_params) == len(type_.args):
                for param, arg in zip(above.decl.type_params, type_.args, strict=True):
                    if arg.name in roots or arg.name in own:
                        found.setdefault(type_.name, set()).add(param.name)
    return found


def _asked(program: Program, info: TypeInfo, variables: set[str]) -> Iterator[str]:
    for refs in program.own_methods(info.name).values():
        for ref in refs:
            member = program.member(ref)
            abstract = member.modifiers & Modifier.ABSTRACT or (
                info.decl.kind == "interface"
                and not member.modifiers & (Modifier.DEFAULT | Modifier.STATIC)
            )
            if not abstract or not variables.intersection(item.type for item in member.params):
                continue
            result = program.return_type(ref)
            if result is None:
                continue
            for name in (result.name, *program.all_subtypes(result.name)):
                made = program.type(name)
                if made is not None and made.decl.kind in ("class", "record"):
                    yield name
