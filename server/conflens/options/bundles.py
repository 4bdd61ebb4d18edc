"""Resources packaged with a program that hold texts: messages in several languages, statements of SQL.

Such a resource is recognised by its name (``i18n/messages_de.properties``, ``META-INF/sql/H2.properties``): it is no
configuration, however the object is called that it is loaded into.  The name may be put together, and may be given to a helper that
opens the resource, a method of the project or of a library.
Bounded by ``_DEPTH`` steps back from a value.  Absent: what is done with the resource (``roles``).
"""

from __future__ import annotations

import re
from functools import partial

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.constant_arguments import rendered
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.values import Values

_WORD = re.compile(r"[A-Za-z]\d+[a-z](?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FILE_NAME = re.compile(r"\w\.[A-Za-z]+\Z")
_RESOURCE = re.compile(r"(?i)[\w*]\.(?:properties|xml|json|ya?ml|sql|txt)\Z|\A[\w-]+/[\w./*-]+\Z")
"""A text that stands for a resource wherever it is handed over; ``*`` is what only a run knows."""
_DEPTH = 6
_CALLERS = 12


def words(name: str) -> list[str]:
    """Split an identifier into lower-case words; a numeronym such as ``i18n`` is one."""
    return [word.lower() for word in _WORD.findall(name)]


class Bundles:
    """Answers for one program and one set of rows."""

    def __init__(self, models: Models, values: Values) -> None:
        """Judge names by the rows of ``models``."""
        self._values = values
        against = [row for row in models.roles_by_word.values() if row.speaks == "against"]
        self._texts = frozenset(row.word for row in against if "resource" in row.on)
        self._data = frozenset(row.word for row in against if row.on != ("source",))

    def is_read(self, context: Context, value: int) -> bool:
        """Tell whether a stream reads a resource of texts, or in the body itself one called after other data."""
        return self._is_read(context, value, 0, {})

    def is_named(self, context: Context, value: int) -> bool:
        """Tell whether a value is the name of a resource of texts, as a helper is given it."""
        type_ = context.type_of(value) if value != NONE else None
        if type_ is None or type_.name != "java.lang.String":
            return False
        names = self._names(context, value)
        return bool(names) and all(self._says_texts(name) for name in names)

    def _names(self, context: Context, value: int) -> list[str]:
        """Return what a text can be; each key of a map asks the same of what the map is made of."""
        return self._values.trail.remembered(
            ("names of a resource", context.ref, value),
            lambda: [rendered(template) for template in self._values.of(context, value)],
        )

    def _says_texts(self, name: str) -> bool:
        return _RESOURCE.search(name) is not None and not self._texts.isdisjoint(words(name))

    def _says_data(self, name: str) -> bool:
        return _FILE_NAME.search(name) is not None and not self._data.isdisjoint(words(name))

    def _is_read(
        self, context: Context, value: int, depth: int, seen: dict[object, int], near: bool = True
    ) -> bool:
        """``near``: in the body that loads the resource; ``seen``: how deep a value was met."""
        if value == NONE or depth > _DEPTH:
            return False
        instr = context.code[value]
        # All loads of a local are looked at once.
        key = (context.ref, -2 - instr.slot if isinstance(instr, ir.Load) else value)
        if seen.get(key, _DEPTH + 1) <= depth:
            return False
        seen[key] = depth
        self._values.program.meter.spend()
        within = partial(self._is_read, depth=depth + 1, seen=seen, near=near)
        match instr:
            case ir.Const() | ir.Name() | ir.Field() | ir.Binary():
                names = self._names(context, value)
                return bool(names) and all(
                    self._says_texts(name) or (near and self._says_data(name)) for name in names
                )
            case ir.Choice():
                return any(within(context, arm) for arm in (instr.then, instr.other))
            case ir.Load() if not instr.up:
                stores = context.stores(instr.slot)
                return any(within(context, store.value) for store in stores) or (
                    context.is_parameter(instr.slot)
                    and self._is_given(context, instr.slot, depth, seen)
                )
            case ir.Call() | ir.New():
                receiver = instr.object if isinstance(instr, ir.Call) else NONE
                return any(within(context, one) for one in (receiver, *instr.args)) or (
                    isinstance(instr, ir.Call) and self._is_opened(context, value, depth, seen)
                )
            case _:
                return False

    def _is_given(self, context: Context, slot: int, depth: int, seen: dict[object, int]) -> bool:
        """Tell whether every caller gives a parameter what a resource of texts is read from, or is called."""
        calls = self._values.callers(context.ref)[:_CALLERS]
        given = [(caller, args[slot]) for caller, _, args in calls if slot < len(args)]
        return bool(given) and all(
            self._is_read(caller, arg, depth + 1, seen, near=False) for caller, arg in given
        )

    def _is_opened(
        self, context: Context, value: int, depth: int, seen: dict[object, int]
    ) -> bool:
        """Tell whether a method of the project opens a resource of texts."""
        for target in context.targets(value)[:1]:
            inner = self._values.open(target)
            if any(
                self._is_read(inner, one, depth + 1, seen, near=False) for one in returned(inner)
            ):
                return True
        return False
