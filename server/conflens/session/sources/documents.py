"""The documents of a project, harvested, and its config files: an index that follows the editor and the disk.

The same three steps as for Java (``sources``): size and time, content hash, and only then work.
All of it in process; a document is read once and is small.
Invariants: used by one thread at a time; stopped at any point, repeating the call does the rest.  What a document with a
secret says is not cached.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from conflens.base.cancel import CancelToken
from conflens.base.digest import content_hash
from conflens.base.secrets import is_secret, secrets_in
from conflens.base.system import System
from conflens.documents import DocumentIndex, Harvest, TooDeepError, harvest, is_document
from conflens.documents.configfiles.policy import has_config_name, may_be_config
from conflens.documents.names import words
from conflens.models.schema import DomainRow
from conflens.options.learned.learner import Vocabulary
from conflens.options.learned.wires import Entering
from conflens.session.inputs import policy
from conflens.session.inputs.inputs import OpenDocument
from conflens.session.inputs.policy import SourceFile
from conflens.session.sources.config_files import ConfigFiles, Unparsed
from conflens.session.sources.vocabulary import Stated
from conflens.session.sources.wires import Wires
from conflens.session.store.cache import Cache, Entry
from conflens.session.store.stored import decode_harvest, encode_harvest

_log = logging.getLogger("conflens.session.documents")

_REBUILD_FROM = 8


Named = Callable[[str], bool | None]
"""What the user says of a path: whether it is a config file."""


def _nothing_named(_path: str) -> bool | None:
    return None


def _holds_secret(found: Harvest, text: str) -> bool:
    """Whether what is found in a document holds something that must not be kept elsewhere: a value that is stated for a name,
    or a word of a secret in its text.  It is read again each time."""
    return any(
        is_secret(mention.name, value)
        for mention in found.mentions
        for value in (mention.value, mention.default, *mention.said.values)
        if value is not None
    ) or any(
        word in found.words or word in found.by_name
        for secret in secrets_in(text)
        for word, _ in words(secret)
    )


class Papers:
    """The harvests by path, and their index."""

    def __init__(self, system: System, cache: Cache | None) -> None:
        self._system = system
        self._cache = cache
        self._hashes: dict[str, bytes] = {}
        self._pending: dict[str, Harvest | None] = {}
        self.harvests: dict[str, Harvest] = {}
        self.reasons: dict[str, str] = {}
        self.index = DocumentIndex.build({})
        self.config_files = ConfigFiles(system, {})
        self._unparsed: dict[str, Unparsed] = {}
        self._named: Named = _nothing_named
        self._stated = Stated()
        self._wires = Wires()

    @property
    def blobs_in_use(self) -> frozenset[bytes]:
        """The keys of the cache in use."""
        return frozenset(self._hashes.values())

    def remove(self, path: str) -> None:
        """Forget a document that is gone."""
        self._hashes.pop(path, None)
        self.reasons.pop(path, None)
        self._unparsed.pop(path, None)
        if self.harvests.pop(path, None) is not None:
            self._pending[path] = None

    def update(
        self,
        files: Iterable[SourceFile],
        documents: Mapping[str, OpenDocument],
        entries: dict[str, Entry],
        token: CancelToken,
        named: Named,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        """Harvest what is new or changed; ``entries`` is the memory of the disk, and grows.

        ``named`` says which files the user names as config files."""
        if named is not self._named:
            self._named = named
            for path in self._hashes:
                self._judge_again(path, documents)
        news: list[tuple[str, Entry]] = []
        texts: dict[str, bytes] = {}
        wanted: dict[str, bytes] = {}
        for file in files:
            token.check()
            entry = entries.get(file.path)
            if file.path in documents:
                continue
            if entry is None or entry.stat != file.stat:
                text = self._read(file.path)
                if text is None:
                    continue
                reason = policy.NOT_TEXT if b"\0" in text else ""
                entry = Entry(file.stat, content_hash(text, file.path), reason)
                news.append((file.path, entry))
                texts[file.path] = text
            if self._hashes.get(file.path) == entry.hash:
                continue
            if entry.reason:
                self.remove(file.path)
                self.reasons[file.path] = entry.reason
                self._hashes[file.path] = entry.hash
            else:
                wanted[file.path] = entry.hash
        for path, document in documents.items():
            digest = content_hash(document.text, path)
            if self._hashes.get(path) != digest:
                wanted[path] = digest
                texts[path] = document.text
        self._harvest(wanted, texts, documents, token, between)
        entries.update(news)
        if self._cache is not None:
            self._cache.store(news, ())

    def publish(self) -> DocumentIndex:
        """Return the index of all harvests."""
        if len(self._pending) >= _REBUILD_FROM:
            self.index = DocumentIndex.build(self.harvests)
        else:
            for path, found in self._pending.items():
                self.index = self.index.with_document(path, found)
        self._pending.clear()
        if self._unparsed != self.config_files.files:
            self.config_files = ConfigFiles(self._system, dict(self._unparsed))
        return self.index

    def vocabulary(self) -> Vocabulary:
        """Return the names that all documents and config files state, with the values stated."""
        return self._stated.of(self.publish(), self.config_files)

    def entering(self, rows: Sequence[DomainRow]) -> tuple[Entering, ...]:
        """Return what files of beans give members of classes."""
        self.publish()
        return self._wires.of(self.config_files, rows)

    def _harvest(
        self,
        wanted: Mapping[str, bytes],
        texts: Mapping[str, bytes],
        opened: Collection[str],
        token: CancelToken,
        between: Callable[[], None],
    ) -> None:
        # What is being typed is not stored: nobody asks for it again, and each key stroke would write.
        stored = {path: digest for path, digest in wanted.items() if path not in opened}
        known = self._cache.blobs(set(stored.values())) if self._cache and stored else {}
        made: list[tuple[bytes, bytes]] = []
        for path, digest in wanted.items():
            token.check()
            self._take_config_file(path, texts.get(path) if path in opened else None)
            data = known.get(digest) if path in stored else None
            found = None if data is None else decode_harvest(data)
            if (may_be_config(path) or self._named(path)) and not is_document(path):
                found = Harvest()
            if found is None:
                data = texts.get(path)
                if data is None:
                    data = self._read(path)
                if data is None:
                    continue
                text = data.decode("utf-8", "replace")
                try:
                    found = harvest(path, text)
                except TooDeepError:
                    self._leave_out(path, digest, "nested too deeply")
                    continue
                except Exception as error:  # a fault of ours in one document must not cost all
                    _log.exception("harvesting %s failed", path)
                    self._leave_out(path, digest, f"not understood: {type(error).__name__}")
                    continue
                if path in stored and not _holds_secret(found, text):
                    made.append((digest, encode_harvest(found)))
                between()
            self.harvests[path] = found
            self._hashes[path] = digest
            self._pending[path] = found
            self.reasons.pop(path, None)
        if self._cache is not None:
            self._cache.store((), made)

    def _leave_out(self, path: str, digest: bytes, reason: str) -> None:
        self.remove(path)
        self.reasons[path] = reason
        self._hashes[path] = digest

    def _take_config_file(self, path: str, text: bytes | None) -> None:
        if has_config_name(path) or self._named(path):
            self._unparsed[path] = Unparsed(path, text)

    def _judge_again(self, path: str, documents: Mapping[str, OpenDocument]) -> None:
        """Take a known file in as a config file, or let it go, after the user's word has changed."""
        if not (has_config_name(path) or self._named(path)):
            self._unparsed.pop(path, None)
        elif path not in self._unparsed and path not in self.reasons:
            document = documents.get(path)
            self._take_config_file(path, None if document is None else document.text)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._system.read(path)
        except OSError:
            self.remove(path)
            self.reasons[path] = policy.UNREADABLE
            return None
