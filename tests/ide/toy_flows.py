"""Flows for the toy project, written as comments at the end of the lines they are about.

``// <- a.b loop io`` makes the call, allocation or lock on its line an operation of kind ``io`` that
option ``a.b`` reaches by ``loop``; ``#2`` after the name means from its second read only, ``+1`` one
call level below, ``low`` or ``medium`` the confidence, followed by the reason.  ``// step a.b argument``
is a step of all paths of ``a.b``, in the order of the text.  ``// cold a.b why`` ends a trail.
A line may have several such comments.  Paths go from a read over the steps to the operation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.flow.results import (
    Cold,
    Confidence,
    Dependency,
    Flow,
    FlowTable,
    Operation,
    OptionKey,
    Path,
    Pattern,
    Reach,
    Step,
    StepRole,
    place_of,
)
from conflens.options.model import Option
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_MARK = re.compile(rb"// (<-|step|cold) ([^\s#]+)(?:#(\d))?(?: +([^\n/]*))?")
_PATTERNS = {
    Dependency.DIRECT: Pattern.DATA,
    Dependency.BRANCH: Pattern.BRANCH_UNRELATED,
    Dependency.LOOP: Pattern.LOOP_BOUND,
}
_OPERATIONS = (ir.Call, ir.New, ir.NewArray, ir.Sync)
_STEPS = (ir.Call, ir.New, ir.NewArray, ir.Store, ir.If, ir.Loop, ir.Return, ir.StoreField)


@attrs.define
class _Marks:
    steps: list[Step] = attrs.field(factory=list)
    flows: list[tuple[int, Operation, list[str]]] = attrs.field(factory=list)
    cold: list[tuple[int, Cold]] = attrs.field(factory=list)


def flows_of(
    program: Program, options: tuple[Option, ...], texts: Mapping[str, bytes]
) -> FlowTable:
    """Return the flows that the comments in ``texts`` tell of."""
    found: dict[str, _Marks] = {}
    for path, text in texts.items():
        if path in program.files:
            for match in _MARK.finditer(text):
                _mark(program, path, text, match, found.setdefault(match[2].decode(), _Marks()))
    table: dict[OptionKey, Reach] = {}
    reads: dict[tuple[OptionKey, Place], Reach] = {}
    for option in options:
        marks = found.get(option.name)
        if marks is None:
            continue
        firsts = {
            number: _read_step(program, read.place) for number, read in enumerate(option.reads, 1)
        }
        table[option.key] = _reach(marks, firsts)
        for number, read in enumerate(option.reads, 1):
            reads[option.key, read.place] = _reach(marks, {number: firsts[number]})
    return FlowTable(table, reads)


def _reach(marks: _Marks, firsts: Mapping[int, Step]) -> Reach:
    flows = []
    for only, operation, words in marks.flows:
        starts = [first for number, first in firsts.items() if only in (0, number)]
        dependency = Dependency(words[0])
        rest = words[2:]
        distance = int(rest.pop(0)) if rest and rest[0].startswith("+") else 0
        confidence = Confidence(rest.pop(0)) if rest else Confidence.HIGH
        reasons = (" ".join(rest),) if rest else ()
        last = Step(operation.ref, operation.instr, StepRole.OPERATION)
        paths = tuple(
            Path((first, *marks.steps, last), confidence, reasons, distance) for first in starts
        )
        if paths:
            pattern = _PATTERNS[dependency]
            flows.append(Flow(operation, dependency, pattern, paths[:3], len(paths)))
    cold = tuple(item for only, item in marks.cold if only == 0 or only in firsts)
    return Reach(
        tuple(sorted(flows, key=lambda flow: (flow.confidence.rank, flow.distance))), cold
    )


def _mark(program: Program, path: str, text: bytes, match: re.Match[bytes], marks: _Marks) -> None:
    words = (match[4] or b"").decode().split()
    start = text.rfind(b"\n", 0, match.start()) + 1
    only = int(match[3] or 0)
    if match[1] == b"<-":
        ref, index = on_line(program, path, start, match.start(), _OPERATIONS)
        place = place_of(program, ref, index)
        api = re.split(rb"[({]", text[place.start : place.end])[0].decode().strip()
        if api.endswith("]"):
            api = api[: api.index("[")] + "[]"
        marks.flows.append((only, Operation(ref, index, words[1], api), words))
        return
    ref, index = on_line(program, path, start, match.start(), _STEPS)
    if match[1] == b"step":
        marks.steps.append(Step(ref, index, StepRole(words[0])))
    else:
        marks.cold.append((only, Cold(ref, index, " ".join(words))))


def _read_step(program: Program, place: Place) -> Step:
    ref, index = read_at(program, place)
    return Step(ref, index, StepRole.READ)


def read_at(program: Program, place: Place) -> tuple[MemberRef, int]:
    """Return the instruction of a read, which begins at its receiver."""
    for number in range(len(program.files[place.path].members)):
        ref = program.ref(place.path, number)
        for index, instr in enumerate(program.body(ref).code):
            whole = place_of(program, ref, index)
            if isinstance(instr, ir.Call | ir.Field) and whole.end == place.end:
                return ref, index
    raise AssertionError(f"no read at {place.path}:{place.start}")


def on_line(
    program: Program, path: str, start: int, end: int, kinds: tuple[type[ir.Instr], ...]
) -> tuple[MemberRef, int]:
    """Return the instruction of one of the ``kinds`` that starts first and ends last between
    offsets."""
    found: list[tuple[int, int, MemberRef, int]] = []
    for number in range(len(program.files[path].members)):
        ref = program.ref(path, number)
        for index, instr in enumerate(program.body(ref).code):
            place = place_of(program, ref, index)
            if isinstance(instr, kinds) and start <= place.start < end:
                found.append((place.start, -place.end, ref, index))
    assert found, f"nothing to mark at {path}:{start}"
    _, _, ref, index = min(found)
    return ref, index
