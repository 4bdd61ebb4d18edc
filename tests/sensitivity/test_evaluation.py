"""The evaluation: figures by hand, who is learned from, baselines, and the packaged data."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from conflens.models.resources import grammar_file
from conflens.sensitivity import evaluation, evaluation_methods, evaluation_report
from conflens.sensitivity import table as tables
from conflens.sensitivity.evaluation import MEAN, POOLED, Evaluation, Result, Split, Trial, Work
from conflens.sensitivity.evaluation_ablation import ALL, CHOSEN_ONES, ablation
from conflens.sensitivity.evaluation_measures import area, brier, measured
from conflens.sensitivity.evaluation_methods import OURS, SCORE, Method, Scorer
from conflens.sensitivity.features import CHOSEN, features
from conflens.sensitivity.table import Row, Table, TableError
from conflens.sensitivity.vocabulary import packaged
from corpus.sensitivity.diagconfig_features import counts
from sensitivity.tables import NAMES, row, systems, table

TREES = 5
SEVEN = ("batik", "catena", "dconverter", "h2", "kanzi", "prevayler", "sunflow")


def quiet(done: int, total: int) -> None:
    assert 0 <= done <= total


def evaluated(of: Table, seeds: int = 2, recorded: Any = None) -> Evaluation:
    return evaluation.evaluate(of, seeds, recorded or {}, quiet, TREES)


def figure(found: Evaluation, split: str, scope: str, method: str) -> Result:
    wanted = (split, scope, method)
    (result,) = [r for r in found.results if (r.split, r.scope, r.method) == wanted]
    return result


# -- figures -----------------------------------------------------------------------------------------


def test_figures_by_hand() -> None:
    # Flagged: the first three; right: two of them; three are sensitive.
    found = measured([0.9, 0.5, 0.7, 0.4, 0.1], [True, True, False, True, False])
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.f1 == pytest.approx(2 / 3)
    assert found.auc == pytest.approx(4 / 6)  # of six pairs, 0.5 and 0.4 lose to 0.7


def test_ties_are_half_a_win() -> None:
    assert area([1, 1, 0, 0], [True, False, True, False]) == pytest.approx(0.5)
    assert area([1, 0, 0], [True, False, True]) == pytest.approx(0.75)


def test_a_single_class_has_no_area_and_no_positives_no_precision() -> None:
    found = measured([0.9, 0.1], [True, True])
    assert found.auc is None
    assert measured([0.1, 0.2], [True, False]).precision == 0
    assert measured([0.1, 0.2], [False, False]).f1 == 0


def test_brier_score_by_hand() -> None:
    assert brier([0.8, 0.4], [True, False]) == pytest.approx((0.04 + 0.16) / 2)


# -- baselines ---------------------------------------------------------------------------------------


def test_baselines_count_unread_options_as_negative() -> None:
    rows = [
        row("one", "a", True, operations=1),
        row("one", "b", True, operations=2),
        row("one", "c", False, operations=2),
        row("one", "d", True, found=False),
        row("one", "e", False),
        *systems("two"),
    ]
    found = evaluated(table(*rows))
    any_flow = figure(found, "leave-one-out", "one", "has a flow")
    assert any_flow.precision.mean == pytest.approx(2 / 3)
    assert any_flow.recall.mean == pytest.approx(2 / 3)
    assert any_flow.auc is not None
    assert any_flow.auc.mean == pytest.approx(7 / 12)
    two = figure(found, "leave-one-out", "one", "2 flows or more")
    assert (two.precision.mean, two.recall.mean) == (pytest.approx(1 / 2), pytest.approx(1 / 3))
    assert two.f1.least == two.f1.most
    # Of system two: 1, 2, 3, 4 and 5 have a flow; sensitive are 1, 3 and 5.
    mean = figure(found, "leave-one-out", MEAN, "has a flow")
    assert mean.recall.mean == pytest.approx((2 / 3 + 1) / 2)
    pooled = figure(found, "leave-one-out", POOLED, "has a flow")
    assert pooled.precision.mean == pytest.approx(5 / 8)
    assert pooled.recall.mean == pytest.approx(5 / 6)


def test_diagconfig_flows_are_used_where_all_tested_options_have_them() -> None:
    rows = systems("one", "two")
    width = len(evaluation_methods.diagconfig_names())
    place = evaluation_methods.diagconfig_names().index("operations")

    def counts(number: float) -> tuple[float, ...]:
        return tuple(number if index == place else 0.0 for index in range(width))

    recorded = {(r.label.system, r.label.option): counts(2.0 * r.label.sensitive) for r in rows}
    found = evaluated(table(*rows), recorded=recorded)
    perfect = figure(found, "leave-one-out", MEAN, "2 flows or more, DiagConfig's flows")
    assert perfect.f1.mean == 1
    learned = figure(found, "leave-one-out", MEAN, "forest on DiagConfig's features and flows")
    assert learned.f1.least == 1
    recorded.popitem()
    without = evaluated(table(*rows), recorded=recorded)
    assert not [r for r in without.results if "DiagConfig's flows" in r.method]


# -- who is learned from -----------------------------------------------------------------------------


class Spy:
    """Remembers what it is given to learn from and to score."""

    def __init__(self) -> None:
        self.learned: list[set[tuple[str, str]]] = []
        self.tested: list[set[tuple[str, str]]] = []

    def __call__(self, rows: Sequence[Row], seed: int) -> Scorer:
        kinds = {(r.label.system, r.label.how) for r in rows}

        def scorer(tested: Sequence[Row]) -> list[float]:
            self.learned.append(kinds)
            self.tested.append({(r.label.system, r.label.how) for r in tested})
            return [0.0] * len(tested)

        return scorer


def full() -> Table:
    """All measured systems, one of them with a person's verdict too, and two judged ones."""
    return table(
        *systems(*SEVEN),
        row("h2", "decided", True, "person", operations=1),
        *systems("hbase", "hikari", how="judged"),
    )


