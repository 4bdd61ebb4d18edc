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


def test_a_value_that_a_call_rejects_is_invalid() -> None:
    asked = subject(JAVA, files={"app.properties": "store.pause=-1\nstore.clean=-1\n"})
    found = list(values.findings(asked, "app.properties"))
    assert [(one.name, one.code) for one in found] == [("store.pause", Code.INVALID_VALUE)]
    assert found[0].message == '"-1" is less than 0, the minimum for store.pause.'
