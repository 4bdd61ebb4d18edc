"""Whether an edit is harmless: the file is as well-formed as it was, and says the same but for what the edit is meant to say.

An edit is made in memory and the file read again, by our reader and, where the format has a strict one at hand, by that:
readers are kinder to broken files than programs are.  What our reader puts up with counts as well: a key that stands twice, a
key with a value below another one where keys form a tree.  What cannot be shown to be harmless is not offered.

Terms
    reading   a file in one format.  One file may be read in several: a compose file is YAML, ``application.conf`` in the syntax
              of properties may be HOCON.  The first one is ours.
    meant     what an edit changes on purpose: which assignments go, which ones come, which names keys get.

Many edits of one file are judged together, and halves of them only where that fails.
Invariants: total; linear in the file for edits that are all harmless.  Absent: what edits are for (``ide.code_actions``,
``ide.rename``).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol
from xml.parsers import expat

import attrs
import tomli

from conflens.base.span import Place
from conflens.checking.results import Finding, Fix
from conflens.documents.configfiles.model import Assignment, ConfigFile, Format, Kind, Value
from conflens.documents.configfiles.parsing import parse, read
from conflens.documents.configfiles.policy import is_read_by_many
from conflens.documents.policy import Format as DocumentFormat
from conflens.documents.policy import format_of

MOST_READ = 4_000_000
"""Bytes of one file that are read again to judge edits of it; what is left then is not offered."""
_NESTED = frozenset((Format.YAML, Format.TOML, Format.HOCON))
_IN_ORDER = frozenset((Format.ENVIRONMENT, Format.ARGUMENTS))
"""Formats whose values may refer to variables that are set above."""
_COMMENT = re.compile(r"[ \t]*(?:#|//|;|::|REM |<!--(?:(?!-->).)*-->[ \t]*\Z)")
_REFERENCE = re.compile(rb"\$\{?(?=([^\s$]{1,200}))")
_BOUND = re.compile(rb"\b")
_PARTS = re.compile(rb"[\s$]")
_LONGEST_NAME = 200
_JAVA_TOKEN = re.compile(
    rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb'|"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|"(?:[^"\\\n]|\\.)*+"?'
    rb"|'(?:[^'\\\n]|\\.)*+'?",
    re.DOTALL,
)
_SHELL_TOKEN = re.compile(
    rb"\$\{[^{}]*+\}?|\$'(?:[^'\\]|\\.)*+'?|'[^']*+'?|\"(?:[^\"\\]|\\.)*+\"?|(?:^|(?<=\s))#[^\n]*+|\\.",
    re.DOTALL,
)
"""What is left open ends with the text, or where it cannot go on: both are linear."""


class Edit(Protocol):
    """Replaces the text at ``place``."""

    @property
    def place(self) -> Place:
        """What is replaced."""

    @property
    def text(self) -> str:
        """What stands there afterwards."""


def applied(text: bytes, edits: Iterable[Edit]) -> bytes:
    """Return a file's text after edits of it."""
    parts, last = [], len(text)
    for edit in sorted(edits, key=lambda edit: edit.place.start, reverse=True):
        parts += [text[edit.place.end : last], edit.text.encode("utf-8", "replace")]
        last = edit.place.start
    return b"".join((text[:last], *reversed(parts)))


def is_comment(path: str, text: bytes, edit: Edit, file: ConfigFile | None) -> bool:
    """Tell whether an edit that adds lines of comments to a file adds nothing else."""
    return last_of(Judge(path, text, file).comments((edit,))) == [True]


def last_of(steps: Generator[None, None, list[bool]]) -> list[bool]:
    """Run a judgement to its end and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: list[bool] = end.value
            return found


def with_safe_fixes(
    files: Mapping[str, ConfigFile], findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Return the findings of one file with those of their fixes that are harmless."""
    if not any(one.fixes for one in findings):
        return tuple(findings)
    path = findings[0].place.path
    file = files.get(path)
    if file is None:
        return tuple(findings)
    asked = [(one, fix) for one in findings for fix in one.fixes]
    fine = iter(last_of(Judge(path, file.text, file).fixes(asked)))
    return tuple(
        attrs.evolve(one, fixes=tuple(fix for fix in one.fixes if next(fine)))
        if one.fixes
        else one
        for one in findings
    )


