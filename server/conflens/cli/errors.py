"""Exit codes of all commands, what ``--fail-on`` of ``scan`` names, and the error for unusable input.

Imports nothing, so that every module of the command line can use it.
"""

from __future__ import annotations

OK = 0
FINDINGS = 1
BAD_INPUT = 2
INTERRUPTED = 130

FAIL_ON = (
    "conflicting-default",
    "undocumented",
    "sensitive-undocumented",
    "unused-read",
    "problem",
)
"""What ``--fail-on`` can name: a verdict on an option, or any entry of ``problems``; also ``any``."""


class BadInputError(Exception):
    """Input of the user cannot be used; the text is one line for them."""
