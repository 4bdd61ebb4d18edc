"""``conflens/status``: the state of the server as a page of Markdown."""

from __future__ import annotations

from conflens.ide.status import status as page
from conflens.lsp.publisher import STATUS
from conflens.lsp.registry import on_state
from conflens.lsp.state import State


@on_state(STATUS)
def status(state: State, _: None, params: object) -> dict[str, str]:
    """Answer with one section for each folder."""
    pages = [
        page(folder.name, folder.analysis, folder.wording, folder.message)
        for folder in state.folders.values()
    ]
    return {"markdown": "\n".join(["# ConfLens", "", *(pages or ["No folder is open."])])}
