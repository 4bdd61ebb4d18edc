"""Rename and what is done about findings, through the protocol, with a client that applies what it gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import PROFILES, STDIO, Client, ServerError, capabilities
from e2e.test_sensitivity import edited, section

KEYS = 'class Keys { /* 😀 */ static final String K = "net.timeout"; }\r\n'
READ = 'class A { String s = "😀ä"; int t = Integer.getInteger(Keys.K, 5); }\n'
SETTINGS = "# 😀 seconds\r\nnet.timeout = 5\r\nx=ä😀 ${net.timeout}\r\n"
GUIDE = "😀 `net.timeout` and net.timeout\n"
FILES = {"Keys.java": KEYS, "src/A.java": READ, "app.properties": SETTINGS, "GUIDE.md": GUIDE}
AFTER = {path: text.replace("net.timeout", "io.ü😀") for path, text in FILES.items()}
ANNOTATED = {
    "documentChanges": True,
    "changeAnnotationSupport": {"groupsOnLabel": True},
    "resourceOperations": ["create"],
}


def project(folder: Path) -> tuple[Path, str]:
    root = folder / "my projécts 100%"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return root, root.as_uri()


def changed(
    edit: dict[str, Any], root: str, texts: dict[str, str], encoding: str
) -> dict[str, str]:
    """The texts after an edit, by path; only those that it changes."""
    changes = (
        dict(edit["changes"])
        if "changes" in edit
        else {one["textDocument"]["uri"]: one["edits"] for one in edit["documentChanges"]}
    )
    return {
        path: edited(texts[path], edits, encoding)
        for uri, edits in changes.items()
        for path in [uri.removeprefix(f"{root}/")]
    }


def rename(client: Client, uri: str, line: int, character: int, name: str) -> dict[str, Any]:
    params = client.at(uri, line, character, newName=name)
    found: dict[str, Any] = client.request("textDocument/rename", params)
    return found


@pytest.mark.parametrize(
    ("profile", "encoding"), [*zip(PROFILES, ("utf-16", "utf-8", "utf-32"), strict=True)]
)
def test_from_every_place_in_every_encoding(tmp_path: Path, profile: str, encoding: str) -> None:
    _, root = project(tmp_path)
    general = {**(capabilities(profile).get("general") or {}), "positionEncodings": [encoding]}
    workspace = {**capabilities(profile)["workspace"], "workspaceEdit": ANNOTATED}
    with Client() as client:
        client.start({"demo": root}, profile, general=general, workspace=workspace)
        keys, settings = f"{root}/Keys.java", f"{root}/app.properties"
        client.open(keys, KEYS, 3)
        client.ready()
        wide = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding]
        place = KEYS.index("net.timeout") - 1 + wide
        found = client.request("textDocument/prepareRename", client.at(keys, 0, place + 2))
        assert found["placeholder"] == "net.timeout"
        assert found["range"]["start"] == {"line": 0, "character": place}
        assert found["range"]["end"] == {"line": 0, "character": place + 11}
        others = {"Other config files, and placeholders": True, "Documents": True}
        edits = [
            (
                rename(client, keys, 0, place + 2, "io.ü😀"),
                {"Java code that reads net.timeout": False, **others},
            ),
            (
                rename(client, settings, 1, 3, "io.ü😀"),
                {
                    "Config files: keys of net.timeout": False,
                    "Java code: constants and other texts": True,
                    **others,
                },
            ),
        ]
        for edit, wanted in edits:
            assert changed(edit, root, FILES, encoding) == {
                path: text for path, text in AFTER.items() if text != FILES[path]
            }
            labels = {
                one["label"]: one["needsConfirmation"]
                for one in edit["changeAnnotations"].values()
            }
            assert labels == wanted
            versions = {
                one["textDocument"]["uri"].removeprefix(f"{root}/"): one["textDocument"]["version"]
                for one in edit["documentChanges"]
            }
            assert versions == {"Keys.java": 3, "app.properties": None, "GUIDE.md": None}
        assert client.end() == 0


@pytest.mark.parametrize("support", [{"documentChanges": True}, None])
def test_a_client_that_cannot_confirm_is_shown_the_remaining_places(
    tmp_path: Path, support: Any
) -> None:
    _, root = project(tmp_path)
    with Client() as client:
        client.start({"demo": root}, **section("workspace", workspaceEdit=support))
        keys = f"{root}/Keys.java"
        client.open(keys, KEYS)
        client.ready()
        edit = rename(client, keys, 0, KEYS.index("net.timeout") + 3, "io.ü😀")
        assert ("changes" in edit) == (support is None)
        assert set(changed(edit, root, FILES, "utf-16")) == {"Keys.java"}
        message = client.told("window/showMessage")["message"]
        assert message == "net.timeout is still mentioned in GUIDE.md and app.properties."
        with pytest.raises(ServerError, match=r"Changes in Keys\.java must be confirmed"):
            rename(client, f"{root}/app.properties", 1, 3, "io.ü😀")
        assert client.end() == 0


def test_a_rename_in_a_folder_inside_another_names_what_stays(tmp_path: Path) -> None:
    read = 'class A { int v = Integer.getInteger("a.size", 4); }\n'
    (tmp_path / "mod").mkdir()
    (tmp_path / "A.java").write_text(read)
    (tmp_path / "mod/C.java").write_text(read.replace("class A", "class C"))
    (tmp_path / "GUIDE.md").write_text("`a.size` is a number\n")
    (tmp_path / "a.properties").write_text("a.size=3\n")
    root = tmp_path.as_uri()
    with Client() as client:
        client.start(
            {"all": root, "mod": f"{root}/./mod"},
            **section("workspace", workspaceEdit=ANNOTATED),
        )
        for uri in (f"{root}/mod/C.java", f"{root}/A.java"):
            client.open(
                uri, read if uri.endswith("A.java") else read.replace("class A", "class C")
            )
            client.wait(lambda uri=uri: client.hover(uri, 0, read.index("size")), "the analysis")
        edit = rename(client, f"{root}/mod/C.java", 0, read.index("size") - 1, "b.size")
        assert [one["textDocument"]["uri"] for one in edit["documentChanges"]] == [
            f"{root}/mod/C.java"
        ]
        assert client.told("window/showMessage")["message"] == (
            "a.size is still used in A.java, GUIDE.md and a.properties of the workspace folder all;"
            " only the folder inside it was edited."
        )
        assert client.end() == 0


def test_unsaved_texts_are_renamed(tmp_path: Path) -> None:
    _, root = project(tmp_path)
    with Client() as client:
        client.start({"demo": root}, **section("workspace", workspaceEdit=ANNOTATED))
        keys, settings = f"{root}/Keys.java", f"{root}/app.properties"
        client.open(keys, KEYS)
        client.open(settings, SETTINGS, 1)
        client.ready()
        client.change(settings, 2, (0, 0, 0, 0, "# 😀 more\r\nnet.timeout=6\r\n"))
        now = "# 😀 more\r\nnet.timeout=6\r\n" + SETTINGS
        edit = rename(client, settings, 1, 3, "io.limit")
        after = changed(edit, root, {**FILES, "app.properties": now}, "utf-16")
        assert after["app.properties"] == now.replace("net.timeout", "io.limit")
        versions = {one["textDocument"]["version"] for one in edit["documentChanges"]}
        assert versions == {1, 2, None}
        assert client.end() == 0


def test_a_refusal_is_an_error_of_one_line(tmp_path: Path) -> None:
    _, root = project(tmp_path)
    with Client() as client:
        client.start({"demo": root})
        keys = f"{root}/Keys.java"
        client.open(keys, KEYS)
        client.ready()
        with pytest.raises(ServerError, match="'a b' cannot be the name of an option") as error:
            rename(client, keys, 0, KEYS.index("net.timeout") + 3, "a b")
        assert error.value.code == -32803
        assert client.request("textDocument/prepareRename", client.at(keys, 0, 3)) is None
        assert client.request("textDocument/rename", client.at(keys, 0, 3, newName="x")) is None
        assert client.end() == 0


def test_a_finding_is_suppressed_or_documented(tmp_path: Path) -> None:
    root_path, root = project(tmp_path)
    (root_path / "GUIDE.md").write_text("| Option | Default |\n|---|---|\n| `net.host` | x |\n")
    (root_path / "app.properties").unlink()
    source = 'class B {\n  String h = System.getProperty("net.host");\n}\n'
    (root_path / "B.java").write_text(source)
    with Client() as client:
        client.start({"demo": root}, **section("workspace", workspaceEdit=ANNOTATED))
        keys = f"{root}/Keys.java"
        client.open(keys, KEYS)
        (told,) = (one for one in client.diagnostics(keys) if one["code"] == "undocumented-option")
        params = {
            "textDocument": {"uri": keys},
            "range": told["range"],
            "context": {"diagnostics": [told], "only": ["quickfix"]},
        }
        found = {one["title"]: one for one in client.request("textDocument/codeAction", params)}
        assert list(found) == [
            "Add an entry for net.timeout to GUIDE.md",
            "Suppress undocumented-option here",
            "Suppress undocumented-option for net.timeout in this project",
        ]
        assert all(
            one["kind"] == "quickfix" and one["diagnostics"] == [told] for one in found.values()
        )
        entry, here, project_wide = (one["edit"] for one in found.values())
        guide = "| Option | Default |\n|---|---|\n| `net.host` | x |\n"
        assert changed(entry, root, {"GUIDE.md": guide}, "utf-16") == {
            "GUIDE.md": guide + "| `net.timeout` | 5 |\n"
        }
        for edit in (entry, here, project_wide):
            # A change to confirm would open a preview in which it is not ticked.
            labels = edit.get("changeAnnotations", {}).values()
            assert not any(label.get("needsConfirmation") for label in labels)
        comment = "// conflens: ignore undocumented-option\r\n"
        assert changed(here, root, FILES, "utf-16") == {"Keys.java": comment + KEYS}
        made, change = project_wide["documentChanges"]
        assert made["kind"] == "create"
        text = edited("", change["edits"], "utf-16")
        assert text == '[check]\nignore = ["undocumented-option: net.timeout"]\n'
        params["context"] = {"diagnostics": [], "only": ["quickfix"]}
        assert client.request("textDocument/codeAction", params) is None
        assert client.end() == 0


KEYS_OF_MEMBER = "src/main/resources/application.properties"
MEMBER = {
    "p/Props.java": (
        "package p;\n"
        '@org.springframework.boot.context.properties.ConfigurationProperties("toy") class Props {\n'
        "  private int size = 1;\n"
        "  public int getSize() { return size; }\n  public void setSize(int n) { size = n; }\n}\n"
    ),
    KEYS_OF_MEMBER: "toy.size=3\n",
    "src/main/resources/application-dev.properties": "toy.size=3\n",
    "src/test/resources/application.properties": "toy.size=3\n",
}


def test_the_preview_says_what_to_check_of_a_member(tmp_path: Path) -> None:
    for name, text in MEMBER.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    workspace = {**capabilities(PROFILES[0])["workspace"], "workspaceEdit": ANNOTATED}
    with Client(STDIO) as client:
        client.start({"demo": tmp_path.as_uri()}, PROFILES[0], workspace=workspace)
        uri = (tmp_path / KEYS_OF_MEMBER).as_uri()
        client.ready()
        said = rename(client, uri, 0, 5, "toy.limit")["changeAnnotations"].values()
        told = {one["label"]: (one["needsConfirmation"], one["description"]) for one in said}
        assert told == {
            "Java code: the field of toy.size, its accessors and their uses": (
                True,
                "Change all of them or none; check whether tests, templates, expressions, reflection or stored data"
                " name them, toy.size to toy.limit",
            ),
            "Config files: keys and placeholders of toy.size": (
                True,
                "They change with the field; another program or module may have them as well, toy.size to toy.limit",
            ),
            "Config files of tests": (
                True,
                "Tests would go on with the old name, toy.size to toy.limit",
            ),
        }
        assert client.end() == 0


def test_a_client_that_cannot_confirm_does_not_rename_a_member(tmp_path: Path) -> None:
    for name, text in MEMBER.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with Client(STDIO) as client:
        client.start(
            {"demo": tmp_path.as_uri()},
            **section("workspace", workspaceEdit={"documentChanges": True}),
        )
        client.ready()
        with pytest.raises(ServerError, match=r"Changes in p/Props\.java must be confirmed"):
            rename(client, (tmp_path / KEYS_OF_MEMBER).as_uri(), 0, 5, "toy.limit")
        assert client.end() == 0
