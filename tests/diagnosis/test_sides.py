"""What is compared: runs of both sides, scales, one side only, sides that know more than the other."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis.diagnose import DiagnosisSettings, diagnose
from conflens.diagnosis.results import Scale, Verdict
from conflens.profiling.model import EventKind
from diagnosis.notation import Told, snapshots, subject, told

JAVA = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static int pause = Integer.getInteger("pause", 3);
  public static void main(String[] args) throws Exception {
    put();
    if (sync) {
      flush();
    }
    Thread.sleep(pause);
  }
  static void put() {}
  static void flush() {}
}
"""


def flushed(before: str, after: str, put: str = "1000") -> str:
    return f"""
        cpu
        Main.main; Main.put       {put} -> {put}
        Main.main; Main.flush     {before} -> {after}
        """


# -- no change ---------------------------------------------------------------------------------


def test_runs_that_differ_only_by_chance_have_no_cause() -> None:
    found = told(JAVA, flushed("400", "421"))
    assert not found.diagnosis.violated
    assert found.likely == []


@pytest.mark.parametrize(("flush", "accused"), [("90", []), ("120", ["sync"])])
def test_an_option_that_explains_too_little_is_a_cause_only_if_its_value_differs(
    flush: str, accused: list[str]
) -> None:
    """Of runs that differ by chance some method near an option always differs as well."""
    profile = f"""
        cpu
        Main.main; Main.put       4000 -> 4000
        [else]; Main.other        100 -> 900
        Main.main; Main.flush     - -> {flush}
        """
    seconds = (50, 60)
    assert told(JAVA, profile, seconds=seconds).likely == accused
    known = told(JAVA, profile, before="-Dsync=false", after="-Dsync=true", seconds=seconds)
    assert known.likely == ["sync"]


@pytest.mark.parametrize(("flush", "violated"), [("600", False), ("800", True)])
def test_single_runs_must_differ_by_more_than_a_conservative_bound(
    flush: str, violated: bool
) -> None:
    """How much a run varies by itself, one run does not tell."""
    found = told(JAVA, flushed("400", flush), seconds=(100, 109))
    assert found.diagnosis.violated is violated
    assert found.order == ["likely sync" if violated else "possible sync"]


def test_recordings_of_equal_length_are_windows_and_their_weights_are_compared() -> None:
    assert told(JAVA, flushed("400", "1600"), seconds=(60, 60.1)).diagnosis.violated
    assert not told(JAVA, flushed("400", "410"), seconds=(60, 60.1)).diagnosis.violated


def test_a_cheaper_run_is_explained_in_the_same_way() -> None:
    found = told(JAVA, flushed("1600", "400"))
    assert found.likely == ["sync"]
    (hotspot, *_) = found.diagnosis.hotspots
    assert hotspot.change == pytest.approx(-0.75)


# -- repetitions -------------------------------------------------------------------------------


def test_repetitions_that_do_not_overlap_differ() -> None:
    found = told(JAVA, flushed("100 110 105", "300 320 310", "1000 1000 1000"))
    assert found.likely == ["sync"]
    assert found.diagnosis.hotspots[0].note == "p = 0.1 by 3 + 3 runs"


def test_repetitions_that_overlap_do_not_differ() -> None:
    found = told(JAVA, flushed("100 500 105", "300 320 400", "1000 1000 1000"))
    assert found.likely == []
    flush = next(one for one in found.diagnosis.hotspots if one.method.frame.method == "flush")
    assert not flush.significant
    assert flush.note.endswith("3 + 3 runs: may be chance")


