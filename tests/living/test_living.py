"""The store for real: built and run under JFR with the installed JDK, and diagnosed through the command line.

Few misconfigurations with a short load; ``living.score`` is for all of them.  Nothing here depends on how long a
run took.  Good runs take turns with the others, because a single one differs from the next by what else the machine does; where
it does so much that the runs made so far do not show the option, more are made of both sides, and all are
compared (``settled``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from living.run import (
    GOOD,
    MISCONFIGURATIONS,
    SAME,
    LivingError,
    Misconfiguration,
    Run,
    Way,
    build,
    read_runs,
    record,
    record_all,
    table,
)
from living.score import HIDDEN, accused, diagnose, files, placed

ROUNDS = 12
CHOSEN = {
    each.name: each for each in MISCONFIGURATIONS if each.name in ("backoff", "cache", "index")
}
"""What is slower on any machine: no disk, no second core is needed."""
PLAIN = ("backoff", "index")
"""Those that need no recorded value."""
IN_FILE = "index"
"""Set in the properties file as well."""


MOST = 8
"""Runs of a side at most."""


@attrs.define
class Store:
    """The built store in ``folder``, and the runs made of it."""

    folder: Path
    runs: list[Run]

    def files(self, name: str, way: Way) -> list[Path]:
        return files(self.folder, self.runs, name, way)

    def again(self, name: str, way: Way) -> None:
        """Make one more run of a side."""
        number = len(self.files(name, way)) + 1
        wrong = CHOSEN.get(name)
        run, _ = record(self.folder, wrong, way, name=name, number=number, rounds=ROUNDS)
        self.runs.append(run)

    def settled(self, name: str, way: Way, fits: Callable[[Any], object], *more: str) -> Any:
        """Diagnose a side against the good one, with more runs of both until the result fits, and return it."""
        while True:
            found = diagnose(self.files(GOOD, way), self.files(name, way), *more)
            if fits(found) or len(self.files(name, way)) >= MOST:
                return found
            self.again(GOOD, way)
            self.again(name, way)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("living")
    build(folder)
    plan: list[tuple[str, Misconfiguration | None, Way, int]] = []
    for number, (name, wrong) in enumerate(CHOSEN.items(), 1):
        plan += [(GOOD, None, Way.PROPERTY, number), (name, wrong, Way.PROPERTY, 1)]
        plan += [(SAME, None, Way.PROPERTY, number)]
    plan += [(GOOD, None, Way.FILE, 1), (IN_FILE, CHOSEN[IN_FILE], Way.FILE, 1)]
    done = [
        record(folder, wrong, way, name=name, number=number, rounds=ROUNDS)
        for name, wrong, way, number in plan
    ]
    assert len({answer for _, answer in done}) == 1
    return Store(folder, [run for run, _ in done])


@pytest.mark.parametrize("name", CHOSEN)
def test_the_option_is_named_from_recordings_with_values(store: Store, name: str) -> None:
    wrong = CHOSEN[name]
    found = store.settled(name, Way.PROPERTY, lambda one: first(one, wrong))
    assert first(found, wrong), placed(found, wrong.option)
    option = found["options"][0]
    assert (option["before"], option["after"]) == (wrong.good, wrong.bad)
    assert option["chains"]


@pytest.mark.parametrize("name", PLAIN)
def test_the_option_is_named_by_the_cost_of_the_runs_alone(store: Store, name: str) -> None:
    wrong = CHOSEN[name]
    found = store.settled(name, Way.PROPERTY, lambda one: near(one, wrong), HIDDEN)
    assert near(found, wrong), placed(found, wrong.option)


def test_the_option_is_named_when_a_file_sets_it(store: Store) -> None:
    wrong = CHOSEN[IN_FILE]
    found = store.settled(IN_FILE, Way.FILE, lambda one: near(one, wrong))
    assert near(found, wrong), placed(found, wrong.option)


@pytest.mark.parametrize("more", [(), (HIDDEN,)])
def test_without_a_change_there_is_no_cause(store: Store, more: tuple[str, ...]) -> None:
    found = store.settled(SAME, Way.PROPERTY, lambda one: not accused(one), *more)
    assert accused(found) == []


def test_all_runs_are_listed_with_their_settings(tmp_path: Path) -> None:
    wrong = CHOSEN["cache"]
    runs = record_all(tmp_path, (wrong,), (Way.FILE,), repeat=1, rounds=1)
    assert read_runs(tmp_path) == runs
    assert [(run.name, run.option, run.good, run.bad) for run in runs] == [
        (GOOD, "", "", ""),
        ("cache", wrong.option, wrong.good, wrong.bad),
        (SAME, "", "", ""),
    ]
    assert all((tmp_path / run.file).stat().st_size > 0 for run in runs)


def test_runs_without_extra_cost_are_marked() -> None:
    seconds = {GOOD: 10.0, "slow": 11.6, "quick": 11.0, SAME: 10.5}
    options = {"slow": "a", "quick": "b"}
    runs = [
        Run(name, Way.FILE, 1, "", options.get(name, ""), "", "", took, took)
        for name, took in seconds.items()
    ]
    marked = [line.split()[0] for line in table(runs).splitlines() if "NOT SLOWER" in line]
    assert marked == ["quick"]


def test_a_failing_run_reports_its_reason(tmp_path: Path) -> None:
    build(tmp_path)
    wrong = Misconfiguration("wrong", "store.compression.level", "3", "30")
    with pytest.raises(LivingError, match="compression level 30"):
        record(tmp_path, wrong, rounds=1)


def first(diagnosis: Any, wrong: Misconfiguration) -> bool:
    place = placed(diagnosis, wrong.option)
    return place.likely and place.rank == 1


def near(diagnosis: Any, wrong: Misconfiguration) -> bool:
    place = placed(diagnosis, wrong.option)
    return place.likely and 1 <= place.rank <= 3
