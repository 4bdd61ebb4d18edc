"""What values code surely rejects: checks that throw right after a read, closed sets, and what texts are parsed.

Terms
    check      a comparison of a value with a constant, one outcome of which surely throws: an ``if`` whose arm throws, or a
               call that throws unless its argument holds (``CheckRow``).
    absence    a test whether there is a value at all; code behind one runs for every value that is there.
    sure       reached from the read by every value: no other condition, way out or handler lies between.

Only the body that reads the value is looked at, and only what a local, a field or a conversion holds of the value itself.
A condition with ``&&`` rejects nothing by itself; ``x != -1 && x < 5`` leaves a value that stands for "none".
Absent: what declarations state, and how all of it is put together (``limits``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.kinds import enum_constants, kind_of
from conflens.flow.uses import Uses
from conflens.models.load import Models
from conflens.models.schema import RECEIVER, RETURN
from conflens.options.inference.caught import catches_failures
from conflens.options.inference.conditions import ORDERINGS, comparisons
from conflens.options.inference.uses import UseReader
from conflens.options.limits import joined, looked_up
from conflens.options.model import UNLIMITED, Limits
from conflens.options.sites import Inference
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef

_NOTE = "options.checks"
_TESTS = "options.tests-of-regions"
_TRIED = -2
_FOLDS = frozenset({"toUpperCase", "toLowerCase", "upperCase", "lowerCase"})
"""Methods of texts, and of libraries that take texts, which make all letters alike."""
_KEEPS = frozenset(
    {"trim", "strip", "toString", "intern", "intValue", "longValue", "doubleValue", "floatValue"}
)
_ABSENT = re.compile(r"is(?:Not)?(?:Null|Empty|Blank|Present)(?:Or(?:Empty|Blank))?\Z")
_KIND_OF = {"integer": "integer", "fraction": "fraction", "true-only": "boolean"}
_PICKS = frozenset(
    {"substring", "split", "replace", "replaceAll", "endsWith", "charAt", "matches", "equals"}
)
"""Methods of texts by which a wrapper takes more than a plain number."""

_STEPS = 60
_DEPTH = 3
_NUMBERS = frozenset({"integer", "fraction"})


class _Check(NamedTuple):
    """``value op other`` is rejected; ``at`` is the instruction that rejects it, ``place`` the comparison."""

    op: str
    other: int
    at: int
    place: int


class _Reached(NamedTuple):
    """An instruction that holds the followed value; ``folded``: its case was changed on the way."""

    value: int
    folded: bool


@attrs.frozen
class Stated:
    """Limits, and of a closed set its values."""

    limits: Limits
    values: tuple[str, ...] = ()


NOTHING = Stated(UNLIMITED)


def limited(found: Inference, stated: Stated) -> Inference:
    """Return what is known of a value with what a body demands of it."""
    limits = joined([found.limits, stated.limits])
    return attrs.evolve(found, limits=limits, allowed=stated.values)


class LimitReader:
    """Reads limits out of bodies of one program."""

    def __init__(self, uses: Uses, reader: UseReader, models: Models) -> None:
        """Look into bodies by ``uses``."""
        self.uses = uses
        self.reader = reader
        self.models = models
        self.program = uses.program

    def of_values(self, ref: MemberRef, starts: Sequence[int]) -> Stated:
        """Return what the body of ``ref`` demands of the value that stands at ``starts``."""
        code = self.uses.code(ref)
        found = [item for start in starts for item in self._of_value(code, start)]
        if not found:
            return NOTHING
        closed = [item for item in found if item.limits.closed]
        return Stated(joined([item.limits for item in found]), closed[0].values if closed else ())

    def of_parameter(self, ref: MemberRef, slot: int) -> Stated:
        """Return what a setter demands of its parameter."""
        code = self.uses.code(ref)
        if code.stores.get(slot):
            return NOTHING
        return self.of_values(ref, code.loads.get(slot, ()))

    def of_field(self, ref: MemberRef) -> Stated:
        """Return the closed set in which a body looks up the text that a container puts into a field.

        A field that code fills as well holds what it makes of the value."""
        for context, store in self.uses.values.stores(ref):
            if context.ref != ref and not isinstance(context.code[store.value], ir.Load):
                return NOTHING
        starts: dict[MemberRef, list[int]] = {}
        for code, index in self.uses.loads(ref).found:
            starts.setdefault(code.ref, []).append(index)
        stated = (self.of_values(body, places) for body, places in sorted(starts.items()))
        return next((one for one in stated if one.limits.closed), NOTHING)

    def of_wrapper(self, ref: MemberRef) -> tuple[str, frozenset[str]]:
        """Return what texts a method of the project takes that reads for its caller, and the files that say so."""
        parsed, files = self._parsed_in(ref, 0)
        return next(iter(parsed)) if len(parsed) == 1 else "", files

    def _parsed_in(self, ref: MemberRef, depth: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return what a method or those that it calls parse, with ``""`` for a text of which they take a part."""
        return self.uses.values.trail.remembered(
            ("parsed", ref, depth), lambda: self._find_parsed(ref, depth)
        )

    def _find_parsed(self, ref: MemberRef, depth: int) -> tuple[frozenset[str], frozenset[str]]:
        code = self.uses.code(ref)
        own: set[str] = set()
        inner: set[str] = set()
        files = {ref.path}
        for index, call in code.context.calls():
            row = self.uses.rows.value(code, index, 0)
            if isinstance(call, ir.Call) and call.name in _PICKS:
                own.add("")
            elif row is not None and row.type.startswith("java.lang."):
                own.update(() if is_caught(code, index) else _parsed(row.type, row.value_type))
            elif depth < _DEPTH:
                for target in code.context.targets(index)[:1]:
                    said, more = self._parsed_in(target, depth + 1)
                    files |= more
                    inner |= said
        kind = kind_of(self.program, self.program.return_type(ref))
        fits = frozenset(one for one in own or inner if not one or _KIND_OF.get(one) == kind)
        return fits, frozenset(files)

    # -- one value -------------------------------------------------------------------------------------

    def _of_value(self, code: Code, start: int) -> Iterator[Stated]:
        checks = self._checks(code)
        for value, folded in self._reach(code, start):
            for check in checks.get(value, ()):
                number = self.uses.transfer.number(code, check.other)
                if number is not None and is_sure(code, start, check.at, rejects=True):
                    place = _place(code, check.place)
                    yield Stated(_bound(check.op, number, place))
            for taker in dict.fromkeys(code.takers.get(value, ())):
                instr = code.code[taker]
                if isinstance(instr, (ir.Call, ir.New)):
                    yield from self._call(code, start, taker, instr, value, folded)
                elif isinstance(instr, ir.Switch) and instr.subject == value:
                    yield from self._switch(code, start, taker, instr, folded)

    def _call(
        self,
        code: Code,
        start: int,
        index: int,
        call: ir.Call | ir.New,
        value: int,
        folded: bool,
    ) -> Iterator[Stated]:
        for place, arg in enumerate(call.args):
            row = self.uses.rows.value(code, index, place) if arg == value else None
            if row is None and arg == value:
                yield from self._factory(code, start, index, folded)
            if row is None or not row.type.startswith("java.lang."):
                continue
            if row.value_type == "mode":
                values = self.reader.enum_values(code, index)
                if values and is_sure(code, start, index, rejects=True):
                    limits = Limits(closed=True, place=_place(code, index), ignores_case=folded)
                    yield Stated(limits, values)
            elif is_sure(code, start, index, rejects=False) and not is_caught(code, index):
                for accepts in _parsed(row.type, row.value_type):
                    yield Stated(Limits(accepts=accepts))

    def _factory(self, code: Code, start: int, index: int, folded: bool) -> Iterator[Stated]:
        """Judge a call of a method that makes a constant of the project's own enum of its name (``Level.of(text)``)."""
        targets = code.context.targets(index)
        if len(targets) != 1 or len(self.program.member(targets[0]).params) != 1:
            return
        target = targets[0]
        values = enum_constants(self.program, self.program.return_type(target))
        self.uses.code(target)
        found = looked_up(self.program, target) if values else None
        if found is not None and is_sure(code, start, index, rejects=True):
            folds = folded or found.ignores_case
            yield Stated(
                attrs.evolve(found, ignores_case=folds, place=_place(code, index)), values
            )

    def _switch(
        self, code: Code, start: int, index: int, switch: ir.Switch, folded: bool
    ) -> Iterator[Stated]:
        default = next((case for case in switch.cases if case.default), None)
        if (
            default is None
            or default.labels
            or not ends_in_exception(code, default.start, default.stop)
        ):
            return
        texts = [
            self.uses.transfer.constant(code, label)
            for case in switch.cases
            for label in case.labels
        ]
        if all(texts) and len(texts) > 1 and is_sure(code, start, index, rejects=True):
            limits = Limits(closed=True, place=_place(code, index), ignores_case=folded)
            yield Stated(limits, tuple(text for text in texts if text))

    def _reach(self, code: Code, start: int) -> Iterator[_Reached]:
        """Yield where the body holds the very value of ``start``."""
        queue = [_Reached(start, folded=False)]
        seen = {start}
        for _ in range(_STEPS):
            if not queue:
                return
            here = queue.pop(0)
            yield here
            for index in code.takers.get(here.value, ()):
                for value, folds in self._next(code, here.value, index):
                    if value not in seen:
                        seen.add(value)
                        queue.append(_Reached(value, here.folded or folds))

    def _next(self, code: Code, value: int, index: int) -> Iterator[tuple[int, bool]]:
        instr = code.code[index]
        match instr:
            case ir.Store(up=0):
                for load in code.loads.get(instr.slot, ()):
                    if load > index:
                        seen = reaching(code.context, instr.slot, load)
                        if seen.stores == (index,) and not seen.entry:
                            yield load, False
            case ir.StoreField() if instr.value == value:
                for load in self._loads(code, index, instr):
                    yield load, False
            case ir.Cast():
                yield index, False
            case ir.Choice() if instr.test != value and _is_absence(code, instr.test):
                yield index, False
            case ir.Call() if instr.object == value:
                if instr.name in _FOLDS:
                    yield index, True
                elif instr.name in _KEEPS and not instr.args:
                    yield index, False
            case ir.Call() if instr.name in _FOLDS:
                yield index, True
            case ir.Call() | ir.New():
                if self._passes(code, index, instr, value):
                    yield index, False
            case _:
                pass

    def _passes(self, code: Code, index: int, call: ir.Call | ir.New, value: int) -> bool:
        """Tell whether a call returns what it is given, perhaps parsed."""
        for place, arg in enumerate(call.args):
            if arg != value:
                continue
            row = self.uses.rows.value(code, index, place)
            if row is not None:
                return row.type.startswith("java.lang.") and row.value_type in _NUMBERS
            return any(
                conversion.target == RETURN
                and len(conversion.sources) == 1
                and conversion.sources[0] != RECEIVER
                and conversion.value_type is None
                and conversion.type != "java.lang.Math"
                for conversion in self.uses.rows.conversions(code, index, place)[:1]
            )
        return False

    @staticmethod
    def _loads(code: Code, index: int, store: ir.StoreField) -> Iterator[int]:
        target = code.context.target_field(store)
        named = code.context.named(store.name)
        if target is None or named.stores != [index]:
            return
        for number in named.loads:
            if number > index and code.context.field_of(number) == target:
                yield number

    # -- checks of a body ------------------------------------------------------------------------------

    def _checks(self, code: Code) -> dict[int, list[_Check]]:
        kept = code.context.notes.get(_NOTE)
        if isinstance(kept, dict):
            return kept
        found: dict[int, list[_Check]] = {}
        for index in code.branches:
            branch = code.code[index]
            assert isinstance(branch, ir.If)
            if ends_in_exception(code, branch.then_start, branch.else_start):
                _collect(code, branch.test, index, found, truth=True)
            elif ends_in_exception(code, branch.else_start, branch.stop):
                _collect(code, branch.test, index, found, truth=False)
        for index, call in code.context.calls():
            for row in self.models.checks_by_method.get(getattr(call, "name", ""), ()):
                if row.argument < len(call.args) and row.type in self.uses.rows.owners(
                    code, index
                ):
                    _collect(code, call.args[row.argument], index, found, truth=False)
                    break
        code.context.notes[_NOTE] = found
        return found


