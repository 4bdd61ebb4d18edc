"""How one instruction of the program is shown: the place that a person would point at, its source text, its method.

Terms: the *spot* of an instruction is the few characters that a person would point at: the name of
the called method, ``new byte[n]``, the head of a loop.  Index -1 is the member itself, whose spot is its name.
Invariant: an instruction that the published program does not have (its file or member is gone) has
no spot and no text, and what would be shown of it is left out.  Secrets in texts are hidden.
Absent: what a flow does at an instruction (``render.flow_view``).
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Protocol

from conflens.base.secrets import masked, without_secrets
from conflens.base.span import Place
from conflens.base.system import Texts
from conflens.base.words import shorten
from conflens.facts import ir
from conflens.flow.results import Operation, place_of
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_QUOTES = (b'"', b"'")
_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_MAX_HEAD = 2000
_CALLS = (ir.Call, ir.New)
_HEADS = (ir.If, ir.Loop, ir.ForEach, ir.Switch, ir.Try, ir.Sync, ir.Lambda, ir.Block)


class Sources(Protocol):
    """What is asked here; a published ``session.Analysis`` is one."""

    @property
    def program(self) -> Program:
        """The program that instructions are of."""

    @property
    def texts(self) -> Texts:
        """The texts of its files."""

    def literals(self, path: str, at: int) -> Container[str] | None:
        """Return the only literals that excerpts may show of the code at a byte offset, ``None`` where no secret is handled."""

    def handed(self, path: str) -> Sequence[tuple[int, int]]:
        """Return the spans of literals of a file that are handed to what takes a secret, in their order."""


def spot_of(sources: Sources, ref: MemberRef, index: int) -> Place | None:
    """Return the spot of an instruction; see the module text."""
    instruction = _instruction(sources, ref, index)
    if instruction is _GONE:
        return None
    place = place_of(sources.program, ref, index)
    base = sources.program.member(ref).at
    if isinstance(instruction, ir.Call):
        start = base + instruction.name_at
        name = instruction.name if instruction.name != "<init>" else "this"
        return Place(ref.path, start, min(place.end, start + len(name.encode())))
    source = _source(sources, place)
    if source is None:
        return place
    if isinstance(instruction, ir.New):
        parenthesis = source.find(b"(")
        return (
            place if parenthesis < 0 else Place(ref.path, place.start, place.start + parenthesis)
        )
    return Place(ref.path, place.start, place.start + len(_head(source, instruction)))


def text_of(sources: Sources, ref: MemberRef, index: int, limit: int) -> str:
    """Return an instruction as its source shows it, on one line; empty when that is not known."""
    instruction = _instruction(sources, ref, index)
    if instruction is _GONE:
        return ""
    place = place_of(sources.program, ref, index)
    source = _source(sources, place)
    if source is None:
        return ""
    start = place.start
    if isinstance(instruction, ir.Call) and (b"\n" in source or len(source) > limit):
        start = sources.program.member(ref).at + instruction.name_at
        source = source[start - place.start :]
    source = masked(source, start, sources.handed(ref.path)) if b'"' in source else source
    if isinstance(instruction, (ir.If, ir.Loop, ir.ForEach)):
        head = _uncommented(source)
        head = head[: head_length(head)]
    elif isinstance(instruction, _HEADS):
        head = _head(source, instruction)
    else:
        head = _uncommented(source)
        head = head.split(b"{", 1)[0] if isinstance(instruction, ir.New) else head
    only = sources.literals(ref.path, place.start)
    return shorten(without_secrets(head.decode("utf-8", "replace"), only=only), limit)


def operation_text(sources: Sources, operation: Operation, limit: int) -> str:
    """Return an operation as its source shows it, or else its API; arguments that have no room
    become ``…``."""
    ref, index = operation.ref, operation.instr
    text = text_of(sources, ref, index, limit)
    if index < 0:
        return f"{operation.api} {text}".rstrip()
    if text_of(sources, ref, index, _MAX_HEAD) == text:
        return text or operation.api
    spot, start = spot_of(sources, ref, index), place_of(sources.program, ref, index).start
    head = _source(sources, Place(ref.path, start, spot.end)) if spot is not None else None
    is_call = isinstance(_instruction(sources, ref, index), _CALLS)
    if spot is None or head is None or not is_call:
        return text
    only = sources.literals(ref.path, start)
    for at in (start, spot.start):
        callee = masked(head[at - start :], at, sources.handed(ref.path))
        shown = without_secrets(callee.decode("utf-8", "replace"), only=only)
        short = " ".join(shown.split()) + "(…)"
        if len(short) <= limit:
            return short
    return text


def method_of(sources: Sources, ref: MemberRef) -> str:
    """Return ``Type.method`` of a member, ``new Type`` of a constructor."""
    facts = sources.program.files.get(ref.path)
    owner = ref.owner.rsplit(".", 1)[-1]
    if facts is None or ref.number >= len(facts.members):
        return owner
    name = facts.members[ref.number].name
    if name == "<init>":
        return f"new {owner}"
    return owner if name == "<clinit>" else f"{owner}.{name}"


def head_length(source: bytes) -> int:
    """Return where the head of a statement ends: after its first bracketed part, or before its body.

    Brackets in literals do not count.
    """
    depth = 0
    quote = b""
    offset = 0
    while offset < len(source):
        char = source[offset : offset + 1]
        if quote:
            if char == b"\\":
                offset += 1
            elif char == quote:
                quote = b""
        elif char in _QUOTES:
            quote = char
        elif char == b"(":
            depth += 1
        elif char == b")":
            depth -= 1
            if depth == 0:
                return offset + 1
        elif char == b"{" and depth == 0:
            return len(source[:offset].rstrip())
        offset += 1
    return len(source)


class _Gone:
    """Stands for an instruction whose member is not there any more."""


_GONE = _Gone()


def _instruction(sources: Sources, ref: MemberRef, index: int) -> ir.Instr | _Gone | None:
    """The instruction, ``None`` for the member itself."""
    facts = sources.program.files.get(ref.path)
    if facts is None or ref.number >= len(facts.members):
        return _GONE
    if index < 0:
        return None
    code = sources.program.body(ref).code
    return code[index] if index < len(code) else None


def _source(sources: Sources, place: Place) -> bytes | None:
    facts, text = sources.program.files.get(place.path), sources.texts.text(place.path)
    if facts is None or text is None or len(text) != facts.length:
        return None
    return text[place.start : place.end]


def _uncommented(source: bytes) -> bytes:
    """The start of a source text without comments; slashes in a string literal end no text."""
    return _COMMENT.sub(
        lambda match: match[0] if match[0][:1] == b'"' else b" ", source[:_MAX_HEAD]
    )


def _head(source: bytes, instruction: object) -> bytes:
    """The first line; of a statement what stands before its body."""
    head = source.split(b"\n", 1)[0]
    if isinstance(instruction, _HEADS):
        head = head.split(b"{", 1)[0]
        if isinstance(instruction, ir.Sync):
            head = head[: head.find(b")") + 1] or head
    return head.rstrip()
