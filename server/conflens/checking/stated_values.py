"""Lists of values that documents state for an option, such as the comment beside a key that says ``A | B``.

A list counts as the option's values only if it contains the value set next to it, or one that the code uses; otherwise the comment
may be about something else.  What several documents list counts together; those of one version are left out.
Absent: whether code accepts a value (``values``), how a list is found in a text (``documents.stated``).
"""

from __future__ import annotations

import attrs

from conflens.base.paths import is_test_path
from conflens.checking.documents import is_of_a_version
from conflens.checking.subject import Subject
from conflens.documents import DocumentRef, MentionKind
from conflens.options.model import Option
from conflens.options.names.spelling import squashed


@attrs.frozen
class StatedValues:
    """All values that documents list, and the name of the file that is best to be told."""

    values: tuple[str, ...]
    document: str


def of(subject: Subject, option: Option, name: str, path: str) -> StatedValues | None:
    """Return what documents list for an option, which the file ``path`` calls ``name``; ``None`` if none does."""
    found: dict[str, str] = {}
    documents: list[str] = []
    refs = dict.fromkeys((*subject.documents.find(name), *subject.documented(option)))
    for ref in sorted(refs, key=lambda one: (one.path != path, one.path, one.line)):
        if not ref.said.values or not _is_given(subject, ref, option):
            continue
        documents.append(ref.path)
        for value in ref.said.values:
            found.setdefault(squashed(value), value)
    if not documents:
        return None
    return StatedValues(tuple(found.values()), documents[0].rpartition("/")[2])


def _is_given(subject: Subject, ref: DocumentRef, option: Option) -> bool:
    """Tell whether the list of an entry is that of the option: it has a value that the option is known to take."""
    if ref.kind is not MentionKind.ENTRY or is_test_path(ref.path) or is_of_a_version(ref.path):
        return False
    if not subject.recognised.belongs(option, ref.path):
        return False
    known = (ref.default, ref.value, *option.values, *(one.text for one in option.defaults))
    listed = set(map(squashed, ref.said.values))
    return any(one is not None and squashed(one.strip()) in listed for one in known)
