"""Which bound classes are only parts of others, and what a class holds.

Absent: the properties of a class (``members``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from conflens.options.binding.members import Members
from conflens.options.member_types import element_of, unwrapped
from conflens.program.types import JavaType


class _Root(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def prefix(self) -> str: ...


R = TypeVar("R", bound=_Root)


def outermost(members: Members, bindings: Iterable[R], kinds: frozenset[str]) -> list[R]:
    """Return the roots that are not only the type of a property inside another."""
    all_ = list(bindings)
    inner: dict[str, set[str]] = {}
    for binding in all_:
        if binding.type not in inner:
            inner[binding.type] = inside(members, binding.type, kinds)
    return [
        binding
        for binding in all_
        if binding.prefix.strip("*.")
        or not any(
            binding.type in held and other != binding.type and other not in inner[binding.type]
            for other, held in inner.items()
        )
    ]


def inside(members: Members, root: str, kinds: frozenset[str]) -> set[str]:
    """Return the classes of the project that the properties of one have, and theirs."""
    found: set[str] = set()
    queue = [root]
    while queue:
        for item in members.of(queue.pop(), kinds):
            for type_ in _parts(members, item.type):
                if type_ != root and type_ not in found:
                    found.add(type_)
                    queue.append(type_)
    return found


def _parts(members: Members, type_: JavaType) -> Iterator[str]:
    _, element = element_of(members.program, unwrapped(type_))
    for name in members.variants(unwrapped(element).name).classes:
        info = members.program.type(name)
        if info is not None and info.decl.kind in ("class", "record"):
            yield name
