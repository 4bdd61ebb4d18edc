"""Verdicts of a session: the classifier of the training table that is wanted, and its last judgments.

``prepare`` begins to get the classifier, ``wait`` waits for it, ``judged`` gives the verdicts if it is there and none
otherwise, ``status`` says which.  Equal verdicts are the same object.  An error in judging costs the verdicts, not the analysis.
A classifier that could not be fitted, perhaps because its process was killed, is fitted again by the first ``prepare`` after a
pause that grows from failure to failure.
Absent: when to publish (``session``), and calling again after the pause (``lsp.workspace.folder``).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import attrs

from conflens.base.cancel import CancelToken
from conflens.flow.results import FlowTable
from conflens.models.workspace import Verdict
from conflens.options.model import OptionTable
from conflens.program.program import Program
from conflens.sensitivity import vocabulary
from conflens.sensitivity.judge import Judge, decided
from conflens.sensitivity.results import EMPTY, UNKNOWN, SensitivityTable
from conflens.sensitivity.table import Table, packaged
from conflens.session.inputs.inputs import Inputs
from conflens.session.verdicts.forests import Forests

_log = logging.getLogger("conflens.session.verdicts.judging")

_TICK = 0.05
_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 600.0
_GROWTH = 4
"""Seconds until a classifier that could not be fitted is tried again, and how they grow."""


class JudgingState(StrEnum):
    """Whether there are verdicts."""

    OFF = "off"
    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


@attrs.frozen
class JudgingStatus:
    """``failure`` says why there is no classifier, and ``retry`` in how many seconds ``prepare`` tries again."""

    state: JudgingState
    failure: str = ""
    retry: float = 0.0


OFF = JudgingStatus(JudgingState.OFF)


class Judging:
    """See the module text; called on the writer's thread only."""

    def __init__(self, folder: Path | None, now: Callable[[], float] = time.monotonic) -> None:
        """Keep classifiers in ``folder``, unless it is ``None``; ``now`` is a monotonic clock in seconds."""
        self._folder = folder
        self._now = now
        self._wanted: Table | None = None
        self._forests: Forests | None = None
        self._failures = 0
        """How many attempts have failed, one after the other."""
        self._retry_at: float | None = None
        """When to try again, once it is known that the last attempt has failed."""
        self._judge: Judge | None = None
        self._seen: tuple[Program, OptionTable, FlowTable, tuple[Verdict, ...]] | None = None
        self.last: SensitivityTable = EMPTY
        """The verdicts that were given last."""

    def prepare(self, training: Table | None) -> None:
        """Use ``training``, the packaged table if it is ``None``; begin to fit it."""
        if self._forests is not None and training == self._wanted:
            status = self.status()
            if status.state is not JudgingState.FAILED or status.retry > 0:
                return
        else:
            self._failures = 0
            self._wanted, self._judge, self._seen, self.last = training, None, None, EMPTY
        if self._forests is not None:
            self._forests.dispose()
        self._retry_at = None
        self._forests = Forests(training or packaged(), self._folder)
        self._forests.start()

    def status(self) -> JudgingStatus:
        """Return whether there is a classifier, or when it is tried again to get one."""
        if self._forests is None or not self._forests.wait(0):
            return JudgingStatus(JudgingState.WAITING)
        if self._forests.forest is not None:
            self._failures = 0
            return JudgingStatus(JudgingState.READY)
        now = self._now()
        if self._retry_at is None:
            pause = _FIRST_PAUSE * _GROWTH ** min(self._failures, 10)
            self._retry_at = now + min(pause, _LONGEST_PAUSE)
            self._failures += 1
        retry = max(0.0, self._retry_at - now)
        return JudgingStatus(JudgingState.FAILED, self._forests.failure, retry)

    def wait(self, token: CancelToken, yielding: bool, inputs: Inputs) -> None:
        """Wait for the classifier; if ``yielding``, only as long as no input comes in and nobody urges.  Raises
        ``Cancelled``."""
        while self._forests is not None and not self._forests.wait(_TICK):
            token.check()
            if yielding and (inputs.pending or token.urged):
                return

    def judged(
        self,
        program: Program,
        options: OptionTable,
        flows: FlowTable,
        decisions: tuple[Verdict, ...],
    ) -> SensitivityTable:
        """Return the verdicts, or none while there is no classifier."""
        if self._forests is None or not self._forests.wait(0):
            return EMPTY
        forest = self._forests.forest
        if forest is None:
            return self._decided(options, decisions)
        seen = program, options, flows, decisions
        if self._seen is None or any(a is not b for a, b in zip(seen, self._seen, strict=True)):
            try:
                self._judge = self._judge or Judge(forest, vocabulary.packaged())
                found = self._judge.judged(program, options.options, flows, decisions)
            except Exception:
                _log.exception("the options could not be judged")
                found, self._judge = EMPTY, None
            if found != self.last:
                self.last = found
            self._seen = seen
        return self.last

    def _decided(self, options: OptionTable, decisions: tuple[Verdict, ...]) -> SensitivityTable:
        """What a person has decided needs no classifier."""
        found = decided({option.key: UNKNOWN for option in options.options}, decisions)
        own = {key: verdict for key, verdict in found.items() if verdict is not UNKNOWN}
        table = SensitivityTable(own, True) if own else EMPTY
        if table != self.last:
            self.last = table
        return self.last

    def dispose(self) -> None:
        """End what still runs."""
        if self._forests is not None:
            self._forests.dispose()
