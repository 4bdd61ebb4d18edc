"""Which modules build files tell of, and which of them can be parts of one program."""

from __future__ import annotations

import pytest

from conflens.program.modules.modules import NO_MODULES, Modules


def _pom(artifact: str, *on: str, parent: str = "", more: str = "") -> bytes:
    above = (
        f"<parent><groupId>g</groupId><artifactId>{parent}</artifactId></parent>" if parent else ""
    )
    needed = "".join(
        f"<dependency><groupId>g</groupId><artifactId>{one.partition(':')[0]}</artifactId>"
        + (f"<scope>{one.partition(':')[2]}</scope>" if ":" in one else "")
        + "</dependency>"
        for one in on
    )
    text = (
        f'<project xmlns="http://maven.apache.org/POM/4.0.0">{above}<artifactId>{artifact}</artifactId>'
        f"<dependencies>{needed}</dependencies>{more}</project>"
    )
    return text.encode()


MAVEN = {
    "pom.xml": _pom("all"),
    "core/pom.xml": _pom("core", parent="all"),
    "server/pom.xml": _pom("server", "core", parent="all"),
    "tools/pom.xml": _pom("tools", "core", "checks:test", parent="all"),
    "checks/pom.xml": _pom("checks", parent="all"),
    "dist/pom.xml": _pom("dist", "server", "plugin"),
    "plugin/pom.xml": _pom("plugin"),
}
GRADLE = {
    "settings.gradle": b"rootProject.name = 'x'\ninclude 'core', 'server',\n  'tools:shell'\ninclude(\":web-ui\")\n"
    b"project(':web-ui').projectDir = file('ui/web')\n",
    "build.gradle": b"subprojects { dependencies { implementation project(':core') } }\n"
    b"project(':server') {\n  dependencies { runtimeOnly project(':web-ui') } }\n",
    "core/build.gradle": b"",
    "server/build.gradle": b"dependencies {\n  // api project(':tools:shell')\n  testImplementation project(':tools:shell')\n}",
    "tools/shell/build.gradle.kts": b'dependencies { implementation(project(path = ":core")) }',
    "ui/web/build.gradle": b"dependencies { compileOnly(platform(projects.tools.shell)) }",
}
BAZEL = {
    "core/BUILD": b'java_library(name = "core", srcs = glob(["*.java"]))',
    "server/BUILD.bazel": b'java_binary(name = "server", deps = ["//core", "//third/party:x"])',
    "tools/BUILD": b'java_binary(name = "tools", deps = ["//core:core"])',
}


@pytest.mark.parametrize(
    ("files", "path", "module"),
    [
        (MAVEN, "core/src/main/java/a/B.java", "core"),
        (MAVEN, "README.md", ""),
        (GRADLE, "tools/shell/src/A.java", "tools/shell"),
        (GRADLE, "tools/A.java", ""),
        (BAZEL, "server/a/b/C.java", "server"),
        ({}, "a/b/C.java", ""),
    ],
)
def test_a_file_belongs_to_the_nearest_module_above_it(
    files: dict[str, bytes], path: str, module: str
) -> None:
    assert Modules.of(files).at(path) == module


@pytest.mark.parametrize(
    ("files", "one", "other", "related"),
    [
        (MAVEN, "server", "core", True),
        (MAVEN, "core", "server", True),
        (MAVEN, "server", "tools", False),
        (MAVEN, "tools", "checks", False),
        (MAVEN, "server", "plugin", True),
        (MAVEN, "tools", "plugin", False),
        (GRADLE, "server", "core", True),
        (GRADLE, "server", "ui/web", True),
        (GRADLE, "server", "tools/shell", True),
        (BAZEL, "server", "core", True),
        (BAZEL, "server", "tools", False),
        ({}, "", "", True),
    ],
)
def test_modules_are_related_if_something_loads_both(
    files: dict[str, bytes], one: str, other: str, related: bool
) -> None:
    modules = Modules.of(files)
    assert modules.related(one, other) is related
    assert modules.related(other, one) is related


