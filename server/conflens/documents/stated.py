"""What a document states of the values of an option: their unit, the list that they must be of, their bounds.

Said only where the document surely says it: a list counts if a phrase or heading announces it ("Valid values: a, b"), or if
nothing but words with bars between them is said (`A | B`), if it is complete (no "e.g.", no "etc.") and if every item is one word or quoted; a unit if the first sentence or an
explicit phrase gives it and no other contradicts. What a value may hold several of ("comma-separated list of …") states
no list, and a value that carries its unit as a suffix has the unit that the document assumes without one.

Terms: *prose* is a description, *head* the heading of a table's column or row. Units are spelled as in `options.model`.
Invariant: all patterns are linear (see `names`).
Absent: types, and whether a stated list is what the program really accepts.
"""

import re
from functools import lru_cache

from attrs import frozen

_LIMIT = 4000
_REMEMBERED = 4096


@frozen
class Stated:
    """Units are `ms`, `s`, `ns`, `us`, `min`, `h`, `d`, `bytes`, `KB`, `MB`, `percent` or empty; `values` is empty or
    all that are allowed, as written; bounds are inclusive."""

    unit: str = ""
    values: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def over(self, other: "Stated") -> "Stated":
        """This, and what only the other states."""
        bounds = self if (self.minimum, self.maximum) != (None, None) else other
        return Stated(
            self.unit or other.unit, self.values or other.values, bounds.minimum, bounds.maximum
        )


NOTHING = Stated()

_UNITS = {
    "ms": ("ms", "msec", "msecs", "millis", "millisecs", "millisecond", "milliseconds"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "us": ("us", "µs", "micros", "microsecs", "microsecond", "microseconds"),
    "ns": ("ns", "nanos", "nanosecs", "nanosecond", "nanoseconds"),
    "min": ("min", "mins", "minute", "minutes"),
    "h": ("h", "hour", "hours"),
    "d": ("d", "day", "days"),
    "bytes": ("b", "byte", "bytes"),
    "KB": ("kb", "kib", "kilobyte", "kilobytes", "kibibytes"),
    "MB": ("mb", "mib", "megabyte", "megabytes", "mebibytes"),
    "percent": ("%", "percent", "percentage"),
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words}
_IN_PROSE = sorted(
    word
    for word in _UNIT_OF
    if word in ("ms", "msec", "kb", "kib", "mb", "mib", "percent")
    or (word.endswith("s") and len(word) > 2)
)
"""What counts in running text: a plural or an abbreviation that is no other word."""
_LONG = "|".join(reversed(_IN_PROSE))
_NOT_A_RATE = rf"(?![\w/-])(?!\s(?:per|of|since|ago)\b)(?!\s(?:and|or|to)\s(?:{_LONG})\b)"
_IN = re.compile(rf"\bin\s(?P<unit>{_LONG}){_NOT_A_RATE}", re.I)
_IN_BRACKETS = re.compile(rf"(?<!\w)[(\[](?:in\s)?(?P<unit>{_LONG}|s|sec|%)[)\]]", re.I)
_NUMBER_OF = re.compile(
    r"(?:the\s|a\s)?(?:maximum\s|minimum\s|max\s|min\s)?(?:number|amount)\sof\s"
    rf"(?P<unit>{_LONG}){_NOT_A_RATE}",
    re.I,
)
_EXPLICIT = re.compile(
    rf"\b(?:units?(?:\sis|\sare|:)|(?:measured|specified|expressed|given)\sin)\s(?P<unit>{_LONG}){_NOT_A_RATE}",
    re.I,
)
_ASSUMED = re.compile(rf"\b(?P<unit>{_LONG})\s(?:is|are|will\sbe)\sassumed\b", re.I)
_OWN_UNITS = re.compile(r"\bsuffix|\bunit\ssuffix|\btime\sunits?\b|\bsize\sunits?\b", re.I)
_SENTENCE = re.compile(r"[.;!?](?=\s|$)")

_MANY = re.compile(
    r"comma[\s-]|separated|\blist\sof\b|\bcombination|\bone\sor\smore\b|\bmultiple\b|\bany\sof\b",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:etc|e\.g|for\sexample|such\sas|includ(?:e|es|ing)|and\sso\son)\b|\.\.\.|…", re.I
)
_KINDS = r"(?:valid|allowed|possible|supported|accepted|acceptable|legal|permitted|permissible|available)"
_LEAD = re.compile(
    rf"(?P<some>\bsome\s(?:of\s(?:the\s)?)?)?+(?:(?P<sure>\b{_KINDS}\s(?:values?|options?|choices|settings|modes?)"
    r"(?:\s(?:for|of)\sth(?:is|e)\s\w{1,20})?(?::|\sare(?::|\sone\sof:?)?|\sis\sone\sof:?)"
    r"|\bone\sof(?:\sthe\sfollowing)?:|(?:^|[.;(]\s?)values:)"
    r"|(?P<weak>\b(?:must|can|may|has\sto|have\sto)\sbe\s(?:set\s)?(?:to\s)?(?:one\sof|either)"
    r"|(?:^|[.;]\s)one\sof|\bset\sto\seither))\s?",
    re.I,
)
_ITEM = re.compile(
    r"(?:(?P<quote>``|[\"'`])(?P<quoted>[^\"'`\n]{1,60}+)(?P=quote)|(?P<bare>[\w+\-](?:[\w+/\-:]|\.(?=\w)){0,59}+))"
    r"(?:\s?\([^()]{0,120}+\))?+"
)
_SEPARATOR = re.compile(r"\s?(?:,\s?(?:and\s|or\s)?|\s(?:and|or)\s|\|\s?)", re.I)
_END = re.compile(r"\s?(?:[.;](?=\s|$)|[)\]}]|$|\s-\s)")
_BARS = re.compile(r"[\w+.\-]{1,60}+(?:\s?\|\s?[\w+.\-]{1,60}+){1,40}+\.?")
"""Alternatives, and nothing else."""
_NO_ITEM = frozenset(
    [
        "any",
        "anything",
        "both",
        "each",
        "either",
        "empty",
        "etc",
        "following",
        "it",
        "nothing",
        "other",
        "others",
        "undefined",
        "unset",
    ]
)

