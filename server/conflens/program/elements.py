"""What arrays and collections of constants hold, and which enum constants a loop or a stream goes through.

The elements of ``List.of("a", "b")`` are texts; of ``Mode.values()`` and ``EnumSet.of(Mode.A)`` they are enum constants,
whose names and fields the variable of the loop, or the parameter of the function, stands for.  Views, copies made where
they are used, iterators and the steps of a stream that keep elements (cell rows) are looked through.
Absent: elements that are added later; functions that make other elements of them.
"""

from __future__ import annotations

from typing_extensions import override

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.body_uses import calls_with, loads, takers
from conflens.program.bounds import ANY_CONSTANT, DEEP, MANY_CONSTANTS
from conflens.program.expressions import Context
from conflens.program.objects import Objects
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    CLASS,
    CONSTANT,
    ELEMENT,
    LIMIT,
    UNKNOWN,
    Each,
    Param,
    Part,
    SelfField,
    Templates,
    listed,
    substitute,
    union,
)

_USERS = 20
_NEAR = 200
"""Instructions after a function within which the call that it is passed to is looked for."""
_STREAM = "java.util.stream.BaseStream"
_ITERATED = ("java.util.Collection", "java.util.Iterator", _STREAM)


class Elements(Objects):
    """Evaluates the elements of collections."""

    def elements(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the elements of an array or collection can be, when it is a constant one."""
        if value == NONE:
            return UNKNOWN
        if self.evaluation.too_deep(depth):
            return DEEP
        instr = context.code[value]
        if isinstance(instr, ir.NewArray):
            return listed(self.of(context, item, depth + 1) for item in instr.values) or UNKNOWN
        kept = self._keeps(context, value)
        if kept != NONE:
            return self.elements(context, kept, depth + 1)
        if isinstance(instr, ir.Call):
            made = self._mapped(context, value, instr, depth)
            if made is not None:
                return made
        if isinstance(instr, ir.Call) and instr.args and self._lists(context, value, instr):
            if any(isinstance(context.code[arg], ir.ClassLiteral) for arg in instr.args):
                return UNKNOWN
            return listed(self.of(context, item, depth + 1) for item in instr.args)
        if self._is_given(context, instr, value):
            assert isinstance(instr, ir.Load)
            return ((Param(instr.slot, ELEMENT),),)
        where, held = self._held(context, value)
        return self.elements(where, held, depth + 1) if held != NONE else UNKNOWN

    @staticmethod
    def _is_given(context: Context, instr: ir.Instr, value: int) -> bool:
        """Tell whether a value is an array of texts that a call gives, or what its arguments are put into that take the place of the
        last parameter."""
        if not isinstance(instr, ir.Load) or instr.up or not context.is_parameter(instr.slot):
            return False
        last = context.member.varargs and instr.slot == len(context.member.params) - 1
        texts = context.member.params[instr.slot].type == "String[]"
        return (last or texts) and not context.stores(instr.slot, 1)

    def given_elements(
        self, context: Context, args: tuple[int, ...], slot: int, depth: int
    ) -> Templates:
        """Return the elements of an argument, or what the arguments of a call are that take the place of its last parameter."""
        given = context.type_of(args[slot]) if len(args) > slot else None
        last = len(args) == slot + 1 and self._has_elements(context, args[slot])
        if last or (given is not None and given.name == "[]"):
            return self.elements(context, args[slot], depth + 1)
        return listed(self.of(context, arg, depth) for arg in args[slot:]) or UNKNOWN

    def _mapped(self, context: Context, value: int, call: ir.Call, depth: int) -> Templates | None:
        """Return what a function makes of the elements of a stream; ``None`` if a call is something else."""
        if len(call.args) != 1 or call.object == NONE or context.targets(value):
            return None
        type_ = context.type_of(value)
        if type_ is None or _STREAM not in (type_.name, *self.program.supertypes(type_.name)):
            return None
        function = context.code[call.args[0]]
        if isinstance(function, ir.Lambda):
            given = [
                one.value
                for one in context.code.within(function.start, function.stop)
                if isinstance(one, ir.Return) and one.value != NONE
            ]
            return self.of(context, given[0], depth + 1) if len(given) == 1 else UNKNOWN
        if isinstance(function, ir.MethodRef) and function.name in ("name", "toString"):
            return self.names(self._constants(context, call.object, depth + 1)) or UNKNOWN
        return None

    def names(self, refs: tuple[MemberRef, ...]) -> Templates:
        """Return the names of enum constants."""
        return listed(((self.program.member(ref).name,),) for ref in refs)

    @override
    def filled(
        self, context: Context, receiver: int, args: tuple[int, ...], part: Part, depth: int = 0
    ) -> Templates:
        """Return what a call fills into a hole of the called member's templates."""
        if isinstance(part, Param) and part.owner == ELEMENT:
            return self.given_elements(context, args, part.slot, depth)
        return super().filled(context, receiver, args, part, depth)

    def looped(self, context: Context, slot: int, depth: int) -> Templates:
        """Return what a variable of a loop, or the parameter of a function, can be."""
        goes = self._through(context, slot)
        if goes != NONE:
            return self.elements(context, goes, depth)
        number, function = context.binder(slot) or (NONE, None)
        if not isinstance(function, ir.Lambda):
            return UNKNOWN
        return self._told(context, number, function, function.params.index(slot), depth)

    def _told(
        self, context: Context, number: int, function: ir.Lambda, place: int, depth: int
    ) -> Templates:
        """Return what a method of the project gives a parameter of the function that it is passed."""
        index = self._passed_to(context, number, function)
        if index == NONE:
            return self._called(context, number, function, place, depth)
        call = context.code[index]
        targets = context.targets(index) if isinstance(call, ir.Call) else ()
        if len(targets) != 1 or not isinstance(call, ir.Call) or self.evaluation.too_deep(depth):
            return UNKNOWN
        inner, slot = self.open(targets[0]), call.args.index(number)
        if slot >= len(inner.member.params) or inner.stores(slot):
            return UNKNOWN
        if inner.member.varargs or self.asking.overriders(targets[0]):
            return UNKNOWN
        found: list[Templates] = []
        for _, one in inner.calls():
            asked = (
                inner.code[one.object] if isinstance(one, ir.Call) and one.object != NONE else None
            )
            same = isinstance(asked, ir.Load) and not asked.up and asked.slot == slot
            if same and len(one.args) == len(function.params):
                given = self.of(inner, one.args[place], depth + 1)
                found.append(
                    substitute(
                        given,
                        lambda part: self.filled(context, call.object, call.args, part, depth),
                    )
                )
        return union(*found) if found else UNKNOWN

    def _called(
        self, context: Context, number: int, function: ir.Lambda, place: int, depth: int
    ) -> Templates:
        """Return what a parameter of a function is given where code calls the variable or field that the function is kept in."""
        stored = [context.code[taker] for taker in takers(context, number)]
        slots = sorted({one.slot for one in stored if isinstance(one, ir.Store) and not one.up})
        fields = [] if slots else [one for one in stored if isinstance(one, ir.StoreField)]
        field = context.target_field(fields[-1]) if fields else None
        bodies = [context] if slots else self._naming(field) if field is not None else []
        found: list[Templates] = []
        for inner in bodies if not self.evaluation.too_deep(depth) else ():
            held = [load for slot in slots for load in loads(inner, slot)]
            if field is not None:
                named = inner.named(self.program.member(field).name).loads
                held = [one for one in named if inner.field_of(one) == field]
            asked = frozenset(held)
            for _, one in calls_with(inner, asked):
                if one.object in asked and len(one.args) == len(function.params):
                    given = self.of(inner, one.args[place], depth + 1)
                    found.append(given if inner is context else self.closed(inner, given, depth))
        return union(*found) if found else UNKNOWN

    def _naming(self, field: MemberRef) -> list[Context]:
        """Return the bodies of a field's file that name it; those of other files are not looked at."""
        name = self.program.member(field).name
        users = self.asking.within(field.path, name)
        return [self.open(ref) for ref in users[:_USERS]]

    def each(self, context: Context, value: int) -> tuple[MemberRef, ...]:
        """Return the enum constants that a variable of a loop, or the parameter of a function, stands for."""
        instr = context.code[value] if value != NONE else None
        if not isinstance(instr, ir.Load) or instr.up or context.is_parameter(instr.slot):
            return ()
        if context.stores(instr.slot, 1):
            return ()
        goes = self._through(context, instr.slot)
        return self._constants(context, goes, 0) if goes != NONE else ()

    def each_field(self, context: Context, value: int, field: SelfField) -> Templates | None:
        """Return what a field can be in the enum constants that a variable stands for; ``None``: it stands for none.

        Of all constants of an enum it is left open which (``Each``, which ``spread`` fills).
        """
        refs = self.each(context, value)
        if not refs:
            return None
        if refs == self._all(refs[0].owner):
            return ((Each(refs[0].owner, field.name),),)
        return listed(self._in_constant(ref, field) for ref in refs)

    def spread(self, templates: Templates, most: int = LIMIT) -> Templates:
        """Fill in every constant for what is left open as ``Each``; more than ``most`` are not known.

        Loops over several enums give every pair; what is asked twice in a loop over one enum is asked of the same constant.
        """
        if not any(isinstance(part, Each) for template in templates for part in template):
            return templates
        many = MANY_CONSTANTS if most > LIMIT else ANY_CONSTANT
        found: dict[tuple[Part, ...], None] = {}
        queue = list(reversed(templates))
        while queue:
            template = queue.pop()
            self.program.meter.spend()
            owner = next((part.owner for part in template if isinstance(part, Each)), None)
            if owner is None:
                found[template] = None
                continue
            refs = self._all(owner)
            if len(refs) + len(found) + len(queue) > most + len(templates):
                return many
            made = [one for ref in refs for one in self._with(template, ref)]
            queue.extend(reversed(made or UNKNOWN))
        return tuple(found) if len(found) <= most else many

    def by_constant(
        self, names: Templates, others: Templates
    ) -> list[tuple[Templates, Templates]]:
        """Return, for each constant of the one enum that both leave open (``Each``), what the constant makes of them; none if there is
        no such enum, or it has more constants than are distinguished."""
        owners = {
            frozenset(
                part.owner for template in both for part in template if isinstance(part, Each)
            )
            for both in (names, others)
        }
        owner = next(iter(owners))
        if len(owners) != 1 or len(owner) != 1:
            return []
        refs = self._all(next(iter(owner)))
        return (
            []
            if len(refs) > LIMIT
            else [
                (
                    listed(self._with(one, ref) for one in names),
                    listed(self._with(one, ref) for one in others),
                )
                for ref in refs
            ]
        )

    def _with(self, template: tuple[Part, ...], ref: MemberRef) -> Templates:
        """Return a template with one constant for what is left open of its enum."""
        fields = tuple(
            SelfField(part.owner, part.name, part.how)
            if isinstance(part, Each) and part.owner == ref.owner
            else part
            for part in template
        )
        own = {part for part in template if isinstance(part, Each) and part.owner == ref.owner}

        def fill(part: Part) -> Templates:
            if isinstance(part, SelfField) and any(
                (one.owner, one.name) == (part.owner, part.name) for one in own
            ):
                return self._in_constant(ref, part)
            return ((part,),)

        return substitute((fields,), fill)

    def _in_constant(self, ref: MemberRef, field: SelfField) -> Templates:
        """Return what a field is given in an enum constant."""
        if field.name == CONSTANT:
            return self.names((ref,))
        if field.name == CLASS:
            return ((ref.owner,),)

        def find() -> Templates:
            inner = self.open(ref)
            made = [store.value for store in inner.code if isinstance(store, ir.StoreField)]
            if not made or not isinstance(inner.code[made[-1]], ir.New):
                return UNKNOWN
            return self.receiver_field(inner, made[-1], field, 1)

        return self.evaluation.once(("constant", ref, field.name), 1, find)

    # -- collections ---------------------------------------------------------------------------------

    def _constants(self, context: Context, value: int, depth: int) -> tuple[MemberRef, ...]:
        """Return the enum constants that a collection holds."""
        if value == NONE or self.evaluation.too_deep(depth):
            return ()
        self.program.meter.spend()
        instr = context.code[value]
        if isinstance(instr, ir.NewArray):
            return self._listed(context, instr.values)
        kept = self._keeps(context, value)
        if kept != NONE:
            return self._constants(context, kept, depth + 1)
        if isinstance(instr, ir.Call) and not context.targets(value):
            if instr.name == "values" and not instr.args:
                owner = (
                    context.denotes(instr.object) if instr.object != NONE else context.ref.owner
                )
                return self._all(owner or "")
            if instr.args and self._lists(context, value, instr):
                first = context.code[instr.args[0]]
                if len(instr.args) == 1 and isinstance(first, ir.ClassLiteral):
                    type_ = self.program.resolve(first.type, context.ref.path, context.ref.owner)
                    return self._all(type_.name)
                if len(instr.args) == 1 and isinstance(first, ir.Call):
                    return self._constants(context, instr.args[0], depth + 1)
                return self._listed(context, instr.args)
            return ()
        where, held = self._held(context, value)
        return self._constants(where, held, depth + 1) if held != NONE else ()

    def _all(self, owner: str) -> tuple[MemberRef, ...]:
        info = self.program.type(owner)
        if info is None or info.decl.kind != "enum":
            return ()
        return tuple(
            ref
            for ref in self.program.own_fields(owner).values()
            if self.program.member(ref).kind == "enum_constant"
        )

    def _listed(self, context: Context, values: tuple[int, ...]) -> tuple[MemberRef, ...]:
        """Return the enum constants that expressions name; none if one of them is something else."""
        refs = [context.field_of(value) for value in values]
        found = [ref for ref in refs if ref is not None]
        named = all(self.program.member(ref).kind == "enum_constant" for ref in found)
        return tuple(found) if named and len(found) == len(refs) else ()

    def _keeps(self, context: Context, value: int) -> int:
        """Return the collection or array whose elements another one, an iterator or a stream goes through."""
        instr = context.code[value]
        if not isinstance(instr, (ir.Call, ir.New)) or context.targets(value):
            return NONE
        if len(instr.args) == 1 and self._has_elements(context, instr.args[0]):
            library = isinstance(instr, ir.New) or self._lists(context, value, instr)
            return instr.args[0] if library else NONE
        if isinstance(instr, ir.Call) and instr.object != NONE:
            return instr.object if self._takes(context, instr) else NONE
        return NONE

    def _takes(self, context: Context, call: ir.Call) -> bool:
        """Tell whether a call gives what its object holds: one element, or a view of them all."""
        rows = self.models.cells_by_method.get(call.name, ()) if self.models is not None else ()
        if not any(row.take for row in rows):
            return False
        type_ = context.receiver_type(call)
        if type_ is None:
            return False
        types = {type_.name, *self.program.supertypes(type_.name)}
        return not types.isdisjoint(_ITERATED) and any(
            row.take and row.type in types for row in rows
        )

    def _has_elements(self, context: Context, value: int) -> bool:
        type_ = context.type_of(value)
        if type_ is None:
            return False
        return type_.name == "[]" or "java.util.Collection" in (
            type_.name,
            *self.program.supertypes(type_.name),
        )

    @staticmethod
    def _lists(context: Context, value: int, call: ir.Call) -> bool:
        """Tell whether a call of the library makes a collection of its arguments."""
        owner = context.denotes(call.object) if call.object != NONE else None
        return owner is not None and owner.startswith("java.util.") and not context.targets(value)

    def _held(self, context: Context, value: int) -> tuple[Context, int]:
        """Return what a local or a constant field was given, or a method returns.

        A local that was given a new collection gets more later.
        """
        instr = context.code[value]
        if isinstance(instr, ir.Call) and not instr.args:
            targets = context.targets(value)
            if not targets or self.asking.overriders(targets[0]):
                return context, NONE
            inner = self.open(targets[0])
            given = [
                one.value
                for one in inner.code
                if isinstance(one, ir.Return) and one.kind == "return"
            ]
            made = len(given) == 1 and not isinstance(inner.code[given[0]], ir.New)
            return inner, given[0] if made else NONE
        if isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
            stored = self._only_store(context, instr, value)
            if stored != NONE and not isinstance(context.code[stored], ir.New):
                return context, stored
        field = context.field_of(value)
        if field is not None and self.program.is_constant(field):
            inner = self.open(field)
            for store in reversed(inner.code):
                if isinstance(store, ir.StoreField):
                    return inner, store.value
        return context, NONE

    # -- variables -----------------------------------------------------------------------------------

    def _through(self, context: Context, slot: int) -> int:
        """Return what a loop, or the call that a function is passed to, goes through."""
        binder = context.binder(slot)
        if binder is None:
            return NONE
        number, instr = binder
        if isinstance(instr, ir.ForEach):
            return instr.iterable
        if instr.params != (slot,):
            return NONE
        index = self._passed_to(context, number, instr)
        call = context.code[index] if index != NONE else None
        if not isinstance(call, ir.Call) or call.object == NONE or context.targets(index):
            return NONE
        return call.object if self._goes(context, call) else NONE

    @staticmethod
    def _passed_to(context: Context, number: int, function: ir.Lambda) -> int:
        """Return the call that a function is passed to."""
        for index in range(function.stop, min(function.stop + _NEAR, len(context.code))):
            call = context.code[index]
            if isinstance(call, ir.Call) and number in call.args:
                return index
        return NONE

    def _goes(self, context: Context, call: ir.Call) -> bool:
        """Tell whether a call goes through what a collection or a stream holds."""
        type_ = context.receiver_type(call)
        types = {type_.name, *self.program.supertypes(type_.name)} if type_ is not None else set()
        return not types.isdisjoint(_ITERATED)
