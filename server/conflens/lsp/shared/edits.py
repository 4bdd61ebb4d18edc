"""Edits of several files as the client takes them.

Terms: a *label* groups edits for a person (``Documents``) and says whether they are to be confirmed one by one.

A client without change annotations cannot ask for confirmation: it gets the edits that need none, and whoever asked says
which were left out.  Edits of open documents carry the version that they count in, and are made only of texts that the analysis has
seen (``are_seen``): a document may change while they are made, or be read later than others.
A file outside of the workspace folder, which a link leads to, is never edited, and a file with several names only under
one of them.
Absent: creating files, and the workspace file (``workspace_file``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import attrs
from lsprotocol import types

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.lsp.state import State
from conflens.lsp.wire.convert import range_of
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis
from conflens.session.sources.files import is_below

_BOM = b"\xef\xbb\xbf"
_WIDTH = {Encoding.UTF8: 3, Encoding.UTF16: 1, Encoding.UTF32: 1}


@attrs.frozen
class Label:
    """What a group of edits is called; see the module text."""

    name: str
    confirmed: bool = False
    description: str = ""


@attrs.frozen
class LabelledEdit:
    """Replaces the text at ``place``."""

    place: Place
    text: str
    label: Label


@attrs.frozen
class Targets:
    """Which paths of a folder cannot be edited: those ``outside`` of it, and those that are ``other_names`` of a file
    that is edited already."""

    outside: frozenset[str]
    other_names: frozenset[str]

    @staticmethod
    def of(root: str, paths: Iterable[str]) -> Targets:
        """Look at the files on disk; a path without a file is a new one, inside."""
        outside, other_names = set(), set()
        real, met = os.path.realpath(root), set[tuple[int, int]]()
        for path in sorted(set(paths)):
            file = os.path.realpath(os.path.join(real, path))
            if not is_below(file, real):
                outside.add(path)
                continue
            try:
                found = os.stat(file)
            except (OSError, ValueError):
                continue
            number = found.st_dev, found.st_ino
            if number in met:
                other_names.add(path)
            elif found.st_ino:
                met.add(number)
        return Targets(frozenset(outside), frozenset(other_names))


def are_seen(state: State, folder: Folder, analysis: Analysis, paths: Iterable[str]) -> bool:
    """Tell whether edits of files, made from an analysis, count in the texts that the editor has now: it has changed none since,
    opened none with another text and closed none, and no other file has changed on disk."""
    for path in set(paths):
        document, revision = state.document_of(folder, path), analysis.open_revisions.get(path)
        if document is None:
            if revision is not None or not analysis.is_as_read(path):
                return False
        elif revision != document.revision:
            text = analysis.text(path)
            if (analysis.source_text(path) if text is None else text) != document.text:
                return False
    return True


def takes(state: State, label: Label) -> bool:
    """Tell whether a client can be given edits of a group."""
    return state.client.annotates_changes or not label.confirmed


def workspace_edit(
    state: State, folder: Folder, analysis: Analysis, edits: Iterable[LabelledEdit]
) -> types.WorkspaceEdit:
    """Return edits of a folder's files; those that the client cannot be given are left out (``takes``)."""
    client = state.client
    labels: dict[Label, str] = {}
    by_path: dict[str, list[tuple[types.Range, LabelledEdit]]] = {}
    for edit in edits:
        if takes(state, edit.label):
            labels.setdefault(edit.label, f"{len(labels) + 1}")
            path = edit.place.path
            place = _range(state, folder, analysis, edit.place)
            by_path.setdefault(path, []).append((place, edit))
    if not client.document_changes:
        return types.WorkspaceEdit(
            changes={
                _uri(state, folder, path): [_plain(where, edit) for where, edit in found]
                for path, found in by_path.items()
            }
        )
    changes = []
    for path, found in by_path.items():
        document = state.document_of(folder, path)
        version = None if document is None else document.version
        uri = _uri(state, folder, path)
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
        annotated = [
            types.AnnotatedTextEdit(labels[edit.label], where, edit.text)
            if client.annotates_changes
            else _plain(where, edit)
            for where, edit in found
        ]
        changes.append(types.TextDocumentEdit(text_document=identifier, edits=annotated))
    annotations = {
        number: types.ChangeAnnotation(label.name, label.confirmed, label.description or None)
        for label, number in labels.items()
    }
    return types.WorkspaceEdit(
        document_changes=changes,
        change_annotations=annotations if client.annotates_changes and annotations else None,
    )


def _plain(where: types.Range, edit: LabelledEdit) -> types.TextEdit:
    return types.TextEdit(range=where, new_text=edit.text)


def _uri(state: State, folder: Folder, path: str) -> str:
    document = state.document_of(folder, path)
    return folder.root.uri_of(path) if document is None else document.uri


def _range(state: State, folder: Folder, analysis: Analysis, place: Place) -> types.Range:
    """A client counts no byte order mark that it will read from a file."""
    encoding = state.client.encoding
    found = range_of(analysis, place, encoding)
    if found.start.line and found.end.line:
        return found
    if state.document_of(folder, place.path) is None:
        text = analysis.text(place.path) or b""
        if text.startswith(_BOM):
            for position in (found.start, found.end):
                if position.line == 0:
                    position.character = max(0, position.character - _WIDTH[encoding])
    return found
