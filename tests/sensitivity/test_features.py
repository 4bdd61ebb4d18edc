"""Features: DiagConfig's counts by hand, what names and defaults give, ranks, and where operations stand."""

from __future__ import annotations

import math

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.base.span import Place
from conflens.flow.results import Dependency
from conflens.options.model import Default, Option, OptionType
from conflens.sensitivity.features import (
    CHOSEN,
    EVIDENCE,
    KINDS,
    Feature,
    Subject,
    features,
    ranks,
    raw,
    vector,
    vectors,
)
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from sensitivity.programs import analysed, body, near, option, raw_of, reach

FEATURES = features(packaged())
COUNTS = [feature.name for feature in FEATURES if feature.group == "diagconfig"]


def counts(analysis: Analysis, name: str) -> dict[str, float]:
    """The 23 counts that are not 0."""
    found = raw_of(analysis, name)
    return {count: found[count] for count in COUNTS if found[count]}


def feature(name: str) -> Feature:
    (found,) = (feature for feature in FEATURES if feature.name == name)
    return found


# -- the list --------------------------------------------------------------------------------------


def test_features_have_unique_names_and_texts() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)
    assert all(feature.text.strip() for feature in FEATURES)
    assert {feature.trend for feature in FEATURES} == {-1, 0, 1}
    assert {feature.group for feature in FEATURES} > CHOSEN
    said = feature("documents: performance").text
    assert said == "the option is documented with words of performance"


def test_diagconfig_has_23_counts() -> None:
    assert len(COUNTS) == 23
    pairs = [name for name in COUNTS if " + " in name]
    ways = [name for name in COUNTS if " by " in name]
    kinds = [f"operations: {kind}" for kind in KINDS]
    assert (len(kinds), len(pairs), len(ways)) == (4, 6, 12)
    assert sorted([*kinds, *pairs, *ways, "operations"]) == sorted(COUNTS)


def test_every_feature_gets_a_value() -> None:
    analysis = analysed(body('byte[] b = new byte[Integer.getInteger("x")];'))
    given_values = raw_of(analysis, "x", all_groups=True)
    ranked = ranks([given_values], ["d"])[0]
    own = {EVIDENCE}  # comes with the row of a training table
    assert {feature.name for feature in FEATURES} == given_values.keys() | ranked.keys() | own


def test_the_chosen_groups_are_computed_for_verdicts() -> None:
    analysis = analysed(body('byte[] b = new byte[Integer.getInteger("x.size", 8)];'))
    every, chosen = raw_of(analysis, "x.size", all_groups=True), raw_of(analysis, "x.size")
    assert all(every[name] == chosen[name] for name in chosen)
    wanted = {feature.name for feature in FEATURES if feature.group in CHOSEN}
    assert wanted <= chosen.keys() | ranks([chosen], ["d"])[0].keys()


# -- DiagConfig ------------------------------------------------------------------------------------


def test_one_operation_by_its_argument() -> None:
    analysis = analysed(body('byte[] b = new byte[Integer.getInteger("x")];'))
    assert counts(analysis, "x") == {
        "operations: memory": 1,
        "operations: memory + io": 1,
        "operations: memory + lock": 1,
        "operations: memory + thread": 1,
        "operations": 1,
        "memory by direct": 1,
    }


def test_an_operation_with_two_dependencies_counts_for_both_and_once_in_its_kind() -> None:
    code = """
    int n = Integer.getInteger("x");
    if (n > 3) { byte[] b = new byte[n]; }"""
    analysis = analysed(body(code))
    ways = {(flow.dependency, flow.operation.api) for flow in reach(analysis, "x").flows}
    assert ways == {(Dependency.DIRECT, "new byte[]"), (Dependency.BRANCH, "new byte[]")}
    found = counts(analysis, "x")
    assert (found["memory by direct"], found["memory by branch"]) == (1, 1)
    assert (found["operations: memory"], found["operations"]) == (1, 1)


