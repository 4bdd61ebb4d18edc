"""The values that runs were recorded with, by option.

A recording holds system properties, the environment and arguments; config files are added where they are known
(``config_values``).  So an option is known only where a name that stands for it (``joining``) is recorded.  That a run does not
set a system property says nothing: programs look into their files then.

The parameters of a URL are values of their own.  A value on which the runs of one side disagree is not known.

Absent: what a value means; redaction, which importers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from conflens.base.secrets import is_secret
from conflens.diagnosis.joining import COMMAND, Joining, Place, places
from conflens.diagnosis.results import Difference, Value
from conflens.flow.results import OptionKey
from conflens.options.model import Option, OptionTable, OptionType
from conflens.profiling.model import Origin, RunValue, Snapshot

_OWN = ("java.", "jdk.", "sun.", "user.", "os.", "file.", "path.", "line.", "native.", "awt.")
"""System properties that the JVM sets by itself."""
_TOLD = (
    Origin.CONFIG_FILE,
    Origin.SYSTEM_PROPERTY,
    Origin.ENVIRONMENT,
    Origin.ARGUMENT,
    Origin.URL_PARAMETER,
    Origin.JVM_ARGUMENT,
    Origin.FLAG,
)
_TUNING = re.compile(r"-X(?!log|share|X:(?:StartFlightRecording|FlightRecorderOptions))")
"""Arguments of the JVM that may change what a run costs; how it is recorded is no setting of the program."""
_PRIORITY = (
    Origin.SYSTEM_PROPERTY,
    Origin.ARGUMENT,
    Origin.ENVIRONMENT,
    Origin.URL_PARAMETER,
    Origin.CONFIG_FILE,
)
"""What goes first where several places give an option a value, as in most programs."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^?;&\s]*[?;&]")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_MAX_URL = 4000
_ELSEWHERE = frozenset(
    {OptionType.FILE, OptionType.ADDRESS, OptionType.PORT, OptionType.PASSWORD, OptionType.URI}
)
"""Types of options that say where something is, or who asks, and hardly how much it costs."""


@attrs.frozen
class Recorded:
    """What all runs of a side agree on; ``mixed`` are the places on which they do not."""

    values: Mapping[Place, RunValue]
    mixed: frozenset[Place] = frozenset()


def recorded(snapshots: Sequence[Snapshot]) -> Recorded | None:
    """Return what the runs of a side recorded; ``None`` if not every run recorded its values."""
    if not snapshots or any(not snapshot.values for snapshot in snapshots):
        return None
    sides = [
        {(value.origin, value.name): value for value in _flat(snapshot.values)}
        for snapshot in snapshots
    ]
    found: dict[Place, RunValue] = {}
    mixed = set()
    for place in dict.fromkeys(place for side in sides for place in side):
        first = sides[0].get(place)
        if first is not None and all(_equal(first, side.get(place)) for side in sides[1:]):
            found[place] = first
        else:
            mixed.add(place)
    return Recorded(found, frozenset(mixed))


def with_files(
    sides: tuple[Recorded | None, Recorded | None],
    files: tuple[Sequence[RunValue], Sequence[RunValue]],
) -> tuple[Recorded | None, Recorded | None]:
    """Return what both sides recorded together with what config files gave them.

    What one side alone recorded is left out then: that the other one did not would look like a difference.
    """
    if not any(files):
        return sides
    one, other = sides
    if one is None or other is None:
        one, other = Recorded({}), Recorded({})
    return _joined(one, files[0]), _joined(other, files[1])


def _joined(side: Recorded, file: Sequence[RunValue]) -> Recorded:
    added = {(value.origin, value.name): value for value in _flat(file)}
    return attrs.evolve(side, values={**side.values, **added})


def _flat(values: Iterable[RunValue]) -> Iterable[RunValue]:
    """Yield values with the parameters of URLs; of the program's arguments, those that name an option."""
    for value in _named(values):
        yield value
        yield from _parameters(value)


def _parameters(value: RunValue) -> Iterator[RunValue]:
    """Yield the parameters of a URL: ``url:rest;NAME=text``, ``url:rest?name=text&name=text``."""
    text = value.value
    if value.redacted or len(text) > _MAX_URL or not (match := _URL.match(text)):
        return
    for part in re.split("[?;&]", text[match.end() :]):
        name, given, rest = part.partition("=")
        if given and _PARAMETER.match(name) and not is_secret(name, rest):
            yield RunValue(Origin.URL_PARAMETER, name, rest)


