"""Rows of entries: where work begins that somebody waits for, that runs by itself, or that runs at the start only."""

from __future__ import annotations

from typing import Literal

import attrs

EntryFelt = Literal["request", "background", "startup", "handed"]
EntryShape = Literal["override", "interface", "named", "annotation", "calls", "hands"]


@attrs.frozen(kw_only=True)
class EntryRow:
    """Members of the program that a library runs, or that wait for work.

    ``felt``: whose work begins there: a ``request``, ``background`` work, the ``startup``, or ``handed``: work that others hand over,
    which may be any.  ``shape``: ``override``: methods that override ``method`` of ``type``, any if it is empty.  ``interface``: the
    methods of interfaces that extend ``type``, and those that implement them.  ``named``: methods that override those of a class or
    interface that a generator makes, whose name ends with ``suffix``.  ``annotation``: members with the annotation ``type``.  ``calls``:
    members that call ``method`` and wait in it for work.  ``hands``: what ``method`` is given runs so.
    ``either``: the other side may as well be a server that answers; then a class that calls itself a client is none.
    """

    type: str
    method: str = ""
    felt: EntryFelt
    shape: EntryShape
    suffix: str = ""
    either: bool = False
    min_args: int = 0
    max_args: int | None = None
    provenance: str
