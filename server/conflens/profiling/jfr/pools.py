"""The constants of one chunk: texts, classes, methods, threads and stacks, which events name by number.

Terms
    pool         the constants of one type.
    checkpoint   an event that holds pools; each says where the one before it lies.
    kept         constants of types that something asks for; the others are only stepped over.
    packed       all stacks of a chunk in one array: what is said of a stack, then its frames (leaf first) as numbers of
                 distinct frames.

Invariants: checkpoints are followed towards the chunk's start only, and none reaches into the one that was read before it,
so that no chain of them is endless and no byte is read for two of them; references between constants are followed ``FOLLOWED`` times at most.  What is kept is bounded by ``CONSTANTS``, ``CHARACTERS``,
``STACKS``, ``FRAMES`` and ``DISTINCT``; stacks beyond are left out, and ``full`` says so.

Absent: what a frame means (``jfr_recording``).
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, BinaryIO

import attrs

from conflens.profiling.jfr.byte_reader import Broken, Short, Window, compiled, integer, text
from conflens.profiling.jfr.layout import (
    STRING,
    Form,
    Layout,
    Operation,
    Type,
    event_start,
    read_value,
)

CHECKPOINT = 1
CONSTANTS = 1_500_000
CHARACTERS = 64_000_000
STACKS = 1_000_000
FRAMES = 30_000_000
DISTINCT = 500_000
DEEPEST = 100_000
"""Frames of one stack; the virtual machine records 2,048 at most."""

FOLLOWED = 8

STACK = "jdk.types.StackTrace"
THREAD = "java.lang.Thread"
_KEPT = {
    STRING: (),
    "jdk.types.Symbol": ("string",),
    "java.lang.Class": ("name",),
    "jdk.types.Method": ("type", "name", "descriptor", "hidden"),
    THREAD: ("javaName", "osName"),
    "jdk.types.FrameType": ("description",),
    "jdk.types.ThreadState": ("name",),
}
_LABELS = ("string", "name", "description")


@attrs.define(eq=False)
class Pools:
    """The kept constants of a chunk, by type and number."""

    layout: Layout
    constants: dict[int, dict[int, Any]]
    operations: dict[int, dict[str, Operation]]
    strings: int
    """The number of the type of texts."""
    starts: dict[int, int]
    """Where a stack begins in ``packed``: twice its number of frames, and one more if it is cut; then its frames."""
    packed: array[int]
    distinct: list[bytes]
    """The bytes of the frames that ``packed`` names."""
    frame: tuple[Operation, ...]
    """How these bytes are read."""
    full: bool

    def constant(self, type_: int, number: int) -> Any:
        """Return the values by path of a constant, ``None`` if there is none."""
        return self.constants.get(type_, {}).get(number)

    def label(self, type_: int, value: int | str) -> str:
        """Return what a constant is called: the text of a symbol, the name of a class; empty if it has none."""
        for _ in range(FOLLOWED):
            if isinstance(value, str):
                return value
            constant = self.constant(type_, value)
            if constant is None:
                return ""
            if isinstance(constant, (str, int)):
                type_, value = self.strings, constant
                continue
            path = next((path for path in _LABELS if path in constant), "")
            if not path:
                return ""
            type_, value = self.target(type_, path), constant[path]
        return ""

    def field(self, type_: int, constant: dict[str, Any], path: str) -> str:
        """Return the label of what a constant's field names."""
        value = constant.get(path, "")
        if isinstance(value, bytes):
            return ""
        return self.label(self.target(type_, path), value)

    def target(self, type_: int, path: str) -> int:
        """Return the type of the constants that a field names."""
        operation = self.operations[type_][path]
        return self.strings if operation.form is Form.TEXT else operation.type


@attrs.define(eq=False)
class _Stacks:
    """How a stack is read."""

    before: re.Pattern[bytes]
    after: re.Pattern[bytes]
    frame: re.Pattern[bytes]
    inner: tuple[Operation, ...]
    source: bytes
    blocks: dict[int, re.Pattern[bytes]]

    def block(self, size: int) -> re.Pattern[bytes]:
        """Return the pattern of so many frames."""
        found = self.blocks.get(size)
        if found is None:
            found = compiled(rb"(?:%s){%d}" % (self.source, size))
            if len(self.blocks) < 4_096:
                self.blocks[size] = found
        return found