@pytest.mark.parametrize("judged", [False, True])
def test_a_tested_system_is_never_in_the_training_data(judged: bool) -> None:
    of = full()
    work = Work(of, {}, range(2))
    for split in evaluation.splits_of(of):
        spy = Spy()
        work.scores(split, Method("spy", spy, judged=judged))
        assert len(spy.tested) == 2 * len(split.trials)
        for trial, learned, tested in zip(split.trials * 2, spy.learned, spy.tested, strict=True):
            how = "measured" if split.measured else "judged"
            assert tested == {(system, how) for system in trial.tests}
            assert not {system for system, _ in learned} & set(trial.tests)
            assert {system for system, how in learned if how == "measured"} == set(trial.learns)
            assert any(how != "measured" for _, how in learned) == judged


def test_the_diagconfig_split_trains_on_its_five_systems() -> None:
    first = evaluation.splits_of(full())[0]
    assert first.trials == (
        Trial(("dconverter", "kanzi"), ("batik", "catena", "h2", "prevayler", "sunflow")),
    )


def test_poisoned_labels_of_the_tested_system_change_no_score() -> None:
    of = full()
    trial = Trial(("kanzi",), tuple(name for name in SEVEN if name != "kanzi"))
    split = Split("poison", (trial,))
    method = next(m for m in evaluation_methods.methods(of, TREES) if m.name == SCORE)

    def poisoned(system: str) -> Table:
        return table(
            *(
                attrs.evolve(r, label=attrs.evolve(r.label, sensitive=not r.label.sensitive))
                if r.label.system == system
                else r
                for r in of.rows
            )
        )

    before = Work(of, {}, range(3)).scores(split, method)
    assert Work(poisoned("kanzi"), {}, range(3)).scores(split, method) == before
    assert Work(poisoned("h2"), {}, range(3)).scores(split, method) != before


def test_the_curve_of_a_system_is_fitted_without_it() -> None:
    of = table(*systems("one", "two", "three"))
    trial = Trial(("one",), ("two", "three"))
    split = Split("curve", (trial,))
    spoiled = table(
        *(attrs.evolve(r, held_out=0.9) if r.label.system == "one" else r for r in of.rows)
    )
    scores = [[[0.2, 0.4, 0.6, 0.8, 0.3, 0.7]]]
    before = Work(of, {}, range(1)).calibration(split, scores)
    assert before is not None
    assert Work(spoiled, {}, range(1)).calibration(split, scores) == before
    assert before.options == 6
    assert sum(item.options for item in before.bins) == 6


