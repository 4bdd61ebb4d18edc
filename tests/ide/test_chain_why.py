"""Why each step of a cause-effect chain is one."""

from __future__ import annotations

import attrs
import pytest

from conflens.flow.results import Step, StepRole
from conflens.ide.profile.chain import chain, chain_steps
from conflens.ide.profile.chain_reasons import step_why
from conflens.ide.profile.profile import Profile
from conflens.profiling.model import EventKind
from conflens.session.analysis import Analysis
from ide.test_profile import CHAIN, SOURCE
from ide.toy import project
from ide.toy_profile import profile

KEY = "system-property", "a.jobs"
READ = "The option's value enters the program here."
ON_THE_WAY = "This call leads to the hotspot."


def told(analysis: Analysis, made: Profile) -> list[str]:
    found = chain(analysis, made, KEY, 0)
    assert found is not None
    return [step.why for step in found.steps]


def of(source: str, *chains: str, compared: bool = True) -> list[str]:
    found = project({"A.java": source}).analysis
    return told(found, profile(found, *chains, compared=compared))


def test_from_the_read_through_a_loop_to_the_hotspot() -> None:
    assert of(SOURCE, CHAIN) == [
        READ,
        "The value controls how often this loop repeats the call below.",
        ON_THE_WAY,
        "34 % of CPU time is spent here (51 of 150 samples; 10 samples before).",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "if (jobs > 2) encode(data); // hold a.jobs branch",
            "The value is compared here, and the branch controls whether the call below runs.",
        ),
        (
            "encode(data); // hold a.jobs branch",
            "The value controls whether the call below runs.",
        ),
        (
            "encode(data); // hold a.jobs loop",
            "The value controls how often the call below runs.",
        ),
        (
            "encode(data); // hold a.jobs direct",
            "The value is an argument of this call and affects its cost.",
        ),
        (
            "byte[] more = new byte[jobs]; // hold a.jobs direct",
            "The value sizes or configures the object that is created here.",
        ),
    ],
)
def test_decisions_at_an_influence_point(line: str, expected: str) -> None:
    source = SOURCE.replace("// hold a.jobs loop", "").replace("encode(data); // spent 40", line)
    assert of(source, "a.jobs: 12 % A.run A.encode")[1] == expected


def changed(**changes: object) -> list[str]:
    """The sentences of a chain with another cause."""
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, CHAIN)
    ((cause,),) = [suspect.causes for suspect in made.diagnosis.suspects]
    other = attrs.evolve(cause, **changes)  # type: ignore[arg-type]
    return [step.why for step in chain_steps(found, made, other)]


def test_objects_that_were_chosen_or_created() -> None:
    found = project({"A.java": SOURCE}).analysis
    ((cause,),) = [one.causes for one in profile(found, CHAIN).diagnosis.suspects]
    hold = attrs.evolve(cause.hold, target=cause.chain.frames[-1].ref)
    assert changed(hold=hold)[1] == (
        "The option selected this object, and therefore the method that the call runs."
    )
    assert changed(made=True)[1] == (
        "The value controls whether the object whose method runs below is created."
    )


def test_own_work_at_an_influence_point() -> None:
    *_, hold, last = of(SOURCE, "a.jobs: 12 % A.run")
    assert hold == "The value controls how often this loop repeats the costly code."
    assert last.startswith("0.2 % of CPU time is spent here")


def test_a_step_that_decides_and_is_hot_shows_both() -> None:
    *_, last = of(SOURCE, "a.jobs: 12 % A.run:4")
    assert last == (
        "The value controls how often this loop repeats the costly code. "
        "0.2 % of CPU time is spent here (0.30 of 150 samples; 10 samples before)."
    )


def test_calls_missing_from_the_profile() -> None:
    way = "a.jobs: 12 % A.run x.Lib.one y.Lib.two A.cold A.encode:10"
    assert of(SOURCE, way)[2] == (
        "This method runs on the way to the hotspot, after 2 calls outside the project."
    )
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, way)
    ((cause,),) = [suspect.causes for suspect in made.diagnosis.suspects]
    spawned = attrs.evolve(cause, spawned=True)
    assert [step.why for step in chain_steps(found, made, spawned)][2] == (
        "This method runs on the way to the hotspot, in another thread, after 2 calls outside the project."
    )


def test_the_cost_of_a_hotspot() -> None:
    assert of(SOURCE, f"{CHAIN} java.util.zip.Deflater.deflate")[-1].startswith(
        "12 % of CPU time is spent here, in Deflater.deflate (18 of 150 samples;"
    )
    found = project({"A.java": SOURCE}).analysis
    made = profile(found, CHAIN)
    ((cause,),) = [suspect.causes for suspect in made.diagnosis.suspects]
    hotspot = attrs.evolve(cause.hotspot, before=None, kind=EventKind.ALLOCATION)
    assert changed(hotspot=hotspot)[-1] == (
        "34 % of memory allocation is spent here (51 of 150 samples)."
    )
    hotspot = attrs.evolve(cause.hotspot, before=0.0)
    assert changed(hotspot=hotspot)[-1].endswith("; new).")


@pytest.mark.parametrize("role", [role for role in StepRole if role is not StepRole.OPERATION])
def test_every_step_of_a_flow_has_a_sentence(role: StepRole) -> None:
    assert step_why(role).endswith(".")


def test_the_steps_of_a_flow_in_order() -> None:
    source = SOURCE.replace("    void run(", "    int more() { return jobs; }\n    void run(")
    found = project({"A.java": source}).analysis
    made = profile(found, CHAIN)
    ((cause,),) = [suspect.causes for suspect in made.diagnosis.suspects]
    read, guard = cause.hold.path.steps
    ref = found.program.ref("A.java", 1)
    steps = read, Step(ref, len(found.program.body(ref).code) - 1, StepRole.RETURN), guard
    path = attrs.evolve(cause.hold.path, steps=steps)
    longer = attrs.evolve(cause, hold=attrs.evolve(cause.hold, path=path))
    assert [step.why for step in chain_steps(found, made, longer)][:2] == [
        READ,
        "The method returns the value.",
    ]
