"""Running text about an option: shortening it, and the default it states.

Absent: markup of one dialect only. `plain` removes what Markdown, AsciiDoc and reStructuredText
have in common, since a description is shown as text.
"""

import re
from functools import lru_cache

from conflens.base.prose import shorten

DESCRIPTION_LIMIT = 600
_REMEMBERED = 4096
"""Descriptions are cut to this many characters."""

_LINK = re.compile(r"!?\[([^\[\]\n]{1,200}+)\](?:\([^()\n]{0,500}+\)|\[[^\[\]\n]{0,200}+\])")
_CROSS_REFERENCE = re.compile(r"<<[^<>,\n]{1,200}+,\s*+([^<>\n]{1,200}+)>>")
_ANCHOR = re.compile(r"\[\[[^\[\]\n]{1,200}+\]\]|\[#[^\[\]\n]{1,200}+\]")
_ROLE = re.compile(r":[a-z][a-z-]{1,20}+:(?=`)")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_)(?=\S)([^*\n]{1,200}?)(?<=\S)\1(?!\w)")
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|samp|small|span"
    r"|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var|wbr)(?:\s[^<>]{0,200}+)?/?>",
    re.I,
)

_UNIT = r"ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|hours?|days?|bytes?|[KMG]i?B|%|threads?"
_DEFAULT = re.compile(
    r"\bdefaults?+(?:\s++(?:value|setting))?+"
    r"(?:\s*+[:=]\s*+|\s++(?:is|are|to|of)\s++(?:set\s++to\s++)?+|\s++(?=[\d`\"'-]))"
    r"(?P<mark>[`\"'*]*+)(?P<value>(?:\d{1,3}(?:,\d{3}){1,6}(?![\d,]\d)|[^\s`\"'*,;()]{1,120}+)"
    r"(?:\s(?:" + _UNIT + r")\b)?+)[`\"'*]*+"
    r"(?P<after>[ \t]*+(?:[.,;)\]]|$|(?-i:\n(?![a-z]))|\s-))?",
    re.I,
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})++")
_OF_ANOTHER = re.compile(r"\(\s?(?:`[^`\n]{1,80}`|[\w-]++(?:\.[\w-]++)++),?\s?\Z")
_LOOKED_BACK = 100
_NO_VALUE = frozenset(
    (
        "a",
        "an",
        "as",
        "be",
        "behavior",
        "behaviour",
        "computed",
        "determined",
        "in",
        "it",
        "its",
        "no",
        "none",
        "not",
        "on",
        "one",
        "same",
        "set",
        "that",
        "the",
        "these",
        "this",
        "those",
        "to",
        "true/false",
        "use",
        "used",
        "value",
        "values",
        "whatever",
    )
)


def unlinked(text: str) -> str:
    """The text with links, cross references, anchors and roles replaced by their labels."""
    if "[" in text:
        text = _ANCHOR.sub("", _LINK.sub(r"\1", text))
    if "<<" in text:
        text = _CROSS_REFERENCE.sub(r"\1", text)
    return _ROLE.sub("", text) if ":`" in text else text


def plain(text: str) -> str | None:
    """A description in one line of plain text, or None when nothing is left of it."""
    return _plain(text[: DESCRIPTION_LIMIT * 4])


@lru_cache(maxsize=_REMEMBERED)
def _plain(text: str) -> str | None:
    """Remembered, because a document that is being edited is harvested at each key stroke."""
    text = unlinked(text)
    text = _TAG.sub(" ", text)
    text = _EMPHASIS.sub(r"\2", text).replace("`", "").replace("&nbsp;", " ")
    return shorten(text, DESCRIPTION_LIMIT) or None


def stated_default(text: str | None) -> str | None:
    """The default that a description states in words ("Defaults to 5."), or None.

    Only a value that ends its phrase counts: "defaults to 2 times x" states no value.  Nor does one in brackets behind
    another name: "as with the agent's port (`agent.port`, default 11800)"."""
    if text is None or "efault" not in text:
        return None
    for match in _DEFAULT.finditer(text):
        if _OF_ANOTHER.search(text, max(0, match.start() - _LOOKED_BACK), match.start()):
            continue
        value = match["value"].rstrip(".")
        if _GROUPED.fullmatch(value):
            value = value.replace(",", "")
        ends = match["after"] is not None or match["value"].endswith(".")
        wordy = value.isalpha() and not match["mark"] and value.lower() not in ("true", "false")
        if value and ends and value.lower() not in _NO_VALUE and not (wordy and value.islower()):
            return value
    return None
