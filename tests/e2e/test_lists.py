"""The lists of options and hotspots and the tints of lines, through the real protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from e2e.client import (
    LISTING_MAX_PAUSE,
    LISTING_PAUSE,
    NEVER,
    PROFILES,
    STDIO,
    Client,
    ServerError,
)
from e2e.test_profile import HEAD, OPTION, opened, position
from forests import planted
from patience import until

INVALID = -32602
CHANGED = "conflens/optionsChanged"
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
DEMO = """class Demo {
  // ? net.ü😀 sensitive 0.87
  static final String K = "net.ü😀"; /* 😀 */ void a() { int n = Integer.getInteger(K, 5);
    byte[] b = new byte[n]; // <- net.ü😀 direct memory // + net.ü😀 sizes a buffer
  }
}
"""
OTHER = 'class Other { String s = System.getProperty("x.y", "z"); }\n'


def folder(parent: Path, name: str, **files: str) -> str:
    root = parent / name
    root.mkdir()
    for file, text in files.items():
        (root / f"{file}.java").write_text(text, encoding="utf-8")
    return root.as_uri()


def listed(client: Client) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], client.request("conflens/options", {})["folders"])


def names(client: Client) -> list[tuple[str, list[str]]]:
    return [(one["name"], [row["name"] for row in one["options"]]) for one in listed(client)]


def told(client: Client) -> int:
    """How often the client was told that the list may differ."""
    return sum(message["method"] == CHANGED for message in client.notifications)


def refused(client: Client, method: str, params: object) -> int:
    with pytest.raises(ServerError) as caught:
        client.request(method, params)
    return cast(int, caught.value.code)


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_options_of_several_folders(tmp_path: Path, profile: str) -> None:
    one = folder(tmp_path, "my projéct 100%", Demo=DEMO)
    two = folder(tmp_path, "two", Other=OTHER)
    with Client() as client:
        found = client.start({"one": one, "two": two}, profile)
        client.told("conflens/status", lambda params: params["options"] == 2)
        first, second = listed(client)
        assert (first["folder"], first["name"], first["ready"]) == (one, "one", True)
        assert (second["folder"], second["name"], second["ready"]) == (two, "two", False)
        before = DEMO.splitlines()[2].partition("K, 5")[0]
        column = len(before.encode(CODECS[found["positionEncoding"]][0]))
        column //= CODECS[found["positionEncoding"]][1]
        assert first["options"] == [
            {
                "domain": "system-property",
                "domainWords": "system property",
                "name": "net.ü😀",
                "namespace": "net",
                "label": "sensitive",
                "probability": 0.87,
                "sentence": "Affects performance: it sizes a buffer.",
                "type": "whole number",
                "default": "5",
                "effect": "sizes 1 buffer",
                "reads": 1,
                "location": {
                    "uri": f"{one}/Demo.java",
                    "range": {
                        "start": {"line": 2, "character": column},
                        "end": {"line": 2, "character": column + 1},
                    },
                },
                "file": "Demo.java",
            }
        ]
        (row,) = second["options"]
        assert (row["label"], row.get("probability"), row.get("sentence")) == (
            "unknown",
            None,
            None,
        )
        assert client.end() == 0


def test_a_client_that_asked_is_notified_once_of_each_change(tmp_path: Path) -> None:
    uri = folder(tmp_path, "one", Demo=DEMO)
    with Client(limits={LISTING_PAUSE: 0.05}) as client:
        client.start({"one": uri})
        client.ready()
        client.open(f"{uri}/Demo.java", DEMO)
        listed(client)
        for version in (2, 3, 4):
            client.change(f"{uri}/Demo.java", version, (0, 0, 0, 0, "\n"))
        client.wait(lambda: told(client) == 1, CHANGED)
        # Who has not asked since is told nothing more.
        client.change(f"{uri}/Demo.java", 5, (0, 0, 0, 0, "\n"))
        client.diagnostics(f"{uri}/Demo.java", 5)
        assert listed(client)[0]["options"][0]["location"]["range"]["start"]["line"] == 6
        assert told(client) == 1
        client.change(f"{uri}/Demo.java", 6, (0, 0, 0, 0, OTHER))
        client.wait(lambda: told(client) == 2, CHANGED)
        assert names(client) == [("one", ["net.ü😀", "x.y"])]
        assert client.end() == 0


def test_who_asks_before_the_pause_is_over_is_told_nothing(tmp_path: Path) -> None:
    uri = folder(tmp_path, "one", Demo=DEMO)
    with Client(limits={LISTING_PAUSE: NEVER, LISTING_MAX_PAUSE: NEVER}) as client:
        client.start({"one": uri})
        client.ready()
        client.open(f"{uri}/Demo.java", DEMO)
        listed(client)
        client.change(f"{uri}/Demo.java", 2, (0, 0, 0, 0, "\n"))
        client.diagnostics(f"{uri}/Demo.java", 2)
        assert listed(client)[0]["options"][0]["location"]["range"]["start"]["line"] == 3
        assert told(client) == 0
        assert client.end() == 0


def test_before_the_first_analysis_nothing_is_listed(tmp_path: Path) -> None:
    uri = folder(tmp_path, "one", Demo=DEMO, Slow="// SLOW_REBUILD\nclass Slow { }")
    with Client(TOY_GO=str(tmp_path / "go")) as client:
        client.start({"one": uri})
        assert listed(client) == [{"folder": uri, "name": "one", "ready": False, "options": []}]
        (tmp_path / "go").touch()
        client.told(CHANGED)
        assert names(client) == [("one", ["net.ü😀"])]
        assert client.end() == 0


def test_folders_are_added_and_removed(tmp_path: Path) -> None:
    one, two = folder(tmp_path, "one", Demo=DEMO), folder(tmp_path, "two", Other=OTHER)
    with Client() as client:
        client.start({"one": one})
        client.ready()
        assert names(client) == [("one", ["net.ü😀"])]
        event = {"added": [{"name": "two", "uri": two}], "removed": [{"name": "one", "uri": one}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.told(CHANGED)
        client.told("conflens/status", lambda params: params["options"] == 1)
        until(lambda: names(client) == [("two", ["x.y"])], "the folder that came")
        assert client.end() == 0


def test_without_a_folder(tmp_path: Path) -> None:
    uri = f"{folder(tmp_path, 'one', Demo=DEMO)}/Demo.java"
    with Client() as client:
        client.start({})
        assert listed(client) == []
        assert client.request("conflens/hotspots", {}) == {"folders": []}
        client.open(uri, DEMO)
        client.told("conflens/status", lambda params: params["options"] == 1)
        client.told(CHANGED)
        (loose,) = listed(client)
        assert loose["name"] == "files without a folder"
        assert [row["location"]["uri"] for row in loose["options"]] == [uri]
        assert client.request("conflens/hotspots", {}) == {"folders": []}
        lines = client.request("conflens/hotLines", {"textDocument": {"uri": uri}})
        assert lines == {"compared": False, "levels": [0.01, 0.05, 0.2], "lines": []}
        assert client.end() == 0


def test_concurrent_equal_requests_share_one_answer(tmp_path: Path) -> None:
    with Client() as client:
        client.start({"one": folder(tmp_path, "one", Demo=DEMO)})
        client.ready()
        asked = [client.call("conflens/options", {}) for _ in range(30)]
        client.notify("$/cancelRequest", {"id": asked[3]})
        answers = [client.answer(number) for number in asked if number != asked[3]]
        assert all(answer == answers[0] for answer in answers)
        assert len(answers[0]["folders"][0]["options"]) == 1
        assert client.end() == 0


def test_invalid_requests(tmp_path: Path) -> None:
    uri = folder(tmp_path, "one", Demo=DEMO)
    with Client() as client:
        client.start({"one": uri})
        client.ready()
        for method in ("conflens/options", "conflens/hotspots"):
            assert [refused(client, method, params) for params in ([], 5, "all")] == [INVALID] * 3
            assert client.request(method, None) == client.request(method, {"more": 1})
        for params in (None, {}, [], {"textDocument": 5}, {"textDocument": {}}):
            assert refused(client, "conflens/hotLines", params) == INVALID
        for other in ("untitled:x", "", "file:///elsewhere/A.java", "\0"):
            asked = {"textDocument": {"uri": other}}
            assert client.request("conflens/hotLines", asked) is None
        for inside in ("gone.java", "README.md", "Demo.java"):
            asked = {"textDocument": {"uri": f"{uri}/{inside}"}}
            assert client.request("conflens/hotLines", asked)["lines"] == []
        assert client.end() == 0


# -- as it is shipped ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One for all tests."""
    return str(planted(tmp_path_factory.mktemp("cache")))


