"""A rename is sure only in files that meet with the text under the cursor in one program; a person confirms all others."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.rename.rename import renamed
from session.support import session

VALUE = """package {0};
import org.springframework.beans.factory.annotation.Value;
class {1} {{ @Value("${{app.size}}") String x; {2} }}
"""
BOUND = """package {0};
@org.springframework.boot.context.properties.ConfigurationProperties("app")
public record {1}(int size, int idle) {{ {2} }}
"""
ONE, TWO, COMMON = "one/src/main/java/a/A.java", "two/src/main/java/b/B.java", "common/C.java"
KEYS = "src/main/resources/application.properties"
SET = {f"one/{KEYS}": "app.size=3\n", f"two/{KEYS}": "app.size=4\n"}


def pom(name: str, *on: str) -> str:
    inner = "".join(f"<dependency><artifactId>{other}</artifactId></dependency>" for other in on)
    return (
        f"<project><artifactId>{name}</artifactId><dependencies>{inner}</dependencies></project>"
    )


def poms(*on: str, two: tuple[str, ...] | None = None) -> dict[str, str]:
    return {
        "one/pom.xml": pom("one", *on),
        "two/pom.xml": pom("two", *(on if two is None else two)),
    }


def sure(files: dict[str, str], path: str, mark: str = "app.size") -> dict[str, bool]:
    """Whether all edits of a file are sure, by the file."""
    analysis = session(MemorySystem({**files})).scan()
    found = renamed(analysis, path, files[path].index(mark) + 1, "app.limit")
    assert found is not None
    said: dict[str, bool] = {}
    for edit in found.edits:
        said[edit.place.path] = said.get(edit.place.path, True) and edit.sure
    return said


GRADLE = {
    f"{of}/{name}": "" for of in ("one", "two") for name in ("build.gradle", "settings.gradle")
}


@pytest.mark.parametrize(
    "builds",
    [
        poms(),
        {**poms(), "pom.xml": pom("all")},
        GRADLE,
        poms(two=("one",)),
        {**poms(), "report/pom.xml": pom("report", "one", "two")},
        {},
        {"one/pom.xml": pom("one")},
        {"two/pom.xml": pom("two")},
        {"one/build.xml": "<project/>", "two/build.xml": "<project/>"},
        {"one/build.sbt": "", "two/build.sbt": ""},
        {"settings.gradle": "include 'one', 'two'", "build.gradle": "", "one/one.gradle": ""},
    ],
    ids=[
        "two",
        "below one",
        "gradle",
        "one depends on a module of that name",
        "a report of both",
        "no build file",
        "only one has a build file",
        "only two has one",
        "ant",
        "sbt",
        "gradle files of other names",
    ],
)
@pytest.mark.parametrize("start", [ONE, f"one/{KEYS}"])
def test_code_and_keys_of_another_program_are_confirmed_by_a_person(
    builds: dict[str, str], start: str
) -> None:
    files = {ONE: VALUE.format("a", "A", ""), TWO: VALUE.format("b", "B", ""), **SET, **builds}
    said = sure(files, start)
    assert said.keys() == {ONE, TWO, *SET}
    assert not said[f"two/{KEYS}"] and not said[TWO] and said[start]


def test_a_literal_of_the_java_platform_in_another_program_is_confirmed_by_a_person() -> None:
    read = 'class A { int size = Integer.getInteger("app.size"); }\n'
    assert sure({ONE: read, TWO: read.replace("A", "B"), **poms()}, ONE) == {ONE: True, TWO: False}


def test_a_bound_class_of_another_program_is_confirmed_by_a_person() -> None:
    files = {ONE: BOUND.format("a", "A", ""), TWO: BOUND.format("b", "B", ""), **SET, **poms()}
    wanted = {ONE: False, f"one/{KEYS}": False, TWO: False, f"two/{KEYS}": False}
    assert sure(files, f"one/{KEYS}") == wanted
    files[TWO] = VALUE.format("b", "B", "")
    assert sure(files, f"one/{KEYS}") == wanted


def test_a_class_that_another_program_uses_too_changes_there_and_here_or_not_at_all() -> None:
    common = {COMMON: BOUND.format("c", "C", ""), "common/pom.xml": pom("common"), **SET}
    files = {
        **common,
        ONE: "package a; class A { int m(c.C c) { return c.size(); } }\n",
        TWO: "package b; class B { int m(c.C c) { return c.size(); } }\n",
        **poms("common"),
    }
    said = sure(files, f"one/{KEYS}")
    assert [said[path] for path in (ONE, TWO, COMMON)] == [False, False, False]
    files[TWO] = "package b; class B { }\n"
    said = sure(files, f"one/{KEYS}")
    assert [said[path] for path in (ONE, COMMON)] == [False, False]


def test_a_key_that_code_of_another_program_reads_too_is_confirmed_by_a_person() -> None:
    key = f"common/{KEYS}"
    files = {
        COMMON: VALUE.format("c", "C", ""),
        "common/pom.xml": pom("common"),
        key: "app.size=3\n",
        ONE: VALUE.format("a", "A", ""),
        TWO: VALUE.format("b", "B", ""),
        **SET,
        **poms("common"),
    }
    said = sure(files, ONE)
    assert said == {ONE: True, COMMON: False, f"one/{KEYS}": False, key: False, TWO: False, f"two/{KEYS}": False}  # fmt: skip
    said = sure(files, COMMON)
    assert said[COMMON] and not said[ONE] and not said[f"one/{KEYS}"]


MAIN = 'public static void main(String[] args) {{ Integer.getInteger("app.size"); {0} }}'


def test_code_of_another_program_of_one_module_is_confirmed_by_a_person() -> None:
    def files(call: str) -> dict[str, str]:
        return {
            "p/One.java": f"package p; class One {{ {MAIN.format('')} }}\n",
            "p/Two.java": f"package p; class Two {{ {MAIN.format(call)} }}\n",
            "p/Part.java": 'package p; class Part { int size = Integer.getInteger("app.size"); }\n',
        }

    both = files("new Part();")
    assert sure(both, "p/One.java") == {"p/One.java": True, "p/Two.java": False, "p/Part.java": False}  # fmt: skip
    assert sure(both, "p/Two.java") == {"p/One.java": False, "p/Two.java": True, "p/Part.java": True}  # fmt: skip
    # What no program is seen to use may be found by one of them when it runs.
    assert sure(files(""), "p/One.java") == {"p/One.java": True, "p/Two.java": False, "p/Part.java": False}  # fmt: skip
    instance = MAIN.replace("public static", "").replace("String[] args", "")
    newer = {
        **both,
        "p/Two.java": f"package p; class Two {{ {instance.format('new Part();')} }}\n",
    }
    assert sure(newer, "p/One.java") == sure(both, "p/One.java")
    alone = {path: text for path, text in files("").items() if path != "p/Two.java"}
    assert sure(alone, "p/One.java") == {"p/One.java": True, "p/Part.java": True}


@pytest.mark.parametrize("other", ["two/pom.xml", "two/package.json", "two/src/test/java/T.java"])
def test_a_file_without_code_around_it_is_for_the_code_of_its_own_module(other: str) -> None:
    """Whether code of a program reads a file of another folder, nobody sees."""
    read = {ONE: VALUE.format("a", "A", ""), **poms(), other: "", "pom.xml": pom("all")}
    inside = "one/config/application.properties"
    assert sure({**read, inside: "app.size=3\n"}, inside) == {inside: True, ONE: True}
    for start in ("deploy/application.properties", "two/deploy/application.properties"):
        assert sure({**read, start: "app.size=3\n"}, start) == {start: True, ONE: False}
    alone = {"src/main/java/a/A.java": VALUE.format("a", "A", ""), "pom.xml": pom("all")}
    start = "deploy/application.properties"
    assert all(sure({**alone, start: "app.size=3\n"}, start).values())
    for start in ("two/deploy/application.properties", "two/config/application.properties"):
        assert sure({**alone, other: "", start: "app.size=3\n"}, start) == {
            start: True,
            "src/main/java/a/A.java": False,
        }


@pytest.mark.parametrize("build", ["pom.xml", "other/pom.xml"])
@pytest.mark.parametrize("folder", ["two", "frontend", "two/config", "config/two"])
def test_a_file_in_a_folder_that_may_be_another_program_is_confirmed_by_a_person(
    build: str, folder: str
) -> None:
    """What is in it may be written in a language that nobody reads here."""
    code, start = "src/main/java/a/A.java", f"{folder}/.env"
    files = {
        code: 'class A { String x = System.getenv("APP_T"); }\n',
        build: "<project/>",
        f"{folder}/package.json": "{}",
        start: "APP_T=3\n",
    }
    assert not sure(files, start, "APP_T")[code]
    beside = {**files, ".env": "APP_T=3\n", "conf/.env": "APP_T=3\n"}
    assert sure(beside, ".env", "APP_T")[code]
    assert sure(beside, "conf/.env", "APP_T")[code]
    below = {f"svc/{code}": files[code], ".env": "APP_T=3\n", "package.json": "{}"}
    assert not sure(below, ".env", "APP_T")[f"svc/{code}"]


@pytest.mark.parametrize("below", ["", "app/"])
@pytest.mark.parametrize("start", ["A.java", "application.properties"])
def test_sources_and_resources_of_one_set_are_one_program_without_a_build_file(
    below: str, start: str
) -> None:
    code = {name: f"{below}src/main/java/a/{name}" for name in ("A.java", "B.java")}
    key = f"{below}{KEYS}"
    files = {path: VALUE.format("a", name[0], "") for name, path in code.items()}
    files[key] = "app.size=3\n"
    assert sure(files, code.get(start, key)) == {**dict.fromkeys(code.values(), True), key: True}


def test_a_set_of_sources_is_what_lies_below_the_folder_that_packages_start_from() -> None:
    files = {
        "one/src/a/A.java": VALUE.format("a", "A", ""),
        "one/src/b/c/B.java": VALUE.format("b.c", "B", ""),
        "two/src/b/c/C.java": VALUE.format("b.c", "C", ""),
        "two/src/x/D.java": VALUE.format("d", "D", ""),
        "one/src/application.properties": "app.size=3\n",
        "one/src/integration/java/a/E.java": VALUE.format("a", "E", ""),
    }
    assert {path for path, known in sure(files, "one/src/a/A.java").items() if known} == {
        "one/src/a/A.java",
        "one/src/b/c/B.java",
    }
    start = "one/src/application.properties"
    assert {path for path, known in sure(files, start).items() if known} == {
        "one/src/a/A.java",
        "one/src/b/c/B.java",
        start,
    }


@pytest.mark.parametrize("start", [ONE, COMMON, f"one/{KEYS}"])
def test_a_library_of_two_programs_leaves_the_keys_of_both_to_a_person(start: str) -> None:
    files = {
        COMMON: VALUE.format("c", "C", ""),
        "common/pom.xml": pom("common"),
        ONE: VALUE.format("a", "A", ""),
        TWO: "package b; class B { }\n",
        **SET,
        **poms("common"),
    }
    said = sure(files, start)
    assert {path for path in SET if path != start and said[path]} == set()
