"""Java types as values, and the parser from type texts.

A ``JavaType`` is a qualified name and type arguments.  An array is ``[]`` of its element, a
primitive its keyword, a wildcard its bound.  A name that could not be resolved is kept as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import NamedTuple

ARRAY = "[]"
PRIMITIVES = frozenset(
    {"boolean", "byte", "short", "char", "int", "long", "float", "double", "void"}
)
BOXES = {
    "java.lang.Boolean": "boolean",
    "java.lang.Byte": "byte",
    "java.lang.Short": "short",
    "java.lang.Character": "char",
    "java.lang.Integer": "int",
    "java.lang.Long": "long",
    "java.lang.Float": "float",
    "java.lang.Double": "double",
}
_RANK = {"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6}


_RELOCATED = re.compile(
    r"\.(?:shade|shaded|shadow|relocated|repackaged|thirdparty|third_party|jarjar)\.(?:\w{1,40}\.){0,2}?"
    r"((?:com|org|io|net|edu|javax|jakarta|de|cn)\.[\w.]+)\Z"
)
"""How build tools call the classes of a library that they put into another artifact, under a name of its own."""


def unshaded(name: str, own: Container[str]) -> str:
    """Return the name of a library's class as the library calls it; ``own`` are the project's classes."""
    found = _RELOCATED.search(name) if name not in own else None
    return found[1] if found is not None else name


class JavaType(NamedTuple):
    """A type: qualified ``name`` and ``args``."""

    name: str
    args: tuple[JavaType, ...] = ()

    def text(self) -> str:
        """Return the type in source form, qualified."""
        if self.name == ARRAY:
            return f"{self.args[0].text()}[]"
        if not self.args:
            return self.name
        return f"{self.name}<{','.join(arg.text() for arg in self.args)}>"


STRING = JavaType("java.lang.String")
OBJECT = JavaType("java.lang.Object")
BOOLEAN = JavaType("boolean")
INT = JavaType("int")
LITERALS = {
    "s": STRING,
    "i": INT,
    "l": JavaType("long"),
    "d": JavaType("double"),
    "b": BOOLEAN,
    "c": JavaType("char"),
}


_MARKS = re.compile(r"[<>,\[\]&?]")
MAX_NESTING = 255
"""Brackets in a type text: an array has at most 255 dimensions (JVMS 4.3.2)."""


def unboxed(type_: JavaType | None) -> str:
    """Return the primitive behind a primitive or box, else an empty text."""
    if type_ is None:
        return ""
    if type_.name in PRIMITIVES:
        return type_.name
    return BOXES.get(type_.name, "")


def promoted(left: JavaType | None, right: JavaType | None) -> JavaType | None:
    """Return the type of arithmetic on two operands (JLS 5.6)."""
    one, two = _RANK.get(unboxed(left), 0), _RANK.get(unboxed(right), 0)
    if not one or not two:
        return None
    rank = max(one, two, 3)
    return JavaType(next(name for name, value in _RANK.items() if value == rank))


def parse(text: str, resolve: Callable[[str], JavaType]) -> JavaType:
    """Parse a type text (white space removed); ``resolve`` maps a written name to a type.

    Total: what is malformed gives the name up to the malformation, and what is nested deeper than
    ``MAX_NESTING`` its name alone.
    """
    if not _MARKS.search(text):
        return resolve(text)
    if text.count("<") > MAX_NESTING or text.count("[") > MAX_NESTING:
        return resolve(text[: min(text.find(mark) % (len(text) + 1) for mark in "<[")])
    type_, _ = _parse(text, 0, resolve)
    return type_


def _parse(text: str, at: int, resolve: Callable[[str], JavaType]) -> tuple[JavaType, int]:
    if text.startswith("?", at):
        at += 1
        for word in (" extends ", " super "):
            if text.startswith(word, at):
                return _parse(text, at + len(word), resolve)
        return OBJECT, at
    start = at
    while at < len(text) and text[at] not in "<>,[]&":
        at += 1
    base = resolve(text[start:at])
    name = text[start:at]
    while text.startswith("<", at):
        args: list[JavaType] = []
        at += 1
        while at < len(text) and text[at] != ">":
            arg, after = _parse(text, at, resolve)
            args.append(arg)
            at = after if after > at else at + 1
            if text.startswith(",", at):
                at += 1
        at += 1
        base = JavaType(base.name, tuple(args))
        if text.startswith(".", at):
            start = at
            while at < len(text) and text[at] not in "<>,[]&":
                at += 1
            name += text[start:at]
            base = resolve(name)
    while text.startswith("[", at):
        at += 2
        base = JavaType(ARRAY, (base,))
    while text.startswith("&", at):
        _, at = _parse(text, at + 1, resolve)
    return base, at


def without_arguments(text: str) -> str:
    """Return a type text without its type arguments: ``Map.Entry[]`` for ``Map<K,V>.Entry<K>[]``."""
    if "<" not in text:
        return text
    kept, opened = [], 0
    for char in text:
        opened += char == "<"
        if not opened:
            kept.append(char)
        opened -= char == ">"
    return "".join(kept)


def substitute(type_: JavaType, bound: Mapping[str, JavaType]) -> JavaType:
    """Replace type variables by what they are bound to."""
    if not bound:
        return type_
    if type_.name in bound and not type_.args:
        return bound[type_.name]
    if not type_.args:
        return type_
    return JavaType(type_.name, tuple(substitute(arg, bound) for arg in type_.args))
