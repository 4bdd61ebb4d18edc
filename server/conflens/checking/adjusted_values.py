"""Values in config files that the code replaces by others, and those that it rejects beside what declarations state.

Absent: how adjustments are found (``options.inference.adjusted``); values of the wrong type (``values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.base.prose import shorten
from conflens.checking import numbers
from conflens.checking.assigned import assigned
from conflens.checking.placeholders import referenced
from conflens.checking.results import Code, Edit, Finding, Fix
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.documents.configfiles.parsing import value_text
from conflens.options.model import NUMERIC, Adjustment, Effect, Option, OptionType
from conflens.options.secret_values import may_hold_secret

_SHOWN = 40
_REPLACED = (Effect.RAISED, Effect.LOWERED, Effect.RESET)


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the values of one config file that count as others."""
    for file, assignment, value, options in assigned(subject, path):
        found = [_replaced(option, value.text) for option in options]
        known = [one for one in found if one is not None]
        if not known or len(known) < len(options) or len({one.to for one in known}) > 1:
            continue
        one = known[0]
        place = file.place(value)
        shown = shorten(value.text.strip(), _SHOWN)
        message = f'"{shown}" counts as {one.to} here: {_outside(one)}.'
        fixes: tuple[Fix, ...] = ()
        if _is_taken(options, one.to) and not _is_shared(subject, file, assignment.name):
            text = value_text(file.format, one.to, value.style)
            # Whoever else reads the file may take the value as it is.
            fixes = (Fix(f"Change to {one.to}", (Edit(place, text),), one.to, sure=False),)
        yield Finding(
            Code.ADJUSTED_VALUE,
            place,
            message,
            assignment.name,
            tuple(option.key for option in options),
            ((one.place, "This says so."),),
            fixes,
        )


def _is_taken(options: tuple[Option, ...], text: str) -> bool:
    """Tell whether options can be set to a number."""
    number = numbers.plain(text)
    whole = number is not None and number == int(number)
    return whole or (
        number is not None and all(one.type is OptionType.FRACTION for one in options)
    )


def _is_shared(subject: Subject, file: ConfigFile, name: str) -> bool:
    """Tell whether other values may be made of the value of a key, or sources that are not read may take it."""
    if file.format is Format.HOCON or subject.unread_sources:
        return True
    if subject.recognised.refers(name, referenced, relaxed=True):
        return True
    mention = rb"[$@%{(]" + re.escape(name.encode()) + rb"(?![\w-])"
    return re.search(mention, file.text) is not None


def _replaced(option: Option, text: str) -> Adjustment | None:
    """Return the adjustment that makes another value of what an option is set to."""
    number = numbers.plain(text)
    if number is None or option.type not in NUMERIC or may_hold_secret(option):
        return None
    concerned = [one for one in option.adjusted if one.concerns(number)]
    if any(one.effect not in _REPLACED or not one.to for one in concerned):
        return None  # it has a meaning of its own, is rejected, or counts as something that is not known
    one = next(iter(concerned), None)
    return None if one is None or numbers.plain(one.to) == number else one


def rejected(option: Option, number: float) -> Adjustment | None:
    """Return what rejects a number, unless it has a meaning of its own."""
    concerned = [one for one in option.adjusted if one.concerns(number)]
    if any(one.effect not in (Effect.THROWS, Effect.FAILS) for one in concerned):
        return None
    return next((one for one in concerned if one.effect is Effect.THROWS), None)


def rejection(option: Option, one: Adjustment, quoted: str) -> str:
    """Return what to say of a value that is rejected."""
    bound = numbers.written(one.value, whole=False)
    match one.bound:
        case "not":
            return f"{quoted} is rejected by the code that uses {option.name}."
        case "lower":
            words = f"too small: {option.name} must be more than {bound}"
            least = f"less than {bound}, the minimum for {option.name}"
            return f"{quoted} is {words if one.strict else least}."
        case _:
            words = f"too large: {option.name} must be less than {bound}"
            most = f"more than {bound}, the maximum for {option.name}"
            return f"{quoted} is {words if one.strict else most}."


def _outside(one: Adjustment) -> str:
    bound = numbers.written(one.value, whole=False)
    match one.bound:
        case "not":
            return f"the code replaces {bound}"
        case "lower":
            return f"the code replaces {f'{bound} and less' if one.strict else f'values below {bound}'}"
        case _:
            return f"the code replaces {f'{bound} and more' if one.strict else f'values above {bound}'}"
