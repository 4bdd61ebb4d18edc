"""Calls that read options: known APIs by model rows, and the project's own wrappers around them.

``Scanner.scan`` finds the sites of one file, given the wrappers (``Api``) known so far.  A site whose name has a hole for
a parameter or for a field of the receiver makes its member a wrapper; ``discover`` runs this to a fixed
point.  A result depends on the file's facts, the program's surfaces and the wrappers only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from conflens.facts import ir
from conflens.facts.bodies import LOOKUP
from conflens.facts.ir import NONE
from conflens.facts.model import Member
from conflens.models.load import Models
from conflens.models.schema import ReadRow
from conflens.options.model import OptionType, ReadKind
from conflens.options.roles import CERTAIN, Roles, words
from conflens.options.sites import NO_HINT, Api, Found, Hint, Site
from conflens.program.expressions import Context
from conflens.program.program import MemberRef, Program
from conflens.program.templates import (
    UNKNOWN,
    Dynamic,
    Param,
    Part,
    SelfField,
    Templates,
    concat,
    known_text,
    substitute,
)
from conflens.program.values import Values

MAX_DEPTH = 6
"""How many wrappers may lie between a read and the known API."""

_NOT_WRAPPED = frozenset({"jndi"})
"""Domains in which a name that a caller chooses is data."""

_NAME_TYPES = frozenset(
    {"java.lang.String", "java.lang.CharSequence", "java.lang.Object", "java.lang.Class"}
)
_NAME_WORDS = frozenset(
    {"key", "keys", "property", "prop", "option", "opt", "setting", "config", "prefix", "suffix"}
)
_NAMED = _NAME_WORDS | {"full", "env", "variable", "var", "sys"}
_DEFAULT_WORDS = ("default", "def", "dflt", "fallback", "defval", "defaultvalue", "orelse")


@attrs.frozen
class Scan:
    """What one file holds: sites, the wrappers they make, and keys asked of objects of unclear role."""

    sites: tuple[Site, ...]
    apis: tuple[Api, ...]
    unclear: tuple[Site, ...]


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


def holes(templates: Templates) -> bool:
    """Tell whether some alternative depends on the member's caller."""
    return any(isinstance(part, Param | SelfField) for parts in templates for part in parts)


