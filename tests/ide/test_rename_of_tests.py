"""Config files of tests that set the option are offered with a rename, to be confirmed, or named where they cannot be edited."""

from __future__ import annotations

import pytest

from checking.keys_support import analyse
from conflens.checking.harmless import applied
from conflens.ide.rename.edits import Part
from conflens.ide.rename.rename import Renamed, renamed
from ide.test_rename_bound import PLAIN, PROPERTIES

VALUE = """package p;
import org.springframework.beans.factory.annotation.Value;
class V { @Value("${%s}") int a; }
"""


def rename(files: dict[str, str], old: str, new: str) -> Renamed:
    at = files["p/V.java"].index(old)
    found = renamed(analyse(files), "p/V.java", at, new)
    assert isinstance(found, Renamed)
    return found


def changed(files: dict[str, str], found: Renamed, path: str) -> str:
    """A file of tests after the edits, which are all to be confirmed."""
    edits = [one for one in found.edits if one.place.path == path]
    assert {one.part for one in edits} <= {Part.TEST}
    assert not any(one.sure or one.needed for one in edits)
    return applied(files[path].encode(), edits).decode()


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        ("src/test/resources/application.yml", "toy:\n  max-size: 3\n", "toy:\n  limit: 3\n"),
        ("src/test/resources/application-test.yml", "toy.maxSize: 3\n", "toy.limit: 3\n"),
        ("src/test/resources/a/x.properties", "# toy.max-size\ntoy.max-size=3\ny=${toy.max-size}\n", "# toy.limit\ntoy.limit=3\ny=${toy.limit}\n"),
        ("src/integrationTest/resources/application.yml", "toy:\n  max_size: 3\n", "toy:\n  limit: 3\n"),
        ("mod/src/test/resources/application.properties", "toy.max-sizes=3\n", "toy.max-sizes=3\n"),
        ("src/test/resources/run.sh", "java -Dtoy.max-size=3 -jar a.jar\n", "java -Dtoy.limit=3 -jar a.jar\n"),
    ],
)  # fmt: skip
def test_keys_and_placeholders_are_offered(path: str, text: str, wanted: str) -> None:
    files = {
        "p/V.java": VALUE % "toy.max-size",
        PROPERTIES: "toy.max-size=3\n",
        path: text,
    }
    found = rename(files, "toy.max-size", "toy.limit")
    assert changed(files, found, path) == wanted
    assert found.left == ()
    assert [one.sure for one in found.edits if one.place.path == PROPERTIES] == [True]


def test_a_word_counts_in_a_file_that_is_called_like_one_of_the_program() -> None:
    files = {
        "p/V.java": VALUE % "mode",
        PROPERTIES: "mode=3\n",
        "src/test/resources/application.properties": "mode=4\n",
        "src/test/resources/other.properties": "mode=4\n",
    }
    found = rename(files, "mode", "style")
    assert changed(files, found, "src/test/resources/application.properties") == "style=4\n"
    assert changed(files, found, "src/test/resources/other.properties") == "mode=4\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/test/resources/application.properties", "toy.size=4\ntoy.limit=5\n"),
        ("src/test/resources/reference.conf", "toy { size = 4 }\n"),
        ("src/test/resources/reference.conf", "toy {\n  size = 4\n}\n"),
    ],
)
def test_a_file_that_cannot_be_edited_is_named(path: str, text: str) -> None:
    files = {"p/V.java": VALUE % "toy.size", PROPERTIES: "toy.size=3\n", path: text}
    found = rename(files, "toy.size", "toy.limit")
    assert changed(files, found, path) == text
    assert found.left == (path,)


def test_a_key_that_follows_from_a_member_is_offered_in_tests_and_in_other_languages() -> None:
    files = {
        "p/Props.java": PLAIN % "",
        PROPERTIES: "toy.size=3\n",
        "src/test/resources/application.yml": "toy:\n  size: 4\n",
        "src/test/kotlin/p/T.kt": "package p\nclass T { fun f(p: Props) = p.size }\n",
    }
    found = renamed(analyse(files), PROPERTIES, 1, "toy.limit")
    assert isinstance(found, Renamed)
    others = {
        (one.place.path, one.part, one.text) for one in found.edits if "test" in one.place.path
    }
    assert others == {
        ("src/test/resources/application.yml", Part.TEST, "limit"),
        ("src/test/kotlin/p/T.kt", Part.CALL, "limit"),
    }
