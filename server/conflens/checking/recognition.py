"""Which options the keys of a file are, and so whether it is a config file of this project.

A file counts by evidence: enough of its keys are options that the program reads (or by the user's setting), so that other
properties and YAML files stay quiet.  Once it counts, its keys live in the domains that the evidence came from, and only
options of these are offered, looked for and missed in it.

How evidence is weighed: a name of one plain word (``name``, ``port``) is weak, since it stands in every file; so is an
instance of a pattern.  Keys that a library reserves (``spring.*``) do not speak against it.  A file with a name that
only a domain's files have needs one good key, any other needs several, and that they are a fair share.  In scripts and
container files only what the format marks as a property (``-D``) is looked at, since most of their names are the shell's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Protocol, cast

import attrs

from conflens.checking.mentions import Mentions
from conflens.checking.namespaces import Namespaces, Reserved, is_bound, parent_of
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.flow.results import OptionKey
from conflens.models.schema import DomainRow, RoleRow
from conflens.options.model import Default, Option, OptionTable
from conflens.options.names.naming import Names, loose
from conflens.options.names.patterns import covers
from conflens.program.program import Program
from conflens.program.sharing import Sharing

_TELLING = re.compile(r"[A-Za-z0-9][._-][A-Za-z0-9]|[a-z][A-Z]")
_INDEX = re.compile(r"\[\d+\]")
_MAX_NAME = 500
_MAX_FINE = 50_000
_CODED = "modules that have code"
_PARSED = "classes that make values of texts"
_GENERIC = frozenset({"settings", "properties"})


@attrs.frozen(eq=False)
class Match:
    """What a file's keys are.  ``counts`` says whether it is a config file of this project, ``why`` so in a few words for a
    person; ``domains`` are those its names live in; ``options`` are by the names of assignments, sections left out;
    ``known`` are the namespaces (prefixes up to and with a separator, ``""`` for the whole file) of which everything that
    may be set is known, so that any other key in them is unknown."""

    path: str
    counts: bool
    why: str
    domains: frozenset[str]
    options: Mapping[str, tuple[Option, ...]]
    known: frozenset[str]

    @cached_property
    def names(self) -> Mapping[OptionKey, tuple[str, ...]]:
        """The names by which the file sets each option."""
        found: dict[OptionKey, tuple[str, ...]] = {}
        for name, options in self.options.items():
            for option in options:
                found[option.key] = (*found.get(option.key, ()), name)
        return found

    @cached_property
    def patterns(self) -> Counter[tuple[str, str]]:
        """How many keys directly in a namespace are of patterns with one beginning, by both."""
        return Counter(
            (parent_of(name), head)
            for name, options in self.options.items()
            for head in {parent_of(option.name) for option in options if option.pattern}
        )

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """The namespaces, in small letters, of which the file sets options."""
        names = (option.name for options in self.options.values() for option in options)
        return frozenset(name.rpartition(".")[0].lower() for name in names)


class Judged(Protocol):
    """What the user says of a file: ``True`` it is one, ``False`` it is none, ``None`` nothing."""

    def __call__(self, path: str, /) -> bool | None: ...


def _nothing_said(path: str) -> bool | None:
    return None


@attrs.define(eq=False, slots=False)
class Recognised:
    """The matches of all files, made when they are asked for and carried over while file and options stay the same.  May be
    asked from several threads."""

    files: Mapping[str, ConfigFile]
    names: Names
    judged: Judged = attrs.field(default=_nothing_said)
    rows: Sequence[DomainRow] = ()
    program: Program | None = attrs.field(default=None, repr=False)
    roles: Sequence[RoleRow] = attrs.field(default=(), repr=False, kw_only=True)
    fine: set[tuple[OptionKey, str, Format]] = attrs.field(factory=set, repr=False)
    """Values found to be fine for options, whatever the program is."""
    packaged: Mapping[OptionKey, tuple[Default, ...]] | None = attrs.field(
        default=None, init=False, repr=False
    )
    """What ``packaged`` finds when it is first asked."""
    _kept: dict[str, tuple[ConfigFile, Match]] = attrs.field(factory=dict, repr=False)
    _living: dict[tuple[Format, str], frozenset[str] | None] = attrs.field(
        factory=dict, init=False, repr=False
    )
    _schemes: dict[str, tuple[ConfigFile, frozenset[str]]] = attrs.field(
        factory=dict, init=False, repr=False
    )
    _by_scheme: Mapping[str, Set[str]] | None = attrs.field(default=None, init=False, repr=False)
    _meant: tuple[frozenset[str], tuple[tuple[str, ...], ...], frozenset[str]] | None = (
        attrs.field(default=None, init=False, repr=False)
    )
    """The names that placeholders of all files mean, those with unknown parts, and all of them as ``loose`` makes them."""
    _references: dict[str, tuple[ConfigFile, frozenset[str]]] = attrs.field(
        factory=dict, init=False, repr=False
    )

    @staticmethod
    def of(
        files: Mapping[str, ConfigFile],
        options: OptionTable,
        relaxed: frozenset[str] = frozenset(),
        judged: Judged | None = None,
        before: Recognised | None = None,
        rows: Sequence[DomainRow] = (),
        program: Program | None = None,
        roles: Sequence[RoleRow] = (),
    ) -> Recognised:
        """Return the recognition of ``files``; what ``before`` found is kept where nothing changed.

        ``rows`` say which files set which domains, ``roles`` what words of names say; without ``program`` no namespace is known."""
        said = judged or _nothing_said
        if (
            before is None
            or before.names.table is not options
            or before.names.relaxed != relaxed
            or before.judged is not said
            or (before.rows is not rows and before.rows != rows)
        ):
            variables = frozenset(row.domain for row in rows if row.variables)
            names = Names(options, relaxed, variables)
            if before is not None and before.names.table is options:
                names = before.names if before.names.relaxed == relaxed else names
            return Recognised(files, names, said, rows, program, roles=roles)
        fine = (
            before.fine if len(before.fine) < _MAX_FINE else set[tuple[OptionKey, str, Format]]()
        )
        kept = dict(before._kept)
        following = Recognised(files, before.names, said, rows, program, fine, kept, roles=roles)
        same = before.program is program
        for made in ("reserved", "by_domain", *(("mentions", "_namespaces") if same else ())):
            if made in before.__dict__:
                following.__dict__[made] = before.__dict__[made]
        following._references.update(before._references)
        following._schemes.update(before._schemes)
        return following

    def match(self, path: str) -> Match | None:
        """Return what a file is, ``None`` for one that is not known."""
        if path not in self.files:
            return None
        file = self.files[path]
        kept = self._kept.get(path)
        if kept is not None and kept[0] is file:
            return kept[1]
        # What keys are does not depend on their values, and mostly values are typed.
        same = kept is not None and kept[0].format is file.format and _keys(kept[0]) == _keys(file)
        found = kept[1] if kept is not None and same else self._matched(file)
        self._kept[path] = (file, found)
        return found

    def config_files(self) -> tuple[str, ...]:
        """Return the paths of the config files of this project, sorted."""
        return self._counting

    @cached_property
    def _counting(self) -> tuple[str, ...]:
        return tuple(path for path in sorted(self.files) if self._counts(path))

    @cached_property
    def holders(self) -> Mapping[str, tuple[str, ...]]:
        """The config files of this project that have a key, sorted, by key."""
        found: dict[str, list[str]] = {}
        for path in self._counting:
            for name in self.files[path].by_name:
                found.setdefault(name, []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def written(self) -> frozenset[str]:
        """The keys of all files, of other projects' too."""
        return frozenset(name for file in self.files.values() for name in file.by_name)

    @cached_property
    def sections(self) -> Mapping[str, bool]:
        """All namespaces of the project's config files, and whether keys stand directly in them."""
        found: dict[str, bool] = {}
        for name in self.holders:
            parent = name.rpartition(".")[0]
            direct = True
            while parent and not (parent in found and not direct):
                found[parent] = found.get(parent, False) or direct
                parent, direct = parent.rpartition(".")[0], False
        return found

    @cached_property
    def folded(self) -> Mapping[str, str]:
        """All keys of the project's config files by their names without case and separators."""
        return {loose(name): name for path in self._counting for name in self.files[path].by_name}

    @cached_property
    def by_size(self) -> Mapping[int, Sequence[str]]:
        """Those keys by the number of their characters."""
        found: dict[int, list[str]] = {}
        for name in self.folded.values():
            found.setdefault(len(name), []).append(name)
        return found

    def is_meant(self, path: str) -> bool:
        """Tell whether a file is a config file of this project, or is called like one that a library reads by its name."""
        return self._counts(path) or bool(self.typical(self.files[path]))

    def referred_to(self, name: str, domains: frozenset[str]) -> tuple[Option, ...]:
        """Return the options that a reference of a name means in a file of some domains.

        What references alone read may live elsewhere than the file's keys: in the environment."""
        found = self.names.named(name, domains)
        others = (one for one in self.names.named(name) if one.is_substituted)
        return tuple({one.key: one for one in (*found, *others)}.values())

    def settings_of(self, option: Option) -> tuple[tuple[str, Assignment], ...]:
        """Return where config files of this project set an option."""
        found: list[tuple[str, Assignment]] = []
        for path in self.config_files():
            match = self.match(path)
            if match is None:
                continue
            for name, options in match.options.items():
                if any(one.key == option.key for one in options):
                    found += ((path, one) for one in self.files[path].by_name[name])
        return tuple(sorted(found, key=lambda pair: (pair[0], pair[1].start)))

    @cached_property
    def reserved(self) -> Reserved:
        """What libraries reserve among this project's names."""
        return Reserved.of(self.rows, self.names.table)

    @cached_property
    def by_domain(self) -> Mapping[str, DomainRow]:
        """What is known of domains."""
        return {row.domain: row for row in self.rows}

    def parses_itself(self, domain: str) -> bool:
        """Tell whether the project has classes of its own that make values in a domain of their texts."""
        if self.program is None:
            return False
        kept = self.program.memo.values
        key = (_PARSED, domain)
        if key not in kept:
            row = self.by_domain.get(domain)
            kept[key] = row is not None and any(
                _parses(self.program, name, row)
                for parser in row.parsers
                for name in self.program.all_subtypes(parser)
            )
        return cast("bool", kept[key])

    @cached_property
    def mentions(self) -> Mentions | None:
        """What code spells out; ``None`` if no program is known."""
        return None if self.program is None else Mentions(self.program)

    @cached_property
    def sharing(self) -> Sharing | None:
        """Which files belong to one program; ``None`` if no program is known."""
        return None if self.program is None else Sharing(self.program, lambda paths: None)

    def belongs(self, option: Option, path: str, *, wholly: bool = False) -> bool:
        """Tell whether something that reads or declares an option (``wholly``: everything) may be in one program with a file.

        A file beside modules, in the folder that holds them, is for them all.
        """
        if self.program is None:
            return True
        modules = self.program.modules
        home = modules.at(path)
        if not home or home not in self.coded:
            return True
        places = [read.place.path for read in option.reads]
        places += [declaration.place.path for declaration in option.declarations]
        found = (
            modules.related(home, module) or module.startswith(f"{home}/")
            for module in dict.fromkeys(map(modules.at, places))
        )
        return all(found) if wholly else not places or any(found)

    @property
    def coded(self) -> frozenset[str]:
        """The modules that have code: files of another one may be meant for any."""
        if self.program is None:
            return frozenset()
        kept = self.program.memo.values
        if _CODED not in kept:
            kept[_CODED] = frozenset(map(self.program.modules.at, self.program.files))
        return cast("frozenset[str]", kept[_CODED])

    def refers(
        self,
        name: str,
        referenced: Callable[[ConfigFile], frozenset[str]],
        relaxed: bool = False,
    ) -> bool:
        """Whether a placeholder in the value of any file means a name, if ``relaxed`` in any spelling; ``referenced`` gives
        the names in one."""
        if self._meant is None:
            meant = {one for path in self.files for one in self._referred(path, referenced)}
            patterns = tuple(tuple(one.split("*")) for one in meant if "*" in one)
            self._meant = (
                frozenset(meant),
                patterns,
                frozenset(loose(one) for one in meant if "*" not in one),
            )
        exact, patterns, spelt = self._meant
        if "*" not in name and (name in exact or (relaxed and loose(name) in spelt)):
            return True
        return any(covers(parts, name) for parts in patterns)

    def is_referred_to(
        self, path: str, referenced: Callable[[ConfigFile], frozenset[str]]
    ) -> bool:
        """Tell whether most keys of a file are names that values of other files mean: such a file holds what those values
        stand for, and its further keys need be no options."""
        names = {
            name
            for name, found in self.files[path].by_name.items()
            if any(one.kind is not Kind.SECTION for one in found)
        }
        if self._by_scheme is None:
            self._by_scheme = self._referring(referenced)
        meant = sum(
            len(self._by_scheme.get(name, frozenset[str]()) - {path}) > 0 for name in names
        )
        return meant * 2 > len(names)

    # -- parts -----------------------------------------------------------------------------------

    def _counts(self, path: str) -> bool:
        match = self.match(path)
        return match is not None and match.counts

    def _referring(
        self, referenced: Callable[[ConfigFile], frozenset[str]]
    ) -> Mapping[str, Set[str]]:
        """Return the files whose values mean a name, by that name."""
        found: dict[str, set[str]] = {}
        for path, file in self.files.items():
            kept = self._schemes.get(path)
            if kept is None or kept[0] is not file:
                kept = self._schemes[path] = (file, referenced(file))
            for name in kept[1]:
                found.setdefault(name, set()).add(path)
        return found

    def _referred(
        self, path: str, referenced: Callable[[ConfigFile], frozenset[str]]
    ) -> frozenset[str]:
        file = self.files[path]
        kept = self._references.get(path)
        if kept is None or kept[0] is not file:
            kept = self._references[path] = (file, referenced(file))
        return kept[1]

    @cached_property
    def _namespaces(self) -> Namespaces:
        return Namespaces(self.names.table, self.program, self.by_domain)

    def below_open(self, name: str, domains: Collection[str] | None) -> bool:
        """Whether a name lies below an option that takes any keys: a map, an object of a class that is not seen."""
        for at, char in enumerate(name[:_MAX_NAME]):
            if char not in ".[" or not at:
                continue
            if self.names.any_below(f"{_INDEX.sub('.*', name[:at])}.", domains):
                continue
            if any(
                not option.pattern or is_bound(option)
                for option in self.names.named(name[:at], domains)
            ):
                return True
        return False

    def domains_for(self, format: Format, said: str = "") -> frozenset[str] | None:
        """Return the domains whose options a file of a format may set; ``said`` is what the format itself says of a name.

        ``None`` if nothing is known of domains."""
        if (format, said) not in self._living:
            self._living[format, said] = self._domains_for(format, said)
        return self._living[format, said]

    def _domains_for(self, format: Format, said: str) -> frozenset[str] | None:
        if not self.rows:
            return frozenset([said]) if said else None
        if said == "environment":
            return frozenset(row.domain for row in self.rows if row.variables) | {said}
        wanted = Format.ARGUMENTS if said else format
        found = frozenset(row.domain for row in self.rows if wanted.value in row.formats)
        return found - {"environment"} if said else found

    def _matched(self, file: ConfigFile) -> Match:
        said = self.judged(file.path)
        named = {
            name: options
            for name, found in file.by_name.items()
            if (options := self._options(file, name, found))
        }
        considered = self._considered(file, named)
        telling = [name for name in named if is_telling(name, named[name])]
        good = [name for name in telling if name in considered]
        typical = self.typical(file)
        shapes = set(map(_shape, considered))
        share = len(set(map(_shape, considered & named.keys()))) / max(1, len(shapes))
        if said is not None:
            counts = said
            why = "by your setting"
        else:
            at_home = any(option.domain in typical for name in telling for option in named[name])
            asks = file.path in self.names.table.reads_in
            counts = at_home or asks or _enough(file.format, len(good), len(named), share)
            why = f"{len(named)} of {len(file.by_name)} keys are options that the program reads"
        domains = self._domains(named, telling, typical) if counts else frozenset[str]()
        kept = {
            name: chosen
            for name, options in named.items()
            if (chosen := tuple(one for one in options if not counts or one.domain in domains))
        }
        known = self._namespaces.known(domains) if counts else frozenset[str]()
        if "" in known and share < 1 / 2 and said is not True:
            known -= {""}
        return Match(file.path, counts, why, domains, kept, known)

    def _options(
        self, file: ConfigFile, name: str, found: Sequence[Assignment]
    ) -> tuple[Option, ...]:
        if all(one.kind is Kind.SECTION for one in found):
            return ()
        named = self.names.named(name, self.domains_for(file.format, found[0].domain))
        return tuple(one for one in named if self.belongs(one, file.path)) or named

    def _considered(
        self, file: ConfigFile, named: Mapping[str, tuple[Option, ...]]
    ) -> frozenset[str]:
        """The names in a file that speak for or against it."""
        domains = self.domains_for(file.format)
        return frozenset(
            name
            for name, found in file.by_name.items()
            if any(one.kind is not Kind.SECTION for one in found)
            and not name.startswith(".")
            and (name in named or not self.reserved.holds(name))
            and (file.format is not Format.ARGUMENTS or found[0].domain == "system-property")
            and (name in named or not self.below_open(name, domains))
        )

    def typical(self, file: ConfigFile) -> frozenset[str]:
        """The domains whose files have this file's name."""
        name = file.path.rpartition("/")[2].lower()
        return frozenset(
            row.domain
            for row in self.rows
            if any(fnmatchcase(name, pattern) for pattern in row.files)
        )

    def _domains(
        self,
        named: Mapping[str, tuple[Option, ...]],
        telling: Iterable[str],
        typical: frozenset[str],
    ) -> frozenset[str]:
        """The domains that the names of a file live in."""
        voices = Counter(
            domain for name in telling for domain in {option.domain for option in named[name]}
        )
        if not voices:
            voices = Counter(option.domain for options in named.values() for option in options)
        at_home = typical & voices.keys()
        if at_home:
            return at_home | (_GENERIC & voices.keys())
        most = max(voices.values(), default=0)
        return frozenset(domain for domain, count in voices.items() if count * 10 >= most)


