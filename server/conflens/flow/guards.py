"""What a condition governs: its arms, the rest after an abrupt arm, the body of a loop.

Terms
    arm      a range that runs for some outcomes of the condition only.
    rest     what follows the condition in its block and is left out when an arm is left abruptly
             (``return``, ``throw``, ``break``, ``continue``).  An arm that leaves a loop decides how
             often the loop runs instead.
    refusal  an arm that ends in an exception, thrown or handed back in a failed result (``refusals``); it counts with a doubt, and so
             does what it leaves out.

Ranges are half-open index ranges of the body.  What a ``finally`` holds runs in any case.  Absent:
values (``slices``), what stands in a range (``below``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.refusals import fails, is_refusal
from conflens.flow.results import Dependency
from conflens.program.nesting import Nesting

Range = tuple[int, int]
_NOTE = "flow.guards"
_LEAVING = "flow.leaving"
_REPEATED = "flow.repeated"
_DECIDING = (
    ir.If,
    ir.Choice,
    ir.Loop,
    ir.ForEach,
    ir.Switch,
    ir.ShortCircuit,
    ir.Block,
    ir.Sync,
)
"""The instructions that test a value, and those around which control may leave."""
_REFUSING = "flow.refusing"


class Governed(NamedTuple):
    """One way in which a condition takes hold; ``arms`` are what it decides between."""

    dependency: Dependency
    ranges: tuple[Range, ...]
    arms: tuple[Range, ...]
    refusal: bool = False


class Conditions(NamedTuple):
    """The conditions of a body: from the value that is tested to the instructions that test it."""

    tested: dict[int, list[int]]
    loops: Nesting[int]
    """Loops and for-eaches, by what they run again and again."""
    scopes: Nesting[int]
    """The same, with what stands before their first round."""
    blocks: Nesting[int]
    """Blocks and what is synchronised."""
    exits: Nesting[int]
    """What a jump can go to: loops, switches, labelled blocks."""
    ending: dict[int, list[int]]
    """What has an ``else``, by where it stops, outermost first."""


def conditions(code: Code) -> Conditions:
    """Return the conditions of a body, worked out once."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, Conditions):
        return kept
    tested: dict[int, list[int]] = {}
    loops: list[int] = []
    blocks: list[int] = []
    exits: list[int] = []
    ending: dict[int, list[int]] = {}
    for index in code.context.of_kind(*_DECIDING):
        instr = code.code[index]
        match instr:
            case ir.If() | ir.Choice():
                tested.setdefault(instr.test, []).append(index)
                if isinstance(instr, ir.If) and instr.else_start < instr.stop:
                    ending.setdefault(instr.stop, []).append(index)
            case ir.Loop():
                loops.append(index)
                if instr.test != NONE:
                    tested.setdefault(instr.test, []).append(index)
            case ir.ForEach():
                loops.append(index)
                tested.setdefault(instr.iterable, []).append(index)
            case ir.Switch():
                tested.setdefault(instr.subject, []).append(index)
                for case in instr.cases:
                    if case.guard != NONE:
                        tested.setdefault(case.guard, []).append(index)
            case ir.ShortCircuit():
                tested.setdefault(instr.left, []).append(index)
            case ir.Block():
                blocks.append(index)
                if instr.label:
                    exits.append(index)
            case ir.Sync():
                blocks.append(index)
            case _:
                continue
        if isinstance(instr, (ir.Loop, ir.ForEach, ir.Switch)):
            exits.append(index)
    repeated_ = [(*loop_range(code.code[number]), number) for number in loops]
    scopes = [(number + 1, stop, number) for _, stop, number in repeated_]
    found = Conditions(
        tested,
        Nesting(repeated_),
        Nesting(scopes),
        Nesting((number + 1, _stop(code, number), number) for number in blocks),
        Nesting((number + 1, _stop(code, number), number) for number in exits),
        ending,
    )
    code.context.notes[_NOTE] = found
    return found


