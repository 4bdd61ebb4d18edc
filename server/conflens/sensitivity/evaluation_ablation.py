"""What each group of features is worth: figures without it, and with it beside the chosen ones."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from conflens.sensitivity import fitting
from conflens.sensitivity.evaluation import MEAN, Tell, Work, check, splits_of
from conflens.sensitivity.evaluation_methods import Method, forest
from conflens.sensitivity.features import CHOSEN, features
from conflens.sensitivity.table import Table
from conflens.sensitivity.vocabulary import packaged

ALL = "all groups"
CHOSEN_ONES = "the chosen groups"


@attrs.frozen
class Worth:
    """A choice of groups: mean over seeds of F1 and AUC, by split (``leave-one-out``: mean over systems).

    ``basis`` is the choice that it is compared with, empty for one that others are compared with.
    """

    basis: str
    choice: str
    figures: tuple[tuple[str, float, float | None], ...]


def ablation(
    table: Table, seeds: int, tell: Tell, trees: int = fitting.TREES
) -> tuple[Worth, ...]:
    """Return what leaving a group out of all and of the chosen ones costs, and what adding one to those
    gains; raise ``TableError`` as ``evaluate`` does."""
    check(table)
    work = Work(table, {}, range(seeds))
    splits = [split for split in splits_of(table) if split.measured]
    order = features(packaged())
    choices = _choices(tuple(dict.fromkeys(feature.group for feature in order)))
    found = []
    for done, (basis, choice, groups) in enumerate(choices):
        tell(done, len(choices))
        method = Method(choice, forest(order, groups, trees), judged=True)
        figures = []
        for split in splits:
            results = work.results(split, method, work.scores(split, method))
            scope = MEAN if len(split.trials) > 1 else split.trials[0].name
            result = next(result for result in results if result.scope == scope)
            area_found = result.auc.mean if result.auc is not None else None
            figures.append((split.name, result.f1.mean, area_found))
        found.append(Worth(basis, choice, tuple(figures)))
    tell(len(choices), len(choices))
    return tuple(found)


def _choices(groups: Sequence[str]) -> list[tuple[str, str, frozenset[str]]]:
    every = frozenset(groups)
    return [
        ("", ALL, every),
        *((ALL, f"without {group}", every - {group}) for group in groups),
        ("", CHOSEN_ONES, CHOSEN),
        *((CHOSEN_ONES, f"without {g}", CHOSEN - {g}) for g in groups if g in CHOSEN),
        *((CHOSEN_ONES, f"with {g}", CHOSEN | {g}) for g in groups if g not in CHOSEN),
    ]
