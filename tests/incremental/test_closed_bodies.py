"""Bodies that are closed whenever nothing is half done: nothing but the memory that they take is different."""

from __future__ import annotations

import gc
import random

import pytest

from conflens.flow.making import Slice
from conflens.flow.results import FlowTable
from conflens.flow.trails import write_out
from conflens.flow.walk_types import Start
from conflens.options.model import OptionTable
from conflens.program import open_body
from conflens.program.closed import close_all
from incremental.tracing import FILES, SIGNED, Edited

EDITS = 12
FEW = 60


def edited(
    seed: int, files: dict[str, str], declarations: float
) -> list[tuple[OptionTable, FlowTable, frozenset[Start]]]:
    """Return what is found after each of some random edits, and which walks were made for that."""
    program, dice = Edited(files), random.Random(seed)
    said = []
    while len(said) < EDITS:
        make = program.any_signature if dice.random() < declarations else program.any_body
        edit = make(dice, sorted(files))
        if edit is None:
            continue
        traced = program.edit(*edit)
        said.append((program.discovery.table, traced.table, traced.redone))
    assert program.flows == program.fresh()
    return said


@pytest.mark.seeds(6)
@pytest.mark.parametrize("files", [FILES, SIGNED], ids=["files", "signed"])
@pytest.mark.parametrize("declarations", [0.0, 0.5])
@pytest.mark.parametrize("most", [0, FEW])
def test_edits_with_bodies_closed(
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    declarations: float,
    most: int,
    seed: int,
) -> None:
    expected = edited(seed, files, declarations)
    monkeypatch.setattr(open_body, "MOST_OPEN", most)
    for found, (options, flows, redone) in zip(
        edited(seed, files, declarations), expected, strict=True
    ):
        assert found[:2] == (options, flows)
        # Who asked what a body returns is not known once slices are let go: all who could are followed again.
        assert found[2] >= redone


def slices() -> list[Slice]:
    """Return all slices that there are."""
    gc.collect()
    return [item for item in gc.get_objects() if isinstance(item, Slice)]


def test_slices_of_closed_bodies_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    before = slices()
    monkeypatch.setattr(open_body, "MOST_OPEN", 0)
    program = Edited(SIGNED)
    engine = program.traced.engine
    assert engine is not None
    assert len(slices()) > len(before)
    write_out(program.flows.reads.values())
    engine.slices.let_go()
    close_all(program.program)
    assert len(slices()) == len(before)


def test_a_closed_body_opens_itself() -> None:
    program = Edited(SIGNED).program
    context = next(iter(program.contexts.values()))
    code, notes = context.code, dict(context.notes)
    close_all(program)
    assert not context.is_open
    assert program.open_size.instructions == 0
    assert context.code == code
    assert context.is_open
    assert program.open_size.instructions > len(code)
    assert context.notes.keys() <= notes.keys()
