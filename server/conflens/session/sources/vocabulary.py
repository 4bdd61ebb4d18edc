"""The names that documents and config files state with a value: what ``options.learned`` compares names in code with.

Tests, and resources of a cluster (YAML with ``apiVersion`` and ``kind``), do not count: their names are not the program's.
Nor do texts for people: files of texts for the user interface, told by their names and folders, and values that are sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from conflens.base.paths import is_test_path
from conflens.documents import DocumentIndex, Harvest
from conflens.documents.configfiles.model import ConfigFile
from conflens.documents.mention import MentionKind
from conflens.documents.policy import is_bundle
from conflens.options.learned.evidence import is_name
from conflens.options.learned.learner import Vocabulary

_Of = tuple[tuple[str, str], ...]
"""Names with a stated value each."""
_RESOURCE = frozenset({"apiVersion", "kind"})
"""What every resource of a cluster sets."""
_SENTENCE = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]++['\u2019.:,;!?]*+ ++){3}")
"""Words with nothing but blanks between them; looked for from the beginning of each word only."""


class Stated:
    """Gathers, and keeps what each file states until it is another."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, bool], tuple[object, _Of]] = {}
        self._last: tuple[DocumentIndex, Mapping[str, ConfigFile]] | None = None
        self._vocabulary: Vocabulary = {}

    def of(self, documents: DocumentIndex, files: Mapping[str, ConfigFile]) -> Vocabulary:
        """Return what all files state; the same object while they are the same."""
        if self._last is not None and self._last[0] is documents and self._last[1] is files:
            return self._vocabulary
        kept: dict[tuple[str, bool], tuple[object, _Of]] = {}
        found: dict[str, set[str]] = {}
        sources: list[tuple[str, Harvest | ConfigFile]] = [*documents.harvests.items()]
        sources += ((path, files[path]) for path in files)
        for path, source in sources:
            if is_test_path(path) or is_bundle(path):
                continue
            key = path, isinstance(source, Harvest)
            known = self._kept.get(key)
            if known is None or known[0] is not source:
                known = source, tuple(_stated(source))
            kept[key] = known
            for name, value in known[1]:
                found.setdefault(name, set()).add(value)
        self._kept = kept
        vocabulary = {name: frozenset(values) for name, values in found.items()}
        if vocabulary != self._vocabulary:
            self._vocabulary = vocabulary
        self._last = documents, files
        return self._vocabulary


def _stated(source: Harvest | ConfigFile) -> Iterator[tuple[str, str]]:
    if source.by_name.keys() >= _RESOURCE:
        return
    if isinstance(source, Harvest):
        for mention in source.mentions:
            if mention.kind is MentionKind.ENTRY and is_name(mention.name):
                for value in (mention.default, mention.value):
                    if value is not None and _SENTENCE.search(value) is None:
                        yield mention.name, value.lower()
    else:
        for name, found in source.by_name.items():
            if is_name(name):
                for one in found:
                    value = one.value.text if one.value is not None else ""
                    if _SENTENCE.search(value) is None:
                        yield name, value.lower()
