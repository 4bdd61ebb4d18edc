"""After edits that exceed a budget, still exceed it or no longer do, the result is that of a fresh analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from conflens.base.system import MemorySystem
from conflens.flow import walk
from conflens.options import discovery
from conflens.options.binding import binding
from conflens.options.incremental import flow_analysis
from conflens.session.analysis import Analysis
from conflens.session.pipeline import Joined
from conflens.session.store.cache import Cache
from session.support import living_and_fresh, session

BUDGETS = (
    (walk, "STEPS"),
    (flow_analysis, "FILE_STEPS"),
    (flow_analysis, "ALL_STEPS"),
    (discovery, "FILE_STEPS"),
    (discovery, "ALL_STEPS"),
    (binding, "MEMBER_STEPS"),
)

PATHS = ("p/A.java", "p/B.java", "p/C.java")


def project(sizes: Mapping[str, int]) -> dict[str, str]:
    """Classes that use values of each other's options, some as often as is said."""
    files = {}
    for path, size in sizes.items():
        name = path[2]
        reads = "".join(
            f'    int r{n} = Integer.getInteger("{name}.r{n}", 7);\n    Shared.use(r{n}); Thread.sleep(r{n});\n'
            for n in range(size)
        )
        loads = f'    Properties p = new Properties(); p.load(new java.io.FileReader("{name}")); Shared.use(Integer.parseInt(p.getProperty("{name}.k")));\n'
        files[path] = (
            f"package p;\nimport java.util.*;\nclass {name} {{\n  void run() throws Exception {{\n{loads}{reads}  }}\n}}\n"
        )
    files["p/Shared.java"] = (
        "package p;\nclass Shared {\n  static int kept;\n"
        "  static void use(int n) throws Exception { kept = n; Thread.sleep(n); byte[] b = new byte[kept]; }\n}\n"
    )
    return files


def told(analysis: Analysis) -> object:
    return (
        analysis.options.options,
        analysis.problems,
        analysis.flows.reads,
        analysis.flows.options,
    )


SIZES = [(1, 1, 1), (1, 9, 1), (2, 9, 1), (2, 1, 2), (1, 1, 2)]


@pytest.mark.parametrize(("where", "name"), BUDGETS, ids=lambda one: getattr(one, "__name__", one))
@pytest.mark.parametrize("steps", [150, 900])
def test_edits_around_a_budget(
    where: object, name: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, steps)
    programs = [project(dict(zip(PATHS, sizes, strict=True))) for sizes in SIZES]
    for living, fresh in living_and_fresh(programs):
        assert told(living) == told(fresh)


