"""The small language that method bodies, initialisers and annotation values are lowered to.

A body is a list of instructions in evaluation order.  An instruction's *value* is named by its
index; operands are such indices, and ``NONE`` (-1) means "absent".  Control is structured: an ``If``,
``Loop``, ``Switch`` … stands before the code it governs and gives that code as half-open index
ranges, so "what does this branch govern" is a slice.

Positions ``at`` and ``end`` are byte offsets from the first byte of the *member* that holds the body,
so a body is equal to itself after edits elsewhere in the file.  Local variables are numbered slots
of ``Body.locals``.  A name that is no local in scope stays a ``Name``: field, type or package, which
only the join over files (``program``) can tell.

Absent: types (``program``), data flow (``flow``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

NONE = -1
"""The operand that is not there."""


class Local(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A local variable or parameter; ``type`` is its source text, empty when inferred (``var``)."""

    name: str
    type: str
    at: int
    parameter: bool = False


class _Instr(msgspec.Struct, frozen=True, gc=False, array_like=True, tag_field="instr"):
    at: int
    end: int


class Unknown(_Instr, frozen=True, tag=0):
    """Something that could not be lowered, half-typed code above all; ``parts`` were."""

    parts: tuple[int, ...]


class Const(_Instr, frozen=True, tag=1):
    """A literal: ``kind`` is one of ``s i l d b c n`` (string, int, long, floating, boolean, char, null).

    ``value`` is the decoded text: escapes resolved, digits without ``_`` or suffix, in base ten.
    """

    kind: str
    value: str


class Load(_Instr, frozen=True, tag=2):
    """The value of local ``slot`` of the body ``up`` levels further out (0: this one)."""

    slot: int
    up: int


class Name(_Instr, frozen=True, tag=3):
    """A simple name that is no local: a field, a type or a package."""

    name: str


class Field(_Instr, frozen=True, tag=4):
    """``object.name``, where the object may turn out to be a type or package name."""

    object: int
    name: str


class This(_Instr, frozen=True, tag=5):
    """``this``, ``super`` or ``X.this``; ``qualifier`` is the text before the dot or ``super``."""

    qualifier: str


class Call(_Instr, frozen=True, tag=6):
    """A method call; ``name_at`` is where the method's name stands; ``this(…)`` is ``<init>``."""

    object: int
    name: str
    args: tuple[int, ...]
    name_at: int


class New(_Instr, frozen=True, tag=7):
    """``new type(args)``; ``body`` numbers the anonymous classes of the member from 0."""

    type: str
    args: tuple[int, ...]
    body: int
    type_at: int


class NewArray(_Instr, frozen=True, tag=8):
    """An array with given dimensions, or with given elements; also the element list of an annotation."""

    type: str
    dims: tuple[int, ...]
    values: tuple[int, ...]


class Store(_Instr, frozen=True, tag=9):
    """Assignment to a local; ``declares`` marks its declaration; an inner body stores ``up`` levels out."""

    slot: int
    up: int
    value: int
    declares: bool


class StoreField(_Instr, frozen=True, tag=10):
    """Assignment to ``object.name``, or to the simple name when ``object`` is absent."""

    object: int
    name: str
    value: int


class Index(_Instr, frozen=True, tag=11):
    """``array[index]``."""

    array: int
    index: int


class StoreIndex(_Instr, frozen=True, tag=12):
    """``array[index] = value``."""

    array: int
    index: int
    value: int


class Binary(_Instr, frozen=True, tag=13):
    """A binary operator; also the arithmetic inside a compound assignment."""

    op: str
    left: int
    right: int


class Unary(_Instr, frozen=True, tag=14):
    """A prefix operator, or the arithmetic inside ``++`` and ``--``."""

    op: str
    operand: int


class ShortCircuit(_Instr, frozen=True, tag=15):
    """``&&`` or ``||``: the code from ``right_start`` to here runs only for one value of ``left``."""

    op: str
    left: int
    right: int
    right_start: int


class Choice(_Instr, frozen=True, tag=16):
    """``test ? then : other``; the arms are ``[then_start, other_start)`` and ``[other_start, here)``."""

    test: int
    then: int
    other: int
    then_start: int
    other_start: int


class Cast(_Instr, frozen=True, tag=17):
    """``(type) value``."""

    type: str
    value: int


class InstanceOf(_Instr, frozen=True, tag=18):
    """``value instanceof type``; ``slots`` are the locals its pattern binds."""

    value: int
    type: str
    slots: tuple[int, ...]


class Lambda(_Instr, frozen=True, tag=19):
    """A lambda; its body is ``[start, stop)`` and returns by ``Return``."""

    params: tuple[int, ...]
    start: int
    stop: int


class MethodRef(_Instr, frozen=True, tag=20):
    """``object::name`` or ``type::name``; ``type`` is the text when the left side can be a type."""

    object: int
    type: str
    name: str


class ClassLiteral(_Instr, frozen=True, tag=21):
    """``type.class``."""

    type: str


class If(_Instr, frozen=True, tag=22):
    """Arms ``[then_start, else_start)`` and ``[else_start, stop)``; the test stands before."""

    test: int
    then_start: int
    else_start: int
    stop: int


