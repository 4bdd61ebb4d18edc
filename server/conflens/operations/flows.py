"""Which flows to operations count where, in which order they are shown, and the verb for what an option does.

Terms: a flow is *sure* when its confidence is high or medium; only sure flows are counted, low ones are counted apart or
not at all.  Servers *log* everywhere: such calls are a kind of their own, shown last, and where there is little room not at all.
Absent: which calls are operations (``find``), how a flow is shown (``render``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from conflens.flow.results import Confidence, Dependency, Flow, Operation, Reach

KINDS = ("io", "lock", "memory", "thread", "compute")
"""The kinds of operations in the order in which they are shown; kinds of a workspace file follow, and
``LOG`` is last."""
LOG = "log"
DEPENDENCIES = (Dependency.LOOP, Dependency.DIRECT, Dependency.BRANCH)
"""Most telling first: loops multiply costs, and a branch says the least."""
_VERBS = {
    Dependency.DIRECT: "is passed to",
    Dependency.BRANCH: "controls",
    Dependency.LOOP: "repeats",
}


def is_sure(flow: Flow) -> bool:
    """Tell whether a flow counts."""
    return flow.confidence is not Confidence.LOW


def is_telling(flow: Flow) -> bool:
    """Tell whether a flow counts where there is little room: it is sure and no log call."""
    return is_sure(flow) and not is_log(flow.operation)


def is_log(operation: Operation) -> bool:
    """Tell whether an operation writes to a log."""
    return operation.kind == LOG


def sure_counts(reaches: Iterable[Reach]) -> dict[tuple[Dependency, str], int]:
    """Return how many sure operations of each shown kind reaches have together, in each way."""
    operations_of: dict[tuple[Dependency, str], set[Operation]] = {}
    for reach in reaches:
        for flow in reach.flows:
            if is_sure(flow):
                key = flow.dependency, flow.operation.kind
                operations_of.setdefault(key, set()).add(flow.operation)
    return {key: len(operations) for key, operations in operations_of.items()}


def most_telling(flows: Iterable[Flow]) -> list[Flow]:
    """Order flows for a person: log calls last, the sure before the others, the nearest first; of those
    equally near each API once before any twice, the surest first, and loops before the rest."""
    times: Counter[tuple[object, ...]] = Counter()
    keyed = []
    for flow in flows:
        near = is_log(flow.operation), not is_sure(flow), flow.distance
        times[*near, flow.operation.api] += 1
        way = flow.confidence.rank, DEPENDENCIES.index(flow.dependency)
        keyed.append(((*near, times[*near, flow.operation.api], *way), flow))
    return [flow for _, flow in sorted(keyed, key=lambda item: item[0])]


def kind_order(kind: str) -> tuple[int, str]:
    """Sort key of kinds."""
    if kind == LOG:
        return len(KINDS) + 1, kind
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind


def verb_of(dependency: Dependency, kind: str) -> str:
    """Return what an option does to operations of a kind."""
    if dependency is Dependency.DIRECT and kind == "memory":
        return "sizes"
    return _VERBS[dependency]
