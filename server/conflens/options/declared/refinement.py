"""Refining calls on a definition: ``.withDescription(…)``, ``option.setRequired(true)``.

A *chain* is every call whose receiver is the definition, the result of such a call, or a local
that holds one of these (assigned once).  It goes on through a static method of the project that makes something of the
definition that it is given (``typed(new Builder("size")).orElse(3)``), whose type argument is the option's type.
Absent: calls on fields in other members.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import itemgetter

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import DefinitionRow, Refinement
from conflens.options.constant_arguments import constant_row, rendered
from conflens.options.declared.value_objects import text_of, texts_of_enum
from conflens.options.model import OptionType
from conflens.options.value_names import type_said
from conflens.options.value_texts import default_value, known_parts, value_text
from conflens.program.body_uses import returned
from conflens.program.expressions import Context
from conflens.program.templates import Templates
from conflens.program.values import Values

_MADE = ir.Call | ir.New
_TRUTH = {"true", "false"}


@attrs.define
class Refined:
    """What the refining calls of one definition say; ``chain`` are the calls, ``end`` their end."""

    names: list[tuple[str, int, int]] = attrs.field(factory=list)
    default: tuple[str, int, int] | None = None
    given: int = NONE
    """The expression of the default."""
    copied: int = NONE
    """The expression of another definition, whose name and statements hold where this one has none."""
    description: str = ""
    type: OptionType | None = None
    java_type: str = ""
    unit: str = ""
    values: tuple[str, ...] = ()
    argument: bool = False
    deprecated: str = ""
    old: list[tuple[str, int, int]] = attrs.field(factory=list)
    """Superseded names."""
    chain: set[int] = attrs.field(factory=set)
    end: int = 0


class Chains:
    """Who calls methods on which value of a body."""

    def __init__(self, values: Values, context: Context) -> None:
        """Index the body of ``context`` when first asked."""
        self.context = context
        self._values = values
        self._on: dict[int, list[int]] | None = None
        self._said: dict[str | None, list[int]] | None = None
        """The calls on what a name denotes, by that."""

    def after(self, value: int) -> list[int]:
        """Return the calls made on a value, directly or through chain and locals, in order."""
        if self._on is None:
            self._on = self._index()
        found: list[int] = []
        queue = [value]
        seen = {value}
        while queue:
            current = queue.pop()
            for call in self._on.get(current, ()):
                if call not in seen:
                    seen.add(call)
                    found.append(call)
                    queue.append(call)
        self.context.program.meter.spend(1 + len(found))
        return sorted(found)

    def before(self, value: int, method: str) -> list[int]:
        """Return the calls in the chain in front of a call.

        A static builder's calls may also be statements of their own, since the last call of
        ``method``.
        """
        found = []
        instr = self.context.code[value]
        while isinstance(instr, ir.Call) and instr.object != NONE:
            inner = instr.object
            instr = self.context.code[inner]
            if isinstance(instr, ir.Call):
                found.append(inner)
                if instr.name == method:
                    break
        self.context.program.meter.spend(1 + len(found))
        called = self.context.code[value]
        owner = None
        if isinstance(called, ir.Call) and called.object != NONE and not found:
            owner = self.context.denotes(called.object)
        if owner is None:
            return found
        said = self._statements().get(owner, [])
        for number in reversed(said[: bisect_left(said, value)]):
            other = self.context.code[number]
            if isinstance(other, ir.Call) and other.name == method:
                break
            found.append(number)
        self.context.program.meter.spend(1 + len(found))
        return found[::-1]

    def wraps(self, number: int, call: ir.Call) -> bool:
        """Tell whether a static method of the project makes something of the one object that it is given."""
        if len(call.args) != 1 or not isinstance(self.context.code[call.args[0]], _MADE):
            return False
        targets = self.context.targets(number)
        program = self.context.program
        if len(targets) != 1 or not program.is_static(targets[0]):
            return False
        inner = self._values.open(targets[0])
        made = [inner.code[value] for value in returned(inner) if value != NONE]
        return len(made) == 1 and any(
            isinstance(load, ir.Load) and not load.up and load.slot == 0
            for load in (inner.code[value] for value in ir.operands(made[0]) if value != NONE)
        )

    def _statements(self) -> dict[str | None, list[int]]:
        if self._said is None:
            self._said = {}
            for number, call in self.context.calls():
                if isinstance(call, ir.Call) and call.object != NONE:
                    owner = self.context.denotes(call.object)
                    self._said.setdefault(owner, []).append(number)
        return self._said

    def _index(self) -> dict[int, list[int]]:
        stores: dict[int, list[tuple[int, int, ir.Store]]] = {}
        on: dict[int, list[int]] = {}
        for number, instr in enumerate(self.context.code):
            if isinstance(instr, ir.Store) and not instr.up:
                stores.setdefault(instr.slot, []).append((instr.at, number, instr))
        # By local: from which offset on which assignment is the last.
        last: dict[int, list[tuple[int, ir.Store]]] = {}
        for slot, assigned in stores.items():
            latest = -1
            for at, number, instr in sorted(assigned, key=itemgetter(0, 1)):
                if number > latest:
                    latest = number
                    last.setdefault(slot, []).append((at, instr))
        for number, instr in enumerate(self.context.code):
            if isinstance(instr, ir.Call) and self.wraps(number, instr):
                on.setdefault(instr.args[0], []).append(number)
            if not isinstance(instr, ir.Call) or instr.object == NONE:
                continue
            held = self.context.code[instr.object]
            if isinstance(held, ir.Load) and not held.up:
                lasting = last.get(held.slot, [])
                before = bisect_left(lasting, instr.at, key=itemgetter(0))
                if before:
                    on.setdefault(lasting[before - 1][1].value, []).append(number)
            else:
                on.setdefault(instr.object, []).append(number)
        return on


def refine(
    models: Models, values: Values, chains: Chains, value: int, row: DefinitionRow
) -> Refined:
    """Return what refining calls say of the definition that instruction ``value`` makes."""
    refined = Refined()
    if not row.refinements:
        return refined
    by_method: dict[str, list[Refinement]] = {}
    for item in row.refinements:
        by_method.setdefault(item.method, []).append(item)
    context = chains.context
    for number in chains.before(value, row.method):
        call = context.code[number]
        if isinstance(call, ir.Call) and call.name == row.method:
            break
        if isinstance(call, ir.Call):
            for item in by_method.get(call.name, ()):
                _apply(models, values, context, call, item, refined)
    for number in chains.after(value):
        call = context.code[number]
        refined.chain.add(number)
        if isinstance(call, ir.Call) and not refined.java_type and chains.wraps(number, call):
            made = context.program.return_type(context.targets(number)[0])
            if made is not None and len(made.args) == 1:
                refined.java_type = made.args[0].text()
        if isinstance(call, ir.Call) and call.name in by_method:
            refined.end = max(refined.end, call.end)
            for item in by_method[call.name]:
                _apply(models, values, context, call, item, refined)
    return refined


def _apply(
    models: Models,
    values: Values,
    context: Context,
    call: ir.Call,
    item: Refinement,
    refined: Refined,
) -> None:
    if item.aspect == "argument":
        refined.argument = True
        if call.name.startswith("has") and call.args:
            refined.argument = value_text(values, context, call.args[0]) != "false"
        return
    if item.value is not None:
        if item.aspect == "type":
            refined.type = OptionType(item.value)
        elif item.aspect == "values":
            refined.values = (item.value,)
        return
    if item.aspect == "deprecated":
        refined.deprecated = "deprecated"
    if item.argument is None or item.argument >= len(call.args):
        return
    arg = call.args[item.argument]
    base = context.member.at
    instr = context.code[arg]
    match item.aspect:
        case "name":
            refined.names.extend(
                (text, base + instr.at, base + instr.end)
                for text in _texts(values, context, arg)
                if text.replace("*", "").strip(".")
            )
        case "old-name":
            refined.old.extend(
                (text, base + instr.at, base + instr.end)
                for value in call.args[item.argument :]
                for text in _texts(values, context, value)
                if text.replace("*", "").strip(".")
            )
        case "default" | "object-default":
            refined.given = arg
            text = text_of(values, context, arg) if item.aspect != "default" else None
            if text is not None:
                refined.default = text, base + instr.at, base + instr.end
            else:
                refined.default = _default(models, values, context, call, item.argument)
        case "description":
            said = value_text(values, context, arg) or known_parts(values, context, arg)
            refined.description = said or refined.description
        case "type":
            row = constant_row(models, context, arg)
            if row is not None and row.value_type:
                refined.type = OptionType(row.value_type)
                refined.unit = row.unit or refined.unit
                if row.text and refined.default is None:
                    refined.default = row.text, base + instr.at, base + instr.end
        case "class":
            if isinstance(instr, ir.ClassLiteral):
                refined.java_type = context.program.resolve(
                    instr.type, context.ref.path, context.ref.owner
                ).text()
        case "kind":
            if isinstance(instr, ir.ClassLiteral):
                refined.java_type = context.program.resolve(
                    instr.type, context.ref.path, context.ref.owner
                ).text()
            elif isinstance(instr, (ir.Name, ir.Field, ir.Call)):
                refined.type = type_said(instr.name) or refined.type
        case "secret":
            if value_text(values, context, arg) != "false":
                refined.type = OptionType.PASSWORD
        case "copied":
            refined.copied = arg
        case "values" | "object-values":
            texts = _texts if item.aspect == "values" else _meant
            listed = [
                text
                for value in call.args[item.argument :]
                for text in texts(values, context, value)
            ]
            if item.aspect != "values" and {text.lower() for text in listed} == _TRUTH:
                refined.type = refined.type or OptionType.BOOLEAN
            elif listed and not any("*" in text for text in listed):
                refined.values = tuple(listed)
        case _:
            pass


def _default(
    models: Models, values: Values, context: Context, call: ir.Call, place: int
) -> tuple[str, int, int] | None:
    """Return a default; arguments from ``place`` on are the items of a list."""
    if len(call.args) <= place + 1:
        return default_value(models, values, context, call.args[place])
    found = [default_value(models, values, context, arg) for arg in call.args[place:]]
    known = [item for item in found if item is not None]
    if len(known) != len(found):
        return None
    return ",".join(item[0] for item in known), known[0][1], known[-1][2]


def _meant(values: Values, context: Context, value: int) -> Sequence[str]:
    """Return the allowed values that one argument states: a text, a list, an object that stands for one, or all of an enum."""
    instr = context.code[value]
    if isinstance(instr, ir.ClassLiteral):
        type_ = context.program.resolve(instr.type, context.ref.path, context.ref.owner)
        return texts_of_enum(values, type_) or ("*",)
    text = text_of(values, context, value)
    return (text,) if text is not None else _texts(values, context, value)


def _texts(values: Values, context: Context, value: int) -> list[str]:
    instr = context.code[value]
    templates: Templates
    if isinstance(instr, ir.NewArray):
        templates = values.elements(context, value)
    else:
        templates = values.of(context, value)
    if any(not isinstance(part, str) for template in templates for part in template):
        templates = values.closed(context, templates)
    return [rendered(template) for template in templates]
