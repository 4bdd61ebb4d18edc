"""The declarations of one Java file: what other files can see of it, and an index of what it uses.

``FileFacts`` is a pure function of the file's bytes.  ``types`` are flattened, outer before inner.
``members`` are flattened too; a member is anything with code: method, constructor, field,
initialiser block, enum constant, record component.  Bodies lie encoded in ``bodies``, one for each
member and in the same order, and are decoded when asked for (``codec.body``).

Type texts are source text without white space, annotations removed: ``Map<String,int[]>``.
Offsets are bytes from the start of the file, except inside bodies (see ``ir``).
Invariant: the *surface* (all but offsets, bodies, uses and documentation) of a file is unchanged
by edits inside bodies; ``surface`` is its digest.
"""

from __future__ import annotations

from enum import IntFlag

import msgspec

FORMAT = 6
"""Version of everything in this package that is stored; raise it with every change of meaning."""


class Modifier(IntFlag):
    """Modifiers that matter to analysis."""

    NONE = 0
    STATIC = 1
    FINAL = 2
    ABSTRACT = 4
    PRIVATE = 8
    PUBLIC = 16
    PROTECTED = 32
    SYNCHRONIZED = 64
    DEFAULT = 128
    VOLATILE = 256
    TRANSIENT = 512
    IMPLIED = 1024
    """No code declares the member: ``program.implied`` adds it; facts never have it."""


STATIC, FINAL = int(Modifier.STATIC), int(Modifier.FINAL)
"""Numbers, for what is asked most: operations on flags take ten times as long."""


class Import(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """``import [static] name[.*]``; ``name`` is without the star."""

    name: str
    static: bool
    on_demand: bool


class Annotation(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An annotation: its name as written, its values as operands into ``code`` (see ``ir``).

    ``at`` and ``end`` count from the start of the file and so do the positions in ``code``.
    """

    name: str
    at: int
    end: int
    keys: tuple[str, ...]
    values: tuple[int, ...]
    code: bytes


class TypeParam(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A type parameter and its first bound (empty: ``Object``)."""

    name: str
    bound: str


class Param(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A formal parameter; a varargs type ends in ``[]``."""

    name: str
    type: str
    annotations: tuple[Annotation, ...] = ()


class Member(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration with code.

    ``kind``: ``method``, ``constructor``, ``field``, ``initializer``, ``enum_constant``,
    ``component``.  ``name`` is ``<init>`` for a constructor and ``<clinit>`` for an initialiser
    block.  ``type`` is the return type or the field's type; an enum constant's is its enum.  A
    field's or component's body ends in a ``StoreField`` of its initial value when it has one; an
    enum constant's ends in a ``New`` of its enum.  ``at`` and ``end`` span the whole declaration,
    ``name_at`` is its name.  ``key`` is stable under edits elsewhere: ``name(parameter types)``
    within its type.
    """

    owner: int
    kind: str
    name: str
    type: str
    params: tuple[Param, ...]
    varargs: bool
    modifiers: int
    type_params: tuple[TypeParam, ...]
    annotations: tuple[Annotation, ...]
    at: int
    end: int
    name_at: int
    key: str
    digest: bytes

    @property
    def name_end(self) -> int:
        """Where its name ends; an implied member stands on the name of another."""
        if self.modifiers & Modifier.IMPLIED:
            return self.end
        return self.name_at + len(self.name.encode())


class TypeDecl(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A class, interface, enum, record or annotation type.

    ``outer`` is the index of the enclosing type (-1 at top level).  A local or anonymous class has
    ``member``, the index of the member it stands in, and ``ordinal``, its number there; an
    anonymous one has no name.  ``supers``: superclass first, then interfaces, as type texts.
    """

    name: str
    kind: str
    outer: int
    member: int
    ordinal: int
    modifiers: int
    type_params: tuple[TypeParam, ...]
    supers: tuple[str, ...]
    permits: tuple[str, ...]
    annotations: tuple[Annotation, ...]
    at: int
    end: int
    name_at: int


class SyntaxProblem(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A place that could not be parsed or was left out; offset in bytes."""

    at: int
    message: str


class FileFacts(msgspec.Struct, frozen=True, array_like=True):
    """Everything known of one Java file.  See the module text.

    ``calls`` maps the name of a called method to the members that call it; ``names`` does the same
    for simple and qualified field names that are read or written and for types that are named in full, and ``hints`` for shapes that
    analyses look for: ``dispatch`` (a value compared with several constants), ``lookup`` (``get``
    and its kin asked for what may be a name), ``variable`` (a text that starts with ``${``).  ``docs`` are the documentation comments, raw and
    cut, of members that can hold an option: fields, enum constants, and methods without
    parameters.  ``starts`` are the byte offsets of the lines; ``ascii`` says whether columns equal
    bytes.
    """

    package: str
    imports: tuple[Import, ...]
    types: tuple[TypeDecl, ...]
    members: tuple[Member, ...]
    bodies: tuple[bytes, ...]
    calls: dict[str, tuple[int, ...]]
    names: dict[str, tuple[int, ...]]
    hints: dict[str, tuple[int, ...]]
    starts: tuple[int, ...]
    length: int
    ascii: bool
    docs: dict[int, str]
    surface: bytes
    problems: tuple[SyntaxProblem, ...]
