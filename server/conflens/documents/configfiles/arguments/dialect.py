"""Properties and variables that scripts and container files give to a program: ``-Da.b=c``, ``NAME=value``.

What each line sets is read by ``argument_lines``, how values are quoted is in ``argument_words``.  A definition is a system property,
everything else an environment variable, also those that a script only uses itself: which count is decided by their names.

Invariants: text is only written where reading it again gives what was meant, else nothing is written.  A new entry is
written like the one it comes to stand beside.
Absent: where a script without any entry would take one.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.arguments.lines import (
    PROPERTY,
    VARIABLE,
    Shape,
    assignments_of,
    comment_line,
    shape_of,
)
from conflens.documents.configfiles.arguments.words import quoted
from conflens.documents.configfiles.model import (
    Assignment,
    Change,
    Context,
    ContextKind,
    Parsed,
)
from conflens.documents.configfiles.neighbours import (
    line_end,
    line_start,
    neighbour,
    newline_of,
)

_PROPERTY = re.compile(r"[A-Za-z_][\w.\-/\[\]]*+", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_]\w*+", re.ASCII)
_UPPER = re.compile(r"[A-Z_][A-Z0-9_]*+")
_DEFINING = re.compile(
    r"(?:(?<=[\s\"'=,:\[(])|^)(?:-J)?--?D[ \t]?[\"']?([\w.\-/\[\]]*)\Z", re.ASCII
)
_AFTER_D = re.compile(r"-D[ \t]?[\"']?\Z")
_OPTION = re.compile(r"[ \t]*+(?:\d+(?:-\d*)?:)?(-?)\Z")
_REST = re.compile(r"[\w.\-/\[\]]*+", re.ASCII)
_NAMING = {
    Shape.SHELL: re.compile(r"[ \t]*+(?:export[ \t]++)?(\w*+)\Z", re.ASCII),
    Shape.BATCH: re.compile(r"[ \t@]*+set[ \t]++\"?(\w*+)\Z", re.ASCII | re.IGNORECASE),
    Shape.DOCKER: re.compile(r"[ \t]*+ENV[ \t]++(\w*+)\Z", re.ASCII),
    Shape.UNIT: re.compile(r"[ \t]*+Environment=[\"']?(\w*+)\Z", re.ASCII),
    Shape.COMPOSE: re.compile(r"[ ]++(?:-[ ]++)?[\"']?([\w.]*+)\Z", re.ASCII),
}
_BLOCK = re.compile(r"[ ]*+(?:- )?environment:[ \t]*+(?:#.*)?\Z")
_WORD_START = re.compile(r"[^\s\"'\\]*\Z")
_WORD_END = re.compile(r"[^\s\"'\\]*+")
_TAIL = 300


def parse(text: str) -> Parsed:
    """Return the assignments of a text."""
    return Parsed(tuple(assignments_of(text)))


def context(text: str, offset: int) -> Context:
    """Return what the cursor at ``offset`` is about to write."""
    offset = max(0, min(offset, len(text)))
    start = line_start(text, offset)
    end = line_end(text, start)
    offset = min(offset, end)
    shape = shape_of(text)
    line = text[start:end]
    indent = len(line) - len(line.lstrip(" \t"))
    if comment_line(shape, text, start, end):
        return Context(ContextKind.NEITHER, indent=indent)
    typed = text[max(start, offset - _TAIL) : offset]
    if match := _DEFINING.search(typed):
        return _key(text, offset, match[1], indent)
    if shape is Shape.OPTIONS and offset - start < _TAIL and (match := _OPTION.match(typed)):
        return Context(ContextKind.KEY, "", offset - len(match[1]), offset, indent=indent)
    found: Assignment | None = None
    for one in assignments_of(text):
        if one.start > offset:
            break
        if one.key.start <= offset <= one.key.end:
            return _key(text, offset, text[one.key.start : offset], indent)
        if one.value is not None and one.value.start <= offset <= one.value.end:
            found = one
    if found is not None and found.value is not None:
        first, last = found.value.start, found.value.end
        if found.domain == VARIABLE:
            typed = text[max(first, offset - _TAIL) : offset]
            word = _WORD_START.search(typed)
            first = offset - len(word[0]) if word else offset
            last = min(last, _WORD_END.match(text, offset).end())  # type: ignore[union-attr]
        prefix = text[first:offset]
        return Context(ContextKind.VALUE, prefix, first, last, name=found.name, indent=indent)
    naming = _NAMING.get(shape)
    if naming is not None and offset - start < _TAIL and (match := naming.match(typed)):
        if shape is Shape.COMPOSE and not _in_block(text, start, indent, line):
            return Context(ContextKind.NEITHER, indent=indent)
        return _key(text, offset, match[1], indent)
    return Context(ContextKind.NEITHER, indent=indent)


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return a name with what must stand around it where the cursor is; ``None`` for what cannot be named there."""
    start = context.start
    line = line_start(text, start)
    shape = shape_of(text)
    if _AFTER_D.search(text, max(line, start - 5), start):
        return _set(_PROPERTY, name, context.follows)
    if shape is Shape.OPTIONS:
        return f"-D{name}=" if _PROPERTY.fullmatch(name) else None
    if shape is Shape.COMPOSE:
        listed = text[line:start].lstrip(" ").startswith("-")
        written = _set(_PROPERTY, name, context.follows)
        return written if written is None or listed or context.follows else f"{name}: "
    return _set(_VARIABLE, name, context.follows)