def labels(code: Code) -> Iterator[int]:
    """Yield the values with which ``switch`` compares."""
    for number in code.context.of_kind(ir.Switch):
        switch = code.code[number]
        if isinstance(switch, ir.Switch):
            for case in switch.cases:
                yield from case.labels


def _stop(code: Code, number: int) -> int:
    stop: int = code.code[number].stop  # type: ignore[union-attr]
    return stop


def governed(code: Code, at: int) -> Iterator[Governed]:
    """Yield what the condition of instruction ``at`` governs."""
    instr = code.code[at]
    match instr:
        case ir.If():
            yield from _of_if(code, at, instr)
        case ir.Choice():
            arms = _real((instr.then_start, instr.other_start), (instr.other_start, at))
            yield Governed(Dependency.BRANCH, arms, arms)
        case ir.ShortCircuit():
            arms = _real((instr.right_start, at))
            yield Governed(Dependency.BRANCH, arms, arms)
        case ir.Switch():
            yield from _of_switch(code, at, instr)
        case ir.Loop() | ir.ForEach():
            whole = loop_range(instr)
            yield Governed(Dependency.LOOP, repeated(code, at), (whole,))
        case _:
            pass


def meant(code: Code, at: int) -> Iterator[Governed]:
    """Yield what runs because a test says that an option is meant: the arm for yes.

    If that arm returns, what follows in the block runs because the option is not meant.
    """
    instr = code.code[at]
    if isinstance(instr, ir.If):
        then = (instr.then_start, instr.else_start)
        arms = _real(then)
        exit_ = leaving(code, then)
        ranges = arms
        if exit_ is not None and isinstance(code.code[exit_], ir.Return):
            ranges = (*arms, *rest_of_block(code, at, instr.stop))
        yield Governed(Dependency.BRANCH, ranges, arms)


def loop_range(loop: ir.Instr) -> Range:
    """Return everything that a loop runs again and again."""
    if isinstance(loop, ir.Loop):
        return min(loop.test_start, loop.body_start), loop.stop
    assert isinstance(loop, ir.ForEach)
    return loop.start, loop.stop


def repeated(code: Code, loop: int) -> tuple[Range, ...]:
    """Return what a loop repeats: its code without the arms that always leave it."""
    kept = code.context.notes.setdefault(_REPEATED, {})
    assert isinstance(kept, dict)
    found: tuple[Range, ...] | None = kept.get(loop)
    if found is None:
        found = kept[loop] = _find_repeated(code, loop)
    return found


def _find_repeated(code: Code, loop: int) -> tuple[Range, ...]:
    start, stop = loop_range(code.code[loop])
    parts: list[Range] = []
    at = start
    first, beyond = bisect_left(code.branches, start), bisect_left(code.branches, stop)
    code.context.program.meter.spend(beyond - first)
    for number in code.branches[first:beyond]:
        instr = code.code[number]
        assert isinstance(instr, ir.If)
        if not at <= number < stop:
            continue
        for arm in _real((instr.then_start, instr.else_start), (instr.else_start, instr.stop)):
            exit_ = leaving(code, arm)
            if exit_ is None:
                continue
            last = code.code[exit_]
            if isinstance(last, ir.Jump):
                target = jumped_to(code, exit_)
                if last.kind == "continue" or target is None or target > loop:
                    continue
            parts.append((at, arm[0]))
            at = max(at, arm[1])
    parts.append((at, stop))
    return _real(*parts)


def enclosing_loops(code: Code, index: int) -> list[int]:
    """Return the loops around an instruction within its lambda, innermost first."""
    loops = conditions(code).loops
    if not loops:
        return []
    around = code.lambda_of(index)
    start = code.code[around].start if around != NONE else -1  # type: ignore[union-attr]
    found = [one.item for one in loops.around(index) if one.item >= start]
    code.context.program.meter.spend(1 + len(found))
    return found


def _holds(span: Range, index: int) -> bool:
    return span[0] <= index < span[1]


def _real(*ranges: Range) -> tuple[Range, ...]:
    return tuple(span for span in ranges if span[0] < span[1])


