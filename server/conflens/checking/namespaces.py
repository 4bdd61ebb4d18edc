"""Whose names are whose: namespaces that libraries reserve, and those of which everything is known.

Terms
    reserved  a beginning of names that a library, the platform or another program reads (``spring``, ``java``); the project
              *owns* it all the same if it reads many options there that are not those of a library.
    bound     an option that is a property of a class which a framework or parser fills.
    known     a namespace (a beginning up to and with its ``.``, empty for a whole file) whose keys go into a bound class all
              of whose members are seen, with no read of a name that is not known: any other key there is unknown.

Invariant: what is not surely known is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

import attrs

from conflens.models.schema import DomainRow
from conflens.options.model import Declaration, Option, OptionTable, ReadKind
from conflens.program.program import Program

_NAMED = re.compile(rb"[A-Za-z_][A-Za-z0-9_\-]{2,80}")
_OWNED = 25
_LONGEST = 40
_PLATFORM = "system-property"
_MOSTLY = 2 / 3


def package_of(name: str) -> str:
    """Return the two parts that a name begins with, where more follow: those of an organisation if it is named like a package."""
    first, _, rest = name.partition(".")
    second, _, more = rest.partition(".")
    return f"{first}.{second}" if more else ""


def of_libraries(program: Program) -> frozenset[str]:
    """Return what packages begin with that code imports from and none of the project's own does: options named so may be those of
    libraries."""
    kept = program.memo.values.get(of_libraries)
    if not isinstance(kept, frozenset):
        own = {package_of(f"{facts.package}.x") for facts in program.files.values()}
        names = (one.name for facts in program.files.values() for one in facts.imports)
        kept = frozenset(map(package_of, names)) - own - {""}
        program.memo.values[of_libraries] = kept
    return kept


@attrs.frozen(eq=False)
class Reserved:
    """The reserved beginnings of one project's names by domain, in lower case; environment variables end in ``_``."""

    beginnings: Mapping[str, frozenset[str]]

    @staticmethod
    def of(rows: Iterable[DomainRow], options: OptionTable) -> Reserved:
        """Return what is reserved and not owned."""
        rows = tuple(rows)
        wanted = {name.lower() for row in rows for name in row.reserved}
        counted: Counter[str] = Counter()
        for option in options.options:
            if option.is_substituted or option.told:
                continue
            for beginning in _beginnings(option.name.lower()):
                if beginning in wanted:
                    counted[beginning] += 1
        left = {name for name in wanted if counted[name] < _OWNED}
        return Reserved(
            {
                row.domain: frozenset(left.intersection(map(str.lower, row.reserved)))
                for row in rows
            }
        )

    def holds(self, name: str, domains: Collection[str] | None = None) -> bool:
        """Whether a name lies in a namespace that is reserved in these domains (``None``: any) or by the platform."""
        found = frozenset(_beginnings(name[:_LONGEST].lower()))
        wanted = self.beginnings if domains is None else {*domains, _PLATFORM}
        return any(not found.isdisjoint(self.beginnings.get(domain, ())) for domain in wanted)


def _beginnings(name: str) -> Iterable[str]:
    for at, char in enumerate(name):
        if char == "." or char == "[":
            yield name[:at]
        elif char == "_":
            yield name[: at + 1]
    yield name


def parent_of(name: str) -> str:
    """Return the namespace that a name lies in directly: up to and with its last ``.``."""
    return name[: name.rfind(".") + 1]


def is_bound(option: Option) -> bool:
    """Whether an option is a property of a bound class: it has its name from the field, not from a text in code."""
    fields = {one.place for one in option.declarations if one.kind == "field"}
    return bool(fields) and (
        not option.reads
        or any(
            read.kind is ReadKind.FIELD
            or (read.kind is ReadKind.ANNOTATION and read.name_place in fields)
            for read in option.reads
        )
    )


