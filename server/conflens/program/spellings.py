"""What library functions make of the spelling of a text: ``capitalized``, or words from one style in another.

A style is written as it looks: ``lower-hyphen``, ``lower_underscore``, ``UPPER_UNDERSCORE``, ``lowerCamel``, ``UpperCamel``.
"""

from __future__ import annotations

import re

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_SIGNS = "-_"


def capital(text: str) -> str:
    """Return a text with a large first letter."""
    return text[:1].upper() + text[1:]


def uncapital(text: str) -> str:
    """Return a text with a small first letter."""
    return text[:1].lower() + text[1:]


def restyled(text: str, old: str, new: str) -> str:
    """Return words of the style ``old`` in the style ``new``."""
    sign = _sign(old)
    words = text.split(sign) if sign else _CAPITAL.split(text)
    joint = _sign(new)
    if joint or new.isupper():
        whole = joint.join(words)
        return whole.upper() if new.isupper() else whole.lower()
    joined = "".join(capital(word.lower()) for word in words)
    return uncapital(joined) if new[:1].islower() else joined


def _sign(style: str) -> str:
    return next((sign for sign in _SIGNS if sign in style), "")
