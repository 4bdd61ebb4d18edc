"""The states of a value on its way to operations, and what can come of it in one body.

Terms
    form    what an instruction's result is in relation to the option's value:
            ``VALUE``   the value, or something computed from it;
            ``HELD``    an object that holds it (a collection, an array, a map under ``key``);
            ``SIZED``   an array as long as it says;
            ``YIELDS``  a function whose result it is;
            ``FLAG``    the truth of a test whether this option is meant; what runs if not is others' business;
            ``CHOSEN``  an object of class ``key`` (empty: not known) that exists because the option says so.
    fact    an instruction of a body together with the form of its result.
    seed    where a value comes into a body: see ``Seed``.
    out     what happens to a value that concerns more than its body.
    doubt   a reason why a step may be wrong; doubts add up to the confidence of a path.

``HELD`` keeps values under different constant keys apart.  Absent: other bodies (``engine``).
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from conflens.flow.results import Confidence, Dependency, StepRole
from conflens.program.refs import MemberRef


class Kind(IntEnum):
    """See the module text."""

    VALUE = 0
    HELD = 1
    SIZED = 2
    YIELDS = 3
    CHOSEN = 4
    FLAG = 5


class Form(NamedTuple):
    """A form with its key."""

    kind: Kind
    key: str = ""


VALUE = Form(Kind.VALUE)
HELD = Form(Kind.HELD)
SIZED = Form(Kind.SIZED)
YIELDS = Form(Kind.YIELDS)
FLAG = Form(Kind.FLAG)
NOTHING_CHOSEN = Form(Kind.CHOSEN, "null")
"""Perhaps ``null``, because the option says so."""


Fact = tuple[int, Form]


class Doubt:
    """Why a step may be wrong, or does not matter much: bits of a plain number, for speed."""

    NONE = 0
    DISPATCH = 1
    """The call may run one of a few methods."""
    MANY = 2
    """The call may run one of many methods."""
    CELL = 4
    """A field of a class counts as one for all its objects (LearnConf §3.1.1)."""
    LIBRARY = 8
    """A library that no row speaks of is taken to pass the value on through an object of its own."""
    CARRIED = 16
    """The value was assigned or chosen under a condition on the option."""
    REJECTED = 32
    """What runs does so unless, or only if, the value is refused."""
    FAR = 64
    """The way is long."""
    UNDESCRIBED = 128
    """A method that no row speaks of is taken to give the value in another form."""
    AFTER = 256
    """What follows runs once a loop has ended, as often as without the option (LearnConf, pattern 8)."""
    SHARED = 512
    """One read, or one field, serves several options."""
    ONCE = 1024
    """What follows runs at the first of many uses of an object only."""
    ANSWER = 2048
    """What an object gives back that the option made or chose is taken for its value: an answer is hardly that."""
    ASKED = 4096
    """An object is asked by a method of which no row speaks, and gives the value in another form; asked twice, it answers (``ANSWER``)."""
    EITHER = 8192
    """What runs is done with whichever object the option chooses, of a class that is not known."""
    ABSENT = 16384
    """A test for ``null`` of the value: if that was ``KEPT`` in a field, it tells rather whether the object was given one."""
    KEPT = 32768
    """The value has passed a field, which alone is no doubt."""
    GUESSED = 65536
    """The object that is asked for the value may hold something else than configuration."""
    WHOLE = 262144
    """An object that was made with several options is taken for the value of one of them."""
    CLASS = 524288
    """A test of the value's class: what is read of one option is mostly of one class, whatever it says."""
    ALSO = 1048576
    """What runs if the option says so runs in any case, too, from another place."""
    DEEP = 2097152
    """What runs is some calls below the condition, and files away from the read (``trails.is_deep``)."""
    CROWDED = 4194304
    """Beside ``CELL``: the program gives the field values at many places, so that the object at hand hardly is the one that got this value."""
    SET = 131072
    """Beside ``CELL``: a method gives the field the value, so that the object may hold another one, or another object this one."""


