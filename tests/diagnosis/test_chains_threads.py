"""Work that is handed to another thread goes on below the place that handed it over."""

from __future__ import annotations

import pytest

from diagnosis.notation import told

THREADS = {
    "a Runnable": (
        """
class Main {
  static class Task implements Runnable { public void run() { work(); } void work() {} }
  public static void main(String[] args) {
    load();
    if (Boolean.getBoolean("sweep")) {
      new Thread(new Task()).start();
    }
  }
  static void load() {}
}
""",
        "Main$Task.run; Main$Task.work",
    ),
    "a subclass of Thread": (
        """
class Main {
  static class Task extends Thread { @Override public void run() { work(); } void work() {} }
  public static void main(String[] args) {
    load();
    if (Boolean.getBoolean("sweep")) {
      new Task().start();
    }
  }
  static void load() {}
}
""",
        "Main$Task.run; Main$Task.work",
    ),
    "a lambda": (
        """
class Main {
  public static void main(String[] args) {
    load();
    if (Boolean.getBoolean("sweep")) {
      Runnable task = () -> work();
      new Thread(task).start();
    }
  }
  static void load() {}
  static void work() {}
}
""",
        "Main.lambda$main$0; Main.work",
    ),
    "an anonymous class": (
        """
class Main {
  public static void main(String[] args) {
    load();
    if (Boolean.getBoolean("sweep")) {
      new Thread(new Runnable() { @Override public void run() { work(); } }).start();
    }
  }
  static void load() {}
  static void work() {}
}
""",
        "Main$1.run; Main.work",
    ),
}


@pytest.mark.parametrize("way", THREADS)
def test_work_handed_to_a_thread_is_under_the_option_that_hands_it_over(
    way: str,
) -> None:
    """The profile has two chains; the program says that the second begins where the first made the object."""
    java, chain = THREADS[way]
    found = told(
        java,
        f"""
        cpu
        [main]; Main.main; Main.load                          400 -> 400
        [sweeper]; java.lang.Thread.run; {chain}       - -> 600
        """,
    )
    assert found.likely == ["sweep"]
    assert found.chain("sweep").startswith(("*Main.main > java.", "Main.main > java."))
    # A lambda stands in the arm itself, so that the hold is in its own body, too.
    assert found.cause("sweep").spawned == ("lambda" not in way)


WORKERS = """
class Main {
  static int workers = Integer.getInteger("workers", 2);
  static class Worker extends Thread {
    @Override public void run() { poll(); work(); }
    void poll() {}
    void work() {}
  }
  public static void main(String[] args) {
    load();
    for (int i = 0; i < workers; i++) {
      new Worker().start();
    }
  }
  static void load() {}
}
"""


@pytest.mark.parametrize(("poll", "accused"), [("500", ["workers"]), ("100", [])])
def test_a_thread_that_grew_only_in_part_is_not_attributed_to_its_start(
    poll: str, accused: list[str]
) -> None:
    found = told(
        WORKERS,
        f"""
        cpu
        Main.main; Main.load                        400 -> 400
        [worker-*]; Main$Worker.run; Main$Worker.poll     100 -> {poll}
        [worker-*]; Main$Worker.run; Main$Worker.work     100 -> 500
        """,
    )
    assert found.likely == accused


POOL = """
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
class Main {
  static int jobs = Integer.getInteger("jobs", 2);
  static int other = Integer.getInteger("other", 2);
  public static void main(String[] args) {
    ExecutorService pool = Executors.newCachedThreadPool();
    load();
    for (int i = 0; i < jobs; i++) {
      pool.submit(() -> { fetch(); pack(); });
    }
    for (int i = 0; i < other; i++) {
      pool.submit(() -> { sweep(); });
    }
  }
  static void load() {}
  static void fetch() {}
  static void pack() {}
  static void sweep() {}
}
"""