def _of_if(code: Code, at: int, instr: ir.If) -> Iterator[Governed]:
    then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
    arms = _real(then, other)
    exits = [(arm, leaving(code, arm)) for arm in (then, other)]
    rests = [(arm, exit_) for arm, exit_ in exits if exit_ is not None]
    refused = [arm for arm, exit_ in rests if is_refusal(code, exit_)]
    failed = [arm for arm, exit_ in rests if arm in refused or fails(code, exit_)]
    if len(rests) == 2 or not rests:
        yield from _weighed(code, at, instr, arms, arms, (), refused, failed)
        return
    _, exit_ = rests[0]
    rest = rest_of_block(code, at, instr.stop)
    decided = (*arms, *rest)
    if refused:
        yield from _weighed(code, at, instr, arms, decided, rest, refused, failed)
        return
    left = list(_loops_left(code, exit_))
    run = arms if left else decided
    yield from _weighed(code, at, instr, run, decided, (), refused, failed)
    yield from left


def _weighed(
    code: Code,
    at: int,
    instr: ir.If,
    run: tuple[Range, ...],
    decided: tuple[Range, ...],
    rest: tuple[Range, ...],
    refused: list[Range],
    failed: list[Range],
) -> Iterator[Governed]:
    """Yield what an ``if`` decides to ``run``; an arm that refuses the value, and what it leaves out, have the doubt, also behind ``else``.

    The last ``else`` of a chain refuses what none of its links is for: that says nothing against them.
    """
    doubtful = set(failed)
    if len(refused) == 1 and (refused[0][0] == instr.then_start or not _is_link(code, at, instr)):
        doubtful |= {arm for arm in run if arm not in refused}
    sure = tuple(arm for arm in run if arm not in doubtful)
    yield Governed(Dependency.BRANCH, sure, decided)
    unsure = (*(arm for arm in run if arm in doubtful), *rest)
    if unsure:
        yield Governed(Dependency.BRANCH, unsure, decided, refusal=True)


def refusing(code: Code) -> tuple[Range, ...]:
    """Return the arms of a body that refuse a value: what runs there runs on the way to a failure."""
    kept = code.context.notes.get(_REFUSING)
    if isinstance(kept, tuple):
        return kept
    code.context.program.meter.spend(1 + len(code.branches))
    found: list[Range] = []
    for number in code.branches:
        instr = code.code[number]
        assert isinstance(instr, ir.If)
        for arm in _real((instr.then_start, instr.else_start), (instr.else_start, instr.stop)):
            exit_ = leaving(code, arm)
            if exit_ is not None and (is_refusal(code, exit_) or fails(code, exit_)):
                found.append(arm)
    code.context.notes[_REFUSING] = tuple(found)
    return tuple(found)


def _is_link(code: Code, at: int, instr: ir.If) -> bool:
    """Tell whether an ``if`` ends a chain of ``else if``."""
    for number in conditions(code).ending.get(instr.stop, ()):
        code.context.program.meter.spend()
        outer = code.code[number]
        if number < at and isinstance(outer, ir.If) and outer.else_start <= at:
            return True
    return False


def _loops_left(code: Code, exit_: int) -> Iterator[Governed]:
    """Yield the loops that an abrupt arm leaves: how often they run depends on the condition."""
    jump = code.code[exit_]
    loops = enclosing_loops(code, exit_)
    if isinstance(jump, ir.Jump):
        target = jumped_to(code, exit_)
        if target is None or jump.kind == "continue":
            loops = []
        else:
            inside = [loop for loop in loops if target <= loop]
            loops = inside
    for loop in loops:
        whole = loop_range(code.code[loop])
        yield Governed(Dependency.LOOP, repeated(code, loop), (whole,))


