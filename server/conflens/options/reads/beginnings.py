"""Names of reads that begin with an argument of their member, completed by what its callers pass.

Absent: names of which callers give another part, or all (``wrappers``); prefixes of carriers (``given_prefixes``).
"""

from __future__ import annotations

from functools import partial

from conflens.base.paths import is_test_path
from conflens.facts import ir
from conflens.options.names.patterns import covers
from conflens.options.sites import Site
from conflens.program.body_uses import loads, takers
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.program.templates import (
    BEFORE,
    MOST,
    UNKNOWN,
    Captured,
    Dynamic,
    Param,
    Part,
    SelfField,
    Template,
    Templates,
    dynamic,
    substitute,
)
from conflens.program.values import Values

SEPARATORS = (".", "-", "_", "/", ":", "[")
"""What parts of a name are separated by."""

SITE_STEPS = 30
"""What the read that one call of a method makes costs (``base.budget``), or one of the names of a read."""

_MANY = f"callers give more than {MOST:,} beginnings of names that are read here; these names are taken for patterns"
_CROWDED = "more members name this method than are looked at: names that its callers complete are taken for patterns"
_TELLERS = 2
"""Levels of callers above the direct ones in which the beginning of a name is looked for."""


def holes(templates: Templates) -> bool:
    """Tell whether some alternative depends on the member's caller."""
    return any(
        isinstance(part, (Param, Captured, SelfField)) for parts in templates for part in parts
    )


class Beginnings:
    """Completes names of which callers tell the beginning."""

    def __init__(self, program: Program, values: Values) -> None:
        """Ask the callers of members of ``program``."""
        self.program = program
        self.values = values

    def section(self, site: Site, place: MemberRef, names: Templates) -> Templates | None:
        """Complete the name of a read in a method that reads several keys below a prefix and gives none of them back.

        Each such read is reported where it stands, not where the method is called.  ``None``: this is no such method.
        """
        member = self.program.member(place)
        if member.kind != "method" or member.type != "void" or place != site.ref:
            return None
        if not all(map(_begun, names)):
            return None
        context = self.values.open(place)
        slots = {part.slot for parts in names for part in parts[:1] if isinstance(part, Param)}
        if any(_ends_put_behind(context, slot) < 2 for slot in slots):
            return None
        told = self.completed(place, names, partly=True)
        self.program.meter.spend(SITE_STEPS * len(told or ()))
        return told

    def completed(
        self, place: MemberRef, names: Templates, partly: bool = False
    ) -> Templates | None:
        """Complete names whose beginning is an argument of a member; ``None`` if some caller's argument is unknown.

        Unless ``partly``: then what is unknown is left open.
        """
        found: dict[Template, None] = {}
        for parts in names:
            if not _begun(parts):
                return None
            begun = (parts[:1],)
            known = self.values.trail.remembered(
                ("beginnings", place, begun, partly),
                partial(self._beginnings, place, begun, partly=partly),
            )
            if known is None:
                return None
            found.update(dict.fromkeys((*start, *parts[1:]) for start in known))
        if len(found) > MOST:
            self.values.cut(place, _MANY)
        return tuple(found) if len(found) <= MOST else None

    def _beginnings(
        self, place: MemberRef, names: Templates, depth: int = 0, partly: bool = False
    ) -> Templates | None:
        """Return what the callers of a member pass; ``None`` if that is unknown for one of them."""
        found: dict[Template, None] = {}
        if self.values.asking.overridden(place) or self.values.asking.overriders(place):
            return None
        calls = self.values.callers(place)
        own = [call for call in calls if not is_test_path(call[0].ref.path)]
        for context, value, args in own or calls:
            call = context.code[value]
            receiver = call.object if isinstance(call, ir.Call) else value

            def fill(
                part: Part,
                context: Context = context,
                receiver: int = receiver,
                args: tuple[int, ...] = args,
            ) -> Templates:
                return self.values.open_filled(context, receiver, args, part)

            filled = substitute(names, fill)
            if partly:
                filled = self.opened_fields(filled, context.ref.owner, begun=True)
            if holes(filled):
                if depth >= _TELLERS:
                    return None
                filled = self._beginnings(context.ref, filled, depth + 1, partly) or UNKNOWN
            if not partly and any(map(dynamic, filled)):
                return None
            found.update(dict.fromkeys(filled))
            if len(found) > MOST:
                self.values.cut(place, _MANY)
                return None
        if not calls and self.values.is_crowded(place):
            self.values.cut(place, _CROWDED)
        return tuple(found) or None

    def opened_fields(self, names: Templates, within: str, begun: bool = False) -> Templates:
        """Fill in what fields of the object may be.

        One that may be anything is not also each text that it is given somewhere, unless it is a whole name; names that are ``begun`` are none.
        """
        found: dict[Template, None] = {}
        for template in names:
            before = _how(template[0])[-1:] == (BEFORE,)
            rest = template[1] if len(template) > 1 else ""
            may_miss = before or not (isinstance(rest, str) and rest.startswith(SEPARATORS))

            whole = len(template) == 1 and not begun

            def fill(part: Part, whole: bool = whole, may_miss: bool = may_miss) -> Templates:
                field = field_of(part)
                if field is None:
                    return ((part,),)
                texts = self.values.expand(field, within=within)
                if whole or UNKNOWN[0] not in texts:
                    return texts
                kept = (UNKNOWN[0], ("",)) if may_miss else UNKNOWN
                return tuple(text for text in texts if text in kept)

            found.update(dict.fromkeys(substitute((template,), fill)))
        return tuple(found)[:MOST]


def general(names: Templates) -> Templates:
    """Return the names of one read without patterns that a more general pattern of it with as many parts covers."""
    patterns = {name: _written(name) for name in names if dynamic(name)}
    if len(patterns) < 2:
        return names
    return tuple(
        name
        for name in names
        if name not in patterns
        or not any(
            other != patterns[name]
            and other.count(".") == patterns[name].count(".")
            and covers(tuple(other.split("*")), patterns[name])
            for other in patterns.values()
        )
    )


def _written(template: Template) -> str:
    """Return a pattern in which only what no caller tells is a ``*``."""
    return "".join(
        part if isinstance(part, str) else "*" if isinstance(part, Dynamic) else f"\0{part}\0"
        for part in template
    )


def _how(part: Part) -> tuple[str, ...]:
    """Return what is done to the text of a hole."""
    return () if isinstance(part, (str, Dynamic)) else tuple(turn.what for turn in part.how)


def _ends_put_behind(context: Context, slot: int) -> int:
    """Return how many different texts a body puts behind a parameter."""
    ends = set()
    for load in loads(context, slot):
        for taker in takers(context, load):
            instr = context.code[taker]
            if isinstance(instr, ir.Binary) and instr.op == "+" and instr.left == load:
                end = context.code[instr.right]
                ends.add(end.value if isinstance(end, ir.Const) else getattr(end, "name", ""))
    return len(ends)


def _begun(parts: Template) -> bool:
    """Tell whether a caller gives the beginning of a name and nothing else."""
    rest = parts[1:]
    return isinstance(parts[0], Param) and bool(rest) and not holes((rest,))


def field_of(part: Part) -> SelfField | None:
    """Return the field that a hole stands for, of the receiver or of an argument."""
    if isinstance(part, Param) and part.name:
        return SelfField(part.owner, part.name)
    return part if isinstance(part, SelfField) else None
