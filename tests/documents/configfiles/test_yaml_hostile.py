"""YAML that is broken or made to harm: nothing raises, nothing grows, all places lie in the text."""

import random
import sys
from collections.abc import Callable
from itertools import pairwise
from types import FrameType

import pytest

from conflens.documents.configfiles.model import MAX_ASSIGNMENTS, MAX_DEPTH, MAX_MERGED, Change
from conflens.documents.configfiles.yaml import dialect as yaml
from documents.configfiles.yaml_support import CASSANDRA, KUBERNETES, QUARKUS, SPRING

_TEXTS = (SPRING, CASSANDRA, KUBERNETES, QUARKUS)
_PIECES = ["\n", "  ", "\t", ":", ": ", "- ", "[", "]", "{", "}", '"', "'", "#", " #", "|\n", ">-\n", "&x ", "*x", "<<: *x\n",
           "---\n", "...\n", "? ", "!t ", "%", "\\", ",", "\r", "\r\n", "\x00", "é", "\u2028", "~", "{{", "a: ", "\ufeff", "@"]  # fmt: skip


def _mutated(chance: random.Random) -> str:
    text = chance.choice(_TEXTS)
    if chance.random() < 0.3:
        text = text.replace("\n", chance.choice(["\r\n", "\r"]))
    for _ in range(chance.randint(1, 6)):
        at, to = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        kind = chance.random()
        if kind < 0.6:
            text = text[:at] + chance.choice(_PIECES) + text[at:]
        elif kind < 0.8:
            text = text[:at] + text[min(to, at + 40) :]
        elif kind < 0.9:
            text = text[:at] + text[at : at + 60] + text[at:]
        else:
            text = text[: max(to, 10)]
    return text


def _check(text: str, chance: random.Random) -> None:
    parsed = yaml.parse(text)
    size = len(text)
    for one in parsed.assignments:
        assert 0 <= one.start <= one.end <= size
        assert one.name and len(one.path) <= MAX_DEPTH
        for part in (*one.path, *one.items, *([one.value] if one.value else [])):
            assert 0 <= part.start <= part.end <= size
    for fault in parsed.faults:
        assert 0 <= fault.start <= fault.end <= size
    for offset in (0, size, *(chance.randint(0, size) for _ in range(8))):
        found = yaml.context(text, offset)
        assert 0 <= found.start <= found.end <= size
        if found.end:
            assert found.start <= offset <= found.end
        parents = ".".join(found.parents)
        for name in ("new", "new.deep.er"):
            yaml.key_text(text, found, f"{parents}.{name}" if parents else name)
    for one in chance.sample(parsed.assignments, min(2, len(parsed.assignments))):
        for name in ("fresh", one.name + "x", f"server.{one.key.text}x"):
            changes: tuple[Change, ...] = yaml.renamed(text, one, name) or ()
            assert all(0 <= change.start <= change.end <= size for change in changes)
            for before, after in pairwise(changes):
                assert before.end <= after.start
    for name in ("server.new", "quite.new"):
        change = yaml.added(text, name, "1", "why\nso")
        assert change is None or 0 <= change.start <= change.end <= size


