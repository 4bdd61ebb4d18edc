"""What an editor's user waits for, measured at the client's end of a real session.

Everything is measured twice: with no snapshot, and with two recordings of H2 of which a diagnosis is made anew after
each rebuild.  There the edits are so far apart that most of them come while one is being made.
"""

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

import attrs

from bench.chains import record_pair
from bench.flow_edits import flow_edit_rows
from bench.lsp_client import Client
from bench.rows import Row, percentile
from bench.scans import command, environment

_EDITS = 40
_HOVERS = 200
_QUEUED = 100
_QUEUE_ROUNDS = 10
_PAUSE = 0.25
_LOADED_PAUSES = (1.05, 1.15, 1.25, 1.35, 1.5)
"""Seconds between edits with snapshots: a diagnosis begins a second after a rebuild."""
_LOADED_HOVERS = 800
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
    yield _delay_row(queued, hovers)
    yield from flows
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        yield from _loaded_rows(project, Path(folder), path, positions)


def _delay_row(queued: list[float], hovers: list[float]) -> Row:
    what = f"hover delayed by {_QUEUED} queued and cancelled ones, worst of {_QUEUE_ROUNDS}"
    return Row(what, max(0.0, max(queued) - median(hovers)), "ms", 50)


def _loaded_rows(
    project: Path, scratch: Path, path: str, positions: list[dict[str, int]]
) -> Iterator[Row]:
    """Measure the same with two snapshots and their diagnosis."""
    recordings = record_pair(scratch)
    text = (project / path).read_text(encoding="utf-8")
    uri = (project / path).as_uri()
    with Client(command("serve", "--stdio"), environment(scratch / "cache"), project) as client:
        document = {"uri": uri, "languageId": "java", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})
        _until_indexed(client, uri, positions)
        for recording, role in zip(recordings, ("baseline", "violation"), strict=True):
            client.request("conflens/importSnapshot", {"uri": recording.as_uri(), "role": role})
        _until_diagnosed(client)
        edits = _edits(client, uri, text, _LOADED_PAUSES)
        _undone(client, uri, text)
        # Some of these come before the diagnosis, some during it, and some behind it.
        hovers = _hovers(client, uri, positions, _LOADED_HOVERS, 2.0 / _LOADED_HOVERS)
        _until_diagnosed(client)
        queued = _queued(client, uri, positions)
        flows = list(flow_edit_rows(client, project, uri, positions))
    yield Row("with snapshots: edit to diagnostics, p50", percentile(edits, 0.5), "ms")
    yield Row("with snapshots: edit to diagnostics, p95", percentile(edits, 0.95), "ms", 150)
    yield Row("with snapshots: hover around a diagnosis, p50", percentile(hovers, 0.5), "ms")
    yield Row("with snapshots: hover around a diagnosis, p95", percentile(hovers, 0.95), "ms", 20)
    for row in (_delay_row(queued, hovers), *flows):
        yield attrs.evolve(row, what=f"with snapshots: {row.what}")


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


def _until_diagnosed(client: Client) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if client.request("conflens/snapshots", {})[1]["diagnosis"]["state"] == "ready":
            return
        time.sleep(0.1)
    raise TimeoutError("no diagnosis within 60 s of importing the snapshots")


def _hovers(
    client: Client,
    uri: str,
    positions: list[dict[str, int]],
    count: int = _HOVERS,
    pause: float = 0.0,
) -> list[float]:
    times = []
    for number in range(count):
        if pause:
            time.sleep(pause)
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


def _edits(
    client: Client, uri: str, text: str, pauses: tuple[float, ...] = (_PAUSE,)
) -> list[float]:
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
        time.sleep(pauses[number % len(pauses)])
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
