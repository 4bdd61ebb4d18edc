"""A profile in the editor as it is shipped: two snapshots, the option behind the slow-down, its chain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import STDIO, Client, ServerError
from forests import planted
from patience import until

SOURCE = """package demo;

class Work {
    private final int jobs = Integer.getInteger("demo.jobs", 4);

    void run(byte[] data) {
        for (int i = 0; i < jobs; i++) {
            encode(data);
        }
        finish();
    }

    void encode(byte[] data) {
        byte[] copy = data.clone();
        copy[0] = 1;
    }

    void finish() {
    }
}
"""
ENCODE = "demo/Work.run;demo/Work.encode"
FINISH = "demo/Work.run;demo/Work.finish"
OPTION = ["system-property", "demo.jobs"]
CHAINED = "demo.jobs · loop · 500 samples CPU, 100 samples before"
HEAD = {"line": 12, "character": 12}


def position(needle: str) -> dict[str, int]:
    at = SOURCE.index(needle)
    return {
        "line": SOURCE.count("\n", 0, at),
        "character": at - SOURCE.rfind("\n", 0, at) - 1,
    }


def diagnosed(client: Client) -> bool:
    return client.request("conflens/snapshots", {})["diagnosis"]["state"] == "ready"


def opened(client: Client, root: Path, *commands: str) -> dict[str, str]:
    """Start on a project with a good and a bad snapshot; return the document."""
    root.mkdir()
    (root / "Work.java").write_text(SOURCE)
    (root / "app.properties").write_text("demo.jobs=4\n\n")
    own = {"commands": {"commands": list(commands)}}
    client.start({"demo": root.as_uri()}, experimental=own)
    client.ready()
    for role, weight in (("baseline", 100), ("violation", 500)):
        file = root / f"{role}.collapsed"
        file.write_text(f"{ENCODE} {weight}\n{FINISH} 100\n")
        client.request("conflens/importSnapshot", {"uri": file.as_uri(), "role": role})
    until(lambda: diagnosed(client), "a diagnosis")
    return {"uri": (root / "Work.java").as_uri()}


def lens(client: Client, document: dict[str, str]) -> dict[str, Any]:
    found = client.request("textDocument/codeLens", {"textDocument": document})
    measured = [item for item in found if "member" in item["data"]]
    decision, method = (client.request("codeLens/resolve", item) for item in measured)
    assert decision["range"]["start"] == position("for (int")
    assert decision["command"]["title"] == (
        "83 % of CPU time depends on demo.jobs (500 of 600 samples) · likely cause of the slow-down"
    )
    assert method["range"]["start"] == position("encode(byte")
    command: dict[str, Any] = method["command"]
    assert decision["command"]["command"] == command["command"]
    assert command["title"] == (
        "83 % CPU (500 of 600 samples), 100 samples before · likely cause: demo.jobs"
    )
    return command


def hovered(client: Client, document: dict[str, str], at: dict[str, int]) -> str:
    found = client.request("textDocument/hover", {"textDocument": document, "position": at})
    return "" if found is None else str(found["contents"]["value"])


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One for all tests."""
    return str(planted(tmp_path_factory.mktemp("cache")))


def test_hints_lenses_hovers_and_chains(tmp_path: Path, cache: str) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        document = opened(client, tmp_path / "demo", "conflens.showChain")
        everything = {"start": position("package"), "end": {"line": 99, "character": 0}}
        hints = client.request(
            "textDocument/inlayHint", {"textDocument": document, "range": everything}
        )
        heat = [hint for hint in hints if "% CPU" in str(hint["label"])]
        # Above ``encode`` stands a lens.
        assert [(hint["position"]["line"], hint["label"]) for hint in heat] == [
            (17, "17 % CPU (100 of 600 samples), 100 samples before")
        ]
        tooltip = client.request("inlayHint/resolve", heat[0])["tooltip"]["value"]
        assert "17 % of CPU time (100 of 600 samples; 100 samples before) is its own" in tooltip
        read = hovered(client, document, position("demo.jobs"))
        under = (
            "Profile: **83 % of CPU time** ran under this option (500 of 600 samples)."
            " Likely cause of the slow-down: all of the added CPU time, 400 samples."
        )
        assert read.split("\n\n")[1] == under
        assert hovered(client, document, HEAD).startswith("**`Work.encode`** · profile")
        keys = {"uri": document["uri"].replace("Work.java", "app.properties")}
        assert under in hovered(client, keys, {"line": 0, "character": 3})
        assert hovered(client, keys, {"line": 1, "character": 3}) == ""
        (key,) = client.request("textDocument/codeLens", {"textDocument": keys})
        opening = client.request("codeLens/resolve", key)["command"]
        assert (opening["title"], opening["command"]) == (
            "83 % of CPU time depends on this (500 of 600 samples) · likely cause of the slow-down",
            "conflens.showChain",
        )
        command = lens(client, document)
        assert command["command"] == "conflens.showChain"
        folder, chains = command["arguments"]
        assert chains == [{"option": OPTION, "cause": 0, "text": CHAINED}]
        asked = {"folder": folder, "option": chains[0]["option"], "cause": chains[0]["cause"]}
        found = client.request("conflens/chainSteps", asked)
        assert found["title"].startswith(
            "demo.jobs → Work.encode by a loop: 500 samples CPU, 100 samples before"
        )
        assert (found["cause"], found["causes"]) == (0, 1)
        assert [(step["role"], step["text"]) for step in found["steps"]] == [
            ("read", 'Integer.getInteger("demo.jobs", 4)'),
            ("hold", "for (int i = 0; i < jobs; i++)"),
            ("hotspot", "Work.encode"),
        ]
        assert found["steps"][0]["location"]["uri"] == document["uri"]
        assert found["steps"][2]["location"]["range"]["start"] == position("encode(byte")
        assert client.request("conflens/chainSteps", {**asked, "cause": 1}) is None
        with pytest.raises(ServerError) as refused:
            client.request("conflens/chainSteps", {"option": "demo.jobs"})
        assert refused.value.code == -32602


def test_a_client_without_chains_gets_places(tmp_path: Path, cache: str) -> None:
    with Client(STDIO, CONFLENS_CACHE_DIR=cache) as client:
        document = opened(client, tmp_path / "demo", "conflens.showReferences")
        command = lens(client, document)
        assert command["command"] == "conflens.showReferences"
        uri, _, places = command["arguments"]
        assert uri == document["uri"]
        assert [place["range"]["start"]["line"] for place in places] == [3, 6, 12]
