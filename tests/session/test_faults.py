"""A piece of the analysis that fails or costs too much costs itself only, and is reported with its place."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

from conflens.base.budget import Meter
from conflens.base.cancel import Cancelled
from conflens.base.system import MemorySystem
from conflens.flow import walk
from conflens.flow.guards import leaving
from conflens.flow.making import Making
from conflens.flow.uses import Uses
from conflens.options.binding import binding
from conflens.options.incremental import flow_analysis
from conflens.options.reads import dispatch, wrappers
from conflens.options.reads.scan import Scanner
from conflens.program.refs import MemberRef
from conflens.session.analysis import Analysis
from conflens.session.faults import CODE
from conflens.session.store.cache import Cache
from session.support import session

FILES = {
    "p/Good.java": """package p;
class Good {
  void run() throws Exception { Thread.sleep(Integer.getInteger("good.millis", 5)); }
}
""",
    "p/Odd.java": """package p;
class Odd {
  void odd() throws Exception {
    Thread.sleep(Integer.getInteger("odd.millis", 7));
  }
}
""",
}
READ = ("p/Odd.java", 4)


def failing(monkeypatch: pytest.MonkeyPatch, where: type, name: str) -> None:
    """Make a method fail where it is about a body of ``Odd``."""
    original: Callable[..., object] = getattr(where, name)

    def fails(self: object, *arguments: object, **more: object) -> object:
        code = getattr(self, "code", None)
        refs = [ref for ref in (getattr(code, "ref", None), *arguments) if ref is not None]
        refs = [getattr(ref, "ref", ref) for ref in refs]
        for ref in refs:
            if isinstance(ref, MemberRef) and ref.path.endswith("Odd.java"):
                raise RecursionError("maximum recursion depth exceeded")
        return original(self, *arguments, **more)

    monkeypatch.setattr(where, name, fails)


def reported(analysis: Analysis) -> list[tuple[str, int]]:
    return [(item.path, item.line) for item in analysis.problems if item.code == CODE]


def reached(analysis: Analysis, name: str) -> int:
    return len(analysis.flows.of_option(("system-property", name)).flows)


def test_a_walk_that_fails_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, Making, "add")
    system = MemorySystem(FILES)
    one = session(system)
    analysis = one.scan()
    assert (reached(analysis, "good.millis"), reached(analysis, "odd.millis")) == (1, 0)
    assert reported(analysis) == [READ]
    (problem,) = analysis.problems
    assert "'odd.millis'" in problem.message
    assert "RecursionError" in problem.message and "test_faults.py" in problem.message

    one.open("p/Good.java", FILES["p/Good.java"].replace("5", "6"), 2)
    analysis = one.rebuild()
    assert reported(analysis) == [READ], "an edit elsewhere leaves it reported"
    assert reached(analysis, "good.millis") == 1

    monkeypatch.undo()
    one.open("p/Odd.java", FILES["p/Odd.java"].replace("7", "8 "), 2)
    analysis = one.rebuild()
    assert reported(analysis) == []
    assert reached(analysis, "odd.millis") == 1


def test_a_cancelled_walk_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(*_: object) -> None:
        raise Cancelled

    monkeypatch.setattr(Making, "add", cancelled)
    with pytest.raises(Cancelled):
        session(MemorySystem(FILES)).scan()


def test_a_body_that_fails_in_discovery_affects_only_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing(monkeypatch, Scanner, "_scan_body")
    analysis = session(MemorySystem(FILES)).scan()
    assert [option.name for option in analysis.options.options] == ["good.millis"]
    assert reported(analysis) == [("p/Odd.java", 3)]


def test_a_type_that_is_not_inferred_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Uses.values_of

    def values_of(
        self: Uses, places: list[tuple[MemberRef, int]], enough: object = None
    ) -> object:
        if any(ref.path == "p/Odd.java" for ref, _ in places):
            raise ValueError("odd")
        return original(self, places, enough)  # type: ignore[arg-type]

    monkeypatch.setattr(Uses, "values_of", values_of)
    one = session(MemorySystem(FILES))
    analysis = one.scan()
    types = {option.name: option.type.value for option in analysis.options.options}
    assert types["good.millis"] == "time"
    assert set(types) == {"good.millis", "odd.millis"}
    assert reported(analysis) == [READ]
    one.open("p/Good.java", FILES["p/Good.java"].replace("5", "6"), 2)
    assert reported(one.rebuild()) == [READ]
    monkeypatch.undo()
    one.open("p/Odd.java", FILES["p/Odd.java"].replace("7", "8 "), 2)
    assert reported(one.rebuild()) == []


@pytest.mark.parametrize("step", [dispatch, binding])
def test_a_step_that_fails_leaves_the_options_of_the_others(
    monkeypatch: pytest.MonkeyPatch, step: object
) -> None:
    def find(*_: object) -> object:
        raise KeyError("odd")

    monkeypatch.setattr(step, "find", find)
    analysis = session(MemorySystem(FILES)).scan()
    assert {option.name for option in analysis.options.options} == {"good.millis", "odd.millis"}
    paths = {path for path, _ in reported(analysis)}
    assert paths == ({"p/Good.java", "p/Odd.java"} if step is dispatch else {"."})


def test_a_walk_that_exceeds_its_budget_keeps_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = "".join(f"    Thread.sleep({n} + value);\n" for n in range(200))
    large = f"""package p;
