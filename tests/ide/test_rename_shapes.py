"""A rename leaves every config file readable, with a value for each key."""

from __future__ import annotations

import tomllib

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.harmless import applied
from conflens.ide.rename.refusal import RefusedError
from conflens.ide.rename.rename import renamed
from session.support import session

JAVA = """class A {
    int size = Integer.getInteger("toy.pool.size"); int idle = Integer.getInteger("toy.pool.idle");
}
"""


@pytest.mark.parametrize(
    ("path", "text", "new"),
    [
        ("app.toml", "toy.pool.size = 1\ntoy.pool.idle = 2\n", "toy.pool"),
        ("app.toml", "toy.pool.size = 1\ntoy.pool.idle = 2\n", "toy.pool.idle.x"),
        ("app.toml", "[toy.pool]\nsize = 1\nidle.x = 2\n", "toy.pool.idle"),
        ("app.toml", "toy.pool = {size = 1, idle = 2}\n", "toy.pool.idle.x"),
    ],
)
def test_what_would_take_a_value_away_is_refused(path: str, text: str, new: str) -> None:
    analysis = session(MemorySystem({"A.java": JAVA, path: text})).scan()
    with pytest.raises(RefusedError):
        renamed(analysis, "A.java", JAVA.index("toy.pool.size") + 1, new)


def test_what_stays_readable_is_renamed() -> None:
    text = "toy.pool.size = 1\ntoy.pool.idle = 2\n"
    analysis = session(MemorySystem({"A.java": JAVA, "app.toml": text})).scan()
    found = renamed(analysis, "A.java", JAVA.index("toy.pool.size") + 1, "toy.pool.most")
    assert found is not None
    edits = [edit for edit in found.edits if edit.place.path == "app.toml"]
    after = applied(text.encode(), edits).decode()
    assert tomllib.loads(after) == {"toy": {"pool": {"most": 1, "idle": 2}}}


def test_two_hyphens_are_no_part_of_a_comment_in_xml() -> None:
    text = "<configuration><!-- toy.pool.size is x -->\n<property><name>toy.pool.size</name><value>1</value></property></configuration>\n"
    analysis = session(MemorySystem({"A.java": JAVA, "conf/app-site.xml": text})).scan()
    found = renamed(analysis, "A.java", JAVA.index("toy.pool.size") + 1, "toy.pool--x")
    assert found is not None
    edits = [edit for edit in found.edits if edit.place.path == "conf/app-site.xml"]
    assert applied(text.encode(), edits).decode().count("toy.pool--x") == 1
