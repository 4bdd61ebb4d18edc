"""Hover in config files: at a key what is known of its option, as at a read of it; at a placeholder what it comes to.

Only files that count have hovers here (``config_keys``).  Absent: values without placeholders, sections, keys that are no options.
"""

from __future__ import annotations

from conflens.flow.results import OptionKey
from conflens.ide.hover.java import Hover, explained
from conflens.ide.hover.placeholders import explained as explained_placeholder
from conflens.ide.hover.placeholders import placeholder_at
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.config_keys import key_at
from conflens.ide.targets.cursor import Target
from conflens.render.flows import option_of
from conflens.render.option_view import first_place
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis


def config_hover(
    analysis: Analysis,
    path: str,
    offset: int,
    settings: Settings,
    wording: Wording,
    profile: Profile | None = None,
) -> Hover | None:
    """Return what to show at byte ``offset`` of a config file; ``None`` where neither a key of an option nor a placeholder
    is touched."""
    if not settings.hover:
        return None
    key = key_at(analysis, path, offset)
    if key is not None:
        target = Target(key.place, key.options, None, None)
        return Hover(key.place, explained(analysis, target, settings, wording, profile))
    placeholder = placeholder_at(analysis, path, offset)
    if placeholder is None:
        return None
    return Hover(placeholder.place, explained_placeholder(analysis, placeholder, wording))


def option_text(
    analysis: Analysis,
    key: OptionKey,
    settings: Settings,
    wording: Wording,
    profile: Profile | None = None,
) -> str | None:
    """Return what a hover says of an option, as a completion shows it; ``None`` for one that is gone."""
    option = option_of(analysis, key)
    if option is None:
        return None
    place = first_place(option)
    if place is None:
        return None
    return explained(analysis, Target(place, (option,), None, None), settings, wording, profile)
