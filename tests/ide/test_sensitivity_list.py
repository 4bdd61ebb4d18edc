"""The list of all options with their verdicts, as a page and as rows for programs."""

from __future__ import annotations

from conflens.ide.pages.flows import page
from conflens.ide.pages.sensitivity import MAX_ROWS, list_of, list_page, list_uri, rows
from conflens.options.model import OptionType
from conflens.render.ranking import ranked
from ide.judged import KEY, READ, SERVER, WORDING, verdict
from ide.toy import project

LIST = {
    "A.java": SERVER,
    "B.java": """class B { void b() {
    System.getProperty("b.mode"); System.getProperty("c.|.odd");
    System.getProperty("d.secret", "hunter2"); System.getProperty("a.unknown");
} }
""",
    "Judge.java": verdict("sensitive 0.87")
    + "// ? b.mode insensitive 0.12\n// -! b.mode is a name\n// ? c.|.odd sensitive 0.93\n",
    ".conflens.toml": '[verdict."d.secret"]\nsensitive = false\nreason = "a | b"\n',
}


def test_options_are_ordered_by_label_and_name() -> None:
    found = project(LIST)
    assert [(item.option.name, item.operations) for item in ranked(found.analysis)] == [
        ("net.buffer", 2),
        ("c.|.odd", 0),
        ("a.unknown", 0),
        ("b.mode", 0),
        ("d.secret", 0),
    ]
    place = ranked(found.analysis)[0].place
    assert place is not None
    assert found.show(place) == 'A.java:4:36 "net.buffer"'


def test_uncertain_operations_and_log_calls_are_not_counted() -> None:
    low = SERVER.replace("direct memory", "direct memory low guess")
    assert [item.operations for item in ranked(project({"A.java": low}).analysis)] == [1]
    log = low.replace("out.flush()", "Logger.info(b)").replace("loop io", "loop log")
    assert [item.operations for item in ranked(project({"A.java": log}).analysis)] == [0]


def test_the_first_read_outside_tests_is_shown_or_else_a_declaration() -> None:
    files = {
        "src/test/A.java": READ,
        "Z.java": READ.replace("class B", "class Z"),
        "Config.java": "class Config { /*bound*/ int size = 64; }",
    }
    found = project(files)
    places = {item.option.name: item.place for item in ranked(found.analysis)}
    assert {name: place and found.show(place) for name, place in places.items()} == {
        "net.buffer": 'Z.java:1:49 "net.buffer"',
        "size": "Config.java:1:30 size",
    }


def test_the_list_is_a_readable_table() -> None:
    found = project(LIST)
    assert (
        list_page("demo", found.analysis, False, WORDING)
        == """\
## demo

5 options: 2 performance-sensitive, 1 unknown, 2 probably not.

| option | verdict | main reason | type | default | operations |
| --- | --- | --- | --- | --- | ---: |
| [`net.buffer`](A.java#L4) | sensitive, 87 % | sizes a buffer ([A.java:5](A.java#L5)) | integer | `5` | 2 |
| [`c.\\|.odd`](B.java#L2) | sensitive, 93 % |  | string |  |  |
| [`a.unknown`](B.java#L3) | unknown |  | string |  |  |
| [`b.mode`](B.java#L2) | not sensitive, 12 % | is a name | string |  |  |
| [`d.secret`](B.java#L3) | not sensitive, by you | "a \\| b" ([.conflens.toml:1](.conflens.toml#L1)) | string |  |  |
"""
    )
    only = list_page("demo", found.analysis, True, WORDING)
    assert [line.split("`")[1] for line in only.splitlines() if "`" in line] == [
        "net.buffer",
        "c.\\|.odd",
    ]


def test_a_secret_shows_no_default_in_the_list() -> None:
    found = project(LIST, type=OptionType.PASSWORD)
    assert "hunter2" not in list_page("demo", found.analysis, False, WORDING)
    assert all(row.defaults == () for row in rows(found.analysis, False))


def test_the_list_is_limited_to_what_can_be_displayed() -> None:
    reads = "".join(f'System.getProperty("o.{n}");\n' for n in range(MAX_ROWS + 2))
    many = {"A.java": f"class A {{ void a() {{ {reads} }} }}", "J.java": verdict("unknown")}
    found = project(many)
    text = list_page("demo", found.analysis, False, WORDING)
    assert text.splitlines()[-1] == "And 2 more options."
    assert text.count("\n| [") == MAX_ROWS
    assert len(rows(found.analysis, False)) == MAX_ROWS + 2


def test_rows_for_programs() -> None:
    found = project(LIST)
    (buffer, odd) = rows(found.analysis, True)
    assert (odd.name, odd.probability, odd.reasons) == ("c.|.odd", 0.93, ())
    assert (buffer.domain, buffer.label, buffer.defaults) == (KEY[0], "sensitive", ("5",))
    assert buffer.reasons == ("sizes a buffer", "controls how often I/O runs")
    assert [row.source for row in rows(found.analysis, False)][-1] == "person"


def test_before_the_classifier_has_run_the_list_is_empty_and_says_so() -> None:
    found = project({"A.java": SERVER})
    expected = "## demo\n\nThe options have not been judged yet.\n"
    assert list_page("demo", found.analysis, False, WORDING) == expected
    assert list_page("demo", None, False, WORDING) == expected
    assert rows(found.analysis, False) == ()


def test_the_list_has_an_address() -> None:
    for only in (False, True):
        assert list_of(list_uri(only)) is only
    for other in ("conflens:/sensitivity/x.md", "file:///sensitivity/options.md", "conflens://["):
        assert list_of(other) is None


def test_the_page_of_an_option_starts_with_the_performance_impact() -> None:
    found = project({"A.java": SERVER, "Judge.java": verdict("sensitive 0.87")})
    text = page(found.analysis, KEY, WORDING)
    assert text is not None
    assert text.splitlines()[4:7] == [
        "Affects performance:",
        "- it sizes a buffer ([A.java:5](A.java#L5))",
        "- it controls how often I/O runs ([A.java:7](A.java#L7))",
    ]
    before = page(project({"A.java": SERVER}).analysis, KEY, WORDING)
    assert before is not None and "ffects performance" not in before
