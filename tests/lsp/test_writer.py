"""The writer's thread, on a clock that the test moves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace

import pytest
from typing_extensions import override

from conflens.base.cancel import CancelToken
from conflens.lsp.scheduling import writer as module
from conflens.lsp.scheduling.writer import MAX_DELAY, TYPING_DELAY, Writer
from patience import PATIENCE


class Owner:
    """Counts what the writer does."""

    def __init__(self) -> None:
        self.rebuilt = 0
        self.errors: list[BaseException] = []
        self.polls = 0
        self.rests: list[CancelToken] = []
        self.rebuilt_before: list[int] = []
        self.rested = threading.Semaphore(0)
        self.endless = False
        self.began = threading.Semaphore(0)
        self.done = threading.Semaphore(0)

    def rebuild(self, token: CancelToken) -> None:
        self.began.release()
        while self.endless:
            token.check()
            time.sleep(0.005)
        self.rebuilt += 1
        self.done.release()

    def afterwards(self, token: CancelToken) -> None:
        self.rests.append(token)
        self.rebuilt_before.append(self.rebuilt)
        self.rested.release()
        while self.endless:
            token.check()
            time.sleep(0.005)

    def failed(self, error: BaseException) -> None:
        self.errors.append(error)
        self.done.release()

    def poll(self) -> bool:
        self.polls += 1
        return False


class Patient(Owner):
    """An owner whose first rebuild goes on until it is urged."""

    def __init__(self) -> None:
        super().__init__()
        self.urged = threading.Event()

    @override
    def rebuild(self, token: CancelToken) -> None:
        self.began.release()
        while not token.urged:
            token.check()
            time.sleep(0.005)
        self.urged.set()


def comes(event: threading.Semaphore) -> bool:
    return event.acquire(timeout=PATIENCE)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The writer's clock; ``now`` moves it."""
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def writer() -> Iterator[Writer]:
    writer = Writer()
    yield writer
    writer.stop(PATIENCE)


def ran(writer: Writer, owner: Owner, delay: float) -> None:
    """Submit a job, and wait until it has been done; what was due before it is done as well."""
    done = threading.Semaphore(0)
    writer.submit(owner, done.release, delay)
    assert comes(done)


def test_fast_typing_is_rebuilt_together_but_not_delayed_without_bound(
    clock: SimpleNamespace, writer: Writer
) -> None:
    owner = Owner()
    step = TYPING_DELAY / 2
    for _ in range(int(MAX_DELAY / step) - 1):
        ran(writer, owner, TYPING_DELAY)
        clock.now += step
    assert owner.rebuilt == 0
    clock.now = MAX_DELAY + step
    ran(writer, owner, TYPING_DELAY)
    assert comes(owner.done)
    assert owner.rebuilt == 1


def test_a_pause_of_typing_is_enough_for_a_rebuild(clock: SimpleNamespace, writer: Writer) -> None:
    owner = Owner()
    for number in range(1, 4):
        ran(writer, owner, TYPING_DELAY)
        assert owner.rebuilt == number - 1
        clock.now += 2 * TYPING_DELAY
        assert comes(owner.done)


def test_hasten_skips_the_delay_and_does_nothing_without_changes(writer: Writer) -> None:
    owner = Owner()
    writer.hasten(owner)
    writer.submit(owner, lambda: None, 1e6)
    writer.hasten(owner)
    assert comes(owner.done)
    writer.stop(PATIENCE)
    assert owner.rebuilt == 1


def test_a_job_expedites_the_rebuild_it_waits_for(writer: Writer) -> None:
    owner = Patient()
    writer.submit(owner, lambda: None, 0.0)
    assert comes(owner.began)
    writer.hasten(owner)
    assert not owner.urged.is_set()
    writer.submit(owner, lambda: None, 0.0)
    assert owner.urged.wait(PATIENCE)


