"""Options that no code reads but the config files of the program: ``${DB_URL:jdbc:h2:mem}`` in a value.

What is looked at: a file whose name only files of a domain have that resolves references (``DomainRow.placeholders``),
if the program has options of that domain or imports its library; an XML file of beans, Spring's or OSGi's, or of a logger; a file that counts, in such a domain or in one whose
substitutor the program imports; and HOCON, whose references are part of the language.

A name is an option of its own unless
 * it is one that code reads, in any spelling: then the reference is one more mention of it;
 * a library or the platform reads it, or rows say that something else supplies it (``${spring.application.name}``);
 * HOCON files set it, where a reference only repeats what another key has;
 * code itself knows the reference: it is a variable of a template that the program fills in (``template_variables``).
A key that is set in files and used only in references is an option, since users set it there.
It lives in the environment if it is written like a variable and no file sets it, or else in the file's domain.
Its type is that of the option whose value it gives, if it is the whole value, or else what names and defaults say.

Invariants: one pass over the values that have ``${``; what a file asks for is kept while the file is the same; without such
names the table of options is the very one that was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

import attrs

from conflens.base.paths import is_test_path
from conflens.base.secrets import SURELY, is_secret_name, is_secret_within
from conflens.checking.placeholder_reads import NameRead, reads
from conflens.checking.placeholder_values import PLAIN
from conflens.checking.recognition import Recognised
from conflens.checking.template_variables import variables
from conflens.documents.configfiles.logging import local
from conflens.documents.configfiles.model import ConfigFile, Format, Kind
from conflens.documents.configfiles.wiring import WIRING
from conflens.models.schema import DomainRow
from conflens.options.inference.by_text import type_of_text
from conflens.options.model import (
    UNLIMITED,
    Default,
    Option,
    OptionTable,
    OptionType,
    Read,
    ReadKind,
)
from conflens.options.names.naming import is_variable, loose
from conflens.options.secret_values import is_hidden, is_secret_option
from conflens.options.value_names import says
from conflens.program.program import Program

_ENVIRONMENT = "environment"
_API = "${…}"
_BUILD = "build"
_PLATFORM = "system-property"


@attrs.frozen
class _Home:
    """Where the names of a file live, and what stands before defaults in it."""

    domain: str
    separator: str
    surely: bool = False
    """Whether the file itself says so, so that equal names elsewhere are others."""
    looked_up: bool = False
    """Whether only names with a look-up (``${env:DB_URL}``) are surely asked for."""


@attrs.frozen
class _Named:
    option: tuple[str, str]
    read: NameRead
    feeds: Option | None


_Asked = tuple[str, _Home, tuple[NameRead, ...]]


class PlaceholderOptions:
    """Adds these options to those of code; keeps what it read of files that stay the same."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self._kept: dict[str, tuple[ConfigFile, str, tuple[NameRead, ...]]] = {}
        self._libraries: tuple[Program, dict[str, bool]] | None = None
        self._last: tuple[OptionTable, tuple[Option, ...], frozenset[str], OptionTable] | None = (
            None
        )

    def extended(self, recognised: Recognised) -> OptionTable:
        """Return the options of code with those of placeholders; ``recognised`` is by the former alone."""
        table = recognised.names.table
        asked = self._asked(recognised)
        if not asked:
            self._last = None
            return table
        meaning = _Meaning(recognised)
        found = tuple(_joined(meaning, asked))
        secret = _feeding_secrets(meaning, asked)
        last = self._last
        if last is None or last[0] is not table or last[1:3] != (found, secret):
            options = [_as_secret(one, secret) for one in (*table.options, *found)]
            whole = OptionTable.of(options, list(table.unresolved))
            last = self._last = table, found, secret, whole
        return last[3]

    # -- files -----------------------------------------------------------------------------------------

    def _asked(self, recognised: Recognised) -> list[_Asked]:
        """Return what files ask for, by file."""
        asked: list[_Asked] = []
        kept: dict[str, tuple[ConfigFile, str, tuple[NameRead, ...]]] = {}
        for path in sorted(recognised.files):
            if is_test_path(path):
                continue
            file = recognised.files[path]
            if file.format in PLAIN or b"${" not in file.text:
                continue
            home = self._home(recognised, file)
            if home is None:
                continue
            known = self._kept.get(path)
            if known is None or known[0] is not file or known[1] != home.separator:
                known = file, home.separator, _from_outside(file, reads(file, home.separator))
            kept[path] = known
            found = tuple(one for one in known[2] if one.domain or not home.looked_up)
            if found:
                asked.append((path, home, found))
        self._kept = kept
        return asked

    def _home(self, recognised: Recognised, file: ConfigFile) -> _Home | None:
        """Return where names in a file live, ``None`` if nothing tells that its references are resolved."""
        if file.format is Format.HOCON:
            return _Home(_PLATFORM, "none") if recognised.is_meant(file.path) else None
        if file.format is Format.LOGGING:
            return _Home(_PLATFORM, ":-")
        rows = recognised.by_domain
        if file.format in WIRING:
            row = next((row for row in rows.values() if file.format.value in row.formats), None)
            surely = file.format is Format.BLUEPRINT
            return _Home(row.domain, row.placeholders, surely) if row is not None else None
        typical = [rows[one] for one in sorted(recognised.typical(file)) if rows[one].placeholders]
        used = _most_used(recognised.names.table, typical) if typical else None
        if used is None:
            used = next((one for one in typical if self._imports(recognised.program, one)), None)
        if used is not None:
            return _Home(used.outside or used.domain, used.placeholders)
        match = recognised.match(file.path)
        if match is None or not match.counts:
            return None
        for domain in sorted(match.domains):
            row = rows.get(domain)
            if row is not None and row.placeholders not in ("", "none"):
                return _Home(row.outside or domain, row.placeholders)
            if row is not None and self._imported(recognised.program, row.substitutors):
                return _Home(_ENVIRONMENT, ":-")
        return _Home(_ENVIRONMENT, ":-", looked_up=True) if b"${env:" in file.text else None

    def _imports(self, program: Program | None, row: DomainRow) -> bool:
        return self._imported(program, row.libraries)

    def _imported(self, program: Program | None, names: Sequence[str]) -> bool:
        """Tell whether a file of the program imports something of these names, or below them."""
        if program is None or not names:
            return False
        if self._libraries is None or self._libraries[0] is not program:
            self._libraries = program, {}
        known = self._libraries[1]
        for name in names:
            if name not in known:
                inner = f"{name}."
                known[name] = any(
                    one.name == name or one.name.startswith(inner)
                    for facts in program.files.values()
                    for one in facts.imports
                )
            if known[name]:
                return True
        return False


