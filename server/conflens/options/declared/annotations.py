"""Options that annotations declare: injected elements, configuration classes, conditions.

``find`` gives all of one file.  An element's option is named by the row's keys (placeholders are taken
apart) or, where they are not given, by the row's naming; inside an annotated class of the same domain
the class's prefix stands before it.  Several names that one command line annotation gives are one
option, called by the longest; names of other annotations are options of their own.

Absent: members of annotated classes (``annotations_classes``), classes bound by a call (``bound``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from conflens.base.budget import Pieces
from conflens.base.secrets import is_secret_name
from conflens.facts import ir
from conflens.facts.model import Annotation, Modifier
from conflens.models.load import Models
from conflens.models.schema import AnnotationRow
from conflens.models.words import Target
from conflens.options.annotation_elements import (
    Stated,
    Text,
    Use,
    constant,
    fitting,
    has_key,
    joined,
    known,
    meta_names,
    stated,
    texts,
    uses,
)
from conflens.options.binding.expand import named, note_cuts
from conflens.options.binding.held import holder
from conflens.options.binding.members import Members
from conflens.options.binding.properties import implied_value, initial, parameter_place
from conflens.options.declared.annotated_classes import Group, group_of, options_of, with_metas
from conflens.options.member_types import accessor_name, from_text, simple, unwrapped
from conflens.options.model import OptionType
from conflens.options.names.placeholders import Mention, placeholders
from conflens.options.sites import Found, Hint
from conflens.options.value_texts import default_value
from conflens.program.program import Program
from conflens.program.refs import MemberRef, TypeInfo
from conflens.program.templates import known_text
from conflens.program.types import JavaType
from conflens.program.values import Values

_ALIASES = frozenset({"command-line"})
"""Domains in which the names that one annotation or definition gives are spellings of one option."""

_SHORT = 2
"""The length of a name such as ``-p``, which means something else in each command."""


def called_by(domain: str, names: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the name that an option of several is called by, and its others but single letters; empty where each name is an option."""
    if domain not in _ALIASES or not names:
        return "", ()
    main = max(names, key=len)
    others = dict.fromkeys(name for name in names if len(name) > _SHORT)
    return main, tuple(name for name in others if name != main)


_PART = re.compile(r"[\w.*-]+")
"""A name below which a library reads others."""

_BOUND_ONLY = frozenset({"named"})
"""Domains whose annotation means an option only in a program that fills that domain's container."""
_OPERATOR = r"(?:[<>]=?|[!=]=|(?:lt|gt|le|ge|eq|ne)\b)"
_COMPARED = re.compile(rf"['\"]?\s*{_OPERATOR}")
_COMPARES = re.compile(rf"{_OPERATOR}\s*['\"]?\Z")
"""A comparison operator after, or before, a placeholder in a condition."""


@attrs.frozen
class _Element:
    """What is annotated: a class, or a member, or a parameter.  Offsets are absolute."""

    target: Target
    path: str
    owner: str
    name: str
    type: JavaType | None
    at: int
    end: int
    scope_at: int
    scope_end: int
    symbol: str
    member: MemberRef | None
    uses: tuple[Use, ...]
    entry: tuple[MemberRef, int] | None = None
    """The method with the parameter that is annotated, and which one that is."""
    begin: int = attrs.field(init=False)
    """Where the element or the first of its annotations begins."""

    def __attrs_post_init__(self) -> None:
        places = (item.annotation.at for item in self.uses)
        object.__setattr__(self, "begin", min([self.scope_at, *places]))


def find(
    program: Program, models: Models, values: Values, path: str, pieces: Pieces | None = None
) -> list[Found]:
    """Return the options that annotations in a file declare, sorted by place; ``pieces`` hears of what is cut short."""
    finder = Finder(program, models, values)
    found = finder.find(path)
    note_cuts(finder.members, pieces)
    return found


