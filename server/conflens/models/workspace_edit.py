"""Changes to the text of the workspace file: a person's verdict is set or removed.

Purpose: an editor offers to overrule a verdict; the result is the smallest change of the text that
says so, and everything else, comments and line ends included, stays as it is.

Invariants: a change is only given if the changed text is TOML, says what was asked for by the rules
of ``workspace.parse_workspace``, and says about everything else what it said before.  So a text
that is no TOML, or one that writes the verdict in a way that cannot be changed in place, has no
change.  Offsets count characters of the given text; a byte order mark is one.
Absent: reading and writing the file, lines and columns of an editor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from conflens.models.structure import faults
from conflens.models.toml_positions import STRING, TomlPositions, toml_positions
from conflens.models.user_toml import load_toml
from conflens.models.workspace import MAX_BYTES

_TABLE = "verdict"
_KEYS = {"sensitive": bool, "reason": str}
_BOM = "\ufeff"
_OWN_COMMENT = re.compile(r"(?:[ \t]*#[^\n]*(?:\n|\Z))+(?=[ \t]*\r?\n|\Z)")
"""Comments behind a table, if a blank line or nothing follows; else they are about what does."""
_BARE = re.compile(r"[^\s#,\[\]{}\"']+")
_ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


@attrs.frozen(order=True)
class TextEdit:
    """Replace the characters ``start`` to ``end`` by ``text``."""

    start: int
    end: int
    text: str


Edits = tuple[TextEdit, ...]
"""Edits of one text in order of place; they do not overlap and all count in the text before them."""


@attrs.frozen
class WorkspaceText:
    """The text of a workspace file, read once, and the changes that it can take."""

    text: str = attrs.field(repr=False)
    verdicts: Mapping[str, bool]
    """Whether an option is sensitive, by the verdicts that the file gives."""
    _tables: Mapping[str, Any] = attrs.field(repr=False)
    _positions: TomlPositions = attrs.field(repr=False)

    @staticmethod
    def of(text: str) -> WorkspaceText | None:
        """Read a text; ``None`` if it is no TOML, or too long to be a workspace file."""
        tables = _loaded(text)
        if tables is None:
            return None
        entries = tables.get(_TABLE)
        given = entries.items() if isinstance(entries, dict) else ()
        verdicts = {name: entry["sensitive"] for name, entry in given if _is_verdict(entry)}
        positions = toml_positions(text.removeprefix(_BOM))
        return WorkspaceText(text, verdicts, tables, positions)

    def set_verdict(self, option: str, sensitive: bool, reason: str) -> Edits | None:
        """Return the change that makes the file say ``sensitive`` of ``option``; ``None`` if there
        is none.

        A verdict that is there already keeps its place and comments; its reason, which was given for
        another verdict, becomes ``reason``.
        """
        if not _writable(option) or not _writable(reason):
            return None
        body, by = self._body()
        edits = (
            (_added(body, self._positions, option, sensitive, reason),)
            if _entry(self._tables, option) is None
            else _changed(body, self._positions, option, sensitive, reason)
        )
        after = _loaded(applied(self.text, edits := _moved(edits, by)))
        if after is None or not _is_verdict(entry := _entry(after, option)):
            return None
        good = entry["sensitive"] is sensitive and _rest(after, option) == self._rest(option)
        return edits if good else None

    def remove_verdict(self, option: str) -> Edits | None:
        """Return the change that takes the verdict on ``option`` out; ``None`` if there is none."""
        if _entry(self._tables, option) is None:
            return None
        body, by = self._body()
        edits = _moved(_removed(body, self._positions, option), by)
        after = _loaded(applied(self.text, edits))
        if after is None or _entry(after, option) is not None:
            return None
        return edits if _rest(after, option) == self._rest(option) else None

    def _body(self) -> tuple[str, int]:
        """The text without its byte order mark, and how long that is."""
        body = self.text.removeprefix(_BOM)
        return body, len(self.text) - len(body)

    def _rest(self, option: str) -> str:
        return _rest(self._tables, option)


def applied(text: str, edits: Edits) -> str:
    """Return the text after edits."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def quoted(text: str) -> str:
    """Return a TOML basic string."""
    shown = (_ESCAPES.get(char) or (_unicode(char) if _control(char) else char) for char in text)
    return f'"{"".join(shown)}"'


def _loaded(text: str) -> dict[str, Any] | None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return None
    try:
        return load_toml(text.removeprefix(_BOM))
    except (ValueError, RecursionError):
        return None


def _entry(tables: Mapping[str, Any], option: str) -> Any:
    verdicts = tables.get(_TABLE)
    return verdicts.get(option) if isinstance(verdicts, dict) else None


def _is_verdict(entry: object) -> bool:
    return isinstance(entry, dict) and not faults(entry, _KEYS, ("sensitive",))


