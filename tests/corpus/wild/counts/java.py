"""Reads Java text with regular expressions: enough to list options without the rules that find them."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import attrs

_STRING = r'"""(?:\\.|(?!""").)*"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.S)
_TOKEN = re.compile(rf"{_STRING}|[()\[\]{{}},;+]", re.S)
_NOT_MAIN = re.compile(r"(?:^|/)(?:src/test|jmh)/")
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "s": " ", "\n": ""}


def without_comments(text: str) -> str:
    """Blank out comments; lines and columns stay."""
    return _COMMENT.sub(lambda found: found[1] or re.sub(r"[^\n]", " ", found[0]), text)


def pieces(text: str, start: int = 0, separator: str = ",") -> tuple[list[str], int]:
    """Split up to the bracket that closes before it opens; return the pieces and where the text goes on."""
    found: list[str] = []
    depth, begin = 0, start
    for token in _TOKEN.finditer(text, start):
        mark = token[0]
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            if not depth:
                return [*found, text[begin : token.start()].strip()], token.end()
            depth -= 1
        elif mark == separator and not depth:
            found.append(text[begin : token.start()].strip())
            begin = token.end()
    return [*found, text[begin:].strip()], len(text)


def class_body(text: str, name: str) -> tuple[int, int]:
    """Return where the body of a class starts and ends; nothing if it is not there."""
    head = re.search(rf"\b(?:class|interface|enum|record)\s+{name}\b[^{{;]*\{{", text)
    return (head.end(), pieces(text, head.end())[1]) if head else (0, 0)


def literal(expression: str) -> str | None:
    """Return the value of a string literal or text block; ``None`` for anything else."""
    whole = re.fullmatch(_STRING, expression, re.S)
    if not whole or expression.startswith("'"):
        return None
    if expression.startswith('"""'):
        lines = textwrap.dedent(expression[3:-3].partition("\n")[2]).split("\n")
        text = "\n".join(line.rstrip() for line in lines)
    else:
        text = expression[1:-1]
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


@attrs.frozen(slots=False)
class Sources:
    """The Java files below a folder, without tests and benchmarks."""

    folder: Path
    _texts: dict[Path, str] = attrs.Factory(dict)

    @cached_property
    def paths(self) -> list[Path]:
        """All of them, in order."""
        found = sorted(self.folder.rglob("*.java"))
        return [path for path in found if not _NOT_MAIN.search(self.relative(path))]

    @cached_property
    def of_class(self) -> dict[str, list[Path]]:
        """The files that are named after a class."""
        known: dict[str, list[Path]] = defaultdict(list)
        for path in self.paths:
            known[path.stem].append(path)
        return dict(known)

    def relative(self, path: Path) -> str:
        """Return a path as a scan of the folder prints it."""
        return path.relative_to(self.folder).as_posix()

    def text(self, path: Path) -> str:
        """Return the text of a file without comments."""
        if path not in self._texts:
            self._texts[path] = without_comments(path.read_text("utf-8", errors="replace"))
        return self._texts[path]

    def texts(self) -> Iterator[tuple[Path, str]]:
        """Each file and its text without comments."""
        return ((path, self.text(path)) for path in self.paths)

    def text_of(self, name: str, own: str = "") -> str:
        """Return the text of the file of a class; empty if there is none.

        Of several it is the one that the class ``own`` imports, else the first.
        """
        paths = self.of_class.get(name, [])
        if len(paths) > 1 and own:
            imported = re.search(rf"\bimport ([\w.]+\.{name});", self.text_of(own))
            if imported:
                end = imported[1].replace(".", "/") + ".java"
                paths = [path for path in paths if self.relative(path).endswith(end)] or paths
        return self.text(paths[0]) if paths else ""

    def constant(self, expression: str, own: str) -> str | None:
        """Return the text of a constant ``NAME`` of the class ``own`` or ``CLASS.NAME``."""
        qualifier, _, name = expression.rpartition(".")
        owner = qualifier.rpartition(".")[2]
        if not owner:
            imported = re.search(rf"import static [\w.]+\.(\w+)\.{name};", self.text_of(own))
            owner = imported[1] if imported else own
        declared = re.search(
            rf"\bString\s+{re.escape(name)}\s*=\s*({_STRING}|[\w.]+)\s*;",
            self.text_of(owner, own),
            re.S,
        )
        if not declared or declared[1].endswith(expression):
            return None
        text = literal(declared[1])
        return self.constant(declared[1], owner) if text is None else text