def _from_outside(file: ConfigFile, found: tuple[NameRead, ...]) -> tuple[NameRead, ...]:
    """Return what a file asks for but for properties that a logger's file has itself."""
    if file.format is not Format.LOGGING:
        return found
    return tuple(one for one in found if one.domain or local(one.name) not in file.by_name)


def _most_used(table: OptionTable, rows: Sequence[DomainRow]) -> DomainRow | None:
    """Return the domain that most options of code live in, ``None`` if none lives in any of these."""
    counts = {row.domain: 0 for row in rows}
    for option in table.options:
        if option.domain in counts:
            counts[option.domain] += 1
    best = max(rows, key=lambda row: counts[row.domain])
    return best if counts[best.domain] else None


# -- names ---------------------------------------------------------------------------------------------


class _Meaning:
    """What names mean in one program."""

    def __init__(self, recognised: Recognised) -> None:
        self.recognised = recognised
        self._set: dict[str, list[tuple[str, bool]]] = {}
        for path, file in recognised.files.items():
            if file.format not in PLAIN:
                for name, found in file.by_name.items():
                    if any(one.kind is not Kind.SECTION for one in found):
                        hocon = file.format is Format.HOCON
                        self._set.setdefault(loose(name), []).append((path, hocon))
        self._supplied = [
            (row.domain, one.lower())
            for row in recognised.rows
            for one in (*row.supplied, *row.reserved)
        ]
        self._known: dict[tuple[str, str], bool] = {}
        self._homes: dict[str, frozenset[str]] = {}
        self._variables: frozenset[str] | None = None

    def option(self, path: str, home: _Home, one: NameRead) -> tuple[str, str] | None:
        """Return the option that a name is, ``None`` if it is none of its own."""
        surely = home.surely and not one.domain
        hocon = self.recognised.files[path].format is Format.HOCON
        setting = surely or self._setting(path, one.name)
        if setting and (hocon or one.domain):
            return None
        variable = is_variable(one.name) and not setting
        domain = one.domain or (_ENVIRONMENT if variable else home.domain)
        key = domain, one.name
        if key not in self._known:
            self._known[key] = self._elsewhere(domain, home, one.name)
        return None if self._known[key] else key

    def feeds(self, path: str, home: _Home, one: NameRead) -> Option | None:
        """Return the option of code whose value a name gives."""
        match = self.recognised.match(path)
        named = match.options.get(one.key, ()) if match is not None else ()
        if not named:
            named = self.recognised.names.named(one.key, (home.domain,))
        plain = [option for option in named if not option.pattern]
        return plain[0] if one.whole and plain else None

    def _setting(self, path: str, name: str) -> bool:
        """Tell whether a config file of the same program has a key of a name."""
        found = self._set.get(loose(name), ())
        program = self.recognised.program
        if program is None or not found:
            return bool(found)
        modules, key = program.modules, loose(name)
        if key not in self._homes:
            self._homes[key] = frozenset(modules.at(other) for other, _ in found)
        return modules.related_to_any(modules.at(path), self._homes[key])

    def _elsewhere(self, domain: str, home: _Home, name: str) -> bool:
        """Tell whether code, a library, the platform or something else reads or supplies a name."""
        recognised = self.recognised
        surely = home.surely and domain == home.domain
        domains = {domain} if surely else {domain, home.domain, _ENVIRONMENT, _PLATFORM}
        if any(not one.pattern for one in recognised.names.named(name, domains)):
            return True
        if surely:
            return False
        row = recognised.by_domain.get(domain)
        if row is None:
            return True
        if self._is_variable(name):
            return True
        folded = name.lower()
        if domain == _ENVIRONMENT:
            given = {one for owner, one in self._supplied if owner == home.domain == _PLATFORM}
            return folded in given or any(folded == one.lower() for one in row.reserved)
        return any(
            folded == one or folded.startswith(f"{one}.")
            for owner, one in self._supplied
            if owner in (domain, _BUILD, _PLATFORM)
        )

    def _is_variable(self, name: str) -> bool:
        """Tell whether the program itself fills in what stands for a name."""
        if self._variables is None:
            program = self.recognised.program
            self._variables = (
                variables(program, self.recognised.roles) if program is not None else frozenset()
            )
        return name in self._variables