def test_a_failing_job_is_reported_and_the_next_one_runs(writer: Writer) -> None:
    owner = Owner()
    writer.submit(owner, lambda: 1 // 0, 0.0)
    writer.submit(owner, lambda: None, 0.0)
    assert comes(owner.done)
    assert comes(owner.done)
    writer.stop(PATIENCE)
    assert [type(error) for error in owner.errors] == [ZeroDivisionError]
    assert owner.rebuilt


def test_a_forgotten_session_is_not_rebuilt_and_its_last_job_runs(writer: Writer) -> None:
    slow, other = Owner(), Owner()
    slow.endless = True
    ended = threading.Event()
    writer.submit(slow, lambda: None, 0.0)
    assert comes(slow.began)
    writer.submit(slow, lambda: None, 0.0)
    writer.forget(slow, ended.set)
    writer.submit(other, lambda: None, 0.0)
    assert comes(other.done)
    writer.stop(PATIENCE)
    assert ended.is_set()
    assert slow.rebuilt == 0 and slow.errors == []


def test_a_session_that_is_forgotten_while_its_job_runs_is_not_rebuilt(writer: Writer) -> None:
    slow, other = Owner(), Owner()
    began, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def job() -> None:
        began.set()
        go_on.wait(PATIENCE)

    writer.submit(slow, job, 0.0)
    writer.submit(slow, lambda: None, 0.0)
    assert began.wait(PATIENCE)
    writer.forget(slow, ended.set)
    go_on.set()
    assert ended.wait(PATIENCE)
    writer.submit(other, lambda: None, 0.0)
    assert comes(other.done)
    writer.stop(PATIENCE)
    assert slow.rebuilt == 0 and slow.errors == []


def test_follow_up_work_waits_for_edits_and_is_cancelled_by_the_next(
    monkeypatch: pytest.MonkeyPatch, writer: Writer
) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.05)
    owner, other = Owner(), Owner()
    writer.submit(owner, lambda: None, 0.3)
    writer.afterwards(owner, 0.0)
    assert comes(owner.done)
    assert comes(owner.rested)
    assert owner.rebuilt_before == [1]
    owner.endless = True
    writer.afterwards(owner, 0.0)
    assert comes(owner.rested)
    writer.hasten(owner)  # nothing is pending: that disturbs nobody
    writer.submit(other, lambda: None, 0.0)
    assert comes(other.done)
    assert owner.rests[1].cancelled
    owner.endless = False
    assert comes(owner.rested)  # it is tried again
    assert not owner.rests[2].cancelled
    writer.stop(PATIENCE)
    assert owner.errors == []


def test_follow_up_work_is_announced_once_and_dropped_with_its_session(
    clock: SimpleNamespace, writer: Writer
) -> None:
    owner, other = Owner(), Owner()
    for _ in range(3):
        writer.afterwards(owner, 0.05)
    clock.now = 0.1
    assert comes(owner.rested)
    owner.endless = True
    writer.afterwards(owner, 0.0)
    assert comes(owner.rested)
    ended = threading.Event()
    writer.forget(owner, ended.set)
    assert ended.wait(PATIENCE)
    writer.afterwards(other, 0.0)
    assert comes(other.rested)
    writer.stop(PATIENCE)
    assert len(owner.rests) == 2


def test_follow_up_work_may_fail_and_ends_with_the_writer(writer: Writer) -> None:
    owner, other = Owner(), Owner()
    failing: Callable[[CancelToken], object] = lambda _: 1 // 0  # noqa: E731
    owner.afterwards = failing  # type: ignore[method-assign, assignment]
    writer.afterwards(owner, 0.0)
    other.endless = True
    writer.afterwards(other, 0.0)
    assert comes(other.rested)
    writer.stop(PATIENCE)
    assert other.rests[0].cancelled


def test_a_long_rebuild_makes_way_for_sessions_that_have_been_rebuilt(writer: Writer) -> None:
    known, cold, other = Owner(), Owner(), Owner()
    ran(writer, known, 0.0)
    assert comes(known.done) and comes(known.began)
    cold.endless = True
    writer.submit(cold, lambda: None, 0.0)
    assert comes(cold.began)
    order: list[int] = []
    for number in range(3):
        writer.submit(known, partial(order.append, number), 0.0)
        writer.submit(cold, partial(order.append, 10 + number), 0.0)
        writer.submit(other, partial(order.append, 20 + number), 0.0)
        assert comes(known.done)
    assert order == [0, 1, 2] and cold.rebuilt == other.rebuilt == 0
    cold.endless = False
    assert comes(cold.done) and comes(other.done)
    assert order == [0, 1, 2, 10, 20, 11, 21, 12, 22]


def test_a_rebuild_that_makes_way_can_be_forgotten(writer: Writer) -> None:
    known, cold = Owner(), Owner()
    ran(writer, known, 0.0)
    assert comes(known.done) and comes(known.began)
    cold.endless = True
    writer.submit(cold, lambda: None, 0.0)
    assert comes(cold.began)
    known.endless = True
    writer.submit(known, lambda: None, 0.0)
    assert comes(known.began)
    ended = threading.Semaphore(0)
    writer.forget(cold, ended.release)
    assert not ended.acquire(timeout=0.05)
    writer.forget(known, ended.release)
    assert comes(ended) and comes(ended)
    assert (known.rebuilt, cold.rebuilt) == (1, 0) and not known.errors and not cold.errors