def test_hotspots_and_lines_of_a_comparison(tmp_path: Path, cache: str) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        root = tmp_path / "demo"
        document = opened(client, root)
        (found,) = client.request("conflens/hotspots", {})["folders"]
        assert (found["folder"], found["name"]) == (root.as_uri(), "demo")
        assert (found["state"], found["compared"], found["more"]) == ("ready", True, 0)
        assert found["text"].startswith("violation.collapsed compared with baseline.collapsed: ")
        (row,) = found["hotspots"]
        assert row["location"]["range"]["start"] == position("encode(byte")
        row["location"] = None
        assert row == {
            "method": "Work.encode",
            "file": "Work.java",
            "location": None,
            "share": pytest.approx(5 / 6),
            "change": 2.0,
            "kind": "CPU",
            "text": "83 % CPU (500 of 600 samples), 100 samples before",
            "options": [
                {
                    "option": OPTION,
                    "name": "demo.jobs",
                    "text": "loop · 500 samples CPU, 100 samples before",
                    "cause": 0,
                }
            ],
        }
        (suspect,) = found["options"]
        assert suspect["location"]["range"]["start"] == position('"demo.jobs"')
        suspect["location"] = None
        assert suspect == {
            "option": OPTION,
            "name": "demo.jobs",
            "text": "likely cause: all of the added CPU time, 400 samples",
            "accused": True,
            "share": 1.0,
            "before": None,
            "after": None,
            "causes": 1,
            "location": None,
        }
        asked = {"option": row["options"][0]["option"], "cause": row["options"][0]["cause"]}
        steps = client.request("conflens/chainSteps", asked)["steps"]
        assert [step["why"] for step in steps] == [
            "The option's value enters the program here.",
            "The value controls how often this loop repeats the call below.",
            "83 % of CPU time is spent here (500 of 600 samples; 100 samples before).",
        ]
        lines = client.request("conflens/hotLines", {"textDocument": document})
        assert lines["compared"]
        assert [
            (line["range"]["start"]["line"], line["level"], line["text"])
            for line in lines["lines"]
        ] == [
            (HEAD["line"], 3, "83 % CPU (500 of 600 samples), 100 samples before"),
            (17, 2, "17 % CPU (100 of 600 samples), 100 samples before"),
        ]
        for row in client.request("conflens/snapshots", {})["snapshots"]:
            client.request("conflens/dropSnapshot", {"id": row["id"]})
        until(lambda: state(client) == ("none", []), "no diagnosis")
        assert client.request("conflens/hotLines", {"textDocument": document})["lines"] == []


