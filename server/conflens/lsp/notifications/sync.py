"""Documents: ``didOpen``, ``didChange``, ``didSave``, ``didClose``.

A document is open in all folders that it lies in.  Where several documents are of one file, the text that was changed last counts.
A link on the way to a document may be pointed elsewhere while it is open: where it lies is looked at again at its next edit, and at
every event of a file (``rehome``).
A client that changes a document it did not open, or closes one twice, is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import attrs
from lsprotocol import types

from conflens.lsp.scheduling.writer import TYPING_DELAY
from conflens.lsp.state import State
from conflens.lsp.wire.uris import file_path
from conflens.lsp.workspace.documents import Document, Edit, decode, edited, encode
from conflens.lsp.workspace.folder import Folder, FolderSession
from conflens.lsp.workspace.typing_suppression import typed_line
from conflens.session.inputs.inputs import WORKSPACE_FILE


def did_open(state: State, params: types.DidOpenTextDocumentParams) -> None:
    """Take the text from the editor from now on."""
    item = params.text_document
    key = file_path(item.uri)
    if key is None:
        return
    before = state.documents.get(item.uri)
    revision = state.next_revision()
    text = encode(item.text)
    document = Document(item.uri, _homes(state, key), text, item.version, revision)
    state.documents[item.uri] = document
    _settle(state, (*document.homes, *(before.homes if before is not None else ())))


def did_change(state: State, params: types.DidChangeTextDocumentParams) -> None:
    """Apply edits; the rebuild waits a moment for the next key."""
    document = state.document(params.text_document.uri)
    if document is None:
        return
    if _homes(state, document.file) != document.homes:
        rehome(state)
        document = state.documents[document.uri]
    edits = [edit_of(change) for change in params.content_changes]
    text = edited(document.text, edits, state.client.encoding)
    revision = state.next_revision()
    state.documents[document.uri] = attrs.evolve(
        document, text=text, version=params.text_document.version, revision=revision
    )
    state.sound.typed(document.uri)
    line = typed_line(edits, document.text, text)
    state.quiet.typed(document.uri, line, java=document.path.endswith(".java"))
    decoded = decode(text)
    for root, path in document.homes:
        folder = state.folders.get(root)
        if folder is not None:
            job = partial(_change, path=path, text=decoded, revision=revision)
            folder.submit(job, TYPING_DELAY)


def did_save(state: State, params: types.DidSaveTextDocumentParams) -> None:
    """Rebuild at once what still waits; the workspace file is read from disk, so look at it."""
    rehome(state)
    home = state.home(params.text_document.uri)
    if home is None:
        return
    folder, path = home
    document = state.document_of(folder, path)
    if document is not None:
        state.quiet.ended(document.uri)
    if path == WORKSPACE_FILE:
        folder.submit(lambda session: session.files_changed([path]))
    for around, _ in state.homes_of(file_path(params.text_document.uri) or path):
        around.hasten()


def did_close(state: State, params: types.DidCloseTextDocumentParams) -> None:
    """Take the text from disk again, or from another document of the file, and what was shown back."""
    document = state.document(params.text_document.uri)
    if document is None:
        return
    del state.documents[document.uri]
    state.quiet.closed(document.uri)
    state.sound.closed(document.uri)
    state.publisher.document_closed(document.uri)
    _settle(state, document.homes)


def rehome(state: State, added: Iterable[Folder] = ()) -> None:
    """Give open documents to the folders they now lie in, after folders came or went or links were pointed elsewhere.

    Those ``added`` know no document yet, also where one of the same path has just gone.
    """
    new = {folder.root.path for folder in added}
    homes = {key: _homes(state, one.file) for key, one in state.documents.items()}
    if all(
        found == state.documents[key].homes and new.isdisjoint(root for root, _ in found)
        for key, found in homes.items()
    ):
        return
    changed: dict[tuple[str, str], None] = {}
    # Of several documents of one file the one that was changed last stays the last.
    for key, document in sorted(state.documents.items(), key=lambda item: item[1].revision):
        revision = state.next_revision()
        state.documents[key] = attrs.evolve(document, homes=homes[key], revision=revision)
        changed.update(dict.fromkeys((*document.homes, *homes[key])))
    _settle(state, changed)


def _homes(state: State, file: str) -> tuple[tuple[str, str], ...]:
    """All homes of a document of a file; one that lies in no folder gets the folder of such files."""
    found = tuple((folder.root.path, path) for folder, path in state.homes_of(file))
    return found or ((state.add_loose().root.path, file.removeprefix("/")),)


def _settle(state: State, homes: Iterable[tuple[str, str]]) -> None:
    """Give sessions the text that is open at a path, or have them take the one on disk; the folder of files without one goes
    with its last document."""
    for root, path in dict.fromkeys(homes):
        folder = state.folders.get(root)
        if folder is None:
            continue
        document = state.document_of(folder, path)
        if document is None:
            folder.submit(partial(_close, path=path))
        else:
            text = decode(document.text)
            folder.submit(partial(_open, path=path, text=text, revision=document.revision))
    loose = state.loose
    if loose is not None and all(
        document.path_in(loose.root.path) is None for document in state.documents.values()
    ):
        state.remove_folder(loose.root)
        state.publisher.folder_removed(loose)


def _open(session: FolderSession, path: str, text: str, revision: int) -> None:
    session.open(path, text, revision)


def _change(session: FolderSession, path: str, text: str, revision: int) -> None:
    session.change(path, text, revision)


def _close(session: FolderSession, path: str) -> None:
    session.close(path)


def edit_of(change: types.TextDocumentContentChangeEvent) -> Edit:
    """Return a change as an edit."""
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Edit((start.line, start.character), (end.line, end.character), change.text)
    return Edit(None, None, change.text)
