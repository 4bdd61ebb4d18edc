"""Code lenses in config files: above a performance-sensitive option that is set, what it does and how often it is read.

``sizes 1 buffer, gates 2 I/O · 3 reads`` opens the reads; of an option that much of a profiled run depends on the lens says
that instead (``profile.decisions``).  So that a file stays quiet there is one lens for each option of
a document, one on a line, ``MAX_LENSES`` in a file, and none for an option that is not surely known to reach more than a
log.  Which those are is found first; the words are made when a lens comes into view.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from conflens.base.span import Place
from conflens.base.words import count
from conflens.documents.configfiles.model import Kind
from conflens.flow.results import OptionKey
from conflens.ide.code_lens.java import LensText
from conflens.ide.profile.decisions import dependence, option_text
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Settings
from conflens.ide.targets.config_keys import counting, name_place
from conflens.operations.flows import is_telling, sure_counts
from conflens.options.model import Option
from conflens.render.flow_phrases import effects
from conflens.render.flows import option_of
from conflens.render.verdict_phrases import is_sensitive
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
    said: set[tuple[int, OptionKey]] = set()
    lines: set[int] = set()
    telling: dict[OptionKey, bool] = {}
    for assignment in file.assignments:
        if assignment.kind is Kind.SECTION or assignment.merged:
            continue
        option = _first(analysis, match.options.get(assignment.name, ()), telling, profile)
        if option is None or (assignment.document, option.key) in said:
            continue
        place = name_place(path, assignment)
        line = analysis.line(place)
        if line in lines:
            continue
        said.add((assignment.document, option.key))
        lines.add(line)
        lenses.append(ConfigLens(place, option.key))
        if len(lenses) == MAX_LENSES:
            break
    return tuple(lenses)


def config_lens_text(
    analysis: Analysis, key: OptionKey, profile: Profile | None = None
) -> LensText | None:
    """Return the words of a lens and the reads that it opens; ``None`` for an option that is gone or tells nothing any more."""
    option = option_of(analysis, key)
    measured = option_text(profile.diagnosis, key) if profile is not None else ""
    title = measured or (_effects(analysis, option) if option is not None else "")
    if option is None or not title:
        return None
    places = tuple(sorted({read.name_place for read in option.reads}))
    reads = f" · {count(len(places), 'read')}" if places else ""
    return LensText(f"{title}{reads}", places, option)


def _first(
    analysis: Analysis,
    options: Sequence[Option],
    telling: dict[OptionKey, bool],
    profile: Profile | None,
) -> Option | None:
    """The first of the options of a key that a lens is for: one that much of a profiled run depends on before others."""
    if profile is not None:
        for option in options:
            if dependence(profile.diagnosis, option.key) is not None:
                return option
    for option in options:
        if option.key not in telling:
            flows = analysis.flows.of_option(option.key).flows
            telling[option.key] = is_sensitive(analysis, option) and any(map(is_telling, flows))
        if telling[option.key]:
            return option
    return None


def _effects(analysis: Analysis, option: Option) -> str:
    return effects(sure_counts([analysis.flows.of_option(option.key)]))
