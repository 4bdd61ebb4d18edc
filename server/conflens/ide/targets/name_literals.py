"""Which literals of Java code spell the name of an option at a read or declaration.

Terms
    piece     a stretch of a name and the string literal that it comes from; the pieces of a spelling in order are its text.
    spelling  one alternative of an expression as pieces: a literal, a constant (its initialiser counts), a concatenation, the
              value of a local that is stored once, an argument from which a static constant is made (``new Key("a.b")``).
    around    what a wrapper puts before or behind the spelling (``get("b")`` that reads ``a.b``): spelled by the wrapper.

Invariants: a pure function of the analysis; a name that cannot be led back to literals gives a ``Stuck`` with the place and
what stands there, never a guess.  Every place is a whole literal with its quotes.
Absent: what to put there (``rename.java_code``), and names in annotations that a container joins from parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.codec import annotation_code
from conflens.facts.ir import NONE
from conflens.facts.model import Annotation, FileFacts, Member, Modifier
from conflens.options.model import Declaration, Option, Read, ReadKind
from conflens.program.expressions import Context
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis

_MAX_DEPTH = 20
_MAX_ALTERNATIVES = 8
_MAX_ELEMENTS = 500
_STRETCH = 512


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


class Spellings:
    """Answers for one analysis; what was looked at is kept, so that each option and each file is looked at once."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._program = analysis.program
        self._known: dict[tuple[str, str], tuple[tuple[Place, Found], ...]] = {}
        self._files: dict[str, _Members] = {}
        self._codes: dict[MemberRef, _Code] = {}

    def of(self, option: Option) -> tuple[tuple[Place, Found], ...]:
        """Return how each read and definition of an option spells its name, with the read's or definition's place."""
        found = self._known.get(option.key)
        if found is None:
            found = self._known[option.key] = tuple(self._spelled(option))
        return found

    def _spelled(self, option: Option) -> Iterator[tuple[Place, Found]]:
        bound = {one.place for one in option.declarations if one.kind == "field"}
        others = self._other_names(option)
        for read in option.reads:
            if read.kind is ReadKind.PLACEHOLDER:
                continue  # a name in a config file, renamed with that file
            if read.kind is ReadKind.FIELD and bound:
                continue  # a use of a member that is declared, and renamed with it
            if others and self._literal(read.name_place) in others:
                continue
            how = self._at_read(option, read)
            derived = isinstance(how, Stuck) and read.name_place in bound
            yield read.name_place, Derived(read.name_place) if derived else how
        names = {read.name_place for read in option.reads}
        for declaration in option.declarations:
            if declaration.place not in names and (
                not others or self._literal(declaration.place) not in others
            ):
                found = self._at_declaration(option, declaration)
                if found is not None:
                    yield declaration.place, found

    def _other_names(self, option: Option) -> set[str]:
        """The names that the definition of an option gives it beside its own (``-s`` for ``--size``), which it keeps."""
        defined: dict[Place, set[str]] = {}
        for one in option.declarations:
            if one.kind == "definition":
                text = self._literal(one.place)
                defined.setdefault(one.scope, set()).update(() if text is None else (text,))
        found = set[str]().union(*(texts for texts in defined.values() if option.name in texts))
        return found - {option.name}

    def _literal(self, place: Place) -> str | None:
        """The text of the literal that stands exactly at a place."""
        for code in self._around(place):
            for number in code.at(place):
                instr = code.context.code[number]
                if isinstance(instr, ir.Const):
                    return instr.value
        return None

    def _at_read(self, option: Option, read: Read) -> Found:
        place = read.name_place
        return (
            self._exactly(option.name, place)
            or self._within(option.name, read.place)
            or Stuck(place, _shown(self.analysis, place))
        )

    def _at_declaration(self, option: Option, declaration: Declaration) -> Found | None:
        """A constant is followed from the reads that use it; what is left is a definition, an annotated or bound element."""
        if declaration.kind == "constant":
            found = self._within(option.name, declaration.scope)
            return found if isinstance(found, Spelling) else None
        found = self._exactly(option.name, declaration.place) or self._within(
            option.name, declaration.scope
        )
        if found is None and declaration.kind == "field":
            return Derived(declaration.place)
        return found or Stuck(declaration.place, _shown(self.analysis, declaration.place))

    def _exactly(self, name: str, place: Place) -> Found | None:
        """How the expression that stands exactly at a place spells a name, the outermost first."""
        for code in self._around(place):
            for number in code.at(place):
                found = _fitting(name, code.context, code.base, number)
                if found is not None:
                    return found
        return None

    def _within(self, name: str, whole: Place) -> Found | None:
        """The one literal or constant inside a place that is the name, or the literal that holds it."""
        same: list[Piece] = []
        holding: list[Place] = []
        for code in self._around(whole):
            for place, text in code.literals(whole):
                if text == name:
                    same.append(Piece(name, place))
                elif name in text:
                    holding.append(place)
        if not same:
            same = list(self._named_constants(name, whole))
        if len({piece.place for piece in same}) == 1:
            return Spelling((same[0],))
        if not same and len(set(holding)) == 1:
            return Holding(holding[0])
        return None

    def _named_constants(self, name: str, whole: Place) -> Iterator[Piece]:
        for code in self._around(whole):
            for number, instr in enumerate(code.context.code):
                inside = whole.start <= code.base + instr.at and code.base + instr.end <= whole.end
                if inside and isinstance(instr, (ir.Name, ir.Field)):
                    for pieces in _pieces(code.context, code.base, number, 0):
                        if pieces is not None and len(pieces) == 1 and pieces[0].text == name:
                            yield pieces[0]

    def literal_at(self, path: str, offset: int) -> tuple[Place, str] | None:
        """Return the string literal at a byte offset of a Java file and its text."""
        around = Place(path, offset, offset)
        for code in self._around(around):
            for place, text in code.literals(Place(path, 0, offset), touched=True):
                if place.start < offset < place.end:
                    return place, text
        return None

    # -- what stands around a literal --------------------------------------------------------------

    def calls_at(self, place: Place) -> Iterator[tuple[Context, int]]:
        """Yield the calls whose name and arguments stand exactly at a place, with the bodies that hold them."""
        for code in self._around(place):
            number = code.calls.get((place.start - code.base, place.end - code.base))
            if number is not None:
                yield code.context, number

    def annotations_around(self, place: Place) -> Iterator[str]:
        """Yield the types of the annotations around a place, an empty text for one that is not known."""
        for code in self._around(place):
            if code.note and code.at(place):
                ref = code.context.ref
                type_ = self._program.resolve_name(code.note, ref.path, ref.owner)
                yield type_.name if type_ is not None else ""

    def private_name(self, literal: Place) -> bytes | None:
        """Return the name of the local, or of the private constant without annotations, whose initialiser is just a literal."""
        code = next(iter(self._around(literal)), None)
        if code is None or code.note:
            return None
        if code.named is None:
            code.named = dict(self._named(code))
        name = code.named.get(literal)
        return None if name is None else name.encode()

    def _named(self, code: _Code) -> Iterator[tuple[Place, str]]:
        context, member = code.context, self._program.member(code.context.ref)
        wanted = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL
        constant = member.kind == "field" and member.modifiers & wanted == wanted
        for instr in context.code:
            if isinstance(instr, ir.Store) and instr.declares and instr.value != NONE:
                name = context.body.locals[instr.slot].name
            elif isinstance(instr, ir.StoreField) and constant and not member.annotations:
                name = member.name
            else:
                continue
            if instr.value != NONE:
                yield code.place(context.code[instr.value]), name

    # -- bodies and annotations around a place -------------------------------------------------------

    def _around(self, place: Place) -> Iterator[_Code]:
        """The bodies and annotations of the members and types around a place, the innermost first."""
        facts = self._program.files.get(place.path)
        if facts is None:
            return
        members = self._files.get(place.path)
        if members is None:
            members = self._files[place.path] = _Members(facts)
        for number in members.around(place):
            member = facts.members[number]
            ref = self._program.ref(place.path, number)
            if _meets(member, place):
                yield self._code(Context.of(self._program, ref), ref)
            for note in _notes(member):
                yield from self._annotation(ref, note, place)
        for index, note in members.of_types:
            if facts.members:
                owner = self._program.type_name(place.path, index)
                yield from self._annotation(MemberRef(place.path, 0, owner), note, place)

    def _code(self, context: Context, ref: MemberRef) -> _Code:
        found = self._codes.get(ref)
        if found is None:
            found = self._codes[ref] = _Code(context, self._program.member(ref).at)
        return found

    def _annotation(self, ref: MemberRef, note: Annotation, place: Place) -> Iterator[_Code]:
        """Positions in the code of an annotation count from its start."""
        code = annotation_code(note) if _meets(note, place) else ()
        if code:
            yield _Code(Context(self._program, ref, ir.Body((), code)), note.at, note.name)


