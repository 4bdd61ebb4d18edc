"""What all SARIF 2.1.0 logs (OASIS Standard, errata 01) are made of.

Invariants: a log names no place of the machine: paths are URI references, percent-encoded, below the base ``%SRCROOT%``.
Columns count UTF-16 units from 1 and the end of a region is exclusive (§3.30).  Braces in messages are doubled, since
they mark placeholders (§3.11.5).  A fingerprint (§3.27.17) is a digest of what stays the same under edits.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Sequence
from urllib.parse import quote

import msgspec

from conflens.cli.report.contract import encode_compact

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
BASE = "%SRCROOT%"

Object = dict[str, object]


def encode_run(
    rules: Sequence[Object], invocation: Object, results: Sequence[Object], version: str = ""
) -> bytes:
    """Return a log with one run in UTF-8; ``version`` is that of this program, if it is told."""
    driver: Object = {"name": "ConfLens", "rules": rules}
    if version:
        driver["version"] = version
    run: Object = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {BASE: {"description": message("The project's folder.")}},
        "results": results,
    }
    return encode_compact({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def configured(notes: Sequence[str]) -> Object:
    """Return an invocation that tells of workspace files that are wrong in parts (§3.20): results may be missing."""
    found: Object = {"executionSuccessful": True}
    if notes:
        found["toolConfigurationNotifications"] = [
            {"level": "warning", "message": message(text)} for text in notes
        ]
    return found


def uri(path: str) -> str:
    """Return a relative path as a URI reference; bytes that are no UTF-8 are kept as they are."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def message(text: str) -> Object:
    """Return a plain text message; nothing in ``text`` is a placeholder or a link (§3.11.5, §3.11.6)."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def artifact(path: str) -> Object:
    """Return where a file is (§3.4)."""
    return {"uri": uri(path), "uriBaseId": BASE}


def region(line: int, column: int, last: int, end: int) -> Object:
    """Return a region (§3.30); ``last`` and ``end`` are the line and column of its exclusive end."""
    return {"startLine": line, "startColumn": column, "endLine": last, "endColumn": end}


def digest(identity: Sequence[str], number: int | None = 0) -> str:
    """Return a fingerprint of an identity and of its number among equals, if it has one."""
    parts = [part.encode("utf-8", "backslashreplace").decode() for part in identity]
    data = msgspec.json.encode(parts if number is None else [*parts, str(number)])
    return hashlib.sha256(data).hexdigest()[:32]


def version() -> str:
    """Return the version of this program, empty where it is not installed."""
    try:
        return importlib.metadata.version("conflens")
    except importlib.metadata.PackageNotFoundError:
        return ""
