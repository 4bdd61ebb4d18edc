"""Options whose names are patterns: which of them a name is an instance of, and which it nearly is.

Terms
    part     a literal text of a pattern, between its ``*``.
    segment  what stands between the dots of a name; a *literal* is one of a pattern that has no ``*``.
    telling  the part of a pattern that the fewest others have.

How: a name is compared with the patterns alone whose telling part stands in it, and, where one literal is mistyped, with those of
which all others are right.  So the work does not grow with the product of names and patterns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs

from conflens.options.model import Option
from conflens.options.names.spelling import MOST, Spelt, edit_distance

_INDEX = re.compile(r"\[(\d*)\]")
_INDEX_PART = re.compile(r"\.(\[\d*\])")
_JOINTS = re.compile(r"[-_]")
_FEW = 24
"""So many patterns are rather all compared than looked up."""
_LEAST = 3
"""Letters of a segment in which a typo is seen."""


def loose(name: str) -> str:
    """Return the one spelling of a relaxed name: lower case, without ``-`` and ``_``."""
    return _JOINTS.sub("", name.lower())


def covers(parts: tuple[str, ...], name: str) -> bool:
    """Whether a name is an instance of a pattern, given as what stands between its ``*``; a ``*`` is never empty."""
    if not name.startswith(parts[0]) or not name.endswith(parts[-1]):
        return False
    at, end = len(parts[0]), len(name) - len(parts[-1])
    for part in parts[1:-1]:
        found = name.find(part, at + 1, end)
        if found < 0:
            return False
        at = found + len(part)
    return end > at


@attrs.frozen
class _Pattern:
    """``loosely`` are the parts of one in a relaxed domain, or ``None``."""

    option: Option
    parts: tuple[str, ...]
    loosely: tuple[str, ...] | None

    def covers(self, name: str, loosely: str) -> bool:
        return covers(self.parts, name) or (
            self.loosely is not None and covers(self.loosely, loosely)
        )


class _Group:
    """Patterns with one beginning, the most telling first."""

    def __init__(self, patterns: list[_Pattern]) -> None:
        self._all = sorted(patterns, key=lambda one: -sum(map(len, one.parts)))
        self._by_part: dict[str, list[int]] = {}
        self._lengths: tuple[int, ...] = ()
        if len(patterns) <= _FEW:
            return
        texts = [one.parts if one.loosely is None else one.loosely for one in self._all]
        counts = Counter(part for parts in texts for part in set(parts))
        for number, parts in enumerate(texts):
            telling = min(parts, key=lambda part: (not part, counts[part], -len(part)))
            self._by_part.setdefault(telling, []).append(number)
        self._lengths = tuple(sorted({*map(len, self._by_part)}))

    def of(self, name: str, loosely: str) -> Iterator[Option]:
        for one in self._candidates(name, loosely):
            if one.covers(name, loosely):
                yield one.option

    def _candidates(self, name: str, loosely: str) -> Iterable[_Pattern]:
        if not self._by_part:
            return self._all
        found: set[int] = set()
        for text in {name, loosely}:
            for length in self._lengths:
                for at in range(len(text) - length + 1 if length else 1):
                    found.update(self._by_part.get(text[at : at + length], ()))
        return [self._all[number] for number in sorted(found)]


class Patterns:
    """An index over options, made at once; asking changes nothing."""

    def __init__(self, options: Iterable[Option], relaxed: frozenset[str]) -> None:
        heads: dict[str, list[_Pattern]] = {}
        self._relaxed = bool(relaxed)
        written: dict[str, tuple[str, ...]] = {}
        for option in options:
            if not option.pattern:
                continue
            parts = tuple(option.name.split("*"))
            loosely = tuple(map(loose, parts)) if option.domain in relaxed else None
            pattern = _Pattern(option, parts, loosely)
            heads.setdefault(parts[0], []).append(pattern)
            if loosely is not None and loosely[0] != parts[0]:
                heads.setdefault(loosely[0], []).append(pattern)
            segments = tuple(option.name.split("."))
            if "*" in segments and not any("*" in one and one != "*" for one in segments):
                written[option.name] = segments
        self._groups = {head: _Group(found) for head, found in heads.items()}
        self._heads = tuple(sorted({*map(len, heads)}, reverse=True))
        self._segments = _Segments(written)

    def of(self, name: str) -> Iterator[Option]:
        """Yield the options that a name is an instance of, those with the longest beginning first."""
        loosely = loose(name) if self._relaxed else name
        for length in self._heads:
            for head in dict.fromkeys((name[:length], loosely[:length])):
                group = self._groups.get(head)
                if group is not None:
                    yield from group.of(name, loosely)

    def near(self, name: str) -> Iterator[Spelt]:
        """Yield what a name is nearly an instance of; the name of each is the pattern's and the instance, on two lines."""
        written = _INDEX.sub(r".[\1]", name).split(".")
        segments = [one.strip("[]") if _INDEX.fullmatch(one) else one for one in written]
        if all(segments):
            yield from self._split(written, segments)
            yield from self._mistyped(written, segments)

    def _mistyped(self, written: list[str], segments: list[str]) -> Iterator[Spelt]:
        for wanted, pattern in self._segments.mistyped(segments):
            wrong = [
                at
                for at, (typed, meant) in enumerate(zip(segments, wanted, strict=True))
                if meant not in ("*", typed)
            ]
            if len(wrong) != 1:
                continue
            at = wrong[0]
            typed, meant = segments[at], wanted[at]
            distance = edit_distance(typed.lower(), meant.lower())
            if distance < MOST and len(meant) >= _LEAST:
                right = _INDEX_PART.sub(
                    r"\1", ".".join((*written[:at], meant, *written[at + 1 :]))
                )
                yield Spelt(f"{pattern}\n{right}", max(distance, 1), typed.lower(), meant)

    def _split(self, written: list[str], segments: list[str]) -> Iterator[Spelt]:
        """What would be an instance of a pattern if a dot were another separator or none: ``x.max.size`` for ``*.max-size``."""
        for wanted, pattern in self._segments.split(segments):
            same = 0
            while same < len(wanted) and wanted[same] in ("*", segments[same]):
                same += 1
            if same == len(wanted):
                continue
            typed, meant = segments[same : same + 2], wanted[same]
            rest = zip(segments[same + 2 :], wanted[same + 1 :], strict=True)
            if loose("".join(typed)) == loose(meant) and all(m in ("*", s) for s, m in rest):
                right = _INDEX_PART.sub(
                    r"\1", ".".join((*written[:same], meant, *written[same + 2 :]))
                )
                yield Spelt(f"{pattern}\n{right}", 1, "", meant)


