"""Spellings of one option: names that are equal but for case and separators, of which one place reads all.

A lookup that tries a variable of the environment, a property and a key of a file in turn reads three options by their
domains and names, and one by what it decides.  Their flows are joined, and they have one verdict: that of the spelling
with the most separate words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from conflens.base.span import Place
from conflens.flow.results import OptionKey, Reach, order
from conflens.options.model import Option
from conflens.sensitivity.lexicon import split


def together(options: Iterable[Option]) -> dict[OptionKey, tuple[OptionKey, ...]]:
    """Return for each option that has several spellings all of them, the one that stands for them first."""
    alike: dict[str, list[Option]] = defaultdict(list)
    for option in options:
        if option.reads:
            alike["".join(filter(str.isalnum, option.name)).lower()].append(option)
    found: dict[OptionKey, tuple[OptionKey, ...]] = {}
    for candidates in alike.values():
        for group in _connected(candidates) if len(candidates) > 1 else ():
            if len(group) > 1:
                keys = tuple(option.key for option in sorted(group, key=_standing))
                found.update(dict.fromkeys(keys, keys))
    return found


def _standing(option: Option) -> tuple[int, int, OptionKey]:
    return -len(split(option.name)), -len(option.reads), option.key


def _connected(options: Sequence[Option]) -> list[list[Option]]:
    """Return groups of options of which each shares the place of a read with another."""
    groups: list[tuple[list[Option], set[Place]]] = []
    for option in options:
        members, places = [option], {read.place for read in option.reads}
        apart = []
        for group in groups:
            if group[1].isdisjoint(places):
                apart.append(group)
            else:
                members += group[0]
                places |= group[1]
        groups = [*apart, (members, places)]
    return [members for members, _ in groups]


class Joined:
    """The reaches of options over all of their spellings; those of the same parts are the same objects."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._known: dict[tuple[OptionKey, ...], tuple[tuple[Reach, ...], Reach]] = {}

    def joined(self, reaches: Mapping[OptionKey, Reach]) -> Reach:
        """Return what all spellings of an option reach together; ``reaches`` are in their order."""
        keys, parts = tuple(reaches), tuple(reaches.values())
        known = self._known.get(keys)
        if known is None or any(a is not b for a, b in zip(known[0], parts, strict=True)):
            known = self._known[keys] = parts, _union(parts)
        return known[1]

    def keep(self, keys: Iterable[tuple[OptionKey, ...]]) -> None:
        """Forget all but these."""
        wanted = set(keys)
        self._known = {key: known for key, known in self._known.items() if key in wanted}


def _union(parts: Sequence[Reach]) -> Reach:
    most = max(parts, key=lambda reach: len(reach.flows))
    own = {flow.key for flow in most.flows}
    more = {flow.key: flow for reach in parts for flow in reach.flows if flow.key not in own}
    if not more:
        return most
    flows = tuple(sorted((*most.flows, *more.values()), key=order))
    cold = tuple(dict.fromkeys(one for reach in parts for one in reach.cold))
    return Reach(flows, cold)
