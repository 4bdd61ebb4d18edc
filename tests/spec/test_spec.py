"""The manual of discovery and of flows, checked: every program under a heading of ``**/*.md``.

A line says exactly what its verdicts say, and a line without a verdict says nothing.  Pages under
``flows/`` are judged so about ``reached`` only; about another kind where a line has a verdict of it.
A known gap is a verdict that does not hold: when it comes to hold, its test fails until the label is
taken away.

One page: ``pytest tests/spec -k flows/fields``; a fault shows the line, what was wanted, what was got.
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
from conflens.checking.documentation import Documentation
from conflens.checking.results import Code, Severity
from conflens.facts.ir import Call, NewArray
from conflens.flow import results
from conflens.flow.results import Dependency, Flow, Step, StepRole, place_of
from conflens.ide.diagnostics.diagnostics import diagnostics
from conflens.ide.settings.settings import Settings
from conflens.options.model import Declaration, Option, Read
from conflens.program.refs import MemberRef
from conflens.properties.model import Relation
from conflens.session.analysis import Analysis
from session.support import session
from spec.cases import FLOWS, Case, Verdict, code_of, load, parse

HERE = Path(__file__).parent
CASES = load(HERE)
_EACH_READ = Settings(dead_option=Severity.OFF)
"""A read without effect is told as such, also where an option has no other."""
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
            _in_order(value, self.attributes[key])
            if key in _SEQUENCES
            else self.attributes[key] == value
            for key, value in verdict.attributes
        )


_SEQUENCES = ("roles", "via")


def _in_order(wanted: str, got: str) -> bool:
    """Whether the parts of ``wanted`` stand in ``got`` in this order; others may stand between."""
    parts = iter(got.split("-"))
    return all(part in parts for part in wanted.replace(",", "-").split("-"))


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

    documentation = Documentation(analysis)
    for option in analysis.options.options:
        lack = documentation.lack(option)
        general = _of_option(analysis, option) | {"undocumented": lack.value if lack else "no"}
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
            for finding in diagnostics(analysis, path, _EACH_READ)
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
        **_changing(analysis, option),
    }


def _changing(analysis: Analysis, option: Option) -> dict[str, str]:
    found = analysis.properties.of(option)
    slopes = [f"{one.kind}:{one.expression}:{one.unit}" for one in found.slopes]
    ways = [f"{one.way}:{one.words}" for one in found.directions]
    return {
        "slope": "|".join(slopes).replace(" ", "_") or "none",
        "direction": "|".join(ways).replace(" ", "_") or "none",
        "monotone": str(found.monotone).lower(),
        "related": "|".join(map(_relation, found.relations)).replace(" ", "_") or "none",
        "felt": "|".join(f"{one.felt}:{one.entry}" for one in found.felt_by) or "none",
    }


def _relation(one: Relation) -> str:
    return f"{one.kind}:{one.other[1]}{one.op}{one.value}"


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


def flows_said(analysis: Analysis) -> dict[tuple[str, int], list[Said]]:
    """Everything the flows of the analysis say, by path and 1-based line."""
    found: dict[tuple[str, int], list[Said]] = {}

    def line(ref: MemberRef, index: int) -> int:
        return analysis.line(_place(analysis, ref, index))

    def note(ref: MemberRef, index: int, said: Said) -> None:
        found.setdefault((ref.path, line(ref, index)), []).append(said)

    def steps(path: results.Path) -> dict[str, str]:
        lines = [line(step.ref, step.instr) for step in path.steps]
        kept = [at for index, at in enumerate(lines) if index == 0 or at != lines[index - 1]]
        roles = (str(step.role) for step in path.steps)
        return {"roles": "-".join(roles), "via": "-".join(map(str, kept))}

    for (_, name), reach in analysis.flows.options.items():
        for flow in reach.flows:
            operation = flow.operation
            own = {
                "by": str(flow.dependency),
                "kind": operation.kind,
                "pattern": str(flow.pattern),
                "confidence": str(flow.confidence),
                "distance": str(flow.distance),
                "api": operation.api.replace(" ", "_"),
            }
            said = Said("reached", name, own | steps(flow.paths[0]))
            note(operation.ref, operation.instr, said)
        for cold in reach.cold:
            reason = cold.reason.replace(" ", "_")
            note(cold.ref, cold.instr, Said("cold", name, {"reason": reason}))
    return found


def _place(analysis: Analysis, ref: MemberRef, index: int) -> Place:
    """Return where an instruction is shown: a call at its method's name, others at their start."""
    code = analysis.program.body(ref).code
    instr = code[index] if 0 <= index < len(code) else None
    if isinstance(instr, Call):
        at = analysis.program.member(ref).at + instr.name_at
        return Place(ref.path, at, at + len(instr.name.encode()))
    return place_of(analysis.program, ref, index)


Lines = dict[tuple[str, int], list[Said]]


def check(case: Case) -> list[str]:
    """Return what is wrong, as text with the lines it is about; nothing when the case holds."""
    return judge(case, analyse(case.files))


