"""What the engine asks of those who know which instructions are performance operations.

Absent: knowing any (``operations``), and who reaches them (``walk``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from conflens.flow.code import Code


class Keyed(NamedTuple):
    """What the argument ``place`` of a call holds under ``key`` makes the call an operation of its own."""

    place: int
    key: str
    kind: str
    api: str


class Sink(NamedTuple):
    """An operation of a body: instruction ``instr``, -1 for a member that is one as a whole.

    ``arguments`` are the places whose values count (None: all); ``sized``: it costs what these say, so
    it is none when they are constant; ``pause``: the thread waits there; ``keyed``: see ``Keyed``.
    """

    instr: int
    kind: str
    api: str
    arguments: tuple[int, ...] | None
    sized: bool
    pause: bool
    keyed: tuple[Keyed, ...] = ()

    def takes(self, place: int) -> bool:
        """Tell whether the value of an argument counts."""
        return self.arguments is None or place in self.arguments


class Operation(Protocol):
    """What ``operations`` says of an instruction; see ``Sink``."""

    @property
    def index(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def api(self) -> str: ...
    @property
    def arguments(self) -> tuple[int, ...] | None: ...
    @property
    def sized(self) -> bool: ...
    @property
    def pause(self) -> bool: ...
    @property
    def keyed(self) -> tuple[Keyed, ...]: ...


class Operations(Protocol):
    """Finds the operations of a body."""

    def in_body(self, code: Code) -> Sequence[Operation]:
        """Return all operations of one member, in order."""

    def rests_on(self) -> object:
        """Return what the answers rest on besides the body; equal when they need not be asked again."""
