"""What an editor's user waits for, measured at the client's end of a real session."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench.flow_edits import flow_edit_rows
from bench.lsp_client import Client
from bench.rows import Row, percentile
from bench.scans import command, environment

_EDITS = 40
_HOVERS = 200
_QUEUED = 100
_QUEUE_ROUNDS = 10
_PAUSE = 0.25
_LINES = 2000
_METHOD = re.compile(r"^    (?:public|private|protected)\b[^;={]*\([^;{]*\{$", re.MULTILINE)


def editor_rows(project: Path) -> Iterator[Row]:
    """Measure with ``project`` open and one of its files of about 2,000 lines in the editor."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        cache = Path(folder)
        path, positions = _choose(project, cache)
        text = (project / path).read_text(encoding="utf-8")
        uri = (project / path).as_uri()
        with Client(command("serve", "--stdio"), environment(cache), project) as client:
            document = {"uri": uri, "languageId": "java", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})
            _until_indexed(client, uri, positions)
            edits = _edits(client, uri, text)  # first: the server has then nothing left to do
            _undone(client, uri, text)
            hovers = _hovers(client, uri, positions)
            queued = _queued(client, uri, positions)
            flows = list(flow_edit_rows(client, project, uri, positions))
    lines = text.count("\n")
    yield Row(
        f"edit to diagnostics, {path.rsplit('/', 1)[-1]} ({lines:,} lines), p50",
        percentile(edits, 0.5),
        "ms",
    )
    yield Row("edit to diagnostics, p95", percentile(edits, 0.95), "ms", 150)
    yield Row("hover, p50", percentile(hovers, 0.5), "ms")
    yield Row("hover, p95", percentile(hovers, 0.95), "ms", 20)
    late = max(queued) - median(hovers)
    yield Row(
        f"hover delayed by {_QUEUED} queued and cancelled ones, worst of {_QUEUE_ROUNDS}",
        max(0.0, late),
        "ms",
        50,
    )
    yield from flows


def _choose(project: Path, cache: Path) -> tuple[str, list[dict[str, int]]]:
    """Return the file with option reads of at least 2,000 lines that is nearest to that, and their positions."""
    done = subprocess.run(
        command("scan", str(project), "--format", "json"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        env=environment(cache),
    )
    places: dict[str, list[dict[str, int]]] = {}
    for option in json.loads(done.stdout)["options"]:
        for read in option["reads"]:
            place = {"line": read["line"] - 1, "character": read["column"] - 1}
            places.setdefault(read["path"], []).append(place)

    def distance(path: str) -> int:
        text = (project / path).read_text(encoding="utf-8", errors="replace")
        lines = text.count("\n")
        return lines - _LINES if lines >= _LINES and _METHOD.search(text) else 1_000_000

    path = min(sorted(places), key=distance)
    return path, places[path]


def _until_indexed(client: Client, uri: str, positions: list[dict[str, int]]) -> None:
    end = time.monotonic() + 60
    params = {"textDocument": {"uri": uri}, "position": positions[0]}
    while time.monotonic() < end:
        if client.request("textDocument/hover", params)[1] is not None:
            time.sleep(1.0)
            return
        time.sleep(0.1)
    raise TimeoutError("no hover within 60 s of opening the workspace")


def _hovers(client: Client, uri: str, positions: list[dict[str, int]]) -> list[float]:
    times = []
    for number in range(_HOVERS):
        position = positions[number % len(positions)]
        params = {"textDocument": {"uri": uri}, "position": position}
        seconds, result = client.request("textDocument/hover", params)
        if result is None:
            raise RuntimeError(f"no hover at {position}")
        times.append(seconds * 1000)
    return times


def _queued(client: Client, uri: str, positions: list[dict[str, int]]) -> list[float]:
    """Send hovers, cancel them all, and time the next one from when it was sent."""
    times = []
    params = {"textDocument": {"uri": uri}, "position": positions[0]}
    for _ in range(_QUEUE_ROUNDS):
        numbers = [client.send_request("textDocument/hover", params)[0] for _ in range(_QUEUED)]
        for number in numbers:
            client.notify("$/cancelRequest", {"id": number})
        times.append(client.request("textDocument/hover", params)[0] * 1000)
        for number in numbers:
            client.answer(number)
    return times


def _edits(client: Client, uri: str, text: str) -> list[float]:
    """Edit one method again and again; each time a new read whose value is not used must be reported."""
    found = list(_METHOD.finditer(text))
    method = found[len(found) // 2]
    line = text.count("\n", 0, method.start())
    times = []
    inserted = 0
    for number in range(_EDITS):
        name = f"bench.option.{number:03}"
        new = f'        System.getProperty("{name}");\n'
        start = {"line": line + method.group().count("\n") + 1, "character": 0}
        end = {**start, "line": start["line"] + inserted}
        change = {"range": {"start": start, "end": end}, "text": new}
        inserted = 1
        document = {"uri": uri, "version": number + 2}
        sent = client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [change]}
        )
        at = client.note(sent, partial(_reports, uri, name))
        times.append((at - sent) * 1000)
        time.sleep(_PAUSE)
    return times


def _undone(client: Client, uri: str, text: str) -> None:
    """Put the text back as it was, so that positions are those of before."""
    document = {"uri": uri, "version": _EDITS + 2}
    client.notify(
        "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]}
    )
    time.sleep(_PAUSE)


def _reports(uri: str, name: str, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics" or note["params"]["uri"] != uri:
        return False
    return any(name in item["message"] for item in note["params"]["diagnostics"])
