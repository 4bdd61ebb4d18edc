"""Templates: texts with holes, and sets of alternatives of them.

A *template* is a sequence of parts: literal text, and holes for what is not known at one place: a
parameter of the member (``Param``), or of the one around it (``Captured``), a field of the object it runs
on (``SelfField``), a field of every constant of an enum in turn (``Each``), or something dynamic (``DYNAMIC``).  What is done to
a text that a hole stands for is kept with the hole (``how``), and done when it is filled.
``Templates`` are alternatives, at most ``LIMIT`` of what is evaluated, or as many as are listed in code, up to ``MOST``; none
means ``null`` only.
Laws: ``union`` and ``concat`` keep every alternative up to the limit; ``substitute`` with the
identity changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

import attrs

from conflens.program.spellings import capital, restyled, uncapital

LIMIT = 8
"""Alternatives that are kept of what is evaluated."""
MOST = 4_000
"""Alternatives that are kept of what has more from the start, as the elements of an array or a definition that many objects name."""

LONGEST = 1 << 16
"""Characters of an alternative; a longer one, such as a text doubled again and again, is dynamic."""
MOST_PARTS = 200
"""Texts and holes of an alternative, which are filled one by one; one of more is dynamic."""

BEFORE = "before"
PATH = "path"
ENDED = "ended"
BEGUN = "begun"
FORMATTED = "formatted"
SIMPLE = "simple"
STYLED = "styled"
CAPITAL = "capitalized"
UNCAPITAL = "uncapitalized"

CONVERSION = re.compile(r"%([-#+ 0,(\d.$<]*)([a-zA-Z%])")
"""A conversion of a format text (``java.util.Formatter``): its shape and kind."""


class Turn(NamedTuple):
    """What is done to a text: ``lower``, ``upper``, each ``old`` replaced by ``new``, or ``before``: ``old`` is put behind it.

    What stands ``before`` another text is nothing, without ``old``, if it is ``null`` or empty.  A ``path`` does not begin with
    the sign ``old`` between its steps, which becomes ``new``.  ``ended``, ``begun``: ``old`` is added unless the text ends, begins so.
    ``formatted``: what a format text is filled with is not known, so that ``*`` stands for it.  ``simple``: the last part of
    the name of a class.  ``styled``: words of the style ``old`` in the style ``new`` (``spellings``).
    """

    what: str
    old: str = ""
    new: str = ""

    def of(self, text: str) -> str:
        """Return what becomes of a text."""
        if self.what == "lower":
            return text.lower()
        if self.what == BEFORE:
            return text + self.old if text else ""
        if self.what == ENDED:
            return text if text.endswith(self.old) else text + self.old
        if self.what == BEGUN:
            return text if text.startswith(self.old) else self.old + text
        if self.what == FORMATTED:
            return CONVERSION.sub(lambda found: "%" if found[2] == "%" else "*", text)
        if self.what == PATH:
            return text.lstrip(self.old).replace(self.old, self.new)
        if self.what == SIMPLE:
            return text.rpartition(".")[2]
        if self.what == STYLED:
            return restyled(text, self.old, self.new)
        if self.what in (CAPITAL, UNCAPITAL):
            return capital(text) if self.what == CAPITAL else uncapital(text)
        return text.upper() if self.what == "upper" else text.replace(self.old, self.new)


_MOST_ADDED = 4
"""Signs of what is added to a text that does not end so."""

MOST_TURNS = 8
"""What is done to a hole one after another; after more it is dynamic."""


ELEMENT = "[]"
"""What a parameter is the ``owner`` of whose elements are meant, one in each turn of a loop."""


RESULT = "()"
"""What begins the name by which a parameter's method without parameters is called, whose result is meant."""


class Param(NamedTuple):
    """The argument for parameter ``slot`` of the member, or its field ``name``, declared in ``owner``; see ``ELEMENT``, ``RESULT``."""

    slot: int
    owner: str = ""
    name: str = ""
    how: tuple[Turn, ...] = ()


class Captured(NamedTuple):
    """Parameter ``slot`` of the member ``up`` levels further out, seen from a class in its body."""

    up: int
    slot: int
    how: tuple[Turn, ...] = ()


class SelfField(NamedTuple):
    """The value of field ``name``, declared in ``owner``, of the object the member runs on.

    An enum constant's own name counts as its field ``CONSTANT``, the class of an object as ``CLASS``.
    """

    owner: str
    name: str
    how: tuple[Turn, ...] = ()


