"""Programs in one checkout: what build files and references change, and what is checked across them."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import findings
from conflens.checking.results import Code
from conflens.program.sharing import Sharing
from conflens.session.analysis import Analysis
from session.support import session

POM = "<project><artifactId>{}</artifactId>{}</project>"
ON = "<dependencies><dependency><artifactId>{}</artifactId></dependency></dependencies>"
READ = 'package {0}; public class {1} {{ int port() {{ return Integer.getInteger("the.port", {2}); }} }}'
FIRST, SECOND = "a/src/main/java/a/A.java", "b/src/main/java/b/B.java"


def two_modules(on: str = "") -> MemorySystem:
    system = MemorySystem({})
    system.write("a/pom.xml", POM.format("a", ""))
    system.write("b/pom.xml", POM.format("b", on))
    system.write(FIRST, READ.format("a", "A", 80))
    system.write(SECOND, READ.format("b", "B", 90))
    return system


def conflicts(analysis: Analysis) -> list[str]:
    return [
        finding.place.path
        for path in sorted(analysis.program.files)
        for finding in findings(analysis, path)
        if finding.code is Code.CONFLICTING_DEFAULT
    ]


def test_a_dependency_that_is_added_brings_two_modules_together() -> None:
    system = two_modules()
    living = session(system)
    assert conflicts(living.scan()) == []
    system.write("b/pom.xml", POM.format("b", ON.format("a")))
    living.files_changed(["b/pom.xml"])
    assert conflicts(living.rebuild()) == [FIRST, SECOND]
    system.write("b/pom.xml", POM.format("b", ""))
    living.files_changed(["b/pom.xml"])
    assert conflicts(living.rebuild()) == []


def test_a_reference_that_is_typed_brings_a_file_into_a_second_program() -> None:
    system = MemorySystem({})
    main = "package p; class {0} {{ public static void main(String[] x) {{ {1} }} }}"
    read = 'System.out.println(Integer.getInteger("the.size", {0}));'
    system.write("p/One.java", main.format("One", read.format(1)))
    system.write("p/Two.java", main.format("Two", "new Part().run();"))
    system.write(
        "p/Part.java",
        f"package p; class Part {{ void run() {{ {read.format(2)} }} }}",
    )
    living = session(system)
    assert conflicts(living.scan()) == []
    system.write("p/One.java", main.format("One", read.format(1) + " new Part();"))
    living.files_changed(["p/One.java"])
    assert conflicts(living.rebuild()) == ["p/One.java", "p/Part.java"]
    system.write("p/One.java", main.format("One", read.format(1)))
    living.files_changed(["p/One.java"])
    assert conflicts(living.rebuild()) == []


@pytest.mark.parametrize(("on", "told"), [("", False), (ON.format("a"), True)])
def test_a_value_is_judged_by_reads_of_its_own_program(on: str, told: bool) -> None:
    system = two_modules(on)
    read = "package {0}; class {1} {{ {2} }}"
    whole = 'int p(java.util.Properties c) { return Integer.parseInt(c.getProperty("the.port", "1")); }'
    load = "void l() throws Exception { java.util.Properties c = new java.util.Properties();"
    load += ' c.load(new java.io.FileReader("app.properties")); p(c); }'
    text = 'String p(java.util.Properties c) { return c.getProperty("the.port") + c.getProperty("the.name"); }'
    system.write(FIRST, read.format("a", "A", whole + load))
    system.write(SECOND, read.format("b", "B", text + load))
    system.write("b/src/main/resources/app.properties", "the.port=some\nthe.name=x\n")
    system.write("a/src/main/resources/app.properties", "the.port=some\n")
    analysis = session(system).scan()
    codes = {
        path: [one.code for one in findings(analysis, path)]
        for path in analysis.config_files
        if path.endswith("app.properties")
    }
    assert (Code.INVALID_VALUE in codes["b/src/main/resources/app.properties"]) is told


def test_a_module_with_too_many_files_is_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    system = MemorySystem({})
    for name in ("One", "Two"):
        body = "public static void main(String[] x) { }"
        system.write(f"p/{name}.java", f"package p; class {name} {{ {body} }}")
    program = session(system).scan().program
    looked: list[str] = []
    assert not Sharing(program, looked.extend).shared("p/One.java", "p/Two.java")
    assert sorted(looked) == ["p/One.java", "p/Two.java"]
    monkeypatch.setattr("conflens.program.sharing.MOST", 1)
    assert Sharing(program, looked.extend).shared("p/One.java", "p/Two.java")


def test_a_file_above_the_modules_is_for_them_all() -> None:
    system = two_modules()
    system.write("pom.xml", POM.format("all", ""))
    system.write("Tool.java", "class Tool { }")
    analysis = session(system).scan()
    (option,) = analysis.options.options
    assert analysis.recognised.belongs(option, "README.md", wholly=True)
    assert analysis.recognised.belongs(option, "a/README.md")
    assert not analysis.recognised.belongs(option, "a/README.md", wholly=True)
