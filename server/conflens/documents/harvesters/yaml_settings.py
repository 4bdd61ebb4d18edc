"""Names in YAML, as documentation: what each key's comments say of it, and keys that have been commented out.

The reader says which keys there are and what they are called (`active_keys`). The comment block above a key is its description, or
else the comment behind it. A commented-out key stands where its text would stand without the marker and the space after it; it can
hold other commented-out keys but never an active one. One that is indented although no key above can hold it is an example within
prose, and part of a description.

Invariants: every line is looked at once; depth is bounded.
"""

import re
from collections.abc import Iterator

from attrs import frozen

from conflens.documents.configfiles.model import Assignment
from conflens.documents.harvesters.active_keys import ActiveKeys, plain_name
from conflens.documents.harvesters.comments import CommentBlock, is_setting
from conflens.documents.names import canonical, is_name_like
from conflens.documents.prose import plain, stated_default
from conflens.documents.source import Collector, Source
from conflens.documents.stated import stated

_MAX_DEPTH = 16
_YAML_KEY = re.compile(
    r"(?P<items>(?:-\s++)*+)(?P<quote>[\"']?+)(?P<key>[A-Za-z_$<*{][\w.\-$<>*{}/]*+)(?P=quote)"
    r"\s*+:(?:\s++(?P<value>\S.*+)?+|$)"
)


@frozen
class _Open:
    """A key that others may stand below: its column, name and depth, and whether it can hold any."""

    column: int
    name: str
    depth: int
    holds: bool


def harvest_yaml(source: Source, collector: Collector, active: ActiveKeys) -> None:
    """Adds an entry for every key, active or commented out."""
    block = CommentBlock()
    open_: list[_Open] = []
    ghosts: list[_Open] = []
    for number, line in enumerate(source.lines):
        if number in active.covered:
            continue
        body = line.lstrip()
        if not body or body[0] != "#":
            ghosts.clear()
        if not body:
            block.lines.clear()
            continue
        if body[0] == "#":
            _commented(source, collector, number, block, open_, ghosts)
            continue
        if body.startswith(("---", "...")):
            open_ = []
        one = active.keys.get(number)
        match = _YAML_KEY.match(body) if one is not None else None
        if one is None or match is None:
            block.lines.clear()
            continue
        open_ = list(_opened(source, active, one))
        name = plain_name(one.name)
        if name.count(".") <= _MAX_DEPTH:
            offset = active.base + one.key.start
            _add_yaml(collector, name, offset, match["value"] or "", block, active=True)


def _opened(source: Source, active: ActiveKeys, one: Assignment) -> Iterator[_Open]:
    """The keys around an assignment, with itself."""
    name = ""
    for depth, part in enumerate(one.path[:_MAX_DEPTH]):
        name = f"{name}.{part.text}" if name else part.text
        column = source.place(active.base + part.start)[1] - 1
        holds = depth + 1 < len(one.path) or one.value is None
        yield _Open(column, plain_name(name), depth, holds)


def _commented(
    source: Source,
    collector: Collector,
    number: int,
    block: CommentBlock,
    open_: list[_Open],
    ghosts: list[_Open],
) -> None:
    """Takes a comment: a commented-out key, or a line of the description of the next one."""
    line = source.lines[number]
    body = line.lstrip()
    text = body.lstrip("#")
    words = text.lstrip()
    match = _YAML_KEY.match(words)
    value = (match["value"] or "") if match else ""
    close = words == text and not body.startswith("##")
    if match is None or not is_setting(match["key"], value, close):
        block.add(words.rstrip())
        return
    shift = max(len(text) - len(words) - 1, 0)
    column = len(line) - len(body) + shift + match.start("key")
    while ghosts and ghosts[-1].column >= column:
        ghosts.pop()
    outer = [*open_, *ghosts[-1:]]
    parent = next((one for one in reversed(outer) if one.column < column), None)
    if parent is not None and not parent.holds:
        # One space too many behind the marker: a sibling of the key above, if its name is no mere word.
        slack = is_name_like(match["key"])
        parent = (
            next(
                (one for one in reversed(outer) if one.column < parent.column and one.holds), None
            )
            if slack
            else None
        )
    depth = parent.depth + 1 if parent else 0
    name = f"{parent.name}.{match['key']}" if parent else match["key"]
    if depth < _MAX_DEPTH:
        ghosts.append(_Open(column, name, depth, not value or value[0] in "#&!"))
    if shift and not depth:
        ghosts.clear()
        block.add(words.rstrip())
        return
    offset = source.starts[number] + len(line) - len(words) + match.start("key")
    _add_yaml(collector, name, offset, value, block, active=False)


def _add_yaml(
    collector: Collector, name: str, offset: int, value: str, block: CommentBlock, active: bool
) -> None:
    description, default, said = block.take()
    value, _, remark = ("", "", value[1:]) if value[:1] == "#" else value.partition(" #")
    if description is None and remark:
        description, default, said = plain(remark), stated_default(remark), stated(remark)
    value = value.strip()
    if value[:1] in ("'", '"') and value[-1:] == value[0] and len(value) > 1:
        value = value[1:-1]
    if value[:1] in ("|", ">"):
        value = ""
    default = default or (None if active else value or None)
    collector.entry(canonical(name), offset, description, default, value or None, active, said)
