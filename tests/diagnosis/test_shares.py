"""What lies under members and options: shares of the violation."""

from __future__ import annotations

import pytest

from conflens.profiling.model import EventKind
from diagnosis.notation import Told, told

JAVA = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static int rounds = Integer.getInteger("rounds", 3);
  public static void main(String[] args) {
    put(); // @put
    if (sync) {
      for (int i = 0; i < rounds; i++) {
        flush(); // @flush
      }
    }
  }
  static void put() {}
  static void flush() {
    store(1); // @store
  }
  static void store(int depth) {
    if (depth < 9) {
      store(depth + 1); // @again
    }
    write(); // @write
  }
  static void write() {}
}
"""
PROFILE = """
    cpu
    Main.main@put                                                                     10
    Main.main@put; Main.put                                                           30
    Main.main@flush; Main.flush@store; Main.store@write; Main.write                   20
    Main.main@flush; Main.flush@store; Main.store@again; Main.store@write; Main.write  40
    """


def of(found: Told, name: str) -> tuple[float, float]:
    """Own and whole share of a method."""
    for ref, rows in found.diagnosis.heat.items():
        if ref.owner == "Main" and found_name(found, ref.number) == name:
            return round(rows[0].own, 3), round(rows[0].whole, 3)
    return 0.0, 0.0


def found_name(_: Told, number: int) -> str:
    return ["sync", "rounds", "main", "put", "flush", "store", "write"][number]


def test_own_shares_add_up_and_recursion_counts_once() -> None:
    found = told(JAVA, PROFILE)
    assert of(found, "main") == (0.1, 1.0)
    assert of(found, "put") == (0.3, 0.3)
    assert of(found, "flush") == (0.0, 0.6)
    assert of(found, "store") == (0.0, 0.6)
    assert of(found, "write") == (0.6, 0.6)
    whole = sum(rows[0].own for rows in found.diagnosis.heat.values())
    assert whole == pytest.approx(1)


def test_lines_include_their_callees_once() -> None:
    found = told(JAVA, PROFILE)
    lines = {
        line: round(part, 3)
        for rows in found.diagnosis.heat.values()
        for line, part in rows[0].lines.items()
    }
    marks = {line.partition("@")[2]: at for at, line in enumerate(JAVA.splitlines(), 1)}
    assert lines[marks["put"]] == 0.4
    assert lines[marks["flush"]] == 0.6
    assert lines[marks["store"]] == 0.6
    assert lines[marks["again"]] == 0.4
    assert lines[marks["write"]] == 0.2


def test_untrusted_files_have_no_lines() -> None:
    """A file written after the runs, of which nothing else says that it is the same."""
    moved = JAVA.replace("\nclass Main {", "\n\n\n\nclass Main {")
    profile = """
        cpu
        Main.main@put; Main.put                  30
        Main.main@flush; Main.flush              30
        """
    fresh = told(JAVA, profile)
    assert any(rows[0].lines for rows in fresh.diagnosis.heat.values())
    for java, modified in ((JAVA, None), (JAVA, 9_000.0), (moved, 9_000.0)):
        old = told(java, profile.replace("@flush", ""), modified=modified)
        assert all(not rows[0].lines for rows in old.diagnosis.heat.values())


def test_each_chain_counts_once_under_an_option_at_the_nearest_influence_point() -> None:
    """``sync`` governs the loop of ``rounds``; both have all of ``flush``, none has ``put``."""
    found = told(JAVA, PROFILE)
    assert found.under("sync") == {"branch": 0.6}
    assert found.under("rounds") == {"loop": 0.6}


def test_shares_overlap_between_options_and_add_up_within_one() -> None:
    java = """
class Main {
  static int jobs = Integer.getInteger("jobs", 3);
  public static void main(String[] args) {
    for (int i = 0; i < jobs; i++) {
      run();
    }
  }
  static void run() {
    one();
    if (jobs > 4) {
      two();
    }
  }
  static void one() {}
  static void two() {}
}
"""
    found = told(
        java,
        """
        cpu
        Main.main                          100
        Main.main; Main.run; Main.one      500
        Main.main; Main.run; Main.two      400
        """,
    )
    parts = found.under("jobs")
    # Without lines nobody knows which part of main's own work is the loop's: as much as not is left to it.
    assert parts["branch"] == pytest.approx(0.4)
    assert 0.5 <= parts["loop"] <= 0.6
    assert sum(parts.values()) <= 1


def test_with_a_baseline_shares_are_of_the_slow_run() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main@put; Main.put              300 -> 300
        Main.main@flush; Main.flush          100 -> 700
        """,
    )
    assert of(found, "flush") == (0.7, 0.7)
    row = next(rows[0] for rows in found.diagnosis.heat.values() if rows[0].own == 0.7)
    assert (row.before, row.variation) == (0.25, 1.5)
    assert found.under("sync") == {"branch": 0.7}


def test_kinds_are_kept_separate() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.put                            100
        allocation bytes
        Main.main; Main.flush; {byte[]}          1000000/100
        """,
    )
    kinds = {
        found_name(found, ref.number): {row.kind: row.own for row in rows}
        for ref, rows in found.diagnosis.heat.items()
    }
    assert kinds["put"] == {EventKind.CPU: 1.0}
    assert kinds["flush"] == {EventKind.ALLOCATION: 1.0}
    (under,) = found.diagnosis.under["system-property", "sync"]
    assert (under.kind, under.share) == (EventKind.ALLOCATION, 1.0)


def test_library_work_called_by_a_method_is_its_own_share() -> None:
    found = told(
        JAVA,
        """
        cpu
        Main.main; Main.flush; java.util.zip.Deflater.deflate; ~deflate     60
        Main.main; Main.put                                                 40
        """,
    )
    assert of(found, "flush") == (0.6, 0.6)
