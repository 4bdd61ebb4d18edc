"""Options that constant objects of the project's own classes stand for.

A class whose objects name options is known by what is done with them: a method that reads an option for its caller
takes the name from a member of its argument, or of its receiver.  Then each enum constant, and each constant field
that holds such an object, declares an option, and what is done with the other members tells what they are:

    default      what a read gives back when there is no value; what a layer of defaults pairs with the name; else the
                 member that calls itself so
    type         a ``Class``, the type argument of the declared type, what a function member returns, a member whose
                 values name types (``Type.DURATION``), the default's own type
    description  a member that calls itself so, or whose texts are sentences

Absent: reads (``reads.scan``), objects that are no constants, members that change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import attrs

from conflens.facts import ir
from conflens.flow.kinds import enum_constants, kind_of
from conflens.models.load import Models
from conflens.options.declared import deprecation
from conflens.options.declared.layers import paired
from conflens.options.member_types import simple
from conflens.options.model import OptionType
from conflens.options.reads.derived import members, namings
from conflens.options.sites import Api, Found, Hint
from conflens.options.value_names import type_named, words
from conflens.options.value_texts import default_value
from conflens.program.expressions import Context
from conflens.program.origins import Origin
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    CONSTANT,
    FORMATTED,
    Param,
    SelfField,
    Templates,
    Turn,
    known_text,
)
from conflens.program.types import OBJECT, STRING, JavaType
from conflens.program.values import Values

_CLASS = "java.lang.Class"
_SENTENCE = 4
"""Words that make a text a sentence."""

_DEFAULTS = frozenset({"default", "def", "dflt", "defval", "fallback"})
_NAMING = frozenset(
    {
        "key",
        "keys",
        "name",
        "names",
        "option",
        "opt",
        "param",
        "parameter",
        "prop",
        "property",
        "setting",
    }
)
"""Last words of classes of constants that name options, whatever of."""
_DESCRIPTIONS = frozenset(
    {"description", "desc", "descr", "doc", "docs", "documentation", "help", "comment", "usage"}
)


@attrs.frozen
class OptionClass:
    """A class whose constant objects name options by the text of their field ``key``, turned and put between two texts."""

    owner: str
    key: str
    how: tuple[Turn, ...]
    before: str
    after: str
    domain: str
    defaults: tuple[str, ...]


class _Kinds(NamedTuple):
    """The member of the objects whose values name types, and the types by its texts."""

    field: str
    meant: dict[str, OptionType]


def option_classes(program: Program, values: Values, apis: Iterable[Api]) -> list[OptionClass]:
    """Return the classes from whose objects ``apis`` take the names of options."""
    apis = list(apis)
    defaults: dict[str, dict[str, None]] = {}
    for api in apis:
        given = _only(api.default)
        for owner, name in members(program, values, given) if given is not None else ():
            defaults.setdefault(owner, {})[name] = None
    return [
        OptionClass(
            *naming,
            domain,
            tuple(
                defaults.get(naming.owner, ()) or paired(program, values, naming.owner, naming.key)
            ),
        )
        for naming, domain in namings(program, values, apis).items()
    ]


def _only(templates: Templates | None) -> Param | SelfField | None:
    """Return the one member of an object that templates are."""
    if templates and len(templates) == 1 and len(templates[0]) == 1:
        part = templates[0][0]
        if isinstance(part, SelfField) or (isinstance(part, Param) and part.name):
            return part
    return None


def find(
    program: Program,
    models: Models,
    values: Values,
    apis: Iterable[Api],
    guarded: Callable[[str, Callable[[], tuple[Found, ...]]], tuple[Found, ...]],
) -> tuple[Found, ...]:
    """Return the options that constant objects declare; ``guarded`` runs the work on one class of a file."""
    found: list[Found] = []
    for option_class in option_classes(program, values, apis):
        if _is_of_data(models, option_class.owner):
            continue
        info = program.type(option_class.owner)
        assert info is not None
        reader = _Reader(program, models, values, option_class)
        found.extend(guarded(info.path, reader.all))
    return tuple(sorted(found, key=lambda item: (item.path, item.at, item.name)))


def _is_of_data(models: Models, owner: str) -> bool:
    """Tell whether a class is called after a part of data (``RecordField``), and not after what names options (``SessionProperty``)."""
    named = words(simple(owner))
    if len(named) < 2 or named[-1] in _NAMING or named[-1] in models.roles_by_word:
        return False
    row = models.roles_by_word.get(named[-2])
    return row is not None and row.speaks == "against" and "type" in row.on


class _Reader:
    """Reads the constant objects of one class."""

    def __init__(
        self, program: Program, models: Models, values: Values, option_class: OptionClass
    ) -> None:
        self.program = program
        self.models = models
        self.values = values
        self.option_class = option_class
        self.origins = values.origins
        types = (option_class.owner, *program.all_subtypes(option_class.owner))
        self.fields = {
            program.member(ref).name: program.field_type(ref)
            for type_ in types
            for ref in program.own_fields(type_).values()
            if not program.is_static(ref)
        }
        self.types = frozenset(types)

    def all(self) -> tuple[Found, ...]:
        """Return the options."""
        return tuple(self._find())

    def _find(self) -> Iterator[Found]:
        every = {
            ref: made
            for ref in self._constants()
            if (made := self.origins.constant(ref)) is not None
        }
        scopes = self._scopes(every)
        named: dict[MemberRef, tuple[Origin, str]] = {}
        for ref, made in every.items():
            text = self._key(ref, made)
            if text and _is_name(text) and ref not in scopes:
                named[ref] = made, text
        objects = {ref: made for ref, (made, _) in named.items()}
        defaults = self.option_class.defaults or tuple(
            name for name in self.fields if words(name) and words(name)[0] in _DEFAULTS
        )
        kinds = self._kinds(objects, defaults)
        descriptions = self._descriptions(objects, defaults)
        for ref, (made, text) in named.items():
            own = [name for name in defaults if self._is_given(made, name)] or defaults
            default = next(filter(None, (self._default(made, name) for name in own)), None)
            hint = self._hint(ref, made, kinds, defaults, own)
            name = f"{self.option_class.before}{text}{self.option_class.after}"
            hint = attrs.evolve(
                hint, deprecated=deprecation.of_member(self.program, self.values, ref, name)
            )
            described = (self._text(made, field) for field in descriptions)
            yield self._found(ref, name, default, hint, next(filter(None, described), ""))

    def _key(self, ref: MemberRef, made: Origin) -> str | None:
        """Return what names the option of a constant, without the texts around it."""
        if self.option_class.key == CONSTANT:
            text: str | None = self.program.member(ref).name
        else:
            key = self.origins.field(made, self.option_class.key)
            text = known_text(self.origins.templates(key)) if key is not None else None
        for turn in self.option_class.how if text is not None else ():
            text = turn.of(text or "")
        return Turn(FORMATTED).of(text) if text is not None else None

    def _scopes(self, objects: dict[MemberRef, Origin]) -> set[MemberRef]:
        """Return the constants that only tell where the names of other constants begin."""
        handed = {
            field
            for made in objects.values()
            if isinstance(made.instr, (ir.New, ir.Call))
            for arg in made.instr.args
            if (field := made.context.field_of(arg)) is not None and field in objects
        }
        names = {ref: self.program.member(ref).name for ref in handed}
        return {
            ref
            for ref, name in names.items()
            if all(user in objects for user in self.values.asking.every_mention(name))
        }

    def _constants(self) -> Iterator[MemberRef]:
        info = self.program.type(self.option_class.owner)
        if info is not None and info.decl.kind == "enum":
            for ref in self.program.own_fields(info.name).values():
                if self.program.member(ref).kind == "enum_constant":
                    yield ref
            return
        simples = {simple(name) for name in self.types}
        for path, facts in self.program.files.items():
            for number, member in enumerate(facts.members):
                if member.kind != "field" or simple(member.type.partition("<")[0]) not in simples:
                    continue
                ref = self.program.ref(path, number)
                if self.program.is_static(ref):
                    type_ = self.program.field_type(ref)
                    if type_.name in self.types and self.values.lasting(ref):
                        yield ref

    # -- members ---------------------------------------------------------------------------------

    def _text(self, made: Origin, field: str) -> str | None:
        given = self.origins.field(made, field)
        return known_text(self.origins.templates(given)) if given is not None else None

    def _is_given(self, made: Origin, field: str) -> bool:
        """Tell whether the constant itself states a member; what its constructor writes for all is no default then."""
        given = self.origins.field(made, field)
        return given is not None and _place(list(self.origins.way(given)), made)[0] >= 0

    def _default(self, made: Origin, field: str) -> tuple[str, int, int] | None:
        """Return the text of a member with the place where it is written, if that is in the constant itself."""
        given = self.origins.field(made, field)
        if given is None:
            return None
        way = list(self.origins.way(given))
        last = way[-1]
        if last.frame is None:
            found = default_value(self.models, self.values, last.context, last.value)
            text = found[0] if found is not None else None
        else:
            text = known_text(self.origins.templates(last))
        if text is None:
            return None
        at, end = _place(way, made)
        return text, at, end

    def _descriptions(
        self, objects: dict[MemberRef, Origin], defaults: tuple[str, ...]
    ) -> list[str]:
        """Return the members that describe, those that call themselves so first."""
        texts = [
            name
            for name, type_ in self.fields.items()
            if type_ == STRING and name not in defaults and name != self.option_class.key
        ]
        called = [name for name in texts if _DESCRIPTIONS.intersection(words(name))]
        if called:
            return called
        sample = list(objects.values())[:20]
        return [
            name
            for name in texts
            if sum(len((self._text(made, name) or "").split()) >= _SENTENCE for made in sample) * 2
            > len(sample)
        ]

    # -- types -----------------------------------------------------------------------------------

    def _kinds(self, objects: dict[MemberRef, Origin], defaults: tuple[str, ...]) -> _Kinds | None:
        """Return the member whose values name types, and what they mean."""
        for name, type_ in self.fields.items():
            info = self.program.type(type_.name)
            listed = info is not None and info.decl.kind == "enum"
            if name in defaults or name == self.option_class.key:
                continue
            if not listed and type_ != STRING:
                continue
            texts = Counter(self._text(made, name) for made in objects.values())
            meant = {
                text: kind
                for text in texts
                if text is not None and (kind := type_named(text)) is not None
            }
            told = sum(texts[text] for text in meant)
            if len(meant) > 1 and told * 3 >= sum(texts.values()) * 2:
                return _Kinds(name, meant)
        return None

    def _hint(
        self,
        ref: MemberRef,
        made: Origin,
        kinds: _Kinds | None,
        defaults: tuple[str, ...],
        own: Sequence[str],
    ) -> Hint:
        if kinds is not None:
            kind = kinds.meant.get(self._text(made, kinds.field) or "")
            if kind is not None:
                return Hint(kind)
        for type_ in self._java_types(ref, made, defaults, own):
            if kind_of(self.program, type_):
                if type_ == STRING:
                    return Hint(OptionType.STRING)
                return Hint(None, "", enum_constants(self.program, type_), type_.text())
        return Hint()

    def _java_types(
        self,
        ref: MemberRef,
        made: Origin,
        defaults: tuple[str, ...],
        stated: Sequence[str],
    ) -> Iterator[JavaType]:
        """Yield the Java types that an object gives for its option's value, the most telling first; ``stated`` are the
        defaults that it states itself."""
        for name, type_ in self.fields.items():
            given = self.origins.field(made, name) if type_.name == _CLASS else None
            last = self.origins.settled(given) if given is not None else None
            if last is not None and isinstance(last.instr, ir.ClassLiteral):
                own = last.context
                yield self.program.resolve(last.instr.type, own.ref.path, own.ref.owner)
        declared = self.program.field_type(ref)
        if len(declared.args) == 1:
            yield declared.args[0]
        for name, type_ in self.fields.items():
            if type_.name.startswith("java.util.function.") and name not in defaults:
                given = self.origins.field(made, name)
                last = self.origins.settled(given) if given is not None else None
                returned = self._returned(last) if last is not None else None
                if returned is not None:
                    yield returned
        for name in stated:
            given = self.origins.field(made, name)
            if given is not None and self.fields.get(name) != STRING:
                last = self.origins.settled(given)
                type_ = last.context.type_of(last.value) or OBJECT
                if type_ not in (OBJECT, STRING):
                    yield type_

    def _returned(self, function: Origin) -> JavaType | None:
        """Return what a method reference gives."""
        instr = function.instr
        if not isinstance(instr, ir.MethodRef) or not instr.type:
            return None
        context = function.context
        owner = self.program.resolve(instr.type, context.ref.path, context.ref.owner)
        if instr.name == "new":
            return owner
        jdk = self.program.jdk_type(owner.name)
        if jdk is not None:
            returned = {method.returns for method in jdk.methods.get(instr.name, ())}
            return self.program.resolve(returned.pop(), "", "") if len(returned) == 1 else None
        methods = self.program.own_methods(owner.name).get(instr.name, ())
        return self.program.return_type(methods[0]) if len(methods) == 1 else None

    # -- results ---------------------------------------------------------------------------------

    def _found(
        self,
        ref: MemberRef,
        name: str,
        default: tuple[str, int, int] | None,
        hint: Hint,
        description: str,
    ) -> Found:
        member = self.program.member(ref)
        owner = simple(ref.owner)
        return Found(
            self.option_class.domain,
            name,
            "constant",
            ref.path,
            member.name_at,
            member.name_at + len(member.name.encode()),
            member.at,
            member.end,
            f"{owner}.{member.name}",
            simple(self.option_class.owner),
            default=default[0] if default is not None else None,
            default_at=default[1] if default is not None else -1,
            default_end=default[2] if default is not None else -1,
            hint=hint,
            description=" ".join(description.split()),
        )


def _is_name(text: str) -> bool:
    """Tell whether a text can name one option, and is not the beginning of the names of several."""
    return text[-1].isalnum() and not any(char.isspace() for char in text)


def _place(way: list[Origin], made: Origin) -> tuple[int, int]:
    """Return the absolute offsets of the last expression that stands in the constant itself, -1 if none does."""
    own: Context = made.context
    for origin in reversed(way):
        if origin.context is own:
            base = own.member.at
            return base + origin.instr.at, base + origin.instr.end
    return -1, -1
