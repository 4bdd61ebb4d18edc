"""What ``jfr print --xml`` writes, read event by event.

Invariants: a document type or an entity is refused where it is declared.  In memory are the current event and the piece
that is read at a time: an element nested deeper than ``DEEPEST``, an event of more than ``MOST`` elements or
a tag of more than ``LARGEST`` bytes is an error.

Absent: what events mean (``jfr_printed``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn
from xml.parsers import expat

from conflens.profiling.jfr.binary import jfr_command
from conflens.profiling.jfr.byte_reader import TEXT, Broken
from conflens.profiling.jfr.printed import PrintedEvents
from conflens.profiling.jfr.recording import Recording, paced
from conflens.profiling.jfr.rows import load_rows
from conflens.profiling.model import ImportFailure, Snapshot

FORMAT = "JFR as XML"
DEEPEST = 200
MOST = 1_000_000
LARGEST = 4 * 1024 * 1024
_STEP = 64 * 1024
_NIL = "xsi:nil"


def read_jfr_xml(
    stream: BinaryIO, name: str, check: Callable[[int], None], salt: bytes = b""
) -> Snapshot:
    """Return the snapshot of what ``jfr print --xml`` has written; arguments as for ``read_jfr``.

    Raises ImportFailure.
    """
    recording = Recording(load_rows(), name, salt)
    events = PrintedEvents(recording)
    reader = _Reader(events)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    pace = paced(check)
    stream.seek(0)
    try:
        while True:
            read = stream.read(_STEP)
            pace(len(read))
            reader.silent += len(read)
            parser.Parse(read, not read)
            if reader.silent > LARGEST:
                raise Broken(f"a tag of more than {LARGEST:,} bytes")
            if not read:
                break
    except (Broken, expat.ExpatError) as fault:
        line = f"line {parser.CurrentLineNumber:,}"
        reason = (
            expat.ErrorString(fault.code) if isinstance(fault, expat.ExpatError) else str(fault)
        )
        raise ImportFailure(name, line, reason) from None
    except (ValueError, LookupError):
        raise ImportFailure(name, "line 1", "an unknown encoding") from None
    if not reader.recording:
        raise ImportFailure(name, "", "no recording, as 'jfr print --xml' writes it")
    events.finish(" ".join(jfr_command("jfr", "FILE.jfr", "xml")))
    return recording.snapshot(FORMAT, pace)


class _Reader:
    """Builds one event after the other; open structures lie on a stack of its own."""

    def __init__(self, events: PrintedEvents) -> None:
        self.silent = 0
        """Bytes since anything was told."""
        self.recording = False
        self._events = events
        self._depth = 0
        self._elements = 0
        self._event: dict[str, Any] | None = None
        self._event_depth = 0
        self._open: list[dict[str, Any] | list[Any]] = []
        self._value: tuple[str, list[str]] | None = None
        self._kept = 0

    def refuse(self, *_: object) -> NoReturn:
        """A declaration that no print has."""
        raise Broken("a document type or an entity is declared, which is refused")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self.silent = 0
        self._depth += 1
        self._elements += 1
        if self._depth > DEEPEST:
            raise Broken(f"elements nested deeper than {DEEPEST}")
        if self._depth == 1:
            self.recording = tag == "recording"
            if not self.recording:
                raise Broken("no recording, as 'jfr print --xml' writes it")
        if self._event is None:
            type_ = attributes.get("type", "")
            if tag == "event" and self._events.wanted(type_):
                values: dict[str, Any] = {}
                self._event = {"type": type_, "values": values}
                self._event_depth = self._depth
                self._open = [values]
                self._elements = 0
            return
        if self._elements > MOST:
            raise Broken(f"an event of more than {MOST:,} elements")
        name = attributes.get("name", "")
        if attributes.get(_NIL) == "true":
            self._put(name, None)
            self._open.append({})
        elif tag == "value":
            self._value = (name, [])
            self._kept = 0
            self._open.append({})
        else:
            opened: dict[str, Any] | list[Any] = [] if tag == "array" else {}
            self._put(name, opened)
            self._open.append(opened)

    def text(self, text: str) -> None:
        """A piece of text."""
        self.silent = 0
        if self._value is not None and self._kept < TEXT:
            self._value[1].append(text[: TEXT - self._kept])
            self._kept += len(text)

    def end(self, _: str) -> None:
        """An element ends."""
        self.silent = 0
        if self._event is not None:
            if self._depth == self._event_depth:
                self._events.take(self._event)
                self._event = None
                self._open = []
            else:
                self._open.pop()
                if self._value is not None:
                    name, parts = self._value
                    self._value = None
                    self._put(name, "".join(parts))
        self._depth -= 1

    def _put(self, name: str, value: Any) -> None:
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        else:
            holder[name] = value
