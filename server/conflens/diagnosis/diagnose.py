"""From snapshots to a ``Diagnosis``: the one entry of this layer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import attrs

from conflens.base.cancel import CancelToken
from conflens.diagnosis import values
from conflens.diagnosis.belonging import foreign_options
from conflens.diagnosis.collecting import collect
from conflens.diagnosis.config_values import config_values, named_files
from conflens.diagnosis.evidence import part_of, part_sentence
from conflens.diagnosis.ground import Ground
from conflens.diagnosis.heat import heat, under
from conflens.diagnosis.hotspots import MEASURED
from conflens.diagnosis.idle import idle_members
from conflens.diagnosis.joining import COMMAND, Joining
from conflens.diagnosis.lines import LineBook
from conflens.diagnosis.merging import Merged, Methods, merge
from conflens.diagnosis.report import percent
from conflens.diagnosis.resemblance import resemblances
from conflens.diagnosis.results import Cost, Diagnosis, Scale, Suspect, Total, Verdict
from conflens.diagnosis.sharing import Sharing
from conflens.diagnosis.suspects import (
    deciding,
    possible,
    resembling,
    sensitive,
    suspects,
    taken_on_one_side,
)
from conflens.diagnosis.violation import blamed_kinds, costs, is_violation
from conflens.documents.configfiles.model import ConfigFile
from conflens.flow.results import FlowTable, OptionKey
from conflens.options.model import OptionTable
from conflens.options.names.naming import Names
from conflens.profiling.building import FrameTable, TreeBuilder
from conflens.profiling.model import EventKind, Series, Snapshot, Unit
from conflens.profiling.programs import started
from conflens.program.program import Program
from conflens.sensitivity.results import EMPTY as NO_VERDICTS
from conflens.sensitivity.results import SensitivityTable

_SEEN_PART = 0.01
"""What an option must explain for a branch that samples show on one side only to be told."""
_DISTURBING = 0.25
"""The share of the machine that other processes must use to be worth a note."""
_TOLD_OF_THRESHOLD = 0.5
"""What an option must explain of what the runs cost, as a part of the threshold, if its value is not known to differ."""
_WORK = (EventKind.CPU, EventKind.WALL, EventKind.ALLOCATION)
"""Kinds of work, rather than of waiting for others."""


@attrs.frozen
class DiagnosisSettings:
    """``threshold``: the variation that counts (DiagConfig §3.2: 5 %), of the run and of a method.

    ``hotspots``: how many are kept; ``chains``: how many call chains of each.
    """

    threshold: float = 0.05
    scale: Scale = Scale.WORK
    hotspots: int = 200
    chains: int = 20


DEFAULT = DiagnosisSettings()


@attrs.frozen
class Subject:
    """What is diagnosed.  ``modified``: seconds since 1970 at which a source file was last changed, where known."""

    program: Program = attrs.field(repr=False)
    options: OptionTable = attrs.field(repr=False)
    flows: FlowTable = attrs.field(repr=False)
    modified: Mapping[str, float] = attrs.field(factory=dict, repr=False)
    sensitivity: SensitivityTable = attrs.field(default=NO_VERDICTS, repr=False)
    ground: Ground = attrs.field(
        default=attrs.Factory(lambda self: Ground(self.program, self.flows), takes_self=True),
        repr=False,
        eq=False,
    )
    """That of this program and these flows, perhaps with answers from diagnoses before."""
    names: Names = attrs.field(
        default=attrs.Factory(lambda self: Names(self.options), takes_self=True),
        repr=False,
        eq=False,
    )
    """Of these options, with the spellings that their domains allow."""
    config_files: Mapping[str, ConfigFile] = attrs.field(factory=dict, repr=False, eq=False)
    """The project's config files by path, as they are today."""


@attrs.frozen
class SideFiles:
    """The config files that the runs of each side had, where the user says so."""

    baseline: tuple[ConfigFile, ...] = ()
    violation: tuple[ConfigFile, ...] = ()


NO_FILES = SideFiles()


