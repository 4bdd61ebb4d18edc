"""Reads and declarations that chains of calls are (``asked_chains``): what is found there as sites and findings of one file."""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.kinds import enum_constants, kind_of
from conflens.models.load import Models
from conflens.options.member_types import simple
from conflens.options.model import ReadKind
from conflens.options.reads.asked_chains import Asked, AskedChains
from conflens.options.sites import NO_HINT, Found, Hint, Site
from conflens.options.value_texts import default_value
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import LIMIT, UNKNOWN


def ended(chains: AskedChains, models: Models, context: Context) -> Iterator[Site]:
    """Yield the reads of one body."""
    for value, call, asked in _all(chains, context):
        base = context.member.at
        key = context.code[asked.key]
        at, end = base + call.name_at, base + call.end
        default = default_value(models, chains.values, context, asked.default)
        yield Site(
            context.ref,
            value,
            ReadKind.CALL,
            asked.domain,
            _api(asked, call),
            asked.names if len(asked.names) < LIMIT else UNKNOWN,
            asked.key,
            at,
            end,
            end,
            base + key.at,
            base + key.end,
            ((default[0],),) if default is not None else None,
            asked.default,
            _hint(context.program, asked),
            followed=value,
        )


def declared(chains: AskedChains, models: Models, path: str) -> Iterator[Found]:
    """Yield what the chains of a file say of their options."""
    program, values = chains.program, chains.values
    facts = program.files[path]
    members = {
        number for name in facts.calls.keys() & chains.names() for number in facts.calls[name]
    }
    for number in sorted(members):
        context = values.open(program.ref(path, number))
        for _, call, asked in _all(chains, context):
            base = context.member.at
            key = context.code[asked.key]
            default = default_value(models, values, context, asked.default)
            text, at, end = default if default is not None else (None, NONE, NONE)
            for template in asked.names if len(asked.names) < LIMIT else ():
                name = "".join(part if isinstance(part, str) else "*" for part in template)
                yield Found(
                    asked.domain,
                    name,
                    "definition",
                    path,
                    base + key.at,
                    base + key.end,
                    base + call.at,
                    base + call.end,
                    f"{simple(context.ref.owner)}.{context.member.name}",
                    _api(asked, call),
                    default=text,
                    default_at=at,
                    default_end=end,
                    hint=_hint(program, asked),
                    description=asked.description,
                )


def _all(chains: AskedChains, context: Context) -> Iterator[tuple[int, ir.Call, Asked]]:
    names = chains.names()
    for value, call in context.calls() if names else ():
        if isinstance(call, ir.Call) and call.name in names:
            asked = chains.asked(context, value)
            if asked is not None:
                yield value, call, asked


def _api(asked: Asked, call: ir.Call) -> str:
    return f"{simple(asked.end.owner)}.{call.name}"


def _hint(program: Program, asked: Asked) -> Hint:
    """Return what the type of an end says of the value."""
    type_ = program.return_type(asked.end)
    if type_ is None or not kind_of(program, type_):
        return NO_HINT
    return Hint(None, "", enum_constants(program, type_), type_.text())
