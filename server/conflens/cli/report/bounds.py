"""How much of the flows a format writes: a few options that reach much must not fill the disk.

The flows of an option, the steps of a path and the total of both are limited.  Where a limit is exceeded, the surest flows of an option
and the beginning and end of a path are kept.  The first options may use up to half of all steps, since few projects have more;
the rest is divided among the remaining options.
Invariants: what is left out is counted.  A path is written out once and not kept, so that memory does not grow with the output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import attrs

from conflens.base.lazy import once
from conflens.base.words import count, joined
from conflens.flow.results import Flow, Path, Step

_LEAST = 2
"""Steps of a path of which anything is shown: where the option is read, and the operation."""


@attrs.frozen
class Most:
    """The bounds of one format."""

    flows_of_option: int = 10_000
    flows: int = 300_000
    steps_of_path: int = 1_000
    steps_of_option: int = 50_000
    steps: int = 2_000_000


READ = Most(flows=50_000, steps_of_path=200, steps=200_000)
"""What a person reads is shorter."""


@attrs.frozen
class Written:
    """A path and those of its steps that are written; ``left_out`` in their middle, before the step number ``cut``, are not."""

    path: Path
    steps: Sequence[Step]
    left_out: int

    @property
    def cut(self) -> int:
        """Before which step, from 0, others are left out."""
        return len(self.steps) - len(self.steps) // 2


class Bounds:
    """What may still be written, and how much was left out so far."""

    def __init__(self, flows: Iterable[int], most: Most | None = None) -> None:
        """``flows`` are the numbers of flows of the options, in the order in which they are written."""
        self._most = most = most or Most()
        counts = [min(number, most.flows_of_option) for number in flows]
        self._cap = _share(counts, most.flows)
        self._options = sum(number > 0 for number in counts)
        self._left = most.steps
        self._allowed = 0
        self.flows = self.paths = self.steps = 0
        """How many were left out."""

    def begin(self, flows: int) -> int:
        """Begin an option with so many flows; return how many of them may be written."""
        if not flows:
            return 0
        free = self._left - self._most.steps // 2
        share = self._left // max(1, self._options)
        only = self._options == 1
        self._allowed = max(
            share, min(free, self._most.steps if only else self._most.steps_of_option)
        )
        self._options -= 1
        return min(flows, self._cap)

    def of(self, flows: Sequence[Flow], paths: int | None) -> Iterator[tuple[Flow, list[Written]]]:
        """Yield the flows of an option that may be written, each with at most so many ``paths``; count the others."""
        written = 0
        for flow in flows[: self.begin(len(flows))]:
            wanted = list(islice(flow.paths, paths))
            kept: list[Written] = []
            for path in wanted:
                made = self.path(path)
                if made is None:
                    break
                kept.append(Written(path, *made))
            if not kept:
                break
            self.paths += len(wanted) - len(kept)
            written += 1
            yield flow, kept
        self.flows += len(flows) - written

    @property
    def room(self) -> int:
        """How many steps the option may still write; 0 if that is too few for a path."""
        return self._allowed if self._allowed >= _LEAST else 0

    def spend(self, steps: int, left_out: int) -> None:
        """Note that steps are written, and others in their middle are not."""
        self._allowed -= steps
        self._left -= steps
        self.steps += left_out

    def path(self, path: Path) -> tuple[Sequence[Step], int] | None:
        """Return the steps to write of a path and how many are left out in their middle; ``None`` if there is no room."""
        if not self.room:
            return None
        whole = once(path.steps)
        room = min(self.room, self._most.steps_of_path)
        steps = whole
        if len(whole) > room:
            tail = room // 2
            steps = (*whole[: room - tail], *whole[len(whole) - tail :])
        left_out = len(whole) - len(steps)
        self.spend(len(steps), left_out)
        return steps, left_out

    def told(self) -> str:
        """Return what was left out in a sentence; empty for nothing."""
        parts = [
            count(number, noun)
            for number, noun in ((self.flows, "flow"), (self.paths, "path"), (self.steps, "step"))
            if number
        ]
        if not parts:
            return ""
        return f"the result is too large: {joined(parts)} are left out; conflens flows --option NAME shows more of one option"


def _share(counts: Sequence[int], most: int) -> int:
    """Return how many each may have at most so that all together have no more than ``most``."""
    left = most
    ordered = sorted(number for number in counts if number)
    for at, number in enumerate(ordered):
        equal = left // (len(ordered) - at)
        if number > equal:
            return equal
        left -= number
    return max(ordered, default=0)
