"""Many rows about the fields of one type: each is compared with the fields that its pattern may mean."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, cast

import pytest

from conflens.options.declared import workspace_rows

NAMES = ("maxSize", "minSize", "max", "size", "a", "maxSizeTotal", "é", "bSize")


def table(names: tuple[str, ...]) -> Any:
    return workspace_rows._Fields(cast("Any", {name: name for name in names}))


@pytest.mark.parametrize(
    "glob",
    ["*", "max*", "*Size", "m*Size", "max", "none", "?", "[ab]*", "*i*", "max*Size", "é", ""],
)
def test_a_pattern_finds_its_fields_in_the_order_of_the_code(glob: str) -> None:
    assert table(NAMES).named(glob) == [name for name in NAMES if fnmatchcase(name, glob)]


def test_a_pattern_is_compared_with_the_fields_that_begin_or_end_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    def counted(name: str, glob: str) -> bool:
        nonlocal compared
        compared += 1
        return fnmatchcase(name, glob)

    monkeypatch.setattr(workspace_rows, "fits", counted)
    fields = table(tuple(f"K{number}x{number}" for number in range(1000)))
    for number in range(3000):
        assert not fields.named(f"Z{number}*")
        assert not fields.named(f"*z{number}")
    assert fields.named("K7x*") == ["K7x7"]
    assert compared < 10
