"""Verdicts on all options of a program, from one state of it to the next.

An option whose flows are the same objects as before keeps its numbers, and one whose vector is the same its
verdict, so that an edit costs what it changed.  Spellings of one option have one verdict (``spellings``).  Scores are taken
against the level of their domain (``level``).  Reasons are found when somebody reads them.

``sensitive`` needs evidence in the code (``results.Evidence``); how much score is needed beside it depends on how good it
is.  An option whose score is high for words of its name alone is ``unknown``, as is one that nothing reads, and one of
which neither flows nor name nor type say anything.  Addresses, paths and secrets are ``insensitive`` whatever they are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import attrs
from typing_extensions import override

from conflens.base.lazy import LazySequence
from conflens.flow.results import Flow, FlowTable, OptionKey, Reach
from conflens.models.workspace import Verdict as Decision
from conflens.options.model import Option, OptionType
from conflens.program.program import Program
from conflens.sensitivity.explain import Explainer
from conflens.sensitivity.features import (
    CHOSEN,
    PLACES,
    Raw,
    Subject,
    features,
    ranks,
    raw,
    vector,
)
from conflens.sensitivity.forest import Forest
from conflens.sensitivity.level import THRESHOLD, is_called_sensitive, level, moved
from conflens.sensitivity.results import (
    UNKNOWN,
    Evidence,
    Label,
    Reason,
    SensitivityTable,
    Source,
    Verdict,
)
from conflens.sensitivity.spellings import Joined, together
from conflens.sensitivity.surroundings import Surroundings
from conflens.sensitivity.usage import Spare
from conflens.sensitivity.vocabulary import Vocabulary


@attrs.frozen
class _Known:
    subject: Subject
    raw: Raw = attrs.field(repr=False)
    rank: Raw | None = attrs.field(repr=False, default=None)
    score: float | None = None
    by: float = 0.0
    resting: tuple[Flow, ...] = attrs.field(repr=False, default=())
    """The flows that tell more or less by what the program does elsewhere."""
    spares: tuple[Spare | None, ...] = ()
    """Why each of these tells less."""
    verdict: Verdict = UNKNOWN

    def same(self, other: _Known) -> bool:
        """Tell whether the numbers are the same."""
        return (
            self.subject is other.subject
            and self.rank == other.rank
            and self.by == other.by
            and self.spares == other.spares
        )


_Weigh = Callable[[_Known], Sequence[float]]
"""Returns what each feature contributes to a score."""


class _Reasons(LazySequence[Reason]):
    """The reasons for a verdict; those for the same numbers are the same."""

    __slots__ = ("_explainer", "_item", "_weigh", "sensitive")

    def __init__(self, item: _Known, explainer: Explainer, weigh: _Weigh, sensitive: bool) -> None:
        super().__init__()
        self._item = item
        self._explainer: Explainer | None = explainer
        self._weigh = weigh
        self.sensitive = sensitive

    @override
    def make(self) -> tuple[Reason, ...]:
        """Return the reasons, as the program stands that was judged."""
        explainer = self._explainer
        if explainer is None:
            return self._made or ()
        return explainer.reasons(self._item.subject, self._weigh(self._item), self.sensitive)

    @override
    def release(self) -> None:
        """Let go of the program."""
        self._explainer = None

    def move(self, explainer: Explainer) -> None:
        """Look in another program, in which the option has the same flows, so that the earlier one can go."""
        if self._made is None:
            self._explainer = explainer
        if self._made is not None:
            self.release()

    def about(self, item: _Known, sensitive: bool) -> bool:
        """Tell whether these are the reasons why the option with these numbers gets this verdict."""
        return self._item.same(item) and self.sensitive is sensitive

    @override
    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Reasons) and other.about(self._item, self.sensitive):
            return True
        return super().__eq__(other)

    __hash__ = LazySequence.__hash__


class Judge:
    """Judges with one forest; remembers the last program."""

    def __init__(self, forest: Forest, vocabulary: Vocabulary) -> None:
        """Judge with ``forest``, whose features must be those of ``vocabulary``."""
        self._forest = forest
        self._vocabulary = vocabulary
        self._order = features(vocabulary)
        if [feature.name for feature in self._order] != forest.names:
            raise ValueError("the forest was fitted with other features")
        self._known: dict[OptionKey, _Known] = {}
        self._joined = Joined()

    def judged(
        self,
        program: Program,
        options: Sequence[Option],
        flows: FlowTable,
        decisions: Sequence[Decision] = (),
    ) -> SensitivityTable:
        """Return the verdicts on ``options``; ``decisions`` are a person's and win."""
        near = Surroundings(program, self._vocabulary)
        explainer = Explainer(self._vocabulary, self._order, near)
        known: dict[OptionKey, _Known] = {}
        fresh: set[OptionKey] = set()
        spellings = together(options)
        for option in options:
            reach = self._reach(flows, spellings.get(option.key, (option.key,)))
            before = self._known.get(option.key)
            if (
                before is not None
                and before.subject.reach is reach
                and before.subject.option == option
            ):
                item = before
            else:
                subject = Subject(option, reach)
                item = _Known(
                    subject,
                    raw(subject, self._vocabulary, near, CHOSEN),
                    resting=explainer.resting(subject),
                )
            spares = tuple(map(explainer.spare, item.resting))
            if spares != item.spares:
                item = attrs.evolve(item, spares=spares)
                fresh.add(option.key)
            known[option.key] = item
        found = ranks(
            [item.raw for item in known.values()],
            [item.subject.option.domain for item in known.values()],
        )
        for key, rank in zip(list(known), found, strict=True):
            item = known[key]
            if item.rank != rank:
                fresh.add(key)
                score = self._forest.score(vector(item.raw, rank, self._order))
                read = bool(item.subject.option.reads)
                known[key] = attrs.evolve(item, rank=rank, score=score if read else None)
        for key, by in _levels(known).items():
            item = known[key]
            reasons = item.verdict.reasons
            if key in fresh or item.by != by:
                item = attrs.evolve(item, by=by)
                known[key] = attrs.evolve(item, verdict=self._verdict(item, explainer))
            elif isinstance(reasons, _Reasons):
                reasons.move(explainer)
        self._known = known
        self._joined.keep(spellings.values())
        verdicts = {key: known[spellings.get(key, (key,))[0]].verdict for key in known}
        return SensitivityTable(decided(verdicts, decisions), True)

    def _reach(self, flows: FlowTable, keys: tuple[OptionKey, ...]) -> Reach:
        if len(keys) == 1:
            return flows.of_option(keys[0])
        return self._joined.joined({key: flows.of_option(key) for key in keys})

    def _verdict(self, item: _Known, explainer: Explainer) -> Verdict:
        subject = item.subject
        if item.score is None:
            return Verdict(
                Label.UNKNOWN, None, (Reason("is declared, but nothing reads it", False),)
            )
        if self._thin(subject, explainer):
            text = "is not seen to reach a costly operation, and its name and type tell nothing"
            return Verdict(Label.UNKNOWN, None, (Reason(text, False),))
        score = moved(item.score, item.by)
        evidence, decides = explainer.shown(subject)
        label = label_of(score, evidence, subject.option.type, decides)
        reasons: Sequence[Reason]
        if label is Label.UNKNOWN:
            reasons = (explainer.guess(subject),)
        else:
            reasons = _Reasons(item, explainer, self._weigh, label is Label.SENSITIVE)
        shown = Evidence.NONE if label is Label.INSENSITIVE else evidence
        return Verdict(label, round(self._forest.probability(score), 4), reasons, shown)

    def _weigh(self, item: _Known) -> Sequence[float]:
        return self._forest.contributions(vector(item.raw, item.rank or {}, self._order))

    def _thin(self, subject: Subject, explainer: Explainer) -> bool:
        if subject.option.type is not OptionType.UNKNOWN or explainer.tells(subject):
            return False
        return not self._vocabulary.lexicon.leaning(subject.option.name).word


