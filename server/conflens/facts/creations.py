"""Lowering of expressions that make something: objects, arrays, lambdas, literals.

``HANDLERS`` is their part of the table of expressions; ``statements`` registers it.
"""

from __future__ import annotations

from collections.abc import Callable

from conflens.facts import ir, kinds
from conflens.facts.bodies import EXPRESSION_KINDS, BodyLowerer
from conflens.facts.ir import NONE
from conflens.facts.text import char_value, floating_value, integer_value, string_value, type_text
from conflens.syntax.java import Node

_LITERALS = {
    "decimal_integer_literal": "i",
    "hex_integer_literal": "i",
    "octal_integer_literal": "i",
    "binary_integer_literal": "i",
    "decimal_floating_point_literal": "d",
    "hex_floating_point_literal": "d",
    "true": "b",
    "false": "b",
    "character_literal": "c",
    "string_literal": "s",
    "null_literal": "n",
}
_DIMENSIONS = kinds.kinds("dimensions")
_NAMES = kinds.IDENTIFIER | kinds.FIELD_ACCESS


def new(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``new T(…) { … }``."""
    type_node = node.child_by_field_id(kinds.TYPE)
    args = lowerer.arguments(node.child_by_field_id(kinds.ARGUMENTS))
    children = node.children
    ordinal = NONE
    if children and children[0].kind_id in EXPRESSION_KINDS:
        lowerer.expr(children[0])
    if children and children[-1].kind_id in kinds.CLASS_BODY:
        ordinal = lowerer.classes
        lowerer.classes += 1
        lowerer.collector.nested(node, lowerer, ordinal)
    type_ = lowerer.type_of(type_node)
    lowerer.calls.add("<init>")
    lowerer.names.add(type_.partition("<")[0].rpartition(".")[2])
    return lowerer.emit(
        ir.New(
            node.start_byte - lowerer.base,
            node.end_byte - lowerer.base,
            type_,
            args,
            ordinal,
            (type_node or node).start_byte - lowerer.base,
        )
    )


def new_array(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``new T[n]…`` and ``new T[] {…}``."""
    dims = []
    rank = 0
    values: tuple[int, ...] = ()
    for child in node.children:
        if child.kind_id in kinds.DIMENSIONS_EXPR:
            dims.append(lowerer.expr(child.named_children[-1]) if child.named_children else NONE)
            rank += 1
        elif child.kind_id in _DIMENSIONS:
            rank += lowerer.text(child).count("[")
        elif child.kind_id in kinds.ARRAY_INITIALIZER:
            values = lowerer.arguments(child)
    element = lowerer.type_of(node.child_by_field_id(kinds.TYPE))
    return lowerer.emit(
        ir.NewArray(
            node.start_byte - lowerer.base,
            node.end_byte - lowerer.base,
            element + "[]" * rank,
            tuple(dims),
            values,
        )
    )


def array_initializer(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``{a, b}``; also an annotation's list."""
    values = lowerer.arguments(node)
    at, end = node.start_byte - lowerer.base, node.end_byte - lowerer.base
    return lowerer.emit(ir.NewArray(at, end, "", (), values))


def lambda_(lowerer: BodyLowerer, node: Node) -> int:
    """Lower a lambda; parameters shadow nothing, but their names end with it."""
    outside = len(lowerer.declared)
    slots = []
    parameters = node.child_by_field_id(kinds.PARAMETERS)
    if parameters is not None:
        if parameters.kind_id in kinds.IDENTIFIER:
            slots.append(
                lowerer.declare(lowerer.text(parameters), "", parameters.start_byte, True)
            )
        for child in parameters.named_children:
            if child.kind_id in kinds.IDENTIFIER:
                slots.append(lowerer.declare(lowerer.text(child), "", child.start_byte, True))
            elif child.kind_id in kinds.FORMAL_PARAMETERS:
                name = child.child_by_field_id(kinds.NAME) or child
                type_ = lowerer.type_of(child.child_by_field_id(kinds.TYPE))
                slots.append(lowerer.declare(lowerer.text(name), type_, name.start_byte, True))
    start = len(lowerer.code)
    body = node.child_by_field_id(kinds.BODY)
    if body is not None:
        if body.kind_id in kinds.BLOCK:
            lowerer.block(body)
        else:
            value = lowerer.expr(body)
            lowerer.emit(
                ir.Return(
                    body.start_byte - lowerer.base, body.end_byte - lowerer.base, value, "lambda"
                )
            )
    lowerer.leave(outside)
    stop = len(lowerer.code)
    return lowerer.emit(
        ir.Lambda(
            node.start_byte - lowerer.base, node.end_byte - lowerer.base, tuple(slots), start, stop
        )
    )


def method_ref(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``x::m``."""
    children = [child for child in node.children if child.kind_id not in kinds.COMMENTS]
    left = children[0]
    name = "<init>" if children[-1].type == "new" else lowerer.text(children[-1])
    is_type = left.kind_id in kinds.TYPES
    value = NONE if is_type else lowerer.expr(left)
    type_ = type_text(lowerer.text(left)) if is_type or left.kind_id in _NAMES else ""
    lowerer.calls.add(name)
    at, end = node.start_byte - lowerer.base, node.end_byte - lowerer.base
    return lowerer.emit(ir.MethodRef(at, end, value, type_, name))


def class_literal(lowerer: BodyLowerer, node: Node) -> int:
    """Lower ``T.class``."""
    named = node.named_children
    type_ = type_text(lowerer.text(named[0])) if named else ""
    at, end = node.start_byte - lowerer.base, node.end_byte - lowerer.base
    return lowerer.emit(ir.ClassLiteral(at, end, type_))


def literal(lowerer: BodyLowerer, node: Node) -> int:
    """Lower any literal."""
    text = lowerer.text(node)
    at, end = node.start_byte - lowerer.base, node.end_byte - lowerer.base
    kind = _LITERALS.get(node.type, "")
    if kind == "s":
        value = string_value(text)
    elif kind == "i":
        kind, value = integer_value(text)
    elif kind == "d":
        value = floating_value(text)
    elif kind == "c":
        value = char_value(text)
    else:
        value = text
    return lowerer.emit(ir.Const(at, end, kind, value))


HANDLERS: dict[str, Callable[[BodyLowerer, Node], int]] = {
    "object_creation_expression": new,
    "array_creation_expression": new_array,
    "array_initializer": array_initializer,
    "element_value_array_initializer": array_initializer,
    "lambda_expression": lambda_,
    "method_reference": method_ref,
    "class_literal": class_literal,
    **dict.fromkeys(_LITERALS, literal),
}
