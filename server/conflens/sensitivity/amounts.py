"""Arguments that say something else than their operation: rows of ``grammars/sensitivity/amounts.toml``, and which of them hold.

Terms
    weight  what it is as evidence: of a ``CHOICE`` between implementations it is likely that it matters, whatever the option
            is called; ``LITTLE`` is likely at most and never decides by itself; ``NONE`` is no evidence.

A row is about one argument of a call.  Where it cannot be told which argument the value is, or a condition cannot be
decided, no row holds.  Absent: whether what is made is used at all (``usage``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from fnmatch import translate
from functools import lru_cache
from typing import Any

import attrs
import tomli

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.results import Path, Step
from conflens.models.resources import grammar_file
from conflens.program.body_uses import called
from conflens.program.expressions import Context
from conflens.program.fluent import fluent_type
from conflens.sensitivity.bodies import Bodies
from conflens.sensitivity.lexicon import singular

FILE = "sensitivity/amounts.toml"


class Weight(StrEnum):
    """See the module text."""

    CHOICE = "choice"
    LITTLE = "little"
    NONE = "none"


@attrs.frozen
class Argument:
    """One row; the fields are described in its file."""

    pattern: re.Pattern[str] = attrs.field(repr=False)
    at: frozenset[int]
    count: int | None
    beside: int | None
    made: frozenset[str]
    without: frozenset[str]
    each: tuple[str, ...]
    weight: Weight
    sizes: str


@attrs.frozen
class Unused:
    """Words that tell what does not count as a use of an object, or as a call of a method; described in the file."""

    calls: frozenset[str]
    annotations: frozenset[str]
    roots: frozenset[str]
    made: frozenset[str]
    asking: frozenset[str]
    constructing: frozenset[str]
    making: frozenset[str]


@attrs.frozen
class AmountRows:
    """All rows."""

    arguments: tuple[Argument, ...]
    unused: Unused


@lru_cache(maxsize=1)
def packaged() -> AmountRows:
    """Return the packaged rows."""
    rows = tomli.loads(grammar_file(FILE).decode())
    unused = rows["unused"]
    return AmountRows(
        tuple(map(_argument, rows["argument"])),
        Unused(
            frozenset(map(singular, unused["calls"].split())),
            frozenset(unused["annotations"].split()),
            frozenset(map(singular, unused["roots"].split())),
            frozenset(unused["made"].split()),
            frozenset(unused["asking"].split()),
            frozenset(unused["constructing"].split()),
            frozenset(map(singular, unused["making"].split())),
        ),
    )


def _argument(row: dict[str, Any]) -> Argument:
    patterns = (translate(call.replace("[", "[[]")) for call in row["calls"])
    return Argument(
        re.compile("|".join(patterns)),
        frozenset(row.get("at", ())),
        row.get("count"),
        row.get("beside"),
        frozenset(row.get("made", ())),
        frozenset(row.get("without", ())),
        tuple(row.get("each", ())),
        Weight(row["weight"]),
        row["sizes"],
    )


class Amounts:
    """Asks the rows about calls of one program."""

    def __init__(self, bodies: Bodies, rows: AmountRows) -> None:
        """Ask about the program of ``bodies``."""
        self._bodies = bodies
        self._program = bodies.program
        self._rows = rows
        self._once: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._named: dict[str, bool] = {}

    def names(self, api: str) -> bool:
        """Tell whether any row is about calls of this name."""
        found = self._named.get(api)
        if found is None:
            found = self._named[api] = any(row.pattern.match(api) for row in self._rows.arguments)
        return found

    def of(self, path: Path, api: str) -> Argument | None:
        """Return the row that holds for the argument with which a path ends; that with the most weight of several."""
        if not self.names(api):
            return None
        step = path.steps[-1]
        code = self._bodies.code(step.ref)
        args = _arguments(code.code[step.instr]) if 0 <= step.instr < len(code.code) else ()
        places = _places(code, path, args) or (range(len(args)) if len(args) == 1 else ())
        found = [self.at(code, step.instr, place, api) for place in places]
        if not found or any(row is None for row in found):
            return None
        rows = [row for row in found if row is not None]
        return min(rows, key=lambda row: row.weight is Weight.NONE)

    def at(self, code: Code, index: int, place: int, api: str = "") -> Argument | None:
        """Return the row that holds for the argument of a call at ``place``."""
        args = _arguments(code.code[index])
        name = api or api_of(code.context, index)
        for row in self._rows.arguments:
            if (
                row.pattern.match(name)
                and (not row.at or place in row.at)
                and row.count in (None, len(args))
                and self._holds(row, code, index, args)
            ):
                return row
        return None

    def _holds(self, row: Argument, code: Code, index: int, args: tuple[int, ...]) -> bool:
        if row.beside is not None and not (
            row.beside < len(args) and _is_made(code, args[row.beside], row.made)
        ):
            return False
        if row.without and not _is_without(code, index, row.without):
            return False
        return not row.each or self._is_called_once(code.ref.owner, row.each)

    def _is_called_once(self, owner: str, names: tuple[str, ...]) -> bool:
        """Tell whether a class calls methods at one place at most, and not in a loop."""
        found = self._once.get((owner, names))
        if found is None:
            number = 0
            for user in {user for name in names for user in self._program.users(name)}:
                if user.owner == owner and number <= 1:
                    code = self._bodies.code(user)
                    places = [index for index, _ in called(code.context, *names)]
                    is_repeated = len(places) == 1 and _is_in_loop(code, places[0])
                    number += 2 if is_repeated else len(places)
            found = self._once[owner, names] = number <= 1
        return found


def _is_in_loop(code: Code, index: int) -> bool:
    loops = (code.code[loop] for loop in code.loops)
    return any(
        isinstance(loop, ir.Loop) and loop.test_start <= index < loop.stop for loop in loops
    ) or any(
        isinstance(each, ir.ForEach) and each.start <= index < each.stop for each in code.code
    )


def api_of(context: Context, index: int) -> str:
    """Return what a person calls an instruction: ``Type.method`` or ``new Type``."""
    instr = context.code[index]
    if isinstance(instr, ir.New):
        return f"new {_simple(instr.type)}"
    if not isinstance(instr, ir.Call):
        return ""
    type_ = fluent_type(context, instr) if instr.object != NONE else None
    return f"{_simple(type_.name)}.{instr.name}" if type_ is not None else ""


def _arguments(instr: ir.Instr) -> tuple[int, ...]:
    return instr.args if isinstance(instr, (ir.Call, ir.New)) else ()


def _simple(type_: str) -> str:
    return type_.partition("<")[0].rpartition(".")[2]


def _places(code: Code, path: Path, args: tuple[int, ...]) -> tuple[int, ...]:
    """Return the arguments that the value with which a path ends is in."""
    if len(path.steps) < 2:
        return ()
    step = path.steps[-2]
    found = [
        place
        for place, arg in enumerate(args)
        if any(_is_from(code, value, step) for value in code.inside(arg))
    ]
    return tuple(
        place
        for place, arg in enumerate(args)
        if place in found or any(_is_same(code, arg, args[other]) for other in found)
    )


def _is_from(code: Code, value: int, step: Step) -> bool:
    """Tell whether a value is that of a step: of this body, of what a local is given there, or of a method that is called."""
    if step.ref != code.ref:
        return isinstance(code.code[value], ir.Call) and step.ref in code.context.targets(value)
    if not 0 <= step.instr < len(code.code):
        return False
    return value == step.instr or _loads(code.code[value], code.code[step.instr])


def _loads(instr: ir.Instr, store: ir.Instr) -> bool:
    return (
        isinstance(instr, ir.Load)
        and isinstance(store, ir.Store)
        and (instr.slot, instr.up) == (store.slot, store.up)
    )


def _is_same(code: Code, one: int, other: int) -> bool:
    """Tell whether two expressions are written alike."""
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if one == other:
            continue
        if NONE in (one, other) or not _begins_alike(code.code[one], code.code[other]):
            return False
        below, beside = ir.operands(code.code[one]), ir.operands(code.code[other])
        if len(below) != len(beside):
            return False
        waiting += zip(below, beside, strict=True)
    return True


def _begins_alike(one: ir.Instr, other: ir.Instr) -> bool:
    """Tell whether two instructions of one class do the same with their operands; of most classes that is not said."""
    if one.__class__ is not other.__class__:
        return False
    match one, other:
        case ((ir.Name() | ir.Field() | ir.Call()), (ir.Name() | ir.Field() | ir.Call())):
            return one.name == other.name
        case ir.Load(), ir.Load():
            return (one.slot, one.up) == (other.slot, other.up)
        case ir.Const(), ir.Const():
            return one.value == other.value
        case ir.This(), ir.This():
            return True
        case _:
            return False


def _only_made(code: Code, value: int) -> ir.New | None:
    """Return what makes the object that a value is, if it is made in this body alone."""
    instr = code.code[value]
    if isinstance(instr, ir.Load) and not instr.up:
        if code.context.body.locals[instr.slot].parameter:
            return None
        stores = code.stores.get(instr.slot, ())
        store = code.code[stores[0]] if len(stores) == 1 else None
        if not isinstance(store, ir.Store) or store.value == NONE:
            return None
        instr = code.code[store.value]
    return instr if isinstance(instr, ir.New) else None


def _is_made(code: Code, value: int, made: Iterable[str]) -> bool:
    new = _only_made(code, value)
    if new is None:
        return False
    name = _simple(new.type)
    return name in made or (not new.args and f"{name}/0" in made)


def _is_without(code: Code, index: int, names: Iterable[str]) -> bool:
    """Tell whether a body makes the object that a call is on, and calls none of some methods on it."""
    call = code.code[index]
    if (
        not isinstance(call, ir.Call)
        or call.object == NONE
        or _only_made(code, call.object) is None
    ):
        return False
    return not any(
        isinstance(other, ir.Call)
        and other.object != NONE
        and _is_same(code, other.object, call.object)
        for _, other in called(code.context, *names)
    )
