"""pprof profiles: a protobuf message, read field by field.

Terms (of the format)
    sample type   what a column of weights stands for, and its unit; a sample has one weight for each.
    location      an address; its *lines* are the functions inlined there, the innermost first.
    label         what is said of a sample beside its stack, such as its thread.
    object leaf   the innermost "function" of a sample on allocation or locks may be a class: it has no line and is
                  no method.

Fields come in any order, so samples are kept as they are written until all strings are known; what is
kept is bounded.  Ids are looked up in tables and never followed from one to the next, so there are no
cycles.  Absent: gzip (``reading``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from conflens.profiling.frames_text import DROPPED, NAME, is_class, mark_simple, parse_frame
from conflens.profiling.gathering import Gathering, WeightError, opaque_frame, thread_frame
from conflens.profiling.model import EventKind, Frame, Nature, Snapshot, Unit
from conflens.profiling.reading import Source

FORMAT = "pprof"

SIZE = 128 * 1024 * 1024
"""Bytes of a profile at most, unpacked."""

ENTRIES = 400_000
"""Locations, functions, and strings at most, each."""

SAMPLES = 1_000_000
"""Samples at most: one takes two bytes of a file, and many times that in memory."""

_FIELD = 32 * 1024 * 1024
_TEXT = 64 * 1024 * 1024
_TICK = 200
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_WIRE = {
    1: 2,
    2: 2,
    3: 2,
    4: 2,
    5: 2,
    6: 2,
    7: 0,
    8: 0,
    9: 0,
    10: 0,
    11: 2,
    12: 0,
    13: 0,
    14: 0,
    15: 0,
}

_KINDS = {
    "cpu": EventKind.CPU,
    "samples": EventKind.CPU,
    "sample": EventKind.CPU,
    "process_cpu": EventKind.CPU,
    "itimer": EventKind.CPU,
    "ctimer": EventKind.CPU,
    "wall": EventKind.WALL,
    "wallclock": EventKind.WALL,
    "wall_time": EventKind.WALL,
    "alloc": EventKind.ALLOCATION,
    "allocations": EventKind.ALLOCATION,
    "alloc_space": EventKind.ALLOCATION,
    "alloc_objects": EventKind.ALLOCATION,
    "alloc_in_new_tlab_bytes": EventKind.ALLOCATION,
    "alloc_in_new_tlab_objects": EventKind.ALLOCATION,
    "alloc_outside_tlab_bytes": EventKind.ALLOCATION,
    "alloc_outside_tlab_objects": EventKind.ALLOCATION,
    "inuse_space": EventKind.ALLOCATION,
    "inuse_objects": EventKind.ALLOCATION,
    "contentions": EventKind.LOCK,
    "delay": EventKind.LOCK,
    "lock": EventKind.LOCK,
    "locks": EventKind.LOCK,
    "mutex_count": EventKind.LOCK,
    "mutex_duration": EventKind.LOCK,
    "block_count": EventKind.LOCK,
    "block_duration": EventKind.LOCK,
    "sleep": EventKind.SLEEP,
    "io": EventKind.IO,
}
_LIVE = ("inuse_space", "inuse_objects")

_UNITS = {
    "nanoseconds": (Unit.NANOSECONDS, 1),
    "ns": (Unit.NANOSECONDS, 1),
    "microseconds": (Unit.NANOSECONDS, 1_000),
    "us": (Unit.NANOSECONDS, 1_000),
    "milliseconds": (Unit.NANOSECONDS, 1_000_000),
    "ms": (Unit.NANOSECONDS, 1_000_000),
    "seconds": (Unit.NANOSECONDS, 1_000_000_000),
    "s": (Unit.NANOSECONDS, 1_000_000_000),
    "bytes": (Unit.BYTES, 1),
    "kilobytes": (Unit.BYTES, 1024),
    "megabytes": (Unit.BYTES, 1024 * 1024),
}
_THREADS = ("thread", "thread_name", "thread name", "threadname")


class _DamagedError(ValueError):
    """Bytes that are no such message."""


@attrs.define
class _Profile:
    """The fields of a profile; strings are numbers until the end."""

    types: list[tuple[int, int]] = attrs.field(factory=list)
    samples: list[bytes] = attrs.field(factory=list)
    mappings: dict[int, int] = attrs.field(factory=dict)
    locations: dict[int, bytes] = attrs.field(factory=dict)
    functions: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    strings: list[str] = attrs.field(factory=list)
    text: int = 0
    taken: int = 0
    duration: int = 0
    period: int = 0
    period_type: tuple[int, int] = (0, 0)


@attrs.frozen
class _Column:
    """A series: which of a sample's values is its weight and which its count (-1 for none)."""

    key: tuple[EventKind, Unit]
    weight: int
    factor: int
    count: int


