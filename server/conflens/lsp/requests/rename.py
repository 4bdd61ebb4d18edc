"""``textDocument/prepareRename`` and ``rename``: an option in code, config files and documents.

Edits that are not sure are to be confirmed by the person.  A client that cannot ask for that gets none of
them, and a message that says where they are; if code is among them, the rename is refused.  A rename waits a moment for the analysis of what is open, and is refused
if that does not come: its edits would count in another text.  It is refused in a document that is not the one that counts of its
file.  It is also refused if a read or key in a file outside of the
workspace folder would have to change; other mentions there stay.  In a folder that lies in another one, only its own files
change; a message names those of the other that stay.
"""

from __future__ import annotations

from functools import partial

import attrs
from lsprotocol import types

from conflens.base.words import joined
from conflens.ide.rename import rename as ide
from conflens.ide.rename.edits import Part, RenameEdit
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.users import files_using
from conflens.lsp.registry import on_task, on_view
from conflens.lsp.shared.edits import (
    Label,
    LabelledEdit,
    Targets,
    are_seen,
    takes,
    workspace_edit,
)
from conflens.lsp.shared.profiles import failed
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.wire.uris import below
from conflens.lsp.workspace.folder import Folder
from conflens.lsp.workspace.view import View
from conflens.session.analysis import Analysis

WAIT_SECONDS = 3.0
_MAX_FILES = 5
_MEMBER = "Java code: the field of {}, its accessors and their uses"
_LABELS = {
    (Part.CODE, True): ("Java code that reads {}", "Texts that only name the option"),
    (Part.CODE, False): (
        "Java code: constants and other texts",
        "They may have another use, or be of another program",
    ),
    (Part.MEMBER, False): (
        _MEMBER,
        "Change all of them or none; check whether tests, templates, expressions, reflection or stored data name them",
    ),
    (Part.CALL, False): (
        "Java code: calls of the same name",
        "On values of unknown type, in tests and in other languages",
    ),
    (Part.CONFIG, True): ("Config files: keys of {}", "They only set the option"),
    (Part.CONFIG, False): (
        "Other config files, and placeholders",
        "Another program or module may have them",
    ),
    (Part.TEST, False): ("Config files of tests", "Tests would go on with the old name"),
    (Part.SCRIPT, False): (
        "Scripts and variables of the environment",
        "Another program may get them",
    ),
    (Part.DOCUMENT, False): ("Documents", "What looks like the name"),
    (Part.MENTION, False): ("Comments and texts", "What looks like the name"),
}
"""What a group is called, where ``{}`` is the old name, and why it is one, by part and by whether it is sure."""
_WITH_MEMBER = {
    Part.CODE: ("Java code that names {}", "It changes with the field"),
    Part.CONFIG: (
        "Config files: keys and placeholders of {}",
        "They change with the field; another program or module may have them as well",
    ),
}
"""What groups are called and why, where a field changes and the name follows from it."""
_BEHIND = "This file is open in another editor tab, by another path, where it was changed later. Rename there, or close one of the two."
_STALE = "Your last edits are still being read; try again in a moment."


