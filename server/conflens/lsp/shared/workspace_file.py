"""The workspace file of a folder as it stands in the editor, or else on disk, and edits of it.

A client counts no byte order mark that it read from a file.  The text of an open document is taken
as the client sent it.
Absent: what the file says (``models.workspace``), and writing: the client does that.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs
from lsprotocol import types

from conflens.base.system import check_own
from conflens.base.text import Encoding, LineIndex
from conflens.lsp.shared.edits import Targets
from conflens.lsp.state import State
from conflens.lsp.workspace.documents import Document
from conflens.lsp.workspace.folder import Folder
from conflens.models.workspace import MAX_BYTES
from conflens.models.workspace_edit import Edits
from conflens.session.inputs.inputs import WORKSPACE_FILE
from conflens.session.sources.files import RealSystem

_BOM = "\ufeff"


@attrs.frozen
class WorkspaceFile:
    """``exists``: on disk or in the editor.  ``saved``: the editor holds nothing that the disk has not.

    ``text`` is as the client sees it, without a byte order mark that it does not count.
    """

    uri: str
    text: str
    exists: bool
    saved: bool
    version: int | None


def workspace_file(state: State, folder: Folder) -> WorkspaceFile | None:
    """Return the workspace file of a folder; ``None`` if it cannot have one, it cannot be read, or is a link out of the
    folder."""
    if state.is_loose(folder) or Targets.of(folder.root.path, [WORKSPACE_FILE]).outside:
        return None
    uri = folder.root.uri_of(WORKSPACE_FILE)
    document = state.document_of(folder, WORKSPACE_FILE)
    try:
        disk = _disk(folder.root.path)
    except (OSError, ValueError):
        return None if document is None else _open(document, None)
    if document is not None:
        return _open(document, disk)
    return WorkspaceFile(uri, disk or "", disk is not None, True, None)


def edit_of(state: State, file: WorkspaceFile, edits: Edits) -> types.WorkspaceEdit:
    """Return edits of the file as the client takes them, with the file's creation if there is
    none."""
    changes = list(_text_edits(file.text, edits, state.client.encoding))
    if not state.client.document_changes:
        return types.WorkspaceEdit(changes={file.uri: changes})
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=file.uri, version=file.version)
    edit = types.TextDocumentEdit(text_document=identifier, edits=changes)
    if file.exists or not state.client.creates_files:
        return types.WorkspaceEdit(document_changes=[edit])
    return types.WorkspaceEdit(document_changes=[types.CreateFile(uri=file.uri), edit])


def _open(document: Document, disk: str | None) -> WorkspaceFile:
    text = document.text.decode("utf-8", "replace")
    saved = disk is not None and _alike(text) == _alike(disk)
    return WorkspaceFile(document.uri, text, True, saved, document.version)


def _alike(text: str) -> str:
    """What editors keep of a text: not its byte order mark, nor how its lines end."""
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def _disk(root: str) -> str | None:
    """The text on disk, ``None`` if there is none; raises ``OSError`` or ``ValueError``."""
    system = RealSystem(root)
    try:
        check_own(system, WORKSPACE_FILE)
        if system.stat(WORKSPACE_FILE).size > MAX_BYTES:
            raise ValueError("too large")
        return system.read(WORKSPACE_FILE).decode("utf-8").removeprefix(_BOM)
    except FileNotFoundError:
        return None


def _text_edits(text: str, edits: Edits, encoding: Encoding) -> Iterable[types.TextEdit]:
    index = LineIndex.of(text.encode())

    def position(at: int) -> types.Position:
        line, column = index.position(len(text[:at].encode()), encoding)
        return types.Position(line=line, character=column)

    for edit in edits:
        place = types.Range(start=position(edit.start), end=position(edit.end))
        yield types.TextEdit(range=place, new_text=edit.text)
