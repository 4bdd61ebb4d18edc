"""What is known of the object that a lookup asks: where it comes from, what the program has put into it, what it is a part of.

Each question is answered once for a local or field of a body.
Absent: what its names say (``roles``); what speaks against it (``doubts``).
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.origins.backward import HOPS
from conflens.options.origins.filled_here import contents
from conflens.options.origins.handed import domain_of
from conflens.options.origins.sections import Sections
from conflens.options.origins.sources import ENTERED, Sources
from conflens.options.origins.tracing import Value
from conflens.options.reads.beginnings import holes
from conflens.options.reads.doubts import PLAIN, is_attribute
from conflens.options.reads.opened import FAR, given_tree, is_own_tree, of_tree, place_of
from conflens.options.reads.own_parts import below
from conflens.options.reads.prefixes import Prefixes
from conflens.options.roles import Roles
from conflens.options.sites import Site
from conflens.program.expressions import Context
from conflens.program.templates import Dynamic, Templates, concat


class Carriers:
    """Answers for one program."""

    def __init__(self, sources: Sources, roles: Roles, prefixes: Prefixes) -> None:
        """Ask ``sources`` and ``roles``; parts have the prefixes that ``prefixes`` tells."""
        self._sources = sources
        self._roles = roles
        self._prefixes = prefixes
        self._sections = Sections(sources.tracer, sources)
        self._trail = sources.tracer.values.trail

    def enters(self, context: Context, call: ir.Call) -> bool:
        """Tell whether the object that is asked comes from where configuration enters."""
        key = ("entered", context.ref, place_of(context, call.object))
        return self._trail.remembered(
            key, lambda: self._sources.of(context, (call.object,), HOPS // 2) == ENTERED
        )

    def handed(self, context: Context, call: ir.Call) -> str | None:
        """Return the domain that all of what is asked comes from, if it was only copied or handed on."""
        key = ("handed", context.ref, place_of(context, call.object))
        return self._trail.remembered(
            key, lambda: domain_of(self._sources.tracer, self._roles, context, call.object)
        )

    def whole(self, context: Context, call: ir.Call) -> tuple[Context, ir.Call]:
        """Return a lookup as if the map were asked that what is asked is a section of, if that is plainly called configuration and enters as such."""

        def find() -> Value | None:
            return self._sections.whole((context, call.object))

        if call.object == NONE or not self._sources.is_map(context, call.object):
            return context, call
        key = ("whole", context.ref, place_of(context, call.object))
        found = self._trail.remembered(key, find)
        if found is None or found[1] == NONE:
            return context, call
        place, value = found
        if self._roles.of(place, value).score < PLAIN or is_attribute(self._roles, place, value):
            return context, call
        asked = ir.Call(call.at, call.end, value, call.name, call.args, call.name_at)
        return (place, asked) if self.enters(place, asked) else (context, call)

    def below(self, context: Context, site: Site, tree: int) -> Site | None:
        """Return a read of what a helper is given as a tree, named below the part that it is, if that is configuration."""
        inner = holes(site.names) and given_tree(context, tree) != NONE
        find = self._prefixes.of_tree if inner else self._prefixes.of
        own = tree == NONE or self._prefixes.is_own(context, tree, site.names)
        prefix = find(context, tree) if not own else None
        if prefix is not None:
            site = attrs.evolve(site, names=below(prefix, site.names))
        judged = of_tree(self._sources, context, site, tree, FAR)
        if judged is not None or is_own_tree(self._sources, context, tree):
            return judged
        called = tree != NONE and self._roles.of(context, tree).score > 0
        if called and self.enters(context, ir.Call(0, 0, tree, "", (), 0)):
            return site
        return judged

    def is_kept(
        self, context: Context, call: ir.Call, names: Templates, *, weak: bool = False
    ) -> bool:
        """Tell whether what is looked up is what the program has put there itself.

        A ``weak`` map holds parameters, which may be those of a request that the program makes: other things in it say nothing of these.
        """
        key = ("contents", context.ref, place_of(context, call.object))
        tracer = self._sources.tracer
        known = self._trail.remembered(
            key, lambda: contents(tracer, context, call.object, self._sources.is_data)
        )
        return known.holds(names) or (weak and known.puts(names))

    def in_section(self, context: Context, call: ir.Call, names: Templates) -> Templates:
        """Return names as they are called in the carrier that a map is a part of, by a key or by the start of its keys."""
        if self._prefixes.is_own(context, call.object, names):
            return names
        if call.object == NONE or self._sources.is_map(context, call.object):
            names = below(self._prefixes.of_copy(context, call.object), names)
        open_ = any(isinstance(part, Dynamic) for template in names for part in template)
        if open_ or call.object == NONE or not self._sources.is_map(context, call.object):
            return names
        key = ("section", context.ref, place_of(context, call.object))
        found = self._trail.remembered(key, lambda: self._sections.known((context, call.object)))
        return concat(tuple((text,) for text in found), names) if any(found) else names