def test_what_was_taken_from_the_cache_counts_for_a_budget(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, after = project({"p/A.java": 9}), project({"p/A.java": 9, "p/B.java": 9})
    system = MemorySystem({**before, "p/B.java": project({"p/B.java": 1})["p/B.java"]})
    needed = session(MemorySystem(after)).scan().program.meter.sums.steps[("flows",)]
    monkeypatch.setattr(flow_analysis, "ALL_STEPS", needed * 0.9)
    session(system, cache=Cache(tmp_path / "cache.sqlite", "1")).scan()
    living = session(system, cache=Cache(tmp_path / "cache.sqlite", "1"))
    assert living.scan().stats.cached_files
    system.write("p/B.java", after["p/B.java"])
    living.files_changed(["p/B.java"])
    analysis, fresh = living.rebuild(), session(MemorySystem(after)).scan()
    assert told(analysis) == told(fresh)
    assert fresh.problems


SHAPES = {
    "slices": "int v# = n + #; if (v# > #) x += v#;",
    "operations below conditions": "if (n > #) go#(x);",
    "cells of a map": 'm.put("k#", "" + n); Thread.sleep(Integer.parseInt(m.get("k#")));',
}
TIMES = 12


def heavy(name: str, shape: str) -> str:
    """A class whose one method makes much work for whoever hands it a value."""

    def each(text: str) -> str:
        return "\n".join(text.replace("#", str(number)) for number in range(TIMES))

    below = each(
        "static void go#(int x) throws Exception { for (int i = 0; i < 10; i++) "
        f'{{ Thread.sleep(i); new java.io.FileInputStream("a").read(); }} go{TIMES - 1}(x + #); }}'
    )
    fields = "static java.util.Map<String, String> m = new java.util.HashMap<>();"
    method = f"static void use(int n) throws Exception {{ int x = 0;\n{each(SHAPES[shape])}\nThread.sleep(x); }}"
    return f"package p;\nclass {name} {{\n{fields}\n{below}\n{method}\n}}\n"


def reader(name: str, *statements: str) -> str:
    return f"package p;\nclass {name} {{ void run() throws Exception {{ {' '.join(statements)} }} }}\n"


def read_into(option: str, *classes: str) -> str:
    used = " ".join(f"Big{name}.use(n{option[-1]});" for name in classes)
    return f'int n{option[-1]} = Integer.getInteger("{option}", 4); {used}'


KINDS = "abc"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("where", "name", "statements"),
    [
        (walk, "STEPS", (read_into("a.x", *KINDS),)),
        (
            flow_analysis,
            "FILE_STEPS",
            tuple(read_into(f"a.{kind}", kind) for kind in KINDS),
        ),
    ],
    ids=["one walk", "walks of one file"],
)
@pytest.mark.parametrize("removed", [False, True], ids=["added", "left alone"])
def test_what_other_walks_have_paid_for_counts(
    shape: str,
    where: object,
    name: str,
    statements: tuple[str, ...],
    removed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Walks over bodies that several other walks have been over cost a new analysis more than a living one: when they are
    added, and when the other ones are removed."""
    all_ = reader("Z" if removed else "A", *statements)
    path = "p/Z.java" if removed else "p/A.java"
    shared = {f"p/Big{kind}.java": heavy(f"Big{kind}", shape) for kind in KINDS}
    first = "A" if removed else "c"  # options are followed in the order of their names
    others = {
        f"p/C{kind}.java": reader(f"C{kind}", read_into(f"{first}.{kind}", kind)) for kind in KINDS
    }
    if removed:
        idle = {other: reader(other[2:4]) for other in others}
        before, after = {**shared, **others, path: all_}, {**shared, **idle, path: all_}
    else:
        before = {**shared, **others, path: reader("A", "Thread.sleep(3);")}
        after = {**shared, **others, path: all_}
    sums = session(MemorySystem(after)).scan().program.meter.sums.steps
    kind = "walk" if where is walk else "flows"
    needed = max(steps for key, steps in sums.items() if key[:2] == (kind, path))
    monkeypatch.setattr(where, name, needed * 0.9)
    last = [(living, fresh) for living, fresh in living_and_fresh([before, after])][-1]
    assert last[1].problems
    assert told(last[0]) == told(last[1])


def test_a_walk_that_is_done_again_and_again_does_not_begin_everything_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = project({"p/A.java": 3})
    needed = session(MemorySystem(files)).scan().program.meter.sums.steps[("flows",)]
    monkeypatch.setattr(flow_analysis, "ALL_STEPS", needed * 5)
    living = session(MemorySystem(files))
    living.scan()
    begun: list[object] = []
    whole = Joined._all
    monkeypatch.setattr(
        Joined, "_all", lambda self, *given: begun.append(given) or whole(self, *given)
    )
    text = files["p/Shared.java"]
    living.open("p/Shared.java", text, 0)
    for number in range(1, 12):
        edited = text.replace(
            "kept = n;",
            "kept = n; Thread.sleep(n);" if number % 2 else "kept = n; byte[] c = new byte[n];",
            1,
        )
        living.change("p/Shared.java", edited, number)
        analysis = living.rebuild()
    assert not begun
    fresh = session(MemorySystem({**files, "p/Shared.java": edited})).scan()
    assert told(analysis) == told(fresh)