_GIVEN = Doubt.ABSENT | Doubt.KEPT
_PHRASES = {
    Doubt.DISPATCH: "a call may run one of a few methods",
    Doubt.MANY: "a call may run one of many methods",
    Doubt.CELL: "a field counts as one for all objects of its class",
    Doubt.LIBRARY: "an unknown library is taken to pass the value on",
    Doubt.CARRIED: "chosen under a condition on the option",
    Doubt.REJECTED: "depends on whether the value is rejected",
    Doubt.FAR: "a long way",
    Doubt.UNDESCRIBED: "a method that no row describes is taken to convert the value",
    Doubt.AFTER: "waits for a loop that the option bounds",
    Doubt.SHARED: "one read serves several options",
    Doubt.ASKED: "a method that no row describes is taken to convert the object",
    Doubt.ONCE: "runs at the first of many uses only",
    Doubt.GUESSED: "the object that is asked may hold other things than configuration",
    _GIVEN: "a test for null tells whether an object has got a value",
    Doubt.EITHER: "done with whichever object is chosen",
    Doubt.WHOLE: "an object of several options is taken for the value of one",
    Doubt.CLASS: "a test of the class tells little of the value",
    Doubt.ALSO: "runs in any case as well",
    Doubt.DEEP: "runs several calls below a condition, in another file",
    Doubt.CROWDED: "the field gets other values at many other places",
    Doubt.ANSWER: "what an object answers is taken for the value that made it",
}
_LOW = (
    Doubt.MANY
    | Doubt.REJECTED
    | Doubt.LIBRARY
    | Doubt.AFTER
    | Doubt.ONCE
    | Doubt.ANSWER
    | Doubt.EITHER
    | Doubt.WHOLE
    | Doubt.ALSO
    | Doubt.CROWDED
)
_MEDIUM = (
    Doubt.DISPATCH
    | Doubt.CELL
    | Doubt.CARRIED
    | Doubt.UNDESCRIBED
    | Doubt.SHARED
    | Doubt.ASKED
    | Doubt.GUESSED
    | Doubt.CLASS
    | Doubt.DEEP
)
_ALONE = Doubt.SET | Doubt.CLASS | Doubt.CARRIED
"""Small doubts that are too many with any other one."""
_APART = Doubt.SHARED | Doubt.CELL
"""A read that serves several options makes an object for each of them: a field of these holds another option's value as well."""
_FOLLOWED = Doubt.FAR | Doubt.ABSENT | Doubt.SET | Doubt.WHOLE | Doubt.CLASS | Doubt.CROWDED
"""Doubts with which a value is followed all the same."""
_TOO_MANY = 3


def joined(doubt: int, more: int) -> int:
    """Return the doubts of two parts of a way."""
    return doubt | more | (Doubt.ANSWER if doubt & more & Doubt.ASKED else Doubt.NONE)


@cache
def confidence(doubt: int) -> Confidence:
    """Return how sure a way with these doubts is: many small ones make a great one."""
    if doubt & (_LOW | Doubt.FAR):
        return Confidence.LOW
    small = (doubt & _MEDIUM).bit_count()
    if doubt & _GIVEN == _GIVEN:
        # With any other doubt that is too many.
        small += 1 if not small else _TOO_MANY
    kept_class = doubt & Doubt.CLASS and doubt & Doubt.KEPT
    if doubt & _APART == _APART:
        return Confidence.LOW
    if small >= _TOO_MANY or kept_class or (doubt & _ALONE and small > 1):
        return Confidence.LOW
    return Confidence.MEDIUM if small else Confidence.HIGH


@cache
def hopeless(doubt: int) -> bool:
    """Tell whether there are so many doubts that nothing should be said."""
    great = doubt & _LOW & ~Doubt.CROWDED
    return (doubt & (_MEDIUM | Doubt.FAR)).bit_count() >= (2 if great else _TOO_MANY)


def kept(doubt: int) -> int:
    """Return the doubts of a value in a field; a test for ``null`` that came before is no matter of the field."""
    return (doubt if doubt & Doubt.KEPT else doubt & ~Doubt.ABSENT) | Doubt.KEPT


def weak(doubt: int) -> bool:
    """Tell whether a way is too unsure to be followed further.

    A long one alone is not, nor is one over a test for ``null`` or a setter, nor one that is chosen and has one other small doubt.
    """
    rest = doubt & ~_FOLLOWED
    if rest & _APART == _APART:
        rest &= ~Doubt.SHARED
    if rest & Doubt.CARRIED and (rest & _MEDIUM).bit_count() < _TOO_MANY:
        # Too many for what is said, but not for what is followed.
        rest &= ~Doubt.CARRIED
    return rank(rest) > 1


def rank(doubt: int) -> int:
    """Return the rank of the confidence: 0 for ``high``, 2 for ``low``."""
    return confidence(doubt).rank


