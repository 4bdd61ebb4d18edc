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
        "Places in the code give one option different defaults.",
        "Which default holds depends on which code runs. Keep one, best in a constant that all reads use.",
    ),
    Code.DEFAULT_MISMATCH: Words(
        "A document states another default than the code gives.",
        "Whoever goes by the document is wrong about what happens without the option. Correct one of them.",
    ),
    Code.TYPE_MISMATCH: Words(
        "The value of one option is taken for different types.",
        "A value that suits one place fails or is cut off at the other. Read it in one way.",
    ),
    Code.UNUSED_READ: Words(
        "An option is read here and its value is never used.",
        "Remove the read, or use the value; as it stands, setting the option changes nothing here.",
    ),
    Code.DEAD_OPTION: Words(
        "An option is read, but none of its reads is ever used.",
        "Setting it changes nothing. Remove it from code and documents, or use its value.",
    ),
    Code.DEPRECATED_OPTION: Words(
        "A deprecated option is used.",
        "Use what replaces it; the option may go away.",
    ),
    Code.UNDOCUMENTED_OPTION: Words(
        "An option is mentioned in no document of the project, while others of its kind are.",
        "Describe it where the others are, or declare it internal with a comment that suppresses this.",
    ),
    Code.SENSITIVE_UNDOCUMENTED: Words(
        "A performance-sensitive option is documented nowhere.",
        "Its value probably changes what the program costs, and nobody can know that it is there.",
    ),
    Code.REACHES_OPERATION: Words(
        "An option reaches an operation that costs time or memory.",
        "Nothing is wrong; the steps lead from the option to the operation.",
    ),
    Code.UNUSED_OPTION: Words(
        "A document or config file mentions an option that the code never reads.",
        "It has no effect. Remove it, or correct its name; if another program reads it, ignore it by name.",
    ),
    Code.UNKNOWN_OPTION: Words(
        "A key is no option of the program.",
        "It has no effect, most likely because of a slip in its name. Correct it as suggested.",
    ),
    Code.INVALID_VALUE: Words(
        "A value is not what the program accepts.",
        "The program fails or falls back to something else. Give a value of the right type and range.",
    ),
    Code.DUPLICATE_KEY: Words(
        "A key stands twice in a file.",
        "Only one of them counts. Remove the other.",
    ),
    Code.OVERRIDDEN_KEY: Words(
        "A value is overridden by one further on.",
        "The value here has no effect. Remove one of them.",
    ),
    Code.PLACEHOLDER: Words(
        "A placeholder cannot be resolved, or leads back to itself.",
        "The program sees the placeholder's text, or fails. Define what it names.",
    ),
}
