"""The section of a configuration that a filler is given: the keys under which its carrier lies in others.

A carrier that is taken out of another by a key (``all.get("web")``) holds a section, so the options of the class
that is filled are ``web.*``.  The key is followed through calls and accessors, ``HOPS`` callers far.  It counts
only where the carrier that it is asked of, or one that this lies in, speaks for configuration or comes from where
configuration enters.

Terms
    provider  an object that gives the class that is filled by one of its methods, which subclasses override,
              and the key of the section by another

The subclass that gives a class gives its key, too; so does the one around it, if an object that it makes gives
the class.  A key that is asked of another object is that of the class that a method of the provider names
(``provider.module()`` returns ``CoreModule.class``, ``module.name()`` the key).
A key that is not known gives no section: then the members' names stay as they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import dropwhile, islice, product
from typing import NamedTuple

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.options.origins.backward import parts
from conflens.options.origins.sources import ENTERED, Sources
from conflens.options.origins.tracing import Bound, Tracer, Value, root
from conflens.program.body_uses import calls_with, holders, loads, takers
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text

HOPS = 4
_STEPS = 120
_ASSIGNED = 4
_MOST = 64
_MANY = f"more than {_MOST} sections may be meant here: options of the others are not analysed"
_FAR = f"a section is followed over {_STEPS} values only: options of others are not analysed"
_TAKES_OUT = frozenset({"get", "getOrDefault"})
_ENTRIES = frozenset({"entrySet", "iterator", "stream", "next"})
_PASSED = frozenset(
    {"entrySet", "values", "iterator", "stream", "next", "getValue", "orElseThrow"}
)
"""What leads from an element to what it is one of."""
_MAKERS = frozenset({"java.util.Map", "java.util.Collections"})
_COPIES = frozenset({"putAll"})
_LISTS = frozenset(
    f"java.util.{name}"
    for name in ("Collection", "Iterator", "List", "ListIterator", "stream.Stream")
)
_GOES_THROUGH = frozenset(
    {
        "collect",
        "filter",
        "findAny",
        "findFirst",
        "get",
        "getFirst",
        "iterator",
        "listIterator",
        "next",
        "parallelStream",
        "stream",
        "toList",
    }
)
"""What gives an element of a list, or what goes through all of them."""


class _Frame(NamedTuple):
    """A call whose called member the walk is in."""

    context: Context
    call: ir.Call


@attrs.frozen
class _State:
    """``keys`` are those found so far, the innermost last; each is a value of some body.

    The carriers of the last ``spoken`` keys are configuration: one of which that is known, and all inside it.
    """

    value: Value
    keys: tuple[Value, ...]
    spoken: int
    frames: tuple[_Frame, ...]
    hops: int


def carrier_of(context: Context, value: int) -> int:
    """Return the map that a value is, or whose entries it is one of; ``NONE`` for the object itself."""
    for _ in range(HOPS):
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up:
            _, loop = context.binder(instr.slot) or (NONE, None)
            if isinstance(loop, ir.ForEach):
                value = loop.iterable
                continue
        elif isinstance(instr, ir.Call) and instr.name in _ENTRIES and instr.object != NONE:
            value = instr.object
            continue
        break
    return value


def elements_of(context: Context, slot: int) -> Iterator[int]:
    """Yield what a local goes through the elements of, in a loop or as the parameter of a function."""
    number, binder = context.binder(slot) or (NONE, None)
    if isinstance(binder, ir.ForEach):
        yield binder.iterable
    elif isinstance(binder, ir.Lambda):
        for taker in takers(context, number):
            call = context.code[taker]
            if isinstance(call, ir.Call) and call.object != NONE and number in call.args:
                yield call.object


def listing(context: Context, call: ir.Call) -> int:
    """Return the list, or what goes through it, that a call takes an element out of, or goes through; ``NONE`` for another call."""
    return call.object if call.name in _GOES_THROUGH and is_listed(context, call) else NONE


def is_listed(context: Context, call: ir.Call) -> bool:
    """Tell whether a call asks a list, or what goes through one."""
    type_ = context.receiver_type(call)
    return type_ is not None and type_.name in _LISTS


class Sections:
    """Finds the sections of one program."""

    def __init__(self, tracer: Tracer, sources: Sources) -> None:
        """Look with ``tracer``; ``sources`` tell what configuration is."""
        self.tracer = tracer
        self.program = tracer.program
        self.values = tracer.values
        self.sources = sources

    def of(self, bound: Bound) -> list[str]:
        """Return the prefixes of the sections that a class is filled from; empty text for none."""
        if bound.carried is None:
            return [""]
        found: dict[str, None] = {}
        givers: list[tuple[str, ...]] | None = None
        for keys in self._keys(bound.carried):
            if keys and givers is None:
                givers = self._givers(bound)
            found.update(dict.fromkeys(self._prefixes(keys, givers or [])))
        return list(self.values.first(list(found), _MOST, bound.context.ref, _MANY)) or [""]

    def known(self, carrier: Value) -> list[str]:
        """Return the prefixes of the sections that a carrier is, with ``*`` for inner keys that are not known,
        and for outer ones if it holds nothing but texts.  Where one is known, what the program makes and hands over itself tells nothing.
        """
        found: dict[str, None] = {}
        ways = list(self._ways(carrier))
        given = any(keys for keys, _ in ways)
        type_ = carrier[0].type_of(carrier[1])
        plain = type_ is not None and [one.name for one in type_.args[1:]] == ["java.lang.String"]
        for keys, open_ in ways:
            if open_ and given:
                continue
            texts = list(dropwhile(lambda text: not text, map(self._text, keys)))
            start = "*." if keys and not texts and plain else ""
            found[start + "".join(f"{text or '*'}." for text in texts)] = None
        return list(self.values.first(list(found), _MOST, carrier[0].ref, _MANY))

    def whole(self, carrier: Value) -> Value | None:
        """Return the carrier that one is a section of, over one way to it: the outermost that is called configuration, if one is.

        ``None`` for one that is no section.
        """
        state = _State(carrier, (), 0, (), 0)
        called: Value | None = None
        for _ in range(_STEPS):
            if state.keys and state.value[1] != NONE:
                role = self.sources.roles.of(*state.value)
                called = state.value if role.score > 0 and role.domain is None else called
            more = next(iter(self._next(state)), None)
            if more is None:
                break
            state = more
        return (called or state.value) if state.keys else None

    def _prefixes(self, keys: tuple[Value, ...], givers: list[tuple[str, ...]]) -> Iterator[str]:
        known = [self._text(key) for key in keys]
        if all(known):
            yield "".join(f"{text}." for text in known)
            return
        for giver in givers:
            texts = [text or self._said(key, giver) for text, key in zip(known, keys, strict=True)]
            # What stands in front of a key that is not known is none of the name.
            last = max((number for number, text in enumerate(texts) if not text), default=-1)
            yield "".join(f"{text}." for text in texts[last + 1 :])

    # -- keys ------------------------------------------------------------------------------------

    def _keys(self, carrier: Value) -> Iterator[tuple[Value, ...]]:
        for keys, _ in self._ways(carrier):
            yield keys

    def _ways(self, carrier: Value) -> Iterator[tuple[tuple[Value, ...], bool]]:
        """Yield the keys on each way to where a carrier comes from, and whether nothing there tells what it holds."""
        queue = deque([_State(carrier, (), 0, (), 0)])
        seen: dict[tuple[MemberRef, int, int], set[tuple[Value, ...]]] = {}
        while queue and len(seen) < _STEPS:
            state = queue.popleft()
            context, value = state.value
            ways = seen.setdefault((context.ref, value, len(state.frames)), set())
            if state.keys in ways:
                continue
            self.program.meter.spend()
            more = list(self._next(state)) if not ways else []
            ways.add(state.keys)
            if more:
                queue.extend(more)
            else:
                known = state.keys[len(state.keys) - state.spoken :]
                yield known, not state.keys and self._is_open(context, value)
        if queue:
            self.values.cut(carrier[0].ref, _FAR)

    def _is_open(self, context: Context, value: int) -> bool:
        """Tell whether a map is made here, of no other: ``new HashMap<>()``, ``Map.of("size", "8")``; or whether callers who are not known give it."""
        instr = context.code[root(context, value)] if value != NONE else None
        if isinstance(instr, ir.Load):
            return True
        if isinstance(instr, ir.New):
            return not any(self.sources.is_map(context, arg) for arg in instr.args)
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            return False
        maker = context.receiver_type(instr)
        named = isinstance(context.code[instr.object], ir.Name)
        return named and maker is not None and maker.name in _MAKERS

    def _next(self, state: _State) -> Iterator[_State]:
        """Yield where a carrier comes from; nothing where it is not known, or is none."""
        context, value = state.value
        value = root(context, value)
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            yield from self._given(state, context, instr.slot)
        elif isinstance(instr, ir.Load) and not instr.up:
            for value in elements_of(context, instr.slot):
                keys = ((context, NONE), *state.keys)
                yield attrs.evolve(state, value=(context, value), keys=keys)
            yield from self._assigned(state, context, instr.slot)
        elif isinstance(instr, ir.Load):
            outer = context.outer(instr.up)
            if outer is not None:
                captured = attrs.evolve(state, frames=())
                if outer.is_parameter(instr.slot):
                    yield from self._given(captured, outer, instr.slot)
                yield from self._assigned(captured, outer, instr.slot)
        elif isinstance(instr, ir.New) and instr.args:
            yield attrs.evolve(state, value=(context, instr.args[0]))
        elif isinstance(instr, ir.New):
            for copied in self._copied(context, value):
                yield attrs.evolve(state, value=(context, copied))
        elif isinstance(instr, (ir.Name, ir.Field)) and not state.frames:
            yield from self._held(state, context.field_of(value))
        elif isinstance(instr, (ir.Name, ir.Field)):
            field = context.field_of(value)
            own = isinstance(instr, ir.Name) or isinstance(context.code[instr.object], ir.This)
            if own and field is not None and not self.program.is_static(field):
                frame = state.frames[-1]
                if frame.call.object != NONE:
                    place = (frame.context, frame.call.object)
                    keys = _lifted(state.keys, context.ref, frame.context, frame.call.args)
                    yield attrs.evolve(state, value=place, keys=keys, frames=state.frames[:-1])
        elif isinstance(instr, ir.Call):
            yield from self._called(state, context, value, instr)

    def _assigned(self, state: _State, context: Context, slot: int) -> Iterator[_State]:
        """Yield what is assigned to a local: the alternatives of a carrier, such as an empty one where there is none."""
        for store in context.stores(slot, _ASSIGNED):
            if not store.up and not isinstance(context.code[store.value], ir.Const):
                yield attrs.evolve(state, value=(context, store.value))

    def _held(self, state: _State, field: MemberRef | None) -> Iterator[_State]:
        """Yield what is stored in a field, where no call tells whose field it is."""
        if field is None or state.hops >= HOPS:
            return
        for place, store in self.values.first(
            self.values.stores(field), _MOST, state.value[0].ref, _MANY
        ):
            yield attrs.evolve(state, value=(place, store.value), hops=state.hops + 1)

    def _given(self, state: _State, context: Context, slot: int) -> Iterator[_State]:
        if state.frames:
            frame, rest = state.frames[-1], state.frames[:-1]
            calls = [(frame.context, NONE, frame.call.args)]
        elif state.hops < HOPS:
            rest = ()
            calls = self.tracer.callers(context.ref)
            calls = list(self.values.first(calls, _MOST, context.ref, _MANY))
        else:
            return
        for caller, _, args in calls:
            if slot < len(args):
                keys = _lifted(state.keys, context.ref, caller, args)
                hops = state.hops + (not state.frames)
                yield _State((caller, args[slot]), keys, state.spoken, rest, hops)

    def _called(
        self, state: _State, context: Context, value: int, call: ir.Call
    ) -> Iterator[_State]:
        targets = context.targets(value)
        if not targets:
            if call.name in _PASSED and not call.args and call.object != NONE:
                yield attrs.evolve(state, value=(context, call.object))
                return
            if len(call.args) == 1 and all(
                self.sources.is_map(context, one) for one in (value, call.args[0])
            ):  # a view or a copy
                yield attrs.evolve(state, value=(context, call.args[0]))
                return
            taken = call.name in _TAKES_OUT and call.object != NONE and bool(call.args)
            if taken and self.sources.is_map(context, call.object):
                keys = ((context, call.args[0]), *state.keys)
                spoken = len(keys) if self._speaks(context, call.object) else state.spoken
                yield attrs.evolve(state, value=(context, call.object), keys=keys, spoken=spoken)
            return
        inner = self.values.open(targets[0])
        made = [instr for instr in inner.code if isinstance(instr, ir.Return)]
        if len(made) == 1 and len(state.frames) < HOPS:
            frames = (*state.frames, _Frame(context, call))
            yield attrs.evolve(state, value=(inner, made[0].value), frames=frames)
        elif not made and state.hops < HOPS:
            yield from self._implemented(state, targets[0])

    def _implemented(self, state: _State, ref: MemberRef) -> Iterator[_State]:
        """Yield what the methods return that a call of one without a body may run."""
        for other in self.values.first(self.values.asking.overriders(ref), _MOST, ref, _MANY):
            inner = self.values.open(other)
            made = [instr for instr in inner.code if isinstance(instr, ir.Return)]
            if len(made) == 1:
                value = (inner, made[0].value)
                yield attrs.evolve(state, value=value, frames=(), hops=state.hops + 1)

    def _speaks(self, context: Context, carrier: int) -> bool:
        """Tell whether a carrier of sections holds configuration."""
        if self.sources.roles.of(context, carrier).score > 0:
            return True
        return self.sources.of(context, (carrier,)) == ENTERED

    @staticmethod
    def _copied(context: Context, made: int) -> Iterator[int]:
        """Yield the maps that are put into a new one that a local holds."""
        for slot in dict.fromkeys(holders(context, made)):
            loaded = loads(context, slot)
            for _, call in calls_with(context, loaded):
                if call.name in _COPIES and len(call.args) == 1 and call.object in loaded:
                    yield call.args[0]

    # -- providers -------------------------------------------------------------------------------

    def _text(self, key: Value) -> str | None:
        context, value = key
        return known_text(self.values.of(context, value)) if value != NONE else "*"

    def _givers(self, bound: Bound) -> list[tuple[str, ...]]:
        """Return the classes whose overriding methods give the class that is filled, each with those around it."""
        found: dict[tuple[str, ...], None] = {}
        for part in parts(self.tracer, bound.context, bound.value):
            if part.context.ref != bound.context.ref or not isinstance(part.instr, ir.Call):
                continue
            for target in part.context.targets(part.value)[:1]:
                for other in self.values.asking.overriders(target):
                    if self.tracer.literal(other) == bound.type:
                        found.update(dict.fromkeys(self._around(other.owner)))
        return list(self.values.first(list(found), _MOST, bound.context.ref, _MANY))

    def _around(self, owner: str) -> Iterator[tuple[str, ...]]:
        """Yield a class with those around it; an abstract one stands for each class below it."""
        chain: list[list[str]] = []
        while owner and (info := self.program.type(owner)) is not None:
            below = [owner]
            if info.decl.modifiers & Modifier.ABSTRACT:
                below = [
                    name
                    for name in self.program.all_subtypes(owner)
                    if (sub := self.program.type(name)) is not None
                    and not sub.decl.modifiers & Modifier.ABSTRACT
                ]
            chain.append(below)
            owner = info.outer
        yield from islice(product(*chain), _MOST + 1)

    def _said(self, key: Value, giver: tuple[str, ...]) -> str | None:
        """Return the key that the subclass which gives the class says itself."""
        context, value = key
        value = root(context, value)
        call = context.code[value] if value != NONE else None
        if not isinstance(call, ir.Call) or call.args:
            return None
        for target in context.targets(value)[:1]:
            for owner in giver:
                if self.program.is_subtype(owner, target.owner):
                    return self._result(owner, call.name)
                named = self._named(owner, target.owner)
                if named:
                    return self._result(named, call.name)
        return None

    def _named(self, owner: str, asked: str) -> str:
        """Return the one subclass of ``asked`` that methods of a provider return the literal of."""
        found = {
            literal
            for name in (owner, *self.program.supertypes(owner))
            for method, refs in self.program.own_methods(name).items()
            for ref in refs
            if method != "<init>"
            and not self.program.member(ref).params
            and (literal := self.tracer.literal(ref))
            and self.program.is_subtype(literal, asked)
        }
        return found.pop() if len(found) == 1 else ""

    def _result(self, owner: str, method: str) -> str | None:
        """Return the text that a method of an object of exactly this class returns."""
        for ref in self.program.methods(owner, method, 0)[:1]:
            if self.program.member(ref).modifiers & Modifier.ABSTRACT:
                return None
            found = self.values.returned(ref, 0)
            return known_text(self.values.on_object_of(owner, found)) if found else None
        return None


def _lifted(
    keys: tuple[Value, ...], ref: MemberRef, caller: Context, args: tuple[int, ...]
) -> tuple[Value, ...]:
    """Return keys in terms of a caller, those that are parameters of the called member."""
    found = []
    for context, value in keys:
        instr = context.code[root(context, value)] if value != NONE else None
        given = context.ref == ref and isinstance(instr, ir.Load) and not instr.up
        if given and isinstance(instr, ir.Load) and context.is_parameter(instr.slot):
            found.append((caller, args[instr.slot] if instr.slot < len(args) else NONE))
        else:
            found.append((context, value))
    return tuple(found)
