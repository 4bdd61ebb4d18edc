"""All values that code knows of an option which takes any text: those that conditions ask for, and that it is compared with.

    asked      conditions alone read the option: no other value has an effect.
    compared   further code reads it as well, but only compares it with constants, or reports it.

A condition whose values are not seen (an expression) hides none that code does not spell out elsewhere, which ``checking``
looks for.  Absent: sets of which any other value fails (``limits``).
"""

from __future__ import annotations

from collections.abc import Sequence

from conflens.options.model import OptionType
from conflens.options.sites import Finding, Found, Inference

_TEXTS = frozenset({OptionType.MODE, OptionType.STRING, OptionType.UNKNOWN})


def all_asked(named: Sequence[Finding], combined: Inference) -> bool:
    """Tell whether conditions alone read an option, and ask for certain values."""
    return len(combined.values) > 1 and all(_asks(item.found) for item in named)


def all_compared(named: Sequence[Finding], combined: Inference) -> tuple[str, ...]:
    """Return all texts that code compares an option with, if nothing else is known to take another one; else nothing."""
    if combined.type is not OptionType.MODE:
        return ()
    known = dict.fromkeys(combined.values)
    for item in named:
        found, inference = item.found, item.inference
        if _asks(found):
            known.update(dict.fromkeys(found.hint.values if found is not None else ()))
        elif inference.compared is not None and inference.type in _TEXTS:
            known.update(dict.fromkeys(inference.compared))
        elif not _is_condition(found):
            return ()
    several = len(known) > 1 and all(any(map(str.isalpha, word)) for word in known)
    return tuple(known) if several else ()


def _is_condition(found: Found | None) -> bool:
    return found is not None and found.kind == "definition" and found.is_read


def _asks(found: Found | None) -> bool:
    """Tell a condition that asks whether an option has certain values."""
    return found is not None and _is_condition(found) and len(found.hint.values) > 0
