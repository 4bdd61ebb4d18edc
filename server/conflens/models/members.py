"""Shapes of the rows of members of the project that hold or receive options: declared in a workspace file, or learned.

Absent: members that annotations and bindings fill (``schema``); how rows are learned (``options.learned``).
"""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class FieldReadRow:
    """Fields that hold options (workspace only).

    ``type`` is qualified; ``field`` a name in which ``*`` matches any part; ``name`` a template
    with ``{field}``; ``default`` None, since the initial value is the default.
    """

    type: str
    field: str
    name: str
    domain: str
    provenance: str


@attrs.frozen
class MapEntryRow:
    """A key of the map that a parameter receives, which a file of beans gives it."""

    type: str
    method: str
    parameter: int
    key: str


@attrs.frozen(kw_only=True)
class ParameterReadRow:
    """A parameter that receives an option (of workspaces, and of files of beans), of methods with ``count`` parameters."""

    type: str
    method: str
    parameter: int
    count: int | None = None
    name: str
    domain: str
    default: str | None = None
    provenance: str
