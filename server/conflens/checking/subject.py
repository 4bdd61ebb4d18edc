"""What is checked.

Invariant: findings of one file depend on the subject, and on how loud they are to be, alone.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Protocol

from conflens.base.system import Texts
from conflens.checking.recognition import Recognised
from conflens.checking.suppression import Policy
from conflens.documents import DocumentIndex, DocumentRef
from conflens.documents.configfiles.model import ConfigFile
from conflens.flow.results import FlowTable
from conflens.options.model import Option, OptionTable
from conflens.program.program import Program
from conflens.properties.properties import PropertyTable
from conflens.sensitivity.results import SensitivityTable


class Subject(Protocol):
    """What is checked; a published ``session.Analysis`` is one."""

    @property
    def complete(self) -> bool:
        """Whether all files have been seen, so that "nowhere" may be said."""

    @property
    def program(self) -> Program:
        """The join over Java files."""

    @property
    def options(self) -> OptionTable:
        """All options."""

    @property
    def documents(self) -> DocumentIndex:
        """What documents mention."""

    @property
    def config_files(self) -> Mapping[str, ConfigFile]:
        """All files that may be config files, by path."""

    @property
    def recognised(self) -> Recognised:
        """Which options these files' keys are."""

    @property
    def flows(self) -> FlowTable:
        """Where options' values go."""

    @property
    def properties(self) -> PropertyTable:
        """What other options do to the effect of each."""

    @property
    def sensitivity(self) -> SensitivityTable:
        """Which options are performance-sensitive."""

    @property
    def texts(self) -> Texts:
        """The texts of Java files."""

    @property
    def policy(self) -> Policy:
        """Which findings the project does not want, and how loud the others are."""

    @property
    def unread_sources(self) -> Collection[str]:
        """The sources in other languages of the JVM, which are known by their paths alone."""

    def may_declare(self, name: str) -> bool:
        """Tell whether a source that was not read may declare the class of this name."""

    def text(self, path: str) -> bytes | None:
        """Return the text that places in a Java file, config file or document count in."""

    def document_text(self, path: str) -> bytes | None:
        """Return the text of a config file or other document as UTF-8, which places in it count in."""

    def literals(self, path: str, at: int) -> Container[str] | None:
        """Return the only literals that excerpts may show of the code at a byte offset, ``None`` where no secret is handled."""

    def handed(self, path: str) -> Sequence[tuple[int, int]]:
        """Return the spans of literals of a Java file that are handed to what takes a secret, in their order."""

    def documented(self, option: Option) -> tuple[DocumentRef, ...]:
        """Return where documents mention an option, best first."""
