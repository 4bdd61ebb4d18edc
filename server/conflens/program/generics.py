"""What type variables of the project's own classes and methods are bound to at one place.

A method whose result is a type variable gives what its receiver's type or its arguments bind it to; a lambda that is
handed to a method of the project takes what the type of the parameter says.  ``None`` means "not known".

Absent: bounds, wildcards, variables within other types, lambdas handed to libraries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType

_TAKERS = "takers of lambdas"


class Typed(Protocol):
    """A body that answers for the types of its values: ``expressions.Context``."""

    program: Program
    notes: dict[str, object]

    def type_of(self, value: int) -> JavaType | None:
        """Return the static type of a value."""
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
    info = context.program.type(ref.owner)
    if info is None or receiver is None or receiver.name != ref.owner:
        return None
    names = [param.name for param in info.decl.type_params]
    if variable in names and len(receiver.args) == len(names):
        return receiver.args[names.index(variable)]
    return None


def lambda_parameter(context: Typed, slot: int) -> JavaType | None:
    """Return the type of a parameter of a lambda that is handed to a method of the project."""
    number, binder = context.binder(slot) or (NONE, None)
    if not isinstance(binder, ir.Lambda):
        return None
    value, place = _lambda_takers(context).get(number, (NONE, 0))
    for target in context.targets(value)[:1] if value != NONE else ():
        params = context.program.member(target).params
        if place < len(params):
            wanted = context.program.resolve(params[place].type, target.path, target.owner)
            return _given_to(context, wanted, binder.params.index(slot))
    return None


def _lambda_takers(context: Typed) -> Mapping[int, tuple[int, int]]:
    """Return the call that takes a lambda of a body, and the argument's place, by the lambda."""
    kept = context.notes.get(_TAKERS)
    if isinstance(kept, dict):
        return kept
    found: dict[int, tuple[int, int]] = {}
    for value, call in context.calls():
        for place, arg in enumerate(call.args):
            found.setdefault(arg, (value, place))
    context.notes[_TAKERS] = found
    return found


def _given_to(context: Typed, function: JavaType, place: int) -> JavaType | None:
    """Return the type of a parameter of the one abstract method of a functional interface of the JDK."""
    program = context.program
    jdk = program.jdk_type(function.name)
    methods = (
        [] if jdk is None else [m for many in jdk.methods.values() for m in many if m.abstract]
    )
    if len(methods) != 1 or place >= len(methods[0].params):
        return None
    found = program.bindings(function, function.name).get(methods[0].params[place])
    if found is None or not (program.type(found.name) or "." in found.name):
        return None  # a type variable
    return found
