"""Whether a difference is more than chance."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.diagnosis.significance import Means, by_counts, differ, judged, permutation

WEIGHTS = st.lists(st.floats(0, 1e6), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("before", "after", "p"),
    [
        ([1, 2, 3], [7, 8, 9], 0.1),
        ([1, 2, 3, 4], [7, 8, 9, 10], pytest.approx(2 / 70)),
        ([5, 5, 5], [5, 5, 5], 1.0),
        ([1, 9], [2, 8], 1.0),
        ([], [1, 2], 1.0),
    ],
)
def test_the_share_of_splits_that_differ_as_much(
    before: list[float], after: list[float], p: float
) -> None:
    assert permutation(before, after) == p


@given(WEIGHTS, WEIGHTS)
def test_swapping_the_sides_does_not_matter(before: list[float], after: list[float]) -> None:
    assert permutation(before, after) == pytest.approx(permutation(after, before))
    assert 0 < permutation(before, after) <= 1
    assert differ(before, after) == differ(after, before)


@given(WEIGHTS)
def test_a_side_does_not_differ_from_itself(runs: list[float]) -> None:
    assert not differ(runs, runs)


def test_splits_of_many_runs_are_sampled_uniformly() -> None:
    """Of ten runs on each side there are 184,756 ways to split; a part of them tells as much as all."""
    before = [90.0, 91, 92, 93, 94, 95, 96, 97, 98, 99]
    after = [one + 2 for one in before]
    pooled = [*before, *after]
    wanted = abs(sum(after) - sum(before))
    splits = list(map(sum, combinations(pooled, 10)))
    exact = sum(abs(2 * split - sum(pooled)) >= wanted for split in splits) / len(splits)
    assert permutation(before, after) == pytest.approx(exact, abs=0.04)
    assert permutation(before, [one + 20 for one in before]) < 0.01


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [(100, 140, False), (100, 150, True), (0, 8, False), (0, 9, True)],
)
def test_two_counts_differ_beyond_three_standard_deviations(
    before: float, after: float, wanted: bool
) -> None:
    assert by_counts(before, after) is wanted


@pytest.mark.parametrize(
    ("before", "after", "counts", "means", "wanted"),
    [
        ([100.0], [150.0], (100, 150), Means.SAMPLED, (True, "")),
        (
            [100.0],
            [120.0],
            (100, 120),
            Means.SAMPLED,
            (False, "100 and 120 samples: may be chance"),
        ),
        ([100.0], [101.0], (1, 1), Means.COUNTED, (True, "")),
        ([100.0], [400.0], (1, 1), Means.MEASURED, (False, "")),
        ([100.0], [400.0], (3, 3), Means.MEASURED, (True, "")),
        (
            [100.0],
            [110.0],
            (9, 9),
            Means.MEASURED,
            (False, "less than 25% in one run each: may be chance"),
        ),
        ([1.0, 9.0], [4.0], (90, 9), Means.SAMPLED, (False, "2 + 1 runs overlap: may be chance")),
        ([1.0, 2.0], [90.0], (2, 90), Means.SAMPLED, (True, "2 + 1 runs do not overlap")),
    ],
)
def test_few_runs_are_judged_by_how_their_weights_were_measured(
    before: list[float],
    after: list[float],
    counts: tuple[float, float],
    means: Means,
    wanted: tuple[bool, str],
) -> None:
    assert judged(before, after, counts, means) == wanted
