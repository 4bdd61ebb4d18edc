"""A subject made of small texts: options as discovery finds them in Java, or as a test states them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from conflens.base.span import Place
from conflens.checking.namespaces import Reserved
from conflens.checking.recognition import Match
from conflens.documents import DocumentIndex, DocumentRef, harvest
from conflens.documents.configfiles.model import ConfigFile, Format
from conflens.documents.configfiles.parsing import parse
from conflens.flow.results import EMPTY, FlowTable, OptionKey
from conflens.models.schema import DomainRow
from conflens.options.discovery import discover
from conflens.options.model import UNLIMITED, Default, Limits, Option, OptionTable, OptionType
from conflens.options.names.naming import Names
from conflens.program.program import Program
from conflens.properties.properties import NO_PROPERTIES, PropertyTable
from options.bound_support import models, program

_FORMATS = {"properties": Format.PROPERTIES, "yaml": Format.YAML, "xml": Format.XML}


@attrs.frozen(eq=False)
class Known:
    """A recognition in which every config file counts."""

    names: Names
    files: Mapping[str, ConfigFile]
    fine: set[tuple[OptionKey, str, Format]] = attrs.field(factory=set)

    sharing = None

    def parses_itself(self, domain: str) -> bool:
        return False

    def belongs(self, option: Option, path: str, *, wholly: bool = False) -> bool:
        return True

    @property
    def by_domain(self) -> Mapping[str, DomainRow]:
        return {row.domain: row for row in models().domains}

    @property
    def reserved(self) -> Reserved:
        return Reserved.of(models().domains, self.names.table)

    def refers(
        self,
        name: str,
        referenced: Callable[[ConfigFile], frozenset[str]],
        relaxed: bool = False,
    ) -> bool:
        return any(name in referenced(file) for file in self.files.values())

    def match(self, path: str) -> Match | None:
        file = self.files.get(path)
        if file is None:
            return None
        options = {one.name: self.names.named(one.name) for one in file.assignments}
        return Match(path, True, "", frozenset(), options, frozenset())


@attrs.frozen(eq=False)
class Small:
    """See the module text."""

    program: Program
    options: OptionTable
    recognised: Known
    config_files: Mapping[str, ConfigFile]
    documents: DocumentIndex
    texts: Mapping[str, bytes]
    complete: bool = True
    flows: FlowTable = EMPTY
    properties: PropertyTable = NO_PROPERTIES

    def document_text(self, path: str) -> bytes | None:
        return self.texts.get(path)

    @property
    def unread_sources(self) -> tuple[str, ...]:
        return ()

    def may_declare(self, name: str) -> bool:
        return False

    def documented(self, option: Option) -> tuple[DocumentRef, ...]:
        return self.documents.find(option.name, option.domain)


def subject(
    *sources: str,
    options: tuple[Option, ...] = (),
    files: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
) -> Small:
    """Return a subject: Java files ``0.java`` …, config files and documents by path."""
    joined = program(*sources)
    found = discover(joined, models()).table
    table = OptionTable.of([*found.options, *options], []) if options else found
    parsed = {
        path: parse(path, _FORMATS[path.rpartition(".")[2]], text.encode())
        for path, text in (files or {}).items()
    }
    written = {path: text.encode() for path, text in (documents or {}).items()}
    harvests = {path: harvest(path, text) for path, text in (documents or {}).items()}
    relaxed = frozenset(row.domain for row in models().domains if row.relaxed)
    names = Names(table, relaxed)
    return Small(
        joined,
        table,
        Known(names, parsed),
        parsed,
        DocumentIndex.build(harvests),
        written,
    )


def option(
    name: str,
    type_: OptionType,
    *,
    unit: str = "",
    values: tuple[str, ...] = (),
    default: str | None = None,
    limits: Limits = UNLIMITED,
    domain: str = "hadoop",
) -> Option:
    """Return an option as stated."""
    defaults = () if default is None else (Default(default, Place("T.java", 0, 1)),)
    return Option(name, domain, type_, "", values, unit, defaults, False, "", (), (), limits)
