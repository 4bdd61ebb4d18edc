"""Code lenses above the constant or bound field that declares an option: what it does, and how often it is read.

``sizes a thread pool · 3 reads``, in the words of the hover.  By default only options of high impact, or on which much
of a profiled run depends, have a lens (``Annotations``); where all have one, others are worded by kinds of operations, and "no reads" needs a complete analysis.  A
lens is found first (cheap, for the whole file) and worded when it comes into view.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.base.words import by_length, count
from conflens.ide.profile.decisions import dependence
from conflens.ide.profile.profile import Profile
from conflens.ide.settings.settings import Annotations, Settings
from conflens.operations.flows import sure_counts
from conflens.options.model import Declaration, Option
from conflens.render.flow_phrases import manners
from conflens.render.verdict_phrases import effect_of
from conflens.session.analysis import Analysis

BETWEEN = " · "
_KINDS = frozenset({"constant", "field"})


@attrs.frozen
class Lens:
    """A lens above the name at ``place``; ``symbol`` finds its declaration again."""

    place: Place
    symbol: str


@attrs.frozen
class LensText:
    """The words of a lens and the places it opens, in order; ``option`` is what they are about."""

    title: str
    places: tuple[Place, ...]
    option: Option | None = attrs.field(default=None, repr=False)


def lenses(
    analysis: Analysis, path: str, settings: Settings, profile: Profile | None = None
) -> tuple[Lens, ...]:
    """Return the lenses of a file in order, one for a line."""
    if not settings.code_lens:
        return ()
    only_relevant = settings.annotations is not Annotations.ALL
    by_line: dict[int, Lens] = {}
    for declaration, options in analysis.options.declarations_in.get(path, ()):
        if declaration.kind not in _KINDS:
            continue
        if only_relevant:
            is_shown = any(
                effect_of(analysis, option) or _is_measured(profile, option) for option in options
            )
        else:
            is_shown = analysis.complete or any(option.reads for option in options)
        if is_shown:
            line = analysis.line(declaration.place)
            by_line.setdefault(line, Lens(declaration.place, declaration.symbol))
    return tuple(by_line.values())


def lens_text(
    analysis: Analysis, path: str, symbol: str, start: int, settings: Settings
) -> LensText | None:
    """Return the words of a lens, or ``None`` when its declaration is gone.

    Of several declarations of one symbol the one nearest to byte ``start`` counts.
    """
    candidates = [
        (declaration, options)
        for declaration, options in analysis.options.declarations_in.get(path, ())
        if declaration.symbol == symbol and declaration.kind in _KINDS
    ]
    if not candidates:
        return None

    def distance(candidate: tuple[Declaration, tuple[Option, ...]]) -> int:
        return abs(candidate[0].place.start - start)

    _, options = min(candidates, key=distance)
    words = effect_words(analysis, options, settings) if settings.flow_lenses else ""
    places = _reads(options)
    reads = reads_words(places)
    title = f"{words}{BETWEEN}{reads}" if words and places else words or reads
    plainest = min(options, key=lambda option: by_length(option.name)) if words else None
    return LensText(title, places, plainest)


def effect_words(analysis: Analysis, options: tuple[Option, ...], settings: Settings) -> str:
    """Return what options of one declaration or key do: that of the first of high impact, or else by kinds."""
    first = next((words for option in options if (words := effect_of(analysis, option))), "")
    if first or settings.annotations is not Annotations.ALL:
        return first
    return manners(sure_counts([analysis.flows.of_option(option.key) for option in options]))


def reads_words(places: tuple[Place, ...]) -> str:
    """Return ``3 reads in 2 files``."""
    if not places:
        return "no reads"
    files = len({place.path for place in places})
    reads = count(len(places), "read")
    return reads if files == 1 else f"{reads} in {count(files, 'file')}"


def _is_measured(profile: Profile | None, option: Option) -> bool:
    """Whether much of a profiled run depends on an option."""
    return profile is not None and dependence(profile.diagnosis, option.key) is not None


def _reads(options: tuple[Option, ...]) -> tuple[Place, ...]:
    return tuple(sorted({read.name_place for option in options for read in option.reads}))
