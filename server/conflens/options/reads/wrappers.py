"""Wrappers: project methods that read the option their caller names.

A read whose name has a hole for a parameter, or for a field of the object it runs on, makes its
method a wrapper, provided the method is about that option: the parameter says that it is a name, or the
value comes back as the result.  Otherwise the hole is a part of the name that only the run knows, and the read
itself is a pattern.  A method that says, as its class does, that it gives something else (``MessageSource.getMessage``) is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.facts.model import Member
from conflens.models.load import Models
from conflens.models.schema import RECEIVER
from conflens.options.bundles import words
from conflens.options.constant_arguments import receiver_is
from conflens.options.member_types import simple
from conflens.options.origins.tracing import root
from conflens.options.reads.beginnings import SEPARATORS, Beginnings, field_of, general, holes
from conflens.options.reads.cells import accessors
from conflens.options.reads.fallbacks import Fallbacks, made_of
from conflens.options.reads.filling import fills
from conflens.options.sites import DESCRIBED, NO_HINT, Api, Lookups, Site
from conflens.program.body_uses import takers
from conflens.program.bounds import MOST_CONSTANTS
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    ELEMENT,
    LIMIT,
    UNKNOWN,
    Captured,
    Dynamic,
    Param,
    Part,
    SelfField,
    Template,
    Templates,
    concat,
    dynamic,
    substitute,
)
from conflens.program.types import OBJECT, STRING
from conflens.program.values import Values

MAX_DEPTH = 6
"""How many wrappers may lie between a read and the known API."""

MOST_SPREAD = 10_000
"""Options of one file that loops over constants of enums read."""

_NOT_WRAPPED = frozenset({"jndi"})
"""Domains in which a name that a caller chooses is data."""

_NAME_TYPES = frozenset(
    {"java.lang.String", "java.lang.CharSequence", "java.lang.Object", "java.lang.Class"}
)
_NAME_WORDS = frozenset(
    {"key", "keys", "property", "prop", "option", "opt", "setting", "config", "prefix", "suffix"}
)
_NAMED = _NAME_WORDS | {"full", "env", "variable", "var", "sys", "attribute", "attr"}
_MOST_NAMES = 64
"""Look-ups of one wrapper whose names callers complete; of each, no more than ``LIMIT`` names are analysed at a call."""
_ZEROS = frozenset({"", "0", "0.0", "false", "null"})
_DEFAULT_WORDS = ("default", "def", "dflt", "fallback", "defval", "defaultvalue", "orelse")


ApiKey = tuple[MemberRef, str, Templates | None, Lookups | None, tuple[MemberRef, int] | None, int]


def given_slot(context: Context, value: int) -> int:
    """Return the parameter that a value is, ``NONE`` if it is something else."""
    given = root(context, value) if value != NONE else NONE
    instr = context.code[given] if given != NONE else None
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return instr.slot
    return NONE


def api_key(api: Api) -> ApiKey:
    """Return what tells wrappers of one method apart."""
    return api.ref, api.domain, api.default, api.lookups, api.kept, api.map


def fresh(known: list[Api], new: list[Api]) -> list[Api]:
    """Return the wrappers not known yet, those of one method, domain and default joined."""
    seen: dict[tuple[MemberRef, str, Lookups | None], set[Template]] = {}
    for api in known:
        seen.setdefault((api.ref, api.domain, api.lookups), set()).update(api.names)
    found: dict[ApiKey, Api] = {}
    for api in new:
        old = seen.get((api.ref, api.domain, api.lookups), set())
        key = api_key(api)
        before = found.get(key)
        known_names = before.names if before is not None else ()
        left = _MOST_NAMES - len(old) - len(known_names)
        names = tuple(name for name in api.names if name not in old)[: max(0, left)]
        if not names:
            continue
        if before is None:
            found[key] = attrs.evolve(api, names=names)
            continue
        both = bool(before.alone and api.alone)
        alone = tuple(dict.fromkeys((*before.alone, *api.alone))) if both else ()
        names = tuple(dict.fromkeys((*known_names, *names)))
        found[key] = attrs.evolve(before, names=names, alone=alone)
    return list(found.values())


class ApiIndex:
    """Wrappers by what a call of them resolves to: the method itself, or one it overrides."""

    def __init__(self, program: Program, apis: Iterable[Api]) -> None:
        """Index ``apis``."""
        by_target: dict[MemberRef, list[Api]] = {}
        names: set[str] = set()
        constructed: set[str] = set()
        for api in apis:
            member = program.member(api.ref)
            names.add(member.name)
            if member.kind == "constructor":
                constructed.add(api.ref.owner.rpartition(".")[2])
            for target in (api.ref, *program.overridden(api.ref)):
                by_target.setdefault(target, []).append(api)
        self.by_target = by_target
        self.names = frozenset(names)
        self.constructed = frozenset(constructed)


def _is_name(parameter: str) -> bool:
    """Tell whether a parameter's own name says that it names an option."""
    found = words(parameter)
    if not found or set(found) & _NAME_WORDS:
        return bool(found)
    return found[-1] == "name" and (len(found) == 1 or found[-2] in _NAMED)


