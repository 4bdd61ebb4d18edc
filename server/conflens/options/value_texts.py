"""Texts of constant values, as a user would write them: literals, lists, and what calls make of constants.

A duration or size is written with its unit (``5s``, ``10MB``), a list with commas.  What a call of a library makes of its
argument is told by conversion rows; a factory or constructor of the project by its body: one literal, perhaps with a
unit constant.  A constant field of an object is followed to its initial value.
Absent: values that depend on parameters or on other options.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.kinds import kind_of
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, RECEIVER, RETURN, ConversionRow
from conflens.options.amounts import amount
from conflens.options.constant_arguments import constant_row, receiver_is
from conflens.options.model import OptionType
from conflens.options.value_names import says
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.templates import known_text
from conflens.program.values import Values

PRIMITIVE_DEFAULTS = {
    "boolean": "false",
    **dict.fromkeys(("byte", "short", "int", "long"), "0"),
    **dict.fromkeys(("float", "double"), "0.0"),
}
"""What a field of a primitive type holds that nothing assigns."""

DEPTH = 5
"""Constants behind constants, and factories within factories, that are looked into."""

_READ_FROM_TEXT = frozenset({"time", "size"})
"""Kinds of values that a static method makes of their text."""

_SIZES = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
_UNIT_SIZES = {"B": 1, **_SIZES}
_NAMES = {"B": "bytes"}
_AMOUNT = re.compile(r"-?\d{1,18}")
_DIGITS = 15
_BITS = 62
_PARTS = 60
"""Parts of a text for a reader that are put together."""
_SENTENCE = 4
"""Words that say something."""
_REST = "…"
_HOLE = re.compile(r"%[sd]")
_BODY = 40
"""Instructions of a factory or constructor that is still looked into."""

_UNITS = {"min": "m"}
"""Units that are written otherwise in a value."""

_DURATIONS = {
    "ofNanos": "ns",
    "ofMillis": "ms",
    "ofSeconds": "s",
    "ofMinutes": "m",
    "ofHours": "h",
    "ofDays": "d",
}
_LISTS = frozenset({"of", "asList", "singletonList", "singleton"})
_NANOSECONDS = {
    "NANOSECONDS": 1,
    "MICROSECONDS": 1_000,
    "MILLISECONDS": 1_000_000,
    "SECONDS": 1_000_000_000,
    "MINUTES": 60_000_000_000,
    "HOURS": 3_600_000_000_000,
    "DAYS": 86_400_000_000_000,
}
_NANOSECONDS_IN = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
}
_UNITS_OF = dict(zip(_NANOSECONDS, _NANOSECONDS_IN, strict=True))
_DURATION = re.compile(r"(\d{1,18}+)(" + "|".join(_NANOSECONDS_IN) + ")")
_TO_UNIT = {
    "toNanos": "NANOSECONDS",
    "toMicros": "MICROSECONDS",
    "toMillis": "MILLISECONDS",
    "toSeconds": "SECONDS",
    "toMinutes": "MINUTES",
    "toHours": "HOURS",
    "toDays": "DAYS",
}

_TIMES = frozenset((*_DURATIONS, *_TO_UNIT))


def value_text(values: Values, context: Context, value: int) -> str | None:
    """Return an expression's value as a user would write it, when it is known.

    Lists are joined by commas, durations written with their unit (``5s``).
    """
    if value == NONE:
        return None
    instr = context.code[value]
    if isinstance(instr, ir.NewArray) and not instr.dims:
        return _joined(values, context, instr.values)
    if isinstance(instr, ir.Call) and instr.args and instr.object != NONE:
        owner = context.denotes(instr.object)
        if owner == "java.time.Duration" and instr.name in _DURATIONS:
            amount = known_text(values.of(context, instr.args[0]))
            return f"{amount}{_DURATIONS[instr.name]}" if amount is not None else None
        if owner is not None and owner.startswith("java.util.") and instr.name in _LISTS:
            return _joined(values, context, instr.args)
        if instr.name in _TO_UNIT:
            return _converted(values, context, instr)
    if isinstance(instr, ir.Call) and not instr.args and instr.name in _TO_UNIT:
        return _counted(values, context, instr, 0)
    if isinstance(instr, ir.Cast):
        return value_text(values, context, instr.value)
    found = values.of(context, value)
    if any(not isinstance(part, str) for template in found for part in template):
        found = values.closed(context, found)
    return known_text(found)


def known_parts(values: Values, context: Context, value: int) -> str:
    """Return what is known of a text for a reader that is put together; empty if that is little: dots stand for the rest."""
    found: list[str] = []
    queue = [value]
    for _ in range(_PARTS):
        if not queue:
            break
        at = queue.pop()
        instr = context.code[at] if at != NONE else None
        text = known_text(values.of(context, at)) if at != NONE else None
        if text is not None:
            found.append(text)
        elif isinstance(instr, (ir.Binary, ir.Call)) and (at == value or not _is_asked(instr)):
            queue += reversed(ir.operands(instr))
        elif found and found[-1] != _REST:
            found.append(_REST)
    joined = _HOLE.sub(_REST, "".join(found)).strip()
    return joined if len(joined.split()) >= _SENTENCE else ""


def _is_asked(instr: ir.Binary | ir.Call) -> bool:
    """Tell whether an instruction asks an object for something, which is no part of the text by itself."""
    return isinstance(instr, ir.Call) and not instr.args


def _converted(values: Values, context: Context, call: ir.Call) -> str | None:
    """Return ``TimeUnit.DAYS.toSeconds(1)`` as a number."""
    unit = known_text(values.of(context, call.object))
    amount = known_text(values.of(context, call.args[0]))
    factor = _NANOSECONDS.get(unit or "")
    if factor is None or amount is None or not amount.isdecimal():
        return None
    return str(int(amount) * factor // _NANOSECONDS[_TO_UNIT[call.name]])


def _counted(values: Values, context: Context, call: ir.Call, depth: int) -> str | None:
    """Return ``Duration.ofDays(1).toSeconds()`` as a number."""
    text = time_text(values, context, call.object, depth + 1)
    unit = _UNITS_OF[_TO_UNIT[call.name]]
    found = in_unit(text, unit) if text is not None else None
    return found if found != text else None


def in_unit(text: str, unit: str) -> str:
    """Return a duration with its unit as a number of other units, any other text unchanged."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return text
    return str(int(match[1]) * _NANOSECONDS_IN[match[2]] // _NANOSECONDS_IN[unit])


def unit_of(context: Context, value: int) -> str:
    """Return the unit of a number that a call makes a duration of, empty for any other value."""
    call = context.code[value]
    if not isinstance(call, ir.Call) or call.name not in _DURATIONS or call.object == NONE:
        return ""
    return _DURATIONS[call.name] if context.denotes(call.object) == "java.time.Duration" else ""


def time_text(values: Values, context: Context, value: int, depth: int = 0) -> str | None:
    """Return what ``value_text`` says of a duration, or of a number made of one, also behind constants."""
    instr = context.code[value] if value != NONE else None
    match instr:
        case ir.Call(args=()) if instr.object != NONE and instr.name in _TO_UNIT:
            return _counted(values, context, instr, depth) if depth < DEPTH else None
        case ir.Call() if instr.object != NONE and instr.args and instr.name in _TIMES:
            return value_text(values, context, value)
        case ir.Cast() if depth < DEPTH:
            return time_text(values, context, instr.value, depth + 1)
        case ir.Name() | ir.Field() if depth < DEPTH:
            field = context.field_of(value)
            if field is None or not values.program.is_constant(field):
                return None
            inner = values.open(field)
            for store in inner.code:
                if isinstance(store, ir.StoreField) and store.name == instr.name:
                    return time_text(values, inner, store.value, depth + 1)
        case _:
            pass
    return None


def _joined(values: Values, context: Context, items: tuple[int, ...]) -> str | None:
    found = [known_text(values.of(context, item)) for item in items]
    if any(text is None for text in found):
        return None
    return ",".join(text for text in found if text is not None)


def default_value(
    models: Models, values: Values, context: Context, value: int
) -> tuple[str, int, int] | None:
    """Return a default's text and its absolute offsets; none when it is absent, null or not known."""
    row = constant_row(models, context, value)
    if value == NONE or (row is not None and row.absent):
        return None
    text = made_text(models, values, context, value)
    if text is None:
        return None
    instr = context.code[value]
    base = context.member.at
    return text, base + instr.at, base + instr.end


def made_text(
    models: Models, values: Values, context: Context, value: int, depth: int = 0
) -> str | None:
    """Return the text of a constant, also of one that calls and constructors make; ``None`` where it is not known."""
    if value == NONE or depth > DEPTH:
        return None
    text = value_text(values, context, value)
    if text is not None:
        return text
    instr = context.code[value]
    match instr:
        case ir.Cast():
            return made_text(models, values, context, instr.value, depth)
        case ir.Name() | ir.Field():
            row = constant_row(models, context, value)
            if row is not None and row.text:
                return row.text
            field = context.field_of(value)
            if field is None or not values.program.is_constant(field):
                return None
            inner = values.open(field)
            for store in inner.code:
                if isinstance(store, ir.StoreField):
                    return made_text(models, values, inner, store.value, depth + 1)
            return None
        case ir.Call() if not instr.args and instr.object != NONE:
            return _taken_out(models, values, context, value, instr, depth)
        case ir.Call() if instr.args:
            targets = context.targets(value)
            if targets:
                return _factory(models, values, context, instr, targets[0], depth)
            owner = context.denotes(instr.object) if instr.object != NONE else None
            if owner is not None and owner.startswith("java.util.") and instr.name in _LISTS:
                return _listed(models, values, context, instr.args, depth)
            owners = context.static_imports(instr.name) if owner is None else [owner]
            return _by_row(models, values, context, instr, instr.name, owners, depth)
        case ir.New() if instr.args:
            return _constructed(models, values, context, value, instr, depth)
        case _:
            return None


def _by_row(
    models: Models,
    values: Values,
    context: Context,
    call: ir.Call | ir.New,
    method: str,
    owners: Sequence[str],
    depth: int,
) -> str | None:
    """Return what a static call or constructor of a library makes of its argument, by its conversion row."""
    for row in models.conversions_by_method.get(method, ()):
        if row.type not in owners or row.sources != (0,) or row.target != RETURN:
            continue
        if len(call.args) < row.min_args or len(call.args) > (row.max_args or len(call.args)):
            continue
        if row.value_type == "list":
            return _listed(models, values, context, call.args, depth)
        text = made_text(models, values, context, call.args[0], depth + 1)
        return _with_unit(models, context, call.args, row, text) if text is not None else None
    return None


def _taken_out(
    models: Models, values: Values, context: Context, value: int, call: ir.Call, depth: int
) -> str | None:
    """Return the number that a library makes of a size: ``DataSize.gigabytes(10).toBytes()``."""
    for row in models.conversions_by_method.get(call.name, ()):
        if row.sources != (RECEIVER,) or row.to_unit not in _UNIT_SIZES or context.targets(value):
            continue
        if not receiver_is(context, value, call, (row.type,)):
            continue
        text = made_text(models, values, context, call.object, depth + 1)
        size = amount(text, OptionType.SIZE) if text is not None else None
        return str(int(size) // _UNIT_SIZES[row.to_unit]) if size is not None else None
    return None


def _with_unit(
    models: Models, context: Context, args: tuple[int, ...], row: ConversionRow, text: str
) -> str | None:
    """Return a number with the unit in which a call takes it; ``None`` where it leaves in another unit."""
    unit: str | None = row.from_unit
    if isinstance(row.from_unit_argument, int):
        if row.from_unit_argument >= len(args):
            return None
        constant = constant_row(models, context, args[row.from_unit_argument])
        unit = constant.unit if constant is not None else None
        if unit is None:
            return None
    if row.to_unit is not None or row.to_unit_argument is not None:
        return text if unit == row.to_unit else None
    if row.factor > 1 and text.isdecimal():
        text = str(int(text) * row.factor)
    return _counted_in(text, _NAMES.get(unit, unit)) if unit else text


def _counted_in(text: str, unit: str) -> str:
    """Return a number with its unit; ``-1`` stands for no limit whatever the unit is."""
    if text == "-1" or not _AMOUNT.fullmatch(text):
        return text
    return f"{text} bytes" if unit == "bytes" else f"{text}{_UNITS.get(unit, unit)}"


def _listed(
    models: Models, values: Values, context: Context, items: tuple[int, ...], depth: int
) -> str | None:
    found = [made_text(models, values, context, item, depth + 1) for item in items]
    known = [text for text in found if text is not None]
    return ",".join(known) if len(known) == len(found) else None


def _factory(
    models: Models,
    values: Values,
    context: Context,
    call: ir.Call,
    target: MemberRef,
    depth: int,
) -> str | None:
    """Return what a static method of the project, which returns its own class, makes of a literal.

    A method of one text is taken to read it; the body of another says with which unit it takes a number.
    """
    program = values.program
    member = program.member(target)
    result = program.return_type(target)
    if not program.is_static(target) or result is None:
        return None
    own = result.name == target.owner
    if not own and kind_of(program, result) not in _READ_FROM_TEXT:
        return None
    text = made_text(models, values, context, call.args[0], depth + 1)
    if text is None or len(call.args) != len(member.params):
        return None
    if [param.type for param in member.params] == ["String"]:
        return text
    if not own:
        return None
    inner = values.open(target)
    for instr in inner.code[:_BODY]:
        if isinstance(instr, ir.Return) and instr.value != NONE:
            made = inner.code[instr.value]
            if isinstance(made, (ir.New, ir.Call)):
                return _passed_on(models, context, call, inner, instr.value, text)
            return None
    return None


def _passed_on(
    models: Models,
    context: Context,
    call: ir.Call | ir.New,
    inner: Context,
    value: int,
    text: str,
) -> str | None:
    """Return the text of an object that a body makes of its first parameter, perhaps multiplied, and perhaps a unit."""
    unit = ""
    taken = False
    made = inner.code[value]
    assert isinstance(made, (ir.New, ir.Call))
    factor = _factor(inner, made.args)
    if factor > 1:
        base = _unit_of_parameter(inner, value)
        known = next(
            (one for one, size in _SIZES.items() if base == "bytes" and size == factor), ""
        )
        return _counted_in(text, known) if known else None
    for arg in made.args:
        instr = inner.code[arg]
        if isinstance(instr, ir.Load) and not instr.up and inner.is_parameter(instr.slot):
            if instr.slot == 0:
                taken = True
                continue
            if instr.slot >= len(call.args):
                return None
            row = constant_row(models, context, call.args[instr.slot])
        else:
            row = constant_row(models, inner, arg)
        if row is None or row.unit is None:
            return None
        unit = row.unit
    return _counted_in(text, unit or _unit_of_parameter(inner, value)) if taken else None


def _factor(inner: Context, args: tuple[int, ...]) -> int:
    """Return by how much the first parameter of a body is multiplied where it is the only argument, 1 if by nothing."""
    product = inner.code[args[0]] if len(args) == 1 else None
    if not isinstance(product, ir.Binary) or product.op not in ("<<", "*"):
        return 1
    load, by = inner.code[product.left], inner.code[product.right]
    if not isinstance(load, ir.Load) or load.up or load.slot or not inner.is_parameter(0):
        return 1
    if not isinstance(by, ir.Const) or not by.value.isdecimal() or len(by.value) > _DIGITS:
        return 1
    amount = int(by.value)
    return 1 << min(amount, _BITS) if product.op == "<<" else amount


def _unit_of_parameter(context: Context, value: int) -> str:
    """Return the unit that a constructor or factory of the project states in the name of its one parameter."""
    targets = context.targets(value)
    params = context.program.member(targets[0]).params if targets else ()
    if len(params) != 1 or params[0].type not in ("long", "int"):
        return ""
    said = says(params[0].name)
    return said.unit if said.exact else ""


def _constructed(
    models: Models, values: Values, context: Context, value: int, new: ir.New, depth: int
) -> str | None:
    """Return the text of an object that is made of a literal, perhaps with a unit; ``None`` for one with members."""
    program = values.program
    text = made_text(models, values, context, new.args[0], depth + 1)
    type_ = context.type_of(value)
    if text is None or type_ is None:
        return None
    if program.type(type_.name) is None:
        found = _by_row(models, values, context, new, CONSTRUCTOR, [type_.name], depth)
        if found is not None:
            return found
    if len(new.args) == 1 and program.type(type_.name) is None:
        return text if kind_of(program, type_) not in ("", "string") else None
    if len(new.args) == 1:
        targets = context.targets(value)
        params = program.member(targets[0]).params if targets else ()
        if [param.type for param in params] == ["String"]:
            return text
        unit = _unit_of_parameter(context, value)
        return _counted_in(text, unit) if unit else None
    if len(new.args) == 2:
        row = constant_row(models, context, new.args[1])
        if row is not None and row.unit is not None:
            return _counted_in(text, row.unit)
    return None
