"""Findings at places in Java code: defaults that conflict, reads that cannot both be right, values that nothing uses, deprecated options.

Terms
    dead   read outside of tests, and no such read is ever used.  Where an option is dead, its reads are not reported as unused
           one by one (``Option.is_dead``).

Absent: documents (``documents``), options that no document mentions (``documentation``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import attrs

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.checking import numbers
from conflens.checking.results import Code, Edit, Finding, Fix
from conflens.checking.subject import Subject
from conflens.options.conflicts import PLATFORM, is_bare, spelled
from conflens.options.described import shown_description
from conflens.options.model import Declaration, Option, OptionType, Read
from conflens.options.names.joining import GENERIC
from conflens.options.secret_values import shown_value
from conflens.program.program import Program

_SHARED = frozenset({*GENERIC, "command-line", "json", "servlet", "jndi"})
"""Domains in which two reads of a name may be of two things."""
_KINDS = {
    "integer": "a whole number",
    "fraction": "a number",
    "true-only": "true or false",
    "true-or-false": "true or false",
    "true-else-default": "true or false",
    "switch": "true or false",
    "iso-duration": "a duration",
    "unit-duration": "a duration",
    "duration": "a duration",
    "size": "a size",
}
_AMOUNTS = frozenset({"a duration", "a size"})
_NUMBERS = frozenset({"integer", "fraction"})
_MOST_RELATED = 10
_MAX_TEXT = 80


def findings(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the findings of one Java file that need all files."""
    options: dict[tuple[str, str], Option] = {}
    # One declaration may stand for several options, such as a property and an environment variable.
    named: set[tuple[Place, tuple[Declaration, ...], int]] = set()
    for read, option in subject.options.reads_in.get(path, ()):
        first = option.key not in options
        options[option.key] = option
        if not is_test_path(read.place.path):
            yield from _held(read, option)
            declared = read.name_place, option.declarations[:1], len(option.declarations)
            if first and not (option.declarations and declared in named):
                yield from _deprecated(subject, read, option)
            named.add(declared)
    for option in options.values():
        yield from _mismatched(subject, option, path)
        if option.is_dead:
            yield from _dead(option, path)


def is_read_in_tests_only(option: Option) -> bool:
    """Tell whether an option is read, but by nothing outside of tests."""
    return bool(option.reads) and not option.program_reads


# -- types ---------------------------------------------------------------------------------------------


def _held(read: Read, option: Option) -> Iterator[Finding]:
    """Report a default that the read itself cannot take."""
    default = read.default
    if default is None or not read.accepts or default.place.path != read.place.path:
        return
    text = default.text.strip()
    if not text or text == "null" or "${" in text or "*" in text or _takes(read.accepts, text):
        return
    if not read.place.start < default.place.start < read.place.end:
        return  # a default that is applied outside of the read is not parsed by it
    wanted = _KINDS[read.accepts]
    message = f"The default {_shown(shown_value(option, text))} of {option.name} is not {wanted}, as this read requires."
    yield Finding(Code.TYPE_MISMATCH, default.place, message, option.name, (option.key,))


def _takes(accepts: str, text: str) -> bool:
    if _KINDS[accepts] in _AMOUNTS:
        return True
    if accepts in _NUMBERS:
        return numbers.plain(text, whole=accepts == "integer") is not None or text[-1:] in "lLdDfF"
    if accepts == "switch":
        return True
    return accepts == "true-only" or text.lower() in ("true", "false")


def _shown(text: str) -> str:
    return f'"{text}"' if len(text) <= 40 else f'"{text[:39]}…"'


