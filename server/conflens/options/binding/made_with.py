"""What the members of an object hold that its class did not say, but the place that makes it: ``retry = new Retry(3, ofSeconds(5))``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.binding.held import holders
from conflens.options.binding.properties import Property
from conflens.options.value_texts import default_value
from conflens.program.refs import MemberRef
from conflens.program.values import Values

Given = Mapping[MemberRef, tuple[str, int, int] | None]
"""By the fields of an object: the text of what it is made with and where that stands; ``None`` if it is not known."""
NOTHING_GIVEN: Given = MappingProxyType({})


def made_with(models: Models, values: Values, item: Property) -> Given:
    """Return what the constructor is given that makes the initial object of a member."""
    ref = item.member
    if ref is None or values.program.member(ref).kind != "field":
        return NOTHING_GIVEN
    context = values.open(ref)
    stored = [instr.value for instr in context.code if isinstance(instr, ir.StoreField)]
    made = context.code[stored[-1]] if stored and stored[-1] != NONE else None
    if not isinstance(made, ir.New) or not made.args:
        return NOTHING_GIVEN
    targets = context.targets(stored[-1])
    if len(targets) != 1:
        return NOTHING_GIVEN
    return {
        field: default_value(models, values, context, made.args[slot])
        for slot, field in holders(values, targets[0]).items()
        if field is not None and slot < len(made.args)
    }
