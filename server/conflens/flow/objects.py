"""Of which class the object is that holds a value: objects of classes that share no object exchange nothing.

A field is one cell for all objects of its class (LearnConf §3.1.1).  Where a subclass of that class is known to be the
one whose object was given the value, objects of its other subclasses do not have it.  Absent: objects of one class, which are
not told apart.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.callees import Callees
from conflens.flow.code import Code
from conflens.program.program import Program
from conflens.program.refs import MemberRef

MOST = 6
"""How many classes of objects that hold a value in one field are distinguished; with more, all objects count as one."""


class Objects:
    """The classes of objects in the bodies of one program."""

    def __init__(self, program: Program, callees: Callees) -> None:
        """Look at objects as exactly as ``callees`` do."""
        self.program = program
        self.callees = callees
        self._apart: dict[tuple[str, str], bool] = {}

    def on_this(self, code: Code, index: int, owner: str) -> bool:
        """Tell whether an instruction uses a member of ``owner`` on the object at hand."""
        value = _object(code.code[index])
        if value is None:
            return False
        if value == NONE:
            return self.program.is_subtype(code.ref.owner, owner)
        this = code.code[value]
        return isinstance(this, ir.This) and this.qualifier in ("", "super")

    def at_hand(self, code: Code, index: int, owner: str) -> bool:
        """Tell whether an instruction uses a member of the object at hand, which ``owner`` may declare as a subclass of the body's class."""
        return self.on_this(code, index, owner) or (
            self.program.is_subtype(owner, code.ref.owner)
            and self.on_this(code, index, code.ref.owner)
        )

    def receiver(self, code: Code, index: int, owner: str, this: str = "") -> str:
        """Return the class of the object whose member of ``owner`` an instruction uses, as exactly as its body shows it.

        ``this`` is the class of the object at hand, if it is known better than by that of the body.  Empty: not known.
        """
        if self.on_this(code, index, owner):
            return this or code.ref.owner
        return self.other(code, index)

    def other(self, code: Code, index: int) -> str:
        """Return the class of the object, not the one at hand, whose member an instruction uses; empty if it is not known."""
        instr = code.code[index]
        if isinstance(instr, ir.New):
            return self.callees.made_class(code, index)
        value = _object(instr)
        return "" if value is None or value == NONE else self._told(code, value)

    def of(self, code: Code, index: int, owner: str, this: str) -> str:
        """Return what ``receiver`` does, empty if it tells no more than that the object has members of ``owner``."""
        return self.narrower(self.receiver(code, index, owner, this), owner)

    def _told(self, code: Code, value: int) -> str:
        """Return the class of an object, empty for one that is named by a type."""
        if code.context.denotes(value) is not None:
            return ""
        return self.callees.object_class(code, value)

    def narrower(self, name: str, owner: str) -> str:
        """Return a class if it is a proper subclass of ``owner``, else an empty text."""
        if not name or name == owner or not self.program.is_subtype(name, owner):
            return ""
        return name

    def apart(self, one: str, other: str) -> bool:
        """Tell whether no object is of both classes; what is not known, or an interface, may be anything."""
        if not one or not other or one == other:
            return False
        key = (one, other)
        found = self._apart.get(key)
        if found is None:
            found = self._apart[key] = (
                self._is_class(one)
                and self._is_class(other)
                and not self.program.is_subtype(one, other)
                and not self.program.is_subtype(other, one)
            )
        return found

    def _is_class(self, name: str) -> bool:
        info = self.program.type(name)
        return info is not None and info.decl.kind == "class"

    def may_run(self, target: MemberRef, this: str) -> bool:
        """Tell whether a call on an object of class ``this`` may run a method."""
        return not self.apart(target.owner, this)


def _object(instr: ir.Instr) -> int | None:
    """Return the object whose member an instruction uses: ``NONE`` for one that is not written, ``None`` for no object."""
    if isinstance(instr, ir.Name):
        return NONE
    if isinstance(instr, (ir.Field, ir.StoreField, ir.Call)):
        return instr.object
    return None
