"""Directions: which costs grow and which shrink when the number that an option is set to is raised (LearnConf §4.5, Table 1).

The value itself says more than what it decides: a threshold counts where nothing else is known of a kind of cost, and what is compared with a
constant says nothing of a number, since raising it mostly changes nothing.  Where effects disagree, nothing is said, unless they are of equal weight.
Absent: the sentence (``render.property_phrases``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from conflens.flow.results import Confidence, Pattern
from conflens.operations.flows import kind_order
from conflens.properties.effects import NEAR, Effect
from conflens.properties.model import Direction, Way

_VERBS = {
    "flush": ("flushes", "io"),
    "sync": ("syncs", "io"),
    "force": ("syncs", "io"),
    "write": ("writes", "io"),
    "delete": ("deletions", "io"),
    "send": ("messages", "io"),
    "connect": ("connections", "io"),
    "commit": ("commits", "io"),
    "sleep": ("pauses", "lock"),
    "wait": ("waits", "lock"),
    "await": ("waits", "lock"),
    "execute": ("tasks", "thread"),
    "submit": ("tasks", "thread"),
}
"""What a first word of a method's name is in a sentence, and the kind of operations of which it is so."""
_OF_KIND = {
    "io": "I/O",
    "memory": "memory",
    "lock": "locking",
    "thread": "threads",
}
_READ = {
    "File": "reads of files",
    "RandomAccessFile": "reads of files",
    "ResultSet": "rows read",
    "Socket": "reads from the network",
}
"""What is read, by the first words of a class; of others, streams and buffers, a name of a class does not say it."""
LONGER = "longer "
"""What stands before a cost that lasts longer, rather than being more."""
LASTING = ("pauses", "waits")
_WORD = re.compile(r"[A-Z]?[a-z]+")


def directions_of(effects: Sequence[Effect]) -> tuple[Direction, ...]:
    """Return the directions of an option, most certain first."""
    effects = [one for one in effects if one.distance <= NEAR]
    strong = [one for one in effects if one.strong and one.way is not None and cost_of(one)]
    sized = {one.place for one in strong if one.cost}
    strong = [one for one in strong if one.cost or one.place not in sized]
    lasting = {(one.operation.kind, one.way) for one in strong if one.grows == "longer"}
    strong = [
        one
        for one in strong
        if one.cost or (one.operation.kind, one.way) not in lasting or _verb(one) not in LASTING
    ]
    weak = [
        one
        for one in effects
        if not one.strong and one.way is not None and cost_of(one) and _says(one)
    ]
    unknown = {
        one.operation.kind
        for one in effects
        if one.strong and one.way is None and one.confidence is Confidence.HIGH
    }
    found = list(_grouped(strong))
    kinds = {one.operation.kind for one in strong} | unknown
    found += _grouped(one for one in weak if one.operation.kind not in kinds)
    return tuple(found)


def _says(one: Effect) -> bool:
    if one.confidence is not Confidence.HIGH or one.pointed:
        return False
    verb = _verb(one)
    # What waits until a number is reached is woken by it: how often, and how long, that is together nobody knows.
    return one.pattern is not Pattern.BRANCH_CONSTANT and verb != "" and verb not in LASTING


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
    """Return how the cost of an operation is called; empty where there is no word that says what is done."""
    if one.cost:
        return f"{LONGER if one.grows == 'longer' else ''}{one.cost}"
    kind = one.operation.kind
    if kind == "lock" and one.incidental:
        return _verb(one)
    if kind == "io" and _first_word(one) == "read":
        return _verb(one)
    return _verb(one) or _OF_KIND.get(kind, "")


def _first_word(one: Effect) -> str:
    word = _WORD.match(one.operation.api.rpartition(".")[2])
    return word[0].lower() if word else ""


def _verb(one: Effect) -> str:
    owner = one.operation.api.partition(".")[0]
    if one.operation.kind == "io" and _first_word(one) == "read":
        return next((words for name, words in _READ.items() if owner.startswith(name)), "")
    words, kind = _VERBS.get(_first_word(one), ("", ""))
    return words if kind == one.operation.kind else ""


WAIT, THREADS = "wait", "threads"


def noun_of(one: Effect) -> str:
    """Return what an amount is of: ``memory``, ``wait``, ``threads``."""
    kind = one.operation.kind
    if kind == "lock" and (one.cost or _verb(one) in LASTING or one.unit in _TIMES):
        return WAIT
    return THREADS if kind == "thread" else kind


_TIMES = frozenset({"ns", "us", "ms", "s", "min", "h", "d"})


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
    near = [one for one in effects if one.distance <= NEAR]
    known = [one for one in near if one.way is not None]
    if not known or any(one.way is None and one.strong for one in near):
        return None
    ways: dict[tuple[str, str], set[Way | None]] = {}
    for one in known:
        ways.setdefault((one.operation.kind, cost_of(one)), set()).add(one.way)
    if any(len(found) > 1 for found in ways.values()):
        return None
    return True if directions or known else None
