"""What is known where a state of a walk stands: which object is at hand, what the other arguments are, which calls it came in by.

Absent: where values go (``walk``).
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.arrivals import Arriving, State
from conflens.flow.code import Code
from conflens.flow.forms import Entered, Kind, Returned, Seed, SeedKind, Stored
from conflens.flow.guards import Range
from conflens.flow.making import Slice
from conflens.flow.settled import Given
from conflens.program.refs import MemberRef
from conflens.program.types import PRIMITIVES

CALLERS = 200


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
        if objects.on_this(code, index, target.owner) and not objects.may_run(target, state.this):
            return None
        return objects.of(code, index, target.owner, state.this)

    def given(
        self, state: State, index: int, target: MemberRef
    ) -> tuple[Given, tuple[Range, ...]]:
        """Return what is known of the parameters of a method that a call runs, and what of the method does not run then."""
        settling = self.engine.below.settling
        given = settling.given_by(self.engine.uses.code(state.ref), index, target, state.given)
        self.members |= settling.rests(target)
        if not given:
            return (), ()
        return given, settling.idle(self.engine.uses.code(target), given)

    def may_give(
        self, ref: MemberRef, seed: Seed, returned: Returned, code: Code, index: int
    ) -> bool:
        """Tell whether a method can return what it ``returned`` when it gets the arguments of a call."""
        settling = self.engine.below.settling
        given = settling.given_by(code, index, ref)
        self.members |= settling.rests(ref)
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
        for instr in code.code:
            if isinstance(instr, ir.Return) and instr.value != NONE:
                value = code.code[instr.value]
                if isinstance(value, ir.Const | ir.Choice):
                    return 0
        return slice_.made(code, out.source)

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
    ) -> Iterator[tuple[MemberRef, State | None, int, str]]:
        """Yield the arguments that a parameter stands for: of the calls of the context, or of all.

        Each comes with the context of the call and the class of the object at hand there.
        """
        if state.context is not None:
            frames = [
                (caller.ref, caller.context, out.instr, caller.this)
                for caller, out in self.entered.get(state.context, ())
            ]
        else:
            calls = self.engine.uses.callers(state.ref).found
            self.names.add(self.program.member(state.ref).name)
            frames = [(code.ref, None, index, "") for code, index in calls[:CALLERS]]
        for ref, context, index, this in frames:
            call = self.engine.uses.code(ref).code[index]
            if isinstance(call, ir.Call | ir.New) and slot < len(call.args):
                yield ref, context, call.args[slot], this


def _is_in(index: int, span: Range) -> bool:
    return span[0] <= index < span[1]
