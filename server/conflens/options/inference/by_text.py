"""The type of an option that no Java code reads: from its names and the text of its default alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.options.inference.evidence import CODE, NAMED, WEAK, Evidence, Verdict, decide
from conflens.options.model import OptionType
from conflens.options.value_names import says

_INTEGER = re.compile(r"-?\d+\Z")
_FRACTION = re.compile(r"-?\d+\.\d+\Z")
_AMOUNT = re.compile(r"-?\d+(?:\.\d+)?\s?[A-Za-z]{0,2}\Z|PT\w+\Z")
_URI = re.compile(r"[a-z][a-z0-9+-]{1,20}:(?://|[a-z0-9]+:)")


def type_of_text(names: Iterable[str], default: str | None) -> Verdict:
    """Return what names (most telling first) and a default say of a value's type."""
    return decide(_evidence(names, default or None))


def _evidence(names: Iterable[str], default: str | None) -> Iterator[Evidence]:
    amount = default is None or _AMOUNT.match(default) is not None
    for weight, name in zip((NAMED, WEAK), names, strict=False):
        named = says(name)
        if named.number is not None and amount:
            yield Evidence(named.number, f"named {name}", weight, named.unit)
        if named.text is not None:
            yield Evidence(named.text, f"named {name}", weight)
    if default is None:
        return
    why = f"default {default}"
    if default in ("true", "false"):
        yield Evidence(OptionType.BOOLEAN, why, CODE)
    elif _INTEGER.match(default):
        yield Evidence(OptionType.INTEGER, why, WEAK)
    elif _FRACTION.match(default):
        yield Evidence(OptionType.FRACTION, why, WEAK)
    elif _URI.match(default):
        yield Evidence(OptionType.URI, why, WEAK)
    elif not _AMOUNT.match(default):
        yield Evidence(OptionType.STRING, why, WEAK)
