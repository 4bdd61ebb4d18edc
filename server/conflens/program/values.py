"""Constant evaluation across files: which texts an expression can be.

An expression gives a set of alternatives (``templates``); an empty set means ``null`` only.  Numbers, booleans, enum constants and class literals are texts too, as a user would
write them.

What the language itself defines (concatenation, arithmetic, ``String`` and ``Class`` methods, enum
names) is known here; what libraries do is not.
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import RETURN
from conflens.program.expressions import Context
from conflens.program.program import MemberRef, Program
from conflens.program.templates import (
    DYNAMIC,
    LIMIT,
    UNKNOWN,
    Param,
    Part,
    SelfField,
    Templates,
    concat,
    fold,
    known_text,
    substitute,
    union,
)
from conflens.program.text_calls import class_name, string_call

_DEPTH = 24
_RETURN_SIZE = 40
"""Instructions of a method whose result is still evaluated."""
_CALLERS = 40
"""Members that call a method by name, up to which its callers' arguments are collected."""


_JAVA_NAMES = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_BUILDERS = frozenset({"java.lang.StringBuilder", "java.lang.StringBuffer"})


class Values:
    """Evaluates expressions of one program; remembers the values of fields."""

    def __init__(self, program: Program, models: Models | None = None) -> None:
        """Evaluate in ``program``; ``models`` say which library calls pass a value on unchanged."""
        self.program = program
        self.models = models
        self._busy: set[object] = set()
        self._memo: dict[object, Templates] = {}
        self._callers: dict[MemberRef, list[tuple[Context, int, tuple[int, ...]]]] = {}

    # -- expressions -----------------------------------------------------------------------------

    def of(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the value of an expression can be."""
        if value == NONE:
            return ()
        if depth > _DEPTH:
            return UNKNOWN
        depth += 1
        instr = context.code[value]
        match instr:
            case ir.Const():
                return () if instr.kind == "n" else ((instr.value,),)
            case ir.Load():
                return self._local(context, instr, depth)
            case ir.Name() | ir.Field():
                return self._field(context, value, instr, depth)
            case ir.Binary():
                return self._binary(context, value, instr, depth)
            case ir.Unary():
                return self._unary(context, instr, depth)
            case ir.Choice():
                return union(
                    self.of(context, instr.then, depth), self.of(context, instr.other, depth)
                )
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
            case _:
                return UNKNOWN

    def _local(self, context: Context, load: ir.Load, depth: int) -> Templates:
        if load.up:
            outer = context.outer(load.up)
            if outer is None:
                return UNKNOWN
            captured = self._local(outer, ir.Load(0, 0, load.slot, 0), depth)
            return substitute(captured, lambda _part: UNKNOWN)
        slot = load.slot
        key = (context.ref, slot)
        if key in self._busy:
            return UNKNOWN
        stores = [
            instr
            for instr in context.code
            if isinstance(instr, ir.Store) and instr.slot == slot and not instr.up
        ]
        if context.is_parameter(slot) and not stores:
            return ((Param(slot),),)
        self._busy.add(key)
        try:
            found: list[Templates] = []
            if context.is_parameter(slot):
                found.append(((Param(slot),),))
            for store in stores[:LIMIT]:
                found.append(self.of(context, store.value, depth))
            for instr in context.code:
                if isinstance(instr, ir.ForEach) and instr.slot == slot:
                    found.append(self.elements(context, instr.iterable, depth))
            return union(*found) if found else UNKNOWN
        finally:
            self._busy.discard(key)

    def elements(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the elements of an array or collection can be, when it is a constant one."""
        if value == NONE or depth > _DEPTH:
            return UNKNOWN
        instr = context.code[value]
        if isinstance(instr, ir.NewArray):
            found = union(*[self.of(context, item, depth + 1) for item in instr.values])
            return found or UNKNOWN
        if isinstance(instr, ir.Call) and instr.args and not context.targets(value):
            first = context.type_of(instr.args[0])
            if len(instr.args) == 1 and first is not None and first.name == "[]":
                return self.elements(context, instr.args[0], depth + 1)
            owner = context.denotes(instr.object) if instr.object != NONE else None
            if owner is not None and owner.startswith("java.util."):
                return union(*[self.of(context, item, depth + 1) for item in instr.args])
        if isinstance(instr, ir.Call) and instr.name == "values" and not instr.args:
            owner = context.denotes(instr.object) if instr.object != NONE else context.ref.owner
            info = self.program.type(owner) if owner is not None else None
            if info is not None and info.decl.kind == "enum":
                return UNKNOWN
        if isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
            stores = [
                store
                for store in context.code
                if isinstance(store, ir.Store) and store.slot == instr.slot and not store.up
            ]
            if len(stores) == 1:
                return self.elements(context, stores[0].value, depth + 1)
        field = context.field_of(value)
        if field is not None and self.program.is_constant(field):
            inner = Context.of(self.program, field)
            for instr in reversed(inner.code):
                if isinstance(instr, ir.StoreField):
                    return self.elements(inner, instr.value, depth + 1)
        return UNKNOWN

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
        return self.receiver_field(context, instr.object, SelfField(ref.owner, member.name), depth)

    def _library_constant(self, context: Context, instr: ir.Name | ir.Field) -> str | None:
        owners: list[str] = []
        if isinstance(instr, ir.Field) and instr.object != NONE:
            owner = context.owner_of(instr.object)
            owners = [owner] if owner is not None else []
        elif isinstance(instr, ir.Name):
            owners = [context.ref.owner, *context.static_imports(instr.name)]
        for first in owners:
            for name in (first, *self.program.supertypes(first)):
                jdk = self.program.jdk_type(name)
                if jdk is not None and instr.name in jdk.fields:
                    field = jdk.fields[instr.name]
                    if field.enum_constant:
                        return instr.name
                    if field.constant is None:
                        return None
                    if isinstance(field.constant, bool):
                        return str(field.constant).lower()
                    return _JAVA_NAMES.get(str(field.constant), str(field.constant))
        return None

    def static_field(self, ref: MemberRef, depth: int = 0) -> Templates:
        """Return what a static field can be: its initial value if it never gets another."""
        if ref in self._memo:
            return self._memo[ref]
        if ref in self._busy:
            return UNKNOWN
        self._busy.add(ref)
        try:
            found = self._static_field(ref, depth)
        finally:
            self._busy.discard(ref)
        self._memo[ref] = found
        return found

    def _static_field(self, ref: MemberRef, depth: int) -> Templates:
        stores = self.stores(ref)
        if not stores:
            return UNKNOWN
        if not self.program.is_constant(ref) and len(stores) > 1:
            return UNKNOWN
        found = union(*[self.of(context, store.value, depth) for context, store in stores[:LIMIT]])
        return substitute(found, lambda _part: UNKNOWN)

    def stores(self, ref: MemberRef) -> list[tuple[Context, ir.StoreField]]:
        """Return the assignments to a field, its initialiser first."""
        name = self.program.member(ref).name
        found: list[tuple[Context, ir.StoreField]] = []
        own = Context.of(self.program, ref)
        for instr in own.code:
            if isinstance(instr, ir.StoreField) and instr.name == name:
                found.append((own, instr))
        final = self.program.is_constant(ref)
        if final and found:
            return found
        for user in self.program.mentions(name):
            if user == ref or (final and user.path != ref.path):
                continue
            context = Context.of(self.program, user)
            for instr in context.code:
                if (
                    isinstance(instr, ir.StoreField)
                    and instr.name == name
                    and context.target_field(instr) == ref
                ):
                    found.append((context, instr))
        return found

    # -- objects ---------------------------------------------------------------------------------

    def receiver_field(
        self, context: Context, receiver: int, field: SelfField, depth: int
    ) -> Templates:
        """Return what a field of the object ``receiver`` can be."""
        depth += 1
        if depth > _DEPTH:
            return UNKNOWN
        instr = context.code[receiver] if receiver != NONE else None
        if instr is None or isinstance(instr, ir.This):
            return ((field,),)
        if isinstance(instr, ir.New):
            return self._constructed(context, receiver, instr, field, depth)
        if isinstance(instr, ir.Load) and not instr.up and not context.is_parameter(instr.slot):
            stores = [
                store
                for store in context.code
                if isinstance(store, ir.Store) and store.slot == instr.slot and not store.up
            ]
            if len(stores) == 1:
                return self.receiver_field(context, stores[0].value, field, depth)
        ref = context.field_of(receiver)
        if ref is not None and self.program.is_constant(ref) and self.program.is_static(ref):
            inner = Context.of(self.program, ref)
            for store in reversed(inner.code):
                if isinstance(store, ir.StoreField):
                    return self.receiver_field(inner, store.value, field, depth)
        return self.expand(field, depth)

    def _constructed(
        self, context: Context, value: int, new: ir.New, field: SelfField, depth: int
    ) -> Templates:
        targets = context.targets(value)
        for target in targets[:1]:
            stored = self._set_by(target, field, depth)
            if stored is None:
                continue

            def fill(part: Part) -> Templates:
                if isinstance(part, Param) and part.slot < len(new.args):
                    return self.of(context, new.args[part.slot], depth)
                if isinstance(part, SelfField):
                    return self._constructed(context, value, new, part, depth + 1)
                return UNKNOWN

            if depth > _DEPTH:
                return UNKNOWN
            return substitute(stored, fill)
        return self._initial(field, depth)

    def _initial(self, field: SelfField, depth: int) -> Templates:
        ref = self.program.field(field.owner, field.name)
        if ref is None:
            return UNKNOWN
        own = Context.of(self.program, ref)
        for instr in own.code:
            if isinstance(instr, ir.StoreField) and instr.name == field.name:
                return self.of(own, instr.value, depth)
        return UNKNOWN

    def _set_by(self, constructor: MemberRef, field: SelfField, depth: int) -> Templates | None:
        """Return what a constructor assigns to a field, in terms of its parameters."""
        if depth > _DEPTH:
            return None
        context = Context.of(self.program, constructor)
        for number, instr in enumerate(context.code):
            if isinstance(instr, ir.StoreField) and instr.name == field.name:
                return self.of(context, instr.value, depth)
            if isinstance(instr, ir.Call) and instr.name == "<init>":
                for target in self._delegated(context, number, instr):
                    inner = self._set_by(target, field, depth + 1)
                    if inner is not None:
                        args = instr.args

                        def fill(part: Part, args: tuple[int, ...] = args) -> Templates:
                            if isinstance(part, Param) and part.slot < len(args):
                                return self.of(context, args[part.slot], depth + 1)
                            return ((part,),)

                        return substitute(inner, fill)
        return None

    def _delegated(self, context: Context, number: int, call: ir.Call) -> list[MemberRef]:
        return context.targets(number)[:1] if call.object != NONE else []

    def expand(self, field: SelfField, depth: int = 0) -> Templates:
        """Return what an instance field can be on any object: every assignment in the program."""
        ref = self.program.field(field.owner, field.name)
        if ref is None or depth > _DEPTH:
            return UNKNOWN
        key = ("expand", ref)
        if key in self._memo:
            return self._memo[key]
        if key in self._busy:
            return UNKNOWN
        self._busy.add(key)
        try:
            found = self._expand(ref, depth)
        finally:
            self._busy.discard(key)
        self._memo[key] = found
        return found

    def _expand(self, ref: MemberRef, depth: int) -> Templates:
        stores = self.stores(ref)
        if not stores or len(stores) > LIMIT:
            return UNKNOWN
        found = []
        for context, store in stores:
            found.append(self.closed(context, self.of(context, store.value, depth), depth))
        return union(*found)

    def closed(self, context: Context, templates: Templates, depth: int = 0) -> Templates:
        """Fill the holes of templates from all callers of the member they were made in."""

        def fill(part: Part) -> Templates:
            if isinstance(part, SelfField):
                return self.expand(part, depth + 1)
            if isinstance(part, Param):
                return self._arguments(context.ref, part.slot, depth + 1)
            return UNKNOWN

        return substitute(templates, fill)

    def _arguments(self, ref: MemberRef, slot: int, depth: int) -> Templates:
        """Return what all callers pass for a parameter."""
        key = ("arguments", ref, slot)
        if depth > _DEPTH or key in self._busy:
            return UNKNOWN
        self._busy.add(key)
        try:
            found: list[Templates] = []
            for context, _, args in self.callers(ref):
                if slot < len(args):
                    given = self.of(context, args[slot], depth)
                    found.append(self.closed(context, given, depth))
                if len(found) > LIMIT:
                    return UNKNOWN
            return union(*found) if found else UNKNOWN
        finally:
            self._busy.discard(key)

    def callers(self, ref: MemberRef) -> list[tuple[Context, int, tuple[int, ...]]]:
        """Return the calls of a project method or constructor: context, instruction, arguments.

        Empty when too many members call something of that name to look at them all.
        """
        if ref in self._callers:
            return self._callers[ref]
        found = self._callers[ref] = self._find_callers(ref)
        return found

    def _find_callers(self, ref: MemberRef) -> list[tuple[Context, int, tuple[int, ...]]]:
        member = self.program.member(ref)
        found = []
        users = list(
            self.program.mentions(self._simple(ref.owner))
            if member.kind == "constructor"
            else self.program.users(member.name)
        )
        if len(users) > _CALLERS:
            return []
        wanted = ir.New if member.kind == "constructor" else ir.Call
        seen = set()
        for user in users:
            if user in seen:
                continue
            seen.add(user)
            context = Context.of(self.program, user)
            for number, instr in enumerate(context.code):
                if isinstance(instr, wanted) and ref in context.targets(number):
                    found.append((context, number, instr.args))
        if member.kind == "constructor":
            for sub in self.program.subtypes(ref.owner):
                for inner in self.program.own_methods(sub).get("<init>", ()):
                    context = Context.of(self.program, inner)
                    for number, instr in enumerate(context.code):
                        if (
                            isinstance(instr, ir.Call)
                            and instr.name == "<init>"
                            and ref in context.targets(number)
                        ):
                            found.append((context, number, instr.args))
        return found

    @staticmethod
    def _simple(qualified: str) -> str:
        return qualified.rpartition(".")[2]

    # -- operators and calls ---------------------------------------------------------------------

    def _binary(self, context: Context, value: int, instr: ir.Binary, depth: int) -> Templates:
        left = self.of(context, instr.left, depth)
        right = self.of(context, instr.right, depth)
        type_ = context.type_of(value)
        if instr.op == "+" and type_ is not None and type_.name == "java.lang.String":
            return concat(left or ((DYNAMIC,),), right or ((DYNAMIC,),))
        one, two = known_text(left), known_text(right)
        if one is None or two is None:
            if instr.op == "+" and type_ is None:
                return concat(left, right)
            return UNKNOWN
        folded = fold(instr.op, one, two)
        return ((folded,),) if folded is not None else UNKNOWN

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
        if name in _BUILDERS or name == "java.lang.String":
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
            return self._project_call(context, call, targets, depth)
        if call.object == NONE:
            return UNKNOWN
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
        enum = self._enum_constant(context, call)
        if enum is not None and call.name in ("name", "toString"):
            return ((enum,),)
        if name == "java.lang.String" or name in _BUILDERS:
            return string_call(
                context, call, name, lambda where, what: self.of(where, what, depth)
            )
        if call.name in ("toString", "valueOf") and call.args and name.startswith("java.lang."):
            return self.of(context, call.args[0], depth)
        return self._passed(context, call, name, depth)

    def _passed(self, context: Context, call: ir.Call, owner: str, depth: int) -> Templates:
        """Follow a library call that gives one argument back as it is."""
        if self.models is None:
            return UNKNOWN
        for row in self.models.conversions_by_method.get(call.name, ()):
            if row.value_type is not None or row.target != RETURN or len(row.sources) != 1:
                continue
            if row.from_unit or row.to_unit or row.to_unit_argument is not None:
                continue
            if owner == row.type and 0 <= row.sources[0] < len(call.args):
                return self.of(context, call.args[row.sources[0]], depth)
        return UNKNOWN

    def _enum_constant(self, context: Context, call: ir.Call) -> str | None:
        ref = context.field_of(call.object)
        if ref is not None and self.program.member(ref).kind == "enum_constant":
            return self.program.member(ref).name
        return None

    def _project_call(
        self, context: Context, call: ir.Call, targets: list[MemberRef], depth: int
    ) -> Templates:
        target = targets[0]
        candidates = [target, *self.program.overriders(target)]
        if self.program.is_static(target):
            candidates = [target]
        found: list[Templates] = []
        for candidate in candidates[:LIMIT]:
            returned = self.returned(candidate, depth)
            if returned is not None:
                found.append(returned)
        if not found or len(candidates) > LIMIT:
            return UNKNOWN

        def fill(part: Part) -> Templates:
            if isinstance(part, Param) and part.slot < len(call.args):
                return self.of(context, call.args[part.slot], depth)
            if isinstance(part, SelfField):
                return self.receiver_field(context, call.object, part, depth)
            return UNKNOWN

        return substitute(union(*found), fill)

    def returned(self, ref: MemberRef, depth: int) -> Templates | None:
        """Return what a method can return, in its own terms; ``None`` if it has no code."""
        key = ("returned", ref)
        if key in self._memo:
            return self._memo[key] or None
        if depth > _DEPTH or key in self._busy:
            return UNKNOWN
        context = Context.of(self.program, ref)
        if len(context.code) > _RETURN_SIZE:
            self._memo[key] = UNKNOWN
            return UNKNOWN
        self._busy.add(key)
        try:
            found = [
                self.of(context, instr.value, depth)
                for instr in context.code
                if isinstance(instr, ir.Return) and instr.kind == "return" and instr.value != NONE
            ]
        finally:
            self._busy.discard(key)
        self._memo[key] = union(*found[:LIMIT])
        return self._memo[key] or None