def is_pprof(head: bytes) -> bool:
    """Whether a file begins with at least two fields of a profile."""
    at = seen = 0
    try:
        while at < len(head):
            tag, at = _varint(head, at)
            wire = _WIRE.get(tag >> 3)
            packed = tag >> 3 == 13 and tag & 7 == _BYTES
            if wire is None or (tag & 7 != wire and not packed):
                return False
            size, at = _varint(head, at)
            if tag & 7 == _BYTES:
                if size > _FIELD:
                    return False
                at += size
            seen += 1
    except _DamagedError:
        # The head ends within a number.
        return seen >= 2
    return seen >= 2


def read_pprof(source: Source, kind: EventKind | None = None) -> Snapshot:
    """Return the snapshot; ``kind``: of a sample type that is not known.  Raises ``ImportFailure``."""
    profile = _Profile()
    try:
        for number, field in _top(source):
            _take(profile, number, field)
        return _snapshot(source, profile, kind)
    except (_DamagedError, WeightError) as error:
        raise source.failure(f"byte {source.position}", str(error)) from error


def _top(source: Source) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of the outermost message as they are read."""
    held = b""
    at = 0
    for block in source.blocks():
        if source.position > SIZE:
            raise _DamagedError(f"is larger than {SIZE >> 20} MB")
        held = held[at:] + block
        at = 0
        while True:
            # A number takes at most ten bytes: with twenty, tag and size are there.
            if len(held) - at < 20 and not block:
                break
            try:
                tag, here = _varint(held, at)
                value, here = _varint(held, here) if tag & 7 in (_VARINT, _BYTES) else (0, here)
            except _DamagedError:
                if len(held) - at >= 20:
                    raise
                break
            wire = tag & 7
            if wire == _BYTES:
                if value > _FIELD:
                    raise _DamagedError(f"a field is larger than {_FIELD >> 20} MB")
                if here + value > len(held):
                    break
                yield tag >> 3, held[here : here + value]
                here += value
            elif wire == _VARINT:
                yield tag >> 3, value
            elif wire in (_FIXED64, _FIXED32):
                here += 8 if wire == _FIXED64 else 4
                if here > len(held):
                    break
            else:
                raise _DamagedError("is not a pprof profile")
            at = here
    if at != len(held):
        raise _DamagedError("ends within a field")


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message: numbers, and bytes as they are; fixed ones are left out."""
    at, size = 0, len(data)
    while at < size:
        tag, at = _varint(data, at)
        wire = tag & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield tag >> 3, value
        elif wire == _BYTES:
            length, at = _varint(data, at)
            if at + length > size:
                raise _DamagedError("a field is longer than its message")
            yield tag >> 3, data[at : at + length]
            at += length
        elif wire in (_FIXED64, _FIXED32):
            at += 8 if wire == _FIXED64 else 4
        else:
            raise _DamagedError("a field is of no known kind")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the unsigned number at a place, and the place behind it."""
    value = shift = 0
    for byte in data[at : at + 10]:
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7
    raise _DamagedError("a number does not end")


def _numbers(field: int | bytes) -> list[int]:
    """Return a repeated number, packed or not."""
    if isinstance(field, int):
        return [field]
    found = []
    at, size = 0, len(field)
    while at < size:
        byte = field[at]
        if byte < 0x80:
            found.append(byte)
            at += 1
        else:
            value, at = _varint(field, at)
            found.append(value)
    return found


def _single(fields: Mapping[int, int | bytes], number: int) -> int:
    value = fields.get(number, 0)
    if isinstance(value, bytes):
        raise _DamagedError("bytes stand where a number should")
    return value


def _message(field: int | bytes) -> bytes:
    if isinstance(field, int):
        raise _DamagedError("a number stands where a message should")
    return field


def _take(profile: _Profile, number: int, field: int | bytes) -> None:
    """Put one field of the outermost message where it belongs."""
    if number == 2:
        profile.samples.append(_message(field))
    elif number == 4:
        fields = dict(_fields(_message(field)))
        profile.locations[_single(fields, 1)] = _message(field)
    elif number == 5:
        fields = dict(_fields(_message(field)))
        profile.functions[_single(fields, 1)] = (_single(fields, 2), _single(fields, 3))
    elif number == 6:
        text = _message(field)[: 4 * NAME].decode("utf-8", "replace")
        profile.text += len(text)
        profile.strings.append(text)
    elif number == 3:
        fields = dict(_fields(_message(field)))
        profile.mappings[_single(fields, 1)] = _single(fields, 5)
    elif number in (1, 11):
        fields = dict(_fields(_message(field)))
        pair = (_single(fields, 1), _single(fields, 2))
        if number == 11:
            profile.period_type = pair
        elif len(profile.types) >= 100:
            raise _DamagedError("has more than 100 sample types")
        else:
            profile.types.append(pair)
    elif isinstance(field, int):
        if number == 9:
            profile.taken = _signed(field)
        elif number == 10:
            profile.duration = _signed(field)
        elif number == 12:
            profile.period = _signed(field)
    if len(profile.samples) > SAMPLES:
        raise _DamagedError("has more samples than any profile of a program")
    if profile.text > _TEXT or any(
        len(entries) > ENTRIES
        for entries in (profile.locations, profile.functions, profile.strings, profile.mappings)
    ):
        raise _DamagedError(
            "has more strings, functions or locations than any profile of a program"
        )


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _snapshot(source: Source, profile: _Profile, kind: EventKind | None) -> Snapshot:
    if not profile.types or not profile.samples:
        raise source.failure("", "is a pprof profile without samples")
    notes: list[str] = []
    columns = _columns(profile, kind, notes)
    gathering = Gathering()
    frames = _Frames(profile, gathering)
    for index, sample in enumerate(profile.samples):
        if index % _TICK == 0:
            source.tick()
        _add(sample, profile, columns, frames, gathering)
    series = gathering.series()
    if not series:
        raise source.failure("", "is a pprof profile in which all weights are 0")
    mark_simple(gathering.table)
    period = _period(profile)
    series = tuple(
        attrs.evolve(one, period=period) if one.kind in (EventKind.CPU, EventKind.WALL) else one
        for one in series
    )
    seconds = max(0, profile.duration) / 1e9
    taken = max(0, profile.taken) / 1e9
    notes.extend(gathering.notes())
    return Snapshot(
        source.name, FORMAT, series, taken + seconds if taken else 0.0, seconds, notes=tuple(notes)
    )


def _string(profile: _Profile, number: int) -> str:
    if number >= len(profile.strings):
        raise _DamagedError(f"string {number} is not there")
    return profile.strings[number]


def _period(profile: _Profile) -> int:
    """Return what a sample stands for in ns, 0 if it is not told."""
    unit, factor = _UNITS.get(_string(profile, profile.period_type[1]), (Unit.SAMPLES, 0))
    period = profile.period * factor
    return period if unit is Unit.NANOSECONDS and 0 < period < 10**12 else 0


def _columns(profile: _Profile, hint: EventKind | None, notes: list[str]) -> list[_Column]:
    """Choose for each kind its weight: time or bytes where there are some, else what is counted."""
    types = [(_string(profile, a).lower(), _string(profile, b).lower()) for a, b in profile.types]
    live = [name for name, _ in types if name in _LIVE]
    if live and len(live) < len(types):
        notes.append("What was alive at the end is left out; allocations are shown.")
    elif live:
        notes.append("The file tells what was alive at the end, not what was allocated in all.")
    measured: dict[EventKind, tuple[int, Unit, int]] = {}
    counted: dict[EventKind, int] = {}
    for index, (name, unit_name) in enumerate(types):
        if name in _LIVE and len(live) < len(types):
            continue
        kind = _KINDS.get(name)
        if kind is None:
            kind = EventKind.CPU if hint is None else hint
            notes.append(f'The sample type "{name[:60]}" is not known: taken as {kind}.')
        unit, factor = _UNITS.get(unit_name, (Unit.SAMPLES, 1))
        if unit is Unit.SAMPLES:
            counted.setdefault(kind, index)
        else:
            measured.setdefault(kind, (index, unit, factor))
    columns = []
    for kind in dict.fromkeys((*measured, *counted)):
        count = counted.get(kind, -1)
        index, unit, factor = measured.get(kind, (count, Unit.SAMPLES, 1))
        columns.append(_Column((kind, unit), index, factor, count))
    return columns


class _Frames:
    """The frames of locations, each worked out once."""

    def __init__(self, profile: _Profile, gathering: Gathering) -> None:
        self._profile = profile
        self._gathering = gathering
        self._known: dict[int, tuple[int, ...]] = {}
        self.objects: set[int] = set()
        """Numbers of what looks like a class rather than a method."""

    def of(self, location: int) -> tuple[int, ...]:
        """Return the numbers of a location's frames, the innermost first."""
        found = self._known.get(location)
        if found is None:
            found = self._known[location] = tuple(self._worked_out(location))
        return found

    def _worked_out(self, location: int) -> Iterator[int]:
        data = self._profile.locations.get(location)
        if data is None:
            raise _DamagedError(f"location {location} is not there")
        mapping = 0
        lines: list[bytes] = []
        for number, field in _fields(data):
            if number == 2 and isinstance(field, int):
                mapping = field
            elif number == 4:
                lines.append(_message(field))
        file = _string(self._profile, self._profile.mappings.get(mapping, 0)) if mapping else ""
        if not lines:
            yield self._gathering.number(opaque_frame("no symbol"))
        for line in lines:
            fields = dict(_fields(line))
            shown, raw = self._names(_single(fields, 1))
            place = _signed(_single(fields, 2))
            frame = self._frame(shown, raw, place, "kernel" in file)
            number = DROPPED if frame is None else self._gathering.number(frame)
            if place <= 0 and is_class(shown.encode("utf-8", "replace")):
                self.objects.add(number)
            yield number

    def _names(self, function: int) -> tuple[str, str]:
        names = self._profile.functions.get(function)
        if names is None:
            raise _DamagedError(f"function {function} is not there")
        return _string(self._profile, names[0]), _string(self._profile, names[1])

    def _frame(self, shown: str, raw: str, line: int, kernel: bool) -> Frame | None:
        frame = parse_frame(shown or raw)
        if frame is None:
            return None
        if frame.nature is Nature.JAVA:
            if not frame.descriptor and raw != shown and "(" in raw:
                full = parse_frame(raw)
                if full is not None and full.nature is Nature.JAVA:
                    frame = frame._replace(descriptor=full.descriptor)
            return frame._replace(line=line if 0 < line < 1 << 24 else frame.line)
        if kernel and frame.nature is Nature.NATIVE:
            return frame._replace(nature=Nature.KERNEL)
        return frame


