"""Characters that a terminal obeys instead of showing, and lines of the log, which hold none and no secret.

Text of an analysed project, of a profile or of a file's name may hold escape sequences, which retitle a terminal, hide
lines or answer in place of the user, and signs that reverse the direction of text, so that code reads as what it is not.
Absent: characters that merely do not show, such as a no-break space; they are ordinary text.
"""

from __future__ import annotations

import logging
import re

from typing_extensions import override

from conflens.base.redaction import redacted_text

MARK = "\ufffd"
"""Stands for a character that a terminal would obey."""

_OBEYED = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u202a-\u202e\u2066-\u2069]|\\r(?!\\n)"
)
_OBEYED_BYTES = re.compile(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]"
    rb"|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\r(?!\n)"
)
"""The same in UTF-8."""


def neutral(text: str) -> str:
    """Return text without characters that a terminal obeys, but line ends and tabs; each becomes ``MARK``."""
    return _OBEYED.sub(MARK, text)


def neutral_data(data: bytes) -> bytes:
    """Return UTF-8 likewise; JSON, which holds such characters in strings only, has them escaped and means the same."""
    if data.startswith((b"{", b"[")):
        return neutral_json(data)
    return _OBEYED_BYTES.sub(MARK.encode(), data)


def neutral_json(data: bytes) -> bytes:
    """Return a piece of JSON likewise; no text in it may begin or end elsewhere."""
    return _OBEYED_BYTES.sub(_escaped, data)


def _escaped(found: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(found[0].decode())


class NeutralFormatter(logging.Formatter):
    """Formats a line of a log so that a terminal obeys nothing in it and no secret is given in it."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        return redacted_text(neutral(super().format(record)))
