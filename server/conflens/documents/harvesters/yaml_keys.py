"""Names in YAML: every key is an entry under its dotted path, commented-out keys included.

A line scanner over indentation, not a YAML parser: half-typed and invalid files must give their
keys, and an alias bomb is nothing but lines. List items add nothing to a path (`a: [{b: 1}]`
written as a block gives `a.b`). `---` begins a new document.

A commented-out key stands where its text would stand without the marker and the space after it;
it can hold other commented-out keys but never an active one. One that is indented although no
key above can hold it is an example within prose, and part of a description.

Invariants: every line is scanned once, the stack of open keys is bounded. Absent: flow
collections' inner keys, anchors and merges, keys of more than one word.
"""

import re

from attrs import frozen

from conflens.documents.harvesters.comments import CommentBlock, is_setting
from conflens.documents.names import canonical
from conflens.documents.prose import plain, stated_default
from conflens.documents.source import Collector, Source
from conflens.documents.stated import stated

_MAX_DEPTH = 16
_KEY = re.compile(
    r"(?P<items>(?:-\s++)*+)(?P<quote>[\"']?+)(?P<key>[A-Za-z_$<*{][\w.\-$<>*{}/]*+)(?P=quote)"
    r"\s*+:(?:\s++(?P<value>\S.*+)?+|$)"
)
_BLOCK_SCALAR = re.compile(r"(?:&\S++\s++)?+(?:!\S++\s++)?+[|>][-+0-9]*+(?:\s++#.*+)?+$")


@frozen
class _Open:
    indent: int
    path: str
    depth: int
    holds: bool


def harvest_yaml(source: Source, collector: Collector) -> None:
    """Adds an entry for every key, active or commented out."""
    active: list[_Open] = []
    ghosts: list[_Open] = []
    block = CommentBlock()
    scalar: int | None = None
    for number, line in enumerate(source.lines):
        body = line.lstrip()
        indent = len(line) - len(body)
        if not body:
            block.lines.clear()
            ghosts.clear()
            continue
        if scalar is not None:
            if indent > scalar:
                continue
            scalar = None
        start = source.starts[number]
        if body[0] == "#":
            text = body.lstrip("#")
            words = text.lstrip()
            match = _KEY.match(words)
            close = words == text and not body.startswith("##")
            value = (match["value"] or "") if match else ""
            if match is None or not is_setting(match["key"], value, close):
                block.add(words.rstrip())
                continue
            shift = max(len(text) - len(words) - 1, 0)
            column = indent + shift + match.start("key")
            opened = _open(match["key"], column, value, ghosts, active)
            if shift and not opened.depth:
                ghosts.clear()
                block.add(words.rstrip())
                continue
            offset = start + len(line) - len(words) + match.start("key")
            _add(collector, opened, offset, value, block, active=False)
            continue
        ghosts.clear()
        if body.startswith(("---", "...")):
            active.clear()
            block.lines.clear()
            continue
        match = _KEY.match(body)
        if match is None:
            block.lines.clear()
            continue
        column = indent + match.start("key")
        while active and active[-1].indent >= column:
            active.pop()
        value = match["value"] or ""
        opened = _open(match["key"], column, value, active, active)
        _add(collector, opened, start + column, value, block, active=True)
        if _BLOCK_SCALAR.match(value):
            scalar = indent


def _open(key: str, column: int, value: str, stack: list[_Open], below: list[_Open]) -> _Open:
    """Opens a key on `stack`, under the nearest key of the stack or of `below` that is indented
    less and has no value of its own."""
    while stack and stack[-1].indent >= column:
        stack.pop()
    outer = [*below[-_MAX_DEPTH:], *stack[-1:]]
    parent = next((o for o in reversed(outer) if o.indent < column), None)
    if parent is not None and not parent.holds:
        parent = None
    depth = parent.depth + 1 if parent else 0
    path = f"{parent.path}.{key}" if parent else key
    opened = _Open(column, path, depth, not value or value[0] in "#&!")
    if depth < _MAX_DEPTH:
        stack.append(opened)
    return opened


def _add(
    collector: Collector, opened: _Open, offset: int, value: str, block: CommentBlock, active: bool
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
    name = canonical(opened.path)
    collector.entry(name, offset, description, default, value or None, active, said)
