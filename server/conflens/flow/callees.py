"""Which code of the project a call runs: methods and constructors, what they stand for, tasks that a library is handed.

Receivers are narrowed as far as types, and the one new object that a local is given, tell.  Absent: what a call does with values
(``library``).
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier, TypeDecl
from conflens.flow.code import Code
from conflens.flow.forms import Doubt
from conflens.flow.rows import Rows
from conflens.models.schema import RECEIVER
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

FEW = 4
"""Methods that a call may run without being called many."""

_ALONE = int(Modifier.STATIC | Modifier.PRIVATE)
_ABSTRACT = int(Modifier.ABSTRACT)
_GETTER = 4
_SUBTYPES = 64
"""Subtypes of a type that are looked at, whether they all override a method."""


class Callees:
    """The methods that the calls of one program run."""

    def __init__(self, rows: Rows) -> None:
        """Ask ``rows`` which tasks libraries run."""
        self.rows = rows
        self.program: Program = rows.program
        self._getters: dict[MemberRef, MemberRef | None] = {}
        self._run_by: dict[tuple[MemberRef, str], tuple[tuple[MemberRef, ...], int]] = {}
        self._run_at: dict[MemberRef, dict[int, tuple[tuple[MemberRef, ...], int]]] = {}
        self._made: dict[str, bool] = {}
        self._initialisers: dict[str, list[MemberRef]] = {}

    def take(self, before: Callees, names: Set[str]) -> None:
        """Take over which methods calls run, but for those called by ``names``, declared otherwise."""
        self._made |= before._made
        self._run_by |= before._run_by
        for key in before._run_by if names else ():
            if before.program.member(key[0]).name in names:
                del self._run_by[key]

    def run_by(self, code: Code, index: int) -> tuple[tuple[MemberRef, ...], int]:
        """Return the project methods with code that a call may run, and the doubt about which."""
        known = self._run_at.get(code.ref)
        if known is None:
            known = self._run_at[code.ref] = {}
        found = known.get(index)
        if found is None:
            found = known[index] = self._find_run(code, index)
        return found

    def _find_run(self, code: Code, index: int) -> tuple[tuple[MemberRef, ...], int]:
        targets = code.context.targets(index)[:1]
        if not targets:
            return (), Doubt.NONE
        target = targets[0]
        instr = code.code[index]
        owner = ""
        if isinstance(instr, ir.Call):
            alone = self._of_new(code, instr)
            if alone is not None:
                return (alone,), Doubt.NONE
            narrower = self._narrower(code, instr)
            if narrower is not None:
                target, owner = narrower
            else:
                owner = self._receiver(code, instr, target)
        key = (target, owner)
        found = self._run_by.get(key)
        if found is None:
            refs = [target, *self._below(target, owner)] if owner else [target]
            real = tuple(ref for ref in refs if self.has_code(ref))
            if len(real) > 1:
                real = tuple(ref for ref in real if not self._always_overridden(ref)) or real
                made = tuple(ref for ref in real if self.is_made(ref.owner))
                real = made or real
            doubt = Doubt.NONE
            if len(real) > 1:
                doubt = Doubt.DISPATCH if len(real) <= FEW else Doubt.MANY
            found = self._run_by[key] = (real, doubt)
        return found

    def _of_new(self, code: Code, instr: ir.Call) -> MemberRef | None:
        """Return the method that a call runs on a local that is given one new object and nothing else."""
        load = code.code[instr.object] if instr.object != NONE else None
        if not isinstance(load, ir.Load) or load.up or code.context.is_parameter(load.slot):
            return None
        stores = code.stores.get(load.slot, ())
        store = code.code[stores[0]] if len(stores) == 1 else None
        if not isinstance(store, ir.Store) or store.value == NONE:
            return None
        if not isinstance(code.code[store.value], ir.New):
            return None
        made = self.made_class(code, store.value)
        found = self.program.methods(made, instr.name, len(instr.args))
        return found[0] if len(found) == 1 and self.has_code(found[0]) else None

    def _narrower(self, code: Code, instr: ir.Call) -> tuple[MemberRef, str] | None:
        """Return the method that a call names on the class of the one value that a local is given, if that is a subtype of the local's."""
        load = code.code[instr.object] if instr.object != NONE else None
        if not isinstance(load, ir.Load) or load.up or code.context.is_parameter(load.slot):
            return None
        stores = code.stores.get(load.slot, ())
        store = code.code[stores[0]] if len(stores) == 1 else None
        if not isinstance(store, ir.Store) or store.value == NONE:
            return None
        given, type_ = code.context.type_of(store.value), code.context.local_type(load.slot)
        if given is None or type_ is None or given.name == type_.name:
            return None
        info = self.program.type(given.name)
        if info is None or info.decl.kind == "interface":
            return None
        if not self.program.is_subtype(given.name, type_.name):
            return None
        found = self.program.methods(given.name, instr.name, len(instr.args))
        return (found[0], given.name) if len(found) == 1 else None

    def _receiver(self, code: Code, instr: ir.Call, target: MemberRef) -> str:
        """Return the type whose overriding methods a call may run; empty if it runs the target alone."""
        member = self.program.member(target)
        if member.kind != "method" or member.modifiers & _ALONE:
            return ""
        if instr.object == NONE:
            return code.ref.owner
        receiver = code.code[instr.object]
        if isinstance(receiver, ir.This):
            return "" if receiver.qualifier == "super" else code.ref.owner
        if isinstance(receiver, ir.New):
            return ""
        type_ = code.context.receiver_type(instr)
        return type_.name if type_ is not None else target.owner

    def _below(self, target: MemberRef, owner: str) -> list[MemberRef]:
        """Return the overriding methods that the receiver's type leaves possible."""
        program = self.program
        others = program.overriders(target)
        if not others or owner == target.owner or not program.is_subtype(owner, target.owner):
            return others
        return [ref for ref in others if program.is_subtype(ref.owner, owner)]

    def _always_overridden(self, ref: MemberRef) -> bool:
        """Tell whether each class of which there can be objects overrides a method, which then runs for ``super`` alone.

        A functional interface may be any lambda.
        """
        program = self.program
        info = program.type(ref.owner)
        if info is None or self._may_be_alone(info.decl):
            return False
        member = program.member(ref)
        below = [
            name
            for name in program.all_subtypes(ref.owner)
            if (found := program.type(name)) is not None and self._may_be_alone(found.decl)
        ]
        program.meter.spend(1 + len(below))
        if not below or len(below) > _SUBTYPES:
            return False
        if info.decl.kind == "interface" and self._is_functional(ref.owner):
            return False
        return all(
            next(iter(program.methods(name, member.name, len(member.params))), ref) != ref
            for name in below
        )

    @staticmethod
    def _may_be_alone(decl: TypeDecl) -> bool:
        """Tell whether there can be objects of a type itself, not only of its subtypes."""
        return decl.kind != "interface" and not decl.modifiers & _ABSTRACT

    def _is_functional(self, owner: str) -> bool:
        """Tell whether an interface has one abstract method of its own, or perhaps an inherited one."""
        abstract = sum(
            bool(self.program.member(ref).modifiers & _ABSTRACT)
            for refs in self.program.own_methods(owner).values()
            for ref in refs
        )
        return abstract == 1 or (not abstract and bool(self.program.direct_supers(owner)))

    def is_made(self, owner: str) -> bool:
        """Tell whether objects of a class or its subclasses are made anywhere, by the names used."""
        found = self._made.get(owner)
        if found is None:
            found = False
            for name in (owner, *self.program.all_subtypes(owner)):
                info = self.program.type(name)
                if info is None:
                    continue
                simple = info.decl.name
                if (
                    info.decl.kind in ("enum", "record", "interface")
                    or not simple
                    or self.program.users(simple)
                    or self.program.mentions(simple)
                ):
                    found = True
                if found:
                    break
            self._made[owner] = found
        return found

    def has_code(self, ref: MemberRef) -> bool:
        """Tell whether a method has a body."""
        return not self.program.member(ref).modifiers & _ABSTRACT or bool(
            Context.of(self.program, ref).code
        )

    def referred(self, code: Code, index: int, count: int) -> list[MemberRef]:
        """Return the methods that a method reference means, called with ``count`` arguments."""
        instr = code.code[index]
        assert isinstance(instr, ir.MethodRef)
        owners = self.rows.owners(code, index)
        name = "<init>" if instr.name == "new" else instr.name
        if instr.object != NONE and not instr.type:
            type_ = code.context.type_of(instr.object)
            owners = [type_.name] if type_ is not None else []
        if not owners and instr.object != NONE:
            owners = [code.ref.owner]
        for owner in owners:
            found = self.program.methods(owner, name, count)[:1]
            if found:
                return found
        return []

    def made_class(self, code: Code, index: int) -> str:
        """Return the class of which ``new`` makes an object; an anonymous one has a name of its own."""
        instr = code.code[index]
        assert isinstance(instr, ir.New)
        if instr.body >= 0:
            name = f"{code.ref.owner}${code.ref.number}#{instr.body}"
            if self.program.type(name) is not None:
                return name
        return self.program.resolve(instr.type, code.ref.path, code.ref.owner).name

    def initialisers(self, owner: str) -> list[MemberRef]:
        """Return the code that making an object runs besides the constructor that is called.

        Fields with initial values, initialiser blocks, and constructors without parameters of
        superclasses.
        """
        found = self._initialisers.get(owner)
        if found is None:
            found = []
            info = self.program.type(owner)
            if info is not None:
                facts = self.program.files[info.path]
                for number, member in enumerate(facts.members):
                    if member.owner != info.number or member.modifiers & Modifier.STATIC:
                        continue
                    if member.kind == "initializer" or (
                        member.kind == "field" and facts.bodies[number]
                    ):
                        found.append(self.program.ref(info.path, number))
                for super_ in self.program.direct_supers(owner)[:1]:
                    if self.program.type(super_.name) is not None:
                        found += self.program.methods(super_.name, "<init>", 0)[:1]
            self._initialisers[owner] = found
        return found

    def object_class(self, code: Code, value: int) -> str:
        """Return the class of an object as exactly as the spot shows it, or an empty text."""
        instr = code.code[value]
        if isinstance(instr, ir.New):
            return self.made_class(code, value)
        if isinstance(instr, ir.Load) and not instr.up:
            stores = code.stores.get(instr.slot, ())
            if len(stores) == 1:
                store = code.code[stores[0]]
                if isinstance(store, ir.Store) and store.value != NONE:
                    made = code.code[store.value]
                    if isinstance(made, ir.New):
                        return self.made_class(code, store.value)
        type_ = code.context.type_of(value)
        return type_.name if type_ is not None else ""

    def tasks(self, code: Code, index: int) -> list[MemberRef]:
        """Return the methods of objects that a library call is given to run."""
        found: list[MemberRef] = []
        for value, runs in self._run_later(code, index):
            if value == NONE:
                owner = code.ref.owner
            elif isinstance(code.code[value], (ir.Lambda, ir.MethodRef)):
                continue
            else:
                owner = self.object_class(code, value)
            if self.program.type(owner) is None:
                continue
            for name in runs:
                for count in (0, 1, 2):
                    refs = self.program.methods(owner, name, count)[:1]
                    for ref in refs:
                        every = [ref, *self.program.overriders(ref)]
                        found += [item for item in every if self.has_code(item)]
                    if refs:
                        break
        return list(dict.fromkeys(found))

    def handed(self, code: Code, index: int) -> list[int]:
        """Return the values that a library call is given to run, but for functions that stand there."""
        return [
            value
            for value, _ in self._run_later(code, index)
            if value != NONE and not isinstance(code.code[value], (ir.Lambda, ir.MethodRef))
        ]

    def _run_later(self, code: Code, index: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield what a library call runs, ``NONE`` for the object at hand, with the names of its methods that run."""
        instr = code.code[index]
        if not isinstance(instr, (ir.Call, ir.New)):
            return
        for row in self.rows.callbacks(code, index):
            if row.argument == RECEIVER:
                yield instr.object if isinstance(instr, ir.Call) else NONE, row.runs
            elif 0 <= row.argument < len(instr.args):
                yield instr.args[row.argument], row.runs

    def getter(self, ref: MemberRef) -> MemberRef | None:
        """Return the field that a method does nothing but return."""
        if ref not in self._getters:
            found: MemberRef | None = None
            context = Context.of(self.program, ref)
            if len(context.code) <= _GETTER and not self.program.overriders(ref):
                for instr in context.code:
                    if isinstance(instr, ir.Return) and instr.value != NONE:
                        found = context.field_of(instr.value)
            self._getters[ref] = found
        return self._getters[ref]
