"""Bounds of evaluation, and what stands for a text where one is met: something unknown that says why."""

from __future__ import annotations

from conflens.program.templates import LIMIT, MOST, left_open

DEPTH = 24
"""Steps of evaluation that may follow from each other."""
DEEP = left_open(f"more than {DEPTH} steps of evaluation follow from each other")

CALLERS = 250
"""Members that call a method by name, up to which its callers' arguments are collected."""
MANY_CALLERS = left_open(
    f"more than {CALLERS} members name the method or constructor that gives a part of it"
)

GIVEN = 250
"""Values that a field or a parameter of any object is given, and methods that a call may mean, up to which they are told apart."""
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
