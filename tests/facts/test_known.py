"""Methods that were lowered before: the facts are always those of the text alone."""

from __future__ import annotations

import pytest

from conflens.facts.known import Known
from conflens.facts.lower import lower, lower_tree
from conflens.syntax.java import parse

_CLASS = """package p;
class A {
    /** How many. */
    @Override
    int count(@Deprecated int start, String... rest) { return start + rest.length; }

    A(int size) { this.size = size; }

    @Row(value = NAME, order = 1 + 2)
    String name() { return "a"; }

    Runnable task() { return new Runnable() { public void run() { go(); } }; }

    int other() { return count(1); }
}
"""


def _texts(*changes: tuple[str, str]) -> list[str]:
    texts = [_CLASS]
    for old, new in changes:
        assert old in texts[-1]
        texts.append(texts[-1].replace(old, new))
    return texts


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(_texts(("package p;", "package p; // é")), id="everything moves"),
        pytest.param(_texts(("return start", "return 1 + start")), id="a body changes"),
        pytest.param(_texts(("How many.", "How many there are.")), id="a comment changes"),
        pytest.param(
            _texts(("    A(int", "    int first() { return 0; }\n    A(int")), id="one more"
        ),
        pytest.param(_texts(("class A {", "class B { }\nclass A {")), id="a type before it"),
        pytest.param(_texts(("class A {", "interface A {")), id="another kind of type"),
        pytest.param(_texts(("class A {", "record A(int size) {")), id="a record"),
        pytest.param(
            _texts(("int other() {", "int other() {{"), ("int other() {{", "int other() {")),
            id="broken and whole again",
        ),
        pytest.param(
            _texts(("class A {", "class A { class C {"), (_CLASS[-2:], "}}\n")), id="nested"
        ),
        pytest.param(
            _texts(
                ("int other() { return count(1); }", ""),
                ("A(int", "int other() { return count(1); }\nA(int"),
            ),
            id="cut and pasted",
        ),
    ],
)
def test_facts_after_an_edit_equal_those_of_a_fresh_lowering(texts: list[str]) -> None:
    known = Known()
    for text in texts:
        data = text.encode()
        assert lower_tree(parse(data), known) == lower(data)


def test_unchanged_methods_keep_their_bodies() -> None:
    known = Known()
    before = lower_tree(parse(_CLASS.encode()), known)
    after = lower_tree(parse(_CLASS.replace("package p;", "package p.q;").encode()), known)
    kept = [one is other for one, other in zip(before.bodies, after.bodies, strict=True)]
    names = [member.name for member in before.members]
    # Values of annotations count from the start of the file; a method with a class inside is more than itself.
    assert [name for name, same in zip(names, kept, strict=True) if same] == [
        "count",
        "<init>",
        "other",
    ]


def test_a_removed_method_is_dropped() -> None:
    known = Known()
    without = _CLASS.replace("int other() { return count(1); }", "")
    first, _, _, last = (
        lower_tree(parse(text.encode()), known) for text in (_CLASS, without, without, _CLASS)
    )
    assert first == last
    assert first.bodies[-1] is not last.bodies[-1]
