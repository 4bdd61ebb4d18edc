"""What a rename changes: texts at places, and what each is about.

Terms
    part      the kind of place.  ``CODE`` is a text in Java that spells the name, ``MEMBER`` the name of a bound member, of an accessor
              or of a use of one, ``CONFIG`` a key or placeholder of a config file that counts, ``SCRIPT`` what scripts, containers and
              variables of the environment give to programs, ``TEST`` what config files of tests set; ``DOCUMENT`` and ``MENTION`` (comments and other texts in code) are whole
              tokens equal to the name, ``CALL`` uses of a bound member on a value of unknown type or in sources that are not analysed.
    sure      nobody needs to confirm the edit; ``sure`` decides.
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
    MEMBER = "member"
    CALL = "call"
    CONFIG = "config"
    SCRIPT = "script"
    TEST = "test"
    DOCUMENT = "document"
    MENTION = "mention"


@attrs.frozen(order=True)
class RenameEdit:
    """Replaces the text at ``place``."""

    place: Place
    text: str
    part: Part
    sure: bool = False

    @property
    def needed(self) -> bool:
        """Whether the rename would be half done without it."""
        return self.sure or self.part in (Part.CODE, Part.MEMBER)


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