def diagnose(
    subject: Subject,
    baseline: Sequence[Snapshot],
    violation: Sequence[Snapshot],
    settings: DiagnosisSettings = DEFAULT,
    token: CancelToken | None = None,
    files: SideFiles = NO_FILES,
) -> Diagnosis:
    """Diagnose the runs of ``violation`` (at least one) against those of ``baseline`` (perhaps none).

    Without ``files``, config files count that only one side names.  A violation that is a comparison of two runs (``Snapshot.before``) brings its baseline along.  Raises
    ``Cancelled`` if the token says so, ``ValueError`` (one line) if nothing can be compared.
    """
    if not violation:
        raise ValueError("there is no snapshot to diagnose")
    token = token or CancelToken()
    before = [(snapshot, snapshot.series) for snapshot in baseline]
    if not before:
        before = [(snapshot, snapshot.before) for snapshot in violation if snapshot.before]
    after = [(snapshot, snapshot.series) for snapshot in violation]
    compared = bool(before)
    index, linker = subject.ground.open()
    token.check()
    book = LineBook(index, [*baseline, *violation], subject.modified)
    token.check()
    methods = Methods(index)
    known_before = values.recorded(baseline) if baseline else None
    known_after = values.recorded(violation)
    configs: tuple[Sequence[ConfigFile], Sequence[ConfigFile]] = files.baseline, files.violation
    if baseline and not any(configs):
        configs = named_files(baseline, violation, subject.config_files)
    if baseline and all(configs):
        known_before, known_after = values.with_files(
            (known_before, known_after), (config_values(configs[0]), config_values(configs[1]))
        )
    known = values.of_options(subject.options, Joining(subject.names), known_before, known_after)
    of_options = known.values
    same = frozenset(key for key, value in of_options.items() if compared and value.same)
    differing = frozenset(key for key, value in of_options.items() if compared and not value.same)
    lengths = _lengths(before, after)
    run = math.log(_mean(lengths[1]) / _mean(lengths[0])) if all(lengths) else 0.0
    if settings.scale is not Scale.WORK:
        run = 0.0
    kinds = _kinds(before), _kinds(after)
    if not kinds[1] and not kinds[0]:
        raise ValueError("the snapshots hold no kind of event that is known")
    if compared and not kinds[0] & kinds[1]:
        named = [", ".join(sorted(one)) or "nothing" for one in kinds]
        raise ValueError(
            f"no kind of event is in both sides: {named[0]} in the baseline, {named[1]} in the slow run"
        )
    # Another profiler may just not have looked for what only one side has.
    alike = _profilers(before) == _profilers(after)
    foreign = foreign_options(subject.program, subject.options, (*baseline, *violation))
    # The arguments of a program that was not started are not set.
    same |= {key for key in foreign if key[0] == COMMAND}
    shown: list[Sharing] = []
    sharings: list[Sharing] = []
    """Those that are compared."""
    lone: list[str] = []
    for kind in EventKind:
        if kind not in kinds[0] | kinds[1]:
            continue
        one, other = (_of_kind(side, kind, settings.scale) for side in (before, after))
        if compared and alike and kind in MEASURED:
            unit = next(series.unit for series, _ in (*one, *other))
            one, other = (
                _filled(one, len(before), unit, kind),
                _filled(other, len(after), unit, kind),
            )
        token.check()
        merged = merge(kind, one, other, methods, book, token)
        token.check()
        shown.append(Sharing(merged, linker, same, differing, run, foreign))
        if compared and not (one and other):
            lone.append(f"Only one side has {kind} events: they are not compared.")
        else:
            sharings.append(shown[-1])
    token.check()
    judged = (
        costs(
            lengths,
            sharings,
            settings.scale,
            settings.threshold,
            (_computing(baseline), _computing(violation)),
        )
        if compared
        else ()
    )
    blamed = blamed_kinds(judged, settings.threshold)
    found = collect(
        sharings,
        settings.threshold,
        settings.hotspots,
        settings.chains,
        compared,
        settings.scale,
        token,
        blamed,
    )
    token.check()
    violated = not compared or is_violation(
        judged, found.hotspots, settings.scale, settings.threshold
    )
    sided: dict[OptionKey, str] = {}
    if compared:
        for sharing in sharings:
            token.check()
            for key, sentence in taken_on_one_side(sharing).items():
                # Where nobody counted, a branch without weight may have been missed by chance.
                part = found.collected[key].explained if key in found.collected else 0.0
                if sharing.merged.invocations is not None or part >= _SEEN_PART:
                    sided.setdefault(key, sentence)
    # Runs that differ by chance differ in methods near some option: that must count beside all that they cost.
    least = (
        settings.threshold * _TOLD_OF_THRESHOLD / found.extent
        if compared and found.extent
        else 0.0
    )
    scores = {
        key: verdict.probability
        for key, verdict in subject.sensitivity.verdicts.items()
        if verdict.probability is not None
    }
    lesser = foreign | {option.key for option in subject.options.options if option.pattern}
    called = resemblances(sharings, subject.options, compared, blamed)
    suspected = suspects(
        found.collected,
        sided,
        known,
        violated,
        compared,
        scores,
        least,
        blamed != frozenset(),
        linker.deciding_in(one.ref for one in methods.located)
        if any(cost.change > settings.threshold for cost in judged)
        else frozenset(),
        _rises(judged) if compared else {EventKind.CPU: 1.0, EventKind.WALL: 1.0},
        lesser,
        called,
    )
    likely = {item.option for item in suspected if item.verdict is Verdict.LIKELY}
    together = likely if compared else {option.key for option in subject.options.options}
    shares, holds, covered = under(shown, compared, together, token)
    totals = tuple(_total(one.merged, compared and one in sharings) for one in shown)
    if compared and not likely:
        suspected += possible(subject.options, suspected, of_options, shares, totals, judged)
    if not compared:
        suspected += deciding(subject.options, suspected, of_options, shares, lesser)
    if not likely and violated:
        suspected += resembling(suspected, of_options, called, lesser, scores, compared)
    if compared and violated and not any(_is_open(one) for one in suspected):
        suspected += sensitive(subject.options, suspected, of_options, scores)
    warm = heat([sharing.merged for sharing in shown], compared, token)
    return _with_reasons(
        Diagnosis(
            tuple(snapshot.name for snapshot in baseline),
            tuple(snapshot.name for snapshot in violation),
            totals,
            violated,
            found.hotspots,
            suspected,
            shares,
            warm,
            holds,
            values.differences(known_before, known_after, known),
            found.unexplained,
            _told(settings.scale, compared),
            tuple(
                dict.fromkeys(
                    [
                        *_doubts(baseline, violation, methods),
                        *lone,
                        *_loaded(baseline, violation),
                        *_read_from(configs, files is NO_FILES),
                        *(note for one in (*baseline, *violation) for note in one.notes),
                    ]
                )
            ),
            of_options,
            (_mean(lengths[0]), _mean(lengths[1])) if all(lengths) else None,
            covered,
            idle_members(found.hotspots),
            settings.scale,
            judged,
        )
    )


