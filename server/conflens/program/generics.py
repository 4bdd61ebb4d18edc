"""What type variables of the project's own classes and methods are bound to at one place.

A method whose result is a type variable gives what its receiver's type or its arguments bind it to; a lambda that is
handed to a method of the project takes what the type of the parameter says.  ``None`` means "not known".

A lambda that is handed to the JDK takes what its receiver is bound to (``list.forEach``), and what it returns binds the result (``map``).

Absent: bounds, wildcards, variables within other types of the project, lambdas handed to other libraries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.jdk import JdkMethod
from conflens.program.chains import first_takers
from conflens.program.metered import Instructions
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import ARRAY, BOXES, OBJECT, PRIMITIVES, JavaType, parse, substitute

_WORDS = re.compile(r"\w+")
_OF_ALL = frozenset({"equals", "hashCode", "toString"})
_BOXES = {primitive: box for box, primitive in BOXES.items()}
_NESTED = 3
_PARTS = 60
"""Names in a type that is worked out; no one writes as many."""
_RESULTS = 4
_OF_ENUMS = {"values": 0, "valueOf": 1}
"""Methods that are declared for each enum, and how many arguments they have."""


class Typed(Protocol):
    """A body that answers for the types of its values: ``expressions.Context``."""

    program: Program
    notes: dict[str, object]
    code: Instructions
    body: ir.Body

    def denotes(self, value: int) -> str | None:
        """Return the type that an expression names."""
        ...

    def stores(self, slot: int, most: int | None = None) -> Sequence[ir.Store]:
        """Return the assignments to a local."""
        ...

    def jdk_parameter(self, value: int, place: int) -> JavaType | None:
        """Return the type of a parameter of the JDK method that a call means."""
        ...

    def type_of(self, value: int, depth: int = 0) -> JavaType | None:
        """Return the static type of a value."""
        ...

    def receiver_type(self, call: ir.Call) -> JavaType | None:
        """Return the type on which a call's method is looked up."""
        ...

    def targets(self, value: int) -> list[MemberRef]:
        """Return the project methods that a call can mean."""
        ...

    def calls(self) -> Sequence[tuple[int, ir.Call | ir.New]]:
        """Return the calls with their indices."""
        ...

    def binder(self, slot: int) -> tuple[int, ir.ForEach | ir.Lambda] | None:
        """Return what gives a local its values, with its index."""
        ...


def bound_return(
    context: Typed, ref: MemberRef, receiver: JavaType | None, call: ir.Call
) -> JavaType | None:
    """Return what a method whose result is a type variable gives here."""
    member = context.program.member(ref)
    variable = member.type
    if any(param.name == variable for param in member.type_params):
        for param, arg in zip(member.params, call.args, strict=False):
            if param.type == variable:
                return context.type_of(arg)
            if param.type.endswith(f"<{variable}>"):
                type_ = context.type_of(arg)
                return type_.args[0] if type_ is not None and len(type_.args) == 1 else None
        return None
    return seen_from(context.program, receiver, ref, variable)


def made_for_enum(context: Typed, enum: JavaType, call: ir.Call) -> JavaType | None:
    """Return what the methods give that each enum of the project has without stating them: ``values`` and ``valueOf`` (JLS 8.9.3)."""
    given = _OF_ENUMS.get(call.name)
    info = context.program.type(enum.name) if given == len(call.args) else None
    if info is None or info.decl.kind != "enum":
        return None
    return enum if call.args else JavaType(ARRAY, (enum,))


def seen_from(
    program: Program, receiver: JavaType | None, ref: MemberRef, text: str
) -> JavaType | None:
    """Return the type that a type text in the declaration of a member means where it is asked of a receiver.

    ``None``: it mentions no type variable of the class that declares the member, or the receiver does not bind it.
    """
    info = program.type(ref.owner)
    if info is None or receiver is None or not info.decl.type_params:
        return None
    variables = {param.name for param in info.decl.type_params}
    if variables.isdisjoint(_WORDS.findall(text)):
        return None
    bound = program.bindings(receiver, ref.owner)
    if not bound:
        return None

    def resolve(name: str) -> JavaType:
        return JavaType(name) if name in variables else program.resolve(name, ref.path, ref.owner)

    found = bounded(substitute(parse(text, resolve), bound))
    return found if found != OBJECT else None


