"""A space as plain JSON, schema ``conflens-space/1``: everything that is known, for tools of one's own.

``parameters``: ``name``, ``option`` and ``domain``; ``type`` (``int``, ``float``, ``categorical``); ``range`` (two inclusive bounds) and ``log``, or
``values``; ``default`` (null where the program states none); ``special`` (``value``, ``meaning``); ``unit``; ``suffix``, which is written behind a number;
``evidence`` of the verdict; ``effect``.  ``comparisons``: ``left``, ``op``, ``right``.  ``conditions``: ``child`` has an effect only if ``parent`` has one of
``values``.  ``left_out``: ``option``, ``domain``, ``reason``.
"""

from __future__ import annotations

import json

from conflens.tuning.space import Parameter, Range, Space

SCHEMA = "conflens-space/1"


def write(space: Space) -> str:
    """Return the space as JSON."""
    data = {
        "schema": SCHEMA,
        "parameters": [_object(one) for one in space.parameters],
        "comparisons": [
            {"left": one.left, "op": one.op, "right": one.right} for one in space.comparisons
        ],
        "conditions": [
            {"child": one.child, "parent": one.parent, "values": list(one.values)}
            for one in space.conditions
        ],
        "left_out": [
            {"option": one.key[1], "domain": one.key[0], "reason": one.reason}
            for one in space.left_out
        ],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def bounds(range_: Range) -> list[int | float]:
    """Return both bounds, as whole numbers where the range is of these."""
    ends = (range_.low, range_.high)
    return [int(end) for end in ends] if range_.is_whole else list(ends)


def type_of(one: Parameter) -> str:
    """Return ``int``, ``float`` or ``categorical``."""
    if one.range is None:
        return "categorical"
    return "int" if one.range.is_whole else "float"


def _object(one: Parameter) -> dict[str, object]:
    varied: dict[str, object] = (
        {"values": list(one.choices)}
        if one.range is None
        else {"range": bounds(one.range), "log": one.range.is_log}
    )
    return {
        "name": one.name,
        "option": one.key[1],
        "domain": one.key[0],
        "type": type_of(one),
        **varied,
        "default": one.default,
        "special": [{"value": item.value, "meaning": item.meaning} for item in one.specials],
        "unit": one.unit or None,
        "suffix": one.suffix or None,
        "evidence": one.evidence,
        "effect": one.why or None,
    }
