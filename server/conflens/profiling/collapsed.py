"""Collapsed stacks: async-profiler's, and what FlameGraph's scripts fold.

A line is ``frame;frame;…;frame WEIGHT``, root first.  Neither the kind of the event nor the unit is in the
file: both are taken from hints, else from the file's name, its leaves and the magnitude of its weights, and
a note says so.

Terms
    object leaf    in files on allocation and locks, the last "frame" is a class: what was allocated or locked.
                   It is no method, so the weight belongs to the frame before it.
    differential   two weights at the end of each line, as difffolded.pl writes: before and after.

The loop over lines is the product's longest over text; it only splits, looks names up and adds.
"""

from __future__ import annotations

import re
from typing import NoReturn

import attrs

from conflens.profiling.building import TreeBuilder
from conflens.profiling.frames_text import DROPPED, Names, is_class, mark_simple
from conflens.profiling.gathering import HUGE, Gathering, opaque_frame
from conflens.profiling.model import EventKind, Series, Snapshot, Unit
from conflens.profiling.reading import Source

FORMAT = "collapsed stacks"

_HEAD = 256 * 1024
_LONG = 32 * 1024
"""Bytes without the end of a line that a deep stack may begin with."""

_SHARE = 0.8
_DIGITS = 18
_LINE = re.compile(rb"(?P<stack>.*\S) (?P<weight>\d+)(?:\.\d+)?\s*", re.DOTALL)
_WORDS = (
    ("alloc", EventKind.ALLOCATION),
    ("allocation", EventKind.ALLOCATION),
    ("lock", EventKind.LOCK),
    ("wall", EventKind.WALL),
    ("cpu", EventKind.CPU),
    ("itimer", EventKind.CPU),
    ("ctimer", EventKind.CPU),
)


@attrs.frozen
class _Shape:
    """What the beginning of a file says of the whole."""

    kind: EventKind
    unit: Unit
    objects: bool
    differential: bool
    notes: tuple[str, ...]


def is_collapsed(head: bytes) -> bool:
    """Whether the beginning of a file is collapsed stacks: nearly all of its lines end with a weight."""
    if b"\0" in head:
        return False
    if b"\n" not in head and len(head) >= _LONG:
        return b";" in head
    lines = [line for line in _sample(head)[:200] if line.strip()]
    fitting = sum(_LINE.fullmatch(line) is not None for line in lines)
    return bool(lines) and fitting >= 0.9 * len(lines)


def read_collapsed(
    source: Source, kind: EventKind | None = None, unit: Unit | None = None
) -> Snapshot:
    """Return the snapshot; ``kind`` and ``unit`` are what a person says.  Raises ``ImportFailure``."""
    shape = _shape(source.peek(_HEAD), source.name, kind, unit)
    gathering = Gathering()
    builder = TreeBuilder(gathering.table)
    before = TreeBuilder(gathering.table) if shape.differential else None
    lost = _read(source, shape, builder, before)
    if builder.size == 1 and (before is None or before.size == 1):
        raise source.failure("", "has no stacks")
    mark_simple(gathering.table)
    series = Series(shape.kind, shape.unit, builder.tree())
    earlier = () if before is None else (Series(shape.kind, shape.unit, before.tree()),)
    notes = [*shape.notes, *gathering.notes()]
    if lost:
        notes.append(
            f"The call chains are too many: of the lightest ones ({100 * lost:.1f} % of the weight) "
            "frames between the first and the last were left out."
        )
    return Snapshot(source.name, FORMAT, (series,), notes=tuple(notes), before=earlier)


def _read(
    source: Source, shape: _Shape, builder: TreeBuilder, before: TreeBuilder | None
) -> float:
    """Add all lines and return the share of weight that was folded."""
    names = Names(builder.table)
    number = names.__getitem__
    add = builder.add
    objects, samples = shape.objects, shape.unit is Unit.SAMPLES
    # Of names that end the same, only those of classes are asked for; most leaves of a file repeat.
    classes: dict[bytes, bool] = {}
    total = earlier = 0
    line_number = 0
    for lines in source.lines():
        for line in lines:
            line_number += 1
            stack, _, digits = line.rpartition(b" ")
            if not digits.isdigit() or len(digits) > _DIGITS:
                stack, digits = _slow(source, line, line_number)
                if not digits:
                    continue
            weight = int(digits)
            first = 0
            if before is not None:
                stack, first = _first(source, stack, line_number)
            parts = stack.split(b";")
            if objects:
                leaf = parts[-1]
                known = classes.get(leaf)
                if known is None:
                    if len(classes) > 100_000:
                        classes.clear()
                    known = classes[leaf] = is_class(leaf)
                if known:
                    parts.pop()
            chain = list(map(number, parts))
            if DROPPED in chain:
                chain = [frame for frame in chain if frame != DROPPED]
            if not chain:
                chain = [builder.table.number(opaque_frame("no frames"))]
            total += weight
            earlier += first
            if total >= HUGE or earlier >= HUGE:
                _too_much(source, line_number)
            if weight or before is None:
                add(chain, weight, weight if samples else 0)
            if before is not None and first:
                before.add(chain, first, first if samples else 0)
    folded = builder.folded + (before.folded if before is not None else 0)
    return min(1.0, folded / max(total + earlier, 1))


