"""Constant evaluation across files: which texts an expression can be.

An expression gives a set of alternatives (``templates``); an empty set means ``null`` only.  Numbers, booleans, enum constants and class literals are texts too, as a user would
write them.

What the language itself defines (concatenation, arithmetic, ``String`` and ``Class`` methods, enum
names) is known here; what libraries do is not.
"""

from __future__ import annotations

from functools import partial

from typing_extensions import override

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import RETURN, ConversionRow
from conflens.models.words import STYLES
from conflens.program import bounds
from conflens.program.constant_maps import entries
from conflens.program.expressions import Context
from conflens.program.filled_texts import (
    arms,
    assigning,
    filled_at,
    if_filled,
    only_empty,
    without_empty,
)
from conflens.program.named import CLASS_OF, Named
from conflens.program.numbers import as_declared, folded
from conflens.program.program import Program
from conflens.program.reaching import Reaching, certain, reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    LIMIT,
    MOST,
    SIMPLE,
    UNKNOWN,
    Captured,
    Dynamic,
    Param,
    Part,
    SelfField,
    Template,
    Templates,
    Turn,
    concat,
    known_text,
    optional_prefix,
    substitute,
    turned,
    union,
)
from conflens.program.text_calls import (
    CLASS_NAMES,
    MESSAGE_FORMAT,
    SIMPLE_NAME,
    class_name,
    message,
    respelt,
    string_call,
)
from conflens.program.types import unboxed

_LOCAL = 10
"""Steps that a local counts for (``base.budget``)."""
_MOST_REACHED = 5_000
"""Locals whose assignments are remembered."""
_JAVA_NAMES = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
BUILDERS = frozenset({"java.lang.StringBuilder", "java.lang.StringBuffer"})

_TESTED = 10
"""Values that a condition is made from, which are looked at."""


def _plain(part: Part) -> Part:
    """Return a hole without what is done to it last."""
    return part._replace(how=part.how[:-1]) if not isinstance(part, (str, Dynamic)) else part


