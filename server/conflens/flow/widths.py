"""Numbers in the types of Java: which type holds what, and what arithmetic on constants comes to (JLS 4.2, 5.1.3, 15.17-19).

Absent: terms over a value (``terms``).
"""

from __future__ import annotations

import math

from conflens.flow.terms import Number, operation

WHOLE = frozenset({"byte", "short", "char", "int", "long"})
"""The types of whole numbers."""
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_RANKS = {"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6}
_EXACT = 2.0**53


def narrows(before: str, after: str) -> bool:
    """Tell whether a type does not hold all numbers of another one; no for what is not the type of a number."""
    if before == after or before not in _RANKS or after not in _RANKS:
        return False
    if "char" in (before, after):
        return after == "char" or _RANKS[after] <= _RANKS["char"]
    return _RANKS[after] < _RANKS[before]


def fits(number: float, type_: str) -> bool:
    """Tell whether a type holds a number."""
    if type_ not in WHOLE:
        return True
    if not math.isfinite(number) or number != math.floor(number):
        return False
    if type_ == "char":
        return 0 <= number < 2**16
    return -(2.0 ** (_BITS[type_] - 1)) <= number < 2.0 ** (_BITS[type_] - 1)


def cast(number: float, type_: str) -> float | None:
    """Return what a number becomes in a type; ``None`` where that is not known."""
    if type_ not in WHOLE:
        return number if type_ == "double" else None
    whole = math.trunc(number)
    if fits(whole, type_):
        return float(whole)
    return None if abs(number) >= 2.0**31 else float(_wrapped(whole, type_))


def computed(op: str, left: float, right: float, type_: str) -> float | None:
    """Return what arithmetic on two constants comes to in a type, overflow included; ``None`` where that is not known."""
    if type_ not in WHOLE:
        made = operation(op, Number(left), Number(right)) if type_ == "double" else None
        return made.value if isinstance(made, Number) else None
    if max(abs(left), abs(right)) >= _EXACT or left != int(left) or right != int(right):
        return None
    found = _of_integers(op, int(left), int(right), 63 if type_ == "long" else 31)
    if found is None:
        return None
    wrapped = _wrapped(found, "long" if type_ == "long" else "int")
    return float(wrapped) if int(float(wrapped)) == wrapped else None


def _of_integers(op: str, left: int, right: int, shift: int) -> int | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<<":
            return left << (right & shift)
        case ">>":
            return left >> (right & shift)
        case "/" | "%" if right:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if op == "/" else left - right * quotient
        case _:
            return None


def _wrapped(number: int, type_: str) -> int:
    bits = 16 if type_ == "char" else _BITS[type_]
    found = number % (1 << bits)
    return found if type_ == "char" or found < 1 << (bits - 1) else found - (1 << bits)
