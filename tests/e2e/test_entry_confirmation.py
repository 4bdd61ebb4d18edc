"""Which entries for documents a client is to have confirmed, through the protocol, and what one gets that cannot ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.client import Client
from e2e.test_rename import ANNOTATED
from e2e.test_sensitivity import edited, section

TITLE = "Add an entry for net.timeout to GUIDE.md"
SOURCE = 'class A { int t = Integer.getInteger("net.timeout", 5); String h = System.getProperty("net.host"); }\n'
TABLE = "| Option | Default |\n|---|---|\n| `net.host` | x |\n"
ROW = "| `net.timeout` | 5 |\n"
PLAIN, ODD = TABLE + "\nThe end.\n", TABLE + "{: .wide}\n"
"""Behind the table of ``ODD`` stands markup that no one knows, which may be about its last row."""


def entry(folder: Path, guide: str, able: dict[str, Any]) -> dict[str, Any] | None:
    """The edit of the quick fix that adds the entry, as a client of these abilities gets it."""
    (folder / "A.java").write_text(SOURCE)
    (folder / "GUIDE.md").write_text(guide)
    root = folder.as_uri()
    with Client() as client:
        client.start({"demo": root}, **section("workspace", workspaceEdit=able))
        uri = f"{root}/A.java"
        client.open(uri, SOURCE)
        (told,) = (one for one in client.diagnostics(uri) if one["code"] == "undocumented-option")
        context = {"diagnostics": [told], "only": ["quickfix"]}
        params = {"textDocument": {"uri": uri}, "range": told["range"], "context": context}
        found = {one["title"]: one for one in client.request("textDocument/codeAction", params)}
        assert "Suppress undocumented-option here" in found
        assert client.end() == 0
    return found[TITLE]["edit"] if TITLE in found else None


@pytest.mark.parametrize(("guide", "asked"), [(PLAIN, False), (ODD, True)])
def test_an_entry_is_to_be_confirmed_where_its_surroundings_are_not_plain(
    tmp_path: Path, guide: str, asked: bool
) -> None:
    edit = entry(tmp_path, guide, ANNOTATED)
    assert edit is not None and "changes" not in edit
    (change,) = edit["documentChanges"]
    (label,) = edit["changeAnnotations"].values()
    assert {one["annotationId"] for one in change["edits"]} == set(edit["changeAnnotations"])
    assert label.get("needsConfirmation", False) is asked
    assert edited(guide, change["edits"], "utf-16") == guide.replace(TABLE, TABLE + ROW)


@pytest.mark.parametrize("able", [{"documentChanges": True}, {}])
def test_a_client_that_cannot_ask_gets_plain_entries_alone(
    tmp_path: Path, able: dict[str, Any]
) -> None:
    edit = entry(tmp_path, PLAIN, able)
    assert edit is not None and "changeAnnotations" not in edit
    if able:
        (edits,) = (one["edits"] for one in edit["documentChanges"])
    else:
        (edits,) = edit["changes"].values()
    assert not any("annotationId" in one for one in edits)
    assert edited(PLAIN, edits, "utf-16") == PLAIN.replace(TABLE, TABLE + ROW)
    assert entry(tmp_path, ODD, able) is None