def judge(case: Case, analysis: Analysis) -> list[str]:
    """``check``, of an analysis at hand."""
    found = said(analysis, case.files)
    wrong: list[str] = []
    if case.flows:
        wrong += _unread(case, found)
        flows = flows_said(analysis)
        found = _asked(case, found, flows)
    for path, line in sorted({*found, *case.verdicts}):
        here = found.get((path, line), [])
        verdicts = case.verdicts.get((path, line), ())
        faults = _judge(verdicts, here)
        if faults:
            source = case.files[path].decode().splitlines()[line - 1]
            wrong += [f"{path}:{line}: {code_of(source)}", *(f"    {fault}" for fault in faults)]
    if case.flows and wrong:
        wrong += _trails(flows)
    return wrong


def _asked(case: Case, found: Lines, flows: Lines) -> Lines:
    """Return all flows, and what else is said on lines with a verdict of that kind."""
    asked = {at: {verdict.kind for verdict in verdicts} for at, verdicts in case.verdicts.items()}
    kept: Lines = {}
    for lines in (found, flows):
        for at, here in lines.items():
            one = [s for s in here if s.kind == "reached" or s.kind in asked.get(at, ())]
            if one:
                kept.setdefault(at, []).extend(one)
    return kept


def _unread(case: Case, found: Lines) -> list[str]:
    """Return the options of flow verdicts that the program does not read: those say nothing."""
    read = {one.name for here in found.values() for one in here if one.kind == "read"}
    named = {v.name for here in case.verdicts.values() for v in here if v.kind in FLOWS}
    if not read:
        return ["this program reads no option"]
    return [f"this program does not read {name}" for name in sorted(named - read)]


def _trails(flows: Lines) -> list[str]:
    """Return where trails end, which explains what is wanted and not got."""
    return [
        f"{path}:{line}: a trail of {one.name} ends: {one.attributes['reason'].replace('_', ' ')}"
        for (path, line), here in sorted(flows.items())
        for one in here
        if one.kind == "cold"
    ]


def _judge(verdicts: tuple[Verdict, ...], here: list[Said]) -> list[str]:
    """Pair what is claimed with what is said, each with one of the other; the rest is wrong."""
    claims = [
        verdict
        for verdict in verdicts
        if verdict.kind != "clean" and (not verdict.gap or verdict.wrong)
    ]
    paired: dict[int, int] = {}
    missing = [
        claim for at, claim in enumerate(claims) if not _pair(at, claims, here, paired, set())
    ]
    faults = [f"{'gap closed' if claim.wrong else 'wanted':11} {claim}" for claim in missing]
    surplus = [one for index, one in enumerate(here) if index not in paired]
    faults += [f"got         {one}" for one in surplus]
    faults += [
        f"also got    {one}"
        for one in here
        if one not in surplus and any(claim.kind == one.kind for claim in missing)
    ]
    if missing and not here:
        faults.append("got         nothing")
    for verdict in verdicts:
        if verdict.gap and not verdict.wrong and any(one.meets(verdict) for one in here):
            faults.append(f"gap closed  {verdict}")
    return faults


def _pair(
    claim: int, claims: list[Verdict], here: list[Said], paired: dict[int, int], seen: set[int]
) -> bool:
    """Give a claim something said that meets it, moving other claims if they can be (Kuhn)."""
    for index, one in enumerate(here):
        if index in seen or not one.meets(claims[claim]):
            continue
        seen.add(index)
        if index not in paired or _pair(paired[index], claims, here, paired, seen):
            paired[index] = claim
            return True
    return False


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_spec(case: Case) -> None:
    if wrong := check(case):
        pytest.fail("\n".join([case.name, *wrong]), pytrace=False)


def test_names_are_unique() -> None:
    assert [
        name for name, count in Counter(case.name for case in CASES).items() if count > 1
    ] == []


# -- the harness itself ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        ("", "got         read: a.b"),
        ("// clean", "got         read: a.b"),
        ("// unresolved", "wanted      unresolved"),
        ("// read: a.c", "wanted      read: a.c"),
        ("// read: a.b default=7", "wanted      read: a.b default=7"),
        ("// read: a.b; read: a.b", "wanted      read: a.b"),
        ("// read: a.b; unused", "wanted      unused"),
        ("// read: a.b; known-gap read: a.b", "gap closed  read: a.b"),
        ("// read: a.b; known-gap read: a.b default=5", "gap closed  read: a.b default=5"),
        ("// read: a.b; known-gap no unused", "gap closed  no unused"),
        ("// read: a.b; known-gap no read: a.c", "gap closed  no read: a.c"),
    ],
)
def test_a_wrong_verdict_is_reported(comment: str, fault: str) -> None:
    line = f'    int x() {{ return Integer.getInteger("a.b", 5); }} {comment}'
    (case,) = parse("self", f"# case\n\n```java\nclass C {{\n{line}\n}}\n```\n")
    assert any(fault in line for line in check(case))


def test_right_verdicts_are_accepted() -> None:
    line = 'int x() { return Integer.getInteger("a.b", 5); } // known-gap no read: a.b'
    (case,) = parse(
        "self", f"# case\n\n```java\nclass C {{ {line}; known-gap read: a.c\n}}\n```\n"
    )
    assert check(case) == []


