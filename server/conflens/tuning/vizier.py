"""A space as the JSON of Vizier's ``StudySpec``, in the mapping of protocol buffers.

A special value is chosen by a parameter of its own (``switched``), below which the range stands.  Vizier has no comparisons: the ranges are divided so
that none is broken.  The metric is ``cost``, to be minimised.
"""

from __future__ import annotations

import json

from conflens.tuning.building import independent
from conflens.tuning.plain import bounds
from conflens.tuning.space import Parameter, Space
from conflens.tuning.switched import IN_RANGE, switch_name, switch_start, switch_values


def write(space: Space) -> str:
    """Return the space as JSON."""
    data = {
        "metrics": [{"metricId": "cost", "goal": "MINIMIZE"}],
        "parameters": [_object(one) for one in independent(space).parameters],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _object(one: Parameter) -> dict[str, object]:
    if one.range is None:
        return _categorical(one.name, list(one.choices), str(one.start))
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
    return {
        **_categorical(switch_name(one), switch_values(one), switch_start(one)),
        "conditionalParameterSpecs": [
            {"parameterSpec": number, "parentCategoricalValues": {"values": [IN_RANGE]}}
        ],
    }


def _categorical(name: str, values: list[str], default: str) -> dict[str, object]:
    return {
        "parameterId": name,
        "categoricalValueSpec": {"values": values, "defaultValue": default},
    }
