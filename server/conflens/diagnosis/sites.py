"""Call instructions behind frames: where in a member the frame below was called.

A frame names the method that ran, a call the static type of its receiver; so calls are matched by name and number of
arguments, and narrowed by line where one is known.  What the compiler calls unwritten (``iterator`` of a
loop, ``close`` of resources, boxes, ``super()``) has no instruction.

Absent: whether a line can be trusted (``lines``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from conflens.diagnosis.frames import FrameIndex
from conflens.facts import ir
from conflens.profiling.model import Frame
from conflens.program.program import Program
from conflens.program.refs import MemberRef


def line_at(program: Program, path: str, offset: int) -> int:
    """Return the 1-based line of a byte offset of a file."""
    return bisect_right(program.files[path].starts, offset)


def call_lines(index: FrameIndex, ref: MemberRef, at: int) -> range:
    """Return the 1-based lines that the compiler may give call ``at``: that of the method's name; for a
    constructor any from ``new`` to the last argument."""
    instr = index.program.body(ref).code[at]
    start = index.program.member(ref).at
    if isinstance(instr, ir.Call):
        line = index.line_at(ref.path, start + instr.name_at)
        return range(line, line + 1)
    first = index.line_at(ref.path, start + instr.at)
    return range(first, index.line_at(ref.path, start + max(instr.at, instr.end - 1)) + 1)


def calls_to(
    index: FrameIndex, ref: MemberRef, callee: Frame, line: int = 0, caller: Frame | None = None
) -> tuple[int, ...]:
    """Return the instructions of ``ref`` that may call what frame ``callee`` runs.

    ``line`` (of the source of today, 0 if unknown) chooses among them if any of them stands there.  ``caller``, the
    frame of ``ref`` itself, tells the code of its lambdas from the rest; without it all is looked at.
    """
    found = index.calls_of(ref).get(callee.method, [])
    if not found:
        return ()
    code = index.program.body(ref).code
    if callee.method == "<init>":
        found = [at for at in found if _makes(index, ref, code[at], callee)]
    found = _run_by(index, ref, found, caller)
    if len(found) > 1:
        found = _counted(index, code, found, callee)
    if line and len(found) > 1:
        here = [at for at in found if line in call_lines(index, ref, at)]
        found = here or found
    return tuple(found)


def calls_on(
    index: FrameIndex, ref: MemberRef, line: int, caller: Frame | None = None
) -> tuple[int, ...]:
    """Return the calls of ``ref`` on a line, for a callee whose name says nothing: a lambda's body."""
    code = index.program.body(ref).code
    found = [
        at
        for at, instr in enumerate(code)
        if isinstance(instr, ir.Call) and line in call_lines(index, ref, at)
    ]
    return tuple(_run_by(index, ref, found, caller))


def runs(index: FrameIndex, ref: MemberRef, at: int, caller: Frame) -> bool:
    """Tell whether frame ``caller`` of ``ref`` itself runs instruction ``at``, not a lambda in it or around it."""
    return bool(_run_by(index, ref, [at], caller))


def _run_by(
    index: FrameIndex, ref: MemberRef, found: list[int], caller: Frame | None
) -> list[int]:
    """Return the instructions that a frame of ``ref`` itself runs, not those of lambdas in it or around it."""
    lambdas = index.lambdas_of(ref) if caller is not None else ()
    if caller is None or not lambdas:
        return found
    ranges = [(item.start, item.stop) for item in lambdas if item is not None]
    if not ranges:
        return found
    if not caller.method.startswith("lambda$"):
        return [at for at in found if not any(start <= at < stop for start, stop in ranges)]
    chosen = index.lambda_range(caller, ref)
    return [
        at
        for at in found
        if (inner := next((pair for pair in ranges if pair[0] <= at < pair[1]), None)) is not None
        and chosen in (None, inner)
    ]


def _makes(index: FrameIndex, ref: MemberRef, instr: ir.Instr, callee: Frame) -> bool:
    """Tell whether an instruction may run the constructor ``callee``."""
    known = index.type_of(callee)
    decl = index.program.files[known[0]].types[known[1]] if known is not None else None
    if not isinstance(instr, ir.New):
        return decl is None or bool(decl.name)
    if decl is None or decl.name:
        name = decl.name if decl is not None else _last(callee.owner)
        return instr.body < 0 and _simple(instr.type) == name
    assert known is not None
    return known[0] == ref.path and decl.member == ref.number and decl.ordinal == instr.body


def _counted(
    index: FrameIndex, code: Sequence[ir.Instr], found: list[int], callee: Frame
) -> list[int]:
    """Return the calls with as many arguments as the callee takes; all if that leaves none."""
    ref = index.locate(callee)
    if ref is not None and index.program.member(ref).kind in ("method", "constructor"):
        member = index.program.member(ref)
        count, variable = len(member.params), member.varargs
    else:
        signature = index.signature(callee.descriptor)
        if signature is None or callee.method == "<init>":
            return found
        count = len(signature.params)
        variable = bool(signature.params) and signature.params[-1].dimensions > 0
    fitting = []
    for at in found:
        instr = code[at]
        assert isinstance(instr, (ir.Call, ir.New))
        given = len(instr.args)
        if given == count or (variable and given >= count - 1):
            fitting.append(at)
    return fitting or found


def _simple(text: str) -> str:
    """Return the last name of a type text, without type arguments."""
    return text.partition("<")[0].rpartition(".")[2]


def _last(owner: str) -> str:
    """Return the simple name of a class by its binary name."""
    return owner.rpartition(".")[2].rpartition("$")[2]
