"""One option of a real project renamed through a real client: what it applies compiles, and no mention is left.

The project is Velocity as its sources are published: Java, the file with the defaults of its options, and their libraries.
The page in ``docs`` is the test's own, because documentation is not part of a sources jar.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from corpus.fetch import binary, fetch, projects
from e2e.client import STDIO, TESTS
from patience import PATIENCE

LIBRARIES = (
    "org.apache.commons:commons-lang3:3.11",
    "commons-io:commons-io:2.8.0",
    "org.slf4j:slf4j-api:1.7.30",
)
OLD, NEW = "parser.pool.size", "parsers.most_idle"
RUNTIME = "org/apache/velocity/runtime"
DEFAULTS = f"{RUNTIME}/defaults/velocity.properties"
GUIDE = """# Configuration 😀

| Option | Default |
|---|---|
| `parser.pool.size` | 20 |

Start with `-Dparser.pool.size=5`; parser.pool.size. Not parser.pool.size.max.
"""


def compiled(root: Path, out: Path, files: list[Path]) -> str:
    """Compile files against the sources of a project and its libraries; return what javac says of errors."""
    jars = os.pathsep.join(str(binary(coordinates)) for coordinates in LIBRARIES)
    command = ["javac", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", str(out)]
    command += ["-cp", jars, "-sourcepath", str(root), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode == 0) == ("error:" not in done.stderr)
    return done.stderr if done.returncode else ""


async def started(root: Path, scratch: Path) -> LanguageClient:
    """A client with VS Code's capabilities on a project, once the server has read it."""
    client = make_test_lsp_client()
    ready = asyncio.Event()

    @client.feature("conflens/status")
    def status(params: Any) -> None:
        if params.state == "ready":
            ready.set()

    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent / "server")]),
        "CONFLENS_CACHE_DIR": str(scratch / "cache"),
    }
    await client.start_io(*STDIO, env=environment)
    capabilities = client_capabilities("visual_studio_code")
    capabilities.experimental = {"conflens": {"notifications": ["conflens/status"]}}
    folder = types.WorkspaceFolder(uri=root.as_uri(), name="velocity")
    await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities, root_uri=root.as_uri(), workspace_folders=[folder]
        )
    )
    await asyncio.wait_for(ready.wait(), PATIENCE)
    return client


def applied(root: Path, edit: types.WorkspaceEdit) -> list[Path]:
    """Do what a client does with an edit that was confirmed as a whole: change the files on disk."""
    changed = []
    assert edit.document_changes is not None
    for change in edit.document_changes:
        assert isinstance(change, types.TextDocumentEdit)
        path = Path(unquote(urlsplit(change.text_document.uri).path))
        assert path.is_relative_to(root)
        lines = path.read_bytes().decode().splitlines(keepends=True) or [""]

        def offset(position: types.Position, lines: list[str] = lines) -> int:
            head = lines[position.line].encode("utf-16-le")[: 2 * position.character]
            return sum(map(len, lines[: position.line])) + len(head.decode("utf-16-le"))

        text = "".join(lines)
        places = [(offset(e.range.start), offset(e.range.end), e.new_text) for e in change.edits]  # type: ignore[union-attr]
        for start, end, new in sorted(places, reverse=True):
            text = text[:start] + new + text[end:]
        path.write_bytes(text.encode())
        changed.append(path)
    return changed


def mentions(root: Path, name: str) -> list[str]:
    """The lines of all files that hold a name which is no part of a longer one."""
    whole = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)")
    return [
        f"{path.relative_to(root).as_posix()}: {line.strip()}"
        for path in sorted(root.rglob("*"))
        if path.is_file()
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if whole.search(line)
    ]


@pytest.mark.corpus
@pytest.mark.asyncio
async def test_an_option_of_velocity_is_renamed(tmp_path: Path) -> None:
    root = tmp_path / "velocity 😀"
    shutil.copytree(fetch(projects()["velocity"]), root)
    (root / "docs").mkdir()
    (root / "docs" / "configuration.md").write_text(GUIDE, encoding="utf-8")
    sources = sorted(root.rglob("*.java"))
    assert compiled(root, tmp_path / "before", sources) == ""
    before = mentions(root, OLD)
    assert len(before) == 6

    client = await started(root, tmp_path)
    constants = root / RUNTIME / "RuntimeConstants.java"
    text = constants.read_text(encoding="utf-8")
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(constants.as_uri(), types.LanguageKind.Java, 7, text)
        )
    )
    at = text.index(f'"{OLD}"') + 3
    line = text.count("\n", 0, at)
    position = types.Position(line, at - text.rfind("\n", 0, at) - 1)
    document = types.TextDocumentIdentifier(constants.as_uri())
    prepared = await client.text_document_prepare_rename_async(
        types.PrepareRenameParams(document, position)
    )
    assert isinstance(prepared, types.PrepareRenamePlaceholder)
    assert prepared.placeholder == OLD
    edit = await client.text_document_rename_async(types.RenameParams(document, position, NEW))
    await client.shutdown_session()
    await client.stop()

    assert edit is not None and edit.document_changes is not None
    assert edit.change_annotations is not None
    wanted = {label.label: label.needs_confirmation for label in edit.change_annotations.values()}
    assert wanted == {
        f"Java code that reads {OLD}": False,
        "Other config files, and placeholders": True,
        "Documents": True,
        "Comments and texts": True,
    }
    versions = {
        change.text_document.uri.rpartition("/")[2]: change.text_document.version
        for change in edit.document_changes
        if isinstance(change, types.TextDocumentEdit)
    }
    assert versions == {
        "RuntimeConstants.java": 7,
        "RuntimeInstance.java": None,
        "velocity.properties": None,
        "configuration.md": None,
    }
    changed = applied(root, edit)
    assert mentions(root, OLD) == []
    assert len(mentions(root, NEW)) == len(before)
    java = [path for path in changed if path.suffix == ".java"]
    assert len(java) == 2
    assert compiled(root, tmp_path / "after", java) == ""
    assert f"{NEW} = 20" in (root / DEFAULTS).read_text(encoding="utf-8")
