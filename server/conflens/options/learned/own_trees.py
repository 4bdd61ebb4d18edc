"""Makes rows of the project's own classes that hold a parsed document, as the classes of a JSON library do.

Terms
    own tree    a class of the project that keeps a library's tree (``private final JsonObject object``), or is called like a library's and
                keeps a map, is made of a text, and answers lookups by a text: ``getInt(name)``, ``getString(name, default)``
    part        what a lookup gives that is of the same class

A lookup is a read like one in the library's tree, if the document is read from a file that the program itself names as configuration.
Told from the declarations of one file each.  Absent: what is asked of an own tree, and where it comes from (``reads.opened``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.base.paths import is_test_path
from conflens.facts.model import FileFacts, Member, Modifier
from conflens.models.load import Models
from conflens.models.schema import PrefixRow, ReadRow
from conflens.options.constant_arguments import words
from conflens.options.learned.evidence import FileTypes
from conflens.options.member_types import simple
from conflens.program.program import Program

OwnTrees = tuple[tuple[ReadRow, ...], tuple[PrefixRow, ...]]
"""The lookups of own trees, and those that give a part."""

_FEWEST = 3
"""Lookups of values that a class must have."""
_MAPS = frozenset({"Map", "HashMap", "LinkedHashMap", "TreeMap"})
_ANSWERS = frozenset({"get", "opt"})
_PROVENANCE = "a class of the project around a parsed document"


class Trees:
    """Keeps what each file declares until it is another."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._kept: dict[str, tuple[FileFacts, tuple[tuple[str, str], ...]]] = {}
        self._models: Models | None = None
        self._trees: dict[str, str] = {}
        self._simple: dict[str, str] = {}

    def rows(self, program: Program, models: Models) -> OwnTrees:
        """Return the rows of the own trees of a program."""
        if models is not self._models:
            self._models, self._kept = models, {}
            self._trees = {
                row.type: row.domain
                for row in models.reads
                if row.evidence == "entered" and program.jdk_type(row.type) is None
            }
            self._simple = {simple(name): domain for name, domain in self._trees.items()}
        kept: dict[str, tuple[FileFacts, tuple[tuple[str, str], ...]]] = {}
        reads: list[ReadRow] = []
        parts: list[PrefixRow] = []
        for path, facts in program.files.items():
            known = self._kept.get(path)
            if known is None or known[0] is not facts:
                known = facts, tuple(self._found(program, path, facts))
            kept[path] = known
            for name, domain in known[1]:
                for row in self._rows(program, name, domain):
                    if isinstance(row, ReadRow):
                        reads.append(row)
                    else:
                        parts.append(row)
        self._kept = kept
        return tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(parts))

    def _found(self, program: Program, path: str, facts: FileFacts) -> Iterator[tuple[str, str]]:
        """Yield the own trees of a file with their domains."""
        if is_test_path(path):
            return
        fields = [
            (member.owner, domain)
            for member in facts.members
            if member.kind == "field" and not member.modifiers & Modifier.STATIC
            if (domain := self._domain(facts, member)) is not None
        ]
        for owner, domain in dict.fromkeys(fields):
            own = [member for member in facts.members if member.owner == owner]
            made = any(
                member.kind == "constructor" and [one.type for one in member.params] == ["String"]
                for member in own
            )
            lookups = {member.name for member in own if _is_lookup(member)}
            if made and len(lookups) >= _FEWEST:
                yield program.type_name(path, owner), domain

    def _domain(self, facts: FileFacts, field: Member) -> str | None:
        """Return the domain of the documents that a field may hold a tree of."""
        kind = field.type.partition("<")[0]
        if kind in self._simple:
            return self._trees.get(FileTypes(facts).named(kind))
        return self._simple.get(facts.types[field.owner].name) if kind in _MAPS else None

    def _rows(self, program: Program, name: str, domain: str) -> Iterator[ReadRow | PrefixRow]:
        info = program.type(name)
        if info is None:
            return
        for method, refs in program.own_methods(name).items():
            for ref in refs:
                member = program.member(ref)
                if not _is_lookup(member):
                    continue
                count = len(member.params)
                if member.type == info.decl.name:
                    yield PrefixRow(
                        type=name,
                        method=method,
                        argument=0,
                        domain=domain,
                        min_args=count,
                        max_args=count,
                        evidence="opened",
                        own=True,
                        provenance=_PROVENANCE,
                    )
                    continue
                yield ReadRow(
                    type=name,
                    method=method,
                    domain=domain,
                    name=0,
                    default=1 if count > 1 else None,
                    min_args=count,
                    max_args=count,
                    evidence="opened",
                    own=True,
                    provenance=_PROVENANCE,
                )


def _is_lookup(member: Member) -> bool:
    """Tell whether a method gives what stands under a text, or else a second argument."""
    if member.kind != "method" or member.modifiers & Modifier.STATIC or member.type == "void":
        return False
    types = [param.type for param in member.params]
    asked = types == ["String"] or types == ["String", member.type]
    return asked and not _ANSWERS.isdisjoint(words(member.name)[:1])
