"""A space as the JSON of Vizier's ``StudySpec``, in the mapping of protocol buffers.

A special value is chosen by a parameter of its own (``switched``), below which the range stands.  Vizier has no comparisons: the ranges are divided so
that none is broken.  The metric is ``cost``, to be minimised.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from conflens.tuning.building import independent
from conflens.tuning.plain import bounds
from conflens.tuning.space import Parameter, Space
from conflens.tuning.switched import IN_RANGE, switch_name, switch_start, switch_values


def write(space: Space) -> str:
    """Return the space as JSON."""
    space = independent(space)
    below: dict[str, list[tuple[tuple[str, ...], Parameter]]] = {}
    by_name = {one.name: one for one in space.parameters}
    for item in space.conditions:
        below.setdefault(item.parent, []).append((item.values, by_name[item.child]))
    conditional = {item.child for item in space.conditions}
    data = {
        "metrics": [{"metricId": "cost", "goal": "MINIMIZE"}],
        "parameters": [
            _object(one, below) for one in space.parameters if one.name not in conditional
        ],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


_Below = Mapping[str, Sequence[tuple[tuple[str, ...], Parameter]]]
"""The parameters that have an effect only if another one, by name, has one of some values."""


def _object(one: Parameter, below: _Below) -> dict[str, object]:
    if one.range is None:
        return _categorical(
            one.name, list(one.choices), str(one.start), _children(one.name, below)
        )
    low, high = bounds(one.range)
    start = one.start_in_range
    if one.range.is_whole:  # 64-bit numbers are texts in this mapping
        values: dict[str, object] = {
            "integerValueSpec": {
                "minValue": str(low),
                "maxValue": str(high),
                "defaultValue": str(start),
            }
        }
    else:
        values = {"doubleValueSpec": {"minValue": low, "maxValue": high, "defaultValue": start}}
    scale = "UNIT_LOG_SCALE" if one.range.is_log else "UNIT_LINEAR_SCALE"
    number = {"parameterId": one.name, **values, "scaleType": scale}
    if not one.specials:
        return number
    name = switch_name(one)
    inside = {"parameterSpec": number, "parentCategoricalValues": {"values": [IN_RANGE]}}
    children = [inside, *_children(name, below)]
    return _categorical(name, switch_values(one), switch_start(one), children)


def _children(name: str, below: _Below) -> list[dict[str, object]]:
    return [
        {
            "parameterSpec": _object(child, below),
            "parentCategoricalValues": {"values": list(values)},
        }
        for values, child in below.get(name, ())
    ]


def _categorical(
    name: str, values: list[str], default: str, children: list[dict[str, object]]
) -> dict[str, object]:
    made: dict[str, object] = {
        "parameterId": name,
        "categoricalValueSpec": {"values": values, "defaultValue": default},
    }
    return {**made, "conditionalParameterSpecs": children} if children else made
