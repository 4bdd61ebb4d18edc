"""What a method that reads an option for its caller gives back where the option is not set.

A parameter, or a member of the object that holds the name, is the default if the method can return it *instead of*
the option's value: as another arm of a choice, another assignment to the variable that is returned, another
``return``, or handed together with the value to something that returns one or the other (a row with the place of a
default, a helper of the project with this shape).  What is only handed along with the value, such as the class that
it is converted to, is no default, and neither is the name of another read in the same method.

Terms
    result   what a method returns; what it stores into fields, if it returns nothing.
    made     instructions whose value comes from the option's value.

Absent: constants (``inference.defaults``).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import RECEIVER
from conflens.program.body_uses import called, loads, takers
from conflens.program.expressions import Context
from conflens.program.nesting import Nesting
from conflens.program.program import Program
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Part, SelfField, Template, Templates, known_text
from conflens.program.values import Values

DEPTH = 4
"""Helpers within helpers that are looked into."""

_RESULTS = "results of a member"
_CONVERTERS = ("valueOf", "parse", "toString", "of", "decode", "trim", "to")
"""Beginnings of the names of methods that give back their one operand, converted."""


def made_of(context: Context, values: Iterable[int], slots: Iterable[int] = ()) -> set[int]:
    """Return the instructions of a body that make their value from some values or locals; the values themselves too."""
    made = set(values)
    filled = set(slots)
    for _ in range(2):
        # In the order of the instructions, as a run that passes each twice would meet them.
        queue = [
            *(taker for value in made for taker in takers(context, value)),
            *(load for slot in filled for load in loads(context, slot)),
        ]
        heapify(queue)
        at = NONE
        while queue:
            number = heappop(queue)
            if number == at or number in made:
                continue
            at = number
            instr = context.code[number]
            more: Sequence[int]
            if isinstance(instr, ir.Store):
                filled.add(instr.slot)
                more = loads(context, instr.slot)
            else:
                made.add(number)
                more = takers(context, number)
            for other in more[bisect_right(more, number) :]:
                heappush(queue, other)
    return made


class Fallbacks:
    """Finds defaults in the members of one program."""

    def __init__(self, program: Program, values: Values, models: Models) -> None:
        """Look at methods of ``program``; ``models`` have the rows with places of defaults."""
        self.program = program
        self.values = values
        self.models = models

    def of_value(
        self, context: Context, value: int, names: Templates, taken: frozenset[Part]
    ) -> Templates | None:
        """Return the default for the option of ``names`` that ``value`` reads; ``taken`` name options here, this or others."""
        return self.of_values(context, (value,), names, taken)

    def of_values(
        self, context: Context, values: Iterable[int], names: Templates, taken: frozenset[Part]
    ) -> Templates | None:
        """Return the default for an option whose value is all of ``values``."""
        own = frozenset(part for template in names for part in template)
        return self._of(context, made_of(context, values), own, taken, 0)

    def means_missing(self, context: Context, value: int, default: Templates) -> bool:
        """Tell whether a body compares an option's value with its default: that only says that the option is not set."""
        text = known_text(default)
        tests = [
            (instr.left, instr.right)
            for instr in context.code
            if text is not None and isinstance(instr, ir.Binary) and instr.op in ("==", "!=")
        ]
        made = made_of(context, (value,)) if tests else set()
        return any(
            one in made
            and other not in made
            and known_text(self.values.of(context, other)) == text
            for left, right in tests
            for one, other in ((left, right), (right, left))
        )

    def _of(
        self,
        context: Context,
        made: set[int],
        own: frozenset[Part],
        taken: frozenset[Part],
        depth: int,
    ) -> Templates | None:
        found: dict[Template, None] = {}
        seen: set[int] = set()
        queue: list[int] = []
        for group in _results(context):
            results = [value for result in group for value in alternatives(context, result)]
            if not made.isdisjoint(results):
                queue += results
        while queue:
            value = queue.pop()
            if value in seen:
                continue
            seen.add(value)
            if value not in made:
                part = self._part(context, value, made)
                if part is not None and part not in taken and self.may_be(context, part, own):
                    found[(part,)] = None
                continue
            instr = context.code[value]
            if not isinstance(instr, ir.Call):
                continue
            for place, operand in ((-1, instr.object), *enumerate(instr.args)):
                if operand == NONE or operand not in made:
                    continue
                queue.extend(alternatives(context, operand))
                other = self._handed(context, value, instr, place, depth)
                if other != NONE:
                    queue.extend(alternatives(context, other))
        return tuple(found) if len(found) == 1 else None

    @staticmethod
    def may_be(context: Context, part: Part, names: Iterable[Part]) -> bool:
        """Tell whether a part can be a default: no member of another object than that with the name, no such object."""
        if not isinstance(part, Param):
            return True
        named = {item.slot for item in names if isinstance(item, Param) and item.name}
        if part.name:
            return part.slot in named
        params = context.member.params
        return all(params[slot].type != params[part.slot].type for slot in named)

    def _handed(self, context: Context, value: int, call: ir.Call, place: int, depth: int) -> int:
        """Return what a call gives back if its operand at ``place`` is nothing, ``NONE`` if that is not an operand."""
        targets = context.targets(value)
        if targets:
            slot = self._helper(targets[0], place, depth + 1)
        else:
            slot = self._row(context, call, place)
        return call.args[slot] if 0 <= slot < len(call.args) else NONE

    def _row(self, context: Context, call: ir.Call, place: int) -> int:
        owners: list[str] = []
        for row in self.models.conversions_by_method.get(call.name, ()):
            if row.default is None or len(call.args) < row.min_args:
                continue
            if (RECEIVER if place < 0 else place) not in row.sources:
                continue
            owners = owners or self._owners(context, call)
            if row.type in owners:
                return row.default
        return NONE

    def _owners(self, context: Context, call: ir.Call) -> list[str]:
        if call.object == NONE:
            return context.static_imports(call.name)
        owner = context.owner_of(call.object)
        return [owner, *self.program.supertypes(owner)] if owner is not None else []

    def _helper(self, ref: MemberRef, place: int, depth: int) -> int:
        """Return the parameter that a method gives back if another one, or its receiver, is nothing."""
        member = self.program.member(ref)
        if depth > DEPTH or place < 0 or place >= len(member.params) or member.varargs:
            return NONE
        if member.kind != "method" or self.values.asking.overriders(ref):
            return NONE
        # How far is looked depends on the depth.
        key = ("instead", ref, place, depth)

        def find() -> Templates:
            context = self.values.open(ref)
            made = made_of(context, (), (place,))
            own: frozenset[Part] = frozenset((Param(place),))
            return self._of(context, made, own, own, depth) or ()

        found = self.values.trail.remembered(key, find)
        for template in found:
            for part in template:
                if isinstance(part, Param) and not part.name:
                    return part.slot
        return NONE

    def _part(self, context: Context, value: int, made: set[int]) -> Part | None:
        """Return the parameter, or the member of an object, that a value is, perhaps converted."""
        for _ in range(DEPTH):
            instr = context.code[value]
            if isinstance(instr, ir.Lambda):
                returned = [
                    inner.value
                    for inner in context.code.within(instr.start, instr.stop)
                    if isinstance(inner, ir.Return) and inner.value != NONE
                ]
                if len(returned) != 1:
                    return None
                value = returned[0]
                continue
            if isinstance(instr, ir.Load):
                plain = not instr.up and context.is_parameter(instr.slot)
                return Param(instr.slot) if plain else None
            if isinstance(instr, (ir.Call, ir.Name, ir.Field)):
                part = _member(self.values.of(context, value))
                if part is not None:
                    return part
            if not isinstance(instr, ir.Call):
                return None
            value = self._converted(context, instr, made)
            if value == NONE:
                return None
            (value,) = alternatives(context, value)[:1] or [NONE]
        return None

    @staticmethod
    def _converted(context: Context, call: ir.Call, made: set[int]) -> int:
        """Return what a call converts: its operand in the place where the value stands in a call like it."""
        for number, other in called(context, call.name):
            if number in made and isinstance(other, ir.Call) and len(other.args) == len(call.args):
                for one, two in (
                    (other.object, call.object),
                    *zip(other.args, call.args, strict=True),
                ):
                    if one in made and two != NONE:
                        return two
        operands = [
            value
            for value in (call.object, *call.args)
            if value != NONE and context.denotes(value) is None
        ]
        if len(operands) == 1 and call.name.startswith(_CONVERTERS):
            return operands[0]
        return NONE