def is_telling(name: str, options: Sequence[Option]) -> bool:
    """Whether it says something of a file that a key of this name stands in it."""
    return _TELLING.search(name) is not None and not (
        options and all(option.pattern for option in options)
    )


def _parses(program: Program, name: str, row: DomainRow) -> bool:
    """Tell whether a class says that it makes one of a domain's types of texts; if it does not say what it makes, whether
    its file knows one of these types."""
    arguments = {arg.name for super_ in program.direct_supers(name) for arg in super_.args}
    info = program.type(name)
    if arguments or info is None:
        return not arguments.isdisjoint(row.texts)
    return any(
        type_ == imported.name
        or (imported.on_demand and type_.rpartition(".")[0] == imported.name)
        for imported in program.files[info.path].imports
        for type_ in row.texts
    )


def _keys(file: ConfigFile) -> list[tuple[str, bool, str]]:
    """All of a file that its match depends on."""
    return [(one.name, one.kind is Kind.SECTION, one.domain) for one in file.assignments]


def _shape(name: str) -> str:
    """A name with all elements of a list alike."""
    return _INDEX.sub("[]", name) if "[" in name else name


def _enough(format: Format, good: int, named: int, share: float) -> bool:
    if format is Format.ARGUMENTS:
        return good > 0
    if good >= 10:
        return share >= 0.15
    if good >= 2:
        return share >= 0.3
    return (good >= 1 and share >= 0.6) or (named >= 3 and share >= 0.6)
