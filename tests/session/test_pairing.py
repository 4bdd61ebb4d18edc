"""Two runs that nobody has given a role are compared at once; what a person has decided stays."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from conflens.session.snapshots.messages import Summary
from conflens.session.snapshots.pairing import pairing_of
from conflens.session.snapshots.snapshots import Snapshots
from conflens.session.snapshots.store import Entry, Origin, Role
from session.snapshot_support import added, profile

MAIN = "org/shop/Main.main"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without files, with a cache of its own."""
    monkeypatch.setenv("CONFLENS_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def roles(snapshots: Snapshots) -> dict[str, str | None]:
    return {row.name: row.role.value if row.role else None for row in snapshots.rows}


def two(root: Path, first: int = 9, second: int = 5) -> Snapshots:
    """Import a dear run, then a cheap one."""
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "first", first))
    added(snapshots, profile(root / "second", second))
    return snapshots


@pytest.mark.parametrize(
    ("costs", "slow"), [((9, 5), "first"), ((5, 9), "second"), ((5, 5), "second")]
)
def test_of_two_runs_the_cheaper_one_is_the_baseline(
    root: Path, costs: tuple[int, int], slow: str
) -> None:
    snapshots = two(root, *costs)
    fast = {"first": "second", "second": "first"}[slow]
    assert roles(snapshots) == {slow: "violation", fast: "baseline"}
    pairing = snapshots.pairing()
    assert pairing is not None
    assert (pairing.violation.name, pairing.baseline.name) == (slow, fast)


def test_the_message_names_what_was_compared_and_by_which_cost(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "first", 9))
    assert snapshots.pairing() is None
    before = snapshots.pairing()
    added(snapshots, profile(root / "second", 4))
    pairing = snapshots.pairing_since(before)
    assert pairing is not None
    assert pairing.text == (
        "Comparing first (slow run, 10 samples of CPU time) with second (baseline, 5 samples of CPU time)."
    )
    assert snapshots.pairing_since(pairing) is None


def test_further_runs_change_nothing(root: Path) -> None:
    snapshots = two(root)
    added(snapshots, profile(root / "third", 50))
    assert roles(snapshots) == {"first": "violation", "second": "baseline", "third": None}
    snapshots.take(snapshots.importing(profile(root / "fourth", 1)))
    assert roles(snapshots) == {
        "first": "violation",
        "second": "baseline",
        "third": None,
        "fourth": None,
    }


def test_swapped_roles_stay_swapped(root: Path) -> None:
    snapshots = two(root)
    (slow,), (fast,) = snapshots.of(Role.VIOLATION), snapshots.of(Role.BASELINE)
    snapshots.choose([slow.id], [fast.id])
    assert roles(snapshots) == {"first": "baseline", "second": "violation"}
    assert snapshots.pairing() is None
    restarted = Snapshots(str(root))
    restarted.load()
    assert restarted.pairing() is None
    restarted.drop(slow.id)
    added(restarted, profile(root / "third", 1))
    assert roles(restarted) == {"second": "violation", "third": None}


def test_a_restart_knows_that_no_role_was_chosen(root: Path) -> None:
    two(root)
    restarted = Snapshots(str(root))
    restarted.load()
    assert restarted.pairing() is not None


@pytest.mark.parametrize("role", [None, Role.BASELINE, Role.VIOLATION])
def test_an_explicit_role_does_not_depend_on_cost(root: Path, role: Role | None) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "first", 5), role)
    added(snapshots, profile(root / "second", 9))
    assert snapshots.pairing() is None
    assert roles(snapshots)["first"] == role


def test_a_changed_file_replaces_the_run_the_user_chose(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "first", 9))
    added(snapshots, profile(root / "second", 5), Role.VIOLATION)
    added(snapshots, profile(root / "second", 500))
    assert roles(snapshots) == {"first": None, "second": "violation"}
    assert snapshots.pairing() is None


def test_runs_of_two_programs_are_not_compared(root: Path) -> None:
    snapshots = Snapshots(str(root))
    added(snapshots, profile(root / "first", 9, MAIN))
    added(snapshots, profile(root / "second", 5, "org/other/Tool.main"))
    assert roles(snapshots) == {"first": "violation", "second": None}
    snapshots.drop(snapshots.of(Role.VIOLATION)[0].id)
    added(snapshots, profile(root / "third", 9, "org/other/Tool.main"))
    assert roles(snapshots) == {"second": "baseline", "third": "violation"}


def entry(name: str, **summary: object) -> Entry:
    plain = Summary("JFR", 0.0, 0.0, (("cpu", "nanoseconds", 1),), (), 0)
    origin = Origin(name.encode(), 1, 1)
    return Entry(name, name, origin, 0.0, msgspec.structs.replace(plain, **summary))


def kinds(**totals: int) -> tuple[tuple[str, str, int], ...]:
    return tuple((kind, "nanoseconds", total) for kind, total in totals.items())


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        # A run that is longer was slower, although it may compute less.
        (
            {"seconds": 10.0, "kinds": kinds(cpu=8 * 10**9)},
            {"seconds": 31.0, "kinds": kinds(cpu=6 * 10**9)},
            "Comparing other (slow run, 31 s) with one (baseline, 10 s).",
        ),
        # Windows of the same length are compared by what was computed in them.
        (
            {"seconds": 60.0, "kinds": kinds(sleep=1, cpu=8 * 10**9)},
            {"seconds": 61.0, "kinds": kinds(sleep=5, cpu=6 * 10**9)},
            "Comparing one (slow run, 8 s of CPU time) with other (baseline, 6 s of CPU time).",
        ),
        # Else by what both recorded.
        (
            {"kinds": kinds(cpu=9, sleep=2 * 10**9)},
            {"kinds": kinds(sleep=3 * 10**9)},
            "Comparing other (slow run, 3 s of time asleep) with one (baseline, 2 s of time asleep).",
        ),
        ({"kinds": kinds(cpu=9)}, {"kinds": kinds(sleep=3)}, None),
        ({"compares": True}, {}, None),
        # As recorded, whatever else has a ``main``.
        (
            {"started": ("app.jar",), "main_classes": ("A",)},
            {"started": ("app.jar",), "main_classes": ("B",)},
            "Comparing other (slow run, 1 ns of CPU time) with one (baseline, 1 ns of CPU time).",
        ),
        ({"started": ("app.jar",)}, {"started": ("tool.jar",)}, None),
    ],
)
def test_how_two_runs_relate(
    one: dict[str, object], other: dict[str, object], text: str | None
) -> None:
    sides = entry("one", **one), entry("other", **other)
    for pair in (sides, sides[::-1]):
        found = pairing_of(*pair)
        assert (found.text if found else None) == text
