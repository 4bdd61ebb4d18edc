"""Objects of the project's own classes around a map or a tree, of which one may be a section of another:
``new Conf((Map) all.get("pool"))`` holds what stands below ``pool``.

Terms
    section class   a class that keeps a map or a tree it is given, and looks up in it what a caller names
    key             what a lookup in the own map takes a part out by, in terms of the member it stands in

Which classes these are, declarations alone tell: they keep a field of the type of a carrier, take one of that type, and have a
method whose first parameter is a text.
Absent: how the sections are followed (``prefixes``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Modifier
from conflens.models.load import Models
from conflens.options.origins.optionals import given_to, held
from conflens.options.origins.tracing import root
from conflens.options.reads.path_keys import path_of
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef, TypeInfo
from conflens.program.templates import Templates
from conflens.program.types import PRIMITIVES
from conflens.program.values import Values

_LINKS = 12
_PLAIN = PRIMITIVES | {"String"}
_STORES = 4


class OwnSections:
    """Finds the section classes of one program, and what their lookups take out."""

    def __init__(self, values: Values, models: Models) -> None:
        """Look for the carriers that ``models`` speak of."""
        self._values = values
        self._program: Program = values.program
        self._rows = models.read_index.lookups
        self._carriers = models.read_index.carriers

    def types(self) -> frozenset[str]:
        """Return the section classes."""
        return self._values.trail.remembered("section classes", self._section_classes)

    def _section_classes(self) -> frozenset[str]:
        self._values.asking.field_types()
        return frozenset(
            info.name for info in self._program.types() if self._is_section_class(info)
        )

    def _is_section_class(self, info: TypeInfo) -> bool:
        if info.decl.kind not in ("class", "record") or is_test_path(info.path):
            return False
        kept = {
            self._program.member(ref).type
            for ref in self._program.own_fields(info.name).values()
            if not self._program.is_static(ref) and self._holds(ref)
        }
        if not kept:
            return False
        self._values.asking.shape(info.name)
        members = [
            self._program.member(ref)
            for refs in self._program.own_methods(info.name).values()
            for ref in refs
        ]
        takes = any(
            param.type in kept
            for member in members
            if member.kind == "constructor"
            for param in member.params
        )
        return takes and any(
            member.params
            and member.params[0].type == "String"
            and member.type != "void"
            and not member.modifiers & Modifier.STATIC
            for member in members
        )

    def _holds(self, field: MemberRef) -> bool:
        name = self._program.field_type(field).name
        return name in self._carriers or not self._carriers.isdisjoint(
            self._program.supertypes(name)
        )

    def fields(self, owner: str) -> list[MemberRef]:
        """Return the fields in which objects of a section class keep a carrier; none for another class."""
        if owner not in self.types():
            return []
        found = self._program.own_fields(owner).values()
        return [ref for ref in found if not self._program.is_static(ref) and self._holds(ref)]

    def key(self, context: Context, value: int, call: ir.Call) -> Templates | None:
        """Return the key by which a call takes something out of what the own object keeps; ``None`` for another call."""
        rows = self._rows.get(call.name, ())
        if not rows or call.object == NONE or context.ref.owner not in self.types():
            return None
        if context.targets(value):
            return None
        slots = (row.name for row in rows if isinstance(row.name, int))
        key = next((call.args[slot] for slot in slots if slot < len(call.args)), NONE)
        if key == NONE:
            return None
        if self.keeps(context, call.object):
            return self._values.open_of(context, key)
        return path_of(self._values, context, value, call.object, key)

    def path(self, context: Context, slot: int) -> Templates | None:
        """Return the path down which a loop goes, in what the own object keeps, to what a local holds behind it."""
        for store in context.stores(slot, _STORES):
            value = root(context, store.value)
            call = context.code[value] if value != NONE else None
            found = self.key(context, value, call) if isinstance(call, ir.Call) else None
            if found is not None:
                return found
        return None

    def keeps(self, context: Context, value: int) -> bool:
        """Tell whether a value is what the own object, one of a section class, keeps."""
        if value == NONE or context.ref.owner not in self.types():
            return False
        field = context.field_of(root(context, value))
        return field is not None and field.owner == context.ref.owner and self._holds(field)

    def makes(self, constructor: Context, caller: Context) -> bool:
        """Tell whether a caller of a constructor makes sections of what an object of the same class keeps."""
        owner = constructor.ref.owner
        if caller.ref.owner != owner or owner not in self.types():
            return False
        return not self._program.is_static(caller.ref)

    def passed(self, ref: MemberRef) -> int:
        """Return the parameter that a static method makes an object of a section class from; ``NONE`` for another method."""
        if not self._program.is_static(ref):
            return NONE
        type_ = self._program.return_type(ref)
        if type_ is None or type_.name not in self.types():
            return NONE
        slots = set(self._made_of(self._values.open(ref)))
        return slots.pop() if len(slots) == 1 else NONE

    def opened(self, context: Context) -> frozenset[int]:
        """Return the calls of a body whose results are handed to objects of section classes that are made in it."""
        if not self.types():
            return frozenset()
        return self._values.trail.remembered(
            ("sections made", context.ref), lambda: frozenset(self._opened(context))
        )

    def _opened(self, context: Context) -> Iterator[int]:
        for number, call in context.calls():
            if not call.args:
                continue
            for one in context.targets(number)[:1]:
                if (
                    one.owner in self.types()
                    if isinstance(call, ir.New)
                    else self.passed(one) >= 0
                ):
                    params = self._program.member(one).params
                    for arg, param in zip(call.args, params, strict=False):
                        # A text beside the carrier (``new Sampler(name, options)``) is a value of its own.
                        if param.type not in _PLAIN:
                            yield from self._behind(context, arg)

    def _behind(self, context: Context, value: int) -> Iterator[int]:
        """Yield the calls that a value is given by: behind casts, locals, and what an ``Optional`` holds."""
        for _ in range(_LINKS):
            value = root(context, value)
            instr = context.code[value] if value != NONE else None
            if isinstance(instr, ir.Load) and not instr.up:
                value = given_to(context, instr.slot)
            elif isinstance(instr, ir.Call):
                yield value
                value = held(context, value, instr)
            else:
                return

    def _made_of(self, inner: Context) -> Iterator[int]:
        for one in returned(inner):
            new = inner.code[root(inner, one)] if one != NONE else None
            if not isinstance(new, ir.New):
                continue
            for arg in new.args:
                given = inner.code[root(inner, arg)] if arg != NONE else None
                if isinstance(given, ir.Load) and inner.is_parameter(given.slot) and not given.up:
                    yield given.slot
