"""What conditions of a body do with values on one side of a bound: which code they skip, which they lead to.

Terms
    condition  a comparison ``value op other`` that, whenever it holds, gives a test one outcome.
    arm        the code that runs then; ``spared`` is code that does not run, ``after`` what follows in the same region.

Absent: which values are looked at (``adjusted``).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from enum import Enum
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.rows import Rows
from conflens.models.load import Models
from conflens.program.types import STRING

Span = tuple[int, int]

_NOTE = "options.conditions"
_NESTED = 4
_MOST = 100
"""Parts of one test that are looked at: where there are more, nothing is said of what it compares."""
_PLAIN = (
    ir.Const,
    ir.Load,
    ir.Name,
    ir.Field,
    ir.This,
    ir.Binary,
    ir.Unary,
    ir.Choice,
    ir.Cast,
    ir.NewArray,
    ir.Block,
)
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
ORDERINGS = frozenset({"<", "<=", ">", ">="})
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


class Limit(Enum):
    """For what a number is a limit: see ``as_limit``."""

    WITHIN = "within"
    BEYOND = "beyond"


class Spared(NamedTuple):
    """A comparison ``value != other`` that must hold as well: one value is spared."""

    value: int
    other: int
    test: int


class Condition(NamedTuple):
    """See the module text; ``at`` is the branch, choice, operator or call that the test is for, ``test`` the comparison."""

    op: str
    other: int
    at: int
    test: int
    truth: bool
    unless: Spared | None = None


def conditions(code: Code, rows: Rows, models: Models) -> dict[int, list[Condition]]:
    """Return the conditions of a body by the value that each compares."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, dict):
        return kept
    found: dict[int, list[Condition]] = {}
    for index in code.context.of_kind(ir.If, ir.Choice, ir.ShortCircuit):
        instr = code.code[index]
        if isinstance(instr, (ir.If, ir.Choice)):
            for truth in (True, False):
                _collect(code, instr.test, index, found, truth=truth)
                if isinstance(instr, ir.If):
                    _collect_spared(code, instr.test, index, found, truth=truth)
        elif isinstance(instr, ir.ShortCircuit):
            _collect(code, instr.left, index, found, truth=instr.op == "||")
    for index, call in code.context.calls():
        for row in models.checks_by_method.get(getattr(call, "name", ""), ()):
            if row.argument < len(call.args) and row.type in rows.owners(code, index):
                _collect(code, call.args[row.argument], index, found, truth=False)
                _collect_spared(code, call.args[row.argument], index, found, truth=False)
                break
    code.context.notes[_NOTE] = found
    return found


def _collect(
    code: Code, test: int, at: int, found: dict[int, list[Condition]], *, truth: bool
) -> None:
    """Note the comparisons that alone give ``test`` the outcome ``truth``."""
    for value, op, other, place in comparisons(code, test, truth=truth):
        found.setdefault(value, []).append(Condition(op, other, at, place, truth))


def comparisons(code: Code, test: int, *, truth: bool) -> Iterator[tuple[int, str, int, int]]:
    """Yield the comparisons that alone give ``test`` the outcome ``truth``, from either side: ``value op other``, and where it stands."""
    stack = [(test, truth)]
    found: list[tuple[int, str, int, int]] = []
    parts = 0
    while stack:
        value, wanted = stack.pop()
        if value == NONE:
            continue
        parts += 1
        if parts > _MOST:
            return
        instr = code.code[value]
        match instr:
            case ir.ShortCircuit() if (instr.op == "||") == wanted:
                stack += [(instr.left, wanted), (instr.right, wanted)]
            case ir.Unary(op="!"):
                stack.append((instr.operand, not wanted))
            case ir.Binary() if instr.op in FLIPPED:
                op = instr.op if wanted else _NEGATED[instr.op]
                found.append((instr.left, op, instr.right, value))
                found.append((instr.right, FLIPPED[op], instr.left, value))
            case _:
                pass
    yield from found


def _collect_spared(
    code: Code, test: int, at: int, found: dict[int, list[Condition]], *, truth: bool
) -> None:
    """Note the comparison that gives ``test`` the outcome ``truth`` for all values but one: ``v != c && v < b``."""
    first, wanted = code.code[test] if test != NONE else None, truth
    while isinstance(first, ir.Unary) and first.op == "!":
        first, wanted = code.code[first.operand], not wanted
    if not isinstance(first, ir.ShortCircuit) or (first.op == "&&") != wanted:
        return
    left, right = (
        list(comparisons(code, side, truth=wanted)) for side in (first.left, first.right)
    )
    if any(len({place for *_, place in side}) != 1 for side in (left, right)):
        return
    for one, spared in ((left, right), (right, left)):
        for value, op, other, place in one:
            if op not in ORDERINGS:
                continue
            for held, equal, number, where in spared:
                if equal == "!=":
                    unless = Spared(held, number, where)
                    found.setdefault(value, []).append(
                        Condition(op, other, at, place, truth, unless)
                    )


