"""Many rows about the fields of one type: each is compared with the fields that its pattern may mean."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, cast

import pytest

from conflens.base.system import MemorySystem
from conflens.options.declared import workspace_rows
from session.support import living_and_fresh, session

NAMES = ("maxSize", "minSize", "max", "size", "a", "maxSizeTotal", "é", "bSize")


class Table:
    """Fields with some names."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.fields = workspace_rows._Fields(cast("Any", {name: name for name in names}))
        self.looks = workspace_rows._Looks()

    def named(self, glob: str) -> Any:
        return self.fields.named(glob, self.looks)


@pytest.mark.parametrize(
    "glob",
    ["*", "max*", "*Size", "m*Size", "max", "none", "?", "[ab]*", "*i*", "max*Size", "é", ""],
)
def test_a_pattern_finds_its_fields_in_the_order_of_the_code(glob: str) -> None:
    assert Table(NAMES).named(glob) == [name for name in NAMES if fnmatchcase(name, glob)]


def test_a_pattern_is_compared_with_the_fields_that_begin_or_end_like_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    def counted(name: str, glob: str) -> bool:
        nonlocal compared
        compared += 1
        return fnmatchcase(name, glob)

    monkeypatch.setattr(workspace_rows, "fits", counted)
    fields = Table(tuple(f"K{number}x{number}" for number in range(1000)))
    for number in range(3000):
        assert not fields.named(f"Z{number}*")
        assert not fields.named(f"*z{number}")
    assert fields.named("K7x*") == ["K7x7"]
    assert compared < 10


def files(rows: str) -> dict[str, str]:
    fields = "".join(f"int xa1y{number} = {number}; " for number in range(40))
    below = "".join(f"class B{number} extends A {{ }} " for number in range(40))
    code = f"class A {{ {fields} void set(int a) {{ }} }} {below}"
    return {"A.java": code, ".conflens.toml": rows}


FIELDS = "".join(
    f'[[read]]\nfield = "A.*a1y{number}"\nname = "f.{number}"\n' for number in range(40)
)
ALIKE = "".join(
    f'[[read]]\nfield = "A.*y{number}*"\nname = "f.{number}"\n' for number in range(40)
)
PARAMETERS = "".join(
    f'[[read]]\nparameter = "A.set(0)"\nname = "p.{number}"\n' for number in range(40)
)


@pytest.mark.parametrize("rows", [ALIKE, PARAMETERS])
def test_very_many_rows_are_compared_up_to_a_bound_and_that_is_said(
    rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = session(MemorySystem(files(rows))).scan()
    assert not whole.problems
    monkeypatch.setattr(workspace_rows, "MOST", 1_500)
    cut = session(MemorySystem(files(rows))).scan()
    assert [problem.message for problem in cut.problems] == [
        "the rows [[read]] of the workspace file are too many to be compared with all fields "
        "and parameters; only the first count."
    ]
    names = [option.name for option in whole.options.options]
    found = [option.name for option in cut.options.options]
    assert 0 < len(found) < len(names)
    assert set(found) < set(names)


def test_fewer_fields_are_compared_with_all_rows_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_rows, "MOST", 1_500)
    many, few = files(ALIKE), {"A.java": "class A { int xa1y1 = 1; }"}
    for living, fresh in living_and_fresh([many, few, {"A.java": many["A.java"]}]):
        assert living.problems == fresh.problems
        assert living.options == fresh.options


def test_many_rows_that_mean_one_field_each_are_no_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workspace_rows, "MOST", 40 * 150)
    analysis = session(MemorySystem(files(FIELDS))).scan()
    assert not analysis.problems
    assert len(analysis.options.options) == 40
