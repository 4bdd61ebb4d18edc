"""Baselines: the findings that a project has already and does not want to hear of again.

Terms
    identity   what makes a finding the same after edits: code, path, name and message, in which numbers of lines and
               amounts are blotted out; not where it stands.  Verdicts on sensitivity move with the program, so that of
               findings about missing documentation the message does not count.
    baseline   how often each identity is known.  Of equals that many are known, from the top of the file on.

The stored form is JSON, sorted, one entry for each identity, so that a commit shows what was added.  Reading checks
everything; what is wrong is one sentence without the file's name.
Absent: files, and which findings there are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

import attrs
import msgspec

from conflens.base.span import Place
from conflens.checking.results import Code

SCHEMA = "conflens-baseline/1"
MAX_BYTES = 50_000_000
"""A larger file is no baseline."""

Identity = tuple[str, str, str, str]
"""Code, path, name and what of the message stays."""

_LINE = re.compile(r"(?<=:)\d+\b|(?<=\blines )\d+(?: (?:and|to) \d+)?|(?<=\bline )\d+")
_AMOUNT = re.compile(r"\b\d[\d,]* more\b")
_BY_NAME = frozenset({Code.UNDOCUMENTED_OPTION, Code.SENSITIVE_UNDOCUMENTED})


class BaselineError(ValueError):
    """What is wrong with a baseline, in one sentence."""


@attrs.frozen
class Baseline:
    """How often each finding is known."""

    known: Mapping[Identity, int] = attrs.field(factory=dict)


class _Entry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    code: str
    path: str
    name: str
    message: str
    count: Annotated[int, msgspec.Meta(ge=1)] = 1


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    schema: str
    findings: list[_Entry]


def identity(code: Code, place: Place, name: str, message: str) -> Identity:
    """Return what makes a finding the same after edits."""
    words = "" if code in _BY_NAME else _AMOUNT.sub("# more", _LINE.sub("#", message))
    return code.value, place.path, name, " ".join(words.split())


def encode(known: Iterable[Identity]) -> bytes:
    """Return the baseline of findings as UTF-8 JSON; equal findings give equal bytes."""
    counts = Counter(tuple(map(_legible, one)) for one in known)
    findings = [
        {"code": code, "path": path, "name": name, "message": message, "count": counts[found]}
        for found in sorted(counts)
        for code, path, name, message in [found]
    ]
    data = msgspec.json.encode({"schema": SCHEMA, "findings": findings})
    return msgspec.json.format(data, indent=1) + b"\n"


def decode(data: bytes) -> Baseline:
    """Return a stored baseline; raise :class:`BaselineError`."""
    if len(data) > MAX_BYTES:
        raise BaselineError(f"has more than {MAX_BYTES:,} bytes")
    try:
        file = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"is not a baseline: {error}") from error
    if file.schema != SCHEMA:
        raise BaselineError(
            f"is not a baseline: its schema is {file.schema[:40]!r}, not {SCHEMA!r}"
        )
    known: Counter[Identity] = Counter()
    for entry in file.findings:
        known[entry.code, entry.path, entry.name, entry.message] += entry.count
    return Baseline(known)


class Unknown:
    """Tells the known from the new among the findings of one file, asked in their order."""

    def __init__(self, baseline: Baseline) -> None:
        self._known = baseline.known
        self._seen: Counter[Identity] = Counter()

    def knows(self, found: Identity) -> bool:
        """Tell whether one more of these is known; asking counts."""
        code, path, name, message = found
        stored = _legible(code), _legible(path), _legible(name), _legible(message)
        self._seen[stored] += 1
        return self._seen[stored] <= self._known.get(stored, 0)


def _legible(text: str) -> str:
    """Text as UTF-8 can hold it: names of files need not be Unicode."""
    return text.encode("utf-8", "backslashreplace").decode()
