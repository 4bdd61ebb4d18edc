"""Shapes of the rows of calls that say something of one of their arguments.

Absent: calls whose argument tells the type, the unit or the bounds of a value (``schema``).
"""

from __future__ import annotations

from typing import Literal

import attrs


@attrs.frozen(kw_only=True)
class BarrierRow:
    """A call no value passes through."""

    type: str
    method: str
    provenance: str


@attrs.frozen(kw_only=True)
class CheckRow:
    """A call that throws unless the condition ``argument`` holds (``checkArgument``)."""

    type: str
    method: str
    argument: int
    min_args: int = 0
    max_args: int | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class RangeRow:
    """A call that throws unless the number ``argument`` lies within ``minimum`` and ``maximum``, both legal.

    ``least``: another argument that is the smallest legal number as well.
    """

    type: str
    method: str
    argument: int
    minimum: float | None = None
    maximum: float | None = None
    least: int | None = None
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str


@attrs.frozen(kw_only=True)
class SecretRow:
    """A call whose ``argument`` is a secret (``DriverManager.getConnection``): excerpts of code hide literals in it.

    No type of the receiver is looked for that only the program knows: its declared type, or the name of what gives it, ends in
    the simple name of ``type``.
    """

    type: str
    method: str
    argument: int
    min_args: int = 0
    max_args: int | None = None
    provenance: str


@attrs.frozen(kw_only=True)
class SecretWordRow:
    """What ``method`` does where a secret goes through them, of whatever type it is.

    ``compares``: it compares its receiver and its arguments with each other, so that a literal there may be the secret.  ``asks``:
    methods whose name begins with this word look something up, by their first argument.  ``gives``: it sounds as if it did, and gives
    what it is given.  ``keeps``: what it is given, or called on, is in what it gives.  ``falls_back``: it gives one of these.
    ``matches``: it tells whether a value is another, so that what is asked to be a secret is one.  ``acts``: methods whose name
    begins with this word do something with a secret or for one, and are no setters of it.  ``adds``: it puts its arguments into the
    list, the array or the like that it is called on, or that it is given first.
    """

    method: str
    does: Literal["compares", "asks", "gives", "keeps", "falls_back", "matches", "acts", "adds"]
    provenance: str
