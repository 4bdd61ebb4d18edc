"""Raw findings: where a value enters, before names are joined into options.

A ``Site`` is one program point that reads an option; a ``Found`` is a declaration of an option without a read (a
definition call, a bound field, an annotated element).  An ``Api`` is a project method that reads the
option its caller names: inferred from sites whose name has a hole.

Values are given as (``MemberRef``, instruction) pairs, so a finding can be kept while other files change.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import attrs

from conflens.options.model import UNLIMITED, Adjustment, Limits, OptionType, ReadKind
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates

DESCRIBED = "described"
"""The domain of options that library objects describe (``learned.option_objects``): nothing but these objects names them."""


@attrs.frozen
class Hint:
    """What an API, annotation or definition itself says of an option's value.

    ``type`` ``None``: nothing.  ``java_type`` is the qualified type of a bound element (``int``,
    ``java.time.Duration``, a project enum), from which a type may follow.  ``values``: allowed values.
    ``limits`` are those that the statement itself gives; ``deprecated`` as in ``Option``.
    ``presence``: ``type`` is only a guess, from a condition that asks whether the option is there and not ``false``.
    ``converter`` is the qualified class that makes the value of its text, where the declaration names one.
    ``members``: whether the value is an object with members of its own; ``None``: that its class says.
    ``target``: the name of the secret whose default the option is.
    """

    type: OptionType | None = None
    unit: str = ""
    values: tuple[str, ...] = ()
    java_type: str = ""
    limits: Limits = UNLIMITED
    deprecated: str = ""
    presence: bool = False
    converter: str = ""
    members: bool | None = None
    target: str = ""


NO_HINT = Hint()


class Doubt(StrEnum):
    """Why an object whose name says that it is configuration may be something else."""

    NONE = ""
    WEAK = "weak"
    """Its name says nothing, and a name on the way to it is that of data."""
    FAINT = "faint"
    """Nothing says what it is, and it is asked for plain words."""
    NESTED = "nested"
    """Its name says only that something is given, and it holds any objects."""
    DATA = "data"
    """What it is made from is data."""
    HANDED = "handed"
    """Such a value is also put there by a part of the program."""
    INHERITED = "inherited"
    """The look-up would have to come from a library's class that is not known."""
    AGAINST = "against"
    """Its own name is that of data."""


class Named(NamedTuple):
    """A class one of whose constants is the name that is looked up; ``entered``: in what is known to come from where configuration enters."""

    owner: str
    entered: bool


class Lookups(NamedTuple):
    """A class that answers lookups in a map of its own and may hold configuration; ``against``: its name or what it is filled with speaks against."""

    owner: str
    against: bool


@attrs.frozen
class Site:
    """A read of one option at one program point.

    ``value`` is the instruction whose value is the option's (the call; the load; for a dispatch the
    comparison).  ``name_value`` is the instruction that names it (``NONE`` (-1): named otherwise; then
    ``name_at``/``name_end`` say where, as absolute offsets, or the site's own place).
    ``names`` are in terms of the member (holes: see ``program.values``).
    ``default`` are the alternatives of the default argument, ``default_value`` its instruction.
    ``at``/``end`` are absolute byte offsets of the read, ``anchor`` where an editor adds a hint.
    ``through`` is the wrapper that is called, if it is not a known API.
    ``sure`` is false when only names and shapes say that the object is configuration.
    ``followed`` is the instruction from which the option's value is followed for type and use;
    ``NONE`` when it cannot be followed.
    ``by_object``: the option is named by an object of the project (its ``SelfField``), which may state the default.
    ``implied``: nobody wrote the default for this option, it is what the call gives for any that is not set.
    ``guessed``: the object that is asked is of unclear role, and only what it is asked for makes this a read.
    ``doubt``: what must be known beside for it to be a read; ``lookups``: the class that must turn out to hold configuration.
    ``tree``: the parameter that gives the tree which is asked; a call must tell whether that is configuration.
    ``named``: the class of constants that has the name, if an object is asked of which only its role tells what it holds.
    ``kept``: where the value is, if the wrapper that is called keeps it instead of giving it back.
    ``part``: the parameter that gives the part of the configuration which is asked; a call tells its prefix.  ``start``: the prefixes that
    all calls give.  ``asked``: the names without that of the part of a map which is asked.
    ``map``: the map that is asked, of which only names say that it is configuration.
    """

    ref: MemberRef
    value: int
    kind: ReadKind
    domain: str
    api: str
    names: Templates
    name_value: int
    at: int
    end: int
    anchor: int
    name_at: int
    name_end: int
    default: Templates | None = None
    default_value: int = -1
    hint: Hint = NO_HINT
    presence: bool = False
    followed: int = -1
    depth: int = 0
    sure: bool = True
    through: MemberRef | None = None
    by_object: bool = False
    implied: bool = False
    doubt: Doubt = Doubt.NONE
    lookups: Lookups | None = None
    tree: int = -1
    named: Named | None = None
    kept: tuple[MemberRef, int] | None = None
    part: int = -1
    start: Templates = ()
    guessed: bool = False
    asked: Templates = ()
    map: int = -1


