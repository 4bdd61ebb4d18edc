"""Defaults that follow from the key, or from the call that parses a value which is not there.

A method that reads an option for its caller may look its default up in a map of defaults by the same key:
``System.getProperty(key, DEFAULTS.get(key))``, ``value == null ? DEFAULTS.get(key) : value``.  Whoever calls it tells
the key.  Where nobody says anything, the value may go straight into a call that gives something for ``null``, too
(``Boolean.parseBoolean``: a row's ``missing``); nobody wrote that default.

Bounded by ``DEPTH`` wrappers within wrappers.
Absent: what the maps hold (``default_maps``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.uses import Uses
from conflens.options.inference.default_maps import DefaultMaps
from conflens.options.inference.defaults import (
    DEPTH,
    Look,
    fallbacks,
    null_branches,
    returned_of,
    told_name,
    within,
)
from conflens.options.inference.missing import read_again
from conflens.options.sites import Site
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef

_LOOKUPS = frozenset({"get", "getProperty"})
_LINKS = 4


class _Lookup(NamedTuple):
    """A lookup in a map: the map, and the key there; ``slot``: the parameter that the key is, else ``NONE``."""

    context: Context
    map: int
    key: int
    slot: int


class _Inner(NamedTuple):
    """A call of another wrapper in a wrapper."""

    target: MemberRef
    args: tuple[int, ...]


class ByKey:
    """Finds such defaults in one program."""

    def __init__(self, uses: Uses, maps: DefaultMaps) -> None:
        """Look in ``maps``."""
        self.uses = uses
        self.maps = maps
        self._remembered = uses.values.trail.remembered

    # -- maps of defaults ------------------------------------------------------------------------------

    def default(self, site: Site, reached: Iterable[int]) -> tuple[str | None, frozenset[str]]:
        """Return the default that a map has for the key of a read, and the files looked at."""
        code = self.uses.code(site.ref)
        call = code.code[site.value] if site.value != NONE else None
        if not isinstance(call, (ir.Call, ir.New)):
            return None, frozenset()
        files: set[str] = set()
        found: set[str | None] = set()
        places = [(code, arg) for arg in call.args] if site.through is None else []
        places += fallbacks(self.uses, code, set(reached) | {site.value}, Look(0, files))
        for place, value in places:
            lookup = self._lookup(place.context, value)
            if lookup is not None:
                found.add(self._held(lookup, lookup.context, lookup.key))
        if not found and site.through is not None:
            lookups, more = self._told_by(site.through, 0)
            files |= more
            for lookup in lookups:
                if lookup.slot < len(call.args) and len(found) < 2:
                    found.add(self._held(lookup, code.context, call.args[lookup.slot]))
        return (found.pop() if len(found) == 1 else None), frozenset(files)

    def _told_by(self, ref: MemberRef, depth: int) -> tuple[tuple[_Lookup, ...], frozenset[str]]:
        """Return the lookups in maps whose key a call of a wrapper tells, and the files looked at."""
        return self._remembered(("lookups", ref, depth), lambda: self._find_told(ref, depth))

    def _find_told(self, ref: MemberRef, depth: int) -> tuple[tuple[_Lookup, ...], frozenset[str]]:
        found: dict[_Lookup, None] = {}
        context = self.uses.code(ref).context
        steps, looked = self._plan(ref)
        files = set(looked)
        for step in steps:
            if isinstance(step, _Lookup):
                found[step] = None
            elif depth < DEPTH:
                slots = [_parameter(context, arg) for arg in step.args]
                if NONE in slots:
                    continue
                inner, more = self._told_by(step.target, depth + 1)
                self.uses.program.meter.spend(1 + len(inner))
                files |= more
                for lookup in inner:
                    if lookup.slot < len(slots):
                        found[lookup._replace(slot=slots[lookup.slot])] = None
        return tuple(found), frozenset(files)

    def _held(self, lookup: _Lookup, context: Context, key: int) -> str | None:
        """Return what a map has for a key, whose place is another body if a caller tells it."""
        named = self.maps.key(context, key)
        return self.maps.held(lookup.context, lookup.map, named) if named else None

    def _plan(self, ref: MemberRef) -> tuple[tuple[_Lookup | _Inner, ...], frozenset[str]]:
        def find() -> tuple[tuple[_Lookup | _Inner, ...], frozenset[str]]:
            files = {ref.path}
            return tuple(self._steps(ref, files)), frozenset(files)

        return self._remembered(("plan", ref), find)

    def _steps(self, ref: MemberRef, files: set[str]) -> Iterator[_Lookup | _Inner]:
        """Yield the lookups by a parameter that a wrapper returns instead of the value, and the wrappers it calls."""
        code = self.uses.code(ref)
        look = Look(0, files)
        for index, call in enumerate(code.code):
            if not isinstance(call, ir.Call) or not told_name(code, call):
                continue
            reached = within(self.uses, code, (index,), look)
            if not returned_of(code, reached) or self._lookup(code.context, index) is not None:
                continue
            places = [(code, arg) for arg in call.args]
            places += fallbacks(self.uses, code, reached, look.deeper())
            lookups = [self._lookup(place.context, value) for place, value in places]
            known = [lookup for lookup in lookups if lookup is not None and lookup.slot != NONE]
            yield from known
            targets = code.context.targets(index)[:1]
            if not known and targets:
                yield _Inner(targets[0], call.args)

    def _lookup(self, context: Context, value: int) -> _Lookup | None:
        """Return the lookup in a map of defaults that a value is, perhaps cast or held by a local."""
        for _ in range(_LINKS):
            instr = context.code[value] if value != NONE else None
            if isinstance(instr, ir.Cast):
                value = instr.value
            elif (
                isinstance(instr, ir.Load)
                and not instr.up
                and len(context.stores(instr.slot, 2)) == 1
            ):
                value = context.stores(instr.slot, 1)[0].value
            else:
                break
        if not isinstance(instr, ir.Call) or instr.name not in _LOOKUPS or len(instr.args) != 1:
            return None
        if instr.object == NONE or context.targets(value):
            return None
        if not self.maps.is_map(context, instr.object) or not self._is_field(
            context, instr.object
        ):
            return None
        return _Lookup(context, instr.object, instr.args[0], _parameter(context, instr.args[0]))

    @staticmethod
    def _is_field(context: Context, value: int) -> bool:
        """Tell whether a map is kept in a field: one that a method made or was given is not for all keys."""
        return context.field_of(value) is not None

    # -- calls that give something for nothing ---------------------------------------------------------

    def implied(self, site: Site) -> tuple[str | None, frozenset[str]]:
        """Return the text of what a call gives that is handed the value as it was read, if the option is not set."""
        code = self.uses.code(site.ref)
        text = self._missing(code, site.followed)
        if text is not None or site.through is None:
            return text, frozenset()
        found, files = self._implied_by(site.through, 0)
        return (next(iter(found)) if len(found) == 1 else None), files

    def _implied_by(
        self, ref: MemberRef, depth: int
    ) -> tuple[frozenset[str | None], frozenset[str]]:
        """Return what a wrapper gives for nothing, and the files looked at."""

        def find() -> tuple[frozenset[str | None], frozenset[str]]:
            files = {ref.path}
            return frozenset(self._implied_in(ref, files, depth)), frozenset(files)

        return self._remembered(("implied", ref, depth), find)

    def _implied_in(self, ref: MemberRef, files: set[str], depth: int) -> Iterator[str | None]:
        code = self.uses.code(ref)
        for index, call in enumerate(code.code):
            if not isinstance(call, ir.Call) or not told_name(code, call):
                continue
            if any(_asks(code, part) for arg in call.args for part in code.inside(arg)):
                continue
            if not returned_of(code, within(self.uses, code, (index,), Look(0, files))):
                continue
            targets = code.context.targets(index)[:1]
            text = self._missing(code, index)
            if text is None and targets and depth < DEPTH and _is_plain(code, index):
                inner, more = self._implied_by(targets[0], depth + 1)
                files |= more
                yield from inner
            else:
                yield text

    def _missing(self, code: Code, value: int) -> str | None:
        """Return what the one taker of a value gives for nothing, by its row."""
        if value == NONE or read_again(code, {value}):
            return None
        held = {value}
        takers = code.takers.get(value, ())
        store = code.code[takers[0]] if len(takers) == 1 else None
        if isinstance(store, ir.Store) and not store.up:
            if len(code.stores.get(store.slot, ())) != 1:
                return None
            loads = code.loads.get(store.slot, ())
            held.update(loads)
            if len(loads) != 1 or null_branches(self.uses, code, held):
                return None
            value = loads[0]
            takers = code.takers.get(value, ())
        if len(takers) != 1 or not isinstance(call := code.code[takers[0]], (ir.Call, ir.New)):
            return None
        if value not in call.args:
            return None
        place = call.args.index(value)
        rows = self.uses.rows.conversions(code, takers[0], place)
        texts = {row.missing for row in rows if row.missing is not None}
        return texts.pop() if len(texts) == 1 else None


def _asks(code: Code, value: int) -> bool:
    """Tell whether a value is a call that takes the name as an argument."""
    call = code.code[value]
    return isinstance(call, ir.Call) and told_name(code, call)


def _is_plain(code: Code, value: int) -> bool:
    """Tell whether a value is only returned."""
    takers = code.takers.get(value, ())
    return len(takers) == 1 and isinstance(code.code[takers[0]], ir.Return)


def _parameter(context: Context, value: int) -> int:
    """Return the parameter that a value is, else ``NONE``."""
    instr = context.code[value] if value != NONE else None
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return instr.slot if not context.stores(instr.slot, 1) else NONE
    return NONE
