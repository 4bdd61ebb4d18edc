"""Options whose names resemble what costs: possible where no call chain leads to any option."""

from __future__ import annotations

import pytest

from conflens.diagnosis.resemblance import stems
from conflens.diagnosis.results import Verdict
from diagnosis.notation import Told, told

JAVA = """
import java.util.Properties;
class Main {
  static final Properties SETTINGS = new Properties();
  static class SerializedStore { void put() { Main.work(); } }
  public static void main(String[] args) {
    Registry.tell("a", Boolean.getBoolean("store.serialized"));
    Registry.tell("b", Boolean.getBoolean("store.sorted"));
    put();
    new SerializedStore().put();
  }
  static void put() {}
  static void work() {}
}
"""
ROWS = """
cpu
Main.main; Main.put                                           1000 -> 1000
Main.main; Main$SerializedStore.put; Main.work                10 -> 900
"""


def possible(found: Told) -> list[str]:
    return [one.option[1] for one in found.diagnosis.suspects if one.verdict is Verdict.POSSIBLE]


def test_an_option_is_possible_if_what_became_slower_is_called_like_it() -> None:
    found = told(JAVA, ROWS)
    assert found.likely == []
    assert possible(found)[:1] == ["store.serialized"]
    assert "methods that cost more have a similar name" in found.diagnosis.suspects[0].reason


def test_without_a_baseline_it_is_possible_if_what_costs_is_called_like_it() -> None:
    rows = """
        cpu
        Main.main; Main.put                                1000
        Main.main; Main$SerializedStore.put; Main.work     900
        """
    assert possible(told(JAVA, rows))[:1] == ["store.serialized"]


def test_what_is_called_so_in_both_runs_alike_says_nothing() -> None:
    rows = """
        cpu
        Main.main; Main.put                                10 -> 900
        Main.main; Main$SerializedStore.put; Main.work     1000 -> 1000
        """
    assert "store.serialized" not in possible(told(JAVA, rows))


def test_an_option_whose_value_is_the_same_is_not_named_by_its_name() -> None:
    same = "-Dstore.serialized=true"
    assert "store.serialized" not in possible(told(JAVA, ROWS, before=same, after=same))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ftp.passwords", {"passwo"}),
        ("PasswordEncryptor", {"passwo", "encryp"}),
        ("site.io.max", {"site"}),
        ("HTTP_BUFFERS", {"http", "buffer"}),
        ("files2", set()),
    ],
)
def test_stems_are_the_beginnings_of_long_words(name: str, wanted: set[str]) -> None:
    assert stems([name]) == wanted
