"""JProfiler's XML exports: hot spots with backtraces, and call trees.

Terms
    hot spot     a method; the nodes in it are its *callers*, and so on to the innermost, the start of the thread.
    call tree    the nodes in a node are what it *calls*.
    time         in microseconds: of a node in a hot spot, the part of the hot spot's own time that came
                 along this way; of a node in a call tree, with all that it calls.
    filtered     a node without a method: what the profiler was told to leave out.

A file is read by expat in small blocks with a stack of open elements: nothing is kept of what is
closed.  Document types and entities are refused.  Absent: tables (``jprofiler_tables``).
"""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

import attrs

from conflens.profiling.gathering import Gathering, WeightError, opaque_frame
from conflens.profiling.model import EventKind, Frame, ImportFailure, Snapshot, Unit
from conflens.profiling.reading import Source

FORMAT = "JProfiler XML"

NESTED = 5_000
"""Elements inside each other at most."""

_BLOCK = 16 * 1024
_TOKEN = 4 * 1024 * 1024
"""Bytes of one element's start at most."""

_KEY = Unit.NANOSECONDS

_STATES = (
    ("runnable", EventKind.CPU),
    ("running", EventKind.CPU),
    ("wait", EventKind.WAIT),
    ("block", EventKind.LOCK),
    ("i/o", EventKind.IO),
    ("io", EventKind.IO),
    ("all", EventKind.WALL),
)


@attrs.define
class _Open:
    """An element that is not closed yet; ``inner_time`` and ``inner_count`` are its children's sums."""

    frame: int
    time: int
    count: int
    own: int | None
    inner_time: int = 0
    inner_count: int = 0


@attrs.define
class _Reading:
    """What is known of the file so far; ``callers``: its chains lead from the leaf to the root."""

    source: Source
    parser: expat.XMLParserType
    gathering: Gathering = attrs.field(factory=Gathering)
    open: list[_Open] = attrs.field(factory=list)
    chain: list[int] = attrs.field(factory=list)
    kind: EventKind | None = None
    callers: bool = True
    nested: bool = False
    notes: list[str] = attrs.field(factory=list)

    def fail(self, reason: str) -> NoReturn:
        raise self.source.failure(f"line {self.parser.CurrentLineNumber}", reason)


def read_jprofiler_xml(source: Source, kind: EventKind | None = None) -> Snapshot:
    """Return the snapshot of an export; ``kind``: what the person says it is, else the file's own
    thread status.  Raises ``ImportFailure``."""
    parser = expat.ParserCreate()
    reading = _Reading(source, parser)
    if kind is not None:
        reading.kind = kind
    told = kind is not None

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "tree" and reading.nested is False and not reading.open:
            _begin(reading, attributes, told)
        elif name in ("hotspot", "node"):
            _open(reading, name, attributes)

    def end(name: str) -> None:
        if name in ("hotspot", "node"):
            _close(reading)

    def refuse(*_: object) -> None:
        reading.fail("has a document type or entities, which no export of JProfiler has; refused")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    fed = 0
    try:
        for block in source.blocks(_BLOCK):
            parser.Parse(block)
            fed += len(block)
            if fed - parser.CurrentByteIndex > _TOKEN:
                reading.fail(f"one element is longer than {_TOKEN >> 20} MB")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = f"is not well-formed XML: {expat.ErrorString(error.code)}"
        raise source.failure(f"line {error.lineno}", reason) from error
    except (LookupError, ValueError) as error:
        raise source.failure("line 1", f"has an encoding that is not read: {error}") from error
    if reading.kind is None:
        raise source.failure("", 'has no element "tree", as the exports of JProfiler do')
    return _snapshot(reading)


