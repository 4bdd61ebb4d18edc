"""Lines of scripts and container files: the properties and variables that each sets.

Terms
    shape       how a file is written, told by a look at its text: a shell or Windows script, a Dockerfile, a compose file, a
                systemd unit, or a list of JVM options (one a line, perhaps for some versions only: ``8-13:-Da=b``).
    definition  ``-Dname=value``, wherever it stands outside of comments; ``-XX`` and other flags are none.
    variable    a name that a line of a script sets, whatever for; a compose file's ``environment``, a Dockerfile's ``ENV`` and a
                unit's ``Environment``.

Invariants: one pass over each line, quotes followed within it; the text of a quoted variable may go over lines.  What a
here-document holds is not in effect.  Names that a script puts together (``-D$KEY=1``) are left out.
Absent: expansion, ``ARG`` and what ``RUN`` sets in a Dockerfile, ``env_file``, and inline YAML collections of variables.
"""

from __future__ import annotations

import re
from collections import deque
from enum import StrEnum

from conflens.documents.configfiles.arguments.words import Word, unescaped, whole, word
from conflens.documents.configfiles.model import MAX_ASSIGNMENTS, Assignment, Kind, Segment, Value

PROPERTY = "system-property"
VARIABLE = "environment"


class Shape(StrEnum):
    """How a file is written."""

    SHELL = "shell"
    BATCH = "batch"
    DOCKER = "docker"
    COMPOSE = "compose"
    UNIT = "unit"
    OPTIONS = "options"


