"""A cause-effect chain as steps that a person goes through one by one: from the read of an option to the hotspot.

The steps are those of the flow up to its *hold* (where the option takes hold of what runs), then the calls of the profile
below it, and the hotspot last.  A step is a place of today; what has none (a library's frame, a member that is gone) is
left out and counted in the step after it.  A call stands on its line where that can be trusted, else at its method's name.
A step around the one before it, such as the assignment of what was read, is one with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.base.words import count, shorten
from conflens.diagnosis.evidence import chain_text
from conflens.diagnosis.report import legible
from conflens.diagnosis.results import Cause, Located, Suspect
from conflens.flow.results import Dependency, OptionKey, StepRole
from conflens.ide.profile.chain_reasons import call_why, hold_why, hotspot_why, step_why
from conflens.ide.profile.profile import Profile, carried, line_place, line_today, step_today
from conflens.program.refs import MemberRef
from conflens.render.flow_view import StepView
from conflens.session.analysis import Analysis

MAX_STEPS = 100
_MAX_TEXT = 80


class ChainRole(StrEnum):
    """What a step is, beyond the roles of a flow."""

    HOLD = "hold"
    CALL = "call"
    HOTSPOT = "hotspot"


_DECIDES = "decides here"
_ROLES = frozenset(map(str, ChainRole))
_HELD_CALL = (str(ChainRole.HOLD), str(ChainRole.CALL))
"""A call that the option takes hold of itself; that it does is what matters."""


@attrs.frozen
class ChainStep:
    """One step: ``text`` is its source on one line, ``method`` where it stands, ``skipped`` how many calls
    without a place come before it, ``why`` one sentence on why it is a step."""

    place: Place
    role: str
    text: str
    method: str
    skipped: int = 0
    why: str = ""


@attrs.frozen
class Chain:
    """A chain: ``title`` is one line, ``number`` of ``total`` chains of the option counts from 0."""

    title: str
    number: int
    total: int
    steps: tuple[ChainStep, ...]


def chain(analysis: Analysis, profile: Profile, option: OptionKey, number: int) -> Chain | None:
    """Return chain ``number`` of an option; ``None`` if there is none."""
    suspect = next((item for item in profile.diagnosis.suspects if item.option == option), None)
    if suspect is None or not 0 <= number < len(suspect.causes):
        return None
    cause = suspect.causes[number]
    steps = tuple(chain_steps(analysis, profile, cause))
    return Chain(_title(profile, suspect, cause), number, len(suspect.causes), steps)


def chain_steps(analysis: Analysis, profile: Profile, cause: Cause) -> list[ChainStep]:
    """Return the steps of a chain; the first ones and the last if there are more than ``MAX_STEPS``."""
    steps: list[ChainStep] = []
    for step in (*_flow(analysis, profile, cause), *_calls(analysis, profile, cause)):
        before = steps[-1] if steps else None
        if before is None or not _covers(step.place, before.place):
            steps.append(step)
        elif step.role in _ROLES and (before.role, step.role) != _HELD_CALL:
            # The later role says more: where an option takes hold, and what is hot.
            why = step.why if before.role != ChainRole.HOLD else f"{before.why} {step.why}"
            steps[-1] = attrs.evolve(step, skipped=before.skipped + step.skipped, why=why)
    return steps if len(steps) <= MAX_STEPS else [*steps[: MAX_STEPS - 1], steps[-1]]


def _covers(outer: Place, inner: Place) -> bool:
    return outer.path == inner.path and outer.start <= inner.start and inner.end <= outer.end


_BY = {
    Dependency.DIRECT: "as an argument",
    Dependency.BRANCH: "by a condition",
    Dependency.LOOP: "by a loop",
}


def _title(profile: Profile, suspect: Suspect, cause: Cause) -> str:
    frame = cause.hotspot.method.frame
    hotspot = f"{frame.owner.rpartition('.')[2]}.{frame.method}".strip(".")
    name = shorten(legible(suspect.option[1]), _MAX_TEXT)
    cost = chain_text(profile.diagnosis, cause)
    title = f"{name} → {legible(hotspot)} {_BY[cause.dependency]}: {cost}"
    return f"{title}; {cause.effect}" if cause.effect else title


def _flow(analysis: Analysis, profile: Profile, cause: Cause) -> Iterator[ChainStep]:
    hold = cause.hold
    for step in hold.path.steps:
        role = step.role
        if role is StepRole.OPERATION:
            is_direct = hold.dependency is Dependency.DIRECT
            role = StepRole.ARGUMENT if is_direct else StepRole.GUARD
        yield from _step(analysis, profile, step.ref, step.instr, str(role), step_why(role))
    code = profile.program.body(hold.ref).code if hold.index >= 0 else ()
    instr = code[hold.index] if hold.index < len(code) else None
    why = hold_why(cause, instr, _last(cause) <= max(0, cause.joint))
    yield from _step(analysis, profile, hold.ref, hold.index, str(ChainRole.HOLD), why)


def _step(
    analysis: Analysis, profile: Profile, ref: MemberRef, index: int, role: str, why: str
) -> Iterator[ChainStep]:
    step = step_today(analysis, profile, ref, index)
    if step is not None and step.place is not None:
        text = step.text(_MAX_TEXT) if step.index >= 0 else ""
        yield ChainStep(step.place, role, text or step.method, step.method, why=why)


def _calls(analysis: Analysis, profile: Profile, cause: Cause) -> Iterator[ChainStep]:
    frames = cause.chain.frames
    final = _last(cause)
    skipped = 0
    for number in range(max(0, cause.joint), final + 1):
        frame, last = frames[number], number == final
        if number == cause.joint and not last and not frame.line:
            continue  # The hold stands in this member and was the step before.
        role = ChainRole.HOTSPOT if last else ChainRole.CALL
        step = _frame(analysis, profile, frame, str(role))
        if step is None:
            skipped += 1
            continue
        if last:
            why = hotspot_why(profile.diagnosis, cause.hotspot, final < len(frames) - 1)
        else:
            named, spawned = step.text == step.method, cause.spawned and number > cause.joint
            why = call_why(named, skipped, spawned)
        yield attrs.evolve(step, skipped=skipped, why=why)
        skipped = 0


def _last(cause: Cause) -> int:
    """The last frame in the project: what a library does is the own work of the member that calls it."""
    frames = cause.chain.frames
    return max((number for number, frame in enumerate(frames) if frame.ref is not None), default=0)


def _frame(analysis: Analysis, profile: Profile, located: Located, role: str) -> ChainStep | None:
    today = carried(profile, analysis.program, located.ref) if located.ref is not None else None
    if today is None or located.ref is None:
        return None
    ref, is_same = today
    declaration = StepView(analysis, ref, -1)
    method = declaration.method
    if is_same and located.line:
        line = line_today(profile, analysis.program, located.ref, ref, located.line)
        place = line_place(analysis, ref.path, line)
        if place is not None:
            text = analysis.texts.text(ref.path) or b""
            source = text[place.start : place.end].decode("utf-8", "replace")
            return ChainStep(place, role, shorten(source, _MAX_TEXT), method)
    name = declaration.place
    return ChainStep(name, role, method, method) if name is not None else None


def step_line(step: ChainStep) -> str:
    """Return a step in one line for a list: ``call · encode(block) · Encoder.run``."""
    role = _DECIDES if step.role == ChainRole.HOLD else step.role
    parts = [role, step.text] if step.text == step.method else [role, step.text, step.method]
    if step.skipped:
        parts.append(f"after {count(step.skipped, 'call')} outside the project")
    return " · ".join(parts)
