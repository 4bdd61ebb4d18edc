"""A space as a group of tunables of MLOS (``mlos_bench``), schema ``tunable-params``.

MLOS has special values but no comparisons (microsoft/MLOS#721): the ranges are divided so that none is broken.  Nor has it conditions: a parameter
that needs another one is varied also where it has no effect.
"""

from __future__ import annotations

import json

from conflens.tuning.building import independent
from conflens.tuning.plain import bounds, type_of
from conflens.tuning.space import Parameter, Space


def write(space: Space) -> str:
    """Return the space as JSON."""
    group = {
        "cost": 1,
        "description": "Options of the program, as conflens space found them.",
        "params": {one.name: _object(one) for one in independent(space).parameters},
    }
    return json.dumps({"conflens": group}, indent=2, ensure_ascii=False) + "\n"


def _object(one: Parameter) -> dict[str, object]:
    made: dict[str, object] = {"type": type_of(one)}
    if one.why:
        made["description"] = one.why
    made["meta"] = {
        "option": one.key[1],
        "domain": one.key[0],
        "unit": one.unit,
        "suffix": one.suffix,
    }
    if one.range is None:
        return {**made, "values": list(one.choices), "default": one.start}
    is_special = any(item.value == one.default for item in one.specials)
    made["range"] = bounds(one.range)
    made["log"] = one.range.is_log
    if one.specials:
        made["special"] = [item.value for item in one.specials]
    made["default"] = one.default if is_special else one.start_in_range
    return made
