"""Methods of the project that say that they give a setting, wherever they find it: in a database, behind a remote call.

What stores the setting is not known, so nothing is followed to it.  The method says what it does by its name
(``getGlobalProperty``, ``settingValue``), and its callers by what they hand over: at least ``FEWEST`` different constant
names with a separator inside, and no fewer than half of all constants; overloads count together.  A bare ``getProperty`` counts only if the name of its
class says more (``RuntimeConfig``, ``SettingService``): any object has properties.

Absent: methods whose look-up is known (``wrappers``); methods of libraries (``learned``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.facts.model import Member
from conflens.options.bundles import words
from conflens.options.member_types import simple
from conflens.options.roles import Roles
from conflens.options.sites import NO_HINT, Api
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, known_text
from conflens.program.types import unboxed
from conflens.program.values import Values

FEWEST = 5
"""Different names with a separator that callers must hand over."""
DOMAIN = "settings"

_NOUNS = frozenset({"property", "setting", "config", "configuration", "preference"})
_VERBS = frozenset({"get", "is", "read", "find", "fetch", "load", "lookup", "retrieve"})
_FORMS = frozenset(
    {"value", "as", "or", "default", "else", "null", "string", "text", "boolean", "bool", "int"}
    | {"integer", "long", "double", "float", "number", "list", "by", "key", "name"}
)
"""Words that say in which form a setting is given."""
_SCOPES = frozenset({"global", "system", "server", "application", "app", "runtime", "site"})
_KEEPERS = frozenset({"service", "manager", "dao", "util", "utils", "helper", "globals"})
_TEXT = "java.lang.String"
_VALUES = frozenset({_TEXT, "java.util.Optional", "java.util.List", "java.time.Duration"})
_PLAIN = frozenset({"boolean", "int", "long", "double", "float", "short"})
_ANY = frozenset({"java.lang.Object"})
_NAME = re.compile(r"[A-Za-z][\w-]*(?:[._-][\w-]+)+\Z")
_DEFAULTS = ("default", "def", "fallback")


def find(program: Program, values: Values, roles: Roles, known: Iterable[Api]) -> tuple[Api, ...]:
    """Return the methods that give settings and are not ``known``, sorted by place."""
    taken = {api.ref for api in known}
    families: dict[tuple[str, str], dict[MemberRef, int]] = {}
    for ref, slot in _candidates(program, roles):
        top = min((ref, *program.overridden(ref)))
        families.setdefault((top.owner, program.member(ref).name), {})[ref] = slot
    unknown = {key: refs for key, refs in families.items() if taken.isdisjoint(refs)}
    slots = {ref: slot for refs in unknown.values() for ref, slot in refs.items()}
    handed = _handed(program, values, slots)
    found = [
        _api(program, ref, slot)
        for refs in unknown.values()
        if _are_options(name for ref in refs for name in handed[ref])
        for ref, slot in refs.items()
    ]
    return tuple(sorted(found, key=lambda api: api.ref))


def without(accessors: Iterable[Api], apis: Sequence[Api]) -> list[Api]:
    """Return the wrappers that are known without some accessors: not these, nor what reads through them."""
    own = {api.ref for api in accessors}
    through, more = set(own), set(own)
    while more:
        more = {api.ref for api in apis if api.through in more} - through
        through |= more
    return [api for api in apis if api.ref not in own and api.through not in through]


def _candidates(program: Program, roles: Roles) -> Iterator[tuple[MemberRef, int]]:
    """Yield the methods whose names say that they give a setting, each with the parameter that names it."""
    for path, facts in program.files.items():
        if is_test_path(path):
            continue
        for number, member in enumerate(facts.members):
            if member.kind != "method" or member.type in ("void", None) or not member.params:
                continue
            if not _says(member.name):
                continue
            ref = program.ref(path, number)
            owner = simple(ref.owner)
            if _is_bare(member.name) and not _is_of_settings(roles, owner):
                continue
            if roles.named_type(owner).score < 0:
                continue
            slot = _named_by(program, ref, member)
            if slot is None or not _gives_value(program, ref, member):
                continue
            asked = program.resolve(member.params[0].type, ref.path, ref.owner).name
            if slot and roles.named_type(simple(asked)).score < 0:
                continue
            yield ref, slot


def _says(name: str) -> bool:
    """Tell whether a name has the form of a verb, perhaps more words, and a setting, perhaps in some form."""
    found = words(name)
    while found and found[-1] in _FORMS and len(found) > 1:
        found.pop()
    return len(found) > 1 and found[0] in _VERBS and found[-1] in _NOUNS


def _is_bare(name: str) -> bool:
    """Tell whether a method's name does not say whose settings it gives."""
    return _SCOPES.isdisjoint(words(name))


def _is_of_settings(roles: Roles, owner: str) -> bool:
    """Tell whether the name of a class says that it holds settings, or finds them."""
    found = words(owner)
    return roles.named_type(owner).score > 0 or (
        not _KEEPERS.isdisjoint(found) and not _NOUNS.isdisjoint(found)
    )


def _gives_value(program: Program, ref: MemberRef, member: Member) -> bool:
    """Tell whether a method gives one value; what is called configuration may be a whole object."""
    type_ = program.return_type(ref)
    if type_ is None or type_.name in _ANY:
        return not {"config", "configuration"}.intersection(words(member.name))
    return type_.name in _VALUES or unboxed(type_) in _PLAIN


def _named_by(program: Program, ref: MemberRef, member: Member) -> int | None:
    """Return the parameter that names the setting: the first that is a text, of the first two."""
    for slot, param in enumerate(member.params[:2]):
        if program.resolve(param.type, ref.path, ref.owner).name == _TEXT:
            return slot
    return None


def _handed(
    program: Program, values: Values, slots: Mapping[MemberRef, int]
) -> Mapping[MemberRef, set[str]]:
    """Return the constants that callers hand to methods as the name of the setting, each caller looked at once."""
    found: dict[MemberRef, set[str]] = {ref: set() for ref in slots}
    for name in sorted({program.member(ref).name for ref in slots}):
        for user in values.asking.users(name):
            if is_test_path(user.path) or user in slots:
                continue
            context = values.open(user)
            for value, call in context.calls():
                if not isinstance(call, ir.Call) or call.name != name:
                    continue
                target = next(iter(context.targets(value)), None)
                slot = slots.get(target) if target is not None else None
                if target is None or slot is None or slot >= len(call.args):
                    continue
                program.meter.spend()
                text = known_text(values.of(context, call.args[slot]))
                if text is not None:
                    found[target].add(text)
    return found


def _are_options(names: Iterable[str]) -> bool:
    """Tell whether enough of some names look like those of options."""
    different = set(names)
    separated = sum(_NAME.match(name) is not None for name in different)
    return separated >= max(FEWEST, len(different) - separated)


def _api(program: Program, ref: MemberRef, slot: int) -> Api:
    member = program.member(ref)
    default = next(
        (
            number
            for number, param in enumerate(member.params)
            if number > slot and param.name.lower().startswith(_DEFAULTS)
        ),
        None,
    )
    return Api(
        ref,
        DOMAIN,
        f"{simple(ref.owner)}.{member.name}",
        ((Param(slot),),),
        None if default is None else ((Param(default),),),
        NO_HINT,
        presence=False,
        depth=1,
        sure=False,
        at=member.name_at - member.at,
        end=member.name_at - member.at + len(member.name.encode()),
        inner=f"{simple(ref.owner)}.{member.name}",
    )