def test_unread_options_have_no_probability() -> None:
    rows = [*systems("one", "two"), row("one", "lost", True, found=False)]
    found = evaluated(table(*rows))
    assert found.calibration is not None
    assert found.calibration.options == 12
    assert [(item.system, item.options, item.unknown) for item in found.data] == [
        ("one", 7, 1 + thin_ones(rows, "one")),
        ("two", 6, thin_ones(rows, "two")),
    ]


def thin_ones(rows: Sequence[Row], system: str) -> int:
    return sum(evaluation.thin(r) for r in rows if r.found and r.label.system == system)


# -- the whole ---------------------------------------------------------------------------------------


def test_ranges_cover_the_seeds_and_equal_seeds_give_equal_figures() -> None:
    found = evaluated(full(), seeds=3)
    assert found == evaluated(full(), seeds=3)
    for result in found.results:
        for part in (result.precision, result.recall, result.f1, result.auc):
            assert part is None or 0 <= part.least <= part.mean + 1e-9 <= part.most + 2e-9 <= 1.1
    splits = {result.split for result in found.results}
    assert splits == {"DiagConfig's split", "leave-one-out", "judged"}
    assert figure(found, "leave-one-out", MEAN, SCORE).f1.mean > 0.9
    # No row says that code shows an effect.
    assert figure(found, "leave-one-out", MEAN, OURS).recall.mean == 0


def test_a_table_without_measured_systems_or_of_another_version_is_refused() -> None:
    with pytest.raises(TableError, match="measured options of two systems"):
        evaluated(table(*systems("one"), *systems("two", how="judged")))
    with pytest.raises(TableError, match="another version"):
        evaluated(Table(("operations",), ()))


def test_an_ablation_compares_with_all_and_with_the_chosen_groups() -> None:
    worths = ablation(table(*systems("one", "two")), 1, quiet, TREES)
    groups = {feature.group for feature in features(packaged())}
    assert [w.choice for w in worths if not w.basis] == [ALL, CHOSEN_ONES]
    assert {w.choice for w in worths if w.basis == ALL} == {f"without {g}" for g in groups}
    assert {w.choice for w in worths if w.basis == CHOSEN_ONES} == {
        f"{'without' if group in CHOSEN else 'with'} {group}" for group in groups
    }
    sections = list(evaluation_report.ablation_sections(worths, 1))
    assert [len(section.rows) for section in sections] == [1 + len(groups), 1 + len(groups)]
    assert sections[0].rows[0][0] == ALL


def test_reports_contain_every_method_and_rounded_figures() -> None:
    found = evaluated(full())
    sections = list(evaluation_report.sections(found))
    methods = {result.method for result in found.results}
    for section in sections:
        assert all(len(r) == len(section.header) for r in section.rows)
    table_of_means = next(s for s in sections if s.title.endswith(MEAN))
    assert {r[0] for r in table_of_means.rows} == methods
    plain = evaluation_report.plain(found)
    assert plain["schema"] == "conflens-evaluation/1"
    assert len(plain["results"]) == len(found.results)
    first = plain["results"][0]["f1"]
    assert first == {key: round(value, 4) for key, value in first.items()}


# -- packaged data -----------------------------------------------------------------------------------


def test_every_label_has_a_row_in_the_packaged_table() -> None:
    found = tables.packaged()
    assert found.names == NAMES
    labels = tables.labels(grammar_file(tables.LABELS).decode(), tables.LABELS)
    wanted = [(item.system, item.option, item.sensitive, item.how) for item in labels]
    held = [(r.label.system, r.label.option, r.label.sensitive, r.label.how) for r in found.rows]
    assert sorted(held) == sorted(wanted)
    assert len(set(held)) == len(held)


