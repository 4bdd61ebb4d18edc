"""Annotations as values: which model rows one fits, and the texts that its elements hold.

A *use* is an annotation at the place where its names are resolved.  A use of an annotation type that
the project declares counts for the annotations on that declaration too (one level): they are its
*metas*.  A row fits by the qualified name that the written name resolves to, never by the simple
name alone.

*Stated* is what refining rows say of one element: name, default, description, type, unit, values.
Absent: what is done with it (``annotations``, ``bound_members``).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.codec import annotation_code
from conflens.facts.model import Annotation
from conflens.models.load import Models
from conflens.models.schema import AnnotationRow
from conflens.models.words import Naming
from conflens.options.constant_arguments import class_row, constant_row, rendered
from conflens.options.limits import joined as joined_limits
from conflens.options.limits import number_of
from conflens.options.model import UNLIMITED, Limits, OptionType
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Part, SelfField, Templates, substitute
from conflens.program.values import Values

_PARENT = "<<parent>>"
_COMPUTED = "<<"
"""Texts in place of a name, of Quarkus: the parent's name, or one made from the element's."""
_INCLUSIVE = "inclusive"
"""Jakarta's word for whether a bound is a value itself."""
_META = "annotations: project annotation types that carry a row"


class AnnotationContext(Context):
    """The code behind an annotation's values; its offsets count from the annotation's start."""

    __slots__ = ()

    def __init__(self, program: Program, use: Use) -> None:
        """Open the values of ``use``."""
        body = ir.Body((), annotation_code(use.annotation))
        super().__init__(program, MemberRef(use.path, -1, use.owner), body)


class Use(NamedTuple):
    """An annotation, the file it stands in and the type in whose scope its names are."""

    annotation: Annotation
    path: str
    owner: str


class Text(NamedTuple):
    """A text (``*`` for what is not known), the absolute offsets of its expression, and its kind.

    ``kind`` is that of a literal (``ir.Const``), else empty; ``partial``: some of it is not known, as ``*`` says.
    """

    text: str
    at: int
    end: int
    kind: str
    partial: bool = False


@attrs.frozen
class Stated:
    """What annotations say of an element besides that it is an option; ``None``: nothing.

    ``parent_name``: its members are named as if they stood in its parent.  ``ignored``: it is filled by
    something else, or not at all.  ``variant_key``: the key whose value, a ``variant_name``, chooses the subclass,
    which is ``variant_default`` if the key is missing.  ``converter``: the class that makes the value of its text.
    ``parsed``: code of the program's own reads the value.  ``naming``: how members are named.
    ``attribute``: it is one of an XML element; ``wrapper``: the element around it, named as itself if empty; ``root``: the element
    of a class; ``fields``: all of its fields are filled; ``reference``: it is called as the root of its class.
    """

    name: str | None = None
    default: str | None = None
    default_at: int = -1
    default_end: int = -1
    description: str = ""
    type: OptionType | None = None
    java_type: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()
    parent_name: bool = False
    named: bool = False
    limits: Limits = UNLIMITED
    deprecated: str = ""
    ignored: bool = False
    variant_key: str = ""
    variant_name: str = ""
    converter: str = ""
    variant_default: str = ""
    required: bool = False
    parsed: bool = False
    naming: Naming | None = None
    attribute: bool = False
    wrapper: str | None = None
    root: str = ""
    fields: bool = False
    reference: bool = False


NOTHING = Stated()


def uses(annotations: Iterable[Annotation], path: str, owner: str) -> tuple[Use, ...]:
    """Return annotations as uses."""
    return tuple(Use(annotation, path, owner) for annotation in annotations)


def fitting(program: Program, models: Models, use: Use) -> list[AnnotationRow]:
    """Return the rows that speak of an annotation."""
    written = use.annotation.name
    candidates = models.annotations_by_name.get(written.rpartition(".")[2])
    if candidates is None:
        return []
    resolved = program.resolve_name(written, use.path, use.owner)
    if resolved is not None:
        return [row for row in candidates if row.type == resolved.name]
    return [row for row in candidates if _may_mean(program, use, row.type)]


def _may_mean(program: Program, use: Use, type_: str) -> bool:
    """Tell whether a name that resolves to nothing can be a library type: inherited or on demand."""
    outer, _, name = type_.rpartition(".")
    if use.annotation.name == name and outer in program.supertypes(use.owner):
        return True
    return any(
        imported.on_demand
        and not imported.static
        and f"{imported.name}.{use.annotation.name}" == type_
        for imported in program.files[use.path].imports
    )


