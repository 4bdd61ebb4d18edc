"""Diagnostics: conflicting defaults, reads whose value is never used, undocumented options (the
performance-sensitive ones in a way of their own), and, if asked for, the paths of options (``flow_findings``).

An option is reported as undocumented by the rule of ``documented``, if code outside of tests reads
it: once, where it is declared, or else at its first read outside of tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import attrs

from conflens.base.span import Place
from conflens.ide import flow_findings
from conflens.ide.documented import in_tests, is_undocumented, reported_at, severity_of
from conflens.ide.sensitivity_words import headline, is_sensitive, plain_cause, verdict_of
from conflens.ide.settings import Settings, Severity
from conflens.ide.words import by_length, joined, shorten
from conflens.options.model import Option, OptionType
from conflens.session.analysis import Analysis

_MAX_RELATED = 10
_MAX_STEPS = 20
_MAX_TEXT = 80
_MAX_NAMES = 3


class Code(StrEnum):
    """The identity of a kind of diagnostic."""

    CONFLICTING_DEFAULT = "conflicting-default"
    UNUSED_READ = "unused-read"
    UNDOCUMENTED_OPTION = "undocumented-option"
    SENSITIVE_UNDOCUMENTED = "sensitive-undocumented"
    REACHES_OPERATION = "reaches-operation"


@attrs.frozen
class Finding:
    """One diagnostic; ``related`` are other places, each with what to say of it."""

    code: Code
    severity: Severity
    place: Place
    message: str
    related: tuple[tuple[Place, str], ...] = ()


def diagnostics(analysis: Analysis, path: str, settings: Settings) -> tuple[Finding, ...]:
    """Return the findings in one file, in order."""
    if not settings.diagnostics:
        return ()
    found: list[Finding] = []
    if settings.conflicting_default is not Severity.OFF:
        found += _conflicts(analysis, path, settings.conflicting_default)
    if settings.unused_read is not Severity.OFF:
        found += _unused(analysis, path, settings.unused_read)
    if analysis.complete:
        found += _undocumented(analysis, path, settings)
    if settings.flow_diagnostics is not Severity.OFF:
        for place, message, steps in flow_findings.paths(analysis, path):
            code = Code.REACHES_OPERATION
            found.append(Finding(code, settings.flow_diagnostics, place, message, _ends(steps)))
    return tuple(sorted(found, key=lambda finding: (finding.place, finding.code, finding.message)))


def _ends(steps: tuple[tuple[Place, str], ...]) -> tuple[tuple[Place, str], ...]:
    """The steps, without the middle of a long path: an end that is missing would explain nothing."""
    if len(steps) <= _MAX_STEPS:
        return steps
    half = _MAX_STEPS // 2
    return steps[:half] + steps[-half:]


def _conflicts(analysis: Analysis, path: str, severity: Severity) -> Iterator[Finding]:
    options = {option.key: option for _, option in analysis.options.reads_in.get(path, ())}
    for _, owners in analysis.options.declarations_in.get(path, ()):
        options.update((option.key, option) for option in owners)
    for option in options.values():
        if not option.conflict or option.type is OptionType.PASSWORD:
            continue
        stated = _stated_defaults(option)
        for place, text in stated.items():
            if place.path != path:
                continue
            others = [(at, other) for at, other in stated.items() if other != text]
            if not others:
                continue
            names = ", ".join(dict.fromkeys(_shown(other) for _, other in others))
            message = f"{option.name} defaults to {_shown(text)} here, but elsewhere to {names}."
            related = tuple((at, f"default {_shown(other)}") for at, other in others)
            code = Code.CONFLICTING_DEFAULT
            yield Finding(code, severity, place, message, related[:_MAX_RELATED])


def _stated_defaults(option: Option) -> dict[Place, str]:
    """Where a person sees a default take effect: at the reads that give one, and in declarations."""
    stated: dict[Place, str] = {}
    for read in option.reads:
        if read.default is not None:
            inside = read.default.place.path == read.place.path and (
                read.place.start <= read.default.place.start <= read.place.end
            )
            stated[read.default.place if inside else read.name_place] = read.default.text
    held = {read.default for read in option.reads}
    for default in option.defaults:
        if default not in held:
            stated.setdefault(default.place, default.text)
    return dict(sorted(stated.items()))


def _unused(analysis: Analysis, path: str, severity: Severity) -> Iterator[Finding]:
    for read, option in analysis.options.reads_in.get(path, ()):
        if read.unused:
            message = f"The value of {option.name} is never used."
            yield Finding(Code.UNUSED_READ, severity, read.place, message)


def _undocumented(analysis: Analysis, path: str, settings: Settings) -> Iterator[Finding]:
    candidates: dict[tuple[str, str], Option] = {}
    for _, owners in analysis.options.declarations_in.get(path, ()):
        candidates.update((option.key, option) for option in owners)
    for read, option in analysis.options.reads_in.get(path, ()):
        if not in_tests(read):
            candidates.setdefault(option.key, option)
    written_down: dict[str, bool] = {}
    found: dict[tuple[Place, Code, Severity], list[Option]] = {}
    for option in candidates.values():
        place = reported_at(option)
        if place is None or place.path != path:
            continue
        severity = severity_of(analysis, option, settings)
        if severity is Severity.OFF:
            continue
        if is_undocumented(analysis, option, written_down):
            own = is_sensitive(analysis, option)
            own = own and settings.sensitive_undocumented is not Severity.OFF
            code = Code.SENSITIVE_UNDOCUMENTED if own else Code.UNDOCUMENTED_OPTION
            found.setdefault((place, code, severity), []).append(option)
    for (place, code, severity), options in found.items():
        shown = sorted({option.name for option in options}, key=by_length)
        more = len(shown) - _MAX_NAMES
        listed = joined(shown[:_MAX_NAMES] + ([f"{more} more"] if more > 0 else []))
        are = "is" if len(shown) == 1 else "are"
        if code is Code.UNDOCUMENTED_OPTION:
            message = f"{listed} {are} not mentioned in any document of this project."
        else:
            what = _judged(analysis, options[0]) if len(options) == 1 else "performance-sensitive"
            message = f"{listed} {are} documented nowhere in this project, but {what}."
        yield Finding(code, severity, place, message)


def _judged(analysis: Analysis, option: Option) -> str:
    """The verdict and its first reason, in plain words."""
    verdict = verdict_of(analysis, option)
    return "" if verdict is None else headline(verdict) + plain_cause(verdict)


def _shown(text: str) -> str:
    return shorten(text, _MAX_TEXT) or '""'