_NUMBER = r"-?\d{1,18}+(?:\.\d{1,9}+)?+"
_BETWEEN = re.compile(
    rf"\b(?:(?:must|has\sto|have\sto)\sbe\s(?:in\sthe\srange\s(?:of\s|from\s)?|between\s|from\s)"
    rf"|valid\srange(?:\sis)?:?\s|\brange:\s)\[?(?P<low>{_NUMBER})\s?(?:and|to|-|\u2013|\.\.|,)\s?"
    rf"(?P<high>{_NUMBER})\]?(?=\s?(?:[.,;](?:\s|$)|\(inclusive\)|$))",
    re.I,
)
_AT_LEAST = re.compile(
    rf"\bmust\sbe\s(?:at\sleast|greater\sthan\sor\sequal\sto|>=)\s(?P<low>{_NUMBER})(?=\s?(?:[.,;](?:\s|$)|$))",
    re.I,
)
_AT_MOST = re.compile(
    rf"\bmust\sbe\s(?:at\smost|less\sthan\sor\sequal\sto|<=)\s(?P<high>{_NUMBER})(?=\s?(?:[.,;](?:\s|$)|$))",
    re.I,
)
_RANGE_CELL = re.compile(
    rf"\[?\s?(?P<low>{_NUMBER})\s?(?:,\s?\.\.\.\s?,?|-|\u2013|\.\.\.?|,|\bto\b)\s?(?P<high>{_NUMBER})?\s?\]?"
)
_BOUND_CELL = re.compile(rf"(?:>=|≥)\s?(?P<low>{_NUMBER})|(?:<=|≤)\s?(?P<high>{_NUMBER})")

_VALUES_HEAD = re.compile(
    rf"(?:{_KINDS}\s)?(?:values|options|choices)|{_KINDS}\svalue|enum(?:eration)?", re.I
)
_RANGE_HEAD = re.compile(r"(?:valid\s|value\s)?(?:range|bounds|limits)", re.I)
_UNIT_HEAD = re.compile(r"(?:time\s)?units?", re.I)
_TYPE_HEAD = re.compile(r"(?:data\s|value\s)?type", re.I)
_TYPE_LIST = re.compile(r"(?:enum|string|one\sof)?\s?[(\[{]([^()\[\]{}]{3,400}+)[)\]}]", re.I)


def stated(text: str | None) -> Stated:
    """What a description states."""
    return _stated(" ".join(text[:_LIMIT].split())) if text else NOTHING


@lru_cache(maxsize=_REMEMBERED)
def _stated(text: str) -> Stated:
    """Remembered, because a document that is being edited is harvested at each key stroke."""
    minimum, maximum = _bounds(text)
    return Stated(_unit(text), _values(text), minimum, maximum)


