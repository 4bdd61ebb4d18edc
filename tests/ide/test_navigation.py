"""Definition, references and highlights, as places with their text."""

from __future__ import annotations

from conflens.ide.navigation.navigation import definition, highlights, references
from ide.toy import project

KEYS = 'class Keys { static final String K = "a.b"; }'
A = "class A { int a = Integer.getInteger(K); int b = Integer.getInteger(K); }"
B = 'class B { int a = Integer.getInteger("a.b"); }'


def files(**cursor: str) -> dict[str, str]:
    """The three files; ``cursor`` maps one to the text before which the cursor stands."""
    texts = {"Keys": KEYS, "A": A, "B": B}
    for name, at in cursor.items():
        texts[name] = texts[name].replace(at, f"<|>{at}", 1)
    return {f"{name}.java": text for name, text in texts.items()}


def test_a_read_goes_to_the_constant() -> None:
    found = project(files(A="K);"))
    result = definition(found.analysis, found.path, found.offset)
    assert result is not None
    assert found.show(result.origin) == "A.java:1:38 K"
    assert [(found.show(name), found.show(scope)) for name, scope in result.targets] == [
        ("Keys.java:1:34 K", 'Keys.java:1:34 K = "a.b"')
    ]


def test_a_literal_read_goes_to_the_constant_of_its_option() -> None:
    found = project(files(B="a.b"))
    result = definition(found.analysis, found.path, found.offset)
    assert result is not None
    assert [found.show(name) for name, _ in result.targets] == ["Keys.java:1:34 K"]


def test_a_declaration_goes_to_itself_and_an_undeclared_option_nowhere() -> None:
    found = project(files(Keys="K ="))
    result = definition(found.analysis, found.path, found.offset)
    assert result is not None
    assert [found.show(name) for name, _ in result.targets] == ["Keys.java:1:34 K"]
    alone = project({"B.java": B.replace("a.b", "a<|>.b")})
    assert definition(alone.analysis, alone.path, alone.offset) is None


READS = ["A.java:1:38 K", "A.java:1:69 K", 'B.java:1:38 "a.b"']


def test_references_from_anywhere() -> None:
    for cursor in ({"A": "K);"}, {"B": "a.b"}, {"Keys": "K ="}):
        found = project(files(**cursor))
        at = found.path, found.offset
        assert [found.show(p) for p in references(found.analysis, *at, False)] == READS
        both = [found.show(p) for p in references(found.analysis, *at, True)]
        assert both == [*READS, "Keys.java:1:34 K"]


def test_highlights_stay_in_the_file() -> None:
    found = project(files(A="K);"))
    result = highlights(found.analysis, found.path, found.offset)
    assert [(found.show(place), str(kind)) for place, kind in result] == [
        ("A.java:1:38 K", "read"),
        ("A.java:1:69 K", "read"),
    ]
    found = project(files(Keys="K ="))
    result = highlights(found.analysis, found.path, found.offset)
    assert [str(kind) for _, kind in result] == ["declaration"]


def test_no_target_elsewhere() -> None:
    found = project({"A.java": "cl<|>ass A { }"})
    at = found.path, found.offset
    assert definition(found.analysis, *at) is None
    assert references(found.analysis, *at, True) == ()
    assert highlights(found.analysis, *at) == ()
