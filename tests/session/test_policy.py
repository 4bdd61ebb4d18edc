"""Which files count: every case is a few paths and what becomes of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conflens.base.cancel import Cancelled, CancelToken
from conflens.base.system import MemorySystem
from conflens.session.analysis import LeftOut
from conflens.session.inputs import policy
from conflens.session.inputs.policy import (
    MAX_BYTES,
    OUTSIDE,
    Rules,
    content_reason,
    discover_files,
    summary,
)
from conflens.session.sources import files
from conflens.session.sources.files import RealSystem


def found(files: dict[str, str], rules: Rules | None = None) -> tuple[list[str], list[str]]:
    """The Java files that count, and ``path: reason`` of what is left out."""
    result = discover_files(MemorySystem(files), rules or Rules())
    return (
        [file.path for file in result.java],
        [f"{item.path}: {item.reason}" for item in result.left_out],
    )


def test_ignore_files_at_every_level_count_and_the_deepest_decides() -> None:
    files = {
        ".gitignore": "*.gen.java\n/scratch/\n",
        "a/A.java": "",
        "a/B.gen.java": "",
        "a/.gitignore": "!Kept.gen.java\nOld*\n",
        "a/Kept.gen.java": "",
        "a/OldOne.java": "",
        "scratch/C.java": "",
        "a/scratch/D.java": "",
        "b/OldTwo.java": "",
    }
    assert found(files) == (
        ["a/A.java", "a/Kept.gen.java", "a/scratch/D.java", "b/OldTwo.java"],
        [
            "a/B.gen.java: named in .gitignore",
            "a/OldOne.java: named in .gitignore",
            "scratch/: named in .gitignore",
        ],
    )


def test_an_ignore_file_that_lists_what_to_keep() -> None:
    files = {".gitignore": "*\n!*/\n!*.java\nsecret/\n", "a/A.java": "", "a/secret/B.java": ""}
    assert found(files) == (["a/A.java"], ["a/secret/: named in .gitignore"])


def test_the_content_of_a_folder_can_be_ignored_with_exceptions() -> None:
    files = {".gitignore": "b/**\n!b/B.java\nq/\n!/a/\n", "b/B.java": "", "b/C.java": ""}
    assert found({**files, "a/q/D.java": ""}) == (
        ["b/B.java"],
        ["a/q/: named in .gitignore", "b/C.java: named in .gitignore"],
    )


def test_invalid_patterns_do_not_disable_the_others() -> None:
    files = {".gitignore": "!\nB.java\n", "A.java": "", "B.java": ""}
    assert found(files)[0] == ["A.java"]


def test_the_workspace_file_excludes_too() -> None:
    files = {"a/A.java": "", "b/deep/B.java": "", "c/C.java": ""}
    assert found(files, Rules(exclude=("b/**", "c/"))) == (
        ["a/A.java"],
        ["b/deep/: excluded by .conflens.toml", "c/: excluded by .conflens.toml"],
    )


def test_hidden_folders_and_dependencies_are_skipped_silently() -> None:
    files = {".git/A.java": "", ".idea/B.java": "", "node_modules/x/C.java": "", "D.java": ""}
    assert found(files) == (["D.java"], [])


@pytest.mark.parametrize("name", ["target", "build", "out", "bin", "dist"])
def test_a_folder_named_like_build_output_is_a_package_if_its_files_declare_it(name: str) -> None:
    files = {
        f"src/main/java/org/x/{name}/Tool.java": f"package org.x.{name};",
        f"src/main/java/org/x/{name}/sub/More.java": f"package org.x.{name}.sub;",
        f"{name}/gen/org/x/Made.java": "package org.x;",
        f"module/{name}/README.md": "",
    }
    assert found(files) == (
        [
            f"src/main/java/org/x/{name}/Tool.java",
            f"src/main/java/org/x/{name}/sub/More.java",
        ],
        [f"{name}/gen/org/x/Made.java: build output"],
    )


def test_the_root_may_lie_inside_a_package() -> None:
    assert found({"build/Tool.java": "package org.x.build;"})[0] == ["build/Tool.java"]


def test_the_search_for_a_package_below_build_output_is_bounded() -> None:
    files = {f"target/{number:03}/note.class": "" for number in range(300)}
    files["target/zzz/A.java"] = "package target.zzz;"
    assert found(files) == ([], [])


def test_the_code_of_a_gradle_build_is_left_out_but_a_package_called_so_is_not() -> None:
    files = {
        "buildSrc/src/main/groovy/x/Task.java": "package x;",
        "buildSrc/src/main/resources/app.properties": "",
        "src/main/java/x/buildSrc/Tool.java": "package x.buildSrc;",
        "maven-plugin/src/main/java/x/Goal.java": "package x;",
    }
    assert found(files) == (
        ["maven-plugin/src/main/java/x/Goal.java", "src/main/java/x/buildSrc/Tool.java"],
        ["buildSrc/src/main/groovy/x/Task.java: code of the build"],
    )


TESTS = {
    "src/main/java/x/A.java": "package x;",
    "src/main/java/x/test/Harness.java": "package x.test;",
    "src/test/java/x/ATest.java": "package x;",
    "src/androidTest/java/x/BTest.java": "package x;",
    "src/integrationTest/java/x/CTest.java": "package x;",
    "core/src/integration-test/java/x/ETest.java": "package x;",
    "core/src/it/java/x/FTest.java": "package x;",
    "src/main/java/x/it/Labels.java": "package x.it;",
    "test/unit/x/DTest.java": "package x;",
}


def test_test_sources_are_excluded_but_a_package_called_test_is_not() -> None:
    assert found(TESTS) == (
        [
            "src/main/java/x/A.java",
            "src/main/java/x/it/Labels.java",
            "src/main/java/x/test/Harness.java",
        ],
        [
            "core/src/integration-test/java/x/ETest.java: test sources",
            "core/src/it/java/x/FTest.java: test sources",
            "src/androidTest/java/x/BTest.java: test sources",
            "src/integrationTest/java/x/CTest.java: test sources",
            "src/test/java/x/ATest.java: test sources",
            "test/unit/x/DTest.java: test sources",
        ],
    )


def test_test_sources_can_be_included() -> None:
    assert found(TESTS, Rules(include_tests=True)) == (sorted(TESTS), [])


def test_huge_files_are_excluded_with_a_reason() -> None:
    files = {"A.java": "x" * (MAX_BYTES + 1), "B.java": "x" * MAX_BYTES}
    assert found(files) == (["B.java"], ["A.java: larger than 2 MB"])


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("A.java", "class A {}", ""),
        ("A.java", "\0c\0l\0a\0s\0s", "not text"),
        ("A.java", "class A { char a = '\0'; String b = \"a\0b\"; }", ""),
        ("A.java", "class A { \0 char a = '\0'; }", "not text"),
        ("target/generated-sources/x/A.java", "class A {}", "generated"),
        ("A.java", "// Generated by the protocol buffer compiler.\nclass A {}", "generated"),
        ("A.java", "/*\n * This file was automatically generated by JFlex\n */", "generated"),
        ("A.java", "// THIS CODE IS AUTOMATICALLY GENERATED.  DO NOT EDIT.\n", "generated"),
        ("A.java", '@javax.annotation.Generated("x")\nclass A {}', "generated"),
        ("A.java", "/** The result generated by a query. */ class A {}", ""),
        ("A.java", "class A {\n" + " " * 1000 + "// DO NOT EDIT\n}", ""),
    ],
)
def test_classification_by_content(path: str, text: str, reason: str) -> None:
    assert content_reason(path, text.encode()) == reason


def test_documents_are_distinguished_from_sources_and_more_can_be_named() -> None:
    files = {"README.md": "", "A.java": "", "notes/options.lst": "", "x.class": ""}
    rules = Rules(documents=("notes/*",))
    documents = discover_files(MemorySystem(files), rules).documents
    assert [file.path for file in documents] == ["README.md", "notes/options.lst"]


def test_the_report_has_one_line_for_each_reason() -> None:
    files = {**TESTS, ".gitignore": "Z.java", "Z.java": ""}
    left_out = discover_files(MemorySystem(files), Rules()).left_out
    assert summary(left_out) == ("6 left out: test sources", "1 left out: named in .gitignore")


def real(root: Path, rules: Rules | None = None) -> list[str]:
    result = discover_files(RealSystem(str(root)), rules or Rules())
    return [file.path for file in result.java]


def test_links_in_cycles_or_back_inside_are_walked_once(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "A.java").write_text("")
    outside.mkdir()
    (outside / "B.java").write_text("")
    (root / "a" / "b" / "up").symlink_to(root, target_is_directory=True)
    (root / "aa").symlink_to(root / "a", target_is_directory=True)
    (root / "lib").symlink_to(outside, target_is_directory=True)
    (outside / "self").symlink_to(outside, target_is_directory=True)
    (root / "gone").symlink_to(root / "nowhere")
    assert real(root, Rules(links=("lib",))) == ["a/A.java", "lib/B.java"]


def linked(tmp_path: Path) -> Path:
    """A folder with links to files and folders outside of it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root / "a", outside / "b"):
        folder.mkdir(parents=True)
    for file in (root / "a" / "A.java", outside / "B.java", outside / "b" / "C.java"):
        file.write_text("")
    (outside / "guide.md").write_text("")
    (outside / "notes.bin").write_text("")
    for link in ("guide.md", "notes.bin", "B.java", "b"):
        (root / link).symlink_to(outside / link)
    (root / "a" / "again.java").symlink_to(outside / "B.java")
    (root / ".hidden").symlink_to(outside)
    return root


