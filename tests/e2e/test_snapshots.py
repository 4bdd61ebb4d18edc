"""Snapshots through the real protocol: imported, chosen, dropped, watched, recorded, cancelled."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from conflens.session.snapshots.jdk import find_tool
from e2e.client import STDIO, Client, ServerError, capabilities
from forests import planted
from patience import until
from session.snapshot_support import gone, large, profile

INVALID, FAILED, CANCELLED = -32602, -32803, -32800
DEMO = 'class Demo {\n  String name = System.getProperty("a.b", "c");\n}\n'
CHANGED = "conflens/snapshotsChanged"
SPIN = """
public class Spin {
    public static void main(String[] args) throws Exception {
        System.out.println("up");
        long end = System.nanoTime() + 3_600_000_000_000L;
        while (System.nanoTime() < end) Thread.sleep(1);
    }
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "my projéct 100%"
    folder.mkdir()
    (folder / "Demo.java").write_text(DEMO)
    return folder


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "temporary").mkdir()
    with Client(**environment(tmp_path)) as found:
        yield found


def environment(folder: Path) -> dict[str, str]:
    return {"CONFLENS_CACHE_DIR": str(folder / "cache"), "TMPDIR": str(folder / "temporary")}


def started(client: Client, root: Path, **changes: Any) -> Client:
    client.start({"demo": root.as_uri()}, **changes)
    client.ready()
    return client


def listed(client: Client, **params: object) -> dict[str, Any]:
    return cast(dict[str, Any], client.request("conflens/snapshots", params))


def roles(client: Client, **params: object) -> dict[str, str | None]:
    return {row["name"]: row["role"] for row in listed(client, **params)["snapshots"]}


def imported(client: Client, file: str | Path, **params: object) -> dict[str, Any]:
    params = {"uri": Path(file).as_uri(), **params}
    return cast(dict[str, Any], client.request("conflens/importSnapshot", params))


def refused(client: Client, method: str, params: object) -> tuple[int, str]:
    with pytest.raises(ServerError) as caught:
        client.request(method, params)
    return caught.value.code, str(caught.value)


def progress(client: Client, token: object) -> list[dict[str, Any]]:
    return [
        message["params"]["value"]
        for message in client.notifications
        if message["method"] == "$/progress" and message["params"]["token"] == token
    ]