CONSTANT = "name()"
"""What a hole calls the name of an enum constant; no field is called so."""

CLASS = "getClass()"
"""What a hole calls the name of the class of an object, of an enum constant that of its enum; no field is called so."""


class Each(NamedTuple):
    """The values of field ``name`` of the constants of the enum ``owner``, one in each turn of a loop."""

    owner: str
    name: str
    how: tuple[Turn, ...] = ()


@attrs.frozen
class Dynamic:
    """A part that is known only at run time, or that a bound leaves open: ``reason`` says which, and makes no other part of it."""

    reason: str = attrs.field(default="", eq=False)


DYNAMIC = Dynamic()
Part = str | Param | Captured | SelfField | Each | Dynamic
Template = tuple[Part, ...]
Templates = tuple[Template, ...]
UNKNOWN: Templates = ((DYNAMIC,),)
_MANY_TURNS = Dynamic(f"more than {MOST_TURNS} changes are made to a part of it")
_LONG: Template = (Dynamic("it may be longer than any text that is evaluated"),)


def left_open(reason: str) -> Templates:
    """Return what is not known because a bound was met; ``reason`` says which, as a sentence without its end."""
    return ((Dynamic(reason),),)


def reason_of(template: Template) -> str:
    """Return which bound leaves a part of a template open; empty if none does."""
    return next(
        (part.reason for part in template if isinstance(part, Dynamic) and part.reason), ""
    )


def dynamic(template: Template) -> int:
    """Return how many parts of a template are known only at run time."""
    return sum(isinstance(part, Dynamic) for part in template)


def known_text(templates: Templates) -> str | None:
    """Return the text when there is exactly one alternative and it has no hole."""
    if len(templates) != 1:
        return None
    parts = templates[0]
    if all(isinstance(part, str) for part in parts):
        return "".join(part for part in parts if isinstance(part, str))
    return None


