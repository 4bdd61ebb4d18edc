"""A table of flows as bytes, and as a table again that makes objects of what is looked at only.

Terms
    node     a step and the way before it: ways that begin alike share their nodes.
    columns  tables of 32-bit numbers, one row for each reach, flow, path, node …; they are read where
             they lie in the stored bytes, so that opening a table costs nothing for each flow.
    head     everything that is text, and the keys; MessagePack.
    walks    what the flows were made of, so that the first edit after a start need not make them all again.

``decode`` checks every number that points somewhere, so bytes that are damaged give ``None`` and not an
error later.  Steps are made when a path's steps are asked for, flows when a reach's are.
Absent: where the bytes lie and when they are valid (``cache``, ``joined``).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import msgspec
from typing_extensions import override

from conflens.base.lazy import LazySequence
from conflens.base.span import Place
from conflens.flow.results import (
    Cold,
    Confidence,
    Dependency,
    Flow,
    FlowTable,
    Hold,
    Operation,
    OptionKey,
    Path,
    Pattern,
    Reach,
    Step,
    StepRole,
    Taken,
)
from conflens.flow.trails import Chain, Link
from conflens.flow.walk_types import Start, StartKind, Walk
from conflens.program.refs import MemberRef
from conflens.session.store.lazy_holds import LazyHolds

FORMAT = 6
"""Version of the bytes."""

MEANING = f"{FORMAT}/{sys.byteorder}"

_DEPENDENCIES = tuple(Dependency)
_PATTERNS = tuple(Pattern)
_CONFIDENCES = tuple(Confidence)
_ROLES = tuple(StepRole)
_ROLE_NUMBERS = {role: number for number, role in enumerate(_ROLES)}
_FLAGS = (1, 2, 4, 8)
_KINDS = tuple(StartKind)
_WIDTHS = {
    "refs": 3,
    "operations": 4,
    "nodes": 4,
    "paths": 4,
    "flows": 6,
    "colds": 3,
    "ranges": 2,
    "holds": 7,
    "reaches": 8,
    "walks": 10,
}
_LISTS = {"members": "flows", "held": "holds", "cells": "refs", "passed": "refs", "asked": "texts"}
"""Columns of plain numbers, and what they point to."""

_K = TypeVar("_K")


class _Head(msgspec.Struct, frozen=True, array_like=True):
    texts: tuple[str, ...]
    reasons: tuple[tuple[int, ...], ...]
    options: tuple[tuple[str, str, int], ...]
    reads: tuple[tuple[int, int, int, int, int], ...]
    columns: dict[str, bytes]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Head)


class Stored(NamedTuple):
    """What is stored: the walks are empty when they were not."""

    table: FlowTable
    walks: Mapping[Start, Walk]


def encode_flows(table: FlowTable, walks: Mapping[Start, Walk] | None = None) -> bytes | None:
    """Return a table as bytes, ``None`` when it names a file whose name is not valid Unicode."""
    writer = _Writer()
    numbers: dict[OptionKey, int] = {}
    options: list[tuple[str, str, int]] = []
    keys = dict.fromkeys((*table.options, *(key for key, _ in table.reads)))
    for key in keys:
        numbers[key] = len(options)
        reach = table.options.get(key)
        options.append((*key, writer.reach(reach) if reach is not None else -1))
    reads = tuple(
        (numbers[key], writer.text(place.path), place.start, place.end, writer.reach(reach))
        for (key, place), reach in table.reads.items()
    )
    for start, walk in (walks or {}).items():
        writer.walk(start, walk)
    columns = {name: column.tobytes() for name, column in writer.columns.items()}
    head = _Head(tuple(writer.texts), tuple(writer.reasons), tuple(options), reads, columns)
    try:
        return _encoder.encode(head)
    except UnicodeEncodeError:
        return None


def decode_flows(data: bytes) -> Stored | None:
    """Return the table in ``data``, ``None`` when it cannot be read."""
    try:
        reader = _Reader(_decoder.decode(data))
    except (msgspec.MsgspecError, ValueError, TypeError, KeyError):
        return None
    options: dict[OptionKey, int] = {}
    reads: dict[tuple[OptionKey, Place], int] = {}
    keys: list[OptionKey] = []
    for domain, name, number in reader.head.options:
        keys.append((domain, name))
        if number >= 0:
            options[domain, name] = number
    for option, path, start, end, number in reader.head.reads:
        reads[keys[option], Place(reader.texts[path], start, end)] = number
    table = FlowTable(_Options(options, reader), _Lazy(reads, reader))
    return Stored(table, _Walks(reader))


class _Writer:
    """Gives numbers to what is shared."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.reasons: dict[tuple[int, ...], int] = {}
        self.columns = {name: array("i") for name in (*_LISTS, *_WIDTHS)}
        self._refs: dict[MemberRef, int] = {}
        self._operations: dict[Operation, int] = {}
        self._nodes: dict[tuple[int, int, int, int], int] = {}
        self._last: list[tuple[int, int, int]] = []
        self._links: dict[int, tuple[Link, int]] = {}
        self._flows: dict[int, tuple[Flow, int]] = {}
        self._holds: dict[int, tuple[Hold, int]] = {}
        self._reaches: dict[int, tuple[Reach, int]] = {}

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def _row(self, name: str, *numbers: int) -> int:
        column = self.columns[name]
        column.extend(numbers)
        return len(column) // _WIDTHS[name] - 1

    def ref(self, ref: MemberRef) -> int:
        found = self._refs.get(ref)
        if found is None:
            found = self._row("refs", self.text(ref.path), ref.number, self.text(ref.owner))
            self._refs[ref] = found
        return found

    def _operation(self, operation: Operation) -> int:
        found = self._operations.get(operation)
        if found is None:
            kind, api = self.text(operation.kind), self.text(operation.api)
            found = self._row("operations", self.ref(operation.ref), operation.instr, kind, api)
            self._operations[operation] = found
        return found

    def _node(self, before: int, step: Step) -> int:
        """Return the node of a step after ``before``; a step follows itself only once."""
        last = (self.ref(step.ref), step.instr, _ROLE_NUMBERS[step.role])
        if before >= 0 and self._last[before] == last:
            return before
        key = (before, *last)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = self._row("nodes", *key)
            self._last.append(last)
        return found

    def _steps(self, steps: Sequence[Step]) -> int:
        """Return the node at the end of a way; links are written once, though many ways share them."""
        node = -1
        link = steps.link if isinstance(steps, Chain) else None
        if link is not None:
            pending: list[Link] = []
            while link is not None:
                known = self._links.get(id(link))
                if known is not None:
                    node = known[1]
                    break
                pending.append(link)
                link = link.before
            for piece in reversed(pending):
                for step in piece.own():
                    node = self._node(node, step)
                self._links[id(piece)] = (piece, node)
            return node
        for step in steps:
            node = self._node(node, step)
        return node

    def _flow(self, flow: Flow) -> int:
        known = self._flows.get(id(flow))
        if known is None:
            start = len(self.columns["paths"]) // _WIDTHS["paths"]
            for path in flow.paths:
                self._path(path)
            number = self._row(
                "flows",
                self._operation(flow.operation),
                _DEPENDENCIES.index(flow.dependency),
                _PATTERNS.index(flow.pattern),
                flow.total,
                start,
                start + len(flow.paths),
            )
            known = self._flows[id(flow)] = (flow, number)
        return known[1]

    def _path(self, path: Path) -> int:
        texts = tuple(self.text(reason) for reason in path.reasons)
        return self._row(
            "paths",
            self._steps(path.steps),
            _CONFIDENCES.index(path.confidence),
            self.reasons.setdefault(texts, len(self.reasons)),
            path.distance,
        )

    def _hold(self, hold: Hold) -> int:
        known = self._holds.get(id(hold))
        if known is None:
            start = len(self.columns["ranges"]) // _WIDTHS["ranges"]
            for span in hold.ranges:
                self._row("ranges", *span)
            number = self._row(
                "holds",
                self.ref(hold.ref),
                hold.index,
                _DEPENDENCIES.index(hold.dependency),
                self.ref(hold.target) if hold.target is not None else -1,
                self._path(hold.path),
                start,
                start + len(hold.ranges),
            )
            known = self._holds[id(hold)] = (hold, number)
        return known[1]

    def reach(self, reach: Reach) -> int:
        known = self._reaches.get(id(reach))
        if known is None:
            members = self.columns["members"]
            numbers = [self._flow(flow) for flow in reach.flows]
            start, cold = len(members), len(self.columns["colds"]) // _WIDTHS["colds"]
            members.extend(numbers)
            for item in reach.cold:
                self._row("colds", self.ref(item.ref), item.instr, self.text(item.reason))
            held = self.columns["held"]
            holds, first = [self._hold(hold) for hold in reach.holds], len(held)
            held.extend(holds)
            cells = self.columns["cells"]
            kept = len(cells)
            cells.extend(map(self.ref, reach.cells))
            number = self._row(
                "reaches",
                start,
                len(members),
                cold,
                cold + len(reach.cold),
                first,
                len(held),
                kept,
                len(cells),
            )
            known = self._reaches[id(reach)] = (reach, number)
        return known[1]

    def walk(self, start: Start, walk: Walk) -> None:
        """Note a walk."""
        passed, asked = self.columns["passed"], self.columns["asked"]
        first, named = len(passed), len(asked)
        passed.extend(sorted(map(self.ref, walk.members)))
        asked.extend(map(self.text, sorted(walk.names)))
        self._row(
            "walks",
            _KINDS.index(start.kind),
            self.ref(start.ref),
            start.at,
            self.reach(walk.reach),
            first,
            len(passed),
            named,
            len(asked),
            self.text(start.holder),
            sum(bit * flag for bit, flag in zip(_FLAGS, start[4:], strict=True)),
        )