def test_an_operation_counts_once_however_many_paths_lead_to_it() -> None:
    code = """
    make(Integer.getInteger("x"));
    make(Integer.getInteger("x") + 1);
    int n = Integer.getInteger("x");
    if (n > 1) { make(n); } else { make(n + 2); }"""
    analysis = analysed(body(code, "  byte[] make(int size) { return new byte[size]; }"))
    (direct,) = (
        flow for flow in reach(analysis, "x").flows if flow.dependency is Dependency.DIRECT
    )
    assert direct.total > 1
    found = counts(analysis, "x")
    assert (found["memory by direct"], found["operations: memory"], found["operations"]) == (
        1,
        1,
        1,
    )


def test_all_kinds_and_all_dependencies() -> None:
    code = """
    int n = Integer.getInteger("x");
    byte[] b = new byte[n];
    char[] c = new char[n];
    if (n > 3) { out.write(1); synchronized (lock) { } }
    for (int i = 0; i < n; i++) { synchronized (lock) { } }
    ExecutorService s = Executors.newFixedThreadPool(n);"""
    assert counts(analysed(body(code)), "x") == {
        "operations: memory": 2,
        "operations: io": 1,
        "operations: lock": 2,
        "operations: thread": 1,
        "operations: memory + io": 3,
        "operations: memory + lock": 4,
        "operations: memory + thread": 3,
        "operations: io + lock": 3,
        "operations: io + thread": 2,
        "operations: lock + thread": 3,
        "operations": 6,
        "memory by direct": 2,
        "io by branch": 1,
        "lock by branch": 1,
        "lock by loop": 1,
        "thread by direct": 1,
    }


def test_two_operations_on_one_line_count_twice() -> None:
    analysis = analysed(body('if (Boolean.getBoolean("x")) { new Thread().start(); }'))
    apis = sorted(flow.operation.api for flow in reach(analysis, "x").flows)
    assert apis == ["Thread.start", "new Thread"]
    assert counts(analysis, "x")["thread by branch"] == 2


def test_compute_is_not_one_of_diagconfigs_kinds() -> None:
    code = (
        'String[] a = lock.toString().split(","); if (Boolean.getBoolean("x")) { Arrays.sort(a); }'
    )
    analysis = analysed(body(code))
    kinds = {flow.operation.kind for flow in reach(analysis, "x").flows}
    assert kinds == {"compute"}
    assert counts(analysis, "x") == {}
    assert raw_of(analysis, "x", all_groups=True)["weight: compute"] > 0


def test_an_option_that_reaches_nothing_has_no_counts() -> None:
    assert counts(analysed(body('System.getProperty("x");')), "x") == {}


# -- type, default, documents ----------------------------------------------------------------------


def typed(kind: OptionType, *defaults: str, unit: str = "", name: str = "x") -> Option:
    place = Place("A.java", 0, 1)
    stated = tuple(Default(text, place) for text in defaults)
    return Option(name, "d", kind, "", (), unit, stated, False, "", (), ())


def values(given_option: Option, *texts: str) -> dict[str, float]:
    analysis = analysed(body(""))
    subject = Subject(given_option, reach(ONE, "x"), texts)
    return dict(raw(subject, packaged(), near(analysis), {"type", "default", "documents"}))


ONE = analysed(body('System.getProperty("x");'))
IS = [feature.name for feature in FEATURES if feature.group == "type"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (OptionType.SIZE, {"is a number", "is a size"}),
        (OptionType.TIME, {"is a number", "is a time"}),
        (OptionType.FRACTION, {"is a number"}),
        (OptionType.BOOLEAN, {"is a switch"}),
        (OptionType.MODE, {"is a choice"}),
        (OptionType.CLASS, {"is a choice"}),
        (OptionType.PASSWORD, {"is a place or a secret"}),
        (OptionType.PORT, {"is a place or a secret"}),
        (OptionType.STRING, {"is a text"}),
        (OptionType.UNKNOWN, {"is of unknown type"}),
    ],
)
def test_types(kind: OptionType, expected: set[str]) -> None:
    found = values(typed(kind))
    assert {name for name in IS if found[name]} == expected


