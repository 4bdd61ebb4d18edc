"""Code lenses of a profile: above a method that costs much, which options are behind that.

``34 % CPU, +21 % · options: jobs, blockSize`` opens the cause-effect chains.  A method without such an option has no
lens; its cost is a hint (``profile.inlay_hints``).  Nor has one that does, and adds, less than ``HOT`` of everything.  At most
``MAX_LENSES`` in a file, those that cost most.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten_name
from conflens.diagnosis.report import legible, percent
from conflens.diagnosis.results import Cause, Suspect
from conflens.flow.results import OptionKey
from conflens.ide.profile.profile import HOT, HotMember, Profile, cost, hot_members, suspects_at
from conflens.ide.settings.settings import Settings
from conflens.session.analysis import Analysis

MAX_LENSES = 20
_MAX_NAMES = 3
_MAX_NAME = 40
_MAX_CHAINS = 20


@attrs.frozen
class ProfileLens:
    """A lens above the name at ``place``, of member number ``member`` of the file."""

    place: Place
    member: int


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
    lenses = []
    for hot in telling[:MAX_LENSES]:
        place = hot.declaration.place
        if place is not None:
            lenses.append(ProfileLens(place, hot.number))
    return tuple(sorted(lenses, key=lambda lens: lens.place.start))


def profile_lens_text(
    analysis: Analysis, profile: Profile, path: str, member: int
) -> ProfileLensText | None:
    """Return the words of a lens; ``None`` when its member is gone or no option is behind it any more."""
    for hot in hot_members(analysis, profile, path):
        if hot.number == member:
            suspects = suspects_at(profile.diagnosis, hot.was)
            return _text(hot, suspects) if suspects else None
    return None


def _matters(hot: HotMember) -> bool:
    return any(max(row.own, abs(row.variation or 0.0)) >= HOT for row in hot.rows)


def _text(hot: HotMember, suspects: tuple[Suspect, ...]) -> ProfileLensText:
    names = [shorten_name(legible(item.option[1]), _MAX_NAME) for item in suspects[:_MAX_NAMES]]
    more = f" +{len(suspects) - len(names)}" if len(suspects) > len(names) else ""
    word = "option" if len(suspects) == 1 else "options"
    title = f"{cost(hot.row)} · {word}: {', '.join(names)}{more}"
    chains = [
        Chain(suspect.option, number, _line(suspect, cause))
        for suspect in suspects
        for number, cause in enumerate(suspect.causes)
        if cause.spent_in == hot.was
    ]
    return ProfileLensText(title, tuple(chains[:_MAX_CHAINS]))


def _line(suspect: Suspect, cause: Cause) -> str:
    """Return ``jobs · loop · 12 %``."""
    return f"{legible(suspect.option[1])} · {cause.dependency} · {percent(cause.explained)}"
