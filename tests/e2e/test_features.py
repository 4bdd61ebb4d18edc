"""Every request through the real protocol, under the capabilities of three real clients.

Their position encodings differ: UTF-16, UTF-8 and UTF-32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import PROFILES, Client, capabilities

KEYS = 'class Keys {\n  static final String K = "net.timeout";\n}\n'
DEMO = """class Demo {
  void a() { String s = "😀ä"; int t = Integer.getInteger(Keys.K, 5); }
  void b() { int t = Integer.getInteger("net.timeout", 6); }
  void c() {
    System.getProperty("x.y");
  }
}
"""
CONFLICT = "net.timeout defaults to 5 here, but elsewhere to 6."


def column(line: int, text: str, encoding: str) -> int:
    """The column of ``text`` in a line of the demo, in the units of an encoding."""
    head = DEMO.splitlines()[line].split(text)[0]
    sizes = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return len(head.encode(sizes[encoding])) // width


def project(folder: Path) -> tuple[str, str]:
    """Write the demo into a folder with a difficult name; return its URI and the URI of the file."""
    root = folder / "my projécts 100%"
    (root / "src").mkdir(parents=True)
    (root / "src" / "Demo.java").write_text(DEMO, encoding="utf-8")
    (root / "Keys.java").write_text(KEYS)
    return root.as_uri(), (root / "src" / "Demo.java").as_uri()


@pytest.mark.parametrize(
    ("profile", "encoding"), [*zip(PROFILES, ("utf-16", "utf-8", "utf-32"), strict=True)]
)
def test_every_feature(tmp_path: Path, profile: str, encoding: str) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        general = capabilities(profile).get("general") or {}
        general = {**general, "positionEncodings": [encoding]}
        every_option = {"annotations": {"show": "all"}}
        found = client.start({"demo": root}, profile, settings=every_option, general=general)
        assert found["positionEncoding"] == encoding
        client.open(uri, DEMO)
        at = column(1, "Keys.K", encoding)

        (conflict, unused) = sorted(
            (item for item in client.diagnostics(uri) if item["code"] != "conflicting-default"
             or item["range"]["start"]["line"] == 1),
            key=lambda item: str(item["code"]),
        )  # fmt: skip
        assert conflict["message"] == CONFLICT
        assert conflict["source"] == "conflens"
        five = column(1, "5)", encoding)
        assert conflict["range"] == {
            "start": {"line": 1, "character": five},
            "end": {"line": 1, "character": five + 1},
        }
        assert (unused["code"], unused["tags"], unused["severity"]) == ("dead-option", [1], 4)

        hover = client.request("textDocument/hover", client.at(uri, 1, at + 2))
        assert "net.timeout" in hover["contents"]["value"].splitlines()[0]
        assert hover["range"]["start"] == {"line": 1, "character": at}

        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        document = {"textDocument": {"uri": uri}}
        (hint,) = client.request("textDocument/inlayHint", {**document, "range": whole})
        assert hint["label"] == "net.timeout"
        assert hint["position"] == {"line": 1, "character": column(1, "; }", encoding)}

        keys = f"{root}/Keys.java"
        (lens,) = client.request("textDocument/codeLens", {"textDocument": {"uri": keys}})
        command = client.request("codeLens/resolve", lens)["command"]
        assert (command["title"], command["command"]) == ("2 reads", "conflens.openPlaces")
        target, position, locations, _ = command["arguments"]
        assert (target, position) == (keys, lens["range"]["start"])
        assert [place["range"]["start"] for place in locations] == [
            {"line": 1, "character": at},
            {"line": 2, "character": column(2, '"net', encoding)},
        ]

        (target,) = client.request("textDocument/definition", client.at(uri, 2, 42))
        assert (target.get("uri") or target["targetUri"]) == keys
        context = {"includeDeclaration": True}
        places = client.request("textDocument/references", client.at(uri, 2, 42, context=context))
        assert [place["uri"].rsplit("/", 1)[-1] for place in places] == [
            "Keys.java",
            "Demo.java",
            "Demo.java",
        ]
        marks = client.request("textDocument/documentHighlight", client.at(uri, 2, 42))
        assert [mark["kind"] for mark in marks] == [2, 2]
        outline = client.request("textDocument/documentSymbol", document)
        assert [symbol["name"] for symbol in outline] == ["net.timeout", "net.timeout", "x.y"]
        symbols = client.request("workspace/symbol", {"query": "timeout"})
        assert [(s["name"], s["location"]["uri"]) for s in symbols] == [("net.timeout", keys)]
        page = client.request("conflens/status", None)["markdown"]
        assert "2 options with 3 reads in 2 files" in page
        status = client.ready()
        assert (status["files"], status["options"]) == (2, 2)
        assert client.end() == 0
        assert all(message["method"] != "garbage" for message in client.notifications)


def test_a_client_without_any_capability(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        nothing: dict[str, Any] = dict.fromkeys(capabilities("visual_studio_code"))
        client.start({"demo": root}, **{**nothing, "experimental": None})
        client.open(uri, DEMO)
        client.diagnostics(uri)
        assert client.hover(uri, 2, 42) == "**`net.timeout`** · system property"
        assert {message["method"] for message in client.asked} == set()
        assert {message["method"] for message in client.notifications} == {
            "textDocument/publishDiagnostics"
        }
        assert client.end() == 0


def test_a_client_that_shows_plain_text_only(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        text = {"hover": {"contentFormat": ["plaintext"]}}
        client.start({"demo": root}, textDocument=text)
        client.open(uri, DEMO)
        client.ready()
        found = client.request("textDocument/hover", client.at(uri, 2, 42))
        assert found["contents"]["kind"] == "plaintext"
        assert found["contents"]["value"].splitlines()[0] == "net.timeout · system property"
        assert "Demo.java:2" in found["contents"]["value"]
        assert "file://" not in found["contents"]["value"]
        assert client.end() == 0
