"""The immutable snapshot that every request is answered from.

A writer builds the next ``Analysis`` and swaps one reference; readers keep the one they took.  An
``Analysis`` with ``complete`` false is published while the first index is still being built: it is
right about what it holds and silent about the rest, so nothing that means "nowhere" may be said
from it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Container, Iterable, Mapping, Sequence

import attrs

from conflens.base.digest import content_hash
from conflens.base.span import Place
from conflens.base.system import Texts
from conflens.base.text import Encoding, LineIndex
from conflens.checking.recognition import Recognised
from conflens.checking.suppression import NO_POLICY, Policy
from conflens.documents import DocumentIndex, DocumentRef
from conflens.documents.configfiles.model import ConfigFile
from conflens.documents.configfiles.parsing import decoded
from conflens.flow.results import EMPTY, FlowTable
from conflens.options.learned.learner import Learned
from conflens.options.model import Option, OptionTable
from conflens.options.secret_arguments import SecretArguments, Takers
from conflens.options.secret_bodies import SecretBodies
from conflens.program.program import Program
from conflens.properties.properties import NO_PROPERTIES, PropertyTable
from conflens.sensitivity.results import EMPTY as NO_VERDICTS
from conflens.sensitivity.results import SensitivityTable


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


def _nothing_recognised() -> Recognised:
    return Recognised.of({}, OptionTable.of([], []))


@attrs.frozen
class Unread:
    """What is known by its path alone."""

    sources: frozenset[str] = frozenset()
    """Sources in other languages of the JVM."""
    tests: frozenset[str] = frozenset()
    """Tests in those languages, and config files of tests."""


NOTHING_UNREAD = Unread()


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
    config_files: Mapping[str, ConfigFile] = attrs.field(factory=dict, repr=False)
    """What may be config files, by path; parsed when looked at."""
    recognised: Recognised = attrs.field(factory=_nothing_recognised, repr=False)
    policy: Policy = attrs.field(default=NO_POLICY, repr=False)
    """Which findings the project does not want, and how loud the others are."""
    unread: Unread = attrs.field(default=NOTHING_UNREAD, repr=False)
    learned: tuple[Learned, ...] = ()
    """Methods of unknown libraries that were found to read options by the names they are given."""
    contents: Mapping[str, bytes] = attrs.field(factory=dict, repr=False)
    """The hash of each Java file that was analysed."""
    takers: Takers = attrs.field(factory=Takers, repr=False, eq=False)
    """What takes secrets; kept from one analysis to the next."""
    properties: PropertyTable = attrs.field(default=NO_PROPERTIES, repr=False, eq=False)
    """What changing an option does, worked out at the first look."""
    _last_lines: list[tuple[str, LineIndex]] = attrs.field(
        factory=list, init=False, repr=False, eq=False
    )
    """The line table of the document that was asked about last: questions about one file come together."""
    _secrets: list[SecretBodies] = attrs.field(factory=list, init=False, repr=False, eq=False)
    _handed: list[SecretArguments] = attrs.field(factory=list, init=False, repr=False, eq=False)

    def is_news(self, before: Analysis) -> bool:
        """Tell whether this says anything else than ``before``.

        Tables that did not change are the same objects; what is made anew each time is compared by value.
        """
        tables = zip(self._tables(), before._tables(), strict=True)
        return self._values() != before._values() or any(new is not old for new, old in tables)

    def _tables(self) -> tuple[object, ...]:
        return (
            self.program,
            self.options,
            self.flows,
            self.sensitivity,
            self.documents,
            self.config_files,
            self.recognised,
            self.policy,
        )

    def _values(self) -> tuple[object, ...]:
        said = self.complete, self.left_out, self.problems, self.open_revisions
        return *said, self.unread, self.contents

    def literals(self, path: str, at: int) -> Container[str] | None:
        """Return the only literals that excerpts may show of the code at a byte offset, ``None`` where no secret is handled."""
        if not self._secrets:
            self._secrets.append(SecretBodies(self.program, self.options, self.flows))
        return self._secrets[0].literals(path, at)

    def handed(self, path: str) -> Sequence[tuple[int, int]]:
        """Return the spans of literals of a Java file that are handed to what takes a secret, in their order."""
        if not self._handed:
            self._handed.append(SecretArguments(self.program, self.options, self.takers))
        return self._handed[0].of(path)

    def documented(self, option: Option) -> tuple[DocumentRef, ...]:
        """Return where documents mention ``option``, best first."""
        found = self.documents.find(option.name, option.domain)
        for domain, name in option.aliases:
            found = found or self.documents.find(name, domain)
        return found

    @property
    def unread_sources(self) -> Collection[str]:
        """The sources in other languages of the JVM, which are known by their paths alone."""
        return self.unread.sources

    def may_declare(self, name: str) -> bool:
        """Tell whether a source that was not read may declare a class: one in another language, in which a file need not be
        called like its class, or one that is left out."""
        parts = name.split(".")
        package = "/".join(parts[:-1])
        for path in self.unread.sources:
            folder, _, file = path.rpartition("/")
            if f"/{folder}".endswith(f"/{package}") or file.rpartition(".")[0] in parts:
                return True
        java = f"/{package}/{parts[-1]}.java"
        return any(f"/{item.path}".endswith(java) for item in self.left_out)

    def position(self, path: str, offset: int, encoding: Encoding) -> tuple[int, int]:
        """Return 0-based (line, column) of a byte offset; (0, 0) for a file that is not known."""
        facts = self.program.files.get(path)
        if facts is None:
            lines = self.lines(path)
            return (0, 0) if lines is None else lines.position(offset, encoding)
        starts = facts.starts
        line = max(0, bisect_right(starts, min(offset, facts.length)) - 1)
        if facts.ascii or encoding is Encoding.UTF8:
            return line, max(0, min(offset, facts.length) - starts[line])
        text = self.texts.text(path)
        if text is None or len(text) != facts.length:
            return line, max(0, offset - starts[line])
        return self._java_lines(path, text, starts).position(offset, encoding)

    def offset(self, path: str, line: int, column: int, encoding: Encoding) -> int:
        """Return the byte offset of a 0-based position; 0 for a file that is not known."""
        facts = self.program.files.get(path)
        if facts is None:
            lines = self.lines(path)
            return 0 if lines is None else lines.offset(line, column, encoding)
        text = self.texts.text(path)
        if text is None or len(text) != facts.length:
            if not 0 <= line < len(facts.starts):
                return facts.length
            return min(facts.starts[line] + column, facts.length)
        return self._java_lines(path, text, facts.starts).offset(line, column, encoding)

    def _java_lines(self, path: str, text: bytes, starts: Iterable[int]) -> LineIndex:
        """Return the line table of a Java file, kept while questions are about it."""
        for known, index in self._last_lines:
            if known == path and (index.text is text or index.text == text):
                return index
        index = LineIndex(text, list(starts))
        self._last_lines[:] = [(path, index)]
        return index

    def text(self, path: str) -> bytes | None:
        """Return the text that places in a Java file, config file or document count in; ``None`` if it is no longer known."""
        facts = self.program.files.get(path)
        if facts is None:
            return self.document_text(path)
        text = self.texts.text(path)
        return text if text is not None and len(text) == facts.length else None

    def lines(self, path: str) -> LineIndex | None:
        """Return the line table of a file that is not analysed; ``None`` for one that cannot be read."""
        if path in self.config_files:
            return self.config_files[path].lines
        for known, index in self._last_lines:
            if known == path:
                return index
        text = self.document_text(path)
        if text is None:
            text = self.source_text(path)
        if text is None:
            return None
        index = LineIndex.of(text)
        self._last_lines[:] = [(path, index)]
        return index

    def document_text(self, path: str) -> bytes | None:
        """Return the text of a config file or other document as UTF-8, which places in it count in."""
        if path in self.config_files:
            return self.config_files[path].text
        if path not in self.documents.harvests:
            return None
        return self.source_text(path)

    def is_as_read(self, path: str) -> bool:
        """Tell whether a Java or config file says now what it said when it was read; any other file does, as its text is read again."""
        file, digest = self.config_files.get(path), self.contents.get(path)
        if file is None and digest is None:
            return True
        text = self.texts.text(path)
        if text is None:
            return False
        if file is not None:
            return decoded(file.format, text)[0].encode() == file.text
        return content_hash(text) == digest

    def source_text(self, path: str) -> bytes | None:
        """Return the text of any file as UTF-8, which places in one that is not analysed count in."""
        text = self.texts.text(path)
        return None if text is None else text.decode("utf-8", "replace").encode()

    def line(self, place: Place) -> int:
        """Return the 1-based line of a place."""
        return self.position(place.path, place.start, Encoding.UTF8)[0] + 1
