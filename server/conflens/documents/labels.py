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

from conflens.documents.names import is_name_like, spelled_name, words
from conflens.documents.prose import plain, stated_default, unlinked
from conflens.documents.source import Collector

_PARTS = re.compile(r"\s*+(?:,|;|\||\n|<br\s*+/?>|\s(?:or|and|/)\s)\s*+", re.I)
_REMARK = re.compile(r"\s*+\([^()]{0,200}+\)\s*+$")
_WRAP = "*+_`\"'"
_CODE = re.compile(r"`([^`\n]{1,200}+)`")
_SPAN = re.compile(r"`++([^`\n]{1,200}+)`++")
_ALIAS = re.compile(r"\bpropert(?:y|ies)\b[^:()\n]{0,20}+:\s*+[*`]{0,2}+([A-Za-z_][\w.\-]{2,200}+)", re.I)
_NAMING = re.compile(
    r"(?:(?:[\w ]{0,30}\s)?(?:name|property|properties|option|options|key|parameter|setting|config"
    r"|configuration|variable|attribute|field|flag|argument|switch)s?)(?: name| key)?",
    re.I,
)
_DESCRIBING = re.compile(r"desc|meaning|explanation|purpose|comment|note|usage|what|effect", re.I)


@frozen
class Label:
    """Raw text of a label and the range of the document it is looked for in."""

    raw: str
    start: int
    end: int


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
) -> bool:
    """Adds the label's names as entries described by `body`; false when it holds none.

    A body that opens by naming the property behind the name ("Java system property: **x.y**")
    makes that an entry too."""
    names = label_names(label, listed, code)
    if not names:
        return False
    text = collector.source.text
    description = plain(body)
    stated = default or stated_default(body[:4000]) or stated_default(label.raw)
    at = label.start
    for written, name in names:
        found = text.find(written, at, label.end)
        at = found if found >= 0 else label.start
        collector.entry(name, at, description, stated)
    alias = _ALIAS.search(body[:300])
    if alias is not None and is_name_like(alias[1]):
        name = alias[1].rstrip(".*-_")
        found = text.find(name, label.end, label.end + 600)
        if found >= 0:
            collector.entry(name, found, description, stated)
    return True


def add_row(collector: Collector, header: Sequence[str], cells: Sequence[Label]) -> bool:
    """Adds the names in a table row, taking the columns from the header cells if there are any:
    the name's column is headed "Name", "Property", "Option" or the like, else it is the first."""
    if not cells:
        return False
    heads = [plain(cell) or "" for cell in header[: len(cells)]]
    named = next((i for i, head in enumerate(heads) if _NAMING.fullmatch(head)), None)
    column = named or 0
    defaults = [cells[i].raw for i, head in enumerate(heads) if "default" in head.lower()]
    described = [cells[i].raw for i, head in enumerate(heads) if _DESCRIBING.search(head)]
    if not described:
        rest = [c.raw for i, c in enumerate(cells) if i != column and c.raw not in defaults]
        described = [max(rest, key=len)] if rest else []
    default = plain(defaults[0]) if defaults else None
    if default in ("-", "–", "—", "none", "None", "n/a", "N/A"):
        default = None
    body = described[0] if described else ""
    return add_entry(collector, cells[column], body, listed=named is not None, default=default)


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


def is_code(raw: str) -> bool:
    """Whether a label is nothing but one code span."""
    return _CODE.fullmatch(raw.strip()) is not None