@pytest.mark.parametrize(
    "text",
    ["read", "read: a b", "unused: a", "known-gap", "declares a", "no unused", "known-gap clean"],
)
def test_an_invalid_verdict_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a verdict"):
        list(parse("self", f"# case\n\n```java\nint x; // read: a; {text}\n```\n"))


FLOW_PROGRAM = """# case

```java
class C {
    byte[] make() {
        int n = Integer.getInteger("a.b");
        return new byte[Integer // FIRST
            .valueOf(n)]; // SECOND
    }
}
```
"""
DIRECT = "reached: a.b by=direct kind=memory"


def _flow_case(here: str, there: str = "clean") -> Case:
    text = FLOW_PROGRAM.replace("FIRST", here).replace("SECOND", there)
    (case,) = parse("flows/self", text)
    return case


def _reaching(case: Case, *dependencies: Dependency) -> Analysis:
    """An analysis in which the read goes through the call to the array, in each of the ways."""
    analysis = analyse(case.files)
    ref = analysis.program.ref("File1.java", 0)
    code = analysis.program.body(ref).code
    read, call = (at for at, instr in enumerate(code) if isinstance(instr, Call))
    array = next(at for at, instr in enumerate(code) if isinstance(instr, NewArray))
    roles = (StepRole.READ, StepRole.COMPUTE, StepRole.OPERATION)
    steps = tuple(Step(ref, *step) for step in zip((read, call, array), roles, strict=True))
    path = results.Path(steps, results.Confidence.HIGH, (), 0)
    operation = results.Operation(ref, array, "memory", "new byte[]")
    flows = (Flow(operation, by, results.Pattern.DATA, (path,), 1) for by in dependencies)
    reach = results.Reach(tuple(flows), (results.Cold(ref, call, "not known"),))
    return attrs.evolve(analysis, flows=results.FlowTable({("system-property", "a.b"): reach}))


@pytest.mark.parametrize(
    "comment",
    [
        DIRECT,
        f"{DIRECT} pattern=data confidence=high distance=0 api=new_byte[]",
        f"{DIRECT} roles=read,compute,operation via=3-5-4",
        f"{DIRECT} roles=read-operation via=3-4",
    ],
)
def test_a_right_flow_is_accepted(comment: str) -> None:
    case = _flow_case(comment, "cold: a.b reason=not_known")
    assert judge(case, _reaching(case, Dependency.DIRECT)) == []


@pytest.mark.parametrize(
    ("here", "there", "fault"),
    [
        ("clean", "clean", f"got         {DIRECT} pattern=data confidence=high"),
        (f"{DIRECT} pattern=loop-bound", "clean", f"wanted      {DIRECT} pattern=loop-bound"),
        (f"{DIRECT} roles=operation,read", "clean", f"wanted      {DIRECT} roles=operation,read"),
        (f"{DIRECT} via=4-5", "clean", f"wanted      {DIRECT} via=4-5"),
        (f"{DIRECT}; {DIRECT}", "clean", f"wanted      {DIRECT}"),
        (DIRECT, DIRECT, "got         nothing"),
        (DIRECT, "cold: a.b reason=other", "got         cold: a.b reason=not_known"),
        (DIRECT.replace("a.b", "a.c"), "clean", "this program does not read a.c"),
        (f"known-gap {DIRECT}", "clean", f"gap closed  {DIRECT}"),
        (DIRECT, f"known-gap no {DIRECT}", f"gap closed  no {DIRECT}"),
        ("clean", "clean", "File1.java:5: a trail of a.b ends: not known"),
    ],
)
def test_a_wrong_flow_is_reported(here: str, there: str, fault: str) -> None:
    case = _flow_case(here, there)
    wrong = judge(case, _reaching(case, Dependency.DIRECT))
    assert any(fault in line for line in wrong), wrong


def test_each_dependency_needs_its_own_verdict() -> None:
    branch = DIRECT.replace("direct", "branch")
    for verdicts, fault in (
        (f"{branch}; {DIRECT}", None),
        (f"{DIRECT}; {DIRECT}", f"got         {branch}"),
        (DIRECT, f"got         {branch}"),
    ):
        case = _flow_case(verdicts)
        wrong = judge(case, _reaching(case, Dependency.DIRECT, Dependency.BRANCH))
        assert any(fault in line for line in wrong) if fault else wrong == []


def test_reads_on_flow_pages_are_checked_only_where_a_verdict_mentions_them() -> None:
    text = FLOW_PROGRAM.replace('("a.b");', '("a.b"); // read: a.c')
    (case,) = parse("flows/self", text)
    assert any("got         read: a.b" in line for line in check(case))


@pytest.mark.parametrize(
    ("page", "verdict"), [("flows/self", "reached: a by=direct"), ("self", DIRECT)]
)
def test_an_invalid_flow_verdict_is_refused(page: str, verdict: str) -> None:
    with pytest.raises(ValueError, match="not a verdict"):
        list(parse(page, f"# case\n\n```java\nint x; // {verdict}\n```\n"))
