"""One file in several folders, or under several names: all see the text that is in the editor, and every change on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import Client, ServerError

ANNOTATED = {
    "workspaceEdit": {
        "documentChanges": True,
        "changeAnnotationSupport": {"groupsOnLabel": True},
    }
}


def text(name: str, type_: str = "B") -> str:
    return f'class {type_} {{ int b = Integer.getInteger("{name}", 4); }}\n'


def write(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(name, path.stem))


def options(client: Client) -> dict[str, list[str]]:
    """The options of each folder."""
    rows = client.request("conflens/options", {})["folders"]
    return {row["name"]: sorted(option["name"] for option in row["options"]) for row in rows}


def wait_for(client: Client, **wanted: list[str]) -> None:
    client.wait(lambda: options(client) == wanted, f"the options {wanted}")


def event(client: Client, path: Path, type_: int) -> None:
    changes = [{"uri": path.as_uri(), "type": type_}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def close(client: Client, path: Path) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})


def rename(client: Client, path: Path, column: int) -> Any:
    position = client.at(path.as_uri(), 0, column, newName="toy.limit")
    return client.request("textDocument/rename", position)


def test_a_folder_hears_of_files_in_a_folder_inside_of_it(tmp_path: Path) -> None:
    ws, sub = tmp_path / "ws", tmp_path / "ws" / "sub"
    link = tmp_path / "link"
    link.symlink_to(sub)
    write(ws / "A.java", "toy.a")
    write(sub / "B.java", "toy.b1")
    with Client() as client:
        client.start({"ws": ws.as_uri(), "sub": sub.as_uri(), "link": link.as_uri()})
        wait_for(client, ws=["toy.a", "toy.b1"], sub=["toy.b1"], link=["toy.b1"])
        write(sub / "B.java", "toy.b2")
        event(client, sub / "B.java", 2)
        wait_for(client, ws=["toy.a", "toy.b2"], sub=["toy.b2"], link=["toy.b2"])
        (sub / "B.java").unlink()
        event(client, sub / "B.java", 3)
        wait_for(client, ws=["toy.a"], sub=[], link=[])
        write(sub / "B.java", "toy.b3")
        event(client, link / "B.java", 1)
        wait_for(client, ws=["toy.a", "toy.b3"], sub=["toy.b3"], link=["toy.b3"])
        assert client.end() == 0


def test_a_folder_sees_the_text_that_is_open_in_a_folder_inside_of_it(tmp_path: Path) -> None:
    ws, sub = tmp_path / "ws", tmp_path / "ws" / "sub"
    write(ws / "A.java", "toy.a")
    write(sub / "B.java", "toy.b")
    uri = (sub / "B.java").as_uri()
    inner = {"name": "sub", "uri": sub.as_uri()}
    with Client() as client:
        client.start({"ws": ws.as_uri(), "sub": sub.as_uri()})
        client.open(uri, text("toy.b1"))
        wait_for(client, ws=["toy.a", "toy.b1"], sub=["toy.b1"])
        client.change(uri, 2, text("toy.b2"))
        wait_for(client, ws=["toy.a", "toy.b2"], sub=["toy.b2"])
        folders = {"event": {"added": [], "removed": [inner]}}
        client.notify("workspace/didChangeWorkspaceFolders", folders)
        wait_for(client, ws=["toy.a", "toy.b2"])
        folders = {"event": {"added": [inner], "removed": []}}
        client.notify("workspace/didChangeWorkspaceFolders", folders)
        wait_for(client, ws=["toy.a", "toy.b2"], sub=["toy.b2"])
        close(client, sub / "B.java")
        wait_for(client, ws=["toy.a", "toy.b"], sub=["toy.b"])
        assert client.end() == 0


def test_a_rename_edits_the_text_that_is_open_in_a_folder_inside(tmp_path: Path) -> None:
    ws, sub = tmp_path / "ws", tmp_path / "ws" / "sub"
    write(ws / "A.java", "toy.size")
    write(sub / "B.java", "toy.size")
    read = text("toy.size", "A")
    with Client() as client:
        client.start({"ws": ws.as_uri(), "sub": sub.as_uri()}, workspace=ANNOTATED)
        client.open((ws / "A.java").as_uri(), read)
        client.open((sub / "B.java").as_uri(), "// a line more\n" + text("toy.size"), 7)
        client.wait(lambda: options(client).get("ws"), "the analysis")
        edit = rename(client, ws / "A.java", read.index("size"))
        found = {
            one["textDocument"]["uri"].rpartition("/")[2]: (
                one["textDocument"]["version"],
                [edit["range"]["start"]["line"] for edit in one["edits"]],
            )
            for one in edit["documentChanges"]
        }
        assert found == {"A.java": (1, [0]), "B.java": (7, [1])}
        assert client.end() == 0


def test_a_document_of_the_same_file_that_is_closed_leaves_the_other_open(tmp_path: Path) -> None:
    ws, link = tmp_path / "ws", tmp_path / "link"
    write(ws / "B.java", "toy.disk")
    link.symlink_to(ws)
    here, there = ws / "B.java", link / "B.java"
    with Client() as client:
        client.start({"ws": ws.as_uri()}, workspace=ANNOTATED)
        # A file of no folder beside makes nothing else a file of no folder.
        client.open((tmp_path / "C.java").as_uri(), "class C { }")
        client.open(here.as_uri(), text("toy.one"))
        client.open(there.as_uri(), text("toy.one"))
        column = text("toy.one").index("toy")
        client.wait(lambda: "toy.one" in options(client).get("ws", ()), "the analysis")
        assert rename(client, here, column)["documentChanges"]
        client.change(there.as_uri(), 2, text("toy.two"))
        client.wait(lambda: options(client)["ws"] == ["toy.two"], "the edit")
        close(client, there)
        client.wait(lambda: options(client)["ws"] == ["toy.one"], "the text that is open")
        assert rename(client, here, column)["documentChanges"]
        close(client, here)
        client.wait(lambda: options(client)["ws"] == ["toy.disk"], "the text on disk")
        assert client.end() == 0


@pytest.mark.parametrize("closed", ["the one", "the other"])
def test_two_spellings_of_one_uri_are_two_documents(tmp_path: Path, closed: str) -> None:
    ws = tmp_path / "ws"
    write(ws / "B.java", "toy.disk")
    one = (ws / "B.java").as_uri()
    other = one.replace("B.java", "%42.java")
    gone, left = (one, other) if closed == "the one" else (other, one)
    with Client() as client:
        client.start({"ws": ws.as_uri()})
        client.open(one, text("toy.one"))
        client.open(other, text("toy.two"))
        wait_for(client, ws=["toy.two"])
        client.notify("textDocument/didClose", {"textDocument": {"uri": gone}})
        wait_for(client, ws=["toy.two" if left == other else "toy.one"])
        client.change(left, 2, text("toy.left"))
        wait_for(client, ws=["toy.left"])
        # A client may spell the URI of its one document in several ways.
        client.change(gone, 3, text("toy.last"))
        wait_for(client, ws=["toy.last"])
        client.notify("textDocument/didClose", {"textDocument": {"uri": gone}})
        wait_for(client, ws=["toy.disk"])
        assert client.end() == 0


def test_a_document_that_moves_to_another_folder_leaves_the_other_open(tmp_path: Path) -> None:
    ws, link = tmp_path / "ws", tmp_path / "link"
    write(ws / "B.java", "toy.disk")
    link.symlink_to(ws)
    with Client() as client:
        client.start({"ws": ws.as_uri()})
        client.open((link / "B.java").as_uri(), text("toy.one"))
        client.open((ws / "B.java").as_uri(), text("toy.two"))
        wait_for(client, ws=["toy.two"])
        added = [{"name": "link", "uri": link.as_uri()}]
        client.notify(
            "workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}}
        )
        wait_for(client, ws=["toy.two"], link=["toy.two"])
        close(client, ws / "B.java")
        wait_for(client, ws=["toy.one"], link=["toy.one"])
        assert client.end() == 0


def test_a_folder_that_is_taken_out_and_in_again_at_once_sees_the_open_text(
    tmp_path: Path,
) -> None:
    ws = tmp_path / "ws"
    write(ws / "B.java", "toy.disk")
    with Client() as client:
        client.start({"ws": ws.as_uri()})
        wait_for(client, ws=["toy.disk"])
        client.open((ws / "B.java").as_uri(), text("toy.typed"))
        wait_for(client, ws=["toy.typed"])
        one = {"uri": ws.as_uri(), "name": "ws"}
        client.notify(
            "workspace/didChangeWorkspaceFolders",
            {"event": {"removed": [one], "added": [{**one, "name": "again"}]}},
        )
        wait_for(client, again=["toy.typed"])
        assert client.end() == 0


LOOSE = "files without a folder"


@pytest.mark.parametrize("told", ["an event of the link", "an edit", "a save", "an event beside"])
def test_a_document_moves_with_the_link_that_it_is_open_through(tmp_path: Path, told: str) -> None:
    ws, other, link = tmp_path / "ws", tmp_path / "other", tmp_path / "link"
    write(ws / "B.java", "toy.disk")
    write(other / "B.java", "toy.other")
    there, typed = link / "B.java", text("toy.typed")
    link.symlink_to(other)

    def tell(version: int) -> None:
        match told:
            case "an event of the link":
                event(client, link, 2)
            case "an edit":
                client.change(there.as_uri(), version, typed)
            case "a save":
                document = {"textDocument": {"uri": there.as_uri()}}
                client.notify("textDocument/didSave", document)
            case _:
                event(client, ws / "C.java", 3)

    with Client() as client:
        client.start({"ws": ws.as_uri()})
        client.open(there.as_uri(), typed)
        wait_for(client, **{"ws": ["toy.disk"], LOOSE: ["toy.typed"]})
        link.unlink()
        link.symlink_to(ws)
        tell(2)
        wait_for(client, ws=["toy.typed"])
        link.unlink()
        link.symlink_to(other)
        tell(3)
        wait_for(client, **{"ws": ["toy.disk"], LOOSE: ["toy.typed"]})
        assert client.end() == 0


def test_the_later_of_two_documents_of_a_file_counts_after_a_link_moved(tmp_path: Path) -> None:
    ws, other, link = tmp_path / "ws", tmp_path / "other", tmp_path / "link"
    write(ws / "B.java", "toy.disk")
    other.mkdir()
    link.symlink_to(other)
    with Client() as client:
        client.start({"ws": ws.as_uri()})
        client.open((link / "B.java").as_uri(), text("toy.earlier"))
        client.open((ws / "B.java").as_uri(), text("toy.later"))
        wait_for(client, **{"ws": ["toy.later"], LOOSE: ["toy.earlier"]})
        link.unlink()
        link.symlink_to(ws)
        event(client, link, 2)
        wait_for(client, ws=["toy.later"])
        close(client, ws / "B.java")
        wait_for(client, ws=["toy.earlier"])
        assert client.end() == 0


def test_the_earlier_of_two_documents_of_a_file_is_told_that_it_does_not_count(
    tmp_path: Path,
) -> None:
    ws, link = tmp_path / "ws", tmp_path / "link"
    write(ws / "B.java", "toy.disk")
    link.symlink_to(ws)
    here, there = ws / "B.java", link / "B.java"
    column = text("toy.one").index("toy")
    with Client() as client:
        client.start({"ws": ws.as_uri()}, workspace=ANNOTATED)
        client.open(here.as_uri(), text("toy.one"))
        client.open(there.as_uri(), text("toy.two"))
        wait_for(client, ws=["toy.two"])
        assert rename(client, there, column)["documentChanges"]
        with pytest.raises(ServerError, match="open in another editor tab"):
            rename(client, here, column)
        document = {"textDocument": {"uri": here.as_uri()}}
        assert client.request("textDocument/diagnostic", document)["items"] == []
        client.change(here.as_uri(), 2, text("toy.one"))
        wait_for(client, ws=["toy.one"])
        assert rename(client, here, column)["documentChanges"]
        with pytest.raises(ServerError, match="open in another editor tab"):
            client.request("textDocument/prepareRename", client.at(there.as_uri(), 0, column))
        assert client.end() == 0


def test_the_folder_of_files_without_one_goes_with_its_last_document(tmp_path: Path) -> None:
    ws = tmp_path / "ws"
    write(ws / "A.java", "toy.a")
    one, two = tmp_path / "B.java", tmp_path / "C.java"
    with Client() as client:
        client.start({"ws": ws.as_uri()})
        for _ in range(2):
            client.open(one.as_uri(), text("toy.b", "B"))
            client.open(two.as_uri(), text("toy.c", "C"))
            wait_for(client, **{"ws": ["toy.a"], LOOSE: ["toy.b", "toy.c"]})
            close(client, one)
            wait_for(client, **{"ws": ["toy.a"], LOOSE: ["toy.c"]})
            close(client, two)
            wait_for(client, ws=["toy.a"])
        assert client.end() == 0


@pytest.mark.parametrize("more", [False, True])
def test_a_document_by_its_real_path_belongs_to_a_folder_that_is_a_link(
    tmp_path: Path, more: bool
) -> None:
    ws, link, beside = tmp_path / "ws", tmp_path / "link", tmp_path / "beside"
    write(ws / "B.java", "toy.disk")
    write(beside / "A.java", "toy.a")
    link.symlink_to(ws)
    others = {"beside": beside.as_uri()} if more else {}
    known = {"beside": ["toy.a"]} if more else {}
    with Client() as client:
        client.start({"link": link.as_uri(), **others})
        client.open((ws / "B.java").as_uri(), text("toy.typed"))
        wait_for(client, link=["toy.typed"], **known)
        client.change((ws / "B.java").as_uri(), 2, text("toy.again"))
        wait_for(client, link=["toy.again"], **known)
        close(client, ws / "B.java")
        write(ws / "B.java", "toy.saved")
        event(client, ws / "B.java", 2)
        wait_for(client, link=["toy.saved"], **known)
        assert client.end() == 0
