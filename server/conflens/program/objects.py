"""What the fields of objects can hold, and what callers pass: the part of evaluation that leaves a body.

An object is followed to where it is made: a ``new``, a factory of the project, a constant field, a
local; its constructor then says what a field is.  Where that is not known, all assignments to the field
count (one cell for a field: LearnConf, section 3.1.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.program.asking import Asking
from conflens.program.assignments import assignments
from conflens.program.body_uses import called
from conflens.program.bounds import (
    CALLERS,
    DEEP,
    DEPTH,
    GIVEN,
    MANY_CALLERS,
    MANY_CALLS,
    MANY_STORES,
    MANY_WAYS,
    WAYS,
)
from conflens.program.evaluation import Evaluation, Most
from conflens.program.expressions import Context
from conflens.program.origins import Origins
from conflens.program.program import Program
from conflens.program.reaching import reaching
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    CLASS,
    CONSTANT,
    ELEMENT,
    ENDED,
    LIMIT,
    RESULT,
    UNKNOWN,
    Dynamic,
    Param,
    Part,
    SelfField,
    Templates,
    completed,
    known_text,
    substitute,
    union,
)
from conflens.program.trail import Cut, Trail, used

T = TypeVar("T")


class Objects:
    """Evaluates fields of objects; ``of`` evaluates expressions (``Values``)."""

    def __init__(self, program: Program, models: Models | None = None) -> None:
        """Evaluate in ``program``; ``models`` say which library calls pass a value on unchanged."""
        self.program = program
        self.models = models
        self.trail = Trail()
        self.asking: Asking = Asking(program, self.trail)
        self.evaluation = Evaluation[Templates](self.trail, DEPTH, UNKNOWN, Most(WAYS, MANY_WAYS))

    @property
    def origins(self) -> Origins:
        """Return what finds the expressions behind members; made on demand, so that nothing here refers to itself."""
        return Origins(self.program, self)

    def cut(self, ref: MemberRef, message: str) -> None:
        """Note that a bound was met at a member; ``message`` says what is missing."""
        self.trail.whole.add(ref.path)
        self.trail.cuts.add(Cut(ref.path, self.program.member(ref).name_at, message))

    def first(self, found: Sequence[T], most: int, ref: MemberRef, message: str) -> Sequence[T]:
        """Return as much of what was found as is looked at; ``message`` says what is missing where that is not all."""
        if len(found) > most:
            self.cut(ref, message)
        return found[:most]

    def open(self, ref: MemberRef) -> Context:
        """Return the context of a member, and note that its body was looked at."""
        self.trail.bodies.add(ref)
        return Context.of(self.program, ref)

    def of(self, context: Context, value: int, depth: int = 0) -> Templates:
        """Return what the value of an expression can be."""
        raise TypeError("an expression is evaluated by Values")

    def completed(self, context: Context, one: Templates, two: Templates) -> Templates:
        """Return the one text that two are of which a body adds to the shorter what it does not end or begin with; else nothing."""
        found = completed(one, two)
        if found is None:
            return ()
        text, turn = found
        for _, call in called(context, "endsWith" if turn.what == ENDED else "startsWith"):
            if call.args and known_text(self.of(context, call.args[0], 1)) == turn.old:
                return text
        return ()

    def stores(self, ref: MemberRef) -> list[tuple[Context, ir.StoreField]]:
        """Return the assignments to a field, its initialiser first."""
        name = self.program.member(ref).name
        found: list[tuple[Context, ir.StoreField]] = []
        own = self.open(ref)
        for index in own.named(name).stores:
            instr = own.code[index]
            if isinstance(instr, ir.StoreField):
                found.append((own, instr))
        final = self.program.is_constant(ref)
        if final and found:
            return found
        self.trail.names.update((name, used(name)))
        for user, indices in assignments(self.program).of(ref):
            if user == ref or (final and user.path != ref.path):
                continue
            context = self.open(user)
            found += [
                (context, instr)
                for index in indices
                if isinstance(instr := context.code[index], ir.StoreField)
            ]
        self.program.meter.spend(len(found))
        return found

    def lasting(self, ref: MemberRef) -> bool:
        """Tell whether a static field keeps the value that it is declared with: it is final, or nothing else assigns it."""
        if not self.program.is_static(ref) or self.program.is_constant(ref):
            return self.program.is_static(ref)

        def once() -> bool:
            stores = self.stores(ref)
            return len(stores) == 1 and stores[0][0].ref == ref

        return self.trail.remembered(("lasting", ref), once)

    # -- objects ---------------------------------------------------------------------------------

    def receiver_field(
        self, context: Context, receiver: int, field: SelfField, depth: int
    ) -> Templates:
        """Return what a field of the object ``receiver`` can be."""
        depth += 1
        if self.evaluation.too_deep(depth):
            return DEEP
        instr = context.code[receiver] if receiver != NONE else None
        if instr is None or isinstance(instr, ir.This):
            return ((field,),)
        if isinstance(instr, ir.New):
            return self._constructed(context, receiver, instr, field, depth)
        if isinstance(instr, ir.Load) and not instr.up:
            stored = self._only_store(context, instr, receiver)
            if stored != NONE:
                return self.receiver_field(context, stored, field, depth)
            if (
                context.is_parameter(instr.slot)
                and not reaching(context, instr.slot, receiver).stores
            ):
                return ((Param(instr.slot, field.owner, field.name),),)
        if isinstance(instr, ir.Call):
            made = self._made(context, receiver, instr, field, depth)
            if made is not None:
                return made
        ref = context.field_of(receiver)
        if ref is not None and field.name in (CONSTANT, CLASS):
            member = self.program.member(ref)
            if member.kind == "enum_constant":
                return ((member.name if field.name == CONSTANT else ref.owner,),)
        if field.name == CLASS:
            type_ = context.type_of(receiver)
            return self.only(type_.name) if type_ is not None else UNKNOWN
        if ref is not None and self.program.is_static(ref) and self.lasting(ref):
            written = self._written(ref, field, depth)
            if not any(isinstance(part, Dynamic) for parts in written for part in parts):
                return written
            inner = self.open(ref)
            for store in reversed(inner.code):
                if isinstance(store, ir.StoreField):
                    return self.receiver_field(inner, store.value, field, depth)
        found = self.expand(field, depth, self._class_of(context, receiver, field))
        if ref is None or self.program.is_static(ref) or not _is_unknown(found):
            return found
        held = self._in_held(ref, field, depth)
        return found if _is_unknown(held) else held

    def _class_of(self, context: Context, value: int, field: SelfField) -> str:
        """Return the class of an object that inherits a field, whose sister classes do not count; empty for another."""
        type_ = context.type_of(value)
        if type_ is None or self.program.type(type_.name) is None:
            return ""
        return type_.name if field.owner in self.program.supertypes(type_.name) else ""

    def _in_held(self, ref: MemberRef, field: SelfField, depth: int) -> Templates:
        """Return what a field can be in the objects that a field of an object is given, also by the calls of the member that assigns it."""

        def find() -> Templates:
            stores = self.stores(ref)
            if not stores or len(stores) > GIVEN:
                return UNKNOWN
            given = [
                (place, self.receiver_field(place, store.value, field, depth))
                for place, store in stores
            ]
            return union(*(self._by_callers(place.ref, one, depth) for place, one in given))

        return self.evaluation.once(("held", ref, field), depth, find)

    def _by_callers(self, ref: MemberRef, templates: Templates, depth: int) -> Templates:
        """Fill in fields of what the calls of a member hand over; what these do not tell themselves is not known."""

        def fill(part: Part) -> Templates:
            if not isinstance(part, Param) or not _is_field(part):
                return UNKNOWN
            calls = self.callers(ref)
            if not calls or len(calls) > GIVEN:
                return UNKNOWN
            given = union(*(self.filled(at, NONE, args, part, depth) for at, _, args in calls))
            return substitute(given, lambda _part: UNKNOWN)

        return substitute(templates, fill)

    def _written(self, ref: MemberRef, field: SelfField, depth: int) -> Templates:
        """Return what a field of a constant object was given where the object is made."""

        def find() -> Templates:
            made = self.origins.constant(ref)
            given = self.origins.field(made, field.name) if made is not None else None
            return self.origins.templates(given, depth) if given is not None else UNKNOWN

        return self.evaluation.once(("written", ref, field.name), depth, find)

    @staticmethod
    def _only_store(context: Context, load: ir.Load, at: int) -> int:
        """Return the value of the one assignment that reaches a local, else ``NONE``."""
        reached = reaching(context, load.slot, at)
        if len(reached.stores) != 1 or (reached.entry and context.is_parameter(load.slot)):
            return NONE
        store = context.code[reached.stores[0]]
        return store.value if isinstance(store, ir.Store) else NONE

    def _made(
        self, context: Context, value: int, call: ir.Call, field: SelfField, depth: int
    ) -> Templates | None:
        """Return a field of the object that a project factory makes."""
        targets = context.targets(value)
        if not targets or self.asking.overriders(targets[0]):
            return None
        inner = self.open(targets[0])
        made = [
            instr.value
            for instr in inner.code
            if isinstance(instr, ir.Return) and instr.kind == "return" and instr.value != NONE
        ]
        if len(made) != 1 or not isinstance(inner.code[made[0]], ir.New):
            return None
        given = self.receiver_field(inner, made[0], field, depth)
        return substitute(
            given, lambda part: self.filled(context, call.object, call.args, part, depth)
        )

    def filled(
        self, context: Context, receiver: int, args: tuple[int, ...], part: Part, depth: int = 0
    ) -> Templates:
        """Return what a call fills into a hole of the called member's templates."""
        if self.evaluation.too_deep(depth):
            return DEEP
        if isinstance(part, Param):
            if part.slot >= len(args):
                return UNKNOWN
            if part.name.startswith(RESULT):
                return self._asked(context, args[part.slot], part, depth)
            if part.name:
                field = SelfField(part.owner, part.name)
                return self.receiver_field(context, args[part.slot], field, depth)
            return self.of(context, args[part.slot], depth)
        if isinstance(part, SelfField):
            return self.receiver_field(context, receiver, part, depth)
        return UNKNOWN

    def asked_later(self, context: Context, call: ir.Call, target: MemberRef) -> Templates | None:
        """Return the result of a method of a parameter, which the caller's argument decides; ``None`` for another call."""
        asked = context.code[call.object] if call.object != NONE and not call.args else None
        if not isinstance(asked, ir.Load) or asked.up or not context.is_parameter(asked.slot):
            return None
        if reaching(context, asked.slot, call.object).stores:
            return None
        return ((Param(asked.slot, target.owner, RESULT + call.name),),)

    def _asked(self, context: Context, receiver: int, part: Param, depth: int) -> Templates:
        """Return the result of a method of what is handed over."""
        name = part.name.removeprefix(RESULT)
        type_ = context.type_of(receiver) if receiver != NONE else None
        known = self.program.methods(type_.name, name, 0) if type_ is not None else []
        call = ir.Call(0, 0, receiver, name, (), 0)
        if not known:
            return self.text_of_object(context, call, depth + 1)
        return self.project_call(context, call, known, depth + 1)

    def only(self, name: str) -> Templates:
        """Return a class of the project as that of an object, if it is an enum or has no subclasses."""
        info = self.program.type(name)
        if info is None or info.decl.kind in ("interface", "annotation"):
            return UNKNOWN
        only = info.decl.kind == "enum" or not self.program.subtypes(name)
        return ((name,),) if only else UNKNOWN

    def text_of_object(self, context: Context, call: ir.Call, depth: int) -> Templates:
        """Return what ``toString()`` of an object without such a method of the project gives."""
        raise TypeError("a call is evaluated by Values")

    def anonymous(self, context: Context, value: int) -> str:
        """Return the anonymous class of the object that a constant keeps; empty for another value."""
        ref = context.field_of(value) if value != NONE else None
        made = self.origins.constant(ref) if ref is not None and self.lasting(ref) else None
        if made is None or not isinstance(made.instr, ir.New) or made.instr.body < 0:
            return ""
        return f"{made.context.ref.owner}${made.context.ref.number}#{made.instr.body}"

    def project_call(
        self, context: Context, call: ir.Call, targets: list[MemberRef], depth: int
    ) -> Templates:
        """Return what a call of a method of the project can give."""
        raise TypeError("a call is evaluated by Values")

    def _constructed(
        self,
        context: Context,
        value: int,
        new: ir.New,
        field: SelfField,
        depth: int,
        others: dict[tuple[SelfField, int], Templates] | None = None,
    ) -> Templates:
        """Return what a field of a new object is given; ``others`` are its other fields, each evaluated once for a depth."""
        others = {} if others is None else others
        self.program.meter.spend()
        if field.name == CLASS:
            return ((self.program.resolve(new.type, context.ref.path, context.ref.owner).name,),)
        if field.name == CONSTANT:
            own = context.member.kind == "enum_constant"
            return ((context.member.name,),) if own else UNKNOWN
        targets = context.targets(value)
        for target in targets[:1]:
            stored = self._set_by(target, field, depth)
            if stored is None:
                continue

            def fill(part: Part) -> Templates:
                if isinstance(part, SelfField):
                    key = (part, depth + 1)
                    if key not in others:
                        others[key] = self._constructed(context, value, new, *key, others)
                    return others[key]
                return self.filled(context, NONE, new.args, part, depth)

            if self.evaluation.too_deep(depth):
                return DEEP
            return substitute(stored, fill)
        return self._initial(field, depth)

    def on_object_of(self, owner: str, templates: Templates) -> Templates:
        """Return templates of a member that runs on an object of class ``owner``, made by any of its constructors."""

        def fill(part: Part) -> Templates:
            if not isinstance(part, SelfField):
                return UNKNOWN
            made = self.program.own_methods(owner).get("<init>", ())
            given = [self._set_by(ref, part, 0) for ref in made[:LIMIT]]
            found = union(*(one if one is not None else self._initial(part, 0) for one in given))
            return substitute(found, lambda _part: UNKNOWN) if given else UNKNOWN

        return substitute(templates, fill)

    def _initial(self, field: SelfField, depth: int) -> Templates:
        ref = self.program.field(field.owner, field.name)
        if ref is None:
            return UNKNOWN
        own = self.open(ref)
        for instr in own.code:
            if isinstance(instr, ir.StoreField) and instr.name == field.name:
                return self.of(own, instr.value, depth)
        return UNKNOWN

    def _set_by(self, constructor: MemberRef, field: SelfField, depth: int) -> Templates | None:
        """Return what a constructor assigns to a field, in terms of its parameters."""
        if self.evaluation.too_deep(depth):
            return None
        context = self.open(constructor)
        for number, instr in enumerate(context.code):
            if isinstance(instr, ir.StoreField) and instr.name == field.name:
                return self.of(context, instr.value, depth)
            if isinstance(instr, ir.Call) and instr.name == "<init>":
                for target in self._delegated(context, number, instr):
                    inner = self._set_by(target, field, depth + 1)
                    if inner is not None:
                        args = instr.args

                        def fill(part: Part, args: tuple[int, ...] = args) -> Templates:
                            if isinstance(part, Param):
                                return self.filled(context, NONE, args, part, depth + 1)
                            return ((part,),)

                        return substitute(inner, fill)
        return None

    def _delegated(self, context: Context, number: int, call: ir.Call) -> list[MemberRef]:
        return context.targets(number)[:1] if call.object != NONE else []

    def expand(self, field: SelfField, depth: int = 0, within: str = "") -> Templates:
        """Return what an instance field can be on any object: every assignment in the program.

        On an object whose code of the class ``within`` runs, what its sister classes assign is left out.
        """
        ref = self.program.field(field.owner, field.name)
        if ref is None:
            return UNKNOWN
        if self.evaluation.too_deep(depth):
            return DEEP
        key = ("expand", ref, within)
        return self.evaluation.once(key, depth, lambda: self._expand(ref, depth, within))

    def stores_within(self, ref: MemberRef, within: str) -> list[tuple[Context, ir.StoreField]]:
        """Return the assignments to a field of objects in which code of a class can run, of all objects if there is none."""
        stores = self.stores(ref)
        if ref.owner not in self.program.supertypes(within):
            return stores  # the code of another class asks an object for it
        above = {within, *self.program.supertypes(within)}
        return [
            (context, store)
            for context, store in stores
            if context.ref.owner in above
            or within in self.program.supertypes(context.ref.owner)
            or ref.owner not in {context.ref.owner, *self.program.supertypes(context.ref.owner)}
        ]

    def _expand(self, ref: MemberRef, depth: int, within: str) -> Templates:
        stores = self.stores_within(ref, within)
        if not stores:
            return UNKNOWN
        if len(stores) > GIVEN:
            return MANY_STORES
        found = []
        for context, store in stores:
            given = self.of(context, store.value, depth)
            found.append(self.closed(context, given, depth, within))
        return union(*found)

    def closed(
        self, context: Context, templates: Templates, depth: int = 0, within: str = ""
    ) -> Templates:
        """Fill the holes of templates from all callers of the member they were made in; ``within`` as in ``expand``."""

        def fill(part: Part) -> Templates:
            if isinstance(part, SelfField):
                return self.expand(part, depth + 1)
            if isinstance(part, Param) and not part.owner:
                return self._arguments(context.ref, part.slot, depth + 1, within)
            return UNKNOWN

        return substitute(templates, fill)

    def _arguments(self, ref: MemberRef, slot: int, depth: int, within: str = "") -> Templates:
        """Return what all callers pass for a parameter, but for objects in which code of ``within`` cannot run."""
        if ref.owner == within or ref.owner not in self.program.supertypes(within):
            within = ""
        if self.evaluation.too_deep(depth):
            return DEEP

        def find() -> Templates:
            found: list[Templates] = []
            for context, value, args in self.callers(ref):
                if slot < len(args) and not (within and self._sister(context, value, ref, within)):
                    given = self.of(context, args[slot], depth)
                    found.append(self.closed(context, given, depth, within))
                if len(found) > GIVEN:
                    return MANY_CALLS
            if not found and self.is_crowded(ref):
                return MANY_CALLERS
            return union(*found) if found else UNKNOWN

        return self.evaluation.once(("arguments", ref, slot, within), depth, find, keep=False)

    def _sister(self, context: Context, value: int, ref: MemberRef, within: str) -> bool:
        """Tell whether a call is made for an object of the class of ``ref`` in which code of ``within`` cannot run."""
        call = context.code[value]
        if not isinstance(call, ir.Call):
            return True
        own = call.object == NONE or isinstance(context.code[call.object], ir.This)
        owner = context.ref.owner
        related = owner == within or owner in self.program.supertypes(within)
        if not own or related:
            return False
        below = within in self.program.supertypes(owner)
        return not below and ref.owner in self.program.supertypes(owner)

    def callers(self, ref: MemberRef) -> list[tuple[Context, int, tuple[int, ...]]]:
        """Return the calls of a project method or constructor: context, instruction, arguments.

        Empty when too many members call something of that name to look at them all.
        """
        return self.trail.remembered(("callers", ref), lambda: self._find_callers(ref))

    def _users(self, ref: MemberRef) -> tuple[MemberRef, ...]:
        """Return the members that name a method, or the class of a constructor."""
        member = self.program.member(ref)
        named, asking = self._named(ref), self.asking
        return asking.mentions(named) if member.kind == "constructor" else asking.users(named)

    def is_crowded(self, ref: MemberRef) -> bool:
        """Tell whether more members name a method or a class than are looked at for its callers."""
        users = self._users(ref)
        if len(users) > CALLERS:
            self.trail.names.add(used(self._named(ref)))
        return len(users) > CALLERS

    def _named(self, ref: MemberRef) -> str:
        """Return what bodies name that call a method, or make objects of a class."""
        member = self.program.member(ref)
        return self._simple(ref.owner) if member.kind == "constructor" else member.name

    def _find_callers(self, ref: MemberRef) -> list[tuple[Context, int, tuple[int, ...]]]:
        member = self.program.member(ref)
        found = []
        users = self._users(ref)
        if self.is_crowded(ref):
            return []
        self.trail.bodies.update(users)
        wanted = ir.New if member.kind == "constructor" else ir.Call
        seen = set()
        for user in users:
            if user in seen:
                continue
            seen.add(user)
            context = self.open(user)
            for number, instr in enumerate(context.code):
                if isinstance(instr, wanted) and ref in context.targets(number):
                    found.append((context, number, instr.args))
        if member.kind == "constructor":
            for sub in (ref.owner, *self.program.subtypes(ref.owner)):
                for inner in self.program.own_methods(sub).get("<init>", ()):
                    context = self.open(inner)
                    for number, instr in enumerate(context.code):
                        if (
                            isinstance(instr, ir.Call)
                            and instr.name == "<init>"
                            and ref in context.targets(number)
                        ):
                            found.append((context, number, instr.args))
        return found

    @staticmethod
    def _simple(qualified: str) -> str:
        return qualified.rpartition(".")[2]


def _is_unknown(templates: Templates) -> bool:
    return any(isinstance(part, Dynamic) for template in templates for part in template)


def _is_field(hole: Param) -> bool:
    """Tell whether a hole is a field of what is handed over."""
    return bool(hole.name) and hole.owner != ELEMENT and not hole.name.startswith(RESULT)
