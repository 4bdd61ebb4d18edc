"""All findings of one file, of every family of checks.

A pure function of subject and path.  Which are shown, and how loudly, is decided above: by settings, suppression and
baselines.
"""

from __future__ import annotations

from collections.abc import Iterator

from conflens.checking import code, documents, keys, placeholders, values
from conflens.checking.results import Code, Finding, Subject


def findings(subject: Subject, path: str) -> tuple[Finding, ...]:
    """Return what is wrong in a Java file, config file or document, in order; nothing while files have not been seen."""
    if not subject.complete:
        return ()
    found = sorted(_found(subject, path), key=lambda one: (one.place, one.code, one.message))
    return tuple(found)


def _found(subject: Subject, path: str) -> Iterator[Finding]:
    if path in subject.program.files:
        yield from code.findings(subject, path)
        yield from documents.defaults(subject, path)
    told: set[str] = set()
    if path in subject.config_files:
        match = subject.recognised.match(path)
        if match is not None and match.counts:
            for finding in keys.findings(subject, path):
                if finding.code is not Code.DEPRECATED_OPTION:
                    told.add(finding.name)
                yield finding
            yield from values.findings(subject, path)
            yield from placeholders.findings(subject, path)
    if path in subject.documents.harvests:
        for finding in documents.findings(subject, path):
            # A file may be a document and a config file; a key that is told once is enough.
            if finding.name not in told:
                yield finding
