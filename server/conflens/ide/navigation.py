"""Definition, references and highlights: the ways between an option's constant, reads and fields.

A read leads to what declares its option.  A declaration leads to the option's other declarations
(from a constant to the call that defines it), or to itself, which editors answer with references.
"""

from __future__ import annotations

from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.ide.cursor import Target, target_at
from conflens.session.analysis import Analysis


@attrs.frozen
class Definition:
    """From the text at ``origin`` to ``targets``; each is a name and the whole it belongs to."""

    origin: Place
    targets: tuple[tuple[Place, Place], ...]


class HighlightKind(StrEnum):
    """What a highlighted place does with the option."""

    READ = "read"
    DECLARATION = "declaration"


def definition(analysis: Analysis, path: str, offset: int) -> Definition | None:
    """Return where the option at byte ``offset`` is declared; ``None`` if nowhere in the program."""
    target = target_at(analysis, path, offset)
    if target is None:
        return None
    declarations = {
        (declaration.place, declaration.scope): declaration
        for option in target.options
        for declaration in option.declarations
    }
    others = [key for key, value in declarations.items() if value != target.declaration]
    found = others or list(declarations)
    return Definition(target.place, tuple(sorted(found))) if found else None


def references(
    analysis: Analysis, path: str, offset: int, with_declarations: bool
) -> tuple[Place, ...]:
    """Return all reads of the options at byte ``offset``, and their declarations if asked for."""
    target = target_at(analysis, path, offset)
    return () if target is None else tuple(sorted(_places(target, with_declarations)))


def highlights(
    analysis: Analysis, path: str, offset: int
) -> tuple[tuple[Place, HighlightKind], ...]:
    """Return the places of the options at byte ``offset`` in this file, in order."""
    target = target_at(analysis, path, offset)
    if target is None:
        return ()
    found = _places(target, True)
    return tuple(sorted(item for item in found.items() if item[0].path == path))


def _places(target: Target, with_declarations: bool) -> dict[Place, HighlightKind]:
    found = {
        read.name_place: HighlightKind.READ for option in target.options for read in option.reads
    }
    if with_declarations:
        for option in target.options:
            for declaration in option.declarations:
                found[declaration.place] = HighlightKind.DECLARATION
    return found
