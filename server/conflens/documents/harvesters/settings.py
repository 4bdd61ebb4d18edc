"""Names in config files, as documentation: what each key's comment says of it, and keys that have been commented out.

The readers of `configfiles` say which keys there are, what they are called and which lines a value takes; this is the layer of
comments over them, and of scripts and examples, where each line stands for itself. Each key is an entry, commented-out keys
included; the comment block above is its description. In a file with sections (`.ini`, `.toml`) the bare key is an entry as well.

Invariant: every line is looked at once. Absent: YAML's comments (`yaml_settings`), keys of more than one word.
"""

import re

from attrs import frozen

from conflens.documents.configfiles.detection import detect
from conflens.documents.configfiles.model import Format
from conflens.documents.harvesters.active_keys import active_keys, plain_name
from conflens.documents.harvesters.comments import CommentBlock, is_setting
from conflens.documents.harvesters.yaml_settings import harvest_yaml
from conflens.documents.names import canonical, is_name_like
from conflens.documents.source import Collector, Source

_MAX_KEY = 300


@frozen
class Style:
    """How a kind of file is written: its format (`None`: by its content), the comment markers, whether white space and whether a
    colon separate key and value, whether each line stands for itself, and whether keys are environment variables."""

    format: Format | None = None
    comments: tuple[str, ...] = ("#",)
    spaced: bool = False
    colon: bool = True
    by_line: bool = False
    environment: bool = False


PROPERTIES = Style(Format.PROPERTIES, ("#", "!"), spaced=True)
CONF = Style(None, ("#", "//", ";"), spaced=True)
INI = Style(Format.TOML, ("#", ";"))
YAML = Style(Format.YAML)
EXAMPLE = Style(colon=False, by_line=True)
ENVIRONMENT = Style(comments=("#", "::", "rem ", "REM "), by_line=True, environment=True)

_SECTION = re.compile(
    r"^\[{1,2}[ \t]*+[A-Za-z_][\w.\-]*+[ \t]*+\]{1,2}[ \t]*+(?:[#;].*+)?$", re.MULTILINE
)
_KEY = re.compile(r"(?:[^\s=:\\#!{}\[\]\"'<>,;()&|]|\\.|\$\{[\w.]{1,80}+\}|\[[\w.-]{0,40}+\])++")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_VARIABLE = re.compile(
    r"(?:export\s++|set\s++|SET\s++|declare\s++(?:-x\s++)?+)?+(?P<name>[A-Z_][A-Z0-9_]++)="
)
_FALLBACK = re.compile(r"[\"']?\$\{\w++:?-([^{}]*+)\}[\"']?")
_TIGHT = re.compile(r"[A-Za-z][\w.\-]*+\s?+=")
_OPENING = re.compile(r"[\[{][^\]}]*\Z|\"\"\"")


@frozen
class _Line:
    """A key as it is written in one line: where it begins there, and the text that gives its value."""

    key: str
    at: int
    value: str
    separator: str = "="


def harvest_settings(source: Source, collector: Collector, style: Style) -> None:
    """Adds an entry for every key, active or commented out."""
    text = "\n".join(source.lines)
    format = None if style.by_line else style.format or _content_format(text)
    active = None if format is None else active_keys(source, text, format)
    if format is Format.YAML and active is not None:
        harvest_yaml(source, collector, active)
        return
    off = _switched_off(source, style)
    names = _names_of(source, off, format)
    block = CommentBlock()
    for number, line in enumerate(source.lines):
        if active is not None and number in active.covered:
            continue
        body = line.strip()
        marker = _marker(body, style) if body and not body.startswith("#!") else ""
        found = off.get(number)
        name = names.get(number, "")
        if found is None and marker:
            block.add(_words(body, marker))
            continue
        if found is None and body and (active is None or number in active.keys):
            found = _line(line, style)
            name = "" if active is None else plain_name(active.keys[number].name)
        if found is None:
            block.lines.clear()
            continue
        all_ = (name or found.key, *((found.key,) if format is Format.TOML else ()))
        at = source.starts[number] + found.at
        _add(collector, found, all_, at, block, style, active=number not in off)


