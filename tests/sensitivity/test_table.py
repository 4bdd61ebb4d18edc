"""The training table and files of labels as CSV: what is kept, and what is refused with file and line."""

from __future__ import annotations

import math

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.sensitivity.features import Subject, features
from conflens.sensitivity.fitting import usable
from conflens.sensitivity.table import (
    HOW,
    MAX_ROWS,
    Label,
    Row,
    Table,
    TableError,
    dumps,
    labels,
    loads,
    merged,
    packaged,
)
from conflens.sensitivity.training import rows
from conflens.sensitivity.vocabulary import packaged as vocabulary
from sensitivity.programs import NAMES, analysed, body, option, reach
from sensitivity.tables import row, systems, table

HEAD = "system,option,sensitive,how,found,source,held_out"


def refused(text: str) -> str:
    with pytest.raises(TableError) as error:
        loads(text, "t.csv")
    return str(error.value)


# -- round trips -----------------------------------------------------------------------------------

CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12
).filter(lambda text: not text.startswith("#"))
NUMBERS = st.integers(-999_999, 999_999).map(lambda n: n / 1000)


@given(
    st.lists(
        st.tuples(
            CELLS, CELLS, st.booleans(), st.sampled_from(HOW), CELLS, NUMBERS, st.booleans()
        ),
        max_size=6,
    )
)
def test_a_table_round_trips(
    items: list[tuple[str, str, bool, str, str, float, bool]],
) -> None:
    made = tuple(
        Row(Label(system, name, sensitive, how, source), found, (value, -value), 0.25)
        for system, name, sensitive, how, source, value, found in items
    )
    ordered = sorted(made, key=lambda one: (one.label.system, one.label.option))
    assert loads(dumps(Table(("a", "b,ü"), made)), "t.csv") == Table(("a", "b,ü"), tuple(ordered))


def test_the_packaged_table_round_trips_and_is_complete() -> None:
    found = packaged()
    assert loads(dumps(found), "t.csv") == found
    assert found.names == tuple(feature.name for feature in features(vocabulary()))
    assert usable(found) is found
    assert all(math.isfinite(value) for one in found.rows for value in one.values)
    assert all(0 <= one.held_out <= 1 for one in found.rows)
    assert len({(one.label.system, one.label.option) for one in found.rows}) == len(found.rows)
    assert all(one.label.source for one in found.rows)


def test_the_digest_covers_all_training_data() -> None:
    base = table(*systems("a"))
    first, *rest = base.rows
    others = [
        attrs.evolve(first, held_out=0.9),
        attrs.evolve(first, found=False),
        attrs.evolve(first, values=(*first.values[:-1], 7.0)),
        attrs.evolve(first, label=attrs.evolve(first.label, sensitive=True)),
        attrs.evolve(first, label=attrs.evolve(first.label, how="judged")),
    ]
    digests = {base.digest, *(table(other, *rest).digest for other in others)}
    assert len(digests) == 6
    assert table(*reversed(base.rows)).digest == base.digest


def test_systems_are_added_and_removed() -> None:
    base = table(*systems("a", "b"))
    assert {one.label.system for one in base.without("a").rows} == {"b"}
    new = row("b", "other", True)
    both = merged(base, [new])
    assert both.rows == (*base.without("b").rows, new)
    assert merged(base, []) == base


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "t.csv:1: not a training table"),
        ("option,sensitive\nx,1\n", "t.csv:1: not a training table"),
        (f"{HEAD},f\ns,o,1,measured,1,,0\n", "t.csv:2: 7 columns instead of 8"),
        (f"{HEAD},f\ns,o,1,measured,1,,0,1,2\n", "t.csv:2: 9 columns instead of 8"),
        (f"{HEAD},f\n\n# no\ns,o,2,measured,1,,0,1\n", "t.csv:4: '2' is neither 1 nor 0"),
        (f"{HEAD},f\ns,o,1,measured,,,0,1\n", "t.csv:2: '' is neither 1 nor 0"),
        (f"{HEAD},f\ns,o,1,guessed,1,,0,1\n", "t.csv:2: 'guessed' is not one of measured, judged"),
        (f"{HEAD},f\ns,o,1,measured,1,,0,x\n", "t.csv:2: a feature is not a number"),
        (f"{HEAD},f\ns,o,1,measured,1,,,1\n", "t.csv:2: a feature is not a number"),
        (f"{HEAD},f\ns,o,1,measured,1,,0,nan\n", "t.csv:2: a feature is not a number that can"),
        (f"{HEAD},f\ns,o,1,measured,1,,0,1e39\n", "t.csv:2: a feature is not a number that can"),
        (f"{HEAD},f\ns,o,1,measured,1,,-inf,1\n", "t.csv:2: a feature is not a number that can"),
        (f"{HEAD},f\n" + "s" * 200_000, "t.csv:2: not CSV: field larger than"),
        ("# c\n" * (MAX_ROWS + 2), f"t.csv: more than {MAX_ROWS} lines"),
    ],
)
def test_a_broken_table_is_refused_with_its_line(text: str, expected: str) -> None:
    assert refused(text).startswith(expected)


