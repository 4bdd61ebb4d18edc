"""Generated pages are those that are committed."""

from __future__ import annotations

import attrs
import pytest

from conflens.models.load import load_models
from reference import pages
from reference.operations import operations_page
from reference.pages import HOUSE, PAGES


@pytest.mark.parametrize("path", PAGES)
def test_a_page_equals_its_generated_text(path: str) -> None:
    text = (HOUSE / path).read_text(encoding="utf-8")
    assert text == PAGES[path](), f"{path} is out of date: run `make reference`"


def test_a_new_row_changes_the_page() -> None:
    models = load_models()
    first = attrs.evolve(models.reads[0], method="somethingNew")
    more = attrs.evolve(models, reads=(first, *models.reads))
    assert "somethingNew" in pages.models_page(more)


def test_a_new_operation_appears_in_the_table_of_its_kind() -> None:
    models = load_models()
    first = next(row for row in models.operations if row.kind == "lock")
    more = (attrs.evolve(first, method="somethingNew"), *models.operations)
    page = operations_page(attrs.evolve(models, operations=more))
    locks = page.partition("## Lock")[2].partition("\n## ")[0]
    assert "somethingNew" in locks
    assert page.count("somethingNew") == 1


def test_every_operation_is_in_the_catalogue() -> None:
    page = operations_page()
    for row in load_models().operations:
        assert f"| {row.type} | " in page
        name = "new" if row.method == "<init>" else row.method
        assert name in page
