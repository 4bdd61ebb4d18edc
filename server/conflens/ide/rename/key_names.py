"""What keys are called that are derived from members, before and after the member gets another name.

Terms
    part      the last segment of a key, which is derived from the member; what stands before it is the prefix of the class.
    naming    how a part is derived: ``field`` (as in Java) or ``kebab`` (``maxSize`` gives ``max-size``).
    form      how a relaxed name is spelled at one place: ``max-size``, ``maxSize``, ``max_size``, ``MAX_SIZE`` or ``MAXSIZE``.

Invariant: of a key only its part changes, and it keeps its form; a form that cannot be told (one word) becomes that of the new name.
Absent: members (``bound_members``), places (``rename``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.ide.rename.bound_members import BoundMember, java_name
from conflens.ide.rename.refusal import RefusedError, refused_at
from conflens.options.binding.expand import kebab
from conflens.options.model import Option
from conflens.session.analysis import Analysis

_INDEX = re.compile(r"(?:\[[^\]]*\])+\Z")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


def is_relaxed(analysis: Analysis, option: Option) -> bool:
    """Whether an option's name may be spelled in several forms."""
    return option.domain in analysis.recognised.names.relaxed


def is_kebab(analysis: Analysis, option: Option, member: BoundMember) -> bool:
    """Whether the naming is ``kebab`` and not ``field``; raises ``RefusedError`` if a key is derived in another way."""
    part = option.name.rpartition(".")[2]
    if part not in (member.name, kebab(member.name)):
        raise refused_at(
            analysis,
            member.place,
            f"how the key is derived from {member.symbol} is not known",
            "Rename both by hand.",
        )
    if kebab(member.name) != member.name:
        return part != member.name
    # Both give the same; the other members of the class tell.
    owner = next(one.symbol for one in option.declarations if one.place == member.place)
    owner = owner.rpartition(".")[0]
    for other in analysis.options.options:
        for one in other.declarations if other.domain == option.domain else ():
            of, _, name = one.symbol.rpartition(".")
            same = one.kind == "field" and one.place.path == member.place.path and of == owner
            if same and kebab(name) != name:
                return other.name.rpartition(".")[2] == kebab(name)
    return is_relaxed(analysis, option)


def new_member(analysis: Analysis, option: Option, member: BoundMember, new: str) -> str:
    """Return what the member of an option must be called for its key to be ``new``; raises ``RefusedError``."""
    head = option.name.rpartition(".")[0]
    above, _, wanted = new.rpartition(".")
    if above != head:
        must = f"must begin with '{head}.'" if head else "can have no dot"
        raise refused_at(
            analysis,
            member.place,
            f"the last part of the key is derived from {member.symbol}, so the new key {must}",
        )
    name = java_name(wanted)
    if is_relaxed(analysis, option) or is_kebab(analysis, option, member):
        if kebab(name) != kebab(wanted).strip("-"):
            raise RefusedError(f"Can't rename: no {member.member.kind} gives the key '{new}'.")
        return name
    return wanted


def derived(analysis: Analysis, option: Option, member: BoundMember, name: str) -> str:
    """Return the whole name of an option whose member is called ``name``."""
    head, dot, _ = option.name.rpartition(".")
    return f"{head}{dot}{kebab(name) if is_kebab(analysis, option, member) else name}"


def respelled(name: str, old: str, new: str) -> str:
    """Return the new name of a key in the form in which ``name`` spells the old one.

    Both are whole names that differ in their parts."""
    part, wanted = old.rpartition(".")[2], new.rpartition(".")[2]
    if name != old and _VARIABLE.fullmatch(name):
        for join in ("_", ""):
            form = _variable(part, join)
            if name.endswith(form):
                return name.removesuffix(form) + _variable(wanted, join)
    head, dot, last = name.rpartition(".")
    index = _INDEX.search(last)
    tail = index[0] if index is not None else ""
    return f"{head}{dot}{_formed(last.removesuffix(tail), wanted)}{tail}"


def forms(name: str) -> Iterator[str]:
    """Yield the forms of a whole relaxed name beside itself."""
    for form in (_camel(name), name.replace("-", "_"), _variable(name, "_"), _variable(name, "")):
        if form != name:
            yield form


def _formed(like: str, part: str) -> str:
    if "-" in like:
        return kebab(part)
    if "_" in like:
        return kebab(part).replace("-", "_")
    return _camel(part) if like != like.lower() else part


def _camel(name: str) -> str:
    return re.sub(r"-(\w)", lambda match: match[1].upper(), name)


def _variable(name: str, join: str) -> str:
    """An environment variable's form, in which a dash is an underscore or nothing."""
    return re.sub(r"[^A-Za-z0-9]", "_", kebab(name).replace("-", join)).upper()
