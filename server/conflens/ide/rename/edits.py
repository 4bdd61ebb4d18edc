"""What a rename changes: texts at places, and what each is about.

Terms
    part      what an edit is about.  ``CODE`` and ``CONFIG`` are sure: analysis shows that just this option is named there.  At
              all others a person should look: ``SHARED`` is a name that other code, a library or another program may use, too,
              as all that scripts, containers and variables of the environment give to programs; ``DOCUMENT`` and ``MENTION``
              (comments and other texts in code) are whole tokens equal to its name, ``CALL`` uses of a bound member on a value
              of unknown type or in sources that are not analysed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.session.analysis import Analysis


class Part(StrEnum):
    """What an edit is about; see the module text."""

    CODE = "code"
    CALL = "call"
    CONFIG = "config"
    SHARED = "shared"
    DOCUMENT = "document"
    MENTION = "mention"

    @property
    def sure(self) -> bool:
        """Whether nobody needs to confirm it."""
        return self in (Part.CODE, Part.CONFIG)


@attrs.frozen(order=True)
class RenameEdit:
    """Replaces the text at ``place``."""

    place: Place
    text: str
    part: Part


class Taken:
    """Places that are spoken for, by file: which bytes they take, and where they only insert."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._bytes: dict[str, bytearray] = {}
        self._inserts: dict[str, set[int]] = {}
        self.keep(places)

    def keep(self, places: Iterable[Place]) -> None:
        for place in places:
            taken = self._bytes.setdefault(place.path, bytearray())
            taken.extend(bytes(max(0, place.end - len(taken))))
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
            if place.start == place.end:
                self._inserts.setdefault(place.path, set()).add(place.start)

    def free(self, place: Place) -> bool:
        if self._bytes.get(place.path, b"").find(1, place.start, place.end) >= 0:
            return False
        inserts = self._inserts.get(place.path)
        return not inserts or inserts.isdisjoint(range(place.start + 1, place.end))


def where_of(analysis: Analysis, place: Place) -> str:
    """Return a place as ``conf/app.yml:21``."""
    return f"{place.path}:{analysis.line(place)}"
