"""How much ran under options on both sides, and what ran under none."""

from __future__ import annotations

import pytest

from conflens.diagnosis.evidence import part_of
from conflens.diagnosis.summary import headline, remarks
from conflens.profiling.model import EventKind
from diagnosis.notation import told

JAVA = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static int rounds = Integer.getInteger("rounds", 3);
  public static void main(String[] args) {
    put(); // @put
    if (sync) {
      flush(); // @flush
    }
    for (int i = 0; i < rounds; i++) {
      turn(); // @turn
    }
  }
  static void put() {}
  static void flush() {}
  static void turn() {}
}
"""


def test_what_ran_under_an_option_is_measured_on_both_sides() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main@put; Main.put         300 -> 350
        Main.main@flush; Main.flush     100 -> 900
        """,
    )
    (row,) = found.diagnosis.under["system-property", "sync"]
    assert (row.kind, row.before, row.share) == (EventKind.CPU, 0.25, pytest.approx(0.72))
    part = part_of(found.diagnosis, ("system-property", "sync"))
    assert part is not None
    assert (part.weight, part.whole) == (pytest.approx(800), pytest.approx(850))
    assert headline(found.diagnosis).endswith(
        "Likely cause: sync (94 % of the added CPU time, 800 of 850 samples)."
    )


def test_an_option_that_ran_in_the_baseline_only_is_known() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main@put; Main.put         300 -> 300
        Main.main@flush; Main.flush     900 -> -
        """,
    )
    (row,) = found.diagnosis.under["system-property", "sync"]
    assert (row.before, row.share) == (0.75, 0.0)
    assert "sync (all of the CPU time saved, 900 samples)" in headline(found.diagnosis)
    assert headline(found.diagnosis).startswith("The second run costs 75 % less CPU time")


def test_what_ran_under_no_likely_cause_is_told() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main@put; Main.put         300 -> 500
        Main.main@flush; Main.flush     - -> 600
        Main.main@turn; Main.turn       - -> 200
        """,
    )
    assert found.likely == ["sync", "rounds"]
    assert next(remarks(found.diagnosis)) == (
        "20 % of the added CPU time (200 of 1,000 samples) ran under no likely cause."
    )


def test_of_a_single_run_what_ran_under_no_option_is_told() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main@put; Main.put         400
        Main.main@flush; Main.flush     600
        """,
    )
    assert next(remarks(found.diagnosis)) == (
        "40 % of CPU time (400 of 1,000 samples) ran under no option."
    )
