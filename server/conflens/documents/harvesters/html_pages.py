"""Names in HTML pages and in XML documentation: headings, terms, list items and table rows as
entries, code elements as names set off as code, anchors and text as words.

The page is read as a flat sequence of labels: a label opens at `td`, `th`, `dt`, `dd`, `li`,
`h1` to `h6` or `p` and closes at the next of them that can end it. Within a table cell only cells,
rows and tables count. Code elements appear in a label as backquotes, so that labels are judged
as in Markdown.

Absent: nested tables as tables; text of scripts, styles and comments.
"""

import html
import re
from collections.abc import Sequence

from attrs import define, field

from conflens.documents.harvesters.labels import Label, add_entry, add_item, add_row, add_text
from conflens.documents.markup import Tag, tags
from conflens.documents.names import canonical, is_name_like, spelled_name
from conflens.documents.source import Collector, Source
from conflens.documents.stated import NOTHING, column

_CODE = frozenset(("code", "tt", "kbd", "samp", "var", "literal", "option", "varname"))
_CELLS = frozenset(("td", "th"))
_TERMS = frozenset(("dt", "dd", "li"))
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_TABLE = frozenset(("tr", "table", "tbody", "thead"))
_BLOCKS = frozenset(("p", "div", "ul", "ol", "dl", "section", "pre", "br", "body"))
_ANCHORED = _CELLS | _TERMS | _HEADINGS | {"a", "tr", "span", "section"}
_HIDDEN = frozenset(("script", "style"))
_PROPERTIES = frozenset(("property", "param", "parameter"))
_WRAPPED = re.compile(r"(?<=\w)\.\s{1,9}(?=\w)")
"""Where a long name in an attribute may be wrapped."""
_ID = re.compile(r"[A-Za-z_][\w.\-]{2,200}")


@define
class _Page:
    collector: Collector
    kind: str = ""
    start: int = 0
    parts: list[str] = field(factory=list)
    cells: list[Label] = field(factory=list)
    heads: int = 0
    worded: bool = False
    header: Sequence[str] = ()
    pending: Label | None = None

    def open(self, kind: str, at: int) -> None:
        self.kind, self.start, self.parts, self.worded = kind, at, [], False

    def close(self, at: int) -> None:
        """Ends the label that is open and uses it."""
        kind, self.kind = self.kind, ""
        if not kind:
            return
        raw = html.unescape("".join(self.parts)).strip()
        label = Label(raw, self.start, at)
        if kind in _CELLS:
            self.cells.append(label)
            self.heads += kind == "th"
        elif kind in _HEADINGS or kind == "dt":
            self.flush()
            self.pending = label
        elif kind in ("p", "dd"):
            if raw or kind == "dd":
                self.flush(raw)
        elif kind == "li":
            first, _, rest = raw.partition("\n")
            add_item(self.collector, "- " + " ".join(first.split()), self.start, rest, at)

    def flush(self, body: str = "") -> None:
        """Uses the heading or term that waits for the text below it."""
        label, self.pending = self.pending, None
        if label is not None:
            add_entry(self.collector, label, body)

    def row(self) -> None:
        """Ends a table row."""
        cells, self.cells = self.cells, []
        heads, self.heads = self.heads, 0
        if not cells:
            return
        if len(cells) == 2 and cells[0].raw.rstrip(": ").lower() == "default":
            if cells[1].raw:
                self.collector.restate_default(cells[1].raw.strip('`"'))
        elif len(cells) == 2 and (said := column(cells[0].raw, cells[1].raw)) != NOTHING:
            self.collector.restate(said)
        elif heads == len(cells):
            self.header = [cell.raw for cell in cells]
        else:
            add_row(self.collector, self.header, cells)


def harvest_html(source: Source, collector: Collector, properties: bool = False) -> None:
    """Adds everything a page says about names. `properties` says that the document is XML whose
    `<property name="…">` elements describe options."""
    text = source.text
    page = _Page(collector)
    visible: list[str] = []
    hidden = ""
    last = 0
    code: tuple[int, int] | None = None
    for tag in tags(text, skip_comments=True):
        between = text[last : tag.start]
        shown = between if not hidden else " " * len(between)
        visible += (shown, " " * (tag.end - tag.start))
        if page.kind and not hidden and between:
            if not page.worded and between.strip():
                page.start, page.worded = last, True
            page.parts.append(between)
        last = tag.end
        name = tag.name.lower()
        if name in _HIDDEN:
            hidden = "" if tag.closing else name
        if hidden or name == "!":
            continue
        if name in _CODE:
            page.parts.append("`")
            if not tag.closing:
                code = (len(visible), tag.end)
            elif code is not None:
                _add_code(collector, "".join(visible[code[0] :]), code[1])
                code = None
            continue
        if not tag.closing:
            _add_anchor(collector, tag, name)
        _advance(page, tag, name, properties)
    visible.append(text[last:] if not hidden else "")
    page.close(len(text))
    page.row()
    page.flush()
    add_text(collector, "".join(visible))


def _advance(page: _Page, tag: Tag, name: str, properties: bool) -> None:
    """Opens and closes labels at a tag."""
    in_cell = page.kind in _CELLS
    if name in _CELLS:
        page.close(tag.start)
        if not tag.closing:
            page.open(name, tag.end)
    elif name in _TABLE:
        page.close(tag.start)
        page.row()
        if name == "table":
            page.header = ()
            if not tag.closing:
                page.flush()
    elif in_cell:
        page.parts.append("\n" if name == "br" else " " if name in _BLOCKS else "")
    elif name in _HEADINGS or name in _TERMS:
        page.close(tag.start)
        if not tag.closing:
            page.open(name, tag.end)
        elif name in _HEADINGS:
            page.open("p", tag.end)
    elif properties and name in _PROPERTIES:
        page.close(tag.start)
        named = None if tag.closing else tag.attribute("name")
        if named is not None:
            page.flush()
            written = _WRAPPED.sub(".", named[0])
            plain_name = written[:1].islower() and not is_name_like(written)
            raw = f"`{written}`" if plain_name else written
            page.pending = Label(raw, named[1], tag.end)
            page.open("dd", tag.end)
    elif page.kind in ("dd", "li", "dt") and name in _BLOCKS:
        if name in ("ul", "ol", "dl"):
            page.close(tag.start)
        else:
            page.parts.append("\n" if page.kind == "li" else " ")
    elif name == "p":
        page.close(tag.start)
        if not tag.closing:
            page.open("p", tag.end)


def _add_code(collector: Collector, text: str, at: int) -> None:
    inner = html.unescape(text)
    spelled = spelled_name(" ".join(inner.split()))
    if spelled is not None:
        found = collector.source.text.find(spelled[0], at, at + len(text))
        collector.span(spelled[1], max(found, at))


def _add_anchor(collector: Collector, tag: Tag, name: str) -> None:
    if name not in _ANCHORED or "=" not in tag.attributes:
        return
    for key in ("id", "name"):
        found = tag.attribute(key)
        if found and _ID.fullmatch(found[0]) and is_name_like(found[0]):
            collector.words.setdefault(canonical(found[0]), found[1])
