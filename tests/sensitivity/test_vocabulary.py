"""Families of operations and groups of words."""

from __future__ import annotations

import tomllib

import pytest

from conflens.models.load import load_models
from conflens.models.resources import grammar_file
from conflens.operations.flows import KINDS
from conflens.sensitivity.vocabulary import FILE, packaged

ROWS = tomllib.loads(grammar_file(FILE).decode())


@pytest.mark.parametrize(
    ("api", "family"),
    [
        ("new byte[]", "buffers"),
        ("new bytes", None),
        ("new byte", None),
        ("new byteX", None),
        ("new Thread[]", "thread pools"),
        ("new Thread", "threads"),
        ("new Threadx", None),
        ("new Foo[]", "collections"),
        ("new Foo", None),
        ("Executors.newFixedThreadPool", "thread pools"),
        ("ThreadPoolExecutor.setCorePoolSize", "thread pools"),
        ("ThreadPoolExecutor.execute", "tasks"),
        ("ForkJoinPool.schedule", "scheduling"),
        ("Thread.sleep", "waiting"),
        ("Object.wait", "waiting"),
        ("BlockingQueue.poll", "waiting"),
        ("synchronized", "locks"),
        ("FileChannel.force", "forcing to disk"),
        ("FileChannel.write", "transfers"),
        ("FileChannel.open", "file operations"),
        ("new ArrayBlockingQueue", "queues"),
        ("new HashMap", "collections"),
        ("ConnectionPoolConfiguration.Builder.maxSize", "connection pools"),
        ("BulkIngester.Builder.maxSize", "batches"),
        ("Statement.setFetchSize", "batches"),
        ("Statement.executeQuery", "databases"),
        ("KafkaProducer[batch.size]", "batches"),
        ("KafkaProducer[linger.ms]", "collecting"),
        ("KafkaProducer[buffer.memory]", "buffers"),
        ("KafkaProducer[client.id]", None),
        ("new KafkaProducer", "network"),
        ("ConsumerBuilder.receiverQueueSize", "queues"),
        ("new Disruptor", "queues"),
        ("Flux.flatMap", "parallelism"),
        ("RetryConfig.Builder.maxAttempts", "retries"),
        ("RetryConfig.Builder.waitDuration", "retry delays"),
        ("OkHttpClient.Builder.callTimeout", "timeouts"),
        ("OkHttpClient.Builder.connectTimeout", "connection settings"),
        ("ResourcePoolsBuilder.heap", "caches"),
        ("ExpiryPolicyBuilder.timeToLiveExpiration", "expiry"),
        ("ServerBuilder.maxInboundMessageSize", "message sizes"),
        ("Query.setMaxResults", "results"),
        ("TieredMergePolicy.setSegmentsPerTier", "compactions"),
        ("String.repeat", "text matching"),
        ("IntStream.parallel", "transfers"),
        ("PrintStream.write", "printing"),
        ("Logger.info", "logging"),
        ("Throwable.printStackTrace", "logging"),
        ("logger.info", None),
        ("", None),
        ("[", None),
    ],
)
def test_families(api: str, family: str | None) -> None:
    found = packaged().family(api)
    assert (found.name if found else None) == family


@pytest.mark.parametrize(
    ("api", "subkind"),
    [
        ("Socket.connect", "network"),
        ("PreparedStatement.executeQuery", "database"),
        ("CacheBuilder.maximumSize", "cache"),
        ("new ArrayBlockingQueue", "queue"),
        ("RetryConfig.Builder.maxAttempts", "retry"),
        ("Deflater.deflate", "codec"),
        ("Thread.sleep", "wait"),
        ("System.gc", "gc"),
        ("ArrayList.add", ""),
        ("Nobody.knows", ""),
    ],
)
def test_subkinds(api: str, subkind: str) -> None:
    assert packaged().subkind(api) == subkind


def test_every_subkind_has_a_family_and_a_kind_of_the_papers() -> None:
    vocabulary = packaged()
    assert {f.subkind for f in vocabulary.families} - {""} == set(vocabulary.subkinds)
    assert set(vocabulary.subkinds.values()) == set(KINDS)


def test_the_first_matching_family_is_taken() -> None:
    vocabulary = packaged()
    for api in ("PrintStream.write", "Thread.start", "Socket.close", "FileChannel.map"):
        first = next(f for f in vocabulary.families if f.pattern.match(api))
        assert vocabulary.family(api) is first
        assert vocabulary.family(api) is first
    several = [f.name for f in vocabulary.families if f.pattern.match("PrintStream.write")]
    assert several[0] == "printing" and "transfers" in several


def test_brackets_belong_to_arrays() -> None:
    buffers = next(family for family in packaged().families if family.name == "buffers")
    assert buffers.pattern.match("new byte[]")
    assert not buffers.pattern.match("new byte[][]")  # an array of buffers is a collection
    assert not buffers.pattern.match("new byteb")
    assert not buffers.pattern.match("new byte]")


def test_what_properties_of_clients_size_has_a_family() -> None:
    unnamed = {
        f"{row.type.rpartition('.')[2]}[{key}]"
        for row in load_models().operations
        for key in row.keys
        if packaged().family(f"{row.type.rpartition('.')[2]}[{key}]") is None
    }
    assert {api.partition("[")[2] for api in unnamed} == {"enable.auto.commit]"}


def test_rows_have_unique_names_and_can_be_listed() -> None:
    vocabulary = packaged()
    for names in (
        [words.name for words in vocabulary.words if not words.documentation],
        [words.name for words in vocabulary.words if words.documentation],
        [family.name for family in vocabulary.families],
        [row["name"] for row in ROWS["place"]],
    ):
        assert names and len(set(names)) == len(names)
    for family in vocabulary.families:
        assert family.sizes.split()[0].endswith("s")
        assert not family.happens.endswith(".")
    resources = {family.name for family in vocabulary.families if family.resource}
    assert resources.isdisjoint(family.name for family in vocabulary.families if family.cheap)
    assert set(vocabulary.places) == {"request", "start or stop"}
    assert vocabulary.places["request"].isdisjoint(vocabulary.places["start or stop"])


def test_no_pattern_of_a_family_is_part_of_another() -> None:
    calls = [call for row in ROWS["family"] for call in row["calls"]]
    assert len(set(calls)) == len(calls)


def test_words_match_in_names_and_documents() -> None:
    vocabulary = packaged()
    assert vocabulary.spoken(("max.workerThreads",)) == {"threads", "bound"}
    assert vocabulary.spoken(("",)) == vocabulary.spoken(()) == frozenset()
    text = "Raises throughput."
    assert vocabulary.spoken((text,), documentation=True) == {"performance"}
    assert "performance" not in vocabulary.spoken((text,))
    assert vocabulary.spoken(("threading",)) == frozenset()
