"""What the path of a project file says about it."""

from __future__ import annotations

_TEST_FOLDERS = frozenset({"test", "tests", "it", "integration-test", "testFixtures"})


def is_test_path(path: str) -> bool:
    """Tell whether a file of the project lies in a folder of tests."""
    return not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])
