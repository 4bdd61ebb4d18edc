"""A body that is open, and closing bodies again: what is worked out about them is most of what an analysis keeps in memory.

Terms
    open      its instructions are decoded, and what was worked out about it is kept.
    closed    it keeps almost nothing. The first question about it opens it again, and the answer is computed again.
    full      more is open than the limit allows; all bodies are closed as soon as no analysis is in the middle of one.

What is found out does not depend on when bodies are closed: everything that is let go follows from the body, from surfaces and
rows.  A note that has a method ``closed`` is replaced by what that returns; all other notes go.

Absent: what the code of a body means (``expressions``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Protocol

from conflens.base.budget import Meter
from conflens.base.locks import new_lock
from conflens.facts import ir
from conflens.program.fields_named import Named
from conflens.program.metered import SHARE, Instructions
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType

MOST_OPEN = 600_000
"""Instructions of open bodies from which on they are closed, a few hundred bytes each."""

_BODY = 20
"""Instructions that take as much memory as what each open body takes besides."""

_NOWHERE: Sequence[int] = ()

Binders = dict[int, tuple[int, ir.ForEach | ir.Lambda]]
Stores = dict[int, list[ir.Store]]


class OpenSize:
    """How much is open in a program and those that it was made from."""

    __slots__ = ("instructions", "lock")

    def __init__(self) -> None:
        self.instructions = 0
        self.lock = new_lock()
        """Held while a body is closed or opened again: others may look at it."""


class Bodies(Protocol):
    """The bodies of a program."""

    meter: Meter
    open_size: OpenSize

    def body(self, ref: MemberRef) -> ir.Body:
        """Return a member's code."""

    def open_bodies(self) -> Iterable[OpenBody]:
        """Return the bodies that are open."""


def full(bodies: Bodies) -> bool:
    """Tell whether too many bodies are open."""
    size = bodies.open_size
    if size.instructions > MOST_OPEN:
        # Bodies that edits have replaced were counted as well.
        size.instructions = sum(body.size for body in bodies.open_bodies())
    return size.instructions > MOST_OPEN


class OpenBody:
    """One member's code and what was worked out about it; see the module text."""

    __slots__ = (
        "_bound",
        "_calls",
        "_fields",
        "_kept",
        "_kinds",
        "_methods",
        "_named",
        "_operands",
        "_types",
        "body",
        "code",
        "is_open",
        "notes",
        "program",
        "ref",
    )

    def __init__(self, program: Bodies, ref: MemberRef, body: ir.Body) -> None:
        """Open ``body``."""
        self.program = program
        self.ref = ref
        self._kept: tuple[tuple[str, object], ...] = ()
        self._open(body)

    def _open(self, body: ir.Body) -> None:
        self.body = body
        self.code = Instructions.of(body.code, self.program.meter)
        self._types: dict[int, JavaType | None] = {}
        self._fields: dict[int, MemberRef | None] = {}
        self._methods: dict[int, list[MemberRef]] = {}
        self._operands: frozenset[int] | None = None
        self._calls: list[tuple[int, ir.Call | ir.New]] | None = None
        self._bound: tuple[Binders, Stores] | None = None
        self._named: dict[str, Named] | None = None
        self._kinds: dict[type[ir.Instr], list[int]] | None = None
        self.notes: dict[str, object] = dict(self._kept)
        """What analyses above work out about this body alone."""
        self.is_open = True

    @property
    def size(self) -> int:
        """How much the body is while it is open, in instructions."""
        return len(self.code) + _BODY

    def of_kind(self, *kinds: type[ir.Instr]) -> Sequence[int]:
        """Return the places of the instructions of some kinds, in order; those of the commonest, literals and loads, are not kept."""
        if self._kinds is None:
            kinds_: defaultdict[type[ir.Instr], list[int]] = defaultdict(list)
            for number, instr in enumerate(self.code):
                kind = instr.__class__
                if kind is not ir.Const and kind is not ir.Load:
                    kinds_[kind].append(number)
            self._kinds = dict(kinds_)
        if len(kinds) == 1:
            places = self._kinds.get(kinds[0], _NOWHERE)
            self.program.meter.spend(1 + len(places) // SHARE)
            return places
        kept = [found for kind in kinds if (found := self._kinds.get(kind)) is not None]
        places = kept[0] if len(kept) == 1 else sorted(chain(*kept)) if kept else _NOWHERE
        self.program.meter.spend(1 + len(places) // SHARE)
        return places

    def count(self) -> None:
        """Count the body among those that are open."""
        self.program.open_size.instructions += self.size

    def note(self, key: str) -> object:
        """Return a note, ``None`` if there is none, without opening the body."""
        return self.notes.get(key) if self.is_open else dict(self._kept).get(key)

    def close(self, closed: type[OpenBody]) -> None:
        """Close the body, which is ``closed`` from now on, until somebody asks it for something."""
        with self.program.open_size.lock:
            if self.is_open:
                left = ((key, _left(note)) for key, note in self.notes.items())
                self._kept = tuple((key, note) for key, note in left if note is not None)
                self.is_open = False
                let_go(self, closed, _WORKED_OUT)

    def open_again(self, opened: type[OpenBody]) -> None:
        """Open the body after it was closed."""
        with self.program.open_size.lock:
            if not self.is_open:
                self._open(self.program.body(self.ref))
                self.__class__ = opened
                self.count()

    def forget(self) -> None:
        """Let go of all notes."""
        self._kept = ()
        if self.is_open:
            self.notes.clear()


_WORKED_OUT = frozenset(OpenBody.__slots__) - {"_kept", "is_open", "program", "ref"}


def let_go(of: object, closed: type[object], names: Iterable[str]) -> None:
    """Let go of what an object holds; as one of ``closed``, which is like its class, it makes that again when it is asked for it.

    Only that class has a hook for what is not there, since asking a class that has one takes longer.
    """
    of.__class__ = closed
    for name in names:
        with suppress(AttributeError):
            delattr(of, name)


def _left(note: object) -> object:
    closed = getattr(note, "closed", None)
    return closed() if closed is not None else None


def pattern_stores(body: ir.Body, test: ir.InstanceOf) -> tuple[ir.Store, ...]:
    """Return the assignment that ``x instanceof T v`` makes; none of what the parts of a record are given, whose types differ
    from that of the record."""
    if len(test.slots) != 1 or body.locals[test.slots[0]].type != test.type:
        return ()
    return (ir.Store(test.at, test.end, test.slots[0], 0, test.value, True),)
