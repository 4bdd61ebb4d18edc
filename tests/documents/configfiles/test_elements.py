"""Configuration XML of elements and attributes, and Java's properties in XML: names, values, places, new names."""

from __future__ import annotations

import random

import pytest

from conflens.documents.configfiles.elements import dialect as elements
from conflens.documents.configfiles.hadoop_xml import dialect as properties
from conflens.documents.configfiles.model import Format, Kind
from conflens.documents.configfiles.parsing import read
from conflens.documents.configfiles.policy import may_be_config
from documents.configfiles.line_support import applied, shown
from documents.configfiles.test_line_formats_fuzz import check, mutated

ONE = """<?xml version="1.0"?>
<!-- <off>1</off> -->
<store name="main">
  <idle>5 &amp; more</idle>
  <tls startTLS='true'>
    <keystore><![CDATA[a<b]]></keystore>
    <empty/>
  </tls>
  <hello detect="yes">mine</hello>
</store>
"""
MANY = """<servers>
  <server enabled="true"><bind>0.0.0.0:1</bind></server>
  <server enabled="false"><bind>0.0.0.0:2</bind></server>
</servers>
"""
JAVA = """<?xml version="1.0"?>
<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">
<properties>
  <comment>Hello</comment>
  <entry key='web.path'>./web</entry>
  <!-- <entry key="web.off">1</entry> -->
  <entry key="web.port"> 80 </entry>
  <entry key="web.none" />
</properties>
"""


def test_elements_and_attributes_are_keys_below_the_root() -> None:
    assert shown(elements, ONE) == [
        "[@name] = main",
        "idle = 5 & more",
        "tls",
        "tls.[@startTLS] = true",
        "tls.keystore = a<b",
        "tls.empty",
        "hello = mine",
        "hello.[@detect] = yes",
    ]
    kinds = {one.name: one.kind for one in elements.parse(ONE).assignments}
    assert [name for name, kind in kinds.items() if kind is Kind.SECTION] == ["tls"]
    for one in elements.parse(ONE).assignments:
        assert ONE[one.key.start : one.key.end] == one.key.text.removeprefix("[@").removesuffix(
            "]"
        )


def test_what_the_root_lists_is_each_a_document() -> None:
    assert shown(elements, MANY) == [
        "[@enabled] = true [1]",
        "bind = 0.0.0.0:1 [1]",
        "[@enabled] = false [2]",
        "bind = 0.0.0.0:2 [2]",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><name>x</name></project>',
        '<cruise xmlns:xsi="x" xsi:noNamespaceSchemaLocation="a.xsd"><server a="1"/></cruise>',
        '<!DOCTYPE mapper PUBLIC "-//x" "y.dtd"><mapper a="1"><select>b</select></mapper>',
        "<rows>" + "<row><a>1</a></row>" * 11_000 + "</rows>",
    ],
)
def test_a_document_of_another_language_holds_nothing(text: str) -> None:
    assert read("conf/a.xml", text.encode()).assignments == ()


def test_entries_of_java_properties() -> None:
    assert shown(properties, JAVA) == ["web.path = ./web", "web.port = 80", "web.none"]
    assert read("conf/a.xml", JAVA.encode()).format is Format.XML
    one = properties.parse(JAVA).assignments[0]
    assert "<entry key='web.root'>./web</entry>" in applied(
        JAVA, *(properties.renamed(JAVA, one, "web.root") or ())
    )


def test_a_new_name_stands_in_both_tags() -> None:
    by_name = {one.name: one for one in elements.parse(ONE).assignments}
    for old, new, wanted in (
        ("idle", "rest", "<rest>5 &amp; more</rest>"),
        ("tls", "ssl", "<ssl startTLS='true'>"),
        ("tls", "ssl", "</ssl>"),
        ("tls.[@startTLS]", "tls.[@start]", "<tls start='true'>"),
        ("tls.empty", "tls.none", "<none/>"),
    ):
        changes = elements.renamed(ONE, by_name[old], new)
        assert changes and wanted in applied(ONE, *changes)
    assert elements.renamed(ONE, by_name["idle"], "a.b") is None


def test_what_is_not_closed_affects_only_itself() -> None:
    text = "<a>\n <b>1\n <c>2</c>\n <d x='1'>\n</a>"
    parsed = elements.parse(text)
    assert [(one.name, one.value and one.value.text) for one in parsed.assignments] == [
        ("b", None),
        ("b.c", "2"),
        ("b.d", None),
        ("b.d.[@x]", "1"),
    ]
    assert len(parsed.faults) == 2


@pytest.mark.parametrize("path", ["debug.xml", "server/sample-configuration/imap.xml"])
def test_xml_outside_of_sources_may_be_configuration(path: str) -> None:
    assert may_be_config(path)
    assert not may_be_config(f"src/main/java/{path.rpartition('/')[2]}")
    assert not may_be_config(f"server/src/test/resources/conf/{path.rpartition('/')[2]}")


@pytest.mark.seeds(1)
def test_no_text_raises_and_every_range_lies_in_the_text(seed: int) -> None:
    chance = random.Random(f"elements {seed}")
    for number in range(1000):
        text = mutated((ONE, MANY, JAVA)[number % 3], chance)
        check(elements, text, chance)
        check(properties, text, chance)


@pytest.mark.parametrize("piece", ["<a>", "<a ", "<a b='", "</a>", "<a b='1'>", "<![CDATA[", "<!--", "<entry key='a'>"])  # fmt: skip
def test_a_piece_repeated_many_times_is_read_once(piece: str) -> None:
    for text in (piece * 6_000, "<properties>" + piece * 6_000, "<r>" + piece * 6_000 + "</r>"):
        for dialect in (elements, properties):
            assert all(one.end <= len(text) for one in dialect.parse(text).assignments)
