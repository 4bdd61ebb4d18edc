"""What a call does with values, by model rows, surfaces and the types of the language.

One place where the slices ask: is this call an operation, a container's, a conversion, a predicate.
Which methods a call may run is ``callees``' matter.  Absent: facts of values (``slices``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.flow.callees import Callees
from conflens.flow.code import Code
from conflens.flow.fixed_texts import FixedTexts
from conflens.flow.kinds import kind_of
from conflens.flow.rows import Rows
from conflens.flow.sinks import Operations, Sink
from conflens.flow.transfer import Transfer
from conflens.models.schema import RECEIVER, RETURN, CellRow
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY, JavaType, unboxed

_WRITERS = "flow.writers"
_CONSTANT = int(Modifier.STATIC | Modifier.FINAL)
_DEPTH = 8
_CLASS = "java.lang.Class"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_HANDED = 2
"""Methods that hand the name of a cell on to each other."""


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
        self.callees = Callees(rows)
        self.transfer = transfer
        self.operations = operations
        # What only sets how much or how long is a setting of an object, which carries others, too.
        self._streams = frozenset(
            row.type
            for row in rows.models.operations
            if row.kind == "io" and row.sized is None and row.arguments is None
        )
        self._descriptors = frozenset(
            row.type
            for row in rows.models.conversions
            if row.value_type == "class" and row.sources == (RECEIVER,)
        )
        """Types whose objects stand for classes."""
        self._sinks: dict[MemberRef, dict[int, Sink]] = {}
        self._keyed: dict[tuple[MemberRef, int], frozenset[int]] = {}
        self._set: dict[tuple[MemberRef, int], frozenset[int]] = {}
        self.fixed = FixedTexts(transfer)
        self._functions: dict[str, bool] = {}

    def take(self, before: Library, names: Set[str]) -> None:
        """Take over which methods calls run, but for those called by ``names``, declared otherwise."""
        self.callees.take(before.callees, names)

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
        elif isinstance(instr, (ir.Call, ir.New)):
            places = sink.arguments if sink.arguments is not None else range(len(instr.args))
            values = tuple(instr.args[place] for place in places if place < len(instr.args))
        else:
            # What an overriding method gives back, or bounds an object, costs by what it decides.
            return not isinstance(instr, (ir.Return, ir.Binary))
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
        if not isinstance(call, (ir.Call, ir.New)):
            return False
        rows = self.rows.all_conversions(code, index)
        if not rows:
            return False
        owner = self.callees.made_class(code, index) if isinstance(call, ir.New) else ""
        count = len(call.args)
        return any(
            (not owner or row.type == owner)
            and any(place == RECEIVER or 0 <= place < count for place in row.sources)
            for row in rows
        )

    def conversions(self, code: Code, index: int, place: int) -> tuple[list[int], bool]:
        """Return the places that take over the value of ``place``, and whether rows speak of it."""
        rows = self.rows.conversions(code, index, place)
        return list(dict.fromkeys(row.target for row in rows)), bool(rows)

    def gives_sure(self, code: Code, index: int, place: int) -> bool:
        """Tell whether what a call makes of a value is there, whatever the value is."""
        return any(row.there for row in self.rows.conversions(code, index, place))

    def keeps(self, code: Code, index: int, place: int) -> str:
        """Return whether what a call makes of something that is there is there: ``all``, ``part`` if only that of several parts, else empty."""
        rows = self.rows.conversions(code, index, place)
        return next((row.keeps for row in rows if row.keeps is not None), "")

    def asks_null(self, code: Code, index: int, place: int) -> bool:
        """Tell whether a call of the Java class library is asked with an object whether that is there."""
        return (
            place != RECEIVER
            and self.in_jdk(code, index)
            and any(row.asks is not None for row in self.rows.conversions(code, index, place))
        )

    def asks_presence(self, code: Code, index: int, place: int) -> bool:
        """Tell whether a call only asks whether the value is there."""
        return any(
            row.asks not in (None, "empty") for row in self.rows.conversions(code, index, place)
        )

    def asks_text(self, code: Code, index: int, place: int) -> bool:
        """Tell whether a call only asks whether a text is there and not empty."""
        call = code.code[index]
        if not isinstance(call, ir.Call):
            return False
        value = call.object if place == RECEIVER else call.args[place]
        return self.is_text(code, value) and any(
            row.asks is not None for row in self.rows.conversions(code, index, place)
        )

    def makes_object(self, code: Code, index: int, place: int) -> bool:
        """Tell whether a call makes an object of the class that the value names."""
        rows = self.rows.conversions(code, index, place)
        type_ = code.context.type_of(index)
        named = type_ is None or type_.name in self._descriptors
        return not named and any(row.value_type == "class" for row in rows)

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
                return None if self._is_overridden(row, code, index, place) else row
        return None

    def cell_name(self, code: Code, index: int) -> int:
        """Return the argument that names the cell of a container with which a call is concerned, ``NONE`` if it is all of them."""
        call = code.code[index]
        for row in self.rows.cells(code, index):
            if row.key is not None and isinstance(call, ir.Call) and row.key < len(call.args):
                return call.args[row.key]
        return NONE

    def names_cells(self, code: Code, index: int) -> bool:
        """Tell whether a call on a container gives the names of cells, not what is in them."""
        return any(
            row.put is None and not row.take and not row.clear
            for row in self.rows.cells(code, index)
        )

    def _is_overridden(self, cell: CellRow, code: Code, index: int, place: int) -> bool:
        """Tell whether a row of a subtype says otherwise what becomes of a value."""
        return any(
            row.type != cell.type and self.program.is_subtype(row.type, cell.type)
            for row in self.rows.conversions(code, index, place)
        )

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
                    load = code.code[self.named_class(code, arg)]
                    if (
                        isinstance(load, ir.Load)
                        and not load.up
                        and code.context.is_parameter(load.slot)
                        and self._names_cell(code, index, place, depth)
                    ):
                        slots.add(load.slot)
        return frozenset(slots)

    def set_parameters(self, ref: MemberRef, depth: int = 0) -> frozenset[int]:
        """Return the parameters of a method that it puts into fields or named cells, there or further down."""
        found = self._set.get((ref, depth))
        if found is None:
            found = self._set[ref, depth] = frozenset(self._find_set(ref, depth))
        return found

    def _find_set(self, ref: MemberRef, depth: int) -> Iterator[int]:
        code = self.open(ref)
        for instr in code.code:
            self.program.meter.spend()
            if isinstance(instr, ir.StoreField):
                # What is made of a parameter is the object's as well: ``(short) width``, ``Objects.requireNonNull(name)``.
                for inner in code.inside(instr.value):
                    load = code.code[inner]
                    if isinstance(load, ir.Load) and self._is_parameter(code, load):
                        yield load.slot
        for index, call in code.context.calls():
            for place, arg in enumerate(call.args):
                load = code.code[arg]
                if isinstance(load, ir.Load) and self._is_parameter(code, load):
                    targets = code.context.targets(index)[:1]
                    if targets:
                        down = depth < _HANDED and targets[0] != ref
                        put = down and place in self.set_parameters(targets[0], depth + 1)
                    else:
                        put = any(row.put == place for row in self.rows.cells(code, index))
                    if put:
                        yield load.slot

    @staticmethod
    def _is_parameter(code: Code, load: ir.Load) -> bool:
        return not load.up and code.context.is_parameter(load.slot)

    def _names_cell(self, code: Code, index: int, place: int, depth: int) -> bool:
        targets = code.context.targets(index)[:1]
        if targets:
            return depth < _HANDED and place in self.keyed(targets[0], depth + 1)
        return any(row.key == place for row in self.rows.cells(code, index))

    def key_text(self, code: Code, value: int) -> str:
        """Return the constant that names a cell, or an empty text; a constant object is named by its declaration."""
        text = self.constant(code, value)
        if text is not None:
            return text
        literal = code.code[self.named_class(code, value)] if value != NONE else None
        if isinstance(literal, ir.ClassLiteral):
            return (
                f"{self.program.resolve(literal.type, code.ref.path, code.ref.owner).name}.class"
            )
        field = code.context.field_of(value) if value != NONE else None
        if field is None or self.program.member(field).modifiers & _CONSTANT != _CONSTANT:
            return ""
        return f"{field.owner}.{self.program.member(field).name}"

    def named_slot(self, code: Code, value: int) -> int:
        """Return the parameter that a value is, or is the name of, ``NONE`` if it is none or is assigned to."""
        load = code.code[self.named_class(code, value)]
        if not isinstance(load, ir.Load) or load.up or not code.context.is_parameter(load.slot):
            return NONE
        return NONE if code.stores.get(load.slot) else load.slot

    def named_class(self, code: Code, value: int) -> int:
        """Return the class that a value is the name of, in ``key.getName()``, or else the value."""
        call = code.code[value]
        if isinstance(call, ir.Call) and not call.args and call.object != NONE:
            type_ = code.context.receiver_type(call)
            if type_ is not None and type_.name == _CLASS and self.is_text(code, value):
                return call.object
        return value

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

    def named_constant(self, code: Code, value: int) -> str | None:
        """Return the name of a constant of a library's class, told by how constants are spelled."""
        instr = code.code[value]
        if not isinstance(instr, ir.Field) or not instr.name.isupper():
            return None
        owner = code.context.denotes(instr.object)
        if owner is None or self.program.type(owner) is not None:
            return None
        return f"{owner}.{instr.name}"

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

    def is_object(self, code: Code, index: int) -> bool:
        """Tell whether a result is an object of a class of the project or of a library that is not the JDK: it may hold several things."""
        type_ = code.context.type_of(index)
        if type_ is None or self.is_plain(code, index):
            return False
        return type_.name != ARRAY and self.program.jdk_type(type_.name) is None

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
            if isinstance(instr, (ir.If, ir.ShortCircuit)):
                return True
            if isinstance(instr, ir.Unary) and instr.op == "!":
                return True
            if isinstance(instr, ir.Store) and not instr.up:
                given = code.context.local_type(instr.slot)
                return given is not None and unboxed(given) == "boolean"
        return False

    def converts(self, code: Code, index: int) -> bool:
        """Tell whether a call of a library is one of a class, not of an object, and gives a number, text or truth value."""
        instr = code.code[index]
        if not isinstance(instr, ir.Call) or (
            instr.object != NONE and code.context.denotes(instr.object) is None
        ):
            return False
        given = code.context.type_of(index)
        for number in code.takers.get(index, ()) if given is None else ():
            taker = code.code[number]
            if isinstance(taker, (ir.NewArray, ir.Binary, ir.Unary)):
                return True
            if isinstance(taker, ir.Store) and not taker.up:
                given = code.context.local_type(taker.slot)
            elif isinstance(taker, ir.Cast):
                given = code.context.type_of(number)
        if given is None or kind_of(self.program, given) in ("", "list"):
            return False
        names = (
            instr.name,
            *(owner.rpartition(".")[2] for owner in self.rows.owners(code, index)),
        )
        asking = self.rows.models.answer_words
        return not any(word.lower() in asking for name in names for word in _WORD.findall(name))

    def is_enum(self, code: Code, index: int) -> bool:
        """Tell whether a call is made on a constant of an enum."""
        instr = code.code[index]
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            return False
        type_ = code.context.type_of(instr.object)
        info = self.program.type(type_.name) if type_ is not None else None
        return info is not None and info.decl.kind == "enum"

    def gives_value(self, code: Code, index: int) -> bool:
        """Tell whether a call on a value may give something of it: not nothing, and not its class."""
        type_ = code.context.type_of(index)
        return type_ is None or type_.name not in ("void", _CLASS)

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
