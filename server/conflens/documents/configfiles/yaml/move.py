"""Gives keys of YAML other names: in place where only segments change, else by moving lines to another section.

In place  the last segment is another, or also sections above that hold nothing but this key.
Moved     the entry's lines with the comments directly above go below the section that is the longest start of the new
          name; sections that hold nothing any more go, their comments stay.

What comes out is read again: where anything but this name would be another there is no change.  That holds for merged
keys, keys within anchored sections, flow style across sections, and names that the document has already.
"""

from __future__ import annotations

import re

from conflens.documents.configfiles.insertion import inserted_lines
from conflens.documents.configfiles.model import Assignment, Change, Kind
from conflens.documents.configfiles.neighbours import line_start, newline_of
from conflens.documents.configfiles.yaml.builder import indices_at
from conflens.documents.configfiles.yaml.write import (
    Said,
    assignments_of,
    below,
    column_of,
    levels_of,
    nested,
    own_lines,
    quoted_start,
    said,
    target,
    tells,
    unchanged_but,
    width_of,
    written,
)

_ENDING = re.compile(r":[ \t]+(#.*)", re.DOTALL)
_ANCHOR = re.compile(r"(?<![^\s,\[{])&[^\s,\[\]{}]")


def renamed(text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """Return the changes that give an assignment another whole name; ``None`` where that is not possible."""
    assignments = assignments_of(text)
    own = next(
        (
            one
            for one in assignments
            if one.key == assignment.key and one.name == assignment.name and not one.merged
        ),
        None,
    )
    if own is None or not name or name == own.name or _indices(own.key.text):
        return () if own is not None and name == own.name else None
    moving = [own, *below(assignments, own)]
    told = [said(one) for one in assignments if tells(one)]
    gone = [said(one) for one in moving if tells(one)]
    come = [_under(one, own.name, name) for one in gone]
    for changes in (
        _in_place(text, assignments, own, name, len(moving)),
        _moved(text, assignments, own, name, moving),
    ):
        if changes is None:
            continue
        after = text
        for change in sorted(changes, key=lambda one: (one.start, one.end), reverse=True):
            after = after[: change.start] + change.text + after[change.end :]
        if unchanged_but(told, after, gone, come):
            return tuple(sorted(changes, key=lambda one: one.start))
    return None


def _under(one: Said, old: str, new: str) -> Said:
    return (new + one[0][len(old) :], *one[1:])


def _in_place(
    text: str, assignments: tuple[Assignment, ...], own: Assignment, name: str, size: int
) -> list[Change] | None:
    """The changes of segments that give the name, if sections on the way hold only this key."""
    if any(
        one.name == name and one.document == own.document and one.condition == own.condition
        for one in assignments
    ):
        return None
    parent = own.name[: len(own.name) - len(own.key.text)]
    if name.startswith(parent) and len(name) > len(parent):
        rest = name[len(parent) :]
        if len(levels_of(rest)) == 1 or ("." in own.key.text and "[" not in rest):
            return [_segment(text, own, -1, rest)]
    levels = _glued(levels_of(name))
    if len(levels) != len(own.path) or any("." in part.text for part in own.path):
        return None
    changes: list[Change] = []
    taken = {(one.name, one.document, one.condition) for one in assignments}
    for number, (part, level) in enumerate(zip(own.path, levels, strict=True)):
        if part.text == level:
            continue
        index = _indices(part.text)
        if index != _indices(level):
            return None
        last = number == len(own.path) - 1
        if not last:
            held = sum(
                len(one.path) > number and one.path[number].start == part.start and not one.merged
                for one in assignments
            )
            if held > size + (len(own.path) - 1 - number):
                return None
        changes.append(_segment(text, own, number, level[: len(level) - len(index)]))
        if (".".join(levels[: number + 1]), own.document, own.condition) in taken:
            return None
    return changes


def _glued(levels: list[str]) -> list[str]:
    """Levels with the indexes of elements at the end of what holds them, as in paths."""
    out: list[str] = []
    for level in levels:
        if out and level.startswith("[") and level[1:-1].isdigit():
            out[-1] += level
        else:
            out.append(level)
    return out


def _segment(text: str, own: Assignment, number: int, key: str) -> Change:
    part = own.path[number]
    start, end = part.start, part.end
    quote = text[start - 1 : start] if start else ""
    if quote in ("'", '"') and quote and text[end : end + 1] == quote:
        again = written(key)
        if again == key:
            return Change(start, end, key)
        return Change(start - 1, end + 1, again)
    return Change(start, end, written(key))


def _moved(
    text: str,
    assignments: tuple[Assignment, ...],
    own: Assignment,
    name: str,
    moving: list[Assignment],
) -> list[Change] | None:
    """The changes that take an entry's lines out and put them below another section."""
    if not own_lines(text, own) or name.startswith(f"{own.name}."):
        return None
    start, end = own.start, max(one.end for one in moving)
    if end < len(text) and line_start(text, end) != end:
        end = end + len(text[end:].splitlines(keepends=True)[0])
    column = column_of(text, own)
    lines_start = _with_comments(text, start, column)
    block = text[lines_start:end]
    if "\t" in block or _ANCHOR.search(block):
        return None
    place = target(text, assignments, name, own.document, own.condition)
    if place is None:
        return None
    at, indent, levels = place
    if start < at < end:
        return None
    width = width_of(text)
    opened = nested(levels[:-1], indent, width, "") if len(levels) > 1 else []
    inner = indent + width * (len(levels) - 1)
    body = _body(text, own, (lines_start, end), inner - column, levels[-1])
    emptied = _emptied(text, assignments, own, name, moving)
    changes = [
        Change(lines_start, end, ""),
        *(Change(first, last, _comment(text[first:last])) for first, last in emptied),
    ]
    whole = inserted_lines(text, at, [*opened, *body])
    for number, change in enumerate(changes):
        if change.start <= at <= change.end:
            tail = whole.text
            if change.end == len(text) and not text.endswith(("\n", "\r")):
                tail = newline_of(text).join([*opened, *body])
            both = tail + change.text if at <= change.start else change.text + tail
            changes[number] = Change(change.start, change.end, both)
            return changes
    if at == len(text) and any(change.end == len(text) for change in changes):
        return None
    return [*changes, whole]


def _with_comments(text: str, start: int, column: int) -> int:
    """Where the comments begin that stand directly above a line, indented like it."""
    while start > 0:
        above = line_start(text, start - 1)
        line = text[above:start]
        body = line.lstrip(" ")
        if not body.startswith("#") or len(line) - len(body) != column:
            break
        start = above
    return start


def _body(text: str, own: Assignment, span: tuple[int, int], shift: int, key: str) -> list[str]:
    """The moved lines, indented anew, with the new key."""
    start, end = span
    first = quoted_start(text, own)
    last = own.key.end + (first < own.key.start)
    block = text[start:first] + written(key) + text[last:end]
    lines = []
    for line in re.split(r"\r\n|\n|\r", block.removesuffix("\n").removesuffix("\r")):
        if shift >= 0:
            lines.append(" " * shift + line if line else line)
        else:
            blanks = len(line) - len(line.lstrip(" "))
            lines.append(line[min(-shift, blanks) :])
    return lines


def _comment(line: str) -> str:
    """Return the comment that ends the line of a section, as a line of its own; empty if there is none."""
    found = _ENDING.search(line)
    return line[: len(line) - len(line.lstrip(" "))] + found[1] if found is not None else ""


def _emptied(
    text: str,
    assignments: tuple[Assignment, ...],
    own: Assignment,
    name: str,
    moving: list[Assignment],
) -> list[tuple[int, int]]:
    """The lines of the sections that hold nothing any more."""
    removed: list[tuple[int, int]] = []
    gone = {id(one) for one in moving}
    for depth in range(len(own.path) - 1, 0, -1):
        segment = own.path[depth - 1]
        section = next(
            (one for one in assignments if len(one.path) == depth and one.key == segment and not one.merged),
            None,
        )  # fmt: skip
        if section is None or section.kind is not Kind.SECTION or not own_lines(text, section):
            break
        if name.startswith(f"{section.name}."):
            break
        if any(id(one) not in gone for one in below(assignments, section)):
            break
        gone.add(id(section))
        removed.append((section.start, section.end))
    return removed


def _indices(key: str) -> str:
    return key[indices_at(key) :]
