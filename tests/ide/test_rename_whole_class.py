"""A bound member is renamed as sure only if its class is seen whole, and nothing but its binder may read the names of its members."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.ide.rename.edits import Part
from conflens.ide.rename.rename import Renamed, renamed
from ide.test_rename_bound import PLAIN, PROPERTIES

USER = "package p; class User { int f(Props p) { return p.getSize(); } }\n"


@pytest.mark.parametrize(
    ("header", "path", "text"),
    [
        (" implements com.lib.HasSize", "", ""),
        (" extends com.lib.Pool", "", ""),
        (" extends Base", "p/Base.java", "package p; class Base extends com.lib.Pool { }\n"),
        ("", "p/Sub.java", "package p; class Sub extends Props { }\n"),
        ("", "p/U.java", "package p; class U { Props p = new Props() { int x; }; }\n"),
        ("", "p/U.java", "package p; import lombok.val; class U { int f(Props p) { val x = p; return x.getSize(); } }\n"),
        ("", "p/U.java", "package p; class U { int f(Props p) { lombok.var x = p; return x.getSize(); } }\n"),
        ("", "p/U.java", "package p; class U { int f(Props p) { var x = p; return x.getSize(); } }\n"),
        ("", "p/U.java", "package p; class U { Props g; int f(U u) { var x = u; return x.g.getSize(); } }\n"),
        ("", "p/U.java", "package p; class U { int f(com.lib.Box b) { return b.open().getSize(); } }\n"),
        ("", "p/U.java", "package p; class U { int f(java.util.List<Props> a) { return a.stream().mapToInt(one -> one.getSize()).sum(); } }\n"),
        ("", "p/U.java", 'package p; class U { Object f() throws Exception { return Props.class.getMethod("getSize"); } }\n'),
        ("", "p/U.java", 'package p; class U { @org.mapstruct.Mapping(source = "props.size", target = "x") void f() { } }\n'),
        ("", "p/U.java", 'package p; class U { @org.springframework.beans.factory.annotation.Value("#{props.size}") int x; }\n'),
        ("", "p/U.java", 'package p; class U { @org.springframework.cache.annotation.Cacheable(condition = "#p.size > 3") int f(Props p) { return 1; } }\n'),
        ("", "src/main/kotlin/K.kt", "fun f(x: Any) = x.size\n"),
        ("", "src/main/groovy/K.groovy", "def f(x) { x.getSize() }\n"),
        ("", "src/test/groovy/KSpec.groovy", "def f(x) { x.size == 3 }\n"),
        ("", "src/test/java/p/OtherTest.java", "package p; class OtherTest { int f(A a) { return a.props().getSize(); } }\n"),
        ("", ".conflens.toml", '[exclude]\npaths = ["p/User.java"]\n'),
        ("", "p/U.java", 'package p; class U { @org.springframework.security.access.prepost.PreAuthorize("@props.size > 3") void f() { } }\n'),
        ("", "beans.xml", '<beans xmlns="http://www.springframework.org/schema/beans"><bean class="p.Props"><property name="size" value="3"/></bean></beans>'),
        ("", "p/Broken.java", "package p; class Broken { int f(Props p) { return p.getSize() + ; } }\n"),
        ("", "src/main/webapp/x.jsp", "<p>${props.size}</p>\n"),
        ("", "src/main/resources/templates/x.html", '<p th:text="${props.size}"></p>\n'),
        ("", "beans.xml", '<beans xmlns="http://www.springframework.org/schema/beans"><bean id="x" class="b.X"><property name="n" value="#{props.size}"/></bean></beans>'),
        ("", "p/M.java", "package p; @org.mapstruct.Mapper interface M { Copy map(Props p); } class Copy { public int size; }\n"),
        ("", "p/M.java", "package p; class M { int f(Props p) { return p.get\\u0053ize(); } }\n"),
        ("", "p/M.java", "package p; interface M { String show(Props p); }\n"),
        ("", "p/M.java", "package p; class M { void f(Props p, Object d) { org.springframework.beans.BeanUtils.copyProperties(p, d); } }\n"),
        ("", "p/M.java", "package p; class M { Object f(Props p) { return new com.lib.View(p); } }\n"),
        ("", "p/M.java", "package p; class M { Object f(com.lib.Json j, String t) { return j.read(t, Props.class); } }\n"),
        ("", "p/M.java", "package p; class M { Props p; @org.springframework.web.bind.annotation.GetMapping Props get() { return p; } }\n"),
        ("", "p/M.java", "package p; class M { @lombok.experimental.Delegate Props p; }\n"),
        ("", "src/test/java/p/PropsTest.java", "package p; class PropsTest { int f(Props p) { return p.getSize(); } }\n"),
    ],
)  # fmt: skip
def test_a_member_of_a_class_that_is_not_seen_whole_is_confirmed_as_one_group(
    header: str, path: str, text: str
) -> None:
    files = {
        "p/Props.java": PLAIN % header,
        "p/User.java": USER,
        PROPERTIES: "toy.size=3\n",
        "src/main/resources/application-dev.properties": "toy.size=4\n",
    }
    cursor = {(PROPERTIES, True)}
    for more, sure in (({}, not header), ({path: text} if path else {}, False)):
        found = renamed(analyse({**files, **more}), PROPERTIES, 1, "toy.limit")
        assert isinstance(found, Renamed)
        members = [one for one in found.edits if one.part is Part.MEMBER]
        assert len([one for one in members if one.place.path == "p/Props.java"]) == 7
        assert {one.sure for one in members} == {sure}
        keys = {(one.place.path, one.sure) for one in found.edits if one.part is Part.CONFIG}
        assert keys - cursor == {("src/main/resources/application-dev.properties", sure)}


@pytest.mark.parametrize(
    ("notes", "is_sure"),
    [
        ("@lombok.experimental.FieldNameConstants", False),
        ("@jakarta.persistence.Entity", False),
        ('@com.fasterxml.jackson.annotation.JsonPropertyOrder("size")', False),
        ("@Own", False),
        ("@org.springframework.validation.annotation.Validated", True),
        ("@org.springframework.context.annotation.Configuration", True),
        ("@org.springframework.stereotype.Component @Deprecated", True),
        ("@lombok.Getter @lombok.ToString", True),
    ],
)
def test_a_class_whose_annotations_may_have_its_members_read_is_confirmed(
    notes: str, is_sure: bool
) -> None:
    files = {
        "p/Props.java": (PLAIN % "").replace("public class", f"{notes} public class"),
        "p/Own.java": "package p; @interface Own { }\n",
        "p/User.java": USER,
        PROPERTIES: "toy.size=3\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, "toy.limit")
    assert isinstance(found, Renamed)
    assert {one.sure for one in found.edits if one.part is Part.MEMBER} == {is_sure}


@pytest.mark.parametrize(
    "user",
    [
        "@org.springframework.context.annotation.Bean Props get() { return new Props(); }",
        "@org.springframework.beans.factory.annotation.Autowired Props p;",
        "String f(Props p) { java.util.Objects.requireNonNull(p); return String.valueOf(p); }",
        "Object f(org.springframework.context.ApplicationContext c) { return c.getBean(Props.class); }",
        "int f(Props p) { return new M(p).hashCode(); } M(Props p) { }",
        "interface I { int f(Props p); } class J implements I { public int f(Props p) { return 1; } }",
    ],
)
def test_a_class_that_stays_in_the_program_is_sure(user: str) -> None:
    files = {
        "p/Props.java": PLAIN % "",
        "p/User.java": USER,
        "p/M.java": f"package p; class M {{ {user} }}\n",
        PROPERTIES: "toy.size=3\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, "toy.limit")
    assert isinstance(found, Renamed)
    assert {one.sure for one in found.edits if one.part is Part.MEMBER} == {True}