@pytest.mark.parametrize("files", [MAVEN, {}, {"a/pom.xml": _pom("a"), "b/pom.xml": _pom("b")}])
def test_a_module_is_related_to_any_of_others_if_it_is_to_one(files: dict[str, bytes]) -> None:
    modules = Modules.of(files)
    names = ["", "core", "server", "tools", "a", "b"]
    for one in names:
        for first in names:
            for second in names:
                others = frozenset((first, second))
                related = any(modules.related(one, other) for other in others)
                assert modules.related_to_any(one, others) is related
        assert not modules.related_to_any(one, frozenset())


def test_a_child_depends_on_what_its_parent_does() -> None:
    modules = Modules.of(
        {
            "parent/pom.xml": _pom("parent", "base"),
            "base/pom.xml": _pom("base"),
            "child/pom.xml": _pom("child", parent="parent"),
        }
    )
    assert modules.related("child", "base")


def test_managed_dependencies_and_those_of_plugins_are_none() -> None:
    managed = (
        "<dependencyManagement><dependencies><dependency><artifactId>b</artifactId></dependency></dependencies>"
        "</dependencyManagement><build><plugins><plugin><dependencies><dependency><artifactId>b</artifactId>"
        "</dependency></dependencies></plugin></plugins></build>"
    )
    modules = Modules.of({"a/pom.xml": _pom("a", more=managed), "b/pom.xml": _pom("b")})
    assert not modules.related("a", "b")


def test_without_a_build_file_above_all_is_one_program() -> None:
    modules = Modules.of({"a/pom.xml": _pom("a"), "b/pom.xml": _pom("b")})
    assert modules.related("", "a")
    assert NO_MODULES.related("", "")
    assert not modules.related("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<project><artifactId>a</artifactId><dependencies><dependency><artifactId>b",
        b"<!DOCTYPE x [<!ENTITY e 'b'>]><project><artifactId>&e;</artifactId></project>",
        b"<a>" * 5_000,
        b"\xff\xfe\x00",
        b'<?xml version="1.0" encoding="nonsense"?><project/>',
    ],
)
def test_a_broken_pom_is_a_module_without_dependencies(text: bytes) -> None:
    modules = Modules.of({"a/pom.xml": text, "b/pom.xml": _pom("b")})
    assert modules.at("a/A.java") == "a"
    assert not modules.related("a", "b")


def test_a_pom_says_what_stands_before_its_fault() -> None:
    text = _pom("a", "b").replace(b"</project>", b"<oops")
    assert Modules.of({"a/pom.xml": text, "b/pom.xml": _pom("b")}).related("a", "b")


def test_modules_that_depend_on_each_other_end() -> None:
    modules = Modules.of(
        {
            "a/pom.xml": _pom("a", "b", parent="b"),
            "b/pom.xml": _pom("b", "a", parent="a"),
            "c/pom.xml": _pom("c"),
        }
    )
    assert modules.related("a", "b")
    assert not modules.related("a", "c")


def test_what_leads_out_of_the_project_is_nobodys() -> None:
    modules = Modules.of(
        {
            "settings.gradle": b"include 'a'\nproject(':a').projectDir = file('../../etc')",
            "b/build.gradle": b"dependencies { api project(':a') }",
            "a/build.gradle": b"",
        }
    )
    assert not modules.related("a", "b")


def test_equal_build_files_have_an_equal_digest() -> None:
    assert Modules.of(MAVEN).digest == Modules.of(dict(reversed(MAVEN.items()))).digest
    assert Modules.of(MAVEN).digest != Modules.of(MAVEN | {"x/pom.xml": _pom("x", "core")}).digest
    assert not NO_MODULES.digest


@pytest.mark.parametrize("path", ["/A.java", "/abs/A.java", "//A.java", "A.java"])
def test_a_file_outside_of_all_modules_is_in_none(path: str) -> None:
    found = Modules.of({"a/pom.xml": b"<project><artifactId>a</artifactId></project>"})
    assert found.at(path) == ""
    assert not found.filters(path)
