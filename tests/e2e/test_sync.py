"""Edits: what the server believes a document holds, seen through its answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.client import Client

READ = 'class A {\r\n  String s = "😀" + System.getProperty("a.b");\r\n}\r\n'


def start(client: Client, folder: Path, text: str = READ, encoding: str = "utf-16") -> str:
    (folder / "A.java").write_text("class A { }\n")
    client.start({"demo": folder.as_uri()}, general={"positionEncodings": [encoding]})
    uri = (folder / "A.java").as_uri()
    client.open(uri, text)
    return uri


def names(client: Client, uri: str) -> list[str]:
    """The options in a document, in order."""
    found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    return [symbol["name"] for symbol in found]


@pytest.mark.parametrize(("encoding", "width"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_an_edit_after_an_emoji_on_a_crlf_line(tmp_path: Path, encoding: str, width: int) -> None:
    with Client() as client:
        uri = start(client, tmp_path, encoding=encoding)
        assert names(client, uri) == ["a.b"]
        at = READ.splitlines()[1].index("a.b") - 1 + width
        client.change(uri, 2, (1, at + 2, 1, at + 3, "ccc"))
        assert names(client, uri) == ["a.ccc"]
        client.change(uri, 3, (1, at, 1, at, "x."), (1, at + 3, 1, at + 4, "😀."))
        assert names(client, uri) == ["x.a😀.ccc"]
        assert client.end() == 0


def test_edits_in_one_message_apply_one_after_the_other(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        more = '  String t = System.getProperty("c.d");\r\n'
        at = more.index("c.d")
        client.change(
            uri, 2, (2, 0, 2, 0, more), (2, at, 2, at + 3, "e.f"), (0, 0, 0, 0, "\r\n\n\r")
        )
        assert names(client, uri) == ["a.b", "e.f"]
        found = client.request("textDocument/documentHighlight", client.at(uri, 5, at + 1))
        assert [mark["range"]["start"] for mark in found] == [{"line": 5, "character": at - 1}]
        assert client.end() == 0


def test_a_full_text_replaces_everything(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        client.change(uri, 2, 'class A { String s = System.getProperty("new.one"); }')
        assert names(client, uri) == ["new.one"]
        assert client.end() == 0


def test_positions_outside_the_text_are_clamped(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        end = '\nclass B { String s = System.getProperty("at.end"); }'
        client.change(uri, 2, (99, 99, 500, 7, end))
        assert names(client, uri) == ["a.b", "at.end"]
        client.change(uri, 3, (1, 9999, 1, 9999, ' int i = Integer.getInteger("eol.x");'))
        assert names(client, uri) == ["a.b", "eol.x", "at.end"]
        # The end before the start: taken as if they were the other way round.
        client.change(uri, 4, (2, 0, 1, 0, ""))
        assert names(client, uri) == ["at.end"]
        assert client.hover(uri, 4000, 4000) is None
        assert client.end() == 0


def test_a_lone_surrogate_does_not_shift_anything(tmp_path: Path) -> None:
    with Client() as client:
        text = 'class A { String s = "\ud83d" + System.getProperty("a.b"); }'
        uri = start(client, tmp_path, text)
        at = text.index("a.b")
        client.change(uri, 2, (0, at, 0, at + 1, "z"))
        assert names(client, uri) == ["z.b"]
        assert client.end() == 0


def test_diagnostics_follow_versions_and_disappear_on_close(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path, 'class A { void a() {\nSystem.getProperty("a.b");\n} }')
        assert [item["code"] for item in client.diagnostics(uri, 1)] == ["dead-option"]
        client.change(uri, 2, (1, 0, 1, 0, "s = "))
        assert client.diagnostics(uri, 2) == []
        client.change(uri, 3, (1, 0, 1, 4, ""))
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        (item,) = client.told(
            "textDocument/publishDiagnostics",
            lambda params: params.get("version") == 3 and params["diagnostics"],
        )["diagnostics"]
        assert item["code"] == "dead-option"
        client.notifications.clear()
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert client.diagnostics(uri) == []
        assert client.end() == 0


def test_a_closed_document_is_read_from_disk(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        assert names(client, uri) == ["a.b"]
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        client.open((tmp_path / "B.java").as_uri(), "class B { }")
        client.diagnostics((tmp_path / "B.java").as_uri())
        assert names(client, uri) == []
        assert client.end() == 0


def test_a_client_with_inconsistent_documents(tmp_path: Path) -> None:
    with Client() as client:
        uri = start(client, tmp_path)
        other = (tmp_path / "Never.java").as_uri()
        client.change(other, 5, (0, 0, 0, 0, "x"))
        client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
        client.notify("textDocument/didSave", {"textDocument": {"uri": other}})
        client.open(uri, 'class A { String s = System.getProperty("twice.opened"); }')
        assert names(client, uri) == ["twice.opened"]
        client.change(uri, 1, (0, 0, 0, 0, " "))
        client.change(uri, -7, (0, 0, 0, 0, " "))
        assert names(client, uri) == ["twice.opened"]
        assert client.end() == 0


NO_FILES = (
    "untitled:Untitled-1",
    "git:/project/A.java?ref",
    "vscode-notebook-cell:/x.ipynb#1",
    "file:",
    "file://[bad",
    "http://example.org/A.java",
    "",
    "file:///bad%00nul.java",
)


def test_documents_that_are_not_files_are_ignored(tmp_path: Path) -> None:
    with Client() as client:
        known = start(client, tmp_path)
        for uri in NO_FILES:
            client.open(uri, READ)
            client.change(uri, 2, (0, 0, 0, 0, "x"))
            assert client.request("textDocument/hover", client.at(uri, 1, 40)) is None
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert names(client, known) == ["a.b"]
        assert client.end() == 0
    assert not [line for line in client.log if "Traceback" in line]
