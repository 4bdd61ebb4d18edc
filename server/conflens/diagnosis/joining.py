"""Which option a recorded value belongs to.

A run is configured by system properties, variables of the environment, arguments, parameters of URLs and config files.
Programs translate between these: ``-Dapp.cacheSize``, ``APP_CACHE_SIZE`` and ``cache-size`` may be one option.

Terms
    place   an origin and the name that a value has there.
    exact   the place is one where the option itself lives, or an alias of it.
    spelt   the name is the option's in another spelling that its domain allows (``options.names``).
    folded  the letters and digits of both names agree, after leading segments of the recorded name were left out;
            this counts only for values that differ, only if one option alone fits, and only if what is left has
            more than one word or a pattern of the program covers the recorded name (``"h2." + name``).

A pattern is no option that a value could belong to.  Absent: what values mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from conflens.flow.results import OptionKey
from conflens.options.model import Option
from conflens.options.names.naming import Names
from conflens.options.names.patterns import covers
from conflens.profiling.model import Origin

ENVIRONMENT = "environment"
COMMAND = "command-line"

Place = tuple[Origin, str]

_OTHERS = re.compile(r"[^a-z0-9]+")
_WORDS = re.compile(r"[A-Za-z0-9][._-]+[A-Za-z0-9]|[a-z0-9][A-Z]")
_FIRST_SEGMENT = re.compile(r"[^.]+\.")
_MAX_NAME = 200
_ANYWHERE = (Origin.CONFIG_FILE, Origin.URL_PARAMETER, Origin.ARGUMENT)
"""Origins that say nothing of where an option lives."""


class Joining:
    """The options of one table by the places of their values."""

    def __init__(self, names: Names) -> None:
        """``names`` are those of the options, with the spellings that their domains allow."""
        self._names = names

    def of(self, place: Place, differs: bool) -> tuple[OptionKey, ...]:
        """Return the options that a value belongs to, as a rule one; ``differs`` between the sides."""
        exact = self._exact.get(place)
        if exact is not None:
            return exact
        origin, name = place
        if not differs and origin is not Origin.CONFIG_FILE:
            return ()
        spelt = tuple(
            option.key
            for option in self._names.named(name.lstrip("-"))
            if not option.pattern and _lives(option, origin)
        )
        return spelt or (self._fold(name) if differs else ())

    @cached_property
    def _exact(self) -> Mapping[Place, tuple[OptionKey, ...]]:
        found: dict[Place, dict[OptionKey, None]] = {}
        for option in self._names.table.options:
            if option.pattern:
                continue
            for domain, name in (option.key, *option.aliases):
                for place in places(domain, name):
                    found.setdefault(place, {})[option.key] = None
        return {place: tuple(keys) for place, keys in found.items()}

    @cached_property
    def _folded(self) -> Mapping[str, tuple[OptionKey, ...]]:
        found: dict[str, list[OptionKey]] = {}
        for option in self._names.table.options:
            if not option.pattern:
                found.setdefault(_folded(option.name), []).append(option.key)
        return {name: tuple(keys) for name, keys in found.items()}

    @cached_property
    def _patterns(self) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(option.name.split("*")) for option in self._names.table.options if option.pattern
        )

    def _fold(self, name: str) -> tuple[OptionKey, ...]:
        if len(name) > _MAX_NAME:
            return ()
        derived = any(any(parts) and covers(parts, name) for parts in self._patterns)
        for left in _suffixes(name.lstrip("-")):
            found = self._folded.get(_folded(left), ())
            if found:
                sure = len(found) == 1 and (derived or _WORDS.search(left))
                return found if sure else ()
        return ()


def places(domain: str, name: str) -> list[Place]:
    """Return where a run that sets an option by its own name has recorded it."""
    if domain == ENVIRONMENT:
        return [(Origin.ENVIRONMENT, name)]
    if domain == COMMAND:
        plain = name.lstrip("-")
        return [(Origin.ARGUMENT, one) for one in (name, f"--{plain}", f"-{plain}")]
    return [(Origin.SYSTEM_PROPERTY, name)]


def _lives(option: Option, origin: Origin) -> bool:
    """Tell whether a value of this origin may be an option's if the name fits."""
    if option.domain == ENVIRONMENT:
        return origin is Origin.ENVIRONMENT
    if option.domain == COMMAND:
        return origin is Origin.ARGUMENT
    return origin in _ANYWHERE or origin in (Origin.SYSTEM_PROPERTY, Origin.ENVIRONMENT)


def _folded(name: str) -> str:
    return _OTHERS.sub("", name.lower())


def _suffixes(name: str) -> Iterator[str]:
    """Yield a name, then without its first segment, and so on."""
    yield name
    while match := _FIRST_SEGMENT.match(name):
        name = name[match.end() :]
        yield name
