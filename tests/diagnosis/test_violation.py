"""Whether the slow run costs more: each kind of cost by itself, with its noise."""

from __future__ import annotations

import attrs
import pytest

from conflens.diagnosis.diagnose import DiagnosisSettings, diagnose
from conflens.diagnosis.results import Cost, Scale
from conflens.diagnosis.summary import headline, remarks
from conflens.sensitivity.results import Label, SensitivityTable
from conflens.sensitivity.results import Verdict as Sensitivity
from diagnosis.notation import Told, snapshots, subject, told

JAVA = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static boolean copy = Boolean.getBoolean("copy");
  static int pause = Integer.getInteger("pause", 3);
  public static void main(String[] args) throws Exception {
    put();
    if (sync) {
      flush();
    }
    if (copy) {
      twice();
    }
    Thread.sleep(pause);
  }
  static void put() {}
  static void flush() {}
  static void twice() {}
}
"""
BUSY = (100.0, 130.0, 90.0), (125.0, 95.0, 140.0)
"""Lengths of three runs a side on a busy machine."""


def judged(found: Told) -> dict[str, Cost]:
    return {one.kind.value if one.kind else "length": one for one in found.diagnosis.costs}


def test_cpu_time_is_judged_although_the_lengths_of_the_runs_are_noise() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 1010 995 -> 1005 1000 990
        Main.main; Main.flush     - -> 300 310 305
        """,
        seconds=BUSY,
    )
    costs = judged(found)
    assert not costs["length"].significant
    assert costs["cpu"].significant
    assert costs["cpu"].change == pytest.approx(0.3, abs=0.01)
    assert costs["cpu"].runs == (3, 3)
    assert found.order == ["likely sync"]


def test_a_kind_that_is_not_told_apart_from_noise_makes_no_option_likely() -> None:
    """Allocation differs for sure, so that ``copy`` explains it; CPU time varies too much to say anything of ``sync``."""
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 1900 600 -> 1800 700 1300
        Main.main; Main.flush     100 110 105 -> 300 310 305
        allocation bytes
        Main.main; Main.put; {byte[]}     900000/90 901000/90 902000/90 -> 900000/90 903000/90 901000/90
        Main.main; Main.twice; {byte[]}     - -> 90000/9 91000/9 90000/9
        """,
        seconds=BUSY,
    )
    costs = judged(found)
    assert (costs["cpu"].significant, costs["allocation"].significant) == (False, True)
    assert found.likely == ["copy"]


def test_options_are_listed_as_possible_where_nothing_is_told_apart_from_noise() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put       1000 1900 600 -> 1800 700 1300
        Main.main; Main.flush     100 110 105 -> 300 310 305
        """,
    )
    assert not found.diagnosis.violated
    assert found.order == ["possible sync"]
    assert "Possible: sync" in headline(found.diagnosis)


def test_what_explains_the_work_is_named_although_others_waited_longer_for_the_network() -> None:
    """The client waits for each answer in the same process, and longer than the work takes by itself."""
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put                         1000 1010 995 -> 1005 1000 990
        Main.main; Main.flush                       - -> 200 210 205
        io ms
        Main.main; Main.put; java.net.Socket.read   100/10 110/11 100/10 -> 60000/90 61000/90 62000/90
        """,
    )
    assert found.likely == ["sync"]
    assert found.diagnosis.suspects[0].explained < 0.05


NOISY = """
cpu
Main.main; Main.put       1000 1900 600 -> 1800 1700 1300
Main.main; Main.flush     100 110 105 -> 300 310 305
"""


def test_the_only_recorded_difference_is_not_lost_to_noise() -> None:
    found = told(JAVA, NOISY, before="-Dsync=false", after="-Dsync=true")
    assert not found.diagnosis.violated
    assert found.likely == ["sync"]
    assert "No cost is told apart from noise." in found.diagnosis.suspects[0].reason
    text = headline(found.diagnosis)
    assert text.startswith("No cost differs by more than noise")
    assert "The only recorded difference: sync" in text


def test_a_recorded_difference_is_only_possible_where_nothing_became_more() -> None:
    profile = "cpu\nMain.main; Main.put     1000 1010 990 -> 1005 1000 1010"
    assert told(JAVA, profile, before="-Dsync=false", after="-Dsync=true").likely == []


def test_two_recorded_differences_are_possible_within_the_noise() -> None:
    found = told(JAVA, NOISY, before="-Dsync=false -Dcopy=false", after="-Dsync=true -Dcopy=true")
    assert found.likely == []


def test_three_equal_runs_that_agree_by_luck_do_not_make_a_small_change_certain() -> None:
    found = told(JAVA, "cpu\nMain.main; Main.put     1000 1001 1002 -> 1060 1061 1062")
    assert not judged(found)["cpu"].significant


def test_allocation_has_less_noise_than_computing() -> None:
    rows = "Main.main; Main.put     1000000/10 1001000/10 1002000/10 -> 1080000/10 1081000/10 1082000/10"
    assert judged(told(JAVA, f"allocation bytes\n{rows}"))["allocation"].significant


@pytest.mark.parametrize(
    ("kind", "after", "is_told"),
    [("cpu", "11900", False), ("cpu", "12500", True), ("allocation bytes", "11200", True)],
)
def test_one_run_against_one_has_a_bound_for_each_kind(
    kind: str, after: str, is_told: bool
) -> None:
    found = told(JAVA, f"{kind}\nMain.main; Main.put     10000 -> {after}")
    assert found.diagnosis.violated is is_told
    text = " ".join(remarks(found.diagnosis))
    assert "So few runs show only large differences" in text
    assert "--baseline good-*.jfr --violation bad-*.jfr" in text
    assert ("within the noise" in text) is not is_told


def test_few_samples_have_more_noise_than_the_bound() -> None:
    assert not told(JAVA, "cpu\nMain.main; Main.put     20 -> 30").diagnosis.violated


def test_sleep_that_is_longer_because_the_run_is_longer_is_no_cost() -> None:
    found = told(
        JAVA,
        """
        cpu ms
        Main.main; Main.put                  1000/100 -> 2000/200
        sleep ms
        Main.main; java.lang.Thread.sleep    1000/100 -> 2000/200
        """,
        seconds=(10, 20),
    )
    costs = judged(found)
    assert costs["cpu"].significant
    assert not costs["sleep"].significant


def test_twice_of_next_to_nothing_is_no_cost() -> None:
    found = told(
        JAVA,
        """
        cpu ms
        Main.main; Main.put                  10000/1000 -> 10000/1000
        io ms
        Main.main; Main.flush                100/10 -> 300/30
        """,
    )
    assert not judged(found)["io"].significant
    assert not found.diagnosis.violated


def test_an_option_behind_nearly_everything_is_not_possible() -> None:
    java = """