class _Members:
    """Which members of a file stand around a place: those of each stretch of the file are known."""

    def __init__(self, facts: FileFacts) -> None:
        self._stretches: dict[int, list[tuple[int, int]]] = {}
        self.of_types = [
            (n, note) for n, decl in enumerate(facts.types) for note in decl.annotations
        ]
        for number, member in enumerate(facts.members):
            if member.modifiers & Modifier.IMPLIED:
                continue
            spans: list[Member | Annotation] = [member, *_notes(member)]
            first, last = min(one.at for one in spans), max(one.end for one in spans)
            for stretch in range(first // _STRETCH, last // _STRETCH + 1):
                self._stretches.setdefault(stretch, []).append((member.end - member.at, number))

    def around(self, place: Place) -> list[int]:
        found: set[tuple[int, int]] = set()
        for stretch in range(place.start // _STRETCH, place.end // _STRETCH + 1):
            found.update(self._stretches.get(stretch, ()))
        return [number for _, number in sorted(found)]


class _Code:
    """The expressions and literals of a body, or of an annotation called ``note``, by their places; its offsets count from ``base``.
    ``named`` are the names of what is initialised with a literal, if they were asked for."""

    def __init__(self, context: Context, base: int, note: str = "") -> None:
        self.context = context
        self.base = base
        self.note = note
        self.named: dict[Place, str] | None = None
        self.calls: dict[tuple[int, int], int] = {}
        self._numbers: dict[tuple[int, int], list[int]] = {}
        self._literals: list[tuple[int, int, str]] = []
        for number, instr in enumerate(context.code):
            self._numbers.setdefault((instr.at, instr.end), []).append(number)
            if isinstance(instr, ir.Call):
                self.calls[instr.name_at, instr.end] = number
            elif isinstance(instr, ir.Const) and instr.kind == "s":
                self._literals.append((base + instr.at, base + instr.end, instr.value))
        self._literals.sort()

    def place(self, instr: ir.Instr) -> Place:
        return Place(self.context.ref.path, self.base + instr.at, self.base + instr.end)

    def at(self, place: Place) -> list[int]:
        """The expressions that stand exactly at a place, the outermost first."""
        span = place.start - self.base, place.end - self.base
        return self._numbers.get(span, [])[::-1]

    def literals(self, whole: Place, touched: bool = False) -> Iterator[tuple[Place, str]]:
        """The literals inside of a place, or also the one that it ends in."""
        for at in range(bisect_left(self._literals, (whole.start,)), len(self._literals)):
            start, end, text = self._literals[at]
            if start >= whole.end:
                break
            if touched or end <= whole.end:
                yield Place(whole.path, start, end), text


def _notes(member: Member) -> tuple[Annotation, ...]:
    return (*member.annotations, *(note for one in member.params for note in one.annotations))


def _fitting(name: str, context: Context, base: int, number: int) -> Found | None:
    """The alternative of an expression that is the name, or that a wrapper makes the name of."""
    part: Found | None = None
    for pieces in _pieces(context, base, number, 0):
        if pieces is None:
            continue
        text = "".join(piece.text for piece in pieces)
        if text == name:
            return Spelling(pieces)
        if text and part is None:
            if name.endswith(text) and _is_joint(name, len(name) - len(text)):
                part = Spelling(pieces, before=name.removesuffix(text))
            elif name.startswith(text) and _is_joint(name, len(text)):
                part = Spelling(pieces, behind=name.removeprefix(text))
            elif len(pieces) == 1 and name in text:
                part = Holding(pieces[0].place)
    return part


def _is_joint(name: str, at: int) -> bool:
    """Whether one part of a name ends and the next begins at an index: ``size`` does not begin with ``s``."""
    before, behind = name[at - 1], name[at]
    return not (before.isalnum() and behind.isalnum()) or (before.islower() and behind.isupper())


def _meets(span: Member | Annotation, place: Place) -> bool:
    return span.at <= place.end and place.start <= span.end


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
            if isinstance(made, (ir.New, ir.Call)) and made.args:
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
        if isinstance(each, (ir.New, ir.Call)) and each.args:
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
