"""Reasons: why an option is called sensitive or not, in words, with the place that shows it.

What decided is read from the trees' own paths: the contributions of features (``forest``) are added up by
what they are about (its flows, its name, its type), and what counted gets its say.  Flows come first, because
they can be looked at.

Terms
    tier    how much a flow tells, 0 most: what sizes or paces a resource; what runs in loops; what is decided on nearby,
            then far away; what runs at start or stop only; a lock, which mostly is not contended.
    strong  a tier that is worth mentioning even against the verdict.

What the evidence is for a verdict follows from the same flows (``Told.evidence``).  It is strong only where the value itself is an
amount: a switch says that something costly lies behind it, not that it costs much in the end, and a duration mostly bounds a
wait.  A text sizes nothing.

A reason completes "the option …".  At most ``MAX`` are given, and at least one; those that speak against the verdict
stand last.  Nothing is claimed of what was not seen: an analysis that found nothing may have lost the trail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs

from conflens.flow.forms import Doubt, phrases
from conflens.flow.results import Confidence, Dependency, Flow
from conflens.options.model import OptionType
from conflens.sensitivity.amounts import Weight
from conflens.sensitivity.features import Feature, Subject
from conflens.sensitivity.results import Evidence, Reason
from conflens.sensitivity.surroundings import About, Surroundings
from conflens.sensitivity.usage import Spare
from conflens.sensitivity.vocabulary import Family, Vocabulary

MAX = 3
_NOTABLE = 0.015
"""A subject that moves the score by less is not mentioned."""

_SURE_WORD = 2
"""Words of names with less weight are no reason."""

_STRONG = 1
_FAR = 2
_SPARE = 3
_START = 4
_MONITOR = 5
_AMOUNTS = frozenset((OptionType.INTEGER, OptionType.FRACTION, OptionType.SIZE, OptionType.TIME))
_COUNTS = frozenset((OptionType.INTEGER, OptionType.SIZE))
"""Values that say how often a loop runs; a time there mostly moves a window."""
_SETTINGS = _AMOUNTS | {OptionType.MODE, OptionType.BOOLEAN, OptionType.UNKNOWN}
"""Values of other types size and set nothing: a text that is handed to a buffer is its content."""
_NAME_GROUPS = frozenset(("lexicon", "words"))
_OTHER_GROUPS = frozenset(("type", "default", "documents"))
_TELLING_TYPES = {
    OptionType.FILE: "is the path of a file or folder",
    OptionType.ADDRESS: "is an address",
    OptionType.PORT: "is a port",
    OptionType.URI: "is a URI",
    OptionType.PASSWORD: "is a secret",
    OptionType.TIME: "is a duration",
    OptionType.REGEX: "is a regular expression",
    OptionType.CLASS: "is a class name",
}


class Told(NamedTuple):
    """What a flow tells, with how much."""

    tier: int
    confidence: int
    distance: int
    reason: Reason
    evidence: Evidence
    decides: bool
    spared: bool

    @property
    def strong(self) -> bool:
        """See the module text."""
        return self.tier <= _STRONG


@attrs.frozen
class Explainer:
    """Explains scores within one program."""

    vocabulary: Vocabulary
    order: Sequence[Feature]
    near: Surroundings

    def reasons(
        self, subject: Subject, contributions: Sequence[float], sensitive: bool
    ) -> tuple[Reason, ...]:
        """Return the reasons for a verdict."""
        shares = self._shares(contributions)
        telling = self.telling(subject)
        found: list[Reason] = []
        against: list[Reason] = []
        weak = bool(telling) and telling[0].tier >= _START
        if sensitive and not weak:
            found += [told.reason for told in telling[:2]]
            if not telling:
                against.append(Reason(self._nothing(subject), False))
        elif not telling:
            found.append(Reason(self._nothing(subject), False))
        others = {"name": self._name(subject, shares["name"]), "type": _kind(subject, shares)}
        for about in sorted(others, key=lambda about: -abs(shares[about])):
            reason = others[about]
            if reason is not None and abs(shares[about]) >= _NOTABLE:
                (found if reason.toward == sensitive else against).append(reason)
        if sensitive and weak:
            found.append(telling[0].reason)
        elif telling and not sensitive:
            first = telling[0].reason
            if telling[0].strong and found:
                against.insert(0, first)
            else:
                text = f"matters only where it {first.text}"
                found.insert(0, Reason(text, False, first.ref, first.index))
        if not found:
            found.append(_level(sensitive))
        kept = found[: MAX - 1] if against else found[:MAX]
        return tuple((kept + against)[:MAX])

    def tells(self, subject: Subject) -> bool:
        """Whether ``telling`` has anything to say."""
        return any(
            flow.confidence is not Confidence.LOW and not self._cheap(flow)
            for flow in subject.reach.flows
        )

    def shown(self, subject: Subject) -> tuple[Evidence, bool]:
        """Return the evidence, and whether the option surely sizes something that matters whatever the option is called."""
        telling = self.telling(subject)
        found = min((told.evidence for told in telling), key=_rank, default=Evidence.NONE)
        is_spared = any(told.spared for told in telling)
        if found is Evidence.NONE and not is_spared and self.suggestion(subject):
            found = Evidence.NAME  # what the name suggests is found, and does not matter
        return found, any(told.decides for told in telling)

    def guess(self, subject: Subject) -> Reason:
        """Explain why an option whose name alone suggests a cost gets no verdict."""
        telling = self.telling(subject)
        what, ref, index = self._nothing(subject), None, -1
        if telling:
            first = telling[0].reason
            what, ref, index = f"matters only where it {first.text}", first.ref, first.index
        word = self.suggestion(subject)
        return Reason(
            f"{what}, although “{word}” in its name suggests an effect", False, ref, index
        )

    def suggestion(self, subject: Subject) -> str:
        """Return the word of an option's name that by itself suggests a cost; empty without one."""
        return self.vocabulary.lexicon.strongest(subject.option.name, True, _SURE_WORD)

    def _cheap(self, flow: Flow) -> bool:
        family = self.vocabulary.family(flow.operation.api)
        return family is not None and family.cheap

    def telling(self, subject: Subject) -> list[Told]:
        """Return what an option's flows to costly operations tell, most telling first, one of each family."""
        flows = [flow for flow in subject.reach.flows if flow.confidence is not Confidence.LOW]
        used = {flow.operation for flow in flows if flow.dependency is Dependency.DIRECT}
        best: dict[str, Told] = {}
        for flow in flows:
            if self._cheap(flow):
                continue
            family = self.vocabulary.family(flow.operation.api)
            if flow.dependency is not Dependency.DIRECT and flow.operation in used:
                continue  # ``if (size > 0) allocate(size)``: that it is the size says more
            told = _told(flow, family, self.near.of(flow), subject.option.type, self.spare(flow))
            if family is not None and self._chooses(flow, family):
                told = _choosing(told, family)
            about = family.name if family is not None else told.reason.text
            if about not in best or told[:3] < best[about][:3]:
                best[about] = told
        return sorted(best.values(), key=lambda told: (told.evidence.rank, *told[:3]))

    def _chooses(self, flow: Flow, family: Family) -> bool:
        is_branch = flow.dependency is Dependency.BRANCH
        return is_branch and family.object and self.near.chooses(flow)

    def resting(self, subject: Subject) -> tuple[Flow, ...]:
        """Return the flows that tell more or less by what the program does elsewhere (``spare``)."""
        return tuple(flow for flow in subject.reach.flows if self._may_spare(flow))

    def spare(self, flow: Flow) -> Spare | None:
        """Return why a flow tells less than its operation says."""
        return self.near.spare(flow, self._is_object(flow)) if self._may_spare(flow) else None

    def _may_spare(self, flow: Flow) -> bool:
        if flow.dependency is not Dependency.DIRECT or flow.confidence is Confidence.LOW:
            return False
        return self._is_object(flow) or self.near.amounts.names(flow.operation.api)

    def _is_object(self, flow: Flow) -> bool:
        family = self.vocabulary.family(flow.operation.api)
        return family is not None and family.object

    def _shares(self, contributions: Sequence[float]) -> Mapping[str, float]:
        shares = {"flows": 0.0, "name": 0.0, "type": 0.0}
        for feature, value in zip(self.order, contributions, strict=True):
            if feature.group in _NAME_GROUPS:
                shares["name"] += value
            elif feature.group == "type":
                shares["type"] += value
            elif feature.group not in _OTHER_GROUPS:
                shares["flows"] += value
        return shares

    def _name(self, subject: Subject, share: float) -> Reason | None:
        word = self.vocabulary.lexicon.strongest(subject.option.name, share > 0, _SURE_WORD)
        return Reason(f"has “{word}” in its name", share > 0) if word else None

    def _nothing(self, subject: Subject) -> str:
        cheap: Counter[str] = Counter()
        for flow in subject.reach.flows:
            family = self.vocabulary.family(flow.operation.api)
            if family is None or not family.cheap:
                # Those that are sure enough are told themselves.
                return "reaches costly operations only with low confidence"
            if flow.confidence is not Confidence.LOW:
                cheap[family.name] += 1
        if cheap:
            most = min(cheap, key=lambda name: (-cheap[name], name))
            return f"reaches only cheap operations, such as {most}"
        return "reaches no known costly operation"


