"""Running text as it may leave the program: without the secrets that it gives.

Descriptions of options, messages of findings, warnings and lines of the log go through here; what code and values are shown
as is said by ``secrets``.
Invariant: work is linear in the length of a text.
Absent: what only the option tells that a text is about (``options.described``); secrets in prose that no sign gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conflens.base.said_secrets import said
from conflens.base.secret_places import placed
from conflens.base.secrets import HIDDEN, formed, is_secret_name, is_switch

Span = tuple[int, int]

_GIVES = re.compile(
    r"""(?<![\w.$-])(?P<name>[A-Za-z_$-][\w.$-]{0,150})=(?P<quote>["'`]?)(?P<given>[^\s"'`;,&<>()\[\]|\\]{1,300})"""
)
_SAYS = re.compile(
    r"""(?<![\w.$-])--(?P<option>[A-Za-z][\w.-]{0,80})[ ]{1,3}(?P<quote>["'`]?)(?P<word>[^\s"'`;,&<>()\[\]|\\-][^\s"'`;,&<>()\[\]|\\]{0,300})"""
    r"""|(?P<mark>["'])(?P<key>[\w.$-]{1,150})(?P=mark)[ ]{0,3}:[ ]{0,3}(?P<sign>["'])(?P<given>[^"'\n]{1,300})(?P=sign)"""
)
"""An argument of a command behind its option, and a member of a JSON object."""
_PLAIN_WORD = re.compile(r"[a-z]+[.:!?]?\Z")
"""A word of a sentence, as in ``use --password to set it``."""
_STANDS_IN = re.compile(
    r"[$%{*@#]|\.\.|…|[*xX.?_-]+\Z|(?:(?:my|your|the|some|new|old|a)?[_-]?"
    r"(?:password|passwd|passphrase|pass|pwd|pw|secret|token|credential|value|string)s?)\Z",
    re.IGNORECASE,
)
"""What stands for a value where an example has none: a variable, ``***``, ``your-password``."""
_IN_TAG = re.compile(r"\s*(?P<given>[^<\s]{1,300})\s{0,100}</")
_ELEMENT = re.compile(
    r"<(?P<name>[A-Za-z][\w.:-]{0,80})(?:\s[^<>]{0,200})?>\s{0,100}(?P<given>[^<>\s]{1,300})\s{0,100}</"
)
_VALUE = re.compile(r"[Nn]ame\s?=.{1,200}\b[Vv]alue\s?=\s?[\"']", re.DOTALL)
_TELLING = re.compile(r"[=@<:]|-----|_|-| ")


def redacted_text(text: str) -> str:
    """Return running text in which secrets that it gives are ``HIDDEN``: to a name of one (``token=…``), in a login or an address,
    or by their own form."""
    if not _TELLING.search(text):
        return text
    return without(text, given_in(text))


def given_in(text: str) -> Iterator[Span]:
    """Yield where the secrets stand that a text gives."""
    yield from placed(text)
    for start, end in formed(text):
        yield from _within_form(text, start, end)
    yield from _said(text)
    yield from (span for span in said(text) if not stands_in(text[slice(*span)]))
    if "=" not in text:
        return
    for found in _GIVES.finditer(text):
        given = found["given"].rstrip(".:!?")
        if (
            given
            and is_secret_name(found["name"].removeprefix("-D").lstrip("-"))
            and not is_switch(given)
            and not stands_in(given)
        ):
            start = found.start("given")
            yield start, start + len(given)


def _said(text: str) -> Iterator[Span]:
    """Yield where the secrets stand that follow an option of a command or a key of an object."""
    if "--" not in text and ":" not in text:
        return
    for found in _SAYS.finditer(text):
        group = "given" if found["option"] is None else "word"
        given = found[group]
        is_word = group == "word" and not found["quote"] and _PLAIN_WORD.match(given) is not None
        name = found["key"] if found["option"] is None else found["option"]
        if is_secret_name(name) and not is_word and not is_switch(given) and not stands_in(given):
            yield found.span(group)


def _within_form(text: str, start: int, end: int) -> Iterator[Span]:
    """Where the secret itself is in what has the form of one, if it is no example of the form."""
    form = text[start:end]
    if form.startswith("<"):  # ``<password>`` may be a tag, or hold the place of a password
        inner = text.find("<value>", start, end)
        given = _IN_TAG.match(text, text.index(">", max(start, inner)) + 1)
        if given is not None:
            yield given.span("given")
    elif form[-1:] not in "\"'" and (quote := _VALUE.match(form)) is not None:
        if not form.startswith(("${", "#{"), quote.end()):
            yield start + quote.end(), end
    elif form.endswith("@") and "://" in form:
        login = start + form.index("://") + 3
        colon = text.find(":", login, end)
        at = login if colon < 0 else colon + 1
        if not stands_in(text[at : end - 1]):
            yield at, end - 1
    else:
        yield start, end


def stands_in(given: str) -> bool:
    """Tell whether a text only holds the place of a value, such as ``${DB_PASSWORD}``, ``***`` or ``your-password``."""
    return _STANDS_IN.match(given) is not None


def without_tagged(text: str) -> str:
    """Return a text with elements, whose tags will not be shown, in which what elements of secrets hold is ``HIDDEN``."""
    return without(text, _tagged(text)) if "</" in text else text


def _tagged(text: str) -> Iterator[Span]:
    for found in _ELEMENT.finditer(text):
        if (
            is_secret_name(found["name"])
            and not is_switch(found["given"])
            and not stands_in(found["given"])
        ):
            yield found.span("given")


def without(text: str, spans: Iterable[Span]) -> str:
    """Return a text in which what stands at some places is ``HIDDEN``; the places may overlap."""
    shown: list[str] = []
    end = 0
    for start, last in sorted(spans):
        if last <= end:
            continue
        if start >= end:
            shown += (text[end:start], HIDDEN)
        end = last
    return "".join((*shown, text[end:])) if shown else text
