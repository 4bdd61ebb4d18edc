"""Steps of flows for a person: where each stands, and its source text on one line.

Terms: a *spot* is what is shown of an instruction.  Of a statement with a body that is its head
(``for (int i = 0; i < n; i++)``), of an anonymous class what stands before its body, of a bare name the
line around it, and of a call whose receiver began on a line further up the part from its name on.
Invariants: a spot is worked out once for each instruction, a text is read once for each file; a file
whose text is no longer the one that was analysed has spots without text.
Absent: the formats that show steps (``contract``, ``chains``, ``sarif``).
"""

from __future__ import annotations

from typing import NamedTuple

from conflens.base.secrets import masked, without_secrets
from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.base.words import shorten
from conflens.facts import ir
from conflens.flow.instructions import head_length
from conflens.flow.results import Step, StepRole
from conflens.options.assembly import method_name
from conflens.options.secret_values import hidden_defaults, plain_names
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

MAX_TEXT = 120
"""Characters of a step's text."""

_LOOKED_AT = 2_000
"""Bytes of an instruction that are looked at for its text."""

_LEAVES = (ir.Load, ir.Name, ir.This, ir.Const)
_HEADED = (ir.If, ir.Loop, ir.ForEach, ir.Switch, ir.Sync)


class Spot(NamedTuple):
    """Line and column count from 1, columns in code points; ``start`` and ``end`` are bytes."""

    path: str
    line: int
    column: int
    text: str
    start: int
    end: int


class Steps:
    """Shows the instructions of one analysis; see the module text."""

    def __init__(self, analysis: Analysis) -> None:
        """Nothing is read before a step is asked for."""
        self._analysis = analysis
        self._program = analysis.program
        self._lines: dict[str, LineIndex | None] = {}
        self._spots: dict[tuple[MemberRef, int], Spot] = {}
        self._methods: dict[MemberRef, str] = {}
        self._hidden = hidden_defaults(analysis.options.options)
        self._secrets = plain_names(analysis.options.options)

    @property
    def program(self) -> Program:
        """The program whose instructions are shown."""
        return self._program

    def spot(self, ref: MemberRef, index: int) -> Spot:
        """Return what to show of an instruction, or of a member for index -1."""
        key = ref, index
        spot = self._spots.get(key)
        if spot is None:
            spot = self._spots[key] = self._spot(ref, index)
        return spot

    def placed(self, place: Place) -> Spot:
        """Return what to show of a place in a file of the program: the line around it."""
        return self._placed(place.path, self._index(place.path), place.start, place.end, None)

    def method(self, ref: MemberRef) -> str:
        """Return ``Type.method`` of a member."""
        name = self._methods.get(ref)
        if name is None:
            name = self._methods[ref] = method_name(self._program, ref.path, ref.number)
        return name

    def region(self, spot: Spot) -> tuple[int, int, int, int]:
        """Return 1-based start line and column, end line and column of a spot, in UTF-16 units."""
        lines = self._index(spot.path)
        if lines is None:
            return spot.line, spot.column, spot.line, spot.column
        first, start = lines.position(spot.start, Encoding.UTF16)
        last, end = lines.position(spot.end, Encoding.UTF16)
        return first + 1, start + 1, last + 1, end + 1

    def _index(self, path: str) -> LineIndex | None:
        """Return the lines of a file, ``None`` when its text is not the one that was analysed."""
        if path not in self._lines:
            text, facts = self._analysis.texts.text(path), self._program.files[path]
            same = text is not None and len(text) == facts.length
            self._lines[path] = LineIndex(text, list(facts.starts)) if text and same else None
        return self._lines[path]

    def _spot(self, ref: MemberRef, index: int) -> Spot:
        member = self._program.member(ref)
        code = self._program.body(ref).code if index >= 0 else ()
        lines = self._index(ref.path)
        if not 0 <= index < len(code):
            start, end = member.name_at, member.name_end
            if member.kind in ("constructor", "initializer"):
                end = start
            return self._placed(ref.path, lines, start, end, None)
        instr = code[index]
        start, end = member.at + instr.at, member.at + instr.end
        if lines is None:
            return self._placed(ref.path, None, start, end, "")
        source = lines.text[start : min(end, start + _LOOKED_AT)]
        if isinstance(instr, _LEAVES):
            return self._placed(ref.path, lines, start, end, None)
        if isinstance(instr, ir.Call):
            name = instr.name_at - instr.at
            if 0 < name < len(source) and b"\n" in source[:name]:
                return self._placed(ref.path, lines, start + name, end, None, source[name:])
        elif isinstance(instr, ir.Loop) and instr.kind == "do" and instr.test >= 0:
            test = code[instr.test]
            start, end = member.at + test.at, member.at + test.end
            source = lines.text[start : min(end, start + _LOOKED_AT)]
            words = self._excerpt(ref.path, start, source, start)
            return self._placed(ref.path, lines, start, end, f"do … while ({words})")
        elif isinstance(instr, (ir.Try, ir.Lambda, ir.Block)):
            source = source.split(b"\n", 1)[0].rstrip(b" {\r")
        elif isinstance(instr, _HEADED) or (isinstance(instr, ir.New) and instr.body >= 0):
            source = source[: head_length(source)]
        end = min(end, start + len(source)) if len(source) < _LOOKED_AT else end
        return self._placed(ref.path, lines, start, end, None, source)

    def _placed(
        self,
        path: str,
        lines: LineIndex | None,
        start: int,
        end: int,
        text: str | None,
        source: bytes | None = None,
    ) -> Spot:
        """Make a spot of bytes; its text is ``text``, else ``source``, else the line around it."""
        if lines is None:
            line, column = self._analysis.position(path, start, Encoding.UTF32)
            return Spot(path, line + 1, column + 1, text or "", start, end)
        line, column = lines.position(start, Encoding.UTF32)
        if text is None:
            at = start
            if source is None:
                source, at = lines.line_bytes(line), lines.starts[line]
                if len(source) > _LOOKED_AT:  # generated code on one line
                    source, at = lines.text[start:end], start
                at += len(source) - len(source.lstrip())
                source = source.strip().rstrip(b"{").rstrip()
            text = self._excerpt(path, start, source, at)
        return Spot(path, line + 1, column + 1, shorten(text, MAX_TEXT), start, end)

    def _excerpt(self, path: str, instruction: int, source: bytes, at: int) -> str:
        """Show the text at an offset, which has an instruction in it."""
        if b'"' in source:
            source = masked(source, at, self._analysis.handed(path))
        only = self._analysis.literals(path, instruction)
        return without_secrets(_one_line(source), self._hidden, self._secrets, only)


def role(step: Step) -> str:
    """Return the role of a step as the contract names it."""
    return "guard" if step.role is StepRole.CALL else step.role.value


def visible(text: str) -> str:
    """Return text in which what a terminal would obey, or cannot show, is a replacement mark."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _one_line(source: bytes) -> str:
    return visible(" ".join(source.decode("utf-8", "replace").split()))
