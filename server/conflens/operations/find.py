"""The performance operations of one body.

Terms
    operation   an instruction that costs time or memory (DiagConfig §2.2, LearnConf §3.1.2): a call that
                a row names, an array whose length is no constant, ``synchronized``.
    owner       a type in which the method of a call is looked up.
    pending     an operation that other bodies have a say in: its size is a constant field's, or it
                counts only if a class holds what I/O has read.

Invariants: a call counts by the resolved type of its receiver, never by its name alone; where that type
is not known it does not count.  An instruction is at most one operation.  What is
remembered of a body follows from the body, from surfaces and from the rows; what follows from other
bodies is asked for anew in every program.

Absent: who reaches an operation, calls of project methods that cost something inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.kinds import NUMBERS, kind_of
from conflens.flow.rows import Rows
from conflens.flow.sinks import Keyed
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, OperationRow
from conflens.operations.bounds import BOUNDS, Bounds
from conflens.operations.constants import Constants, Resting
from conflens.operations.content import Content, Held
from conflens.operations.memory import Memory
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import PRIMITIVES, unboxed

_NOTE = "operations"
_NUMBERS = PRIMITIVES - {"void"}


@attrs.frozen
class Found:
    """An operation: instruction ``index``, -1 for a ``synchronized`` method.

    ``arguments``: argument positions whose values count for a direct dependency (None: all);
    dimensions of an array count as its arguments.  ``sized``: its cost is the number it is given,
    which is no constant.  ``pause``: the thread stands still there for a while.  ``keyed``: operations
    by what its arguments hold under a key.
    """

    index: int
    kind: str
    api: str
    arguments: tuple[int, ...] | None
    sized: bool
    pause: bool
    keyed: tuple[Keyed, ...] = ()


class _Pending(NamedTuple):
    found: Found
    resting: Resting
    held: Held | None


class _Note(NamedTuple):
    digest: str
    sure: tuple[Found, ...]
    pending: tuple[_Pending, ...]

    def closed(self) -> _Note:
        """Return what stays of it when the body is closed (``program.open_body``): an edit is compared with it."""
        return self


_KINDS = (ir.Call, ir.MethodRef, ir.New, ir.NewArray, ir.Binary, ir.Sync, ir.Return)
"""The instructions that may be operations."""


class Operations:
    """The operations of one program by the rows of ``models``."""

    def __init__(self, program: Program, models: Models, rows: Rows) -> None:
        """Look for operations in bodies of ``program``."""
        self.program = program
        self.models = models
        self.rows = rows
        self.content = Content(program, models, rows)
        self._constants = Constants(program)
        self._memory = Memory(program, models, rows)
        self._by_method = models.operations_by_method
        self._orders: dict[str, dict[str, int]] = {}
        self._row_types: dict[str, frozenset[str]] = {}

    def rests_on(self) -> frozenset[str]:
        """Return what other bodies decide: the classes whose objects hold what I/O has read."""
        return self.content.holders()

    def in_body(self, code: Code) -> tuple[Found, ...]:
        """Return all operations of a member's body in order of their instructions."""
        note = code.context.notes.get(_NOTE)
        if not isinstance(note, _Note) or note.digest != self.models.digest:
            note = self._note(code)
            code.context.notes[_NOTE] = note
        if not note.pending:
            return note.sure
        extra = [pending.found for pending in note.pending if self._counts(pending)]
        return tuple(sorted((*note.sure, *extra), key=_place)) if extra else note.sure

    def _counts(self, pending: _Pending) -> bool:
        if pending.held is not None:
            return self.content.holds(pending.held)
        return not self._constants.constant(pending.resting)

    def _note(self, code: Code) -> _Note:
        sure: list[Found] = []
        pending: list[_Pending] = []
        if self.program.member(code.ref).modifiers & Modifier.SYNCHRONIZED:
            sure.append(Found(-1, "lock", "synchronized", None, False, False))
        names = self._by_method
        result = self._result(code.ref)
        bounds = Bounds(code, self.rows, self._by_method)
        for index in code.context.of_kind(*_KINDS):
            instr = code.code[index]
            kind = instr.__class__
            if isinstance(instr, ir.Return):
                if result is not None:
                    self._add_result(code, index, instr, result, sure, pending)
            elif kind is ir.Call or kind is ir.MethodRef:
                if instr.name in names:  # type: ignore[union-attr]
                    self._add(code, index, instr.name, sure, pending)  # type: ignore[union-attr]
            elif kind is ir.New:
                self._add(code, index, CONSTRUCTOR, sure, pending)
            elif isinstance(instr, ir.NewArray):
                if instr.dims:
                    resting = self._constants.resting(code, instr.dims)
                    found = Found(index, "memory", _array(instr.type), None, True, False)
                    _file(found, resting, None, sure, pending)
            elif isinstance(instr, ir.Binary):
                if instr.op in BOUNDS:
                    self._add_bound(code, index, instr, bounds, sure, pending)
            elif kind is ir.Sync:
                sure.append(Found(index, "lock", "synchronized", None, False, False))
        return _Note(self.models.digest, tuple(sure), tuple(pending))

    def _result(self, ref: MemberRef) -> OperationRow | None:
        """Return the row that says that what an overriding method gives back counts."""
        member = self.program.member(ref)
        if member.kind != "method":
            return None
        order: dict[str, int] | None = None
        for row in self._by_method.get(member.name, ()):
            if row.result and row.min_args <= len(member.params):
                order = self._order(ref.owner) if order is None else order
                if row.type in order or not order.keys().isdisjoint(row.also_types):
                    return row
        return None

    def _add_result(
        self,
        code: Code,
        index: int,
        instr: ir.Return,
        row: OperationRow,
        sure: list[Found],
        pending: list[_Pending],
    ) -> None:
        if instr.value != NONE and instr.kind != "yield" and code.lambda_of(index) == NONE:
            api = f"{_simple(row.type)}.{row.method}"
            found = Found(index, row.kind, api, None, True, row.pause)
            _file(found, self._constants.resting(code, (instr.value,)), None, sure, pending)

    def _add_bound(
        self,
        code: Code,
        index: int,
        instr: ir.Binary,
        bounds: Bounds,
        sure: list[Found],
        pending: list[_Pending],
    ) -> None:
        for row, place in bounds.of(instr):
            bound = (instr.left, instr.right)[place]
            api = f"{_simple(row.type)}.{row.method}"
            found = Found(index, row.kind, api, (place,), True, row.pause)
            _file(found, self._constants.resting(code, (bound,)), None, sure, pending)

    # -- calls -----------------------------------------------------------------------------------

    def _add(
        self,
        code: Code,
        index: int,
        name: str,
        sure: list[Found],
        pending: list[_Pending],
    ) -> None:
        best = self._best(code, index, name)
        keyed = tuple(
            Keyed(place, key, row.kind, f"{self._type(row, owner)}[{key}]")
            for row, owner in best
            for place in row.arguments or ()
            for key in row.keys
        )
        for row, owner in best:
            if row.keys:
                continue
            args = _arguments(code.code[index])
            resting: Resting = None
            arguments = row.arguments
            held: Held | None = None
            if row.sized is not None:
                if args is None or not self._is_size(code, index, args, row.sized, owner):
                    continue
                resting = self._constants.resting(code, (args[row.sized],))
                if resting == ():
                    continue
                arguments = (row.sized,) if arguments is None else arguments
            elif row.held is not None:
                held = self.content.held(code, args[row.held]) if args is not None else None
                if held is None:
                    continue
            sized = row.sized is not None
            api = self._api(code, index, row, owner)
            found = Found(index, row.kind, api, arguments, sized, row.pause, keyed)
            _file(found, resting, held, sure, pending)
            return

    def _best(self, code: Code, index: int, name: str) -> list[tuple[OperationRow, str]]:
        """Return the rows that hold for a call: declared ones alone, else those of the nearest types first.

        What only counts for what it is given (``held``) stands behind what always does.
        """
        fitting: list[tuple[bool, int, int, OperationRow, str]] = []
        types = self._types(name)
        constructor = name == CONSTRUCTOR
        explicit = constructor and isinstance(code.code[index], ir.Call)
        for owner in self._owners(code, index):
            order = self._order(owner)
            if order.keys().isdisjoint(types):
                continue
            for number, row in enumerate(self._by_method.get(name, ())):
                distance = order.get(row.type)
                if distance is None:
                    distance = next(
                        (order[name] for name in row.also_types if name in order), None
                    )
                if distance is None or row.result or row.compared:
                    continue
                if constructor and not _constructs(row, distance, explicit):
                    continue
                if not order.keys().isdisjoint(row.unless_types):
                    continue
                if self._fits(code, index, row):
                    fitting.append((row.held is not None, distance, number, row, owner))
            if fitting:
                break
        if not fitting:
            return []
        fitting.sort(key=lambda item: item[:3])
        best = [(row, owner) for *_, row, owner in fitting]
        declared = [item for item in best if item[0].declared]
        if declared:
            return declared
        instr = code.code[index]
        if isinstance(instr, ir.Call) and instr.object != NONE:
            object_ = instr.object
            best = [
                item
                for item in best
                if not item[0].unless_types or not self._memory.is_memory(code, object_, item[0])
            ]
        return best

    def _types(self, method: str) -> frozenset[str]:
        """Return the types of all rows of a method name."""
        found = self._row_types.get(method)
        if found is None:
            rows = self._by_method.get(method, ())
            found = frozenset(type_ for row in rows for type_ in (row.type, *row.also_types))
            self._row_types[method] = found
        return found

    def _owners(self, code: Code, index: int) -> Iterable[str]:
        """Return the types in which the method of a call is looked up, enclosing ones included."""
        instr = code.code[index]
        if isinstance(instr, ir.Call) and isinstance(_at(code, instr.object), ir.This):
            this = code.code[instr.object]
            if instr.name == CONSTRUCTOR and isinstance(this, ir.This):
                # this(…) leads to another constructor of the class, which is looked at by itself.
                return self._superclass(code.ref.owner) if this.qualifier == "super" else ()
        if isinstance(instr, ir.MethodRef):
            return self._reference_owners(code, instr)
        if isinstance(instr, ir.Call) and self._is_own(code, index, instr):
            return ()
        owners = self.rows.owners(code, index)
        if isinstance(instr, ir.Call) and instr.object == NONE and not code.context.targets(index):
            return (*owners, *self._enclosing(code.ref))
        return owners

    def _is_own(self, code: Code, index: int, instr: ir.Call) -> bool:
        """Tell whether a call runs a method of the project that overrides nothing and that no row names."""
        targets = code.context.targets(index)[:1]
        if not targets:
            return False
        member = self.program.member(targets[0])
        alone = Modifier.STATIC | Modifier.PRIVATE
        return bool(member.modifiers & alone) and not any(
            row.declared for row in self._by_method.get(instr.name, ())
        )

    def _reference_owners(self, code: Code, instr: ir.MethodRef) -> list[str]:
        if instr.object != NONE:
            type_ = code.context.type_of(instr.object)
            if type_ is not None and code.context.denotes(instr.object) is None:
                return [type_.name]
        if instr.type:
            return [self.program.resolve(instr.type, code.ref.path, code.ref.owner).name]
        return []

    def _superclass(self, owner: str) -> tuple[str, ...]:
        supers = self.program.direct_supers(owner)
        return (supers[0].name,) if supers else ()

    def _enclosing(self, ref: MemberRef) -> Iterator[str]:
        info = self.program.type(ref.owner)
        while info is not None and info.outer:
            yield info.outer
            info = self.program.type(info.outer)

    def _order(self, name: str) -> dict[str, int]:
        """Return a type with its supertypes and how far away they are."""
        found = self._orders.get(name)
        if found is None:
            chain = (name, *self.program.supertypes(name))
            found = {type_: distance for distance, type_ in enumerate(chain)}
            found.setdefault("java.lang.Object", len(chain))
            self._orders[name] = found
        return found

    def _fits(self, code: Code, index: int, row: OperationRow) -> bool:
        if row.on and not self._is_on(code, index, row.on):
            return False
        args = _arguments(code.code[index])
        if args is None:
            return row.sized is None and row.held is None
        if len(args) < row.min_args or (row.max_args is not None and len(args) > row.max_args):
            return False
        if row.sized is not None and row.sized >= len(args):
            return False
        if row.held is not None and row.held >= len(args):
            return False
        return not row.parameters or self.rows.fits(code, row.parameters, args)

    def _is_on(self, code: Code, index: int, fields: tuple[str, ...]) -> bool:
        """Tell whether a call is made on what one of these static fields holds."""
        call = code.code[index]
        if not isinstance(call, (ir.Call, ir.MethodRef)) or call.object < 0:
            return False
        held = code.code[call.object]
        if not isinstance(held, ir.Field) or held.object < 0:
            return False
        owner = code.context.denotes(held.object)
        return owner is not None and f"{owner}.{held.name}" in fields

    def _is_size(
        self, code: Code, index: int, args: tuple[int, ...], place: int, owner: str
    ) -> bool:
        type_ = code.context.type_of(args[place])
        if type_ is not None:
            return unboxed(type_) in _NUMBERS or kind_of(self.program, type_) in NUMBERS
        # Not known: a size if every overload of the class library has a number there.
        jdk = self.program.jdk_type(owner)
        if jdk is None:
            return True
        instr = code.code[index]
        name = instr.name if isinstance(instr, ir.Call) else CONSTRUCTOR
        overloads = [
            method for method in jdk.methods.get(name, ()) if len(method.params) == len(args)
        ]
        return all(method.params[place] in _NUMBERS for method in overloads)

    def _api(self, code: Code, index: int, row: OperationRow, owner: str) -> str:
        """Return what a person would call it."""
        simple = self._type(row, owner)
        if row.method != CONSTRUCTOR:
            return f"{simple}.{row.method}"
        return f"new {simple}(int)" if row.sized == 0 else f"new {simple}"

    def _type(self, row: OperationRow, owner: str) -> str:
        """Return the simple name of the nearest type that is not the project's."""
        name = owner
        if self.program.type(owner) is not None and not (row.declared and owner == row.type):
            name = row.type
        return _simple(name)


