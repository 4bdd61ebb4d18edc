"""Names in files of assignments: `.properties`, `.cfg`, `.conf`, `.ini`, `.toml`, shell
environment files, and HOCON with its nested braces.

One line scanner serves all, governed by a `Dialect`. Each key is an entry, commented-out keys
included; the comment block above is its description. Sections (`[a.b]`) and braces (`a { ... }`)
prefix the keys in them; in an `.ini` or `.toml` file the bare key is an entry as well.

Invariants: every line is scanned once; depth is bounded. Absent: values across lines other than
continuations, includes and substitutions.
"""

import re

from attrs import frozen

from conflens.documents.harvesters.comments import CommentBlock, is_setting
from conflens.documents.names import canonical, is_name_like
from conflens.documents.source import Collector, Source

_MAX_DEPTH = 12


@frozen
class Dialect:
    """How a file of assignments is written: the comment markers, whether a line may continue
    after a backslash, whether white space separates key and value, whether `[x]` opens a section
    and `x {` a block, whether keys are environment variables, and whether a colon
    separates key and value."""

    comments: tuple[str, ...] = ("#",)
    continues: bool = False
    spaced: bool = False
    sections: bool = False
    blocks: bool = False
    environment: bool = False
    colon: bool = True


PROPERTIES = Dialect(comments=("#", "!"), continues=True, spaced=True)
CONF = Dialect(comments=("#", "//", ";"), continues=True, spaced=True, sections=True, blocks=True)
INI = Dialect(comments=("#", ";"), sections=True)
EXAMPLE = Dialect(colon=False)
ENVIRONMENT = Dialect(comments=("#", "::", "rem ", "REM "), environment=True)

_KEY = re.compile(r"(?:[^\s=:\\#!{}\[\]\"'<>,;()&|]|\\.|\$\{[\w.]{1,80}+\}|\[[\w.-]{0,40}+\])++")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_VARIABLE = re.compile(
    r"(?:export\s++|set\s++|SET\s++|declare\s++(?:-x\s++)?+)?+(?P<name>[A-Z_][A-Z0-9_]++)="
)
_SECTION = re.compile(r"\[{1,2}\s*+([A-Za-z_][\w.\-]*+)\s*+\]{1,2}\s*+(?:[#;].*+)?")
_FALLBACK = re.compile(r"[\"']?\$\{\w++:?-([^{}]*+)\}[\"']?")
_UNICODE_LIMIT = 300


@frozen
class _Line:
    key: str
    at: int
    value: str
    separator: str


def harvest_assignments(source: Source, collector: Collector, dialect: Dialect) -> None:
    """Adds an entry for every key, active or commented out."""
    tight = _has_tight_keys(source, dialect)
    block = CommentBlock()
    path: list[str] = []
    section = ""
    continued = False
    for number, line in enumerate(source.lines):
        text = line.strip()
        if continued:
            continued = _continues(line)
            continue
        if not text:
            block.lines.clear()
            continue
        at = source.starts[number] + len(line) - len(line.lstrip())
        marker = _marker(text, dialect)
        if marker and not text.startswith("#!"):
            bare = text.lstrip(marker[0]) if len(marker) == 1 else text[len(marker) :]
            body = bare.lstrip()
            found = _assignment(body, dialect, commented=True) if body else None
            close = body == bare and not text.startswith(marker * 2)
            if found is None or not _counts(found, close, tight, dialect):
                block.add(body)
                continue
            at += len(text) - len(body) + found.at
            _add(collector, found, at, block, section, path, dialect, active=False)
            continue
        if dialect.sections and text[0] == "[":
            match = _SECTION.fullmatch(text)
            if match:
                section = match[1] + "."
                block.lines.clear()
                continue
        if dialect.blocks and text[0] == "}":
            del path[-text.count("}") :]
            block.lines.clear()
            continue
        found = _assignment(text, dialect, commented=False)
        if found is None:
            block.lines.clear()
            continue
        if dialect.blocks and found.value.endswith("{"):
            path.append(found.key)
            block.lines.clear()
            continue
        _add(collector, found, at + found.at, block, section, path, dialect, active=True)
        continued = dialect.continues and _continues(line)


def _add(
    collector: Collector,
    found: _Line,
    at: int,
    block: CommentBlock,
    section: str,
    path: list[str],
    dialect: Dialect,
    active: bool,
) -> None:
    description, default, said = block.take()
    value: str | None = found.value or None
    if dialect.environment and value:
        fallback = _FALLBACK.fullmatch(value)
        value = fallback[1] if fallback else value
        default = default or (value if fallback else None)
    if not active:
        default = default or value
    if len(path) > _MAX_DEPTH:
        return
    prefix = section + "".join(part + "." for part in path)
    key = canonical(found.key)
    collector.entry(prefix + key, at, description, default, value, active, said)
    if section:
        collector.entry(key, at, description, default, value, active, said)


def _assignment(text: str, dialect: Dialect, commented: bool) -> _Line | None:
    if dialect.environment:
        variable = _VARIABLE.match(text)
        if variable is None:
            return None
        return _Line(variable["name"], variable.start("name"), text[variable.end() :].strip(), "=")
    quoted = text[0] in "\"'"
    if quoted:
        end = text.find(text[0], 1)
        if end < 2:
            return None
        key, rest = text[1:end], text[end + 1 :]
    else:
        match = _KEY.match(text)
        if match is None:
            return None
        key, rest = match[0], text[match.end() :]
    value = rest.lstrip()
    if not key[0].isalpha() and key[0] not in "_$*":
        return None
    if value[:1] == "=" or (value[:1] == ":" and dialect.colon) or value[:2] == "+=":
        separator = value[0]
        value = value.lstrip("+=:").strip() if separator != ":" else value[1:].strip()
    elif dialect.blocks and value[:1] == "{":
        separator = "{"
    elif dialect.spaced and (rest != value or not rest) and (not commented or "." in key):
        separator = " "
        if commented and len(value.split()) != 1:
            return None
    else:
        return None
    key = _unescape(key) if "\\" in key else key
    if not key or len(key) > _UNICODE_LIMIT:
        return None
    return _Line(key, 1 if quoted else 0, value.removesuffix("\\").rstrip(), separator)


def _counts(found: _Line, close: bool, tight: bool, dialect: Dialect) -> bool:
    if dialect.environment:
        return True
    if found.separator == ":" and not (close and is_name_like(found.key)):
        return False
    if not close and tight and not is_name_like(found.key):
        return False
    return found.separator != "{" and is_setting(found.key, found.value, close)


def _has_tight_keys(source: Source, dialect: Dialect) -> bool:
    """Whether the file switches keys off as `#key=value`, without a space: then `# word=value`
    is an example in prose."""
    marks = tuple(mark for mark in dialect.comments if len(mark) == 1)
    return any(
        line.startswith(marks) and line[1:2].isalpha() and _TIGHT.match(line, 1) is not None
        for line in source.lines
    )


_TIGHT = re.compile(r"[A-Za-z][\w.\-]*+\s?+=")


def _marker(text: str, dialect: Dialect) -> str:
    return next((mark for mark in dialect.comments if text.startswith(mark)), "")


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _unescape(key: str) -> str:
    def character(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else str(match[2])

    return _ESCAPE.sub(character, key)
