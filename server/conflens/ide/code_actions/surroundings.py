"""Whether what stands around a new entry of a document is so plain that it must be behind its sibling's entry.

Documents have more layouts than can be listed: nested lists, HTML blocks, directives, multi-line values.  This module recognises a few
plain ones; in any other, the entry is offered but requires the user's confirmation.
"""

from __future__ import annotations

import re

from conflens.documents.policy import Format
from conflens.ide.code_actions.document_shapes import Found

_HEADING = re.compile(r"(?:#{1,6}|={2,6})[ \t]")
_PLAIN = re.compile(r"[\w`*\"'(#|]")
"""How a line of a section begins that is text, a list, a table or a heading, and no markup of blocks."""
_LEAD = re.compile(r"[ \t]*[^\w\s]?")


def is_plain(found: Found, behind: int, format_: Format) -> bool:
    """Tell whether lines put before line ``behind`` (from 0) are surely behind the entry of the sibling and in nothing else."""
    region = [line.rstrip() for line in found.lines[found.number : behind] if line.strip()]
    if format_ is Format.XML:
        before = "".join(found.lines[:behind])
        return before.count("<!--") == before.count("-->")
    if format_ in (Format.PROPERTIES, Format.YAML) and _is_explained_below(found, behind):
        return False
    if format_ is Format.PROPERTIES:
        return not any(line.endswith("\\") for line in region)
    if format_ is Format.YAML:
        text = "".join(region)
        return all(text.count(one) == text.count(other) for one, other in ("[]", "{}"))
    return _is_plain_text(found, behind, region)


def _is_explained_below(found: Found, behind: int) -> bool:
    """Tell whether comments may stand below what they are about: one follows at once, and none stands above the sibling."""
    return found.at(behind).lstrip().startswith("#") and "#" not in found.at(found.number - 1)


def _is_plain_text(found: Found, behind: int, region: list[str]) -> bool:
    rest = found.lines[behind:]
    following = next((line.rstrip() for line in rest if line.strip()), "")
    if not region:
        return False
    if _HEADING.match(region[0]):
        is_text = all(_PLAIN.match(line) for line in region[1:])
        return is_text and (not following or _HEADING.match(following) is not None)
    if len(region) > 1 or region[0].endswith("::"):
        return False
    lead = _LEAD.match(region[0])
    gap = bool(rest) and not rest[0].strip()
    if lead is not None and lead[0].strip() == "|":
        return _is_plain_row(found, region[0], following)
    if lead is not None and lead[0].strip() and following.startswith(lead[0]):
        return following[lead.end() : lead.end() + 1] not in ("*", "-", ".")
    return not following or (
        gap and (following[0].isalnum() or _HEADING.match(following) is not None)
    )


def _is_plain_row(found: Found, row: str, following: str) -> bool:
    """Tell whether rows of a table are lines with as many cells each; the first line of the table has the titles."""
    titles, at = "", found.number
    while at > 0 and (not found.at(at - 1) or found.at(at - 1).lstrip().startswith("|")):
        at -= 1
        if found.at(at).strip() == "|===":
            break
        titles = found.at(at) or titles
    names = row.lstrip().removeprefix("|").partition("|")[0]
    if titles.count("|") != row.count("|") or "," in names:
        return False
    if following.startswith("|==="):
        return True
    if following.startswith("|"):
        cells = following.split("|")
        return len(cells) - 1 == row.count("|") and bool(cells[1].strip())
    return not following or following[0].isalnum() or _HEADING.match(following) is not None
