"""Whether a body, after an edit, still tells the others the same, and where its instructions have gone.

Terms
    gap      the one stretch of instructions that differs between two versions of a body; what stands
             before and behind it is *matched*: the same but for positions in the text, numbers of
             instructions and locals, and values of literals.
    shift    where matched instructions have gone: those behind the gap moved by its growth.
    inert    a gap that changes nothing but what it computes for itself: expressions and library calls,
             stored in locals of its own.

A walk that passes a body is right, shifted, if the gap is inert and everything that walks took from the old
body comes out of the new one as it was: its slices, its calls, its operations.  That is checked here by
making all three anew.  Names that an inert gap uses are told, for those who asked for users of a name.
Bodies with classes inside, and those of such classes, are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.asked_cells import OTHER, asked_keys
from conflens.flow.below import Edge, Profile
from conflens.flow.code import Code
from conflens.flow.engine import Engine
from conflens.flow.forms import Came, Fact, Out, Seed, SeedKind
from conflens.flow.guards import Range
from conflens.flow.making import Slice
from conflens.flow.patterns import is_query
from conflens.flow.sinks import Sink
from conflens.flow.slices import kept_slices
from conflens.options.incremental.borders import ENDS, NO_BORDERS, PARTS, STARTS, Borders, borders
from conflens.program.edits import outermost
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef

SLOTS = frozenset({"slot", "slots", "params"})
VALUES = frozenset(
    [
        "parts",
        "object",
        "args",
        "dims",
        "values",
        "value",
        "array",
        "index",
        "left",
        "right",
        "operand",
        "test",
        "then",
        "other",
        "iterable",
        "subject",
        "labels",
        "guard",
        "lock",
        "detail",
        "switch",
    ]
)
BOUNDS = frozenset((*STARTS, *ENDS))
OFFSETS = frozenset({"at", "end", "name_at", "type_at"})
TEXTS = frozenset(
    [
        "name",
        "kind",
        "up",
        "qualifier",
        "type",
        "types",
        "body",
        "declares",
        "op",
        "default",
        "arrow",
        "label",
        "expression",
    ]
)
_SMALL = 4
"""Instructions up to which a body may be a getter, which those who call it look into."""

_MANY = 300
"""Users of a name from which on one more may make a list too long."""

_EXPRESSIONS = (
    ir.Const,
    ir.Name,
    ir.Field,
    ir.This,
    ir.Load,
    ir.Binary,
    ir.Unary,
    ir.Cast,
    ir.Store,
    ir.Call,
    ir.New,
    ir.NewArray,
    ir.Index,
    ir.ClassLiteral,
)
_INSIDE = "gap"

Canonical = tuple[object, ...]


class Shift(NamedTuple):
    """Instructions from ``stop`` on moved by ``by``; those before ``start`` stayed; the rest is gone."""

    start: int
    stop: int
    by: int

    def of(self, index: int) -> int:
        """Return where an instruction has gone; one of the gap stays where it was."""
        return index + self.by if index >= self.stop and index >= 0 else index

    def then(self, other: Shift) -> tuple[Shift, ...]:
        """Return both, one after the other, as one if they have a gap in common."""
        if self.start <= other.start and other.stop <= self.stop + self.by:
            return (Shift(self.start, self.stop, self.by + other.by),)
        return (self, other)


class Change(NamedTuple):
    """What an edit of a body means for walks.

    ``shift`` is ``None`` when walks that pass the body must be made again; ``names`` are those whose
    users, or their uses, may be others than before; ``askers`` are members that asked whether the body is a
    getter, or empty, ``None`` if it is neither, before or after.  ``borders`` are those of ranges that touch what is shifted.
    """

    shift: Shift | None
    names: frozenset[str]
    askers: frozenset[MemberRef] | None = None
    borders: Borders = NO_BORDERS


class Comparer:
    """Compares the bodies of two programs that have the same surfaces."""

    def __init__(self, before: Program, engine: Engine, earlier: Callable[[], Engine]) -> None:
        """``engine`` walks in the new program, what ``earlier`` makes in the old one."""
        self.before = before
        self.after = engine.program
        self.engine = engine
        self._earlier = earlier
        self._old: Engine | None = None

    def compare(self, ref: MemberRef) -> Change:
        """Compare the two bodies of a member."""
        facts = self.after.files[ref.path]
        nested = outermost(facts, ref.number) != ref.number or any(
            decl.member == ref.number for decl in facts.types
        )
        old, new = self.before.body(ref), self.after.body(ref)
        match = None if nested else _Match.of(old, new)
        if match is None:
            return Change(
                None, self._used(ref), self._askers(ref) if _is_asked(old, new) else None
            )
        was, now = Context.of(self.before, ref), Context.of(self.after, ref)
        names = frozenset((*match.telling(was, False), *match.telling(now, True)))
        names |= {
            name
            for name in (*match.names(old, False), *match.names(new, True))
            if self._is_common(name)
        }
        askers = self._askers(ref) if _is_asked(old, new) and match.size else None
        if not (match.inert(was, False) and match.inert(now, True)):
            typed = match.types_stay(old, False) and match.types_stay(new, True)
            return Change(None, names if typed else self._used(ref), askers)
        borders = match.borders(old, new)
        if borders is None or not self._same(ref, was, match):
            return Change(None, names, askers)
        return Change(Shift(match.start, match.stop, match.by), names, askers, borders)

    def _used(self, ref: MemberRef) -> frozenset[str]:
        """Return all names that a member uses, before or after."""
        return frozenset(
            name
            for program in (self.before, self.after)
            for table in (program.files[ref.path].calls, program.files[ref.path].names)
            for name, users in table.items()
            if ref.number in users
        )

    def _askers(self, ref: MemberRef) -> frozenset[MemberRef]:
        """Return the members whose slices asked what a member returns, or whether it has code; all that could, where
        slices were let go."""
        callers = frozenset(self.before.users(self.before.member(ref).name))
        return frozenset(
            asker
            for asker, context in self.before.contexts.items()
            if isinstance(context, Context)
            and any(
                asker in callers if kept is None else ref in kept.getters or ref in kept.native
                for kept in kept_slices(context).values()
            )
        )

    def _is_common(self, name: str) -> bool:
        return any(
            len(found) > _MANY for found in (self.after.users(name), self.after.mentions(name))
        )

    def _same(self, ref: MemberRef, was: Context, match: _Match) -> bool:
        """Tell whether everything that was taken from the old body comes out of the new one."""
        code = self.engine.uses.code(ref)
        if self.engine.below.settling.takes(code, match.changed(was.code, code.code), was):
            return False
        for seed, kept in kept_slices(was).items():
            if kept is None:
                # It was let go with the body, which says the same again.
                kept = self._old_engine().slices.of(Code(self.before, ref), seed)
            if not self._same_slice(code, seed, kept, match):
                return False
        profile = was.notes.get("flow.profile")
        if isinstance(profile, Profile):
            now = self.engine.below.profile(code).edges
            if [match.edge(edge, False) for edge in profile.edges] != [
                match.edge(edge, True) for edge in now
            ]:
                return False
        if "operations" not in was.notes:
            return True
        sinks = self._old_engine().library.sinks(Code(self.before, ref)).values()
        return [match.sink(sink, False) for sink in sinks] == [
            match.sink(sink, True) for sink in self.engine.library.sinks(code).values()
        ]

    def _old_engine(self) -> Engine:
        if self._old is None:
            self._old = self._earlier()
        return self._old

    def _same_slice(self, code: Code, seed: Seed, kept: Slice, match: _Match) -> bool:
        at = seed.at
        if seed.kind is not SeedKind.PARAMETER:
            moved = match.index(at, False)
            if not isinstance(moved, int):
                return False
            at = moved
        idle = match.spans(seed.idle)
        if idle is None:
            return False
        made = self.engine.slices.of(code, seed._replace(at=at, idle=idle))
        if [match.out(out, False) for out in kept.outs] != [
            match.out(out, True) for out in made.outs
        ]:
            return False
        if match.came(kept.came, False) != match.came(made.came, True):
            return False
        if seed.form == OTHER:
            # Which loads concern a key was decided by the keys that they ask for, though nothing comes of the load.
            old = asked_keys(self._old_engine().library, Code(self.before, code.ref), seed.at)
            if old != asked_keys(self.engine.library, code, at):
                return False
        # What the body has done with a value before also decides whether it may be ``null`` where it is handed on.
        told = self._old_engine().classes.handed_on(Code(self.before, code.ref), kept)
        return told == self.engine.classes.handed_on(code, made)


class _Match:
    """Two versions of a body laid side by side: the gap is ``[start, stop)`` in the old one, and ``by``
    longer in the new one.

    What is compared is brought into one form for both: numbers of matched instructions are those of the
    new body, everything in the gap is ``_INSIDE``.
    """

    def __init__(self, old: ir.Body, new: ir.Body, start: int, tail: int) -> None:
        self.start = start
        self.stop = len(old.code) - tail
        self.by = len(new.code) - len(old.code)
        known, rest = self._known_locals(old, new)
        self._slots = (known, len(old.locals) - rest, len(new.locals) - len(old.locals))

    def _known_locals(self, old: ir.Body, new: ir.Body) -> tuple[int, int]:
        """Return how many locals at the beginning, and how many at the end, are the same in both bodies.

        Types alone may not tell which of several locals is new: then it is the first that the gap assigns.
        """
        before, after = _locals(old), _locals(new)
        known, short = _head(before, after), min(len(before), len(after))
        lowest = short - _tail(before, after, 0)
        if lowest > known:
            return known, _tail(before, after, known)
        longer = new.code if len(after) > len(before) else old.code
        assigned = (longer[index] for index in self.gap(longer is new.code))
        own = [instr.slot for instr in assigned if isinstance(instr, ir.Store) and not instr.up]
        known = min((slot for slot in own if lowest <= slot <= known), default=known)
        return known, short - known

    @staticmethod
    def of(old: ir.Body, new: ir.Body) -> _Match | None:
        """Lay two bodies side by side; ``None`` if more than one stretch differs."""
        before = [_outline(instr) for instr in old.code]
        after = [_outline(instr) for instr in new.code]
        head = _head(before, after)
        tail = _tail(before, after, head)
        found = _Match(old, new, head, tail)
        if found._fits(old, new):
            return found
        tail = _tail(before, after, 0)
        head = min(head, len(old.code) - tail, len(new.code) - tail)
        found = _Match(old, new, head, tail)
        return found if found._fits(old, new) else None

    @property
    def size(self) -> int:
        """The instructions in both gaps."""
        return 2 * (self.stop - self.start) + self.by

    def _matched(self, old: ir.Body, new: ir.Body) -> Iterator[tuple[ir.Instr, ir.Instr]]:
        before = [*old.code[: self.start], *old.code[self.stop :]]
        after = [*new.code[: self.start], *new.code[self.stop + self.by :]]
        return zip(before, after, strict=True)

    def _fits(self, old: ir.Body, new: ir.Body) -> bool:
        return all(
            self._form(one, False) == self._form(two, True) for one, two in self._matched(old, new)
        )

    def borders(self, old: ir.Body, new: ir.Body) -> Borders | None:
        """Return what has become of the borders at the gap; ``None`` if they cannot be told apart."""
        return borders(self._matched(old, new), self.start, self.stop)

    def _form(self, struct: object, new: bool) -> Canonical | None:
        """Return an instruction (or case, or catch) in the common form; ``None`` if it has none."""
        found: list[object] = [struct.__class__]
        for name in struct.__struct_fields__:  # type: ignore[attr-defined]
            value = getattr(struct, name)
            if name in OFFSETS or (name == "value" and isinstance(struct, ir.Const)):
                continue
            if name in PARTS:
                found.append([self._form(part, new) for part in value])
            elif name in SLOTS:
                numbers = value if isinstance(value, tuple) else (value,)
                found.append([self.slot(number, new) for number in numbers])
                if _INSIDE in found[-1]:  # type: ignore[operator]
                    # What is done with another local, perhaps of another type, may mean something else.
                    return (object(),)
            elif name in VALUES:
                numbers = value if isinstance(value, tuple) else (value,)
                found.append([self.index(number, new) for number in numbers])
                if _INSIDE in found[-1]:  # type: ignore[operator]
                    return (object(),)
            elif name in BOUNDS:
                found.append(self.bound(value, new))
            else:
                found.append(value)
        return tuple(found)

    # -- the common form -----------------------------------------------------------------------------

    def index(self, index: int, new: bool) -> int | str:
        """Return an instruction's number in the common form."""
        stop = self.stop + self.by if new else self.stop
        if index < self.start:
            return index
        if index < stop:
            return _INSIDE
        return index if new else index + self.by

    def bound(self, bound: int, new: bool) -> int | str:
        """Return an end of a range; what ends or begins at the gap may hold it or not."""
        stop = self.stop + self.by if new else self.stop
        if bound < self.start:
            return bound
        if bound <= stop:
            return _INSIDE
        return bound if new else bound + self.by

    def spans(self, spans: Sequence[Range]) -> tuple[Range, ...] | None:
        """Return ranges of the old body in the new one; ``None`` if the gap is at the border of one.

        An empty range stands for the instruction that it begins with.
        """
        found: list[Range] = []
        for start, stop in spans:
            move = self.index if start == stop else self.bound
            first, last = move(start, False), move(stop, False)
            if not isinstance(first, int) or not isinstance(last, int):
                return None
            found.append((first, last))
        return tuple(found)

    def slot(self, slot: int, new: bool) -> int | str:
        """Return a local's number."""
        start, stop, by = self._slots
        stop = stop + by if new else stop
        if slot < start:
            return slot
        if slot < stop:
            return _INSIDE
        return slot if new else slot + by

    def _fact(self, fact: Fact | None, new: bool) -> object:
        return None if fact is None else (self.index(fact[0], new), fact[1])

    def _steps(self, steps: Iterable[tuple[int, object]], new: bool) -> list[object]:
        return [(self.index(index, new), role) for index, role in steps]

    def came(self, came: Mapping[Fact, Came], new: bool) -> dict[object, object]:
        """Return the matched facts and how they came about."""
        return {
            (at, fact[1]): (
                self._fact(found.before, new),
                self._steps(found.steps, new),
                found.doubt,
            )
            for fact, found in came.items()
            if isinstance(at := self.index(fact[0], new), int)
        }

    def out(self, out: Out, new: bool) -> object:
        """Return what leaves a body."""
        found: list[object] = [out.__class__]
        for name, value in out._asdict().items():
            if name in ("instr", "at", "function"):
                found.append(self.index(value, new))
            elif name == "source":
                found.append(self._fact(value, new))
            elif name == "steps":
                found.append(self._steps(value, new))
            elif name in ("ranges", "arms"):
                found.append([tuple(self.bound(end, new) for end in span) for span in value])
            elif name == "compared":
                found.append(value and tuple(self.index(index, new) for index in value))
            else:
                found.append(value)
        return found

    def edge(self, edge: Edge, new: bool) -> object:
        """Return a call."""
        same = edge._replace(instr=0, function=0)
        return same, self.index(edge.instr, new), self.index(edge.function, new)

    def sink(self, sink: Sink, new: bool) -> object:
        """Return an operation."""
        return sink._replace(instr=0), self.index(sink.instr, new)

    # -- the gap -------------------------------------------------------------------------------------

    def gap(self, new: bool) -> range:
        return range(self.start, self.stop + self.by if new else self.stop)

    def changed(self, old: Sequence[ir.Instr], new: Sequence[ir.Instr]) -> frozenset[int]:
        """Return the instructions of the new body that are others, or other literals, than those of the old one."""
        found = set(self.gap(True))
        for index, instr in enumerate(new):
            if isinstance(instr, ir.Const) and index not in found:
                was = old[index if index < self.start else index - self.by]
                if isinstance(was, ir.Const) and was.value != instr.value:
                    found.add(index)
        return frozenset(found)

    def inert(self, context: Context, new: bool) -> bool:
        """Tell whether the gap in one of the bodies is inert."""
        for index in self.gap(new):
            instr = context.code[index]
            if not isinstance(instr, _EXPRESSIONS):
                return False
            if isinstance(instr, ir.Store) and (instr.up or self.slot(instr.slot, new) != _INSIDE):
                return False
            if isinstance(instr, ir.New) and instr.body != NONE:
                return False
            if isinstance(instr, ir.Call) and not self._harmless(context, index, instr, new):
                return False
        return True

    def _harmless(self, context: Context, index: int, call: ir.Call, new: bool) -> bool:
        """Tell whether a call of the gap surely changes no object that others know."""
        if context.targets(index) or call.name == "<init>" or call.object == NONE:
            return False
        if is_query(call.name) or context.denotes(call.object) is not None:
            return True
        made = context.code[call.object]
        if isinstance(made, ir.Load):
            return not made.up and self.slot(made.slot, new) == _INSIDE
        return isinstance(made, (ir.New, ir.Const))

    def types_stay(self, body: ir.Body, new: bool) -> bool:
        """Tell whether no local whose type is that of its value is given one in the gap."""
        for index in self.gap(new):
            instr = body.code[index]
            slots: Sequence[int] = ()
            if isinstance(instr, (ir.Store, ir.ForEach)):
                slots = (instr.slot,)
            elif isinstance(instr, ir.Lambda):
                slots = instr.params
            elif isinstance(instr, ir.InstanceOf):
                slots = instr.slots
            if any(slot < len(body.locals) and not body.locals[slot].type for slot in slots):
                return False
        return True

    def names(self, body: ir.Body, new: bool) -> Iterator[str]:
        """Yield the names that the gap uses."""
        for index in self.gap(new):
            yield from used_names(body.code[index])

    def telling(self, context: Context, new: bool) -> Iterator[str]:
        """Yield the names by which the gap uses something of the project."""
        for index in self.gap(new):
            instr = context.code[index]
            match instr:
                case ir.Name() | ir.Field():
                    tells = context.field_of(index) is not None
                case ir.Call():
                    # Without arguments it may be the accessor of a record.
                    tells = not instr.args or bool(context.targets(index))
                case ir.New():
                    tells = bool(context.targets(index))
                case _:
                    tells = True
            if tells:
                yield from used_names(instr)


