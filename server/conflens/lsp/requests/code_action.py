"""``textDocument/codeAction``: a person's verdict on the option under the cursor.

The edit is made at once, since it is cheap and only what can be done is offered.  A client that has
the command ``conflens.saveWorkspaceFile`` is asked to save the file after the edit, because a verdict
counts once it is on disk; not if the file holds other text that the person has not saved.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from conflens.ide.verdict_actions import actions
from conflens.lsp.client import SAVE
from conflens.lsp.registry import on_view
from conflens.lsp.state import State
from conflens.lsp.view import View
from conflens.lsp.workspace_file import edit_of, workspace_file

KIND = types.CodeActionKind.RefactorRewrite


@on_view(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[KIND], resolve_provider=False),
)
def code_action(
    state: State, view: View, params: types.CodeActionParams
) -> list[types.CodeAction] | None:
    """Answer with what can be done, if the client asks for this kind and takes edits."""
    if not state.client.code_actions or not _wanted(params.context.only):
        return None
    if not view.kept(offset := view.offset(params.range.start)):
        return None
    file = workspace_file(state, view.folder)
    if file is None:
        return None
    save = types.Command(title="Save", command=SAVE, arguments=[file.uri])
    return [
        types.CodeAction(
            title=action.title,
            kind=KIND,
            edit=edit_of(state, file, action.edits),
            command=save if state.client.saves and file.saved else None,
        )
        for action in actions(view.analysis, view.path, offset, file.text)
    ] or None


def _wanted(only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client asks for our kind or one above it."""
    if only is None:
        return True
    kinds = (str(getattr(kind, "value", kind)) for kind in only)
    return any(not kind or f"{KIND.value}.".startswith(f"{kind}.") for kind in kinds)
