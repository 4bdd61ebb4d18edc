"""Classes of libraries whose every object is made with an option's value.

A pool, a queue or a map hands objects on without anybody seeing which: ``pool.acquire().deflate(…)``.  But if each place in the
project that makes objects of a class gives them the value, any object of it has it, wherever it came from.

Absent: classes of the project, which keep a value in a field (``configured``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conflens.facts import ir
from conflens.flow.results import OptionKey, Path, Taken
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_PLACES = 4
"""Places that make objects of a class beyond which it is made for many purposes."""


class MadeTypes:
    """The classes of one program; remembers every answer."""

    def __init__(
        self, program: Program, made: Mapping[MemberRef, Sequence[tuple[Taken, int]]]
    ) -> None:
        """``made`` tells by member where options give their value away: an option, and the number of its hold."""
        self._program = program
        self._made = made
        self._found: dict[str, dict[OptionKey, Path]] = {}

    def of(self, owner: str) -> Mapping[OptionKey, Path]:
        """Return the options whose values all objects of a class get when they are made, by its name in a frame."""
        found = self._found.get(owner)
        if found is None:
            found = self._found[owner] = self._options(owner.replace("$", "."))
        return found

    def _options(self, name: str) -> dict[OptionKey, Path]:
        program, simple = self._program, name.rpartition(".")[2]
        if program.type(name) is not None or not simple.isidentifier():
            return {}
        found: dict[OptionKey, Path] | None = None
        places = 0
        for user in dict.fromkeys((*program.users(simple), *program.mentions(simple))):
            for at, instr in enumerate(program.body(user).code):
                if not isinstance(instr, ir.New) or not self._is(instr.type, name, user):
                    continue
                places += 1
                here = self._given(user, at)
                if found is None:
                    found = here
                found = {key: path for key, path in found.items() if key in here}
                if not found or places > _PLACES:
                    return {}
        return found or {}

    def _is(self, written: str, name: str, user: MemberRef) -> bool:
        simple = written.partition("<")[0].rpartition(".")[2]
        if simple != name.rpartition(".")[2]:
            return False
        return self._program.resolve(written, user.path, user.owner).name == name

    def _given(self, ref: MemberRef, index: int) -> dict[OptionKey, Path]:
        holds = [(one.option, one.holds[at]) for one, at in self._made.get(ref, ())]
        return {key: hold.path for key, hold in holds if hold.index == index}
