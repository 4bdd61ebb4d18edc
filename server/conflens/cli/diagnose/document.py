"""What the outputs of ``conflens diagnose`` are written from: a diagnosis with its places worked out.

A ``Document`` is the JSON contract itself (schema ``conflens/1``), field by field; the table and the HTML page
show the same one.  Places are relative to the project with ``/``, lines and columns 1-based, columns count code
points; shares are 0 to 1.  Weights are in the unit of their kind, with ``scaling`` "time" that for each second,
with "share" shares of all of the kind.

``options`` are in rank order, ``shares`` say of every option how much runs under it.  Of a hotspot ``line`` is where
the method is declared, of a frame it is where the frame stood, ``None`` where that cannot be trusted or is
not in the project.  ``change`` is ``None`` also for a method that is new (``before`` is 0 then).
A value that is redacted is ``None`` and its option ``secret``; nothing else of it is in a ``Document``.
Texts are as they came: whoever writes them for a person escapes them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from conflens.cli.report.contract import SCHEMA, encode_any
from conflens.cli.report.steps import Steps, role
from conflens.diagnosis.report import frame_name
from conflens.diagnosis.results import (
    Cause,
    Cost,
    Diagnosis,
    Difference,
    HotChain,
    Hotspot,
    Located,
    Suspect,
    Total,
)
from conflens.diagnosis.summary import headline
from conflens.flow.results import Dependency, Hold, OptionKey, Step
from conflens.profiling.model import Frame

_NO_PLACE: tuple[None, None] = (None, None)


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One object of the contract: typed, and with exactly these fields."""


class TotalRow(_Row, frozen=True):
    """What a kind cost in all."""

    kind: str
    unit: str
    before: float | None
    after: float


class CostRow(_Row, frozen=True):
    """A kind of cost judged by itself; ``kind`` is ``length`` for the length of the runs, ``change`` ``None`` for what is new."""

    kind: str
    unit: str
    before: float
    after: float
    change: float | None
    noise: float
    significant: bool
    runs: list[int]


class FrameRow(_Row, frozen=True):
    """A frame; ``class`` is empty for a thread and for what is no code."""

    owner: str = msgspec.field(name="class")
    method: str
    path: str | None
    line: int | None


class ChainRow(_Row, frozen=True):
    """Frames root first."""

    frames: list[FrameRow]
    before: float
    after: float


class HotspotRow(_Row, frozen=True):
    """See ``Hotspot``."""

    kind: str
    owner: str = msgspec.field(name="class")
    method: str
    descriptor: str
    path: str | None
    line: int | None
    before: float | None
    after: float
    share: float
    variation: float | None
    change: float | None
    significant: bool
    note: str
    chains: list[ChainRow]


class HoldRow(_Row, frozen=True):
    """Where an option takes hold; ``text`` is the source on one line."""

    path: str
    line: int
    column: int
    text: str


class StepRow(_Row, frozen=True):
    """A step from the option's read to the hold."""

    path: str
    line: int
    column: int
    role: str
    text: str


class HotMethodRow(_Row, frozen=True):
    """The hotspot that a chain ends at."""

    owner: str = msgspec.field(name="class")
    method: str
    kind: str


class CauseRow(_Row, frozen=True):
    """A cause-effect chain; ``joint`` is the index of the frame that holds the hold."""

    dependency: str
    explained: float
    effect: str
    hotspot: HotMethodRow
    joint: int
    spawned: bool
    hold: HoldRow
    steps: list[StepRow]
    frames: list[FrameRow]


class UnderRow(_Row, frozen=True):
    """How much of a kind's weight runs under an option; ``before`` is the share of the baseline's, ``None`` without one."""

    kind: str
    share: float
    before: float | None
    dependencies: dict[str, float]


class OptionRow(_Row, frozen=True):
    """An option and what is held against it; ``same`` is ``None`` where no run recorded a value."""

    name: str
    domain: str
    verdict: str
    explained: float
    dependencies: dict[str, float]
    before: str | None
    after: str | None
    same: bool | None
    secret: bool
    reason: str
    under: list[UnderRow]
    chains: list[CauseRow]


class ShareRow(_Row, frozen=True):
    """``UnderRow`` with its option."""

    name: str
    domain: str
    kind: str
    share: float
    dependencies: dict[str, float]


class OptionName(_Row, frozen=True):
    """An option of the project."""

    name: str
    domain: str


class DifferenceRow(_Row, frozen=True):
    """A recorded value that differs between the runs."""

    name: str
    origin: str
    before: str | None
    after: str | None
    option: OptionName | None


class Seconds(_Row, frozen=True):
    """How long the runs were on average."""

    before: float
    after: float


class Document(_Row, frozen=True):
    """Everything; see the module text.  ``summary`` is the verdict in words."""

    schema: str
    summary: str
    baseline: list[str]
    violation: list[str]
    totals: list[TotalRow]
    violated: bool
    seconds: Seconds | None
    scaling: str
    hotspots: list[HotspotRow]
    options: list[OptionRow]
    shares: list[ShareRow]
    differences: list[DifferenceRow]
    unexplained: float
    scale: str
    notes: list[str]
    costs: list[CostRow]


def encode_document(document: Document) -> bytes:
    """Return a document as UTF-8 JSON with a final newline."""
    return encode_any(msgspec.to_builtins(document))


