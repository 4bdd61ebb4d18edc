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
