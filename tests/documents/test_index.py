"""The index: one question per option, answered with the best places first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.documents import MAX_REFERENCES, DocumentIndex, MentionKind, harvest


def index(**documents: str) -> DocumentIndex:
    """Documents by name; `a_md` stands for `a.md`."""
    paths = {key.replace("_", "."): text for key, text in documents.items()}
    return DocumentIndex.build({path: harvest(path, text) for path, text in paths.items()})


def places(found: DocumentIndex, name: str, domain: str | None = None) -> list[str]:
    return [f"{ref.path}:{ref.line}:{ref.column}" for ref in found.find(name, domain)]


def test_entries_come_before_text_and_described_entries_before_bare_ones() -> None:
    found = index(
        a_md="See max.size.",
        b_properties="max.size=1",
        c_properties="# Bytes\nmax.size=1",
        d_properties="# Bytes. Default: 5.\nmax.size=1",
    )
    assert places(found, "max.size") == [
        "d.properties:2:1",
        "c.properties:2:1",
        "b.properties:1:1",
        "a.md:1:5",
    ]
    best = found.find("max.size")[0]
    assert (best.kind, best.description, best.default, best.value) == (
        MentionKind.ENTRY,
        "Bytes. Default: 5.",
        "5",
        "1",
    )


def test_a_document_with_an_entry_is_not_also_listed_as_text() -> None:
    assert places(index(a_md="See max.size.\n\n# max.size\n"), "max.size") == ["a.md:3:3"]


def test_at_most_ten_places() -> None:
    found = index(**{f"d{n}_txt": "max.size" for n in range(30)})
    assert len(found.find("max.size")) == MAX_REFERENCES
    assert len(set(places(found, "max.size"))) == MAX_REFERENCES


@pytest.mark.parametrize("name", ["max", "size", "max.siz", "ax.size", "max.size.x", "", " ", "*"])
def test_only_the_exact_name_matches(name: str) -> None:
    assert index(a_txt="max.size").find(name) == ()


def test_a_plain_name_needs_an_entry_or_code() -> None:
    assert index(a_md="The port is open. port. PORT").find("port") == ()
    assert places(index(a_md="The `port` is open."), "port") == ["a.md:1:6"]
    assert places(index(a_properties="port=1"), "port") == ["a.properties:1:1"]
    assert places(index(a_yaml="server:\n  port: 1"), "port") == []


def test_flags_count_for_the_command_line_only() -> None:
    found = index(a_txt="start with --port 80 or --max-size 5")
    assert found.find("port") == ()
    assert places(found, "port", "command-line") == ["a.txt:1:12"]
    assert places(found, "--port") == ["a.txt:1:12"]
    assert places(found, "--max-size") == places(found, "max-size") == ["a.txt:1:27"]


def test_a_pattern_matches_a_template_or_an_instance() -> None:
    template = index(a_txt="set fs.<scheme>.impl")
    instance = index(a_properties="fs.s3a.impl=x")
    assert places(template, "fs.*.impl") == ["a.txt:1:5"]
    assert places(instance, "fs.*.impl") == ["a.properties:1:1"]
    assert instance.find("fs.*.class") == instance.find("fs.s3a.*.impl") == ()


def test_a_pattern_matches_at_least_one_character() -> None:
    found = index(a_txt="fs.impl fs..impl")
    assert found.find("fs.*.impl") == ()


def test_a_pattern_without_a_literal_start_needs_two_literal_parts() -> None:
    found = index(a_txt="node.http.address")
    assert found.find("*.address") == ()
    assert places(found, "*.http.address") == ["a.txt:1:1"]


def test_a_template_with_literal_parts_on_both_sides_covers_a_name() -> None:
    found = index(a_md="`fs.{scheme}.impl` and all of javax.net.ssl.*")
    assert places(found, "fs.gs.impl") == ["a.md:1:2"]
    assert found.find("javax.net.ssl.keyStore") == ()
    assert found.find("fs.impl") == ()


def test_changing_a_document_does_not_change_the_old_index() -> None:
    old = index(a_txt="max.size", b_txt="max.size min.size")
    new = old.with_document("b.txt", harvest("b.txt", "other.name"))
    assert places(old, "max.size") == ["a.txt:1:1", "b.txt:1:1"]
    assert places(new, "max.size") == ["a.txt:1:1"]
    assert new.find("min.size") == () and places(new, "other.name") == ["b.txt:1:1"]


def test_unchanged_parts_are_shared() -> None:
    old = index(a_txt="max.size min.size", b_txt="max.size")
    moved = old.with_document("b.txt", harvest("b.txt", "\nmax.size"))
    assert moved.postings is old.postings and moved.names is old.names
    assert places(moved, "max.size") == ["a.txt:1:1", "b.txt:2:1"]
    added = old.with_document("c.txt", harvest("c.txt", "max.size"))
    assert added.names is old.names
    assert added.postings["min.size"] is old.postings["min.size"]


def test_removing_an_unknown_document_changes_nothing() -> None:
    old = index(a_txt="max.size")
    assert old.with_document("z.txt", None).postings == old.postings


TEXTS = st.sampled_from(
    [
        "",
        "max.size",
        "min.size max.size",
        "`port`",
        "fs.<x>.impl",
        "fs.a.impl",
        "# max.size\n\ntext",
    ]
)
PATHS = st.sampled_from(["a.md", "b.txt", "c.rst"])


@given(st.lists(st.tuples(PATHS, st.none() | TEXTS), max_size=12))
def test_any_sequence_of_changes_gives_the_index_of_the_final_documents(
    steps: list[tuple[str, str | None]],
) -> None:
    index, harvests = DocumentIndex.build({}), {}
    for path, text in steps:
        found = None if text is None else harvest(path, text)
        index = index.with_document(path, found)
        harvests = {k: h for k, h in {**harvests, path: found}.items() if h is not None}
    fresh = DocumentIndex.build(harvests)
    assert (index.postings, index.names) == (fresh.postings, fresh.names)
    for name in ("max.size", "port", "fs.*.impl", "fs.b.impl"):
        assert index.find(name) == fresh.find(name)
