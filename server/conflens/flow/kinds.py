"""What a Java type of the language's own library says about the values it holds.

The kinds are the words of ``models.words.ValueType``; ``string`` for text and the empty text for
anything else.  These types are known here because they are the language's own vocabulary of values;
what types of other libraries say comes from rows.
"""

from __future__ import annotations

from conflens.program.program import Program
from conflens.program.types import ARRAY, JavaType, unboxed

NUMBERS = frozenset({"integer", "fraction", "time", "size", "port"})

_PRIMITIVES = {
    "boolean": "boolean",
    "byte": "integer",
    "short": "integer",
    "int": "integer",
    "long": "integer",
    "float": "fraction",
    "double": "fraction",
    "char": "string",
}
_CLASSES = {
    "java.lang.String": "string",
    "java.lang.CharSequence": "string",
    "java.lang.Class": "class",
    "java.lang.Number": "integer",
    "java.math.BigInteger": "integer",
    "java.math.BigDecimal": "fraction",
    "java.util.concurrent.atomic.AtomicBoolean": "boolean",
    "java.util.concurrent.atomic.AtomicInteger": "integer",
    "java.util.concurrent.atomic.AtomicLong": "integer",
    "java.util.OptionalInt": "integer",
    "java.util.OptionalLong": "integer",
    "java.util.OptionalDouble": "fraction",
    "java.io.File": "file",
    "java.nio.file.Path": "file",
    "java.net.URI": "uri",
    "java.net.URL": "uri",
    "java.net.InetAddress": "address",
    "java.net.SocketAddress": "address",
    "java.util.regex.Pattern": "regex",
    "java.time.Duration": "time",
    "java.time.Period": "time",
    "java.util.Collection": "list",
    "java.lang.Enum": "mode",
}
_HOLDERS = frozenset(
    {
        "java.util.Optional",
        "java.util.function.Supplier",
        "java.util.concurrent.atomic.AtomicReference",
    }
)


def held(type_: JavaType | None) -> JavaType | None:
    """Return what an Optional-like type holds, any other type unchanged."""
    while type_ is not None and type_.name in _HOLDERS:
        type_ = type_.args[0] if type_.args else None
    return type_


def kind_of(program: Program, type_: JavaType | None) -> str:
    """Return the kind of the values of a type."""
    type_ = held(type_)
    if type_ is None:
        return ""
    primitive = unboxed(type_)
    if primitive:
        return _PRIMITIVES.get(primitive, "")
    if type_.name == ARRAY:
        element = unboxed(type_.args[0])
        return "string" if element in ("char", "byte") else "list"
    for name in (type_.name, *program.supertypes(type_.name)):
        found = _CLASSES.get(name)
        if found is not None:
            return found
        library = program.library.get(name)
        if library is not None and library.kind:
            return library.kind
    return ""


def enum_constants(program: Program, type_: JavaType | None) -> tuple[str, ...]:
    """Return the constants of an enum type in order of declaration; none for any other type."""
    type_ = held(type_)
    if type_ is None:
        return ()
    info = program.type(type_.name)
    if info is not None:
        if info.decl.kind != "enum":
            return ()
        return tuple(
            name
            for name, ref in program.own_fields(type_.name).items()
            if program.member(ref).kind == "enum_constant"
        )
    jdk = program.jdk_type(type_.name)
    if jdk is None or jdk.kind != "enum":
        return ()
    return tuple(field.name for field in jdk.fields.values() if field.enum_constant)
