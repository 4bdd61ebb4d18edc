"""The report of a diagnosis: ``conflens/diagnosisReport``, and its text for ``workspace/textDocumentContent`` (``flows``).

The request gives the address of a page that the client can fetch, or a read-only file if it cannot.
"""

from __future__ import annotations

from conflens.ide.pages.diagnosis import report_of, report_uri
from conflens.lsp.registry import on_state
from conflens.lsp.shared.files import page_file
from conflens.lsp.shared.profiles import failed, place_of, read
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.messages import DIAGNOSIS_REPORT
from conflens.lsp.workspace.folder import Folder
from conflens.render.diagnosis import diagnosis_page


@on_state(DIAGNOSIS_REPORT)
def diagnosis_report(state: State, _: None, params: object) -> messages.PageAddress:
    """Answer with where the report is; an error that says why if there is none."""
    folder, _snapshots = place_of(state, read(params, messages.FolderParams).folder)
    text = _page(folder)
    if text is None:
        raise failed(folder.diagnosed.text)
    uri = report_uri(folder.root.path)
    return messages.PageAddress(uri if state.client.pages else page_file(state, uri, text))


def report_markdown(state: State, uri: str) -> str | None:
    """Return the text of the page at ``uri``, ``None`` if it is no page of a report."""
    path = report_of(uri)
    if path is None:
        return None
    folder = state.folders.get(path)
    if folder is None:
        return "No folder of the workspace has this page.\n"
    return _page(folder) or f"# Diagnosis\n\n{folder.diagnosed.text}\n"


def _page(folder: Folder) -> str | None:
    analysis, diagnosis = folder.analysis, folder.diagnosed.diagnosis
    if analysis is None or diagnosis is None:
        return None
    return diagnosis_page(analysis, diagnosis, folder.wording)