def arms(code: Code, condition: Condition) -> tuple[Span, Span]:
    """Return the arm that runs where a condition holds, and the one that does not."""
    instr = code.code[condition.at]
    if isinstance(instr, ir.If):
        both = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
    elif isinstance(instr, ir.Choice):
        both = (instr.then_start, instr.other_start), (instr.other_start, condition.at)
    elif isinstance(instr, ir.ShortCircuit):
        return (condition.at, condition.at), (instr.right_start, condition.at)
    else:
        return (condition.at, condition.at), (condition.at, condition.at)
    return both if condition.truth else (both[1], both[0])


def after(code: Code, index: int) -> Span:
    """Return what runs after an instruction only if that has not left its region."""
    instr = code.code[index]
    start = instr.stop if isinstance(instr, ir.If) else index + 1
    return start, code.region(index)[1]


def after_failure(code: Code, index: int) -> Span:
    """Return what does not run once a call has thrown an exception that nothing here catches: not the rest of what is tried, either."""
    start, stop = after(code, index)
    region = code.region(index)
    for number in reversed(code.tries):
        instr = code.code[number]
        if isinstance(instr, ir.Try) and (instr.start, instr.body_stop) == region:
            region = code.region(number)
            if instr.finally_start == instr.stop:
                stop = region[1]
    return start, stop


def leaves(code: Code, arm: Span) -> ir.Return | ir.Jump | None:
    """Return by what an arm surely leaves the code around it, other than an exception."""
    start, stop = arm
    if start >= stop:
        return None
    last = code.code[stop - 1]
    if isinstance(last, (ir.Return, ir.Jump)) and code.region(stop - 1) == arm:
        return last
    return None


def tests_first(code: Code, loop: int, test: int) -> bool:
    """Tell whether a comparison is all that a loop tests before it runs."""
    instr = code.code[loop]
    return isinstance(instr, ir.Loop) and instr.test == test and instr.kind != "do"


def ends_early(code: Code, loop: ir.Loop) -> bool:
    """Tell whether something in the body of a loop ends it before its test does."""
    inner = [
        (instr.body_start if isinstance(instr, ir.Loop) else instr.start, instr.stop)
        for index in code.context.of_kind(ir.Loop, ir.ForEach)
        if isinstance(instr := code.code[index], (ir.Loop, ir.ForEach)) and instr is not loop
    ]
    body = loop.body_start, loop.stop
    for index in code.leaving:
        leaves_ = code.code[index]
        if not body[0] <= index < body[1] or body[0] <= code.lambda_of(index) < body[1]:
            continue
        if isinstance(leaves_, ir.Return):
            return True
        if isinstance(leaves_, ir.Jump) and leaves_.kind == "break":
            nearer = (one for one in inner if body[0] <= one[0] <= index < one[1])
            if leaves_.label or not any(nearer):
                return True
    return False


def only_reports(code: Code, rows: Rows, span: Span) -> bool:
    """Tell whether code does nothing but to log, or to put nothing or a constant into variables."""
    start, stop = span
    for index in range(start, stop):
        instr = code.code[index]
        if isinstance(instr, _PLAIN):
            continue
        if isinstance(instr, (ir.Store, ir.StoreField)):
            if not isinstance(code.code[instr.value], ir.Const):
                return False
        elif isinstance(instr, ir.Call):
            if instr.args and not _is_logged(code, rows, index):
                return False
        else:
            return False
    return True


def only_logs(code: Code, rows: Rows, span: Span) -> bool:
    """Tell whether code does nothing but to log: it assigns nothing, and what it calls beside is asked for that."""
    if not only_reports(code, rows, span):
        return False
    return not any(
        isinstance(instr := code.code[index], (ir.Store, ir.StoreField))
        or (
            isinstance(instr, ir.Call)
            and index not in code.takers
            and not _is_logged(code, rows, index)
        )
        for index in range(*span)
    )


def switches(code: Code, rows: Rows, span: Span, family: Container[int]) -> bool:
    """Tell whether code does more than to hand a number on: something else runs, or the number is compared; not where it leaves,
    since what follows runs instead then."""
    if leaves(code, span) is not None:
        return False
    made: set[int] = set()
    for index in range(*span):
        instr = code.code[index]
        if isinstance(instr, (ir.Throw, ir.Loop, ir.ForEach)):
            return True
        if isinstance(instr, ir.Return) and not span[0] <= code.lambda_of(index) < span[1]:
            return True
        if isinstance(instr, ir.Binary) and instr.op in FLIPPED:
            if instr.left in family or instr.right in family:
                return True
        elif isinstance(instr, ir.Call) and index not in code.takers:
            within = range(_begin(code, index), index)
            given = any(_holds(code, one, family, made) for one in within)
            if (not given or _pauses(code, rows, index)) and not _is_logged(code, rows, index):
                return True
        elif isinstance(instr, ir.Store):
            within = range(_begin(code, instr.value), index)
            if any(_holds(code, one, family, made) for one in within):
                made.add(instr.slot)
    return False


