"""The words that features share: phrases for a person, and how places become links.

Absent: any decision about what to show; that is each feature's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape

import attrs

from conflens.base.prose import shorten as whole_sentences
from conflens.base.words import joined, shorten
from conflens.options.model import Option, OptionType

Link = Callable[[str, int], str]
"""Makes the target of a Markdown link from a path and a 1-based line."""


@attrs.frozen
class Wording:
    """What a project is worded with: ``link`` and the ``labels`` of domains."""

    link: Link = lambda path, line: f"{path}#L{line}"
    labels: Mapping[str, str] = attrs.field(factory=dict)

    def domain(self, domain: str) -> str:
        """Return a domain in words: ``system property``."""
        return self.labels.get(domain) or domain.replace("-", " ")

    def place(self, path: str, line: int) -> str:
        """Return a Markdown link named after the file and line."""
        name = path.rsplit("/", 1)[-1]
        return f"[{_escaped(name)}:{line}]({self.link(path, line)})"


_TYPES = {
    OptionType.BOOLEAN: "true or false",
    OptionType.INTEGER: "whole number",
    OptionType.FRACTION: "number",
    OptionType.STRING: "text",
    OptionType.MODE: "one of a few words",
    OptionType.CLASS: "class name",
    OptionType.FILE: "file or folder",
    OptionType.TIME: "time",
    OptionType.SIZE: "size",
    OptionType.ADDRESS: "network address",
    OptionType.PORT: "port",
    OptionType.URI: "URI",
    OptionType.REGEX: "regular expression",
    OptionType.LIST: "list",
    OptionType.MAP: "map",
    OptionType.PASSWORD: "secret",
}
_UNITS = {
    "ns": "nanoseconds",
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "min": "minutes",
    "h": "hours",
    "d": "days",
    "bytes": "bytes",
    "percent": "percent",
}
_BARE = frozenset({"count", "ratio"})
_OBVIOUS = {OptionType.BOOLEAN, OptionType.INTEGER, OptionType.FRACTION, OptionType.STRING}
_EVIDENT = ("returned by ", "as declared", "default ", "equals ", "split ")
_SWITCH = "switch without argument"
_INLINE = re.compile(r"</?(?:a|b|code|em|i|span|strong|su[bp]|tt)(?:\s[^<>]*)?>", re.IGNORECASE)
_BLOCK = re.compile(
    r"</?(?:br|d[dlt]|div|h[1-6]|li|ol|p|pre|t[dhr]|table|ul)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_CODE = re.compile(r"<(?P<tag>code|tt)>(?P<text>[^`<>]+)</(?P=tag)>", re.IGNORECASE)
_SPAN = re.compile(r"`([^`]+)`")
_ESCAPE = re.compile(r"\\([*_<\\\]])")
_LABEL = re.compile(
    r"(?:The )?(?:[A-Za-z]+ ){1,3}(?:`(?=\S+`)|<code>)?(?P<name>[^\s`<]+)(?:`|</code>)?"
    r"(?: \(default:? (?P<default>[^()]{1,80})\))?\. ",
)
_DEFAULT = re.compile(r"(?<=[.!?]) Defaults?(?: to| is|:) (?P<default>[^\s]{1,80}?)\.?$")
_WORD = re.compile(r"[a-z]+(?= )")
_MAX_VALUES = 8
_NO_MAXIMUM = (2.0**31 - 1, 2.0**63 - 1)
"""What holds of every ``int`` or ``long``."""


def type_words(option: Option) -> str:
    """Return type, unit and allowed values in words, empty when nothing is known.

    What the type was inferred from is told only where the words alone would surprise: not for the
    types a Java signature shows anyway, nor beside the values themselves.
    """
    if option.type is OptionType.MODE and option.values:
        shown = [code(value) for value in option.values[:_MAX_VALUES]]
        more = len(option.values) - len(shown)
        return f"one of {joined(shown + ([f'{more} more'] if more else []), 'or')}"
    words = _TYPES.get(option.type, "")
    if option.type is OptionType.BOOLEAN and option.why == _SWITCH:
        words = "flag without a value"
    unit = _UNITS.get(option.unit, option.unit)
    if option.unit in _BARE:
        words = f"a {option.unit}"
    elif unit:
        words = f"{words} in {unit}" if words else f"in {unit}"
    if words and option.values:
        words += f": {', '.join(code(value) for value in option.values[:_MAX_VALUES])}"
    elif words and option.type not in _OBVIOUS:
        words += _reason(option)
    return words


def limit_words(option: Option) -> str:
    """Return what a value must keep to beside its type, in words, empty for nothing: ``from 1 to 100``."""
    limits = option.limits
    most = limits.maximum if limits.maximum not in _NO_MAXIMUM else None
    if limits.minimum is not None and most is not None:
        parts = [f"from {number_words(limits.minimum)} to {number_words(most)}"]
    else:
        bounds = (
            ("at least", limits.minimum),
            ("above", limits.above),
            ("at most", most),
            ("under", limits.under),
        )
        parts = [f"{words} {number_words(bound)}" for words, bound in bounds if bound is not None]
    if limits.supertype:
        parts.append(f"must be a {code(limits.supertype.rpartition('.')[2])}")
    return " and ".join(parts)


def number_words(value: float) -> str:
    """Return a bound as a person writes it: ``1,024``, ``0.5``."""
    return f"{int(value):,}" if value == value // 1 else f"{value:g}"


def _reason(option: Option) -> str:
    """What a type was inferred from, in parentheses; empty where the read itself or a unit in a
    name shows it."""
    by_name = option.why.startswith("named ")
    if not option.why or option.why.startswith(_EVIDENT):
        return ""
    if option.unit and (by_name or option.why.startswith("stored in ")):
        return ""
    return " (judging by its name)" if by_name else f" ({option.why})"


def code(text: str) -> str:
    """Return ``text`` as a Markdown code span, whatever it holds."""
    text = " ".join(text.split())
    if not text:
        return '`""`'
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def plain(text: str, limit: int) -> str:
    """Return prose for Markdown: one paragraph, cut to ``limit``, nothing in it taken as markup."""
    return _escaped(shorten(text, limit))


def prose(text: str, limit: int) -> str:
    """Return a description for Markdown: sentences that fit into about ``limit`` characters.

    Descriptions come as plain text, with HTML, or as Markdown whose only markup is code spans and
    escaped characters: code spans stay, all else is shown as it was meant.
    """
    shown = (code(part) if is_code else _escaped(part) for is_code, part in pieces(text, limit))
    return " ".join("".join(shown).split())


def pieces(text: str, limit: int) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a description in about ``limit`` characters, without any markup, and whether each is code."""
    text = _CODE.sub(r"`\g<text>`", text)
    short = whole_sentences(text, limit)
    if short.endswith("…") and short.count("`") % 2:
        short = f"{short[: short.rindex('`')].rstrip()}…"
    if _WORD.match(short):
        short = short[0].upper() + short[1:]
    for number, part in enumerate(_SPAN.split(short)):
        if number % 2:
            yield True, part
            continue
        escaped = _ESCAPE.split(part)
        yield False, "".join(p if i % 2 else _untagged(p) for i, p in enumerate(escaped))


def unlabelled(text: str, option: Option, default: str | None = None) -> str:
    """Return a description without a first sentence that only says again which option this is, and
    without a last one that only says its default again.

    ``System property `a.b` (default: 5). Waits this long. Default: 5.`` keeps its middle.  What
    states another default than the reads (or ``default``) stays, since it is news.
    """
    defaults = {stated.text for stated in option.defaults} | ({default} if default else set())
    label = _LABEL.match(text)
    if label is not None and label["name"] == option.name:
        rest = text[label.end() :]
        stated = _bare(label["default"])
        if rest and (not stated or stated in (defaults or {"null", "none"})):
            text = rest
    again = _DEFAULT.search(text)
    if again is not None and again.start() and _bare(again["default"]) in defaults:
        text = text[: again.start()]
    return text


def _bare(default: str | None) -> str:
    return (default or "").replace("\\", "").strip("`\"'")


def _untagged(text: str) -> str:
    """Return text without the HTML that descriptions in Java code are written with."""
    return unescape(_BLOCK.sub(" ", _INLINE.sub("", text)))


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in text)
