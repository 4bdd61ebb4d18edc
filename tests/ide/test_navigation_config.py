"""Definition, references and highlights between code, config files and documents, as places with their text."""

from __future__ import annotations

from conflens.ide.navigation.navigation import definition, highlights, references
from ide.toy import Project, project

KEYS = 'class Keys { static final String K = "net.timeout"; }'
READ = "class A { int a = Integer.getInteger(K); }"
OTHER = 'class B { String a = System.getProperty("net.host"); }'
SETTINGS = "# 😀 timeouts\nnet.timeout = 5\nnet.host=h${net.timeout}h\n"
GUIDE = (
    "# Guide 😀\n\n| Option | Default |\n|---|---|\n| `net.timeout` | 5 |\n\nSee `net.timeout`.\n"
)


def files(**cursor: str) -> Project:
    """The project; ``cursor`` maps a file to the text before which the cursor stands."""
    texts = {
        "Keys.java": KEYS,
        "A.java": READ,
        "B.java": OTHER,
        "app.properties": SETTINGS,
        "GUIDE.md": GUIDE,
    }
    for name, at in cursor.items():
        path = next(path for path in texts if path.startswith(name))
        assert at in texts[path]
        texts[path] = texts[path].replace(at, f"<|>{at}", 1)
    return project(texts)


def targets(found: Project) -> list[str]:
    result = definition(found.analysis, found.path, found.offset)
    return [] if result is None else [found.show(name) for name, _ in result.targets]


def test_a_key_and_a_placeholder_go_to_the_constant() -> None:
    found = files(app="net.timeout =")
    assert targets(found) == ["Keys.java:1:34 K"]
    result = definition(found.analysis, found.path, found.offset)
    assert result is not None
    assert found.show(result.origin) == "app.properties:2:1 net.timeout"
    found = files(app="timeout}h")
    assert targets(found) == ["Keys.java:1:34 K"]
    result = definition(found.analysis, found.path, found.offset)
    assert result is not None
    assert found.show(result.origin) == "app.properties:3:13 net.timeout"


def test_an_undeclared_key_goes_to_the_reads() -> None:
    assert targets(files(app="host=")) == ['B.java:1:41 "net.host"']


ALL = [
    "A.java:1:38 K",
    "GUIDE.md:5:4 net.timeout",
    "app.properties:2:1 net.timeout",
    "app.properties:3:13 net.timeout",
]


def test_references_from_code_from_a_key_and_from_a_placeholder() -> None:
    for cursor in ({"A": "K);"}, {"Keys": "K ="}, {"app": "net.timeout ="}, {"app": "timeout}"}):
        found = files(**cursor)
        at = found.path, found.offset
        assert [found.show(place) for place in references(found.analysis, *at, False)] == ALL
        both = [found.show(place) for place in references(found.analysis, *at, True)]
        assert sorted(both) == sorted([*ALL, "Keys.java:1:34 K"])


def test_highlights_in_a_config_file() -> None:
    found = files(app="net.timeout =")
    shown = highlights(found.analysis, found.path, found.offset)
    assert [(found.show(place), str(kind)) for place, kind in shown] == [
        ("app.properties:2:1 net.timeout", "setting"),
        ("app.properties:3:13 net.timeout", "setting"),
    ]


def test_nested_keys_navigate_by_their_own_segment() -> None:
    texts = {
        "Keys.java": KEYS,
        "A.java": READ,
        "B.java": OTHER,
        "app.yml": "net:\n  host: ä😀\n  time<|>out: 5\n",
    }
    found = project(texts)
    assert targets(found) == ["Keys.java:1:34 K"]
    shown = references(found.analysis, found.path, found.offset, False)
    assert [found.show(place) for place in shown] == ["A.java:1:38 K", "app.yml:3:3 timeout"]


def test_no_target_in_values_comments_and_other_files() -> None:
    for at in ("5\n", "timeouts", "h${"):
        found = files(app=at)
        assert definition(found.analysis, found.path, found.offset) is None
        assert references(found.analysis, found.path, found.offset, True) == ()
        assert highlights(found.analysis, found.path, found.offset) == ()
    quiet = project({"Keys.java": KEYS, "other.properties": "colour<|>=red\nsize=5\n"})
    assert definition(quiet.analysis, quiet.path, quiet.offset) is None
