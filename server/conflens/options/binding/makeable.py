"""Which objects inside another a binder of flat names can fill: those that it can make, and those that are there already.

It makes an object of a class that is not abstract, with its constructor without parameters or with the only one that there is.  A member that has no
setter must hold an object when it is filled, and so must one of a class that cannot be made.
Absent: classes of which a text of the file chooses one (``members.variants``); mappers of trees, which have ways of their own to make objects.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.binding.members import Members
from conflens.options.binding.properties import Property
from conflens.program.program import Program
from conflens.program.values import Values


def is_makeable(members: Members, name: str) -> bool:
    """Tell whether a binder of flat names can make an object of a project class."""
    program = members.program
    info = program.type(name)
    if info is None or info.decl.kind == "record" or members.creators.is_named(name):
        return info is not None
    if info.decl.kind != "class" or info.decl.modifiers & Modifier.ABSTRACT:
        return False
    constructors = [program.member(ref) for ref in program.own_methods(name).get("<init>", ())]
    return len(constructors) <= 1 or any(not member.params for member in constructors)


def can_be_filled(members: Members, item: Property, held: str) -> bool:
    """Tell whether a member of class ``held`` has an object that a mapper can fill, or is given one that it makes."""
    made = is_makeable(members, held) and not _is_only_asked(members.program, item)
    return made or _is_there(members.values, item)


def _is_only_asked(program: Program, item: Property) -> bool:
    """Tell whether a class has a getter for a member, and neither a setter nor a constructor that takes it."""
    ref = item.member
    if ref is None:
        return False
    member = program.member(ref)
    if member.kind != "field" or member.modifiers & Modifier.PUBLIC:
        return False
    named = f"{item.name[:1].upper()}{item.name[1:]}"
    own = {
        method: refs
        for type_ in (*program.supertypes(ref.owner), ref.owner)
        for method, refs in program.own_methods(type_).items()
    }
    makers = [program.member(one) for one in program.own_methods(ref.owner).get("<init>", ())]
    if f"set{named}" in own or (makers and all(maker.params for maker in makers)):
        return False
    return f"get{named}" in own


def _is_there(values: Values, item: Property) -> bool:
    """Tell whether a new object has an object in a member: the field is given one where it is declared, in a constructor or by a
    method that returns the member."""
    ref = item.member
    if ref is None or values.program.member(ref).kind != "field":
        return False
    named = item.name[:1].upper() + item.name[1:]
    for place, store in values.stores(ref):
        name = values.program.member(place.ref).name
        made = place.code[store.value] if store.value != NONE else None
        if made is None or (isinstance(made, ir.Const) and made.kind == "n"):
            continue
        if place.ref == ref or name in ("<init>", f"get{named}", f"is{named}", item.name):
            return True
    return False
