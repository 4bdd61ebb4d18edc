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


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("A.java", True),
        ("conf/jvm.options", True),
        ("docs/a.mdx", True),
        ("app.properties.template", True),
        ("toy.service", True),
        ("Dockerfile", True),
        ("bin/start", True),
        ("a.cnf", True),
        (".env.local", True),
        ("docs/b.asciidoc", True),
        ("named/x.dat", True),
        ("said/y.log", True),
        ("v1.2", True),
        (".gitignore", True),
        (".conflens.toml", True),
        ("pom.xml", True),
        ("bin/B.class", True),
        ("target/classes/B.class", False),
        ("logs/server.log", False),
        ("logo.png", False),
        (".git/info/exclude", True),
        (".git/index", False),
        (".git/refs/heads/main", False),
        ("client/node_modules/x/LICENSE", False),
        (".idea", False),
    ],
)
def test_what_a_change_on_disk_concerns(path: str, wanted: bool) -> None:
    settings = (
        '[configuration]\npaths = ["named/*.dat"]\n[documentation]\npaths = ["said/*.log"]\n'
    )
    living = session(
        MemorySystem({"v1.2/A.java": java("p"), ".conflens.toml": settings, "a.yml": "a: 1\n"})
    )
    assert living.concerns(path)  # nothing is known yet
    living.scan()
    assert living.concerns(path) is wanted


@pytest.mark.parametrize("folder", ["plain", "v1.2"])
def test_a_folder_that_is_moved_as_a_whole(folder: str) -> None:
    system = MemorySystem(
        {f"{folder}/p/A.java": java("p"), f"{folder}/a.yml": "pool:\n  size: 1\n"}
    )
    living = session(system)
    living.scan()
    for old, new in ((folder, "w3.0"), ("w3.0", folder)):
        for path in [path for path in system.files if path.startswith(f"{old}/")]:
            system.write(path.replace(old, new, 1), system.read(path))
            system.remove(path)
        living.files_changed(filter(living.concerns, [old, new]))
        assert said(living.rebuild()) == said(session(system).scan())


_HIDDEN = '[configuration]\npaths = [".config/app/*.yml"]\n'
_BASELINE = '{"version": 1, "findings": []}'
_TOO_LARGE = java("p") + "\n" * 2_000_001


@pytest.mark.parametrize(
    ("files", "folder"),
    [
        ({".conflens.toml": _HIDDEN, ".config/app/x.yml": "toy.c: abc\n"}, ".config/app"),
        ({".conflens.toml": _HIDDEN, ".config/app/x.yml": "toy.c: abc\n"}, ".config"),
        ({".git/info/exclude": "A.java\n"}, ".git"),
        ({".git/info/exclude": "A.java\n"}, ".git/info"),
        ({".conflens.toml": '[check]\nbaseline = "ci/b.json"\n', "ci/b.json": _BASELINE}, "ci"),
        ({"org.x.y/B.java": _TOO_LARGE}, "org.x.y"),
        ({"bin/x.yml": "toy.c: a\n", "bin/a.b/A.class": "x"}, "bin/a.b"),
        ({"org.x.y/src/test/T.java": java("p")}, "org.x.y"),
    ],
)
def test_an_event_of_a_folder_alone(files: dict[str, str], folder: str) -> None:
    system = MemorySystem({"A.java": java("p"), **files})
    living = session(system)
    living.scan()
    kept = {path: system.read(path) for path in system.files if path.startswith(f"{folder}/")}
    for path in kept:
        system.remove(path)
    living.files_changed(filter(living.concerns, [folder]))
    assert said(living.rebuild()) == said(session(system).scan())
    for path, text in kept.items():
        system.write(path, text)
    living.files_changed(filter(living.concerns, [folder]))
    assert said(living.rebuild()) == said(session(system).scan())


def test_a_baseline_that_is_named_with_a_dot() -> None:
    living = session(MemorySystem({".conflens.toml": '[check]\nbaseline = "./b.json"\n'}))
    living.scan()
    assert living.concerns("b.json")


def test_with_many_patterns_no_event_is_compared_with_them() -> None:
    patterns = ", ".join(f'"**/a*b*{number}/**/x.y"' for number in range(200))
    living = session(MemorySystem({".conflens.toml": f"[configuration]\npaths = [{patterns}]\n"}))
    living.scan()
    assert living.concerns("logo.png")
