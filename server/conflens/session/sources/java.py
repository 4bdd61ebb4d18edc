"""The facts of every Java file, kept up to date with the editor and the disk.

An open document is lowered from its editor text, in process, reusing its last tree.  A file on
disk is looked up by size and time, then by the hash of its content, and only then lowered: in
process when there is little to do, in worker processes otherwise.

Terms: ``changed`` are the paths whose facts differ from those the last program was made of.
Invariants: used by one thread at a time.  Stopped at any point (``Cancelled`` or an error), what
has been done stays and is right, and repeating the call does the rest.  A file that cannot be
lowered becomes a ``LeftOut`` and a log line, never an exception.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping

import attrs

from conflens.base.cancel import CancelToken
from conflens.base.digest import content_hash
from conflens.base.system import FileStat, System
from conflens.facts.codec import CorruptFactsError, decode, encode
from conflens.facts.known import Known
from conflens.facts.lower import lower, lower_tree
from conflens.facts.model import FileFacts
from conflens.session.inputs import policy
from conflens.session.inputs.inputs import OpenDocument
from conflens.session.inputs.policy import SourceFile
from conflens.session.store.cache import Cache, Entry
from conflens.session.workers.pool import Job, Pool, PoolOptions
from conflens.syntax.java import Tree, parse, reparse

_log = logging.getLogger("conflens.session.sources.java")

_STORE_BYTES = 2_000_000
_REMEMBERED = 10_000


@attrs.frozen
class Plan:
    """What is left to do for files on disk after the cache was asked: the texts to lower.

    ``paths`` are the files of each content hash.
    """

    texts: Mapping[bytes, bytes] = attrs.field(repr=False)
    paths: Mapping[bytes, tuple[str, ...]]

    @property
    def size(self) -> int:
        """Bytes of source to lower."""
        return sum(map(len, self.texts.values()))


@attrs.frozen
class Lowering:
    """How cold files are lowered: below ``in_process_bytes`` no worker is started."""

    pool: PoolOptions
    in_process_bytes: int = 1_500_000


class Sources:
    """See the module text.  ``lowered`` lists what was lowered last."""

    def __init__(self, system: System, cache: Cache | None, lowering: Lowering) -> None:
        self._system = system
        self._cache = cache
        self.lowering = lowering
        self.include_generated = False
        self.facts: dict[str, FileFacts] = {}
        self.changed: set[str] = set()
        self.reasons: dict[str, str] = {}
        self.lowered: deque[str] = deque(maxlen=_REMEMBERED)
        self.cached = 0
        self.peak_kb = 0
        self.entries: dict[str, Entry] = cache.entries() if cache else {}
        self._hashes: dict[str, bytes] = {}
        self._trees: dict[str, Tree] = {}
        self._known: dict[str, Known] = {}
        self._applied: dict[str, OpenDocument] = {}
        self._slow: set[str] = set()

    @property
    def many_bytes(self) -> int:
        """So much source takes long."""
        return self.lowering.in_process_bytes

    @property
    def size(self) -> int:
        """Bytes of source that there are facts of."""
        return sum(facts.length for facts in self.facts.values())

    @property
    def hashes(self) -> Mapping[str, bytes]:
        """The hash of each content that there are facts of."""
        return {path: self._hashes[path] for path in self.facts}

    @property
    def blobs_in_use(self) -> frozenset[bytes]:
        """The keys of the cache in use."""
        return frozenset(self._hashes.values())

    def remove(self, path: str) -> None:
        """Forget a file that is gone."""
        self._hashes.pop(path, None)
        self.reasons.pop(path, None)
        self._close(path)
        if self.facts.pop(path, None) is not None:
            self.changed.add(path)

    def forget_generated(self) -> None:
        """Have generated files looked at anew although their content is the same."""
        for path, entry in self.entries.items():
            if entry.reason == policy.GENERATED:
                self._hashes.pop(path, None)
                self._applied.pop(path, None)

    def update_open(self, documents: Mapping[str, OpenDocument], token: CancelToken) -> None:
        """Lower the open documents that are new or changed; close the others."""
        for path in self._applied.keys() - documents.keys():
            self._close(path)
        for path, document in documents.items():
            if self._applied.get(path) is document:
                continue
            token.check()
            digest = content_hash(document.text)
            if self._hashes.get(path) != digest:
                self._lower_open(path, document.text)
                self._hashes[path] = digest
            self._applied[path] = document

    def look_up(
        self, files: Iterable[SourceFile], token: CancelToken, open_paths: Iterable[str] = ()
    ) -> Plan:
        """Bring files on disk up to date as far as the cache can; return what is left.

        ``open_paths`` have their facts from the editor; only the cache learns of their disk state.
        """
        news: list[tuple[str, Entry]] = []
        texts: dict[bytes, bytes] = {}
        wanted: dict[bytes, list[str]] = {}
        unsaved = frozenset(open_paths)
        for file in files:
            token.check()
            path = file.path
            entry = self.entries.get(path)
            if entry is None or entry.stat != file.stat:
                text = self._read(path)
                if text is None:
                    continue
                entry = Entry(file.stat, content_hash(text), policy.content_reason(path, text))
                news.append((path, entry))
                texts[entry.hash] = text
            if path in unsaved or self._hashes.get(path) == entry.hash:
                continue
            if self._kept_out(entry.reason):
                self._leave_out(path, entry.reason)
                self._hashes[path] = entry.hash
            else:
                wanted.setdefault(entry.hash, []).append(path)
        self._remember(news)
        return self._load(wanted, texts)

    def lower(
        self,
        plan: Plan,
        token: CancelToken,
        progress: Callable[[int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        """Lower what a plan holds.

        ``progress`` is told the number of files done; ``meanwhile`` is called often and may work a
        little while the workers do.
        """
        slow = any(path in self._slow for paths in plan.paths.values() for path in paths)
        done = 0
        unsaved: list[tuple[bytes, bytes]] = []

        def take(digest: bytes, data: bytes | None, reason: str) -> None:
            nonlocal done
            for path in plan.paths[digest]:
                self._finish(path, digest, data, reason)
            done += len(plan.paths[digest])
            if data is not None:
                unsaved.append((digest, data))
            if sum(len(item) for _, item in unsaved) > _STORE_BYTES:
                self._save(unsaved)
            progress(done)
            meanwhile()

        try:
            if slow or (
                plan.size >= self.lowering.in_process_bytes and self.lowering.pool.workers > 0
            ):
                self._lower_in_workers(plan, token, take, meanwhile)
            else:
                for digest, text in plan.texts.items():
                    token.check()
                    data, reason = _lowered(text)
                    take(digest, data, reason)
        finally:
            self._save(unsaved)

    def _lower_in_workers(
        self,
        plan: Plan,
        token: CancelToken,
        take: Callable[[bytes, bytes | None, str], None],
        meanwhile: Callable[[], None],
    ) -> None:
        jobs = [Job(digest.hex(), text) for digest, text in plan.texts.items()]
        pool = Pool(jobs, self.lowering.pool)
        try:
            meanwhile()
            for result in pool.results(token):
                digest = bytes.fromhex(result.key)
                if result.data is None and result.late:
                    self._slow.update(plan.paths[digest])
                take(digest, result.data, result.reason)
        finally:
            pool.close()
            self.peak_kb = max(self.peak_kb, pool.peak_kb)

    def _load(self, wanted: Mapping[bytes, list[str]], texts: Mapping[bytes, bytes]) -> Plan:
        """Decode what the cache has of ``wanted``; the rest is the plan."""
        missing: dict[bytes, bytes] = {}
        paths: dict[bytes, tuple[str, ...]] = {}
        blobs = self._cache.blobs(wanted) if self._cache and wanted else {}
        for digest, users in wanted.items():
            facts = _decoded(blobs.get(digest))
            if facts is not None:
                for path in users:
                    self._set(path, digest, facts)
                self.cached += len(users)
                continue
            text = texts.get(digest)
            if text is None:
                text = self._read(users[0])
            if text is not None:
                # A file that changed since it was looked at is taken as it is now.
                now = content_hash(text)
                missing[now] = text
                paths[now] = (*paths.get(now, ()), *users)
        return Plan(missing, paths)

    def _lower_open(self, path: str, text: bytes) -> None:
        reason = policy.content_reason(path, text)
        if self._kept_out(reason) or len(text) > policy.MAX_BYTES:
            self._leave_out(path, reason or policy.TOO_LARGE)
            return
        if path in self._slow:
            self._applied.pop(path, None)
            plan = Plan({content_hash(text): text}, {content_hash(text): (path,)})
            self.lower(plan, CancelToken(), lambda _: None, lambda: None)
            return
        old = self._trees.pop(path, None)
        try:
            tree = parse(text) if old is None else reparse(old, text)
            facts = lower_tree(tree, self._known.setdefault(path, Known()))
        except Exception as error:  # a fault of ours in one file must not cost the others
            self._known.pop(path, None)
            self._leave_out(path, f"not understood: {type(error).__name__}: {error}")
            _log.exception("lowering %s failed", path)
            return
        self._trees[path] = tree
        self.lowered.append(path)
        self._set(path, b"", facts)

    def _finish(self, path: str, digest: bytes, data: bytes | None, reason: str) -> None:
        facts = _decoded(data)
        self.lowered.append(path)
        if path in self._applied:
            return
        if facts is None:
            _log.warning("%s is left out: %s", path, reason)
            self._leave_out(path, reason)
            self._hashes[path] = digest
        else:
            self._set(path, digest, facts)

    def _set(self, path: str, digest: bytes, facts: FileFacts) -> None:
        self.facts[path] = facts
        self._hashes[path] = digest
        self.reasons.pop(path, None)
        self.changed.add(path)

    def _leave_out(self, path: str, reason: str) -> None:
        self.reasons[path] = reason
        if self.facts.pop(path, None) is not None:
            self.changed.add(path)

    def _kept_out(self, reason: str) -> bool:
        return bool(reason) and not (self.include_generated and reason == policy.GENERATED)

    def _close(self, path: str) -> None:
        self._trees.pop(path, None)
        self._known.pop(path, None)
        self._applied.pop(path, None)

    def _read(self, path: str) -> bytes | None:
        try:
            return self._system.read(path)
        except OSError:
            self._leave_out(path, policy.UNREADABLE)
            self._hashes.pop(path, None)
            return None

    def _remember(self, news: list[tuple[str, Entry]]) -> None:
        self.entries.update(news)
        if self._cache is None:
            return
        # A content that came from the editor first has no blob yet.
        blobs = [
            (entry.hash, encode(self.facts[path]))
            for path, entry in news
            if path in self.facts and self._hashes.get(path) == entry.hash
        ]
        self._cache.store(news, blobs)

    def _save(self, blobs: list[tuple[bytes, bytes]]) -> None:
        if self._cache is not None and blobs:
            self._cache.store((), blobs)
        blobs.clear()


def stat_of(system: System, path: str) -> FileStat | None:
    """Return what a look at a file tells, ``None`` when there is none."""
    try:
        return system.stat(path)
    except OSError:
        return None


def _lowered(text: bytes) -> tuple[bytes | None, str]:
    try:
        return encode(lower(text)), ""
    except Exception as error:  # a fault of ours in one file must not cost the others
        _log.exception("lowering failed")
        return None, f"not understood: {type(error).__name__}: {error}"


def _decoded(data: bytes | None) -> FileFacts | None:
    if data is None:
        return None
    try:
        return decode(data)
    except CorruptFactsError:
        return None
