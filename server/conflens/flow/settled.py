"""Code that a call does not run because of what it hands over: ``save(false)`` and ``if (flag) …``.

Terms
    given     what is known of the arguments that a call gives to parameters, by slot: literals, and objects that are surely there.
    settled   of a condition: it comes out one way, whatever else the program does.
    idle      a range of a body that settled conditions never come to.

Only what the call spells out counts, or what its own body was given, and parameters that keep what they are given.  Absent: conditions
that are not settled (``guards``).
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import partial

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.classes import Classes, Literal
from conflens.flow.code import Code
from conflens.flow.guards import Range, conditions, labels, leaving, rest_of_block
from conflens.flow.library import Library
from conflens.flow.making import Opener
from conflens.flow.transfer import COMPARISONS, EQUALITY
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.program.trail import Seen
from conflens.program.types import PRIMITIVES, STRING

Given = tuple[tuple[int, Literal], ...]

_NOTE = "flow.deciding"
_SETTLED = "flow.settled"
_HANDED = "flow.handed"
_ASKED = "flow.asked"
_DEPTH = 6
"""Locals and casts that are looked through for one argument."""
_FURTHER = 2
"""Calls that hand on what settles a condition."""
_FEW = 4
_MOST_GIVEN = 50_000
"""Calls of which it is remembered what they give."""
_EMPTY: Literal = ("a", "0")
_DIGITS = re.compile(r"-?[0-9]{1,19}")
_TRUE: Literal = ("b", "true")
_FALSE: Literal = ("b", "false")
_KINDS = {STRING.name: "s", "boolean": "b", "int": "i"}
_ORDERED = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
}


class Settling:
    """Tells what calls give to methods, and what these do not run then, in one program."""

    def __init__(self, library: Library, open_: Opener) -> None:
        """Ask ``library`` for constants and types."""
        self.library = library
        self.program = library.program
        self.classes = Classes(library)
        self.open = open_
        self._asked: dict[tuple[MemberRef, int], tuple[frozenset[int], frozenset[MemberRef]]] = {}
        self._given: dict[tuple[MemberRef, int, MemberRef, Given], tuple[Given, Seen]] = {}
        self._idle: dict[tuple[MemberRef, Given], tuple[tuple[Range, ...], float]] = {}

    def given_by(self, code: Code, index: int, target: MemberRef, given: Given = ()) -> Given:
        """Return what a call gives to parameters of a method, of those that conditions ask for there or further down.

        ``given`` is what the body of the call was given itself.
        """
        call = code.code[index]
        if not isinstance(call, (ir.Call, ir.New)):
            return ()
        asked = self.asked(target)
        if not asked:
            return ()
        # Many values pass a call, and each asks the same of it.
        key = (code.ref, index, target, given)
        kept = self._given.get(key)
        trail = self.library.transfer.values.trail
        if kept is not None:
            trail.rest(kept[1])
            return kept[0]
        if len(self._given) >= _MOST_GIVEN:
            self._given.clear()
        kept = trail.during(partial(self._find_given, code, call, target, given, asked))
        self._given[key] = kept
        return kept[0]

    def _find_given(
        self,
        code: Code,
        call: ir.Call | ir.New,
        target: MemberRef,
        given: Given,
        asked: frozenset[int],
    ) -> Given:
        member = self.program.member(target)
        fixed = len(member.params) - (1 if member.varargs else 0)
        known = dict(given)
        found: list[tuple[int, Literal]] = []
        for slot, arg in enumerate(call.args[:fixed]):
            literal = self.literal(code, arg, known) if slot in asked else None
            literal = self._beyond(target, slot, literal)
            if literal is not None:
                found.append((slot, literal))
        if member.varargs and len(call.args) == fixed and fixed in asked:
            found.append((fixed, _EMPTY))
        return tuple(found)

    def _beyond(self, target: MemberRef, slot: int, literal: Literal | None) -> Literal | None:
        """Return what is known of an argument beyond what the type of the parameter says."""
        if literal is None or literal[0] not in "otu" or not literal[1]:
            return literal
        wanted = self.program.member(target).params[slot].type
        if wanted in PRIMITIVES:
            # It becomes an object where it is handed on to a parameter that takes any.
            return None
        if literal[0] == "t":
            return literal
        if self.program.resolve(wanted, target.path, target.owner).name != literal[1]:
            return literal
        return ("o", "") if literal[0] == "o" else None

    def asked(self, ref: MemberRef, depth: int = 0) -> frozenset[int]:
        """Return the parameters of a method that settle conditions, there or in methods that are handed them."""
        return self._find_asked(ref, depth)[0]

    def rests(self, ref: MemberRef) -> frozenset[MemberRef]:
        """Return the bodies on which the answer of ``asked`` rests."""
        return self._find_asked(ref, 0)[1]

    def _find_asked(
        self, ref: MemberRef, depth: int
    ) -> tuple[frozenset[int], frozenset[MemberRef]]:
        found = self._asked.get((ref, depth))
        if found is not None:
            return found
        slots: set[int] = set()
        rests = {ref}
        if self.program.member(ref).params:
            code = self.open(ref)
            slots |= _deciding(code)
            for index, place, slot in _handed(code) if depth < _FURTHER else ():
                if slot in slots:
                    continue
                targets, _ = self.library.callees.run_by(code, index)
                for target in targets if len(targets) <= _FEW else ():
                    below, more = self._find_asked(target, depth + 1)
                    rests |= more
                    if place in below:
                        slots.add(slot)
        found = self._asked[ref, depth] = (frozenset(slots), frozenset(rests))
        return found

    def idle(self, code: Code, given: Given) -> tuple[Range, ...]:
        """Return the ranges of a body that do not run with what its parameters are given.

        A settled condition is in it as an empty range: nothing else decides there.
        """
        deciding = _deciding(code) if given else frozenset()
        known = tuple(one for one in given if one[0] in deciding)
        if not known:
            return ()
        code.context.notes[_SETTLED] = True
        key = (code.ref, known)
        kept = self._idle.get(key)
        if kept is None:
            with self.program.meter.sharing() as spent:
                kept = self._idle[key] = self._find_idle(code, known), spent()
        self.program.meter.uses(key, kept[1])
        return kept[0]

    def _find_idle(self, code: Code, given: Given) -> tuple[Range, ...]:
        results = _Results(self, code, dict(given)).found
        found: list[Range] = []
        for value, places in conditions(code).tested.items():
            result = results.get(value)
            if result in (_TRUE, _FALSE):
                for at in places:
                    found.append((at, at))
                    found += _left_out(code, at, result == _TRUE)
            elif result is not None:
                for at in places:
                    if isinstance(switch := code.code[at], ir.Switch):
                        left = self._cases_left_out(code, switch, result)
                        kept = sum(case.start < case.stop for case in switch.cases) - len(left)
                        types = any(case.types for case in switch.cases)
                        if left and (kept <= 1 or not types):
                            found.append((at, at))
                        found += left
        return tuple(sorted(set(found)))

    def _cases_left_out(self, code: Code, switch: ir.Switch, subject: Literal) -> list[Range]:
        """Return the cases of a ``switch`` that do not run for a literal."""
        kind, text = subject
        if any(case.types for case in switch.cases):
            return self._types_left_out(code, switch, subject)
        if kind not in "sei":
            return []
        chosen = NONE
        for number, case in enumerate(switch.cases):
            if case.guard != NONE:
                return []
            for label in case.labels:
                name = code.code[label]
                if kind == "e":
                    if not isinstance(name, (ir.Name, ir.Field)):
                        return []
                    same = name.name == text.rpartition(".")[2]
                else:
                    literal = self.literal(code, label, {})
                    if literal is None or literal[0] != kind:
                        return []
                    same = literal == subject
                if same:
                    chosen = number
        if chosen == NONE:
            chosen = next((at for at, case in enumerate(switch.cases) if case.default), NONE)
        last = chosen
        while NONE != last < len(switch.cases) - 1 and not _ends(code, switch.cases[last]):
            last += 1
        return [
            (case.start, case.stop)
            for number, case in enumerate(switch.cases)
            if case.start < case.stop and not chosen <= number <= last
        ]

    def _types_left_out(self, code: Code, switch: ir.Switch, subject: Literal) -> list[Range]:
        """Return the cases of a ``switch`` over types that do not run for a value of a class."""
        left: list[Range] = []
        found = False
        falls = False
        for case in switch.cases:
            other = bool(case.types) and all(
                self.classes.is_other(code, subject, name) for name in case.types
            )
            if (found or (other and not case.labels and not case.default)) and not falls:
                left.append((case.start, case.stop))
                continue
            falls = not _ends(code, case)
            found = found or (
                case.guard == NONE
                and any(self.classes.is_one(code, subject, name) for name in case.types)
            )
        return [span for span in left if span[0] < span[1]]

    def takes(self, code: Code, changed: Set[int], was: Context) -> bool:
        """Tell whether instructions of a body, which ``was`` another, may settle something: a condition on a parameter, or one of a method that it calls."""
        if _NOTE in was.notes and was.notes[_NOTE] != _deciding(code):
            return True
        if _SETTLED in was.notes and any(
            self._is_from(code, inner, changed)
            for value in (*conditions(code).tested, *labels(code))
            for inner in code.inside(value)
        ):
            return True
        for index, call in code.context.calls():
            places = [
                place for place, arg in enumerate(call.args) if self._is_from(code, arg, changed)
            ]
            targets, _ = self.library.callees.run_by(code, index) if places else ((), 0)
            if any(place in self.asked(target) for target in targets for place in places):
                return True
        return False

    def _is_from(self, code: Code, value: int, changed: Set[int], depth: int = 0) -> bool:
        """Tell whether a value, or one that is assigned to the local that it is, stands among some instructions."""
        load = code.code[value]
        if value in changed or depth > _DEPTH or not isinstance(load, ir.Load) or load.up:
            return value in changed
        for number in code.stores.get(load.slot, ()):
            store = code.code[number]
            if number in changed:
                return True
            if isinstance(store, ir.Store) and store.value != NONE:
                self.library.program.meter.spend()
                if self._is_from(code, store.value, changed, depth + 1):
                    return True
        return False

    # -- values --------------------------------------------------------------------------------------

    def literal(
        self, code: Code, value: int, known: dict[int, Literal], depth: int = 0
    ) -> Literal | None:
        """Return what is known of a value for good, as far as that is cheap to see."""
        if value == NONE or depth > _DEPTH:
            return None
        instr = code.code[value]
        match instr:
            case ir.Const():
                return instr.kind, instr.value
            case ir.New() | ir.NewArray() | ir.Lambda() | ir.MethodRef() | ir.This():
                type_ = code.context.type_of(value)
                if (
                    isinstance(instr, ir.New)
                    and type_ is not None
                    and self.classes.is_class(type_.name)
                ):
                    return "o", type_.name
                return "o", self.classes.exact(type_)
            case ir.ClassLiteral():
                return "o", ""
            case ir.Binary(op="+") if self.library.is_text(code, value):
                return "o", STRING.name
            case ir.Load() if not instr.up:
                stores = code.stores.get(instr.slot, ())
                found: Literal | None = None
                if code.context.is_parameter(instr.slot):
                    found = known.get(instr.slot) if not stores else None
                elif len(stores) == 1 and isinstance(store := code.code[stores[0]], ir.Store):
                    found = self.literal(code, store.value, known, depth + 1)
                if found is not None:
                    return found
            case ir.Name() | ir.Field():
                constant = self.constant(code, value)
                if constant is not None:
                    return constant
            case _:
                pass
        type_ = code.context.type_of(value)
        if exact := self.classes.exact(type_):
            return "o" if type_ is not None and type_.name in PRIMITIVES else "t", exact
        return (
            ("u", type_.name) if type_ is not None and self.classes.is_class(type_.name) else None
        )

    def constant(self, code: Code, value: int) -> Literal | None:
        """Return the literal that the constant field is which an expression names."""
        field = code.context.field_of(value)
        if field is None or not self.program.is_constant(field):
            return None
        text = self.library.constant(code, value)
        if text is None:
            return None
        if self.program.member(field).kind == "enum_constant":
            return "e", f"{field.owner}.{text}"
        kind = _KINDS.get(self.program.field_type(field).name, "")
        return (kind, text) if kind else None


def _deciding(code: Code) -> frozenset[int]:
    """Return the parameters that conditions of a body ask for, and that keep what the caller gave."""
    kept = code.context.notes.get(_NOTE)
    if isinstance(kept, frozenset):
        return kept
    found = frozenset(
        load.slot
        for value in conditions(code).tested
        for inner in code.inside(value)
        if isinstance(load := code.code[inner], ir.Load)
        and not load.up
        and code.context.is_parameter(load.slot)
        and not code.stores.get(load.slot)
    )
    code.context.notes[_NOTE] = found
    return found


def _asked_for(code: Code) -> tuple[int, ...]:
    """Return the instructions of what the conditions of a body ask, in order."""
    kept = code.context.notes.get(_ASKED)
    if isinstance(kept, tuple):
        return kept
    found = tuple(
        sorted({inner for value in conditions(code).tested for inner in code.inside(value)})
    )
    code.context.notes[_ASKED] = found
    return found


def _ends(code: Code, case: ir.Case) -> bool:
    """Tell whether a case does not run on into the next."""
    return case.arrow or (
        case.start < case.stop
        and isinstance(code.code[case.stop - 1], (ir.Jump, ir.Return, ir.Throw))
    )


def _handed(code: Code) -> tuple[tuple[int, int, int], ...]:
    """Return where a body hands parameters on as they came: the call, the place of the argument, the parameter."""
    kept = code.context.notes.get(_HANDED)
    if isinstance(kept, tuple):
        return kept
    found = tuple(
        (index, place, load.slot)
        for index, call in code.context.calls()
        for place, arg in enumerate(call.args)
        if isinstance(load := code.code[arg], ir.Load)
        and not load.up
        and code.context.is_parameter(load.slot)
        and not code.stores.get(load.slot)
    )
    code.context.notes[_HANDED] = found
    return found


class _Results:
    """The results of a body's expressions that literals decide, by instruction."""

    def __init__(self, settling: Settling, code: Code, known: dict[int, Literal]) -> None:
        self.settling = settling
        self.code = code
        self.found: dict[int, Literal] = {}
        found = self.found
        asked = _asked_for(code)
        settling.program.meter.spend(1 + len(asked))
        for index in asked:
            # Operands stand before what takes them.
            instr = code.code[index]
            result: Literal | None = None
            match instr:
                case ir.Const():
                    result = (instr.kind, instr.value)
                case ir.Load() if not instr.up:
                    result = known.get(instr.slot)
                case ir.Unary(op="!"):
                    result = _not(found.get(instr.operand))
                case ir.Binary() if instr.op in COMPARISONS:
                    result = _compared(instr.op, *self._both(instr.left, instr.right))
                case ir.ShortCircuit():
                    result = _joined(instr.op, found.get(instr.left), found.get(instr.right))
                case ir.InstanceOf():
                    of = found.get(instr.value)
                    if of is not None and settling.classes.is_other(code, of, instr.type):
                        result = _FALSE
                    elif of is not None and settling.classes.is_one(code, of, instr.type):
                        result = _TRUE
                case ir.Call() if instr.name in EQUALITY and len(instr.args) == 1:
                    if instr.object != NONE:
                        result = _equal(instr.name, *self._both(instr.object, instr.args[0]))
                case ir.Field(name="length"):
                    result = ("i", "0") if found.get(instr.object) == _EMPTY else None
                case _:
                    pass
            if result is not None:
                found[index] = result

    def _both(self, one: int, other: int) -> tuple[Literal | None, Literal | None]:
        """Return what two operands are; constants are looked up beside something known only."""
        first, second = self.found.get(one), self.found.get(other)
        if first is None and second is not None:
            first = self._constant(one)
        elif second is None and first is not None:
            second = self._constant(other)
        return first, second

    def _constant(self, value: int) -> Literal | None:
        if isinstance(self.code.code[value], (ir.Name, ir.Field)):
            return self.settling.constant(self.code, value)
        return None


