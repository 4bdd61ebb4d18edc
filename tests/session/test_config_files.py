"""Config files in a session: which are there, and how they follow the editor and the disk."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.models.jdk import packaged
from conflens.models.load import load_models
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import Session

JAVA = 'class A { int port = Integer.getInteger("server.port"); }'


def session(files: dict[str, str], **settings: object) -> tuple[Session, MemorySystem]:
    system = MemorySystem({path: text.encode() for path, text in files.items()})
    options = SessionOptions(cache=False, workers=0, settings=Settings(**settings))  # type: ignore[arg-type]
    return Session(system, load_models(), packaged(), options), system


def names(made: Session, path: str) -> list[str]:
    assert made.analysis is not None
    return [one.name for one in made.analysis.config_files[path].assignments]


@pytest.mark.parametrize(
    "path",
    [
        "conf/app.properties",
        "app.yaml",
        ".env",
        "bin/start.sh",
        "docker-compose.yml",
        "Dockerfile",
    ],
)
def test_files_that_may_be_config_files_are_known(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: "server.port=1\n"})

    assert path in made.scan().config_files


@pytest.mark.parametrize(
    "path", ["src/test/app.properties", "messages_de.properties", "pom.xml", ".github/ci.yml"]
)
def test_others_are_not(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: "server.port=1\n"})

    assert path not in made.scan().config_files


def test_the_user_may_name_more() -> None:
    made, _ = session({"A.java": JAVA, "src/test/a.properties": "x=1\n"}, config_files=("src/**",))

    assert "src/test/a.properties" not in made.scan().config_files  # tests are not walked
    made, _ = session({"A.java": JAVA, "log4j.properties": "x=1\n"}, config_files=("log4j*",))
    made.scan()
    assert names(made, "log4j.properties") == ["x"]


def test_an_edit_is_seen_and_undone_by_closing() -> None:
    made, _ = session({"A.java": JAVA, "app.properties": "a=1\n"})
    made.scan()
    before = made.analysis

    made.open("app.properties", "a=1\nb=2\n", 1)
    made.rebuild()

    assert names(made, "app.properties") == ["a", "b"]
    assert before is not None
    assert [one.name for one in before.config_files["app.properties"].assignments] == ["a"]
    made.close("app.properties")
    made.rebuild()
    assert names(made, "app.properties") == ["a"]


def test_a_file_is_the_same_object_until_it_changes() -> None:
    made, system = session({"A.java": JAVA, "a.properties": "a=1\n", "b.properties": "b=1\n"})
    first = made.scan().config_files
    a, b = first["a.properties"], first["b.properties"]

    system.write("a.properties", b"a=2\nc=3\n")
    made.files_changed(["a.properties"])
    second = made.rebuild().config_files

    assert second["b.properties"] is b
    assert second["a.properties"] is not a
    assert names(made, "a.properties") == ["a", "c"]


def test_positions_in_config_files_count_what_the_client_counts() -> None:
    made, _ = session({"A.java": JAVA, "a.properties": "a=\U0001f600\nb=ä1\n"})
    analysis = made.scan()
    value = analysis.config_files["a.properties"].by_name["b"][0].value
    assert value is not None
    assert analysis.position("a.properties", value.end, Encoding.UTF16) == (1, 4)
    assert analysis.offset("a.properties", 0, 4, Encoding.UTF16) == 6


def test_a_config_file_that_exists_only_in_the_editor_counts_while_it_is_open() -> None:
    made, system = session({"A.java": JAVA, "app.properties": "a=1\n"})
    made.scan()

    made.open("app.properties", "a=1\nb=2\n", 1)
    made.open("new.properties", "c=3\n", 1)
    made.open("log.txt.bin", "d=4\n", 1)
    system.remove("app.properties")
    made.files_changed(["app.properties"])
    made.rebuild()

    assert names(made, "app.properties") == ["a", "b"]
    assert names(made, "new.properties") == ["c"]
    made.close("app.properties")
    made.close("new.properties")
    made.rebuild()
    assert made.analysis is not None
    assert not made.analysis.config_files
    assert not made.analysis.documents.harvests
