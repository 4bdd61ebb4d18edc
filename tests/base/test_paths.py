"""Which paths are those of tests."""

import pytest

from conflens.base.paths import is_test_path


@pytest.mark.parametrize(
    "path",
    [
        "src/test/java/A.java",
        "tests/A.java",
        "core/it/A.java",
        "a/testFixtures/b/A.java",
        "src/functional-test/java/A.java",
        "a/src/e2e/A.java",
        "src/smokeTest/java/A.java",
    ],
)
def test_files_below_a_test_folder(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/main/java/A.java",
        "src/main/test",
        "tests.java",
        "src/testing/A.java",
        "src/latest/A.java",
        "",
    ],
)
def test_files_elsewhere(path: str) -> None:
    assert not is_test_path(path)
