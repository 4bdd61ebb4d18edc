"""Turns one TOML table into a frozen attrs object, strictly, and says what is wrong with it.

Purpose: the one place that knows cattrs.  Nothing is coerced: a text is no number and a number no
text; unknown keys are faults.  The fast path makes the object; only when that fails is the table
gone through field by field for the reason.

Absent: where the table stands (``load`` and ``workspace`` know).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin

import attrs
import cattrs

T = TypeVar("T")


class RowError(ValueError):
    """What is wrong with a table, in words. ``key`` is the key at fault, if it is there."""

    def __init__(self, reason: str, key: str | None = None, suggestion: str | None = None) -> None:
        super().__init__(reason + (f", did you mean '{suggestion}'?" if suggestion else ""))
        self.reason = reason
        self.key = key
        self.suggestion = suggestion


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known word most like this one, if any is like it."""
    found = difflib.get_close_matches(str(word), sorted(known), 1, 0.6)
    return found[0] if found else None


def structure(cls: type[T], table: Mapping[str, Any]) -> T:
    """The table as an instance of ``cls``. Raises RowError for the first thing wrong with it."""
    try:
        return _CONVERTER.structure(table, cls)
    except Exception as error:
        # cattrs raises whatever its hooks and the class raise; each of them means a bad table.
        raise _explain(cls, table) from error


def described(value: object) -> str:
    """A TOML value for a message, short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = str(value)
    text = text if len(text) <= 60 else text[:57] + "..."
    return f"'{text}'" if isinstance(value, str) else text


def faults(
    table: Mapping[str, Any], types: Mapping[str, Any], required: Iterable[str]
) -> list[RowError]:
    """Everything wrong with a table whose keys have these types: keys first, then values."""
    found = [
        RowError(f"unknown key '{key}'", key, nearest(key, types))
        for key in table
        if key not in types
    ]
    found += [RowError(f"missing key '{key}'") for key in required if key not in table]
    for key, type_ in types.items():
        if key not in table:
            continue
        try:
            _CONVERTER.structure(table[key], type_)
        except RowError as fault:
            found.append(RowError(f"key '{key}': {fault.reason}", key, fault.suggestion))
    return found


def _explain(cls: type[Any], table: Mapping[str, Any]) -> RowError:
    fields = attrs.fields(attrs.resolve_types(cls))
    required = [field.name for field in fields if field.default is attrs.NOTHING]
    found = faults(table, {field.name: field.type for field in fields}, required)
    return found[0] if found else RowError("does not fit")


def _exactly(kind: type[T], words: str) -> Callable[[object, object], T]:
    def hook(value: object, _: object) -> T:
        if value.__class__ is kind:
            return value
        raise RowError(f"expected {words}, found {described(value)}")

    return hook


def _literal(literal: Any) -> Callable[[object, object], object]:
    words = get_args(literal)

    def hook(value: object, _: object) -> object:
        if value in words:
            return value
        listed = ", ".join(words)
        raise RowError(f"{described(value)} is not one of {listed}", None, nearest(value, words))

    return hook


def _either(value: object, allowed: Any) -> object:
    """Unions whose members TOML tells apart by themselves: int, str, a Literal of str."""
    members = get_args(allowed)
    if value.__class__ is int and int in members:
        return value
    if isinstance(value, str) and (
        str in members or any(value in get_args(member) for member in members)
    ):
        return value
    words = ["an integer"] if int in members else []
    words += ["a text"] if str in members else []
    words += [f"'{word}'" for member in members for word in get_args(member)]
    raise RowError(f"expected {' or '.join(words)}, found {described(value)}")


def _is_union(type_: Any) -> bool:
    members = get_args(type_)
    return int in members and (str in members or any(_is_literal(member) for member in members))


def _is_optional(type_: Any) -> bool:
    members = get_args(type_)
    return len(members) == 2 and members[1] is NoneType


def _optional(type_: Any) -> Callable[[object, object], object]:
    """TOML has no null, so a value that is there has the other type."""
    member = get_args(type_)[0]
    hook = _CONVERTER.get_structure_hook(member)

    def present(value: object, _: object) -> object:
        return hook(value, member)

    return present


def _is_literal(type_: Any) -> bool:
    return get_origin(type_) is Literal


def _is_tuple(type_: Any) -> bool:
    return get_origin(type_) is tuple


def _tuple(type_: Any) -> Callable[[object, object], tuple[object, ...]]:
    member = get_args(type_)[0]
    hook = _CONVERTER.get_structure_hook(member)

    def listed(value: object, _: object) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise RowError(f"expected a list, found {described(value)}")
        return tuple(hook(item, member) for item in value)

    return listed


_CONVERTER = cattrs.Converter(detailed_validation=False, forbid_extra_keys=True)
_CONVERTER.register_structure_hook(str, _exactly(str, "a text"))
_CONVERTER.register_structure_hook(int, _exactly(int, "an integer"))
_CONVERTER.register_structure_hook(bool, _exactly(bool, "true or false"))
_CONVERTER.register_structure_hook(dict, _exactly(dict, "a table"))
_CONVERTER.register_structure_hook_factory(_is_literal, _literal)
_CONVERTER.register_structure_hook_factory(_is_tuple, _tuple)
_CONVERTER.register_structure_hook_factory(_is_optional, _optional)
_CONVERTER.register_structure_hook_func(_is_union, _either)
