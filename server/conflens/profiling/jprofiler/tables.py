"""JProfiler's tables: the comparison of two runs, and hot spots without their callers.

Terms
    comparison   own times and invocations of the baseline and the difference to it; the sum is the violation.
    hot spots    own times and invocations of one run.

Columns are found by their headings, which also state the unit of time.  A method is written the way Java's
sources do, ``kanzi.Global.hash(byte[ ], int)``: its parameters become a descriptor that ends at the closing
parenthesis, since the result's type is not told; a constructor's is known.  Everything is flat and
counted.  Absent: backtraces, which only the XML export has (``jprofiler``).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

import attrs

from conflens.profiling.gathering import Gathering, WeightError
from conflens.profiling.model import EventKind, Frame, Nature, Snapshot, Unit
from conflens.profiling.reading import Source

COMPARISON = "JProfiler comparison CSV"
HOT_SPOTS = "hot spot CSV"

_CELL = 128 * 1024
_DIGITS = 18

_UNITS = {
    "ns": 1,
    "nanoseconds": 1,
    "us": 1_000,
    "µs": 1_000,
    "microseconds": 1_000,
    "ms": 1_000_000,
    "milliseconds": 1_000_000,
    "s": 1_000_000_000,
    "seconds": 1_000_000_000,
}

_PRIMITIVES = {
    "boolean": "Z",
    "byte": "B",
    "char": "C",
    "double": "D",
    "float": "F",
    "int": "I",
    "long": "J",
    "short": "S",
    "void": "V",
}

_METHOD = re.compile(r"(?P<owner>[^\s()]+)\.(?P<method>[^\s().]+)\s*\((?P<parameters>[^()]*)\)")
_TYPE = re.compile(r"(?P<name>[\w$.]+?)(?P<dimensions>(?:\s*\[\s*\])*)(?P<rest>\.\.\.)?")


@attrs.frozen
class Columns:
    """Which column says what: indices, and the unit of time in ns; -1 for what is missing."""

    method: int
    time: int
    count: int
    before_time: int
    before_count: int
    unit: int
    difference: bool


def columns(heading: Sequence[str]) -> Columns | None:
    """Return what a heading says, or ``None`` if it is not one of a table of hot spots."""
    plain = [re.sub(r"[\s_]+", " ", cell.strip().lower().lstrip("\ufeff")) for cell in heading]
    method = next((i for i, cell in enumerate(plain) if cell in ("hot spot", "method")), -1)
    time = count = before_time = before_count = -1
    unit = 0
    difference = False
    for i, cell in enumerate(plain):
        base = " base" in cell
        if cell.startswith(("self time", "own time")):
            difference = difference or "difference" in cell
            unit = next((_UNITS[word] for word in re.findall(r"\w+", cell) if word in _UNITS), 0)
            before_time, time = (i, time) if base else (before_time, i)
        elif cell.startswith(("invocations", "events", "calls")):
            before_count, count = (i, count) if base else (before_count, i)
    if method < 0 or time < 0 or not unit:
        return None
    return Columns(method, time, count, before_time, before_count, unit, difference)


def is_table(head: bytes) -> bool:
    """Whether the beginning of a file is the heading of a table of hot spots."""
    line = head.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    try:
        heading = next(csv.reader([line]), [])
    except csv.Error:
        return False
    return columns(heading) is not None


def read_jprofiler_table(source: Source, kind: EventKind | None = None) -> Snapshot:
    """Return the snapshot of a table; ``kind``: what its times are, computing unless told.

    Raises ``ImportFailure``."""
    key = (EventKind.CPU if kind is None else kind, Unit.NANOSECONDS)
    after = Gathering()
    before = Gathering(after.table)
    rows = csv.reader(_lines(source))
    shape: Columns | None = None
    try:
        for row in rows:
            if shape is None:
                shape = columns(row)
                if shape is None:
                    raise source.failure("line 1", "is not the header of a table of hot spots")
            elif row:
                _row(row, shape, key, after, before)
    except (csv.Error, ValueError) as error:
        raise source.failure(f"line {rows.line_num}", str(error)) from error
    if shape is None or not (after.series() or before.series()):
        raise source.failure("", "has no rows")
    series = after.series(counted=shape.count >= 0, flat=True)
    baseline = before.series(counted=shape.before_count >= 0, flat=True)
    notes = [
        "The table has no call chains; the XML export of hot spots has.",
        "The table lists hot spots only: methods below the least of them are missing.",
        *after.notes(),
    ]
    name = COMPARISON if shape.difference else HOT_SPOTS
    return Snapshot(source.name, name, series, notes=tuple(notes), before=baseline)


def _row(
    row: list[str],
    shape: Columns,
    key: tuple[EventKind, Unit],
    after: Gathering,
    before: Gathering,
) -> None:
    """Put one row into the gatherings; raises ``ValueError``."""
    needed = max(shape.method, shape.time, shape.count, shape.before_time, shape.before_count)
    if len(row) <= needed:
        raise ValueError(f"has {len(row)} cells, not {needed + 1}")
    chain = [after.number(java_method(row[shape.method]))]
    time, count = _number(row, shape.time), _number(row, shape.count)
    earlier, times = _number(row, shape.before_time), _number(row, shape.before_count)
    if shape.difference:
        time, count = max(0, time + earlier), max(0, count + times)
    try:
        if time or count or not shape.difference:
            after.add(key, chain, time * shape.unit, count)
        if earlier or times:
            before.add(key, chain, earlier * shape.unit, times)
    except WeightError as error:
        raise ValueError(str(error)) from error


def _number(row: list[str], column: int) -> int:
    if column < 0:
        return 0
    text = row[column].strip()
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > _DIGITS:
        raise ValueError(f'"{text[:40]}" is not a number')
    return int(text)


def _lines(source: Source) -> Iterator[str]:
    """Yield the lines with their ends, since a cell may contain some."""
    for lines in source.lines():
        for line in lines:
            if len(line) > _CELL:
                raise ValueError(f"is longer than {_CELL >> 10} kB")
            yield line.decode("utf-8", "replace").rstrip("\r").lstrip("\ufeff") + "\n"


def java_method(text: str) -> Frame:
    """Return the frame of a method that is written as in a source; what is none becomes opaque.

    The descriptor ends at the closing parenthesis, except a constructor's; it is empty if
    the parameters cannot be read."""
    found = _METHOD.fullmatch(text.strip())
    if found is None:
        owner, dot, method = text.strip().rpartition(".")
        if dot and owner and method and not re.search(r"[\s()]", text.strip()):
            return Frame(owner, method)
        return Frame("", text.strip()[:200] or "not named", nature=Nature.OPAQUE)
    method = found["method"]
    descriptor = parameters_descriptor(found["parameters"])
    if descriptor and method in ("<init>", "<clinit>"):
        descriptor += "V"
    return Frame(found["owner"], method, descriptor)


def parameters_descriptor(text: str) -> str:
    """Return the descriptor of parameters ``byte[ ], java.util.Map``: ``([BLjava/util/Map;)``, or empty text
    if one cannot be read."""
    parts = ["("]
    for parameter in text.split(",") if text.strip() else ():
        found = _TYPE.fullmatch(parameter.strip())
        if found is None:
            return ""
        dimensions = found["dimensions"].count("[") + (1 if found["rest"] else 0)
        name = found["name"]
        parts.append("[" * dimensions)
        parts.append(_PRIMITIVES.get(name) or f"L{name.replace('.', '/')};")
    return "".join(parts) + ")"
