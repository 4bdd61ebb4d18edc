"""One project, kept analysed: inputs come in, an immutable ``Analysis`` goes out.

The command line calls ``scan`` once.  A server calls ``open``, ``change``, ``close``,
``files_changed`` and ``set_settings`` from its event loop (each only notes the input) and
``rebuild`` on a thread of its own whenever ``pending`` is true; where the client cannot watch
files it also calls ``poll_changes`` on a timer.

A rebuild goes through these steps, and each redoes only what its inputs ask for: settings → walk →
open documents → cache → lowering → documents → program → options → flows → verdicts → publish.  While the first index
is made, an incomplete ``Analysis`` is published as soon as there is something to say about the
open documents, again when they are edited, and when all options are known but not yet where they lead.  The first complete one may lack verdicts: it is
published again when the classifier is there.  An edit is published with the verdicts of before, and
again if it changed any.

Invariants: readers take ``analysis`` without a lock; it is replaced, never changed.  One rebuild
runs at a time.  Inputs that arrive during a rebuild are seen by the next one.  A rebuild that is
cancelled or fails leaves the published analysis as it is and loses no input.
Absent: when to rebuild, debouncing, and everything about a protocol (``lsp``).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import attrs

from conflens.base.cancel import CancelToken
from conflens.base.system import FileStat, System
from conflens.flow.results import EMPTY as NO_FLOWS
from conflens.flow.results import FlowTable
from conflens.models import jdk as jdk_table
from conflens.models.jdk import JdkTable
from conflens.models.load import Models, load_models
from conflens.options.learned.learner import NOTHING_STATED
from conflens.options.model import OptionTable
from conflens.options.secret_arguments import Takers
from conflens.program.implied.styles import Styles
from conflens.program.modules.modules import Modules
from conflens.program.program import Program
from conflens.properties.properties import PropertyTable
from conflens.sensitivity.results import EMPTY as NO_VERDICTS
from conflens.session.analysis import Analysis, LeftOut, Stats
from conflens.session.disposal import Retired
from conflens.session.faults import problems_of
from conflens.session.inputs import configuration
from conflens.session.inputs.configuration import Configuration, Settings
from conflens.session.inputs.events import Events
from conflens.session.inputs.inputs import (
    WHOLE_PROJECT,
    WORKSPACE_FILE,
    Inputs,
    OpenDocument,
    Taken,
)
from conflens.session.inputs.named_files import unread_files
from conflens.session.inputs.policy import (
    MAX_BYTES,
    Discovered,
    Rules,
    SourceFile,
    discover_files,
    is_paper,
    may_leave,
)
from conflens.session.inputs.unsaved import unsaved
from conflens.session.options import SessionOptions
from conflens.session.pipeline import Joined
from conflens.session.recognising import Recognising
from conflens.session.sources.documents import Papers
from conflens.session.sources.files import RealSystem
from conflens.session.sources.java import Plan, Sources, stat_of
from conflens.session.store.cache import Cache
from conflens.session.store.places import cache_file, cache_folder
from conflens.session.store.stored import meaning
from conflens.session.texts import SessionTexts
from conflens.session.verdicts.judging import OFF, Judging, JudgingStatus
from conflens.session.workers.worker import peak_kb

_REPUBLISH_SECONDS = 1.0

Progress = Callable[[int, int], None]
_Found = tuple[list[SourceFile], list[SourceFile]]


def open_session(
    root: str,
    options: SessionOptions | None = None,
    on_publish: Callable[[Analysis], None] | None = None,
) -> Session:
    """Return a session on the folder ``root`` with all that is packaged and the user's cache."""
    options = options or SessionOptions()
    system = RealSystem(root)
    cache = Cache(cache_file(system.root), meaning()) if options.cache else None
    judging = None
    if options.sensitivity:
        judging = Judging(cache_folder() if options.cache else None)
    return Session(
        system, load_models(), jdk_table.packaged(), options, on_publish, cache, judging
    )