def test_a_link_out_of_the_folder_is_not_followed_and_is_reported(tmp_path: Path) -> None:
    result = discover_files(RealSystem(str(linked(tmp_path))), Rules())
    assert [file.path for file in (*result.java, *result.documents)] == ["a/A.java"]
    assert [(item.path, item.reason) for item in result.left_out] == [
        ("B.java", OUTSIDE),
        ("a/again.java", OUTSIDE),
        ("b/", OUTSIDE),
        ("guide.md", OUTSIDE),
    ]


@pytest.mark.parametrize(
    ("rules", "java", "documents"),
    [
        (Rules(links=("b",)), ["a/A.java", "b/C.java"], []),
        (Rules(links=("*.java",)), ["B.java", "a/A.java"], []),
        (Rules(documents=("guide.md",)), ["a/A.java"], ["guide.md"]),
        (Rules(documents=("guide.md.old", "*.md")), ["a/A.java"], []),
        (Rules(configuration=("/b/*.yaml",)), ["a/A.java", "b/C.java"], []),
    ],
)
def test_a_link_named_by_the_user_is_followed_and_each_file_appears_once(
    tmp_path: Path, rules: Rules, java: list[str], documents: list[str]
) -> None:
    result = discover_files(RealSystem(str(linked(tmp_path))), rules)
    assert [file.path for file in result.java] == java
    assert [file.path for file in result.documents] == documents


