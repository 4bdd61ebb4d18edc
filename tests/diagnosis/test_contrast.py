"""Where two runs begin to differ: of many holds on a chain only that one counts whose surroundings did not grow."""

from __future__ import annotations

import pytest

from diagnosis.notation import told

SERVER = """
class Main {
  static int requests = Integer.getInteger("requests", 10);
  static boolean sync = Boolean.getBoolean("sync");
  static boolean zip = Boolean.getBoolean("zip");
  public static void main(String[] args) {
    boot();
    for (int i = 0; i < requests; i++) {
      serve();
    }
  }
  static void boot() {}
  static void serve() {
    parse();
    if (sync) {
      save();
    }
  }
  static void parse() {}
  static void save() {
    write();
    if (zip) {
      pack();
    }
  }
  static void write() {}
  static void pack() {}
}
"""
SAVE = "Main.main; Main.serve; Main.save"


def test_uniform_growth_has_no_cause() -> None:
    """A slower machine, or a longer run of the same."""
    found = told(
        SERVER,
        f"""
        cpu
        Main.main; Main.boot                  100 -> 300
        Main.main; Main.serve; Main.parse     300 -> 900
        {SAVE}; Main.write                    300 -> 900
        {SAVE}; Main.pack                     300 -> 900
        """,
        seconds=(60, 180),
    )
    assert found.diagnosis.violated
    assert "sync" not in found.likely
    assert "zip" not in found.likely


def test_the_enclosing_loop_is_the_cause_not_the_conditions_inside_it() -> None:
    found = told(
        SERVER,
        f"""
        cpu
        Main.main; Main.boot                  300 -> 300
        Main.main; Main.serve; Main.parse     200 -> 1000
        {SAVE}; Main.write                    200 -> 1000
        {SAVE}; Main.pack                     200 -> 1000
        """,
    )
    assert found.order == ["likely requests"]


def test_a_light_sibling_of_a_loop_hides_part_of_the_uniform_growth() -> None:
    """known-gap: all grew alike, but what lies beside the loop is so light that what is added to both sides of a
    ratio hides its growth, and a part is laid on the loop."""
    found = told(
        SERVER,
        f"""
        cpu
        Main.main; Main.boot                  5 -> 15
        Main.main; Main.serve; Main.parse     300 -> 900
        {SAVE}; Main.write                    300 -> 900
        {SAVE}; Main.pack                     300 -> 900
        """,
    )
    assert found.likely == ["requests"]
    assert found.explained("requests") < 0.3


def test_one_arm_replacing_the_other_is_attributed_to_their_condition() -> None:
    java = """
class Main {
  static boolean safe = Boolean.getBoolean("safe");
  public static void main(String[] args) {
    base();
    if (safe) {
      flush();
    } else {
      skip();
    }
  }
  static void base() {}
  static void flush() {}
  static void skip() {}
}
"""
    found = told(
        java,
        """
        cpu
        Main.main; Main.base      400 -> 400
        Main.main; Main.skip      100 -> -
        Main.main; Main.flush       - -> 900
        """,
    )
    assert found.likely == ["safe"]
    assert found.explained("safe") > 0.9


@pytest.mark.parametrize(
    ("parse", "write", "pack", "first"),
    [
        ("200", "200", "1000", "zip"),
        ("200", "1000", "1000", "sync"),
        ("1000", "1000", "1000", "requests"),
    ],
)
def test_the_deepest_influence_point_below_which_everything_grew_wins(
    parse: str, write: str, pack: str, first: str
) -> None:
    found = told(
        SERVER,
        f"""
        cpu
        Main.main; Main.boot                  300 -> 300
        Main.main; Main.serve; Main.parse     200 -> {parse}
        {SAVE}; Main.write                    200 -> {write}
        {SAVE}; Main.pack                     200 -> {pack}
        """,
    )
    assert found.likely[:1] == [first]
    assert found.explained(first) > 0.7
    assert sum(found.explained(name) for name in ("requests", "sync", "zip")) <= 1 + 1e-9


