"""Indexed bodies and the options that stand in them, kept while properties of one program are worked out."""

from __future__ import annotations

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.options.inference.bound_fact import field_name
from conflens.options.model import Option, OptionTable
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_MOST = 256
"""Bodies that are kept; beyond, all are let go."""
_DEEP = 6


class Bodies:
    """The bodies of one program; remembers what it saw."""

    def __init__(self, program: Program, table: OptionTable) -> None:
        """Look in ``program`` for the options of ``table``."""
        self.program = program
        self.table = table
        self._kept: dict[MemberRef, Code] = {}
        self._reads: dict[str, dict[Place, tuple[Option, ...]]] = {}

    def code(self, ref: MemberRef) -> Code:
        """Return a member's body with its indexes."""
        found = self._kept.get(ref)
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[ref] = Code(self.program, ref)
        return found

    def place(self, ref: MemberRef, index: int) -> Place:
        """Return where an instruction stands."""
        instr = self.code(ref).code[index]
        at = self.program.member(ref).at
        return Place(ref.path, at + instr.at, at + instr.end)

    def spot(self, ref: MemberRef, index: int) -> Place:
        """Return where a person sees an instruction: a call begins with the name of its method."""
        instr = self.program.body(ref).code[index]
        at = self.program.member(ref).at
        begin = instr.name_at if isinstance(instr, ir.Call) else instr.at
        return Place(ref.path, at + begin, at + instr.end)

    def read_at(self, ref: MemberRef, index: int) -> Option | None:
        """Return the option that an instruction reads, if it is one."""
        reads = self._reads.get(ref.path)
        if reads is None:
            reads = self._reads[ref.path] = {}
            for read, option in self.table.reads_in.get(ref.path, ()):
                reads[read.place] = (*reads.get(read.place, ()), option)
        if not reads:
            return None
        found = reads.get(self.spot(ref, index), ())
        return found[0] if len(found) == 1 else None

    def option(self, ref: MemberRef, value: int, deep: int = 0) -> Option | None:
        """Return the option whose value, as it is set, an expression is, if that is known."""
        if value == NONE or deep > _DEEP:
            return None
        code = self.code(ref)
        instr = code.code[value]
        found = self.read_at(ref, value)
        if found is not None:
            return found
        match instr:
            case ir.Load(up=0):
                stores = code.stores.get(instr.slot, [])
                if len(stores) != 1 or code.context.is_parameter(instr.slot):
                    return None
                store = code.code[stores[0]]
                assert isinstance(store, ir.Store)
                return self.option(ref, store.value, deep + 1)
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                return self._held(field) if field is not None else None
            case ir.Cast():
                return self.option(ref, instr.value, deep + 1)
            case ir.Call(args=()):
                return self._gotten(code, value)
            case _:
                return None

    def _held(self, field: MemberRef) -> Option | None:
        found = self.table.by_field.get(field_name(self.program, field), ())
        return found[0] if len(found) == 1 else None

    def _gotten(self, code: Code, call: int) -> Option | None:
        """Return the option that a method without parameters gives back."""
        targets = code.context.targets(call)
        if len(targets) != 1 or self.program.overriders(targets[0]):
            return None
        inner = self.code(targets[0])
        given = [one for one in inner.code if isinstance(one, ir.Return)]
        if len(given) != 1 or given[0].value == NONE or len(inner.code) > _GETTER:
            return None
        field = inner.context.field_of(given[0].value)
        if field is not None:
            return self._held(field)
        return self.read_at(targets[0], given[0].value)


_GETTER = 12
"""Instructions of a method that may do nothing but give a value back."""
