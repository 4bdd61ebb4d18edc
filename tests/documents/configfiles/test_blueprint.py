"""OSGi's XML of blueprints: what values ask for, however a placeholder is written; and what beans are given."""

from __future__ import annotations

import random

from conflens.documents.configfiles import blueprint
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.parsing import parse, read
from conflens.documents.configfiles.wiring import wires
from documents.configfiles.torn import check, mutations

NAMESPACES = 'xmlns="http://www.osgi.org/xmlns/blueprint/v1.0.0" xmlns:cm="urn:cm"'
PLACEHOLDER = """<cm:property-placeholder persistent-id="app.store" placeholder-prefix="$[" placeholder-suffix="]">
  <cm:default-properties><cm:property name="size" value="a &amp; ${x}"/></cm:default-properties>
</cm:property-placeholder>
"""
BEANS = """<bean id="ä" class="app.Store$Inner" init-method="$[start]">
  <!-- <property name="off" value="$[off]"/> -->
  <argument value="$[dir]"/><argument><value> $[kind] </value></argument>
  <property name="size" value="$[size]"/>
  <property name="part"><bean class="app.Part"><property name="mode" value="$[mode]"/></bean></property>
  <property name="list"><list><value>$[first]</value></list></property>
</bean>
<bean class="app.Made" factory-method="of"><argument value="$[made]"/></bean>
"""
TEXT = f"<blueprint {NAMESPACES}>\n{PLACEHOLDER}{BEANS}</blueprint>\n"


def values(text: str) -> list[str]:
    return [one.value.text for one in blueprint.parse(text).assignments if one.value is not None]


def test_what_is_asked_for_is_written_the_usual_way() -> None:
    asked = ["${start}", "${dir}", "${kind}", "${size:-a & ${sys:x}}", "${mode}", "${first}"]
    assert values(TEXT) == [*asked, "${made}"]


def test_without_a_placeholder_nothing_is_asked_for() -> None:
    assert values(f"<blueprint {NAMESPACES}>{BEANS}</blueprint>") == []


def test_of_two_beginnings_the_longer_one_counts() -> None:
    pair = '<cm:property-placeholder persistent-id="a"/><cm:property-placeholder persistent-id="b" placeholder-prefix="${b."/>'
    beans = '<bean class="A"><property name="x" value="${b.one}-${two}"/></bean>'
    assert values(f"<blueprint {NAMESPACES}>{pair}{beans}</blueprint>") == ["${one}-${two}"]


def test_the_format_is_told_by_the_content() -> None:
    path = "src/main/resources/OSGI-INF/blueprint/a.xml"
    assert read(path, TEXT.encode()).format is Format.BLUEPRINT
    assert read(path, f"<blueprint {NAMESPACES}>{BEANS}</blueprint>".encode()).assignments == ()


def test_beans_are_given_properties_and_arguments() -> None:
    file = parse("a.xml", Format.BLUEPRINT, TEXT.encode())
    given = [
        (one.type, one.member, one.index, one.count, file.text[one.start : one.end].decode())
        for one in wires(file)
    ]
    assert given == [
        ("app.Store.Inner", "", 0, 2, "$[dir]"),
        ("app.Store.Inner", "", 1, 2, "$[kind]"),
        ("app.Store.Inner", "size", 0, 1, "$[size]"),
        ("app.Part", "mode", 0, 1, "$[mode]"),
    ]


def test_attributes_for_properties_of_spring() -> None:
    text = '<beans><bean class="app.A" p:size="${a}" p:other-ref="${b}" scope="${c}"/></beans>'
    file = parse("a.xml", Format.BEANS, text.encode())
    assert [(one.type, one.member) for one in wires(file)] == [("app.A", "size")]


def test_entries_of_maps_have_keys() -> None:
    text = """<beans><bean class="app.A">
    <property name="props"><map><entry key="a" value="${a}"/><entry key="b"><value> ${b} </value></entry></map></property>
    <property name="more"><props><prop key="c">${c}</prop></props></property>
    <property name="list"><list><map><entry key="d" value="${d}"/></map></list></property>
    <constructor-arg><map><entry key="e" value="${e}"/></map></constructor-arg>
    </bean></beans>"""
    file = parse("a.xml", Format.BEANS, text.encode())
    given = [(one.member, one.key, text[one.start : one.end]) for one in wires(file)]
    assert given == [("props", "a", "${a}"), ("props", "b", "${b}"), ("more", "c", "${c}")]


def test_torn_files() -> None:
    for number, torn in enumerate(mutations(TEXT, 1_000, seed=3)):
        check(blueprint, torn, number)
        for one in wires(parse("a.xml", Format.BLUEPRINT, torn.encode())):
            assert 0 <= one.start <= one.end <= len(torn.encode())


def test_repeated_beginnings_take_linear_time() -> None:
    chance = random.Random(5)
    pieces = [
        '<property name="a" value="',
        "$[",
        "]",
        "<bean>",
        '"/>',
        "<cm:property-placeholder ",
    ]
    text = "".join(chance.choice(pieces) for _ in range(20_000))
    check(blueprint, f"<blueprint {NAMESPACES}>{PLACEHOLDER}{text}")
