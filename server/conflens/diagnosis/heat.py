"""What lies under options and members: shares of the violation's weight, for hints, lenses and hovers.

Terms
    under   of an option: the weight of call chains that pass one of its holds; each chain counts once, by the
            nearest hold's dependency.
    own     of a member: what it did itself, with what libraries did for it.
    whole   of a member: all chains that pass it, recursion counted once.

Only links of some strength count here, because nothing weighs them against the runs.
Absent: comparison of runs (``contrast``), whose results are the suspects'.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from conflens.base.cancel import CancelToken
from conflens.diagnosis.linking import Link
from conflens.diagnosis.merging import Merged
from conflens.diagnosis.results import Heat, Joint, Under
from conflens.diagnosis.sharing import Sharing
from conflens.flow.results import Dependency, OptionKey
from conflens.profiling.model import EventKind, Frame
from conflens.program.refs import MemberRef

_SURE = 0.4
_SMALL = 0.001
"""The share of a kind's total below which a subtree is not opened."""
_SHOWN = 0.001
"""The least share of a member or an option that is kept."""

_Pair = list[float]
"""Weights before and after."""
_Weights = dict[OptionKey, dict[Dependency, _Pair]]
_ANY: OptionKey = ("", "")
"""Stands for any of the options that are asked for together."""


def joint(caller: Frame, callee: Frame | None) -> Joint:
    """Return the key of a call for ``Diagnosis.holds``."""
    below = None if callee is None else (callee.owner, callee.method, callee.descriptor)
    return Joint((caller.owner, caller.method, caller.descriptor), below)


Shares = Mapping[OptionKey, tuple[Under, ...]]
Holds = Mapping[Joint, tuple[tuple[OptionKey, Dependency], ...]]


def under(
    sharings: Sequence[Sharing],
    compared: bool,
    together: Container[OptionKey],
    token: CancelToken,
) -> tuple[Shares, Holds, Mapping[EventKind, Under]]:
    """Return the shares under each option, the calls at which options take hold, and by kind the share under any of
    the options that are in ``together``."""
    found: dict[OptionKey, list[Under]] = {}
    covered: dict[EventKind, Under] = {}
    holds: dict[Joint, dict[tuple[OptionKey, Dependency], None]] = {}
    for sharing in sharings:
        totals, kind = sharing.merged.totals, sharing.merged.kind
        if not any(totals):
            continue
        for key, weights in _weights(sharing, holds, together, token).items():
            row = _shares(kind, weights, totals, compared)
            if key == _ANY:
                covered[kind] = row
            elif max(row.share, row.before or 0.0) >= _SHOWN:
                found.setdefault(key, []).append(row)
    return (
        {key: tuple(sorted(rows, key=lambda row: -row.share)) for key, rows in found.items()},
        {key: tuple(named) for key, named in holds.items()},
        covered,
    )


def _shares(
    kind: EventKind,
    weights: Mapping[Dependency, _Pair],
    totals: Sequence[float],
    compared: bool,
) -> Under:
    before, after = (
        {way: pair[side] / total for way, pair in weights.items() if total}
        for side, total in enumerate(totals)
    )
    was = min(1.0, sum(before.values())) if compared and totals[0] else None
    parts = {way: share for way, share in after.items() if share}
    return Under(kind, min(1.0, sum(after.values())), parts, was)


def _sure(links: Sequence[Link]) -> list[tuple[OptionKey, Dependency]]:
    return [(link.option, link.hold.dependency) for link in links if link.strength >= _SURE]


