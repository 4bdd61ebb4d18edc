"""The random forest, fitted from a training table: the only module that knows scikit-learn.

``python -m conflens.sensitivity.fitting`` reads a table from standard input and writes a forest to standard
output: a server starts it as a process of its own, so that it neither waits for the import nor keeps its memory.

Choices (measured in ``evaluation``; the figures stand in README)
    weights      each system's two classes weigh alike, and a system as the square root of its size, judged labels
                 half: systems differ in how many of their options were thought worth labelling.
    monotone     features that can only speak one way are held to it (``features.Feature.trend``): with a few
                 hundred labels the trees would otherwise learn noise.
    calibration  Platt's: a logistic curve through the levelled scores that rows got from forests without their system
                 (column ``held_out`` of the table), each system's classes weighing alike as above.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from conflens.sensitivity.features import CHOSEN, Feature, features
from conflens.sensitivity.forest import FORMAT, Forest, Tree
from conflens.sensitivity.level import level, moved
from conflens.sensitivity.table import Row, Table, TableError, loads
from conflens.sensitivity.vocabulary import packaged

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestClassifier

TREES = 300
SEED = 0
JUDGED = 0.5
LEAST = 2
"""Rows in a leaf."""


def main() -> None:
    """Read a table from standard input, write a forest to standard output."""
    table = loads(sys.stdin.buffer.read().decode(), "the training table")
    sys.stdout.buffer.write(forest_of(table).write())


def forest_of(table: Table, seed: int = SEED) -> Forest:
    """Return the forest of a table, calibrated; raise ``TableError`` if it cannot be fitted."""
    usable(table)
    order = features(packaged())
    fit = Fit(order, CHOSEN)
    forest = fit.fitted(table.rows, seed)
    slope = calibrated(table.learnable)
    trees = [_plain(tree.tree_, fit.columns) for tree in forest.estimators_]
    return Forest(FORMAT, meaning(table), list(table.names), trees, slope)


def usable(table: Table) -> Table:
    """Return a table that a forest can be fitted from; raise ``TableError`` if it is none."""
    if tuple(feature.name for feature in features(packaged())) != table.names:
        raise TableError(
            "the training table was made by another version; `conflens train` makes it anew"
        )
    if len({row.label.sensitive for row in table.learnable}) < 2:
        raise TableError("a training table needs options of both kinds that are read somewhere")
    if len({row.held_out for row in table.learnable}) < 2:
        raise TableError("the training table lacks held-out scores; `conflens train` makes them")
    return table


def meaning(table: Table) -> str:
    """Return what tells forests apart: the table, how they are fitted, and the format."""
    groups = "+".join(sorted(CHOSEN))
    return f"{FORMAT}/{groups}/{TREES}/{SEED}/{JUDGED}/{LEAST}/{table.digest}"


def held_out(table: Table, fit: Fit) -> Table:
    """Return the table with every row's score by a forest that has not seen its system, against the level of
    the system's labelled options (``level``)."""
    scores: dict[str, list[float]] = {}
    for system in sorted({row.label.system for row in table.rows}):
        own = [row for row in table.rows if row.label.system == system]
        scores[system] = levelled(own, fit.scores(fit.fitted(table.without(system).rows), own))
    taken = {system: iter(found) for system, found in scores.items()}
    return attrs.evolve(
        table,
        rows=tuple(
            attrs.evolve(row, held_out=round(next(taken[row.label.system]), 4))
            for row in table.rows
        ),
    )


def levelled(rows: Sequence[Row], scores: Sequence[float]) -> list[float]:
    """Return the scores of one system's rows against their level; rows without features stay at 0."""
    by = level([score for row, score in zip(rows, scores, strict=True) if row.found])
    return [
        moved(score, by) if row.found else 0.0 for row, score in zip(rows, scores, strict=True)
    ]


def calibrated(rows: Sequence[Row]) -> float:
    """Return the slope of the curve from scores to probabilities (Platt's, without an offset, since a score of
    one half is to mean a chance of one half)."""
    from numpy import array, clip, log  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    scores = clip(array([row.held_out for row in rows]), 0.001, 0.999)
    classes = [int(row.label.sensitive) for row in rows]
    curve = LogisticRegression(C=1e6, fit_intercept=False)
    curve.fit(log(scores / (1 - scores)).reshape(-1, 1), classes, sample_weight=weights(rows))
    # A few scores that point the wrong way tell nothing, not the opposite.
    return max(0.0, float(curve.coef_[0][0]))


def _plain(tree: Any, positions: Sequence[int]) -> Tree:
    shares = tree.value[:, 0, :]
    return Tree(
        [positions[index] if index >= 0 else -1 for index in tree.feature.tolist()],
        tree.threshold.tolist(),
        tree.children_left.tolist(),
        tree.children_right.tolist(),
        (shares[:, 1] / shares.sum(axis=1)).tolist(),
    )


class Fit:
    """Fits forests on rows; ``columns`` are the features it may use (all unless given)."""

    def __init__(
        self,
        features: Sequence[Feature],
        groups: frozenset[str] | None = None,
        trees: int = TREES,
    ) -> None:
        """Use the features of ``groups``."""
        self.columns = [
            index
            for index, feature in enumerate(features)
            if groups is None or feature.group in groups
        ]
        self._trends = [features[index].trend for index in self.columns]
        self._trees = trees

    def fitted(self, rows: Sequence[Row], seed: int = SEED) -> RandomForestClassifier:
        """Return a forest fitted on the rows with features; raise ``TableError`` if they are too few."""
        from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415

        known = [row for row in rows if row.found]
        classes = [int(row.label.sensitive) for row in known]
        if len(set(classes)) < 2:
            raise TableError(
                "a training table needs options of both kinds that are read somewhere"
            )
        forest = RandomForestClassifier(
            self._trees,
            random_state=seed,
            min_samples_leaf=LEAST,
            monotonic_cst=self._trends,
        )
        forest.fit(self._matrix(known), classes, sample_weight=weights(known))
        return forest

    def scores(self, forest: RandomForestClassifier, rows: Sequence[Row]) -> list[float]:
        """Return the score of each row; 0 for one that the program does not read."""
        if not rows:
            return []
        found = forest.predict_proba(self._matrix(rows))[:, 1]
        return [float(score) if row.found else 0.0 for score, row in zip(found, rows, strict=True)]

    def _matrix(self, rows: Sequence[Row]) -> Any:
        from numpy import array, float32  # noqa: PLC0415

        return array([[row.values[index] for index in self.columns] for row in rows], float32)


def weights(rows: Sequence[Row]) -> list[float]:
    """Return the weight of each row; see the module text."""
    systems: dict[str, int] = defaultdict(int)
    classes: dict[tuple[str, bool], int] = defaultdict(int)
    for row in rows:
        systems[row.label.system] += 1
        classes[row.label.system, row.label.sensitive] += 1
    return [
        float(systems[row.label.system]) ** 0.5
        / classes[row.label.system, row.label.sensitive]
        * (JUDGED if row.label.how == "judged" else 1.0)
        for row in rows
    ]


if __name__ == "__main__":
    main()
