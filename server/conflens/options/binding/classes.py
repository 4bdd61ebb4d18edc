"""Which class a binding call fills, and whether that is configuration rather than data.

A class argument is followed through locals, fields, parameters (their callers, ``HOPS`` levels)
and type tokens to class literals.  *Role evidence* for calls that read data as often as
configuration: a YAML, TOML or properties mapper; a file name that looks like configuration; a
class called by a word that speaks for configuration, and by none that speaks against it.
Absent: the members of the class (``bound_members``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.constant_arguments import rendered, words
from conflens.options.member_types import simple
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

HOPS = 3
_FORMATS = frozenset({"yaml", "yml", "toml", "props", "hocon"})
_CONFIGURATION_FILE = re.compile(
    r"(?i)\.(?:ya?ml|properties|conf|cfg|ini|toml)\Z|conf[^/]*\.json\Z"
)


class Classes:
    """Follows class arguments in one program."""

    def __init__(self, models: Models, values: Values) -> None:
        """Follow in the program of ``values``."""
        self.models = models
        self.values = values
        self.program = values.program

    def of(
        self,
        context: Context,
        value: int,
        depth: int = 0,
        seen: frozenset[tuple[MemberRef, int]] = frozenset(),
    ) -> set[str]:
        """Return the project classes that a class argument can be."""
        place = (context.ref, value)
        if value == NONE or depth > HOPS or place in seen:
            return set()
        seen = seen | {place}
        instr = context.code[value]
        match instr:
            case ir.ClassLiteral():
                return self._project(context, instr.type)
            case ir.New():
                inner = instr.type.partition("<")[2].removesuffix(">")
                return self._project(context, inner) if inner else set()
            case ir.Cast():
                return self.of(context, instr.value, depth, seen)
            case ir.Choice():
                return self.of(context, instr.then, depth, seen) | self.of(
                    context, instr.other, depth, seen
                )
            case ir.Load():
                return self._local(context, instr, depth, seen)
            case ir.Name() | ir.Field():
                return self._field(context, value, depth, seen)
            case ir.Call():
                if instr.name == "getClass" and instr.object != NONE:
                    return self.objects(context, instr.object, depth, seen)
                return self._first(context, instr, depth, seen)
            case _:
                return set()

    def objects(
        self,
        context: Context,
        value: int,
        depth: int = 0,
        seen: frozenset[tuple[MemberRef, int]] = frozenset(),
    ) -> set[str]:
        """Return the project classes that an object argument can be of."""
        if value == NONE or depth > HOPS:
            return set()
        type_ = context.type_of(value)
        if type_ is not None and self.program.type(type_.name) is not None:
            return {type_.name}
        instr = context.code[value]
        found: set[str] = set()
        if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
            for caller, _, args in self.values.callers(context.ref):
                if instr.slot < len(args):
                    found |= self.objects(caller, args[instr.slot], depth + 1, seen)
        return found

    def _project(self, context: Context, text: str) -> set[str]:
        type_ = self.program.resolve(text, context.ref.path, context.ref.owner)
        queue = [type_]
        found = set()
        while queue:
            current = queue.pop()
            info = self.program.type(current.name)
            if info is not None and info.decl.kind in ("class", "record", "interface"):
                found.add(current.name)
            queue.extend(current.args)
        return found

    def _local(
        self, context: Context, load: ir.Load, depth: int, seen: frozenset[tuple[MemberRef, int]]
    ) -> set[str]:
        if load.up:
            return set()
        found: set[str] = set()
        for instr in context.code:
            if isinstance(instr, ir.Store) and instr.slot == load.slot and not instr.up:
                found |= self.of(context, instr.value, depth, seen)
        if context.is_parameter(load.slot):
            for caller, _, args in self.values.callers(context.ref):
                if load.slot < len(args):
                    found |= self.of(caller, args[load.slot], depth + 1, seen)
        return found

    def _field(
        self, context: Context, value: int, depth: int, seen: frozenset[tuple[MemberRef, int]]
    ) -> set[str]:
        ref = context.field_of(value)
        found: set[str] = set()
        if ref is not None:
            for place, store in self.values.stores(ref):
                found |= self.of(place, store.value, depth + 1, seen)
        return found

    def _first(
        self, context: Context, call: ir.Call, depth: int, seen: frozenset[tuple[MemberRef, int]]
    ) -> set[str]:
        for arg in call.args:
            if isinstance(context.code[arg], ir.ClassLiteral):
                return self.of(context, arg, depth, seen)
        return set()

    # -- evidence --------------------------------------------------------------------------------

    def format_of(self, context: Context, value: int, depth: int = 0) -> bool:
        """Tell whether a mapper reads a configuration format: its name or what makes it says so."""
        if value == NONE or depth > 4:
            return False
        instr = context.code[value]
        if isinstance(instr, ir.New):
            return self._format_word(simple(instr.type)) or any(
                self.format_of(context, arg, depth + 1) for arg in instr.args
            )
        if isinstance(instr, ir.Call):
            return instr.object != NONE and self.format_of(context, instr.object, depth + 1)
        if isinstance(instr, ir.Load) and not instr.up:
            if self._format_word(context.body.locals[instr.slot].name):
                return True
            return any(
                self.format_of(context, store.value, depth + 1)
                for store in context.code
                if isinstance(store, ir.Store) and store.slot == instr.slot and not store.up
            )
        if isinstance(instr, ir.Name | ir.Field):
            if self._format_word(instr.name):
                return True
            ref = context.field_of(value)
            if ref is not None:
                return any(
                    self.format_of(place, store.value, depth + 1)
                    for place, store in self.values.stores(ref)[:4]
                )
        return False

    @staticmethod
    def _format_word(name: str) -> bool:
        return bool(_FORMATS.intersection(words(name)))

    def is_configuration(self, name: str) -> bool:
        """Tell whether a class is called by a word for configuration, last, and none against it."""
        found = words(simple(name))
        if self._speaks(found[-1:], "for", "head"):
            return True
        return self._speaks(found[-1:], "for") and not self._speaks(found, "against")

    def looks_like_data(self, name: str) -> bool:
        """Tell whether a class is called by a word against configuration, and not configuration in the end."""
        found = words(simple(name))
        return self._speaks(found, "against") and not self._speaks(found[-1:], "for", "head")

    def _speaks(self, found: tuple[str, ...], how: str, on: str = "type") -> bool:
        return any(
            row is not None and row.speaks == how and on in row.on
            for row in map(self.models.roles_by_word.get, found)
        )

    def from_file(self, context: Context, args: tuple[int, ...]) -> bool:
        """Tell whether an argument is, or is made from, a configuration file's name."""
        return any(self._file(context, arg, 0) for arg in args)

    def _file(self, context: Context, value: int, depth: int) -> bool:
        if value == NONE or depth > 4:
            return False
        instr = context.code[value]
        type_ = context.type_of(value)
        if type_ is not None and type_.name == "java.lang.String":
            return any(
                _CONFIGURATION_FILE.search(rendered(template))
                for template in self.values.of(context, value)
            )
        if isinstance(instr, ir.New | ir.Call):
            return any(self._file(context, arg, depth + 1) for arg in instr.args)
        if isinstance(instr, ir.Load) and not instr.up:
            return any(
                self._file(context, store.value, depth + 1)
                for store in context.code
                if isinstance(store, ir.Store) and store.slot == instr.slot and not store.up
            )
        ref = context.field_of(value)
        if ref is not None:
            return any(self._file(place, value, depth + 1) for place, value in self._initial(ref))
        return False

    def _initial(self, ref: MemberRef) -> Iterator[tuple[Context, int]]:
        context = Context.of(self.program, ref)
        for instr in context.code:
            if isinstance(instr, ir.StoreField):
                yield context, instr.value
