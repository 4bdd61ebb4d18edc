"""Real projects: how much is found, how much of it is right, with no configuration at all.

The floors are what the project promises; ``python -m corpus.scores`` prints the numbers behind them.  A machine
that cannot fetch the sources fails here: these promises are not to be passed over in silence.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from conflens.session.analysis import Analysis
from corpus.fetch import FetchError
from corpus.flows import learnconf, recall
from corpus.flows.reported import Reported, reported
from corpus.flows.systems import SYSTEMS, opened
from corpus.scan import Scanned, scan
from corpus.scores import PROJECTS
from corpus.type_scoring import RIGHT, WRONG, TypeResult, TypeScore

pytestmark = pytest.mark.corpus

RECALL = {"jmeter": 0.83}
"""Floors of recall; 0.97 where none is given.

JMeter's command line names its switches by number (``getArgumentById``): 44 of its 263 reads.
"""
PRECISION = {"hdfs": 0.96}
"""Floors of precision; 0.97 where none is given.

HDFS keeps the state of a storage folder in a ``Properties`` that looks like a configuration.
"""
USUAL = 0.97
NAMES = 0.95
TYPES_RIGHT = 0.85
TYPES_WRONG = 0.03
FLOWS = 0.90
PATTERNS = 0.90
"""Floors over all fetched systems together; Kanzi has no sources jar and is scored by the command alone."""

NAMED = {
    "h2": {
        "DATABASE_TO_UPPER",
        "MAX_COMPACT_TIME",
        "h2.bindAddress",
        "h2.serverCachedObjects",
    },
    "zookeeper": {
        "zookeeper.snapCount",
        "zookeeper.globalOutstandingLimit",
        "tickTime",
        "initLimit",
        "autopurge.snapRetainCount",
    },
    "kafka": {
        "linger.ms",
        "batch.size",
        "max.poll.records",
        "fetch.min.bytes",
    },
    "hdfs": {
        "dfs.replication",
        "dfs.namenode.handler.count",
        "dfs.datanode.data.dir",
        "io.file.buffer.size",
    },
    "cassandra": {
        "concurrent_writes",
        "compaction_throughput_mb_per_sec",
        "commitlog_sync_period_in_ms",
        "cassandra.ring_delay_ms",
    },
    "jmeter": {
        "jmeter.exit.check.pause",
        "summariser.interval",
    },
}


@cache
def _scan(project: str) -> Scanned | FetchError:
    try:
        return scan(project)
    except FetchError as error:
        return error


def _scanned(project: str) -> Scanned:
    found = _scan(project)
    if isinstance(found, FetchError):
        pytest.fail(str(found), pytrace=False)
    return found


@cache
def _flows(system: str) -> tuple[Reported, ...] | FetchError:
    """The flows of a system; of one that has a truth table they are those of its scan."""
    analysis: Analysis
    if system in PROJECTS:
        analysis = _scanned(system).analysis
    else:
        try:
            analysis = opened(SYSTEMS[system]).analysis
        except FetchError as error:
            return error
    return tuple(reported(analysis))


def _reported(system: str) -> tuple[Reported, ...]:
    found = _flows(system)
    if isinstance(found, FetchError):
        pytest.fail(str(found), pytrace=False)
    return found


@pytest.fixture(params=PROJECTS)
def scanned(request: pytest.FixtureRequest) -> Iterator[Scanned]:
    yield _scanned(request.param)


def test_recall(scanned: Scanned) -> None:
    assert scanned.score.recall >= RECALL.get(scanned.score.project, USUAL), scanned.score.misses[
        :20
    ]


def test_precision(scanned: Scanned) -> None:
    score = scanned.score
    assert score.precision >= PRECISION.get(score.project, USUAL), (
        score.rejected[:10],
        score.unlisted[:10],
    )


def test_names_are_resolved(scanned: Scanned) -> None:
    assert scanned.score.names >= NAMES, scanned.score.wrong_names[:20]


def test_recall_of_declarations(scanned: Scanned) -> None:
    assert scanned.score.declarations >= USUAL, scanned.score.undeclared[:20]


def test_named_options_exist(scanned: Scanned) -> None:
    found = {option.name for option in scanned.analysis.options.options}
    assert found >= NAMED[scanned.project]


def test_every_file_is_parsed(scanned: Scanned) -> None:
    """Nothing raised and no worker died: what is left out is left out by policy."""
    analysis = scanned.analysis
    assert analysis.complete
    # Names beyond a bound are all that may be left out.
    assert all("of which only" in item.message for item in analysis.problems)
    assert {item.reason for item in analysis.left_out} <= {"generated", "larger than 2 MB"}
    broken = [path for path, facts in analysis.program.files.items() if facts.problems]
    assert broken == []


def test_options_have_places(scanned: Scanned) -> None:
    """Every place lies in its file, and a read holds the spelling that it was found by."""
    for path, pairs in scanned.analysis.options.reads_in.items():
        size = len(scanned.read(path))
        for read, option in pairs:
            assert 0 <= read.place.start < read.place.end <= size, (path, option.name)
            assert read.method, (path, option.name)


def test_types_over_all_samples() -> None:
    results: list[TypeResult] = []
    for project in PROJECTS:
        results.extend(_scanned(project).types.results)
    types = TypeScore(tuple(results))
    assert types.total >= 150
    assert types.share(RIGHT) >= TYPES_RIGHT
    assert types.share(WRONG) <= TYPES_WRONG


def test_recall_of_flows_found_by_a_reader() -> None:
    names = [name for name in recall.SYSTEMS if SYSTEMS[name].project]
    table = [line for line in recall.rows() if line.system in names]
    verdicts = [
        verdict
        for name in names
        for verdict in recall.score((x for x in table if x.system == name), _reported(name))
    ]
    missed = [verdict.row for verdict in verdicts if verdict.outcome != recall.FOUND]
    assert len(missed) <= (1 - FLOWS) * len(table), missed


def test_accuracy_of_learnconf_patterns() -> None:
    table = [one for one in learnconf.cases() if SYSTEMS[one.system].project]
    verdicts = [learnconf.judge(one, _reported(one.system)) for one in table]
    right, whole = learnconf.promised(verdicts)
    assert right >= PATTERNS * whole, [v for v in verdicts if v.outcome != "right"]
