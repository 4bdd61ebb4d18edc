"""Documents: ``didOpen``, ``didChange``, ``didSave``, ``didClose``.

A client that changes a document it did not open, or closes one twice, is passed over.
"""

from __future__ import annotations

import attrs
from lsprotocol import types

from conflens.lsp.scheduling.writer import TYPING_DELAY
from conflens.lsp.state import State
from conflens.lsp.wire.uris import file_path
from conflens.lsp.workspace.documents import Document, Edit, decode, edited, encode
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.typing_suppression import typed_line
from conflens.session.inputs.inputs import WORKSPACE_FILE


def did_open(state: State, params: types.DidOpenTextDocumentParams) -> None:
    """Take the text from the editor from now on."""
    item = params.text_document
    key = file_path(item.uri)
    if key is None:
        return
    folder, path = state.home_of(key) or (state.add_loose(), key.removeprefix("/"))
    revision = state.next_revision()
    text = encode(item.text)
    document = Document(item.uri, folder.root.path, path, text, item.version, revision)
    state.documents[key] = document
    _open(folder, document)


def did_change(state: State, params: types.DidChangeTextDocumentParams) -> None:
    """Apply edits; the rebuild waits a moment for the next key."""
    key = file_path(params.text_document.uri)
    document = state.documents.get(key) if key is not None else None
    if key is None or document is None:
        return
    edits = [edit_of(change) for change in params.content_changes]
    text = edited(document.text, edits, state.client.encoding)
    revision = state.next_revision()
    state.documents[key] = attrs.evolve(
        document, text=text, version=params.text_document.version, revision=revision
    )
    state.sound.typed(document.uri)
    line = typed_line(edits, document.text, text)
    state.quiet.typed(document.uri, line, java=document.path.endswith(".java"))
    folder, path = state.folders.get(document.root), document.path
    if folder is not None:
        decoded = decode(text)
        folder.submit(lambda session: session.change(path, decoded, revision), TYPING_DELAY)


def did_save(state: State, params: types.DidSaveTextDocumentParams) -> None:
    """Rebuild at once what still waits; the workspace file is read from disk, so look at it."""
    home = state.home(params.text_document.uri)
    if home is None:
        return
    folder, path = home
    document = state.document_of(folder, path)
    if document is not None:
        state.quiet.ended(document.uri)
    if path == WORKSPACE_FILE:
        folder.submit(lambda session: session.files_changed([path]))
    folder.hasten()


def did_close(state: State, params: types.DidCloseTextDocumentParams) -> None:
    """Take the text from disk again, and what was shown back."""
    key = file_path(params.text_document.uri)
    document = state.documents.pop(key, None) if key is not None else None
    if document is None:
        return
    state.quiet.closed(document.uri)
    state.sound.closed(document.uri)
    state.publisher.document_closed(document.uri)
    folder = state.folders.get(document.root)
    if folder is not None:
        _close(folder, document.path)


def rehome(state: State) -> None:
    """Give open documents to the folders they now lie in, after folders came or went."""
    for key, document in list(state.documents.items()):
        folder, path = state.home_of(key) or (state.add_loose(), key.removeprefix("/"))
        if (folder.root.path, path) == (document.root, document.path):
            continue
        before = state.folders.get(document.root)
        if before is not None:
            _close(before, document.path)
        revision = state.next_revision()
        moved = attrs.evolve(document, root=folder.root.path, path=path, revision=revision)
        state.documents[key] = moved
        _open(folder, moved)


def _close(folder: Folder, path: str) -> None:
    folder.submit(lambda session: session.close(path))


def _open(folder: Folder, document: Document) -> None:
    path, text, revision = document.path, decode(document.text), document.revision
    folder.submit(lambda session: session.open(path, text, revision))


def edit_of(change: types.TextDocumentContentChangeEvent) -> Edit:
    """Return a change as an edit."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Edit((start.line, start.character), (end.line, end.character), change.text)
    return Edit(None, None, change.text)
