"""The verdicts on options, over a whole project at once.

The rules are those of the editor's diagnostics (``ide.diagnostics``), and a test holds both to the same
answers; here each domain is judged once for all files.
"""

from __future__ import annotations

from conflens.documents import MentionKind
from conflens.options.model import Option, OptionType
from conflens.session.analysis import Analysis

CONFLICTING_DEFAULT = "conflicting-default"
UNDOCUMENTED = "undocumented"
UNUSED_READ = "unused-read"

_TESTS = frozenset({"test", "tests", "it", "integration-test", "testFixtures"})


def verdicts(analysis: Analysis) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the verdicts by option key; an option without any is not there."""
    options = analysis.options.options
    mentioned = {option.key: analysis.documented(option)[:1] for option in options}
    written_down = {
        option.domain
        for option in options
        if not option.pattern
        and any(ref.kind is MentionKind.ENTRY for ref in mentioned[option.key])
    }
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for option in options:
        judged = []
        if option.conflict and option.type is not OptionType.PASSWORD:
            judged.append(CONFLICTING_DEFAULT)
        if (
            analysis.complete
            and option.domain in written_down
            and not mentioned[option.key]
            and _could_be_documented(option)
        ):
            judged.append(UNDOCUMENTED)
        if any(read.unused for read in option.reads):
            judged.append(UNUSED_READ)
        if judged:
            found[option.key] = tuple(judged)
    return found


def _could_be_documented(option: Option) -> bool:
    """Tell whether a fixed name without a description is read outside of tests."""
    return (
        not option.description
        and not option.pattern
        and any(_TESTS.isdisjoint(read.place.path.split("/")[:-1]) for read in option.reads)
    )
