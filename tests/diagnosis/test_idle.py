"""Threads that have nothing to do lead no list, however long they wait."""

from __future__ import annotations

import pytest

from conflens.profiling.model import EventKind
from diagnosis.notation import Told, told

JAVA = """
class Main {
  static int pause = Integer.getInteger("pause", 5);
  static boolean index = Boolean.getBoolean("index");
  static class Feed implements Runnable {
    volatile boolean closed;
    public void run() { follow(); }
    void follow() {
      while (!closed) {
        look();
        rest();
      }
    }
    void look() {}
    void rest() { Thread.sleep(pause); }
  }
  static class Worker extends Thread {
    java.util.concurrent.BlockingQueue<Task> tasks;
    public void run() {
      for (;;) { tasks.take().work(); }
    }
  }
  static class Counted extends Thread {
    public void run() { for (int i = 0; i < 9; i++) { Thread.sleep(pause); } }
  }
  public static void main(String[] args) {
    if (index) { find(); }
    while (args != null) { Thread.sleep(pause); }
  }
  static void find() {}
}
class Ring extends java.util.AbstractQueue<Task> {
  Task next() { wait(); return null; }
}
class Taker extends Thread {
  Ring tasks;
  static int idle = Integer.getInteger("idle", 5);
  public void run() { while (true) { if (idle > 0) { tasks.next().work(); } } }
}
class Task {
  void work() { new Retry().again(); }
}
class Retry {
  void again() { while (true) { Thread.sleep(Main.pause); } }
}
"""
FEED = (
    "java.lang.Thread.run; Main$Feed.run; Main$Feed.follow; Main$Feed.rest; java.lang.Thread.sleep"
)
POOL = "java.lang.Thread.run; java.util.concurrent.ThreadPoolExecutor.getTask; jdk.Unsafe.park"
TAKES = "java.lang.Thread.run; Main$Worker.run; java.util.Queue.take; jdk.Unsafe.park"
RING = "java.lang.Thread.run; Taker.run; Ring.next; java.lang.Object.wait"
RETRY = "java.lang.Thread.run; Main$Worker.run; Task.work; Retry.again; java.lang.Thread.sleep"
COUNTED = "java.lang.Thread.run; Main$Counted.run; java.lang.Thread.sleep"
WORK = "cpu ms\nMain.main; Main.find   900/90"


def single(kind: str, chain: str) -> Told:
    return told(JAVA, f"{WORK}\n{kind} ms\n{chain}   9000/90")


@pytest.mark.parametrize(
    ("kind", "chain", "idle"),
    [
        ("sleep", FEED, True),
        ("wait", POOL, True),
        ("wait", TAKES, True),
        ("wait", RING, True),
        ("sleep", RETRY, False),
        ("sleep", COUNTED, False),
        ("sleep", "Main.main; java.lang.Thread.sleep", False),
        ("lock", FEED, False),
    ],
)
def test_idle_is_what_a_thread_waits_in_its_own_loop(kind: str, chain: str, idle: bool) -> None:
    (hotspot,) = (one for one in single(kind, chain).diagnosis.hotspots if one.kind == kind)
    assert hotspot.idle is idle


@pytest.mark.parametrize(
    ("kind", "chain"), [("sleep", FEED), ("wait", POOL), ("wait", TAKES), ("wait", RING)]
)
def test_idle_threads_come_last_and_blame_nobody(kind: str, chain: str) -> None:
    found = single(kind, chain)
    assert [one.kind.value for one in found.diagnosis.hotspots] == ["cpu", kind]
    assert found.order == ["behind index"]
    assert found.explained("index") > 0.5
    assert found.diagnosis.unexplained < 0.5


def test_members_that_only_idle_are_known() -> None:
    found = single("sleep", FEED)
    assert len(found.diagnosis.idle) == 3  # run, follow and rest of the feed
    assert {ref.owner for ref, _ in found.diagnosis.idle} == {"Main.Feed"}
    assert single("sleep", RETRY).diagnosis.idle == frozenset()
    both = told(JAVA, f"sleep ms\n{FEED}   9000/90\n{COUNTED}   9000/90")
    assert both.diagnosis.idle == found.diagnosis.idle


def test_a_sleep_that_work_waits_for_counts() -> None:
    found = single("sleep", RETRY)
    assert found.diagnosis.hotspots[0].kind is EventKind.SLEEP
    assert found.order[0] == "behind pause"


def test_idle_threads_that_wait_as_much_longer_as_the_run_is_do_not_lead_either() -> None:
    found = told(
        JAVA,
        f"""
        cpu ms
        Main.main; Main.find   0/0 -> 900/90
        sleep ms
        {FEED}   1000/100 -> 9000/900
        wait ms
        {POOL}   1000/100 -> 9000/900
        """,
        seconds=(1, 9),
    )
    assert [one.kind.value for one in found.diagnosis.hotspots] == ["cpu", "wait", "sleep"]
    assert [one.idle for one in found.diagnosis.hotspots] == [False, True, True]
    assert found.likely == ["index"]


def test_sleeps_that_became_longer_themselves_are_not_idle() -> None:
    found = told(
        JAVA,
        f"cpu ms\nMain.main; Main.find   900/90 -> 900/90\nsleep ms\n{FEED}   1000/100 -> 9000/10",
        seconds=(1, 9),
    )
    (hotspot,) = found.diagnosis.hotspots
    assert not hotspot.idle
    assert found.likely == ["pause"]