class _Said(NamedTuple):
    """What an assignment says, wherever it stands; white space around values does not count."""

    name: str
    kind: Kind
    value: str | None
    items: tuple[str, ...]
    document: int
    condition: str
    domain: str


@attrs.define
class _Meant:
    """See the module text."""

    gone: Counter[_Said] = attrs.Factory(Counter)
    come: Counter[_Said] = attrs.Factory(Counter)
    names: list[str] = attrs.Factory(list)
    comment: bool = False

    def add(self, other: _Meant) -> None:
        self.gone.update(other.gone)
        self.come.update(other.come)
        self.names += other.names
        self.comment = self.comment or other.comment


_Wish = tuple[Sequence[Edit], _Meant]


class Judge:
    """Judges edits of one file.  Judgements are generators: each step may take as long as reading the file once."""

    def __init__(self, path: str, text: bytes, file: ConfigFile | None) -> None:
        """``file`` is what our reader says of the file, if it is a config file."""
        self._path = path
        self._text = text
        self._file = file
        self._left = MOST_READ

    def comments(self, edits: Sequence[Edit]) -> Generator[None, None, list[bool]]:
        """Tell of each edit that adds lines of comments whether it adds nothing else."""
        fine = [self._is_outside(edit) and _is_only_comment(edit.text) for edit in edits]
        if self._path.endswith(".java"):
            return fine
        meant = _Meant(comment=True)
        wishes: list[_Wish] = [
            ((edit,), meant) for edit, one in zip(edits, fine, strict=True) if one
        ]
        found = iter((yield from self._judged(wishes)))
        return [one and next(found) for one in fine]

    def fixes(self, asked: Sequence[tuple[Finding, Fix]]) -> Generator[None, None, list[bool]]:
        """Tell of each fix of a finding whether the file says nothing else anew."""
        if self._file is None:
            return [True] * len(asked)
        fine = [False] * len(asked)
        groups: list[tuple[int, list[int], list[_Wish]]] = []
        for number, (finding, fix) in enumerate(asked):
            if any(edit.place.path != self._path for edit in fix.edits):
                fine[number] = True  # code
                continue
            meant = self._meant(finding, fix)
            if meant is None:
                continue
            start = min(edit.place.start for edit in fix.edits)
            end = max(edit.place.end for edit in fix.edits)
            for at, (last, numbers, wishes) in enumerate(groups):
                alike = _sort(wishes[0][1]) == _sort(meant)
                if last < start and alike:
                    numbers.append(number)
                    wishes.append((fix.edits, meant))
                    groups[at] = end, numbers, wishes
                    break
            else:
                groups.append((end, [number], [(fix.edits, meant)]))
        for _, numbers, wishes in groups:
            for number, one in zip(numbers, (yield from self._judged(wishes)), strict=True):
                fine[number] = one
        return fine

    def _judged(self, wishes: Sequence[_Wish]) -> Generator[None, None, list[bool]]:
        """All at once, else by halves."""
        if not wishes:
            return []
        self._left -= len(self._text) * max(1, len(self._readings))
        if self._left < 0:
            return [False] * len(wishes)
        yield
        whole = _Meant()
        for _, meant in wishes:
            whole.add(meant)
        if self._holds([edit for edits, _ in wishes for edit in edits], whole):
            return [True] * len(wishes)
        if len(wishes) == 1:
            return [False]
        middle = len(wishes) // 2
        first = yield from self._judged(wishes[:middle])
        return first + (yield from self._judged(wishes[middle:]))

    def _holds(self, edits: Sequence[Edit], meant: _Meant) -> bool:
        after = applied(self._text, edits)
        if not stays_readable(self._path, self._text, after):
            return False
        for number, before in enumerate(self._readings):
            now = parse(self._path, before.format, after)
            if len(now.faults) > len(before.faults):
                return False
            if meant.comment:
                if _sequence(before) != _sequence(now):
                    return False
                continue
            clashes = zip(_clashes(now), self._clashing[number], strict=True)
            if any(new > old for new, old in clashes):
                return False
            if number == 0:
                if not _is_meant(self._said, now, meant):
                    return False
            elif len(now.assignments) > len(before.assignments) or (
                len(now.assignments) < len(before.assignments) and not meant.gone
            ):
                return False
        return True

    @cached_property
    def _readings(self) -> list[ConfigFile]:
        return list(readings(self._path, self._text, self._file))

    @cached_property
    def _clashing(self) -> list[tuple[int, ...]]:
        return [_clashes(one) for one in self._readings]

    @cached_property
    def _said(self) -> Counter[_Said]:
        return _all_said(self._readings[0])

    def _is_outside(self, edit: Edit) -> bool:
        """Whether an edit begins outside of what a language reads as one token."""
        at = edit.place.start
        if self._path.endswith(".java"):
            return not _is_inside(_JAVA_TOKEN, self._text, at)
        script = format_of(self._path) is DocumentFormat.SCRIPT
        return not (script and _is_inside(_SHELL_TOKEN, self._text, at))

    # -- what fixes mean -------------------------------------------------------------------------

    def _meant(self, finding: Finding, fix: Fix) -> _Meant | None:
        """What a fix changes, ``None`` for what it should not."""
        if not fix.edits or any(
            len(edit.text.splitlines()) > 1 for edit in fix.edits if fix.value
        ):
            return None
        if fix.value is not None:
            return self._of_value(fix.edits[0].place, fix.value)
        if fix.name:
            return None if self._stands(finding, fix.name) else _Meant(names=[fix.name])
        return self._of_removal(fix)

    def _of_value(self, place: Place, value: str) -> _Meant | None:
        """The one assignment whose value stands at a place says something else; what an alias brings to others stays."""
        at = bisect_right(self._values, place.start, key=lambda one: one[0].start) - 1
        around: list[tuple[Value, Assignment, int]] = []
        while at >= 0 and (not around or self._values[at][0].start == around[0][0].start):
            found = self._values[at]
            if found[0].start <= place.start and place.end <= found[0].end:
                around.append(found)
            elif not around:
                break
            at -= 1
        if len(around) != 1 or not self._is_whole(place):
            return None
        ((_, one, index),) = around
        said = _said(one)
        if index < 0:
            now = said._replace(value=value.strip())
        else:
            items = (*said.items[:index], value.strip(), *said.items[index + 1 :])
            now = said._replace(items=items)
        return _Meant(Counter((said,)), Counter((now,)))

    def _is_whole(self, place: Place) -> bool:
        """Whether a value of a script holds no bracket or quote that belongs to what it stands in: ``${A:+-Db=c}``."""
        if self._readings[0].format is not Format.ARGUMENTS:
            return True
        raw = self._text[place.start : place.end]
        return all(
            raw.count(begin) == raw.count(end)
            for begin, end in ((b"{", b"}"), (b"(", b")"), (b"[", b"]"))
        ) and (not any(raw.count(quote) % 2 for quote in (b"'", b'"', b"`")))

    @cached_property
    def _values(self) -> list[tuple[Value, Assignment, int]]:
        """All values with their assignments and, of a list, which one it is; by where they stand."""
        found: list[tuple[Value, Assignment, int]] = []
        for one in self._readings[0].assignments:
            if one.value is not None:
                found.append((one.value, one, -1))
            found += ((item, one, index) for index, item in enumerate(one.items))
        return sorted(found, key=lambda of: of[0].start)

    def _stands(self, finding: Finding, name: str) -> bool:
        """Whether a key of this name stands in the same part of the file already."""
        file = self._readings[0]
        place = finding.place
        parts = {
            (one.document, one.condition, one.domain)
            for one in file.by_name.get(finding.name, ())
            if one.start <= place.start < max(one.end, one.start + 1)
            or any(part.start <= place.start <= part.end for part in one.path)
        }
        return any(
            (one.document, one.condition, one.domain) in parts
            for one in file.by_name.get(name, ())
            if one.kind is not Kind.SECTION
        )

    def _of_removal(self, fix: Fix) -> _Meant | None:
        """Entries go that stand elsewhere, too."""
        if any(edit.text for edit in fix.edits):
            return None
        file = self._readings[0]
        entries, starts = self._entries
        within: set[int] = set()
        for edit in fix.edits:
            first = bisect_left(starts, edit.place.start)
            last = bisect_right(starts, edit.place.end)
            within.update(n for n in range(first, last) if entries[n].key.end <= edit.place.end)
        gone = [entries[number] for number in sorted(within)]
        if any(len(file.by_name[one.name]) < 2 for one in gone):
            return None
        if file.format in _IN_ORDER and not all(self._stays_set(one) for one in gone):
            return None
        return _Meant(Counter(map(_said, gone)))

    @cached_property
    def _entries(self) -> tuple[list[Assignment], list[int]]:
        """What is no section, by where its key begins, and these places."""
        found = [one for one in self._readings[0].assignments if one.kind is not Kind.SECTION]
        found.sort(key=lambda one: one.key.start)
        return found, [one.key.start for one in found]

    def _line(self, one: Assignment) -> tuple[str, bytes]:
        return one.name, self._text[one.start : one.end].strip()

    @cached_property
    def _lines(self) -> Counter[tuple[str, bytes]]:
        """How many times each variable is set in each way."""
        return Counter(map(self._line, self._readings[0].assignments))

    @cached_property
    def _referred(self) -> frozenset[bytes]:
        """What begins behind ``$`` or ``${`` and ends where a word does, up to a length."""
        return frozenset(
            found[1][: end.start()]
            for found in _REFERENCE.finditer(self._text)
            for end in _BOUND.finditer(found[1])
        )

    def _stays_set(self, one: Assignment) -> bool:
        """Tell whether a variable is set in the very same way elsewhere, and nothing in the file refers to its value."""
        return self._lines[self._line(one)] > 1 and not self._is_referred(one.name.encode())

    def _is_referred(self, name: bytes) -> bool:
        if len(name) < _LONGEST_NAME and not _PARTS.search(name):
            return name in self._referred
        return re.search(rb"\$\{?" + re.escape(name) + rb"\b", self._text) is not None


