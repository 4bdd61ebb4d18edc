"""Whether the Java sources that a run ran have changed since its snapshot was imported.

Content decides, not times: a copied folder or a branch that was checked out and back again holds the same sources.  What
files held is kept with the snapshot (``SourceState``) as soon as it and a whole program are at hand; only files that
declare a class of the run's frames count.

Terms: a *fingerprint* is a digest of a file's declarations and code, without comments between its members.
Invariant: fingerprints of another format of facts are never compared.  Absent: where sources differ from those of the run
already when it is imported; lines are checked one by one (``diagnosis.lines``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from conflens.facts.model import FORMAT, FileFacts
from conflens.program.program import Program
from conflens.session.snapshots.store import SourceState

MAX_FILES = 2_000
_DIGEST = 8


class SourceChanges:
    """See the module text; remembers the fingerprints of the files of the last program."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[str, tuple[FileFacts, bytes]] = {}

    def state_of(self, program: Program, classes: Collection[str]) -> SourceState:
        """Return what the files that declare ``classes`` (simple names of outermost classes) hold now."""
        wanted = frozenset(classes)
        files = [
            (path, self._fingerprint(path, facts))
            for path, facts in sorted(program.files.items())
            if any(decl.outer < 0 and decl.name in wanted for decl in facts.types)
        ]
        return SourceState(FORMAT, tuple(files[:MAX_FILES]))

    def have_changed(self, program: Program, state: SourceState) -> bool:
        """Tell whether any file holds something else than it did, or is gone."""
        if not is_comparable(state):
            return False
        for path, fingerprint in state.files:
            facts = program.files.get(path)
            if facts is None or self._fingerprint(path, facts) != fingerprint:
                return True
        return False

    def _fingerprint(self, path: str, facts: FileFacts) -> bytes:
        known = self._known.get(path)
        if known is None or known[0] is not facts:
            digest = hashlib.blake2b(facts.surface, digest_size=_DIGEST)
            for member in facts.members:
                digest.update(member.digest)
            known = self._known[path] = facts, digest.digest()
        return known[1]


def is_comparable(state: SourceState | None) -> bool:
    """Tell whether a state is there, and of this format."""
    return state is not None and state.format == FORMAT
