"""Interfaces that a dynamic proxy implements by looking something up for each method that is called.

``Proxy.newProxyInstance(loader, new Class[] {type}, handler)`` makes an object whose every call runs the handler, a
lambda or an object of the project's class with ``invoke(Object, Method, Object[])``.  A handler that returns what a lookup gives,
whose key is made from the method (its name, or an element of an annotation on it), reads an option for each method of the
interface.
Absent: libraries that do the same (model rows); proxies that are made by other means.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.binding.expand import Spelling
from conflens.options.binding.reflection import (
    Fill,
    looked_up,
    row_of,
    spelling_of,
    stated_defaults,
)
from conflens.options.origins.backward import Part, parts
from conflens.options.origins.sections import carrier_of
from conflens.options.origins.sources import ENTERED, Sources
from conflens.options.origins.tracing import Tracer, root
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

MAKES = "newProxyInstance"
_PROXY = "java.lang.reflect.Proxy"
_PARAMETERS = 3
_METHOD = 1
"""The parameter of a handler that is the method called."""


def makers(program: Program) -> Iterator[MemberRef]:
    """Yield the members that may make a proxy."""
    for path, facts in program.files.items():
        for index in facts.calls.get(MAKES, ()):
            yield program.ref(path, index)


def proxied(tracer: Tracer, sources: Sources, ref: MemberRef) -> Iterator[Fill]:
    """Yield what the proxies that a member makes look up: as a filler of the interface's methods."""
    context = tracer.values.open(ref)
    for _, call in context.calls():
        if not isinstance(call, ir.Call) or call.name != MAKES or len(call.args) != _PARAMETERS:
            continue
        if call.object != NONE and context.denotes(call.object) != _PROXY:
            continue
        handler = _handler(tracer, context, call.args[2])
        types = context.code[root(context, call.args[1])]
        if handler is None or not isinstance(types, ir.NewArray):
            continue
        fill = _fill(tracer, sources, context, NONE, handler) if types.values else None
        if fill is not None:
            yield from (attrs.evolve(fill, object=type_) for type_ in types.values)


class _Handler:
    """The body of a handler: all of a member, or a lambda in it; ``slot`` holds the method."""

    def __init__(self, context: Context, start: int, stop: int, slot: int) -> None:
        self.context = context
        self.range = range(start, stop)
        self.slot = slot


def _handler(tracer: Tracer, context: Context, value: int) -> _Handler | None:
    made = context.code[root(context, value)]
    if isinstance(made, ir.Lambda):
        if len(made.params) != _PARAMETERS:
            return None
        return _Handler(context, made.start, made.stop, made.params[_METHOD])
    type_ = context.type_of(value)
    if isinstance(made, ir.New):
        type_ = context.type_of(root(context, value))
    for ref in tracer.program.methods(type_.name, "invoke", _PARAMETERS) if type_ else ():
        inner = tracer.values.open(ref)
        return _Handler(inner, 0, len(inner.code), _METHOD)
    return None


def _fill(
    tracer: Tracer, sources: Sources, context: Context, type_: int, handler: _Handler
) -> Fill | None:
    inner = handler.context
    for number in handler.range:
        instr = inner.code[number]
        if not isinstance(instr, ir.Return) or instr.value == NONE:
            continue
        for part in parts(tracer, inner, instr.value):
            row = row_of(sources, part)
            found = looked_up(part, row)
            if found is None or not found.call.args or found.key == NONE:
                continue
            if not _is_of_method(tracer, part, found.key, handler):
                continue
            prefix, spelling = spelling_of(tracer, part, found.key)
            spelling = _named(tracer, part, found.key, spelling)
            spelling = stated_defaults(tracer, part, found, row, spelling)
            certain = row is not None and row.evidence == "certain"
            entered, domain = ENTERED, row.domain if row is not None else None
            if not certain:
                entered, domain = sources.carrier(part.context, part.value, found.call, part.hops)
            carrier = carrier_of(part.context, found.call.object)
            held = (part.context, carrier) if carrier != NONE else None
            kinds = frozenset({"method", "default"} if spelling.elements else {"method"})
            return Fill(
                context,
                type_,
                "token",
                prefix,
                spelling,
                kinds,
                domain,
                entered,
                held,
                False,
                certain,
                False,
                tracer,
            )
    return None


def _named(tracer: Tracer, part: Part, key: int, spelling: Spelling) -> Spelling:
    """Return how a key is spelled: as the method is called, unless ``get`` is cut off."""
    cut = any(
        isinstance(made.instr, ir.Call) and made.instr.name in ("substring", "decapitalize")
        for made in parts(tracer, part.context, key, part.hops)
    )
    return spelling if cut else spelling.called()


def _is_of_method(tracer: Tracer, lookup: Part, key: int, handler: _Handler) -> bool:
    """Tell whether a key is made from the method that is called: its name or what is annotated."""
    asked = False
    for part in parts(tracer, lookup.context, key, lookup.hops):
        instr = part.instr
        if isinstance(instr, ir.Call) and instr.object != NONE and not instr.args:
            asked = asked or instr.name == "getName"
        if isinstance(instr, ir.Call) and instr.name == "getAnnotation":
            asked = True
        if (
            isinstance(instr, ir.Load)
            and not instr.up
            and instr.slot == handler.slot
            and part.context.ref == handler.context.ref
        ):
            return asked
    return False
