"""Adjustments after edits are those of a fresh scan, in the file that is edited and in others, and are stored."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from conflens.base.system import MemorySystem
from conflens.options.model import OptionTable
from conflens.session.store.stored import decode_table, encode_table
from session.support import session

FILES = {
    "src/Bounds.java": "class Bounds { static final int LEAST = 2; private final int most = 64; int cut(int n) { return Math.min(n, most); } }",
    "src/Check.java": (
        "class Check { static int positive(int n) { if (n < 1) throw new IllegalArgumentException(); return n; } }"
    ),
    "src/Reads.java": (
        'class Reads { static int snaps() { int n = Integer.getInteger("a.snaps", 9); if (n < Bounds.LEAST) n = Bounds.LEAST; return n; }'
        ' static int threads() { return Check.positive(Integer.getInteger("a.threads", 4)); }'
        ' static int page(Bounds b) { return b.cut(Integer.getInteger("a.page", 8)); }'
        ' static long pause() { return Integer.getInteger("a.pause", 8); } }'
    ),
    "src/Users.java": (
        "class Users { Object all(Bounds b) throws Exception { Thread.sleep(Reads.pause());"
        " return new Object[] { new byte[Reads.snaps()], Reads.page(b), Reads.threads() }; } }"
    ),
    "src/Late.java": "class Late { final int n; Late(int n) { this.n = n; } byte[] make() { return new byte[n]; } }",
    "src/Maker.java": 'class Maker { Late late = new Late(Integer.getInteger("a.late", 3)); }',
    "src/Start.java": "class Start { void go(Late late) { late.make(); } void more(Late late) { late.hashCode(); } }",
    "src/Setting.java": (
        "class Setting { final String key; final int least; Setting(String key, int least) { this.key = key; this.least = least; }"
        " int get() { int n = Integer.getInteger(key, 4); return n; } }"
    ),
    "src/Pools.java": (
        'class Pools { static final Setting SIZE = new Setting("a.size", 1);'
        " void run() { java.util.concurrent.Executors.newFixedThreadPool(SIZE.get()); } }"
    ),
    "src/Delay.java": (
        "class Delay { int least(int n) { return Math.max(0, n); }"
        ' byte[] read() { return new byte[least(Integer.getInteger("a.delay", 3))]; } }'
    ),
    "src/Statement.java": "class Statement { int set(Delay d, int n) { return d.least(n); } }",
    "src/Above.java": "class Above { void up(Start start, Late late) { start.go(late); } }",
}
EDITS = {
    "a bound in a constant of another class": ("src/Bounds.java", "LEAST = 2", "LEAST = 3"),
    "a bound in a final field": ("src/Bounds.java", "most = 64", "most = 32"),
    "a check in another class": ("src/Check.java", "n < 1", "n < 2"),
    "a check that goes": (
        "src/Check.java",
        "if (n < 1) throw new IllegalArgumentException();",
        "",
    ),
    "what an arm puts": ("src/Reads.java", "n = Bounds.LEAST; return", "n = 7; return"),
    "a use before": (
        "src/Reads.java",
        "if (n < Bounds.LEAST)",
        'System.setProperty("b", Integer.toHexString(n)); if (n < Bounds.LEAST)',
    ),
    "a call that rejects nothing": ("src/Users.java", "Thread.sleep(", "Math.floorMod(3, "),
    "a place that moves": ("src/Check.java", "class Check {", "class Check { /* here */ "),
    "a caller in another thread": (
        "src/Start.java",
        "late.make();",
        "new Thread(() -> late.make()).start();",
    ),
    "another caller in another thread": (
        "src/Start.java",
        "late.hashCode();",
        "new Thread(() -> late.make()).start();",
    ),
    "a handler above callers": (
        "src/Above.java",
        "start.go(late);",
        "try { start.go(late); } catch (RuntimeException e) { }",
    ),
    "another caller that rejects": (
        "src/Statement.java",
        "return d",
        "if (n < 0) throw new IllegalStateException(); return d",
    ),
    "a look-up that replaces": (
        "src/Setting.java",
        "return n;",
        "if (n < least) { return 4; } return n;",
    ),
    "another use": (
        "src/Users.java",
        "Thread.sleep(Reads.pause());",
        "Object o = new int[] { 1 + (int) Reads.pause() };",
    ),
}


def fresh(files: Mapping[str, str]) -> OptionTable:
    return session(MemorySystem(dict(files))).scan().options


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_the_result_is_that_of_a_fresh_scan(name: str) -> None:
    path, before, after = EDITS[name]
    system = MemorySystem(dict(FILES))
    one = session(system)
    first = one.scan().options
    assert before in FILES[path]
    text = FILES[path].replace(before, after)
    system.write(path, text)
    one.files_changed([path])
    again = one.rebuild().options
    assert again == fresh({**FILES, path: text})
    assert again != first


def test_the_stored_table_keeps_adjustments() -> None:
    table = fresh(FILES)
    said = {
        option.name: [(one.bound, one.value, one.effect.value, one.to) for one in option.adjusted]
        for option in table.options
    }
    assert said == {
        "a.snaps": [("lower", 2.0, "raised", "2")],
        "a.threads": [("lower", 1.0, "throws", "")],
        "a.page": [("upper", 64.0, "lowered", "64")],
        "a.pause": [("lower", 0.0, "throws", "")],
        "a.late": [("lower", 0.0, "throws", "")],
        "a.delay": [("lower", 0.0, "raised", "0")],
        "a.size": [("lower", 1.0, "throws", "")],
    }
    data = encode_table(table)
    assert data is not None and decode_table(data) == table
