"""A tolerant scanner for XML and HTML: one pass over the tags, whatever the text between.

The standard parsers are not used: `xml` refuses what is half-typed and expands entities;
`html.parser` takes quadratic time on unclosed constructs. Here a tag ends before the next `<`,
so no character is looked at twice, and an entity is text until `html.unescape` reads it: the
entities that a document declares itself are never expanded.

Invariant: total on any text, linear in its length.
"""

import re
from collections.abc import Iterator

from attrs import frozen

_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.\-]*+)"
    r"(?P<rest>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>"
)
_ATTRIBUTE = re.compile(
    r"(?<![\w:.\-])(?P<key>[A-Za-z][\w:.\-]*+)\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'"
    r"|(?P<bare>[^\s\"'>]++))"
)


@frozen
class Tag:
    """A tag at `start`; its text ends at `end`. `attributes` is the raw text after the name."""

    name: str
    closing: bool
    start: int
    end: int
    attributes: str

    def attribute(self, key: str) -> tuple[str, int] | None:
        """An attribute's raw value and its offset in the document."""
        base = self.end - 1 - len(self.attributes)
        for match in _ATTRIBUTE.finditer(self.attributes):
            if match["key"] == key:
                group = match.lastgroup or "bare"
                return match[group], base + match.start(group)
        return None


def tags(text: str, skip_comments: bool) -> Iterator[Tag]:
    """The tags of a document in order. With `skip_comments` a comment is one tag named `!`, up
    to the end of the text if it never closes; without, what it holds is seen as well."""
    at = text.find("<")
    while at >= 0:
        if skip_comments and text.startswith("<!--", at):
            end = text.find("-->", at + 4)
            end = end + 3 if end >= 0 else len(text)
            yield Tag("!", True, at, end, "")
            at = text.find("<", end)
            continue
        tag = tag_at(text, at)
        if tag is not None:
            yield tag
            at = tag.end - 1
        at = text.find("<", at + 1)


def tag_at(text: str, at: int) -> Tag | None:
    """The tag that begins at an offset, if one does and is closed before the next `<`."""
    match = _TAG.match(text, at)
    if match is None:
        return None
    return Tag(match["name"], bool(match["close"]), at, match.end(), match["rest"])
