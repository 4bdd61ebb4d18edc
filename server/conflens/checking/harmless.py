"""Whether an edit is harmless: the file is as well-formed as it was, and says the same but for what the edit is meant to say.

An edit is made in memory and the file read again, by our reader and, where the format has a strict one at hand, by that:
readers are kinder to broken files than programs are.  What cannot be shown to be harmless is not offered.

Invariants: total; linear in the file.  Absent: what edits are for (``ide.code_actions``, ``ide.rename``).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Protocol
from xml.parsers import expat

from conflens.base.span import Place
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind
from conflens.documents.configfiles.parsing import parse, read
from conflens.documents.policy import Format as DocumentFormat
from conflens.documents.policy import format_of

_NESTED = frozenset((Format.YAML, Format.TOML, Format.HOCON))
_JAVA_TOKEN = re.compile(
    rb'"""(?:\\.|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?(?:\*/|\Z)',
    re.DOTALL,
)
_SHELL_TOKEN = re.compile(
    rb"'[^']*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\Z)|(?:^|(?<=\s))#[^\n]*|\\.", re.DOTALL
)


class Edit(Protocol):
    """Replaces the text at ``place``."""

    @property
    def place(self) -> Place:
        """What is replaced."""

    @property
    def text(self) -> str:
        """What stands there afterwards."""


def applied(text: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a file's text after edits of it."""
    parts, last = [], len(text)
    for edit in sorted(edits, key=lambda edit: edit.place.start, reverse=True):
        parts += [text[edit.place.end : last], edit.text.encode("utf-8", "replace")]
        last = edit.place.start
    return b"".join((text[:last], *reversed(parts)))


def is_comment(path: str, text: bytes, edit: Edit, file: ConfigFile | None) -> bool:
    """Tell whether an edit that adds lines of comments to a file adds nothing else."""
    at = edit.place.start
    if path.endswith(".java"):
        return not _is_inside(_JAVA_TOKEN, text, at)
    if format_of(path) is DocumentFormat.SCRIPT and _is_inside(_SHELL_TOKEN, text, at):
        return False
    after = applied(text, (edit,))
    return stays_readable(path, text, after) and all(
        _said(one) == _said(other) for one, other in _readings(path, text, after, file)
    )


def stays_readable(path: str, before: bytes, after: bytes) -> bool:
    """Tell whether strict readers that accept one text accept the other too."""
    readers = [_is_json, _is_xml]
    if ".toml" in path.lower().rpartition("/")[2]:
        readers.append(_is_toml)
    return all(accepts(after) for accepts in readers if accepts(before))


def keeps_values(file: ConfigFile, after: bytes) -> bool:
    """Tell whether a file in which keys are renamed still gives every value to a key, and none to a key above or below."""
    changed = parse(file.path, file.format, after)
    if _values(file) != _values(changed) or len(changed.faults) > len(file.faults):
        return False
    if not (file.format in _NESTED and _shadowed(changed) > _shadowed(file)):
        return stays_readable(file.path, file.text, after)
    return False


def _values(file: ConfigFile) -> int:
    return sum(one.value is not None or bool(one.items) for one in file.assignments)


def _shadowed(file: ConfigFile) -> int:
    """How many keys with a value have keys below them, of which a program that reads a tree sees only one kind."""
    holders = {
        (one.document, one.name)
        for one in file.assignments
        if one.kind is Kind.SCALAR and one.value is not None
    }
    return sum(
        any((one.document, part) in holders for part in _above(one.name))
        for one in file.assignments
    )


def _above(name: str) -> Iterable[str]:
    at = name.rfind(".")
    while at > 0:
        yield name[:at]
        at = name.rfind(".", 0, at)


def _readings(
    path: str, before: bytes, after: bytes, file: ConfigFile | None
) -> Iterable[tuple[ConfigFile, ConfigFile]]:
    """A file before and after, in each format that it is read in."""
    if file is not None:
        yield parse(path, file.format, before), parse(path, file.format, after)
    else:
        yield read(path, before), read(path, after)
    if path.lower().endswith((".yml", ".yaml")) and (
        file is None or file.format is not Format.YAML
    ):
        yield parse(path, Format.YAML, before), parse(path, Format.YAML, after)


def _said(file: ConfigFile) -> object:
    return [_assigned(one) for one in file.assignments], len(file.faults)


def _assigned(one: Assignment) -> object:
    value = None if one.value is None else one.value.text
    items = [item.text for item in one.items]
    return one.name, one.kind, value, items, one.document, one.condition, one.domain


def _is_inside(tokens: re.Pattern[bytes], text: bytes, at: int) -> bool:
    """Whether a place lies inside a token, neither at its start nor at its end."""
    for token in tokens.finditer(text):
        if token.end() > at:
            return token.start() < at
    return False


def _is_json(text: bytes) -> bool:
    if text.lstrip()[:1] not in (b"{", b"["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_toml(text: bytes) -> bool:
    try:
        tomllib.loads(text.decode())
    except (ValueError, RecursionError):
        return False
    return True


def _is_xml(text: bytes) -> bool:
    if not text.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return False
    try:
        expat.ParserCreate().Parse(text, True)
    except (expat.ExpatError, ValueError):
        return False
    return True
