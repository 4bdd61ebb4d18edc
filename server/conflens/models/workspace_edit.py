"""Changes to the text of the workspace file: a person's verdict is set or removed, a kind of finding is ignored.

An editor offers to overrule a verdict or to ignore a finding; the result is a small change of the text that says so, and everything
else, comments and line ends included, stays as it is.  ``tomlkit`` changes the document; the edit is what then differs.

Invariants: a change is only given if the changed text is TOML, says what was asked for by the rules of
``workspace.parse_workspace``, and says about everything else what it said before.  So a text that is no TOML, or one that says it in
a way that cannot be changed in place, has no change; nor has a text of more than ``MAX_EDITED`` characters, since ``tomlkit`` takes
a second for 100,000.  Offsets count characters of the given text; a byte order mark is one.
Absent: reading and writing the file, lines and columns of an editor, what an entry to ignore means (``checking.suppression``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Any

import attrs
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import KeyType, SingleKey

from conflens.models.structure import faults
from conflens.models.user_toml import load_toml
from conflens.models.workspace import MAX_BYTES

MAX_EDITED = 200_000
"""Characters of a text that is changed."""
_VERDICT = "verdict"
_CHECK, _IGNORE = "check", "ignore"
_KEYS = {"sensitive": bool, "reason": str}
_BOM = "\ufeff"
_TABLE = re.compile(r"[ \t]*\[")
_HEADER = re.compile(r"""[ \t]*\[[ \t]*['"]?verdict['"]?[ \t]*\.""")
_FAILURES = (
    TOMLKitError,
    AttributeError,
    IndexError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What ``tomlkit`` raises for a document that cannot be changed so."""


@attrs.frozen(order=True)
class TextEdit:
    """Replace the characters ``start`` to ``end`` by ``text``."""

    start: int
    end: int
    text: str


Edits = tuple[TextEdit, ...]
"""Edits of one text in order of place; they do not overlap and all count in the text before them."""

Change = Callable[[tomlkit.TOMLDocument], None]
Accepts = Callable[[Mapping[str, Any]], bool]


@attrs.frozen(slots=False)
class WorkspaceText:
    """The text of a workspace file, read once, and the changes that it can take."""

    text: str = attrs.field(repr=False)
    verdicts: Mapping[str, bool]
    """Whether an option is sensitive, by the verdicts that the file gives."""
    _tables: Mapping[str, Any] = attrs.field(repr=False)

    @staticmethod
    def of(text: str) -> WorkspaceText | None:
        """Read a text; ``None`` if it is no TOML, or too long to be a workspace file."""
        tables = _loaded(text)
        if tables is None:
            return None
        entries = tables.get(_VERDICT)
        given = entries.items() if isinstance(entries, dict) else ()
        verdicts = {name: entry["sensitive"] for name, entry in given if _is_verdict(entry)}
        return WorkspaceText(text, verdicts, tables)

    def set_verdict(self, option: str, sensitive: bool, reason: str) -> Edits | None:
        """Return the change that makes the file say ``sensitive`` of ``option``; ``None`` if there is none.

        A verdict that is there already keeps its place and comments; its reason, which was given for another verdict, becomes
        ``reason``.
        """

        def change(document: tomlkit.TOMLDocument) -> None:
            if _VERDICT not in document:
                document[_VERDICT] = tomlkit.table(is_super_table=True)
            verdicts: Any = document[_VERDICT]
            if option in verdicts:
                verdicts[option]["sensitive"] = sensitive
                if "reason" in verdicts[option]:
                    verdicts[option]["reason"] = reason
            else:
                table = tomlkit.table()
                table.update({"sensitive": sensitive, "reason": reason})
                verdicts[SingleKey(option, KeyType.Basic)] = table

        def accepts(after: Mapping[str, Any]) -> bool:
            entry = _entry(after, option)
            good = _is_verdict(entry) and entry["sensitive"] is sensitive
            return good and _rest(after, option) == _rest(self._tables, option)

        return self._edits(change, accepts)

    def remove_verdict(self, option: str) -> Edits | None:
        """Return the change that takes the verdict on ``option`` out; ``None`` if there is none."""

        if not _is_verdict(_entry(self._tables, option)):
            return None

        def change(document: tomlkit.TOMLDocument) -> None:
            verdicts: Any = document[_VERDICT]
            del verdicts[option]

        def accepts(after: Mapping[str, Any]) -> bool:
            gone = _entry(after, option) is None
            return gone and _rest(after, option) == _rest(self._tables, option)

        for lines in _tables_of(self._body, option):
            edit = _removed(self._body, lines)
            tables = _loaded(applied(self._body, (edit,)))
            if tables is not None and accepts(tables):
                return (self._restored(edit),)
        edits = self._edits(change, accepts)
        # Where tables of several kinds take turns, tomlkit moves them, and drops comments between them.
        return edits if edits and not any("\n" in edit.text for edit in edits) else None

    def ignore(self, entry: str) -> Edits | None:
        """Return the change that adds an entry to ``[check] ignore`` (``CODE`` or ``CODE: name``); ``None`` if there is none,
        or the file says so already."""
        table = self._tables.get(_CHECK, {})
        entries = table.get(_IGNORE, []) if isinstance(table, dict) else None
        if not isinstance(entries, list) or entry in entries or not entry.isprintable():
            return None
        wanted = _sorted({**self._tables, _CHECK: {**table, _IGNORE: [*entries, entry]}})

        def change(document: tomlkit.TOMLDocument) -> None:
            if _CHECK not in document:
                document[_CHECK] = tomlkit.table()
            check: Any = document[_CHECK]
            if check.get(_IGNORE):
                check[_IGNORE].append(entry)
            else:
                check[_IGNORE] = [entry]

        return self._edits(change, lambda after: _sorted(after) == wanted)

    # -- edits -----------------------------------------------------------------------------------

    @cached_property
    def _body(self) -> str:
        """The text without byte order mark, all lines ending in LF."""
        return self.text.removeprefix(_BOM).replace("\r\n", "\n")

    @cached_property
    def _document(self) -> tomlkit.TOMLDocument | None:
        try:
            return tomlkit.parse(self._body) if len(self._body) <= MAX_EDITED else None
        except _FAILURES:
            return None

    def _edits(self, change: Change, accepts: Accepts) -> Edits | None:
        document = deepcopy(self._document)
        if document is None:
            return None
        try:
            change(document)
            after = tomlkit.dumps(document)
        except _FAILURES:
            return None
        for edit in _tidied(self._body, _difference(self._body, after)):
            tables = _loaded(applied(self._body, (edit,)))
            if tables is not None and accepts(tables):
                return (self._restored(edit),)
        return None

    def _restored(self, edit: TextEdit) -> TextEdit:
        """The edit in the text as it is: with its line ends and its byte order mark."""
        text = edit.text.replace("\n", "\r\n") if "\r\n" in self.text else edit.text
        return TextEdit(self._offset(edit.start), self._offset(edit.end), text)

    def _offset(self, offset: int) -> int:
        at = len(self.text) - len(self.text.removeprefix(_BOM))
        for _ in range(self._body.count("\n", 0, offset)):
            at = self.text.index("\n", at) + 1
        return at + offset - (self._body.rfind("\n", 0, offset) + 1)


def applied(text: str, edits: Edits) -> str:
    """Return the text after edits."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        if len(text.encode()) > MAX_BYTES:
            return None
        return load_toml(text.removeprefix(_BOM))
    except (ValueError, RecursionError):
        return None


def _entry(tables: Mapping[str, Any], option: str) -> Any:
    verdicts = tables.get(_VERDICT)
    return verdicts.get(option) if isinstance(verdicts, dict) else None


def _is_verdict(entry: object) -> bool:
    return isinstance(entry, dict) and not faults(entry, _KEYS, ("sensitive",))


def _rest(tables: Mapping[str, Any], option: str) -> str:
    """What a file says of everything but one verdict; a text, since two NaN are not equal."""
    others = {key: value for key, value in tables.items() if key != _VERDICT}
    verdicts = tables.get(_VERDICT, {})
    if isinstance(verdicts, dict):
        verdicts = {key: value for key, value in verdicts.items() if key != option}
    return repr((others, verdicts))


def _sorted(tables: Mapping[str, Any]) -> str:
    found = {**tables, _CHECK: sorted(tables.get(_CHECK, {}).items())}
    return repr(sorted(found.items()))


def _tables_of(text: str, option: str) -> Iterator[TextEdit]:
    """Yield the removal of each block of lines that looks like the table of one verdict."""
    lines = text.splitlines(keepends=True)
    at = 0
    for number, line in enumerate(lines):
        if _HEADER.match(line) and _entry(_loaded(line) or {}, option) == {}:
            behind = (
                beyond for beyond in range(number + 1, len(lines)) if _TABLE.match(lines[beyond])
            )
            block = "".join(lines[number : next(behind, len(lines))])
            yield TextEdit(at, at + len(block), "")
        at += len(line)


def _difference(before: str, after: str) -> TextEdit:
    """What lies between the common start and the common end; of a block of lines that comes or goes, whole lines."""
    start = _common(before, after)
    same = _common(before[start:][::-1], after[start:][::-1])
    end, text = len(before) - same, after[start : len(after) - same]
    moving = text or before[start:end]
    if not (text and end > start):
        while start > 0 and before[start - 1] != "\n" and before[start - 1] == moving[-1:]:
            moving = moving[-1] + moving[:-1]
            start, end = start - 1, end - 1
        text = moving if text else ""
    return TextEdit(start, end, text)


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _tidied(text: str, edit: TextEdit) -> Iterator[TextEdit]:
    """The edit as a person would make it, if it puts lines in or takes lines out, and as it is."""
    at_line = edit.start == 0 or text[edit.start - 1] == "\n" or edit.start == len(text)
    if at_line and edit.text and edit.start == edit.end:
        yield _inserted(text, edit)
    elif at_line and not edit.text:
        yield _removed(text, edit)
    yield edit


def _inserted(text: str, edit: TextEdit) -> TextEdit:
    """New lines: a table between blank lines, and neither it nor a key between what follows and the comments on that."""
    block = edit.text.strip("\n") + "\n"
    lines = text[: edit.start].splitlines(keepends=True)
    follows = text[edit.start : edit.start + 1] not in ("", "\n")
    while lines and follows and lines[-1].lstrip().startswith("#"):
        lines.pop()
    if not block.startswith("["):
        while lines and not lines[-1].strip():
            lines.pop()
    before = "".join(lines)
    gap = "" if not before or before.endswith("\n") else "\n"
    if block.startswith("["):
        gap += "\n" if before and not (before + gap).endswith("\n\n") else ""
        block += "\n" if text[len(before) : len(before) + 1] not in ("", "\n") else ""
    return TextEdit(len(before), len(before), gap + block)


def _removed(text: str, edit: TextEdit) -> TextEdit:
    """Lines that go: not the comments behind them, and with them the blank line that set them apart."""
    lines = text[edit.start : edit.end].splitlines(keepends=True)
    kept: list[str] = []
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        kept.insert(0, lines.pop())
    behind = "".join(kept).strip()
    end = edit.end - (len("".join(kept)) if behind else 0)
    start = edit.start
    if end == len(text) and text[:start].endswith("\n\n"):
        start -= 1
    return TextEdit(start, end, "")
