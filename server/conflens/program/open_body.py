"""A body that is open, and closing bodies again: what is worked out about them is most of what an analysis keeps in memory.

Terms
    open      its instructions are decoded, and what was worked out about it is kept.
    closed    it holds next to nothing; whoever asks it for anything opens it again, and what is asked for is worked out anew.
    full      more is open than should be: whoever has nothing half done then has all bodies closed.

What is found out does not depend on when bodies are closed: everything that is let go follows from the body, from surfaces and
rows.  A note that has a method ``closed`` is replaced by what that returns; all other notes go.

Absent: what the code of a body means (``expressions``).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from conflens.facts import ir
from conflens.program.metered import Instructions
from conflens.program.refs import MemberRef

if TYPE_CHECKING:
    from conflens.program.fields_named import Named
    from conflens.program.program import Program
    from conflens.program.types import JavaType

MOST_OPEN = 600_000
"""Instructions of open bodies from which on they are closed, a few hundred bytes each."""

_BODY = 20
"""Instructions that take as much memory as what each open body takes besides."""

Binders = dict[int, tuple[int, ir.ForEach | ir.Lambda]]
Stores = dict[int, list[ir.Store]]


class OpenSize:
    """How much is open in a program and those that it was made from."""

    __slots__ = ("instructions",)

    def __init__(self) -> None:
        self.instructions = 0

    @property
    def full(self) -> bool:
        """Whether bodies should be closed."""
        return self.instructions > MOST_OPEN


class OpenBody:
    """One member's code and what was worked out about it; see the module text."""

    __slots__ = (
        "_bound",
        "_calls",
        "_fields",
        "_kept",
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

    def __init__(self, program: Program, ref: MemberRef, body: ir.Body) -> None:
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
        self.notes: dict[str, object] = dict(self._kept)
        """What analyses above work out about this body alone."""
        self.is_open = True

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Open the body again: this is asked only for what is not there."""
            if name not in _WORKED_OUT:
                raise AttributeError(name)
            self._open(self.program.body(self.ref))
            self.count()
            return getattr(self, name)

    def count(self) -> None:
        """Count the body among those that are open."""
        self.program.open_size.instructions += len(self.code) + _BODY

    def note(self, key: str) -> object:
        """Return a note, ``None`` if there is none, without opening the body."""
        return self.notes.get(key) if self.is_open else dict(self._kept).get(key)

    def close(self) -> None:
        """Close the body.  Others may ask it for something meanwhile: it is then open again."""
        if not self.is_open:
            return
        self.is_open = False
        left = ((key, _left(note)) for key, note in self.notes.items())
        self._kept = tuple((key, note) for key, note in left if note is not None)
        for name in _WORKED_OUT:
            with suppress(AttributeError):
                delattr(self, name)

    def forget(self) -> None:
        """Let go of all notes."""
        self._kept = ()
        if self.is_open:
            self.notes.clear()


_WORKED_OUT = frozenset(OpenBody.__slots__) - {"_kept", "is_open", "program", "ref"}


def _left(note: object) -> object:
    closed = getattr(note, "closed", None)
    return closed() if closed is not None else None
