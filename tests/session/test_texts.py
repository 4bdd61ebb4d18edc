"""The texts that places count in are read once while they stay the same on disk."""

from __future__ import annotations

from pathlib import Path

from typing_extensions import override

from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.session.sources.files import RealSystem
from conflens.session.texts import SessionTexts
from session.support import session


class Counting(MemorySystem):
    """Files in memory that count how often each is read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.reads: list[str] = []

    @override
    def read(self, path: str) -> bytes:
        self.reads.append(path)
        return super().read(path)

    @override
    def stat(self, path: str):  # type: ignore[no-untyped-def]
        found = super().stat(path)
        self.reads.pop()
        return found


def test_the_places_of_one_file_take_one_read() -> None:
    lines = "\n".join(f'  String é{one} = System.getProperty("é.{one}");' for one in range(50))
    system = Counting({"A.java": f"class A {{\n{lines}\n}}\n"})
    analysis = session(system).scan()
    system.reads.clear()
    for option in analysis.options.options:
        for read in option.reads:
            analysis.position("A.java", read.place.start, Encoding.UTF16)
    assert len(analysis.options.options) == 50
    assert system.reads == ["A.java"]


def test_a_text_that_changes_on_disk_is_read_again() -> None:
    system = Counting({"A.java": "one", "B.java": "two"})
    texts = SessionTexts(system, {"B.java": b"open"})
    assert (texts.text("A.java"), texts.text("A.java"), texts.text("B.java")) == (
        b"one",
        b"one",
        b"open",
    )
    system.write("A.java", "six")
    assert texts.text("A.java") == b"six"
    system.remove("A.java")
    assert texts.text("A.java") is None
    assert texts.text("C.java") is None


def test_few_texts_are_kept() -> None:
    system = Counting({f"{one}.java": "x" for one in range(9)})
    texts = SessionTexts(system, {})
    for _ in range(2):
        for one in range(9):
            texts.text(f"{one}.java")
    assert len(system.reads) == 18
    assert len(texts._last) == 4


def test_a_link_out_of_the_project_has_a_text_only_if_it_is_followed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/A.java").write_text("outside")
    root.mkdir()
    (root / "A.java").symlink_to(tmp_path / "outside/A.java")
    (root / "folder").symlink_to(tmp_path / "outside")
    system = RealSystem(str(root))
    texts = SessionTexts(system, {})
    assert [texts.text(path) for path in ("A.java", "folder/A.java", "B.java")] == [None] * 3
    texts = SessionTexts(system, {}, frozenset(("folder",)))
    assert [texts.text(path) for path in ("A.java", "folder/A.java")] == [None, b"outside"]
