"""The properties of a class that a container or parser fills: fields, setters, components,
parameters, methods.

A *property* has a name as Java has it, a type, a place, the member that holds its value and the
default that the class states: a field's initial value, or what the constructor without parameters
assigns.  A primitive field that no constructor or initialiser assigns has its type's own, which is *implied*.  Inherited properties count; static ones and logging plumbing never do.
Absent: what a property is called in a file (``bound_expand``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier
from conflens.models.load import Models
from conflens.models.words import Naming
from conflens.options.annotation_elements import NOTHING, Stated, Use, fitting, stated, uses
from conflens.options.binding.creators import Creators
from conflens.options.binding.held import holder, holders
from conflens.options.binding.properties import (
    Property,
    implied_value,
    initial,
    is_constant,
    of_field,
    plain,
)
from conflens.options.member_types import (
    accessor_name,
    element_of,
    from_text,
    simple,
    structured,
    unwrapped,
)
from conflens.options.value_texts import default_value
from conflens.program.program import Program
from conflens.program.refs import MemberRef, TypeInfo
from conflens.program.trail import Seen
from conflens.program.types import PRIMITIVES, JavaType
from conflens.program.values import Values

_TEXTS = frozenset({"java.lang.CharSequence", "java.lang.Iterable", "java.lang.Comparable"})
"""Interfaces of which what a file holds can be."""


class Variants(NamedTuple):
    """The classes that a value can be of, the key that chooses, what it chooses from, and what it is if it is missing."""

    classes: tuple[str, ...]
    key: str = ""
    names: tuple[str, ...] = ()
    default: str = ""


class Members:
    """Lists the properties of classes of one program."""

    def __init__(self, program: Program, models: Models, values: Values) -> None:
        """Look in ``program``."""
        self.program = program
        self.models = models
        self.values = values
        self._known: dict[tuple[str, frozenset[str]], tuple[list[Property], Seen]] = {}
        self._parsed: frozenset[str] = frozenset()
        self._asked = models.read_index.asked_types
        self.creators = Creators(models, values)
        self.cut: dict[str, str] = {}
        """The bound classes of which not all options were told, with what to say of each after its name."""
        self.bound = 0
        """Options that were found of bound classes so far."""

    def take_parsed(self, names: Iterable[str]) -> None:
        """Let classes count as such whose values the program reads itself."""
        self._parsed = frozenset(names)
        self._known.clear()

    def of(self, name: str, kinds: frozenset[str]) -> list[Property]:
        """Return the properties of a project type.

        ``kinds``: what counts, of ``field``, ``visible`` (fields that are not private and can be given a text), ``setter``,
        ``component`` (of a record, or a parameter of the only constructor), ``method`` (of an interface), ``static`` (fields), ``invoked`` (setters that
        are called by name, and nothing else), ``text`` (those of them that can be given a text).  Where none counts, all fields do.
        """
        key = (name, kinds)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.values.trail.during(lambda: self._find(name, kinds))
        else:
            self.values.trail.rest(known[1])
        return known[0]

    def _find(self, name: str, kinds: frozenset[str]) -> list[Property]:
        found: dict[str, Property] = {}
        decl = self.program.type(name)
        for type_ in (name, *self.program.supertypes(name)):
            info = self.program.type(type_)
            if info is None:
                continue
            above = type_ != name and info.decl.kind == "interface"
            if above and decl is not None and decl.decl.kind != "interface":
                continue  # a class fills what it declares, whatever interfaces it has
            for item in self._own(type_, kinds):
                found.setdefault(item.name, item)
        if not found and "setter" in kinds and not self._is_variant(name):
            for type_ in (name, *self.program.supertypes(name)):
                for ref in self.program.own_fields(type_).values():
                    if plain(self.program, ref):
                        item = of_field(self.models, self.values, ref, ())
                        found.setdefault(item.name, item)
        return list(found.values())

    def _own(self, name: str, kinds: frozenset[str]) -> Iterator[Property]:
        info = self.program.type(name)
        if info is None:
            return
        fields = self.program.own_fields(name)
        if info.decl.kind == "record":
            yield from self.creators.components(name)
            return
        if info.decl.kind in ("interface", "annotation"):
            if "method" in kinds:
                yield from self._methods(name, bodies="default" in kinds)
            return
        if info.decl.kind != "class":
            return
        setters, getters = self._accessors(name)
        setters = {
            property_: setter
            for property_, setter in setters.items()
            if property_ in fields or not self._is_asked_for(setter)
        }
        if "invoked" in kinds:
            yield from self._invoked(name, setters, getters, texts="text" in kinds)
            return
        rest = self._rest(name)
        only_fields = not kinds.isdisjoint(("field", "static")) and "setter" not in kinds
        seen = set()
        if "component" in kinds or "setter" in kinds:
            for item in self.creators.properties(name, bool(setters), "component" in kinds):
                seen.add(item.name)
                yield item
        for ref in fields.values():
            member = self.program.member(ref)
            if member.name in seen or not plain(self.program, ref, static="static" in kinds):
                continue
            access = [setters.get(member.name), getters.get(member.name)]
            beside = [use for other in access if other is not None for use in self._uses(other)]
            beside += rest.get(member.name, ())
            if only_fields:
                counts = not member.modifiers & Modifier.FINAL
            else:
                visible = "visible" in kinds and self._is_visible(ref, member)
                counts = visible or self._counts(ref, member, access, beside)
            if counts:
                item = of_field(self.models, self.values, ref, tuple(beside))
                if not only_fields:
                    item = attrs.evolve(item, name=self._called(ref) or item.name)
                seen |= {member.name, item.name}
                yield item
        if "setter" in kinds:
            # What beans call ``HPort`` is set by ``setHPort``, and may have been found as the field ``hPort``.
            found = {one.lower() for one in seen}
            for property_, setter in setters.items():
                if property_.lower() not in found:
                    yield from self._setter(property_, setter, getters.get(property_))
            for property_, getter in getters.items():
                if property_ not in seen and property_ not in setters:
                    yield from self._getter(property_, getter, seen)

    def _invoked(
        self,
        name: str,
        setters: dict[str, MemberRef],
        getters: dict[str, MemberRef],
        *,
        texts: bool,
    ) -> Iterator[Property]:
        fields = self.program.own_fields(name)
        for property_, first in setters.items():
            setter: MemberRef | None = first
            if texts:
                same = self.program.own_methods(name)[self.program.member(first).name]
                setter = next((ref for ref in same if self._takes_text(ref)), None)
            field = fields.get(property_)
            if setter is None:
                continue
            if field is None or self.program.is_static(field):
                yield from self._setter(property_, setter, getters.get(property_))
            else:
                item = of_field(self.models, self.values, field, self._uses(setter))
                if (
                    not from_text(self.program, item.type)
                    and not element_of(self.program, item.type)[0]
                ):
                    item = attrs.evolve(item, type=self._given(setter))
                yield item

    def _takes_text(self, setter: MemberRef) -> bool:
        """Tell whether a public setter can be given a text."""
        member = self.program.member(setter)
        public = bool(member.modifiers & Modifier.PUBLIC) and len(member.params) == 1
        return public and from_text(self.program, self._given(setter))

    def _given(self, setter: MemberRef) -> JavaType:
        text = self.program.member(setter).params[0].type
        return self.program.resolve(text, setter.path, setter.owner)

    def _rest(self, name: str) -> dict[str, list[Use]]:
        """Return, by field, the annotations of methods that give it the keys for which the class has no member."""
        found: dict[str, list[Use]] = {}
        for refs in self.program.own_methods(name).values():
            for ref in refs:
                # What an overridden method is annotated with counts for those that override it.
                said = [
                    use
                    for one in (ref, *self.program.overridden(ref))
                    for use in self._uses(one)
                    if self._is_rest(use)
                ]
                if not said:
                    continue
                context = self.values.open(ref)
                for number, instr in enumerate(context.code):
                    field = None
                    if isinstance(instr, (ir.Name, ir.Field)):
                        field = context.field_of(number)
                    if field is not None and field.owner == name:
                        found.setdefault(self.program.member(field).name, []).extend(said)
        return found

    def _is_rest(self, use: Use) -> bool:
        return any(row.aspect == "rest" for row in fitting(self.program, self.models, use))

    def _counts(
        self,
        ref: MemberRef,
        member: Member,
        access: list[MemberRef | None],
        beside: list[Use],
    ) -> bool:
        setter, getter = access
        if self._class_says(ref.owner).fields and not member.modifiers & Modifier.FINAL:
            return True
        accessors = self.program.implied_by(ref)
        generated = any(self.program.member(accessor).params for accessor in accessors)
        public = bool(member.modifiers & Modifier.PUBLIC)
        if member.modifiers & Modifier.FINAL and self._is_given(ref):
            assigned = False
        elif member.modifiers & Modifier.FINAL and self._is_initialised(ref):
            assigned = public and not self._is_plain_value(ref)
        else:
            assigned = public or setter is not None or generated
        if assigned:
            return True
        if getter is not None or accessors:
            _, element = element_of(self.program, self.program.field_type(ref))
            held = self.program.field_type(ref)
            if element != held or self.structured(held):
                return True
        found = [*self._uses(ref), *beside]
        if found and stated(self.program, self.models, self.values, found).named:
            return True
        return self._inherited(ref, member)

    def is_set(self, item: Property) -> bool:
        """Tell whether the class has a setter for a property."""
        return item.member is not None and item.name in self._accessors(item.member.owner)[0]

    def is_collaborator(self, item: Property) -> bool:
        """Tell whether a property of a bean holds an object that other code makes, which no file can hold.

        That is an object of an interface of the project or the JDK, of a project class without members to be set, one of an unknown
        class that every constructor is given, or one that options are read from.
        """
        types = {item.type.name, *self.program.supertypes(item.type.name)}
        if not types.isdisjoint(self._asked) and not element_of(self.program, item.type)[0]:
            return True
        if item.member is None:
            return False
        jdk = self.program.jdk_type(item.type.name)
        if jdk is not None:
            made = from_text(self.program, item.type) or not _TEXTS.isdisjoint(types)
            return jdk.kind == "interface" and not made
        if self.program.type(item.type.name) is not None:
            return structured(self.program, item.type)
        if self.program.member(item.member).kind != "field" or from_text(self.program, item.type):
            return False
        return self._is_given(item.member)

    def _is_asked_for(self, setter: MemberRef) -> bool:
        """Tell whether a setter is there because an interface of the JDK demands it."""
        name = self.program.member(setter).name
        found = map(self.program.jdk_type, self.program.supertypes(setter.owner))
        return any(
            type_ is not None
            and type_.kind == "interface"
            and any(len(method.params) == 1 for method in type_.methods.get(name, ()))
            for type_ in found
        )

    def _is_visible(self, ref: MemberRef, member: Member) -> bool:
        """Tell whether a container can set a field itself, from a text."""
        if member.modifiers & (Modifier.PRIVATE | Modifier.FINAL):
            return False
        return from_text(self.program, self.program.field_type(ref))

    def _inherited(self, ref: MemberRef, member: Member) -> bool:
        """Tell whether accessors of a library's superclass must be what a private field is there for.

        No code of the class uses it: it states type, default and description of a property that it inherits.
        """
        info = self.program.type(ref.owner)
        if info is None or member.modifiers & Modifier.FINAL or member.annotations:
            return False
        if not any(self._is_library(text, info) for text in info.decl.supers):
            return False
        return not any(
            user.owner == ref.owner and user != ref
            for user in self.values.asking.within(ref.path, member.name)
        )

    def _is_library(self, text: str, info: TypeInfo) -> bool:
        name = self.program.resolve(text, info.path, info.outer or info.name).name
        return self.program.type(name) is None and self.program.jdk_type(name) is None

    def _is_given(self, ref: MemberRef) -> bool:
        """Tell whether a final field is set from a parameter of a written constructor."""
        written = [
            one
            for one in self.program.own_methods(ref.owner).get("<init>", ())
            if not self.program.member(one).modifiers & Modifier.IMPLIED
        ]
        if not written or not all(self.program.member(one).params for one in written):
            return False
        return any(ref in holders(self.values, one).values() for one in written)

    def _is_initialised(self, ref: MemberRef) -> bool:
        context = self.values.open(ref)
        return any(isinstance(instr, ir.StoreField) for instr in context.code)

    def _is_plain_value(self, ref: MemberRef) -> bool:
        """Tell whether a field can be a constant variable (JLS 4.12.4), which nothing sets."""
        type_ = self.program.field_type(ref).name
        return type_ in PRIMITIVES or type_ == "java.lang.String"

    def structured(self, type_: JavaType) -> bool:
        """Tell whether values of a type have members of their own in a file (``member_types.structured``)."""
        if self.is_whole(type_.name):
            return False
        return structured(self.program, type_) or self.creators.is_named(type_.name)

    def is_whole(self, name: str) -> bool:
        """Tell whether the program itself makes a value of a class of what a file holds, so that it has no members."""
        return (
            name in self._parsed or self._class_says(name).parsed or self.creators.is_whole(name)
        )

    def variants(self, name: str) -> Variants:
        """Return what a value of type ``name`` can be."""
        said = self._class_says(name)
        if not said.variant_key:
            return Variants((name,))
        found, names, default = [], [], ""
        for type_ in (name, *self.program.all_subtypes(name)):
            info = self.program.type(type_)
            if info is None or info.decl.kind not in ("class", "record"):
                continue
            if not info.decl.modifiers & Modifier.ABSTRACT:
                found.append(type_)
                names.append(self._class_says(type_).variant_name)
                if type_ == said.variant_default:
                    default = names[-1]
        return Variants(tuple(found), said.variant_key, tuple(filter(None, names)), default)

    def is_expression(self, name: str, kinds: frozenset[str]) -> bool:
        """Tell whether variants of a type hold others of it: such trees, filters within filters, are written as a whole."""
        variants = self.variants(name)
        return bool(variants.key) and any(
            unwrapped(element_of(self.program, unwrapped(item.type))[1]).name == name
            for type_ in variants.classes
            for item in self.of(type_, kinds)
        )

    def _is_variant(self, name: str) -> bool:
        """Tell whether a mapper chooses a class by what a supertype says: it fills what it finds, not any field."""
        return any(self._class_says(type_).variant_key for type_ in self.program.supertypes(name))

    def element(self, name: str) -> str:
        """Return the XML element that an object of a class is."""
        return self._class_says(name).root or accessor_name("get" + simple(name))

    def naming(self, name: str) -> Naming | None:
        """Return how a mapper names the members of a class, if the class says so."""
        for type_ in (name, *self.program.supertypes(name)):
            naming = self._class_says(type_).naming
            if naming is not None:
                return naming
        return None

    def _class_says(self, name: str) -> Stated:
        info = self.program.type(name)
        if info is None:
            return NOTHING
        return stated(
            self.program,
            self.models,
            self.values,
            uses(info.decl.annotations, info.path, info.outer or info.name),
        )

    def _called(self, ref: MemberRef) -> str:
        """Return the property of a field's generated accessors (``open`` of ``isOpen``), or an empty text."""
        name = self.program.member(ref).name
        for accessor in self.program.implied_by(ref):
            method = self.program.member(accessor).name
            property_ = accessor_name(method)
            if accessor.owner == ref.owner and property_ != method:
                return name if property_.lower() == name.lower() else property_
        return ""

    def _uses(self, ref: MemberRef) -> tuple[Use, ...]:
        return uses(self.program.member(ref).annotations, ref.path, ref.owner)

    def _accessors(self, name: str) -> tuple[dict[str, MemberRef], dict[str, MemberRef]]:
        setters: dict[str, MemberRef] = {}
        getters: dict[str, MemberRef] = {}
        for method, refs in self.program.own_methods(name).items():
            if not method.startswith(("set", "get", "is")):
                continue
            property_ = accessor_name(method)
            if property_ == method:
                continue
            for ref in refs:
                member = self.program.member(ref)
                if member.modifiers & (Modifier.STATIC | Modifier.PRIVATE | Modifier.TRANSIENT):
                    continue
                if method.startswith("set"):
                    if len(member.params) == 1:
                        setters.setdefault(property_, ref)
                elif not member.params:
                    getters.setdefault(property_, ref)
        return setters, getters

    def _setter(
        self, name: str, setter: MemberRef, getter: MemberRef | None
    ) -> Iterator[Property]:
        member = self.program.member(setter)
        found = (*self._uses(setter), *(self._uses(getter) if getter is not None else ()))
        held = holder(self.values, setter, 0)
        if held is not None:
            found = (*found, *self._uses(held))
        stated_default = initial(self.models, self.values, held) if held is not None else None
        implied = None
        if stated_default is None and held is not None:
            implied = implied_value(self.values, held)
        yield Property(
            name,
            self.program.resolve(member.params[0].type, setter.path, setter.owner),
            setter.path,
            member.name_at,
            member.name_end,
            member.at,
            member.end,
            f"{simple(setter.owner)}.{member.name}",
            held if held is not None else setter,
            stated_default or implied,
            found,
            implied is not None,
            held is not None and stated_default is not None and is_constant(self.values, held),
        )

    def _getter(self, name: str, getter: MemberRef, seen: set[str]) -> Iterator[Property]:
        """Yield the property of a getter that hands out a collection or an object for filling, by another name than
        the field's."""
        type_ = self.program.return_type(getter)
        if type_ is None:
            return
        kind, _ = element_of(self.program, type_)
        held = self._returned(getter) if kind or self.structured(type_) else None
        if held is None or self.program.member(held).name in seen:
            return
        member = self.program.member(getter)
        if member.modifiers & Modifier.IMPLIED:
            return  # its field has been looked at by itself
        yield Property(
            name,
            type_,
            getter.path,
            member.name_at,
            member.name_end,
            member.at,
            member.end,
            f"{simple(getter.owner)}.{member.name}",
            held,
            initial(self.models, self.values, held),
            (*self._uses(getter), *self._uses(held)),
        )

    def _returned(self, getter: MemberRef) -> MemberRef | None:
        """Return the field of the object that a getter returns and nothing else."""
        context = self.values.open(getter)
        returns = [instr for instr in context.code if isinstance(instr, ir.Return)]
        if len(returns) != 1 or returns[0].value == NONE:
            return None
        field = context.field_of(returns[0].value)
        own = field is not None and field.owner == getter.owner
        return field if own and field is not None and not self.program.is_static(field) else None

    def _methods(self, name: str, *, bodies: bool) -> Iterator[Property]:
        """Yield the methods of an interface that return something; ``bodies``: those with a body, too."""
        for refs in self.program.own_methods(name).values():
            for ref in refs:
                member = self.program.member(ref)
                skipped = Modifier.STATIC | Modifier.PRIVATE
                if not bodies:
                    skipped |= Modifier.DEFAULT
                if member.params or member.type == "void" or member.modifiers & skipped:
                    continue
                yield Property(
                    member.name,
                    self.program.resolve(member.type, ref.path, ref.owner),
                    ref.path,
                    member.name_at,
                    member.name_end,
                    member.at,
                    member.end,
                    f"{simple(ref.owner)}.{member.name}",
                    ref,
                    self._element_default(ref),
                    self._uses(ref),
                )

    def _element_default(self, ref: MemberRef) -> tuple[str, int, int] | None:
        """Return the default of an annotation type's element, or the constant that a method with a body returns."""
        info = self.program.type(ref.owner)
        if info is None:
            return None
        context = self.values.open(ref)
        for instr in context.code:
            if isinstance(instr, ir.Return):
                return default_value(self.models, self.values, context, instr.value)
        return None


def option_uses(program: Program, models: Models, property_: Property) -> Mapping[str, Use]:
    """Return, by domain, the annotations that by themselves make a property an option."""
    return {
        row.domain or "": use
        for use in property_.uses
        for row in fitting(program, models, use)
        if row.role == "option"
    }
