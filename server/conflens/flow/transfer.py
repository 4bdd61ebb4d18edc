"""One step of a value: what each instruction that takes it does, and where it goes from there.

``step`` yields uses and moves; the work list (``uses``) turns moves into values again.  What the
language defines (operators, ``equals`` of strings, arrays) is known here; what libraries do comes
from rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Relation, Role, Trace, Use
from conflens.flow.kinds import NUMBERS, kind_of
from conflens.flow.rows import BYTES, NANOS, Rows
from conflens.models.schema import RECEIVER, RETURN, ConversionRow
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.types import STRING, unboxed
from conflens.program.values import Values

EQUALITY = frozenset({"equals", "equalsIgnoreCase", "contentEquals"})
"""Methods of the language's own texts and objects that compare."""

PUTS = frozenset({"put", "putIfAbsent", "setProperty"})
"""Methods of the language's own maps and properties that put a value, their second argument, under a key."""

PARTS = frozenset({":", "=", "@", "/", ".", "-", "_", "#"})
"""Separators of the parts of one value; others separate values."""

CONSTANT_DEPTH = 12
"""Nesting of operators up to which an expression is evaluated."""

_MANY = 8
"""Overriding methods from which on what they do with an argument is not followed."""

COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})


@attrs.frozen
class ToValue:
    """The value is what instruction ``index`` of ``code`` gives."""

    code: Code
    index: int
    trace: Trace


@attrs.frozen
class ToLocal:
    """The value was put into a local by instruction ``at``."""

    code: Code
    slot: int
    up: int
    at: int
    trace: Trace


@attrs.frozen
class ToField:
    """The value was put into a field."""

    ref: MemberRef
    trace: Trace


@attrs.frozen
class ToParameter:
    """The value is argument ``slot`` of call ``index``, which may run ``ref``."""

    code: Code
    index: int
    ref: MemberRef
    slot: int
    trace: Trace


@attrs.frozen
class ToCallers:
    """The value is returned by the member."""

    code: Code
    trace: Trace


Move = ToValue | ToLocal | ToField | ToParameter | ToCallers