def bounded(type_: JavaType) -> JavaType:
    """Return a type without its arguments if it has too many: ``Map<T, T> twice()``, called on what it gives, doubles them."""
    waiting, left = [type_], _PARTS
    while waiting:
        left -= 1
        if left < 0:
            return JavaType(type_.name)
        waiting += waiting.pop().args
    return type_


def lambda_parameter(context: Typed, slot: int) -> JavaType | None:
    """Return the type of a parameter of a lambda that is handed to a method of the project or the JDK."""
    number, binder = context.binder(slot) or (NONE, None)
    if not isinstance(binder, ir.Lambda):
        return None
    value, place = first_takers(context).get(number, (NONE, 0))
    if value == NONE:
        return None
    targets = context.targets(value)
    if not targets:
        wanted = context.jdk_parameter(value, place)
    elif place < len(params := context.program.member(targets[0]).params):
        target, call = targets[0], context.code[value]
        receiver = context.receiver_type(call) if isinstance(call, ir.Call) else None
        wanted = seen_from(context.program, receiver, target, params[place].type)
        wanted = wanted or context.program.resolve(params[place].type, target.path, target.owner)
    else:
        return None
    return _given_to(context, wanted, binder.params.index(slot)) if wanted is not None else None


def argument_binds(
    context: Typed,
    variable: str,
    method: JdkMethod,
    call: ir.Call,
    bound: Mapping[str, JavaType],
    depth: int,
) -> JavaType | None:
    """Return what the arguments of a call bind a type variable of a JDK method to; ``bound`` are the variables known so far."""
    for arg, text in zip(call.args, method.params, strict=False):
        if text == variable:
            return context.type_of(arg, depth)
        if text == f"{variable}[]":
            given = context.type_of(arg, depth)
            if given is not None and given.name == ARRAY:
                given = given.args[0]
            if given is not None and given.name not in PRIMITIVES:
                return given
        if variable not in text or "<" not in text:
            continue
        wanted = substitute(parse(text, JavaType), bound)
        if isinstance(context.code[arg], (ir.Lambda, ir.MethodRef)):
            one = _one_method(context.program, wanted)
            if one is None:
                continue
            type_ = _function_result(context, arg, one)
            own = context.program.bindings(wanted, wanted.name)
            wanted = substitute(parse(one.returns, JavaType), own)
        else:
            type_ = context.type_of(arg, depth)
        found = _unified(context.program, wanted, type_, variable) if type_ is not None else None
        if found is not None:
            return found
    return None


def _one_method(program: Program, function: JavaType) -> JdkMethod | None:
    """Return the one abstract method of a functional interface of the JDK."""
    jdk = program.jdk_type(function.name) if program.type(function.name) is None else None
    if jdk is None or jdk.kind != "interface":
        return None
    methods = [
        one
        for name, many in jdk.methods.items()
        if name not in _OF_ALL
        for one in many
        if one.abstract
    ]
    return methods[0] if len(methods) == 1 else None


def _own_method(program: Program, function: JavaType) -> MemberRef | None:
    """Return the one abstract method that a functional interface of the project declares itself."""
    info = program.type(function.name)
    if info is None or info.decl.kind != "interface":
        return None
    methods = [
        ref
        for name, many in program.own_methods(function.name).items()
        if name not in _OF_ALL
        for ref in many
        if not program.member(ref).modifiers & (Modifier.STATIC | Modifier.DEFAULT)
    ]
    return methods[0] if len(methods) == 1 else None


