"""Placeholders in config files: what ``${…}`` stands for, those that nothing resolves, and those that lead back to themselves.

Terms
    reference   ``${name}``, perhaps with a default (``${H:8080}``, ``${H:-8080}``) or with references in its name (``${a.${b}}``).
    separator   what stands before a default, by domain (``DomainRow.placeholders``).  Only a domain that has one surely
                resolves references itself.
    supplied    a name that something outside of the config files may give: a variable of the environment, what rows
                call ``supplied``, and whatever libraries and the platform reserve (``namespaces.Reserved``).

``@…@``, ``#{…}``, ``{{…}}``, ``${prefix:name}`` look-ups and escaped references (``\\${a}``, ``$${a}``) are left alone.
A reference without a default is reported when nothing sets or supplies its name and either a known name lies one typo
away, or its namespace is one of this project (``Match.known``, or other keys and options stand directly in it).  Any other
may be set where nobody looks: on a command line, in a configuration server.

Invariants: everything is bounded (nesting, depth, steps, length of a result), so that no file makes this explode; what
goes beyond a bound is not known and not reported.  Files and options are only read.
Absent: expressions, files outside of the project, and which profiles are active: what only holds under one is not used
for keys that hold without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from conflens.base.secrets import HIDDEN, is_secret, is_secret_within, is_switch
from conflens.base.span import Place
from conflens.checking.placeholder_reads import name_around, unset_text
from conflens.checking.placeholder_syntax import (
    ANY,
    LOOKUP,
    NAME,
    Reference,
    references,
    template,
)
from conflens.checking.placeholder_values import PLAIN, Resolver
from conflens.checking.placeholder_values import Resolution as Resolution
from conflens.checking.recognition import Match, Recognised
from conflens.checking.results import Code, Edit, Finding, Fix
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Value
from conflens.options.model import Option
from conflens.options.secret_values import is_secret_option

_BY_SCHEME = re.compile(r"[a-z][a-z0-9+-]{1,30}://([A-Za-z_][\w.-]{0,300})")
_MAX_ASKED = 50
"""Unresolved names of one file that are looked at closely."""


class Looked(Protocol):
    """What is looked at; a ``results.Subject`` is one."""

    @property
    def complete(self) -> bool:
        """Whether all files have been seen."""

    @property
    def config_files(self) -> Mapping[str, ConfigFile]:
        """All files that may be config files, by path."""

    @property
    def recognised(self) -> Recognised:
        """Which options these files' keys are."""


def referenced(file: ConfigFile) -> frozenset[str]:
    """Return the names that a file's values refer to, inner ones and those in defaults included; a part that is itself a
    reference is ``*``.  Where a colon may begin a default or end a look-up's prefix (``${sys:a.b}``), both sides count."""
    found: set[str] = set()
    if b"${" not in file.text:
        return frozenset()
    for assignment in file.assignments:
        for value in _values(assignment):
            for one in references(template(value.text, ANY)):
                name = one.name.text("*")
                if LOOKUP.fullmatch(name.replace("*", "x")):
                    found.add(name.partition(":")[0])
                    name = name.partition(":")[2]
                found.add(name)
                if one.default is not None and "." not in name:
                    given = one.default.text("*")
                    if NAME.fullmatch(given):
                        found.add(given)
    return frozenset(name for name in found if NAME.fullmatch(name.replace("*", "")))


def named_by_scheme(file: ConfigFile) -> frozenset[str]:
    """Return the names that whole values of a file refer to by a scheme of its own: ``secret://cdn.accessKey``."""
    if b"://" not in file.text:
        return frozenset()
    found: set[str] = set()
    for assignment in file.assignments:
        for value in _values(assignment):
            written = _BY_SCHEME.fullmatch(value.text)
            if written is not None:
                found.add(written[1])
    return frozenset(found)


def resolved(recognised: Recognised, path: str, assignment: Assignment) -> Resolution:
    """Return what the value of an assignment of the file at ``path`` comes to."""
    if assignment.value is None:
        return Resolution("", False)
    return Resolver(recognised).resolve(path, assignment, (), 0)


def holds_secret(recognised: Recognised, path: str, found: Resolution) -> bool:
    """Tell whether a resolved value may contain a secret, judging by the names that it refers to."""
    for owner, one in found.sources:
        match = recognised.match(owner)
        if _is_secret(one.name, found.text, match.options.get(one.name, ()) if match else ()):
            return True
        file = recognised.files.get(owner)
        around = name_around(file, one.value) if file is not None and one.value is not None else ""
        if is_secret(around, found.text):
            return True
    domains = _domains(recognised, path)
    return any(
        _is_secret(name, text, recognised.referred_to(name, domains))
        for name, text in found.defaults
    )


