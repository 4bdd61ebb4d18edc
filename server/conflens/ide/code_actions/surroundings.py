"""Whether what stands around a new entry of a document is so plain that it must be behind its sibling's entry.

Documents have more layouts than can be listed: nested lists, HTML blocks, directives, multi-line values.  So nothing is looked for
that would make a place unsafe; a place is sure only where everything that stands there is of a form that this module knows:

    row        a table whose rows are all lines with as many cells as it has titles; next comes the row of another option, or none
    item       a line of a list, or a term with its text on its line; next comes the like for another option, a heading or the end
               of the document, or, behind two such lines, a paragraph
    section    a heading with text below, then another heading or the end of the document
    key        a key that is set, whose comments stand above it as those of the next key do, and none holds a key

No heading around them, and no text between the last of these and the sibling, says of options that they are gone, not to be used and the like,
or hold only sometimes.  A heading below the title of the document says nothing else than that options follow: each of its words is a general one
(``_GENERAL``) or stands in the name of an option.

In any other, and where what is copied from the sibling is more than its name, the entry requires the user's confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from conflens.documents.policy import Format
from conflens.ide.code_actions.document_shapes import Found, cells_of
from conflens.options.names.spelling import humps

_APART = re.compile(
    r"(?<![\w-])(?:not|never|cannot|no longer|without|except|instead|avoid|old|legacy|internal|reserved|former(?:ly)?|previous(?:ly)?"
    r"|remov(?:ed|al)|deleted|dropped|deprecat\w*|obsolete|outdated|unsupported|unused|ignored|forbidden|prohibited|disallowed"
    r"|discontinued|retired|replaced|renamed|migrat\w*|histor\w*|only|examples?|samples?|experimental)(?![\w-])|n['\u2019]t\b",
    re.IGNORECASE,
)
"""What is said of options to which a new one does not belong: those that are gone or must not be set, above all."""
_GENERAL = frozenset(
    [
        "a",
        "additional",
        "advanced",
        "all",
        "an",
        "and",
        "application",
        "available",
        "basic",
        "by",
        "common",
        "config",
        "configurable",
        "configuration",
        "configurations",
        "configure",
        "configuring",
        "core",
        "default",
        "defaults",
        "documentation",
        "environment",
        "file",
        "files",
        "flag",
        "flags",
        "following",
        "for",
        "further",
        "general",
        "global",
        "guide",
        "how",
        "in",
        "its",
        "java",
        "jvm",
        "key",
        "keys",
        "list",
        "main",
        "manual",
        "more",
        "name",
        "names",
        "of",
        "on",
        "option",
        "options",
        "optional",
        "other",
        "overview",
        "parameter",
        "parameters",
        "possible",
        "properties",
        "property",
        "reference",
        "runtime",
        "setting",
        "settings",
        "setup",
        "supported",
        "system",
        "table",
        "the",
        "their",
        "to",
        "tuning",
        "usage",
        "user",
        "variable",
        "variables",
        "with",
        "your",
    ]
)
"""Words of headings that do not tell some options from others."""
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*\Z")
_TEXT = re.compile(r"[\w`*\"'#|]")
"""How a line of a section begins that is text, a list, a table or a heading, and no markup of blocks."""
_HEADING = {
    Format.MARKDOWN: re.compile(r"#{1,6}[ \t]"),
    Format.ASCIIDOC: re.compile(r"={2,6}[ \t]"),
}
_LEAD = re.compile(r"(?P<marker>[ \t]*(?:(?:[-*+]|\*+)[ \t]+)?)(?P<marks>[`*_\"]*)\Z")
"""What stands before the name of an item, a term or a section: nothing but marks."""
_TERM = re.compile(r"[`*_\"]*::(?=\s|\Z)")
_MARKS = '`*_" \t'
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_DELIMITER = re.compile(
    r"(?:-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}|[|!,:]={3,})[ \t]*\Z"
)
"""What begins a block of AsciiDoc, and ends it."""
_COLUMNS = re.compile(r"\bcols\s*=\s*\"?([^\"\]]*)")
_SPECIAL_TABLE = re.compile(r"\b(?:format|separator)\s*=")
_TAG = re.compile(r"<(\w[\w:.-]*)")
_KNOWN_TAGS = {"name", "value", "description", "type", "unit", "final"}
_KEY = re.compile(r"[#!]?[ \t]*[\w.\[\]-]+[ \t]*[=:]")


def is_plain(found: Found, behind: int, format_: Format, options: Collection[str]) -> bool:
    """Tell whether lines put before line ``behind`` (from 0) are surely behind the entry of the sibling and in nothing else.

    ``options`` are the names of all options.
    """
    region = [found.at(number).rstrip() for number in range(found.number, behind)]
    region = [line for line in region if line]
    match format_:
        case Format.XML:
            return _is_plain_element(found, behind)
        case Format.PROPERTIES:
            return _has_plain_comments(found, behind) and not any(
                line.endswith("\\") for line in region
            )
        case Format.YAML:
            return _has_plain_comments(found, behind) and _is_plain_key(found, region)
        case Format.MARKDOWN | Format.ASCIIDOC:
            return _is_plain_text(found, behind, region, format_, options)
        case _:
            return False


# -- config files --------------------------------------------------------------------------------


def _is_plain_element(found: Found, behind: int) -> bool:
    """Tell whether the sibling stands in no comment, and has no element whose content holds for it alone."""
    own = "".join(found.lines[found.number : behind])
    before = "".join(found.lines[: found.number])
    return (
        before.count("<!--") == before.count("-->")
        and "<!" not in own
        and not found.at(behind).lstrip().startswith("<!")
        and set(_TAG.findall(own)) <= _KNOWN_TAGS
    )


def _has_plain_comments(found: Found, behind: int) -> bool:
    """Tell whether each comment describes the key below it: the next key and the sibling both have theirs above them.

    A key that is commented out, or a comment that continues the one at the end of the sibling's line, makes that unsure.
    """
    first = behind
    while first < len(found.lines) and not found.at(first).strip():
        first += 1
    last = first
    while _is_comment(found.at(last)):
        line = found.at(last)
        if _KEY.match(line.lstrip()) or _indent(line) != _indent(found.line):
            return False
        last += 1
    if last == first:
        return True
    return bool(found.at(last).strip()) and _is_comment(found.at(found.number - 1))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "!"))


def _is_plain_key(found: Found, region: list[str]) -> bool:
    """Tell whether a key of YAML is set, on a line of its own, to no collection that goes on elsewhere."""
    text = "".join(region)
    return (
        not found.line[: found.column].strip("\"' ")
        and "\t" not in text
        and not any("{{" in line or "{%" in line or "<%" in line for line in found.lines)
        and all(text.count(one) == text.count(other) for one, other in ("[]", "{}"))
    )


# -- text ----------------------------------------------------------------------------------------


def _is_plain_text(
    found: Found, behind: int, region: list[str], format_: Format, options: Collection[str]
) -> bool:
    if not region or _is_inside(found, format_) or _is_apart(found, format_, options):
        return False
    row = "|" in found.line[: found.column] or (
        format_ is Format.MARKDOWN
        and "|" in found.line
        and _LEAD.match(found.line[: found.column])
    )
    if row and len(region) == 1:
        if format_ is Format.MARKDOWN:
            return _is_plain_row(found, options)
        return _is_plain_row_of_block(found, options)
    heading = _HEADING[format_]
    following = next(
        (line.rstrip() for line in found.lines[behind:] if line.strip()),
        "",
    )
    ends = not following or heading.match(following) is not None
    if heading.match(region[0]):
        name = found.line[: found.column].lstrip("#")
        return ends and _LEAD.match(name) is not None and all(map(_TEXT.match, region[1:]))
    shape = _shape(found, found.number)
    if shape is None or len(region) != 1 or not _is_closed(region[0]):
        return False
    like = _named(following, shape)
    if like and (following == found.at(behind).rstrip() or not found.at(behind).strip()):
        return like in options and like != found.written
    if found.at(behind).strip():
        return False
    return ends or (
        following[0].isalpha()
        and _named(found.at(found.number - 1), shape) in options
        and "::" not in following
    )


def _is_apart(found: Found, format_: Format, options: Collection[str]) -> bool:
    """Tell whether a heading around the sibling, or what is said below the last one, is of options that are not to be set."""
    around, start = 7, found.line[: found.column] or "\0"
    for number in range(found.number - 1, -1, -1):
        line = found.at(number)
        level, title = _heading(line, found.at(number - 1) if number else "", format_)
        if level:
            if level < around and (
                _APART.search(title) or (level > 1 and not _is_general(title, options))
            ):
                return True
            around = min(around, level)
        elif around == 7 and not line.startswith(start) and _APART.search(line):
            named = any(word in options for word in re.findall(r"[\w.\[\]/-]+", line))
            if not named:  # no entry
                return True
    return False


def _is_general(title: str, options: Collection[str]) -> bool:
    """Tell whether the words of a heading say nothing that may hold for some options and not for others."""
    words = {word.lower() for word in re.findall(r"[^\W_]+", title) if not word.isdecimal()}
    words -= _GENERAL
    if not words:
        return True
    known = {hump for name in options for hump in humps(name)}
    return all(word in known or word.removesuffix("s") in known for word in words)


def _heading(line: str, above: str, format_: Format) -> tuple[int, str]:
    """Return the level and the title of a heading that a line is, or that it underlines; 0 for none."""
    text = line.rstrip()
    if _HEADING[format_].match(text):
        return len(text) - len(text.lstrip(text[0])), text
    if text and _UNDERLINE.match(text) and above.strip() and len(text) > 1:
        return (1 if text[0] == "=" else 2), above
    return 0, ""


def _is_inside(found: Found, format_: Format) -> bool:
    """Tell whether a block that may change the meaning of a line is open where the sibling stands: a comment, code, a quotation."""
    before = found.lines[: found.number]
    text = "".join(before)
    if text.count("<!--") != text.count("-->") or text.count("<pre") != text.count("</pre>"):
        return True
    opened = ""
    for line in before:
        if format_ is Format.ASCIIDOC:
            begun = _DELIMITER.match(line.rstrip())
            mark = line.rstrip() if begun is not None else ""
        else:
            fence = _FENCE.match(line)
            mark = fence[1] if fence is not None else ""
        if not mark:
            continue
        if not opened:
            opened = mark
        elif mark == opened or (format_ is Format.MARKDOWN and mark.startswith(opened)):
            opened = ""
    return bool(opened) and not (opened.endswith("===") and "|" in found.line[: found.column])


def _shape(found: Found, number: int) -> tuple[str, str, bool] | None:
    """Return how the sibling's line is written: its marker, the marks around the name, whether it is a term."""
    lead = _LEAD.match(found.at(number)[: found.column])
    if lead is None:
        return None
    rest = found.line[found.column + len(found.written) :]
    term = _TERM.match(rest) is not None
    return (lead["marker"], lead["marks"], term) if term or lead["marker"].strip() else None


