"""HOCON: what is in effect and where; files that only look like it set nothing; nothing is written."""

from __future__ import annotations

from typing import Any

import pytest

from conflens.documents.configfiles.hocon import dialect as hocon
from conflens.documents.configfiles.model import ContextKind, Kind
from documents.configfiles.torn import check, mutations
from patience import proportion

AKKA = '''# Reference
include "base"
include required(file("other.conf"))

akka {
  loglevel = "INFO"  // how much
  loggers = ["akka.event.Logging", plain
    three words ]
  actor {
    provider: local
    default-dispatcher.fork-join-executor {
      parallelism-factor = 3.0
    }
    "quoted.key" = 1, other = 2
  }
  home = ${user.home}"/logs"
  home = ${?AKKA_HOME}
  banner = """two
lines"""
  seeds += "a\\tb"
  nodes = [ { host = a }, { host = b, port : 2 } ]
  merged = ${akka.actor} { provider = remote } { more = yes }
  timeout = 5 s
}
a.b { c = 1 }
json : {"x": {"y": [1, 2]}, "z": null}
'''


def found(text: str) -> dict[str, Any]:
    return {
        one.name: [item.text for item in one.items]
        if one.kind is Kind.LIST
        else one.value.text
        if one.value
        else None
        for one in hocon.parse(text).assignments
        if one.kind is not Kind.SECTION
    }


def test_names_and_values() -> None:
    assert found(AKKA) == {
        "akka.loglevel": "INFO",
        "akka.loggers": ["akka.event.Logging", "plain", "three words"],
        "akka.actor.provider": "local",
        "akka.actor.default-dispatcher.fork-join-executor.parallelism-factor": "3.0",
        "akka.actor.quoted.key": "1",
        "akka.actor.other": "2",
        "akka.home": "${?AKKA_HOME}",
        "akka.banner": "two\nlines",
        "akka.seeds": ["a\tb"],
        "akka.nodes[0].host": "a",
        "akka.nodes[1].host": "b",
        "akka.nodes[1].port": "2",
        "akka.merged.provider": "remote",
        "akka.merged.more": "yes",
        "akka.timeout": "5 s",
        "a.b.c": "1",
        "json.x.y": ["1", "2"],
        "json.z": "null",
    }
    assert hocon.parse(AKKA).faults == ()


def test_a_concatenated_value_keeps_its_substitution() -> None:
    first = next(one for one in hocon.parse(AKKA).assignments if one.name == "akka.home")
    assert first.value is not None and first.value.text == "${user.home}/logs"
    assert AKKA[first.value.start : first.value.end] == '${user.home}"/logs"'


@pytest.mark.parametrize(
    ("name", "entry", "key"),
    [
        ("akka.loglevel", '  loglevel = "INFO"  // how much\n', "loglevel"),
        ("akka.actor.quoted.key", '"quoted.key" = 1', "quoted.key"),
        ("akka.actor.other", "other = 2", "other"),
        ("akka.banner", '  banner = """two\nlines"""\n', "banner"),
        ("akka", "akka {\n", "akka"),
        ("a.b.c", "c = 1", "c"),
        ("akka.timeout", "  timeout = 5 s\n", "timeout"),
    ],
)
def test_places(name: str, entry: str, key: str) -> None:
    one = next(one for one in hocon.parse(AKKA).assignments if one.name == name)
    assert AKKA[one.start : one.end].strip() == entry.strip()
    assert AKKA[one.key.start : one.key.end] == key


def test_a_root_in_braces_is_json() -> None:
    assert found('{\n "a": {"b": "c"},\n "d": [true]\n}\n') == {"a.b": "c", "d": ["true"]}