def _rises(judged: Sequence[Cost]) -> dict[EventKind, float]:
    """Return by how much kinds of work rose, as far as that is more than noise."""
    return {
        cost.kind: cost.change
        for cost in judged
        if cost.kind in _WORK and cost.significant and 0 < cost.change < math.inf
    }


def _is_open(suspect: Suspect) -> bool:
    """Tell whether an option may be the cause as far as anybody knows."""
    return suspect.verdict is not Verdict.UNCHANGED


def _with_reasons(diagnosis: Diagnosis) -> Diagnosis:
    """Say of each suspect that has call chains how much ran under it."""
    found = []
    for suspect in diagnosis.suspects:
        told = suspect.causes or suspect.verdict is Verdict.BEHIND
        part = part_of(diagnosis, suspect.option) if told else None
        if part is not None and suspect.verdict in (Verdict.LIKELY, Verdict.BEHIND):
            reason = f"{part_sentence(diagnosis, part)} {suspect.reason}".strip()
            suspect = attrs.evolve(suspect, reason=reason)
        found.append(suspect)
    return attrs.evolve(diagnosis, suspects=tuple(found))


_Side = Sequence[tuple[Snapshot, Sequence[Series]]]


def _kinds(side: _Side) -> set[EventKind]:
    return {series.kind for _, several in side for series in several}


