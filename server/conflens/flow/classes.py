"""The class of the value that a fact carries, directly or in a container, where the types alone do not show it: ``Map<String, ?>``.

Only what passes the value on unchanged counts: locals, casts, and what containers take and give (rows).  Of a container inside another
container it is known which class that is, not what is in it.  What is of one class is no object of another, so that a value ends at a cast to such a
one.  Absent: which conditions a class settles (``settled``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.forms import (
    Came,
    Captured,
    Entered,
    Fact,
    Filled,
    Form,
    Kind,
    LocalStep,
    Returned,
    Stored,
)
from conflens.flow.library import Library
from conflens.flow.making import Slice
from conflens.flow.results import StepRole
from conflens.models.schema import RECEIVER, CellRow
from conflens.program.types import ARRAY, BOXES, OBJECT, PRIMITIVES, STRING, JavaType

Literal = tuple[str, str]
"""Kind and text of a literal, or what is known instead.

``a``: an array that a call with variable arguments makes empty; ``e``: a constant of an enum; ``o``: an object that was made, of the
class in the text if that is known; ``t``: perhaps ``null``, else an object of just the class in the text; ``u``: likewise, or of a subclass, which
is said of classes of the project that are narrower than the parameter.
"""

_OF_ENUMS = frozenset(
    {OBJECT.name, "java.lang.Enum", "java.lang.Comparable", "java.io.Serializable"}
)
_BOXED = {primitive: box for box, primitive in BOXES.items()}
_OF_LITERALS = {"s": STRING.name, "b": _BOXED["boolean"]}
"""The classes of the objects that literals are, where one is wanted."""


class Classes:
    """Tells of which classes values are in one program."""

    def __init__(self, library: Library) -> None:
        """Ask ``library`` for types and rows."""
        self.library = library
        self.program = library.program

    # -- types ---------------------------------------------------------------------------------------

    def exact(self, type_: JavaType | None) -> str:
        """Return the class that the objects of a type are of, if it has no subclasses; arrays count as one, a primitive as its box."""
        if type_ is None:
            return ""
        if type_.name in PRIMITIVES:
            return _BOXED.get(type_.name, "")
        if type_.name in (ARRAY, STRING.name) or type_.name in BOXES:
            return type_.name
        info = self.program.type(type_.name)
        return type_.name if info is not None and info.decl.kind == "enum" else ""

    def is_class(self, name: str) -> bool:
        """Tell whether a name is that of a class of the project."""
        info = self.program.type(name)
        return info is not None and info.decl.kind == "class"

    def _is_apart(self, one: str, other: str) -> bool:
        """Tell whether two classes of the project have no objects in common."""
        return (
            self.is_class(one)
            and self.is_class(other)
            and not self.program.is_subtype(one, other)
            and not self.program.is_subtype(other, one)
        )

    def is_other(self, code: Code, literal: Literal, name: str) -> bool:
        """Tell whether a value surely is no object of the type that ``instanceof`` or a cast names."""
        kind, text = literal
        if kind == "n":
            return True
        if kind == "u":
            resolved = self.program.resolve(name, code.ref.path, code.ref.owner)
            return self._is_apart(text, resolved.name)
        exact = {**_OF_LITERALS, "a": ARRAY, "e": text.rpartition(".")[0]}.get(kind, text)
        if not exact or (kind not in "sbaeot"):
            return False
        asked = (
            ARRAY
            if name.endswith("[]")
            else self.program.resolve(name, code.ref.path, code.ref.owner).name
        )
        if asked == ARRAY or exact == ARRAY:
            # Only whether something is an array is known, not what it is an array of.
            jdk = self.program.jdk_type(asked)
            return (asked == ARRAY) != (exact == ARRAY) and (
                asked == ARRAY
                or self.program.type(asked) is not None
                or (jdk is not None and jdk.kind == "class" and asked != OBJECT.name)
            )
        if self.program.type(asked) is None and self.program.jdk_type(asked) is None:
            return False
        return asked not in _OF_ENUMS and asked not in self.library.rows.chain(exact)

    def is_one(self, code: Code, literal: Literal, name: str) -> bool:
        """Tell whether a value surely is an object of the type that ``instanceof`` names."""
        kind, text = literal
        exact = _OF_LITERALS.get(kind, text if kind == "o" else "")
        if not exact or exact == ARRAY:
            return False
        asked = self.program.resolve(name, code.ref.path, code.ref.owner).name
        return asked == exact or asked in self.library.rows.chain(exact)

    # -- values --------------------------------------------------------------------------------------

    def hides(self, type_: JavaType | None, form: Form) -> bool:
        """Tell whether a type does not say of which class the value of a form is, or what its objects hold."""
        if form.kind is Kind.VALUE:
            return type_ is None or type_.name == OBJECT.name
        if form.kind is not Kind.HELD:
            return False
        return not self._of_parts(type_)

    def carried(self, code: Code, slice_: Slice, fact: Fact | None) -> str:
        """Return the class of the value, or an empty text."""
        part = False
        while fact is not None and fact in slice_.came:
            self.program.meter.spend()
            index, form = fact
            came = slice_.came[fact]
            type_ = code.context.type_of(index)
            if form.kind is Kind.VALUE:
                if found := self.exact(type_) or self._made(code, index, type_):
                    return "" if part else found
                if type_ is not None and not self._is_general(type_):
                    return ""
                # What an entry of a map gives is what the map holds; what a list gives that is the value is part of it.
                part = part or _is_taken_apart(code, fact, came)
            elif form.kind is Kind.HELD:
                if found := self._of_parts(type_):
                    return "" if part else found
                if self._goes_inside(code, came.before, came.steps):
                    return self._container(code, came.before, came.steps)
            else:
                return ""
            if not self._is_handed_on(code, fact, came.before):
                return ""
            if self._gives_entries(code, index):
                if not part:
                    return ""
                part = False
            fact = came.before
        return "" if part else slice_.seed.of

    def stored(
        self, code: Code, slice_: Slice, form: Form, source: Fact, steps: tuple[LocalStep, ...]
    ) -> str:
        """Return the class of the value in what is given a ``form`` by steps from ``source``, or an empty text."""
        if any(role is not StepRole.STORE for _, role in steps):
            return ""
        if form.kind is Kind.HELD and self._goes_inside(code, source, steps):
            return self._container(code, source, steps)
        return self.carried(code, slice_, source)

    def handed_on(self, code: Code, slice_: Slice) -> list[tuple[int, str]]:
        """Return what is known of each value that leaves a body (``Seed.made``, ``Seed.of``)."""
        return [
            (
                slice_.made(code, out.source),
                self.stored(code, slice_, out.form, out.source, out.steps)
                if isinstance(out, Stored)
                else self.carried(code, slice_, out.source),
            )
            for out in slice_.outs
            if isinstance(out, (Captured, Entered, Filled, Returned, Stored))
        ]

    def _made(self, code: Code, index: int, type_: JavaType | None) -> str:
        """Return the class of a new object."""
        if type_ is None or not isinstance(code.code[index], ir.New):
            return ""
        jdk = self.program.jdk_type(type_.name)
        known = jdk is not None and jdk.kind == "class"
        return type_.name if known or self.is_class(type_.name) else ""

    def _goes_inside(self, code: Code, before: Fact | None, steps: tuple[LocalStep, ...]) -> bool:
        """Tell whether something that is no plain value was put into a container on the way, not what it holds into another one."""
        at = next((index for index, role in reversed(steps) if role is StepRole.STORE), NONE)
        if before is None or before[1].kind is Kind.VALUE or at == NONE:
            return False
        call = code.code[at]
        if not isinstance(call, ir.Call):
            return not isinstance(call, ir.StoreField)
        row = self._putting(code, at, before[0])
        return row is None or not row.whole

    def _container(self, code: Code, before: Fact | None, steps: tuple[LocalStep, ...]) -> str:
        """Return the class of a container that was put into another one."""
        if before is None or before[1].kind is not Kind.HELD:
            return ""
        at = next(index for index, role in reversed(steps) if role is StepRole.STORE)
        call = code.code[at]
        if isinstance(call, ir.Call):
            # ``List.of`` may make a list of an array.
            of_type = call.object == NONE or code.context.denotes(call.object) is not None
            if of_type or self._putting(code, at, before[0]) is None:
                return ""
        elif not isinstance(call, ir.StoreIndex):
            return ""
        type_ = code.context.type_of(before[0])
        return self.exact(type_) or self._made(code, before[0], type_)

    def _putting(self, code: Code, at: int, value: int) -> CellRow | None:
        """Return the row by which a call puts a value into a container."""
        call = code.code[at]
        args = call.args if isinstance(call, ir.Call) else ()
        return self.library.cell(code, at, args.index(value)) if value in args else None

    def _of_parts(self, type_: JavaType | None) -> str:
        """Return the class of what objects of a type hold, if the type says it."""
        return self.exact(type_.args[-1]) if type_ is not None and self._holds(type_) else ""

    def _holds(self, type_: JavaType) -> bool:
        """Tell whether a type is an array, or a container of the Java class library whose last argument is the type of what it holds."""
        return bool(type_.args) and (
            type_.name == ARRAY or self.program.jdk_type(type_.name) is not None
        )

    def _is_handed_on(self, code: Code, fact: Fact, before: Fact | None) -> bool:
        """Tell whether an instruction gives just what it gets, or what a container holds."""
        index, form = fact
        if before is None:
            return True
        instr = code.code[index]
        match instr:
            case ir.Load() | ir.Cast():
                return True
            case ir.NewArray():
                return before[1].kind is Kind.VALUE
            case ir.Index():
                return before[1].kind is Kind.HELD
            case ir.Call():
                if before[0] != instr.object or any(
                    isinstance(code.code[arg], (ir.Lambda, ir.MethodRef)) for arg in instr.args
                ):
                    return False
                if form.kind is Kind.HELD and self._is_element(code, index, before[0]):
                    return False
                return self.library.cell(code, index, RECEIVER) is not None
            case _:
                return False

    def _is_general(self, type_: JavaType) -> bool:
        """Tell whether a type is that of any object, or of many: an interface or container of the Java class library."""
        jdk = self.program.jdk_type(type_.name)
        return (
            type_.name == OBJECT.name
            or self._holds(type_)
            or (jdk is not None and jdk.kind == "interface")
        )

    def _gives_entries(self, code: Code, index: int) -> bool:
        """Tell whether a call gives the entries of a map."""
        row = (
            self.library.cell(code, index, RECEIVER)
            if isinstance(code.code[index], ir.Call)
            else None
        )
        return row is not None and row.entries

    def _is_element(self, code: Code, taken: int, holder: int) -> bool:
        """Tell whether what is taken out of a container is a container that was in it."""
        whole, part = code.context.type_of(holder), code.context.type_of(taken)
        return (
            whole is not None
            and part is not None
            and bool(whole.args)
            and whole.args[-1].name == part.name
        )


def _is_taken_apart(code: Code, fact: Fact, came: Came) -> bool:
    """Tell whether something is taken out of the value itself, not out of what holds it."""
    if came.before is None or came.before[1].kind is not Kind.VALUE:
        return False
    return isinstance(code.code[fact[0]], ir.Call) or any(
        isinstance(code.code[index], ir.ForEach) for index, _ in came.steps
    )
