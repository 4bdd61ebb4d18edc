"""What an evaluation compares: rules, plain forests on DiagConfig's features, and our forest.

Terms
    recorded  DiagConfig's counts as its authors' own flows give them (packaged: ``DIAGCONFIG``), in place of ours.
    fixed     a method that no seed changes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import attrs

from conflens.models.resources import grammar_file
from conflens.sensitivity import fitting
from conflens.sensitivity.features import CHOSEN, EVIDENCE, PLACE, Feature, features
from conflens.sensitivity.level import THRESHOLD, is_called_sensitive
from conflens.sensitivity.results import Evidence
from conflens.sensitivity.table import Row, Table, TableError
from conflens.sensitivity.vocabulary import packaged

DIAGCONFIG = "sensitivity/diagconfig.csv"
"""The packaged file of DiagConfig's counts on its own flows."""

OURS = "ConfLens: score and evidence"
"""The method that the package uses."""

SCORE = "ConfLens: score alone"
"""The forest's score, which orders options within a level of evidence."""

_BELOW = 0.5
"""Scores of options that are not called sensitive are halved, so that they keep their order."""

Recorded = Mapping[tuple[str, str], tuple[float, ...]]
"""DiagConfig's counts by system and option."""

Scorer = Callable[[Sequence[Row]], list[float]]


class Learner(Protocol):
    """Makes a scorer from rows."""

    def __call__(self, rows: Sequence[Row], seed: int, /) -> Scorer:
        """Learn."""


@attrs.frozen
class Method:
    """``recorded``: it sees DiagConfig's flows in place of ours; ``learner`` is asked once for all seeds if
    ``fixed``."""

    name: str
    learner: Learner
    judged: bool = False
    recorded: bool = False
    fixed: bool = False


def methods(table: Table, trees: int = fitting.TREES) -> list[Method]:
    """Return the methods that are compared."""
    order = features(packaged())
    ours, recorded = table.names.index("operations"), diagconfig_names().index("operations")
    counts = [index for index, name in enumerate(table.names) if name in diagconfig_names()]
    return [
        Method("has a flow", at_least(ours, 1), fixed=True),
        Method("2 flows or more", at_least(ours, 2), fixed=True),
        Method("has a flow, DiagConfig's flows", at_least(recorded, 1), recorded=True, fixed=True),
        Method(
            "2 flows or more, DiagConfig's flows",
            at_least(recorded, 2),
            recorded=True,
            fixed=True,
        ),
        Method(
            "forest on DiagConfig's features and flows",
            plain_forest(range(len(diagconfig_names())), trees),
            recorded=True,
        ),
        Method("forest on DiagConfig's features, our flows", plain_forest(counts, trees)),
        Method("score, measured labels only", forest(order, CHOSEN, trees)),
        Method(OURS, verdicts(order, trees), judged=True),
        Method(SCORE, forest(order, CHOSEN, trees), judged=True),
        Method("score without levels", forest(order, CHOSEN, trees, levels=False), judged=True),
        Method("all features", forest(order, None, trees), judged=True),
    ]


def at_least(column: int, least: float) -> Learner:
    """Return the rule that flags what has at least so many."""

    def scorer(rows: Sequence[Row]) -> list[float]:
        return [float(row.found and row.values[column] >= least) for row in rows]

    return lambda rows, seed: scorer


def forest(
    order: Sequence[Feature],
    groups: frozenset[str] | None,
    trees: int = fitting.TREES,
    levels: bool = True,
) -> Learner:
    """Return our forest on groups of features (all: ``None``), against the ``levels`` of systems or not."""
    fit = fitting.Fit(order, groups, trees=trees)

    def learn(rows: Sequence[Row], seed: int) -> Scorer:
        fitted = fit.fitted(rows, seed)

        def scorer(tested: Sequence[Row]) -> list[float]:
            scores = fit.scores(fitted, tested)
            return by_system(tested, scores) if levels else scores

        return scorer

    return learn


def verdicts(order: Sequence[Feature], trees: int = fitting.TREES) -> Learner:
    """Return our verdicts: the forest's score, moved to the side of one half on which the evidence puts the option."""
    learn = forest(order, CHOSEN, trees)
    names = [feature.name for feature in order]
    evidence, places = names.index(EVIDENCE), names.index(PLACE)
    levels = (Evidence.NONE, Evidence.LIKELY, Evidence.STRONG, Evidence.STRONG)

    def judge(rows: Sequence[Row], seed: int) -> Scorer:
        scored = learn(rows, seed)

        def scorer(tested: Sequence[Row]) -> list[float]:
            found = []
            for row, score in zip(tested, scored(tested), strict=True):
                number = int(row.values[evidence])
                is_sensitive = is_called_sensitive(
                    score, levels[number], bool(row.values[places]), number > 2
                )
                found.append(max(score, THRESHOLD) if is_sensitive else score * _BELOW)
            return found

        return scorer

    return judge


def by_system(rows: Sequence[Row], scores: Sequence[float]) -> list[float]:
    """Return scores against the level of each row's system."""
    found = list(scores)
    for system in dict.fromkeys(row.label.system for row in rows):
        own = [index for index, row in enumerate(rows) if row.label.system == system]
        taken = fitting.levelled([rows[index] for index in own], [scores[index] for index in own])
        for index, score in zip(own, taken, strict=True):
            found[index] = score
    return found


def plain_forest(columns: Iterable[int], trees: int = fitting.TREES) -> Learner:
    """Return scikit-learn's forest as it comes: no weights, no trends, no least number in a leaf."""
    chosen = list(columns)

    def learn(rows: Sequence[Row], seed: int) -> Scorer:
        from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415

        known = [row for row in rows if row.found]
        classes = [int(row.label.sensitive) for row in known]
        if len(set(classes)) < 2:
            raise TableError("a training table needs options of both kinds")
        fitted = RandomForestClassifier(trees, random_state=seed)
        fitted.fit([[row.values[index] for index in chosen] for row in known], classes)

        def scorer(tested: Sequence[Row]) -> list[float]:
            shares = fitted.predict_proba([[row.values[i] for i in chosen] for row in tested])
            return [
                float(s) if r.found else 0.0 for s, r in zip(shares[:, 1], tested, strict=True)
            ]

        return scorer

    return learn


@lru_cache(maxsize=1)
def diagconfig_names() -> tuple[str, ...]:
    """Return the names of DiagConfig's 23 counts."""
    return tuple(f.name for f in features(packaged()) if f.group == "diagconfig")


def recorded(
    text: str | None = None, file: str = DIAGCONFIG
) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return DiagConfig's counts from a text (the packaged one unless given); raise ``TableError``."""
    content = grammar_file(DIAGCONFIG).decode() if text is None else text
    reader = csv.reader(io.StringIO(content))
    if next(reader, []) != ["system", "option", *diagconfig_names()]:
        raise TableError(f"{file}:1: not DiagConfig's counts")
    found, width = {}, len(diagconfig_names())
    for system, option, *counts in reader:
        try:
            found[system, option] = tuple(map(float, counts))
        except ValueError:
            raise TableError(f"{file}:{reader.line_num}: a count is not a number") from None
        if len(counts) != width:
            raise TableError(f"{file}:{reader.line_num}: {len(counts)} counts instead of {width}")
    return found