def _not(literal: Literal | None) -> Literal | None:
    return {_TRUE: _FALSE, _FALSE: _TRUE}.get(literal) if literal is not None else None


def _truth(holds: bool) -> Literal:
    return _TRUE if holds else _FALSE


def _compared(op: str, one: Literal | None, other: Literal | None) -> Literal | None:
    if one is None or other is None:
        return None
    if op in ("==", "!="):
        if not {"t", "u"}.isdisjoint((one[0], other[0])):
            return None
        if "n" in (one[0], other[0]):
            same = one[0] == other[0]
        elif one[0] == other[0] == "i":
            left, right = _whole(one[1]), _whole(other[1])
            if left is None or right is None:
                return None
            same = left == right
        elif one[0] == other[0] and one[0] in "bce":
            same = one == other
        else:
            # Texts may be one object or two; a number may be a ``long``.
            return None
        return _truth(same == (op == "=="))
    if one[0] == other[0] == "i":
        left, right = _whole(one[1]), _whole(other[1])
        return (
            _truth(_ORDERED[op](left, right)) if left is not None and right is not None else None
        )
    return None


def _whole(text: str) -> int | None:
    """Return the number that a literal of kind ``i`` writes in digits; ``None`` for a character, a fraction or more than a ``long`` holds."""
    return int(text) if _DIGITS.fullmatch(text) else None


