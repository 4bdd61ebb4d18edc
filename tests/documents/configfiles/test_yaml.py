"""What YAML assigns where no other reader says it, what a half-typed file keeps, and what a cursor is about to write."""

import re

import pytest

from conflens.documents.configfiles.model import ContextKind, Kind
from conflens.documents.configfiles.yaml import dialect as yaml
from documents.configfiles.yaml_support import QUARKUS, SPRING, ours, parse


def _names(text: str) -> list[str]:
    return [one.name for one in parse(text)]


def _shown(text: str) -> list[str]:
    return [f"{name}={value}" for _, name, value in ours(text)]


def test_a_section_spans_its_own_line_and_an_entry_all_of_its_lines() -> None:
    text = "# c\na: # d\n  b:\n  - 1\n  # e\n  - 2\n\n  c: |\n    x\n\n  d: {e: 1,\n    f: 2}\n"
    spans = {one.name: text[one.start : one.end] for one in parse(text)}
    assert spans == {
        "a": "a: # d\n", "a.b": "  b:\n  - 1\n  # e\n  - 2\n", "a.c": "  c: |\n    x\n",
        "a.d": "  d: {e: 1,\n    f: 2}\n", "a.d.e": "e: 1", "a.d.f": "f: 2",
    }  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", " # c\n"])
def test_an_empty_item_ends_with_its_value_not_with_its_line(end: str) -> None:
    text = f"a:\n  - -\n      - ~{end}      -{end}"
    (entry,) = [one for one in parse(text) if one.kind is Kind.LIST]
    assert [text[item.start : item.end].lstrip() for item in entry.items] == ["- ~", "-"]
    assert text[entry.start : entry.end].endswith("-")


def test_kinds() -> None:
    kinds = {one.name: one.kind for one in parse("a:\nb: ~\nc: []\nd: {}\ne: [1]\nf:\n- x: 1\n")}
    assert kinds == {"a": Kind.SCALAR, "b": Kind.SCALAR, "c": Kind.LIST, "d": Kind.SECTION, "e": Kind.LIST,
                     "f": Kind.SECTION, "f[0].x": Kind.SCALAR}  # fmt: skip


def test_paths_share_segments_and_index_list_elements() -> None:
    text = 'a:\n  "b.c":\n  - d: 1\n'
    first, second, third = parse(text)
    assert [part.text for part in third.path] == ["a", "b.c[0]", "d"]
    assert third.path[0] == second.path[0] == first.path[0]
    assert text[third.path[1].start : third.path[1].end] == "b.c"


def test_spring_conditions_apply_to_their_document() -> None:
    assert [one.condition for one in parse(SPRING) if one.name == "server.port"] == [
        "",
        "prod",
        "test,it",
    ]
    assert [one.document for one in parse(SPRING) if one.name == "server.port"] == [0, 1, 2]


def test_quarkus_profiles_are_not_part_of_a_name() -> None:
    ports = [
        (one.condition, one.value and one.value.text)
        for one in parse(QUARKUS)
        if one.name == "quarkus.http.port"
    ]
    assert ports == [("", "8080"), ("dev", "8181"), ("test", "0")]
    assert [one.condition for one in parse(QUARKUS) if one.name == ".hidden"] == [""]


def test_bracketed_keys_join_without_a_dot() -> None:
    assert _names('m:\n  "[a.b]": 1\n  c: 2\n') == ["m", "m[a.b]", "m.c"]


