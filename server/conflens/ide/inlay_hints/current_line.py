"""Inlay hints where only the line of the cursor is annotated: at the end of a line, what a lens above it would say.

A lens that came and went with the cursor would move the text, so there are none in this mode (``Annotations``).  The words
are those of the lens: what the profile says of the method, line or option, else what the option does and how often it is
read.  One hint on a line.  Absent: where the cursor is, which only the client knows; it shows the hints of that line.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from conflens.base.span import Place
from conflens.ide.code_lens.config_files import config_lens_text, config_lenses
from conflens.ide.code_lens.java import LensText, lens_text, lenses
from conflens.ide.profile.code_lens import option_lens_text, profile_lens_text, profile_lenses
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Annotations, Settings
from conflens.session.analysis import Analysis


@attrs.frozen
class LensHint:
    """Goes after byte ``offset``, the end of a line."""

    offset: int
    label: str


def lens_hints(
    analysis: Analysis,
    path: str,
    start: int,
    end: int,
    settings: Settings,
    profile: Profile | None = None,
) -> tuple[LensHint, ...]:
    """Return the hints for lines that begin a lens between the bytes ``start`` and ``end``, in order; none in other modes."""
    text = analysis.text(path)
    if settings.annotations is not Annotations.CURRENT_LINE or text is None:
        return ()
    found: dict[int, LensHint] = {}
    for place, title in _titles(analysis, path, (start, end), settings, profile):
        offset = _end_of_line(text, place.end)
        if title:
            found.setdefault(offset, LensHint(offset, title))
    return tuple(hint for _, hint in sorted(found.items()))


def _titles(
    analysis: Analysis,
    path: str,
    span: tuple[int, int],
    settings: Settings,
    profile: Profile | None,
) -> Iterator[tuple[Place, str]]:
    def within(place: Place) -> bool:
        return span[0] <= place.start <= span[1]

    if profile is not None:
        for hot in profile_lenses(analysis, profile, path, settings):
            if within(hot.place):
                words = profile_lens_text(analysis, profile, path, hot.member, hot.hold)
                yield hot.place, words.title if words is not None else ""
    for lens in lenses(analysis, path, settings, profile):
        if within(lens.place):
            text = lens_text(analysis, path, lens.symbol, lens.place.start, settings)
            yield lens.place, _title(text, profile)
    for key in config_lenses(analysis, path, settings, profile):
        if within(key.place):
            yield (
                key.place,
                _title(config_lens_text(analysis, key.option, settings, profile), profile),
            )


def _title(text: LensText | None, profile: Profile | None) -> str:
    """What a lens shows: what a profile says of its option, else its own words."""
    if text is None:
        return ""
    if profile is not None and text.option is not None:
        measured = option_lens_text(profile, text.option.key)
        if measured is not None:
            return measured.title
    return text.title


def _end_of_line(text: bytes, offset: int) -> int:
    """Return the offset after the last character of a line, white space left out."""
    stop = text.find(b"\n", offset)
    return offset + len(text[offset : stop if stop >= 0 else len(text)].rstrip())
