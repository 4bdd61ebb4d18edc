"""Verdicts of a session: fitted beside it, published when they are there, from the table that is wanted."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.base.system import MemorySystem
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.sensitivity.fitting import meaning
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.results import Label, Source
from conflens.sensitivity.table import packaged
from conflens.session.analysis import Analysis
from conflens.session.options import SessionOptions
from conflens.session.session import Session, open_session
from conflens.session.verdicts.forests import Forests
from conflens.session.verdicts.judging import Judging, JudgingState, JudgingStatus
from patience import PATIENCE, until
from session.judged import (
    FAILS,
    HANGS,
    JAVA,
    KEY,
    KILLED,
    SMALL,
    A,
    Clock,
    answered,
    judged_session,
    made,
    of_the_packaged,
    writes,
)

# -- forests ---------------------------------------------------------------------------------------


def test_a_forest_is_fitted_once_and_stored(fitted: Path) -> None:
    (file,) = fitted.glob("*")
    found = Forest.read(file.read_bytes(), meaning(packaged()))
    assert found is not None and found.trees
    again = answered(Forests(packaged(), fitted, FAILS))
    assert again.forest == found
    assert again.failure == ""


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:40] + b"x" + data[41:],
        lambda data: made(SMALL.without("a")),
    ],
)
def test_a_damaged_file_is_rewritten(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    use, go = writes(tmp_path, SMALL)
    go.touch()
    folder = tmp_path / "cache" / "deep"
    first = answered(Forests(SMALL, folder, use)).forest
    (file,) = folder.iterdir()
    good = file.read_bytes()
    file.write_bytes(damage(good))
    forests = answered(Forests(SMALL, folder, use))
    assert forests.forest == first is not None
    assert [file.read_bytes() for file in folder.iterdir()] == [good]


def test_another_table_has_another_file(tmp_path: Path) -> None:
    for training in (SMALL, SMALL.without("a")):
        use, go = writes(tmp_path, training)
        go.touch()
        assert answered(Forests(training, tmp_path / "cache", use)).forest is not None
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_two_concurrent_sessions_share_the_file(tmp_path: Path) -> None:
    use, go = writes(tmp_path, SMALL)
    folder = tmp_path / "cache"
    both = [Forests(SMALL, folder, use) for _ in range(2)]
    for forests in both:
        forests.start()
        assert not forests.wait(0)
    go.touch()
    one, two = (answered(forests).forest for forests in both)
    assert one == two is not None
    (file,) = folder.iterdir()
    assert Forest.read(file.read_bytes(), meaning(SMALL)) == one


def test_without_a_folder_nothing_is_written(tmp_path: Path) -> None:
    use, go = writes(tmp_path, SMALL)
    go.touch()
    before = sorted(tmp_path.rglob("*"))
    assert answered(Forests(SMALL, None, use)).forest is not None
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unwritable_folder_is_tolerated(tmp_path: Path) -> None:
    use, go = writes(tmp_path, SMALL)
    go.touch()
    (tmp_path / "file").write_text("no folder")
    assert answered(Forests(SMALL, tmp_path / "file", use)).forest is not None


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        (FAILS, "it is broken"),
        ((sys.executable, "-c", "print('no forest')"), "its process ended with 0"),
        (("./no-such-command",), "No such file"),
    ],
)
def test_a_failure_reports_its_reason(
    tmp_path: Path, use: tuple[str, ...], reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    forests = Forests(SMALL, tmp_path / "cache", use)
    with caplog.at_level(logging.WARNING):
        answered(forests)
    assert forests.forest is None
    assert forests.failure.startswith("the classifier could not be fitted: ")
    assert reason in forests.failure
    assert [record.message for record in caplog.records] == [forests.failure]
    assert not (tmp_path / "cache").exists()


def test_a_hanging_process_ends_with_its_owner(caplog: pytest.LogCaptureFixture) -> None:
    forests = Forests(SMALL, None, HANGS)
    forests.start()
    until(lambda: forests._process is not None, "a process")
    process = forests._process
    assert process is not None
    assert not forests.wait(0.05)
    forests.dispose()
    assert process.returncode is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
    assert forests.forest is None
    assert not caplog.records
    forests.dispose()


def test_an_owner_that_exits_at_once_leaves_nothing_behind() -> None:
    for _ in range(5):
        forests = Forests(SMALL, None, HANGS)
        forests.start()
        forests.dispose()
        assert forests._process is None or forests._process.poll() is not None
        assert forests.wait(0)


def test_a_process_started_while_the_owner_exits_is_ended_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forests = Forests(SMALL, None, HANGS)
    begun, go = threading.Event(), threading.Event()
    real = subprocess.Popen

    def slow(*arguments: object, **more: object) -> object:
        begun.set()
        assert go.wait(PATIENCE)
        return real(*arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", slow)
    forests.start()
    assert begun.wait(PATIENCE)
    ending = threading.Thread(target=forests.dispose)
    ending.start()
    until(lambda: forests._disposed, "the end")
    go.set()
    ending.join(PATIENCE)
    assert not ending.is_alive()
    assert forests._process is not None and forests._process.poll() is not None


def test_nothing_starts_after_the_end() -> None:
    forests = Forests(SMALL, None, HANGS)
    forests.dispose()
    assert forests.wait(0)
    assert forests._process is None


def test_a_session_does_not_load_scikit_learn(tmp_path: Path, fitted: Path) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    code = f"""
import sys
from conflens.session.options import SessionOptions
from conflens.session.session import open_session
one = open_session({str(tmp_path)!r}, SessionOptions(workers=0, sensitivity=True))
analysis = one.scan()
one.dispose()
assert analysis.sensitivity.ready
print(len(analysis.sensitivity.verdicts), len(analysis.sensitivity.of_option({KEY!r}).reasons) > 0)
print(sorted(name for name in ("sklearn", "numpy", "scipy", "joblib") if name in sys.modules))
"""
    (file,) = fitted.glob("forest-*.bin")
    stored = tmp_path / "stored"
    stored.mkdir()
    (stored / file.name).write_bytes(file.read_bytes())
    for folder in (stored, tmp_path / "empty"):
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "CONFLENS_CACHE_DIR": str(folder)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert ran.stdout.splitlines() == ["1 True", "[]"], ran.stderr
        assert [found.read_bytes() for found in folder.glob("forest-*")] == [file.read_bytes()]


# -- sessions --------------------------------------------------------------------------------------


def test_the_packaged_table_gives_labels(fitted: Path) -> None:
    one = judged_session(MemorySystem({A: JAVA}), fitted)
    analysis = one.scan()
    assert analysis.complete and analysis.sensitivity.ready
    assert analysis.sensitivity == of_the_packaged(analysis, fitted)
    found = analysis.sensitivity.of_option(KEY)
    assert found.source is Source.MODEL
    assert found.probability is not None and found.reasons
    assert one.rebuild() is analysis
    one.dispose()


def test_a_session_without_judging_gives_no_labels() -> None:
    options = SessionOptions(cache=False, workers=0)
    one = Session(MemorySystem({A: JAVA}), load_models(), jdk.packaged(), options)
    assert not one.scan().sensitivity.ready


def test_a_session_gives_labels(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    one = open_session(str(tmp_path), SessionOptions(cache=False, workers=0))
    assert not one.scan().sensitivity.ready
    one.dispose()


def test_the_analysis_is_published_before_the_labels(
    tmp_path: Path, command: Callable[[tuple[str, ...]], None]
) -> None:
    use, go = writes(tmp_path, packaged())
    command(use)
    published: list[Analysis] = []
    one = judged_session(MemorySystem({A: JAVA}), None, published, interactive=True)
    writer = threading.Thread(target=one.scan)
    writer.start()
    until(lambda: published, "an analysis")
    assert writer.is_alive()
    first = published[0]
    assert first.complete and not first.sensitivity.ready
    assert [option.key for option in first.options.options] == [KEY]
    go.touch()
    writer.join(PATIENCE)
    assert len(published) == 2
    second = published[1]
    assert second.sensitivity.ready and second.revision == first.revision + 1
    assert (second.program, second.flows) == (first.program, first.flows)
    assert second.sensitivity.of_option(KEY).label is Label.SENSITIVE
    one.dispose()


def test_an_edit_does_not_wait_for_the_classifier(
    tmp_path: Path, command: Callable[[tuple[str, ...]], None]
) -> None:
    use, go = writes(tmp_path, packaged())
    command(use)
    published: list[Analysis] = []
    one = judged_session(MemorySystem({A: JAVA}), None, published, interactive=True)
    writer = threading.Thread(target=one.scan)
    writer.start()
    until(lambda: published, "an analysis")
    one.open(A, JAVA.replace("x.buffer.size", "y.buffer.size"), 2)
    writer.join(PATIENCE)
    assert not writer.is_alive() and one.pending
    assert len(published) == 1
    again = threading.Thread(target=one.rebuild)
    again.start()
    until(lambda: len(published) == 2, "another analysis")
    assert not published[1].sensitivity.ready
    assert [option.name for option in published[1].options.options] == ["y.buffer.size"]
    assert again.is_alive()
    go.touch()
    again.join(PATIENCE)
    assert published[2].sensitivity.ready
    assert published[2].open_revisions == {A: 2}
    one.dispose()


def test_an_expedited_request_does_not_wait_for_the_classifier(
    tmp_path: Path, command: Callable[[tuple[str, ...]], None]
) -> None:
    """An edit that waits for the thread that waits is no input yet."""
    use, go = writes(tmp_path, packaged())
    command(use)
    published: list[Analysis] = []
    token = CancelToken()
    one = judged_session(MemorySystem({A: JAVA}), None, published, interactive=True)
    writer = threading.Thread(target=one.rebuild, args=(token,))
    writer.start()
    until(lambda: published, "an analysis")
    assert writer.is_alive()
    token.urge()
    writer.join(PATIENCE)
    assert not writer.is_alive() and not published[-1].sensitivity.ready
    go.touch()
    assert one.rebuild().sensitivity.ready
    one.dispose()


def test_a_scan_always_waits_for_the_classifier(
    tmp_path: Path, command: Callable[[tuple[str, ...]], None]
) -> None:
    use, go = writes(tmp_path, packaged())
    command(use)
    published: list[Analysis] = []
    one = judged_session(MemorySystem({A: JAVA}), None, published)
    writer = threading.Thread(target=one.scan)
    writer.start()
    until(lambda: published, "an analysis")
    one.open(A, JAVA, 2)
    writer.join(0.3)
    assert writer.is_alive()
    go.touch()
    writer.join(PATIENCE)
    assert published[-1].sensitivity.ready
    one.dispose()


def test_waiting_can_be_cancelled(command: Callable[[tuple[str, ...]], None]) -> None:
    command(HANGS)
    token = CancelToken()
    published: list[Analysis] = []
    one = judged_session(MemorySystem({A: JAVA}), None, published)
    ended: list[BaseException] = []

    def scan() -> None:
        try:
            one.scan(token=token)
        except Cancelled as error:
            ended.append(error)

    writer = threading.Thread(target=scan)
    writer.start()
    until(lambda: published, "an analysis")
    token.cancel()
    writer.join(PATIENCE)
    assert not writer.is_alive() and len(ended) == 1
    assert one.analysis is published[0] and one.pending
    forests = one._judging._forests  # type: ignore[union-attr]
    assert forests is not None and forests._process is not None
    one.dispose()
    assert forests._process.poll() is not None


def test_a_session_survives_a_failing_classifier(
    command: Callable[[tuple[str, ...]], None],
) -> None:
    command(FAILS)
    published: list[Analysis] = []
    one = judged_session(MemorySystem({A: JAVA}), None, published)
    analysis = one.scan()
    assert analysis.complete and not analysis.sensitivity.ready
    assert published == [analysis]
    one.open(A, JAVA.replace("x.buffer", "y.buffer"), 2)
    assert [option.name for option in one.rebuild().options.options] == ["y.buffer.size"]
    assert len(published) == 2
    one.dispose()


def test_a_classifier_whose_process_was_killed_is_fitted_again_after_growing_pauses(
    tmp_path: Path, command: Callable[[tuple[str, ...]], None]
) -> None:
    command(KILLED)
    clock = Clock()
    judging = Judging(None, clock)
    published: list[Analysis] = []
    options = SessionOptions(cache=False, workers=0)
    one = Session(
        MemorySystem({A: JAVA}),
        load_models(),
        jdk.packaged(),
        options,
        published.append,
        None,
        judging,
    )
    assert not one.scan().sensitivity.ready
    pauses = []
    for _ in range(6):
        status = one.judging()
        assert status.state is JudgingState.FAILED
        assert "its process ended with -9" in status.failure
        pauses.append(status.retry)
        clock.seconds += status.retry - 0.5
        forests = judging._forests
        one.rebuild()
        assert judging._forests is forests  # too early
        clock.seconds += 0.5
        one.rebuild()
        assert judging._forests is not forests
    assert pauses == [5.0, 20.0, 80.0, 320.0, 600.0, 600.0]
    assert len(published) == 1
    use, go = writes(tmp_path, packaged())
    go.touch()
    command(use)
    clock.seconds += one.judging().retry
    assert one.rebuild().sensitivity.ready  # without any input
    assert one.judging() == JudgingStatus(JudgingState.READY)
    assert published[-1].sensitivity.ready
    one.dispose()


def test_a_session_without_judging_waits_for_no_verdicts() -> None:
    options = SessionOptions(cache=False, workers=0)
    one = Session(MemorySystem({A: JAVA}), load_models(), jdk.packaged(), options)
    one.scan()
    assert one.judging().state is JudgingState.OFF


def test_edits_are_classified(fitted: Path) -> None:
    one = judged_session(MemorySystem({A: JAVA}), fitted)
    first = one.scan()
    one.open(A, JAVA + "\n", 2)
    same = one.rebuild()
    assert same is not first
    assert same.sensitivity == first.sensitivity
    one.open(A, JAVA.replace("x.buffer.size", "x.password"), 3)
    found = one.rebuild().sensitivity
    assert list(found.verdicts) == [("system-property", "x.password")]
    one.dispose()


def test_a_users_verdict_is_added_and_removed(fitted: Path) -> None:
    system = MemorySystem({A: JAVA})
    one = judged_session(system, fitted)
    model = one.scan().sensitivity.of_option(KEY)
    wanted = Label.SENSITIVE if model.label is Label.INSENSITIVE else Label.INSENSITIVE
    said = str(wanted is Label.SENSITIVE).lower()
    text = f'# ours\n\n[verdict."x.buffer.size"]\nsensitive = {said}\nreason = "measured"\n'
    system.write(".conflens.toml", text)
    one.files_changed([".conflens.toml"])
    found = one.rebuild().sensitivity.of_option(KEY)
    assert (found.label, found.source, found.line) == (wanted, Source.PERSON, 3)
    assert (found.note, found.model) == ("measured", model.label)
    system.remove(".conflens.toml")
    one.files_changed([".conflens.toml"])
    assert one.rebuild().sensitivity.of_option(KEY) == model
    one.dispose()
