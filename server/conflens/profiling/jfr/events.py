"""The events of one chunk: those that somebody asked for, added up by stack before any stack is looked at.

Terms
    plan       how the wanted fields of one event are found: a pattern of the whole event; or, where there is a text
               in it, a list of operations.
    run        events of one kind that follow each other; a pattern finds all of them at once.
    bundle     the events of one plan that agree in thread, stack and decider, as bytes; their weights are added up
               first.
    merged     the bundles of one plan whose threads and deciders have the same names, by stack: a stack is resolved once
               for all of them.
    pending    bundles whose stacks are not yet resolved; some more than ``PENDING`` at most.

Invariants: an event that nobody asked for costs its size and number only.  Of a run, where an event ends is told by its fields;
everywhere else by its size.

Absent: the names of events (``jfr_rows``), what weights mean (``jfr_recording``).
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

import attrs

from conflens.profiling.building import DEPTH
from conflens.profiling.jfr.byte_reader import (
    LARGEST,
    VARINT,
    Broken,
    Short,
    Window,
    compiled,
    fixed,
    varint,
)
from conflens.profiling.jfr.layout import (
    TICKS,
    Form,
    Layout,
    Operation,
    Type,
    event_start,
    read_value,
)
from conflens.profiling.jfr.pools import Pools
from conflens.profiling.jfr.recording import DROPPED, LOADS, Recording
from conflens.profiling.jfr.rows import (
    CPU_INFORMATION,
    CPU_LOAD,
    INFORMING,
    JVM_INFORMATION,
    EventRow,
    SettingRow,
)
from conflens.profiling.model import Frame, Nature, Origin

PENDING = 100_000
RESOLVED = 1_000
"""Chains or frames between two questions whether to go on."""

_NO_STACK = 0
_MANY = 16
"""From here on it pays to have a ``Counter`` count."""


@attrs.define(eq=False)
class Plan:
    """How the wanted fields of one event are found."""

    row: EventRow
    operations: tuple[Operation, ...]
    run: re.Pattern[bytes] | None
    """As many of these events as follow each other; ``None`` if there are texts or arrays in them."""
    each: re.Pattern[bytes] | None
    """One of them, with a group for each of ``fields``."""
    fields: tuple[str, ...]
    """Threads, the stack, the decider, the weight: those that there are, in the order in which they lie."""
    by_field: Mapping[str, Operation]
    tally: Counter[tuple[bytes | int, ...]]
    """How many events have these fields: as bytes, or as numbers where operations were followed."""
    bundles: dict[tuple[bytes | int, ...], list[int]]
    """Weight and number of the events that agree in all fields but the weight."""


class Events:
    """Reads the events of one chunk into a recording."""

    def __init__(
        self,
        layout: Layout,
        pools: Pools,
        recording: Recording,
        nanoseconds_per_tick: float,
        pace: Callable[[int], None],
    ) -> None:
        """``pools``: all of the chunk's."""
        self.layout = layout
        self.pools = pools
        self.recording = recording
        self.scale = nanoseconds_per_tick
        self.plans: dict[int, Plan] = {}
        self.settings: dict[int, tuple[Type, tuple[Operation, ...], SettingRow | None]] = {}
        self.pending = 0
        self._frames: list[int] = []
        for raw in pools.distinct:
            self._frames.append(self._frame(raw))
            if len(self._frames) % RESOLVED == 0:
                pace(0)
        self._threads: dict[bytes | int, int] = {}
        self._not_kept = recording.table.number(
            Frame("", "(stack not kept)", nature=Nature.OPAQUE)
        )
        rows = recording.rows
        for type_ in layout.types.values():
            if row := rows.events.get(type_.name):
                self.plans[type_.number] = _plan(layout, row, type_)
            elif type_.name in rows.settings or type_.name in INFORMING:
                operations = layout.operations(type_)
                self.settings[type_.number] = (type_, operations, rows.settings.get(type_.name))

    def read(self, stream: BinaryIO, start: int, end: int, pace: Callable[[int], None]) -> None:
        """Read the events in ``[start, end)``.

        Raises ValueError with two arguments, the place and the reason, for what is broken.
        """
        window = Window(stream, start, end, pace)
        at = 0
        try:
            while not (window.complete and at >= len(window.data)):
                at = self._run(window, at)
                if self.pending > PENDING:
                    self.flush(pace)
        except Broken as fault:
            raise ValueError(window.place(at), str(fault)) from None
        self.flush(pace)

    def _run(self, window: Window, at: int) -> int:
        """Read the events that are whole in the window, and see to it that the next one is; return its index."""
        data = window.data
        limit = len(data)
        compressed = self.layout.compressed
        plans, settings = self.plans, self.settings
        size = 0
        while at < limit and self.pending <= PENDING:
            try:
                if compressed:
                    size = data[at]
                    number = data[at + 1]
                    if size > 127 or number > 127:
                        size, behind = varint(data, at)
                        number, behind = varint(data, behind)
                    else:
                        behind = at + 2
                else:
                    size, number, behind = event_start(data, at, False)
            except (IndexError, Short):
                return window.more(at)
            stop = at + size
            if stop < behind:
                raise Broken(f"an event of {size} bytes")
            if number in plans:
                if stop > limit:
                    break
                at = self._count(plans[number], data, at, behind, stop)
                continue
            elif number in settings:
                if stop > limit:
                    break
                self._setting(number, data[behind:stop])
            elif stop > limit:
                return window.skip(at, size)
            at = stop
        if at >= limit:
            return at if window.complete else window.more(at)
        if self.pending > PENDING:
            return at
        if size > LARGEST:
            raise Broken(f"an event of {size:,} bytes")
        return window.more(at)

    def _count(self, plan: Plan, data: bytes, start: int, at: int, stop: int) -> int:
        """Count the event that begins at ``start``, whose fields lie in ``[at, stop)``, and those like it that follow;
        return the place behind."""
        if plan.run is not None and plan.each is not None:
            run = plan.run.match(data, start)
            if run is None:
                raise Broken(f"the fields of {plan.row.name} do not fit into it")
            stop = run.end()
            found = plan.each.findall(data, start, stop)
            if len(found) > _MANY:
                plan.tally.update(found)
            else:
                tally = plan.tally
                for fields in found:
                    tally[fields] += 1
        else:
            try:
                values, _ = read_value(data[at:stop], 0, plan.operations, self.layout.compressed)
            except Short:
                raise Broken(f"the fields of {plan.row.name} do not fit into it") from None
            plan.tally[tuple(values[plan.by_field[name].path] for name in plan.fields)] += 1
        if len(plan.tally) > PENDING:
            self._fold(plan)
        return stop

    def _fold(self, plan: Plan) -> None:
        """Add up the weights of what was counted."""
        bundles = plan.bundles
        before = len(bundles)
        weighs = plan.fields.index("weight") if "weight" in plan.fields else -1
        known: dict[bytes | int, int] = {}
        for fields, count in plan.tally.items():
            weight = 1
            if weighs >= 0:
                raw = fields[weighs]
                found = known.get(raw)
                if found is None:
                    found = known[raw] = self._scaled(plan, self._integer(raw))
                weight = found
                fields = fields[:weighs] + fields[weighs + 1 :]
            bundle = bundles.get(fields)
            if bundle is None:
                bundles[fields] = [weight * count, count]
            else:
                bundle[0] += weight * count
                bundle[1] += count
        plan.tally.clear()
        self.pending += len(bundles) - before

    def _scaled(self, plan: Plan, value: int) -> int:
        if value >> 62:
            return 0
        unit = plan.by_field["weight"].unit
        if unit == TICKS:
            return int(value * self.scale)
        return value * unit if unit else value

    def _integer(self, raw: bytes | int) -> int:
        if isinstance(raw, int):
            return raw
        if self.layout.compressed:
            return varint(raw, 0)[0]
        return int.from_bytes(raw, "big")

    def _setting(self, number: int, data: bytes) -> None:
        type_, operations, row = self.settings[number]
        try:
            values, _ = read_value(data, 0, operations, self.layout.compressed)
        except Short:
            raise Broken(f"the fields of {type_.name} do not fit into it") from None
        by_path = {operation.path: operation for operation in operations}

        def written(path: str) -> str:
            operation = by_path.get(path)
            return "" if operation is None else self._written(operation, values[path])

        recording = self.recording
        if row is not None:
            recording.value(Origin(row.origin), written(row.key), row.text(written(row.value)))
        elif type_.name == JVM_INFORMATION:
            recording.command(
                written("jvmArguments"), written("jvmFlags"), written("javaArguments")
            )
        elif type_.name == CPU_INFORMATION:
            recording.processors(written("hwThreads"))
        elif type_.name == CPU_LOAD:
            at = int(written("startTime") or 0) * self.scale
            recording.load(at, *map(written, LOADS))
        else:
            event = self.layout.name(values.get("id", -1))
            recording.setting(event, written("name"), written("value"))

    def _written(self, operation: Operation, value: Any) -> str:
        """The text of a field: as ``jfr print`` writes it."""
        if operation.form is Form.TEXT:
            return self.pools.label(self.pools.strings, value)
        if operation.form is Form.INTEGER:
            if operation.pooled:
                return self.pools.label(operation.type, value)
            bits = 8 * operation.size
            value &= (1 << bits) - 1
            unsigned = not value >> (bits - 1)
            return str(value if unsigned else value - (1 << bits))
        return _plain(self.layout.name(operation.type), value)

    def flush(self, pace: Callable[[int], None]) -> None:
        """Resolve what is pending into the recording."""
        done = 0
        for plan in self.plans.values():
            self._fold(plan)
            merged = self._merged(plan, pace)
            plan.bundles.clear()
            last, frames = -1, [0]
            for (stack, thread, decider), (weight, count) in sorted(merged.items(), key=_stack_of):
                done += 1
                if done % RESOLVED == 0:
                    pace(0)
                if stack != last:
                    last, frames = stack, self._chain(stack)
                frames[0] = thread
                self.recording.add(plan.row, frames, decider, weight, count)
        self.pending = 0

    def _merged(
        self, plan: Plan, pace: Callable[[int], None]
    ) -> dict[tuple[int, int, str], list[int]]:
        """Return weight and number of the events of a plan by stack, thread and decider, of which many may have one name."""
        key = [name for name in plan.fields if name != "weight"]
        found: dict[tuple[int, int, str], list[int]] = {}
        for done, (values, bundle) in enumerate(plan.bundles.items(), 1):
            if done % RESOLVED == 0:
                pace(0)
            thread = DROPPED
            stack = 0
            decider = ""
            for field, raw in zip(key, values, strict=False):
                if field == "stack":
                    stack = self._integer(raw)
                elif field == "decider":
                    type_ = plan.by_field[field].type
                    decider = self.pools.label(type_, self._integer(raw))
                elif thread < 0:
                    thread = self._thread(plan.by_field[field].type, raw)
            if thread < 0:
                thread = self.recording.thread("")
            known = found.setdefault((stack, thread, decider), bundle)
            if known is not bundle:
                known[0] += bundle[0]
                known[1] += bundle[1]
        return found

    def _thread(self, type_: int, raw: bytes | int) -> int:
        found = self._threads.get(raw)
        if found is None:
            pools = self.pools
            constant = pools.constant(type_, self._integer(raw))
            found = DROPPED
            if isinstance(constant, dict):
                names = [pools.field(type_, constant, path) for path in constant]
                found = self.recording.thread(next((name for name in names if name), ""))
            self._threads[raw] = found
        return found

    def _chain(self, number: int) -> list[int]:
        """Return the frames of a stack, root first, behind a place for that of its thread; of deep stacks those that a tree takes."""
        pools = self.pools
        chain = [0]
        start = pools.starts.get(number)
        if start is None:
            if pools.full and number != _NO_STACK:
                chain.append(self._not_kept)
            return chain
        packed = pools.packed
        head = packed[start]
        if head & 1:
            chain.append(self.recording.left_out)
        frames = packed[start + 1 : start + 1 + (head >> 1)]
        frames.reverse()
        chain += map(self._frames.__getitem__, frames)
        if DROPPED in chain:
            chain = [frame for frame in chain if frame >= 0]
        if len(chain) > 2 * DEPTH:
            chain[DEPTH:-DEPTH] = []
        return chain

    def _frame(self, raw: bytes) -> int:
        pools = self.pools
        try:
            values, _ = read_value(raw, 0, pools.frame, self.layout.compressed)
        except Short:
            return DROPPED
        by_path = {operation.path: operation for operation in pools.frame}
        line = values.get("lineNumber", 0)
        form = ""
        if "type" in by_path:
            form = self._written(by_path["type"], values["type"])
        owner = method = descriptor = ""
        if "method" in by_path:
            type_ = by_path["method"].type
            constant = pools.constant(type_, values["method"])
            if isinstance(constant, dict):
                owner, method, descriptor = (
                    pools.field(type_, constant, path) if path in constant else ""
                    for path in ("type", "name", "descriptor")
                )
        return self.recording.frame(owner, method, descriptor, int(line), form)