def _rest(tables: Mapping[str, Any], option: str) -> str:
    """What a file says of everything but one verdict; a text, since two NaN are not equal."""
    others = {key: value for key, value in tables.items() if key != _TABLE}
    verdicts = tables.get(_TABLE, {})
    if isinstance(verdicts, dict):
        verdicts = {key: value for key, value in verdicts.items() if key != option}
    return repr((others, verdicts))


def _moved(edits: Edits, by: int) -> Edits:
    return tuple(TextEdit(edit.start + by, edit.end + by, edit.text) for edit in edits)


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _control(char: str) -> bool:
    return char < " " or char == "\x7f"


def _unicode(char: str) -> str:
    return f"\\u{ord(char):04x}"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _added(
    text: str, positions: TomlPositions, option: str, sensitive: bool, reason: str
) -> TextEdit:
    """A new table after the last one of a verdict, or else at the end."""
    end = "\r\n" if "\r\n" in text else "\n"
    table = [
        f"[{_TABLE}.{quoted(option)}]",
        f"sensitive = {_bool(sensitive)}",
        f"reason = {quoted(reason)}",
    ]
    written = end.join([*table, ""])
    headers = [
        (begin, path)
        for path, begin in positions.keys.items()
        if len(path) == 2 and path[0] == _TABLE and text[begin] == "["
    ]
    at = len(text)
    if headers:
        at = _behind(text, _table_end(text, positions, max(headers)[1]))
    before = text[:at]
    if not before:
        return TextEdit(at, at, written)
    if not before.endswith("\n"):
        written = end + written
    blank = before.replace("\r\n", "\n").endswith("\n\n")
    return TextEdit(at, at, written if blank else end + written)


def _changed(
    text: str, positions: TomlPositions, option: str, sensitive: bool, reason: str
) -> Edits:
    """New values in the place of the old ones."""
    edits = []
    for key, value in (("sensitive", _bool(sensitive)), ("reason", quoted(reason))):
        start = positions.values.get((_TABLE, option, key))
        if start is not None:
            edits.append(TextEdit(start, value_end(text, start), value))
    if edits:
        return tuple(sorted(edits))
    whole = positions.values.get((_TABLE, option))
    if whole is not None:
        inline = f"{{ sensitive = {_bool(sensitive)}, reason = {quoted(reason)} }}"
        return (TextEdit(whole, value_end(text, whole), inline),)
    return ()


def _removed(text: str, positions: TomlPositions, option: str) -> Edits:
    """Without the table or the lines that give the verdict."""
    path = (_TABLE, option)
    begin = positions.keys.get(path)
    if begin is not None and text[begin] == "[":
        start, stop = _line_start(text, begin), _table_end(text, positions, path)
        return (_with_blanks(text, start, stop),)
    lines = {
        (_line_start(text, positions.keys.get(key, at)), _line_end(text, value_end(text, at)))
        for key, at in positions.values.items()
        if key[:2] == path
    }
    return tuple(TextEdit(start, stop, "") for start, stop in sorted(lines))


def _with_blanks(text: str, start: int, stop: int) -> TextEdit:
    """The blank line that set a table apart goes with it."""
    after, before = _blank(text, stop), _blank_before(text, start)
    if after > stop and (before < start or start == 0):
        return TextEdit(start, after, "")
    if stop == len(text):
        return TextEdit(before, stop, "")
    return TextEdit(start, stop, "")


def _blank(text: str, at: int) -> int:
    found = re.compile(r"[ \t]*\r?\n").match(text, at)
    return found.end() if found else at


def _blank_before(text: str, at: int) -> int:
    """Where the blank line before a line begins, or ``at``."""
    previous = _line_start(text, at - 1) if at > 0 else at
    return at if text[previous:at].strip() or previous == at else previous


def _table_end(text: str, positions: TomlPositions, path: tuple[str | int, ...]) -> int:
    """The end of the last line of a table: of its last value or else of its header."""
    begin = positions.keys[path]
    headers = (at for key, at in positions.keys.items() if at > begin and _is_header(text, at))
    limit = min(headers, default=len(text))
    within = [at for at in positions.values.values() if begin < at < limit]
    return _line_end(text, max((value_end(text, at) for at in within), default=begin))


def _behind(text: str, at: int) -> int:
    found = _OWN_COMMENT.match(text, at)
    return found.end() if found else at


def _is_header(text: str, at: int) -> bool:
    return text[at] == "["


def value_end(text: str, at: int) -> int:
    """Return where the value that begins at ``at`` ends."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "\"'":
            found = STRING.match(text, at)
            at = found.end() if found else at + 1
        elif char in "[{":
            depth, at = depth + 1, at + 1
        elif char in "]}":
            depth, at = depth - 1, at + 1
        elif depth and char == "#":
            at = _end_of(text, at)
        elif depth and (char.isspace() or char == ","):
            at += 1
            continue
        else:
            bare = _BARE.match(text, at)
            at = bare.end() if bare else at + 1
        if depth <= 0:
            break
    return at


def _end_of(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _line_end(text: str, at: int) -> int:
    """The offset behind the line end after ``at``."""
    return min(len(text), _end_of(text, at) + 1)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1