def _unified(
    program: Program, template: JavaType, type_: JavaType, variable: str
) -> JavaType | None:
    """Return what a type variable in a template stands for if the template is a type."""
    if template.name == variable and not template.args:
        return None if _is_variable(program, type_) else type_
    if not template.args:
        return None
    bound = program.bindings(type_, template.name)
    args = list(bound.values())
    if len(args) != len(template.args):
        return None
    # What a library leaves open in what it makes (``Collectors.toList()``) is settled by what takes it.
    free = {
        arg.name: want
        for arg, want in zip(args, template.args, strict=True)
        if _is_variable(program, arg) and not _is_variable(program, want)
    }
    for want, arg in zip(template.args, args, strict=True):
        found = _unified(program, want, substitute(arg, free), variable)
        if found is not None:
            return found
    return None


def _is_variable(program: Program, type_: JavaType) -> bool:
    """Tell whether a type is a type variable of a library's declaration."""
    name = type_.name
    return not type_.args and name.isupper() and len(name) <= 2 and program.type(name) is None


def _function_result(context: Typed, function: int, method: JdkMethod) -> JavaType | None:
    """Return the type of what a lambda or method reference gives that stands for the one method of an interface."""
    instr = context.code[function]
    if isinstance(instr, ir.Lambda):
        results = _results(context, instr)
        found = [type_ for one in results if (type_ := context.type_of(one)) is not None]
        return _boxed(found[0]) if found else None
    if not isinstance(instr, ir.MethodRef):
        return None
    owner = context.denotes(instr.object) if instr.object != NONE else None
    if instr.name == "<init>":
        return JavaType(owner) if owner is not None else None
    type_ = (
        JavaType(owner)
        if owner
        else context.type_of(instr.object)
        if instr.object != NONE
        else None
    )
    if type_ is None:
        return None
    count = len(method.params)
    found = _results_of(context.program, type_, instr.name, count, owner is not None)
    return _boxed(found[0]) if len(set(found)) == 1 else None


def _results_of(
    program: Program, owner: JavaType, name: str, count: int, static: bool
) -> list[JavaType]:
    """Return the types of what methods of a name give, that take a number of arguments, or one less than a type's own name is given."""
    found = []
    for number in {count, count - 1} if static and count else {count}:
        for ref in program.methods(owner.name, name, number):
            if program.is_static(ref) == (static and number == count):
                type_ = program.return_type(ref)
                found += [type_] if type_ is not None else []
    jdk = program.jdk_type(owner.name) if not found else None
    for one in jdk.methods.get(name, ()) if jdk is not None else ():
        if len(one.params) == count - (static and not one.static):
            result = substitute(parse(one.returns, JavaType), program.bindings(owner, owner.name))
            found += [result] if not _is_variable(program, result) else []
    return found


def _results(context: Typed, function: ir.Lambda) -> list[int]:
    """Return what a lambda returns, if lambdas are not nested too deeply in it: the order of questions must not change the answer."""
    found, starts = [], list[int]()
    inside = context.code.within(function.start, function.stop)
    for number in reversed(range(len(inside))):
        instr = inside[number]
        while starts and number + function.start < starts[-1]:
            starts.pop()
        if isinstance(instr, ir.Lambda):
            starts.append(instr.start)
            if len(starts) > _NESTED:
                return []
        elif isinstance(instr, ir.Return) and not starts and instr.value != NONE:
            found.append(instr.value)
    return found[-_RESULTS:]


def _boxed(type_: JavaType) -> JavaType:
    return JavaType(_BOXES.get(type_.name, type_.name), type_.args)


def _given_to(context: Typed, function: JavaType, place: int) -> JavaType | None:
    """Return the type of a parameter of the one abstract method of a functional interface."""
    program = context.program
    own = _own_method(program, function)
    if own is not None:
        params = program.member(own).params
        text = params[place].type if place < len(params) else ""
        seen = seen_from(program, function, own, text)
        return seen or (program.resolve(text, own.path, own.owner) if text else None)
    method = _one_method(program, function)
    if method is None or place >= len(method.params):
        return None
    text = method.params[place]
    if text in PRIMITIVES:
        return JavaType(text)
    found = program.bindings(function, function.name).get(text)
    if found is None or not (program.type(found.name) or "." in found.name):
        return None  # a type variable
    return found