class Values(Named):
    """Evaluates expressions of one program; remembers the values of fields, and during one evaluation those of locals."""

    def __init__(self, program: Program, models: Models | None = None) -> None:
        """Evaluate in ``program``; ``models`` say which library calls pass a value on unchanged."""
        super().__init__(program, models)
        self._reached: dict[object, Reaching] = {}

    # -- expressions -----------------------------------------------------------------------------

    @override
    def of(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the value of an expression can be; asked from outside (``depth`` 0), with nothing left open."""
        if not depth:
            return self.spread(self.open_of(context, value))
        if value == NONE:
            return ()
        if self.evaluation.too_deep(depth):
            return bounds.DEEP
        depth += 1
        instr = context.code[value]
        match instr:
            case ir.Const():
                return () if instr.kind == "n" else ((instr.value,),)
            case ir.Load():
                return self._local(context, instr, value, depth)
            case ir.Name() | ir.Field():
                return self._field(context, value, instr, depth)
            case ir.Binary():
                return self._binary(context, value, instr, depth)
            case ir.Unary():
                return self._unary(context, instr, depth)
            case ir.Choice():
                return self._chosen(context, instr, depth)
            case ir.Cast():
                return self.of(context, instr.value, depth)
            case ir.Call():
                return self._call(context, value, instr, depth)
            case ir.New():
                return self._new(context, instr, depth)
            case ir.ClassLiteral():
                return (
                    (
                        context.program.resolve(
                            instr.type, context.ref.path, context.ref.owner
                        ).text(),
                    ),
                )
            case ir.Store() | ir.StoreField():
                return self.of(context, instr.value, depth)
            case ir.Index():
                return self._element(context, instr, depth)
            case ir.Join():
                return self._switched(context, instr, depth)
            case _:
                return UNKNOWN

    def open_of(self, context: Context, value: int) -> Templates:
        """Return what the value of an expression can be; ``Each`` is left open."""
        return self.of(context, value, 1)

    def open_filled(
        self, context: Context, receiver: int, args: tuple[int, ...], part: Part
    ) -> Templates:
        """Return what a call fills into a hole of the called member's templates; ``Each`` is left open."""
        return self.own(context, receiver, args, part, 1)

    def _chosen(self, context: Context, choice: ir.Choice, depth: int) -> Templates:
        """Return what the arms can be; a prefix that is tested goes in front if there is one."""
        then, other = self.of(context, choice.then, depth), self.of(context, choice.other, depth)
        joined = optional_prefix(then, other)
        if joined and self._is_tested(context, choice.test, joined[0][0], depth):
            return joined
        return self.completed(context, then, other) or union(then, other)

    def _is_tested(self, context: Context, test: int, head: Part, depth: int) -> bool:
        """Tell whether a condition asks about what stands in front of a text."""
        queue = [test]
        for _ in range(_TESTED):
            value = queue.pop(0) if queue else NONE
            if value == NONE:
                return False
            if self.of(context, value, depth) == ((_plain(head),),):
                return True
            queue += [one for one in ir.operands(context.code[value]) if one != NONE]
        return False

    def _local(self, context: Context, load: ir.Load, at: int, depth: int) -> Templates:
        slot = load.slot
        if load.up:
            outer = context.outer(load.up)
            if outer is None:
                return UNKNOWN
            end = len(outer.code)
            captured = self._local(outer, ir.Load(0, 0, slot, 0), end, depth)

            def lift(part: Part) -> Templates:
                if isinstance(part, Param) and not part.owner:
                    return ((Captured(load.up, part.slot),),)
                return UNKNOWN

            return substitute(captured, lift)
        key = (context.ref, slot, at)
        reached = self._reached.get(key)
        if reached is None:
            if len(self._reached) >= _MOST_REACHED:
                self._reached.clear()
            reached = self._reached[key] = reaching(context, slot, at)
        if context.is_parameter(slot) and not reached.stores:
            return ((Param(slot),),)

        def find() -> Templates:
            self.program.meter.spend(_LOCAL)
            return self._stored(context, slot, reached, at, depth)

        return self.evaluation.once(key, depth, find, keep=False)

    def _stored(
        self, context: Context, slot: int, reached: Reaching, at: int, depth: int
    ) -> Templates:
        """Return what the assignments to a local that reach a place can be."""
        found: list[Templates] = (
            [((Param(slot),),)] if context.is_parameter(slot) and reached.entry else []
        )
        filled = arms(context, slot)
        assigned = assigning(context, filled, reached.stores, at) if filled else None
        if assigned is not None:
            found = []
        for store in reached.stores[:MOST]:
            if len(found) >= LIMIT and any(len(one) > 1 for one in found[-LIMIT:]):
                break  # no more are kept of texts that are made of each other
            instr = context.code[store]
            if isinstance(instr, ir.Store):
                counted = context.code[instr.value]
                if isinstance(counted, ir.Unary) and counted.op in ("++", "--"):
                    return UNKNOWN  # where it begins is one value of many
                texts = self._built(context, instr, store, at, depth)
                if assigned is not None and store < assigned.stop:
                    texts = (only_empty if store < assigned.start else if_filled)(texts)
                found.append(texts)
        if not reached.stores:
            found.append(self.looped(context, slot, depth))
        joined = self.completed(context, *found) if len(found) == 2 else ()
        texts = joined or (union(*found) if found else UNKNOWN)
        return without_empty(texts) if filled_at(filled, reached.stores, at) else texts

    def _built(
        self, context: Context, store: ir.Store, start: int, at: int, depth: int
    ) -> Templates:
        """Return a stored value and, for a builder, what is appended to it between there and ``at``."""
        text = self.of(context, store.value, depth)
        type_ = context.local_type(store.slot)
        if type_ is None or type_.name not in BUILDERS:
            return text
        roots: set[int] = set()
        for number in range(start + 1, at):
            instr = context.code[number]
            if isinstance(instr, ir.Load) and instr.slot == store.slot and not instr.up:
                roots.add(number)
            elif isinstance(instr, ir.Call) and instr.object in roots:
                roots.add(number)
                if instr.name == "append" and certain(context, number, at):
                    text = concat(text, self.of(context, instr.args[0], depth))
                elif instr.name not in ("toString", "length", "isEmpty", "charAt"):
                    text = concat(text, UNKNOWN)
        return text

    def _element(self, context: Context, index: ir.Index, depth: int) -> Templates:
        if index.array == NONE:
            return UNKNOWN
        number = known_text(self.of(context, index.index, depth)) if index.index != NONE else None
        made = self._array(context, index.array, depth)
        if made is None:
            return UNKNOWN
        where, array = made
        if number is not None and number.isdigit() and int(number) < len(array.values):
            return self.of(where, array.values[int(number)], depth)
        return self.elements(context, index.array, depth)

    def _array(
        self, context: Context, value: int, depth: int
    ) -> tuple[Context, ir.NewArray] | None:
        """Return the constant array behind a static field, if it is one."""
        field = context.field_of(value)
        if field is None or not self.program.is_constant(field) or self.evaluation.too_deep(depth):
            return None
        inner = self.open(field)
        for instr in inner.code:
            if isinstance(instr, ir.StoreField):
                array = inner.code[instr.value]
                return (inner, array) if isinstance(array, ir.NewArray) else None
        return None

    def _switched(self, context: Context, join: ir.Join, depth: int) -> Templates:
        switch = context.code[join.switch]
        if not isinstance(switch, ir.Switch):
            return UNKNOWN
        found = [
            self.of(context, instr.value, depth)
            for instr in context.code.within(join.switch, switch.stop)
            if isinstance(instr, ir.Return) and instr.kind == "yield"
        ]
        return union(*found) if found else UNKNOWN

    def _field(
        self, context: Context, value: int, instr: ir.Name | ir.Field, depth: int
    ) -> Templates:
        ref = context.field_of(value)
        if ref is None:
            constant = self._library_constant(context, instr)
            return ((constant,),) if constant is not None else UNKNOWN
        member = self.program.member(ref)
        if member.kind == "enum_constant":
            return ((member.name,),)
        if self.program.is_static(ref):
            return self.static_field(ref, depth)
        if isinstance(instr, ir.Name) or isinstance(context.code[instr.object], ir.This):
            own = self.program.is_subtype(context.ref.owner, ref.owner)
            if own:
                return ((SelfField(ref.owner, member.name),),)
            return self.expand(SelfField(ref.owner, member.name), depth)
        return self.own(context, instr.object, (), SelfField(ref.owner, member.name), depth)

    def _library_constant(self, context: Context, instr: ir.Name | ir.Field) -> str | None:
        owners: list[str] = []
        if isinstance(instr, ir.Field) and instr.object != NONE:
            owner = context.owner_of(instr.object)
            owners = [owner] if owner is not None else []
        elif isinstance(instr, ir.Name):
            owners = [context.ref.owner, *context.static_imports(instr.name)]
        keys = self.models.keys_by_type if self.models else {}
        for first in owners:
            for name in (first, *self.program.supertypes(first)):
                if instr.name in keys.get(name, ()):
                    return keys[name][instr.name]
                jdk = self.program.jdk_type(name)
                rows = self.models.constants_by_type if self.models else {}
                row = rows.get(name, {}).get(instr.name)
                if jdk is None and row is not None and row.text:
                    return row.text
                if jdk is not None and instr.name in jdk.fields:
                    field = jdk.fields[instr.name]
                    if field.enum_constant:
                        return instr.name
                    if field.constant is None:
                        return row.text or None if row is not None else None
                    if isinstance(field.constant, bool):
                        return str(field.constant).lower()
                    return _JAVA_NAMES.get(str(field.constant), str(field.constant))
        return None

    def static_field(self, ref: MemberRef, depth: int = 0) -> Templates:
        """Return what a static field can be: its initial value if it never gets another."""
        return self.evaluation.once(ref, depth, lambda: self._static_field(ref, depth))

    def _static_field(self, ref: MemberRef, depth: int) -> Templates:
        stores = self.stores(ref)
        if not stores:
            return UNKNOWN
        if not self.program.is_constant(ref) and len(stores) > 1:
            return UNKNOWN
        given = [(at, one.value, self.of(at, one.value, depth)) for at, one in stores[:MOST]]
        found = as_declared(self.program.field_type(ref).name, given)
        return substitute(found, lambda _part: UNKNOWN)

    # -- operators and calls ---------------------------------------------------------------------

    def _binary(self, context: Context, value: int, instr: ir.Binary, depth: int) -> Templates:
        """Evaluate a chain of operators from its first operand on, without recursion."""
        spine: list[tuple[int, ir.Binary]] = []
        current: ir.Instr = instr
        number = value
        while isinstance(current, ir.Binary):
            spine.append((number, current))
            number = current.left
            if number == NONE:
                return UNKNOWN
            current = context.code[number]
        found = self._operand(context, number, spine[-1][1], depth)
        for at, link in reversed(spine):
            right = self._operand(context, link.right, link, depth)
            found = self._combined(context, at, link, found, right)
        return found

    def _operand(self, context: Context, value: int, link: ir.Binary, depth: int) -> Templates:
        """Evaluate an operand; an object of the project that is added to a text is what its ``toString`` returns."""
        if link.op == "+":
            return self._text_of(context, value, depth)
        return self.of(context, value, depth)

    def _text_of(self, context: Context, value: int, depth: int) -> Templates:
        """Return what an operand can be: of an object of the project what its ``toString`` gives."""
        if value != NONE and isinstance(
            context.code[value], (ir.Name, ir.Field, ir.Load, ir.Call)
        ):
            type_ = context.type_of(value)
            if type_ is not None and self.program.type(type_.name) is not None:
                for ref in self.program.methods(type_.name, "toString", 0)[:1]:
                    own = self.returned(ref, depth)
                    if own is not None:
                        return substitute(
                            own, lambda part: self.own(context, value, (), part, depth)
                        )
                return self.enum_names(context, value, depth) or self.of(context, value, depth)
        return self.of(context, value, depth)

    def _combined(
        self, context: Context, value: int, instr: ir.Binary, left: Templates, right: Templates
    ) -> Templates:
        type_ = context.type_of(value)
        if instr.op == "+" and type_ is not None and type_.name == "java.lang.String":
            return concat(left or UNKNOWN, right or UNKNOWN)
        one, two = known_text(left), known_text(right)
        if one is None or two is None:
            if instr.op == "+" and type_ is None:
                return concat(left, right)
            return UNKNOWN
        result = folded(context, value, instr, one, two)
        return ((result,),) if result is not None else UNKNOWN

    def _unary(self, context: Context, instr: ir.Unary, depth: int) -> Templates:
        text = known_text(self.of(context, instr.operand, depth))
        if text is None:
            return UNKNOWN
        if instr.op == "-":
            return ((text[1:] if text.startswith("-") else f"-{text}",),)
        if instr.op == "!" and text in ("true", "false"):
            return (("false" if text == "true" else "true",),)
        return ((text,),) if instr.op == "+" else UNKNOWN

    def _new(self, context: Context, instr: ir.New, depth: int) -> Templates:
        name = self.program.resolve(instr.type, context.ref.path, context.ref.owner).name
        if name in BUILDERS or name == "java.lang.String":
            if not instr.args:
                return (("",),)
            first = context.type_of(instr.args[0])
            if first is not None and first.name == "int":
                return (("",),)
            return self.of(context, instr.args[0], depth)
        return UNKNOWN

    def _call(self, context: Context, value: int, call: ir.Call, depth: int) -> Templates:
        targets = context.targets(value)
        if targets:
            named = self.declared_name(context, call, targets[0], depth)
            return named or self.project_call(context, call, targets, depth)
        if call.name in CLASS_OF and not call.args:
            return self.class_of(context, call.object, depth)
        if call.object == NONE:
            own = not call.args and call.name in ("name", "toString")
            return self.enum_names(context, NONE, depth) or UNKNOWN if own else UNKNOWN
        receiver = context.code[call.object]
        if isinstance(receiver, ir.ClassLiteral):
            return class_name(context, receiver, call.name)
        if (
            isinstance(receiver, ir.Call)
            and receiver.name == "getPackage"
            and call.name == "getName"
        ):
            inner = context.code[receiver.object] if receiver.object != NONE else None
            if isinstance(inner, ir.ClassLiteral):
                return class_name(context, inner, "getPackageName")
        type_ = context.receiver_type(call)
        name = type_.name if type_ is not None else ""
        if name == "java.lang.Class" and call.name in (*CLASS_NAMES, SIMPLE_NAME):
            named = self.of(context, call.object, depth)
            return turned(named, Turn(SIMPLE)) if call.name == SIMPLE_NAME else named
        if call.name in ("name", "toString") and not call.args:
            enum = self.enum_names(context, call.object, depth)
            enum = enum or self.asked_name(context, call, name, depth)
            if enum:
                return enum
            constant = self.constant_name(context, receiver) if call.name == "name" else None
            if constant is not None:
                return ((constant,),)
        if name == "java.lang.String" or name in BUILDERS:
            return string_call(
                context, call, name, lambda where, what: self.of(where, what, depth)
            )
        if name == MESSAGE_FORMAT:
            return message(context, call, lambda where, what: self.of(where, what, depth))
        if call.name in ("toString", "valueOf") and name.startswith("java.lang."):
            if call.args:
                return self._text_of(context, call.args[0], depth)
            if unboxed(type_):
                return self.of(context, call.object, depth)
        return self._passed(context, call, name, depth)

    def _passed(self, context: Context, call: ir.Call, owner: str, depth: int) -> Templates:
        """Follow a library call that gives one argument, or an element of its object, back as it is."""
        if self.models is None:
            return UNKNOWN
        if call.name in ("get", "getOrDefault") and call.args:
            entered = self._entered(context, call, depth)
            if entered:
                return entered
        if self._takes(context, call):
            return self.elements(context, call.object, depth)
        for row in self.models.conversions_by_method.get(call.name, ()):
            if row.value_type is not None or row.target != RETURN or len(row.sources) != 1:
                continue
            if row.from_unit or row.to_unit or row.to_unit_argument is not None:
                continue
            # An object may be a constant of the class.
            asked = owner.rpartition(".")[0] or row.type if row.spelling == STYLES else owner
            if asked == row.type and 0 <= row.sources[0] < len(call.args):
                given = self.of(context, call.args[row.sources[0]], depth)
                if row.spelling is None:
                    return given
                return respelt(given, row.spelling, self._styles(context, call, row, depth))
        return UNKNOWN

    def _styles(
        self, context: Context, call: ir.Call, row: ConversionRow, depth: int
    ) -> tuple[str | None, str | None]:
        """Return the styles from and to which a call of a library turns words, where objects stand for these."""
        if row.spelling != STYLES:
            return None, None
        old, new = (known_text(self.of(context, at, depth)) for at in (call.object, call.args[0]))
        return old, new

    def _entered(self, context: Context, call: ir.Call, depth: int) -> Templates:
        """Return what a constant map holds: under the key that is asked for, or under any; nothing for another map."""
        field = context.field_of(call.object) if call.object != NONE else None
        if field is None:
            return ()
        held = self.trail.remembered(("entries", field), lambda: entries(self, field))
        if not held:
            return ()
        asked = known_text(self.of(context, call.args[0], depth))
        found: dict[Template, None] = {}
        self.program.meter.spend(len(held))
        for place, key, value in held:
            if asked is None or known_text(self._in_map(place, key, depth)) == asked:
                found.update(dict.fromkeys(self._in_map(place, value, depth)))
        if len(call.args) == 2:
            found.update(dict.fromkeys(self.of(context, call.args[1], depth)))
        # One value under a key that is not known may be a default that others do not have.
        only = asked is None and len(found) == 1
        if len(found) > MOST:
            return bounds.MANY_ENTRIES
        return tuple(found) if not only else ()

    def _in_map(self, context: Context, value: int, depth: int) -> Templates:
        """Return what a key or a value of a constant map can be, for all that is looked up there."""
        key = ("entry", context.ref, value)
        return self.evaluation.once(key, depth, lambda: self.of(context, value, depth))

    @override
    def project_call(
        self, context: Context, call: ir.Call, targets: list[MemberRef], depth: int
    ) -> Templates:
        target, candidates = targets[0], targets[:1]
        if not self.program.is_static(target):
            candidates = [target, *self.asking.overriders(target)]
        if len(candidates) > 1 and (own := self.anonymous(context, call.object)):
            candidates = self.program.methods(own, call.name, len(call.args))[:1]

        def find() -> Templates:
            given = (self.returned(one, depth) for one in candidates[:LIMIT])
            return union(*(one for one in given if one is not None))

        found = self.evaluation.once(("returned by", tuple(candidates)), depth, find)
        if not found or len(candidates) > LIMIT:
            unknown = bounds.MANY_METHODS if found else UNKNOWN
            return self.asked_later(context, call, target) or unknown
        return substitute(
            found,
            lambda part: self.own(context, call.object, call.args, part, depth),
        )

    def returned(self, ref: MemberRef, depth: int) -> Templates | None:
        """Return what a method can return, in its own terms; ``None`` if it has no code."""
        if self.evaluation.too_deep(depth):
            return bounds.DEEP
        find = partial(self._returned, ref, depth)
        return self.evaluation.once(("returned", ref), depth, find) or None

    def _returned(self, ref: MemberRef, depth: int) -> Templates:
        context = self.open(ref)
        if len(context.code) > bounds.RETURN_SIZE:
            return bounds.of_long(context)
        found = [
            self.of(context, instr.value, depth)
            for instr in context.code
            if isinstance(instr, ir.Return) and instr.kind == "return" and instr.value != NONE
        ]
        if len(found) == 2:
            joined = optional_prefix(*found)
            tests = [instr.test for instr in context.code if isinstance(instr, ir.If)]
            if joined and any(
                self._is_tested(context, test, joined[0][0], depth) for test in tests
            ):
                return joined
        return union(*found)
