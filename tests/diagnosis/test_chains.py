"""Which options a chain leads to: each way to take hold of it, and beside it one that takes hold of nothing."""

from __future__ import annotations

import pytest

from conflens.flow.results import Dependency
from diagnosis.notation import told

BRANCH = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static boolean audit = Boolean.getBoolean("audit");
  public static void main(String[] args) { write(); }
  static void write() {
    put();
    if (sync) {
      flush();
    }
    if (audit) {
      check();
    }
  }
  static void put() {}
  static void flush() {}
  static void check() {}
}
"""


def test_code_that_runs_only_in_the_slow_run_is_attributed_to_its_condition() -> None:
    """A branch; ``audit`` governs work of the same method that did not change."""
    found = told(
        BRANCH,
        """
        cpu
        Main.main; Main.write; Main.put       500 -> 500
        Main.main; Main.write; Main.flush       - -> 400
        Main.main; Main.write; Main.check     200 -> 200
        """,
    )
    assert found.likely == ["sync"]
    assert found.explained("sync") > 0.9
    assert found.chain("sync") == "Main.main > *Main.write > Main.flush"
    cause = found.cause("sync")
    assert (cause.dependency, cause.effect) == (Dependency.BRANCH, "runs only in the slow run")
    assert found.order == ["likely sync"]


def test_work_outside_the_branch_is_not_attributed_to_it() -> None:
    found = told(
        BRANCH,
        """
        cpu
        Main.main; Main.write; Main.put       500 -> 900
        Main.main; Main.write; Main.flush     400 -> 400
        """,
    )
    assert found.order == []
    assert found.diagnosis.unexplained == 1.0


LOOP = """
class Main {
  static int rounds = Integer.getInteger("rounds", 3);
  static int size = Integer.getInteger("size", 3);
  public static void main(String[] args) {
    open();
    for (int i = 0; i < rounds; i++) {
      pack();
    }
  }
  static void open() {}
  static void pack() {
    for (int i = 0; i < size; i++) {
      one();
    }
    two();
  }
  static void one() {}
  static void two() {}
}
"""


def test_a_whole_loop_that_runs_more_often_is_attributed_to_its_bound() -> None:
    """The loop inside, whose surroundings grew as it did, has nothing to do with it."""
    found = told(
        LOOP,
        """
        cpu
        Main.main; Main.open               300 -> 300
        Main.main; Main.pack; Main.one     200 -> 1000
        Main.main; Main.pack; Main.two     200 -> 1000
        """,
    )
    assert found.likely == ["rounds"]
    assert found.explained("rounds") > 0.9
    assert found.cause("rounds").dependency is Dependency.LOOP
    assert found.cause("rounds").effect == "5.0 times as much as around it"
    assert found.suspect("size") is None


def test_if_only_the_inner_loop_grew_its_own_bound_is_the_cause() -> None:
    found = told(
        LOOP,
        """
        cpu
        Main.main; Main.open               300 -> 300
        Main.main; Main.pack; Main.one     200 -> 1000
        Main.main; Main.pack; Main.two     200 -> 200
        """,
    )
    assert found.likely == ["size"]
    assert found.explained("rounds") < 0.05


def test_a_loop_that_runs_less_often_is_attributed_to_its_bound_too() -> None:
    found = told(
        LOOP,
        """
        cpu
        Main.main; Main.open               300 -> 300
        Main.main; Main.pack; Main.one    1000 -> 200
        Main.main; Main.pack; Main.two    1000 -> 200
        """,
    )
    assert found.likely == ["rounds"]
    assert found.cause("rounds").effect == "0.20 times as much as around it"


DIRECT = """
class Main {
  static int millis = Integer.getInteger("millis", 3);
  static int other = Integer.getInteger("other", 3);
  public static void main(String[] args) throws Exception {
    read();
    Thread.sleep(millis);
    note(other);
  }
  static void read() {}
  static void note(int number) {}
}
"""


def test_a_cost_decided_by_an_argument_is_attributed_to_the_option_in_it() -> None:
    found = told(
        DIRECT,
        """
        cpu ms
        Main.main; Main.read                   900/90 -> 900/90
        sleep ms
        Main.main; java.lang.Thread.sleep      200/20 -> 2000/20
        """,
        seconds=(1.1, 2.9),
    )
    assert found.likely == ["millis"]
    cause = found.cause("millis")
    assert (cause.dependency, cause.effect) == (Dependency.DIRECT, "each 10 times as long")
    assert found.chain("millis") == "*Main.main > java.lang.Thread.sleep"


CHOSEN = """
class Main {
  interface Codec { void encode(); }
  static class Fast implements Codec { public void encode() { step(); } void step() {} }
  static class Slow implements Codec { public void encode() { step(); } void step() {} }
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) {
    Codec codec;
    if ("slow".equals(System.getProperty("codec"))) {
      codec = new Slow();
    } else {
      codec = new Fast();
    }
    load();
    codec.encode();
    if (sync) {
      flush();
    }
  }
  static void load() {}
  static void flush() {}
}
"""


def test_the_methods_of_a_chosen_object_are_attributed_to_the_option_that_chose_it() -> None:
    found = told(
        CHOSEN,
        """
        cpu
        Main.main; Main.load                           300 -> 300
        Main.main; Main.flush                          100 -> 100
        Main.main; Main$Fast.encode; Main$Fast.step    100 -> -
        Main.main; Main$Slow.encode; Main$Slow.step      - -> 900
        """,
    )
    assert found.likely == ["codec"]
    assert found.explained("codec") > 0.9
    assert found.explained("sync") == 0


def test_an_object_chosen_in_both_runs_is_no_cause_even_if_it_works_more() -> None:
    found = told(
        CHOSEN,
        """
        cpu
        Main.main; Main.load                           300 -> 300
        Main.main; Main$Slow.encode; Main$Slow.step    100 -> 900
        """,
    )
    assert found.likely == []


MADE = """
class Main {
  static class Filter { void apply() { work(); } void work() {} }
  static class Plan {
    Filter filter;
    Plan() {
      if (Boolean.getBoolean("filtered")) {
        filter = new Filter();
      }
    }
    void run() {
      base();
      Filter used = filter;
      if (used != null) {
        used.apply();
      }
    }
    void base() {}
  }
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) {
    if (sync) {
      flush();
    }
    new Plan().run();
  }
  static void flush() {}
}
"""


def test_a_method_runs_only_where_its_object_was_created() -> None:
    """No value flows from ``filtered`` to the call: that the object is there at all is the option's doing."""
    found = told(
        MADE,
        """
        cpu
        Main.main; Main$Plan.run; Main$Plan.base                        400 -> 400
        Main.main; Main.flush                                           100 -> 100
        Main.main; Main$Plan.run; Main$Filter.apply; Main$Filter.work     - -> 600
        """,
    )
    assert found.likely == ["filtered"]
    assert found.explained("filtered") > 0.6


