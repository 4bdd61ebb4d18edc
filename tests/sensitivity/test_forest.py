"""The forest as plain numbers: the same scores as scikit-learn's, and only sound ones are read."""

from __future__ import annotations

import hashlib
import math
from array import array
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.sensitivity import fitting
from conflens.sensitivity.features import CHOSEN, features
from conflens.sensitivity.fitting import Fit, calibrated, forest_of, held_out, meaning, weights
from conflens.sensitivity.forest import FORMAT, Forest, Tree
from conflens.sensitivity.table import TableError, packaged
from conflens.sensitivity.vocabulary import packaged as vocabulary
from sensitivity.programs import NAMES, forest, stump, varied
from sensitivity.tables import row, systems, table

TREES = 12
ORDER = features(vocabulary())
HAND = varied()


@cache
def fitted() -> tuple[Forest, Any, Fit]:
    """A small forest from the packaged table: as plain numbers, and scikit-learn's own."""
    fit = Fit(ORDER, CHOSEN, TREES)
    found = fit.fitted(packaged().rows)
    trees = [fitting._plain(tree.tree_, fit.columns) for tree in found.estimators_]
    return Forest(FORMAT, "small", NAMES, trees, 1.5), found, fit


def theirs(vectors: list[list[float]]) -> list[float]:
    """What scikit-learn says."""
    _, found, fit = fitted()
    matrix = [[vector[index] for index in fit.columns] for vector in vectors]
    return [float(share) for share in found.predict_proba(matrix)[:, 1]]


# -- scores ----------------------------------------------------------------------------------------

VECTORS = st.lists(
    st.one_of(
        st.integers(-10, 500).map(float),
        st.floats(-10, 500),
        st.integers(0, 20).map(lambda n: n / 20),
    ),
    min_size=len(NAMES),
    max_size=len(NAMES),
)


@settings(max_examples=40)
@given(VECTORS)
def test_the_contributions_and_the_base_add_up_to_the_score(vector: list[float]) -> None:
    for plain in (fitted()[0], HAND):
        score = plain.score(vector)
        assert 0 <= score <= 1
        assert plain.base + sum(plain.contributions(vector)) == pytest.approx(score, abs=1e-12)


@settings(max_examples=40)
@given(st.lists(VECTORS, min_size=1, max_size=5))
def test_scores_equal_scikit_learns(vectors: list[list[float]]) -> None:
    plain = fitted()[0]
    assert [plain.score(v) for v in vectors] == pytest.approx(theirs(vectors), abs=1e-9)


def test_scores_of_training_rows_equal_scikit_learns() -> None:
    vectors = [list(one.values) for one in packaged().learnable]
    plain = fitted()[0]
    assert [plain.score(v) for v in vectors] == pytest.approx(theirs(vectors), abs=1e-9)


def test_scores_close_to_thresholds_equal_scikit_learns() -> None:
    """Both sides of a threshold, closer than single precision can tell."""
    plain = fitted()[0]
    base = list(packaged().learnable[0].values)
    vectors = []
    for tree in plain.trees:
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True):
            if feature < 0:
                continue
            for value in (
                threshold,
                math.nextafter(threshold, math.inf),
                math.nextafter(threshold, -math.inf),
                threshold * (1 + 1e-9),
                threshold * (1 - 1e-9),
                array("f", [threshold])[0],
            ):
                vectors.append([*base[:feature], value, *base[feature + 1 :]])
    assert len(vectors) > 500
    scores = [plain.score(v) for v in vectors]
    assert scores == pytest.approx(theirs(vectors), abs=1e-9)
    for vector, score in zip(vectors[::7], scores[::7], strict=True):
        assert plain.base + sum(plain.contributions(vector)) == pytest.approx(score, abs=1e-12)