def taking(api: Api, args: tuple[int, ...], params: int) -> Iterator[tuple[int, ...]]:
    """Yield the arguments of a call, for each of those that take the place of the last of ``params`` parameters if they name options."""
    slots = {
        part.slot
        for parts in api.names
        for part in parts
        if isinstance(part, Param) and part.owner == ELEMENT
    }
    slot = min(slots, default=len(args))
    if slot >= len(args) or slot + 1 < params:
        yield args
        return
    for arg in args[slot:]:
        yield (*args[:slot], arg)


class Wrappers:
    """Judges which reads make their member a wrapper."""

    def __init__(self, program: Program, values: Values, models: Models) -> None:
        """Judge members of ``program``."""
        self.program = program
        self.values = values
        self.models = models
        self.beginnings = Beginnings(program, values)
        self.fallbacks = Fallbacks(program, values, models)
        self.cuts: dict[tuple[str, str, int], str] = {}
        """What was not looked at: what is missing, file and byte offset, and a sentence that says so."""

    def one_by_one(self, api: Api, names: Templates, path: str, at: int) -> list[Api]:
        """Return the look-ups of a wrapper, each for itself, if a call gives all of them more names than are kept; else none."""
        if len(api.names) >= _MOST_NAMES:
            self.cuts["look-ups", path, at] = (
                f"the method that is called here looks up {_MOST_NAMES} names or more that its callers complete;"
                f" only {_MOST_NAMES} are analysed"
            )
        if len(names) < LIMIT or len(api.names) == 1:
            return []
        return [attrs.evolve(api, names=(one,)) for one in api.names]

    def split(self, sites: list[Site]) -> tuple[list[Site], list[Api]]:
        """Tell sites with a name of their own from those that make their member a wrapper."""
        kept: list[Site] = []
        made: list[Api] = []
        taken = _taken(sites)
        counts = Counter(site.ref for site in sites if holes(site.names))
        left = MOST_SPREAD
        for site in chain.from_iterable(map(self._by_constant, sites)):
            kept_in: tuple[Api, ...] = ()
            if site.domain not in _NOT_WRAPPED and site.depth < MAX_DEPTH:
                kept_in = accessors(self.program, self.values, self.fallbacks, site)
            made += kept_in
            if kept_in:
                site = attrs.evolve(site, followed=NONE)
            settled = self._settle(site.names, site.ref.owner)
            names = self.values.spread(settled, min(MOST_CONSTANTS, left))
            if names is not settled:
                if names == UNKNOWN and left < MOST_SPREAD:
                    self.cuts["names", site.ref.path, site.at] = (
                        f"loops over constants give this file more than {MOST_SPREAD:,} options;"
                        " those that are read here are not analysed"
                    )
                left -= len(names)
            if len(names) > max(LIMIT, len(settled)):
                site = attrs.evolve(site, followed=NONE)
            names, place = self._lifted(site, names)
            open_names = tuple(parts for parts in names if holes((parts,)))
            own_names = tuple(parts for parts in names if not holes((parts,)))
            if own_names:
                kept.append(_placed(site, own_names))
            if open_names:
                if fills(self.values, site.domain, place, open_names):
                    continue
                member = self.program.member(place)
                wrapper = self._is_wrapper(site, member, open_names)
                below = self.beginnings.section(site, place, open_names) if wrapper else None
                if below is not None:
                    kept.append(_placed(site, below))
                    continue
                if site.depth >= MAX_DEPTH or not wrapper:
                    if site.tree != NONE:
                        continue
                    if wrapper:
                        self.cuts["callers", place.path, member.name_at] = (
                            f"the option name is passed through more than {MAX_DEPTH} methods;"
                            " callers of this method are not analysed"
                        )
                    if not kept_in:
                        whole = None if wrapper else self.beginnings.completed(place, open_names)
                        kept.append(
                            _placed(site, whole or self._opened(open_names, site.ref.owner))
                        )
                    continue
                if place != site.ref and site.start:
                    open_names = concat(site.start, open_names)
                    site = attrs.evolve(site, part=NONE, start=())
                api = self._api(site, place, member, general(open_names), taken[site.ref])
                kept_at = self._kept(site, place, member, counts[site.ref] > 1)
                made.append(attrs.evolve(api, kept=kept_at))
        return kept, made

    def _by_constant(self, site: Site) -> list[Site]:
        """Return a read for each constant of an enum that a loop goes through, if the constants give the defaults, too."""
        if site.default is None:
            return [site]
        default = site.default
        if site.default_value != NONE:
            default = self.values.open_of(self.values.open(site.ref), site.default_value)
        pairs = self.values.by_constant(site.names, default)
        return [attrs.evolve(site, names=names, default=own) for names, own in pairs] or [site]

    def _fallback(
        self, site: Site, place: MemberRef, names: Templates, taken: frozenset[Part]
    ) -> Templates | None:
        """Return what a member that reads an option for its caller gives back when it is not set."""
        context = self.values.open(place)
        if place == site.ref:
            found = self.fallbacks.of_value(context, site.value, names, taken)
            if found is not None:
                return found
        used = {part.slot for parts in names for part in parts if isinstance(part, Param)}
        named = [
            slot
            for slot, param in enumerate(self.program.member(place).params)
            if slot not in used and param.name.lower().startswith(_DEFAULT_WORDS)
        ]
        parts = [part for template in names for part in template]
        if len(named) == 1 and self.fallbacks.may_be(context, Param(named[0]), parts):
            return ((Param(named[0]),),)
        return None

    def _lifted(self, site: Site, names: Templates) -> tuple[Templates, MemberRef]:
        """See a read in a class inside a method as one of the method, if it takes its name from there."""
        levels = {part.up for parts in names for part in parts if isinstance(part, Captured)}
        if not levels:
            return names, site.ref
        outer = self.values.open(site.ref).outer(min(levels))
        if len(levels) > 1 or outer is None:
            return substitute(
                names, lambda part: UNKNOWN if _captured(part) else ((part,),)
            ), site.ref

        def lift(part: Part) -> Templates:
            if isinstance(part, Captured):
                return ((Param(part.slot),),)
            return UNKNOWN

        return substitute(names, lift), outer.ref

    def _is_wrapper(self, site: Site, member: Member, names: Templates) -> bool:
        """Tell whether a member reads the option its caller names, not just some part of a name.

        Its name parameters are texts, and its result comes from the value, unless the parameter
        says that it is a name.
        """
        if member.kind not in ("method", "constructor") or site.domain in _NOT_WRAPPED:
            return False
        if self._gives_data(member.name, "method") and self._gives_data(
            simple(site.ref.owner), "type"
        ):
            return False
        context = self.values.open(site.ref)
        slots = {part.slot for parts in names for part in parts if isinstance(part, Param)}
        several = {
            part.slot
            for parts in names
            for part in parts
            if isinstance(part, Param) and part.owner == ELEMENT
        }
        parts = [part for template in names for part in template if isinstance(part, Param)]
        if any(part.owner == OBJECT.name for part in parts):
            return False
        for slot in slots:
            if slot >= len(member.params):
                return False
            type_ = self.program.resolve(member.params[slot].type, site.ref.path, site.ref.owner)
            if slot in several and type_.args:
                type_ = type_.args[0]
            if site.domain == DESCRIBED:
                return True  # the object that describes the option names it
            if type_.name not in _NAME_TYPES and self.program.type(type_.name) is None:
                return False
            if _is_name(member.params[slot].name):
                return True
        written = site.asked or names
        fixed = any(isinstance(part, str) and part for parts in written for part in parts)
        if member.kind == "constructor":
            return False
        if any(part.name for parts in names for part in parts if isinstance(part, Param)):
            return True
        if fixed and slots:
            return False
        return member.type != "void" and self._returns(context, site.value)

    def _gives_data(self, name: str, on: str) -> bool:
        """Tell whether a word of a name speaks against configuration: ``getMessage`` of a ``MessageSource``."""
        rows = map(self.models.roles_by_word.get, words(name))
        return any(row is not None and row.speaks == "against" and on in row.on for row in rows)

    def _names_option(self, member: Member, names: Templates) -> bool:
        """Tell whether the parameter that names the option says so."""
        return any(
            isinstance(part, SelfField)
            or (
                isinstance(part, Param) and set(words(member.params[part.slot].name)) & _NAME_WORDS
            )
            for parts in names
            for part in parts
        )

    @staticmethod
    def _returns(context: Context, value: int) -> bool:
        """Tell whether what a method returns is made from a value (within the method)."""
        made = made_of(context, (value,))
        return any(
            isinstance(context.code[taker], ir.Return)
            for one in made
            for taker in takers(context, one)
        )

    def _opened(self, names: Templates, within: str) -> Templates:
        """Make patterns of templates: what a caller would fill in is dynamic."""
        return substitute(self.beginnings.opened_fields(names, within), lambda part: UNKNOWN)

    def _settle(self, names: Templates, within: str) -> Templates:
        """Replace fields of the object that every object of the class has alike."""

        def fill(part: Part) -> Templates:
            field = field_of(part)
            if field is not None and self._alike(field, within):
                expanded = self.values.expand(field, within=within)
                if all(isinstance(item, str) for parts in expanded for item in parts):
                    return expanded
            return ((part,),)

        return substitute(names, fill)

    def _alike(self, field: SelfField, within: str) -> bool:
        info = self.program.type(field.owner)
        ref = self.program.field(field.owner, field.name)
        if info is None or ref is None or info.decl.kind == "enum":
            return False
        for context, store in self.values.stores_within(ref, within):
            if holes(self.values.of(context, store.value)):
                return False
        return True

    def _api(
        self,
        site: Site,
        place: MemberRef,
        member: Member,
        names: Templates,
        taken: frozenset[Part],
    ) -> Api:
        default = site.default
        implied = site.implied
        if (
            default is None
            or implied
            or default == ()
            or (len(default) == 1 and any(isinstance(part, Dynamic) for part in default[0]))
            or self.fallbacks.means_missing(self.values.open(site.ref), site.value, default)
        ):
            written = self._fallback(site, place, names, taken)
            default, implied = written or default, implied and written is None
        implied = implied or _is_for_any(names, default)
        info = self.program.type(place.owner)
        owner = info.decl.name if info is not None and info.decl.name else "this"
        method = f"new {owner}" if member.kind == "constructor" else f"{owner}.{member.name}"
        result = self.program.return_type(place)
        named = any(isinstance(part, str) and part for parts in names for part in parts)
        same = result is None or result.name in ("java.lang.String", "java.lang.Object")
        asked = member.type == "boolean" and _asks_only(
            self.values.open(site.ref), site.value, self.models
        )
        return Api(
            place,
            site.domain,
            method,
            names,
            default,
            NO_HINT if same or asked else site.hint,
            site.presence or asked,
            site.depth + 1,
            named,
            site.sure and self._names_option(member, names),
            site.at - member.at,
            site.end - member.at,
            site.api,
            site.through,
            implied,
            site.lookups,
            site.tree,
            self._alone(names, site.ref.owner),
            part=site.part,
            start=site.start,
            map=given_slot(self.values.open(place), site.map) if site.ref == place else NONE,
        )

    def _kept(
        self, site: Site, place: MemberRef, member: Member, several: bool
    ) -> tuple[MemberRef, int] | None:
        """Return where a wrapper has the value, if it gives nothing back, or ``several`` values in one object of the project."""
        if member.kind == "constructor" or site.ref != place or site.followed == NONE:
            return None
        result = self.program.return_type(place)
        made = self.program.type(result.name) if result is not None else None
        within = several and made is not None and made.decl.kind == "class"
        return site.kept or (site.ref, site.value) if within or member.type == "void" else None

    def _alone(self, names: Templates, within: str) -> Templates:
        """Return names that only fields of the object tell, on any object of its class; none if one is not known."""
        parts = [part for template in names for part in template]
        if not all(isinstance(part, (str, SelfField)) for part in parts):
            return ()
        opened = self._opened(names, within)
        return () if any(map(dynamic, opened)) else opened


