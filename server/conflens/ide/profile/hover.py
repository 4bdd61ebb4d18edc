"""What a hover says of a profile: at an option how much of the run is under it, at a method what that costs.

An option has one paragraph: the share of the main kind (``diagnosis.report``) and how it divides, what the option
explains of the slow-down, its values in the runs, and the age of the snapshot where that matters.  What was not measured
or not recorded is not mentioned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conflens.base.span import Place
from conflens.base.words import shorten
from conflens.diagnosis.report import (
    KIND_WORDS,
    legible,
    main_total,
    parts_text,
    percent,
    shown_value,
)
from conflens.diagnosis.results import Under, Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.inlay_hints import explained
from conflens.ide.profile.profile import HOT, Profile, hot_members
from conflens.render.phrases import Wording, code
from conflens.session.analysis import Analysis

MAX_LINES = 2
_MAX_KINDS = 2
_MAX_VALUE = 60


def option_paragraph(profile: Profile, option: OptionKey) -> str:
    """Return what the profile says of an option, empty for nothing."""
    first, *others = [*_shares(profile, option), *_values(profile, option)] or [""]
    if not first:
        return ""
    text = f"Profile: {' '.join([first[0].lower() + first[1:], *others])}"
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
    diagnosis = profile.diagnosis
    total = main_total(diagnosis)
    shares = sorted(
        (item for item in diagnosis.under.get(option, ()) if item.share >= HOT),
        key=lambda item: (total is None or item.kind is not total.kind, -item.share),
    )
    clauses = []
    if shares:
        clauses.append(_under(shares[:_MAX_KINDS]))
    suspect = next((item for item in diagnosis.suspects if item.option == option), None)
    if suspect is not None and profile.compared and diagnosis.violated:
        if suspect.verdict is Verdict.UNCHANGED:
            clauses.append(
                "its value is the same in both runs, so the slow-down has another cause"
            )
        elif suspect.explained >= HOT:
            clauses.append(f"it explains {percent(suspect.explained)} of the slow-down")
    if clauses:
        yield f"{'; '.join(clauses)}."


def _under(shares: Sequence[Under]) -> str:
    of = [f"{percent(item.share)} of {KIND_WORDS[item.kind]}" for item in shares]
    parts = [_parts(item) for item in shares]
    within = [f" ({part})" if part else "" for part in parts]
    if len(of) == 1:
        return f"{of[0]} is under this option{within[0]}"
    clauses = [f"{text}{part}" for text, part in zip(of, within, strict=True)]
    return f"{' and '.join(clauses)} are under this option"


def _parts(item: Under) -> str:
    """Return how a share divides, by name alone where it does not."""
    ways = [way for way, share in item.parts.items() if share > 0]
    return str(ways[0]) if len(ways) == 1 else parts_text(item.parts)


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
