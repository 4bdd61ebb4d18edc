"""Methods of ``String``, string builders and ``Class`` on constants: what the language itself defines."""

from __future__ import annotations

import re
from collections.abc import Callable

from conflens.facts import ir
from conflens.models.words import STYLES, Spelling
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import (
    CONVERSION,
    FORMATTED,
    STYLED,
    UNKNOWN,
    Templates,
    Turn,
    concat,
    known_text,
    turned,
)

_ARGUMENT = re.compile(r"'([^']*)'|\{(\d{1,3})\}|\{([^{}]*)\}")
"""In a pattern of ``java.text.MessageFormat``: quoted text, an argument as it is, an argument that is shaped."""

MESSAGE_FORMAT = "java.text.MessageFormat"

Evaluate = Callable[[Context, int], Templates]

_SAME = frozenset({"intern", "toString"})
_CASES = {"toLowerCase": Turn("lower"), "toUpperCase": Turn("upper")}
_ONE_OF = re.compile(r"\[(-?(?:[^\\\[\]^&-]|\\[^\w\s])+-?)\]")
_PLAIN = re.compile(r"(?:[\w /:,;=#@%~-]|\\[^\w\s])+")
CLASS_NAMES = frozenset({"getName", "getCanonicalName", "getTypeName"})
SIMPLE_NAME = "getSimpleName"


def string_call(context: Context, call: ir.Call, type_: str, of: Evaluate) -> Templates:
    """Return what a call on ``String`` or on a builder can give; ``type_`` is the receiver's type."""
    return _string_call(context, call, type_, lambda value: of(context, value))


def _string_call(
    context: Context, call: ir.Call, type_: str, of: Callable[[int], Templates]
) -> Templates:
    static = context.denotes(call.object) is not None
    if static:
        if call.name == "valueOf" and call.args:
            return of(call.args[0])
        if call.name == "format" and call.args:
            return _format(_without_locale(context, call.args), of)
        if call.name == "join" and len(call.args) > 1:
            return _join(call.args, of)
        return UNKNOWN
    text = of(call.object)
    if call.name in ("trim", "strip"):
        whole = known_text(text)
        return ((whole.strip(),),) if whole is not None else text
    if call.name in _SAME:
        return text
    if call.name in _CASES:
        return turned(text, _CASES[call.name])
    if call.name in ("concat", "append") and len(call.args) == 1:
        return concat(text, of(call.args[0]))
    if call.name == "formatted" and type_ == "java.lang.String":
        return _format((call.object, *call.args), of)
    if call.name == "replace" and len(call.args) == 2:
        old = known_text(of(call.args[0]))
        new = known_text(of(call.args[1]))
        if old is not None and new is not None:
            return turned(text, Turn("replace", old, new))
    if call.name == "replaceAll" and len(call.args) == 2:
        return _replaced(text, known_text(of(call.args[0])), known_text(of(call.args[1])))
    if call.name == "substring" and len(call.args) == 1:
        start = known_text(of(call.args[0]))
        whole = known_text(text)
        if start is not None and whole is not None and start.isdigit():
            return ((whole[int(start) :],),)
    return UNKNOWN


def _without_locale(context: Context, args: tuple[int, ...]) -> tuple[int, ...]:
    """Return the arguments after the locale, which only shapes numbers and dates."""
    type_ = context.type_of(args[0]) if len(args) > 1 else None
    return args[1:] if type_ is not None and type_.name == "java.util.Locale" else args


def _replaced(text: Templates, pattern: str | None, new: str | None) -> Templates:
    """Replace what a pattern means that is a text, or one of several characters."""
    if pattern is None or new is None or "$" in new or "\\" in new:
        return UNKNOWN
    one_of = _ONE_OF.fullmatch(pattern)
    if one_of is None and _PLAIN.fullmatch(pattern) is None:
        return UNKNOWN
    plain = (one_of[1] if one_of else pattern).replace("\\", "")
    if one_of and len(new) > 1 and not set(new).isdisjoint(plain):
        return UNKNOWN
    for old in dict.fromkeys(plain) if one_of else (plain,):
        text = turned(text, Turn("replace", old, new))
    return text


def _format(args: tuple[int, ...], of: Callable[[int], Templates]) -> Templates:
    """Fill a format text (``java.util.Formatter``); a conversion that shapes its value is dynamic, and so are all of a text that a
    caller tells."""
    text = of(args[0])
    pattern = known_text(text)
    if pattern is None:
        return turned(text, Turn(FORMATTED))
    result: Templates = (("",),)
    rest = list(args[1:])
    end = 0
    for match in CONVERSION.finditer(pattern):
        result = concat(result, ((pattern[end : match.start()],),))
        end = match.end()
        shape, kind = match.groups()
        if kind in ("n", "%"):
            result = concat(result, (("\n" if kind == "n" else "%",),))
        elif rest and not shape and kind in ("s", "d"):
            result = concat(result, of(rest.pop(0)))
        else:
            result = concat(result, UNKNOWN)
            rest = rest[1:] if "$" not in shape else rest
    return concat(result, ((pattern[end:],),))


def message(context: Context, call: ir.Call, of: Evaluate) -> Templates:
    """Return what ``MessageFormat.format`` makes of a pattern; an argument that is shaped is dynamic."""
    pattern = (
        known_text(of(context, call.args[0])) if call.name == "format" and call.args else None
    )
    if pattern is None:
        return UNKNOWN
    result: Templates = (("",),)
    end = 0
    for match in _ARGUMENT.finditer(pattern):
        result = concat(result, ((pattern[end : match.start()],),))
        end = match.end()
        quoted, number, _ = match.groups()
        if quoted is not None:
            result = concat(result, ((quoted or "'",),))
        elif number is not None and int(number) + 1 < len(call.args):
            result = concat(result, of(context, call.args[int(number) + 1]))
        else:
            result = concat(result, UNKNOWN)
    return concat(result, ((pattern[end:],),))


def _join(args: tuple[int, ...], of: Callable[[int], Templates]) -> Templates:
    result: Templates = ()
    for number, arg in enumerate(args[1:]):
        given = of(arg)
        separator = of(args[0])
        result = given if number == 0 else concat(concat(result, separator), given)
    return result


def class_name(context: Context, literal: ir.ClassLiteral, method: str) -> Templates:
    """Return what a method of ``Class`` that names a class gives for ``X.class``."""
    program = context.program
    name = program.resolve(literal.type, context.ref.path, context.ref.owner).name
    if method in CLASS_NAMES:
        return ((_binary_name(program, name) if method == "getName" else name,),)
    if method == SIMPLE_NAME:
        return ((name.rpartition(".")[2],),)
    if method == "getPackageName":
        info = program.type(name)
        package = program.files[info.path].package if info else name.rpartition(".")[0]
        return ((package,),)
    return UNKNOWN


def respelt(
    text: Templates, spelling: Spelling, styles: tuple[str | None, str | None]
) -> Templates:
    """Return what a library function makes of the spelling of a text; ``styles``: those that its objects stand for."""
    if spelling == STYLES:
        old, new = styles
        return turned(text, Turn(STYLED, old, new)) if old and new else UNKNOWN
    old, _, new = spelling.partition(" ")
    return turned(text, Turn(STYLED, old, new) if new else Turn(spelling))


def _binary_name(program: Program, name: str) -> str:
    info = program.type(name)
    if info is None or not info.outer:
        return name
    return f"{_binary_name(program, info.outer)}${info.decl.name}"