class Scanner:
    """Finds reads in the bodies of one program."""

    def __init__(self, program: Program, models: Models, values: Values, roles: Roles) -> None:
        """Scan ``program`` by the rows of ``models``."""
        self.program = program
        self.models = models
        self.values = values
        self.roles = roles
        self._row_names = frozenset(models.reads_by_method)
        self._row_types = frozenset(row.type for row in models.reads if row.evidence == "certain")
        self.defined: Mapping[MemberRef, Found] = {}

    def scan(self, path: str, apis: ApiIndex, known_rows: bool = True) -> Scan:
        """Return the reads of one file: by known APIs, unless told otherwise, and by wrappers."""
        facts = self.program.files[path]
        names = self._row_names if known_rows else frozenset()
        wanted: dict[int, None] = {}
        lookups = set(facts.hints.get("lookup", ()))
        for name in facts.calls.keys() & (names | apis.names):
            if name in LOOKUP and not self.defined:
                wanted.update(dict.fromkeys(lookups.intersection(facts.calls[name])))
            elif name != "<init>":
                wanted.update(dict.fromkeys(facts.calls[name]))
        for name in facts.names.keys() & apis.constructed:
            wanted.update(dict.fromkeys(facts.names[name]))
        if "<init>" in apis.names:
            wanted.update(
                dict.fromkeys(
                    number
                    for number in facts.calls.get("<init>", ())
                    if facts.members[number].kind == "constructor"
                )
            )
        sites: list[Site] = []
        unclear: list[Site] = []
        for number in sorted(wanted):
            ref = self.program.ref(path, number)
            if self._implements_api(ref.owner):
                continue
            context = Context.of(self.program, ref)
            self._scan_body(context, apis, names, sites, unclear)
        kept, made = self.split(sites)
        return Scan(tuple(kept), tuple(made), tuple(unclear))

    def _implements_api(self, owner: str) -> bool:
        """Tell whether a type is the library itself: what its own code reads is no option read."""
        while owner:
            if owner in self._row_types:
                return True
            info = self.program.type(owner)
            owner = info.outer if info is not None else ""
        return False

    def _scan_body(
        self,
        context: Context,
        apis: ApiIndex,
        names: frozenset[str],
        sites: list[Site],
        unclear: list[Site],
    ) -> None:
        for value, instr in context.calls():
            if isinstance(instr, ir.Call):
                if instr.name in names and self._by_row(context, value, instr, sites, unclear):
                    continue
                if instr.name in apis.names:
                    self._by_api(context, value, instr.object, instr.args, apis, sites)
            elif apis.constructed:
                self._by_api(context, value, value, instr.args, apis, sites)

    # -- known APIs ------------------------------------------------------------------------------

    def _by_row(
        self,
        context: Context,
        value: int,
        call: ir.Call,
        sites: list[Site],
        unclear: list[Site],
    ) -> bool:
        rows = self.models.reads_by_method[call.name]
        count = len(call.args)
        fitting = [
            row
            for row in rows
            if not row.write
            and row.min_args <= count
            and (row.max_args is None or count <= row.max_args)
        ]
        if not fitting:
            return False
        owners = self._owners(context, call)
        if not owners:
            return False
        for row in fitting:
            if not any(self.roles.matches(owner, row.type, row.also_types) for owner in owners):
                continue
            if row.evidence == "role":
                if context.targets(value):
                    continue
                return self._by_role(context, value, call, row, sites, unclear)
            if row.presence and row.domain != "command-line":
                return True
            site = self._site(context, value, call, row, row.domain)
            if site is not None:
                sites.append(site)
            return True
        return False

    def _owners(self, context: Context, call: ir.Call) -> list[str]:
        if call.object != NONE:
            type_ = context.receiver_type(call)
            return [type_.name] if type_ is not None else []
        owners = []
        owner = context.ref.owner
        while owner:
            owners.append(owner)
            info = self.program.type(owner)
            owner = info.outer if info is not None else ""
        return owners + context.static_imports(call.name)

    def _by_role(
        self,
        context: Context,
        value: int,
        call: ir.Call,
        row: ReadRow,
        sites: list[Site],
        unclear: list[Site],
    ) -> bool:
        if row.presence:
            return True
        if not isinstance(row.name, int) or row.name >= len(call.args):
            return True
        key_type = context.type_of(call.args[row.name])
        if key_type is not None and key_type.name != "java.lang.String":
            return True
        receiver = context.receiver_type(call)
        if receiver is not None and len(receiver.args) == 2 and not _holds_settings(receiver):
            return True
        if call.name == "remove" and not context.used(value):
            return True
        role = self.roles.of(context, call.object)
        domain = role.domain or row.domain
        base = 1 if row.domain == "properties" else 0
        site = self._site(context, value, call, row, domain)
        if site is None or role.score < 0:
            return True
        named = context.code[call.args[row.name]]
        constant = isinstance(named, ir.Name | ir.Field) and named.name.isupper()
        site = attrs.evolve(site, sure=role.score >= CERTAIN or constant)
        if role.score + base > 0:
            sites.append(site)
        else:
            unclear.append(site)
        return True

    def _site(
        self, context: Context, value: int, call: ir.Call, row: ReadRow, domain: str
    ) -> Site | None:
        member = context.member
        name_value = NONE
        hint = self._hint(context, call, row)
        default: Templates | None = None
        default_value = NONE
        if isinstance(row.name, str):
            names: Templates = ((row.name,),)
        elif row.name == -1:
            name_value = call.object
            names = self._defined_name(context, call.object)
        elif row.name < len(call.args):
            name_value = call.args[row.name]
            names = self.values.of(context, name_value)
            if self.defined and known_text(names) is None:
                defined = self._definition(context, name_value)
                if defined is not None:
                    names = ((defined.name,),)
        else:
            return None
        if not names:
            return None
        if isinstance(row.default, int) and row.default < len(call.args):
            default_value = call.args[row.default]
            default = self.values.of(context, default_value)
        prefix = self._prefix(context, call.object)
        if prefix is not None:
            names = concat(prefix, names)
        name = context.code[name_value] if name_value != NONE else call
        base = member.at
        owner = row.type.rpartition(".")[2]
        return Site(
            context.ref,
            value,
            ReadKind.CALL,
            domain,
            f"{owner}.{call.name}",
            names,
            name_value,
            base + call.name_at,
            base + call.end,
            base + call.end,
            base + name.at,
            base + name.end,
            default,
            default_value,
            hint,
            row.presence,
            value,
            0,
            row.evidence == "certain",
        )

    def _definition(self, context: Context, value: int) -> Found | None:
        """Return the definition that a value is, or that it is asked for its name."""
        instr = context.code[value]
        if isinstance(instr, ir.Call) and not instr.args and instr.object != NONE:
            value = instr.object
        ref = context.field_of(value)
        return self.defined.get(ref) if ref is not None else None

    def _defined_name(self, context: Context, value: int) -> Templates:
        defined = self._definition(context, value) if value != NONE else None
        return ((defined.name,),) if defined is not None else UNKNOWN

    def _hint(self, context: Context, call: ir.Call, row: ReadRow) -> Hint:
        type_ = OptionType(row.value_type) if row.value_type is not None else None
        unit: str = row.unit or ""
        if row.unit_argument is not None and row.unit_argument < len(call.args):
            unit = self._unit(context, call.args[row.unit_argument]) or unit
        java = ""
        if row.class_argument is not None and row.class_argument < len(call.args):
            literal = context.code[call.args[row.class_argument]]
            if isinstance(literal, ir.ClassLiteral):
                java = self.program.resolve(
                    literal.type, context.ref.path, context.ref.owner
                ).text()
        if type_ is None and not unit and not java:
            return NO_HINT
        return Hint(type_, unit, (), java)

    def _unit(self, context: Context, value: int) -> str:
        instr = context.code[value]
        name = instr.name if isinstance(instr, ir.Name | ir.Field) else ""
        for constants in self.models.constants_by_type.values():
            row = constants.get(name)
            if row is not None and row.unit is not None:
                return row.unit
        return ""

    def _prefix(self, context: Context, value: int, depth: int = 0) -> Templates | None:
        """Return the prefix under which a sub-configuration's names live."""
        if value == NONE or depth > 4:
            return None
        instr = context.code[value]
        if isinstance(instr, ir.Call):
            for row in self.models.prefixes_by_method.get(instr.name, ()):
                if row.argument >= len(instr.args):
                    continue
                owners = self._owners(context, instr)
                if not any(self.roles.matches(o, row.type, row.also_types) for o in owners):
                    continue
                if context.targets(value) and row.evidence == "role":
                    continue
                own = self.values.of(context, instr.args[row.argument])
                own = concat(own, ((row.separator,),))
                outer = self._prefix(context, instr.object, depth + 1)
                return concat(outer, own) if outer is not None else own
            return None
        if isinstance(instr, ir.Load) and not instr.up:
            stores = [
                store
                for store in context.code
                if isinstance(store, ir.Store) and store.slot == instr.slot and not store.up
            ]
            if len(stores) == 1 and not context.is_parameter(instr.slot):
                return self._prefix(context, stores[0].value, depth + 1)
        ref = context.field_of(value)
        if ref is not None and self.program.is_constant(ref):
            inner = Context.of(self.program, ref)
            for store in inner.code:
                if isinstance(store, ir.StoreField):
                    return self._prefix(inner, store.value, depth + 1)
        return None

    # -- wrappers --------------------------------------------------------------------------------

    def _by_api(
        self,
        context: Context,
        value: int,
        receiver: int,
        args: tuple[int, ...],
        apis: ApiIndex,
        sites: list[Site],
    ) -> None:
        targets = context.targets(value)
        if not targets:
            return
        instr = context.code[value]
        for api in apis.by_target.get(targets[0], ()):
            if api.ref == context.ref:
                continue
            names = self._filled(context, receiver, args, api.names)
            if api.named:
                names = tuple(
                    parts
                    for parts in names
                    if not any(isinstance(part, Dynamic) for part in parts)
                )
            if not names:
                continue
            default = (
                self._filled(context, receiver, args, api.default)
                if api.default is not None
                else None
            )
            name_value, default_value = _arguments(api, args)
            member = context.member
            named = context.code[name_value] if name_value != NONE else instr
            name_at = instr.name_at if isinstance(instr, ir.Call) else instr.at
            sites.append(
                Site(
                    context.ref,
                    value,
                    ReadKind.CALL,
                    api.domain,
                    api.api,
                    names,
                    name_value,
                    member.at + name_at,
                    member.at + instr.end,
                    member.at + instr.end,
                    member.at + named.at,
                    member.at + named.end,
                    default,
                    default_value,
                    api.hint,
                    api.presence,
                    value,
                    api.depth,
                    api.sure,
                    api.ref,
                )
            )

    def _filled(
        self, context: Context, receiver: int, args: tuple[int, ...], templates: Templates
    ) -> Templates:
        def fill(part: Part) -> Templates:
            if isinstance(part, Param):
                if part.slot < len(args):
                    return self.values.of(context, args[part.slot])
                return UNKNOWN
            if isinstance(part, SelfField):
                return self.values.receiver_field(context, receiver, part, 0)
            return UNKNOWN

        return substitute(templates, fill)

    def split(self, sites: list[Site]) -> tuple[list[Site], list[Api]]:
        """Tell sites with a name of their own from those that make their member a wrapper."""
        kept: list[Site] = []
        made: list[Api] = []
        for site in sites:
            names = self._settle(site.names)
            open_names = tuple(parts for parts in names if holes((parts,)))
            own_names = tuple(parts for parts in names if not holes((parts,)))
            if own_names:
                kept.append(attrs.evolve(site, names=own_names))
            if open_names:
                member = self.program.member(site.ref)
                if site.depth >= MAX_DEPTH or not self._is_wrapper(site, member, open_names):
                    kept.append(attrs.evolve(site, names=_opened(open_names)))
                    continue
                made.append(self._api(site, member, open_names))
        return kept, made

    def _is_wrapper(self, site: Site, member: Member, names: Templates) -> bool:
        """Tell whether a member reads the option its caller names, not just some part of a name.

        Its name parameters are texts, and its result comes from the value, unless the parameter
        says that it is a name.
        """
        if member.kind not in ("method", "constructor") or site.domain in _NOT_WRAPPED:
            return False
        context = Context.of(self.program, site.ref)
        slots = {part.slot for parts in names for part in parts if isinstance(part, Param)}
        for slot in slots:
            if slot >= len(member.params):
                return False
            type_ = self.program.resolve(member.params[slot].type, site.ref.path, site.ref.owner)
            if type_.name not in _NAME_TYPES and self.program.type(type_.name) is None:
                return False
            if _is_name(member.params[slot].name):
                return True
        fixed = any(isinstance(part, str) and part for parts in names for part in parts)
        if member.kind == "constructor" or (fixed and slots):
            return False
        return member.type != "void" and self._returns(context, site.value)

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
        tainted = {value}
        slots: set[int] = set()
        for _ in range(2):
            for number, instr in enumerate(context.code):
                if number in tainted and number != value:
                    continue
                if isinstance(instr, ir.Load):
                    if not instr.up and instr.slot in slots:
                        tainted.add(number)
                elif isinstance(instr, ir.Store | ir.Return):
                    if instr.value in tainted:
                        if isinstance(instr, ir.Return):
                            return True
                        slots.add(instr.slot)
                elif any(operand in tainted for operand in ir.operands(instr)):
                    tainted.add(number)
        return False

    def _settle(self, names: Templates) -> Templates:
        """Replace fields of the object that every object of the class has alike."""

        def fill(part: Part) -> Templates:
            if isinstance(part, SelfField) and self._alike(part):
                expanded = self.values.expand(part)
                if all(isinstance(item, str) for parts in expanded for item in parts):
                    return expanded
            return ((part,),)

        if not any(isinstance(part, SelfField) for parts in names for part in parts):
            return names
        return substitute(names, fill)

    def _alike(self, field: SelfField) -> bool:
        info = self.program.type(field.owner)
        ref = self.program.field(field.owner, field.name)
        if info is None or ref is None or info.decl.kind == "enum":
            return False
        for context, store in self.values.stores(ref):
            if holes(self.values.of(context, store.value)):
                return False
        return True

    def _api(self, site: Site, member: Member, names: Templates) -> Api:
        default = site.default
        context = Context.of(self.program, site.ref)
        if (
            default is None
            or default == ()
            or (len(default) == 1 and any(isinstance(part, Dynamic) for part in default[0]))
        ):
            returned = self._returned_default(context, member, names)
            default = returned if returned is not None else default
        info = self.program.type(site.ref.owner)
        owner = info.decl.name if info is not None and info.decl.name else "this"
        method = f"new {owner}" if member.kind == "constructor" else f"{owner}.{member.name}"
        result = self.program.return_type(site.ref)
        named = any(isinstance(part, str) and part for parts in names for part in parts)
        same = result is None or result.name in ("java.lang.String", "java.lang.Object")
        return Api(
            site.ref,
            site.domain,
            method,
            names,
            default,
            site.hint if not same else NO_HINT,
            site.presence,
            site.depth + 1,
            named,
            site.sure and self._names_option(member, names),
            site.at - member.at,
            site.end - member.at,
            site.api,
        )

    def _returned_default(
        self, context: Context, member: Member, names: Templates
    ) -> Templates | None:
        """Return the parameter that the method gives back when the option is not set."""
        used = {part.slot for parts in names for part in parts if isinstance(part, Param)}
        candidates = [slot for slot in range(len(member.params)) if slot not in used]
        returned = set()
        for instr in context.code:
            if (isinstance(instr, ir.Return) and instr.value != NONE) or (
                isinstance(instr, ir.Store) and instr.value != NONE
            ):
                returned.update(_loaded(context, instr.value))
        direct = [slot for slot in candidates if slot in returned]
        if len(direct) == 1:
            return ((Param(direct[0]),),)
        named = [
            slot
            for slot in candidates
            if member.params[slot].name.lower().startswith(_DEFAULT_WORDS)
        ]
        return ((Param(named[0]),),) if len(named) == 1 else None


