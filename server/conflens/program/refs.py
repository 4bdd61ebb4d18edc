"""References to members and types of a project.

Terms
    number   the position of a member or a type among those of its file.

A reference names a declaration; what is declared is in the facts of the file.
Absent: what references are looked up in (``program``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts.model import TypeDecl


class MemberRef(NamedTuple):
    """A member of a project type: file, number in it, qualified owner."""

    path: str
    number: int
    owner: str


class TypeInfo(NamedTuple):
    """A project type: file, number in it, qualified name, qualified name of the enclosing type."""

    path: str
    number: int
    name: str
    outer: str
    decl: TypeDecl