def test_values_are_compared_in_single_precision() -> None:
    plain = forest(stump("operations", 0.5, 0.0, 1.0))
    vector = [0.0] * len(NAMES)
    vector[NAMES.index("operations")] = 0.5 + 1e-12
    assert plain.score(vector) == 0.0
    assert sum(plain.contributions(vector)) == -0.5
    vector[NAMES.index("operations")] = 0.5 + 1e-6
    assert plain.score(vector) == 1.0


def test_a_forest_of_leaves_scores_everything_equally() -> None:
    plain = forest(Tree([-1], [0.0], [-1], [-1], [0.25]))
    assert plain.score([0.0] * len(NAMES)) == plain.base == 0.25
    assert set(plain.contributions([1.0] * len(NAMES))) == {0.0}


def test_probabilities_rise_with_scores() -> None:
    plain = forest(stump("operations", 0.5, 0.0, 1.0), slope=2.0)
    shares = [plain.probability(score / 20) for score in range(21)]
    assert shares == sorted(shares)
    assert plain.probability(0.5) == 0.5
    assert plain.probability(0.9) == pytest.approx(1 / (1 + (1 / 9) ** 2))
    assert plain.probability(0.1) == pytest.approx(1 - plain.probability(0.9))


@given(st.floats(0, 1), st.floats(-1e6, 1e6))
def test_every_score_has_a_probability(score: float, slope: float) -> None:
    plain = forest(stump("operations", 0.5, 0.0, 1.0), slope=slope)
    assert 0 <= plain.probability(score) <= 1


# -- bytes -----------------------------------------------------------------------------------------


def test_a_forest_round_trips() -> None:
    for plain in (HAND, fitted()[0]):
        data = plain.write()
        assert Forest.read(data, plain.meaning) == plain
        assert Forest.read(data, plain.meaning + "x") is None
        assert Forest.read(data, "") is None


DATA = HAND.write()


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_one_changed_byte_is_detected(place: int, mask: int) -> None:
    damaged = DATA[:place] + bytes([DATA[place] ^ mask]) + DATA[place + 1 :]
    assert Forest.read(damaged, HAND.meaning) is None


@given(st.integers(0, len(DATA) - 1), st.binary(max_size=8))
def test_truncation_and_extra_bytes_are_detected(end: int, more: bytes) -> None:
    assert Forest.read(DATA[:end] + more, HAND.meaning) is None or DATA[:end] + more == DATA
    if more:
        assert Forest.read(DATA + more, HAND.meaning) is None


@given(st.binary(max_size=200))
def test_other_bytes_are_not_a_forest(data: bytes) -> None:
    assert Forest.read(data, HAND.meaning) is None


def signed(content: object) -> bytes:
    """What a program that writes the wrong thing would write."""
    data = msgspec.msgpack.encode(content)
    return hashlib.blake2b(data, digest_size=16).digest() + data


def of_tree(*columns: object) -> bytes:
    return signed([FORMAT, "m", ["a", "b"], [columns], 1.0])


GOOD = ([0, -1, -1], [0.5, 0.0, 0.0], [1, -1, -1], [2, -1, -1], [0.5, 0.0, 1.0])


def changed(column: int, node: int, value: float) -> bytes:
    columns = [list(part) for part in GOOD]
    columns[column][node] = value
    return of_tree(*columns)


@pytest.mark.parametrize(
    "data",
    [
        changed(2, 0, 0),
        changed(3, 0, -1),
        changed(3, 0, 3),
        changed(0, 2, 0),
        changed(0, 0, 2),
        of_tree([], [], [], [], []),
        of_tree(*GOOD[:4], [0.5]),
        of_tree(GOOD[0], [], *GOOD[2:]),
        of_tree(*GOOD[:4]),
        signed([FORMAT, "m", ["a", "b"], [], 1.0]),
        signed([FORMAT + 1, "m", ["a", "b"], [GOOD], 1.0]),
        signed([FORMAT, "m", ["a", "b"], [GOOD], "1"]),
        signed({"format": FORMAT}),
        signed(None),
        hashlib.blake2b(b"", digest_size=16).digest(),
    ],
)
def test_an_invalid_forest_is_refused(data: bytes) -> None:
    assert Forest.read(data, "m") is None