def _weights(
    sharing: Sharing,
    holds: dict[Joint, dict[tuple[OptionKey, Dependency], None]],
    together: Container[OptionKey],
    token: CancelToken,
) -> _Weights:
    merged = sharing.merged
    before, after = sharing.contrasts.before, sharing.contrasts.after
    located = merged.methods.located
    small = [total * _SMALL for total in merged.totals]
    own: dict[int, _Pair] = {}
    for (node, _), pair in merged.leaves.items():
        mine = own.setdefault(node, [0.0, 0.0])
        mine[0] += pair[0]
        mine[1] += pair[1]
    found: _Weights = {}

    def add(state: Mapping[OptionKey, Dependency], pair: Sequence[float]) -> None:
        ways = list(state.items())
        ways += [(_ANY, Dependency.BRANCH)] if any(key in together for key in state) else []
        for key, dependency in ways:
            weights = found.setdefault(key, {}).setdefault(dependency, [0.0, 0.0])
            weights[0] += pair[0]
            weights[1] += pair[1]

    stack: list[tuple[int, dict[OptionKey, Dependency]]] = [(0, {})]
    while stack:
        node, state = stack.pop()
        token.check()
        here = located[merged.method[node]] if node > 0 else None
        mine = own.get(node, [0.0, 0.0])
        if any(mine) and here is not None and here.ref is not None:
            links = _sure(sharing.linker.of_own(here, merged.lines.get(node, {})))
            if links and mine[1]:
                holds.setdefault(joint(here.frame, None), {}).update(dict.fromkeys(links))
            add({**state, **dict(links)}, mine)
        elif any(mine):
            add(state, mine)
        governing: dict[int, list[Link]] = {}
        for link, nodes in sharing.governed(node):
            for child in nodes:
                governing.setdefault(child, []).append(link)
        for child in sharing.contrasts.children(node):
            weights = before[child], after[child]
            if not any(weights):
                continue
            links = _sure(governing.get(child, ()))
            if links and here is not None and weights[1]:
                place = joint(here.frame, located[merged.method[child]].frame)
                holds.setdefault(place, {}).update(dict.fromkeys(links))
            below = {**state, **dict(links)} if links else state
            if weights[0] <= small[0] and weights[1] <= small[1]:
                add(below, weights)
            else:
                stack.append((child, below))
    return found


def heat(
    mergeds: Sequence[Merged], compared: bool, token: CancelToken
) -> dict[MemberRef, tuple[Heat, ...]]:
    """Return what each member of the project costs, hottest kind first."""
    found: dict[MemberRef, list[Heat]] = {}
    for merged in mergeds:
        token.check()
        if merged.totals[1]:
            for ref, row in _of_kind(merged, compared):
                found.setdefault(ref, []).append(row)
    return {ref: tuple(sorted(rows, key=lambda row: -row.whole)) for ref, rows in found.items()}


def _of_kind(merged: Merged, compared: bool) -> list[tuple[MemberRef, Heat]]:
    located, total = merged.methods.located, merged.totals[1]
    before_total = merged.totals[0]
    _, after = merged.whole()
    nearest: list[MemberRef | None] = [None] * len(merged.parent)
    outermost = [False] * len(merged.parent)
    children: dict[int, list[int]] = {}
    for node in range(1, len(merged.parent)):
        children.setdefault(merged.parent[node], []).append(node)
    above: set[MemberRef] = set()
    stack = list(children.get(0, ()))
    while stack:
        node = stack.pop()
        if node < 0:
            # All below the outermost node of a member has been seen.
            above.discard(located[merged.method[-node]].ref)
            continue
        ref = located[merged.method[node]].ref
        nearest[node] = nearest[merged.parent[node]] if ref is None else ref
        if ref is not None and ref not in above:
            above.add(ref)
            outermost[node] = True
            stack.append(-node)
        stack += children.get(node, ())
    whole: dict[MemberRef, float] = {}
    lines: dict[MemberRef, dict[int, float]] = {}
    for node in range(1, len(merged.parent)):
        around = merged.parent[node]
        ref = located[merged.method[node]].ref
        if ref is not None and outermost[node]:
            whole[ref] = whole.get(ref, 0.0) + after[node]
        caller, site = nearest[around], merged.site[node]
        if caller is not None and site and outermost[around] and after[node]:
            of_caller = lines.setdefault(caller, {})
            of_caller[site] = of_caller.get(site, 0.0) + after[node] / total
    own: dict[MemberRef, list[float]] = {}
    for (node, _), pair in merged.leaves.items():
        ref = nearest[node]
        if ref is not None:
            mine = own.setdefault(ref, [0.0, 0.0])
            mine[0] += pair[0]
            mine[1] += pair[1]
    for node, worked in merged.lines.items():
        ref = nearest[node]
        if ref is not None:
            of_member = lines.setdefault(ref, {})
            for line, pair in worked.items():
                of_member[line] = of_member.get(line, 0.0) + pair[1] / total
    rows = []
    for ref, weight in whole.items():
        mine = own.get(ref, [0.0, 0.0])
        if weight < total * _SHOWN and mine[0] < before_total * _SHOWN:
            continue
        was = mine[0] / before_total if compared and before_total else None
        grown = (mine[1] - mine[0]) / before_total if compared and before_total else None
        kept = {line: part for line, part in lines.get(ref, {}).items() if part >= _SHOWN}
        row = Heat(merged.kind, mine[1] / total, weight / total, was, grown, kept)
        rows.append((ref, row))
    return rows