def state(client: Client) -> tuple[str, list[object]]:
    (found,) = client.request("conflens/hotspots", {})["folders"]
    return found["state"], found["hotspots"]


def test_tints_are_disabled_with_the_hints_and_lenses_of_profiles(
    tmp_path: Path, cache: str
) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        settings = {"inlayHints": {"profile": False}, "codeLens": {"profile": False}}
        client.answers["workspace/configuration"] = lambda params: [
            settings for _ in params["items"]
        ]
        document = opened(client, tmp_path / "demo")
        assert client.request("conflens/hotLines", {"textDocument": document})["lines"] == []
        settings["codeLens"]["profile"] = True
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        until(
            lambda: client.request("conflens/hotLines", {"textDocument": document})["lines"],
            "tints",
        )


def test_edited_lines_are_not_tinted(tmp_path: Path, cache: str) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        document = opened(client, tmp_path / "demo")
        text = (tmp_path / "demo" / "Work.java").read_text()
        client.open(document["uri"], text)
        client.change(document["uri"], 2, (0, 0, 0, 0, "\n"), (13, 9, 13, 15, "renamed"))
        lines = client.request("conflens/hotLines", {"textDocument": document})["lines"]
        assert [line["range"]["start"] for line in lines] == [{"line": 18, "character": 9}]


def test_verdicts_and_odd_names(tmp_path: Path, cache: str) -> None:
    odd = 'class Odd { String s = System.getProperty("a.\\ud800b", "\\u0000\\"<b>"); }'
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        client.start({"one": folder(tmp_path, "one", Odd=odd)})
        client.ready()
        until(lambda: listed(client)[0]["ready"], "verdicts")
        (row,) = listed(client)[0]["options"]
        assert row["name"].startswith("a.")
        assert row["sentence"]
        page = client.request("conflens/status", {})["markdown"]
        assert "The server uses " in page
        assert "First scan: " in page
        assert "Cache on disk: " in page
        assert client.ready()["memory"] > 1_000_000
        assert client.end() == 0
