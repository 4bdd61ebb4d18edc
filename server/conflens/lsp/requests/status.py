"""``conflens/status``: the state of the server as a page of Markdown."""

from __future__ import annotations

from functools import partial

from conflens.ide.pages.status import Cost, server_cost
from conflens.ide.pages.status import status as page
from conflens.lsp.registry import on_task
from conflens.lsp.state import State
from conflens.lsp.threads import in_thread
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import STATUS
from conflens.lsp.workspace.folder import Folder
from conflens.session.usage import cache_bytes, memory_bytes
from conflens.session.verdicts.judging import OFF


@on_task(STATUS)
async def status(state: State, params: object) -> messages.StatusPage:
    """Answer with one section for each folder; what options are missing is looked for in all code, off the loop."""
    made = [
        partial(
            page,
            folder.name,
            folder.analysis,
            folder.wording,
            folder.message,
            _cost(state, folder),
            folder.judging or OFF,
        )
        for folder in state.folders.values()
    ]
    pages = await in_thread(lambda: [make() for make in made])
    memory = server_cost(memory_bytes())
    head = ["# ConfLens", "", *([memory, ""] if memory else [])]
    return messages.StatusPage("\n".join([*head, *(pages or ["No folder is open."])]))


def _cost(state: State, folder: Folder) -> Cost:
    cache = 0 if state.is_loose(folder) else cache_bytes(folder.root.path)
    return Cost(state.publisher.scans.get(folder, 0.0), cache)
