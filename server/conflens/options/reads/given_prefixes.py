"""Prefixes of objects that a member is given: ``configure(PropertyResolver own)`` reads ``own.get("size")``.

Each caller may give an object with another prefix, or hand on one that it was given itself.  The read stays where it is, with one name
for each prefix.  An object whose prefix is not set gives names only where no other has one.
Bounded by ``HOPS`` callers and ``_CALLS`` calls, beyond which something is said.  Absent: prefixes that the call itself tells (``wrappers``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.tracing import Tracer
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    BEFORE,
    DYNAMIC,
    Param,
    Template,
    Templates,
    normal,
)

HOPS = 5
_CALLS = 400
_MISSING = "options below other prefixes that callers of this method give are not analysed"
_MANY = f"only {_CALLS} calls are looked at for prefixes: {_MISSING}"
_FAR = f"a prefix is handed on by more than {HOPS} methods: {_MISSING}"


def prefixed(tracer: Tracer, ref: MemberRef, names: Templates) -> Templates:
    """Return names under the prefixes of what callers give; as they are where those are not known."""
    found: dict[Template, None] = {}
    for name in names:
        head = name[0]
        starts: list[Template] = []
        if isinstance(head, Param) and head.name and head.how and head.how[-1].what == BEFORE:
            starts = given(tracer, ref, head)
        known = [normal((*start, *name[1:])) for start in starts]
        found.update(dict.fromkeys(known or [name]))
    return tuple(found)


def given(tracer: Tracer, ref: MemberRef, hole: Param) -> list[Template]:
    """Return what callers give for the prefix in an argument's field."""
    return tracer.values.trail.remembered(
        ("given prefixes", ref, hole), lambda: _given(tracer, ref, hole)
    )


def _given(tracer: Tracer, ref: MemberRef, hole: Param) -> list[Template]:
    queue = [(ref, hole, 0)]
    seen = {(ref, hole)}
    found: dict[Template, None] = {}
    asked = 0
    while queue:
        place, part, hops = queue.pop(0)
        for caller, value, args in tracer.callers(place):
            asked += 1
            if asked > _CALLS:
                tracer.values.cut(ref, _MANY)
                return _longer(found)
            instr = caller.code[value]
            receiver = instr.object if isinstance(instr, ir.Call) else NONE
            plain = part._replace(how=part.how[:-1])
            for template in tracer.values.open_filled(caller, receiver, args, plain) or (("",),):
                first = template[0]
                if len(template) == 1 and isinstance(first, Param) and first.name:
                    above = first._replace(how=(*first.how, part.how[-1]))
                    if (caller.ref, above) not in seen and hops >= HOPS:
                        tracer.values.cut(ref, _FAR)
                    elif (caller.ref, above) not in seen:
                        seen.add((caller.ref, above))
                        queue.append((caller.ref, above, hops + 1))
                elif isinstance(first, str):
                    known = [one if isinstance(one, str) else DYNAMIC for one in template]
                    end = part.how[-1].old if template != ("",) else ""
                    found[normal((*known, end))] = None
    return _longer(found)


def _longer(found: Iterable[Template]) -> list[Template]:
    return [one for one in found if one != ("",)] or list(found)
