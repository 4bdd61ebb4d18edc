"""Which methods of a class can run otherwise because of a value that its objects keep.

A compressor that keeps a level packs by it; how it unpacks is the same whatever the level is.

Terms
    family    the members of a class and of all classes declared inside of it.
    reach     what runs with a member, as far as it is in the family: itself, what it calls, the members of classes that
              it declares or makes objects of.
    state     by name, the fields that keep the value, and those that change with it: filled, or called methods of,
              in the reach of a member that reads the state, or of a constructor that is given the value.

Fields are told apart by name only, so that too much is state rather than too little.  A class that inherits from
one outside of the project, interfaces apart, has state that nobody sees: each of its methods may use it.
Absent: where values are kept (``configured``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_COPIED = (ir.Load, ir.Const)
"""What a constructor stores as it was given it: of its many arguments only one is the value."""


class _Uses(NamedTuple):
    """The names of fields that a member reads, those that it changes, and the members that run with it."""

    read: frozenset[str]
    changed: frozenset[str]
    runs: frozenset[MemberRef]


class ObjectStates:
    """Answers for one program; remembers each."""

    def __init__(self, program: Program, code_of: Callable[[MemberRef], Code]) -> None:
        """``code_of`` gives the indexed body of a member."""
        self._program = program
        self._code_of = code_of
        self._families: dict[str, Mapping[MemberRef, _Uses]] = {}
        self._reaches: dict[MemberRef, frozenset[MemberRef]] = {}
        self._states: dict[tuple[str, frozenset[MemberRef]], frozenset[str] | None] = {}

    def uses(self, method: MemberRef, keeps: Collection[MemberRef]) -> bool:
        """Tell whether a method uses the state of its class; ``keeps``: the fields that keep the value, and the
        constructors that are given it."""
        key = method.owner, frozenset(keeps)
        if key not in self._states:
            self._states[key] = None if self._inherits(method.owner) else self._state(*key)
        state = self._states[key]
        return state is None or not state.isdisjoint(self._read(method))

    def _inherits(self, owner: str) -> bool:
        """Tell whether a class inherits from a class outside of the project."""
        program = self._program
        for name in program.supertypes(owner):
            known = program.jdk_type(name)
            if program.type(name) is None and (known is None or known.kind == "class"):
                return True
        return False

    def _state(self, owner: str, keeps: frozenset[MemberRef]) -> frozenset[str]:
        program, family = self._program, self._family(owner)
        given = {ref for ref in keeps if program.member(ref).kind == "constructor"}
        state = {program.member(ref).name for ref in keeps - given}
        waiting = set(family)
        using = given & waiting
        using |= {ref for ref in waiting if not state.isdisjoint(self._read(ref))}
        while using:
            waiting -= using
            for ref in using:
                for other in self._reach(ref):
                    state |= family[other].changed
            using = {ref for ref in waiting if not state.isdisjoint(self._read(ref))}
        return frozenset(state)

    def _read(self, ref: MemberRef) -> frozenset[str]:
        """Return the names of the fields that are read in the reach of a member."""
        family = self._family(ref.owner)
        return frozenset[str]().union(*(family[other].read for other in self._reach(ref)))

    def _reach(self, ref: MemberRef) -> frozenset[MemberRef]:
        found = self._reaches.get(ref)
        if found is None:
            family = self._family(ref.owner)
            seen, pending = {ref}, [ref]
            while pending:
                more = family[pending.pop()].runs - seen
                seen |= more
                pending += more
            found = self._reaches[ref] = frozenset(seen & family.keys())
        return found

    def _family(self, owner: str) -> Mapping[MemberRef, _Uses]:
        """Return the family of a class."""
        found = self._families.get(owner)
        if found is None:
            info = self._program.type(owner)
            assert info is not None, owner
            facts = self._program.files[info.path]
            first, last = info.decl.at, info.decl.end
            refs = [
                self._program.ref(info.path, number)
                for number, member in enumerate(facts.members)
                if first <= member.at < last
            ]
            found = self._families[owner] = {ref: self._uses(ref, refs) for ref in refs}
        return found

    def _uses(self, ref: MemberRef, family: Collection[MemberRef]) -> _Uses:
        code = self._code_of(ref)
        read: set[str] = set()
        changed: set[str] = set()
        runs = set(code.inner())
        is_constructor = self._program.member(ref).kind == "constructor"
        for index, instr in enumerate(code.code):
            match instr:
                case ir.Name() | ir.Field():
                    read.add(instr.name)
                case ir.StoreField():
                    if not is_constructor or not isinstance(code.code[instr.value], _COPIED):
                        changed.add(instr.name)
                case ir.StoreIndex():
                    changed.update(_name(code, instr.array))
                case ir.Call():
                    changed.update(_name(code, instr.object))
                    runs.update(code.context.targets(index))
                case ir.New():
                    owners = {target.owner for target in code.context.targets(index)}
                    runs.update(other for other in family if other.owner in owners)
                case _:
                    pass
        return _Uses(frozenset(read), frozenset(changed), frozenset(runs.intersection(family)))


def _name(code: Code, value: int) -> tuple[str, ...]:
    """Return the name of the field that an expression may be."""
    instr = code.code[value] if value != NONE else None
    return (instr.name,) if isinstance(instr, (ir.Name, ir.Field)) else ()
