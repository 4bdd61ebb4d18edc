"""Node kinds and fields of the Java grammar as numbers, and tables from number to handler."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from conflens.syntax.java import field_id, kind_ids

H = TypeVar("H")


def table(handlers: Mapping[str, H], default: H) -> list[H]:
    """Return a list from kind id to handler; ``KeyError`` names a kind the grammar does not have.

    It covers all 16 bits: the id of an error node is the largest.
    """
    result = [default] * (1 << 16)
    for name, handler in handlers.items():
        for index in kind_ids(name):
            result[index] = handler
    return result


def kinds(*names: str) -> frozenset[int]:
    """Return the ids of some node kinds."""
    return frozenset(index for name in names for index in kind_ids(name))


NAME = field_id("name")
OBJECT = field_id("object")
ARGUMENTS = field_id("arguments")
TYPE = field_id("type")
VALUE = field_id("value")
BODY = field_id("body")
LEFT = field_id("left")
RIGHT = field_id("right")
OPERATOR = field_id("operator")
OPERAND = field_id("operand")
CONDITION = field_id("condition")
CONSEQUENCE = field_id("consequence")
ALTERNATIVE = field_id("alternative")
DECLARATOR = field_id("declarator")
DIMENSIONS = field_id("dimensions")
PARAMETERS = field_id("parameters")
FIELD = field_id("field")
ARRAY = field_id("array")
INDEX = field_id("index")
INIT = field_id("init")
UPDATE = field_id("update")
RESOURCES = field_id("resources")
PATTERN = field_id("pattern")
CONSTRUCTOR = field_id("constructor")
KEY = field_id("key")
ELEMENT = field_id("element")
TYPE_PARAMETERS = field_id("type_parameters")

COMMENTS = kinds("line_comment", "block_comment")
BLOCK_COMMENT = kinds("block_comment")
TYPES = kinds(
    "type_identifier",
    "scoped_type_identifier",
    "generic_type",
    "array_type",
    "integral_type",
    "floating_point_type",
    "boolean_type",
    "void_type",
    "annotated_type",
)
TYPE_DECLARATIONS = kinds(
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
)
IDENTIFIER = kinds("identifier")
INVOCATION = kinds("method_invocation")
FIELD_ACCESS = kinds("field_access")
BINARY = kinds("binary_expression")
THIS = kinds("this")
SUPER = kinds("super")
STRING = kinds("string_literal")
CLASS_BODY = kinds("class_body")
MODIFIERS = kinds("modifiers")
ANNOTATIONS = kinds("annotation", "marker_annotation")
BLOCK = kinds("block", "constructor_body")
ARRAY_INITIALIZER = kinds("array_initializer", "element_value_array_initializer")
DIMENSIONS_EXPR = kinds("dimensions_expr")
FORMAL_PARAMETERS = kinds("formal_parameter", "spread_parameter")
SPREAD = kinds("spread_parameter")
DECLARATOR_KIND = kinds("variable_declarator")
SWITCH_RULE = kinds("switch_rule")
SWITCH_GROUP = kinds("switch_block_statement_group")
SWITCH_LABEL = kinds("switch_label")
PATTERN_KIND = kinds("pattern", "type_pattern", "record_pattern")
RECORD_PATTERN = kinds("record_pattern")
RECORD_BODY = kinds("record_pattern_body")
GUARD = kinds("guard")
CATCH = kinds("catch_clause")
FINALLY = kinds("finally_clause")
RESOURCE = kinds("resource")
