"""Where a walk starts, what it returns, and the bounds that several modules keep to.

Absent: the walk itself (``walk``), flows and holds (``results``).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from conflens.flow.results import Reach
from conflens.program.refs import MemberRef

PATHS = 3
"""Ways kept of one flow."""

HOLDS = 200
"""Holds kept of one walk."""

COLD = 12
"""Places kept where a trail ends."""

WRITERS = 8
"""Places that give values to a field beyond which it is no dedicated configuration field (LearnConf §3.1.1)."""

FEW_WRITERS = 5
"""Places that give values to a field up to which one of them may well be the one that gave the object at hand its value.

Readers judged 81 flows through fields of 18 projects: up to five places 54 of 68 were right, from six on 5 of 13."""

USERS = 400
"""Members that name a field, beyond which the reads of that field are not followed."""


class StartKind(StrEnum):
    """Where an option's value enters the program."""

    VALUE = "value"
    """The result of instruction ``at``."""
    FIELD = "field"
    """The field ``ref``."""
    PARAMETER = "parameter"
    """Parameter ``at`` of ``ref``."""
    TEST = "test"
    """Instruction ``at`` tests whether this option is meant: only what follows from yes is its effect."""
    RESULT = "result"
    """What ``ref`` returns."""


class Start(NamedTuple):
    """The beginning of a walk."""

    kind: StartKind
    ref: MemberRef
    at: int
    holder: str = ""
    """The class of the object to which ``ref`` belongs, if it is a subclass of the one that declares ``ref``."""
    shared: bool = False
    """Values of several options enter here: one at a time, or each in another object."""
    there: bool = False
    """The value is never ``null``, since what is given back where the option is not set is not."""
    guessed: bool = False
    """What is read may be something else than an option."""
    whole: bool = False
    """Several options enter here; if this is an object, it is not the value of one of them."""


class Walk(NamedTuple):
    """What one walk found, and what it rests on."""

    reach: Reach
    members: frozenset[MemberRef]
    names: frozenset[str]
    fault: str = ""
    """Why it was given up before its end; what was found until then stands."""
