"""Performance properties of one option (LearnConf §4), as data.

Terms
    slope      how the amount of one operation follows the value, as a term over the value as it is set (LearnConf §4.2).
    direction  whether an operation's kind of cost grows (``up``) or shrinks (``down``) when the value is raised; ``mixed`` if it does both.
    relation   what another option does to the effect of this one (LearnConf §4.4).
    felt by    whose work does the costly operations: a request, background work, the start (LearnConf §4.1).

Absent: limits and adjustments (``options.adjustments``).
"""

from __future__ import annotations

import enum

import attrs

from conflens.base.span import Place
from conflens.flow.results import OptionKey
from conflens.flow.terms import Term


class Way(enum.StrEnum):
    """What a kind of cost does when the value is raised."""

    UP = "up"
    DOWN = "down"
    MIXED = "mixed"


class Felt(enum.StrEnum):
    """Whose work it is."""

    REQUEST = "request"
    BACKGROUND = "background"
    STARTUP = "startup"


class RelationKind(enum.StrEnum):
    """What the other option does."""

    NEEDS = "needs"
    ENABLES = "enables"
    BOUNDED_BY = "bounded-by"
    MULTIPLIED = "multiplied"
    OVERRIDDEN_BY = "overridden-by"
    CONFLICTS = "conflicts"


@attrs.frozen
class Slope:
    """The amount of one operation: ``term`` over the value; ``kind`` is that of the operation, ``unit`` what is counted (``bytes``, ``threads``).

    ``words`` name what there is an amount of, for a person: ``memory``, ``wait``.
    """

    term: Term
    expression: str
    kind: str
    unit: str
    place: Place
    words: str = ""


@attrs.frozen
class Direction:
    """What one kind of cost does when the value is raised; ``words`` name the cost (``memory``, ``flushes``)."""

    kind: str
    way: Way
    words: str
    place: Place


@attrs.frozen
class Relation:
    """``other`` and what it does to this option, with the place that shows it.

    Of what is needed ``op`` and ``value`` say how the other option's value must compare: ``==`` and ``true``, ``>`` and ``0``.
    """

    other: OptionKey
    kind: RelationKind
    place: Place
    op: str = ""
    value: str = ""


@attrs.frozen
class FeltBy:
    """Whose work reaches the operations: ``entry`` is the member where it enters (``Server.handle``), empty for the start."""

    felt: Felt
    entry: str
    place: Place


@attrs.frozen
class Properties:
    """All that is known; empty parts are unknown, and ``monotone`` is ``None`` where it cannot be told."""

    slopes: tuple[Slope, ...] = ()
    directions: tuple[Direction, ...] = ()
    relations: tuple[Relation, ...] = ()
    felt_by: tuple[FeltBy, ...] = ()
    monotone: bool | None = None