@on_view(types.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(
    state: State, view: View, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """Answer with the name under the cursor, whole."""
    if state.is_behind(params.text_document.uri):
        raise failed(_BEHIND)
    if not view.kept(offset := view.offset(params.position)):
        return None
    try:
        subject = ide.subject_at(view.analysis, view.path, offset)
    except RefusedError as error:
        raise failed(str(error)) from None
    if subject is None:
        return None
    return types.PrepareRenamePlaceholder(
        range=view.range(subject.place), placeholder=subject.name
    )


@on_task(types.TEXT_DOCUMENT_RENAME)
async def rename(state: State, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Answer with all edits that give the option under the cursor its new name."""
    uri = params.text_document.uri
    home = state.home(uri)
    if home is None:
        return None
    if state.is_behind(uri):
        raise failed(_BEHIND)
    folder, _ = home
    await _catch_up(state, folder)
    view = await state.view(uri, None)
    if view is None:
        return None
    if view.shift is not None or not _caught_up(state, folder):
        raise failed(_STALE)
    analysis, path, offset = view.analysis, view.path, view.offset(params.position)
    try:
        found = await in_thread(
            lambda: _renamed(folder.root.path, analysis, path, offset, params.new_name)
        )
    except RefusedError as error:
        raise failed(str(error)) from None
    if found is None:
        return None
    paths = {edit.place.path for edit in found.edits}
    if folder.analysis is not analysis and not _caught_up(state, folder):
        raise failed(_STALE)
    if not are_seen(state, folder, analysis, paths):
        raise failed(_STALE)
    asked = {edit.place.path for edit in found.edits if edit.needed and not edit.sure}
    if asked and not state.client.annotates_changes:
        raise failed(
            f"Changes in {_listed(sorted(asked))} must be confirmed, and your editor does not show"
            " changes before it makes them. Rename by hand."
        )
    edits = [LabelledEdit(edit.place, edit.text, _label(found, edit)) for edit in found.edits]
    _tell(state, found, edits)
    await _tell_around(state, folder, found.old)
    if not are_seen(state, folder, analysis, paths):
        raise failed(_STALE)
    return workspace_edit(state, folder, analysis, edits)


def _renamed(
    root: str, analysis: Analysis, path: str, offset: int, new: str
) -> ide.Renamed | None:
    """The edits of files of the folder; raises ``RefusedError`` if others would have to change as well."""
    found = ide.renamed(analysis, path, offset, new)
    if found is None:
        return None
    targets = Targets.of(root, (edit.place.path for edit in found.edits))
    kept = []
    for edit in found.edits:
        outside = edit.place.path in targets.outside
        if outside and edit.needed:
            raise RefusedError(
                f"{edit.place.path} uses {found.old} and is a link out of the workspace folder;"
                " files there are not edited."
            )
        if not outside and edit.place.path not in targets.other_names:
            kept.append(edit)
    return attrs.evolve(found, edits=tuple(kept))


def _label(found: ide.Renamed, edit: RenameEdit) -> Label:
    """What a group of edits is called in the preview: a few groups, each to be judged as one."""
    name, why = _LABELS[edit.part, edit.sure]
    if found.derived and not edit.sure:
        name, why = _WITH_MEMBER.get(edit.part, (name, why))
    shared = ""
    if edit.sure and edit.part is Part.CODE and len(found.domains) > 1:
        shared = f", one name in several places: {joined(list(found.domains))}"
    of = f"{why}, {found.old} to {found.new}{shared}"
    return Label(name.format(found.old), not edit.sure, of)


def _tell(state: State, found: ide.Renamed, edits: list[LabelledEdit]) -> None:
    """Say what a client without annotations does not show, and which files no edit can be offered for."""
    said = []
    if found.left:
        said.append(
            f"{found.old} may also be used in {_listed(list(found.left))}, where it cannot be edited."
        )
    annotated = state.client.annotates_changes
    if len(found.domains) > 1 and not annotated:
        said.append(f"{found.old} is one name in several places: {joined(list(found.domains))}.")
    hidden = [edit.place.path for edit in edits if not takes(state, edit.label)]
    files = list(dict.fromkeys(hidden))
    if files:
        said.append(f"{found.old} is still mentioned in {_listed(files)}.")
    if said:
        _show(state, " ".join(said))


async def _tell_around(state: State, folder: Folder, old: str) -> None:
    """Say which files of a folder around this one go on using the old name."""
    for outer, analysis in list(state.analyses()):
        inner = below(folder.root.path, outer.root.path)
        if not inner or state.is_loose(outer):
            continue
        users = await in_thread(partial(files_using, analysis, old))
        kept = [path for path in users if below(path, inner) is None]
        if kept:
            _show(
                state,
                f"{old} is still used in {_listed(kept)} of the workspace folder {outer.name};"
                " only the folder inside it was edited.",
            )


def _listed(files: list[str]) -> str:
    more = len(files) - _MAX_FILES
    return joined(files[:_MAX_FILES] + ([f"{more} more files"] if more > 0 else []))


def _show(state: State, text: str) -> None:
    message = types.ShowMessageParams(type=types.MessageType.Info, message=text)
    state.publisher.protocol.notify(types.WINDOW_SHOW_MESSAGE, message)


async def _catch_up(state: State, folder: Folder) -> None:
    """Wait until the analysis has seen all open documents of the folder."""
    end = state.loop.time() + WAIT_SECONDS
    if _caught_up(state, folder):
        return
    folder.hasten()
    for path, revision in _open_in(state, folder):
        left = end - state.loop.time()
        await folder.caught_up(path, revision, max(0.0, left))


def _caught_up(state: State, folder: Folder) -> bool:
    return all(folder.has_seen(path, revision) for path, revision in _open_in(state, folder))


def _open_in(state: State, folder: Folder) -> list[tuple[str, int]]:
    """The paths and revisions of the open documents that lie in a folder, in one inside of it too."""
    found = [(one.path_in(folder.root.path), one.revision) for one in state.documents.values()]
    return [(path, revision) for path, revision in found if path is not None]
