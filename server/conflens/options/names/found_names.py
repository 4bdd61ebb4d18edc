"""The names under which reads are listed: what a template of a name stands for, or that too little of it is known.

Absent: which names are one option (``joining``), names in placeholders (``placeholders``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from conflens.options.names.joining import GENERIC
from conflens.program.templates import Template, known_text, reason_of

_KNOWN_PART = re.compile(r"[A-Za-z0-9]{2}")
_NO_NAME = re.compile(r"[\s;=<>(){}'\"|,?&^!~/:]")
_SWITCH = re.compile(r"-+[A-Za-z0-9]\*\Z")
_SPACE = re.compile(r"\s")
_SPACED = re.compile(r"[A-Z]+(?: [A-Z]+)+\Z")
_PATHS = frozenset({"jndi", "preferences", "command-line", "servlet", "spring", "xml"})
_MAX_NAME = 200
_ENVIRONMENT = "environment"


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


def title_of(template: Template) -> str | None:
    """Return a whole name that may be a title of several words: ``Batch Size``."""
    text = known_text((template,))
    return text if text and text.strip() == text and len(text) <= _MAX_NAME else None
