"""Views of flows: spot, text, place and roles of each instruction on the way."""

from __future__ import annotations

from conflens.flow.results import (
    Confidence,
    Dependency,
    Path,
    Step,
    StepRole,
)
from conflens.program.refs import MemberRef
from conflens.render.flow_view import (
    MAX_LINES,
    FlowView,
    PathView,
    StepView,
    line_text,
    operations_at,
    reach_view,
)
from conflens.render.phrases import Wording
from ide.toy import Project, project

POOL = """class Pool {
    void fill() throws Exception {
        int size = Integer.getInteger("pool.size", 8); // step pool.size assign
        byte[] buffer = new byte[size]; // <- pool.size direct memory low guess
        if (size > 2) // step pool.size guard
            out.write(buffer); // <- pool.size branch io +1
        unknown(size); // cold pool.size a dynamic call
    }
}
"""
WORDING = Wording()


def pool() -> tuple[Project, FlowView]:
    made = project({"Pool.java": POOL})
    reach = reach_view(made.analysis, made.analysis.options.options[0])
    return made, reach.nearest[0]


def test_a_flow_has_operation_dependency_and_confidence() -> None:
    made, flow = pool()
    assert (flow.api, flow.kind, flow.verb, flow.is_sure) == ("out.write", "io", "controls", True)
    assert flow.manner == "branch (branch-unrelated), 1 call level below"
    assert flow.doubt == ""
    assert flow.text(40) == "out.write(buffer)"
    assert flow.text(12) == "out.write(…)"
    place = flow.operation.place
    assert place is not None
    assert made.show(place) == "Pool.java:6:17 write"
    assert (flow.operation.line, flow.operation.method) == (6, "Pool.fill")
    assert flow.operation.link(WORDING) == "[Pool.java:6](Pool.java#L6)"


def test_steps_on_the_same_code_are_one_line() -> None:
    _, flow = pool()
    (path,) = flow.paths
    assert [step.roles for step in path.steps] == [
        (StepRole.READ,),
        (StepRole.ASSIGN,),
        (StepRole.GUARD,),
        (StepRole.OPERATION,),
    ]
    assert [line_text(line, WORDING) for line in path.lines] == [
        'read, assign `size = Integer.getInteger("pool.size", 8)` in Pool.fill, '
        "[Pool.java:3](Pool.java#L3)",
        "guard `if (size > 2)` in Pool.fill, [Pool.java:5](Pool.java#L5)",
        "operation `out.write(buffer)` in Pool.fill, [Pool.java:6](Pool.java#L6)",
    ]
    assert path.read.line == 3


def test_certain_flows_come_first_and_only_they_are_counted() -> None:
    made = project({"Pool.java": POOL})
    reach = reach_view(made.analysis, made.analysis.options.options[0])
    assert [flow.is_sure for flow in reach.nearest] == [True, False]
    assert reach.counts == {(Dependency.BRANCH, "io"): 1}
    assert reach.operations == 2
    assert reach.nearest[1].doubt == "low confidence: guess"
    assert reach.nearest[1].paths[0].sureness == "low confidence (guess)."
    assert [len(flows) for flows in reach.by_operation.values()] == [1, 1]


def test_a_truncation_has_a_place_and_a_reason() -> None:
    made = project({"Pool.java": POOL})
    (truncation,) = reach_view(made.analysis, made.analysis.options.options[0]).truncations
    assert truncation.reason == "a dynamic call"
    assert truncation.step.where(WORDING) == "in Pool.fill, [Pool.java:7](Pool.java#L7)"


def test_a_removed_instruction_has_no_place_and_no_text() -> None:
    made, _ = pool()
    gone = StepView(made.analysis, MemberRef("Gone.java", 0, "p.Gone"), 3)
    assert (gone.place, gone.line, gone.text(80), gone.link(WORDING)) == (None, 0, "", "")
    assert gone.where(WORDING) == "in Gone, which is gone"


def test_the_head_of_a_condition_ends_at_its_own_parenthesis() -> None:
    condition = 'if (size > 2 && !name.equals(") {") && sizes(new int[] {1}))'
    made = project({"Pool.java": POOL.replace("if (size > 2)", condition)})
    flow = reach_view(made.analysis, made.analysis.options.options[0]).nearest[0]
    assert flow.paths[0].steps[2].text(100) == condition


def test_a_long_path_shows_both_ends() -> None:
    made, flow = pool()
    ref = flow.operation.ref
    steps = tuple(Step(ref, index, StepRole.LOAD) for index in (0, 1)) * (2 * MAX_LINES)
    view = PathView(made.analysis, Path(steps, Confidence.HIGH, (), 0))
    numbers = [number for number, _ in view.numbered()]
    assert len(numbers) <= MAX_LINES
    assert (numbers[0], numbers[-1]) == (1, len(view.lines))
    assert [number for number, _ in flow.paths[0].numbered(1)] == [2, 3]


def test_a_cursor_on_an_operation_lists_the_options_that_reach_it() -> None:
    made = project({"Pool.java": POOL.replace("out.write", "out.wr<|>ite")})
    touched = operations_at(made.analysis, made.path, made.offset)
    assert touched is not None
    place, operations = touched
    assert made.show(place) == "Pool.java:6:17 write"
    ((reacher,),) = operations.values()
    assert reacher.key == ("system-property", "pool.size")
    assert reacher.dependencies == (Dependency.BRANCH,)
    assert operations_at(made.analysis, made.path, 0) is None
