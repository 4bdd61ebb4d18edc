"""What is known of a project's configuration options: the result of discovery.

An *option* is a ``(domain, name)``; a *read* is the program point where its value enters the
program.  An option whose name has a dynamic part is a *pattern*, its name holding ``*``.
Everything here is frozen, sorted and a pure function of the program and the model rows.

Absent: documentation (joined in ``session.Analysis``) and flows (step 2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

import attrs

from conflens.base.paths import is_test_path
from conflens.base.span import Place

_TO_BE_WRITTEN = re.compile(r"(?i)\s*(?:tb[dac]|todo|fixme|n/a|none|[-.?]*)[.:!]?\s*\Z")


class OptionType(StrEnum):
    """The types that are distinguished (Rabkin, Table 4.2, with ``size`` split off and ``map``)."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    FRACTION = "fraction"
    STRING = "string"
    MODE = "mode"
    CLASS = "class"
    FILE = "file"
    TIME = "time"
    SIZE = "size"
    ADDRESS = "address"
    PORT = "port"
    URI = "uri"
    REGEX = "regex"
    LIST = "list"
    MAP = "map"
    PASSWORD = "password"
    UNKNOWN = "unknown"


NUMERIC = frozenset(
    {
        OptionType.INTEGER,
        OptionType.FRACTION,
        OptionType.TIME,
        OptionType.SIZE,
        OptionType.PORT,
    }
)
"""The types whose values are numbers, perhaps with a unit."""


class ReadKind(StrEnum):
    """How a read looks in the source."""

    CALL = "call"
    """A call of a known or inferred API."""
    ANNOTATION = "annotation"
    """An annotated field, parameter or method that a container fills."""
    FIELD = "field"
    """A load of a field of a class that is bound from a file."""
    DISPATCH = "dispatch"
    """A comparison of a key or argument with a constant."""
    PLACEHOLDER = "placeholder"
    """A reference in the value of a config file; ``method`` is the key of that value."""


@attrs.frozen
class Default:
    """A default stated at one place: ``text`` as a user would write the value.

    ``implied``: nobody wrote it for this option, it is what a primitive member holds that is not set, or what a method gives
    for any option.  ``secret``: a config file makes it of what it gives to a secret.
    """

    text: str
    place: Place
    implied: bool = False
    secret: bool = False


@attrs.frozen
class Read:
    """One read.

    ``place`` is the call, annotation, load or comparison; ``name_place`` is where the name stands
    in it (argument, field name, case label).  ``anchor`` is a byte offset at which an editor puts
    what it adds after the read (the end of the call).  ``method`` is ``Type.method`` of the
    enclosing member.  ``api`` names the API as a person would: ``Integer.getInteger``,
    ``SettingsBase.get``.  ``default`` is the resolved default, if one is given here.
    ``shows_name`` and ``shows_default`` say whether the source shows them literally on the spot.
    ``unused`` means that nothing in the program uses the value.  ``accepts`` is what texts this read takes, as in
    ``Limits``.  ``guessed``: only what an object is asked for makes this a read.
    """

    place: Place
    name_place: Place
    anchor: int
    kind: ReadKind
    method: str
    api: str
    default: Default | None
    shows_name: bool
    shows_default: bool
    unused: bool
    accepts: str = ""
    guessed: bool = False


@attrs.frozen
class Declaration:
    """Where an option is declared: a constant with its name, a bound field, a definition call.

    ``kind``: ``constant``, ``field``, ``definition``.  ``place`` is the declared name, ``scope``
    the whole declaration.
    """

    place: Place
    scope: Place
    kind: str
    symbol: str


