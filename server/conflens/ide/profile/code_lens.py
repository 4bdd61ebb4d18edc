"""Code lenses of a profile: above a method that costs much, which options are behind that; above the line by which an
option decides about it, how much depends on it.

``34 % CPU (4.1 of 12.2 s), new · likely cause: jobs`` opens the cause-effect chains.  A method without such an option has no
lens; its cost is a hint (``profile.inlay_hints``).  Nor has one that does, and adds, less than ``HOT`` of everything.  At most
``MAX_LENSES`` in a file, those that cost most, and one on a line.  At keys and declarations ``option_lens_text`` says what
depends on the option.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten_name
from conflens.diagnosis.evidence import chain_text, heat_text, verdict_words
from conflens.diagnosis.report import legible
from conflens.diagnosis.results import Cause, Suspect, Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.decisions import decision_text, decisions, option_text
from conflens.ide.profile.profile import HOT, HotMember, Profile, hot_members, suspects_at
from conflens.ide.settings.settings import Settings
from conflens.session.analysis import Analysis

MAX_LENSES = 20
_MAX_NAMES = 3
_MAX_NAME = 40
_MAX_CHAINS = 20


@attrs.frozen
class ProfileLens:
    """A lens above ``place``: the name of member number ``member`` of the file, or its instruction ``hold`` (of the program
    that was diagnosed) by which an option decides."""

    place: Place
    member: int
    hold: int = -1


@attrs.frozen
class Chain:
    """A chain that a lens opens: cause number ``cause`` of an option, and a line to choose it by."""

    option: OptionKey
    cause: int
    text: str


@attrs.frozen
class ProfileLensText:
    """The words of a lens, and the chains that it opens, that of the first option first."""

    title: str
    chains: tuple[Chain, ...]


def profile_lenses(
    analysis: Analysis, profile: Profile, path: str, settings: Settings
) -> tuple[ProfileLens, ...]:
    """Return the lenses of a file in order."""
    if not settings.code_lens or not settings.profile_lenses:
        return ()
    telling = [
        hot
        for hot in hot_members(analysis, profile, path)
        if _matters(hot) and suspects_at(profile.diagnosis, hot.was)
    ]
    telling.sort(key=lambda hot: -hot.row.own)
    found: dict[int, ProfileLens] = {}
    for hot in telling[:MAX_LENSES]:
        place = hot.declaration.place
        if place is not None:
            found[hot.declaration.line] = ProfileLens(place, hot.number)
    most = sorted(decisions(analysis, profile, path), key=lambda one: -one.part.share)
    for decision in most[:MAX_LENSES]:
        place = decision.step.place
        if place is not None:
            found[decision.step.line] = ProfileLens(place, decision.member, decision.hold)
    return tuple(sorted(found.values(), key=lambda lens: lens.place.start))


def profile_lens_text(
    analysis: Analysis, profile: Profile, path: str, member: int, hold: int = -1
) -> ProfileLensText | None:
    """Return the words of a lens; ``None`` when its member is gone or no option is behind it any more."""
    if hold >= 0:
        return _of_decision(analysis, profile, path, (member, hold))
    for hot in hot_members(analysis, profile, path):
        if hot.number == member:
            suspects = suspects_at(profile.diagnosis, hot.was)
            return _text(profile, hot, suspects) if suspects else None
    return None


def option_lens_text(profile: Profile, option: OptionKey) -> ProfileLensText | None:
    """Return the words of a lens at a key or a declaration of an option, ``None`` if little of the run depends on it."""
    title = option_text(profile.diagnosis, option)
    if not title:
        return None
    suspect = next((item for item in profile.diagnosis.suspects if item.option == option), None)
    causes = suspect.causes[:_MAX_CHAINS] if suspect is not None else ()
    chains = [
        Chain(option, number, _line(profile, option, cause)) for number, cause in enumerate(causes)
    ]
    return ProfileLensText(title, tuple(chains))


def _of_decision(
    analysis: Analysis, profile: Profile, path: str, place: tuple[int, int]
) -> ProfileLensText | None:
    for decision in decisions(analysis, profile, path):
        if (decision.member, decision.hold) == place:
            chains = [
                Chain(
                    suspect.option, number, _line(profile, suspect.option, suspect.causes[number])
                )
                for suspect, numbers in decision.chains
                for number in numbers
            ]
            title = decision_text(profile.diagnosis, decision)
            return ProfileLensText(title, tuple(chains[:_MAX_CHAINS]))
    return None


def _matters(hot: HotMember) -> bool:
    return any(max(row.own, abs(row.variation or 0.0)) >= HOT for row in hot.rows)


def _text(profile: Profile, hot: HotMember, suspects: tuple[Suspect, ...]) -> ProfileLensText:
    names = [shorten_name(legible(item.option[1]), _MAX_NAME) for item in suspects[:_MAX_NAMES]]
    more = f" +{len(suspects) - len(names)}" if len(suspects) > len(names) else ""
    cost = heat_text(profile.diagnosis, hot.row)
    title = f"{cost} · {_word(suspects)}: {', '.join(names)}{more}"
    chains = [
        Chain(suspect.option, number, _line(profile, suspect.option, cause))
        for suspect in suspects
        for number, cause in enumerate(suspect.causes)
        if cause.spent_in == hot.was
    ]
    return ProfileLensText(title, tuple(chains[:_MAX_CHAINS]))


def _word(suspects: Sequence[Suspect]) -> str:
    """Return what options are to a method, by the first of them."""
    if suspects[0].verdict is not Verdict.LIKELY:
        return "option" if len(suspects) == 1 else "options"
    return verdict_words(suspects[0])


def _line(profile: Profile, option: OptionKey, cause: Cause) -> str:
    """Return ``jobs · loop · 3.1 s CPU, new``."""
    return f"{legible(option[1])} · {cause.dependency} · {chain_text(profile.diagnosis, cause)}"
