"""The names under which reads are listed: what a template of a name stands for, or that too little of it is known.

Absent: which names are one option (``joining``), names in placeholders (``placeholders``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from conflens.facts import ir
from conflens.facts.ir import NONE
from conflens.options.names.joining import GENERIC
from conflens.options.sites import Site
from conflens.options.value_names import words
from conflens.program.expressions import Context
from conflens.program.program import Program
from conflens.program.templates import Template, known_text, reason_of

_KNOWN_PART = re.compile(r"[A-Za-z0-9]{2}")
_NO_NAME = re.compile(r"[\s;=<>(){}'\"|,?&^!~/:]")
_SWITCH = re.compile(r"-+[A-Za-z0-9]\*\Z")
_SPACE = re.compile(r"\s")
_SPACED = re.compile(r"[A-Z]+(?: [A-Z]+)+\Z")
_PATHS = frozenset({"jndi", "preferences", "command-line", "servlet", "spring", "xml"})
_MAX_NAME = 200
_ENVIRONMENT = "environment"
_TITLE = re.compile(r"[A-Z][\w-]*(?: (?:- )?[\w-]+){1,7}\Z")
_CONFIGURATION = frozenset({"config", "configuration", "settings", "preferences"})
"""Words in names of classes whose objects are asked for options."""


@lru_cache(maxsize=1 << 15)
def _is_long(template: Template) -> bool:
    """Tell whether a text would be a name if it were not that long."""
    text = "".join(part if isinstance(part, str) else "*" for part in template)
    return len(text) > _MAX_NAME and _SPACE.search(text) is None


def pattern_of(
    template: Template, domain: str = "", sure: bool = False, compared: bool = False
) -> str | None:
    """Return the name or pattern a template stands for; ``None`` if too little is known.

    In a generic domain a pattern must begin with something known, in the environment also one with a dot, which is a path in
    what a variable holds, or stand below a section of an unknown key (``*.``); one that begins with a dot lacks what stands before it.  ``sure``: it is asked of a known API,
    so that a name given in full may look like anything but a sentence.  ``compared``: the program compares
    keys with this pattern, so that it may begin with anything.
    """
    text = "".join(part if isinstance(part, str) else "*" for part in template)
    text = re.sub(r"\*+", "*", text)
    if domain == "command-line" and _SWITCH.match(text):
        return text
    if "*" in text and not _KNOWN_PART.search(text.replace("*", " ")):
        return None
    if (
        text.startswith("*")
        and not (compared or str(template[0]).startswith("*."))
        and (domain in GENERIC or (domain == _ENVIRONMENT and "." in text))
    ):
        return None
    if sure and len(template) == 1 and text == template[0] and domain not in GENERIC:
        return text if text and len(text) <= _MAX_NAME and not _SPACE.search(text) else None
    if not text.strip() or len(text) > _MAX_NAME or text[-1] in ".-_/":
        return None
    if text[0] == "." and domain in GENERIC:
        return None
    strange = _NO_NAME.search(text) is not None and _SPACED.match(text) is None
    if strange and (domain not in _PATHS or any(char.isspace() for char in text)):
        return None
    return text


def reason_against(template: Template) -> str:
    """Return why a template is no name, if a bound leaves it open or it is too long; else empty."""
    reason = ""
    if bound := reason_of(template):
        reason = f"name not known: {bound}"
    elif _is_long(template):
        reason = f"name of more than {_MAX_NAME} characters"
    return reason


def asked_title(program: Program, site: Site, template: Template) -> str | None:
    """Return a name of several words, ``Connect Timeout``, that a method of the project is given with an object whose class is called
    configuration; ``None`` for anything else."""
    text = known_text((template,))
    if text is None or site.through is None or not _TITLE.match(text) or len(text) > _MAX_NAME:
        return None
    context = Context.of(program, site.ref)
    call = context.code[site.value] if site.value != NONE else None
    if not isinstance(call, ir.Call):
        return None
    asked = (context.type_of(value) for value in (call.object, *call.args) if value != NONE)
    names = (type_.name.rpartition(".")[2] for type_ in asked if type_ is not None)
    return text if any(not _CONFIGURATION.isdisjoint(words(name)) for name in names) else None


def title_of(template: Template) -> str | None:
    """Return a whole name that may be a title of several words: ``Batch Size``."""
    text = known_text((template,))
    return text if text and text.strip() == text and len(text) <= _MAX_NAME else None