def test_every_type_is_encoded() -> None:
    for kind in OptionType:
        found = values(typed(kind, unit="ms"))
        assert found["has a unit"] and any(found[name] for name in IS if name != "has a unit")


@pytest.mark.parametrize(
    ("default", "has", "off", "magnitude"),
    [
        (None, 0, 0, 0.0),
        ("99", 1, 0, 2.0),
        ("-99", 1, 0, 2.0),
        ("-1", 1, 1, math.log10(2)),
        (" FALSE ", 1, 1, -1.0),
        ("", 1, 1, -1.0),
        ("0", 1, 1, 0.0),
        ("1e400", 1, 0, -1.0),
        ("nan", 1, 0, -1.0),
        ("-inf", 1, 0, -1.0),
        ("٩٩", 1, 0, 2.0),
        ("²", 1, 0, -1.0),
        ("9" * 5000, 1, 0, -1.0),
        ("1e308", 1, 0, 308.0),
        ("1_0", 1, 0, math.log10(11)),
        ("😀", 1, 0, -1.0),
        ("64k", 1, 0, -1.0),
    ],
)
def test_defaults(default: str | None, has: int, off: int, magnitude: float) -> None:
    found = values(typed(OptionType.INTEGER, *(() if default is None else (default,))))
    assert (found["has a default"], found["is off by default"]) == (has, off)
    assert found["default, magnitude"] == pytest.approx(magnitude)


def test_the_first_of_several_defaults_counts() -> None:
    assert values(typed(OptionType.INTEGER, "9", "999"))["default, magnitude"] == 1


def test_documents() -> None:
    silent = values(typed(OptionType.INTEGER))
    assert not silent["is documented"] and not silent["documents: performance"]
    said = values(typed(OptionType.INTEGER), "Raises the throughput.")
    assert said["is documented"] and said["documents: performance"]
    described = attrs.evolve(typed(OptionType.INTEGER), description="A password.")
    assert values(described)["documents: caution"]


@given(
    st.text(max_size=20),
    st.text(max_size=30),
    st.sampled_from(OptionType),
    st.text(max_size=8),
    st.text(max_size=20),
)
def test_every_vector_is_finite(
    name: str, default: str, kind: OptionType, unit: str, text: str
) -> None:
    subject = Subject(typed(kind, default, unit=unit, name=name), reach(ONE, "x"), (text,))
    found = raw(subject, packaged(), near(ONE))
    (made,) = vectors([found], ["d"], FEATURES)
    assert len(made) == len(FEATURES)
    assert all(math.isfinite(value) for value in made)


def test_groups_not_requested_are_zero() -> None:
    assert vector({"operations": 3}, {}, FEATURES).count(0.0) == len(FEATURES) - 1


# -- ranks -----------------------------------------------------------------------------------------

RAWS = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.integers(0, 9),
        st.floats(0, 5, allow_nan=False),
        st.integers(-6, 6),
    ),
    max_size=30,
)


@given(RAWS, st.randoms(use_true_random=False))
def test_ranks_do_not_depend_on_the_order(rows: list, dice) -> None:  # type: ignore[type-arg, no-untyped-def]
    def ranked(of: list) -> list[dict[str, float]]:  # type: ignore[type-arg]
        raws = [{"operations": a, "weight": b, "name leans": c} for _, a, b, c in of]
        return ranks(raws, [domain for domain, *_ in of])

    numbers = list(range(len(rows)))
    dice.shuffle(numbers)
    shuffled = ranked([rows[number] for number in numbers])
    plain = ranked(rows)
    assert [plain[number] for number in numbers] == shuffled
    assert all(0 <= value <= 1 for found in plain for value in found.values())