def test_a_table_with_other_features_or_one_class_cannot_be_fitted() -> None:
    with pytest.raises(TableError, match="made by another version"):
        usable(loads(f"{HEAD},f\ns,o,1,measured,1,,0,1\n", "t.csv"))
    yes = row("a", "yes", True)
    for no in (row("a", "no", False, found=False), row("a", "also", True)):
        with pytest.raises(TableError, match="options of both kinds"):
            usable(table(yes, no))
    with pytest.raises(TableError, match="lacks held-out scores"):
        usable(table(yes, row("a", "no", False)))
    both = table(yes, row("a", "no", False, held_out=0.4))
    assert usable(both) is both


def test_a_byte_order_mark_and_comments_are_skipped() -> None:
    found = loads(f"\ufeff# made by hand\n{HEAD}\n#\ns,o,yes,person,0,why,0\n", "t.csv")
    assert found == Table((), (Row(Label("s", "o", True, "person", "why"), False, (), 0.0),))


@given(st.text(max_size=80) | st.lists(st.sampled_from([*HEAD.split(","), "\n", ",", '"', "1"])))
def test_any_text_is_parsed_or_refused(text: str | list[str]) -> None:
    for read in (loads, labels):
        try:
            read(text if isinstance(text, str) else "".join(text), "t.csv")
        except TableError as error:
            assert str(error).startswith("t.csv:")


# -- labels ----------------------------------------------------------------------------------------


def test_labels() -> None:
    text = "option, sensitive ,how,aliases,domain\nx.y,true,,a|b|,d\nz,no,judged\n"
    assert labels(text, "l.csv", "mine") == (
        Label("mine", "x.y", True, "measured", "", "d", ("a", "b")),
        Label("mine", "z", False, "judged"),
    )
    (own,) = labels("system,option,sensitive\nh2,x,0\n", "l.csv", "mine")
    assert own.system == "h2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "l.csv:1: labels need the columns option and sensitive"),
        ("option\nx\n", "l.csv:1: labels need the columns option and sensitive"),
        ("option,sensitive\nx\n", "l.csv:2: '' is neither 1 nor 0"),
        ("option,sensitive\n ,1\n", "l.csv:2: no option is named"),
        ("option,sensitive,how\nx,1,heard\n", "l.csv:2: 'heard' is not one of"),
    ],
)
def test_broken_labels_are_refused_with_their_line(text: str, expected: str) -> None:
    with pytest.raises(TableError) as error:
        labels(text, "l.csv")
    assert str(error.value).startswith(expected)


# -- rows of a program -----------------------------------------------------------------------------


def test_rows_of_a_program() -> None:
    analysis = analysed(
        body('byte[] b = new byte[Integer.getInteger("x.size")]; System.getProperty("y");')
    )
    subjects = [Subject(option(analysis, name), reach(analysis, name)) for name in ("x.size", "y")]
    wanted = [
        Label("s", "x.size", True, "measured"),
        Label("s", "old", False, "judged", aliases=("gone", "y")),
        Label("s", "y", False, "judged", domain="elsewhere"),
        Label("s", "none", False, "person"),
    ]
    found = rows(subjects, analysis.program, vocabulary(), wanted)
    assert [one.label for one in found] == wanted
    assert [one.found for one in found] == [True, True, False, False]
    at = NAMES.index("memory by direct")
    assert [one.values[at] for one in found] == [1, 0, 0, 0]
    assert {len(one.values) for one in found} == {len(NAMES)}
    with pytest.raises(TableError, match="lacks held-out scores"):
        usable(Table(tuple(NAMES), tuple(found)))
