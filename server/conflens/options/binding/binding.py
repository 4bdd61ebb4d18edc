"""Options of classes that a parser, mapper or framework fills from a file.

A *root* is a class given to a binding call (``yaml.loadAs(text, Config.class)``), to a parser's
constructor, also through a project subclass of it (``super(Config.class)``), to a project method
that fills objects by reflection, or a subclass of a framework's configuration class.  Its
properties are options (``bound_expand``); each load of such a field is a read of its own.

A root that is only the type of a property inside another root is no root of its own.
Absent: classes bound by an annotation (``annotations_classes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from conflens.base.budget import Pieces
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, BindingRow
from conflens.models.words import Naming
from conflens.options.annotation_elements import stated
from conflens.options.binding.cast_to import cast_to
from conflens.options.binding.classes import Classes
from conflens.options.binding.expand import (
    PLAIN,
    REFLECTION,
    Root,
    Spelling,
    expand,
    note_cuts,
    texts_of,
)
from conflens.options.binding.formats import Namings, says_format
from conflens.options.binding.from_maps import FromMaps
from conflens.options.binding.handed_out import HandedOut
from conflens.options.binding.handed_parts import part_of
from conflens.options.binding.kept import is_kept
from conflens.options.binding.members import Members
from conflens.options.binding.offered import offered
from conflens.options.binding.outermost import outermost
from conflens.options.binding.proxies import MAKES, makers, proxied
from conflens.options.binding.reflection import (
    LISTINGS,
    SETTINGS,
    Fill,
    candidates,
    fills,
)
from conflens.options.binding.rules import Rules
from conflens.options.binding.views import view
from conflens.options.constant_arguments import (
    Reach,
    is_one_of,
    parameters_fit,
    receiver_is,
)
from conflens.options.member_types import simple
from conflens.options.origins import posted
from conflens.options.origins.lines import Lines
from conflens.options.origins.maps import is_nested
from conflens.options.origins.sections import Sections
from conflens.options.origins.sources import DATA, ENTERED, UNKNOWN, Sources
from conflens.options.origins.taken import taken
from conflens.options.origins.tracing import NO_PREFIX, Bound, Mode, Tracer, root
from conflens.options.roles import Roles
from conflens.options.sites import Found
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Part, SelfField, Templates, substitute
from conflens.program.trail import Recall
from conflens.program.values import Values

_KINDS = frozenset({"setter", "field", "component", "method"})
_INVOKED = frozenset({"invoked", "text"})
_OTHERS = frozenset({"annotated", "rule", "listing", "setting", "naming"})
"""Shapes of rows that are looked for elsewhere."""
_MEMBERS = _KINDS - {"method"}
"""What a mapper fills: it makes no interface of its own."""
MEMBER_STEPS = 400_000
"""Values that are looked at to find what one member fills (``base.budget``)."""
_XML = "xml"
_GUESSED = "properties"
"""The domain of what a project's own filler reads, if nothing tells another."""
_FLAT: dict[str, Naming] = {"spring": "kebab", "micronaut": "kebab", "microprofile": "kebab"}
"""Domains of flat names (others are trees, in which a node is an option too), and their naming."""


@attrs.frozen
class Binding:
    """A root: class, domain, prefix, the API that binds it, how reflection spells its keys.

    ``parsed``: no root, but a class whose values the program reads itself.  ``naming``: that of the mapper.
    ``kept``: a document that the program keeps under a key.  ``flat``: only single values are given to members.
    """

    type: str
    domain: str
    prefix: str
    api: str
    spelling: Spelling = PLAIN
    kinds: frozenset[str] = _KINDS
    as_is: bool = False
    parsed: bool = False
    naming: Naming | None = None
    kept: bool = False
    flat: bool = False


Bindings = tuple[Binding, ...]


