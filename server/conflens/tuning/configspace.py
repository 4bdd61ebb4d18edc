"""A space as the JSON of ConfigSpace, format 0.4, which SMAC3 reads.

A special value is chosen by a parameter of its own (``switched``), on which the range is conditional.  A comparison becomes forbidden
relations.  ``meta`` of a parameter names its option, domain, unit and suffix.
"""

from __future__ import annotations

import json

from conflens.tuning.plain import bounds
from conflens.tuning.space import Parameter, Space
from conflens.tuning.switched import IN_RANGE, switch_name, switch_start, switch_values

_FORMAT = 0.4
_FORBIDDEN = {
    "<=": ("RELATION_GT",),
    "<": ("RELATION_GT", "RELATION_EQ"),
    ">=": ("RELATION_LT",),
    ">": ("RELATION_LT", "RELATION_EQ"),
}
"""What a comparison forbids."""


def write(space: Space) -> str:
    """Return the space as JSON."""
    conditions: list[dict[str, object]] = [
        {"type": "EQ", "child": one.name, "parent": switch_name(one), "value": IN_RANGE}
        for one in space.parameters
        if one.specials
    ]
    tops = {one.name: switch_name(one) if one.specials else one.name for one in space.parameters}
    conditions += (
        {"type": "IN", "child": tops[one.child], "parent": one.parent, "values": list(one.values)}
        for one in space.conditions
    )
    data = {
        "name": "conflens",
        "hyperparameters": [made for one in space.parameters for made in _made(one)],
        "conditions": conditions,
        "forbiddens": [
            {"type": kind, "left": one.left, "right": one.right}
            for one in space.comparisons
            for kind in _FORBIDDEN[one.op]
        ],
        "python_module_version": "1.2.0",
        "format_version": _FORMAT,
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _made(one: Parameter) -> list[dict[str, object]]:
    meta = {
        "option": one.key[1],
        "domain": one.key[0],
        "unit": one.unit,
        "suffix": one.suffix,
        "special": {item.meaning: item.value for item in one.specials},
    }
    if one.range is None:
        return [_categorical(one.name, list(one.choices), str(one.start), meta)]
    low, high = bounds(one.range)
    number: dict[str, object] = {
        "type": "uniform_int" if one.range.is_whole else "uniform_float",
        "name": one.name,
        "lower": low,
        "upper": high,
        "default_value": one.start_in_range,
        "log": one.range.is_log,
        "meta": meta,
    }
    if not one.specials:
        return [number]
    return [_categorical(switch_name(one), switch_values(one), switch_start(one), None), number]


def _categorical(name: str, choices: list[str], default: str, meta: object) -> dict[str, object]:
    return {
        "type": "categorical",
        "name": name,
        "choices": choices,
        "weights": None,
        "default_value": default,
        "meta": meta,
    }
