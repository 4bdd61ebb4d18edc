"""What calls do with a value: methods of the project, libraries by their rows, functions.

A call of an unknown library passes its arguments to its result and its receiver, unless it is an
operation, a stream or a predicate (Rabkin §5.3.2).  An operation that sizes something of a library's object passes this object
on, since setters of builders do.  Absent: other instructions (``slices``).
"""

from __future__ import annotations

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.forms import (
    HELD,
    NOTHING_CHOSEN,
    SIZED,
    VALUE,
    Applied,
    Dispatched,
    Doubt,
    Ended,
    Entered,
    Fact,
    Form,
    Hit,
    Kind,
)
from conflens.flow.hidden import may_be_native
from conflens.flow.library import Library
from conflens.flow.making import PRESENT, WRITTEN, Making
from conflens.flow.results import Dependency, StepRole
from conflens.flow.sinks import Sink
from conflens.flow.transfer import compares, property_of
from conflens.models.schema import RECEIVER
from conflens.program.types import ARRAY

FAN = 16
"""Methods that one call may run; more are not followed."""


class Calls(Making):
    """The part of a slice that goes through calls."""

    # -- calls ---------------------------------------------------------------------------------------

    def call(
        self, index: int, instr: ir.Call | ir.New, value: int, form: Form, fact: Fact
    ) -> None:
        places = [place for place, arg in enumerate(instr.args) if arg == value]
        if isinstance(instr, ir.Call) and instr.object == value:
            places.append(RECEIVER)
        if self.library.barrier(self.code, index):
            return
        sink = self.library.sink(self.code, index)
        for place in places:
            self._pass(index, instr, place, form, fact, sink)

    def _hit(self, index: int, sink: Sink, fact: Fact, doubt: int = Doubt.NONE) -> None:
        dependency = Dependency.DIRECT
        self.out(
            Hit(index, dependency, sink.kind, sink.api, sink.pause, fact, doubt | self.doubt(fact))
        )

    def _pass(
        self,
        index: int,
        instr: ir.Call | ir.New,
        place: int,
        form: Form,
        fact: Fact,
        sink: Sink | None,
    ) -> None:
        kind = form.kind
        code = self.code
        if sink is not None:
            if place >= 0 and kind is Kind.VALUE and sink.takes(place):
                self._hit(index, sink, fact)
            if place >= 0 and kind is Kind.HELD and sink.takes(place):
                type_ = code.context.type_of(instr.args[place])
                if type_ is not None and type_.name == ARRAY:
                    self._hit(index, sink, fact)
            if place >= 0 and kind is Kind.HELD and form.key:
                for keyed in sink.keyed:
                    if (keyed.place, keyed.key) == (place, form.key):
                        found = sink._replace(kind=keyed.kind, api=keyed.api)
                        self._hit(index, found, fact)
            if place == RECEIVER and kind is Kind.CHOSEN:
                self.out(
                    Hit(
                        index,
                        Dependency.BRANCH,
                        sink.kind,
                        sink.api,
                        sink.pause,
                        fact,
                        self.doubt(fact) | _of_chosen(form),
                    )
                )
        if (
            place == RECEIVER
            and self.library.asks_presence(code, index, place)
            and self.slice.made(code, fact) == PRESENT
        ):
            return
        asks = kind is Kind.VALUE and self.library.asks_text(code, index, place)
        if asks and self.slice.made(code, fact) == WRITTEN:
            return
        if self.library.asks_null(code, index, place):
            if kind is Kind.VALUE and not self.is_there(fact):
                self.add(index, VALUE, fact, doubt=Doubt.ABSENT)
            return
        if compares(instr):
            if kind is Kind.VALUE:
                self.add(index, VALUE, fact)
            return
        if code.context.targets(index) and not self.library.speaks_of(code, index):
            self._project(index, instr, place, form, fact)
            return
        if (
            sink is not None
            and kind not in (Kind.YIELDS, Kind.SIZED)
            and not self.library.passes_in_spite(code, index, place)
            and not (place == RECEIVER and sink.sized and not self.library.in_jdk(code, index))
        ):
            self._to_functions(index, instr, place, form, fact)
            return
        self._library(index, instr, place, form, fact)

    def _project(
        self, index: int, instr: ir.Call | ir.New, place: int, form: Form, fact: Fact
    ) -> None:
        if self.library.gives_default(self.code, index, place):
            self.add(index, VALUE, fact, ((index, StepRole.COMPUTE),))
        if place == RECEIVER:
            self._on_object(index, form, fact)
            return
        doubt = self.doubt(fact)
        refs, more = self.library.callees.run_by(self.code, index)
        if more is not Doubt.NONE and len(refs) > FAN:
            reason = f"the call may run any of {len(refs)} methods"
            self.out(Ended(index, reason, fact, doubt))
            return
        self.slice.native |= {ref: may_be_native(self.program, ref) for ref in refs}
        if all(self.slice.native[ref] for ref in refs) and not self._is_applied(instr):
            reason = "the call runs no code of the project"
            self.out(Ended(index, reason, fact, doubt))
        for ref in refs:
            member = self.program.member(ref)
            if not member.params:
                continue
            slot = min(place, len(member.params) - 1)
            entered = form
            last = len(member.params) - 1
            if member.varargs and place >= last and form.kind is not Kind.HELD:
                type_ = self.code.context.type_of(instr.args[place])
                if type_ is None or type_.name != ARRAY or len(instr.args) != last + 1:
                    spread = Form(Kind.HELD, str(place - last))
                    entered = spread if form.kind is Kind.VALUE else form
            keys: tuple[tuple[int, str], ...] = ()
            if entered.kind in (Kind.VALUE, Kind.HELD, Kind.CHOSEN):
                keys = self.keys_for(ref, instr.args)
            self.out(Entered(index, ref, slot, entered, fact, doubt | more, keys))
        self._function_of(index, place, form, fact)

    def _on_object(self, index: int, form: Form, fact: Fact) -> None:
        """The value, or what it chose, is the object of a call."""
        code = self.code
        doubt = self.doubt(fact)
        if form.kind is Kind.HELD or form == NOTHING_CHOSEN:
            return
        if form.kind is Kind.YIELDS:
            self.add(index, VALUE, fact)
            return
        if form.kind is Kind.SIZED:
            return
        refs, more = self.library.callees.run_by(code, index)
        given = Doubt.NONE
        if form.kind is Kind.CHOSEN and form.key:
            call = code.code[index]
            assert isinstance(call, ir.Call)
            own = self.program.methods(form.key, call.name, len(call.args))[:1]
            if own:
                # What the class has inherited runs on any other object just as well.
                others = code.context.targets(index)[:1] == own
                refs, more = tuple(own), Doubt.EITHER if others else Doubt.NONE
                if own[0].owner != form.key:
                    given = Doubt.EITHER
        virtual = len(refs) > 1 or form.key
        if virtual and len(refs) <= FAN:
            for ref in refs:
                self.out(Dispatched(index, ref, fact, doubt | more))
        elif virtual:
            reason = f"the call may run any of {len(refs)} methods"
            self.out(Ended(index, reason, fact, doubt))
        if self.library.is_plain(code, index):
            if form.kind is Kind.VALUE:
                # Which of several implementations answers is the option's matter; what it answers is not.
                answers = len(refs) > 1 and not self.library.is_enum(code, index)
                answer = Doubt.ANSWER if answers else Doubt.NONE
                self.add(index, VALUE, fact, ((index, StepRole.COMPUTE),), answer)
        elif form.kind is Kind.CHOSEN and len(refs) > 0:
            # What the class has inherited gives just what another object would, as where it wraps that.
            self.add(index, Form(Kind.CHOSEN), fact, doubt=given)

    def _library(
        self, index: int, instr: ir.Call | ir.New, place: int, form: Form, fact: Fact
    ) -> None:
        code, library = self.code, self.library
        kind = form.kind
        self._function_of(index, place, form, fact)
        compute = ((index, StepRole.COMPUTE),)
        if place == RECEIVER and library.names_cells(code, index):
            return
        row = library.cell(code, index, place)
        if row is not None and kind is not Kind.SIZED:
            self._cell(index, instr, place, form, fact)
            return
        if kind is Kind.SIZED:
            self._of_size(index, instr, place, fact)
            return
        if kind is Kind.CHOSEN:
            if place == RECEIVER and code.context.type_of(index) is not None:
                plain = library.is_plain(code, index)
                if not plain:
                    self.add(index, Form(Kind.CHOSEN), fact)
            return
        if kind is Kind.YIELDS:
            if form.key and place != RECEIVER and not library.is_predicate(code, index):
                # What a test lets through is not made of what it looks at; how much is.
                if library.is_list(code, index):
                    self.add(index, SIZED, fact)
            elif place == RECEIVER or not library.is_void(code, index):
                self.add(index, VALUE if place == RECEIVER else HELD, fact, compute)
            return
        if library.gives_default(code, index, place):
            self.add(index, VALUE, fact, compute)
            return
        moves, known = library.conversions(code, index, place)
        if library.gives_sure(code, index, place):
            self.slice.sure.add(index)
        if keeps := library.keeps(code, index, place):
            self.slice.keeping[index] = keeps
        for target in moves:
            if target == RECEIVER:
                if isinstance(instr, ir.Call):
                    self.add(index, form, fact, compute)
                    self.hold(instr.object, index, form, fact, compute)
            elif target >= 0:
                if target < len(instr.args):
                    self.hold(instr.args[target], index, form, fact, compute)
            elif kind is Kind.VALUE and library.makes_object(code, index, place):
                self.add(index, Form(Kind.CHOSEN), fact, compute)
            elif kind is Kind.HELD and place >= 0 and library.is_plain(code, index):
                # An array of arguments, made into one text.
                self.add(index, VALUE, fact, compute)
            else:
                self.add(index, form, fact, compute)
        if known:
            if place == RECEIVER or kind is Kind.VALUE:
                self._to_functions(index, instr, place, form, fact)
            return
        self._unknown(index, instr, place, form, fact)

    def _of_size(self, index: int, instr: ir.Call | ir.New, place: int, fact: Fact) -> None:
        """A collection or array is as long as the option says: so is what a library makes of it."""
        code, library = self.code, self.library
        if place == RECEIVER and not instr.args:
            type_ = code.context.type_of(index)
            if type_ is not None and type_.name == "int":
                self.add(index, VALUE, fact, ((index, StepRole.COMPUTE),))
                return
        if library.is_list(code, index):
            self.add(index, SIZED, fact)

    def _unknown(
        self, index: int, instr: ir.Call | ir.New, place: int, form: Form, fact: Fact
    ) -> None:
        """A library call that no row speaks of (Rabkin §5.3.2).

        What a method makes of a value is the value in another form, unless its name, or that of its class, says that it asks
        somebody else.  What an object was made or set up with is hardly what it gives later: a client's answers are not its address.
        """
        code, library = self.code, self.library
        compute = ((index, StepRole.COMPUTE),)
        kind = form.kind
        jdk = library.in_jdk(code, index)
        if place == RECEIVER:
            self._to_functions(index, instr, place, form, fact)
            if kind is Kind.VALUE and library.is_character(code, index):
                self.out(Ended(index, "the text is taken apart", fact, self.doubt(fact)))
            elif kind is Kind.VALUE and library.gives_value(code, index):
                doubt = Doubt.NONE
                if not jdk:
                    again = self.doubt(fact) & Doubt.ASKED
                    doubt = Doubt.ANSWER if again else Doubt.ASKED
                self.add(index, VALUE, fact, compute, doubt)
            elif (
                kind is Kind.HELD
                and not jdk
                and form.key in ("", property_of(instr, False))
                and not library.is_void(code, index)
            ):
                self.add(index, VALUE, fact, compute, Doubt.LIBRARY)
            return
        if library.is_predicate(code, index):
            if kind is Kind.VALUE:
                doubt = Doubt.NONE if jdk else Doubt.UNDESCRIBED
                self.add(index, VALUE, fact, (), doubt)
            return
        if library.is_stream(code, index) or library.is_spoken_of(code, index):
            return
        if jdk:
            if library.is_plain(code, index):
                self.add(index, form, fact, compute, Doubt.UNDESCRIBED)
            elif isinstance(instr, ir.New) and library.is_text(code, instr.args[place]):
                self.add(index, HELD, fact, compute, Doubt.LIBRARY)
            return
        if not library.is_void(code, index):
            doubt = Doubt.UNDESCRIBED if library.converts(code, index) else Doubt.LIBRARY
            self.add(index, form, fact, compute, doubt)
        elif kind is Kind.VALUE:
            self.out(
                Ended(index, "passed to a library that no row speaks of", fact, self.doubt(fact))
            )
        if (
            isinstance(instr, ir.Call)
            and instr.object != NONE
            and code.context.denotes(instr.object) is None
        ):
            held = Form(Kind.HELD, property_of(instr, True)) if kind is Kind.VALUE else form
            self.hold(instr.object, index, held, fact, compute, Doubt.LIBRARY)

    def _cell(
        self, index: int, instr: ir.Call | ir.New, place: int, form: Form, fact: Fact
    ) -> None:
        """A value is put into a library's container, or taken out of one."""
        code, library = self.code, self.library
        row = library.cell(code, index, place)
        assert row is not None
        key = ""
        if row.key is not None and row.key < len(instr.args):
            key = self.key_text(instr.args[row.key])
        kind = form.kind
        if place == RECEIVER:
            self._to_functions(index, instr, place, form, fact)
            if not row.take:
                return
            if kind is Kind.HELD:
                assert isinstance(instr, ir.Call)
                named = row.key is not None and not library.is_list(code, instr.object)
                if form.key and key and form.key != key:
                    return
                if named and not (form.key and key):
                    reason = "kept under a name that is known only at run time"
                    self.out(Ended(index, reason, fact, self.doubt(fact)))
                    return
                load = ((index, StepRole.LOAD),)
                if row.whole or library.is_holder(code, index):
                    self.add(index, form, fact)
                else:
                    self.add(index, VALUE, fact, load)
            elif kind in (Kind.VALUE, Kind.CHOSEN):
                self.add(index, form, fact)
            return
        if place == row.put:
            held = form if kind in (Kind.CHOSEN, Kind.HELD) else Form(Kind.HELD, key)
            by_name = row.key is not None and not _is_in_list(library, code, instr)
            if kind is Kind.VALUE and not by_name and library.is_list(code, instr.args[place]):
                # What is put in is itself a list that the option spells out.
                held = VALUE
            if kind is Kind.CHOSEN and row.whole:
                # What a chosen collection holds is none of the option's doing.
                return
            if by_name and kind is Kind.CHOSEN and (form == NOTHING_CHOSEN or not key):
                # Whether one cell has an object says nothing of the others.
                self.out(Ended(index, "chosen, and kept under a name", fact, self.doubt(fact)))
                return
            store = ((index, StepRole.STORE),)
            # Under which name what is chosen is taken out again is not followed.
            doubt = Doubt.EITHER if by_name and kind is Kind.CHOSEN else Doubt.NONE
            if (
                isinstance(instr, ir.Call)
                and instr.object != NONE
                and code.context.denotes(instr.object) is None
            ):
                self.hold(instr.object, index, held, fact, store, doubt)
                return
            self.add(index, held, fact, store, doubt)
        elif place == row.key and row.take and kind is Kind.VALUE:
            if library.is_text(code, index):
                self.out(Ended(index, "another text is looked up by it", fact, self.doubt(fact)))
                return
            chosen = VALUE if library.is_plain(code, index) else Form(Kind.CHOSEN)
            self.add(index, chosen, fact, ((index, StepRole.COMPUTE),))

    # -- functions -----------------------------------------------------------------------------------

    def _is_applied(self, instr: ir.Call | ir.New) -> bool:
        """Tell whether a call is made on a function."""
        return (
            isinstance(instr, ir.Call)
            and instr.object != NONE
            and self.library.is_function(self.code, instr.object)
        )

    def _function_of(self, index: int, place: int, form: Form, fact: Fact) -> None:
        """Hand an argument to the function on which a call is made, if its object is one."""
        instr = self.code.code[index]
        if place < 0 or form.kind not in (Kind.VALUE, Kind.HELD, Kind.CHOSEN):
            return
        if isinstance(instr, ir.Call) and self._is_applied(instr):
            self.out(Applied(index, instr.object, place, form, fact, self.doubt(fact)))

    def _to_functions(
        self, index: int, instr: ir.Call | ir.New, place: int, form: Form, fact: Fact
    ) -> None:
        """Hand what a library object holds to the functions that its method is given."""
        if form.kind not in (Kind.VALUE, Kind.HELD) or place != RECEIVER:
            return
        named = self.library.cell_name(self.code, index) if form.kind is Kind.HELD else NONE
        key = self.key_text(named) if named != NONE and form.key else ""
        if key and key != form.key:
            return
        for arg in instr.args:
            function = self.code.code[arg]
            if isinstance(function, ir.Lambda):
                if named != NONE and len(function.params) == 1:
                    # It makes what is put under the name, and is given that.
                    continue
                for slot in function.params[-1:]:
                    self.spread(slot, function.start - 1, VALUE, fact)
            elif isinstance(function, ir.MethodRef):
                refs = self.library.callees.referred(self.code, arg, 1)
                for ref in refs:
                    if self.program.member(ref).params:
                        self.out(Entered(arg, ref, 0, VALUE, fact, self.doubt(fact)))
                sink = self.library.sink(self.code, arg)
                if sink is not None:
                    self._hit(arg, sink, fact)
                elif not refs and not self.library.in_jdk(self.code, arg):
                    reason = "passed to a library that no row speaks of"
                    self.out(Ended(arg, reason, fact, self.doubt(fact)))
        if (
            instr.args
            and any(isinstance(self.code.code[arg], ir.MethodRef) for arg in instr.args)
            and not self.library.is_void(self.code, index)
        ):
            self.add(index, HELD, fact)


def _of_chosen(form: Form) -> int:
    """Return the doubt about an operation of an object that an option chose: it may run on any other just as well."""
    if form == NOTHING_CHOSEN:
        return Doubt.NONE
    return Doubt.CARRIED if form.key else Doubt.CARRIED | Doubt.EITHER


def _is_in_list(library: Library, code: Code, instr: ir.Call | ir.New) -> bool:
    """Tell whether a call is made on a list, the cells of which are numbered."""
    return (
        isinstance(instr, ir.Call) and instr.object != NONE and library.is_list(code, instr.object)
    )
