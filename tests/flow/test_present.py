"""What a body finds of a value before it hands it on: edits of one body, or of what tells a class, change flows of others."""

from __future__ import annotations

import pytest

from session.support import living_and_fresh

MAIN = """package p;
import java.util.*;
class Main {
  void run(java.io.PrintStream out) {
    String name = System.getProperty("present.name");
    name.length();
    Other.look(name, out);
    String path = System.getProperty("present.path");
    if (path == null) { path = "a"; }
    Other.look(path, out);
    Map<String, Object> any = new HashMap<>();
    any.put("value", Source.mode());
    Other.write(any, out);
    Other.add(Source.size(), out);
  }
}
"""

OTHER = """package p;
import java.util.*;
class Other {
  static void look(String text, java.io.PrintStream out) { if (text != null) { out.println("text"); } }
  static void write(Map<String, ?> map, java.io.PrintStream out) { for (Object one : map.values()) { add(one, out); } }
  static void add(Object value, java.io.PrintStream out) { if (value instanceof List) { out.println("list"); } else if (value != null) { out.println("any"); } }
}
"""

SOURCE = """package p;
class Source {
  static String mode() { return System.getProperty("present.mode"); }
  static int size() { return Integer.getInteger("present.size", 1); }
}
"""

FILES = {"p/Main.java": MAIN, "p/Other.java": OTHER, "p/Source.java": SOURCE}


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("p/Main.java", "name.length();", ""),
        ("p/Main.java", "name.length();", "path();"),
        ("p/Main.java", 'path = "a";', "path = null;"),
        ("p/Main.java", 'path = "a";', 'any("a");'),
        ("p/Main.java", "Map<String, Object> any", "Map any"),
        ("p/Source.java", "static String mode()", "static Object mode()"),
        ("p/Source.java", "static int size()", "static Integer size()"),
        ("p/Source.java", "static int size()", "static Object size()"),
        ("p/Other.java", "write(Map<String, ?> map", "write(Map<String, String> map"),
    ],
)
def test_an_edit_changes_what_is_known(path: str, old: str, new: str) -> None:
    changed = {path: FILES[path].replace(old, new, 1)}
    assert changed[path] != FILES[path]
    for living, fresh in living_and_fresh([FILES, changed, {path: FILES[path]}]):
        assert living.flows == fresh.flows
