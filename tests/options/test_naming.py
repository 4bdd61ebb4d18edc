"""Options by the names people write."""

from __future__ import annotations

import random

import pytest

from conflens.options.model import Option, OptionTable, OptionType
from conflens.options.names.naming import Names, loose, variable_of
from conflens.options.names.patterns import covers
from conflens.options.names.spelling import MOST, Spelling, edit_distance, humps
from steps import steps

RELAXED = frozenset({"spring"})


def option(name: str, domain: str = "properties") -> Option:
    return Option(name, domain, OptionType.UNKNOWN, "", (), "", (), False, "", (), ())


def names(*given: str, domain: str = "properties", variables: tuple[str, ...] = ()) -> Names:
    options = [option(name, domain) for name in given]
    return Names(OptionTable.of(options, []), RELAXED, frozenset(variables))


def found(of: Names, name: str) -> list[str]:
    return [one.name for one in of.named(name)]


# --- names that are right


def test_exact_names_come_first_then_the_more_specific_pattern() -> None:
    of = names("fs.*.impl", "fs.*", "fs.s3a.impl", "other")
    assert found(of, "fs.s3a.impl") == ["fs.s3a.impl", "fs.*.impl", "fs.*"]
    assert found(of, "fs.gs.impl") == ["fs.*.impl", "fs.*"]
    assert found(of, "fs.") == []
    assert found(of, "FS.gs.impl") == []


@pytest.mark.parametrize(
    "name",
    [
        "app.max-size",
        "app.maxSize",
        "app.max_size",
        "app.MAXSIZE",
        "APP_MAXSIZE",
        "APP_MAX_SIZE",
        "--app.max-size",
    ],
)
def test_a_relaxed_option_in_every_spelling(name: str) -> None:
    assert found(names("app.max-size", domain="spring"), name) == ["app.max-size"]


def test_other_domains_are_not_relaxed_but_may_have_variables() -> None:
    assert found(names("app.max-size"), "app.maxSize") == []
    assert found(names("app.max-size"), "APP_MAX_SIZE") == []
    of = names("app.max-size", domain="microprofile", variables=("microprofile",))
    assert found(of, "APP_MAX_SIZE") == ["app.max-size"]


def test_elements_of_lists_and_maps() -> None:
    of = names("nodes", "nodes.*.port", "tags.*")
    assert found(of, "nodes[3].port") == ["nodes.*.port"]
    assert found(of, "nodes[0]") == ["nodes"]
    assert found(of, "tags[a.b]") == ["tags.*"]
    assert found(of, "tags.a.b") == ["tags.*"]


def test_a_relaxed_pattern() -> None:
    of = names("app.dataSources.*.pool-size", domain="spring")
    assert found(of, "app.data-sources.main.poolSize") == ["app.dataSources.*.pool-size"]


def test_domains_filter_matches() -> None:
    of = Names(OptionTable.of([option("a.b", "hadoop"), option("a.b", "kafka")], []))
    assert [one.domain for one in of.named("a.b")] == ["hadoop", "kafka"]
    assert [one.domain for one in of.named("a.b", {"kafka"})] == ["kafka"]
    assert of.named("a.b", ()) == ()


def test_below() -> None:
    of = names("pool.max-size", "pool.min", "poor", "zone", domain="spring")
    assert [one.name for one in of.below("pool.")] == ["pool.max-size", "pool.min"]
    assert [one.name for one in of.below("pool.maxS")] == ["pool.max-size"]
    assert len(of.below("")) == 4
    assert of.below("pool.", {"kafka"}) == ()


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("a.*", "a.b", True),
        ("a.*", "a.", False),
        ("a.*.c", "a.b.c", True),
        ("a.*.c", "a..c", False),
        ("a.*.c.*", "a.b.c.d", True),
        ("*.c", ".c", False),
        ("a*b*a", "aba", False),
    ],
)
def test_a_star_is_never_empty(pattern: str, name: str, fits: bool) -> None:
    assert covers(tuple(pattern.split("*")), name) is fits


