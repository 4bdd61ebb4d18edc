"""All findings of files, of every family of checks, and which of them the project does not want.

A function of subject, path and severities.  How loud each kind is comes from the caller (the settings of an editor, the
defaults of the command line); what the project says of severities goes before that.  A kind that is off is not looked for.
Absent: which files are shown (``ide.diagnostics``, ``cli.check``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from conflens.base.redaction import redacted_text
from conflens.checking import (
    adjusted_values,
    code,
    documents,
    flows,
    ineffective_options,
    keys,
    placeholders,
    undocumented,
    values,
)
from conflens.checking.documentation import Documentation
from conflens.checking.results import SEVERITIES, Code, Finding, Key, Severity
from conflens.checking.subject import Subject
from conflens.checking.suppression import reasons

_MAX_RELATED = 10

Severities = Mapping[Code, Severity]


def findings(
    subject: Subject, path: str, severities: Severities = SEVERITIES
) -> tuple[Finding, ...]:
    """Return what is wrong in a Java file, config file or document, in order, suppressed findings as well.

    While files have not been seen, only what these cannot change.
    """
    return next(every(subject, (path,), severities))


def every(
    subject: Subject, paths: Iterable[str], severities: Severities = SEVERITIES
) -> Iterator[tuple[Finding, ...]]:
    """Yield the findings of each of many files."""
    severities = subject.policy.over(severities)
    documentation = Documentation(subject)
    for path in paths:
        found = [
            *_by_code(subject, path, severities),
            *undocumented.findings(subject, path, severities, documentation),
        ]
        found.sort(key=lambda finding: (finding.place, finding.code, finding.message))
        yield _judged(subject, path, found)


def undocumented_options(subject: Subject, severities: Severities = SEVERITIES) -> frozenset[Key]:
    """Return the options of which a finding of some file, that is not suppressed, says that no document mentions them."""
    severities = subject.policy.over(severities)
    if not undocumented.is_reported(subject, severities):
        return frozenset()
    table, documentation = subject.options, Documentation(subject)
    documentation.look_at_all()
    found: set[Key] = set()
    for path in sorted(table.reads_in.keys() | table.declarations_in.keys()):
        of_file = list(undocumented.findings(subject, path, severities, documentation))
        for finding in _judged(subject, path, of_file):
            if finding.suppressed is None:
                found.update(finding.options)
    return frozenset(found)


def _judged(subject: Subject, path: str, found: list[Finding]) -> tuple[Finding, ...]:
    """Return findings of one file, without secrets in what they say, and marked where they are suppressed."""
    if not found:
        return ()
    found = list(map(_redacted, found))
    why = reasons(found, subject.text(path), subject.policy)
    return tuple(
        finding if reason is None else attrs.evolve(finding, suppressed=reason)
        for finding, reason in zip(found, why, strict=True)
    )


def _redacted(finding: Finding) -> Finding:
    message = redacted_text(finding.message)
    related = tuple((place, redacted_text(said)) for place, said in finding.related)
    if (message, related) == (finding.message, finding.related):
        return finding
    return attrs.evolve(finding, message=message, related=related)


def _by_code(subject: Subject, path: str, severities: Severities) -> Iterator[Finding]:
    """Yield the findings whose severity is that of their code."""
    for finding in _found(subject, path, severities):
        severity = severities[finding.code]
        if severity is not Severity.OFF:
            faint = finding.severity is not SEVERITIES[finding.code]
            yield finding if faint else attrs.evolve(finding, severity=severity)


def _found(subject: Subject, path: str, severities: Severities) -> Iterator[Finding]:
    if severities[Code.CONFLICTING_DEFAULT] is not Severity.OFF:
        yield from code.conflicts(subject, path)
    if severities[Code.UNUSED_READ] is not Severity.OFF:
        dead = subject.complete and severities[Code.DEAD_OPTION] is not Severity.OFF
        yield from code.unused(subject, path, dead=dead)
    if severities[Code.REACHES_OPERATION] is not Severity.OFF:
        yield from flows.findings(subject, path)
    if subject.complete:
        for finding in _of_all_files(subject, path, severities):
            yield attrs.evolve(finding, related=finding.related[:_MAX_RELATED])


def _of_values(subject: Subject, path: str, severities: Severities) -> Iterator[Finding]:
    """Yield what there is to say of values; where one has no effect, not what is wrong with it."""
    wrong = list(values.findings(subject, path))
    if severities[Code.ADJUSTED_VALUE] is not Severity.OFF:
        wrong += adjusted_values.findings(subject, path)
    is_told = severities[Code.INEFFECTIVE_OPTION] is not Severity.OFF
    idle = list(ineffective_options.findings(subject, path)) if is_told or wrong else []
    named = {finding.name for finding in idle}
    yield from (finding for finding in wrong if finding.name not in named)
    if is_told:
        yield from idle


def _of_all_files(subject: Subject, path: str, severities: Severities) -> Iterator[Finding]:
    """Yield what may be said once all files have been seen."""
    if path in subject.program.files:
        yield from code.findings(subject, path)
        yield from documents.defaults(subject, path)
    told: set[str] = set()
    if path in subject.config_files:
        match = subject.recognised.match(path)
        for finding in keys.findings(subject, path):
            if finding.code is not Code.DEPRECATED_OPTION:
                told.add(finding.name)
            yield finding
        if match is not None and match.counts:
            yield from _of_values(subject, path, severities)
            yield from placeholders.findings(subject, path)
    if path in subject.documents.harvests:
        for finding in documents.findings(subject, path):
            # A file may be a document and a config file; a key that is told once is enough.
            if finding.name not in told:
                yield finding
