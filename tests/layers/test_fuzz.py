"""What random tests have drawn is kept, and drawn again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fuzz
from fuzz import Kept


def test_a_failure_is_kept_by_its_arguments_or_by_its_seed() -> None:
    found = fuzz.of_failure("a.py::test", 7, {"text": "é\n", "number": -1})
    assert found == Kept("a.py::test", None, (("number", "-1"), ("text", "'é\\n'")))
    for unwritable in (object(), float("nan"), [object()]):
        assert fuzz.of_failure("a.py::test", 7, {"text": "", "x": unwritable}) == Kept(
            "a.py::test", 7
        )
    assert fuzz.of_failure("a.py::test", 7, {}) == Kept("a.py::test", 7)


def test_what_is_kept_is_read_as_it_was_written(tmp_path: Path) -> None:
    kept = [
        Kept("a.py::test", 7),
        Kept("a.py::test", None, (("x", "['é']"),)),
        Kept("a.py::test", 7),
    ]
    file = tmp_path / "kept.json"
    assert fuzz.loaded(file) == []
    fuzz.stored(kept, file)
    assert set(fuzz.loaded(file)) == set(kept)
    assert len(json.loads(file.read_text("utf-8"))) == 2


def test_the_last_failing_arguments_are_the_smallest() -> None:
    function = small()
    with fuzz.watched(function) as failed, pytest.raises(AssertionError):
        function()
    assert failed == {"number": 100}


def test_a_test_begins_with_what_is_kept() -> None:
    seen: list[int] = []
    function = small(seen, 10**9)
    fuzz.begin_with(function, [Kept("x", None, (("number", "123456"),)), Kept("x", 3)])
    function()
    assert seen[0] == 123456


def test_a_seed_is_drawn_from_again() -> None:
    runs: list[list[int]] = []
    for seed in (5, 6, 5, None, None):
        seen: list[int] = []
        function = small(seen, 10**9)
        fuzz.force(function, seed)
        function()
        runs.append(seen)
    assert runs[0] == runs[2] != runs[1]
    assert runs[3] == runs[4]


def test_what_is_kept_is_of_tests_that_exist() -> None:
    for one in fuzz.loaded():
        file, _, name = one.test.partition("::")
        assert f"def {name}(" in (fuzz.HERE.parent / file).read_text("utf-8"), one


def small(seen: list[int] | None = None, limit: int = 100) -> Any:
    """A test of Hypothesis that fails from a number on."""

    @given(number=st.integers(0, 10**6))
    def check(number: int) -> None:
        if seen is not None:
            seen.append(number)
        assert number < limit

    return check