@attrs.frozen
class Limits:
    """What a value must keep to, as code states it; ``None`` and empty where it states nothing.

    ``minimum`` and ``maximum`` are inclusive, in the option's own unit; ``above`` and ``under`` exclude their value.
    ``closed`` says that ``Option.values`` are all there are (any other value fails).  ``supertype`` is the qualified type
    that a class named by the value must have (``getClass(name, default, Codec.class)``).  ``place`` is where this is said.
    ``ignores_case``: closed values match in any case; ``joints``: and with ``-`` for ``_``.  ``asked``: conditions alone read
    the option, and ``Option.values`` are all that they ask for, so that no other value has an effect; ``compared``: all texts that
    code compares the value with, where further code reads it that knows no other one.  ``accepts`` is what texts the reading code takes, where that is
    sure: one of ``models.words.Syntax``, or empty.
    """

    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    under: float | None = None
    closed: bool = False
    supertype: str = ""
    place: Place | None = None
    ignores_case: bool = False
    accepts: str = ""
    joints: bool = False
    asked: bool = False
    compared: tuple[str, ...] = ()


UNLIMITED = Limits()


class Effect(StrEnum):
    """What becomes of a value outside of a bound."""

    THROWS = "throws"
    """An exception rejects it."""
    FAILS = "fails"
    """An exception ends each use of it, perhaps in another thread, or is handled by something that goes on."""
    RAISED = "raised"
    """It counts as the bound, which is higher."""
    LOWERED = "lowered"
    RESET = "reset"
    """It counts as some other value."""
    IGNORED = "ignored"
    """It is not used; something else runs instead."""
    OFF = "off"
    """What the option is for does not run."""
    UNLIMITED = "unlimited"
    """What the option limits is not limited."""


@attrs.frozen
class Adjustment:
    """What becomes of the values on one side of a bound.

    Values below (``lower``), above (``upper``) or equal to (``not``) ``value`` are outside; ``strict``: of the first two, so is ``value``.
    ``name`` is how code calls a bound that only the run knows, and ``value`` nothing then.  ``to`` is what values outside count as: a
    number in the option's own unit, or how code calls it.  ``holder`` is the field that holds such a bound, if it is no constant: it may be
    that of another option (``Option.held``).
    """

    bound: str
    value: float
    strict: bool
    name: str
    effect: Effect
    to: str
    place: Place
    holder: str = ""

    @property
    def says(self) -> tuple[object, ...]:
        """What is said, wherever it stands."""
        return self.bound, self.value, self.strict, self.name, self.effect, self.to

    def concerns(self, number: float) -> bool:
        """Tell whether a value is outside of the bound, where that is a number."""
        if self.name:
            return False
        match self.bound:
            case "lower":
                return number < self.value or (self.strict and number == self.value)
            case "upper":
                return number > self.value or (self.strict and number == self.value)
            case _:
                return number == self.value


