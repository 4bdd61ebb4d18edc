"""Findings as SARIF 2.1.0: one result for each, with its fixes; suppressed ones are there and marked so (§3.27.23).

Invariants: those of ``sarif_parts``.  A rule is a code; its default level is that of ``checking.results.SEVERITIES``, and a
result's is what the project has set.  A fingerprint is made of what baselines go by and of a number among equals, so
that it stays the same under edits elsewhere.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.checking.results import SEVERITIES, Code, Finding, Fix, Reason, Severity
from conflens.checking.suppression import identity_of
from conflens.cli.check.collecting import Checked, Spots
from conflens.cli.check.rules import WORDS
from conflens.cli.sarif.parts import (
    Object,
    artifact,
    configured,
    digest,
    encode_run,
    message,
    region,
    version,
)

FINGERPRINT = "conflensFinding/v1"
_LEVELS = {
    Severity.OFF: "none",
    Severity.HINT: "note",
    Severity.INFORMATION: "note",
    Severity.WARNING: "warning",
    Severity.ERROR: "error",
}
_SUPPRESSIONS = {
    Reason.COMMENT: ("inSource", "A comment says so."),
    Reason.RULE: ("external", "A rule of the workspace file says so."),
    Reason.BASELINE: ("external", "The baseline knows it."),
}


def encode_findings(found: Checked, only_new: bool = False) -> bytes:
    """Return the findings as a SARIF log in UTF-8; with ``only_new`` without those that the baseline knows."""
    findings = [
        one
        for one in (*found.findings, *found.suppressed)
        if not (only_new and one.suppressed is Reason.BASELINE)
    ]
    findings.sort(key=attrgetter("place", "code", "message"))
    codes = [code for code in Code if any(one.code is code for one in findings)]
    spots, seen = Spots(found.analysis), Counter[tuple[str, ...]]()
    results = [_result(one, codes, spots, seen) for one in findings]
    notes = [f"{problem.path}:{problem.line}: {problem.message}" for problem in found.problems]
    return encode_run(list(map(_rule, codes)), configured(notes), results, version())


def _rule(code: Code) -> Object:
    words = WORDS[code]
    return {
        "id": code.value,
        "name": "".join(part.title() for part in code.split("-")),
        "shortDescription": message(words.summary),
        "fullDescription": message(words.summary),
        "help": message(words.help),
        "defaultConfiguration": {"level": _LEVELS[SEVERITIES[code]]},
        "properties": {"tags": ["configuration"]},
    }


def _result(
    one: Finding, codes: list[Code], spots: Spots, seen: Counter[tuple[str, ...]]
) -> Object:
    identity = identity_of(one)
    found: Object = {
        "ruleId": one.code.value,
        "ruleIndex": codes.index(one.code),
        "level": _LEVELS[one.severity],
        "message": message(one.message),
        "locations": [_location(one.place, spots)],
        "partialFingerprints": {FINGERPRINT: digest(identity, seen[identity])},
        "properties": {
            "severity": one.severity.value,
            "name": one.name,
            "options": [{"domain": domain, "name": name} for domain, name in one.options],
        },
    }
    seen[identity] += 1
    if one.related:
        found["relatedLocations"] = [
            {"id": number, **_location(place, spots), "message": message(text)}
            for number, (place, text) in enumerate(one.related, 1)
        ]
    sure = [fix for fix in one.fixes if fix.sure]
    if sure:
        found["fixes"] = [_fix(fix, spots) for fix in sure]
    if one.suppressed is not None:
        kind, why = _SUPPRESSIONS[one.suppressed]
        found["suppressions"] = [{"kind": kind, "justification": why}]
    return found


def _location(place: Place, spots: Spots) -> Object:
    return {
        "physicalLocation": {
            "artifactLocation": artifact(place.path),
            "region": region(*spots.region(place, Encoding.UTF16)),
        }
    }


def _fix(fix: Fix, spots: Spots) -> Object:
    """Return a fix (§3.55): what each file it changes loses and gets."""
    changes = []
    edits = sorted(fix.edits)
    for path, of_file in groupby(edits, key=lambda edit: edit.place.path):
        replacements = [
            {
                "deletedRegion": region(*spots.region(edit.place, Encoding.UTF16)),
                "insertedContent": {"text": edit.text},
            }
            for edit in of_file
        ]
        changes.append({"artifactLocation": artifact(path), "replacements": replacements})
    return {"description": message(fix.title), "artifactChanges": changes}
