"""Library types whose source is not at hand, as far as model rows speak of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class LibraryType(NamedTuple):
    """What is known of a library type whose source is not at hand: supertypes, results of methods, kind of value, fields."""

    supers: tuple[str, ...] = ()
    returns: Mapping[str, str] = MappingProxyType({})
    kind: str = ""
    fields: Mapping[str, str] = MappingProxyType({})


Library = Mapping[str, LibraryType]
NO_LIBRARY: Library = MappingProxyType({})
