"""What the analysis of repeated code takes from its budgets grows with the repetitions.

Budgets count steps (``base.budget``), so programs may be larger here than where lines of Python are counted
(``test_growth``).  Each shape gives the files of a program that repeats one construct ``n`` times.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conflens.base.budget import Meter
from conflens.base.system import MemorySystem
from session.support import session

FEW, MANY = 150, 300

Files = dict[str, str]


def _each(n: int, text: str) -> str:
    return "\n".join(text.replace("#", str(number)) for number in range(n))


def _class(body: str, head: str = "") -> Files:
    return {"p/X.java": f"package p;\nimport java.util.*;\n{head}\nclass X {{\n{body}\n}}\n"}


_BOUND = 'import org.springframework.boot.context.properties.*;\n@ConfigurationProperties("a")'
_MAP = "Map<String, String> map = new HashMap<>(); public Map<String, String> getMap() { return map; }"
_MAP += " public void setMap(Map<String, String> map) { this.map = map; }"


def _keys_of_a_member(n: int) -> Files:
    asked = _each(n, 'getMap().get("k#"); map.get("l#");')
    return _class(f"{_MAP} void m() {{ {asked} }}", _BOUND)


def _keys_of_a_member_that_is_handed_on(n: int) -> Files:
    takers = _each(n, 'void f#(Map<String, String> given) { given.get("k#"); }')
    handed = _each(n, "f#(map);")
    return _class(f"{_MAP} {takers} void m() {{ {handed} }}", _BOUND)


def _choices_of_one_member(n: int) -> Files:
    chosen = "\n".join(
        f"Map<String, String> m{one + 1} = b ? m{one} : m{one};" for one in range(n // 15)
    )
    last = f'm{n // 15}.get("k");'
    return _class(
        f"{_MAP} void m(boolean b) {{ Map<String, String> m0 = map; {chosen} {last} }}", _BOUND
    )


SHAPES = (
    _keys_of_a_member,
    _keys_of_a_member_that_is_handed_on,
    _choices_of_one_member,
)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_spent_grows_with_the_repetitions(
    shape: Callable[[int], Files], monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = 0
    spend = Meter.spend

    def counted(meter: Meter, steps: int = 1) -> None:
        nonlocal spent
        spent += steps
        spend(meter, steps)

    monkeypatch.setattr(Meter, "spend", counted)
    session(MemorySystem(shape(FEW))).scan()
    few, spent = spent, 0
    session(MemorySystem(shape(MANY))).scan()
    assert spent < 2.5 * few
