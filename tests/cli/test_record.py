"""``conflens record``: which JVM is meant, where the file goes, and that nothing stays behind, for real."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.test_main import environment
from conflens.cli.diagnose import record
from conflens.cli.errors import BadInputError
from conflens.cli.main import main
from conflens.session.snapshots.capture import CaptureFailure, JavaProcess
from conflens.session.snapshots.jdk import find_tool
from forests import planted

PROCESSES = (
    JavaProcess(12, "org.example.Main"),
    JavaProcess(34, "server-1.2.jar"),
    JavaProcess(56, "org.example.MainTool"),
    JavaProcess(78, "weird\x1b[31m\u202e"),
)
SPIN = """
public class Whirl {
    public static void main(String[] args) throws Exception {
        System.out.println("up");
        long sum = 0, end = System.nanoTime() + 120_000_000_000L;
        while (System.nanoTime() < end && System.in.available() == 0) sum += turn();
        System.out.println(sum);
    }
    static long turn() {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) sum += Long.toString(i * 31L).hashCode();
        return sum;
    }
}
"""


class Fake:
    """A capture that writes a file at once, or waits until it is cancelled."""

    def __init__(self, pid: int, seconds: int) -> None:
        made.append(self)
        self.pid, self.seconds = pid, seconds
        self.closed = False
        self.stop = threading.Event()

    def cancel(self) -> None:
        self.stop.set()

    def run(self, progress: Callable[[float], None]) -> Path:
        progress(self.seconds)
        if self.seconds == 99:
            raise CaptureFailure("org.example.Main (12) ended before the recording did")
        Path("private").mkdir()
        file = Path("private") / "Main-time.jfr"
        file.write_bytes(b"FLR")
        return file

    def close(self) -> None:
        self.closed = True


made: list[Fake] = []


@pytest.fixture
def faked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made.clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(record, "Capture", Fake)
    monkeypatch.setattr(record, "java_processes", lambda: PROCESSES)
    return tmp_path


@pytest.mark.parametrize(
    ("named", "pid"),
    [("12", 12), ("org.example.Main", 12), ("server", 34), ("SERVER-1", 34), ("MainTool", 56)],
)
def test_a_process_is_selected_by_id_or_name(named: str, pid: int) -> None:
    assert record.chosen(named, PROCESSES).pid == pid


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("13", "'13' is no JVM that runs; there are 12 org.example.Main, 34 server-1.2.jar"),
        ("example", "'example' could be several: 12 org.example.Main, 56 org.example.MainTool"),
        ("nobody", "'nobody' is no JVM that runs"),
    ],
)
def test_a_selection_that_matches_no_process_or_several_is_reported(
    named: str, reason: str
) -> None:
    with pytest.raises(BadInputError) as error:
        record.chosen(named, PROCESSES)
    assert str(error.value).startswith(reason)
    assert str(error.value).isprintable()
    with pytest.raises(BadInputError, match="there is none of this user"):
        record.chosen(named, ())


def test_jvms_are_listed(faked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "12 org.example.Main",
        "34 server-1.2.jar",
        "56 org.example.MainTool",
        "78 weird\ufffd[31m\ufffd",
    ]


def test_a_recording_is_written_to_the_given_file(
    faked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (faked / "x.jfr").write_text("older")
    assert main(["record", "12", "--seconds", "5", "--output", "x.jfr"]) == 0
    assert (faked / "x.jfr").read_bytes() == b"FLR"
    assert capsys.readouterr().out == "5 s of 12 org.example.Main are in x.jfr\n"
    assert [(one.pid, one.seconds, one.closed) for one in made] == [(12, 5, True)]


def test_the_default_name_comes_from_the_process_and_replaces_no_file(
    faked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (faked / "Main-time.jfr").write_text("older")
    assert main(["record", "server"]) == 0
    assert "are in Main-time-2.jfr" in capsys.readouterr().out
    assert (faked / "Main-time.jfr").read_text() == "older"
    assert (faked / "Main-time-2.jfr").read_bytes() == b"FLR"
    assert made[0].seconds == 30


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "name the JVM to record"),
        (("example",), "could be several"),
        (("12", "--seconds", "0"), "must be at least 1"),
        (("12", "--seconds", "99"), "ended before the recording did"),
        (("12", "--output", "nowhere/x.jfr"), "there is no folder nowhere"),
    ],
)
def test_bad_input_gives_one_line(
    arguments: tuple[str, ...], reason: str, faked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["record", *arguments]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1
    assert all(one.closed for one in made)


def test_signal_handlers_are_restored(faked: Path) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    assert main(["record", "12"]) == 0
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.fixture
def jvm(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "Whirl.java").write_text(SPIN)
    subprocess.run([find_tool("javac"), "Whirl.java"], cwd=tmp_path, check=True)
    command = [find_tool("java"), "-Xmx64m", "-cp", str(tmp_path), "Whirl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"up\n"
            yield process
        finally:
            process.kill()


def recordings(pid: int) -> str:
    command = [find_tool("jcmd"), str(pid), "JFR.check"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_a_signal_ends_the_recording_and_leaves_nothing_behind(
    jvm: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "conflens", "record", str(jvm.pid), "--seconds", "600"],
        cwd=temporary,
        env=environment(tmp_path, TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as recording:
        while "conflens-" not in recordings(jvm.pid):
            assert recording.poll() is None
        for _ in range(2):
            os.kill(recording.pid, signal.SIGINT)
        out, error = recording.communicate()
    assert (recording.returncode, out, error) == (130, b"", b"conflens: interrupted\n")
    assert "conflens-" not in recordings(jvm.pid)
    assert list(temporary.iterdir()) == []
    assert jvm.poll() is None


def test_a_recording_can_be_diagnosed(
    jvm: subprocess.Popen[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(planted(tmp_path / "cache")))
    file = str(tmp_path / "spin.jfr")
    assert main(["record", "Whirl", "--seconds", "2", "--output", file]) == 0
    assert "2 s of" in capsys.readouterr().out
    arguments = [str(tmp_path), "--violation", file, "--format", "json"]
    assert main(["diagnose", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["violation"] == ["spin.jfr"]
    assert any(total["kind"] == "allocation" for total in found["totals"])
    assert found["hotspots"]
