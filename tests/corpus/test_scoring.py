"""The scoring itself, on a program small enough to score by hand."""

import pytest

from conflens.base.span import Place
from conflens.options.model import Default, Option, OptionTable, OptionType, Read, ReadKind
from corpus.scoring import Score, covers, score
from corpus.truth_tables import Row, Scope, Site, Truth, scope, truth, type_rows
from corpus.type_scoring import LEFT_OUT, RIGHT, UNKNOWN, WRONG, judge, score_types

PATH = "a/A.java"
SOURCE = """class A {
  String a = System.getProperty("a", "1");
  String b = System.getProperty(
      "b");
  String c = System.getProperty("user.home"); String d = x.get("d");
  String e = helper(first("e"), second("f"));
}
"""


def reads(text: str, name: str, *, at: str | None = None) -> tuple[str, Read]:
    start = SOURCE.index(text)
    end = start + len(text)
    inner = SOURCE.index(at or f'"{name}"', start)
    place = Place(PATH, start, end)
    name_place = Place(PATH, inner, inner + len(name) + 2)
    return name, Read(
        place, name_place, end, ReadKind.CALL, "A.a", text.split("(")[0], None, True, False, False
    )


def table(*found: tuple[str, Read], domain: str = "system-property") -> OptionTable:
    options: dict[str, list[Read]] = {}
    for name, read in found:
        options.setdefault(name, []).append(read)
    return OptionTable.of([option(name, of, domain) for name, of in options.items()], [])


def option(
    name: str,
    found: list[Read],
    domain: str = "system-property",
    kind: OptionType = OptionType.STRING,
    unit: str = "",
) -> Option:
    defaults = tuple(Default("1", read.place) for read in found[:1])
    return Option(name, domain, kind, "", (), unit, defaults, False, "", (), tuple(found))


def rows(*items: tuple[int, int, str, str]) -> Truth:
    made = [
        Row(PATH, line, column, kind, tuple(name.split("|")), "d", "", "", "")
        for line, column, kind, name in items
    ]
    by_line: dict[tuple[str, int], tuple[Site, ...]] = {}
    for row in made:
        key = (row.path, row.line)
        sites = by_line.get(key, ())
        same = [site for site in sites if site.column == row.column]
        rest = tuple(site for site in sites if site.column != row.column)
        old = same[0].rows if same else ()
        by_line[key] = (*rest, Site(PATH, row.line, row.column, (*old, row)))
    return Truth("t", tuple(made), by_line)


def scored(found: OptionTable, expected: Truth, within: Scope | None = None) -> Score:
    return score(found, expected, within or Scope(), lambda _: SOURCE.encode())


A = 'System.getProperty("a", "1")'
B = 'System.getProperty(\n      "b")'
C = 'System.getProperty("user.home")'
D = 'x.get("d")'
FIRST = 'first("e")'
SECOND = 'second("f")'


def test_found_and_named() -> None:
    result = scored(table(reads(A, "a")), rows((2, 21, "read", "a")))
    assert (result.recall, result.names, result.precision) == (1, 1, 1)


def test_a_missing_read_lowers_recall_only() -> None:
    result = scored(table(reads(A, "a")), rows((2, 21, "read", "a"), (3, 21, "read", "b")))
    assert (result.recall, result.names, result.precision) == (0.5, 1, 1)
    assert [row.names for row in result.misses] == [("b",)]


def test_a_wrong_name_still_counts_for_recall() -> None:
    result = scored(table(reads(A, "z", at='"a"')), rows((2, 21, "read", "a")))
    assert (result.recall, result.names, result.precision) == (1, 0, 1)


def test_an_extra_name_at_the_site_is_a_wrong_name() -> None:
    found = table(reads(A, "a"), reads(A, "z", at='"a"'))
    assert scored(found, rows((2, 21, "read", "a"))).names == 0


def test_a_platform_read_and_an_unlisted_read_are_false_positives() -> None:
    found = table(reads(A, "a"), reads(C, "user.home"), reads(D, "d"))
    result = scored(found, rows((2, 21, "read", "a"), (5, 21, "platform", "user.home")))
    assert result.precision == pytest.approx(1 / 3)
    assert [report.names for report, _ in result.rejected] == [{"user.home"}]
    assert [report.names for report in result.unlisted] == [{"d"}]


def test_two_calls_on_one_line_are_two_sites() -> None:
    expected = rows((6, 21, "read", "e"), (6, 33, "read", "f"))
    assert scored(table(reads(FIRST, "e")), expected).recall == 0.5
    both = table(reads(FIRST, "e"), reads(SECOND, "f"))
    assert (scored(both, expected).recall, scored(both, expected).names) == (1, 1)