def column(head: str, cell: str) -> Stated:
    """What the cell of a table states under a heading ("Valid Values", "Range", "Unit", "Type")."""
    head = head.strip().rstrip(":").strip()
    text = " ".join(cell[:_LIMIT].replace("<br>", ", ").replace("<br/>", ", ").split())
    if _VALUES_HEAD.fullmatch(head) or _RANGE_HEAD.fullmatch(head):
        low, high = _cell_bounds(text)
        listed = () if (low, high) != (None, None) else _cell_values(text)
        return Stated("", listed, low, high)
    if _UNIT_HEAD.fullmatch(head):
        return Stated(_UNIT_OF.get(text.strip("`*()").lower(), ""))
    if _TYPE_HEAD.fullmatch(head):
        enumerated = _TYPE_LIST.fullmatch(text)
        return Stated(_only(_IN_BRACKETS, text), _cell_values(enumerated[1]) if enumerated else ())
    return NOTHING


def header_unit(head: str) -> Stated:
    """What a label states in brackets: `timeout (ms)`."""
    return Stated(_only(_IN_BRACKETS, head[:400]))


def _only(pattern: re.Pattern[str], text: str) -> str:
    """The unit that a pattern finds, if it finds only one."""
    found = {_UNIT_OF[match["unit"].casefold()] for match in pattern.finditer(text)}
    return found.pop() if len(found) == 1 else ""


def _unit(text: str) -> str:
    if (assumed := _only(_ASSUMED, text)) or _OWN_UNITS.search(text):
        return assumed
    end = _SENTENCE.search(text)
    first = text[: end.start()] if end else text
    found = {
        _UNIT_OF[match["unit"].casefold()]
        for pattern, part in ((_IN, first), (_IN_BRACKETS, first), (_EXPLICIT, text))
        for match in pattern.finditer(part)
    }
    counted = _NUMBER_OF.match(first)
    if counted is not None:
        found.add(_UNIT_OF[counted["unit"].casefold()])
    others = {_UNIT_OF[match["unit"].casefold()] for match in _IN.finditer(text)}
    return found.pop() if len(found) == 1 and others <= found else ""


def _values(text: str) -> tuple[str, ...]:
    if _MANY.search(text):
        return ()
    if _BARS.fullmatch(text):
        return _items(text, 0, sure=True)
    for lead in _LEAD.finditer(text):
        if lead["some"]:
            continue
        at = lead.end()
        if text[at : at + 1] in ("[", "(", "{"):
            at += 1
        found = _items(text, at, sure=lead["weak"] is None)
        if found:
            return found
    return ()


def _items(text: str, at: int, sure: bool) -> tuple[str, ...]:
    """The items of a list that begins at an offset; without `sure` bare words in small letters are prose."""
    found: list[str] = []
    while (item := _ITEM.match(text, at)) is not None:
        bare = item["bare"]
        said = item["quoted"] if bare is None else bare
        if bare is not None and (bare.lower() in _NO_ITEM or (not sure and bare.islower())):
            return ()
        found.append(said.strip())
        at = item.end()
        separator = _SEPARATOR.match(text, at)
        if separator is None:
            break
        at = separator.end()
    tail = text[at : at + 40]
    if len(found) < 2 or len(set(found)) < len(found) or not _END.match(text, at):
        return ()
    return () if _OPEN.match(tail.lstrip(" .,;([")) or tail.startswith("...") else tuple(found)


def _cell_values(text: str) -> tuple[str, ...]:
    text = re.sub(r"^\(case[\s-]insensitive\)\s?", "", text, flags=re.I).replace("\\|", "|")
    if _OPEN.search(text):
        return ()
    if text[:1] == "[" and text[-1:] == "]":
        text = text[1:-1]
    return _items(text, 0, sure=True) if len(text) <= 1000 else ()


def _cell_bounds(text: str) -> tuple[float | None, float | None]:
    text = text.strip("`* ")
    match = _RANGE_CELL.fullmatch(text)
    if match is not None and (match["high"] or "..." in text):
        if text[0] == "[" and "..." not in text and "," in text:
            return None, None
        return _ordered(match["low"], match["high"])
    bound = _BOUND_CELL.fullmatch(text)
    return _ordered(bound["low"], bound["high"]) if bound else (None, None)


def _bounds(text: str) -> tuple[float | None, float | None]:
    between = _BETWEEN.search(text)
    if between is not None:
        return _ordered(between["low"], between["high"])
    low, high = _AT_LEAST.search(text), _AT_MOST.search(text)
    return _ordered(low["low"] if low else None, high["high"] if high else None)


def _ordered(low: str | None, high: str | None) -> tuple[float | None, float | None]:
    least = None if low is None else float(low)
    most = None if high is None else float(high)
    return (
        (None, None) if least is not None and most is not None and least > most else (least, most)
    )