_Written = tuple[tuple[str, ...], str]
"""A pattern in segments, and its name."""


_Shape = tuple[int, tuple[int, ...]]
"""How many segments a pattern has, and the places of its literals."""
_Key = tuple[_Shape, int, tuple[str, ...]]
"""A shape, the place of one of its literals, and all the others."""


class _Segments:
    """Patterns in whose names ``*`` is a whole segment, by all of their literals but one."""

    def __init__(self, patterns: dict[str, tuple[str, ...]]) -> None:
        self._shapes: dict[int, dict[tuple[int, ...], None]] = {}
        self._literals: dict[_Key, tuple[list[str], list[_Written]]] = {}
        """The one literal of each in small letters, and the patterns."""
        self._loosely: dict[tuple[_Key, str], list[_Written]] = {}
        for name, segments in patterns.items():
            places = tuple(at for at, one in enumerate(segments) if one != "*")
            self._shapes.setdefault(len(segments), {})[places] = None
            for at in places:
                key = (len(segments), places), at, _others(segments, places, at)
                literals, found = self._literals.setdefault(key, ([], []))
                literals.append(segments[at].lower())
                found.append((segments, name))
                together = key, loose(segments[at])
                self._loosely.setdefault(together, []).append((segments, name))

    def mistyped(self, segments: Sequence[str]) -> Iterable[_Written]:
        """Return the patterns with as many segments of which all literals but one are right, and that one nearly."""
        from rapidfuzz.distance import OSA  # noqa: PLC0415 - only a misspelled name needs it
        from rapidfuzz.process import extract  # noqa: PLC0415

        found: dict[str, _Written] = {}
        count = len(segments)
        for places in self._shapes.get(count, ()):
            for at in places:
                key = (count, places), at, _others(segments, places, at)
                if key in self._literals:
                    literals, patterns = self._literals[key]
                    typed = segments[at].lower()
                    close = extract(
                        typed, literals, scorer=OSA.distance, score_cutoff=MOST - 1, limit=None
                    )
                    for _, _, number in close:
                        found[patterns[number][1]] = patterns[number]
        return found.values()

    def split(self, segments: Sequence[str]) -> Iterable[_Written]:
        """Return the patterns with one segment less of which all literals but one are right, and that one is two segments."""
        found: dict[str, _Written] = {}
        count = len(segments) - 1
        for places in self._shapes.get(count, ()):
            for at in places:
                both = "".join(segments[at : at + 2])
                joined = (*segments[:at], both, *segments[at + 2 :])
                key = (count, places), at, _others(joined, places, at)
                for one in self._loosely.get((key, loose(both)), ()):
                    found[one[1]] = one
        return found.values()


def _others(segments: Sequence[str], places: tuple[int, ...], at: int) -> tuple[str, ...]:
    return tuple(segments[place] for place in places if place != at)
