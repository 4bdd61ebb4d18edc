"""Settings: pulled from the client by folder, or taken from what it pushes.

A value of the wrong type is logged once for each text of complaint, since clients send settings
again and again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from lsprotocol import types

from conflens.ide.settings.settings import Settings, parse_settings
from conflens.lsp.state import State
from conflens.lsp.workspace.folder import Folder

logger = logging.getLogger(__name__)

SECTION = "conflens"
_PULL_SECONDS = 2.0


def did_change_configuration(state: State, params: types.DidChangeConfigurationParams) -> None:
    """Take new settings: the client's word for each folder if it can be asked, else the pushed
    ones."""
    pushed = params.settings
    if isinstance(pushed, Mapping) and SECTION in pushed:
        state.initial = read_settings(state, pushed[SECTION])
    state.publisher.spawn(_reconfigure(state))


async def _reconfigure(state: State) -> None:
    await configure(state, list(state.folders.values()))
    # Many settings change only what is shown of the same analysis.
    state.publisher.refresh_soon()


async def configure(state: State, folders: list[Folder]) -> None:
    """Give folders their settings; without an answer in time they get those that were pushed."""
    found: list[Settings] = [state.initial] * len(folders)
    if state.client.configuration and folders:
        items = [
            types.ConfigurationItem(scope_uri=folder.root.uri, section=SECTION)
            for folder in folders
        ]
        params = types.ConfigurationParams(items=items)
        method = types.WORKSPACE_CONFIGURATION
        answered, values = await state.publisher.answer(method, params, _PULL_SECONDS)
        if answered and isinstance(values, (list, tuple)) and len(values) == len(folders):
            found = [
                state.initial if value is None else read_settings(state, value) for value in values
            ]
    for folder, settings in zip(folders, found, strict=True):
        folder.configure(settings)
    state.listing.look(state.folders)


def read_settings(state: State, value: object) -> Settings:
    """Parse settings and log what is wrong with them."""
    settings, problems = parse_settings(value)
    for problem in problems:
        if problem not in state.complaints:
            state.complaints.add(problem)
            logger.warning("setting %s.%s: the default is used", SECTION, problem)
    return settings
