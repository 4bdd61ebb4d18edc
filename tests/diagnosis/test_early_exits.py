"""What an exit within an arm leaves out, and collections whose contents an option decides over."""

from __future__ import annotations

import pytest

from diagnosis.notation import told

NESTED = """
import java.util.HashMap;
import java.util.Map;
class Main {
  static boolean quick = Boolean.getBoolean("quick");
  static Object last;
  public static void main(String[] args) {
    for (String arg : args) { ask(arg); }
  }
  static Object ask(String key) {
    put();
    if (quick) {
      Object known = last;
      if (known != null) {
        return known;
      }
    }
    return load(key);
  }
  static void put() {}
  static Object load(String key) { return key; }
}
"""
LOADED = """
    cpu
    Main.main; Main.ask; Main.put       1000 -> 1000
    Main.main; Main.ask; Main.load         - -> 900
    """


def test_the_rest_of_a_method_is_behind_a_nested_return() -> None:
    found = told(NESTED, LOADED)
    assert found.order == ["likely quick"]
    assert found.chain("quick") == "Main.main > *Main.ask > Main.load"


@pytest.mark.parametrize(
    "exit_",
    ["throw new IllegalStateException();", "known.hashCode();", "new Thread(() -> { return; });"],
)
def test_what_does_not_leave_the_method_leaves_nothing_out(exit_: str) -> None:
    found = told(NESTED.replace("return known;", exit_), LOADED)
    assert found.likely == []


def test_the_rest_is_not_the_other_arm_of_a_condition_around_it() -> None:
    java = NESTED.replace("if (quick) {", "if (last == null) { if (quick) {").replace(
        "    return load(key);", "    } else { return load(key); }\n    return null;"
    )
    found = told(java, LOADED)
    assert found.likely == []


def test_the_rest_counts_only_if_it_differs() -> None:
    """All that the caller does is as much more as what is left out."""
    found = told(
        NESTED, LOADED.replace("1000 -> 1000", "1000 -> 9000").replace("- -> 900", "100 -> 900")
    )
    assert found.likely == []


CACHE = """
import java.util.HashMap;
import java.util.Map;
class Main {
  private final Map<String, Object> cache = new HashMap<>();
  private final int entries = Integer.getInteger("entries", 100);
  private final boolean keeps = Boolean.getBoolean("keeps");
  Object ask(String key) {
    put();
    Object known = cache.get(key);
    if (known == null) {
      known = load(key);
      FILL
    }
    return known;
  }
  void put() {}
  void evict() {}
  Object load(String key) { return key; }
}
"""
ASKED = """
    cpu
    Main.ask; Main.put       1000 -> 1000
    Main.ask; Main.load       100 -> 900
    """


@pytest.mark.parametrize(
    ("fill", "likely"),
    [
        ("if (keeps) { cache.put(key, known); }", ["keeps"]),
        ("if (cache.size() < entries) { cache.put(key, known); }", ["entries"]),
        ("cache.put(key, known); if (cache.size() > entries) { cache.clear(); }", ["entries"]),
        ("cache.put(key, known); if (keeps) { evict(); }", []),
        ("cache.put(key, known); if (keeps) { cache.put(key, key); }", []),
    ],
)
def test_the_miss_of_a_collection_is_behind_the_option_that_fills_or_bounds_it(
    fill: str, likely: list[str]
) -> None:
    assert told(CACHE.replace("FILL", fill), ASKED).likely == likely
