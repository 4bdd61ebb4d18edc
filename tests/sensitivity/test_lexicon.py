"""What the words of a name suggest."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conflens.models.resources import grammar_file
from conflens.sensitivity.lexicon import FILE, Leaning, Lexicon, packaged, singular, split

SMALL = Lexicon(
    frozenset({"ms", "mb", "in"}),
    {"cache": 2, "thread": 3, "directory": -2, "name": -2, "size": 2, "timeout": -2},
    {"cache directory": -3, "size cache": 1, "key store": -3},
)
ROWS = tomllib.loads(grammar_file(FILE).decode())
NOTHING = Leaning(0, 0, 0, 0, "")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cache", Leaning(2, 2, 0, 2, "cache")),
        ("cacheSize", Leaning(4, 2, 0, 2, "cache")),
        ("cache.directory", Leaning(-3, 0, -3, -3, "cache directory")),
        ("cache-directories", Leaning(2, 2, 0, 0, "cache")),
        ("caches_directory", Leaning(-3, 0, -3, -3, "caches directory")),
        ("size.cache.directory", Leaning(-1, 1, -2, -2, "directory")),
        ("thread_name", Leaning(1, 3, -2, -2, "thread")),
        ("cache.timeout.ms", Leaning(0, 2, -2, -2, "cache")),
        ("cache.size.in.mb", Leaning(4, 2, 0, 2, "cache")),
        ("key.store", Leaning(-3, 0, -3, -3, "key store")),
        ("store.key", NOTHING),
        ("ms", NOTHING),
        ("threads.other", Leaning(3, 3, 0, 0, "threads")),
        ("CACHE_SIZE", Leaning(4, 2, 0, 2, "cache")),
        ("HTTPCacheSIZE", Leaning(4, 2, 0, 2, "cache")),
        ("cache2size", Leaning(4, 2, 0, 2, "cache")),
        ("", NOTHING),
        ("...", NOTHING),
        ("42", NOTHING),
        ("😀", NOTHING),
        ("😀cache😀", Leaning(2, 2, 0, 2, "cache")),
        ("*.cache.*", Leaning(2, 2, 0, 2, "cache")),
    ],
)
def test_directions_of_words(name: str, expected: Leaning) -> None:
    assert SMALL.leaning(name) == expected


def test_the_strongest_word_of_a_direction_is_as_written() -> None:
    assert SMALL.strongest("maxThreads.names", toward=True) == "threads"
    assert SMALL.strongest("maxThreads.names", toward=False) == "names"
    assert SMALL.strongest("cache.directory", toward=True) == ""
    assert SMALL.strongest("cache.directory", toward=False) == "cache directory"
    assert SMALL.strongest("", toward=True) == SMALL.strongest("other", toward=False) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tcpNoDelay", ("tcp", "no", "delay")),
        ("parseURLNow", ("parse", "url", "now")),
        ("lz4.level", ("lz", "level")),
        ("kerberos_class", ("kerbero", "class")),
        ("ms bus gas glass", ("ms", "bus", "gas", "glass")),
        ("größe", ("gr", "e")),
        ("", ()),
    ],
)
def test_splitting(text: str, words: tuple[str, ...]) -> None:
    assert split(text) == words


def test_plurals() -> None:
    assert [singular(word) for word in ("threads", "class", "gas", "s", "")] == [
        "thread",
        "class",
        "gas",
        "s",
        "",
    ]


def test_no_word_and_no_phrase_is_in_two_rows() -> None:
    for rows in (
        [word for words in ROWS["words"].values() for word in words.split()],
        [phrase for phrases in ROWS["phrases"].values() for phrase in phrases],
    ):
        counted = Counter(" ".join(split(text)) for text in rows)
        assert [text for text, number in counted.items() if number > 1] == []


def test_rows_are_words_that_names_can_contain() -> None:
    lexicon = packaged()
    for word in lexicon.words:
        assert split(word) == (word,)
    assert {singular(unit) for unit in lexicon.units} <= lexicon.units
    for phrase in lexicon.phrases:
        assert len(phrase.split()) == 2
        assert " ".join(split(phrase)) == phrase
    assert {*lexicon.words.values(), *lexicon.phrases.values()} == {-3, -2, -1, 1, 2, 3}


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("worker.threads", 1),
        ("native_transport_max_threads", 1),
        ("file_cache_size_in_mb", 1),
        ("thread_name_prefix", -1),
        ("ssl.keystore.password", -1),
        ("cache_directory", -1),
    ],
)
def test_the_packaged_lexicon(name: str, sign: int) -> None:
    leaning = packaged().leaning(name)
    assert leaning.total * sign > 0 or leaning.head * sign > 0
    assert packaged().strongest(name, toward=sign > 0)


@given(st.text(max_size=40))
def test_any_name(name: str) -> None:
    lexicon = packaged()
    found = lexicon.leaning(name)
    assert -3 <= found.least <= 0 <= found.most <= 3
    assert found.head in range(-3, 4)
    assert bool(found.word) == bool(
        lexicon.strongest(name, toward=True) or lexicon.strongest(name, toward=False)
    )
    assert found.word.lower() == found.word
