"""Where options decide what a profile measured, and how much of the run depends on each.

Terms
    dependence   the part of the run that ran under an option, its main kind first (``diagnosis.evidence``); one that is
                 less than ``LEAST`` is not worth a line of its own.
    decision     an instruction of today (``hold``) by which options decide, with the chains that pass it.

Invariant: a decision whose member has changed since the diagnosis is left out, so that no line is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from conflens.base.words import joined, shorten_name
from conflens.diagnosis.evidence import Part, amounts, part_of
from conflens.diagnosis.report import KIND_WORDS, is_compared, legible, main_total, percent
from conflens.diagnosis.results import Cause, Diagnosis, Suspect, Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.profile import Profile, carried
from conflens.render.flow_view import StepView
from conflens.session.analysis import Analysis

LEAST = 0.05
_MAX_NAMES = 3
_MAX_NAME = 40


@attrs.frozen
class Decision:
    """See the module text; ``member`` and ``hold`` are numbers in the diagnosis.

    ``chains`` are the suspects that decide there, each with the numbers of its chains, in rank order; ``part`` is what
    depends on the first of them there.
    """

    member: int
    hold: int
    step: StepView
    chains: tuple[tuple[Suspect, tuple[int, ...]], ...]
    part: Part


def dependence(diagnosis: Diagnosis, option: OptionKey) -> Part | None:
    """Return how much of the run depends on an option, ``None`` for less than a line is worth; of one that is not suspected
    only the main kind counts."""
    suspect = next((item for item in diagnosis.suspects if item.option == option), None)
    if suspect is None and option not in diagnosis.under:
        return None
    if suspect is not None and suspect.verdict is Verdict.UNCHANGED:
        return None
    part = part_of(diagnosis, option, whole_run=True)
    main = main_total(diagnosis)
    if suspect is None and (part is None or main is None or part.kind is not main.kind):
        return None
    return part if part is not None and part.share >= LEAST else None


def dependence_text(diagnosis: Diagnosis, part: Part, on: str) -> str:
    """Return a dependence in words: ``89 % of CPU time depends on this (10.9 of 12.2 s)``."""
    cost = amounts(diagnosis, part.kind, part.weight, part.whole)
    return f"{percent(part.share)} of {KIND_WORDS[part.kind]} depends on {on} ({cost})"


def option_text(diagnosis: Diagnosis, option: OptionKey) -> str:
    """Return what a lens says of an option at its key or declaration, empty for too little."""
    part = dependence(diagnosis, option)
    if part is None:
        return ""
    suspect = next((item for item in diagnosis.suspects if item.option == option), None)
    return dependence_text(diagnosis, part, "this") + _cause(diagnosis, suspect)


def decision_text(diagnosis: Diagnosis, decision: Decision) -> str:
    """Return what a lens says at a decision: ``89 % of CPU time depends on jobs (…) · likely cause of the slow-down``."""
    suspects = [suspect for suspect, _ in decision.chains]
    names = [shorten_name(legible(item.option[1]), _MAX_NAME) for item in suspects[:_MAX_NAMES]]
    more = len(suspects) - len(names)
    on = joined(names + ([f"{more} more"] if more else []))
    return dependence_text(diagnosis, decision.part, on) + _cause(diagnosis, suspects[0])


def _cause(diagnosis: Diagnosis, suspect: Suspect | None) -> str:
    is_likely = suspect is not None and suspect.verdict is Verdict.LIKELY
    return " · likely cause of the slow-down" if is_likely and is_compared(diagnosis) else ""


def decisions(analysis: Analysis, profile: Profile, path: str) -> Iterator[Decision]:
    """Yield the decisions in a file."""
    places: dict[tuple[int, int], dict[int, list[int]]] = {}
    suspects = profile.diagnosis.suspects
    for rank, suspect in enumerate(suspects):
        if suspect.verdict is Verdict.UNCHANGED:
            continue
        for number, cause in enumerate(suspect.causes):
            hold = cause.hold
            if hold.ref.path == path and hold.index >= 0:
                chains = places.setdefault((hold.ref.number, hold.index), {})
                chains.setdefault(rank, []).append(number)
    for (member, index), chains in places.items():
        first, numbers = suspects[min(chains)], chains[min(chains)]
        part = _part_at(profile.diagnosis, first, numbers)
        today = carried(profile, analysis.program, first.causes[numbers[0]].hold.ref)
        if part is None or today is None or not today[1]:
            continue
        step = StepView(analysis, today[0], index)
        if step.place is not None:
            held = tuple((suspects[rank], tuple(chains[rank])) for rank in sorted(chains))
            yield Decision(member, index, step, held, part)


def _part_at(diagnosis: Diagnosis, suspect: Suspect, numbers: Sequence[int]) -> Part | None:
    """Return what depends on a suspect by some of its chains; by all of them, all that ran under it."""
    part = dependence(diagnosis, suspect.option)
    if part is None or len(numbers) == len(suspect.causes):
        return part
    chains = {id(cause.chain): cause.chain.after for cause in _of(suspect, numbers, part)}
    part = part._replace(weight=sum(chains.values()))
    return part if part.share >= LEAST else None


def _of(suspect: Suspect, numbers: Sequence[int], part: Part) -> Iterator[Cause]:
    causes = (suspect.causes[number] for number in numbers)
    return (cause for cause in causes if cause.hotspot.kind is part.kind)
