"""Names in reStructuredText: section titles, definition lists, option directives
(`.. option::`, `.. confval::` and the like), field lists, list items, and rows of list tables,
grid tables and simple tables as entries; inline literals and code blocks as names set off as
code; name-like tokens anywhere as words.

Absent: substitutions, includes, and cells that span columns.
"""

import re

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
from conflens.documents.stated import NOTHING, column

_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}+\s*+")
_DIRECTIVE = re.compile(
    r"\s*+\.\.\s++(?:\w{1,20}+:(?!:))?(?P<kind>option|confval|envvar|describe|setting|config|property"
    r"|configuration|parameter|data|attribute)::\s++(?P<label>\S.*+)"
)
_BLOCK = re.compile(
    r"(?P<indent>\s*+)\.\.\s++(?:code-block|code|sourcecode|highlight)::\s*+([\w-]*+)\s*+$"
)
_DEFAULT = re.compile(r"\s*+:default:\s++(\S.*+)")
_OPTION_FIELD = re.compile(r"\s++:(?P<head>[a-z\- ]{2,30}+):\s++(?P<cell>\S.*+)")
_FIELD = re.compile(r":(?P<label>[^:\n]{2,200}):\s++(?P<body>\S.*+)")
_FIRST_CELL = re.compile(r"(?P<indent>\s*+)\*\s++-(?:\s++(?P<cell>.*+)|$)")
_CELL = re.compile(r"\s++-(?:\s++(?P<cell>.*+)|$)")
_SIMPLE = re.compile(r"\s*+=++(?:\s++=++)++\s*+")


def harvest_restructured(source: Source, collector: Collector) -> None:
    """Adds everything a reStructuredText document says about names."""
    lines = source.lines
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line.strip():
            number += 1
            continue
        number = (
            _code_block(source, collector, number)
            or _list_table(source, collector, number)
            or _grid_table(source, collector, number)
            or _simple_table(source, collector, number)
            or _line(source, collector, number)
        )
    for name, at in code_spans(source.text):
        collector.span(name, at)
    add_text(collector, source.text)


def _line(source: Source, collector: Collector, number: int) -> int:
    line, start = source.lines[number], source.starts[number]
    following = source.lines[number + 1] if number + 1 < len(source.lines) else ""
    directive = _DIRECTIVE.match(line) if ".." in line else None
    named = _FIELD.match(line) if ":" in line else None
    end = start + len(line)
    if directive is not None:
        default = None
        said = NOTHING
        body: list[str] = []
        for option in source.lines[number + 1 : number + 12]:
            stated = _DEFAULT.match(option)
            default = stated[1].strip("`\"' ") if stated else default
            more = _OPTION_FIELD.match(option)
            said = (
                said.over(column(more["head"].replace("-", " "), more["cell"])) if more else said
            )
            if option.strip() and not option[0].isspace():
                break
            if not option.lstrip().startswith(":"):
                body.append(option.strip())
        label = Label(directive["label"], start + directive.start("label"), end)
        text = "\n".join(body)
        add_entry(collector, label, text, listed=True, default=default, said=said)
    elif len(following) >= 3 and _UNDERLINE.fullmatch(following):
        add_entry(collector, Label(line, start, end), source.paragraph(number + 2))
        return number + 2
    elif named is not None:
        label = Label(named["label"], start, end)
        add_entry(collector, label, named["body"])
    elif (
        _indent(following) > _indent(line) and following.strip() and line.strip()[0] not in "*-.|"
    ):
        add_entry(collector, Label(line, start, end), source.paragraph(number + 1))
    else:
        add_item(collector, line, start, "")
    return number + 1


def _code_block(source: Source, collector: Collector, number: int) -> int:
    """The line after a code block that begins here, or 0."""
    block = _BLOCK.match(source.lines[number])
    if block is None:
        return 0
    end = number + 1
    while end < len(source.lines):
        line = source.lines[end]
        if line.strip() and _indent(line) <= len(block["indent"]):
            break
        end += 1
    add_example(collector, source.part(number + 1, end), block[2])
    return end


def _list_table(source: Source, collector: Collector, number: int) -> int:
    """The line after a list table whose first row begins here, or 0."""
    first = _FIRST_CELL.match(source.lines[number])
    if first is None:
        return 0
    rows: list[list[Label]] = []
    while number < len(source.lines):
        line, start = source.lines[number], source.starts[number]
        opened = _FIRST_CELL.match(line)
        cell = opened or (_CELL.match(line) if rows else None)
        if opened is not None:
            rows.append([])
        if cell is not None:
            raw = cell["cell"] or ""
            rows[-1].append(Label(raw, start, start + len(line)))
        elif line.strip() and _indent(line) <= len(first["indent"]):
            break
        elif line.strip() and rows[-1] and len(rows[-1][-1].raw) < 4000:
            last = rows[-1][-1]
            rows[-1][-1] = Label(f"{last.raw}\n{line.strip()}", last.start, start + len(line))
        number += 1
    add_rows(collector, rows)
    return number


def _grid_table(source: Source, collector: Collector, number: int) -> int:
    """The line after a grid table that begins here, or 0."""
    if not source.lines[number].lstrip().startswith("+-"):
        return 0
    rows: list[list[Label]] = [[]]
    while number < len(source.lines):
        line, start = source.lines[number], source.starts[number]
        text = line.strip()
        if text.startswith("+"):
            rows.append([])
        elif text.startswith("|"):
            cells = text.strip("|").split("|")[:40]
            row = rows[-1]
            for at, raw in enumerate(cells):
                if at == len(row):
                    row.append(Label(raw.strip(), start, start + len(line)))
                elif raw.strip() and len(row[at].raw) < 4000:
                    old = row[at]
                    row[at] = Label(f"{old.raw} {raw.strip()}", old.start, start + len(line))
        else:
            break
        number += 1
    add_rows(collector, [row for row in rows if row])
    return number


def _simple_table(source: Source, collector: Collector, number: int) -> int:
    """The line after a simple table that begins here, or 0."""
    rule = source.lines[number]
    if not _SIMPLE.fullmatch(rule):
        return 0
    starts = [m.start() for m in re.finditer(r"=++", rule)][:40]
    rows: list[list[Label]] = []
    rules = 1
    while number + 1 < len(source.lines) and rules < 3:
        number += 1
        line, start = source.lines[number], source.starts[number]
        if _SIMPLE.fullmatch(line):
            rules += 1
            following = source.lines[number + 1 : number + 2]
            if following and not following[0].strip():
                rules = 3
            continue
        stops = [*starts[1:], max(len(line), starts[-1])]
        cells = [line[at:stop].strip() for at, stop in zip(starts, stops, strict=True)]
        if cells[0]:
            rows.append([Label(raw, start, start + len(line)) for raw in cells])
        elif rows:
            rows[-1] = [
                Label(f"{old.raw} {raw}", old.start, old.end) if len(old.raw) < 4000 else old
                for old, raw in zip(rows[-1], cells, strict=True)
            ]
    add_rows(collector, rows)
    return number + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
