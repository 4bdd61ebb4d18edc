"""Config files through the real protocol: completion, hover, hints and lenses, for clients that can little and much."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Client, capabilities

JAVA = """class A {
  static final String K = "net.timeout";
  void a() { int t = Integer.getInteger(K, 5); System.getProperty("net.host"); }
  void b() { System.getProperty("net.hosts"); wait(1); } // <- net.timeout direct io // + net.timeout sets how long a thread waits
}
// ? net.timeout sensitive 0.9
"""
TEXT = "net.timeout=5\nname=😀ä ${net.timeout}\n"
SIZES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def project(folder: Path) -> tuple[str, str]:
    (folder / "conf").mkdir()
    (folder / "A.java").write_text(JAVA)
    file = folder / "conf" / "app.properties"
    file.write_text(TEXT, encoding="utf-8")
    (folder / "other.properties").write_text("name=${net.timeout}\n")
    return folder.as_uri(), file.as_uri()


@pytest.fixture
def uris(tmp_path: Path) -> tuple[str, str]:
    return project(tmp_path)


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as found:
        yield found


def started(client: Client, uris: tuple[str, str], encoding: str = "utf-16", **item: Any) -> str:
    """Start with a client whose ``completionItem`` capabilities are ``item``; return the URI of the open file."""
    known = capabilities("visual_studio_code")
    text = {**known["textDocument"], "completion": {"completionItem": item}}
    general = {"positionEncodings": [encoding]}
    client.start({"demo": uris[0]}, general=general, textDocument=text)
    client.open(uris[1], TEXT)
    client.diagnostics(uris[1])
    client.ready()
    return uris[1]


def width(text: str, encoding: str) -> int:
    codec, size = SIZES[encoding]
    return len(text.encode(codec)) // size


def completed(client: Client, uri: str, line: int, column: int, **context: Any) -> dict[str, Any]:
    more = {"context": context} if context else {}
    found = client.request("textDocument/completion", client.at(uri, line, column, **more))
    return found or {"items": [], "isIncomplete": False}


@pytest.mark.parametrize("encoding", SIZES)
def test_a_client_with_all_capabilities(
    client: Client, uris: tuple[str, str], encoding: str
) -> None:
    uri = started(
        client,
        uris,
        encoding,
        insertReplaceSupport=True,
        resolveSupport={"properties": ["documentation"]},
        documentationFormat=["markdown"],
        tagSupport={"valueSet": [1]},
        insertTextModeSupport={"valueSet": [1, 2]},
    )
    client.change(uri, 2, (2, 0, 2, 0, "net.host=1\nx=😀 ${net.ho"))
    column = width("x=😀 ${net.ho", encoding)
    found = completed(client, uri, 3, column)
    assert [item["label"] for item in found["items"]] == ["net.host", "net.hosts"]
    first = found["items"][0]
    start = {"line": 3, "character": width("x=😀 ${", encoding)}
    end = {"line": 3, "character": column}
    assert first["textEdit"] == {
        "newText": "net.host}",
        "insert": {"start": start, "end": end},
        "replace": {"start": start, "end": end},
    }
    assert [item["sortText"] for item in found["items"]] == ["0000", "0001"]
    assert "documentation" not in first
    resolved = client.request("completionItem/resolve", first)
    assert resolved["documentation"]["kind"] == "markdown"
    assert resolved["documentation"]["value"].startswith("**`net.host`** · system property")
    assert resolved["textEdit"] == first["textEdit"]
    assert client.end() == 0


def test_a_client_without_capabilities(client: Client, uris: tuple[str, str]) -> None:
    uri = started(client, uris)
    client.change(uri, 2, (0, 0, 0, 0, "net.hxx=1\n"))
    (first, second) = completed(client, uri, 0, 5)["items"]
    assert (first["label"], second["label"]) == ("net.host", "net.hosts")
    assert first["textEdit"] == {
        "newText": "net.host",
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 7}},
    }
    resolved = client.request("completionItem/resolve", first)
    assert resolved["documentation"]["kind"] == "plaintext"
    assert resolved["documentation"]["value"].startswith("net.host · system property")
    assert client.end() == 0


def test_a_client_without_completion_capabilities(client: Client, uris: tuple[str, str]) -> None:
    nothing: dict[str, Any] = dict.fromkeys(capabilities("visual_studio_code"))
    client.start({"demo": uris[0]}, **nothing)
    client.open(uris[1], TEXT + "net.h")
    client.ready()
    assert [item["label"] for item in completed(client, uris[1], 2, 5)["items"]] == [
        "net.host",
        "net.hosts",
    ]
    assert client.end() == 0


def test_announced_capabilities(client: Client, uris: tuple[str, str]) -> None:
    found = client.start({"demo": uris[0]})["completionProvider"]
    assert found["resolveProvider"] is True
    assert {".", "=", ":", "{", " "} <= set(found["triggerCharacters"])
    assert client.end() == 0


def test_odd_requests(client: Client, uris: tuple[str, str]) -> None:
    uri = started(client, uris)
    assert completed(client, uri, 999, 999)["items"]
    assert completed(client, uri, 1, 99)["items"] == []
    assert completed(client, f"{uris[0]}/A.java", 2, 5)["items"] == []
    assert completed(client, f"{uris[0]}/other.properties", 1, 0)["items"] == []
    assert completed(client, f"{uris[0]}/gone.properties", 0, 0)["items"] == []
    assert completed(client, "untitled:Untitled-1", 0, 0)["items"] == []
    assert completed(client, uri, 2, 0, triggerKind=2, triggerCharacter=" ")["items"] == []
    for data in (None, 1, {"uri": uri}, {"uri": uri, "option": ["a", "gone"]}):
        item = {"label": "x", "data": data}
        assert client.request("completionItem/resolve", item)["label"] == "x"
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert [item["label"] for item in completed(client, uri, 2, 0)["items"]] == [
        "net.host",
        "net.hosts",
    ]
    assert client.end() == 0


def test_requests_do_not_wait_for_a_rebuild(client: Client, uris: tuple[str, str]) -> None:
    uri = started(client, uris)
    client.open(f"{uris[0]}/A.java", JAVA + "// SLOW_REBUILD\n")
    client.change(uri, 2, (2, 0, 2, 0, "net.host"))  # the rebuild ends with the server
    assert [item["label"] for item in completed(client, uri, 2, 8)["items"]] == [
        "net.host",
        "net.hosts",
    ]


@pytest.mark.parametrize("encoding", SIZES)
def test_hover_hint_and_lens(client: Client, uris: tuple[str, str], encoding: str) -> None:
    uri = started(client, uris, encoding)
    assert client.hover(uri, 0, 4) == "**`net.timeout`** · system property"
    column = width("name=😀ä ${n", encoding)
    found = client.request("textDocument/hover", client.at(uri, 1, column))
    assert found["contents"]["value"].startswith(
        "`${net.timeout}` is `5`, set in [app.properties:1]"
    )
    assert found["range"] == {
        "start": {"line": 1, "character": column - 3},
        "end": {"line": 1, "character": column - 3 + len("${net.timeout}")},
    }
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    document = {"textDocument": {"uri": uri}}
    (hint,) = client.request("textDocument/inlayHint", {**document, "range": whole})
    assert hint["label"] == "= 😀ä 5"
    assert hint["position"] == {
        "line": 1,
        "character": width("name=😀ä ${net.timeout}", encoding),
    }
    assert client.request("inlayHint/resolve", hint)["label"] == hint["label"]
    (lens,) = client.request("textDocument/codeLens", document)
    command = client.request("codeLens/resolve", lens)["command"]
    assert command["title"] == "sets how long a thread waits · 1 read"
    assert client.end() == 0


def test_where_only_the_line_of_the_cursor_is_annotated_hints_take_the_place_of_lenses(
    client: Client, uris: tuple[str, str]
) -> None:
    text, uri = "net.host=5\nnet.timeout=${net.host}\nname=${net.timeout}\n", uris[1]
    client.start({"demo": uris[0]}, options={"annotations": {"show": "currentLine"}})
    client.open(uri, text)
    client.diagnostics(uri)
    client.ready()
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    document = {"textDocument": {"uri": uri}}
    found = client.request("textDocument/inlayHint", {**document, "range": whole})
    assert sorted((hint["position"]["line"], hint["label"]) for hint in found) == [
        (1, "sets how long a thread waits · 1 read"),
        (2, "= 5"),
    ]
    assert client.request("textDocument/codeLens", document) == []
    assert client.end() == 0


def test_an_excluded_file_has_no_features(client: Client, uris: tuple[str, str]) -> None:
    client.start({"demo": uris[0]})
    other = f"{uris[0]}/other.properties"
    client.open(other, "name=${net.timeout}\n")
    client.ready()
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    document = {"textDocument": {"uri": other}}
    assert client.hover(other, 0, 10) is None
    assert client.request("textDocument/inlayHint", {**document, "range": whole}) == []
    assert client.request("textDocument/codeLens", document) == []
    assert completed(client, other, 0, 7)["items"] == []
    assert client.end() == 0
