"""A session and the documents that an editor has open: they override the disk until they are closed."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.facts.lower import lower
from conflens.session.analysis import Analysis
from session.support import java, lowered, project, session

A, B, C = "src/p/A.java", "src/p/B.java", "src/p/C.java"


def paths(analysis: Analysis) -> list[str]:
    return sorted(analysis.program.files)


def test_the_editor_overrides_the_disk_until_it_closes_the_file() -> None:
    system = project("A", "B")
    one = session(system)
    one.scan()
    lowered(one)
    text = java("A", body="int größe; // 😀\n")
    one.open(A, text, 7)
    analysis = one.rebuild()
    assert lowered(one) == ["A"]
    assert analysis.open_revisions == {A: 7}
    assert analysis.texts.text(A) == text.encode()
    assert analysis.position(A, len(text.encode()), Encoding.UTF16) == (6, 0)
    one.close(A)
    analysis = one.rebuild()
    assert lowered(one) == ["A"]
    assert analysis.open_revisions == {}
    assert analysis.program.files[A] == lower(system.read(A))


def test_opening_an_unchanged_file_lowers_nothing() -> None:
    one = session(project("A"))
    first = one.scan()
    lowered(one)
    one.open(A, java("A"), 1)
    second = one.rebuild()
    assert lowered(one) == []
    assert (second.program is first.program, second.open_revisions) == (True, {A: 1})


def test_a_file_that_exists_only_in_the_editor_counts_while_it_is_open() -> None:
    one = session(project("A"))
    one.scan()
    one.open(B, java("B"), 1)
    assert paths(one.rebuild()) == [A, B]
    one.close(B)
    assert paths(one.rebuild()) == [A]


def test_a_file_deleted_on_disk_stays_until_the_editor_closes_it() -> None:
    system = project("A", "B")
    one = session(system)
    one.scan()
    one.open(B, java("B", body="int mine;"), 1)
    one.rebuild()
    system.remove(B)
    one.files_changed([B])
    assert paths(one.rebuild()) == [A, B]
    one.close(B)
    assert paths(one.rebuild()) == [A]


@pytest.mark.parametrize("path", ["src/test/p/T.java", ".hidden/p/T.java", "out/T.java"])
def test_opening_an_excluded_file_does_not_include_it(path: str) -> None:
    system = project("A")
    system.write(path, java("T"))
    one = session(system)
    one.open(path, java("T", body="int mine;"), 1)
    assert paths(one.scan()) == [A]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("node_modules/a/T.java", False),
        ("target/classes/T.java", False),
        ("app/build/T.java", False),
        ("src/test/java/T.java", False),
        ("ex/T.java", False),
        ("ex/deep/application.properties", False),
        ("a/made.gen.java", False),
        ("a/made.java", True),
        ("new/folder/T.java", True),
        ("conf/application.properties", True),
        ("target/application.properties", False),
    ],
)
def test_a_file_that_exists_only_in_the_editor_counts_as_if_it_were_saved(
    path: str, counts: bool
) -> None:
    read = 'class T { int size = Integer.getInteger("p.size"); }\n'
    text = read if path.endswith(".java") else "p.size=3\n"
    system = project("A")
    system.write(".gitignore", "*.gen.java\n")
    system.write(".conflens.toml", '[exclude]\npaths = ["ex/**"]\n')
    living = session(system)
    living.scan()
    living.open(path, text, 1)
    analysis = living.rebuild()
    assert (path in analysis.program.files or path in analysis.config_files) is counts
    system.write(path, text)
    saved = session(system).scan()
    assert (path in saved.program.files or path in saved.config_files) is counts


@pytest.mark.parametrize("path", ["home/me/test/T.java", "work/build/x/T.java"])
def test_where_nothing_is_on_disk_no_folder_keeps_a_document_out(path: str) -> None:
    loose = session(MemorySystem({}))
    loose.open(path, 'class T { int size = Integer.getInteger("p.size"); }\n', 1)
    assert {option.name for option in loose.scan().options.options} == {"p.size"}


def test_half_typed_code_is_analysed() -> None:
    one = session(project("A"))
    one.scan()
    one.open(A, java("A", body="void m() { if (value >"), 1)
    facts = one.rebuild().program.files[A]
    assert facts.problems
    assert [decl.name for decl in facts.types] == ["A"]