def _switched_off(source: Source, style: Style) -> dict[int, _Line]:
    """The keys that are commented out, by line."""
    tight = _has_tight_keys(source, style)
    found: dict[int, _Line] = {}
    for number, line in enumerate(source.lines):
        body = line.strip()
        marker = _marker(body, style) if body else ""
        if not marker or body.startswith("#!"):
            continue
        words = _words(body, marker)
        gap = len(body) - len(words) - len(marker)
        close = not gap or (len(marker) == 1 and body[1:2] == marker)
        close = close and not body.startswith(marker * 2)
        off = _line(" " * line.rindex(words) + words, style, off=True) if words else None
        if off is not None and _counts(off, close, tight, style):
            found[number] = off
    return found


def _names_of(source: Source, off: dict[int, _Line], format: Format | None) -> dict[int, str]:
    """What keys that are commented out would be called, by line, in the sections and blocks around them: all are switched on at once
    and read, but for those that would open something."""
    if format not in (Format.TOML, Format.HOCON) or not off:
        return {}
    lines = list(source.lines)
    for number, found in off.items():
        if not _OPENING.search(found.value):
            line = lines[number]
            at = found.at - (line[found.at - 1] in "\"'")
            lines[number] = " " * at + line[at:]
    there = active_keys(source, "\n".join(lines), format).keys
    return {number: plain_name(there[number].name) for number in off if number in there}


def _content_format(text: str) -> Format:
    """The format of a file whose name does not decide; what no reader knows is taken line by line, with its sections."""
    format = detect(text)
    if format in (Format.HOCON, Format.YAML, Format.TOML):
        return format
    return Format.TOML if _SECTION.search(text) else Format.PROPERTIES


def _line(line: str, style: Style, off: bool = False) -> _Line | None:
    """The key that a line begins with; of one that is commented out (`off`) less is taken for a key."""
    text = line.lstrip()
    at = len(line) - len(text)
    text = text.rstrip()
    if style.environment:
        variable = _VARIABLE.match(text)
        if variable is None:
            return None
        name_at = at + variable.start("name")
        return _Line(variable["name"], name_at, text[variable.end() :].strip())
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
    if value[:1] == "=" or (value[:1] == ":" and style.colon) or value[:2] == "+=":
        separator = value[0]
        value = value.lstrip("+=:").strip() if separator != ":" else value[1:].strip()
    elif style.spaced and (rest != value or not rest) and (not off or "." in key):
        separator = " "
        if off and len(value.split()) != 1:
            return None
    else:
        return None
    key = _unescape(key) if "\\" in key else key
    opens = style is CONF and value.endswith("{")  # a block, whose keys are entries
    if not key or len(key) > _MAX_KEY or opens:
        return None
    return _Line(key, at + quoted, value.removesuffix("\\").rstrip(), separator)


def _counts(found: _Line, close: bool, tight: bool, style: Style) -> bool:
    """Whether a comment is a commented-out key; `close` says that the marker touches it."""
    if style.environment:
        return True
    if found.separator == ":" and not (close and is_name_like(found.key)):
        return False
    if not close and tight and not is_name_like(found.key):
        return False
    return is_setting(found.key, found.value, close)


def _add(
    collector: Collector,
    found: _Line,
    names: tuple[str, ...],
    at: int,
    block: CommentBlock,
    style: Style,
    active: bool,
) -> None:
    description, default, said = block.take()
    value: str | None = found.value or None
    if style.environment and value:
        fallback = _FALLBACK.fullmatch(value)
        value = fallback[1] if fallback else value
        default = default or (value if fallback else None)
    if not active:
        default = default or value
    for name in names:
        collector.entry(canonical(name), at, description, default, value, active, said)


def _has_tight_keys(source: Source, style: Style) -> bool:
    """Whether the file switches keys off as `#key=value`, without a space: then `# word=value`
    is an example in prose."""
    marks = tuple(mark for mark in style.comments if len(mark) == 1)
    return any(
        line.startswith(marks) and line[1:2].isalpha() and _TIGHT.match(line, 1) is not None
        for line in source.lines
    )


def _marker(text: str, style: Style) -> str:
    return next((mark for mark in style.comments if text.startswith(mark)), "")


def _words(text: str, marker: str) -> str:
    """A comment without its marker."""
    return (text.lstrip(marker[0]) if len(marker) == 1 else text[len(marker) :]).lstrip()


def _unescape(key: str) -> str:
    def character(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else str(match[2])

    return _ESCAPE.sub(character, key)
