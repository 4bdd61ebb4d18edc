"""Verdicts of a session: fitted beside it, published when they are there, from the table that is wanted."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.base.system import MemorySystem
from conflens.models import jdk
from conflens.models.load import load_models
from conflens.sensitivity import vocabulary
from conflens.sensitivity.fitting import meaning
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.judge import Judge
from conflens.sensitivity.results import Label, SensitivityTable, Source
from conflens.sensitivity.table import Table, dumps, packaged
from conflens.session.analysis import Analysis
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import Session, open_session
from conflens.session.sources.files import RealSystem
from conflens.session.verdicts import judging as module
from conflens.session.verdicts.forests import COMMAND, Forests
from conflens.session.verdicts.judging import Judging, JudgingState, JudgingStatus
from patience import PATIENCE, until
from sensitivity.programs import body, varied
from sensitivity.tables import systems, table

A = "src/A.java"
JAVA = body('byte[] b = new byte[Integer.getInteger("x.buffer.size")];')
KEY = ("system-property", "x.buffer.size")
HANGS = (sys.executable, "-c", "import time; time.sleep(9999)")
FAILS = (sys.executable, "-c", "import sys; sys.exit('it is broken')")
KILLED = (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
WAITS = """
import pathlib, sys, time
sys.stdin.buffer.read()
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.01)
sys.stdout.buffer.write(pathlib.Path(sys.argv[1]).read_bytes())
"""
SMALL = table(*systems("a", "b"))


def answered(forests: Forests) -> Forests:
    assert forests.wait(PATIENCE)
    return forests


def made(training: Table) -> bytes:
    """A forest that passes for one that was fitted from a table."""
    plain = varied()
    return Forest(plain.format, meaning(training), plain.names, plain.trees, plain.slope).write()


def writes(folder: Path, training: Table) -> tuple[tuple[str, ...], Path]:
    """A command that gives a forest once there is a file, and the file."""
    data, go = folder / "made.bin", folder / "go"
    data.write_bytes(made(training))
    return (sys.executable, "-c", WAITS, str(data), str(go)), go


def judged_session(
    system: MemorySystem | RealSystem,
    folder: Path | None,
    published: list[Analysis] | None = None,
    interactive: bool = False,
    now: Callable[[], float] = time.monotonic,
) -> Session:
    options = SessionOptions(cache=False, workers=0, interactive=interactive)
    note = None if published is None else published.append
    return Session(
        system, load_models(), jdk.packaged(), options, note, None, Judging(folder, now)
    )


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    def use(wanted: tuple[str, ...]) -> None:
        monkeypatch.setattr(module, "Forests", partial(Forests, command=wanted))

    return use


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the forest of the packaged table."""
    folder = tmp_path_factory.mktemp("forests")
    forests = answered(Forests(packaged(), folder))
    assert forests.forest is not None, forests.failure
    yield folder


def of_the_packaged(analysis: Analysis, fitted: Path) -> SensitivityTable:
    """What the forest of the packaged table says."""
    (file,) = fitted.glob("forest-*.bin")
    forest = Forest.read(file.read_bytes(), meaning(packaged()))
    assert forest is not None
    judge = Judge(forest, vocabulary.packaged())
    return judge.judged(analysis.program, analysis.options.options, analysis.flows)


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


class Clock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


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


# -- a table of one's own --------------------------------------------------------------------------

OWN = '[exclude]\npaths = []\n\n[sensitivity]\ntable = "conf/table.csv"\n'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "conf/table.csv does not exist"),
        ("option\nx\n", "conf/table.csv:1: not a training table"),
        (
            dumps(SMALL).replace("measured", "guessed", 1),
            "conf/table.csv:2: 'guessed' is not one of",
        ),
        (dumps(SMALL)[:-2] + "x\n", "conf/table.csv:13: a feature is not a number"),
        (dumps(Table(("f",), ())), "the training table was made by another version"),
        (dumps(table()), "a training table needs options of both kinds"),
        (b"\xff\xfe", "conf/table.csv cannot be read"),
    ],
)
def test_an_unusable_table_is_a_problem(
    fitted: Path, content: str | bytes | None, reason: str
) -> None:
    system = MemorySystem({A: JAVA, ".conflens.toml": OWN})
    if content is not None:
        system.write("conf/table.csv", content)
    one = judged_session(system, fitted)
    analysis = one.scan()
    (problem,) = analysis.problems
    assert (problem.path, problem.line, problem.column) == (".conflens.toml", 5, 1)
    assert problem.message.startswith("[sensitivity]: ")
    assert reason in problem.message
    assert problem.message.endswith("; the packaged training table is used")
    assert analysis.sensitivity == of_the_packaged(analysis, fitted)
    one.dispose()