def value_text(value: str, style: str = "") -> str:
    """Return a value as it stands between quotes of ``style`` (see ``argument_words``); line ends become blanks."""
    return quoted(value, style)


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the change of the name; what a script does with a variable of that name elsewhere stays."""
    key = assignment.key
    dotted = assignment.domain == PROPERTY or "." in key.text
    if (_PROPERTY if dotted else _VARIABLE).fullmatch(name) is None:
        return None
    change = Change(key.start, key.end, name)
    before = [one.name for one in assignments_of(text)]
    after = [one.name for one in assignments_of(_changed(text, change))]
    same = len(before) == len(after)
    return (change,) if same and name in after else None


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds an entry beside one of its kind; ``None`` where there is none to be written like."""
    change = _added(text, name, value, comment)
    if change is None:
        return None
    before = assignments_of(text)
    after = assignments_of(_changed(text, change))
    return change if len(after) == len(before) + 1 and name in {a.name for a in after} else None


def _added(text: str, name: str, value: str, comment: str) -> Change | None:
    if _PROPERTY.fullmatch(name) is None:
        return None
    shape = shape_of(text)
    domain = VARIABLE if _UPPER.fullmatch(name) and shape is not Shape.OPTIONS else PROPERTY
    like = [one for one in assignments_of(text) if one.domain == domain and one.value]
    beside = neighbour(like, name) or (like[-1] if like else None)
    newline = newline_of(text)
    mark = "rem " if shape is Shape.BATCH else "# "
    if beside is None or beside.value is None:
        if shape is not Shape.OPTIONS:
            return None
        at, indent, entry = len(text), "", f"-D{name}={_of_line(value)}"
    else:
        given = beside.value
        at = beside.end
        own = beside.start
        whole = own == line_start(text, own) and text[own:at].endswith(("\n", "\r"))
        whole = whole or (own == line_start(text, own) and at == len(text))
        if not whole and text[own] in "\"'" and text[at - 1] != text[own]:
            own += 1
        written = quoted(value, given.style)
        entry = text[own : beside.key.start] + name + text[beside.key.end : given.start] + written
        entry = (entry + text[given.end : at]).rstrip("\r\n")
        if not whole:
            if shape is Shape.BATCH and domain == VARIABLE:
                return None
            listed = text[own] in "\"'" and text[at : at + 20].lstrip(" \t\r\n")[:1] in (",", "]")
            return Change(at, at, f"{', ' if listed else ' '}{entry}")
        indent = entry[: len(entry) - len(entry.lstrip(" \t"))]
        if shape is Shape.OPTIONS:
            entry = f"{indent}-D{name}={_of_line(value)}"
    before = newline if at and text[at - 1] not in "\r\n" else ""
    notes = "".join(f"{indent}{mark}{line}".rstrip() + newline for line in comment.splitlines())
    return Change(at, at, f"{before}{notes}{entry}{newline}")


def _of_line(value: str) -> str:
    """A value that has a line of its own: with blanks, unless more than the value could be read into them."""
    plain = value == value.strip() and not re.search(r"^[\"']|[\r\n]|\s-", value)
    return value if plain else quoted(value, "")


def _changed(text: str, change: Change) -> str:
    return text[: change.start] + change.text + text[change.end :]


def _set(names: re.Pattern[str], name: str, follows: bool) -> str | None:
    if names.fullmatch(name) is None:
        return None
    return name if follows else f"{name}="


def _key(text: str, offset: int, prefix: str, indent: int) -> Context:
    end = _REST.match(text, offset).end()  # type: ignore[union-attr]
    follows = text[end : end + 1] in ("=", ":")
    start = offset - len(prefix)
    return Context(ContextKind.KEY, prefix, start, end, follows=follows, indent=indent)


def _in_block(text: str, start: int, indent: int, line: str) -> bool:
    """Whether a line of a compose file stands under ``environment:``."""
    listed = line.lstrip(" ").startswith("-")
    for above in reversed(text[:start].splitlines()):
        if not above.strip() or above.lstrip().startswith("#"):
            continue
        depth = len(above) - len(above.lstrip(" "))
        if depth < indent or (listed and depth == indent and above.lstrip()[0] != "-"):
            return _BLOCK.match(above) is not None
    return False