def _named(values: Iterable[RunValue]) -> Iterator[RunValue]:
    pending = ""
    for value in values:
        if value.origin is not Origin.ARGUMENT:
            yield value
            continue
        text = value.value or value.name
        if value.name.startswith("-"):
            # The importer has taken it apart.
            yield value
            continue
        if value.name.startswith("#") and text.startswith("-"):
            # A negative number.
            continue
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
        elif given and _PARAMETER.match(name):
            yield value._replace(name=name, value=rest)
        elif _URL.match(text):
            yield from _parameters(value._replace(value=text))
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


@attrs.frozen
class Known:
    """What is known of the options' values.  ``places``: where the runs recorded each; ``telling``: the options that are
    known to differ and may change what a run costs."""

    values: Mapping[OptionKey, Value]
    places: Mapping[Place, OptionKey]
    telling: frozenset[OptionKey] = frozenset()


def of_options(
    options: OptionTable,
    joining: Joining,
    before: Recorded | None,
    after: Recorded | None,
) -> Known:
    """Return the values of the options that the runs recorded; ``before`` is ``None`` without a baseline."""
    if after is None:
        return Known({}, {})
    sides = Recorded({}) if before is None else before, after
    short = _unclaimed(options, before, after), _unclaimed(options, after, before)
    placed: dict[OptionKey, list[Place]] = {}
    for place in dict.fromkeys((*sides[0].values, *after.values)):
        if any(place in side.mixed for side in sides):
            continue
        differs = before is not None and _differs(place, *sides)
        for key in joining.of(place, differs):
            placed.setdefault(key, []).append(place)
    found: dict[OptionKey, Value] = {}
    telling = set()
    for option in options.options:
        names = sorted(
            placed.get(option.key, ()), key=lambda place: _PRIORITY.index(_ranked(place))
        )
        one, other = _first(before, names), _first(after, names)
        if (one is None and other is None) or not _comparable(one, other):
            continue
        if option.domain == COMMAND and (
            (one is None and short[0]) or (other is None and short[1])
        ):
            # It may have been given by another of its names.
            continue
        secret = any(value is not None and value.redacted for value in (one, other))
        secret = secret or _is_secret(option)
        same = before is not None and _equal(one, other)
        texts = (None, None) if secret else (_text(one), _text(other))
        found[option.key] = Value(*texts, same, secret)
        if (
            before is not None
            and not same
            and option.type not in _ELSEWHERE
            and not option.is_dead
        ):
            telling.add(option.key)
    owners = {place: key for key, several in placed.items() if key in found for place in several}
    return Known(found, owners, frozenset(telling))


def _ranked(place: Place) -> Origin:
    return place[0] if place[0] in _PRIORITY else _PRIORITY[-1]


def _is_secret(option: Option) -> bool:
    return option.type is OptionType.PASSWORD or bool(option.target)


def _differs(place: Place, before: Recorded, after: Recorded) -> bool:
    return not _equal(before.values.get(place), after.values.get(place))


def _unclaimed(options: OptionTable, values: Recorded | None, others: Recorded | None) -> bool:
    """Tell whether one side alone was given an argument that is no option's by its name."""
    claimed = {
        name
        for option in options.options
        if option.domain == COMMAND
        for _, name in places(option.domain, option.name)
    }
    beside = others.values if others is not None else {}
    return values is not None and any(
        origin is Origin.ARGUMENT
        and name.startswith("-")
        and name not in claimed
        and (origin, name) not in beside
        for origin, name in values.values
    )


def _first(side: Recorded | None, names: Sequence[Place]) -> RunValue | None:
    if side is None:
        return None
    return next((side.values[place] for place in names if place in side.values), None)


def _text(value: RunValue | None) -> str | None:
    return None if value is None or value.redacted else value.value


def differences(
    before: Recorded | None, after: Recorded | None, known: Known
) -> tuple[Difference, ...]:
    """Return the recorded values that differ, those of options first."""
    if before is None or after is None:
        return ()
    found = []
    for place in dict.fromkeys((*before.values, *after.values)):
        origin, name = place
        if origin not in _TOLD or (origin is Origin.SYSTEM_PROPERTY and name.startswith(_OWN)):
            continue
        if origin is Origin.JVM_ARGUMENT and not _TUNING.match(name):
            continue
        if place in before.mixed or place in after.mixed:
            continue
        one, other = before.values.get(place), after.values.get(place)
        if not _equal(one, other) and _comparable(one, other):
            key = known.places.get(place)
            if key is None and origin is Origin.FLAG:
                # Flags that nobody set differ from machine to machine.
                continue
            hidden = key is not None and known.values[key].secret
            texts = (None, None) if hidden else (_text(one), _text(other))
            found.append(Difference(name, origin.value, *texts, key))
    return tuple(sorted(found, key=lambda one: (one.option is None, one.name)))
