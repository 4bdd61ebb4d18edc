"""Trouble: cancelled requests, clients that lie, sessions that fail, processes that end."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from e2e.client import FRESH, STDIO, Client, ServerError
from patience import PATIENCE

TEXT = 'class A { String s = System.getProperty("a.b"); }'
NAME = "**`a.b`** · system property"


def start(client: Client, folder: Path, text: str = TEXT) -> str:
    (folder / "A.java").write_text(text)
    client.start({"demo": folder.as_uri()})
    uri = (folder / "A.java").as_uri()
    client.open(uri, text)
    return uri


def test_a_hundred_cancelled_hovers_do_not_delay_the_next(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        client.ready()
        position = client.at(uri, 0, 42)
        for round_ in range(5):
            frames = b""
            for number in range(100):
                key = f"burst-{round_}-{number}"
                hover = {"id": key, "method": "textDocument/hover", "params": position}
                cancel = {"method": "$/cancelRequest", "params": {"id": key}}
                frames += client.frame(hover) + client.frame(cancel)
            client.send_raw(frames)
            assert client.hover(uri, 0, 42) == NAME
            client.wait(
                lambda r=round_: all(f"burst-{r}-{n}" in client._responses for n in range(100)),
                "answers to cancelled requests",
            )
            answers = [client._responses[f"burst-{round_}-{n}"] for n in range(100)]
            codes = [answer["error"]["code"] for answer in answers if "error" in answer]
            assert codes == [-32800] * len(codes)
            assert len(codes) > 95, "the others were worked on before the hover was"
        assert client.end() == 0


def test_a_request_waiting_for_a_rebuild_is_cancelled_at_once(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        client.ready()
        client.change(uri, 2, f"{TEXT} // SLOW_REBUILD")  # it does not end before the server does
        number = client.call("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        client.notify("$/cancelRequest", {"id": number})
        with pytest.raises(ServerError) as error:
            client.answer(number)
        assert error.value.code == -32800
        assert client.end() == 0


def test_during_a_slow_rebuild_known_text_is_answered_at_its_current_place(
    tmp_path: Path,
) -> None:
    with Client(limits={FRESH: 0.15}) as client:
        uri = start(client, tmp_path)
        client.ready()
        client.change(uri, 2, (0, 0, 0, 0, "/* 😀\nSLOW_REBUILD */ "))
        hover = client.request("textDocument/hover", client.at(uri, 1, 57))
        assert hover["contents"]["value"].splitlines()[0] == NAME
        assert hover["range"]["start"] == {"line": 1, "character": 56}
        (place,) = client.request("workspace/symbol", {"query": "a.b"})
        assert place["location"]["uri"] == uri
        # The text that is being edited is not known yet: a short wait, then what there is.
        assert client.hover(uri, 0, 4) is None
        assert client.end() == 0


def test_a_text_that_is_not_known_yet_is_waited_for(tmp_path: Path) -> None:
    with Client(TOY_GO=str(tmp_path / "go")) as client:
        uri = start(client, tmp_path)
        client.ready()
        client.change(uri, 2, TEXT.replace("a.b", "c.d /* SLOW_REBUILD */"))
        number = client.call("textDocument/hover", client.at(uri, 0, 42))
        (tmp_path / "go").touch()
        found = client.answer(number)
        assert found["contents"]["value"].splitlines()[0].startswith("**`c.d ")
        assert client.end() == 0


def test_a_failed_rebuild_is_reported_and_the_last_answers_stay(tmp_path: Path) -> None:
    with Client(limits={FRESH: 0.15}) as client:
        uri = start(client, tmp_path)
        client.ready()
        client.change(uri, 2, f"{TEXT} // FAIL_REBUILD")
        status = client.told("conflens/status", lambda params: params["state"] == "error")
        assert status["message"] == "RuntimeError: the toy was told to fail"
        assert client.hover(uri, 0, 42) == NAME
        page = client.request("conflens/status", None)["markdown"]
        assert "The last update failed: RuntimeError: the toy was told to fail" in page
        client.notifications.clear()
        client.change(uri, 3, TEXT.replace("a.b", "c.d"))
        client.ready()
        assert client.hover(uri, 0, 42) == "**`c.d`** · system property"
        assert client.end() == 0
    assert any("the toy was told to fail" in line for line in client.log)


def test_a_first_index_that_fails(tmp_path: Path) -> None:
    with Client(limits={FRESH: 0.15}) as client:
        uri = start(client, tmp_path, "class A { /* FAIL_REBUILD */ }")
        client.told("conflens/status", lambda params: params["state"] == "error")
        assert client.hover(uri, 0, 42) is None
        client.change(uri, 2, TEXT)
        client.ready()
        assert client.hover(uri, 0, 42) == NAME
        assert client.end() == 0


def test_stray_output_does_not_reach_the_client(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path, f"{TEXT} // PRINT_SOMETHING")
        assert client.diagnostics(uri) == []
        assert client.hover(uri, 0, 42) == NAME
        assert client.end() == 0
        assert all(message["method"] != "garbage" for message in client.notifications)
    assert "a stray line\n" in client.log and "another\n" in client.log


LIES = (
    ("textDocument/hover", None),
    ("textDocument/hover", {}),
    ("textDocument/hover", {"textDocument": 3, "position": []}),
    ("textDocument/hover", {"textDocument": {"uri": 5}, "position": {"line": "x"}}),
    ("textDocument/inlayHint", {"textDocument": {"uri": "file:///x"}}),
    ("workspace/symbol", {"query": {}}),
    ("codeLens/resolve", {"range": 3}),
)


def test_invalid_parameters_are_answered_with_an_error(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        client.ready()
        for method, params in LIES:
            number = client.call(method, params)
            try:
                client.answer(number)
            except ServerError as error:
                assert error.code in (-32602, -32603), (method, params)
        with pytest.raises(ServerError) as unknown:
            client.request("textDocument/nothingLikeThis", {})
        assert unknown.value.code == -32601
        client.notify("textDocument/didChange", {"textDocument": None, "contentChanges": 3})
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": 5}]})
        client.notify("no/such/notification", [1, 2])
        client.send_raw(b"Content-Length: 5\r\n\r\n{bad}")
        client.send_raw(b"Content-Length: 2\r\n\r\n[]")
        client.send({"id": 99, "result": "never asked"})
        assert client.hover(uri, 0, 42) == NAME
        assert not [m for m in client.notifications if m["method"] == "window/showMessage"]
        assert client.end() == 0


def test_a_header_without_an_end_ends_the_server_with_a_sentence(tmp_path: Path) -> None:
    with Client(STDIO) as client:
        start(client, tmp_path)
        with contextlib.suppress(BrokenPipeError):
            client.send_raw(b"x" * 200_000)
        assert client.process.wait(PATIENCE) == 1
    said = [line for line in client.log if "no header that can be read" in line]
    assert len(said) == 1
    assert not any("Traceback" in line for line in client.log)


def test_a_foreign_lens_resolves_to_nothing(tmp_path: Path) -> None:
    with Client() as client:
        start(client, tmp_path)
        corner = {"line": 9, "character": 9}
        for data in (None, 3, {}, {"uri": 3}, {"uri": "file:///x", "symbol": "s"}):
            lens = {"range": {"start": corner, "end": corner}, "data": data}
            assert client.request("codeLens/resolve", lens)["command"]["title"] == ""
        assert client.end() == 0


def test_requests_before_initialize_and_after_shutdown_are_refused(tmp_path: Path) -> None:
    with Client() as client:
        with pytest.raises(ServerError) as early:
            client.request("workspace/symbol", {"query": ""})
        assert early.value.code == -32002
        client.open("file:///early.java", TEXT)
        start(client, tmp_path)
        with pytest.raises(ServerError) as twice:
            client.request("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
        assert twice.value.code == -32600
        client.request("shutdown", None)
        with pytest.raises(ServerError) as late:
            client.request("workspace/symbol", {"query": ""})
        assert late.value.code == -32600
        client.notify("exit", None)
        assert client.process.wait(PATIENCE) == 0


def test_exit_without_shutdown_and_a_lost_connection_exit_with_1(tmp_path: Path) -> None:
    with Client() as client:
        start(client, tmp_path)
        client.notify("exit", None)
        assert client.process.wait(PATIENCE) == 1
    with Client() as client:
        start(client, tmp_path, f"{TEXT} // SLOW_REBUILD")
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(PATIENCE) == 1


def test_shutdown_stops_a_rebuild(tmp_path: Path) -> None:
    with Client() as client:
        start(client, tmp_path, f"{TEXT} // SLOW_REBUILD")
        client.told("conflens/status", lambda params: params["state"] == "indexing")
        assert client.end() == 0
    assert "session disposed\n" in client.log


def test_the_log_contains_no_message_bodies(tmp_path: Path) -> None:
    with Client() as client:
        start(client, tmp_path)
        client.ready()
        assert client.end() == 0
    assert not [line for line in client.log if "getProperty" in line or "jsonrpc" in line]
