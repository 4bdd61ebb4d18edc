"""Edits are made only of texts that the analysis has seen: what has changed since is refused, in the editor and on disk."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from conflens.base.system import MemorySystem
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import renamed
from conflens.ide.settings.settings import Settings
from conflens.lsp.scheduling.request_fairness import Turns
from conflens.lsp.wire.capabilities import Client
from conflens.lsp.wire.convert import diagnostic_of
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.documents import Document
from conflens.lsp.workspace.view import View
from conflens.session.session import Session
from session.support import session

# The package exports the requests of the same names.
rename = importlib.import_module("conflens.lsp.requests.rename")
code_action = importlib.import_module("conflens.lsp.requests.code_action")

URI = "file:///w/A.java"
READ = (
    "import org.springframework.beans.factory.annotation.Value;\n"
    'class {} {{ @Value("${{toy.size}}") int a; @Value("${{toy.idle}}") int b; @Value("${{toy.fresh}}") int c; }}\n'
)
TABLE = "| option | default |\n| --- | --- |\n| `toy.size` | 4 |\n| `toy.idle` | 5 |\n"
CONFIG = "src/main/resources/application.properties"
FILES = {
    "A.java": READ.format("A"),
    "B.java": READ.format("B"),
    "README.md": TABLE,
    CONFIG: "toy.size=3\ntoy.fresh=4\n",
}


def project(*without: str) -> tuple[MemorySystem, Session]:
    system = MemorySystem({path: text for path, text in FILES.items() if path not in without})
    return system, session(system)


class Editor:
    """A client with open documents, and a folder that has analysed them."""

    def __init__(self, *opened: str, without: tuple[str, ...] = ()) -> None:
        self.system, living = project(*without)
        self.documents: dict[str, Document] = {}
        for path in opened:
            self.type(path, FILES[path])
            living.open(path, FILES[path], self.documents[path].revision)
        self.client = Client(annotates_changes=True, document_changes=True, code_actions=True)
        self.turns = Turns()
        self.loop = SimpleNamespace(time=lambda: 0.0)
        self.folder: Any = SimpleNamespace(
            root=Root("file:///w", "/w"),
            analysis=living.scan(),
            settings=Settings(),
            findings=(None, {}),
            has_seen=lambda path, revision: True,
        )

    def type(self, path: str, text: str) -> None:
        """Put a text, of another length than before, into a document."""
        uri, homes = f"file:///w/{path}", (("/w", path),)
        self.documents[path] = Document(uri, homes, text.encode(), 1, len(text))

    # What requests ask of the state.

    def home(self, uri: str) -> tuple[Any, str]:
        return self.folder, "A.java"

    async def view(self, uri: str, position: object) -> View:
        return View(self.folder, "A.java", self.folder.analysis, self.client.encoding, None)

    def document_of(self, folder: Any, path: str) -> Document | None:
        return self.documents.get(path)

    def is_behind(self, uri: str) -> bool:
        return False

    def analyses(self) -> tuple[object, ...]:
        return ()

    def is_loose(self, folder: object) -> bool:
        return True


def edited(editor: Editor) -> list[str]:
    """The files that a rename of ``toy.size`` edits."""
    at = types.Position(1, FILES["A.java"].splitlines()[1].index("size"))
    params = types.RenameParams(types.TextDocumentIdentifier(URI), at, "toy.limit")
    edit = asyncio.run(rename.rename.run(editor, None, params))
    return sorted(one.text_document.uri.rpartition("w/")[2] for one in edit.document_changes)


@pytest.mark.parametrize(
    "change",
    [
        lambda editor: editor.type("B.java", "// new\n" + FILES["B.java"]),
        lambda editor: editor.type("A.java", "// new\n" + FILES["A.java"]),
        lambda editor: editor.type("README.md", "# New\n" + TABLE),
        lambda editor: editor.documents.pop("B.java"),
    ],
)
@pytest.mark.parametrize("step", ["_renamed", "_tell"])
def test_a_document_that_changes_while_a_rename_is_made_is_not_edited(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[Editor], object], step: str
) -> None:
    editor = Editor("A.java", "B.java")
    assert edited(editor) == sorted(FILES)
    # A document with the text that was seen is as good as the file.
    editor.type("README.md", TABLE)
    assert edited(editor) == sorted(FILES)
    shipped = getattr(rename, step)

    def meanwhile(*given: Any) -> Any:
        found = shipped(*given)
        change(editor)
        return found

    monkeypatch.setattr(rename, step, meanwhile)
    with pytest.raises(JsonRpcException, match="still being read"):
        edited(editor)


def test_an_action_does_not_edit_another_document_that_has_changed() -> None:
    editor = Editor("A.java", "README.md", without=(CONFIG,))
    analysis, root = editor.folder.analysis, editor.folder.root
    shown = [
        diagnostic_of(root, analysis, one, editor.client)
        for one in diagnostics(analysis, "A.java", Settings())
    ]
    everything = types.Range(types.Position(0, 0), types.Position(9, 0))
    only = [types.CodeActionKind.QuickFix]
    context = types.CodeActionContext(shown, only)
    params = types.CodeActionParams(types.TextDocumentIdentifier(URI), everything, context)

    async def run() -> list[types.CodeAction] | None:
        view = await editor.view(URI, None)
        return cast("Any", await code_action.code_action.run(editor, view, params))

    def entries() -> list[str]:
        found = asyncio.run(run())
        return [one.title for one in found or () if one.title.startswith("Add an entry")]

    assert entries() == ["Add an entry for toy.fresh to README.md"]
    editor.type("README.md", "# New\n" + TABLE)
    assert entries() == []


def test_a_config_file_that_has_changed_on_disk_is_not_edited() -> None:
    system, living = project()
    analysis = living.scan()
    offset = FILES["A.java"].index("toy.size")
    assert renamed(analysis, "A.java", offset, "toy.limit") is not None
    system.write(CONFIG, "server.port=80\n" + FILES[CONFIG])
    with pytest.raises(RefusedError, match=r"application\.properties has changed on disk"):
        renamed(analysis, "A.java", offset, "toy.limit")
    living.files_changed([CONFIG])
    assert renamed(living.rebuild(), "A.java", offset, "toy.limit") is not None


@pytest.mark.parametrize(
    "text", [FILES["B.java"].replace("class B { ", "class B  {"), "// new\n" + FILES["B.java"]]
)
def test_a_java_file_that_has_changed_on_disk_is_not_edited(text: str) -> None:
    system, living = project()
    analysis = living.scan()
    offset = FILES["A.java"].index("toy.size")
    found = renamed(analysis, "A.java", offset, "toy.limit")
    assert found is not None and "B.java" in {edit.place.path for edit in found.edits}
    system.write("B.java", text)
    assert not analysis.is_as_read("B.java")
    with pytest.raises(RefusedError, match=r"B\.java has changed on disk"):
        renamed(analysis, "A.java", offset, "toy.limit")
    living.files_changed(["B.java"])
    assert renamed(living.rebuild(), "A.java", offset, "toy.limit") is not None


@pytest.mark.parametrize("step", ["_renamed", "_tell"])
@pytest.mark.parametrize("path", ["B.java", CONFIG])
def test_a_file_that_changes_on_disk_while_a_rename_is_made_is_not_edited(
    monkeypatch: pytest.MonkeyPatch, step: str, path: str
) -> None:
    editor = Editor("A.java")
    assert edited(editor) == sorted(FILES)
    shipped = getattr(rename, step)

    def meanwhile(*given: Any) -> Any:
        found = shipped(*given)
        editor.system.write(path, FILES[path].replace("toy.size", "toy.sizE"))
        return found

    monkeypatch.setattr(rename, step, meanwhile)
    with pytest.raises(JsonRpcException, match="still being read"):
        edited(editor)


@pytest.mark.parametrize("text", ["ä=1\ntoy.size=3\ntoy.fresh=4\n".encode("iso-8859-1"), b"\xef\xbb\xbftoy.size=3\ntoy.fresh=4\r\n"])  # fmt: skip
def test_a_config_file_in_another_encoding_is_as_it_was_read(text: bytes) -> None:
    system, living = project()
    system.write(CONFIG, text)
    analysis = living.scan()
    assert analysis.is_as_read(CONFIG)
    system.write(CONFIG, text + b"#\n")
    assert not analysis.is_as_read(CONFIG)