def _sort(meant: _Meant) -> str:
    """Of what sort an edit is: those of two sorts could make up for each other."""
    return "name" if meant.names else "value" if meant.come else "removal"


def _is_meant(before: Counter[_Said], now: ConfigFile, meant: _Meant) -> bool:
    """Whether just what is meant has changed; a key that gets another name keeps all else."""
    after = _all_said(now)
    gone, come = before - after, after - before
    if meant.gone - gone or meant.come - come:
        return False
    gone, come = gone - meant.gone, come - meant.come
    if not meant.names:
        return not gone and not come
    if Counter(one[1:] for one in gone.elements()) != Counter(one[1:] for one in come.elements()):
        return False
    names = {one.name for one in come}
    return now.format is Format.ELEMENTS or names.issuperset(meant.names)


def stays_readable(path: str, before: bytes, after: bytes) -> bool:
    """Tell whether strict readers that accept one text accept the other too."""
    readers = [_is_json, _is_xml]
    if ".toml" in path.lower().rpartition("/")[2]:
        readers.append(_is_toml)
    return all(accepts(after) for accepts in readers if accepts(before))


def keeps_values(file: ConfigFile, edits: Sequence[Edit]) -> bool:
    """Tell whether a file in which names are changed still gives every value to a key of its own: none stands twice, and none
    above or below another that has a value."""
    after = applied(file.text, edits)
    if not stays_readable(file.path, file.text, after):
        return False
    edited = [
        (edit.place.start, edit.place.end) for edit in sorted(edits, key=lambda of: of.place)
    ]
    for before in readings(file.path, file.text, file):
        now = parse(file.path, before.format, after)
        if len(now.faults) > len(before.faults):
            return False
        if any(new > old for new, old in zip(_clashes(now), _clashes(before), strict=True)):
            return False
        kept = Counter(_values(before, edited))
        found = Counter(_values(now, ()))
        if kept - found or sum(found.values()) != sum(1 for _ in _values(before, ())):
            return False
    return True


