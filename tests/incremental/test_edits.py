"""Steps of edits: what is lowered again, and what stays the very same object."""

from __future__ import annotations

from session.support import java, lowered, project, session

A, B = "src/p/A.java", "src/p/B.java"


def test_an_edit_lowers_one_file_of_many() -> None:
    one = session(project("A", "B", *(f"X{number}" for number in range(30))))
    first = one.scan()
    assert len(lowered(one)) == 32
    one.open(A, java("A", body="int more;"), 1)
    second = one.rebuild()
    assert lowered(one) == ["A"]
    assert {
        path
        for path in first.program.files
        if first.program.files[path] is not second.program.files[path]
    } == {A}
    assert second.documents is first.documents


def test_an_edit_inside_a_body_keeps_everything_derived_from_surfaces() -> None:
    one = session(project("A", "B"))
    one.open(A, java("A", body="void m() { }"), 1)
    first = one.scan()
    one.change(A, java("A", body="void m() { int local = 5; }"), 2)
    second = one.rebuild()
    assert second.program is not first.program
    assert second.program.memo is first.program.memo
    one.change(A, java("A", body="void m(int more) { int local = 5; }"), 3)
    assert one.rebuild().program.memo is not second.program.memo


def test_typing_and_undoing_gives_the_same_options() -> None:
    one = session(project("A", "B"))
    first = one.scan()
    one.open(A, java("A", body='int other = Integer.getInteger("p.other");'), 1)
    assert "p.other" in {option.name for option in one.rebuild().options.options}
    one.change(A, java("A"), 2)
    assert one.rebuild().options == first.options


def test_a_document_edit_leaves_java_alone() -> None:
    system = project("A", "B")
    system.write("README.md", "`p.A`")
    one = session(system)
    first = one.scan()
    lowered(one)
    system.write("README.md", "`p.A` and `p.B`")
    one.files_changed(["README.md"])
    second = one.rebuild()
    assert lowered(one) == []
    assert second.program is first.program
    assert second.options is first.options
    assert second.documents is not first.documents


def test_a_file_touched_but_not_changed_is_only_read() -> None:
    system = project("A", "B")
    one = session(system)
    first = one.scan()
    lowered(one)
    system.write(B, java("B"))
    one.files_changed([B])
    assert one.rebuild() is first
    assert lowered(one) == []


def test_files_of_equal_content_are_lowered_once_and_both_count() -> None:
    system = project("A")
    system.write("module/src/p/A.java", java("A"))
    one = session(system)
    analysis = one.scan()
    assert sorted(analysis.program.files) == ["module/src/p/A.java", A]
    assert len({id(facts) for facts in analysis.program.files.values()}) <= 2


def test_a_hundred_edits_lower_a_hundred_times_and_rebuild_once_each() -> None:
    one = session(project("A", "B"))
    one.scan()
    lowered(one)
    for version in range(100):
        one.change(A, java("A", body=f"int v{version};"), version)
        if version % 10 == 9:
            one.rebuild()
    assert lowered(one) == ["A"] * 10
