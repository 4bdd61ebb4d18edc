"""When garbage is looked for: never while something is being done."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from conflens.lsp.scheduling import garbage_collection as garbage
from conflens.lsp.scheduling.garbage_collection import (
    LONG_REST,
    LOOKS,
    MOST_BEGUN,
    MOST_LOOKS,
    MOST_REMOVED,
    REST,
    Garbage,
)


class _Cycle:
    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.enable()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [100.0]
    monkeypatch.setattr(garbage.time, "monotonic", lambda: clock[0])
    return clock


def test_nothing_is_collected_between_busy_and_idle(now: list[float]) -> None:
    found = Garbage()
    found.busy()
    lost = weakref.ref(_Cycle())
    many = [[] for _ in range(100_000)]  # the collector would look many times
    assert lost() is not None
    now[0] += 7
    found.done()
    assert found.due == now[0] + REST
    found.look()
    assert lost() is None
    assert gc.isenabled()
    assert found.due is None
    del many


def test_a_full_collection_runs_after_many_small_ones_and_a_long_pause(now: list[float]) -> None:
    found = Garbage()
    old = _Cycle()
    lost = weakref.ref(old)
    gc.collect()  # it is old now
    del old
    for _ in range(LOOKS):
        found.busy()
        found.look()
    assert lost() is not None
    assert found.due == now[0] + LONG_REST
    found.look()
    assert lost() is None
    assert found.due is None


def test_work_delays_the_full_collection_until_the_next_long_pause(now: list[float]) -> None:
    found = Garbage()
    for _ in range(LOOKS):
        found.busy()
        found.look()
    found.busy()
    assert found.due == now[0] + REST
    found.look()
    assert found.due == now[0] + LONG_REST


def test_frozen_objects_are_collected_once_after_a_folder_was_removed(
    now: list[float],
) -> None:
    found = Garbage()
    old = _Cycle()
    lost = weakref.ref(old)
    gc.freeze()  # as after the first index of a folder
    del old
    found.busy()
    found.removed()
    found.look()
    assert lost() is not None
    assert found.due == now[0] + LONG_REST
    found.look()
    assert lost() is None
    assert gc.get_freeze_count()  # what is left is set aside again
    gc.unfreeze()


def test_work_delays_the_full_collection_only_so_often(now: list[float]) -> None:
    found = Garbage()
    old = _Cycle()
    lost = weakref.ref(old)
    gc.collect()
    del old
    for _ in range(MOST_LOOKS):
        found.busy()
        found.look()
    assert lost() is not None
    found.busy()
    found.look()
    assert lost() is None


def test_work_without_any_rest_is_stopped_now_and_then(now: list[float]) -> None:
    found = Garbage()
    lost = weakref.ref(_Cycle())
    for _ in range(MOST_BEGUN):
        found.busy()
        found.done()
    assert lost() is not None
    found.busy()
    assert lost() is None
    assert not gc.isenabled()


def test_many_removed_folders_are_collected_at_a_short_rest(now: list[float]) -> None:
    found = Garbage()
    old = _Cycle()
    lost = weakref.ref(old)
    gc.freeze()
    del old
    for _ in range(MOST_REMOVED):
        assert lost() is not None
        found.busy()
        found.removed()
        found.look()
    assert lost() is None
    gc.unfreeze()


def test_the_collector_is_enabled_again_at_the_end() -> None:
    found = Garbage()
    found.busy()
    assert not gc.isenabled()
    found.end()
    assert gc.isenabled()
