"""Options by the names people write: exact, relaxed, by pattern, and nearly right.

Terms
    relaxed     a domain (``models/domains.toml``) in which spellings that differ in case, ``-`` and ``_`` are one name.
    environment a relaxed option may be written as a variable (``SERVER_PORT`` for ``server.port``), and so may the
                options of other domains that say so.
    near        a name that one typo makes of another: a letter left out, put in, mistaken or two swapped, case,
                doubled or other separators, words in another order (ConfErr's errors).

Everything is made at first use and kept, so that an index costs nothing while nobody asks; asking is safe from several
threads (two may make the same index, with equal results).  A pure function of the option table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

import attrs

from conflens.options.model import Option, OptionTable
from conflens.options.names.patterns import Patterns
from conflens.options.names.patterns import loose as loose
from conflens.options.names.spelling import Spelling, Spelt, likeness

_INDEX = re.compile(r"\[(\d*)\]")
_QUOTED_PART = re.compile(r"\[([^\[\]]*)\]")
_JOINTS = re.compile(r"[-_]")
_NOT_IN_VARIABLE = re.compile(r"[^A-Za-z0-9]+")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_MAX_NAME = 500
_MAX_ASKED = 20_000
_LETTERS = 5


@attrs.frozen
class Near:
    """A known option whose name is nearly a given one.  ``name`` is what to write in its place (an instance, if the option
    is a pattern); ``distance`` is how many typos lie between, ``surely`` whether hardly anything else can be meant."""

    option: Option
    name: str
    distance: int
    surely: bool


@attrs.frozen
class _Names:
    """Options by the texts that they go by."""

    exact: Mapping[str, tuple[Option, ...]]
    relaxed: Mapping[str, tuple[Option, ...]]
    variables: Mapping[str, tuple[Option, ...]]


@attrs.frozen(eq=False)
class Alphabet:
    """All options in the order of their names, whatever their case, in columns to run through: ``lowers`` are the names in
    small letters, ``loosely`` loose ones, ``namespaces`` what comes before the last dot, in small letters."""

    options: tuple[Option, ...]
    names: tuple[str, ...]
    lowers: tuple[str, ...]
    loosely: tuple[str, ...]
    namespaces: tuple[str, ...]
    patterns: tuple[int, ...]
    """The numbers of those whose names are patterns."""

    @staticmethod
    def of(table: OptionTable) -> Alphabet:
        """Return the alphabet of a table."""
        options = sorted(
            table.options, key=lambda option: (option.name.lower(), option.name, option.domain)
        )
        names = tuple(option.name for option in options)
        lowers = tuple(name.lower() for name in names)
        return Alphabet(
            tuple(options),
            names,
            lowers,
            tuple(loose(name) for name in names),
            tuple(name.rpartition(".")[0] for name in lowers),
            tuple(at for at, name in enumerate(names) if "*" in name),
        )

    def beginning(self, prefix: str) -> tuple[int, int]:
        """Return the first and one past the last number of the names that begin with ``prefix``, in small letters."""
        return _starting(self.lowers, prefix)


class Names:
    """See the module text."""

    def __init__(
        self,
        options: OptionTable,
        relaxed: frozenset[str] = frozenset(),
        variables: frozenset[str] = frozenset(),
    ) -> None:
        self.table = options
        self.relaxed = relaxed
        self.variables = variables | relaxed
        self._asked: dict[tuple[str, frozenset[str] | None], tuple[Near, ...]] = {}
        self._answered: dict[tuple[str, frozenset[str] | None], tuple[Option, ...]] = {}

    def named(self, name: str, domains: Collection[str] | None = None) -> tuple[Option, ...]:
        """Return the options that a key of this name sets: exactly named ones before relaxed ones before patterns."""
        if not name or len(name) > _MAX_NAME:
            return ()
        asked = (name, None if domains is None else frozenset(domains))
        found = self._answered.get(asked)
        if found is None:
            if len(self._answered) >= _MAX_ASKED:
                self._answered = {}
            found = self._answered[asked] = self._named(name, asked[1])
        return found

    def _named(self, name: str, domains: frozenset[str] | None) -> tuple[Option, ...]:
        names = self._names
        found: dict[tuple[str, str], Option] = {}
        spellings = tuple(_spellings(name))
        for spelling in spellings:
            _add(found, names.exact.get(spelling, ()), domains)
        if names.relaxed:
            for spelling in spellings:
                _add(found, names.relaxed.get(loose(spelling), ()), domains)
        if names.variables and _VARIABLE.fullmatch(name):
            _add(found, names.variables.get(name, ()), domains)
            _add(found, names.variables.get(name.replace("_", ""), ()), domains)
        for spelling in spellings:
            _add(found, self._patterns.of(spelling), domains)
        return tuple(found.values())

    def near(
        self, name: str, domains: Collection[str] | None = None, limit: int = 5
    ) -> tuple[Near, ...]:
        """Return options that may be meant by a name that is none, most likely first."""
        if not name or len(name) > _MAX_NAME:
            return ()
        asked = (name, None if domains is None else frozenset(domains))
        found = self._asked.get(asked)
        if found is None:
            if len(self._asked) >= _MAX_ASKED:
                self._asked = {}
            found = self._near(name, asked[1])
            if ".[@" in name and not (found and found[0].surely):
                tight = self._near(name.replace(".[@", "[@"), asked[1])
                found = (
                    tuple(attrs.evolve(one, name=one.name.replace("[@", ".[@")) for one in tight)
                    or found
                )
            self._asked[asked] = found
        return found[:limit]

    def _near(self, name: str, domains: frozenset[str] | None) -> tuple[Near, ...]:
        bare = _INDEX.sub("", name)
        spelt = [one for one in self._spelling.near(bare) if self._by_name(one.name, domains)]
        patterns = self._patterns.near(name.lstrip("-"))
        spelt += [one for one in patterns if self._by_name(one.name, domains)]
        spelt.sort(key=lambda one: one.rank(bare))
        # Where only case, separators or order differ, no letter can be wrong besides.
        least = [one for one in spelt if _weight(one) == _weight(spelt[0])]
        only = len({one.name.rpartition("\n")[2] for one in least}) == 1
        found: dict[str, Near] = {}
        for one in spelt:
            if "*" in one.name:
                head, _, written = one.name.partition("\n")
                option = self._by_name(head, domains)[0]
                sure = self._sure_pattern(head, one)
            else:
                option = self._by_name(one.name, domains)[0]
                written = self._written(name, bare, option)
                sure = self._spelling.sure(bare, one)
            if written != name and written not in found:
                found[written] = Near(
                    option, written, one.distance, only and one in least and sure
                )
        return tuple(found.values())

    def below(self, prefix: str, domains: Collection[str] | None = None) -> tuple[Option, ...]:
        """Return the options whose names begin with a prefix, sorted by name."""
        found: dict[tuple[str, str], Option] = {}
        names, options = self._sorted
        _add(found, options[slice(*_starting(names, prefix))], domains)
        if self.relaxed:
            names, options = self._sorted_relaxed
            _add(found, options[slice(*_starting(names, loose(prefix)))], domains)
        return tuple(sorted(found.values(), key=lambda option: (option.name, option.domain)))

    def any_below(self, prefix: str, domains: Collection[str] | None = None) -> bool:
        """Whether the name of any option begins with a prefix."""
        names, options = self._sorted
        start, end = _starting(names, prefix)
        if any(domains is None or options[at].domain in domains for at in range(start, end)):
            return True
        if not self.relaxed:
            return False
        names, options = self._sorted_relaxed
        start, end = _starting(names, loose(prefix))
        return any(domains is None or options[at].domain in domains for at in range(start, end))

    @cached_property
    def alphabet(self) -> Alphabet:
        """The options in the order of their names."""
        return Alphabet.of(self.table)

    # -- indexes ---------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> _Names:
        exact: dict[str, list[Option]] = {}
        relaxed: dict[str, list[Option]] = {}
        variables: dict[str, list[Option]] = {}
        for option in self.table.options:
            name = option.name
            for spelt in (name, *(alias for _, alias in option.aliases)):
                exact.setdefault(spelt, []).append(option)
            if option.pattern:
                continue
            if option.domain in self.relaxed:
                relaxed.setdefault(loose(name), []).append(option)
            if option.domain in self.variables:
                for variable in {variable_of(name), variable_of(_JOINTS.sub("", name))}:
                    variables.setdefault(variable, []).append(option)
        return _Names(_frozen(exact), _frozen(relaxed), _frozen(variables))

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(option.name for option in self.table.options if not option.pattern)

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.table.options, self.relaxed)

    @cached_property
    def _sorted(self) -> tuple[tuple[str, ...], tuple[Option, ...]]:
        options = sorted(self.table.options, key=lambda option: option.name)
        return tuple(option.name for option in options), tuple(options)

    @cached_property
    def _sorted_relaxed(self) -> tuple[tuple[str, ...], tuple[Option, ...]]:
        pairs = sorted(
            (
                (loose(option.name), option)
                for option in self.table.options
                if option.domain in self.relaxed
            ),
            key=lambda pair: pair[0],
        )
        return tuple(name for name, _ in pairs), tuple(option for _, option in pairs)

    # -- parts -----------------------------------------------------------------------------------

    def _by_name(self, name: str, domains: Collection[str] | None) -> tuple[Option, ...]:
        found = self._names.exact.get(name.partition("\n")[0], ())
        return tuple(one for one in found if domains is None or one.domain in domains)

    def _sure_pattern(self, pattern: str, spelt: Spelt) -> bool:
        literal = sum(map(len, pattern.split("*")))
        return (
            len(spelt.meant) >= _LETTERS
            and literal >= _LETTERS
            and spelt.damaged not in self._spelling.words
            and (not spelt.damaged or likeness(spelt.damaged, spelt.meant) > 0)
        )

    def _written(self, name: str, bare: str, option: Option) -> str:
        """How an option is written in the place of ``name``, with its indices and as a variable if it was one."""
        if option.domain in self.variables and _VARIABLE.fullmatch(name) and "_" in name:
            return variable_of(_JOINTS.sub("", option.name))
        if bare == name:
            return option.name
        typed, meant = name.split("."), option.name.split(".")
        if len(typed) != len(meant):
            return option.name
        return ".".join(
            right + "".join(index[0] for index in _INDEX.finditer(wrong))
            for wrong, right in zip(typed, meant, strict=True)
        )


def _weight(spelt: Spelt) -> tuple[int, bool]:
    return spelt.distance, bool(spelt.damaged)


def is_variable(name: str) -> bool:
    """Tell whether a name is written like a variable of the environment."""
    return _VARIABLE.fullmatch(name) is not None


def variable_of(name: str) -> str:
    """Return an option's name as an environment variable."""
    return _NOT_IN_VARIABLE.sub("_", name).upper()


def _spellings(name: str) -> Iterator[str]:
    """A name, then with or without a dot before an attribute, without indices, with them as segments, and without the dashes of a flag."""
    yield name
    if "[@" in name[1:]:
        tight = name.replace(".[@", "[@")
        yield tight if tight != name else name.replace("[@", ".[@")
    if "[" in name:
        bare = _INDEX.sub("", name)
        if bare != name:
            yield bare
        yield _QUOTED_PART.sub(r".\1", name).lstrip(".")
    if name.startswith("--"):
        yield name[2:]


def _starting(names: tuple[str, ...], prefix: str) -> tuple[int, int]:
    return bisect_left(names, prefix), bisect_left(names, prefix + "\U0010ffff")


def _add(
    found: dict[tuple[str, str], Option],
    options: Iterable[Option],
    domains: Collection[str] | None,
) -> None:
    for option in options:
        if domains is None or any(one in domains for one, _ in (option.key, *option.aliases)):
            found.setdefault(option.key, option)


def _frozen(found: Mapping[str, list[Option]]) -> dict[str, tuple[Option, ...]]:
    return {name: tuple(options) for name, options in found.items()}
