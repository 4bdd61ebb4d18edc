"""The slice of one body from one seed: which instructions carry the value, and what leaves the body.

A slice depends on the body, on surfaces and on rows alone, never on callers or on the option, so it is made once
for a body and a seed and shared by all options and all contexts; it outlives edits of other bodies.
That is the summary that is compared when a body is edited.

Facts spread along assignments (killed as ``program.reaching`` says), operators, containers and library
calls as model rows say.  A call of an unknown library passes its arguments to its result and its
receiver, unless it is an operation, a stream or a predicate (Rabkin §5.3.2).  What a truth value or an
enum is assigned under a condition carries the value (LearnConf §3.1.1); where a condition chooses
between new objects, they are ``CHOSEN``.

Absent: other bodies (``engine``), operations below conditions (``below``).
"""

from __future__ import annotations

from bisect import bisect_left

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.calls import Calls
from conflens.flow.carried import carried, effects, filled
from conflens.flow.classes import Classes
from conflens.flow.code import ENTRY, Code
from conflens.flow.forms import (
    NOTHING_CHOSEN,
    SIZED,
    VALUE,
    YIELDS,
    Doubt,
    Ended,
    Fact,
    Form,
    Guarded,
    Kind,
    Returned,
    Seed,
    SeedKind,
    Stored,
)
from conflens.flow.guards import conditions, governed, meant
from conflens.flow.hidden import may_be_native
from conflens.flow.idle import Idle
from conflens.flow.library import Library
from conflens.flow.making import Opener, Slice
from conflens.flow.patterns import comparison_before
from conflens.flow.results import StepRole
from conflens.flow.transfer import COMPARISONS
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.types import OBJECT, unboxed

_NOTE = "flow.slices"
_COMPARISONS = "flow.comparisons"


class Kept(dict[Seed, Slice | None]):
    """The slices of one body; of a body that was closed only their seeds."""

    def closed(self) -> Kept:
        """Return what stays of them when the body is closed (``program.open_body``)."""
        return Kept((seed, None) for seed in self)


class Slices:
    """Makes slices in one program."""

    def __init__(
        self, program: Program, library: Library, classes: Classes, open_: Opener
    ) -> None:
        """Use the rows of ``library``."""
        self.program = program
        self.library = library
        self.classes = classes
        self._idle = Idle(library)
        self.open = open_
        self.made = 0
        self._right: dict[int, Slice] = {}
        """Slices that were found to be those of this program, by identity."""

    def of(self, code: Code, seed: Seed) -> Slice:
        """Return the slice of a body from a seed, made once while the body stays."""
        kept = code.context.notes.get(_NOTE)
        if not isinstance(kept, Kept):
            kept = code.context.notes[_NOTE] = Kept()
        found = kept.get(seed)
        if found is not None and self._right.get(id(found)) is found:
            self.program.meter.uses((code.ref, seed), found.cost)
            return found
        if (
            found is None
            or any(
                self.library.callees.getter(ref) != field for ref, field in found.getters.items()
            )
            or any(self.library.keyed(ref) != slots for ref, slots in found.keyed.items())
            or any(
                self.library.set_parameters(ref) != slots for ref, slots in found.setters.items()
            )
            or any(may_be_native(self.program, ref) != was for ref, was in found.native.items())
        ):
            self.made += 1
            with self.program.meter.sharing() as spent:
                found = self._slicing(code, seed)
                found.cost = spent()
            kept[seed] = found
        self._right[id(found)] = found
        self.program.meter.uses((code.ref, seed), found.cost)
        return found

    def _slicing(self, code: Code, seed: Seed) -> Slice:
        slicing = _Slicing(self.program, self.library, self._idle, self.open, code, seed)
        return slicing.run(self.classes)

    def let_go(self) -> None:
        """Let go of the slices of bodies that were closed."""
        self._right.clear()


def kept_slices(context: Context) -> Kept:
    """Return the slices that were made of a body; a closed one is not opened for that."""
    kept = context.note(_NOTE)
    return kept if isinstance(kept, Kept) else Kept()


def forget(context: Context) -> None:
    """Let the slices of a body be made anew."""
    context.notes.pop(_NOTE, None)


