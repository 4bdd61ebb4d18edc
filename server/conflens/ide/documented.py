"""Whether "documented nowhere" is worth saying of an option.

It is only where all of this holds, since a false report costs more than a missing one:
  - the analysis is complete, so "nowhere" is known;
  - no document mentions the option, and no description comes with it (Javadoc, annotation);
  - some document describes another option of the same domain as an entry of its own: where
    nobody writes system properties down, one that is missing is no news;
  - its name is fixed (no pattern).
"""

from __future__ import annotations

from conflens.base.span import Place
from conflens.documents import MentionKind
from conflens.options.model import Option, Read
from conflens.session.analysis import Analysis

_TESTS = frozenset({"test", "tests", "it", "integration-test", "testFixtures"})


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
    """Apply the rule; ``written_down`` keeps by domain what was found out in one pass over
    options."""
    if not analysis.complete or option.description or option.pattern:
        return False
    if analysis.documented(option):
        return False
    if option.domain not in written_down:
        written_down[option.domain] = _writes_down(analysis, option.domain)
    return written_down[option.domain]


def _writes_down(analysis: Analysis, domain: str) -> bool:
    if not analysis.documents.harvests:
        return False
    return any(
        ref.kind is MentionKind.ENTRY
        for option in analysis.options.options
        if option.domain == domain and not option.pattern
        for ref in analysis.documented(option)[:1]
    )
