"""Findings as JSON, schema ``conflens/1``: ``stats`` (files looked at, findings by severity, suppressed ones by reason),
``findings`` and ``problems`` (mistakes in workspace files).

Lines and columns count from 1, columns in code points; the end is exclusive.  A fix is a title and edits; the first fix
is the one that is most likely meant.  Invariant: equal projects give equal bytes, so nothing tells time or memory.
"""

from __future__ import annotations

from conflens.base.span import Place
from conflens.base.text import Encoding
from conflens.checking.results import Finding, Reason, Severity
from conflens.cli.check.collecting import Checked, Spots
from conflens.cli.report.contract import SCHEMA, encode_any

_Object = dict[str, object]


def encode(found: Checked) -> bytes:
    """Return the findings as UTF-8 JSON with a final newline."""
    spots = Spots(found.analysis)
    shown = [one for one in Severity if one is not Severity.OFF]
    return encode_any(
        {
            "schema": SCHEMA,
            "stats": {
                "files": found.files,
                "findings": {
                    one.value: sum(finding.severity is one for finding in found.findings)
                    for one in reversed(shown)
                },
                "suppressed": {one.value: found.hidden(one) for one in Reason},
            },
            "findings": [_finding(finding, spots) for finding in found.findings],
            "problems": [
                {
                    "path": problem.path,
                    "line": problem.line,
                    "code": problem.code,
                    "message": problem.message,
                }
                for problem in found.problems
            ],
        }
    )


def _finding(finding: Finding, spots: Spots) -> _Object:
    return {
        "code": finding.code.value,
        "severity": finding.severity.value,
        **_at(finding.place, spots),
        "name": finding.name,
        "options": [{"domain": domain, "name": name} for domain, name in finding.options],
        "message": finding.message,
        "related": [
            {**_at(place, spots), "message": message} for place, message in finding.related
        ],
        "fixes": [
            {
                "title": fix.title,
                "edits": [{**_at(edit.place, spots), "text": edit.text} for edit in fix.edits],
            }
            for fix in finding.fixes
        ],
    }


def _at(place: Place, spots: Spots) -> _Object:
    line, column, last, end = spots.region(place, Encoding.UTF32)
    return {
        "path": place.path,
        "line": line,
        "column": column,
        "end_line": last,
        "end_column": end,
    }
