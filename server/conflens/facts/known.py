"""Methods that were lowered before: an edit leaves nearly all methods of a file as they are.

In a text without syntax errors a method is lowered from its own text alone, so that the same text in the same type gives
the same facts at another place.
Absent: methods with classes inside, and those with annotations that have values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from conflens.facts.model import Annotation, Member

Key = tuple[int, int, str, bytes]
"""The kind of the node, the number of its type in the file and the kind of that, and its text."""


class Lowered(NamedTuple):
    """A method: its declaration where it stood then, its body, and its part of the file's tables and surface."""

    member: Member
    body: bytes
    calls: tuple[str, ...]
    names: tuple[str, ...]
    hints: tuple[str, ...]
    surface: str

    @property
    def movable(self) -> bool:
        """Whether it can be told for another place: values of annotations count from the start of the file."""
        return not any(annotation.keys for annotation in _annotations(self.member))

    def at(self, start: int) -> Member:
        """Return the declaration at another place."""
        member = self.member
        by = start - member.at
        if not by:
            return member
        params = tuple(
            msgspec.structs.replace(param, annotations=_moved(param.annotations, by))
            if param.annotations
            else param
            for param in member.params
        )
        return Member(
            member.owner,
            member.kind,
            member.name,
            member.type,
            params,
            member.varargs,
            member.modifiers,
            member.type_params,
            _moved(member.annotations, by),
            start,
            member.end + by,
            member.name_at + by,
            member.key,
            member.digest,
        )


class Known:
    """The methods of one file as it was lowered last; used by one thread at a time."""

    def __init__(self) -> None:
        """Nothing was lowered yet."""
        self._before: dict[Key, Lowered] = {}
        self._now: dict[Key, Lowered] = {}

    def begin(self) -> None:
        """Hear that a text is lowered from now on: what it does not have is forgotten after it."""
        self._before, self._now = self._now, {}

    def find(self, key: Key) -> Lowered | None:
        """Return a method with a text, if there was one."""
        found = self._before.get(key)
        if found is not None:
            self._now[key] = found
        return found

    def put(self, key: Key, lowered: Lowered) -> None:
        """Keep a method for the next time."""
        self._now[key] = lowered


def _annotations(member: Member) -> Iterable[Annotation]:
    yield from member.annotations
    for param in member.params:
        yield from param.annotations


def _moved(annotations: tuple[Annotation, ...], by: int) -> tuple[Annotation, ...]:
    return tuple(
        msgspec.structs.replace(one, at=one.at + by, end=one.end + by) for one in annotations
    )
