"""Signatures of the JDK's types: the stored table, its reader and its writer.

Purpose: answer what a JDK type declares (supertypes, fields, methods) without a JDK at hand. The
table ``grammars/jdk/signatures.bin`` is generated from a real JDK by ``grammars/jdk/generate.py``.

Terms
    source form     a type as Java source writes it, with qualified names, nested types with ``.``
                    and no blanks but after ``extends`` and ``super``: ``int``,
                    ``java.lang.String[]``, ``java.util.Map.Entry<K,? super V>``. A type variable
                    is its bare name.
    hidden type     a type that programs cannot name but inherit members from, such as
                    ``java.lang.AbstractStringBuilder``.
    row             one stored type; a package's rows are one compressed blob.

File layout, integers big-endian: magic, format version (2 bytes), length of the index (4 bytes),
the index (zlib over MessagePack: the JDK's version, and per package its blob's offset from the end
of the index, the blob's length, and the names of its accessible top-level types), then the blobs
(zlib over a MessagePack map from the name inside the package to a row). Rows are the structs below.

Invariants: opening reads the index only; a package is unpacked at its first use and a row decoded
at its own. The caches only ever gain equal values, and the first one stored is the one returned,
so a table may be shared between threads without a lock. Only public and protected members of
public and protected types are kept, in the order of the class file for fields and for the
overloads of one method, by name for methods and types. The same types give the same bytes.

Absent: member lookup through supertypes, substitution of type arguments, overload resolution (the
program layer joins those with the project's own types), thrown types, parameter names, and
annotations. An interface lists only its superinterfaces, although its values have the members of
``java.lang.Object`` as well.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import Literal

import msgspec

from conflens.models.resources import grammar_file

FORMAT = 1
"""Version of the file's layout and of the structs below; a reader accepts only its own."""

CONSTRUCTOR = "<init>"
"""The name constructors are kept under in ``JdkType.methods``."""

_MAGIC = b"conflens-jdk\n"
_HEADER = struct.Struct(f">{len(_MAGIC)}sHI")
_PACKAGED = "jdk/signatures.bin"

Kind = Literal["class", "interface", "enum", "annotation", "record"]
Constant = bool | int | float | str


class JdkTableError(ValueError):
    """The signature table cannot be used; the message says what is wrong with it."""


