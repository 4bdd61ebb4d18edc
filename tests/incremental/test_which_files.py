"""Which files count after changes on disk is what a fresh session says, without anybody polling."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.session.analysis import Analysis
from conflens.session.inputs.policy import MAX_BYTES
from session.support import session

JAVA = 'package {};\nclass A {{ int v = Integer.getInteger("pool.size"); }}\n'
LARGE = "\n" * MAX_BYTES


def java(package: str) -> str:
    return JAVA.format(package)


def said(analysis: Analysis) -> object:
    return (
        sorted(analysis.program.files),
        [option.name for option in analysis.options.options],
        analysis.left_out,
        sorted(analysis.config_files),
        sorted(analysis.documents.harvests),
    )


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        ({"A.java": java("p")}, "A.java", java("p") + LARGE),
        ({"A.java": java("p"), "a.properties": "pool.size=1\n"}, "a.properties", "a=1\n" + LARGE),
        ({"A.java": java("p"), "README.md": "`pool.size`"}, "README.md", "`pool.size`" + LARGE),
        ({"src/p/build/A.java": java("p.build")}, "src/p/build/A.java", java("other")),
        ({"src/p/test/A.java": java("p.test")}, "src/p/test/A.java", java("other")),
        ({"A.java": java("p"), "bin/a.properties": "pool.size=1\n"}, "bin/B.class", "x"),
        ({"A.java": java("p"), "bin/a.properties": "pool.size=1\n", "bin/B.class": "x"}, "bin/B.class", None),
    ],
)  # fmt: skip
def test_one_file_changes_and_changes_back(
    files: dict[str, str], path: str, text: str | None
) -> None:
    system = MemorySystem({name: content.encode() for name, content in files.items()})
    living = session(system)
    first = said(living.scan())
    for now in (text, files.get(path)):
        if now is None:
            system.remove(path)
        else:
            system.write(path, now)
        living.files_changed([path])
        assert said(living.rebuild()) == said(session(system).scan())
    assert said(living.rebuild()) == first
