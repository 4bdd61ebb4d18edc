"""From chains to what is said of options: verdicts and their order.

An option's *explained* is what its chains were given, over all that moved (``collecting``).  Options whose recorded value was the same in both runs got nothing (``sharing``) and come last.

Absent: chains (``sharing``), hotspots (``hotspots``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from conflens.diagnosis.collecting import Collected
from conflens.diagnosis.contrast import effect
from conflens.diagnosis.resemblance import LEAST
from conflens.diagnosis.results import (
    Cause,
    Cost,
    HotChain,
    Hotspot,
    Suspect,
    Total,
    Under,
    Value,
    Verdict,
)
from conflens.diagnosis.sharing import Given, Governing, Sharing, Way
from conflens.diagnosis.values import Known
from conflens.flow.results import Dependency, OptionKey
from conflens.options.model import OptionTable
from conflens.profiling.model import BLOCKED, EventKind

_LIKELY = 0.05
"""The least part of the variation that makes an option a likely cause (DiagConfig §3.2: 5 %)."""
_OF_WORK = 0.1
"""The least part of what computing or memory became more that makes an option a likely cause by itself."""
_OF_RUN = 0.025
"""What that must be at least of all that the baseline costs of the kind."""
_UNKNOWN = 0.25
"""What the explained part counts in the order for an option of unknown value, if others are known to differ."""
_CHANGED = 0.15
"""What it counts in the order that an option is known to differ, times how sensitive it is."""
_OF_FIRST = 0.1
"""The least part of what explains most."""
_CAUSES = 40
_MOST = 0.5
"""What branches of others must explain to contradict the only option that is known to differ."""
_LITTLE = 0.005
_ONLY = "No other option is known to differ."
_IN_NOISE = "No cost is told apart from noise."
_DIGITS = 3
"""Digits of what is explained that tell options apart."""
_UNSET = 0.25
"""What the explained part of such an option counts where nobody knows that its value was set."""
_LESSER = 0.5
"""What the explained part counts in the order without a baseline, for an option of a library or a pattern."""
_NOTHING = [0.0, 0.0]
_NO_RISES: Mapping[EventKind, float] = {}
_NO_NAMES: Mapping[OptionKey, float] = {}
_LISTED = 1.5
"""What a method must weigh, in that of the least one listed, to be sure to be listed."""
_EVERYTHING = 0.95
"""The part of a kind under an option from which on it tells nothing."""
_OF_MEMORY = 0.5
"""What a part of the allocation counts beside one of the time."""
_POSSIBLE = 10
"""Options that are listed only because a cost under them differs."""
_UNSURE = "What runs under it differs, but no call chain differs by more than noise."
_SENSITIVE = 0.5
"""How sensitive an option must be to be possible by that alone."""
_BY_SENSITIVITY = "No call chain leads to it; its code is of a kind that changes what a run costs."
_LISTED_ALIKE = 5
"""Options that are listed because what costs is called like them."""
_BY_NAME = "No call chain leads to it; methods that cost {more}have a similar name."
_SEEN = 10
"""Samples of a branch that a side should have, without which its absence there says nothing."""


def suspects(
    collected: Mapping[OptionKey, Collected],
    differing: Mapping[OptionKey, str],
    recorded: Known,
    violated: bool,
    compared: bool,
    scores: Mapping[OptionKey, float],
    least: float = 0.0,
    blames: bool = True,
    reached: frozenset[OptionKey] = frozenset(),
    rises: Mapping[EventKind, float] = _NO_RISES,
    lesser: Collection[OptionKey] = frozenset(),
    alike: Mapping[OptionKey, float] = _NO_NAMES,
) -> tuple[Suspect, ...]:
    """Return the options that something is held against, in order; ``scores``: how sensitive they are, 0 to 1.

    Unless ``violated``, no option is a likely cause, and what would be one is possible, except the only one that is known to
    differ if it is also ``reached``; unless it also ``blames``, only one that
    is known to differ.  Options that are known to differ
    come first, and beside one that may change the cost (``Known.telling``) no option of unknown value is likely.  The only
    one that differs is likely even where no chain shows what it costs, unless most is shown by branches of others that
    run on one side only: then recorded values and chains contradict each other, and all are possible.

    ``differing``: options whose branches run on one side only, with what was seen.  ``reached``: those that decide something in a
    method that ran, where a cost rose although within the noise.  ``rises``: by how much kinds of work rose that differ by more than
    noise: what explains one of them is a cause although others, such as time on the network, rose more.  ``lesser``: options that come
    behind others which explain as much: patterns, and those of libraries (``belonging``).  ``alike``: how much
    of what costs is called like an option (``resemblance``).  ``least``: what an option must
    explain of the variation to be a likely cause although nobody knows that its value differs.
    """
    most = max((one.explained for one in collected.values()), default=0.0)
    values = recorded.values
    telling = recorded.telling if compared else frozenset()
    only = _only(telling, collected, differing)
    if not violated and only not in reached:
        only = None
    found = []
    changed = [key for key, value in values.items() if compared and not value.same]
    for key in dict.fromkeys((*collected, *changed, *differing)):
        one = collected.get(key, Collected())
        value = values.get(key)
        known = value is not None and not value.same
        explained = one.explained if known or key not in lesser else one.explained * _UNSET
        enough = explained >= max(_LIKELY, most * _OF_FIRST, 0.0 if known else least)
        enough = enough or (
            (known or key not in lesser)
            and any(
                one.of_kinds.get(kind, 0.0) >= max(_OF_WORK * rise, _OF_RUN)
                for kind, rise in rises.items()
            )
        )
        if value is not None and value.same and compared:
            if one.withheld < _LIKELY:
                continue
            verdict, reason = Verdict.UNCHANGED, "It had the same value in both runs."
        elif enough:
            verdict = Verdict.BEHIND
            if compared:
                sure = key == only or (violated and (known or (blames and not telling)))
                verdict = Verdict.LIKELY if sure else Verdict.POSSIBLE
            reason = f"{_sentence(_went(value))}." if value is not None and compared else ""
        elif key == only and value is not None:
            verdict = Verdict.LIKELY
            reason = f"{_sentence(_went(value))}. {_ONLY} {_part_missing(one)}"
        elif value is not None and compared:
            verdict = Verdict.DIFFERS
            reason = f"{_sentence(_went(value))}, but no call chain shows what that costs."
        elif key in differing:
            verdict = Verdict.DIFFERS
            reason = f"{_sentence(differing[key])}."
        else:
            continue
        if verdict is Verdict.LIKELY and not violated:
            reason = f"{reason} {_IN_NOISE}"
        causes = tuple(_causes(key, one.causes))
        found.append(Suspect(key, verdict, one.explained, one.parts, value, causes, reason))

    def rank(one: Suspect) -> tuple[object, ...]:
        if one.verdict is Verdict.UNCHANGED:
            return 2, -collected[one.option].withheld, one.option
        group, weight = _rank(one, telling, bool(changed), scores)
        # What cannot be told apart by what ran is told by what is likely to cost.
        like = alike.get(one.option, 0.0)
        later = one.option in lesser, -round(like, 1), -scores.get(one.option, 0.5)
        if not compared and one.option in lesser:
            weight *= _LESSER
        return group, round(weight, _DIGITS), *later, one.option

    return tuple(sorted(found, key=rank))


def possible(
    options: OptionTable,
    suspected: Sequence[Suspect],
    values: Mapping[OptionKey, Value],
    shares: Mapping[OptionKey, Sequence[Under]],
    totals: Sequence[Total],
    costs: Sequence[Cost],
) -> tuple[Suspect, ...]:
    """Return further options under which a cost differs, for a diagnosis without a likely cause.

    They are ordered by the part of the difference that ran under them, in a kind that differs by more than noise if
    there is one.  An option under which nearly everything runs in both runs is behind nothing, and a pattern is
    nobody.
    """
    told = {cost.kind for cost in costs if cost.significant and cost.kind is not None}
    chosen = {
        total.kind: total
        for total in totals
        if total.before is not None and (total.kind in told if told else total.kind not in BLOCKED)
    }
    known = {one.option for one in suspected}
    found: dict[OptionKey, float] = {}
    for option in options.options:
        key, value = option.key, values.get(option.key)
        if key in known or option.pattern or (value is not None and value.same):
            continue
        for row in shares.get(key, ()):
            total, before = chosen.get(row.kind), row.before or 0.0
            if total is None or min(row.share, before) >= _EVERYTHING:
                continue
            whole = total.after - (total.before or 0.0)
            part = row.share * total.after - before * (total.before or 0.0)
            if whole and part / whole >= _LIKELY:
                found[key] = max(found.get(key, 0.0), min(1.0, part / whole))
    ordered = sorted(found, key=lambda key: (-found[key], key))
    return tuple(
        Suspect(key, Verdict.POSSIBLE, 0.0, {}, values.get(key), (), _UNSURE)
        for key in ordered[:_POSSIBLE]
    )


def deciding(
    options: OptionTable,
    suspected: Sequence[Suspect],
    values: Mapping[OptionKey, Value],
    shares: Mapping[OptionKey, Sequence[Under]],
    lesser: Collection[OptionKey],
) -> tuple[Suspect, ...]:
    """Return further options that a part of the work runs under, for a diagnosis without a baseline.

    Waiting and sleep do not count, since nobody has looked whether they are idle, and an option under which nearly everything runs is
    behind nothing.  The one that decides over most comes first; one of ``lesser`` must decide over four times as much.
    """
    known = {one.option for one in suspected}
    found: dict[OptionKey, float] = {}
    for option in options.options:
        key = option.key
        if key in known or option.pattern:
            continue
        for row in shares.get(key, ()):
            counts = _OF_MEMORY if row.kind is EventKind.ALLOCATION else 1.0
            part = row.share * counts * (_UNSET if key in lesser else 1.0)
            if row.kind not in BLOCKED and part >= _LIKELY and row.share < _EVERYTHING:
                found[key] = max(part, found.get(key, 0.0))
    ordered = sorted(found, key=lambda key: (key in lesser, -round(found[key], _DIGITS), key))
    return tuple(
        Suspect(key, Verdict.BEHIND, 0.0, {}, values.get(key), ()) for key in ordered[:_POSSIBLE]
    )


def sensitive(
    options: OptionTable,
    suspected: Sequence[Suspect],
    values: Mapping[OptionKey, Value],
    scores: Mapping[OptionKey, float],
) -> tuple[Suspect, ...]:
    """Return the options that are most likely to change what a run costs, for a slow run that nothing else explains.

    Their way to the cost is not followed; that is no reason to withhold them.
    """
    known = {one.option for one in suspected}
    found = [
        option.key
        for option in options.options
        if option.key not in known
        and not option.pattern
        and not option.is_dead
        and scores.get(option.key, 0.0) >= _SENSITIVE
        and not ((value := values.get(option.key)) is not None and value.same)
    ]
    ordered = sorted(found, key=lambda key: (-scores[key], key))
    return tuple(
        Suspect(key, Verdict.POSSIBLE, 0.0, {}, values.get(key), (), _BY_SENSITIVITY)
        for key in ordered[:_POSSIBLE]
    )


def resembling(
    suspected: Sequence[Suspect],
    values: Mapping[OptionKey, Value],
    alike: Mapping[OptionKey, float],
    lesser: Collection[OptionKey],
    scores: Mapping[OptionKey, float],
    compared: bool,
) -> tuple[Suspect, ...]:
    """Return further options that what costs is called like, for a diagnosis in which chains tell little."""
    known = {one.option for one in suspected}
    found = [
        key
        for key, like in alike.items()
        if like >= LEAST
        and key not in known
        and not (compared and (value := values.get(key)) is not None and value.same)
    ]

    def rank(key: OptionKey) -> tuple[object, ...]:
        return key in lesser, -round(alike[key], 1), -scores.get(key, 0.5), key

    ordered = sorted(found, key=rank)
    reason = _BY_NAME.format(more="more " if compared else "")
    return tuple(
        Suspect(key, Verdict.POSSIBLE, 0.0, {}, values.get(key), (), reason)
        for key in ordered[:_LISTED_ALIKE]
    )


def _only(
    telling: frozenset[OptionKey],
    collected: Mapping[OptionKey, Collected],
    differing: Mapping[OptionKey, str],
) -> OptionKey | None:
    """Return the only option that is known to differ, ``None`` if there are more or chains of others contradict it."""
    if len(telling) != 1:
        return None
    (only,) = telling
    others = sum(
        one.explained for key, one in collected.items() if key != only and key in differing
    )
    return None if others > _MOST else only


def _part_missing(one: Collected) -> str:
    if one.explained >= _LITTLE:
        return "Call chains show only a small part of what it costs."
    return "No call chain shows what it costs."


def _rank(
    one: Suspect,
    telling: frozenset[OptionKey],
    known: bool,
    scores: Mapping[OptionKey, float],
) -> tuple[int, float]:
    """Return the sort key of a suspect whose value is not known to be the same.

    ``known``: some options are known to differ.  Then those whose values nobody recorded are less likely, and one
    that is known to differ counts something even if no chain shows it, by how sensitive it is.
    """
    differs = one.values is not None and not one.values.same
    if one.option in telling:
        return -1, -one.explained - _CHANGED * scores.get(one.option, 0.5)
    if one.verdict is Verdict.DIFFERS and not differs:
        return 1, -one.explained
    weight = one.explained * (1.0 if differs or not known else _UNKNOWN)
    if differs:
        weight += _CHANGED * scores.get(one.option, 0.5)
    return 0, -weight


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _went(value: Value) -> str:
    if value.secret:
        return "its recorded values differ (they are redacted)"
    return f"its value went from {_shown(value.before)} to {_shown(value.after)}"


def _shown(value: str | None) -> str:
    return "unset" if value is None else value or '""'


def _causes(
    key: OptionKey, given: Sequence[tuple[Hotspot, HotChain, Way, Given, float]]
) -> Iterable[Cause]:
    ordered = sorted(given, key=lambda one: -abs(one[4]))
    for hotspot, chain, way, one, part in ordered[:_CAUSES]:
        weighed = one.weighed
        yield Cause(
            key,
            weighed.link.hold.dependency,
            weighed.link.hold,
            hotspot,
            chain,
            weighed.position,
            part,
            weighed.effect,
            weighed.position < way.above,
            weighed.made,
        )


def taken_on_one_side(sharing: Sharing) -> dict[OptionKey, str]:
    """Return the options whose branches run on one side only, although what is around them runs on both.

    Exact invocations tell this by one call, but tools list the heaviest methods only: a method is taken to
    be absent from a side if what it weighs on the other would have put it on the list.  Samples tell it if there
    are enough of them.
    """
    merged, contrasts = sharing.merged, sharing.contrasts
    counts = merged.invocations
    located = merged.methods.located
    sampled: dict[int, list[float]] = {}
    if counts is None:
        for (node, _), pair in merged.counts.items():
            mine = sampled.setdefault(node, [0.0, 0.0])
            mine[0] += pair[0]
            mine[1] += pair[1]
        for node in range(len(merged.parent) - 1, 0, -1):
            if node in sampled and merged.parent[node] > 0:
                mine = sampled.setdefault(merged.parent[node], [0.0, 0.0])
                mine[0] += sampled[node][0]
                mine[1] += sampled[node][1]
    own: dict[int, list[float]] = {}
    for (_, method), pair in merged.leaves.items():
        mine = own.setdefault(method, [0.0, 0.0])
        mine[0] += pair[0]
        mine[1] += pair[1]
    least = [
        min((pair[side] for pair in own.values() if pair[side]), default=0.0) for side in (0, 1)
    ]
    found: dict[OptionKey, tuple[float, str]] = {}
    for node in range(1, len(merged.parent)):
        if counts is None and max(sampled.get(node, _NOTHING)) < _SEEN:
            continue
        made = [
            (Governing(link, {child: None}), True)
            for child in contrasts.children(node)
            for link in sharing.making(node, child)
        ]
        for (link, nodes), is_made in (*((one, False) for one in sharing.governed(node)), *made):
            if link.hold.dependency is not Dependency.BRANCH or not link.certain:
                continue
            for child in nodes:
                if located[merged.method[child]].ref is None:
                    continue
                if counts is not None:
                    pair = counts.get(merged.method[child], _NOTHING)
                    absent = 0 if pair[0] <= 0 else 1
                    weight = own.get(merged.method[child], _NOTHING)[1 - absent]
                    enough = is_made or min(counts.get(merged.method[node], _NOTHING)) > 0
                    enough = enough and weight >= _LISTED * least[absent]
                else:
                    pair = sampled.get(child, _NOTHING)
                    whole = sampled.get(node, _NOTHING)
                    around = whole[0] - pair[0], whole[1] - pair[1]
                    absent = 0 if pair[0] <= 0 else 1
                    # As many as the other side has, for what else the method did on this one.
                    wanted = pair[1 - absent] * around[absent] / max(1.0, around[1 - absent])
                    enough = is_made or wanted >= _SEEN
                    enough = enough and max(pair) >= _SEEN
                if not enough or min(pair) > 0 or max(pair) <= 0:
                    continue
                told = effect(0.0, 0.0, pair[0], pair[1])
                callee = located[merged.method[child]].frame
                text = f"its branch that calls {callee.method} {told}"
                told_by = contrasts.after[child] + contrasts.before[child]
                if link.option not in found or told_by > found[link.option][0]:
                    found[link.option] = (told_by, text)
    return {key: text for key, (_, text) in found.items()}
