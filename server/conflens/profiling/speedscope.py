"""speedscope's JSON files: several profiles over one table of frames.

Terms (of the format)
    sampled   stacks of frame numbers, root first, and a weight for each.
    evented   frames that open and close at times; what runs between two events is own time of the innermost.
    unit      of weights and times: a time, bytes, or none, which are samples.

A profile is a thread unless its name is the name of a kind, as in our own exports, or it is the only one.
The text is held, since tables may come last; long lists are decoded piece by piece, never as a whole.
What stands in brackets behind two spaces in a frame's name is a label of our own exports and is left out.
Absent: writing (``speedscope_export``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal, NoReturn, TypeVar

import msgspec

from conflens.profiling.building import FRAMES
from conflens.profiling.frames_text import DROPPED, mark_simple, parse_frame
from conflens.profiling.gathering import (
    HUGE,
    Gathering,
    WeightError,
    opaque_frame,
    thread_frame,
)
from conflens.profiling.model import EventKind, Frame, Nature, Snapshot, Unit
from conflens.profiling.reading import Source

FORMAT = "speedscope"

SIZE = 128 * 1024 * 1024
"""Bytes of a file at most, unpacked: its text is held."""

PROFILES = 10_000
DEPTH = 4_096
"""Frames that are open at a time at most."""

_TABLE = 48 * 1024 * 1024
_PIECE = 128 * 1024
_LONGEST = 1024 * 1024
_EMPTY = msgspec.Raw(b"[]")
_LABEL = re.compile(r"  \[[^\[\]]*\]$")
_KIND = re.compile(rf"({'|'.join(EventKind)})(?: · .*)?")

_UNITS = {
    "none": (Unit.SAMPLES, 1),
    "nanoseconds": (Unit.NANOSECONDS, 1),
    "microseconds": (Unit.NANOSECONDS, 1_000),
    "milliseconds": (Unit.NANOSECONDS, 1_000_000),
    "seconds": (Unit.NANOSECONDS, 1_000_000_000),
    "bytes": (Unit.BYTES, 1),
}


class _Profile(msgspec.Struct):
    type: Literal["sampled", "evented"]
    unit: str
    name: str = ""
    samples: msgspec.Raw = _EMPTY
    weights: msgspec.Raw = _EMPTY
    events: msgspec.Raw = _EMPTY


class _Shared(msgspec.Struct):
    frames: msgspec.Raw


class _File(msgspec.Struct):
    shared: _Shared
    profiles: list[_Profile]


class _Named(msgspec.Struct):
    name: str
    line: int | None = None


class _Event(msgspec.Struct):
    type: Literal["O", "C"]
    frame: int
    at: float


_FILES = msgspec.json.Decoder(_File)
_FRAMES = msgspec.json.Decoder(list[_Named])
_SAMPLES = msgspec.json.Decoder(list[list[int]])
_WEIGHTS = msgspec.json.Decoder(list[float])
_EVENTS = msgspec.json.Decoder(list[_Event])

_T = TypeVar("_T")


def read_speedscope(source: Source, kind: EventKind | None = None) -> Snapshot:
    """Return the snapshot; ``kind``: what was sampled, where units and names do not tell.

    Raises ``ImportFailure``."""
    text = bytearray()
    for block in source.blocks():
        text += block
        if len(text) > SIZE:
            raise source.failure(
                "", f"is larger than {SIZE >> 20} MB, too large for a speedscope file"
            )
    if text.startswith(b"\xef\xbb\xbf"):
        del text[:3]
    try:
        return _snapshot(source, _FILES.decode(text), kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = str(error).split("\n", 1)[0]
        raise source.failure("", f"is not a well-formed speedscope file: {reason}") from error


def _snapshot(source: Source, file: _File, hint: EventKind | None) -> Snapshot:
    if len(file.profiles) > PROFILES:
        raise source.failure("", f"has more than {PROFILES} profiles")
    gathering = Gathering()
    frames = _frames(source, file.shared.frames, gathering)
    guessed = False
    for index, profile in enumerate(file.profiles):
        source.tick()
        place = f"profile {index + 1}"
        if profile.unit not in _UNITS:
            raise source.failure(place, f'has the unit "{profile.unit[:40]}", which is not known')
        unit, factor = _UNITS[profile.unit]
        named = _KIND.fullmatch(profile.name)
        if named is not None:
            kind = EventKind(named[1])
        elif unit is Unit.BYTES:
            kind = EventKind.ALLOCATION
        else:
            guessed = guessed or hint is None
            kind = EventKind.CPU if hint is None else hint
        root: list[int] = []
        if named is None and len(file.profiles) > 1:
            root = [gathering.number(thread_frame(profile.name))]
        adding = _Adding(source, gathering, frames, (kind, unit), factor, root, place)
        try:
            if profile.type == "sampled":
                _sampled(adding, profile)
            else:
                _evented(adding, profile)
        except WeightError as error:
            raise source.failure(place, str(error)) from error
    series = gathering.series()
    if not series:
        raise source.failure("", "has no profile with weights")
    mark_simple(gathering.table)
    notes = gathering.notes()
    if guessed:
        notes.insert(0, "The file does not say what was sampled: taken as computing (cpu).")
    return Snapshot(source.name, FORMAT, series, notes=tuple(notes))


def _frames(source: Source, raw: msgspec.Raw, gathering: Gathering) -> list[int]:
    """Return the number of each frame of the file."""
    text = memoryview(raw)
    if len(text) > _TABLE or bytes(text).count(b"{") > 2 * FRAMES:
        raise source.failure("", f"has more than {2 * FRAMES} frames")
    found = []
    for named in _FRAMES.decode(text):
        frame = _frame(named)
        found.append(DROPPED if frame is None else gathering.number(frame))
    return found


def _frame(named: _Named) -> Frame | None:
    frame = parse_frame(_LABEL.sub("", named.name))
    line = named.line or 0
    if frame is not None and frame.nature is Nature.JAVA and 0 < line < 1 << 24:
        return frame._replace(line=line)
    return frame


class _Adding:
    """Where the chains of one profile go."""

    def __init__(
        self,
        source: Source,
        gathering: Gathering,
        frames: list[int],
        key: tuple[EventKind, Unit],
        factor: int,
        root: list[int],
        place: str,
    ) -> None:
        self.source = source
        self.place = place
        self._gathering = gathering
        self._frames = frames
        self._key = key
        self._factor = factor
        self._root = root

    def fail(self, reason: str) -> NoReturn:
        raise self.source.failure(self.place, reason)

    def frame(self, index: int) -> int:
        """Return the number of a frame of the file."""
        if not 0 <= index < len(self._frames):
            self.fail(f"frame {index} is not there")
        return self._frames[index]

    def add(self, chain: list[int], weight: float) -> None:
        """Add a chain of frame numbers."""
        if not 0 <= weight * self._factor < HUGE:
            self.fail("a weight is negative or beyond any run's")
        whole = round(weight * self._factor)
        chain = self._root + [frame for frame in chain if frame != DROPPED]
        if not chain:
            chain.append(self._gathering.number(opaque_frame("no frames")))
        samples = self._key[1] is Unit.SAMPLES
        if whole:
            self._gathering.add(self._key, chain, whole, whole if samples else 0)


def _sampled(adding: _Adding, profile: _Profile) -> None:
    samples = _pieces(adding, profile.samples, b"]", _SAMPLES)
    weights = _pieces(adding, profile.weights, b",", _WEIGHTS)
    known: dict[int, int] = {}
    for sample, weight in zip_longest(samples, weights):
        if sample is None or weight is None:
            adding.fail("has not as many weights as samples")
        chain = []
        for index in sample:
            frame = known.get(index)
            if frame is None:
                frame = known[index] = adding.frame(index)
            chain.append(frame)
        adding.add(chain, weight)


def _evented(adding: _Adding, profile: _Profile) -> None:
    opened: list[int] = []
    chain: list[int] = []
    before: float | None = None
    for event in _pieces(adding, profile.events, b"}", _EVENTS):
        if before is not None and event.at < before:
            adding.fail("has events that go back in time")
        if before is not None and chain and event.at > before:
            adding.add(chain, event.at - before)
        before = event.at
        if event.type == "O":
            if len(opened) >= DEPTH:
                adding.fail(f"has more than {DEPTH} open frames")
            opened.append(event.frame)
            chain.append(adding.frame(event.frame))
        else:
            if not opened or opened[-1] != event.frame:
                adding.fail(f"closes frame {event.frame}, which is not the innermost open one")
            opened.pop()
            chain.pop()


def _pieces(
    adding: _Adding, raw: msgspec.Raw, end: bytes, decoder: msgspec.json.Decoder[list[_T]]
) -> Iterator[_T]:
    """Yield the entries of a list, decoding some at a time; ``end`` is what the text of an entry ends with, or
    the comma behind it."""
    text = memoryview(raw)
    if bytes(text[:1]) != b"[" or bytes(text[-1:]) != b"]":
        adding.fail("has something else where a list should be")
    at, last = 1, len(text) - 1
    while at < last:
        adding.source.tick()
        size = _PIECE
        while True:
            piece = bytes(text[at : min(at + size, last)])
            if at + size >= last:
                break
            # Behind an entry's end comes a comma; a comma between weights is an end itself.
            cut = piece.rfind(end)
            if cut >= 0:
                piece = piece[: cut if end == b"," else cut + 1]
                break
            if size >= _LONGEST:
                adding.fail(f"one entry is longer than {_LONGEST >> 20} MB")
            size += _PIECE
        yield from decoder.decode(b"[" + piece + b"]")
        at += len(piece)
        while at < last and text[at] in b" \t\r\n":
            at += 1
        if at < last:
            if text[at] != ord(","):
                adding.fail("has something else where a comma should be")
            at += 1
