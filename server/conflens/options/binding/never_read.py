"""Members of bound classes that the program never asks for: no option of the objects that they hold has an effect.

Absent: which classes are bound, and where their objects are asked for (``expand``).
"""

from __future__ import annotations

from conflens.options.member_types import accessor_name
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_ASKING = ("get", "is")
_SETTING = ("set", "with")


def is_never_read(program: Program, ref: MemberRef) -> bool:
    """Tell whether nothing reads a member, and nothing calls what gives it, as far as names tell."""
    member = program.member(ref)
    name = accessor_name(member.name) if member.kind == "method" else member.name
    capital = f"{name[:1].upper()}{name[1:]}"
    asked = {name, *(f"{prefix}{capital}" for prefix in _ASKING)}
    if any(program.users(called) for called in asked):
        return False
    own = {*asked, *(f"{prefix}{capital}" for prefix in _SETTING), "<init>"}
    return all(
        user.owner == ref.owner and program.member(user).name in own
        for user in program.mentions(name)
    )