def test_a_call_over_two_lines_matches_at_its_method_name() -> None:
    assert scored(table(reads(B, "b")), rows((3, 21, "read", "b"))).recall == 1


def test_a_call_around_a_read_does_not_match() -> None:
    around = 'helper(first("e"), second("f"))'
    result = scored(table(reads(around, "e")), rows((6, 21, "read", "e")))
    assert (result.recall, result.precision) == (0, 0)


def test_wrappers_are_neither_required_nor_false_positives() -> None:
    expected = rows((2, 21, "wrapper", ""), (3, 21, "dynamic", "*"))
    assert scored(table(reads(A, "a")), expected).precision == 1
    assert scored(table(), expected).recall == 1


def test_every_alternative_is_required_only_where_the_protocol_says_so() -> None:
    expected = rows((2, 21, "read", "a|z"))
    found = table(reads(A, "a"))
    assert scored(found, expected).names == 1
    assert scored(found, expected, Scope(every_alternative=True)).names == 0


def test_reads_outside_the_listed_files_are_not_false_positives() -> None:
    found = table(reads(A, "a"))
    assert scored(found, rows(), Scope(listed_files=True)).precision == 1
    assert scored(found, rows()).precision == 0


def test_domains_that_were_not_enumerated_are_not_scored() -> None:
    within = Scope(domains=frozenset({"environment"}))
    assert scored(table(reads(A, "a")), rows(), within).reported == 0
    found = table(reads(A, "a"), domain="environment")
    assert scored(found, rows(), within).reported == 1


@pytest.mark.parametrize(
    ("reported", "expected", "right"),
    [
        ("a.b", "a.b", True),
        ("a.b", "a.c", False),
        ("a.*", "a.b", True),
        ("*", "a.b", False),
        ("*", "*", True),
        ("fs.*.impl", "fs.*.impl", True),
        ("fs.*", "fs.*.impl", False),
    ],
)
def test_names_and_patterns(reported: str, expected: str, right: bool) -> None:
    assert covers(reported, expected) is right


@pytest.mark.parametrize(
    ("expected", "inferred", "verdict"),
    [
        ("time", "time", RIGHT),
        ("time", "unknown", UNKNOWN),
        ("time", "integer", UNKNOWN),
        ("port", "integer", UNKNOWN),
        ("size", "integer", RIGHT),
        ("integer", "size", WRONG),
        ("integer", "time", WRONG),
        ("integer", "fraction", WRONG),
        ("string", "string", RIGHT),
        ("file", "string", UNKNOWN),
        ("boolean", "string", WRONG),
        ("string", "file", WRONG),
        ("list", "class", RIGHT),
        ("list", "string", UNKNOWN),
        ("list", "integer", WRONG),
        ("address", "list", RIGHT),
        ("string", "list", WRONG),
        ("unknown", "unknown", LEFT_OUT),
        ("unknown", "file", WRONG),
    ],
)
def test_types_by_rabkins_rules(expected: str, inferred: str, verdict: str) -> None:
    assert judge(expected, inferred) == verdict


def test_a_mode_of_true_and_false_is_a_boolean() -> None:
    assert judge("boolean", "mode", ("TRUE", "false")) == RIGHT
    assert judge("boolean", "mode", ("true", "auto")) == WRONG


def test_type_shares_and_units() -> None:
    sample = type_rows("h2")
    timed = next(row for row in sample if row.unit == "ms")
    found = option(timed.name, [], kind=OptionType(timed.type), unit="s")
    result = score_types(OptionTable.of([found], []), sample)
    assert result.count(RIGHT) == 1
    assert result.units == (0, 1)
    assert result.total + result.count(LEFT_OUT) == len(sample)


@pytest.mark.parametrize("project", ["h2", "zookeeper", "kafka", "hdfs", "cassandra", "jmeter"])
def test_truth_tables_are_valid(project: str) -> None:
    loaded = truth(project)
    kinds = {row.kind for row in loaded.rows}
    assert kinds <= {
        "read",
        "definition",
        "field",
        "wrapper",
        "dynamic",
        "platform",
        "not",
        "either",
    }
    assert all(row.names != ("",) for row in loaded.rows if row.kind == "read")
    assert sum(row.kind == "read" for row in loaded.rows) >= 100


def test_the_type_samples_contain_150_options_with_known_types() -> None:
    samples = [
        row
        for project in ("h2", "zookeeper", "kafka", "hdfs", "cassandra")
        for row in type_rows(project)
    ]
    assert len(samples) >= 150
    assert {row.type for row in samples} <= {kind.value for kind in OptionType}


def test_cassandras_scope_contains_the_sampled_fields() -> None:
    within = scope("cassandra")
    assert len(within.fields) == 40
    assert "concurrent_writes" in within.fields
