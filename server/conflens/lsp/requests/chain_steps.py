"""``conflens/chainSteps``: a cause-effect chain as steps to go through one by one.

Takes ``{folder, option: [domain, name], cause}``: ``folder`` as in ``snapshots``, ``cause`` counts the chains of the option
from 0, most explained first.  Gives ``{title, cause, causes, steps: [{location, role, text, method, label,
why}]}`` from the option's read to the hotspot, ``why`` a sentence on what happens there; next and previous are an index in ``steps``.  ``null`` if there is no such chain (any more).
"""

from __future__ import annotations

import msgspec

from conflens.ide.profile.chain import chain, step_line
from conflens.lsp.registry import on_state
from conflens.lsp.shared.profiles import Answer, place_of, read
from conflens.lsp.state import State
from conflens.lsp.wire.convert import location_of
from conflens.lsp.wire.protocol import CHAIN_STEPS
from conflens.lsp.workspace.profile_of import profile_of


class _Asked(msgspec.Struct, frozen=True):
    option: tuple[str, str]
    cause: int = 0
    folder: str | None = None


@on_state(CHAIN_STEPS)
def chain_steps(state: State, _: None, params: object) -> Answer | None:
    """Answer with the steps of a chain."""
    asked = read(params, _Asked)
    folder, _snapshots = place_of(state, asked.folder)
    profile, analysis = profile_of(folder), folder.analysis
    if profile is None or analysis is None:
        return None
    found = chain(analysis, profile, asked.option, asked.cause)
    if found is None:
        return None
    encoding = state.client.encoding
    return {
        "title": found.title,
        "cause": found.number,
        "causes": found.total,
        "steps": [
            {
                "location": location_of(folder.root, analysis, step.place, encoding),
                "role": step.role,
                "text": step.text,
                "method": step.method,
                "label": step_line(step),
                "why": step.why,
            }
            for step in found.steps
        ],
    }
