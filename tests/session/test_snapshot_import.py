"""Imports in a process of their own: answers, bounds, cancelling, and that no process is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled
from conflens.profiling.codec import decode
from conflens.profiling.model import EventKind, ImportFailure, Unit
from conflens.session.snapshots.importing import Importing, ImportOptions, _environment
from conflens.session.snapshots.messages import Imported, Request
from conflens.session.workers.ipc_frames import read_frame, write_frame
from patience import PATIENCE, until
from session.snapshot_support import gone, hanging, large, profile, quiet


def request(file: str | Path, **more: str) -> Request:
    return Request(os.fsencode(file), os.path.basename(file), **more)


def imported(file: str | Path, **more: str) -> Imported:
    return Importing(request(file, **more)).run(quiet)


def failure(file: str | Path, options: ImportOptions | None = None) -> str:
    with pytest.raises(ImportFailure) as caught:
        Importing(request(file), options).run(quiet)
    return str(caught.value)


def test_a_file_is_imported_as_a_snapshot_with_its_summary(tmp_path: Path) -> None:
    file = profile(tmp_path / "a ü.collapsed", 7)
    told: list[tuple[int, int]] = []
    found = Importing(request(file)).run(lambda done, total: told.append((done, total)))
    snapshot = decode(found.data)
    assert [series.total for series in snapshot.series] == [8]
    assert found.summary.kinds == (("cpu", "samples", 8),)
    assert found.summary.format == snapshot.format
    assert found.summary.notes == snapshot.notes
    size = Path(file).stat().st_size
    assert (found.size, found.modified) == (size, Path(file).stat().st_mtime_ns)
    assert told and {total for _, total in told} == {size}


def test_facts_missing_from_the_file_can_be_given(tmp_path: Path) -> None:
    file = profile(tmp_path / "a.collapsed")
    found = imported(file, kind=EventKind.WALL.value, unit=Unit.NANOSECONDS.value)
    assert found.summary.kinds == (("wall", "nanoseconds", 6),)


def test_a_file_that_is_no_profile_is_refused_with_one_line(tmp_path: Path) -> None:
    text, empty = tmp_path / "letter.txt", tmp_path / "empty.jfr"
    text.write_text("Dear all,\nnothing was measured.\n")
    empty.touch()
    assert failure(text).startswith("letter.txt: is not a profile; it looks like text")
    assert "\n" not in failure(text)
    assert failure(empty) == "empty.jfr: is empty"


@pytest.mark.parametrize("name", ["two  blanks.jfr", "two\nlines.jfr"])
def test_a_name_too_long_for_a_line_is_shown_once_and_on_one_line(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).touch()
    assert failure(tmp_path / name) == f"{' '.join(name.split())}: is empty"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jfr"
    os.mkfifo(pipe)
    assert failure(pipe) == "pipe.jfr: is not a regular file"
    assert failure("/dev/zero") == "zero: is not a regular file"
    assert failure(tmp_path).endswith("Is a directory")
    assert failure(tmp_path / "nothing.jfr").endswith("No such file or directory")


def test_memory_is_bounded(tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    said = failure(file, ImportOptions(memory_mb=40))
    assert said == "large.collapsed: needs more than 40 MB to import"


def test_time_is_bounded(tmp_path: Path) -> None:
    said = failure(profile(tmp_path / "a.collapsed"), hanging(tmp_path / "pids", seconds=0.3))
    assert said == "a.collapsed: takes longer than 0.3 s to import"


def test_cancelling_ends_a_hanging_process_and_its_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    importing = Importing(request(profile(tmp_path / "a.collapsed")), hanging(pids))
    raised: list[BaseException] = []

    def run() -> None:
        try:
            importing.run(quiet)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until(pids.exists, "the process runs")
    importing.cancel()
    thread.join()
    assert [type(error) for error in raised] == [Cancelled]
    until(lambda: all(gone(int(pid)) for pid in pids.read_text().split()), "both are gone")
    assert importing.pid is None


def test_cancelling_ends_a_running_import(tmp_path: Path) -> None:
    importing = Importing(request(large(tmp_path / "large.collapsed", 60_000)))
    seen: list[int] = []

    def told(_done: int, _total: int) -> None:
        assert importing.pid is not None
        seen.append(importing.pid)
        importing.cancel()

    with pytest.raises(Cancelled):
        importing.run(told)
    assert seen and all(map(gone, seen))


def test_an_import_cancelled_beforehand_starts_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    importing = Importing(request(profile(tmp_path / "a.collapsed")), hanging(pids))
    importing.cancel()
    with pytest.raises(Cancelled):
        importing.run(quiet)
    assert not pids.exists()


def test_a_queued_import_can_be_cancelled(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    first = Importing(request(profile(tmp_path / "a.collapsed")), hanging(pids))
    second = Importing(request(profile(tmp_path / "b.collapsed")))
    ends: list[str] = []

    def run(name: str, importing: Importing) -> None:
        with pytest.raises(Cancelled):
            importing.run(quiet)
        ends.append(name)

    threads = [threading.Thread(target=run, args=("first", first))]
    threads[0].start()
    until(pids.exists, "the first runs")
    threads.append(threading.Thread(target=run, args=("second", second)))
    threads[1].start()
    second.cancel()
    threads[1].join()
    assert ends == ["second"]
    first.cancel()
    threads[0].join()
    assert ends == ["second", "first"]


@pytest.mark.parametrize(
    "program",
    [
        "import os; os._exit(3)",
        "import os; os.write(1, b'no frame at all, but long enough')",
        "import os; os.write(1, b'\\0\\0\\0\\1\\xc0')",
        "import os; os.write(1, b'\\0\\0\\0\\x10half')",
    ],
)
def test_a_process_that_answers_with_garbage_is_an_error(tmp_path: Path, program: str) -> None:
    options = ImportOptions(command=(sys.executable, "-c", program))
    said = failure(profile(tmp_path / "a.collapsed"), options)
    assert said.startswith("a.collapsed: the process that imports it ended without an answer")


def test_a_process_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    options = ImportOptions(command=(os.fspath(tmp_path / "nothing"),))
    said = failure(profile(tmp_path / "a.collapsed"), options)
    assert said == "a.collapsed: no process can be started to import it: No such file or directory"


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    process = subprocess.Popen(
        ImportOptions().command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_environment(),
    )
    assert process.stdin is not None and process.stdout is not None
    with process:
        write_frame(process.stdin, request(file))
        assert read_frame(process.stdout) is not None
        process.send_signal(signal.SIGSTOP)  # it is on its way, and does not get to the end before
        process.stdin.close()
        process.send_signal(signal.SIGCONT)
        assert process.wait(PATIENCE) == 1


# -- recordings that only the JDK's own tool can read ----------------------------------------------


def foreign(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A recording of a later version, and a JDK whose ``jfr`` is a script."""
    file = folder / "later.jfr"
    file.write_bytes(b"FLR\0\0\3\0\0" + bytes(100))
    tool = folder / "jdk" / "bin" / "jfr"
    tool.parent.mkdir(parents=True)
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(folder / "jdk"))
    return file


