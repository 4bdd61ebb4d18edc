"""Which options a person means: names, globs and domains, and what they may have meant instead.

A name means, in this order: the options with exactly that name; for a glob (``*``, ``?``, ``[…]``) those
whose names match; else the options with a dynamic part that it is an instance of (``fs.s3.impl`` is
one of ``fs.*.impl``).  Case counts, as it does in Java.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from conflens.base.words import count
from conflens.cli.errors import BadInputError
from conflens.models.structure import nearest

_GLOB = frozenset("*?[")


class Named(Protocol):
    """What is chosen from: anything with an option's name and domain."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def domain(self) -> str:
        """Where the name lives."""


NamedT = TypeVar("NamedT", bound=Named)


def choose(
    options: Sequence[NamedT], names: Iterable[str], domain: str | None
) -> tuple[NamedT, ...]:
    """Return the options meant, all without ``names``, in the order of ``options``.

    Raises :class:`BadInputError` for a name or domain that no option has.
    """
    if domain is not None:
        options = in_domain(options, domain)
    wanted = [set(_matching(options, name)) for name in names]
    if not wanted:
        return tuple(options)
    keys = set().union(*wanted)
    return tuple(option for option in options if _key(option) in keys)


def _key(option: Named) -> tuple[str, str]:
    return option.domain, option.name


def in_domain(options: Sequence[NamedT], domain: str) -> list[NamedT]:
    """Return the options of a domain; raise :class:`BadInputError` for one that no option has."""
    known = {option.domain for option in options}
    meant = domain if domain in known else domain.strip().replace(" ", "-")
    if meant not in known:
        reason = f"no option is in the domain '{domain}'"
        raise BadInputError(_advice(reason, nearest(meant, known), sorted(known)))
    return [option for option in options if option.domain == meant]


def _matching(options: Sequence[Named], name: str) -> list[tuple[str, str]]:
    found = [option for option in options if option.name == name]
    if not found and not _GLOB.isdisjoint(name):
        found = [option for option in options if fnmatchcase(option.name, name)]
    elif not found:
        found = [option for option in options if is_instance(name, option.name)]
    if not found:
        names = {option.name for option in options}
        reason = f"no option matches '{name}' among {count(len(options), 'option')}"
        raise BadInputError(_advice(reason, _near(name, names), ()))
    return [_key(option) for option in found]


def is_instance(name: str, pattern: str) -> bool:
    """Tell whether ``name`` is one of a dynamic name's, whose only wildcard is ``*``."""
    if "*" not in pattern:
        return False
    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def _near(name: str, names: set[str]) -> str | None:
    """Return the most similar name; one that differs in case only, or ends so, comes first."""
    for known in sorted(names, key=lambda known: (len(known), known)):
        if known.lower() == name.lower() or known.lower().endswith(f".{name.lower()}"):
            return known
    return nearest(name, names)


def _advice(reason: str, near: str | None, known: Sequence[str]) -> str:
    if near is not None:
        return f"{reason}; did you mean '{near}'?"
    return f"{reason}; there are {', '.join(known)}" if known else reason
