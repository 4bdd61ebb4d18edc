"""Recognises bound classes of libraries by their names and by the keys in config files.

A class that the program imports, whose source is not there, and whose name ends as a domain calls its bound classes
(``DomainRow.beans``), is bound to the one prefix that its name spells: ``JHipsterProperties`` to ``jhipster``,
``LiquibaseProperties`` to ``spring.liquibase``.  If no key has such a prefix, or if two prefixes match, the class is left out.

Invariant: rows change with the sections of files, not with each key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from conflens.base.paths import is_test_path
from conflens.facts.model import FileFacts
from conflens.models.beans import BeanRow
from conflens.models.schema import DomainRow
from conflens.options.names.naming import loose
from conflens.program.program import Program

_DEEPEST = 2
"""Segments of a prefix."""


class Beans:
    """Keeps what each file imports, and the sections, until they are others."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._imports: dict[str, tuple[FileFacts, tuple[str, ...]]] = {}
        self._names: object = None
        self._sections: frozenset[str] = frozenset()
        self._by_last: dict[str, list[str]] = {}
        self._by_first: dict[str, list[str]] = {}

    def rows(
        self, program: Program, domains: Iterable[DomainRow], names: Iterable[str]
    ) -> tuple[BeanRow, ...]:
        """Return the classes that are bound; ``names`` are those that files and documents state."""
        wanted = [row for row in domains if row.beans]
        classes = sorted(set(self._imported(program, [row.beans for row in wanted])))
        if not classes:
            return ()
        if names is not self._names:
            self._names, self._sections = names, frozenset(_sections(names))
            self._by_last = _grouped(self._sections, -1, _DEEPEST)
            self._by_first = _grouped(self._sections, 0)
        return tuple(
            row
            for name in classes
            if program.type(name) is None and program.jdk_type(name) is None
            for domain in wanted
            if (row := self._bound(name, domain)) is not None
        )

    def _imported(self, program: Program, endings: Sequence[str]) -> Iterator[str]:
        kept: dict[str, tuple[FileFacts, tuple[str, ...]]] = {}
        for path, facts in program.files.items():
            if is_test_path(path):
                continue
            known = self._imports.get(path)
            if known is None or known[0] is not facts:
                known = (
                    facts,
                    tuple(
                        one.name
                        for one in facts.imports
                        if not one.on_demand and not one.static and one.name.endswith((*endings,))
                    ),
                )
            kept[path] = known
            yield from known[1]
        self._imports = kept

    def _bound(self, name: str, domain: DomainRow) -> BeanRow | None:
        simple = name.rpartition(".")[2]
        stem = loose(simple.removesuffix(domain.beans))
        if not stem or stem == loose(simple):
            return None
        found = self._by_last.get(stem, ())
        if len(found) != 1:
            return None
        prefix = found[0]
        inner = frozenset(
            one
            for one in self._by_first[prefix.partition(".")[0]]
            if one == prefix or one.startswith(f"{prefix}.")
        )
        return BeanRow(type=name, prefix=prefix, domain=domain.domain, sections=inner)


def _sections(names: Iterable[str]) -> Iterator[str]:
    """Yield what names lie below, in the loose spelling."""
    for name in names:
        spelt = loose(name)
        at = spelt.find(".")
        while at >= 0:
            yield spelt[:at]
            at = spelt.find(".", at + 1)


def _grouped(sections: Iterable[str], at: int, deepest: int | None = None) -> dict[str, list[str]]:
    """Return sections of at most ``deepest`` segments by one of these."""
    found: dict[str, list[str]] = {}
    for section in sections:
        parts = section.split(".")
        if deepest is None or len(parts) <= deepest:
            found.setdefault(parts[at], []).append(section)
    return found
