"""Keys that are steps of a path: ``for (String step : path.split("/")) node = ((Map) node).get(step);``.

The lookup reads the option that the whole path names, if what it gives is what the next step is looked up in.
Absent: paths that a library takes apart; paths taken apart by methods that call themselves.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import root
from conflens.program.expressions import Context
from conflens.program.templates import PATH, UNKNOWN, Templates, Turn, known_text, turned
from conflens.program.types import STRING
from conflens.program.values import Values

_SIGNS = frozenset("./:")
_LINKS = 6
_STORES = 4
_ALIKE = frozenset({"asList", "of", "stream", "iterator", "listIterator"})
"""Calls that give the elements of what they are given, or of what they are asked of, one by one."""


def names_of(values: Values, context: Context, value: int, asked: int, key: int) -> Templates:
    """Return the names that ``key``, by which ``value`` is looked up in ``asked``, can be: that of a whole path where it is one step."""
    names = values.open_of(context, key)
    path = path_of(values, context, value, asked, key) if names == UNKNOWN else None
    return path if path is not None else names


def path_of(
    values: Values, context: Context, value: int, asked: int, key: int
) -> Templates | None:
    """Return the path of which ``key``, by which ``value`` is looked up in ``asked``, is one step after the other; else ``None``."""
    if not _goes_down(context, value, asked):
        return None
    split = _split(context, key)
    if split is None:
        return None
    sign = _sign(known_text(values.of(context, split.args[-1])) or "")
    if not sign:
        return None
    return turned(values.open_of(context, split.object), Turn(PATH, sign, "."))


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


def _split(context: Context, key: int) -> ir.Call | None:
    """Return the call that splits a text of which a key is a part."""
    value = root(context, key)
    for _ in range(_LINKS):
        instr = context.code[value] if value != NONE else None
        match instr:
            case ir.Index():
                value = root(context, instr.array)
            case ir.Load(up=0):
                binder = (context.binder(instr.slot) or (NONE, None))[1]
                value = root(context, binder.iterable) if isinstance(binder, ir.ForEach) else NONE
            case ir.Call(name="split") if instr.args and instr.object != NONE:
                type_ = context.type_of(instr.object)
                return instr if type_ == STRING and len(instr.args) == 1 else None
            case ir.Call(name="next" | "remove" | "poll", args=()):
                value = root(context, instr.object)
            case ir.Call() if instr.name in _ALIKE and not context.targets(value):
                value = root(context, instr.args[0] if instr.args else instr.object)
            case _:
                return None
    return None


def _sign(pattern: str) -> str:
    """Return the sign that a pattern stands for; nothing for another pattern."""
    if (len(pattern) == 3 and pattern[0] == "[" and pattern[-1] == "]") or (
        len(pattern) == 2 and pattern[0] == "\\"
    ):
        pattern = pattern[1]
    elif pattern == ".":
        return ""
    return pattern if pattern in _SIGNS else ""