@attrs.frozen
class Found:
    """A declaration of an option: definition call, bound field or component, annotated element.

    ``kind``: ``constant``, ``field``, ``definition``.  Offsets are absolute: ``at``/``end`` the declared name, ``scope_at``/``scope_end`` all of it.
    ``default`` is the text of the stated default; its place is ``default_at``/``default_end``.
    ``is_read``: the declaration itself brings the value in (an injected field): it counts as a read of kind
    ``annotation``.  ``member``: the field, component or method that holds the value, if one does:
    loads of it are where the option's value is used.
    ``loads_are_reads``: each load of ``member`` is a read of its own (YAML-bound configuration classes).
    ``parameter``: the value is that of this parameter of ``enters``, from 0.
    ``implied``: nobody wrote the default, it is the one that a field of the primitive type has.
    ``inside``: the bound class whose member it is, of a member that is a map with any keys.  ``aliases``: other names that it states.
    ``holder``: the bound class, which may inherit ``member``.  ``around``: the members of other bound classes, outermost first, that hold its
    objects.
    """

    domain: str
    name: str
    kind: str
    path: str
    at: int
    end: int
    scope_at: int
    scope_end: int
    symbol: str
    api: str
    default: str | None = None
    default_at: int = -1
    default_end: int = -1
    hint: Hint = NO_HINT
    description: str = ""
    is_read: bool = False
    member: MemberRef | None = None
    loads_are_reads: bool = False
    enters: MemberRef | None = None
    parameter: int = -1
    implied: bool = False
    inside: str = ""
    holder: str = ""
    aliases: tuple[str, ...] = ()
    around: tuple[MemberRef, ...] = ()


@attrs.frozen
class Api:
    """A project method that reads the option named by its caller.

    ``names`` and ``default`` are in terms of the method: ``Param`` is its argument, ``SelfField`` a
    field of its receiver.  ``depth`` counts the wrappers between it and the known API.
    ``implied``: the default is one that nobody wrote.
    ``at``/``end`` are offsets of the read inside it, from the member's start, ``inner`` the API that is called there
    and ``through`` the wrapper, if it is one.  ``named``: part of the name is fixed, so that the read itself is a pattern where no caller tells
    the rest.  ``lookups``: the class that must turn out to hold configuration.  ``alone``: the names on any object of its class, where
    these are all known.  ``tree``: the parameter whose argument must be configuration.  ``kept``: the instruction that gives the
    value, and its member, if the method puts it somewhere instead of giving it back.  ``part``: the parameter whose argument is the part
    of the configuration that is asked; ``start``: the prefixes that all calls give it.  ``map``: the parameter whose argument is a map that is
    asked, and that must not be data.
    """

    ref: MemberRef
    domain: str
    api: str
    names: Templates
    default: Templates | None
    hint: Hint
    presence: bool
    depth: int
    named: bool = False
    sure: bool = True
    at: int = -1
    end: int = -1
    inner: str = ""
    through: MemberRef | None = None
    implied: bool = False
    lookups: Lookups | None = None
    tree: int = -1
    alone: Templates = ()
    kept: tuple[MemberRef, int] | None = None
    part: int = -1
    start: Templates = ()
    map: int = -1


@attrs.frozen
class Inference:
    """What following a value says: type, what it was inferred from, values, unit, whether it is used.

    ``files`` are the paths whose bodies were looked at; it stays valid until one of them changes, or
    another file begins to use one of ``names``, the fields and methods that held the value.
    ``allowed`` is the closed set, if ``limits`` has one.  ``implied``: nobody wrote the default.
    ``instead``: what the program goes on with where it gets the default of the read.  ``target``: the name of a secret that
    the value is put into, or its default taken from.  ``compared``: the words that the value is compared with, if code does
    nothing else with it by which it could know another one.  ``adjusted``: what becomes of numbers outside of bounds, ``held``: the
    fields that hold them as they are set.
    """

    type: OptionType
    why: str
    values: tuple[str, ...]
    unit: str
    unused: bool
    default: str | None
    files: frozenset[str]
    names: frozenset[str] = frozenset()
    limits: Limits = UNLIMITED
    allowed: tuple[str, ...] = ()
    implied: bool = False
    instead: str | None = None
    target: str = ""
    compared: tuple[str, ...] | None = None
    adjusted: tuple[Adjustment, ...] = ()
    held: frozenset[str] = frozenset()


@attrs.frozen
class Finding:
    """A read or a declaration under one resolved name, with what following its value says."""

    name: str
    site: Site | None
    found: Found | None
    inference: Inference

    @property
    def domain(self) -> str:
        """Return the domain of what was found."""
        found = self.site or self.found
        return found.domain if found is not None else ""

    @property
    def target(self) -> str:
        """Return the name of the secret that the value goes into, or whose default it is; empty for none."""
        found = self.site or self.found
        return self.inference.target or (found.hint.target if found is not None else "")
