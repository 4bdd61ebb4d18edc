"""``conflens/chainSteps``: a cause-effect chain as steps to go through one by one.

Next and previous are an index in its steps.  ``null`` if there is no such chain (any more).
"""

from __future__ import annotations

from conflens.ide.profile.chain import chain, step_line
from conflens.lsp.registry import on_state
from conflens.lsp.shared.profiles import place_of, read
from conflens.lsp.state import State
from conflens.lsp.wire import messages
from conflens.lsp.wire.convert import location_of
from conflens.lsp.wire.messages import CHAIN_STEPS
from conflens.lsp.workspace.profile_of import profile_of


@on_state(CHAIN_STEPS)
def chain_steps(state: State, _: None, params: object) -> messages.ChainAnswer | None:
    """Answer with the steps of a chain."""
    asked = read(params, messages.ChainParams)
    folder, _snapshots = place_of(state, asked.folder)
    profile, analysis = profile_of(folder), folder.analysis
    if profile is None or analysis is None:
        return None
    found = chain(analysis, profile, asked.option, asked.cause)
    if found is None:
        return None
    encoding = state.client.encoding
    return messages.ChainAnswer(
        title=found.title,
        cause=found.number,
        causes=found.total,
        steps=[
            messages.ChainStep(
                location=location_of(folder.root, analysis, step.place, encoding),
                role=step.role,
                text=step.text,
                method=step.method,
                label=step_line(step),
                why=step.why,
            )
            for step in found.steps
        ],
    )
