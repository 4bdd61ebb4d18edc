"""Sources that are not read, in other languages or left out, may declare the classes that values name."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.checking.check import every
from conflens.models.jdk import packaged
from conflens.models.load import load_models
from conflens.session.inputs.policy import Rules, discover_files
from conflens.session.options import SessionOptions
from conflens.session.session import Session

FILES = {
    "src/p/codec/Codec.java": "package p.codec; public interface Codec {}",
    "src/p/codec/PlainCodec.java": "package p.codec; public class PlainCodec implements Codec {}",
    "src/p/App.java": """package p;
class App {
    p.codec.Codec codec() throws Exception {
        return (p.codec.Codec) Class.forName(System.getProperty("app.codec")).newInstance();
    }
}
""",
    "app.properties": "app.codec=p.codec.FastCodec\n",
}
MISSING = ["There is no class FastCodec in p.codec."]


def session(**files: str) -> tuple[Session, MemorySystem]:
    system = MemorySystem({path: text.encode() for path, text in {**FILES, **files}.items()})
    options = SessionOptions(cache=False, workers=0)
    return Session(system, load_models(), packaged(), options), system


def messages(made: Session) -> list[str]:
    assert made.analysis is not None
    return [
        one.message
        for found in every(made.analysis, ["app.properties"])
        for one in found
        if one.code == "invalid-value"
    ]


@pytest.mark.parametrize(
    "path",
    [
        "codec/src/main/scala/p/codec/FastCodec.scala",
        "codec/src/main/kotlin/p/codec/codecs.kt",
        "codec/src/main/groovy/FastCodec.groovy",
        "build/generated/p/codec/FastCodec.java",
    ],
)
def test_a_class_may_be_declared_by_a_source_that_is_not_read(path: str) -> None:
    made, _ = session(**{path: ""})
    made.scan()
    assert messages(made) == []


@pytest.mark.parametrize("path", ["src/p/other/Fast.scala", "src/p/codec/Slow.java"])
def test_a_source_elsewhere_says_nothing_of_it(path: str) -> None:
    made, _ = session(**{path: ""})
    made.scan()
    assert messages(made) == MISSING


def test_findings_follow_sources_that_come_and_go() -> None:
    made, system = session()
    made.scan()
    assert messages(made) == MISSING
    path = "codec/src/main/scala/p/codec/FastCodec.scala"
    system.write(path, b"")
    made.files_changed([path])
    made.rebuild()
    assert messages(made) == []
    system.remove(path)
    made.files_changed([path])
    made.rebuild()
    assert messages(made) == MISSING


def test_sources_in_folders_that_are_left_out_do_not_count() -> None:
    files = {"src/test/kotlin/p/A.kt": "", "target/B.scala": "", "src/C.kt": "", "D.java": ""}
    system = MemorySystem(files)
    assert discover_files(system, Rules()).unread.sources == {"src/C.kt"}


def test_tests_in_other_languages_and_their_config_files_are_known_by_path() -> None:
    files = {
        "src/test/kotlin/p/A.kt": "",
        "target/B.scala": "",
        "src/test/resources/a.yml": "",
        "src/it/resources/b.properties": "",
        "module/tests/conf/c.toml": "",
        "src/test/resources/notes.md": "",
        "target/test/resources/a.yml": "",
        "src/main/webapp/a.jsp": "",
        "D.java": "",
    }
    unread = discover_files(MemorySystem(files), Rules()).unread
    assert unread.sources == set()
    assert unread.tests == {
        "src/test/kotlin/p/A.kt",
        "src/test/resources/a.yml",
        "src/it/resources/b.properties",
        "module/tests/conf/c.toml",
    }


def test_config_files_of_tests_come_and_go() -> None:
    made, system = session()
    made.scan()
    path = "src/test/resources/app.properties"
    for there in (True, False):
        system.write(path, b"app.codec=x\n") if there else system.remove(path)
        made.files_changed([path])
        made.rebuild()
        assert made.analysis is not None
        assert (path in made.analysis.unread.tests) is there
