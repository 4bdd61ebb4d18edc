"""Collections whose contents an option decides over: what they answer is under the option.

A cache's size decides how often what it keeps is made again: the operation behind the *other* arm of "is it there?" is under
the option, and no value flows there.

Terms
    contents   what stands in a field of the project that holds an object of a library (a map, a queue, an array list).
    filler     a call on the field with an argument, whose result nobody uses: it changes the contents.
    switched   every filler is governed by a condition of the option.
    bounded    the test of a condition of the option also asks the field: ``if (map.size() > limit) map.remove(…)``.

Only members of the class that declares the field are looked at.  Absent: objects that are made with the option's value (``configured``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.results import Dependency, Hold, OptionKey, Path
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_MEMBERS = 200
"""Members of a class beyond which its fields are not looked at."""
_TESTS = (ir.If, ir.Loop, ir.Choice)

Found = dict[OptionKey, Path]


class Contents:
    """Answers for one program; remembers each."""

    def __init__(
        self,
        program: Program,
        code_of: Callable[[MemberRef], Code],
        holds_in: Callable[[MemberRef], list[tuple[OptionKey, Hold]]],
    ) -> None:
        """``code_of`` gives the indexed body of a member, ``holds_in`` the places in it where options decide something."""
        self._program = program
        self._code_of = code_of
        self._holds_in = holds_in
        self._fields: dict[MemberRef, Found] = {}
        self._members: dict[str, list[MemberRef]] = {}

    def of(self, field: MemberRef) -> Found:
        """Return the options that decide over the contents of a field."""
        found = self._fields.get(field)
        if found is None:
            found = self._fields[field] = self._find(field)
        return found

    def _find(self, field: MemberRef) -> Found:
        name = self._program.member(field).name
        bounded: Found = {}
        switched: Found | None = None
        for ref in self._family(field.owner):
            code = self._code_of(ref)
            if not any(_is_named(instr, name) for instr in code.code):
                continue
            holds = [pair for pair in self._holds_in(ref) if _is_condition(pair[1])]
            for key, hold in holds:
                if self._asks(code, hold.index, field, name):
                    bounded.setdefault(key, hold.path)
            for call in self._fillers(code, field, name):
                governing = {
                    key: hold.path
                    for key, hold in holds
                    if any(start <= call < end for start, end in hold.ranges)
                }
                if switched is None:
                    switched = governing
                else:
                    switched = {key: path for key, path in switched.items() if key in governing}
        return {**(switched or {}), **bounded}

    def _family(self, owner: str) -> list[MemberRef]:
        found = self._members.get(owner)
        if found is None:
            found = []
            info = self._program.type(owner)
            if info is not None:
                members = self._program.files[info.path].members
                first, last = info.decl.at, info.decl.end
                found = [
                    self._program.ref(info.path, number)
                    for number, member in enumerate(members)
                    if first <= member.at < last
                ]
            found = self._members[owner] = found if len(found) <= _MEMBERS else []
        return found

    def _fillers(self, code: Code, field: MemberRef, name: str) -> Iterator[int]:
        for index, instr in enumerate(code.code):
            if (
                isinstance(instr, ir.Call)
                and instr.args
                and instr.object != NONE
                and not code.takers.get(index)
                and _is_named(code.code[instr.object], name)
                and code.context.field_of(instr.object) == field
            ):
                yield index

    def _asks(self, code: Code, at: int, field: MemberRef, name: str) -> bool:
        """Tell whether the test of a condition asks a field."""
        instr = code.code[at]
        if not isinstance(instr, _TESTS) or instr.test == NONE:
            return False
        return any(
            _is_named(code.code[part], name) and code.context.field_of(part) == field
            for part in code.inside(instr.test)
        )


def _is_condition(hold: Hold) -> bool:
    return hold.target is None and hold.dependency in (Dependency.BRANCH, Dependency.LOOP)


def _is_named(instr: ir.Instr, name: str) -> bool:
    return isinstance(instr, (ir.Name, ir.Field)) and instr.name == name
