"""Directions: which costs grow and which shrink when an option is raised, or set to true (LearnConf §4.5, Table 1).

The value itself says more than what it decides: a threshold counts where nothing else is known of a kind of cost, and what is compared with a
constant says nothing of a number, since raising it mostly changes nothing.  Where effects disagree, nothing is said, unless they are of equal weight.
Absent: the sentence (``render.property_phrases``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from conflens.flow.results import Confidence, Pattern
from conflens.operations.flows import kind_order
from conflens.properties.effects import Effect
from conflens.properties.model import Direction, Way

_VERBS = {
    "flush": "flushes",
    "sync": "syncs",
    "force": "syncs",
    "write": "writes",
    "read": "reads",
    "delete": "deletions",
    "open": "opened files",
    "send": "messages",
    "connect": "connections",
    "commit": "commits",
    "sleep": "pauses",
    "execute": "tasks",
    "submit": "tasks",
}
"""What a first word of a method's name is in a sentence."""
_OF_KIND = {
    "io": "I/O",
    "memory": "memory",
    "lock": "locking",
    "thread": "threads",
    "compute": "computation",
}
_WORD = re.compile(r"[A-Z]?[a-z]+")


def directions_of(effects: Sequence[Effect], *, switch: bool) -> tuple[Direction, ...]:
    """Return the directions of an option, most certain first; ``switch``: it is a boolean."""
    strong = [one for one in effects if one.strong and one.way is not None]
    weak = [
        one
        for one in effects
        if not one.strong and one.way is not None and _says(one, switch=switch)
    ]
    unknown = {
        one.operation.kind
        for one in effects
        if one.strong and one.way is None and one.confidence is Confidence.HIGH
    }
    found = list(_grouped(strong))
    kinds = {one.operation.kind for one in strong} | (set() if switch else unknown)
    found += _grouped(one for one in weak if one.operation.kind not in kinds)
    return tuple(found)


def _says(one: Effect, *, switch: bool) -> bool:
    if one.confidence is not Confidence.HIGH or one.pointed:
        return False
    return switch or one.pattern is not Pattern.BRANCH_CONSTANT


def _grouped(effects: Iterable[Effect]) -> Iterable[Direction]:
    groups: dict[tuple[str, str], list[Effect]] = {}
    for one in effects:
        groups.setdefault((one.operation.kind, cost_of(one)), []).append(one)
    for (kind, words), group in sorted(groups.items(), key=lambda item: kind_order(item[0][0])):
        ways = {one.way for one in group}
        first = group[0]
        assert first.way is not None
        way = first.way if len(ways) == 1 else Way.MIXED
        yield Direction(kind, way, words, first.place)


def cost_of(one: Effect) -> str:
    """Return how the cost of an operation is called."""
    if one.cost:
        return f"{'longer ' if one.grows == 'longer' else ''}{one.cost}"
    method = one.operation.api.rpartition(".")[2]
    word = _WORD.match(method)
    kind = one.operation.kind
    return _VERBS.get(word[0].lower() if word else "", "") or _OF_KIND.get(kind, kind)


def by_kind(directions: Iterable[Direction]) -> dict[str, Way]:
    """Return what becomes of each kind of cost as a whole."""
    found: dict[str, Way] = {}
    for one in directions:
        known = found.get(one.kind)
        found[one.kind] = one.way if known in (None, one.way) else Way.MIXED
    return found


def is_monotone(effects: Sequence[Effect], directions: Sequence[Direction]) -> bool | None:
    """Tell whether costs only grow, or only shrink, as an option is raised (LearnConf §4.5)."""
    if any(one.pointed or one.fragmented for one in effects):
        return False
    known = [one for one in effects if one.way is not None]
    if not known or any(one.way is None and one.strong for one in effects):
        return None
    ways: dict[tuple[str, str], set[Way | None]] = {}
    for one in known:
        ways.setdefault((one.operation.kind, cost_of(one)), set()).add(one.way)
    if any(len(found) > 1 for found in ways.values()):
        return None
    return True if directions or known else None
