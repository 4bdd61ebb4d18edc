"""Which loads of a map or array matter to one key: leaving out the others changes no flow."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.flow.asked_cells import AskedCells, Load
from session.support import living_and_fresh, session

MADE = """package p;
import java.util.*;
class Made {
  final Map<String, Integer> map = new HashMap<>();
  final Properties properties = new Properties();
  final int[] array = new int[4];
  final List<Integer> list = new ArrayList<>();
  final org.unknown.Settings settings = new org.unknown.Settings();
  static final String TWO = "two";
  Map<String, Integer> map() { return map; }
  void put() {
    map.put("one", Integer.getInteger("m.one", 1)); map.put(TWO, Integer.getInteger("m.two", 2));
    map.put("three", Integer.getInteger("m.three", 3)); map.put("four", Integer.getInteger("m.four", 4));
    properties.setProperty("one", System.getProperty("p.one")); properties.put("two", System.getProperty("p.two"));
    array[0] = Integer.getInteger("a.zero", 0); array[1] = Integer.getInteger("a.one", 1);
    list.add(Integer.getInteger("l.one", 1)); settings.setSize(Integer.getInteger("s.size", 1));
    settings.setOther(Integer.getInteger("s.other", 1));
  }
}
"""

USED = """package p;
import java.util.*;
class Used {
  Made made;
  void one() throws Exception { Thread.sleep(made.map.get("one")); Thread.sleep(made.map.get(Made.TWO)); }
  void local() throws Exception { Map<String, Integer> m = made.map; Thread.sleep(m.get("one")); }
  void given(String key) throws Exception { Thread.sleep(made.map.get(key)); }
  void all() throws Exception { for (int each : made.map.values()) { Thread.sleep(each); } }
  void passed() throws Exception { take(made.map); copy(new HashMap<>(made.map)); }
  void take(Map<String, Integer> m) throws Exception { Thread.sleep(m.get("three")); }
  void copy(Map<String, Integer> m) throws Exception { Thread.sleep(m.get("four")); }
  void computed() { made.map.computeIfPresent("four", (k, v) -> { Thread.sleep(v); return v; }); }
  void recomputed() { made.map.compute("four", (k, v) -> { Thread.sleep(v); return v; }); }
  void each() { made.map.forEach((k, v) -> { Thread.sleep(v); }); }
  void got() throws Exception { Thread.sleep(made.map().get("three")); }
  void text() throws Exception { Thread.sleep(Long.parseLong(made.properties.getProperty("one"))); }
  void other() throws Exception { Thread.sleep(Long.parseLong(made.properties.getProperty("two", "2"))); }
  void place() throws Exception { Thread.sleep(made.array[0]); Thread.sleep(made.array[made.array.length - 1]); }
  void listed() throws Exception { Thread.sleep(made.list.get(0)); }
  void size() throws Exception { Thread.sleep(made.settings.getSize()); Thread.sleep(made.settings.getOther()); }
}
"""

FILES = {"p/Made.java": MADE, "p/Used.java": USED}


def _all(self: AskedCells, key: str) -> list[Load]:
    return list(self.all)


def test_the_flows_are_those_over_all_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = session(MemorySystem(FILES)).scan().flows
    assert sum(len(reach.flows) for reach in found.options.values()) > 20
    monkeypatch.setattr(AskedCells, "of", _all)
    assert session(MemorySystem(FILES)).scan().flows == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('m.get("three")', 'm.get("one")'),
        ('made.map.get("one")', 'made.map.get("four")'),
        ("made.array[0]", "made.array[1]"),
        ("settings.getOther()", "settings.getLast()"),
        ("made.map.get(Made.TWO)", "made.map.size()"),
    ],
)
def test_another_key_is_asked_for(old: str, new: str) -> None:
    changed = {"p/Used.java": USED.replace(old, new, 1)}
    assert changed["p/Used.java"] != USED
    for living, fresh in living_and_fresh([FILES, changed, {"p/Used.java": USED}]):
        assert living.flows == fresh.flows


def test_a_constant_that_names_a_key_becomes_another() -> None:
    changed = {"p/Made.java": MADE.replace('TWO = "two"', 'TWO = "one"')}
    for living, fresh in living_and_fresh([FILES, changed, {"p/Made.java": MADE}]):
        assert living.flows == fresh.flows