def find(
    program: Program,
    models: Models,
    values: Values,
    pieces: Pieces | None = None,
    recall: Recall[Bindings] | None = None,
    declared: Iterable[Found] = (),
) -> list[Found]:
    """Return the options of all bound classes of a program, sorted by place.

    ``pieces`` does the work of each member; without it, what fails is raised.  ``recall`` knows what members bind, for as long
    as the same options are ``declared``.
    """
    finder = _Finder(program, models, values, pieces, recall or Recall(), declared)
    all_ = dict.fromkeys(finder.bindings())
    finder.members.take_parsed({one.type for one in all_ if one.parsed})
    bindings = {one: None for one in all_ if not one.parsed}
    other = {(one.type, one.prefix) for one in bindings if one.domain != "json"}
    # YAML is read by mappers of JSON too: one class is one set of options.
    # What another filler reads from a carrier that nothing tells of is no second set.
    own = [one for one in bindings if one.api == REFLECTION and one.domain != _GUESSED]
    filled = {(one.type, one.prefix) for one in own}
    bindings = {
        one: None
        for one in bindings
        if (one.domain != "json" or (one.type, one.prefix) not in other)
        and (
            (one.api, one.domain) != (REFLECTION, _GUESSED) or (one.type, one.prefix) not in filled
        )
    }
    if not bindings:
        return []
    members = finder.members
    found: dict[tuple[str, str, str, int], Found] = {}
    for binding in outermost(members, bindings, _KINDS):
        flat = _FLAT.get(binding.domain)
        root = Root(
            type=binding.type,
            prefix=binding.prefix,
            domain=binding.domain,
            api=binding.api,
            naming=flat or binding.naming or "field",
            kinds=binding.kinds,
            spelling=binding.spelling,
            as_is=binding.as_is,
            flat=binding.flat,
            nodes=flat is None,
            is_read=False,
            loads_are_reads=True,
            separator="/" if binding.domain == _XML and not binding.as_is else ".",
            records=posted.bodies(program, models) if binding.kept else frozenset(),
        )
        for item in expand(members, root):
            found.setdefault((item.domain, item.name, item.path, item.at), item)
    note_cuts(members, pieces)
    return sorted(found.values(), key=lambda item: (item.path, item.at, item.name, item.domain))


