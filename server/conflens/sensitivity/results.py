"""Verdicts on options: what the classifier or a person says, and why.

Terms
    sensitive    the option's value changes what the program costs, by a margin that a user would notice.
    probability  the calibrated chance that a measurement would call the option sensitive, 0 to 1.
    reason       a short phrase with the place that shows it; ``toward`` says which way it speaks.
    evidence     what a verdict rests on, in levels.  A word of a name alone makes no option ``sensitive``.

Everything here is frozen and a pure function of the program, its documents, the person's verdicts and the
training table.  Absent: texts of an editor, and how a verdict is found (``judge``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

import attrs

from conflens.flow.results import OptionKey
from conflens.program.refs import MemberRef

SURE = 0.75
"""From this probability on a verdict is sure enough to be reported unasked.  The least is about one
half, where every second report would be wrong."""


class Label(StrEnum):
    """``unknown``: no read is resolved, or the evidence is too thin to say."""

    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"
    UNKNOWN = "unknown"


class Evidence(StrEnum):
    """What a verdict rests on, most first; of an option that is called ``insensitive`` by the model nothing is held to speak.

    ``measured``: a person's verdict.  ``strong``: the value is an amount that sizes a resource, or says how often something
    costly is repeated, on a path of high confidence, and that is used.  ``likely``: the same on a path of medium confidence, a
    wait, a switch of something costly, or a choice between implementations.  ``name``: words of the name alone.  ``none``: nothing.
    """

    MEASURED = "measured"
    STRONG = "strong"
    LIKELY = "likely"
    NAME = "name"
    NONE = "none"

    @property
    def rank(self) -> int:
        """0 for ``measured``, 4 for ``none``."""
        return _RANKS[self]

    @property
    def is_effect(self) -> bool:
        """Whether code or a measurement shows an effect."""
        return self.rank <= _RANKS[Evidence.LIKELY]


_RANKS = {evidence: rank for rank, evidence in enumerate(Evidence)}


class Source(StrEnum):
    """Who says it."""

    MODEL = "model"
    PERSON = "person"


@attrs.frozen
class Reason:
    """``text`` completes "the option …": ``sizes a thread pool``, ``is the name of a file``.

    ``ref`` and ``index`` name the instruction that shows it (``flow.results.place_of``); a reason
    without one has ``ref`` ``None``.  ``toward`` is whether it speaks for ``sensitive``.
    """

    text: str
    toward: bool
    ref: MemberRef | None = None
    index: int = -1


@attrs.frozen
class Verdict:
    """What is said of one option.

    ``probability`` is ``None`` where nothing was computed (``unknown`` without evidence).
    ``reasons``: at most three, strongest first.  Of a person's verdict ``note`` is the person's reason,
    ``line`` the 1-based line of the workspace file where it stands, and ``model`` what the classifier
    would have said.
    """

    label: Label
    probability: float | None
    reasons: Sequence[Reason] = ()
    evidence: Evidence = Evidence.NONE
    source: Source = Source.MODEL
    note: str = ""
    line: int = 0
    model: Label | None = None

    @property
    def order(self) -> tuple[int, int, float]:
        """Sort key: sensitive first, then unknown, then insensitive; within each the best evidence, then the most probable."""
        level = 0 if self.label is Label.INSENSITIVE else self.evidence.rank
        return _ORDER[self.label], level, -(self.probability or 0.0)

    @property
    def is_sure(self) -> bool:
        """Whether it is a person's, or has a probability of ``SURE`` or more."""
        if self.source is Source.PERSON or self.probability is None:
            return True
        return self.probability >= SURE

    @property
    def is_evident(self) -> bool:
        """Whether it is a person's, or rests on strong evidence."""
        return self.source is Source.PERSON or self.evidence.rank <= Evidence.STRONG.rank


_ORDER = {Label.SENSITIVE: 0, Label.UNKNOWN: 1, Label.INSENSITIVE: 2}

UNKNOWN = Verdict(Label.UNKNOWN, None)


@attrs.frozen
class SensitivityTable:
    """All verdicts of a program; ``ready`` is false as long as no model has looked at it."""

    verdicts: Mapping[OptionKey, Verdict] = attrs.field(factory=dict, repr=False)
    ready: bool = False

    def of_option(self, key: OptionKey) -> Verdict:
        """Return the verdict on an option."""
        return self.verdicts.get(key, UNKNOWN)

    def verdict(self, key: OptionKey) -> Verdict | None:
        """Return the verdict on an option; ``None`` as long as no model has looked."""
        return self.of_option(key) if self.ready else None

    def is_sensitive(self, key: OptionKey) -> bool:
        """Tell whether the verdict on an option is ``sensitive``."""
        verdict = self.verdict(key)
        return verdict is not None and verdict.label is Label.SENSITIVE

    def is_evidently_sensitive(self, key: OptionKey) -> bool:
        """Tell whether the verdict on an option is ``sensitive``, for a reason that can be relied on."""
        return self.is_sensitive(key) and self.of_option(key).is_evident

    def is_surely_sensitive(self, key: OptionKey) -> bool:
        """Tell whether the verdict on an option is ``sensitive``, and sure."""
        return self.is_sensitive(key) and self.of_option(key).is_sure


EMPTY = SensitivityTable()