def jumped_to(code: Code, index: int) -> int | None:
    """Return the loop (or labelled block, or switch) that a jump leaves or goes on with."""
    jump = code.code[index]
    assert isinstance(jump, ir.Jump)
    for around in conditions(code).exits.around(index):
        number = around.item
        instr = code.code[number]
        code.context.program.meter.spend()
        match instr:
            case ir.Loop() | ir.ForEach():
                if not jump.label and _holds(loop_range(instr), index):
                    return number
            case ir.Switch():
                if not jump.label and jump.kind == "break":
                    return number
            case ir.Block():
                if jump.label and instr.label == jump.label:
                    inner = number + 1
                    while inner < index and not isinstance(
                        code.code[inner], (ir.Loop, ir.ForEach)
                    ):
                        inner += 1
                    return inner if inner < index else number
            case _:
                pass
    return None


def _of_switch(code: Code, at: int, instr: ir.Switch) -> Iterator[Governed]:
    code.context.program.meter.spend(len(instr.cases))
    arms = _real(*((case.start, case.stop) for case in instr.cases))
    ranges = list(arms)
    for arm in arms:
        exit_ = leaving(code, arm)
        if exit_ is None or isinstance(code.code[exit_], ir.Throw):
            continue
        if isinstance(code.code[exit_], ir.Return) and _yields(code.code[exit_]):
            continue
        if len(arms) > 1 or not any(case.default for case in instr.cases):
            ranges.extend(rest_of_block(code, at, instr.stop))
            break
    yield Governed(Dependency.BRANCH, tuple(ranges), arms)


def _yields(instr: ir.Instr) -> bool:
    return isinstance(instr, ir.Return) and instr.kind == "yield"


def leaving(code: Code, arm: Range) -> int | None:
    """Return the instruction by which an arm always leaves what it stands in, if it does."""
    kept = code.context.notes.setdefault(_LEAVING, {})
    assert isinstance(kept, dict)
    if arm not in kept:
        _leave(code, arm, kept)
    found = kept[arm]
    return found if isinstance(found, int) else None


def _leave(code: Code, arm: Range, kept: dict[Range, int | None]) -> None:
    """Note how an arm is left, and the arms after ``else`` that end where it ends.

    A chain of ``else if`` is as long as a file; it is looked at from its end on, without recursion.  Only arms within arms recurse,
    which a lowered body nests no deeper than ``facts.bodies.DEPTH``.
    """
    start, stop = arm
    if _note_last(code, arm, kept):
        return
    # The last statement of the arm may be an ``if`` that leaves on both sides.
    ending = conditions(code).ending.get(stop, ())
    found: int | None = None
    for number in reversed(ending[bisect_left(ending, start) :]):
        instr = code.code[number]
        assert isinstance(instr, ir.If)
        other = (instr.else_start, stop)
        if other not in kept and not _note_last(code, other, kept):
            kept[other] = found
        second = kept[other]
        if second is not None and leaving(code, (instr.then_start, instr.else_start)) is not None:
            found = second
    kept[arm] = found


def _note_last(code: Code, arm: Range, kept: dict[Range, int | None]) -> bool:
    """Note how an arm is left if its last instruction decides that; tell whether it does."""
    start, stop = arm
    index = stop - 1
    if index < start:
        kept[arm] = None
        return True
    if code.region(index)[0] > start:
        return False
    last = code.code[index]
    if isinstance(last, ir.Throw):
        kept[arm] = index
    elif isinstance(last, ir.Return):
        kept[arm] = None if last.kind == "yield" else index
    elif isinstance(last, ir.Jump):
        target = jumped_to(code, index)
        own = target is not None and (start <= target or isinstance(code.code[target], ir.Switch))
        kept[arm] = None if own else index
    else:
        return False
    return True


def rest_of_block(code: Code, at: int, stop: int) -> tuple[Range, ...]:
    """Return what follows ``stop`` in the block in which instruction ``at`` stands."""
    end = code.region(at)[1]
    for around in conditions(code).blocks.around(at):
        code.context.program.meter.spend()
        end = min(end, around.stop)
    for loop in enclosing_loops(code, at)[:1]:
        instr = code.code[loop]
        if isinstance(instr, ir.Loop) and instr.kind == "do":
            end = min(end, instr.test_start) if instr.test_start > at else end
    return _real((stop, end))