@pytest.mark.seeds(10)
def test_a_hundred_mutations(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        _check(_mutated(chance), chance)


@pytest.mark.parametrize("text", _TEXTS)
def test_every_cursor_offset_and_every_start_is_accepted(text: str) -> None:
    for offset in range(0, len(text) + 1, 3):
        found = yaml.context(text, offset)
        assert (found.start <= offset <= found.end) or not found.end
        yaml.context(text[:offset], offset)
        yaml.parse(text[offset:])


def _steps(work: Callable[[], object]) -> int:
    """How many lines of Python the work runs."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


_LAUGHS = "a0: &a0 [lol, lol]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
_MERGES = "m0: &m0 {k0: 1}\n" + "".join(
    f"m{n}: &m{n}\n  <<: *m{n - 1}\n  k{n}: {{<<: *m{n - 1}}}\n  l{n}: *m{n - 1}\n"
    for n in range(1, 60)
)


@pytest.mark.parametrize("text", [_LAUGHS, _MERGES], ids=["laughs", "merges"])
def test_exponential_aliases_are_not_expanded(text: str) -> None:
    found = yaml.parse(text).assignments
    assert sum(one.merged for one in found) <= MAX_MERGED
    assert len(found) <= MAX_MERGED + 500
    assert all(len(one.name) <= 1_000 for one in found)


_BOMBS: dict[str, Callable[[int], str]] = {
    "depth": lambda n: "".join(f"{' ' * min(d, 500)}k:\n" for d in range(n)) + "z: 1\n",
    "dashes": lambda n: "- " * n + "\nz: 1\n",
    "brackets": lambda n: "a: " + "[" * n + "\nz: 1\n",
    "braces": lambda n: "a: " + "{a: " * n + "\nz: 1\n",
    "anchors": lambda n: "".join(f"a{k}: &x{k} 1\n" for k in range(n)) + "z: 1\n",
    "open quotes": lambda n: "a: \"x\n  'y\n" * n + "z: 1\n",
    "open brackets": lambda n: "a: [x\n" * n + "z: 1\n",
    "words": lambda n: "a: 1\n" + "  word\n" * n + "  b: 2\n" + "  word\n" * n + "z: 1\n",
    "garbage": lambda n: "a:\n" + "word\n" * n + "z: 1\n",
    "spaces": lambda n: 'a: "' + " " * n + 'x"\nb: x' + " " * n + "y\nz: 1\n",
    "comments": lambda n: "# x\n" * n + "z: 1\n",
    "keys": lambda n: "k" * n + ":\n" + "  b: 1\n" * n + "z: 1\n",
    "flow text": lambda n: "a: [" + "x\n  " * n + "]\nz: 1\n",
    "tabs": lambda n: "\ta: 1\n" * n + "z: 1\n",
    "documents": lambda n: "---\na: 1\n" * n + "z: 1\n",
    "templates": lambda n: "{{ x }}\n" * n + "z: 1\n",
    "hashes": lambda n: "a: x" + "#:" * n + "\nz: 1\n",
    "aliases": lambda n: "a: &a {b: 1}\nl:\n" + "- *a\n" * n + "z: 1\n",
}


@pytest.mark.parametrize("name", _BOMBS)
def test_exponential_aliases_take_linear_time(name: str) -> None:
    bomb = _BOMBS[name]
    small, large = (_steps(lambda n=n: yaml.parse(bomb(n))) for n in (200, 2_000))
    assert large <= 15 * small + 2_000
    for text in (bomb(2_000), bomb(2_000).replace("\n", "\r\n")):
        assert "z" in [one.name.rpartition(".")[2] for one in yaml.parse(text).assignments]


@pytest.mark.parametrize("name", _BOMBS)
def test_a_large_alias_bomb_ends(name: str) -> None:
    found = yaml.parse(_BOMBS[name](30_000 if name != "depth" else 10_000)).assignments
    assert len(found) <= MAX_ASSIGNMENTS + 1 + MAX_MERGED


def test_a_hundred_thousand_anchors_are_reported() -> None:
    text = "".join(f"a{n}: &x{n} {n}\nb{n}: *x{n}\n" for n in range(30_000))
    assert yaml.parse(text).assignments[-1].value is not None


def test_a_megabyte_of_brackets_ends() -> None:
    for text in ("[" * 1_000_000, "a: [" * 250_000):
        assert len(yaml.parse(text).assignments) <= MAX_DEPTH
        yaml.context(text, len(text))


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("a\n", ": b\n"),
        ("a>{\n", "x: b\n"),
        ("...\n\t a\na>{", "---\n<<: *a\n"),
        ("\ta\n", ": b\n"),
    ],
)
def test_lines_without_a_key_up_to_one_take_linear_time(line: str, last: str) -> None:
    small, large = (
        _steps(lambda n=n: yaml.parse(line * n + last))  # type: ignore[misc]
        for n in (100, 400)
    )
    assert large < 5 * small
