"""What an option's value is: type, allowed values, unit, default, and whether it is used at all.

``Inferrer`` follows a read's value (``flow``) and weighs what it finds (``infer_uses``,
``infer_evidence``) with what the API says, what the name says and what the default looks like.
``combine`` joins the reads of one option.  Source: Rabkin, dissertation §4.4.

Absent: finding reads (``scan``, ``dispatch``, …), documentation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial

import attrs

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.flow.code import Code
from conflens.flow.domain import Followed, Relation, Role, Use
from conflens.flow.kinds import enum_constants, kind_of
from conflens.flow.uses import Enough, Uses
from conflens.models.load import Models
from conflens.options.amounts import measured
from conflens.options.inference.adjusted import Adjusted
from conflens.options.inference.by_key import ByKey
from conflens.options.inference.compared_only import compared_only
from conflens.options.inference.default_maps import DefaultMaps
from conflens.options.inference.defaults import default_of, wrapper_default
from conflens.options.inference.elsewhere import default_elsewhere, default_kept
from conflens.options.inference.evidence import (
    CERTAIN,
    DECLARED,
    MADE,
    NAMED,
    NOT_FOLLOWED,
    PRESENCE,
    STATED,
    SWITCH,
    TEXT,
    WEAK,
    Evidence,
    combine,
    decide,
)
from conflens.options.inference.rejected_values import LimitReader, limited
from conflens.options.inference.replaced import replaced
from conflens.options.inference.unchanged import unchanged
from conflens.options.inference.uses import TRUTH, UseReader, declared, unit_text
from conflens.options.limits import joined
from conflens.options.member_types import element_of, simple, structured
from conflens.options.model import UNLIMITED, Limits, OptionType, ReadKind
from conflens.options.origins.tracing import Tracer
from conflens.options.secret_targets import SecretTargets
from conflens.options.sites import Hint, Inference, Site
from conflens.options.text_reasons import EQUALS
from conflens.options.value_names import class_named, is_factor, says
from conflens.options.value_texts import made_text
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.types import OBJECT, STRING, JavaType, parse
from conflens.program.values import Values

__all__ = ["Inferrer", "combine"]

_PLAIN = frozenset({"boolean", "integer", "fraction"})
"""Kinds of types whose values are no texts; what is done with a text in which one stands does not tell of it."""
_TEXTS = frozenset(
    {
        OptionType.STRING,
        OptionType.CLASS,
        OptionType.FILE,
        OptionType.URI,
        OptionType.REGEX,
        OptionType.LIST,
    }
)
_MEASURES = frozenset({OptionType.TIME, OptionType.SIZE})
_GETTERS = ("get", "is")
_PURE = (*_GETTERS, "parse", "valueOf", "equals", "decode", "trim", "to", "requireNonNull")
_ACTS = (ir.StoreField, ir.StoreIndex, ir.New, ir.Throw)
MAX_DEPTH = 4
"""Wrappers within wrappers looked through for what they do with a value."""
_OPEN_KINDS = ("", "string", "integer", "fraction")
"""Kinds of types of which uses may tell more."""
_TESTED = "branches by what they test"
_NUMBER = re.compile(r"-?\d+\Z")
_NOTHING = Followed((), (), frozenset(), True, False, frozenset())
_TEXT_ROLES = frozenset({Role.COMPARED, Role.ARITHMETIC, Role.MEASURED})


class Inferrer:
    """Infers types in one program; remembers what readings of different values share."""

    def __init__(self, program: Program, models: Models, values: Values | None = None) -> None:
        """Infer in ``program`` by the rows of ``models``."""
        self.program = program
        self.uses = Uses(program, models, values)
        self.reader = UseReader(self.uses)
        self.secrets = SecretTargets(self.uses)
        text = partial(made_text, self.uses.rows.models, self.uses.values)
        self.default_maps = DefaultMaps(Tracer(self.uses.values), text)
        self.by_key = ByKey(self.uses, self.default_maps)
        self.limits = LimitReader(self.uses, self.reader, models)
        self.adjusted = Adjusted(self.uses, models)
        self.remembered = self.uses.values.trail.remembered

    # -- entry points ------------------------------------------------------------------------------

    def infer(self, site: Site, default_text: str | None, name: str) -> Inference:
        """Return what following a read says.  ``default_text``: the default given there."""
        if site.followed == NONE:
            return self._alone(site, default_text, name)
        found = _third(self._followed_site(site, default_text, name), default_text)
        if site.presence:
            return found
        if not found.target and site.default_value != NONE:
            code = self.uses.code(site.ref)
            found = attrs.evolve(found, target=self.secrets.giver(code, site.default_value))
        return self._limited(site, found)

    def _limited(self, site: Site, found: Inference) -> Inference:
        """Add what the reading body, or the wrapper that it calls, demands of the value."""
        starts = self._starts(site)
        stated = self.limits.of_values(site.ref, starts)
        if stated.limits.joints and found.type in (OptionType.STRING, OptionType.UNKNOWN):
            why = "looked up as the name of a constant"
            found = attrs.evolve(found, type=OptionType.MODE, why=why, values=stated.values)
        found = self.adjusted.read(site, starts, found)
        limits, files = [found.limits, stated.limits], found.files
        if site.through is not None:
            accepts, more = self.limits.of_wrapper(site.through)
            limits.append(Limits(accepts=accepts))
            files |= more
        return attrs.evolve(found, limits=joined(limits), allowed=stated.values, files=files)

    def _followed_site(self, site: Site, default_text: str | None, name: str) -> Inference:
        type_ = self._carried(site, self.uses.code(site.ref).context.type_of(site.followed))
        followed = self._follow_site(site, self._is_narrow(site.hint, type_))
        found = self._as_read(site, followed, type_, default_text, name)
        reached = {index for ref, index in followed.reached if ref == site.ref and index != NONE}
        if default_text is not None and not site.presence:
            instead = replaced(self.uses, followed, site.ref, default_text)
            return attrs.evolve(found, instead=instead)
        if default_text is None and found.default is not None and not site.presence:
            instead = replaced(self.uses, followed, site.ref, found.default)
            return attrs.evolve(found, default=instead or found.default)
        if default_text is not None or found.default is not None or site.presence:
            return found
        if site.kind is ReadKind.DISPATCH:
            text, files = default_kept(self.uses, self.uses.code(site.ref), reached)
            return attrs.evolve(found, default=text, files=found.files | files)
        text, files = unchanged(self.uses, site)
        if text is None:
            text, more = self.by_key.default(site, reached)
            files |= more
        implied = text is None and not site.default
        if implied:
            text, more = self.by_key.implied(site)
            files |= more
        return attrs.evolve(found, default=text, files=found.files | files, implied=implied)

    def _as_read(
        self,
        site: Site,
        followed: Followed,
        type_: JavaType | None,
        default_text: str | None,
        name: str,
    ) -> Inference:
        extra = []
        if site.presence:
            extra.append(Evidence(OptionType.BOOLEAN, PRESENCE, CERTAIN))
        found = self._result(
            followed, type_, site.hint, default_text, name, extra, site.ref, site.api
        )
        if site.through is None:
            if found.default is None and not site.default and not site.presence:
                found = attrs.evolve(found, default=self._put_default(site, name))
            if found.unused and not self._gives_value(site):
                return attrs.evolve(found, unused=False)
            return found
        if found.unused:
            used, files = self._acts(site.through)
            found = attrs.evolve(found, unused=not used, files=found.files | files)
        if not site.default and found.default is None:
            text, files = self._own_default(site.through)
            if text is None and not site.presence:
                text, more = self.default_maps.behind(site.through, name)
                files |= more
            found = attrs.evolve(found, default=text, files=found.files | files)
        return found

    def _put_default(self, site: Site, name: str) -> str | None:
        """Return the default that the program puts into the map which a read asks."""
        code = self.uses.code(site.ref)
        call = code.code[site.value] if site.value != NONE else None
        if not isinstance(call, ir.Call) or call.object == NONE:
            return None
        return self.default_maps.of(code.context, call.object, name)

    def _carried(self, site: Site, type_: JavaType | None) -> JavaType | None:
        """Return the type argument of an object of the project that a wrapper makes of the value, any other type as it is."""
        if site.through is None or type_ is None or len(type_.args) != 1:
            return type_
        own = self.program.type(type_.name) is not None
        return type_.args[0] if own and kind_of(self.program, type_.args[0]) else type_

    def _gives_value(self, site: Site) -> bool:
        """Tell whether a call is made for what it returns, and not for what it changes."""
        call = self.uses.code(site.ref).code[site.followed]
        return not isinstance(call, ir.Call) or call.name.startswith(_GETTERS)

    def _acts(self, ref: MemberRef) -> tuple[bool, frozenset[str]]:
        """Tell whether a wrapper may do more with the value than to return it; the files looked at."""
        return self.remembered(("acts", ref), lambda: self._find_acts(ref))

    def _find_acts(self, ref: MemberRef) -> tuple[bool, frozenset[str]]:
        level, looked, files = [ref], {ref}, set[str]()
        for _ in range(MAX_DEPTH + 1):
            below: list[MemberRef] = []
            for one in level:
                files.add(one.path)
                called = self._only_asks(one)
                if called is None:
                    return True, frozenset(files)
                below += [target for target in called if target not in looked]
                looked.update(called)
            level = below
        return bool(level), frozenset(files)

    def _only_asks(self, ref: MemberRef) -> list[MemberRef] | None:
        """Return the methods that a body calls, ``None`` if it does more than to ask them for values."""
        code = self.uses.code(ref)
        if (
            self.program.member(ref).type == "void"
            or self.program.files[ref.path].problems
            or any(isinstance(instr, _ACTS) for instr in code.code)
        ):
            return None
        called: dict[MemberRef, None] = {}
        for index, instr in enumerate(code.code):
            if not isinstance(instr, ir.Call):
                continue
            if not instr.name.startswith(_PURE):
                return None
            called.update(dict.fromkeys(code.context.targets(index)[:1]))
        return list(called)

    def _own_default(self, ref: MemberRef) -> tuple[str | None, frozenset[str]]:
        """Return the default in a wrapper's body and the files that say so."""
        return self.remembered(("own default", ref), lambda: wrapper_default(self.uses, ref))

    def infer_member(
        self,
        ref: MemberRef,
        hint: Hint,
        default_text: str | None,
        name: str,
        slot: int = NONE,
        entry: tuple[MemberRef | None, int] = (None, NONE),
    ) -> Inference:
        """Return what following a member, or a parameter of one, says; ``entry``: the parameter by which the value comes in."""
        member = self.program.member(ref)
        type_: JavaType | None
        if member.kind in ("method", "constructor"):
            if slot == NONE and len(member.params) == 1:
                slot = 0
            if slot != NONE:
                type_ = self.program.resolve(member.params[slot].type, ref.path, ref.owner)
                enough = self._enough(narrow := self._is_narrow(hint, type_))
                followed = self._remember(
                    ("parameter", ref, slot, narrow),
                    lambda: self.uses.parameter(ref, slot, enough),
                )
            else:
                type_ = self.program.return_type(ref)
                enough = self._enough(narrow := self._is_narrow(hint, type_))
                followed = self._remember(
                    ("result", ref, narrow), lambda: self.uses.result(ref, enough)
                )
        else:
            type_ = self.program.field_type(ref)
            enough = self._enough(narrow := self._is_narrow(hint, type_))
            followed = self._remember(("field", ref, narrow), lambda: self.uses.field(ref, enough))
        found = self._result(followed, type_, hint, default_text, name, [], None, member.name)
        found = attrs.evolve(found, files=found.files | {ref.path})
        if member.kind == "method" and slot != NONE:
            found = limited(found, self.limits.of_parameter(ref, slot))
        elif member.kind == "field":
            found = limited(found, self.limits.of_field(ref))
        found = self.adjusted.member(ref, slot, found)
        secret, files, names = self.secrets.of_member(ref, slot, entry, found)
        return attrs.evolve(found, unused=False, target=secret, files=files, names=names)

    def infer_hint(self, hint: Hint, default_text: str | None, name: str) -> Inference:
        """Return what a declaration without a value to follow says."""
        return self._result(_NOTHING, None, hint, default_text, name, [], None)

    # -- following -----------------------------------------------------------------------------------

    def _remember(self, key: object, follow: Callable[[], Followed]) -> Followed:
        return self.remembered(("followed", key), follow)

    def _is_narrow(self, hint: Hint, type_: JavaType | None) -> bool:
        """Tell whether the type of a value needs no uses to be known."""
        kind = kind_of(self.program, type_)
        said = hint.type.value if hint.type is not None else ""
        return kind not in _OPEN_KINDS or said not in _OPEN_KINDS

    def _enough(self, narrow: bool) -> Enough:
        """Return the use after which nothing more is to be learned.

        A value whose type is narrow already is followed only to see that it is used.
        """

        def enough(use: Use) -> bool:
            if narrow:
                return use.role is not Role.CAST
            if use.role is not Role.ARGUMENT or use.trace.relation is not Relation.SAME:
                return False
            row = self.uses.rows.value(self.uses.code(use.ref), use.index, use.place)
            return row is not None and row.value_type not in (*_OPEN_KINDS, "class")

        return enough

    def _starts(self, site: Site) -> list[int]:
        return self._same_load(site) if site.kind is ReadKind.DISPATCH else [site.followed]

    def _follow_site(self, site: Site, narrow: bool) -> Followed:
        places = self._starts(site)
        key = ("value", site.ref, *places, narrow)
        enough = self._enough(narrow)
        return self._remember(
            key, lambda: self.uses.values_of([(site.ref, value) for value in places], enough)
        )

    def _same_load(self, site: Site) -> list[int]:
        """Return all loads of the variable in the arm that a comparison of the key governs."""
        code = self.uses.code(site.ref)
        load = code.code[site.followed]
        if not isinstance(load, ir.Load) or load.up:
            return [site.followed]
        start, stop = code.region(site.followed)
        branch = self._branch(site)
        # A later comparison may govern the variable: that of what the option's own arm has kept.
        apart = branch is not None and not branch.then_start <= site.followed < branch.else_start
        for region in code.regions_around(site.followed):
            if apart or region[0] <= site.value:
                break
            start, stop = region
        loads = code.loads.get(load.slot, [])
        return loads[bisect_left(loads, start) : bisect_left(loads, stop)]

    # -- evidence ------------------------------------------------------------------------------------

    def _alone(self, site: Site, default_text: str | None, name: str) -> Inference:
        """Infer a read whose value is not followed.

        A command-line word is a switch when its arm asks for nothing further; one that steps over
        the next argument has a value, whatever that is.
        """
        extra = [Evidence(OptionType.BOOLEAN, PRESENCE, CERTAIN)] if site.presence else []
        unknown = NOT_FOLLOWED
        if site.kind is ReadKind.DISPATCH and name.startswith("-"):
            arm = self._arm(site)
            if any(_moves(self.uses.code(site.ref), item) for item in arm):
                unknown = "steps over an argument"
            elif arm:
                extra.append(Evidence(OptionType.BOOLEAN, SWITCH, CERTAIN))
        found = self._result(_NOTHING, None, site.hint, default_text, name, extra, None)
        why = unknown if found.type is OptionType.UNKNOWN else found.why
        return attrs.evolve(found, why=why, files=frozenset({site.ref.path}))

    def _arm(self, site: Site) -> tuple[ir.Instr, ...]:
        """Return the code that runs when a comparison of the site holds."""
        branch = self._branch(site)
        if branch is None:
            return ()
        return self.uses.code(site.ref).code.within(branch.then_start, branch.else_start)

    def _branch(self, site: Site) -> ir.If | None:
        """Return the branch that tests a comparison of the site."""
        code = self.uses.code(site.ref)
        tested = code.context.notes.get(_TESTED)
        if not isinstance(tested, dict):
            tested = code.context.notes[_TESTED] = {
                value: number
                for number in reversed(code.branches)
                if isinstance(one := code.code[number], ir.If) and one.test != NONE
                for value in code.inside(one.test)
            }
        branch = code.code[tested[site.value]] if site.value in tested else None
        return branch if isinstance(branch, ir.If) else None

    def _result(
        self,
        followed: Followed,
        type_: JavaType | None,
        hint: Hint,
        default_text: str | None,
        name: str,
        extra: list[Evidence],
        start: MemberRef | None,
        api: str = "",
    ) -> Inference:
        type_ = self._hinted(hint, type_)
        own = kind_of(self.program, type_)
        if type_ is not None and type_ == OBJECT:
            own = ""
        evidence = [*extra, *self._from_hint(hint, type_, api)]
        returned = declared(self.uses, type_, f"returned by {api}" if api else "declared type")
        if returned is not None:
            evidence.append(returned)
        is_map = bool(hint.java_type) and type_ is not None and self._is_map(type_)
        if is_map and hint.type is None:
            evidence.append(Evidence(OptionType.MAP, "declared as a map", CERTAIN))
        for one in self.reader.read(followed, own):
            factor = is_factor(name) and one.type in _MEASURES
            if not (factor or is_map or (own in _PLAIN and one.type in _TEXTS)):
                evidence.append(one)
        written = own == "string" and bool(hint.java_type) and hint.type is None
        if written:
            evidence.append(Evidence(OptionType.STRING, TEXT, CERTAIN))
        elif self._is_made(own, hint, type_):
            evidence.append(Evidence(OptionType.STRING, MADE, WEAK))
            named = self._class_says(type_)
            if named is not None:
                evidence.append(named)
        if not (is_map or self._has_members(own, hint, type_)):
            evidence += self._from_name(name, written)
        if not written:
            evidence += self._from_default(default_text, own)
        textual = own == "string" or hint.type is OptionType.STRING
        if not own and hint.type is None:
            textual = any(passed.type == STRING for passed in followed.passed)
        if textual and hint.type in (None, OptionType.STRING):
            evidence += self._as_text(followed, hint)
        verdict = decide(evidence)
        limits = UNLIMITED
        if verdict.type is OptionType.CLASS:
            supertype = self.reader.made_type(followed)
            limits = Limits(supertype=supertype) if supertype else limits
            made = self.reader.made_as(followed)
            if made:
                verdict = attrs.evolve(verdict, why=f"{verdict.why}, cast to {made}")
        files, names = followed.files, followed.names
        default: str | None = None
        if start is not None:
            looked = {start.path}
            default = default_of(self.uses, followed, start, looked)
            files |= looked
        if start is not None and default is None and default_text is None:
            truth = verdict.type is OptionType.BOOLEAN
            default, more, called = default_elsewhere(self.uses, followed, start, truth)
            files, names = files | more, names | called
        info = self.program.type(type_.name) if type_ is not None else None
        if info is not None:
            files |= {info.path}
        secret = self.secrets.receiver(followed, verdict.type, verdict.why)
        return Inference(
            verdict.type,
            verdict.why,
            verdict.values,
            verdict.unit,
            start is not None and followed.unused,
            default,
            files | secret.files,
            names | secret.names,
            limits,
            target=secret.name,
            compared=compared_only(self.uses, followed),
        )

    def _is_made(self, own: str, hint: Hint, type_: JavaType | None) -> bool:
        """Tell whether a member is declared with a class whose values a file can only hold as text."""
        if own or not hint.java_type or hint.type is not None or type_ is None:
            return False
        info = self.program.type(type_.name)
        members = info is None or info.decl.kind != "interface"
        members = members and self._structured(type_)
        members = members if hint.members is None else hint.members
        return not element_of(self.program, type_)[0] and not members

    def _class_says(self, type_: JavaType | None) -> Evidence | None:
        """Return what the name of a class says whose source is not at hand."""
        if type_ is None or self.program.type(type_.name) or self.program.jdk_type(type_.name):
            return None
        name = simple(type_.name)
        found = class_named(name)
        return Evidence(found, f"declared as {name}", NAMED) if found is not None else None

    def _has_members(self, own: str, hint: Hint, type_: JavaType | None) -> bool:
        """Tell whether a member is an object with members of its own, which the word for a text or a number names."""
        if own or not hint.java_type or hint.type is not None or type_ is None:
            return False
        if hint.members is not None:
            return hint.members
        known = self.program.type(type_.name) is not None
        return known and self._structured(type_)

    def _structured(self, type_: JavaType) -> bool:
        self.uses.values.asking.shape(type_.name)
        return structured(self.program, type_)

    def _hinted(self, hint: Hint, type_: JavaType | None) -> JavaType | None:
        if not hint.java_type:
            return type_
        return (
            parse(hint.java_type, JavaType)
            if self._is_map(_raw(hint))
            else JavaType(hint.java_type)
        )

    def _is_map(self, type_: JavaType) -> bool:
        return element_of(self.program, type_)[0] == "map"

    def _from_hint(self, hint: Hint, type_: JavaType | None, api: str) -> Iterator[Evidence]:
        why = f"returned by {api}" if api else PRESENCE if hint.presence else DECLARED
        if hint.values and hint.type in (None, OptionType.STRING, OptionType.MODE):
            yield Evidence(OptionType.MODE, why, STATED, "", hint.values)
        elif hint.type not in (None, OptionType.STRING, OptionType.UNKNOWN):
            values = enum_constants(self.program, type_) if hint.type is OptionType.MODE else ()
            yield Evidence(hint.type, why, CERTAIN, unit_text(hint.unit), values)

    def _from_name(self, name: str, written: bool = False) -> Iterator[Evidence]:
        """Yield what a name says; ``written``: the value is declared as text, which its name does not make a number."""
        named = says(name)
        if named.number is not None and not written:
            weight = NAMED if named.exact else WEAK
            yield Evidence(named.number, f"named {name}", weight, named.unit)
        if named.text is not None:
            yield Evidence(named.text, f"named {name}", WEAK)

    def _from_default(self, default: str | None, own: str) -> Iterator[Evidence]:
        if default is None or own not in ("", "string"):
            return
        if default in ("true", "false"):
            yield Evidence(OptionType.BOOLEAN, f"default {default}", NAMED)
        elif _NUMBER.match(default):
            yield Evidence(OptionType.INTEGER, f"default {default}", WEAK)
        elif (measure := measured(default)) is not None:
            yield Evidence(measure, f"default {default}", NAMED)

    def _as_text(self, followed: Followed, hint: Hint) -> Iterator[Evidence]:
        """Take a text as one when it is used as text and nothing says more."""
        if hint.type is OptionType.STRING:
            yield Evidence(OptionType.STRING, TEXT, CERTAIN)
        elif not followed.cut and any(self._takes_text(use) for use in followed.uses):
            yield Evidence(OptionType.STRING, "used as text", WEAK)
        elif self._held_as_text(followed):
            yield Evidence(OptionType.STRING, "declared as text", WEAK)

    @staticmethod
    def _held_as_text(followed: Followed) -> bool:
        """Tell whether a value stays in variables that are declared as texts, and is not given to anybody unknown."""
        if followed.cut or any(use.role is Role.RETURNED for use in followed.uses):
            return False
        return any(
            passed.type == STRING and passed.trace.relation is Relation.SAME
            for passed in followed.passed
        )

    def _takes_text(self, use: Use) -> bool:
        """Tell whether a use is one that texts have; of unknown methods nothing is known."""
        if use.role is not Role.ARGUMENT:
            return use.role in _TEXT_ROLES
        code = self.uses.code(use.ref)
        call = code.code[use.index]
        if not isinstance(call, ir.Call):
            return self.uses.rows.value(code, use.index, use.place) is not None
        return any(
            code.context.jdk_method(owner, call) is not None
            for owner in self.uses.rows.owners(code, use.index)
        )


def _raw(hint: Hint) -> JavaType:
    """Return the declared type without its arguments."""
    return JavaType(hint.java_type.partition("<")[0])


def _moves(code: Code, instr: ir.Instr) -> bool:
    """Tell whether an instruction counts a local up, as a loop over arguments does to take one."""
    if not isinstance(instr, ir.Store) or instr.declares:
        return False
    value = code.code[instr.value]
    return isinstance(value, (ir.Unary, ir.Binary)) and value.op in ("++", "+")


def _third(found: Inference, default_text: str | None) -> Inference:
    """Take what is compared with ``true`` or ``false`` for a mode if its default is a third word, such as ``auto``."""
    default = found.instead or default_text or found.default or ""
    boolean = found.type is OptionType.BOOLEAN and found.why.startswith(EQUALS)
    if not boolean or not default.isalpha() or default.lower() in TRUTH:
        return found
    return attrs.evolve(found, type=OptionType.MODE, values=("true", "false", default))
