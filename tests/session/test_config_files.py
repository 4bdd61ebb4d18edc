"""Config files in a session: which are there, and how they follow the editor and the disk."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.checking.check import every
from conflens.models.jdk import packaged
from conflens.models.load import load_models
from conflens.session.inputs.configuration import Settings
from conflens.session.options import SessionOptions
from conflens.session.session import Session
from steps import steps

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
def test_possible_config_files_are_indexed(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: "server.port=1\n"})

    assert path in made.scan().config_files


@pytest.mark.parametrize(
    "path", ["src/test/app.properties", "messages_de.properties", "pom.xml", ".github/ci.yml"]
)
def test_other_files_are_not(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: "server.port=1\n"})

    assert path not in made.scan().config_files


def test_the_user_may_name_more_files() -> None:
    made, _ = session({"A.java": JAVA, "src/test/a.properties": "x=1\n"}, config_files=("src/**",))

    assert "src/test/a.properties" not in made.scan().config_files  # tests are not walked
    made, _ = session({"A.java": JAVA, "log4j.properties": "x=1\n"}, config_files=("log4j*",))
    made.scan()
    assert names(made, "log4j.properties") == ["x"]


def problems(made: Session) -> list[str]:
    assert made.analysis is not None
    return [f"{one.path}: {one.message}" for one in made.analysis.problems]


BROKER = "# RocketMQ\nserver.port=1\nnamesrvAddr=127.0.0.1:9876\nflushDiskType=ASYNC_FLUSH\n"


@pytest.mark.parametrize(
    "path", ["conf/broker.conf", "broker.cfg", "deploy/app.config", "conf/broker", "etc/x/broker"]
)
def test_the_content_decides_where_the_name_does_not(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: BROKER})
    made.scan()
    assert names(made, path) == ["server.port", "namesrvAddr", "flushDiskType"]


@pytest.mark.parametrize("path", ["src/broker", "conf/broker.bak", "node_modules/conf/broker"])
def test_files_whose_name_suggests_nothing_are_not_read(path: str) -> None:
    made, _ = session({"A.java": JAVA, path: BROKER})
    assert path not in made.scan().config_files


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("deploy/broker.settings", "deploy/broker.settings"),
        ("deploy/broker.settings", "*.settings"),
        ("deploy/broker.settings", "deploy/"),
        ("broker", "/broker"),
        ("deploy/broker.md", "deploy/*.md"),
        (".deploy/broker.properties", ".deploy/broker.properties"),
        (".deploy/conf/broker.properties", ".deploy/"),
        (".deploy/conf/broker.properties", ".deploy/**/*.properties"),
        ("node_modules/a/broker.conf", "node_modules/a/*"),
        ("target/conf/broker.conf", "target/conf/broker.conf"),
        ("target/conf/broker.conf", "target/conf/*.conf"),
        ("src/test/resources/application.conf", "src/test/resources/*.conf"),
        ("local/application.conf", "application.conf"),
        ("ignored/a/application.conf", "ignored/a/application.conf"),
        ("ignored/a/application.conf", "ignored/"),
    ],
)
def test_a_file_named_by_the_user_is_a_config_file(path: str, pattern: str) -> None:
    files = {".gitignore": "/local/*.conf\nignored/\n", "A.java": JAVA, path: BROKER}
    files |= {"deploy/notes.txt": "x", ".deploy/notes.txt": "x"}
    made, _ = session(files, config_files=(pattern,))
    analysis = made.scan()
    found = analysis.recognised.match(path)
    assert found is not None and found.counts
    assert names(made, path)[0] == "server.port"
    assert problems(made) == []


def test_folders_opened_only_by_patterns_contribute_nothing_else() -> None:
    files = {
        "A.java": JAVA,
        "target/conf/broker.conf": BROKER,
        "target/conf/other.properties": BROKER,
        "target/classes/app.properties": BROKER,
        "target/classes/B.java": JAVA,
        ".hidden/broker.conf": BROKER,
    }
    named = ("target/conf/*.conf", ".hidden/broker.conf", "!broker.conf", "*.properties")
    made, _ = session(files, config_files=("target/conf/*.conf", "*.properties"))
    analysis = made.scan()
    assert sorted(analysis.config_files) == [
        "target/conf/broker.conf",
        "target/conf/other.properties",
    ]
    made, _ = session(files, config_files=named)
    assert list(made.scan().config_files) == ["target/conf/other.properties"]


def test_the_format_given_by_the_user_is_used() -> None:
    made, _ = session({"A.java": JAVA, "deploy/broker.txt": BROKER})
    assert "deploy/broker.txt" not in made.scan().config_files

    made.set_settings(Settings(config_files=("broker.txt",)))
    assert "deploy/broker.txt" in made.rebuild().config_files
    made.open("deploy/broker.txt", "a=1\n", 1)
    made.rebuild()
    assert names(made, "deploy/broker.txt") == ["a"]

    made.set_settings(Settings())
    assert "deploy/broker.txt" not in made.rebuild().config_files


def test_a_named_file_missing_on_disk_counts_while_it_is_open() -> None:
    made, _ = session({"A.java": JAVA}, config_files=("deploy/broker.txt",))
    made.scan()
    assert problems(made) == [
        "deploy/broker.txt: This file is listed as a config file, but it does not exist."
    ]
    made.open("deploy/broker.txt", "a=1\n", 1)
    made.rebuild()
    assert names(made, "deploy/broker.txt") == ["a"]
    assert problems(made) == []


def test_a_named_file_that_cannot_be_read_is_reported_with_the_reason() -> None:
    files = {
        "A.java": JAVA,
        "deploy/app.ini": "[section]\na=b\n",
        "deploy/huge.conf": "a=1\n" * 600_000,
        "deploy/raw.conf": "a\0b",
        "legacy/old.conf": "a=1\n",
        "deploy/empty.conf": "",
        "deploy/fine.conf": "a=1\n",
    }
    named = ("deploy/*.*", "legacy/old.conf", "deploy/gone.conf", "deploy", "/missing/*.conf")
    made, _ = session(files, config_files=named, exclude=("legacy/",))
    made.scan()
    start = "This file is listed as a config file, but"
    assert problems(made) == [
        f"deploy/app.ini: {start} its format is not recognised; ConfLens reads properties, YAML, TOML, HOCON, JSON, "
        "XML, .env files and JVM arguments.",
        f"deploy/gone.conf: {start} it does not exist.",
        f"deploy/huge.conf: {start} it is larger than 2 MB.",
        f"deploy/raw.conf: {start} it is not text.",
        f"legacy/old.conf: {start} it is excluded by .conflens.toml.",
    ]
    made.set_settings(Settings())
    made.rebuild()
    assert problems(made) == []


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


def test_positions_in_config_files_use_the_clients_encoding() -> None:
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


def test_findings_in_many_files_look_each_name_up_once() -> None:
    code = 'import org.springframework.beans.factory.annotation.Value; class A { @Value("${a.b}") String s; }'

    def work(files: int) -> int:
        texts = {"A.java": code}
        for number in range(files):
            texts[f"application-p{number}.properties"] = "a.b=1\nx.y=${a.b}\nx.z=${a.c}\n"
        analysis = session(texts)[0].scan()
        return steps(lambda: [*every(analysis, texts)])

    assert work(120) < 2.5 * work(60)
