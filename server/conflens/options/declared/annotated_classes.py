"""Annotated classes whose members are options: prefix, naming, nested classes.

A class may carry several rows' annotations, or one row for each key that may hold the prefix; the one
whose prefix is written counts.  Where a row has no naming (Ozone's groups), it only gives the prefix of
members that are options by their own annotation.
Absent: options of single elements (``annotations``).
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.models.schema import AnnotationRow
from conflens.options.annotation_elements import Use, fitting, has_key, metas, stated, texts, uses
from conflens.options.binding.expand import Root, expand, kebab
from conflens.options.binding.members import Members
from conflens.options.constant_arguments import words
from conflens.options.member_types import simple
from conflens.options.sites import Found
from conflens.program.refs import TypeInfo

_ROOT_SUFFIXES = ("configuration", "config", "run-time", "runtime", "build-time", "buildtime")


@attrs.frozen
class Group:
    """A class annotation in use: its row and the prefix of its members, separator included."""

    row: AnnotationRow
    use: Use
    prefix: str


def with_metas(members: Members, found: tuple[Use, ...]) -> list[tuple[Use, Use]]:
    """Return annotations and those behind them, each with the one that stands in the source."""
    pairs = [(use, use) for use in found]
    for use in found:
        pairs.extend((meta, use) for meta in metas(members.program, members.models, use))
    return pairs


def group_of(members: Members, found: tuple[Use, ...], type_: TypeInfo | None) -> Group | None:
    """Return the group that annotations make of an element; ``type_`` is the class, if it is one."""
    groups = []
    for use, _ in with_metas(members, found):
        for row in fitting(members.program, members.models, use):
            if row.role == "class":
                groups.append((has_key(use, row.prefix), row, use))
    if not groups:
        return None
    written, row, use = max(groups, key=lambda item: item[0])
    prefix = ""
    if written:
        places = texts(members.values, use, row.prefix)
        prefix = places[0].text if places else ""
    elif row.root and row.prefix is not None and type_ is not None:
        prefix = _root_name(type_.decl.name)
    prefix = f"{row.root}{prefix}"
    if row.continues and type_ is not None:
        prefix = f"{_outer_prefix(members, type_, row)}{prefix}"
    if prefix and not prefix.endswith(row.separator):
        prefix += row.separator
    return Group(row, use, prefix)


def _root_name(name: str) -> str:
    found = kebab(name)
    changed = True
    while changed:
        changed = False
        for suffix in _ROOT_SUFFIXES:
            if found.endswith(f"-{suffix}"):
                found = found.removesuffix(f"-{suffix}")
                changed = True
    return found


def _outer_prefix(members: Members, type_: TypeInfo, row: AnnotationRow) -> str:
    for name in (type_.outer, *members.program.supertypes(type_.name)):
        info = members.program.type(name) if name else None
        if info is not None:
            found = group_of(members, uses(info.decl.annotations, info.path, info.name), info)
            if found is not None and found.row.domain == row.domain:
                return found.prefix
    return ""


def options_of(members: Members, group: Group, type_: str) -> Iterator[Found]:
    """Yield the options that the members of class ``type_`` are."""
    row = group.row
    if row.naming is None or not row.members:
        return
    info = members.program.type(type_)
    if row.called and not _is_called(members, type_):
        return
    own = uses(info.decl.annotations, info.path, type_) if info is not None else ()
    same = (
        use
        for use in own
        if any(one.type == row.type for one in fitting(members.program, members.models, use))
    )
    said = stated(members.program, members.models, members.values, (group.use, *same))
    yield from expand(
        members,
        Root(
            type=type_,
            prefix=group.prefix,
            domain=row.domain or "",
            api=f"@{simple(row.type)}",
            naming=said.naming or row.naming,
            kinds=frozenset(row.members),
            nodes=False,
            is_read=True,
            loads_are_reads=False,
            apart=row.type if row.apart else "",
        ),
    )


def _is_called(members: Members, name: str) -> bool:
    """Tell whether the last word of a class's name says that it holds configuration (``ProxyOptions``)."""
    last = words(simple(name))[-1:]
    row = members.models.roles_by_word.get(last[0]) if last else None
    return row is not None and row.speaks == "for" and "type" in row.on and not row.weak
