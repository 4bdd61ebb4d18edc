"""What the runs show for an option, in numbers that can be checked beside each other.

There is one measure: how much of a run's cost, or with a baseline of what the slow run cost *more*, ran under the option.
It is always told as a part of a whole of the same kind, ``10.1 of 10.4 s``.  How an option is ranked
(``Suspect.explained``) takes more into account, and no text shows it.

Terms
    part    what ran under an option, of the whole of one kind of event; ``added``: both without what the baseline cost.
    rows    options in the order in which every list shows them.

Absent: places, formats.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from conflens.diagnosis.report import (
    KIND_WORDS,
    SHORT_WORDS,
    is_compared,
    main_total,
    percent,
    value_text,
    weight_text,
)
from conflens.diagnosis.results import Cause, Diagnosis, Heat, Hotspot, Suspect, Total, Verdict
from conflens.flow.results import OptionKey
from conflens.profiling.model import BLOCKED, EventKind

_LEAST = 0.01
"""The least part that is worth a word."""
_COUNTS = {EventKind.ALLOCATION: 0.5, EventKind.LOCK: 0.5, EventKind.WAIT: 0.25}
"""What kinds count, where an option's part is told of one: waiting and memory follow from work more often than not."""
_TELLING = 0.1
"""The least that an option must explain in a kind, in what it explains in any."""
_WORDS = {
    Verdict.LIKELY: "likely cause",
    Verdict.POSSIBLE: "possible",
    Verdict.DIFFERS: "possible",
    Verdict.BEHIND: "contributes",
    Verdict.UNCHANGED: "same value in both runs",
}


class Part(NamedTuple):
    """See the module text; weights are in the unit of ``kind``."""

    kind: EventKind
    weight: float
    whole: float
    added: bool

    @property
    def share(self) -> float:
        """The part as a number, 1 at most."""
        return min(1.0, self.weight / self.whole)


class Row(NamedTuple):
    """An option in a list; ``suspect`` is ``None`` for one of which only its part is known."""

    option: OptionKey
    suspect: Suspect | None
    part: Part | None


def rows(diagnosis: Diagnosis) -> list[Row]:
    """Return the options of a diagnosis: suspects in their order; where no runs are compared, or nobody is suspected, also
    others by what ran under them."""
    found = [
        Row(item.option, item, part_of(diagnosis, item.option) if _may_cost(item) else None)
        for item in diagnosis.suspects
    ]
    total = main_total(diagnosis)
    if total is None or (found and is_compared(diagnosis)):
        return found
    known = {row.option for row in found}
    others = [
        Row(key, None, part)
        for key in diagnosis.under
        if key not in known
        and (part := part_of(diagnosis, key)) is not None
        and part.share >= _LEAST
    ]
    return [*found, *sorted(others, key=lambda row: _rank(row, total))]


def _may_cost(suspect: Suspect) -> bool:
    return suspect.verdict is not Verdict.UNCHANGED


def _rank(row: Row, total: Total) -> tuple[object, ...]:
    assert row.part is not None
    return row.part.kind is not total.kind, -row.part.share, row.option


def part_of(diagnosis: Diagnosis, option: OptionKey, whole_run: bool = False) -> Part | None:
    """Return what ran under an option, ``None`` for nothing; of several kinds the one whose part says most.

    Of a suspect that is the part of what the slow run cost more, unless ``whole_run`` is asked for.  Of others the main
    kind goes first, and waiting and sleep do not count: nobody has looked whether they are idle.
    """
    suspect = next((item for item in diagnosis.suspects if item.option == option), None)
    parts = [
        part
        for total in _telling(diagnosis, suspect)
        if (part := _part(diagnosis, option, suspect, total, whole_run)) is not None
    ]
    if suspect is None and parts and parts[0].share >= _LEAST:
        return parts[0]
    return max(parts, key=lambda part: part.share * _COUNTS.get(part.kind, 1.0), default=None)


def _telling(diagnosis: Diagnosis, suspect: Suspect | None) -> list[Total]:
    """Return the kinds that say something of an option, the main kind first."""
    main = main_total(diagnosis)
    totals = sorted(diagnosis.totals, key=lambda total: total is not main)
    if suspect is None:
        return [total for total in totals if total is main or total.kind not in BLOCKED]
    explained: Counter[EventKind] = Counter()
    for cause in suspect.causes:
        explained[cause.hotspot.kind] += abs(cause.explained)  # type: ignore[assignment]
    least = _TELLING * max(explained.values(), default=0.0)
    return [total for total in totals if explained[total.kind] >= least]


def _part(
    diagnosis: Diagnosis,
    option: OptionKey,
    suspect: Suspect | None,
    total: Total,
    whole_run: bool,
) -> Part | None:
    before, after = _under(diagnosis, option, suspect, total)
    if total.before is not None and suspect is not None and not whole_run:
        weight, whole = after - before, total.after - total.before
        # What is more under the option although all together is not says nothing of the difference.
        if weight * whole > 0:
            return Part(total.kind, weight, whole, True)
    return Part(total.kind, after, total.after, False) if after > 0 else None


def _under(
    diagnosis: Diagnosis, option: OptionKey, suspect: Suspect | None, total: Total
) -> tuple[float, float]:
    """Return what ran under an option before and after: what its conditions, loops and calls enclose; or its chains,
    if that is more, since they also pass objects that it configures."""
    chains = {
        id(cause.chain): (cause.chain.before, cause.chain.after)
        for cause in (suspect.causes if suspect is not None else ())
        if cause.hotspot.kind is total.kind
    }
    found = [(sum(pair[0] for pair in chains.values()), sum(pair[1] for pair in chains.values()))]
    for row in diagnosis.under.get(option, ()):
        if row.kind is total.kind:
            found.append(((row.before or 0.0) * (total.before or 0.0), row.share * total.after))
    return max(
        found, key=lambda pair: abs(pair[1] - pair[0]) if total.before is not None else pair[1]
    )