def test_folders_that_link_to_each_other_are_each_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, names = tmp_path / "root", [f"f{number}" for number in range(12)]
    root.mkdir()
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.java").write_text("")
        for other in names:
            (tmp_path / name / other).symlink_to(tmp_path / other)
    (root / "in").symlink_to(tmp_path / "f0")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(path) or scandir(path))
    # From each folder all others can be reached: as many ways as there are orders of twelve folders.
    found = real(root, Rules(links=("*",)))
    assert sorted(path.rpartition("/")[2] for path in found) == sorted(f"{n}.java" for n in names)
    assert len(listed) == 1 + len(names)


def test_a_link_to_a_parent_folder_adds_no_file_again(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "A.java").write_text("")
    (tmp_path / "B.java").write_text("")
    (root / "up").symlink_to(tmp_path)
    assert real(root, Rules(links=("up",))) == ["a/A.java", "up/B.java"]


def test_folders_can_be_nested_deeply(tmp_path: Path) -> None:
    folders = [f"{tmp_path}{'/d' * depth}" for depth in range(1, 1_501)]
    for folder in folders:
        os.mkdir(folder)
    file = f"{folders[-1]}/A.java"
    with open(file, "w", encoding="utf-8"):
        pass
    found = real(tmp_path)
    os.remove(file)
    for folder in reversed(folders):
        os.rmdir(folder)
    assert found == ["d/" * 1_500 + "A.java"]


