"""Links out of a workspace folder: what the user names is read, and nothing there is edited."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from e2e.client import Client, ServerError, capabilities
from e2e.test_real import STDIO
from e2e.test_rename import ANNOTATED
from forests import planted

INSIDE = """class A {
    int timeout = Integer.getInteger("net.timeout", 5);
    int retries = Integer.getInteger("net.retries", 5);
}
"""
OUTSIDE = 'class B { int timeout = Integer.getInteger("net.timeout", 7); }\n'
GUIDE = "The option `net.retries` is a number.\n"
WORKSPACE = '[links]\npaths = ["shared"]\n[documentation]\npaths = ["guide.md", "*.md"]\n'


def test_a_rename_edits_only_files_of_the_folder_and_each_once(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "A.java").write_text(INSIDE)
    (root / "notes.md").write_text(GUIDE)
    os.link(root / "notes.md", root / "same-notes.md")
    (root / ".conflens.toml").write_text(WORKSPACE)
    (outside / "B.java").write_text(OUTSIDE)
    (outside / "guide.md").write_text(GUIDE)
    (root / "shared").symlink_to(outside)
    (root / "guide.md").symlink_to(outside / "guide.md")
    uri = (root / "A.java").as_uri()
    workspace = {**capabilities("visual_studio_code")["workspace"], "workspaceEdit": ANNOTATED}
    with Client(STDIO, CONFLENS_CACHE_DIR=str(planted(tmp_path / "cache"))) as client:
        client.start({"root": root.as_uri()}, workspace=workspace)
        client.open(uri, INSIDE)
        client.ready()
        (symbol,) = client.request("workspace/symbol", {"query": "net.timeout"})
        assert symbol["name"] == "net.timeout"
        with pytest.raises(ServerError, match=r"shared/B\.java .* out of the workspace folder"):
            client.request("textDocument/rename", client.at(uri, 1, 42, newName="net.limit"))
        edit = client.request("textDocument/rename", client.at(uri, 2, 42, newName="net.tries"))
        edited = [change["textDocument"]["uri"] for change in edit["documentChanges"]]
        assert edited == [uri, (root / "notes.md").as_uri()]
        assert client.end() == 0