# -- words -----------------------------------------------------------------------------------------


def amounts(diagnosis: Diagnosis, kind: EventKind, part: float, whole: float) -> str:
    """Return a part of a whole: ``10.1 of 10.4 s``, ``45 ms of 1.23 s``."""
    texts = [weight_text(diagnosis, kind, abs(weight)) for weight in (part, whole)]
    number, _, unit = texts[0].partition(" ")
    if unit and texts[1].endswith(f" {unit}"):
        return f"{number} of {texts[1]}"
    return " of ".join(texts)


def part_text(diagnosis: Diagnosis, part: Part) -> str:
    """Return a part in words: ``97 % of the added CPU time, 10.1 of 10.4 s``."""
    of = KIND_WORDS[part.kind]
    if part.added:
        of = f"the added {of}" if part.whole > 0 else f"the {of} saved"
    return f"{_share(part)} of {of}, {_amounts(diagnosis, part)}"


def short_part_text(diagnosis: Diagnosis, part: Part) -> str:
    """Return a part where what it is a part of is known: ``97 % CPU, 10.1 of 10.4 s``."""
    return f"{percent(part.share)} {SHORT_WORDS[part.kind]}, {_amounts(diagnosis, part)}"


def _share(part: Part) -> str:
    share = percent(part.share)
    return "all" if share == percent(1.0) else share


def _amounts(diagnosis: Diagnosis, part: Part) -> str:
    if _share(part) == "all":
        return weight_text(diagnosis, part.kind, abs(part.whole))
    return amounts(diagnosis, part.kind, part.weight, part.whole)


def part_sentence(diagnosis: Diagnosis, part: Part) -> str:
    """Return a part as a sentence: ``97 % of the added CPU time, 10.1 of 10.4 s, ran under it.``"""
    text = part_text(diagnosis, part)
    return f"{text[0].upper()}{text[1:]}, ran under it."


def verdict_words(suspect: Suspect) -> str:
    """Return the verdict on an option of runs that are compared, in a word or two."""
    value = suspect.values
    if suspect.verdict is Verdict.DIFFERS and value is not None and not value.same:
        return "value differs"
    return _WORDS[suspect.verdict]


def row_text(diagnosis: Diagnosis, row: Row, compared: bool) -> str:
    """Return what a list says of an option: ``likely cause: 97 % of the added CPU time, 10.1 of 10.4 s``."""
    suspect = row.suspect
    if suspect is not None and suspect.verdict is Verdict.UNCHANGED:
        return verdict_words(suspect)
    words = verdict_words(suspect) if suspect is not None and compared else ""
    part = part_text(diagnosis, row.part) if row.part is not None else ""
    return ": ".join(text for text in (words, part) if text)


def values_of(row: Row, compared: bool) -> str:
    """Return the recorded values of an option's row."""
    return value_text(row.suspect.values, compared) if row.suspect is not None else ""


def cost_text(diagnosis: Diagnosis, kind: EventKind, before: float | None, after: float) -> str:
    """Return what something costs: ``83 % CPU (10.1 of 12.2 s), new``, ``34 % CPU (4.1 of 12.2 s), 2 s before``."""
    whole = next((total.after for total in diagnosis.totals if total.kind is kind), 0.0)
    text = f"{percent(after / whole if whole else 0.0)} {SHORT_WORDS[kind]}"
    if whole:
        text += f" ({amounts(diagnosis, kind, after, whole)})"
    if before is None:
        return text
    return f"{text}, {before_text(diagnosis, kind, before)}"


def before_text(diagnosis: Diagnosis, kind: EventKind, before: float) -> str:
    """Return what something cost in the baseline: ``2 s before``, ``new``."""
    return f"{weight_text(diagnosis, kind, before)} before" if before else "new"


def hotspot_text(diagnosis: Diagnosis, hotspot: Hotspot) -> str:
    """Return what a hotspot costs (``cost_text``), and whether it is sure that this differs."""
    text = cost_text(diagnosis, hotspot.kind, hotspot.before, hotspot.after)
    return text if hotspot.significant else f"{text}, perhaps by chance"


def heat_text(diagnosis: Diagnosis, heat: Heat) -> str:
    """Return what a member costs by itself (``cost_text``)."""
    total = next((total for total in diagnosis.totals if total.kind is heat.kind), None)
    if total is None:
        return f"{percent(heat.own)} {SHORT_WORDS[heat.kind]}"
    before = None if heat.before is None else heat.before * (total.before or 0.0)
    return cost_text(diagnosis, heat.kind, before, heat.own * total.after)


def chain_text(diagnosis: Diagnosis, *causes: Cause) -> str:
    """Return what the call chains of causes to one hotspot cost together: ``3.1 s CPU, new``."""
    hotspot = causes[0].hotspot
    chains = {id(cause.chain): cause.chain for cause in causes}.values()
    after = weight_text(diagnosis, hotspot.kind, sum(chain.after for chain in chains))
    text = f"{after} {SHORT_WORDS[hotspot.kind]}"
    if hotspot.before is None:
        return text
    return f"{text}, {before_text(diagnosis, hotspot.kind, sum(chain.before for chain in chains))}"
