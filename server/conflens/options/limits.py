"""Limits of an option: what declarations state, and what all declarations and reads come to together.

Every definition of a name may be of another thing, so that the loosest of them holds; every read demands what it does
(``rejected``), so that all of them hold.  Where they contradict each other, or a default, nothing is said.
Absent: judging a value (``checking.values``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from conflens.facts import ir
from conflens.flow.kinds import enum_constants, held
from conflens.models.words import Syntax
from conflens.options.model import NUMERIC, UNLIMITED, Limits, OptionType
from conflens.options.sites import Hint
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType, unboxed

_NUMBERS = frozenset({"integer", "fraction"})
_AMOUNTS = {
    "iso-duration": OptionType.TIME,
    "unit-duration": OptionType.TIME,
    "duration": OptionType.TIME,
    "size": OptionType.SIZE,
}
_TYPES = {
    OptionType.INTEGER: "integer",
    OptionType.FRACTION: "fraction",
    OptionType.BOOLEAN: "switch",
}
_JAVA = {
    "int": "integer",
    "long": "integer",
    "short": "integer",
    "byte": "integer",
    "float": "fraction",
    "double": "fraction",
    "boolean": "switch",
}
_LOOKS_UP = "valueOf"
_STRICTNESS = (
    ("integer", "fraction"),
    ("true-or-false", "switch", "true-else-default", "true-only"),
)
"""What takes fewer texts stands before what takes more, or takes any and makes something of it."""
_ONLY_LOOKS = frozenset(
    {"trim", "strip", "toUpperCase", "isEmpty", "isBlank"}
    | {"values", "toString", "format", "join", "asList", _LOOKS_UP}
)
"""Methods by which no more texts than the names of constants become constants; the second line is for messages."""
_CHOOSING = (ir.Switch, ir.Index)
_LANGUAGE = ("java.lang.Deprecated", "java.lang.SuppressWarnings", "java.lang.Override")


def joined(found: Iterable[Limits]) -> Limits:
    """Return the limits that all of ``found`` make together; those that contradict each other are dropped.

    Of texts that are taken, those hold which each of ``found`` takes: a read that fails for ``maybe`` still does where
    another one makes ``false`` of it.
    """
    items = [item for item in found if item != UNLIMITED]
    if not items:
        return UNLIMITED
    if len(items) == 1:
        return items[0]
    accepts = {item.accepts for item in items if item.accepts}
    supertypes = {item.supertype for item in items if item.supertype}
    closed = [item for item in items if item.closed]
    result = Limits(
        max((item.minimum for item in items if item.minimum is not None), default=None),
        min((item.maximum for item in items if item.maximum is not None), default=None),
        max((item.above for item in items if item.above is not None), default=None),
        min((item.under for item in items if item.under is not None), default=None),
        bool(closed),
        supertypes.pop() if len(supertypes) == 1 else "",
        next((item.place for item in items if item.place is not None), None),
        all(item.ignores_case for item in closed) if closed else False,
        _strictest(accepts),
        all(item.joints for item in closed) if closed else False,
        any(item.asked for item in items),
        next((item.compared for item in items if item.compared), ()),
    )
    return result if _is_consistent(result) else _unbounded(result)


def _strictest(accepts: set[str]) -> str:
    """Return what takes the fewest texts, empty where that cannot be said."""
    for order in _STRICTNESS:
        if accepts and accepts.issubset(order):
            return min(accepts, key=order.index)
    return next(iter(accepts)) if len(accepts) == 1 else ""


def loosest(found: Sequence[Limits]) -> Limits:
    """Return what several definitions of one name all keep to: they may be of different things."""
    if not found:
        return UNLIMITED
    low = [item.minimum for item in found]
    high = [item.maximum for item in found]
    above = [item.above for item in found]
    under = [item.under for item in found]
    accepts = {item.accepts for item in found if item.accepts}
    return attrs.evolve(
        joined(found),
        minimum=min((x for x in low if x is not None), default=None) if None not in low else None,
        maximum=max((x for x in high if x is not None), default=None)
        if None not in high
        else None,
        above=min((x for x in above if x is not None), default=None)
        if None not in above
        else None,
        under=max((x for x in under if x is not None), default=None)
        if None not in under
        else None,
        closed=all(item.closed for item in found),
        ignores_case=any(item.ignores_case for item in found),
        accepts=next(iter(accepts)) if len(accepts) == 1 else "",
    )


def _unbounded(limits: Limits) -> Limits:
    return attrs.evolve(limits, minimum=None, maximum=None, above=None, under=None)


def _is_consistent(limits: Limits) -> bool:
    low = max(
        (bound for bound in (limits.minimum, limits.above) if bound is not None), default=None
    )
    high = min(
        (bound for bound in (limits.maximum, limits.under) if bound is not None), default=None
    )
    return low is None or high is None or low <= high


def allows(limits: Limits, number: float) -> bool:
    """Tell whether a number keeps to the bounds."""
    return not (
        (limits.minimum is not None and number < limits.minimum)
        or (limits.maximum is not None and number > limits.maximum)
        or (limits.above is not None and number <= limits.above)
        or (limits.under is not None and number >= limits.under)
    )


def fitted(
    limits: Limits, type_: OptionType, values: tuple[str, ...], defaults: Sequence[str]
) -> Limits:
    """Return what of ``limits`` holds for an option of a type; ``values`` are the closed set, or empty.

    Code that gives a default which it would reject means something else by it, so that nothing is known.
    """
    if limits == UNLIMITED:
        return UNLIMITED
    if type_ not in NUMERIC:
        limits = _unbounded(limits)
        if limits.accepts in _NUMBERS:
            limits = attrs.evolve(limits, accepts="")
    if limits.closed:
        limits = _closed(limits, values, defaults)
    if type_ is not OptionType.MODE:
        limits = attrs.evolve(limits, asked=False, compared=())
    if _AMOUNTS.get(limits.accepts, type_) is not type_:
        limits = attrs.evolve(limits, accepts="")
    if type_ is not OptionType.BOOLEAN and limits.accepts not in (*_NUMBERS, *_AMOUNTS):
        limits = attrs.evolve(limits, accepts="")
    if type_ is not OptionType.CLASS:
        limits = attrs.evolve(limits, supertype="")
    if type_ in NUMERIC:
        for text in defaults:
            number = _number(text)
            if number is None:
                if text.strip() and limits.accepts in _NUMBERS:
                    limits = attrs.evolve(limits, accepts="")
            elif not allows(limits, number):
                limits = _unbounded(limits)
    bare = attrs.evolve(limits, place=None)
    return UNLIMITED if bare == UNLIMITED else limits


def _closed(limits: Limits, values: tuple[str, ...], defaults: Sequence[str]) -> Limits:
    known = set(values)
    lower = {value.lower() for value in values}
    stated = {text for text in defaults if text.strip("()[]<>") == text and text}
    folded = {text.replace("-", "_") if limits.joints else text for text in stated}
    if not values or not {text.lower() for text in folded} <= lower:
        return attrs.evolve(limits, closed=False, ignores_case=False, joints=False)
    return limits if stated <= known else attrs.evolve(limits, ignores_case=True)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def number_of(text: str | None) -> float | None:
    """Return a bound that is stated as text; ``None`` where it is not a plain finite number."""
    number = _number(text) if text else None
    return number if number is not None and abs(number) < 1e300 else None


def of_defined(
    program: Program,
    hint: Hint,
    type_: OptionType,
    values: tuple[str, ...],
    texts: Mapping[str, Syntax],
    *,
    field: bool,
) -> Limits:
    """Return the limits that a definition or a bound field states; ``field``: a container fills it.

    ``texts`` are what texts members of a type are made of (``DomainRow``).  Where a class that the declaration names makes
    the value of its text, only an enum is known, if that class is seen to look for the constant of that name.
    """
    limits = hint.limits
    if hint.converter:
        wanted = JavaType(hint.java_type)
        found = type_ is OptionType.MODE and values == enum_constants(program, wanted)
        folds = _looked_up(program, hint.converter) if found else None
        if folds is None:
            return attrs.evolve(limits, closed=False, accepts="")
        return attrs.evolve(limits, closed=True, ignores_case=folds, accepts="")
    if not limits.accepts and hint.type in _TYPES and not hint.presence:
        limits = attrs.evolve(limits, accepts=_TYPES[hint.type])
    if not hint.java_type:
        return limits
    java = JavaType(hint.java_type)
    if not limits.accepts and hint.type is None:
        limits = attrs.evolve(limits, accepts=converted(java, texts if field else {}))
    enum = field and type_ is OptionType.MODE and values == enum_constants(program, java)
    if enum and not limits.closed and _is_plain(program, java):
        limits = attrs.evolve(limits, closed=True)
    return limits


def converted(java: JavaType, texts: Mapping[str, Syntax]) -> str:
    """Return what texts a library makes objects of a type of; ``texts`` are those that it knows beyond the language's own."""
    bare = held(java) or java
    return texts.get(bare.name, "") or _JAVA.get(unboxed(java) or "", "")


