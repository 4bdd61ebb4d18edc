"""What code mentions without being seen to read it: texts in method bodies, names in annotations.

A key that code spells out somewhere may be read in a way that is not understood, so nothing is said against it.  Bodies are
searched as they lie encoded (``facts.codec``): a text of theirs stands there as MessagePack writes it, its length before it.
Absent: which mentions are reads (``options``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from conflens.facts.model import Annotation
from conflens.options.names.naming import loose
from conflens.program.program import Program

_NAME = re.compile(rb"[A-Za-z_][\w.\-]{2,}")
_MAX_NAME = 200


class Mentions:
    """The mentions of one program, each looked for when it is asked about and then kept."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._said: dict[str, bool] = {}

    def holds(self, name: str, relaxed: bool = False) -> bool:
        """Whether a text in code is this name, or an annotation contains it; ``relaxed``: there in any spelling."""
        if len(name) > _MAX_NAME:
            return True
        found = self._said.get(name)
        if found is None:
            found = self._said[name] = name in self._annotated or self._in_bodies(name)
        return found or (relaxed and loose(name) in self._loosely)

    def ends(self, name: str) -> bool:
        """Whether code has a text that a name like this may end in (``.http.address``): two words of it or more, or all
        behind its first."""
        if len(name) > _MAX_NAME:
            return True
        segments = name.split(".")
        tails = {".".join(segments[at:]) for at in range(1, len(segments))}
        return any(self.holds(f".{tail}") or ("." in tail and self.holds(tail)) for tail in tails)

    def _in_bodies(self, name: str) -> bool:
        text = name.encode("utf-8", "replace")
        size = len(text)
        head = bytes([0xA0 | size]) if size < 32 else bytes([0xD9, size & 0xFF])
        needle = head + text
        return any(
            needle in body for facts in self._program.files.values() for body in facts.bodies
        )

    @cached_property
    def _annotated(self) -> frozenset[str]:
        found: set[bytes] = set()
        for annotation in _annotations(self._program):
            if annotation.code:
                found.update(_NAME.findall(annotation.code))
        return frozenset(name.decode("utf-8", "replace") for name in found)

    @cached_property
    def _loosely(self) -> frozenset[str]:
        return frozenset(map(loose, self._annotated))


def _annotations(program: Program) -> Iterator[Annotation]:
    for facts in program.files.values():
        for type_ in facts.types:
            yield from type_.annotations
        for member in facts.members:
            yield from member.annotations
            for parameter in member.params:
                yield from parameter.annotations