def readings(path: str, text: bytes, file: ConfigFile | None) -> Iterator[ConfigFile]:
    """Yield what a file says in each format that programs may read it in."""
    own = read(path, text) if file is None else file
    if own.unread:
        return
    yield own if own.text == text else parse(path, own.format, text)
    if path.lower().endswith((".yml", ".yaml")) and own.format is not Format.YAML:
        yield parse(path, Format.YAML, text)
    if own.format is Format.PROPERTIES and is_read_by_many(path):
        other = parse(path, Format.HOCON, text)
        if not other.faults and _named(other) == _named(own):
            yield other


def _named(file: ConfigFile) -> list[str]:
    return [one.name for one in file.assignments if one.kind is not Kind.SECTION]


def _values(file: ConfigFile, edited: Sequence[tuple[int, int]]) -> Iterator[tuple[object, ...]]:
    """The values of a file that stand outside of the places where it is edited."""
    for one in file.assignments:
        values = one.items if one.value is None else (one.value,)
        if values and not any(_is_edited(value, edited) for value in values):
            yield one.kind, one.document, *(value.text for value in values)


def _is_edited(value: Value, edited: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(edited, (value.end, value.end))
    return at > 0 and edited[at - 1][1] >= value.start


def _clashes(file: ConfigFile) -> tuple[int, ...]:
    """How many keys stand twice, as whole names and in one mapping, and how many stand above or below another's value."""
    whole: Counter[tuple[object, ...]] = Counter()
    keys: Counter[tuple[object, ...]] = Counter()
    for one in file.assignments:
        if one.merged or not one.path:
            continue
        part = one.document, one.condition, one.domain
        if one.kind is not Kind.SECTION:
            within = one.path[-2].start if file.format is Format.ELEMENTS and one.path[1:] else 0
            whole[(*part, one.name, within)] += 1
        if file.format is Format.YAML:
            above = tuple((of.start, of.text) for of in one.path[:-1])
            keys[(*part, above, one.path[-1].text)] += 1
    nested = file.format in _NESTED or is_read_by_many(file.path)
    return (
        whole.total() - len(whole),
        keys.total() - len(keys),
        _shadowed(file) if nested else 0,
    )


def _shadowed(file: ConfigFile) -> int:
    """How many keys with a value have keys below them, of which a program that reads a tree sees only one kind."""
    holders = {
        (one.document, one.name)
        for one in file.assignments
        if one.kind is Kind.SCALAR and one.value is not None
    }
    return sum(
        any((one.document, part) in holders for part in _above(one.name))
        for one in file.assignments
    )


def _above(name: str) -> Iterable[str]:
    at = name.rfind(".")
    while at > 0:
        yield name[:at]
        at = name.rfind(".", 0, at)


def _sequence(file: ConfigFile) -> list[object]:
    """All that a file says, to the letter."""
    return [
        (
            one.name,
            one.kind,
            None if one.value is None else one.value.text,
            [item.text for item in one.items],
            one.document,
            one.condition,
            one.domain,
        )
        for one in file.assignments
    ]


def _all_said(file: ConfigFile) -> Counter[_Said]:
    return Counter(_said(one) for one in file.assignments if one.kind is not Kind.SECTION)


def _said(one: Assignment) -> _Said:
    value = None if one.value is None else one.value.text.strip()
    items = tuple(item.text.strip() for item in one.items)
    return _Said(one.name, one.kind, value, items, one.document, one.condition, one.domain)


def _is_only_comment(text: str) -> bool:
    """Whether each line that is added is a comment or blank, by the widest notion of a line and of what cannot be shown."""
    lines = text.splitlines()
    if len(lines) == 1 and text == lines[0]:
        return _is_shown(text)  # behind something on its line
    return all(
        not line.strip() or (_COMMENT.match(line) is not None and _is_shown(line))
        for line in lines
    )


def _is_shown(line: str) -> bool:
    return line.replace("\t", "").isprintable()


def _is_inside(tokens: re.Pattern[bytes], text: bytes, at: int) -> bool:
    """Whether a place lies inside a token, neither at its start nor at its end."""
    for token in tokens.finditer(text):
        if token.end() > at:
            return token.start() < at
    return False


def _is_json(text: bytes) -> bool:
    if text.lstrip()[:1] not in (b"{", b"["):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_toml(text: bytes) -> bool:
    try:
        tomli.loads(text.decode())
    except (ValueError, RecursionError):
        return False
    return True


def _is_xml(text: bytes) -> bool:
    if not text.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return False
    try:
        expat.ParserCreate().Parse(text, True)
    except (expat.ExpatError, ValueError):
        return False
    return True
