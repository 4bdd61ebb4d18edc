"""``.env`` files and the like: ``NAME=value`` lines, perhaps after ``export``.

A value is bare, up to an inline comment (a ``#`` behind a blank), or in quotes, where it may go over lines.  In double quotes
``\\n``, ``\\r``, ``\\t``, ``\\"``, ``\\\\`` and ``\\$`` are escapes, in single quotes only ``\\'``, bare none.  ``${X:-default}`` stays as it is written
(``checking.placeholders`` resolves it).

Invariants: quotes that are not closed, or with more than a comment behind them, are part of a bare value, so that half-typed lines
do not swallow others.  Every name is an environment variable.  Names may hold ``.`` and ``-``, which shells refuse and readers
of these files allow.
Absent: names without ``=`` (a variable passed on from outside), ``NAME: value``.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    Assignment,
    Change,
    Context,
    ContextKind,
    Kind,
    Parsed,
    Segment,
    Value,
)
from conflens.documents.configfiles.neighbours import (
    line_end,
    line_start,
    neighbour,
    newline_of,
)

DOMAIN = "environment"
_NAME = r"[A-Za-z_][\w.\-]*+"
_END = r"[ \t]*+(?:#[^\r\n]*+)?(?:\r\n?|\n|\Z)"
_ENTRY = re.compile(
    rf"[ \t]*+(?:export[ \t]++)?({_NAME})[ \t]*+=[ \t]*+"
    rf"(?:\"((?:[^\"\\]|\\.)*+)\"{_END}|'((?:[^'\\]|\\.)*+)'{_END}|'([^'\r\n]*+)'{_END})",
    re.DOTALL | re.ASCII,
)
"""An entry with a quoted value."""
_BARE = re.compile(
    rf"[ \t]*+(?:export[ \t]++)?({_NAME})[ \t]*+=[ \t]*+([^\r\n]*+)(?:\r\n?|\n|\Z)", re.ASCII
)
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_COMMENT = re.compile(r"(?:^|[ \t])#")
_KEY = re.compile(r"[ \t]*+(?:export[ \t]++)?([\w.\-]*+)", re.ASCII)
_EXPORTS = re.compile(r"[ \t]*+export[ \t]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "$": "$", "\n": "\n"}
_WRITABLE = re.compile(_NAME, re.ASCII)
_SAFE = re.compile(r"[^\s\"'#`][^\s#]*+")
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def parse(text: str) -> Parsed:
    """Return the assignments of a text."""
    found: list[Assignment] = []
    at = 0
    while at < len(text) and len(found) <= MAX_ASSIGNMENTS:
        one = _assignment(text, at)
        if one is None:
            at = _LINE.match(text, at).end()  # type: ignore[union-attr]
        else:
            found.append(one)
            at = one.end
    return Parsed(tuple(found))


def context(text: str, offset: int) -> Context:
    """Return what the cursor at ``offset`` is about to write."""
    offset = max(0, min(offset, len(text)))
    at = line_start(text, offset)
    offset = min(offset, line_end(text, at))
    one: Assignment | None = None
    for found in parse(text).assignments:
        if found.start > offset:
            break
        inside = found.value is not None and found.value.start <= offset <= found.value.end
        if inside or found.start <= at < found.end:
            one = found
    key = _KEY.match(text, at)
    assert key is not None
    indent = key.start(1) - at if key.end() > key.start(1) else offset - at
    if one is None:
        typed = text[at:offset]
        if offset >= key.start(1) and offset <= key.end(1) and not _COMMENT.search(typed):
            follows = text[key.end(1) :].lstrip(" \t").startswith("=")
            prefix = text[key.start(1) : offset]
            return Context(ContextKind.KEY, prefix, *key.span(1), follows=follows, indent=indent)
        return Context(ContextKind.NEITHER, indent=indent)
    value = one.value
    if one.key.start <= offset <= one.key.end:
        prefix = text[one.key.start : offset]
        span = (one.key.start, one.key.end)
        return Context(ContextKind.KEY, prefix, *span, follows=True, indent=indent)
    if value is None or not one.key.end < offset <= value.end:
        return Context(ContextKind.NEITHER, indent=indent)
    if "=" not in text[one.key.end : offset]:
        return Context(ContextKind.NEITHER, indent=indent)
    start = min(offset, value.start)
    prefix = _resolved(text[value.start : offset], value.style) if offset > value.start else ""
    return Context(ContextKind.VALUE, prefix, start, value.end, name=one.name, indent=indent)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return the name with ``=`` if none follows; ``None`` for what is no name of a variable."""
    if _WRITABLE.fullmatch(name) is None:
        return None
    return name if context.follows else f"{name}="


def value_text(value: str, style: str = "") -> str:
    """Return a value as it stands between the quotes ``style``; without, in double quotes of its own where it must be."""
    if style == "'":
        return value.replace("\\", "\\\\").replace("'", "\\'") if "'" in value else value
    escaped = "".join(_ESCAPED.get(character, character) for character in value)
    if style == '"':
        return escaped
    return value if not value or _SAFE.fullmatch(value) else f'"{escaped}"'


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the change of the name."""
    if _WRITABLE.fullmatch(name) is None:
        return None
    return (Change(assignment.key.start, assignment.key.end, name),)


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds a line, exported like the one before it."""
    if _WRITABLE.fullmatch(name) is None:
        return None
    assignments = parse(text).assignments
    beside = neighbour(assignments, name)
    at = beside.end if beside is not None else len(text)
    model = beside or (assignments[-1] if assignments else None)
    exported = model is not None and _EXPORTS.match(text, model.start) is not None
    newline = newline_of(text)
    before = newline if at and text[at - 1] not in "\r\n" else ""
    notes = "".join(f"# {line}".rstrip() + newline for line in comment.splitlines())
    entry = f"{'export ' if exported else ''}{name}={value_text(value)}"
    return Change(at, at, f"{before}{notes}{entry}{newline}")


def _assignment(text: str, at: int) -> Assignment | None:
    match = _BARE.match(text, at)
    if match is None:
        return None
    raw = match[2]
    segment = Segment(match[1], *match.span(1))
    closed = _ENTRY.match(text, at) if raw[:1] in ('"', "'") and raw else None
    if closed is not None:
        group = closed.lastindex or 2
        style = '"' if group == 2 else "'"
        value = Value(_resolved(closed[group], style), *closed.span(group), style)
        end = closed.end()
    else:
        note = _COMMENT.search(raw) if "#" in raw else None
        raw = (raw[: note.start()] if note else raw).rstrip(" \t")
        start = match.start(2) if raw else text.index("=", match.end(1)) + 1
        value = Value(raw, start, start + len(raw))
        end = match.end()
    return Assignment(match[1], (segment,), Kind.SCALAR, value, (), at, end, domain=DOMAIN)


def _resolved(raw: str, style: str) -> str:
    if not style or "\\" not in raw:
        return raw
    if style == "'":
        return re.sub(r"\\(['\\])", r"\1", raw) if "\\'" in raw else raw
    return _ESCAPE.sub(lambda match: _CONTROLS.get(match[1], match[0]), raw)