class Large {{
  void large() throws Exception {{
    int value = Integer.getInteger("large.millis", 7);
{calls}  }}
}}
"""
    monkeypatch.setattr(walk, "STEPS", 500)
    analysis = session(MemorySystem({**FILES, "p/Large.java": large})).scan()
    assert reported(analysis) == [("p/Large.java", 4)]
    assert reached(analysis, "good.millis") == reached(analysis, "odd.millis") == 1
    (cold,) = analysis.flows.of_option(("system-property", "large.millis")).cold
    assert "too large" in cold.reason


def test_all_walks_of_one_file_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = "".join(f'    Thread.sleep(Integer.getInteger("large.r{n}", 7));\n' for n in range(50))
    large = f"package p;\nclass Large {{\n  void large() throws Exception {{\n{reads}  }}\n}}\n"
    monkeypatch.setattr(flow_analysis, "FILE_STEPS", 200)
    analysis = session(MemorySystem({**FILES, "p/Large.java": large})).scan()
    lines = [line for path, line in reported(analysis) if path == "p/Large.java"]
    assert 0 < len(lines) < 50
    assert reached(analysis, "large.r0") == 1
    assert reached(analysis, "good.millis") == reached(analysis, "odd.millis") == 1


def test_what_the_walks_of_all_files_cost_has_a_bound_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "package p;\nclass F# {{ void f() throws Exception {{ Thread.sleep(Integer.getInteger({name}, 7)); }} }}\n"
    files = {f"p/F{n}.java": text.format(name=f'"f.f{n}"').replace("#", str(n)) for n in range(40)}
    assert not reported(session(MemorySystem(files)).scan())
    monkeypatch.setattr(flow_analysis, "ALL_STEPS", 200)
    analysis = session(MemorySystem(files)).scan()
    assert 0 < len(reported(analysis)) < 40
    assert len(analysis.options.options) == 40


def test_what_a_walk_keeps_counts_for_the_budget_of_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writes = "".join(f'    size = Integer.getInteger("large.r{n}", 7);\n' for n in range(30))
    loads = "".join(f"    byte[] b{n} = new byte[size];\n" for n in range(30))
    large = f"package p;\nclass Large {{\n  static int size;\n  void large() {{\n{writes}  }}\n  void use() {{\n{loads}  }}\n}}\n"
    files = {**FILES, "p/Large.java": large}
    assert not reported(session(MemorySystem(files)).scan())
    monkeypatch.setattr(flow_analysis, "FILE_STEPS", 30 * 30 * 15)
    analysis = session(MemorySystem(files)).scan()
    lines = [line for path, line in reported(analysis) if path == "p/Large.java"]
    assert 0 < len(lines) < 30
    assert reached(analysis, "large.r0") == 30
    assert reached(analysis, "good.millis") == reached(analysis, "odd.millis") == 1


def test_loops_over_constants_share_a_bound_within_their_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    constants = ", ".join(f'C{n}("e{n}")' for n in range(12))
    loops = "".join(
        f'  static void m{n}() {{ for (Many one : values()) System.getProperty("m{n}." + one.key); }}\n'
        for n in range(3)
    )
    many = f"package p;\nenum Many {{\n  {constants};\n  final String key;\n  Many(String key) {{ this.key = key; }}\n{loops}}}\n"
    files = {**FILES, "p/Many.java": many}
    monkeypatch.setattr(wrappers, "MOST_SPREAD", 30)
    analysis = session(MemorySystem(files)).scan()
    names = {option.name for option in analysis.options.options}
    assert {"m0.e0", "m1.e11", "good.millis", "odd.millis"} <= names
    assert not any(name.startswith("m2.e") for name in names)
    (fault,) = [item for item in analysis.problems if item.code == CODE]
    assert (fault.path, fault.line) == ("p/Many.java", 8)
    assert "more than 30 options" in fault.message


def test_faults_are_not_stored_as_if_they_were_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failing(monkeypatch, Making, "add")
    cache = Cache(tmp_path / "cache.sqlite", "1")
    assert reported(session(MemorySystem(FILES), cache=cache).scan()) == [READ]
    monkeypatch.undo()
    analysis = session(MemorySystem(FILES), cache=cache).scan()
    assert reported(analysis) == []
    assert reached(analysis, "odd.millis") == 1


@pytest.mark.parametrize("arm", ["Thread.sleep(1);", "return 1;", "throw new RuntimeException();"])
def test_a_chain_as_long_as_a_file_is_no_recursion(arm: str) -> None:
    chain = " else ".join(f"if (mode == {n}) {{ {arm} }}" for n in range(2_000))
    text = f"""package p;