def test_sides_of_unequal_size_are_compared_run_by_run() -> None:
    """Three runs against two that are alike: an average says so, and each run does."""
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 1010 990 -> 1005 995
        Main.main; Main.flush     400 410 390 -> 405 395
        """,
    )
    assert not found.diagnosis.violated
    assert [one for one in found.diagnosis.hotspots if one.significant] == []


def test_what_was_timed_only_in_the_slow_run_was_zero_before() -> None:
    """A recording has no event of what did not happen; that is no lack of runs."""
    rows = """
        cpu ms
        Main.main; Main.put                  {0} -> {0}
        sleep ms
        Main.main; java.lang.Thread.sleep    - -> {1}
        """
    for put, slept in (("900/90", "900/30"), ("900/90 900/90 900/90", "900/30 910/30 920/30")):
        before, after = snapshots(rows.format(put, slept), JAVA, seconds=(1, 2))
        before = [
            attrs.evolve(one, series=tuple(row for row in one.series if row.kind == "cpu"))
            for one in before
        ]
        found = Told(diagnose(subject(JAVA), before, after))
        assert found.likely == ["pause"]
        assert found.explained("pause") > 0.4


def test_a_run_without_waiting_counts_in_the_average() -> None:
    before, after = snapshots(
        """
        cpu
        Main.main; Main.put                  900 900 -> 900 900
        sleep ms
        Main.main; java.lang.Thread.sleep    100/10 100/10 -> 100/10 0/0
        """,
        JAVA,
    )
    after[1] = attrs.evolve(after[1], series=after[1].series[:1])
    found = Told(diagnose(subject(JAVA), before, after))
    (total,) = (one for one in found.diagnosis.totals if one.kind is EventKind.SLEEP)
    assert total.before == pytest.approx(2 * total.after)


# -- scales ------------------------------------------------------------------------------------


def test_by_time_a_load_of_twice_the_length_is_not_slower() -> None:
    profile = """
        cpu
        Main.main; Main.put       1000 -> 2000
        Main.main; Main.flush     400 -> 800
        """
    by_time = told(JAVA, profile, DiagnosisSettings(scale=Scale.TIME), seconds=(60, 120))
    assert not by_time.diagnosis.violated
    assert by_time.diagnosis.hotspots == ()
    assert told(JAVA, profile, seconds=(60, 120)).diagnosis.violated


def test_by_time_a_higher_cost_per_second_has_a_cause() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 -> 2000
        Main.main; Main.flush     400 -> 4000
        """,
        DiagnosisSettings(scale=Scale.TIME),
        seconds=(60, 120),
    )
    assert found.likely == ["sync"]
    (total,) = found.diagnosis.totals
    assert total.before == pytest.approx(1400 / 60)


def test_by_time_needs_the_duration_of_every_run() -> None:
    with pytest.raises(ValueError, match=r"^good1 does not tell how long it ran$"):
        told(JAVA, flushed("400", "1600"), DiagnosisSettings(scale=Scale.TIME), seconds=(0, 60))


def test_by_share_only_proportions_count() -> None:
    share = DiagnosisSettings(scale=Scale.SHARE)
    alike = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 -> 3000
        Main.main; Main.flush     400 -> 1200
        """,
        share,
        seconds=(10, 50),
    )
    assert not alike.diagnosis.violated
    assert alike.order == []
    other = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 -> 3000
        Main.main; Main.flush     400 -> 9000
        """,
        share,
        seconds=(10, 50),
    )
    assert other.diagnosis.violated
    assert other.likely == ["sync"]
    (total,) = other.diagnosis.totals
    assert [total.before, total.after] == pytest.approx([1, 1])


def test_by_share_kinds_have_equal_weight_whatever_their_units() -> None:
    """The share of sleeping in all sleeping moved as much as that of computing in all computing."""
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put                        1000 -> 1000
        Main.main; Main.flush                      1000 -> 3000
        sleep ms
        Main.main; java.lang.Thread.sleep          1000/100 -> 3000/300
        [idle]; Main.main; Main.put; java.lang.Thread.sleep     1000/100 -> 1000/100
        """,
        DiagnosisSettings(scale=Scale.SHARE),
    )
    kinds = {one.kind for one in found.diagnosis.hotspots if one.significant}
    assert kinds == {EventKind.CPU, EventKind.SLEEP}
    assert found.explained("sync") == pytest.approx(found.explained("pause"), rel=0.1)


# -- one side ----------------------------------------------------------------------------------


def test_a_single_snapshot_shows_only_possible_causes() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       400
        Main.main; Main.flush     600
        """,
    )
    diagnosis = found.diagnosis
    assert diagnosis.violated
    assert diagnosis.baseline == ()
    assert found.order == ["behind sync"]
    shown = found.suspect("sync")
    assert shown is not None
    assert shown.verdict is Verdict.BEHIND
    assert shown.reason == "60 % of CPU time, 600 of 1,000 samples, ran under it."
    (first, second) = diagnosis.hotspots
    assert first.method.frame.method == "flush"
    assert first.share == pytest.approx(0.6)
    assert (first.before, first.variation, first.change) == (None, None, None)
    assert second.method.frame.method == "put"


