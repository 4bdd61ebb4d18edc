"""How well verdicts agree with measurements on systems that the model has not seen.

Terms
    trial   systems that are tested together, and the measured systems that may be learned from.
    scope   what a figure is about: one trial, the mean over the trials of a split, or all their options pooled.
    method  a rule or a forest.  ``judged`` ones also learn from labels that were read, not measured (of systems
            that the trial does not test); the others from measured ones only.

Splits: ``DIAGCONFIG_TEST`` is DiagConfig's own (five systems to learn from, Kanzi and DConverter to test);
``leave-one-out`` tests each measured system by what was learned from the others; ``judged`` does so for the
systems whose labels were read from source, a weaker witness, kept apart.

Invariants: a label of a tested system is never learned from, whatever it rests on; a measured split tests measured
rows only; options that the program does not read are tested too, as not flagged.  Equal tables, seeds and versions
of scikit-learn give equal figures.

A split's range is that of its mean over seeds, not over systems.  Absent: the figures (``evaluation_measures``), what
is compared (``evaluation_methods``), groups of features (``evaluation_ablation``), texts (``evaluation_report``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from statistics import fmean

import attrs

from conflens.sensitivity import fitting
from conflens.sensitivity.evaluation_measures import Measures, Range, brier, mean, measured
from conflens.sensitivity.evaluation_methods import SCORE, Method, Recorded, Scorer, methods
from conflens.sensitivity.features import features
from conflens.sensitivity.forest import FORMAT, Forest
from conflens.sensitivity.table import Row, Table, TableError
from conflens.sensitivity.vocabulary import packaged

DIAGCONFIG_TEST = ("dconverter", "kanzi")
_DIAGCONFIG_TRAIN = ("batik", "catena", "h2", "prevayler", "sunflow")
BINS = 10
MEAN = "mean over systems"
POOLED = "pooled"

Tell = Callable[[int, int], None]
"""Is told how many of how many steps are done."""


@attrs.frozen
class Result:
    """The figures of a method in a scope; ``auc`` is ``None`` where it has none."""

    split: str
    scope: str
    method: str
    precision: Range
    recall: Range
    f1: Range
    auc: Range | None


@attrs.frozen
class Bin:
    """Options whose probabilities lie in the ``index``-th tenth."""

    index: int
    predicted: float
    sensitive: float
    options: int


@attrs.frozen
class Calibration:
    """Of probabilities on unseen systems.

    ``brier``: the mean squared error; ``constant``: that of always giving the share of sensitive options.
    ``options`` had a probability.
    """

    brier: Range
    constant: float
    options: int
    bins: tuple[Bin, ...]


@attrs.frozen
class SystemData:
    """What the table holds of one system; ``unknown`` options get no verdict from the model."""

    system: str
    measured: bool
    options: int
    found: int
    sensitive: int
    unknown: int


@attrs.frozen
class Evaluation:
    """All figures; ``calibration`` is ``None`` without options of measured systems that are read."""

    seeds: int
    data: tuple[SystemData, ...]
    results: tuple[Result, ...]
    calibration: Calibration | None
    judged: Calibration | None


@attrs.frozen
class Trial:
    """See the module text."""

    tests: tuple[str, ...]
    learns: tuple[str, ...]

    @property
    def name(self) -> str:
        """The tested systems."""
        return " + ".join(self.tests)


@attrs.frozen
class Split:
    """Trials whose figures are averaged; ``measured``: whether measured rows are tested or judged ones."""

    name: str
    trials: tuple[Trial, ...]
    measured: bool = True


def thin(row: Row) -> bool:
    """Tell whether the evidence on an option is too thin for a verdict, as ``judge`` does (of operations it looks
    at kinds more closely than a row can tell)."""
    if not row.found:
        return True
    unknown, weight = _thin_columns()
    if not row.values[unknown] or row.values[weight]:
        return False
    return not packaged().lexicon.leaning(row.label.option).word


@lru_cache(maxsize=1)
def _thin_columns() -> tuple[int, int]:
    names = [feature.name for feature in features(packaged())]
    return names.index("is of unknown type"), names.index("weight")


# -- what is evaluated -------------------------------------------------------------------------------


def evaluate(
    table: Table, seeds: int, recorded: Recorded, tell: Tell, trees: int = fitting.TREES
) -> Evaluation:
    """Return all figures; raise ``TableError`` for a table that cannot be evaluated."""
    check(table)
    work = Work(table, recorded, range(seeds))
    splits = splits_of(table)
    steps = [
        (split, method)
        for split in splits
        for method in methods(table, trees)
        if work.applies(split, method)
    ]
    results: list[Result] = []
    calibrations: dict[bool, Calibration | None] = {}
    for done, (split, method) in enumerate(steps):
        tell(done, len(steps))
        scores = work.scores(split, method)
        results += work.results(split, method, scores)
        if method.name == SCORE and len(split.trials) > 1:
            calibrations[split.measured] = work.calibration(split, scores)
    tell(len(steps), len(steps))
    data = tuple(_data(table))
    return Evaluation(seeds, data, tuple(results), calibrations.get(True), calibrations.get(False))


def check(table: Table) -> None:
    """Raise ``TableError`` for a table that another version made or that has nothing to test."""
    if table.names != tuple(feature.name for feature in features(packaged())):
        raise TableError(
            "the training table was made by another version; `conflens train` makes it anew"
        )
    if len({row.label.system for row in table.rows if row.label.how == "measured"}) < 2:
        raise TableError("an evaluation needs measured options of two systems")


def splits_of(table: Table) -> list[Split]:
    """Return the splits that the systems of a table allow."""
    every = {row.label.system for row in table.rows}
    measured = sorted({row.label.system for row in table.rows if row.label.how == "measured"})
    judged = sorted(every.difference(measured))
    found = []
    if set(DIAGCONFIG_TEST).union(_DIAGCONFIG_TRAIN) <= set(measured):
        trial = Trial(DIAGCONFIG_TEST, _DIAGCONFIG_TRAIN)
        found.append(Split("DiagConfig's split", (trial,)))
    left_out = [Trial((one,), tuple(s for s in measured if s != one)) for one in measured]
    found.append(Split("leave-one-out", tuple(left_out)))
    if judged:
        trials = tuple(Trial((one,), tuple(measured)) for one in judged)
        found.append(Split("judged", trials, measured=False))
    return found


# -- how ---------------------------------------------------------------------------------------------

Scores = list[list[list[float]]]
"""By seed, then trial, then tested row."""


class Work:
    """Rows by trial, and what is computed from them."""

    def __init__(self, table: Table, recorded: Recorded, seeds: Iterable[int]) -> None:
        """Evaluate ``table`` with ``seeds``."""
        self._table = table
        self._recorded = recorded
        self._seeds = tuple(seeds)

    def applies(self, split: Split, method: Method) -> bool:
        """Tell whether a method knows all that a split tests."""
        return not method.recorded or all(
            _key(row) in self._recorded
            for trial in split.trials
            for row in self.tested(split, trial)
        )

    def tested(self, split: Split, trial: Trial) -> list[Row]:
        """Return the rows that a trial tests, found or not."""
        return [
            row
            for row in self._table.rows
            if row.label.system in trial.tests and (row.label.how == "measured") == split.measured
        ]

    def learned(self, trial: Trial, method: Method) -> list[Row]:
        """Return the rows that a method may learn from in a trial."""
        return [
            row
            for row in self._table.rows
            if row.label.system not in trial.tests
            and (
                row.label.system in trial.learns if row.label.how == "measured" else method.judged
            )
        ]

    def scores(self, split: Split, method: Method) -> Scores:
        """Return the scores of a method, for each seed (a ``fixed`` method has one)."""
        found = []
        for seed in self._seeds[:1] if method.fixed else self._seeds:
            known: dict[tuple[tuple[str, str], ...], Scorer] = {}
            of_trials = []
            for trial in split.trials:
                rows = self.learned(trial, method)
                key = tuple(map(_key, rows))
                if key not in known:
                    known[key] = method.learner(self._seen(rows, method), seed)
                of_trials.append(known[key](self._seen(self.tested(split, trial), method)))
            found.append(of_trials)
        return found

    def results(self, split: Split, method: Method, scores: Scores) -> Iterator[Result]:
        """Yield the figures by trial, and of several trials the mean and the pooled ones."""
        tested = [self.tested(split, trial) for trial in split.trials]
        truth = [[row.label.sensitive for row in rows] for rows in tested]
        by_seed = [
            [measured(*pair) for pair in zip(of_trials, truth, strict=True)]
            for of_trials in scores
        ]
        for index, trial in enumerate(split.trials):
            yield _result(split, trial.name, method, [found[index] for found in by_seed])
        if len(split.trials) > 1:
            yield _result(split, MEAN, method, [mean(found) for found in by_seed])
            everything = [sensitive for of_trial in truth for sensitive in of_trial]
            pooled = [
                measured([score for of_trial in of_trials for score in of_trial], everything)
                for of_trials in scores
            ]
            yield _result(split, POOLED, method, pooled)

    def calibration(self, split: Split, scores: Scores) -> Calibration | None:
        """Return how good the probabilities are that a split's scores give.

        Each trial is calibrated by the ``held_out`` scores of the systems it does not test.
        """
        curves = [self._curve(trial) for trial in split.trials]
        by_seed: list[list[float]] = []
        truth: list[bool] = []
        for of_trials in scores:
            probabilities = []
            truth = []
            for trial, curve, of_trial in zip(split.trials, curves, of_trials, strict=True):
                for row, score in zip(self.tested(split, trial), of_trial, strict=True):
                    if not thin(row):
                        probabilities.append(curve.probability(score))
                        truth.append(row.label.sensitive)
            by_seed.append(probabilities)
        if not truth:
            return None
        share = fmean(truth)
        return Calibration(
            Range.of([brier(probabilities, truth) for probabilities in by_seed]),
            share * (1 - share),
            len(truth),
            tuple(_bins([fmean(seeds) for seeds in zip(*by_seed, strict=True)], truth)),
        )

    def _curve(self, trial: Trial) -> Forest:
        others = [row for row in self._table.learnable if row.label.system not in trial.tests]
        return Forest(FORMAT, "", [], [], fitting.calibrated(others))

    def _seen(self, rows: Sequence[Row], method: Method) -> list[Row]:
        """Return rows as a method sees them."""
        if not method.recorded:
            return list(rows)
        return [
            attrs.evolve(row, found=True, values=self._recorded[_key(row)])
            for row in rows
            if _key(row) in self._recorded
        ]


def _bins(probabilities: Sequence[float], truth: Sequence[bool]) -> Iterator[Bin]:
    for index in range(BINS):
        inside = [
            (probability, sensitive)
            for probability, sensitive in zip(probabilities, truth, strict=True)
            if min(int(probability * BINS), BINS - 1) == index
        ]
        if inside:
            predicted, sensitive = (fmean(column) for column in zip(*inside, strict=True))
            yield Bin(index, predicted, sensitive, len(inside))


def _result(split: Split, scope: str, method: Method, found: Sequence[Measures]) -> Result:
    areas = [item.auc for item in found if item.auc is not None]
    return Result(
        split.name,
        scope,
        method.name,
        Range.of([item.precision for item in found]),
        Range.of([item.recall for item in found]),
        Range.of([item.f1 for item in found]),
        Range.of(areas) if areas else None,
    )


def _data(table: Table) -> Iterator[SystemData]:
    for system in sorted({row.label.system for row in table.rows}):
        own = [row for row in table.rows if row.label.system == system]
        measured = [row for row in own if row.label.how == "measured"]
        rows = measured or own
        yield SystemData(
            system,
            bool(measured),
            len(rows),
            sum(row.found for row in rows),
            sum(row.label.sensitive for row in rows),
            sum(thin(row) for row in rows),
        )


def _key(row: Row) -> tuple[str, str]:
    return row.label.system, row.label.option