class Chain {{
  int mode = Integer.getInteger("chain.mode", 3);
  int run(int mode) throws Exception {{
    {chain} else {{ {arm} }}
    return 0;
  }}
}}
"""
    one = session(MemorySystem({"p/Chain.java": text}))
    program = one.scan().program
    (ref,) = [
        program.ref("p/Chain.java", number)
        for number, member in enumerate(program.files["p/Chain.java"].members)
        if member.name == "run"
    ]
    code = Uses(program, one._models).code(ref)
    first = code.code[code.branches[0]]
    left = leaving(code, (first.else_start, first.stop))  # type: ignore[union-attr]
    assert (left is None) == arm.startswith("Thread")


@pytest.mark.parametrize(("fields", "told"), [(5, []), (6, ["S.java"])])
def test_a_bound_class_of_too_many_options_is_told(
    monkeypatch: pytest.MonkeyPatch, fields: int, told: list[str]
) -> None:
    monkeypatch.setattr("conflens.options.binding.expand.MOST", 5)
    body = " ".join(f"private int size{one};" for one in range(fields))
    text = (
        "import org.springframework.boot.context.properties.ConfigurationProperties;\n"
        f'@lombok.Data @ConfigurationProperties("a") class S {{ {body} }}'
    )
    analysis = session(MemorySystem({"S.java": text})).scan()
    assert len(analysis.options.options) == 5
    assert [problem.path for problem in analysis.problems] == told
    assert all("S has more than 5 options" in problem.message for problem in analysis.problems)


CHOSEN = " + ".join(f'(t > {one} ? "many.a{one}" : "b")' for one in range(4))
PASSED = "\n".join(f"  int w{n}(String key) {{ return w{n + 1}(key); }}" for n in range(1, 7))
CUT = f"""package p;
class Cut {{
  void many(int t) throws Exception {{
    Thread.sleep(Integer.getInteger({CHOSEN}, 3));
  }}
{PASSED}
  int w7(String key) {{ return Integer.getInteger(key, 3); }}
  int far() {{ return w1("far.size"); }}
}}
"""


def test_names_and_callers_beyond_a_bound_are_reported_and_stored(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite", "1")
    one = session(MemorySystem({**FILES, "p/Cut.java": CUT}), cache=cache)
    analysis = one.scan()
    assert reported(analysis) == [("p/Cut.java", 4), ("p/Cut.java", 6)]
    again = session(MemorySystem({**FILES, "p/Cut.java": CUT}), cache=cache).scan()
    assert again.stats.cached_files == 3
    assert again.problems == analysis.problems
    assert again.options == analysis.options


def test_what_is_cut_no_more_is_reported_no_more() -> None:
    system = MemorySystem({**FILES, "p/Cut.java": CUT})
    one = session(system)
    one.scan()
    system.write(
        "p/Cut.java", CUT.replace('(t > 0 ? "many.a0" : "b") + (t > 1 ? "many.a1" : "b") + ', "")
    )
    one.files_changed(["p/Cut.java"])
    assert reported(one.rebuild()) == [("p/Cut.java", 6)]
    system.write("p/Cut.java", CUT.replace("return w2(key)", "return Integer.getInteger(key, 3)"))
    one.files_changed(["p/Cut.java"])
    analysis = one.rebuild()
    assert reported(analysis) == [("p/Cut.java", 4)]
    assert "far.size" in {option.name for option in analysis.options.options}


def test_readers_neither_pay_nor_are_refused() -> None:
    meter = Meter()
    with meter.limited(3):
        reader = Thread(target=meter.spend, args=(5,))
        reader.start()
        reader.join()
        meter.spend(2)
        assert meter.left == 1
    with ThreadPoolExecutor(1) as pool, meter.limited(0):
        pool.submit(meter.spend, 5).result()


def test_bodies_that_are_taken_over_to_a_later_program_are_paid_for_by_its_budget() -> None:
    system = MemorySystem(dict(FILES))
    living = session(system)
    first = living.scan()
    path = next(path for path in FILES if path.endswith(".java"))
    system.write(path, FILES[path].replace("{", "{ // edited", 1))
    living.files_changed([path])
    program = living.rebuild().program
    assert program is not first.program
    opened = [one for one in program.contexts.values() if one.program is program]
    assert opened
    assert all(one.code.meter is program.meter for one in opened)
