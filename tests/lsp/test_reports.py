"""How much of one file is reported: so many findings and problems, and how many more there are."""

from __future__ import annotations

import attrs
import pytest
from lsprotocol import types

from conflens.base.span import Place
from conflens.base.text import LineIndex
from conflens.checking.results import Code, Finding
from conflens.ide.settings.settings import Settings
from conflens.lsp.wire.capabilities import client_of
from conflens.lsp.wire.uris import Root
from conflens.lsp.workspace.reports import MAX_SHOWN, shown_of
from conflens.session.inputs.configuration import MAX_PROBLEMS
from ide.toy import project
from session.support import project as memory
from session.support import session

LINES = 40_000
ROOT = Root("file:///w", "/w")
CLIENT = client_of(types.ClientCapabilities())


def test_findings_of_one_file_end_with_the_number_omitted() -> None:
    analysis = project({"A.java": "\n" * LINES}).analysis
    findings = [
        Finding(Code.UNUSED_READ, Place("A.java", line, line), "x") for line in range(LINES)
    ]
    shown = shown_of(analysis, ROOT, "A.java", findings, Settings(), CLIENT)
    assert len(shown) == MAX_SHOWN + 1
    assert shown[-1].message == "39,000 more in this file are not shown."
    assert shown[-1].range.start.line == MAX_SHOWN
    assert shown[-1].code is None
    few = shown_of(analysis, ROOT, "A.java", findings[: MAX_SHOWN + 1], Settings(), CLIENT)
    assert few[-1].message == "1 more in this file is not shown."
    assert len(shown_of(analysis, ROOT, "A.java", findings[:MAX_SHOWN], Settings(), CLIENT)) == (
        MAX_SHOWN
    )


def test_findings_of_a_document_scan_its_lines_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = memory("A")
    system.write("README.md", "`p.A` is 5.\n" * 1_000)
    analysis = session(system).scan()
    findings = [
        Finding(Code.DEFAULT_MISMATCH, Place("README.md", 12 * at, 12 * at + 5), "x")
        for at in range(1_000)
    ]
    texts = texts_looked_at(monkeypatch)
    shown = shown_of(analysis, ROOT, "README.md", findings, Settings(), CLIENT)
    assert [item.range.start.line for item in shown] == list(range(1_000))
    assert len(texts) == 1


def texts_looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets the length of each text whose line table is made from now on."""
    lengths: list[int] = []
    made = LineIndex.of

    def counted(text: bytes) -> LineIndex:
        lengths.append(len(text))
        return made(text)

    monkeypatch.setattr(LineIndex, "of", staticmethod(counted))
    return lengths


def test_problems_of_one_file_end_with_the_number_omitted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = memory("A")
    system.write(".conflens.toml", "[[read]]\nname = 0\n" * LINES)
    analysis = session(system).scan()
    assert len(analysis.problems) == MAX_PROBLEMS + 1
    last = analysis.problems[-1]
    assert last.message == f"{LINES - MAX_PROBLEMS:,} more problems are not listed"
    assert last.line == 2 * MAX_PROBLEMS + 1
    texts = texts_looked_at(monkeypatch)
    shown = shown_of(analysis, ROOT, ".conflens.toml", (), Settings(), CLIENT)
    assert [item.message for item in shown[-1:]] == [last.message]
    assert len(shown) == MAX_PROBLEMS + 1
    assert len(texts) == 1  # not looked through for each problem
    quiet = attrs.evolve(Settings(), diagnostics=False)
    assert shown_of(analysis, ROOT, ".conflens.toml", (), quiet, CLIENT) == ()
