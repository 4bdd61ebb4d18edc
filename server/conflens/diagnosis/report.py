"""Figures and sentences of a diagnosis, the same in every format that shows one.

Terms
    main kind   the kind of event that a verdict is worded with: of those that became more by more than noise, and for which
                the run took longer, the one in which most was explained, else the one that took most time more than before.
    amount      a weight with its unit, three digits at most.

A text that comes from a snapshot or a program (names, values) is given as it is: whoever shows it makes it
``legible`` and escapes it.
Absent: places, formats, anything that asks a program.
"""

from __future__ import annotations

import math
from collections import Counter

from conflens.diagnosis.results import (
    Diagnosis,
    Difference,
    Hotspot,
    Scale,
    Suspect,
    Total,
    Value,
    Verdict,
)
from conflens.flow.results import OptionKey
from conflens.profiling.model import BLOCKED, EventKind, Frame, Nature, Unit

KIND_WORDS = {
    EventKind.CPU: "CPU time",
    EventKind.WALL: "time on the clock",
    EventKind.ALLOCATION: "memory allocation",
    EventKind.LOCK: "time blocked by locks",
    EventKind.WAIT: "time waiting for others",
    EventKind.SLEEP: "time asleep",
    EventKind.IO: "I/O time",
}
"""A kind as the end of a sentence: "costs 63 % more CPU time"."""

SHORT_WORDS = {
    EventKind.CPU: "CPU",
    EventKind.WALL: "wall",
    EventKind.ALLOCATION: "allocation",
    EventKind.LOCK: "lock",
    EventKind.WAIT: "wait",
    EventKind.SLEEP: "sleep",
    EventKind.IO: "I/O",
}

REDACTED = "redacted"
UNSET = "not set"
_TIMES = 10.0
"""From this factor on a change is told as a factor."""
_LONGER = 0.03
"""From this difference on a slow run is told by its length; below, the recordings may have been cut to one length."""
_EQUAL = 0.0005
_BYTES = 0.5
"""What memory counts beside time, where both were explained: who allocates mostly computes as well."""
_SCALES = {
    Unit.NANOSECONDS: ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")),
    Unit.BYTES: ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")),
    Unit.SAMPLES: ((1.0, "samples"),),
}


def legible(text: str) -> str:
    """Return a text from outside on one line; what cannot be shown, or would be obeyed, is a replacement mark."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def percent(share: float) -> str:
    """Return a share in percent: ``34 %``, ``4.2 %``, ``<0.1 %``, ``0 %``."""
    if not math.isfinite(share):
        return "?"
    number = 100 * share
    if number == 0:
        return "0 %"
    if abs(number) < 0.05:
        return "<0.1 %" if number > 0 else "0 %"
    if abs(number) < 9.95:
        return f"{number:.1f} %".replace(".0 %", " %")
    return f"{number:,.0f} %"


def signed(share: float | None) -> str:
    """Return a difference in percent with its sign, ``+21 %``; empty for ``None``."""
    if share is None:
        return ""
    if abs(share) < _EQUAL:
        return "0 %"
    return f"+{percent(share)}" if share > 0 else percent(share)


def changed(change: float | None) -> str:
    """Return a growth: ``+21 %``, ``13 times``, ``new``; empty for ``None``."""
    if change is None:
        return ""
    if math.isinf(change):
        return "new"
    return f"{change + 1:,.0f} times" if change + 1 >= _TIMES else signed(change)


def amount(weight: float, unit: Unit) -> str:
    """Return a weight in its unit: ``1.23 s``, ``45 ms``, ``3.4 GB``, ``1,234 samples``."""
    if weight == 0:
        return "0"
    scales = _SCALES[unit]
    size, name = next((item for item in scales if abs(weight) >= item[0]), scales[-1])
    number = weight / size
    if abs(number) >= (9.5 if unit is Unit.SAMPLES else 99.95) or number == int(number):
        shown = f"{number:,.0f}"
    else:
        shown = f"{number:.1f}" if abs(number) >= 9.995 else f"{number:.2f}"
    if shown == "1" and name in ("samples", "bytes"):
        name = name[:-1]
    return f"{shown} {name}"


def weight_text(diagnosis: Diagnosis, kind: EventKind, weight: float) -> str:
    """Return a weight of a kind as the diagnosis scales it: ``1.23 s``, ``45 ms/s``, ``34 %``."""
    if diagnosis.scaling is Scale.SHARE:
        return percent(weight)
    shown = amount(weight, unit_of(diagnosis, kind))
    return f"{shown}/s" if diagnosis.scaling is Scale.TIME and weight else shown


def is_compared(diagnosis: Diagnosis) -> bool:
    """Tell whether there is a baseline; a snapshot that compares two runs brings its own."""
    return bool(diagnosis.baseline) or any(total.before is not None for total in diagnosis.totals)


def class_name(owner: str) -> str:
    """Return the simple name of a class: ``Map.Entry`` of ``java.util.Map$Entry``."""
    return owner.rsplit(".", 1)[-1].replace("$", ".").strip(".")


def frame_name(frame: Frame) -> str:
    """Return a frame in a few words: ``Codec.encode``, ``thread main``, ``[frames left out]``."""
    if frame.nature is Nature.THREAD:
        return f"thread {frame.method}"
    if frame.nature is Nature.OPAQUE:
        return f"[{frame.method}]"
    if frame.nature is Nature.OBJECT:
        return f"new {class_name(frame.method)}"
    if not frame.owner:
        return frame.method
    name = class_name(frame.owner)
    return f"new {name}" if frame.method == "<init>" else f"{name}.{frame.method}"


def unit_of(diagnosis: Diagnosis, kind: EventKind) -> Unit:
    """Return the unit of a kind's weights."""
    return next((total.unit for total in diagnosis.totals if total.kind is kind), Unit.SAMPLES)


