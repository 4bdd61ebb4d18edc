"""References to methods, passed to a method that calls them: their number is bounded, and that is said."""

from __future__ import annotations

from conflens.base.system import MemorySystem
from session.support import session
from steps import steps


def passing(calls: int, references: int) -> MemorySystem:
    asked = " ".join(f'use(f.apply("a.b{number}"));' for number in range(calls))
    passed = "h(System::getProperty); " * references
    return MemorySystem(
        {
            "A.java": "class A { static void h(java.util.function.Function<String, String> f) { "
            f"{asked} }} static void use(String text) {{ }} void m() {{ {passed} }} }}"
        }
    )


def test_reads_through_passed_functions_are_bounded() -> None:
    analysis = session(passing(50, 100)).scan()
    (problem,) = [one for one in analysis.problems if "functions passed here" in one.message]
    assert (problem.path, problem.line) == ("A.java", 1)
    assert steps(session(passing(50, 300)).scan) < 1.5 * steps(session(passing(50, 100)).scan)
    assert session(passing(5, 10)).scan().problems == ()
