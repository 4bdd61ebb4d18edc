"""The loads of a field by the cells that are asked for there: ``map.get("size")`` concerns the writers of ``size`` alone.

Many options kept in one map and many uses of that map would otherwise make as many states as they have pairs.

Terms
    other    a key that no program writes: what a load makes of it, it makes of every key that it does not name.
    silent   of a load: nothing comes of the cell ``other``, so that only the keys that it names matter.

Invariant: a load that is left out for a key would make a slice of which nothing comes.  Absent: the walk (``walk``).
"""

from __future__ import annotations

import attrs

from conflens.facts import ir
from conflens.flow.code import Code
from conflens.flow.forms import Form, Kind, Seed, SeedKind
from conflens.flow.library import Library
from conflens.flow.making import Slice
from conflens.flow.slices import Slices
from conflens.flow.transfer import property_of
from conflens.program.refs import MemberRef

Load = tuple[Code, int]

OTHER = Form(Kind.HELD, "\0other")
"""The cell that no program writes; a slice that begins in it stands for a load that was looked at here."""


@attrs.frozen
class AskedCells:
    """The loads of one field; ``bodies`` are those that were looked at, ``cost`` the steps that this once took (``base.budget``)."""

    all: tuple[Load, ...]
    bodies: frozenset[MemberRef]
    cost: float
    _named: dict[str, list[int]]
    _unsure: list[int]

    def of(self, key: str) -> list[Load]:
        """Return the loads of which something may come for the cell ``key``, in their order."""
        numbers = {*self._named.get(key, ()), *self._unsure}
        return [self.all[number] for number in sorted(numbers)]


def asked_cells(slices: Slices, loads: tuple[Load, ...]) -> AskedCells:
    """Look once at each load."""
    named: dict[str, list[int]] = {}
    unsure: list[int] = []
    cost = 0.0
    for number, (code, load) in enumerate(loads):
        made = slices.of(code, Seed(SeedKind.VALUE, load, OTHER))
        cost += made.cost
        if not _is_silent(made):
            unsure.append(number)
            continue
        for key in asked_keys(slices.library, code, load):
            named.setdefault(key, []).append(number)
    return AskedCells(loads, frozenset(code.ref for code, _ in loads), cost, named, unsure)


def _is_silent(made: Slice) -> bool:
    return len(made.came) == 1 and not (made.outs or made.getters or made.keyed or made.narrowed)


def asked_keys(library: Library, code: Code, load: int) -> set[str]:
    """Return the keys that are named where a load is used at once."""
    found: set[str] = set()
    for index in code.takers.get(load, ()):
        instr = code.code[index]
        if isinstance(instr, (ir.Call, ir.New)):
            found.update(library.key_text(code, arg) for arg in instr.args)
            found.add(property_of(instr, given=False))
            sink = library.sink(code, index)
            if sink is not None:
                found.update(keyed.key for keyed in sink.keyed)
        elif isinstance(instr, ir.Index):
            found.add(library.key_text(code, instr.index))
    found.discard("")
    return found
