"""The workspace: folders, settings, watched files, progress, status and refresh requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from e2e.client import Client, ServerError, capabilities

UNUSED = 'class A { void a() {\nSystem.getProperty("a.b");\n} }'


def folder(parent: Path, name: str, option: str) -> str:
    """Write a folder whose one file reads one option; return the folder's URI."""
    (parent / name).mkdir(parents=True)
    text = f'class A {{ String s = System.getProperty("{option}"); }}'
    (parent / name / "A.java").write_text(text)
    return (parent / name).as_uri()


def found(client: Client, query: str = "") -> list[tuple[str, str]]:
    """The options of the workspace and the ends of their URIs."""
    symbols = client.request("workspace/symbol", {"query": query})
    return sorted((s["name"], "/".join(s["location"]["uri"].split("/")[-2:])) for s in symbols)


def options(number: int) -> Any:
    """A status that counts ``number`` options and is ready."""
    return lambda params: params["options"] == number and params["state"] == "ready"


def test_several_folders_are_added_and_removed(tmp_path: Path) -> None:
    one, two = folder(tmp_path, "one", "o.ne"), folder(tmp_path, "two words", "t.wo")
    with Client() as client:
        client.start({"one": one, "two": two})
        client.told("conflens/status", options(2))
        assert found(client) == [("o.ne", "one/A.java"), ("t.wo", "two%20words/A.java")]
        event = {"added": [], "removed": [{"name": "one", "uri": one}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert found(client) == [("t.wo", "two%20words/A.java")]
        three = {"name": "three", "uri": folder(tmp_path, "three", "th.ree")}
        event = {"added": [three, three], "removed": [{"name": "x", "uri": "untitled:x"}]}
        client.notifications.clear()
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.told("conflens/status", options(2))
        assert found(client) == [("t.wo", "two%20words/A.java"), ("th.ree", "three/A.java")]
        page = client.request("conflens/status", {})["markdown"]
        assert "## two" in page and "## three" in page and "## one" not in page
        assert client.end() == 0


def test_a_document_moves_to_a_folder_added_around_it(tmp_path: Path) -> None:
    inner = folder(tmp_path, "outer/inner", "disk.one")
    outer = folder(tmp_path, "outer/other", "oth.er").rsplit("/", 1)[0]
    uri = f"{inner}/A.java"
    with Client() as client:
        client.start({"outer": outer})
        client.open(uri, 'class A { String s = System.getProperty("edited.one"); }')
        client.told("conflens/status", options(2))
        event = {"added": [{"name": "inner", "uri": inner}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.told("conflens/status", options(3))
        assert ("edited.one", "inner/A.java") in found(client, "edited")
        assert client.hover(uri, 0, 42) == "**`edited.one`** · system property"
        assert client.end() == 0


def test_a_file_without_a_folder_is_analysed_on_its_own(tmp_path: Path) -> None:
    folder(tmp_path, "one", "on.disk")
    uri = (tmp_path / "one" / "B.java").as_uri()
    with Client() as client:
        client.start({})
        page = client.request("conflens/status", None)["markdown"]
        assert page.startswith("# ConfLens\n\nThe server uses ")
        assert page.endswith("\n\nNo folder is open.")
        client.open(uri, UNUSED)
        (item,) = client.diagnostics(uri)
        assert item["code"] == "dead-option"
        assert client.hover(uri, 1, 22) == "**`a.b`** · system property"
        assert [name for name, _ in found(client)] == ["a.b"]
        assert client.end() == 0


def test_settings_are_pulled_pushed_and_accepted_only_if_valid(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    uri = f"{root}/A.java"
    settings: dict[str, Any] = {"hover": {"enabled": False}, "exclude": "wrong"}
    with Client() as client:
        client.answers["workspace/configuration"] = lambda params: (
            [settings] * len(params["items"])
        )
        client.start({"one": root})
        client.open(uri, UNUSED)
        assert [item["code"] for item in client.diagnostics(uri)] == ["dead-option"]
        assert client.hover(uri, 1, 22) is None
        settings.update(hover={"enabled": True}, diagnostics={"deadOption": "warning"})
        client.notifications.clear()
        client.notify("workspace/didChangeConfiguration", {"settings": {"conflens": {}}})
        assert [item["severity"] for item in client.diagnostics(uri)] == [2]
        assert client.hover(uri, 1, 22) == "**`a.b`** · system property"
        for value in (None, [], 3, {"conflens": 7}, {"conflens": {"hover": []}}):
            client.notify("workspace/didChangeConfiguration", {"settings": value})
        client.hover(uri, 1, 22)
        assert client.end() == 0
    complaints = [line for line in client.log if "exclude is 'wrong'" in line]
    assert len(complaints) == 1


def test_a_setting_of_what_is_shown_has_the_client_ask_again(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    settings: dict[str, Any] = {}
    workspace = {
        **capabilities("visual_studio_code")["workspace"],
        "inlayHint": {"refreshSupport": True},
    }
    refresh = "workspace/inlayHint/refresh"
    with Client() as client:
        client.answers["workspace/configuration"] = lambda params: (
            [settings] * len(params["items"])
        )
        client.start({"one": root}, workspace=workspace)
        client.told("conflens/status", options(1))
        client.wait(lambda: refresh in {one["method"] for one in client.asked}, "the first one")
        client.asked.clear()
        settings["annotations"] = {"show": "currentLine"}
        client.notify("workspace/didChangeConfiguration", {"settings": {"conflens": {}}})
        client.wait(lambda: refresh in {one["method"] for one in client.asked}, "another one")
        assert client.end() == 0


def test_pushed_settings_work_for_a_client_without_pull(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    uri = f"{root}/A.java"
    workspace = {**capabilities("neovim")["workspace"], "configuration": False}
    with Client() as client:
        client.start({"one": root}, options={"hover": {"enabled": False}}, workspace=workspace)
        client.open(uri, UNUSED)
        client.diagnostics(uri)
        assert client.hover(uri, 1, 22) is None
        pushed = {"conflens": {"diagnostics": {"enabled": False}}}
        client.notifications.clear()
        client.notify("workspace/didChangeConfiguration", {"settings": pushed})
        assert client.diagnostics(uri) == []
        assert client.hover(uri, 1, 22) == "**`a.b`** · system property"
        assert client.end() == 0


def test_a_client_that_refuses_or_garbles_its_settings(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    for answer in (lambda _: "nonsense", lambda _: [], _refuse):
        with Client() as client:
            client.answers["workspace/configuration"] = answer
            client.answers["client/registerCapability"] = _refuse
            client.start({"one": root})
            client.told("conflens/status", options(1))
            assert client.end() == 0


def _refuse(_: object) -> object:
    raise ServerError({"code": -32601, "message": "not here"})


def test_the_client_reports_files_changed_on_disk(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    workspace = {
        **capabilities("visual_studio_code")["workspace"],
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    }
    with Client() as client:
        client.start({"one": root}, workspace=workspace)
        client.told("conflens/status", options(1))

        def watchers() -> list[str]:
            return [
                watcher["globPattern"]
                for message in client.asked
                if message["method"] == "client/registerCapability"
                for one in message["params"]["registrations"]
                for watcher in (one.get("registerOptions") or {}).get("watchers", ())
            ]

        client.wait(lambda: bool(watchers()), "what files are watched")
        # A Dockerfile, a script without a suffix and a folder are such files.
        assert watchers() == ["**/*"]
        second = tmp_path / "one" / "B.java"
        second.write_text('class B { String s = System.getProperty("t.wo"); }')
        change = {"uri": second.as_uri(), "type": 1}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        client.told("conflens/status", options(2))
        assert client.end() == 0


def test_files_changed_on_disk_are_detected_for_a_client_without_watching(
    tmp_path: Path,
) -> None:
    root = folder(tmp_path, "one", "o.ne")
    workspace = {**capabilities("emacs")["workspace"], "didChangeWatchedFiles": None}
    with Client() as client:
        client.start({"one": root}, "emacs", workspace=workspace)
        client.told("conflens/status", options(1))
        (tmp_path / "one" / "B.java").write_text(
            'class B { String s = System.getProperty("t.wo"); }'
        )
        client.told("conflens/status", options(2))
        assert client.end() == 0


def test_problems_of_the_workspace_file_are_shown_in_it(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    file = tmp_path / "one" / ".conflens.toml"
    file.write_text("# 😀 wrong here\n", encoding="utf-8")
    with Client() as client:
        client.start({"one": root}, general={"positionEncodings": ["utf-16"]})
        uri = f"{root}/.conflens.toml"
        (item,) = client.diagnostics(uri)
        assert (item["message"], item["severity"], item["source"]) == ("not known", 1, "conflens")
        assert item["range"]["end"] == {"line": 0, "character": 15}
        client.open(uri, "# fine\n")
        file.write_text("# fine\n")
        client.notifications.clear()
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert client.diagnostics(uri) == []
        assert client.end() == 0


def test_progress_and_status_of_a_slow_index_and_the_refresh_after_it(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    (tmp_path / "one" / "S.java").write_text("class S { /* SLOW_REBUILD */ }")
    workspace = {
        **capabilities("visual_studio_code")["workspace"],
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
    }
    with Client(TOY_GO=str(tmp_path / "go")) as client:
        client.start({"one": root}, workspace=workspace, window={"workDoneProgress": True})
        client.told("conflens/status", lambda params: params["state"] == "indexing")
        uri = f"{root}/A.java"
        assert client.request("textDocument/hover", client.at(uri, 0, 42)) is None
        client.told("$/progress", lambda params: params["value"]["kind"] == "begin")
        (tmp_path / "go").touch()
        client.told("conflens/status", options(1))
        kinds = [
            m["params"]["value"]["kind"]
            for m in client.notifications
            if m["method"] == "$/progress"
        ]
        assert kinds[0] == "begin"
        client.told("$/progress", lambda params: params["value"]["kind"] == "end")
        asked = {"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}
        client.wait(lambda: asked <= {m["method"] for m in client.asked}, "refresh requests")
        assert client.hover(uri, 0, 42) == "**`o.ne`** · system property"
        assert client.end() == 0


def test_a_client_that_refuses_progress(tmp_path: Path) -> None:
    root = folder(tmp_path, "one", "o.ne")
    (tmp_path / "one" / "S.java").write_text("class S { /* SLOW_REBUILD */ }")
    with Client(TOY_GO=str(tmp_path / "go")) as client:
        client.answers["window/workDoneProgress/create"] = _refuse
        client.start({"one": root}, window={"workDoneProgress": True})
        create = "window/workDoneProgress/create"
        client.wait(lambda: any(m["method"] == create for m in client.asked), create)
        (tmp_path / "go").touch()
        client.told("conflens/status", options(1))
        assert all(message["method"] != "$/progress" for message in client.notifications)
        assert client.end() == 0
