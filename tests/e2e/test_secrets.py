"""No secret of a project is in what the server answers; the texts of open files the client has anyway."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from cli.test_secrets import FILES, SECRET, write
from e2e.client import Client, ServerError
from e2e.test_real import STDIO

AT_POSITION = ("textDocument/hover", "textDocument/completion", "conflens/flows")
CALLS = ("callHierarchy/incomingCalls", "callHierarchy/outgoingCalls")
STEP = 4
"""Every so many characters of a line are asked about."""


def test_nothing_that_is_shown_holds_a_secret(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    write(root)
    answers: list[tuple[str, Any]] = []
    with Client(STDIO, CONFLENS_CACHE_DIR=str(tmp_path / "cache")) as client:
        client.start({"project": root.as_uri()}, settings={"annotations": {"show": "all"}})
        for name, text in FILES.items():
            client.open((root / name).as_uri(), text)
        client.ready()

        def ask(method: str, params: Any) -> Any:
            with contextlib.suppress(ServerError):
                answers.append((method, client.request(method, params)))
                return answers[-1][1]
            return None

        for name, text in FILES.items():
            uri = (root / name).as_uri()
            document = {"textDocument": {"uri": uri}}
            found = client.diagnostics(uri)
            answers.append(("diagnostics", found))
            everything = {
                "start": {"line": 0, "character": 0},
                "end": {"line": 99, "character": 0},
            }
            for hint in ask("textDocument/inlayHint", {**document, "range": everything}) or ():
                ask("inlayHint/resolve", hint)
            context = {"diagnostics": found}
            ask("textDocument/codeAction", {**document, "range": everything, "context": context})
            for lens in ask("textDocument/codeLens", document) or ():
                ask("codeLens/resolve", lens)
            for number, line in enumerate(text.splitlines()):
                for column in range(0, len(line), STEP):
                    position = client.at(uri, number, column)
                    for method in AT_POSITION:
                        found_at = ask(method, position)
                        if method == "textDocument/completion" and column == 0:
                            for item in (found_at or {}).get("items", ())[:20]:
                                ask("completionItem/resolve", item)
                    for item in ask("textDocument/prepareCallHierarchy", position) or ():
                        for method in CALLS:
                            ask(method, {"item": item})
        ask("workspace/symbol", {"query": ""})
        ask("conflens/options", {})
        assert client.end() == 0
    methods = {method for method, answer in answers if answer}
    assert {"diagnostics", *AT_POSITION, *CALLS, "conflens/options"} <= methods
    leaks = {method for method, answer in answers if SECRET in json.dumps(answer)}
    assert not leaks
