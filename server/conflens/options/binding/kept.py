"""Documents that a program keeps under keys of its own: ``manager.watch("pool.dynamic", PoolConfig.class)``.

The store may be a database, which says nothing of what it holds.  Evidence: the class is called configuration; it is given together with a
constant key; what is parsed reaches the mapper in a class whose name says that it keeps configuration (``ConfigManager``).
Absent: the mapper's call (``binding``), where the token comes from (``origins.tracing``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.options.binding.classes import Classes
from conflens.options.constant_arguments import words
from conflens.options.member_types import simple
from conflens.options.origins.tracing import Bound
from conflens.program.expressions import Context
from conflens.program.templates import known_text


def is_kept(classes: Classes, one: Bound) -> bool:
    """Tell whether a class is what a document of configuration holds that is kept under a key."""
    return (
        one.carried is not None
        and classes.is_plain(one.type)
        and _keeps(classes, one.carried[0])
        and _is_keyed(classes, one)
    )


def _keeps(classes: Classes, context: Context) -> bool:
    """Tell whether code stands in a class whose name says that it keeps configuration."""
    outer = simple(context.ref.owner.partition("$")[0])
    rows = [classes.models.roles_by_word.get(word) for word in words(outer)]
    keeper, head = rows[-1:], rows[-2:-1]
    return any(row is not None and "keeper" in row.on for row in keeper) and any(
        row is not None and "head" in row.on and row.speaks == "for" for row in head
    )


def _is_keyed(classes: Classes, one: Bound) -> bool:
    """Tell whether the call that is given the class is given a constant text, too."""
    return any(
        known_text(classes.values.of(one.context, other))
        for _, call in one.context.calls()
        if isinstance(call, ir.Call) and one.value in call.args
        for other in call.args
        if other != one.value and _is_text(one.context, other)
    )


def _is_text(context: Context, value: int) -> bool:
    type_ = context.type_of(value)
    return type_ is not None and type_.name == "java.lang.String"
