"""TOML: what is in effect and where, what a cursor writes, and edits that touch nothing else."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.documents.configfiles.model import Assignment, ContextKind, Kind
from conflens.documents.configfiles.toml import dialect as toml
from documents.configfiles.torn import check, edited, mutations, names
from patience import proportion

SERVICE = '''# Settings of the service

title = "Service"   # shown
log.level = 'info'
"quoted key" = 1

[cache]
# How many
size = 1_000
ttl-ms = 500
hosts = [
  "a:1",  # first
  "b:2",
]
limits = { min = 1, max = 9, inner = { deep = true } }

  [cache.store]
  path = 'C:\\temp'
  started = 1979-05-27T07:32:00Z
  banner = """
  Hello \\
     world "quoted"
  """
  raw = \'\'\'
as \\is\'\'\'

[[servers]]
host = "one"
ports = [[1, 2], [3]]

[servers.tls]
on = true

[[servers]]
host = "two"
users = [{ name = "a" }, { name = "b", rank = 2 }]
'''


def found(text: str) -> dict[str, str | list[str] | None]:
    return {
        one.name: [item.text for item in one.items]
        if one.kind is Kind.LIST
        else one.value.text
        if one.value
        else None
        for one in toml.parse(text).assignments
        if one.kind is not Kind.SECTION
    }


def test_names_and_values_as_the_program_reads_them() -> None:
    assert found(SERVICE) == {
        "title": "Service",
        "log.level": "info",
        "quoted key": "1",
        "cache.size": "1_000",
        "cache.ttl-ms": "500",
        "cache.hosts": ["a:1", "b:2"],
        "cache.limits.min": "1",
        "cache.limits.max": "9",
        "cache.limits.inner.deep": "true",
        "cache.store.path": "C:\\temp",
        "cache.store.started": "1979-05-27T07:32:00Z",
        "cache.store.banner": '  Hello world "quoted"\n  ',
        "cache.store.raw": "as \\is",
        "servers[0].host": "one",
        "servers[0].ports[0]": ["1", "2"],
        "servers[0].ports[1]": ["3"],
        "servers[0].tls.on": "true",
        "servers[1].host": "two",
        "servers[1].users[0].name": "a",
        "servers[1].users[1].name": "b",
        "servers[1].users[1].rank": "2",
    }
    assert toml.parse(SERVICE).faults == ()


def test_sections() -> None:
    sections = [one.name for one in toml.parse(SERVICE).assignments if one.kind is Kind.SECTION]
    assert [name for name in sections if "users" not in name and "ports" not in name] == [
        "cache",
        "cache.limits",
        "cache.limits.inner",
        "cache.store",
        "servers[0]",
        "servers[0].tls",
        "servers[1]",
    ]


def named(name: str) -> Assignment:
    return next(one for one in toml.parse(SERVICE).assignments if one.name == name)


@pytest.mark.parametrize(
    ("name", "entry", "key", "value"),
    [
        ("title", 'title = "Service"   # shown\n', "title", "Service"),
        ("quoted key", '"quoted key" = 1\n', "quoted key", "1"),
        ("log.level", "log.level = 'info'\n", "level", "info"),
        ("cache.limits.max", "max = 9", "max", "9"),
        ("cache.store.path", "  path = 'C:\\temp'\n", "path", "C:\\temp"),
        ("cache.store.raw", "  raw = '''\nas \\is'''\n", "raw", "\nas \\is"),
    ],
)
def test_places(name: str, entry: str, key: str, value: str) -> None:
    one = named(name)
    assert one.value is not None
    assert SERVICE[one.start : one.end] == entry
    assert SERVICE[one.key.start : one.key.end] == key
    assert SERVICE[one.value.start : one.value.end] == value


def test_a_list_spans_all_its_lines() -> None:
    one = named("cache.hosts")
    assert SERVICE[one.start : one.end] == 'hosts = [\n  "a:1",  # first\n  "b:2",\n]\n'
    assert [SERVICE[item.start : item.end] for item in one.items] == ["a:1", "b:2"]


@pytest.mark.parametrize(
    ("typed", "others"),
    [
        ("hal", {}),
        ("half.", {}),
        ("half =", {"s.half": None}),
        ('half = "tex', {"s.half": "tex"}),
        ("half = 'tex", {"s.half": "tex"}),
        ("half = [1, 2", {"s.half": ["1", "2"]}),
        ("half = [[1], [", {"s.half[0]": ["1"], "s.half[1]": []}),
        ("half = { a = 1", {"s.half.a": "1"}),
        ("half = {", {}),
        ("half = { a = ", {"s.half.a": None}),
        ('"half', {}),
        ("[", {}),
        ("[]", {}),
        ("= 3", {}),
        ("half = ]", {"s.half": "]"}),
    ],
)
def test_a_half_typed_line_affects_only_itself(typed: str, others: dict[str, Any]) -> None:
    text = f"[s]\nbefore = 1\n{typed}\nafter = 2\n[t]\nlast = [1]\n"
    assert found(text) == {"s.before": "1", **others, "s.after": "2", "t.last": ["1"]}


def test_an_unfinished_header_counts_as_far_as_it_is_written() -> None:
    assert found("[a.b\nc = 1\n[[d\ne = 2\n") == {"a.b.c": "1", "d[0].e": "2"}


def test_definite_errors() -> None:
    text = 'a\nb = "c\nd = [1,\ne = 2\n[f\n'
    faults = [(text[one.start : one.end], one.message) for one in toml.parse(text).faults]
    assert faults == [
        ("a", "This line has no key with a value."),
        ('"c', "This string is never closed."),
        ("[", "This array is never closed."),
        ("[f", "This header is never closed."),
    ]


def test_an_inline_table_over_several_lines() -> None:
    assert found("x = {\n  a = 1, # c\n  b = [\n 2,\n],\n}\ny = 3\n") == {
        "x.a": "1",
        "x.b": ["2"],
        "y": "3",
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    assert found(SERVICE.replace("\n", end)).keys() == found(SERVICE).keys()
    assert found(f"a = 1{end}b = [1,{end}2]{end}") == {"a": "1", "b": ["1", "2"]}


KEY = st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True) | st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters=".[]"),
    min_size=1,
    max_size=6,
)
STRING = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)


def written_basic(text: str) -> str:
    return '"' + toml.value_text(text, '"') + '"'


@st.composite
def scalars(draw: st.DrawFn) -> str:
    match draw(st.integers(0, 7)):
        case 0:
            return str(draw(st.integers(-(10**12), 10**12)))
        case 1:
            return draw(
                st.sampled_from(["true", "false", "inf", "-nan", "0xDEAD_beef", "1e3", "6.5"])
            )
        case 2:
            return str(draw(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))))
        case 3:
            return draw(
                st.sampled_from(
                    [str(date(2020, 1, 2)), str(time(1, 2, 3)), "1979-05-27T00:32:00-07:00"]
                )
            )
        case 4:
            literal = draw(st.from_regex(r"[^'\x00-\x1f\x7f\ud800-\udfff]{0,9}", fullmatch=True))
            return f"'{literal}'"
        case 5:
            body = toml.value_text(draw(STRING).replace("\r", ""), '"""')
            return f'"""{draw(st.sampled_from(["", chr(10)]))}{body}"""'
        case 6:
            body = draw(st.from_regex(r"([a-z\\\"#\[=\n]|'(?=x)){0,12}", fullmatch=True))
            return f"'''{body}'''"
        case _:
            return written_basic(draw(STRING))


