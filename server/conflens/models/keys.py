"""Shape of the rows of constants that are names of options (``grammars/models/library-keys.toml``, made by ``corpus.library_keys``).

Absent: constants that stand for units and types (``schema``); which constant an expression means (``program.values``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs


@attrs.frozen(kw_only=True)
class KeysRow:
    """The constants of a library's class that are names of options, and their defaults, by name: as Java has their values.

    ``supers`` are supertypes with constants of the same kind.
    """

    type: str
    supers: tuple[str, ...] = ()
    texts: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    provenance: str


def with_inherited(rows: tuple[KeysRow, ...]) -> Mapping[str, Mapping[str, str]]:
    """Return constants by type, those of supertypes among them."""
    by_type = {row.type: row for row in rows}

    def of(name: str, below: frozenset[str]) -> dict[str, str]:
        row = by_type.get(name)
        if row is None or name in below:
            return {}
        texts: dict[str, str] = {}
        for super_ in row.supers:
            texts |= of(super_, below | {name})
        return {**texts, **row.texts}

    return MappingProxyType({name: of(name, frozenset()) for name in by_type})