def test_a_rank_is_the_share_below_plus_half_the_ties() -> None:
    operations = [0, 1, 1, 5, 7, 0, 2]
    raws = [{"operations": n, "weight": 0, "name leans": 0} for n in operations]
    domains = ["d"] * 6 + ["other"]
    found = [one["rank by operations"] for one in ranks(raws, domains)]
    assert found == pytest.approx([0.15, 0.5, 0.5, 0.75, 0.9, 0.15, 0.5])
    assert {one["rank by weight"] for one in ranks(raws, domains)} == {0.5}


def test_whole_twentieths_are_not_rounded_down() -> None:
    for number in (20, 40, 60, 100):
        raws = [{"operations": n, "weight": 0, "name leans": 0} for n in range(number)]
        found = [one["rank by operations"] for one in ranks(raws, ["d"] * number)]
        step = number // 20
        assert found == [(place // step) / 20 for place in range(number)]


# -- where operations stand ------------------------------------------------------------------------

WRITES = "  void pour(OutputStream out) throws Exception { out.write(1); }"


def about(code: str, members: str = WRITES) -> tuple[bool, bool]:
    """Whether the write that ``x`` decides on stands in a loop, and at start or stop."""
    analysis = analysed(body(code, members))
    (flow,) = (
        flow for flow in reach(analysis, "x").flows if flow.operation.api == "OutputStream.write"
    )
    found = near(analysis).of(flow)
    return found.looped, found.start


@pytest.mark.parametrize(
    ("code", "looped"),
    [
        ('if (Boolean.getBoolean("x")) { out.write(1); }', False),
        ('if (Boolean.getBoolean("x")) { for (int i = 0; i < 9; i++) out.write(1); }', True),
        ('if (Boolean.getBoolean("x")) { for (int i : new int[2]) out.write(1); }', True),
        ('if (Boolean.getBoolean("x")) { do { out.write(1); } while (lock != null); }', True),
        ('while (lock != null) { if (Boolean.getBoolean("x")) out.write(1); }', True),
        ('if (Boolean.getBoolean("x")) { while (lock != null) { pour(out); } }', True),
        ('while (lock != null) { lock = null; } if (Boolean.getBoolean("x")) pour(out);', False),
        (
            'if (Boolean.getBoolean("x")) out.write(1); while (lock != null) { lock = null; }',
            False,
        ),
    ],
)
def test_loops(code: str, looped: bool) -> None:
    assert about(code)[0] is looped


def test_a_loop_before_the_influence_point_does_not_count() -> None:
    members = """
  boolean on() { for (int i = 0; i < 3; i++) { if (i == 2) return flag(); } return false; }
  boolean flag() { return Boolean.getBoolean("x"); }"""
    assert about("if (on()) { out.write(1); }", members) == (False, False)


@pytest.mark.parametrize(
    ("members", "start"),
    [
        ('A(OutputStream out) throws Exception { if (Boolean.getBoolean("x")) out.write(1); }', True),
        ('void close(OutputStream o) throws Exception { if (Boolean.getBoolean("x")) o.write(1); }', True),
        ('void initAll(OutputStream o) throws Exception { if (Boolean.getBoolean("x")) o.write(1); }', True),
        ('void mix(OutputStream o) throws Exception { if (Boolean.getBoolean("x")) o.write(1); }', False),
    ],
)  # fmt: skip
def test_constructors_and_lifecycle_methods(members: str, start: bool) -> None:
    assert about("", members) == (False, start)


@pytest.mark.parametrize(
    "end", ["", "for (int i = 0; i <", "while (", "if (lock.", "do {", "}}}}"]
)
def test_a_half_typed_body_is_examined(end: str) -> None:
    code = f'if (Boolean.getBoolean("x")) {{ while (lock != null) {{ out.write(1); }} }}\n{end}'
    analysis = analysed(body(code))
    found = reach(analysis, option(analysis, "x").name).flows
    assert found
    assert near(analysis).of(found[0]).looped
    assert raw_of(analysis, "x", all_groups=True)["inside loops"] == 1
