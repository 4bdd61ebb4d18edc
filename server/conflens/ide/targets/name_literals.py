"""Which literals of Java code spell the name of an option at a read or declaration.

Terms
    piece     a stretch of a name and the string literal that it comes from; the pieces of a spelling in order are its text.
    spelling  one alternative of an expression as pieces: a literal, a constant (its initialiser counts), a concatenation, the
              value of a local that is stored once, an argument from which a static constant is made (``new Key("a.b")``).
    around    what a wrapper puts before or behind the spelling (``get("b")`` that reads ``a.b``): spelled by the wrapper.

Invariants: a pure function of the analysis; a name that cannot be led back to literals gives a ``Stuck`` with the place and
what stands there, never a guess.  Every place is a whole literal with its quotes.
Absent: what to put there (``rename_code``), and names in annotations that a container joins from parts.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.codec import annotation_code
from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, Member, Modifier
from conflens.options.model import Declaration, Option, Read, ReadKind
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

_MAX_DEPTH = 20
_MAX_ALTERNATIVES = 8
_MAX_ELEMENTS = 500


@attrs.frozen
class Piece:
    """``text`` of a name; ``place`` is the literal, quotes included."""

    text: str
    place: Place


@attrs.frozen
class Spelling:
    """See the module text; ``before`` and ``behind`` are what stands around the pieces in the name."""

    pieces: tuple[Piece, ...]
    before: str = ""
    behind: str = ""

    @property
    def text(self) -> str:
        """The pieces joined."""
        return "".join(piece.text for piece in self.pieces)


@attrs.frozen
class Holding:
    """A literal that holds the name among other text, as ``"${a.b:5}"`` of an annotation does."""

    place: Place


@attrs.frozen
class Stuck:
    """A place that spells the name in a way that cannot be followed; ``what`` stands there."""

    place: Place
    what: str


@attrs.frozen
class Derived:
    """The declaration of a member that the name is derived from: a field of a class that a container fills."""

    place: Place


Found = Spelling | Holding | Stuck | Derived


def spelled(analysis: Analysis, option: Option) -> Iterator[tuple[Place, Found]]:
    """Yield how each read and definition of an option spells its name, with the read's or definition's place."""
    bound = {one.place for one in option.declarations if one.kind == "field"}
    for read in option.reads:
        if read.kind is ReadKind.PLACEHOLDER:
            continue  # a name in a config file, renamed with that file
        if read.kind is ReadKind.FIELD and bound:
            continue  # a use of a member that is declared, and renamed with it
        how = at_read(analysis, option, read)
        derived = isinstance(how, Stuck) and read.name_place in bound
        yield read.name_place, Derived(read.name_place) if derived else how
    names = {read.name_place for read in option.reads}
    for declaration in option.declarations:
        if declaration.place not in names:
            found = _at_declaration(analysis, option, declaration)
            if found is not None:
                yield declaration.place, found


def at_read(analysis: Analysis, option: Option, read: Read) -> Found:
    """Return how a read spells the name of its option."""
    place = read.name_place
    for context, base, number in _expressions(analysis.program, place):
        found = _fitting(analysis, option.name, context, base, number)
        if found is not None:
            return found
    return _within(analysis, option.name, read.place) or Stuck(place, _shown(analysis, place))


def _at_declaration(analysis: Analysis, option: Option, declaration: Declaration) -> Found | None:
    """A constant is followed from the reads that use it; what is left is a definition, an annotated or bound element."""
    if declaration.kind == "constant":
        found = _within(analysis, option.name, declaration.scope)
        return found if isinstance(found, Spelling) else None
    for context, base, number in _expressions(analysis.program, declaration.place):
        fitting = _fitting(analysis, option.name, context, base, number)
        if fitting is not None:
            return fitting
    found = _within(analysis, option.name, declaration.scope)
    if found is None and declaration.kind == "field":
        return Derived(declaration.place)
    return found or Stuck(declaration.place, _shown(analysis, declaration.place))


def _fitting(
    analysis: Analysis, name: str, context: Context, base: int, number: int
) -> Found | None:
    """The alternative of an expression that is the name, or that a wrapper makes the name of."""
    part: Found | None = None
    for pieces in _pieces(context, base, number, 0):
        if pieces is None:
            continue
        text = "".join(piece.text for piece in pieces)
        if text == name:
            return Spelling(pieces)
        if text and part is None:
            if name.endswith(text):
                part = Spelling(pieces, before=name.removesuffix(text))
            elif name.startswith(text):
                part = Spelling(pieces, behind=name.removeprefix(text))
            elif len(pieces) == 1 and name in text:
                part = Holding(pieces[0].place)
    return part


def _within(analysis: Analysis, name: str, whole: Place) -> Found | None:
    """The one literal or constant inside a place that is the name, or the literal that holds it."""
    same: list[Piece] = []
    holding: list[Place] = []
    for instr, place in _literals(analysis.program, whole):
        if instr.value == name:
            same.append(Piece(name, place))
        elif name in instr.value:
            holding.append(place)
    if not same:
        same = list(_named_constants(analysis.program, name, whole))
    if len({piece.place for piece in same}) == 1:
        return Spelling((same[0],))
    if not same and len(set(holding)) == 1:
        return Holding(holding[0])
    return None


def _named_constants(program: Program, name: str, whole: Place) -> Iterator[Piece]:
    for context, base in _contexts(program, whole):
        for number, instr in enumerate(context.code):
            inside = whole.start <= base + instr.at and base + instr.end <= whole.end
            if inside and isinstance(instr, ir.Name | ir.Field):
                for pieces in _pieces(context, base, number, 0):
                    if pieces is not None and len(pieces) == 1 and pieces[0].text == name:
                        yield pieces[0]


def literal_at(analysis: Analysis, path: str, offset: int) -> tuple[Place, str] | None:
    """Return the string literal at a byte offset of a Java file and its text."""
    around = Place(path, offset, offset)
    for context, base in _contexts(analysis.program, around):
        for instr in context.code:
            if isinstance(instr, ir.Const) and instr.kind == "s":
                place = Place(path, base + instr.at, base + instr.end)
                if place.start < offset < place.end:
                    return place, instr.value
    return None


def _literals(program: Program, whole: Place) -> Iterator[tuple[ir.Const, Place]]:
    for context, base in _contexts(program, whole):
        for instr in context.code:
            if isinstance(instr, ir.Const) and instr.kind == "s":
                place = Place(whole.path, base + instr.at, base + instr.end)
                if whole.start <= place.start and place.end <= whole.end:
                    yield instr, place


def _expressions(program: Program, place: Place) -> Iterator[tuple[Context, int, int]]:
    """The expressions that stand exactly at a place, the outermost first, with where their offsets count from."""
    for context, base in _contexts(program, place):
        for number in range(len(context.code) - 1, -1, -1):
            instr = context.code[number]
            if base + instr.at == place.start and base + instr.end == place.end:
                yield context, base, number


def _contexts(program: Program, place: Place) -> Iterator[tuple[Context, int]]:
    """The bodies and annotations of the members and types around a place, the innermost first."""
    facts = program.files.get(place.path)
    if facts is None:
        return
    numbers = sorted(
        range(len(facts.members)), key=lambda n: facts.members[n].end - facts.members[n].at
    )
    for number in numbers:
        member = facts.members[number]
        if member.modifiers & Modifier.IMPLIED:
            continue
        ref = program.ref(place.path, number)
        if _meets(member, place):
            yield Context.of(program, ref), member.at
        notes = (*member.annotations, *(n for p in member.params for n in p.annotations))
        yield from _annotations(program, ref, notes, place)
    for index, decl in enumerate(facts.types):
        if facts.members:
            ref = MemberRef(place.path, 0, program.type_name(place.path, index))
            yield from _annotations(program, ref, decl.annotations, place)


def _meets(span: Member | Annotation, place: Place) -> bool:
    return span.at <= place.end and place.start <= span.end


def _annotations(
    program: Program, ref: MemberRef, notes: tuple[Annotation, ...], place: Place
) -> Iterator[tuple[Context, int]]:
    """Positions in the code of an annotation count from its start."""
    for note in notes:
        code = annotation_code(note) if _meets(note, place) else ()
        if code:
            yield Context(program, ref, ir.Body((), code)), note.at


_Pieces = tuple[Piece, ...] | None


def _pieces(context: Context, base: int, number: int, depth: int) -> list[_Pieces]:
    """The alternatives of an expression; ``None`` for one that cannot be followed."""
    if number == NONE or depth > _MAX_DEPTH:
        return [None]
    instr = context.code[number]
    match instr:
        case ir.Const():
            if instr.kind not in "sc":
                return [None]
            place = Place(context.ref.path, base + instr.at, base + instr.end)
            return [(Piece(instr.value, place),)]
        case ir.Cast():
            return _pieces(context, base, instr.value, depth + 1)
        case ir.Choice():
            both = _pieces(context, base, instr.then, depth + 1)
            return [*both, *_pieces(context, base, instr.other, depth + 1)][:_MAX_ALTERNATIVES]
        case ir.Binary() if instr.op == "+":
            left = _pieces(context, base, instr.left, depth + 1)
            right = _pieces(context, base, instr.right, depth + 1)
            joined = [None if a is None or b is None else (*a, *b) for a in left for b in right]
            return joined[:_MAX_ALTERNATIVES]
        case ir.Name() | ir.Field():
            return _constant(context, number, depth)
        case ir.NewArray():
            return _all(context, base, instr.values, depth)
        case ir.Load():
            return _local(context, base, instr, depth)
        case ir.Call():
            returned = _returned(context, number, depth)
            if returned is not None:
                return returned
            plain = instr.object != NONE and not instr.args
            return _holder(context, instr.object, depth) if plain else [None]
        case _:
            return [None]


def _all(context: Context, base: int, values: tuple[int, ...], depth: int) -> list[_Pieces]:
    found = [one for value in values for one in _pieces(context, base, value, depth + 1)]
    return found[:_MAX_ELEMENTS]


def _local(context: Context, base: int, load: ir.Load, depth: int) -> list[_Pieces]:
    """What a local is stored once, or the elements of the constant list that a loop gives it."""
    if load.up or context.is_parameter(load.slot):
        return [None]
    stores, binder = context.stores(load.slot, 2), context.binder(load.slot)
    if len(stores) == 1 and binder is None:
        return _pieces(context, base, stores[0].value, depth + 1)
    if stores or binder is None or not isinstance(binder[1], ir.ForEach):
        return [None]
    number = binder[1].iterable
    if number == NONE:
        return [None]
    ref = context.field_of(number)
    if ref is not None and context.program.is_constant(ref):
        context, base = Context.of(context.program, ref), context.program.member(ref).at
        stored = [each.value for each in context.code if isinstance(each, ir.StoreField)]
        number = stored[-1] if stored else NONE
    made = context.code[number] if number != NONE else None
    if isinstance(made, ir.NewArray):
        return _all(context, base, made.values, depth)
    if isinstance(made, ir.Call) and not context.targets(number):
        return _all(context, base, made.args, depth)
    return [None]


def _returned(context: Context, number: int, depth: int) -> list[_Pieces] | None:
    """What a method of the project returns that nothing overrides; ``None`` if the call is of no such method."""
    targets = context.targets(number)
    if len(targets) != 1 or context.program.overriders(targets[0]):
        return None
    inner = Context.of(context.program, targets[0])
    values = [each.value for each in inner.code if isinstance(each, ir.Return)]
    if not values or len(values) > _MAX_ALTERNATIVES:
        return None
    return _all(inner, context.program.member(targets[0]).at, tuple(values), depth)


def _constant(context: Context, number: int, depth: int) -> list[_Pieces]:
    """The initialiser of a constant; of a field of a constant object, what the object is made from."""
    ref = context.field_of(number)
    instr = context.code[number]
    if ref is None or not context.program.is_constant(ref):
        if isinstance(instr, ir.Field) and instr.object != NONE:
            return _holder(context, instr.object, depth)
        return [None]
    inner = Context.of(context.program, ref)
    name = context.program.member(ref).name
    base = context.program.member(ref).at
    for each in inner.code:
        if isinstance(each, ir.StoreField) and each.name == name:
            made = inner.code[each.value] if each.value != NONE else None
            if isinstance(made, ir.New | ir.Call) and made.args:
                return [_only(inner, base, made.args, depth)]
            return _pieces(inner, base, each.value, depth + 1)
    return [None]


def _holder(context: Context, number: int, depth: int) -> list[_Pieces]:
    """What the static constant that a name is asked of is made from: its first text."""
    ref = context.field_of(number)
    if ref is None or not context.program.is_static(ref):
        return [None]
    member = context.program.member(ref)
    inner = Context.of(context.program, ref)
    for each in reversed(inner.code):
        if isinstance(each, ir.New | ir.Call) and each.args:
            return [_only(inner, member.at, each.args, depth)]
    return [None]


def _only(context: Context, base: int, args: tuple[int, ...], depth: int) -> _Pieces:
    """The first argument that is text."""
    for arg in args:
        for pieces in _pieces(context, base, arg, depth + 1):
            if pieces is not None:
                return pieces
    return None


def _shown(analysis: Analysis, place: Place) -> str:
    text = analysis.text(place.path) or b""
    shown = " ".join(text[place.start : place.end].decode("utf-8", "replace").split())
    return f"{shown[:57]}…" if len(shown) > 58 else shown
