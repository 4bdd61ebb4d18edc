"""What checks find: codes, severities, findings and their fixes.

Terms
    finding   one thing that cannot be right, at one place, with a message of one sentence for a person.
    fix       edits that mend it; the first fix is the one that is most likely meant.  A fix never loses text that a
              person wrote beyond what it replaces.

Invariant: places are byte offsets of the files' texts as UTF-8.
Absent: what is checked (``subject``), which findings are not wanted (``suppression``).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import attrs

from conflens.base.span import Place


class Severity(StrEnum):
    """How loudly a finding is shown."""

    OFF = "off"
    HINT = "hint"
    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"


class Code(StrEnum):
    """The identity of a kind of finding."""

    CONFLICTING_DEFAULT = "conflicting-default"
    """Reads in code give different defaults."""
    DEFAULT_MISMATCH = "default-mismatch"
    """A document states another default than the code."""
    TYPE_MISMATCH = "type-mismatch"
    """Two reads, or a read and its default, take the value for different types."""
    UNUSED_READ = "unused-read"
    DEAD_OPTION = "dead-option"
    """An option is read, and none of its reads is ever used."""
    DEPRECATED_OPTION = "deprecated-option"
    UNDOCUMENTED_OPTION = "undocumented-option"
    SENSITIVE_UNDOCUMENTED = "sensitive-undocumented"
    REACHES_OPERATION = "reaches-operation"

    UNUSED_OPTION = "unused-option"
    """A document or config file mentions an option that code never reads."""
    UNKNOWN_OPTION = "unknown-option"
    """A key is no option, but nearly one; or its namespace is fully known."""
    INVALID_VALUE = "invalid-value"
    ADJUSTED_VALUE = "adjusted-value"
    """The code replaces the value by another one."""
    INEFFECTIVE_OPTION = "ineffective-option"
    """An option is set although another one that it needs is off."""
    DUPLICATE_KEY = "duplicate-key"
    OVERRIDDEN_KEY = "overridden-key"
    PLACEHOLDER = "placeholder"
    """``${…}`` that nothing resolves, or that leads back to itself."""


SEVERITIES: Mapping[Code, Severity] = {
    Code.CONFLICTING_DEFAULT: Severity.WARNING,
    Code.DEFAULT_MISMATCH: Severity.INFORMATION,
    Code.TYPE_MISMATCH: Severity.WARNING,
    Code.UNUSED_READ: Severity.HINT,
    Code.DEAD_OPTION: Severity.HINT,
    Code.DEPRECATED_OPTION: Severity.HINT,
    Code.UNDOCUMENTED_OPTION: Severity.HINT,
    Code.SENSITIVE_UNDOCUMENTED: Severity.INFORMATION,
    Code.REACHES_OPERATION: Severity.OFF,
    Code.UNUSED_OPTION: Severity.INFORMATION,
    Code.UNKNOWN_OPTION: Severity.WARNING,
    Code.INVALID_VALUE: Severity.WARNING,
    Code.ADJUSTED_VALUE: Severity.INFORMATION,
    Code.INEFFECTIVE_OPTION: Severity.INFORMATION,
    Code.DUPLICATE_KEY: Severity.WARNING,
    Code.OVERRIDDEN_KEY: Severity.INFORMATION,
    Code.PLACEHOLDER: Severity.WARNING,
}
"""How loud each is unless a person sets something else."""

Key = tuple[str, str]
"""An option's ``(domain, name)``."""


@attrs.frozen(order=True)
class Edit:
    """Replaces the text at a place; an empty place inserts."""

    place: Place
    text: str


@attrs.frozen
class Fix:
    """One way to mend a finding.  ``title`` is an imperative: ``Change to max.poll.records``.  ``value`` is what the value that
    is edited reads as afterwards, ``name`` what the key is called then; where both are missing, entries are taken out.
    ``sure``: it may be applied without looking; one that is not is right for what is known to read the value only."""

    title: str
    edits: tuple[Edit, ...]
    value: str | None = None
    name: str = ""
    sure: bool = attrs.field(default=True, kw_only=True)


class Reason(StrEnum):
    """What a finding is suppressed by."""

    COMMENT = "comment"
    RULE = "rule"
    BASELINE = "baseline"


@attrs.frozen
class Finding:
    """One finding; ``related`` are other places, each with what to say of it.  ``options`` are the keys of the options
    it is about (what suppression by glob and baselines go by, beside ``name``, the key or name as it stands in the file).
    ``suppressed`` is why it is not wanted, ``None`` if it is."""

    code: Code
    place: Place
    message: str
    name: str = ""
    options: tuple[Key, ...] = ()
    related: tuple[tuple[Place, str], ...] = ()
    fixes: tuple[Fix, ...] = ()
    severity: Severity = attrs.field(kw_only=True)
    suppressed: Reason | None = attrs.field(default=None, kw_only=True)

    @severity.default
    def _usual(self) -> Severity:
        return SEVERITIES[self.code]
