"""What a Javadoc comment says in short: its main description as one line of plain Markdown.

Inline tags become text or code spans, HTML becomes text, block tags (`@param` and all after)
are dropped. What is left is escaped where Markdown would read it as markup.
Source: Javadoc's "Documentation Comment Specification for the Standard Doclet" (JDK 17).
"""

import html
import re

from conflens.base.prose import shorten
from conflens.base.redaction import without_tagged

JAVADOC_LIMIT = 300
"""A description is cut to this many characters."""

_INPUT_LIMIT = 20_000
_MARGIN = re.compile(r"^[ \t]*+\*++ ?", re.M)
_BLOCK_TAG = re.compile(r"^[ \t]*+@[A-Za-z]", re.M)
_INLINE = re.compile(r"\{@(?P<tag>[A-Za-z.]++)(?P<text>[^{}]*+)\}")
_PARAGRAPH = re.compile(r"</?(?:p|div|ul|ol|dl|table|h[1-6]|blockquote)\b[^<>]*+>", re.I)
_CODE = re.compile(r"<(?:code|tt|kbd|samp|var)>|</(?:code|tt|kbd|samp|var)>", re.I)
_ITEM = re.compile(r"<(?:li|dd|dt|tr)\b[^<>]*+>", re.I)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*+(?:\s[^<>]*+)?/?>|<!--[^<>]*+-->")
_TICK = "\x01"
_BREAK = "\x02"
_OPEN = "\x03"
_CLOSE = "\x04"
_SPECIAL = re.compile(r"(?<!\w)_|_(?!\w)|[*<\\]|\](?=\()")
_GAP = re.compile(r"\s++")
_WRITTEN_SPAN = re.compile(r"`([^`\n]{1,200}+)`")
_ITEM_MARK = "\x05"


def javadoc_description(comment: str) -> str:
    """One paragraph of at most `JAVADOC_LIMIT` characters for a raw `/** … */` comment: whole
    sentences when one ends in time, else whole words and an ellipsis; empty if it says nothing."""
    text = comment[:_INPUT_LIMIT].strip().removeprefix("/**").removeprefix("/*").removesuffix("*/")
    text = "".join(c for c in text if c >= " " or c in "\t\n\r").replace("\r\n", "\n")
    text = _MARGIN.sub("", text.replace("\r", "\n"))
    block = _BLOCK_TAG.search(text)
    if block is not None:
        text = text[: block.start()]
    text = _inline_tags(text)
    text = re.sub(r"</?pre\b[^<>]*+>", _TICK, text, flags=re.I)
    text = _ITEM.sub(_ITEM_MARK, _CODE.sub(_TICK, _PARAGRAPH.sub(_BREAK, text)))
    text = (
        html.unescape(_TAG.sub("", without_tagged(text))).replace(_OPEN, "{").replace(_CLOSE, "}")
    )
    for paragraph in text.split(_BREAK):
        first = _paragraph(paragraph)
        if first:
            return first
    return ""


def _inline_tags(text: str) -> str:
    """Replaces inline tags from the inside out; each round takes all innermost ones. Braces
    within `{@code …}` are kept by hiding balanced pairs first."""
    for _ in range(8):
        replaced = _INLINE.sub(_inline, text)
        if replaced == text and "{@" in text:
            replaced = re.sub(r"(?<!@)\{(?!@)([^{}]*+)\}", rf"{_OPEN}\1{_CLOSE}", text)
        if replaced == text:
            break
        text = replaced
    return text.replace("{@", "{")


def _inline(match: re.Match[str]) -> str:
    tag, body = match["tag"], match["text"].strip()
    if tag == "code":
        return f"{_TICK}{html.escape(body, quote=False)}{_TICK}"
    if tag == "literal":
        return html.escape(body, quote=False)
    if tag in ("link", "linkplain", "value", "systemProperty"):
        target, _, label = _link_parts(body)
        if label:
            return label
        name = target.lstrip("#").replace("#", ".")
        if not name:
            return ""
        return name if tag == "linkplain" else f"{_TICK}{name}{_TICK}"
    if tag in ("inheritDoc", "docRoot", "index"):
        return ""
    return body or (tag if tag[0].isupper() else "")


def _link_parts(body: str) -> tuple[str, str, str]:
    """A link's target, which may hold spaces within its parentheses, and its label."""
    close = body.find(")")
    opening = body.find("(")
    space = re.search(r"\s", body)
    if 0 <= opening < close and (space is None or opening < space.start()):
        return body[: close + 1], " ", body[close + 1 :].strip()
    return (
        body.partition(" ")
        if space is None
        else (body[: space.start()], " ", body[space.end() :].strip())
    )


def _paragraph(text: str) -> str:
    items = [_GAP.sub(" ", part).strip() for part in text.split(_ITEM_MARK)]
    text = _WRITTEN_SPAN.sub(rf"{_TICK}\1{_TICK}", "; ".join(i.rstrip(";") for i in items if i))
    parts = text.split(_TICK)
    spans = [
        _span(part) if at % 2 and at + 1 < len(parts) else _escape(part)
        for at, part in enumerate(parts)
    ]
    short = shorten("".join(spans), JAVADOC_LIMIT)
    if short.count("`") % 2:
        short = short[: short.rindex("`")].rstrip(" ,;:") + "…"
    return short


def _span(text: str) -> str:
    inner = text.strip().replace("`", "'")
    return f"`{inner}`" if inner else ""


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text.replace("`", "'"))