def _joined(op: str, left: Literal | None, right: Literal | None) -> Literal | None:
    decisive = _TRUE if op == "||" else _FALSE
    if decisive in (left, right):
        return decisive
    return right if left is not None and right is not None else None


def _equal(name: str, one: Literal | None, other: Literal | None) -> Literal | None:
    if one is None or other is None or one[0] not in "se" or other[0] not in "sen":
        return None
    if other[0] == "n":
        return _FALSE
    if one[0] != other[0]:
        return None
    if name == "equalsIgnoreCase":
        return _truth(one[1].lower() == other[1].lower())
    return _truth(one[1] == other[1])


def _left_out(code: Code, at: int, holds: bool) -> list[Range]:
    """Return what the condition of instruction ``at`` leaves out when it comes out one way."""
    instr = code.code[at]
    match instr:
        case ir.If():
            then, other = (instr.then_start, instr.else_start), (instr.else_start, instr.stop)
            taken, left = (then, other) if holds else (other, then)
            found = [left]
            if leaving(code, taken) is not None:
                found += rest_of_block(code, at, instr.stop)
        case ir.Choice():
            found = [(instr.other_start, at) if holds else (instr.then_start, instr.other_start)]
        case ir.ShortCircuit():
            found = [(instr.right_start, at)] if holds == (instr.op == "||") else []
        case ir.Loop() if not holds and instr.kind != "do":
            found = [(instr.body_start, instr.stop)]
        case _:
            found = []
    return [span for span in found if span[0] < span[1]]