@st.composite
def values(draw: st.DrawFn, depth: int = 0) -> str:
    kind = draw(st.integers(0, 5 if depth < 3 else 3))
    if kind <= 3:
        return draw(scalars())
    if kind == 4:
        items = draw(st.lists(values(depth=depth + 1), max_size=3))
        gap = draw(st.sampled_from([", ", ",\n  ", " , # c\n", ","]))
        return f"[{draw(st.sampled_from(['', ' ', chr(10)]))}{gap.join(items)}]"
    pairs = draw(st.dictionaries(KEY, values(depth=depth + 1), max_size=3))
    return "{ " + ", ".join(f"{quoted(key)} = {value}" for key, value in pairs.items()) + " }"


def quoted(key: str) -> str:
    return (
        key
        if key.isascii() and key.replace("-", "").replace("_", "").isalnum()
        else written_basic(key)
    )


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A valid text: root keys, then tables and arrays of tables with names of their own."""
    parts = []
    for number in range(draw(st.integers(0, 3))):
        head = draw(
            st.sampled_from(["", f"[t{number}]", f"[ t{number} . 'x' ] # c", f"[[t{number}]]"])
        )
        for index in range(2 if head.startswith("[[") else 1):
            if head:
                parts.append(head)
            for key, value in draw(st.dictionaries(KEY, values(), max_size=3)).items():
                name = (
                    f"k{number}{index}.{quoted(key)}"
                    if draw(st.booleans())
                    else quoted(f"k{number}" + key)
                )
                parts.append(f"{draw(st.sampled_from(['', '  ']))}{name} = {value}")
    return "\n".join(parts) + draw(st.sampled_from(["", "\n"]))


def flat(value: Any, name: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        gathered: dict[str, Any] = {}
        for key, inner in value.items():
            gathered.update(flat(inner, f"{name}.{key}" if name else key))
        return gathered
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        gathered = {}
        for number, item in enumerate(value):
            gathered.update(flat(item, f"{name}[{number}]"))
        return gathered
    return {name: value}


def said(value: Any, style: str = "") -> Any:
    return value if style else repr(tomllib.loads(f"x = {value}")["x"])


@settings(max_examples=200)
@given(documents())
def test_what_tomllib_accepts(text: str) -> None:
    try:
        expected = flat(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return
    parsed = toml.parse(text)
    got: dict[str, Any] = {}
    for one in parsed.assignments:
        if one.kind is Kind.LIST:
            got[one.name] = [said(item.text, item.style) for item in one.items]
        elif one.value is not None:
            got[one.name] = said(one.value.text, one.value.style)
    shown = {
        name: [item if isinstance(item, str) else repr(item) for item in value]
        if isinstance(value, list)
        else value
        if isinstance(value, str)
        else repr(value)
        for name, value in expected.items()
    }
    assert got == shown
    assert parsed.faults == ()


def test_the_generator_produces_valid_texts() -> None:
    valid = []

    @settings(max_examples=100, database=None)
    @given(documents())
    def count(text: str) -> None:
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            valid.append(False)
        else:
            valid.append(len(text) > 10)

    count()
    assert sum(valid) > len(valid) / 3


def where(marked: str) -> tuple[ContextKind, str, str, tuple[str, ...], str, bool]:
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    one = toml.context(text, offset)
    return one.kind, one.prefix, text[one.start : one.end], one.parents, one.name, one.follows


@pytest.mark.parametrize(
    ("marked", "prefix", "range_", "parents", "follows"),
    [
        ("|", "", "", (), False),
        ("a = 1\nca|che", "ca", "cache", (), False),
        ("[s.t]\n  ca|che = 1", "ca", "cache", ("s", "t"), True),
        ("[s]\ncache.si|", "cache.si", "cache.si", ("s",), False),
        ("[s]\ncache.|\n", "cache.", "cache.", ("s",), False),
        ("[[s]]\n[[s]]\n|\n[t]\n", "", "", ("s[1]",), False),
        ("[s]\n|\n[t]", "", "", ("s",), False),
        ("x = { a = 1, b| }", "b", "b", ("x",), False),
        ('"a b|" = 1', "a b", '"a b"', (), True),
    ],
)
def test_a_cursor_in_a_key(
    marked: str, prefix: str, range_: str, parents: tuple[str, ...], follows: bool
) -> None:
    assert where(marked) == (ContextKind.KEY, prefix, range_, parents, "", follows)


@pytest.mark.parametrize(
    ("marked", "prefix", "range_", "name"),
    [
        ("a = 1|2", "1", "12", "a"),
        ("a = |", "", "", "a"),
        ("[s]\na.b = |  \nc = 1", "", "", "s.a.b"),
        ('a = "x|y"', "x", "xy", "a"),
        ('a = "x|', "x", "x", "a"),
        ("a = ['x|y', 2]", "x", "xy", "a"),
        ("a = [1, |]", "", "", "a"),
        ("a = { b = |1 }", "", "1", "a.b"),
        ("a = { b = | }", "", "", "a.b"),
        ('a = """\n one|\n"""', "\n one", "\n one\n", "a"),
    ],
)
def test_a_cursor_in_a_value(marked: str, prefix: str, range_: str, name: str) -> None:
    kind, *rest = where(marked)
    assert (kind, rest[0], rest[1], rest[3]) == (ContextKind.VALUE, prefix, range_, name)


@pytest.mark.parametrize("marked", ["# a|", "a = 1 # b|", "[a|]", "a = 1 |", "a b|", "[a] |"])
def test_no_completion_at_a_cursor_elsewhere(marked: str) -> None:
    assert where(marked)[0] is ContextKind.NEITHER


def test_a_key_is_written_relative_to_its_table() -> None:
    text = "[cache]\n\n"
    context = toml.context(text, 8)
    assert toml.key_text(text, context, "cache.store.max size") == 'store."max size" = '
    assert toml.key_text(text, context, "other.size") is None
    assert toml.key_text(text, context, "cache.hosts[0]") is None
    follows = toml.context("[cache]\nsi = 1", 9)
    assert toml.key_text("[cache]\nsi = 1", follows, "cache.size") == "size"


@pytest.mark.parametrize(
    ("value", "style", "written"),
    [
        ("5", "", "5"),
        ("true", "", "true"),
        ("1979-05-27", "", "1979-05-27"),
        ("5 MB", "", '"5 MB"'),
        ('a"b\\', "", '"a\\"b\\\\"'),
        ("5", '"', "5"),
        ('a"b', "'", 'a"b'),
        ("\x00", '"', "\\u0000"),
        ("01", "", '"01"'),
    ],
)
def test_values_as_they_are_written(value: str, style: str, written: str) -> None:
    assert toml.value_text(value, style) == written


@pytest.mark.parametrize(
    ("name", "after", "new"),
    [
        ("cache.grace-ms", "]\nlimits = { min = 1, max = 9, inner = { deep = true } }\n", None),
        ("log.file", "log.level = 'info'\n", "log.file = 5\n"),
        ("cache.ttl-max", "ttl-ms = 500\n", "ttl-max = 5\n"),
        ("cache.store.deep.er", "as \\is'''\n", "  deep.er = 5\n"),
        ("servers[0].port", "ports = [[1, 2], [3]]\n", None),
        ("servers[1].port", 'host = "two"\n', "port = 5\n"),
    ],
)
def test_added_next_to_its_relatives(name: str, after: str, new: str | None) -> None:
    change = toml.added(SERVICE, name, "5")
    assert change is not None
    text = edited(SERVICE, change.start, change.end, change.text)
    assert found(text) == {**found(SERVICE), name: "5"}
    assert tomllib.loads(text)
    if new is not None:
        assert after + new in text


@pytest.mark.parametrize(
    "name", ["cache.limits.mid", "cache.size.x", "cache.store", "title", "servers.port", "servers[7].x", "a..b"]
)  # fmt: skip
def test_nothing_is_added_inside_a_closed_value(name: str) -> None:
    assert toml.added(SERVICE, name, "5") is None


def test_a_file_of_tables_gets_a_new_table_with_its_comment() -> None:
    change = toml.added("[a]\nb = 1", "c.d", "x y", "Why\nso")
    assert change is not None and change.start == 9
    assert change.text == '\n\n[c]\n# Why\n# so\nd = "x y"'


PLAIN = st.from_regex(r"[a-z]{1,4}(\.[a-zA-Z0-9<'\" -]{1,4}){0,3}", fullmatch=True)


@settings(max_examples=150)
@given(PLAIN, STRING, st.text(max_size=10))
def test_adding_gives_one_more_entry_and_changes_nothing_else(
    name: str, value: str, comment: str
) -> None:
    change = toml.added(SERVICE, name, value, comment)
    if change is None:
        assert name in {"title", "log", "cache", "servers"} or name.startswith(
            ("title.", "servers.", "cache.", "log.level")
        )
        return
    after = edited(SERVICE, change.start, change.end, change.text)
    assert found(after) == {**found(SERVICE), name: value}
    assert after.count("#") >= SERVICE.count("#")


@settings(max_examples=100)
@given(st.sampled_from([one.name for one in toml.parse(SERVICE).assignments]), PLAIN)
def test_renaming_changes_only_the_name(name: str, new: str) -> None:
    one = named(name)
    inherited = name[: name.rindex(".") + 1] if "." in name else ""
    changes = toml.renamed(SERVICE, one, inherited + new)
    if changes is None:
        assert one.kind is Kind.SECTION or name.endswith("]")
        return
    (change,) = changes
    after = edited(SERVICE, change.start, change.end, change.text)
    before = toml.parse(SERVICE).assignments
    expected = [inherited + new if x.name == name else x.name for x in before]
    assert names(toml.parse(after).assignments) == expected
    assert list(found(after).values()) == list(found(SERVICE).values())


def test_a_rename_cannot_move_a_key_out_of_its_table() -> None:
    assert toml.renamed(SERVICE, named("cache.size"), "store.size") is None
    (change,) = toml.renamed(SERVICE, named("log.level"), "logging.level") or ()
    assert SERVICE[change.start : change.end] == "log.level"
    (change,) = toml.renamed(SERVICE, named("quoted key"), "plain") or ()
    assert SERVICE[change.start : change.end] == '"quoted key"'


@pytest.mark.seeds(1)
def test_truncated_files(seed: int) -> None:
    for number, text in enumerate(mutations(SERVICE, 1000, seed)):
        check(toml, text, number)


@pytest.mark.parametrize("unit", ["[", "a = [", '"""', "[[a]]\n", "a=[{"])
def test_a_megabyte_of_filler(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert len(toml.parse(text).assignments) <= 200_001


def test_ten_thousand_deep() -> None:
    assert found("a = " + "[" * 10_000 + "]" * 10_000 + "\nb = 1\n") == {"b": "1"}
    assert found("a = " + "{x=" * 10_000 + "1" + "}" * 10_000 + "\nb = 1\n") == {"b": "1"}
    assert found("a." * 10_000 + "b = 1\nc = 2\n") == {"c": "2"}
    assert found("[" + "a." * 10_000 + "b]\nc = 2\n[d]\ne = 1") == {"d.e": "1"}


def test_a_long_name_is_not_copied_for_each_entry() -> None:
    assert found(f"[{'a' * 2_000}]\n" + "b = 1\n" * 10 + "[c]\nd = 1") == {"c.d": "1"}


@pytest.mark.parametrize("end", ["#", " ", "x"])
def test_many_tables_in_one_line_take_linear_time(end: str) -> None:
    large, small = (f"a = [\n{'{},' * count}{end * count * 30}\n" for count in (5_000, 500))
    assert proportion(lambda: toml.parse(large), lambda: toml.parse(small), 30) < 30


def test_a_table_may_go_over_lines_behind_others_in_its_line() -> None:
    text = 'a = [{b = "#"}, {c = 1}, { # more\n  d = 2,\n}]\ne = {f = {}, g = 1}\nh = { i = {},\n j = 3\n}\n'
    assert found(text) == {
        "a[0].b": "#",
        "a[1].c": "1",
        "a[2].d": "2",
        "e.g": "1",
        "h.j": "3",
    }