def is_secret_part(recognised: Recognised, path: str, assignment: Assignment, text: str) -> bool:
    """Tell whether the resolved text of a placeholder is the secret part of a value, as in ``amqp://user:${RABBIT:…}@host``."""
    if assignment.value is None:
        return False
    written = template(assignment.value.text, Resolver(recognised).separator(path))
    return is_secret_within(assignment.name, unset_text(written), text)


def shown_as_written(recognised: Recognised, path: str, text: str, hidden: bool = False) -> str:
    """Return a text with references of the file at ``path`` without the defaults of secrets; if it is ``hidden`` as a whole, without any."""
    domains = _domains(recognised, path)
    for one in references(template(text, Resolver(recognised).separator(path))):
        name = one.name.text("*")
        default = "" if one.default is None else one.default.written
        if default and (
            hidden or _is_secret(name, default, recognised.referred_to(name, domains))
        ):
            text = text.replace(one.written, f"{one.written[: -len(default) - 1]}{HIDDEN}}}")
    return text


def _domains(recognised: Recognised, path: str) -> frozenset[str]:
    match = recognised.match(path)
    return match.domains if match is not None else frozenset()


def _is_secret(name: str, text: str, options: Iterable[Option]) -> bool:
    if is_secret(name, text):
        return True
    return not is_switch(text) and any(map(is_secret_option, options))


def findings(subject: Looked, path: str) -> Iterator[Finding]:
    """Yield what is wrong with the placeholders of one file."""
    file = subject.config_files.get(path)
    match = subject.recognised.match(path)
    if file is None or match is None or not match.counts or file.format in PLAIN:
        return
    resolver = Resolver(subject.recognised)
    if b"${" not in file.text or not resolver.resolving(match):
        return
    cyclic = resolver.cycles(path, file)
    asked = 0
    for assignment in file.assignments:
        if assignment.merged:
            continue
        around = cyclic.get((path, assignment.key.start))
        for value in _values(assignment):
            if "${" not in value.text or (file.format is Format.HOCON and value.style):
                continue
            for one in references(resolver.template(path, value), defaults=False):
                name = one.name.text("")
                if not one.static or not NAME.fullmatch(name):
                    continue
                if around is not None and name == around[1]:
                    if len(around) == 2 and _is_filtered(subject, path):
                        continue  # app.url=${app.url}: the build puts its own property there
                    way = " -> ".join(around)
                    place = _place(file, value, one)
                    message = f"The value of {around[0]} refers to itself: {way}."
                    yield Finding(Code.PLACEHOLDER, place, message, name)
                    around = None
                elif one.default is None and not one.optional and asked < _MAX_ASKED:
                    if not subject.complete or resolver.given(path, name):
                        continue
                    asked += 1
                    yield from _unresolved(resolver, match, file, value, one, name)


def _is_filtered(subject: Looked, path: str) -> bool:
    program = subject.recognised.program
    return program is not None and program.modules.filters(path)


def _unresolved(
    resolver: Resolver, match: Match, file: ConfigFile, value: Value, one: Reference, name: str
) -> Iterator[Finding]:
    near = resolver.near(match, name)
    if not near and not resolver.own(match, name):
        return
    place = _place(file, value, one)
    message = f"Nothing sets {name}."
    fixes: tuple[Fix, ...] = ()
    if near:
        message = f"Nothing sets {name}. Did you mean {near[0]}?"
        start = place.start + 2
        inner = Place(place.path, start, start + len(name.encode()))
        written = file.text[inner.start : inner.end] == name.encode()
        opened = f"${{{name}"
        if written and value.text.count(opened) == 1:
            fixes = tuple(
                Fix(
                    f"Change to {other}",
                    (Edit(inner, other),),
                    value.text.replace(opened, f"${{{other}"),
                )
                for other in near
            )
    yield Finding(Code.PLACEHOLDER, place, message, name, fixes=fixes)


def _values(assignment: Assignment) -> tuple[Value, ...]:
    return assignment.items if assignment.value is None else (assignment.value,)


def _place(file: ConfigFile, value: Value, one: Reference) -> Place:
    """Where a reference stands; the whole value where escapes hide it."""
    raw = file.text[value.start : value.end]
    written = one.written.encode("utf-8", "replace")
    at = raw.find(written)
    if at < 0:
        return Place(file.path, value.start, value.end)
    return Place(file.path, value.start + at, value.start + at + len(written))