def normal(parts: Iterable[Part]) -> Template:
    """Join neighbouring texts and neighbouring unknowns."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif isinstance(part, Dynamic) and merged and isinstance(merged[-1], Dynamic):
            continue
        elif part != "":
            merged.append(part)
    return tuple(merged) or ("",)


def union(*many: Templates) -> Templates:
    """Return all alternatives, each once, at most ``LIMIT``, or as many as one of ``many`` has, up to ``MOST``.

    Where each is one text, as what the arms of a ``switch`` give, there are no more than are written there.
    """
    alone = all(len(one) <= 1 for one in many)
    return tuple(islice(_each(many), MOST if alone else _kept(*many)))


def listed(many: Iterable[Templates]) -> Templates:
    """Return all alternatives of what is listed in code, as the elements of an array, each once, at most ``MOST``."""
    return tuple(islice(_each(many), MOST))


def _each(many: Iterable[Templates]) -> Iterable[Template]:
    return dict.fromkeys(template for templates in many for template in templates)


def _kept(*many: Templates) -> int:
    """Return how many alternatives are kept of what is made of others."""
    return max(LIMIT, min(max(map(len, many), default=0), MOST))


def concat(left: Templates, right: Templates) -> Templates:
    """Return every alternative of ``left`` followed by every one of ``right``, at most ``LIMIT``, or as many as one side has, up to ``MOST``."""
    most = _kept(left, right)
    found: dict[Template, None] = {}
    for a in left:
        for b in right:
            found[_bounded((*a, *b))] = None
        if len(found) >= most:
            break
    return tuple(found)[:most]


def _bounded(parts: Template) -> Template:
    length = sum(len(part) for part in parts if isinstance(part, str))
    found = normal(parts) if length <= LONGEST else _LONG
    return found if len(found) <= MOST_PARTS else _LONG


def turned(templates: Templates, how: Turn) -> Templates:
    """Do something to the texts of templates; with a hole, it is kept for what fills that."""
    if how.what == BEFORE:
        return tuple(_before(template, how) for template in templates) or (("",),)

    if how.what in (ENDED, BEGUN):
        return tuple(_at_the_end(template, how) for template in templates)
    if how.what in (SIMPLE, STYLED) and any(len(template) > 1 for template in templates):
        return tuple(
            turned((template,), how)[0] if len(template) == 1 else (DYNAMIC,)
            for template in templates
        )

    def one(part: Part, how: Turn) -> Part:
        if isinstance(part, str):
            return how.of(part)
        if isinstance(part, Dynamic):
            return part
        if len(part.how) >= MOST_TURNS:
            return _MANY_TURNS
        return part._replace(how=(*part.how, how))

    then = None if how.what in (CAPITAL, UNCAPITAL) else how
    then = how._replace(what="replace") if how.what == PATH else then
    return tuple(
        normal((one(first, how), *(one(part, then) if then else part for part in rest)))
        for first, *rest in templates
    )


def _before(template: Template, how: Turn) -> Template:
    """Return what stands before another text: with what is between them, unless it is empty or may be."""
    first = template[0] if len(template) == 1 else ""
    if isinstance(first, (Param, Captured, SelfField, Each)) and len(first.how) < MOST_TURNS:
        return (first._replace(how=(*first.how, how)),)
    return normal((*template, how.old)) if template != ("",) else template


def _at_the_end(template: Template, how: Turn) -> Template:
    """Return a text that surely ends, or begins, with another; a hole there keeps that for what fills it."""
    at = -1 if how.what == ENDED else 0
    part = template[at]
    if isinstance(part, str):
        turned_: Part = how.of(part)
    elif isinstance(part, Dynamic) or len(part.how) >= MOST_TURNS:
        return normal((*template, how.old) if at else (how.old, *template))
    else:
        turned_ = part._replace(how=(*part.how, how))
    return normal((*template[:-1], turned_) if at else (turned_, *template[1:]))


def completed(one: Templates, two: Templates) -> tuple[Templates, Turn] | None:
    """Return what two texts are of which one has more behind, or before, a text that both have, and what that is; ``None`` for others.

    ``x + "pool"`` and ``x + "." + "pool"`` are ``x``, which then ends with a dot, and ``"pool"``.
    """
    for plain, full in ((one, two), (two, one)):
        if len(plain) != 1 or len(full) != 1 or plain == (("",),):
            continue
        first, *rest = plain[0]
        if not isinstance(first, (str, Dynamic)) and full[0][:1] == (first,):
            old, new = known_text((tuple(rest),) if rest else (("",),)), known_text((full[0][1:],))
            added = len(new) - len(old) if old is not None and new else 0
            if old is not None and new and 0 < added <= _MOST_ADDED and new.endswith(old):
                turn = Turn(ENDED, new[:added])
                return concat(turned(((first,),), turn), ((old,),)), turn
        texts = {part for part in (full[0][0], full[0][-1]) if isinstance(part, str)}
        for text in sorted(texts):
            for size in range(1, min(len(text), _MOST_ADDED) + 1):
                for turn in (Turn(ENDED, text[-size:]), Turn(BEGUN, text[:size])):
                    parts = (*plain[0], turn.old) if turn.what == ENDED else (turn.old, *plain[0])
                    if normal(parts) == full[0]:
                        return turned(plain, turn), turn
    return None


def optional_prefix(one: Templates, two: Templates) -> Templates:
    """Return the text that two choices are: one of them has a hole in front, and what separates it from the rest; else nothing."""
    for plain, full in ((one, two), (two, one)):
        if len(plain) != 1 or len(full) != 1 or len(full[0]) < 2:
            continue
        head, *rest = full[0]
        if not isinstance(head, (Param, Captured, SelfField)) or len(head.how) >= MOST_TURNS:
            continue
        between = rest[0] if isinstance(rest[0], str) else ""
        for old in dict.fromkeys(("", between[:1])):
            left = (between[len(old) :], *rest[1:]) if between else rest
            if normal(left) == plain[0] and plain[0] != ("",):
                return ((head._replace(how=(*head.how, Turn(BEFORE, old))), *plain[0]),)
    return ()


def substitute(templates: Templates, fill: Callable[[Part], Templates]) -> Templates:
    """Replace the holes of templates by what ``fill`` gives for them; no more are filled than are kept: ``LIMIT``, or as many as given or filled in, up to ``MOST``."""
    found: dict[Template, None] = {}
    most = _kept(templates)
    for template in templates:
        if len(found) >= most:
            break
        current: Templates = ((),)
        for part in template:
            filled = ((part,),) if isinstance(part, (str, Dynamic, Each)) else _fill(part, fill)
            current = concat(current, filled)
            if not current:
                break
        most = max(most, len(current))
        found.update(dict.fromkeys(current))
    return tuple(found)[:most]


def _fill(part: Param | Captured | SelfField, fill: Callable[[Part], Templates]) -> Templates:
    if not part.how:
        return fill(part)
    filled = fill(part._replace(how=()))
    for turn in part.how:
        filled = turned(filled, turn)
    return filled
