"""Code lenses: how often an option is read, above the constant or bound field that declares it.

A lens is found first (cheap, for the whole file) and worded when it comes into view.  "No reads"
needs a complete analysis; before that such a declaration has no lens.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.ide.settings import Settings
from conflens.ide.words import count
from conflens.options.model import Declaration, Option
from conflens.session.analysis import Analysis

_KINDS = frozenset({"constant", "field"})


@attrs.frozen
class Lens:
    """A lens above the name at ``place``; ``symbol`` finds its declaration again."""

    place: Place
    symbol: str


@attrs.frozen
class LensText:
    """The words of a lens and the places it opens, in order."""

    title: str
    places: tuple[Place, ...]


def lenses(analysis: Analysis, path: str, settings: Settings) -> tuple[Lens, ...]:
    """Return the lenses of a file in order."""
    if not settings.code_lens:
        return ()
    return tuple(
        Lens(declaration.place, declaration.symbol)
        for declaration, options in analysis.options.declarations_in.get(path, ())
        if declaration.kind in _KINDS and (analysis.complete or _reads(options))
    )


def lens_text(analysis: Analysis, path: str, symbol: str, start: int) -> LensText | None:
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
    places = _reads(options)
    if not places:
        return LensText("no reads", ())
    files = len({place.path for place in places})
    reads = count(len(places), "read")
    return LensText(reads if files == 1 else f"{reads} in {count(files, 'file')}", places)


def _reads(options: tuple[Option, ...]) -> tuple[Place, ...]:
    return tuple(sorted({read.name_place for option in options for read in option.reads}))