_SHAPES = (
    (Shape.UNIT, re.compile(r"^\[(?:Unit|Service|Install)\]", re.MULTILINE)),
    (
        Shape.COMPOSE,
        re.compile(
            r"^services:|^[ ]+(?:environment|command|entrypoint|image|env_file):", re.MULTILINE
        ),
    ),
    (Shape.DOCKER, re.compile(r"^[ \t]*(?:FROM|ENV|ENTRYPOINT)[ \t]+[^=\s]", re.MULTILINE)),
    (
        Shape.BATCH,
        re.compile(
            r"^[ \t]*@?(?:echo[ \t]+off|setlocal|rem\b|::|goto[ \t]|set[ \t]+\"?[A-Za-z_]\w*+=)",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        Shape.OPTIONS,
        re.compile(r"\A(?:[ \t]*+(?:#[^\r\n]*+)?[\r\n]++)*+[ \t]*+(?:\d+(?:-\d*)?:)?-"),
    ),
)
_SAMPLE = 50_000
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_COMMENT = {
    Shape.SHELL: re.compile(r"[ \t]*+#"),
    Shape.BATCH: re.compile(r"[ \t]*+(?:::|@?rem(?:\s|\Z))", re.IGNORECASE),
    Shape.DOCKER: re.compile(r"[ \t]*+#"),
    Shape.COMPOSE: re.compile(r"[ \t]*+#"),
    Shape.UNIT: re.compile(r"[ \t]*+[#;]"),
    Shape.OPTIONS: re.compile(r"[ \t]*+#"),
}
_NAME = r"[A-Za-z_][\w.\-/\[\]]*+"
_DEFINE = rf"(?<![\w\-$])(?:-J)?--?D[ \t]?(?P<quote>[\"']?)(?P<name>{_NAME})(?:(?P<set>=)|(?=[\s\"',;)\]]|\Z))"
_TOKEN = re.compile(
    rf"(?P<escape>\\)|(?P<mark>[\"'])|(?P<note>#)|{_DEFINE}|(?P<stop>[;&|(){{}}])|(?P<word>[^\s\"'\\#;&|(){{}}=,:]++)",
    re.ASCII,
)
_SET = re.compile(r"([A-Za-z_]\w*+)\+?=(?!=)", re.ASCII)
_FALLBACK = re.compile(r"[ \t]*+:[ \t]++\"?\$\{([A-Za-z_]\w*+):?=([^{}\r\n]*+)\}", re.ASCII)
_LONG = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"(?=[\s;)&|]|\Z)", re.DOTALL)
_HEREDOC = re.compile(
    r"(?<!<)<<(?P<tabs>-?)[ \t]*+(?:'(?P<single>[^'\r\n]++)'|\"(?P<double>[^\"\r\n]++)\"|\\?+(?P<bare>[A-Za-z_][\w.\-]*+))"
)
_LEADING = frozenset(
    (
        "export",
        "declare",
        "typeset",
        "local",
        "readonly",
        "env",
        "then",
        "do",
        "else",
        "if",
        "while",
        "!",
    )
)
_NAMING = frozenset(("export", "declare", "typeset", "local", "readonly"))
_BATCH_SET = re.compile(
    r"(?:^|(?<=[\s@(&]))set[ \t]++(?!/)(\"?)([A-Za-z_][\w.]*+)=", re.IGNORECASE | re.ASCII
)
_ENV = re.compile(r"[ \t]*+ENV[ \t]++", re.IGNORECASE)
_RUN = re.compile(r"[ \t]*+(?:RUN|COPY|ADD)[ \t]", re.IGNORECASE)
_ENVIRONMENT = re.compile(r"[ \t]*+Environment[ \t]*+=[ \t]*+")
_PAIR = re.compile(r"[ \t]*+([\"']?)([A-Za-z_][\w.\-]*+)(=)", re.ASCII)
_OLD_ENV = re.compile(r"([A-Za-z_][\w.\-]*+)[ \t]++(?=[^\s=])", re.ASCII)
_BLOCK = re.compile(r"([ ]*+)(?:- )?environment:[ \t]*+(?:#.*)?\Z")
_MEMBER = re.compile(
    r"([ ]*+)(-[ ]++)?+([\"']?)([A-Za-z_][\w.\-]*+)(?:(=)|[\"']?:(?:[ \t]++|\Z))", re.ASCII
)
_SCALAR = re.compile(r"\"((?:[^\"\\\r\n]|\\.)*+)\"|'((?:[^'\r\n]|'')*+)'")
_NOTE = re.compile(r"(?<![ \t])[ \t]++#")
_OPTION = re.compile(rf"[ \t]*+(?:\d+(?:-\d*)?:)?(?:-J)?--?D({_NAME})(=)?", re.ASCII)
_ANOTHER = re.compile(r"(?<![ \t])[ \t]++-{1,2}[A-Za-z]")
_BEFORE = re.compile(
    r"[ \t]*+(?:(?:@?set|export|readonly|declare -x|Environment[ \t]*+=|ENV|-|\d+(?:-\d*)?:)[ \t]*+)*+[\"']?",
    re.IGNORECASE,
)
_NEAR = 60
_SIGNS = ("=", "-D", ":", "<<")
"""A line without any of these sets nothing."""


def shape_of(text: str) -> Shape:
    """Return how a text is written; a shell script where nothing says more."""
    sample = text[:_SAMPLE]
    if sample.startswith("#!"):
        return Shape.SHELL
    return next((shape for shape, sign in _SHAPES if sign.search(sample)), Shape.SHELL)


def assignments_of(text: str) -> list[Assignment]:
    """Return what the lines of a text set, in their order."""
    return _Reader(text).read()


def comment_line(shape: Shape, text: str, start: int, end: int) -> bool:
    """Whether a line is a comment."""
    return _COMMENT[shape].match(text, start, end) is not None


