"""What the features about flows share: where an instruction shows, its text, what a target reaches.

Terms: the *spot* of an instruction is the few characters that a person would point at: the name of
the called method, ``new byte[n]``, the head of a loop.  A flow is *sure* when its confidence is high
or medium; only sure flows are counted, low ones are counted apart or not at all.  A *log* call is an
I/O operation too, but servers log everywhere: it is shown as a kind of its own, last, and where
there is little room not at all.
Invariant: an instruction that the published program does not have (its file or member is gone) has
no spot, and what would be shown of it is left out.
"""

from __future__ import annotations

import re
from collections import Counter
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
    place_of,
)
from conflens.options.model import Option, Read
from conflens.program.refs import MemberRef
from conflens.render.phrases import shorten
from conflens.session.analysis import Analysis

KINDS = ("io", "lock", "memory", "thread", "compute")
"""The kinds of operations in the order in which they are shown; kinds of a workspace file follow, and
``LOG`` is last."""
LOG = "log"
DEPENDENCIES = (Dependency.LOOP, Dependency.DIRECT, Dependency.BRANCH)
"""Most telling first: loops multiply costs, and a branch says the least."""
_LOG_CALL = re.compile(
    r"(?:.*\.)?(?:\w*Logger|Log|Category|LoggingEventBuilder)\.\w+|.*\bprintStackTrace"
)

_OPEN, _CLOSE, _NEWLINE = b"()\n"
_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_MAX_HEAD = 2000
_CALLS = (ir.Call, ir.New)
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
        reach_of(analysis, option, read).nearest()


def is_sure(flow: Flow) -> bool:
    """Tell whether a flow counts."""
    return flow.confidence is not Confidence.LOW


def is_telling(flow: Flow) -> bool:
    """Tell whether a flow counts where there is little room: it is sure and no log call."""
    return is_sure(flow) and not is_log(flow.operation)


def is_log(operation: Operation) -> bool:
    """Tell whether an operation writes to a log."""
    return operation.kind == "io" and _LOG_CALL.fullmatch(operation.api) is not None


def shown_kind(operation: Operation) -> str:
    """Return the kind of an operation as it is shown."""
    return LOG if is_log(operation) else operation.kind


def sure_counts(reaches: Iterable[Reach]) -> dict[tuple[Dependency, str], int]:
    """Return how many sure operations of each shown kind reaches have together, in each way."""
    seen: dict[tuple[Dependency, str], set[Operation]] = {}
    for reach in reaches:
        for flow in reach.flows:
            if is_sure(flow):
                seen.setdefault((flow.dependency, flow.operation.kind), set()).add(flow.operation)
    found: dict[tuple[Dependency, str], int] = {}
    for (dependency, kind), operations in seen.items():
        logs = sum(map(is_log, operations)) if kind == "io" else 0
        if len(operations) > logs:
            found[dependency, kind] = len(operations) - logs
        if logs:
            found[dependency, LOG] = found.get((dependency, LOG), 0) + logs
    return found


def most_telling(flows: Iterable[Flow]) -> list[Flow]:
    """Order flows for a person: log calls last, the sure before the others, the nearest first; of those
    equally near each API once before any twice, the surest first, and loops before the rest."""
    times: Counter[tuple[object, ...]] = Counter()
    keyed = []
    for flow in flows:
        near = is_log(flow.operation), not is_sure(flow), flow.distance
        times[*near, flow.operation.api] += 1
        way = flow.confidence.rank, DEPENDENCIES.index(flow.dependency)
        keyed.append(((*near, times[*near, flow.operation.api], *way), flow))
    return [flow for _, flow in sorted(keyed, key=lambda item: item[0])]


def kind_order(kind: str) -> tuple[int, str]:
    """Sort key of kinds."""
    if kind == LOG:
        return len(KINDS) + 1, kind
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
    if isinstance(instr, (ir.If, ir.Loop, ir.ForEach)):
        head = _closed(_uncommented(text).split(b"{", 1)[0])
    elif isinstance(instr, _HEADS):
        head = _head(text, instr)
    else:
        head = _uncommented(text)
        head = head.split(b"{", 1)[0] if isinstance(instr, ir.New) else head
    return shorten(head.decode("utf-8", "replace"), limit)


def operation_text(analysis: Analysis, operation: Operation, limit: int) -> str:
    """Return an operation as its source shows it, or else its API; arguments that have no room
    become ``…``."""
    ref, index = operation.ref, operation.index
    text = text_of(analysis, ref, index, limit)
    if index < 0:
        return f"{operation.api} {text}".rstrip()
    if text_of(analysis, ref, index, _MAX_HEAD) == text:
        return text or operation.api
    spot, start = spot_of(analysis, ref, index), place_of(analysis.program, ref, index).start
    head = _source(analysis, Place(ref.path, start, spot.end)) if spot is not None else None
    if spot is None or head is None or not isinstance(_instr(analysis, ref, index), _CALLS):
        return text
    for named in (head, head[spot.start - start :]):
        shown = " ".join(named.decode("utf-8", "replace").split()) + "(…)"
        if len(shown) <= limit:
            return shown
    return text


def method_of(analysis: Analysis, ref: MemberRef) -> str:
    """Return ``Type.method`` of a member, ``new Type`` of a constructor."""
    facts = analysis.program.files.get(ref.path)
    owner = ref.owner.rsplit(".", 1)[-1]
    if facts is None or ref.number >= len(facts.members):
        return owner
    name = facts.members[ref.number].name
    if name == "<init>":
        return f"new {owner}"
    return owner if name == "<clinit>" else f"{owner}.{name}"


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


def _rank(flow: Flow) -> tuple[int, int, bool]:
    return flow.confidence.rank, flow.distance, flow.dependency is not Dependency.DIRECT


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


def _uncommented(text: bytes) -> bytes:
    """The start of a source text without comments; slashes in a string literal end no text."""
    return _COMMENT.sub(lambda found: found[0] if found[0][:1] == b'"' else b" ", text[:_MAX_HEAD])


def _closed(head: bytes) -> bytes:
    """A condition up to its closing parenthesis, over as many lines as it takes."""
    depth = 0
    for at, char in enumerate(head):
        depth += (char == _OPEN) - (char == _CLOSE)
        if char == _CLOSE and depth == 0:
            return head[: at + 1]
        if char == _NEWLINE and depth == 0:
            return head[:at]
    return head


def _head(text: bytes, instr: object) -> bytes:
    """The first line; of a statement what stands before its body."""
    head = text.split(b"\n", 1)[0]
    if isinstance(instr, _HEADS):
        head = head.split(b"{", 1)[0]
        if isinstance(instr, ir.Sync):
            head = head[: head.find(b")") + 1] or head
    return head.rstrip()
