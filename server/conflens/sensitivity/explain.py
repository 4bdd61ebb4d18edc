"""Reasons: why an option is called sensitive or not, in words, with the place that shows it.

What decided is read from the trees' own paths: the contributions of features (``forest``) are added up by
what they are about (its flows, its name, its type), and each subject that counted gets its say, the one that
counted most first.  What is said of flows is the flow that tells most: surely known, costly, in a loop.

A reason completes "the option …".  At most ``MAX`` are given, and at least one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from conflens.flow.results import Confidence, Dependency, Flow
from conflens.options.model import OptionType
from conflens.sensitivity.features import QUIET, Feature, Subject
from conflens.sensitivity.results import Reason
from conflens.sensitivity.surroundings import Surroundings
from conflens.sensitivity.vocabulary import Family, Vocabulary

MAX = 3
_NOTABLE = 0.015
"""A subject that moves the score by less is not mentioned."""

_ABOUT = {
    "diagconfig": "flows",
    "rank": "flows",
    "weight": "flows",
    "family": "flows",
    "cost": "flows",
    "surroundings": "flows",
    "spread": "flows",
    "pattern": "flows",
    "lexicon": "name",
    "words": "name",
    "type": "type",
}
_KINDS = {
    OptionType.FILE: "names a file or folder",
    OptionType.ADDRESS: "is an address",
    OptionType.PORT: "is a port",
    OptionType.URI: "is a URI",
    OptionType.PASSWORD: "is a secret",
    OptionType.TIME: "is a time",
    OptionType.STRING: "is a text",
    OptionType.LIST: "is a list",
    OptionType.REGEX: "is a pattern for texts",
    OptionType.BOOLEAN: "is a switch",
    OptionType.MODE: "chooses among modes",
    OptionType.CLASS: "chooses a class",
    OptionType.SIZE: "is a size",
    OptionType.INTEGER: "is a number",
    OptionType.FRACTION: "is a fraction",
}


@attrs.frozen
class Explainer:
    """Explains scores within one program."""

    vocabulary: Vocabulary
    order: Sequence[Feature]
    near: Surroundings

    def reasons(
        self, subject: Subject, contributions: Sequence[float], sensitive: bool
    ) -> tuple[Reason, ...]:
        """Return the reasons for a verdict, those against it last."""
        shares = {"flows": 0.0, "name": 0.0, "type": 0.0}
        for feature, value in zip(self.order, contributions, strict=True):
            about = _ABOUT.get(feature.group)
            if about is not None:
                shares[about] += value
        ordered = sorted(shares, key=lambda about: -abs(shares[about]))
        found: list[Reason] = []
        against: list[Reason] = []
        for about in ordered:
            toward = shares[about] > 0
            if abs(shares[about]) < _NOTABLE:
                continue
            said = list(self._said(about, subject, toward))
            (found if toward == sensitive else against).extend(said)
        if not found:
            found = self._otherwise(subject, sensitive, bool(against))
        kept = found[: MAX - 1] if against else found[:MAX]
        return tuple((kept + against)[:MAX])

    def _otherwise(self, subject: Subject, sensitive: bool, opposed: bool) -> list[Reason]:
        """Return what is said when no subject counts for a verdict by itself."""
        for about in () if opposed else ("flows", "name", "type"):
            if said := list(self._said(about, subject, sensitive)):
                return said[:1]
        text = "resembles options known to make {} difference"
        return [Reason(text.format("a" if sensitive else "no"), sensitive)]

    def _said(self, about: str, subject: Subject, toward: bool) -> Iterator[Reason]:
        if about == "flows":
            yield from self._flows(subject, toward)
        elif about == "name":
            yield from self._name(subject, toward)
        elif (text := _KINDS.get(subject.option.type)) is not None:
            yield Reason(text, toward)

    def _flows(self, subject: Subject, toward: bool) -> Iterator[Reason]:
        telling = self.telling(subject)
        if toward:
            yield from telling[:2]
        elif not telling:
            yield self._cheap(subject)
        else:
            first = telling[0]
            text = f"does little else than this: it {first.text}"
            yield Reason(text, False, first.ref, first.index)

    def _cheap(self, subject: Subject) -> Reason:
        """Return what is said of an option that reaches nothing costly."""
        sure = [flow for flow in subject.reach.flows if flow.confidence is not Confidence.LOW]
        if not sure:
            return Reason(_nothing(subject), False)
        families = [self.vocabulary.family(flow.operation.api) for flow in sure]
        if all(family is not None and family.name in QUIET for family in families):
            return Reason("only shows up in log output", False)
        place = next(
            number
            for number, family in enumerate(families)
            if family is not None and family.name not in QUIET
        )
        flow, operation = sure[place], sure[place].operation
        text = _sentence(flow, families[place], self.near.of(flow).looped)
        return Reason(f"does nothing costlier than this: it {text}", False, *operation[:2])

    def telling(self, subject: Subject) -> list[Reason]:
        """Return what an option's flows to costly operations say, most telling first, each thing once."""
        said: dict[str, tuple[tuple[int, ...], Reason]] = {}
        for flow in subject.reach.flows:
            family = self.vocabulary.family(flow.operation.api)
            if flow.confidence is Confidence.LOW or (family is not None and family.cheap):
                continue
            looped = self.near.of(flow).looped
            text = _sentence(flow, family, looped)
            rank = _rank(flow, family, looped)
            if text not in said or rank < said[text][0]:
                operation = flow.operation
                said[text] = rank, Reason(text, True, operation.ref, operation.index)
        return [reason for _, reason in sorted(said.values(), key=lambda item: item[0])]

    def _name(self, subject: Subject, toward: bool) -> Iterator[Reason]:
        word = self.vocabulary.lexicon.strongest(subject.option.name, toward)
        if word:
            yield Reason(f"has “{word}” in its name", toward)


def _nothing(subject: Subject) -> str:
    if subject.reach.flows:
        return "reaches no costly operation for sure"
    if subject.reach.cold:
        return "reaches no costly operation as far as it could be followed"
    return "reaches nothing costly"


def _sentence(flow: Flow, family: Family | None, looped: bool) -> str:
    if family is None:
        what = f"a costly operation ({flow.operation.kind})"
        if flow.dependency is Dependency.DIRECT:
            return f"goes into {what}"
        how = "how often" if flow.dependency is Dependency.LOOP else "whether"
        return f"decides {how} {what} runs{_inside(flow, looped)}"
    if flow.dependency is Dependency.DIRECT:
        return family.sizes
    how = "how often" if flow.dependency is Dependency.LOOP else "whether"
    return f"decides {how} {family.happens}{_inside(flow, looped)}"


def _inside(flow: Flow, looped: bool) -> str:
    return " inside a loop" if looped and flow.dependency is not Dependency.LOOP else ""


def _rank(flow: Flow, family: Family | None, looped: bool) -> tuple[int, ...]:
    resource = family is not None and family.resource
    direct = flow.dependency is Dependency.DIRECT
    weight = 0 if direct and resource else 1 if looped or flow.dependency is Dependency.LOOP else 2
    if direct and not resource:
        weight = 3
    return weight, flow.confidence.rank, flow.distance
