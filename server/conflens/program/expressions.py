"""What an expression in a body is: its type, the field it reads, the method it calls.

A ``Context`` is one member's body with what has been worked out about it.  ``None`` means "not known"; nothing here
guesses.  Overloads are chosen by arity, then by the types of the arguments as far as those are known.
"""

from __future__ import annotations

from collections.abc import Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member
from conflens.models.jdk import JdkMethod
from conflens.program.chains import LONG, typed_by
from conflens.program.fields_named import NOT_NAMED, Named, by_name
from conflens.program.fits import fit, same, without_varargs
from conflens.program.generics import (
    argument_binds,
    bound_return,
    bounded,
    lambda_parameter,
    made_for_enum,
    seen_from,
)
from conflens.program.metered import SHARE
from conflens.program.open_body import Binders, OpenBody, Stores, pattern_stores
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.selves import returns_self
from conflens.program.types import (
    ARRAY,
    BOOLEAN,
    LITERALS,
    OBJECT,
    PRIMITIVES,
    STRING,
    JavaType,
    parse,
    promoted,
    substitute,
    unboxed,
)

_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_MAX_DEPTH = 40
_LOCALS = "classes of the body"
_CALLS = (ir.Call, ir.New)


OF_ARGUMENT = "of argument "
"""Before the number of the argument whose class token says what a library call returns (``models.schema.LibraryRow``)."""


