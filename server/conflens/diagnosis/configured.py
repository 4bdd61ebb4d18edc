"""Objects that options configure: what they do is under the option although no condition on it is in sight.

A buffer's size decides how often its stream writes, a cache's how often what it keeps is made again.  No value flows
there: the option is behind it through the object's state.  So calls of such an object are linked, weakly, and so
is what the caller does or leaves out depending on what they return; likewise depending on what collections
answer whose contents the option decides over (``contents``).  Only a profile that shows a difference exactly
there makes anything of such a link.

Terms
    configured class   one of the project that keeps an option's value in a field, or whose constructor is given it.
    carrier            in one body, an expression for an object that was made with an option's value, that wraps such
                       an object or was got from one, or a local or field that holds one.

Absent: objects handed on as arguments, and calls of an object's own methods on itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from conflens.diagnosis.contents import Contents
from conflens.diagnosis.early_exits import rests
from conflens.diagnosis.made_types import MadeTypes
from conflens.diagnosis.object_state import ObjectStates
from conflens.diagnosis.results import Located
from conflens.diagnosis.validation import Validation
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.guards import Range, conditions, governed
from conflens.flow.results import (
    Confidence,
    Dependency,
    Hold,
    OptionKey,
    Path,
    Step,
    StepRole,
    Taken,
)
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

_DEPTH = 4
"""Operators between a result and the condition on it."""
_CLASSES = 8
"""Classes that one option configures, beyond which it configures none in particular."""
_OPTIONS = 6
"""Options that configure one class, beyond which it is a place where settings are kept."""
_VALUES = frozenset(
    [
        "boolean",
        "byte",
        "short",
        "char",
        "int",
        "long",
        "float",
        "double",
        "String",
        "Boolean",
        "Byte",
        "Short",
        "Character",
        "Integer",
        "Long",
        "Float",
        "Double",
        "Object",
        "Number",
        "Duration",
    ]
)
REASON = "through the state of an object that the option configures"

Found = dict[OptionKey, Path]


class _Seed(NamedTuple):
    """An expression that is a carrier by itself: for ``options``, or, if it reads a field ``name`` (``None``), for
    those that configure what is in the field."""

    instr: int
    name: str
    options: Sequence[tuple[OptionKey, Path]] | None


class Objects:
    """What options configure in one program; remembers every answer until the next diagnosis begins."""

    def __init__(
        self,
        program: Program,
        taken: Iterable[Taken],
        holds_in: Callable[[MemberRef], list[tuple[OptionKey, Hold]]],
    ) -> None:
        """``taken`` tells which fields keep values, and where objects are made with them, ``holds_in`` where options take
        hold in a body."""
        self.program = program
        self._classes: dict[str, Found] = {}
        self._made: dict[MemberRef, list[tuple[Taken, int]]] = {}
        """By member: an option, and the number of a hold by which it takes its value."""
        self._fields: dict[MemberRef, Found] = {}
        self._seeds: dict[MemberRef, list[_Seed]] = {}
        self._codes: dict[MemberRef, Code] = {}
        self._carriers: dict[MemberRef, dict[int, Found]] = {}
        self._tests: dict[MemberRef, list[tuple[Range, OptionKey, Hold]]] = {}
        self.validation = Validation(self.code)
        self._states = ObjectStates(program, self.code)
        self._contents = Contents(program, self.code, holds_in)
        self._made_types = MadeTypes(program, self._made)
        self._keeps: dict[tuple[str, OptionKey], list[MemberRef]] = {}
        """By configured class and option: the fields that keep the value, and the constructors that are given it."""
        for one in taken:
            key = one.option
            inside: dict[str, list[int]] = {}
            for at, (ref, dependency) in enumerate(one.places):
                inside.setdefault(ref.owner, []).append(at)
                if dependency is Dependency.DIRECT:
                    self._made.setdefault(ref, []).append((one, at))
            owners = {kept.owner: kept for kept in one.cells if self._keeps_value(kept)}
            if len(owners) <= _CLASSES:
                for owner, kept in owners.items():
                    self._classes.setdefault(owner, {})[key] = self._path(one, inside, kept)
                for kept in one.cells:
                    if kept.owner in owners:
                        self._keeps.setdefault((kept.owner, key), []).append(kept)
            for kept in one.cells:
                if self._keeps_object(kept):
                    self._fields.setdefault(kept, {})[key] = self._path(one, inside, kept)
        self._classes = {
            owner: found for owner, found in self._classes.items() if len(found) <= _OPTIONS
        }
        self._methods: dict[str, set[int]] = {}
        """The methods of configured classes: by name how many arguments they take, -1 for one of variable arity."""
        for owner in self._classes:
            for name, refs in program.own_methods(owner).items():
                for member in map(program.member, refs):
                    count = -1 if member.varargs else len(member.params)
                    self._methods.setdefault(name, set()).add(count)
        self._names = {program.member(field).name for field in self._fields}
        """The names of ``_fields``."""
        for ref in self._made:
            # Where no field is written none can be found.
            if any(instr.__class__ is ir.StoreField for instr in program.body(ref).code):
                self.carriers(ref)
        # Fields that were found on the way are carriers in the bodies looked at before, too.
        self._carriers.clear()
        self._base = {field: dict(found) for field, found in self._fields.items()}

    def _path(self, taken: Taken, inside: Mapping[str, Sequence[int]], kept: MemberRef) -> Path:
        """Return the way to where a value is kept, as far as a way is known that comes by.

        ``inside``: by class the numbers of the holds there; a check of the value's range says nothing of what it is for.
        """
        numbers = inside.get(kept.owner, ())
        for at in numbers:
            hold = taken.holds[at]
            if not self.validation.tests(hold.ref, hold.index):
                return hold.path
        keeping = Step(kept, NONE, StepRole.STORE)
        if numbers:
            path = taken.holds[numbers[0]].path
            return attrs.evolve(path, steps=(*path.steps[:-1], keeping))
        if taken.holds:
            return taken.holds[0].path
        return Path((keeping,), Confidence.MEDIUM, (REASON,), 0)

    def begin(self) -> None:
        """Begin another diagnosis: forget the fields that questions led to, and what was answered by them."""
        self._carriers.clear()
        self._tests.clear()
        self._fields = {field: dict(found) for field, found in self._base.items()}

    def _keeps_value(self, kept: MemberRef) -> bool:
        member = self.program.member(kept)
        return member.kind == "constructor" or _simple(member.type) in _VALUES

    def _gives(self, context: Context, call: int) -> bool:
        """Tell whether a call on a configured object gives another object of a library, not a value."""
        type_ = context.type_of(call)
        if type_ is None or _simple(type_.name) in _VALUES or type_.name == "void":
            return False
        return self.program.type(type_.name) is None

    def _keeps_object(self, kept: MemberRef) -> bool:
        """Tell whether a field holds an object of a library; those of the project are classes of their own."""
        member = self.program.member(kept)
        if member.kind != "field" or _simple(member.type) in _VALUES:
            return False
        name = self.program.field_type(kept).name
        return self.program.type(name) is None

    def code(self, ref: MemberRef) -> Code:
        """Return the indexed body of a member."""
        found = self._codes.get(ref)
        if found is None:
            found = self._codes[ref] = Code(self.program, ref)
        return found

    # -- questions -----------------------------------------------------------------------------

    def of_call(
        self, ref: MemberRef, calls: Iterable[int], callee: Located
    ) -> list[tuple[OptionKey, Hold]]:
        """Return the options that configure the object which one of ``calls`` of a body is made on."""
        if callee.frame.method in ("<init>", "<clinit>"):
            return []
        wanted = tuple(calls)
        found = {
            key: _hold(ref, call, path)
            for call in wanted[:1]
            for key, path in self._made_types.of(callee.frame.owner).items()
        }
        carriers = self.carriers(ref)
        if not carriers:
            return list(found.items())
        code = self.program.body(ref).code
        for call in wanted:
            instr = code[call]
            if isinstance(instr, ir.Call) and instr.object in carriers:
                for key, path in carriers[instr.object].items():
                    found.setdefault(key, _hold(ref, call, path))
        return list(found.items())

    def of_class(
        self, ref: MemberRef, calls: Iterable[int], callee: Located
    ) -> list[tuple[OptionKey, Hold]]:
        """Return the options that configure the class of the method that one of ``calls`` runs, and what it uses."""
        owner = callee.ref.owner if callee.ref is not None else ""
        if owner == ref.owner or callee.frame.method in ("<init>", "<clinit>"):
            return []
        method = callee.ref
        options = self._classes.get(owner, {})
        return [
            (key, _hold(ref, call, path))
            for call in list(calls)[:1]
            for key, path in options.items()
            if method is not None and self._states.uses(method, self._keeps[owner, key])
        ]

    def deciding(self, ref: MemberRef, calls: Iterable[int]) -> list[tuple[OptionKey, Hold]]:
        """Return the options that configure objects whose answers decide whether ``calls`` are made."""
        found: dict[OptionKey, Hold] = {}
        wanted = tuple(calls)
        for (start, end), key, hold in self._decided(ref):
            if any(start <= call < end for call in wanted):
                found.setdefault(key, hold)
        return list(found.items())

    # -- carriers ------------------------------------------------------------------------------

    def carriers(self, ref: MemberRef) -> Mapping[int, Found]:
        """Return the expressions of a body that are configured objects."""
        known = self._carriers.get(ref)
        if known is not None:
            return known
        found: dict[int, Found] = {}
        self._carriers[ref] = found
        context = Context.of(self.program, ref)
        queue: list[tuple[int, OptionKey, Path]] = []
        for index, name, options in self._seeds_of(context):
            if options is not None:
                queue += [(index, key, path) for key, path in options]
            elif name in self._names and (field := context.field_of(index)) in self._fields:
                assert field is not None
                queue += [(index, key, path) for key, path in self._fields[field].items()]
        if not queue:
            return found
        code = self.code(ref)
        while queue:
            index, key, path = queue.pop()
            mine = found.setdefault(index, {})
            if key in mine:
                continue
            mine[key] = path
            for taker in code.takers.get(index, ()):
                instr = code.code[taker]
                if (
                    (isinstance(instr, ir.New) and index in instr.args)
                    or isinstance(instr, ir.Cast)
                    or (
                        isinstance(instr, ir.Call)
                        and instr.object == index
                        and self._gives(code.context, taker)
                    )
                ):
                    queue.append((taker, key, path))
                elif isinstance(instr, ir.Store) and not instr.up:
                    queue += [(load, key, path) for load in code.loads.get(instr.slot, ())]
                elif isinstance(instr, ir.StoreField) and instr.value == index:
                    field = code.context.target_field(instr)
                    if field is not None:
                        self._fields.setdefault(field, {}).setdefault(key, path)
                        self._names.add(instr.name)
        return found

    def _may_be_of_class(self, call: ir.Call) -> bool:
        """Tell whether a call may run a method of a configured class."""
        counts = self._methods.get(call.name)
        return counts is not None and (len(call.args) in counts or -1 in counts)

    def _seeds_of(self, context: Context) -> list[_Seed]:
        """Return what carriers of a body may begin with: as far as it does not depend on which fields are known."""
        ref, code = context.ref, context.code
        found = self._seeds.get(ref)
        if found is not None:
            return found
        found = self._seeds[ref] = []
        for one, at in self._made.get(ref, ()):
            hold = one.holds[at]
            if hold.index < len(code) and _makes(code[hold.index]):
                found.append(_Seed(hold.index, "", [(one.option, hold.path)]))
        for index, instr in enumerate(code):
            kind = instr.__class__
            if kind is ir.Name or kind is ir.Field:
                found.append(_Seed(index, instr.name, None))  # type: ignore[union-attr]
            elif isinstance(instr, ir.Call) and self._may_be_of_class(instr):
                given = [
                    item
                    for target in context.targets(index)[:2]
                    if target.owner != ref.owner
                    for item in self._classes.get(target.owner, {}).items()
                ]
                if given and self._gives(context, index):
                    found.append(_Seed(index, "", given))
        return found

    # -- answers that decide -------------------------------------------------------------------

    def _decided(self, ref: MemberRef) -> list[tuple[Range, OptionKey, Hold]]:
        known = self._tests.get(ref)
        if known is not None:
            return known
        found: list[tuple[Range, OptionKey, Hold]] = []
        self._tests[ref] = found
        context = Context.of(self.program, ref)
        carriers = self.carriers(ref)
        for index, instr in context.calls():
            if not isinstance(instr, ir.Call) or instr.object == NONE:
                continue
            options: Found = dict(carriers.get(instr.object, {}))
            if self._may_be_of_class(instr):
                for target in context.targets(index)[:2]:
                    if target.owner != ref.owner:
                        options |= self._classes.get(target.owner, {})
            for key, path in self._contents_at(context, instr.object).items():
                options.setdefault(key, path)
            if options:
                for at, ranges in self._tested(self.code(ref), index):
                    for key, path in options.items():
                        hold = Hold(ref, at, Dependency.BRANCH, ranges, None, path)
                        found += [(span, key, hold) for span in ranges]
        return found

    def _contents_at(self, context: Context, value: int) -> Found:
        """Return the options that decide over the contents of the field that an expression may be."""
        if not isinstance(context.code[value], (ir.Name, ir.Field)):
            return {}
        field = context.field_of(value)
        if field is None or field.owner != context.ref.owner or not self._keeps_object(field):
            return {}
        return self._contents.of(field)

    def _tested(self, code: Code, value: int) -> Iterable[tuple[int, tuple[Range, ...]]]:
        tested = conditions(code).tested
        level, seen = {value}, {value}
        for _ in range(_DEPTH):
            for one in level:
                for at in tested.get(one, ()):
                    for rule in governed(code, at):
                        yield at, rule.ranges
                    if left_out := rests(code, at):
                        yield at, tuple(rest.span for rest in left_out)
            following: set[int] = set()
            for one in level:
                for taker in code.takers.get(one, ()):
                    instr = code.code[taker]
                    if isinstance(instr, ir.Store):
                        following.update(() if instr.up else code.loads.get(instr.slot, ()))
                    elif not isinstance(instr, (ir.Call, ir.New, ir.StoreField)):
                        following.add(taker)
            level = following - seen
            seen |= level


def _simple(text: str) -> str:
    return text.partition("<")[0].rpartition(".")[2]


def _makes(instr: ir.Instr) -> bool:
    return isinstance(instr, (ir.New, ir.Call))


def _hold(ref: MemberRef, call: int, path: Path) -> Hold:
    return Hold(ref, call, Dependency.DIRECT, (), None, path)
