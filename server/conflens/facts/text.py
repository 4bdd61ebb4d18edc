"""From source text to the texts that facts hold: type texts, literal values, annotation-free names."""

from __future__ import annotations

import re

_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_ANNOTATION = re.compile(r"@[\w.]+(?:\s*\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*\))?\s*")
_BOUND = re.compile(r"\b(extends|super)\b")
_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-7]{1,3}|\r?\n|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "0": "\0"}


def type_text(source: str) -> str:
    """Return a type as text without white space, comments and annotations."""
    if "/" in source:
        source = _COMMENT.sub(" ", source)
    if "@" in source:
        source = _ANNOTATION.sub("", source)
    if not _SPACE.search(source):
        return source
    bounded = _BOUND.sub("\x00\\1\x00", source)
    return _SPACE.sub("", bounded).replace("\x00", " ").strip()


def _unescape(match: re.Match[str]) -> str:
    body = match.group(1)
    if body[0] == "u" and len(body) > 4:
        return chr(int(body[-4:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8))
    if body in ("\n", "\r\n"):
        return ""
    return _SIMPLE.get(body, body)


def _joined(text: str) -> str:
    """Make surrogate pairs written as two escapes one character, and lone ones harmless."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def string_value(source: str) -> str:
    """Return the value of a string literal or text block (JLS 3.10.5, 3.10.6), quotes included."""
    if source.startswith('"""'):
        return _text_block(source)
    body = source[1:-1] if len(source) >= 2 and source.endswith('"') else source[1:]
    if "\\" not in body:
        return body
    return _joined(_ESCAPE.sub(_unescape, body))


def _text_block(source: str) -> str:
    body = source[3:]
    body = body.removesuffix('"""')
    first = body.find("\n")
    lines = body[first + 1 :].replace("\r\n", "\n").split("\n") if first >= 0 else [body]
    counted = [line for index, line in enumerate(lines) if line.strip() or index == len(lines) - 1]
    margin = min((len(line) - len(line.lstrip()) for line in counted), default=0)
    kept = [line[margin:].rstrip() if line.strip() else "" for line in lines]
    return _joined(_ESCAPE.sub(_unescape, "\n".join(kept)))


def char_value(source: str) -> str:
    """Return the character of a character literal, quotes included."""
    body = source[1:-1]
    return _joined(_ESCAPE.sub(_unescape, body)) if "\\" in body else body


def integer_value(source: str) -> tuple[str, str]:
    """Return (kind, decimal digits) of an integer literal; kind is ``i`` or ``l``."""
    digits = source.replace("_", "").lower()
    kind = "i"
    if digits.endswith("l"):
        kind, digits = "l", digits[:-1]
    try:
        if digits.startswith("0x"):
            value = int(digits[2:], 16)
            bits = 32 if kind == "i" else 64
            if value >= 1 << (bits - 1):
                value -= 1 << bits
        elif digits.startswith("0b"):
            value = int(digits[2:], 2)
        elif digits.startswith("0") and len(digits) > 1:
            value = int(digits, 8)
        else:
            value = int(digits)
    except ValueError:
        return kind, digits
    # What is longer than any type of Java is no number; Python refuses to write out very long ones.
    return kind, str(value) if value.bit_length() <= 64 else digits


def floating_value(source: str) -> str:
    """Return a floating literal without suffix and ``_``, as Python prints the number."""
    digits = source.replace("_", "").lower()
    try:
        if digits.startswith("0x"):
            return repr(float.fromhex(digits.rstrip("fd") if "p" in digits else digits))
        return repr(float(digits.rstrip("fd")))
    except ValueError:
        return digits
