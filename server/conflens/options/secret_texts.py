"""Texts that code puts together, and whether the constants beside a value make it a secret there.

``"jdbc:mysql://h/db?password=" + v``, ``String.format("mongodb://%s:%s@h", user, v)``, ``template.replace("{pw}", v)``: what is known
of a text is written out around a mark, and the mark judged as part of it, as a value in a file is (``base.secrets``).

Absent: which parts there are (``secret_targets``).
"""

from __future__ import annotations

import re

from conflens.base.secrets import is_secret_within

MARK = "~Zq9k7Wv2mR4x"
"""Stands for the value: no name that only speaks of secrets (``auth.login.config=``) makes a path one."""
OTHER = "x"
"""Stands for what is not known."""

_PASSWORD = re.compile(r"://[^/\s@:?#;]*:[^/\s@?#;]*\Z")
_HOST = re.compile(r"[^/\s@?#]*@")
_OPEN = re.compile(r"://[^/\s?#;]*\Z")
"""Within what an address begins with: the part behind a user or a host that a sign ends is another one."""
_TOLD = re.compile(
    r"(?:\b(?i:identified\s+by)\s+|\b(?i:password)\s+(?=['\"])|\b[Bb]earer\s+|\bBasic\s+"
    r"|\b(?:mysql\w{0,10}|mariadb[\w-]{0,10}|mongo\w{0,10}|sshpass|plink|pscp)\s[^|;&\n]{0,300}?(?<=\s)-p\s?)['\"]?\Z"
)
"""What a secret follows without a sign between."""
_HOLE = re.compile(r"%(?:(\d{1,2})\$)?[-#+ 0,(]*\d*(?:\.\d+)?[a-zA-Z]|\{(\d{1,2})[^{}]*\}|\{\}")
_LONGEST = 2_000


def is_secret_between(before: str, behind: str) -> bool:
    """Tell whether a value is a secret by what is written before and behind it."""
    before, behind = before[-_LONGEST:], behind[:_LONGEST]
    if not (before or behind):
        return False
    if _PASSWORD.search(before) and _HOST.match(behind):
        return True
    if _TOLD.search(before):
        return True
    if _OPEN.search(before):  # another part of an address, such as the user
        return False
    return is_secret_within("", f"{before}{MARK}{behind}", MARK)


def around(text: str, number: int) -> tuple[str, str] | None:
    """Return what stands before and behind the place of an argument, counted from 0, in a text with places for arguments."""
    text = text[:_LONGEST]
    count = 0
    for hole in _HOLE.finditer(text):
        if hole[1]:
            meant = int(hole[1]) - 1
        elif hole[2]:
            meant = int(hole[2])
        else:
            meant, count = count, count + 1
        if meant == number:
            return _plain(text[: hole.start()]), _plain(text[hole.end() :])
    return None


def _plain(text: str) -> str:
    return _HOLE.sub(OTHER, text)
