"""The format of a config file: by its name where the name decides, else by its content.

Names such as ``application.yml`` decide.  ``.conf``, ``.cfg``, ``.config`` and names without a suffix do not: ``broker.conf`` of
RocketMQ is in properties syntax, ``application.conf`` of Akka is HOCON, ``spark-defaults.conf`` separates by blanks.  Nor does the
name of a file that a user has named as a config file and that has any other suffix.  For these ``detect`` looks at the first
lines.

Terms
    entry   a line of the form ``key = value``, ``key: value``, or a dotted key and a value with blanks between.
    block   a line that opens or closes an object or list (``akka {``, ``}``).

Invariants: total, linear, and only the first ``_LINES`` lines count.  The kind of most lines decides, so that a line that is being
typed does not change the format.  A file of none of the formats (INI with sections, nginx, XML other than Hadoop's) has no format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from conflens.documents.configfiles.model import Format

_FORMATS = {
    "properties": Format.PROPERTIES,
    "yaml": Format.YAML,
    "yml": Format.YAML,
    "xml": Format.XML,
    "toml": Format.TOML,
    "env": Format.ENVIRONMENT,
    "hocon": Format.HOCON,
    "sh": Format.ARGUMENTS,
    "bash": Format.ARGUMENTS,
    "bat": Format.ARGUMENTS,
    "cmd": Format.ARGUMENTS,
    "service": Format.ARGUMENTS,
    "options": Format.ARGUMENTS,
    "vmoptions": Format.ARGUMENTS,
}
_TEMPLATE = re.compile(r"\.(?:template|example|sample|default|dist|tmpl|orig)$")
_ARGUMENT_FILES = re.compile(
    r"(?:docker-)?compose[\w.-]*\.ya?ml|dockerfile[\w.-]*|[\w.-]*\.dockerfile|jvm[\w.-]*\.(?:options|config)"
)
_LOGGING = re.compile(r"(?:logback|log4j2?)(?:[-_.][\w.-]*)?\.xml")
_ENVIRONMENT = re.compile(r"\.env(?:\.[\w-]+)?|[\w-]+\.env")

_LINES = 2_000
_CHARACTERS = 200_000
_LINE = re.compile(r"[^\r\n]+")
_CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*+\\\Z")
_HEADER = re.compile(r"\[\[?[^\[\]{},=]++\]\]?[ \t]*+(?:[#;].*)?")
_BLOCK = re.compile(r"[}\]][}\],;]*|.*[\[{](?:[ \t]*(?:#|//).*)?|include[ \t]+[\"(\w].*")
_ENTRY = re.compile(
    r"(?P<key>[\w\-./%$\[\]\"*]+)[ \t]*(?P<mark>\+?=|:(?!//|:)|(?=[ \t]))[ \t]*(?P<value>.*)"
)
_VARIABLE = re.compile(r"(?:export[ \t]+)?[A-Z_][A-Z0-9_]*=(?! )|export[ \t]+\w+=")
_HOCON_VALUE = re.compile(
    r"\"[^\"]*+\"[ \t]*+,?+[ \t]*+(?:(?:#|//).*)?|\"\"\".*|\[.*\]|\{.*\}|.*\$\{\?.*"
)
_UNQUOTABLE = re.compile(r"[\\:=`^?!@*&+]")
"""What a HOCON value cannot have outside of quotes."""
_TOML_VALUE = re.compile(r"[\"'\[{].*|true|false|[+-]?\d.*")


def named_format(path: str) -> Format | None:
    """Return the format that a file's name decides."""
    name = _base(path)
    if _ENVIRONMENT.fullmatch(name):
        return Format.ENVIRONMENT
    if _ARGUMENT_FILES.fullmatch(name):
        return Format.ARGUMENTS
    if _LOGGING.fullmatch(name):
        return Format.LOGGING
    return _FORMATS.get(suffix(path))


