"""From raw findings to options: names joined, defaults gathered, conflicts flagged.

A site with several alternatives of its name is a read of each of them.  A name with a dynamic part becomes a
pattern when enough of it is known, else the site is listed as unresolved.  Which names are one option is said by
``names.joining``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial

import attrs

from conflens.base.secrets import is_secret_name
from conflens.base.span import Place
from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.models.load import Models
from conflens.options import adjustments, conflicts
from conflens.options.asked_values import all_asked, all_compared
from conflens.options.limits import fitted, joined, loosest, of_defined
from conflens.options.model import (
    UNLIMITED,
    Declaration,
    Default,
    Limits,
    Option,
    OptionType,
    Read,
    ReadKind,
    Unresolved,
)
from conflens.options.names.found_names import asked_title, pattern_of, reason_against, title_of
from conflens.options.names.joining import GENERIC, joined_names
from conflens.options.names.naming import loose
from conflens.options.names.placeholders import Mention, asked
from conflens.options.names.under_prefixes import Constant, placed
from conflens.options.sites import Finding, Found, Inference, Site
from conflens.options.text_reasons import without_texts
from conflens.program.program import Program
from conflens.program.sharing import Sharing
from conflens.program.templates import known_text
from conflens.program.trail import Trail
from conflens.program.types import unboxed

_NUMBERS = frozenset({"int", "long", "short", "float", "double"})
_TRUTH = frozenset({"true", "false"})
_MOST_MET = 60
"""Files with defaults of one option that are looked at for whether they belong to one program."""


@attrs.frozen
class Made:
    """An option, what it was made of, and the files whose declarations, places or comments it tells."""

    named: tuple[Finding, ...] = attrs.field(repr=False)
    option: Option
    files: frozenset[str]

    def stays(self, named: list[Finding], changed: Set[str]) -> bool:
        """Tell whether ``named`` make the same option after some files changed; whatever the change
        touches elsewhere makes other objects of them."""
        return (
            len(named) == len(self.named)
            and self.files.isdisjoint(changed)
            and all(
                old.site is new.site
                and (old.found is new.found or _is_same_constant(old.found, new.found))
                and old.inference is new.inference
                for old, new in zip(self.named, named, strict=True)
            )
        )


def _is_same_constant(old: Found | None, new: Found | None) -> bool:
    """Tell whether the declaration of a constant was put under the same whole name again."""
    return old is not None and old.kind == "constant" and old == new


_ENVIRONMENT = "environment"


def method_name(program: Program, site_path: str, number: int) -> str:
    """Return ``Type.method`` of a member, as a person would write it."""
    member = program.files[site_path].members[number]
    owner = program.type_name(site_path, member.owner)
    info = program.type(owner)
    while info is not None and not info.decl.name:
        info = program.type(info.outer)
    simple = info.decl.name if info is not None else owner.rpartition(".")[2]
    if member.kind == "constructor":
        return f"{simple}.{simple}"
    if member.kind == "initializer":
        return f"{simple}.static" if member.name == "<clinit>" else f"{simple}.init"
    return f"{simple}.{member.name}"


class Assembler:
    """Turns findings into options for one program."""

    def __init__(
        self,
        program: Program,
        models: Models,
        infer: Callable[[Site, str | None, str], Inference],
        infer_found: Callable[[Found], Inference],
        trail: Trail,
    ) -> None:
        """Use ``infer`` for what following a read's value says, ``infer_found`` for a declaration; what else is looked at
        is on ``trail``."""
        self.program = program
        self.models = models
        self.infer = infer
        self.infer_found = infer_found
        self.trail = trail
        self.sharing = Sharing(program, lambda paths: trail.whole.update(paths))
        self.unresolved: list[Unresolved] = []
        self.made: dict[tuple[str, str], Made] = {}
        self._groups: dict[tuple[str, str], list[Finding]] = {}
        self._composed: set[Place] = set()
        self._texts = {row.domain: row.texts for row in models.domains if row.texts}
        self._apart = frozenset(row.domain for row in models.domains if row.apart)
        self._titles = frozenset(row.domain for row in models.domains if row.titles)
        self._parts = {name for row in models.prefixes for name in (row.type, *row.also_types)}

    def add_site(self, site: Site) -> None:
        """Add a read."""
        good = False
        reason = "name known only at run time"
        for template in site.names:
            mentions, whole = asked(template)
            if mentions:
                good = True
                self._add_asked(site, mentions, whole)
                continue
            name = title_of(template) if site.domain in self._titles else None
            compared = site.kind is ReadKind.DISPATCH
            name = name or pattern_of(template, site.domain, site.sure, compared)
            name = name or asked_title(self.program, site, template)
            if name is None:
                if said := reason_against(template):
                    reason = said
                else:
                    good = good or all(isinstance(part, str) for part in template)
                continue
            good = True
            if self.models.is_platform(site.domain, name):
                continue
            default = known_text(site.default) if site.default else None
            inference = self.infer(site, default, name)
            self._groups.setdefault((site.domain, name), []).append(
                Finding(name, site, None, inference)
            )
        if not good and site.sure:
            place = Place(site.ref.path, site.at, site.end)
            method = method_name(self.program, site.ref.path, site.ref.number)
            self.unresolved.append(Unresolved(place, method, site.api, site.domain, reason))

    def _add_asked(self, site: Site, mentions: list[Mention], whole: bool) -> None:
        """Add a read that names its options in placeholders: ``resolvePlaceholders("${app.home:/opt}")``."""
        for mention in mentions:
            sure = site.sure and "*" not in mention.name
            name = pattern_of((mention.name,), site.domain, sure)
            if name is None or self.models.is_platform(site.domain, name):
                continue
            one = site if whole else attrs.evolve(site, followed=NONE)
            if mention.default is not None:
                one = attrs.evolve(one, default=((mention.default,),), default_value=NONE)
            if mention.under:
                one = attrs.evolve(one, hint=attrs.evolve(one.hint, target=mention.under))
            inference = self.infer(one, mention.default, name)
            self._groups.setdefault((site.domain, name), []).append(
                Finding(name, one, None, inference)
            )

    def add_found(self, found: Found) -> None:
        """Add a declaration."""
        if self.models.is_platform(found.domain, found.name):
            return
        self._groups.setdefault((found.domain, found.name), []).append(
            Finding(found.name, None, found, self.infer_found(found))
        )

    def options(
        self,
        constants: Constant,
        combine: Callable[[list[Inference]], Inference],
        describe: Callable[[Found], str],
        deprecated: Callable[[str, list[Finding]], str],
        before: Mapping[tuple[str, str], Made],
        changed: Set[str],
        guarded: Callable[[Sequence[Finding], Callable[[], Option]], Option | None],
    ) -> list[Option]:
        """Return the options.  ``constants`` gives the declared constant behind a site's name, ``deprecated`` what there is
        to say against a name.  Those of ``before`` that the changed files cannot have altered are taken over.
        ``guarded`` makes one, or gives ``None`` where that fails."""

        def option(domain: str, name: str, named: list[Finding]) -> Option:
            found = self._option(domain, name, named, constants, combine, describe)
            said = deprecated(name, named)
            return attrs.evolve(found, deprecated=said) if said else found

        result = []
        for key, named in self._joined(constants).items():
            made = before.get(key)
            if made is None or not made.stays(named, changed):
                make = partial(option, *key, named)
                found, seen = self.trail.during(partial(guarded, named, make))
                if found is None:
                    continue
                made = Made(tuple(named), found, seen.paths | _files(named, found))
            self.made[key] = made
            result.append(made.option)
        return result

    def _joined(self, constants: Constant) -> Mapping[tuple[str, str], list[Finding]]:
        """Put findings under the one spelling of their option."""
        groups = placed(self._groups, constants)
        homes = joined_names(groups, self.models)
        joined: dict[tuple[str, str], list[Finding]] = {}
        for key, named in groups.items():
            joined.setdefault(homes[key], []).extend(named)
        return joined

    def _option(
        self,
        domain: str,
        name: str,
        named: list[Finding],
        constants: Constant,
        combine: Callable[[list[Inference]], Inference],
        describe: Callable[[Found], str],
    ) -> Option:
        reads = _Reads()
        declarations: dict[Declaration, None] = {}
        description, commented = "", False
        texts: dict[Place, Default] = {}
        sites: dict[Place, Site] = {}
        # The variable ``KEY_FILE``, tried beside ``key``, is the name of a file; a parser's key for an argument is of its domain.
        bare = loose(name)
        own = [one.inference for one in named if one.domain == domain or loose(one.name) == bare]
        combined = combine(own or [item.inference for item in named])
        if is_secret_name(name):
            combined = without_texts(combined)
        stated = any(
            item.found is not None
            and item.found.kind == "constant"
            and item.found.default is not None
            for item in named
        )
        switch = combined.type in (OptionType.BOOLEAN, OptionType.UNKNOWN)
        for item in named:
            if item.site is not None:
                guarded = stated and item.site.by_object
                read = self._read(item.site, item.inference, item.name, guarded)
                given = read.default
                if given is not None and given.implied and given.text in _TRUTH and not switch:
                    read = attrs.evolve(read, default=None)
                reads.add(read)
                if read.default is not None:
                    texts[read.default.place] = read.default
                    sites[read.default.place] = item.site
                declared_constant, said = constants(item.name, item.site)
                if declared_constant is not None:
                    declarations[declared_constant] = None
                if said and not description:
                    description, commented = said, True
            elif item.found is not None:
                found = item.found
                declared = self._declaration(found)
                declarations[declared] = None
                told = found.description or describe(found)
                if told:
                    description, commented = told, not found.description
                default = self._found_default(found)
                if found.hint.presence and not switch:
                    default = None
                if default is not None:
                    texts[default.place] = default
                if found.is_read:
                    reads.keep(self._found_read(found, item.inference, default))
        lived = {(item.site.domain, item.name) for item in named if item.site is not None}
        aliases = {
            one
            for one in lived - {(domain, name)}
            if _ENVIRONMENT in (domain, one[0]) and one[0] not in GENERIC
        }
        others = {other for item in named if item.found for other in item.found.aliases}
        aliases |= {(domain, other) for other in others - {name}}
        defaults = tuple(sorted(texts.values(), key=lambda default: default.place))
        # What a library is configured by is set for each of its objects: two consumers have two names.
        many = domain in GENERIC and name in self.models.library_keys
        conflict = (
            not many
            and "*" not in name
            and any(
                conflicts.differ(conflicts.choices(self.program, met, sites), combined.type)
                for group in self._comparable(
                    domain, named, [one for one in defaults if not one.implied], sites
                )
                for met in self._met(group)
            )
        )
        return Option(
            name,
            domain,
            combined.type,
            combined.why,
            combined.values,
            combined.unit,
            defaults,
            conflict,
            description,
            tuple(sorted(declarations, key=lambda item: item.place)),
            tuple(sorted(reads.found, key=lambda read: (read.place, read.name_place))),
            self._limits(named, combined, defaults),
            commented=commented,
            aliases=tuple(sorted(aliases)),
            told=self.models.is_told(name),
            adjusted=adjustments.of_option(named, combined.type, defaults),
            held=adjustments.held_by(named),
            target=next(filter(None, (item.target for item in named)), ""),
        )

    def _limits(
        self, named: list[Finding], combined: Inference, defaults: tuple[Default, ...]
    ) -> Limits:
        """Return what declarations and reads demand of the value."""
        stated: list[Limits] = []
        demanded: list[Limits] = []
        listed: set[str] = set()
        sets: list[set[str]] = []
        other = any(self._converts_unseen(item) for item in named)
        for item in named:
            inferred = item.inference
            demanded.append(inferred.limits)
            if inferred.limits.closed:
                sets.append(set(inferred.allowed))
            if item.site is not None and item.site.through is None:
                demanded.append(item.site.hint.limits)
            if item.found is not None:
                maker = self.program.type(item.found.hint.converter)
                if maker is not None:
                    self.trail.whole.add(maker.path)
                limits = of_defined(
                    self.program,
                    item.found.hint,
                    inferred.type,
                    inferred.values,
                    self._texts.get(item.found.domain, {}),
                    field=item.found.kind == "field",
                )
                stated.append(limits)
                if limits.closed:
                    listed.update(inferred.values)
        if all_asked(named, combined):
            demanded.append(Limits(asked=True))
        elif known := all_compared(named, combined):
            demanded.append(Limits(compared=known))
        if all(item == UNLIMITED for item in (*stated, *demanded)):
            return UNLIMITED
        definition = loosest(stated)
        if definition.closed:
            sets.append(listed)
        closed = bool(sets) and all(one == set(combined.values) for one in sets)
        texts = [default.text for default in defaults]
        values = combined.values if closed else ()
        limits = joined([definition, *demanded])
        if other:
            limits = attrs.evolve(limits, accepts="")
        return fitted(limits, combined.type, values, texts)

    def _converts_unseen(self, item: Finding) -> bool:
        """Tell a read by a method of the project that makes a number of the text in a way not understood: it may take
        ``10s`` where another read of the option does not."""
        site = item.site
        if site is None or site.through is None or site.presence:
            return False
        accepts = item.inference.limits.accepts or site.hint.limits.accepts
        return not accepts and unboxed(self.program.return_type(site.through)) in _NUMBERS

    def _comparable(
        self,
        domain: str,
        named: list[Finding],
        defaults: Sequence[Default],
        sites: Mapping[Place, Site],
    ) -> list[list[Default]]:
        """Group the defaults that belong to one meaning of a name.

        Switches of different programs or commands, parameters of different servlets, declarations in different types, and keys
        of maps that different classes read, only share their name; a text that is put together at the read is words
        about the value rather than the value.
        """
        groups: dict[str, list[Default]] = {}
        apart = domain in self._apart or any(item.found is not None for item in named)
        read = [sites[one.place] for one in defaults if one.place in sites]
        handed = all(conflicts.is_handed(self.program, self._parts, site) for site in read)
        for default in defaults:
            if default.place not in self._composed:
                group = self._type_at(default.place) if apart else ""
                site = sites.get(default.place)
                if site is not None and domain not in conflicts.PLATFORM:
                    name = named[0].name
                    reader = conflicts.container_reader(self.program, site, name, handed=handed)
                    group = reader or group
                    if domain in self._apart:
                        group += f" {site.ref.number}"
                groups.setdefault(group, []).append(default)
        return list(groups.values())

    def _met(self, defaults: Sequence[Default]) -> Iterator[Sequence[Default]]:
        """Yield those defaults that can meet in one program, for each that is not like the first."""
        texts = {default.text for default in defaults}
        if len(texts) < 2:
            return
        paths = {default.place.path for default in defaults}
        if len(paths) == 1 or len(paths) > _MOST_MET:
            yield defaults
            return
        for path in sorted(paths):
            with_it = {other for other in paths if self.sharing.shared(path, other)}
            yield [default for default in defaults if default.place.path in with_it]

    def _type_at(self, place: Place) -> str:
        """Return the innermost named type around a place."""
        found = ""
        for number, decl in enumerate(self.program.files[place.path].types):
            if decl.name and decl.at <= place.start < decl.end:
                found = self.program.type_name(place.path, number)
        return found

    def _read(self, site: Site, inference: Inference, name: str, stated: bool) -> Read:
        """Return a read.  ``stated``: its object gives the default, so that what a guard against ``null`` gives is none."""
        path = site.ref.path
        context_body = self.program.body(site.ref)
        member = self.program.member(site.ref)
        default: Default | None = None
        shows_default = True
        text = known_text(site.default) if site.default else None
        if text is not None and inference.instead is not None and not stated:
            default = Default(inference.instead, Place(path, site.at, site.end))
        elif text is not None:
            start, end = site.at, site.end
            if site.default_value != NONE:
                instr = context_body.code[site.default_value]
                start, end = member.at + instr.at, member.at + instr.end
                shows_default = isinstance(instr, ir.Const) or (
                    isinstance(instr, ir.Unary)
                    and isinstance(context_body.code[instr.operand], ir.Const)
                )
            else:
                shows_default = False
            default = Default(text, Place(path, start, end), site.implied)
            if site.default_value != NONE and self._is_composed(site, text):
                self._composed.add(default.place)
        elif inference.default is not None and not stated:
            default = Default(inference.default, Place(path, site.at, site.end), inference.implied)
        shows_name = False
        if site.name_value != NONE:
            named = context_body.code[site.name_value]
            shows_name = isinstance(named, ir.Const) and named.value == name
        elif site.kind is ReadKind.DISPATCH:
            shows_name = True
        return Read(
            Place(path, site.at, site.end),
            Place(path, site.name_at, site.name_end),
            site.anchor,
            site.kind,
            method_name(self.program, path, site.ref.number),
            site.api,
            default,
            shows_name,
            shows_default,
            inference.unused,
            inference.limits.accepts or (site.hint.limits.accepts if site.through is None else ""),
            site.guessed,
        )

    def _is_composed(self, site: Site, text: str) -> bool:
        instr = self.program.body(site.ref).code[site.default_value]
        return isinstance(instr, ir.Binary) and not text.lstrip("-").replace(".", "").isdigit()

    def _declaration(self, found: Found) -> Declaration:
        return Declaration(
            Place(found.path, found.at, found.end),
            Place(found.path, found.scope_at, found.scope_end),
            found.kind,
            found.symbol,
        )

    @staticmethod
    def _found_default(found: Found) -> Default | None:
        if found.default is None:
            return None
        at = found.default_at if found.default_at >= 0 else found.at
        end = found.default_end if found.default_at >= 0 else found.end
        return Default(found.default, Place(found.path, at, end), found.implied)

    def _found_read(self, found: Found, inference: Inference, default: Default | None) -> Read:
        return Read(
            Place(found.path, found.scope_at, found.scope_end),
            Place(found.path, found.at, found.end),
            found.scope_end,
            ReadKind.ANNOTATION,
            found.symbol,
            found.api,
            default,
            True,
            True,
            inference.unused,
        )


class _Reads:
    """The reads of one option; a call of a method with several implementations is read once."""

    def __init__(self) -> None:
        self.found: list[Read] = []
        self._at: dict[tuple[Place, Place], list[int]] = {}

    def add(self, read: Read) -> None:
        """Add a read, unless it is one that is there."""
        for number in self._at.get((read.place, read.name_place), ()):
            other = self.found[number]
            if other.default is None or read.default is None or other.default == read.default:
                unused = other.unused and read.unused
                default = other.default or read.default
                self.found[number] = attrs.evolve(other, default=default, unused=unused)
                return
        self.keep(read)

    def keep(self, read: Read) -> None:
        """Add a read that is another one in any case."""
        numbers = self._at.setdefault((read.place, read.name_place), [])
        numbers.append(len(self.found))
        self.found.append(read)


def _files(named: Iterable[Finding], option: Option) -> frozenset[str]:
    """Return the files of what an option was made of, and of what it says."""

    def every() -> Iterator[str]:
        for item in named:
            if item.site is not None:
                yield item.site.ref.path
                if item.site.through is not None:
                    yield item.site.through.path
            if item.found is not None:
                yield item.found.path
                if item.found.member is not None:
                    yield item.found.member.path
        for declaration in option.declarations:
            yield declaration.place.path

    return frozenset(every())
