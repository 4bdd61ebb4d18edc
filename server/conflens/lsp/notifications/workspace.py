"""The workspace: its start, its folders, and files that change on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from lsprotocol import types

from conflens.lsp.notifications.configuration import SECTION, configure
from conflens.lsp.notifications.sync import rehome
from conflens.lsp.shared.watching import watch
from conflens.lsp.state import State
from conflens.lsp.wire.uris import Root, file_path, real_path
from conflens.lsp.workspace.folder import Folder
from conflens.session.inputs.inputs import WHOLE_PROJECT

_WATCHED = "**/*"
"""Any file may be a document or a config file, by its name, its folder or what the user says; most events are passed over."""


def folders_of(params: types.InitializeParams) -> list[tuple[Root, str]]:
    """Return the roots a client opens with; what is no file URI is passed over."""
    found: list[tuple[Root, str]] = []
    for folder in params.workspace_folders or ():
        root = Root.of(folder.uri)
        if root is not None:
            found.append((root, folder.name))
    uri = params.root_uri
    if not params.workspace_folders and uri is not None and (root := Root.of(uri)) is not None:
        found.append((root, root.path.rsplit("/", 1)[-1]))
    return found


async def start(state: State) -> None:
    """Begin to work: settings first, since they say what is analysed; then watch."""
    await configure(state, list(state.folders.values()))
    for folder in state.folders.values():
        state.publisher.spawn(watch(state, folder))
    if state.client.configuration_registration:
        options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
        await _register(state, types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
    if state.client.watches_files:
        watchers = [types.FileSystemWatcher(glob_pattern=_WATCHED)]
        watched = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        state.watched = await _register(state, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched)
    if not state.watched:
        for folder in state.folders.values():
            state.writer.watch(folder)


def did_change_watched_files(state: State, params: types.DidChangeWatchedFilesParams) -> None:
    """Pass changed files on to all folders that they lie in."""
    changed: dict[Folder, list[str]] = {}
    real = cache(real_path)
    for event in params.changes:
        path = file_path(event.uri)
        if path is None:
            continue
        for folder, inside in state.homes_of(path, lambda one: _link_in(one, real)):
            changed.setdefault(folder, []).append(inside)
        for folder in state.folders_at_or_below(event.uri):
            changed.setdefault(folder, []).append(WHOLE_PROJECT)
    for folder, paths in changed.items():
        _changed(folder, sorted(set(paths)))
    rehome(state)


def did_change_folders(state: State, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take folders in and let folders go."""
    for removed in params.event.removed:
        root = Root.of(removed.uri)
        folder = state.remove_folder(root) if root is not None else None
        if folder is not None:
            state.publisher.folder_removed(folder)
    added: list[Folder] = []
    for item in params.event.added:
        root = Root.of(item.uri)
        if root is not None and root.path not in state.folders:
            added.append(state.add_folder(root, item.name))
            state.publisher.spawn(watch(state, added[-1]))
            if not state.watched:
                state.writer.watch(added[-1])
    rehome(state, added)
    state.publisher.spawn(configure(state, added))


def _changed(folder: Folder, paths: Sequence[str]) -> None:
    noted = list(filter(folder.concerns, paths))
    if noted:
        folder.submit(lambda session: session.files_changed(noted))


def _link_in(path: str, real: Callable[[str], str]) -> str:
    """The path of what may be a link itself, in its real folder."""
    folder, _, name = path.rpartition("/")
    return f"{real(folder or '/').rstrip('/')}/{name}"


async def _register(state: State, method: str, options: object) -> bool:
    registration = types.Registration(id=method, method=method, register_options=options)
    params = types.RegistrationParams(registrations=[registration])
    return await state.publisher.ask(types.CLIENT_REGISTER_CAPABILITY, params)