class Namespaces:
    """The known namespaces of one program, by domain; made once."""

    def __init__(
        self, options: OptionTable, program: Program | None, rows: Mapping[str, DomainRow]
    ) -> None:
        self._open: dict[str, bool] = {}
        self._above: dict[str, frozenset[str]] = {}
        self._program = program
        self._rows = rows
        dynamic = {one.domain for one in options.unresolved}
        found: dict[tuple[str, str], list[Option]] = {}
        if program is not None:
            for option in options.options:
                if option.domain not in dynamic and not option.is_substituted:
                    found.setdefault((option.domain, parent_of(option.name)), []).append(option)
        self._known: dict[str, set[str]] = {}
        for (domain, parent), members in found.items():
            if self._is_known(members):
                self._known.setdefault(domain, set()).add(parent)

    def known(self, domains: Collection[str]) -> frozenset[str]:
        """Return the namespaces that are known whichever of ``domains`` a key lives in."""
        return frozenset(
            parent for domain in domains for parent in self._known.get(domain, ()) if parent
        ) | (
            frozenset([""])
            if len(domains) == 1 and "" in self._known.get(next(iter(domains)), ())
            else frozenset()
        )

    def _is_known(self, members: list[Option]) -> bool:
        bound = [option for option in members if is_bound(option)]
        return (
            len(bound) >= max(2, _MOSTLY * len(members))
            and not any(option.name.endswith("*") for option in members)
            and not any(
                self._is_open(declaration)
                for option in bound
                for declaration in option.declarations
            )
            and self._has_all(members, bound)
        )

    def _has_all(self, members: list[Option], bound: list[Option]) -> bool:
        """Whether all properties that interfaces of these classes name by annotations are known here."""
        known = {option.name.rpartition(".")[2] for option in members}
        owners = {self._owner(one) for option in bound for one in option.declarations}
        return all(self._named_above(owner) <= known for owner in owners)

    def _named_above(self, name: str) -> frozenset[str]:
        program = self._program
        assert program is not None
        found = self._above.get(name)
        if found is None:
            found = self._above[name] = frozenset(_named_in_interfaces(program, name))
        return found

    def _is_open(self, declaration: Declaration) -> bool:
        """Whether the class that declares a property may take names that are not seen."""
        program = self._program
        assert program is not None
        name = self._owner(declaration)
        if not name:
            return True
        known = self._open.get(name)
        if known is None:
            known = self._open[name] = self._takes_any(program, name)
        return known

    def _owner(self, declaration: Declaration) -> str:
        """The class that a property is declared in; empty if it is not seen."""
        program = self._program
        assert program is not None
        facts = program.files.get(declaration.place.path)
        if facts is None:
            return ""
        inside = [
            number
            for number, type_ in enumerate(facts.types)
            if type_.at <= declaration.place.start < type_.end
        ]
        return program.type_name(declaration.place.path, inside[-1]) if inside else ""

    def _takes_any(self, program: Program, name: str) -> bool:
        openers = {opener for row in self._rows.values() for opener in row.openers}
        whole = {name, *program.all_subtypes(name)}
        for type_ in tuple(whole):
            whole.update(program.supertypes(type_))
        for type_ in whole - {"java.lang.Object", "java.lang.Record"}:
            info = program.type(type_)
            if info is None:
                if type_.startswith("java.") and not program.is_subtype(type_, "java.util.Map"):
                    continue
                return True
            facts = program.files[info.path]
            for member in facts.members:
                if member.owner == info.number and any(
                    annotation.name.rpartition(".")[2] in openers
                    for annotation in member.annotations
                ):
                    return True
            if any(not program.known(one.name) for one in program.direct_supers(type_)):
                return True
        return False


def _named_in_interfaces(program: Program, name: str) -> Iterator[str]:
    """The names that annotations give to methods of the interfaces above a class."""
    for type_ in program.supertypes(name):
        info = program.type(type_)
        if info is None or info.decl.kind != "interface":
            continue
        for member in program.files[info.path].members:
            if member.owner == info.number and member.kind == "method":
                for annotation in member.annotations:
                    if len(annotation.values) == 1:
                        yield from (found.decode() for found in _NAMED.findall(annotation.code))
