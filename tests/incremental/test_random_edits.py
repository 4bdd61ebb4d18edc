"""Any sequence of edits gives the same facts as a fresh parse of the result.

The edits are those that break incremental parsers: characters that open or close something, whole
tokens and lines moved, text torn at any byte, undone again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conflens.base.cancel import CancelToken
from conflens.base.system import MemorySystem
from conflens.facts.lower import lower, lower_tree
from conflens.session.inputs.inputs import OpenDocument
from conflens.session.sources.java import Lowering, Sources
from conflens.session.workers.pool import PoolOptions
from conflens.syntax.java import parse, reparse
from session.support import FIXTURES

TEXTS = {file.name: file.read_text("utf-8") for file in sorted(FIXTURES.glob("*.java"))}
PIECES = (
    *"{}()[];,.<>\"'/*+-=:?@\\ \n\t",
    *(
        '"""',
        "/*",
        "*/",
        "//",
        "->",
        "::",
        "new ",
        "class X {",
        "}\n",
        "if (x) ",
        "else ",
        "é",
        "😀",
    ),
    *("switch (x) {", "case 1 -> ", "when ", "record ", "yield ", "sealed ", "return ", "\r\n"),
    *('System.getProperty("a.b")', "int x = 1;", "void m() {}", "@Override ", "import a.B;\n"),
)
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


def edited(text: str, dice: random.Random) -> str:
    """``text`` after one random edit."""
    kind = dice.randrange(8)
    at = dice.randrange(len(text) + 1)
    if kind == 0:
        return text[:at] + dice.choice(PIECES) + text[at:]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + dice.choice(PIECES) + text[at + 1 :]
    if kind == 3 and (token := TOKEN.search(text, at)):
        return text[: token.start()] + text[token.end() :]
    if kind == 4 and (token := TOKEN.search(text, at)):
        return text[: token.start()] + dice.choice(PIECES) + text[token.end() :]
    lines = text.splitlines(keepends=True) or [""]
    line = dice.randrange(len(lines))
    if kind == 5:
        del lines[line]
    elif kind == 6:
        lines.insert(dice.randrange(len(lines) + 1), lines[line])
    else:
        end = dice.randrange(at, min(len(text), at + 200) + 1)
        return text[:at] + text[end:]
    return "".join(lines)


def open_sources() -> Sources:
    return Sources(MemorySystem({}), None, Lowering(PoolOptions(0)))


def check_edits(count: int, seed: int, originals: Mapping[str, str] = TEXTS) -> None:
    """Edit texts at random, one after the other, undoing every so often."""
    dice = random.Random(seed)
    sources = open_sources()
    texts = dict(originals)
    for done in range(count):
        name = dice.choice(list(texts))
        texts[name] = originals[name] if dice.random() < 0.05 else edited(texts[name], dice)
        documents = {path: OpenDocument(text.encode(), done) for path, text in texts.items()}
        sources.update_open(documents, CancelToken())
        text = texts[name].encode()
        assert sources.facts[name] == lower(text), f"edit {done} of {name} (seed {seed})"
    assert not sources.reasons


@pytest.mark.seeds(2)
def test_five_hundred_edits_in_a_row(seed: int) -> None:
    check_edits(500, seed)


@settings(max_examples=60)
@given(st.sampled_from(sorted(TEXTS)), st.lists(st.integers(0, 2**32), min_size=1, max_size=6))
def test_any_sequence_of_edits_equals_a_fresh_parse(name: str, seeds: list[int]) -> None:
    text = TEXTS[name]
    tree = parse(text.encode())
    for seed in seeds:
        text = edited(text, random.Random(seed))
        tree = reparse(tree, text.encode())
        assert lower_tree(tree) == lower(text.encode())


@settings(max_examples=60)
@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_truncated_text_is_lowered(name: str, data: st.DataObject) -> None:
    text = TEXTS[name].encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    facts = lower(text[start:end])
    assert facts.length == end - start


def test_the_fixtures_are_analysed() -> None:
    assert {name: lower(text.encode()).problems for name, text in TEXTS.items()} == dict.fromkeys(
        TEXTS, ()
    )
