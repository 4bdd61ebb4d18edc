"""What the path of a project file says about it."""

from __future__ import annotations

import re
from itertools import pairwise

_TEST_FOLDERS = frozenset({"test", "tests", "it", "integration-test", "testFixtures"})
_TEST_WORDS = frozenset({"test", "tests", "it", "itest", "e2e"})
"""Words in the name of a source set (``src/functional-test``, ``src/integrationTest``) that hold tests."""
_SOURCES = "src"
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


def is_test_path(path: str) -> bool:
    """Tell whether a file of the project lies in a folder of tests."""
    folders = path.split("/")[:-1]
    return not _TEST_FOLDERS.isdisjoint(folders) or any(
        is_test_source(name) for above, name in pairwise(folders) if above == _SOURCES
    )


def is_test_source(name: str) -> bool:
    """Tell whether a folder right below ``src`` holds tests, by a word of its name."""
    return not _TEST_WORDS.isdisjoint(map(str.lower, _WORD.findall(name)))
