"""Which (domain, name) pairs are one option, and under which of them it is shown.

- A name in a generic domain (a map, a ``Properties``) and in a specific one; members of unlike classes that are bound to a
  properties file and to a tree share no more than a short name; so do objects whose names are titles (``Region``).
- In a relaxed domain (``models.schema.DomainRow``), spellings that differ in case, ``-`` and ``_``; shown in the
  spelling of a bound class, else the one in lower case.
- On a command line, ``count`` where it is defined and ``--count`` where the same file compares it; elsewhere they are of
  different programs.
- The short and the long name that one definition gives an option of a command line; shown is the long one.
- A member of one class that is read from JSON here and from YAML there: YAML.
- A variable of the environment and a property that one member tries in turn: their names are equal but for case and
  separators, or one call of a helper is given both and gets that variable nowhere else; shown is the
  property, or the variable if both have its name.  A file that is asked for the same name, too, makes no second property.
- ``key[0]`` beside ``key[*]``: the elements of one list.
- ``*key`` beside ``key``: a view puts a prefix before every key that is looked up without the view, too.

Absent: other options that share a spelling in different specific domains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from conflens.models.load import Models
from conflens.options.names.naming import loose
from conflens.options.sites import Finding
from conflens.program.refs import MemberRef

GENERIC = ("settings", "properties")
_TREES = ("json", "yaml")
_COMMAND_LINE = "command-line"
_ENVIRONMENT = "environment"
_PROPERTY = "system-property"
_TRIED = frozenset({_ENVIRONMENT, _PROPERTY, *GENERIC})
_DASHES = ("--", "-")
_SHORTEST = 4
"""Letters that a key must have for ``*key`` to be the same one."""

Key = tuple[str, str]


def joined_names(groups: Mapping[Key, Sequence[Finding]], models: Models) -> dict[Key, Key]:
    """Return for each key the one that its option is shown under."""
    specific: dict[str, str] = {}
    titles = {row.domain for row in models.domains if row.titles}
    for domain, name in groups:
        if domain not in GENERIC and (domain not in titles or "." in name):
            specific.setdefault(name, domain)
    relaxed = {**_relaxed(groups, models), **_long_names(groups)}
    homes = {key: _home(key, groups, specific, relaxed) for key in groups}
    tried = {key: homes[other] for key, other in _tried_in_turn(groups).items()}
    homes.update(tried)
    return {key: tried.get(home, home) for key, home in homes.items()}


def _home(
    key: Key,
    groups: Mapping[Key, Sequence[Finding]],
    specific: Mapping[str, str],
    relaxed: Mapping[Key, Key],
) -> Key:
    domain, name = key
    if domain in GENERIC:
        home = specific.get(name, domain)
        if home == "settings" and ("properties", name) in groups:
            home = "properties"
        unlike = home in _TREES and _is_bound(groups[key])
        if not unlike or _same_member(groups, key, (home, name)):
            key = home, name
    elif domain == _COMMAND_LINE and not name.startswith("-"):
        dashed = [(domain, dash + name) for dash in _DASHES]
        key = next((other for other in dashed if _share_a_file(groups, key, other)), key)
    elif domain == "json" and _same_member(groups, key, ("yaml", name)):
        key = "yaml", name
    if "[0]" in name and (key[0], name.replace("[0]", "[*]")) in groups:
        key = key[0], name.replace("[0]", "[*]")
    if name.startswith("*"):
        plain = name.lstrip("*")
        if len(plain) >= _SHORTEST and "*" not in plain and (key[0], plain) in groups:
            key = key[0], plain
    return relaxed.get(key, key)


def _relaxed(groups: Mapping[Key, Sequence[Finding]], models: Models) -> dict[Key, Key]:
    """Return the shown spelling of names that have several in a relaxed domain."""
    domains = {row.domain for row in models.domains if row.relaxed}
    spellings: dict[Key, list[Key]] = {}
    for key in groups:
        if key[0] in domains:
            spellings.setdefault((key[0], loose(key[1])), []).append(key)
    found: dict[Key, Key] = {}
    for keys in spellings.values():
        if len(keys) > 1:
            shown = min(keys, key=lambda key: (not _is_bound(groups[key]), *_rank(key[1])))
            found.update(dict.fromkeys(keys, shown))
    return found


def _long_names(groups: Mapping[Key, Sequence[Finding]]) -> dict[Key, Key]:
    """Return the long name of the options of a command line that a definition gives several names, unless it is not the
    same for all definitions of a name."""
    defined: dict[tuple[str, int, int], list[str]] = {}
    for (domain, name), named in groups.items():
        for item in named:
            found = item.found
            if domain == _COMMAND_LINE and found is not None and found.kind == "definition":
                place = found.path, found.scope_at, found.scope_end
                defined.setdefault(place, []).append(name)
    long: dict[str, set[str]] = {}
    for names in defined.values():
        shown = max(names, key=lambda name: (name[0] == "-", len(name.lstrip("-")), name))
        for name in names:
            long.setdefault(name, set()).add(shown)
    return {
        (_COMMAND_LINE, name): (_COMMAND_LINE, min(shown))
        for name, shown in long.items()
        if len(shown) == 1 and name not in shown and long.get(min(shown)) == shown
    }


def _tried_in_turn(groups: Mapping[Key, Sequence[Finding]]) -> dict[Key, Key]:
    """Return for variables of the environment the property that is tried in turn with them."""
    members: dict[MemberRef, list[tuple[Key, int]]] = {}
    for key, named in groups.items():
        if key[0] in _TRIED and "*" not in key[1]:
            for item in named:
                if item.site is not None:
                    members.setdefault(item.site.ref, []).append((key, item.site.value))
    with_it: dict[Key, set[Key | None]] = {}
    alike: dict[Key, set[Key]] = {}
    for found in members.values():
        by_call: dict[int, dict[Key, None]] = {}
        by_letters: dict[str, dict[Key, None]] = {}
        specific = {key for key, _ in found if key[0] not in GENERIC}
        for key, value in found:
            # A file that is asked for a property's name after the property is no property of its own.
            if key[0] != _ENVIRONMENT and (
                key[0] not in GENERIC or (_PROPERTY, key[1]) not in specific
            ):
                by_call.setdefault(value, {})[key] = None
                by_letters.setdefault(_letters(key[1]), {})[key] = None
        for key, value in found:
            if key[0] != _ENVIRONMENT:
                continue
            # Only a single property counts: two are as good as any number.
            called = {*islice(by_call.get(value, ()), 2)}
            with_it.setdefault(key, set()).update(called or {None})
            same = {*islice(by_letters.get(_letters(key[1]), ()), 2)}
            if same:
                alike.setdefault(key, set()).update(same)
    pairs: dict[Key, Key] = {}
    for key, others in with_it.items():
        only = alike.get(key) or {one for one in others if one is not None}
        if len(only) == 1 and (key in alike or None not in others):
            (other,) = only
            if key[1] == other[1] and key[1].isupper():
                pairs[other] = key
            else:
                pairs[key] = other
    return pairs


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _share_a_file(groups: Mapping[Key, Sequence[Finding]], one: Key, other: Key) -> bool:
    return other in groups and not _files(groups[one]).isdisjoint(_files(groups[other]))


def _same_member(groups: Mapping[Key, Sequence[Finding]], one: Key, other: Key) -> bool:
    """Tell whether one declaration stands behind two names."""
    if other not in groups:
        return False
    places = {(item.found.path, item.found.at) for item in groups[one] if item.found is not None}
    return any(
        item.found is not None and (item.found.path, item.found.at) in places
        for item in groups[other]
    )


def _files(named: Iterable[Finding]) -> set[str]:
    found = {item.found.path for item in named if item.found is not None}
    return found | {item.site.ref.path for item in named if item.site is not None}


def _is_bound(named: Iterable[Finding]) -> bool:
    return any(item.found is not None and item.found.kind == "field" for item in named)


def _rank(name: str) -> tuple[bool, int, str]:
    """Order spellings: lower case first, then the one whose words are apart."""
    return name != name.lower(), -name.count("-"), name