@attrs.frozen
class Option:
    """Everything known of one option.

    ``type`` is ``unknown`` rather than a guess; ``why`` says what the type was inferred from.
    ``values`` are the allowed values of a mode; ``unit`` is ``ms``, ``s``, ``ns``, ``us``,
    ``min``, ``h``, ``d``, ``bytes``, ``KB``, ``MB``, ``count``, ``ratio``, ``percent`` or empty.
    ``conflict`` means that reads give different defaults.  ``deprecated`` is empty, or what there is to say (``use a.b``,
    or ``deprecated`` where nothing else is known).  ``commented``: the description is a comment beside code, which no
    page is made of, rather than a text in the declaration.  ``aliases`` are further domains and names of the option: a variable of
    the environment and a property that are tried in turn.  ``target``: the name of a secret that code puts the value into, or
    takes its default from, whatever the option is called.  ``told``: a library reads it below a name that code tells, and describes it.
    ``adjusted``: what becomes of values outside of bounds, beside what ``limits`` say.  ``held``: the fields that hold its value as it is set.
    """

    name: str
    domain: str
    type: OptionType
    why: str
    values: tuple[str, ...]
    unit: str
    defaults: tuple[Default, ...]
    conflict: bool
    description: str
    declarations: tuple[Declaration, ...]
    reads: tuple[Read, ...]
    limits: Limits = UNLIMITED
    deprecated: str = ""
    commented: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    target: str = ""
    told: bool = False
    adjusted: tuple[Adjustment, ...] = ()
    held: tuple[str, ...] = ()

    @property
    def stated(self) -> str:
        """What the declaration itself says of the option, as an argument or an annotation: pages are made of such texts.

        What only holds the place of a description, such as ``TBD``, says nothing.
        """
        return "" if self.commented or _TO_BE_WRITTEN.match(self.description) else self.description

    @property
    def pattern(self) -> bool:
        """Whether a part of the name is dynamic."""
        return "*" in self.name

    @property
    def key(self) -> tuple[str, str]:
        """The identity of the option."""
        return self.domain, self.name

    @cached_property
    def program_reads(self) -> tuple[Read, ...]:
        """The reads outside of tests."""
        return tuple(read for read in self.reads if not is_test_path(read.place.path))

    @cached_property
    def is_substituted(self) -> bool:
        """Whether nothing reads the option but references in values of config files."""
        return bool(self.reads) and all(read.kind is ReadKind.PLACEHOLDER for read in self.reads)

    @cached_property
    def is_dead(self) -> bool:
        """Whether the program reads the option and uses no value that it reads."""
        return bool(self.program_reads) and all(read.unused for read in self.program_reads)

    @cached_property
    def stated_defaults(self) -> Mapping[Place, str]:
        """Where a person sees a default take effect, in order: at the reads that give one, and in declarations."""
        stated: dict[Place, str] = {}
        for read in self.reads:
            if read.default is not None:
                inside = read.default.place.path == read.place.path and (
                    read.place.start <= read.default.place.start <= read.place.end
                )
                place = read.default.place if inside else read.name_place
                stated[place] = read.default.text
        held = {read.default for read in self.reads}
        for default in self.defaults:
            if default not in held:
                stated.setdefault(default.place, default.text)
        return dict(sorted(stated.items()))


@attrs.frozen
class Unresolved:
    """A read whose name is not known; ``reason`` is one line for a person."""

    place: Place
    method: str
    api: str
    domain: str
    reason: str


@attrs.frozen
class OptionTable:
    """All options of a program, sorted by name, with indexes by file (sorted by offset)."""

    options: tuple[Option, ...]
    unresolved: tuple[Unresolved, ...]
    reads_in: Mapping[str, tuple[tuple[Read, Option], ...]] = attrs.field(repr=False)
    declarations_in: Mapping[str, tuple[tuple[Declaration, tuple[Option, ...]], ...]] = (
        attrs.field(repr=False)
    )

    @cached_property
    def by_field(self) -> Mapping[str, tuple[Option, ...]]:
        """The options by the fields that hold their values as they are set."""
        found: dict[str, list[Option]] = {}
        for option in self.options:
            for field in option.held:
                found.setdefault(field, []).append(option)
        return {field: tuple(options) for field, options in found.items()}

    @staticmethod
    def of(options: list[Option], unresolved: list[Unresolved]) -> OptionTable:
        """Sort and index."""
        ordered = tuple(sorted(options, key=lambda option: (option.name, option.domain)))
        reads: dict[str, list[tuple[Read, Option]]] = {}
        declarations: dict[str, dict[Declaration, list[Option]]] = {}
        for option in ordered:
            for read in option.reads:
                reads.setdefault(read.place.path, []).append((read, option))
            for declaration in option.declarations:
                places = declarations.setdefault(declaration.place.path, {})
                places.setdefault(declaration, []).append(option)
        return OptionTable(
            ordered,
            tuple(sorted(unresolved, key=lambda item: item.place)),
            {path: tuple(sorted(found, key=_order)) for path, found in reads.items()},
            {
                path: tuple(
                    (declaration, tuple(owners))
                    for declaration, owners in sorted(
                        found.items(), key=lambda pair: (pair[0].place.start, pair[0].place.end)
                    )
                )
                for path, found in declarations.items()
            },
        )


def _order(pair: tuple[Read, Option]) -> tuple[int, int, str]:
    """Order the reads of one file."""
    place = pair[0].place
    return place.start, place.end, pair[1].name