def is_sure(code: Code, start: int, at: int, *, rejects: bool) -> bool:
    """Tell whether every value that is read comes to ``at``; ``rejects``: and an exception there leaves the body."""
    if at < start:
        return False
    for region in code.regions_around(at):
        if region[0] <= start < region[1]:
            break
        if not _is_behind_absence(code, region):
            return False
    leaving = code.leaving
    for number in leaving[bisect_right(leaving, start) : bisect_left(leaving, at)]:
        leaves = not isinstance(code.code[number], ir.Try)
        if leaves and not _is_behind_absence(code, code.region(number)):
            return False
    if not rejects:
        return True
    return not any(
        isinstance(instr := code.code[number], ir.Try)
        and instr.start <= at < instr.body_stop
        and not all(ends_in_exception(code, item.start, item.stop) for item in instr.catches)
        for number in code.tries[: bisect_left(code.tries, at)]
    )


def _collect(
    code: Code, test: int, at: int, found: dict[int, list[_Check]], *, truth: bool
) -> None:
    """Note the ordering comparisons that alone give ``test`` the outcome ``truth``."""
    for value, op, other, place in comparisons(code, test, truth=truth):
        if op in ORDERINGS:
            found.setdefault(value, []).append(_Check(op, other, at, place))


def is_caught(code: Code, at: int) -> bool:
    """Tell whether a text that a conversion does not take is replaced by something else."""
    return any(
        isinstance(instr := code.code[number], ir.Try)
        and instr.start <= at < instr.body_stop
        and any(
            catches_failures(item) and not ends_in_exception(code, item.start, item.stop)
            for item in instr.catches
        )
        for number in code.tries[: bisect_left(code.tries, at)]
    )


