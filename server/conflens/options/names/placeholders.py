"""Placeholders in texts: ``${name:default}``, ``${name:-default}``, ``#{…}`` around them, ``{{name:default}}``.

Total: an unfinished placeholder ends with the text.  A name that itself holds a placeholder becomes a
pattern with ``*`` and the inner one is reported too.  A default that is a placeholder stands for
that one's default, unless that is a secret, which is not known to be the default of any other name; an expression that is a constant (``#{false}``, ``#{'a'}``) is that constant, ``#{null}`` none, and
any other is not known.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from conflens.base.secrets import SURELY, is_secret_default, is_secret_name, is_secret_within
from conflens.models.words import Placeholder
from conflens.program.templates import Template, Templates

_ASKING = re.compile(
    r"(?P<object>systemProperties|systemEnvironment|jobParameters|@?environment)"
    r"(?:\.getProperty\(\s*|\[\s*)['\"]"
)
_EXPRESSION = re.compile(
    _ASKING.pattern + r"(?P<name>[^'\"]+)['\"]\s*[\])]"
    r"(?:\s*\?:\s*(?:'(?P<text>[^']*)'|(?P<bare>(?!null\b)[\w.+-]+)(?=\s*\}|\s*\Z)))?"
)
_CONSTANT = re.compile(
    r"\s*#\{\s*(?:(?P<plain>true|false|[+-]?\d+(?:\.\d+)?)[lLdDfF]?|'(?P<text>[^']*)')\s*\}\s*"
)
_DOMAINS = {
    "systemProperties": "system-property",
    "systemEnvironment": "environment",
    "jobParameters": "job-parameter",
}
OBJECTS = frozenset(_DOMAINS.values())
"""The domains of objects that expressions ask by name."""

_MAX_BRACES = 200
"""A text with more opening braces is none that a person wrote; each may cost a Python frame."""


class Mention(NamedTuple):
    """An option named in a text; ``domain`` empty: that of the row.  ``under``: the name of the secret in whose default it stands."""

    name: str
    default: str | None
    domain: str = ""
    under: str = ""


def placeholders(text: str, kind: Placeholder) -> list[Mention]:
    """Return the options that a text names, in order of their ends."""
    found: list[Mention] = []
    if text.count("{") > _MAX_BRACES:
        return found
    if kind == "braces":
        _scan(text, "{{", "}}", found)
        return found
    if kind == "dash":
        _scan(text.replace(":-", ":"), "${", "}", found)
        return found
    _scan(text, "{" if kind == "brace" else "${", "}", found)
    if kind == "spel":
        found.extend(
            Mention(
                match["name"],
                match["text"] if match["text"] is not None else match["bare"],
                _DOMAINS.get(match["object"], ""),
            )
            for match in _EXPRESSION.finditer(text)
            if text.rfind("#{", 0, match.start()) >= 0
        )
        found = _in_expression(text, found)
    return found


def _in_expression(text: str, found: list[Mention]) -> list[Mention]:
    """Mark the mentions of an expression that chooses between values, if one of them is that of a secret."""
    if "#{" not in text or "?" not in text:
        return found
    secret = next((one.name for one in found if is_secret_name(one.name)), "")
    return [one._replace(under=one.under or secret) for one in found] if secret else found


def places(text: bytes, name: bytes) -> list[tuple[int, int, str | None]]:
    """Return where a text names an option in a placeholder or an expression: behind ``${``, ``{{`` or ``{``, or as the key that an
    expression asks for.  Beside a place stands the domain that its object has, empty for that of the row, ``None`` behind
    ``{``, where it may be no placeholder."""
    written = rb"(?P<name>" + re.escape(name) + rb")"
    plain = rb"(?:\$\{|\{\{)\s*" + written + rb"(?=\s*(?:[:}]|\Z))"
    asking = _ASKING.pattern.encode() + written + rb"(?=['\"])"
    bare = rb"(?<![#$\{])\{\s*" + written + rb"(?=\s*(?:[:}]|\Z))"
    found: list[tuple[int, int, str | None]] = [
        (*one.span("name"), "") for one in re.finditer(plain, text)
    ]
    found += [
        (*one.span("name"), _DOMAINS.get(one["object"].decode(), ""))
        for one in re.finditer(asking, text)
    ]
    return found or [(*one.span("name"), None) for one in re.finditer(bare, text)]


def may_ask(names: Templates) -> bool:
    """Tell whether some text has a placeholder, or a part that is not known."""
    return any(not isinstance(part, str) or "${" in part for one in names for part in one)


def asked(template: Template) -> tuple[list[Mention], bool]:
    """Return the options that a text asks for which stands where a name should, and whether the text is nothing but the one.

    Parts that are not known are ``*``.
    """
    text = "".join(part if isinstance(part, str) else "*" for part in template)
    found = placeholders(text, "dollar") if "${" in text else []
    return found, len(found) == 1 and text.startswith("${") and text.find("}") == len(text) - 1


def _scan(text: str, opening: str, closing: str, found: list[Mention]) -> None:
    at, end, start = text.find(opening), 0, len(found)
    whole = []
    while at >= 0:
        whole.append(text[end:at])
        end, _, inner = _one(text, at + len(opening), opening, closing, found)
        whole.append(inner or "")
        at = text.find(opening, end)
    if end:
        _mark(found, start, "", "".join((*whole, text[end:])))


def _one(
    text: str, at: int, opening: str, closing: str, found: list[Mention]
) -> tuple[int, str, str | None]:
    """Read one placeholder from behind its opening; return its end, name and effective default."""
    name: list[str] = []
    default: list[str] | None = None
    unknown = False
    depth, before = 0, len(found)
    while at < len(text) and (depth or not text.startswith(closing, at)):
        if text.startswith(opening, at):
            at, named, inner = _one(text, at + len(opening), opening, closing, found)
            if default is None:
                name.append("*")
                before = len(found)
            elif inner is None or is_secret_default(named, inner):
                unknown = True
            else:
                default.append(inner)
            continue
        char = text[at]
        depth += (char == "{") - (char == "}")
        if char == ":" and default is None:
            default = []
        elif default is None:
            name.append(char)
        else:
            default.append(char)
        at += 1
    stated = "".join(default) if default is not None and not unknown else None
    if stated is not None and "#{" in stated:
        stated = _constant(stated)
    written = "".join(name).strip()
    _mark(found, before, written, "".join(default or ()))
    if written.replace("*", "").strip("."):
        found.append(Mention(written, stated))
    return at + len(closing), written, stated


def _mark(found: list[Mention], start: int, name: str, whole: str) -> None:
    """Mark the mentions from ``start`` on whose defaults are secrets in ``whole``, which is what ``name`` is then given."""
    for index, one in enumerate(found[start:], start):
        if not one.under and is_secret_within(name, whole, one.default or ""):
            found[index] = one._replace(under=name if is_secret_name(name) else SURELY)


def _constant(text: str) -> str | None:
    """Return what an expression says that is nothing but a constant, ``None`` for any other text."""
    match = _CONSTANT.fullmatch(text)
    if match is None:
        return None
    return match["plain"] if match["plain"] is not None else match["text"]
