"""Flows through the real protocol, for clients that can much and for clients that can little."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import pytest

from e2e.client import Client, ServerError, capabilities

DEMO = """class Demo {
  static final String K = "net.buffer";
  void a() {
    int n = Integer.getInteger(K, 5);
    int size = n * 2; // step net.buffer compute
    byte[] b = new byte[size]; // <- net.buffer direct memory
    for (int i = 0; i < n; i++) {
      out.flush(); // <- net.buffer loop io +1
    }
  }
}
"""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
READ, WRITE, NOWHERE = (3, 31), (7, 12), (4, 8)
LAZY = {"properties": ["tooltip", "textEdits", "label.tooltip", "label.location", "label.command"]}
OURS = {"commands": {"commands": ["conflens.showReferences"]}}
EFFECT = "repeats I/O operations, sizes buffers"
EVERY_OPTION = {"annotations": {"show": "all"}}
PAGE = "conflens:/flows/system-property/net.buffer.md"


def project(folder: Path) -> tuple[str, str]:
    root = folder / "my projécts 100%"
    root.mkdir()
    (root / "Demo.java").write_text(DEMO, encoding="utf-8")
    return root.as_uri(), (root / "Demo.java").as_uri()


def changed(section: str, **changes: object) -> dict[str, Any]:
    """The capabilities of VS Code in a section, with changes; ``None`` takes one away."""
    found = {**capabilities("visual_studio_code")[section], **changes}
    return {section: {key: value for key, value in found.items() if value is not None}}


def started(client: Client, root: str, uri: str, **changes: Any) -> dict[str, Any]:
    """Start with hints and lenses of every option, unless the settings are given."""
    found = client.start({"demo": root}, **{"settings": EVERY_OPTION, **changes})
    client.open(uri, DEMO)
    client.ready()
    return found


def hint_of(client: Client, uri: str) -> dict[str, Any]:
    params = {"textDocument": {"uri": uri}, "range": WHOLE}
    (hint,) = client.request("textDocument/inlayHint", params)
    return cast(dict[str, Any], hint)


def flow_lens(client: Client, uri: str) -> dict[str, Any]:
    (lens,) = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    command = client.request("codeLens/resolve", lens)["command"]
    assert command["title"] == f"{EFFECT} · 1 read"
    return cast(dict[str, Any], command)


def test_hovers_at_both_ends(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri)
        read = client.request("textDocument/hover", client.at(uri, *READ))["contents"]["value"]
        assert read.splitlines()[-1] == (
            f"Reaches `new byte[size]` [Demo.java:6]({uri}#L6) (sized) and `out.flush()` [Demo.java:8]({uri}#L8) (repeated)."
        )
        end = client.request("textDocument/hover", client.at(uri, *WRITE))
        assert end["contents"]["value"].splitlines()[0] == "**`out.flush`** · io operation"
        assert end["range"]["start"] == {"line": 7, "character": 10}
        assert client.request("textDocument/hover", client.at(uri, *NOWHERE)) is None
        assert client.end() == 0


def test_a_hover_in_plain_text(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        plain = changed("textDocument", hover={"contentFormat": ["plaintext"]})
        started(client, root, uri, **plain)
        found = client.request("textDocument/hover", client.at(uri, *READ))["contents"]["value"]
        assert found.splitlines()[-1] == (
            "Reaches new byte[size] Demo.java:6 (sized) and out.flush() Demo.java:8 (repeated)."
        )
        assert client.end() == 0


def test_a_client_that_resolves_hints_gets_their_commands_on_request(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        lazy = changed("textDocument", inlayHint={"resolveSupport": LAZY})
        found = started(client, root, uri, experimental=OURS, **lazy)
        assert found["inlayHintProvider"]["resolveProvider"] is True
        hint = hint_of(client, uri)
        assert "tooltip" not in hint
        assert hint["label"] == [{"value": EFFECT}]
        resolved = client.request("inlayHint/resolve", hint)
        assert resolved["tooltip"]["value"].startswith("**`net.buffer`** · system property")
        (effect,) = resolved["label"]
        assert effect["tooltip"]["value"].splitlines()[0] == "Reaches 2 costly operations:"
        assert effect["command"]["command"] == "conflens.showReferences"
        target, position, places = effect["command"]["arguments"]
        assert (target, position) == (uri, hint["position"])
        assert [place["range"]["start"]["line"] for place in places] == [5, 7]
        assert places[1]["range"]["start"]["character"] == 10
        assert "location" not in effect
        assert client.end() == 0


def test_a_client_without_our_command_goes_to_an_operation(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri, **changed("textDocument", inlayHint={"resolveSupport": LAZY}))
        (effect,) = client.request("inlayHint/resolve", hint_of(client, uri))["label"]
        assert effect["location"]["range"]["start"] == {"line": 5, "character": 15}
        assert "command" not in effect
        assert client.end() == 0


def test_a_client_that_resolves_nothing_gets_everything_at_once(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri)
        hint = hint_of(client, uri)
        (effect,) = hint["label"]
        assert effect["value"] == EFFECT
        assert effect["location"]["range"]["start"]["line"] == 5
        assert hint["tooltip"]["value"].startswith("**`net.buffer`**")
        assert "data" not in hint
        assert client.end() == 0


@pytest.mark.parametrize(
    "data", [None, 3, {"uri": 3}, {"uri": "file:///no", "option": ["a", "b"]}]
)
def test_a_foreign_hint_resolves_to_itself(tmp_path: Path, data: object) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri)
        hint = {"position": {"line": 0, "character": 0}, "label": "x", "data": data}
        assert client.request("inlayHint/resolve", hint)["label"] == "x"
        assert client.end() == 0


def test_a_lens_opens_the_list_or_the_page(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri, experimental=OURS)
        command = flow_lens(client, uri)
        assert command["command"] == "conflens.showReferences"
        assert [place["range"]["start"]["line"] for place in command["arguments"][2]] == [3]
        assert client.end() == 0
    with Client() as client:
        found = started(client, root, uri)
        command = flow_lens(client, uri)
        assert command["command"] in found["executeCommandProvider"]["commands"]
        params = {"command": command["command"], "arguments": command["arguments"]}
        assert client.request("workspace/executeCommand", params)["markdown"].startswith("# `net.")
        assert client.end() == 0


def test_settings_disable_hints_and_lenses_and_enable_the_diagnostic(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    settings = {
        **EVERY_OPTION,
        "inlayHints": {"flows": False},
        "codeLens": {"flows": False},
        "diagnostics": {"flows": "hint"},
    }
    with Client() as client:
        started(client, root, uri, settings=settings)
        assert hint_of(client, uri)["label"] == "net.buffer"
        (lens,) = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        assert client.request("codeLens/resolve", lens)["command"]["title"] == "1 read"
        (told,) = client.diagnostics(uri)
        assert (told["code"], told["severity"]) == ("reaches-operation", 4)
        related = [item["message"] for item in told["relatedInformation"]]
        assert related == [
            "read: Integer.getInteger(K, 5)",
            "compute: size = n * 2",
            "operation: new byte[size]",
        ]
        assert client.end() == 0
    with Client() as client:
        started(client, root, uri)
        assert client.diagnostics(uri) == []
        assert client.end() == 0


def test_the_call_hierarchy_goes_down_from_an_option_and_up_from_an_operation(
    tmp_path: Path,
) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        found = started(client, root, uri)
        assert found["callHierarchyProvider"] is True
        prepare = "textDocument/prepareCallHierarchy"
        assert client.request(prepare, client.at(uri, *NOWHERE)) is None
        (option,) = client.request(prepare, client.at(uri, *READ))
        assert (option["name"], option["kind"]) == ("net.buffer", 7)
        (step,) = client.request("callHierarchy/outgoingCalls", {"item": option})
        assert (step["to"]["name"], step["to"]["detail"]) == ("size = n * 2", "compute · Demo.a")
        assert step["fromRanges"] == [option["selectionRange"]]
        last = client.request("callHierarchy/outgoingCalls", {"item": step["to"]})
        assert [call["to"]["name"] for call in last] == ["new byte[]", "out.flush"]
        assert client.request("callHierarchy/outgoingCalls", {"item": last[0]["to"]}) == []
        assert client.request("callHierarchy/incomingCalls", {"item": option}) == []

        (operation,) = client.request(prepare, client.at(uri, *WRITE))
        (up,) = client.request("callHierarchy/incomingCalls", {"item": operation})
        assert up["from"]["name"] == "size = n * 2"
        (top,) = client.request("callHierarchy/incomingCalls", {"item": up["from"]})
        assert (top["from"]["name"], top["from"]["kind"]) == ("net.buffer", 7)

        other = {**option, "data": {"theirs": True}}
        assert client.request("callHierarchy/outgoingCalls", {"item": other}) == []
        assert client.request("callHierarchy/outgoingCalls", {"item": {**option, "data": 3}}) == []
        assert client.end() == 0


def test_call_hierarchies_are_not_announced_to_clients_that_leave_them_to_others(
    tmp_path: Path,
) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        found = started(client, root, uri, **changed("textDocument", callHierarchy=None))
        assert "callHierarchyProvider" not in found
        at = client.at(uri, *READ)
        (option,) = client.request("textDocument/prepareCallHierarchy", at)
        assert option["name"] == "net.buffer"
        assert client.end() == 0


def test_a_page_is_a_virtual_document_where_the_client_supports_it(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        space = changed("workspace", textDocumentContent={"dynamicRegistration": True})
        found = started(client, root, uri, **space)
        assert found["workspace"]["textDocumentContent"]["schemes"] == ["conflens"]
        position = client.at(uri, *READ)["position"]
        params = {"command": "conflens.openFlows", "arguments": [uri, position]}
        opened = client.request("workspace/executeCommand", params)
        assert opened["uri"].split("?")[0] == PAGE
        client.wait(lambda: shown(client), "document")
        assert shown(client) == [opened["uri"]]
        text = client.request("workspace/textDocumentContent", {"uri": opened["uri"]})["text"]
        assert text == opened["markdown"]
        assert "2. compute `size = n * 2` in Demo.a" in text
        asked = client.at(uri, *WRITE)
        assert client.request("conflens/flows", asked)["uri"] == opened["uri"]
        assert client.request("conflens/flows", client.at(uri, *NOWHERE)) is None
        with pytest.raises(ServerError, match="invalid parameters of conflens/flows"):
            client.request("conflens/flows", {"textDocument": 3})
        for other in (f"{PAGE}?%2Felsewhere", "conflens:/ConfLens status.md"):
            text = client.request("workspace/textDocumentContent", {"uri": other})["text"]
            assert "net.buffer" not in text
        client.change(uri, 2, (2, 0, 2, 0, "  // moved\n"))
        client.wait(lambda: refreshed(client), "refresh of the page")
        assert refreshed(client) == [opened["uri"]]
        text = client.request("workspace/textDocumentContent", {"uri": opened["uri"]})["text"]
        assert f"3. operation `new byte[size]` in Demo.a, [Demo.java:7]({uri}#L7)" in text
        assert client.end() == 0


def test_elsewhere_a_page_is_a_read_only_file_removed_with_the_server(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    (tmp_path / "tmp").mkdir()
    with Client(TMPDIR=str(tmp_path / "tmp")) as client:
        found = started(client, root, uri)
        assert "textDocumentContent" not in found["workspace"]
        position = client.at(uri, *READ)["position"]
        params = {"command": "conflens.openFlows", "arguments": [uri, position]}
        for _ in range(2):
            opened = client.request("workspace/executeCommand", params)
        client.wait(lambda: len(shown(client)) == 2, "documents")
        first, second = shown(client)
        assert first == second
        file = Path(unquote(urlsplit(first).path))
        assert file.is_relative_to(tmp_path / "tmp")
        assert file.read_text(encoding="utf-8") == opened["markdown"]
        assert file.stat().st_mode & 0o222 == 0
        assert client.end() == 0
        assert not file.exists()


def refreshed(client: Client) -> list[str]:
    return [
        message["params"]["uri"]
        for message in client.asked
        if message["method"] == "workspace/textDocumentContent/refresh"
    ]


def shown(client: Client) -> list[str]:
    return [
        message["params"]["uri"]
        for message in client.asked
        if message["method"] == "window/showDocument"
    ]


def test_a_client_that_cannot_show_documents_gets_the_text(tmp_path: Path) -> None:
    root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri, **changed("window", showDocument=None))
        page = f"{PAGE}?{root.removeprefix('file://')}"
        command = {"command": "conflens.openFlows", "arguments": [page]}
        assert client.request("workspace/executeCommand", command)["markdown"].startswith("# `net")
        for arguments in ([], [3], [uri], [uri, 3], [uri, {"line": "x"}], ["conflens:/x", None]):
            command = {"command": "conflens.openFlows", "arguments": arguments}
            assert client.request("workspace/executeCommand", command) is None
        with pytest.raises(ServerError):
            client.request("workspace/executeCommand", {"command": "conflens.other"})
        assert shown(client) == []
        assert client.end() == 0
