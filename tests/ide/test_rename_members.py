"""A bound member is never renamed without asking, nor are the keys and reads that follow from it: others may use its name."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.ide.rename.edits import Part
from conflens.ide.rename.rename import Renamed, renamed
from ide.test_rename_bound import PLAIN, PROPERTIES
from steps import steps

USER = "package p; class User { int f(Props p) { return p.getSize(); } }\n"
VALUE = "org.springframework.beans.factory.annotation.Value"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("", ""),
        ("p/U.java", "package p; class U { int f(Props p) { var x = p; return x.getSize(); } }\n"),
        ("p/U.java", 'package p; class U { @org.aspectj.lang.annotation.Before("execution(* p.Props.getSize(..))") void f() { } }\n'),
        ("p/C.java", "package p; class C { Props p; class V { public Props getConfig() { return p; } } @org.springframework.web.bind.annotation.GetMapping V v() { return new V(); } }\n"),
        ("p/C.java", "package p; interface View { Props getConfig(); } class C { Props p; com.lib.Json m; void f() { m.write(new View() { public Props getConfig() { return p; } }); } }\n"),
        ("p/C.java", "package p; interface G { Object get(); } class C { com.lib.Json m; void g(G t) { m.write(t.get()); } void f(Props p) { g(() -> p); } }\n"),
        ("p/C.java", "package p; class C { com.lib.Json m; void f(Props p, Object[] a) { System.arraycopy(new Props[] {p}, 0, a, 0, 1); m.write(a); } }\n"),
        ("src/test/java/p/T.java", 'package p; class T { void f(Props p) { ReflectionTestUtils.setField(p, "size", 5); } }\n'),
        ("src/test/java/p/T.java", 'package p; class T { void f(Props p) { assertThat(p).extracting("size"); } }\n'),
        ("src/test/java/p/T.java", "package p; class T { void f() { new Props().size = 4; } }\n"),
        ("src/main/resources/application-x.properties", "x=#{@props.size}\n"),
        ("src/main/webapp/x.jsp", "<p>${props.size}</p>\n"),
    ],
)  # fmt: skip
def test_a_member_and_what_follows_from_it_are_confirmed(path: str, text: str) -> None:
    files = {
        "p/Props.java": PLAIN % "",
        "p/User.java": USER,
        "p/V.java": f'package p; class V {{ @{VALUE}("${{toy.size}}") int a; }}\n',
        PROPERTIES: "toy.size=3\n",
        "src/main/resources/application-dev.properties": "toy.size=4\n",
    }
    more = {path: text} if path else {}
    found = renamed(analyse({**files, **more}), PROPERTIES, 1, "toy.limit")
    assert isinstance(found, Renamed)
    assert found.derived
    members = [one for one in found.edits if one.part is Part.MEMBER]
    assert len([one for one in members if one.place.path == "p/Props.java"]) == 7
    assert {one.place.path for one in found.edits} >= files.keys()
    assert not any(one.sure for one in found.edits)


def test_a_read_beside_a_member_is_confirmed_with_it_even_if_the_rename_starts_there() -> None:
    files = {
        "p/Props.java": PLAIN % "",
        "p/V.java": f'package p; class V {{ @{VALUE}("${{toy.size}}") int a; }}\n',
        PROPERTIES: "toy.size=3\n",
    }
    at = files["p/V.java"].index("toy.size")
    found = renamed(analyse(files), "p/V.java", at, "toy.limit")
    assert isinstance(found, Renamed)
    assert {one.place.path for one in found.edits} == files.keys()
    assert not any(one.sure for one in found.edits)


def test_much_code_takes_linear_time() -> None:
    def counted(n: int) -> int:
        files = {
            "p/Props.java": PLAIN % "",
            "p/C.java": f"package p; class C {{ void f(Props p) {{ {'p.setSize(1); if (p == null) return; ' * n} }} }}\n",
            PROPERTIES: "toy.size=3\n",
        }
        analysis = analyse(files)
        return steps(lambda: renamed(analysis, PROPERTIES, 1, "toy.limit"))

    counted(1)
    assert counted(400) < 5 * counted(100)
