"""The prefix of the names that a part of a library's configuration is asked for.

A call that rows describe takes the part out (``config.getConfig("pool")``).  The part is followed back through locals,
fields, what methods of the project return, and parameters to the calls that hand it over; each place that it may come
from gives a prefix.  Where one of several callers hands over the whole configuration, names without a prefix count too.
A map whose keys are copied without the start that they share is a part, too (``copied_parts``), and so is an object of the
project's own class that is made of such a copy (``own_parts``).
Absent: maps that are values of other maps (``origins.sections``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import attrs

from conflens.base.weak import weakly
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, PrefixRow
from conflens.options.origins.handed import is_map
from conflens.options.origins.optionals import given, given_to, held, is_holder
from conflens.options.origins.referring import referring
from conflens.options.origins.sections import elements_of, is_listed, listing
from conflens.options.origins.tracing import Tracer, root
from conflens.options.reads.beginnings import holes
from conflens.options.reads.copied_parts import without
from conflens.options.reads.inherited_calls import handed, is_super
from conflens.options.reads.kept_objects import kept_by
from conflens.options.reads.opened import place_of
from conflens.options.reads.own_parts import OwnParts, Walk, below
from conflens.options.reads.path_keys import path_of
from conflens.options.reads.taken_parts import Known, TakenParts, filled
from conflens.options.roles import Roles
from conflens.options.sites import Site
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Part, Templates, concat, substitute, union
from conflens.program.types import STRING, unboxed

DEPTH = 24
"""Sections in sections, methods and fields that are followed."""

MOST = 64
"""Callers of a method, or assignments to a field, that are followed.  The bound is reported only if one of them gives a part."""
_MANY = f"a part of the configuration comes from more than {MOST} places: where its options lie is not known"

_MADE = "build"
WHOLE: Templates = (("",),)
_DOT: Templates = ((".",),)


class Prefixes:
    """Finds the prefixes of one program."""

    def __init__(self, tracer: Tracer, models: Models, roles: Roles) -> None:
        """Follow with ``tracer``."""
        self._tracer = tracer
        self._values = tracer.values
        self._program = tracer.program
        self._models = models
        self._roles = roles
        walk = Walk(weakly(self._of), weakly(self._of_results), weakly(self._held))
        self._own = OwnParts(tracer, models, walk)
        known = Known(weakly(self._rows), weakly(self._is_configuration), weakly(self._is_empty))
        self._taken = TakenParts(tracer.values, known)
        self._types = frozenset(
            name for row in models.prefixes for name in (row.type, *row.also_types)
        )
        self._domains = frozenset(row.domain for row in models.prefixes)
        self._domain_of = {
            name: row.domain
            for row in models.prefixes
            if row.evidence == "certain"
            for name in (row.type, *row.also_types)
        }
        self._attached = {
            row.separator + row.attached: row.attached for row in models.prefixes if row.attached
        }
        self._kin: dict[tuple[str, str], bool] = {}
        self._parts = frozenset(name for row in models.prefixes for name in row.parts)
        self._empty = frozenset(name for row in models.prefixes for name in row.empty)

    def domain_of(self, name: str) -> str:
        """Return the domain of a library's type that is configuration and has parts, or of a subtype; empty for other types."""
        types = (name, *self._program.supertypes(name))
        return next((self._domain_of[one] for one in types if one in self._domain_of), "")

    def of(self, context: Context, value: int) -> Templates | None:
        """Return the prefix, with its separator, under which names asked of an object live; ``None`` for none."""
        if value == NONE or not self._may_be_part(context, value):
            return None
        found = self._of(context, value, 0)
        return None if found is None or found == WHOLE else found

    def placed(self, context: Context, site: Site, value: int) -> Site:
        """Return a read of an object under the prefix that it has.  If a caller names the option, and hands the object over, too, its
        call tells the prefix."""
        if self.is_own(context, value, site.names):
            return site
        if site.tree != NONE:
            prefix = self.of_tree(context, value)
            return attrs.evolve(site, names=self._under(prefix, site.names)) if prefix else site
        step = self._step(context, site.value)
        prefix = self.of(context, value) if step is None else self._first(context, value)
        if prefix is None:
            return site
        taken = self._taken.way(context, value) if holes(site.names) else None
        if taken is None:
            return attrs.evolve(site, names=self._under(prefix, site.names))
        whole = self._local(context, taken.slot, 0) or ()
        names = concat(taken.start, site.names)
        return attrs.evolve(site, names=names, part=taken.slot, start=whole)

    def _under(self, prefix: Templates, names: Templates) -> Templates:
        """Return names under a prefix; some follow it without the separator."""
        found = concat(prefix, names)
        for apart, attached in self._attached.items():
            found = tuple(
                tuple(
                    part.replace(apart, attached) if isinstance(part, str) else part
                    for part in one
                )
                for one in found
            )
        return found

    def of_copy(self, context: Context, value: int) -> Templates:
        """Return the start that the keys of a map lack which is a copy of a part of another; an empty one for others."""

        def find() -> Templates:
            own = value == NONE or isinstance(context.code[value], ir.This)
            found = (self._own.of if own else self._of)(context, value, 0) or WHOLE
            known = (one if isinstance(one[0], str) else ("",) for one in found)
            return tuple(dict.fromkeys(known))

        key = ("copied part", context.ref, place_of(context, value))
        return self._values.trail.remembered(key, find)

    def under_own(self, context: Context, value: int, names: Templates, domain: str) -> Templates:
        """Return names that are asked of an object of the project's own class, or for ``NONE`` of the own one, under its prefix."""
        if value != NONE and domain in self._domains and self._is_part(context, value):
            prefix = self.of(context, value)
            return below(prefix, names) if prefix is not None else names
        if not self._own.is_part(context, value) or self._own.hands_on(context, value, names):
            return names
        place = place_of(context, value)
        found = self._values.trail.remembered(
            ("own part", context.ref, place), lambda: self._own.of(context, value, 0)
        )
        return below(found, names) if found is not None else names

    def of_tree(self, context: Context, value: int) -> Templates | None:
        """Return the prefix of a node below the parameter that gives its tree, without that of the tree; ``None`` for none."""
        taken = self._taken.path(context, value)
        return taken.start if taken is not None else None

    def is_own(self, context: Context, value: int, names: Templates) -> bool:
        """Tell whether what callers name is asked of what the own object keeps, so that the prefix is that of the object they ask."""
        if not holes(names):
            return False
        return self._own.sections.keeps(context, value) or self._delegates(context, value)

    def _delegates(self, context: Context, value: int) -> bool:
        """Tell whether an object that is configuration asks another that it keeps, or is asked itself."""
        if not self._is_configuration(context.ref.owner):
            return False
        if value == NONE or isinstance(context.code[value], ir.This):
            return True
        field = context.field_of(root(context, value))
        return field is not None and field.owner == context.ref.owner

    def gives_section(self, context: Context, value: int, ref: MemberRef) -> bool:
        """Tell whether a call of a method gives an object of a section class, for what stands below the key it is given, or what
        such an object is made from."""
        if value in self._own.sections.opened(context):
            return True
        type_ = self._program.return_type(ref)
        names = {type_.name, *(arg.name for arg in type_.args)} if type_ is not None else set()
        return not self._own.sections.types().isdisjoint(names) and self._own.cut(ref)

    def gives_part(self, ref: MemberRef) -> bool:
        """Tell whether a method returns a part, by the type that its result, or what this holds, has."""
        type_ = self._program.return_type(ref)
        names = {type_.name, *(arg.name for arg in type_.args)} if type_ is not None else set()
        return not self._parts.isdisjoint(names)

    def is_part(self, context: Context, value: int, call: ir.Call) -> bool:
        """Tell whether a call that may give a value or a part of the configuration gives a part."""
        return any(row.declared for row in self._rows(context, value, call))

    def _is_part(self, context: Context, value: int) -> bool:
        type_ = context.type_of(value)
        return type_ is not None and self._is_configuration(type_.name)

    def _may_be_part(self, context: Context, value: int) -> bool:
        type_ = context.type_of(value)
        return type_ is None or self._is_configuration(type_.name)

    def _is_configuration(self, name: str) -> bool:
        return name in self._types or not self._types.isdisjoint(self._program.supertypes(name))

    def _of(self, context: Context, value: int, depth: int) -> Templates | None:
        if value == NONE or depth > DEPTH:
            return None
        self._program.meter.spend()
        type_ = context.type_of(value)
        if type_ == STRING or unboxed(type_):
            return None  # a text or a number holds no entries
        instr = context.code[value]
        match instr:
            case ir.Cast():
                return self._of(context, instr.value, depth)
            case ir.Call():
                return self._called(context, value, instr, depth)
            case ir.Choice():
                arms = [(context, arm) for arm in dict.fromkeys((instr.then, instr.other))]
                key = ("prefix of choice", context.ref, value, depth)
                return self._values.trail.remembered(key, lambda: self._joined(arms, depth))
            case ir.New() if context.targets(value) and self._own.is_part(context, value):
                return self._own.made(context, value, instr, depth + 1)
            case ir.New() if targets := context.targets(value):
                return self._below_handed(context, instr, targets[0], depth)
            case ir.Load(up=0):
                return self._local(context, instr.slot, depth)
            case ir.Load():
                outer = context.outer(instr.up)
                found = self._local(outer, instr.slot, depth) if outer is not None else None
                return self._values.closed(outer, found) if outer and found else None
            case ir.Name() | ir.Field():
                return self._field(context, value, depth)
            case _:
                return None

    def _called(self, context: Context, value: int, call: ir.Call, depth: int) -> Templates | None:
        step = self._own.sections.key(context, value, call)
        if step is not None:
            return concat(step, _DOT)
        for row in self._rows(context, value, call):
            own = concat(self._values.of(context, call.args[row.argument]), ((row.separator,),))
            outer = self._of(context, call.object, depth + 1)
            return concat(outer, own) if outer is not None else own
        targets = context.targets(value)
        if not targets:
            return self._inside(context, value, call, depth)
        slot = self._own.sections.passed(targets[0])
        if NONE < slot < len(call.args):
            return self._of(context, call.args[slot], depth + 1)
        if self._taken.of(targets[0]) is not None:
            return self._below_handed(context, call, targets[0], depth)
        places = self._kept_by(context, call, targets[0])
        if places:
            kept = ("prefix kept by", context.ref, value, depth)
            return self._values.trail.remembered(kept, lambda: self._joined(places, depth))
        key = ("prefix returned", targets[0], depth)
        found = self._values.trail.remembered(key, lambda: self._returned(targets[0], depth))
        if found is None:
            return None

        def fill(part: Part) -> Templates:
            return self._values.open_filled(context, call.object, call.args, part)

        return concat(
            self._own.outer(context, call, targets[0], depth + 1), substitute(found, fill)
        )

    def _below_handed(
        self, context: Context, call: ir.Call | ir.New, ref: MemberRef, depth: int
    ) -> Templates | None:
        """Return the prefix of a part that a helper takes out of what it is given, or that an object keeps."""
        taken = self._taken.of(ref)
        if taken is None or taken.slot >= len(call.args):
            return None
        outer = self._of(context, call.args[taken.slot], depth + 1)
        own = filled(self._values, context, call, taken)
        return concat(outer, own) if outer is not None else own

    def _inside(self, context: Context, value: int, call: ir.Call, depth: int) -> Templates | None:
        """Return the prefix of what an ``Optional`` holds, or a function that it is given makes of that."""
        inside = held(context, value, call)
        inside = inside if inside != NONE else self._taken.passed(context, value, call)
        inside = inside if inside != NONE else listing(context, call)
        inside = inside if inside != NONE else self._viewed(context, value, call)
        if inside == NONE and call.name == _MADE and not call.args and call.object != NONE:
            return self._built(context, call)
        if inside != NONE:
            return self._of(context, inside, depth)
        if call.name not in ("map", "flatMap") or len(call.args) != 1:
            return None
        if call.object == NONE or not is_holder(context, call):
            return None
        made = context.code[call.args[0]]
        if isinstance(made, ir.Lambda):
            results = [
                instr.value
                for instr in context.code.within(made.start, made.stop)
                if isinstance(instr, ir.Return)
            ]
            return self._of(context, results[0], depth + 1) if len(results) == 1 else None
        return self._of(context, call.object, depth)

    def _viewed(self, context: Context, value: int, call: ir.Call) -> int:
        """Return the map of which a library's call makes a view or a copy with the same keys; ``NONE`` for another call."""
        made = len(call.args) == 1 and is_map(self._tracer, context, value)
        return call.args[0] if made and is_map(self._tracer, context, call.args[0]) else NONE

    def _kept_by(
        self, context: Context, call: ir.Call, ref: MemberRef
    ) -> list[tuple[Context, int]]:
        """Return what the objects were made of that a call asks for what they keep; nothing if not all of that is known."""
        inner = self._values.open(ref)
        made = returned(inner)
        field = inner.field_of(made[0]) if len(made) == 1 else None
        if field is None or field.owner != ref.owner or call.object == NONE:
            return []
        key = ("kept by", context.ref, call.object, field)
        return self._values.trail.remembered(
            key, lambda: kept_by(self._tracer, context, call.object, field)
        )

    def _built(self, context: Context, call: ir.Call) -> Templates | None:
        """Return the start that keys lack which a builder of a map in a local is given."""
        held = context.code[call.object]
        if not isinstance(held, ir.Load) or held.up or context.is_parameter(held.slot):
            return None
        key = ("copied without", context.ref, held.slot)
        find = partial(without, self._values, context, held.slot)
        return self._values.trail.remembered(key, find)

    def _returned(self, ref: MemberRef, depth: int) -> Templates | None:
        inner = self._values.open(ref)
        made = given(inner)
        if not made and not self._program.is_static(ref):
            others = self._values.first(self._values.asking.overriders(ref), MOST, ref, _MANY)
            places = [
                (place, results[0])
                for place in map(self._values.open, others)
                if len(results := returned(place)) == 1
            ]
            return self._joined(places, depth, asked=True)
        return self._of_results(inner, depth + 1)

    def _of_results(self, inner: Context, depth: int) -> Templates | None:
        """Return the prefix of what a body returns, in some cases the whole, or nothing."""
        made = given(inner)
        found = {self._of(inner, value, depth) for value in made[:MOST]} - {None, WHOLE}
        if found and len(made) > MOST:
            self._say(inner.ref, found)
            return None
        return found.pop() if len(found) == 1 else None

    def _rows(self, context: Context, value: int, call: ir.Call) -> Iterator[PrefixRow]:
        for row in self._models.prefixes_by_method.get(call.name, ()):
            if row.argument >= len(call.args):
                continue
            owners = owners_of(context, call)
            if not any(self._roles.matches(name, row.type, row.also_types) for name in owners):
                continue
            if context.targets(value) and row.evidence != "certain" and not row.own:
                continue
            if not row.declared or any(map(self._is_configuration, _declared(context, value))):
                yield row

    def _local(self, context: Context, slot: int, depth: int) -> Templates | None:
        stored = context.stores(slot, 2)
        if not context.is_parameter(slot):
            if context.binder(slot) is not None:
                return self._element(context, slot, depth)
            if len(stored) != 1:
                path = self._own.sections.path(context, slot)
                return (
                    concat(path, _DOT) if path is not None else self._one_of(context, slot, depth)
                )
            return self._assigned(context, slot, stored[0].value, depth)
        if stored:
            return None
        key = ("prefix given", context.ref, slot, depth)
        return self._values.trail.remembered(key, lambda: self._given(context, slot, depth))

    def _element(self, context: Context, slot: int, depth: int) -> Templates | None:
        """Return the prefix of what a function, or each turn of a loop, is given: that of the list or ``Optional`` that holds it."""
        holder = given_to(context, slot)
        if holder != NONE:
            return self._of(context, holder, depth + 1)
        type_ = context.local_type(slot)
        if type_ is not None and not self._is_configuration(type_.name):
            return None
        held = list(elements_of(context, slot))
        return self._of(context, held[0], depth + 1) if len(held) == 1 else None

    def _one_of(self, context: Context, slot: int, depth: int) -> Templates | None:
        """Return the prefix of a local that several places assign."""
        type_ = context.local_type(slot)
        if type_ is None or not self._is_configuration(type_.name):
            return None

        def find() -> Templates | None:
            places = [(context, one) for one in self._taken.assigned(context, slot)]
            steps = [step for place in places if (step := self._step(*place)) is not None]
            return concat(steps[0], _DOT) if steps else self._joined(places, depth)

        key = ("prefix of local", context.ref, slot, depth)
        return self._values.trail.remembered(key, find)

    def _step(self, context: Context, value: int) -> Templates | None:
        """Return the path down which a loop goes that takes out one part of another with each turn; ``None`` for another call."""
        call = context.code[value]
        if not isinstance(call, ir.Call) or not call.args or call.object == NONE:
            return None
        key = ("path of steps", context.ref, value)
        names = next((call.args[row.argument] for row in self._rows(context, value, call)), NONE)
        return self._values.trail.remembered(
            key,
            lambda: (
                path_of(self._values, context, value, call.object, names)
                if names != NONE
                else None
            ),
        )

    def _first(self, context: Context, value: int) -> Templates | None:
        """Return the prefix of what the first step of a path is looked up in."""
        load = context.code[root(context, value)]
        if not isinstance(load, ir.Load) or load.up:
            return None
        places = [(context, one) for one in self._taken.assigned(context, load.slot)]
        found = self._joined([place for place in places if self._step(*place) is None], 0)
        return None if found == WHOLE else found

    def _assigned(self, context: Context, slot: int, value: int, depth: int) -> Templates | None:
        made = context.code[value] if value != NONE else None
        if not isinstance(made, ir.New):
            return self._of(context, value, depth + 1)
        if made.args or not self._own.is_part(context, value):
            if context.targets(value):
                return self._of(context, value, depth + 1)
            if len(made.args) == 1:
                return self._of(context, made.args[0], depth + 1)
        key = ("copied without", context.ref, slot)
        return self._values.trail.remembered(key, lambda: without(self._values, context, slot))

    def _given(self, context: Context, slot: int, depth: int) -> Templates | None:
        places = [
            (caller, given)
            for caller, given in handed(self._tracer, context.ref, slot, self._may_run, MOST)
            if not self._own.sections.makes(context, caller)
        ]
        for place, value in referring(self._values, context.ref):
            call = place.code[value]
            if isinstance(call, ir.Call) and (is_holder(place, call) or is_listed(place, call)):
                places.append((place, call.object))
        found = self._joined(places, depth)
        if found is not None:
            self._tracer.callers(context.ref)  # says so if these are not all
        return found

    def _may_run(self, caller: Context, value: int, owner: str) -> bool:
        """Tell whether a call may be made on an object of a class: what it is made on may be of an unrelated type that has the method, too."""
        call = caller.code[value]
        if is_super(caller, call):
            return self._program.is_subtype(caller.ref.owner, owner)
        type_ = caller.receiver_type(call) if isinstance(call, ir.Call) else None
        if type_ is None or self._program.type(type_.name) is None:
            return True
        found = self._kin.get((owner, type_.name))
        if found is None:
            found = self._kin[owner, type_.name] = self._is_kin(owner, type_.name)
        return found

    def _is_kin(self, owner: str, type_: str) -> bool:
        """Tell whether an object of a class, or of one below it, may be of a type."""
        kin = self._program.is_subtype
        if kin(owner, type_):
            return True
        below = (owner, *self._program.all_subtypes(owner))
        self._program.meter.spend(len(below))
        return any(kin(name, type_) or kin(type_, name) for name in below)

    def _field(self, context: Context, value: int, depth: int) -> Templates | None:
        ref = context.field_of(value)
        if ref is None:
            return None
        key = ("prefix held", ref, depth)
        return self._values.trail.remembered(key, lambda: self._held(ref, depth))

    def _held(self, field: MemberRef, depth: int) -> Templates | None:
        places = [(place, store.value) for place, store in self._values.stores(field)]
        return self._joined(places, depth)

    def _joined(
        self, places: list[tuple[Context, int]], depth: int, *, asked: bool = False
    ) -> Templates | None:
        """Return the prefixes of some places.  Of methods that a call may run (``asked``), what the call gives is left open."""
        many = len(places) > MOST
        at = places[0][0].ref if places else None
        places = [place for place in places[:MOST] if not self._is_empty(*place)]
        found = [self._of(context, value, depth + 1) for context, value in places]
        if not any(found):
            return None
        if many and at is not None:
            self._say(at, found)
            return None
        closed = [
            WHOLE if one is None else self._closed(place[0], one, asked=asked)
            for one, place in zip(found, places, strict=True)
        ]
        return union(*closed)

    def _closed(self, context: Context, prefix: Templates, *, asked: bool) -> Templates:
        if not asked:
            return self._values.closed(context, prefix)

        def fill(part: Part) -> Templates:
            if isinstance(part, Param):
                return ((part,),)
            return self._values.closed(context, ((part,),))

        return substitute(prefix, fill)

    def _say(self, ref: MemberRef, found: Iterable[Templates | None]) -> None:
        """Say that not all places are looked at, if one of those that are gives a part by its name."""
        parts = (part for one in found for template in one or () for part in template)
        if any(isinstance(part, str) and part.strip(".") for part in parts):
            self._values.cut(ref, _MANY)

    def _is_empty(self, context: Context, value: int) -> bool:
        """Tell whether a part is made here and holds nothing, by a row."""
        for _ in range(DEPTH):
            value = root(context, value)
            call = context.code[value] if value != NONE else None
            if isinstance(call, ir.New):
                parts = [arg for arg in call.args if self._may_be_part(context, arg)]
                value = parts[0] if len(parts) == 1 else NONE
                continue
            if not isinstance(call, ir.Call):
                return False
            if call.name in self._empty and not call.args:
                return True
            targets = context.targets(value)
            made = returned(self._values.open(targets[0])) if targets else ()
            if len(made) != 1:
                return False
            context, value = self._values.open(targets[0]), made[0]
        return False