def _is_for_any(names: Templates, default: Templates | None) -> bool:
    """Tell whether a wrapper gives one default whatever its caller asks for, so that it is not stated for any option.

    That is so if the caller gives the whole name; where the caller gives its end, if the default is the zero of a type.
    """
    if not default or holes(default) or not all(parts and holes((parts[-1:],)) for parts in names):
        return False
    if all(len(parts) == 1 for parts in names):
        return True
    return all("".join(map(str, parts)) in _ZEROS for parts in default)


def _placed(site: Site, names: Templates) -> Site:
    """Return a read under its names.  One whose value lives on in objects, or is that of many options, is only a place."""
    value = site.value if site.followed != NONE else NONE
    names = concat(site.start, names) if site.start else names
    return attrs.evolve(site, names=general(names), value=value, part=NONE, start=())


def _asks_library(context: Context, number: int, call: ir.Call, models: Models) -> bool:
    """Tell whether a call asks a library whether its one argument is there."""
    return any(
        row.asks in ("missing", "present")
        and RECEIVER not in row.sources
        and receiver_is(context, number, call, (row.type,))
        for row in models.conversions_by_method.get(call.name, ())
    )


def _asks_only(context: Context, value: int, models: Models) -> bool:
    """Tell whether a body only asks whether a value is there: compares it with ``null``, or asks whether it is empty.

    What a text answers without an argument, yes or no, is whether it is empty; it tells nothing of what it says.
    """
    code = context.code
    value_itself, slots, asked = {value}, set[int](), False
    for number, instr in enumerate(code):
        if isinstance(instr, ir.Load):
            if not instr.up and instr.slot in slots:
                value_itself.add(number)
            continue
        used = [operand for operand in ir.operands(instr) if operand in value_itself]
        if not used or number == value:
            continue
        match instr:
            case ir.Store(up=0):
                slots.add(instr.slot)
            case ir.Cast():
                value_itself.add(number)
            case ir.Binary(op="==" | "!="):
                sides = code[instr.left], code[instr.right]
                if not any(isinstance(side, ir.Const) and side.kind == "n" for side in sides):
                    return False
                asked = True
            case ir.Call() if len(instr.args) == 1 and _asks_library(
                context, number, instr, models
            ):
                asked = True
            case ir.Call(args=()) if context.type_of(instr.object) == STRING:
                type_ = context.type_of(number)
                if type_ == STRING:
                    value_itself.add(number)
                elif type_ is not None and type_.name == "boolean":
                    asked = True
                else:
                    return False
            case _:
                return False
    return asked


