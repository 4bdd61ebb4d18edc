"""LearnConf's Table 6 and the properties in its text: the tables are valid, and as much as before is right."""

from __future__ import annotations

import pytest

from corpus import learnconf_properties
from corpus.flows.systems import named, opened


def test_the_tables_are_valid() -> None:
    bits = learnconf_properties.rows("learnconf_table6.csv")
    assert len(bits) == 19 and sum(row["LR"] == "1" for row in bits) == 8
    kinds = {row["property"] for row in learnconf_properties.rows("learnconf_properties.csv")}
    assert kinds == {"slope", "monotone"}


@pytest.mark.corpus
@pytest.mark.slow
def test_linear_relations_and_monotonicity_are_those_of_the_paper() -> None:
    systems = {
        system.name: opened(system, folder).analysis
        for system, folder in named((), learnconf_properties.SYSTEMS)
    }
    bits, found = learnconf_properties.scored(systems)
    assert sum(one.outcome == "right" for one in bits) >= 13
    assert [one for one in found if one.outcome == "wrong"] == []
    assert sum(one.outcome == "right" for one in found) >= 6