def _place(found: Found) -> int:
    return found.index


def _at(code: Code, value: int) -> ir.Instr | None:
    return code.code[value] if value != NONE else None


def _file(
    found: Found,
    resting: Resting,
    held: Held | None,
    sure: list[Found],
    pending: list[_Pending],
) -> None:
    """Put an operation where it belongs; one of constant size belongs nowhere."""
    if held is not None or resting:
        pending.append(_Pending(found, resting, held))
    elif resting is None:
        sure.append(found)


def _constructs(row: OperationRow, distance: int, explicit: bool) -> bool:
    """Tell whether a constructor's row holds for a type that far below its own, or for ``super(…)``.

    Where no argument is needed the call of the superclass may not be written, so ``new`` of the
    subtype counts and a written one does not.
    """
    implied = row.min_args == 0 and row.sized is None and row.arguments is None
    if explicit:
        return distance == 0 and not implied
    return distance == 0 or implied


def _arguments(instr: ir.Instr) -> tuple[int, ...] | None:
    """Return the arguments of a call; None for a method reference."""
    return instr.args if isinstance(instr, (ir.Call, ir.New)) else None


def _simple(name: str) -> str:
    """Return a qualified name without its package."""
    parts = name.split(".")
    first = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[first:])


def _array(type_: str) -> str:
    """Return ``new byte[]`` for the type text of an array."""
    base = type_.partition("<")[0].partition("[")[0].rpartition(".")[2]
    return f"new {base}{'[]' * max(type_.count('[]'), 1)}"
