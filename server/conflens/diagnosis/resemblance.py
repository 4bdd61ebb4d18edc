"""Options whose names resemble what costs: the weakest evidence, for options that no call chain leads to.

Where a value goes through registries, builders and containers of a library, no link follows it.  Still ``store.serialized`` is a
better guess than others if ``SerializedMarshaller.write`` became slower.  Such an option is only ever possible, and of options that
explain as much the one that resembles more comes first.

Terms
    stem   the beginning of a word, so that ``passwords`` and ``PasswordEncryptor``, ``validate`` and ``Validator`` meet.
    lift   of a stem: the part that methods on whose chains it stands have of what a kind became more, less their part
           of the baseline; without a baseline their part of the cost, unless nearly all runs there.

Absent: meanings; abbreviations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from conflens.diagnosis.merging import Merged
from conflens.diagnosis.sharing import Sharing
from conflens.flow.results import OptionKey
from conflens.options.model import OptionTable
from conflens.options.names.spelling import humps
from conflens.profiling.model import BLOCKED, EventKind, Nature

_STEM = 6
_SHORTEST = 4
_COMMON = 0.2
"""The part of the options beyond which a word in their names tells none of them."""
_FEW = 3
_SMALL = 0.001
"""The share of a kind's total below which a subtree is not opened."""
_EVERYTHING = 0.95
LEAST = 0.3
"""The least resemblance that makes an option possible."""


def resemblances(
    sharings: Sequence[Sharing],
    options: OptionTable,
    compared: bool,
    blamed: Collection[EventKind] | None,
) -> Mapping[OptionKey, float]:
    """Return how much of what became slower is called like each option, 0 to 1; options without any are left out.

    ``blamed``: the kinds of cost that options are blamed for, ``None`` for all.
    """
    lifts: dict[str, float] = {}
    for sharing in sharings:
        kind = sharing.merged.kind
        if kind in BLOCKED or (blamed is not None and kind not in blamed):
            continue
        for stem, lift in _lifts(sharing, compared).items():
            lifts[stem] = max(lift, lifts.get(stem, 0.0))
    names = {option.key: stems([option.name]) for option in options.options if not option.pattern}
    uses = Counter(stem for found in names.values() for stem in found)
    most = max(_FEW, _COMMON * len(names))
    found = {}
    for key, mine in names.items():
        left = 1.0
        for stem in mine:
            if uses[stem] <= most:
                left *= 1.0 - lifts.get(stem, 0.0)
        if left < 1.0:
            found[key] = 1.0 - left
    return found


def stems(names: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words of names."""
    found = set()
    for word in (word for name in names for word in humps(name)):
        stem = word[:_STEM]
        if len(word) <= _STEM:
            stem = stem.removesuffix("s")
        if len(stem) >= _SHORTEST and stem.isalpha():
            found.add(stem)
    return frozenset(found)


def _lifts(sharing: Sharing, compared: bool) -> dict[str, float]:
    before, after = sharing.merged.totals
    if after <= 0 or (compared and after <= before):
        return {}
    found = {}
    for stem, (was, now) in _weights(sharing).items():
        if compared:
            lift = (now - was) / (after - before) - (was / before if before else 0.0)
        else:
            lift = now / after if now < _EVERYTHING * after else 0.0
        if lift > 0:
            found[stem] = min(1.0, lift)
    return found


def _weights(sharing: Sharing) -> dict[str, list[float]]:
    """Return what runs below methods whose names have a stem, each chain once."""
    merged, contrasts = sharing.merged, sharing.contrasts
    found: dict[str, list[float]] = {}
    known: dict[int, frozenset[str]] = {}
    least = _SMALL * max(merged.totals)
    stack: list[tuple[int, frozenset[str]]] = [(0, frozenset())]
    while stack:
        node, above = stack.pop()
        for child in contrasts.children(node):
            pair = contrasts.before[child], contrasts.after[child]
            if max(pair) < least:
                continue
            method = merged.method[child]
            if method not in known:
                known[method] = _stems_of(merged, method)
            new = known[method] - above
            for stem in new:
                mine = found.setdefault(stem, [0.0, 0.0])
                mine[0] += pair[0]
                mine[1] += pair[1]
            stack.append((child, above | new if new else above))
    return found


def _stems_of(merged: Merged, method: int) -> frozenset[str]:
    frame = merged.methods.located[method].frame
    if frame.nature is not Nature.JAVA:
        return frozenset()
    return stems((frame.owner.rpartition(".")[2], frame.method.partition("$")[0]))