def test_hostile_names_are_accepted() -> None:
    of = names("a*b*c*d*e", "*" * 5 + "x")
    for name in ("", "a" * 100_000, "ab" * 200, "[", "]][[", "--", "a[" * 100, "\0", "\ud800"):
        assert of.named(name) == () or name
        assert isinstance(of.near(name), tuple)
        assert isinstance(of.below(name), tuple)


def test_spellings() -> None:
    assert loose("App.max_Size-x") == "app.maxsizex"
    assert variable_of("server.max-size[0]") == "SERVER_MAX_SIZE_0_"
    assert humps("maxHTTPSize.of") == ["max", "http", "size", "of"]


# --- names that are nearly right

KNOWN = (
    "pool.maximum.connections",
    "pool.minimum.connections",
    "pool.idle-timeout",
    "request.timeout.millis",
    "storage.directory",
    "maxClientConnections",
    "port",
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pool.maximum.connectons", "pool.maximum.connections"),
        ("pool.maximumm.connections", "pool.maximum.connections"),
        ("pool.mavimum.connections", "pool.maximum.connections"),
        ("pool.minimum.connectiosn", "pool.minimum.connections"),
        ("Pool.minimum.connections", "pool.minimum.connections"),
        ("pool..idle-timeout", "pool.idle-timeout"),
        ("pool.idle.timeout", "pool.idle-timeout"),
        ("pool.idletimeout", "pool.idle-timeout"),
        ("pool.idlextimeout", "pool.idle-timeout"),
        ("pool.id.le-timeout", "pool.idle-timeout"),
        ("timeout.request.millis", "request.timeout.millis"),
        ("request_timeout_millis", "request.timeout.millis"),
        ("torage.directory", "storage.directory"),
        ("maxClientConections", "maxClientConnections"),
        ("clientMaxConnections", "maxClientConnections"),
        ("maxclientconnections", "maxClientConnections"),
    ],
)
def test_every_typo_leads_back_to_the_name(typed: str, meant: str) -> None:
    near = names(*KNOWN).near(typed)
    assert (near[0].name, near[0].distance, near[0].surely) == (meant, 1, True)


@pytest.mark.parametrize("typed", ["pool.size", "ports.open", "prt", "unrelated.name", "storage"])
def test_names_that_are_not_certainly_close(typed: str) -> None:
    assert not any(one.surely for one in names(*KNOWN).near(typed))


def test_of_two_equally_close_names_neither_is_certain() -> None:
    near = names("cache.sizeA", "cache.sizeB").near("cache.size")
    assert {one.name for one in near} == {"cache.sizeA", "cache.sizeB"}
    assert not any(one.surely for one in near)


def test_a_case_difference_is_closer_than_a_letter() -> None:
    near = names("node.http.address", "node.https.address").near("node.http.addRess")
    assert (near[0].name, near[0].surely) == ("node.http.address", True)


def test_other_numbers_and_words_in_use_are_not_certain_typos() -> None:
    of = names(
        "server1.address", "http.proxy.address", "https.proxy.host", "queue.keys", "key.size"
    )
    for typed in ("server2.address", "https.proxy.address", "queue.key"):
        assert not any(one.surely for one in of.near(typed)), typed


def test_the_likelier_typo_comes_first() -> None:
    near = names("level.tests", "level.trees").near("level.treses")
    assert [one.name for one in near][:1] == ["level.trees"]


def test_close_to_an_instance_of_a_pattern() -> None:
    of = names("fs.*.implementation", "nodes.*.address")
    (near, *_) = of.near("fs.s3a.implementaton")
    assert (near.name, near.surely) == ("fs.s3a.implementation", True)
    assert near.option.name == "fs.*.implementation"


