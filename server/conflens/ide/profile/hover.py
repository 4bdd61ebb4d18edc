"""What a hover says of a profile: at an option how much of the run is under it, at a method what that costs.

An option has one paragraph: how much of the run ran under it, which part of the slow-down that is
(``diagnosis.evidence``), its values in the runs, and the age of the snapshot where that matters.  What was not measured
or not recorded is not mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.diagnosis.evidence import amounts, part_of, part_text
from conflens.diagnosis.report import KIND_WORDS, legible, percent, shown_value
from conflens.diagnosis.results import Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.inlay_hints import explained
from conflens.ide.profile.profile import HOT, Profile, hot_members
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis

MAX_LINES = 2
_MAX_VALUE = 60


def option_paragraph(profile: Profile, option: OptionKey) -> str:
    """Return what the profile says of an option, empty for nothing."""
    sentences = [*_shares(profile, option), *_values(profile, option)]
    if not sentences:
        return ""
    text = f"Profile: {' '.join(sentences)}"
    return f"{text} {profile.note}" if profile.note else text


def method_paragraphs(
    analysis: Analysis, profile: Profile, path: str, offset: int, wording: Wording
) -> tuple[Place, str] | None:
    """Return the name of the costly method that a cursor touches, and the paragraphs about it."""
    for hot in hot_members(analysis, profile, path):
        if hot.row.own < HOT and hot.row.whole < HOT:
            continue
        place = hot.declaration.place
        if place is not None and place.holds(offset):
            return place, explained(analysis, profile, hot, wording)
    return None


def _shares(profile: Profile, option: OptionKey) -> Iterator[str]:
    """Yield how much of the run ran under an option, and what that has to do with the difference."""
    diagnosis = profile.diagnosis
    whole = part_of(diagnosis, option, whole_run=True)
    if whole is not None and whole.share >= HOT:
        cost = amounts(diagnosis, whole.kind, whole.weight, whole.whole)
        of = f"{percent(whole.share)} of {KIND_WORDS[whole.kind]}"
        yield f"**{of}** ran under this option ({cost})."
    suspect = next((item for item in diagnosis.suspects if item.option == option), None)
    if suspect is None or not profile.compared or not diagnosis.violated:
        return
    if suspect.verdict is Verdict.UNCHANGED:
        yield "Its value is the same in both runs, so the slow-down has another cause."
        return
    part = part_of(diagnosis, option)
    if suspect.verdict is Verdict.LIKELY or (part is not None and part.added):
        added = f": {part_text(diagnosis, part)}" if part is not None and part.added else ""
        cause = "Likely cause" if suspect.verdict is Verdict.LIKELY else "Possible cause"
        yield f"{cause} of the slow-down{added}."


def _values(profile: Profile, option: OptionKey) -> Iterator[str]:
    value = profile.diagnosis.values.get(option)
    if value is None:
        return
    if value.secret:
        if profile.compared:
            how = "is the same in both runs" if value.same else "differs between the runs"
            yield f"Its value {how}; it is redacted."
        return
    if value.after is None and value.before is None:
        yield "Not set in either run." if profile.compared else "Not set in this run."
        return
    text = f"Value in this run: {_value(value.after)}"
    if profile.compared:
        text += ", as in the baseline" if value.same else f" (baseline: {_value(value.before)})"
    yield f"{text}."


def _value(value: str | None) -> str:
    return "not set" if value is None else code(shorten(shown_value(legible(value)), _MAX_VALUE))
