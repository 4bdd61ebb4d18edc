"""A rename in files whose keys are no options: the name is written as the file's format wants it, or not at all."""

from __future__ import annotations

import tomllib
from xml.etree import ElementTree

import pytest

from conflens.base.system import MemorySystem
from conflens.ide.rename.rename import renamed
from session.support import session

FILES = {
    "A.java": (
        "import org.springframework.beans.factory.annotation.Value;\n"
        'class A { @Value("${app.pool.size:5}") int size; @Value("${app.pool.idle:7}") int idle; }\n'
    ),
    "application.properties": "# app.pool.size is the size\napp.pool.size=1\napp.pool.idle=2\n",
    "app.toml": "app.pool.size = 1\napp.pool.idle = 2\nunrelated.key = 4\n",
    "conf/app-site.xml": (
        "<configuration><property><name>app.pool.size</name><value>1</value></property></configuration>"
    ),
}


def texts_after(new: str) -> dict[str, str]:
    analysis = session(MemorySystem(dict(FILES))).scan()
    assert sorted(analysis.recognised.config_files()) == ["application.properties"]
    result = renamed(analysis, "A.java", FILES["A.java"].index("app.pool.size"), new)
    assert result is not None
    texts = {path: text.encode() for path, text in FILES.items()}
    for edit in sorted(result.edits, reverse=True):
        path, start, end = edit.place.path, edit.place.start, edit.place.end
        texts[path] = texts[path][:start] + edit.text.encode() + texts[path][end:]
    return {path: text.decode() for path, text in texts.items()}


@pytest.mark.parametrize("new", ["app.pool.most", "app.pool[0]", "app.<pool>"])
def test_every_file_can_still_be_read(new: str) -> None:
    after = texts_after(new)
    assert f"{new}=1\n" in after["application.properties"].replace("\\", "")
    toml = tomllib.loads(after["app.toml"])
    assert toml["unrelated"] == {"key": 4} and toml["app"]["pool"]["idle"] == 2
    (name,) = ElementTree.fromstring(after["conf/app-site.xml"]).iter("name")
    assert name.text in (new, "app.pool.size")


def test_a_bare_name_is_not_written_into_tags() -> None:
    files = {
        "A.java": 'class A { int size = Integer.getInteger("size", 5); }\n',
        "conf/app-site.xml": "<configuration><property><name>size</name><value>1</value></property></configuration>",
    }
    analysis = session(MemorySystem(dict(files))).scan()
    result = renamed(analysis, "A.java", files["A.java"].index('size"'), "<a>")
    assert result is not None
    assert {edit.place.path for edit in result.edits} == {"A.java"}
