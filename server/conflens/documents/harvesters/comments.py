"""The comment above a key: what it says of the key, and whether a comment is itself a key that
has been commented out.

Shared by all line-based configuration formats. Invariant: a comment block is contiguous; a blank
line, a key or a ruler ends it, so that a description never belongs to two keys.
"""

import re

from attrs import define, field

from conflens.documents.names import is_name_like
from conflens.documents.prose import plain, stated_default
from conflens.documents.stated import NOTHING, Stated, stated

_RULER = re.compile(r"[\s#=*~_+;!/-]*+")
_LABELS = frozenset(
    (
        "attention",
        "author",
        "caution",
        "caveat",
        "copyright",
        "default",
        "defaults",
        "deprecated",
        "e.g",
        "example",
        "examples",
        "file",
        "fixme",
        "format",
        "hint",
        "http",
        "https",
        "i.e",
        "important",
        "license",
        "note",
        "notes",
        "options",
        "see",
        "since",
        "syntax",
        "tip",
        "todo",
        "usage",
        "values",
        "version",
        "warning",
        "where",
    )
)


@define
class CommentBlock:
    """The comment lines read since the block began."""

    lines: list[str] = field(factory=list)

    def add(self, text: str) -> None:
        """Takes one comment line without its marker; a ruler begins a new block."""
        if text.strip() and _RULER.fullmatch(text):
            self.lines.clear()
        else:
            self.lines.append(text)

    def take(self) -> tuple[str | None, str | None, Stated]:
        """The description in the block so far, the default and what else it states; the block is
        empty afterwards."""
        if not self.lines:
            return None, None, NOTHING
        text = "\n".join(self.lines)
        self.lines.clear()
        return plain(text), stated_default(text[:4000]), stated(text)


def is_setting(key: str, value: str, close: bool) -> bool:
    """Whether a comment `key: value` or `key=value` is a commented-out key rather than prose.

    `close` says that the comment marker touches the key (`#key=value`), the usual way to switch
    a line off. Otherwise a plain key must be in small letters and its value one word, a quoted
    text or a collection."""
    if key.lower() in _LABELS:
        return False
    words = value.split(" #", 1)[0].split()
    one = len(words) <= 1 or value[0] in "\"'[{&!|>"
    if close or is_name_like(key):
        return one or len(words) <= 4
    return one and key[0].islower()
