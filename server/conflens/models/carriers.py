"""Shapes of the rows of what carries the texts of files: variables that hold a file, and calls that ask the node of a tree.

Absent: calls that read an option of such a tree by its name (``schema.ReadRow``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

import attrs

Gives = Literal["name", "text", "node", "child", "item"]


@attrs.frozen(kw_only=True)
class FileRow:
    """A variable of this type holds a file, or what is read from one: it may be called configuration."""

    type: str
    provenance: str


@attrs.frozen(kw_only=True)
class NodeRow:
    """A call that asks the node of a tree, a parser that stands at one, or an event of such a parser.

    ``gives``: the ``name`` of the node, its ``text``, the ``node`` itself or its name as an object, its first ``child``, or the
    next ``item`` of a list of nodes.  A call is recognised by the name of its method, unless the
    type of its receiver is one of the project.
    """

    type: str
    method: str
    gives: Gives
    provenance: str


def methods_of(rows: Iterable[NodeRow]) -> Mapping[str, frozenset[str]]:
    """Return the methods of nodes by what they give."""
    found = {gives: set[str]() for gives in get_args(Gives)}
    for row in rows:
        found[row.gives].add(row.method)
    return MappingProxyType({gives: frozenset(methods) for gives, methods in found.items()})