def test_aliases_repeat_the_anchored_content() -> None:
    text = "a: &a\n  x: 1\n  y: 2\nb:\n  <<: *a\n  y: 3\nc: *a\nd: &d v\ne: *d\n"
    assert [one.name for one in parse(text) if one.merged] == ["b.x", "c.x", "c.y"]
    merged = next(one for one in parse(text) if one.name == "b.x")
    assert (
        text[merged.key.start : merged.key.end] == "x"
        and text[merged.start : merged.end] == "  x: 1\n"
    )
    alias = next(one for one in parse(text) if one.name == "e").value
    assert alias is not None and (alias.text, text[alias.start : alias.end]) == ("v", "*d")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a: 1\nhalf\nb: 2\n", ["a=1", "b=2"]),
        ("a:\n  half\n  b: 2\nc: 3\n", ["a.b=2", "c=3"]),
        ("a:\n  b: 2\n  half\n  d: 1\nc: 3\n", ["a.b=2", "a.d=1", "c=3"]),
        ('a: "open\nb: 2\n', ["a=open", "b=2"]),
        ("a:\n  x: 'open\n  y: it's\nb: \"2\"\n", ["a.x=open", "a.y=it's", "b=2"]),
        ("a: [1, 2\nb: 2\n", ["a=('1', '2')", "b=2"]),
        ("s:\n  a: {x: 1, y\n  b: 2\nc: 3\n", ["s.a.x=1", "s.a.y=None", "s.b=2", "c=3"]),
        ("a: [\nb: {\nc: 3\n", ["a=()", "c=3"]),
        ("a: 1\n- b\nc: 3\n", ["a=1", "c=3"]),
        ("l:\n- name\n  host: x\n", ["l[0].host=x"]),
        ("a: x\n  b: 1\nc: 2\n", ["a=x", "a.b=1", "c=2"]),
        ("a:\n\tb: 1\n\tc: 2\nd: 3\n", ["a.b=1", "a.c=2", "d=3"]),
        ("v: @project.version@\nw: {{ .x }}-y\nz: %d x\n", ["v=@project.version@", "w={{ .x }}-y", "z=%d x"]),
        ("a: b: c\nd: *.log\ne: b\t\n", ["a=b: c", "d=*.log", "e=b"]),
        ("? [x, y]\n: z\na: 1\n? {b: 1}\n", ["a=1"]),
        ("a: 1\n...\ngarbage\n--- # x\nb: 2\n", ["a=1", "b=2"]),
        ("-\n:\n?\n&\n*\n!\n|\n>\na: 1\n", ["[0]=None", "a=1"]),
        ("a: !\nb: &\nc: *\nd: |x\ne: 1\n", ["a=None", "b=None", "c=*", "d=|x", "e=1"]),
    ],
)  # fmt: skip
def test_half_typed_text_affects_nothing_else(text: str, shown: list[str]) -> None:
    assert _shown(text) == shown
    assert _shown(text.replace("\n", "\r\n")) == shown
    assert _shown(text.replace("\n", "\r")) == shown


def test_faults() -> None:
    text = "a:\n\tb: 1\nc: 'x\nd: [1\n# \t\n\t\n"
    faults = yaml.parse(text).faults
    assert [text[one.start : one.end] for one in faults] == ["\t", "'x", "["]
    assert yaml.parse(SPRING).faults == ()


_K, _V, _N = ContextKind.KEY, ContextKind.VALUE, ContextKind.NEITHER


