"""Labels of documentation entries: headings, terms and table cells that consist of names.

The dialects (`markdown`, `asciidoc`, `restructured`, `html_pages`) find where a label stands and
what text belongs to it; whether the label is a name, and what follows for the entry, is decided
here once for all of them.

A label is accepted when every part of it is a name: name-like, or a plain word that is set off
as code, or a plain word where the surroundings say that names are listed (`listed`).
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from conflens.documents.harvesters.settings import (
    CONF,
    EXAMPLE,
    INI,
    PROPERTIES,
    YAML,
    harvest_settings,
)
from conflens.documents.names import NAME, is_name_like, spelled_name, words
from conflens.documents.prose import plain, stated_default, unlinked
from conflens.documents.source import Collector, Source
from conflens.documents.stated import NOTHING, Stated, column, header_unit, stated

_PARTS = re.compile(r"\s*+(?:,|;|\||\n|<br\s*+/?>|\s(?:or|and|/)\s)\s*+", re.I)
_REMARK = re.compile(r"\s*+\([^()]{0,200}+\)\s*+$")
_WRAP = "*+_`\"'"
_SPAN = re.compile(r"(?<!`)`{1,3}+([^`\n]{1,200}+)`")
_ALIAS = re.compile(
    r"\bpropert(?:y|ies)\b[^:()\n]{0,20}+:\s*+[*`]{0,2}+([A-Za-z_][\w.\-]{2,200}+)", re.I
)
_NAMING = re.compile(
    r"(?:(?:[\w ]{0,30}\s)?(?:name|property|properties|option|options|key|parameter|setting|config"
    r"|configuration|variable|attribute|field|flag|argument|switch)s?)(?: name| key)?",
    re.I,
)
_FORMER = re.compile(r"\b(?:old|former|previous|prior|until|before)\b", re.I)
_DESCRIBING = re.compile(r"desc|meaning|explanation|purpose|comment|note|usage|what|effect", re.I)


@frozen
class Label:
    """Raw text of a label and the range of the document it is looked for in."""

    raw: str
    start: int
    end: int


_ONE = (
    rf"(?:`++[^`\n]{{1,200}}+`++|\*{{1,2}}[^*\n]{{1,200}}+\*{{1,2}}|\[[^\[\]\n]{{1,200}}+\]\([^()\n]{{0,300}}+\)"
    rf"|(?:--?)?+{NAME})"
)
_FACT = re.compile(
    r"\s*+[-*+•]\s++[*_]{0,2}(?P<head>[A-Za-z]{3,12}+(?:\s[A-Za-z]{3,12}+)?+)[*_]{0,2}:[*_]{0,2}\s++(?P<cell>\S.*+)"
)
_HEADING = re.compile(r"#|={2,6}\s|[=~^\-]{3,}+\s*+$")
_NEAR = 15
_ITEM = re.compile(
    rf"\s*+(?P<bullet>(?:[-*+•]|\d{{1,3}}[.)])\s++)?+(?P<label>{_ONE}(?:\s?(?:,|/|\bor\b)\s?{_ONE}){{0,8}}+)"
    r"\s*+(?P<remark>\([^()\n]{0,200}+\)\s*+)?+(?P<mark>::?|[-\u2013\u2014]{1,3}(?=\s)|=(?=\s)|$)(?P<body>.*+)"
)


@frozen
class Item:
    """A line that opens with a label: `* `name` (remark): body`."""

    label: Label
    body: str
    plain_allowed: bool


def item_of(line: str, offset: int) -> Item | None:
    """The label that a list item or paragraph opens with, if a mark sets it apart from what
    follows. A plain word is a name here when it is bold or emphasised in small letters."""
    match = _ITEM.match(line)
    if match is None:
        return None
    label = match["label"]
    emphasised = label[0] == "*" and label.lstrip("*")[:1].islower()
    bare = label[0] not in "`*["
    if match["bullet"] is None and (bare or not match["mark"]):
        return None
    if bare and match["mark"] == "" and not match["remark"]:
        return None
    body = f"{match['remark'] or ''} {match['body']}"
    at = offset + match.start("label")
    return Item(Label(label, at, offset + match.end("label")), body, emphasised)


def add_item(
    collector: Collector, line: str, offset: int, rest: str, end: int | None = None
) -> bool:
    """Adds the list item in `line`, described by what follows its label and by `rest`. With
    `end`, the line is not the document's own text and its names are looked for up to there."""
    if end is None and _add_fact(collector, line, offset):
        return True
    item = item_of(line, offset)
    if item is None:
        return False
    label = item.label if end is None else Label(item.label.raw, offset, end)
    body = f"{item.body}\n{rest}".strip()
    return add_entry(collector, label, body, listed=item.plain_allowed)


def _add_fact(collector: Collector, line: str, offset: int) -> bool:
    """Takes a list item such as `* Valid Values: [a, b]` as said of the entry above; false if it is none, or if a
    heading or too much else stands between."""
    fact = _FACT.match(line)
    if fact is None:
        return False
    said = column(fact["head"], fact["cell"])
    key = next(reversed(collector.mentions), None)
    if said == NOTHING or key is None:
        return False
    number = collector.source.place(offset)[0]
    between = collector.source.lines[key[0] + 1 : number - 1]
    if not 0 < number - key[0] <= _NEAR or any(_HEADING.match(one) for one in between):
        return False
    collector.restate(said)
    return True


