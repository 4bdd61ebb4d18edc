"""Shape of the rows of containers: what puts a value into an object that holds values, and what takes one out.

Absent: all other rows (``schema``), loading (``load``).
"""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class CellRow:
    """A call that puts a value into an object that holds values, or takes one out; with none of these it gives names of cells.

    ``put``: the argument that is put in; ``take``: the call gives what was put in; ``key``: the argument that names the
    cell (a map's key, a list's index), so that values under different constant keys stay apart; ``clear``: the object, or
    its cell ``key``, holds nothing afterwards; ``whole``: what is taken is all that the object holds, in another object, or what is put in is
    all that another object holds; ``entries``: what is taken stands in entries, of which each has to be asked.
    """

    type: str
    method: str
    put: int | None = None
    take: bool = False
    key: int | None = None
    clear: bool = False
    whole: bool = False
    entries: bool = False
    min_args: int = 0
    max_args: int | None = None
    parameters: tuple[str, ...] = ()
    provenance: str
