"""The diagnosis beside an analysis: when it is made, and that nothing of it ends anything."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.diagnosis.diagnose import DEFAULT
from conflens.diagnosis.results import Diagnosis
from conflens.session.analysis import Analysis
from conflens.session.snapshots import diagnosing
from conflens.session.snapshots.diagnosing import (
    NOTHING,
    Diagnosed,
    Diagnosing,
    State,
    settings_of,
    waiting,
)
from conflens.session.snapshots.snapshots import Snapshots
from conflens.session.snapshots.store import Role
from conflens.session.sources.files import RealSystem
from session.snapshot_support import added, profile
from session.support import java, project, session


@attrs.define
class Calls:
    """What ``diagnose`` was called with, and what it does."""

    made: list[tuple[Any, ...]] = attrs.field(factory=list)
    error: BaseException | None = None

    def __call__(self, subject: Any, *arguments: Any) -> Diagnosis:
        self.made.append((subject, *arguments))
        if self.error is not None:
            raise self.error
        return Diagnosis((), (), (), True, (), (), {}, {})


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    found = Calls()
    monkeypatch.setattr(diagnosing, "diagnose", found)
    return found


@pytest.fixture
def snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Snapshots:
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path / "cache"))
    return Snapshots(str(tmp_path))


@attrs.define
class Asking:
    """Asks for the diagnosis of an analysis."""

    work: Diagnosing
    begun: list[Diagnosed] = attrs.field(factory=list)
    times: Mapping[str, float] = attrs.field(factory=lambda: {"A.java": 5.0, "B.java": 7.0})

    def __call__(self, analysis: Analysis | None, percent: float = 5) -> Diagnosed:
        return self.work.diagnosed(
            analysis, lambda: self.times, settings_of(percent), CancelToken(), self.begun.append
        )


def test_without_snapshots_there_is_no_diagnosis(calls: Calls, snapshots: Snapshots) -> None:
    ask = Asking(Diagnosing(snapshots))
    assert ask(session(project("A")).scan()) is NOTHING
    assert calls.made == [] and ask.begun == []


def test_a_diagnosis_is_made_once_for_a_choice_and_an_analysis(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    work = session(project("A", "B"))
    analysis = work.scan()
    ask = Asking(Diagnosing(snapshots))
    bad = added(snapshots, profile(tmp_path / "bad.collapsed"))
    first = ask(analysis)
    assert (first.state, first.stale) == (State.READY, frozenset())
    assert first.text.startswith("bad.collapsed: ")
    assert first.diagnosis is not None
    assert [one.state for one in ask.begun] == [State.RUNNING]
    assert ask(analysis) is first
    assert ask(attrs.evolve(analysis, revision=99)) is first
    subject, baseline, violation, settings, *_ = calls.made[0]
    assert (subject.program, subject.options, subject.flows, subject.modified) == (
        analysis.program,
        analysis.options,
        analysis.flows,
        ask.times,
    )
    assert baseline == () and [one.name for one in violation] == ["bad.collapsed"]
    assert settings == DEFAULT
    assert len(calls.made) == 1

    assert ask(analysis, 10).state is State.READY
    assert calls.made[1][3].threshold == 0.1
    assert ask.begun[-1].diagnosis is first.diagnosis  # the choice is the same: it stays meanwhile

    work.open("src/p/A.java", java("A", body="int more;"), 1)
    ask(work.rebuild(), 10)
    assert len(calls.made) == 3

    good = added(snapshots, profile(tmp_path / "good.collapsed"), Role.BASELINE)
    found = ask(work.analysis, 10)
    assert found.text.startswith("bad.collapsed compared with good.collapsed: ")
    assert len(calls.made) == 4 and ask.begun[-1].diagnosis is None

    snapshots.choose([good.id], [])
    none = ask(work.analysis, 10)
    assert (none.state, none.diagnosis) == (State.NONE, None)
    assert none.text == "Choose the slow run that the baseline is compared with."
    snapshots.choose([], [bad.id, good.id])
    assert ask(work.analysis, 10).text.startswith("good.collapsed and 1 other: ")


def test_the_program_index_is_kept_while_its_program_is_diagnosed(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    work = session(project("A", "B"))
    analysis = work.scan()
    ask = Asking(Diagnosing(snapshots))
    bad = added(snapshots, profile(tmp_path / "bad.collapsed"))
    ask(analysis)
    ask(analysis, 10)
    work.open("src/p/A.java", java("A", body="int more;"), 1)
    ask(work.rebuild(), 10)
    snapshots.choose([], [])
    assert ask(work.analysis, 10).state is State.NONE
    snapshots.choose([], [bad.id])
    ask(work.analysis, 10)
    grounds = [made[0].ground for made in calls.made]
    assert grounds[1] is grounds[0]
    assert grounds[2] is not grounds[1]  # another program
    assert grounds[3] is not grounds[2]  # nothing was diagnosed meanwhile
    assert all(made[0].ground.program is made[0].program for made in calls.made)


def test_it_waits_for_the_first_complete_analysis(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    ask = Asking(Diagnosing(snapshots))
    added(snapshots, profile(tmp_path / "bad.collapsed"))
    analysis = session(project("A")).scan()
    for early in (None, attrs.evolve(analysis, complete=False)):
        assert ask(early).state is State.RUNNING
    assert calls.made == []
    assert ask(analysis).state is State.READY


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("nothing to compare"), "No diagnosis of bad.collapsed: nothing to compare"),
        (KeyError("a fault"), "The diagnosis failed (KeyError); the log has the details."),
        (MemoryError(), "The diagnosis failed (MemoryError); the log has the details."),
        (ArithmeticError(), "The diagnosis failed (ArithmeticError); the log has"),
    ],
)
def test_a_failure_is_a_state(
    calls: Calls, snapshots: Snapshots, tmp_path: Path, error: Exception, text: str
) -> None:
    ask = Asking(Diagnosing(snapshots))
    added(snapshots, profile(tmp_path / "bad.collapsed"))
    analysis = session(project("A")).scan()
    calls.error = error
    found = ask(analysis)
    assert (found.state, found.diagnosis) == (State.FAILED, None)
    assert found.text.startswith(text)
    assert ask(analysis) is found
    assert len(calls.made) == 1  # it is not tried again before something is new


def test_a_cancelled_diagnosis_is_made_the_next_time(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    ask = Asking(Diagnosing(snapshots))
    added(snapshots, profile(tmp_path / "bad.collapsed"))
    analysis = session(project("A")).scan()
    calls.error = Cancelled()
    with pytest.raises(Cancelled):
        ask(analysis)
    calls.error = None
    assert ask(analysis).state is State.READY


def test_the_old_diagnosis_stays_while_a_new_one_is_pending(calls: Calls) -> None:
    diagnosis = calls(None)
    stale = frozenset({"a"})
    found = waiting(Diagnosed(State.READY, "so it is", diagnosis, stale))
    assert (found.state, found.diagnosis, found.stale) == (State.RUNNING, diagnosis, stale)


def test_when_java_files_were_changed(tmp_path: Path) -> None:
    for name in ("A", "B"):
        (tmp_path / f"{name}.java").write_text(java(name, ""))
    work = session(RealSystem(str(tmp_path)))
    work.scan()
    found = work.modified()
    assert found.keys() == {"A.java", "B.java"}
    assert all(abs(time.time() - seconds) < 3_600 for seconds in found.values())
    work.open("A.java", java("A", ""), 1)
    work.open("B.java", java("B", "", "int more;"), 1)
    work.rebuild()
    assert work.modified() == {**found, "B.java": math.inf}
    work.close("B.java")
    work.rebuild()
    assert work.modified() == found


def test_a_run_is_stale_if_the_content_of_its_files_changed(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    work = session(project("A", "B"))
    ask = Asking(Diagnosing(snapshots))
    row = added(snapshots, profile(tmp_path / "bad.collapsed"))  # of p.A
    found = ask(work.scan())
    assert (found.stale, found.is_stale) == (frozenset(), False)
    for path, body, stale in (
        ("src/p/B.java", "int more;", False),
        ("src/p/A.java", "", False),
        ("src/p/A.java", "int more;", True),
        ("src/p/A.java", "", False),
    ):
        work.open(path, java(Path(path).stem, body=body), 1)
        found = ask(work.rebuild())
        assert found.stale == (frozenset({row.id}) if stale else frozenset())
        assert found.is_stale is stale


def test_a_change_of_sources_is_detected_after_a_restart(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    work = session(project("A"))
    row = added(snapshots, profile(tmp_path / "bad.collapsed"))
    Asking(Diagnosing(snapshots))(work.scan())
    restarted = Snapshots(str(tmp_path))
    restarted.load()
    work.open("src/p/A.java", java("A", body="int more;"), 1)
    assert Asking(Diagnosing(restarted))(work.rebuild()).stale == {row.id}


def test_neither_a_checkout_nor_a_copy_makes_a_run_stale(
    calls: Calls, snapshots: Snapshots, tmp_path: Path
) -> None:
    """Both write the same content with new times."""
    source = tmp_path / "src" / "A.java"
    source.parent.mkdir()
    source.write_text(java("A"))
    added(snapshots, profile(tmp_path / "bad.collapsed"))
    work = session(RealSystem(str(tmp_path)))
    ask = Asking(Diagnosing(snapshots))
    assert ask(work.scan()).stale == frozenset()
    later = time.time() + 86_400
    os.utime(source, (later, later))
    work.files_changed(["src/A.java"])
    assert ask(work.rebuild()).stale == frozenset()
    assert ask(session(RealSystem(str(tmp_path))).scan()).stale == frozenset()
    source.write_text(java("A", body="int more;"))
    assert ask(session(RealSystem(str(tmp_path))).scan()).stale != frozenset()
    source.unlink()
    assert ask(session(RealSystem(str(tmp_path))).scan()).stale != frozenset()
