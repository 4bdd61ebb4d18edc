"""Objects that rules make for the elements of an XML file, and whose properties the attributes set (a digester).

Terms
    rule     what is done with each element whose path matches a pattern (``Server/Service``)
    filler   a rule that sets the properties of the object on top of a stack that are named like the attributes
    creator  a rule that puts a new object there; its class is in its code, or its name was given to the rule
    next     any other rule that was given the name of a type of the project: what the object is handed on as

The rules of libraries are rows.  A project's own are found from a setter for all that is given the object from the
stack: the other rules override the same method, and a rule counts for the pattern that it is passed on with.
Patterns and class names are followed up to the calls that know them.  An element's attributes are options if its class
is known and a source that enters (a file) is parsed where the rules are put together, or where their owner is made.
Absent: properties that are set by an element's text; rules that call methods.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.schema import BindingRow
from conflens.options.binding.reflection import Fill
from conflens.options.constant_arguments import Reach, receiver_is, rendered
from conflens.options.member_types import simple
from conflens.options.origins.backward import parts
from conflens.options.origins.sources import ENTERED, Sources
from conflens.options.origins.tracing import Tracer, root
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Part, SelfField, Templates, substitute

HOPS = 6
_MOST = 2_000
_MANY = f"more than {_MOST:,} rules may be made here; elements of others are not analysed"
_OWNERS = 40
_BY_NAME = frozenset({"forName", "loadClass"})
_TEXT = "java.lang.String"


@attrs.frozen
class Bound:
    """A class whose properties are attributes of the elements that a path leads to; ``prefix`` is for their names."""

    type: str
    prefix: str


@attrs.frozen
class _Rule:
    """What is registered by a call of ``context``: the texts of the pattern and of class names, and known classes."""

    context: Context
    step: str
    pattern: Templates
    names: Templates
    types: frozenset[str]


class Rules:
    """Finds the rules of one program."""

    def __init__(self, tracer: Tracer, sources: Sources) -> None:
        """Follow with ``tracer``; ``sources`` tell what enters."""
        self.tracer = tracer
        self.values = tracer.values
        self.program = tracer.program
        self.sources = sources
        self._rows = [row for row in sources.models.bindings if row.shape == "rule"]
        self._reach = Reach(self.program)

    def of_libraries(self) -> list[Bound]:
        """Return the classes that rules of libraries fill."""
        rows = [row for row in self._rows if row.step != "parse"]
        found = [rule for row in rows for rule in self._registered(row)]
        return self._bound(found, self._parsing()) if found else []

    def place(self) -> MemberRef | None:
        """Return a member that registers rules of a library."""
        rows = (row for row in self._rows if row.step == "attributes")
        return next((context.ref for row in rows for context, _, _ in self._calls(row)), None)

    def of(self, fill: Fill) -> list[Bound]:
        """Return the classes that a project's own rules fill, one of which is a setter for all with its caller."""
        if not fill.numbered or fill.carrier is None:
            return []
        filler = fill.carrier[0]
        taken = self._end(fill, filler)
        call = filler.code[taken] if taken != NONE else None
        stack = next(iter(filler.targets(taken)), None) if isinstance(call, ir.Call) else None
        if stack is None:
            return []
        base = next(iter(reversed(self.program.overridden(filler.ref))), filler.ref)
        pushes = self._pushes(stack)
        creators = {
            ref.owner: (self.values.open(ref), value)
            for ref in (base, *self.program.overriders(base))
            for value in self._pushed(ref, pushes)
        }
        found: list[_Rule] = []
        for owner in (base.owner, *self.program.all_subtypes(base.owner)):
            done = next(
                (
                    name
                    for name in (owner, *self.program.supertypes(owner))
                    if name == filler.ref.owner or name in creators
                ),
                "",
            )
            for context, value, made in self._made(owner):
                found += self._rule(context, value, made, filler, done, creators)
        return self._bound(found, self._sources(stack.owner))

    # -- rules of the project --------------------------------------------------------------------

    @staticmethod
    def _end(fill: Fill, filler: Context) -> int:
        """Return what the filler hands over as the object."""
        context, value = fill.context, fill.object
        for _ in range(HOPS):
            value = root(context, value)
            if context.ref == filler.ref or value == NONE:
                break
            instr = context.code[value]
            call = fill.tracer.chosen.get(context.ref)
            given = isinstance(instr, ir.Load) and not instr.up
            if call is None or not given or not isinstance(instr, ir.Load):
                return NONE
            if not context.is_parameter(instr.slot) or instr.slot >= len(call[2]):
                return NONE
            context, value = call[0], call[2][instr.slot]
        return value if context.ref == filler.ref else NONE

    def _pushes(self, taken: MemberRef) -> set[MemberRef]:
        """Return the methods that put an object where another takes it from."""
        inner = self.values.open(taken)
        fields = {
            inner.field_of(part.value)
            for instr in inner.code
            if isinstance(instr, ir.Return) and instr.value != NONE
            for part in parts(self.tracer, inner, instr.value)
            if part.context.ref == taken and isinstance(part.instr, (ir.Name, ir.Field))
        } - {None}
        found = set()
        for refs in self.program.own_methods(taken.owner).values():
            for ref in refs:
                if len(self.program.member(ref).params) != 1:
                    continue
                context = self.values.open(ref)
                for _, call in context.calls():
                    if isinstance(call, ir.Call) and call.object != NONE and len(call.args) == 1:
                        given = context.code[call.args[0]]
                        own = isinstance(given, ir.Load) and not given.up and given.slot == 0
                        if own and context.field_of(call.object) in fields:
                            found.add(ref)
        return found

    def _pushed(self, ref: MemberRef, pushes: set[MemberRef]) -> Iterator[int]:
        context = self.values.open(ref)
        for value, call in context.calls():
            one = isinstance(call, ir.Call) and len(call.args) == 1
            if one and not pushes.isdisjoint(context.targets(value)):
                yield call.args[0]

    def _made(self, owner: str) -> Iterator[tuple[Context, int, ir.New]]:
        """Yield where objects of a class are made."""
        name = simple(owner)
        for ref in self.values.asking.mentions(name):
            context = self.values.open(ref)
            for value, instr in context.calls():
                if isinstance(instr, ir.New) and instr.type.endswith(name):
                    type_ = context.type_of(value)
                    if type_ is not None and type_.name == owner:
                        yield context, value, instr

    def _rule(
        self,
        context: Context,
        value: int,
        made: ir.New,
        filler: Context,
        done: str,
        creators: dict[str, tuple[Context, int]],
    ) -> Iterator[_Rule]:
        """Yield the rule that is passed on together with a pattern."""
        pattern = next(self._beside(context, value), NONE)
        if pattern == NONE:
            return
        step, types = "next", frozenset[str]()
        names: Templates = ()
        if done == filler.ref.owner:
            step = "attributes"
        elif done:
            step = "create"
            place, pushed = creators[done]
            known = self.tracer.at({place.ref: None}).traced(place, pushed, "object")
            types = frozenset(one.type for one in known)
            names = substitute(
                self._class_name(place, pushed),
                lambda part: self._of_rule(context, value, part),
            )
        else:
            for arg in made.args:
                if self._is_text(context, arg):
                    names = (*names, *self.values.of(context, arg))
        yield from self._lifted(
            _Rule(context, step, self.values.of(context, pattern), names, types)
        )

    def _beside(self, context: Context, value: int) -> Iterator[int]:
        """Yield the texts that an object is passed on with."""
        for _, call in context.calls():
            if isinstance(call, ir.Call) and any(root(context, arg) == value for arg in call.args):
                yield from (arg for arg in call.args if self._is_text(context, arg))

    def _of_rule(self, context: Context, made: int, part: Part) -> Templates:
        if isinstance(part, SelfField):
            return self.values.receiver_field(context, made, part, 0)
        return ()

    def _class_name(self, context: Context, value: int) -> Templates:
        """Return the name of the class that a creator makes an object of."""
        for part in parts(self.tracer.at({context.ref: None}), context, value):
            call = part.instr
            if part.context.ref != context.ref or not isinstance(call, ir.Call):
                continue
            if call.name in _BY_NAME and call.args:
                return self.values.of(context, call.args[0])
        return ()

    @staticmethod
    def _is_text(context: Context, value: int) -> bool:
        type_ = context.type_of(value)
        return type_ is not None and type_.name == _TEXT

    # -- rules of libraries ----------------------------------------------------------------------

    def _registered(self, row: BindingRow) -> Iterator[_Rule]:
        for context, _, call in self._calls(row):
            if row.prefix is None or row.prefix >= len(call.args) or row.step is None:
                continue
            pattern = self.values.of(context, call.args[row.prefix])
            names: Templates = ()
            types: set[str] = set()
            if isinstance(row.argument, int):
                names = self.values.of(context, call.args[row.argument])
                for arg in call.args[row.argument :]:
                    if not self._is_text(context, arg):
                        types |= {one for one, _ in self.tracer.classes(context, arg, "token")}
            yield from self._lifted(_Rule(context, row.step, pattern, names, frozenset(types)))

    def _calls(self, row: BindingRow) -> Iterator[tuple[Context, int, ir.Call]]:
        types = (row.type, *row.also_types)
        self.values.trail.names.add(row.method)
        for path, facts in self.program.files.items():
            if row.method not in facts.calls or not self._reach.can(path, types):
                continue
            for index in facts.calls[row.method]:
                context = self.values.open(self.program.ref(path, index))
                for value, call in context.calls():
                    if not isinstance(call, ir.Call) or call.name != row.method:
                        continue
                    count = len(call.args)
                    if count >= row.min_args and receiver_is(context, value, call, types):
                        yield context, value, call

    # -- both ------------------------------------------------------------------------------------

    def _lifted(self, rule: _Rule) -> Iterator[_Rule]:
        """Yield a rule in terms of the calls that know its pattern and the name of its class."""
        queue = [(rule, 0)]
        seen = 0
        while queue and seen < _MOST:
            one, hops = queue.pop()
            seen += 1
            self.program.meter.spend()
            given = any(
                isinstance(part, Param) for text in (*one.pattern, *one.names) for part in text
            )
            if not given or hops >= HOPS:
                closed = self.values.closed(one.context, one.pattern)
                names = self.values.closed(one.context, one.names)
                yield attrs.evolve(one, pattern=closed, names=names)
                continue
            for caller, value, args in self.tracer.callers(one.context.ref):
                instr = caller.code[value]
                receiver = instr.object if isinstance(instr, ir.Call) else NONE
                fill = partial(self.values.filled, caller, receiver, args)
                pattern = substitute(one.pattern, fill)
                names = substitute(one.names, fill)
                lifted = attrs.evolve(one, context=caller, pattern=pattern, names=names)
                queue.append((lifted, hops + 1))
        if queue:
            self.values.cut(rule.context.ref, _MANY)

    def _bound(self, rules: Iterable[_Rule], parsed: dict[str, int]) -> list[Bound]:
        """Return the classes of the elements whose attributes a rule sets."""
        steps: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        filled: dict[str, None] = {}
        for rule in rules:
            for pattern in _texts(rule.pattern):
                steps[rule.step][pattern] |= rule.types | self._types(_texts(rule.names))
                if rule.step == "attributes" and self._enters(rule.context.ref.owner, parsed):
                    filled[pattern] = None
        paths: dict[str, dict[str, None]] = defaultdict(dict)
        for pattern in filled:
            types = steps["create"][pattern] or {
                other for name in steps["next"][pattern] for other in self._implementations(name)
            }
            for type_ in sorted(types):
                paths[type_][pattern] = None
        return [Bound(type_, f"{_shared(list(of))}/@") for type_, of in paths.items()]

    def _types(self, names: Iterable[str]) -> set[str]:
        found = (self.program.type(name.replace("$", ".")) for name in names)
        return {info.name for info in found if info is not None}

    def _implementations(self, name: str) -> Iterator[str]:
        """Yield the classes of which an object can be made by name."""
        for other in (name, *self.program.all_subtypes(name)):
            info = self.program.type(other)
            if info is None or info.decl.kind != "class" or not info.decl.name:
                continue
            made = self.program.own_methods(other).get("<init>", ())
            plain = not made or any(not self.program.member(ref).params for ref in made)
            if plain and not info.decl.modifiers & Modifier.ABSTRACT:
                yield other

    # -- sources ---------------------------------------------------------------------------------

    def _sources(self, owner: str) -> dict[str, int]:
        """Return what is said of the sources that a class with rules of its own is given to parse, by the class that gives them."""
        found: dict[str, int] = {}
        rows = [row for row in self._rows if row.step == "parse"]
        for name in (owner, *self.program.all_subtypes(owner)):
            for refs in self.program.own_methods(name).values():
                for ref in refs:
                    context = self.values.open(ref)
                    if len(self.program.member(ref).params) == 1 and any(
                        isinstance(call, ir.Call)
                        and call.name == row.method
                        and receiver_is(context, value, call, (row.type, *row.also_types))
                        for row in rows
                        for value, call in context.calls()
                    ):
                        for caller, _, args in self.tracer.callers(ref):
                            speaks = self.sources.of(caller, args[:1])
                            place = caller.ref.owner
                            found[place] = max(found.get(place, speaks), speaks)
        return found

    def _parsing(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in self._rows:
            if row.step != "parse" or not isinstance(row.argument, int):
                continue
            for context, _, call in self._calls(row):
                speaks = self.sources.of(context, (call.args[row.argument],))
                place = context.ref.owner
                found[place] = max(found.get(place, speaks), speaks)
        return found

    def _enters(self, owner: str, parsed: dict[str, int]) -> bool:
        """Tell whether the class that puts rules together, or one that makes an object of it, parses what enters."""
        queue, seen = [owner], {owner}
        while queue and len(seen) < _OWNERS:
            name = queue.pop(0)
            if name in parsed:
                if parsed[name] == ENTERED:
                    return True
                continue
            for context, _, _ in self._made(name):
                if context.ref.owner not in seen:
                    seen.add(context.ref.owner)
                    queue.append(context.ref.owner)
        return False


def _texts(templates: Templates) -> list[str]:
    """Return the alternatives that say something, with ``*`` for what is not known."""
    found = (rendered(parts) for parts in templates)
    return [text for text in found if text.strip("*/")]


def _shared(paths: list[str]) -> str:
    """Return the end that all paths share, after ``*`` if it is none of them as a whole."""
    first, *others = (path.strip("/").split("/") for path in paths)
    if not others:
        return "/".join(first)
    count = 0
    while count < min(map(len, (first, *others))) and all(
        other[-count - 1] == first[-count - 1] for other in others
    ):
        count += 1
    shared = first[len(first) - count :]
    while shared[:1] == ["*"]:
        shared = shared[1:]
    return "/".join(("*", *shared))