class Finder:
    """Finds the annotated options of a program's files; shares what it learns between files."""

    def __init__(self, program: Program, models: Models, values: Values) -> None:
        """Look in ``program``."""
        self.program = program
        self.models = models
        self.values = values
        self.members = Members(program, models, values)
        self._groups: dict[str, Group | None] = {}
        self._keeping = frozenset(row.domain for row in models.domains if row.keeps)
        self._supplied = {row.domain: row.supplied for row in models.domains}
        self._metas = meta_names(program, models)

    def find(self, path: str) -> list[Found]:
        """Return the options of one file, sorted by place."""
        facts = self.program.files[path]
        found: dict[tuple[str, str, int], Found] = {}
        for index, decl in enumerate(facts.types):
            if decl.annotations and self._interesting(decl.annotations):
                info = self.program.type(self.program.type_name(path, index))
                if info is not None and info.path == path:
                    self._add(found, self._type(info))
        for index, member in enumerate(facts.members):
            if member.annotations and self._interesting(member.annotations):
                self._add(found, self._member(self.program.ref(path, index)))
                self._add(found, self._arguments(self.program.ref(path, index)))
            for slot, param in enumerate(member.params):
                if param.annotations and self._interesting(param.annotations):
                    self._add(found, self._parameter(self.program.ref(path, index), slot))
        return sorted(found.values(), key=lambda item: (item.at, item.name))

    @staticmethod
    def _add(found: dict[tuple[str, str, int], Found], more: Iterable[Found]) -> None:
        for item in more:
            key = (item.domain, item.name, item.at)
            old = found.get(key)
            if old is None or (not old.is_read and item.is_read):
                found[key] = item

    def _interesting(self, annotations: Iterable[Annotation]) -> bool:
        known_names = self.models.annotations_by_name
        for annotation in annotations:
            name = annotation.name.rpartition(".")[2]
            if name in self._metas or any(
                row.role != "refine" for row in known_names.get(name, ())
            ):
                return True
        return False

    # -- elements --------------------------------------------------------------------------------

    def _type(self, info: TypeInfo) -> Iterator[Found]:
        decl = info.decl
        element = _Element(
            "class",
            info.path,
            info.name,
            decl.name,
            None,
            decl.name_at,
            decl.name_at + len(decl.name.encode()),
            decl.at,
            decl.end,
            decl.name,
            None,
            uses(decl.annotations, info.path, info.name),
        )
        if decl.kind != "annotation":  # what a meta-annotation says counts where it is used
            yield from self._options(element)
        else:
            for refs in self.program.own_methods(info.name).values():
                for ref in refs:
                    yield from self._asked_by_default(ref, element.uses)
        group = self._group(info.name)
        if group is not None:
            yield from options_of(self.members, group, info.name)

    def _asked_by_default(self, ref: MemberRef, above: tuple[Use, ...]) -> Iterator[Found]:
        """Yield the options that placeholders name in the default of an annotation type's element, if an annotation says that a library resolves them."""
        element = self._element(ref)
        context = self.values.open(ref)
        given = [instr.value for instr in context.code if isinstance(instr, ir.Return)]
        for use in (*above, *element.uses) if given else ():
            for row in fitting(self.program, self.models, use):
                if "element" not in row.targets or row.placeholder is None:
                    continue
                text = known_text(self.values.of(context, given[0])) or ""
                instr = context.code[given[0]]
                place = (context.member.at + instr.at, context.member.at + instr.end)
                for mention in placeholders(text, row.placeholder):
                    default = mention.default
                    stated_default = None if default is None else (default, *place)
                    yield self._mentioned(
                        element, row, mention, stated_default, place, Stated(), use
                    )

    def _member(self, ref: MemberRef) -> Iterator[Found]:
        if self.program.member(ref).kind == "constructor":
            return
        element = self._element(ref)
        yield from self._options(element)
        method = element.target == "method"
        result = self.program.return_type(ref) if method else element.type
        yield from self._bound_element(element, result)

    def _element(self, ref: MemberRef) -> _Element:
        """Return a field or a method as something that is annotated."""
        member = self.program.member(ref)
        method = member.kind == "method"
        held: MemberRef | None = ref
        type_: JavaType | None
        if not method:
            type_ = self.program.field_type(ref)
        elif member.params:
            held = holder(self.values, ref, 0) or ref
            type_ = self.program.resolve(member.params[0].type, ref.path, ref.owner)
        else:
            type_ = self.program.return_type(ref)
        return _Element(
            "method" if method else "field",
            ref.path,
            ref.owner,
            accessor_name(member.name) if method else member.name,
            type_,
            member.name_at,
            member.name_end,
            member.at,
            member.end,
            f"{simple(ref.owner)}.{member.name}",
            held,
            uses(member.annotations, ref.path, ref.owner),
        )

    def _arguments(self, ref: MemberRef) -> Iterator[Found]:
        """Yield the options of the annotation types among a method's parameters, where an annotation has these filled."""
        member = self.program.member(ref)
        group = group_of(self.members, uses(member.annotations, ref.path, ref.owner), None)
        if group is None or "arguments" not in group.row.targets:
            return
        for param in member.params:
            name = self.program.resolve(param.type, ref.path, ref.owner).name
            info = self.program.type(name)
            if info is not None and info.decl.kind == "annotation" and self._group(name) is None:
                yield from options_of(self.members, group, name)

    def _parameter(self, ref: MemberRef, slot: int) -> Iterator[Found]:
        member = self.program.member(ref)
        param = member.params[slot]
        at, end = parameter_place(self.values, ref, slot)
        element = _Element(
            "parameter",
            ref.path,
            ref.owner,
            param.name,
            self.program.resolve(param.type, ref.path, ref.owner),
            at,
            end,
            at,
            end,
            f"{simple(ref.owner)}.{member.name}",
            holder(self.values, ref, slot) or ref,
            uses(param.annotations, ref.path, ref.owner),
            (ref, slot),
        )
        yield from self._options(element)
        yield from self._bound_element(element, element.type)

    def _bound_element(self, element: _Element, type_: JavaType | None) -> Iterator[Found]:
        """Yield the options of the object that an annotated member or parameter gives or gets."""
        group = group_of(self.members, element.uses, None)
        if group is None or element.target not in group.row.targets or type_ is None:
            return
        if self.program.type(type_.name) is not None:
            yield from options_of(self.members, group, type_.name)
        elif group.prefix:
            use = group.use.annotation
            yield self._found(
                element, group.row, f"{group.prefix}*", None, (use.at, use.end), Stated(), ""
            )

    def _group(self, type_: str) -> Group | None:
        if type_ not in self._groups:
            info = self.program.type(type_)
            self._groups[type_] = (
                group_of(self.members, uses(info.decl.annotations, info.path, type_), info)
                if info is not None
                else None
            )
        return self._groups[type_]

    # -- options ---------------------------------------------------------------------------------

    def _options(self, element: _Element) -> Iterator[Found]:
        said: Stated | None = None
        for use, written in with_metas(self.members, element.uses):
            for row in fitting(self.program, self.models, use):
                if row.single and not (
                    element.type is not None and from_text(self.program, element.type)
                ):
                    continue
                if row.role not in ("option", "gate") or element.target not in row.targets:
                    continue
                span = (written.annotation.at, written.annotation.end)
                if row.suffix:  # What a library reads below a name is not what the element holds.
                    yield from self._named(_holding_nothing(element), row, use, span, Stated())
                    continue
                if said is None:
                    said = stated(self.program, self.models, self.values, element.uses)
                if row.role == "gate":
                    yield from self._gate(element, row, use, span)
                    continue
                held = _holding_nothing(element) if row.aside else element
                if row.switch is not None:
                    if known(self.values, use, row.switch) == "true":
                        found = self._found(held, row, row.root, None, span, said, "", use)
                        # Not a definition, whose names would be names of one option.
                        yield attrs.evolve(found, aliases=row.aliases, kind="field")
                elif row.placeholder is not None:
                    yield from self._placeholders(held, row, use, span, said)
                else:
                    yield from self._named(held, row, use, span, said)

    def _placeholders(
        self, element: _Element, row: AnnotationRow, use: Use, span: tuple[int, int], said: Stated
    ) -> Iterator[Found]:
        assert row.placeholder is not None
        for key in row.names:
            for text in texts(self.values, use, key):
                place = (text.at, text.end) if span[0] <= text.at < span[1] else span
                for mention in placeholders(text.text, row.placeholder):
                    supplied = self._supplied.get(mention.domain or row.domain or "", ())
                    if mention.name.partition(".")[0] in supplied:
                        continue
                    default = mention.default
                    unknown = default is None or (text.partial and "*" in default)
                    stated_default = None if unknown or default is None else (default, *place)
                    compared = row.role == "gate" and _is_compared(text.text, mention)
                    yield self._mentioned(
                        element, row, mention, stated_default, place, said, use, compared=compared
                    )

    def _named(
        self, element: _Element, row: AnnotationRow, use: Use, span: tuple[int, int], said: Stated
    ) -> Iterator[Found]:
        if row.domain in _BOUND_ONLY and not self._is_filled(row.domain or ""):
            return
        names = [text for key in row.names for text in texts(self.values, use, key) if text.text]
        names = [text for text in names if text.text.replace("*", "").strip(".")]
        others: list[str] = []
        group = self._group(element.owner) if element.target != "class" else None
        prefix = ""
        if group is not None and group.row.domain == row.domain:
            prefix = f"{row.root}{group.prefix}"
        if not names:
            if row.naming is None or element.target == "class":
                return
            naming = "field" if prefix and row.naming == "fqcn.field" else row.naming
            own = named(naming, element.name, element.owner)
            names = [Text(own, element.at, element.end, "")]
            span = (element.at, element.end)
        elif row.domain in _ALIASES:
            others = list(called_by(row.domain, [text.text for text in names])[1])
            names = [max(names, key=lambda text: len(text.text))]
        for text in names:
            name = text.text
            if row.suffix and not _PART.fullmatch(name):
                continue  # an address or a reference, such as "https://shop" or "${shop}"
            if row.suffix:
                name = f"{row.root}{name}{row.suffix}"
            elif prefix and not name.startswith(prefix):
                name = f"{prefix}{name}"
            place = (text.at, text.end) if span[0] <= text.at < span[1] else span
            default = self._default(element, row, use, said)
            found = self._found(element, row, name, default, place, said, "", use)
            aliases = tuple(other for other in dict.fromkeys(others) if other != name)
            yield attrs.evolve(found, aliases=aliases) if aliases else found

    def _default(
        self, element: _Element, row: AnnotationRow, use: Use, said: Stated
    ) -> tuple[str, int, int] | None:
        if said.default is not None:
            return said.default, said.default_at, said.default_end
        if row.missing is not None:
            return row.missing, use.annotation.at, use.annotation.end
        if has_key(use, row.default):
            text = known(self.values, use, row.default)
            places = texts(self.values, use, row.default)
            if text is not None and "${" not in text:
                return text, places[0].at, places[-1].end
        if element.member is not None and self.program.member(element.member).kind == "field":
            stated = initial(self.models, self.values, element.member)
            if stated is not None or said.required or row.domain not in self._keeping:
                return stated
            required = row.required is not None and known(self.values, use, row.required)
            return implied_value(self.values, element.member) if required != "true" else None
        if element.target == "method" and element.member is not None:
            return self._returned(element.member)
        return None

    def _returned(self, ref: MemberRef) -> tuple[str, int, int] | None:
        """Return what the body of a method gives that a library overrides: one in an abstract class, or of an annotation type."""
        info = self.program.type(ref.owner)
        if info is None:
            return None
        if info.decl.kind != "annotation" and not info.decl.modifiers & Modifier.ABSTRACT:
            return None
        if self.program.member(ref).params:
            return None
        context = self.values.open(ref)
        given = [instr.value for instr in context.code if isinstance(instr, ir.Return)]
        if len(given) != 1 or any(isinstance(instr, ir.If) for instr in context.code):
            return None
        return default_value(self.models, self.values, context, given[0])

    def _gate(
        self, element: _Element, row: AnnotationRow, use: Use, span: tuple[int, int]
    ) -> Iterator[Found]:
        if row.placeholder is not None:
            yield from self._placeholders(element, row, use, span, Stated())
            return
        values = tuple(
            text.text
            for text in texts(self.values, use, row.values_key)
            if text.text and not text.partial
        )
        prefixes = texts(self.values, use, row.prefix)
        prefix = prefixes[0].text if prefixes and prefixes[0].text else ""
        if prefix and not prefix.endswith(row.separator):
            prefix += row.separator
        prefix = f"{row.root}{prefix}"
        names = [text for key in row.names for text in texts(self.values, use, key)]
        if not names and not row.names and row.root:
            names = [Text("", *span, "")]
        default: tuple[str, int, int] | None = None
        for text in texts(self.values, use, row.default):
            if text.kind != "b":
                default = (text.text, text.at, text.end)
            elif text.text == "true":
                default = (values[0] if values else "true", text.at, text.end)
        type_ = None
        if row.prefix is not None and set(values) <= {"true", "false"}:
            type_ = OptionType.BOOLEAN
        said = Stated(type=type_, values=values)
        for text in names:
            name = f"{prefix}{text.text}".rstrip(".")
            if name.replace("*", "").strip("."):
                place = (text.at, text.end) if span[0] <= text.at < span[1] else span
                yield self._found(element, row, name, default, place, said, "", gate=True)

    def _is_filled(self, domain: str) -> bool:
        methods = [row.method for row in self.models.containers if row.domain == domain]
        return any(map(self.values.asking.every_user, methods))

    def _mentioned(
        self,
        element: _Element,
        row: AnnotationRow,
        mention: Mention,
        default: tuple[str, int, int] | None,
        place: tuple[int, int],
        said: Stated,
        use: Use,
        *,
        compared: bool = False,
    ) -> Found:
        """Return the option that a text mentions, with the secret in whose default it stands."""
        name, domain = mention.name, mention.domain
        found = self._found(
            element, row, name, default, place, said, domain, use, compared=compared
        )
        if not mention.under:
            return found
        return attrs.evolve(found, hint=attrs.evolve(found.hint, target=mention.under))

    def _found(
        self,
        element: _Element,
        row: AnnotationRow,
        name: str,
        default: tuple[str, int, int] | None,
        place: tuple[int, int],
        said: Stated,
        domain: str,
        use: Use | None = None,
        *,
        gate: bool = False,
        compared: bool = False,
    ) -> Found:
        type_ = OptionType(row.value_type) if row.value_type else said.type
        unit, values, description = said.unit, said.values, said.description
        if use is not None:
            stated_type, stated_unit = constant(self.program, self.models, use, row.type_key)
            _, key_unit = constant(self.program, self.models, use, row.unit_key)
            type_, unit = stated_type or type_, key_unit or stated_unit or unit
            description = description or joined(self.values, use, row.description)
            if not values and row.values_key is not None:
                values = tuple(item.text for item in texts(self.values, use, row.values_key))
        java_type = said.java_type
        if not java_type and element.type is not None and element.target != "class" and not gate:
            java_type = unwrapped(element.type).text()
        injected = not gate and element.target != "class"
        setter = (
            element.name if element.target == "method" and is_secret_name(element.name) else ""
        )
        return Found(
            domain or row.domain or "",
            name,
            "definition" if gate or element.target == "class" else "field",
            element.path,
            *place,
            element.begin,
            element.scope_end,
            element.symbol,
            f"@{simple(row.type)}",
            default=default[0] if default is not None else None,
            default_at=default[1] if default is not None else -1,
            default_end=default[2] if default is not None else -1,
            hint=Hint(
                type_,
                unit,
                values,
                java_type,
                said.limits,
                said.deprecated,
                gate and type_ is OptionType.BOOLEAN and not values,
                said.converter,
                target=setter,
            ),
            description=description,
            is_read=True,
            member=element.member if injected else None,
            enters=element.entry[0] if injected and element.entry is not None else None,
            parameter=element.entry[1] if injected and element.entry is not None else -1,
            implied=compared,
        )


def _is_compared(text: str, mention: Mention) -> bool:
    """Tell whether a condition compares an option with something (``${ttl:0} > 0``): its default there stands for "not set"."""
    written = f"${{{mention.name}:{mention.default}}}"
    before, found, behind = text.partition(written)
    return bool(found) and bool(_COMPARED.match(behind) or _COMPARES.search(before))


def _holding_nothing(element: _Element) -> _Element:
    """Return an element that does not hold the value of what is said at it."""
    return attrs.evolve(element, member=None, type=None, entry=None)