def test_a_valid_forest_is_accepted() -> None:
    found = Forest.read(of_tree(*GOOD), "m")
    assert found is not None
    assert [found.score(v) for v in ([0, 9], [1, 9])] == [0.0, 1.0]


# -- fitting ---------------------------------------------------------------------------------------


def test_the_same_table_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "TREES", TREES)
    small = held_out(table(*systems("a", "b", "c")), Fit(ORDER, CHOSEN, 3))
    again = table(*reversed(small.rows))
    one, two = forest_of(small), forest_of(small)
    assert one.write() == two.write()
    assert Forest.read(one.write(), meaning(small)) == one
    assert meaning(again) == meaning(small) != meaning(small.without("a"))
    assert forest_of(small, seed=1).write() != one.write()


def test_a_fitted_forest_uses_the_chosen_groups_only() -> None:
    asked = {index for tree in fitted()[0].trees for index in tree.feature if index >= 0}
    assert asked and {ORDER[index].group for index in asked} <= CHOSEN


def test_a_monotone_feature_never_moves_the_score_against_its_trend() -> None:
    plain = fitted()[0]
    for one in packaged().learnable[::40]:
        for index, feature in enumerate(ORDER):
            if feature.trend:
                more = [*one.values[:index], one.values[index] + 5, *one.values[index + 1 :]]
                moved = plain.score(more) - plain.score(one.values)
                assert moved * feature.trend >= -1e-9, feature.name


def test_weights() -> None:
    rows = [
        *(row("a", f"a{n}", n == 0) for n in range(4)),
        row("b", "b0", True, "judged"),
        row("b", "b1", False),
    ]
    found = weights(rows)
    assert found[:4] == pytest.approx([2.0, 2 / 3, 2 / 3, 2 / 3])
    assert found[4:] == pytest.approx([math.sqrt(2) / 2, math.sqrt(2)])


def test_calibration_follows_the_scores_of_unseen_systems() -> None:
    def slope(gap: float) -> float:
        """Of scores that are right by ``gap`` in nine cases of ten."""
        sides = [(n >= 50, (n >= 50) != (n % 10 == 0)) for n in range(100)]
        return calibrated(
            [
                row("a", f"{n}", sensitive, held_out=0.5 + (gap if above else -gap))
                for n, (sensitive, above) in enumerate(sides)
            ]
        )

    for gap in (0.1, 0.3, 0.45):
        plain = forest(stump("operations", 0.5, 0, 1), slope=slope(gap))
        assert plain.probability(0.5 + gap) == pytest.approx(0.9, abs=0.01)
        assert plain.probability(0.5 - gap) == pytest.approx(0.1, abs=0.01)
        assert plain.probability(0.5) == 0.5


def test_scores_in_the_wrong_direction_are_not_used() -> None:
    rows = [row("a", f"{n}", n < 5, held_out=0.1 * n) for n in range(10)]
    assert calibrated(rows) == 0


def test_calibration_uses_the_scores_of_unseen_systems() -> None:
    base = table(*systems("a", "b"), row("c", "x", True, found=False))
    found = held_out(base, Fit(ORDER, frozenset({"diagconfig"}), 5))
    assert [one.label for one in found.rows] == [one.label for one in base.rows]
    assert found.rows[-1].held_out == 0
    assert all(0 <= one.held_out <= 1 for one in found.rows)
    for one in found.rows[:-1]:
        assert (one.held_out > 0.5) == one.label.sensitive


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(TableError):
        forest_of(table(row("a", "x", True)))
    with pytest.raises(TableError):
        Fit(ORDER).fitted([row("a", "x", True), row("a", "y", False, found=False)])


def test_no_rows_give_no_scores() -> None:
    assert Fit(ORDER).scores(None, []) == []
