"""What is wrong with options as a whole, over all files: for lists of options, not for places.

How loud a kind is and what is suppressed do not count here.  An undocumented option that is performance-sensitive has
both codes.
"""

from __future__ import annotations

from collections.abc import Mapping

from conflens.checking.code import has_conflict
from conflens.checking.documentation import Documentation, reported_at
from conflens.checking.results import Code, Key
from conflens.checking.subject import Subject


def option_codes(subject: Subject) -> Mapping[Key, tuple[Code, ...]]:
    """Return the codes by option; an option without any is not there."""
    documentation = Documentation(subject)
    found: dict[Key, tuple[Code, ...]] = {}
    for option in subject.options.options:
        codes = []
        if has_conflict(option):
            codes.append(Code.CONFLICTING_DEFAULT)
        if reported_at(option) is not None and documentation.lacks(option):
            codes.append(Code.UNDOCUMENTED_OPTION)
            if subject.sensitivity.is_evidently_sensitive(option.key):
                codes.append(Code.SENSITIVE_UNDOCUMENTED)
        if any(read.unused for read in option.reads):
            codes.append(Code.UNUSED_READ)
        if codes:
            found[option.key] = tuple(codes)
    return found
