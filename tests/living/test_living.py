"""The store for real: built and run under JFR with the installed JDK, and diagnosed through the command line.

Few misconfigurations with a short load; ``living.score`` is for all of them.  Nothing here depends on how long a
run took; three good runs of each side take turns with the others, because a single one differs from the next
by what else the machine does.
"""

from pathlib import Path

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


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Run]]:
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
    return folder, [run for run, _ in done]


@pytest.mark.parametrize("name", CHOSEN)
def test_the_option_is_named_from_recordings_with_values(
    recorded: tuple[Path, list[Run]], name: str
) -> None:
    found = diagnose(*sides(recorded, name, Way.PROPERTY))
    wrong: Misconfiguration = CHOSEN[name]
    place = placed(found, wrong.option)
    assert (place.rank, place.accused) == (1, True), place
    option = found["options"][0]
    assert (option["before"], option["after"]) == (wrong.good, wrong.bad)
    assert option["chains"]


@pytest.mark.parametrize("name", PLAIN)
def test_the_option_is_named_by_the_cost_of_the_runs_alone(
    recorded: tuple[Path, list[Run]], name: str
) -> None:
    found = diagnose(*sides(recorded, name, Way.PROPERTY), HIDDEN)
    place = placed(found, CHOSEN[name].option)
    assert 1 <= place.rank <= 3, place
    assert place.accused


def test_the_option_is_named_when_a_file_sets_it(recorded: tuple[Path, list[Run]]) -> None:
    found = diagnose(*sides(recorded, IN_FILE, Way.FILE))
    place = placed(found, CHOSEN[IN_FILE].option)
    assert 1 <= place.rank <= 3, place
    assert place.accused


def test_without_a_change_there_is_no_cause(recorded: tuple[Path, list[Run]]) -> None:
    assert accused(diagnose(*sides(recorded, SAME, Way.PROPERTY))) == []
    assert accused(diagnose(*sides(recorded, SAME, Way.PROPERTY), HIDDEN)) == []


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


def sides(recorded: tuple[Path, list[Run]], name: str, way: Way) -> tuple[list[Path], list[Path]]:
    folder, runs = recorded
    return files(folder, runs, GOOD, way), files(folder, runs, name, way)
