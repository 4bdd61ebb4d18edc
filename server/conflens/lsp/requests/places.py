"""Places for clients that have no command to show several: the command ``conflens.openPlaces``.

It takes what ``conflens.showReferences`` takes, a URI, a position and locations, and behind these the title of the lens; it
gives the locations.  One place is opened, several are a read-only page of links, and a client that opens no
documents is told where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from lsprotocol import types

from conflens.base.words import joined
from conflens.lsp.registry import on_command
from conflens.lsp.shared.files import page_file
from conflens.lsp.state import State
from conflens.lsp.wire.uris import file_path
from conflens.render.phrases import code, plain

OPEN_PLACES = "conflens.openPlaces"
_MAX_TOLD = 5
_MAX_TITLE = 200
_MAX_LINE = 200


class _Position(msgspec.Struct, frozen=True):
    line: int
    character: int


class _Range(msgspec.Struct, frozen=True):
    start: _Position
    end: _Position


class _Location(msgspec.Struct, frozen=True):
    uri: str
    range: _Range


@on_command(OPEN_PLACES)
def open_places(state: State, _: None, arguments: list[object]) -> object:
    """Answer with the locations and have them shown."""
    _uri, _position, found, title = (*arguments, None, None, None, None)[:4]
    try:
        places = msgspec.convert(found, list[_Location])
    except msgspec.ValidationError:
        return None
    if places:
        _show(state, places, title if isinstance(title, str) else "")
    return found


def _show(state: State, places: list[_Location], title: str) -> None:
    publisher = state.publisher
    if not state.client.shows_documents:
        said = [f"{_path(state, place)}:{place.range.start.line + 1}" for place in places]
        more = len(said) - _MAX_TOLD
        listed = joined(said[:_MAX_TOLD] + ([f"{more} more"] if more > 0 else []))
        publisher.tell(f"{plain(title, _MAX_TITLE)}: {listed}." if title else f"{listed}.")
        return
    if len(places) == 1:
        start = places[0].range.start
        at = types.Position(line=max(0, start.line), character=max(0, start.character))
        shown = types.ShowDocumentParams(
            uri=places[0].uri, take_focus=True, selection=types.Range(start=at, end=at)
        )
    else:
        text = "\n".join(_page(state, places, title))
        shown = types.ShowDocumentParams(
            uri=page_file(state, "conflens:/places.md", text), take_focus=True
        )
    publisher.spawn(publisher.told(types.WINDOW_SHOW_DOCUMENT, shown))


def _page(state: State, places: list[_Location], title: str) -> Iterator[str]:
    yield f"# {plain(title, _MAX_TITLE) or 'Places'}"
    yield ""
    for place in places:
        number = place.range.start.line + 1
        line = _line(state, place).strip()
        name = plain(_path(state, place), _MAX_TITLE)
        shown = f" {code(line[:_MAX_LINE])}" if line else ""
        yield f"- [{name}:{number}]({place.uri}#L{number}){shown}"
    yield ""


def _path(state: State, place: _Location) -> str:
    home = state.home(place.uri)
    return home[1] if home is not None else file_path(place.uri) or place.uri


def _line(state: State, place: _Location) -> str:
    home = state.home(place.uri)
    analysis = home[0].analysis if home is not None else None
    text = analysis.text(home[1]) if home is not None and analysis is not None else None
    lines = (text or b"").split(b"\n", place.range.start.line + 1)
    number = place.range.start.line
    return lines[number].decode("utf-8", "replace") if 0 <= number < len(lines) else ""