class Session:
    """See the module text."""

    def __init__(
        self,
        system: System,
        models: Models,
        jdk: JdkTable,
        options: SessionOptions | None = None,
        on_publish: Callable[[Analysis], None] | None = None,
        cache: Cache | None = None,
        judging: Judging | None = None,
    ) -> None:
        """Take what is needed; nothing is read before the first ``scan`` or ``rebuild``."""
        options = options or SessionOptions()
        self._system = system
        self._models = models
        self._takers = Takers(models.secrets, models.secret_words)
        self._cache = cache
        self._on_publish = on_publish
        self._inputs = Inputs()
        self._settings = options.settings
        self._keep_ready = options.interactive
        self._writing = threading.Lock()
        self._configuration: Configuration | None = None
        self._sources = Sources(system, cache, options.lowering())
        self._papers = Papers(system, cache)
        self._recognising = Recognising()
        self._joined = Joined(jdk, cache)
        self._retired = Retired()
        self._judging = judging
        self._discovered = Discovered((), (), ())
        self._java: dict[str, FileStat] = {}
        self._documents: dict[str, FileStat] = {}
        self._events: Events | None = None
        self._settling = False
        """Whether what events are judged by is being found out."""
        self._unsaved_documents: frozenset[str] = frozenset()
        self._workspace_stats: tuple[FileStat | None, ...] = ()
        self._open: Mapping[str, OpenDocument] = {}
        self._unwelcome: frozenset[str] = frozenset()
        self._revision = 0
        self._started = 0.0
        self._published = 0.0
        self.analysis: Analysis | None = None

    # -- inputs: from any thread, quick ----------------------------------------------------------

    @property
    def pending(self) -> bool:
        """Whether a rebuild has something to look at."""
        return self._inputs.pending

    def open(self, path: str, text: str, version: int) -> None:
        """Take the editor's text of ``path`` (relative to the root) from now on."""
        self._inputs.put(path, text, version)

    def change(self, path: str, text: str, version: int) -> None:
        """Replace the text of an open document by a whole new one."""
        self._inputs.put(path, text, version)

    def close(self, path: str) -> None:
        """Take the disk's text from now on."""
        self._inputs.close(path)

    def files_changed(self, paths: Iterable[str]) -> None:
        """Note files or folders that were created, changed or deleted on disk."""
        self._inputs.touch(paths)

    def concerns(self, path: str) -> bool:
        """Tell whether a change of a file or folder on disk can matter: most of what a build writes does not."""
        events = self._events
        if events is None or self._settling or path == WHOLE_PROJECT or events.configures(path):
            return True
        return path in self._java or path in self._documents or events.may_count(path)

    def set_settings(self, settings: Settings) -> None:
        """Replace the settings."""
        self._settings = settings
        self._inputs.sweep(configured=True)

    def poll_changes(self) -> bool:
        """Look for changes on disk by size and time; return whether a rebuild is pending."""
        settled = self._configuration
        if settled is not None:
            if self._configured_stats(settled) != self._workspace_stats:
                self._inputs.touch([WORKSPACE_FILE])
            if discover_files(self._system, settled.rules) != self._discovered:
                self._inputs.sweep()
        return self._inputs.pending

    def modified(self) -> dict[str, float]:
        """Return when each Java file was last changed, in seconds since 1970; infinite for a text that is not saved.

        Called by whoever calls ``rebuild``, between rebuilds.
        """
        found = {path: stat.modified / 1e9 for path, stat in self._java.items()}
        for path, document in self._open.items():
            if path in found and self._disk(path) != document.text:
                found[path] = math.inf
        return found

    def _disk(self, path: str) -> bytes | None:
        try:
            return self._system.read(path)
        except OSError:
            return None

    def judging(self) -> JudgingStatus:
        """Return whether there are verdicts; called by whoever calls ``rebuild``, between rebuilds and while publishing."""
        return OFF if self._judging is None else self._judging.status()

    def lowered_files(self) -> list[str]:
        """Return the paths lowered since this was last asked; what incremental tests look at."""
        found = list(self._sources.lowered)
        self._sources.lowered.clear()
        return found

    def dispose(self) -> None:
        """Let go of the cache; the last analysis stays valid."""
        with self._writing:
            if self._judging is not None:
                self._judging.dispose()
            if self._cache is not None:
                self._cache.close()

    def release(self) -> None:
        """Free what the last analysis holds, as soon as nobody looks at it; the session is of no use then."""
        with self._writing:
            if self.analysis is not None:
                self._retired.add(self.analysis)
            self.analysis = None
            self._retired.end()

    # -- work: one at a time, on the caller's thread ---------------------------------------------

    def scan(self, progress: Progress | None = None, token: CancelToken | None = None) -> Analysis:
        """Look at every file and return the complete analysis.

        ``progress`` is told (files done, files in all).  Raises ``Cancelled``.
        """
        self._inputs.sweep()
        return self.rebuild(token, progress)

    def rebuild(
        self, token: CancelToken | None = None, progress: Progress | None = None
    ) -> Analysis:
        """Do what is pending, publish if anything is new, and return the analysis.

        Raises ``Cancelled``; what was done until then is kept and the rest stays pending.
        """
        token = token or CancelToken()
        with self._writing:
            self._started = self._system.now()
            taken = self._inputs.take()
            try:
                return self._work(taken, token, progress or _silent)
            except BaseException:
                self._inputs.give_back(taken)
                raise

    def _work(self, taken: Taken, token: CancelToken, progress: Progress) -> Analysis:
        self._settling = True
        try:
            settled, walked, (java, documents) = self._settle(taken, token)
        finally:
            self._settling = False
        if walked:
            self._take_side_files(settled)
        self._take_open(taken.open, token)
        if walked:
            self._sources.cached = 0
        plan = self._sources.look_up(java, token, self._open)
        complete = self.analysis is not None and self.analysis.complete
        if not complete and self._open and plan.size >= self._sources.many_bytes:
            self._publish(False, settled, token)
        self._lower(plan, documents, settled, token, progress)
        if self._judging is not None:
            # Beside the following of values, which has one core; lowering has them all.
            self._judging.prepare(settled.training)
        if self.analysis is None:
            sources, papers = self._sources, self._papers
            entering = papers.entering(settled.models.domains)
            if self._joined.recall(
                sources.facts, sources.hashes, settled.models, papers.vocabulary(), entering
            ):
                sources.changed.clear()
        analysis = self._publish(True, settled, token)
        if self._judging is not None:
            analysis = self._judge(self._judging, analysis, settled, token)
        if walked:
            self._prune()
            if not self._open:
                self._joined.remember(self._sources.hashes)
        if self._keep_ready:
            analysis.recognised.config_files()
            self._joined.prepare(token)
        self._retired.release(analysis)
        return analysis

    def _settle(self, taken: Taken, token: CancelToken) -> tuple[Configuration, bool, _Found]:
        """Find out which files count: what the user has set, whether a walk is due, the Java files and documents to look at."""
        events = self._events
        configured = taken.configured or events is None or any(map(events.configures, taken.paths))
        if configured or events is None:
            events = self._configure()
        settled = events.settled
        walked = taken.sweep or configured or self._strange(taken, events)
        token.check()
        files = self._walk(settled, token) if walked else self._touched(taken.paths)
        return settled, walked, files

    def _configure(self) -> Events:
        settled = configuration.load(
            self._system, self._models, self._settings, self._configuration
        )
        self._workspace_stats = self._configured_stats(settled)
        if settled.rules.include_generated != self._sources.include_generated:
            self._sources.include_generated = settled.rules.include_generated
            self._sources.forget_generated()
        self._configuration = settled
        found = self._discovered
        self._events = Events(self._system, settled, found.entered, found.links)
        return self._events

    def _configured_stats(self, settled: Configuration) -> tuple[FileStat | None, ...]:
        """What tells whether a file that configures the session has changed."""
        others = [
            path for path in (settled.watched, settled.baseline) if path and "\0" not in path
        ]
        return tuple(stat_of(self._system, path) for path in (WORKSPACE_FILE, *others))

    def _strange(self, taken: Taken, events: Events) -> bool:
        """Tell whether there are paths that only a walk can judge."""
        for path in taken.paths:
            name = path.rpartition("/")[2]
            if events.may_bring(path) or name in events.settled.rules.side_files:
                return True
            if path in self._java or path in self._documents:
                stat = stat_of(self._system, path)
                if (
                    self._system.linked(path)
                    or self._system.is_folder(path)
                    or may_leave(path, stat.size if stat else None)
                ):
                    return True
            elif events.may_count(path):
                return True
        return any(
            path not in self._java
            and path not in self._unwelcome
            and stat_of(self._system, path) is not None
            for path in taken.open
            if path.endswith(".java")
        )

    def _walk(self, settled: Configuration, token: CancelToken) -> _Found:
        """Walk the project; forget what is gone; return every file there is."""
        found = discover_files(self._system, settled.rules, token)
        java = {file.path: file.stat for file in found.java}
        documents = {file.path: file.stat for file in found.documents}
        for path in self._java.keys() - java.keys():
            self._sources.remove(path)
        for path in self._documents.keys() - documents.keys():
            self._papers.remove(path)
        self._java, self._documents, self._discovered = java, documents, found
        self._events = Events(self._system, settled, found.entered, found.links)
        return list(found.java), list(found.documents)

    def _take_side_files(self, settled: Configuration) -> None:
        """Read how generated accessors are called, and which modules there are."""
        found = {file.path: self._disk(file.path) for file in self._discovered.side_files}
        texts = {path: text for path, text in found.items() if text is not None}
        self._joined.styles = Styles.of(texts, settled.models.implied_settings)
        self._joined.modules = Modules.of(texts)

    def _touched(self, paths: Iterable[str]) -> _Found:
        """Return the known files among ``paths``; forget those that are gone."""
        java: list[SourceFile] = []
        documents: list[SourceFile] = []
        for path in sorted(paths):
            stat = stat_of(self._system, path)
            for known, found, forget in (
                (self._java, java, self._sources.remove),
                (self._documents, documents, self._papers.remove),
            ):
                if path in known and stat is not None:
                    known[path] = stat
                    found.append(SourceFile(path, stat))
                elif path in known:
                    del known[path]
                    forget(path)
        return java, documents

    def _take_open(self, documents: Mapping[str, OpenDocument], token: CancelToken) -> None:
        """Bring open Java documents up to date; those that policy leaves out stay out."""
        unsaved = self._only_open(documents)
        accepted = {
            path: document
            for path, document in documents.items()
            if path.endswith(".java") and (path in self._java or path in unsaved)
        }
        for path in self._open.keys() - accepted.keys():
            if path not in self._java:
                self._sources.remove(path)
        self._unwelcome = frozenset(documents.keys() - accepted.keys())
        self._open = documents
        self._sources.update_open(accepted, token)

    def _only_open(self, documents: Mapping[str, OpenDocument]) -> frozenset[str]:
        """The open documents that are not on disk and that a walk would take in if they were."""
        unknown = {
            path: document.text
            for path, document in documents.items()
            if path not in self._java and path not in self._documents
        }
        rules = Rules() if self._configuration is None else self._configuration.rules
        return unsaved(self._system, rules, self._discovered, unknown)

    def _lower(
        self,
        plan: Plan,
        documents: list[SourceFile],
        settled: Configuration,
        token: CancelToken,
        progress: Progress,
    ) -> None:
        """Lower the plan, harvesting the documents and following edits while workers are busy."""
        total = len(self._java)
        known = total - sum(map(len, plan.paths.values()))
        harvested = False

        def meanwhile() -> None:
            nonlocal harvested
            if not harvested:
                harvested = True
                self._harvest(documents, settled, token)
            self._follow_edits(token)

        progress(known, total)
        self._sources.lower(plan, token, lambda done: progress(known + done, total), meanwhile)
        if not harvested:
            self._harvest(documents, settled, token)

    def _harvest(
        self, documents: list[SourceFile], settled: Configuration, token: CancelToken
    ) -> None:
        unsaved = {
            path
            for path in self._only_open(self._open)
            if (is_paper(path) or settled.judged(path)) and len(self._open[path].text) <= MAX_BYTES
        }
        for path in self._unsaved_documents - unsaved - self._documents.keys():
            self._papers.remove(path)
        self._unsaved_documents = frozenset(unsaved)
        opened = {
            path: self._open[path]
            for path in self._open
            if path in self._documents or path in unsaved
        }
        self._papers.update(documents, opened, self._sources.entries, token, settled.judged)

    def _follow_edits(self, token: CancelToken) -> None:
        """During the first index, answer edits of open documents once in a while."""
        if self.analysis is None or self.analysis.complete or self._configuration is None:
            return
        if self._system.now() - self._published < _REPUBLISH_SECONDS:
            return
        documents = self._inputs.opened()
        if any(self._open.get(path) is not document for path, document in documents.items()):
            self._take_open(documents, token)
            self._publish(False, self._configuration, token)

    def _publish(self, complete: bool, settled: Configuration, token: CancelToken) -> Analysis:
        """Join what is known and swap the analysis; return the present one if nothing is new."""
        first = complete and not (self.analysis is not None and self.analysis.complete)
        early = first and bool(self._open) and self._sources.size >= self._sources.many_bytes
        program, options, flows = self._joined.update(
            self._sources.facts,
            frozenset(self._sources.changed),
            settled.models,
            token,
            self._papers.vocabulary() if complete else NOTHING_STATED,
            partial(self._show, False, settled, flows=NO_FLOWS) if early else None,
            self._papers.entering(settled.models.domains) if complete else (),
        )
        self._sources.changed.clear()
        return self._show(complete, settled, program, options, flows)

    def _show(
        self,
        complete: bool,
        settled: Configuration,
        program: Program,
        options: OptionTable,
        flows: FlowTable,
    ) -> Analysis:
        """Swap the analysis for one of these, unless nothing is new; return the one that is there now."""
        verdicts = NO_VERDICTS
        if complete and self._judging is not None:
            verdicts = self._judging.last
        before, opened = self.analysis, self._open.items()
        links = self._discovered.links.union(settled.named.exact)
        documents = self._papers.publish()
        options, recognised = self._recognising.of(
            self._papers.config_files, program, options, settled, complete
        )
        left_out = self._left_out()
        problems = settled.problems + self._discovered.problems
        if complete:
            problems += problems_of(program, self._joined.faults)
        if complete and settled.named:
            files = self._papers.config_files
            problems += unread_files(self._system, files, settled.named, left_out)
        analysis = Analysis(
            revision=self._revision + 1,
            complete=complete,
            program=program,
            options=options,
            documents=documents,
            unread=self._discovered.unread,
            config_files=self._papers.config_files,
            recognised=recognised,
            policy=settled.policy,
            left_out=left_out,
            problems=problems,
            stats=self._stats(),
            texts=SessionTexts(self._system, {path: item.text for path, item in opened}, links),
            open_revisions={path: item.version for path, item in opened},
            flows=flows,
            sensitivity=verdicts,
            learned=self._joined.learned,
            contents=self._sources.hashes,
            takers=self._takers,
            properties=PropertyTable(program, self._joined.models, options, flows),
        )
        if before is not None and not analysis.is_news(before):
            return before
        self._published = self._system.now()
        if complete:
            # The first request on an open config file must not be the one that parses it.
            for path in analysis.open_revisions:
                analysis.recognised.match(path)
        return self._swap(analysis)

    def _swap(self, analysis: Analysis) -> Analysis:
        """Replace the analysis and tell who listens."""
        before, self.analysis = self.analysis, analysis
        self._revision = analysis.revision
        if before is not None:
            self._retired.add(before)
        if self._on_publish is not None:
            self._on_publish(analysis)
        return analysis

    def _judge(
        self, judging: Judging, analysis: Analysis, settled: Configuration, token: CancelToken
    ) -> Analysis:
        """Publish the analysis again if its verdicts are others than those it was published with."""
        judging.wait(token, self._keep_ready, self._inputs)
        verdicts = judging.judged(
            analysis.program, self._joined.options, analysis.flows, settled.decisions
        )
        if verdicts is analysis.sensitivity:
            return analysis
        revision = self._revision + 1
        return self._swap(attrs.evolve(analysis, revision=revision, sensitivity=verdicts))

    def _left_out(self) -> tuple[LeftOut, ...]:
        reasons = {**self._sources.reasons, **self._papers.reasons}
        own = [LeftOut(path, reason) for path, reason in reasons.items()]
        return tuple(sorted((*self._discovered.left_out, *own), key=lambda item: item.path))

    def _stats(self) -> Stats:
        facts = self._sources.facts
        return Stats(
            files=len(facts),
            lines=sum(len(file.starts) for file in facts.values()),
            seconds=self._system.now() - self._started,
            peak_mb=(peak_kb() + self._sources.peak_kb) / 1024,
            cached_files=self._sources.cached,
        )

    def _prune(self) -> None:
        if self._cache is None:
            return
        gone = self._sources.entries.keys() - self._java.keys() - self._documents.keys()
        for path in gone:
            del self._sources.entries[path]
        self._cache.prune(gone, self._sources.blobs_in_use | self._papers.blobs_in_use)


def _silent(_done: int, _total: int) -> None:
    """Tell nobody."""
