"""Sentences on what other options do to one, and on whose work feels it: ``Only used if `snap.enabled` is on.``

Absent: which of them are known (``properties``).
"""

from __future__ import annotations

from collections.abc import Sequence

from conflens.base.words import joined
from conflens.options.arguments import COMMAND_LINE
from conflens.properties.model import Felt, FeltBy, Relation, RelationKind
from conflens.render.phrases import code

_NAMES = 3
"""Options that one sentence names."""
_COMPARED = {
    "==": "is",
    "!=": "is not",
    ">": "is above",
    ">=": "is at least",
    "<": "is below",
    "<=": "is at most",
}


def relation_words(relations: Sequence[Relation]) -> tuple[str, ...]:
    """Return the sentences on the relations of an option, as Markdown; the first is the one that matters most."""
    kinds = dict.fromkeys(relation.kind for relation in relations)
    return tuple(_sentence(kind, [one for one in relations if one.kind is kind]) for kind in kinds)


def _sentence(kind: RelationKind, found: Sequence[Relation]) -> str:
    names = [code(_written(*one.other)) for one in found[:_NAMES]]
    match kind:
        case RelationKind.NEEDS:
            needed = [f"{name} {condition(one)}" for name, one in zip(names, found, strict=False)]
            return f"Only used if {joined(needed)}."
        case RelationKind.ENABLES:
            verb = "is" if len(names) == 1 else "are"
            conditions = {condition(one) for one in found}
            when = f"this {conditions.pop()}" if len(conditions) == 1 else "this allows it"
            return f"{joined(names)} {verb} only used if {when}."
        case RelationKind.BOUNDED_BY:
            lower = [name for name, one in zip(names, found, strict=False) if one.op == "lower"]
            if len(lower) == len(names):
                return f"Bounded from below by {joined(names)}."
            return f"Bounded by {joined(names)}."
        case RelationKind.MULTIPLIED:
            return f"Multiplied with {joined(names)}."
        case RelationKind.OVERRIDDEN_BY:
            if len(names) > 1:
                return f"Not used where {joined(names, 'or')} is set."
            return f"Not used where {names[0]} is set, which takes its place."
        case RelationKind.CONFLICTS:
            return f"Cannot be on together with {joined(names, 'or')}."


def _written(domain: str, name: str) -> str:
    """Return an option as a person writes it: one letter of a command line has a dash."""
    return f"-{name}" if domain == COMMAND_LINE and len(name) == 1 else name


def condition(relation: Relation) -> str:
    """Return how the value of an option must compare: ``is on``, ``is above 0``, ``is not set``."""
    if relation.value in ("true", "false"):
        on = (relation.value == "true") == (relation.op == "==")
        return "is on" if on else "is off"
    if relation.value == "null":
        return "is not set" if relation.op == "==" else "is set"
    return f"{_COMPARED[relation.op]} {relation.value}"


_FELT = {Felt.REQUEST: "requests", Felt.BACKGROUND: "background work"}


def felt_words(felt: Sequence[FeltBy]) -> str:
    """Return the sentence on whose work reaches what an option makes expensive, as Markdown; empty where nothing is known."""
    parts = [
        f"{_FELT[one.felt]} ({code(one.entry)})" if one.entry else _FELT[one.felt]
        for one in felt
        if one.felt in _FELT
    ]
    if parts:
        return f"Felt by {joined(parts)}."
    return "Felt at the start only." if felt else ""
