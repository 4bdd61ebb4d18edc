"""Diagnostics: the findings that an editor shows of a file, by the settings of its user.

Absent: findings, and which of them a project does not want (``checking``); what is kept back while somebody types
(``lsp.workspace.typing_suppression``).
"""

from __future__ import annotations

from conflens.checking.check import findings, undocumented_options
from conflens.checking.results import Finding, Key, Severity
from conflens.checking.undocumented import severity_of
from conflens.ide.settings.settings import Settings, severities
from conflens.options.model import Option
from conflens.session.analysis import Analysis


def diagnostics(analysis: Analysis, path: str, settings: Settings) -> tuple[Finding, ...]:
    """Return the findings in one file that are wanted, in order."""
    if not settings.diagnostics:
        return ()
    found = findings(analysis, path, severities(settings))
    return tuple(finding for finding in found if finding.suppressed is None)


def undocumented(analysis: Analysis, settings: Settings) -> frozenset[Key]:
    """Return the options of which some file's diagnostics say that they are documented nowhere."""
    if not settings.diagnostics:
        return frozenset()
    return undocumented_options(analysis, severities(settings))


def reports_undocumented(analysis: Analysis, option: Option, settings: Settings) -> bool:
    """Tell whether there is a diagnostic if an option is documented nowhere."""
    if not settings.diagnostics:
        return False
    by_code = analysis.policy.over(severities(settings))
    return severity_of(analysis, option, by_code) is not Severity.OFF
