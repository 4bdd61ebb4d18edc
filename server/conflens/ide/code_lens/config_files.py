"""Code lenses in config files: above a key, what its option does and how often it is read.

``sizes a thread pool · 3 reads``, in the words of the hover, opens the reads; of an option that much of a profiled run depends on
the lens says that instead (``profile.decisions``).  By default only options of high impact, or with such evidence, have a lens
(``Annotations``).  There is one lens for each option of a document, one on a line, ``MAX_LENSES`` in a file.  Which those
are is found first; the words are made when a lens comes into view.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from conflens.base.span import Place
from conflens.documents.configfiles.model import Kind
from conflens.flow.results import OptionKey
from conflens.ide.code_lens.java import BETWEEN, LensText, effect_words, reads_words
from conflens.ide.profile.decisions import dependence, option_text
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.config_keys import counting, name_place
from conflens.options.model import Option
from conflens.render.flows import option_of
from conflens.session.analysis import Analysis

MAX_LENSES = 50


@attrs.frozen
class ConfigLens:
    """A lens above the key at ``place``, on one option."""

    place: Place
    option: OptionKey


def config_lenses(
    analysis: Analysis, path: str, settings: Settings, profile: Profile | None = None
) -> tuple[ConfigLens, ...]:
    """Return the lenses of a config file in order; none for a file that does not count."""
    found = counting(analysis, path) if settings.code_lens and settings.config_lenses else None
    if found is None:
        return ()
    file, match = found
    lenses: list[ConfigLens] = []
    seen: set[tuple[int, OptionKey]] = set()
    lines: set[int] = set()
    words: dict[OptionKey, str] = {}
    for assignment in file.assignments:
        if assignment.kind is Kind.SECTION or assignment.merged:
            continue
        named = match.options.get(assignment.name, ())
        option = _first(analysis, named, settings, words, profile)
        if option is None or (assignment.document, option.key) in seen:
            continue
        place = name_place(path, assignment)
        line = analysis.line(place)
        if line in lines:
            continue
        seen.add((assignment.document, option.key))
        lines.add(line)
        lenses.append(ConfigLens(place, option.key))
        if len(lenses) == MAX_LENSES:
            break
    return tuple(lenses)


def config_lens_text(
    analysis: Analysis, key: OptionKey, settings: Settings, profile: Profile | None = None
) -> LensText | None:
    """Return the words of a lens and the reads that it opens; ``None`` for an option that is gone or has no effect any more."""
    option = option_of(analysis, key)
    if option is None:
        return None
    measured = option_text(profile.diagnosis, key) if profile is not None else ""
    words = measured or effect_words(analysis, (option,), settings)
    if not words:
        return None
    places = tuple(sorted({read.name_place for read in option.reads}))
    return LensText(f"{words}{BETWEEN}{reads_words(places)}" if places else words, places, option)


def _first(
    analysis: Analysis,
    options: Sequence[Option],
    settings: Settings,
    words: dict[OptionKey, str],
    profile: Profile | None,
) -> Option | None:
    """The first of the options of a key that a lens is for: one that much of a profiled run depends on before others."""
    if profile is not None:
        for option in options:
            if dependence(profile.diagnosis, option.key) is not None:
                return option
    for option in options:
        if option.key not in words:
            words[option.key] = effect_words(analysis, (option,), settings)
        if words[option.key]:
            return option
    return None
