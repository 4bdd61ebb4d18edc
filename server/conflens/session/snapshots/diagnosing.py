"""The diagnosis of a project's chosen snapshots, beside its analysis.

A diagnosis is made anew when the program, its options, its flows, the choice of snapshots or the settings are others
than before.  Whatever goes wrong becomes a state with a line for a person, and never more than that.
Invariant: ``Diagnosed`` is immutable; called on the writer's thread only.
Absent: when to diagnose (``lsp.scheduling.writer``), what a diagnosis is (``diagnosis``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from enum import StrEnum

import attrs

from conflens.base.cancel import Cancelled, CancelToken
from conflens.diagnosis.config_values import named_files
from conflens.diagnosis.diagnose import DEFAULT, DiagnosisSettings, Subject, diagnose
from conflens.diagnosis.ground import Ground
from conflens.diagnosis.results import Diagnosis
from conflens.diagnosis.summary import headline
from conflens.program.program import Program
from conflens.session.analysis import Analysis
from conflens.session.snapshots.snapshots import Choice, Snapshots
from conflens.session.snapshots.source_changes import SourceChanges, is_comparable
from conflens.session.snapshots.store import Role

_log = logging.getLogger("conflens.session.snapshots.diagnosing")


class State(StrEnum):
    """How far a diagnosis is."""

    NONE = "none"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"


@attrs.frozen(eq=False)
class Diagnosed:
    """What there is to say: ``text`` is one line about the state.

    ``diagnosis`` is the last one of the snapshots that are chosen now, also while the next is made.  ``stale`` are the ids of
    the snapshots that ran Java files which have changed since (``source_changes``).
    """

    state: State = State.NONE
    text: str = "No snapshot is chosen."
    diagnosis: Diagnosis | None = attrs.field(default=None, repr=False)
    stale: frozenset[str] = frozenset()
    program: Program | None = attrs.field(default=None, repr=False)
    """What ``diagnosis`` is about: its members and lines are those of this program."""
    taken: float = 0.0
    """When the oldest run of the violation was recorded, in seconds since 1970, 0 if not known."""
    chosen: frozenset[str] = frozenset()
    """The ids of the snapshots of ``diagnosis``."""

    @property
    def is_stale(self) -> bool:
        """Whether the sources of a run that was diagnosed have changed."""
        return not self.stale.isdisjoint(self.chosen)


NOTHING = Diagnosed()


def waiting(before: Diagnosed) -> Diagnosed:
    """Return what is said between a change of what is chosen and the diagnosis of it."""
    return attrs.evolve(before, state=State.RUNNING, text="A diagnosis is about to be made.")


class Diagnosing:
    """See the module text."""

    def __init__(self, snapshots: Snapshots) -> None:
        """Diagnose what is chosen of ``snapshots``."""
        self._snapshots = snapshots
        self._made: tuple[object, ...] = ()
        self._last = NOTHING
        self._ground: Ground | None = None
        """Of the program that was diagnosed last."""
        self._changes = SourceChanges()

    def diagnosed(
        self,
        analysis: Analysis | None,
        modified: Callable[[], Mapping[str, float]],
        settings: DiagnosisSettings,
        token: CancelToken,
        begun: Callable[[Diagnosed], None],
    ) -> Diagnosed:
        """Return the diagnosis, a new one if anything is new; ``begun`` hears that one is being made.

        ``modified`` says when Java files were changed.  Raises ``Cancelled``.
        """
        if not self._snapshots.rows:
            self._ground = None
            return self._done((), NOTHING)
        stale = self._stale(analysis)
        choice = self._snapshots.chosen()
        if choice is None:
            self._ground = None
            some = self._snapshots.of(Role.BASELINE)
            text = (
                "Choose the slow run that the baseline is compared with." if some else NOTHING.text
            )
            return self._done((), Diagnosed(State.NONE, text, None, stale))
        if analysis is None or not analysis.complete:
            text = "The project is still being read."
            return self._done((), Diagnosed(State.RUNNING, text, None, stale))
        named = named_files(choice.baseline, choice.violation, analysis.config_files)
        files = choice.files, *map(tuple, named)
        key = (analysis.program, analysis.options, analysis.flows, choice.ids, settings, files)
        if _same(key, self._made):
            if self._last.stale != stale:
                self._last = attrs.evolve(self._last, stale=stale)
            return self._last
        same_choice = bool(self._made) and self._made[3] == choice.ids
        text = f"Diagnosing {_sides(choice)} …"
        kept = self._last if same_choice else NOTHING
        begun(attrs.evolve(kept, state=State.RUNNING, text=text, stale=stale))
        program, flows = analysis.program, analysis.flows
        ground = self._ground
        if ground is None or ground.program is not program or ground.flows is not flows:
            ground = self._ground = Ground(program, flows)
        subject = Subject(
            program,
            analysis.options,
            flows,
            modified(),
            analysis.sensitivity,
            ground,
            analysis.recognised.names,
            analysis.config_files,
        )
        return self._done(key, _diagnosed(subject, choice, settings, token, stale))

    def _stale(self, analysis: Analysis | None) -> frozenset[str]:
        """Return which snapshots ran files that have changed; of a new one, keep what its files hold."""
        if analysis is None or not analysis.complete:
            return self._last.stale
        program = analysis.program
        found = set()
        for row in self._snapshots.rows:
            if row.sources is None or not is_comparable(row.sources):
                sources = self._changes.state_of(program, row.summary.classes)
                self._snapshots.note_sources(row.id, sources)
            elif self._changes.have_changed(program, row.sources):
                found.add(row.id)
        return frozenset(found)

    def _done(self, key: tuple[object, ...], found: Diagnosed) -> Diagnosed:
        """Return ``found``, or what was said before if that is the same."""
        self._made, last = key, self._last
        said = last.state, last.text, last.stale
        if found.diagnosis is not last.diagnosis or said != (
            found.state,
            found.text,
            found.stale,
        ):
            self._last = found
        return self._last


def settings_of(threshold_percent: float) -> DiagnosisSettings:
    """Return the settings of a diagnosis, as a person sets them."""
    return attrs.evolve(DEFAULT, threshold=threshold_percent / 100)


def _diagnosed(
    subject: Subject,
    choice: Choice,
    settings: DiagnosisSettings,
    token: CancelToken,
    stale: frozenset[str],
) -> Diagnosed:
    try:
        found = diagnose(subject, choice.baseline, choice.violation, settings, token, choice.files)
    except Cancelled:
        raise
    except ValueError as error:
        _log.info("no diagnosis of %s: %s", _sides(choice), error)
        return Diagnosed(State.FAILED, f"No diagnosis of {_sides(choice)}: {error}", None, stale)
    except Exception as error:
        _log.exception("the diagnosis failed")
        text = f"The diagnosis failed ({type(error).__name__}); the log has the details."
        return Diagnosed(State.FAILED, text, None, stale)
    text = f"{_sides(choice)}: {headline(found)}"
    taken = min((snapshot.taken for snapshot in choice.violation), default=0.0)
    chosen = frozenset(name for side in choice.ids for name in side)
    return Diagnosed(State.READY, text, found, stale, subject.program, taken, chosen)


def _sides(choice: Choice) -> str:
    violation = _side([snapshot.name for snapshot in choice.violation])
    baseline = _side([snapshot.name for snapshot in choice.baseline])
    return f"{violation} compared with {baseline}" if baseline else violation


def _side(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    others = len(names) - 1
    return f"{names[0]} and {others} {'other' if others == 1 else 'others'}"


def _same(key: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Tell whether tables are the same objects, and the rest is equal."""
    if len(key) != len(other):
        return False
    same = all(a is b for a, b in zip(key[:3], other[:3], strict=True))
    return same and key[3:] == other[3:]
