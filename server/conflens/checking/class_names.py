"""Names of classes in values: of the project, and of the type that code casts to.

A class is only missed where its package is one of the project's, so that it would have to be there, and only called the wrong
one where all its supertypes are known.
A class that a Scala, Kotlin or Groovy source may declare is never reported, since those sources are not read.  Absent: classes of
libraries.
"""

from __future__ import annotations

import re

from conflens.checking.subject import Subject
from conflens.options.names.spelling import MOST, edit_distance
from conflens.program.program import Program

_NAME = re.compile(r"[a-z_][\w]*(?:\.[A-Za-z_]\w*)+(?:\$[A-Za-z_]\w*)*\Z")
_OBJECT = "java.lang.Object"


def judged(subject: Subject, supertype: str, text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return why a text names no class that will do, and names that would; ``None`` where it may."""
    for name in (part.strip() for part in text.split(",")):
        if _NAME.match(name):
            said = _judged(subject, supertype, name)
            if said is not None:
                return said[0], said[1] if name == text.strip() else ()
    return None


def _judged(subject: Subject, supertype: str, name: str) -> tuple[str, tuple[str, ...]] | None:
    source, program = name.replace("$", "."), subject.program
    if program.type(source) is None:
        if subject.may_declare(source):
            return None
        return _missing(program, supertype, source, name)
    if not supertype or program.is_subtype(source, supertype) or source == supertype:
        return None
    if not _is_all_known(program, source):
        return None
    simple = supertype.rpartition(".")[2]
    return f"{name.rpartition('.')[2]} is not a {simple}, as required here.", ()


def _missing(
    program: Program, supertype: str, source: str, name: str
) -> tuple[str, tuple[str, ...]] | None:
    package, _, simple = source.rpartition(".")
    beside: list[str] = []
    moved: list[str] = []
    is_package = False
    for info in program.types():
        if not info.decl.name or info.decl.member >= 0:
            continue
        owner, _, own = info.name.rpartition(".")
        if owner == package:
            is_package = is_package or program.files[info.path].package == package
            if edit_distance(simple.lower(), own.lower()) <= MOST:
                beside.append(info.name)
        elif own == simple:
            moved.append(info.name)
    if not is_package:
        return None
    better = [*sorted(beside, key=lambda one: edit_distance(source, one)), *sorted(moved)]
    if supertype:
        better = [one for one in better if program.is_subtype(one, supertype)]
    return f"There is no class {simple} in {package}.", tuple(better)


def _is_all_known(program: Program, name: str) -> bool:
    return all(
        one == _OBJECT or program.type(one) is not None or program.jdk_type(one) is not None
        for one in program.supertypes(name)
    )
