"""The manual of option discovery, checked: every program under a heading of ``*.md``.

A line says exactly what its verdicts say, and a line without a verdict says nothing.  A known gap is a
verdict that does not hold: when it comes to hold, its test fails until the label is taken away.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import attrs
import pytest
from typing_extensions import override

from conflens.base.span import Place
from conflens.base.system import MemorySystem
from conflens.base.text import Encoding
from conflens.ide.diagnostics import Code, diagnostics
from conflens.ide.settings import Settings
from conflens.options.model import Declaration, Option, Read
from conflens.session.analysis import Analysis
from session.support import session
from spec.cases import Case, Verdict, load, parse

HERE = Path(__file__).parent
CASES = load(HERE)
_CODES = {Code.UNUSED_READ: "unused", Code.CONFLICTING_DEFAULT: "conflict"}


@attrs.frozen
class Said:
    """One thing the analysis says on a line."""

    kind: str
    name: str
    attributes: dict[str, str]

    @override
    def __str__(self) -> str:
        shown = f"{self.kind}: {self.name}" if self.name else self.kind
        return " ".join([shown, *(f"{key}={value}" for key, value in self.attributes.items())])

    def meets(self, verdict: Verdict) -> bool:
        return (self.kind, self.name) == (verdict.kind, verdict.name) and all(
            self.attributes[key] == value for key, value in verdict.attributes
        )


def analyse(files: dict[str, bytes]) -> Analysis:
    return session(MemorySystem(files)).scan()


def said(analysis: Analysis, files: dict[str, bytes]) -> dict[tuple[str, int], list[Said]]:
    """Everything the analysis says, by path and 1-based line."""
    found: dict[tuple[str, int], list[Said]] = {}

    def note(place: Place, kind: str, name: str, attributes: dict[str, str]) -> None:
        key = (place.path, analysis.line(place))
        found.setdefault(key, []).append(Said(kind, name, attributes))

    def shown(place: Place) -> dict[str, str]:
        text = files[place.path][place.start : place.end].decode()
        column = analysis.position(place.path, place.start, Encoding.UTF16)[1] + 1
        return {"text": text.replace(" ", ""), "column": str(column)}

    for option in analysis.options.options:
        general = _of_option(analysis, option)
        for declaration in option.declarations:
            own = general | shown(declaration.place) | _of_declaration(declaration)
            note(declaration.place, "declares", option.name, own)
        for read in option.reads:
            own = general | shown(read.name_place) | _of_read(read)
            note(read.place, "read", option.name, own)
    for unresolved in analysis.options.unresolved:
        note(unresolved.place, "unresolved", "", {"domain": unresolved.domain})
    for path in analysis.program.files:
        marks = {
            (analysis.line(finding.place), _CODES[finding.code], finding.place.path)
            for finding in diagnostics(analysis, path, Settings())
            if finding.code in _CODES
        }
        for line, kind, at in marks:
            found.setdefault((at, line), []).append(Said(kind, "", {}))
    for problem in analysis.problems:
        key = (problem.path, problem.line)
        found.setdefault(key, []).append(Said("problem", "", {}))
    return found


def _of_option(analysis: Analysis, option: Option) -> dict[str, str]:
    documents = [f"{ref.path}:{ref.line}" for ref in analysis.documented(option)]
    texts = {"".join(default.text.split()) for default in option.defaults}
    return {
        "domain": option.domain,
        "type": str(option.type),
        "unit": option.unit or "none",
        "values": "|".join(option.values) or "none",
        "default": "|".join(sorted(texts)) or "none",
        "description": option.description.replace(" ", "_") or "none",
        "documented": "|".join(documents) or "none",
    }


def _of_read(read: Read) -> dict[str, str]:
    own = "none"
    if read.default is not None:
        own = "".join(read.default.text.split()) or '""'
    return {
        "kind": str(read.kind),
        "default": own,
        "method": read.method,
        "api": read.api.replace(" ", "_"),
    }


def _of_declaration(declaration: Declaration) -> dict[str, str]:
    return {"kind": declaration.kind, "symbol": declaration.symbol}


def check(case: Case) -> list[str]:
    """Return what is wrong, as text with the lines it is about; nothing when the case holds."""
    analysis = analyse(case.files)
    found = said(analysis, case.files)
    wrong: list[str] = []
    for path, line in sorted({*found, *case.verdicts}):
        here = found.get((path, line), [])
        verdicts = case.verdicts.get((path, line), ())
        faults = _judge(verdicts, here)
        if faults:
            source = case.files[path].decode().splitlines()[line - 1]
            wrong += [f"{path}:{line}: {source.strip()}", *(f"    {fault}" for fault in faults)]
    return wrong


def _judge(verdicts: tuple[Verdict, ...], here: list[Said]) -> list[str]:
    claims = [
        verdict
        for verdict in verdicts
        if verdict.kind != "clean" and (not verdict.gap or verdict.wrong)
    ]
    surplus = Counter((one.kind, one.name) for one in here)
    surplus.subtract((claim.kind, claim.name) for claim in claims)
    failing = [
        claim
        for claim in claims
        if surplus[claim.kind, claim.name] < 0 or not any(one.meets(claim) for one in here)
    ]
    faults = [f"{'gap closed' if claim.wrong else 'missing':11} {claim}" for claim in failing]
    failed = {claim.kind for claim in failing}
    for one in here:
        if surplus[one.kind, one.name] > 0 or one.kind in failed:
            faults.append(f"found       {one}")
    for verdict in verdicts:
        if verdict.gap and not verdict.wrong and any(one.meets(verdict) for one in here):
            faults.append(f"gap closed  {verdict}")
    return faults


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_spec(case: Case) -> None:
    wrong = check(case)
    assert not wrong, "\n" + "\n".join(wrong)


def test_names_are_told_apart() -> None:
    assert [
        name for name, count in Counter(case.name for case in CASES).items() if count > 1
    ] == []


def test_the_front_page_counts_programs_and_known_gaps() -> None:
    gaps = [case.gaps for case in CASES if case.gaps]
    counts = f"{len(CASES)} programs, {sum(gaps)} known gaps in {len(gaps)} of them"
    assert counts in (HERE / "README.md").read_text(encoding="utf-8")


# -- the harness itself ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("", "found       read: a.b"),
        ("// clean", "found       read: a.b"),
        ("// unresolved", "missing     unresolved"),
        ("// read: a.c", "missing     read: a.c"),
        ("// read: a.b default=7", "missing     read: a.b default=7"),
        ("// read: a.b; read: a.b", "missing     read: a.b"),
        ("// read: a.b; unused", "missing     unused"),
        ("// read: a.b; known-gap read: a.b", "gap closed  read: a.b"),
        ("// read: a.b; known-gap read: a.b default=5", "gap closed  read: a.b default=5"),
        ("// read: a.b; known-gap no unused", "gap closed  no unused"),
        ("// read: a.b; known-gap no read: a.c", "gap closed  no read: a.c"),
    ],
)
def test_a_wrong_verdict_is_a_fault(comment: str, fault: str) -> None:
    line = f'    int x() {{ return Integer.getInteger("a.b", 5); }} {comment}'
    (case,) = parse("self", f"# case\n\n```java\nclass C {{\n{line}\n}}\n```\n")
    assert any(fault in line for line in check(case))


def test_right_verdicts_are_no_fault() -> None:
    line = 'int x() { return Integer.getInteger("a.b", 5); } // known-gap no read: a.b'
    (case,) = parse(
        "self", f"# case\n\n```java\nclass C {{ {line}; known-gap read: a.c\n}}\n```\n"
    )
    assert check(case) == []


@pytest.mark.parametrize(
    "text",
    ["read", "read: a b", "unused: a", "known-gap", "declares a", "no unused", "known-gap clean"],
)
def test_what_is_no_verdict_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a verdict"):
        list(parse("self", f"# case\n\n```java\nint x; // read: a; {text}\n```\n"))
