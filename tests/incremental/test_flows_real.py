"""Random edits of a real project: the flows are those of a trace from nothing."""

from __future__ import annotations

import random

import pytest

from corpus.fetch import fetch, projects
from incremental.tracing import Edited

pytestmark = pytest.mark.corpus

EDITS = 16
CHECKED = 16
"""After so many edits the flows are compared."""


@pytest.fixture(scope="module")
def program() -> Edited:
    root = fetch(projects()["h2"])
    files = {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in sorted(root.rglob("*.java"))
    }
    return Edited(files)


@pytest.mark.seeds(1)
@pytest.mark.parametrize("declarations", [0.0, 1.0])
def test_edits_of_members_on_flows(program: Edited, declarations: float, seed: int) -> None:
    passed = {member.path for walk in program.traced.walks.values() for member in walk.members}
    dice = random.Random(seed)
    done = 0
    while done < EDITS:
        make = program.any_signature if dice.random() < declarations else program.any_body
        edit = make(dice, sorted(passed))
        if edit is None:
            continue
        program.edit(*edit)
        done += 1
        if done % CHECKED == 0:
            assert program.discovery.table == program.fresh_options(), f"edit {done}"
            assert program.flows == program.fresh(), f"edit {done}"
