"""Verdicts of the server as it is shipped: fitted on the way, overruled in the workspace file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil

from e2e.client import STDIO, Client
from patience import until

SOURCE = """import java.util.concurrent.*;
class Pool {
  static ExecutorService made() {
    return Executors.newFixedThreadPool(Integer.getInteger("pool.threads", 8));
  }
}
"""
PERSONS = '[verdict."pool.threads"]\nsensitive = {}\nreason = "measured on our machine"\n'


def hovered(client: Client, uri: str) -> str:
    position = client.at(uri, 3, 62)
    return str(client.request("textDocument/hover", position)["contents"]["value"])


def wait_for(client: Client, uri: str, fits: Callable[[str], bool]) -> str:
    """Ask anew until a hover fits."""
    found: list[str] = []

    def look() -> bool:
        found.append(hovered(client, uri))
        return fits(found[-1])

    until(look, "a hover that fits")
    return found[-1]


def test_a_verdict_in_the_workspace_file_changes_the_hover(tmp_path: Path) -> None:
    root, cache = tmp_path / "demo", tmp_path / "cache"
    root.mkdir()
    (root / "Pool.java").write_text(SOURCE)
    uri, toml = (root / "Pool.java").as_uri(), root / ".conflens.toml"
    with Client(STDIO, CONFLENS_CACHE_DIR=str(cache)) as client:
        client.start({"demo": root.as_uri()})
        client.open(uri, SOURCE)
        client.ready()
        model = wait_for(client, uri, lambda text: "performance" in text.lower())
        assert "**`pool.threads`**" in model and "measured" not in model
        assert len(list(cache.glob("forest-*.bin"))) == 1
        for sensitive, words in (
            ("false", "Does not affect performance"),
            ("true", "Affects performance"),
        ):
            toml.write_text(PERSONS.format(sensitive))
            client.notify("textDocument/didSave", {"textDocument": {"uri": toml.as_uri()}})
            own = wait_for(client, uri, lambda text, words=words: f"\n{words}" in text)  # type: ignore[misc]
            assert "measured on our machine" in own
            assert f"{toml.as_uri()}#L1" in own
        toml.unlink()
        change = {"uri": toml.as_uri(), "type": 3}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        assert wait_for(client, uri, lambda text: "measured" not in text) == model
        assert client.end() == 0


def test_a_server_that_exits_during_fitting_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "Pool.java").write_text(SOURCE)
    with Client(STDIO, CONFLENS_CACHE_DIR=str(tmp_path / "cache")) as client:
        client.start({"demo": tmp_path.as_uri()})
        until(lambda: fitting(client), "a process fits")
        found = fitting(client)
        for process in found:
            process.suspend()  # it is not ready before the server ends
        assert client.end() == 0
    assert not [process for process in found if process.is_running()]
    assert not list((tmp_path / "cache").glob("forest-*"))


def fitting(client: Client) -> list[psutil.Process]:
    """The processes in which a server fits."""
    started = psutil.Process(client.process.pid).children(recursive=True)
    return [process for process in started if "conflens.sensitivity.fitting" in process.cmdline()]
