"""What differs between two versions of a program: bodies, and names that bodies have begun to use."""

from __future__ import annotations

import pytest

from conflens.facts.lower import lower
from conflens.program.versions import begun, touched
from flow.support import program

FILE = """class Use {
    void a(Box box) { box.key("size"); }
    void b(Box box) { %s }
}
"""


@pytest.mark.parametrize(
    ("now", "name", "is_told"),
    [
        ('box.key("depth");', "key", True),
        ("box.open();", "open", True),
        ("int one = 1;", "key", False),
    ],
)
def test_a_name_begins_to_be_used_by_a_body_though_its_file_used_it(
    now: str, name: str, is_told: bool
) -> None:
    before = program(FILE % "")
    after = before.with_files({"A.java": lower((FILE % now).encode())})
    changed = frozenset({"A.java"})
    names = begun(before, after, changed, touched(before, after, changed))
    assert (name in names) is is_told