def main_total(diagnosis: Diagnosis) -> Total | None:
    """Return the total of the main kind; ``None`` where nothing was recorded at all."""
    if not is_compared(diagnosis):
        return next((total for total in diagnosis.totals if total.after), None)
    explained: Counter[EventKind] = Counter()
    for suspect in likely(diagnosis):
        for cause in suspect.causes:
            kind = cause.hotspot.kind
            counts = _BYTES if kind is EventKind.ALLOCATION else 1.0
            explained[kind] += counts * cause.explained  # type: ignore[assignment]

    told = {cost.kind for cost in diagnosis.costs if cost.significant}
    length = next((cost for cost in diagnosis.costs if cost.kind is None), None)
    is_longer = length is None or (length.significant and length.change > 0)

    def rank(total: Total) -> tuple[bool, float, bool, bool, float]:
        rise = total.after - (total.before or 0.0)
        is_waited_for = is_longer or total.kind not in BLOCKED
        return (
            total.kind in told and rise > 0 and is_waited_for,
            explained[total.kind],
            total.kind in told,
            _is_work(total) and rise > 0,
            rise if _is_work(total) else 0.0,
        )

    return max(diagnosis.totals, key=rank, default=None)


def _is_work(total: Total) -> bool:
    """Tell whether a kind is time that somebody spends, rather than memory or waiting for others."""
    return total.unit is not Unit.BYTES and total.kind is not EventKind.WAIT


def likely(diagnosis: Diagnosis) -> tuple[Suspect, ...]:
    """Return the likely causes, in their order."""
    return tuple(item for item in diagnosis.suspects if item.verdict is Verdict.LIKELY)


def leading(diagnosis: Diagnosis) -> tuple[Suspect, ...]:
    """Return the likely causes, or without a baseline the options that are behind the cost."""
    told = (Verdict.LIKELY, Verdict.BEHIND)
    return tuple(item for item in diagnosis.suspects if item.verdict in told)


def growth(total: Total) -> float | None:
    """Return by what share a kind grew; ``None`` without a baseline, ``inf`` from nothing."""
    if total.before is None:
        return None
    if total.before == 0:
        return math.inf if total.after else 0.0
    return total.after / total.before - 1


