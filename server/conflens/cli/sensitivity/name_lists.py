"""Files that name options: a plain list, or a file of settings whose keys are the names.

A list has one name a line; ``#`` begins a comment.  A file of settings is told by its suffix (YAML,
properties, ``.conf``, Hadoop's XML) and read as documents are: commented-out keys are names as well.
Of YAML only keys of the top level count, since nested ones are the values of those.
Invariant: every name once, in the order of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.cli.errors import BadInputError
from conflens.cli.texts import text_of
from conflens.documents import MentionKind, harvest
from conflens.documents.policy import Format, format_of

_MAX_BYTES = 2_000_000
_SETTINGS = (Format.YAML, Format.PROPERTIES, Format.CONF, Format.XML)
_NAME = re.compile(r"[^\s,;=\"']+")
_OUTMOST = 3
"""The last column (from 1) at which a key of the top level begins: ``# key:`` is commented out."""


def names_in(file: str) -> tuple[str, ...]:
    """Return the names in ``file``; raise :class:`BadInputError` when there are none."""
    text = text_of(file, _MAX_BYTES)
    form = format_of(file.replace("\\", "/"))
    found = tuple(dict.fromkeys(_keys(file, text) if form in _SETTINGS else _listed(file, text)))
    if not found:
        raise BadInputError(f"{file}: names no option")
    return found


def _listed(file: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        name = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
        if not name:
            continue
        if _NAME.fullmatch(name) is None:
            raise BadInputError(f"{file}:{number}: not one name: {name[:60]!r}")
        yield name


def _keys(file: str, text: str) -> Iterator[str]:
    form = format_of(file.replace("\\", "/"))
    seen: set[str] = set()
    for mention in harvest(file, text).mentions:
        if mention.kind is not MentionKind.ENTRY:
            continue
        seen.add(mention.name)
        nested = form is Format.YAML and mention.column > _OUTMOST
        if not (nested and _is_below(mention.name, seen)):
            yield mention.name


def _is_below(name: str, keys: set[str]) -> bool:
    """Tell whether a key before this one holds it; a name with dots can be a key of its own."""
    parts = name.split(".")
    return any(".".join(parts[:end]) in keys for end in range(1, len(parts)))
