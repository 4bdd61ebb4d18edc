"""A reference of options as an AsciiDoc page.

Code is literal monospace (backquotes around plus signs), in which nothing is replaced; what would end that is written in
character references.  In other text every character that could begin or end markup is a reference.
Invariant: nothing in names, defaults or descriptions is taken as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conflens.cli.docs.reference import Entry, Pieces, by_namespace, facts
from conflens.documents.harvesting import MADE_HERE

_LITERAL = re.compile(r"(?! )[^`+\\]+(?<! )")
"""What can stand between plus signs."""
_MARKUP = re.compile(
    r"[`*#^~+\[\]{}<>|\\&'\"]"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # within a word it is no markup
    r"|(?<=[-.:;,=(/])[-.:;,=RTC/]"  # an ellipsis, a dash, (C), a macro, a list's mark, a URL
)
_BEGIN = re.compile(
    r"[^A-Za-z0-9&]|(?P<number>\d{1,9}|[A-Za-z]|[ivxIVX]{1,9})(?P<dot>[.)])(?=\s|$)"
)


def lines(found: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "= Configuration options"
    yield ""
    yield f"// {MADE_HERE}"
    for domain, namespaces in by_namespace(found):
        yield ""
        yield f"== {_plain(domain.replace('-', ' '))}"
        for namespace, group in namespaces:
            yield ""
            yield f"=== {_code(namespace) if namespace else 'Other names'}"
            for entry in group:
                yield ""
                yield f"==== {_code(entry.name)}"
                if entry.description:
                    yield ""
                    yield _begun(_text(entry.description))
                listed = [f"* {label}: {_text(pieces)}" for label, pieces in facts(entry)]
                if listed:
                    yield ""
                    yield from listed


def _text(pieces: Pieces) -> str:
    shown = []
    for number, (is_code, part) in enumerate(pieces):
        before = pieces[number - 1][1][-1:] if number else ""
        after = pieces[number + 1][1][:1] if number + 1 < len(pieces) else ""
        shown.append(_code(part, tight=_glued(before + after)) if is_code else _plain(part))
    return "".join(shown)


def _glued(around: str) -> bool:
    """Whether what stands beside code hides that it begins or ends there."""
    return any(char.isalnum() or char in "_`:;}" for char in around)


def _code(text: str, tight: bool = False) -> str:
    text = " ".join(text.split()) or '""'
    if _LITERAL.fullmatch(text):
        return f"``+{text}+``" if tight else f"`+{text}+`"
    shown = "".join(c if c.isalnum() or c == " " else _reference(c) for c in text)
    return f"``{shown}``"


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: _reference(match[0]), text)


def _begun(text: str) -> str:
    """Return a paragraph that is not taken for a list, a title or a block."""
    match = _BEGIN.match(text)
    if match is None or text.startswith("`"):
        return text
    at = match.start("dot") if match["dot"] else 0
    return f"{text[:at]}{_reference(text[at])}{text[at + 1 :]}"


def _reference(character: str) -> str:
    return f"&#{ord(character)};"
