"""The configurations that users are given: they name a command that runs, and files that ConfLens reads.

Those of Neovim and Emacs are tested in these editors (`tests/editor`).
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from clients.sets import clients
from conflens.documents.configfiles.policy import may_be_config
from e2e.client import Client
from forests import planted

HOUSE = Path(__file__).resolve().parents[2]
EDITORS = HOUSE / "server" / "editors"
HELIX = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
LSP4IJ = EDITORS / "intellij" / "conflens"
TEMPLATE = json.loads((LSP4IJ / "template.json").read_text(encoding="utf-8"))
COMMANDS = {
    "helix": [HELIX["language-server"]["conflens"][key] for key in ("command", "args")],
    "lsp4ij": [shlex.split(TEMPLATE["programArgs"]["default"])],
}
FILES = (
    "A.java",
    "app.properties",
    "conf.yaml",
    "conf.yml",
    "app.toml",
    "core-site.xml",
    "app.conf",
)


def command_of(name: str) -> list[str]:
    """The command as a user's shell would run it, with the Python that has ConfLens installed."""
    parts = [one for part in COMMANDS[name] for one in ([part] if isinstance(part, str) else part)]
    assert parts[0] == "conflens"
    return [sys.executable, "-m", *parts]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_serves_this_client(tmp_path: Path, name: str) -> None:
    (tmp_path / "A.java").write_text('class A { String s = System.getProperty("a.b"); }\n')
    (one,) = (one for one in clients() if one.name == name)
    cache = str(planted(tmp_path / "cache"))
    with Client(command_of(name), CONFLENS_CACHE_DIR=cache) as client:
        client.answers["workspace/configuration"] = lambda params: [{} for _ in params["items"]]
        folders = [{"name": "demo", "uri": tmp_path.as_uri()}]
        client.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": tmp_path.as_uri(),
                "capabilities": one.capabilities,
                "workspaceFolders": folders,
            },
        )
        client.notify("initialized", {})
        uri = (tmp_path / "A.java").as_uri()
        client.open(uri, (tmp_path / "A.java").read_text())
        client.diagnostics(uri, 1)
        assert "a.b" in str(client.hover(uri, 0, 43))
        assert client.end() == 0


def test_helix_runs_it_beside_the_java_server() -> None:
    languages = {one["name"]: one["language-servers"] for one in HELIX["language"]}
    assert languages["java"] == ["jdtls", "conflens"]
    assert all(servers[-1] == "conflens" for servers in languages.values())


def test_lsp4ij_maps_files_that_the_server_reads() -> None:
    assert json.loads((LSP4IJ / "settings.json").read_text()) == {"conflens": {}}
    patterns = [
        pattern for row in TEMPLATE["fileTypeMappings"] for pattern in row["fileType"]["patterns"]
    ]
    for file in FILES:
        assert any(fnmatch(file, pattern) for pattern in patterns)
    for pattern in patterns:
        file = pattern.replace("*", "x")
        assert file.endswith(".java") or may_be_config(file), pattern


def test_files_named_by_the_pages_exist() -> None:
    page = (EDITORS / "README.md").read_text(encoding="utf-8")
    for named in re.findall(r"`((?:neovim|emacs|helix|intellij)/[\w./-]+)`", page):
        assert (EDITORS / named).exists(), named
    lua: Any = (EDITORS / "neovim" / "conflens.lua").read_text(encoding="utf-8")
    for command in ("conflens.showReferences", "conflens.showChain"):
        assert f'commands["{command}"]' in lua
