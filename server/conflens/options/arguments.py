"""The argument list of a program, its elements, and maps that are filled from them.

An array or list of texts is the argument list if it is called so (``args``) or is the parameter of ``main``.  A map is
*filled from* the arguments when what a ``put`` gives as the key is an element of the list at a place that is not a constant
(``parsed.put(args[i], args[++i])``), or the part of one (``split``, ``substring``), and the value is one, too, or a
constant.  For that the name of a local does not do: the text of a request split into ``args`` is none.

The names of methods here are those of the JDK's ``String``, ``Collection`` and ``Map``, as in ``dispatch_subjects``.
Absent: what the keys are compared with (``dispatch``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.transfer import PUTS
from conflens.options.constant_arguments import words
from conflens.program.expressions import Context

COMMAND_LINE = "command-line"
COPIES = frozenset(
    {"asList", "of", "copyOf", "stream", "list", "iterator", "listIterator", "asIterator"}
    | {
        "filter",
        "sorted",
        "distinct",
        "skip",
        "limit",
        "peek",
        "parallelStream",
        "collect",
        "toList",
    }
)
"""Calls that give a view or a copy of a collection with the same elements."""

NEXT = frozenset({"next", "nextElement", "poll", "pollFirst", "remove", "removeFirst", "pop"})
"""Calls that give the next element of an iterator or a queue and move on."""

TRANSPARENT = frozenset(
    {"trim", "toLowerCase", "toUpperCase", "toString", "intern", "strip", "substring", "replace"}
)
"""Calls that give the same text, or a part of it."""

_WORDS = frozenset({"args", "argv", "arguments", "argument", "arg"})
_VAGUE = _WORDS | {"params", "options"}
_LISTS = frozenset(
    f"java.util.{name}"
    for name in ("List", "LinkedList", "ArrayList", "Deque", "ArrayDeque", "Queue", "Iterator")
) | {"java.util.ListIterator"}
_STRING = "java.lang.String"
_STORES = 6
_DEPTH = 6


def copied(context: Context, call: ir.Call) -> int:
    """Return the collection whose elements a call gives again: its argument if it is static."""
    if call.args and (call.object == NONE or context.denotes(call.object) is not None):
        return call.args[0]
    return call.object


def is_list(context: Context, value: int, depth: int = 0, *, strict: bool = False) -> bool:
    """Tell whether a value is a program's argument list, or a copy or an iterator of it.

    ``strict``: the name of a local says nothing, and that of anything else must say it plainly.
    """
    if value == NONE or depth > _DEPTH:
        return False
    instr = context.code[value]
    if isinstance(instr, ir.New):
        return len(instr.args) == 1 and is_list(context, instr.args[0], depth + 1, strict=strict)
    if isinstance(instr, ir.Call) and instr.name in COPIES:
        return is_list(context, copied(context, instr), depth + 1, strict=strict)
    type_ = context.type_of(value)
    if type_ is None or [arg.name for arg in type_.args] != [_STRING]:
        return False
    if type_.name != "[]" and type_.name not in _LISTS:
        return False
    if isinstance(instr, ir.Load) and not instr.up:
        return _is_local(context, instr.slot, depth, strict)
    if isinstance(instr, (ir.Name, ir.Field)):
        return _is_called(instr.name, strict)
    return (
        isinstance(instr, ir.Call)
        and not strict
        and any(is_list(context, arg, depth + 1) for arg in instr.args)
    )


def _is_called(name: str, strict: bool) -> bool:
    return not (_WORDS if strict else _VAGUE).isdisjoint(words(name))


def _is_local(context: Context, slot: int, depth: int, strict: bool) -> bool:
    parameter = context.is_parameter(slot)
    if (parameter or not strict) and _is_called(context.body.locals[slot].name, strict):
        return True
    if parameter:
        return context.member.name == "main" or (context.member.name == "run" and not strict)
    return any(
        is_list(context, store.value, depth + 1, strict=strict)
        for store in context.stores(slot, _STORES)
    )


def fills(context: Context, call: ir.Call) -> bool:
    """Tell whether a call puts an argument of the command line into a map, under an argument or a part of one."""
    if call.name not in PUTS or len(call.args) != 2:
        return False
    key, value = call.args
    return _is_element(context, key, 0) and _is_given(context, value)


def _is_given(context: Context, value: int) -> bool:
    """Tell whether a value is an argument, a constant, or one or the other."""
    queue = [value]
    for _ in range(_DEPTH):
        if not queue:
            return True
        number = queue.pop()
        instr = context.code[number] if number != NONE else None
        if isinstance(instr, ir.Choice):
            queue += [instr.then, instr.other]
        elif not isinstance(instr, ir.Const) and not _is_element(context, number, 0):
            return False
    return not queue


def _is_element(context: Context, value: int, depth: int) -> bool:
    """Tell whether a value is an element of the argument list, or a part of its text."""
    if value == NONE or depth > _DEPTH:
        return False
    instr = context.code[value]
    match instr:
        case ir.Cast():
            return _is_element(context, instr.value, depth + 1)
        case ir.Call() if instr.name in TRANSPARENT and not context.targets(value):
            return _is_element(context, instr.object, depth + 1)
        case ir.Call() if instr.name in NEXT and not instr.args:
            return is_list(context, instr.object, strict=True)
        case ir.Index():
            if instr.index != NONE and isinstance(context.code[instr.index], ir.Const):
                return _is_element(context, _split(context, instr.array), depth + 1)
            return is_list(context, instr.array, strict=True)
        case ir.Load() if not instr.up:
            binder = context.binder(instr.slot)
            if binder is not None and isinstance(binder[1], ir.ForEach):
                return is_list(context, binder[1].iterable, strict=True)
            return any(
                _is_element(context, store.value, depth + 1)
                for store in context.stores(instr.slot, _STORES)
            )
        case _:
            return False


def _split(context: Context, array: int) -> int:
    """Return the text whose parts an array holds (``text.split(…)``), directly or by a local."""
    instr = context.code[array] if array != NONE else None
    if isinstance(instr, ir.Load) and not instr.up:
        stored = context.stores(instr.slot, 2)
        if len(stored) != 1 or stored[0].value == NONE:
            return NONE
        instr = context.code[stored[0].value]
    return instr.object if isinstance(instr, ir.Call) and instr.name == "split" else NONE
