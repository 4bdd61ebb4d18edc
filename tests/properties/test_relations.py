"""Options that are parts of another one are not related to it."""

from __future__ import annotations

from conflens.properties.relations import is_inside


def test_an_element_stands_in_another_one() -> None:
    assert is_inside(("xml", "list/entry"), ("xml", "list"))
    assert not is_inside(("xml", "listing"), ("xml", "list"))
    assert not is_inside(("system-property", "list/entry"), ("system-property", "list"))