def _opened(names: Templates) -> Templates:
    """Make patterns of templates: what a caller would fill in is dynamic."""
    return substitute(names, lambda _part: UNKNOWN)


def _loaded(context: Context, value: int) -> set[int]:
    instr = context.code[value]
    if isinstance(instr, ir.Load) and not instr.up and context.is_parameter(instr.slot):
        return {instr.slot}
    if isinstance(instr, ir.Choice):
        return _loaded(context, instr.then) | _loaded(context, instr.other)
    if isinstance(instr, ir.Cast):
        return _loaded(context, instr.value)
    if isinstance(instr, ir.Call):
        found = set()
        for arg in instr.args:
            found |= _loaded(context, arg)
        return found
    return set()


def _arguments(api: Api, args: tuple[int, ...]) -> tuple[int, int]:
    name_value = default_value = NONE
    for parts in api.names:
        for part in parts:
            if isinstance(part, Param) and part.slot < len(args) and name_value == NONE:
                name_value = args[part.slot]
    for parts in api.default or ():
        for part in parts:
            if isinstance(part, Param) and part.slot < len(args) and default_value == NONE:
                default_value = args[part.slot]
    return name_value, default_value


_SETTING_VALUES = frozenset(
    {
        "java.lang.String",
        "java.lang.Object",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Boolean",
        "java.lang.Double",
        "java.io.Serializable",
    }
)


def _holds_settings(type_: object) -> bool:
    args = type_.args  # type: ignore[attr-defined]
    key, value = args[0].name, args[1].name
    if key not in ("java.lang.String", "java.lang.Object", "java.lang.CharSequence"):
        return False
    return value in _SETTING_VALUES or len(value) <= 2
