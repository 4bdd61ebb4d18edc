"""Changes to the text of the workspace file: one more entry of ``[check] ignore``.

Invariants are those of ``workspace_edit``: a change is only given if the changed text is TOML and says, beside the new
entry, what it said before.  Offsets count characters of the given text; a byte order mark is one.
Absent: what an entry means (``checking.suppression``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conflens.models.toml_positions import TomlPositions, toml_positions
from conflens.models.user_toml import load_toml
from conflens.models.workspace import MAX_BYTES
from conflens.models.workspace_edit import Edits, TextEdit, applied, quoted, value_end

_BOM = "\ufeff"
_TABLE, _KEY = "check", "ignore"
_COMMA = re.compile(r"[ \t]*,")
_LINE_INDENT = re.compile(r"[ \t]*")


def ignoring(text: str, entry: str) -> Edits | None:
    """Return the change that makes a workspace file ignore findings by ``entry`` (``CODE`` or ``CODE: name``); ``None`` if
    there is none, or it says so already."""
    body = text.removeprefix(_BOM)
    before = _loaded(body)
    if before is None or not entry.isprintable():
        return None
    table = before.get(_TABLE, {})
    entries = table.get(_KEY, []) if isinstance(table, dict) else None
    if not isinstance(entries, list) or entry in entries:
        return None
    edit = _edit(body, toml_positions(body), isinstance(before.get(_TABLE), dict), entries, entry)
    after = _loaded(applied(body, (edit,))) if edit is not None else None
    if edit is None or after is None:
        return None
    wanted = {**before, _TABLE: {**table, _KEY: [*entries, entry]}}
    if repr(_sorted(after)) != repr(_sorted(wanted)):
        return None
    by = len(text) - len(body)
    return (TextEdit(edit.start + by, edit.end + by, edit.text),)


def _edit(
    text: str, positions: TomlPositions, there: bool, entries: list[Any], entry: str
) -> TextEdit | None:
    newline = "\r\n" if "\r\n" in text else "\n"
    written = quoted(entry)
    whole = positions.values.get((_TABLE, _KEY))
    if whole is not None and entries:
        last = positions.values.get((_TABLE, _KEY, len(entries) - 1))
        if last is None:
            return None
        return _behind(text, last, written, newline)
    if whole is not None:
        return TextEdit(whole, value_end(text, whole), f"[{written}]")
    header = positions.keys.get((_TABLE,))
    line = f"{_KEY} = [{written}]{newline}"
    if header is not None and text[header] == "[":
        end = text.find("\n", header)
        if end < 0:
            return TextEdit(len(text), len(text), newline + line)
        return TextEdit(end + 1, end + 1, line)
    if there:
        return None
    before = "" if not text or text.endswith("\n") else newline
    blank = newline if text.strip() else ""
    return TextEdit(len(text), len(text), f"{before}{blank}[{_TABLE}]{newline}{line}")


def _behind(text: str, last: int, written: str, newline: str) -> TextEdit:
    """Behind the last entry, on a line of its own if that has one."""
    end = value_end(text, last)
    comma = _COMMA.match(text, end)
    start = text.rfind("\n", 0, last) + 1
    indent = _LINE_INDENT.match(text, start)
    assert indent is not None
    alone = indent.end() == last and start > 0
    gap = newline + indent[0] if alone else " "
    if comma is not None:
        return TextEdit(comma.end(), comma.end(), f"{gap}{written}" + ("," if alone else ""))
    return TextEdit(end, end, f",{gap}{written}")


def _loaded(text: str) -> dict[str, Any] | None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return None
    try:
        return load_toml(text)
    except (ValueError, RecursionError):
        return None


def _sorted(tables: Mapping[str, Any]) -> list[Any]:
    found = {**tables, _TABLE: sorted(tables.get(_TABLE, {}).items())}
    return sorted(found.items())
