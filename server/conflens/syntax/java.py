"""Java text to a syntax tree, with the published grammar's gaps closed.

The grammar knows some contextual keywords only as keywords: ``SimpleWhen when = null;`` is legal Java
and an error in tree-sitter-java 0.23.5.  It knows no modifiers in patterns of a switch (``case final @Nullable String text ->``), either.
When a parse has errors and such a word occurs outside the place where it is a keyword, the words are replaced by
identifiers of the same length, the modifiers (and annotations in front of ``...``, and the byte 0 in literals) by spaces, and the text is parsed once more; the tree with fewer
errors wins.  Offsets stay right, and names are always read from the original text, never from the tree.

Invariant: parsing is total.  An edited document equals a fresh parse: the old tree is reused only
when the result has no error, because error recovery depends on the parser's history.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
import tree_sitter
import tree_sitter_java
from tree_sitter import Node

__all__ = [
    "Node",
    "Tree",
    "error_places",
    "field_id",
    "kind_ids",
    "kind_names",
    "parse",
    "reparse",
]

_LANGUAGE = tree_sitter.Language(tree_sitter_java.language())

_CONTEXTUAL = re.compile(rb"(?<![\w.$\"])(when|record|yield|sealed|module|open|with)(?![\w$])")
_GUARD_CONTEXT = re.compile(rb"\bcase\b[^;{}]*$")
_ANNOTATION = rb"@[\w.$]++(?:\s*+\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*+\")*+\))?+"
_ANNOTATED = re.compile(rb"(?<![\w.$])case\s++((?:(?:" + _ANNOTATION + rb"|final(?!\w))\s*+)++)")
_HEADER = re.compile(rb"(?<![\w.$])case\s[^;{}]{0,400}?->")
_MODIFIER = re.compile(_ANNOTATION + rb"|(?<![\w$])final(?![\w$])")
_VARARGS = re.compile(_ANNOTATION + rb"(?=\s*+\.\.\.)")
_NO_END = re.compile(rb"[^\r\n]")
_STAND_IN = {
    b"when": b"whe_",
    b"record": b"recor_",
    b"yield": b"yiel_",
    b"sealed": b"seale_",
    b"module": b"modul_",
    b"open": b"ope_",
    b"with": b"wit_",
}
_DECLARES = re.compile(rb"\s+[A-Za-z_$][\w$]*\s*(?:[<({]|extends\b|implements\b|permits\b)")


def kind_names() -> list[str]:
    """Return the node kind of each id; an id that is not visible has an empty name."""
    return [
        (_LANGUAGE.node_kind_for_id(index) or "") if _LANGUAGE.node_kind_is_visible(index) else ""
        for index in range(_LANGUAGE.node_kind_count)
    ]


def kind_ids(name: str) -> list[int]:
    """Return every id of node kind ``name``; raise ``KeyError`` when the grammar has none."""
    found = [index for index, kind in enumerate(kind_names()) if kind == name]
    if not found:
        raise KeyError(name)
    return found


def field_id(name: str) -> int:
    """Return the id of field ``name``; raise ``KeyError`` when the grammar has none."""
    found = _LANGUAGE.field_id_for_name(name)
    if found is None:
        raise KeyError(name)
    return found


@attrs.frozen
class Tree:
    """A parsed text: ``text`` is the original, ``root`` its tree, ``masked`` whether words stood in."""

    text: bytes = attrs.field(repr=False)
    tree: tree_sitter.Tree = attrs.field(repr=False)
    masked: bool

    @property
    def root(self) -> Node:
        """The ``program`` node."""
        return self.tree.root_node


def _mask(text: bytes) -> bytes:
    def stand_in(match: re.Match[bytes]) -> bytes:
        word = match.group(1)
        before = text[max(0, match.start() - 300) : match.start()]
        if word == b"when" and _GUARD_CONTEXT.search(before):
            return word
        if word in (b"record", b"sealed") and _DECLARES.match(text, match.end()):
            return word
        if word == b"sealed" and text[match.end() : match.end() + 12].lstrip().startswith(
            (b"class", b"interface", b"abstract", b"public", b"static")
        ):
            return word
        if word == b"yield" and text[match.end() :].lstrip()[:1] not in (b"=", b".", b";", b":"):
            return word
        return _STAND_IN[word]

    def spaces(match: re.Match[bytes]) -> bytes:
        return _NO_END.sub(b" ", match.group())

    def first(match: re.Match[bytes]) -> bytes:
        return b"case" + _NO_END.sub(b" ", match.group()[len(b"case") :])

    def header(match: re.Match[bytes]) -> bytes:
        return _MODIFIER.sub(spaces, match.group())

    text = _VARARGS.sub(spaces, _CONTEXTUAL.sub(stand_in, text))
    return _HEADER.sub(header, _ANNOTATED.sub(first, text)).replace(b"\0", b" ")


def error_places(root: Node, limit: int = 20) -> list[tuple[int, str]]:
    """Return (byte offset, message) of the first ``limit`` syntax errors below ``root``."""
    found: list[tuple[int, str]] = []
    stack = [root]
    while stack and len(found) < limit:
        node = stack.pop()
        if node.is_missing:
            found.append((node.start_byte, f"missing {node.type}"))
        elif node.is_error:
            found.append((node.start_byte, "not understood"))
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found


def parse(text: bytes) -> Tree:
    """Parse ``text``; total."""
    parser = tree_sitter.Parser(_LANGUAGE)
    tree = parser.parse(text)
    if not tree.root_node.has_error:
        return Tree(text, tree, masked=False)
    masked = _mask(text)
    if masked == text:
        return Tree(text, tree, masked=False)
    second = parser.parse(masked)
    if len(error_places(second.root_node)) < len(error_places(tree.root_node)):
        return Tree(text, second, masked=True)
    return Tree(text, tree, masked=False)


def reparse(old: Tree, text: bytes) -> Tree:
    """Parse ``text``, an edited form of ``old.text``, reusing what did not change; total."""
    if old.masked or old.root.has_error:
        return parse(text)
    before = old.text
    limit = min(len(before), len(text))
    start = _common(limit, lambda size: before[:size] == text[:size])
    rest = limit - start
    tail = _common(rest, lambda size: before[len(before) - size :] == text[len(text) - size :])
    if start == len(before) == len(text):
        return Tree(text, old.tree, masked=False)
    copy = old.tree.copy()
    copy.edit(
        start,
        len(before) - tail,
        len(text) - tail,
        _point(before, start),
        _point(before, len(before) - tail),
        _point(text, len(text) - tail),
    )
    tree = tree_sitter.Parser(_LANGUAGE).parse(text, copy)
    if tree.root_node.has_error:
        return parse(text)
    return Tree(text, tree, masked=False)


def _common(limit: int, same: Callable[[int], bool]) -> int:
    """Return the largest size up to ``limit`` for which ``same`` holds (it holds for all smaller)."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if same(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _point(text: bytes, offset: int) -> tuple[int, int]:
    return text.count(b"\n", 0, offset), offset - (text.rfind(b"\n", 0, offset) + 1)
