"""How documents write entries: given a sibling's entry, the lines of a new one and behind which line they belong.

Every function takes the lines of a document (with their ends), where the sibling's name stands in them, and what is known of
the new option; it gives the number of lines that come before the new ones and the new ones without ends, or ``None``
if it does not recognise the shape.  All are linear in the document.
Absent: choosing document and sibling (``document_entries``).
"""

from __future__ import annotations

import re

import attrs

from conflens.base.words import on_one_line
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import value_text
from conflens.render.phrases import code

_RULE = re.compile(r"\|?[\s:|-]*-[\s:|-]*")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d+[.)]|\*+)[ \t]+")
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")
_DELIMITER = re.compile(r"-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--")
"""What begins and ends a block of AsciiDoc."""
_CLOSERS = re.compile(r"[`*_\"\])]*(?:\(#[^)]*\))?")
_SEPARATOR = re.compile(r"(?:\s*\([^()]*\))?(?P<mark>\s*(?:::|:|=|-{1,2}|[\u2013\u2014])\s+)")
_TERM = re.compile(r"\S.*?::(?:\s|$)")
_ELEMENT = re.compile(r"(<(name|value|description|type|unit)>)(.*?)(</\2>)", re.DOTALL)
_ASSIGNED = re.compile(r"\s*[=:]\s*")
_MAX_PROPERTY = 60


@attrs.frozen
class About:
    """What is known of the new option; empty where nothing is.  All but ``default``, which is the value itself, are texts on one
    line.  ``settled``: to set the option to the default changes nothing, wherever it is read."""

    name: str
    description: str
    default: str = ""
    type: str = ""
    unit: str = ""
    values: str = ""
    settled: bool = False

    @property
    def shown(self) -> str:
        """The default as prose can hold it."""
        return on_one_line(self.default)

    @property
    def kind(self) -> str:
        """Type and unit in words."""
        return ", in ".join(part for part in (self.type, self.unit) if part)


@attrs.frozen
class Found:
    """Where a sibling's name stands: line and column count from 0, columns in characters; ``written`` is its text."""

    lines: list[str] = attrs.field(repr=False)
    number: int
    column: int
    written: str

    @property
    def line(self) -> str:
        """The line without its end."""
        return self.at(self.number)

    def at(self, number: int) -> str:
        """Return a line without its end, empty outside of the document."""
        return self.lines[number].rstrip("\r\n") if 0 <= number < len(self.lines) else ""


Made = tuple[int, list[str]] | None


def markdown(found: Found, about: About) -> Made:
    """Row of a pipe table, list item, or section."""
    line = found.line
    if "|" in line and _in_table(found):
        return _row(found, about, _header(found), bars_in_code=True)
    heading = _HEADING.match(line)
    if heading is not None:
        return _section(found, about, len(heading[1]))
    return _item(found, about)


def asciidoc(found: Found, about: About) -> Made:
    """Row of a table (on one line, or a cell a line), term of a definition list, list item."""
    line = found.line
    if line.lstrip().startswith("|") and not line.startswith("|==="):
        begin = found.number
        while begin > 0 and not found.at(begin).startswith("|==="):
            begin -= 1
        if not found.at(begin).startswith("|==="):
            return None
        header = next((n for n in range(begin + 1, found.number) if found.at(n).strip()), -1)
        if header >= 0 and len(cells_of(found.at(header))) > 1 == len(cells_of(line)):
            return _stacked(found, about, cells_of(found.at(header)))
        return _row(found, about, header) if _is_row_next(found, found.number + 1) else None
    if _TERM.match(line) and "::" in line[found.column :]:
        head, closers = line[: found.column], _closers(found)
        rest = line[found.column + len(found.written) + len(closers) :].lstrip(":").strip()
        term = f"{head}{about.name}{closers}::"
        said = _sentence(about)
        new = (
            [f"{term} {said}"] if rest else [term, f"{_indent(found.at(found.number + 1))}{said}"]
        )
        end = found.number + 1
        while end < len(found.lines) and found.at(end).strip() and not _TERM.match(found.at(end)):
            end += 1
        return None if _is_attached(found, end) else (end, new)
    made = _item(found, about)
    return None if made is None or _is_attached(found, made[0]) else made