def test_invocation_counts_take_precedence_over_weights() -> None:
    """``pack`` became slower by itself: it was called as often as before, so no condition is behind it."""
    rows = """
        cpu ms counted
        Main.main                                                           10/1 -> 10/1
        Main.main; Main.serve                                               50/50 -> 50/50
        Main.main; Main.serve; Main.save                                    50/50 -> 50/50
        Main.main; Main.serve; Main.save; Main.pack                         100/50 -> 900/{}
        """
    assert told(SERVER, rows.format(50)).likely == []
    slower = told(SERVER, rows.format(450))
    assert slower.likely == ["zip"]


ONE_SIDED = {
    "counted": """
        cpu ms counted
        Main.main                                                   2/1 -> 2/1
        Main.main; Main.boot                                       200/1 -> 400/1
        Main.main; Main.serve                                    50/50 -> 50/50
        Main.main; Main.serve; Main.save                         50/50 -> 50/50
        Main.main; Main.serve; Main.save; Main.pack                  - -> 5/50
        """,
    "sampled": """
        cpu
        Main.main; Main.boot                                       500 -> 1000
        Main.main; Main.serve; Main.parse                          500 -> 500
        Main.main; Main.serve; Main.save; Main.write               100 -> 100
        Main.main; Main.serve; Main.save; Main.pack                  - -> 15
        """,
}


@pytest.mark.parametrize("means", ONE_SIDED)
def test_a_branch_that_runs_on_one_side_only_differs_even_if_it_is_cheap(
    means: str,
) -> None:
    found = told(SERVER, ONE_SIDED[means])
    assert found.order == ["differs zip"]
    shown = found.suspect("zip")
    assert shown is not None
    assert shown.reason == ("Its branch that calls pack runs only in the slow run.")


@pytest.mark.parametrize("means", ONE_SIDED)
def test_a_branch_that_runs_on_both_sides_does_not_differ(means: str) -> None:
    rows = ONE_SIDED[means].replace("- -> 5/50", "5/50 -> 5/50").replace("- -> 15", "15 -> 15")
    assert told(SERVER, rows).order == []


def test_a_method_below_the_cutoff_of_a_top_list_may_have_run_on_both_sides() -> None:
    assert told(SERVER, ONE_SIDED["counted"].replace("- -> 5/50", "- -> 2/50")).order == []


def test_a_few_samples_on_one_side_are_chance() -> None:
    assert told(SERVER, ONE_SIDED["sampled"].replace("- -> 15", "- -> 7")).order == []


DRAIN = """
class Main {
  static long pause = Long.getLong("pause", 10);
  static long idle = Long.getLong("idle", 10);
  static class Sweeper implements Runnable {
    public void run() {
      try {
        while (true) {
          Thread.sleep(idle);
        }
      } catch (InterruptedException e) {
      }
    }
  }
  public static void main(String[] args) throws Exception {
    new Thread(new Sweeper()).start();
    for (int i = 0; i < 100; i++) {
      work();
      retry();
    }
  }
  static void work() {}
  static void retry() throws Exception { Thread.sleep(pause); }
}
"""


def test_a_background_sleep_is_longer_in_a_longer_run() -> None:
    """Three times the run, three times the sleeps, each as long as before: nobody chose that."""
    found = told(
        DRAIN,
        """
        cpu ms
        Main.main; Main.work                                      9000/900 -> 27000/2700
        sleep ms
        [sweeper]; Main$Sweeper.run; java.lang.Thread.sleep       10000/100 -> 30000/300
        """,
        seconds=(10, 30),
    )
    assert "idle" not in found.likely
    assert found.explained("idle") < 0.05


def test_a_longer_sleep_is_attributed_to_the_option_that_sets_its_length() -> None:
    """The background sleeps as much more as the run is longer; each of its sleeps is as long as before."""
    found = told(
        DRAIN,
        """
        cpu ms
        Main.main; Main.work                                      9000/900 -> 9000/900
        sleep ms
        Main.main; Main.retry; java.lang.Thread.sleep             1000/100 -> 21000/100
        [sweeper]; Main$Sweeper.run; java.lang.Thread.sleep       10000/100 -> 30000/300
        """,
        seconds=(10, 30),
    )
    assert found.likely == ["pause"]
    assert found.cause("pause").effect == "each 21 times as long"
    assert found.explained("idle") < 0.05
