"""The verdicts on options, over a whole project at once.

The rules are those of the editor's diagnostics (``ide``), and a test holds both to the same answers.
"""

from __future__ import annotations

from conflens.base.paths import is_test_path
from conflens.ide.diagnostics.documented import is_undocumented
from conflens.options.model import Option, OptionType
from conflens.render.verdict_phrases import is_sensitive
from conflens.session.analysis import Analysis

CONFLICTING_DEFAULT = "conflicting-default"
UNDOCUMENTED = "undocumented"
SENSITIVE_UNDOCUMENTED = "sensitive-undocumented"
"""Beside ``UNDOCUMENTED``: the option is performance-sensitive."""
UNUSED_READ = "unused-read"


def verdicts(analysis: Analysis) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the verdicts by option key; an option without any is not there."""
    written_down: dict[str, bool] = {}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for option in analysis.options.options:
        judged = []
        if option.conflict and option.type is not OptionType.PASSWORD:
            judged.append(CONFLICTING_DEFAULT)
        if _in_production(option) and is_undocumented(analysis, option, written_down):
            judged.append(UNDOCUMENTED)
            if is_sensitive(analysis, option):
                judged.append(SENSITIVE_UNDOCUMENTED)
        if any(read.unused for read in option.reads):
            judged.append(UNUSED_READ)
        if judged:
            found[option.key] = tuple(judged)
    return found


def _in_production(option: Option) -> bool:
    """Tell whether code outside of tests reads the option."""
    return any(not is_test_path(read.place.path) for read in option.reads)
