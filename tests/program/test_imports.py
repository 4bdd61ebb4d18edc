"""Imports by the last part of their name keep the order in which a file writes them."""

from conflens.facts.model import Import
from conflens.program.imports import imported


def test_a_static_member_may_be_of_star_imports_and_of_its_own_in_the_order_of_the_file() -> None:
    found = imported(
        [
            Import("a.First", True, True),
            Import("b.Second.max", True, False),
            Import("c.Third", True, True),
            Import("d.Fourth.max", True, False),
            Import("e.Fifth.min", True, False),
            Import("f.Types", False, True),
        ]
    )
    assert found.owners("max") == ["a.First", "b.Second", "c.Third", "d.Fourth"]
    assert found.owners("min") == ["a.First", "c.Third", "e.Fifth"]
    assert found.owners("sum") == ["a.First", "c.Third"]


def test_of_two_imports_that_end_alike_the_first_counts() -> None:
    found = imported([Import("a.Date", False, False), Import("b.Date", False, False)])
    assert found.types == {"Date": "a.Date"}