def ends_in_exception(code: Code, start: int, stop: int) -> bool:
    """Tell whether a range surely ends in an exception."""
    if start >= stop or not isinstance(code.code[stop - 1], ir.Throw):
        return False
    first = bisect_left(code.leaving, start)
    if first < len(code.leaving) and code.leaving[first] < stop:
        return False
    return code.region(stop - 1)[0] <= start


def _tests_of_regions(code: Code) -> dict[tuple[int, int], int]:
    """Return the tests of arms, and ``_TRIED`` for what is tried, by region."""
    kept = code.context.notes.get(_TESTS)
    if isinstance(kept, dict):
        return kept
    found: dict[tuple[int, int], int] = {}
    for index in sorted((*code.branches, *code.tries)):
        instr = code.code[index]
        if isinstance(instr, ir.If):
            found[instr.then_start, instr.else_start] = instr.test
            found[instr.else_start, instr.stop] = instr.test
        elif isinstance(instr, ir.Try):
            found[instr.start, instr.body_stop] = _TRIED
    code.context.notes[_TESTS] = found
    return found


def _is_behind_absence(code: Code, region: tuple[int, int]) -> bool:
    """Tell whether a region runs for every value that is there."""
    _, stop = region
    test = _tests_of_regions(code).get(region)
    if test is not None:
        return test == _TRIED or _is_absence(code, test)
    if stop < len(code.code):
        instr = code.code[stop]
        if isinstance(instr, ir.Choice):
            return _is_absence(code, instr.test)
        for number in range(stop, min(stop + 40, len(code.code))):
            instr = code.code[number]
            if isinstance(instr, ir.Choice) and instr.other_start == stop:
                return _is_absence(code, instr.test)
    return False