def cost_against(diagnosis: Diagnosis, total: Total) -> str:
    """Return what the second run costs beside the first: by its length if that tells, else by the main kind."""
    if diagnosis.seconds is not None and diagnosis.scaling is Scale.WORK:
        before, after = diagnosis.seconds
        rise = after / before - 1 if before else math.inf
        length = next((cost for cost in diagnosis.costs if cost.kind is None), None)
        tells = abs(rise) >= _LONGER if length is None else length.significant
        if not diagnosis.violated or tells:
            times = [amount(1e9 * seconds, Unit.NANOSECONDS) for seconds in (before, after)]
            between = f"({times[0]} before, {times[1]} now)"
            if abs(rise) < _EQUAL:
                return f"takes as long as the first {between}"
            if rise + 1 >= _TIMES:
                return f"takes {rise + 1:,.0f} times as long {between}"
            return f"takes {percent(abs(rise))} {'longer' if rise > 0 else 'less time'} {between}"
    return f"costs {_kind_cost(diagnosis, total)}"


def _kind_cost(diagnosis: Diagnosis, total: Total) -> str:
    words = KIND_WORDS[total.kind]
    rise = growth(total) or 0.0
    before, now = (
        weight_text(diagnosis, total.kind, weight) for weight in (total.before or 0.0, total.after)
    )
    between = f"({before} before, {now} now)"
    if math.isinf(rise):
        return f"{now} of {words} where there was none before"
    if abs(rise) < _EQUAL:
        return f"as much {words} as the baseline {between}"
    if rise + 1 >= _TIMES:
        return f"{rise + 1:,.0f} times as much {words} {between}"
    less = "more" if rise > 0 else "less"
    return f"{percent(abs(rise))} {less} {words} {between}"


def value_text(value: Value | None, compared: bool = True) -> str:
    """Return an option's values: ``4 → 64``, ``64 in both``, ``redacted, differs``; empty if not recorded.

    Of a single run that is its value: ``64``, ``redacted``.
    """
    if value is None:
        return ""
    if not compared:
        return REDACTED if value.secret else _set(value.after)
    if value.secret:
        return f"{REDACTED}, {'same' if value.same else 'differs'}"
    if value.same:
        return f"{_set(value.after)} in both"
    return f"{_set(value.before)} → {_set(value.after)}"


def shown_value(text: str) -> str:
    """Return a recorded value as it is, an empty one so that it can be seen."""
    return text or '""'


def difference_text(difference: Difference) -> str:
    """Return a difference in words: ``4 → 64``, ``not set → on``, ``differs, redacted``."""
    before, after = difference.before, difference.after
    if before is None and after is None:
        return f"differs, {REDACTED}"
    return f"{_set(before)} → {_set(after)}"


def _set(value: str | None) -> str:
    return UNSET if value is None else shown_value(value)


def ordered_differences(diagnosis: Diagnosis) -> list[Difference]:
    """Return the differences, those of the project's options first."""
    return sorted(diagnosis.differences, key=lambda difference: difference.option is None)


def differences_lead(diagnosis: Diagnosis) -> bool:
    """Tell whether values that differ are shown before everything else: one of them is an option's."""
    return any(difference.option is not None for difference in diagnosis.differences)


def behind(diagnosis: Diagnosis, hotspot: Hotspot) -> tuple[OptionKey, ...]:
    """Return the options with a chain to a hotspot, in rank order."""
    return tuple(
        suspect.option
        for suspect in diagnosis.suspects
        if any(cause.hotspot is hotspot for cause in suspect.causes)
    )


def listed_hotspots(diagnosis: Diagnosis) -> list[tuple[str, Hotspot]]:
    """Return the hotspots that a list shows, all but idle ones, with what they are called; of those that would be called
    alike also where they are called from."""
    listed = [hotspot for hotspot in diagnosis.hotspots if not hotspot.idle]
    names = [(hotspot.kind, frame_name(hotspot.method.frame)) for hotspot in listed]
    times = Counter(names)
    return [
        (
            f"{name} in {_caller(hotspot)}" if times[kind, name] > 1 and hotspot.chains else name,
            hotspot,
        )
        for (kind, name), hotspot in zip(names, listed, strict=True)
    ]


def _caller(hotspot: Hotspot) -> str:
    """Return the project's nearest method above a hotspot, else what calls it."""
    above = hotspot.chains[0].frames[:-1]
    for located in reversed(above):
        if located.ref is not None:
            return frame_name(located.frame)
    return frame_name(above[-1].frame) if above else "no known caller"
