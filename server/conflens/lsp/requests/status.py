"""``conflens/status``: the state of the server as a page of Markdown."""

from __future__ import annotations

from conflens.ide.pages.status import Cost, server_cost
from conflens.ide.pages.status import status as page
from conflens.lsp.registry import on_state
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import STATUS
from conflens.lsp.workspace.folder import Folder
from conflens.session.usage import cache_bytes, memory_bytes
from conflens.session.verdicts.judging import OFF


@on_state(STATUS)
def status(state: State, _: None, params: object) -> messages.StatusPage:
    """Answer with one section for each folder."""
    pages = [
        page(
            folder.name,
            folder.analysis,
            folder.wording,
            folder.message,
            _cost(state, folder),
            folder.judging or OFF,
        )
        for folder in state.folders.values()
    ]
    memory = server_cost(memory_bytes())
    head = ["# ConfLens", "", *([memory, ""] if memory else [])]
    return messages.StatusPage("\n".join([*head, *(pages or ["No folder is open."])]))


def _cost(state: State, folder: Folder) -> Cost:
    cache = 0 if state.is_loose(folder) else cache_bytes(folder.root.path)
    return Cost(state.publisher.scans.get(folder, 0.0), cache)