def _begin(reading: _Reading, attributes: dict[str, str], told: bool) -> None:
    """Judge the outermost element."""
    kind = attributes.get("type", "").strip().lower()
    if kind not in ("hot spots", "call tree"):
        shown = attributes.get("type", "")[:60]
        reading.fail(
            f'is a JProfiler export of type "{shown}"; known are "Hot Spots" and "Call Tree"'
        )
    level = attributes.get("aggregationLevel", "Methods")
    if level.strip().lower() != "methods":
        reading.fail(
            f'is aggregated by "{level[:60]}"; export it with the aggregation level "Methods"'
        )
    reading.callers = kind == "hot spots"
    if reading.callers and "total" in attributes.get("hotSpotCalculation", "").lower():
        reading.fail("has hot spots by total times; export them by self times")
    status = attributes.get("threadStatus", "")
    if told:
        return
    low = status.lower()
    reading.kind = next((kind for word, kind in _STATES if word in low), None)
    if reading.kind is None:
        reading.kind = EventKind.CPU
        reading.notes.append(
            f'The thread status "{status[:60]}" is not known; its times are taken as computing.'
            if status
            else "The file does not say which thread status it shows; its times are taken as computing."
        )


def _open(reading: _Reading, name: str, attributes: dict[str, str]) -> None:
    if reading.kind is None:
        reading.fail(f'has an element "{name}" outside of "tree"')
    if len(reading.open) >= NESTED:
        reading.fail(f"has more than {NESTED} elements inside each other")
    if name == "hotspot" and reading.open:
        reading.fail("has a hot spot inside another element")
    frame = reading.gathering.number(_frame(reading, attributes))
    time = _number(reading, attributes, "time")
    count = _number(reading, attributes, "count", 0)
    own = _number(reading, attributes, "selfTime") if "selfTime" in attributes else None
    if reading.open:
        reading.nested = True
        reading.open[-1].inner_time += time
        reading.open[-1].inner_count += count
    reading.open.append(_Open(frame, time, count, own))
    reading.chain.append(frame)


def _close(reading: _Reading) -> None:
    """Add the chain that ends with the innermost open element."""
    here = reading.open[-1]
    own = max(0, here.time - here.inner_time)
    count = here.count
    if reading.callers:
        chain = reading.chain[::-1]
        count = max(0, count - here.inner_count)
    else:
        chain = reading.chain
        own = own if here.own is None else here.own
    if own or count:
        assert reading.kind is not None
        try:
            reading.gathering.add((reading.kind, _KEY), chain, own * 1000, count)
        except WeightError as error:
            reading.fail(str(error))
    reading.open.pop()
    reading.chain.pop()


def _frame(reading: _Reading, attributes: dict[str, str]) -> Frame:
    owner, method = attributes.get("class", ""), attributes.get("methodName", "")
    if not method:
        if attributes.get("filtered") == "true":
            return opaque_frame("filtered")
        return opaque_frame(owner or attributes.get("name", "") or "not named")
    line = attributes.get("lineNumber", "-1")
    number = int(line) if line.isdecimal() and len(line) < 8 else 0
    descriptor = attributes.get("methodSignature", "")
    return Frame(owner.replace("/", "."), method, descriptor, number)


def _number(
    reading: _Reading, attributes: dict[str, str], name: str, missing: int | None = None
) -> int:
    text = attributes.get(name)
    if text is None:
        if missing is None:
            reading.fail(f'an element has no "{name}"')
        return missing
    if len(text) > 18 or not text.isascii() or not text.isdecimal():
        reading.fail(f'"{name}" is "{text[:40]}", which is not a number')
    return int(text)


def _snapshot(reading: _Reading) -> Snapshot:
    gathering = reading.gathering
    series = gathering.series(counted=True, flat=reading.callers and not reading.nested)
    if not series:
        raise ImportFailure(reading.source.name, "", "has no hot spots and no calls")
    notes = list(reading.notes)
    if reading.callers:
        notes.append(
            "The export lists hot spots only: methods below the least of them are missing."
        )
    notes.extend(gathering.notes())
    return Snapshot(reading.source.name, FORMAT, series, notes=tuple(notes))