def halted(client: Client) -> psutil.Process:
    """The process of an import, stopped on its way, so that it does not end before the test has done its part."""
    client.told("$/progress", lambda params: params["value"]["kind"] == "report")
    found = []
    for child in psutil.Process(client.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if "conflens.session.snapshots.worker" in child.cmdline():
                child.suspend()
                found.append(child)
    (process,) = found
    return process


def test_a_profile_is_imported_listed_chosen_and_removed(client: Client, root: Path) -> None:
    started(client, root)
    assert listed(client) == {
        "folder": root.as_uri(),
        "snapshots": [],
        "diagnosis": {"state": "none", "text": "No snapshot is chosen."},
        "recording": None,
        "paired": None,
    }
    file = profile(root / "bad ü.collapsed", 7)
    row = imported(client, file, workDoneToken="bar")
    assert {key: row[key] for key in ("name", "path", "role", "takenAt", "values", "seconds")} == {
        "name": "bad ü.collapsed",
        "path": file,
        "role": "violation",
        "takenAt": None,
        "values": 0,
        "seconds": 0,
    }
    assert row["kinds"] == [{"kind": "cpu", "unit": "samples", "total": 8}]
    assert row["age"] == "just now" and row["notes"] and row["format"]
    kinds = [value["kind"] for value in progress(client, "bar")]
    assert kinds[0] == "begin" and kinds[-1] == "end" and set(kinds[1:-1]) == {"report"}
    good = imported(
        client, profile(root / "good.collapsed"), role="baseline", folder=root.as_uri()
    )
    other = imported(client, profile(root / "other.collapsed"), role=None, unit="bytes")
    assert other["kinds"][0]["unit"] == "bytes"
    assert roles(client) == {
        "bad ü.collapsed": "violation",
        "good.collapsed": "baseline",
        "other.collapsed": None,
    }
    choice = {"baseline": [good["id"], row["id"]], "violation": [other["id"]]}
    assert client.request("conflens/chooseSnapshots", choice) is None
    assert set(roles(client).values()) == {"baseline", "violation"}
    assert client.request("conflens/dropSnapshot", {"id": good["id"]}) is None
    assert "good.collapsed" not in roles(client)
    assert client.request("conflens/chooseSnapshots", {"baseline": [], "violation": []}) is None
    assert set(roles(client).values()) == {None}
    assert client.told(CHANGED)["folder"] == root.as_uri()
    assert client.end() == 0


def test_a_restart_loads_them_again(tmp_path: Path, client: Client, root: Path) -> None:
    started(client, root)
    imported(client, profile(root / "a.collapsed"))
    before = listed(client)["snapshots"]
    assert client.end() == 0
    with Client(**environment(tmp_path)) as after:
        started(after, root)
        until(lambda: listed(after)["snapshots"], "they are read")
        assert [row["id"] for row in listed(after)["snapshots"]] == [before[0]["id"]]
        assert listed(after)["snapshots"][0]["role"] == "violation"
        assert after.end() == 0


def test_invalid_requests_are_answered_with_an_error(client: Client, root: Path) -> None:
    (root / "letter.txt").write_text("Dear all,\n")
    started(client, root)
    for method, params in (
        ("conflens/importSnapshot", {}),
        ("conflens/importSnapshot", [1]),
        ("conflens/importSnapshot", {"uri": 5}),
        ("conflens/importSnapshot", {"uri": "file:///a", "role": "both"}),
        ("conflens/importSnapshot", {"uri": "file:///a", "kind": "heat"}),
        ("conflens/dropSnapshot", {"id": None}),
        ("conflens/chooseSnapshots", {"baseline": "a", "violation": []}),
        ("conflens/nameConfigFiles", {"baseline": "a", "violation": []}),
        ("conflens/record", {"pid": "1; rm", "seconds": 1}),
        ("conflens/record", {"pid": True, "seconds": 1}),
        ("conflens/snapshots", {"folder": 3}),
    ):
        assert refused(client, method, params)[0] == INVALID
    for method, params, text in (
        ("conflens/importSnapshot", {"uri": "http://a/b"}, "http://a/b is not a file"),
        ("conflens/importSnapshot", {"uri": "file:///dev/zero"}, "zero: is not a regular file"),
        ("conflens/importSnapshot", {"uri": "file:///no/such"}, "such: cannot be read: No such"),
        ("conflens/importSnapshot", {"uri": "file:///a%00b"}, "is not a file"),
        (
            "conflens/importSnapshot",
            {"uri": (root / "letter.txt").as_uri()},
            "letter.txt: is not a profile",
        ),
        ("conflens/dropSnapshot", {"id": "../../x"}, "no snapshot with this id"),
        ("conflens/chooseSnapshots", {"baseline": ["x"], "violation": []}, "no snapshot with"),
        ("conflens/snapshots", {"folder": "file:///elsewhere"}, "is not a workspace folder"),
        ("conflens/record", {"pid": os.getpid(), "seconds": 1}, "there is no JVM"),
        ("conflens/record", {"pid": -1, "seconds": 1}, "there is no JVM"),
        ("conflens/record", {"pid": 1, "seconds": 0}, "a recording takes"),
        (
            "conflens/record",
            {"pid": 1, "seconds": 1, "settings": "a;b"},
            "not the name of recording",
        ),
    ):
        code, said = refused(client, method, params)
        assert code == FAILED and text in said and "\n" not in said
    assert listed(client)["snapshots"] == []
    assert client.end() == 0
    assert not any("Traceback" in line for line in client.log)


def test_cancelling_an_import_ends_its_process(client: Client, root: Path, tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    started(client, root)
    params = {"uri": Path(file).as_uri(), "workDoneToken": 1}
    number = client.call("conflens/importSnapshot", params)
    process = halted(client)
    client.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ServerError) as caught:
        client.answer(number)
    assert caught.value.code == CANCELLED
    assert gone(process.pid)
    assert progress(client, 1)[-1]["kind"] == "end"
    assert listed(client)["snapshots"] == []
    assert client.end() == 0


def test_shutting_down_ends_an_import(client: Client, root: Path, tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    started(client, root)
    params = {"uri": Path(file).as_uri(), "workDoneToken": 1}
    client.call("conflens/importSnapshot", params)
    process = halted(client)
    assert client.end() == 0
    until(lambda: gone(process.pid), "its process has ended")


def test_a_lost_server_ends_its_import(client: Client, root: Path, tmp_path: Path) -> None:
    file = large(tmp_path / "large.collapsed", 60_000)
    started(client, root)
    params = {"uri": Path(file).as_uri(), "workDoneToken": 1}
    client.call("conflens/importSnapshot", params)
    process = halted(client)
    client.process.kill()
    process.resume()
    until(lambda: gone(process.pid), "its process has ended")


def test_other_requests_are_answered_during_an_import(
    client: Client, root: Path, tmp_path: Path
) -> None:
    file = large(tmp_path / "large.collapsed", 20_000)
    started(client, root)
    uri = (root / "Demo.java").as_uri()
    params = {"uri": Path(file).as_uri(), "workDoneToken": 1}
    number = client.call("conflens/importSnapshot", params)
    process = halted(client)
    assert client.request("textDocument/hover", client.at(uri, 0, 0)) is None
    assert listed(client)["snapshots"] == []
    process.resume()
    assert client.answer(number)["role"] == "violation"
    assert client.end() == 0


def test_two_runs_are_compared_immediately_and_can_be_swapped(client: Client, root: Path) -> None:
    started(client, root, settings={"profiles": {"watch": ["runs"]}})
    slow = imported(client, profile(root / "slow.collapsed", 30))
    assert slow["paired"] is None
    fast = imported(client, profile(root / "fast.collapsed", 10))
    paired = {
        "baseline": fast["id"],
        "violation": slow["id"],
        "text": "Comparing slow.collapsed (slow run, 31 samples of CPU time) with fast.collapsed "
        "(baseline, 11 samples of CPU time).",
    }
    assert (fast["role"], fast["paired"]) == ("baseline", paired)
    assert listed(client)["paired"] == paired
    swapped = {"baseline": [slow["id"]], "violation": [fast["id"]]}
    client.request("conflens/chooseSnapshots", swapped)
    assert roles(client) == {"slow.collapsed": "baseline", "fast.collapsed": "violation"}
    assert listed(client)["paired"] is None
    for row in (slow, fast):
        client.request("conflens/dropSnapshot", {"id": row["id"]})
    (root / "runs").mkdir()
    for name, weight in (("one", 5), ("two", 9)):
        profile(root / "runs" / f"{name}.collapsed", weight)
    told = client.told(CHANGED, lambda params: "paired" in params)
    assert told["message"] == told["paired"]["text"]
    assert told["message"].startswith("Comparing two.collapsed (slow run, 10 samples")
    assert client.end() == 0


def test_watched_folders_are_imported_and_broken_files_reported_once(
    client: Client, root: Path
) -> None:
    started(client, root, settings={"profiles": {"watch": ["runs"]}})
    imported(client, profile(root / "good.collapsed"), role="baseline")
    (root / "runs").mkdir()
    (root / "runs" / "broken.collapsed").write_text("nothing of the kind\n")
    profile(root / "runs" / "new.collapsed")
    told = client.told(CHANGED, lambda params: "message" in params)
    assert "broken.collapsed: " in told["message"] and "\n" not in told["message"]
    until(lambda: "new.collapsed" in roles(client), "it is imported")
    assert roles(client) == {"good.collapsed": "baseline", "new.collapsed": "violation"}
    (root / ".conflens" / "profiles").mkdir(parents=True)
    profile(root / ".conflens" / "profiles" / "newer.collapsed")
    until(lambda: "newer.collapsed" in roles(client), "it is imported")
    assert roles(client)["newer.collapsed"] == "violation"
    assert roles(client)["new.collapsed"] is None
    messages = [
        message["params"]["message"]
        for message in client.notifications
        if message["method"] == CHANGED and "message" in message["params"]
    ]
    assert len(messages) == 1
    assert client.end() == 0


def test_snapshots_belong_to_their_folder(client: Client, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    client.start({"demo": root.as_uri(), "other": other.as_uri()})
    client.ready()
    inside = (other / "A.java").as_uri()
    row = imported(client, profile(tmp_path / "a.collapsed"), folder=inside)
    here = imported(client, profile(tmp_path / "b.collapsed"), folder=root.as_uri())
    assert roles(client, folder=other.as_uri()) == {"a.collapsed": "violation"}
    assert roles(client) == {"b.collapsed": "violation"}
    mixed = {"baseline": [row["id"]], "violation": [here["id"]]}
    assert refused(client, "conflens/chooseSnapshots", mixed)[0] == FAILED
    client.request("conflens/dropSnapshot", {"id": row["id"]})
    assert roles(client, folder=other.as_uri()) == {}
    assert client.end() == 0


def test_without_a_folder_there_are_no_snapshots(client: Client) -> None:
    client.start({})
    assert refused(client, "conflens/snapshots", None) == (
        FAILED,
        "no folder of the workspace is open",
    )
    assert client.end() == 0


HOT = """class Hot {
  static void run() {
    int n = Integer.getInteger("hot.turns", 5);
    for (int i = 0; i < n; i++) work();
  }
  static void work() { byte[] block = new byte[100]; }
}
"""


def test_a_diagnosis_is_made_shown_and_follows_the_selection(tmp_path: Path, root: Path) -> None:
    (root / "Hot.java").write_text(HOT)
    uri = (root / "Hot.java").as_uri()
    (tmp_path / "temporary").mkdir()
    planted(tmp_path / "cache")
    with Client(STDIO, **environment(tmp_path)) as client:
        started(client, root)

        def state() -> tuple[str, str]:
            found = listed(client)["diagnosis"]
            return found["state"], found["text"]

        assert refused(client, "conflens/diagnosisReport", None) == (
            FAILED,
            "No snapshot is chosen.",
        )
        good = imported(
            client, profile(tmp_path / "good", 10, "Hot.run;Hot.work"), role="baseline"
        )
        until(lambda: state()[1].startswith("Choose the slow run"), "it is told")
        imported(client, profile(tmp_path / "bad", 50, "Hot.run;Hot.work"))
        assert state()[0] in ("running", "ready")
        until(lambda: state()[0] == "ready", "it is made")
        assert state()[1].startswith("bad compared with good: ")
        until(
            lambda: any(one["method"] == "workspace/codeLens/refresh" for one in client.asked),
            "the client is asked to look again",
        )
        file = client.request("conflens/diagnosisReport", {"folder": root.as_uri()})["uri"]
        assert "# Diagnosis" in Path(file.removeprefix("file://")).read_text()

        client.open(uri, HOT)
        client.change(uri, 2, (5, 0, 5, 0, "  // edited\n"))
        client.diagnostics(uri, 2)
        until(lambda: state()[0] == "ready", "it is made again")

        client.request("conflens/dropSnapshot", {"id": good["id"]})
        until(lambda: state()[1].startswith("bad: "), "it follows")
        client.request("conflens/chooseSnapshots", {"baseline": [], "violation": []})
        until(lambda: state() == ("none", "No snapshot is chosen."), "it follows")
        assert client.end() == 0
    assert not any("Traceback" in line for line in client.log)


def test_the_config_files_that_a_person_names_tell_what_differs(
    tmp_path: Path, root: Path
) -> None:
    (root / "Hot.java").write_text(HOT)
    (tmp_path / "temporary").mkdir()
    planted(tmp_path / "cache")
    names = "conflens/nameConfigFiles"
    for name, turns in (("good", 5), ("bad", 50)):
        (tmp_path / f"{name}.properties").write_text(f"hot.turns={turns}\n")
    files = {
        "baseline": [(tmp_path / "good.properties").as_uri()],
        "violation": [(tmp_path / "bad.properties").as_uri()],
    }
    with Client(STDIO, **environment(tmp_path)) as client:
        started(client, root)
        assert "need a baseline and a slow run" in refused(client, names, files)[1]
        good = imported(
            client, profile(tmp_path / "good", 10, "Hot.run;Hot.work"), role="baseline"
        )
        bad = imported(client, profile(tmp_path / "bad", 50, "Hot.run;Hot.work"))
        until(lambda: listed(client)["diagnosis"]["state"] == "ready", "it is made")
        assert "5 → 50" not in _report(client, root)
        for params, text in (
            ({**files, "violation": []}, "each side needs its config file"),
            ({**files, "violation": ["file:///no/such.yml"]}, "/no/such.yml: No such file"),
            ({**files, "violation": ["http://a/b"]}, "http://a/b is not a file"),
        ):
            assert text in refused(client, names, params)[1]
        assert client.request(names, files) is None
        until(lambda: "5 → 50" in _report(client, root), "the values are those of the files")
        sides = {"baseline": [bad["id"]], "violation": [good["id"]]}
        client.request("conflens/chooseSnapshots", sides)
        until(lambda: "5 → 50" not in _report(client, root), "they are of other runs")
        assert client.end() == 0


def _report(client: Client, root: Path) -> str:
    until(lambda: listed(client)["diagnosis"]["state"] == "ready", "it is made")
    file = client.request("conflens/diagnosisReport", {"folder": root.as_uri()})["uri"]
    return Path(file.removeprefix("file://")).read_text()


def test_clients_that_can_fetch_the_report(tmp_path: Path, root: Path) -> None:
    (root / "Hot.java").write_text(HOT)
    (tmp_path / "temporary").mkdir()
    space = {**capabilities("visual_studio_code")["workspace"], "textDocumentContent": {}}
    planted(tmp_path / "cache")
    with Client(STDIO, **environment(tmp_path)) as client:
        started(client, root, workspace=space)
        imported(client, profile(tmp_path / "bad", 50, "Hot.run;Hot.work"))
        until(lambda: listed(client)["diagnosis"]["state"] == "ready", "it is made")
        page = client.request("conflens/diagnosisReport", {})
        assert page["uri"].startswith("conflens:")
        text = client.request("workspace/textDocumentContent", page)["text"]
        assert text.startswith("# Diagnosis") and "hot.turns" in text
        client.request("conflens/chooseSnapshots", {"baseline": [], "violation": []})
        until(
            lambda: any(
                one["method"] == "workspace/textDocumentContent/refresh"
                and one["params"]["uri"] == page["uri"]
                for one in client.asked
            ),
            "the client hears that it changed",
        )
        until(lambda: listed(client)["diagnosis"]["state"] == "none", "it is taken back")
        text = client.request("workspace/textDocumentContent", page)["text"]
        assert text == "# Diagnosis\n\nNo snapshot is chosen.\n"
        assert client.end() == 0


# -- recording -------------------------------------------------------------------------------------


@pytest.fixture
def jvm(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "Spin.java").write_text(SPIN)
    subprocess.run([find_tool("javac"), "Spin.java"], cwd=tmp_path, check=True)
    command = [find_tool("java"), "-Xmx64m", "-cp", str(tmp_path), "Spin", "--jobs", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"up\n"
            yield process
        finally:
            process.kill()


def recordings(pid: int) -> str:
    command = [find_tool("jcmd"), str(pid), "JFR.check"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_a_jvm_is_recorded_and_the_recording_cancelled(
    client: Client, root: Path, tmp_path: Path, jvm: subprocess.Popen[bytes]
) -> None:
    started(client, root)

    def found() -> bool:
        row = {"pid": jvm.pid, "name": "Spin", "arguments": "--jobs 4", "own": False}
        return row in client.request("conflens/javaProcesses", None)

    until(found, "it is listed")
    params = {"pid": jvm.pid, "seconds": 1, "workDoneToken": "bar", "role": "baseline"}
    row = client.request("conflens/record", params)
    assert row["role"] == "baseline" and row["path"] is None and row["takenAt"]
    assert row["name"].startswith("Spin-")
    assert {value["kind"] for value in progress(client, "bar")} == {"begin", "report", "end"}

    number = client.call("conflens/record", {"pid": jvm.pid, "seconds": 600})
    until(lambda: listed(client)["recording"], "it records")
    running = listed(client)["recording"]
    assert (running["pid"], running["name"], running["seconds"]) == (jvm.pid, "Spin", 600)
    assert running["startedAt"].endswith("Z")
    again = {"pid": jvm.pid, "seconds": 5}
    assert refused(client, "conflens/record", again) == (FAILED, "a recording runs already")
    client.notify("$/cancelRequest", {"id": number})
    with pytest.raises(ServerError) as caught:
        client.answer(number)
    assert caught.value.code == CANCELLED
    assert "conflens" not in recordings(jvm.pid)
    assert listed(client)["recording"] is None

    client.call("conflens/record", {"pid": jvm.pid, "seconds": 600})
    until(lambda: listed(client)["recording"], "it records")
    assert "conflens" in recordings(jvm.pid)
    assert client.end() == 0
    assert "conflens" not in recordings(jvm.pid)
    assert list((tmp_path / "temporary").iterdir()) == []
