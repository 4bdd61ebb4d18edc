"""What a comparison is about: an element of the argument list, a key of a configuration, or neither.

Values are followed backwards from the comparison: through locals, casts and copies of text, through
collections, iterators, queues, streams and lambdas, and over one or two calls to the caller's
argument.  What they end at decides: a program's argument list by type and name, a configuration by
its role (``roles``), or the lines of a file (``cuts``).

The names of methods here are those of the JDK's ``String``, ``Collection``, ``Iterator``, ``Queue``,
``Stream``, ``Map`` and ``Properties``: what a Java program itself means by "the next element", "the
keys" or "the same text, trimmed".  They are semantics of the language's own library and hold for
every project; what names the options of some other library is a row of the models instead.

Absent: the comparisons themselves and what is read (``dispatch``).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.arguments import COMMAND_LINE, COPIES, NEXT, TRANSPARENT, copied, is_list
from conflens.options.bundles import words
from conflens.options.cuts import LINES, cut
from conflens.options.origins.backward import HOPS
from conflens.options.origins.maps import is_nested
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Tracer
from conflens.options.reads.doubts import PLAIN, is_about, is_called_data, is_made_of_data
from conflens.options.reads.nodes import NODES, Nodes, source_of
from conflens.options.reads.opened import is_opened
from conflens.options.reads.picked_keys import KEYS
from conflens.options.reads.prefixes import WHOLE, Prefixes
from conflens.options.reads.unentered import is_count
from conflens.options.roles import CERTAIN, Role, Roles
from conflens.program.body_uses import calls_with
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import Templates
from conflens.program.types import JavaType
from conflens.program.values import Values

_FIRST = NEXT | frozenset({"peek", "peekFirst", "element", "getFirst"})
_EACH = frozenset(
    {"forEach", "forEachOrdered", "forEachRemaining", "filter", "map", "peek"}
    | {"anyMatch", "allMatch", "noneMatch", "takeWhile", "dropWhile"}
)
"""Calls that give the elements of their receiver, one by one, to a lambda."""

_KEY_NAMES = frozenset(
    {"key", "property", "prop", "option", "setting", "opt", "param", "parameter"}
)
_VALUE_NAMES = frozenset({"value", "val", "v", "arg", "newvalue"})
_DASHES = {"1": "-", "2": "--"}
_MANY = 3
_DEPTH = 3
_COLLECTION_DEPTH = 6


@attrs.frozen
class Subject:
    """What is compared: domain, and where the value that belongs to the key comes from.

    ``source`` is the array, iterator or entry slot (``None``: not known); ``value_slots`` are locals
    that hold the value belonging to the key.  ``line`` identifies the text that key and value are cut out of.
    ``prefix`` is what the keys of a part of a configuration have in front; ``dashes`` are those that an argument had which was cut.
    ``paired``: a caller hands over the argument that follows as the value, so that a word without a dash is a name, too.
    """

    domain: str
    source: object
    value_slots: frozenset[int]
    line: object = None
    prefix: Templates = WHOLE
    dashes: str = ""
    paired: bool = False


def split_text(context: Context, array: int) -> int:
    """Return the text whose parts an array holds (``text.split(…)``), directly or by a local."""
    instr = context.code[array]
    if isinstance(instr, ir.Load) and not instr.up:
        stored = stores(context, instr.slot)
        if len(stored) != 1 or stored[0].value == NONE:
            return NONE
        instr = context.code[stored[0].value]
    if isinstance(instr, ir.Call) and instr.name == "split" and instr.args:
        return instr.object
    return NONE


def is_first(context: Context, index: ir.Index) -> bool:
    """Tell whether an element is the first one, by a literal index."""
    instr = context.code[index.index] if index.index != NONE else None
    return isinstance(instr, ir.Const) and instr.value == "0"


def stores(context: Context, slot: int) -> Sequence[ir.Store]:
    """Return the assignments to a local; of very many only some."""
    return context.stores(slot, 6)


class Subjects:
    """Classifies subjects of one program."""

    def __init__(self, program: Program, values: Values, roles: Roles) -> None:
        """Follow values of ``program`` to their callers by ``values``; judge objects by ``roles``."""
        self.program = program
        self.values = values
        self.roles = roles
        self.sources = Sources(Tracer(values), roles.models, roles)
        self.nodes = Nodes(roles.models)
        self.prefixes = Prefixes(self.sources.tracer, roles.models, roles)

    def root(self, context: Context, value: int) -> object:
        """Return what identifies a subject: equal for comparisons of the same variable, else ``None``."""
        instr = context.code[value]
        for _ in range(8):
            if isinstance(instr, ir.Call) and instr.object != NONE:
                if instr.name in _FIRST:
                    source = source_of(context, instr.object)
                    return ("next", source) if source is not None else None
                passing = instr.name in TRANSPARENT or instr.name in ("getKey", "getName")
                if not passing and instr.name not in self.nodes.names | self.nodes.objects:
                    return None
                instr = context.code[instr.object]
            elif isinstance(instr, ir.Cast):
                instr = context.code[instr.value]
            elif isinstance(instr, ir.Index) and instr.array != NONE:
                text = split_text(context, instr.array)
                array = context.code[instr.array]
                if text != NONE and isinstance(array, ir.Call):
                    instr = context.code[text]
                elif isinstance(array, ir.Load):
                    return ("element", array.slot, array.up)
                elif isinstance(array, (ir.Name, ir.Field)):
                    return ("element", array.name)
                else:
                    return None
            else:
                break
        if isinstance(instr, (ir.Load, ir.Store)):
            return ("local", instr.slot, instr.up)
        return None

    def of(
        self, context: Context, value: int, names: frozenset[str], depth: int = 0
    ) -> Subject | None:
        """Return what a compared value is; ``names`` are the constants it is compared with."""
        if depth > _DEPTH or value == NONE:
            return None
        instr = context.code[value]
        if isinstance(instr, ir.Cast):
            return self.of(context, instr.value, names, depth)
        if isinstance(instr, ir.Call):
            return self._called(context, instr, names, depth) or self._line(context, value)
        if isinstance(instr, ir.Index) and instr.array != NONE:
            return self._element(context, instr, names, depth) or self._line(context, value)
        if isinstance(instr, ir.Load) and not instr.up:
            return self._variable(context, instr.slot, names, depth)
        return None

    def _called(
        self, context: Context, call: ir.Call, names: frozenset[str], depth: int
    ) -> Subject | None:
        if call.object == NONE:
            return None
        if call.name in TRANSPARENT:
            found = self.of(context, call.object, names, depth)
            cut_off = self._dashes(context, call)
            return attrs.evolve(found, dashes=cut_off) if found and cut_off else found
        if call.name == "getKey":
            return self.of(context, call.object, names, depth + 1)
        if call.name in _FIRST:
            return self._elements(context, call.object)
        if call.name in self.nodes.names and self._is_node(context, call):
            return Subject(NODES, self.nodes.of(context, call.object), frozenset())
        if call.name == "get" and len(call.args) == 1 and is_list(context, call.object):
            return Subject(COMMAND_LINE, source_of(context, call.object), frozenset())
        return None

    def _dashes(self, context: Context, call: ir.Call) -> str:
        """Return the dashes that a call cuts off an argument: one or two of its first signs."""
        if call.name != "substring" or not call.args:
            return ""
        number = context.code[call.args[0]]
        return _DASHES.get(number.value, "") if isinstance(number, ir.Const) else ""

    def _is_node(self, context: Context, call: ir.Call) -> bool:
        """Tell whether a call asks a library's node, or parser, of a file that is configuration."""
        type_ = context.receiver_type(call)
        own = type_ is not None and self.program.type(type_.name) is not None
        return not own and is_opened(self.sources, context, call.object)

    def _element(
        self, context: Context, index: ir.Index, names: frozenset[str], depth: int
    ) -> Subject | None:
        """Classify an element of the arguments, or the part of one before its sign."""
        source = source_of(context, index.array)
        if is_list(context, index.array):
            return Subject(COMMAND_LINE, source, frozenset())
        text = split_text(context, index.array)
        if text == NONE or not is_first(context, index):
            return None
        whole = self.of(context, text, names, depth + 1)
        if whole is None or whole.domain != COMMAND_LINE:
            return None
        return Subject(COMMAND_LINE, source, frozenset(), dashes=whole.dashes)

    def _line(self, context: Context, value: int) -> Subject | None:
        """Classify the part before the sign of a line of a configuration file."""
        key = cut(context, value)
        if key is None or not key.first or not self.roles.is_line(context, key):
            return None
        slots = set()
        for store in context.code:
            if isinstance(store, ir.Store) and not store.up:
                part = cut(context, store.value)
                if part is not None and not part.first and part.line == key.line:
                    slots.add(store.slot)
        return Subject(LINES, None, frozenset(slots), key.line)

    def _variable(
        self, context: Context, slot: int, names: frozenset[str], depth: int
    ) -> Subject | None:
        binder = context.binder(slot)
        if binder is not None:
            number, instr = binder
            if isinstance(instr, ir.ForEach):
                return self._with_values(context, self._elements(context, instr.iterable), slot)
            return self._given(context, number, instr, slot)
        for store in stores(context, slot):
            subject = self.of(context, store.value, names, depth + 1)
            if subject is not None:
                entry = self._entry_slot(context, store.value)
                if subject.domain == COMMAND_LINE and entry is not None:
                    # The local keeps the argument seen last, and the one that follows is its value.
                    held = subject.value_slots | self._turned(context, entry, slot)
                    subject = attrs.evolve(subject, value_slots=held)
                return self._with_values(context, subject, slot if entry is None else entry)
        if context.is_parameter(slot):
            return self._parameter(context, slot, names, depth)
        return None

    @staticmethod
    def _turned(context: Context, slot: int, other: int) -> frozenset[int]:
        """Return a local if each turn of a loop gives it another argument, and another local keeps one."""
        binder = context.binder(slot)
        loop = binder is not None and isinstance(binder[1], ir.ForEach)
        return frozenset((slot,)) if loop and slot != other else frozenset()

    def _with_values(self, context: Context, subject: Subject | None, key: int) -> Subject | None:
        if subject is None:
            return None
        return attrs.evolve(subject, value_slots=subject.value_slots | self._values(context, key))

    # -- collections -----------------------------------------------------------------------------

    def _elements(self, context: Context, value: int, depth: int = 0) -> Subject | None:
        """Classify what a collection, an iterator or a queue gives."""
        if depth > _COLLECTION_DEPTH or value == NONE:
            return None
        instr = context.code[value]
        source = source_of(context, value)
        if is_list(context, value):
            return Subject(COMMAND_LINE, source, frozenset())
        if isinstance(instr, ir.Cast):
            return self._elements(context, instr.value, depth + 1)
        if isinstance(instr, ir.New) and len(instr.args) == 1:
            return self._elements(context, instr.args[0], depth + 1)
        if isinstance(instr, ir.Call):
            if instr.name in KEYS and instr.object != NONE:
                return self._keys_of(context, instr.object)
            if instr.name in COPIES:
                return self._elements(context, copied(context, instr), depth + 1)
        if isinstance(instr, ir.Load) and not instr.up:
            for store in stores(context, instr.slot):
                inner = self._elements(context, store.value, depth + 1)
                if inner is not None:
                    return attrs.evolve(inner, source=source)
        return None

    def _given(
        self, context: Context, number: int, lambda_: ir.Lambda, slot: int
    ) -> Subject | None:
        """Classify the parameter of a lambda by the call that it is given to."""
        instr = next(
            (call for _, call in calls_with(context, (number,)) if number in call.args), None
        )
        if instr is None:
            return None
        if instr.name not in _EACH or instr.object == NONE:
            return None
        if len(lambda_.params) == 1:
            return self._with_values(context, self._elements(context, instr.object), slot)
        if len(lambda_.params) != 2 or slot != lambda_.params[0]:
            return None
        keys = self._keys_of(context, instr.object)
        if keys is None:
            return None
        given = lambda_.params[1]
        slots = {given}
        slots.update(
            store.slot
            for store in context.code.within(lambda_.start, lambda_.stop)
            if isinstance(store, ir.Store)
            and not store.up
            and self._same_text(context, store.value, given)
        )
        return attrs.evolve(keys, value_slots=frozenset(slots) | self._values(context, slot))

    def _same_text(self, context: Context, value: int, slot: int) -> bool:
        """Tell whether a value is what a local holds, perhaps cast or made a text."""
        for _ in range(_DEPTH):
            if value == NONE:
                return False
            instr = context.code[value]
            if isinstance(instr, ir.Cast):
                value = instr.value
            elif isinstance(instr, ir.Call) and instr.name in TRANSPARENT:
                value = instr.object
            elif isinstance(instr, ir.Call) and instr.name == "valueOf" and instr.args:
                value = instr.args[0]
            else:
                break
        return self._is_load(context, value, slot)

    def keys_of(self, context: Context, container: int) -> Subject | None:
        """Return what the keys of a map are that is plainly configuration."""
        type_ = context.type_of(container)
        plain = type_ is not None and bool(self.prefixes.domain_of(type_.name))
        if plain or self.roles.of(context, container).score >= CERTAIN:
            return self._keys_of(context, container)
        return None

    def with_values(self, context: Context, subject: Subject, key: int) -> Subject:
        """Return a subject with the locals that hold the value which belongs to a key."""
        slot = self._entry_slot(context, key)
        if slot is None:
            return subject
        slots = {slot}
        for store in stores(context, slot):
            entry = self._entry_slot(context, store.value)
            slots |= {entry} if entry is not None else set()
        values = frozenset().union(*(self._values(context, one) for one in slots))
        return attrs.evolve(subject, value_slots=values - slots)

    def _keys_of(self, context: Context, container: int) -> Subject | None:
        type_ = context.type_of(container)
        domain = self.prefixes.domain_of(type_.name) if type_ is not None else ""
        if domain:
            return Subject(
                domain, None, frozenset(), prefix=self.prefixes.of(context, container) or WHOLE
            )
        role = self.roles.of(context, container)
        base = 1 if type_ is not None and self._is_properties(type_.name) else 0
        if role.score < 0 or role.score + base <= 0:
            return None
        if role.score < CERTAIN and is_count(self.sources, context, container):
            return None
        held = type_.args[1].name if type_ is not None and len(type_.args) == 2 else ""
        own = "." in held and self.program.jdk_type(held) is None
        if role.score < CERTAIN and (own or self.program.type(held) is not None):
            return None  # a registry of objects of the project or a library: its keys name those
        if role.score < CERTAIN and self.sources.is_of_request(context, container):
            return None
        if role.score < CERTAIN and not base and self._is_data(context, container, role, type_):
            return None
        if is_nested(type_) and not base and role.score < CERTAIN:
            models = self.roles.models
            if role.score < PLAIN or is_about(models, context, container):
                return None
        return Subject(role.domain or ("properties" if base else "settings"), None, frozenset())

    def _is_data(
        self, context: Context, container: int, role: Role, type_: JavaType | None
    ) -> bool:
        """Tell whether a map is made of data: one that may hold anything by any caller, a map of texts by all."""
        if role.score >= PLAIN and not role.weak:
            return is_made_of_data(self.sources, context, container, int(is_nested(type_)))
        if is_nested(type_):
            return is_made_of_data(self.sources, context, container, HOPS)
        return self.sources.is_fed_only_data(context, container, HOPS)

    def _is_properties(self, name: str) -> bool:
        return self.program.is_subtype(name, "java.util.Properties")

    # -- values that belong to a key --------------------------------------------------------------

    def _entry_slot(self, context: Context, value: int) -> int | None:
        instr = context.code[value]
        while isinstance(instr, (ir.Call, ir.Cast)):
            inner = instr.object if isinstance(instr, ir.Call) else instr.value
            if inner == NONE:
                return None
            instr = context.code[inner]
        return instr.slot if isinstance(instr, ir.Load) and not instr.up else None

    def _values(self, context: Context, key: int) -> frozenset[int]:
        """Return the locals set from ``entry.getValue()`` or from a look-up by the key."""
        slots = set()
        for instr in context.code:
            if not isinstance(instr, ir.Store) or instr.up:
                continue
            if self._derives(context, instr.value, key):
                slots.add(instr.slot)
        slots.discard(key)
        return frozenset(slots)

    def _derives(self, context: Context, value: int, key: int, depth: int = 0) -> bool:
        if value == NONE or depth > 6:
            return False
        instr = context.code[value]
        if isinstance(instr, ir.Call):
            if instr.name == "getKey":
                return False
            if any(self._is_load(context, arg, key) for arg in instr.args):
                return True
            if instr.name == "getValue" and self._is_load(context, instr.object, key):
                return True
            return instr.object != NONE and self._derives(context, instr.object, key, depth + 1)
        if isinstance(instr, ir.Cast):
            return self._derives(context, instr.value, key, depth + 1)
        return False

    @staticmethod
    def _is_load(context: Context, value: int, slot: int) -> bool:
        if value == NONE:
            return False
        instr = context.code[value]
        return isinstance(instr, ir.Load) and instr.slot == slot and not instr.up

    # -- parameters ------------------------------------------------------------------------------

    def _parameter(
        self, context: Context, slot: int, names: frozenset[str], depth: int
    ) -> Subject | None:
        member = context.member
        if is_called_data(self.roles.models, context.ref.owner):
            return None
        others = frozenset(
            number
            for number, param in enumerate(member.params)
            if number != slot and param.name.lower() in _VALUE_NAMES
        )
        if depth < 2:
            for caller, _, args in self.values.callers(context.ref)[:6]:
                if slot < len(args):
                    subject = self.of(caller, args[slot], names, depth + 1)
                    if subject is not None:
                        following = _following(caller, args, slot)
                        return Subject(
                            subject.domain,
                            None,
                            others | following,
                            dashes=subject.dashes,
                            paired=subject.paired or bool(following),
                        )
        name = member.params[slot].name.lower()
        if not others or len(names) < _MANY or not (set(words(name)) & _KEY_NAMES):
            return None
        role = self.roles._type(context.ref.owner)
        spoken = set(words(member.name)) & (_KEY_NAMES | {"config", "configure", "settings"})
        if role.score <= 0 and not spoken:
            return None
        return Subject("settings", None, others)