def _joined(meaning: _Meaning, asked: Iterable[_Asked]) -> Iterator[Option]:
    """Yield one option for each name."""
    groups: dict[tuple[str, str], list[_Named]] = {}
    rows = meaning.recognised.by_domain
    for path, home, found in asked:
        for one in found:
            key = meaning.option(path, home, one)
            if key is None:
                continue
            domain, name = key
            row = rows.get(domain)
            same = (domain, loose(name)) if row is not None and row.relaxed else key
            groups.setdefault(same, []).append(_Named(key, one, meaning.feeds(path, home, one)))
    for named in groups.values():
        yield _option(named)


def _feeding_secrets(meaning: _Meaning, asked: Iterable[_Asked]) -> frozenset[str]:
    """Return the names, as ``loose`` makes them, whose values are given to secrets as they are, over any number of keys."""
    feeding: dict[str, set[str]] = {}
    secret: list[str] = []
    for path, home, found in asked:
        for one in found:
            # What an outer reference has for a default is the whole value, too.
            if one.whole or (one.default is not None and one.default == one.value):
                feeding.setdefault(loose(one.key), set()).add(loose(one.name))
                option = meaning.feeds(path, home, one)
                by_option = option is not None and is_secret_option(option)
                if by_option or is_secret_name(one.key) or is_secret_name(one.under):
                    secret.append(loose(one.key))
    met: set[str] = set()
    while secret:
        more = feeding.pop(secret.pop(), set()) - met
        met |= more
        secret += more
    return frozenset(met)


def _as_secret(option: Option, secret: Set[str]) -> Option:
    if option.target or not secret or loose(option.name) not in secret:
        return option
    return attrs.evolve(option, target=SURELY)


def _option(named: Sequence[_Named]) -> Option:
    domain, name = named[0].option
    secret = any(_gives_secret(one) for one in named)
    made = tuple(
        Read(
            one.read.place,
            one.read.name_place,
            one.read.place.end,
            ReadKind.PLACEHOLDER,
            one.read.key,
            _API,
            _default(one.read, secret),
            shows_name=True,
            shows_default=True,
            unused=False,
        )
        for one in sorted(named, key=lambda one: (one.read.place, one.read.name_place))
    )
    defaults = tuple(dict.fromkeys(read.default for read in made if read.default is not None))
    fed = {option.key: option for one in named if (option := one.feeds) is not None}
    all_feed = all(one.feeds is not None for one in named)
    types = {option.type for option in fed.values()}
    if all_feed and len(types) == 1 and OptionType.UNKNOWN not in types:
        option = next(iter(fed.values()))
        alone = len(fed) == 1
        own = says(name).text if option.type is OptionType.STRING else None
        return Option(
            name,
            domain,
            own or option.type,
            f"the value of {option.name}",
            option.values if alone else (),
            option.unit if alone else "",
            defaults,
            False,
            "",
            (),
            made,
            option.limits if alone else UNLIMITED,
            target=next((one.target for one in fed.values() if one.target), ""),
        )
    texts = {default.text for default in defaults}
    keys = {one.read.key for one in named if one.read.whole}
    names = [name, *(keys if len(keys) == 1 else ())]
    said = type_of_text(names, texts.pop() if len(texts) == 1 else None)
    return Option(name, domain, said.type, said.why, (), said.unit, defaults, False, "", (), made)


def _default(one: NameRead, secret: bool) -> Default | None:
    return None if one.default is None else Default(one.default, one.default_place, secret=secret)


def _gives_secret(named: _Named) -> bool:
    """Tell whether a default stands under a key of a secret, by its name or by what code does with it."""
    text, option = named.read.default, named.feeds
    if text is None:
        return False
    by_option = option is not None and is_hidden(option, text)
    names = (named.read.key, named.read.under)
    return by_option or any(is_secret_within(name, named.read.value, text) for name in names)
