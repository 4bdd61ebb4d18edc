"""The options of a diagnosis, and its hotspots, as rows of a list.

Rows are plain text, short enough for one line.  Places are those of today: a hotspot stands at the name of its method,
one of a library at that of the method it works for; what is gone has none.  At most ``MAX_HOTSPOTS`` and
``MAX_SUSPECTS``, in the order of the diagnosis; ``more`` counts the hotspots left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from conflens.base.span import Place
from conflens.base.words import shorten, shorten_name
from conflens.diagnosis.evidence import (
    Row,
    chain_text,
    hotspot_text,
    row_text,
    rows,
    values_of,
)
from conflens.diagnosis.report import (
    SHORT_WORDS,
    is_compared,
    legible,
    listed_hotspots,
    shown_value,
)
from conflens.diagnosis.results import Diagnosis, Hotspot, Verdict
from conflens.flow.results import OptionKey
from conflens.ide.profile.profile import Profile, step_today
from conflens.render.option_view import first_place
from conflens.session.analysis import Analysis

MAX_HOTSPOTS = 50
MAX_SUSPECTS = 50
_MAX_OPTIONS = 20
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

    ``share`` is what ran under it (``evidence.Part``), ``None`` for nothing.  ``before`` and ``after`` are its values as recorded, ``None``
    where they were not or are redacted.  ``causes`` counts its chains; ``place`` is where it is read first.
    """

    option: OptionKey
    name: str
    text: str
    accused: bool
    share: float | None
    before: str | None
    after: str | None
    causes: int
    place: Place | None


@attrs.frozen
class Hotspots:
    """See the module text."""

    compared: bool
    suspects: tuple[SuspectRow, ...]
    hotspots: tuple[HotspotRow, ...]
    more: int


def hotspots(analysis: Analysis, profile: Profile) -> Hotspots:
    """Return the rows of a diagnosis."""
    diagnosis = profile.diagnosis
    shown = listed_hotspots(diagnosis)
    return Hotspots(
        is_compared(diagnosis),
        tuple(_suspects(analysis, diagnosis)),
        tuple(_hotspot(analysis, profile, *one) for one in shown[:MAX_HOTSPOTS]),
        max(0, len(shown) - MAX_HOTSPOTS),
    )


def _hotspot(analysis: Analysis, profile: Profile, name: str, hotspot: Hotspot) -> HotspotRow:
    return HotspotRow(
        shorten(legible(name), _MAX_NAME),
        _place(analysis, profile, hotspot),
        hotspot.share,
        hotspot.variation,
        SHORT_WORDS[hotspot.kind],
        hotspot_text(profile.diagnosis, hotspot),
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
                text = f"{cause.dependency} · {chain_text(diagnosis, cause)}"
                yield Behind(suspect.option, _name(suspect.option), text, number)
                shown += 1
                break


def _suspects(analysis: Analysis, diagnosis: Diagnosis) -> Iterator[SuspectRow]:
    shown = rows(diagnosis)[:MAX_SUSPECTS]
    places = _places(analysis, [row.option for row in shown])
    compared = is_compared(diagnosis)
    for row in shown:
        suspect = row.suspect
        yield SuspectRow(
            row.option,
            _name(row.option),
            _text(diagnosis, row, compared),
            suspect is not None and suspect.verdict is Verdict.LIKELY,
            row.part.share if row.part is not None else None,
            *_values(diagnosis, row.option),
            len(suspect.causes) if suspect is not None else 0,
            places.get(row.option),
        )


def _text(diagnosis: Diagnosis, row: Row, compared: bool) -> str:
    """Return ``likely cause: 97 % of the added CPU time, 10.1 of 10.4 s; 4 → 64`` and its like."""
    text = row_text(diagnosis, row, compared)
    value = values_of(row, compared)
    if not value or (row.suspect is not None and row.suspect.verdict is Verdict.UNCHANGED):
        return text
    value = shorten(legible(value), 2 * _MAX_VALUE)
    return f"{text}; {value}" if text else value


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
