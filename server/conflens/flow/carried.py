"""What is assigned or returned under a condition on an option carries the option.

A truth value or an enum does (LearnConf §3.1.1); numbers and texts when the arms of one condition
give different constants; objects, as ``CHOSEN``, when its arms make different ones, or when there is none unless an arm runs.  The result of
``?:`` and of a ``switch`` expression is the same matter.  Absent: what the condition governs (``guards``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.forms import (
    NOTHING_CHOSEN,
    SIZED,
    VALUE,
    Doubt,
    Effected,
    Entered,
    Fact,
    Form,
    Kind,
    LocalStep,
    Returned,
    Stored,
)
from conflens.flow.guards import Range, governed, loop_range, meant
from conflens.flow.making import Making
from conflens.flow.results import Dependency, StepRole
from conflens.program.reaching import unconditional
from conflens.program.refs import MemberRef
from conflens.program.types import JavaType, unboxed

_ALTERNATIVES = 12
_NOTE = "flow.assigned"


def filled(making: Making, at: int, fact: Fact) -> None:
    """A collection that a loop on the option fills has as many elements as the loop has rounds.

    Literals of truth that an arm hands to methods are assignments of theirs.
    """
    code = making.code
    instr = code.code[at]
    if isinstance(instr, (ir.Loop, ir.ForEach)):
        start, stop = loop_range(instr)
        making.program.meter.spend(stop - start)
        for index in range(start, stop):
            call = code.code[index]
            if not isinstance(call, ir.Call) or call.object == NONE:
                continue
            holder = code.code[call.object]
            if not isinstance(holder, ir.Load) or holder.up:
                continue
            if making.library.grows(code, index):
                steps = ((at, StepRole.GUARD), (index, StepRole.STORE))
                making.hold(call.object, stop - 1, SIZED, fact, steps)
    elif isinstance(instr, ir.If):
        flag = fact[1].kind is Kind.FLAG
        part = next(meant(code, at) if flag else governed(code, at), None)
        handed: dict[tuple[MemberRef, int], dict[str, tuple[int, int]]] = {}
        for start, stop in part.arms[: 1 if flag else 2] if part is not None else ():
            making.program.meter.spend(max(0, min(stop, instr.stop) - start))
            for index in range(start, min(stop, instr.stop)):
                call = code.code[index]
                if isinstance(call, (ir.Call, ir.New)):
                    _switched(making, at, fact, index, call)
                    for ref, place, text, doubt in _handed(making, index, call):
                        handed.setdefault((ref, place), {}).setdefault(text, (index, doubt))
        for (ref, place), given in handed.items():
            # What a method is always given here decides nothing in it; what it sets does, wherever that is read.
            if len(given) > 1 or making.sets(ref, place):
                for index, doubt in given.values():
                    whole = making.doubt(fact) | doubt | Doubt.CARRIED
                    making.out(Entered(index, ref, place, VALUE, fact, whole))


def effects(making: Making) -> None:
    """Spread the constants that a method sets which as a whole runs under a condition.

    A method without parameters that sets a truth value, an enum or a named cell is a switch.
    """
    code = making.code
    source: Fact = (NONE, making.slice.seed.form)
    for index, instr in enumerate(code.code):
        match instr:
            case ir.StoreField():
                field = code.context.target_field(instr)
                if field is None or not isinstance(
                    code.code[instr.value], (ir.Const, ir.Name, ir.Field)
                ):
                    continue
                if _is_flag(making, making.program.field_type(field)):
                    step = ((index, StepRole.STORE),)
                    making.out(Stored(index, field, VALUE, source, Doubt.NONE, step))
            case ir.Call() if instr.args:
                refs, doubt = making.library.callees.run_by(code, index)
                for ref in refs[:1] if len(refs) == 1 else ():
                    keys = making.keys_for(ref, instr.args)
                    for place, arg in enumerate(instr.args):
                        named = any(slot == place for slot, _ in keys)
                        if keys and not named and isinstance(code.code[arg], ir.Const):
                            making.out(Entered(index, ref, place, VALUE, source, doubt, keys))
            case _:
                pass


def _switched(making: Making, at: int, fact: Fact, index: int, call: ir.Call | ir.New) -> None:
    """A method without parameters that an arm calls may set constants."""
    if not call.args and isinstance(call, ir.Call):
        refs, doubt = making.library.callees.run_by(making.code, index)
        whole = making.doubt(fact) | doubt | Doubt.CARRIED
        for ref in refs if len(refs) == 1 else ():
            making.out(Effected(index, ref, VALUE, fact, whole, at))


def _handed(
    making: Making, index: int, call: ir.Call | ir.New
) -> Iterator[tuple[MemberRef, int, str, int]]:
    """Yield the parameters to which a call gives literals of truth, with the literal and the doubt about the method."""
    for place, arg in enumerate(call.args):
        value = making.code.code[arg]
        if isinstance(value, ir.Const) and value.kind == "b":
            refs, doubt = making.library.callees.run_by(making.code, index)
            for ref in refs if len(refs) <= _ALTERNATIVES else ():
                if place < len(making.program.member(ref).params):
                    yield ref, place, value.value, doubt


class _Assigned(NamedTuple):
    """Instruction ``instr`` gives ``value`` to ``target``."""

    target: tuple[str, object]
    instr: int
    value: int
    type: JavaType | None


class _Body(NamedTuple):
    """The assignments and returns of a body, in its order; ``again``: those of which the target has another one."""

    every: list[_Assigned]
    again: list[_Assigned]


class _Group(NamedTuple):
    """What is assigned to one target, the numbers of the arms in which that is, and of those in which it is in any case."""

    assigned: list[_Assigned]
    arms: set[int]
    always: set[int]


def carried(making: Making, at: int, fact: Fact) -> None:
    """Spread what the condition of ``at``, tested by ``fact``, decides."""
    code = making.code
    instr = code.code[at]
    if isinstance(instr, ir.Choice):
        if not _falls_back(making, instr):
            _chosen(making, at, fact, [instr.then, instr.other])
        return
    if isinstance(instr, ir.Switch) and instr.expression:
        yielded = [
            found.value
            for case in instr.cases
            for index in range(case.start, case.stop)
            if isinstance(found := code.code[index], ir.Return) and found.kind == "yield"
        ]
        _chosen(making, instr.stop, fact, yielded)
    if not isinstance(instr, (ir.If, ir.Switch)):
        return
    flag = fact[1].kind is Kind.FLAG
    part = next(meant(code, at) if flag else governed(code, at), None)
    if part is None or part.dependency is not Dependency.BRANCH:
        return
    groups: dict[tuple[str, object], _Group] = {}
    own = len(part.arms) if isinstance(instr, ir.Switch) or flag else 2
    proper = [span for span in part.arms[:own] if span[1] <= instr.stop]
    body = _body(making)
    for number, arm in enumerate(part.arms):
        # Outside the arms proper an assignment matters beside another one of its target only.
        for assigned in _between(making, body.every if arm in proper else body.again, arm):
            group = groups.setdefault(assigned.target, _Group([], set(), set()))
            group.assigned.append(assigned)
            group.arms.add(number)
            if unconditional(code.context, assigned.instr, arm):
                group.always.add(number)
    for group in groups.values():
        _spread(making, at, fact, group, proper)


def _between(making: Making, assigned: list[_Assigned], arm: Range) -> Iterator[_Assigned]:
    """Yield what is assigned in an arm, or returned from what the arm stands in."""
    code = making.code
    first = bisect_left(assigned, arm[0], key=_place)
    beyond = bisect_left(assigned, arm[1], first, key=_place)
    making.program.meter.spend(1 + beyond - first)
    for found in assigned[first:beyond]:
        returned = found.target[0] == "return"
        if not returned or code.lambda_of(found.instr) == code.lambda_of(arm[0]):
            yield found


def _place(assigned: _Assigned) -> int:
    return assigned.instr


def _body(making: Making) -> _Body:
    code = making.code
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, _Body):
        return kept
    making.program.meter.spend(len(code.code))
    found: list[_Assigned] = []
    for index, instr in enumerate(code.code):
        match instr:
            case ir.Store() if not instr.up and instr.value != NONE:
                type_ = code.context.local_type(instr.slot)
                found.append(_Assigned(("local", instr.slot), index, instr.value, type_))
            case ir.StoreField():
                field = code.context.target_field(instr)
                if field is not None:
                    type_ = making.program.field_type(field)
                    found.append(_Assigned(("field", field), index, instr.value, type_))
            case ir.Return() if instr.value != NONE and instr.kind != "yield":
                type_ = making.program.return_type(code.ref)
                found.append(_Assigned(("return", 0), index, instr.value, type_))
            case _:
                pass
    counts = Counter(assigned.target for assigned in found)
    body = _Body(found, [assigned for assigned in found if counts[assigned.target] > 1])
    code.context.notes[_NOTE] = body
    return body


def _spread(making: Making, at: int, fact: Fact, whole: _Group, proper: list[Range]) -> None:
    code = making.code
    group, arms, always = whole
    if len(arms) > 1 and arms == always:
        given = {_constant(making, assigned.value) for assigned in group}
        if len(given) == 1 and given != {None}:
            # Whichever way the condition goes, the same comes out.
            return
    for assigned in group[:_ALTERNATIVES]:
        value = code.code[assigned.value]
        inside = any(start <= assigned.instr < stop for start, stop in proper)
        form: Form | None = None
        doubt = Doubt.NONE
        if _is_flag(making, assigned.type):
            returned = assigned.target[0] == "return"
            constant = isinstance(value, (ir.Const, ir.Name, ir.Field, ir.Load))
            if inside and (constant or not returned):
                form = VALUE
        elif _is_null(value):
            made = any(isinstance(code.code[item.value], ir.New) for item in group)
            form = NOTHING_CHOSEN if made and inside else None
        elif _is_constant(making, assigned.value) and len(arms) > 1:
            form, doubt = VALUE, Doubt.CARRIED
        elif isinstance(value, (ir.New, ir.Lambda, ir.MethodRef)) and len(group) > 1:
            others = {
                code.code[item.value].__class__.__name__ + _class_of(making, item.value)
                for item in group
            }
            if len(others) > 1 and len(arms) > 1:
                form = Form(Kind.CHOSEN, _class_of(making, assigned.value))
        elif inside and len(arms) == 1 and _is_else_null(making, assigned, group):
            form, doubt = NOTHING_CHOSEN, Doubt.CARRIED
        if form is not None:
            arm = next((arm for arm in proper if arm[0] <= assigned.instr < arm[1]), None)
            fixed = arm is not None and _is_flag(making, assigned.type)
            _give(making, at, fact, assigned, form, doubt, arm if fixed else None)


def _is_else_null(making: Making, assigned: _Assigned, group: list[_Assigned]) -> bool:
    """Tell whether a local that is given an object is ``null`` unless this arm runs."""
    kind, slot = assigned.target
    if kind != "local" or not isinstance(slot, int):
        return False
    here = {item.instr for item in group}
    code = making.code.code
    others = [code[index] for index in making.code.stores.get(slot, ()) if index not in here]
    return bool(others) and all(
        isinstance(store, ir.Store) and store.value != NONE and _is_null(code[store.value])
        for store in others
    )


def _give(
    making: Making,
    at: int,
    fact: Fact,
    assigned: _Assigned,
    form: Form,
    doubt: int,
    arm: Range | None,
) -> None:
    """Give a form to what is assigned, but not where it is read in ``arm``: there it is what it is whenever that runs."""
    kind, target = assigned.target
    guard: LocalStep = (at, StepRole.GUARD)
    index = assigned.instr
    whole = doubt | making.doubt(fact)
    if kind == "local":
        assert isinstance(target, int)
        steps = (guard, (index, StepRole.ASSIGN))
        making.spread(target, index, form, fact, steps, doubt, arm)
    elif kind == "field":
        assert isinstance(target, MemberRef)
        steps = (guard, (index, StepRole.STORE))
        making.out(Stored(index, target, form, fact, whole, steps))
    elif making.code.lambda_of(index) == NONE:
        making.out(Returned(index, form, fact, whole, (guard, (index, StepRole.RETURN))))


def _chosen(making: Making, result: int, fact: Fact, values: list[int]) -> None:
    """The result of a conditional expression is one of several values."""
    code = making.code
    steps = ((fact[0], StepRole.GUARD),)
    made = [
        value
        for value in values
        if isinstance(code.code[value], (ir.New, ir.Lambda, ir.MethodRef))
    ]
    if made and len(values) > 1:
        if any(_is_null(code.code[value]) for value in values):
            making.add(result, NOTHING_CHOSEN, fact, steps)
        for value in made[:_ALTERNATIVES]:
            making.add(result, Form(Kind.CHOSEN, _class_of(making, value)), fact, steps)
        return
    type_ = next((t for v in values if (t := code.context.type_of(v)) is not None), None)
    if _is_flag(making, type_):
        making.add(result, VALUE, fact, steps)
    elif values and making.library.is_text(code, values[0]):
        return
    elif values and (
        making.library.is_plain(code, values[0])
        or making.library.named_constant(code, values[0]) is not None
    ):
        constant = all(_is_constant(making, value) for value in values)
        making.add(result, VALUE, fact, steps, Doubt.NONE if constant else Doubt.CARRIED)
    elif len(values) > 1:
        none = any(_is_null(code.code[value]) for value in values)
        form = NOTHING_CHOSEN if none else Form(Kind.CHOSEN)
        making.add(result, form, fact, steps, Doubt.CARRIED)


def _falls_back(making: Making, choice: ir.Choice) -> bool:
    """Tell whether a field, read again, is the result if it is not ``null``: its value goes on by itself."""
    context = making.code.context
    test = making.code.code[choice.test]
    if not isinstance(test, ir.Binary) or not _is_null(making.code.code[test.right]):
        return False
    field = context.field_of(test.left)
    return field is not None and field in map(context.field_of, (choice.then, choice.other))


def _is_flag(making: Making, type_: JavaType | None) -> bool:
    """Tell whether a type is boolean or an enum."""
    if type_ is None:
        return False
    if unboxed(type_) == "boolean":
        return True
    info = making.program.type(type_.name)
    return info is not None and info.decl.kind == "enum"


def _is_constant(making: Making, value: int) -> bool:
    instr = making.code.code[value]
    if isinstance(instr, (ir.Const, ir.ClassLiteral)):
        return True
    if isinstance(instr, (ir.Name, ir.Field, ir.Unary, ir.Binary)):
        return _constant(making, value) is not None
    return False


def _constant(making: Making, value: int) -> str | None:
    instr = making.code.code[value]
    if isinstance(instr, ir.Const):
        return f"{instr.kind}{instr.value}"
    if isinstance(instr, ir.ClassLiteral):
        return f"class {instr.type}"
    constant = making.library.constant(making.code, value)
    return making.library.named_constant(making.code, value) if constant is None else constant


def _is_null(instr: ir.Instr) -> bool:
    return isinstance(instr, ir.Const) and instr.kind == "n"


def _class_of(making: Making, value: int) -> str:
    instr = making.code.code[value]
    if not isinstance(instr, ir.New):
        return ""
    return making.library.callees.made_class(making.code, value)
