"""Constant objects that name options of a part of the configuration: what they say belongs to the whole names.

``SIZE("size", 5)`` declares ``size``; where ``config.getConfig("pool").getInt(SIZE.path())`` reads it, the option is ``pool.size``,
and what its declaration says (default, type, description) is said of that.  A declaration all of whose reads stand under prefixes is no
option of its own, and neither is one that nothing reads if others of the same class are read under prefixes.
Absent: reads of the constants by their whole names; prefixes (``reads.prefixes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from conflens.options.model import Declaration
from conflens.options.names.joining import Key
from conflens.options.sites import Finding, Found, Site

Constant = Callable[[str, Site], tuple[Declaration | None, str]]
"""Returns the constant that is the name at a read, and what comments say of it."""


def placed(
    groups: Mapping[Key, Sequence[Finding]], constant: Constant
) -> Mapping[Key, Sequence[Finding]]:
    """Return the findings by (domain, name), with the declarations of constant objects under the names that are read."""
    declared = {
        key: own
        for key, named in groups.items()
        if (own := [one for one in named if one.found and one.found.kind == "constant"])
    }
    if not declared:
        return groups
    found = {key: list(named) for key, named in groups.items()}
    prefixes: dict[tuple[str, str], dict[str, None]] = {}
    moved: set[tuple[str, int]] = set()
    for key, named in groups.items():
        for short in _tails(key):
            for item in _asked(named, declared.get(short, ()), constant):
                assert item.found is not None
                moved.add((item.found.path, item.found.at))
                prefix = key[1].removesuffix(short[1])
                prefixes.setdefault(_holder(item.found), {})[prefix] = None
                _put(found, key, item)
    for short, own in declared.items():
        for item in own:
            assert item.found is not None
            known = [*prefixes.get(_holder(item.found), ())]
            if not known or any(one.site is not None for one in found[short]):
                continue
            # What is never read stands where the other constants of its class are read, if that is one place.
            found[short].remove(item)
            if len(known) == 1 and (item.found.path, item.found.at) not in moved:
                _put(found, (short[0], known[0] + short[1]), item)
    return {key: named for key, named in found.items() if named}


def _holder(found: Found) -> tuple[str, str]:
    """Return the file and the class that declare a constant; nested classes of one name are many."""
    return found.path, found.symbol.rpartition(".")[0]


def _put(groups: dict[Key, list[Finding]], key: Key, item: Finding) -> None:
    """Put a declaration under a whole name, once."""
    found = item.found
    assert found is not None
    named = groups.setdefault(key, [])
    if all((one.path, one.at) != (found.path, found.at) for one in _founds(named)):
        whole = attrs.evolve(found, name=key[1])
        named.append(Finding(key[1], None, whole, item.inference))


def _founds(named: Sequence[Finding]) -> Iterator[Found]:
    return (item.found for item in named if item.found is not None)


def _asked(
    named: Sequence[Finding], declared: Sequence[Finding], constant: Constant
) -> Iterator[Finding]:
    """Yield the declarations by whose constants the reads of an option name it."""
    by_place = {(one.found.path, one.found.at): one for one in declared if one.found is not None}
    for item in named if declared else ():
        said = constant(item.name, item.site)[0] if item.site is not None else None
        found = by_place.get((said.place.path, said.place.start)) if said is not None else None
        if found is not None:
            yield found


def _tails(key: Key) -> Iterator[Key]:
    """Yield the names that a name ends with, behind each of its dots."""
    domain, name = key
    at = name.find(".")
    while at >= 0:
        yield domain, name[at + 1 :]
        at = name.find(".", at + 1)
