"""Values that a chain of calls asks a parsed file for: ``root.of("size").summary("…").asInt(8)``.

Terms
    carrier   an object of a project's class that holds a parsed tree, such as a ``JsonNode``, which comes from a configuration file
    opener    a method of the carrier that takes a key and creates an object from both: the *asker*
    step      a method of the asker that returns it
    end       a method of the asker that looks something up in the tree: the call of one reads the option of the opener's key
    section   what an end gives if that is a carrier again, for what is below the key

The default of a read is what its end is given as one, its description a text that a step of that name is given.
The carrier is followed back to the sections that it was taken out of: over locals, fields, results and callers, also where its class maps each element of a list.
Bounded by ``_PLACES`` values of one carrier.
Absent: that the asker looks up that very key, which may lie in objects of its own (``_Ends``); carriers of maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.bundles import words
from conflens.options.member_types import simple
from conflens.options.origins.sources import DATA, Sources
from conflens.options.origins.tracing import root
from conflens.program.body_uses import returned, takers
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    UNKNOWN,
    Template,
    Templates,
    concat,
    known_text,
    substitute,
)

_PLACES = 120
_LINKS = 40
_HOPS = 8
_MANY = f"the sections that it stands in are not all known: they lie more than {_PLACES} values or {_HOPS} calls away"
_DOT: Templates = ((".",),)
_EACH: Templates = ((".*.",),)
_DEFAULTS = frozenset({"default", "def", "dflt", "fallback"})
_DESCRIPTIONS = frozenset({"description", "desc", "summary", "doc", "documentation", "help"})


class Opener(NamedTuple):
    """A method that makes an asker: the classes of the carrier and the asker, the parameter that is the key, the domain."""

    carrier: str
    asker: str
    slot: int
    domain: str


class Asked(NamedTuple):
    """What one end reads: its names, the value that is the key, the argument that is the default, and a text that describes it."""

    names: Templates
    key: int
    default: int
    description: str
    domain: str
    end: MemberRef


class _Place(NamedTuple):
    """A carrier, and what is asked of it in terms of its member."""

    context: Context
    value: int
    names: Templates
    hops: int


class AskedChains:
    """Finds chains in one program."""

    def __init__(self, sources: Sources, models: Models) -> None:
        """Ask ``sources`` which trees are configuration; ``models`` say what a tree is."""
        self._sources = sources
        self.values = sources.tracer.values
        self.program = self.values.program
        self._lookups = {
            (row.type, row.method): row.domain
            for row in models.reads
            if row.evidence in ("entered", "opened") and not (row.write or row.presence or row.own)
            if self.program.jdk_type(row.type) is None
        }
        self._trees = frozenset(type_ for type_, _ in self._lookups)

    # -- what makes an asker, and what it answers ------------------------------------------------

    def openers(self) -> Mapping[MemberRef, Opener]:
        """Return the openers of the program."""
        return self.values.trail.remembered("openers", lambda: dict(self._openers()))

    def ends(self, asker: str, carrier: str) -> frozenset[MemberRef]:
        """Return the ends of an asker."""
        return self.values.trail.remembered(
            ("ends", asker, carrier), lambda: self._ends(asker, carrier)
        )

    def names(self) -> frozenset[str]:
        """Return the names of all ends."""
        return frozenset(
            self.program.member(end).name
            for opener in self.openers().values()
            for end in self.ends(opener.asker, opener.carrier)
        )

    def _openers(self) -> Iterator[tuple[MemberRef, Opener]]:
        simples = {simple(name) for name in self._trees}
        self.values.trail.names |= simples
        for path, facts in self.program.files.items():
            if is_test_path(path):
                continue
            for number, member in enumerate(facts.members):
                if member.kind != "field" or member.type not in simples:
                    continue
                field = self.program.ref(path, number)
                tree = self.program.field_type(field).name
                if tree in self._trees and not self.program.is_static(field):
                    yield from self._openers_of(field, tree)

    def _openers_of(self, field: MemberRef, tree: str) -> Iterator[tuple[MemberRef, Opener]]:
        """Yield the openers of the class of a field that holds a tree."""
        self.values.asking.shape(field.owner)
        made = [
            (ref, found)
            for refs in self.program.own_methods(field.owner).values()
            for ref in refs
            if (found := self._made(ref, field)) is not None
        ]
        if not made or not self._is_configuration(field):
            return
        domain = next(domain for (type_, _), domain in self._lookups.items() if type_ == tree)
        for ref, (asker, slot) in made:
            if self.ends(asker, field.owner):
                yield ref, Opener(field.owner, asker, slot, domain)

    def _is_configuration(self, field: MemberRef) -> bool:
        return any(
            self._sources.opened(place, store.value) for place, store in self.values.stores(field)
        )

    def _made(self, ref: MemberRef, field: MemberRef) -> tuple[str, int] | None:
        """Return the class of the asker that a method makes of its object and the key that it is given, and the parameter that is the key."""
        type_ = self.program.return_type(ref)
        if type_ is None or type_.name == ref.owner or self.program.type(type_.name) is None:
            return None
        context = self.values.open(ref)
        for value in returned(context):
            new = context.code[root(context, value)]
            if not isinstance(new, ir.New):
                continue
            owns = any(
                isinstance(context.code[arg], ir.This) or context.field_of(arg) == field
                for arg in new.args
            )
            for arg in new.args if owns else ():
                load = context.code[arg]
                if not isinstance(load, ir.Load) or load.up or not context.is_parameter(load.slot):
                    continue
                if context.member.params[load.slot].type == "String":
                    return type_.name, load.slot
        return None

    def _ends(self, asker: str, carrier: str) -> frozenset[MemberRef]:
        self.values.asking.shape(asker)
        self.values.asking.shape(carrier)
        own = {
            ref
            for owner in (asker, carrier)
            for refs in self.program.own_methods(owner).values()
            for ref in refs
        }
        asking = {ref for ref in own if self._looks_up(ref)}
        while more := {ref for ref in own - asking if not asking.isdisjoint(self._called(ref))}:
            asking |= more
        return frozenset(ref for ref in asking if ref.owner == asker and self._gives(ref))

    def _gives(self, ref: MemberRef) -> bool:
        member, type_ = self.program.member(ref), self.program.return_type(ref)
        named = member.kind == "method" and member.type != "void"
        return named and (type_ is None or type_.name not in (ref.owner, *self._trees))

    def _called(self, ref: MemberRef) -> Iterator[MemberRef]:
        context = self.values.open(ref)
        for value, _ in context.calls():
            yield from context.targets(value)[:1]

    def _looks_up(self, ref: MemberRef) -> bool:
        """Tell whether a method looks something up in a tree under a key that comes from elsewhere."""
        context = self.values.open(ref)
        for _, call in context.calls():
            type_ = context.receiver_type(call) if isinstance(call, ir.Call) else None
            if type_ is None or not isinstance(call, ir.Call) or not call.args:
                continue
            key = self.values.open_of(context, call.args[0])
            if (type_.name, call.name) in self._lookups and known_text(key) is None:
                return True
        return False

    # -- chains ----------------------------------------------------------------------------------

    def asked(self, context: Context, value: int) -> Asked | None:
        """Return what a call reads, if it is the end of a chain whose value is no section."""
        found = self._chain(context, value)
        if found is None:
            return None
        end, opening, opener = found
        if self._is_section(end, opener) or self._is_mapped(end, opener):
            return None
        key = opening.args[opener.slot]
        names = self._whole(context, opening.object, self.values.open_of(context, key))
        names = tuple(name for name in names if isinstance(name[0], str))
        if not names:
            return None
        call = context.code[value]
        given = self._default(end, call) if isinstance(call, ir.Call) else NONE
        return Asked(names, key, given, self._described(context, value), opener.domain, end)

    def _chain(self, context: Context, value: int) -> tuple[MemberRef, ir.Call, Opener] | None:
        """Return the end that a call calls, the call that opens its chain, and the opener."""
        openers = self.openers()
        end: MemberRef | None = None
        for _ in range(_LINKS):
            value = root(context, value)
            call = context.code[value] if value != NONE else None
            target = (
                next(iter(context.targets(value)), None) if isinstance(call, ir.Call) else None
            )
            if target is None or not isinstance(call, ir.Call):
                return None
            opener = openers.get(target)
            if opener is not None:
                ends = self.ends(opener.asker, opener.carrier)
                ready = end in ends and opener.slot < len(call.args)
                return (end, call, opener) if end is not None and ready else None
            if end is None:
                end = target
            elif target.owner != end.owner:
                return None
            value = call.object
        return None

    def _is_section(self, end: MemberRef, opener: Opener) -> bool:
        type_ = self.program.return_type(end)
        return type_ is not None and type_.name == opener.carrier

    def _is_mapped(self, end: MemberRef, opener: Opener) -> bool:
        """Tell whether an end hands each element to a function as a carrier."""
        kind = simple(opener.carrier)
        return any(f"<{kind}" in param.type for param in self.program.member(end).params)

    def _default(self, end: MemberRef, call: ir.Call) -> int:
        """Return the argument that is the default."""
        member = self.program.member(end)
        named = [
            slot
            for slot, param in enumerate(member.params)
            if not _DEFAULTS.isdisjoint(words(param.name)[:1])
        ]
        if not named and len(member.params) == 1 and member.params[0].type == member.type:
            named = [0]
        return call.args[named[0]] if named and named[0] < len(call.args) else NONE

    def _described(self, context: Context, value: int) -> str:
        """Return the first text of a chain that a step of such a name is given."""
        found = ""
        for _ in range(_LINKS):
            call = context.code[value] if value != NONE else None
            if not isinstance(call, ir.Call) or not self.openers().keys().isdisjoint(
                context.targets(value)
            ):
                break
            if len(call.args) == 1 and not _DESCRIPTIONS.isdisjoint(words(call.name)):
                text = known_text(self.values.of(context, call.args[0]))
                found = " ".join(text.split()) if text else found
            value = root(context, call.object)
        return found

    # -- where a carrier comes from --------------------------------------------------------------

    def _whole(self, context: Context, carrier: int, names: Templates) -> Templates:
        """Return names as they are called in the file, ``*`` for what is not known."""
        found: dict[Template, None] = {}
        queue = [_Place(context, carrier, names, 0)]
        seen: set[object] = set()
        while queue:
            place = queue.pop()
            key = (place.context.ref, place.value, place.names)
            if key in seen:
                continue
            seen.add(key)
            self.program.meter.spend()
            if self._is_data(place):
                continue
            more = None
            if len(seen) <= _PLACES and place.hops <= _HOPS:
                more = self._before(place)
            else:
                self.values.cut(context.ref, _MANY)
            if more is None:
                more = []
                found.update(dict.fromkeys(concat(concat(UNKNOWN, _DOT), _closed(place.names))))
            elif not more:
                found.update(dict.fromkeys(_closed(place.names)))
            queue.extend(more)
        return tuple(found)

    def _is_data(self, place: _Place) -> bool:
        """Tell whether a carrier is made of a request or a message."""
        new = place.context.code[place.value] if place.value != NONE else None
        return isinstance(new, ir.New) and (
            self._sources.of(place.context, new.args, _HOPS // 2) == DATA
        )

    def _before(self, place: _Place) -> list[_Place] | None:
        """Return what a carrier is or is taken out of; nothing for that of a whole file, ``None`` if that is not known."""
        context, names, hops = place.context, place.names, place.hops
        value = root(context, place.value)
        instr = context.code[value] if value != NONE else None
        match instr:
            case ir.New():
                return []
            case ir.This():
                return None
            case ir.Load():
                outer = context.outer(instr.up) if instr.up else context
                if outer is None:
                    return None
                return self._local(
                    outer, instr.slot, names if not instr.up else _closed(names), hops
                )
            case ir.Name() | ir.Field():
                field = context.field_of(value)
                stores = self.values.stores(field) if field is not None else []
                closed = _closed(names)
                return [_Place(at, store.value, closed, hops + 1) for at, store in stores] or None
            case ir.Call():
                found = self._chain(context, value)
                if found is not None:
                    _, opening, opener = found
                    return [self._below(context, opening, opener, names, _DOT, hops)]
                return self._result(context, value, instr, names, hops)
            case _:
                return None

    def _below(
        self,
        context: Context,
        opening: ir.Call,
        opener: Opener,
        names: Templates,
        between: Templates,
        hops: int,
    ) -> _Place:
        key = self.values.open_of(context, opening.args[opener.slot])
        return _Place(context, opening.object, concat(concat(key, between), names), hops)

    def _local(
        self, context: Context, slot: int, names: Templates, hops: int
    ) -> list[_Place] | None:
        number, binder = context.binder(slot) or (NONE, None)
        if isinstance(binder, ir.Lambda):
            return self._elements(context, number, names, hops)
        found = [_Place(context, s.value, names, hops) for s in context.stores(slot) if not s.up]
        if context.is_parameter(slot):
            found += self._given(context, slot, names, hops + 1)
        return found or None

    def _elements(
        self, context: Context, function: int, names: Templates, hops: int
    ) -> list[_Place] | None:
        """Return the carriers whose elements a function is given."""
        found = []
        for taker in takers(context, function):
            chain = self._chain(context, taker)
            if chain is not None:
                _, opening, opener = chain
                found.append(self._below(context, opening, opener, names, _EACH, hops))
        return found or None

    def _given(self, context: Context, slot: int, names: Templates, hops: int) -> Iterator[_Place]:
        """Yield what callers pass, and where references to a method take elements."""
        for caller, value, args in self._sources.tracer.callers(context.ref):
            if slot >= len(args) or is_test_path(caller.ref.path):
                continue
            call = caller.code[value]
            receiver = call.object if isinstance(call, ir.Call) else NONE
            fill = partial(self.values.open_filled, caller, receiver, args)
            yield _Place(caller, args[slot], substitute(names, fill), hops)
        member = context.member
        if member.kind != "method" or len(member.params) != 1:
            return
        owner = simple(context.ref.owner)
        for user in self.values.asking.mentions(owner):
            if is_test_path(user.path):
                continue
            inner = self.values.open(user)
            for number, instr in enumerate(inner.code):
                if isinstance(instr, ir.MethodRef) and instr.name == member.name:
                    yield from self._elements(inner, number, _closed(names), hops) or ()

    def _result(
        self, context: Context, value: int, call: ir.Call, names: Templates, hops: int
    ) -> list[_Place] | None:
        """Return what a method of the project gives back, its parameters replaced by the arguments of this call."""
        targets = context.targets(value)
        inner = self.values.open(targets[0]) if targets else None
        found: list[_Place] = []
        for given in returned(inner) if inner is not None else ():
            assert inner is not None
            load = inner.code[root(inner, given)]
            if isinstance(load, ir.Load) and not load.up and inner.is_parameter(load.slot):
                if load.slot < len(call.args):
                    found.append(_Place(context, call.args[load.slot], names, hops + 1))
            else:
                found.append(_Place(inner, given, _closed(names), hops + 1))
        return found or None


def _closed(names: Templates) -> Templates:
    """Return names in which what depends on a member is not known."""
    return substitute(names, lambda _part: UNKNOWN)
