"""What is known where a state of a walk stands: which object is at hand, what the other arguments are, which calls it came in by.

Absent: where values go (``walk``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.arrivals import Arriving, State
from conflens.flow.code import Code
from conflens.flow.forms import Captured, Entered, Filled, Kind, Returned, Seed, SeedKind, Stored
from conflens.flow.guards import Range
from conflens.flow.makers import Makers, Spot
from conflens.flow.making import PRESENT, Slice
from conflens.flow.settled import Given
from conflens.flow.walk_types import StartKind
from conflens.program.reaching import certain, unconditional
from conflens.program.refs import MemberRef
from conflens.program.types import PRIMITIVES, JavaType

CALLERS = 200
_CHEAP = ("log", "memory", "compute")
"""Kinds of operations that objects of any class may do: those that wait, transfer or run things are done by few classes."""

_INITIALISING = ("field", "initializer")
_MAKING = ("constructor", *_INITIALISING)
"""Members that run while an object is made."""


class Situated(Arriving):
    """The part of a walk that looks around where it stands."""

    def this(self, state: State, index: int, target: MemberRef) -> str | None:
        """Return the class of the object on which a call runs a method, ``None`` if such an object has another one.

        Empty if it is not known better than by the class of the method.
        """
        objects = self.engine.objects
        code = self.engine.uses.code(state.ref)
        if self.program.is_static(target):
            return ""
        if not objects.on_this(code, index, target.owner):
            return objects.narrower(objects.other(code, index), target.owner)
        if not objects.may_run(target, state.this):
            return None
        return objects.narrower(state.this or code.ref.owner, target.owner)

    def makers(self, code: Code, index: int) -> Makers:
        """Return where the object may have been made whose member an instruction uses."""
        found = self.engine.makers.of_receiver(code, index)
        self.members |= found.members
        self.names |= found.names
        return found

    def may_run(self, code: Code, index: int, target: MemberRef) -> bool:
        """Tell whether a call that may run several methods may run one, by where its object may have been made."""
        refs, _ = self.engine.library.callees.run_by(code, index)
        if len(refs) < 2 or target not in refs:
            return True
        return self.engine.makers.may_run(self.makers(code, index), target)

    def site(self, state: State, index: int, owner: str) -> Spot | None:
        """Return the one ``new`` that makes the object whose member of ``owner`` an instruction uses, if it is known."""
        code = self.engine.uses.code(state.ref)
        if isinstance(code.code[index], ir.New):
            return state.ref, index
        if self.engine.objects.on_this(code, index, owner):
            return state.site
        found = self.makers(code, index).found
        return next(iter(found)) if len(found) == 1 else None

    def elsewhere(self, code: Code, index: int, site: Spot | None) -> bool:
        """Tell whether the object whose member an instruction uses is surely not made at ``site``."""
        if site is None:
            return False
        found = self.makers(code, index).found
        return bool(found) and site not in found

    def given(self, state: State, slice_: Slice, out: Entered) -> tuple[Given, tuple[Range, ...]]:
        """Return what is known of the parameters of a method that a call runs, and what of the method does not run then."""
        settling = self.engine.below.settling
        code, target = self.engine.uses.code(state.ref), out.target
        given = settling.given_by(code, out.instr, target, state.given)
        self.members |= settling.rests(target)
        if out.form.kind is Kind.VALUE and out.slot in settling.asked(target):
            known = dict(given)
            if known.get(out.slot, ("u", ""))[0] == "u" and (
                of := self._carried(state, slice_, out)
            ):
                given = tuple(sorted({**known, out.slot: ("t", of)}.items()))
        if not given:
            return (), ()
        return given, settling.idle(self.engine.uses.code(target), given)

    def _carried(self, state: State, slice_: Slice, out: Entered) -> str:
        """Return the class of the value that a call hands over, itself or in what holds it."""
        params = self.program.member(out.target).params
        if out.slot < len(params) and params[out.slot].type in PRIMITIVES:
            return ""
        code = self.engine.uses.code(state.ref)
        return self.engine.classes.carried(code, slice_, out.source)

    def of(self, state: State, slice_: Slice, out: Captured | Entered | Filled | Returned) -> str:
        """Return the class of what leaves a body, or of what it holds, if the type that it has elsewhere does not say it."""
        classes, program = self.engine.classes, self.program
        type_: JavaType | None
        match out:
            case Entered():
                params = program.member(out.target).params
                if out.slot >= len(params):
                    return ""
                type_ = program.resolve(params[out.slot].type, out.target.path, out.target.owner)
            case Returned():
                type_ = program.return_type(state.ref)
            case Captured():
                type_ = self.engine.uses.code(out.target).context.type_of(out.load)
            case Filled():
                if out.source[1].kind is not Kind.VALUE:
                    # It may have been put in as a whole.
                    return ""
                type_ = self.engine.uses.code(state.ref).context.local_type(out.slot)
        if not classes.hides(type_, out.form):
            return ""
        return classes.carried(self.engine.uses.code(state.ref), slice_, out.source)

    def of_stored(self, state: State, slice_: Slice, out: Stored) -> str:
        """Return the class of what a field is given, or of what it holds, if its type does not say it."""
        classes = self.engine.classes
        if not classes.hides(self.program.field_type(out.field), out.form):
            return ""
        code = self.engine.uses.code(state.ref)
        return classes.stored(code, slice_, out.form, out.source, out.steps)

    def asks_arguments(self, ref: MemberRef) -> bool:
        """Tell whether arguments of a method settle what it does; without that, it gives the same at all calls."""
        settling = self.engine.below.settling
        self.members |= settling.rests(ref)
        return bool(settling.asked(ref))

    def may_give(
        self, ref: MemberRef, seed: Seed, returned: Returned, code: Code, index: int
    ) -> bool:
        """Tell whether a method can return what it ``returned`` when it gets the arguments of a call."""
        settling = self.engine.below.settling
        given = settling.given_by(code, index, ref)
        body = self.engine.uses.code(ref)
        idle = settling.idle(body, given) if given else ()
        if not idle:
            return True
        if any(_is_in(seed.at, span) for span in idle) and seed.kind is SeedKind.VALUE:
            return False
        slice_ = self.engine.slices.of(body, seed._replace(idle=idle))
        return any(isinstance(out, Returned) and out.form == returned.form for out in slice_.outs)

    def made(self, state: State, slice_: Slice, out: Entered) -> int:
        """Return whether what a call hands over was put together before (``Seed.made``)."""
        params = self.program.member(out.target).params
        if out.form.kind is not Kind.VALUE or out.slot >= len(params):
            return 0
        if params[out.slot].type in PRIMITIVES:
            return 0
        return slice_.made(self.engine.uses.code(state.ref), out.source)

    def given_back(self, state: State, slice_: Slice, out: Returned) -> int:
        """Return whether what a method returns was put together there or before, in any case that it does return."""
        code = self.engine.uses.code(state.ref)
        if out.form.kind is not Kind.VALUE:
            return 0
        for index in code.context.of_kind(ir.Return):
            instr = code.code[index]
            if isinstance(instr, ir.Return) and instr.value != NONE:
                value = code.code[instr.value]
                if isinstance(value, ir.Const) and value.kind == "n" and _is_caught(code, index):
                    # The option may have made it fail; what it says is not asked.
                    continue
                if isinstance(value, (ir.Const, ir.Choice)):
                    return 0
        return _there(slice_.made(code, out.source))

    def held_by(self, state: State, out: Stored) -> str:
        """Return the class of the object that is given the value, if it is known better than by that of the field."""
        code = self.engine.uses.code(state.ref)
        if not isinstance(code.code[out.instr], ir.StoreField) or self.program.is_static(
            out.field
        ):
            return ""
        return self.engine.objects.of(code, out.instr, out.field.owner, state.this)

    def arguments(
        self, state: State, slot: int
    ) -> Iterator[tuple[MemberRef, State | None, int, str, Spot | None]]:
        """Yield the arguments that a parameter stands for: of the calls of the context, or of all.

        Each comes with the context of the call, and the class and the maker of the object at hand there.
        """
        if state.context is not None:
            frames = [
                (caller.ref, caller.context, out.instr, caller.this, caller.site)
                for caller, out in self.entered.get(state.context, ())
            ]
        else:
            calls = self.engine.uses.callers(state.ref).found
            self.names.add(self.program.member(state.ref).name)
            frames = [(code.ref, None, index, "", None) for code, index in calls[:CALLERS]]
        for ref, context, index, this, site in frames:
            call = self.engine.uses.code(ref).code[index]
            if isinstance(call, (ir.Call, ir.New)) and slot < len(call.args):
                yield ref, context, call.args[slot], this, site

    def is_there(self, state: State, slice_: Slice, out: Stored) -> int:
        """Return whether an object has the value from the beginning (``Seed.made``), so that a test for ``null`` is not the option's.

        Elsewhere it may be given under a condition on the option.
        """
        code = self.engine.uses.code(state.ref)
        kind = self.program.member(state.ref).kind
        begins = kind in _MAKING or (
            self.start.kind is StartKind.PARAMETER and state.ref == self.start.ref
        )
        if out.form.kind is not Kind.VALUE or not begins:
            return 0
        if not unconditional(code.context, out.instr, (0, len(code.code))):
            return 0
        return _there(slice_.made(code, out.source))

    def has_object(self, field: MemberRef | None) -> int:
        """Return 1 if a field is given a new object where it is declared, and nothing takes that away: it is never ``null``."""
        made = 0
        for ref, index in self._given_to(field) if field is not None else ():
            self.program.meter.spend()
            code = self.engine.uses.code(ref).code
            store = code[index]
            value = code[store.value] if isinstance(store, ir.StoreField) else store
            if ref == field:
                made = int(isinstance(value, (ir.New, ir.NewArray)))
            elif isinstance(value, ir.Const) and value.kind == "n":
                return 0
        return made

    def is_made_elsewhere(self, field: MemberRef, held_by: str) -> bool:
        """Tell whether the program makes objects itself whose constructor gives a field a value, besides the one that is given the option."""
        program = self.program
        if program.is_static(field) or not any(
            program.member(ref).kind == "constructor"
            for ref, _ in self.engine.assignments.of(field)
        ):
            return False
        writers, asked = self.engine.writers(field, held_by)
        self.names |= asked
        return writers > 1

    def _given_to(self, field: MemberRef) -> Iterator[Spot]:
        """Yield the instructions that assign a field, first where it is declared."""
        assignments = self.engine.assignments
        for index in assignments.inside(field, field):
            self.members.add(field)
            yield field, index
        for ref, indices in assignments.of(field):
            if ref != field:
                self.members.add(ref)
                for index in indices:
                    yield ref, index

    def makes(self, code: Code) -> bool:
        """Tell whether a body runs while an object is made: a constructor, or a builder's method, which gives back the builder."""
        return self.program.member(code.ref).kind in _MAKING or any(
            isinstance(instr, ir.Return)
            and instr.value != NONE
            and isinstance(code.code[instr.value], ir.This)
            for instr in code.code
        )

    def alone_makes(self, code: Code, field: MemberRef) -> bool:
        """Tell whether a body alone gives a field something that is not ``null``."""
        for ref, indices in self.engine.assignments.of(field):
            if ref == code.ref:
                continue
            body = self.engine.uses.code(ref)
            self.members.add(ref)
            for index in indices:
                store = body.code[index]
                value = body.code[store.value] if isinstance(store, ir.StoreField) else store
                if not isinstance(value, ir.Const) or value.kind != "n":
                    return False
        return True

    def works_on_this(self, code: Code, index: int, field: MemberRef) -> bool:
        """Tell whether a field of the object at hand is read where something is done that costs."""
        if not self.engine.objects.on_this(code, index, field.owner):
            return False
        own = (code.ref.owner, *self.program.supertypes(code.ref.owner))
        return any(
            item.sink.kind not in _CHEAP and item.ref.owner in own
            for item in self._under(code, ((0, len(code.code)),))
        )

    def runs_before(self, code: Code, index: int, field: MemberRef, giver: MemberRef) -> bool:
        """Tell whether an initialiser reads a field of its own class or object before the body that gives it the value can have run.

        A class is initialised before its methods and constructors run, an object before the body of its constructor; unless its
        initialisers call what gives the value.
        """
        member = self.program.member
        if member(code.ref).kind not in _INITIALISING or code.ref.owner != field.owner:
            return False
        if member(giver).kind in _INITIALISING:
            return False
        static = self.program.is_static(field)
        if static != self.program.is_static(code.ref) or not (
            static or self.engine.objects.on_this(code, index, field.owner)
        ):
            return False
        self.names.add(member(giver).name)
        return not any(
            caller.ref.owner == field.owner and member(caller.ref).kind in _INITIALISING
            for caller, _ in self.engine.uses.callers(giver).found
        )

    def overwritten(
        self, code: Code, index: int, field: MemberRef, writer: MemberRef | None, at: int
    ) -> bool:
        """Tell whether the same body has surely given the field another value before it reads it."""
        if not self.engine.objects.on_this(code, index, field.owner):
            return False
        self.program.meter.spend(len(code.field_stores))
        for number in reversed(code.field_stores):
            store = code.code[number]
            if number >= index or not isinstance(store, ir.StoreField):
                continue
            if not self.engine.objects.on_this(code, number, field.owner):
                continue
            if code.context.target_field(store) != field:
                continue
            if (code.ref, number) == (writer, at):
                return False
            if certain(code.context, number, index):
                return True
        return False


def _there(made: int) -> int:
    """Return what is known of an object elsewhere, where an empty ``Optional`` may stand for it."""
    return min(made, 1) if made == PRESENT else made


def _is_caught(code: Code, index: int) -> bool:
    """Tell whether an instruction stands in a ``catch`` clause."""
    return any(
        clause.start <= index < clause.stop
        for at in code.tries
        if isinstance(instr := code.code[at], ir.Try)
        for clause in instr.catches
    )


def _is_in(index: int, span: Range) -> bool:
    return span[0] <= index < span[1]
