"""What a person waits for who has many files open: hovers as soon as the server is ready, and edits one after the other.

Everything goes through the pipes of a real server.  A cold start has no cache: when the server says that it is ready, verdicts
are still being made; a warm one has the tables of the last scan and then makes them ready for edits.  Each figure stands beside
one of the same run that it can be compared with: hovers of the server at rest, and a parse of the edited file.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench.editing import Document
from bench.lsp_client import Client
from bench.rows import Row, percentile
from bench.scale import Server
from bench.scans import command, environment
from conflens.syntax.java import parse

_OPEN = 40
_HOVERS = 300
_EDITS = 40
_EDITED = "MVStore.java"
_SEED = 7
_METHOD = re.compile(
    r"^    (?:public|private|protected) (?:(?:static|final|synchronized) )*[\w<>\[\].?]+ \w+\([^;{)]*\)[^;{]*\{$",
    re.MULTILINE,
)
"""A method, but no constructor: there, nothing may stand before a call of another."""

Position = tuple[Path, int, int]


def wire_rows(project: Path) -> Iterator[Row]:
    """Measure in sessions on ``project``, cold and then warm."""
    with tempfile.TemporaryDirectory(prefix="conflens-bench-") as folder:
        positions = _reads(project, Path(folder) / "scan")
        for start in ("cold", "warm"):
            yield from _session(project, Path(folder) / "cache", positions, start)


def _session(project: Path, cache: Path, positions: list[Position], start: str) -> Iterator[Row]:
    dice = random.Random(_SEED)
    edited = next(project.rglob(_EDITED))
    with Server(project, cache) as server:
        documents = [Document(server, path, "java") for path in _opened(positions, edited, dice)]
        for document in documents:
            document.open()
        server.settle()
        opened = {document.path for document in documents}
        asked = [position for position in positions if position[0] in opened]
        early = _hovers(server, asked, dice)
        server.rest()
        late = _hovers(server, asked, dice)
        document = next(document for document in documents if document.path == edited)
        before = server.cpu()
        edits = [_edit(server, document, number, dice) for number in range(_EDITS)]
        spent = (server.cpu() - before) * 1000 / _EDITS
    what = f"{start} start, {_OPEN} files open: hover"
    yield Row(f"{what} right after ready, p50", percentile(early, 0.5), "ms")
    yield Row(f"{what} right after ready, p95", percentile(early, 0.95), "ms", 15)
    yield Row(f"{what} at rest, p95", percentile(late, 0.95), "ms")
    yield Row(
        f"{what} right after ready / at rest, p95",
        percentile(early, 0.95) / percentile(late, 0.95),
        "x",
    )
    parsed = _parse(document.text.encode())
    what = f"{start} start: body edit of {_EDITED} to diagnostics"
    yield Row(f"{what}, p50", percentile(edits, 0.5), "ms")
    yield Row(f"{what}, p95", percentile(edits, 0.95), "ms", 150)
    yield Row(f"{what}, processor time of each", spent, "ms")
    yield Row(f"{what}, p95 / parse of the file", percentile(edits, 0.95) / parsed, "x")


def _reads(project: Path, cache: Path) -> list[Position]:
    """Return where options are read."""
    done = subprocess.run(
        command("scan", str(project), "--format", "json"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        env=environment(cache),
    )
    return [
        (project / read["path"], read["line"] - 1, read["column"] - 1)
        for option in json.loads(done.stdout)["options"]
        for read in option["reads"]
    ]


def _opened(positions: list[Position], edited: Path, dice: random.Random) -> list[Path]:
    """Return the files to open: with reads, as far as there are so many."""
    reading = sorted({path for path, _, _ in positions} - {edited})
    return [edited, *dice.sample(reading, min(_OPEN - 1, len(reading)))]


def _hovers(client: Client, positions: list[Position], dice: random.Random) -> list[float]:
    times = []
    for _ in range(_HOVERS):
        path, line, character = dice.choice(positions)
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": path.as_uri()}, "position": position}
        seconds, result = client.request("textDocument/hover", params)
        if result is None:
            raise RuntimeError(f"no hover at {path.name}:{line + 1}")
        times.append(seconds * 1000)
    return times


def _edit(server: Server, document: Document, number: int, dice: random.Random) -> float:
    """Add a read to some method of the document; return the ms until it is reported."""
    method = dice.choice(list(_METHOD.finditer(document.text)))
    name = f"bench.wire.{number:03}"
    line = document.text.count("\n", 0, method.end()) + 1
    since = time.perf_counter()
    document.insert(line, 0, f'        System.getProperty("{name}");\n')
    return (server.note(since, partial(_reports, document.uri, name)) - since) * 1000


def _reports(uri: str, name: str, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics" or note["params"]["uri"] != uri:
        return False
    return any(name in item["message"] for item in note["params"]["diagnostics"])


def _parse(text: bytes) -> float:
    """Return the ms that a parse of a text takes."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        parse(text)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)