class Transfer:
    """Steps of values in one program."""

    def __init__(self, rows: Rows, values: Values) -> None:
        """Use the rows and constants of one program."""
        self.rows = rows
        self.values = values
        self.program = rows.program

    def step(self, code: Code, value: int, trace: Trace) -> Iterator[Move | Use]:
        """Yield what happens to a value of ``code``."""
        previous = NONE
        for index in code.takers.get(value, ()):
            if index != previous:
                yield from self._take(code, index, value, trace)
            previous = index

    def takes(self, code: Code, value: int, trace: Trace) -> Iterator[tuple[int, Move | Use]]:
        """Yield what ``step`` does, each with the instruction that takes the value."""
        for index in dict.fromkeys(code.takers.get(value, ())):
            for happening in self._take(code, index, value, trace):
                yield index, happening

    def _take(self, code: Code, index: int, value: int, trace: Trace) -> Iterator[Move | Use]:
        instr = code.code[index]

        def use(role: Role, other: int = NONE, place: int = 0) -> Use:
            return Use(code.ref, index, role, trace, value, place, other)

        match instr:
            case ir.Store():
                yield ToLocal(code, instr.slot, instr.up, index, trace)
            case ir.StoreField():
                target = code.context.target_field(instr)
                if instr.value != value:
                    yield use(Role.MEASURED)
                elif target is None:
                    yield use(Role.STORED)
                else:
                    yield ToField(target, trace)
            case ir.Call() | ir.New():
                yield from self._call(code, index, value, trace)
            case ir.Return():
                yield from self._return(code, index, instr, value, trace)
            case ir.Binary():
                yield from self._binary(code, index, instr, value, trace)
            case ir.Unary():
                if instr.op == "!":
                    yield use(Role.CONDITION)
                else:
                    yield ToValue(code, index, trace)
            case ir.Choice():
                if instr.test == value:
                    yield use(Role.CONDITION)
                if value in (instr.then, instr.other):
                    yield ToValue(code, index, trace)
            case ir.ShortCircuit() | ir.If() | ir.Assert():
                yield use(Role.CONDITION)
            case ir.Loop():
                yield use(Role.CONDITION)
            case ir.Switch():
                yield use(Role.SWITCHED)
            case ir.Cast():
                yield use(Role.CAST)
                yield ToValue(code, index, trace)
            case ir.InstanceOf():
                yield use(Role.MEASURED)
                for slot in instr.slots[:1]:
                    yield ToLocal(code, slot, 0, index, trace)
            case ir.ForEach():
                yield use(Role.ITERATED)
                yield ToLocal(code, instr.slot, 0, index, trace.away(Relation.ELEMENT))
            case ir.Index():
                if instr.index == value:
                    yield use(Role.INDEX)
                if instr.array == value:
                    yield ToValue(code, index, trace.away(Relation.ELEMENT))
            case ir.StoreIndex():
                yield use(Role.INDEX if instr.index == value else Role.STORED)
            case ir.NewArray():
                yield use(Role.LENGTH if value in instr.dims else Role.STORED)
            case ir.Field() | ir.Sync():
                yield use(Role.MEASURED)
            case _:
                yield use(Role.STORED)

    def _return(
        self, code: Code, index: int, instr: ir.Return, value: int, trace: Trace
    ) -> Iterator[Move | Use]:
        if instr.kind == "yield":
            result = code.switch_of(index)
            if result != NONE:
                yield ToValue(code, result, trace)
                return
        elif code.lambda_of(index) == NONE:
            yield ToCallers(code, trace)
            return
        yield Use(code.ref, index, Role.RETURNED, trace, value)

    # -- operators ---------------------------------------------------------------------------------

    def constant(self, code: Code, value: int, depth: int = 0) -> str | None:
        """Return the text of a literal, of a constant, or of arithmetic on such."""
        if value == NONE or depth > CONSTANT_DEPTH:
            return None
        instr = code.code[value]
        match instr:
            case ir.Const():
                return instr.value if instr.kind != "n" else None
            case ir.Name() | ir.Field():
                field = code.context.field_of(value)
                if field is not None and not self.program.is_constant(field):
                    return None
            case ir.Binary():
                for item in (instr.right, instr.left):
                    if self.constant(code, item, depth + 1) is None:
                        return None
            case ir.Call():
                if instr.args or self.constant(code, instr.object, depth + 1) is None:
                    return None
            case ir.Unary() | ir.Cast() | ir.Load():
                pass
            case _:
                return None
        return known_text(self.values.of(code.context, value))

    def number(self, code: Code, value: int) -> float | None:
        """Return the number that an expression always is."""
        text = self.constant(code, value)
        try:
            return float(text) if text else None
        except ValueError:
            return None

    def _binary(
        self, code: Code, index: int, instr: ir.Binary, value: int, trace: Trace
    ) -> Iterator[Move | Use]:
        other = instr.right if instr.left == value else instr.left
        if instr.op in COMPARISONS:
            loop = code.loop_tested_by(index)
            role = Role.LOOP if loop else Role.COMPARED
            yield Use(code.ref, index, role, trace, value, 0, other)
            return
        if instr.op == "+" and code.context.type_of(index) == STRING:
            yield Use(code.ref, index, Role.ARITHMETIC, trace, value, 0, other)
            first = instr.left == value
            yield ToValue(code, index, trace.away(Relation.HEAD if first else Relation.PIECE))
            return
        yield Use(code.ref, index, Role.ARITHMETIC, trace, value, 0, other)
        yield ToValue(code, index, self._computed(code, instr, value, other, trace))

    def _computed(
        self, code: Code, instr: ir.Binary, value: int, other: int, trace: Trace
    ) -> Trace:
        if instr.op in ("+", "-"):
            return trace
        number = self.number(code, other) if instr.op != "%" else None
        if number:
            if instr.op == "*":
                return trace.times(number)
            if instr.left == value:
                if instr.op == "/":
                    return trace.times(1 / number)
                if instr.op in ("<<", ">>", ">>>") and 0 <= number < 64:
                    return trace.times(2.0 ** (number if instr.op == "<<" else -number))
        return trace.away(Relation.SCALED)

    # -- calls -------------------------------------------------------------------------------------

    def _call(self, code: Code, index: int, value: int, trace: Trace) -> Iterator[Move | Use]:
        instr = code.code[index]
        assert isinstance(instr, (ir.Call, ir.New))
        places = [place for place, arg in enumerate(instr.args) if arg == value]
        if isinstance(instr, ir.Call) and instr.object == value:
            places.append(RECEIVER)
        for place in places:
            yield from self._pass(code, index, place, value, trace)

    def _pass(
        self, code: Code, index: int, place: int, value: int, trace: Trace
    ) -> Iterator[Move | Use]:
        instr = code.code[index]
        assert isinstance(instr, (ir.Call, ir.New))
        other = _compared_with(instr, place)
        if other != NONE:
            yield Use(code.ref, index, Role.COMPARED, trace, value, place, other)
            return
        use = Use(code.ref, index, Role.ARGUMENT, trace, value, place)
        if self.rows.barrier(code, index):
            yield use
            return
        conversions = self.rows.conversions(code, index, place)
        row = self.rows.value(code, index, place)
        if row is not None:
            yield use
        if conversions:
            yield from self._convert(code, index, conversions[0], place, row is not None, use)
            if place == RECEIVER:
                yield from self._functions(code, index, use)
            return
        if row is not None:
            return
        if self.rows.gives_default(code, index, place):
            yield ToValue(code, index, trace)
            return
        if place == RECEIVER:
            yield use
            if not code.context.targets(index):
                yield from self._functions(code, index, use)
            return
        targets = code.context.targets(index)[:1]
        if not targets:
            yield use
        for target in targets:
            others = self._overriders(target)
            # What one of many methods does with its argument says nothing of this value.
            for ref in (target, *(others if len(others) < _MANY else ())):
                yield ToParameter(code, index, ref, place, trace)

    def _overriders(self, ref: MemberRef) -> list[MemberRef]:
        member = self.program.member(ref)
        if member.kind == "constructor" or self.program.is_static(ref):
            return []
        return self.program.overriders(ref)

    def _functions(self, code: Code, index: int, use: Use) -> Iterator[Move | Use]:
        """Hand what a library object holds to the functions that its method is given."""
        for arg in ir.operands(code.code[index])[1:]:
            function = code.code[arg]
            if isinstance(function, ir.Lambda):
                for slot in function.params[:1]:
                    yield ToLocal(code, slot, 0, function.start - 1, use.trace)
            elif isinstance(function, ir.MethodRef):
                if self.rows.value(code, arg, 0) is not None:
                    yield attrs.evolve(use, index=arg, place=0)
                for owner in self.rows.owners(code, arg):
                    for ref in self._taking(code, use.value, owner, function.name):
                        yield ToParameter(code, index, ref, 0, use.trace)

    def _taking(self, code: Code, holder: int, owner: str, name: str) -> tuple[MemberRef, ...]:
        """Return the method of one parameter that takes what an object holds."""
        found = tuple(self.program.methods(owner, name, 1))
        held = code.context.type_of(holder) if len(found) > 1 else None
        if held is not None and held.args:
            wanted = unboxed(held.args[0]) or held.args[0].name
            for ref in found:
                param = self.program.member(ref).params[0]
                type_ = self.program.resolve(param.type, ref.path, ref.owner)
                if (unboxed(type_) or type_.name) == wanted:
                    return (ref,)
        return found[:1]

    def _convert(
        self,
        code: Code,
        index: int,
        row: ConversionRow,
        place: int,
        says_type: bool,
        use: Use,
    ) -> Iterator[Move | Use]:
        trace = self.converted(code, index, row, place, says_type, use)
        if trace is not None and trace.relation is Relation.ELEMENT is not use.trace.relation:
            yield attrs.evolve(use, role=Role.SPLIT)
        if trace is None:
            yield attrs.evolve(use, role=Role.MEASURED)
        elif row.target == RETURN:
            if index not in code.takers:
                yield attrs.evolve(use, role=Role.MEASURED)
            yield ToValue(code, index, trace)
        else:
            yield from self._into(code, index, trace, use)

    def _into(self, code: Code, index: int, trace: Trace, use: Use) -> Iterator[Move | Use]:
        """Go into the object that a call is made on."""
        yield ToValue(code, index, trace)
        holder = index
        inner = code.code[holder]
        while isinstance(inner, ir.Call) and inner.object != NONE:
            if holder != index and not self.rows.conversions(code, holder, RECEIVER):
                break
            holder = inner.object
            inner = code.code[holder]
        field = code.context.field_of(holder)
        if isinstance(inner, ir.Load):
            yield ToLocal(code, inner.slot, inner.up, index, trace)
        elif field is not None:
            yield ToField(field, trace)
        elif not isinstance(inner, ir.New):
            yield attrs.evolve(use, role=Role.STORED)

    def converted(
        self,
        code: Code,
        index: int,
        row: ConversionRow,
        place: int,
        says_type: bool,
        use: Use,
    ) -> Trace | None:
        """Return what the value is afterwards, ``None`` when only something measured on it is left."""
        trace = use.trace
        source = code.context.type_of(use.value)
        kind = kind_of(self.program, source)
        target = row.value_type
        instr = code.code[index]
        assert isinstance(instr, (ir.Call, ir.New))
        sources = [item for item in row.sources if item == RECEIVER or item < len(instr.args)]
        result = kind_of(self.program, code.context.type_of(index))
        if target is None or (target == "mode" and kind == "mode"):
            if result == "list" and kind == "string":
                parts = place == RECEIVER and self._separates_parts(code, instr.args)
                return trace.away(Relation.PIECE if parts else Relation.ELEMENT)
            if len(sources) > 1 and result not in NUMBERS:
                return trace.away(Relation.PIECE)
            if place == RECEIVER and kind == "string" and self._cuts(code, instr.args):
                return trace.away(Relation.PIECE)
            return trace
        if target == "list":
            return trace.away(Relation.ELEMENT) if kind == "string" else trace
        numbers = target in NUMBERS and kind in NUMBERS
        made = not kind and place == RECEIVER and target not in NUMBERS and target != "boolean"
        if not (says_type or target == kind or numbers or made):
            return None
        if len(sources) > 1 and target not in NUMBERS:
            return trace.away(Relation.PIECE)
        if target == "time":
            return trace.times(self.time_factor(code, index, row))
        return trace

    def _cuts(self, code: Code, args: tuple[int, ...]) -> bool:
        for arg in args:
            type_ = code.context.type_of(arg)
            if kind_of(self.program, type_) in ("string", "integer"):
                return True
        return False

    def _separates_parts(self, code: Code, args: tuple[int, ...]) -> bool:
        """Tell whether a text is split at what separates its parts, such as host and port."""
        text = self.constant(code, args[0]) if args else None
        return text is not None and text.strip("\\[]") in PARTS

    def time_factor(self, code: Code, index: int, row: ConversionRow) -> float:
        """Return what a conversion multiplies by; NaN when the result carries its unit itself."""
        before = row.from_unit or self.rows.unit_at(code, index, row.from_unit_argument)
        after = row.to_unit or self.rows.unit_at(code, index, row.to_unit_argument)
        for table in (NANOS, BYTES):
            if before in table and after in table:
                return table[before] / table[after]
        if row.from_unit is None and row.to_unit is None and row.from_unit_argument is None:
            return 1.0
        return math.nan


def compares(instr: ir.Call | ir.New) -> bool:
    """Tell whether a call asks whether two texts or objects are equal."""
    return isinstance(instr, ir.Call) and instr.name in EQUALITY and len(instr.args) in (1, 2)


def property_of(instr: ir.Call | ir.New, given: bool) -> str:
    """Return the property that a setter or getter of an unknown library is about, by its name.

    Empty for a call that is neither.
    """
    if not isinstance(instr, ir.Call) or len(instr.args) != (1 if given else 0):
        return ""
    name = instr.name
    for prefix in ("set", "with") if given else ("get", "is"):
        rest = name.removeprefix(prefix)
        if rest != name and rest[:1].isupper():
            return f"property {rest[0].lower()}{rest[1:]}"
    return f"property {name}" if not given else ""


def _compared_with(instr: ir.Call | ir.New, place: int) -> int:
    if not isinstance(instr, ir.Call) or instr.name not in EQUALITY:
        return NONE
    if len(instr.args) == 1 and instr.object != NONE:
        return instr.args[0] if place == RECEIVER else instr.object
    if len(instr.args) == 2 and place in (0, 1):
        return instr.args[1 - place]
    return NONE