def document_of(diagnosis: Diagnosis, steps: Steps, top: int | None = None) -> Document:
    """Return the document of a diagnosis; with ``top``, of its first options, hotspots and shares only."""
    rows = _Rows(steps, diagnosis)
    shares = [
        ShareRow(*_option(key), item.kind.value, round(item.share, 6), _parts(item.parts))
        for key, under in diagnosis.under.items()
        for item in under
    ]
    shares.sort(key=lambda row: (-row.share, row.kind, row.domain, row.name))
    return Document(
        SCHEMA,
        headline(diagnosis),
        list(diagnosis.baseline),
        list(diagnosis.violation),
        [_total(total) for total in diagnosis.totals],
        diagnosis.violated,
        Seconds(*diagnosis.seconds) if diagnosis.seconds is not None else None,
        diagnosis.scaling.value,
        [rows.hotspot(hotspot) for hotspot in diagnosis.hotspots[:top]],
        [rows.option(suspect) for suspect in diagnosis.suspects[:top]],
        shares[:top],
        [_difference(difference) for difference in diagnosis.differences],
        round(diagnosis.unexplained, 6),
        diagnosis.scale,
        list(diagnosis.notes),
        [_cost(cost) for cost in diagnosis.costs],
    )


def _cost(cost: Cost) -> CostRow:
    return CostRow(
        "length" if cost.kind is None else cost.kind.value,
        cost.unit.value,
        round(cost.before, 3),
        round(cost.after, 3),
        _finite(cost.change),
        round(cost.noise, 6),
        cost.significant,
        list(cost.runs),
    )


class _Rows:
    """Rows that need places."""

    def __init__(self, steps: Steps, diagnosis: Diagnosis) -> None:
        self._steps = steps
        self._under = diagnosis.under
        self._frames: dict[Located, FrameRow] = {}
        self._made: dict[Step, StepRow] = {}

    def hotspot(self, hotspot: Hotspot) -> HotspotRow:
        method = hotspot.method
        path, line = self.declared(method)
        change = hotspot.change
        return HotspotRow(
            hotspot.kind.value,
            method.frame.owner,
            _method(method.frame),
            method.frame.descriptor,
            path,
            line,
            _weight(hotspot.before),
            round(hotspot.after, 3),
            round(hotspot.share, 6),
            _finite(hotspot.variation),
            _finite(change),
            hotspot.significant,
            hotspot.note,
            [self._chain(chain) for chain in hotspot.chains],
        )

    def option(self, suspect: Suspect) -> OptionRow:
        values = suspect.values
        shown = values is not None and not values.secret
        return OptionRow(
            *_option(suspect.option),
            suspect.verdict.value,
            round(suspect.explained, 6),
            _parts(suspect.parts),
            values.before if shown and values is not None else None,
            values.after if shown and values is not None else None,
            values.same if values is not None else None,
            values is not None and values.secret,
            suspect.reason,
            [
                UnderRow(
                    item.kind.value, round(item.share, 6), _finite(item.before), _parts(item.parts)
                )
                for item in self._under.get(suspect.option, ())
            ],
            [self._cause(cause) for cause in suspect.causes],
        )

    def declared(self, method: Located) -> tuple[str, int] | tuple[None, None]:
        """Return where a method of the project is declared."""
        if method.ref is None:
            return _NO_PLACE
        spot = self._steps.spot(method.ref, -1)
        return spot.path, spot.line

    def _cause(self, cause: Cause) -> CauseRow:
        frame = cause.hotspot.method.frame
        return CauseRow(
            cause.dependency.value,
            round(cause.explained, 6),
            cause.effect,
            HotMethodRow(frame.owner, _method(frame), cause.hotspot.kind.value),
            cause.joint,
            cause.spawned,
            self._hold(cause.hold),
            [self._step(step) for step in cause.hold.path.steps],
            [self._frame(located) for located in cause.chain.frames],
        )

    def _hold(self, hold: Hold) -> HoldRow:
        spot = self._steps.spot(hold.ref, hold.index)
        return HoldRow(spot.path, spot.line, spot.column, spot.text)

    def _step(self, step: Step) -> StepRow:
        found = self._made.get(step)
        if found is None:
            spot = self._steps.spot(step.ref, step.instr)
            found = StepRow(spot.path, spot.line, spot.column, role(step), spot.text)
            self._made[step] = found
        return found

    def _chain(self, chain: HotChain) -> ChainRow:
        frames = [self._frame(located) for located in chain.frames]
        return ChainRow(frames, round(chain.before, 3), round(chain.after, 3))

    def _frame(self, located: Located) -> FrameRow:
        found = self._frames.get(located)
        if found is None:
            frame, ref = located.frame, located.ref
            path, line = (ref.path, located.line or None) if ref is not None else _NO_PLACE
            found = FrameRow(frame.owner, _method(frame), path, line)
            self._frames[located] = found
        return found


def _total(total: Total) -> TotalRow:
    return TotalRow(
        total.kind.value, total.unit.value, _weight(total.before), round(total.after, 3)
    )


def _difference(difference: Difference) -> DifferenceRow:
    key = difference.option
    return DifferenceRow(
        difference.name,
        difference.origin,
        difference.before,
        difference.after,
        OptionName(*_option(key)) if key is not None else None,
    )


def _method(frame: Frame) -> str:
    return frame.method if frame.owner else frame_name(frame)


def _option(key: OptionKey) -> tuple[str, str]:
    """Return name and domain."""
    return key[1], key[0]


def _parts(parts: Mapping[Dependency, float]) -> dict[str, float]:
    return {key.value: round(part, 6) for key, part in sorted(parts.items())}


def _weight(weight: float | None) -> float | None:
    return None if weight is None else round(weight, 3)


def _finite(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else round(number, 6)
