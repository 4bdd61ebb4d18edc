"""Where running text states a secret: behind a word for one and a sign, in words, with blanks or a new line between.

``password = tulip``, ``"password" :"tulip"``, ``the password is "tulip"``, ``default password is tulip``, ``token: tu1ip``.

A sign of an assignment gives any text but an ordinary word; ``:`` and ``is`` stand in sentences too, so that they give what is
in quotes or opaque (``told_secrets``).  Quotes alone give a secret if the word before has none.

Invariant: work is linear in the length of a text.
Absent: places of values (``redaction.stands_in``), and forms without a word for a secret (``secrets``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conflens.base.secret_names import SWITCH, strength_of
from conflens.base.told_secrets import STEM, is_opaque, is_ordinary, surely_named

_WORD = re.compile(r"[\w.$-]+")
_GAP = re.compile(
    r"(?P<closed>[\"'`*_]{0,3}+)\s{0,80}(?:(?P<sign>:=|=>|->|==?|\u2192|\u21d2)|(?P<weak>:|\bis(?=[\s:])(?:\s{1,3}set\s{1,3}to\b)?)|(?=[\"'\u201c\u2018]))"
    r"[\s*_]{0,80}(?P<quote>[\"'`\u201c\u2018]{0,3})"
)
_QUOTED = re.compile(r"[^\"'`\u201d\u2019\n]{1,200}(?=[\"'`\u201d\u2019])")
_BARE = re.compile(r"[^\s\"'`,;&<>()\[\]{}|\\]{1,300}")
_ENDS = ".:!?*"
_SECOND = frozenset(["key", "phrase"])
_FIRST = re.compile(r"\b(?:api|private|access|secret|pass) \Z", re.IGNORECASE)
_DEFAULT = re.compile(r"default\s{1,3}\Z", re.IGNORECASE)


def said(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text states secrets."""
    if STEM.search(text) is None:
        return
    for name in _WORD.finditer(text):
        word = name[0].rstrip(".-_")
        if not word or not _is_name(text, word, name.start()):
            continue
        end = name.start() + len(word)
        gap = _GAP.match(text, end)
        if gap is None:
            continue
        span = _given(text, gap, name.start())
        if span is not None:
            yield span


def _is_name(text: str, word: str, start: int) -> bool:
    """Whether a word is the name of a secret, with the word before it if it takes two."""
    if surely_named(word.lstrip("-.")):
        return True
    return word.lower() in _SECOND and _FIRST.search(text, max(0, start - 12), start) is not None


def _given(text: str, gap: re.Match[str], start: int) -> tuple[int, int] | None:
    quoted = _QUOTED.match(text, gap.end()) if gap["quote"] else None
    found = quoted if quoted is not None else _BARE.match(text, gap.end())
    if found is None:
        return None
    given = found[0].strip() if quoted is not None else found[0].rstrip(_ENDS)
    if (
        not any(map(str.isalnum, given))
        or SWITCH.fullmatch(given)
        or strength_of(given)
        or is_ordinary(given)
    ):
        return None
    if not gap["sign"] and (" " in given or not is_opaque(given)):
        by_default = gap["weak"] == "is" and _DEFAULT.search(text, max(0, start - 12), start)
        named = "`" in gap["quote"] or " " in given
        if not by_default and (quoted is None or named):
            return None
    if gap["sign"] is None and gap["weak"] is None and gap["closed"]:
        return None
    return found.start(), found.start() + len(given)
