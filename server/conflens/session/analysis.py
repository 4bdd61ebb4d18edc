"""The immutable snapshot that every request is answered from.

A writer builds the next ``Analysis`` and swaps one reference; readers keep the one they took.  An
``Analysis`` with ``complete`` false is published while the first index is still being built: it is
right about what it holds and silent about the rest, so nothing that means "nowhere" may be said
from it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Protocol

import attrs

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.documents import DocumentIndex, DocumentRef
from conflens.flow.results import EMPTY, FlowTable
from conflens.options.model import Option, OptionTable
from conflens.program.program import Program
from conflens.sensitivity.results import EMPTY as NO_VERDICTS
from conflens.sensitivity.results import SensitivityTable


class Texts(Protocol):
    """Where the text of a file comes from: the editor's if open there, else the disk's."""

    def text(self, path: str) -> bytes | None:
        """Return the content of ``path`` as last analysed or read; ``None`` when it is gone."""


@attrs.frozen
class LeftOut:
    """A file that was not analysed, and why (one line)."""

    path: str
    reason: str


@attrs.frozen
class Problem:
    """Something wrong with an input that is not Java: 1-based line and column."""

    path: str
    line: int
    column: int
    code: str
    message: str


@attrs.frozen
class Stats:
    """What an index cost: wall seconds, peak resident memory of all processes in MB."""

    files: int
    lines: int
    seconds: float
    peak_mb: float
    cached_files: int


@attrs.frozen
class Analysis:
    """Everything known at one revision."""

    revision: int
    complete: bool
    program: Program = attrs.field(repr=False)
    options: OptionTable = attrs.field(repr=False)
    documents: DocumentIndex = attrs.field(repr=False)
    left_out: tuple[LeftOut, ...]
    problems: tuple[Problem, ...]
    stats: Stats
    texts: Texts = attrs.field(repr=False)
    open_revisions: Mapping[str, int] = attrs.field(factory=dict)
    """The editor's version of each open document that this analysis has seen."""
    flows: FlowTable = attrs.field(default=EMPTY, repr=False)
    sensitivity: SensitivityTable = attrs.field(default=NO_VERDICTS, repr=False)

    def documented(self, option: Option) -> tuple[DocumentRef, ...]:
        """Return where documents mention ``option``, best first."""
        return self.documents.find(option.name, option.domain)

    def position(self, path: str, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return 0-based (line, column) of a byte offset; (0, 0) for a file that is not known."""
        facts = self.program.files.get(path)
        if facts is None:
            return 0, 0
        starts = facts.starts
        line = max(0, bisect_right(starts, min(offset, facts.length)) - 1)
        if facts.ascii or encoding is Encoding.UTF8:
            return line, max(0, min(offset, facts.length) - starts[line])
        text = self.texts.text(path)
        if text is None or len(text) != facts.length:
            return line, max(0, offset - starts[line])
        return LineIndex(text, list(starts)).position(offset, encoding)

    def offset(self, path: str, line: int, column: int, encoding: Encoding) -> int:
        """Return the byte offset of a 0-based position; 0 for a file that is not known."""
        facts = self.program.files.get(path)
        if facts is None:
            return 0
        text = self.texts.text(path)
        if text is None or len(text) != facts.length:
            if not 0 <= line < len(facts.starts):
                return facts.length
            return min(facts.starts[line] + column, facts.length)
        return LineIndex(text, list(facts.starts)).offset(line, column, encoding)

    def line(self, place: Place) -> int:
        """Return the 1-based line of a place."""
        return self.position(place.path, place.start, Encoding.UTF8)[0] + 1
