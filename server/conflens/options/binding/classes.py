"""Is a class that a call fills configuration rather than data?

Evidence for calls that read data as often as configuration: a file name that looks like configuration; a class called
by a word that speaks for configuration, and by none that speaks against it.
Absent: what the mapper says (``formats``), where the values come from (``origins.sources``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.annotation_elements import fitting, has_key, uses
from conflens.options.constant_arguments import rendered, words
from conflens.options.member_types import simple
from conflens.options.origins.backward import parts
from conflens.options.origins.tracing import Tracer
from conflens.options.roles import is_stored
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.values import Values

_CONFIGURATION_FILE = re.compile(
    r"(?i)\.(?:ya?ml|properties|conf|cfg|ini|toml)\Z|conf[^/]*\.json\Z"
)

_CONTENT = frozenset({"data", "bean", "impl"})


class Classes:
    """Judges bound classes of one program."""

    def __init__(self, models: Models, values: Values) -> None:
        """Judge in the program of ``values``."""
        self.models = models
        self.values = values
        self.program = values.program

    # -- evidence --------------------------------------------------------------------------------

    def is_configuration(self, name: str) -> bool:
        """Tell whether a class is called by a word for configuration, last, and none against it.

        What is called after its content, ``…Data``, is what that is.
        """
        found = words(simple(name))
        while found[-1:] and found[-1] in _CONTENT:
            found = found[:-1]
        if self._speaks(found[-1:], "for", "head"):
            return True
        return self._speaks(found[-1:], "for") and not self._speaks(found, "against")

    def is_plain(self, name: str) -> bool:
        """Tell whether a class is called configuration itself, not by another word for it, such as parameters."""
        return self._speaks(words(simple(name))[-1:], "for", "head")

    def looks_like_data(self, name: str) -> bool:
        """Tell whether a class is called by a word against configuration, and not configuration in the end."""
        found = words(simple(name))
        return self._speaks(found, "against") and not self._speaks(found[-1:], "for", "head")

    def is_record(self, name: str) -> bool:
        """Tell whether objects of a class are rows of a database, and it is not called configuration."""
        info = self.program.type(name)
        return (
            info is not None
            and is_stored(self.models, info.decl)
            and not self.is_configuration(name)
        )

    def says_prefix(self, name: str) -> bool:
        """Tell whether an annotation of a class says under which prefix its members are options."""
        info = self.program.type(name)
        if info is None:
            return False
        return any(
            row.role == "class" and has_key(use, row.prefix)
            for use in uses(info.decl.annotations, info.path, info.name)
            for row in fitting(self.program, self.models, use)
        )

    def _speaks(self, found: tuple[str, ...], how: str, on: str = "type") -> bool:
        return any(
            row is not None and row.speaks == how and on in row.on
            for row in map(self.models.roles_by_word.get, found)
        )

    def held_by_configuration(
        self, tracer: Tracer, context: Context, values: tuple[int, ...]
    ) -> bool:
        """Tell whether one of some values is taken out of an object of the project whose class is called configuration."""
        for value in values:
            for part in parts(tracer, context, value):
                instr = part.instr
                if not isinstance(instr, (ir.Call, ir.Field)) or instr.object == NONE:
                    continue
                type_ = part.context.type_of(instr.object)
                known = self.program.type(type_.name) if type_ is not None else None
                if known is not None and self.is_plain(known.name):
                    return True
        return False

    def from_file(self, context: Context, args: tuple[int, ...]) -> bool:
        """Tell whether an argument is, or is made from, a configuration file's name."""
        seen: dict[tuple[MemberRef, int], int] = {}
        return any(self._file(context, arg, 0, seen) for arg in args)

    def _file(
        self, context: Context, value: int, depth: int, seen: dict[tuple[MemberRef, int], int]
    ) -> bool:
        if value == NONE or depth > 4:
            return False
        instr = context.code[value]
        # All loads of a local are looked at once.
        key = context.ref, -2 - instr.slot if isinstance(instr, ir.Load) else value
        if seen.get(key, 5) <= depth:
            return False
        seen[key] = depth
        type_ = context.type_of(value)
        if type_ is not None and type_.name == "java.lang.String":
            return any(
                _CONFIGURATION_FILE.search(rendered(template))
                for template in self.values.of(context, value)
            )
        if isinstance(instr, (ir.New, ir.Call)):
            return any(self._file(context, arg, depth + 1, seen) for arg in instr.args)
        if isinstance(instr, ir.Load) and not instr.up:
            return any(
                self._file(context, store.value, depth + 1, seen)
                for store in context.stores(instr.slot)
            )
        ref = context.field_of(value)
        if ref is not None:
            return any(
                self._file(place, value, depth + 1, seen) for place, value in self._initial(ref)
            )
        return False

    def _initial(self, ref: MemberRef) -> Iterator[tuple[Context, int]]:
        context = self.values.open(ref)
        for instr in context.code:
            if isinstance(instr, ir.StoreField):
                yield context, instr.value
