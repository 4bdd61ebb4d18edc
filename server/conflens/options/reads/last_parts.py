"""Names of which only the last part is known: a word without a sign that is asked of an object whose prefix nobody tells.

Libraries that know the whole name of every setting have a word alone only where somebody declares it.  Any other is asked of a part that was
taken out, handed on and stored in a way that is not followed; ``*`` stands for what is in front of it.
An object that describes something (``repository.settings()``) has settings of its own, whose names are whole.
Absent: prefixes that are known (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.origins.tracing import root
from conflens.options.sites import Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import UNKNOWN, concat, known_text


def placed(
    program: Program,
    models: Models,
    sites: Mapping[str, tuple[Site, ...]],
    declared: Set[tuple[str, str]],
) -> dict[str, tuple[Site, ...]]:
    """Return the sites of each file, with ``*`` in front of words that are no whole names; ``declared``: domains and names."""
    signs = {row.domain: row.declared for row in models.domains if row.declared}
    return {path: tuple(_placed(program, signs, own, declared)) for path, own in sites.items()}


def _placed(
    program: Program,
    signs: Mapping[str, str],
    sites: Iterable[Site],
    declared: Set[tuple[str, str]],
) -> Iterator[Site]:
    for site in sites:
        sign = signs.get(site.domain)
        name = known_text(site.names) if sign is not None else None
        whole = sign is None or not name or sign in name or (site.domain, name) in declared
        if sign is None or whole or _is_own(program, site):
            yield site
        else:
            yield attrs.evolve(site, names=concat(concat(UNKNOWN, ((sign,),)), site.names))


def _is_own(program: Program, site: Site) -> bool:
    """Tell whether what a read asks, or hands over to be asked, is what an object of the program has."""
    context = Context.of(program, site.ref)
    call = context.code[site.value]
    if not isinstance(call, ir.Call):
        return False
    asked = (root(context, value) for value in (call.object, *call.args))
    return any(value != NONE and _is_had(context, value) for value in asked)


def _is_had(context: Context, value: int) -> bool:
    had = context.code[value]
    if not isinstance(had, ir.Call) or had.args or had.object == NONE:
        return False
    type_ = context.receiver_type(had)
    return type_ is not None and context.program.type(type_.name) is not None