def test_each_lambda_is_handed_over_where_it_is_written() -> None:
    """Both lambdas are located in ``main``, which goes on above the one that it handed over."""
    found = told(
        POOL,
        """
        cpu
        Main.main; Main.load                                             300 -> 300
        java.lang.Thread.run; Main.lambda$main$0; Main.fetch             200 -> 800
        java.lang.Thread.run; Main.lambda$main$0; Main.pack              200 -> 800
        java.lang.Thread.run; Main.lambda$main$1; Main.sweep             200 -> 200
        """,
    )
    assert found.likely == ["jobs"]
    assert found.explained("jobs") > 0.9
    assert found.chain("jobs").startswith("Main.main > java.lang.Thread.run > *Main.lambda$main$0")


@pytest.mark.parametrize("way", THREADS)
def test_a_thread_that_works_as_before_has_no_cause(way: str) -> None:
    java, chain = THREADS[way]
    found = told(
        java,
        f"""
        cpu
        [main]; Main.main; Main.load                          400 -> 900
        [sweeper]; java.lang.Thread.run; {chain}       600 -> 600
        """,
    )
    assert found.likely == []


NAMESAKES = """
class Main {
  static class Sweeper {
    static class Task implements Runnable { public void run() { sweep(); } void sweep() {} }
    void start() {
      base();
      if (Boolean.getBoolean("sweep")) {
        new Thread(new Task()).start();
      }
    }
    void base() {}
  }
  static class Writer {
    static class Task implements Runnable { public void run() { write(); } void write() {} }
    void start() { new Thread(new Task()).start(); }
  }
  public static void main(String[] args) { new Sweeper().start(); new Writer().start(); }
}
"""


@pytest.mark.parametrize(("task", "accused"), [("Sweeper", ["sweep"]), ("Writer", [])])
def test_classes_of_one_name_are_resolved_where_they_are_created(
    task: str, accused: list[str]
) -> None:
    work = {"Sweeper": "sweep", "Writer": "write"}[task]
    found = told(
        NAMESAKES,
        f"""
        cpu
        Main.main; Main$Sweeper.start; Main$Sweeper.base                               400 -> 400
        Main.main; Main$Writer.start                                                   1 -> 1
        java.lang.Thread.run; Main${task}$Task.run; Main${task}$Task.{work}            10 -> 600
        """,
    )
    assert found.likely == accused


NESTED = """
class Main {
  static boolean sync = Boolean.getBoolean("sync");
  public static void main(String[] args) {
    Runnable outer = () -> {
      first();
      Runnable inner = () -> {
        if (sync) {
          second();
        }
        third();
      };
      new Thread(inner).start();
    };
    new Thread(outer).start();
  }
  static void first() {}
  static void second() {}
  static void third() {}
}
"""


def test_a_nested_lambda_is_handed_over_by_the_outer_one() -> None:
    """All three frames are located in ``main``; the compiler numbers the inner one first."""
    found = told(
        NESTED,
        """
        cpu
        Main.main                                                100 -> 100
        java.lang.Thread.run; Main.lambda$main$1; Main.first     100 -> 100
        java.lang.Thread.run; Main.lambda$main$0; Main.third     100 -> 100
        java.lang.Thread.run; Main.lambda$main$0; Main.second      - -> 500
        """,
    )
    assert found.likely == ["sync"]
    assert found.chain("sync") == (
        "java.lang.Thread.run > Main.lambda$main$1 > java.lang.Thread.run"
        " > *Main.lambda$main$0 > Main.second"
    )


def test_work_handed_over_as_a_method_reference_has_no_caller() -> None:
    """known-gap: only objects and lambdas are looked for."""
    java = """
class Main {
  public static void main(String[] args) {
    base();
    if (Boolean.getBoolean("sweep")) {
      new Thread(Main::work).start();
    }
  }
  static void base() {}
  static void work() { step(); }
  static void step() {}
}
"""
    found = told(
        java,
        """
        cpu
        Main.main; Main.base                              400 -> 400
        java.lang.Thread.run; Main.work; Main.step          - -> 600
        """,
    )
    assert found.order == []