def label_of(score: float, evidence: Evidence, kind: OptionType, decides: bool) -> Label:
    """Return the label for a score against the level of its project."""
    is_place = kind in PLACES
    if is_called_sensitive(score, evidence, is_place, decides):
        return Label.SENSITIVE
    is_guess = evidence is Evidence.NAME and score >= THRESHOLD and not is_place
    return Label.UNKNOWN if is_guess else Label.INSENSITIVE


def _levels(known: Mapping[OptionKey, _Known]) -> dict[OptionKey, float]:
    """By how much the score of each option is to be moved."""
    scores: dict[str, list[float]] = defaultdict(list)
    for (domain, _), item in known.items():
        if item.score is not None:
            scores[domain].append(item.score)
    levels = {domain: level(found) for domain, found in scores.items()}
    return {key: levels.get(key[0], 0.0) for key in known}


def decided(
    verdicts: Mapping[OptionKey, Verdict], decisions: Sequence[Decision]
) -> dict[OptionKey, Verdict]:
    """Return verdicts in which a person's decisions, by name, replace what the classifier says."""
    by_name = {decision.option: decision for decision in decisions}
    found: dict[OptionKey, Verdict] = {}
    for key, verdict in verdicts.items():
        decision = by_name.get(key[1])
        if decision is not None:
            label = Label.SENSITIVE if decision.sensitive else Label.INSENSITIVE
            verdict = attrs.evolve(
                verdict,
                label=label,
                evidence=Evidence.MEASURED,
                source=Source.PERSON,
                note=decision.reason,
                line=decision.line,
                model=verdict.label,
            )
        found[key] = verdict
    return found