def test_indices_and_variables_are_kept() -> None:
    of = names("servers.hostname", domain="spring")
    assert of.near("servers[2].hostnmae")[0].name == "servers[2].hostname"
    assert of.near("SERVERS_HOSTNMAE")[0].name == "SERVERS_HOSTNAME"
    of = names("shop.houses.*.capacity", "shop.houses.*.*.colours")
    assert of.near("shop.houses[10].capasity")[0].name == "shop.houses[10].capacity"
    assert of.near("shop.houses.10.capasity")[0].name == "shop.houses.10.capacity"
    assert of.near("shop.houses[1][2].colors")[0].name == "shop.houses[1][2].colours"


def test_near_matches_respect_domains_and_limit() -> None:
    of = names("pool.size.aa", "pool.size.ab", "pool.size.ac")
    assert len(of.near("pool.size.a")) == 3
    assert len(of.near("pool.size.a", limit=2)) == 2
    assert of.near("pool.size.a", {"kafka"}) == ()


@pytest.mark.seeds(1)
def test_edit_distance_agrees_with_the_textbook(seed: int) -> None:
    """Optimal string alignment, computed the plain way."""

    def plain(a: str, b: str) -> int:
        rows = {(-1, -1): 0}
        for i in range(-1, len(a)):
            for j in range(-1, len(b)):
                if i < 0 or j < 0:
                    rows[i, j] = max(i, j) + 1
                    continue
                best = min(
                    rows[i - 1, j] + 1, rows[i, j - 1] + 1, rows[i - 1, j - 1] + (a[i] != b[j])
                )
                if i and j and a[i] == b[j - 1] and a[i - 1] == b[j]:
                    best = min(best, rows[i - 2, j - 2] + 1)
                rows[i, j] = best
        return rows[len(a) - 1, len(b) - 1]

    chance = random.Random(seed)
    for _ in range(3000):
        a = "".join(chance.choice("abc") for _ in range(chance.randint(0, 7)))
        b = "".join(chance.choice("abc") for _ in range(chance.randint(0, 7)))
        assert edit_distance(a, b) == min(plain(a, b), MOST + 1), (a, b)


def test_thousands_of_names_with_one_word_or_one_prefix() -> None:
    given = [f"setting{number:05d}x" for number in range(3000)]
    given += [f"module.option{number:05d}y" for number in range(3000)]
    spelling = Spelling(given)
    for name in given[::500]:
        typed = name.replace("tt", "t").replace("module", "modle")
        assert name in [one.name for one in spelling.near(typed)], typed


def test_first_suggestion_over_many_names() -> None:
    chance = random.Random(3)
    words = ("cache", "pool", "request", "timeout", "queue", "thread", "buffer", "client", "retry")
    given = sorted({".".join(chance.sample(words, 4)) for _ in range(400)})
    of = names(*given)
    right = made = 0
    for name in chance.sample(given, 200):
        at = chance.randrange(1, len(name))
        typed = name[:at] + name[at + 1 :]
        if typed not in given:
            made += 1
            near = of.near(typed)
            right += bool(near) and near[0].name == name
    assert right >= 0.95 * made


# --- many patterns

SHAPES = [
    ("*.k{}.*.z*", "a.k{}.b.zq", "*.k{}.*.z*"),
    ("*k{}x*", "ak{}xq", "*k{}x*"),
    ("*.common.*.k{}", "a.common.b.k{}", "*.common.*.k{}"),
    ("app.*.k{}.size", "app.a.k{}.sise", "app.a.k{}.size"),
    ("*.limit{}", "a.limit{}x", "a.limit{}"),
    ("*.max-k{}-x", "a.max.k{}-x", "a.max-k{}-x"),
]
"""A pattern, a key that is one of its instances, or nearly, and what is found."""


@pytest.mark.parametrize(("pattern", "key", "expected"), SHAPES)
def test_many_keys_and_many_patterns_cost_their_sum(pattern: str, key: str, expected: str) -> None:
    def work(count: int) -> int:
        of = names(*(pattern.format(number) for number in range(count)))

        def ask() -> None:
            for number in range(count):
                found = [one.name for one in of.named(key.format(number))]
                found += [one.name for one in of.near(key.format(number), limit=count)]
                assert expected.format(number) in found

        return steps(ask)

    few, many = work(150), work(600)
    assert many < 6 * few
