"""What a call gives that knows no class is cast to: ``(Setup) unmarshaller.unmarshal(file)``, ``type.cast(unmarshaller.unmarshal(file))``."""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Mode, root
from conflens.program.expressions import Context


def cast_to(context: Context, made: int) -> Iterator[tuple[int, Mode]]:
    """Yield the casts of what a call gives, and the class tokens that are asked to cast it."""
    for number, instr in enumerate(context.code):
        if isinstance(instr, ir.Cast) and root(context, instr.value) == made:
            yield number, "object"
        elif (
            isinstance(instr, ir.Call)
            and instr.name == "cast"
            and instr.object != NONE
            and len(instr.args) == 1
            and root(context, instr.args[0]) == made
        ):
            yield instr.object, "token"
