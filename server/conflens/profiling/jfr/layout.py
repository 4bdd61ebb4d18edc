"""How the events and constants of one chunk lie in its bytes, as its own metadata say.

Terms
    type       a class of the metadata, by its number: its name and fields.
    operation  one step of reading a value: an integer, some bytes, a text, an array.  Structures that lie in a field
               are written out in place, under the path ``field.inner``.
    ticks      the unit of a chunk's times; the chunk's header says how many make a second.

Invariants: the order of fields is never assumed.  What is built is bounded: ``ELEMENTS``, ``OPERATIONS``,
``NESTED``; a type that holds itself is an error, not a loop.

Absent: which events matter (``jfr_rows``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import attrs

from conflens.profiling.jfr.byte_reader import VARINT, Broken, Short, fixed, integer, text, varint

ELEMENTS = 200_000
OPERATIONS = 2_000
NESTED = 16
_LARGEST_NUMBER = 1 << 63
"""Behind the largest number of a type, which is a signed integer of 64 bits."""

_INTEGERS = {"long": 8, "int": 4, "short": 2, "char": 2}
_BYTES = {"boolean": 1, "byte": 1, "float": 4, "double": 8}
STRING = "java.lang.String"
_TIMESPAN = "jdk.jfr.Timespan"
_NANOSECONDS = {
    "NANOSECONDS": 1,
    "MICROSECONDS": 1_000,
    "MILLISECONDS": 1_000_000,
    "SECONDS": 1_000_000_000,
}
TICKS = -1
"""As the unit of a field: ticks."""


@attrs.frozen
class Field:
    """A field of a type; ``unit`` is that of a duration: nanoseconds, ``TICKS``, or 0 for what is none."""

    name: str
    type: int
    pooled: bool
    array: bool
    unit: int


@attrs.frozen
class Type:
    """A class of the metadata."""

    number: int
    name: str
    fields: tuple[Field, ...]


class Form(IntEnum):
    """What an operation reads."""

    INTEGER = 0
    BYTES = 1
    TEXT = 2
    ARRAY = 3


@attrs.frozen
class Operation:
    """One step of reading; ``size`` in bytes where integers are plain; ``type`` of a reference or of bytes."""

    path: str
    form: Form
    size: int
    type: int
    unit: int
    pooled: bool
    inner: tuple[Operation, ...] = ()


@attrs.frozen(eq=False)
class Layout:
    """The types of one chunk."""

    types: Mapping[int, Type] = attrs.field(repr=False)
    compressed: bool
    _operations: dict[int, tuple[Operation, ...]] = attrs.field(
        factory=dict, init=False, repr=False
    )

    def named(self, name: str) -> Type | None:
        """Return the type of a name; of several the last, which is what the virtual machine writes."""
        found = [type_ for type_ in self.types.values() if type_.name == name]
        return found[-1] if found else None

    def name(self, number: int) -> str:
        """Return the name of a type, empty if there is none."""
        found = self.types.get(number)
        return found.name if found else ""

    def operations(self, type_: Type) -> tuple[Operation, ...]:
        """Return how a value of a type is read; worked out once.  Raises Broken."""
        known = self._operations.get(type_.number)
        if known is not None:
            return known
        found = tuple(self._written(type_, "", 0, [0]))
        if len({operation.path for operation in found}) < len(found):
            raise Broken(f"the type {type_.name} has two fields of one name")
        self._operations[type_.number] = found
        return found

    def _written(self, type_: Type, path: str, depth: int, count: list[int]) -> list[Operation]:
        if depth > NESTED:
            raise Broken(f"the type {type_.name} holds itself")
        found: list[Operation] = []
        for field in type_.fields:
            count[0] += 1
            if count[0] > OPERATIONS:
                raise Broken(f"the type {type_.name} has more than {OPERATIONS:,} fields")
            one = self._one(field, "" if field.array else path + field.name, depth, count)
            if field.array:
                found.append(
                    Operation(path + field.name, Form.ARRAY, 4, field.type, 0, False, tuple(one))
                )
            else:
                found += one
        return found

    def _one(self, field: Field, path: str, depth: int, count: list[int]) -> list[Operation]:
        if field.pooled:
            return [Operation(path, Form.INTEGER, 8, field.type, 0, True)]
        type_ = self.types.get(field.type)
        if type_ is None:
            raise Broken(f"the field {field.name} has an unknown type")
        if type_.name == STRING:
            return [Operation(path, Form.TEXT, 0, field.type, 0, False)]
        if type_.name in _INTEGERS:
            size = _INTEGERS[type_.name]
            return [Operation(path, Form.INTEGER, size, field.type, field.unit, False)]
        if type_.name in _BYTES:
            return [Operation(path, Form.BYTES, _BYTES[type_.name], field.type, 0, False)]
        return self._written(type_, path and path + ".", depth + 1, count)

    def pattern(self, operations: Sequence[Operation], groups: Sequence[str] = ()) -> bytes | None:
        """Return a pattern of values with a group for each path of ``groups``, in the order in which they lie;
        ``None`` if there are texts or arrays among them."""
        parts: list[bytes] = []
        for operation in operations:
            match operation.form:
                case Form.INTEGER:
                    part = VARINT if self.compressed else fixed(operation.size)
                case Form.BYTES:
                    part = fixed(operation.size)
                case Form.TEXT | Form.ARRAY:
                    return None
            parts.append(b"(" + part + b")" if operation.path in groups else part)
        return b"".join(parts)


def read_value(
    data: bytes, at: int, operations: Sequence[Operation], compressed: bool
) -> tuple[dict[str, Any], int]:
    """Return the values of a structure by path, and the place behind it.

    Integers are unsigned; bytes are bytes; a text in the pool is its number; arrays are stepped over.
    Raises Short and Broken.
    """
    found: dict[str, Any] = {}
    for operation in operations:
        if operation.form is Form.INTEGER:
            found[operation.path], at = integer(data, at, operation.size, compressed)
        elif operation.form is Form.TEXT:
            found[operation.path], at = text(data, at, compressed)
        elif operation.form is Form.BYTES:
            end = at + operation.size
            if end > len(data):
                raise Short
            found[operation.path] = data[at:end]
            at = end
        else:
            count, at = integer(data, at, 4, compressed)
            if not operation.inner:
                continue
            for _ in range(count):
                _, at = read_value(data, at, operation.inner, compressed)
    return found, at


@attrs.define
class _Element:
    name: str
    attributes: dict[str, str]
    children: list[_Element]


def read_layout(data: bytes, at: int, compressed: bool) -> Layout:
    """Return the types that a metadata event says; ``at`` is behind its size and number.  Raises Short and Broken."""
    for _ in range(3):
        _, at = integer(data, at, 8, compressed)
    count, at = integer(data, at, 4, compressed)
    if count > len(data) - at:
        raise Broken(f"{count:,} texts in the metadata")
    texts: list[str] = []
    for _ in range(count):
        value, at = text(data, at, compressed)
        texts.append(str(value))
    return Layout(_types(_elements(data, at, texts, compressed)), compressed)


def _elements(data: bytes, at: int, texts: list[str], compressed: bool) -> list[_Element]:
    """Return all elements, each below its parent; iterative, for a tree of any depth."""

    def word(at: int) -> tuple[str, int]:
        number, at = integer(data, at, 4, compressed)
        if number >= len(texts):
            raise Broken("the metadata name a text that there is not")
        return texts[number], at

    found: list[_Element] = []
    root = _Element("", {}, [])
    open_: list[tuple[_Element, int]] = [(root, 1)]
    while open_:
        parent, left = open_.pop()
        if left == 0:
            continue
        open_.append((parent, left - 1))
        name, at = word(at)
        attributes: dict[str, str] = {}
        count, at = integer(data, at, 4, compressed)
        if count > len(data) - at:
            raise Broken("the metadata end in the middle")
        for _ in range(count):
            key, at = word(at)
            attributes[key], at = word(at)
        children, at = integer(data, at, 4, compressed)
        if children > len(data) - at or len(found) > ELEMENTS:
            raise Broken(f"more than {ELEMENTS:,} elements in the metadata")
        element = _Element(name, attributes, [])
        parent.children.append(element)
        found.append(element)
        open_.append((element, children))
    return found


def _types(elements: list[_Element]) -> dict[int, Type]:
    classes = [element for element in elements if element.name == "class"]
    names = {
        _number(element.attributes.get("id")): element.attributes.get("name", "")
        for element in classes
    }
    for number in names:
        if not -_LARGEST_NUMBER <= number < _LARGEST_NUMBER:
            raise Broken(f"the metadata number a type {number}, which 64 bits cannot hold")
    return {
        number: Type(
            number,
            names[number],
            tuple(_field(child, names) for child in element.children if child.name == "field"),
        )
        for element in classes
        for number in (_number(element.attributes.get("id")),)
    }


def _field(element: _Element, names: Mapping[int, str]) -> Field:
    unit = 0
    for child in element.children:
        attributes = child.attributes
        if child.name == "annotation" and names.get(_number(attributes.get("class"))) == _TIMESPAN:
            written = attributes.get("value", "NANOSECONDS")
            unit = TICKS if written == "TICKS" else _NANOSECONDS.get(written, 0)
    attributes = element.attributes
    return Field(
        attributes.get("name", ""),
        _number(attributes.get("class")),
        attributes.get("constantPool") == "true",
        attributes.get("dimension", "0") not in ("", "0"),
        unit,
    )


def _number(written: str | None) -> int:
    try:
        return int((written or "-1")[:20])
    except ValueError:
        return -1


def event_start(data: bytes, at: int, compressed: bool) -> tuple[int, int, int]:
    """Return the size of an event, the number of its type, and the place of its first field.  Raises Short."""
    size, at = integer(data, at, 4, compressed)
    if compressed:
        number, at = varint(data, at)
    else:
        number, at = integer(data, at, 8, compressed)
    return size, number, at
