"""How soon flows are right again after edits, and whether anybody waits for a rebuild meanwhile.

An edit counts as published when the read that it adds is reported: options and flows are published in one
step, so this is when both are of the new text.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.lsp_client import Client
from bench.rows import Row, percentile

_FILES = 12
_EDITS = 40
_SIGNATURES = 40
_HOVERS = 200
_PAUSE = 0.25
_SEED = 5
_METHOD = re.compile(
    r"^    (?:public|private|protected) (?:(?:static|final|synchronized) )*[\w<>\[\].?]+ \w+"
    r"\((?P<params>[^;{)]*)\)[^;{]*\{$",
    re.MULTILINE,
)
"""A method, but no constructor: there, nothing may stand before a call of another."""


class Editing:
    """Files of a project open in a session, edited at random but the same in every run."""

    def __init__(self, client: Client, project: Path, spare: str) -> None:
        """Open ``_FILES`` files of some size, but not ``spare``."""
        self._client = client
        self._dice = random.Random(_SEED)
        self._texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._count = 0
        candidates = []
        for file in sorted(project.rglob("*.java")):
            text = file.read_text(encoding="utf-8", errors="replace")
            if (
                text.count("\n") > 300
                and len(_METHOD.findall(text)) > 10
                and file.as_uri() != spare
            ):
                candidates.append((file.as_uri(), text))
        for uri, text in self._dice.sample(candidates, min(_FILES, len(candidates))):
            self._texts[uri] = text
            self._versions[uri] = 1
            document = {"uri": uri, "languageId": "java", "version": 1, "text": text}
            client.notify("textDocument/didOpen", {"textDocument": document})

    def body(self, statement: str) -> float:
        """Type a statement and a read into some method; return the ms until both are published."""
        return self._time(self._insert(statement, False))

    def signature(self) -> float:
        """Add a parameter to some method, and a read to its body; return the ms likewise."""
        return self._time(self._insert("", True))

    def upset(self) -> None:
        """Add a parameter to some method and wait for nothing."""
        self._insert("", True)

    def _insert(self, statement: str, signature: bool) -> tuple[float, str, str]:
        uri = self._dice.choice(sorted(self._texts))
        text = self._texts[uri]
        method = self._dice.choice(list(_METHOD.finditer(text)))
        self._count += 1
        name = f"bench.flows.{self._count:04}"
        new = f'\n        {statement}System.getProperty("{name}");'
        changes = [_change(text, method.end(), new)]
        edited = text[: method.end()] + new + text[method.end() :]
        if signature:
            at = method.start("params")
            param = f"int bench{self._count}" + (", " if method["params"].strip() else "")
            changes.append(_change(text, at, param))
            edited = edited[:at] + param + edited[at:]
        self._texts[uri] = edited
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        sent = self._client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
        )
        return sent, uri, name

    def _time(self, edit: tuple[float, str, str]) -> float:
        sent, uri, name = edit
        at = self._client.note(sent, partial(_reports, uri, name))
        time.sleep(_PAUSE)
        return (at - sent) * 1000


def flow_edit_rows(
    client: Client, project: Path, uri: str, positions: list[dict[str, int]]
) -> Iterator[Row]:
    """Measure in a session in which ``uri`` is open, with hovers at ``positions`` of it."""
    editing = Editing(client, project, uri)
    editing.body("")
    plain = [editing.body("") for _ in range(_EDITS)]
    telling = [editing.body("synchronized (this) { } ") for _ in range(_EDITS)]
    yield Row("body edit to flows, any method of H2, p50", percentile(plain, 0.5), "ms")
    yield Row("body edit to flows, p95", percentile(plain, 0.95), "ms", 300)
    yield Row("body edit that adds an operation, p50", percentile(telling, 0.5), "ms")
    yield Row("body edit that adds an operation, p95", percentile(telling, 0.95), "ms", 300)
    signatures = [editing.signature() for _ in range(_SIGNATURES)]
    yield Row("signature edit to flows, p50", percentile(signatures, 0.5), "ms")
    yield Row("signature edit to flows, p95", percentile(signatures, 0.95), "ms", 1500)
    times = []
    for number in range(_HOVERS):
        if number % (_HOVERS // 4) == 0:
            editing.upset()
            time.sleep(_PAUSE)
        params = {"textDocument": {"uri": uri}, "position": positions[number % len(positions)]}
        seconds, result = client.request("textDocument/hover", params)
        if result is None:
            raise RuntimeError("no hover during a rebuild")
        times.append(seconds * 1000)
    yield Row("hover during a full rebuild, p50", percentile(times, 0.5), "ms")
    yield Row("hover during a full rebuild, p95", percentile(times, 0.95), "ms", 30)
    editing.signature()


def _change(text: str, at: int, new: str) -> dict[str, Any]:
    line = text.count("\n", 0, at)
    before = text[text.rfind("\n", 0, at) + 1 : at]
    place = {"line": line, "character": len(before.encode("utf-16-le")) // 2}
    return {"range": {"start": place, "end": place}, "text": new}


def _reports(uri: str, name: str, note: dict[str, Any]) -> bool:
    if note["method"] != "textDocument/publishDiagnostics" or note["params"]["uri"] != uri:
        return False
    return any(name in item["message"] for item in note["params"]["diagnostics"])
