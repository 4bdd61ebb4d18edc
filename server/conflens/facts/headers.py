"""The parts of declarations that have no code of their own: modifiers, annotations, type lists, parameters.

``Headers`` is the base of the file's lowering; it holds the source and collects problems.
"""

from __future__ import annotations

from conflens.facts import kinds, statements
from conflens.facts.bodies import BodyLowerer
from conflens.facts.codec import encode_code
from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, Modifier, Param, SyntaxProblem, TypeParam
from conflens.facts.text import type_text
from conflens.syntax.java import Node

_MAX_PROBLEMS = 100
_MODIFIERS = {
    "static": Modifier.STATIC,
    "final": Modifier.FINAL,
    "abstract": Modifier.ABSTRACT,
    "private": Modifier.PRIVATE,
    "public": Modifier.PUBLIC,
    "protected": Modifier.PROTECTED,
    "synchronized": Modifier.SYNCHRONIZED,
    "default": Modifier.DEFAULT,
    "volatile": Modifier.VOLATILE,
    "transient": Modifier.TRANSIENT,
}
_TYPE_PARAMETER = kinds.kinds("type_parameter")
_TYPE_BOUND = kinds.kinds("type_bound")
_TYPE_LIST = kinds.kinds("type_list")
_PAIR = kinds.kinds("element_value_pair")


class Headers:
    """Lowers headers of one file's declarations."""

    def __init__(self, source: bytes) -> None:
        """Lower parts of ``source``."""
        self.source = source
        self.problems: list[SyntaxProblem] = []

    def problem(self, at: int, message: str) -> None:
        """Note something that was left out (``Collector``)."""
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(SyntaxProblem(at, message))

    def nested(self, node: Node, outer: BodyLowerer | None, ordinal: int) -> None:
        """Lower a class that stands in code (``Collector``)."""
        raise TypeError("annotation values hold no classes")

    def text(self, node: Node) -> str:
        """Return the source text of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def type_list(self, node: Node) -> list[str]:
        """Return the type texts below ``extends``, ``implements`` or ``permits``."""
        found = []
        for child in node.named_children:
            if child.kind_id in _TYPE_LIST:
                found.extend(self.type_list(child))
            elif child.kind_id in kinds.TYPES:
                found.append(type_text(self.text(child)))
        return found

    def type_params(self, node: Node | None) -> tuple[TypeParam, ...]:
        """Return the type parameters a node declares."""
        if node is None:
            return ()
        found = []
        for child in node.named_children:
            if child.kind_id not in _TYPE_PARAMETER:
                continue
            name = bound = ""
            for part in child.named_children:
                if part.kind_id in _TYPE_BOUND:
                    first = part.named_children[0] if part.named_children else None
                    bound = type_text(self.text(first)) if first is not None else ""
                elif part.kind_id not in kinds.ANNOTATIONS:
                    name = self.text(part)
            found.append(TypeParam(name, bound))
        return tuple(found)

    def modifiers(self, node: Node) -> tuple[Modifier, tuple[Annotation, ...]]:
        """Return modifiers and annotations of a declaration."""
        children = node.children
        flags = Modifier.NONE
        annotations: list[Annotation] = []
        for child in children[:2]:
            if child.kind_id in kinds.MODIFIERS:
                for part in child.children:
                    if part.kind_id in kinds.ANNOTATIONS:
                        annotations.append(self.annotation(part))
                    else:
                        flags |= _MODIFIERS.get(part.type, Modifier.NONE)
                break
        return flags, tuple(annotations)

    def annotation(self, node: Node) -> Annotation:
        """Lower an annotation with its values."""
        name_node = node.child_by_field_id(kinds.NAME)
        name = type_text(self.text(name_node)) if name_node is not None else ""
        arguments = node.child_by_field_id(kinds.ARGUMENTS)
        at, end = node.start_byte, node.end_byte
        if arguments is None or not arguments.named_children:
            return Annotation(name, at, end, (), (), b"")
        lowerer = statements.lowerer(self, at, None, NONE)
        keys: list[str] = []
        values: list[int] = []
        for child in arguments.named_children:
            if child.kind_id in _PAIR:
                key = child.child_by_field_id(kinds.KEY)
                value = child.child_by_field_id(kinds.VALUE)
                if key is not None and value is not None:
                    keys.append(self.text(key))
                    values.append(lowerer.expr(value))
            elif child.kind_id not in kinds.COMMENTS:
                keys.append("value")
                values.append(lowerer.expr(child))
        return Annotation(
            name, at, end, tuple(keys), tuple(values), encode_code(tuple(lowerer.code))
        )

    def params(self, node: Node | None, lowerer: BodyLowerer) -> tuple[tuple[Param, ...], bool]:
        """Declare parameters in a body; return them, and whether the last stands for a variable number."""
        if node is None:
            return (), False
        found: list[Param] = []
        varargs = False
        for child in node.named_children:
            if child.kind_id not in kinds.FORMAL_PARAMETERS:
                continue
            name_node = child.child_by_field_id(kinds.NAME)
            type_node = child.child_by_field_id(kinds.TYPE)
            suffix = ""
            if child.kind_id in kinds.SPREAD:
                varargs = True
                suffix = "[]"
                for part in child.named_children:
                    if part.kind_id in kinds.TYPES:
                        type_node = part
                    elif part.kind_id in kinds.DECLARATOR_KIND:
                        name_node = part.child_by_field_id(kinds.NAME)
            dimensions = child.child_by_field_id(kinds.DIMENSIONS)
            if dimensions is not None:
                suffix += "[]" * self.text(dimensions).count("[")
            type_ = type_text(self.text(type_node)) + suffix if type_node is not None else ""
            name = self.text(name_node) if name_node is not None else ""
            _, annotations = self.modifiers(child)
            at = (name_node or child).start_byte
            lowerer.declare(name, type_, at, True)
            found.append(Param(name, type_, annotations))
        return tuple(found), varargs

    def name_text(self, node: Node) -> str:
        """Return the name that a package declaration or an import holds."""
        for child in reversed(node.named_children):
            if child.type in ("identifier", "scoped_identifier"):
                return self.text(child)
        return ""
