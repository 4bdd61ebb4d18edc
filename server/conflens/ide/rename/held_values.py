"""Where values of holders go in one body, and the first place at which one leaves the forms that are known (``escapes``).

Terms
    tainted    a value whose type does not tell, and that may hold a holder.
    giving     a lambda or method reference that returns one.
    bound      what a method of the binder returns that was given the class of one.

A body is gone through once, in the order of evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.ide.rename.held_types import (
    CLASS,
    REFLECTION,
    HeldTypes,
    is_without_names,
)
from conflens.ide.rename.holders import names_in
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.types import OBJECT, STRING, JavaType


class Body:
    """One body; see the module text."""

    def __init__(self, types: HeldTypes, context: Context) -> None:
        self.types = types
        self.context = context
        self.program = types.program
        self.code = context.code
        self._tainted: set[int] = set()
        self._giving: set[int] = set()
        self._classes: set[int] = set()
        self._bound: set[int] = set()  # what the binder was given a class for
        self._parents: dict[int, int] = {}
        self._lambda: dict[int, int] = {}
        self._switch: dict[int, int] = {}
        for number, instr in enumerate(self.code):
            for one in ir.operands(instr):
                self._parents.setdefault(one, number)
            if isinstance(instr, ir.Lambda):
                for inner in range(instr.start, instr.stop):
                    self._lambda.setdefault(inner, number)
            elif isinstance(instr, ir.Switch) and instr.expression:
                for inner in range(number + 1, instr.stop):
                    self._switch[inner] = number

    def escape(self) -> ir.Instr | None:
        """Return the first instruction by which a holder types."""
        for number, instr in enumerate(self.code):
            if not self._is_harmless(number, instr):
                return instr
        return None

    # -- values ----------------------------------------------------------------------------------

    def _through(self, value: int) -> int:
        """The value of an assignment is what is assigned."""
        while value != NONE:
            instr = self.code[value]
            if not isinstance(instr, (ir.Store, ir.StoreField, ir.StoreIndex)):
                break
            value = instr.value
        return value

    def _type(self, value: int) -> JavaType | None:
        return self.context.type_of(value)

    def _is_typed(self, value: int) -> bool:
        type_ = self._type(self._through(value))
        return type_ is not None and type_.name != CLASS and self.types.holds(type_)

    def _is_held(self, value: int) -> bool:
        value = self._through(value)
        if value == NONE or isinstance(self.code[value], ir.Const):
            return False
        return value in self._tainted or value in self._bound or self._is_typed(value)

    def _is_class(self, value: int) -> bool:
        value = self._through(value)
        if value == NONE:
            return False
        instr = self.code[value]
        if isinstance(instr, ir.ClassLiteral):
            type_ = self._type(value)
            return type_ is not None and self.types.holds(type_)
        if value in self._classes:
            return True
        type_ = self._type(value)
        return type_ is not None and type_.name == CLASS and self.types.holds(type_)

    def _is_any(self, value: int) -> bool:
        return self._is_held(value) or self._is_class(value) or value in self._giving

    def _fits(self, value: int, declared: JavaType | None) -> bool:
        """Whether a value may go to what is declared with a type."""
        if self._is_class(value):
            return False
        if declared is not None and self.types.holds(declared):
            return not self.types.is_opaque(declared)
        if value in self._giving or not self._is_typed(value):
            return self.types.is_clean(declared)
        return False

    # -- instructions ----------------------------------------------------------------------------

    def _is_harmless(self, number: int, instr: ir.Instr) -> bool:
        match instr:
            case ir.Load():
                self._load(number, instr)
                return True
            case ir.MethodRef():
                if self._gives(instr):
                    self._giving.add(number)
                return not self._is_class(instr.object)
            case ir.Join():
                return True
            case ir.New():
                return self._new(number, instr)
            case ir.Call():
                return self._call(number, instr)
            case _:
                pass
        taken = [one for one in ir.operands(instr) if one != NONE and self._is_any(one)]
        return not taken or self._is_harmless_for(number, instr, taken)

    def _is_harmless_for(self, number: int, instr: ir.Instr, taken: list[int]) -> bool:
        types, context = self.types, self.context
        if any(self._is_opaque(one) for one in taken):
            return False
        match instr:
            case ir.Field():
                self._taint_unless_known(number)
                return not self._is_class(instr.object)
            case ir.Store():
                declared = self._declared_local(instr)
                if declared is None:
                    return self._is_typed(instr.value)
                return self._fits(instr.value, declared)
            case ir.StoreField():
                if taken == [instr.object] and instr.value != instr.object:
                    return True
                field = context.target_field(instr)
                return field is not None and self._fits(
                    instr.value, self.program.field_type(field)
                )
            case ir.StoreIndex():
                array = self._type(instr.array)
                return instr.value not in taken or self._fits(
                    instr.value, array.args[0] if array is not None and array.args else None
                )
            case ir.NewArray():
                if instr.type:
                    element = self._type(number)
                    return all(self._fits(one, element) for one in taken)
                self._tainted.add(number)
                return all(map(self._is_held, taken))
            case ir.Index():
                self._taint_unless_known(number)
                return True
            case ir.Cast():
                declared = self._type(number)
                if types.is_clean(declared) and not self._is_typed(instr.value):
                    return True
                if not types.holds(declared):
                    self._tainted.add(number)
                if instr.value in self._giving:
                    self._giving.add(number)
                return not self._is_class(instr.value)
            case ir.Choice():
                (self._giving if self._giving.intersection(taken) else self._tainted).add(number)
                return not any(map(self._is_class, taken))
            case ir.Binary():
                return instr.op in ("==", "!=") or not (instr.op == "+" and types.text_has_names)
            case ir.ForEach():
                declared = context.local_type(instr.slot)
                local = context.body.locals[instr.slot]
                return self._is_held(instr.iterable) and (
                    types.holds(declared)
                    or (
                        types.is_clean(declared)
                        and (bool(local.type) or self._is_typed(instr.iterable))
                    )
                )
            case ir.Return():
                return self._returns(number, instr)
            case ir.InstanceOf() | ir.Sync() | ir.Switch() | ir.If() | ir.Loop() | ir.Unary():
                return True
            case ir.ShortCircuit() | ir.Assert():
                return True
            case _:
                return False

    def _is_opaque(self, value: int) -> bool:
        type_ = self._type(self._through(value))
        return type_ is not None and self.types.is_opaque(type_)

    def _taint_unless_known(self, number: int) -> None:
        type_ = self._type(number)
        if not self.types.holds(type_) and not self.types.is_clean(type_):
            self._tainted.add(number)

    def _declared_local(self, store: ir.Store) -> JavaType | None:
        around = self.context.outer(store.up) if store.up else self.context
        if around is None or store.slot >= len(around.body.locals):
            return None
        if around.body.locals[store.slot].type in ("", "var", "val"):
            return None
        return around.local_type(store.slot)

    def _load(self, number: int, instr: ir.Load) -> None:
        around = self.context.outer(instr.up) if instr.up else self.context
        if around is None or instr.slot >= len(around.body.locals):
            self._tainted.add(number)
            return
        if around.body.locals[instr.slot].type:
            return
        type_ = around.local_type(instr.slot)
        if self.types.is_clean(type_) or self.types.holds(type_):
            return
        bound = around.binder(instr.slot)
        if bound is None or not isinstance(bound[1], ir.Lambda):
            return  # `var`: what is assigned was looked at
        if around is not self.context or self._is_given_holders(bound[0]):
            self._tainted.add(number)

    def _is_given_holders(self, function: int) -> bool:
        """Whether a lambda may be called with holders: what takes it has one, or is declared to."""
        while (parent := self._parents.get(function, NONE)) != NONE:
            instr = self.code[parent]
            match instr:
                case ir.Call() | ir.New():
                    others = [one for one in ir.operands(instr) if NONE < one < function]
                    if any(map(self._is_held, others)):
                        return True
                    for ref in self.context.targets(parent):
                        if self.types.holds(self._parameter(ref, instr.args.index(function))):
                            return True
                case ir.Store():
                    return self.types.holds(self._declared_local(instr))
                case ir.StoreField():
                    field = self.context.target_field(instr)
                    return field is None or self.types.holds(self.program.field_type(field))
                case ir.Cast():
                    return self.types.holds(self._type(parent))
                case ir.Return():
                    return parent in self._lambda or self.types.holds(self._result())
                case ir.Choice():
                    pass
                case _:
                    return True
            function = parent
        return False

    def _result(self) -> JavaType | None:
        return self.program.return_type(self.context.ref)

    def _parameter(self, ref: MemberRef, place: int) -> JavaType | None:
        params = self.program.member(ref).params
        if not params:
            return None
        text = params[min(place, len(params) - 1)].type
        return self.program.resolve(text, ref.path, ref.owner)

    def _returns(self, number: int, instr: ir.Return) -> bool:
        if instr.kind == "yield":
            switch = self._switch.get(number, NONE)
            for later in range(number, len(self.code)):
                join = self.code[later]
                if isinstance(join, ir.Join) and join.switch == switch:
                    self._tainted.add(later)
            return self._is_held(instr.value)
        function = self._lambda.get(number)
        if function is not None:
            self._giving.add(function)
            return not self._is_class(instr.value)
        if self._fits(instr.value, self._result()):
            return True
        member = self.context.member
        return not (
            member.modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)
            or member.annotations
            or self.program.users(member.name)
            or self._is_class(instr.value)
        )  # nobody calls it

    # -- calls -----------------------------------------------------------------------------------

    def _new(self, number: int, instr: ir.New) -> bool:
        taken = [one for one in instr.args if self._is_any(one)]
        if not taken:
            return True
        targets = self.context.targets(number)
        if targets:
            return self._are_declared(instr.args, taken, targets)
        type_ = self._type(number)
        if type_ is None or self.program.type(type_.name) is not None or self._is_wrong(taken):
            return False
        if not is_without_names(type_.name):
            return False
        self._taint_unless_known(number)
        return self._are_functions_harmless(number, instr.args, taken)

    def _is_wrong(self, taken: Iterable[int]) -> bool:
        return any(self._is_class(one) or self._is_opaque(one) for one in taken)

    def _are_declared(
        self, args: tuple[int, ...], taken: list[int], targets: Iterable[MemberRef]
    ) -> bool:
        return not any(self._is_opaque(one) for one in taken) and all(
            self._fits(one, self._parameter(ref, place))
            for ref in targets
            for place, one in enumerate(args)
            if one in taken
        )

    def _call(self, number: int, instr: ir.Call) -> bool:
        taken = [one for one in instr.args if self._is_any(one)]
        on = instr.object != NONE and self._is_held(instr.object)
        on_class = instr.object != NONE and self._is_class(instr.object)
        if not taken and not on and not on_class:
            return self._is_own_class(number, instr)
        if on and self._is_opaque(instr.object):
            return False
        if on_class:
            return not taken and self._asks_class(number)
        targets = self.context.targets(number)
        if targets:
            self._taint_unless_known(number)
            return self._are_declared(instr.args, taken, targets)
        jdk = self._jdk_call(instr)
        if jdk is not None:
            return self._is_harmless_in_jdk(number, instr, taken, on, *jdk)
        return self._is_harmless_in_library(number, instr, taken, on)

    def _is_own_class(self, number: int, instr: ir.Call) -> bool:
        """``getClass()`` of the class itself is a class of a holder."""
        type_ = self._type(number)
        inside = instr.object == NONE and self.context.ref.owner in self.types.names
        if inside and type_ is not None and type_.name == CLASS:
            self._classes.add(number)
        return True

    def _asks_class(self, number: int) -> bool:
        """Whether a class is asked for no member."""
        type_ = self._type(number)
        if type_ is None or any(
            one == CLASS or one.startswith(REFLECTION) for one in names_in(type_)
        ):
            return False
        if self.types.holds(type_) or type_ == OBJECT:
            self._tainted.add(number)
        return True

    def _jdk_call(self, instr: ir.Call) -> tuple[JavaType, bool, str, str, frozenset[str]] | None:
        """The receiver's type, whether it is static, the type that declares the method, its result, and its own type variables."""
        context = self.context
        static = instr.object == NONE
        if static:
            found = next(
                (
                    (JavaType(one), *method)
                    for one in context.static_imports(instr.name)
                    if (method := context.jdk_method(one, instr)) is not None
                    and self.program.jdk_type(one) is not None
                ),
                None,
            )
        else:
            type_ = context.receiver_type(instr)
            method = context.jdk_method(type_.name, instr) if type_ is not None else None
            static = context.denotes(instr.object) is not None
            found = (type_, *method) if type_ is not None and method is not None else None
        if found is None:
            return None
        receiver, owner, signature = found
        if not is_without_names(owner):
            return None
        own = frozenset(param.name for param in signature.type_params)
        return receiver, static, owner, signature.returns, own

    def _is_harmless_in_jdk(
        self,
        number: int,
        instr: ir.Call,
        taken: list[int],
        on: bool,
        receiver: JavaType,
        static: bool,
        owner: str,
        returns: str,
        variables: frozenset[str],
    ) -> bool:
        types = self.types
        if any(self._is_opaque(one) for one in taken):
            return False
        type_ = self._type(number)
        if type_ is not None and type_.name == CLASS:
            self._classes.add(number)
            return True
        if types.text_has_names and (
            type_ == STRING or (owner.startswith("java.lang.") and any(map(self._is_held, taken)))
        ):
            return False
        is_object = owner == OBJECT.name
        if taken and not (static or on or is_object or types.is_clean(receiver)):
            return False
        inferred = not variables.isdisjoint(re.findall(r"\w+", returns))
        if inferred and not types.holds(type_):
            self._tainted.add(number)
        else:
            self._taint_unless_known(number)
        return is_object or self._are_functions_harmless(number, instr.args, taken)

    def _is_harmless_in_library(
        self, number: int, instr: ir.Call, taken: list[int], on: bool
    ) -> bool:
        type_ = self.context.receiver_type(instr)
        binds = type_ is not None and type_.name.startswith(self.types.libraries)
        asked = [one for one in taken if self._is_class(one) or one in self._bound]
        if asked:
            if len(asked) != len(taken):
                return False
            if not binds:
                return self._is_of_logger(number)
            self._bound.add(number)
            return True
        if any(one not in self._giving for one in taken) or (taken and not on):
            return False
        if instr.object != NONE and instr.object in self._bound:
            self._bound.add(number)
        self._taint_unless_known(number)
        return self._are_functions_harmless(number, instr.args, taken)

    def _is_of_logger(self, number: int) -> bool:
        """Whether the result of a call is declared as a logger."""
        parent = self._parents.get(number, NONE)
        instr = self.code[parent] if parent != NONE else None
        declared: JavaType | None = None
        if isinstance(instr, ir.StoreField):
            field = self.context.target_field(instr)
            declared = self.program.field_type(field) if field is not None else None
        elif isinstance(instr, ir.Store):
            declared = self._declared_local(instr)
        return declared is not None and declared.name in self.types.loggers

    # -- functions -------------------------------------------------------------------------------

    def _are_functions_harmless(
        self, number: int, args: tuple[int, ...], taken: list[int]
    ) -> bool:
        """Whether functions that are given beside holders, and may be called with these, are known."""
        return all(
            self._is_function_harmless(one, number, place)
            for place, one in enumerate(args)
            if one not in taken or isinstance(self.code[one], ir.MethodRef)
        )

    def _is_function_harmless(self, value: int, call: int, place: int) -> bool:
        instr = self.code[value]
        if isinstance(instr, (ir.Const, ir.Lambda, ir.ClassLiteral)):
            return True
        if isinstance(instr, ir.MethodRef):
            return self._is_reference_harmless(instr)
        if self.types.is_clean(self._type(value)):
            return True
        if isinstance(instr, ir.Call):
            jdk = self._jdk_call(instr)
            if jdk is not None and jdk[1]:
                return all(
                    self._is_function_harmless(one, value, number)
                    for number, one in enumerate(instr.args)
                )
        wanted = self.context.jdk_parameter(call, place)
        return wanted is not None and not wanted.args

    def _is_reference_harmless(self, instr: ir.MethodRef) -> bool:
        """Whether a method is of a holder, declares to take one, or is one of the JDK that reads no names."""
        owner = self._owner(instr)
        if owner is None:
            return False
        if owner in self.types.names and not self._takes_unknown(owner, instr.name):
            return True
        if self.program.type(owner) is not None:
            return not self._takes_unknown(owner, instr.name)
        return is_without_names(owner) and not self.types.text_has_names

    def _takes_unknown(self, owner: str, name: str) -> bool:
        """Whether a method of the project has a parameter whose type may hold what is not known, or is not written."""
        name = "<init>" if name == "new" else name
        found = [
            ref
            for one in (owner, *self.program.supertypes(owner))
            for ref in self.program.own_methods(one).get(name, ())
        ]
        if not found and name != "<init>":
            return True
        return any(
            not self.types.holds(type_) and not self.types.is_clean(type_)
            for ref in found
            for place in range(len(self.program.member(ref).params))
            for type_ in (self._parameter(ref, place),)
        )

    def _owner(self, instr: ir.MethodRef) -> str | None:
        found = None
        if instr.object != NONE:
            found = self.context.owner_of(instr.object)
        if found is None and instr.type:
            text = instr.type.partition("<")[0]
            type_ = self.program.resolve_name(text, self.context.ref.path, self.context.ref.owner)
            found = type_.name if type_ is not None else None
        return found

    def _gives(self, instr: ir.MethodRef) -> bool:
        """Whether a referenced method may return a holder."""
        owner = self._owner(instr)
        if owner is None:
            return True
        if instr.name == "new":
            return owner in self.types.names
        return any(
            not self.types.is_clean(self.program.return_type(ref))
            for one in (owner, *self.program.supertypes(owner))
            for ref in self.program.own_methods(one).get(instr.name, ())
        )