def _profilers(side: _Side) -> set[str]:
    """Return the first words of the formats: a recording and a print of one are alike."""
    return {snapshot.format.partition(" ")[0] for snapshot, _ in side}


def _doubts(
    baseline: Sequence[Snapshot], violation: Sequence[Snapshot], methods: Methods
) -> Iterator[str]:
    """Say what speaks against these snapshots being of this project, or of one program."""
    if methods.located and not any(one.ref for one in methods.located):
        yield "No method of this project is in the snapshots: they seem to be of another one."
    one, other = _started(baseline), _started(violation)
    if one and other and not one & other:
        told = [" and ".join(sorted(names)) for names in (one, other)]
        yield f"The sides started different programs: {told[0]} before, {told[1]} now."


def _loaded(baseline: Sequence[Snapshot], violation: Sequence[Snapshot]) -> Iterator[str]:
    """Say how much of the machine other processes used, if that is enough to disturb the runs."""
    shares = [snapshot.others for snapshot in (*baseline, *violation)]
    if max(shares) >= _DISTURBING:
        yield (
            f"Other processes used up to {percent(max(shares))} of the machine's processors during these runs,"
            " which makes times vary."
        )


def _read_from(
    configs: tuple[Sequence[ConfigFile], Sequence[ConfigFile]], named: bool
) -> Iterator[str]:
    """Say which config files values were taken from because the recordings name them."""
    if named and all(configs):
        one, other = (" and ".join(file.path for file in side) for side in configs)
        yield f"The recordings name config files, which were read as they are now: {one} before, {other} now."


def _started(side: Sequence[Snapshot]) -> frozenset[str]:
    return frozenset[str]().union(*map(started, side))


def _filled(
    side: list[tuple[Series, float]], runs: int, unit: Unit, kind: EventKind
) -> list[tuple[Series, float]]:
    """Add runs in which nothing was timed: what did not happen is not recorded."""
    nothing = Series(kind, unit, TreeBuilder(FrameTable()).tree())
    return [*side, *[(nothing, 1.0)] * (runs - len(side))]


def _of_kind(side: _Side, kind: EventKind, scale: Scale) -> list[tuple[Series, float]]:
    found = []
    for snapshot, several in side:
        for series in several:
            if series.kind is kind:
                found.append((series, _factor(snapshot, series, scale)))
    return found


def _factor(snapshot: Snapshot, series: Series, scale: Scale) -> float:
    if scale is Scale.TIME:
        if not snapshot.seconds:
            raise ValueError(f"{snapshot.name} does not tell how long it ran")
        return 1.0 / snapshot.seconds
    if scale is Scale.SHARE:
        return 1.0 / (series.total or 1)
    return 1.0


def _total(merged: Merged, compared: bool) -> Total:
    before, after = merged.totals
    return Total(merged.kind, merged.unit, before if compared else None, after)


def _lengths(before: _Side, after: _Side) -> tuple[list[float], list[float]]:
    """Return how long the runs of each side were, as far as they tell."""
    return (
        [snapshot.seconds for snapshot, _ in before if snapshot.seconds],
        [snapshot.seconds for snapshot, _ in after if snapshot.seconds],
    )


def _computing(side: Sequence[Snapshot]) -> list[float]:
    """Return the CPU time of the runs of a side, nothing if one does not tell."""
    found = [snapshot.computing for snapshot in side]
    return found if all(found) else []


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _told(scale: Scale, compared: bool) -> str:
    if not compared:
        return ""
    return {
        Scale.WORK: "Both sides are taken to have done the same work.",
        Scale.TIME: "Weights are per second of recording.",
        Scale.SHARE: "Weights are shares of the total of their kind.",
    }[scale]
