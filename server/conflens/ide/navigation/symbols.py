"""Symbols: options by name in the workspace, and the options of one file.

Ranking of a workspace query, best first: the whole name, its start, the start of one of its parts,
inside it, its letters in order; then the shorter name, then the alphabet.  Case does not count.
"""

from __future__ import annotations

import attrs

from conflens.base.span import Place
from conflens.ide.settings.settings import Settings
from conflens.options.model import Option
from conflens.render.phrases import Wording
from conflens.session.analysis import Analysis

MAX_SYMBOLS = 200


@attrs.frozen
class OptionSymbol:
    """An option as a symbol; ``container`` is its domain in words, ``rank`` orders a query (less
    is better)."""

    name: str
    container: str
    place: Place
    rank: tuple[int, int, str]


@attrs.frozen
class FileSymbol:
    """An option in a file: ``place`` is the whole read or declaration, ``name_place`` its name.

    The name lies within the whole.
    """

    name: str
    detail: str
    place: Place
    name_place: Place


def workspace_symbols(
    analysis: Analysis, query: str, settings: Settings, wording: Wording
) -> tuple[OptionSymbol, ...]:
    """Return at most ``MAX_SYMBOLS`` options that match ``query``, best first; all match an empty
    one."""
    if not settings.symbols:
        return ()
    needle = "".join(query.lower().split())
    found: list[OptionSymbol] = []
    for option in analysis.options.options:
        grade = _grade(option.name.lower(), needle)
        place = _home(option)
        if grade is not None and place is not None:
            rank = grade, len(option.name), option.name
            found.append(OptionSymbol(option.name, wording.domain(option.domain), place, rank))
    found.sort(key=lambda symbol: symbol.rank)
    return tuple(found[:MAX_SYMBOLS])


def file_symbols(
    analysis: Analysis, path: str, settings: Settings, wording: Wording
) -> tuple[FileSymbol, ...]:
    """Return the options declared and read in a file, in order, each once per method."""
    if not settings.symbols:
        return ()
    found: dict[tuple[str, str, str], FileSymbol] = {}
    for declaration, options in analysis.options.declarations_in.get(path, ()):
        for option in options:
            detail = wording.domain(option.domain)
            found[(*option.key, f"={declaration.symbol}")] = FileSymbol(
                option.name,
                detail,
                _around(declaration.scope, declaration.place),
                declaration.place,
            )
    for read, option in analysis.options.reads_in.get(path, ()):
        detail = f"{wording.domain(option.domain)}, read in {read.method}"
        whole = _around(read.place, read.name_place)
        symbol = FileSymbol(option.name, detail, whole, read.name_place)
        found.setdefault((*option.key, read.method), symbol)
    return tuple(sorted(found.values(), key=lambda symbol: (symbol.place, symbol.name)))


def _around(whole: Place, name: Place) -> Place:
    """Return the whole, or the name alone where it stands elsewhere."""
    return whole if whole.start <= name.start and name.end <= whole.end else name


def _home(option: Option) -> Place | None:
    places = [declaration.place for declaration in option.declarations]
    return min(places or [read.name_place for read in option.reads], default=None)


def _grade(name: str, needle: str) -> int | None:
    if not needle:
        return 0
    at = name.find(needle)
    if at == 0:
        return 0 if len(name) == len(needle) else 1
    while at > 0:
        if not name[at - 1].isalnum():
            return 2
        after = name.find(needle, at + 1)
        if after < 0:
            return 3
        at = after
    at = -1
    for char in needle:
        at = name.find(char, at + 1)
        if at < 0:
            return None
    return 4
