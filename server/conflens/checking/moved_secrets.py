"""Fixes that carry the value of a secret, because they move the lines that give it.

An editor has these lines anyway.  A report is kept by others, so that such a fix is left out of it: without the value it would
be wrong.
Absent: comments that hold a secret in no form of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from conflens.base.secrets import is_secret, secrets_in
from conflens.checking.results import Edit, Finding, Fix
from conflens.checking.subject import Subject
from conflens.documents.configfiles.model import Assignment
from conflens.options.model import Option
from conflens.options.secret_values import is_hidden


def without_secret_fixes(subject: Subject, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings without the fixes that carry a secret."""
    for finding in findings:
        fixes = tuple(fix for fix in finding.fixes if not carries_secret(subject, fix))
        yield finding if fixes == finding.fixes else attrs.evolve(finding, fixes=fixes)


def carries_secret(subject: Subject, fix: Fix) -> bool:
    """Tell whether a text that a fix inserts holds the value of a secret, by its old or its new name, or by its form."""
    if not any(edit.text for edit in fix.edits):
        return False
    if any(any(secrets_in(edit.text)) for edit in fix.edits if edit.text):
        return True
    return any(_moves_secret(subject, edit, fix.name) for edit in fix.edits)


def _moves_secret(subject: Subject, edit: Edit, new: str) -> bool:
    path, start, end = edit.place.path, edit.place.start, edit.place.end
    file = subject.config_files.get(path)
    if file is None or start == end:
        return False
    match = subject.recognised.match(path)
    for one in file.assignments:
        for value in (one.value,) if one.value is not None else one.items:
            if not (start <= value.start and value.end <= end and value.text):
                continue
            if is_secret(one.name, value.text) or (new and is_secret(new, value.text)):
                return True
            if match is not None and any(
                is_hidden(option, value.text)
                for option in (
                    *match.options.get(one.name, ()),
                    *_called(subject, new, one, match.domains),
                )
            ):
                return True
    return False


def _called(
    subject: Subject, new: str, assignment: Assignment, domains: frozenset[str]
) -> tuple[Option, ...]:
    """The options that an entry is of under its new name."""
    return subject.recognised.names.named(new, domains) if new and assignment.value else ()