def _member(templates: Templates) -> Part | None:
    """Return the one field of a parameter or of the receiver that templates are."""
    if len(templates) == 1 and len(templates[0]) == 1:
        part = templates[0][0]
        if isinstance(part, SelfField) or (isinstance(part, Param) and part.name):
            return part
    return None


def _results(context: Context) -> list[list[int]]:
    """Return the results of a member: what it returns; of one that returns nothing what it stores, by field.

    Worked out once for a body, whatever values are asked about.
    """
    kept = context.notes.get(_RESULTS)
    if isinstance(kept, list):
        return kept
    inner = Nesting(
        (item.start, item.stop, None) for item in context.code if isinstance(item, ir.Lambda)
    )
    nothing = context.member.kind == "constructor" or context.member.type == "void"
    found: dict[str, list[int]] = {}
    for number, instr in enumerate(context.code):
        if isinstance(instr, ir.StoreField) and nothing:
            name = instr.name
        elif isinstance(instr, ir.Return) and instr.kind == "return":
            name = ""
        else:
            continue
        if instr.value != NONE and not any(inner.around(number)):
            found.setdefault(name, []).append(instr.value)
    results = context.notes[_RESULTS] = list(found.values())
    return results


def alternatives(context: Context, value: int) -> list[int]:
    """Return what a value can be one by one: arms of choices, assignments to a variable; not what it is made from."""
    found: list[int] = []
    seen: set[int] = set()
    queue = [value]
    while queue:
        number = queue.pop()
        if number == NONE or number in seen:
            continue
        seen.add(number)
        instr = context.code[number]
        if isinstance(instr, ir.Choice):
            queue += [instr.other, instr.then]
        elif isinstance(instr, (ir.Cast, ir.Store)):
            queue.append(instr.value)
        elif isinstance(instr, ir.Load) and not instr.up:
            reached = reaching(context, instr.slot, number)
            stored = [context.code[store] for store in reached.stores]
            queue += [store.value for store in stored if isinstance(store, ir.Store)]
            if not stored or (reached.entry and context.is_parameter(instr.slot)):
                found.append(number)
        else:
            found.append(number)
    return found