def _is_absence(code: Code, test: int) -> bool:
    stack = [test]
    while stack:
        value = stack.pop()
        if value == NONE:
            return False
        instr = code.code[value]
        match instr:
            case ir.ShortCircuit():
                stack += [instr.left, instr.right]
            case ir.Unary(op="!"):
                stack.append(instr.operand)
            case ir.Binary():
                sides = [code.code[side] for side in (instr.left, instr.right) if side != NONE]
                null = any(isinstance(side, ir.Const) and side.kind == "n" for side in sides)
                length = any(isinstance(side, ir.Call) and side.name == "length" for side in sides)
                zero = any(isinstance(side, ir.Const) and side.value == "0" for side in sides)
                if not null and not (length and zero):
                    return False
            case ir.Call():
                if not _ABSENT.match(instr.name):
                    return False
            case _:
                return False
    return True


def _place(code: Code, index: int) -> Place:
    base = code.context.member.at
    return Place(code.ref.path, base + code.code[index].at, base + code.code[index].end)


def _parsed(type_: str, value_type: str) -> Iterator[str]:
    if value_type in _NUMBERS:
        yield value_type
    elif value_type == "boolean" and type_ == "java.lang.Boolean":
        yield "true-only"


def _bound(op: str, number: float, place: Place | None) -> Limits:
    match op:
        case "<":
            return Limits(minimum=number, place=place)
        case "<=":
            return Limits(above=number, place=place)
        case ">":
            return Limits(maximum=number, place=place)
        case _:
            return Limits(under=number, place=place)
