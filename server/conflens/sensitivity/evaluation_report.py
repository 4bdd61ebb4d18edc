"""An evaluation as tables of texts, and as plain values for JSON.

Texts give three digits; a range is ``mean (least to most)``, and one number where seeds agree.
Absent: how a table looks (``cli.sensitivity.evaluate``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from conflens.sensitivity.evaluation import BINS, MEAN, POOLED, Calibration, Evaluation, Result
from conflens.sensitivity.evaluation_ablation import Worth
from conflens.sensitivity.evaluation_measures import Range

SCHEMA = "conflens-evaluation/1"
_DIGITS = 4


@attrs.frozen
class Section:
    """A table with a title, and a note below it (empty: none); columns after the first are numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def sections(found: Evaluation) -> Iterator[Section]:
    """Yield an evaluation's tables."""
    yield _data(found)
    by_split: dict[str, list[Result]] = {}
    for result in found.results:
        by_split.setdefault(result.split, []).append(result)
    for split, results in by_split.items():
        scopes = list(dict.fromkeys(result.scope for result in results))
        whole = [scope for scope in scopes if scope in (MEAN, POOLED)] or scopes
        for scope in whole:
            chosen = [result for result in results if result.scope == scope]
            yield _measures(_title(split, scope), chosen, found.seeds)
        single = [scope for scope in scopes if scope not in whole]
        if single:
            yield _by_system(_title(split, "F1 by system"), results, single, lambda r: r.f1)
            yield _by_system(_title(split, "AUC by system"), results, single, lambda r: r.auc)
    if found.calibration is not None:
        yield _calibration("Calibration on measured systems left out", found.calibration)
    if found.judged is not None:
        yield _calibration("Calibration on judged systems left out", found.judged)


def ablation_sections(found: Sequence[Worth], seeds: int) -> Iterator[Section]:
    """Yield the tables of an ablation, one for each basis."""
    for basis in found:
        if basis.basis:
            continue
        others = [worth for worth in found if worth.basis == basis.choice]
        header = ["groups of features"]
        for split, _, _ in basis.figures:
            header += [f"F1, {split}", "change", "AUC", "change"]
        rows = [tuple(_worth(basis, worth)) for worth in (basis, *others)]
        yield Section(
            f"Groups of features: {basis.choice}",
            tuple(header),
            tuple(rows),
            f"Means over {seeds} seeds; of leave-one-out, over systems.",
        )


def plain(found: Evaluation) -> dict[str, Any]:
    """Return an evaluation for JSON: ranges as objects, figures with four digits."""
    return {"schema": SCHEMA, **_rounded(attrs.asdict(found))}


def plain_ablation(found: Sequence[Worth], seeds: int) -> dict[str, Any]:
    """Return an ablation for JSON."""
    choices = [
        {
            "basis": worth.basis,
            "choice": worth.choice,
            "splits": [{"split": split, "f1": f1, "auc": auc} for split, f1, auc in worth.figures],
        }
        for worth in found
    ]
    return {"schema": SCHEMA, "seeds": seeds, "ablation": _rounded(choices)}


def _data(found: Evaluation) -> Section:
    rows = [
        (
            item.system,
            "measured" if item.measured else "judged",
            f"{item.options}",
            f"{item.sensitive}",
            f"{item.found}",
            f"{item.unknown}",
        )
        for item in found.data
    ]
    for measured, name in ((True, "all measured"), (False, "all judged")):
        of_kind = [item for item in found.data if item.measured == measured]
        if of_kind:
            options = sum(item.options for item in of_kind)
            unknown = sum(item.unknown for item in of_kind)
            rows.append(
                (
                    name,
                    "",
                    f"{options}",
                    f"{sum(item.sensitive for item in of_kind)}",
                    f"{sum(item.found for item in of_kind)}",
                    f"{unknown} ({unknown / options:.1%})",
                )
            )
    return Section(
        "Labelled options",
        ("system", "labels", "options", "sensitive", "read by the program", "unknown"),
        tuple(rows),
    )


def _title(split: str, scope: str) -> str:
    known = {
        "leave-one-out": "Leave one measured system out",
        "judged": "Judged labels (read, not measured), leave one system out",
    }
    return f"{known.get(split, split)}: {scope}"


def _measures(title: str, results: Iterable[Result], seeds: int) -> Section:
    rows = [
        (result.method, *map(shown, (result.precision, result.recall, result.f1, result.auc)))
        for result in results
    ]
    note = f"Mean (least to most) of {seeds} seeds." if seeds > 1 else ""
    return Section(title, ("method", "precision", "recall", "F1", "AUC"), tuple(rows), note)


def _by_system(
    title: str, results: Sequence[Result], scopes: Sequence[str], figure: Any
) -> Section:
    rows = []
    for method in dict.fromkeys(result.method for result in results):
        found = {r.scope: figure(r) for r in results if r.method == method}
        cells = (found[scope] for scope in scopes)
        rows.append((method, *(f"{cell.mean:.3f}" if cell is not None else "" for cell in cells)))
    return Section(title, ("method", *scopes), tuple(rows))


def _calibration(title: str, found: Calibration) -> Section:
    rows = [
        (
            f"{item.index / BINS:.1f} to {(item.index + 1) / BINS:.1f}",
            f"{item.predicted:.3f}",
            f"{item.sensitive:.3f}",
            f"{item.options}",
        )
        for item in found.bins
    ]
    return Section(
        title,
        ("probability", "mean predicted", "share sensitive", "options"),
        tuple(rows),
        f"Brier score {shown(found.brier)}; always giving the share of sensitive options:"
        f" {found.constant:.3f}. {found.options} options with a probability.",
    )


def _worth(basis: Worth, worth: Worth) -> Iterator[str]:
    yield worth.choice
    for (_, f1, auc), (_, base_f1, base_auc) in zip(worth.figures, basis.figures, strict=True):
        yield f"{f1:.3f}"
        yield f"{f1 - base_f1:+.3f}" if worth is not basis else ""
        yield f"{auc:.3f}" if auc is not None else ""
        known = auc is not None and base_auc is not None and worth is not basis
        yield f"{(auc or 0) - (base_auc or 0):+.3f}" if known else ""


def shown(figure: Range | None) -> str:
    """Return a range as text, empty without one."""
    if figure is None:
        return ""
    if figure.most - figure.least < 0.0005:
        return f"{figure.mean:.3f}"
    return f"{figure.mean:.3f} ({figure.least:.3f} to {figure.most:.3f})"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return value