def _mismatched(subject: Subject, option: Option, path: str) -> Iterator[Finding]:
    """Report reads that take an option for different things: a truth value and a number, a fraction and a whole number."""
    if option.pattern or option.domain in _SHARED:
        return
    reads = [read for read in option.program_reads if read.accepts]
    if len({_KINDS[read.accepts] for read in reads}) < 2:
        return
    related: dict[_Taken, tuple[Read, ...]] = {}
    for read in reads:
        if read.place.path != path:
            continue
        taken = _Taken.of(read)
        if taken not in related:
            others = (
                other
                for other in reads
                if taken.contradicts(_Taken.of(other))
                and (
                    other.place.path == path
                    or option.domain in PLATFORM
                    or not is_bare(option.name)
                )
                and _meet(subject, path, other.place.path)
            )
            related[taken] = tuple(islice(others, _MOST_RELATED))
        found = related[taken]
        if not found:
            continue
        here, there = _KINDS[read.accepts], _KINDS[found[0].accepts]
        message = f"{option.name} is read as {here} here, but elsewhere as {there}."
        yield Finding(
            Code.TYPE_MISMATCH,
            read.place,
            message,
            option.name,
            (option.key,),
            tuple((other.place, f"Read as {_KINDS[other.accepts]}.") for other in found),
        )


@attrs.frozen
class _Taken:
    """What a read takes a value for; ``part``: its default is no whole number."""

    accepts: str
    part: bool

    @staticmethod
    def of(read: Read) -> _Taken:
        text = read.default.text if read.default is not None else ""
        part = bool(text) and numbers.plain(text, whole=True) is None and _is_part(text)
        return _Taken(read.accepts, part)

    def contradicts(self, other: _Taken) -> bool:
        kinds = {_KINDS[self.accepts], _KINDS[other.accepts]}
        if len(kinds) == 1 or kinds & _AMOUNTS:
            return False
        if self.accepts in _NUMBERS and other.accepts in _NUMBERS:
            return (self if self.accepts == "fraction" else other).part
        return True


def _is_part(text: str) -> bool:
    number = numbers.plain(text)
    return number is not None and number != round(number) if number == number else False


# -- defaults ------------------------------------------------------------------------------------------


def conflicts(subject: Subject, path: str) -> Iterator[Finding]:
    """Yield the defaults in one file that differ from another of the same option."""
    options = {option.key: option for _, option in subject.options.reads_in.get(path, ())}
    for _, owners in subject.options.declarations_in.get(path, ()):
        options.update((option.key, option) for option in owners)
    told: set[tuple[Place, str]] = set()
    for option in filter(has_conflict, options.values()):
        written = {default.text for default in option.defaults if not default.implied}
        stated = {
            at: text
            for at, text in option.stated_defaults.items()
            if text in written and spelled(text, option.type) is not None
        }
        differing = _Differing(
            [(at, text) for at, text in stated.items() if _meet(subject, path, at.path)]
        )
        for place, text in stated.items():
            if place.path != path:
                continue
            others, texts = differing.than(text)
            if not others:
                continue
            names = ", ".join(dict.fromkeys(_default(option, other) for other in texts))
            if differing.count > len(texts):
                names += f" and {differing.count - len(texts)} more"
            message = f"{option.name} defaults to {_default(option, text)} here, but elsewhere to {names}."
            # One lookup may go to several places, the environment and the system properties perhaps.
            if (place, message) in told:
                continue
            told.add((place, message))
            yield Finding(
                Code.CONFLICTING_DEFAULT,
                place,
                message,
                option.name,
                (option.key,),
                tuple((at, f"default {_default(option, other)}") for at, other in others),
            )


class _Differing:
    """Defaults of one option by place, asked for those that differ from one: that costs a look at all for a few texts only."""

    def __init__(self, stated: Sequence[tuple[Place, str]]) -> None:
        self._stated = stated
        self._texts = tuple(dict.fromkeys(text for _, text in stated))
        self._first = tuple(stated[:_MOST_RELATED])
        self._shown = frozenset(text for _, text in self._first)
        self._known: dict[str, tuple[tuple[Place, str], ...]] = {}

    @property
    def count(self) -> int:
        """How many other defaults each has."""
        return len(self._texts) - 1

    def than(self, text: str) -> tuple[tuple[tuple[Place, str], ...], tuple[str, ...]]:
        """Return the first places with another default than one of these, and the first other defaults."""
        if text not in self._shown:
            places = self._first
        elif text in self._known:
            places = self._known[text]
        else:
            differing = (one for one in self._stated if one[1] != text)
            places = self._known[text] = tuple(islice(differing, _MOST_RELATED))
        first = self._texts[: _MOST_RELATED + 1]
        return places, tuple(other for other in first if other != text)[:_MOST_RELATED]


