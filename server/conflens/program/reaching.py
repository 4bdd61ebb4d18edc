"""Which assignments to a local variable can reach a use of it (JLS 16, in the small).

A *region* is code that may run or not, or again: arms, loop bodies, cases, handlers, lambdas.  Going
backwards from the use, an assignment in a region that the use is in as well has surely happened, so
nothing before it reaches; one in another region may have happened.  Inside a loop, what follows the
use comes before it in the next round, and so does what this round has left out: another arm, or one that ends with
``continue``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.nesting import Nesting

_MEMBER = (-1, -1)
"""What a ``return`` or ``throw`` leaves."""
_NOTE = "reaching"
_SHAPING = (
    ir.Store,
    ir.If,
    ir.Loop,
    ir.ForEach,
    ir.Switch,
    ir.Try,
    ir.Choice,
    ir.ShortCircuit,
    ir.Lambda,
)
"""The instructions that begin a region, and those that assign locals."""


class Region(NamedTuple):
    """``code[start:stop]``; ``loop``: it may run again; of one ``choice`` only one region runs."""

    start: int
    stop: int
    loop: bool
    choice: int = -1


class Reaching(NamedTuple):
    """Assignments that reach a use, latest first; ``entry``: so may the value at the start."""

    stores: tuple[int, ...]
    entry: bool


class _Body(NamedTuple):
    regions: Nesting[Region]
    loops: Nesting[None]
    tries: Nesting[None]
    stores: dict[int, list[int]]
    leaving: dict[Region, tuple[int, int] | None]
    arms: dict[int, int]
    """The number of arms of a choice, of which one surely runs."""
    arms_of: dict[int, list[Region]]
    """The arms of a choice that do not run on into the next, in the order of their instructions."""
    known: dict[tuple[int, int], Reaching]
    """What reaches which use of which local."""

    def between(self, inner: int, other: int) -> list[Region]:
        """Return the regions that hold ``inner`` but not ``other``, innermost first."""
        found: list[Region] = []
        for _, stop, region in self.regions.around(inner):
            if region.start <= other < stop:
                break
            found.append(region)
        return found

    def exclude(self, region: Region, at: int) -> bool:
        """Tell whether ``at`` stands in another arm of the choice that a region is an arm of."""
        if region.choice < 0:
            return False
        arms = self.arms_of[region.choice]
        number = bisect_right(arms, at, key=_start) - 1
        return number >= 0 and arms[number] != region and at < arms[number].stop


def _start(region: Region) -> int:
    return region.start


def reaching(context: Context, slot: int, at: int) -> Reaching:
    """Return the indices of the stores to ``slot`` that reach instruction ``at``."""
    body = _body(context)
    found = body.known.get((slot, at))
    if found is None:
        found = body.known[slot, at] = _find(context, body, slot, at)
    else:
        context.program.meter.spend()
    return found


def _find(context: Context, body: _Body, slot: int, at: int) -> Reaching:
    all_stores = body.stores.get(slot, [])
    spend = context.program.meter.spend
    found: list[int] = []
    missed: list[int] = []  # latest first: runs in another round than the use
    entry = True
    covered: dict[int, set[Region]] = {}
    spend()
    for number in range(bisect_left(all_stores, at) - 1, -1, -1):
        store = all_stores[number]
        outside = body.between(store, at)
        spend(1 + len(outside))
        left = _left(context, body, outside, at)
        if left == _MEMBER:
            continue
        if left is not None or (outside and body.exclude(outside[-1], at)):
            missed.append(store)
            continue
        if len(outside) == 1 and outside[0] in covered.get(outside[0].choice, ()):
            continue
        found.append(store)
        if not outside:
            entry = False
            break
        if len(outside) == 1 and outside[0].choice >= 0:
            covered.setdefault(outside[0].choice, set()).add(outside[0])
            if len(covered[outside[0].choice]) == body.arms.get(outside[0].choice):
                # All arms of one choice assign: nothing from before it remains.
                entry = False
                break
    killed = found[-1] if not entry else -1
    seen = at
    passed = 0
    for loop in body.loops.around(at):
        if killed >= loop.start:
            continue
        # Loops come from the inside out: what an inner one added is not looked at again.
        first, beyond = bisect_right(all_stores, seen), bisect_left(all_stores, loop.stop)
        spend(1 + beyond - first)
        found += all_stores[first:beyond]
        seen = max(seen, loop.stop - 1)
        # What this round does not see is seen by the next.
        while passed < len(missed) and missed[passed] >= loop.start:
            found.append(missed[passed])
            passed += 1
    return Reaching(tuple(found), entry)


def certain(context: Context, instr: int, at: int) -> bool:
    """Tell whether ``instr`` has run, once, whenever ``at`` runs."""
    body = _body(context)
    context.program.meter.spend()
    return not body.between(instr, at) and not any(body.loops.around(instr))


def unconditional(context: Context, instr: int, span: tuple[int, int]) -> bool:
    """Tell whether ``instr`` is in no arm of a choice, and in no loop, that lies within a range of instructions."""
    context.program.meter.spend()
    innermost = next(iter(_body(context).regions.around(instr)), None)
    return innermost is None or (innermost[0] <= span[0] and innermost[1] >= span[1])


def _left(context: Context, body: _Body, regions: list[Region], at: int) -> tuple[int, int] | None:
    """Return what a store leaves before ``at`` because an arm around it ends so: ``_MEMBER``, or a loop's round; ``None`` if it runs on to there."""
    found: tuple[int, int] | None = None
    for region in regions:
        if region not in body.leaving:
            body.leaving[region] = _find_leaving(context, body, region)
        leaving = body.leaving[region]
        if leaving == _MEMBER:
            return leaving
        if leaving is not None and leaving[0] <= at < leaving[1]:
            found = leaving
    return found


