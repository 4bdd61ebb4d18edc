"""``conflens/options``: all options of every folder, for a list.

Of a row (``messages.OptionRow``) what is empty, false or not known is left out.  The notification ``conflens/optionsChanged`` says
that the list may differ; it comes once after each answer (``listing``).
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
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import OPTIONS
from conflens.lsp.wire.protocol import Encoded
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis

_BATCH = 200
"""So many rows are written at a time: nobody else runs meanwhile."""


@on_task(OPTIONS)
async def options(state: State, params: object) -> Encoded:
    """Answer with the rows of all folders, as far as they have been read."""
    read(params, messages.Empty)
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

    def location(self, place: Place) -> messages.Location:
        path = place.path
        if path not in self._files:
            self._files[path] = self._folder.root.uri_of(path), self._lines(path)
        uri, lines = self._files[path]
        start, end = (self._position(place.path, at, lines) for at in (place.start, place.end))
        return messages.Location(uri, messages.Range(start, end))

    def _lines(self, path: str) -> LineIndex | None:
        facts, text = self._analysis.program.files.get(path), None
        if facts is not None and not facts.ascii and self._encoding is not Encoding.UTF8:
            text = self._analysis.text(path)
        return LineIndex(text, list(facts.starts)) if facts and text is not None else None

    def _position(self, path: str, offset: int, lines: LineIndex | None) -> messages.Position:
        if lines is not None:
            return messages.Position(*lines.position(offset, self._encoding))
        return messages.Position(*self._analysis.position(path, offset, self._encoding))


def _row(row: OptionRow, places: _Places) -> messages.OptionRow:
    place = row.place
    return messages.OptionRow(
        domain=row.domain,
        domain_words=row.domain_words,
        name=row.name,
        label=row.label,
        namespace=row.namespace,
        probability=row.probability,
        sentence=row.sentence,
        type=row.type,
        default=row.default,
        documented=row.documented,
        undocumented=row.undocumented,
        description=row.description,
        effect=row.effect,
        reads=row.reads,
        location=places.location(place) if place is not None else None,
        file=place.path if place is not None else "",
    )
