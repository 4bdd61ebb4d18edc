"""JSON by the contract of ``design.md`` §6, schema ``conflens/1``.

Flows, sensitivity and properties have their place in the contract and are not known yet: an empty
list, the label ``unknown`` and an empty object.
"""

from __future__ import annotations

import json

import msgspec

from conflens.cli.report import Report, ReportedOption, ReportedRead

SCHEMA = "conflens/1"


def encode(report: Report) -> bytes:
    """Return ``report`` as UTF-8 JSON with a final newline."""
    return encode_any(
        {
            "schema": SCHEMA,
            "stats": stats(report),
            "options": [_option(option) for option in report.options],
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


def _option(option: ReportedOption) -> dict[str, object]:
    return {
        "name": option.name,
        "domain": option.domain,
        "type": option.type,
        "defaults": list(option.defaults),
        "values": list(option.values),
        "documented": [{"path": path, "line": line} for path, line in option.documented],
        "verdicts": list(option.verdicts),
        "sensitivity": {"label": "unknown", "score": None, "reasons": []},
        "reads": [_read(read) for read in option.reads],
        "flows": [],
        "properties": {},
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
