"""What a call does with values, by model rows, surfaces and the types of the language.

One place where the slices ask: is this call an operation, a container's, a conversion, a predicate;
which methods may it run.  Absent: facts of values (``slices``).
"""

from __future__ import annotations

from collections.abc import Callable, Set

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.code import Code
from conflens.flow.fixed_texts import FixedTexts
from conflens.flow.forms import Doubt
from conflens.flow.kinds import kind_of
from conflens.flow.rows import Rows
from conflens.flow.sinks import Operations, Sink
from conflens.flow.transfer import Transfer
from conflens.models.schema import RECEIVER, RETURN, CellRow
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY, JavaType, unboxed

FEW = 4
"""Methods that a call may run without being called many."""

_WRITERS = "flow.writers"
_ALONE = int(Modifier.STATIC | Modifier.PRIVATE)
_ABSTRACT = int(Modifier.ABSTRACT)
_DEPTH = 8
_HANDED = 2
"""Methods that hand the name of a cell on to each other."""
_GETTER = 4


class Library:
    """The rows and types of one program."""

    def __init__(
        self,
        rows: Rows,
        transfer: Transfer,
        operations: Operations,
        open_: Callable[[MemberRef], Code],
    ) -> None:
        """Ask ``rows`` and ``operations``."""
        self.rows = rows
        self.open = open_
        self.program: Program = rows.program
        self.transfer = transfer
        self.operations = operations
        # What only sets how much or how long is a setting of an object, which carries others, too.
        self._streams = frozenset(
            row.type
            for row in rows.models.operations
            if row.kind == "io" and row.sized is None and row.arguments is None
        )
        self._sinks: dict[MemberRef, dict[int, Sink]] = {}
        self._getters: dict[MemberRef, MemberRef | None] = {}
        self._run_by: dict[tuple[MemberRef, str], tuple[tuple[MemberRef, ...], int]] = {}
        self._keyed: dict[tuple[MemberRef, int], frozenset[int]] = {}
        self._made: dict[str, bool] = {}
        self.fixed = FixedTexts(transfer)
        self._functions: dict[str, bool] = {}
        self._initialisers: dict[str, list[MemberRef]] = {}

    def take(self, before: Library, names: Set[str]) -> None:
        """Take over which methods calls run, but for those called by ``names``, declared otherwise."""
        self._made |= before._made
        self._run_by |= before._run_by
        for key in before._run_by if names else ():
            if before.program.member(key[0]).name in names:
                del self._run_by[key]

    # -- operations ----------------------------------------------------------------------------------

    def sinks(self, code: Code) -> dict[int, Sink]:
        """Return the operations of a body by instruction."""
        found = self._sinks.get(code.ref)
        if found is not None:
            return found
        found = {
            item.index: Sink(
                item.index,
                item.kind,
                item.api,
                item.arguments,
                item.sized,
                item.pause,
                item.keyed,
            )
            for item in self.operations.in_body(code)
        }
        self._sinks[code.ref] = found
        return found

    def sink(self, code: Code, index: int) -> Sink | None:
        """Return the operation that an instruction is."""
        return self.sinks(code).get(index)

    def costs(self, code: Code, sink: Sink) -> bool:
        """Tell whether an operation counts where nothing flows into it: sized ones by constants do not."""
        if not sink.sized or sink.instr < 0:
            return True
        instr = code.code[sink.instr]
        values: tuple[int, ...]
        if isinstance(instr, ir.NewArray):
            values = instr.dims
        elif isinstance(instr, ir.Call | ir.New):
            places = sink.arguments if sink.arguments is not None else range(len(instr.args))
            values = tuple(instr.args[place] for place in places if place < len(instr.args))
        else:
            return True
        return any(self.constant(code, value) is None for value in values)

    # -- rows ----------------------------------------------------------------------------------------

    def barrier(self, code: Code, index: int) -> bool:
        """Tell whether no value passes a call."""
        return self.rows.barrier(code, index)

    def gives_default(self, code: Code, index: int, place: int) -> bool:
        """Tell whether an argument is given back when an option is not set."""
        return place >= 0 and self.rows.gives_default(code, index, place)

    def speaks_of(self, code: Code, index: int) -> bool:
        """Tell whether a row says how a method of the project itself passes values on."""
        call = code.code[index]
        if not isinstance(call, ir.Call | ir.New):
            return False
        owner = self.made_class(code, index) if isinstance(call, ir.New) else ""
        count = len(call.args)
        return any(
            (not owner or row.type == owner)
            and any(place == RECEIVER or 0 <= place < count for place in row.sources)
            for row in self.rows.all_conversions(code, index)
        )

    def conversions(self, code: Code, index: int, place: int) -> tuple[list[int], bool]:
        """Return the places that take over the value of ``place``, and whether rows speak of it."""
        rows = self.rows.conversions(code, index, place)
        return list(dict.fromkeys(row.target for row in rows)), bool(rows)

    def passes_in_spite(self, code: Code, index: int, place: int) -> bool:
        """Tell whether rows say that an operation passes a value on, too."""
        return bool(self.rows.conversions(code, index, place)) or (
            self.cell(code, index, place) is not None
        )

    def passes_receiver(self, code: Code, index: int) -> bool:
        """Tell whether a call gives back the object it is made on."""
        return any(row.target == RETURN for row in self.rows.conversions(code, index, RECEIVER))

    def cell(self, code: Code, index: int, place: int | None = None) -> CellRow | None:
        """Return what a call does with the cells of a container.

        With ``place``: the row for a value there.  Without: one that overwrites a cell.
        """
        for row in self.rows.cells(code, index):
            if place is None:
                if row.clear or (row.put is not None and row.key is not None):
                    return row
            elif place == RECEIVER:
                if row.take:
                    return row
            elif row.put == place or (row.key == place and row.take):
                return row
        return None

    def grows(self, code: Code, index: int) -> bool:
        """Tell whether a call adds an element to a collection."""
        return any(
            row.put is not None and row.key is None and not row.take
            for row in self.rows.cells(code, index)
        )

    def writers(self, code: Code) -> list[int]:
        """Return the instructions of a body that may put something into a cell."""
        kept = code.context.notes.get(_WRITERS)
        if isinstance(kept, list):
            return kept
        names = self.rows.models.cells_by_method
        found = [
            index
            for index, instr in enumerate(code.code)
            if (isinstance(instr, ir.Call) and instr.name in names)
            or isinstance(instr, ir.StoreIndex)
        ]
        code.context.notes[_WRITERS] = found
        return found

    def keyed(self, ref: MemberRef, depth: int = 0) -> frozenset[int]:
        """Return the parameters of a method that name cells of containers, there or further down."""
        found = self._keyed.get((ref, depth))
        if found is None:
            # How far down is looked depends on the depth.
            found = self._keyed[ref, depth] = self._find_keyed(ref, depth)
        return found

    def _find_keyed(self, ref: MemberRef, depth: int) -> frozenset[int]:
        code = self.open(ref)
        slots: set[int] = set()
        if any(local.parameter for local in code.context.body.locals):
            for index, instr in code.context.calls():
                for place, arg in enumerate(instr.args):
                    load = code.code[arg]
                    if (
                        isinstance(load, ir.Load)
                        and not load.up
                        and code.context.is_parameter(load.slot)
                        and self._names_cell(code, index, place, depth)
                    ):
                        slots.add(load.slot)
        return frozenset(slots)

    def _names_cell(self, code: Code, index: int, place: int, depth: int) -> bool:
        targets = code.context.targets(index)[:1]
        if targets:
            return depth < _HANDED and place in self.keyed(targets[0], depth + 1)
        return any(row.key == place for row in self.rows.cells(code, index))

    def key_text(self, code: Code, value: int) -> str:
        """Return the constant that names a cell, or an empty text."""
        return self.constant(code, value) or ""

    def constant(self, code: Code, value: int, depth: int = 0) -> str | None:
        """Return the text of an expression that is always the same, as far as that is cheap to see.

        A local counts when it is assigned once.
        """
        if value == NONE or depth > _DEPTH:
            return None
        instr = code.code[value]
        match instr:
            case ir.Const():
                return instr.value if instr.kind != "n" else None
            case ir.Load() if not instr.up and not code.context.is_parameter(instr.slot):
                stores = code.stores.get(instr.slot, ())
                if len(stores) == 1:
                    store = code.code[stores[0]]
                    if isinstance(store, ir.Store):
                        return self.constant(code, store.value, depth + 1)
                return None
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                if field is None:
                    text = self.transfer.constant(code, value)
                    return text if text is not None else self.rows.constant_text(code, value)
                return self.fixed.of(code, value, field)
            case ir.Cast():
                return self.constant(code, instr.value, depth + 1)
            case ir.Unary():
                operand = self.constant(code, instr.operand, depth + 1)
                return f"{instr.op}{operand}" if operand is not None else None
            case ir.Binary():
                left = self.constant(code, instr.left, depth + 1)
                right = self.constant(code, instr.right, depth + 1)
                if left is None or right is None:
                    return None
                return f"{left}{instr.op}{right}"
            case _:
                return None

    # -- types ---------------------------------------------------------------------------------------

    def is_void(self, code: Code, index: int) -> bool:
        """Tell whether a call gives nothing, or nothing that anybody takes."""
        type_ = code.context.type_of(index)
        return type_.name == "void" if type_ is not None else index not in code.takers

    def is_plain(self, code: Code, index: int) -> bool:
        """Tell whether a result is a number, text, truth value or enum, not an object with methods."""
        type_ = code.context.type_of(index)
        if type_ is None or type_.name == "void":
            return False
        if unboxed(type_):
            return True
        kind = kind_of(self.program, type_)
        return kind not in ("", "list", "mode")

    def in_jdk(self, code: Code, index: int) -> bool:
        """Tell whether a call is one of the JDK's."""
        for owner in self.rows.owners(code, index):
            if owner == ARRAY or self.program.jdk_type(owner) is not None:
                return True
        return False

    def _is_io(self, type_: JavaType | None) -> bool:
        if type_ is None:
            return False
        return not self._streams.isdisjoint(self.rows.chain(type_.name))

    def is_stream(self, code: Code, index: int) -> bool:
        """Tell whether a call is one of a stream, or makes one."""
        if self._is_io(code.context.type_of(index)):
            return True
        return any(
            not self._streams.isdisjoint(self.rows.chain(owner))
            for owner in self.rows.owners(code, index)
        )

    def is_predicate(self, code: Code, index: int) -> bool:
        """Tell whether a call gives a truth value, or nothing is known of it but such a name."""
        type_ = code.context.type_of(index)
        if type_ is not None:
            return unboxed(type_) == "boolean"
        for taker in code.takers.get(index, ()):
            instr = code.code[taker]
            if isinstance(instr, ir.If | ir.ShortCircuit):
                return True
            if isinstance(instr, ir.Unary) and instr.op == "!":
                return True
            if isinstance(instr, ir.Store) and not instr.up:
                given = code.context.local_type(instr.slot)
                return given is not None and unboxed(given) == "boolean"
        return False

    def gives_value(self, code: Code, index: int) -> bool:
        """Tell whether a call on a value may give something of it: not nothing, and not its class."""
        type_ = code.context.type_of(index)
        return type_ is None or type_.name not in ("void", "java.lang.Class")

    def is_spoken_of(self, code: Code, index: int) -> bool:
        """Tell whether rows say what a call passes on, so that it passes nothing else on."""
        return self.speaks_of(code, index) or bool(self.rows.cells(code, index))

    def is_character(self, code: Code, index: int) -> bool:
        """Tell whether a call gives a single character."""
        type_ = code.context.type_of(index)
        return type_ is not None and unboxed(type_) == "char"

    def is_text(self, code: Code, value: int) -> bool:
        """Tell whether a value is a text."""
        return kind_of(self.program, code.context.type_of(value)) == "string"

    def is_list(self, code: Code, value: int) -> bool:
        """Tell whether a value is an array or a collection."""
        return kind_of(self.program, code.context.type_of(value)) == "list"

    def is_holder(self, code: Code, index: int) -> bool:
        """Tell whether what is taken out of a container is one itself (an iterator, a stream)."""
        type_ = code.context.type_of(index)
        if type_ is None:
            return False
        if type_.name == ARRAY:
            return True
        names = self.rows.chain(type_.name)
        return any(row.type in names for row in self.rows.models.cells if row.take)

    def is_function(self, code: Code, value: int) -> bool:
        """Tell whether a value is of an interface with one abstract method."""
        type_ = code.context.type_of(value)
        if type_ is None:
            return False
        found = self._functions.get(type_.name)
        if found is None:
            found = self._functional(type_.name)
            self._functions[type_.name] = found
        return found

    def _functional(self, name: str) -> bool:
        jdk = self.program.jdk_type(name)
        if jdk is not None:
            abstract = [
                method
                for methods in jdk.methods.values()
                for method in methods
                if method.abstract and method.name not in ("equals", "hashCode", "toString")
            ]
            return jdk.kind == "interface" and len(abstract) == 1
        info = self.program.type(name)
        if info is None or info.decl.kind != "interface":
            return False
        closed = Modifier.DEFAULT | Modifier.STATIC | Modifier.PRIVATE
        methods = [
            ref
            for refs in self.program.own_methods(name).values()
            for ref in refs
            if not self.program.member(ref).modifiers & closed
        ]
        return len(methods) == 1

    # -- methods -------------------------------------------------------------------------------------

    def run_by(self, code: Code, index: int) -> tuple[tuple[MemberRef, ...], int]:
        """Return the project methods with code that a call may run, and the doubt about which."""
        targets = code.context.targets(index)[:1]
        if not targets:
            return (), Doubt.NONE
        target = targets[0]
        instr = code.code[index]
        owner = ""
        if isinstance(instr, ir.Call):
            owner = self._receiver(code, instr, target)
        key = (target, owner)
        found = self._run_by.get(key)
        if found is None:
            refs = [target, *self._below(target, owner)] if owner else [target]
            real = tuple(ref for ref in refs if self.has_code(ref))
            if len(real) > 1:
                made = tuple(ref for ref in real if self.is_made(ref.owner))
                real = made or real
            doubt = Doubt.NONE
            if len(real) > 1:
                doubt = Doubt.DISPATCH if len(real) <= FEW else Doubt.MANY
            found = self._run_by[key] = (real, doubt)
        return found

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
        instr = code.code[index]
        found: list[MemberRef] = []
        if not isinstance(instr, ir.Call | ir.New):
            return found
        for row in self.rows.callbacks(code, index):
            value = NONE
            if row.argument == RECEIVER:
                value = instr.object if isinstance(instr, ir.Call) else NONE
            elif 0 <= row.argument < len(instr.args):
                value = instr.args[row.argument]
            if value == NONE:
                owner = code.ref.owner if row.argument == RECEIVER else ""
            elif isinstance(code.code[value], ir.Lambda | ir.MethodRef):
                continue
            else:
                owner = self.object_class(code, value)
            info = self.program.type(owner)
            if info is None:
                continue
            for name in row.runs:
                for count in (0, 1, 2):
                    refs = self.program.methods(owner, name, count)[:1]
                    for ref in refs:
                        every = [ref, *self.program.overriders(ref)]
                        found += [item for item in every if self.has_code(item)]
                    if refs:
                        break
        return list(dict.fromkeys(found))

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