def _rank(evidence: Evidence) -> int:
    return evidence.rank


def _told(
    flow: Flow, family: Family | None, about: About, kind: OptionType, spare: Spare | None
) -> Told:
    operation = flow.operation
    direct = flow.dependency is Dependency.DIRECT
    looped = about.looped or flow.dependency is Dependency.LOOP
    pacing = family is not None and family.paces
    if family is not None and family.monitor:
        tier = _MONITOR
    elif direct and kind in _SETTINGS:
        paces = pacing and kind is OptionType.TIME
        tier = 0 if paces or (family is not None and family.resource) else 2 if pacing else 3
    elif direct:
        tier = 3
    elif about.start:
        tier = _START
    elif flow.distance >= _FAR:
        tier = 3
    else:
        tier = 1 if looped else 2
    text = _sentence(flow, family, about, kind)
    evidence = _evidence(flow, tier, about, kind, pacing)
    reason = Reason(text, True, operation.ref, operation.instr)
    sure = evidence is Evidence.STRONG or (evidence is Evidence.LIKELY and _picks(flow))
    decides = sure and direct and family is not None and family.decides
    told = Told(tier, flow.confidence.rank, flow.distance, reason, evidence, decides, False)
    return told if spare is None else _sparing(told, spare, kind in _SETTINGS)