@pytest.mark.parametrize(
    ("marked", "kind", "prefix", "where", "replaced"),
    [
        ("<|>", _K, "", (), ""),
        ("se<|>rv", _K, "se", (), "serv"),
        ("server:\n  po<|>rt: 1\n", _K, "po", ("server",), "port"),
        ("server:\n  <|>\n", _K, "", ("server",), ""),
        ("server:\n  port: 1\n  <|>\n", _K, "", ("server",), ""),
        ("server:\n  port: 1\n<|>\n", _K, "", (), ""),
        ("server:\n  port: 1\n    <|>\n", _N, "", (), ""),
        ("a:\n  b:\n    c: 1\n\n  <|>\nd: 1\n", _K, "", ("a",), ""),
        ("a:\n<|>\n  b: 1\n", _K, "", (), ""),
        ('a:\n  "[b<|>.c]": 1\n', _K, "[b", ("a",), '"[b.c]"'),
        ("server:\n  port: <|>\n", _V, "", "server.port", ""),
        ("server:\n  port: 80<|>80 # x\n", _V, "80", "server.port", "8080"),
        ("server:\n  port: 8080 # x<|>\n", _N, "", (), ""),
        ("server:\n  port:<|>\n", _N, "", (), ""),
        ("a: \"x\\ty<|>z\"\n", _V, "x\ty", "a", "x\\tyz"),
        ("a: 'x<|>\nb: 1\n", _V, "x", "a", "x"),
        ("a: 'x\n  y<|>'\nb: 1\n", _V, "x y", "a", "x\n  y"),
        ("# a: <|>\n", _N, "", (), ""),
        ("a: |\n  b: <|>\n", _N, "", (), ""),
        ("a: |\n  b\n  <|>\n", _N, "", (), ""),
        ("a: |\n  b\n\n<|>\nc: 1\n", _K, "", (), ""),
        ("l:\n- a: 1\n- b<|>\n", _K, "b", ("l[1]",), "b"),
        ("l:\n- a: 1\n  <|>\n", _K, "", ("l[0]",), ""),
        ("l:\n  - a\n  - b<|>c\n", _V, "b", "l", "bc"),
        ("l:\n  - <|>\n", _V, "", "l", ""),
        ("l:\n  - a: x<|>\n", _V, "x", "l[0].a", "x"),
        ("a: {b: 1, c<|>d: 2}\n", _K, "c", ("a",), "cd"),
        ("a: {b: 1, c: d<|>}\n", _V, "d", "a.c", "d"),
        ("a: [b, c<|>\nd: 1\n", _V, "c", "a", "c"),
        ("a: {b: 1,\n  <|>\n}\n", _K, "", ("a",), ""),
        ("a: {b: {c: \"d<|>\"}}\n", _V, "d", "a.b.c", "d"),
        ("a: 1\n---\nb:\n  c<|>\n", _K, "c", ("b",), "c"),
        ("---<|>\n", _N, "", (), ""),
        ('"%dev":\n  quarkus:\n    x<|>\n', _K, "x", ("quarkus",), "x"),
        ("a:\r\n  b: 1\r\n  c<|>\r\n", _K, "c", ("a",), "c"),
        ("a: &x <|>\n", _V, "", "a", ""),
    ],
)  # fmt: skip
def test_the_entry_at_a_cursor(
    marked: str, kind: ContextKind, prefix: str, where: tuple[str, ...] | str, replaced: str
) -> None:
    offset = marked.index("<|>")
    text = marked.replace("<|>", "")
    found = yaml.context(text, offset)
    assert (found.kind, found.prefix) == (kind, prefix)
    assert (found.name if kind is _V else found.parents) == where
    assert text[found.start : found.end] == replaced


def test_a_cursor_knows_its_document_indentation_and_separator() -> None:
    text = "a: 1\n---\n# c\n...\nb:\n   c: 1\n"
    found = yaml.context(text, text.index("c: 1"))
    assert (found.document, found.indent, found.follows) == (2, 3, True)
    assert [one.document for one in parse(text)] == [0, 2, 2]


def test_an_indented_marker_continues_the_value_above_and_nothing_is_read_twice() -> None:
    assert _names("x:\n  c: x y\n     ---\n     a: 1\n") == ["x", "x.c", "x.c.a"]


def test_skipping_text_above_a_cursor_changes_nothing() -> None:
    blocks = "a:\n      b: 1\n  c:\n    d: 2\n    e: |\n      f:\n  g: x\n  h:\n  - i: 1\n    j:\n      k: 2\n"
    for text in (
        blocks,
        blocks.replace("\n", "\r\n"),
        f"z: 1\n---\n{blocks}",
        f"- l: 1\n{blocks}",
    ):
        for at in range(len(text)):
            context = yaml.context(text, at)
            padded = re.sub(r"(?m)^( *+)(c:)", r"\1m: 0\n\1n:\n\1  o: 1\n\1\2", text[:at])
            moved = yaml.context(padded + text[at:], len(padded))
            assert (context.kind, context.parents, context.name) == (
                moved.kind,
                moved.parents,
                moved.name,
            )
