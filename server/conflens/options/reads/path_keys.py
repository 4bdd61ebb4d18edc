"""Keys that are steps of a path: ``for (String step : path.split("/")) node = ((Map) node).get(step);``.

The lookup reads the option that the whole path names, if what it gives is what the next step is looked up in.
The path is taken apart by ``split`` or a ``StringTokenizer``, here or in a helper that gives its parts.
Absent: paths that a library takes apart; paths taken apart by methods that call themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import root
from conflens.program.body_uses import calls_with, holders, loads, returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import PATH, UNKNOWN, Templates, Turn, known_text, turned
from conflens.program.types import STRING
from conflens.program.values import Values

_SIGNS = frozenset("./:")
_LINKS = 6
_STORES = 4
_ALIKE = frozenset({"asList", "of", "stream", "iterator", "listIterator", "toArray"})
"""Calls that give the elements of what they are given, or of what they are asked of, one by one."""
_TAKING = frozenset({"next", "remove", "poll", "nextToken", "nextElement"})
_TOKENIZER = "StringTokenizer"


class _Split(NamedTuple):
    """A text that is taken apart, and the sign, or the pattern of one, between its parts."""

    text: Templates
    sign: str


def names_of(values: Values, context: Context, value: int, asked: int, key: int) -> Templates:
    """Return the names that ``key``, by which ``value`` is looked up in ``asked``, can be: that of a whole path where it is one step."""
    names = values.open_of(context, key)
    path = path_of(values, context, value, asked, key) if names == UNKNOWN else None
    return path if path is not None else names


def path_of(
    values: Values, context: Context, value: int, asked: int, key: int
) -> Templates | None:
    """Return the path of which ``key``, by which ``value`` is looked up in ``asked``, is one step after the other, or the one
    behind these; else ``None``."""
    if not _goes_down(context, value, asked) and not _is_below_steps(context, asked):
        return None
    split = _split(values, context, key, {})
    sign = _sign(split.sign) if split is not None else ""
    return turned(split.text, Turn(PATH, sign, ".")) if split is not None and sign else None


def _goes_down(context: Context, value: int, asked: int) -> bool:
    """Tell whether what is looked up is what is asked next."""
    queue = [asked]
    for _ in range(_LINKS):
        one = root(context, queue.pop()) if queue else NONE
        held = context.code[one] if one != NONE else None
        if not isinstance(held, ir.Load) or held.up:
            continue
        stores = context.stores(held.slot, _STORES)
        given = [root(context, store.value) for store in stores if not store.up]
        if value in given:
            return True
        queue += given if len(stores) < _STORES else ()
    return False


def _is_below_steps(context: Context, asked: int) -> bool:
    """Tell whether what is asked is a local that is given, with each turn of a loop, what it is asked for itself."""
    held = context.code[root(context, asked)] if asked != NONE else None
    if not isinstance(held, ir.Load) or held.up:
        return False
    for store in context.stores(held.slot, _STORES):
        step = context.code[root(context, store.value)] if not store.up else None
        if isinstance(step, ir.Call) and step.object != NONE:
            inner = context.code[root(context, step.object)]
            if isinstance(inner, ir.Load) and not inner.up and inner.slot == held.slot:
                return True
    return False


def _split(
    values: Values, context: Context, key: int, given: Mapping[int, Templates]
) -> _Split | None:
    """Return the text of which a key is a part, and the sign between the parts; ``given`` are the parameters of a helper."""
    value = root(context, key)
    for _ in range(_LINKS):
        context.program.meter.spend()
        instr = context.code[value] if value != NONE else None
        match instr:
            case ir.Index():
                value = root(context, instr.array)
            case ir.Load(up=0):
                binder = (context.binder(instr.slot) or (NONE, None))[1]
                value = root(context, binder.iterable) if isinstance(binder, ir.ForEach) else NONE
            case ir.New() if instr.type.rpartition(".")[-1] == _TOKENIZER and len(instr.args) == 2:
                found = _text(values, context, instr.args[0], instr.args[1], given)
                one = found is not None and len(found.sign) == 1
                return (
                    found._replace(sign=f"[{found.sign}]") if found is not None and one else None
                )
            case ir.New():
                value = _put_into(context, value)
            case ir.Call(name="split") if instr.args and instr.object != NONE:
                if context.type_of(instr.object) != STRING or len(instr.args) != 1:
                    return None
                return _text(values, context, instr.object, instr.args[-1], given)
            case ir.Call() if targets := context.targets(value):
                return None if given else _by_helper(values, context, targets[0], instr)
            case ir.Call() if instr.name in _TAKING and not instr.args:
                value = root(context, instr.object)
            case ir.Call() if instr.name in _ALIKE:
                first = instr.args[0] if instr.args and instr.name != "toArray" else instr.object
                value = root(context, first)
            case _:
                return None
    return None


def _text(
    values: Values, context: Context, text: int, sign: int, given: Mapping[int, Templates]
) -> _Split | None:
    """Return a text that is taken apart, in terms of who calls the helper that does it."""
    between = known_text(values.of(context, sign)) or ""
    instr = context.code[root(context, text)] if given else None
    if instr is None:
        return _Split(values.open_of(context, text), between)
    if isinstance(instr, ir.Load) and not instr.up and instr.slot in given:
        return _Split(given[instr.slot], between)
    return None


def _by_helper(values: Values, context: Context, ref: MemberRef, call: ir.Call) -> _Split | None:
    """Return what a method of the project takes apart that is given the text and gives its parts."""
    inside = values.open(ref)
    given = {slot: values.open_of(context, arg) for slot, arg in enumerate(call.args)}
    results = returned(inside)
    return _split(values, inside, results[0], given) if given and len(results) == 1 else None


def _put_into(context: Context, made: int) -> int:
    """Return the one thing that is added to a list made in this body; ``NONE`` if there are several."""
    held = [value for slot in holders(context, made) for value in loads(context, slot)]
    added = [
        call.args[0]
        for _, call in calls_with(context, held)
        if call.name == "add" and len(call.args) == 1
    ]
    return root(context, added[0]) if len(added) == 1 else NONE


def _sign(pattern: str) -> str:
    """Return the sign that a pattern stands for; nothing for another pattern."""
    if (len(pattern) == 3 and pattern[0] == "[" and pattern[-1] == "]") or (
        len(pattern) == 2 and pattern[0] == "\\"
    ):
        pattern = pattern[1]
    elif pattern == ".":
        return ""
    return pattern if pattern in _SIGNS else ""