def test_an_object_created_in_both_runs_is_no_cause_even_if_it_works_more() -> None:
    found = told(
        MADE,
        """
        cpu
        Main.main; Main$Plan.run; Main$Plan.base                        400 -> 400
        Main.main; Main$Plan.run; Main$Filter.apply; Main$Filter.work   200 -> 900
        """,
    )
    assert found.likely == []


RECURSION = """
class Main {
  static int depth = Integer.getInteger("depth", 3);
  public static void main(String[] args) { base(); walk(0); }
  static void base() {}
  static void walk(int at) {
    visit();
    if (at < depth) {
      walk(at + 1);
    }
  }
  static void visit() {}
}
"""


def test_a_deeper_recursion_is_attributed_to_its_stop_condition() -> None:
    walk = "Main.main; Main.walk; Main.walk"
    found = told(
        RECURSION,
        f"""
        cpu
        Main.main; Main.base                                   300 -> 300
        Main.main; Main.walk; Main.visit                       100 -> 100
        {walk}; Main.visit                                     100 -> 100
        {walk}; Main.walk; Main.visit                            - -> 100
        {walk}; Main.walk; Main.walk; Main.visit                 - -> 100
        """,
    )
    assert found.likely == ["depth"]
    assert found.under("depth") == {"branch": pytest.approx(3 / 7, abs=0.001)}


EARLY = """
class Main {
  static boolean cached = Boolean.getBoolean("cached");
  public static void main(String[] args) { base(); look(); }
  static Object look() {
    if (cached) {
      return null;
    }
    return load();
  }
  static Object load() { return null; }
  static void base() {}
}
"""


def test_code_after_an_early_return_is_under_its_condition() -> None:
    found = told(
        EARLY,
        """
        cpu
        Main.main; Main.base                100 -> 100
        Main.main; Main.look; Main.load     500 -> -
        """,
    )
    assert found.likely == ["cached"]
    assert found.cause("cached").effect == "runs only in the baseline"


LOCAL_NULL = """
class Main {
  public static void main(String[] args) {
    StringBuilder log = null;
    if (Boolean.getBoolean("logged")) {
      log = new StringBuilder();
    }
    base();
    if (log != null) {
      write(log);
    }
  }
  static void base() {}
  static void write(StringBuilder log) {}
}
"""


def test_a_test_of_a_local_set_in_one_arm_is_attributed_to_the_condition_of_the_arm() -> None:
    found = told(
        LOCAL_NULL,
        """
        cpu
        Main.main; Main.base     400 -> 400
        Main.main; Main.write      - -> 600
        """,
    )
    assert found.likely == ["logged"]
    assert (
        told(
            LOCAL_NULL,
            """
        cpu
        Main.main; Main.base     400 -> 900
        Main.main; Main.write    600 -> 600
        """,
        ).likely
        == []
    )


TWO_CAUSES = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  static int rounds = Integer.getInteger("rounds", 3);
  public static void main(String[] args) {
    base();
    if (sync) {
      flush();
    }
    for (int i = 0; i < rounds; i++) {
      pack();
    }
  }
  static void base() {}
  static void flush() {}
  static void pack() {}
}
"""


def test_two_hotspots_of_two_options_are_attributed_separately() -> None:
    """Each is in the surroundings of the other, which grew, too: a part stays unexplained."""
    found = told(
        TWO_CAUSES,
        """
        cpu
        Main.main; Main.base      400 -> 400
        Main.main; Main.flush     100 -> 400
        Main.main; Main.pack      100 -> 700
        """,
    )
    assert found.likely == ["rounds", "sync"]
    assert 0.4 < found.explained("rounds") < 2 / 3
    assert 0.1 < found.explained("sync") < 1 / 3


def test_a_method_called_from_two_places_is_attributed_to_the_caller_that_calls_it_more() -> None:
    java = """
class Main {
  static boolean left = Boolean.getBoolean("left");
  static boolean right = Boolean.getBoolean("right");
  public static void main(String[] args) { base(); one(); two(); }
  static void base() {}
  static void one() { if (left) { work(); } }
  static void two() { if (right) { work(); } }
  static void work() {}
}
"""
    found = told(
        java,
        """
        cpu
        Main.main; Main.base                400 -> 400
        Main.main; Main.one; Main.work      200 -> 200
        Main.main; Main.two; Main.work      200 -> 900
        """,
    )
    assert found.likely == ["right"]
    assert found.explained("left") == 0
