"""Wrappers of one method are joined, up to a bound on their names."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.options import discovery
from conflens.options.reads import kept_values
from conflens.options.reads.wrappers import fresh
from conflens.options.sites import NO_HINT, Api
from conflens.program.refs import MemberRef
from conflens.program.templates import Param, Templates
from session.support import session

REF = MemberRef("A.java", 0, "A")


def api(*names: str) -> Api:
    templates: Templates = tuple((Param(0), name) for name in names)
    return Api(REF, "system-property", "A.all", templates, None, NO_HINT, False, 1)


def test_names_of_one_method_are_joined_and_known_ones_left_out() -> None:
    (joined,) = fresh([api(".a")], [api(".a", ".b"), api(".b"), api(".c")])
    assert joined.names == ((Param(0), ".b"), (Param(0), ".c"))


def test_a_method_has_a_bounded_number_of_names() -> None:
    (joined,) = fresh([], [api(f".k{number}") for number in range(1_000)])
    assert 8 < len(joined.names) < 100
    assert fresh([joined], [api(".more")]) == []


def test_many_functions_passed_in_many_bodies_are_bounded_and_said() -> None:
    calls = "".join(f'f.apply("a.b{number}");' for number in range(100))
    passed = "h(System::getProperty);" * 20
    bodies = "".join(f"static void m{number}() {{ {passed} }}\n" for number in range(60))
    text = (
        "import java.util.function.Function;\nclass A {\n"
        f"static void h(Function<String, String> f) {{ {calls} }}\n{bodies}}}\n"
    )
    analysis = session(MemorySystem({"A.java": text})).scan()
    assert any(
        "too large for a complete answer" in problem.message for problem in analysis.problems
    )


def test_what_a_getter_gives_at_first_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    initial = kept_values._initial
    monkeypatch.setattr(
        kept_values, "_initial", lambda *given: (asked.append(given[2]), initial(*given))[1]
    )
    reads = "".join(f'c.setX(Integer.getInteger("a.b{n}", c.getX()));' for n in range(30))
    text = (
        "class C { int x = 1 + 1; int getX() { return x; } void setX(int v) { x = v; } }\n"
        f"class A {{ void a(C c) {{ {reads} }} }}\n"
    )
    analysis = session(MemorySystem({"A.java": text})).scan()
    assert [one.defaults[0].text for one in analysis.options.options] == ["2"] * 30
    assert len(asked) == len(set(asked)) == 1


def test_many_keys_below_many_prefixes_are_bounded_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(discovery, "FILE_STEPS", 100_000)
    reads = "".join(f'x{n} = p.getProperty(prefix + "k{n}");' for n in range(60))
    fields = "".join(f"String x{n};" for n in range(60))
    calls = "".join(f'load(p, "pre{n}.");\n' for n in range(60))
    text = (
        f"import java.util.*;\nclass A {{ {fields} void load(Properties p, String prefix) {{ {reads} }}\n"
        "void a() throws Exception { Properties p = new Properties();\n"
        f'p.load(new java.io.FileReader("app.properties")); {calls} }} }}\n'
    )
    analysis = session(MemorySystem({"A.java": text})).scan()
    assert any(
        "too large for a complete answer" in problem.message for problem in analysis.problems
    )
