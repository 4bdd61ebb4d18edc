"""Flows in words: what an option does to operations, and how sure that is.

An option reaches an operation ``direct``, by ``branch`` or by ``loop``.  Where a sentence needs a verb, a
branch *controls*, a loop *repeats*, and a direct value *sizes* memory and *is passed to* anything else.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.base.words import count, joined
from conflens.flow.results import Confidence, Dependency, Flow
from conflens.operations.flows import LOG, kind_order, verb_of
from conflens.render.phrases import plain

_NOUNS = {
    "io": "I/O operation",
    "lock": "lock operation",
    "memory": "allocation",
    "thread": "thread operation",
    "compute": "computation",
}
_ORDER = (Dependency.LOOP, Dependency.BRANCH, Dependency.DIRECT)
_MAX_EFFECTS = 4
_MAX_COLUMNS = 7
_MAX_KIND = 40


def effects(counts: Mapping[tuple[Dependency, str], int]) -> str:
    """Return ``repeats 3 I/O operations, controls 2 lock operations, sizes 1 buffer``; empty for nothing.

    Loops come first, because they multiply costs; what a log gets is left out.
    """
    keys = sorted(
        (key for key in counts if key[1] != LOG),
        key=lambda key: (_ORDER.index(key[0]), *kind_order(key[1])),
    )
    parts: dict[str, list[str]] = {}
    for dependency, kind in keys[:_MAX_EFFECTS]:
        amount = amount_of(counts[dependency, kind], dependency, kind)
        parts.setdefault(verb_of(dependency, kind), []).append(amount)
    words = [f"{verb} {joined(amounts)}" for verb, amounts in parts.items()]
    if len(keys) > _MAX_EFFECTS:
        words.append(f"{sum(counts[key] for key in keys[_MAX_EFFECTS:]):,} more")
    return ", ".join(words)


def manners(counts: Mapping[tuple[Dependency, str], int]) -> str:
    """Return ``repeats I/O operations, sizes buffers``, which stays while only numbers change; empty for
    nothing."""
    keys = sorted(
        (key for key in counts if key[1] != LOG),
        key=lambda key: (_ORDER.index(key[0]), *kind_order(key[1])),
    )
    parts: dict[str, list[str]] = {}
    for dependency, kind in keys:
        amount = amount_of(2, dependency, kind).removeprefix("2 ")
        parts.setdefault(verb_of(dependency, kind), []).append(amount)
    return ", ".join(f"{verb} {joined(amounts)}" for verb, amounts in parts.items())


def amount_of(number: int, dependency: Dependency, kind: str) -> str:
    """Return ``2 lock operations``, ``1 buffer``, ``3 I/O operations``."""
    if kind == "memory" and dependency is Dependency.DIRECT:
        return count(number, "buffer")
    return count(number, _NOUNS.get(kind) or f"{kind} operation")


def manner(flow: Flow) -> str:
    """Return how an option reaches an operation: ``branch (branch-constant), 2 call levels below``."""
    words = f"{flow.dependency} ({flow.pattern})"
    if flow.distance:
        words += f", {count(flow.distance, 'call level')} below"
    return words


_SHORT = {
    Dependency.DIRECT: "takes the value",
    Dependency.BRANCH: "conditional",
    Dependency.LOOP: "repeated",
}


def relation(dependency: Dependency, kind: str) -> str:
    """Return how an operation depends on an option, in a word or two after it."""
    if dependency is Dependency.DIRECT and kind == "memory":
        return "sized"
    return _SHORT[dependency]


def doubt(flow: Flow) -> str:
    """Return why a flow is not of high confidence, empty if it is."""
    if flow.confidence is Confidence.HIGH:
        return ""
    reasons = ", ".join(flow.paths[0].reasons)
    words = f"{flow.confidence} confidence"
    return f"{words}: {reasons}" if reasons else words


def table(counts: Mapping[tuple[Dependency, str], int]) -> str:
    """Return a Markdown table of counts, dependency by kind; empty for nothing."""
    kinds = sorted({kind for _, kind in counts}, key=kind_order)[:_MAX_COLUMNS]
    if not kinds:
        return ""
    rows = [f"| reaches | {' | '.join(plain(kind, _MAX_KIND) for kind in kinds)} |"]
    rows.append(f"| --- |{' ---: |' * len(kinds)}")
    for dependency in Dependency:
        numbers = [counts.get((dependency, kind), 0) for kind in kinds]
        if any(numbers):
            cells = " | ".join(f"{number:,}" if number else "" for number in numbers)
            rows.append(f"| {dependency} | {cells} |")
    return "\n".join(rows)