def _picks(flow: Flow) -> bool:
    """Tell whether a flow is only unsure as the option picks one of several values."""
    return flow.paths[0].reasons == phrases(Doubt.CARRIED)


def _sparing(told: Told, spare: Spare, is_setting: bool) -> Told:
    """Return what a flow tells whose operation does not do with it what its family says."""
    reason = attrs.evolve(told.reason, text=(spare.sizes or told.reason.text) + spare.adds)
    if spare.weight is Weight.CHOICE:
        if not is_setting:
            return told
        return told._replace(tier=1, reason=reason, evidence=Evidence.LIKELY, decides=True)
    least = Evidence.NONE if spare.weight is Weight.NONE else Evidence.LIKELY
    evidence = max(told.evidence, least, key=_rank)
    return told._replace(
        tier=max(told.tier, _SPARE),
        reason=reason,
        evidence=evidence,
        decides=False,
        spared=evidence is Evidence.NONE,
    )


def _choosing(told: Told, family: Family) -> Told:
    """Return what a flow tells that decides between implementations of what the program works with."""
    reason = attrs.evolve(told.reason, text=f"chooses between kinds of {family.name}")
    return told._replace(tier=1, reason=reason, evidence=Evidence.LIKELY, decides=family.decides)


def _evidence(flow: Flow, tier: int, about: About, kind: OptionType, pacing: bool) -> Evidence:
    """Return what one flow shows; see the module text."""
    is_high = flow.confidence is Confidence.HIGH
    if flow.dependency is Dependency.DIRECT:
        if tier > 0:
            return Evidence.NONE
        is_sure = is_high and kind in _AMOUNTS and not pacing
        return Evidence.STRONG if is_sure else Evidence.LIKELY
    if tier >= _START:
        return Evidence.NONE
    repeats = flow.dependency is Dependency.LOOP and kind in _COUNTS
    return Evidence.STRONG if is_high and repeats else Evidence.LIKELY


def _sentence(flow: Flow, family: Family | None, about: About, kind: OptionType) -> str:
    direct = flow.dependency is Dependency.DIRECT
    how = "how often" if flow.dependency is Dependency.LOOP else "whether"
    if direct and family is not None and family.resource and kind not in _SETTINGS:
        return f"is passed to {flow.operation.api}"
    if family is not None:
        if direct:
            return family.sizes
        what = family.happens
    else:
        what = flow.operation.api
        if direct:
            return f"is passed to {what}"
        what = f"{what} runs"
    where = ""
    if about.start:
        where = " at startup or shutdown"
    elif about.looped and flow.dependency is not Dependency.LOOP:
        where = " inside a loop"
    return f"controls {how} {what}{where}"


def _kind(subject: Subject, shares: Mapping[str, float]) -> Reason | None:
    text = _TELLING_TYPES.get(subject.option.type)
    return None if text is None else Reason(text, shares["type"] > 0)


def _level(sensitive: bool) -> Reason:
    """What is left to say when no single thing decided."""
    known = "affect performance" if sensitive else "have little effect on performance"
    return Reason(f"resembles options known to {known}", sensitive)