def _add(
    sample: bytes,
    profile: _Profile,
    columns: Sequence[_Column],
    frames: _Frames,
    gathering: Gathering,
) -> None:
    """Add one sample to all series."""
    chain: list[int] = []
    values: list[int] = []
    thread = ""
    for number, field in _fields(sample):
        if number == 1:
            for location in _numbers(field):
                chain.extend(frames.of(location))
        elif number == 2:
            values.extend(_numbers(field))
        elif number == 3:
            fields = dict(_fields(_message(field)))
            if not thread and _string(profile, _single(fields, 1)).lower() in _THREADS:
                thread = _string(profile, _single(fields, 2))
    if len(values) != len(profile.types):
        raise _DamagedError(
            f"a sample has {len(values)} weights for {len(profile.types)} sample types"
        )
    if DROPPED in chain:
        chain = [frame for frame in chain if frame != DROPPED]
    if thread:
        chain.append(gathering.number(_thread(thread)))
    chain.reverse()
    if not chain:
        chain.append(gathering.number(opaque_frame("no frames")))
    without = chain[:-1] if len(chain) > 1 and chain[-1] in frames.objects else chain
    for column in columns:
        weight = _signed(values[column.weight]) * column.factor
        count = _signed(values[column.count]) if column.count >= 0 else 0
        if weight or count:
            of_objects = column.key[0] in (EventKind.ALLOCATION, EventKind.LOCK)
            gathering.add(column.key, without if of_objects else chain, weight, count)


def _thread(label: str) -> Frame:
    """Return the frame of a thread's label, which may be written as in collapsed stacks."""
    frame = parse_frame(label)
    return frame if frame is not None and frame.nature is Nature.THREAD else thread_frame(label)