def suffix(path: str) -> str:
    """Return the suffix of a file's name in lower case, that of a template (``.example``) left out; empty without one."""
    stem, _, last = _TEMPLATE.sub("", _base(path)).rpartition(".")
    return last if stem else ""


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but blanks and comments, so that nothing can be told of its format."""
    return next(_content(text), None) is None


def detect(text: str) -> Format | None:
    """Return the format of a text by its content, ``None`` if it is not one of those that are read."""
    start = text[:_CHARACTERS].lstrip("\ufeff \t\r\n\f")
    if start.startswith("#!"):
        return Format.ARGUMENTS
    if start.startswith("<"):
        return Format.XML if "<configuration" in text else None
    if start.startswith("{"):
        return Format.HOCON if _is_hocon(text) else None
    return _of_lines(text, list(islice(_content(text), _LINES)))


def _of_lines(text: str, lines: list[tuple[int, str]]) -> Format | None:
    if not lines:
        return None
    total = len(lines)
    found = [_ENTRY.fullmatch(line) for _, line in lines]
    entries = [match for match in found if match is not None and _is_entry(match)]
    if sum(line.startswith("-") and line[1:2].isalpha() for _, line in lines) * 2 > total:
        return Format.ARGUMENTS
    if sum(_VARIABLE.match(line) is not None for _, line in lines) * 2 > total:
        return Format.ENVIRONMENT
    if any(_HEADER.fullmatch(line) for _, line in lines):
        values = [match["value"] for match in entries]
        typed = sum(_TOML_VALUE.fullmatch(value) is not None for value in values)
        return Format.TOML if values and typed * 10 >= len(values) * 9 else None
    if _is_nested(lines):
        return Format.YAML
    blocks = sum(_BLOCK.fullmatch(line) is not None for _, line in lines)
    plain = sum(_is_plain(match) for match in entries)
    # A single bracket in a properties file is being typed.
    if (blocks > 1 or (blocks and not plain)) and _is_hocon(text):
        return Format.HOCON
    if len(entries) * 10 < total * 6 or (blocks > 1 and blocks * 10 > total):
        return None
    quoted = sum(_HOCON_VALUE.fullmatch(match["value"]) is not None for match in entries)
    quoted += sum(match["mark"] == "+=" for match in entries)
    if quoted > plain and _is_hocon(text):
        return Format.HOCON
    return Format.PROPERTIES


def _content(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text with their indentation; comments, blank lines and what continues a line are left out."""
    continued = False
    for match in _LINE.finditer(text, 0, _CHARACTERS):
        line = match[0].strip(" \t\f\ufeff")
        within, continued = continued, _CONTINUED.search(match[0]) is not None
        if within or not line or (line[0] in "#!;" and line[:2] != "#!") or line.startswith("//"):
            continue
        yield len(match[0]) - len(match[0].lstrip(" \t")), line


def _is_entry(match: re.Match[str]) -> bool:
    """Whether a line sets a key; without ``=`` and ``:`` only if the key is a dotted name."""
    if match["value"].endswith((";", "{")):
        return False
    if match["mark"]:
        return True
    key = match["key"]
    return "." in key.strip(".") and bool(match["value"])


def _is_plain(match: re.Match[str]) -> bool:
    """Whether a line is an entry of a properties file and none of HOCON."""
    value = match["value"]
    if not match["mark"] or not value:
        return True
    return _HOCON_VALUE.fullmatch(value) is None and _UNQUOTABLE.search(value) is not None


def _is_nested(lines: list[tuple[int, str]]) -> bool:
    """Whether keys have others or lists below them by indentation, as in YAML."""
    if lines[0][1].startswith(("---", "%YAML")):
        return True
    below = 0
    for (indent, line), (following, under) in pairwise(lines):
        if re.fullmatch(r"[\w\-.\"'/ ]+:(?:[ \t]+[#&!].*)?", line) and (
            following > indent or (following == indent and re.match(r"-(?:[ \t]|\Z)", under))
        ):
            below += 1
    assigned = sum(re.match(r"[\w\-.]+[ \t]*=", line) is not None for _, line in lines)
    return below > 0 and assigned * 2 < len(lines)


def _base(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1].lower()


def _is_hocon(text: str) -> bool:
    from conflens.documents.configfiles.hocon import dialect  # noqa: PLC0415 - few files need it

    return bool(dialect.parse(text).assignments)