class _Reader:
    """Reads a text line by line; what goes over lines is kept between them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.shape = shape_of(text)
        self.found: list[Assignment] = []
        self.start = self.end = self.after = 0
        self.continued = False
        self.block = -1
        self.listing = False
        self.ends: deque[tuple[str, bool]] = deque()
        """The lines that end here-documents, and whether tabs may stand before."""
        self.arithmetic = -1, 0
        """A line, and where arithmetic begins in it."""
        self.opened = 0
        """Behind the last that opened a here-document."""
        self.busy = 0
        """Where the text of a variable that goes over lines ends."""

    def read(self) -> list[Assignment]:
        text = self.text
        at = 0
        while at < len(text) and len(self.found) <= MAX_ASSIGNMENTS:
            match = _LINE.match(text, at)
            assert match is not None
            self.start, self.after = at, match.end()
            line = match[0].rstrip("\r\n")
            self.end = at + len(line)
            at = self.after
            if self.ends:
                word, tabs = self.ends[0]
                if (line.lstrip("\t") if tabs else line) == word:
                    self.ends.popleft()
                continue
            if self.busy <= self.start and comment_line(self.shape, text, self.start, self.end):
                continue
            if self.shape is Shape.DOCKER or any(sign in line for sign in _SIGNS):
                self._line(line)
            elif self.block >= 0 and line.strip():
                self._leave(line)
            mark = "^" if self.shape is Shape.BATCH else "\\"
            self.continued = line.rstrip(" \t").endswith(mark)
            if not self.continued:
                self.listing = False
        return self.found

    def _line(self, line: str) -> None:
        if self.shape is Shape.OPTIONS:
            self._option()
            return
        first = len(self.found)
        if self.shape is Shape.BATCH:
            self._batch()
        elif self.shape is Shape.COMPOSE:
            self._compose(line)
        elif self.shape in (Shape.DOCKER, Shape.UNIT):
            self._pairs()
        self._tokens()
        if len(self.found) > first + 1:
            self.found[first:] = sorted(
                self.found[first:], key=lambda one: (one.key.start, one.key.end)
            )

    def _tokens(self) -> None:
        """Definitions, and in shell scripts variables: words in the place of a command."""
        text, end = self.text, self.end
        shell, batch = self.shape is Shape.SHELL, self.shape is Shape.BATCH
        quote = '"' if self.busy > self.start else ""
        opened = -1
        command = shell and not self.continued and not quote
        naming = False
        if shell and not quote and (match := _FALLBACK.match(text, self.start, end)):
            word = Word(match[2], *match.span(2), "", match.end())
            self._add(match[1], match.start(1), word, VARIABLE, match.start(), match.end())
        at = self.start
        while token := _TOKEN.search(text, at, end):
            at = token.end()
            kind = token.lastgroup
            if kind == "escape":
                at += not batch and quote != "'"
            elif kind == "mark":
                mark = token[0]
                if quote == mark:
                    quote = ""
                elif not quote and (
                    mark == '"' or (not batch and not text[at - 2 : at - 1].isalnum())
                ):
                    quote, opened = mark, token.start()
                command = command and (naming or token.start() < self.busy)
            elif kind == "note":
                if not quote and self.shape is not Shape.UNIT and not batch:
                    before = text[token.start() - 1 : token.start()]
                    if token.start() == self.start or before in (" ", "\t"):
                        return
            elif kind == "stop":
                if not quote and token.start() >= self.busy:
                    command, naming = shell and token[0] != "}", False
            elif kind == "word":
                if (shell or self._runs()) and not quote and "<<" in token[0]:
                    self._here(token.start() + token[0].index("<<"))
                if quote or not command or token.start() < self.busy:
                    continue
                match = _SET.match(text, token.start(), end)
                if match is not None:
                    self._variable(match)
                    at = match.end()
                elif token[0] in _LEADING or (token[0][0] == "-" and naming):
                    naming = naming or token[0] in _NAMING
                else:
                    command = naming
            else:
                at, quote = self._define(token, quote, opened)

    def _define(self, token: re.Match[str], quote: str, opened: int) -> tuple[int, str]:
        """Add a definition; return where to go on and inside of which quote."""
        text, end = self.text, self.end
        batch = self.shape is Shape.BATCH
        name, own = token["name"], token["quote"]
        start = token.start("name")
        if own and quote:
            return token.start("quote"), quote
        if token["set"] is None:
            if "." in name and not own and text[start - 1] == "D":
                self._add(name, start, None, PROPERTY, token.start(), token.end())
            return token.end("name"), quote
        single = own or (quote if opened == token.start() - 1 and self._alone(opened) else "")
        found = whole(text, token.end(), end, single, batch) if single else None
        if found is not None:
            closed = text.startswith(single, found.end)
            self._add(name, start, found, PROPERTY, token.start() - (not own), found.end + closed)
            return found.after, "" if closed else single
        found = word(text, token.end(), end, quote, batch)
        if not quote and self.shape in (Shape.COMPOSE, Shape.DOCKER) and not found.style:
            bare = found.text.rstrip(",]")
            found = found._replace(text=bare, end=found.end - len(found.text) + len(bare))
        self._add(name, start, found, PROPERTY, token.start(), found.after)
        return found.after, quote

    def _runs(self) -> bool:
        """Whether a line is an instruction of a Dockerfile that may have a here-document."""
        return self.shape is Shape.DOCKER and _RUN.match(self.text, self.start) is not None

    def _here(self, at: int) -> None:
        """Skip here-documents; ``<<`` in arithmetic begins none."""
        if self.arithmetic[0] != self.start:
            found = self.text.find("((", self.start, self.end)
            self.arithmetic = self.start, found if found >= 0 else self.end
        while self.opened <= at <= self.arithmetic[1] - 2 and (
            match := _HEREDOC.match(self.text, at, self.end)
        ):
            word = match["single"] or match["double"] or match["bare"]
            self.ends.append((word, bool(match["tabs"])))
            at = self.opened = match.end()

    def _alone(self, opened: int) -> bool:
        """Whether a quoted text is one argument, and not a list of them that a variable holds."""
        before = self.text[max(self.start, opened - _NEAR) : opened]
        if before.endswith("="):
            return False
        if self.shape is Shape.COMPOSE:
            return not before.rstrip(" \t").endswith(":")
        env = self.shape is Shape.DOCKER and _ENV.match(self.text, self.start, opened)
        return not env

    def _variable(self, match: re.Match[str]) -> None:
        """A variable of a shell script."""
        text, at = self.text, match.end()
        long = _LONG.match(text, at) if text.startswith('"', at) else None
        if long is not None:
            found = Word(unescaped(long[1]), *long.span(1), '"', long.end())
            self.busy = long.end()
        elif text.startswith("(", at):
            self._add(match[1], match.start(), None, VARIABLE, match.start(), at)
            return
        else:
            found = word(text, at, self.end, "")
            self.busy = max(self.busy, found.after)
        self._add(match[1], match.start(), found, VARIABLE, match.start(), found.after)

    def _batch(self) -> None:
        text = self.text
        match = _BATCH_SET.search(text, self.start, self.end)
        if match is None:
            return
        end = self.start + len(text[self.start : self.end].rstrip(" \t"))
        if match[1]:
            closing = text.rfind('"', match.end(), end)
            end = closing if closing >= 0 else end
        style = '"' if match[1] else ""
        value = text[match.end() : end]
        if (
            not style
            and len(value) >= 2
            and value[0] == value[-1] == '"'
            and value.count('"') == 2
        ):
            found = Word(value[1:-1], match.end() + 1, end - 1, '"', end)
        else:
            found = Word(value, match.end(), end, style, end + bool(style))
        self._add(match[2], match.start(2), found, VARIABLE, match.start(2), found.after)

    def _pairs(self) -> None:
        """``ENV`` and ``Environment`` with their continuation lines."""
        text, end = self.text, self.end
        opening = _ENV if self.shape is Shape.DOCKER else _ENVIRONMENT
        match = opening.match(text, self.start, end)
        if match is None and not self.listing:
            return
        at = match.end() if match else self.start
        old = _OLD_ENV.match(text, at, end) if match and self.shape is Shape.DOCKER else None
        if old is not None:
            raw = text[old.end() : end].rstrip(" \t")
            quoted = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'"
            style = raw[0] if quoted else ""
            value = raw[1:-1] if quoted else raw
            place = old.end() + quoted
            found = Word(unescaped(value), place, place + len(value), style, old.end() + len(raw))
            self._add(old[1], at, found, VARIABLE, at, found.after)
            return
        self.listing = True
        while pair := _PAIR.match(text, at, end):
            quote = pair[1]
            closed = whole(text, pair.end(), end, quote, cut=False) if quote else None
            found = closed or word(text, pair.end(), end, "")
            self._add(pair[2], pair.start(2), found, VARIABLE, pair.start(1), found.after)
            at = found.after
            if at < end and text[at] not in " \t":
                return

    def _compose(self, line: str) -> None:
        block = _BLOCK.match(line)
        if block is not None:
            self.block = len(line) - len(line.lstrip(" "))
            return
        if self.block < 0 or not line.strip() or self._leave(line):
            return
        match = _MEMBER.match(self.text, self.start, self.end)
        if match is None or bool(match[2]) != bool(match[5]):
            return
        text, at, quote = self.text, match.end(), match[3]
        end = self.start + len(line.rstrip(" \t"))
        if match[5] and quote:
            closing = text.find(quote, at, end)
            stop = closing if closing >= 0 else end
            found = Word(unescaped(text[at:stop]), at, stop, quote, min(stop + 1, end))
        elif scalar := _SCALAR.match(text, at, end) if not match[5] else None:
            group = scalar.lastindex or 1
            value = unescaped(scalar[1]) if group == 1 else scalar[2].replace("''", "'")
            found = Word(value, *scalar.span(group), text[at], scalar.end())
        else:
            note = _NOTE.search(text, at, end)
            stop = note.start() if note else end
            value = text[at:stop]
            if not match[5] and (not value or value[0] in "|>&*[{" or value in ("~", "null")):
                self._add(match[4], match.start(4), None, VARIABLE, match.start(4), stop)
                return
            found = Word(value, at, stop, "", stop)
        self._add(match[4], match.start(4), found, VARIABLE, match.start(4), found.after)

    def _leave(self, line: str) -> bool:
        """Leave the block of variables where a line is not indented into it."""
        indent = len(line) - len(line.lstrip(" "))
        left = indent < self.block or (indent == self.block and not line.lstrip().startswith("- "))
        if left:
            self.block = -1
        return left

    def _option(self) -> None:
        """A line of JVM options: everything behind ``=`` is the value, up to another option."""
        text = self.text
        at = self.start
        match = _OPTION.match(text, at, self.end)
        if match is None and (further := _ANOTHER.search(text, at, self.end)):
            match = _OPTION.match(text, further.start(), self.end)
        while match is not None:
            another = _ANOTHER.search(text, match.end(), self.end)
            end = another.start() if another else self.end
            if match[2]:
                raw = text[match.end() : end].rstrip(" \t")
                style = raw[0] if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'" else ""
                value = raw[1:-1] if style else raw
                start = match.end() + len(style)
                after = match.end() + len(raw)
                found = Word(value, start, start + len(value), style, after)
                self._add(match[1], match.start(1), found, PROPERTY, match.start(1) - 2, after)
            elif not text[match.end() : end].strip():
                self._add(
                    match[1], match.start(1), None, PROPERTY, match.start(1) - 2, match.end()
                )
            match = None
            while another is not None and match is None:
                match = _OPTION.match(text, another.start(), self.end)
                if match is None:
                    another = _ANOTHER.search(text, another.end(), self.end)

    def _add(
        self, name: str, key: int, value: Word | None, domain: str, start: int, end: int
    ) -> None:
        """Add an assignment; on lines of its own it has the whole lines."""
        text = self.text
        if start - self.start <= _NEAR and not self.continued:
            last = end
            while last < len(text) and last - end < _NEAR and text[last] in " \t\"'":
                last += 1
            line = _LINE.match(text, last)
            if (last >= len(text) or text[last] in "\r\n") and _BEFORE.fullmatch(
                text, self.start, start
            ):
                start, end = self.start, line.end() if line else len(text)
        segment = Segment(name, key, key + len(name))
        given = None if value is None else Value(value.text, value.start, value.end, value.style)
        self.found.append(
            Assignment(name, (segment,), Kind.SCALAR, given, (), start, end, domain=domain)
        )
