"""JSON by the contract of ``design.md`` §6, schema ``conflens/1``.

A flow shows its surest path; with ``all_paths`` the others that are kept follow under ``more_paths``.
What does not fit (``bounds``) is left out: an option has ``flows_left_out`` then, a path whose middle is cut ``steps_left_out``,
and the whole ``left_out`` with all numbers.
Beyond the contract a flow has ``confidence``, ``reasons`` and ``paths`` (how many there are), an operation a ``subkind``
(``database``, ``cache``, …; null where its kind says enough), and an option has
``aliases``, further names with their domains, and ``cold``, the places where its trails end although its value may go on.
``sensitivity`` has a ``score`` from 0 to 1, and reasons as objects: ``text`` completes "the option …",
``toward`` says whether it speaks for ``sensitive``, ``path`` and ``line`` are null without a place.  A
person's verdict has ``by`` and ``note`` beside.  Of an option that no model has looked at the label is
``unknown``.  ``properties`` has ``limits``: of the values ``lower`` than, ``upper`` than, ``not`` equal to or not in a ``set`` of ``value``
(``exclusive``: nor that itself) what becomes (``effect``); ``to`` is what they count as.  ``slopes``: by how much an operation costs (``expression``,
over the value ``v`` as it is set, in ``unit``); ``direction``: by kind of cost ``up``, ``down`` or ``mixed`` when the value is raised;
``monotone``: whether costs only grow or only shrink then, null where that is not known.  ``relations``: what another ``option`` does to this one
(``kind``), and of what it must be for one of them to be used (``when``: ``== true``).  ``felt_by``: whose work is concerned; ``entries``: where that begins.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

import attrs
import msgspec

from conflens.base.control import neutral_json
from conflens.cli.report.bounds import Bounds
from conflens.cli.report.reached import Selection
from conflens.cli.report.report import Report, ReportedLimit, ReportedOption, ReportedRead
from conflens.cli.report.steps import Steps, role
from conflens.flow.results import Cold, Flow, Path, Reach, Step
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
    return b"".join(chunks(report, shown or Shown()))


def chunks(
    report: Report, shown: Shown, say: Callable[[str], object] | None = None
) -> Iterator[bytes]:
    """Yield the same JSON in pieces, each a part of one option, without control sequences; ``say`` gets a sentence about what was left out."""
    flows = _Flows(report, shown)
    head: dict[str, object] = {"schema": SCHEMA, "stats": stats(report)}
    yield _inner(encode_any(head))
    yield b',\n  "options": ['
    separator = b"\n    "
    for option in report.options:
        yield separator
        written = encode_any(_option(option, flows)).rstrip(b"\n").replace(b"\n", b"\n    ")
        yield from flows.filled(neutral_json(written))
        separator = b",\n    "
    yield b"\n  ]" if report.options else b"]"
    tail: dict[str, object] = {
        "problems": [
            {
                "path": problem.path,
                "line": problem.line,
                "code": problem.code,
                "message": problem.message,
            }
            for problem in report.problems
        ]
    }
    bounds = flows.bounds
    if bounds.told():
        tail["left_out"] = {"flows": bounds.flows, "paths": bounds.paths, "steps": bounds.steps}
        if say is not None:
            say(bounds.told())
    yield b"," + neutral_json(_inner(encode_any(tail)).removeprefix(b"{")) + b"\n}\n"


def _inner(data: bytes) -> bytes:
    """An object without its end, to be continued."""
    return data.rstrip(b"\n").removesuffix(b"}").rstrip(b"\n")


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
        **flows.of(option.reach),
        "cold": [flows.cold(cold) for cold in option.reach.cold],
        "properties": _properties(option),
        "aliases": [{"domain": domain, "name": name} for domain, name in option.aliases],
    }


def _properties(option: ReportedOption) -> dict[str, object]:
    found = option.properties
    return {
        "limits": [_limit(limit) for limit in option.limits],
        "slopes": [
            {
                "expression": one.expression,
                "kind": one.kind,
                "unit": one.unit or None,
                "path": one.where.path,
                "line": one.where.line,
            }
            for one in found.slopes
        ],
        "direction": dict(found.direction),
        "relations": [
            {
                "option": one.option,
                "kind": one.kind,
                "path": one.where.path,
                "line": one.where.line,
                "when": one.when or None,
            }
            for one in found.relations
        ],
        "felt_by": list(found.felt_by),
        "entries": dict(found.entries),
        "monotone": found.monotone,
    }


def _limit(limit: ReportedLimit) -> dict[str, object]:
    return {
        "bound": limit.bound,
        "value": limit.value,
        "exclusive": limit.exclusive,
        "effect": limit.effect,
        "to": limit.to or None,
        "path": limit.where.path if limit.where is not None else None,
        "line": limit.where.line if limit.where is not None else None,
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
    """Flows as objects of the contract; a step that many paths share is written once, and copied."""

    def __init__(self, report: Report, shown: Shown) -> None:
        self.shown = shown
        self.steps = report.steps
        chosen = (len(shown.selection.of(option.reach)) for option in report.options)
        self.bounds = Bounds(chosen)
        self._made: dict[tuple[bytes, Step], bytes] = {}
        self._paths: list[Sequence[Step]] = []

    def of(self, reach: Reach) -> dict[str, object]:
        """Return the flows of an option, and how many there was no room for."""
        flows = self.shown.selection.of(reach)
        written: list[dict[str, object]] = []
        for flow in flows[: self.bounds.begin(len(flows))]:
            made = self._flow(flow)
            if made is None:
                break
            written.append(made)
        found: dict[str, object] = {"flows": written}
        left_out = len(flows) - len(written)
        if left_out:
            self.bounds.flows += left_out
            found["flows_left_out"] = left_out
        return found

    def _flow(self, flow: Flow) -> dict[str, object] | None:
        operation = flow.operation
        spot = self.steps.spot(operation.ref, operation.instr)
        best = flow.paths[0]
        steps = self._path(best)
        if steps is None:
            return None
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
            **steps,
            "paths": flow.total,
        }
        if self.shown.paths != 1:
            others = flow.paths[1 : self.shown.paths]
            more = []
            for path in others:
                steps = self._path(path)
                if steps is None:
                    break
                more.append(
                    {
                        "distance": path.distance,
                        "confidence": path.confidence.value,
                        "reasons": path.reasons,
                        **steps,
                    }
                )
            self.bounds.paths += len(others) - len(more)
            found["more_paths"] = more
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

    def _path(self, path: Path) -> dict[str, object] | None:
        """The steps of a path, ``None`` if there is no room."""
        shown = self.bounds.path(path)
        if shown is None:
            return None
        steps, left_out = shown
        found: dict[str, object] = {"steps": f"{len(self._paths)}"}
        self._paths.append(steps)
        if left_out:
            found["steps_left_out"] = left_out
        return found

    def filled(self, written: bytes) -> Iterator[bytes]:
        """Yield the text of an option with the steps of its paths in the place of their numbers."""
        at = 0
        for found in _STEPS.finditer(written):
            yield written[at : found.start(2)]
            indent = found[1]
            made = self._made
            inner = [
                made.get((indent, step)) or self._step(indent, step)
                for step in self._paths[int(found[3])]
            ]
            yield b"[\n" + b",\n".join(inner) + b"\n" + indent + b"]"
            at = found.end()
        yield written[at:]
        self._paths.clear()

    def _step(self, indent: bytes, step: Step) -> bytes:
        spot = self.steps.spot(step.ref, step.instr)
        found: dict[str, object] = {
            "path": spot.path,
            "line": spot.line,
            "column": spot.column,
            "role": role(step),
            "text": spot.text,
        }
        above = indent + b"  "
        written = above + encode_any(found).rstrip(b"\n").replace(b"\n", b"\n" + above)
        made = self._made[indent, step] = neutral_json(written)
        return made


_STEPS = re.compile(rb'^( *+)"steps": ("(\d++)")', re.MULTILINE)
"""The number of a path in the place of its steps: as texts these may be far longer than all the rest."""
