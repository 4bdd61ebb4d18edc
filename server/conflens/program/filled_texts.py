"""Arms of ``if`` that run only where a local holds a text that is not empty: ``if (!prefix.isEmpty()) prefix += ".";``.

What is appended there is nothing if the text is empty, and where such an arm assigns the local, what it held before reaches
a place behind only as the empty text.
Absent: fields; tests by library methods; ``while``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from conflens.facts import ir
from conflens.program.expressions import Context
from conflens.program.reaching import certain
from conflens.program.templates import BEFORE, Dynamic, Template, Templates, Turn, turned

_NOTE = "arms of filled texts"
_DEEP = 4
_LENGTH = {">": False, "!=": False, "==": True}
"""What comparing a length with 0 says: whether the text is empty."""


class Arm(NamedTuple):
    """``code[start:stop]`` runs if a local is not empty; ``only``: and runs whenever it is not."""

    start: int
    stop: int
    only: bool


class _Says(NamedTuple):
    """A test that is true only if a local is ``empty``, or is not; ``only``: and is true whenever that is so."""

    slot: int
    empty: bool
    only: bool


def arms(context: Context, slot: int) -> Sequence[Arm]:
    """Return the arms of a body that run only where a local is not empty."""
    kept = context.notes.get(_NOTE)
    if not isinstance(kept, Mapping):
        kept = context.notes[_NOTE] = _arms(context)
    found: Sequence[Arm] = kept.get(slot, ())
    return found


def _arms(context: Context) -> Mapping[int, list[Arm]]:
    found: dict[int, list[Arm]] = {}
    for instr in context.code:
        if not isinstance(instr, ir.If):
            continue
        for wanted, start, stop in (
            (True, instr.then_start, instr.else_start),
            (False, instr.else_start, instr.stop),
        ):
            if start < stop:
                for says in _tested(context, instr.test, wanted, _DEEP):
                    if not says.empty:
                        found.setdefault(says.slot, []).append(Arm(start, stop, says.only))
    return found


def _tested(context: Context, test: int, wanted: bool, depth: int) -> Iterable[_Says]:
    """Yield what is known of locals if a test gives ``wanted``."""
    if not depth:
        return
    code = context.code
    instr = code[test]
    if isinstance(instr, ir.Unary) and instr.op == "!":
        yield from _tested(context, instr.operand, not wanted, depth - 1)
    elif isinstance(instr, ir.ShortCircuit) and (instr.op == "&&") is wanted:
        for one, other in ((instr.left, instr.right), (instr.right, instr.left)):
            for says in _tested(context, one, wanted, depth - 1):
                null = _null_test(context, other, not wanted)
                yield says._replace(only=says.only and null == says.slot)
    else:
        slot, empty = _emptiness(context, instr)
        if slot >= 0:
            yield _Says(slot, empty is wanted, True)


def _emptiness(context: Context, instr: ir.Instr) -> tuple[int, bool]:
    """Return the local that a test asks about, and whether it is empty if the test is true; -1: none."""
    code = context.code
    if isinstance(instr, ir.Call) and instr.name in ("isEmpty", "isBlank") and not instr.args:
        return _local(context, instr.object), True
    if isinstance(instr, ir.Call) and instr.name == "equals" and len(instr.args) == 1:
        for text, other in ((instr.object, instr.args[0]), (instr.args[0], instr.object)):
            constant = code[text] if text >= 0 else None
            if isinstance(constant, ir.Const) and constant.kind == "s" and not constant.value:
                return _local(context, other), True
    if isinstance(instr, ir.Binary) and instr.op in _LENGTH:
        length, zero = code[instr.left], code[instr.right]
        compared = isinstance(zero, ir.Const) and zero.value == "0"
        if compared and isinstance(length, ir.Call) and length.name == "length":
            return _local(context, length.object), _LENGTH[instr.op]
    return -1, False


def _null_test(context: Context, test: int, equal: bool) -> int:
    """Return the local that is compared with ``null``; -1: none."""
    instr = context.code[test]
    if isinstance(instr, ir.Binary) and instr.op == ("==" if equal else "!="):
        null = context.code[instr.right]
        if isinstance(null, ir.Const) and null.kind == "n":
            return _local(context, instr.left)
    return -1


def _local(context: Context, value: int) -> int:
    instr = context.code[value] if value >= 0 else None
    return instr.slot if isinstance(instr, ir.Load) and not instr.up else -1


def filled_at(found: Sequence[Arm], stores: Iterable[int], at: int) -> bool:
    """Tell whether a local is surely not empty at an instruction; ``stores`` are what may have assigned it."""
    around = [arm.start for arm in found if arm.start <= at < arm.stop]
    return bool(around) and all(store < max(around) for store in stores)


def assigning(
    context: Context, found: Sequence[Arm], stores: Sequence[int], at: int
) -> Arm | None:
    """Return the arm before an instruction that surely gives the local its value if it was not empty."""
    for store in stores:
        for arm in found:
            if (
                arm.only
                and arm.start <= store < arm.stop <= at
                and certain(context, store, arm.stop - 1)
            ):
                return arm
    return None


def without_empty(texts: Templates) -> Templates:
    """Return the texts that are not empty; all if there are no others."""
    return tuple(text for text in texts if text != ("",)) or texts


def if_filled(texts: Templates) -> Templates:
    """Make what is appended to an unknown text nothing where that is empty."""
    return tuple(_if_filled(text) for text in texts)


def _if_filled(text: Template) -> Template:
    head, *rest = text
    if len(rest) == 1 and isinstance(rest[0], str) and not isinstance(head, (str, Dynamic)):
        found = turned(((head,),), Turn(BEFORE, rest[0]))
        return found[0] if len(found) == 1 else text
    return text


def only_empty(texts: Templates) -> Templates:
    """Return what is left of texts where only an empty one comes by; an unknown one stands for itself elsewhere."""
    may_be = any(text == ("",) or isinstance(text[0], Dynamic) for text in texts)
    return (("",),) if may_be else ()
