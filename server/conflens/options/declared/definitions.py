"""Options that definition calls declare: ``define(name, type, default, …)`` and fluent builders.

``find`` gives all of one file.  A definition's names are its name arguments and those that refining
calls give; each is a finding of its own, with the same scope, the first being the main name.
Refinements are calls on the definition: further along its chain, on the local it is stored in, or
(static builders) before it in its chain.  A definition kept in a field has that field as ``member``.

Absent: definitions by an enum's constants, options read (``scan``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, DefinitionRow
from conflens.options.constant_arguments import (
    Reach,
    chain_end_type,
    constant_row,
    is_one_of,
    parameters_fit,
    receiver_is,
    rendered,
    words,
)
from conflens.options.declared.annotations import called_by
from conflens.options.declared.by_callers import stated
from conflens.options.declared.refinement import Chains, Refined, refine
from conflens.options.limits import joined, number_of
from conflens.options.member_types import element_of, simple
from conflens.options.model import UNLIMITED, Limits, OptionType
from conflens.options.sites import Found, Hint
from conflens.options.value_texts import default_value, value_text
from conflens.program.body_uses import field_stores
from conflens.program.expressions import Context
from conflens.program.fluent import fluent_type
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Templates
from conflens.program.types import ARRAY
from conflens.program.values import Values

DEPTH = 4
"""Definitions whose defaults are those of others, one behind the other."""


def find(program: Program, models: Models, values: Values, path: str) -> list[Found]:
    """Return the options that calls in a file define, sorted by place."""
    facts = program.files[path]
    candidates: dict[int, None] = {}
    by_method = models.definitions_by_method
    reach = Reach(program)
    for method in facts.calls.keys() & by_method.keys():
        members = facts.calls[method]
        if method == CONSTRUCTOR:
            for row in by_method[method]:
                named = facts.names.get(simple(row.type))
                if named and _reachable(program, models, reach, path, row):
                    candidates.update(dict.fromkeys(set(named) & set(members)))
        elif any(_reachable(program, models, reach, path, row) for row in by_method[method]):
            candidates.update(dict.fromkeys(members))
    found: list[Found] = []
    for index in sorted(candidates):
        found.extend(_Member(program, models, values, program.ref(path, index)).find())
    return sorted(found, key=lambda item: (item.scope_at, item.at, item.name))


def by_member(founds: Iterable[Found]) -> Mapping[MemberRef, tuple[Found, ...]]:
    """Return the definitions held in fields by field: of each its main name, where there are several."""
    result: dict[MemberRef, dict[tuple[str, int], Found]] = {}
    for found in founds:
        if found.kind == "definition" and found.member is not None:
            held = result.setdefault(found.member, {})
            old = held.get((found.path, found.scope_at))
            if old is None or len(found.name) > len(old.name):
                held[found.path, found.scope_at] = found
    return {ref: tuple(held.values()) for ref, held in result.items()}


def _reachable(
    program: Program, models: Models, reach: Reach, path: str, row: DefinitionRow
) -> bool:
    """Tell whether a file may call ``row``'s method: the type is the project's, imported or that of an inherited field."""
    types = (row.type, *row.also_types)
    if any(program.type(name) is not None for name in types) or reach.can(path, types):
        return True
    return any(
        (info := program.type(sub)) is not None and info.path == path
        for name in types
        for keeper in models.inherited_from.get(name, ())
        for sub in program.all_subtypes(keeper.type)
    )


class _Member:
    """The definitions in one member."""

    def __init__(
        self, program: Program, models: Models, values: Values, ref: MemberRef, depth: int = 0
    ) -> None:
        self.depth = depth
        self.program = program
        self.models = models
        self.values = values
        self.context = Context.of(program, ref)
        self.chains = Chains(values, self.context)

    def find(self) -> Iterator[Found]:
        for value, instr in self.context.calls():
            method = instr.name if isinstance(instr, ir.Call) else CONSTRUCTOR
            rows = self.models.definitions_by_method.get(method)
            if rows:
                row = self._row(value, instr, rows)
                if row is not None and not self._delegates(instr, row):
                    yield from self._definition(value, instr, row)

    def _row(
        self, value: int, instr: ir.Call | ir.New, rows: tuple[DefinitionRow, ...]
    ) -> DefinitionRow | None:
        best: tuple[int, DefinitionRow] | None = None
        count = len(instr.args)
        fits: dict[tuple[str, ...], bool] = {}
        for row in rows:
            if count < row.min_args or (row.max_args is not None and count > row.max_args):
                continue
            types = (row.type, *row.also_types)
            if types not in fits:
                fits[types] = self._is(value, instr, types)
            if not fits[types] and not self._says_type(instr, row):
                continue
            matched = parameters_fit(self.context, instr.args, row.parameters)
            if matched >= 0 and (best is None or matched > best[0]):
                best = matched, row
        return best[1] if best is not None else None

    def _is(self, value: int, instr: ir.Call | ir.New, types: tuple[str, ...]) -> bool:
        if isinstance(instr, ir.Call):
            if receiver_is(self.context, value, instr, types):
                return True
            if instr.object == NONE or fluent_type(self.context, instr) is not None:
                return False
            type_ = chain_end_type(self.context, value)
        else:
            type_ = self.context.type_of(value)
        return type_ is not None and is_one_of(self.program, type_.name, types)

    def _says_type(self, instr: ir.Call | ir.New, row: DefinitionRow) -> bool:
        """Tell whether the receiver is unknown, but a constant of a type nested in the row's is given as the option's type."""
        place = row.type_argument
        if not isinstance(instr, ir.Call) or instr.object == NONE:
            return False
        if place is None or place >= len(instr.args):
            return False
        constant = constant_row(self.models, self.context, instr.args[place])
        if constant is None or not constant.type.startswith(f"{row.type}."):
            return False
        return fluent_type(self.context, instr) is None

    def _delegates(self, instr: ir.Call | ir.New, row: DefinitionRow) -> bool:
        """Tell whether the defining type hands its own parameter on to an overload of itself."""
        owner = self.context.ref.owner
        if not f"{owner}.".startswith(f"{row.type}.") and not row.type.startswith(f"{owner}."):
            return False
        given = [instr.args[place] for place in row.names if place < len(instr.args)]
        return any(
            not isinstance(part, str)
            for value in given
            for template in self.values.of(self.context, value)
            for part in template
        )

    # -- one definition --------------------------------------------------------------------------

    def _definition(
        self, value: int, instr: ir.Call | ir.New, row: DefinitionRow
    ) -> Iterator[Found]:
        refined = refine(self.models, self.values, self.chains, value, row)
        called = self._by_callers(value, instr, row, refined)
        if called:
            yield from called
            return
        names = self._names(instr, row)
        names.extend(refined.names)
        copied = self._copied(refined.copied)
        if copied is not None and not names:
            base = self.context.member.at
            place = self.context.code[refined.copied]
            names.append((copied.name, base + place.at, base + place.end))
        if names:
            names.extend(refined.old)
        if not names:
            return
        made = self._made(instr, row)
        default = refined.default or self._default(*(made or (instr, row)))
        if default is None:
            default = self._of_another(instr, row, refined.given)
        description = refined.description or self._text(instr, row.documentation) or ""
        hint = self._hint(*(made or (instr, row)), refined)
        if copied is not None:
            description = description or copied.description
            hint = _completed(hint, copied.hint)
            if default is None and refined.given == NONE and copied.default is not None:
                base, place = self.context.member.at, self.context.code[refined.copied]
                default = copied.default, base + place.at, base + place.end
        start, end = self._scope(instr, refined)
        member = self._holder(value, refined)
        main, others = called_by(
            row.domain, [name[0] for name in names if name not in refined.old]
        )
        done = set()
        for name, at, name_end in names:
            if name in done:
                continue
            done.add(name)
            if (name, at, name_end) in refined.old and "*" not in names[0][0]:
                hint = attrs.evolve(hint, deprecated=f"use {names[0][0]}")
            yield Found(
                row.domain,
                name,
                "definition",
                self.context.ref.path,
                at,
                name_end,
                start,
                end,
                _symbol(self.context),
                _api(row),
                default=default[0] if default is not None else None,
                default_at=default[1] if default is not None else -1,
                default_end=default[2] if default is not None else -1,
                hint=hint,
                description=description,
                member=member,
                aliases=others if name == main else (),
            )

    def _default(self, instr: ir.Call | ir.New, row: DefinitionRow) -> tuple[str, int, int] | None:
        if row.default is None or row.default >= len(instr.args):
            return None
        return default_value(self.models, self.values, self.context, instr.args[row.default])

    def _made(
        self, instr: ir.Call | ir.New, row: DefinitionRow
    ) -> tuple[ir.Call | ir.New, DefinitionRow] | None:
        """Return the definition that a lambda of this one makes for each name."""
        if row.made_by is None or row.made_by >= len(instr.args):
            return None
        code = self.context.code
        maker = code[instr.args[row.made_by]]
        if not isinstance(maker, ir.Lambda):
            return None
        for other in code[maker.start : maker.stop]:
            if not isinstance(other, ir.Return) or other.value == NONE:
                continue
            made = code[other.value]
            if isinstance(made, (ir.Call, ir.New)):
                method = made.name if isinstance(made, ir.Call) else CONSTRUCTOR
                rows = self.models.definitions_by_method.get(method, ())
                found = self._row(other.value, made, rows)
                return (made, found) if found is not None else None
        return None

    def _by_callers(
        self, value: int, instr: ir.Call | ir.New, row: DefinitionRow, refined: Refined
    ) -> list[Found]:
        """Return the options that callers of this member name, each with what its call states."""
        places = [place for place in row.names if place < len(instr.args)]
        if len(places) != 1 or refined.names or row.prefix_key or not self._is_called():
            return []
        given = tuple(
            instr.args[place] if place is not None and place < len(instr.args) else NONE
            for place in (row.default, row.documentation)
        )
        names = self.values.open_of(self.context, instr.args[places[0]])
        hint = self._hint(instr, row, refined)
        member = self._holder(value, refined)
        found = []
        for item in stated(self.values, self.context, names, given):
            (default_in, default), (text_in, text) = item.given
            said = default_value(self.models, self.values, default_in, default)
            said = refined.default or said
            call = item.context.code[item.call]
            base = item.context.member.at
            for name in item.names:
                found.append(
                    Found(
                        row.domain,
                        f"{row.root}{name}",
                        "definition",
                        item.context.ref.path,
                        base + call.at,
                        base + call.end,
                        base + call.at,
                        base + call.end,
                        _symbol(item.context),
                        _api(row),
                        default=said[0] if said is not None else None,
                        default_at=said[1] if said is not None else -1,
                        default_end=said[2] if said is not None else -1,
                        hint=hint,
                        description=value_text(self.values, text_in, text) or "",
                        member=member,
                    )
                )
        return found

    def _is_called(self) -> bool:
        return self.context.member.kind in ("method", "constructor")

    def _copied(self, value: int) -> Found | None:
        """Return the definition in a constant that another one is made from."""
        ref = self.context.field_of(value) if value != NONE else None
        if ref is None or self.depth >= DEPTH or not self.program.is_constant(ref):
            return None
        self.values.open(ref)
        other = _Member(self.program, self.models, self.values, ref, self.depth + 1)
        return next(other.find(), None)

    def _of_another(
        self, instr: ir.Call | ir.New, row: DefinitionRow, given: int
    ) -> tuple[str, int, int] | None:
        """Return the default that the definition in place of a default has, or that it is asked for."""
        for place in (row.default, row.fallback):
            if given == NONE and place is not None and place < len(instr.args):
                given = instr.args[place]
        if given == NONE or self.depth >= DEPTH:
            return None
        asked = self.context.code[given]
        value = given
        if isinstance(asked, ir.Call) and not asked.args and "default" in words(asked.name):
            value = asked.object
        ref = self.context.field_of(value) if value != NONE else None
        if ref is None or not self.program.is_constant(ref):
            return None
        self.values.open(ref)
        other = _Member(self.program, self.models, self.values, ref, self.depth + 1)
        texts = {found.default for found in other.find()}
        text = texts.pop() if len(texts) == 1 else None
        base = self.context.member.at
        return (text, base + asked.at, base + asked.end) if text is not None else None

    def _names(self, instr: ir.Call | ir.New, row: DefinitionRow) -> list[tuple[str, int, int]]:
        places = [place for place in row.names if place < len(instr.args)]
        if row.rest_names and row.names:
            places.extend(range(row.names[-1] + 1, len(instr.args)))
        found = []
        base = self.context.member.at
        for place in places:
            arg = instr.args[place]
            part = self.context.code[arg]
            for text in self._texts(arg):
                name = f"{row.root}{text}"
                name = f"{name}*" if row.prefix_key and not text.endswith("*") else name
                if row.suffix is not None and row.suffix < len(instr.args):
                    rest = self._text(instr, row.suffix)
                    name = f"{name}.{rest}" if rest else name
                if name.replace("*", "").strip("."):
                    found.append((name, base + part.at, base + part.end))
        return found

    def _texts(self, value: int) -> list[str]:
        type_ = self.context.type_of(value)
        templates: Templates
        listed = type_ is not None and element_of(self.program, type_)[0] == "list"
        if listed or (type_ is not None and type_.name == ARRAY):
            templates = self.values.elements(self.context, value)
        else:
            templates = self.values.of(self.context, value)
        if any(not isinstance(part, str) for template in templates for part in template):
            templates = self.values.closed(self.context, templates)
        return [rendered(template) for template in templates]

    def _text(self, instr: ir.Call | ir.New, place: int | None) -> str | None:
        if place is None or place >= len(instr.args):
            return None
        return value_text(self.values, self.context, instr.args[place])

    def _hint(self, instr: ir.Call | ir.New, row: DefinitionRow, refined: Refined) -> Hint:
        type_ = OptionType(row.value_type) if row.value_type else refined.type
        unit, java_type, values = refined.unit, refined.java_type, refined.values
        accepts: str = row.accepts or ""
        if row.type_argument is not None and row.type_argument < len(instr.args):
            constant = constant_row(self.models, self.context, instr.args[row.type_argument])
            if constant is not None and constant.value_type:
                type_ = OptionType(constant.value_type)
                unit = constant.unit or unit
                accepts = constant.accepts or accepts
        if row.class_argument is not None and row.class_argument < len(instr.args):
            literal = self.context.code[instr.args[row.class_argument]]
            if isinstance(literal, ir.ClassLiteral):
                java_type = self.program.resolve(
                    literal.type, self.context.ref.path, self.context.ref.owner
                ).text()
        if type_ is None and not java_type and self._is_flag(instr, row, refined):
            type_ = OptionType.BOOLEAN
        limits = Limits(
            minimum=self._number(instr, row.minimum),
            maximum=self._number(instr, row.maximum),
            closed=bool(values),
            accepts=accepts,
        )
        if row.validator is not None and row.validator < len(instr.args):
            listed, validated = self._validated(instr.args[row.validator])
            values = listed or values
            limits = joined([limits, validated])
        if limits != UNLIMITED:
            base = self.context.member.at
            place = Place(self.context.ref.path, base + instr.at, base + instr.end)
            limits = attrs.evolve(limits, place=limits.place or place)
        return Hint(type_, unit, values, java_type, limits, refined.deprecated)

    def _number(self, instr: ir.Call | ir.New, place: int | None) -> float | None:
        return number_of(self._text(instr, place))

    def _is_flag(self, instr: ir.Call | ir.New, row: DefinitionRow, refined: Refined) -> bool:
        if row.takes_value is not None and row.takes_value < len(instr.args):
            return self._text(instr, row.takes_value) == "false" and not refined.argument
        says = any(item.aspect == "argument" for item in row.refinements)
        return says and not refined.argument and refined.default is None

    def _validated(self, value: int) -> tuple[tuple[str, ...], Limits]:
        """Return the values that a validator lists, and what else it demands."""
        instr = self.context.code[value]
        if not isinstance(instr, ir.Call):
            return (), UNLIMITED
        base = self.context.member.at
        place = Place(self.context.ref.path, base + instr.at, base + instr.end)
        for row in self.models.validators_by_method.get(instr.name, ()):
            if len(instr.args) < row.min_args:
                continue
            if not receiver_is(self.context, value, instr, (row.type,)):
                if row.values == "rest" and self._is_own_validator(value, instr):
                    return self._listed(instr.args), UNLIMITED
                continue
            if row.values is None:
                least = self._number(instr, row.minimum)
                most = self._number(instr, row.maximum)
                return (), Limits(minimum=least, maximum=most, place=place)
            args = instr.args if row.values == "rest" else instr.args[row.values : row.values + 1]
            listed = self._listed(args)
            if listed:
                limits = Limits(closed=True, place=place, ignores_case=row.ignores_case)
                return listed, limits
        return (), UNLIMITED

    def _is_own_validator(self, value: int, call: ir.Call) -> bool:
        """Tell whether a method of the project that is called like a library's makes a validator of any number of texts."""
        targets = self.context.targets(value)
        if len(targets) != 1 or not self.program.is_static(targets[0]):
            return False
        member = self.program.member(targets[0])
        return member.varargs and [param.type for param in member.params] == ["String[]"]

    def _listed(self, args: Iterable[int]) -> tuple[str, ...]:
        """Return the texts that a validator is given; none if some are not known."""
        listed = tuple(text for arg in args for text in self._texts(arg))
        return listed if not any("*" in text for text in listed) else ()

    # -- places ----------------------------------------------------------------------------------

    def _scope(self, instr: ir.Call | ir.New, refined: Refined) -> tuple[int, int]:
        base = self.context.member.at
        start = instr.name_at if isinstance(instr, ir.Call) else instr.at
        return base + start, base + max(instr.end, refined.end)

    def _holder(self, value: int, refined: Refined) -> MemberRef | None:
        for number in field_stores(self.context, {value, *refined.chain})[:1]:
            instr = self.context.code[number]
            return self.context.target_field(instr) if isinstance(instr, ir.StoreField) else None
        return None


def _completed(hint: Hint, other: Hint) -> Hint:
    """Return what a definition says of the value, and where it says nothing what the one says that it is made from."""
    if hint.type is None and not hint.java_type and not hint.values:
        hint = attrs.evolve(hint, type=other.type, java_type=other.java_type, values=other.values)
    return attrs.evolve(hint, limits=other.limits) if hint.limits == UNLIMITED else hint


def _symbol(context: Context) -> str:
    owner, name = simple(context.ref.owner), context.member.name
    return owner if name.startswith("<") else f"{owner}.{name}"


def _api(row: DefinitionRow) -> str:
    return simple(row.type) if row.method == CONSTRUCTOR else f"{simple(row.type)}.{row.method}"
