"""The values that runs were recorded with, by option.

A recording holds system properties, the environment and arguments, not what configuration files say.  So
an option is known only where its own name, or for the environment its name there, is recorded.  That a run does not
set a system property says nothing: programs look into their files then.

Absent: what a value means; redaction, which importers do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from conflens.diagnosis.results import Difference, Value
from conflens.flow.results import OptionKey
from conflens.options.model import OptionTable
from conflens.profiling.model import Origin, RunValue, Snapshot

_ENVIRONMENT = "environment"
_COMMAND = "command-line"
_OWN = ("java.", "jdk.", "sun.", "user.", "os.", "file.", "path.", "line.", "native.", "awt.")
"""System properties that the JVM sets by itself."""
_TOLD = (Origin.SYSTEM_PROPERTY, Origin.ENVIRONMENT, Origin.ARGUMENT, Origin.FLAG)

Recorded = Mapping[tuple[Origin, str], RunValue]


def recorded(snapshots: Sequence[Snapshot]) -> Recorded | None:
    """Return what all runs of a side agree on; ``None`` if not every run recorded its values."""
    if not snapshots or any(not snapshot.values for snapshot in snapshots):
        return None
    found: dict[tuple[Origin, str], RunValue] = {}
    for value in _flat(snapshots[0].values):
        found[value.origin, value.name] = value
    for snapshot in snapshots[1:]:
        other = {(value.origin, value.name): value for value in _flat(snapshot.values)}
        found = {key: value for key, value in found.items() if _equal(value, other.get(key))}
    return found


def _flat(values: Iterable[RunValue]) -> Iterable[RunValue]:
    """Yield values; of the program's arguments, those that name an option."""
    pending = ""
    for value in values:
        if value.origin is not Origin.ARGUMENT:
            yield value
            continue
        text = value.value or value.name
        if pending and not text.startswith("-"):
            yield value._replace(name=pending, value=text)
            pending = ""
            continue
        if pending:
            yield value._replace(name=pending, value="")
            pending = ""
        name, given, rest = text.partition("=")
        if name.startswith("-"):
            if given:
                yield value._replace(name=name, value=rest)
            else:
                pending = name
    if pending:
        yield RunValue(Origin.ARGUMENT, pending, "")


def _equal(one: RunValue | None, other: RunValue | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.redacted or other.redacted:
        return one.redacted == other.redacted and one.digest == other.digest
    return one.value == other.value


def _comparable(one: RunValue | None, other: RunValue | None) -> bool:
    """Tell whether two values can be compared: one that is redacted says nothing beside one that is not."""
    return one is None or other is None or one.redacted == other.redacted


def of_options(
    options: OptionTable, before: Recorded | None, after: Recorded | None
) -> dict[OptionKey, Value]:
    """Return the values of the options that the runs recorded; ``before`` is ``None`` without a baseline."""
    found: dict[OptionKey, Value] = {}
    if after is None:
        return found
    short = _unclaimed(options, before, after), _unclaimed(options, after, before)
    for option in options.options:
        names = _names(option.domain, option.name)
        one = _first(before, names)
        other = _first(after, names)
        if (one is None and other is None) or not _comparable(one, other):
            continue
        if option.domain == _COMMAND and (
            (one is None and short[0]) or (other is None and short[1])
        ):
            # It may have been given by another of its names.
            continue
        secret = any(value is not None and value.redacted for value in (one, other))
        same = before is not None and _equal(one, other)
        found[option.key] = Value(_text(one), _text(other), same, secret)
    return found


def _unclaimed(options: OptionTable, values: Recorded | None, others: Recorded | None) -> bool:
    """Tell whether one side alone was given an argument that is no option's by its name."""
    claimed = {
        name
        for option in options.options
        if option.domain == _COMMAND
        for _, name in _names(option.domain, option.name)
    }
    return values is not None and any(
        origin is Origin.ARGUMENT and name not in claimed and (origin, name) not in (others or {})
        for origin, name in values
    )


def _names(domain: str, name: str) -> list[tuple[Origin, str]]:
    if domain == _ENVIRONMENT:
        return [(Origin.ENVIRONMENT, name)]
    if domain == _COMMAND:
        plain = name.lstrip("-")
        return [(Origin.ARGUMENT, one) for one in (name, f"--{plain}", f"-{plain}")]
    return [(Origin.SYSTEM_PROPERTY, name)]


def _first(values: Recorded | None, names: list[tuple[Origin, str]]) -> RunValue | None:
    if values is None:
        return None
    return next((values[key] for key in names if key in values), None)


def _text(value: RunValue | None) -> str | None:
    return None if value is None or value.redacted else value.value


def differences(
    before: Recorded | None, after: Recorded | None, options: Mapping[OptionKey, Value]
) -> tuple[Difference, ...]:
    """Return the recorded values that differ, those of options first."""
    if before is None or after is None:
        return ()
    known: dict[tuple[Origin, str], OptionKey] = {}
    for option in options:
        for named in _names(*option):
            known.setdefault(named, option)
    found = []
    for place in dict.fromkeys((*before, *after)):
        origin, name = place
        if origin not in _TOLD or (origin is Origin.SYSTEM_PROPERTY and name.startswith(_OWN)):
            continue
        one, other = before.get(place), after.get(place)
        if not _equal(one, other) and _comparable(one, other):
            key = known.get(place)
            if key is None and origin is Origin.FLAG:
                # Flags that nobody set differ from machine to machine.
                continue
            found.append(Difference(name, origin.value, _text(one), _text(other), key))
    return tuple(sorted(found, key=lambda one: (one.option is None, one.name)))
