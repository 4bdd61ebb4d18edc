"""Chooses the reader and writer of a config file's format (``detection``), and turns characters into bytes.

Every format's module (a ``Dialect``) works on a ``str`` and counts its characters; the functions here take and give the
byte offsets of the text as UTF-8.  All are total: any text and any offset is answered.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Protocol, cast

import attrs
from typing_extensions import override

from conflens.documents.configfiles import beans, blueprint
from conflens.documents.configfiles.detection import detect, is_blank, named_format
from conflens.documents.configfiles.model import (
    MAX_ASSIGNMENTS,
    Assignment,
    Change,
    ConfigFile,
    Context,
    Fault,
    Format,
    Kind,
    Parsed,
    Segment,
    Value,
)

_MARK = "\ufeff"
_HEAD = 20_000
"""Characters in which an XML file says of what language it is."""
_WIDE = re.compile(r"[^\x00-\x7f]")


class Dialect(Protocol):
    """What the module of a format holds.  Offsets count characters."""

    def parse(self, text: str) -> Parsed:
        """Return the assignments of a text (line ends may be LF, CRLF or CR; no byte order mark)."""

    def context(self, text: str, offset: int) -> Context:
        """Return what the cursor at ``offset`` is about to write, also in a half-typed file."""

    def key_text(self, text: str, context: Context, name: str) -> str | None:
        """Return what to put in place of ``context``'s range to write the key ``name`` (a whole name, at or below
        ``context.parents``), with the separator if none follows and, where a value can stand at once, up to just before
        it.  YAML writes the missing levels on lines of their own.  ``None`` if it cannot be written there."""

    def value_text(self, value: str, style: str = "") -> str:
        """Return how a value is written in the place of one of this ``style``: within the quotes that stand there already, else
        escaped or in quotes of its own where it must be."""

    def renamed(self, text: str, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
        """Return the changes that give an assignment another whole name, its value and comments staying with it;
        ``None`` where that is not possible without moving other keys' lines."""

    def added(self, text: str, name: str, value: str, comment: str = "") -> Change | None:
        """Return the change that adds an assignment where a person would look for it: beside the keys that share the
        longest start, else at the end.  ``None`` for a format that is only read."""


_DIALECTS = {
    Format.PROPERTIES: "properties",
    Format.YAML: "yaml.dialect",
    Format.XML: "hadoop_xml.dialect",
    Format.ELEMENTS: "elements.dialect",
    Format.BEANS: "beans",
    Format.BLUEPRINT: "blueprint",
    Format.LOGGING: "logging",
    Format.TOML: "toml.dialect",
    Format.ENVIRONMENT: "environment",
    Format.HOCON: "hocon.dialect",
    Format.ARGUMENTS: "arguments.dialect",
}


@cache
def _dialect(format: Format) -> Dialect:
    """Return the module of a format, loaded when the first file of that format is met."""
    module = importlib.import_module(f"conflens.documents.configfiles.{_DIALECTS[format]}")
    return cast("Dialect", module)


UNKNOWN_FORMAT = "its format is not recognised; ConfLens reads properties, YAML, TOML, HOCON, JSON, XML, .env files and JVM arguments"
"""Why nothing is read from a file whose content is of no format."""


def read(path: str, data: bytes) -> ConfigFile:
    """Return what the file at ``path`` says, in the format of its name or else of its content.

    A file in which nothing stands yet is taken for a properties file."""
    named = named_format(path)
    text = data.decode("utf-8", "replace")
    format = named or detect(text)
    unread = "" if is_blank(text) else UNKNOWN_FORMAT
    if format is None:
        return ConfigFile(path, Format.PROPERTIES, text.encode(), (), unread=unread)
    file = parse(path, format, data)
    if format is Format.XML and not file.assignments:
        elements = parse(path, Format.ELEMENTS, data)
        begun = file.faults and all(one.path[0].text == "property" for one in elements.assignments)
        if elements.assignments and not begun:
            return elements
        if "${" in text and beans.ROOT.search(text, 0, _HEAD):
            return parse(path, Format.BEANS, data)
        if "property-placeholder" in text and blueprint.ROOT.search(text, 0, _HEAD):
            return parse(path, Format.BLUEPRINT, data)
        if detect(text) is not format:
            return attrs.evolve(file, unread=unread)
    return file


