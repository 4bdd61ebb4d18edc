"""Messages whose parts have the wrong JSON type: refused in a sentence, and the next message is answered."""

from __future__ import annotations

import asyncio
import json
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from conflens.lsp.server import create_server
from conflens.lsp.state import State
from conflens.lsp.wire.reading import handle_messages

URI = "file:///project/A.java"
DOCUMENT = {"uri": URI, "languageId": "java", "version": 1, "text": "class A {}"}
POSITION = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


class _Sent:
    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))


def answers(*messages: dict[str, Any] | bytes) -> dict[Any, dict[str, Any]]:
    """Return what a new server answers to ``initialize``, ``messages`` and ``shutdown``, by id; bytes are sent as they are."""
    sent = _Sent()
    initialize = {"processId": None, "rootUri": None, "capabilities": {}}
    every: tuple[dict[str, Any] | bytes, ...] = (
        {"id": "first", "method": "initialize", "params": initialize},
        *messages,
        {"id": "last", "method": "shutdown"},
    )

    async def run() -> None:
        server = create_server()
        server.protocol.set_writer(sent)
        reader = asyncio.StreamReader()
        for message in every:
            body = message
            if not isinstance(body, bytes):
                body = json.dumps({"jsonrpc": "2.0", **body}).encode()
            reader.feed_data(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        reader.feed_eof()
        await handle_messages(reader, server.protocol)
        while not any(one.get("id") == "last" for one in sent.messages):
            await asyncio.sleep(0.01)
        server.stop()

    asyncio.run(run())
    return {one["id"]: one for one in sent.messages if "id" in one and "method" not in one}


@pytest.mark.parametrize("wrong", [{"a": 1}, [1], []], ids=str)
@pytest.mark.parametrize("kind", ["request", "cancel", "answer"])
def test_an_id_that_is_no_id(caplog: pytest.LogCaptureFixture, kind: str, wrong: Any) -> None:
    message: dict[str, Any] = {
        "request": {"id": wrong, "method": "textDocument/hover", "params": POSITION},
        "cancel": {"method": "$/cancelRequest", "params": {"id": wrong}},
        "answer": {"id": wrong, "result": None},
    }[kind]
    with caplog.at_level(logging.WARNING):
        assert "error" not in answers(message)["last"]
    (record,) = caplog.records
    assert "an id that is neither a number nor a string" in record.getMessage()
    assert record.exc_info is None


@pytest.mark.parametrize("wrong", [None, 1, [], {}], ids=str)
def test_what_a_client_writes_is_text(caplog: pytest.LogCaptureFixture, wrong: Any) -> None:
    rename = {"id": 1, "method": "textDocument/rename", "params": {**POSITION, "newName": wrong}}
    opened = {"textDocument": {**DOCUMENT, "text": wrong}}
    changed = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": wrong}]}
    found = answers(
        {"method": "textDocument/didOpen", "params": opened},
        {"method": "textDocument/didOpen", "params": {"textDocument": DOCUMENT}},
        {"method": "textDocument/didChange", "params": changed},
        rename,
    )
    refused = [one.args[0] for one in caplog.records if "does not fit" in one.msg and one.args]
    assert refused == [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/rename",
    ]
    assert found[1]["error"]["message"] == "invalid parameters of textDocument/rename"
    assert "error" not in found["last"]


@pytest.mark.parametrize("wrong", [{"a": 1}, [1], 1, "x"], ids=str)
@pytest.mark.parametrize(
    "method", ["textDocument/hover", "textDocument/didClose", "conflens/flows", "initialize"]
)
def test_parameters_that_do_not_fit_are_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture, method: str, wrong: Any
) -> None:
    message: dict[str, Any] = {"method": method, "params": wrong}
    if method != "textDocument/didClose":
        message["id"] = 1
    with caplog.at_level(logging.WARNING):
        found = answers(message)
    assert "error" not in found["last"]
    assert "id" not in message or "error" in found[1]
    assert len(caplog.records) <= 1
    for record in caplog.records:
        text = logging.Formatter().format(record)
        assert method in text and "\n" not in text


@pytest.mark.parametrize(
    "answer", [{"error": 3}, {"error": {"code": "x"}}, {"result": {"a": 1}}], ids=str
)
def test_an_answer_that_does_not_fit_leaves_no_trace(
    caplog: pytest.LogCaptureFixture, answer: dict[str, Any]
) -> None:
    with caplog.at_level(logging.WARNING):
        assert "error" not in answers({"id": 7, **answer})["last"]
    assert all("Traceback" not in logging.Formatter().format(one) for one in caplog.records)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe\xff",
        b"7" * 5_000,
        b"[" * 100_000,
        b"[1]",
        b"null",
        b'{"a": 1}',
        b'""',
        b"\0" * 7,
    ],
    ids=lambda body: f"{body[:8]!r}x{len(body)}",
)
def test_a_body_that_is_no_message_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    with caplog.at_level(logging.WARNING):
        assert "error" not in answers(body)["last"]
    assert len(caplog.records) == 1
    assert "\n" not in logging.Formatter().format(caplog.records[0])


@pytest.mark.parametrize("wrong", [{"a": 1}, [1], 1, None, True], ids=str)
def test_a_method_that_is_no_name(wrong: Any) -> None:
    found = answers({"method": wrong, "params": {}}, {"id": 1, "method": wrong, "params": {}})
    assert "error" not in found["last"]


@pytest.mark.parametrize(
    ("changed", "folders"),
    [
        ("file:///code/shop", ["project", "module"]),
        ("file:///code", ["project", "module", "other"]),
        ("file:///code/shop/module", ["module"]),
        ("file:///code/shop/module/A.java", []),
        ("file:///elsewhere", []),
        ("untitled:1", []),
    ],
)
def test_a_folder_that_changes_as_a_whole_is_looked_at_as_a_whole(
    changed: str, folders: list[str]
) -> None:
    roots = {
        "/code/shop": "project",
        "/code/shop/module": "module",
        "/code/other": "other",
    }
    state: Any = SimpleNamespace(folders=roots)
    assert State.folders_at_or_below(state, changed) == folders
