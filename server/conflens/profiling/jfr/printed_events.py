"""Events as ``jfr print --json`` writes them, put into a recording.

Terms
    event    a mapping with ``type`` and ``values``.
    printed depth   ``jfr print`` writes the five innermost frames of a stack unless it is told otherwise, and nothing in
             what it writes says so.

What is printed tells less than the file: settings name events by numbers that only the file explains.  Sampling periods
are found all the same, since only samplers have periods below a tenth of a second, and of the two the
sampler of Java code has the smaller number.

Absent: how text becomes events (``printed_json``).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from conflens.profiling.jfr.recording import LOADS, Recording
from conflens.profiling.jfr.rows import (
    ACTIVE_SETTING,
    CPU_INFORMATION,
    CPU_LOAD,
    JVM_INFORMATION,
    EventRow,
    SettingRow,
)
from conflens.profiling.jfr.run import iso_nanoseconds, nanoseconds
from conflens.profiling.model import Origin, Unit

DEFAULT_DEPTH = 5
SEVERAL = 3
"""Stacks of the default depth that make one suspect that it was not told."""

DEEPEST = 100_000
_SHORT = 100_000_000
_CACHED = 200_000


class PrintedEvents:
    """Puts events into a recording."""

    def __init__(self, recording: Recording) -> None:
        """``recording``: is filled."""
        self.recording = recording
        self.deepest = 0
        self.full = 0
        """Stacks with as many frames as are printed by default."""
        self._frames: dict[tuple[object, ...], int] = {}
        self._periods: dict[int, int] = {}
        self._seconds: dict[str, int] = {}

    def take(self, event: Mapping[str, Any]) -> None:
        """Put one event into the recording; what is not shaped as an event is passed over."""
        type_, values = event.get("type"), event.get("values")
        if not isinstance(type_, str) or not isinstance(values, Mapping):
            return
        rows = self.recording.rows
        if row := rows.events.get(type_):
            self._weight(row, values)
        elif setting := rows.settings.get(type_):
            self._value(setting, values)
        elif type_ == JVM_INFORMATION:
            parts = (_text(values.get(part)) for part in _COMMAND)
            self.recording.command(*parts)
        elif type_ == ACTIVE_SETTING:
            self._setting(values)
        elif type_ == CPU_INFORMATION:
            self.recording.processors(_text(values.get("hwThreads")))
        elif type_ == CPU_LOAD:
            at = self._instant(_text(values.get("startTime")))
            self.recording.load(at, *(_text(values.get(part)) for part in LOADS))

    def finish(self, command: str) -> None:
        """Make up for what the print does not say; ``command``: how to print again with all frames."""
        sampled = [
            row.name
            for row in self.recording.rows.events.values()
            if row.unit == Unit.SAMPLES and not row.weight
        ]
        if len(self._periods) <= len(sampled):
            ordered = [period for _, period in sorted(self._periods.items())]
            if len(ordered) == 1:
                ordered *= len(sampled)
            for name, period in zip(sampled, ordered, strict=False):
                self.recording.setting(name, "period", f"{period} ns")
        if self.deepest == DEFAULT_DEPTH and self.full >= SEVERAL:
            self.recording.notes.append(
                f"No stack has more than {DEFAULT_DEPTH} frames: 'jfr print' leaves out the others unless it is told "
                f"not to. Print again with: {command}"
            )

    def _weight(self, row: EventRow, values: Mapping[str, Any]) -> None:
        recording = self.recording
        weight = 1
        if row.weight:
            weight = _number(values.get(row.weight))
        named = next((values[path] for path in row.thread if values.get(path)), None)
        thread = recording.thread(_thread(named))
        stack = values.get("stackTrace")
        frames: list[int] = []
        cut = False
        if isinstance(stack, Mapping):
            listed = stack.get("frames")
            if isinstance(listed, list):
                frames = [self._frame(frame) for frame in listed[:DEEPEST]]
            cut = _text(stack.get("truncated")) == "true"
            self.deepest = max(self.deepest, len(frames))
            self.full += len(frames) == DEFAULT_DEPTH
        decider = values.get(row.decider) if row.decider else ""
        if isinstance(decider, Mapping):
            decider = decider.get("name")
        recording.add(row, recording.chain(thread, frames, cut), _text(decider), weight, 1)
        start = self._instant(_text(values.get("startTime")))
        if start:
            recording.span(start, start + iso_nanoseconds(_text(values.get("duration"))))

    def _frame(self, frame: object) -> int:
        if not isinstance(frame, Mapping):
            return self.recording.frame("", "", "", 0, "")
        method = frame.get("method")
        method = method if isinstance(method, Mapping) else {}
        type_ = method.get("type")
        owner = type_.get("name") if isinstance(type_, Mapping) else type_
        parts = (
            _text(owner),
            _text(method.get("name")),
            _text(method.get("descriptor")),
            _signed(frame.get("lineNumber")),
            _text(frame.get("type")),
        )
        found = self._frames.get(parts)
        if found is None:
            found = self.recording.frame(*parts)
            if len(self._frames) < _CACHED:
                self._frames[parts] = found
        return found

    def _value(self, row: SettingRow, values: Mapping[str, Any]) -> None:
        key, value = _text(values.get(row.key)), _text(values.get(row.value))
        self.recording.value(Origin(row.origin), key, row.text(value))

    def _setting(self, values: Mapping[str, Any]) -> None:
        if _text(values.get("name")) != "period":
            return
        period = nanoseconds(_text(values.get("value")))
        if 0 < period < _SHORT and len(self._periods) < 100:
            self._periods[_number(values.get("id"))] = period

    def _instant(self, text: str) -> int:
        """Nanoseconds since 1970, 0 for what is no time."""
        head = text[:19] + _zone(text)
        seconds = self._seconds.get(head)
        if seconds is None:
            try:
                when = datetime.fromisoformat(head)
                if when.tzinfo is None:
                    when = when.replace(tzinfo=UTC)
                seconds = int(when.timestamp())
            except (ValueError, OverflowError):
                return 0
            if len(self._seconds) < _CACHED:
                self._seconds[head] = seconds
        if not 0 < seconds < 1 << 33:
            return 0
        digits = "".join(char for char in text[20:29] if char in "0123456789")
        return seconds * 1_000_000_000 + int(digits.ljust(9, "0"))


_COMMAND = ("jvmArguments", "jvmFlags", "javaArguments")


def _zone(text: str) -> str:
    return "+00:00" if text.endswith("Z") else text[-6:] if text[-6:-5] in ("+", "-") else ""


def _thread(value: object) -> str:
    if isinstance(value, Mapping):
        return _text(value.get("javaName")) or _text(value.get("osName"))
    return _text(value)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else ""


def _signed(value: object) -> int:
    text = _text(value)
    digits = text[1:] if text.startswith("-") else text
    if len(digits) > 18 or not digits.isascii() or not digits.isdigit():
        return 0
    return int(text)


def _number(value: object) -> int:
    """A count or a duration, never negative."""
    if isinstance(value, str) and value[:1] == "P":
        return iso_nanoseconds(value)
    return max(0, _signed(value))