def parse(path: str, format: Format, data: bytes) -> ConfigFile:
    """Return what the file at ``path`` says."""
    text, encoding = decoded(format, data)
    scale = _Scale(text)
    parsed = _dialect(format).parse(scale.body)
    assignments = parsed.assignments[:MAX_ASSIGNMENTS]
    if not scale.plain:
        assignments = scale.assignments(assignments)
    faults = tuple(Fault(scale.byte(f.start), scale.byte(f.end), f.message) for f in parsed.faults)
    truncated = len(parsed.assignments) > MAX_ASSIGNMENTS
    return ConfigFile(path, format, text.encode(), assignments, faults, encoding, truncated)


def assignments_of(format: Format, text: str) -> tuple[Assignment, ...]:
    """Return the assignments of a text without byte order mark, their places counting its characters."""
    return _dialect(format).parse(text).assignments[:MAX_ASSIGNMENTS]


def decoded(format: Format, data: bytes) -> tuple[str, str]:
    """Return the text of a file, its byte order mark included, and the encoding it was read by."""
    try:
        text, encoding = data.decode(), "utf-8"
    except UnicodeDecodeError:
        if format is Format.PROPERTIES:
            text, encoding = data.decode("iso-8859-1"), "iso-8859-1"
        else:
            text, encoding = data.decode("utf-8", "replace"), "utf-8"
    return text, encoding


def context(file: ConfigFile, offset: int) -> Context:
    """Return what the cursor at a byte offset is about to write."""
    scale = _Sparse(file.text)
    found = _dialect(file.format).context(scale.body, scale.character(offset))
    return attrs.evolve(found, start=scale.byte(found.start), end=scale.byte(found.end))


def key_text(file: ConfigFile, context: Context, name: str) -> str | None:
    """See ``Dialect.key_text``; ``context`` is one of ``context``'s."""
    return next(key_texts(file, context, (name,)))


def key_texts(
    file: ConfigFile,
    context: Context,
    names: Iterable[str],
    known: Sequence[Assignment] | None = None,
) -> Iterator[str | None]:
    """Yield ``key_text`` of many names at one place, looking at the file as little as possible.

    ``known`` are the assignments of the file, perhaps of its text some key strokes ago; without them each name may cost a
    look at the whole file.
    """
    scale = _Sparse(file.text)
    counted = attrs.evolve(
        context, start=scale.character(context.start), end=scale.character(context.end)
    )
    if file.format is Format.YAML and known is not None:
        from conflens.documents.configfiles.yaml import keys as yaml_keys  # noqa: PLC0415 - see _dialect

        yield from yaml_keys.key_texts(scale.body, counted, names, known)
        return
    dialect = _dialect(file.format)
    for name in names:
        yield dialect.key_text(scale.body, counted, name)


def barred(file: ConfigFile, context: Context, known: Sequence[Assignment]) -> frozenset[str]:
    """Return the sections that cannot be begun at a place because they stand elsewhere; ``known`` as in ``key_texts``."""
    if file.format is Format.TOML:
        # A table that is declared takes no dotted keys from above it.
        around = "".join(f"{one}." for one in context.parents).replace(".[", "[")
        return frozenset(
            one.name.removeprefix(around)
            for one in known
            if one.kind is Kind.SECTION and one.name.startswith(around)
        )
    if file.format is not Format.YAML:
        return frozenset()
    from conflens.documents.configfiles.yaml import keys as yaml_keys  # noqa: PLC0415 - see _dialect

    return yaml_keys.barred(file.text[context.start : context.end].decode(), context, known)


def value_text(format: Format, value: str, style: str = "") -> str:
    """See ``Dialect.value_text``."""
    return _dialect(format).value_text(value, style)


def renamed(file: ConfigFile, assignment: Assignment, name: str) -> tuple[Change, ...] | None:
    """See ``Dialect.renamed``."""
    return next(all_renamed(file, (assignment,), name))


