"""Diagnostics: conflicting defaults, reads whose value is never used, undocumented options (the
performance-sensitive ones in a way of their own), and, if asked for, the paths of options (``flow_findings``).

An option is reported as undocumented by the rule of ``documented``, if code outside of tests reads
it: once, where it is declared, or else at its first read outside of tests.

What a project does not want (``checking.suppression``) is taken out here and nowhere else, so that the editor and the
command line agree: ``diagnostics`` is what an editor shows of a file, ``every`` also holds what is suppressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from conflens.base.paths import is_test_path
from conflens.base.span import Place
from conflens.base.words import by_length, joined, shorten
from conflens.checking.check import findings
from conflens.checking.code import is_dead
from conflens.checking.results import Code, Fix, Key, Severity
from conflens.checking.suppression import Reason, reasons
from conflens.ide.diagnostics import flow_findings
from conflens.ide.diagnostics.documented import (
    all_written_down,
    is_undocumented,
    reported_at,
    severity_of,
)
from conflens.ide.settings.settings import FIELDS, Settings, with_severities
from conflens.options.model import Option, OptionType
from conflens.render.verdict_phrases import is_sensitive, verdict_of
from conflens.sensitivity.phrases import headline, plain_cause
from conflens.session.analysis import Analysis

_MAX_RELATED = 10
_MAX_STEPS = 20
_MAX_TEXT = 80
_MAX_NAMES = 3


@attrs.frozen
class Finding:
    """One diagnostic; ``related`` are other places, each with what to say of it.  ``name``, ``options`` and ``fixes``: see
    ``checking.results.Finding``; ``suppressed`` is why it is not wanted."""

    code: Code
    severity: Severity
    place: Place
    message: str
    related: tuple[tuple[Place, str], ...] = ()
    name: str = ""
    options: tuple[Key, ...] = ()
    fixes: tuple[Fix, ...] = ()
    suppressed: Reason | None = None


def diagnostics(analysis: Analysis, path: str, settings: Settings) -> tuple[Finding, ...]:
    """Return the findings in one file that are wanted, in order."""
    found = _of_file(analysis, path, settings, {})
    return tuple(finding for finding in found if finding.suppressed is None)


def every(
    analysis: Analysis, paths: Iterable[str], settings: Settings
) -> Iterator[tuple[Finding, ...]]:
    """Yield the findings in each of many files, in order, suppressed ones as well."""
    written_down: dict[str, bool] = {}
    for path in paths:
        yield _of_file(analysis, path, settings, written_down)


def undocumented(analysis: Analysis, settings: Settings) -> frozenset[Key]:
    """Return the options of which some file's diagnostics say that they are documented nowhere."""
    if not settings.diagnostics or not analysis.complete:
        return frozenset()
    settings = with_severities(settings, analysis.policy.severities)
    if settings.undocumented is settings.sensitive_undocumented is Severity.OFF:
        return frozenset()
    table, known = analysis.options, all_written_down(analysis)
    wanted: set[Key] = set()
    for path in sorted(table.reads_in.keys() | table.declarations_in.keys()):
        found = list(_undocumented(analysis, path, settings, known))
        why = reasons(found, analysis.text(path), analysis.policy) if found else []
        for finding, reason in zip(found, why, strict=True):
            if reason is None:
                wanted.update(finding.options)
    return frozenset(wanted)


def _of_file(
    analysis: Analysis, path: str, settings: Settings, written_down: dict[str, bool]
) -> tuple[Finding, ...]:
    """``written_down`` keeps what ``documented`` finds out of all options, from one file to the next."""
    if not settings.diagnostics:
        return ()
    settings = with_severities(settings, analysis.policy.severities)
    found: list[Finding] = []
    if settings.conflicting_default is not Severity.OFF:
        found += _conflicts(analysis, path, settings.conflicting_default)
    if settings.unused_read is not Severity.OFF:
        found += _unused(analysis, path, settings)
    if analysis.complete:
        found += _undocumented(analysis, path, settings, written_down)
    if settings.flow_diagnostics is not Severity.OFF:
        found += _reaching(analysis, path, settings.flow_diagnostics)
    found += _checked(analysis, path, settings)
    if not found:
        return ()
    found.sort(key=lambda finding: (finding.place, finding.code, finding.message))
    why = reasons(found, analysis.text(path), analysis.policy)
    return tuple(
        finding if reason is None else attrs.evolve(finding, suppressed=reason)
        for finding, reason in zip(found, why, strict=True)
    )


