"""Whether an option's value may be of use to people who set it: something asks for it, and not as an older name.

Terms
    getter   a method without parameters that is called like one of a property.  Others may be called by libraries.
    passed   a read whose value is what another option has where it is not set (``getInt(NEW, getInt(OLD, 5))``).

An option is *out of use* if each of its reads outside of tests is passed, stands in a deprecated method, or in a getter that
nobody calls but tests; of a bound field, if nobody calls its getter and only accessors mention it.  So is one whose constant
says that it is an older name.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.checking.subject import Subject
from conflens.options.model import Declaration, Option, Read, ReadKind
from conflens.program.program import Program

_GETTER = re.compile(r"(?:get|is)[A-Z]")
_DEPRECATED = "@deprecated"
_OLDER = re.compile(r"_(?:OLD|LEGACY|DEPRECATED)\Z")
"""The suffix of a constant for a superseded name, next to the constant for the current one (``SIZE_OLD``, ``SIZE``)."""
_LOOKED_BACK = 8
_ACCESSORS = ("get", "is", "set", "with")
_OF_EVERY_OBJECT = frozenset({"toString", "hashCode", "equals", "clone"})


class Asked:
    """What is asked for in one subject; where members lie is kept by file."""

    def __init__(self, subject: Subject) -> None:
        """Nothing is looked at yet."""
        self._subject = subject
        self._methods: dict[str, tuple[tuple[int, int, int], ...]] = {}

    def is_out_of_use(self, option: Option) -> bool:
        """Tell whether an option is out of use; see the module text."""
        if any(map(self._is_older_name, option.declarations)):
            return True
        fields = [one for one in option.declarations if one.kind == "field"]
        in_place = {one.place for one in fields}
        reads = [
            read
            for read in option.reads
            if not is_test_path(read.place.path) and read.name_place not in in_place
        ]
        if fields and all(read.kind is ReadKind.FIELD for read in reads):
            return not any(_is_asked_for(self._subject.program, one) for one in fields)
        return bool(reads) and all(
            self._is_passed(read, option) or self._is_idle(read) for read in reads
        )

    def _is_older_name(self, declaration: Declaration) -> bool:
        """Tell whether a constant is called like another of its file, and old."""
        name = declaration.symbol.rpartition(".")[2]
        new = _OLDER.sub("", name)
        facts = self._subject.program.files.get(declaration.place.path)
        return new != name and facts is not None and any(one.name == new for one in facts.members)

    def _is_passed(self, read: Read, option: Option) -> bool:
        reads = self._subject.options.reads_in.get(read.place.path, ())
        at = bisect_right(reads, read.place.start, key=lambda one: one[0].place.start)
        return any(
            other.key != option.key and _holds(around.place, read.place)
            for around, other in reads[max(at - _LOOKED_BACK, 0) : at]
        )

    def _is_idle(self, read: Read) -> bool:
        """Tell whether a read stands in a deprecated method, or in a getter that nobody calls but tests."""
        program = self._subject.program
        number = self._method_around(read.place)
        if number < 0:
            return False
        facts = program.files[read.place.path]
        member = facts.members[number]
        marks = {one.name.rpartition(".")[2] for one in member.annotations}
        if "Deprecated" in marks or _DEPRECATED in facts.docs.get(number, ""):
            return True
        if member.params or marks or not _GETTER.match(member.name):
            return False
        return not any(
            not is_test_path(ref.path) and program.member(ref) is not member
            for ref in program.users(member.name)
        )

    def _method_around(self, place: Place) -> int:
        """Return which method a place lies in, -1 if that is none or not the innermost few."""
        known = self._methods.get(place.path)
        if known is None:
            facts = self._subject.program.files.get(place.path)
            known = self._methods[place.path] = tuple(
                sorted(
                    (one.at, one.end, number)
                    for number, one in enumerate(facts.members if facts else ())
                    if one.kind == "method"
                )
            )
        at = bisect_right(known, place.start, key=lambda one: one[0])
        near = reversed(known[max(at - _LOOKED_BACK, 0) : at])
        return next((number for _, end, number in near if place.end <= end), -1)


def _is_asked_for(program: Program, field: Declaration) -> bool:
    """Tell whether somebody calls the getter of a bound field, or its class uses it."""
    name = field.symbol.rpartition(".")[2]
    end = name[:1].upper() + name[1:]
    own = {accessor + end for accessor in _ACCESSORS} | {name, *_OF_EVERY_OBJECT}
    for getter in (f"get{end}", f"is{end}", name):
        if any(not is_test_path(ref.path) for ref in program.users(getter)):
            return True
    for ref in program.mentions(name):
        member = program.member(ref)
        if not is_test_path(ref.path) and member.kind != "field" and member.name not in own:
            return True
    return False


def _holds(outer: Place, inner: Place) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and outer != inner
