"""Names in AsciiDoc: section titles, description list terms (`name:: text`), list items and
table rows as entries, monospaced text and listings as names set off as code, name-like tokens
anywhere as words.

A table's number of columns is that of its `cols` attribute, else of its first line; a cell may
take several lines. Absent: includes, conditionals and attribute values.
"""

import re
from itertools import takewhile

from conflens.documents.harvesters.labels import (
    Label,
    add_entry,
    add_example,
    add_item,
    add_rows,
    add_text,
    code_spans,
)
from conflens.documents.source import Collector, Source

_DELIMITER = re.compile(r"(?:-{4,}+|\.{4,}+|```)[\w,]*+\s*+")
_LISTING = re.compile(r"\[(?:source|listing)?\s*+,?\s*+([\w-]*+)")
_TABLE = re.compile(r"\|={3,100}")
_TITLE = re.compile(r"={1,6}\s++(?P<title>\S.*+)")
_TERM = re.compile(
    r"(?P<label>\S[^:\n]{0,300}(?::[^:\s][^:\n]{0,200})?)(?::::?+|::|;;)(?:\s++(?P<body>.*+)|$)"
)
_CELL = re.compile(r"(?:^|(?<=\s))(?:\d*+[.+*]?+\d*+[<^>]?+[aehlmsdv]?)\|")
_COLUMNS = re.compile(r"cols\s*+=\s*+\"?(?P<cols>[^\"\]]*+)")
_REPEAT = re.compile(r"(\d{1,3})\*")


def harvest_asciidoc(source: Source, collector: Collector) -> None:
    """Adds everything an AsciiDoc document says about names."""
    lines = source.lines
    listing: tuple[str, str, int] | None = None
    language = ""
    table: int | None = None
    closing = ""
    columns = 0
    for number, line in enumerate(lines):
        start = source.starts[number]
        text = line.strip()
        if listing is not None:
            if text == listing[0]:
                add_example(collector, source.part(listing[2], number), listing[1])
                listing = None
            continue
        if text == closing if table is not None else _TABLE.fullmatch(text):
            if table is None:
                table, closing = number + 1, text
            else:
                _add_table(source, collector, table, number, columns)
                table, columns = None, 0
            continue
        if table is not None or not text:
            continue
        if line[0] in "-.`" and _DELIMITER.fullmatch(line):
            listing = (text.rstrip("abcdefghijklmnopqrstuvwxyz,"), language, number + 1)
            language = ""
            continue
        if text[0] == "[" and text[-1] == "]":
            kind = _LISTING.match(text)
            language = kind[1] if kind else ""
            cols = _COLUMNS.search(text)
            columns = _column_count(cols["cols"]) if cols else columns
            continue
        title = _TITLE.match(line)
        term = _TERM.match(text) if "::" in text or ";;" in text else None
        if title is not None:
            at = start + title.start("title")
            body = source.paragraph(number + 1)
            label = Label(title["title"], at, start + len(line))
            add_entry(collector, label, "" if body[:1] in "=|[-." else body)
        elif term is not None:
            at = start + len(line) - len(line.lstrip())
            following = source.paragraph(number + 1).split("\n")
            rest = list(takewhile(lambda line: "::" not in line, following))
            body = "\n".join((term["body"] or "", *rest))
            add_entry(collector, Label(term["label"], at, start + len(line)), body)
        else:
            add_item(collector, line, start, "")
    if table is not None:
        _add_table(source, collector, table, len(lines), columns)
    for name, at in code_spans(source.text):
        collector.span(name, at)
    add_text(collector, source.text)


def _add_table(source: Source, collector: Collector, first: int, end: int, columns: int) -> None:
    cells: list[Label] = []
    for number in range(first, end):
        line, start = source.lines[number], source.starts[number]
        marks = [m.span() for m in _CELL.finditer(line)]
        if not marks:
            if cells and line.strip():
                last = cells[-1]
                if len(last.raw) < 4000:
                    raw = f"{last.raw}\n{line.strip()}"
                    cells[-1] = Label(raw, last.start, start + len(line))
            continue
        for (_, at), stop in zip(marks, [m[0] for m in marks[1:]] + [len(line)], strict=True):
            cells.append(Label(line[at:stop].strip(), start + at, start + stop))
        columns = columns or len(marks)
    if not columns:
        return
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    add_rows(collector, rows)


def _column_count(spec: str) -> int:
    return sum(
        int(repeat[1]) if (repeat := _REPEAT.match(part.strip())) else 1
        for part in spec.split(",")
    )
