"""Wrappers that nobody in the program calls: what they read is a pattern, or unresolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import partial

from conflens.facts.ir import NONE
from conflens.options.member_types import simple
from conflens.options.model import ReadKind
from conflens.options.reads.derived import namings
from conflens.options.reads.unseen_objects import is_never_seen
from conflens.options.sites import Api, Found, Site
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    UNKNOWN,
    Part,
    SelfField,
    Templates,
    concat,
    reason_of,
    substitute,
)
from conflens.program.values import Values


def uncalled(
    values: Values,
    apis: tuple[Api, ...],
    called: Set[MemberRef | None],
    objects: Iterable[Found],
) -> Iterator[Site]:
    """Yield the reads of wrappers that are not ``called``.

    What those read that take the name from ``objects`` which declare options is known.
    """
    program = values.program
    inside = {*called, *(api.through for api in apis)}
    classes = {found.api for found in objects}
    for api in apis:
        unclear = api.lookups or api.tree != NONE
        if api.ref in inside or unclear or (api.depth > 1 and not api.named):
            continue
        if is_never_seen(program, api.ref, api.names):
            continue
        if any(simple(name.owner) in classes for name in namings(program, values, (api,))):
            continue
        names = api.alone or substitute(api.names, partial(_left_open, values))
        names = concat(api.start, names) if api.start else names
        start = program.member(api.ref).at
        at, end = start + api.at, start + api.end
        yield Site(
            api.ref,
            NONE,
            ReadKind.CALL,
            api.domain,
            api.inner,
            names,
            NONE,
            at,
            end,
            end,
            at,
            end,
            default=api.default if _constant(api.default) else None,
            hint=api.hint,
            sure=api.sure,
        )


def _left_open(values: Values, part: Part) -> Templates:
    """Return what stands for what a caller would fill in: something unknown, with the bound that a field's value lies beyond."""
    texts = values.expand(part) if isinstance(part, SelfField) else UNKNOWN
    return texts if any(map(reason_of, texts)) else UNKNOWN


def _constant(default: Templates | None) -> bool:
    """Tell whether a default depends on no caller."""
    return default is not None and all(isinstance(part, str) for one in default for part in one)
