"""What speaks against the snapshots themselves: of another project, of two programs, of two profilers."""

from __future__ import annotations

import attrs

from conflens.diagnosis.diagnose import diagnose
from conflens.profiling.model import EventKind, Origin, RunValue, Snapshot
from diagnosis.notation import snapshots, subject

JAVA = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) {
    if (sync) put();
  }
  static void put() {}
}
"""
ROWS = """
    cpu
    Main.main; Main.put       500 -> 1000
    """
FOREIGN = "No method of this project is in the snapshots: they seem to be of another one."


def of(program: str) -> tuple[RunValue, ...]:
    return (RunValue(Origin.ARGUMENT, "#0", program),)


def notes(before: list[Snapshot], after: list[Snapshot]) -> tuple[str, ...]:
    return diagnose(subject(JAVA), before, after).notes


def test_a_snapshot_without_project_methods_raises_a_doubt() -> None:
    before, after = snapshots("cpu\n org.other.App.main; org.other.App.run  500 -> 1000", JAVA)
    assert notes(before, after) == (FOREIGN,)
    before, after = snapshots(ROWS, JAVA)
    assert notes(before, after) == ()


def test_sides_that_started_different_programs_raise_a_doubt() -> None:
    (before,), (after,) = snapshots(ROWS, JAVA)
    one, same, other = (
        attrs.evolve(after, values=of(name))
        for name in ("/srv/old/app.jar", "C:\\new\\app.jar", "org.other.App")
    )
    told = "The sides started different programs: app.jar before, org.other.App now."
    assert notes([one], [other]) == (told,)
    assert notes([one], [same]) == ()
    assert notes([one], [same, other]) == ()
    assert notes([before], [other]) == ()


def test_what_another_profiler_did_not_time_is_not_zero() -> None:
    rows = """
        cpu ms
        Main.main; Main.put                  900/90 -> 900/90
        sleep ms
        Main.main; java.lang.Thread.sleep    500/90 -> 900/90
        """
    (before,), (after,) = snapshots(rows, JAVA)
    after = attrs.evolve(after, series=after.series[:1])
    same = diagnose(subject(JAVA), [before], [after])
    assert EventKind.SLEEP in {one.kind for one in same.hotspots}
    recorded = attrs.evolve(before, format="JFR")
    found = diagnose(subject(JAVA), [recorded], [after])
    assert EventKind.SLEEP not in {one.kind for one in found.hotspots}
    assert found.notes == ("Only one side has sleep events: they are not compared.",)
    printed = attrs.evolve(after, format="JFR as JSON")
    assert EventKind.SLEEP in {
        one.kind for one in diagnose(subject(JAVA), [recorded], [printed]).hotspots
    }