def _declared(context: Context, value: int) -> Iterator[str]:
    """Yield the types that the places have which a value goes to: a variable, a field, a parameter, a result."""
    program = context.program
    for number, instr in enumerate(context.code):
        match instr:
            case ir.Store(up=0) if instr.value == value:
                type_ = context.local_type(instr.slot)
            case ir.StoreField() if instr.value == value:
                field = context.target_field(instr)
                type_ = program.field_type(field) if field is not None else None
            case ir.Cast() if instr.value == value:
                type_ = context.type_of(number)
            case ir.Return(kind="return") if instr.value == value:
                type_ = program.return_type(context.ref)
            case ir.Call() | ir.New() if value in instr.args:
                type_ = None
                for target in context.targets(number)[:1]:
                    params = program.member(target).params
                    place = instr.args.index(value)
                    if place < len(params):
                        owner = target.owner
                        type_ = program.resolve(params[place].type, target.path, owner)
            case _:
                continue
        if type_ is not None:
            yield type_.name


def owners_of(context: Context, call: ir.Call, value: int = NONE) -> list[str]:
    """Return the types on which a call's method is looked up; ``value`` is the object that a constructor's call makes."""
    if call.object != NONE or call.name == CONSTRUCTOR:
        if call.object == NONE:
            made = context.type_of(value)
            return [made.name] if made is not None else []
        type_ = context.receiver_type(call)
        return [type_.name] if type_ is not None else []
    owners = []
    owner = context.ref.owner
    while owner:
        owners.append(owner)
        info = context.program.type(owner)
        owner = info.outer if info is not None else ""
    return owners + context.static_imports(call.name)