class _Finder:
    """Looks for roots."""

    def __init__(
        self,
        program: Program,
        models: Models,
        values: Values,
        pieces: Pieces | None,
        recall: Recall[Bindings],
        declared: Iterable[Found],
    ) -> None:
        self.program = program
        self.models = models
        self.values = values
        self.pieces = pieces
        self.recall = recall
        self.tracer = Tracer(values)
        self.sources = Sources(
            self.tracer,
            models,
            Roles(program, models, values, Lines(self.tracer, models).configure),
        )
        self.sections = Sections(self.tracer, self.sources)
        self.from_maps = FromMaps(self.sources, declared)
        self.rules = Rules(self.tracer, self.sources)
        self.classes = Classes(models, values)
        self.members = Members(program, models, values)
        self.namings = Namings(models, values)
        self._reach = Reach(program)

    def bindings(self) -> Iterator[Binding]:
        """Yield the roots of the program."""
        names = self.values.trail.names
        names |= self.models.bindings_by_method.keys() | LISTINGS | SETTINGS | {MAKES}
        names |= {simple(row.type) for row in self.models.bindings if row.method == CONSTRUCTOR}
        names |= {type_ for row in self.models.bindings for type_ in (row.type, *row.also_types)}
        trail = self.values.trail
        yield from self.recall.recalled(trail, "supertypes", lambda: tuple(self._by_supertype()))
        yield from self._by_call()
        place = self.rules.place()
        if place is not None:
            yield from self._done(place, self._by_rules)
        for ref in candidates(self.program, self.models):
            yield from self._done(ref, self._by_reflection)
        for ref in makers(self.program):
            yield from self._done(ref, self._by_proxy)

    def _done(
        self, ref: MemberRef, find: Callable[[MemberRef], Iterable[Binding]]
    ) -> Iterable[Binding]:
        """Return what is bound in a member; what cannot be told of it leaves the others."""
        pieces = self.pieces
        if pieces is None:
            return list(find(ref))
        what = "not all classes are known that this member fills"

        def make() -> Bindings:
            with self.program.meter.limited(MEMBER_STEPS, key):
                return tuple(find(ref))

        key = ("bound", *ref)
        at = self.program.member(ref).at
        return self.recall.recalled(
            self.values.trail,
            (find.__name__, ref),
            lambda: pieces.run(key, ref.path, at, what, make, ()),
        )

    def _by_rules(self, _: MemberRef) -> Iterator[Binding]:
        for rule in self.rules.of_libraries():
            yield Binding(rule.type, "xml", rule.prefix, "rule", kinds=_INVOKED, as_is=True)

    def _by_reflection(self, ref: MemberRef) -> Iterator[Binding]:
        found = list(fills(self.tracer, self.sources, ref))
        annotated = [self._annotated(fill.spelling) for fill in found]
        # Where one way takes keys from annotations, another to the same setting does not call the members otherwise.
        spelled = {
            name
            for fill, names in zip(found, annotated, strict=True)
            if fill.entered == ENTERED
            for name in names
        }
        for fill, names in zip(found, annotated, strict=True):
            for rule in self.rules.of(fill):
                domain = fill.domain or "xml"
                yield Binding(rule.type, domain, rule.prefix, "rule", kinds=fill.kinds, as_is=True)
            made = self._by_fill(fill, names)
            yield from (one for one in made if fill.spelling.elements or one.type not in spelled)

    def _by_proxy(self, ref: MemberRef) -> Iterator[Binding]:
        for fill in proxied(self.tracer, self.sources, ref):
            yield from self._by_fill(fill, set())

    def _by_fill(self, fill: Fill, annotated: set[str]) -> Iterator[Binding]:
        """Yield the classes that a filler fills; it looks for the keys of those that are ``annotated`` by itself."""
        found = fill.tracer.traced(fill.context, fill.object, fill.mode, fill.prefix, fill.carrier)
        if fill.entered != DATA:
            for name in sorted(annotated - {bound.type for bound in found}):
                yield from self._filled(fill, name, [""], fill.entered)
        for bound in found:
            entered = self._entered(fill, bound)
            sections = self.sections.of(bound)
            prefixes = [
                section + text for section in sections for text in self._texts(bound.prefix)
            ]
            known = prefixes if all(sections) else []
            yield from self._filled(fill, bound.type, prefixes, entered, known)

    def _filled(
        self,
        fill: Fill,
        name: str,
        prefixes: Iterable[str],
        entered: int,
        known: Sequence[str] = (),
    ) -> Iterator[Binding]:
        domain = fill.domain or _GUESSED
        speaks = entered == ENTERED and (
            fill.certain or bool(fill.spelling.elements) or not self.classes.looks_like_data(name)
        )
        for text in prefixes:
            # A section that is known is one of a configuration, whatever its class is called.
            if entered != DATA and (
                text in known or speaks or self.classes.is_configuration(name)
            ):
                yield Binding(
                    name, domain, text, REFLECTION, fill.spelling, fill.kinds, fill.as_is
                )

    def _entered(self, fill: Fill, bound: Bound) -> int:
        """Return what is said of the carrier that the class is filled from: of another caller's it says nothing."""
        if bound.carried is None or fill.carrier is None or fill.entered != DATA:
            return fill.entered
        context, value = bound.carried
        if context.ref == fill.carrier[0].ref:
            return fill.entered
        return self.sources.judged(context, value)[0]

    def _annotated(self, spelling: Spelling) -> set[str]:
        """Return the classes whose fields carry an annotation that gives the filler its keys."""
        types = {type_ for type_, _ in spelling.elements}
        names = {simple(type_) for type_ in types}
        found: set[str] = set()
        for path, facts in self.program.files.items() if types else ():
            for index, member in enumerate(facts.members):
                if member.kind != "field":
                    continue
                for annotation in member.annotations:
                    if simple(annotation.name) in names:
                        ref = self.program.ref(path, index)
                        resolved = self.program.resolve_name(annotation.name, path, ref.owner)
                        if resolved is not None and resolved.name in types:
                            found.add(ref.owner)
        return found

    # -- candidates ------------------------------------------------------------------------------

    def _by_supertype(self) -> Iterator[Binding]:
        rows = [row for row in self.models.bindings if row.shape == "supertype"]
        for row in rows:
            types = (row.type, *row.also_types)
            roots = self._subtypes(types)
            kinds = _MEMBERS if row.domain == "yaml" else _KINDS
            for name in roots:
                yield Binding(name, row.domain, "", simple(row.type), kinds=kinds)
            own = any(self.program.type(name) is not None for name in types)
            for name in offered(self.program, {*types, *roots}, self._is_part if own else None):
                yield Binding(name, row.domain, "*.", simple(row.type), kinds=kinds)

    def _is_part(self, name: str) -> bool:
        """Tell whether a class of the framework itself is called a configuration, all of whose members have names."""
        if not self.classes.is_configuration(name):
            return False
        properties = self.members.of(name, _MEMBERS)
        return bool(properties) and all(
            stated(self.program, self.models, self.values, item.uses).named for item in properties
        )

    def _subtypes(self, types: tuple[str, ...]) -> list[str]:
        """Return the project types below library types, and those of these that the project declares itself."""
        found = dict.fromkeys(name for name in types if self.program.type(name) is not None)
        for name in types:
            found.update(dict.fromkeys(self.program.all_subtypes(name)))
        return list(found)

    def _by_call(self) -> Iterator[Binding]:
        seen: set[MemberRef] = set()
        called = [
            row
            for row in self.models.bindings
            if row.shape in ("class", "object", "parsed", "cast")
        ]
        types = {type_ for row in called for type_ in (row.type, *row.also_types)}
        handed_out = HandedOut(self.program, self._reach, types)
        self.values.trail.names |= handed_out.names
        for path, facts in self.program.files.items():
            for method in facts.calls.keys() & self.models.bindings_by_method.keys():
                rows = self._rows(path, method)
                indices: Iterable[int] = facts.calls[method]
                if method == CONSTRUCTOR:
                    wanted = {simple(row.type) for row in rows}
                    named = {index for name in wanted for index in facts.names.get(name, ())}
                    indices = sorted(named.intersection(indices))
                elif not rows:
                    indices = handed_out.users(facts, method)
                for index in indices:
                    ref = self.program.ref(path, index)
                    if ref not in seen:
                        seen.add(ref)
                        yield from self._done(ref, self._member)
        for row in self.models.bindings:
            if row.method == CONSTRUCTOR and row.shape in ("class", "object"):
                yield from self._by_subclass(row, seen)

    def _rows(self, path: str, method: str) -> list[BindingRow]:
        return [
            row
            for row in self.models.bindings_by_method[method]
            if row.shape not in _OTHERS and self._reach.can(path, (row.type, *row.also_types))
        ]

    def _by_subclass(self, row: BindingRow, seen: set[MemberRef]) -> Iterator[Binding]:
        for name in self._subtypes((row.type, *row.also_types)):
            for ref in self.program.own_methods(name).get(CONSTRUCTOR, ()):
                if ref not in seen:
                    seen.add(ref)
                    yield from self._done(ref, self._member)

    # -- calls -----------------------------------------------------------------------------------

    def _member(self, ref: MemberRef) -> Iterator[Binding]:
        context = self.values.open(ref)
        inner: set[int] = set()
        for value, instr in reversed(context.calls()):
            method = instr.name if isinstance(instr, ir.Call) else CONSTRUCTOR
            for row in self.models.bindings_by_method.get(method, ()):
                if row.shape in ("supertype", *_OTHERS) or value in inner:
                    continue
                if self._fits(context, value, instr, row):
                    inner.update(instr.args)
                    yield from self._bound(context, value, instr, row)
                    break

    def _fits(
        self, context: Context, value: int, instr: ir.Call | ir.New, row: BindingRow
    ) -> bool:
        count = len(instr.args)
        if count < row.min_args or (row.max_args is not None and count > row.max_args):
            return False
        types = (row.type, *row.also_types)
        if isinstance(instr, ir.Call):
            if not receiver_is(context, value, instr, types):
                return False
        else:
            type_ = context.type_of(value)
            if type_ is None or not is_one_of(self.program, type_.name, types):
                return False
            if context.targets(value):
                return False
        return not row.parameters or parameters_fit(context, instr.args, row.parameters) >= 0

    def _bound(
        self, context: Context, value: int, instr: ir.Call | ir.New, row: BindingRow
    ) -> Iterator[Binding]:
        places = [row.argument if row.argument is not None else 0]
        if row.shape == "cast":
            places = []
        elif places[0] < 0:
            places = list(range(len(instr.args)))
        others = tuple(arg for number, arg in enumerate(instr.args) if number not in places)
        sources = self._read_later(context, row) if row.read_by else [(context, others)]
        prefix: Templates = NO_PREFIX
        viewed = None
        if row.prefix is not None and row.prefix < len(instr.args):
            prefix = self.values.of(context, instr.args[row.prefix])
        else:
            viewed = next(
                filter(
                    None, (view(self.tracer, self.sources.roles, context, arg) for arg in others)
                ),
                None,
            )
            if viewed is not None:
                prefix = viewed.prefix
        mode: Mode = "object" if row.shape == "object" else "token"
        given = [
            self._described(context, instr.args[place], mode)
            for place in places
            if place < len(instr.args)
        ]
        if row.shape == "cast":
            given = list(cast_to(context, value))
        carried = (context, others[0]) if prefix == NO_PREFIX and others else None
        receiver = instr.object if isinstance(instr, ir.Call) else NONE
        around = self.from_maps.carrier(context, receiver)
        carried = around or carried
        keyed = taken if carried else None
        traced = [
            one
            for what in given
            for one in self.tracer.traced(context, *what, prefix, carried, keyed)
        ]
        bound = dict.fromkeys((one.type, one.prefix, one.carried) for one in traced)
        kept = {one.type for one in traced if is_kept(self.classes, one)}
        brought = posted.brought(self.program, self.models)
        if not bound:
            return
        if row.shape == "parsed":
            names = sorted({name for name, _, _ in bound})
            yield from (Binding(name, "", "", "", parsed=True) for name in names)
            return
        domain = row.domain
        formatted = row.evidence != "certain" and says_format(self.values, context, receiver)
        if formatted and domain == "json":
            domain = "yaml"
        if viewed is not None and viewed.domain:
            domain = viewed.domain
        filed = viewed is not None or any(self.classes.from_file(*one) for one in sources)
        if domain == _XML and not filed:
            filed = any(self.sources.opened(body, arg) for body, args in sources for arg in args)
        origin = ENTERED if filed else max((self.sources.of(*one) for one in sources), default=0)
        if origin == UNKNOWN and (
            any(self._is_flat(context, arg) for arg in others)
            or any(self.classes.held_by_configuration(self.tracer, *one) for one in sources)
        ):
            origin = ENTERED
        api = simple(row.type) if row.method == CONSTRUCTOR else f"{simple(row.type)}.{row.method}"
        certain = row.evidence == "certain" and viewed is None
        kinds = _KINDS if certain and row.interfaces else _MEMBERS
        naming = self.namings.of(context, receiver)
        made: dict[Binding, None] = {}
        for name, templates, carrier in bound:
            texts = self._texts(templates)
            if around is not None:
                found = self.from_maps.prefixes(carrier) if carrier is not None else ()
                made.update(
                    (Binding(name, space, above + text, api, kinds=kinds, flat=True), None)
                    for space, above in found
                    for text in texts
                )
                continue
            if self.classes.says_prefix(name) and not any(text.strip("*.") for text in texts):
                continue  # Its annotation tells the prefix that is not known here.
            if domain == _XML:
                texts = [f"{self.members.element(name)}/"]
            spoken = filed or name in kept
            if templates == NO_PREFIX and not spoken and row.evidence == "role":
                part = part_of(self.sources, self.classes, name, carrier)
                texts, spoken = [part], bool(part)
            if not (row.evidence == "certain" or spoken) and name in brought:
                continue
            if templates != prefix and domain != _XML:
                # A part that a key selects, or anything that has been looked up under keys of which nothing is known.
                known = [text for text in texts if not text.startswith("*")]
                if known and not self.classes.looks_like_data(name):
                    spoken = spoken or self.sources.speaks(carrier)
                texts = known or [""]
            if self._is_configuration(name, row, formatted, spoken, origin):
                made.update(
                    (
                        Binding(
                            name,
                            domain,
                            text,
                            api,
                            kinds=kinds,
                            naming=naming,
                            kept=name in kept,
                        ),
                        None,
                    )
                    for text in texts
                )
        yield from sorted(made, key=str)

    def _read_later(
        self, context: Context, row: BindingRow
    ) -> list[tuple[Context, tuple[int, ...]]]:
        """Return what is given to the method that reads: of this body, or else of those of its file."""
        facts = self.program.files[context.ref.path]
        numbers = facts.calls.get(row.read_by, ())
        self.values.trail.names.add(row.read_by)
        refs = [self.program.ref(context.ref.path, number) for number in numbers]
        found = []
        for ref in [ref for ref in refs if ref == context.ref] or refs:
            inner = self.values.open(ref)
            found += [
                (inner, call.args)
                for _, call in inner.calls()
                if isinstance(call, ir.Call) and call.name == row.read_by
            ]
        return found

    def _described(self, context: Context, value: int, mode: Mode) -> tuple[int, Mode]:
        """Return the object that a description of what is to be bound was made of, or else what is given."""
        made = root(context, value)
        call = context.code[made] if made != NONE else None
        if isinstance(call, ir.Call):
            for row in self.models.bindings_by_method.get(call.name, ()):
                if row.shape == "object" and self._fits(context, made, call, row):
                    return call.args[row.argument or 0], "object"
        return value, mode

    def _is_flat(self, context: Context, value: int) -> bool:
        """Tell whether a value is a map of texts, as configuration is; one of any objects may be a document from anywhere."""
        return self.sources.is_map(context, value) and not is_nested(context.type_of(value))

    def _texts(self, prefix: Templates) -> list[str]:
        """Return the texts of a prefix, which may be kept in a field that each object is made with."""

        def fill(part: Part) -> Templates:
            return self.values.expand(part) if isinstance(part, SelfField) else ((part,),)

        return texts_of(substitute(prefix, fill))

    def _is_configuration(
        self, name: str, row: BindingRow, formatted: bool, filed: bool, origin: int
    ) -> bool:
        if origin == DATA and not filed:
            return False
        if filed or row.evidence == "certain":
            return not self.classes.is_record(name)
        if formatted:
            return not self.classes.looks_like_data(name)
        return origin == ENTERED and self.classes.is_configuration(name)