def _named(line: str, shape: tuple[str, str, bool]) -> str:
    """Return the name that an item, or a term, of a certain shape begins with; empty for another line."""
    marker, marks, term = shape
    start = marker + marks
    if not line.startswith(start) or not line[len(start) : len(start) + 1].isalnum():
        return ""
    name = re.match(r"[\w.\[\]/-]+", line[len(start) :])
    assert name is not None
    rest = line[len(start) + name.end() :]
    alike = rest.startswith(marks[::-1]) and (_TERM.match(rest) is not None) == term
    return name[0] if alike else ""


def _is_closed(line: str) -> bool:
    """Tell whether nothing that a line begins goes on behind it: code, a tag, a sentence that a list follows."""
    return line.count("`") % 2 == 0 and "<" not in line and not line.endswith((":", "+", "\\"))


# -- rows ----------------------------------------------------------------------------------------


def _is_plain_row(found: Found, options: Collection[str]) -> bool:
    """Tell whether a row of Markdown is a line with as many cells as its table has titles, and the next is another or none."""
    rule = found.number
    while rule > 0 and "|" in found.at(rule) and set(found.at(rule).strip()) - set("|:- \t"):
        rule -= 1
    titles = cells_of(found.at(rule - 1))
    following = found.at(found.number + 1)
    return (
        len(titles) == len(cells_of(found.line))
        and _is_name_alone(found)
        and not found.line.rstrip().endswith("\\")
        and (not following.strip() or _is_next_row(found, following, options))
    )


