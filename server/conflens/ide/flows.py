"""What the features about flows share: where an instruction shows, its text, what a target reaches.

Terms: the *spot* of an instruction is the few characters that a person would point at: the name of
the called method, ``new byte[n]``, the head of a loop.  A flow is *sure* when its confidence is high
or medium; only sure flows are counted, low ones are counted apart or not at all.
Invariant: an instruction that the published program does not have (its file or member is gone) has
no spot, and what would be shown of it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.flow.results import (
    Confidence,
    Dependency,
    Flow,
    Operation,
    OptionKey,
    Path,
    Reach,
    counts,
    place_of,
)
from conflens.ide.words import shorten
from conflens.options.model import Option, Read
from conflens.program.program import MemberRef
from conflens.session.analysis import Analysis

KINDS = ("io", "lock", "memory", "thread", "compute")
"""The kinds of operations in the order in which they are shown; kinds of a workspace file follow."""

_HEADS = (ir.If, ir.Loop, ir.ForEach, ir.Switch, ir.Try, ir.Sync, ir.Lambda, ir.Block)


@attrs.frozen
class Reacher:
    """That the option ``key`` reaches an operation; ``flow`` is the surest way it does."""

    key: OptionKey
    flow: Flow
    dependencies: tuple[Dependency, ...]


def reach_of(analysis: Analysis, option: Option, read: Read | None) -> Reach:
    """Return what one read of an option reaches, or all of them."""
    if read is None:
        return analysis.flows.of_option(option.key)
    return analysis.flows.of_read(option.key, read.place)


def prepare(analysis: Analysis, path: str) -> None:
    """Index what requests on a file ask for, so that none of them has to."""
    analysis.flows.operations_in(path)
    for read, option in analysis.options.reads_in.get(path, ()):
        reach_of(analysis, option, read).sure()


def is_sure(flow: Flow) -> bool:
    """Tell whether a flow counts."""
    return flow.confidence is not Confidence.LOW


def sure_counts(reaches: list[Reach]) -> dict[tuple[Dependency, str], int]:
    """Return the counts of sure operations that several reaches have together."""
    if len(reaches) == 1:
        return dict(reaches[0].sure())
    return counts(flow for reach in reaches for flow in reach.flows if is_sure(flow))


def kind_order(kind: str) -> tuple[int, str]:
    """Sort key of kinds."""
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind


def operation_places(analysis: Analysis, flows: Iterable[Flow], limit: int) -> tuple[Place, ...]:
    """Return the spots of the first ``limit`` operations, in order of place."""
    first = islice(dict.fromkeys(flow.operation for flow in flows), limit)
    spots = [spot_of(analysis, operation.ref, operation.index) for operation in first]
    return tuple(sorted({spot for spot in spots if spot is not None}))


def spot_of(analysis: Analysis, ref: MemberRef, index: int) -> Place | None:
    """Return the spot of an instruction; see the module text."""
    instr = _instr(analysis, ref, index)
    if instr is _GONE:
        return None
    place = place_of(analysis.program, ref, index)
    base = analysis.program.member(ref).at
    if isinstance(instr, ir.Call):
        start = base + instr.name_at
        name = instr.name if instr.name != "<init>" else "this"
        return Place(ref.path, start, min(place.end, start + len(name.encode())))
    text = _source(analysis, place)
    if text is None:
        return place
    if isinstance(instr, ir.New):
        paren = text.find(b"(")
        return place if paren < 0 else Place(ref.path, place.start, place.start + paren)
    return Place(ref.path, place.start, place.start + len(_head(text, instr)))


def text_of(analysis: Analysis, ref: MemberRef, index: int, limit: int) -> str:
    """Return an instruction as its source shows it, on one line; empty when that is not known."""
    instr = _instr(analysis, ref, index)
    if instr is _GONE:
        return ""
    place = place_of(analysis.program, ref, index)
    text = _source(analysis, place)
    if text is None:
        return ""
    if isinstance(instr, ir.Call) and (b"\n" in text or len(text) > limit):
        text = text[analysis.program.member(ref).at + instr.name_at - place.start :]
    head = text.split(b"{", 1)[0] if isinstance(instr, ir.New) else _head(text, instr)
    return shorten(head.decode("utf-8", "replace"), limit)


def method_of(analysis: Analysis, ref: MemberRef) -> str:
    """Return ``Type.method`` of a member; a constructor is named after its type."""
    facts = analysis.program.files.get(ref.path)
    owner = ref.owner.rsplit(".", 1)[-1]
    if facts is None or ref.number >= len(facts.members):
        return owner
    name = facts.members[ref.number].name
    return owner if name in ("<init>", "<clinit>") else f"{owner}.{name}"


def operations_at(
    analysis: Analysis, path: str, offset: int
) -> tuple[Place, dict[Operation, tuple[Reacher, ...]]] | None:
    """Return the reached operations that a cursor touches, with who reaches them, surest first.

    Of nested operations the innermost counts.  An answer costs what the member at the cursor holds,
    not what the file does.
    """
    facts = analysis.program.files.get(path)
    if facts is None:
        return None
    best: Place | None = None
    touched: list[Operation] = []
    reached = analysis.flows.operations_in(path)
    for operation in reached:
        number = operation.ref.number
        if number >= len(facts.members):
            continue
        if not facts.members[number].at <= offset <= facts.members[number].end:
            continue
        spot = spot_of(analysis, operation.ref, operation.index)
        if spot is None or not spot.holds(offset):
            continue
        if best is None or spot.end - spot.start < best.end - best.start:
            best, touched = spot, []
        if spot == best:
            touched.append(operation)
    if best is None:
        return None
    return best, {operation: _reachers(reached[operation]) for operation in touched}


def read_place(path: Path, analysis: Analysis) -> Place | None:
    """Return where the read stands that a path begins with."""
    first = path.steps[0]
    return spot_of(analysis, first.ref, first.index)


def option_of(analysis: Analysis, key: OptionKey) -> Option | None:
    """Return the option with a key."""
    return next((option for option in analysis.options.options if option.key == key), None)


def _reachers(flows: list[tuple[OptionKey, Flow]]) -> tuple[Reacher, ...]:
    by_key: dict[OptionKey, list[Flow]] = {}
    for key, flow in flows:
        by_key.setdefault(key, []).append(flow)
    found = [
        Reacher(
            key,
            min(ways, key=_rank),
            tuple(dict.fromkeys(way.dependency for way in sorted(ways, key=_rank))),
        )
        for key, ways in by_key.items()
    ]
    return tuple(sorted(found, key=lambda item: (_rank(item.flow), item.key)))


def _rank(flow: Flow) -> tuple[int, int]:
    return flow.confidence.rank, flow.distance


class _Gone:
    """Stands for an instruction whose member is not there any more."""


_GONE = _Gone()


def _instr(analysis: Analysis, ref: MemberRef, index: int) -> ir.Instr | _Gone | None:
    """The instruction, ``None`` for the member itself."""
    facts = analysis.program.files.get(ref.path)
    if facts is None or ref.number >= len(facts.members):
        return _GONE
    if index < 0:
        return None
    code = analysis.program.body(ref).code
    return code[index] if index < len(code) else None


def _source(analysis: Analysis, place: Place) -> bytes | None:
    facts, text = analysis.program.files.get(place.path), analysis.texts.text(place.path)
    if facts is None or text is None or len(text) != facts.length:
        return None
    return text[place.start : place.end]


def _head(text: bytes, instr: object) -> bytes:
    """The first line; of a statement what stands before its body."""
    head = text.split(b"\n", 1)[0]
    if isinstance(instr, _HEADS):
        head = head.split(b"{", 1)[0]
        if isinstance(instr, ir.Sync):
            head = head[: head.find(b")") + 1] or head
    return head.rstrip()
