"""Where a text names an option: whole names only, by the rule of ``documents.names``.

A *distinct* name (``net.timeout``, ``maxClients``) counts wherever it stands as a whole token; a plain word (``port``) only
where markup says that it is a name: in a code span, as a commented-out key, as the content of a ``<name>``.
Invariants: linear in the text; places do not overlap and are in order.
Absent: patterns, and spellings in other cases or with other separators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.documents.names import is_name_like

_QUOTES = (
    (rb"``", rb"``"),
    (rb"`", rb"`"),
    (rb"<(?:code|name|tt|kbd|samp)>\s*", rb"\s*</(?:code|name|tt|kbd|samp)>"),
    (rb'"', rb'"'),
    (rb"\$\{", rb"[}:]"),
    (rb"(?<![\w-])-D", rb"="),
    (rb"(?:^|(?<=[\r\n]))[ \t]*[#!;][ \t]?", rb"[ \t]*[=:]"),
)


def is_distinct(name: str) -> bool:
    """Tell whether a name is set apart from prose by its spelling alone."""
    return is_name_like(name)


def occurrences(text: bytes, name: str, inside: bool = False) -> Iterator[tuple[int, int]]:
    """Yield the byte ranges of a name in UTF-8 text; ``inside``: of a text that is known to name options, where a plain
    word counts as well."""
    written = name.encode()
    if not written or written not in text:
        return
    if inside or is_distinct(name):
        for found in _token(written).finditer(text):
            yield found.span("name")
        return
    spans = {
        found.span("name")
        for before, after in _QUOTES
        for found in re.compile(before + _named(written) + after).finditer(text)
    }
    yield from sorted(spans)


def _named(written: bytes) -> bytes:
    return b"(?P<name>" + re.escape(written) + b")"


def _token(written: bytes) -> re.Pattern[bytes]:
    """A whole name: no part of a longer one, of a path, an address, a template or a call; a full stop behind may end a
    sentence, and an escape of a literal (``\\n``) may stand before."""
    before = (
        rb"(?<![\w-])"
        if written.startswith(b"-")
        else rb"(?:(?<![\w.@/\\\-\x80-\xff])|(?<=\\[nt]))(?:-D|--?)?"
    )
    after = rb"(?![\w\x80-\xff(]|[.\-][\w\x80-\xff<{*\[$]|[/\\][\w\x80-\xff]|[.\-]&lt;)"
    return re.compile(before + _named(written) + after)
