"""Loads of containers at which nothing comes of what one cell holds, and what overwrites cells of a body.

A constructor that fills a map by hundreds of calls hands what each puts to all loads that follow.  Most of them only put something
else, or take something else out: whether that is so is worked out once for a load, not once for each cell.

Absent: what comes of it elsewhere (``calls``).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.library import Library
from conflens.flow.transfer import compares, property_of
from conflens.models.schema import RECEIVER
from conflens.program.refs import MemberRef

ALL = "\0"
"""Stands for every key."""

_BUSY = "\0busy"
"""Stands for no key: something comes of whatever is held."""

_WHOLE = "\0whole"
"""Stands for no key: something comes of what is held under no key in particular."""

_Found = list[tuple[int, int]]
_Places = dict[str | int, _Found]


class Overwriting(NamedTuple):
    """What overwrites cells of the containers that locals name: by local and key, where and with what.

    A parameter that is not assigned stands for the key that it is; which that is the callers say.
    """

    cells: dict[int, _Places]

    def of(self, slot: int, key: str, given: tuple[tuple[int, str], ...]) -> list[_Found]:
        """Return what overwrites a cell, or all cells, of a local; ``given`` are keys that parameters are."""
        places = self.cells.get(slot)
        if places is None:
            return []
        wanted: list[str | int] = [key, ALL]
        wanted += [parameter for parameter, text in given if text == key]
        return [found for one in wanted if (found := places.get(one))]


class Idle:
    """What was found for the bodies of one program."""

    def __init__(self, library: Library) -> None:
        """Ask ``library`` what calls do."""
        self.library = library
        self._loads: dict[MemberRef, dict[tuple[int, int], dict[str, list[int]]]] = {}
        self._overwriting: dict[MemberRef, Overwriting] = {}

    def others(self, code: Code, slot: int, start: int, key: str, beyond: int) -> list[int]:
        """Return the loads, from ``beyond`` on, of what ``start`` put into a local at which something may come of a cell ``key``."""
        groups = self._groups(code, slot, start)
        if not key:
            return sorted(load for found in groups.values() for load in _from(found, beyond))
        busy, keyed = _from(groups.get(_BUSY, []), beyond), _from(groups.get(key, []), beyond)
        self.library.program.meter.spend(1 + len(busy))
        return sorted((*busy, *keyed)) if keyed else busy

    def by_key(self, code: Code, slot: int, start: int) -> bool:
        """Tell whether something may come of some cell of what ``start`` put into a local."""
        return bool(self._groups(code, slot, start))

    def _groups(self, code: Code, slot: int, start: int) -> dict[str, list[int]]:
        known = self._loads.setdefault(code.ref, {})
        groups = known.get((slot, start))
        if groups is None:
            groups = known[slot, start] = self._grouped(code, slot, start)
        return groups

    def _grouped(self, code: Code, slot: int, start: int) -> dict[str, list[int]]:
        """Return the loads by the one key under which something is taken out there, and those at which more is done."""
        found: dict[str, list[int]] = {}
        for load in code.reached(slot, start):
            only = self._asked(code, load)
            if only != ALL:
                found.setdefault(only, []).append(load)
        return found

    def _asked(self, code: Code, load: int) -> str:
        """Return the one key under which something is taken out at a load; ``ALL`` if nothing ever is."""
        only = ALL
        for index in code.takers.get(load, ()):
            self.library.program.meter.spend()
            found = self._taken(code, load, index)
            if found == _BUSY or ALL not in (only, found):
                return _BUSY
            only = found if only == ALL else only
        return only

    def _taken(self, code: Code, load: int, index: int) -> str:
        instr = code.code[index]
        match instr:
            case ir.Call() if instr.object == load and load not in instr.args:
                return self._of_call(code, index, instr)
            case ir.Index() if instr.array == load != instr.index:
                return self.library.key_text(code, instr.index) or _BUSY
            case ir.StoreIndex() if load not in (instr.value, instr.index):
                return ALL
            case _:
                return _BUSY

    def _of_call(self, code: Code, index: int, call: ir.Call) -> str:
        library = self.library
        if library.barrier(code, index) or compares(call):
            return ALL
        if code.context.targets(index) and not library.speaks_of(code, index):
            # Methods of the project find what their object holds where it was put.
            return ALL
        if any(isinstance(code.code[arg], (ir.Lambda, ir.MethodRef)) for arg in call.args):
            return _BUSY
        if library.names_cells(code, index):
            return ALL
        row = library.cell(code, index, RECEIVER)
        if row is not None:
            if row.key is None or row.key >= len(call.args):
                return _BUSY
            return library.key_text(code, call.args[row.key]) or _BUSY
        moves, known = library.conversions(code, index, RECEIVER)
        if moves:
            return _BUSY
        if known or library.in_jdk(code, index) or library.is_void(code, index):
            return ALL
        return property_of(call, False) or _WHOLE

    def overwriting(self, code: Code) -> Overwriting:
        """Return what overwrites cells of containers in a body."""
        found = self._overwriting.get(code.ref)
        if found is None:
            found = self._overwriting[code.ref] = Overwriting(self._find_overwriting(code))
        return found

    def _find_overwriting(self, code: Code) -> dict[int, _Places]:
        cells: dict[int, _Places] = {}
        for index in self.library.writers(code):
            self.library.program.meter.spend()
            instr = code.code[index]
            if isinstance(instr, ir.StoreIndex):
                holder, cell, put = instr.array, self._cell(code, instr.index), instr.value
            elif isinstance(instr, ir.Call) and instr.object != NONE:
                row = self.library.cell(code, index)
                if row is None:
                    continue
                if row.clear:
                    cell = self._cell(code, instr.args[row.key]) if row.key is not None else ALL
                    holder, put = instr.object, NONE
                elif row.put is not None and row.key is not None and row.put < len(instr.args):
                    holder = instr.object
                    cell = self._cell(code, instr.args[row.key])
                    put = instr.args[row.put]
                else:
                    continue
            else:
                continue
            loaded = code.code[holder]
            if isinstance(loaded, ir.Load):
                cells.setdefault(loaded.slot, {}).setdefault(cell, []).append((index, put))
        return cells

    def _cell(self, code: Code, value: int) -> str | int:
        slot = self.library.named_slot(code, value)
        return slot if slot != NONE else self.library.key_text(code, value)


def _from(numbers: list[int], beyond: int) -> list[int]:
    return numbers[bisect_left(numbers, beyond) :]