def _moving_comparisons(code: Code) -> list[int]:
    """Return the comparisons of a body in which no side is a literal."""
    kept = code.context.notes.get(_COMPARISONS)
    if isinstance(kept, list):
        return kept
    found = [
        index
        for index, instr in enumerate(code.code)
        if isinstance(instr, ir.Binary)
        and instr.op in COMPARISONS
        and not isinstance(code.code[instr.left], ir.Const)
        and not isinstance(code.code[instr.right], ir.Const)
    ]
    code.context.notes[_COMPARISONS] = found
    return found


class _Slicing(Calls):
    """One slice being made, to the end."""

    def __init__(
        self,
        program: Program,
        library: Library,
        idle: Idle,
        open_: Opener,
        code: Code,
        seed: Seed,
    ) -> None:
        super().__init__(program, library, idle, open_, code, seed)
        self._compared_before: dict[Fact, tuple[int, int] | None] = {}

    def run(self, classes: Classes) -> Slice:
        """Spread the seed to the end."""
        self._classes = classes
        seed, code = self.slice.seed, self.code
        if seed.kind is SeedKind.VALUE:
            self.add(seed.at, seed.form, None)
        elif seed.kind is SeedKind.PARAMETER:
            self.spread(seed.at, ENTRY, seed.form, None)
        elif seed.kind is SeedKind.HOLDER:
            self.hold(seed.at, seed.at, seed.form, None)
        elif seed.kind is SeedKind.EFFECT:
            effects(self)
        else:
            function = code.code[seed.at]
            if isinstance(function, ir.Lambda) and seed.extra < len(function.params):
                self.spread(function.params[seed.extra], function.start - 1, seed.form, None)
        while self.queue:
            while self.queue:
                self._take_all(self.queue.popleft())
            self._decide()
        self.slice.outs = list(self.outs)
        return self.slice

    # -- instructions --------------------------------------------------------------------------------

    def _take_all(self, fact: Fact) -> None:
        value, form = fact
        previous = NONE
        for index in self.code.takers.get(value, ()):
            if index != previous:
                self._take(index, value, form, fact)
            previous = index
        instr = self.code.code[value]
        if form.kind is Kind.YIELDS and isinstance(instr, ir.MethodRef):
            return

    def _take(self, index: int, value: int, form: Form, fact: Fact) -> None:
        code = self.code
        instr = code.code[index]
        kind = form.kind
        match instr:
            case ir.Store():
                if not instr.up:
                    self.spread(instr.slot, index, form, fact, ((index, StepRole.ASSIGN),))
            case ir.StoreField():
                self._store_field(instr, index, value, form, fact)
            case ir.StoreIndex():
                if instr.value == value and kind is not Kind.SIZED:
                    key = self.key_text(instr.index)
                    held = Form(Kind.HELD, key) if kind is not Kind.CHOSEN else form
                    self.hold(instr.array, index, held, fact, ((index, StepRole.STORE),))
            case ir.Call() | ir.New():
                self.call(index, instr, value, form, fact)
            case ir.Return():
                self._return(index, instr, form, fact)
            case ir.Binary():
                self._binary(index, instr, value, form, fact)
            case ir.Unary():
                if kind is Kind.VALUE:
                    self.add(index, VALUE, fact)
            case ir.ShortCircuit():
                if kind in (Kind.VALUE, Kind.FLAG):
                    self.add(index, form, fact)
            case ir.Choice():
                if value in (instr.then, instr.other):
                    self.add(index, form, fact)
            case ir.Cast():
                if not self._is_other(fact, instr.type):
                    self.add(index, form, fact)
            case ir.InstanceOf() if self._is_other(fact, instr.type):
                pass
            case ir.InstanceOf():
                # What was made on the way is of one class, whatever the option says.
                if kind is Kind.CHOSEN:
                    # Of an object that is chosen by a key or number the class is no matter of that.
                    self.add(index, VALUE, fact, doubt=Doubt.NONE if form.key else Doubt.CLASS)
                elif kind is Kind.VALUE and not self.is_made(fact):
                    # What is declared as any object may be read as a list or a text.
                    type_ = code.context.type_of(value)
                    any_ = type_ is None or type_.name == OBJECT.name
                    self.add(index, VALUE, fact, doubt=Doubt.NONE if any_ else Doubt.CLASS)
                for slot in instr.slots[:1]:
                    self.spread(slot, index, form, fact)
            case ir.ForEach():
                if kind in (Kind.VALUE, Kind.HELD, Kind.CHOSEN):
                    inner = form if kind is Kind.CHOSEN else VALUE
                    self.spread(instr.slot, index, inner, fact, ((index, StepRole.ASSIGN),))
            case ir.Index():
                self._index(index, instr, value, form, fact)
            case ir.NewArray():
                self._new_array(index, instr, value, form, fact)
            case ir.Field():
                self._field(index, instr, form, fact)
            case _:
                pass

    def _is_other(self, fact: Fact, type_: str) -> bool:
        """Tell whether the value is of a class of which no object is of a type."""
        if fact[1].kind is not Kind.VALUE:
            return False
        of = self._classes.carried(self.code, self.slice, fact)
        return bool(of) and self._classes.is_other(self.code, ("t", of), type_)

    def _store_field(
        self, instr: ir.StoreField, index: int, value: int, form: Form, fact: Fact
    ) -> None:
        if instr.value != value:
            return
        target = self.code.context.target_field(instr)
        if target is not None:
            self.out(
                Stored(index, target, form, fact, self.doubt(fact), ((index, StepRole.STORE),))
            )
        elif form.kind is Kind.VALUE:
            reason = "stored in a field of an object whose type is not known"
            self.out(Ended(index, reason, fact, self.doubt(fact)))

    def _index(self, index: int, instr: ir.Index, value: int, form: Form, fact: Fact) -> None:
        step = ((index, StepRole.COMPUTE),)
        if instr.array == value:
            if form.kind is Kind.HELD:
                key = self.key_text(instr.index)
                if not form.key or not key or form.key == key:
                    self.add(index, VALUE, fact, ((index, StepRole.LOAD),))
            elif form.kind in (Kind.VALUE, Kind.CHOSEN):
                self.add(index, form, fact)
        if instr.index == value and form.kind is Kind.VALUE:
            if self.library.is_plain(self.code, index):
                self.add(index, VALUE, fact, step)
            else:
                self.add(index, Form(Kind.CHOSEN), fact, step)

    def _new_array(
        self, index: int, instr: ir.NewArray, value: int, form: Form, fact: Fact
    ) -> None:
        if value in instr.dims and form.kind is Kind.VALUE:
            sink = self.library.sink(self.code, index)
            if sink is not None:
                self._hit(index, sink, fact)
            self.add(index, SIZED, fact, ((index, StepRole.ASSIGN),))
        elif value in instr.values and form.kind is not Kind.SIZED:
            place = instr.values.index(value)
            held = Form(Kind.HELD, str(place)) if form.kind is not Kind.CHOSEN else form
            self.add(index, held, fact)

    def _field(self, index: int, instr: ir.Field, form: Form, fact: Fact) -> None:
        if form.kind is Kind.SIZED:
            if instr.name == "length":
                self.add(index, VALUE, fact, ((index, StepRole.COMPUTE),))
        elif form.kind is Kind.VALUE:
            self.add(index, VALUE, fact)

    def _return(self, index: int, instr: ir.Return, form: Form, fact: Fact) -> None:
        code = self.code
        if instr.kind == "yield":
            result = code.switch_of(index)
            if result != NONE:
                self.add(result, form, fact)
            return
        function = code.lambda_of(index)
        if form.kind is Kind.VALUE and (sink := self.library.sink(code, index)) is not None:
            self._hit(index, sink, fact)
        if function == NONE:
            step = ((index, StepRole.RETURN),)
            self.out(Returned(index, form, fact, self.doubt(fact), step))
        elif form.kind is Kind.VALUE and self.slice.seed[:2] == (SeedKind.FUNCTION, function):
            # The call that hands over the value has the result.
            step = ((index, StepRole.RETURN),)
            self.out(Returned(index, form, fact, self.doubt(fact), step))
        elif form.kind is Kind.VALUE:
            type_ = code.context.type_of(instr.value)
            test = type_ is not None and unboxed(type_) == "boolean"
            yields = Form(Kind.YIELDS, "test") if test else YIELDS
            self.add(function, yields, fact, ((index, StepRole.RETURN),))
        elif form.kind in (Kind.CHOSEN, Kind.YIELDS):
            self.add(function, form, fact, ((index, StepRole.RETURN),))

    def _binary(self, index: int, instr: ir.Binary, value: int, form: Form, fact: Fact) -> None:
        if instr.op in COMPARISONS:
            sink = self.library.sink(self.code, index)
            side = 0 if instr.left == value else 1
            if sink is not None and form.kind is Kind.VALUE and sink.takes(side):
                self._hit(index, sink, fact)
            other = instr.right if instr.left == value else instr.left
            null = isinstance(const := self.code.code[other], ir.Const) and const.kind == "n"
            if null and form != NOTHING_CHOSEN and self.is_there(fact):
                return
            if form.kind is Kind.VALUE or (form == NOTHING_CHOSEN and null):
                absent = null and form.kind is Kind.VALUE
                self.add(index, VALUE, fact, doubt=Doubt.ABSENT if absent else Doubt.NONE)
        elif form.kind is Kind.VALUE:
            self.add(index, VALUE, fact, ((index, StepRole.COMPUTE),))

    # -- conditions ----------------------------------------------------------------------------------

    def _decide(self) -> None:
        """Work out what the conditions on the value govern, once for each condition."""
        tested = conditions(self.code).tested
        self.program.meter.spend(len(self.slice.came))
        for fact in list(self.slice.came):
            value, form = fact
            for at in tested.get(value, ()):
                if at in self.decided or not self._tests(at, form):
                    continue
                if (at, at) in self.slice.seed.idle:
                    continue
                self.decided.add(at)
                self._govern(at, fact)

    def _tests(self, at: int, form: Form) -> bool:
        if isinstance(self.code.code[at], ir.ForEach):
            return form.kind in (Kind.VALUE, Kind.SIZED)
        if form.kind is Kind.FLAG:
            return isinstance(self.code.code[at], (ir.If, ir.Switch))
        return form.kind is Kind.VALUE

    def _govern(self, at: int, fact: Fact) -> None:
        code = self.code
        compared = self._compared(fact)
        doubt = self.doubt(fact)
        flag = fact[1].kind is Kind.FLAG
        for part in governed(code, at) if not flag else meant(code, at):
            more = Doubt.REJECTED if part.refusal else Doubt.NONE
            self.out(
                Guarded(at, part.dependency, part.ranges, part.arms, compared, fact, doubt | more)
            )
        carried(self, at, fact)
        filled(self, at, fact)

    def _compared(self, fact: Fact) -> tuple[int, int] | None:
        """Return the comparison (index, option's side) behind a condition, rather with what can change."""
        code, value = self.code, fact[0]
        moving = _moving_comparisons(code)
        first = bisect_left(moving, code.first_inside(value))
        if self.constants or (first < len(moving) and moving[first] <= value):
            for inner in code.inside(value):
                instr = code.code[inner]
                if not isinstance(instr, ir.Binary) or instr.op not in COMPARISONS:
                    continue
                for side, other in ((instr.left, instr.right), (instr.right, instr.left)):
                    carried_ = (side, VALUE) in self.slice.came
                    if carried_ and not isinstance(code.code[other], ir.Const):
                        return inner, side
        return self._comparison_before(fact)

    def _comparison_before(self, fact: Fact) -> tuple[int, int] | None:
        """Return what ``comparison_before`` finds on the way to a fact, which shares most of it with others."""
        passed: list[Fact] = []
        found: tuple[int, int] | None = None
        current: Fact | None = fact
        while current is not None and current in self.slice.came:
            if current in self._compared_before:
                found = self._compared_before[current]
                break
            before = self.slice.came[current].before
            if before is not None and current[0] != NONE:
                found = comparison_before(self.code, (current[0], before[0]))
                if found is not None:
                    break
            passed.append(current)
            current = before
        for one in passed:
            self._compared_before[one] = found
        return found
