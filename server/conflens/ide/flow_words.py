"""Flows in words: what an option does to operations, and how sure that is.

The words are those of the project's glossary: an option *reaches* an operation ``direct``, by
``branch`` or by ``loop``.  Where a sentence needs a verb, a branch *gates*, a loop *repeats*, and a
direct value *sizes* memory and *feeds* anything else.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.flow.results import Confidence, Dependency, Flow, StepRole
from conflens.ide.flows import kind_order
from conflens.ide.words import count

_VERBS = {Dependency.DIRECT: "feeds", Dependency.BRANCH: "gates", Dependency.LOOP: "repeats"}
_NOUNS = {"lock": "lock", "memory": "allocation", "thread": "thread", "compute": "computation"}
_ORDER = (Dependency.BRANCH, Dependency.DIRECT, Dependency.LOOP)
_MAX_EFFECTS = 4


def effects(found: Mapping[tuple[Dependency, str], int]) -> str:
    """Return ``gates 2 locks, sizes 1 buffer, repeats 3 I/O``; empty for nothing."""
    keys = sorted(found, key=lambda key: (_ORDER.index(key[0]), *kind_order(key[1])))
    parts: list[str] = []
    said = ""
    for dependency, kind in keys[:_MAX_EFFECTS]:
        verb = verb_of(dependency, kind)
        amount = amount_of(found[dependency, kind], dependency, kind)
        parts.append(amount if verb == said else f"{verb} {amount}")
        said = verb
    if len(keys) > _MAX_EFFECTS:
        parts.append(f"{sum(found[key] for key in keys[_MAX_EFFECTS:]):,} more")
    return ", ".join(parts)


def verb_of(dependency: Dependency, kind: str) -> str:
    """Return what an option does to operations of a kind."""
    if dependency is Dependency.DIRECT and kind == "memory":
        return "sizes"
    return _VERBS[dependency]


def amount_of(number: int, dependency: Dependency, kind: str) -> str:
    """Return ``2 locks``, ``1 buffer``, ``3 I/O``."""
    if kind == "io":
        return f"{number:,} I/O"
    if kind == "memory" and dependency is Dependency.DIRECT:
        return count(number, "buffer")
    return count(number, _NOUNS.get(kind) or f"{kind} operation")


def manner(flow: Flow) -> str:
    """Return how an option reaches an operation: ``branch (branch-constant), 2 call levels below``."""
    words = f"{flow.dependency} ({flow.pattern})"
    if flow.distance:
        words += f", {count(flow.distance, 'call level')} below"
    return words


def doubt(flow: Flow) -> str:
    """Return why a flow is not of high confidence, empty if it is."""
    if flow.confidence is Confidence.HIGH:
        return ""
    reasons = ", ".join(flow.paths[0].reasons)
    words = f"{flow.confidence} confidence"
    return f"{words}: {reasons}" if reasons else words


def shown_role(role: StepRole) -> str:
    """Return a role as it is shown: calls below governed code belong to the guard."""
    return str(StepRole.GUARD if role is StepRole.CALL else role)
