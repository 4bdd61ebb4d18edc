"""Writes into YAML: keys at a cursor, new assignments, and how keys are written.

Files of nested keys get sections on lines of their own, indented as the file is; files that write whole names as one key
(``a.b.c: 1``, more often than not) get such keys.  A section that the file has is never written a second time.
What is written is read again before it is handed out (``unchanged_but``): a change that would do anything else is none.
Absent: writing into flow style, and new items of lists.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from conflens.documents.configfiles.insertion import applied, inserted_lines
from conflens.documents.configfiles.model import Assignment, Change, Context, Kind
from conflens.documents.configfiles.neighbours import line_start, neighbour, newline_of
from conflens.documents.configfiles.yaml.scalars import NULLS, quoted, value_text
from conflens.documents.configfiles.yaml.scan import Scanner

_SAFE = re.compile(r"[A-Za-z0-9_$/.][\w$/.\-]*+")
_TYPED = re.compile(
    r"(?i:true|false|yes|no|on|off)|[+-]?[\d.][\d_.,:eE+\-]*+|0[xob][\da-fA-F_]++|[+-]?\.(?i:inf|nan)"
)
"""What a reader takes for a number, a date or a truth value."""
_LEVEL = re.compile(r"(?:[^.\[\]]|\[[^\]]*+\])++")
_INDEX = re.compile(r"\[\d*+\]")
_DOTTED = re.compile(r"(?<![^\r\n]) *+[\w\-]++\.[\w.\-]++:(?=[ \t\r\n]|\Z)")
_WIDTH = re.compile(r"(?<![^\r\n])( *)[^\s#\-:][^\r\n:]*+:[ \t]*+(?:\r\n|\n|\r)\1( +)[^\s#\-]")
_OPEN = re.compile(r"[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?|\n|\Z)")
_MARKER = re.compile(r"(?<![^\r\n])(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_BARE = re.compile(r"(?:[ \t]*+(?:#[^\r\n]*+|(?:---|%YAML|%TAG)[^\r\n]*+)?+(?:\r\n?+|\n|\Z))*+")
Said = tuple[str, int, str, str | None, tuple[str, ...]]


def assignments_of(text: str) -> tuple[Assignment, ...]:
    """Return what a text assigns."""
    scanner = Scanner(text)
    scanner.run()
    scanner.finish()
    return tuple(one for one in scanner.emitter.out if one is not None)


def said(one: Assignment) -> Said:
    """Return what an assignment says, without its places."""
    value = None if one.value is None else one.value.text
    return one.name, one.document, one.condition, value, tuple(item.text for item in one.items)


def unchanged_but(
    before: Iterable[Said], after: str, gone: Iterable[Said], come: Iterable[Said]
) -> bool:
    """Whether ``after`` says what was said before, without what is gone and with what has come; sections do not count."""
    expected = Counter(before)
    expected.subtract(Counter(gone))
    expected.update(come)
    return +expected == Counter(said(one) for one in assignments_of(after) if tells(one))


def tells(one: Assignment) -> bool:
    """Whether an assignment has more to say than that others are below it."""
    return one.kind is not Kind.SECTION


def levels_of(name: str) -> list[str]:
    """Return the parts of a name that are keys of their own."""
    found: list[str] = []
    for part in _LEVEL.findall(name):
        head, bracket, rest = part.partition("[")
        if head:
            found.append(head)
        if bracket:
            found.append(bracket + rest)
    return found


def written(key: str) -> str:
    """Return how a key is written."""
    plain = _SAFE.fullmatch(key) and key not in NULLS and not _TYPED.fullmatch(key)
    return key if plain and not _MARKER.match(key) else quoted(key)


def width_of(text: str) -> int:
    """Return by how many characters a text indents a level."""
    found = _WIDTH.search(text)
    return min(len(found[2]), 8) if found else 2


def column_of(text: str, one: Assignment) -> int:
    """Return how far the key of an assignment is indented."""
    return quoted_start(text, one) - line_start(text, one.key.start)


def quoted_start(text: str, one: Assignment) -> int:
    """Return where a key begins with its quote."""
    start = one.key.start
    return start - (start > 0 and text[start - 1] in "\"'")


def own_lines(text: str, one: Assignment) -> bool:
    """Whether an assignment has lines of its own."""
    if one.merged or one.start != line_start(text, one.key.start) or one.end <= one.start:
        return False
    blank = not text[one.start : quoted_start(text, one)].strip(" ")
    return blank and (one.end == len(text) or text[one.end - 1] in "\r\n")


def flat(assignments: Iterable[Assignment]) -> bool:
    """Whether a file writes whole names as one key."""
    whole = nested = 0
    for one in assignments:
        if one.kind is not Kind.SECTION and not one.merged:
            whole += len(one.path) == 1 and "." in one.key.text
            nested += len(one.path) > 1
    return whole > nested


def below(assignments: Sequence[Assignment], section: Assignment) -> list[Assignment]:
    """Return the assignments written below a section."""
    depth, start = len(section.path), section.key.start
    return [
        one
        for one in assignments
        if not one.merged and len(one.path) > depth and one.path[depth - 1].start == start
    ]


def place_below(
    text: str, assignments: Sequence[Assignment], section: Assignment
) -> tuple[int, int] | None:
    """Return where lines below a section go and how far they are indented; ``None`` if it takes none."""
    entries = below(assignments, section)
    column = column_of(text, section)
    if not entries:
        head = section.key.end + (quoted_start(text, section) < section.key.start)
        rest = text[head : head + 1] == ":" and _OPEN.match(text, head + 1)
        if section.kind is Kind.LIST or not rest:
            return None
        return rest.end(), column + width_of(text)
    depth = len(section.path)
    direct = [one for one in entries if len(one.path) == depth + 1]
    if any(one.path[depth - 1].text != section.key.text for one in entries) or not direct:
        return None
    if not all(own_lines(text, one) for one in direct):
        return None
    end = max(one.end for one in entries)
    if line_start(text, end) != end and end != len(text):
        end = max(one.end for one in direct)
        behind = _OPEN.search(text, max(one.end for one in entries))
        end = behind.end() if behind else len(text)
    return end, column_of(text, direct[0])


def nested(levels: Sequence[str], indent: int, width: int, value: str) -> list[str]:
    """Return lines that open a level each, the last with a value."""
    lines = [f"{' ' * (indent + width * n)}{written(key)}:" for n, key in enumerate(levels)]
    lines[-1] += f" {value}" if value else ""
    return lines


def target(
    text: str, assignments: Sequence[Assignment], name: str, document: int, condition: str
) -> tuple[int, int, list[str]] | None:
    """Return where a name goes, how far it is indented, and the levels to write there."""
    own = [
        one
        for one in assignments
        if one.document == document and one.condition == condition and not one.merged
    ]
    best: Assignment | None = None
    for one in own:
        if name.startswith((f"{one.name}.", f"{one.name}[")) and (
            best is None or len(one.name) > len(best.name)
        ):
            best = one
    if any(one.name == name for one in own):
        return None
    if best is not None:
        rest = levels_of(name[len(best.name) :].removeprefix("."))
        place = place_below(text, own, best)
        if place is None or not rest or any(_INDEX.fullmatch(level) for level in rest):
            return None
        return *place, rest
    levels = levels_of(name)
    if not levels or any(_INDEX.fullmatch(level) for level in levels):
        return None
    roots = [one for one in own if len(one.path) == 1]
    if not own:
        if not _BARE.fullmatch(text):
            return None
        return len(text), 0, levels
    if not roots or not all(own_lines(text, one) for one in roots):
        return None
    if flat(assignments):
        levels = [name]
        beside = neighbour(roots, name)
        if beside is not None and not below(own, beside):
            return beside.end, column_of(text, beside), levels
    return max(one.end for one in own), column_of(text, roots[0]), levels


def added(text: str, name: str, value: str, comment: str = "") -> Change | None:
    """Return the change that adds an assignment below the section that shares the longest start; ``None`` if it cannot be
    written there, or stands there already."""
    assignments = assignments_of(text)
    general = [one for one in assignments if not one.condition]
    chosen = general[0] if general else assignments[0] if assignments else None
    document, condition = (chosen.document, chosen.condition) if chosen else (0, "")
    longest = 0
    for one in general:
        if name.startswith(f"{one.name}.") and len(one.name) > longest:
            document, longest = one.document, len(one.name)
    place = target(text, assignments, name, document, condition)
    if place is None:
        return None
    at, indent, levels = place
    before = [f"{' ' * indent}# {line}".rstrip() for line in comment.splitlines()]
    lines = [*before, *nested(levels, indent, width_of(text), value_text(value))]
    change = inserted_lines(text, at, lines)
    after = applied(text, change)
    told = [said(one) for one in assignments if tells(one)]
    opened = {
        said(one)
        for one in assignments
        if one.kind is Kind.SCALAR and one.value is None and name.startswith(f"{one.name}.")
        and one.document == document and one.condition == condition
    }  # fmt: skip
    new = [said(one) for one in assignments_of(after) if one.name == name and not one.merged
           and one.document == max(document, 0) and one.condition == condition]  # fmt: skip
    if len(new) != 1 or not unchanged_but(told, after, opened, new):
        return None
    return change


def key_text(text: str, context: Context, name: str) -> str | None:
    """Return what to put in place of a context's range to write a key; see ``parsing.Dialect``."""
    parents = ".".join(context.parents)
    if parents and not name.startswith((f"{parents}.", f"{parents}[")):
        return None
    rest = name[len(parents) :].removeprefix(".") if parents else name
    levels = levels_of(rest)
    if not levels or any(_INDEX.fullmatch(level) for level in levels):
        return None
    colon = "" if context.follows else ": "
    if len(levels) == 1:
        return written(levels[0]) + colon
    start = line_start(text, context.start)
    before = text[start : context.start]
    if before.strip(" -"):
        return None
    assignments = assignments_of(text)
    first = f"{parents}.{levels[0]}" if parents else levels[0]
    again = any(
        one.document == context.document
        and (one.name == first or one.name.startswith(f"{first}["))
        and not context.start <= one.key.start <= context.end
        for one in assignments
    )
    if flat(assignments) or (again and ("." in context.prefix or _DOTTED.search(text))):
        return written(rest) + colon
    if again:
        return None
    width, column = width_of(text), len(before)
    lines = nested(levels, column, width, "")
    return newline_of(text).join(lines)[column:].removesuffix(":") + colon
