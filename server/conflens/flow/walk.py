"""The walk across bodies: from a read, over slices, to every operation that the value reaches.

Terms
    state     a seed of a body within a context; the unit of the walk.
    context   the state by which a parameter's value entered a method; ``None`` where a value did not come in by a
              parameter.  A value that is returned goes back to the calls that entered that context, so two
              callers of one method do not exchange options; what has no context goes to all callers.
    cell      a field of a class, one for all its objects (LearnConf §3.1.1); contexts end there.
    this      the class of the object at hand in a state's body, where it is known to be a subclass of the body's: objects of
              other subclasses do not hold the value (``objects``).
    site      the ``new`` that made the object at hand, where several make such objects: others do not hold the value (``makers``).
    arrival   an operation reached in one way, from one place.

States are worked off surest first, then by length, so the first arrival has the best path.  A
walk starts from one read; slices and what lies below conditions are shared by all walks.  ``members``
of a walk are those whose bodies it rests on, ``names`` those whose users it asked for: it stays right while
neither changes.

Absent: facts inside a body (``slices``), options.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop

from conflens.base.budget import reason_of
from conflens.base.cancel import Cancelled
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.applied import Applying
from conflens.flow.arrivals import State
from conflens.flow.asked_cells import Load
from conflens.flow.contexts import CALLERS
from conflens.flow.engine import Engine
from conflens.flow.forms import (
    FLAG,
    HELD,
    VALUE,
    YIELDS,
    Applied,
    Captured,
    Dispatched,
    Doubt,
    Effected,
    Ended,
    Entered,
    Filled,
    Form,
    Guarded,
    Hit,
    Kind,
    Returned,
    Seed,
    SeedKind,
    Stored,
    joined,
    kept,
    weak,
)
from conflens.flow.makers import Spot
from conflens.flow.making import Slice
from conflens.flow.objects import MOST
from conflens.flow.results import (
    Reach,
    Step,
    StepRole,
    order,
)
from conflens.flow.trails import Link
from conflens.flow.walk_types import COLD, FEW_WRITERS, USERS, WRITERS, Start, StartKind, Walk
from conflens.program.refs import MemberRef

STATES = 1000
"""States of one walk."""

STEPS = 3_000_000
"""Steps of one walk (``base.budget``), for bodies in which even so many states cost too much."""

_STATE = 12
"""Steps of the budget that a state costs, besides what leaves it."""


def walk_from(engine: Engine, start: Start) -> Walk:
    """Return everything that the value of one read reaches."""
    return Walking(engine, start).run()


class Walking(Applying):
    """One walk."""

    def run(self) -> Walk:
        """Work everything off, up to the end of the budget."""
        fault = ""
        try:
            with self.program.meter.limited_whole(STEPS, ("walk", *self.start.ref)):
                self._run()
        except Cancelled:
            raise
        except Exception as error:  # a fault of ours in one walk must not cost the others
            fault = reason_of(error)
            self.go_cold(self.start.ref, NONE, fault)
        flows = sorted(self.flows(), key=order)
        cold = tuple(self.cold)[:COLD]
        # Where a trail ends is told by an instruction, which an edit of that body moves.
        self.members.update(item.ref for item in cold if item.instr != NONE)
        reach = Reach(tuple(flows), cold, self.holds(), self.kept())
        for state in self.known.values():
            state.release()
        return Walk(reach, frozenset(self.members), frozenset(self.names), fault)

    def _run(self) -> None:
        self._begin()
        done = 0
        while self.queue:
            *_, state = heappop(self.queue)
            done += 1
            if done > STATES:
                self.go_cold(state.ref, state.seed.at, "the value goes on to too many places")
                break
            self._work(state)

    def _begin(self) -> None:
        start = self.start
        self.members.add(start.ref)
        doubt = Doubt.SHARED if start.shared else Doubt.NONE
        doubt |= Doubt.GUESSED if start.guessed else Doubt.NONE
        there = int(start.there)
        if start.kind in (StartKind.VALUE, StartKind.TEST):
            form = VALUE if start.kind is StartKind.VALUE else FLAG
            code = self.engine.uses.code(start.ref)
            instr = code.code[start.at]
            if isinstance(instr, ir.MethodRef):
                form = YIELDS
            elif isinstance(instr, (ir.Name, ir.Field)):
                there = there or self.has_object(code.context.field_of(start.at))
            if (start.shared or start.whole) and self.engine.library.is_object(code, start.at):
                doubt |= Doubt.WHOLE
            link = Link.of(Step(start.ref, start.at, StepRole.READ))
            seed = Seed(SeedKind.VALUE, start.at, form, made=there)
            self.push(start.ref, seed, None, link, doubt)
            return
        link = Link.of(Step(start.ref, NONE, StepRole.READ))
        this = self.engine.objects.narrower(start.holder, start.ref.owner)
        if start.kind is StartKind.PARAMETER:
            seed = Seed(SeedKind.PARAMETER, start.at, VALUE, made=there)
            self.push(start.ref, seed, None, link, doubt, this=this)
        elif start.kind is StartKind.FIELD:
            there = there or self.has_object(start.ref)
            if self.is_made_elsewhere(start.ref, this):
                doubt |= Doubt.CELL
            self._load(start.ref, VALUE, link, doubt, 0, 0, this, there=there)
        else:
            there = there or self.has_object(self.engine.library.callees.getter(start.ref))
            self._to_callers(start.ref, VALUE, link, doubt, 0, 0, this, made=there)

    # -- states --------------------------------------------------------------------------------------

    def _work(self, state: State) -> None:
        code = self.engine.uses.code(state.ref)
        self.members.add(state.ref)
        slice_ = self.engine.slices.of(code, state.seed)
        self.members.update(slice_.getters)
        self.members.update(slice_.keyed)
        self.members.update(slice_.setters)
        unsure = weak(state.doubt)
        self.program.meter.spend(_STATE + len(slice_.outs))
        for out in slice_.outs:
            if unsure and not isinstance(out, (Hit, Guarded, Dispatched)):
                self.go_cold(
                    state.ref,
                    out.instr if not isinstance(out, Captured) else NONE,
                    "the way is too unsure to be followed",
                )
                continue
            match out:
                case Entered():
                    self._enter(state, slice_, out)
                case Effected():
                    guard = Step(state.ref, out.at, StepRole.GUARD)
                    step = Step(state.ref, out.instr, StepRole.ARGUMENT)
                    link = Link(state.link, state.ref, slice_, out.source, (guard, step))
                    seed = Seed(SeedKind.EFFECT, 0, out.form)
                    this = self.this(state, out.instr, out.target)
                    if this is not None:
                        self.follow(state, out.target, seed, None, link, out.doubt, this)
                case Stored():
                    self._store(state, slice_, out)
                case Returned():
                    self._return(state, slice_, out)
                case Captured():
                    link = Link(state.link, state.ref, slice_, out.source, ())
                    of = self.of(state, slice_, out)
                    seed = Seed(SeedKind.VALUE, out.load, out.form, of=of)
                    self.follow(state, out.target, seed, None, link, out.doubt)
                case Filled():
                    self._fill(state, slice_, out)
                case Applied():
                    self.apply(state, slice_, out)
                case Hit():
                    self.hit(state, slice_, code, out)
                case Guarded():
                    self.guard(state, slice_, code, out)
                case Dispatched():
                    self.dispatch(state, slice_, out)
                case Ended():
                    self.go_cold(state.ref, out.instr, out.reason)

    # -- across bodies -------------------------------------------------------------------------------

    def _enter(self, state: State, slice_: Slice, out: Entered) -> None:
        this = self.this(state, out.instr, out.target)
        code = self.engine.uses.code(state.ref)
        if this is None or not self.may_run(code, out.instr, out.target):
            return
        site = None
        if out.slot in self.engine.library.set_parameters(out.target):
            site = self.site(state, out.instr, out.target.owner)
        given, idle = self.given(state, slice_, out)
        seed = Seed(
            SeedKind.PARAMETER,
            out.slot,
            out.form,
            0,
            out.keys,
            idle,
            self.made(state, slice_, out),
            self.of(state, slice_, out),
        )
        entry = self.known.get((out.target, seed, None, this, given, site))
        if entry is None:
            step = Step(state.ref, out.instr, StepRole.ARGUMENT)
            link = Link(state.link, state.ref, slice_, out.source, (step,))
            entry = self.push(
                out.target,
                seed,
                None,
                link,
                joined(state.doubt, out.doubt),
                Doubt.NONE,
                state.length + 1,
                state.borders + 1,
                this,
                given,
                site,
            )
            if entry is None:
                return
            # What comes in by a parameter is a context of its own.
            entry.context = entry
        self.entered.setdefault(entry, []).append((state, out))
        for ended, back in self.returned.get(entry, ()):
            self._back(entry, state, slice_, out, ended, back)

    def _back(
        self,
        entry: State,
        caller: State,
        slice_: Slice,
        out: Entered,
        ended: State,
        back: Returned,
    ) -> None:
        """A value that entered a method by a call is the call's result."""
        step = Step(caller.ref, out.instr, StepRole.ARGUMENT)
        inside = Link(caller.link, caller.ref, slice_, out.source, (step,))
        callee = self.engine.slices.of(self.engine.uses.code(ended.ref), ended.seed)
        tail = tuple(Step(ended.ref, index, role) for index, role in back.steps)
        link = Link(
            Link.between(inside, entry.link, ended.link), ended.ref, callee, back.source, tail
        )
        code = self.engine.uses.code(caller.ref)
        if isinstance(code.code[out.instr], (ir.New, ir.MethodRef)):
            return
        made, of = self.given_back(ended, callee, back), self.of(ended, callee, back)
        seed = Seed(SeedKind.VALUE, out.instr, back.form, made=made, of=of)
        doubt = joined(out.doubt, joined(back.doubt, ended.inner))
        self.follow(
            caller, caller.ref, seed, caller.context, link, doubt, caller.this, caller.site
        )

    def _return(self, state: State, slice_: Slice, out: Returned) -> None:
        if self.is_result(state, slice_, out):
            return
        if state.context is not None:
            self.returned.setdefault(state.context, []).append((state, out))
            for caller, entered in list(self.entered.get(state.context, ())):
                code = self.engine.uses.code(caller.ref)
                from_slice = self.engine.slices.of(code, caller.seed)
                self._back(state.context, caller, from_slice, entered, state, out)
            return
        tail = tuple(Step(state.ref, index, role) for index, role in out.steps)
        link = Link(state.link, state.ref, slice_, out.source, tail)
        self._to_callers(
            state.ref,
            out.form,
            link,
            joined(state.doubt, out.doubt),
            state.length + 1,
            state.borders + 1,
            state.this,
            (state.seed, out),
            self.given_back(state, slice_, out),
            state.site,
            self.of(state, slice_, out),
        )

    def _to_callers(
        self,
        ref: MemberRef,
        form: Form,
        link: Link,
        doubt: int,
        length: int,
        borders: int,
        this: str,
        returned: tuple[Seed, Returned] | None = None,
        made: int = 0,
        site: Spot | None = None,
        of: str = "",
    ) -> None:
        """Go on at the calls of a method on objects that may be of class ``this``, the method's own if empty, and made at ``site``.

        A call that keeps what was ``returned`` from being reached in the method does not give it.
        """
        member = self.program.member(ref)
        if member.kind != "method":
            return
        users = self.engine.uses.callers(ref)
        calls = users.found
        self.names.add(member.name)
        if not users.complete or len(calls) > CALLERS:
            self.go_cold(ref, NONE, f"it is called at {len(calls)} places and more")
        objects = self.engine.objects
        static = self.program.is_static(ref)
        asked = self.asks_arguments(ref) if returned is not None else False
        for code, index in calls[:CALLERS]:
            if returned is not None and asked and not self.may_give(ref, *returned, code, index):
                # Another argument would make it give the value.
                self.members.add(code.ref)
                continue
            seed = Seed(SeedKind.VALUE, index, form, made=made, of=of)
            refs, more = self.engine.library.callees.run_by(code, index)
            within, maker = "", None
            if not static:
                here = objects.on_this(code, index, ref.owner)
                told = code.ref.owner if here else objects.other(code, index)
                if objects.apart(told, this or ref.owner):
                    continue
                if here or objects.at_hand(code, index, ref.owner):
                    within, maker = objects.narrower(this or ref.owner, code.ref.owner), site
                elif self.elsewhere(code, index, site) or (
                    len(refs) > 1 and not self.may_run(code, index, ref)
                ):
                    continue
            self.push(
                code.ref,
                seed,
                None,
                link,
                doubt | more,
                Doubt.NONE,
                length,
                borders,
                within,
                site=maker,
            )
        for code, index in self.engine.uses.references(ref):
            if form.kind is not Kind.VALUE:
                break
            seed = Seed(SeedKind.VALUE, index, YIELDS)
            self.push(code.ref, seed, None, link, doubt, Doubt.NONE, length, borders)

    def _store(self, state: State, slice_: Slice, out: Stored) -> None:
        held_by = self.held_by(state, out)
        held = self.cells.setdefault((out.field, out.form), set())
        of = self.of_stored(state, slice_, out)
        if not held.isdisjoint((("", None, ""), (held_by, None, ""), (held_by, None, of))):
            return
        writers, asked = self.engine.writers(out.field, held_by)
        code = self.engine.uses.code(state.ref)
        stores = isinstance(code.code[out.instr], ir.StoreField)
        site = None
        if writers > 1 and stores and not self.program.is_static(out.field):
            site = self.site(state, out.instr, out.field.owner)
        if len(held) >= MOST:
            held_by, site, of = "", None, ""
            writers, asked = self.engine.writers(out.field)
        if (held_by, site, of) in held:
            return
        held.add((held_by, site, of))
        doubt = kept(joined(state.doubt, out.doubt))
        self.names |= asked
        self.names.add(self.program.member(out.field).name)
        crowded = writers > WRITERS and self.engine.handed(state.ref, out.instr) > 1
        if crowded:
            self.go_cold(state.ref, out.instr, "a field of a class with too many objects")
        if writers > 1 and not self.program.is_static(out.field):
            doubt |= Doubt.CELL if self.makes(code) else Doubt.CELL | Doubt.SET
            if writers > FEW_WRITERS and not crowded:
                # Where it is crowded, only what the object itself does is followed.
                doubt |= Doubt.CROWDED
        if out.form == HELD and self.program.is_static(out.field):
            self.go_cold(state.ref, out.instr, "kept among the values of the whole program")
            return
        tail = tuple(Step(state.ref, index, role) for index, role in out.steps)
        link = Link(state.link, state.ref, slice_, out.source, tail)
        own = stores and self.engine.objects.on_this(code, out.instr, out.field.owner)
        writer = state.ref if own else None
        self._load(
            out.field,
            out.form,
            link,
            doubt,
            state.length + 1,
            state.borders + 1,
            held_by,
            writer,
            out.instr,
            crowded,
            self.is_there(state, slice_, out) if own else 0,
            site,
            state.ref,
            of,
        )

    def _load(
        self,
        field: MemberRef,
        form: Form,
        link: Link,
        doubt: int,
        length: int,
        borders: int,
        held_by: str = "",
        writer: MemberRef | None = None,
        at: int = NONE,
        crowded: bool = False,
        there: int = 0,
        site: Spot | None = None,
        giver: MemberRef | None = None,
        of: str = "",
    ) -> None:
        """Go on at the loads of a field of objects that may be of class ``held_by`` and made at ``site``.

        ``crowded``: only where the object itself does something that costs.  ``there``: an object has the value from the beginning,
        and it is not ``null``.  ``giver``: the body that gives the field the value.
        """
        member = self.program.member(field)
        users = self.engine.uses.loads(field)
        loads: Sequence[Load] = users.found
        self.names.add(member.name)
        if form.kind is Kind.HELD and form.key:
            cells = self.engine.asked_cells(field)
            self.members |= cells.bodies
            loads = cells.of(form.key)
        if not users.complete:
            self.go_cold(field, NONE, f"more than {USERS} members name this field")
        program = self.program
        program.meter.spend(len(loads))
        objects = self.engine.objects
        for code, index in loads:
            on_this = objects.on_this(code, index, field.owner)
            if objects.apart(objects.receiver(code, index, field.owner), held_by):
                continue
            if self.overwritten(code, index, field, writer, at):
                continue
            if giver is not None and self.runs_before(code, index, field, giver):
                continue
            if not on_this and self.elsewhere(code, index, site):
                continue
            if crowded and not self.works_on_this(code, index, field):
                continue
            # Whether it is there tells if this body has run before: not what the option says.
            made = there or int(link.ref == code.ref and self.alone_makes(code, field))
            step = Step(code.ref, index, StepRole.LOAD)
            seed = Seed(SeedKind.VALUE, index, form, made=made, of=of)
            below = Link(link, code.ref, None, None, (step,))
            this = objects.narrower(held_by, code.ref.owner) if on_this else ""
            self.push(
                code.ref,
                seed,
                None,
                below,
                doubt,
                Doubt.NONE,
                length + 1,
                borders,
                this,
                site=site if on_this else None,
            )

    def _fill(self, state: State, slice_: Slice, out: Filled) -> None:
        """The object that came in by a parameter holds the value now, for the caller as well."""
        link = Link(state.link, state.ref, slice_, out.source, ())
        of = self.of(state, slice_, out)
        for caller, context, value, this, site in self.arguments(state, out.slot):
            seed = Seed(SeedKind.HOLDER, value, out.form, of=of)
            self.follow(state, caller, seed, context, link, out.doubt, this, site)