@pytest.mark.parametrize(
    "text",
    [
        "port 6379\nsave 900 1\nappendonly no\n",
        "worker_processes 1;\nhttp {\n  listen 80;\n  root = /x;\n}\n",
        "[section]\nkey = value\n",
        "key = value\n[section]\nother = value\n",
        "spark.master    spark://x:7077\nspark.log true\n",
        "export A=b\nJAVA_OPTS=-Da=b\n",
        "<Directory />\n  Options None\n</Directory>\n",
        "[1, 2, 3]\n",
        "Listen 80\nServerName x\nTimeout = 3\n",
        "",
    ],
)
def test_another_format_sets_nothing(text: str) -> None:
    assert hocon.parse(text).assignments == ()
    assert hocon.parse(text).faults == ()


@pytest.mark.parametrize(
    ("typed", "others"),
    [
        ("half", {}),
        ("half =", {"s.half": None}),
        ('half = "te', {"s.half": "te"}),
        ("half = [1,", {"s.half": ["1"]}),
        ("half = ${x", {"s.half": "${x"}),
        ("ha lf = 1", {}),
        ('"half', {}),
        ("= 3", {}),
    ],
)
def test_a_half_typed_line_affects_only_itself(typed: str, others: dict[str, Any]) -> None:
    text = f"s {{\n  before = 1\n  more = a\n  {typed}\n  after = 2\n}}\nlast = 3\n"
    assert found(text) == {"s.before": "1", "s.more": "a", **others, "s.after": "2", "last": "3"}


def test_unclosed_brackets() -> None:
    text = "a = 1\nb {\n c = 2\n"
    assert [(text[x.start : x.end], x.message) for x in hocon.parse(text).faults] == [
        ("{", "This bracket is never closed.")
    ]
    assert found(text) == {"a": "1", "b.c": "2"}


def test_only_values_are_completed() -> None:
    at = AKKA.index("INFO") + 2
    context = hocon.context(AKKA, at)
    assert (context.kind, context.prefix, context.name) == (
        ContextKind.VALUE,
        "IN",
        "akka.loglevel",
    )
    assert hocon.context(AKKA, AKKA.index("loglevel")).kind is ContextKind.NEITHER


def test_the_format_is_read_only() -> None:
    one = hocon.parse(AKKA).assignments[1]
    assert hocon.added(AKKA, "akka.x", "1") is None
    assert hocon.renamed(AKKA, one, "akka.x") is None
    assert hocon.key_text(AKKA, hocon.context(AKKA, 0), "akka.x") is None


@pytest.mark.parametrize(
    ("value", "style", "written"),
    [
        ("5", "", "5"),
        ("5 s", "", '"5 s"'),
        ('a"b', '"', 'a\\"b'),
        ("on", '"', "on"),
        ("", "", '""'),
    ],
)
def test_values_as_they_are_written(value: str, style: str, written: str) -> None:
    assert hocon.value_text(value, style) == written


@pytest.mark.seeds(1)
def test_truncated_files(seed: int) -> None:
    for number, text in enumerate(mutations(AKKA, 1000, seed)):
        check(hocon, text, number)


@pytest.mark.parametrize("unit", ["[", "a{", '"""', "${", "a=[{"])
def test_a_megabyte_of_filler(unit: str) -> None:
    assert len(hocon.parse(unit * (1_000_000 // len(unit))).assignments) <= 100_001


def test_ten_thousand_deep() -> None:
    assert found("a{" * 10_000 + "b=1" + "}" * 10_000 + "\nc = 2\n") == {"c": "2"}
    assert found("a=" + "[" * 10_000 + "]" * 10_000 + "\nc = 2\n") == {"c": "2"}
    assert found("a." * 10_000 + "b = 1\nc = 2\n") == {"c": "2"}


def test_a_long_name_is_not_copied_for_each_entry() -> None:
    assert found("a" * 2_000 + " {\n" + "b = 1\n" * 10 + "}\nd = 1") == {"d": "1"}


@pytest.mark.parametrize("unit", ["[1]", "[[1], 2]", "[{b = 1}, 2]"])
def test_joined_arrays_take_linear_time(unit: str) -> None:
    large, small = (f"b = 1\nc = 2\na = [0]{unit * count}\n" for count in (10_000, 1_000))
    assert proportion(lambda: hocon.parse(large), lambda: hocon.parse(small), 30) < 30
