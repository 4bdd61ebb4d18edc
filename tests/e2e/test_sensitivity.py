"""Verdicts through the real protocol: shown, listed, and overruled by a code action."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import pytest

from conflens.models.workspace import parse_workspace
from e2e.client import PROFILES, Client, capabilities
from patience import until

DEMO = """class Demo {
  // ? net.ü😀 sensitive 0.87
  static final String K = "net.ü😀";
  void a() {
    int n = Integer.getInteger(K, 5);
    byte[] b = new byte[n]; // <- net.ü😀 direct memory // + net.ü😀 sizes a buffer
    System.getProperty("x.y", "z");
  }
}
"""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
DECLARATION, READ, OTHER, NOWHERE = (2, 23), (4, 31), (6, 26), (0, 2)
LAZY = {"properties": ["tooltip", "textEdits", "label.tooltip", "label.location", "label.command"]}
OURS = {"commands": {"commands": ["conflens.showReferences", "conflens.saveWorkspaceFile"]}}
NAME = "net.ü😀"
SENSITIVE = f"Mark {NAME} as performance-sensitive"
NOT = f"Mark {NAME} as not performance-sensitive"
REMOVE = f"Remove the verdict on {NAME}"
OTHERS = '# 😀 ours\n[exclude]\npaths = ["gen/**"]\n'


def project(folder: Path, workspace: bytes | None = None) -> tuple[Path, str, str]:
    root = folder / "my projécts 100%"
    root.mkdir()
    (root / "Demo.java").write_text(DEMO, encoding="utf-8")
    if workspace is not None:
        (root / ".conflens.toml").write_bytes(workspace)
    return root / ".conflens.toml", root.as_uri(), (root / "Demo.java").as_uri()


def started(client: Client, root: str, uri: str, **changes: Any) -> dict[str, Any]:
    found = client.start({"demo": root}, **changes)
    client.open(uri, DEMO)
    client.ready()
    return found


def section(name: str, **changes: object) -> dict[str, Any]:
    """The capabilities of VS Code in a section, with changes; ``None`` takes one away."""
    found = {**capabilities("visual_studio_code")[name], **changes}
    return {name: {key: value for key, value in found.items() if value is not None}}


def actions(
    client: Client, uri: str, at: tuple[int, int] = DECLARATION, **context: object
) -> dict[str, Any]:
    """The actions at a position, by title."""
    place = {"line": at[0], "character": at[1]}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], **context},
    }
    found = client.request("textDocument/codeAction", params)
    return {} if found is None else {action["title"]: action for action in found}


def edited(text: str, edits: list[dict[str, Any]], encoding: str) -> str:
    """A text after edits whose columns count in an encoding, as a client applies them."""
    sizes = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
    codec, width = sizes[encoding]

    def offset(position: dict[str, int]) -> int:
        lines = text.splitlines(keepends=True)
        before = lines[: position["line"]]
        assert len(before) == position["line"]
        line = lines[position["line"]] if position["line"] < len(lines) else ""
        head = line.encode(codec)[: position["character"] * width].decode(codec)
        return sum(map(len, before)) + len(head)

    places = [(offset(e["range"]["start"]), offset(e["range"]["end"]), e) for e in edits]
    for start, end, edit in sorted(places, key=lambda item: item[0], reverse=True):
        text = text[:start] + edit["newText"] + text[end:]
    return text


def text_edits(action: dict[str, Any]) -> list[dict[str, Any]]:
    (edits,) = (
        action["edit"]["changes"].values()
        if "changes" in action["edit"]
        else [change["edits"] for change in action["edit"]["documentChanges"] if "edits" in change]
    )
    return cast(list[dict[str, Any]], edits)


def verdicts(text: str) -> dict[str, bool]:
    model, problems = parse_workspace(".conflens.toml", text)
    assert problems == ()
    return {item.option: item.sensitive for item in model.verdicts}


def verdict_line(client: Client, uri: str) -> str:
    found = client.request("textDocument/hover", client.at(uri, *DECLARATION))
    return cast(str, found["contents"]["value"].splitlines()[2])


def wait_for(client: Client, uri: str, start: str) -> None:
    """Wait until the hover begins so; each look asks anew."""
    until(lambda: verdict_line(client, uri).startswith(start), f"the verdict {start!r}")


@pytest.mark.parametrize(
    ("profile", "encoding"), [*zip(PROFILES, ("utf-16", "utf-8", "utf-32"), strict=True)]
)
def test_a_verdict_is_set_reversed_and_removed(
    tmp_path: Path, profile: str, encoding: str
) -> None:
    before = OTHERS.replace("\n", "\r\n")
    file, root, uri = project(tmp_path, before.encode("utf-8-sig"))
    general = {**(capabilities(profile).get("general") or {}), "positionEncodings": [encoding]}
    with Client() as client:
        client.start({"demo": root}, profile, general=general)
        client.open(uri, DEMO)
        client.ready()
        model = f"Affects performance: it sizes a buffer ([Demo.java:6]({uri}#L6))."
        assert verdict_line(client, uri) == model
        text = before
        steps = [
            ([SENSITIVE, NOT], NOT, {NAME: False}, "Does not affect performance according to your verdict in"),
            ([SENSITIVE, REMOVE], SENSITIVE, {NAME: True}, "Affects performance according to your verdict"),
            ([NOT, REMOVE], REMOVE, {}, model),
        ]  # fmt: skip
        for titles, chosen, expected, shown in steps:
            found = actions(client, uri)
            assert list(found) == titles
            text = edited(text, text_edits(found[chosen]), encoding)
            assert verdicts(text) == expected
            assert text.startswith(before)
            assert text.count("\n") == text.count("\r\n")
            file.write_bytes(text.encode("utf-8-sig"))
            client.notify(
                "textDocument/didSave", {"textDocument": {"uri": f"{root}/.conflens.toml"}}
            )
            wait_for(client, uri, shown)
        assert text == before
        assert client.end() == 0


def test_a_missing_file_is_created_by_the_edit(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    target = f"{root}/.conflens.toml"
    with Client() as client:
        found = started(client, root, uri)
        assert found["codeActionProvider"]["codeActionKinds"] == ["quickfix", "refactor.rewrite"]
        for at in (DECLARATION, READ):
            action = actions(client, uri, at)[NOT]
            made, edit = action["edit"]["documentChanges"]
            assert made == {"kind": "create", "uri": target}
            assert edit["textDocument"] == {"uri": target, "version": None}
            assert edit["edits"][0]["range"]["start"] == {"line": 0, "character": 0}
            assert verdicts(edited("", edit["edits"], "utf-16")) == {NAME: False}
            assert action["kind"] == "refactor.rewrite"
            assert "command" not in action
        other = actions(client, uri, OTHER)
        assert next(iter(other)) == "Mark x.y as performance-sensitive"
        assert actions(client, uri, NOWHERE) == {}
        assert client.end() == 0


@pytest.mark.parametrize(
    ("support", "form"),
    [
        ({"documentChanges": True}, "documentChanges"),
        ({"resourceOperations": ["create"]}, "changes"),
        (None, "changes"),
    ],
)
def test_less_capable_clients_get_the_text_only(
    tmp_path: Path, support: dict[str, Any] | None, form: str
) -> None:
    _, root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri, **section("workspace", workspaceEdit=support))
        action = actions(client, uri)[SENSITIVE]
        assert list(action["edit"]) == [form]
        assert len(action["edit"][form]) == 1
        assert verdicts(edited("", text_edits(action), "utf-16")) == {NAME: True}
        assert client.end() == 0


def test_the_text_in_the_editor_overrides_the_disk(tmp_path: Path) -> None:
    file, root, uri = project(tmp_path, OTHERS.encode())
    target = f"{root}/.conflens.toml"
    with Client() as client:
        started(client, root, uri, experimental=OURS)
        save = {"title": "Save", "command": "conflens.saveWorkspaceFile", "arguments": [target]}
        assert actions(client, uri)[NOT]["command"] == save
        client.open(target, OTHERS, 1)
        assert actions(client, uri)[NOT]["command"] == save
        text = f'# 😀 unsaved\n[verdict."{NAME}"]\nsensitive = true # yes\n'
        client.change(target, 7, text)
        found = actions(client, uri)
        assert list(found) == [NOT, REMOVE]
        assert "command" not in found[NOT]
        (edit,) = found[NOT]["edit"]["documentChanges"]
        assert edit["textDocument"] == {"uri": target, "version": 7}
        assert edited(text, edit["edits"], "utf-16") == text.replace("true", "false")
        client.change(target, 8, "[no TOML")
        assert actions(client, uri) == {}
        client.notify("textDocument/didClose", {"textDocument": {"uri": target}})
        assert list(actions(client, uri)) == [SENSITIVE, NOT]
        file.write_text("[no TOML")
        assert actions(client, uri) == {}
        file.write_bytes(b"# \xff\n")
        assert actions(client, uri) == {}
        assert client.end() == 0


def test_only_actions_that_a_client_requests_and_supports(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    with Client() as client:
        started(client, root, uri)
        for kinds in (["refactor"], ["quickfix", "refactor.rewrite"], [""]):
            assert len(actions(client, uri, only=kinds)) == 2
        for kinds in (["quickfix"], ["source"], ["refactor.rewrite.x"], ["refactor.re"], []):
            assert actions(client, uri, only=kinds) == {}
        assert client.end() == 0
    with Client() as client:
        started(client, root, uri, **section("textDocument", codeAction=None))
        assert actions(client, uri) == {}
        assert client.end() == 0


def test_a_file_without_a_folder_offers_no_verdicts(tmp_path: Path) -> None:
    _, _, uri = project(tmp_path)
    with Client() as client:
        client.start({})
        client.open(uri, DEMO)
        client.told("conflens/status", lambda params: params["options"] == 2)
        assert verdict_line(client, uri).startswith("Affects performance")
        assert actions(client, uri) == {}
        assert client.end() == 0


def test_an_effect_is_explained_and_leads_to_its_reason(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    params = {"textDocument": {"uri": uri}, "range": WHOLE}
    with Client() as client:
        lazy = section("textDocument", inlayHint={"resolveSupport": LAZY})
        started(client, root, uri, experimental=OURS, **lazy)
        (hint,) = client.request("textDocument/inlayHint", params)
        shown = [part["value"] for part in hint["label"]]
        assert shown == [NAME, " · ", "sizes a buffer"]
        effect = client.request("inlayHint/resolve", hint)["label"][2]
        assert effect["tooltip"]["value"].splitlines()[0] == "Affects performance:"
        (place,) = effect["command"]["arguments"][2]
        assert place["range"]["start"] == {"line": 5, "character": 15}
        assert client.end() == 0
    with Client() as client:
        started(client, root, uri)
        (hint,) = client.request("textDocument/inlayHint", params)
        assert hint["label"][2]["location"]["range"]["start"]["line"] == 5
        assert "affects performance" in hint["tooltip"]["value"]
        assert client.end() == 0


def test_an_option_without_impact_has_no_hint_and_no_lens(tmp_path: Path) -> None:
    file, root, uri = project(tmp_path)
    lenses = {"textDocument": {"uri": uri}}
    with Client() as client:
        started(client, root, uri)
        assert len(client.request("textDocument/codeLens", lenses)) == 1
        file.write_text(f'[verdict."{NAME}"]\nsensitive = false\n', encoding="utf-8")
        client.notify("textDocument/didSave", {"textDocument": {"uri": f"{root}/.conflens.toml"}})
        wait_for(client, uri, "Does not affect performance")
        params = {"textDocument": {"uri": uri}, "range": WHOLE}
        assert client.request("textDocument/inlayHint", params) == []
        assert client.request("textDocument/codeLens", lenses) == []
        assert client.end() == 0


def test_a_sensitive_option_without_documentation_is_a_diagnostic(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    folder = tmp_path / "my projécts 100%"
    (folder / "options.md").write_text("- `net.known`: what it does.\n")
    (folder / "K.java").write_text('class K { String s = System.getProperty("net.known"); }\n')
    with Client() as client:
        started(client, root, uri)
        (told,) = (
            item
            for item in client.diagnostics(uri)
            if item["code"] not in ("unused-read", "dead-option")
        )
        assert (told["code"], told["severity"]) == ("sensitive-undocumented", 3)
        assert told["message"].startswith(
            f"{NAME} is not documented in this project, but affects performance because"
        )
        assert client.end() == 0


def listed(client: Client, *arguments: object) -> dict[str, Any]:
    params = {"command": "conflens.listSensitivity", "arguments": [*arguments]}
    return cast(dict[str, Any], client.request("workspace/executeCommand", params))


def shown(client: Client) -> list[str]:
    return [
        message["params"]["uri"]
        for message in client.asked
        if message["method"] == "window/showDocument"
    ]


def test_the_list_is_available_as_document_and_rows(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    space = section("workspace", textDocumentContent={"dynamicRegistration": True})
    with Client() as client:
        found = started(client, root, uri, **space)
        assert "conflens.listSensitivity" in found["executeCommandProvider"]["commands"]
        everything = listed(client)
        assert everything["uri"] == "conflens:/sensitivity/options.md"
        assert everything["ready"] is True
        assert "rows" not in everything
        table = [line for line in everything["markdown"].splitlines() if line.startswith("| [")]
        assert [line.split("|")[2].strip() for line in table] == ["sensitive, 87 %", "unknown"]
        assert f"[`{NAME}`]({uri}#L5)" in table[0]
        client.wait(lambda: shown(client), "document")
        only = listed(client, {"onlySensitive": True, "rows": True, "show": False})
        (row,) = only["rows"]
        assert (row["name"], row["label"], row["probability"]) == (NAME, "sensitive", 0.87)
        assert (row["reasons"], row["operations"]) == (["sizes a buffer"], 1)
        assert row["location"]["uri"] == uri
        assert row["location"]["range"]["start"] == {"line": 4, "character": 31}
        assert shown(client) == [everything["uri"]]
        for uri_of in (everything["uri"], only["uri"]):
            params = {"uri": uri_of}
            text = client.request("workspace/textDocumentContent", params)["text"]
            assert (
                text
                == listed(client, {"onlySensitive": uri_of == only["uri"], "show": False})[
                    "markdown"
                ]
            )
        page = client.request("workspace/textDocumentContent", {"uri": row["page"]})["text"]
        assert page.startswith(f"# `{NAME}`")
        assert listed(client, 3, {"show": 5})["markdown"] == everything["markdown"]
        assert client.end() == 0


def test_elsewhere_the_list_is_a_file_and_reports_missing_verdicts(tmp_path: Path) -> None:
    _, root, uri = project(tmp_path)
    (tmp_path / "tmp").mkdir()
    text = DEMO.replace(f"// ? {NAME} sensitive 0.87", "//")
    (tmp_path / "my projécts 100%" / "Demo.java").write_text(text, encoding="utf-8")
    with Client(TMPDIR=str(tmp_path / "tmp")) as client:
        client.start({"demo": root})
        client.ready()
        found = listed(client, {"rows": True})
        assert (found["ready"], found["rows"]) == (False, [])
        assert "The options have not been judged yet." in found["markdown"]
        client.wait(lambda: shown(client), "document")
        file = Path(unquote(urlsplit(shown(client)[0]).path))
        assert file.read_text(encoding="utf-8") == found["markdown"]
        hint = {"textDocument": {"uri": uri}, "range": WHOLE}
        assert client.request("textDocument/inlayHint", hint) == []
        assert client.end() == 0
