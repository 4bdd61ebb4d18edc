"""Who uses a name, asked so that what rests on the answer is made again when another body begins to use it.

Rule: code whose result is cached asks here; the program itself records nothing (``tests/layers/test_asking.py``).
Absent: the index itself (``users``), what is done with the notes (``trail``).
"""

from __future__ import annotations

from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.trail import Trail, declared, shaped, used


class Asking:
    """The users of names in a program, noted on a trail."""

    __slots__ = ("_program", "_trail")

    def __init__(self, program: Program, trail: Trail) -> None:
        """Note on ``trail`` what is asked of ``program``."""
        self._program = program
        self._trail = trail

    def users(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that call a method of this name; code that opens only some of them calls ``every_user``."""
        self._trail.names.add(name)
        return self._program.users(name)

    def mentions(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that mention a field or a type of this name; code that opens only some calls ``every_mention``."""
        self._trail.names.add(name)
        return self._program.mentions(name)

    def every_user(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that call a method of this name, for a result that an edit of any of them may change."""
        self._trail.names.update((name, used(name)))
        return self._program.users(name)

    def every_mention(self, name: str) -> tuple[MemberRef, ...]:
        """Return the members that mention a name, for a result that an edit of any of them may change."""
        self._trail.names.update((name, used(name)))
        return self._program.mentions(name)

    def few_users(self, name: str, most: int) -> tuple[MemberRef, ...]:
        """Return the members that call a method of this name, none if there are more than ``most``."""
        found = self._program.users(name)
        self._trail.names.update((name, used(name)) if len(found) > most else (name,))
        return found if len(found) <= most else ()

    def overriders(self, ref: MemberRef) -> list[MemberRef]:
        """Return the methods below that override a method."""
        self._trail.names.add(declared(self._program.member(ref).name))
        return self._program.overriders(ref)

    def overridden(self, ref: MemberRef) -> list[MemberRef]:
        """Return the methods above that a method overrides."""
        self._trail.names.add(declared(self._program.member(ref).name))
        return self._program.overridden(ref)

    def shape(self, owner: str) -> None:
        """Note that how all members of a class are declared was looked at, whether or not a body names them."""
        self._trail.names.add(shaped(owner))

    def field_types(self) -> None:
        """Note that the types of the fields of all classes were looked at."""
        self._trail.names.add(shaped(""))

    def within(self, path: str, name: str) -> tuple[MemberRef, ...]:
        """Return the members of one file that mention a name."""
        return tuple(ref for ref in self.mentions(name) if ref.path == path)
