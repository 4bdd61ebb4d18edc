"""Where work enters a program: which members a request, a timer or the start begins in, by the rows of ``grammars/models``.

Absent: who reaches what from there (``felt_by``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.models.schema import EntryRow
from conflens.program.body_uses import called, takers
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.properties.model import Felt

_FELT = {
    "request": Felt.REQUEST,
    "background": Felt.BACKGROUND,
    "startup": Felt.STARTUP,
}


class Entries:
    """Answers for one program."""

    def __init__(self, program: Program, models: Models) -> None:
        """Ask about ``program`` by the rows of ``models``."""
        self.program = program
        self._overrides: dict[str, list[EntryRow]] = {}
        self._any: list[EntryRow] = []
        self._annotations: dict[str, EntryRow] = {}
        self._calls: dict[str, list[EntryRow]] = {}
        self._hands: dict[str, list[EntryRow]] = {}
        for row in models.entries:
            match row.shape:
                case "override":
                    self._overrides.setdefault(row.method, []).append(row)
                case "interface" | "named":
                    self._any.append(row)
                case "annotation":
                    self._annotations[row.type.rpartition(".")[2]] = row
                case "calls":
                    self._calls.setdefault(row.method, []).append(row)
                case "hands":
                    self._hands.setdefault(row.method, []).append(row)
        self._runs = frozenset(name for row in models.callbacks for name in row.runs)
        self._known: dict[MemberRef, Felt | None] = {}

    def of(self, ref: MemberRef) -> Felt | None:
        """Return whose work begins in a member."""
        if ref not in self._known:
            self._known[ref] = self._find(ref)
        return self._known[ref]

    def _find(self, ref: MemberRef) -> Felt | None:
        program = self.program
        member = program.member(ref)
        static = program.is_static(ref)
        if static and (member.name == "main" or member.kind not in ("method", "constructor")):
            return Felt.STARTUP
        for note in member.annotations:
            row = self._annotations.get(note.name.rpartition(".")[2])
            if row is not None:
                found = program.resolve_name(note.name, ref.path, ref.owner)
                if found is not None and found.name == row.type:
                    return _FELT[row.felt]
        if member.kind != "method" or static or member.modifiers & Modifier.PRIVATE:
            return None
        above = (ref.owner, *program.supertypes(ref.owner))
        for row in self._overrides.get(member.name, ()):
            if row.type in above and not (row.either and "client" in ref.owner.lower()):
                return _FELT[row.felt]
        for row in self._any:
            if self._is_of(row, ref, above):
                return _FELT[row.felt]
        return None

    def _is_of(self, row: EntryRow, ref: MemberRef, above: tuple[str, ...]) -> bool:
        """Tell whether a method is one of an interface that a row speaks of."""
        program = self.program
        name = program.member(ref).name
        if row.shape == "interface":
            return row.type in above and any(
                name in program.own_methods(type_)
                for type_ in above
                if row.type in program.supertypes(type_)
                and (info := program.type(type_)) is not None
                and info.decl.kind == "interface"
            )
        for type_ in above[1:]:
            if type_.endswith(row.suffix):
                if program.type(type_) is not None:
                    return name in program.own_methods(type_)
                notes = program.member(ref).annotations
                return any(one.name.rpartition(".")[2] == "Override" for one in notes)
        return False

    # -- threads ---------------------------------------------------------------------------------------

    def is_run(self, ref: MemberRef) -> bool:
        """Tell whether a method is what a thread runs."""
        member = self.program.member(ref)
        if member.kind != "method" or member.name not in self._runs or member.params:
            return False
        return any(
            self.program.jdk_type(type_) is not None
            for type_ in self.program.supertypes(ref.owner)
        )

    def waits(self, ref: MemberRef, deep: int = 1) -> set[str]:
        """Return for what a member waits in a loop, ``loop`` among it: whose work comes next; also in methods that it calls there."""
        context = Context.of(self.program, ref)
        loops = [
            (min(instr.test_start, instr.body_start), instr.stop)
            for at in context.of_kind(ir.Loop)
            if isinstance(instr := context.code[at], ir.Loop)
        ]
        if not loops:
            return set()
        found = {"loop"}
        for index, call in context.calls():
            if not any(start <= index < stop for start, stop in loops):
                continue
            if isinstance(call, ir.Call):
                found.update(self.asked(context, call, self._calls))
                if deep:
                    for target in context.targets(index)[:1]:
                        if target.owner == ref.owner:
                            found |= self._anywhere(target)
        return found

    def _anywhere(self, ref: MemberRef) -> set[str]:
        context = Context.of(self.program, ref)
        return {
            felt
            for _, call in context.calls()
            if isinstance(call, ir.Call)
            for felt in self.asked(context, call, self._calls)
        }

    def is_handed(self, ref: MemberRef, value: int) -> bool:
        """Tell whether a value is handed to what runs it again and again by itself."""
        context = Context.of(self.program, ref)
        for taker in takers(context, value):
            instr = context.code[taker]
            if isinstance(instr, ir.Call) and value in instr.args:
                return any(True for _ in self.asked(context, instr, self._hands))
            if isinstance(instr, ir.Store) and not instr.up:
                for _, call in called(context, *self._hands):
                    loads = [
                        arg
                        for arg in call.args
                        if isinstance(load := context.code[arg], ir.Load)
                        and load.slot == instr.slot
                    ]
                    if loads and isinstance(call, ir.Call):
                        return any(True for _ in self.asked(context, call, self._hands))
        return False

    def asked(
        self, context: Context, call: ir.Call, rows: Mapping[str, list[EntryRow]]
    ) -> Iterator[str]:
        """Yield whose work rows say begins with a call."""
        for row in rows.get(call.name, ()):
            if len(call.args) < row.min_args:
                continue
            if call.object == NONE:
                owners: tuple[str, ...] = (context.ref.owner,)
            else:
                type_ = context.receiver_type(call)
                named = context.denotes(call.object)
                owners = tuple(one for one in (type_.name if type_ else "", named) if one)
            for owner in owners:
                if self.program.is_subtype(owner, row.type) or row.type == "java.lang.Object":
                    yield row.felt
                    break