def _reaching(analysis: Analysis, path: str, severity: Severity) -> Iterator[Finding]:
    for place, option, message, steps in flow_findings.paths(analysis, path):
        yield _on([option], Code.REACHES_OPERATION, severity, place, message, related=_ends(steps))


def _on(
    options: list[Option],
    code: Code,
    severity: Severity,
    place: Place,
    message: str,
    related: tuple[tuple[Place, str], ...] = (),
) -> Finding:
    """A finding about options; its name holds all of theirs, in an order that lasts."""
    name = ", ".join(sorted({option.name for option in options}))
    keys = tuple(sorted(option.key for option in options))
    return Finding(code, severity, place, message, related, name, keys)


def _checked(analysis: Analysis, path: str, settings: Settings) -> Iterator[Finding]:
    """What the checks find, as loudly as it is set."""
    for one in findings(analysis, path):
        severity: Severity = getattr(settings, FIELDS[one.code])
        if severity is not Severity.OFF:
            related, fixes = one.related[:_MAX_RELATED], one.fixes
            yield Finding(
                one.code, severity, one.place, one.message, related, one.name, one.options, fixes
            )


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
            yield _on([option], code, severity, place, message, related[:_MAX_RELATED])


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


def _unused(analysis: Analysis, path: str, settings: Settings) -> Iterator[Finding]:
    """Reads without effect; where all of an option are, that is said of the option."""
    severity, said = settings.unused_read, settings.dead_option is not Severity.OFF
    for read, option in analysis.options.reads_in.get(path, ()):
        if read.unused and not (said and analysis.complete and is_dead(option)):
            message = f"The value of {option.name} is never used."
            yield _on([option], Code.UNUSED_READ, severity, read.place, message)


def _undocumented(
    analysis: Analysis, path: str, settings: Settings, written_down: dict[str, bool]
) -> Iterator[Finding]:
    candidates: dict[tuple[str, str], Option] = {}
    for _, owners in analysis.options.declarations_in.get(path, ()):
        candidates.update((option.key, option) for option in owners)
    for read, option in analysis.options.reads_in.get(path, ()):
        if not is_test_path(read.place.path):
            candidates.setdefault(option.key, option)
    found: dict[tuple[Place, Code, Severity, bool], list[Option]] = {}
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
            # One place may name several options: what is ignored stands apart from what is not.
            ignored = analysis.policy.ignores(code, (option.name,))
            found.setdefault((place, code, severity, ignored), []).append(option)
    for (place, code, severity, _), options in found.items():
        shown = sorted({option.name for option in options}, key=by_length)
        more = len(shown) - _MAX_NAMES
        listed = joined(shown[:_MAX_NAMES] + ([f"{more} more"] if more > 0 else []))
        are = "is" if len(shown) == 1 else "are"
        if code is Code.UNDOCUMENTED_OPTION:
            message = f"{listed} {are} not mentioned in any document of this project."
        else:
            what = _judged(analysis, options[0]) if len(options) == 1 else "performance-sensitive"
            message = f"{listed} {are} documented nowhere in this project, but {what}."
        yield _on(options, code, severity, place, message)


def _judged(analysis: Analysis, option: Option) -> str:
    """The verdict and its first reason, in plain words."""
    verdict = verdict_of(analysis, option)
    return "" if verdict is None else headline(verdict) + plain_cause(verdict)


def _shown(text: str) -> str:
    return shorten(text, _MAX_TEXT) or '""'
