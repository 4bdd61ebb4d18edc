"""What a config file says: assignments with their places, and the context of a cursor in it.

Terms
    assignment  a key with its value, in effect (what is commented out belongs to the harvesters).
    name        the whole name of a key: the segments of its path joined by ``.``, elements of a list as ``[0]``
                (``servers[0].host``), as a program would ask for it: escapes resolved, quotes dropped.
    segment     one part of a path as it stands in the file: ``a.b`` of a properties file is one segment, the two
                keys of nested YAML are two.  A key below another shares its segments.
    document    a part of a file that stands for itself (``---`` in YAML, ``#---`` in Spring's properties).

Offsets: the readers of single formats count characters of a ``str`` from its start; ``parsing`` hands out the same
classes counting bytes of the file's text as UTF-8, as everywhere else.  All ranges are half-open.
Invariants: assignments are in the order of the file; ranges lie within the text and do not depend on whether the rest
of the file is well-formed; any text at all gives a file, in time linear in its length and bounded memory: aliases and
merges are followed at most ``MAX_MERGED`` assignments a file, depth at most ``MAX_DEPTH``.
Absent: which option a name is (``checking``), and comments as documentation (``documents``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

import attrs

from conflens.base.span import Place
from conflens.base.text import LineIndex

MAX_DEPTH = 64
MAX_MERGED = 10_000
MAX_ASSIGNMENTS = 100_000


class Format(StrEnum):
    """How a config file is written."""

    PROPERTIES = "properties"
    YAML = "yaml"
    XML = "xml"
    """``<configuration><property><name>``, as Hadoop and its relatives write it."""
    ELEMENTS = "elements"
    """XML whose elements and attributes are keys."""
    BEANS = "beans"
    """Spring's XML of beans.  Read only: nothing is ever written into one."""
    BLUEPRINT = "blueprint"
    """OSGi's XML of beans.  Read only."""
    LOGGING = "logging"
    """The XML of a logger.  Read only."""
    TOML = "toml"
    ENVIRONMENT = "environment"
    """``.env`` files and the like: ``NAME=value``, perhaps after ``export``."""
    HOCON = "hocon"
    """Read only: nothing is ever written into one."""
    ARGUMENTS = "arguments"
    """``-Dname=value`` and ``NAME=value`` in start scripts, ``jvm.options``, Dockerfiles, compose and unit files."""


class Kind(StrEnum):
    """What stands behind a key."""

    SCALAR = "scalar"
    LIST = "list"
    """A list of scalars; lists of anything else give assignments with ``[n]`` in their names."""
    SECTION = "section"
    """A key that only holds others.  One with nothing behind it yet is a ``SCALAR`` without a value."""


@attrs.frozen
class Segment:
    """One part of a path; ``text`` is resolved, ``start`` and ``end`` are what stands in the file without quotes."""

    text: str
    start: int
    end: int


@attrs.frozen
class Value:
    """A scalar: ``text`` is what a program gets (escapes, folding and continuation resolved), the range what stands in
    the file, without quotes.  ``style`` is the opening quote (``"``, ``'``, three of them in TOML), ``|`` or ``>`` of a
    block, or empty."""

    text: str
    start: int
    end: int
    style: str = ""


@attrs.frozen
class Assignment:
    """See the module text.  ``value`` is ``None`` for lists, sections and keys without a value (also YAML's ``null`` and
    ``~``); ``items`` are the elements of a ``LIST``.  ``start`` and ``end`` are the whole lines of the entry with its line
    end, comments above not included (for a section only its own line); what is not on lines of its own (flow style,
    several on a line) gives just its own range.  ``condition`` is the profile a part is for (``spring.profiles``,
    ``spring.config.activate.on-profile``, Quarkus' ``%dev.``).  ``final`` is Hadoop's ``<final>true</final>``.
    ``domain`` is where the format itself says that the name lives: ``system-property`` (``-D``), ``environment``, or empty.
    ``merged`` is true of what an alias or merge key brought here: its places are where it is written."""

    name: str
    path: tuple[Segment, ...]
    kind: Kind
    value: Value | None
    items: tuple[Value, ...]
    start: int
    end: int
    document: int = 0
    condition: str = ""
    final: bool = False
    domain: str = ""
    merged: bool = False

    @property
    def key(self) -> Segment:
        """The last segment: what a person typed for this key."""
        return self.path[-1]


@attrs.frozen
class Fault:
    """What is surely wrong with the form of a file (an element that is never closed, a tab that indents YAML)."""

    start: int
    end: int
    message: str


@attrs.frozen(eq=False)
class ConfigFile:
    """One file.  ``text`` is UTF-8 whatever the file's own encoding; places are offsets in it.  ``encoding`` is what it was
    decoded from (``utf-8`` or ``iso-8859-1``)."""

    path: str
    format: Format
    text: bytes = attrs.field(repr=False)
    assignments: tuple[Assignment, ...] = attrs.field(repr=False)
    faults: tuple[Fault, ...] = ()
    encoding: str = "utf-8"
    truncated: bool = False
    """Whether there were more than ``MAX_ASSIGNMENTS``."""
    unread: str = ""
    """Why nothing was read, for a person (``it cannot be read: …``); empty for a file that was read."""
    by_name: Mapping[str, tuple[Assignment, ...]] = attrs.field(init=False, repr=False)

    @by_name.default
    def _by_name(self) -> Mapping[str, tuple[Assignment, ...]]:
        gathered: dict[str, list[Assignment]] = {}
        for assignment in self.assignments:
            gathered.setdefault(assignment.name, []).append(assignment)
        return {name: tuple(found) for name, found in gathered.items()}

    @cached_property
    def lines(self) -> LineIndex:
        """The line table of ``text``."""
        return LineIndex.of(self.text)

    def place(self, part: Segment | Value | Fault) -> Place:
        """Return where a part stands."""
        return Place(self.path, part.start, part.end)


class ContextKind(StrEnum):
    """What a cursor is about to write."""

    KEY = "key"
    VALUE = "value"
    NEITHER = "neither"
    """A comment, markup, a place where nothing can be written."""


@attrs.frozen
class Context:
    """Where a cursor is.  ``prefix`` is what is typed before it, resolved; ``start`` and ``end`` are the range that a
    completion replaces (the word around the cursor).  ``parents`` are the names of the sections around a key, outermost
    first; ``name`` is the whole name of the key whose value is being written.  ``document`` is the part of the file.
    ``follows`` is true if a separator (``=``, ``:``) stands already behind the key, so that it must not be written again.
    ``indent`` is the indentation of the line in characters."""

    kind: ContextKind
    prefix: str = ""
    start: int = 0
    end: int = 0
    parents: tuple[str, ...] = ()
    name: str = ""
    document: int = 0
    follows: bool = False
    indent: int = 0


@attrs.frozen
class Change:
    """Replaces ``start`` to ``end`` by ``text``."""

    start: int
    end: int
    text: str


@attrs.frozen
class Parsed:
    """What the reader of one format gives; offsets count characters."""

    assignments: tuple[Assignment, ...]
    faults: tuple[Fault, ...] = ()
