"""What a Java type is to a file: one value, a list, a map, or an object with members.

Absent: the members (``members``).
"""

from __future__ import annotations

from conflens.facts.model import Modifier
from conflens.program.program import Program
from conflens.program.types import ARRAY, BOXES, OBJECT, PRIMITIVES, JavaType

_WRAPPERS = frozenset(
    {
        "java.util.Optional",
        "java.util.function.Supplier",
        "javax.inject.Provider",
        "jakarta.inject.Provider",
        "jakarta.enterprise.inject.Instance",
    }
)
_BOXES = frozenset((*BOXES, *BOXES.values()))
_FROM_TEXT = frozenset(
    {
        "java.io.File",
        "java.lang.Class",
        "java.lang.String",
        "java.math.BigDecimal",
        "java.math.BigInteger",
        "java.net.InetAddress",
        "java.net.InetSocketAddress",
        "java.net.URI",
        "java.net.URL",
        "java.nio.charset.Charset",
        "java.nio.file.Path",
        "java.util.Locale",
        "java.util.TimeZone",
        "java.util.UUID",
        "java.util.regex.Pattern",
    }
)
_CONVERTERS = frozenset({"valueOf", "parse", "fromString", "of"})


def accessor_name(method: str, prefixes: tuple[str, ...] = ("get", "is", "set")) -> str:
    """Return the property that an accessor's name means, or the name itself."""
    for prefix in prefixes:
        rest = method[len(prefix) :]
        if method.startswith(prefix) and rest and not rest[0].islower():
            if rest[0].isupper() and rest[1:2].isupper():
                return rest
            return rest[0].lower() + rest[1:]
        if method.startswith(prefix) and prefix != "is" and rest[1:2].isupper():
            return rest  # setxForward: of such a property nothing is changed (JavaBeans 8.8)
    return method


def simple(name: str) -> str:
    """Return the last part of a qualified name."""
    return name.rpartition(".")[2]


def unwrapped(type_: JavaType) -> JavaType:
    """Return what an ``Optional``, ``Supplier`` or ``Provider`` holds."""
    while type_.name in _WRAPPERS and type_.args:
        type_ = type_.args[0]
    return type_


def element_of(program: Program, type_: JavaType) -> tuple[str, JavaType]:
    """Return ``list``, ``map`` or an empty text, and the type of the elements or values."""
    if type_.name == ARRAY:
        return "list", type_.args[0]
    for kind, name in (("map", "java.util.Map"), ("list", "java.util.Collection")):
        if type_.name == name or name in program.supertypes(type_.name):
            return kind, type_.args[-1] if type_.args else OBJECT
    return "", type_


def structured(program: Program, type_: JavaType) -> bool:
    """Tell whether values of a type have members of their own in a file: a project class, no enum.

    A class that can be made from one text is written as that text; one that only its own methods can make, and nothing can set,
    has no members.
    What is generated for all values of a class does not count.
    """
    info = program.type(type_.name)
    if info is None or info.decl.kind not in ("class", "record", "interface"):
        return False
    constructors = [
        member
        for ref in program.own_methods(info.name).get("<init>", ())
        if not (member := program.member(ref)).modifiers & Modifier.IMPLIED
    ]
    if constructors and all(member.modifiers & Modifier.PRIVATE for member in constructors):
        return _has_setters(program, info.name)
    if any(not member.params for member in constructors):
        return True
    if any(
        len(member.params) == 1 and member.params[0].type == "String" for member in constructors
    ):
        return False
    for name in _CONVERTERS:
        for ref in program.own_methods(info.name).get(name, ()):
            member = program.member(ref)
            params = member.params
            if member.modifiers & Modifier.IMPLIED:
                continue
            if program.is_static(ref) and [param.type for param in params] == ["String"]:
                return False
    return True


def _has_setters(program: Program, name: str) -> bool:
    """Tell whether others can set members of a class one by one."""
    return any(
        method.startswith("set")
        and member.type == "void"
        and len(member.params) == 1
        and member.modifiers & Modifier.PUBLIC
        for method, refs in program.own_methods(name).items()
        for member in map(program.member, refs)
    )


def from_text(program: Program, type_: JavaType) -> bool:
    """Tell whether a setter that is given one text can take a value of a type: a single value, or an array of such."""
    if type_.name == ARRAY:
        return from_text(program, type_.args[0])
    if type_.name in PRIMITIVES or type_.name in _BOXES:
        return True
    info = program.type(type_.name)
    if info is not None:
        return info.decl.kind == "enum" or (
            info.decl.kind != "interface" and not structured(program, type_)
        )
    return type_.name in _FROM_TEXT or type_.name.startswith("java.time.")


_SETTING_VALUES = frozenset(
    {
        "java.lang.String",
        "java.lang.Object",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Boolean",
        "java.lang.Double",
        "java.io.Serializable",
    }
)


def holds_settings(type_: JavaType) -> bool:
    """Tell whether a map with these type arguments can hold settings: texts to simple values."""
    key, value = type_.args[0].name, type_.args[1].name
    if key not in ("java.lang.String", "java.lang.Object", "java.lang.CharSequence"):
        return False
    return value in _SETTING_VALUES or len(value) <= 2
