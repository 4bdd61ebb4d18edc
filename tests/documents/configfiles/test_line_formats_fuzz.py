"""Line formats torn apart: 1,000 mutations of realistic files each, and texts made to cost."""

import random
from types import ModuleType

import pytest

from conflens.documents.configfiles import environment, properties
from conflens.documents.configfiles.arguments import dialect as arguments
from conflens.documents.configfiles.model import Change, ContextKind
from documents.configfiles import line_samples as samples

CASES = {
    "properties": (properties, [samples.PROPERTIES]),
    "environment": (environment, [samples.ENVIRONMENT]),
    "arguments": (
        arguments,
        [
            samples.SHELL,
            samples.BATCH,
            samples.DOCKER,
            samples.COMPOSE,
            samples.UNIT,
            samples.OPTIONS,
        ],
    ),
}
PIECES = [
    *"\\\"'=:#!%${}[]()<>&|;,-`\t \f\n\r\x00\u2028é😀@",
    *["\r\n", "\\\n", "\\u00", "-D", "-Da.b=", '\\"', "export ", "${", "$(", "#---\n", "%dev."],
    *["<<X\n", "environment:\n", "ENV ", "set ", "\\\r\n  ", "=\t", "\t\n", "8-:-D"],
]


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(1, 8)):
        at = chance.randrange(len(text) + 1)
        cut = chance.choice((0, 0, 1, 1, 2, 9, 60))
        new = "".join(chance.choice(PIECES) for _ in range(chance.randrange(4)))
        text = text[:at] + new + text[at + cut :]
    if chance.random() < 0.2:
        text = text.replace("\n", chance.choice(("\r\n", "\r")))
    return text


@pytest.mark.seeds(1)
@pytest.mark.parametrize("form", CASES)
def test_no_text_raises_and_every_range_lies_in_the_text(form: str, seed: int) -> None:
    dialect, texts = CASES[form]
    chance = random.Random(f"{form} {seed}")
    for number in range(1000):
        check(dialect, mutated(texts[number % len(texts)], chance), chance)


def check(dialect: ModuleType, text: str, chance: random.Random) -> None:
    size = len(text)
    parsed = dialect.parse(text)
    order = [one.key.start for one in parsed.assignments]
    assert order == sorted(order)
    for fault in parsed.faults:
        assert 0 <= fault.start < fault.end <= size
    for one in parsed.assignments:
        assert one.name
        assert 0 <= one.start <= one.key.start <= one.key.end <= one.end <= size
        if one.value is not None:
            assert one.key.end <= one.value.start <= one.value.end <= one.end
    for offset in {0, size, *(chance.randrange(size + 1) for _ in range(8))}:
        found = dialect.context(text, offset)
        assert 0 <= found.start <= found.end <= size
        if found.kind is not ContextKind.NEITHER and text[offset - 1 : offset + 1] != "\r\n":
            assert found.start <= offset <= found.end, (text, offset, found)
            dialect.key_text(text, found, "new.name")
    for one in parsed.assignments[:3]:
        for change in dialect.renamed(text, one, "new.name") or ():
            inside(change, size)
    change = dialect.added(text, "server.added", "a b\\", "why\nand how")
    if change is not None:
        inside(change, size)
        after = text[: change.start] + change.text + text[change.end :]
        names = [one.name for one in dialect.parse(after).assignments]
        assert names.count("server.added") == 1 + order_of(parsed, "server.added"), text


def inside(change: Change, size: int) -> None:
    assert 0 <= change.start <= change.end <= size


def order_of(parsed, name: str) -> int:  # type: ignore[no-untyped-def]
    return [one.name for one in parsed.assignments].count(name)


HOSTILE = [
    "\\\n",
    'A="',
    "A='",
    '-Da="x ',
    '-Da=\\"x ',
    "$(",
    "${",
    "<<X ",
    "<<1 ",
    "(( <<X ",
    "<<X\n",
    "#---\n",
    "#---\n!\n",
    "\\u",
    "a\\",
    "=\t",
    "-D",
    " -D",
    "export ",
    "environment:\n ",
    "  - A=1\n",
    "ENV A=\\\n",
    "8-:",
    "\t",
    "'\"",
    "`-Da.b=",
    '"-Da=b -Dc=d',
    'A=\\"',
    "\r",
    "[]=",
    "A=1 ",
    "%a.",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("form", CASES)
def test_a_piece_repeated_many_times_is_read_once(form: str, piece: str) -> None:
    dialect, _ = CASES[form]
    for text in (piece * 6_000, "java x=1 " + piece * 6_000):
        parsed = dialect.parse(text)
        assert all(one.end <= len(text) for one in parsed.assignments)
        dialect.context(text, len(text) // 2)
        dialect.added(text, "a.b", "c")