def _is_next_row(found: Found, line: str, options: Collection[str]) -> bool:
    """Tell whether a row has as many cells as the sibling's, and names another option where that names the sibling."""
    cells, own = cells_of(line), cells_of(found.line)
    if len(cells) != len(own):
        return False
    place = next(number for number, cell in enumerate(own) if found.written in cell)
    name = cells[place].strip(_MARKS)
    return name in options and name != found.written


def _is_plain_row_of_block(found: Found, options: Collection[str]) -> bool:
    """Tell whether all rows of a table of AsciiDoc are lines with as many cells, the titles on the first of them."""
    begin = found.number
    while begin > 0 and not found.at(begin).startswith("|==="):
        begin -= 1
    end = found.number
    while end < len(found.lines) and not found.at(end).startswith("|==="):
        end += 1
    if end == len(found.lines) or not _is_name_alone(found):
        return False
    rows = [found.at(number) for number in range(begin + 1, end)]
    if not rows or not rows[0].strip():
        return False
    bars = {line.count("|") for line in rows if line.strip()}
    plain = all(line.startswith("|") and "\\" not in line for line in rows if line.strip())
    above = found.at(begin - 1)
    stated = _COLUMNS.search(above)
    columns = _columns(stated[1]) if stated is not None else 0
    titled = len(rows) > 1 and not rows[1].strip()
    following = next(
        (found.at(n) for n in range(found.number + 1, end) if found.at(n).strip()), ""
    )
    return (
        plain
        and len(bars) == 1
        and (not following or _is_next_row(found, following, options))
        and not _SPECIAL_TABLE.search(above)
        and (bars == {columns} if columns else titled)
    )


def _columns(stated: str) -> int:
    """Return how many columns ``cols`` states, as in ``1,2``, ``3*`` or ``2*,1``."""
    return sum(
        int(times[1]) if (times := re.match(r"\s*(\d{1,3})\*", one)) is not None else 1
        for one in re.split(r"[,;]", stated)
    )


def _is_name_alone(found: Found) -> bool:
    """Tell whether the cell with the sibling's name holds nothing else, so that a copy of it names the new option alone."""
    own = [cell for cell in cells_of(found.line) if found.written in cell]
    return len(own) == 1 and own[0].strip(_MARKS) == found.written
