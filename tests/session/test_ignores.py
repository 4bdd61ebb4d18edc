"""Ignore patterns: git itself is asked about generated ones."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from conflens.base.system import MemorySystem
from conflens.session.inputs.ignores import Ignores, lines_of
from conflens.session.inputs.policy import Rules, discover_files
from steps import steps

_PIECES = (
    "a",
    "b",
    "ab",
    "*",
    "*",
    "?",
    "[ab]",
    "[!a]",
    "[^b-z]",
    "\\*",
    "\\a",
    ".",
    " ",
    "[",
    "]",
)
_SEGMENTS = ("**", "*", "a", "b", "ab")


def _segment(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(_SEGMENTS)
    text = "".join(chance.choice(_PIECES) for _ in range(chance.randint(1, 4)))
    # Git takes stars behind a plain beginning for folders, against its manual: see `ignores`.
    while "**" in text:
        text = text.replace("**", "*")
    return text


def _pattern(chance: random.Random) -> str:
    body = "/".join(_segment(chance) for _ in range(chance.choice((1, 1, 2, 2, 3, 4))))
    return (
        chance.choice(("", "", "", "!"))
        + chance.choice(("", "", "/"))
        + body
        + chance.choice(("", "", "", "/", " ", "\\ ", "  ", "\r"))
    )


def _name(chance: random.Random) -> str:
    return "".join(chance.choice("aab*. ]") for _ in range(chance.randint(1, 3))).strip(".") or "a"


def _ignored(ignores: Ignores, path: str) -> bool:
    """What a walk finds out: the first folder above that is ignored hides everything below."""
    names = path.split("/")
    above = ["/".join(names[:depth]) + "/" for depth in range(1, len(names))]
    return any(ignores.verdict(one) for one in (*above, path))


@pytest.mark.seeds(1)
def test_git_ignores_the_same_files(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    expected, asked = {}, []
    for number in range(1_500):
        folder = tmp_path / f"d{number}"
        folder.mkdir()
        text = "\n".join(_pattern(chance) for _ in range(chance.randint(1, 4)))
        (folder / ".gitignore").write_bytes(text.encode())
        ignores = Ignores(lines_of(text.encode()))
        for _ in range(20):
            path = "/".join(_name(chance) for _ in range(chance.randint(1, 4)))
            asked.append(f"d{number}/{path}")
            expected[asked[-1]] = (_ignored(ignores, path), text)
    done = subprocess.run(
        [
            "git",
            "-c",
            "core.excludesFile=",
            "-c",
            "core.ignoreCase=false",
            "check-ignore",
            "--no-index",
            "--stdin",
            "-z",
        ],
        cwd=tmp_path,
        input="\0".join(asked).encode(),
        stdout=subprocess.PIPE,
    )
    ignored = set(done.stdout.decode().split("\0"))
    wrong = [
        (path, text) for path, (answer, text) in expected.items() if answer != (path in ignored)
    ]
    assert not wrong, wrong[:5]
    assert len(asked) / 10 < len(ignored) < len(asked) * 9 / 10


@pytest.mark.parametrize("where", [".gitignore", "exclude", "documents", "configuration"])
def test_a_hostile_pattern_is_linear_in_pattern_and_path_length(
    where: str,
) -> None:
    name, pattern = "a" * 200 + ".x", "a*" * 14 + "b"
    files = {name: "", f"{'a' * 200}/{name}": ""}
    rules = Rules()
    if where == ".gitignore":
        files[where] = pattern
    else:
        rules = Rules(**{where: (pattern,)})
    work = steps(lambda: discover_files(MemorySystem(files), rules))
    assert work < 10 * len(pattern) * sum(map(len, files))


def test_plain_lines_cost_a_file_nothing_however_many_they_are() -> None:
    def work(lines: int) -> int:
        plain = "\n".join(f"n{i}\n/p/n{i}\n*.s{i}" for i in range(lines))
        ignores = Ignores(lines_of(plain.encode()))
        return steps(lambda: [ignores.verdict(f"p/file{i}.java") for i in range(100)])

    assert work(10_000) < 2 * work(100)


@pytest.mark.parametrize(
    ("lines", "path", "expected"),
    [
        (["*.log", "!a.log"], "a.log", False),
        (["!a.log", "*.log"], "a.log", True),
        (["a*.log", "!/a.log"], "a.log", False),
        (["!/a.log", "a*.log"], "a.log", True),
        (["*.log", "!*log/"], "a.log", True),
        (["*.log", "!*log/"], "a.log/", False),
        (["!*.tar.gz", "*.gz"], "a.tar.gz", True),
    ],
)
def test_the_last_line_that_means_a_path_decides(
    lines: list[str], path: str, expected: bool
) -> None:
    assert Ignores(lines).verdict(path) is expected


def test_lines_end_where_git_ends_them() -> None:
    assert lines_of(b"\xef\xbb\xbfa\r\nb\x0cc\n\xff") == ["a", "b\x0cc", "\udcff"]
