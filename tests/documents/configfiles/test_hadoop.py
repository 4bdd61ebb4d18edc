"""Configuration XML: what is in effect and where, what a cursor writes, and edits that touch nothing else."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.documents.configfiles.hadoop_xml import dialect as hadoop
from conflens.documents.configfiles.model import ContextKind, Fault
from documents.configfiles.torn import check, edited, mutations, names

CORE = """<?xml version="1.0"?>
<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
<!--
   A licence <property><name>not.this</name></property>
-->

<!-- Do not change this file. -->
<configuration>

<!--- global properties -->

<property>
  <name>hadoop.common.configuration.version</name>
  <value>3.0.0</value>
  <description>version of this configuration file</description>
</property>

<property>
  <name>hadoop.tmp.dir</name>
  <value>/tmp/hadoop-${user.name}</value>
  <description>A base for other temporary directories &amp; files.</description>
  <final>true</final>
</property>

<property>
  <name>hadoop.http.filter.initializers</name>
  <value>
    org.apache.Static,
    org.apache.Other
  </value>
</property>

<!-- <property>
  <name>switched.off</name>
  <value>1</value>
</property> -->

<property><name>io.file.buffer.size</name><value>4096</value></property>
<property name="fs.defaultFS" value="hdfs://a&quot;b/"/>

<property>
  <name>security.rules</name>
  <value><![CDATA[ RULE:[1:$1] <a> & "b" ]]></value>
