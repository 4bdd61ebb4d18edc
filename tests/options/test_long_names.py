"""A name that is too long to be one is told of, with its place, instead of being passed over."""

from __future__ import annotations

import pytest

from conflens.options.discovery import discover
from options.bound_support import models, program


@pytest.mark.parametrize(
    ("parts", "reasons"), [(40, []), (60, ["name of more than 200 characters"])]
)
def test_a_name_that_is_too_long_is_told(parts: int, reasons: list[str]) -> None:
    name = " + ".join(f'"part{one % 10}"' for one in range(parts))
    table = discover(program(f"class A {{ int n = Integer.getInteger({name}); }}"), models()).table
    assert [one.reason for one in table.unresolved] == reasons
    assert len(table.options) == (not reasons)
