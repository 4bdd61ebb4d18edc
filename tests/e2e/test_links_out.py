"""No file outside of the project is opened because the project has a link to it, whatever the link is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.client import STDIO, TESTS, Client
from patience import PATIENCE

HOOK = """
import os, sys
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes)):
        real = os.path.realpath(os.fsdecode(arguments[0]))
        if real.startswith(os.environ["OUTSIDE"] + os.sep):
            there = os.open(os.environ["NOTED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(there, (os.fsdecode(arguments[0]) + "\\n").encode())
            os.close(there)
sys.addaudithook(note)
"""
JAVA = 'class A { int size = Integer.getInteger("toy.size", 3), other = Integer.getInteger("toy.other", 4); }\n'
LINKS = {
    ".conflens.toml": "S3kret",
    "src/main/java/B.java": JAVA.replace("class A", "class B").replace("toy", "S3kret"),
    "src/main/resources/application.properties": "toy.size=S3kret\n",
    "src/main/resources/META-INF/spring-configuration-metadata.json": '{"properties": [{"name": "S3kret"}]}',
    "application.yml": "toy:\n  size: S3kret\n",
    ".env": "S3kret=1\n",
    ".gitignore": "S3kret\n",
    ".git/info/exclude": "S3kret\n",
    "README.md": "`toy.size` is S3kret\n",
    "docs/guide.adoc": "`toy.size` is S3kret\n",
    "lombok.config": "S3kret = 1\n",
    "pom.xml": "<project><artifactId>S3kret</artifactId></project>\n",
    "build.gradle": "S3kret\n",
    "settings.gradle": "include 'S3kret'\n",
    "run.jfr": "S3kret\n",
    "profiles/run.jfr": "S3kret\n",
    "profiles/run.collapsed": "S3kret;A.main 3\n",
    "table.csv": "S3kret\n",
    "known.json": '{"S3kret": 1}\n',
    "folder": "",
}
COMMANDS = ("scan", "check", "docs", "sensitivity", "train")


def project(folder: Path, own: str = "") -> tuple[Path, Path]:
    """A project in which all but one file are links to files outside of it; ``own`` is the text of its workspace file, if it has one."""
    root, outside = folder / "project", folder / "outside"
    (root / "src/main/java").mkdir(parents=True)
    outside.mkdir()
    (root / "src/main/java/A.java").write_text(JAVA)
    for number, (path, text) in enumerate(LINKS.items()):
        target = outside / f"{number}{Path(path).suffix}"
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if path == ".conflens.toml" and own:
            (root / path).write_text(own)
            continue
        if path == "folder":
            target.mkdir()
            (target / "C.java").write_text(JAVA.replace("class A", "class C"))
        else:
            target.write_text(text)
        (root / path).symlink_to(target)
    hook = folder / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(HOOK)
    return root, outside


def environment(folder: Path) -> dict[str, str]:
    paths = (str(folder / "hook"), str(TESTS), str(TESTS.parent / "server"))
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "OUTSIDE": os.path.realpath(folder / "outside"),
        "NOTED": str(folder / "noted"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def noted(folder: Path) -> str:
    file = folder / "noted"
    return file.read_text() if file.exists() else ""


OWN = '[check]\nbaseline = "known.json"\n[sensitivity]\ntable = "table.csv"\n'


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "conflens", *arguments],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(("command", "own"), [("check", ""), *((one, OWN) for one in COMMANDS)])
def test_a_command_opens_nothing_outside(tmp_path: Path, command: str, own: str) -> None:
    root, _ = project(tmp_path, own)
    said = run(tmp_path, command, str(root), *([] if command == "train" else ["--no-cache"]))
    assert noted(tmp_path) == ""
    assert "S3kret" not in said
    if command == "check":
        reason = "it is a link out of the project, which is not followed"
        assert f"cannot be read: {reason}" in said
        assert said.count(reason) == (2 if own else 1)


def test_the_hook_notes_what_a_user_names(tmp_path: Path) -> None:
    root, _ = project(tmp_path, OWN)
    run(tmp_path, "check", str(root), "--no-cache", "--baseline", str(root / "known.json"))
    assert noted(tmp_path).splitlines() == [str(root / "known.json")]


@pytest.mark.parametrize("own", ["", OWN], ids=["a link", "names links"])
def test_the_server_opens_nothing_outside(tmp_path: Path, own: str) -> None:
    root, _ = project(tmp_path, own)
    workspace = {"workspaceEdit": {"documentChanges": True}, "workspaceFolders": True}
    with Client(STDIO, **environment(tmp_path)) as client:
        client.start({"demo": root.as_uri()}, workspace=workspace)
        java = (root / "src/main/java/A.java").as_uri()
        client.open(java, JAVA)
        client.ready()
        changes = [{"uri": (root / path).as_uri(), "type": 2} for path in LINKS]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.hover(java, 0, JAVA.index("toy.size") + 1)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
        for path in LINKS:
            uri = (root / path).as_uri()
            where = {"textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []}}
            client.hover(uri, 0, 2)
            client.request("textDocument/codeAction", where)
        where = {"textDocument": {"uri": java}, "range": whole, "context": {"diagnostics": []}}
        said = [client.request("textDocument/codeAction", where)]
        said.append(client.request("workspace/symbol", {"query": ""}))
        said.append(
            client.request(
                "textDocument/references",
                {
                    **client.at(java, 0, JAVA.index("toy.size") + 1),
                    "context": {"includeDeclaration": True},
                },
            )
        )
        assert client.end() == 0
        assert "S3kret" not in json.dumps([said, client.notifications])
    assert noted(tmp_path) == ""