def test_a_newer_format_version_is_read_through_the_jdk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = tmp_path / "arguments"
    script = f"echo \"$@\" > '{arguments}'; echo 'p/A.run;p/A.work 7'"
    file = foreign(tmp_path, monkeypatch, script)
    assert imported(file).summary.kinds == (("cpu", "samples", 7),)
    said = arguments.read_text()
    assert said.startswith("-J-Xmx256m print --json --stack-depth ")
    assert said.strip().endswith(str(file))


def test_what_the_jdk_cannot_print_either_is_reported_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = foreign(tmp_path, monkeypatch, "echo 'File version 3.0.' >&2; exit 1")
    assert failure(file) == "later.jfr: the JDK's jfr cannot print it: File version 3.0."


def test_without_a_jdk_a_newer_format_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = foreign(tmp_path, monkeypatch, "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME")
    said = failure(file)
    assert "version 3.0" in said and "jfr is not on PATH" in said


def test_cancelling_ends_the_jdks_tool_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    script = f"echo $$ > '{pids}.new'; mv '{pids}.new' '{pids}'; exec sleep 9999"
    importing = Importing(request(foreign(tmp_path, monkeypatch, script)))
    ends: list[bool] = []

    def run() -> None:
        with pytest.raises(Cancelled):
            importing.run(quiet)
        ends.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    until(pids.exists, "the tool runs")
    importing.cancel()
    thread.join()
    assert ends == [True]
    until(lambda: gone(int(pids.read_text())), "the tool is gone")


def test_the_jdks_tool_ends_with_the_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    script = f"echo $$ > '{pids}.new'; mv '{pids}.new' '{pids}'; exec sleep 9999"
    file = foreign(tmp_path, monkeypatch, script)
    process = subprocess.Popen(
        ImportOptions().command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
    )
    assert process.stdin is not None
    with process:
        write_frame(process.stdin, request(file))
        until(pids.exists, "the tool runs")
        process.stdin.close()
        assert process.wait(PATIENCE) == 1
    until(lambda: gone(int(pids.read_text())), "the tool is gone")