class Context(OpenBody):
    """One member's code, ready for questions."""

    __slots__ = ()

    program: Program

    def __init__(self, program: Program, ref: MemberRef, body: ir.Body | None = None) -> None:
        """Open the body of ``ref``, or ``body`` as if it stood there."""
        super().__init__(program, ref, body if body is not None else program.body(ref))

    @staticmethod
    def of(program: Program, ref: MemberRef) -> Context:
        """Return the context of a member, shared by everybody who asks about this program."""
        found = program.contexts.get(ref)
        if found is None:
            found = program.contexts[ref] = Context(program, ref)
            found.count()
        return found  # type: ignore[return-value]

    def calls(self) -> list[tuple[int, ir.Call | ir.New]]:
        """Return the calls and allocations of the body with their indices."""
        if self._calls is None:
            code = self.code
            self._calls = [(at, code[at]) for at in self.of_kind(*_CALLS)]  # type: ignore[misc]
        self.program.meter.spend(1 + len(self._calls) // SHARE)
        return self._calls

    def named(self, name: str) -> Named:
        """Return the instructions that load or assign a field called ``name``."""
        if self._named is None:
            self.program.meter.spend(1 + len(self.code))
            self._named = by_name(self.code, self.of_kind(ir.Name, ir.Field, ir.StoreField))
        return self._named.get(name, NOT_NAMED)

    def binder(self, slot: int) -> tuple[int, ir.ForEach | ir.Lambda] | None:
        """Return the first loop or lambda that gives a local its values, with its index."""
        return self._bindings()[0].get(slot)

    def stores(self, slot: int, most: int | None = None) -> Sequence[ir.Store]:
        """Return the assignments to a local of this body, in order, also by ``x instanceof T v``; only the first that are
        asked for are paid for."""
        found = self._bindings()[1].get(slot, ())[:most]
        self.program.meter.spend(1 + len(found))
        return found

    def _bindings(self) -> tuple[Binders, Stores]:
        if self._bound is None:
            binders: Binders = {}
            stores: Stores = {}
            for number in self.of_kind(ir.Store, ir.InstanceOf, ir.ForEach, ir.Lambda):
                instr = self.code[number]
                if isinstance(instr, ir.Store):
                    if not instr.up:
                        stores.setdefault(instr.slot, []).append(instr)
                elif isinstance(instr, ir.InstanceOf):
                    for bound in pattern_stores(self.body, instr):
                        stores.setdefault(bound.slot, []).append(bound)
                elif isinstance(instr, ir.ForEach):
                    binders.setdefault(instr.slot, (number, instr))
                elif isinstance(instr, ir.Lambda):
                    for slot in instr.params:
                        binders.setdefault(slot, (number, instr))
            self._bound = binders, stores
        return self._bound

    def used(self, value: int) -> bool:
        """Tell whether some instruction takes a value as operand."""
        if self._operands is None:
            self._operands = frozenset(
                operand for instr in self.code for operand in ir.operands(instr)
            )
        return value in self._operands

    @property
    def member(self) -> Member:
        """The declaration of the member."""
        return self.program.member(self.ref)

    def outer(self, up: int = 1) -> Context | None:
        """Return the context of the body that encloses this one ``up`` levels further out."""
        context: Context | None = self
        for _ in range(up):
            if context is None:
                return None
            info = context.program.type(context.ref.owner)
            while info is not None and info.decl.member < 0:
                info = context.program.type(info.outer)
            if info is None:
                return None
            outer_ref = context.program.ref(info.path, info.decl.member)
            context = Context.of(context.program, outer_ref)
        return context

    def is_parameter(self, slot: int) -> bool:
        """Tell whether a local is a parameter of the member itself (not of a lambda in it)."""
        return slot < len(self.member.params) and self.body.locals[slot].parameter

    # -- names -----------------------------------------------------------------------------------

    def denotes(self, value: int, depth: int = 0) -> str | None:
        """Return the qualified name of the type that an expression names, if it names one."""
        instr = self.code[value]
        if isinstance(instr, ir.Name):
            if self.field_of(value) is not None:
                return None
            found = self.program.resolve_name(instr.name, self.ref.path, self.ref.owner)
            return found.name if found is not None else None
        if isinstance(instr, ir.Field):
            text = self._dotted(value)
            if text is None or self.field_of(value) is not None:
                return None
            found = self.program.resolve_name(text, self.ref.path, self.ref.owner)
            return found.name if found is not None else None
        return None

    def _dotted(self, value: int) -> str | None:
        parts: list[str] = []
        instr = self.code[value]
        while isinstance(instr, ir.Field):
            parts.append(instr.name)
            if instr.object == NONE or len(parts) > LONG:
                return None
            instr = self.code[instr.object]
        if not isinstance(instr, ir.Name):
            return None
        parts.append(instr.name)
        return ".".join(reversed(parts))

    def field_of(self, value: int) -> MemberRef | None:
        """Return the project field that an expression reads, if it reads one."""
        fields = self._fields
        if value not in fields:
            self._open_path(value)
            fields[value] = None
            try:
                fields[value] = self._find_field(value)
            except BaseException:
                del fields[value]
                raise
        return fields[value]

    def _open_path(self, value: int) -> None:
        """Look up a long path of fields from its start on, without recursion."""
        path: list[int] = []
        instr = self.code[value]
        while isinstance(instr, ir.Field) and instr.object != NONE:
            if instr.object in self._fields:
                break
            path.append(instr.object)
            instr = self.code[instr.object]
        if len(path) > LONG:
            for inner in reversed(path):
                self.field_of(inner)

    def _find_field(self, value: int) -> MemberRef | None:
        instr = self.code[value]
        if isinstance(instr, ir.Name):
            return self.named_field(instr.name)
        if isinstance(instr, ir.Field) and instr.object != NONE:
            owner = self.owner_of(instr.object)
            return self.program.field(owner, instr.name) if owner is not None else None
        return None

    def named_field(self, name: str) -> MemberRef | None:
        """Return the field that a simple name means here: own, inherited, enclosing, imported."""
        owner = self.ref.owner
        while owner:
            found = self.program.field(owner, name)
            if found is not None:
                return found
            info = self.program.type(owner)
            owner = info.outer if info is not None else ""
        for type_name in self.static_imports(name):
            found = self.program.field(type_name, name)
            if found is not None:
                return found
        return None

    def target_field(self, store: ir.StoreField) -> MemberRef | None:
        """Return the project field that an assignment writes."""
        if store.object == NONE:
            return self.named_field(store.name)
        owner = self.owner_of(store.object)
        return self.program.field(owner, store.name) if owner is not None else None

    def owner_of(self, value: int) -> str | None:
        """Return the type whose members ``value.x`` means: of its value, or the type it names."""
        named = self.denotes(value)
        if named is not None:
            return named
        type_ = self.type_of(value)
        return type_.name if type_ is not None else None

    # -- types -----------------------------------------------------------------------------------

    def type_of(self, value: int, depth: int = 0) -> JavaType | None:
        """Return the static type of a value."""
        types = self._types
        if value in types:
            return types[value]
        if depth > _MAX_DEPTH or value == NONE:
            return None
        for inner in typed_by(self, value, types):
            if isinstance(self.code[inner], ir.Field):
                self.field_of(inner)
            self.type_of(inner)
        types[value] = None
        try:
            found = types[value] = self._type(self.code[value], value, depth + 1)
        except BaseException:
            del types[value]
            raise
        return found

    def _type(self, instr: ir.Instr, value: int, depth: int) -> JavaType | None:
        match instr:
            case ir.Const():
                return LITERALS.get(instr.kind)
            case ir.Load():
                return self.local_type(instr.slot, instr.up, depth)
            case ir.Name() | ir.Field():
                return self._field_type(instr, value, depth)
            case ir.This():
                return self._this_type(instr)
            case ir.Call():
                return self._call_type(instr, value, depth)
            case ir.New():
                return self._resolve(instr.type)
            case ir.NewArray():
                return self._resolve(instr.type) if instr.type else None
            case ir.Index():
                array = self.type_of(instr.array, depth)
                return array.args[0] if array is not None and array.name == ARRAY else None
            case ir.Binary():
                return self._binary_type(instr, depth)
            case ir.Unary():
                return BOOLEAN if instr.op == "!" else self.type_of(instr.operand, depth)
            case ir.ShortCircuit() | ir.InstanceOf():
                return BOOLEAN
            case ir.Choice():
                return self.type_of(instr.then, depth) or self.type_of(instr.other, depth)
            case ir.Cast():
                return self._resolve(instr.type)
            case ir.ClassLiteral():
                return JavaType("java.lang.Class", (self._resolve(instr.type),))
            case _:
                return None

    def _resolve(self, text: str) -> JavaType:
        own = self._locals()
        if not own:
            return self._seen_around(text)
        return parse(text, lambda name: own.get(name) or self._seen_around(name))

    def _seen_around(self, text: str) -> JavaType:
        """Return the type that a text means outside of the body, where its own classes are not known."""
        return self.program.resolve(text, self.ref.path, self.ref.owner)

    def _locals(self) -> dict[str, JavaType]:
        """Return the classes that the body itself declares, by their simple names."""
        kept = self.notes.get(_LOCALS)
        if not isinstance(kept, dict):
            own = self.program.local_classes.of(self.ref.path, self.ref.number)
            kept = self.notes[_LOCALS] = {name: JavaType(one) for name, one in own.items()}
        return kept

    def local_type(self, slot: int, up: int = 0, depth: int = 0) -> JavaType | None:
        """Return the type of a local variable, inferred for ``var``."""
        if up:
            outer = self.outer(up)
            return outer.local_type(slot, 0, depth) if outer is not None else None
        if not 0 <= slot < len(self.body.locals):
            return None
        local = self.body.locals[slot]
        if local.type:
            for param in self.member.type_params:
                if param.name == local.type:
                    return self._resolve(param.bound) if param.bound else OBJECT
            if self.is_parameter(slot):
                return self._seen_around(local.type)
            return self._resolve(local.type)
        bound = self.binder(slot)
        if bound is not None and isinstance(bound[1], ir.ForEach):
            return self._element_type(bound[1].iterable, depth)
        for store in self.stores(slot, 1):
            return self.type_of(store.value, depth)
        return lambda_parameter(self, slot)

    def _element_type(self, iterable: int, depth: int) -> JavaType | None:
        type_ = self.type_of(iterable, depth)
        if type_ is None:
            return None
        if type_.name == ARRAY:
            return type_.args[0]
        bound = self.program.bindings(type_, "java.lang.Iterable")
        return next(iter(bound.values()), None)

    def _this_type(self, instr: ir.This) -> JavaType | None:
        if instr.qualifier == "super":
            supers = self.program.direct_supers(self.ref.owner)
            return supers[0] if supers else OBJECT
        if instr.qualifier:
            return self._resolve(instr.qualifier)
        return JavaType(self.ref.owner)

    def _field_type(self, instr: ir.Name | ir.Field, value: int, depth: int) -> JavaType | None:
        field = self.field_of(value)
        if field is not None:
            holder = self.type_of(instr.object, depth) if isinstance(instr, ir.Field) else None
            seen = seen_from(self.program, holder, field, self.program.member(field).type)
            return seen or self.program.field_type(field)
        if isinstance(instr, ir.Name):
            return self._library_field(None, instr.name)
        if instr.object == NONE:
            return None
        if instr.name == "length":
            array = self.type_of(instr.object, depth)
            if array is not None and array.name == ARRAY:
                return JavaType("int")
        owner = self.owner_of(instr.object)
        return self._library_field(owner, instr.name) if owner is not None else None

    def _library_field(self, owner: str | None, name: str) -> JavaType | None:
        first = owner if owner is not None else self.ref.owner
        for type_name in (first, *self.program.supertypes(first)):
            jdk = self.program.jdk_type(type_name)
            if jdk is not None and name in jdk.fields:
                return parse(jdk.fields[name].type, JavaType)
            known = self.program.library.get(type_name)
            if known is not None and name in known.fields:
                return JavaType(known.fields[name])
        return None

    def _binary_type(self, instr: ir.Binary, depth: int) -> JavaType | None:
        if instr.op in _COMPARISONS:
            return BOOLEAN
        left = self.type_of(instr.left, depth) if instr.left != NONE else None
        right = self.type_of(instr.right, depth) if instr.right != NONE else None
        if instr.op == "+" and STRING in (left, right):
            return STRING
        if instr.op in ("<<", ">>", ">>>"):
            return left
        if instr.op in ("&", "|", "^") and unboxed(left) == "boolean":
            return BOOLEAN
        return promoted(left, right)

    # -- calls -----------------------------------------------------------------------------------

    def receiver_type(self, call: ir.Call) -> JavaType | None:
        """Return the type on which a call's method is looked up."""
        if call.object == NONE:
            return None
        named = self.denotes(call.object)
        if named is not None:
            return JavaType(named)
        return self.type_of(call.object)

    def targets(self, value: int) -> list[MemberRef]:
        """Return the project methods that a call, ``new`` can mean; best first, overriders not."""
        methods = self._methods
        if value not in methods:
            methods[value] = []
            try:
                methods[value] = self._find_targets(value)
            except BaseException:
                del methods[value]
                raise
        return methods[value]

    def _find_targets(self, value: int) -> list[MemberRef]:
        instr = self.code[value]
        program = self.program
        if isinstance(instr, ir.New):
            owner = self._resolve(instr.type).name
            return self._best(program.methods(owner, "<init>", len(instr.args)), instr.args)
        if not isinstance(instr, ir.Call):
            return []
        count = len(instr.args)
        if instr.object != NONE:
            type_ = self.receiver_type(instr)
            if type_ is None:
                return []
            name = type_.name
            return self._best(program.methods(name, instr.name, count), instr.args)
        owner = self.ref.owner
        while owner:
            found = program.methods(owner, instr.name, count)
            if found:
                return self._best(found, instr.args)
            info = program.type(owner)
            owner = info.outer if info is not None else ""
        for name in self.static_imports(instr.name):
            found = program.methods(name, instr.name, count)
            if found:
                return self._best(found, instr.args)
        return []

    def static_imports(self, name: str) -> list[str]:
        """Return the types from which a simple method or field name may be imported."""
        path, program = self.ref.path, self.program
        owners = program.memo.imported(path, program.files[path]).owners(name)
        return [program.seen(owner, path) for owner in owners]

    def _best(self, candidates: list[MemberRef], args: tuple[int, ...]) -> list[MemberRef]:
        if len(candidates) < 2 or not args:
            return candidates
        types = [self.type_of(arg) for arg in args]
        candidates = same(self.program, candidates, types)
        candidates = without_varargs(self.program, candidates, types)
        self.program.meter.spend(len(candidates))
        nulls = [self._is_null(arg) for arg in args]
        scored = []
        for position, ref in enumerate(candidates):
            member = self.program.member(ref)
            score = 0
            for number, type_ in enumerate(types):
                if number >= len(member.params):
                    continue
                if nulls[number] and member.params[number].type in PRIMITIVES:
                    score -= 6
                if type_ is None:
                    continue
                wanted = self.program.resolve(member.params[number].type, ref.path, ref.owner)
                score += fit(self.program, type_, wanted)
            if member.varargs:
                score -= 1
            scored.append((-score, position, ref))
        scored.sort(key=lambda item: item[:2])
        best = scored[0][0]
        return [ref for score, _, ref in scored if score == best] + [
            ref for score, _, ref in scored if best < score <= 0
        ]

    def _is_null(self, value: int) -> bool:
        instr = self.code[value]
        return isinstance(instr, ir.Const) and instr.kind == "n"

    def _call_type(self, instr: ir.Call, value: int, depth: int) -> JavaType | None:
        targets = self.targets(value)
        receiver = self.receiver_type(instr)
        if targets:
            if receiver is not None and returns_self(self.program, targets[0]):
                return receiver
            bound = bound_return(self, targets[0], receiver, instr)
            return bound or self.program.return_type(targets[0])
        if instr.object != NONE:
            if receiver is None:
                return None
            return self._library_return(receiver, instr, depth)
        owners = self.static_imports(instr.name)
        enclosing = self.ref.owner
        while enclosing:
            owners.append(enclosing)
            info = self.program.type(enclosing)
            enclosing = info.outer if info is not None else ""
        for owner in owners:
            found = self._library_return(JavaType(owner), instr, depth)
            if found is not None:
                return found
        return None

    def _library_return(self, receiver: JavaType, instr: ir.Call, depth: int) -> JavaType | None:
        found = made_for_enum(self, receiver, instr) or self._jdk_return(receiver, instr, depth)
        if found is not None:
            return found
        returned = self.program.library_return(receiver.name, instr.name)
        if returned is None or not returned.name.startswith(OF_ARGUMENT):
            return returned
        number = int(returned.name.removeprefix(OF_ARGUMENT))
        token = self.type_of(instr.args[number], depth) if number < len(instr.args) else None
        return token.args[0] if token is not None and token.args else None

    def _jdk_return(self, receiver: JavaType, instr: ir.Call, depth: int) -> JavaType | None:
        if receiver.name == ARRAY:
            return receiver if instr.name == "clone" else None
        found = self.jdk_method(receiver.name, instr)
        if found is None:
            return None
        owner, method = found
        type_ = parse(method.returns, JavaType)
        bound = self._bound_by(receiver, owner, method)
        for param in method.type_params:
            inferred = argument_binds(self, param.name, method, instr, bound, depth)
            if inferred is not None:
                bound[param.name] = inferred
        result = bounded(substitute(type_, bound))
        if len(result.name) == 1 and result.name.isupper():
            return None
        return result

    def _bound_by(self, receiver: JavaType, owner: str, method: JdkMethod) -> dict[str, JavaType]:
        """Return what a receiver binds of the type variables in the declaration of a method of ``owner``."""
        bound = self.program.bindings(receiver, owner)
        for param in method.type_params:
            bound.pop(param.name, None)
        return bound

    def jdk_parameter(self, value: int, place: int) -> JavaType | None:
        """Return the type of a parameter of the JDK method that a call means, with what its receiver binds."""
        call = self.code[value]
        receiver = self.receiver_type(call) if isinstance(call, ir.Call) else None
        if receiver is None or not isinstance(call, ir.Call):
            return None
        found = self.jdk_method(receiver.name, call)
        if found is None or place >= len(found[1].params):
            return None
        wanted = parse(found[1].params[place], JavaType)
        return bounded(substitute(wanted, self._bound_by(receiver, *found)))

    def jdk_method(self, owner: str, instr: ir.Call) -> tuple[str, JdkMethod] | None:
        """Return the JDK method that a call on type ``owner`` means, with its declaring type."""
        chain = (owner, *self.program.supertypes(owner), OBJECT.name)
        for type_name in chain:
            jdk = self.program.jdk_type(type_name)
            if jdk is None:
                continue
            fitting = [
                method
                for method in jdk.methods.get(instr.name, ())
                if len(method.params) == len(instr.args)
                or (method.varargs and len(instr.args) >= len(method.params) - 1)
            ]
            if fitting:
                return type_name, self._best_jdk(fitting, instr.args)
        return None

    def _best_jdk(self, candidates: list[JdkMethod], args: tuple[int, ...]) -> JdkMethod:
        if len(candidates) == 1 or not args:
            return candidates[0]
        types = [self.type_of(arg) for arg in args]

        def score(method: JdkMethod) -> int:
            total = -1 if method.varargs else 0
            for type_, text in zip(types, method.params, strict=False):
                if type_ is not None:
                    total += fit(self.program, type_, parse(text, JavaType))
            return total

        return max(candidates, key=score)
