"""The places to change when the member gets another name that a key is derived from.

``app.pool.max-size`` is called after the field ``maxSize`` of a class that a container fills, so that a new key is a new field, with
its accessors and all that use these.

Terms
    member     the field, record component or method that a key is called after.
    accessor   ``getX``, ``isX`` and ``setX`` of a field, and every method that is generated from it; a method of an interface, or
               of a record, is its own.
    use        where code names the member or an accessor: a read, an assignment, a call, a method reference.
    unsure     a use on a value whose type is not known, which may be of a library, and in a source that is not analysed: a test, or
               one in another language.

Invariants: the places are those of identifiers whose text was seen there.  What the compiler would then not accept, and what cannot
be followed (a constructor's parameter, an accessor that a superclass declares too), is refused with its place, before a name
is typed where the new name does not matter.
Absent: what the keys are called (``key_names``), config files and documents (``rename``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member, Modifier
from conflens.ide.rename.refusal import RefusedError, refused_at
from conflens.ide.rename.texts import unread_sources
from conflens.options.member_types import accessor_name, simple
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef, TypeInfo
from conflens.session.analysis import Analysis

_PREFIXES = {"get": 0, "is": 0, "set": 1}
"""The accessors of a field with how many arguments they take."""
_INFERRED = frozenset(("", "val", "var"))
"""How the type of a local is written that is inferred, by Java or by Lombok."""
_NO_COMPONENTS = frozenset(
    ["clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"]
)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_KEYWORDS = frozenset({
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if", "implements",
    "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private", "protected",
    "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws",
    "transient", "true", "try", "void", "volatile", "while",
})  # fmt: skip


@attrs.frozen
class Uses:
    """Where identifiers stand, each with what stands before the name in it (``set`` of ``setStreams``, empty for the name)."""

    sure: dict[Place, str] = attrs.field(factory=dict)
    unsure: dict[Place, str] = attrs.field(factory=dict)


class BoundMember:
    """The member of one declaration."""

    def __init__(self, analysis: Analysis, place: Place) -> None:
        """Find the member that is declared at ``place``; raises ``RefusedError`` if there is none to rename."""
        self.analysis = analysis
        self.program: Program = analysis.program
        found = _member_at(self.program, place)
        if found is None:
            raise refused_at(
                analysis,
                place,
                "the key is derived from a constructor parameter",
                "Rename both by hand.",
            )
        self.ref = found
        self.member: Member = self.program.member(found)
        self.place = place
        self.prefix = ""
        if self.member.kind == "method":
            self.prefix = next((one for one in ("get", "is", "set") if self._is_accessor(one)), "")
        self.name = (
            accessor_name(self.member.name, (self.prefix,)) if self.prefix else self.member.name
        )
        info = self.program.type(self.ref.owner)
        assert info is not None
        self.info: TypeInfo = info

    def _is_accessor(self, prefix: str) -> bool:
        name = self.member.name
        return (
            accessor_name(name, (prefix,)) != name and len(self.member.params) == _PREFIXES[prefix]
        )

    @property
    def symbol(self) -> str:
        """The member in words: ``field 'streams'``."""
        kind = {"field": "field", "component": "record component"}.get(self.member.kind, "method")
        return f"{kind} '{self.member.name}'"

    @cached_property
    def accessors(self) -> dict[str, str]:
        """The names of the accessors, with the prefix of each; a name without prefix is a method that is called as the member."""
        if self.member.kind == "component" or (self.member.kind == "method" and not self.prefix):
            return {self.name: ""}
        declared = {accessor(prefix, self.name): prefix for prefix in _PREFIXES}
        return declared | {
            self.program.member(ref).name: self._prefix_of(ref) for ref in self._implied
        }

    @cached_property
    def _implied(self) -> list[MemberRef]:
        """The methods that are generated from the member."""
        return list(self.program.implied_by(self.ref))

    def _prefix_of(self, ref: MemberRef) -> str:
        """What stands before the member's name in that of a generated method; raises ``RefusedError`` if it is not in it."""
        name = self.program.member(ref).name
        own = self.name
        capital = own[:1].upper() + own[1:]
        boolean = self.member.type == "boolean" and own.startswith("is") and not own[2:3].islower()
        if name == own and not boolean:
            return ""
        if name.endswith(capital):
            return name.removesuffix(capital)
        raise refused_at(
            self.analysis,
            self._own(self.ref),
            f"{name}() is generated from {self.symbol}",
            "Rename them by hand.",
        )

    # -- before a name is typed ------------------------------------------------------------------

    def uses(self) -> Uses:
        """Return all uses but method references and those in sources that are not analysed; raises ``RefusedError`` for what cannot be followed."""
        self._check()
        found = Uses()
        if self.member.kind != "method":
            found.sure[self._own(self.ref)] = ""
            for ref in sorted({self.ref, *self.program.mentions(self.name)}):
                self._fields_in(ref, found)
        for ref in self._declared:
            found.sure[self._own(ref)] = self.accessors[self.program.member(ref).name]
        for name, prefix in self.accessors.items():
            for ref in self.program.users(name):
                self._calls_in(ref, name, prefix, found)
        return found

    def _check(self) -> None:
        if self.member.kind == "component":
            for ref in self.program.own_methods(self.ref.owner).get("<init>", ()):
                if self.program.member(ref).modifiers & Modifier.IMPLIED:
                    continue
                raise refused_at(
                    self.analysis,
                    self._own(ref),
                    f"the key is derived from {self.symbol} and the record has a constructor of its own",
                    "Rename both by hand.",
                )
        for ref in (*self._declared, *self._implied):
            others = [*self.program.overriders(ref), *self.program.overridden(ref)]
            if others:
                other = others[0]
                raise refused_at(
                    self.analysis,
                    self._own(other),
                    f"{self.program.member(ref).name}() is declared here too",
                    "Rename both by hand.",
                )
            if any(
                simple(note.name) == "Override" for note in self.program.member(ref).annotations
            ):
                raise refused_at(
                    self.analysis,
                    self._own(ref),
                    f"{self.program.member(ref).name}() overrides a method of a library",
                    "Rename the key by hand.",
                )

    @cached_property
    def _declared(self) -> list[MemberRef]:
        """The accessors that the class declares."""
        methods = self.program.own_methods(self.ref.owner)
        return [
            ref
            for name, prefix in self.accessors.items()
            for ref in methods.get(name, ())
            if len(self.program.member(ref).params) == _PREFIXES.get(prefix, 0)
            and not self.program.member(ref).modifiers & (Modifier.STATIC | Modifier.IMPLIED)
        ]

    def _own(self, ref: MemberRef) -> Place:
        member = self.program.member(ref)
        return Place(ref.path, member.name_at, member.name_at + len(member.name.encode()))

    # -- uses ------------------------------------------------------------------------------------

    def _fields_in(self, ref: MemberRef, found: Uses) -> None:
        """The reads and assignments of the field in one body."""
        if self.program.member(ref).modifiers & Modifier.IMPLIED:
            return
        context, base = Context.of(self.program, ref), self.program.member(ref).at
        own = self._own(self.ref)
        for number, instr in enumerate(context.code):
            if isinstance(instr, (ir.Name, ir.Field)):
                if instr.name != self.name:
                    continue
                field = context.field_of(number)
                holder = instr.object if isinstance(instr, ir.Field) else NONE
            elif isinstance(instr, ir.StoreField) and instr.name == self.name:
                field, holder = context.target_field(instr), instr.object
            else:
                continue
            if self.member.modifiers & Modifier.PRIVATE and ref.path != self.ref.path:
                continue
            if field != self.ref and (
                field is not None or holder == NONE or context.owner_of(holder) is not None
            ):
                continue
            after = base + context.code[holder].end if holder != NONE else base + instr.at
            place = self._identifier(ref.path, after, base + instr.end, dotted=holder != NONE)
            if place is None:
                if field == self.ref and not (ref == self.ref and after == own.start):
                    raise self._unclear(Place(ref.path, base + instr.at, base + instr.end))
            elif place != own:
                ours = field == self.ref and not (holder == NONE and self._is_hidden(context))
                (found.sure if ours else found.unsure)[place] = ""

    def _calls_in(self, ref: MemberRef, name: str, prefix: str, found: Uses) -> None:
        if self.program.member(ref).modifiers & Modifier.IMPLIED:
            return
        context, base = Context.of(self.program, ref), self.program.member(ref).at
        for number, instr in context.calls():
            if not isinstance(instr, ir.Call) or instr.name != name:
                continue
            if len(instr.args) not in self._counts[name]:
                continue
            start = base + instr.name_at
            place = Place(ref.path, start, start + len(name.encode()))
            verdict = self._is_ours(context, number, instr)
            if verdict is not False:
                (found.sure if verdict else found.unsure)[place] = prefix

    def _is_ours(self, context: Context, number: int, call: ir.Call) -> bool | None:
        """Whether a call is of an accessor, ``None`` where the type that it is called on is not known."""
        targets = context.targets(number)
        if targets:
            ours = not self._own_refs.isdisjoint(targets)
            may_be_inherited = call.object == NONE and self._is_hidden(context)
            return None if ours and may_be_inherited else ours
        if call.object == NONE:
            return False
        type_ = context.receiver_type(call)
        return None if type_ is None or type_.name.rpartition(".")[2] in _INFERRED else False

    def _is_hidden(self, context: Context) -> bool:
        """Whether a library's class, below which code stands inside of ours, may have a member of the same name that is nearer."""
        owner = context.ref.owner
        while owner and not self._is_below(owner):
            if any(self.program.type(name) is None for name in self.program.supertypes(owner)):
                return True
            info = self.program.type(owner)
            owner = info.outer if info is not None else ""
        return False

    @cached_property
    def _own_refs(self) -> frozenset[MemberRef]:
        return frozenset((*self._declared, *self._implied))

    @cached_property
    def _counts(self) -> dict[str, set[int]]:
        """With how many arguments each accessor is called."""
        found = {name: {_PREFIXES.get(prefix, 0)} for name, prefix in self.accessors.items()}
        for ref in self._implied:
            member = self.program.member(ref)
            found[member.name].add(len(member.params))
        return found

    def _is_below(self, holder: str) -> bool:
        return holder == self.ref.owner or self.program.is_subtype(holder, self.ref.owner)

    def _unclear(self, place: Place) -> RefusedError:
        return refused_at(
            self.analysis,
            place,
            f"{self.symbol} is used here in a way that cannot be followed",
            "Rename it in Java instead.",
        )

    def _identifier(self, path: str, start: int, end: int, dotted: bool) -> Place | None:
        """Where the name stands: the first word between two offsets, behind a dot if one must be there."""
        before = rb"[\s)]*+(?:/\*.*?\*/\s*+)?\.\s*+" if dotted else rb"[\s(+\-]*+"
        pattern = re.compile(before + rb"(" + re.escape(self.name.encode()) + rb")(?![\w$])", re.S)
        match = pattern.match(self._text(path), start)
        if match is None or match.end() > max(end, start + len(match[0])):
            return None
        return Place(path, *match.span(1))

    def _text(self, path: str) -> bytes:
        text = self.analysis.text(path)
        if text is None:
            raise RefusedError(f"{path} has changed on disk; try again in a moment.")
        return text

    # -- with a new name -------------------------------------------------------------------------

    def all_uses(self, new: str) -> Uses:
        """Return all uses, with the parameters of setters that can be called as the member; raises ``RefusedError`` for a new name
        that cannot be."""
        self._check_name(new)
        uses = self.uses()
        self._references(uses)
        self._parameters(uses, new)
        self._unread(uses)
        return uses

    def _check_name(self, new: str) -> None:
        if not _IDENTIFIER.fullmatch(new) or new in _KEYWORDS:
            raise RefusedError(f"'{new}' cannot be the name of a {self.member.kind} in Java.")
        if self.member.kind == "component" and new in _NO_COMPONENTS:
            raise RefusedError(f"'{new}' cannot be the name of a record component in Java.")
        owner = self.ref.owner
        types = (owner, *self.program.supertypes(owner), *self.program.all_subtypes(owner))
        for type_ in types:
            fields = self.program.own_fields(type_)
            taken = [fields[new]] if self.member.kind != "method" and new in fields else []
            methods = self.program.own_methods(type_)
            for ref in (*self._declared, *self._implied):
                prefix = self.accessors[self.program.member(ref).name]
                wanted = accessor(prefix, new) if prefix else new
                taken += [
                    other
                    for other in methods.get(wanted, ())
                    if len(self.program.member(other).params)
                    == len(self.program.member(ref).params)
                ]
            for other in taken:
                raise refused_at(
                    self.analysis,
                    self._own(other),
                    f"there is a {self.program.member(other).kind} '{self.program.member(other).name}' already",
                )
        if self.member.kind != "method":
            for ref in sorted({self.ref, *self.program.mentions(self.name)}):
                self._check_hidden(ref, new)
        self._check_captured(new)

    def _check_captured(self, new: str) -> None:
        """Refuse where a name that means something else, from around the class or above it, would mean the renamed member."""
        owners = (self.ref.owner, *self.program.all_subtypes(self.ref.owner))
        asked = {new: self.program.mentions(new)} if self.member.kind != "method" else {}
        for prefix in self.accessors.values():
            wanted = accessor(prefix, new) if prefix else new
            asked[wanted] = (*asked.get(wanted, ()), *self.program.users(wanted))
        for name, members in asked.items():
            for ref in members:
                inside = any(
                    ref.owner == one or ref.owner.startswith((f"{one}.", f"{one}$"))
                    for one in owners
                )
                if inside and self._means_another(ref, name):
                    raise refused_at(
                        self.analysis,
                        self._own(ref),
                        f"'{name}' means something else here already",
                    )

    def _means_another(self, ref: MemberRef, name: str) -> bool:
        """Whether a body names something by one word, which is no local of its own."""
        context = Context.of(self.program, ref)
        return any(
            (isinstance(instr, ir.Name) and instr.name == name)
            or (isinstance(instr, ir.Call) and instr.object == NONE and instr.name == name)
            for instr in context.code
        )

    def _check_hidden(self, ref: MemberRef, new: str) -> None:
        """Refuse where the new name alone would mean something else: a local, a field of a class in between."""
        if self.program.member(ref).modifiers & Modifier.IMPLIED:
            return
        context = Context.of(self.program, ref)
        base = self.program.member(ref).at
        for number, instr in enumerate(context.code):
            if isinstance(instr, ir.Name) and instr.name == self.name:
                field = context.field_of(number)
            elif isinstance(instr, ir.StoreField) and instr.name == self.name:
                if instr.object != NONE:
                    continue
                field = context.target_field(instr)
            else:
                continue
            if field != self.ref:
                continue
            around: Context | None = context
            while around is not None:
                if any(local.name == new for local in around.body.locals):
                    place = Place(ref.path, base + instr.at, base + instr.end)
                    raise refused_at(self.analysis, place, f"a local variable is called '{new}'")
                around = around.outer()
            if context.named_field(new) is not None:
                place = Place(ref.path, base + instr.at, base + instr.end)
                raise refused_at(self.analysis, place, f"'{new}' is another field there")

    def _references(self, uses: Uses) -> None:
        """The method references to accessors; these are in no index, and so looked for in the texts."""
        names = b"|".join(re.escape(name.encode()) for name in self.accessors)
        pattern = re.compile(rb"::\s*+(" + names + rb")(?![\w$])")
        for path in sorted(self.program.files):
            text = self.analysis.text(path)
            if text is None or b"::" not in text:
                continue
            found_in = {one.end(1): Place(path, *one.span(1)) for one in pattern.finditer(text)}
            for place, ours in self._refers(path, found_in):
                if ours is not False:
                    found = uses.sure if ours else uses.unsure
                    name = text[place.start : place.end].decode()
                    found[place] = self.accessors[name]

    def _refers(self, path: str, ends: Mapping[int, Place]) -> Iterator[tuple[Place, bool | None]]:
        """Yield the method references that end at one of some places, and whether these are to an accessor."""
        sorted_ends = sorted(ends)
        for number, member in enumerate(self.program.files[path].members if ends else ()):
            first = bisect_left(sorted_ends, member.at)
            if first == len(sorted_ends) or sorted_ends[first] > member.end:
                continue
            context = Context.of(self.program, self.program.ref(path, number))
            for instr in context.code:
                place = ends.get(member.at + instr.end)
                if not isinstance(instr, ir.MethodRef) or place is None:
                    continue
                holder = None
                if instr.object != NONE:
                    holder = context.owner_of(instr.object)
                    if _is_untyped(context, instr.object):
                        holder = None
                if holder is None and instr.type:
                    found = self.program.resolve_name(
                        instr.type.partition("<")[0], path, context.ref.owner
                    )
                    holder = None if found is None else found.name
                yield place, None if holder is None else self._is_below(holder)

    def _parameters(self, uses: Uses, new: str) -> None:
        """The parameter of a setter that is called as the field, if every place of it in the setter is known and nothing there has the
        new name."""
        taken = self.program.mentions(new)
        for ref in self._declared if self.member.kind == "field" else ():
            member = self.program.member(ref)
            if not member.params or member.params[0].name != self.name:
                continue
            context = Context.of(self.program, ref)
            if not context.body.locals or ref in taken:
                continue
            if any(local.name == new for local in context.body.locals):
                continue
            text = self._text(ref.path)
            at = member.at + context.body.locals[0].at
            size = len(self.name.encode())
            places = {Place(ref.path, at, at + size)}
            for instr in context.code:
                if isinstance(instr, ir.Load) and instr.slot == 0 and not instr.up:
                    places.add(Place(ref.path, member.at + instr.at, member.at + instr.end))
            spelled = [text[one.start : one.end] == self.name.encode() for one in places]
            word = re.compile(rb"(?<![\w$])" + re.escape(self.name.encode()) + rb"(?![\w$])")
            all_ = {
                Place(ref.path, *match.span())
                for match in word.finditer(text, member.at, member.end)
            }
            if all(spelled) and all_ <= places | uses.sure.keys():
                uses.sure.update(dict.fromkeys(places, ""))

    def _unread(self, uses: Uses) -> None:
        """The uses in sources that are not analysed, where these name the class.  Kotlin and Groovy call accessors by the name of
        the member."""
        methods = b"|".join(re.escape(name.encode()) for name in self.accessors)
        prefixed = b"|".join(
            re.escape(name.encode()) for name, prefix in self.accessors.items() if prefix
        )
        members = b"|".join(re.escape(name.encode()) for name in (self.name, *self.accessors))
        calls = rb"(?<=\.)(?:%b)(?=\s*\()|(?<=::)(?:%b)(?![\w$])" % (methods, methods)
        if prefixed:
            calls += rb"|(?<![\w$])(?:%b)(?=\s*\()" % prefixed
        java = re.compile(calls)
        others = re.compile(calls + rb"|(?<=\.)(?:%b)(?![\w$(])" % members)
        owner = re.compile(rb"\b" + re.escape(simple(self.ref.owner).encode()) + rb"\b")
        for path in unread_sources(self.analysis):
            text = self.analysis.source_text(path)
            if text is None or owner.search(text) is None:
                continue
            for match in (java if path.endswith(".java") else others).finditer(text):
                place = Place(path, *match.span())
                uses.unsure[place] = self.accessors.get(match[0].decode(), "")


def _is_untyped(context: Context, value: int) -> bool:
    """Whether a value is of a local whose type is nowhere written down, or comes from one."""
    while value != NONE:
        instr = context.code[value]
        match instr:
            case ir.Load():
                around = context.outer(instr.up)
                known = around.body.locals if around is not None else ()
                type_ = known[instr.slot].type if instr.slot < len(known) else ""
                return type_.rpartition(".")[2] in _INFERRED
            case ir.Call() | ir.Field():
                value = instr.object
            case ir.Index():
                value = instr.array
            case ir.Choice():
                return True
            case _:
                return False
    return False


def java_name(part: str) -> str:
    """Return the Java name of a part of a key: ``max-size`` is ``maxSize``."""
    first, *rest = [word for word in re.split(r"[-_]", part) if word] or [""]
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def accessor(prefix: str, name: str) -> str:
    """Return what an accessor of a member is called."""
    return f"{prefix}{name[:1].upper()}{name[1:]}"


def _member_at(program: Program, place: Place) -> MemberRef | None:
    facts = program.files.get(place.path)
    for number, member in enumerate(facts.members if facts is not None else ()):
        if member.name_at == place.start and member.kind in ("field", "component", "method"):
            return program.ref(place.path, number)
    return None