def _taken(sites: Iterable[Site]) -> dict[MemberRef, frozenset[Part]]:
    """Return what names options in each member, as a whole or a member of an object that does."""
    found: dict[MemberRef, set[Part]] = {}
    for site in sites:
        parts = found.setdefault(site.ref, set())
        for template in site.names:
            for part in template:
                parts.add(part)
                if isinstance(part, Param):
                    parts.add(Param(part.slot))
    return {ref: frozenset(parts) for ref, parts in found.items()}


def _captured(part: Part) -> bool:
    return isinstance(part, Captured)


def begins(template: Template) -> bool:
    """Tell whether what a caller chose is known, or at least how the name begins up to where a part of it ends."""
    first = template[0]
    return not any(isinstance(part, Dynamic) for part in template) or (
        isinstance(first, str) and first[-1:] in SEPARATORS
    )


def arguments(api: Api, receiver: int, args: tuple[int, ...]) -> tuple[int, int]:
    """Return the instructions that give name and default at a call; the receiver may hold the name."""
    return _giver(api.names, receiver, args), _giver(api.default or (), NONE, args)


def _giver(templates: Templates, receiver: int, args: tuple[int, ...]) -> int:
    for parts in templates:
        for part in parts:
            if isinstance(part, Param) and part.slot < len(args):
                return args[part.slot]
            if isinstance(part, SelfField) and receiver != NONE:
                return receiver
    return NONE
