"""Recordings of the JDK's Flight Recorder, read as they lie in a ``.jfr`` file.

Purpose: ``read_jfr`` makes a snapshot of a file in one pass over its events, in bounded memory; ``jfr_command`` is how
the JDK itself prints what is read here, for chunks of a version that this reader does not know.

Terms
    chunk   a self-contained part of a file, with events, constants and metadata; a file has one or many.

How a chunk is read: its header says where metadata and the last checkpoint lie; metadata give the layout
(``jfr_layout``); checkpoints give all constants (``jfr_pools``); then the events are read once and added up
(``jfr_events``).  Nothing of a chunk outlives it but the trees.  Printing is no way for large files: with all
frames of a stack, ``jfr print --json`` writes some 60 kB for one sample at the default depth of 64.

Invariants: a file is read in the order of its chunks; what comes after a chunk that is broken is not read, and a note
says so.  Every error is an ``ImportFailure`` with the place in the file.

Absent: running anything, finding a JDK.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import attrs

from conflens.profiling.jfr.byte_reader import LARGEST, Broken, Short, Window, read_fully
from conflens.profiling.jfr.events import Events
from conflens.profiling.jfr.layout import Layout, event_start, read_layout
from conflens.profiling.jfr.pools import read_pools
from conflens.profiling.jfr.recording import Recording, paced
from conflens.profiling.jfr.rows import load_rows
from conflens.profiling.model import ImportFailure, Snapshot

FORMAT = "JFR"
MAGIC = b"FLR\0"
MAJOR = 2
"""The version of chunks that is read: JDK 9 and later, and JDK 8 from update 262 on."""

STACK_DEPTH = 64
"""Frames that the JDK records of a stack unless it is told otherwise."""

_HEADER = 68
_METADATA = 0


@attrs.frozen
class Chunk:
    """The header of a chunk; places count from the start of the file."""

    start: int
    end: int
    pools: int
    metadata: int
    nanoseconds: int
    """Since 1970, at the start."""
    duration: int
    """In nanoseconds."""
    ticks_per_second: int
    compressed: bool


def read_jfr(
    stream: BinaryIO, name: str, check: Callable[[int], None], salt: bytes = b""
) -> Snapshot:
    """Return the snapshot of a recording.

    ``stream``: can seek; ``name``: for messages; ``check``: called with the bytes done so far, often, and may
    raise to stop; ``salt``: for digests of what is redacted, see ``redaction``.

    If the file is broken behind one or more whole chunks, these are returned with a note.
    Raises ImportFailure.
    """
    recording = Recording(load_rows(), name, salt)
    pace = paced(check)
    stream.seek(0, 2)
    size = stream.tell()
    start = 0
    while start < size:
        try:
            chunk = _chunk(stream, start, size)
            _read_chunk(stream, chunk, recording, pace)
        except (Broken, ValueError) as fault:
            place, reason = fault.args if len(fault.args) == 2 else (start, str(fault))
            if start == 0:
                raise ImportFailure(name, f"byte {place:,}", reason) from None
            recording.notes.append(
                f"The file is broken at byte {place:,} ({reason}); what lies before is shown."
            )
            break
        start = chunk.end
    if start == 0:
        raise ImportFailure(name, "", "the file is empty")
    return recording.snapshot(FORMAT, pace)


def jfr_command(jfr: str, path: str) -> list[str]:
    """Return the command with which the JDK's ``jfr`` prints all that an import needs."""
    events = ",".join(load_rows().names())
    return [jfr, "print", "--json", "--stack-depth", str(STACK_DEPTH), "--events", events, path]


def _chunk(stream: BinaryIO, start: int, size: int) -> Chunk:
    """Read the header of the chunk at ``start``.  Raises Broken."""
    stream.seek(start)
    header = read_fully(stream, _HEADER)
    if header[:4] != MAGIC:
        raise Broken("no Flight Recorder data: they begin with 'FLR'")
    if len(header) < _HEADER:
        raise Broken("the header of a chunk is not whole")
    major = int.from_bytes(header[4:6], "big")
    if major != MAJOR:
        minor = int.from_bytes(header[6:8], "big")
        raise Broken(
            f"a chunk of version {major}.{minor} is not read; print it with the 'jfr' of the JDK that made it"
        )
    length, pools, metadata, nanoseconds, duration, _, frequency = (
        int.from_bytes(header[at : at + 8], "big", signed=True) for at in range(8, 64, 8)
    )
    if length == 0:
        raise Broken("the chunk is not finished: its recording was still running or was killed")
    if length < _HEADER:
        raise Broken(f"a chunk of {length:,} bytes")
    if length > size - start:
        missing = start + length - size
        noun = "byte" if missing == 1 else "bytes"
        raise Broken(f"the file ends {missing:,} {noun} before its chunk does")
    for offset, what in ((pools, "constants"), (metadata, "metadata")):
        if not _HEADER <= offset < length:
            raise Broken(f"the header names no place for the {what}")
    if frequency <= 0:
        raise Broken("the header tells no frequency of its clock")
    return Chunk(
        start,
        start + length,
        start + pools,
        start + metadata,
        max(0, nanoseconds),
        max(0, duration),
        frequency,
        bool(header[67] & 1),
    )


def _read_chunk(
    stream: BinaryIO, chunk: Chunk, recording: Recording, pace: Callable[[int], None]
) -> None:
    layout = _layout(stream, chunk, pace)
    pools = read_pools(stream, chunk.start, chunk.end, chunk.pools, layout, pace)
    events = Events(layout, pools, recording, 1e9 / chunk.ticks_per_second, pace)
    events.read(stream, chunk.start + _HEADER, chunk.end, pace)
    recording.span(chunk.nanoseconds, chunk.nanoseconds + chunk.duration)
    if pools.full:
        recording.notes.append("A part of the recording has more stacks than are kept.")


def _layout(stream: BinaryIO, chunk: Chunk, pace: Callable[[int], None]) -> Layout:
    window = Window(stream, chunk.metadata, chunk.end, pace)
    while True:
        try:
            size, number, at = event_start(window.data, 0, chunk.compressed)
            break
        except Short:
            window.more(0)
    if number != _METADATA:
        raise ValueError(chunk.metadata, "there are no metadata where they should be")
    if size > LARGEST:
        raise ValueError(chunk.metadata, f"metadata of {size:,} bytes")
    window.until(size)
    while not window.complete:
        window.more(0)
    try:
        return read_layout(window.data, at, chunk.compressed)
    except Short:
        raise ValueError(chunk.metadata, "the metadata end in the middle") from None
    except Broken as fault:
        raise ValueError(chunk.metadata, str(fault)) from None
