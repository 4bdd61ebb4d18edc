"""What is joined over all files: the program, its options and their flows, from one set of facts to the
next.

Before options are discovered, rows are learned from the names that documents and config files state (``options.learned``).  An edit
that leaves these rows as they are, and most do, goes on from what was known.

The tables of options and of flows of the last complete scan lie in the cache.  When nothing has changed
since, they are taken from there and nothing is discovered or followed; the first edit then costs a whole
discovery, unless ``prepare`` has done that before.  It also follows the values again: flows that are recalled
are those of another process, so that edits could build on little of them.

Invariant: stopped at any point, program and options stay those of the facts they were last made
of.

Where something costs so much that it may have been cut short (``base.budget``), nothing that was kept is built on: an edited
project says what it would say in a new process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from conflens.base.budget import Fault, Sums
from conflens.base.cancel import CancelToken
from conflens.facts.model import FileFacts
from conflens.flow.results import EMPTY, FlowTable
from conflens.models.jdk import JdkTable
from conflens.models.load import Models
from conflens.operations.find import Operations
from conflens.options.constant_arguments import library_types
from conflens.options.discovery import Discovery, discover
from conflens.options.incremental.flow_analysis import Traced, recalled, trace
from conflens.options.learned.learner import (
    MOST,
    NOTHING_STATED,
    Learned,
    Learner,
    Vocabulary,
)
from conflens.options.learned.wires import Entering
from conflens.options.model import OptionTable
from conflens.program import versions
from conflens.program.implied.complete import Generators
from conflens.program.implied.styles import Styles
from conflens.program.modules.modules import NO_MODULES
from conflens.program.program import Program
from conflens.session.store.cache import Cache
from conflens.session.store.faults import decode_faults, encode_faults
from conflens.session.store.flows import decode_flows, encode_flows
from conflens.session.store.stored import decode_table, encode_table, table_meaning

_TABLE = "options"
_FLOWS = "flows"
_FAULTS = "faults"


class Joined:
    """The last program and the options discovered in it."""

    def __init__(self, jdk: JdkTable, cache: Cache | None) -> None:
        self._jdk = jdk
        self._cache = cache
        self._program: Program | None = None
        self._discovery: Discovery | None = None
        self._table: OptionTable | None = None
        self._traced: Traced | None = None
        self._flows: FlowTable = EMPTY
        self._models: Models | None = None
        """The rows that the last options were found by, learned ones among them."""
        self._packaged = ""
        """The digest of those rows without the learned ones."""
        self._learner = Learner()
        self.styles = Styles()
        """How generated accessors are called; set before facts are given."""
        self.modules = NO_MODULES
        """Which modules there are; set before facts are given."""
        self._beside = self._said_beside()
        self.faults: tuple[Fault, ...] = ()
        """What had to be given up in the last program."""
        self._stored = b""
        self._meaning = table_meaning() if cache else ""

    @property
    def learned(self) -> tuple[Learned, ...]:
        """Which methods were found to read options by the names they are given."""
        return self._learner.learned

    @property
    def models(self) -> Models:
        """The rows that the options were found by, learned ones among them."""
        assert self._models is not None
        return self._models

    @property
    def options(self) -> OptionTable:
        """The options that code reads or declares."""
        assert self._table is not None
        return self._table

    def update(
        self,
        facts: Mapping[str, FileFacts],
        changed: frozenset[str],
        models: Models,
        token: CancelToken,
        vocabulary: Vocabulary = NOTHING_STATED,
        found: Callable[[Program, OptionTable], object] | None = None,
        entering: tuple[Entering, ...] = (),
    ) -> tuple[Program, OptionTable, FlowTable]:
        """Return program, options and flows of ``facts``, of which ``changed`` differ from the last.

        ``vocabulary`` are the names that are stated beside the sources, ``entering`` what files of beans give classes.
        Equal inputs give the same objects.  ``found`` hears of the options before their values are followed, which
        takes longest.  Raises ``Cancelled``.
        """
        previous, packaged = self._discovery, models.digest
        program, models, same_models = self._learn(facts, changed, models, vocabulary, entering)
        if self._table is not None and same_models and program is self._program:
            return program, self._table, self._flows
        before = self._program if same_models else None
        if before is None:
            discovery, traced = self._all(program, models, token, found)
        else:
            anew = not versions.follows(before, program)
            discovery = discover(program, models, previous, changed if previous else None, token)
            if program.meter.ample or anew:
                if found is not None:
                    found(program, discovery.table)
                traced = trace(discovery, models, Operations, self._traced, changed, token)
            if not (program.meter.ample or anew):
                program = self._build(facts, models)
                discovery, traced = self._all(program, models, token, found)
        self._program, self._discovery, self._models = program, discovery, models
        self._packaged, self._beside = packaged, self._said_beside()
        self._table = discovery.table
        self._traced, self._flows = traced, traced.table
        self.faults = (*discovery.faults.values(), *traced.faults, *self._cut())
        return program, discovery.table, traced.table

    def recall(
        self,
        facts: Mapping[str, FileFacts],
        hashes: Mapping[str, bytes],
        models: Models,
        vocabulary: Vocabulary = NOTHING_STATED,
        entering: tuple[Entering, ...] = (),
    ) -> bool:
        """Take options and flows from the cache if they are of these very files; tell whether they were.

        ``hashes`` are the contents by path.  Only for the first complete analysis.
        """
        if self._cache is None:
            return False
        packaged = models.digest
        program, models, _ = self._learn(facts, frozenset(), models, vocabulary, entering)
        key = self._key(hashes, models)
        data = self._cache.latest(_TABLE, key)
        table = None if data is None else decode_table(data)
        if table is None:
            return False
        data = self._cache.latest(_FLOWS, key)
        stored = None if data is None else decode_flows(data)
        if stored is None:
            return False
        data = self._cache.latest(_FAULTS, key)
        told = None if data is None else decode_faults(data)
        if told is None:
            return False
        self._program = program
        self.faults, sums = told
        program.meter.begin(sums)
        self._discovery, self._models = None, models
        self._packaged, self._beside = packaged, self._said_beside()
        self._table, self._flows = table, stored.table
        self._traced = recalled(stored.table, stored.walks, self._program, models)
        self._stored = key
        return True

    def remember(self, hashes: Mapping[str, bytes]) -> None:
        """Store options, flows and what was cut short for the next start, unless they are stored or something failed."""
        if self._cache is None or self._models is None or self._table is None:
            return
        if self._program is None:
            return
        if not all(fault.bounded for fault in self.faults):
            return
        key = self._key(hashes, self._models)
        if key != self._stored:
            table = encode_table(self._table)
            flows = self._encoded() if table is not None else None
            faults = encode_faults(self.faults, self._program.meter.sums)
            if table is not None and flows is not None and faults is not None:
                self._cache.store_latest(_TABLE, key, table)
                self._cache.store_latest(_FLOWS, key, flows)
                self._cache.store_latest(_FAULTS, key, faults)
            self._stored = key

    def prepare(self, token: CancelToken) -> None:
        """Make ready for edits what ``recall`` has saved.  Raises ``Cancelled``."""
        program, models = self._program, self._models
        if program is None or models is None:
            return
        if self._discovery is None:
            program.meter.begin(Sums())
            self._discovery = discover(program, models, None, None, token)
        if self._traced is not None and self._traced.engine is None:
            # Recalled flows are right, but do not say what was seen in bodies on the way.
            self._traced = trace(self._discovery, models, Operations, None, None, token)

    def _all(
        self,
        program: Program,
        models: Models,
        token: CancelToken,
        found: Callable[[Program, OptionTable], object] | None,
    ) -> tuple[Discovery, Traced]:
        """Return what is found out about a program, built on nothing."""
        discovery = discover(program, models, None, None, token)
        if found is not None:
            found(program, discovery.table)
        return discovery, trace(discovery, models, Operations, None, None, token)

    def _cut(self) -> Iterator[Fault]:
        """Yield a fault if more methods look like reads than are learned."""
        if self._learner.cut:
            message = (
                f"more than {MOST} library methods are given names that documents or config files state; "
                f"only the {MOST} that are given most of them are taken for reads of options"
            )
            yield Fault("", 0, message, bounded=True)

    def _encoded(self) -> bytes | None:
        walks = self._traced.walks if self._traced is not None else None
        return encode_flows(self._flows, walks)

    def _learn(
        self,
        facts: Mapping[str, FileFacts],
        changed: frozenset[str],
        packaged: Models,
        vocabulary: Vocabulary,
        entering: tuple[Entering, ...],
    ) -> tuple[Program, Models, bool]:
        """Return the program, all rows to analyse it by, and whether these are the last ones."""
        program, last = self._program, self._models
        same = self._packaged == packaged.digest and self._beside == self._said_beside()
        if program is None or last is None or not same or not changed <= program.files.keys():
            library = last if same and last is not None else packaged
            program = self._build(facts, library)
        elif changed:
            library = last
            if program.meter.ample:
                program = program.with_files({path: facts.get(path) for path in changed})
            else:
                program = self._build(facts, library)
        else:
            library = last
        models = self._learner.extended(program, packaged, vocabulary, entering)
        if models.digest != library.digest:
            program = self._build(facts, models)
        return program, models, same and last is not None and models.digest == last.digest

    def _build(self, facts: Mapping[str, FileFacts], models: Models) -> Program:
        """Join all files, in the order of paths: of several types with one name the first wins."""
        generators = Generators(models.implied, self.styles)
        return Program.build(facts, self._jdk, library_types(models), generators, self.modules)

    def _said_beside(self) -> tuple[str, str]:
        """Return what is equal while files beside the sources say the same."""
        return self.styles.digest, self.modules.digest

    def _key(self, hashes: Mapping[str, bytes], models: Models) -> bytes:
        digest = hashlib.blake2b(digest_size=20)
        beside = self._said_beside()
        for part in (self._meaning, models.digest, self._jdk.jdk, *beside):
            digest.update(part.encode() + b"\0")
        for path in sorted(hashes):
            digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + hashes[path])
        return digest.digest()