def meta_names(program: Program, models: Models) -> frozenset[str]:
    """Return the simple names of project annotation types that carry an annotation with rows."""
    key = (_META, models.digest)
    found = program.memo.values.get(key)
    if isinstance(found, frozenset):
        return found
    names = frozenset(
        info.decl.name
        for info in program.types()
        if info.decl.kind == "annotation"
        and any(
            row.role != "refine"
            for use in uses(info.decl.annotations, info.path, info.name)
            for row in fitting(program, models, use)
        )
    )
    program.memo.values[key] = names
    return names


def metas(program: Program, models: Models, use: Use) -> tuple[Use, ...]:
    """Return the annotations on the declaration of a project annotation type that is used."""
    if use.annotation.name.rpartition(".")[2] not in meta_names(program, models):
        return ()
    resolved = program.resolve_name(use.annotation.name, use.path, use.owner)
    info = program.type(resolved.name) if resolved is not None else None
    if info is None or info.decl.kind != "annotation":
        return ()
    return uses(info.decl.annotations, info.path, info.name)


def has_key(use: Use, key: str | None) -> bool:
    """Tell whether an annotation gives an element."""
    return key is not None and key in use.annotation.keys


def texts(values: Values, use: Use, key: str | None) -> list[Text]:
    """Return the texts that an element holds; the items of an array one by one."""
    if key is None or key not in use.annotation.keys:
        return []
    context = AnnotationContext(values.program, use)
    value = use.annotation.values[use.annotation.keys.index(key)]
    instr = context.code[value]
    items = instr.values if isinstance(instr, ir.NewArray) else (value,)
    found = []
    for item in items:
        at = use.annotation.at + context.code[item].at
        end = use.annotation.at + context.code[item].end
        instr = context.code[item]
        kind = instr.kind if isinstance(instr, ir.Const) else ""
        for template in substitute(values.of(context, item), partial(_constant_field, values)):
            is_open = any(not isinstance(part, str) for part in template)
            found.append(Text(rendered(template), at, end, kind, is_open))
    return found


def _constant_field(values: Values, part: Part) -> Templates:
    """Return the text of a constant that each object of the class has as a field."""
    return values.expand(part) if isinstance(part, SelfField) else ((part,),)


def known(values: Values, use: Use, key: str | None) -> str | None:
    """Return an element's text when it is one and fully known; items are joined by commas."""
    found = texts(values, use, key)
    if not found or any(item.partial for item in found):
        return None
    return ",".join(item.text for item in found)


def joined(values: Values, use: Use, key: str | None) -> str:
    """Return a description: its known lines."""
    return "\n".join(item.text for item in texts(values, use, key) if item.text != "*")


def constant(
    program: Program, models: Models, use: Use, key: str | None
) -> tuple[OptionType | None, str]:
    """Return the type and the unit that an element's constant stands for."""
    if key is None or key not in use.annotation.keys:
        return None, ""
    context = AnnotationContext(program, use)
    row = constant_row(models, context, use.annotation.values[use.annotation.keys.index(key)])
    if row is None:
        return None, ""
    return (OptionType(row.value_type) if row.value_type else None), row.unit or ""


def _naming(program: Program, models: Models, use: Use, key: str | None) -> Naming | None:
    """Return the naming that the class or constant at ``key`` stands for."""
    if key is None or key not in use.annotation.keys:
        return None
    value = use.annotation.values[use.annotation.keys.index(key)]
    context = AnnotationContext(program, use)
    row = class_row(models, context, value) or constant_row(models, context, value)
    return row.naming if row is not None else None


def last_name(program: Program, use: Use, key: str | None) -> str:
    """Return the last name of the constant that an element holds; empty for anything else."""
    if key is None or key not in use.annotation.keys:
        return ""
    context = AnnotationContext(program, use)
    instr = context.code[use.annotation.values[use.annotation.keys.index(key)]]
    return instr.name if isinstance(instr, (ir.Name, ir.Field)) else ""


def stated(program: Program, models: Models, values: Values, found: Iterable[Use]) -> Stated:
    """Return what the refining annotations among ``found`` say; the first of them wins."""
    result = NOTHING
    for use in found:
        for row in fitting(program, models, use):
            if row.role == "refine":
                result = _merged(result, _aspect(program, models, values, use, row))
    return result


