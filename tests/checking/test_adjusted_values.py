"""Values in config files that the code replaces or rejects, and as many that it takes."""

from __future__ import annotations

import pytest

from checking.small import subject
from conflens.checking import adjusted_values, values
from conflens.checking.results import Code

JAVA = """class Store {
    int snaps = atLeast(Integer.getInteger("store.snaps", 100000));
    static int atLeast(int n) { if (n < 2) { n = 2; } return n; }
    int fraction = Math.min(100, Integer.getInteger("store.fraction", 50));
    int pause() throws Exception { int n = Integer.getInteger("store.pause", 10); Thread.sleep(n); return snaps * fraction; }
    void clean(Runnable r) { int n = Integer.getInteger("store.clean", 5); if (n > 0) { for (int i = 0; i < n; i++) r.run(); } }
}
"""


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("store.snaps", "1", '"1" counts as 2 here: the code replaces values below 2.'),
        ("store.snaps", "2", None),
        ("store.snaps", "${snaps}", None),
        ("store.fraction", "101", '"101" counts as 100 here: the code replaces values above 100.'),
        ("store.fraction", "100", None),
        ("store.clean", "0", None),
        ("store.pause", "-1", None),
    ],
)
def test_a_value_that_is_replaced_is_told(name: str, value: str, wanted: str | None) -> None:
    asked = subject(JAVA, files={"app.properties": f"{name}={value}\n"})
    found = list(adjusted_values.findings(asked, "app.properties"))
    assert [one.message for one in found] == ([wanted] if wanted else [])
    assert all(one.code is Code.ADJUSTED_VALUE and one.fixes and one.related for one in found)


@pytest.mark.parametrize(
    ("files", "offered"),
    [
        ({"app.properties": "store.snaps=1\n"}, True),
        ({"app.properties": "store.snaps=1\nother=${store.snaps}\n"}, False),
        ({"app.properties": "store.snaps=1\nother=$store.snaps/x\n"}, False),
        ({"app.properties": "store.snaps=1\nother=@store.snaps@\n"}, False),
        ({"app.properties": "store.snaps=1\nother=$store.snaps-more\n"}, True),
        ({"app.properties": "store.snaps=1\n", "b.properties": "a=${store.snaps}\n"}, False),
    ],
)
def test_a_fix_is_never_sure_and_not_offered_where_others_take_the_value(
    files: dict[str, str], offered: bool
) -> None:
    found = list(adjusted_values.findings(subject(JAVA, files=files), "app.properties"))
    fixes = [fix for one in found for fix in one.fixes]
    assert len(found) == 1 and [fix.sure for fix in fixes] == [False] * offered


def test_no_fix_is_offered_where_sources_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = subject(JAVA, files={"app.properties": "store.snaps=1\n"})
    monkeypatch.setattr(type(asked), "unread_sources", ("Main.kt",))
    (found,) = adjusted_values.findings(asked, "app.properties")
    assert not found.fixes


def test_a_value_that_a_call_rejects_is_invalid() -> None:
    asked = subject(JAVA, files={"app.properties": "store.pause=-1\nstore.clean=-1\n"})
    found = list(values.findings(asked, "app.properties"))
    assert [(one.name, one.code) for one in found] == [("store.pause", Code.INVALID_VALUE)]
    assert found[0].message == '"-1" is less than 0, the minimum for store.pause.'


OTHERWISE = """import java.util.concurrent.*;
class Pools {
    static class Pool { final int n; Pool(int n) { if (n <= 0) throw new IllegalArgumentException("n"); this.n = n; } int size() { return n; } }
    void kept() { int n = Integer.getInteger("pool.kept", 4); Executors.newFixedThreadPool(n); }
    void cores() { int n = Integer.getInteger("pool.cores", 4); if (n <= 0) { n = Runtime.getRuntime().availableProcessors() * 2; } new Pool(n).size(); }
    void chosen() { int n = Integer.getInteger("pool.chosen", 4); Executors.newFixedThreadPool(n > 0 ? n : Runtime.getRuntime().availableProcessors() / 2); }
    void flag() { int n = Integer.getInteger("pool.flag", 4); boolean some = n > 0; new Pool(some ? n : Runtime.getRuntime().availableProcessors()).size(); }
    static int strict() { int n = Integer.getInteger("pool.strict", 9); if (Boolean.getBoolean("strict")) { if (n < 5) throw new IllegalArgumentException(); } return n; }
}
"""


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("pool.kept", True),
        ("pool.cores", False),
        ("pool.chosen", False),
        ("pool.flag", False),
        ("pool.strict", False),
    ],
)
def test_what_is_used_instead_of_a_value_is_not_rejected(name: str, wrong: bool) -> None:
    asked = subject(OTHERWISE, files={"app.properties": f"{name}=-1\n"})
    assert [one.name for one in values.findings(asked, "app.properties")] == [name] * wrong


@pytest.mark.parametrize(
    "code",
    [
        "n <= 0 ? Executors.newCachedThreadPool() : Executors.newFixedThreadPool(Math.max(n, 4))",
        "n == 0 ? null : Executors.newFixedThreadPool(Math.max(n, 4))",
    ],
)
def test_a_value_with_a_meaning_of_its_own_is_not_replaced(code: str) -> None:
    java = (
        "import java.util.concurrent.*; class P { ExecutorService make() {"
        f' int n = Integer.getInteger("pool.threads", 10); return {code}; }} }}'
    )
    for value, told in (("0", False), ("2", True)):
        asked = subject(java, files={"app.properties": f"pool.threads={value}\n"})
        found = list(adjusted_values.findings(asked, "app.properties"))
        assert bool(found) is told
