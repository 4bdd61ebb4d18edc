"""Code actions that overrule the verdict on an option, or take that back.

They stand where an option is read or declared and change the text of the workspace file, which is
the one place where a person's verdicts are kept.  What is offered follows that text, not the
analysis, so that it fits what the editor shows even before it is saved.  A text that cannot be changed
safely (``models.workspace_edit``) is left alone: nothing is offered.  Of a place that reads several
options the first ``_MAX_OPTIONS`` count.
"""

from __future__ import annotations

import attrs

from conflens.base.words import shorten_name
from conflens.ide.targets.cursor import target_at
from conflens.models.workspace_edit import Edits, WorkspaceText
from conflens.render.verdict_phrases import DEFAULT_NOTE
from conflens.session.analysis import Analysis

_MAX_OPTIONS = 3
_MAX_NAME = 60


@attrs.frozen
class Action:
    """What a person can do, in words, and the change of the workspace file that does it."""

    title: str
    edits: Edits


def actions(analysis: Analysis, path: str, offset: int, text: str) -> tuple[Action, ...]:
    """Return the actions at byte ``offset`` of ``path``; ``text`` is that of the workspace file,
    empty if there is none."""
    target = target_at(analysis, path, offset)
    file = WorkspaceText.of(text) if target is not None else None
    if target is None or file is None:
        return ()
    found: list[Action] = []
    for name in list(dict.fromkeys(option.name for option in target.options))[:_MAX_OPTIONS]:
        shown = shorten_name(name, _MAX_NAME)
        verdict = file.verdicts.get(name)
        for sensitive in (True, False):
            if verdict is None or verdict is not sensitive:
                edits = file.set_verdict(name, sensitive, DEFAULT_NOTE)
                negation = "" if sensitive else "not "
                title = f"Mark {shown} as {negation}performance-sensitive"
                found += [Action(title, edits)] if edits else []
        if verdict is not None:
            edits = file.remove_verdict(name)
            found += [Action(f"Remove the verdict on {shown}", edits)] if edits else []
    return tuple(found)