class JdkTypeParam(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A type variable and its first bound in source form (``java.lang.Object`` if it has none)."""

    name: str
    bound: str


class JdkField(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A field; ``type`` is in source form.

    ``constant`` is the value of a compile-time constant, else None: a str for a String, a bool for
    a boolean, a float for a float or double, an int for the rest. A char is its UTF-16 code unit
    as an int, since a lone surrogate is no text.
    """

    name: str
    type: str
    static: bool
    enum_constant: bool
    constant: Constant | None


class JdkMethod(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A method or constructor; parameters and result are in source form.

    ``returns`` of a constructor is ``void``. A varargs method ends in an array type. ``default``
    marks an instance method of an interface that has a body.
    """

    name: str
    params: tuple[str, ...]
    returns: str
    static: bool
    varargs: bool
    abstract: bool
    default: bool
    type_params: tuple[JdkTypeParam, ...]


class JdkType(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One type's own declarations.

    ``name`` is qualified, nested types with ``.``. ``supers`` are in source form, the superclass
    first. ``nested`` are the simple names of accessible member types. ``methods`` has the
    overloads of each name, constructors under CONSTRUCTOR. Callers must not change the dicts.
    """

    kind: Kind
    name: str
    package: str
    params: tuple[JdkTypeParam, ...]
    supers: tuple[str, ...]
    fields: dict[str, JdkField]
    methods: dict[str, tuple[JdkMethod, ...]]
    nested: tuple[str, ...]
    hidden: bool


class _Package(msgspec.Struct, frozen=True, gc=False, array_like=True):
    offset: int
    length: int
    top_level: frozenset[str]


class _Index(msgspec.Struct, frozen=True, gc=False, array_like=True):
    jdk: str
    packages: dict[str, _Package]


_INDEX = msgspec.msgpack.Decoder(_Index)
_ROWS = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_MOST_ABSENT = 100_000
_ROW = msgspec.msgpack.Decoder(JdkType)


class JdkTable:
    """The types of one JDK, read on demand. Made by ``load`` or ``packaged``."""

    __slots__ = ("_absent", "_blobs", "_index", "_rows", "_types")

    def __init__(self, index: _Index, blobs: memoryview) -> None:
        self._index = index
        self._blobs = blobs
        self._rows: dict[str, dict[str, msgspec.Raw]] = {}
        self._types: dict[str, JdkType] = {}
        self._absent: set[str] = set()

    @property
    def jdk(self) -> str:
        """The version of the JDK the table was made from, such as ``21.0.2``."""
        return self._index.jdk

    @property
    def packages(self) -> frozenset[str]:
        """The names of all packages."""
        return frozenset(self._index.packages)

    def has_package(self, name: str) -> bool:
        """Whether the JDK exports a package of this name; ``java`` alone is none."""
        return name in self._index.packages

    def top_level(self, package: str) -> frozenset[str]:
        """Simple names of a package's accessible top-level types; empty for other packages."""
        entry = self._index.packages.get(package)
        return entry.top_level if entry is not None else frozenset()

    def type(self, name: str) -> JdkType | None:
        """The type of this qualified name (no type arguments, nested types with ``.``).

        None if the table has no such type. Raises JdkTableError if its package is damaged.
        """
        known = self._types.get(name)
        if known is not None or name in self._absent:
            return known
        package, _, inside = name.rpartition(".")
        while package and package not in self._index.packages:
            package, _, outer = package.rpartition(".")
            inside = f"{outer}.{inside}"
        if not package:
            self._note_absent(name)
            return None
        rows = self._rows.get(package)
        if rows is None:
            rows = self._rows.setdefault(package, self._unpack(package))
        row = rows.get(inside)
        if row is None:
            self._note_absent(name)
            return None
        try:
            decoded = _ROW.decode(row)
        except msgspec.MsgspecError as error:
            raise JdkTableError(f"JDK signature table: type {name} is damaged: {error}") from error
        return self._types.setdefault(name, decoded)

    def _note_absent(self, name: str) -> None:
        """Note that the table has no such type, for as many names as a large program asks about."""
        if len(self._absent) < _MOST_ABSENT:
            self._absent.add(name)

    def _unpack(self, package: str) -> dict[str, msgspec.Raw]:
        entry = self._index.packages[package]
        try:
            blob = zlib.decompress(self._blobs[entry.offset : entry.offset + entry.length])
            return _ROWS.decode(blob)
        except (zlib.error, msgspec.MsgspecError) as error:
            raise JdkTableError(
                f"JDK signature table: package {package} is damaged: {error}"
            ) from error


def packaged() -> JdkTable:
    """The table that comes with ConfLens. Reads the file anew at each call.

    Raises FileNotFoundError if it is missing and JdkTableError if it cannot be used.
    """
    return load(grammar_file(_PACKAGED))


def load(data: bytes) -> JdkTable:
    """The table stored in these bytes, which it keeps. Raises JdkTableError if they are none."""
    if len(data) < _HEADER.size:
        raise JdkTableError(f"JDK signature table: only {len(data)} bytes, no header")
    magic, version, length = _HEADER.unpack_from(data)
    if magic != _MAGIC:
        raise JdkTableError("JDK signature table: not a signature table (wrong first bytes)")
    if version != FORMAT:
        raise JdkTableError(f"JDK signature table: format {version}, but this is for {FORMAT}")
    blobs = memoryview(data)[_HEADER.size :]
    try:
        index = _INDEX.decode(zlib.decompress(blobs[:length]))
    except (zlib.error, msgspec.MsgspecError) as error:
        raise JdkTableError(f"JDK signature table: the index is damaged: {error}") from error
    expected = sum(package.length for package in index.packages.values())
    found = len(blobs) - length
    if found != expected:
        raise JdkTableError(f"JDK signature table: {found} bytes of types, expected {expected}")
    return JdkTable(index, blobs[length:])


def pack(jdk: str, types: Iterable[JdkType]) -> bytes:
    """The stored table of these types, in any order; ``jdk`` is the version they are from.

    Raises JdkTableError if two types have one name.
    """
    rows: dict[str, dict[str, JdkType]] = {}
    for type_ in sorted(types, key=lambda type_: type_.name):
        package = rows.setdefault(type_.package, {})
        inside = type_.name.removeprefix(type_.package + ".")
        if inside in package:
            raise JdkTableError(f"JDK signature table: two types named {type_.name}")
        package[inside] = type_
    entries: dict[str, tuple[int, int, list[str]]] = {}
    blobs: list[bytes] = []
    offset = 0
    for name in sorted(rows):
        blob = _compressed(rows[name])
        top_level = [
            key for key, type_ in rows[name].items() if "." not in key and not type_.hidden
        ]
        entries[name] = (offset, len(blob), top_level)
        blobs.append(blob)
        offset += len(blob)
    index = _compressed((jdk, entries))
    return b"".join((_HEADER.pack(_MAGIC, FORMAT, len(index)), index, *blobs))


def _compressed(value: object) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(value), 9)