def _find_leaving(context: Context, body: _Body, region: Region) -> tuple[int, int] | None:
    """Return what an arm leaves at its end: the member, or the loop of which it begins the next round."""
    if region.choice < 0 or not isinstance(context.code[region.choice], ir.If):
        return None
    last = context.code[region.stop - 1]
    again = isinstance(last, ir.Jump) and last.kind == "continue"
    if not again and not isinstance(last, (ir.Return, ir.Throw)):
        return None
    innermost = next(body.regions.around(region.stop - 1))
    if innermost.start > region.start or any(body.tries.around(region.start)):
        return None
    loop = next(body.loops.around(region.start), None) if again else None
    return _MEMBER if loop is None else (loop.start, loop.stop)


def _ends(context: Context, case: ir.Case) -> bool:
    """Tell whether a case does not run on into the next."""
    if case.arrow or case.start == case.stop:
        return case.arrow
    return isinstance(context.code[case.stop - 1], (ir.Jump, ir.Return, ir.Throw))


def _body(context: Context) -> _Body:
    kept = context.notes.get(_NOTE)
    if isinstance(kept, _Body):
        return kept
    regions: list[Region] = []
    tries: list[tuple[int, int, None]] = []
    stores: dict[int, list[int]] = {}
    arms: dict[int, int] = {}
    for number in context.of_kind(*_SHAPING):
        instr = context.code[number]
        match instr:
            case ir.Store(up=0):
                stores.setdefault(instr.slot, []).append(number)
            case ir.If():
                arms[number] = 2
                regions.append(Region(instr.then_start, instr.else_start, False, number))
                regions.append(Region(instr.else_start, instr.stop, False, number))
            case ir.Loop():
                regions.append(Region(min(instr.test_start, instr.body_start), instr.stop, True))
            case ir.ForEach():
                regions.append(Region(instr.start, instr.stop, True))
            case ir.Switch():
                if any(case.default for case in instr.cases):
                    arms[number] = len(instr.cases)
                regions.extend(
                    Region(case.start, case.stop, False, number if _ends(context, case) else -1)
                    for case in instr.cases
                )
            case ir.Try():
                tries.append((instr.start, instr.stop, None))
                regions.append(Region(instr.start, instr.body_stop, False))
                regions.extend(Region(item.start, item.stop, False) for item in instr.catches)
            case ir.Choice():
                regions.append(Region(instr.then_start, instr.other_start, False, number))
                regions.append(Region(instr.other_start, number, False, number))
            case ir.ShortCircuit():
                regions.append(Region(instr.right_start, number, False))
            case ir.Lambda():
                regions.append(Region(instr.start, instr.stop, True))
            case _:
                pass
    arms_of: dict[int, list[Region]] = {}
    for region in regions:
        if region.choice >= 0 and region.start < region.stop:
            arms_of.setdefault(region.choice, []).append(region)
    loops = [(region.start, region.stop, None) for region in regions if region.loop]
    nesting = Nesting((region.start, region.stop, region) for region in regions)
    body = _Body(nesting, Nesting(loops), Nesting(tries), stores, {}, arms, arms_of, {})
    context.notes[_NOTE] = body
    return body
