"""Rows for the training table out of an analysed program and labels.

A label's option is looked for by name, then by its aliases, within the label's domain if it gives one; of
several options with that name the one that reaches most stands for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from conflens.program.program import Program
from conflens.sensitivity.explain import Explainer
from conflens.sensitivity.features import EVIDENCE, Subject, features, raw, vectors
from conflens.sensitivity.results import Evidence
from conflens.sensitivity.surroundings import Surroundings
from conflens.sensitivity.table import Label, Row
from conflens.sensitivity.vocabulary import Vocabulary


def rows(
    subjects: Sequence[Subject],
    program: Program,
    vocabulary: Vocabulary,
    labels: Iterable[Label],
) -> list[Row]:
    """Return a row for each label; one whose option the program does not read is not ``found``."""
    order = features(vocabulary)
    near = Surroundings(program, vocabulary)
    explainer = Explainer(vocabulary, order, near)
    raws = [
        {**raw(subject, vocabulary, near), EVIDENCE: _shown(explainer, subject)}
        for subject in subjects
    ]
    known = vectors(raws, [subject.option.domain for subject in subjects], order)
    named: dict[str, list[int]] = defaultdict(list)
    for index, subject in enumerate(subjects):
        named[subject.option.name].append(index)
    found = []
    for label in labels:
        places = [
            index
            for name in (label.option, *label.aliases)
            for index in named[name]
            if label.domain in ("", subjects[index].option.domain)
        ]
        if places:
            best = max(places, key=lambda index: _telling(subjects[index]))
            found.append(Row(label, True, known[best]))
        else:
            found.append(Row(label, False, (0.0,) * len(order)))
    return found


def _shown(explainer: Explainer, subject: Subject) -> float:
    evidence, decides = explainer.shown(subject)
    return float(max(0, Evidence.NAME.rank - evidence.rank) + decides)


def _telling(subject: Subject) -> tuple[int, int]:
    return len(subject.reach.flows), len(subject.option.reads)
