"""What requests on snapshots share: their parameters, their folder, and their errors.

Parameters come from a client that may be wrong: they are read strictly, and what does not fit is answered with ``InvalidParams``.
What cannot be done is answered with ``RequestFailed`` and one line for a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.folder import Folder
from conflens.profiling.model import ImportFailure
from conflens.session.snapshots.capture import CaptureFailure
from conflens.session.snapshots.pairing import Pairing
from conflens.session.snapshots.snapshots import Snapshots, Unwanted

_T = TypeVar("_T")


def read(params: object, kind: type[_T]) -> _T:
    """Return parameters as ``kind``; nothing at all counts as an empty object."""
    try:
        return msgspec.convert({} if params is None else params, kind)
    except msgspec.ValidationError as error:
        raise JsonRpcInvalidParams(f"invalid parameters: {error}") from None


def place_of(state: State, uri: str | None) -> tuple[Folder, Snapshots]:
    """Return the folder at ``uri``, or that ``uri`` lies in; the first one if there is no ``uri``."""
    folder = _named(state, uri) if uri is not None else _first(state)
    if folder is None or folder.snapshots is None:
        raise failed(
            "no folder of the workspace is open"
            if uri is None
            else f"{uri} is not a workspace folder"
        )
    return folder, folder.snapshots


def _first(state: State) -> Folder | None:
    return next(
        (folder for folder in state.folders.values() if folder.snapshots is not None), None
    )


def _named(state: State, uri: str) -> Folder | None:
    root = Root.of(uri)
    if root is not None and root.path in state.folders:
        return state.folders[root.path]
    home = state.home(uri)
    return None if home is None else home[0]


def failed(text: str) -> JsonRpcException:
    """Return the error of a request that cannot be fulfilled."""
    return JsonRpcException(text, types.LSPErrorCodes.RequestFailed.value)


@contextmanager
def answered() -> Iterator[None]:
    """Turn failures that a person can act on into answers."""
    try:
        yield
    except (ImportFailure, CaptureFailure, Unwanted) as failure:
        raise failed(str(failure)) from None


def known(state: State, name: str) -> tuple[Folder, Snapshots]:
    """Return where the snapshot with an id is."""
    for folder in state.folders.values():
        if folder.snapshots is not None and folder.snapshots.row(name) is not None:
            return folder, folder.snapshots
    raise failed("there is no snapshot with this id")


def paired_of(pairing: Pairing | None) -> messages.Pairing | None:
    """Return a comparison that nobody asked for as the client hears of it."""
    if pairing is None:
        return None
    return messages.Pairing(pairing.baseline.id, pairing.violation.id, pairing.text)