class _Reader:
    """Makes objects of rows, each once."""

    def __init__(self, head: _Head) -> None:
        """Take over what was stored; raise ``ValueError`` where a number points to nothing."""
        self.head = head
        self.texts = head.texts
        self._columns = {name: memoryview(head.columns[name]).cast("i") for name in head.columns}
        self.reasons = tuple(tuple(self.texts[item] for item in found) for found in head.reasons)
        self._check()
        self._refs: dict[int, MemberRef] = {}
        self._operations: dict[int, Operation] = {}
        self._flows: dict[int, Flow] = {}
        self._holds: dict[int, Hold] = {}
        self._reaches: dict[int, Reach] = {}

    def _check(self) -> None:
        counts = {name: len(self._columns[name]) // width for name, width in _WIDTHS.items()}
        if any(len(self._columns[name]) != counts[name] * _WIDTHS[name] for name in counts):
            raise ValueError("a table ends in the middle of a row")
        counts |= {"texts": len(self.texts), "reasons": len(self.reasons)}
        counts |= {name: len(self._columns[name]) for name in _LISTS}
        for name, column, target in (
            ("refs", 0, "texts"),
            ("refs", 2, "texts"),
            ("operations", 0, "refs"),
            ("operations", 2, "texts"),
            ("operations", 3, "texts"),
            ("nodes", 1, "refs"),
            ("paths", 0, "nodes"),
            ("paths", 2, "reasons"),
            ("flows", 0, "operations"),
            ("holds", 0, "refs"),
            ("holds", 4, "paths"),
            ("walks", 1, "refs"),
            ("walks", 3, "reaches"),
            ("walks", 8, "texts"),
            ("colds", 0, "refs"),
            ("colds", 2, "texts"),
        ):
            _within(self._columns[name][column :: _WIDTHS[name]], counts[target])
        for name, target in _LISTS.items():
            _within(self._columns[name], counts[target])
        for name, column, values in (
            ("walks", 0, _KINDS),
            ("nodes", 3, _ROLES),
            ("paths", 1, _CONFIDENCES),
            ("flows", 1, _DEPENDENCIES),
            ("flows", 2, _PATTERNS),
            ("holds", 2, _DEPENDENCIES),
        ):
            _within(self._columns[name][column :: _WIDTHS[name]], len(values))
        targets = self._columns["holds"][3 :: _WIDTHS["holds"]].tolist()
        if any(not -1 <= target < counts["refs"] for target in targets):
            raise ValueError("a hold on a method that is not there")
        for name, first, target in (
            ("flows", 4, "paths"),
            ("reaches", 0, "members"),
            ("reaches", 2, "colds"),
            ("reaches", 4, "held"),
            ("reaches", 6, "cells"),
            ("holds", 5, "ranges"),
            ("walks", 4, "passed"),
            ("walks", 6, "asked"),
        ):
            width = _WIDTHS[name]
            for column in (first, first + 1):
                _within(self._columns[name][column::width], counts[target] + 1)
        nodes = self._columns["nodes"][0 :: _WIDTHS["nodes"]]
        if any(before >= node for node, before in enumerate(nodes)) or min(nodes, default=0) < -1:
            raise ValueError("a way without a beginning")
        keys = len(self.head.options)
        if any(number >= counts["reaches"] for *_, number in self.head.options):
            raise ValueError("an option without flows")
        for option, path, _, _, number in self.head.reads:
            found = 0 <= option < keys and 0 <= path < len(self.texts)
            if not found or not 0 <= number < counts["reaches"]:
                raise ValueError("a read without flows")

    def _row(self, name: str, number: int) -> list[int]:
        width = _WIDTHS[name]
        return self._columns[name][number * width : number * width + width].tolist()

    def ref(self, number: int) -> MemberRef:
        found = self._refs.get(number)
        if found is None:
            path, member, owner = self._row("refs", number)
            found = MemberRef(self.texts[path], member, self.texts[owner])
            self._refs[number] = found
        return found

    def _operation(self, number: int) -> Operation:
        found = self._operations.get(number)
        if found is None:
            ref, index, kind, api = self._row("operations", number)
            found = Operation(self.ref(ref), index, self.texts[kind], self.texts[api])
            self._operations[number] = found
        return found

    def steps(self, node: int) -> tuple[Step, ...]:
        """Return the way to a node."""
        found: list[Step] = []
        while node >= 0:
            node, ref, index, role = self._row("nodes", node)
            found.append(Step(self.ref(ref), index, _ROLES[role]))
        return tuple(reversed(found))

    def _flow(self, number: int) -> Flow:
        found = self._flows.get(number)
        if found is None:
            operation, dependency, pattern, total, start, end = self._row("flows", number)
            paths = []
            for at in range(start, end):
                paths.append(self._path(at))
            found = Flow(
                self._operation(operation),
                _DEPENDENCIES[dependency],
                _PATTERNS[pattern],
                tuple(paths),
                total,
            )
            self._flows[number] = found
        return found

    def _path(self, number: int) -> Path:
        node, confidence, reasons, distance = self._row("paths", number)
        steps = _Steps(self, node)
        return Path(steps, _CONFIDENCES[confidence], self.reasons[reasons], distance)

    def hold(self, number: int) -> Hold:
        """Return a hold; the same object each time."""
        found = self._holds.get(number)
        if found is None:
            ref, index, dependency, target, path, start, end = self._row("holds", number)
            ranges = tuple(
                (first, last)
                for first, last in (self._row("ranges", at) for at in range(start, end))
            )
            found = self._holds[number] = Hold(
                self.ref(ref),
                index,
                _DEPENDENCIES[dependency],
                ranges,
                self.ref(target) if target >= 0 else None,
                self._path(path),
            )
        return found

    def reach(self, number: int) -> Reach:
        """Return what was stored as a reach; the same object each time."""
        found = self._reaches.get(number)
        if found is None:
            start, end, cold, colds, *_ = self._row("reaches", number)
            ended = []
            for at in range(cold, colds):
                ref, index, reason = self._row("colds", at)
                ended.append(Cold(self.ref(ref), index, self.texts[reason]))
            members = self._columns["members"][start:end]
            found = Reach(tuple(map(self._flow, members)), tuple(ended), *self.held(number))
            self._reaches[number] = found
        return found

    def held(self, number: int) -> tuple[tuple[Hold, ...], tuple[MemberRef, ...]]:
        """Return holds and cells of a reach, without its flows."""
        *_, first, last, kept, stop = self._row("reaches", number)
        held = self._columns["held"][first:last]
        cells = self._columns["cells"][kept:stop]
        return tuple(map(self.hold, held)), tuple(map(self.ref, cells))

    def taken(self, numbers: Mapping[OptionKey, int]) -> Iterator[Taken]:
        """Yield holds and cells of the reaches of options; holds are made when they are looked at."""
        refs, kinds = (self._columns["holds"][at :: _WIDTHS["holds"]].tolist() for at in (0, 2))
        for key, number in numbers.items():
            *_, first, last, kept, stop = self._row("reaches", number)
            held = self._columns["held"][first:last].tolist()
            places = [(self.ref(refs[at]), _DEPENDENCIES[kinds[at]]) for at in held]
            cells = self._columns["cells"][kept:stop]
            yield Taken(key, LazyHolds(self.hold, held), places, tuple(map(self.ref, cells)))

    def kinds(self, number: int) -> frozenset[str]:
        """Return the kinds of the operations of a reach, without its flows."""
        start, end, *_ = self._row("reaches", number)
        flows, operations = self._columns["flows"], self._columns["operations"]
        width, wide = _WIDTHS["flows"], _WIDTHS["operations"]
        found = {flows[flow * width] for flow in self._columns["members"][start:end]}
        return frozenset(self.texts[operations[number * wide + 2]] for number in found)

    def walks(self) -> dict[Start, Walk]:
        """Return all walks."""
        found: dict[Start, Walk] = {}
        for number in range(len(self._columns["walks"]) // _WIDTHS["walks"]):
            kind, ref, at, reach, first, last, named, names, *rest = self._row("walks", number)
            passed = self._columns["passed"][first:last]
            asked = self._columns["asked"][named:names]
            flags = (bool(rest[1] & bit) for bit in _FLAGS)
            start = Start(_KINDS[kind], self.ref(ref), at, self.texts[rest[0]], *flags)
            found[start] = Walk(
                self.reach(reach),
                frozenset(map(self.ref, passed)),
                frozenset(self.texts[name] for name in asked),
            )
        return found


def _within(numbers: memoryview[int], count: int) -> None:
    found = numbers.tolist()
    if found and (min(found) < 0 or max(found) >= count):
        raise ValueError("a number that points to nothing")


class _Lazy(Mapping[_K, Reach], Generic[_K]):
    """Reaches by key, made when they are asked for."""

    __slots__ = ("_numbers", "_reader")

    def __init__(self, numbers: Mapping[_K, int], reader: _Reader) -> None:
        self._numbers = numbers
        self._reader = reader

    @override
    def __getitem__(self, key: _K) -> Reach:
        return self._reader.reach(self._numbers[key])

    @override
    def __iter__(self) -> Iterator[_K]:
        return iter(self._numbers)

    @override
    def __len__(self) -> int:
        return len(self._numbers)

    @override
    def __contains__(self, key: object) -> bool:
        return key in self._numbers


class _Options(_Lazy[OptionKey]):
    """See ``flow.results.Held``."""

    __slots__ = ()

    def taken(self) -> Iterator[Taken]:
        return self._reader.taken(self._numbers)

    def kinds(self, key: OptionKey) -> frozenset[str]:
        number = self._numbers.get(key)
        return self._reader.kinds(number) if number is not None else frozenset()


class _Walks(Mapping[Start, Walk]):
    """Walks, made when one is asked for."""

    __slots__ = ("_made", "_reader")

    def __init__(self, reader: _Reader) -> None:
        self._reader = reader
        self._made: dict[Start, Walk] | None = None

    def _all(self) -> dict[Start, Walk]:
        if self._made is None:
            self._made = self._reader.walks()
        return self._made

    @override
    def __getitem__(self, key: Start) -> Walk:
        return self._all()[key]

    @override
    def __iter__(self) -> Iterator[Start]:
        return iter(self._all())

    @override
    def __len__(self) -> int:
        return len(self._all())


class _Steps(LazySequence[Step]):
    """The steps of a stored path."""

    __slots__ = ("_node", "_reader")

    def __init__(self, reader: _Reader, node: int) -> None:
        super().__init__()
        self._reader = reader
        self._node = node

    @override
    def make(self) -> tuple[Step, ...]:
        """Return the steps that are stored."""
        return self._reader.steps(self._node)
