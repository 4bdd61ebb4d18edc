"""Bounds of evaluation, and what stands for a text where one is met: something unknown that says why."""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.templates import LIMIT, MOST, UNKNOWN, Templates, left_open

DEPTH = 24
"""Steps of evaluation that may follow from each other."""
DEEP = left_open(f"more than {DEPTH} steps of evaluation follow from each other")

WAYS = 1_000
"""Evaluations of one text that are cut short, as where fields are assigned from each other, until it is given up."""
MANY_WAYS = left_open(f"what it is made of depends on itself in more than {WAYS:,} ways")

CALLERS = 250
"""Members that call a method by name, up to which its callers' arguments are collected."""
MANY_CALLERS = left_open(
    f"more than {CALLERS} members name the method or constructor that gives a part of it"
)

GIVEN = 250
"""Values of a field or parameter that are evaluated one by one; of more, the name is left open."""
MANY_STORES = left_open(f"a field that it is made of is assigned in more than {GIVEN} places")
MANY_CALLS = left_open(
    f"a method or constructor that gives a part of it has more than {GIVEN} calls"
)
MANY_METHODS = left_open(f"more than {LIMIT} methods may give a part of it")

RETURN_SIZE = 80
"""Instructions of a method whose result is still evaluated."""
LONG_METHOD = left_open(
    f"a method that gives a part of it has more than {RETURN_SIZE} instructions"
)

MANY_ENTRIES = left_open(f"it may be more than {MOST:,} entries of a map")

MOST_CONSTANTS = 10_000
"""Constants of enums that a loop is taken apart for, or pairs of them."""
MANY_CONSTANTS = left_open(f"more than {MOST_CONSTANTS:,} constants are gone through")
ANY_CONSTANT = left_open(f"it is one of more than {LIMIT} constants of an enum")


def of_long(context: Context) -> Templates:
    """Return what a method of more than ``RETURN_SIZE`` instructions gives: the bound counts where it may spell the text itself."""
    given = (context.code[value] for value in returned(context) if value != NONE)
    spelled = any(
        isinstance(one, (ir.Binary, ir.Name, ir.Field))
        or (isinstance(one, ir.Const) and one.kind == "s")
        for one in given
    )
    return LONG_METHOD if spelled else UNKNOWN
