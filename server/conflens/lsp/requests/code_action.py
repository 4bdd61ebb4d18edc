"""``textDocument/codeAction``: what to do about findings, a missing entry in a document, a person's verdict.

Edits are made at once, since they are cheap and only what can be done is offered.  What belongs to findings is offered only
where the client shows one of ours, and only on the text that the analysis has seen; some clients show those of the whole line.  A client that has the command
``conflens.saveWorkspaceFile`` is asked to save the workspace file after an edit of it, because what it says
counts once it is on disk; not if the file holds other text that the person has not saved.

A client may ask about a whole file with thousands of findings: those nearest to the beginning of the range get actions.  The loop
goes on between two actions; once a document has changed meanwhile no more are made, as their edits would be of the text before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest

from lsprotocol import types

from conflens.base.words import shorten_name
from conflens.checking.results import Code, Finding
from conflens.ide.code_actions import quick_fixes as fixes
from conflens.ide.code_actions import verdicts as verdict_actions
from conflens.ide.code_actions.document_entries import entry, page_name
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.lsp.registry import on_view
from conflens.lsp.shared.edits import Label, LabelledEdit, Targets, are_seen, takes, workspace_edit
from conflens.lsp.shared.workspace_file import WorkspaceFile, edit_of, workspace_file
from conflens.lsp.state import State
from conflens.lsp.wire.capabilities import SAVE
from conflens.lsp.wire.convert import SOURCE
from conflens.lsp.workspace.view import View
from conflens.models.workspace_edit import Edits, WorkspaceText

FIX = types.CodeActionKind.QuickFix
KIND = types.CodeActionKind.RefactorRewrite
_UNDOCUMENTED = frozenset((Code.UNDOCUMENTED_OPTION, Code.SENSITIVE_UNDOCUMENTED))
_MAX_NAME = 60
_MAX_FINDINGS = 40
"""Findings that get actions in one answer."""
_MAX_ENTRIES = 10
"""Options that are looked up in documents for one answer: each is compared with all others."""
_MAX_EDITED = 100_000
"""Characters of the workspace file that are read again to be changed, for one answer: about a second."""
_Where = tuple[object, int, int, int, int]
_Ours = Mapping[_Where, list[types.Diagnostic]]
"""The diagnostics that the client shows, by code and range."""
_CODE = Label("Fix")
_ENTRY = Label("Documents", description="An entry in the form of its neighbours")
_UNSURE_ENTRY = Label(
    "Documents, to be checked",
    True,
    "An entry whose place may be inside of its neighbour's",
)


@on_view(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[FIX, KIND], resolve_provider=False),
)
async def code_action(
    state: State, view: View, params: types.CodeActionParams
) -> list[types.CodeAction] | None:
    """Answer with what can be done, of the kinds that the client asks for, if it takes edits."""
    if not state.client.code_actions:
        return None
    found: list[types.CodeAction] = []
    if _wanted(FIX, params.context.only):
        before = _revisions(state)
        for action in _about_findings(state, view, params):
            if action is not None:
                found.append(action)
            await state.turns.again()
            if _revisions(state) != before:
                return found or None
    if _wanted(KIND, params.context.only) and view.kept(offset := view.offset(params.range.start)):
        file = workspace_file(state, view.folder)
        if file is not None:
            found += [
                _of_workspace_file(state, file, action.title, KIND, action.edits)
                for action in verdict_actions.actions(view.analysis, view.path, offset, file.text)
            ]
    return found or None


def _revisions(state: State) -> dict[str, int]:
    """Which texts are open."""
    return {key: document.revision for key, document in state.documents.items()}


def _about_findings(
    state: State, view: View, params: types.CodeActionParams
) -> Iterator[types.CodeAction | None]:
    """The actions; ``None`` is a step without one."""
    ours: dict[_Where, list[types.Diagnostic]] = {}
    for one in params.context.diagnostics:
        if one.source == SOURCE:
            ours.setdefault(_where(one.code, one.range), []).append(one)
    if not ours or view.shift is not None:
        return
    start, end = view.offset(params.range.start), view.offset(params.range.end)
    findings = [
        finding
        for finding in _findings(view)
        if (finding.place.start <= end and start <= finding.place.end)
        or _shown(view, ours, finding)
    ]
    if len(findings) > _MAX_FINDINGS:
        nearest = nsmallest(
            _MAX_FINDINGS,
            findings,
            key=lambda one: _distance(one.place.start, one.place.end, start),
        )
        findings = sorted(nearest, key=lambda one: one.place.start)
        yield None
    written: WorkspaceText | None = None
    shown: list[fixes.Action] = []
    for made in fixes.offered(view.analysis, findings):
        if made is None:
            yield None
        else:
            shown.append(made)
    for action in shown:
        if action.kind is fixes.Kind.FIX:
            yield from _of_files(state, view, ours, action)
    yield from _entries(state, view, ours, findings)
    file = workspace_file(state, view.folder)
    left = 0 if file is None else max(1, _MAX_EDITED // (len(file.text) + 1))
    for action in shown:
        if action.kind is not fixes.Kind.SUPPRESS:
            continue
        if not action.ignored:
            yield from _of_files(state, view, ours, action)
            continue
        if left <= 0:
            continue
        left -= 1
        if file is not None and written is None:
            written = WorkspaceText.of(file.text)
        edits = None if written is None else written.ignore(action.ignored)
        if file is not None and edits:
            ignoring = _of_workspace_file(state, file, action.title, FIX, edits)
            ignoring.diagnostics = _shown(view, ours, action.finding)
            yield ignoring
        else:
            yield None


def _distance(start: int, end: int, at: int) -> int:
    """How many bytes a place is away."""
    return max(start - at, at - end, 0)


def _findings(view: View) -> tuple[Finding, ...]:
    """The findings of a file as they were reported; made here only in the moment before a report is ready."""
    analysis, found = view.folder.findings
    if analysis is view.analysis and view.path in found:
        return found[view.path]
    return diagnostics(view.analysis, view.path, view.folder.settings)


def _entries(
    state: State, view: View, ours: _Ours, findings: Sequence[Finding]
) -> Iterator[types.CodeAction | None]:
    """Entries for undocumented options.  They apply when chosen, as any quick fix does: a person has asked for this one change."""
    analysis = view.analysis
    about = [finding for finding in findings if finding.code in _UNDOCUMENTED]
    keys = {key for finding in about for key in finding.options}
    options = [option for option in analysis.options.options if option.key in keys] if keys else []
    left = _MAX_ENTRIES
    for finding in about:
        for option in options:
            if option.key not in finding.options:
                continue
            if not left:
                return
            left -= 1
            made = entry(analysis, option)
            label = _ENTRY if made is not None and made.sure else _UNSURE_ENTRY
            if made is None or not _can_edit(state, view, [made.path]) or not takes(state, label):
                yield None
                continue
            shown = shorten_name(option.name, _MAX_NAME)
            file = page_name(analysis, made.path)
            edit = LabelledEdit(made.edit.place, made.edit.text, label)
            yield types.CodeAction(
                title=f"Add an entry for {shown} to {file}",
                kind=FIX,
                diagnostics=_shown(view, ours, finding),
                edit=workspace_edit(state, view.folder, analysis, [edit]),
            )


def _of_files(
    state: State, view: View, ours: _Ours, action: fixes.Action
) -> Iterator[types.CodeAction]:
    """An action on files of the folder; none for a file that cannot be edited."""
    if not _can_edit(state, view, [edit.place.path for edit in action.edits]):
        return
    edits = [LabelledEdit(edit.place, edit.text, _CODE) for edit in action.edits]
    preferred = action.preferred and state.client.preferred_actions
    yield types.CodeAction(
        title=action.title,
        kind=FIX,
        diagnostics=_shown(view, ours, action.finding),
        is_preferred=True if preferred else None,
        edit=workspace_edit(state, view.folder, view.analysis, edits),
    )


def _can_edit(state: State, view: View, paths: Sequence[str]) -> bool:
    """Tell whether files lie in the folder and have the texts that the analysis has seen."""
    outside = Targets.of(view.folder.root.path, paths).outside
    return not outside and are_seen(state, view.folder, view.analysis, paths)


def _of_workspace_file(
    state: State, file: WorkspaceFile, title: str, kind: types.CodeActionKind, edits: Edits
) -> types.CodeAction:
    save = types.Command(title="Save", command=SAVE, arguments=[file.uri])
    return types.CodeAction(
        title=title,
        kind=kind,
        edit=edit_of(state, file, edits),
        command=save if state.client.saves and file.saved else None,
    )


def _shown(view: View, ours: _Ours, finding: Finding | None) -> list[types.Diagnostic] | None:
    """The client's diagnostics that show a finding."""
    if finding is None:
        return None
    return ours.get(_where(finding.code.value, view.range(finding.place)))


def _where(code: object, range_: types.Range) -> _Where:
    """What a diagnostic is found by."""
    start, end = range_.start, range_.end
    return code, start.line, start.character, end.line, end.character


def _wanted(kind: types.CodeActionKind, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client asks for a kind or one above it."""
    if only is None:
        return True
    kinds = (str(getattr(asked, "value", asked)) for asked in only)
    return any(not asked or f"{kind.value}.".startswith(f"{asked}.") for asked in kinds)
