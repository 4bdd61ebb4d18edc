"""Documents: where a project's options are mentioned, and what is said of them there.

`harvest` turns one document's text into what it says about names, a pure function to be cached
by content; `DocumentIndex` joins the harvests of a project and answers for one option;
`is_document` is the policy which files are searched. Terms are defined in `mention`, what counts
as a name in `names`.

Absent: reading files, knowing options, documentation comments (`facts.javadoc`), and editing
documents.
"""

from conflens.documents.index import MAX_REFERENCES, DocumentIndex, DocumentRef
from conflens.documents.mention import (
    MAX_CHARACTERS,
    Harvest,
    Mention,
    MentionKind,
    TooDeepError,
)
from conflens.documents.policy import Format, format_of, is_document
from conflens.documents.stated import NOTHING, Stated


def harvest(path: str, text: str) -> Harvest:
    """Return everything the document at ``path`` says about names; only its name is taken from ``path``."""
    from conflens.documents import harvesting  # noqa: PLC0415 - most commands find the harvests stored

    return harvesting.harvest(path, text)


__all__ = [
    "MAX_CHARACTERS",
    "MAX_REFERENCES",
    "NOTHING",
    "DocumentIndex",
    "DocumentRef",
    "Format",
    "Harvest",
    "Mention",
    "MentionKind",
    "Stated",
    "TooDeepError",
    "format_of",
    "harvest",
    "is_document",
]
