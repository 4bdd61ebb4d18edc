"""Lines and names of methods to tint by what they cost in a profile.

Terms
    level   1 to 3, the hottest: from which share of the main kind on is ``LEVELS``.  It is the same for every file, so
            that a colour means the same everywhere.

The rule of trust is that of the hints (``profile.inlay_hints``): a line whose method has changed since the diagnosis is never
tinted, its name still is.  A name stands for what its method does itself, a line for what is spent on it, calls
included.  One tint a line, a method before its first line; the hottest ``MAX_LINES`` of a file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.diagnosis.evidence import heat_text
from conflens.diagnosis.report import SHORT_WORDS, percent
from conflens.ide.profile.profile import HOT, Profile, hot_members, line_place
from conflens.ide.settings.settings import Settings
from conflens.session.analysis import Analysis

LEVELS = (HOT, 0.05, 0.2)
"""The least share of each level."""
MAX_LINES = 500


@attrs.frozen
class HotLine:
    """What to tint; ``change`` is the variation of a method, ``None`` for lines and without a baseline."""

    place: Place
    level: int
    share: float
    change: float | None
    text: str


def hot_lines(
    analysis: Analysis, profile: Profile, path: str, settings: Settings
) -> tuple[HotLine, ...]:
    """Return what to tint in a file, in order; nothing if neither hints nor lenses of a profile are wanted."""
    hints = settings.inlay_hints and settings.profile_hints
    lenses = settings.code_lens and settings.profile_lenses
    if path not in analysis.program.files or not (hints or lenses):
        return ()
    best: dict[int, tuple[bool, HotLine]] = {}
    for is_name, line, tint in _lines(analysis, profile, path):
        other = best.get(line)
        if other is None or (is_name, tint.share) > (other[0], other[1].share):
            best[line] = is_name, tint
    tints = [tint for _, tint in best.values()]
    hottest = sorted(tints, key=lambda tint: (-tint.share, tint.place))[:MAX_LINES]
    return tuple(sorted(hottest, key=lambda tint: tint.place))


def _lines(analysis: Analysis, profile: Profile, path: str) -> Iterator[tuple[bool, int, HotLine]]:
    for hot in hot_members(analysis, profile, path):
        name = hot.declaration.place if hot.row.own >= HOT else None
        if name is not None:
            share = hot.row.own
            cost = heat_text(profile.diagnosis, hot.row)
            tint = HotLine(name, _level(share), share, hot.row.variation, cost)
            yield True, hot.declaration.line, tint
        for line, share in hot.lines:
            place = line_place(analysis, path, line) if share >= HOT else None
            if place is not None:
                text = f"{percent(share)} {SHORT_WORDS[hot.row.kind]}"
                yield False, line, HotLine(place, _level(share), share, None, text)


def _level(share: float) -> int:
    return max(1, bisect_right(LEVELS, share))