def test_special_files_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("")
    os.mkfifo(tmp_path / "Pipe.java")
    assert real(tmp_path) == ["A.java"]


def test_an_unreadable_folder_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "B.java").write_text("")
    (tmp_path / "A.java").write_text("")
    scandir = os.scandir

    def denied(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    assert real(tmp_path) == ["A.java"]


def test_a_name_that_is_not_unicode_is_kept(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.java")
    with open(tmp_path / name, "wb") as file:
        file.write(b"class A {}")
    system = RealSystem(str(tmp_path))
    assert real(tmp_path) == [name]
    assert system.read(name) == b"class A {}"


def test_a_root_that_does_not_exist_is_an_empty_project(tmp_path: Path) -> None:
    assert real(tmp_path / "nowhere") == []


def test_patterns_that_have_to_be_tried_on_each_path_are_bounded_and_that_is_said() -> None:
    many = "".join(f"a*b{number}*\nplain{number}\n" for number in range(700))
    system = MemorySystem({".gitignore": many, "p/.gitignore": many + "A.java\n", "p/A.java": ""})
    walked = discover_files(system, Rules())
    assert walked.java == ()
    (problem,) = walked.problems
    assert (problem.path, problem.line, problem.column) == ("p/.gitignore", 601, 1)


def test_ignore_files_of_folders_beside_each_other_have_bounds_of_their_own() -> None:
    many = "".join(f"a*b{number}*\n" for number in range(700))
    files = {f"{folder}/.gitignore": many for folder in "pqr"}
    assert discover_files(MemorySystem(files), Rules()).problems == ()


def test_a_walk_can_be_stopped_in_each_folder() -> None:
    system = MemorySystem({f"f{number}/A.java": b"class A { }" for number in range(9)})
    seen: list[CancelToken] = []

    def between() -> None:
        seen.append(token)
        if len(seen) == 4:
            token.cancel()

    token = CancelToken(between)
    with pytest.raises(Cancelled):
        discover_files(system, Rules(), token)
    assert len(seen) == 4


def test_links_to_what_the_system_makes_up_are_not_followed_and_many_files_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside, made_up = tmp_path / "root", tmp_path / "outside", tmp_path / "processes"
    for folder in (root, outside / "a", outside / "b" / "c", made_up):
        folder.mkdir(parents=True)
        (folder / f"{folder.name.upper()}.java").write_text("")
    (root / "lib").symlink_to(outside)
    (root / "proc").symlink_to(made_up)
    monkeypatch.setattr(files, "_MADE_UP", (str(made_up),))
    rules = Rules(links=("*",))
    found = discover_files(RealSystem(str(root)), rules)
    assert [file.path for file in found.java] == [
        "ROOT.java",
        "lib/a/A.java",
        "lib/b/c/C.java",
    ]
    assert LeftOut("proc/", policy.MADE_UP) in found.left_out
    monkeypatch.setattr(policy, "MOST_BEHIND", 3)
    found = discover_files(RealSystem(str(root)), rules)
    assert [file.path for file in found.java] == ["ROOT.java", "lib/a/A.java"]
    assert LeftOut("lib/b/", policy.MANY) in found.left_out
