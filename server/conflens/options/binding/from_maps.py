"""Classes that are filled with what an option of a map holds: ``new Binder(new MapSource(settings.getProperties())).bind("", ofInstance(engine))``.

The keys of the map are names of members, so each is an option below the name of the map.  An object that works, an engine say, holds others that it works
with: of an object that is filled in this way only members that one text can set count.
Absent: which members hold maps (``reads.member_maps``); maps that are taken out of others by a key (``origins.sections``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Value, root
from conflens.options.reads.member_maps import MemberMaps
from conflens.options.sites import Found
from conflens.program.expressions import Context

_DEPTH = 4
"""Objects around a map that are looked into."""


class FromMaps:
    """The maps that the binders of one program read."""

    def __init__(self, sources: Sources, declared: Iterable[Found]) -> None:
        """Look for the maps that ``declared`` options are."""
        self._sources = sources
        self._maps = MemberMaps(sources.tracer, declared)

    def carrier(self, context: Context, value: int) -> Value | None:
        """Return the map of which library objects around it were made: what a binder reads."""
        for _ in range(_DEPTH):
            value = root(context, value)
            if value == NONE:
                break
            if self._sources.is_map(context, value):
                return context, value
            made = context.code[value]
            if not isinstance(made, ir.New) or len(made.args) != 1 or context.targets(value):
                break
            value = made.args[0]
        return None

    def prefixes(self, carrier: Value) -> Iterator[tuple[str, str]]:
        """Yield the domain and the prefix of the options that the keys of a map are."""
        for found in self._maps.of(*carrier):
            yield found.domain, found.name.removesuffix("*")
