"""Hand-written dispatch: keys of a configuration and command-line arguments compared with constants.

``if (key.equals("dataDir")) dataDir = value;`` and ``case "-port":`` name options without any API.  A
comparison counts when its subject is an element of an argument list, or a key of an object whose
role is configuration; a parameter counts when a caller passes such a thing, or when name and shape
of the method say so.  Command-line names keep their dash; words without one are commands, not options.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options.model import OptionType, ReadKind
from conflens.options.roles import Roles, words
from conflens.options.sites import NO_HINT, Hint, Site
from conflens.program.expressions import Context
from conflens.program.program import MemberRef, Program
from conflens.program.templates import Templates
from conflens.program.values import Values

COMMAND_LINE = "command-line"
_EQUALITY = frozenset({"equals", "equalsIgnoreCase", "contentEquals"})
_PREFIX = "startsWith"
_TRANSPARENT = frozenset(
    {"trim", "toLowerCase", "toUpperCase", "toString", "intern", "strip", "substring", "replace"}
)
_KEYS = frozenset(
    {"keySet", "stringPropertyNames", "propertyNames", "keys", "entrySet", "entries"}
)
_NEXT = frozenset({"next", "nextElement", "poll", "remove", "pop", "removeFirst", "shift"})
_SOURCES = frozenset({"iterator", "listIterator", "stream", "asList", "of"})
_KEY_NAMES = frozenset(
    {"key", "property", "prop", "option", "setting", "opt", "param", "parameter"}
)
_VALUE_NAMES = frozenset({"value", "val", "v", "arg", "newvalue"})
_MANY = 3
_ARGUMENT_WORDS = frozenset({"args", "argv", "arguments", "argument", "arg", "params", "options"})


@attrs.frozen
class Subject:
    """What is compared: domain, and where the value that belongs to the key comes from.

    ``source`` is the array, iterator or entry slot (``None``: not known); ``value_slots`` are locals
    that hold the value belonging to the key.
    """

    domain: str
    source: object
    value_slots: frozenset[int]


@attrs.frozen
class _Compared:
    value: int
    constant: int
    name: str
    subject: int
    at: int
    end: int
    start: int
    stop: int
    root: object


def find(
    program: Program, models: Models, values: Values, roles: Roles, path: str
) -> Iterator[Site]:
    """Yield the dispatch reads of one file."""
    numbers = program.files[path].hints.get("dispatch", ())
    finder = _Finder(program, models, values, roles)
    for number in numbers:
        yield from finder.body(Context.of(program, program.ref(path, number)))


class _Finder:
    def __init__(self, program: Program, models: Models, values: Values, roles: Roles) -> None:
        self.program = program
        self.models = models
        self.values = values
        self.roles = roles
        self._comparers: dict[MemberRef, tuple[int, int] | None] = {}

    def body(self, context: Context) -> Iterator[Site]:
        groups: dict[object, list[_Compared]] = {}
        for compared in self._comparisons(context):
            groups.setdefault(compared.root, []).append(compared)
        for root, found in groups.items():
            subject = self._subject(context, found[0].subject, found, 0)
            if subject is None:
                continue
            if subject.domain == COMMAND_LINE:
                found = [
                    item for item in found if item.name.startswith("-") and len(item.name) > 1
                ]
                if not found:
                    continue
            seen: set[tuple[str, int]] = set()
            for item in found:
                if (item.name, item.at) not in seen:
                    seen.add((item.name, item.at))
                    yield self._site(context, item, subject)
            del root

    # -- comparisons -----------------------------------------------------------------------------

    def _comparisons(self, context: Context) -> Iterator[_Compared]:
        for value, instr in enumerate(context.code):
            if isinstance(instr, ir.Call):
                yield from self._call(context, value, instr)
            elif isinstance(instr, ir.Switch):
                yield from self._switch(context, instr)

    def _call(self, context: Context, value: int, call: ir.Call) -> Iterator[_Compared]:
        pairs: list[tuple[int, int]] = []
        if (
            call.object != NONE
            and len(call.args) == 1
            and (call.name in _EQUALITY or call.name == _PREFIX)
        ):
            pairs = [(call.object, call.args[0])]
            if call.name != _PREFIX:
                pairs.append((call.args[0], call.object))
        elif len(call.args) >= 2:
            compared = self._comparer(context, value)
            if compared is not None and max(compared) < len(call.args):
                pairs = [(call.args[compared[0]], call.args[compared[1]])]
                pairs.append((pairs[0][1], pairs[0][0]))
        for subject, constant in pairs:
            root = self._root(context, subject)
            if root is None:
                continue
            for name in self._texts(context, constant):
                if call.name == _PREFIX:
                    name = f"{name}*" if not name.endswith("*") else name
                    if len(name) < 3:
                        continue
                start, stop = self._arm(context, value)
                yield _Compared(
                    value,
                    constant,
                    name,
                    subject,
                    call.name_at,
                    call.end,
                    start,
                    stop,
                    root,
                )
            return

    def _texts(self, context: Context, value: int) -> list[str]:
        instr = context.code[value]
        if not isinstance(instr, ir.Const | ir.Name | ir.Field):
            if not isinstance(instr, ir.Call) or instr.args or instr.object == NONE:
                return []
            if not isinstance(context.code[instr.object], ir.Name | ir.Field):
                return []
        found = []
        for parts in self.values.of(context, value):
            if len(parts) == 1 and isinstance(parts[0], str) and parts[0].strip():
                found.append(parts[0])
            else:
                return []
        return found if len(found) <= 2 else []

    def _comparer(self, context: Context, value: int) -> tuple[int, int] | None:
        """Return the parameters that a called project method compares for equality."""
        targets = context.targets(value)
        if not targets:
            return None
        target = targets[0]
        if target not in self._comparers:
            self._comparers[target] = self._compares(target)
        return self._comparers[target]

    def _compares(self, ref: MemberRef) -> tuple[int, int] | None:
        inner = Context.of(self.program, ref)
        if len(inner.code) > 40:
            return None
        for instr in inner.code:
            if (
                not isinstance(instr, ir.Call)
                or instr.name not in _EQUALITY
                or len(instr.args) != 1
            ):
                continue
            if instr.object == NONE:
                continue
            one, two = inner.code[instr.object], inner.code[instr.args[0]]
            if (
                isinstance(one, ir.Load)
                and isinstance(two, ir.Load)
                and inner.is_parameter(one.slot)
                and inner.is_parameter(two.slot)
            ):
                return one.slot, two.slot
        return None

    def _switch(self, context: Context, switch: ir.Switch) -> Iterator[_Compared]:
        if switch.subject == NONE:
            return
        root = self._root(context, switch.subject)
        if root is None:
            return
        for case in switch.cases:
            for label in case.labels:
                instr = context.code[label]
                if not (isinstance(instr, ir.Const) and instr.kind == "s") and not isinstance(
                    instr, ir.Name | ir.Field
                ):
                    continue
                if isinstance(instr, ir.Name | ir.Field):
                    field = context.field_of(label)
                    if field is None or self.program.member(field).kind == "enum_constant":
                        continue
                for name in self._texts(context, label):
                    stop = self._case_stop(switch, case)
                    yield _Compared(
                        label,
                        label,
                        name,
                        switch.subject,
                        instr.at,
                        instr.end,
                        case.start,
                        stop,
                        root,
                    )

    @staticmethod
    def _case_stop(switch: ir.Switch, case: ir.Case) -> int:
        """Return the end of the code a case runs: an empty group falls through to the next."""
        if case.stop > case.start:
            return case.stop
        later = [other.stop for other in switch.cases if other.start >= case.start]
        return next((stop for stop in later if stop > case.start), case.stop)

    def _arm(self, context: Context, value: int) -> tuple[int, int]:
        """Return the code that runs when the comparison holds; empty if it cannot be told."""
        for number in range(value + 1, min(value + 40, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, ir.If):
                return instr.then_start, instr.else_start
            if isinstance(instr, ir.Unary) and instr.op == "!" and instr.operand == value:
                return 0, 0
            if isinstance(instr, ir.Store | ir.StoreField | ir.Return):
                return 0, 0
        return 0, 0

    # -- subjects --------------------------------------------------------------------------------

    def _root(self, context: Context, value: int) -> object:
        """Return what identifies a subject: equal for comparisons of the same variable."""
        instr = context.code[value]
        for _ in range(8):
            if (
                isinstance(instr, ir.Call)
                and instr.object != NONE
                and (instr.name in _TRANSPARENT or instr.name in ("getKey", "getName"))
            ):
                instr = context.code[instr.object]
            elif isinstance(instr, ir.Cast):
                instr = context.code[instr.value]
            else:
                break
        if isinstance(instr, ir.Load):
            return ("local", instr.slot, instr.up)
        if isinstance(instr, ir.Index):
            array = context.code[instr.array]
            if isinstance(array, ir.Load):
                return ("element", array.slot, array.up)
            if isinstance(array, ir.Name | ir.Field):
                return ("element", array.name)
        if isinstance(instr, ir.Store):
            return ("local", instr.slot, instr.up)
        return None

    def _subject(
        self, context: Context, value: int, found: list[_Compared], depth: int
    ) -> Subject | None:
        if depth > 3 or value == NONE:
            return None
        instr = context.code[value]
        if isinstance(instr, ir.Cast):
            return self._subject(context, instr.value, found, depth)
        if isinstance(instr, ir.Call):
            return self._called(context, instr, found, depth)
        if isinstance(instr, ir.Index):
            if self._is_arguments(context, instr.array):
                return Subject(COMMAND_LINE, self._source(context, instr.array), frozenset())
            return None
        if isinstance(instr, ir.Load) and not instr.up:
            return self._variable(context, instr.slot, found, depth)
        return None

    def _called(
        self, context: Context, call: ir.Call, found: list[_Compared], depth: int
    ) -> Subject | None:
        if call.object == NONE:
            return None
        if call.name in _TRANSPARENT:
            return self._subject(context, call.object, found, depth)
        if call.name == "getKey":
            return self._subject(context, call.object, found, depth + 1)
        if call.name in _NEXT:
            return self._iterated(context, call.object, depth)
        if call.name == "get" and len(call.args) == 1 and self._is_arguments(context, call.object):
            return Subject(COMMAND_LINE, self._source(context, call.object), frozenset())
        return None

    def _iterated(self, context: Context, value: int, depth: int) -> Subject | None:
        """Classify what an iterator or queue gives."""
        if depth > 3:
            return None
        instr = context.code[value]
        source = self._source(context, value)
        if self._is_arguments(context, value):
            return Subject(COMMAND_LINE, source, frozenset())
        if isinstance(instr, ir.Call):
            if instr.name in _KEYS and instr.object != NONE:
                return self._keys_of(context, instr.object)
            if instr.name in _SOURCES:
                inner = instr.object if instr.object != NONE else NONE
                if instr.args and (inner == NONE or context.denotes(inner) is not None):
                    inner = instr.args[0]
                return self._iterated(context, inner, depth + 1) if inner != NONE else None
        if isinstance(instr, ir.Load) and not instr.up:
            for store in self._stores(context, instr.slot):
                inner_subject = self._iterated(context, store.value, depth + 1)
                if inner_subject is not None:
                    return attrs.evolve(inner_subject, source=source)
        return None

    def _keys_of(self, context: Context, container: int) -> Subject | None:
        role = self.roles.of(context, container)
        type_ = context.type_of(container)
        base = 1 if type_ is not None and self._is_properties(type_.name) else 0
        if role.score < 0 or role.score + base <= 0:
            return None
        return Subject(role.domain or ("properties" if base else "settings"), None, frozenset())

    def _is_properties(self, name: str) -> bool:
        return self.program.is_subtype(name, "java.util.Properties")

    def _variable(
        self, context: Context, slot: int, found: list[_Compared], depth: int
    ) -> Subject | None:
        for instr in context.code:
            if isinstance(instr, ir.ForEach) and instr.slot == slot:
                if self._is_arguments(context, instr.iterable):
                    source = self._source(context, instr.iterable)
                    return Subject(COMMAND_LINE, source, frozenset())
                iterable = context.code[instr.iterable]
                if isinstance(iterable, ir.Call) and iterable.name in _KEYS:
                    if iterable.object == NONE:
                        return None
                    keys = self._keys_of(context, iterable.object)
                    if keys is None:
                        return None
                    return attrs.evolve(keys, value_slots=self._values(context, slot))
                return None
        for store in self._stores(context, slot):
            subject = self._subject(context, store.value, found, depth + 1)
            if subject is not None:
                entry = self._entry_slot(context, store.value)
                slots = self._values(context, entry if entry is not None else slot)
                return attrs.evolve(subject, value_slots=subject.value_slots | slots)
        if context.is_parameter(slot):
            return self._parameter(context, slot, found, depth)
        return None

    def _entry_slot(self, context: Context, value: int) -> int | None:
        instr = context.code[value]
        while isinstance(instr, ir.Call | ir.Cast):
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

    @staticmethod
    def _stores(context: Context, slot: int) -> list[ir.Store]:
        return [
            instr
            for instr in context.code
            if isinstance(instr, ir.Store) and instr.slot == slot and not instr.up
        ][:6]

    def _parameter(
        self, context: Context, slot: int, found: list[_Compared], depth: int
    ) -> Subject | None:
        member = context.member
        others = frozenset(
            number
            for number, param in enumerate(member.params)
            if number != slot and param.name.lower() in _VALUE_NAMES
        )
        if depth < 2:
            for caller, _, args in self.values.callers(context.ref)[:6]:
                if slot < len(args):
                    subject = self._subject(caller, args[slot], found, depth + 1)
                    if subject is not None:
                        return Subject(subject.domain, None, others)
        names = {item.name for item in found}
        name = member.params[slot].name.lower()
        if not others or len(names) < _MANY or not (set(words(name)) & _KEY_NAMES):
            return None
        role = self.roles._type(context.ref.owner)
        spoken = set(words(member.name)) & (_KEY_NAMES | {"config", "configure", "settings"})
        if role.score <= 0 and not spoken:
            return None
        return Subject("settings", None, others)

    def _is_arguments(self, context: Context, value: int, depth: int = 0) -> bool:
        """Tell whether a value is a program's argument list."""
        if value == NONE or depth > 3:
            return False
        type_ = context.type_of(value)
        if type_ is None:
            return False
        text = type_.text()
        if text not in (
            "java.lang.String[]",
            "java.util.List<java.lang.String>",
            "java.util.LinkedList<java.lang.String>",
            "java.util.ArrayList<java.lang.String>",
        ):
            return False
        instr = context.code[value]
        if isinstance(instr, ir.Load) and not instr.up:
            name = context.body.locals[instr.slot].name
            if set(words(name)) & _ARGUMENT_WORDS:
                return True
            if context.is_parameter(instr.slot):
                return context.member.name in ("main", "run")
            return any(
                self._is_arguments(context, store.value, depth + 1)
                for store in self._stores(context, instr.slot)
            )
        if isinstance(instr, ir.Name | ir.Field):
            return bool(set(words(instr.name)) & _ARGUMENT_WORDS)
        return isinstance(instr, ir.Call) and any(
            self._is_arguments(context, arg, depth + 1) for arg in instr.args
        )

    def _source(self, context: Context, value: int) -> object:
        instr = context.code[value]
        if isinstance(instr, ir.Load):
            return ("local", instr.slot)
        if isinstance(instr, ir.Name | ir.Field):
            return ("field", instr.name)
        if isinstance(instr, ir.Call) and instr.object != NONE:
            return self._source(context, instr.object)
        return None

    # -- sites -----------------------------------------------------------------------------------

    def _site(self, context: Context, item: _Compared, subject: Subject) -> Site:
        member = context.member
        constant = context.code[item.constant]
        followed = self._followed(context, item, subject)
        hint = NO_HINT
        if followed == NONE and self._sets_flag(context, item):
            hint = Hint(OptionType.BOOLEAN)
        names: Templates = ((item.name,),)
        owner = self.program.type(context.ref.owner)
        api = owner.decl.name if owner is not None and owner.decl.name else "dispatch"
        return Site(
            context.ref,
            item.value,
            ReadKind.DISPATCH,
            subject.domain,
            f"{api}.{member.name}",
            names,
            item.constant,
            member.at + item.at,
            member.at + item.end,
            member.at + item.end,
            member.at + constant.at,
            member.at + constant.end,
            hint=hint,
            followed=followed,
        )

    def _followed(self, context: Context, item: _Compared, subject: Subject) -> int:
        """Return the instruction in the arm that holds the option's value."""
        for number in range(item.start, min(item.stop, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, ir.Load) and instr.slot in subject.value_slots and not instr.up:
                return number
            if isinstance(instr, ir.Index) and subject.domain == COMMAND_LINE:
                if self._source(context, instr.array) == subject.source:
                    return number
            elif (
                isinstance(instr, ir.Call)
                and instr.object != NONE
                and (instr.name in _NEXT or (instr.name == "get" and len(instr.args) == 1))
                and subject.source is not None
                and self._source(context, instr.object) == subject.source
            ):
                return number
        return NONE

    @staticmethod
    def _sets_flag(context: Context, item: _Compared) -> bool:
        for number in range(item.start, min(item.stop, len(context.code))):
            instr = context.code[number]
            if isinstance(instr, ir.Store | ir.StoreField) and instr.value != NONE:
                stored = context.code[instr.value]
                if isinstance(stored, ir.Const) and stored.kind == "b":
                    return True
        return False
