"""Whether "documented nowhere" is worth saying of an option.

It is only where all of this holds, since a false report costs more than a missing one:
  - the analysis is complete, so "nowhere" is known;
  - no document mentions the option, and no description comes with it (Javadoc, annotation);
  - some document describes another option of its *kind* as an entry of its own: where nobody
    writes system properties down, one that is missing is no news.  Options are of a kind that
    share domain and, where that is a shape (a map, a ``Properties``), the API that reads them;
  - its name is fixed (no pattern).
"""

from __future__ import annotations

from conflens.base.span import Place
from conflens.documents import MentionKind
from conflens.ide.sensitivity_words import is_surely_sensitive
from conflens.ide.settings import Settings, Severity
from conflens.options.model import Option, Read
from conflens.session.analysis import Analysis

SHAPES = frozenset({"settings", "properties"})
"""Domains that say what object holds the option, not where its name lives."""

_CONTAINERS = frozenset({"Map", "Properties", "Dictionary"})
_TESTS = frozenset({"test", "tests", "it", "integration-test", "testFixtures"})


def severity_of(analysis: Analysis, option: Option, settings: Settings) -> Severity:
    """Return how loudly it is reported if an option is documented nowhere: one that is surely
    sensitive in its own way, unless that is switched off, and any other as softly as ever."""
    if not settings.diagnostics:
        return Severity.OFF
    own = settings.sensitive_undocumented
    if own is not Severity.OFF and is_surely_sensitive(analysis, option):
        return own
    return settings.undocumented


def reported_at(option: Option) -> Place | None:
    """Return the one place to report an option at: where it is declared, or else its first read.

    ``None`` where only tests read it.
    """
    reads = [read.name_place for read in option.reads if not in_tests(read)]
    if not reads:
        return None
    return min([declaration.place for declaration in option.declarations] or reads)


def in_tests(read: Read) -> bool:
    """Tell whether a read stands in a folder of tests."""
    return not _TESTS.isdisjoint(read.place.path.split("/")[:-1])


def is_undocumented(analysis: Analysis, option: Option, written_down: dict[str, bool]) -> bool:
    """Apply the rule; ``written_down`` keeps by kind what was found out in one pass over
    options."""
    if not analysis.complete or option.description or option.pattern:
        return False
    if analysis.documented(option):
        return False
    kind = _kind(option)
    if kind not in written_down:
        written_down[kind] = _writes_down(analysis, kind)
    return written_down[kind]


def _kind(option: Option) -> str:
    if option.domain not in SHAPES or not option.reads:
        return option.domain
    read = option.reads[0]
    api = read.api.partition(".")[0]
    where = api if api not in _CONTAINERS else read.method.partition(".")[0]
    return f"{option.domain} {where}"


def _writes_down(analysis: Analysis, kind: str) -> bool:
    if not analysis.documents.harvests:
        return False
    return any(
        ref.kind is MentionKind.ENTRY
        for option in analysis.options.options
        if not option.pattern and _kind(option) == kind
        for ref in analysis.documented(option)[:1]
    )