def phrases(doubt: int) -> tuple[str, ...]:
    """Return the doubts in words."""
    return tuple(text for flag, text in _PHRASES.items() if doubt & flag == flag)


class SeedKind(IntEnum):
    """What the number in a seed means."""

    VALUE = 0
    """An instruction whose result has the form."""
    PARAMETER = 1
    """A parameter of the member."""
    HOLDER = 2
    """An instruction whose result has come to hold the value: so have its other names."""
    FUNCTION = 3
    """A lambda whose parameter ``extra`` has the form."""
    EFFECT = 4
    """The member as a whole runs under a condition: the constants that it sets have the form."""


class Seed(NamedTuple):
    """Where and as what a value comes into a body."""

    kind: SeedKind
    at: int
    form: Form
    extra: int = 0
    keys: tuple[tuple[int, str], ...] = ()
    """Constants given for parameters that name cells: ``set("size", n)``."""
    idle: tuple[tuple[int, int], ...] = ()
    """Ranges of the body that do not run in this context (``settled``)."""
    made: int = 0
    """Not 0 for a value that was put together elsewhere, so that it is there whatever the option says; 2 if that goes for its parent, 3 for an ``Optional`` that is not empty, 4 for a text of several parts, -1 for
    something that is there but was not put together."""
    of: str = ""
    """The class of the value, or of what holds it holds, where types do not tell (``classes``)."""


LocalStep = tuple[int, StepRole]


class Came(NamedTuple):
    """How a fact came about: from which fact, over which steps, with which doubts so far."""

    before: Fact | None
    steps: tuple[LocalStep, ...]
    doubt: int


class Entered(NamedTuple):
    """The value is argument ``slot`` of call ``instr``, which may run ``target``."""

    instr: int
    target: MemberRef
    slot: int
    form: Form
    source: Fact
    doubt: int
    keys: tuple[tuple[int, str], ...] = ()


class Effected(NamedTuple):
    """Call ``instr``, under the condition ``at``, runs ``target``, which sets constants."""

    instr: int
    target: MemberRef
    form: Form
    source: Fact
    doubt: int
    at: int


class Stored(NamedTuple):
    """The value was put into a field (``instr``: the store, or the call that put it there)."""

    instr: int
    field: MemberRef
    form: Form
    source: Fact
    doubt: int
    steps: tuple[LocalStep, ...] = ()


class Returned(NamedTuple):
    """The member returns the value."""

    instr: int
    form: Form
    source: Fact
    doubt: int
    steps: tuple[LocalStep, ...] = ()


class Captured(NamedTuple):
    """A member of a class inside this one reads a local that has the value."""

    target: MemberRef
    load: int
    form: Form
    source: Fact
    doubt: int


class Filled(NamedTuple):
    """The object that a parameter names has come to hold the value."""

    instr: int
    slot: int
    form: Form
    source: Fact
    doubt: int


class Applied(NamedTuple):
    """Call ``instr`` hands the value, as argument ``place``, to the function that ``function`` is."""

    instr: int
    function: int
    place: int
    form: Form
    source: Fact
    doubt: int


class Hit(NamedTuple):
    """The value is an argument of an operation, or its object is chosen by the option."""

    instr: int
    dependency: Dependency
    kind: str
    api: str
    pause: bool
    source: Fact
    doubt: int


class Guarded(NamedTuple):
    """A condition on the value governs ``ranges`` of the body.

    ``at`` is the condition's instruction.  ``compared`` is the comparison that made it, and its operand
    on the option's side, if it stands in this body; otherwise it has to be looked for where the seed
    came from.
    """

    at: int
    dependency: Dependency
    ranges: tuple[tuple[int, int], ...]
    arms: tuple[tuple[int, int], ...]
    compared: tuple[int, int] | None
    source: Fact
    doubt: int


class Dispatched(NamedTuple):
    """Call ``instr`` runs ``target`` because the option chose its object."""

    instr: int
    target: MemberRef
    source: Fact
    doubt: int


class Ended(NamedTuple):
    """The trail goes cold at ``instr``."""

    instr: int
    reason: str
    source: Fact
    doubt: int


Out = (
    Entered
    | Effected
    | Stored
    | Returned
    | Captured
    | Filled
    | Applied
    | Hit
    | Guarded
    | Dispatched
    | Ended
)
