"""What the events of a recording stand for: rows of ``grammars/profiling/jfr.toml``.

Purpose: ``load_rows`` gives the rows, checked; ``Rows`` answers what an event, a parked class or a native leaf means.
The file itself describes its tables.

Absent: how events lie in a file (``jfr_layout``) and what becomes of their weights (``jfr_recording``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

import attrs
import tomli

from conflens.models.resources import grammar_file
from conflens.models.structure import RowError, structure
from conflens.profiling.model import EventKind, Origin, Unit

FILE = "profiling/jfr.toml"

JVM_INFORMATION = "jdk.JVMInformation"
ACTIVE_SETTING = "jdk.ActiveSetting"
CPU_LOAD = "jdk.CPULoad"
CPU_INFORMATION = "jdk.CPUInformation"
INFORMING = (JVM_INFORMATION, ACTIVE_SETTING, CPU_LOAD, CPU_INFORMATION)
"""Events that tell of the run as a whole."""

T = TypeVar("T")


@attrs.frozen
class EventRow:
    """An event whose weights are added up; see ``[[event]]``."""

    name: str
    kind: str
    unit: str
    thread: tuple[str, ...]
    weight: str = ""
    decider: str = ""
    native: bool = False
    yields_to: tuple[str, ...] = ()
    threshold: bool = False


@attrs.frozen
class OtherRow:
    """Values of a decider that mean another kind; see ``[[other]]``."""

    event: str
    kind: str
    values: tuple[str, ...]


@attrs.frozen
class NativeRow:
    """Native methods that mean another kind; see ``[[native]]``."""

    kind: str
    methods: tuple[str, ...]


@attrs.frozen
class SettingRow:
    """An event that is a value of the run; see ``[[setting]]``."""

    name: str
    origin: str
    key: str = "name"
    value: str = "value"
    unsigned: int = 0
    """The bits of a value without a sign; 0 for others.  Some versions of ``jfr`` print such values as negative."""

    def text(self, written: str) -> str:
        """Return the value as it is meant."""
        if self.unsigned and written[:1] == "-" and written[1:20].isdecimal():
            return str(int(written[:20]) + (1 << self.unsigned))
        return written


@attrs.frozen(eq=False)
class Rows:
    """All rows, indexed.  Kinds are ``None`` where the event is not counted."""

    events: Mapping[str, EventRow] = attrs.field(repr=False)
    settings: Mapping[str, SettingRow] = attrs.field(repr=False)
    others: Mapping[tuple[str, str], EventKind | None] = attrs.field(repr=False)
    natives: Mapping[str, EventKind | None] = attrs.field(repr=False)

    def decided(self, row: EventRow, value: str) -> EventKind | None:
        """Return the kind of an event whose decider has ``value`` (a class with dots, or a constant)."""
        while value:
            if (row.name, value) in self.others:
                return self.others[row.name, value]
            value = value.rpartition("$")[0]
        return EventKind(row.kind)

    def leaf(self, row: EventRow, owner: str, method: str) -> EventKind | None:
        """Return the kind of a native sample with this leaf."""
        for name in (f"{owner}.{method}", f"{owner}.*"):
            if name in self.natives:
                return self.natives[name]
        return EventKind(row.kind)

    def names(self) -> tuple[str, ...]:
        """Return the names of all events that are read, those of the configuration last."""
        return (*self.events, *self.settings, *INFORMING)


@lru_cache(maxsize=1)
def load_rows() -> Rows:
    """Return the packaged rows.  Raises ValueError, naming file, table and entry, for a fault in them."""
    return parse_rows(grammar_file(FILE).decode())


def parse_rows(text: str) -> Rows:
    """Return the rows of a file's text.  Raises ValueError like ``load_rows``."""
    tables = tomli.loads(text)
    tables.pop("provenance", None)
    events = _rows(tables, "event", EventRow)
    others = _rows(tables, "other", OtherRow)
    natives = _rows(tables, "native", NativeRow)
    settings = _rows(tables, "setting", SettingRow)
    if tables:
        raise ValueError(f"{FILE}: unknown table '{next(iter(tables))}'")
    known = {row.name for row in events}
    for event in events:
        _member(EventKind, event.kind, f"event {event.name}")
        _member(Unit, event.unit, f"event {event.name}")
        for name in event.yields_to:
            _known(name, known, f"event {event.name}")
    for other in others:
        _known(other.event, known, "other")
    for setting in settings:
        _member(Origin, setting.origin, f"setting {setting.name}")
    return Rows(
        MappingProxyType({row.name: row for row in events}),
        MappingProxyType({row.name: row for row in settings}),
        MappingProxyType(
            {(row.event, value): _kind(row.kind) for row in others for value in row.values}
        ),
        MappingProxyType({name: _kind(row.kind) for row in natives for name in row.methods}),
    )


def _rows(tables: dict[str, Any], table: str, cls: type[T]) -> list[T]:
    found: list[T] = []
    for number, entry in enumerate(tables.pop(table, []), 1):
        try:
            found.append(structure(cls, entry))
        except RowError as fault:
            raise ValueError(f"{FILE}: {table} {number}: {fault}") from fault
    return found


def _kind(text: str) -> EventKind | None:
    return _member(EventKind, text, "kind") if text else None


def _member(kinds: type[T], text: str, place: str) -> T:
    try:
        return kinds(text)  # type: ignore[call-arg]
    except ValueError as fault:
        raise ValueError(f"{FILE}: {place}: {fault}") from fault


def _known(name: str, known: set[str], place: str) -> None:
    if name not in known:
        raise ValueError(f"{FILE}: {place}: there is no event '{name}'")