def _stack_of(entry: tuple[tuple[int, int, str], object]) -> int:
    return entry[0][0]


def _plan(layout: Layout, row: EventRow, type_: Type) -> Plan:
    operations = layout.operations(type_)
    found = {operation.path: operation for operation in operations}
    names = {path: f"thread{index}" for index, path in enumerate(row.thread)}
    names["stackTrace"] = "stack"
    if row.decider:
        names[row.decider] = "decider"
    names = {path: name for path, name in names.items() if path in found and found[path].pooled}
    if not names:
        raise Broken(f"{row.name} has neither thread nor stack")
    if row.weight:
        if row.weight not in found or found[row.weight].form is not Form.INTEGER:
            raise Broken(f"{row.name} has no number {row.weight}")
        names[row.weight] = "weight"
    fields = tuple(names[path] for path in found if path in names)
    run = each = None
    head = _head(layout, type_.number)
    whole = layout.pattern(operations)
    if whole is not None:
        run = compiled(rb"(?:%s%s)++" % (head, whole))
        grouped = layout.pattern(operations, tuple(names)) or b""
        each = compiled(head + grouped + (b"()" if len(fields) == 1 else b""))
    return Plan(
        row,
        operations,
        run,
        each,
        fields,
        {name: found[path] for path, name in names.items()},
        Counter(),
        {},
    )


def _head(layout: Layout, number: int) -> bytes:
    """The pattern of the size and the number of an event."""
    if not layout.compressed:
        return fixed(4) + re.escape(number.to_bytes(8, "big", signed=True))
    rest = bytearray()
    number &= (1 << 63) - 1
    while number > 127 and len(rest) < 8:
        rest.append(number & 127 | 128)
        number >>= 7
    rest.append(number)
    return VARINT + re.escape(bytes(rest))


def _plain(type_: str, raw: bytes) -> str:
    """A value that lies as bytes, as text."""
    if type_ == "boolean":
        return "true" if any(raw) else "false"
    if type_ == "byte":
        return str(int.from_bytes(raw, "big", signed=True))
    return repr(struct.unpack(">f" if len(raw) == 4 else ">d", raw)[0])
