"""Markdown to cases: a heading with code blocks is one program, with verdicts in its comments.

A *verdict* is what ConfLens should say on one line; ``README.md`` describes how it is written.  A case
keeps its files as bytes and its verdicts by file and line.  Pages under ``flows/`` are about where
options go: only they hold the kinds ``FLOWS``.

Absent: running the analysis and judging (``test_spec``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
from typing_extensions import override

FLOWS = ("reached", "cold")
KINDS = ("read", "declares", "unresolved", "unused", "conflict", "problem", "clean", *FLOWS)
_NAMED = ("read", "declares", *FLOWS)

_HEADING = re.compile(r"#+ +(.+)")
_FENCE = re.compile(r"```(\w+)(.*)")
_TITLE = re.compile(r'title="([^"]+)"')
_KIND = "|".join(KINDS)
_COMMENT = re.compile(rf"(?://|#|<!--)\s*((?:known-gap (?:no )?)?(?:{_KIND})\b.*?)(?:-->)?\s*$")
_VERDICT = re.compile(rf"(known-gap )?(no )?({_KIND})(?:: (\S+))?((?: \w+=\S+)*)\Z")
_ATTRIBUTE = re.compile(r"(\w+)=(\S+)")


@attrs.frozen
class Verdict:
    """What is to be said on a line.

    A known ``gap`` is what is not said although it should be; with ``wrong``, what is said although it
    should not be.
    """

    kind: str
    name: str
    attributes: tuple[tuple[str, str], ...]
    gap: bool
    wrong: bool

    @override
    def __str__(self) -> str:
        shown = f"{self.kind}: {self.name}" if self.name else self.kind
        label = "no " if self.wrong else ""
        return " ".join([label + shown, *(f"{key}={value}" for key, value in self.attributes)])


@attrs.frozen
class Case:
    """One program: ``files`` by path, ``verdicts`` by path and 1-based line."""

    name: str
    files: dict[str, bytes]
    verdicts: dict[tuple[str, int], tuple[Verdict, ...]]

    @property
    def page(self) -> str:
        """The page it stands on: its path without ``.md``."""
        return self.name.partition(": ")[0]

    @property
    def flows(self) -> bool:
        """Whether it is about flows."""
        return self.page.startswith("flows/")

    @property
    def gaps(self) -> int:
        """How many verdicts are known not to hold."""
        return sum(verdict.gap for found in self.verdicts.values() for verdict in found)


def code_of(line: str) -> str:
    """Return a line of a program without its verdicts."""
    comment = _COMMENT.search(line)
    return (line if comment is None else line[: comment.start()]).strip()


def load(folder: Path) -> list[Case]:
    """Return the cases of all Markdown files of a folder."""
    return [
        case
        for path in sorted(folder.rglob("*.md"))
        for case in parse(
            path.relative_to(folder).with_suffix("").as_posix(), path.read_text(encoding="utf-8")
        )
    ]


def parse(page: str, text: str) -> Iterator[Case]:
    """Yield the cases of one Markdown text, named ``page: heading``."""
    heading = ""
    blocks: list[tuple[str, str, str]] = []
    lines = iter(text.splitlines())
    for line in lines:
        if found := _HEADING.match(line):
            if blocks:
                yield _case(f"{page}: {heading}", blocks)
            heading, blocks = found[1], []
        elif found := _FENCE.match(line):
            block = []
            for inside in lines:
                if inside.rstrip() == "```":
                    break
                block.append(inside)
            else:
                raise ValueError(f"{page}: {heading}: a block without an end")
            if found[1] != "text":
                blocks.append((found[1], found[2], "\n".join(block) + "\n"))
    if blocks:
        yield _case(f"{page}: {heading}", blocks)


def _case(name: str, blocks: list[tuple[str, str, str]]) -> Case:
    files: dict[str, bytes] = {}
    verdicts: dict[tuple[str, int], tuple[Verdict, ...]] = {}
    for number, (language, info, text) in enumerate(blocks, 1):
        title = _TITLE.search(info)
        if title is None and language != "java":
            raise ValueError(f"{name}: a {language} block needs a title")
        path = title[1] if title is not None else f"File{number}.java"
        if path in files:
            raise ValueError(f"{name}: two files are called {path}")
        for line, content in enumerate(text.splitlines(), 1):
            if comment := _COMMENT.search(content):
                verdicts[path, line] = tuple(
                    _verdict(part.strip(), f"{name}: {path}:{line}")
                    for part in comment[1].split("; ")
                )
        flags = info.split()
        if "crlf" in flags:
            text = text.replace("\n", "\r\n")
        files[path] = (b"\xef\xbb\xbf" if "bom" in flags else b"") + text.encode()
    case = Case(name, files, verdicts)
    if not case.flows and any(v.kind in FLOWS for found in verdicts.values() for v in found):
        raise ValueError(f"{name}: not a verdict outside of flows/: {' or '.join(FLOWS)}")
    return case


def _verdict(text: str, where: str) -> Verdict:
    match = _VERDICT.match(text)
    if match is None:
        raise ValueError(f"{where}: not a verdict: {text}")
    gap, wrong = match[1] is not None, match[2] is not None
    kind, name = match[3], match[4] or ""
    attributes = tuple(_ATTRIBUTE.findall(match[5]))
    if bool(name) != (kind in _NAMED) or (wrong and not gap) or (gap and kind == "clean"):
        raise ValueError(f"{where}: not a verdict: {text}")
    if kind == "reached" and not {"by", "kind"} <= {key for key, _ in attributes}:
        raise ValueError(f"{where}: not a verdict without by and kind: {text}")
    return Verdict(kind, name, attributes, gap, wrong)
