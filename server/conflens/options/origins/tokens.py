"""Class tokens in collections: what is put into one, and what a loop or a lambda is given of it.

``Set.of(A.class, B.class)``, ``TYPES.put("a", A.class)`` and ``for (Class<?> type : types)`` hand tokens on like
locals do.  What is taken out may be any of those that were put in.
Absent: where the collection itself comes from (``tracing``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.body_uses import calls_with, takers
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY, OBJECT, PRIMITIVES, JavaType
from conflens.program.values import Values

_PUTS = frozenset({"add", "put", "putIfAbsent", "addAll"})
_FACTORIES = frozenset(
    {"of", "asList", "copyOf", "ofEntries", "entry", "singleton", "singletonList"}
)
_CLASS = "java.lang.Class"
CONSTRUCTOR = "java.lang.reflect.Constructor"
_DEPTH = 4
_MOST = 200


def holds_tokens(type_: JavaType | None, depth: int = 0) -> bool:
    """Tell whether a type is that of a token, or of what holds tokens."""
    if type_ is None or depth > _DEPTH:
        return False
    return type_.name == _CLASS or any(holds_tokens(arg, depth + 1) for arg in type_.args)


def is_token(type_: JavaType) -> bool:
    """Tell whether a type is that of a token."""
    return type_.name == _CLASS


def is_apart(type_: JavaType) -> bool:
    """Tell whether what a token is asked for leads to no object of its class: its loader, its name, a resource beside it."""
    if type_.name in (OBJECT.name, ARRAY, CONSTRUCTOR) or holds_tokens(type_):
        return False
    return type_.name in PRIMITIVES or type_.name.startswith("java.")


def is_factory(context: Context, call: ir.Call | ir.New) -> bool:
    """Tell whether a library call makes a collection of all that it is given."""
    return isinstance(call, ir.Call) and call.name in _FACTORIES and call.object != NONE


def handed(context: Context, slot: int) -> Iterator[int]:
    """Yield the collection whose elements a loop, or a call with a lambda, gives a local one by one."""
    binder = context.binder(slot)
    if binder is None:
        return
    number, instr = binder
    if isinstance(instr, ir.ForEach):
        yield instr.iterable
        return
    for taker in takers(context, number):
        call = context.code[taker]
        if isinstance(call, ir.Call) and number in call.args and not context.targets(taker):
            yield call.object


def elements(context: Context, held: Collection[int]) -> Iterator[int]:
    """Yield what a body puts into the collection that some of its values are."""
    for _, call in calls_with(context, held):
        if call.object in held and call.name in _PUTS:
            yield call.args[-1]


def put_into(values: Values, field: MemberRef) -> list[tuple[Context, int]]:
    """Return what the file of a field puts into the collection that it holds."""
    program = values.program
    if not holds_tokens(program.field_type(field)):
        return []

    def find() -> list[tuple[Context, int]]:
        name = program.member(field).name
        found = []
        for user in dict.fromkeys((field, *values.asking.within(field.path, name)[:_MOST])):
            context = values.open(user)
            held = [one for one in context.named(name).loads if context.field_of(one) == field]
            found += [(context, value) for value in elements(context, held)]
        return found

    return values.trail.remembered(("put into", field), find)