def hadoop(found: Found, about: About) -> Made:
    """A copy of the sibling's ``<property>`` with other contents, without a value where a value would change something."""
    begin = found.number
    while begin >= 0 and "<property" not in found.at(begin):
        begin -= 1
        if found.number - begin > _MAX_PROPERTY or "</property>" in found.at(begin):
            return None
    end = found.number
    while end < len(found.lines) and "</property>" not in found.at(end):
        end += 1
        if end - found.number > _MAX_PROPERTY:
            return None
    if begin < 0 or end >= len(found.lines):
        return None
    block = "\n".join(found.at(number) for number in range(begin, end + 1))
    if block.count("<property") != 1 or not block.rstrip().endswith("</property>"):
        return None
    unwanted = "final" if about.settled else "final|value"
    block = re.sub(
        rf"[ \t]*<({unwanted})>.*?</\1>[ \t]*\n?|<({unwanted})\s*/>", "", block, flags=re.DOTALL
    )
    said = {
        "name": about.name,
        "value": about.default,
        "description": about.description,
        "type": about.type,
        "unit": about.unit,
    }

    def content(element: re.Match[str]) -> str:
        inner = element[3]
        text = said[element[2]].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        lead = inner[: len(inner) - len(inner.lstrip())]
        trail = inner[len(inner.rstrip()) :] if inner.strip() else ""
        return f"{element[1]}{lead}{text}{trail}{element[4]}"

    made = _ELEMENT.sub(content, block)
    if f"<name>{about.name}</name>" not in "".join(made.split()) and about.name not in made:
        return None
    blank = [""] if begin > 0 and not found.at(begin - 1).strip() else []
    return end + 1, [*blank, *made.split("\n")]


def properties(found: Found, about: About) -> Made:
    """A comment and the key, commented out, behind the sibling's logical line."""
    end = found.number
    while found.at(end).endswith("\\") and end + 1 < len(found.lines):
        end += 1
    tail = found.line[found.column + len(found.written) :]
    separator = _ASSIGNED.match(tail)
    mark = separator[0] if separator is not None else "="
    value = on_one_line(value_text(Format.PROPERTIES, about.default))
    return end + 1, [*_gap(found), f"# {_sentence(about)}", f"#{about.name}{mark}{value}".rstrip()]


def yaml(found: Found, about: About, sibling: str) -> Made:
    """A comment and the key, commented out, below the same parents as the sibling."""
    if not found.line[found.column + len(found.written) :].startswith(":"):
        return None
    parents = sibling.removesuffix(found.written)
    if not about.name.startswith(parents) or about.name == parents:
        return None
    own = about.name.removeprefix(parents)
    if parents and ("." in own or not sibling.endswith(found.written)):
        return None
    indent = _indent(found.line)
    end = found.number + 1
    while end < len(found.lines) and _goes_on(found.at(end), indent):
        end += 1
    while end - 1 > found.number and not found.at(end - 1).strip():
        end -= 1
    quote = "" if about.default.isprintable() else '"'
    value = on_one_line(value_text(Format.YAML, about.default, quote)) if about.default else ""
    new = [f"{indent}# {_sentence(about)}", f"{indent}# {own}: {quote}{value}{quote}".rstrip()]
    return end, [*_gap(found), *new]


# -- parts -------------------------------------------------------------------------------------


def _goes_on(line: str, indent: str) -> bool:
    """Whether a line of YAML belongs to the entry above: deeper, or an item of its list."""
    text = line.lstrip()
    deeper = len(line) - len(text) > len(indent)
    return not text or (deeper and not text.startswith("#")) or line.startswith(f"{indent}- ")