def _is_asked(old: ir.Body, new: ir.Body) -> bool:
    """Tell whether those who call a member may have looked into it for something that the edit changes."""
    return _may_be_getter(old) or _may_be_getter(new) or bool(old.code) != bool(new.code)


def _may_be_getter(body: ir.Body) -> bool:
    """Tell whether those who call a member look into it for the field that it returns."""
    return len(body.code) <= _SMALL and any(
        isinstance(instr, ir.Return) and instr.value != NONE for instr in body.code
    )


def used_names(instr: ir.Instr) -> Iterator[str]:
    """Yield the names that the tables of a file's facts list for an instruction."""
    match instr:
        case ir.Name() | ir.Field() | ir.StoreField() | ir.Call() | ir.MethodRef():
            yield instr.name
        case ir.New():
            yield "<init>"
            yield instr.type.partition("<")[0].rpartition(".")[2]
        case _:
            pass
    if isinstance(instr, ir.MethodRef) and instr.name == "<init>":
        yield instr.type.partition("<")[0].rpartition(".")[2]


def _locals(body: ir.Body) -> list[tuple[str, bool]]:
    return [(local.type, local.parameter) for local in body.locals]


def _outline(instr: ir.Instr) -> Canonical:
    """Return what of an instruction is neither a number nor a place in the text."""
    if isinstance(instr, ir.Const):
        return instr.__class__, instr.kind
    return (
        instr.__class__,
        *(getattr(instr, name) for name in instr.__struct_fields__ if name in TEXTS),
    )


def _head(one: Sequence[object], two: Sequence[object]) -> int:
    count = 0
    for first, second in zip(one, two, strict=False):
        if first != second:
            break
        count += 1
    return count


def _tail(one: Sequence[object], two: Sequence[object], head: int) -> int:
    most = min(len(one), len(two)) - head
    count = 0
    while count < most and one[-1 - count] == two[-1 - count]:
        count += 1
    return count