@pytest.mark.parametrize("name", ["conf", "a\\u0000b"])
def test_a_table_that_is_not_a_file_is_a_problem(tmp_path: Path, fitted: Path, name: str) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "A.java").write_text(JAVA)
    (tmp_path / ".conflens.toml").write_text(f'[sensitivity]\ntable = "{name}"\n')
    one = judged_session(RealSystem(str(tmp_path)), fitted)
    analysis = one.scan()
    (problem,) = analysis.problems
    assert (problem.line, "cannot be read" in problem.message) == (2, True)
    assert analysis.sensitivity.ready
    one.dispose()


def test_a_problem_is_reported_at_the_file_that_names_the_table(fitted: Path) -> None:
    system = MemorySystem({A: JAVA, ".conflens.toml": "# nothing\n"})
    one = judged_session(system, fitted)
    one.set_settings(Settings(specs=(("more.toml", '\n[sensitivity]\ntable = "no.csv"\n'),)))
    (problem,) = one.scan().problems
    assert (problem.path, problem.line) == ("more.toml", 3)
    one.dispose()


def test_a_custom_table_is_fitted(tmp_path: Path, fitted: Path) -> None:
    own = table(*systems("ours", "theirs"))
    system = MemorySystem({A: JAVA, ".conflens.toml": OWN, "conf/table.csv": dumps(own)})
    folder = tmp_path / "cache"
    one = judged_session(system, folder)
    analysis = one.scan()
    assert analysis.problems == ()
    assert analysis.sensitivity.ready
    assert analysis.sensitivity != of_the_packaged(analysis, fitted)
    (file,) = folder.glob("forest-*.bin")
    forest = Forest.read(file.read_bytes(), meaning(own))
    assert forest is not None and COMMAND[0] == sys.executable

    for stored in fitted.glob("forest-*.bin"):
        (folder / stored.name).write_bytes(stored.read_bytes())
    system.write(".conflens.toml", "# nothing")
    one.files_changed([".conflens.toml"])
    after = one.rebuild()
    assert after.sensitivity == of_the_packaged(after, fitted)
    assert len(list(folder.glob("forest-*.bin"))) == 2
    one.dispose()


def test_a_users_verdict_needs_no_classifier_and_a_failed_one_is_retried(
    command: Callable[[tuple[str, ...]], None], fitted: Path
) -> None:
    system = MemorySystem({A: JAVA.encode()})
    command(FAILS)
    clock = Clock()
    one = judged_session(system, None, now=clock)
    assert not one.scan().sensitivity.ready
    system.write(".conflens.toml", b'[verdict."x.buffer.size"]\nsensitive = false\n')
    command((sys.executable, "-c", "import sys; sys.exit('still')"))
    one.files_changed([".conflens.toml"])
    verdict = one.rebuild().sensitivity.of_option(KEY)
    assert (verdict.label, verdict.source) == (Label.INSENSITIVE, Source.PERSON)
    data = next(fitted.glob("forest-*.bin")).read_bytes()
    file = fitted / "again.txt"
    file.write_bytes(data)
    command((sys.executable, "-c", WAITS, str(file), str(file)))
    clock.seconds += one.judging().retry
    one.open(A, JAVA + "\n", 1)
    verdict = one.rebuild().sensitivity.of_option(KEY)
    assert verdict.model in (Label.SENSITIVE, Label.INSENSITIVE)
    one.dispose()


@pytest.mark.parametrize("kind", ["pipe", "endless", "huge"])
def test_an_endless_table_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "A.java").write_text(JAVA)
    file = tmp_path / "t.csv"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "endless":
        file.symlink_to("/dev/zero")
    else:
        with open(file, "wb") as out:
            out.truncate(60_000_000)
    (tmp_path / ".conflens.toml").write_text('[sensitivity]\ntable = "t.csv"\n')
    options = SessionOptions(cache=False, workers=0)
    with_problem = open_session(str(tmp_path), options)
    (problem,) = with_problem.scan().problems
    assert (problem.path, problem.line) == (".conflens.toml", 2)
    assert "t.csv" in problem.message and str(tmp_path) not in problem.message
    with_problem.dispose()
