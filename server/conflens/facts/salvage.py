"""What can be kept of declarations inside a syntax error.

Where braces do not balance, as while typing or in a file cut short, the parser gives the flat pieces of
a type: header tokens, whole members, and the header and statements of the member that is broken.
They are put together again: the type keeps its members, the broken method its parameters and
statements.  What stands outside of any method is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import attrs

from conflens.facts import kinds
from conflens.facts.bodies import BodyLowerer
from conflens.facts.ir import NONE
from conflens.syntax.java import Node

_TYPE_WORDS = frozenset({"class", "interface", "enum", "record", "@interface"})
_PARAMETERS = kinds.kinds("formal_parameters")
_TOP = kinds.kinds("package_declaration", "import_declaration")
_MAX_NESTING = 40


@attrs.frozen
class BrokenMethod:
    """A method whose end is missing: add statements to ``lowerer``, then ``close`` it."""

    lowerer: BodyLowerer
    close: Callable[[], None]


class Declarations(Protocol):
    """What the lowering of a file offers."""

    def text(self, node: Node) -> str:
        """Return the source text of a node."""

    def top(self, node: Node) -> None:
        """Lower what stands outside of types: package, import, a whole type."""

    def declaration(
        self, node: Node, owner: int, outer: BodyLowerer | None, doc: Node | None
    ) -> bool:
        """Lower a whole member."""

    def broken_type(self, name_node: Node, kind: str, nodes: list[Node], owner: int) -> int:
        """Declare a type of which only the header stands."""

    def broken_method(
        self, name_node: Node, type_node: Node | None, params: Node, owner: int
    ) -> BrokenMethod:
        """Open a method of which only the header stands."""


class Salvage:
    """Walks the pieces of one error; ``owners`` are the open types with the depth of their braces."""

    def __init__(self, file: Declarations) -> None:
        """Salvage into ``file``."""
        self.file = file
        self.owners: list[tuple[int, int]] = []
        self.method: BrokenMethod | None = None
        self.method_depth = 0
        self.depth = 0
        self.outer: BodyLowerer | None = None

    def run(self, nodes: list[Node], owner: int, outer: BodyLowerer | None = None) -> None:
        """Keep what ``nodes`` hold, inside type ``owner`` if that is given."""
        if owner != NONE:
            self.owners.append((owner, -1))
        self.outer = outer
        self._pieces(nodes, 0)
        self._close()

    def _close(self) -> None:
        if self.method is not None:
            self.method.close()
            self.method = None

    def _pieces(self, nodes: list[Node], nesting: int) -> None:
        doc: Node | None = None
        for number, node in enumerate(nodes):
            kind = node.type
            if node.kind_id in kinds.BLOCK_COMMENT:
                doc = node
                continue
            if kind == "{":
                self.depth += 1
            elif kind == "}":
                self._shut()
            elif node.is_error:
                if nesting < _MAX_NESTING:
                    self._pieces(node.children, nesting + 1)
            elif node.kind_id in _TOP:
                self.file.top(node)
            elif kind in _TYPE_WORDS:
                self._type(nodes, number)
            elif node.kind_id in _PARAMETERS:
                self._method(nodes, number)
            elif node.is_named:
                self._whole(node, doc)
            doc = None

    def _shut(self) -> None:
        self.depth -= 1
        if self.method is not None and self.depth <= self.method_depth:
            self._close()
        if self.owners and self.depth <= self.owners[-1][1]:
            self.owners.pop()

    def _type(self, nodes: list[Node], number: int) -> None:
        name = nodes[number + 1] if number + 1 < len(nodes) else None
        if name is None or name.kind_id not in kinds.IDENTIFIER:
            return
        self._close()
        rest: list[Node] = []
        for node in nodes[number + 2 :]:
            if node.type == "{":
                break
            rest.append(node)
        owner = self.owners[-1][0] if self.owners else NONE
        kind = nodes[number].type.replace("@interface", "annotation")
        self.owners.append((self.file.broken_type(name, kind, rest, owner), self.depth))

    def _method(self, nodes: list[Node], number: int) -> None:
        name = nodes[number - 1] if number else None
        if name is None or name.kind_id not in kinds.IDENTIFIER or not self.owners:
            return
        type_node = nodes[number - 2] if number > 1 else None
        if type_node is not None and type_node.kind_id not in kinds.TYPES:
            type_node = None
        self._close()
        owner = self.owners[-1][0]
        self.method = self.file.broken_method(name, type_node, nodes[number], owner)
        self.method_depth = self.depth

    def _whole(self, node: Node, doc: Node | None) -> None:
        member = node.kind_id in _MEMBERS
        if not self.owners:
            if node.kind_id in kinds.TYPE_DECLARATIONS:
                self.file.top(node)
            return
        if self.method is not None and not member:
            if node.kind_id not in kinds.TYPES and node.kind_id not in kinds.MODIFIERS:
                self.method.lowerer.statement(node)
            return
        if member:
            self._close()
            self.file.declaration(node, self.owners[-1][0], self.outer, doc)


_MEMBERS = kinds.TYPE_DECLARATIONS | kinds.kinds(
    "field_declaration",
    "constant_declaration",
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
    "annotation_type_element_declaration",
    "static_initializer",
    "enum_constant",
)