def _gap(found: Found) -> list[str]:
    """A blank line, where entries are set apart by one."""
    number = found.number - 1
    while number >= 0 and found.at(number).lstrip().startswith(("#", "!")):
        number -= 1
    return [""] if number >= 0 and not found.at(number).strip() else []


def _sentence(about: About) -> str:
    """The description with what else is known."""
    known = [about.kind] if about.kind else []
    known += [f"default {about.shown}"] if about.default else []
    known += [f"one of {about.values}"] if about.values else []
    return about.description + (f" ({'; '.join(known)})" if known else "")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _closers(found: Found) -> str:
    closing = _CLOSERS.match(found.line, found.column + len(found.written))
    return closing[0] if closing is not None else ""


def _in_table(found: Found) -> bool:
    return _header(found) >= 0


def _header(found: Found) -> int:
    """The line of a pipe table's header: the one above its rule."""
    number = found.number
    while number > 0 and "|" in found.at(number):
        if _RULE.fullmatch(found.at(number).strip()):
            return number - 1
        number -= 1
    return -1


def cells_of(line: str) -> list[str]:
    """The cells of a row; the one before the first bar and after the last do not count where they are empty."""
    cells = re.split(r"(?<!\\)\|", line)
    if not cells[0].strip():
        cells = cells[1:]
    return cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells


def _row(found: Found, about: About, header: int, bars_in_code: bool = False) -> Made:
    """A row with as many cells as the sibling's; ``bars_in_code``: but no more than the header, since a bar that stands in code
    ends no cell, or one that nobody sees."""
    cells = cells_of(found.line)
    columns = len(cells_of(found.at(header))) if bars_in_code else len(cells)
    if len(cells) > columns > 0:
        cells = [*cells[: columns - 1], "|".join(cells[columns - 1 :])]
    own = next((n for n, cell in enumerate(cells) if found.written in cell), None)
    if own is None or len(cells) < 2:
        return None
    if len(cells_of(found.line)) > columns and own == columns - 1:
        return None
    titles = cells_of(found.at(header)) if header >= 0 else []
    said = _contents(cells, titles, own, about, found.written)
    new = []
    for cell, text in zip(cells, said, strict=True):
        lead = cell[: len(cell) - len(cell.lstrip())] or ("" if cell else " ")
        trail = " " if cell.endswith((" ", "\t")) or not cell.strip() else ""
        new.append(f"{lead if cell.strip() else ' '}{_barred(text)}{trail}")
    line = found.line
    start = _indent(line) + ("|" if line.lstrip().startswith("|") else "")
    stop = "|" if line.rstrip().endswith("|") else ""
    return found.number + 1, [(start + "|".join(new) + stop).rstrip()]


def _stacked(found: Found, about: About, titles: list[str]) -> Made:
    """A row of AsciiDoc with each cell on a line of its own, up to the next row."""
    begin = found.number
    end = begin
    cells: list[str] = []
    while end < len(found.lines) and len(cells) <= len(titles):
        line = found.at(end)
        if line.startswith("|===") or (not line.strip() and len(cells) == len(titles)):
            break
        if line.lstrip().startswith("|"):
            if len(cells) == len(titles):
                break
            cells.append(line.lstrip()[1:])
        end += 1
    if len(cells) != len(titles) or found.written not in cells[0]:
        return None
    said = _contents(cells, titles, 0, about, found.written)
    while end - 1 > begin and not found.at(end - 1).strip():
        end -= 1
    if not _is_row_next(found, end):
        return None
    blank = [""] if begin > 0 and not found.at(begin - 1).strip() else []
    gap = " " if cells[0].startswith(" ") else ""
    return end, [*blank, *(f"|{gap}{_barred(text)}" for text in said)]


def _is_row_next(found: Found, end: int) -> bool:
    """Whether a row of AsciiDoc ends before a line: what goes on may be a paragraph, or a block, of its last cell."""
    while end < len(found.lines) and not found.at(end).strip():
        end += 1
    return found.at(end).startswith("|")


