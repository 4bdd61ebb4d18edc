"""Recognises bound classes of libraries: by rows, or by their names and the keys in config files.

Looked at are classes that the program imports and whose source is not there.  Rows tell what some are bound to (``BoundClassRow``).
Another whose name ends as a domain calls its bound classes (``DomainRow.beans``) is bound to the one prefix whose last segments its name
spells: ``AcmeProperties`` to ``acme`` or ``spring.acme``, ``AcmePoolProperties`` to ``acme.pool``.  If no key has such a prefix, or if two
prefixes match, the class is left out.

Invariant: rows change with the sections of files, not with each key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from conflens.base.paths import is_test_path
from conflens.facts.model import FileFacts
from conflens.models.beans import BeanRow, BoundClassRow, outermost
from conflens.models.schema import DomainRow
from conflens.options.names.naming import loose
from conflens.program.program import Program

_ABOVE = 1
"""Segments of a prefix before those that the name of the class spells."""


class Beans:
    """Keeps what each file imports, and the sections, until they are others."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._imports: dict[str, tuple[FileFacts, tuple[str, ...]]] = {}
        self._names: object = None
        self._sections: frozenset[str] = frozenset()
        self._by_last: dict[str, list[str]] = {}
        self._by_first: dict[str, list[str]] = {}
        self._known: Mapping[str, BoundClassRow] = {}
        self._rows: tuple[BoundClassRow, ...] = ()

    def rows(
        self,
        program: Program,
        domains: Iterable[DomainRow],
        names: Iterable[str],
        known: tuple[BoundClassRow, ...] = (),
    ) -> tuple[BeanRow, ...]:
        """Return the classes that are bound; ``names`` are those that files and documents state, ``known`` the rows."""
        wanted = [row for row in domains if row.beans]
        if known is not self._rows:
            self._rows, self._known, self._imports = known, {row.type: row for row in known}, {}
        classes = sorted(set(self._imported(program, [row.beans for row in wanted])))
        if not classes:
            return ()
        if names is not self._names:
            self._names, self._sections = names, frozenset(_sections(names))
            self._by_last, self._by_first = _by_last(self._sections), _by_first(self._sections)
        return tuple(
            row
            for name in classes
            if program.type(name) is None and program.jdk_type(name) is None
            for row in self._bound(name, wanted)
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
                        name
                        for one in facts.imports
                        if not one.on_demand and not one.static
                        for name in (outermost(one.name),)
                        if name in self._known or one.name.endswith((*endings,))
                    ),
                )
            kept[path] = known
            yield from known[1]
        self._imports = kept

    def _bound(self, name: str, domains: Iterable[DomainRow]) -> Iterator[BeanRow]:
        row = self._known.get(name)
        if row is not None:
            prefix = loose(row.prefix)
            known = {loose(member): java for member, java in row.names()}
            yield BeanRow(
                type=name,
                prefix=row.prefix,
                domain=row.domain,
                sections=self._inner(prefix),
                known=known,
                parts=row.parts,
            )
            return
        simple = name.rpartition(".")[2]
        for domain in domains:
            stem = loose(simple.removesuffix(domain.beans))
            found = self._by_last.get(stem, ()) if stem and stem != loose(simple) else ()
            if len(found) == 1:
                inner = self._inner(found[0])
                yield BeanRow(type=name, prefix=found[0], domain=domain.domain, sections=inner)

    def _inner(self, prefix: str) -> frozenset[str]:
        return frozenset(
            one
            for one in self._by_first.get(prefix.partition(".")[0], ())
            if one == prefix or one.startswith(f"{prefix}.")
        )


def _sections(names: Iterable[str]) -> Iterator[str]:
    """Yield what names lie below, in the loose spelling."""
    for name in names:
        spelt = loose(name)
        at = spelt.find(".")
        while at >= 0:
            yield spelt[:at]
            at = spelt.find(".", at + 1)


def _by_last(sections: Iterable[str]) -> dict[str, list[str]]:
    """Return sections by what their last segments spell together, if at most ``_ABOVE`` stand before these."""
    found: dict[str, list[str]] = {}
    for section in sections:
        parts = section.split(".")
        for first in range(min(len(parts), _ABOVE + 1)):
            found.setdefault("".join(parts[first:]), []).append(section)
    return found


def _by_first(sections: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for section in sections:
        found.setdefault(section.partition(".")[0], []).append(section)
    return found
