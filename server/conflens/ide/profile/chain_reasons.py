"""Why each step of a cause-effect chain is one: a sentence for the person who steps through it (``profile.chain``).

A sentence says what happens to the value at the step, or what the step decides; where an option takes hold it names what is
decided about, and at the hotspot what it costs.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.base.words import count, shorten
from conflens.diagnosis.evidence import amounts, before_text
from conflens.diagnosis.report import KIND_WORDS, frame_name, legible, percent
from conflens.diagnosis.results import Cause, Diagnosis, Hotspot
from conflens.facts import ir
from conflens.flow.results import Dependency, StepRole

_MAX_NAME = 60
_STEPS: Mapping[str, str] = {
    StepRole.READ: "The option's value enters the program here.",
    StepRole.ASSIGN: "The value is stored in a variable.",
    StepRole.STORE: "The value is stored in a field.",
    StepRole.LOAD: "The value is read from the field.",
    StepRole.ARGUMENT: "The value is passed on as an argument.",
    StepRole.RETURN: "The method returns the value.",
    StepRole.COMPUTE: "Another value is computed from it.",
    StepRole.GUARD: "A condition on the value controls what runs next.",
    StepRole.CALL: "Whether this call runs depends on the value.",
}
_MADE = (ir.New, ir.NewArray)
_LOOPS = (ir.Loop, ir.ForEach)
_BRANCHES = (ir.If, ir.Switch, ir.Choice, ir.ShortCircuit)


def step_why(role: StepRole) -> str:
    """Return what a step of a flow does with the value."""
    return _STEPS.get(role, "")


def hold_why(cause: Cause, instr: ir.Instr | None, own: bool) -> str:
    """Return what the option decides where it takes hold; ``own``: about work of the same method, else about a call."""
    what = "the costly code" if own else "the call below"
    hold = cause.hold
    if cause.made:
        return "The value controls whether the object whose method runs below is created."
    if hold.target is not None:
        return "The option selected this object, and therefore the method that the call runs."
    if hold.dependency is Dependency.LOOP:
        if isinstance(instr, _LOOPS):
            return f"The value controls how often this loop repeats {what}."
        return f"The value controls how often {what} runs."
    if hold.dependency is Dependency.BRANCH:
        if isinstance(instr, _BRANCHES):
            return f"The value is compared here, and the branch controls whether {what} runs."
        return f"The value controls whether {what} runs."
    if isinstance(instr, _MADE):
        return "The value sizes or configures the object that is created here."
    return "The value is an argument of this call and affects its cost."


def call_why(named: bool, skipped: int, spawned: bool) -> str:
    """Return why a call below the hold is a step; ``named``: it is the method that is shown, not the call."""
    subject = "This method runs on the way" if named else "This call leads"
    after = f", after {count(skipped, 'call')} outside the project" if skipped else ""
    thread = ", in another thread" if spawned else ""
    return f"{subject} to the hotspot{thread}{after}."


def hotspot_why(diagnosis: Diagnosis, hotspot: Hotspot, is_library: bool) -> str:
    """Return what the hotspot costs."""
    of = KIND_WORDS[hotspot.kind]
    within = ""
    if is_library:
        within = f", in {shorten(legible(frame_name(hotspot.method.frame)), _MAX_NAME)}"
    total = next((item for item in diagnosis.totals if item.kind is hotspot.kind), None)
    cost = ""
    if total is not None:
        cost = amounts(diagnosis, hotspot.kind, hotspot.after, total.after)
        if hotspot.before is not None:
            cost += f"; {before_text(diagnosis, hotspot.kind, hotspot.before)}"
        cost = f" ({cost})"
    return f"{percent(hotspot.share)} of {of} is spent here{within}{cost}."
