"""What reaches very much is written in part, and what is left out is said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path as FilePath

import attrs
import pytest
from typing_extensions import override

from cli.flowing import flowing
from conflens.base.lazy import LazySequence
from conflens.cli.flows import paths, paths_markdown
from conflens.cli.main import main
from conflens.cli.report import contract
from conflens.cli.report.bounds import Bounds, Most
from conflens.cli.report.contract import Shown
from conflens.cli.report.report import report
from conflens.flow.results import Confidence, Path, Step

STEP = flowing().flows.of_option(("system-property", "pool.size")).flows[0].paths[0].steps[0]


def path(size: int) -> Path:
    return Path((STEP,) * size, Confidence.HIGH, (), 0)


def written(flows: Sequence[Sequence[int]], most: Most) -> tuple[list[list[int]], Bounds]:
    """The numbers of steps that are written of the paths of each option."""
    bound = Bounds(map(len, flows), most)
    found = []
    for sizes in flows:
        paths = (bound.path(path(size)) for size in sizes[: bound.begin(len(sizes))])
        found.append([len(shown[0]) for shown in paths if shown is not None])
    return found, bound


@pytest.mark.parametrize(
    ("flows", "most", "kept"),
    [
        ([[3, 3], [4]], Most(), [[3, 3], [4]]),
        ([[3] * 5, [3]], Most(flows_of_option=4), [[3] * 4, [3]]),
        ([[3] * 9, [3], [3] * 9], Most(flows=7), [[3] * 3, [3], [3] * 3]),
        ([[9]], Most(steps_of_path=4), [[4]]),
        ([[5] * 9, [], [5] * 9, [5] * 9], Most(steps=30), [[5, 5, 5], [], [5, 2], [5, 3]]),
        ([[5] * 9], Most(steps=30, steps_of_option=10), [[5] * 6]),
        ([[5, 5], [5, 5]], Most(steps=100, steps_of_option=6), [[5, 5], [5, 5]]),
    ],
)  # fmt: skip
def test_what_fits(flows: list[list[int]], most: Most, kept: list[list[int]]) -> None:
    assert written(flows, most)[0] == kept


def test_what_is_left_out_is_said() -> None:
    bound = Bounds((1,))
    assert bound.told() == ""
    bound.flows, bound.paths, bound.steps = 1200, 0, 1
    assert bound.told() == (
        "the result is too large: 1,200 flows and 1 step are left out; "
        "conflens flows --option NAME shows more of one option"
    )


def test_what_a_person_reads_is_bounded_as_well(
    tmp_path: FilePath, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    summed = " + ".join(f'Integer.getInteger("a.b{number}", 1)' for number in range(6))
    sleeps = "Thread.sleep(sum); " * 5
    code = f"class A {{ static int sum = {summed}; void m() throws Exception {{ {sleeps} }} }}"
    (tmp_path / "A.java").write_text(code)
    for module in (paths, paths_markdown):
        monkeypatch.setattr(module, "READ", Most(flows=12, steps_of_path=3))
    for form in ("table", "markdown"):
        main(["flows", str(tmp_path), "--no-cache", "--option", "a.*", "--format", form])
        shown = capsys.readouterr().out
        assert shown.count("and 3 more flows, left out because the result is too large") == 6
        assert "the result is too large: 18 flows and " in shown
        assert " steps …" in shown


def test_what_is_written_once_is_not_kept() -> None:
    class Lazy(LazySequence[Step]):
        made = 0

        @override
        def make(self) -> tuple[Step, ...]:
            Lazy.made += 1
            return (STEP, STEP)

    lazy = Lazy()
    bound = Bounds((1,))
    bound.begin(1)
    assert bound.path(attrs.evolve(path(1), steps=lazy)) == ((STEP, STEP), 0)
    assert len(lazy) == 2
    assert Lazy.made == 2


@pytest.mark.parametrize("paths", [1, None])
def test_json_in_pieces_looks_as_json_at_once(paths: int | None) -> None:
    found = contract.encode(report(flowing()), Shown(paths=paths))
    assert found == contract.encode_any(json.loads(found))
    assert b"left_out" not in found


def test_json_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    first = json.loads(contract.encode(report(flowing())))["options"]
    number = next(at for at, option in enumerate(first) if option["flows"])
    whole = first[number]["flows"]
    monkeypatch.setattr(contract, "Bounds", lambda flows: Bounds(flows, Most(1, 1, 2, 2, 2)))
    said: list[str] = []
    pieces = contract.chunks(report(flowing()), Shown(), said.append)
    found = json.loads(b"".join(pieces))
    (flow,) = found["options"][number]["flows"]
    assert flow["steps"] == [whole[0]["steps"][0], whole[0]["steps"][-1]]
    assert flow["steps_left_out"] == len(whole[0]["steps"]) - 2
    assert found["options"][number]["flows_left_out"] == len(whole) - 1
    assert found["left_out"]["steps"] == flow["steps_left_out"]
    assert said == [f"the result is too large: {said[0].partition(': ')[2]}"]


def test_many_options_in_one_sum(tmp_path: FilePath, capfd: pytest.CaptureFixture[str]) -> None:
    terms = "+".join(f'Integer.getInteger("a.b{number}")' for number in range(60))
    body = "Thread.sleep(S);" * 60
    (tmp_path / "A.java").write_text(
        f"class A {{ static int S = {terms}; void f() throws Exception {{ {body} }} }}"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contract, "Bounds", lambda flows: Bounds(flows, Most(steps=5_000)))
        assert main(["scan", str(tmp_path), "--no-cache", "--format", "json"]) == 0
    out, err = capfd.readouterr()
    found = json.loads(out)
    assert sum(len(flow["steps"]) for one in found["options"] for flow in one["flows"]) <= 5_000
    assert all(option["flows"] for option in found["options"])
    assert found["left_out"]["flows"] > 3_000
    assert "the result is too large" in err
