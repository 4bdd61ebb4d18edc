"""Which options are deprecated, and what there is to say of it.

An option is deprecated where every constant that holds its name, every member that is bound to it and every definition
of it is, by ``@Deprecated``, by a ``@deprecated`` tag, or by the definition itself; or where a call says that its name is
superseded (``DeprecationRow``).  A constant whose comment sends the reader to another constant with the same name has
only moved.

Absent: what documents say of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from conflens.facts import ir
from conflens.facts.javadoc import javadoc_description
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, DeprecationRow
from conflens.options.constant_arguments import is_one_of, receiver_is
from conflens.options.sites import Found, Hint
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values

PLAIN = "deprecated"
_TAG = re.compile(r"@deprecated\b([^@{]*+(?:\{@[^{}]*+\}[^@{]*+)*+)")
_LINK = re.compile(r"\{@(?:link|linkplain|value)\s+([\w.]*)#(\w+)[^{}]*\}|@see\s+([\w.]*)#(\w+)")
_MARGIN = re.compile(r"^[ \t]*+\*++", re.M)
_DEPRECATED = "java.lang.Deprecated"
_LIMIT = 4_000


def of_member(program: Program, values: Values, ref: MemberRef, name: str) -> str:
    """Return what there is to say of a member that stands for the option ``name``; empty if it is not deprecated."""
    comment = _comment(program, ref)
    tag = _TAG.search(_MARGIN.sub("", comment)) if "@deprecated" in comment else None
    if tag is None and not _annotated(program, ref):
        return ""
    for owner, constant in _links(comment):
        target = _constant(program, values, ref, owner, constant)
        if target == name:
            return ""
        if target:
            return f"use {target}"
    text = tag[1].strip() if tag is not None else ""
    said = javadoc_description(f"/** {text} */") if text else ""
    said = said[:1].lower() + said[1:] if said.startswith(("Use ", "Replaced ")) else said
    return said.rstrip(".") or PLAIN


def may_be(program: Program, ref: MemberRef) -> bool:
    """Tell whether there may be anything to say of a member, under whatever name."""
    return "@deprecated" in _comment(program, ref) or _annotated(program, ref)


def _comment(program: Program, ref: MemberRef) -> str:
    return program.files[ref.path].docs.get(ref.number, "")[:_LIMIT].removesuffix("*/")


def _annotated(program: Program, ref: MemberRef) -> bool:
    return any(
        annotation.name in ("Deprecated", _DEPRECATED)
        for annotation in program.member(ref).annotations
    )


def _links(comment: str) -> list[tuple[str, str]]:
    return [(one or three, two or four) for one, two, three, four in _LINK.findall(comment)]


def _constant(
    program: Program, values: Values, ref: MemberRef, owner: str, name: str
) -> str | None:
    type_ = ref.owner
    if owner:
        resolved = program.resolve_name(owner, ref.path, ref.owner)
        if resolved is None:
            return None
        type_ = resolved.name
    field = program.field(type_, name)
    if field is None or not program.is_constant(field):
        return None
    return known_text(values.static_field(field))


def apis(models: Models) -> frozenset[str]:
    """Return how the declarations of ``deltas`` name their API."""
    return frozenset(_api(row) for row in models.deprecations)


def _api(row: DeprecationRow) -> str:
    simple = row.type.rpartition(".")[2]
    return simple if row.method == CONSTRUCTOR else f"{simple}.{row.method}"


def deltas(program: Program, models: Models, values: Values) -> tuple[Found, ...]:
    """Return the names that calls declare to be superseded, as declarations, sorted by place."""
    result: dict[tuple[str, str], Found] = {}
    for row in models.deprecations:
        simple = row.type.rpartition(".")[2]
        created = row.method == CONSTRUCTOR
        users = program.mentions(simple) if created else program.users(row.method)
        for ref in sorted(set(users)):
            context = Context.of(program, ref)
            for index, call in context.calls():
                if isinstance(call, ir.New) != created or len(call.args) < row.min_args:
                    continue
                if isinstance(call, ir.New):
                    made = context.type_of(index)
                    if made is None or not is_one_of(program, made.name, (row.type,)):
                        continue
                elif call.name != row.method or not receiver_is(context, index, call, (row.type,)):
                    continue
                old = known_text(values.of(context, call.args[row.old]))
                if not old or "*" in old or not old.strip("."):
                    continue
                said = PLAIN
                if row.new is not None and row.new < len(call.args):
                    new = call.args[row.new]
                    listed = isinstance(context.code[new], ir.NewArray)
                    texts = [
                        text
                        for template in (
                            values.elements(context, new) if listed else values.of(context, new)
                        )
                        if (text := known_text((template,)))
                    ]
                    if old in texts:
                        continue  # the same name, written in two ways
                    said = f"use {', '.join(texts)}" if texts else PLAIN
                named = context.code[call.args[row.old]]
                base = context.member.at
                found = Found(
                    row.domain,
                    old,
                    "definition",
                    ref.path,
                    base + named.at,
                    base + named.end,
                    base + call.at,
                    base + call.end,
                    simple,
                    _api(row),
                    hint=Hint(deprecated=said),
                )
                result.setdefault((row.domain, old), found)
    return tuple(sorted(result.values(), key=lambda item: (item.path, item.at)))


def combined(said: Mapping[object, str], superseded: str) -> str:
    """Return what holds of an option; ``said`` by constant, member or definition."""
    if superseded:
        return superseded
    if not said or not all(said.values()):
        return ""
    return next((text for text in said.values() if text != PLAIN), PLAIN)
