"""Recording JVMs for real: one that does nothing but work is started, recorded and left as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled
from conflens.session.snapshots import capture
from conflens.session.snapshots.capture import Capture, CaptureFailure, java_processes
from conflens.session.snapshots.jdk import ToolMissing, find_tool
from conflens.session.snapshots.snapshots import AUTOMATIC, Recording, Snapshots, Unwanted
from conflens.session.snapshots.store import Role
from patience import PATIENCE, until
from session.snapshot_support import quiet

SPIN = """
public class Spin {
    public static void main(String[] args) throws Exception {
        System.out.println("up");
        long sum = 0, end = System.nanoTime() + 3_600_000_000_000L;
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


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "Spin.java").write_text(SPIN)
    subprocess.run([find_tool("javac"), "Spin.java"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def jvm(classes: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A JVM that is up, for all tests that leave it as it was."""
    yield from spinning(classes)


@pytest.fixture
def mortal(classes: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A JVM that may be killed."""
    yield from spinning(classes)


def spinning(classes: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [find_tool("java"), "-Xmx64m", "-cp", str(classes), "Spin", "--password=s3cret"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        try:
            assert process.stdout.readline() == b"up\n"
            until(lambda: process.pid in {one.pid for one in java_processes()}, "it is listed")
            yield process
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files and a cache of its own; returns the first."""
    folder = tmp_path / "temporary files"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path / "cache"))
    return folder


def recordings(pid: int) -> str:
    """What the JVM says of its recordings."""
    done = subprocess.run(
        [find_tool("jcmd"), str(pid), "JFR.check"], capture_output=True, check=True, text=True
    )
    return done.stdout


def nothing(_seconds: float) -> None:
    """Progress that nobody looks at."""


def test_jvms_are_listed_by_name_without_their_arguments(jvm: subprocess.Popen[bytes]) -> None:
    found = {process.pid: process for process in java_processes()}
    assert found[jvm.pid].name == "Spin"
    assert found[jvm.pid].arguments == "--password=…"
    assert found[jvm.pid].folder in ("", os.getcwd())  # noqa: TID251 - where the JVM was started
    assert not any("jcmd" in process.name.lower() for process in found.values())


def test_names_of_classes_and_archives() -> None:
    names = {
        "org.example.Main --password=x": "org.example.Main",
        "/opt/my app/lib/server-1.2.jar --token x.jar": "server-1.2.jar",
        r"C:\apps\server.jar": "server.jar",
        "app.main/org.example.Main": "org.example.Main",
        "": "unnamed JVM",
    }
    assert {command: capture._name(command) for command in names} == names


def test_arguments_are_shown_without_secrets() -> None:
    arguments = {
        "org.example.Main": "",
        "org.example.Main --port 80 serve": "--port 80 serve",
        "org.example.Main --password=x3 --user=me": "--password=… --user=me",
        "org.example.Main --password x3 run": "--password … run",
        "org.example.Main -Ddb.password:x3": "-Ddb.password:…",
        "/opt/my app/lib/server.jar /etc/server.conf": "/etc/server.conf",
        "org.example.Main https://me:hunter2@example.org/": "…",
    }
    assert {command: capture._arguments(command) for command in arguments} == arguments
    assert len(capture._arguments("org.example.Main " + "word " * 100)) == 120


def test_a_recording_is_made_and_leaves_nothing_behind(
    jvm: subprocess.Popen[bytes], folders: Path
) -> None:
    subprocess.run(
        [find_tool("jcmd"), str(jvm.pid), "JFR.start", "name=theirs"],
        check=True,
        capture_output=True,
    )
    seen: list[float] = []
    one = Capture(jvm.pid, 1)
    file = one.run(seen.append)
    assert file.read_bytes()[:4] == b"FLR\0"
    assert file.name.startswith("Spin-") and file.suffix == ".jfr"
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert seen[-1] == 1 and one.process.name == "Spin"
    left = recordings(jvm.pid)
    assert "conflens" not in left and "name=theirs" in left
    one.close()
    assert list(folders.iterdir()) == []


def test_cancelling_stops_the_recording(jvm: subprocess.Popen[bytes], folders: Path) -> None:
    one = Capture(jvm.pid, 600)
    during: list[str] = []

    def told(_seconds: float) -> None:
        during.append(recordings(jvm.pid))
        one.cancel()

    with pytest.raises(Cancelled):
        one.run(told)
    assert f"name={one.recording}" in during[0] and "running" in during[0]
    assert "conflens" not in recordings(jvm.pid)
    one.close()
    assert list(folders.iterdir()) == []


def test_a_failure_during_the_recording_stops_it(jvm: subprocess.Popen[bytes]) -> None:
    one = Capture(jvm.pid, 600)

    def told(_seconds: float) -> None:
        raise RuntimeError("somebody else's fault")

    with pytest.raises(RuntimeError):
        one.run(told)
    assert "conflens" not in recordings(jvm.pid)
    one.close()


def test_a_jvm_that_exits_during_the_recording_is_an_error(
    mortal: subprocess.Popen[bytes],
) -> None:
    one = Capture(mortal.pid, 600)

    def told(_seconds: float) -> None:
        if mortal.poll() is None:
            mortal.kill()
            mortal.wait()

    with pytest.raises(CaptureFailure) as caught:
        one.run(told)
    assert str(caught.value) == f"Spin ({mortal.pid}) ended before the recording did"
    one.close()


def test_only_jvms_are_contacted(
    monkeypatch: pytest.MonkeyPatch, jvm: subprocess.Popen[bytes]
) -> None:
    said: list[tuple[str, ...]] = []
    jcmd = capture._jcmd

    def watched(*arguments: str) -> str:
        said.append(arguments)
        return jcmd(*arguments)

    monkeypatch.setattr(capture, "_jcmd", watched)
    with pytest.raises(CaptureFailure) as caught:
        Capture(os.getpid(), 5).run(nothing)
    assert str(caught.value) == f"there is no JVM with the process id {os.getpid()}"
    assert said == [("-l",)]


@pytest.mark.parametrize(
    ("seconds", "settings"),
    [(0, "profile"), (-1, "profile"), (3601, "profile"), (5, "a b"), (5, "")],
)
def test_invalid_requests_are_refused(seconds: int, settings: str) -> None:
    with pytest.raises(CaptureFailure):
        Capture(1, seconds, settings)


def test_settings_that_the_jdk_does_not_have_are_an_error(jvm: subprocess.Popen[bytes]) -> None:
    one = Capture(jvm.pid, 5, "no-such-settings")
    with pytest.raises(CaptureFailure) as caught:
        one.run(nothing)
    assert str(caught.value).startswith(f"Spin ({jvm.pid}) does not record: ")
    one.close()
    assert "conflens" not in recordings(jvm.pid)


# -- with what is made of it -----------------------------------------------------------------------


def test_a_recording_becomes_a_snapshot(
    jvm: subprocess.Popen[bytes], tmp_path: Path, folders: Path
) -> None:
    shown: list[Recording | None] = []
    snapshots = Snapshots(str(tmp_path), changed=lambda: shown.append(snapshots.recording))
    recorder = snapshots.recorder(Capture(jvm.pid, 2), AUTOMATIC)
    row = snapshots.record(recorder, quiet)
    assert row.role is Role.VIOLATION and row.name.startswith("Spin-")
    assert row.summary.format.startswith("JFR") and row.summary.seconds > 0
    assert row.origin.path == b""
    assert "cpu" in {kind for kind, _, _ in row.summary.kinds}
    choice = snapshots.chosen()
    assert choice is not None
    frames = {frame.method for frame in choice.violation[0].series[0].tree.frames}
    assert "turn" in frames
    running = next(recording for recording in shown if recording is not None)
    assert (running.pid, running.name, running.seconds) == (jvm.pid, "Spin", 2)
    assert snapshots.recording is None
    assert list(folders.iterdir()) == []
    assert "conflens" not in recordings(jvm.pid)


def test_the_end_of_a_session_stops_the_recording(
    jvm: subprocess.Popen[bytes], tmp_path: Path, folders: Path
) -> None:
    snapshots = Snapshots(str(tmp_path))
    started = threading.Event()
    ended: list[str] = []

    def told(_done: int, _total: int) -> None:
        started.set()

    def run() -> None:
        with pytest.raises(Cancelled):
            snapshots.record(snapshots.recorder(Capture(jvm.pid, 600), None), told)
        ended.append("cancelled")

    thread = threading.Thread(target=run)
    thread.start()
    assert started.wait(PATIENCE)
    with pytest.raises(Unwanted):
        snapshots.record(snapshots.recorder(Capture(jvm.pid, 600), None), quiet)
    snapshots.dispose()
    assert "conflens" not in recordings(jvm.pid)
    thread.join()
    assert ended == ["cancelled"] and snapshots.rows == ()
    assert list(folders.iterdir()) == []


# -- where the tools are ---------------------------------------------------------------------------


def tool(folder: Path, name: str) -> str:
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    file = folder / "bin" / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return str(file)


def test_java_home_takes_precedence_over_path(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    first, second, third = tool(home, "jfr"), tool(other, "jfr"), tool(other, "jcmd")
    environment = {"JAVA_HOME": str(home), "PATH": str(other / "bin")}
    assert find_tool("jfr", environment) == first
    assert find_tool("jcmd", environment) == third
    assert find_tool("jfr", {"PATH": str(other / "bin"), "JAVA_HOME": " "}) == second


@pytest.mark.parametrize("environment", [{}, {"JAVA_HOME": "/nowhere"}])
def test_a_missing_tool_is_reported_with_a_remedy(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with pytest.raises(ToolMissing) as caught:
        find_tool("jcmd", {**environment, "PATH": str(tmp_path)})
    assert "install a JDK" in str(caught.value) and "JAVA_HOME" in str(caught.value)


def test_without_a_jdk_there_are_no_jvms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(CaptureFailure) as caught:
        java_processes()
    assert str(caught.value).startswith("jcmd is not on PATH")


def test_a_jcmd_that_hangs_or_fails_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = Path(tool(tmp_path, "jcmd"))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setattr(capture, "TOOL_SECONDS", 0.5)
    shell = shutil.which("sleep")
    assert shell is not None
    scripts: dict[str, Callable[[str], bool]] = {
        f"exec {shell} 60": lambda said: said == "jcmd gave no answer within 0.5 s",
        "echo the reason >&2; exit 1": lambda said: said == "jcmd failed: the reason",
        "exit 1": lambda said: said == "jcmd failed: it says nothing",
    }
    for script, fits in scripts.items():
        file.write_text(f"#!/bin/sh\n{script}\n")
        with pytest.raises(CaptureFailure) as caught:
            java_processes()
        assert fits(str(caught.value))
