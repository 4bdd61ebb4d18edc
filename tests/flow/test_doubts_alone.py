"""A value that was chosen under a condition on the option has low confidence with any other doubt."""

from __future__ import annotations

import pytest

from conflens.flow.forms import Doubt, confidence, weak
from conflens.flow.results import Confidence


@pytest.mark.parametrize("other", [Doubt.SHARED, Doubt.CELL, Doubt.DISPATCH, Doubt.UNDESCRIBED])
def test_chosen_under_a_condition_and_another_doubt_is_low(other: int) -> None:
    assert confidence(Doubt.CARRIED) is Confidence.MEDIUM
    assert confidence(other) is Confidence.MEDIUM
    assert confidence(Doubt.CARRIED | other) is Confidence.LOW
    assert confidence(Doubt.DISPATCH | Doubt.CELL) is Confidence.MEDIUM


def test_a_field_of_objects_that_one_read_makes_for_several_options_is_low() -> None:
    assert confidence(Doubt.SHARED | Doubt.CELL) is Confidence.LOW
    assert not weak(Doubt.SHARED | Doubt.CELL)


def test_what_is_chosen_and_has_one_other_doubt_is_followed() -> None:
    assert not weak(Doubt.CARRIED | Doubt.CELL)
    assert weak(Doubt.CARRIED | Doubt.CELL | Doubt.DISPATCH)
    assert weak(Doubt.CARRIED | Doubt.LIBRARY)
