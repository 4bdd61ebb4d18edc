"""Which findings a person does not want: comments in the file, and what the workspace file says.

Terms
    mark     a comment ``conflens: ignore`` with the codes that it is about, or none for all of them.  It holds for its own
             line and, if it stands alone on its line, for the next one; marks may stand below each other.  A reason may
             follow after `` -- ``.  ``conflens: ignore-file`` in the first ``HEAD`` lines holds for the whole file.
    rule     a code (or ``*``) and a glob of names, of the workspace file: ``unknown-option: legacy.*``.
    policy   all that a workspace file says of findings: rules, severities, baseline.

A mark may be any comment of Java, of config files and of documents: ``//``, ``/* */``, ``#``, ``!``, ``;``, ``<!-- -->``,
``--``, ``..`` and ``REM``.  Those that languages only know at the start of a line count only there, and in properties
files nothing else does: what looks like a comment behind a value is the value.  A mark that names no known code
suppresses nothing, since a typo must not hide more than was meant.

Absent: showing, files, which findings there are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain

import attrs

from conflens.base.text import LineIndex
from conflens.checking.baseline import Baseline, Identity, Unknown, identity
from conflens.checking.results import SEVERITIES, Code, Finding, Reason, Severity
from conflens.models.structure import nearest
from conflens.models.workspace import Checks

HEAD = 20
"""Lines in which ``conflens: ignore-file`` counts."""

_WORD = b"conflens:"
_STACKED = 20
"""Marks below each other that are looked at."""
_BEFORE, _AFTER, _OPENING, _ON_ONE_LINE = 400, 600, 40, 20
"""Bytes of a line that are looked at before the word, after it, and for what opens a comment; marks on one line: lines of
generated files are endless."""
_WITHIN = re.compile(rb"(?:(?://|/\*+|<!--)|(?:^|(?<=\s))#+)[ \t]*\Z")
_ALONE = re.compile(rb"[ \t]*(?://+|/?\*+|<!--|#+|!+|;+|--|\.\.|::|@?[Rr][Ee][Mm])[ \t]*\Z")
_WHAT = re.compile(rb"conflens:[ \t]*(?P<what>ignore-file|ignore)(?![\w-])(?P<codes>[^\r\n]*)")
_SPECIAL = re.compile(r"[*?\[\]]")
_END = re.compile(r"\*+/|-->")
_REASON = re.compile(r"(?:^|\s)(?:--?|\u2013|\u2014)(?:\s|$)|\(")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_CODES = frozenset(map(str, Code))


_PLAIN, _HEAD, _TAIL = "plain", "head", "tail"
MAX_ALIKE = 1000
"""Rules with wildcards that begin or end alike: a name is compared with each of them."""


def _end_of(glob: str) -> tuple[str, str]:
    """Return what to look a glob up by: all of it, or what stands before its wildcards or, if that is longer, behind them."""
    special = [match.start() for match in _SPECIAL.finditer(glob)]
    if not special:
        return _PLAIN, glob
    head = glob[: special[0]]
    tail = glob[special[-1] + 1 :]
    return (_TAIL, tail) if len(tail) > len(head) else (_HEAD, head)


@attrs.frozen
class Rule:
    """Findings of one kind (``None``: of every kind) on names that fit a glob."""

    code: Code | None
    name: str = "*"

    def fits(self, code: Code, names: Iterable[str]) -> bool:
        """Tell whether a finding is meant: every one of its names has to fit."""
        if self.code is not None and self.code is not code:
            return False
        return self.name == "*" or all(fnmatchcase(name, self.name) for name in names)


@attrs.frozen(slots=False)
class Policy:
    """What a project says of findings; ``severities`` are those that differ from the usual, ``baseline`` is ``None``
    where there is none that can be read."""

    rules: tuple[Rule, ...] = ()
    severities: Mapping[Code, Severity] = attrs.field(factory=dict)
    baseline: Baseline | None = attrs.field(default=None, repr=False)

    def ignores(self, code: Code, names: Sequence[str]) -> bool:
        """Tell whether a rule fits a finding of this kind on these names."""
        return any(rule.fits(code, names) for rule in self._about(names))

    def _about(self, names: Sequence[str]) -> Iterable[Rule]:
        """Yield the rules that may fit the first name, by how it begins or ends."""
        if not names:
            return self.rules
        name = names[0]
        plain, *ends = self._by_end
        found = [plain.get(name, ())]
        found += (
            rules.get(name[:size], ()) for size, rules in ends[0].items() if size <= len(name)
        )
        at = len(name)
        found += (
            rules.get(name[at - size :], ()) for size, rules in ends[1].items() if size <= at
        )
        return chain.from_iterable(found)

    @cached_property
    def _by_end(
        self,
    ) -> tuple[
        dict[str, list[Rule]], dict[int, dict[str, list[Rule]]], dict[int, dict[str, list[Rule]]]
    ]:
        """The rules by plain name, and those with wildcards by length and text of their beginning or end."""
        plain: dict[str, list[Rule]] = {}
        heads: dict[int, dict[str, list[Rule]]] = {}
        tails: dict[int, dict[str, list[Rule]]] = {}
        for rule in dict.fromkeys(self.rules):
            kind, text = _end_of(rule.name)
            if kind == _PLAIN:
                plain.setdefault(text, []).append(rule)
            else:
                sizes = heads if kind == _HEAD else tails
                sizes.setdefault(len(text), {}).setdefault(text, []).append(rule)
        return plain, heads, tails

    def over(self, severities: Mapping[Code, Severity]) -> Mapping[Code, Severity]:
        """Return how loud each kind is: what the project says goes before ``severities``, and these before the usual."""
        return {**SEVERITIES, **severities, **self.severities}


NO_POLICY = Policy()


@attrs.frozen
class Fault:
    """What is wrong with a rule, counted from 1 in the workspace file."""

    line: int
    column: int
    message: str
    suggestion: str | None = None


def mark(code: Code) -> str:
    """Return what a comment says that suppresses findings of a kind on its line or the next."""
    return f"conflens: ignore {code}"


def reasons(found: Sequence[Finding], text: bytes | None, policy: Policy) -> list[Reason | None]:
    """Return by what each of one file's findings, in their order, is suppressed; ``None`` if it is not.

    ``text`` is the one that places count in; without it no comment is known.
    """
    marks = Marks.of(found[0].place.path, text) if found and text is not None else None
    unknown = Unknown(policy.baseline or Baseline())
    return [_reason(one, marks, policy, unknown) for one in found]


def _reason(one: Finding, marks: Marks | None, policy: Policy, unknown: Unknown) -> Reason | None:
    if marks is not None and marks.hide(one.code, one.place.start):
        return Reason.COMMENT
    if policy.rules and policy.ignores(one.code, names_of(one)):
        return Reason.RULE
    if policy.baseline is not None and unknown.knows(identity_of(one)):
        return Reason.BASELINE
    return None


def identity_of(one: Finding) -> Identity:
    """Return what makes a finding the same after edits."""
    return identity(one.code, one.place, one.name, one.message)


def names_of(one: Finding) -> tuple[str, ...]:
    """Return the names that rules look at: those of the options, else the one in the file.

    A key that is no option is meant itself, and not the option that it resembles.
    """
    if one.code is Code.UNKNOWN_OPTION:
        return (one.name,)
    return tuple(dict.fromkeys(name for _, name in one.options)) or (one.name,)


@attrs.frozen
class Marks:
    """The marks of one file.  Lines count from 0; codes are ``None`` where all are meant."""

    lines: LineIndex = attrs.field(repr=False)
    whole: tuple[frozenset[str] | None, ...]
    by_line: Mapping[int, tuple[tuple[frozenset[str] | None, bool], ...]]
    """Of each line its marks, and whether they stand alone."""

    @staticmethod
    def of(path: str, text: bytes) -> Marks | None:
        """Return the marks in a text, ``None`` where there are none."""
        if _WORD not in text:
            return None
        lines = LineIndex.of(text)
        whole = []
        by_line: dict[int, list[tuple[frozenset[str] | None, bool]]] = {}
        only_alone = path.endswith(".properties")
        for line, what, codes, alone in _found(lines):
            if only_alone and not alone:
                continue
            if what == b"ignore":
                by_line.setdefault(line, []).append((codes, alone))
            elif line < HEAD:
                whole.append(codes)
        return Marks(lines, tuple(whole), {at: tuple(found) for at, found in by_line.items()})

    def hide(self, code: Code, offset: int) -> bool:
        """Tell whether a mark holds for a finding of this kind at a byte offset."""
        if any(_means(codes, code) for codes in self.whole):
            return True
        line = bisect_right(self.lines.starts, offset) - 1
        if any(_means(codes, code) for codes, _ in self.by_line.get(line, ())):
            return True
        for above in range(line - 1, line - 1 - _STACKED, -1):
            alone = [codes for codes, alone in self.by_line.get(above, ()) if alone]
            if any(_means(codes, code) for codes in alone):
                return True
            if not alone:
                return False
        return False


def _means(codes: frozenset[str] | None, code: Code) -> bool:
    return codes is None or code in codes


def _found(lines: LineIndex) -> Iterator[tuple[int, bytes, frozenset[str] | None, bool]]:
    """Yield line, kind and codes of each mark, and whether it stands alone."""
    text = lines.text
    at, last, amount = text.find(_WORD), -1, 0
    while at >= 0:
        line = bisect_right(lines.starts, at) - 1
        column = at - lines.starts[line]
        amount = amount + 1 if line == last else 1
        last = line
        if amount > _ON_ONE_LINE:
            at = text.find(_WORD, lines.starts[line + 1]) if line + 1 < len(lines.starts) else -1
            continue
        match = _WHAT.match(text, at, at + _AFTER)
        if match is not None:
            before = text[max(at - column, at - _BEFORE) : at]
            said = match["codes"].decode("utf-8", "replace")
            end = _END.search(said)
            alone = (
                column <= _BEFORE
                and _ALONE.match(before) is not None
                and (end is None or not said[end.end() :].strip())
            )
            if alone or _WITHIN.search(before[-_OPENING:]) is not None:
                yield line, match["what"], _codes(said[: end.start()] if end else said), alone
        at = text.find(_WORD, at + 1)


def _codes(said: str) -> frozenset[str] | None:
    """Return the codes that are named, ``None`` where nothing is: then all are meant."""
    bracketed = _BRACKETS.match(said.strip())
    if bracketed is not None:
        said = bracketed[1]
    else:
        said = _REASON.split(said, maxsplit=1)[0]
        if not said.strip():
            return None
    return _CODES.intersection(re.split(r"[,\s]+", said))


def rules_of(
    checks: Checks,
) -> tuple[tuple[Rule, ...], Mapping[Code, Severity], tuple[Fault, ...]]:
    """Return the rules and severities that a workspace file gives, and what is wrong with others."""
    rules: list[Rule] = []
    severities: dict[Code, Severity] = {}
    faults: list[Fault] = []
    alike: Counter[tuple[str, str]] = Counter()
    for one in checks.ignored:
        end = _end_of(one.name)
        alike[end] += end[0] != _PLAIN
        if alike[end] > MAX_ALIKE:
            if alike[end] == MAX_ALIKE + 1:
                message = f"[check] ignore: more than {MAX_ALIKE} patterns begin or end like '{one.name[:60]}'; this and those that follow are left out"
                faults.append(Fault(one.line, one.column, message))
        elif not one.name:
            message = f"[check] ignore: no name follows '{one.code[:60]}:'"
            faults.append(Fault(one.line, one.column, message))
        elif one.code == "*":
            rules.append(Rule(None, one.name))
        elif one.code in _CODES:
            rules.append(Rule(Code(one.code), one.name))
        else:
            faults.append(_unknown("[check] ignore", one.code, one.line, one.column))
    for said in checks.severities:
        if said.code not in _CODES:
            faults.append(_unknown("[check] severity", said.code, said.line, said.column))
        elif said.severity not in set(Severity):
            listed = ", ".join(Severity)
            message = f"[check] severity: '{said.severity[:60]}' is not one of {listed}"
            near = nearest(said.severity, Severity)
            faults.append(Fault(said.line, said.column, message, near))
        else:
            severities[Code(said.code)] = Severity(said.severity)
    return tuple(rules), severities, tuple(faults)


def _unknown(where: str, code: str, line: int, column: int) -> Fault:
    message = f"{where}: unknown code '{code[:60]}'"
    return Fault(line, column, message, nearest(code, _CODES))
