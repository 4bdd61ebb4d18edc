"""What each kind of finding means, for whoever meets it outside of the editor: SARIF's rules.

Invariant: every code has its words (a test holds this).
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from conflens.checking.results import Code


@attrs.frozen
class Words:
    """A kind of finding: what it says in one sentence, and what to do about it."""

    summary: str
    help: str


WORDS: Mapping[Code, Words] = {
    Code.CONFLICTING_DEFAULT: Words(
        "Reads of the same option use different defaults.",
        "Which default applies depends on which code runs. Keep one, ideally in a constant that all reads use.",
    ),
    Code.DEFAULT_MISMATCH: Words(
        "A document states a different default from the code.",
        "Readers of the document expect a different value if the option is not set. Correct the document or the code.",
    ),
    Code.TYPE_MISMATCH: Words(
        "An option is read as different types.",
        "A value that is valid in one place fails or is truncated in another. Read it as the same type everywhere.",
    ),
    Code.UNUSED_READ: Words(
        "An option is read here, but its value is never used.",
        "Remove the read or use the value. Setting the option currently has no effect here.",
    ),
    Code.DEAD_OPTION: Words(
        "An option is read, but its value is never used anywhere.",
        "Setting the option has no effect. Remove it from the code and the documents, or use its value.",
    ),
    Code.DEPRECATED_OPTION: Words(
        "A deprecated option is used.",
        "Use its replacement; the option may be removed.",
    ),
    Code.UNDOCUMENTED_OPTION: Words(
        "An option is not mentioned in any document of the project, but other options of its kind are.",
        "Describe it next to the other options, or mark it as internal with a comment that suppresses this finding.",
    ),
    Code.SENSITIVE_UNDOCUMENTED: Words(
        "A performance-sensitive option is undocumented.",
        "Its value probably affects performance, but users cannot know that the option exists.",
    ),
    Code.REACHES_OPERATION: Words(
        "An option reaches an operation that costs time or memory.",
        "This is not an error. The steps lead from the option to the operation.",
    ),
    Code.UNUSED_OPTION: Words(
        "A document or config file mentions an option that the code never reads.",
        "The option has no effect. Remove it or correct its name. If another program reads it, suppress the finding by name.",
    ),
    Code.UNKNOWN_OPTION: Words(
        "A key does not match any option of the program.",
        "The key has no effect, most likely because of a typo in its name. Correct it as suggested.",
    ),
    Code.INVALID_VALUE: Words(
        "The program does not accept a value.",
        "The program fails or falls back to another value. Enter a value of the correct type and range.",
    ),
    Code.ADJUSTED_VALUE: Words(
        "The program replaces a value by another one.",
        "The value that is written is not the one that takes effect. Enter the one that does.",
    ),
    Code.INEFFECTIVE_OPTION: Words(
        "An option is set although another option that it needs is off.",
        "The value is not used. Turn the other option on, or remove this one.",
    ),
    Code.DUPLICATE_KEY: Words(
        "A key occurs twice in a file.",
        "Only one of the two takes effect. Remove the other.",
    ),
    Code.OVERRIDDEN_KEY: Words(
        "A value is overridden by another assignment.",
        "The value here has no effect. Remove one of them.",
    ),
    Code.PLACEHOLDER: Words(
        "A placeholder cannot be resolved or refers to itself.",
        "The program uses the placeholder's text as the value, or fails. Define the key that it refers to.",
    ),
}
