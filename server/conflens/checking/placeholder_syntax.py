"""How ``${…}`` is written: a text as its literal parts and its references.

Total and in one pass: what is not closed, or nested deeper than ``MAX_NESTED``, is literal text.  Absent: what a name means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

MAX_NESTED = 8
MAX_LENGTH = 20_000
MAX_REFERENCES = 500
ANY = "any"
"""A separator: a colon begins a default, a dash behind it is no part of it.  The others are those of ``DomainRow``: ``:``,
``:-``, and ``none`` where there are no defaults."""
NAME = re.compile(r"[\w@/\"'-][\w.@/\"' \[\]-]{0,300}")
LOOKUP = re.compile(r"(?:env|sys):[\w.-]{1,300}")
"""A name with a prefix that says where it lives; not where a colon begins a default."""
"""What a name looks like; anything else in braces is an expression."""

_WHERE = (["env"], ["sys"])
_TOKEN = re.compile(r"([\\$]\$\{)|(\$\{\??)|(\{)|(\})|(:-?)")


@attrs.frozen
class Template:
    """A text in parts.  ``cut`` says that more references or a longer text was there than is looked at."""

    parts: tuple[str | Reference, ...]
    cut: bool = False

    def text(self, dynamic: str) -> str:
        """Return the literal text, ``dynamic`` in place of each reference."""
        return "".join(part if isinstance(part, str) else dynamic for part in self.parts)

    @property
    def written(self) -> str:
        """The text itself."""
        return "".join(part if isinstance(part, str) else part.written for part in self.parts)


@attrs.frozen
class Reference:
    """``${name}`` or ``${name:default}``; ``written`` is all of it; ``optional`` is HOCON's ``${?name}``."""

    name: Template
    default: Template | None
    written: str
    optional: bool = False

    @property
    def static(self) -> bool:
        """Whether no part of the name is a reference."""
        return all(isinstance(part, str) for part in self.name.parts)


@attrs.define
class _Open:
    """A reference that is being read (the outermost is the text itself); ``braces`` are other ones open in it."""

    start: int
    optional: bool = False
    name: list[str | Reference] = attrs.field(factory=list)
    default: list[str | Reference] | None = None
    braces: int = 0

    def add(self, part: str | Reference) -> None:
        if part:
            (self.name if self.default is None else self.default).append(part)


def template(text: str, separator: str) -> Template:
    """Return a text in parts; ``separator`` stands before defaults."""
    cut = len(text) > MAX_LENGTH
    text = text[:MAX_LENGTH]
    stack = [_Open(0)]
    at = count = 0
    for match in _TOKEN.finditer(text):
        top = stack[-1]
        top.add(text[at : match.start()])
        at = match.end()
        token = match[0]
        escaped, opening, brace, closing, _ = match.groups()
        if opening and len(stack) <= MAX_NESTED and count < MAX_REFERENCES:
            count += 1
            stack.append(_Open(match.start(), token.endswith("?")))
        elif escaped or opening or brace:
            cut = cut or bool(opening)
            top.braces += len(stack) > 1
            top.add(token)
        elif closing and len(stack) > 1 and not top.braces:
            stack.pop()
            stack[-1].add(_closed(top, text[top.start : at]))
        elif closing:
            top.braces -= top.braces > 0
            top.add(token)
        elif len(stack) > 1 and top.default is None and not top.braces and separator != "none":
            if token == ":" and (separator == ":-" or (separator == ANY and top.name in _WHERE)):
                top.add(token)
            else:
                top.default = ["-"] if separator == ":" and token == ":-" else []
        else:
            top.add(token)
    if len(stack) == 1:
        stack[0].add(text[at:])
    else:
        stack[0].add(text[stack[1].start :])
    return Template(tuple(stack[0].name), cut)


def references(written: Template, defaults: bool = True) -> Iterator[Reference]:
    """Yield all references of a text, those within names before what they are in; those in defaults if asked for."""
    for part in written.parts:
        if not isinstance(part, str):
            yield from references(part.name, defaults)
            yield part
            if defaults and part.default is not None:
                yield from references(part.default, defaults)


def _closed(read: _Open, written: str) -> Reference:
    name = [part.strip() if isinstance(part, str) else part for part in read.name]
    default = None if read.default is None else Template(tuple(read.default))
    return Reference(Template(tuple(name)), default, written, read.optional)