def test_recorded_values_of_a_single_snapshot_name_no_cause() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       400
        Main.main; Main.flush     600
        """,
        after="-Dsync=true",
    )
    assert found.order == ["behind sync"]
    assert found.diagnosis.differences == ()


# -- sides that know less than the other -------------------------------------------------------


def test_a_baseline_without_chains_is_distributed_over_those_of_the_slow_run() -> None:
    """A table of hot spots as baseline, a call tree as violation."""
    found = told(
        JAVA,
        """
        cpu ms counted flat
        Main.main                 10/1 -> 10/1
        Main.main; Main.put       500/10 -> 500/10
        Main.main; Main.flush     100/10 -> 900/90
        """,
    )
    assert found.likely == ["sync"]
    (total,) = found.diagnosis.totals
    assert (total.before, total.after) == (610e6, 1410e6)


def test_a_slow_run_without_chains_is_distributed_over_those_of_the_baseline() -> None:
    found = told(
        JAVA,
        """
        cpu flatter
        Main.main; Main.put       500 -> 500
        Main.main; Main.flush     100 -> 900
        """,
    )
    assert found.likely == ["sync"]
    assert found.explained("sync") > 0.9


def test_two_sides_without_chains_show_only_which_methods_changed() -> None:
    found = told(
        JAVA,
        """
        cpu flat flatter
        Main.main; Main.put       500 -> 500
        Main.main; Main.flush     100 -> 900
        """,
    )
    assert found.order == []
    assert [one.method.frame.method for one in found.diagnosis.hotspots] == ["flush"]
    assert found.diagnosis.unexplained == 1.0


def test_runs_of_a_baseline_without_chains_keep_their_recorded_variance() -> None:
    """Two chains of one method, unequal in the violation: the run's weight is theirs together."""
    java = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) { one(); if (sync) { two(); } }
  static void one() { work(); }
  static void two() { work(); }
  static void work() {}
}
"""
    found = told(
        java,
        """
        cpu flat
        Main.main; Main.one; Main.work     300 300 300 -> 200 200 200
        Main.main; Main.two; Main.work       - -> 100 100 100
        """,
    )
    assert not found.diagnosis.violated
    assert [one for one in found.diagnosis.hotspots if one.significant] == []


def test_a_method_missing_from_the_slow_run_is_gone() -> None:
    found = told(
        JAVA,
        """
        cpu flat
        Main.main; Main.put       500 -> 500
        Main.main; Main.flush     500 -> -
        """,
    )
    gone = next(one for one in found.diagnosis.hotspots if one.method.frame.method == "flush")
    assert (gone.before, gone.after, gone.change) == (500, 0, -1)


def test_a_comparison_includes_its_baseline() -> None:
    """JProfiler's comparison of two runs is one file."""
    before, (after,) = snapshots(flushed("-", "700"), JAVA)
    both = attrs.evolve(after, before=before[0].series)
    found = Told(diagnose(subject(JAVA), [], [both]))
    assert found.likely == ["sync"]
    assert found.diagnosis.baseline == ()
    assert found.diagnosis.totals[0].before == 1000
    same = attrs.evolve(after, before=after.series)
    assert Told(diagnose(subject(JAVA), [], [same])).order == []


def test_a_chosen_baseline_takes_precedence_over_the_one_in_the_file() -> None:
    before, (after,) = snapshots(flushed("-", "700"), JAVA)
    both = attrs.evolve(after, before=after.series)
    assert Told(diagnose(subject(JAVA), before, [both])).likely == ["sync"]


def test_a_kind_sampled_on_one_side_only_is_shown_and_not_compared() -> None:
    """That no allocations were recorded does not mean that there were none."""
    before, after = snapshots(
        """
        cpu
        Main.main; Main.put       500 -> 1000
        allocation bytes
        Main.main; Main.flush; {byte[]}     - -> 5000000/500
        """,
        JAVA,
    )
    before = [attrs.evolve(one, series=one.series[:1]) for one in before]
    found = Told(diagnose(subject(JAVA), before, after))
    assert found.explained("sync") == 0
    assert {one.kind for one in found.diagnosis.hotspots} == {EventKind.CPU}
    totals = {one.kind: one for one in found.diagnosis.totals}
    assert totals[EventKind.ALLOCATION].before is None
    assert totals[EventKind.ALLOCATION].after == 5000000
    assert any("allocation" in note for note in found.diagnosis.notes)


def test_sides_without_a_kind_in_common_cannot_be_compared() -> None:
    before, after = snapshots(
        """
        cpu
        Main.main; Main.put       500 -> 1000
        allocation bytes
        Main.main; Main.put       500 -> 1000
        """,
        JAVA,
    )
    before = [attrs.evolve(one, series=one.series[:1]) for one in before]
    after = [attrs.evolve(one, series=one.series[1:]) for one in after]
    wanted = (
        r"^no kind of event is in both sides: cpu in the baseline, allocation in the slow run$"
    )
    with pytest.raises(ValueError, match=wanted):
        diagnose(subject(JAVA), before, after)


def test_in_a_single_snapshot_options_follow_whose_chains_explain_little_but_that_decide_over_work() -> (
    None
):
    found = told(JAVA, "cpu\nMain.main; Main.put   940\nMain.main; Main.flush   60")
    assert found.order == ["behind sync"]
    assert (
        found.diagnosis.suspects[0].reason == "6 % of CPU time, 60 of 1,000 samples, ran under it."
    )
    assert told(JAVA, "cpu\nMain.main; Main.put   960\nMain.main; Main.flush   40").order == []
