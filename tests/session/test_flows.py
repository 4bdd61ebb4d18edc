"""Flows in a session: stored for the next start, published with the options they belong to, never lost."""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.base.system import MemorySystem
from conflens.flow.results import FlowTable
from conflens.options.incremental.flow_analysis import Traced
from conflens.session import pipeline as joined
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.store.cache import Cache
from conflens.session.store.flows import decode_flows, encode_flows
from incremental.tracing import FILES, Edited, Q
from session.support import session


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache.sqlite", "1")


def flows() -> FlowTable:
    return session(MemorySystem(FILES)).scan().flows


def traced() -> Traced:
    one = session(MemorySystem(FILES))
    one.scan()
    found = one._joined._traced
    assert found is not None
    return found


def refuse(*_arguments: object) -> object:
    raise AssertionError("nothing is to be followed")


def test_a_flow_table_round_trips() -> None:
    table = flows()
    data = encode_flows(table)
    assert data is not None
    stored = decode_flows(data)
    assert stored is not None
    again = stored.table
    assert again == table
    assert stored.walks == {}
    assert list(again.options) == list(table.options)
    assert again.operations_in("p/U.java") == table.operations_in("p/U.java") != {}
    for key, reach in table.options.items():
        assert again.of_option(key) is again.of_option(key)
        assert again.of_option(key).sure() == reach.sure()
        assert again.of_option(key).cold == reach.cold
    for (key, place), reach in table.reads.items():
        found = again.of_read(key, place)
        assert [[list(path.steps) for path in flow.paths] for flow in found.flows] == [
            [list(path.steps) for path in flow.paths] for flow in reach.flows
        ]
    assert [
        (one.option, list(one.holds), one.holds[:1], list(one.places), one.cells)
        for one in decoded(data).taken()
    ] == [
        (one.option, list(one.holds), one.holds[:1], list(one.places), one.cells)
        for one in table.taken()
    ]
    assert any(one.holds for one in table.taken())
    assert encode_flows(again) == data


def decoded(data: bytes) -> FlowTable:
    stored = decode_flows(data)
    assert stored is not None
    return stored.table


def test_walks_round_trip() -> None:
    found = traced()
    data = encode_flows(found.table, found.walks)
    assert data is not None
    stored = decode_flows(data)
    assert stored is not None
    assert dict(stored.walks) == dict(found.walks) != {}


@pytest.mark.seeds(2)
def test_a_damaged_table_is_rejected_or_fully_readable(seed: int) -> None:
    found = traced()
    data = encode_flows(found.table, found.walks)
    assert data is not None
    dice = random.Random(seed)
    refused = 0
    for _ in range(300):
        damaged = bytearray(data)
        damaged[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        stored = decode_flows(
            bytes(damaged[: dice.choice((len(data), dice.randrange(len(data))))])
        )
        if stored is None:
            refused += 1
            continue
        table = stored.table
        walks = [walk.reach for walk in stored.walks.values()]
        for reach in (*table.options.values(), *table.reads.values(), *walks):
            for flow in reach.flows:
                for path in flow.paths:
                    assert all(step.ref.path is not None for step in path.steps)
    assert refused > 100


def test_a_second_session_follows_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    system = MemorySystem(FILES)
    first = session(system, cache=cache).scan()
    monkeypatch.setattr(joined, "trace", refuse)
    second = session(system, cache=cache).scan()
    assert second.flows == first.flows
    assert second.flows.options


def test_damaged_flows_are_computed_again(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = MemorySystem(FILES)
    first = session(system, cache=cache).scan()
    connection = sqlite3.connect(tmp_path / "cache.sqlite")
    connection.execute("UPDATE latest SET data = substr(data, 2) WHERE name = 'flows'")
    assert connection.total_changes == 1
    connection.commit()
    connection.close()
    assert session(system, cache=cache).scan().flows == first.flows
    monkeypatch.setattr(joined, "trace", refuse)
    assert session(system, cache=cache).scan().flows == first.flows


def test_flows_in_a_file_whose_name_is_not_unicode_are_not_stored(
    cache: Cache, tmp_path: Path
) -> None:
    odd = os.fsdecode(b"src/\xff/Q.java")
    system = MemorySystem({odd: FILES["p/Q.java"]})
    for _ in range(2):
        analysis = session(system, cache=cache).scan()
        (flow,) = analysis.flows.of_option(Q).flows
        assert flow.operation.ref.path == odd
    connection = sqlite3.connect(tmp_path / "cache.sqlite")
    assert connection.execute("SELECT name FROM latest").fetchall() == []
    connection.close()


def test_after_a_warm_start_an_edit_recomputes_only_affected_flows(cache: Cache) -> None:
    system = MemorySystem(FILES)
    session(system, cache=cache).scan()
    published: list[Analysis] = []
    options = SessionOptions(workers=0, interactive=True)
    one = session(system, options, cache, published)
    one.scan()
    assert len(published) == 1
    text = FILES["p/V.java"].replace("int c = 3;", "byte[] d = new byte[s.held];")
    one.open("p/V.java", text, 1)
    edited = one.rebuild()
    found = one._joined._traced
    assert found is not None
    assert {start.ref.path for start in found.redone} == {"p/R.java"}
    assert edited.flows == session(MemorySystem({**FILES, "p/V.java": text})).scan().flows


@pytest.mark.seeds(4)
def test_any_edits_after_a_warm_start_give_the_flows_of_a_fresh_analysis(
    seed: int, tmp_path: Path
) -> None:
    dice = random.Random(seed)
    cache = Cache(tmp_path / "cache.sqlite", "1")
    system = MemorySystem(FILES)
    session(system, cache=cache).scan()
    one = session(system, SessionOptions(workers=0, interactive=bool(seed % 2)), cache)
    one.scan()
    edits = Edited(FILES)
    for number in range(12):
        edit = edits.any_body(dice, sorted(FILES))
        if edit is None:
            continue
        edits.edit(*edit)
        system.write(edit[0], edit[1])
        one.files_changed([edit[0]])
        assert one.rebuild().flows == edits.fresh(), f"edit {number} of {edit[0]}"


class Counting(CancelToken):
    """Cancels itself after some checks."""

    def __init__(self, left: int) -> None:
        super().__init__()
        self.left = left

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.cancel()
        super().check()


def test_cancelling_the_flow_analysis_anywhere_loses_nothing() -> None:
    text = FILES["p/U.java"].replace("Thread.yield();", "synchronized (U.class) { }")
    expected = session(MemorySystem({**FILES, "p/U.java": text})).scan()
    steps = 0
    while True:
        one = session(MemorySystem(FILES))
        before = one.scan()
        one.open("p/U.java", text, 1)
        try:
            one.rebuild(Counting(steps))
        except Cancelled:
            assert one.analysis is before
            after = one.rebuild()
            assert after.options == expected.options
            assert after.flows == expected.flows != before.flows
            steps += 1
        else:
            break
    assert steps > 2


def test_options_and_flows_are_published_together() -> None:
    published: list[Analysis] = []
    one = session(MemorySystem(FILES), published=published)
    one.scan()
    text = FILES["p/Q.java"].replace(
        "int length", 'int more = Integer.getInteger("q.more"); int length'
    )
    text = text.replace("byte[] all", "byte[] other = new byte[more]; byte[] all")
    one.open("p/Q.java", text, 1)
    one.rebuild()
    for analysis in published:
        keys = {option.key for option in analysis.options.options}
        assert set(analysis.flows.options) == keys
    assert [len(analysis.flows.options) for analysis in published] == [3, 4]