def _following(context: Context, args: Sequence[int], slot: int) -> frozenset[int]:
    """Return those of some arguments of a call that are the element behind the one at ``slot``, in a list that a loop goes through."""
    first = _index(context, args[slot])
    load = context.code[first.index] if first is not None and first.index != NONE else None
    if first is None or not isinstance(load, ir.Load):
        return frozenset()
    source = source_of(context, first.array)
    return frozenset(
        number
        for number, arg in enumerate(args)
        if number != slot
        and any(
            source_of(context, one.array) == source and _is_next(context, one.index, load)
            for one in _indices(context, arg)
        )
    )


def _index(context: Context, value: int) -> ir.Index | None:
    """Return the element that a text is, or a part of."""
    for _ in range(_DEPTH):
        instr = context.code[value] if value != NONE else None
        if isinstance(instr, ir.Index):
            return instr
        if not isinstance(instr, ir.Call) or instr.name not in TRANSPARENT:
            return None
        value = instr.object
    return None


def _indices(context: Context, value: int) -> list[ir.Index]:
    """Return the element that a value is, where there is one."""
    instr = context.code[value] if value != NONE else None
    arms = (instr.then, instr.other) if isinstance(instr, ir.Choice) else (value,)
    return [found for arm in arms if (found := _index(context, arm)) is not None]


def _is_next(context: Context, value: int, load: ir.Load) -> bool:
    """Tell whether an index is the one behind that of a local."""
    more = context.code[value] if value != NONE else None
    if not isinstance(more, ir.Binary) or more.op != "+":
        return False
    sides = [context.code[side] for side in (more.left, more.right)]
    return any(isinstance(side, ir.Const) and side.value == "1" for side in sides) and any(
        isinstance(side, ir.Load) and (side.slot, side.up) == (load.slot, load.up)
        for side in sides
    )
