"""``conflens/options``: all options of every folder, for a list.

Takes ``{}``; gives ``{folders: [{folder, name, ready, options}]}``: ``ready`` says that sensitivity is judged.  An option
is ``{domain, domainWords, name, namespace, label, probability, sentence, type, default, documented, undocumented,
description, effect, reads, location, file}``; see ``ide.option_list.rows``.  Of these only ``domain``, ``domainWords``, ``name`` and
``label`` are always there: what is empty, false or not known is left out.  The notification ``conflens/optionsChanged`` says that the list may
differ; it comes once after each answer (``listing``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from conflens.base.span import Place
from conflens.base.text import Encoding, LineIndex
from conflens.ide.option_list.rows import OptionRow, option_rows
from conflens.ide.settings.settings import Settings
from conflens.lsp.registry import on_task
from conflens.lsp.shared.profiles import read
from conflens.lsp.state import State
from conflens.lsp.wire.protocol import OPTIONS, Encoded
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis

_BATCH = 200
"""So many rows are written at a time: nobody else runs meanwhile."""


class _Params(msgspec.Struct, frozen=True):
    pass


class _Position(msgspec.Struct, gc=False):
    line: int
    character: int


class _Range(msgspec.Struct, gc=False):
    start: _Position
    end: _Position


class _Location(msgspec.Struct, gc=False):
    uri: str
    range: _Range


class _Row(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    domain: str
    domain_words: str
    name: str
    namespace: str = ""
    label: str = ""
    probability: float | None = None
    sentence: str = ""
    type: str = ""
    default: str = ""
    documented: bool = False
    undocumented: bool = False
    description: str = ""
    effect: str = ""
    reads: int = 0
    location: _Location | None = None
    file: str = ""


@on_task(OPTIONS)
async def options(state: State, params: object) -> Encoded:
    """Answer with the rows of all folders, as far as they have been read."""
    read(params, _Params)
    encoding = state.client.encoding

    def make(folder: Folder, analysis: Analysis | None, settings: Settings) -> tuple[bytes, ...]:
        return encoded(folder, analysis, settings, encoding)

    parts = await state.listing.parts(state.folders, make)
    return Encoded((b'{"folders":[', *joined(parts), b"]}"))


def encoded(
    folder: Folder, analysis: Analysis | None, settings: Settings, encoding: Encoding
) -> tuple[bytes, ...]:
    """Return the part of one folder as JSON, in pieces."""
    head = {"folder": folder.root.uri, "name": folder.name}
    ready = analysis is not None and analysis.sensitivity.ready
    start = _json({**head, "ready": ready})[:-1] + b',"options":['
    batches: list[bytes] = []
    if analysis is not None:
        places = _Places(folder, analysis, encoding)
        rows = [_row(row, places) for row in option_rows(analysis, settings, folder.wording)]
        for at in range(0, len(rows), _BATCH):
            comma = b"," if at else b""
            batches.append(comma + _json(rows[at : at + _BATCH])[1:-1])
    return start, *batches, b"]}"


def joined(parts: Sequence[tuple[bytes, ...]]) -> Iterator[bytes]:
    """Yield the pieces of all parts, with a comma between two."""
    for number, part in enumerate(parts):
        if number:
            yield b","
        yield from part


def _json(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A lone surrogate: Java allows it in a text, and a file system in a name.
        return json.dumps(msgspec.to_builtins(value)).encode("ascii")


class _Places:
    """Places of one folder as locations; each file is looked at once."""

    def __init__(self, folder: Folder, analysis: Analysis, encoding: Encoding) -> None:
        self._folder = folder
        self._analysis = analysis
        self._encoding = encoding
        self._files: dict[str, tuple[str, LineIndex | None]] = {}

    def location(self, place: Place) -> _Location:
        path = place.path
        if path not in self._files:
            self._files[path] = self._folder.root.uri_of(path), self._lines(path)
        uri, lines = self._files[path]
        start, end = (self._position(place.path, at, lines) for at in (place.start, place.end))
        return _Location(uri, _Range(start, end))

    def _lines(self, path: str) -> LineIndex | None:
        facts, text = self._analysis.program.files.get(path), None
        if facts is not None and not facts.ascii and self._encoding is not Encoding.UTF8:
            text = self._analysis.text(path)
        return LineIndex(text, list(facts.starts)) if facts and text is not None else None

    def _position(self, path: str, offset: int, lines: LineIndex | None) -> _Position:
        if lines is not None:
            return _Position(*lines.position(offset, self._encoding))
        return _Position(*self._analysis.position(path, offset, self._encoding))


def _row(row: OptionRow, places: _Places) -> _Row:
    place = row.place
    return _Row(
        row.domain,
        row.domain_words,
        row.name,
        row.namespace,
        row.label.value,
        row.probability,
        row.sentence,
        row.type,
        row.default,
        row.documented,
        row.undocumented,
        row.description,
        row.effect,
        row.reads,
        places.location(place) if place is not None else None,
        place.path if place is not None else "",
    )
