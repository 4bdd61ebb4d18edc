"""Calls that read options: known APIs by model rows, and the project's own wrappers around them.

``Scanner.scan`` finds the sites of one file, given the wrappers (``Api``) known so far; which sites make their member a wrapper is
judged in ``wrappers``, and ``discover`` runs both to a fixed point.  A result depends on the file's facts, the program's surfaces and the wrappers only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import attrs

from conflens.base.budget import Pieces
from conflens.facts import ir
from conflens.facts.bodies import LOOKUP
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.models.schema import CONSTRUCTOR, ReadRow
from conflens.options.arguments import COMMAND_LINE
from conflens.options.constant_arguments import takes
from conflens.options.member_types import holds_settings, simple
from conflens.options.model import ReadKind
from conflens.options.names.placeholders import may_ask
from conflens.options.origins.sources import Sources
from conflens.options.origins.tracing import Tracer
from conflens.options.reads import any_constant, namespaces, typed_lookups
from conflens.options.reads.asked_chains import AskedChains
from conflens.options.reads.asked_sites import ended
from conflens.options.reads.beginnings import SITE_STEPS, holes
from conflens.options.reads.carriers import Carriers
from conflens.options.reads.cut_names import cut_names
from conflens.options.reads.derived import Feed, Keyed, fed, feed_of
from conflens.options.reads.doubts import doubt, is_constant, is_of_data, is_plain_word
from conflens.options.reads.filled import fills_class, map_of
from conflens.options.reads.functions import APPLIED, Functions
from conflens.options.reads.given_prefixes import prefixed
from conflens.options.reads.handed_over import HandedOver
from conflens.options.reads.held_definitions import HeldDefinitions
from conflens.options.reads.hints import Hints
from conflens.options.reads.inherited import Inherited
from conflens.options.reads.kept_values import stated
from conflens.options.reads.member_maps import MemberMaps
from conflens.options.reads.nodes import Nodes
from conflens.options.reads.opened import given_tree, is_opened, is_section, of_tree, weight
from conflens.options.reads.own_entries import is_own_entry, is_own_helper
from conflens.options.reads.own_stores import is_own_store
from conflens.options.reads.path_keys import names_of
from conflens.options.reads.picked_nodes import picked
from conflens.options.reads.prefixes import Prefixes, owners_of
from conflens.options.reads.references import References
from conflens.options.reads.told_names import told
from conflens.options.reads.typed_lookups import Asked
from conflens.options.reads.unseen_objects import is_unseen
from conflens.options.reads.wrappers import ApiIndex, Wrappers, arguments, begins, taking
from conflens.options.reads.written_back import is_written_back
from conflens.options.roles import CERTAIN, Role, Roles
from conflens.options.sites import Api, Doubt, Named, Site
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    UNKNOWN,
    Param,
    SelfField,
    Templates,
    concat,
    dynamic,
    known_text,
    substitute,
)
from conflens.program.types import JavaType
from conflens.program.values import Values


@attrs.frozen
class Scan:
    """What one file holds: sites, the wrappers they make, keys asked of objects of unclear role, and what ``derived`` needs."""

    sites: tuple[Site, ...] = ()
    apis: tuple[Api, ...] = ()
    unclear: tuple[Site, ...] = ()
    keyed: tuple[Keyed, ...] = ()
    feeds: frozenset[Feed] = frozenset()


class Scanner:
    """Finds reads in the bodies of one program."""

    def __init__(
        self, program: Program, models: Models, values: Values, roles: Roles, pieces: Pieces
    ) -> None:
        """Scan ``program`` by the rows of ``models``, each body as one of ``pieces``."""
        self.program = program
        self.models = models
        self.values = values
        self.roles = roles
        self.sources = Sources(Tracer(values), models, roles)
        self.prefixes = Prefixes(self.sources.tracer, models, roles)
        self._carriers = Carriers(self.sources, roles, self.prefixes)
        self._pieces = pieces
        self.nodes = Nodes(models)
        self._row_names = frozenset(models.reads_by_method) | self.nodes.names
        self.hints = Hints(program, models)
        self._row_types = frozenset(row.type for row in models.reads if row.evidence == "certain")
        self._keeping = {row.domain for row in models.reads if row.keeps}
        self._trees = {
            row.type
            for row in models.reads
            if row.evidence == "entered" and program.jdk_type(row.type) is None
        }
        self._constructed = frozenset(
            simple(name)
            for row in models.reads_by_method.get(CONSTRUCTOR, ())
            for name in (row.type, *row.also_types)
        )
        self.wrappers = Wrappers(program, values, models)
        functions = Functions(values, self.wrappers.fallbacks)
        self.references = References(functions, models, roles, self.hints, self.prefixes)
        self.inherited = Inherited(program, models)
        self.member_maps = MemberMaps(self.sources.tracer)
        self.chains = AskedChains(self.sources, models)
        self.handed_over = HandedOver(program, models, values)
        self.defined = HeldDefinitions()
        self._keyed: list[Keyed] = []
        self._feeds: set[Feed] = set()

    def scan(self, path: str, apis: ApiIndex, known_rows: bool = True) -> Scan:
        """Return the reads of one file: by known APIs, unless told otherwise, and by wrappers."""
        facts = self.program.files[path]
        names = self._row_names if known_rows else frozenset()
        wanted: dict[int, None] = {}
        lookups = set(facts.hints.get("lookup", ()))
        for name in facts.calls.keys() & (names | apis.names):
            if name in LOOKUP and name not in apis.names and not self.defined:
                wanted.update(dict.fromkeys(lookups.intersection(facts.calls[name])))
            elif name != "<init>":
                wanted.update(dict.fromkeys(facts.calls[name]))
        more = APPLIED if wanted or known_rows else frozenset()
        more |= self.chains.names() if known_rows else frozenset()
        for name in facts.calls.keys() & more:
            wanted.update(dict.fromkeys(facts.calls[name]))
        made = apis.constructed | self._constructed if known_rows else apis.constructed
        for name in facts.names.keys() & made:
            wanted.update(dict.fromkeys(facts.names[name]))
        if "<init>" in apis.names or (known_rows and self._constructed):
            wanted.update(
                dict.fromkeys(
                    number
                    for number in facts.calls.get("<init>", ())
                    if facts.members[number].kind == "constructor"
                )
            )
        sites: list[Site] = []
        unclear: list[Site] = []
        self._keyed, self._feeds = [], set()
        for number in sorted(wanted):
            ref = self.program.ref(path, number)
            if self._implements_api(ref.owner):
                continue
            self._pieces.run(
                ("file", "scan", path, number),
                path,
                facts.members[number].at,
                "not all options read here are found",
                partial(self._scan_body, ref, apis, names, sites, unclear),
                None,
            )
        kept, wrapped = self.wrappers.split(sites)
        unclear += [site for site in kept if site.lookups]
        kept = [site for site in kept if not site.lookups]
        self.note_cuts(path, (*sites, *kept))
        feeds = frozenset(self._feeds)
        return Scan(tuple(kept), tuple(wrapped), tuple(unclear), tuple(self._keyed), feeds)

    def note_cuts(self, path: str, sites: Iterable[Site]) -> None:
        """Leave a fault where more options may be read than are looked at."""
        for at, message in cut_names(sites):
            self._pieces.note(("file", "scan", path, "names", at), path, at, message)
        for (what, found_in, at), message in self.wrappers.cuts.items():
            self._pieces.note(("file", "scan", path, what, at), found_in, at, message)
        self.wrappers.cuts.clear()

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
        ref: MemberRef,
        apis: ApiIndex,
        names: frozenset[str],
        sites: list[Site],
        unclear: list[Site],
    ) -> None:
        context = self.values.open(ref)
        sites += ended(self.chains, self.models, context) if names else ()
        sites += self.references.passed(context, apis, names, self.wrappers.cuts)
        for value, instr in context.calls():
            if isinstance(instr, ir.Call):
                if instr.name in APPLIED:
                    self._applied(context, value, instr, apis, names, sites, unclear)
                if instr.name in names and self._by_row(context, value, instr, sites, unclear):
                    continue
                if instr.name in apis.names:
                    self._by_api(context, value, instr.object, instr.args, apis, sites)
                elif names:
                    for site, node in picked(self.program, self.nodes, context, value, instr):
                        judged = of_tree(self.sources, context, site, node)
                        sites += [judged] if judged is not None else []
                continue
            if CONSTRUCTOR in names and simple(instr.type.partition("<")[0]) in self._constructed:
                call = ir.Call(instr.at, instr.end, NONE, CONSTRUCTOR, instr.args, instr.type_at)
                if self._by_row(context, value, call, sites, unclear):
                    continue
            if apis.constructed:
                self._by_api(context, value, value, instr.args, apis, sites)

    def _applied(
        self,
        context: Context,
        value: int,
        call: ir.Call,
        apis: ApiIndex,
        names: frozenset[str],
        sites: list[Site],
        unclear: list[Site],
    ) -> None:
        """Find the reads of a call that runs what a reference to a method means."""
        for reference in self.references.functions.applied(context, call):
            asked = reference.instr
            near = reference.context.ref == context.ref
            targets = self.references.functions.targets(reference, len(call.args))
            if targets and asked.name in apis.names:
                receiver = asked.object if near else NONE
                self._by_api(context, value, receiver, call.args, apis, sites, targets)
            elif not targets and asked.name in names and near:
                at = (call.at, call.end)
                run = ir.Call(*at, asked.object, asked.name, call.args, call.name_at)
                self._by_row(context, value, run, sites, unclear)
            elif not targets and asked.name in names:
                found = self.references.elsewhere(context, value, call, reference, self._site)
                sites += [found] if found is not None else []

    # -- known APIs ------------------------------------------------------------------------------

    def _by_row(
        self,
        context: Context,
        value: int,
        call: ir.Call,
        sites: list[Site],
        unclear: list[Site],
    ) -> bool:
        rows = self.models.read_index.of(call.name, len(call.args))
        fitting = [row for row in rows if takes(context, call, row)]
        if not fitting:
            return False
        owners = owners_of(context, call, value)
        if not owners or (call.name == CONSTRUCTOR and context.targets(value)):
            return False
        for row in fitting:
            if not any(self.roles.matches(owner, row.type, row.also_types) for owner in owners):
                continue
            if row.evidence != "certain":
                if bool(context.targets(value)) != row.own or row.type == context.ref.owner:
                    continue
                if row.evidence == "opened":
                    site = self._site(context, value, call, row, row.domain)
                    judged = of_tree(self.sources, context, site, call.object)
                    if judged is None and not is_opened(self.sources, context, call.object):
                        continue
                    if judged and not (row.presence or is_section(self.sources, context, value)):
                        own = is_written_back(self.sources, context, call, row.name, row.domain)
                        sites += [] if own else [judged]
                    return True
                return self._by_role(context, value, call, row, sites, unclear)
            if row.presence and row.domain != COMMAND_LINE:
                return True
            if self.prefixes.is_part(context, value, call) or fills_class(
                self.models, context, call
            ):
                return True
            if row.keeps and is_own_entry(self.models, self.values, context, value, call):
                return True
            site = self._site(context, value, call, row, row.domain)
            if row.suffix:
                sites += told(self.sources.tracer, context, call, row, site)
                continue
            sites += [map_of(self.models, context, call, site)] if site is not None else []
            return True
        for row in self.inherited.rows(context, value, call, fitting, owners):
            site = self._site(context, value, call, row, row.domain)
            unclear += [attrs.evolve(site, doubt=Doubt.INHERITED)] if site is not None else []
        return False

    def _by_role(
        self,
        context: Context,
        value: int,
        call: ir.Call,
        row: ReadRow,
        sites: list[Site],
        unclear: list[Site],
    ) -> bool:
        if row.presence and self.roles.of(context, call.object).domain != COMMAND_LINE:
            return True
        if not isinstance(row.name, int) or row.name >= len(call.args):
            return True
        key = call.args[row.name]
        key_type = context.type_of(key)
        if key_type is not None and not self._may_be_text(context, key, key_type):
            self._by_object(context, value, call, row, key_type.name)
            return True
        receiver = context.receiver_type(call)
        if receiver is not None and len(receiver.args) == 2 and not holds_settings(receiver):
            return True
        unused = call.name == "remove" and not context.used(value)
        if unused or is_section(self.sources, context, value):
            return True
        if self._by_member(context, value, call, row, sites):
            return True
        role = self.roles.of(context, call.object)
        place, asked = context, call
        if 0 <= role.score < CERTAIN and known_text(self.values.of(context, key)) is not None:
            place, asked = self._carriers.whole(context, call)
            role = max(role, self.roles.of(place, asked.object), key=lambda one: one.score)
        if role.domain is None and role.score >= 0:
            handed = self._carriers.handed(context, call)
            role = Role(max(role.score, 1), handed) if handed is not None else role
        domain = role.domain or row.domain
        base = weight(self.sources, row, role.score, place, asked)
        site = self._site(context, value, call, row, domain)
        if site is None or (site.tree != NONE and role.score >= 0):
            sites += [attrs.evolve(site, sure=False)] if site is not None else []
            return True
        users = None
        if holes(site.names):
            users = typed_lookups.lookups(self.sources, context, call, row, role)
        owner = namespaces.class_of(self.program, context, key)
        if role.score < 0:
            if users is not None:
                sites.append(attrs.evolve(site, sure=False, lookups=users))
            elif owner:
                unclear.append(
                    attrs.evolve(site, doubt=Doubt.AGAINST, named=Named(owner, entered=False))
                )
            return True
        if (
            row.evidence == "entered"
            and role.score < CERTAIN
            and not self._carriers.enters(place, asked)
        ):
            return True
        kept = partial(self._carriers.is_kept, weak=role.weak)
        if role.score < CERTAIN and kept(context, call, site.names):
            return True
        is_object = self.handed_over.is_object(context, value, key, site.names)
        if is_object and not (owner and self.handed_over.is_parsed(context, value, key)):
            return True
        constant = is_constant(context, call.args[row.name])
        names = self._carriers.in_section(context, call, site.names)
        found = (place, asked, row, role, (context, call))
        against = Doubt.HANDED if is_object else doubt(self.sources, *found, constant=constant)
        sure = role.score >= CERTAIN or constant
        weak = not (sure or users or against) and row.domain == "settings" and is_plain_word(names)
        if weak and not self._carriers.enters(place, asked):
            against = Doubt.WEAK if role.score + base > 0 else Doubt.FAINT
        told = namespaces.named(self.sources, context, call, owner, role) if owner else None
        own = site.names
        site = attrs.evolve(site, names=names, sure=sure, doubt=against, named=told, asked=own)
        if role.score + base > 0 and not against:
            sites.append(site)
        elif users is not None:
            sites.append(attrs.evolve(site, lookups=users))
        else:
            unclear.append(site)
        return True

    def _by_member(
        self, context: Context, value: int, call: ir.Call, row: ReadRow, sites: list[Site]
    ) -> bool:
        """Find a read of a key of a map that is a member of a bound class."""
        held = self.member_maps.of(context, call.object)
        site = self._site(context, value, call, row, held[0].domain) if held else None
        if site is None:
            return False
        prefixes = tuple((found.name[:-1],) for found in held)
        sites.append(attrs.evolve(site, names=concat(prefixes, site.names), sure=True))
        return True

    def _may_be_text(self, context: Context, key: int, type_: JavaType) -> bool:
        """Tell whether a key is a text, or an object that the caller chooses, which may be one.

        The key of a map is declared so, and with it that of every class that is a map over a store of its own.
        """
        if type_.name == "java.lang.Object":
            return holes(self.values.of(context, key))
        return type_.name == "java.lang.String"

    def _by_object(
        self, context: Context, value: int, call: ir.Call, row: ReadRow, key: str
    ) -> None:
        """Keep a lookup by an object of the project, which may be a read of the option that it names."""
        feed = feed_of(context.receiver_type(call))
        if feed is None or self.program.type(key) is None:
            return
        site = self._site(context, value, call, row, row.domain)
        if site is not None:
            self._keyed.append(Keyed(attrs.evolve(site, names=UNKNOWN), Feed(key, feed.value)))

    def _site(
        self, context: Context, value: int, call: ir.Call, row: ReadRow, domain: str
    ) -> Site | None:
        name_value = NONE
        hint = self.hints.of(context, value, call, row)
        default: Templates | None = None
        default_value = NONE
        if isinstance(row.name, str):
            names: Templates = ((row.name,),)
        elif row.name == -1:
            name_value = call.object
            names = UNKNOWN
            if call.object != NONE:
                names = self.defined.names(context, call.object, local=row.definition) or UNKNOWN
        elif row.name < len(call.args):
            name_value = call.args[row.name]
            names = names_of(self.values, context, value, call.object, name_value)
            names = self.defined.given(context, name_value, names, row)
        else:
            return None
        if not names or (row.placeholder is not None and not may_ask(names)):
            return None
        if row.section is not None and row.section < len(call.args):
            sections = self.values.open_of(context, call.args[row.section])
            names = concat(concat(sections, ((".",),)), names)
        if isinstance(row.default, int) and row.default < len(call.args):
            default_value = call.args[row.default]
            default = stated(self.models, self.values, context, default_value)
        implied = default is None and row.missing is not None
        if row.missing is not None and implied:
            default = ((row.missing,),)
        given = row.type in self._trees and holes(names)
        tree = given_tree(context, call.object) if given else NONE
        name = context.code[name_value] if name_value != NONE else call
        base = context.member.at
        owner = simple(row.type)
        site = Site(
            context.ref,
            value,
            ReadKind.CALL,
            domain,
            f"new {owner}" if call.name == CONSTRUCTOR else f"{owner}.{call.name}",
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
            implied=implied,
            tree=tree,
            map=call.object if row.domain == "settings" else NONE,
        )
        return self.prefixes.placed(context, site, call.object)

    # -- wrappers --------------------------------------------------------------------------------

    def _by_api(
        self,
        context: Context,
        value: int,
        receiver: int,
        args: tuple[int, ...],
        apis: ApiIndex,
        sites: list[Site],
        targets: Sequence[MemberRef] = (),
    ) -> None:
        targets = targets or context.targets(value)
        if not targets:
            return
        instr = context.code[value]
        if isinstance(instr, ir.Call) and is_own_entry(
            self.models, self.values, context, value, instr
        ):
            return
        taken = [
            (api, given)
            for api in apis.by_target.get(targets[0], ())
            if api.ref != context.ref
            for given in taking(api, args, len(self.program.member(api.ref).params))
        ]
        for api, args in taken:
            own = api.domain in self._keeping and api.ref.owner == context.ref.owner
            if own and isinstance(instr, ir.Call) and is_own_helper(self.values, context, instr):
                continue
            name_value, default_value = arguments(api, receiver, args)
            by_object = any(
                isinstance(part, SelfField) or (isinstance(part, Param) and part.name != "")
                for parts in api.names
                for part in parts
            )
            if any(isinstance(part, Param) and part.name for parts in api.names for part in parts):
                self._feeds |= fed(self.models, context, value, name_value)
            if by_object and self.values.each(context, name_value):
                continue
            unseen = by_object and is_unseen(self.values, context, receiver, args, api.names)
            given = args[api.map] if NONE < api.map < len(args) else NONE
            names = self._filled(context, receiver, args, api.names)
            own = api.domain == "settings" and is_own_store(self.sources, api.ref, names)
            if unseen or own or is_of_data(self.sources, context, name_value, given):
                continue
            names = self.defined.handed(context, name_value, names, api.domain)
            if by_object and receiver != NONE:
                told = any_constant.filled(context, self.values, api, names, receiver)
                name_value = name_value if told is names else NONE
                names = told
            at = context.member.at + instr.at
            if several := self.wrappers.one_by_one(api, names, context.ref.path, at):
                taken += [(one, args) for one in several]
                continue
            if api.named:
                open_ = max(map(dynamic, api.names))
                names = tuple(p for p in names if dynamic(p) <= open_ or begins(p))
            if not names:
                continue
            self.values.program.meter.spend(SITE_STEPS)
            users = api.lookups
            if users is not None:
                said = typed_lookups.asked(self.sources, context, value, receiver, names, users)
                if said is Asked.DATA:
                    continue
                users = users if said is Asked.UNCLEAR else None
            names = prefixed(self.sources.tracer, context.ref, names)
            if self.prefixes.gives_section(context, value, api.ref):
                continue
            if not self.program.is_static(api.ref):
                names = self.prefixes.under_own(context, receiver, names, api.domain)
            default = api.default and self._filled(context, receiver, args, api.default)
            plain = all(not getattr(part, "name", "") for one in api.default or () for part in one)
            if default is not None and plain:
                default = stated(self.models, self.values, context, default_value, default)
            member = context.member
            named = context.code[name_value] if name_value != NONE else instr
            name_at = instr.name_at if isinstance(instr, ir.Call) else instr.at
            tree = args[api.tree] if NONE < api.tree < len(args) else NONE
            site = Site(
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
                by_object,
                api.implied,
                lookups=users,
                kept=api.kept,
                map=given,
            )
            if api.tree == NONE:
                part = args[api.part] if NONE < api.part < len(args) else NONE
                sites.append(self.prefixes.placed(context, site, part) if part != NONE else site)
                continue
            if self.prefixes.gives_part(api.ref) and not holes(names):
                continue
            judged = self._carriers.below(context, site, tree)
            sites += [judged] if judged is not None else []

    def _filled(
        self, context: Context, receiver: int, args: tuple[int, ...], templates: Templates
    ) -> Templates:
        return substitute(
            templates, lambda part: self.values.open_filled(context, receiver, args, part)
        )