def label_names(label: Label, listed: bool, code: bool = False) -> list[tuple[str, str]]:
    """The names a label consists of, as (written, canonical); empty when it is anything else.

    `code` says that the whole label is set off as code."""
    raw = label.raw.strip()
    if not raw or len(raw) > 400:
        return []
    raw = unlinked(raw).strip()
    found: list[tuple[str, str]] = []
    for part in _PARTS.split(_REMARK.sub("", raw).rstrip(" :")):
        text = part.strip()
        if not text:
            continue
        bare = text.strip(_WRAP) if "*" in text[:1] or text[:1] in _WRAP else text
        spelled = spelled_name(bare)
        if spelled is None:
            return []
        written, name = spelled
        if not (is_name_like(name) or code or listed or "`" in text):
            return []
        found.append((written, name))
    return found


def add_entry(
    collector: Collector,
    label: Label,
    body: str,
    listed: bool = False,
    code: bool = False,
    default: str | None = None,
    said: Stated = NOTHING,
) -> bool:
    """Adds the label's names as entries described by `body`; false when it holds none.

    A body that opens by naming the property behind the name ("Java system property: **x.y**")
    makes that an entry too."""
    names = label_names(label, listed, code)
    if not names:
        return False
    text = collector.source.text
    description = plain(body)
    stated_as = default or stated_default(body[:4000]) or stated_default(label.raw)
    said = said.over(stated(body)).over(header_unit(label.raw))
    at = label.start
    for written, name in names:
        found = text.find(written, at, label.end)
        at = found if found >= 0 else label.start
        collector.entry(name, at, description, stated_as, said=said)
    alias = _ALIAS.search(body[:300])
    if alias is not None and is_name_like(alias[1]):
        name = alias[1].rstrip(".*-_")
        found = text.find(name, label.start, label.end + 600)
        if found >= 0 and all(name != known for _, known in names):
            collector.entry(name, found, description, stated_as, said=said)
    return True


def add_row(collector: Collector, header: Sequence[str], cells: Sequence[Label]) -> bool:
    """Adds the names in a table row, taking the columns from the header cells if there are any:
    the name's column is headed "Name", "Property", "Option" or the like, else it is the first."""
    if not cells:
        return False
    heads = [plain(cell) or "" for cell in header[: len(cells)]]
    named = next((i for i, head in enumerate(heads) if _NAMING.fullmatch(head)), None)
    first = named or 0
    defaults = [
        cells[i].raw
        for i, head in enumerate(heads)
        if "default" in head.lower() and not _FORMER.search(head)
    ]
    described = [cells[i].raw for i, head in enumerate(heads) if _DESCRIBING.search(head)]
    if not described:
        rest = [c.raw for i, c in enumerate(cells) if i != first and c.raw not in defaults]
        described = [max(rest, key=len)] if rest else []
    default = plain(defaults[0]) if defaults else None
    if default in ("-", "\u2013", "\u2014", "none", "None", "n/a", "N/A"):
        default = None
    body = described[0] if described else ""
    said = NOTHING
    for index, head in enumerate(heads):
        if index != first:
            said = said.over(column(head, cells[index].raw)).over(_unit_of_default(head))
    return add_entry(
        collector, cells[first], body, listed=named is not None, default=default, said=said
    )


def _unit_of_default(head: str) -> Stated:
    """The unit in the heading of the values: "Default (ms)"."""
    return header_unit(head) if head.lower().startswith(("default", "value")) else NOTHING


def add_rows(collector: Collector, rows: Sequence[Sequence[Label]]) -> None:
    """Adds the rows of a table whose first row is the header if it names a column of names."""
    header = [cell.raw for cell in rows[0]] if rows else []
    if not any(_NAMING.fullmatch(plain(cell) or "") for cell in header):
        header = []
    for row in rows[1:] if header else rows:
        add_row(collector, header, row)


def code_spans(text: str) -> Iterator[tuple[str, int]]:
    """Names that alone fill a code span between backquotes, with their offsets."""
    for match in _SPAN.finditer(text):
        spelled = spelled_name(match[1].strip("+"))
        if spelled is not None:
            yield spelled[1], match.start(1) + match[1].find(spelled[0])


def add_text(collector: Collector, text: str) -> None:
    """Adds the name-like tokens of a text as long as the document, keeping first places."""
    known = collector.words
    for name, at in words(text):
        if at < known.get(name, at + 1):
            known[name] = at


def add_example(collector: Collector, part: Source, language: str) -> None:
    """Adds the keys of a code block in a configuration language, or in none, as names set off
    as code."""
    inner = Collector(collector.source)
    match language.lower():
        case "yaml" | "yml":
            harvest_settings(part, inner, YAML)
        case "properties" | "java-properties":
            harvest_settings(part, inner, PROPERTIES)
        case "ini" | "toml" | "cfg":
            harvest_settings(part, inner, INI)
        case "conf" | "hocon":
            harvest_settings(part, inner, CONF)
        case "" | "text" | "txt" | "none" | "plain" | "config":
            harvest_settings(part, inner, EXAMPLE)
        case _:
            return
    collector.examples(inner)
