"""Names in Markdown: headings, table rows and list items as entries, code spans and code blocks
as names set off as code, name-like tokens anywhere as words. Inline HTML tables are left to
`html_pages`.

Absent: nested block structure; a label is recognised by its own line.
"""

import re

from conflens.documents.harvesters.html_pages import harvest_html
from conflens.documents.harvesters.labels import (
    Label,
    add_entry,
    add_example,
    add_item,
    add_row,
    add_text,
    code_spans,
)
from conflens.documents.source import Collector, Source

_FENCE = re.compile(r"\s*+(`{3,}+|~{3,}+)\s*+\{?\.?([\w.+-]*+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s++(?P<title>\S[^\n]*+)")
_HEADING_END = re.compile(r"(?<![\s#])\s*+(?:\{#[^{}]*+\})?\s*+#*+\s*+$")
_UNDERLINE = re.compile(r"\s{0,3}(?:=++|-{2,}+)\s*+")
_TABLE_RULE = re.compile(r"\s*+\|?+(?:\s*+:?-++:?\s*+\|)++(?:\s*+:?-++:?\s*+)?+")
_CELL = re.compile(r"(?:[^|\\]|\\.)*+")
_OPENERS = frozenset("`*[-+\u20220123456789")


def harvest_markdown(source: Source, collector: Collector) -> None:
    """Adds everything a Markdown document says about names."""
    header: list[str] | None = None
    fence: tuple[str, str, int] | None = None
    lines = source.lines
    for number, line in enumerate(lines):
        start = source.starts[number]
        opening = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence is not None:
            if opening and opening[1].startswith(fence[0]) and not opening[2]:
                add_example(collector, source.part(fence[2], number), fence[1])
                fence = None
            continue
        if opening is not None:
            fence = (opening[1], opening[2], number + 1)
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if "|" in line:
            if _TABLE_RULE.fullmatch(line):
                continue
            cells = row_cells(line, start)
            if "-" in following and "|" in following and _TABLE_RULE.fullmatch(following):
                header = [cell.raw for cell in cells]
                continue
            if header is not None or line.lstrip().startswith("|"):
                add_row(collector, header or (), cells)
                continue
        header = None
        if not line.strip():
            continue
        heading = _HEADING.match(line)
        if heading is not None:
            title = _HEADING_END.sub("", heading["title"])
            at = start + heading.start("title")
            add_entry(collector, Label(title, at, at + len(title)), _body(source, number + 1))
        elif following and _UNDERLINE.fullmatch(following):
            add_entry(collector, Label(line, start, start + len(line)), _body(source, number + 2))
        elif following.lstrip().startswith((": ", ":\t")):
            body = source.paragraph(number + 1).lstrip(": ")
            add_entry(collector, Label(line, start, start + len(line)), body)
        elif line.lstrip()[0] in _OPENERS:
            add_item(collector, line, start, _rest(source, number + 1))
    if fence is not None:
        add_example(collector, source.part(fence[2], len(lines)), fence[1])
    for name, at in code_spans(source.text):
        collector.span(name, at)
    if "<td" in source.text or "<dt" in source.text:
        harvest_html(source, collector)
    else:
        add_text(collector, source.text)


def row_cells(line: str, start: int) -> list[Label]:
    """The cells of a table row written with bars; `start` is the offset of the line."""
    at = len(line) - len(line.lstrip())
    end = len(line.rstrip())
    if line[at : at + 1] == "|":
        at += 1
    cells: list[Label] = []
    while at < end:
        match = _CELL.match(line, at, end)
        stop = match.end() if match else end
        cells.append(Label(line[at:stop].strip().replace("\\|", "|"), start + at, start + stop))
        at = stop + 1
    return cells


def _body(source: Source, first: int) -> str:
    """The paragraph below a heading, unless a table, a heading or a code block comes first."""
    text = source.paragraph(first)
    return "" if text.startswith(("#", "|", "```", "~~~", "===")) else text


def _rest(source: Source, first: int) -> str:
    """The lines that continue a list item: those up to the next blank line or item."""
    taken: list[str] = []
    for line in source.lines[first : first + 12]:
        text = line.strip()
        if not text or text[:2] in ("* ", "- ", "+ ") or text[0] in "#|":
            break
        taken.append(text)
    return "\n".join(taken)
