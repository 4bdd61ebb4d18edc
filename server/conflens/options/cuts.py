"""Texts that a program takes apart itself at a sign: ``key=value``.

A text is *cut* at the sign where it is split at it, or where a part of it ends or begins at its index.

The names of methods here are those of the JDK's ``String`` and ``Map``, as in ``dispatch_subjects``.
Absent: where the text comes from (``origins.lines``, ``arguments``); regular expressions, scanners and tokenizers; values that
are cut off in another method.
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import PUTS
from conflens.program.expressions import Context

LINES = "properties"
"""Domain of what such lines name."""

_SIGN = "="
_SAME = frozenset(
    {"trim", "strip", "toLowerCase", "toUpperCase", "toString", "intern", "replace", "replaceAll"}
)
_INDEX = frozenset({"indexOf", "lastIndexOf"})
_DEPTH = 8


class Cut(NamedTuple):
    """A part of a text that was cut at the sign: the text, what identifies it, and whether the part is the first."""

    text: int
    line: object
    first: bool


def cut(context: Context, value: int) -> Cut | None:
    """Return the part of a text that a value is, if the text was cut at the sign."""
    first: bool | None = None
    for _ in range(_DEPTH):
        instr = context.code[value] if value != NONE else None
        match instr:
            case ir.Cast():
                value = instr.value
            case ir.Call() if instr.object != NONE and instr.name in _SAME:
                value = instr.object
            case ir.Call() if instr.object != NONE and instr.name == "substring" and first is None:
                if not any(_at_sign(context, arg, 0) for arg in instr.args):
                    return None
                first = len(instr.args) == 2
                value = instr.object
            case ir.Index() if first is None and instr.array != NONE:
                call = _split(context, instr.array)
                number = context.code[instr.index] if instr.index != NONE else None
                if call is None or not isinstance(number, ir.Const):
                    return None
                first = number.value == "0"
                value = call.object
            case ir.Load() if not instr.up:
                stored = context.stores(instr.slot, 2)
                parted = first is not None or context.is_parameter(instr.slot)
                if parted or len(stored) != 1 or stored[0].up:
                    break
                value = stored[0].value
            case _:
                break
    instr = context.code[value] if value != NONE else None
    if first is None or not isinstance(instr, ir.Load):
        return None
    return Cut(value, (instr.slot, instr.up), first)


def _split(context: Context, array: int) -> ir.Call | None:
    """Return the call that splits a text at the sign into an array, or a local that holds it."""
    instr = context.code[array]
    if isinstance(instr, ir.Load) and not instr.up:
        stored = context.stores(instr.slot, 2)
        if len(stored) != 1 or stored[0].value == NONE:
            return None
        instr = context.code[stored[0].value]
    if not isinstance(instr, ir.Call) or instr.name != "split" or not instr.args:
        return None
    at = context.code[instr.args[0]]
    signed = isinstance(at, ir.Const) and _SIGN in at.value
    return instr if signed and instr.object != NONE else None


def _at_sign(context: Context, value: int, depth: int) -> bool:
    """Tell whether a number is the index of the sign, or the one behind it."""
    instr = context.code[value] if value != NONE and depth < _DEPTH else None
    match instr:
        case ir.Call() if instr.name in _INDEX and instr.args:
            sign = context.code[instr.args[0]]
            return isinstance(sign, ir.Const) and sign.value.strip("'\"") == _SIGN
        case ir.Binary():
            return any(_at_sign(context, one, depth + 1) for one in (instr.left, instr.right))
        case ir.Load() if not instr.up:
            return any(
                _at_sign(context, store.value, depth + 1)
                for store in context.stores(instr.slot, 2)
            )
        case _:
            return False


def pair(context: Context, call: ir.Call) -> Cut | None:
    """Return the key of the two parts of a text that a call puts into a map."""
    if call.name not in PUTS or len(call.args) != 2:
        return None
    key = cut(context, call.args[0])
    if key is None or not key.first:
        return None
    value = cut(context, call.args[1])
    return key if value is not None and not value.first and value.line == key.line else None