</property>
</configuration>
"""


def found(text: str) -> dict[str, str | None]:
    return {
        one.name: one.value.text if one.value is not None else None
        for one in hadoop.parse(text).assignments
    }


def faults(text: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.message) for one in hadoop.parse(text).faults]


def inside(body: str) -> str:
    return f"<configuration>\n{body}\n</configuration>\n"


def test_names_and_values_as_the_program_reads_them() -> None:
    assert found(CORE) == {
        "hadoop.common.configuration.version": "3.0.0",
        "hadoop.tmp.dir": "/tmp/hadoop-${user.name}",
        "hadoop.http.filter.initializers": "org.apache.Static,\n    org.apache.Other",
        "io.file.buffer.size": "4096",
        "fs.defaultFS": 'hdfs://a"b/',
        "security.rules": 'RULE:[1:$1] <a> & "b"',
    }
    assert faults(CORE) == []


def test_places() -> None:
    by_name = {one.name: one for one in hadoop.parse(CORE).assignments}
    tmp = by_name["hadoop.tmp.dir"]
    assert tmp.final and not by_name["security.rules"].final
    assert CORE[tmp.key.start : tmp.key.end] == "hadoop.tmp.dir"
    assert CORE[tmp.start : tmp.end].startswith("<property>\n  <name>hadoop.tmp.dir")
    assert CORE[tmp.start : tmp.end].endswith("</final>\n</property>\n")
    rules, attribute = by_name["security.rules"].value, by_name["fs.defaultFS"].value
    assert rules is not None and rules.style == "<![CDATA["
    assert CORE[rules.start : rules.end] == 'RULE:[1:$1] <a> & "b"'
    assert attribute is not None and attribute.style == '"'
    assert CORE[attribute.start : attribute.end] == "hdfs://a&quot;b/"


def test_properties_that_share_a_line_have_their_own_ranges() -> None:
    one, two = "<property><name>a</name></property>", "<property><name>b</name></property>"
    text = inside(f"  {one}{two}")
    assert [text[x.start : x.end] for x in hadoop.parse(text).assignments] == [one, two]


@pytest.mark.parametrize(
    "text",
    [
        "<project><properties><property><name>a</name><value>1</value></property></properties></project>",
        "<web-app><property><name>a</name></property></web-app>",
        "<name>a</name><configuration><property><name>a</name></property></configuration>",
        '<configuration><property name="DIR" value="/x"/><appender name="f"><file>x</file></appender></configuration>',
        "<Configuration><property><name>a</name></property></Configuration>",
        "a=b\n",
        "",
    ],
)
def test_other_xml_sets_nothing(text: str) -> None:
    assert found(text) == {}
    assert hadoop.parse(text).faults == ()


def test_a_namespace_changes_nothing() -> None:
    text = '<c:configuration xmlns:c="x"><c:property><c:name>a.b</c:name><c:value>1</c:value></c:property></c:configuration>'
    assert found(text) == {"a.b": "1"}
    change = hadoop.added(text, "a.c", "2")
    assert change is not None
    assert "<c:property><c:name>a.c</c:name><c:value>2</c:value></c:property>" in change.text


def test_the_fallback_of_an_include_is_not_in_effect() -> None:
    text = inside(
        '<xi:include href="x"><xi:fallback><property><name>no</name></property></xi:fallback></xi:include>'
        '<property><name>a</name><value>1</value></property><xi:include href="y"/>'
    )
    assert found(text) == {"a": "1"}


def test_a_missing_value_is_none_and_an_empty_one_is_empty() -> None:
    text = inside(
        "<property><name>a</name></property><property><name>b</name><value></value></property>"
        "<property><name>c</name><value/></property><property><value>1</value></property>"
    )
    assert found(text) == {"a": None, "b": "", "c": None}


def test_a_comment_inside_a_value_is_not_part_of_it() -> None:
    assert found(inside("<property><name>a</name><value>1<!-- 2 -->3</value></property>")) == {
        "a": "13"
    }


@pytest.mark.parametrize(
    ("typed", "others"),
    [
        ("<prop", {}),
        ("<property>", {}),
        ("<property><name>new.na", {"new.na": None}),
        ("<property>\n <name>new.na\n <value>3</value>\n</property>", {"new.na": "3"}),
        ("<property><name>new.na</name><value>3\n</property>", {"new.na": "3"}),
        ("<property><name>n</name><value", {"n": None}),
        ('<property name="n', {}),
        ("</property>", {}),
        ("</name>", {}),
        ("&", {}),
    ],
)
def test_a_half_typed_element_affects_only_itself(
    typed: str, others: dict[str, str | None]
) -> None:
    before = "<property><name>a.b</name><value>1</value></property>"
    after = "<property>\n<name>c.d</name>\n<value>2</value>\n</property>"
    assert found(inside(f"{before}\n{typed}\n{after}")) == {"a.b": "1", **others, "c.d": "2"}


def test_definite_errors() -> None:
    text = inside("<property><name>a\n<value>1</value>\n<property><name>b</name></property>")
    assert sorted(faults(text)) == [
        ("<name>", "<name> is never closed."),
        ("<property>", "This element is never closed."),
    ]
    twice = "<property><name>a</name><value>1</value><name>b</name><value>2</value></property>"
    assert faults(inside(twice)) == [("<name>", "This property has a name already.")]
    assert found(inside(twice)) == {"a": "1", "b": "2"}
    assert faults("<configuration><!-- x") == [("<!--", "This comment is never closed.")]


def test_a_doctype_declares_nothing() -> None:
    inner = ["".join((f"&e{n};",) * 10) for n in range(30)]
    levels = "".join(f'<!ENTITY e{n + 1} "{inner[n]}">\n' for n in range(29))
    bomb = f'<!DOCTYPE configuration [<!ENTITY e0 "x">\n{levels}]>\n'
    text = bomb + inside("<property><name>a</name><value>&e29;&lt;</value></property>")
    assert found(text) == {"a": "&e29;<"}


def test_character_references_and_malformed_references() -> None:
    text = inside(
        "<property><name>a&#46;b</name><value>&#x41;&amp;lt; &copy=1 &#xD800; &#0; &#9999999;</value></property>"
    )
    assert found(text) == {"a.b": "A&lt; &copy=1 &#xD800; &#0; &#9999999;"}


def test_what_the_standard_parser_accepts() -> None:
    parsed = ElementTree.fromstring(CORE)
    expected = {
        prop.findtext("name", prop.get("name", "")): prop.findtext("value", prop.get("value", ""))
        for prop in parsed.findall("property")
    }
    assert found(CORE) == {name: value.strip() for name, value in expected.items()}


def where(marked: str) -> tuple[ContextKind, str, str, str]:
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    context = hadoop.context(text, offset)
    return context.kind, context.prefix, text[context.start : context.end], context.name


@pytest.mark.parametrize(
    ("marked", "prefix", "range_"),
    [
        ("<property><name>a.|b</name></property>", "a.", "a.b"),
        ("<property>\n<name> a.|b\n<value>1</value></property>", "a.", "a.b"),
        ("<property><name>|</name></property>", "", ""),
        ('<property name="a.|b" value="1"/>', "a.", "a.b"),
        ("<property name='|", "", ""),
        ("  |", "", ""),
        ("  dfs.re|p", "dfs.re", "dfs.rep"),
    ],
)
def test_a_cursor_in_a_name(marked: str, prefix: str, range_: str) -> None:
    assert where(inside(marked)) == (ContextKind.KEY, prefix, range_, "")


@pytest.mark.parametrize(
    ("marked", "prefix", "range_"),
    [
        ("<property><name>a.b</name><value>1|2</value></property>", "1", "12"),
        ("<property><value>1|</value><name>a.b</name></property>", "1", "1"),
        ("<property><name>a.b</name><value>|\n</property>", "", ""),
        ("<property><name>a.b</name><value><![CDATA[x|y]]></value></property>", "x", "xy"),
        ('<property name="a.b" value="1|2"/>', "1", "12"),
        ('<property name="a.b" value="|', "", ""),
    ],
)
def test_a_cursor_in_a_value(marked: str, prefix: str, range_: str) -> None:
    assert where(inside(marked)) == (ContextKind.VALUE, prefix, range_, "a.b")


@pytest.mark.parametrize(
    "marked",
    [
        "<property>|<name>a</name></property>",
        "<property><name>a</name>\n|\n<value>1</value></property>",
        "<property><description>a |</description></property>",
        "<!-- | -->",
        "<pro|perty>",
        '<property final="|"/>',
        "</configuration>\n|",
    ],
)
def test_no_completion_at_a_cursor_elsewhere(marked: str) -> None:
    assert where(inside(marked))[0] is ContextKind.NEITHER
    assert where("|" + CORE)[0] is ContextKind.NEITHER


def test_a_key_on_an_empty_line_is_a_whole_property_in_the_style_of_the_file() -> None:
    text = CORE.replace("<!-- <property>", "io.|\n<!-- <property>")
    at = text.index("|")
    text = text.replace("|", "")
    context = hadoop.context(text, at)
    written = hadoop.key_text(text, context, "io.new")
    assert written == "<property><name>io.new</name><value></value></property>"
    written = hadoop.key_text(text, context, "hadoop.tmp.other")
    assert written == "<property>\n  <name>hadoop.tmp.other</name>\n  <value></value>\n</property>"
    after = edited(text, context.start, context.end, written)
    assert sorted(names(hadoop.parse(after).assignments)) == sorted(
        (*found(CORE), "hadoop.tmp.other")
    )


def test_a_key_inside_a_name_is_the_text_only() -> None:
    text = inside("<property><name></name></property>")
    context = hadoop.context(text, text.index("</name>"))
    assert hadoop.key_text(text, context, "a<b") == "a&lt;b"
    assert hadoop.key_text(text, context, "a b") is None


def test_added_next_to_its_relatives_with_a_description() -> None:
    change = hadoop.added(CORE, "hadoop.tmp.size", "1 < 2", "How much & why")
    assert change is not None
    after = edited(CORE, change.start, change.end, change.text)
    assert (
        "  <final>true</final>\n</property>\n<property>\n  <name>hadoop.tmp.size</name>\n"
        "  <value>1 &lt; 2</value>\n  <description>How much &amp; why</description>\n</property>\n\n"
    ) in after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "<configuration>\n  <property>\n    <name>a.b</name>\n    <value>1</value>\n  </property>\n</configuration>\n"),
        ("<configuration/>", "<configuration>\n  <property>\n    <name>a.b</name>\n    <value>1</value>\n  </property>\n</configuration>"),
        ("<configuration>\r\n</configuration>\r\n", "<configuration>\r\n  <property>\r\n    <name>a.b</name>\r\n    <value>1</value>\r\n  </property>\r\n</configuration>\r\n"),
        ("<configuration></configuration>", "<configuration>\n  <property>\n    <name>a.b</name>\n    <value>1</value>\n  </property>\n</configuration>"),
    ],
)  # fmt: skip
def test_added_to_a_file_without_properties(text: str, expected: str) -> None:
    change = hadoop.added(text, "a.b", "1")
    assert change is not None
    assert edited(text, change.start, change.end, change.text) == expected


def test_nothing_is_added_to_other_xml() -> None:
    assert hadoop.added("<project></project>", "a.b", "1") is None


NAME = st.from_regex(r"[a-z]{1,3}([.\-_][a-zA-Z0-9<&'\"$]{1,4}){0,3}", fullmatch=True)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)


@settings(max_examples=150)
@given(NAME, TEXT, TEXT)
def test_adding_gives_one_more_entry_and_changes_nothing_else(
    name: str, value: str, comment: str
) -> None:
    change = hadoop.added(CORE, name, value, comment)
    assert change is not None and change.start == change.end
    after = hadoop.parse(edited(CORE, change.start, change.end, change.text)).assignments
    assert {one.name: one.value.text for one in after if one.value} == {
        **found(CORE),
        name: value.strip(),
    }


@settings(max_examples=100)
@given(st.integers(0, 5), NAME)
def test_renaming_changes_only_the_name(index: int, name: str) -> None:
    one = hadoop.parse(CORE).assignments[index]
    (change,) = hadoop.renamed(CORE, one, name) or ()
    after = edited(CORE, change.start, change.end, change.text)
    expected = [name if x == index else n for x, n in enumerate(found(CORE))]
    assert names(hadoop.parse(after).assignments) == expected
    assert list(found(after).values())[index] == list(found(CORE).values())[index]
    assert after.count("<!--") == CORE.count("<!--")


@settings(max_examples=150)
@given(TEXT, st.integers(0, 5))
def test_a_value_written_in_its_style_reads_back(value: str, index: int) -> None:
    one = hadoop.parse(CORE).assignments[index]
    assert one.value is not None
    written = hadoop.value_text(value, one.value.style)
    after = edited(CORE, one.value.start, one.value.end, written)
    assert found(after)[one.name] == value.strip()


@pytest.mark.seeds(1)
def test_truncated_files(seed: int) -> None:
    for number, text in enumerate(mutations(CORE, 1000, seed)):
        check(hadoop, text, number)


@pytest.mark.parametrize(
    "unit", ["<", "<!--", "<![CDATA[", "<property>", "<name>", "<property><name>", "<xi:include>", "<!DOCTYPE [", "<configuration>"]
)  # fmt: skip
def test_a_megabyte_of_filler(unit: str) -> None:
    text = "<configuration>" + unit * (1_000_000 // len(unit))
    assert found(text) == {}


def test_ten_thousand_deep() -> None:
    text = (
        "<configuration>" * 10_000
        + "<property><name>a</name></property>"
        + "</configuration>" * 10_000
    )
    assert found(text) == {"a": None}
    assert isinstance(hadoop.parse("<configuration>" + "<property>" * 10_000).faults[0], Fault)
