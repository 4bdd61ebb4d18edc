"""Conditions that only refuse a value, and classes that keep a value which most of their methods never use."""

from __future__ import annotations

import pytest

from conflens.flow.results import StepRole
from diagnosis.notation import analysed, told

CHECKED = """
class Main {{
  static int size = Integer.getInteger("size", 3);
  public static void main(String[] args) {{
    prepare();
    run();
  }}
  static void prepare() {{}}
  static void run() {{
    {check}
    {after}
  }}
  static void work() {{}}
  static void refuse(int size) {{
    if (size < 0) {{ throw new IllegalArgumentException("negative " + size); }}
    throw new IllegalArgumentException("too large " + size);
  }}
  static void log(int size) {{}}
}}
"""
GROWN = """
    cpu
    Main.main; Main.prepare          400 -> 400
    Main.main; Main.run; Main.work   - -> 900
    """


@pytest.mark.parametrize(
    "check",
    [
        "if (size > 9) { throw new IllegalArgumentException(); }",
        "if (size < 0 || size > 9) throw new IllegalArgumentException();",
        "if (size < 0) { log(size); throw new IllegalArgumentException(); }",
        "if (size > 9) { refuse(size); }",
        "if (size < 0) { throw new Error(); } else if (size > 9) { throw new Error(); }",
        "if (size > 9) { throw new Error(); } else { work(); }",
        "if (size <= 9) { work(); return; } throw new Error();",
    ],
)
def test_a_condition_that_only_throws_is_no_cause(check: str) -> None:
    after = "" if check.endswith("return; } throw new Error();") else "work();"
    assert told(CHECKED.format(check=check, after=after), GROWN).likely == []


@pytest.mark.parametrize(
    "check",
    [
        "if (size > 9) { return; }",
        "if (size > 9) { work(); }",
        "if (size > 9) { log(size); return; }",
        "if (size < 0) { throw new Error(); } else if (size > 9) { return; }",
        "if (size > 9) { if (size > 99) return; throw new Error(); }",
    ],
)
def test_a_condition_that_decides_what_runs_is_a_cause(check: str) -> None:
    assert told(CHECKED.format(check=check, after="work();"), GROWN).likely == ["size"]


def test_work_inside_a_throwing_condition_still_counts() -> None:
    java = """
    class Main {
      static boolean checked = Boolean.getBoolean("checked");
      public static void main(String[] args) { prepare(); store("a"); }
      static void prepare() {}
      static void store(String text) {
        if (checked && !isValid(text)) { throw new IllegalArgumentException(text); }
        write(text);
      }
      static boolean isValid(String text) { return text.length() > 1; }
      static void write(String text) {}
    }
    """
    prepared = "cpu\nMain.main; Main.prepare   400 -> 400\n"
    tested = told(java, f"{prepared}Main.main; Main.store; Main.isValid   - -> 900")
    assert tested.likely == ["checked"]
    written = told(java, f"{prepared}Main.main; Main.store; Main.write   - -> 900")
    assert written.likely == []


KEEPER = """
import java.util.ArrayDeque;
class Main {
  static final class Packer {
    private final int level;
    private final ArrayDeque<String> recent = new ArrayDeque<>();
    Packer(int level) {
      if (level < 0 || level > 9) {
        throw new IllegalArgumentException("level " + level);
      }
      this.level = level;
    }
    void pack() { for (int pass = 0; pass < level; pass++) step(); }
    void unpack() { open(); }
    void open() {}
    void step() {}
    void keep(String name) { recent.add(name); if (recent.size() > level) recent.remove(); }
    void list() { for (String name : recent) show(name); }
    void show(String name) {}
    int passes() { return level; }
    void plan() { prepared(passes()); }
    void prepared(int passes) {}
  }
  public static void main(String[] args) {
    Packer packer = new Packer(Integer.getInteger("level", 3));
    load();
    packer.pack();
    packer.unpack();
    packer.keep("a");
    packer.list();
    packer.plan();
  }
  static void load() {}
}
"""


@pytest.mark.parametrize(
    ("calls", "accused"),
    [
        ("Main$Packer.unpack; Main$Packer.open", []),
        ("Main$Packer.pack; Main$Packer.step", ["level"]),
        ("Main$Packer.list; Main$Packer.show", ["level"]),
        ("Main$Packer.plan; Main$Packer.prepared", ["level"]),
    ],
)
def test_a_method_that_ignores_the_fields_set_from_a_value_is_not_under_it(
    calls: str, accused: list[str]
) -> None:
    """What the value is kept in, and what else changes by it, is the object's state; other methods run as they did."""
    found = told(KEEPER, f"cpu\nMain.main; Main.load   400 -> 400\nMain.main; {calls}   - -> 900")
    assert found.likely == accused


def test_the_path_to_a_stored_value_skips_range_checks() -> None:
    found = told(
        KEEPER,
        "cpu\nMain.main; Main.load   400 -> 400\n"
        "Main.main; Main$Packer.list; Main$Packer.show   - -> 900",
    )
    program = analysed(KEEPER).program
    steps = found.cause("level").hold.path.steps
    guards = [program.member(step.ref).name for step in steps if step.role is StepRole.GUARD]
    assert guards == ["pack"]
