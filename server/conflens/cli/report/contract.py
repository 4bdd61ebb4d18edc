"""JSON by the contract of ``design.md`` §6, schema ``conflens/1``.

A flow shows its surest path; with ``all_paths`` the others that are kept follow under ``more_paths``.
Beyond the contract a flow has ``confidence``, ``reasons`` and ``paths`` (how many there are), an operation a ``subkind``
(``database``, ``cache``, …; null where its kind says enough), and an option has
``aliases``, further names with their domains, and ``cold``, the places where its trails end although its value may go on.
``sensitivity`` has a ``score`` from 0 to 1, and reasons as objects: ``text`` completes "the option …",
``toward`` says whether it speaks for ``sensitive``, ``path`` and ``line`` are null without a place.  A
person's verdict has ``by`` and ``note`` beside.  Of an option that no model has looked at the label is
``unknown``.  Properties have their place in the contract and are not known yet: an empty object.
"""

from __future__ import annotations

import json

import attrs
import msgspec

from conflens.cli.report.reached import Selection
from conflens.cli.report.report import Report, ReportedOption, ReportedRead
from conflens.cli.report.steps import Steps, role
from conflens.flow.results import Cold, Flow, Path, Step
from conflens.sensitivity.results import UNKNOWN, Reason, Source, Verdict
from conflens.sensitivity.vocabulary import packaged

SCHEMA = "conflens/1"


@attrs.frozen
class Shown:
    """How much of the flows is written: which of them, and of each ``paths`` at most (``None``: all)."""

    selection: Selection = attrs.field(factory=Selection)
    paths: int | None = 1


def encode(report: Report, shown: Shown | None = None) -> bytes:
    """Return ``report`` as UTF-8 JSON with a final newline."""
    flows = _Flows(report.steps, shown or Shown())
    return encode_any(
        {
            "schema": SCHEMA,
            "stats": stats(report),
            "options": [_option(option, flows) for option in report.options],
            "problems": [
                {
                    "path": problem.path,
                    "line": problem.line,
                    "code": problem.code,
                    "message": problem.message,
                }
                for problem in report.problems
            ],
        }
    )


def stats(report: Report) -> dict[str, object]:
    """Return the ``stats`` object of the contract."""
    return {
        "files": report.stats.files,
        "lines": report.stats.lines,
        "seconds": round(report.stats.seconds, 3),
        "peak_mb": round(report.stats.peak_mb, 1),
        "cached_files": report.stats.cached_files,
    }


def encode_any(value: object) -> bytes:
    """Return ``value`` as indented UTF-8 JSON; text that is no Unicode (file names) is escaped."""
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, indent=2).encode("ascii") + b"\n"


def encode_compact(value: object) -> bytes:
    """Return ``value`` as UTF-8 JSON on one line; text that is no Unicode is escaped."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return json.dumps(value).encode("ascii")


def sensitivity(verdict: Verdict, steps: Steps) -> dict[str, object]:
    """Return the ``sensitivity`` object of the contract."""
    score = verdict.probability
    found: dict[str, object] = {
        "label": verdict.label.value,
        "evidence": verdict.evidence.value,
        "score": None if score is None else round(score, 4),
        "reasons": [_reason(reason, steps) for reason in verdict.reasons],
    }
    if verdict.source is Source.PERSON:
        found["by"] = verdict.source.value
        found["note"] = verdict.note
    return found


def _reason(reason: Reason, steps: Steps) -> dict[str, object]:
    spot = steps.spot(reason.ref, reason.index) if reason.ref is not None else None
    return {
        "text": reason.text,
        "toward": reason.toward,
        "path": spot.path if spot is not None else None,
        "line": spot.line if spot is not None else None,
    }


def _option(option: ReportedOption, flows: _Flows) -> dict[str, object]:
    return {
        "name": option.name,
        "domain": option.domain,
        "type": option.type,
        "defaults": list(option.defaults),
        "values": list(option.values),
        "documented": [{"path": path, "line": line} for path, line in option.documented],
        "verdicts": list(option.verdicts),
        "sensitivity": sensitivity(option.sensitivity or UNKNOWN, flows.steps),
        "reads": [_read(read) for read in option.reads],
        "flows": [flows.flow(flow) for flow in flows.shown.selection.of(option.reach)],
        "cold": [flows.cold(cold) for cold in option.reach.cold],
        "properties": {},
        "aliases": [{"domain": domain, "name": name} for domain, name in option.aliases],
    }


def _read(read: ReportedRead) -> dict[str, object]:
    return {
        "path": read.where.path,
        "line": read.where.line,
        "column": read.where.column,
        "method": read.method,
        "api": read.api,
        "default": read.default,
    }


class _Flows:
    """Flows as objects of the contract; a step that many paths share is made once."""

    def __init__(self, steps: Steps, shown: Shown) -> None:
        self.shown = shown
        self.steps = steps
        self._made: dict[Step, dict[str, object]] = {}

    def flow(self, flow: Flow) -> dict[str, object]:
        operation = flow.operation
        spot = self.steps.spot(operation.ref, operation.instr)
        best = flow.paths[0]
        found: dict[str, object] = {
            "dependency": flow.dependency.value,
            "pattern": flow.pattern.value,
            "distance": best.distance,
            "confidence": best.confidence.value,
            "reasons": best.reasons,
            "operation": {
                "kind": operation.kind,
                "subkind": packaged().subkind(operation.api) or None,
                "api": operation.api,
                "path": spot.path,
                "line": spot.line,
                "column": spot.column,
                "method": self.steps.method(operation.ref),
            },
            "steps": self._path(best),
            "paths": flow.total,
        }
        if self.shown.paths != 1:
            found["more_paths"] = [
                {
                    "distance": path.distance,
                    "confidence": path.confidence.value,
                    "reasons": path.reasons,
                    "steps": self._path(path),
                }
                for path in flow.paths[1 : self.shown.paths]
            ]
        return found

    def cold(self, cold: Cold) -> dict[str, object]:
        spot = self.steps.spot(cold.ref, cold.instr)
        return {
            "path": spot.path,
            "line": spot.line,
            "column": spot.column,
            "method": self.steps.method(cold.ref),
            "text": spot.text,
            "reason": cold.reason,
        }

    def _path(self, path: Path) -> list[dict[str, object]]:
        made = self._made
        return [made[step] if step in made else self._step(step) for step in path.steps]

    def _step(self, step: Step) -> dict[str, object]:
        spot = self.steps.spot(step.ref, step.instr)
        found: dict[str, object] = {
            "path": spot.path,
            "line": spot.line,
            "column": spot.column,
            "role": role(step),
            "text": spot.text,
        }
        self._made[step] = found
        return found