def _is_attached(found: Found, end: int) -> bool:
    """Whether a block of AsciiDoc is attached to an item that seems to end before a line, or the line before is part of one."""
    near = [found.at(number).strip() for number in range(found.number, end + 1)]
    return any(line == "+" or _DELIMITER.fullmatch(line) for line in near)


def _contents(
    cells: list[str], titles: list[str], own: int, about: About, written: str
) -> list[str]:
    """What each cell of the new row says, by the titles of the columns; without them the last one describes."""
    said = []
    described = False
    for number, cell in enumerate(cells):
        title = titles[number].strip(" *`_").lower() if number < len(titles) else ""
        text = ""
        if number == own:
            text = cell.strip().replace(written, about.name)
        elif "default" in title:
            text = _like(cell, about.shown)
        elif "type" in title:
            text = _like(cell, about.type)
        elif "unit" in title:
            text = about.unit
        elif "value" in title or "range" in title or "allowed" in title:
            text = about.values
        elif any(
            word in title for word in ("desc", "meaning", "what", "note", "purpose", "explan")
        ):
            text, described = about.description, True
        said.append(text)
    last = len(cells) - 1
    if (
        not described
        and last != own
        and not said[last]
        and (last >= len(titles) or not titles[last].strip() or len(cells) == 2)
    ):
        said[last] = about.description
    return said


def _barred(text: str) -> str:
    """A text as a cell can hold it."""
    return text.replace("|", "\\|")


def _like(cell: str, text: str) -> str:
    """A text in code marks if the sibling's is."""
    return code(text) if text and cell.strip().startswith("`") else text


def _item(found: Found, about: About) -> Made:
    item = _ITEM.match(found.line)
    if item is None:
        return None
    closers = _closers(found)
    rest = found.line[found.column + len(found.written) + len(closers) :]
    separator = _SEPARATOR.match(rest + " ")
    mark = separator["mark"] if separator is not None else ": "
    if separator is not None and not rest[separator.end() :].strip():
        mark = mark.rstrip() + " "
    end = found.number + 1
    indent = len(item[1])
    while end < len(found.lines):
        line = found.at(end)
        deeper = len(line) - len(line.lstrip()) > indent
        if not line.strip() or (not deeper and (_ITEM.match(line) or _HEADING.match(line))):
            break
        if _FENCE.match(line):
            return None
        end += 1
    behind = next(
        (line for line in map(found.at, range(end, len(found.lines))) if line.strip()), ""
    )
    if end < len(found.lines) and not found.at(end).strip() and _indent(behind) > item[1]:
        return None  # the item goes on with further paragraphs, items or code
    head = found.line[: found.column]
    return end, [f"{head}{about.name}{closers}{mark}{_sentence(about)}"]


def _section(found: Found, about: About, level: int) -> Made:
    end = found.number + 1
    fence = ""
    while end < len(found.lines):
        line = found.at(end)
        opened = _FENCE.match(line)
        if opened is not None:
            mark = opened[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line.strip().strip(mark[0]):
                fence = ""
        heading = None if fence or opened is not None else _HEADING.match(line)
        if heading is not None and len(heading[1]) <= level:
            break
        if not fence and _UNDERLINE.fullmatch(line) and found.at(end - 1).strip():
            return None  # a heading that is underlined
        end += 1
    if fence:
        return None
    closing = found.line[found.column + len(found.written) :]
    closers = _closers(found)
    hashes = closing[len(closers) :].strip()
    title = f"{found.line[: found.column]}{about.name}{closers}"
    title += f" {hashes}" if hashes and not hashes.strip("#") else ""
    known = [f"Type: {about.kind}."] if about.kind else []
    known += [f"Default: {code(about.shown)}."] if about.default else []
    body = [title, "", about.description, *(["", " ".join(known)] if known else [])]
    last = end >= len(found.lines)
    before = [""] if last and found.at(end - 1).strip() else []
    return end, [*before, *body, *([] if last else [""])]