def test_the_packaged_table_can_be_calibrated() -> None:
    learnable = tables.packaged().learnable
    assert all(0 <= r.held_out <= 1 for r in learnable)
    scores = {
        r.label.system: {s.held_out for s in learnable if s.label.system == r.label.system}
        for r in learnable
    }
    assert all(len(found) > 1 for found in scores.values())


def test_diagconfig_counts_cover_its_144_options() -> None:
    recorded = evaluation_methods.recorded()
    measured_rows = {
        (r.label.system, r.label.option)
        for r in tables.packaged().rows
        if r.label.how == "measured"
    }
    assert recorded.keys() == measured_rows
    assert len(recorded) == 144
    place = evaluation_methods.diagconfig_names().index("operations")
    with_flows = sum(counts[place] > 0 for counts in recorded.values())
    assert with_flows == 91  # the options with a record in DiagConfig's artifact


def test_diagconfig_records_are_counted_by_operation() -> None:
    def record(kind: str, dependency: str, jimple: str) -> dict[str, str]:
        place = {"class": "a.B", "method": "m", "descriptor": "()V"}
        return {**place, "operation_kind": kind, "dependency": dependency, "jimple": jimple}

    found = counts(
        [
            record("array", "direct", "newarray (byte)[$a]"),
            record("array", "direct", "newarray (byte)[$a]"),
            record("array", "loop", "newarray (byte)[$a]"),
            record("io", "if", "virtualinvoke $b.<java.io.Writer: void flush()>()"),
            record("io", "if", "virtualinvoke $c.<java.io.Writer: void flush()>()"),
        ]
    )
    assert {name: number for name, number in found.items() if number} == {
        "operations: memory": 1,
        "operations: io": 2,
        "operations: memory + io": 3,
        "operations: memory + lock": 1,
        "operations: memory + thread": 1,
        "operations: io + lock": 2,
        "operations: io + thread": 2,
        "operations": 3,
        "memory by direct": 1,
        "memory by loop": 1,
        "io by branch": 2,
    }
    assert tuple(found) == evaluation_methods.diagconfig_names()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("system,option\n", "x.csv:1: not DiagConfig's counts"),
        ("{header}\nh2,A,{zeros},many\n", "x.csv:2: a count is not a number"),
        ("{header}\nh2,A,1\n", "x.csv:2: 1 counts instead of 23"),
    ],
)
def test_broken_counts_are_reported_with_file_and_line(text: str, reason: str) -> None:
    names = evaluation_methods.diagconfig_names()
    filled = text.format(
        header=",".join(["system", "option", *names]), zeros=",".join("0" * (len(names) - 1))
    )
    with pytest.raises(TableError, match=reason):
        evaluation_methods.recorded(filled, "x.csv")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"t\.csv:1: not a training table"),
        ("{header}\nh2,A,1,measured,1,x\n", r"t\.csv:2: 6 columns instead of"),
        ("{header}\nh2,A,2,measured,1,x,{zeros}\n", r"t\.csv:2: '2' is neither 1 nor 0"),
        ("{header}\nh2,A,1,guessed,1,x,{zeros}\n", r"t\.csv:2: 'guessed' is not one of measured"),
        ("{header}\nh2,A,1,measured,1,x,much,{short}\n", r"t\.csv:2: a feature is not a number"),
    ],
)
def test_a_broken_table_is_reported_with_file_and_line(text: str, reason: str) -> None:
    header = tables.dumps(table()).strip()
    zeros = ["0"] * (len(NAMES) + 1)
    filled = text.format(header=header, zeros=",".join(zeros), short=",".join(zeros[1:]))
    with pytest.raises(TableError, match=reason):
        tables.loads(filled, "t.csv")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("option\na\n", r"l\.csv:1: labels need the columns option and sensitive"),
        ("option,sensitive\na,maybe\n", r"l\.csv:2: 'maybe' is neither 1 nor 0"),
        ("option,sensitive\na,1\n,1\n", r"l\.csv:3: no option is named"),
        ("option,sensitive,how\na,1,felt\n", r"l\.csv:2: 'felt' is not one of"),
    ],
)
def test_broken_labels_are_reported_with_file_and_line(text: str, reason: str) -> None:
    with pytest.raises(TableError, match=reason):
        tables.labels(text, "l.csv")
