"""Members of the project that hand out objects of a library: files that use those need not name the library.

``SystemMapper.yamlMapper().readValue(…)`` imports no mapper: the declared type of ``yamlMapper`` says what it is.
Absent: what is called on the object, which only its type tells (``constant_arguments.receiver_is``).
"""

from __future__ import annotations

from collections.abc import Iterable

from conflens.facts.model import FileFacts
from conflens.options.constant_arguments import Reach
from conflens.options.member_types import simple
from conflens.program.program import Program


class HandedOut:
    """Names of methods and fields whose declared type is one of ``types`` or a project type below, and of the latter."""

    def __init__(self, program: Program, reach: Reach, types: Iterable[str]) -> None:
        """Look in the files of ``program`` that can name one of the types."""
        given = tuple(sorted(set(types)))
        below = sorted({sub for name in given for sub in program.all_subtypes(name)})
        wanted = {simple(name) for name in (*given, *below)}
        self.names = {simple(name) for name in below}
        for path, facts in program.files.items():
            if not reach.can(path, (*given, *below)):
                continue
            for member in facts.members:
                if simple(member.type.partition("<")[0]) in wanted and member.name:
                    self.names.add(member.name)

    def users(self, facts: FileFacts, method: str) -> list[int]:
        """Return the members of a file that call ``method`` and use one of the names."""
        calling = facts.calls.get(method, ())
        found = {
            number
            for used in (facts.calls, facts.names)
            for name in used.keys() & self.names
            for number in used[name]
        }
        return sorted(found.intersection(calling))
