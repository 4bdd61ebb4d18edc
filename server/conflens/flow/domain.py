"""What is known of a value on its way through a program, and what can become of it.

Terms
    trace    what a value is in relation to the one that was followed: its *relation*, the *factor* it was
             multiplied by on the way, and the calls that it entered and has not left yet.
    use      an instruction that takes the value, with the role the value plays there.
    passed   a variable, field or parameter that held the value; its name may tell something.

A trace is ``SAME`` when the value is the followed one, perhaps converted or multiplied by a
constant; ``ELEMENT`` when it is one of several that the followed one holds; ``HEAD`` when it is a
text that starts with it; ``PIECE`` when it is a part cut out of it or a text built around it;
``SCALED`` when it was multiplied or divided by something unknown.  A trace only ever moves away
from ``SAME``.  Absent: conditions under which a value flows.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

import attrs

from conflens.program.refs import MemberRef
from conflens.program.types import JavaType


class Relation(Enum):
    """See the module text."""

    SAME = 0
    ELEMENT = 1
    HEAD = 2
    PIECE = 3
    SCALED = 4


class Frame(NamedTuple):
    """A call that a value entered: the calling member and the call in it."""

    ref: MemberRef
    call: int


class Trace(NamedTuple):
    """How a value relates to the followed one.

    ``hops`` counts the borders of methods and fields that were crossed.
    """

    relation: Relation = Relation.SAME
    factor: float = 1.0
    stack: tuple[Frame, ...] = ()
    hops: int = 0

    def away(self, relation: Relation) -> Trace:
        """Return the trace with a relation at least as far from ``SAME`` as ``relation``."""
        return self if self.relation.value >= relation.value else self._replace(relation=relation)

    def times(self, factor: float) -> Trace:
        """Return the trace of the value multiplied by a constant."""
        return self._replace(factor=self.factor * factor)


START = Trace()


class Role(StrEnum):
    """What an instruction does with a value."""

    ARGUMENT = "argument"
    """Passed to a call; ``Use.place`` is the argument's index, or the receiver's (-1)."""
    COMPARED = "compared"
    """Operand of a comparison or of ``equals``; ``Use.other`` is what it is compared with."""
    SWITCHED = "switched"
    ARITHMETIC = "arithmetic"
    """Operand of arithmetic; ``Use.other`` is the other operand."""
    CONDITION = "condition"
    """Decides a branch, or is an operand of ``!``, ``&&``, ``||``."""
    LOOP = "loop"
    """Compared in the test of a loop: its bound."""
    LENGTH = "length"
    """The length of a new array."""
    INDEX = "index"
    ITERATED = "iterated"
    SPLIT = "split"
    """Cut at separators into a list of elements."""
    CAST = "cast"
    MEASURED = "measured"
    """Something derived that is not the value itself: its length, a test of it, a field of it."""
    STORED = "stored"
    """Put where it is not followed: an array element, a field of an unknown object."""
    RETURNED = "returned"
    """Returned to callers that are not known, or too many."""


@attrs.frozen
class Use:
    """An instruction of ``ref`` that takes the value ``value``, in the state ``trace``."""

    ref: MemberRef
    index: int
    role: Role
    trace: Trace
    value: int
    place: int = 0
    other: int = -1


@attrs.frozen
class Passed:
    """A local variable, parameter, field or method that held the value; ``type`` as declared."""

    name: str
    type: JavaType | None
    trace: Trace


@attrs.frozen
class Followed:
    """Everything a value was seen to do.

    ``open`` means that it may do more: a bound was reached or something could not be resolved.
    ``cut``: the bound on steps was reached, so uses close to the start may be missing.
    ``reached`` are the values it is or was converted to.  ``files`` are the paths whose bodies
    were looked at, or whose bodies could change the answer; so could a file that begins to use one
    of ``names``.  ``same`` are those of ``reached`` that are the value itself; ``ended``: a use told enough, so
    that it was followed no further; ``within``: if it is open, then only to code outside of the program.
    """

    uses: tuple[Use, ...]
    passed: tuple[Passed, ...]
    reached: frozenset[tuple[MemberRef, int]]
    open: bool
    cut: bool
    files: frozenset[str]
    names: frozenset[str] = frozenset()
    same: frozenset[tuple[MemberRef, int]] = frozenset()
    ended: bool = False
    within: bool = False

    @property
    def unused(self) -> bool:
        """Whether the value provably does nothing."""
        return not self.open and all(use.role is Role.CAST for use in self.uses)
