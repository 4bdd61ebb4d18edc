"""Code lenses above the constant or bound field that declares an option: how often it is read, and
what it does to operations.

A lens is found first (cheap, for the whole file) and worded when it comes into view.  "No reads"
needs a complete analysis; before that such a declaration has no lens.  What an option does is told
only where it surely reaches something.  ``only_sensitive`` leaves out declarations of no
performance-sensitive option.
"""

from __future__ import annotations

from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.base.words import by_length, count
from conflens.ide.settings.settings import Settings
from conflens.operations.flows import is_telling, sure_counts
from conflens.options.model import Declaration, Option
from conflens.render.flow_phrases import effects
from conflens.render.flow_view import operation_places
from conflens.render.verdict_phrases import is_sensitive
from conflens.session.analysis import Analysis

MAX_PLACES = 200
_KINDS = frozenset({"constant", "field"})


class LensKind(StrEnum):
    """What a lens tells."""

    READS = "reads"
    FLOWS = "flows"


@attrs.frozen
class Lens:
    """A lens above the name at ``place``; ``symbol`` finds its declaration again."""

    place: Place
    symbol: str
    kind: LensKind = LensKind.READS


@attrs.frozen
class LensText:
    """The words of a lens and the places it opens, in order; ``option`` is what they are about."""

    title: str
    places: tuple[Place, ...]
    option: Option | None = attrs.field(default=None, repr=False)


def lenses(analysis: Analysis, path: str, settings: Settings) -> tuple[Lens, ...]:
    """Return the lenses of a file in order."""
    if not settings.code_lens:
        return ()
    found: list[Lens] = []
    for declaration, options in analysis.options.declarations_in.get(path, ()):
        if declaration.kind not in _KINDS:
            continue
        if settings.only_sensitive and not any(is_sensitive(analysis, item) for item in options):
            continue
        if analysis.complete or _reads(options):
            found.append(Lens(declaration.place, declaration.symbol))
        if settings.flow_lenses and any(_is_telling(analysis, option) for option in options):
            found.append(Lens(declaration.place, declaration.symbol, LensKind.FLOWS))
    return tuple(found)


def lens_text(
    analysis: Analysis, path: str, symbol: str, start: int, kind: LensKind = LensKind.READS
) -> LensText | None:
    """Return the words of a lens, or ``None`` when its declaration is gone or there is nothing to
    tell.

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
    return _read_text(options) if kind is LensKind.READS else _flow_text(analysis, options)


def _read_text(options: tuple[Option, ...]) -> LensText:
    places = _reads(options)
    if not places:
        return LensText("no reads", ())
    files = len({place.path for place in places})
    reads = count(len(places), "read")
    return LensText(reads if files == 1 else f"{reads} in {count(files, 'file')}", places)


def _flow_text(analysis: Analysis, options: tuple[Option, ...]) -> LensText | None:
    reaches = [analysis.flows.of_option(option.key) for option in options]
    title = effects(sure_counts(reaches))
    if not title:
        return None
    flows = (flow for reach in reaches for flow in reach.flows if is_telling(flow))
    places = operation_places(analysis, flows, MAX_PLACES)
    plainest = min(
        (option for option in options if _is_telling(analysis, option)),
        key=lambda option: by_length(option.name),
    )
    return LensText(title, places, plainest)


def _is_telling(analysis: Analysis, option: Option) -> bool:
    """Whether an option surely reaches more than a log."""
    return any(map(is_telling, analysis.flows.of_option(option.key).flows))


def _reads(options: tuple[Option, ...]) -> tuple[Place, ...]:
    return tuple(sorted({read.name_place for option in options for read in option.reads}))
