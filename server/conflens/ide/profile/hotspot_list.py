"""The hotspots of a diagnosis, and the options behind it, as rows of a list.

Rows are plain text, short enough for one line.  Places are those of today: a hotspot stands at the name of its method,
one of a library at that of the method it works for; what is gone has none.  At most ``MAX_HOTSPOTS`` and
``MAX_SUSPECTS``, in the order of the diagnosis; ``more`` counts the hotspots left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten, shorten_name
from conflens.diagnosis.report import (
    SHORT_WORDS,
    hotspot_names,
    is_compared,
    legible,
    percent,
    shares_of,
    shown_value,
    signed,
    under_text,
    value_text,
)
from conflens.diagnosis.results import Diagnosis, Hotspot, Suspect, Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.profile import TOLD_CHANGE, Profile, step_today
from conflens.render.option_view import first_place
from conflens.session.analysis import Analysis

MAX_HOTSPOTS = 50
MAX_SUSPECTS = 50
_MAX_OPTIONS = 20
_MAX_KINDS = 2
_MAX_NAME = 120
_MAX_VALUE = 40


@attrs.frozen
class Behind:
    """An option behind a hotspot: number ``cause`` of its chains leads there."""

    option: OptionKey
    name: str
    text: str
    cause: int


@attrs.frozen
class HotspotRow:
    """A hotspot: ``share`` is of its kind, ``change`` what it adds to the baseline's total, ``None`` without one."""

    method: str
    place: Place | None
    share: float
    change: float | None
    kind: str
    text: str
    options: tuple[Behind, ...]


@attrs.frozen
class SuspectRow:
    """An option of the diagnosis.

    ``explained`` is ``None`` where only its share of the run is known.  ``before`` and ``after`` are its values as recorded, ``None``
    where they were not or are redacted.  ``causes`` counts its chains; ``place`` is where it is read first.
    """

    option: OptionKey
    name: str
    text: str
    accused: bool
    explained: float | None
    before: str | None
    after: str | None
    causes: int
    place: Place | None


@attrs.frozen
class Hotspots:
    """See the module text."""

    compared: bool
    hotspots: tuple[HotspotRow, ...]
    suspects: tuple[SuspectRow, ...]
    more: int


def hotspots(analysis: Analysis, profile: Profile) -> Hotspots:
    """Return the rows of a diagnosis."""
    diagnosis = profile.diagnosis
    shown = list(zip(hotspot_names(diagnosis), diagnosis.hotspots, strict=True))
    return Hotspots(
        is_compared(diagnosis),
        tuple(
            _hotspot(analysis, profile, name, hotspot) for name, hotspot in shown[:MAX_HOTSPOTS]
        ),
        tuple(_suspects(analysis, diagnosis)),
        max(0, len(shown) - MAX_HOTSPOTS),
    )


def _hotspot(analysis: Analysis, profile: Profile, name: str, hotspot: Hotspot) -> HotspotRow:
    text = f"{percent(hotspot.share)} {SHORT_WORDS[hotspot.kind]}"
    if hotspot.variation is not None and abs(hotspot.variation) >= TOLD_CHANGE:
        text += f", {signed(hotspot.variation)}"
        text += "" if hotspot.significant else ", perhaps by chance"
    return HotspotRow(
        shorten(legible(name), _MAX_NAME),
        _place(analysis, profile, hotspot),
        hotspot.share,
        hotspot.variation,
        SHORT_WORDS[hotspot.kind],
        text,
        tuple(_behind(profile.diagnosis, hotspot)),
    )


def _place(analysis: Analysis, profile: Profile, hotspot: Hotspot) -> Place | None:
    frames = hotspot.chains[0].frames if hotspot.chains else ()
    refs = (located.ref for located in (hotspot.method, *reversed(frames)))
    ref = next((ref for ref in refs if ref is not None), None)
    step = step_today(analysis, profile, ref, -1) if ref is not None else None
    return step.place if step is not None else None


def _behind(diagnosis: Diagnosis, hotspot: Hotspot) -> Iterator[Behind]:
    """The options with a chain to a hotspot, each with the first; not those whose value did not differ."""
    shown = 0
    for suspect in diagnosis.suspects:
        if suspect.verdict is Verdict.UNCHANGED or shown == _MAX_OPTIONS:
            continue
        for number, cause in enumerate(suspect.causes):
            if cause.hotspot is hotspot:
                text = f"{cause.dependency} · {percent(cause.explained)}"
                yield Behind(suspect.option, _name(suspect.option), text, number)
                shown += 1
                break


def _suspects(analysis: Analysis, diagnosis: Diagnosis) -> Iterator[SuspectRow]:
    shown = diagnosis.suspects[:MAX_SUSPECTS]
    if not shown:
        keys = [key for key, share in shares_of(diagnosis) if share > 0][:MAX_SUSPECTS]
        places = _places(analysis, keys)
        for key in keys:
            text = f"{under_text(diagnosis.under[key][:_MAX_KINDS])} under it"
            yield SuspectRow(
                key, _name(key), text, False, None, *_values(diagnosis, key), 0, places.get(key)
            )
        return
    places = _places(analysis, [suspect.option for suspect in shown])
    for suspect in shown:
        yield SuspectRow(
            suspect.option,
            _name(suspect.option),
            _summary(diagnosis, suspect),
            suspect.verdict is Verdict.ACCUSED,
            suspect.explained,
            *_values(diagnosis, suspect.option),
            len(suspect.causes),
            places.get(suspect.option),
        )


def _summary(diagnosis: Diagnosis, suspect: Suspect) -> str:
    """Return ``explains 63 %, 4 → 64`` and its like."""
    compared = is_compared(diagnosis)
    share = percent(suspect.explained)
    text = {
        Verdict.ACCUSED: f"explains {share}",
        Verdict.DIFFERS: f"differs, explains {share}",
        Verdict.BEHIND: f"{share} of the cost",
        Verdict.UNCHANGED: "same value in both runs",
    }[suspect.verdict]
    value = value_text(suspect.values, compared)
    if not value or suspect.verdict is Verdict.UNCHANGED:
        return text
    return f"{text}, {shorten(legible(value), 2 * _MAX_VALUE)}"


def _values(diagnosis: Diagnosis, key: OptionKey) -> tuple[str | None, str | None]:
    value = diagnosis.values.get(key)
    if value is None or value.secret:
        return None, None
    return _value(value.before), _value(value.after)


def _value(text: str | None) -> str | None:
    return None if text is None else shorten(shown_value(legible(text)), _MAX_VALUE)


def _name(option: OptionKey) -> str:
    return shorten_name(legible(option[1]), _MAX_NAME)


def _places(analysis: Analysis, keys: Sequence[OptionKey]) -> Mapping[OptionKey, Place | None]:
    wanted = set(keys)
    return {
        option.key: first_place(option)
        for option in analysis.options.options
        if option.key in wanted
    }
