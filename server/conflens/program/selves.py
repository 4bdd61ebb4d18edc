"""Classes that name their subclass by a type variable, as fluent builders do (``B extends Builder<B>``).

Absent: other type variables of classes.
"""

from __future__ import annotations

from conflens.program.program import Program
from conflens.program.refs import MemberRef


def returns_self(program: Program, ref: MemberRef) -> bool:
    """Tell whether a method returns what it is called on, as far as its type says."""
    info, type_ = program.type(ref.owner), program.member(ref).type
    return info is not None and any(
        param.name == type_ and param.bound.partition("<")[0] == info.decl.name
        for param in info.decl.type_params
    )