def read_pools(
    stream: BinaryIO,
    start: int,
    end: int,
    first: int,
    layout: Layout,
    pace: Callable[[int], None],
) -> Pools:
    """Return the constants of the chunk ``[start, end)`` whose last checkpoint lies at ``first``.

    Raises ValueError with two arguments, the place and the reason, for a chunk that is broken.
    """
    reader = _Reader(layout)
    place = first
    limit = end
    while True:
        window = Window(stream, place, limit, pace)
        at = 0
        try:
            delta = reader.checkpoint(window)
        except Broken as fault:
            raise ValueError(window.place(at), str(fault)) from None
        if delta == 0:
            break
        if not -place + start <= delta < 0:
            raise ValueError(place, "a checkpoint names one that does not come before it")
        limit = place
        place += delta
    return reader.pools()


_Entry = tuple[tuple[Operation, ...], Callable[[bytes, int], re.Match[bytes] | None] | None]
"""The steps of reading an entry, and what finds it at once, if a pattern can."""


class _Reader:
    """Collects the pools of one chunk."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.constants: dict[int, dict[int, Any]] = {}
        self.operations: dict[int, dict[str, Operation]] = {}
        self.starts: dict[int, int] = {}
        self.packed = array("i")
        self.numbers: defaultdict[bytes, int] = defaultdict(count().__next__)
        self.full = False
        self.kept = 0
        self.characters = 0
        self.stacks: _Stacks | None = None
        self._skipped: dict[int, _Entry] = {}

    def pools(self) -> Pools:
        """Return what was collected."""
        strings = self.layout.named(STRING)
        return Pools(
            self.layout,
            self.constants,
            self.operations,
            strings.number if strings else -1,
            self.starts,
            self.packed,
            list(self.numbers),
            self.stacks.inner if self.stacks else (),
            self.full,
        )

    def checkpoint(self, window: Window) -> int:
        """Read the checkpoint at the start of a window; return how far before it the previous one lies, negative,
        or 0 if it is the first."""
        compressed = self.layout.compressed
        at = 0
        while True:
            try:
                size, number, at = event_start(window.data, 0, compressed)
                for _ in range(2):
                    _, at = integer(window.data, at, 8, compressed)
                delta, at = integer(window.data, at, 8, compressed)
                pools, at = integer(window.data, at + 1, 4, compressed)
                break
            except Short:
                window.more(0)
        if number != CHECKPOINT:
            raise Broken("there is no checkpoint where one should be")
        window.until(size, "a checkpoint reaches into the one behind it, or beyond its chunk")
        for _ in range(pools):
            at = self._pool(window, at)
        return delta - (1 << 64) if delta >> 63 else delta

    def _pool(self, window: Window, at: int) -> int:
        compressed = self.layout.compressed
        while True:
            try:
                number, behind = integer(window.data, at, 8, compressed)
                entries, behind = integer(window.data, behind, 4, compressed)
                break
            except Short:
                at = window.more(at)
        type_ = self.layout.types.get(number)
        if type_ is None:
            raise Broken("a pool has an unknown type")
        if type_.name == STACK:
            return self._stacks(window, behind, entries, type_)
        if type_.name in _KEPT:
            return self._keep(window, behind, entries, type_)
        return self._skip(window, behind, entries, type_)

    def _keep(self, window: Window, at: int, entries: int, type_: Type) -> int:
        compressed = self.layout.compressed
        operations = self.layout.operations(type_)
        by_path = self.operations.get(type_.number)
        if by_path is None:
            by_path = {operation.path: operation for operation in operations}
            self.operations[type_.number] = by_path
        wanted = [path for path in _KEPT[type_.name] if path in by_path]
        pool = self.constants.setdefault(type_.number, {})
        pure_text = type_.name == STRING
        data = window.data
        for _ in range(entries):
            while True:
                try:
                    key, behind = integer(data, at, 8, compressed)
                    if pure_text:
                        constant: Any
                        constant, behind = text(data, behind, compressed)
                        self.characters += len(constant) if isinstance(constant, str) else 0
                    else:
                        values, behind = read_value(data, behind, operations, compressed)
                        constant = {path: values[path] for path in wanted}
                        for value in constant.values():
                            if isinstance(value, str):
                                self.characters += len(value)
                    break
                except Short:
                    at = window.more(at)
                    data = window.data
            at = behind
            pool[key] = constant
            self.kept += 1
            if self.kept > CONSTANTS or self.characters > CHARACTERS:
                raise Broken(f"more than {CONSTANTS:,} constants in one chunk")
        return at

    def _skip(self, window: Window, at: int, entries: int, type_: Type) -> int:
        compressed = self.layout.compressed
        operations, match = self._entry(type_)
        data = window.data
        for _ in range(entries):
            while True:
                try:
                    if match is None:
                        _, behind = read_value(data, at, operations, compressed)
                    else:
                        found = match(data, at)
                        if found is None:
                            raise Short
                        behind = found.end()
                    break
                except Short:
                    at = window.more(at)
                    data = window.data
            at = behind
        return at

    def _entry(self, type_: Type) -> _Entry:
        """Return how an entry of a type that is stepped over is read; worked out once."""
        known = self._skipped.get(type_.number)
        if known is None:
            operations = (
                Operation("", Form.INTEGER, 8, 0, 0, False),
                *self.layout.operations(type_),
            )
            source = self.layout.pattern(operations)
            known = operations, compiled(source).match if source else None
            self._skipped[type_.number] = known
        return known

    def _stacks(self, window: Window, at: int, entries: int, type_: Type) -> int:
        if self.stacks is None:
            self.stacks = _how_stacks(self.layout, type_)
        how = self.stacks
        compressed = self.layout.compressed
        before, after, frames_of = how.before.match, how.after.match, how.frame.findall
        starts, packed, number = self.starts, self.packed, self.numbers.__getitem__
        data = window.data
        for _ in range(entries):
            while True:
                try:
                    key, behind = integer(data, at, 8, compressed)
                    head = before(data, behind)
                    if head is None:
                        raise Short
                    depth, behind = integer(data, head.end(), 4, compressed)
                    if depth > DEEPEST:
                        raise Broken(f"a stack of {depth:,} frames")
                    body = how.block(depth).match(data, behind)
                    if body is None:
                        raise Short
                    tail = after(data, body.end())
                    if tail is None:
                        raise Short
                    break
                except Short:
                    at = window.more(at)
                    data = window.data
            at = tail.end()
            if (
                len(starts) >= STACKS
                or len(packed) + depth > FRAMES
                or len(self.numbers) > DISTINCT
            ):
                self.full = True
                continue
            starts[key] = len(packed)
            packed.append(depth << 1 | any(head.group("cut")))
            packed.extend(map(number, frames_of(data, behind, body.end())))
        return at


def _how_stacks(layout: Layout, type_: Type) -> _Stacks:
    operations = layout.operations(type_)
    at = next((i for i, found in enumerate(operations) if found.form is Form.ARRAY), None)
    if at is None:
        raise Broken("stacks have no frames")
    before = _with_cut(layout, operations[:at])
    after = layout.pattern(operations[at + 1 :])
    frame = layout.pattern(operations[at].inner)
    if after is None or not frame:
        raise Broken("stacks lie in an unknown way")
    return _Stacks(before, compiled(after), compiled(frame), operations[at].inner, frame, {})


def _with_cut(layout: Layout, operations: Sequence[Operation]) -> re.Pattern[bytes]:
    """Return the pattern of what stands before the frames; the group ``cut`` is what says that frames are missing."""
    parts: list[bytes] = []
    for operation in operations:
        part = layout.pattern([operation])
        if part is None:
            raise Broken("stacks lie in an unknown way")
        parts.append(rb"(?P<cut>%s)" % part if operation.path == "truncated" else part)
    if not any(operation.path == "truncated" for operation in operations):
        parts.append(rb"(?P<cut>)")
    return compiled(b"".join(parts))