def compared_only(code: Code, span: Span, family: Container[int]) -> list[int]:
    """Return what code compares a number with, if it does nothing else."""
    found: list[int] = []
    for index in range(*span):
        instr = code.code[index]
        if isinstance(instr, ir.Binary) and instr.op in FLIPPED:
            if (instr.left in family) == (instr.right in family):
                return []
            found.append(instr.right if instr.left in family else instr.left)
        elif not isinstance(instr, (*_PLAIN, ir.ShortCircuit)):
            return []
    return found


def as_limit(code: Code, rows: Rows, span: Span, family: Container[int]) -> Limit | None:
    """Return for what a number is the limit of another one, if code does nothing else with either: how far something goes on
    (``i < n``), or from where on something else runs, or it ends (``i > n``)."""
    found: set[Limit] = set()
    inside: list[Span] = []
    for index in range(*span):
        instr = code.code[index]
        if isinstance(instr, ir.Binary) and instr.op in FLIPPED:
            sides = instr.left in family, instr.right in family
            if any(sides):
                other = instr.left if sides[1] else instr.right
                op = instr.op if sides[1] else FLIPPED[instr.op]
                if all(sides) or op in ("==", "!=") or isinstance(code.code[other], ir.Const):
                    return None
                found.add(Limit.WITHIN if op in ("<", "<=") else Limit.BEYOND)
                branch = _branch(code, index)
                if branch is not None:
                    then, else_ = (
                        (branch.then_start, branch.else_start),
                        (
                            branch.else_start,
                            branch.stop,
                        ),
                    )
                    if op in ("<", "<="):
                        then, else_ = else_, then
                        found = (found - {Limit.WITHIN}) | {Limit.BEYOND}
                    if not only_reports(code, rows, else_):
                        return None
                    inside.append(then)
        elif any(start <= index < stop for start, stop in inside):
            continue
        elif isinstance(instr, (ir.Throw, ir.Loop, ir.ForEach, ir.Store, ir.StoreField)):
            if not isinstance(instr, ir.Store) or not instr.declares or instr.value in family:
                return None
        elif isinstance(instr, ir.Return):
            if instr.value != NONE and not isinstance(code.code[instr.value], ir.Const):
                return None
        elif isinstance(instr, (ir.Call, ir.New)):
            given = any(value in family for value in instr.args)
            if given or (index not in code.takers and not _is_logged(code, rows, index)):
                return None
    return found.pop() if len(found) == 1 else None


def _branch(code: Code, test: int) -> ir.If | None:
    """Return the branch that a comparison alone decides."""
    for taker in code.takers.get(test, ()):
        instr = code.code[taker]
        if isinstance(instr, ir.If) and instr.test == test:
            return instr
    return None


def _begin(code: Code, value: int) -> int:
    """Return the first of the instructions an expression is made of, bodies of functions in it included."""
    inside = [code.code[one] for one in code.inside(value)]
    starts = [instr.start for instr in inside if isinstance(instr, ir.Lambda)]
    return min([code.first_inside(value), *starts])


def _holds(code: Code, index: int, family: Container[int], made: Container[int]) -> bool:
    """Tell whether an instruction gives a number, or a local into which it was put."""
    instr = code.code[index]
    return index in family or (isinstance(instr, ir.Load) and not instr.up and instr.slot in made)


def is_reported(code: Code, rows: Rows, value: int, nested: int = 0) -> bool:
    """Tell whether nothing is done with a value of a body but to log it, perhaps within a text."""
    takers = code.takers.get(value, ())
    if not takers or nested > _NESTED:
        return False
    return all(
        _is_logged(code, rows, taker)
        or code.context.type_of(taker) == STRING
        or (
            isinstance(code.code[taker], (ir.Choice, ir.Binary))
            and is_reported(code, rows, taker, nested + 1)
        )
        for taker in takers
    )


def _pauses(code: Code, rows: Rows, index: int) -> bool:
    """Tell whether a call does nothing but to wait, for as long as a number says."""
    return any(row.pause for row in rows.operations(code, index))


def _is_logged(code: Code, rows: Rows, index: int) -> bool:
    return any(row.kind == "log" for row in rows.operations(code, index))


def stored(code: Code, arm: Span) -> list[int]:
    """Return the assignments that an arm makes in any case."""
    start, stop = arm
    kinds = (ir.Store, ir.StoreField)
    return [
        index
        for index in range(start, stop)
        if isinstance(code.code[index], kinds) and code.region(index) == arm
    ]


def assigned(code: Code, index: int) -> object:
    """Return the local or field that an instruction assigns."""
    instr = code.code[index]
    if isinstance(instr, ir.Store):
        return instr.slot, instr.up
    return code.context.target_field(instr) if isinstance(instr, ir.StoreField) else None