def _merged(one: Stated, two: Stated) -> Stated:
    given = one.default is not None
    return Stated(
        name=one.name if one.name is not None else two.name,
        default=one.default if given else two.default,
        default_at=one.default_at if given else two.default_at,
        default_end=one.default_end if given else two.default_end,
        description=one.description or two.description,
        type=one.type or two.type,
        java_type=one.java_type or two.java_type,
        unit=one.unit or two.unit,
        values=one.values or two.values,
        parent_name=one.parent_name or two.parent_name,
        named=one.named or two.named,
        limits=joined_limits([one.limits, two.limits]),
        deprecated=one.deprecated or two.deprecated,
        ignored=one.ignored or two.ignored,
        variant_key=one.variant_key or two.variant_key,
        variant_name=one.variant_name or two.variant_name,
        converter=one.converter or two.converter,
        variant_default=one.variant_default or two.variant_default,
        required=one.required or two.required,
        parsed=one.parsed or two.parsed,
        naming=one.naming or two.naming,
        attribute=one.attribute or two.attribute,
        wrapper=one.wrapper if one.wrapper is not None else two.wrapper,
        root=one.root or two.root,
        fields=one.fields or two.fields,
        reference=one.reference or two.reference,
    )


def _aspect(
    program: Program, models: Models, values: Values, use: Use, row: AnnotationRow
) -> Stated:
    match row.aspect:
        case "parent-name":
            return Stated(parent_name=True)
        case "deprecated":
            return Stated(deprecated="deprecated")
        case "ignored":
            return Stated(ignored=not row.key or known(values, use, row.key) != "false")
        case "rest":
            return Stated(ignored=True)
        case "variant-key":
            return Stated(variant_key=known(values, use, row.key) or row.fixed or "")
        case "variant-name":
            return Stated(variant_name=known(values, use, row.key) or "")
        case "variant-default":
            return Stated(variant_default=known(values, use, row.key) or "")
        case "required":
            return Stated(required=not row.key or known(values, use, row.key) == "true")
        case "parsed":
            return Stated(
                parsed=has_key(use, row.key) and known(values, use, row.key) != row.fixed
            )
        case "minimum" | "maximum" | "above":
            return Stated(limits=_limits(values, use, row))
        case "secret":
            hidden = not row.key or known(values, use, row.key) == "true"
            return Stated(type=OptionType.PASSWORD if hidden else None)
        case "unit":
            return Stated(unit=constant(program, models, use, row.key)[1])
        case "values":
            listed = texts(values, use, row.key)
            return Stated(values=tuple(item.text for item in listed if not item.partial))
        case "type":
            type_, unit = constant(program, models, use, row.key)
            return Stated(type=type_, unit=unit)
        case "attribute":
            return Stated(attribute=True, named=True)
        case "reference":
            return Stated(reference=True, named=True)
        case "fields":
            return Stated(fields=last_name(program, use, row.key) == row.fixed)
        case "wrapper":
            return Stated(wrapper=known(values, use, row.key) or "")
        case "root":
            return Stated(root=known(values, use, row.key) or "")
        case "naming":
            return Stated(naming=_naming(program, models, use, row.key))
        case "class":
            return Stated(java_type=known(values, use, row.key) or "")
        case "converter":
            return Stated(converter=known(values, use, row.key) or "")
        case "description":
            return Stated(description=joined(values, use, row.key))
        case "name":
            text = known(values, use, row.key)
            if text == _PARENT:
                return Stated(parent_name=True)
            written = text if text and not text.startswith(_COMPUTED) else None
            return Stated(name=written, named=True)
        case "default":
            text = known(values, use, row.key)
            if text is None:
                return NOTHING
            places = texts(values, use, row.key)
            return Stated(default=text, default_at=places[0].at, default_end=places[-1].end)
        case _:
            return NOTHING


def _limits(values: Values, use: Use, row: AnnotationRow) -> Limits:
    """Return the bound that an annotation states; one that excludes its own number counts for the other aspect."""
    number = number_of(row.fixed if row.fixed is not None else known(values, use, row.key))
    if number is None:
        return UNLIMITED
    place = Place(use.path, use.annotation.at, use.annotation.end)
    excluded = known(values, use, _INCLUSIVE) == "false"
    match row.aspect:
        case "minimum" if not excluded:
            return Limits(minimum=number, place=place)
        case "maximum":
            return (
                Limits(under=number, place=place)
                if excluded
                else Limits(maximum=number, place=place)
            )
        case _:
            return Limits(above=number, place=place)