def all_renamed(
    file: ConfigFile, assignments: Iterable[Assignment], name: str
) -> Iterator[tuple[Change, ...] | None]:
    """Yield ``renamed`` of each assignment; the dialects of YAML, elements and arguments read the text again for each."""
    scale = _Scale(file.text.decode())
    dialect = _dialect(file.format)
    for assignment in assignments:
        found = dialect.renamed(scale.body, scale.back(assignment), name)
        yield None if found is None else tuple(scale.change(change) for change in found)


def added(file: ConfigFile, name: str, value: str, comment: str = "") -> Change | None:
    """See ``Dialect.added``."""
    scale = _Scale(file.text.decode())
    found = _dialect(file.format).added(scale.body, name, value, comment)
    return None if found is None else scale.change(found)


_MAX_TABLE = 500_000
"""Characters of a text up to which the byte of each is written down."""


class _Scale:
    """Between characters of ``body``, a text without its byte order mark, and bytes of the whole text as UTF-8.

    ``_wide`` are the characters longer than a byte, ``_ends`` their last bytes, ``_more`` how many bytes more than characters
    stand before the first, and up to behind each."""

    def __init__(self, text: str) -> None:
        self.plain = text.isascii()
        self.body = text.removeprefix(_MARK)
        self._wide: list[int] = []
        self._more = [len(_MARK.encode()) if len(self.body) < len(text) else 0]
        self._ends: list[int] = []
        if not self.plain:
            more = self._more[0]
            for found in _WIDE.finditer(self.body):
                more += len(found[0].encode("utf-8", "replace")) - 1
                self._wide.append(found.start())
                self._more.append(more)
                self._ends.append(found.start() + more)

    def byte(self, offset: int) -> int:
        return offset if self.plain else offset + self._more[bisect_left(self._wide, offset)]

    def character(self, offset: int) -> int:
        """The character at a byte offset; inside of one, the next."""
        if self.plain:
            return max(0, min(offset, len(self.body)))
        at = bisect_left(self._ends, offset)
        found = offset - self._more[at]
        if at < len(self._wide):
            found = min(found, self._wide[at] + 1)
        return max(0, min(found, len(self.body)))

    def change(self, change: Change) -> Change:
        return Change(self.byte(change.start), self.byte(change.end), change.text)

    def assignments(self, found: Sequence[Assignment]) -> tuple[Assignment, ...]:
        """Sections stand on the paths of all below them, and are moved once."""
        known: dict[int, Segment] = {}
        if len(self.body) > _MAX_TABLE:
            return tuple(_moved(one, self.byte, known) for one in found)
        places: list[int] = []
        for wide, more in zip([*self._wide, len(self.body)], self._more, strict=True):
            places += range(len(places) + more, wide + more + 1)
        move = places.__getitem__
        return tuple(_moved(one, move, known) for one in found)

    def back(self, one: Assignment) -> Assignment:
        return one if self.plain else _moved(one, self.character, {})


class _Sparse(_Scale):
    """The same for the few offsets around a cursor: what stands before each is counted, and no table is made."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        text = data.decode()
        self.plain = text.isascii()
        self.body = text.removeprefix(_MARK)
        self._mark = len(_MARK.encode()) if len(self.body) < len(text) else 0

    @override
    def byte(self, offset: int) -> int:
        return offset if self.plain else self._mark + len(self.body[:offset].encode())

    @override
    def character(self, offset: int) -> int:
        if self.plain:
            return max(0, min(offset, len(self.body)))
        while offset < len(self._data) and self._data[offset] & 0xC0 == 0x80:
            offset += 1
        return len(self._data[self._mark : max(offset, self._mark)].decode())


def _moved(one: Assignment, move: Callable[[int], int], known: dict[int, Segment]) -> Assignment:
    """``known`` are the segments moved already, by the identity of what they were; all of these are alive."""

    def segment(of: Segment) -> Segment:
        found = known.get(id(of))
        if found is None:
            found = known[id(of)] = Segment(of.text, move(of.start), move(of.end))
        return found

    def value(of: Value) -> Value:
        return Value(of.text, move(of.start), move(of.end), of.style)

    return Assignment(
        one.name,
        tuple(map(segment, one.path)),
        one.kind,
        None if one.value is None else value(one.value),
        tuple(map(value, one.items)) if one.items else (),
        move(one.start),
        move(one.end),
        one.document,
        one.condition,
        one.final,
        one.domain,
        one.merged,
    )
