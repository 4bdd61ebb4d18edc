"""What completion offers: items and their words, shared by keys, values and placeholders."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import attrs

from conflens.base.words import shorten
from conflens.flow.results import OptionKey
from conflens.options.model import Default, Option, OptionType
from conflens.options.secret_values import is_hidden, is_secret_option

MAX_ITEMS = 100
MAX_VALUE = 40
"""Characters of a value that are shown beside a name."""
_MAX_DETAIL = 80
_MAX_CHOICES = 4
_BARE_UNITS = frozenset({"", "count", "ratio"})


class ItemKind(StrEnum):
    """What an item writes."""

    KEY = "key"
    NAMESPACE = "namespace"
    """The fixed part of a pattern."""
    VALUE = "value"
    PLACEHOLDER = "placeholder"


@attrs.frozen
class Item:
    """Puts ``text`` in place of the bytes ``start`` to ``end`` of the present text.  A client finds it by ``filter``, which
    begins with what stands between ``start`` and the cursor if it matches; ``preferred`` is the default."""

    label: str
    kind: ItemKind
    text: str
    start: int
    end: int
    filter: str
    detail: str = ""
    option: OptionKey | None = None
    description: str = ""
    deprecated: bool = False
    preferred: bool = False


@attrs.frozen
class Completions:
    """The items in order; if there are more than ``MAX_ITEMS`` the answer is ``incomplete``."""

    items: tuple[Item, ...]
    incomplete: bool = False


NOTHING = Completions(())


def detail_of(option: Option, defaults: Sequence[Default]) -> str:
    """Return type and default in a few plain words: ``integer in ms, default 30``; empty if neither is known."""
    parts = []
    if option.type is OptionType.MODE and option.values:
        more = ["…"] if len(option.values) > _MAX_CHOICES else []
        parts.append(" | ".join([*option.values[:_MAX_CHOICES], *more]))
    elif option.type is not OptionType.UNKNOWN:
        unit = "" if option.unit in _BARE_UNITS else f" in {option.unit}"
        parts.append(f"{option.type}{unit}")
    secret = is_secret_option(option)
    default = defaults[0] if defaults else None
    if default is not None and not (secret or is_hidden(option, default)):
        parts.append(f"default {shorten(default.text, MAX_VALUE) or '(empty)'}")
    return shorten(", ".join(parts), _MAX_DETAIL)
