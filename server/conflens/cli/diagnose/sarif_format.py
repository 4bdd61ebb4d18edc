"""A diagnosis as SARIF 2.1.0: one result for each likely cause, at its decision point.

A result's code flows are its cause-effect chains: the steps from the option's read to the hold, then the frames
of the project from there to the hotspot.  Its fingerprint is made of domain and name, so that it stays the same over
runs and edits.  Conventions are those of ``sarif_parts``.  Without a
baseline the options behind the cost have one each, as a note; other options have none.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.cli.report.steps import Spot, Steps, role
from conflens.cli.sarif.parts import artifact, digest, encode_run, message, region
from conflens.diagnosis.evidence import chain_text, part_of, part_text
from conflens.diagnosis.report import frame_name, leading, legible
from conflens.diagnosis.results import Cause, Diagnosis, Located, Suspect, Verdict
from conflens.diagnosis.summary import headline
from conflens.flow.results import Dependency

FINGERPRINT = "conflensCause/v1"
MAX_CHAINS = 10
_MAX_FRAMES = 100
_WORDS = {
    Dependency.DIRECT: "is passed to costly code",
    Dependency.BRANCH: "controls whether costly code runs",
    Dependency.LOOP: "controls how often costly code runs",
}

_Object = dict[str, object]


def encode_diagnosis(diagnosis: Diagnosis, steps: Steps, top: int | None = None) -> bytes:
    """Return the likely causes as a SARIF log in UTF-8."""
    rules = list(Dependency)
    results = [
        _result(diagnosis, suspect, steps, rules)
        for suspect in leading(diagnosis)[:top]
        if suspect.causes
    ]
    invocation: _Object = {
        "executionSuccessful": True,
        "toolExecutionNotifications": [
            {"level": "note", "message": message(legible(text))}
            for text in (headline(diagnosis), *diagnosis.notes)
        ],
    }
    return encode_run([_rule(rule) for rule in rules], invocation, results)


def _rule(dependency: Dependency) -> _Object:
    return {
        "id": f"cause/{dependency}",
        "name": f"Cause{dependency.title()}",
        "shortDescription": message(f"An option {_WORDS[dependency]}."),
        "fullDescription": message(
            f"An option {_WORDS[dependency]} in a profiled run. The steps lead from the place where the option is"
            " read to its decision point, and from there to the costly method."
        ),
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["performance", "configuration"]},
    }


def _result(
    diagnosis: Diagnosis, suspect: Suspect, steps: Steps, rules: list[Dependency]
) -> _Object:
    domain, name = suspect.option
    first = suspect.causes[0]
    part = part_of(diagnosis, suspect.option)
    ran = f": {part_text(diagnosis, part)}" if part is not None else ""
    words = (
        f"Option '{legible(name)}' ({domain.replace('-', ' ')}) {_WORDS[first.dependency]}{ran}."
    )
    return {
        "ruleId": f"cause/{first.dependency}",
        "ruleIndex": rules.index(first.dependency),
        "level": "warning" if suspect.verdict is Verdict.LIKELY else "note",
        "message": message(words),
        "locations": [_location(steps, steps.spot(first.hold.ref, first.hold.index))],
        "codeFlows": [_flow(diagnosis, cause, steps) for cause in suspect.causes[:MAX_CHAINS]],
        "partialFingerprints": {FINGERPRINT: digest(suspect.option, None)},
        "properties": {
            "option": name,
            "domain": domain,
            "explained": round(suspect.explained, 6),
            "dependencies": {key.value: round(part, 6) for key, part in suspect.parts.items()},
        },
    }


def _flow(diagnosis: Diagnosis, cause: Cause, steps: Steps) -> _Object:
    hotspot = legible(frame_name(cause.hotspot.method.frame))
    locations = list(_locations(cause, steps))
    return {
        "message": message(f"{cause.dependency}, to {hotspot} ({chain_text(diagnosis, cause)})"),
        "threadFlows": [{"locations": locations}],
    }


def _locations(cause: Cause, steps: Steps) -> Iterator[_Object]:
    for step in cause.hold.path.steps:
        spot = steps.spot(step.ref, step.instr)
        word = role(step)
        yield _at(steps, spot, f"{word}: {spot.text}" if spot.text else word, word)
    for located in cause.chain.frames[cause.joint + 1 :][:_MAX_FRAMES]:
        spot_of = _declared(located, steps)
        if spot_of is not None:
            yield _at(steps, spot_of, f"calls {legible(frame_name(located.frame))}", "call")


def _declared(located: Located, steps: Steps) -> Spot | None:
    return steps.spot(located.ref, -1) if located.ref is not None else None


def _at(steps: Steps, spot: Spot, words: str, kind: str) -> _Object:
    return {"location": {**_location(steps, spot), "message": message(words)}, "kinds": [kind]}


def _location(steps: Steps, spot: Spot) -> _Object:
    place = {"artifactLocation": artifact(spot.path), "region": region(*steps.region(spot))}
    return {"physicalLocation": place}