def _slow(source: Source, line: bytes, number: int) -> tuple[bytes, bytes]:
    """Return stack and weight of a line that is not of the plain form; no weight if it is blank."""
    line = line.removeprefix(b"\xef\xbb\xbf")
    if not line.strip():
        return b"", b""
    found = _LINE.fullmatch(line)
    if found is None:
        raise source.failure(f"line {number}", "has no weight at its end")
    if len(found["weight"]) > _DIGITS:
        _too_much(source, number)
    return found["stack"], found["weight"]


def _first(source: Source, stack: bytes, number: int) -> tuple[bytes, int]:
    rest, _, digits = stack.rpartition(b" ")
    if not digits.isdigit() or len(digits) > _DIGITS:
        raise source.failure(f"line {number}", "has one weight where the others have two")
    return rest, int(digits)


def _too_much(source: Source, number: int) -> NoReturn:
    raise source.failure(f"line {number}", "the weights add up to more than any run has")


def _sample(head: bytes) -> list[bytes]:
    """Return the complete lines of the beginning; its first even if it is not."""
    lines = head.split(b"\n")
    return lines[:-1] or lines


def _shape(head: bytes, name: str, kind: EventKind | None, unit: Unit | None) -> _Shape:
    found = [match for line in _sample(head) if (match := _LINE.fullmatch(line)) is not None]
    differential = bool(found) and all(
        re.search(rb"\S \d+$", match["stack"]) is not None for match in found
    )
    stacks = [match["stack"] for match in found]
    if differential:
        stacks = [stack.rpartition(b" ")[0] for stack in stacks]
    weights = [int(match["weight"][:_DIGITS]) for match in found]
    leaves = [stack.rpartition(b";")[2] for stack in stacks if b";" in stack]
    objects = bool(leaves) and sum(map(is_class, leaves)) >= _SHARE * len(leaves)
    notes: list[str] = []
    if kind is None:
        kind = _kind(name, objects, leaves, weights, notes)
    if unit is None:
        unit = _unit(kind, weights, notes)
    return _Shape(kind, unit, objects, differential, tuple(notes))


def _kind(
    name: str, objects: bool, leaves: list[bytes], weights: list[int], notes: list[str]
) -> EventKind:
    words = set(re.findall(r"[a-z]+", name.lower()))
    named = next((kind for word, kind in _WORDS if word in words), None)
    if objects and named not in (EventKind.ALLOCATION, EventKind.LOCK):
        arrays = sum(w for leaf, w in zip(leaves, weights, strict=False) if b"[]" in leaf)
        of_arrays = arrays >= 0.1 * sum(weights)
        named = EventKind.ALLOCATION if of_arrays else EventKind.LOCK
        notes.append(f"The stacks end with classes: taken as {named}.")
    elif named is None:
        named = EventKind.CPU
        notes.append("The file does not say what was sampled: taken as computing (cpu).")
    else:
        notes.append(f"The file does not say what was sampled: taken as {named} by its name.")
    return named


def _unit(kind: EventKind, weights: list[int], notes: list[str]) -> Unit:
    least = min((weight for weight in weights if weight), default=0)
    most = max(weights, default=0)
    # Ten million samples of one stack are more than a day of one thread at 100 a second.
    if most < 10_000_000 and not (least >= 1_000 and len(weights) >= 5):
        notes.append("The file does not state its unit: weights are taken as samples.")
        return Unit.SAMPLES
    unit = Unit.BYTES if kind is EventKind.ALLOCATION else Unit.NANOSECONDS
    notes.append(f"The file does not state its unit: by their size, weights are taken as {unit}.")
    return unit