class Main {
  static boolean all = Boolean.getBoolean("all");
  static boolean some = Boolean.getBoolean("some");
  public static void main(String[] args) {
    if (all) {
      work();
    }
  }
  static void work() {
    put();
    if (some) {
      flush();
    }
  }
  static void put() {}
  static void flush() {}
}
"""
    found = told(
        java,
        """
        cpu
        Main.main; Main.work; Main.put       1000 -> 1001
        Main.main; Main.work; Main.flush     400 -> 421
        """,
    )
    assert found.order == ["possible some"]


def test_a_fall_is_judged_like_the_rise_to_it() -> None:
    rise = told(JAVA, "cpu\nMain.main; Main.put     10000 -> 12300")
    fall = told(JAVA, "cpu\nMain.main; Main.put     12300 -> 10000")
    assert rise.diagnosis.violated
    assert fall.diagnosis.violated


def test_shares_are_not_judged_by_kind() -> None:
    share = DiagnosisSettings(scale=Scale.SHARE)
    found = told(JAVA, "cpu\nMain.main; Main.put     1000 -> 3000", share)
    assert found.diagnosis.costs == ()


def test_the_processes_own_cpu_time_tells_more_than_samples_on_a_busy_machine() -> None:
    sides = snapshots(
        """
        cpu
        Main.main; Main.put       1000 1900 600 -> 1800 700 1300
        Main.main; Main.flush     100 110 105 -> 300 310 305
        """
    )
    known = (1.9, 2.3, 2.7), (3.5, 4.0, 4.6)
    told_of = [
        [
            attrs.evolve(one, computing=seconds, others=0.6)
            for one, seconds in zip(side, several, strict=True)
        ]
        for side, several in zip(sides, known, strict=True)
    ]
    found = Told(diagnose(subject(JAVA), *told_of))
    cpu = judged(found)["cpu"]
    assert cpu.significant
    assert cpu.change == pytest.approx(0.75, abs=0.01)
    assert found.order == ["likely sync"]
    text = " ".join(remarks(found.diagnosis))
    assert "Other processes used up to 60 % of the machine's processors" in text


def test_what_fell_is_no_cause_of_a_longer_run() -> None:
    java = JAVA.replace("static void flush() {}", "static synchronized void flush() {}")
    profile = """
        cpu ms
        Main.main; Main.put                  1000/100 1010/101 1005/100 -> 1000/100 1005/100 1010/101
        lock ms
        Main.main; Main.flush; Main.put      9000/90 9100/91 9050/90 -> 90/3 80/3 85/3
        """
    longer = told(java, profile, seconds=((10, 11, 12), (12, 13, 14)))
    assert longer.likely == []
    assert longer.order == ["possible sync"]
    values = {"before": "-Dsync=false", "after": "-Dsync=true"}
    recorded = told(java, profile, seconds=((10, 11, 12), (12, 13, 14)), **values)
    assert recorded.order == ["likely sync"]
    assert told(java, profile, seconds=((10, 11, 12), (10, 11, 12))).likely == ["sync"]


def test_a_slow_run_that_nothing_explains_lists_sensitive_options() -> None:
    sides = snapshots("cpu\nMain.main; Main.put     1000 -> 2000")
    plain = subject(JAVA)
    verdicts = {
        ("system-property", "copy"): Sensitivity(Label.SENSITIVE, 0.9),
        ("system-property", "sync"): Sensitivity(Label.SENSITIVE, 0.7),
        ("system-property", "pause"): Sensitivity(Label.INSENSITIVE, 0.2),
    }
    about = attrs.evolve(plain, sensitivity=SensitivityTable(verdicts))
    assert Told(diagnose(about, *sides)).order == ["possible copy", "possible sync"]
    assert Told(diagnose(plain, *sides)).order == []
    equal = snapshots("cpu\nMain.main; Main.put     1000 -> 1001")
    assert Told(diagnose(about, *equal)).order == []


def test_the_headline_names_no_wait_for_which_the_run_did_not_take_longer() -> None:
    """Another thread sleeps more beside the work: that is no reason of anything that a person felt."""
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put                          1000 1010 995 -> 1005 1000 990
        Main.main; Main.flush                        - -> 200 210 205
        sleep ms
        Main.main; java.lang.Thread.sleep            1000/10 1010/10 1000/10 -> 90000/90 91000/90 92000/90
        """,
        seconds=BUSY,
    )
    assert judged(found)["sleep"].significant
    assert "CPU time" in headline(found.diagnosis).partition(". ")[0]
