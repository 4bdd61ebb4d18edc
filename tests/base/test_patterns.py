"""Our own regular expressions on hostile texts.  With backtracking, each of these would go on for hours."""

from __future__ import annotations

import pytest

from conflens.checking import defaults
from conflens.documents.configfiles import parsing
from conflens.documents.configfiles.model import Format
from conflens.documents.configfiles.yaml.builder import indices_at
from conflens.documents.markup import Tag
from conflens.facts.text import type_text
from conflens.session.sources import vocabulary

MANY = 200_000


def test_a_factor_of_many_spaces_that_is_none() -> None:
    assert defaults._computed("(2" + " " * MANY + "!") is None
    assert defaults._computed(f"(2{' ' * MANY}) * 3L") == 6


def test_a_tag_of_one_endless_word() -> None:
    text = "a" * MANY
    assert Tag("a", False, 0, MANY + 3, text).attribute("b") is None
    text = f"{text} b=c"
    assert Tag("a", False, 0, len(text) + 3, text).attribute("b") == ("c", len(text) + 1)


def test_a_type_of_endless_space() -> None:
    assert type_text(f"List<?{' ' * MANY}extends{' ' * MANY}T>") == "List<? extends T>"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_an_entry_for_a_file_of_comments_and_something_else(newline: str) -> None:
    comments = f"# nothing{newline}" * 2_000
    for text, possible in ((comments, True), (f"{comments}just a text{newline}", False)):
        file = parsing.parse("a.yaml", Format.YAML, text.encode())
        assert (parsing.added(file, "a.b", "1") is not None) == possible


def test_a_key_of_many_indices() -> None:
    assert indices_at("a[0][12]") == 1
    assert indices_at("a[b][1]") == 4
    assert indices_at("a[]") == 3
    assert indices_at("]") == 1
    assert indices_at("[1]" * MANY) == 0
    assert indices_at("[1]" * MANY + "x") == 3 * MANY + 1


def test_an_endless_value_in_a_compose_file() -> None:
    text = f"services:\n  a:\n    environment:\n      A_B: x{' ' * MANY}y\n"
    found = parsing.parse("docker-compose.yml", Format.ARGUMENTS, text.encode())
    assert [one.name for one in found.assignments] == ["A_B"]


@pytest.mark.parametrize(
    "text", ["a" * MANY, "a." * MANY, "a " * 2 + "b" * MANY, "a" + " " * MANY]
)
def test_a_value_of_one_endless_word_is_no_sentence(text: str) -> None:
    assert vocabulary._SENTENCE.search(text) is None
    assert vocabulary._SENTENCE.search(f"{text} is no more.") is not None