def _looked_up(program: Program, converter: str) -> bool | None:
    """Tell whether a class that makes constants of an enum by their names alone takes them in any case; ``None`` if it may
    make them of other texts, too."""
    found = [
        looked_up(program, ref)
        for refs in program.own_methods(converter).values()
        for ref in refs
        if any(
            isinstance(one, ir.Call) and one.name == _LOOKS_UP for one in program.body(ref).code
        )
    ]
    if len(found) != 1 or found[0] is None or found[0].joints:
        return None
    return found[0].ignores_case


def looked_up(program: Program, ref: MemberRef) -> Limits | None:
    """Return how a method finds the constant of an enum that has the name it is given: in any case, with ``-`` for ``_``;
    ``None`` if it may take other texts, too."""
    code = program.body(ref).code
    called = {
        one.name for one in code if isinstance(one, ir.Call) and not _swaps_joints(code, one)
    }
    joints = any(isinstance(one, ir.Call) and _swaps_joints(code, one) for one in code)
    if _LOOKS_UP not in called or called - _ONLY_LOOKS:
        return None
    if any(isinstance(one, (*_CHOOSING, ir.Try)) for one in code):
        return None
    return Limits(closed=True, ignores_case="toUpperCase" in called, joints=joints)


def _swaps_joints(code: Sequence[ir.Instr], call: ir.Call) -> bool:
    """Tell ``text.replace("-", "_")``."""
    given = [code[arg] for arg in call.args]
    return call.name in ("replace", "replaceAll") and [
        one.value for one in given if isinstance(one, ir.Const)
    ] == ["-", "_"]


def _is_plain(program: Program, java: JavaType) -> bool:
    """Tell whether texts become constants of an enum by their names: nothing says otherwise by annotations."""
    info = program.type(java.name)
    if info is None:
        return False
    facts = program.files[info.path]
    return not any(
        f"java.lang.{annotation.name}" not in _LANGUAGE
        for member in facts.members
        if program.type_name(info.path, member.owner) == java.name
        for annotation in member.annotations
    ) and not any(
        f"java.lang.{annotation.name}" not in _LANGUAGE for annotation in info.decl.annotations
    )
