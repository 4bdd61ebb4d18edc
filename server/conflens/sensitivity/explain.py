"""Reasons: why an option is called sensitive or not, in words, with the place that shows it.

What decided is read from the trees' own paths: the contributions of features (``forest``) are added up by
what they are about (its flows, its name, its type), and what counted gets its say.  Flows come first, because
they can be looked at; of several the ones that tell most: surely known, costly, in a loop.

A reason completes "the option …".  At most ``MAX`` are given, and at least one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from conflens.flow.results import Confidence, Dependency, Flow
from conflens.options.model import OptionType
from conflens.sensitivity.features import Feature, Subject
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
        telling = self.telling(subject)
        found: list[Reason] = []
        against: list[Reason] = []
        if sensitive and telling:
            found += telling[:2]
        elif sensitive:
            against.append(Reason(_nothing(subject), False))
        elif not telling:
            found.append(Reason(_nothing(subject), False))
        elif shares["flows"] < -_NOTABLE:
            first = telling[0]
            text = f"does little beyond this: it {first.text}"
            found.append(Reason(text, False, first.ref, first.index))
        else:
            against.append(telling[0])
        said = {"name": self._name(subject, shares["name"] > 0), "type": _kind(subject, shares)}
        for about in sorted(said, key=lambda about: -abs(shares[about])):
            reason = said[about]
            if reason is not None and abs(shares[about]) >= _NOTABLE:
                (found if reason.toward == sensitive else against).append(reason)
        if not found:
            found, against = against[:1], []
        kept = found[: MAX - 1] if against else found[:MAX]
        return tuple((kept + against)[:MAX])

    def telling(self, subject: Subject) -> list[Reason]:
        """Return what an option's flows to costly operations say, most telling first, one for each family."""
        said: dict[str, tuple[tuple[int, ...], Reason]] = {}
        for flow in subject.reach.flows:
            family = self.vocabulary.family(flow.operation.api)
            if flow.confidence is Confidence.LOW or (family is not None and family.cheap):
                continue
            looped = self.near.of(flow).looped
            text = _sentence(flow, family, looped)
            rank = _rank(flow, family, looped)
            about = family.name if family is not None else text
            if about not in said or rank < said[about][0]:
                operation = flow.operation
                said[about] = rank, Reason(text, True, operation.ref, operation.index)
        return [reason for _, reason in sorted(said.values(), key=lambda item: item[0])]

    def _name(self, subject: Subject, toward: bool) -> Reason | None:
        word = self.vocabulary.lexicon.strongest(subject.option.name, toward)
        return Reason(f"has “{word}” in its name", toward) if word else None


def _kind(subject: Subject, shares: Mapping[str, float]) -> Reason | None:
    text = _KINDS.get(subject.option.type)
    return None if text is None else Reason(text, shares["type"] > 0)


def _nothing(subject: Subject) -> str:
    if any(flow.confidence is not Confidence.LOW for flow in subject.reach.flows):
        return "reaches only cheap operations, such as log output"
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
