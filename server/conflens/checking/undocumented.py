"""Findings on options that no document mentions: each once, where it is declared, or else at its first read outside of tests.

An option that is performance-sensitive for a reason that can be relied on has a code of its own, unless that is off; a word of
its name, or a condition far away, is no such reason.  One that is surely so also has the severity of
its own; of one that is not sure enough only the code differs.  What is only likely to be undocumented is a hint that says what
is known, whatever it does to performance.
Absent: whether an option counts as documented (``documentation``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.base.words import by_length, joined
from conflens.checking.documentation import Documentation, Lack
from conflens.checking.neighbours import Coverage, Near
from conflens.checking.results import Code, Finding, Key, Severity
from conflens.checking.subject import Subject
from conflens.options.model import Option
from conflens.sensitivity.phrases import headline, plain_cause

_MAX_NAMES = 3


def findings(
    subject: Subject,
    path: str,
    severities: Mapping[Code, Severity],
    documentation: Documentation,
) -> Iterator[Finding]:
    """Yield the findings in one file that are as loud as ``severities``, which has all codes, says."""
    if not is_reported(subject, severities):
        return
    candidates: dict[Key, Option] = {}
    for _, owners in subject.options.declarations_in.get(path, ()):
        candidates.update((option.key, option) for option in owners)
    for read, option in subject.options.reads_in.get(path, ()):
        if not is_test_path(read.place.path):
            candidates.setdefault(option.key, option)
    groups: dict[tuple[Place, Code, Severity, Near | None, bool], list[Option]] = {}
    for option in candidates.values():
        place = documentation.reported_at(option)
        if place is None or place.path != path:
            continue
        severity = severity_of(subject, option, severities)
        lack = documentation.lack(option) if severity is not Severity.OFF else None
        if lack is None:
            continue
        near, code = None, Code.UNDOCUMENTED_OPTION
        if lack is Lack.SURE:
            own = severities[Code.SENSITIVE_UNDOCUMENTED] is not Severity.OFF
            if own and subject.sensitivity.is_evidently_sensitive(option.key):
                code = Code.SENSITIVE_UNDOCUMENTED
        elif severities[code] is Severity.OFF:
            continue
        else:
            near, severity = documentation.near(option), Severity.HINT
        # One place may name several options: what is ignored stands apart from what is not.
        ignored = subject.policy.ignores(code, (option.name,))
        groups.setdefault((place, code, severity, near, ignored), []).append(option)
    sure = {
        (place, one.name)
        for (place, _, _, near, _), options in groups.items()
        if near is None
        for one in options
    }
    for (place, code, severity, near, _), options in groups.items():
        if near is not None:
            options = [one for one in options if (place, one.name) not in sure]
            if not options:
                continue
        yield Finding(
            code,
            place,
            _message(subject, code, options, near),
            ", ".join(sorted({option.name for option in options})),
            tuple(sorted(option.key for option in options)),
            severity=severity,
        )


def is_reported(subject: Subject, severities: Mapping[Code, Severity]) -> bool:
    """Tell whether there can be any such finding."""
    both = severities[Code.UNDOCUMENTED_OPTION], severities[Code.SENSITIVE_UNDOCUMENTED]
    return subject.complete and any(one is not Severity.OFF for one in both)


def severity_of(subject: Subject, option: Option, severities: Mapping[Code, Severity]) -> Severity:
    """Return how loudly an option is reported if it is documented nowhere."""
    own = severities[Code.SENSITIVE_UNDOCUMENTED]
    evident = subject.sensitivity.is_evidently_sensitive(option.key)
    if own is not Severity.OFF and evident and subject.sensitivity.is_surely_sensitive(option.key):
        return own
    return severities[Code.UNDOCUMENTED_OPTION]


def _message(subject: Subject, code: Code, options: list[Option], near: Near | None) -> str:
    names = sorted({option.name for option in options}, key=by_length)
    more = len(names) - _MAX_NAMES
    listed = joined(names[:_MAX_NAMES] + ([f"{more} more"] if more > 0 else []))
    are = "is" if len(names) == 1 else "are"
    if near is not None:
        return f"{listed} {are} not mentioned in any document of this project{_unlike(near, are)}."
    if code is Code.UNDOCUMENTED_OPTION:
        return f"{listed} {are} not mentioned in any document of this project."
    verdict = subject.sensitivity.verdict(options[0].key) if len(options) == 1 else None
    judged = (
        headline(verdict) + plain_cause(verdict) if verdict else f"{are} performance-sensitive"
    )
    return f"{listed} {are} not documented in this project, but {judged}."


def _unlike(near: Near, are: str) -> str:
    if near.where == "nowhere":
        return f", and neither is any other name that begins with {near.names[0]}"
    others = f"{joined(near.names)} {'of' if near.where == 'kind' else 'in'} the same {near.where}"
    if near.left_out:
        return f" and {are} left out of the pages that are generated, unlike {others}"
    if near.coverage is Coverage.STATED:
        has = "has" if are == "is" else "have"
        return f" and {has} no description, unlike {others}"
    return f", although {others} {'is' if len(near.names) == 1 else 'are'}"
