"""Who is told that the list of options may differ, and when: ``lsp.push.listing`` with a clock of its own."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any, cast

import attrs
import pytest

from conflens.ide.settings.settings import Settings
from conflens.lsp.push.listing import MAX_PAUSE, PAUSE, Listing, Part
from conflens.lsp.workspace.folder import Folder
from conflens.session.analysis import Analysis
from ide.toy import project
from patience import PATIENCE

SOURCE = 'class A { String s = System.getProperty("a.b"); }'


@attrs.define(eq=False)
class _Folder:
    analysis: Analysis | None
    settings: Settings = attrs.field(factory=Settings)


@attrs.define(eq=False)
class _Timer:
    due: float
    run: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class _Loop:
    """A clock that is set, and timers that ring when it is."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[_Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, due: float, run: Callable[..., None], *arguments: object) -> _Timer:
        timer = _Timer(due, lambda: run(*arguments))
        self.timers.append(timer)
        return timer

    def create_task(self, work: Any) -> asyncio.Task[Part]:
        return asyncio.get_running_loop().create_task(work)

    def until(self, now: float) -> None:
        self.now = now
        for timer in list(self.timers):
            if timer.due <= now and not timer.cancelled:
                timer.cancel()
                timer.run()


class _Bench:
    """A listing of one folder, and what it has said and made."""

    def __init__(self, analysis: Analysis | None) -> None:
        self.loop = _Loop()
        self.told: list[float] = []
        self.made: list[Analysis | None] = []
        self.folder = _Folder(analysis)
        self.folders = {"/a": cast(Folder, self.folder)}
        self.listing = Listing(
            cast(asyncio.AbstractEventLoop, self.loop), lambda: self.told.append(self.loop.now)
        )

    def make(self, folder: Folder, analysis: Analysis | None, settings: Settings) -> Part:
        self.made.append(analysis)
        return (b"%d" % len(self.made),)

    def ask(self) -> list[Part]:
        return asyncio.run(self.listing.parts(self.folders, self.make))

    def publish(self, now: float) -> None:
        self.loop.until(now)
        self.folder.analysis = analysed()
        self.listing.look(self.folders)


def analysed() -> Analysis:
    return project({"A.java": SOURCE}).analysis


def test_clients_that_have_not_asked_are_not_notified() -> None:
    bench = _Bench(analysed())
    bench.publish(1)
    bench.loop.until(100)
    assert bench.told == []


def test_a_pause_after_the_last_publication_with_an_upper_bound() -> None:
    bench = _Bench(analysed())
    bench.ask()
    bench.publish(10)
    bench.publish(10 + PAUSE / 2)
    bench.loop.until(10 + 1.4 * PAUSE)
    assert bench.told == []
    bench.loop.until(10 + 1.5 * PAUSE)
    assert len(bench.told) == 1
    bench.ask()
    now = 20.0
    while len(bench.told) == 1:
        bench.publish(now)
        now += PAUSE / 2
    assert 20 + MAX_PAUSE <= bench.told[1] <= 20 + MAX_PAUSE + PAUSE


def test_one_notification_until_the_client_asks_again() -> None:
    bench = _Bench(analysed())
    bench.ask()
    bench.publish(1)
    bench.loop.until(2)
    bench.publish(3)
    bench.loop.until(9)
    assert len(bench.told) == 1
    bench.ask()
    bench.publish(10)
    bench.loop.until(11)
    assert len(bench.told) == 2


def test_a_client_that_asks_before_the_end_of_the_pause_is_not_notified() -> None:
    bench = _Bench(analysed())
    bench.ask()
    bench.publish(1)
    bench.ask()
    bench.loop.until(9)
    assert bench.told == []


@pytest.mark.parametrize("field", ["options", "flows", "sensitivity", "documents", "policy"])
def test_a_changed_table_is_reported(field: str) -> None:
    first = analysed()
    bench = _Bench(first)
    bench.ask()
    other = getattr(analysed(), field)
    if other is getattr(first, field):
        other = attrs.evolve(other)
    bench.folder.analysis = attrs.evolve(first, **{field: other})
    bench.listing.look(bench.folders)
    bench.loop.until(1)
    assert len(bench.told) == 1


def test_equal_tables_are_not_reported() -> None:
    first = analysed()
    bench = _Bench(first)
    bench.ask()
    bench.folder.analysis = attrs.evolve(first, revision=7)
    bench.listing.look(bench.folders)
    bench.loop.until(9)
    assert bench.told == []
    bench.folder.analysis = attrs.evolve(first, complete=False)
    bench.listing.look(bench.folders)
    bench.loop.until(10)
    assert len(bench.told) == 1


def test_changed_settings_and_folders_are_reported() -> None:
    bench = _Bench(analysed())
    bench.ask()
    bench.folder.settings = Settings(threshold=9)
    bench.listing.look(bench.folders)
    bench.loop.until(0.9)
    assert bench.told == []
    bench.folder.settings = Settings(diagnostics=False)
    bench.listing.look(bench.folders)
    bench.loop.until(2)
    assert len(bench.told) == 1
    bench.ask()
    bench.folders.clear()
    bench.listing.look(bench.folders)
    bench.loop.until(3)
    assert len(bench.told) == 2


def test_rows_are_built_once_for_an_analysis_and_settings() -> None:
    bench = _Bench(analysed())
    assert bench.ask() == bench.ask() == [(b"1",)]
    bench.folder.settings = Settings(diagnostics=False)
    assert bench.ask() == [(b"2",)]
    bench.publish(1)
    assert bench.ask() == [(b"3",)]
    assert _Bench(None).ask() == [(b"1",)]


def test_a_failed_build_is_repeated() -> None:
    bench = _Bench(analysed())

    def fail(folder: Folder, analysis: Analysis | None, settings: Settings) -> Part:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(bench.listing.parts(bench.folders, fail))
    assert bench.ask() == [(b"1",)]


def test_a_cancelled_request_leaves_its_rows_to_the_next() -> None:
    bench = _Bench(analysed())
    begun, go_on = threading.Event(), threading.Event()

    def make(folder: Folder, analysis: Analysis | None, settings: Settings) -> Part:
        begun.set()
        assert go_on.wait(PATIENCE)
        return bench.make(folder, analysis, settings)

    async def run() -> list[Part]:
        first = asyncio.create_task(bench.listing.parts(bench.folders, make))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        second = asyncio.create_task(bench.listing.parts(bench.folders, make))
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        go_on.set()
        return await second

    assert asyncio.run(run()) == [(b"1",)]
    assert len(bench.made) == 1


def test_an_analysis_is_not_kept_alive() -> None:
    bench = _Bench(analysed())
    assert bench.folder.analysis is not None
    kept = weakref.ref(bench.folder.analysis)
    asyncio.run(bench.listing.parts(bench.folders, lambda *_: ()))
    bench.folder.analysis = analysed()
    gc.collect()
    assert kept() is None