def _meet(subject: Subject, one: str, other: str) -> bool:
    """Tell whether two files can be parts of one program."""
    sharing = subject.recognised.sharing
    return sharing is None or sharing.shared(one, other)


def has_conflict(option: Option) -> bool:
    """Tell whether an option has different defaults that may be shown."""
    return option.conflict and option.type is not OptionType.PASSWORD


def _default(option: Option, text: str) -> str:
    return shorten(shown_value(option, text), _MAX_TEXT) or '""'


# -- unused, dead and deprecated -------------------------------------------------------------------------------


def unused(subject: Subject, path: str, *, dead: bool) -> Iterator[Finding]:
    """Yield the reads in one file whose value is not used; ``dead`` leaves out those of dead options."""
    for read, option in subject.options.reads_in.get(path, ()):
        if read.unused and not (dead and option.is_dead):
            message = f"The value of {option.name} is never used."
            yield Finding(Code.UNUSED_READ, read.place, message, option.name, (option.key,))


def _dead(option: Option, path: str) -> Iterator[Finding]:
    reads = option.program_reads
    first = reads[: _MOST_RELATED + 1]
    for read in reads:
        if read.place.path == path:
            others = tuple((one.place, "Read here, too.") for one in first if one is not read)
            message = f"{option.name} has no effect: its value is read, but never used."
            yield Finding(
                Code.DEAD_OPTION,
                read.place,
                message,
                option.name,
                (option.key,),
                others[:_MOST_RELATED],
            )


def _deprecated(subject: Subject, read: Read, option: Option) -> Iterator[Finding]:
    """Report the first read of a deprecated option outside of the file that declares it and of deprecated code.

    A read that stands in the default of the new name's goes on to accept the old one, which is no mistake.
    """
    if not option.deprecated or any(
        declared.place.path == read.place.path for declared in option.declarations
    ):
        return
    if _is_in_deprecated(subject.program, read):
        return
    message, new = deprecation(option)
    if any(
        other.place.path == read.place.path
        and other.place.start <= read.place.start < other.place.end
        for one in _named(subject, new)
        for other in one.reads
    ):
        return
    fixes: tuple[Fix, ...] = ()
    if read.shows_name and any(
        (option.domain, new) == other.key for other in _named(subject, new)
    ):
        fixes = (Fix(f"Change to {new}", (Edit(read.name_place, f'"{new}"'),)),)
    related = tuple((declared.place, "Declared here.") for declared in option.declarations)
    yield Finding(
        Code.DEPRECATED_OPTION,
        read.name_place,
        message,
        option.name,
        (option.key,),
        related[:_MOST_RELATED],
        fixes,
    )


def deprecation(option: Option) -> tuple[str, str]:
    """Return what is said of a deprecated option, and the name that took its place, if that is told."""
    said = option.deprecated
    new = said.removeprefix("use ").removesuffix(" instead") if said.startswith("use ") else ""
    if said == "deprecated":
        return f"{option.name} is deprecated.", new
    shown = shown_description(option, said)
    return f"{option.name} is deprecated: {shown.rstrip('.')}.", new


def _named(subject: Subject, name: str) -> tuple[Option, ...]:
    return subject.recognised.names.named(name) if name and " " not in name else ()


def _is_in_deprecated(program: Program, read: Read) -> bool:
    facts = program.files.get(read.place.path)
    if facts is None:
        return False
    around = [
        annotation.name
        for decls in (facts.members, facts.types)
        for decl in decls
        if decl.at <= read.place.start < decl.end
        for annotation in decl.annotations
    ]
    return any(name in ("Deprecated", "java.lang.Deprecated") for name in around)