class Loop(_Instr, frozen=True, tag=23):
    """``for``, ``while``, ``do``: test code ``[test_start, body_start)``, body, update, ``stop``.

    A ``do`` loop has its body first: ``kind`` tells (``for``, ``while``, ``do``); then the body is
    ``[body_start, test_start)``.
    """

    kind: str
    test: int
    test_start: int
    body_start: int
    update_start: int
    stop: int


class ForEach(_Instr, frozen=True, tag=24):
    """``for (T slot : iterable)``; the body is ``[start, stop)``."""

    slot: int
    iterable: int
    start: int
    stop: int


class Case(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One label group: constant labels as values, pattern types as text, body ``[start, stop)``."""

    labels: tuple[int, ...]
    types: tuple[str, ...]
    default: bool
    guard: int
    start: int
    stop: int
    arrow: bool


class Switch(_Instr, frozen=True, tag=25):
    """``switch`` as statement or expression; label code lies before it, case code in ``cases``."""

    subject: int
    cases: tuple[Case, ...]
    expression: bool
    stop: int


class Catch(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A ``catch`` clause: bound local, type texts, body ``[start, stop)``."""

    slot: int
    types: tuple[str, ...]
    start: int
    stop: int


class Try(_Instr, frozen=True, tag=26):
    """``try``: resources and body ``[start, body_stop)``, catches, ``finally`` up to ``stop``."""

    start: int
    body_stop: int
    catches: tuple[Catch, ...]
    finally_start: int
    stop: int


class Return(_Instr, frozen=True, tag=27):
    """``return value``; the value of an expression lambda, and ``yield``, too."""

    value: int
    kind: str


class Throw(_Instr, frozen=True, tag=28):
    """``throw value``."""

    value: int


class Jump(_Instr, frozen=True, tag=29):
    """``break`` or ``continue``, with its label or an empty text."""

    kind: str
    label: str


class Sync(_Instr, frozen=True, tag=30):
    """``synchronized (lock)``; the body is ``[start, stop)``."""

    lock: int
    start: int
    stop: int


class Block(_Instr, frozen=True, tag=31):
    """A block that is no arm or body of another instruction, perhaps labelled: ``[here + 1, stop)``."""

    label: str
    stop: int


class Assert(_Instr, frozen=True, tag=32):
    """``assert test : detail``."""

    test: int
    detail: int


class Join(_Instr, frozen=True, tag=33):
    """The value of a ``switch`` expression: whatever its arms yield; ``switch`` is its index."""

    switch: int


class LocalClass(_Instr, frozen=True, tag=34):
    """The place where a local class is declared; ``body`` numbers it among the member's classes."""

    body: int


Instr: TypeAlias = (
    Unknown
    | Const
    | Load
    | Name
    | Field
    | This
    | Call
    | New
    | NewArray
    | Store
    | StoreField
    | Index
    | StoreIndex
    | Binary
    | Unary
    | ShortCircuit
    | Choice
    | Cast
    | InstanceOf
    | Lambda
    | MethodRef
    | ClassLiteral
    | If
    | Loop
    | ForEach
    | Switch
    | Try
    | Return
    | Throw
    | Jump
    | Sync
    | Block
    | Assert
    | Join
    | LocalClass
)


def operands(instr: Instr) -> tuple[int, ...]:
    """Return the indices of the values that an instruction takes; ``NONE`` may be among them."""
    taken = _OPERANDS.get(instr.__class__)
    return () if taken is None else taken(instr)


def _of_switch(instr: Switch) -> tuple[int, ...]:
    labels = tuple(label for case in instr.cases for label in case.labels)
    return (instr.subject, *labels, *(case.guard for case in instr.cases))


def _value(instr: Store | Return | Throw | Cast | InstanceOf) -> tuple[int, ...]:
    return (instr.value,)


def _sides(instr: Binary | ShortCircuit) -> tuple[int, ...]:
    return (instr.left, instr.right)


def _test(instr: If | Loop) -> tuple[int, ...]:
    return (instr.test,)


_OPERANDS: dict[type, Callable[[Any], tuple[int, ...]]] = {
    Unknown: lambda instr: instr.parts,
    Field: lambda instr: (instr.object,),
    Call: lambda instr: (instr.object, *instr.args),
    New: lambda instr: instr.args,
    NewArray: lambda instr: (*instr.dims, *instr.values),
    Store: _value,
    Return: _value,
    Throw: _value,
    Cast: _value,
    InstanceOf: _value,
    StoreField: lambda instr: (instr.object, instr.value),
    Index: lambda instr: (instr.array, instr.index),
    StoreIndex: lambda instr: (instr.array, instr.index, instr.value),
    Binary: _sides,
    ShortCircuit: _sides,
    Unary: lambda instr: (instr.operand,),
    Choice: lambda instr: (instr.test, instr.then, instr.other),
    MethodRef: lambda instr: (instr.object,),
    If: _test,
    Loop: _test,
    ForEach: lambda instr: (instr.iterable,),
    Switch: _of_switch,
    Sync: lambda instr: (instr.lock,),
    Assert: lambda instr: (instr.test, instr.detail),
}
"""How each kind of instruction that takes values gives them; a ``match`` over all kinds takes four times as long."""


class Body(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The code of one member and its local variables; parameters come first."""

    locals: tuple[Local, ...]
    code: tuple[Instr, ...]
