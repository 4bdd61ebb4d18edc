"""Flows as SARIF 2.1.0: one result for each flow, its paths as code flows, and one for each
performance-sensitive option that is documented nowhere.

Terms: a *rule* is a dependency with a kind of operation, ``loop/io``, or ``sensitive-undocumented``.
Invariants: those of ``sarif_parts``; output depends on the analysis only.  A result has at most
``MAX_STEPS`` steps; the middle of what is longer is cut.  A fingerprint is made of option, operation, enclosing method, dependency, pattern and a
number among equals, so that edits elsewhere in a file keep it; an option's of domain and name.
A result on an option does not depend on which of its flows are shown, unless none of them is.

Absent: severity; every result is a ``note``, since none says that something is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from conflens.base.lazy import once
from conflens.base.words import count
from conflens.checking.results import Code
from conflens.cli.report.bounds import Bounds, Most
from conflens.cli.report.contract import Shown
from conflens.cli.report.report import WORKSPACE, Report, ReportedOption
from conflens.cli.report.steps import Spot, role
from conflens.cli.sarif.parts import (
    artifact,
    configured,
    digest,
    encode_run,
    message,
    region,
    version,
)
from conflens.facts.model import Member
from conflens.flow.results import Dependency, Flow, Operation, Path, Step
from conflens.program.program import Program
from conflens.program.refs import MemberRef
from conflens.sensitivity.phrases import plain_cause
from conflens.sensitivity.vocabulary import packaged

MAX_STEPS = 10_000
"""Steps that one result may have, in all its paths together; code scanning services refuse more."""
_MOST = Most(flows=100_000, steps_of_option=20_000, steps=500_000)
FINGERPRINT = "conflensFlow/v1"
OPTION_FINGERPRINT = "conflensOption/v1"
_UNDOCUMENTED = Code.SENSITIVE_UNDOCUMENTED.value

_WORDS = {
    Dependency.DIRECT: "is passed directly to {}",
    Dependency.BRANCH: "controls whether {} runs",
    Dependency.LOOP: "controls how often {} runs",
}
_ROLES = {
    "read": "the option is read",
    "assign": "its value is assigned",
    "store": "its value is stored",
    "load": "its value is loaded",
    "argument": "its value is passed on",
    "return": "its value is returned",
    "compute": "a value is computed from it",
    "guard": "it controls what runs",
    "operation": "the operation",
}

_Object = dict[str, object]


def encode_log(report: Report, shown: Shown, say: Callable[[str], object] | None = None) -> bytes:
    """Return the flows that are ``shown`` as a SARIF log in UTF-8; ``say`` gets a sentence about what was left out."""
    log = _Log(report, shown)
    encoded = log.encoded()
    if say is not None and log.bounds.told():
        say(log.bounds.told())
    return encoded


def cut(paths: Sequence[Path], limit: int) -> list[tuple[tuple[Step, ...], int]]:
    """Return the steps to show of each path, at most ``limit`` in all, and how many are left out.

    The first path goes first: it is the surest.  Of a path that does not fit the beginning and the end
    are kept; paths for which no two steps are left are dropped.
    """
    shown = []
    for path in paths:
        whole = steps = tuple(once(path.steps))
        if len(steps) > limit:
            if limit < 2:
                break
            tail = limit // 2
            steps = steps[: limit - tail] + steps[-tail:]
        limit -= len(steps)
        shown.append((steps, len(whole) - len(steps)))
    return shown


class _Log:
    """The state of writing one log: rules by id, locations that steps share."""

    def __init__(self, report: Report, shown: Shown) -> None:
        self.report = report
        self.shown = shown
        chosen = (len(shown.selection.of(option.reach)) for option in report.options)
        self.bounds = Bounds(chosen, _MOST)
        self.rules: dict[str, int] = {}
        self.written: list[_Object] = []
        self.places: dict[Spot, _Object] = {}
        self.steps: dict[Step, _Object] = {}
        self.members: dict[MemberRef, str] = {}

    def encoded(self) -> bytes:
        results = [result for option in self.report.options for result in self._of_option(option)]
        invocation = configured(
            [
                f"{problem.path}:{problem.line}: {problem.message}"
                for problem in self.report.problems
                if problem.code == WORKSPACE
            ]
            + ([told] if (told := self.bounds.told()) else [])
        )
        return encode_run(self.written, invocation, results, version())

    def _of_option(self, option: ReportedOption) -> list[_Object]:
        """Number equals among all flows, so that a selection changes no fingerprint."""
        chosen = {id(flow) for flow in self.shown.selection.of(option.reach)}
        if not chosen:
            return [] if option.reach.flows else self._undocumented(option)
        seen: Counter[tuple[str, ...]] = Counter()
        prints: dict[int, str] = {}
        for flow in sorted(option.reach.flows, key=_position):
            operation = flow.operation
            identity = (
                option.domain,
                option.name,
                operation.kind,
                operation.api,
                self._member(operation.ref),
                flow.dependency.value,
                flow.pattern.value,
            )
            prints[id(flow)] = digest(identity, seen[identity])
            seen[identity] += 1
        most = self.bounds.begin(len(chosen))
        found: list[_Object] = []
        for flow in option.reach.flows:
            if len(found) >= most or not self.bounds.room:
                break
            if id(flow) in chosen:
                found.append(self._result(option, flow, prints[id(flow)]))
        self.bounds.flows += len(chosen) - len(found)
        return found + self._undocumented(option)

    def _undocumented(self, option: ReportedOption) -> list[_Object]:
        """Return the result on a sensitive option that is documented nowhere, none for others."""
        verdict, place = option.sensitivity, option.reported_at
        if _UNDOCUMENTED not in option.verdicts or verdict is None or place is None:
            return []
        words = (
            f"Option '{option.name}' ({option.domain.replace('-', ' ')}) is not documented in this"
            f" project, but is performance-sensitive{plain_cause(verdict)}."
        )
        rule = self.rules.setdefault(_UNDOCUMENTED, len(self.rules))
        if rule == len(self.written):
            self.written.append(
                {
                    "id": _UNDOCUMENTED,
                    "name": "SensitiveUndocumented",
                    "shortDescription": message("A performance-sensitive option is undocumented."),
                    "fullDescription": message(
                        "The option's value probably changes what the program costs, and documents"
                        " describe other options of its kind, but not this one."
                    ),
                    "defaultConfiguration": {"level": "note"},
                    "properties": {"tags": ["performance", "configuration", "documentation"]},
                }
            )
        spot = self.report.steps.placed(place)
        identity = (option.domain, option.name, _UNDOCUMENTED)
        properties: _Object = {
            "option": option.name,
            "domain": option.domain,
            "sensitivity": verdict.label.value,
        }
        return [
            {
                "ruleId": _UNDOCUMENTED,
                "ruleIndex": rule,
                "level": "note",
                "message": message(words),
                "locations": [self._at(spot)],
                "partialFingerprints": {OPTION_FINGERPRINT: digest(identity)},
                "properties": properties,
            }
        ]

    def _result(self, option: ReportedOption, flow: Flow, fingerprint: str) -> _Object:
        operation, best = flow.operation, flow.paths[0]
        rule = f"{flow.dependency}/{operation.kind}"
        called = f"{operation.api} ({operation.kind}) in {self.report.steps.method(operation.ref)}"
        words = (
            f"Option '{option.name}' ({option.domain.replace('-', ' ')})"
            f" {_WORDS[flow.dependency].format(called)}."
        )
        properties: _Object = {
            "option": option.name,
            "domain": option.domain,
            "dependency": flow.dependency.value,
            "pattern": flow.pattern.value,
            "kind": operation.kind,
            "subkind": packaged().subkind(operation.api) or None,
            "api": operation.api,
            "distance": best.distance,
            "confidence": best.confidence.value,
            "reasons": best.reasons,
            "paths": flow.total,
        }
        if option.sensitivity is not None:
            properties["sensitivity"] = option.sensitivity.label.value
        return {
            "ruleId": rule,
            "ruleIndex": self._rule(rule, flow.dependency, operation),
            "level": "note",
            "message": message(words),
            "locations": [
                {
                    **self._location(operation.ref, operation.instr),
                    "logicalLocations": [
                        {"fullyQualifiedName": self._member(operation.ref), "kind": "member"}
                    ],
                }
            ],
            "codeFlows": self._code_flows(flow),
            "partialFingerprints": {FINGERPRINT: fingerprint},
            "properties": properties,
        }

    def _rule(self, rule: str, dependency: Dependency, operation: Operation) -> int:
        index = self.rules.setdefault(rule, len(self.rules))
        if index == len(self.written):
            words = (
                f"An option {_WORDS[dependency].format(f'an operation of kind {operation.kind}')}"
            )
            self.written.append(
                {
                    "id": rule,
                    "name": f"{dependency.value.title()}{_pascal(operation.kind)}",
                    "shortDescription": message(f"{words}."),
                    "fullDescription": message(
                        f"{words}: the steps lead from the place where the option is read to the"
                        " operation. Changing the option's value can change what the program costs."
                    ),
                    "defaultConfiguration": {"level": "note"},
                    "properties": {"tags": ["performance", "configuration"]},
                }
            )
        return index

    def _code_flows(self, flow: Flow) -> list[_Object]:
        found: list[_Object] = []
        paths = list(islice(flow.paths, self.shown.paths))
        shown = cut(paths, min(MAX_STEPS, self.bounds.room))
        self.bounds.spend(sum(len(steps) for steps, _ in shown), sum(more for _, more in shown))
        for path, (steps, left_out) in zip(paths, shown, strict=False):
            words = f"{flow.pattern}, {path.confidence} confidence"
            if path.reasons:
                words += f": {'; '.join(path.reasons)}"
            if left_out:
                words += f" ({count(left_out, 'step')} in the middle left out)"
            locations = [self._step(step) for step in steps]
            thread: _Object = {"locations": locations}
            found.append({"message": message(words), "threadFlows": [thread]})
        dropped = len(paths) - len(shown)
        if dropped:
            words = f"{count(dropped, 'more path')} left out; a result has {MAX_STEPS:,} steps"
            thread["message"] = message(words)
        return found

    def _step(self, step: Step) -> _Object:
        found = self.steps.get(step)
        if found is None:
            word = role(step)
            location = self._location(step.ref, step.instr)
            text = self.report.steps.spot(step.ref, step.instr).text or _ROLES[word]
            found = {
                "location": {**location, "message": message(f"{word}: {text}")},
                "kinds": [word],
            }
            self.steps[step] = found
        return found

    def _location(self, ref: MemberRef, index: int) -> _Object:
        return self._at(self.report.steps.spot(ref, index))

    def _at(self, spot: Spot) -> _Object:
        place = self.places.get(spot)
        if place is None:
            place = {
                "artifactLocation": artifact(spot.path),
                "region": region(*self.report.steps.region(spot)),
            }
            self.places[spot] = place
        return {"physicalLocation": place}

    def _member(self, ref: MemberRef) -> str:
        """Return ``package.Type.method(types)``; classes in code are named after where they stand."""
        found = self.members.get(ref)
        if found is None:
            program = self.report.steps.program
            found = f"{_stable(program, ref.owner)}.{_key(program.member(ref))}"
            self.members[ref] = found
        return found


def _stable(program: Program, owner: str) -> str:
    """Return a type's name in which no number of a member occurs."""
    info = program.type(owner)
    if info is None or info.decl.member < 0:
        return owner
    around = program.files[info.path].members[info.decl.member]
    outer = _stable(program, info.outer)
    return f"{outer}.{_key(around)}#{info.decl.ordinal}{info.decl.name}"


def _key(member: Member) -> str:
    """Return a member's key; a field's is its name, so that it is not taken for a method."""
    return member.key if member.kind in ("method", "constructor") else member.name


def _position(flow: Flow) -> tuple[str, int, int]:
    return flow.operation.ref.path, flow.operation.ref.number, flow.operation.instr


def _pascal(kind: str) -> str:
    words = "".join(char if char.isalnum() else " " for char in kind).split()
    return "".join(word[0].upper() + word[1:] for word in words)
